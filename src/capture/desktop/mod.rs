//! The real desktop as a screen.
//!
//! [`windows`] lists what is open, [`WindowScreen`] looks at one window and [`MonitorScreen`] at a whole
//! monitor; [`open_to_read`] looks at a window that is not to be clicked. All places are physical pixels of the
//! desktop, on every system.
//!
//! # What a look shows
//! What a person would see there: the pixels of the monitor, not those of the window. The system would
//! also hand out a window's own picture, but not the same thing everywhere: without a compositor its
//! covered part is black, with one (and on Windows and macOS) it is the window as if nothing were in
//! front, so that a board behind a dialog would look playable. Copied from the monitor, a dialog is a
//! dialog. It also costs less than the whole window when only a few cells are asked for.
//!
//! Who only reads has no such danger. For them [`open_to_read`] asks an X server for the own picture of a window that is
//! covered or partly off the monitors.
//!
//! # What it costs
//! Where there is an X server that shares memory and tells what is painted (`x11.rs`), one connection to it stays
//! open: a wait ends when something was painted, only what was painted is copied, and nothing is asked of the windows
//! as long as the server says that none of them changed. Elsewhere, and where that fails, everything goes through
//! `xcap`, which opens a new connection for every question. Medians on Xvfb for a window of 490x313 pixels then: a
//! look at all of it 2.6 ms, at one cell 1.1 ms; [`Screen::standing`](super::Screen::standing) 0.5 ms with no window
//! in front, and 0.2 ms more for each that is; [`Screen::area`](super::Screen::area) 0.4 ms. On Wayland a look goes
//! through the desktop's portal and takes far longer, and only the windows of XWayland are listed.
//!
//! # What it cannot see
//! A frame around another window (X11 lists windows without theirs), menus and tooltips are no windows of
//! the list: they do not count as covering, but they show in the picture. A window on another workspace
//! is listed as if it were here.

mod camera;
mod composite;
mod monitor;
mod monitor_screen;
mod scale;
mod server;
mod window;
#[cfg(target_os = "linux")]
mod x11;
#[cfg(not(target_os = "linux"))]
#[path = "no_x11.rs"]
mod x11;

use std::fmt;

pub use camera::direct_look;
pub use composite::open_to_read;
pub use monitor::MonitorInfo;
pub use monitor_screen::MonitorScreen;
pub(crate) use scale::{ask_for_pixels, pixels_per_point};
pub use server::XServer;
pub use window::WindowScreen;

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

    fn of(window: &xcap::Window, rect: Rect) -> Self {
        // Some windows have no title or do not say their application: no reason not to list them.
        let clean = |text: String| text.trim_matches(['\0', ' ']).to_owned();
        let id = window.id().unwrap_or(0);
        let title = window.title().ok().filter(|title| !title.is_empty());
        Self {
            id,
            title: title.or_else(|| x11::plain_title(id)).map(clean).unwrap_or_default(),
            app: window.app_name().map(clean).unwrap_or_default(),
            rect,
            minimized: false,
        }
    }

    /// Whether the window is a part of the desktop rather than something on it: macOS lists its dock and
    /// its bars as windows as large as the screen.
    fn is_furniture(&self) -> bool {
        cfg!(target_os = "macos")
            && ["Dock", "Window Server", "Control Center"].contains(&self.app.as_str())
    }
}

impl fmt::Display for WindowInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (id {})", self.name(), self.id)
    }
}

/// The open windows, the front-most first.
///
/// On X11 they come from the window manager: without one the list is empty, and a [`MonitorScreen`] is
/// the way to look.
///
/// # Errors
/// [`CaptureError::NoDisplay`].
pub fn windows() -> Result<Vec<WindowInfo>, CaptureError> {
    monitor::Monitor::all()?;
    let listed = listed(pixels_per_point());
    Ok(listed.into_iter().map(|(_, info)| info).collect())
}

/// The monitors, in the system's order: never none.
///
/// # Errors
/// [`CaptureError::NoDisplay`].
pub fn monitors() -> Result<Vec<MonitorInfo>, CaptureError> {
    Ok(monitor::Monitor::all()?.iter().map(monitor::Monitor::info).collect())
}

/// Whether this is a Wayland desktop, as its session tells in the environment. An X server is then a guest that shows its
/// own windows only.
pub fn is_wayland() -> bool {
    std::env::var_os("WAYLAND_DISPLAY").is_some_and(|name| !name.is_empty())
        || std::env::var("XDG_SESSION_TYPE").is_ok_and(|kind| kind == "wayland")
}

/// The open windows with their descriptions. A window that is closed while it is described is left out.
fn listed(scale: u32) -> Vec<(xcap::Window, WindowInfo)> {
    let windows = xcap::Window::all().unwrap_or_else(|error| {
        log::debug!("no list of windows: {error}");
        Vec::new()
    });
    let described = windows.into_iter().filter_map(|window| {
        let mut info = WindowInfo::of(&window, rect_of(&window, scale)?);
        info.minimized = window.is_minimized().unwrap_or(false);
        Some((window, info))
    });
    described.collect()
}

/// Where the window `id` is, on the long way; `None` when it is closed or minimised.
pub(crate) fn place_of(id: u32) -> Option<Rect> {
    let window = window_of(id)?;
    rect_of(&window, pixels_per_point()).filter(|_| !window.is_minimized().unwrap_or(false))
}

/// Whether what is typed goes to the window `id`; `None` where that cannot be told.
pub(crate) fn has_keyboard(id: u32) -> Option<bool> {
    window_of(id)?.is_focused().ok()
}

fn window_of(id: u32) -> Option<xcap::Window> {
    let mut windows = xcap::Window::all().ok()?.into_iter();
    windows.find(|window| window.id().ok() == Some(id))
}

/// Where a window is; `None` when it is closed.
fn rect_of(window: &xcap::Window, scale: u32) -> Option<Rect> {
    let told =
        Rect::new(window.x().ok()?, window.y().ok()?, window.width().ok()?, window.height().ok()?);
    Some(scale::to_pixels(told, scale))
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
fn check_named() -> Result<(), CaptureError> {
    if cfg!(all(unix, not(target_os = "macos"))) && display_name().is_none() {
        return Err(no_display("the variable DISPLAY is not set"));
    }
    Ok(())
}

fn no_display(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> CaptureError {
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
