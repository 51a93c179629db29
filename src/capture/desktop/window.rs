//! One window of the desktop as a [`Screen`].

use std::time::Instant;

use super::monitor::{Monitor, look_at};
use super::{WindowInfo, choose, listed, rect_of, wait_for_change};
use crate::capture::{CaptureError, Frame, Screen, Standing};
use crate::geometry::Rect;

/// A window, looked at as a person does: see the [module](super) for what that means.
pub struct WindowScreen {
    window: xcap::Window,
    info: WindowInfo,
    monitors: Vec<Monitor>,
    scale: u32,
}

impl WindowScreen {
    /// Opens the window whose title, application or id is `wanted`.
    ///
    /// Upper and lower case are the same. An id (decimal, or hexadecimal after `0x`) comes first, then a
    /// whole title or application name, then a part of one. A minimised window is taken only where no
    /// other fits.
    ///
    /// # Errors
    /// [`CaptureError::NoDisplay`]; [`CaptureError::NoWindow`] when none fits;
    /// [`CaptureError::ManyWindows`] when several do; [`CaptureError::WindowGone`] when it is minimised.
    pub fn open(wanted: &str) -> Result<Self, CaptureError> {
        let monitors = Monitor::all()?;
        let scale = super::scale::pixels_per_point();
        let mut open = listed(scale);
        let infos: Vec<_> = open.iter().map(|(_, info)| info.clone()).collect();
        let (window, info) = open.swap_remove(choose(wanted, &infos)?);
        let screen = Self { window, info, monitors, scale };
        if screen.info.minimized {
            return Err(screen.gone());
        }
        Ok(screen)
    }

    /// The window as it was when it was opened, or when [`Screen::area`] was last asked.
    pub fn info(&self) -> &WindowInfo {
        &self.info
    }

    fn gone(&self) -> CaptureError {
        CaptureError::WindowGone { title: self.info.name().to_owned() }
    }

    /// Where the window is now; `None` when it is closed or minimised.
    fn place(&self) -> Option<Rect> {
        let rect = rect_of(&self.window, self.scale)?;
        (!self.window.is_minimized().unwrap_or(false)).then_some(rect)
    }

    /// Whether a listed window is drawn. A window on another workspace is listed with its place as if it
    /// were here; X11 refuses to copy it. It also refuses a window that is partly off the monitors,
    /// which says nothing.
    fn is_drawn(&self, window: &xcap::Window, rect: Rect) -> bool {
        if window.is_minimized().unwrap_or(false) {
            return false;
        }
        let whole = self.monitors.iter().any(|monitor| monitor.area.encloses(rect));
        !whole || window.capture_image().is_ok()
    }
}

impl Screen for WindowScreen {
    fn area(&mut self) -> Result<Rect, CaptureError> {
        self.info.rect = self.place().ok_or_else(|| self.gone())?;
        Ok(self.info.rect)
    }

    /// Copies the part of `area` that lies in the window, where [`Screen::area`] last said it was.
    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        let part = area.intersection(self.info.rect).ok_or(CaptureError::OutOfSight { area })?;
        let frame = look_at(&self.monitors, part);
        // After the copy: a window that is there now was there when the pixels were taken. The width is
        // the cheapest question that a closed window does not answer.
        if self.window.width().is_err() || self.window.is_minimized().unwrap_or(false) {
            return Err(self.gone());
        }
        frame
    }

    fn wait(&mut self, before: &Frame, deadline: Instant) -> Result<Option<Frame>, CaptureError> {
        wait_for_change(self, before, deadline)
    }

    /// How the window stands, against what [`Screen::area`] last said. A window that was moved is said to
    /// be moved, whether or not it is covered too.
    fn standing(&mut self) -> Result<Standing, CaptureError> {
        let Some(rect) = self.place() else {
            return Ok(Standing::Gone);
        };
        if rect != self.info.rect {
            return Ok(Standing::Moved(rect));
        }
        let windows = xcap::Window::all().map_err(super::no_display)?;
        let in_front = windows.iter().take_while(|window| window.id().ok() != Some(self.info.id));
        for window in in_front {
            let Some(other) = rect_of(window, self.scale) else {
                continue;
            };
            if other.intersection(rect).is_none() {
                continue;
            }
            let info = WindowInfo::of(window, other);
            if !info.is_furniture() && self.is_drawn(window, other) {
                return Ok(Standing::Covered { by: info.name().to_owned() });
            }
        }
        Ok(Standing::There)
    }
}
