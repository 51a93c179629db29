//! The real mouse and keyboard.
//!
//! [`DesktopHands`] do what they are told as fast as the system takes it: `enigo`'s delay between two
//! actions is switched off. Whether a click arrived is for the [player](crate::play) to see on the screen.
//!
//! On X11 everything goes over a connection of our own where the server has the extension for it (`x11.rs`): the
//! server is held still from the question how things stand to the last press, and it is not waited for between two
//! presses. There [`Hands::act`] also waits until the click before is over, so that no click is lost to a window manager
//! that holds clicks back. Where none does, the clicks of a burst go out one right behind the other.
//!
//! Elsewhere `enigo` presses, and what stands where is asked just before, as far as the system tells it.

mod stop_key;
#[cfg(target_os = "linux")]
mod x11;
#[cfg(not(target_os = "linux"))]
#[path = "no_x11.rs"]
mod x11;

use enigo::{Coordinate, Direction, Enigo, Keyboard, Mouse, Settings};

pub use stop_key::StopKey;

use super::{Act, Button, Hands, InputError, Key, Owner, Place, Situation};
use crate::capture::desktop::{
    WindowInfo, ask_for_pixels, has_keyboard, pixels_per_point, place_of,
};
use crate::geometry::Px;

use x11::X11;

/// The mouse and the keyboard of the desktop, aimed at one window. Whatever is still held down when they are dropped, by a
/// panic too, is let go.
pub struct DesktopHands {
    enigo: Enigo,
    /// The short way to the mouse, where there is one.
    x11: Option<X11>,
    /// The window of the game, where there is one, as it was when it was opened.
    game: Option<WindowInfo>,
    /// Buttons that may be down. Enigo remembers keys, not buttons.
    held: Vec<Button>,
    pixels_per_point: i32,
}

impl DesktopHands {
    /// Hands that play in the window `game`; without one, in whatever is where they are told to play.
    ///
    /// # Errors
    /// [`InputError::NoDisplay`] when there is no desktop, or this program may not control it.
    pub fn new(game: Option<&WindowInfo>) -> Result<Self, InputError> {
        ask_for_pixels();
        let settings = Settings { linux_delay: 0, ..Settings::default() };
        let enigo = Enigo::new(&settings)
            .map_err(|error| InputError::NoDisplay { source: error.into() })?;
        let x11 = X11::open(game.map(|game| game.id));
        let x11 = x11.inspect_err(|error| log::debug!("pressing through enigo: {error}")).ok();
        let pixels_per_point = pixels_per_point() as i32;
        Ok(Self { enigo, x11, game: game.cloned(), held: Vec::new(), pixels_per_point })
    }

    /// Whether they go straight to an X server, which says what a person holds down ([`Situation::held`]); through `enigo`
    /// nobody says that.
    pub fn are_direct(&self) -> bool {
        self.x11.is_some()
    }

    /// The player who has [taken hold](Hands::take_hold) of the mouse, if another one has, as far as the system lets players
    /// know of each other. Takes hold of nothing.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn taken_by(&self) -> Result<Option<String>, InputError> {
        let Some(x11) = &self.x11 else { return Ok(None) };
        x11.taken_by().map_err(|error| refused("say who has the mouse".to_owned(), error))
    }

    /// How things stand, as far as the system tells.
    fn situation(&self, acts: &[Act]) -> Situation {
        let strikes = acts.iter().any(|act| matches!(act, Act::Strike(_)));
        let owner =
            |has_it| if has_it { Owner::Game } else { Owner::Other("another window".into()) };
        let game = self.game.as_ref().map(|game| game.id);
        Situation {
            pointer: self.pointer(),
            screen: None,
            window: game.map(|game| place_of(game).map_or(Place::Gone, Place::At)),
            under: None,
            keyboard: game.filter(|_| strikes).and_then(has_keyboard).map(owner),
            held: None,
        }
    }

    /// Does one act through `enigo`.
    fn act_slowly(&mut self, act: Act) -> Result<(), InputError> {
        let refuse = |error| refused(told(act), error);
        match act {
            Act::Move(at) => {
                let point = |pixels: i32| pixels.div_euclid(self.pixels_per_point);
                let (x, y) = (point(at.x), point(at.y));
                self.enigo.move_mouse(x, y, Coordinate::Abs).map_err(refuse)
            }
            Act::Press(button) => {
                self.enigo.button(named(button), Direction::Press).map_err(refuse)
            }
            Act::Release(button) => {
                self.enigo.button(named(button), Direction::Release).map_err(refuse)
            }
            Act::Strike(keys) => {
                let key =
                    key_of(keys.key).ok_or_else(|| refused(told(act), "there is no such key"))?;
                if !keys.ctrl {
                    return self.enigo.key(key, Direction::Click).map_err(refuse);
                }
                let held = self.enigo.key(enigo::Key::Control, Direction::Press);
                let struck = held.and_then(|()| self.enigo.key(key, Direction::Click));
                let released = self.enigo.key(enigo::Key::Control, Direction::Release);
                struck.and(released).map_err(refuse)
            }
        }
    }

    /// Where the pointer is, as far as the system tells.
    fn pointer(&self) -> Option<Px> {
        let (x, y) = self.enigo.location().ok()?;
        Some(Px::new(x * self.pixels_per_point, y * self.pixels_per_point))
    }

    /// Keeps in mind which buttons are down after `act`, which may have got through half-way if it failed.
    fn note(&mut self, act: Act, done: bool) {
        match act {
            Act::Press(button) if !self.held.contains(&button) => self.held.push(button),
            Act::Release(button) if done => self.held.retain(|&held| held != button),
            _ => {}
        }
    }
}

impl Hands for DesktopHands {
    fn act(
        &mut self,
        on: Px,
        acts: &[Act],
        may: &mut dyn FnMut(&Situation) -> bool,
    ) -> Result<Option<Px>, InputError> {
        if let Some(x11) = &mut self.x11 {
            let done = x11.act(on, acts, may);
            if !matches!(done, Ok(None)) {
                acts.iter().for_each(|&act| self.note(act, done.is_ok()));
            }
            return done.map_err(|error| {
                let what: Vec<String> = acts.iter().take(3).map(|&act| told(act)).collect();
                refused(what.join(", "), error)
            });
        }
        if !may(&self.situation(acts)) {
            return Ok(None);
        }
        for &act in acts {
            let done = self.act_slowly(act);
            self.note(act, done.is_ok());
            done?;
        }
        let sent = acts.iter().rev().find_map(Act::place);
        Ok(Some(self.pointer().or(sent).unwrap_or(on)))
    }

    fn takes_bursts(&self) -> bool {
        self.x11.as_ref().is_some_and(|x11| !x11.holds_back())
    }

    fn take_hold(&mut self) -> Result<(), InputError> {
        let Some(x11) = &mut self.x11 else { return Ok(()) };
        let of = self.game.as_ref().map_or("a monitor", WindowInfo::name);
        match x11.take_hold(of) {
            Ok(None) => Ok(()),
            Ok(Some(by)) => Err(InputError::Taken { by }),
            Err(error) => Err(refused("take hold of the mouse".to_owned(), error)),
        }
    }

    fn activate(&mut self) -> Result<(), InputError> {
        let Some(x11) = &mut self.x11 else { return Ok(()) };
        x11.activate().map_err(|error| refused("activate the window of the game".to_owned(), error))
    }

    fn window_class(&self) -> &str {
        self.game.as_ref().map_or("", |game| &game.app)
    }
}

impl Drop for DesktopHands {
    fn drop(&mut self) {
        for button in std::mem::take(&mut self.held) {
            let let_go = self.act(Px::new(0, 0), &[Act::Release(button)], &mut |_| true);
            if let Err(error) = let_go {
                log::warn!("{error}");
            }
        }
    }
}

/// What is to be done, as in "press the left button".
fn told(act: Act) -> String {
    match act {
        Act::Move(at) => format!("move the pointer to {at}"),
        Act::Press(button) => format!("press the {} button", word(button)),
        Act::Release(button) => format!("let the {} button go", word(button)),
        Act::Strike(keys) => format!("strike {keys}"),
    }
}

fn named(button: Button) -> enigo::Button {
    match button {
        Button::Left => enigo::Button::Left,
        Button::Middle => enigo::Button::Middle,
        Button::Right => enigo::Button::Right,
    }
}

fn word(button: Button) -> &'static str {
    match button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
    }
}

fn key_of(key: Key) -> Option<enigo::Key> {
    const FUNCTION_KEYS: [enigo::Key; 12] = [
        enigo::Key::F1,
        enigo::Key::F2,
        enigo::Key::F3,
        enigo::Key::F4,
        enigo::Key::F5,
        enigo::Key::F6,
        enigo::Key::F7,
        enigo::Key::F8,
        enigo::Key::F9,
        enigo::Key::F10,
        enigo::Key::F11,
        enigo::Key::F12,
    ];
    Some(match key {
        Key::Char(letter) => enigo::Key::Unicode(letter),
        Key::F(number) => {
            return FUNCTION_KEYS.get(usize::from(number).checked_sub(1)?).copied();
        }
        Key::Escape => enigo::Key::Escape,
        Key::Return => enigo::Key::Return,
        Key::Tab => enigo::Key::Tab,
        Key::Space => enigo::Key::Space,
    })
}

fn refused(
    action: String,
    error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> InputError {
    InputError::Refused { action, source: error.into() }
}
