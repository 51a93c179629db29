//! The desktop as `xcap` shows it, on every system that has no way of its own here.

mod monitor;
mod scale;

use std::time::{Duration, Instant};

pub(crate) use scale::pixels_per_point;

use super::camera::{Camera, Cover};
use super::{MonitorInfo, WindowInfo, no_display};
use crate::capture::{CaptureError, Frame};
use crate::geometry::Rect;
use crate::input::Place;

use monitor::{Monitor, look_at};

/// How long a wait rests between two looks, so that it does not keep the game from painting.
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

/// Looks at the desktop through `xcap`, which opens a new connection for every question.
pub(crate) struct Portable {
    monitors: Vec<Monitor>,
    /// The window that is asked for most.
    attended: Option<(u32, xcap::Window)>,
    scale: u32,
}

/// A window in front of another one.
pub(super) struct InFront {
    pub window: WindowInfo,
    /// Whether it is one of the same program, as far as programs tell their process.
    pub of_same_program: bool,
    pub has_keyboard: bool,
}

impl Portable {
    /// Looks at all monitors.
    ///
    /// # Errors
    /// [`CaptureError::NoDisplay`].
    pub(crate) fn open() -> Result<Self, CaptureError> {
        Ok(Self { monitors: Monitor::all()?, attended: None, scale: pixels_per_point() })
    }

    /// The parts of the desktop that the monitors show.
    pub(super) fn areas(&self) -> impl Iterator<Item = Rect> {
        self.monitors.iter().map(|monitor| monitor.area)
    }

    /// The first window in front of `window` that covers any of it.
    pub(super) fn first_in_front(
        &self,
        window: &WindowInfo,
    ) -> Result<Option<InFront>, CaptureError> {
        let windows = xcap::Window::all().map_err(no_display)?;
        let is_it = |other: &xcap::Window| other.id().ok() == Some(window.id);
        let itself = windows.iter().find(|other| is_it(other));
        for other in windows.iter().take_while(|other| !is_it(other)) {
            let Some(rect) = self.rect_of(other) else {
                continue;
            };
            if rect.intersection(window.rect).is_none() {
                continue;
            }
            let info = describe(other, rect);
            if !is_furniture(&info) && self.is_drawn(other, rect) {
                let pids = (itself.and_then(|itself| itself.pid().ok()), other.pid().ok());
                let of_same_program = match pids {
                    (Some(own), Some(other)) => own == other,
                    _ => !info.app.is_empty() && info.app == window.app,
                };
                // Where that cannot be told, it may.
                let has_keyboard = other.is_focused().unwrap_or(true);
                return Ok(Some(InFront { window: info, of_same_program, has_keyboard }));
            }
        }
        Ok(None)
    }

    /// Whether a listed window is drawn. A window on another workspace is listed with its place as if it
    /// were here; X11 refuses to copy it. It also refuses a window that is partly off the monitors,
    /// which says nothing.
    fn is_drawn(&self, window: &xcap::Window, rect: Rect) -> bool {
        if window.is_minimized().unwrap_or(false) {
            return false;
        }
        let whole = self.areas().any(|monitor| monitor.encloses(rect));
        !whole || window.capture_image().is_ok()
    }

    fn rect_of(&self, window: &xcap::Window) -> Option<Rect> {
        rect_of(window, self.scale)
    }
}

impl Camera for Portable {
    fn monitors(&mut self) -> Result<Vec<MonitorInfo>, CaptureError> {
        Ok(self.monitors.iter().map(Monitor::info).collect())
    }

    /// On X11 they come from the window manager: without one the list is empty.
    fn windows(&mut self) -> Result<Option<Vec<WindowInfo>>, CaptureError> {
        let windows = match xcap::Window::all() {
            Ok(windows) => windows,
            Err(error) => {
                log::debug!("no list of windows: {error}");
                return Ok(None);
            }
        };
        // One that is closed while it is described is left out.
        let described = windows.iter().filter_map(|window| {
            let minimized = window.is_minimized().unwrap_or(false);
            Some(WindowInfo { minimized, ..describe(window, self.rect_of(window)?) })
        });
        Ok(Some(described.collect()))
    }

    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        look_at(&self.monitors, area)
    }

    fn wait(&mut self, frame: &mut Frame, deadline: Instant) -> Result<Vec<Rect>, CaptureError> {
        loop {
            let changed = frame.become_like(&look_at(&self.monitors, frame.area())?);
            let left = deadline.saturating_duration_since(Instant::now());
            if !changed.is_empty() || left.is_zero() {
                return Ok(changed);
            }
            std::thread::sleep(left.min(BETWEEN_LOOKS));
        }
    }

    fn attend(&mut self, window: u32) {
        self.attended = window_of(window).map(|found| (window, found));
    }

    fn place(&mut self, window: u32) -> Place {
        match &self.attended {
            Some((id, attended)) if *id == window => place_of(attended, self.scale),
            _ => place(window),
        }
    }

    fn program_of(&mut self, window: u32) -> Option<u32> {
        window_of(window)?.pid().ok()
    }

    fn cover(&mut self, window: &WindowInfo) -> Result<Option<Cover>, CaptureError> {
        let found = self.first_in_front(window)?;
        Ok(found.map(|found| Cover {
            own: found.of_same_program && found.has_keyboard,
            by: found.window.name().to_owned(),
        }))
    }
}

/// Where the window `id` is.
pub(crate) fn place(id: u32) -> Place {
    window_of(id).map_or(Place::Gone, |window| place_of(&window, pixels_per_point()))
}

fn place_of(window: &xcap::Window, scale: u32) -> Place {
    match rect_of(window, scale) {
        Some(rect) if !window.is_minimized().unwrap_or(false) => Place::At(rect),
        _ => Place::Gone,
    }
}

/// Where a window is, minimised or not; `None` when it is closed.
fn rect_of(window: &xcap::Window, scale: u32) -> Option<Rect> {
    let told =
        Rect::new(window.x().ok()?, window.y().ok()?, window.width().ok()?, window.height().ok()?);
    Some(scale::to_pixels(told, scale))
}

/// Whether what is typed goes to the window `id`; `None` where that cannot be told.
pub(crate) fn has_keyboard(id: u32) -> Option<bool> {
    window_of(id)?.is_focused().ok()
}

fn window_of(id: u32) -> Option<xcap::Window> {
    let mut windows = xcap::Window::all().ok()?.into_iter();
    windows.find(|window| window.id().ok() == Some(id))
}

fn describe(window: &xcap::Window, rect: Rect) -> WindowInfo {
    // Some windows have no title or do not say their application: no reason not to list them.
    let clean = |text: String| text.trim_matches(['\0', ' ']).to_owned();
    WindowInfo {
        id: window.id().unwrap_or(0),
        title: window.title().map(clean).unwrap_or_default(),
        app: window.app_name().map(clean).unwrap_or_default(),
        rect,
        minimized: false,
    }
}

/// Whether a window is a part of the desktop rather than something on it: macOS lists its dock and its bars as windows as
/// large as the screen.
fn is_furniture(window: &WindowInfo) -> bool {
    cfg!(target_os = "macos")
        && ["Dock", "Window Server", "Control Center"].contains(&window.app.as_str())
}
