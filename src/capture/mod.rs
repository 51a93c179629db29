//! Looking at the screen.
//!
//! A [`Screen`] copies pixels and says how the window it looks at stands; what the pixels mean is not
//! known here. The desktop, a folder of saved pictures and the
//! [virtual desktop](crate::lab::virtual_desktop) are all screens, so the rest of the program cannot tell
//! them apart.

#[cfg(feature = "desktop")]
pub mod desktop;
mod frame;
mod pictures;

use std::time::Instant;

pub use frame::Frame;
pub use pictures::{Pictures, decode_picture, load_picture};

use crate::geometry::{Px, Rect};

/// How the window that a screen looks at stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// There, and nothing in front of it.
    There,
    /// Now at another place or of another size.
    Moved(Rect),
    /// At least partly behind another window.
    Covered {
        /// The title of the window in front, or its application's name where it has no title.
        by: String,
        /// Whether that window is one of the same program, and has the keyboard.
        own: bool,
    },
    /// Closed or minimised.
    Gone,
}

/// How often a window may move while it is looked at.
const MOVES: u32 = 20;

/// Something to look at. All places are physical pixels of the screen.
pub trait Screen {
    /// The part of the screen that the watched window (or the whole monitor) takes.
    ///
    /// # Errors
    /// When the window is gone.
    fn area(&mut self) -> Result<Rect, CaptureError>;

    /// Copies `area` of the screen. What lies outside [`Screen::area`] is left out of the frame.
    ///
    /// # Errors
    /// When nothing of `area` can be seen, or the window is not where [`Screen::area`] last said it was.
    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError>;

    /// Waits until the part of the screen in `frame` looks different, brings `frame` up to date, and returns
    /// the parts that changed; none when it still looks the same at `deadline`. A deadline that is over
    /// brings it up to date without waiting. `frame` is as the last look or wait left it.
    ///
    /// # Errors
    /// When it can no longer be seen, or the window is not where it was.
    fn wait(&mut self, frame: &mut Frame, deadline: Instant) -> Result<Vec<Rect>, CaptureError>;

    /// Whether `part` of the screen still looks as in `frame`, which is as the last look or wait left it.
    ///
    /// # Errors
    /// When it can no longer be seen.
    fn still_shows(&mut self, frame: &Frame, part: Rect) -> Result<bool, CaptureError> {
        let now = self.look(part)?;
        Ok(frame.crop(part).is_some_and(|then| then == now))
    }

    /// The name of what would get a press at one of `places` and is not the window, if there is such a thing: windows that no
    /// window manager knows too, like menus and pop-ups. Nothing where the system does not tell.
    fn in_front(&mut self, places: &[Px]) -> Option<String> {
        let _ = places;
        None
    }

    /// How the window stands.
    ///
    /// # Errors
    /// When the desktop does not answer.
    fn standing(&mut self) -> Result<Standing, CaptureError>;

    /// The windows of the same program that came up since this one was opened, the front-most first, each with its number and what
    /// the screen shows at its place. None where the system does not tell whose windows they are.
    ///
    /// # Errors
    /// When the desktop does not answer.
    fn came_up(&mut self) -> Result<Vec<(u32, Frame)>, CaptureError> {
        Ok(Vec::new())
    }

    /// Looks at the window with this number from now on, which [came up](Self::came_up).
    ///
    /// # Errors
    /// When it is gone.
    fn turn_to(&mut self, window: u32) -> Result<(), CaptureError> {
        let title = format!("window {window}");
        Err(CaptureError::WindowGone { title })
    }
}

/// All that `screen` shows, and where it is: once more when it moved between the two.
///
/// # Errors
/// As [`Screen::area`] and [`Screen::look`].
pub fn look_at_all(screen: &mut dyn Screen) -> Result<Frame, CaptureError> {
    for _ in 0..MOVES {
        let area = screen.area()?;
        match screen.look(area) {
            Err(error) if error.is_elsewhere() => {}
            looked => return looked,
        }
    }
    let area = screen.area()?;
    screen.look(area)
}

/// Why the screen cannot be looked at.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// There is no desktop to look at.
    #[error("cannot look at the desktop{}: is a display running, and may this program see it?",
        .display.as_ref().map(|name| format!(" (display {name})")).unwrap_or_default())]
    NoDisplay {
        /// The display's name, where the system has names for them.
        display: Option<String>,
        /// What the system said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// No window answers to the name.
    #[error("no window called '{wanted}'; open windows: {}", list(.open))]
    NoWindow {
        /// The title, application or id asked for.
        wanted: String,
        /// Titles of the windows that are open.
        open: Vec<String>,
    },
    /// Several windows answer to the name.
    #[error("{} windows fit '{wanted}': {}; choose one by its id", .found.len(), list(.found))]
    ManyWindows {
        /// The title, application or id asked for.
        wanted: String,
        /// Title and id of each.
        found: Vec<String>,
    },
    /// There are not so many monitors.
    #[error("no monitor {wanted}: there are {count}, counted from 0")]
    NoMonitor {
        /// The number asked for.
        wanted: usize,
        /// How many there are.
        count: usize,
    },
    /// The window was closed or minimised.
    #[error("the window '{title}' is gone: it was closed or minimised")]
    WindowGone {
        /// The window's title, or its application's name.
        title: String,
    },
    /// The window is not where it was; so the pixels that were copied may be none of it.
    #[error("the window '{title}' moved to {to}, or changed its size")]
    WindowMoved {
        /// The window's title, or its application's name.
        title: String,
        /// Where it is now.
        to: Rect,
    },
    /// The screen has another size; windows may be elsewhere now.
    #[error("the resolution of the screen changed: it is {to} now")]
    ScreenResized {
        /// All of the screen.
        to: Rect,
    },
    /// The wanted part of the screen is not there.
    #[error("nothing of the area {area} can be seen")]
    OutOfSight {
        /// What was to be looked at.
        area: Rect,
    },
    /// The system refused to copy the pixels.
    #[error("could not copy {area} of the screen")]
    Refused {
        /// What was to be looked at.
        area: Rect,
        /// What the system said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A picture cannot be opened.
    #[error("cannot open the picture {}", .path.display())]
    Picture {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong with it.
        #[source]
        source: image::ImageError,
    },
}

impl CaptureError {
    /// Whether it says that things are elsewhere now, and not that they cannot be seen.
    pub fn is_elsewhere(&self) -> bool {
        matches!(self, CaptureError::WindowMoved { .. } | CaptureError::ScreenResized { .. })
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
