//! What an X server says of itself.

use super::{check_named, no_display};
use crate::capture::CaptureError;

/// An X server, as it describes itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct XServer {
    /// Who made it.
    pub vendor: String,
    /// The names of the extensions that it offers.
    pub extensions: Vec<String>,
    /// The name of its window manager; empty where that has none. `None` where none runs, or none that keeps to the
    /// Extended Window Manager Hints, and so lists no windows.
    pub window_manager: Option<String>,
}

impl XServer {
    /// Asks the one that the variable `DISPLAY` names, one that lies behind a Wayland desktop too.
    ///
    /// # Errors
    /// [`CaptureError::NoDisplay`].
    pub fn ask() -> Result<Self, CaptureError> {
        check_named()?;
        #[cfg(target_os = "linux")]
        let described = super::x11::describe();
        #[cfg(not(target_os = "linux"))]
        let described = Err("this system has no X11");
        described.map_err(no_display)
    }

    /// Whether it has the extension of this name.
    pub fn offers(&self, extension: &str) -> bool {
        self.extensions.iter().any(|own| own == extension)
    }
}
