//! The mouse of an X11 desktop, over one connection that waits for no answers.

use std::thread;
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConnectionExt as _, KeyButMask, MOTION_NOTIFY_EVENT,
    QueryPointerReply,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

use crate::geometry::Px;
use crate::input::Button;

/// What the server, or the connection to it, says against it.
type Refused = Box<dyn std::error::Error + Send + Sync>;

/// How long a window manager may hold a click back.
const HELD_BACK: Duration = Duration::from_millis(500);
/// How often it is asked whether it still does.
const POLL: Duration = Duration::from_micros(30);

/// A connection to an X server that lets programs move and press its mouse.
pub(super) struct X11 {
    connection: RustConnection,
    root: u32,
    /// Whether the last click was held back, or may have been.
    holds_back: bool,
}

impl X11 {
    /// Connects to the display.
    ///
    /// # Errors
    /// When there is no X server, or it has no extension for this.
    pub(super) fn open() -> Result<Self, Refused> {
        let (connection, screen) = x11rb::connect(None)?;
        connection.xtest_get_version(2, 2)?.reply()?;
        let root = connection.setup().roots[screen].root;
        Ok(Self { connection, root, holds_back: true })
    }

    pub(super) fn move_to(&self, at: Px) -> Result<(), Refused> {
        self.put(MOTION_NOTIFY_EVENT, 0, at)?;
        Ok(self.connection.flush()?)
    }

    pub(super) fn press(&self, button: Button) -> Result<(), Refused> {
        self.put(BUTTON_PRESS_EVENT, number(button), Px::new(0, 0))?;
        Ok(self.connection.flush()?)
    }

    pub(super) fn release(&self, button: Button) -> Result<(), Refused> {
        self.put(BUTTON_RELEASE_EVENT, number(button), Px::new(0, 0))?;
        Ok(self.connection.flush()?)
    }

    /// Moves, presses and releases in one message to the server.
    pub(super) fn click(&mut self, button: Button, at: Px) -> Result<(), Refused> {
        self.put_click(button, at)?;
        self.holds_back = is_down(&self.state()?);
        Ok(())
    }

    /// Whether a window manager held the last click back; the next one then has to wait for it.
    pub(super) fn holds_back(&self) -> bool {
        self.holds_back
    }

    /// Clicks at one place after the other and moves to `rest`, without a word from the server between. Returns where the
    /// pointer is then.
    pub(super) fn burst(&mut self, clicks: &[(Button, Px)], rest: Px) -> Result<Px, Refused> {
        for (nth, &(button, at)) in clicks.iter().enumerate() {
            self.put_click(button, at)?;
            if nth == 0 {
                // Who gets it need not wait until the server has read the others.
                self.connection.flush()?;
            }
        }
        self.put(MOTION_NOTIFY_EVENT, 0, rest)?;
        let found = self.state()?;
        self.holds_back = is_down(&found);
        Ok(place(&found))
    }

    /// Where the pointer is, once all that was sent before is done.
    pub(super) fn pointer(&self) -> Result<Px, Refused> {
        Ok(place(&self.state()?))
    }

    /// Where the pointer is once no button is down any more.
    ///
    /// A window manager may hold a press back until it has looked at it. What is sent meanwhile waits in line, but for
    /// a move: the pointer is there at once, and a release that waited comes where the pointer is by then, on another
    /// cell or beside the board. So nobody may move before what was pressed is released. It takes the window manager
    /// about half a millisecond; a person's finger on a button is not waited for.
    pub(super) fn pointer_released(&self) -> Result<Px, Refused> {
        let start = Instant::now();
        loop {
            let found = self.state()?;
            if !is_down(&found) || start.elapsed() > HELD_BACK {
                return Ok(place(&found));
            }
            thread::sleep(POLL);
        }
    }

    /// What the server says of the mouse when it has done all that was put in line before.
    fn state(&self) -> Result<QueryPointerReply, Refused> {
        let found = self.connection.query_pointer(self.root)?.reply()?;
        // Nothing but errors is told to this connection.
        while let Some(event) = self.connection.poll_for_event()? {
            if let Event::Error(error) = event {
                return Err(format!("the X server says {error:?}").into());
            }
        }
        Ok(found)
    }

    fn put_click(&self, button: Button, at: Px) -> Result<(), Refused> {
        self.put(MOTION_NOTIFY_EVENT, 0, at)?;
        self.put(BUTTON_PRESS_EVENT, number(button), at)?;
        self.put(BUTTON_RELEASE_EVENT, number(button), at)
    }

    /// Puts an event behind those that go out at the next flush. A place means something only for a move.
    fn put(&self, event: u8, detail: u8, at: Px) -> Result<(), Refused> {
        let clamp = |n: i32| n.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let (x, y) = (clamp(at.x), clamp(at.y));
        self.connection.xtest_fake_input(event, detail, 0, self.root, x, y, 0)?;
        Ok(())
    }
}

impl Drop for X11 {
    /// Waits for the server: it forgets what it has not read yet of a connection that ends.
    fn drop(&mut self) {
        if let Err(error) = self.pointer() {
            log::debug!("the connection to the mouse ended early: {error}");
        }
    }
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
