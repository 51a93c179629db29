//! One window of the desktop as a [`Screen`].

use std::time::Instant;

use super::camera::Camera;
use super::{WindowInfo, choose, listed, rect_of};
use crate::capture::{CaptureError, Frame, Screen, Standing};
use crate::geometry::{Px, Rect};
use crate::input::Place;

/// A window, looked at as a person does: see the [module](super) for what that means.
pub struct WindowScreen {
    window: xcap::Window,
    info: WindowInfo,
    camera: Camera,
    scale: u32,
    /// Whether the window was there, with nothing in front, and no window has changed since.
    undisturbed: bool,
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
        let mut camera = Camera::open()?;
        let scale = super::scale::pixels_per_point();
        let mut open = listed(scale);
        let infos: Vec<_> = open.iter().map(|(_, info)| info.clone()).collect();
        let (window, info) = open.swap_remove(choose(wanted, &infos)?);
        camera.attend(info.id);
        let screen = Self { window, info, camera, scale, undisturbed: false };
        if screen.info.minimized {
            return Err(screen.gone());
        }
        Ok(screen)
    }

    /// The window as it was when it was opened, or when [`Screen::area`] was last asked.
    pub fn info(&self) -> &WindowInfo {
        &self.info
    }

    pub(super) fn gone(&self) -> CaptureError {
        CaptureError::WindowGone { title: self.info.name().to_owned() }
    }

    /// Where the window is now; `None` when it is closed or minimised.
    pub(super) fn place(&mut self) -> Option<Rect> {
        match self.camera.place(self.info.id) {
            Some(Place::At(rect)) => Some(rect),
            Some(Place::Gone) => None,
            None => {
                let rect = rect_of(&self.window, self.scale)?;
                (!self.window.is_minimized().unwrap_or(false)).then_some(rect)
            }
        }
    }

    /// Whether all of it can be seen now: on one monitor, with nothing in front.
    pub(super) fn is_in_sight(&mut self) -> Result<bool, CaptureError> {
        let area = self.area()?;
        let whole = self.camera.monitors().iter().any(|monitor| monitor.area.encloses(area));
        Ok(whole && self.standing()? == Standing::There)
    }

    /// Whether the window still is as it was when it was found to be there with nothing in front.
    fn is_undisturbed(&mut self) -> bool {
        // Taken note of before anything is asked: what changes after that counts for the next time.
        self.undisturbed &= !self.camera.windows_changed();
        self.undisturbed
    }

    /// Makes sure that the window was where it is taken to be when pixels were copied just now: it was, if it still is.
    fn check_there(&mut self) -> Result<(), CaptureError> {
        self.camera.check_size()?;
        if self.is_undisturbed() {
            return Ok(());
        }
        match self.place() {
            None => Err(self.gone()),
            Some(to) if to != self.info.rect => {
                Err(CaptureError::WindowMoved { title: self.info.name().to_owned(), to })
            }
            Some(_) => Ok(()),
        }
    }

    fn ask_standing(&mut self) -> Result<Standing, CaptureError> {
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
                let own = self.is_of_same_program(window, &info)
                    || self.camera.is_dialog_of(info.id, self.info.id) == Some(true);
                let own = own && has_keyboard(window);
                return Ok(Standing::Covered { by: info.name().to_owned(), own });
            }
        }
        Ok(Standing::There)
    }

    /// Whether another window is of the program that this one is of: by its process, or by its name where a program does
    /// not tell its process.
    fn is_of_same_program(&self, other: &xcap::Window, info: &WindowInfo) -> bool {
        match (self.window.pid(), other.pid()) {
            (Ok(own), Ok(other)) => own == other,
            _ => !info.app.is_empty() && info.app == self.info.app,
        }
    }

    /// Whether a listed window is drawn. A window on another workspace is listed with its place as if it
    /// were here; X11 refuses to copy it. It also refuses a window that is partly off the monitors,
    /// which says nothing.
    fn is_drawn(&self, window: &xcap::Window, rect: Rect) -> bool {
        if window.is_minimized().unwrap_or(false) {
            return false;
        }
        let whole = self.camera.monitors().iter().any(|monitor| monitor.area.encloses(rect));
        !whole || window.capture_image().is_ok()
    }
}

/// Whether what is typed goes to a window; where that cannot be told, it may.
fn has_keyboard(window: &xcap::Window) -> bool {
    window.is_focused().unwrap_or(true)
}

impl Screen for WindowScreen {
    fn area(&mut self) -> Result<Rect, CaptureError> {
        self.info.rect = self.place().ok_or_else(|| self.gone())?;
        Ok(self.info.rect)
    }

    /// Copies the part of `area` that lies in the window, where [`Screen::area`] last said it was.
    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        let part = area.intersection(self.info.rect).ok_or(CaptureError::OutOfSight { area })?;
        let frame = self.camera.look(part);
        self.check_there()?;
        frame
    }

    fn wait(&mut self, frame: &mut Frame, deadline: Instant) -> Result<Vec<Rect>, CaptureError> {
        let changed = self.camera.wait(frame, deadline);
        self.check_there()?;
        changed
    }

    fn still_shows(&mut self, frame: &Frame, part: Rect) -> Result<bool, CaptureError> {
        let same = self.camera.still_shows(frame, part);
        self.check_there()?;
        same
    }

    fn in_front(&mut self, places: &[Px]) -> Option<String> {
        self.camera.in_front(self.info.id, places)
    }

    /// How the window stands, against what [`Screen::area`] last said. A window that was moved is said to
    /// be moved, whether or not it is covered too.
    fn standing(&mut self) -> Result<Standing, CaptureError> {
        if !self.is_undisturbed() {
            let standing = self.ask_standing()?;
            self.undisturbed = standing == Standing::There;
            return Ok(standing);
        }
        Ok(Standing::There)
    }
}
