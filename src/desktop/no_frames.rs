//! There are no frames: only X11 lets clicks through windows.

use crate::capture::CaptureError;
use crate::capture::desktop::no_display;
use crate::geometry::Rect;

/// Frames that there cannot be.
pub enum Frames {}

impl Frames {
    /// Makes none.
    ///
    /// # Errors
    /// Always.
    pub fn of(_: &[[u8; 3]]) -> Result<Self, CaptureError> {
        Err(no_display("only on X11 frames are drawn over a window; leave --on-screen out"))
    }

    /// There is nothing to show.
    ///
    /// # Errors
    /// Never.
    pub fn show(&mut self, _: &[Vec<Rect>]) -> Result<(), CaptureError> {
        match *self {}
    }
}
