//! The mouse and the keyboard of an X11 desktop, over one connection.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::cookie::Cookie;
use x11rb::errors::ConnectionError;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ClientMessageEvent,
    ConnectionExt as _, CreateWindowAux, EventMask, GrabMode, KEY_PRESS_EVENT, KEY_RELEASE_EVENT,
    KeyButMask, MOTION_NOTIFY_EVENT, ModMask, PropMode, QueryPointerReply, Window, WindowClass,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

use crate::geometry::{Px, Rect};
use crate::input::desktop::Way;
use crate::input::{Act, Button, Key, Owner, Place, Shortcut, Situation};
use crate::x11::{AskedPlace, Keyboard, Refused, Windows, told};

/// How long a window manager may hold a click back.
const HELD_BACK: Duration = Duration::from_millis(500);
/// How often it is asked whether it still does.
const POLL: Duration = Duration::from_micros(30);

/// What the player that holds the mouse owns on the display. The server takes it back when a player ends, however it ends.
const HOLD: &[u8] = b"_MINESCRAPER_HANDS";

/// A connection to an X server that lets programs move and press its mouse.
pub(crate) struct X11 {
    connection: RustConnection,
    windows: Windows,
    keyboard: Keyboard,
    /// The window of the game; none when it is whatever is where it plays.
    game: Option<Window>,
    /// The window that lay on the screen itself, with that of the game in it, when it was last asked.
    top: Option<Window>,
    /// Whether the last click was held back, or may have been.
    holds_back: bool,
    /// How many buttons were pressed and not let go.
    held: u32,
    /// A window of our own, which owns the hold on the mouse.
    own: Option<Window>,
}

/// The server does nothing for anybody else while this lives.
struct Grab<'c>(&'c RustConnection);

impl<'c> Grab<'c> {
    fn of(connection: &'c RustConnection) -> Result<Self, Refused> {
        connection.grab_server()?;
        Ok(Self(connection))
    }
}

impl Drop for Grab<'_> {
    fn drop(&mut self) {
        // A connection that fails lets the server go too.
        let let_go = self.0.ungrab_server().map(drop).and_then(|()| self.0.flush());
        if let Err(error) = let_go {
            log::debug!("the X server is let go with the connection: {error}");
        }
    }
}

impl X11 {
    /// Connects to the display, to play in the window `game`.
    ///
    /// # Errors
    /// When there is no X server, or it has no extension for this.
    pub(crate) fn open(game: Option<Window>) -> Result<Self, Refused> {
        let (connection, screen) = x11rb::connect(None)?;
        connection.xtest_get_version(2, 2)?.reply()?;
        let windows = Windows::of(&connection, connection.setup().roots[screen].root)?;
        let keyboard = Keyboard::of(&connection)?;
        let (top, own) = (None, None);
        Ok(Self { connection, windows, keyboard, game, top, holds_back: true, held: 0, own })
    }

    /// Asks where the pointer is, and which buttons are down.
    fn pointer(&self) -> Result<Cookie<'_, RustConnection, QueryPointerReply>, ConnectionError> {
        self.connection.query_pointer(self.windows.root())
    }

    /// How things stand for these acts, but for the pointer and the keyboard; and the window on the screen that the game is
    /// in.
    fn situation(&self, on: Px, acts: &[Act]) -> Result<(Situation, Window), Refused> {
        let mut places = vec![on];
        let presses = acts.iter().any(|act| matches!(act, Act::Press(_)));
        places.extend(acts.iter().filter_map(Act::place).filter(|_| presses));
        let window = self.game.map(|game| self.windows.ask_place(&self.connection, game));
        let screen = self.connection.get_geometry(self.windows.root())?;
        let tops = self.windows.at(&self.connection, &places)?;
        let window = window.transpose()?.map(AskedPlace::told).transpose()?;
        let screen = screen.reply()?;
        let screen = Some(Rect::new(0, 0, screen.width.into(), screen.height.into()));
        let (on_game, tops) = (tops[0], &tops[1..]);
        if window == Some(Place::Gone) {
            return Ok((Situation { window, screen, ..Situation::default() }, on_game));
        }
        let game = self.game.unwrap_or(on_game);
        let mut top = self.top.filter(|_| self.game.is_some()).unwrap_or(on_game);
        // Where the last move goes to rest nothing is pressed.
        let pressed_at = acts.iter().rposition(|act| matches!(act, Act::Press(_)));
        let moves = acts[..pressed_at.unwrap_or(0)].iter();
        let tops = &tops[..moves.filter(|act| matches!(act, Act::Move(_))).count()];
        if tops.iter().any(|&there| there != top) {
            top = self.windows.top_of(&self.connection, game)?;
        }
        let under = match tops.iter().find(|&&there| there != top) {
            Some(&there) => self.windows.owner(&self.connection, game, there)?,
            None => Owner::Game,
        };
        let under = Some(under).filter(|_| presses);
        Ok((Situation { window, screen, under, ..Situation::default() }, top))
    }

    /// The server's number for [`HOLD`].
    fn hold(&self) -> Result<Atom, Refused> {
        Ok(self.connection.intern_atom(false, HOLD)?.reply()?.atom)
    }

    /// The window that owns it.
    fn owner_of(&self, hold: Atom) -> Result<Window, Refused> {
        Ok(self.connection.get_selection_owner(hold)?.reply()?.owner)
    }

    /// What the player who has the window `owner` is called.
    fn player(&self, hold: Atom, owner: Window) -> Result<String, Refused> {
        let asked = self.connection.get_property(false, owner, hold, AtomEnum::STRING, 0, 64)?;
        let name = told(asked.reply())?.map(|reply| reply.value).unwrap_or_default();
        Ok(String::from_utf8_lossy(&name).into_owned())
    }

    /// What the server has against anything that was sent.
    fn check(&self) -> Result<(), Refused> {
        // Nothing but errors is told to this connection, and that somebody else took the mouse, who grabbed nothing.
        while let Some(event) = self.connection.poll_for_event()? {
            if let Event::Error(error) = event {
                return Err(format!("the X server says {error:?}").into());
            }
        }
        Ok(())
    }

    /// Puts an act behind those that go out at the next flush.
    fn put(&self, act: Act) -> Result<(), Refused> {
        let nowhere = Px::new(0, 0);
        match act {
            Act::Move(at) => self.fake(MOTION_NOTIFY_EVENT, 0, at),
            Act::Press(button) => self.fake(BUTTON_PRESS_EVENT, number(button), nowhere),
            Act::Release(button) => self.fake(BUTTON_RELEASE_EVENT, number(button), nowhere),
            Act::Strike(Shortcut { ctrl, key }) => {
                let key = self.keyboard.code(key)?;
                let control = ctrl.then(|| self.keyboard.control()).transpose()?;
                let pressed = control.into_iter().chain([key]);
                for code in pressed.clone() {
                    self.fake(KEY_PRESS_EVENT, code, nowhere)?;
                }
                for code in pressed.collect::<Vec<_>>().into_iter().rev() {
                    self.fake(KEY_RELEASE_EVENT, code, nowhere)?;
                }
                Ok(())
            }
        }
    }

    /// A place means something only for a move.
    fn fake(&self, event: u8, detail: u8, at: Px) -> Result<(), Refused> {
        let clamp = |n: i32| n.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let (x, y) = (clamp(at.x), clamp(at.y));
        self.connection.xtest_fake_input(event, detail, 0, self.windows.root(), x, y, 0)?;
        Ok(())
    }
}

impl Way for X11 {
    /// From the question to the last act the server does nothing for
    /// anybody else: no window moves, none comes up, and nobody else gets the keyboard.
    fn act(
        &mut self,
        on: Px,
        acts: &[Act],
        may: &mut dyn FnMut(&Situation) -> bool,
    ) -> Result<Option<Px>, Refused> {
        let start = Instant::now();
        loop {
            // A window manager may hold a press back until it has looked at it. What is sent meanwhile waits in line, but
            // for a move: the pointer is there at once, and a release that waited comes where the pointer is by then, on
            // another cell or beside the board. So nobody may move before what was pressed is released. It takes the
            // window manager about half a millisecond, in which nobody is kept from the server; a person's finger on a
            // button is not waited for.
            let may_wait = || self.held == 0 && start.elapsed() < HELD_BACK;
            while self.holds_back && may_wait() && is_down(&self.pointer()?.reply()?) {
                thread::sleep(POLL);
            }
            let grab = Grab::of(&self.connection)?;
            let found = self.pointer()?;
            let (situation, top) = self.situation(on, acts)?;
            let found = found.reply()?;
            if is_down(&found) && may_wait() {
                self.holds_back = true;
                continue;
            }
            let held = held_by_hand(&found, self.held > 0);
            let mut situation = Situation { pointer: Some(place(&found)), held, ..situation };
            if acts.iter().any(|act| matches!(act, Act::Strike(_))) {
                let game = self.game.unwrap_or(top);
                let keyboard = self.windows.keyboard(&self.connection, game, place(&found))?;
                situation.keyboard = Some(keyboard);
            }
            if !may(&situation) {
                return Ok(None);
            }
            for &act in acts {
                self.put(act)?;
            }
            // Before anybody else can move it, or let a button go.
            let found = self.pointer()?;
            drop(grab);
            let found = found.reply()?;
            self.check()?;
            self.top = Some(top);
            let pressed = acts.iter().filter(|act| matches!(act, Act::Press(_))).count();
            let released = acts.iter().filter(|act| matches!(act, Act::Release(_))).count();
            self.held = (self.held + pressed as u32).saturating_sub(released as u32);
            if pressed > 0 || released > 0 {
                self.holds_back = is_down(&found);
            }
            return Ok(Some(place(&found)));
        }
    }

    fn takes_bursts(&self) -> bool {
        !self.holds_back
    }

    fn take_hold(&mut self, of: &str) -> Result<Option<String>, Refused> {
        let hold = self.hold()?;
        let grab = Grab::of(&self.connection)?;
        let owner = self.owner_of(hold)?;
        if self.own.is_some_and(|own| own == owner) {
            return Ok(None);
        }
        if owner != x11rb::NONE {
            return self.player(hold, owner).map(Some);
        }
        let own = hidden_window(&self.connection, self.windows.root())?;
        let name = format!("process {} (in '{of}')", std::process::id());
        let replace = PropMode::REPLACE;
        self.connection.change_property8(replace, own, hold, AtomEnum::STRING, name.as_bytes())?;
        self.connection.set_selection_owner(own, hold, x11rb::CURRENT_TIME)?;
        drop(grab);
        self.own = Some(own);
        Ok(None)
    }

    fn taken_by(&self) -> Result<Option<String>, Refused> {
        let hold = self.hold()?;
        let owner = self.owner_of(hold)?;
        let is_free = owner == x11rb::NONE || self.own == Some(owner);
        if is_free { Ok(None) } else { self.player(hold, owner).map(Some) }
    }

    /// Asks the window manager for the keyboard (`_NET_ACTIVE_WINDOW` of the Extended Window Manager Hints), as a pager
    /// does: on a person's behalf.
    fn activate(&mut self) -> Result<(), Refused> {
        const PAGER: u32 = 2;
        let Some(game) = self.game else { return Ok(()) };
        let data = [PAGER, x11rb::CURRENT_TIME, 0, 0, 0];
        let kind = self.windows.atoms._NET_ACTIVE_WINDOW;
        let message = ClientMessageEvent::new(32, game, kind, data);
        let to = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.connection.send_event(false, self.windows.root(), to, message)?;
        Ok(self.connection.flush()?)
    }

    fn tells_what_is_under(&self) -> bool {
        true
    }

    fn aim_at(&mut self, window: u32) {
        (self.game, self.top) = (Some(window), None);
    }

    fn tells_held(&self) -> bool {
        true
    }
}

impl Drop for X11 {
    /// Waits for the server: it forgets what it has not read yet of a connection that ends.
    fn drop(&mut self) {
        if !self.pointer().is_ok_and(|asked| asked.reply().is_ok()) {
            log::debug!("the connection to the mouse ended early");
        }
    }
}

/// The name of what a person holds down; a button that `is_own` is none.
fn held_by_hand(found: &QueryPointerReply, is_own: bool) -> Option<&'static str> {
    let keys = [
        (KeyButMask::SHIFT, "Shift"),
        (KeyButMask::CONTROL, "Ctrl"),
        (KeyButMask::MOD1, "Alt"),
        (KeyButMask::MOD4, "the logo key"),
    ];
    let key = keys.into_iter().find(|&(key, _)| found.mask.contains(key));
    let button = (is_down(found) && !is_own).then_some("a button of the mouse");
    key.map(|(_, name)| name).or(button)
}

/// Whether any button is down.
fn is_down(found: &QueryPointerReply) -> bool {
    found.mask.intersects(KeyButMask::BUTTON1 | KeyButMask::BUTTON2 | KeyButMask::BUTTON3)
}

fn place(found: &QueryPointerReply) -> Px {
    Px::new(found.root_x.into(), found.root_y.into())
}

fn number(button: Button) -> u8 {
    match button {
        Button::Left => 1,
        Button::Middle => 2,
        Button::Right => 3,
    }
}

/// A window that nobody sees, to own something or to be sent something.
fn hidden_window(connection: &RustConnection, root: Window) -> Result<Window, Refused> {
    let own = connection.generate_id()?;
    let (kind, of_parent) = (WindowClass::INPUT_ONLY, x11rb::COPY_FROM_PARENT);
    let hidden = CreateWindowAux::new().override_redirect(1);
    connection.create_window(0, own, root, -1, -1, 1, 1, 0, kind, of_parent, &hidden)?;
    Ok(own)
}

/// A key that is taken. The thread that waits for it ends with it.
#[derive(Debug)]
pub(crate) struct Taken {
    connection: Arc<RustConnection>,
    /// A window of ours that nobody sees; a message to it ends the thread.
    own: Window,
}

/// Takes `key` from everybody else, whatever is held with it, and calls `pressed` when it goes down.
///
/// # Errors
/// When somebody else has taken it.
pub(crate) fn take_key(
    key: Key,
    mut pressed: impl FnMut() + Send + 'static,
) -> Result<Taken, Refused> {
    let (connection, screen) = x11rb::connect(None)?;
    let root = connection.setup().roots[screen].root;
    let code = Keyboard::of(&connection)?.code(key)?;
    let (any, asynchronous) = (ModMask::ANY, GrabMode::ASYNC);
    let taken = connection.grab_key(false, root, any, code, asynchronous, asynchronous)?.check();
    taken.map_err(|_| "another program has taken it")?;
    let own = hidden_window(&connection, root)?;
    connection.flush()?;
    let connection = Arc::new(connection);
    let waiting = connection.clone();
    thread::spawn(move || {
        loop {
            match waiting.wait_for_event() {
                Ok(Event::KeyPress(key)) if key.detail == code => pressed(),
                Ok(Event::ClientMessage(_)) | Err(_) => return,
                Ok(_) => {}
            }
        }
    });
    Ok(Taken { connection, own })
}

impl Drop for Taken {
    fn drop(&mut self) {
        let message = ClientMessageEvent::new(32, self.own, AtomEnum::NONE, [0; 5]);
        // The server gives the key back when the last of the two lets the connection go.
        let sent = self.connection.send_event(false, self.own, EventMask::NO_EVENT, message);
        if let Err(error) = sent.map(drop).and_then(|()| self.connection.flush()) {
            log::debug!("the stop key ended with its connection: {error}");
        }
    }
}
