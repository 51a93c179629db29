//! What a compositor of the wlroots family shows, see [`Compositor`].

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Instant;

use super::camera::{Camera, Cover};
use super::{MonitorInfo, WindowInfo};
use crate::capture::{CaptureError, Frame};
use crate::geometry::{Px, Rect};
use crate::input::{Owner, Place};
use crate::wayland::sway::{Listed, at, owner};
use crate::wayland::{Compositor, Refused};

/// Looks at the outputs of a compositor.
pub(crate) struct WlrootsCamera {
    compositor: Rc<RefCell<Compositor>>,
    /// The area of the frame that is followed, and the number of the change that it shows last.
    followed: Option<(Rect, u64)>,
    /// Whether the size of an output changed since that was last told.
    resized: bool,
}

impl WlrootsCamera {
    pub(crate) fn new(compositor: Rc<RefCell<Compositor>>) -> Self {
        Self { compositor, followed: None, resized: false }
    }

    /// The windows, with places in pixels; `None` where the compositor lists none.
    fn listed(&self) -> Result<Option<Vec<Listed>>, Refused> {
        listed(&mut self.compositor.borrow_mut())
    }

    fn update(&mut self, frame: &mut Frame) -> Result<Vec<Rect>, Refused> {
        let mut compositor = self.compositor.borrow_mut();
        let area = frame.area();
        let seen =
            self.followed.filter(|&(followed, _)| followed == area).map_or(0, |(_, seen)| seen);
        let (changed, seen) = compositor.update(frame, seen)?;
        self.followed = Some((area, seen));
        self.resized |= compositor.was_resized()?;
        Ok(changed)
    }
}

/// The windows, with places in pixels; `None` where the compositor lists none.
pub(crate) fn listed(compositor: &mut Compositor) -> Result<Option<Vec<Listed>>, Refused> {
    let Some(sway) = compositor.sway() else { return Ok(None) };
    let mut windows = sway.windows()?;
    for window in &mut windows {
        window.info.rect = compositor.to_pixels(window.info.rect);
    }
    Ok(Some(windows))
}

fn gone(source: Refused) -> CaptureError {
    CaptureError::NoDisplay { display: Some(Compositor::name()), source }
}

impl Camera for WlrootsCamera {
    fn monitors(&mut self) -> Result<Vec<MonitorInfo>, CaptureError> {
        let compositor = self.compositor.borrow();
        let outputs = compositor.outputs().map(|(name, area, scale)| MonitorInfo {
            name: name.to_owned(),
            area,
            scale: scale as f32,
        });
        Ok(outputs.collect())
    }

    fn windows(&mut self) -> Result<Option<Vec<WindowInfo>>, CaptureError> {
        let listed = self.listed().map_err(gone)?;
        Ok(listed.map(|windows| windows.into_iter().map(|window| window.info).collect()))
    }

    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        let mut compositor = self.compositor.borrow_mut();
        let parts = compositor.outputs().filter_map(|(_, output, _)| output.intersection(area));
        let part = parts.reduce(Rect::around).ok_or(CaptureError::OutOfSight { area })?;
        let looked = compositor.look(part);
        let (frame, seen) =
            looked.map_err(|source| CaptureError::Refused { area: part, source })?;
        self.followed = Some((part, seen));
        Ok(frame)
    }

    fn still_shows(&mut self, frame: &Frame, part: Rect) -> Result<bool, CaptureError> {
        let looked = self.compositor.borrow_mut().look(part);
        let (now, _) = looked.map_err(|source| CaptureError::Refused { area: part, source })?;
        Ok(frame.crop(part).is_some_and(|then| then == now))
    }

    fn wait(&mut self, frame: &mut Frame, deadline: Instant) -> Result<Vec<Rect>, CaptureError> {
        let area = frame.area();
        let refused = |source| CaptureError::Refused { area, source };
        loop {
            let changed = self.update(frame).map_err(refused)?;
            if !changed.is_empty() || self.resized || Instant::now() >= deadline {
                return Ok(changed);
            }
            self.compositor.borrow_mut().rest(deadline).map_err(refused)?;
        }
    }

    fn check_size(&mut self) -> Result<(), CaptureError> {
        if !std::mem::take(&mut self.resized) {
            return Ok(());
        }
        let compositor = self.compositor.borrow();
        let all = compositor.outputs().map(|(_, area, _)| area).reduce(Rect::around);
        Err(CaptureError::ScreenResized { to: all.unwrap_or(Rect::new(0, 0, 0, 0)) })
    }

    fn place(&mut self, window: u32) -> Place {
        let listed = self.listed().ok().flatten().unwrap_or_default();
        place(window, &listed)
    }

    fn cover(&mut self, window: &WindowInfo) -> Result<Option<Cover>, CaptureError> {
        let listed = self.listed().map_err(gone)?.unwrap_or_default();
        let in_front = listed.iter().take_while(|other| other.info.id != window.id);
        let mut covers = in_front.filter(|other| {
            !other.info.minimized && other.info.rect.intersection(window.rect).is_some()
        });
        Ok(covers.next().map(|cover| Cover {
            by: cover.info.name().to_owned(),
            own: cover.has_keyboard && matches!(owner(cover, window.id, &listed), Owner::Dialog(_)),
        }))
    }

    fn in_front(&mut self, window: u32, places: &[Px]) -> Option<String> {
        let listed = self.listed().ok().flatten()?;
        let mut there = places.iter().filter_map(|&place| at(place, &listed));
        there.find_map(|there| match owner(there, window, &listed) {
            Owner::Game => None,
            Owner::Dialog(name) | Owner::Other(name) => Some(name),
        })
    }
}

/// Where a window is among those that are listed.
pub(crate) fn place(window: u32, listed: &[Listed]) -> Place {
    match listed.iter().find(|other| other.info.id == window) {
        Some(found) if !found.info.minimized => Place::At(found.info.rect),
        _ => Place::Gone,
    }
}
