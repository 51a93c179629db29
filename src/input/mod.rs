//! Pressing mouse buttons and keys.
//!
//! [`Hands`] press where they are told, in the same pixels as [`Screen`](crate::capture::Screen)
//! shows; they do not know what a cell is, and only the [player](crate::play) decides what may be
//! pressed. So that it can decide on how things really stand, hands say that in the same breath in which they act.

#[cfg(feature = "desktop")]
pub mod desktop;
mod shortcut;

use std::time::Instant;

pub use shortcut::{Key, Shortcut, UnknownShortcut};

use crate::geometry::{Px, Rect};

/// A button of the mouse.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Button {
    /// Opens cells.
    Left,
    /// Opens around a number in some games.
    Middle,
    /// Sets flags.
    Right,
}

/// One thing that hands do. All places are physical pixels of the screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// Move the pointer there.
    Move(Px),
    /// Press a button and keep it down.
    Press(Button),
    /// Let a button go.
    Release(Button),
    /// Press and release a key with its modifiers.
    Strike(Shortcut),
}

impl Act {
    /// Where it moves the pointer.
    pub const fn place(&self) -> Option<Px> {
        match self {
            Act::Move(at) => Some(*at),
            _ => None,
        }
    }

    /// Whether no key among `acts` goes out before a click is over.
    pub fn strike_behind_click(acts: &[Act]) -> bool {
        let clicked = acts.iter().position(|act| matches!(act, Act::Release(_)));
        let struck = acts.iter().position(|act| matches!(act, Act::Strike(_)));
        clicked.is_some_and(|clicked| struck.is_some_and(|struck| clicked < struck))
    }

    /// Moving to a place, pressing a button and letting it go.
    pub const fn click(button: Button, at: Px) -> [Act; 3] {
        [Act::Move(at), Act::Press(button), Act::Release(button)]
    }
}

/// Who would get what is pressed or typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Owner {
    /// The window of the game.
    Game,
    /// A dialog of the game: a window of the same program that belongs to that of the game, by its title, or else by its program's
    /// name.
    Dialog(String),
    /// Something else, by its name.
    Other(String),
}

/// Where the window of the game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// At this part of the screen.
    At(Rect),
    /// Nowhere: it is closed, minimised or on another workspace.
    Gone,
}

/// How things stand right before something is pressed. What a system does not say is `None`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Situation {
    /// Where the pointer is.
    pub pointer: Option<Px>,
    /// How far the pointer reaches: it is held back at the edges of the screen.
    pub screen: Option<Rect>,
    /// Where the window of the game is.
    pub window: Option<Place>,
    /// Who would get a press at the places that are moved to: the first who is not the game, if there is one.
    pub under: Option<Owner>,
    /// Who would get a key; asked only before one is struck.
    pub keyboard: Option<Owner>,
    /// What a person holds down: a button of the mouse, or a key that makes another press of each.
    pub held: Option<&'static str>,
}

/// Something to press with, aimed at the window of a game.
pub trait Hands {
    /// Does all of `acts`, one right after the other, if `may` agrees to how things stand then. Where a system can be held
    /// still for it, nothing changes between that and the last act. `may` must not ask that system anything. `on` is a
    /// place on the game, for hands that were not told which window it is.
    ///
    /// Where a system can hold a click back, this first waits until the last one is over.
    ///
    /// Returns where the pointer is then, as far as it is known; nothing when `may` did not agree, and nothing was done.
    ///
    /// # Errors
    /// When the system refuses, or has no such key.
    fn act(
        &mut self,
        on: Px,
        acts: &[Act],
        may: &mut dyn FnMut(&Situation) -> bool,
    ) -> Result<Option<Px>, InputError>;

    /// Whether many clicks may be given to [`Hands::act`] at once: the system sends clicks on as they come, as far as the
    /// last one tells.
    fn takes_bursts(&self) -> bool {
        false
    }

    /// Whether [`Situation::under`] tells of everything that could get a press. Where it does not, the pixels have to be
    /// compared before each press.
    fn tells_what_is_under(&self) -> bool {
        false
    }

    /// Whether [`Situation::keyboard`] is told for a key by itself. Where it is not, who is clicked has the keyboard then: a key
    /// has to go out right behind a click, among the same acts.
    fn tells_keyboard(&self) -> bool {
        true
    }

    /// Takes hold of the mouse for this player alone, until the hands are dropped.
    ///
    /// # Errors
    /// [`InputError::Taken`] when another player has it, as far as the system lets players know of each other.
    fn take_hold(&mut self) -> Result<(), InputError> {
        Ok(())
    }

    /// Asks the desktop to give the keyboard to the window of the game, or to a dialog of it. It may take a moment, and may not
    /// come to pass.
    ///
    /// # Errors
    /// When the system refuses.
    fn activate(&mut self) -> Result<(), InputError> {
        Ok(())
    }

    /// Aims at the window with this number from now on, which the same program has opened for its next game.
    fn aim_at(&mut self, window: u32) {
        let _ = window;
    }

    /// The name of the application that the window of the game is one of; empty where that is not known.
    fn window_class(&self) -> &str {
        ""
    }

    /// The time by the clock that presses are timed with.
    fn now(&self) -> Instant {
        Instant::now()
    }

    /// Moves to `at`, presses and releases `button` there, whatever is there.
    ///
    /// # Errors
    /// As [`Hands::act`].
    fn click(&mut self, button: Button, at: Px) -> Result<(), InputError> {
        self.act(at, &Act::click(button, at), &mut |_| true).map(|_| ())
    }
}

/// Why nothing could be pressed.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// There is nothing to press with.
    #[error("cannot use the mouse: is a display running, and may this program control it?")]
    NoDisplay {
        /// What the system said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Another player holds the mouse.
    #[error("{by} plays on this desktop already, and there is one mouse only; stop it first")]
    Taken {
        /// Who that is.
        by: String,
    },
    /// The system refused.
    #[error("the system refused to {action}")]
    Refused {
        /// What was to be done, as in "press the left button".
        action: String,
        /// What the system said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_behind_a_click_that_is_over_only() {
        let key = Act::Strike("Escape".parse().unwrap());
        let [there, down, up] = Act::click(Button::Left, Px::new(1, 1));
        assert!(Act::strike_behind_click(&[there, down, up, key]));
        for acts in [&[key][..], &[there, down, up], &[there, key], &[there, down, key, up]] {
            assert!(!Act::strike_behind_click(acts), "{acts:?}");
        }
    }
}
