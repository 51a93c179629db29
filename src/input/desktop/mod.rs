//! The real mouse and keyboard.
//!
//! [`DesktopHands`] do what they are told as fast as the system takes it. Whether a click arrived is for the
//! [player](crate::play) to see on the screen. They press in one of several ways, of which there is one for each kind of
//! desktop.
//!
//! On X11 (`x11.rs`) everything goes over a connection of our own: the server is held still from the question how things
//! stand to the last press, and it is not waited for between two presses. There [`Hands::act`] also waits until the click
//! before is over, so that no click is lost to a window manager that holds clicks back. Where none does, the clicks of a
//! burst go out one right behind the other.
//!
//! Windows (`windows.rs`) takes all acts of a batch in one call, right behind the question how things stand.
//!
//! Elsewhere nothing can be held still: what stands where is asked just before, as far as the system tells it. `wlroots.rs` has a
//! virtual pointer, `portal.rs` that of the desktop's portal, `windows.rs` one call for a whole batch; for what is left `enigo`
//! presses (`portable.rs`). Where it is told late where the pointer is, the way keeps a `trail` of its own moves.

#[cfg(not(windows))]
pub(crate) mod portable;
#[cfg(target_os = "linux")]
pub(crate) mod portal;
mod stop_key;
#[cfg(any(target_os = "linux", windows))]
mod trail;
#[cfg(windows)]
pub(crate) mod windows;
#[cfg(target_os = "linux")]
pub(crate) mod wlroots;
#[cfg(target_os = "linux")]
pub(crate) mod x11;

pub use stop_key::StopKey;

use super::{Act, Button, Hands, InputError, Situation};
use crate::capture::desktop::WindowInfo;
use crate::geometry::Px;

/// What the system, or the connection to it, says against it.
pub(crate) type Refused = Box<dyn std::error::Error + Send + Sync>;

/// One way to press. What each method does is said at that of [`Hands`].
pub(crate) trait Way {
    fn act(
        &mut self,
        on: Px,
        acts: &[Act],
        may: &mut dyn FnMut(&Situation) -> bool,
    ) -> Result<Option<Px>, Refused>;

    fn takes_bursts(&self) -> bool {
        false
    }

    fn tells_what_is_under(&self) -> bool {
        false
    }

    fn tells_keyboard(&self) -> bool {
        true
    }

    /// `of` is what is played. Returns who has hold of the mouse already.
    fn take_hold(&mut self, of: &str) -> Result<Option<String>, Refused> {
        let _ = of;
        Ok(None)
    }

    /// Who has hold of the mouse.
    fn taken_by(&self) -> Result<Option<String>, Refused> {
        Ok(None)
    }

    fn activate(&mut self) -> Result<(), Refused> {
        Ok(())
    }

    /// Whether it says what a person holds down ([`Situation::held`]).
    fn tells_held(&self) -> bool {
        false
    }

    fn aim_at(&mut self, window: u32);
}

/// The mouse and the keyboard of the desktop, aimed at one window. Whatever is still held down when they are dropped, by a
/// panic too, is let go.
pub struct DesktopHands {
    way: Box<dyn Way>,
    /// The window of the game, where there is one, as it was when it was opened.
    game: Option<WindowInfo>,
    /// Buttons that may be down.
    held: Vec<Button>,
}

impl DesktopHands {
    /// Hands that play in the window `game`; without one, in whatever is where they are told to play.
    pub(crate) fn new(way: Box<dyn Way>, game: Option<&WindowInfo>) -> Self {
        Self { way, game: game.cloned(), held: Vec::new() }
    }

    /// Whether they say what a person holds down ([`Situation::held`]).
    pub fn tell_held(&self) -> bool {
        self.way.tells_held()
    }

    /// The player who has [taken hold](Hands::take_hold) of the mouse, if another one has, as far as the system lets players
    /// know of each other. Takes hold of nothing.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn taken_by(&self) -> Result<Option<String>, InputError> {
        self.way.taken_by().map_err(|error| refused("say who has the mouse".to_owned(), error))
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
        let done = self.way.act(on, acts, may);
        if !matches!(done, Ok(None)) {
            acts.iter().for_each(|&act| self.note(act, done.is_ok()));
        }
        done.map_err(|error| {
            let what: Vec<String> = acts.iter().take(3).map(|&act| told(act)).collect();
            refused(what.join(", "), error)
        })
    }

    fn takes_bursts(&self) -> bool {
        self.way.takes_bursts()
    }

    fn tells_what_is_under(&self) -> bool {
        self.way.tells_what_is_under()
    }

    fn tells_keyboard(&self) -> bool {
        self.way.tells_keyboard()
    }

    fn take_hold(&mut self) -> Result<(), InputError> {
        let of = self.game.as_ref().map_or("a monitor", WindowInfo::name);
        match self.way.take_hold(of) {
            Ok(None) => Ok(()),
            Ok(Some(by)) => Err(InputError::Taken { by }),
            Err(error) => Err(refused("take hold of the mouse".to_owned(), error)),
        }
    }

    fn activate(&mut self) -> Result<(), InputError> {
        let activated = self.way.activate();
        activated.map_err(|error| refused("activate the window of the game".to_owned(), error))
    }

    fn aim_at(&mut self, window: u32) {
        self.way.aim_at(window);
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

fn word(button: Button) -> &'static str {
    match button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
    }
}

fn refused(action: String, source: Refused) -> InputError {
    InputError::Refused { action, source }
}
