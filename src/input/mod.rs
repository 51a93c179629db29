//! Pressing mouse buttons and keys.
//!
//! [`Hands`] press where they are told, in the same pixels as [`Screen`](crate::capture::Screen)
//! shows; they do not know what a cell is, and only the [player](crate::player) decides what may be
//! pressed.

#[cfg(feature = "desktop")]
pub mod desktop;
mod shortcut;

pub use shortcut::{Key, Shortcut, UnknownShortcut};

use crate::geometry::Px;

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

/// Something to press with. All places are physical pixels of the screen.
pub trait Hands {
    /// Moves the pointer to `at`.
    ///
    /// # Errors
    /// When the system refuses.
    fn move_to(&mut self, at: Px) -> Result<(), InputError>;

    /// Presses `button` and keeps it down.
    ///
    /// # Errors
    /// When the system refuses.
    fn press(&mut self, button: Button) -> Result<(), InputError>;

    /// Lets `button` go.
    ///
    /// # Errors
    /// When the system refuses.
    fn release(&mut self, button: Button) -> Result<(), InputError>;

    /// Presses and releases a key with its modifiers.
    ///
    /// # Errors
    /// When the system refuses or has no such key.
    fn strike(&mut self, keys: Shortcut) -> Result<(), InputError>;

    /// Where the pointer is. Where the system can hold a click back, this waits until the last one is over.
    ///
    /// # Errors
    /// When the system does not say.
    fn pointer(&mut self) -> Result<Px, InputError>;

    /// Moves to `at`, presses and releases `button` there.
    ///
    /// # Errors
    /// When the system refuses one of the three; the button is not left pressed.
    fn click(&mut self, button: Button, at: Px) -> Result<(), InputError> {
        self.move_to(at)?;
        let pressed = self.press(button);
        self.release(button)?;
        pressed
    }

    /// Whether [`Hands::burst`] may be used: the system sends clicks on as they come, as far as the last one tells.
    fn takes_bursts(&self) -> bool {
        false
    }

    /// Clicks at one place right after the other, moves the pointer to `rest`, and returns where it is then.
    ///
    /// # Errors
    /// When the system refuses any of it; no button is left pressed.
    fn burst(&mut self, clicks: &[(Button, Px)], rest: Px) -> Result<Px, InputError> {
        one_by_one(self, clicks, rest)
    }
}

/// A [burst](Hands::burst) where there is no shorter way.
fn one_by_one<H: Hands + ?Sized>(
    hands: &mut H,
    clicks: &[(Button, Px)],
    rest: Px,
) -> Result<Px, InputError> {
    clicks.iter().try_for_each(|&(button, at)| hands.click(button, at))?;
    hands.move_to(rest)?;
    hands.pointer()
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
