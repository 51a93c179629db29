//! The door of every way to look at a desktop.

use std::time::Instant;

use super::{MonitorInfo, WindowInfo};
use crate::capture::{CaptureError, Frame};
use crate::geometry::{Px, Rect};
use crate::input::Place;

/// What is in front of a window.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Cover {
    /// The title of what covers it, or its application's name where it has no title.
    pub by: String,
    /// Whether that is a window of the same program, and has the keyboard.
    pub own: bool,
}

/// One way to look at a desktop. All places are physical pixels of the desktop.
pub(crate) trait Camera {
    /// The monitors, in the system's order; never none.
    ///
    /// # Errors
    /// [`CaptureError::NoDisplay`].
    fn monitors(&mut self) -> Result<Vec<MonitorInfo>, CaptureError>;

    /// The open windows, the front-most first; `None` where the desktop lists none.
    ///
    /// # Errors
    /// When the desktop does not answer any more.
    fn windows(&mut self) -> Result<Option<Vec<WindowInfo>>, CaptureError>;

    /// Copies what the monitors show of `area`; between the monitors there is black.
    ///
    /// # Errors
    /// [`CaptureError::OutOfSight`] where no monitor shows any of it, [`CaptureError::Refused`].
    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError>;

    /// See [`Screen::wait`](crate::capture::Screen::wait).
    fn wait(&mut self, frame: &mut Frame, deadline: Instant) -> Result<Vec<Rect>, CaptureError>;

    /// See [`Screen::still_shows`](crate::capture::Screen::still_shows).
    fn still_shows(&mut self, frame: &Frame, part: Rect) -> Result<bool, CaptureError> {
        let now = self.look(part)?;
        Ok(frame.crop(part).is_some_and(|then| then == now))
    }

    /// Makes sure that the screen is as large as it was when this was last asked.
    ///
    /// # Errors
    /// [`CaptureError::ScreenResized`].
    fn check_size(&mut self) -> Result<(), CaptureError> {
        Ok(())
    }

    /// Wants to be told of changes of this window.
    fn attend(&mut self, window: u32) {
        let _ = window;
    }

    /// Where `window` is.
    fn place(&mut self, window: u32) -> Place;

    /// Whether any window may stand otherwise than at the last call.
    fn windows_changed(&mut self) -> bool {
        true
    }

    /// The first window in front of `window` that covers any of it.
    ///
    /// # Errors
    /// When the desktop does not answer any more.
    fn cover(&mut self, window: &WindowInfo) -> Result<Option<Cover>, CaptureError>;

    /// A number of the program that has `window`, as far as the system tells: its windows have the same one, also when this one is
    /// closed.
    fn program_of(&mut self, window: u32) -> Option<u32> {
        let _ = window;
        None
    }

    /// The name of what would get a press at one of these places and is not `window`, as far as that can be told.
    fn in_front(&mut self, window: u32, places: &[Px]) -> Option<String> {
        let _ = (window, places);
        None
    }
}
