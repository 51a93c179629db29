//! What the monitors show that a person shares through the desktop's portal, see [`Portal`].

use std::sync::Arc;
use std::time::Instant;

use super::camera::{Camera, Cover};
use super::{MonitorInfo, WindowInfo, no_display};
use crate::capture::{CaptureError, Frame};
use crate::geometry::Rect;
use crate::input::Place;
use crate::portal::{Portal, Refused};

/// Looks at the monitors of a portal, which knows of no windows.
pub(crate) struct PortalCamera {
    portal: Arc<Portal>,
    /// The number of the picture that was compared last.
    seen: u64,
    /// The monitors as they were when that was last told.
    areas: Vec<Rect>,
}

impl PortalCamera {
    pub(crate) fn new(portal: Arc<Portal>) -> Self {
        let areas = areas(&portal);
        Self { portal, seen: 0, areas }
    }

    /// Brings `frame` up to date with the newest picture of this monitor, and returns what differs.
    fn update(&mut self, monitor: usize, frame: &mut Frame) -> Result<Vec<Rect>, CaptureError> {
        let area = frame.area();
        let newest = self.portal.newest(monitor);
        let mut changed = Vec::new();
        if newest == self.seen {
            return Ok(changed);
        }
        let damage = self.portal.damage_since(monitor, self.seen).unwrap_or_else(|| vec![area]);
        for part in damage.into_iter().filter_map(|part| part.intersection(area)) {
            let now = self.portal.copy(part).ok_or(CaptureError::OutOfSight { area: part })?;
            let mut rows = now.pixels.as_raw().chunks_exact(3 * part.width as usize);
            frame.update(part, &mut changed, |line| {
                line.copy_from_slice(rows.next().unwrap_or_default());
            });
        }
        self.seen = newest;
        Ok(changed)
    }
}

fn areas(portal: &Portal) -> Vec<Rect> {
    portal.monitors().into_iter().map(|monitor| monitor.area).collect()
}

fn gone(error: Refused) -> CaptureError {
    no_display(error)
}

impl Camera for PortalCamera {
    fn monitors(&mut self) -> Result<Vec<MonitorInfo>, CaptureError> {
        let monitors = self.portal.monitors().into_iter().enumerate();
        let told = monitors.map(|(index, monitor)| MonitorInfo {
            name: format!("shared monitor {index}"),
            area: monitor.area,
            scale: monitor.scale().0 as f32,
        });
        Ok(told.collect())
    }

    fn windows(&mut self) -> Result<Option<Vec<WindowInfo>>, CaptureError> {
        Ok(None)
    }

    /// Of the first monitor that shows any of `area`.
    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        let out_of_sight = CaptureError::OutOfSight { area };
        let part = areas(&self.portal).into_iter().find_map(|monitor| monitor.intersection(area));
        part.and_then(|part| self.portal.copy(part)).ok_or(out_of_sight)
    }

    fn wait(&mut self, frame: &mut Frame, deadline: Instant) -> Result<Vec<Rect>, CaptureError> {
        let area = frame.area();
        let monitor = areas(&self.portal).iter().position(|monitor| monitor.encloses(area));
        let monitor = monitor.ok_or(CaptureError::OutOfSight { area })?;
        loop {
            let changed = self.update(monitor, frame)?;
            if !changed.is_empty() || Instant::now() >= deadline {
                return Ok(changed);
            }
            self.portal.wait_newer(monitor, self.seen, deadline).map_err(gone)?;
        }
    }

    fn check_size(&mut self) -> Result<(), CaptureError> {
        let now = areas(&self.portal);
        if now == self.areas {
            return Ok(());
        }
        self.areas = now;
        let all = self.areas.iter().copied().reduce(Rect::around);
        Err(CaptureError::ScreenResized { to: all.unwrap_or(Rect::new(0, 0, 0, 0)) })
    }

    fn place(&mut self, _: u32) -> Place {
        Place::Gone
    }

    fn cover(&mut self, _: &WindowInfo) -> Result<Option<Cover>, CaptureError> {
        Ok(None)
    }
}
