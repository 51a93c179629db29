//! A whole monitor as a screen.

use std::time::Instant;

use super::camera::Camera;
use super::monitor::Monitor;
use crate::capture::{CaptureError, Frame, Screen, Standing};
use crate::geometry::Rect;

/// A whole monitor, for a desktop without a window manager (which then has no list of windows) or for a
/// game whose window is not known by name.
pub struct MonitorScreen {
    area: Rect,
    camera: Camera,
}

impl MonitorScreen {
    /// A screen for every monitor, in the system's order.
    ///
    /// # Errors
    /// [`CaptureError::NoDisplay`].
    pub fn all() -> Result<Vec<Self>, CaptureError> {
        let monitors = Monitor::all()?;
        let screen = |monitor: Monitor| Self { area: monitor.area, camera: Camera::of(monitor) };
        Ok(monitors.into_iter().map(screen).collect())
    }

    /// The monitor with the number `n`, counted from 0 in the system's order.
    ///
    /// # Errors
    /// [`CaptureError::NoDisplay`], or [`CaptureError::NoMonitor`] when there are not as many.
    pub fn open(n: usize) -> Result<Self, CaptureError> {
        let mut all = Self::all()?;
        if n < all.len() {
            Ok(all.swap_remove(n))
        } else {
            Err(CaptureError::NoMonitor { wanted: n, count: all.len() })
        }
    }
}

impl Screen for MonitorScreen {
    fn area(&mut self) -> Result<Rect, CaptureError> {
        // Of those that there are now, the one that is still where this was.
        let areas = || self.camera.monitors().iter().map(|monitor| monitor.area);
        let still = areas().find(|area| area.intersection(self.area).is_some());
        self.area = still.or(areas().next()).unwrap_or(self.area);
        Ok(self.area)
    }

    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        let frame = self.camera.look(area);
        self.camera.check_size()?;
        frame
    }

    fn wait(&mut self, frame: &mut Frame, deadline: Instant) -> Result<Vec<Rect>, CaptureError> {
        let changed = self.camera.wait(frame, deadline);
        self.camera.check_size()?;
        changed
    }

    fn still_shows(&mut self, frame: &Frame, part: Rect) -> Result<bool, CaptureError> {
        self.camera.still_shows(frame, part)
    }

    /// A monitor has nothing in front of it and does not move; one that was unplugged shows in
    /// [`Screen::look`].
    fn standing(&mut self) -> Result<Standing, CaptureError> {
        Ok(Standing::There)
    }
}
