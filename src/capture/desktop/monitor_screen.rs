//! A whole monitor as a screen.

use std::time::Instant;

use super::camera::Camera;
use crate::capture::{CaptureError, Frame, Screen, Standing};
use crate::geometry::Rect;

/// A whole monitor, for a desktop without a window manager (which then has no list of windows) or for a
/// game whose window is not known by name.
pub struct MonitorScreen {
    area: Rect,
    camera: Box<dyn Camera>,
}

impl MonitorScreen {
    /// The monitor with the number `n`, counted from 0 in the system's order.
    ///
    /// # Errors
    /// [`CaptureError::NoMonitor`] when there are not as many.
    pub(crate) fn new(mut camera: Box<dyn Camera>, n: usize) -> Result<Self, CaptureError> {
        let monitors = camera.monitors()?;
        let no_monitor = CaptureError::NoMonitor { wanted: n, count: monitors.len() };
        let area = monitors.get(n).ok_or(no_monitor)?.area;
        Ok(Self { area, camera })
    }
}

impl Screen for MonitorScreen {
    fn area(&mut self) -> Result<Rect, CaptureError> {
        // Of those that there are now, the one that is still where this was.
        let monitors = self.camera.monitors()?;
        let still = monitors.iter().find(|now| now.area.intersection(self.area).is_some());
        self.area = still.or(monitors.first()).map_or(self.area, |monitor| monitor.area);
        Ok(self.area)
    }

    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        let part = area.intersection(self.area).ok_or(CaptureError::OutOfSight { area })?;
        let frame = self.camera.look(part);
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
