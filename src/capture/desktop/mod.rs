//! The real desktop as a screen.
//!
//! A [`Session`](crate::desktop::Session) opens [`WindowScreen`]s, which look at one window, and [`MonitorScreen`]s, which
//! look at a whole monitor. Both look through a camera (`camera.rs`), of which there is one for each kind of desktop: `x11`,
//! `windows` and others, and `portable` for what is left. All places are physical pixels of the desktop, on every system.
//!
//! # What a look shows
//! What a person would see there: the pixels of the monitor, not those of the window. The system would
//! also hand out a window's own picture, but not the same thing everywhere: without a compositor its
//! covered part is black, with one (and on Windows and macOS) it is the window as if nothing were in
//! front, so that a board behind a dialog would look playable. Copied from the monitor, a dialog is a
//! dialog. It also costs less than the whole window when only a few cells are asked for.
//!
//! Who only reads has no such danger. For them an X server is asked for the own picture of a window that is covered or
//! partly off the monitors.
//!
//! # What it costs
//! Where there is an X server that shares memory and tells what is painted (`x11/connection.rs`), one connection to it stays
//! open: a wait ends when something was painted, only what was painted is copied, and nothing is asked of the windows
//! as long as the server says that none of them changed. Elsewhere, and where that fails, everything goes through
//! `xcap`, which opens a new connection for every question. Medians on Xvfb for a window of 490x313 pixels then: a
//! look at all of it 2.6 ms, at one cell 1.1 ms; [`Screen::standing`](super::Screen::standing) 0.5 ms with no window
//! in front, and 0.2 ms more for each that is; [`Screen::area`](super::Screen::area) 0.4 ms. Under Wayland pictures come when
//! something changed; Windows copies the area that is looked at.
//!
//! # What it cannot see
//! A frame around another window (X11 lists windows without theirs), menus and tooltips are no windows of
//! the list: they do not count as covering, but they show in the picture. A window on another workspace
//! is listed as if it were here.

pub(crate) mod camera;
mod monitor_screen;
#[cfg(not(windows))]
pub(crate) mod portable;
#[cfg(target_os = "linux")]
pub(crate) mod portal;
mod server;
mod window_screen;
#[cfg(windows)]
pub(crate) mod windows;
#[cfg(target_os = "linux")]
pub(crate) mod wlroots;
#[cfg(target_os = "linux")]
pub(crate) mod x11;

use std::fmt;

pub use monitor_screen::MonitorScreen;
pub use server::XServer;
pub use window_screen::WindowScreen;

use super::CaptureError;
use crate::geometry::Rect;

/// A window as the desktop lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WindowInfo {
    /// The system's number for it.
    pub id: u32,
    /// Its title; empty where it has none.
    pub title: String,
    /// Its application's name; empty where it has none.
    pub app: String,
    /// The part of the screen it takes. On X11 without its frame, elsewhere with it.
    pub rect: Rect,
    /// Whether it is minimised.
    pub minimized: bool,
}

impl WindowInfo {
    /// The title, or the application's name where there is no title.
    pub fn name(&self) -> &str {
        match (self.title.as_str(), self.app.as_str()) {
            ("", "") => "a window without a name",
            ("", app) => app,
            (title, _) => title,
        }
    }

    /// The names by which it is known: its application's and its title, as far as it has them.
    pub fn names(&self) -> Vec<String> {
        let mut names = vec![self.app.clone(), self.title.clone()];
        names.retain(|name| !name.is_empty());
        names.dedup();
        names
    }
}

impl fmt::Display for WindowInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (id {})", self.name(), self.id)
    }
}

/// A monitor as the desktop lists it.
#[derive(Clone, PartialEq, Debug)]
pub struct MonitorInfo {
    /// Its name; empty where it has none.
    pub name: String,
    /// The part of the desktop it shows, in physical pixels.
    pub area: Rect,
    /// How much larger than usual programs are asked to draw on it; 1 where nothing is said.
    pub scale: f32,
}

/// Whether this is a Wayland desktop, as its session tells in the environment. An X server is then a guest that shows its
/// own windows only.
pub fn is_wayland() -> bool {
    std::env::var_os("WAYLAND_DISPLAY").is_some_and(|name| !name.is_empty())
        || std::env::var("XDG_SESSION_TYPE").is_ok_and(|kind| kind == "wayland")
}

/// The index of the window that is called `wanted`.
fn choose(wanted: &str, open: &[WindowInfo]) -> Result<usize, CaptureError> {
    let name = wanted.trim().to_lowercase();
    let id = match name.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => name.parse().ok(),
    };
    let letters: Vec<char> = name.chars().collect();
    let names = |info: &WindowInfo| -> [Vec<char>; 2] {
        [&info.title, &info.app].map(|text| text.to_lowercase().chars().collect())
    };
    let fits: [&dyn Fn(&WindowInfo) -> bool; 3] = [
        &|info| Some(info.id) == id,
        &|info| names(info).iter().any(|text| alike(text, &letters)),
        &|info| {
            let part =
                |text: &Vec<char>| text.windows(letters.len()).any(|part| alike(part, &letters));
            names(info).iter().any(part)
        },
    ];
    let mut found = Vec::new();
    if !name.is_empty() {
        for fit in fits {
            found = (0..open.len()).filter(|&n| fit(&open[n])).collect();
            if !found.is_empty() {
                break;
            }
        }
    }
    if found.iter().any(|&n| !open[n].minimized) {
        found.retain(|&n| !open[n].minimized);
    }
    match found[..] {
        [one] => Ok(one),
        [] => Err(CaptureError::NoWindow {
            wanted: wanted.to_owned(),
            open: open.iter().map(|info| info.name().to_owned()).collect(),
        }),
        _ => Err(CaptureError::ManyWindows {
            wanted: wanted.to_owned(),
            found: found.iter().map(|&n| open[n].to_string()).collect(),
        }),
    }
}

/// Whether two names are the same, as far as the listed one could be decoded: xdemineur calls itself
/// `XD\u{e9}mineur` in Latin-1, which arrives with a replacement character that may stand for any letter.
fn alike(listed: &[char], wanted: &[char]) -> bool {
    let same = |(&listed, &wanted): (&char, &char)| {
        listed == wanted || listed == char::REPLACEMENT_CHARACTER
    };
    listed.len() == wanted.len() && listed.iter().zip(wanted).all(same)
}

/// The name of the display, on systems that have names for them.
fn display_name() -> Option<String> {
    let name = std::env::var_os("DISPLAY")?;
    (!name.is_empty()).then(|| name.to_string_lossy().into_owned())
}

/// Makes sure that the display has a name, on systems where it needs one.
pub(crate) fn check_named() -> Result<(), CaptureError> {
    if cfg!(all(unix, not(target_os = "macos"))) && display_name().is_none() {
        return Err(no_display("the variable DISPLAY is not set"));
    }
    Ok(())
}

pub(crate) fn no_display(
    source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> CaptureError {
    CaptureError::NoDisplay { display: display_name(), source: source.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(id: u32, title: &str, app: &str) -> WindowInfo {
        WindowInfo {
            id,
            title: title.to_owned(),
            app: app.to_owned(),
            rect: Rect::new(0, 0, 10, 10),
            minimized: false,
        }
    }

    #[test]
    fn a_whole_name_wins_over_a_part_and_an_id_over_both() {
        let open = [
            window(7, "Mines - help", "yelp"),
            window(8, "Mines", "kmines"),
            window(9, "7", "editor"),
        ];
        let chosen = |wanted| choose(wanted, &open).ok();
        assert_eq!(chosen("mines"), Some(1));
        assert_eq!(chosen("KMines"), Some(1));
        assert_eq!(chosen("help"), Some(0));
        assert_eq!(chosen("7"), Some(0));
        assert_eq!(chosen("0x9"), Some(2));
        assert_eq!(chosen(""), None);
        assert!(choose("xdemineur", &[window(1, "", "XD\u{fffd}mineur")]).is_ok());
        assert_eq!(chosen("min"), None, "two windows have it in their names");
    }

    #[test]
    fn a_minimised_window_makes_way_for_an_open_one() {
        let mut open = [window(1, "Mines", ""), window(2, "Mines", "")];
        open[0].minimized = true;
        assert_eq!(choose("mines", &open).ok(), Some(1));
        open[1].minimized = true;
        assert!(choose("mines", &open).is_err());
    }
}
