//! One window of the desktop as a [`Screen`].

use std::time::Instant;

use super::camera::{Camera, Cover};
use super::{WindowInfo, choose};
use crate::capture::{CaptureError, Frame, Screen, Standing};
use crate::geometry::{Px, Rect};
use crate::input::Place;

/// A window, looked at as a person does: see the [module](super) for what that means.
pub struct WindowScreen {
    info: WindowInfo,
    camera: Box<dyn Camera>,
    /// The program that has it, as far as the system tells.
    program: Option<u32>,
    /// The windows that were open when it was, and those that were looked at since.
    known: Vec<u32>,
    /// Whether the window was there, with nothing in front, and no window has changed since.
    undisturbed: bool,
}

impl WindowScreen {
    /// See [`Session::window`](crate::desktop::Session::window).
    pub(crate) fn new(mut camera: Box<dyn Camera>, wanted: &str) -> Result<Self, CaptureError> {
        let mut open = camera.windows()?.unwrap_or_default();
        let known = open.iter().map(|info| info.id).collect();
        let info = open.swap_remove(choose(wanted, &open)?);
        camera.attend(info.id);
        let program = camera.program_of(info.id);
        let screen = Self { info, camera, program, known, undisturbed: false };
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
            Place::At(rect) => Some(rect),
            Place::Gone => None,
        }
    }

    /// Whether all of it can be seen now: on one monitor, with nothing in front.
    #[cfg(target_os = "linux")]
    pub(super) fn is_in_sight(&mut self) -> Result<bool, CaptureError> {
        let area = self.area()?;
        let whole = self.camera.monitors()?.iter().any(|monitor| monitor.area.encloses(area));
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

    /// The windows of the same program that came up since this one was opened.
    fn new_windows(&mut self) -> Result<Vec<WindowInfo>, CaptureError> {
        if self.program.is_none() {
            return Ok(Vec::new());
        }
        let mut open = self.camera.windows()?.unwrap_or_default();
        open.retain(|info| {
            let is_new = !info.minimized && !self.known.contains(&info.id);
            is_new && self.camera.program_of(info.id) == self.program
        });
        Ok(open)
    }

    fn ask_standing(&mut self) -> Result<Standing, CaptureError> {
        let Some(rect) = self.place() else {
            return Ok(Standing::Gone);
        };
        if rect != self.info.rect {
            return Ok(Standing::Moved(rect));
        }
        Ok(match self.camera.cover(&self.info)? {
            Some(Cover { by, own }) => Standing::Covered { by, own },
            None => Standing::There,
        })
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

    fn came_up(&mut self) -> Result<Vec<(u32, Frame)>, CaptureError> {
        let mut found = Vec::new();
        for info in self.new_windows()? {
            // One that is closed meanwhile, or lies off the screen, shows nothing.
            match self.camera.look(info.rect) {
                Ok(frame) => found.push((info.id, frame)),
                Err(error) => log::debug!("{info}: {error}"),
            }
        }
        Ok(found)
    }

    fn turn_to(&mut self, window: u32) -> Result<(), CaptureError> {
        let mut new = self.new_windows()?.into_iter();
        let info = new.find(|info| info.id == window).ok_or_else(|| self.gone())?;
        log::info!("looking at {info} from now on");
        self.camera.attend(info.id);
        self.known.push(info.id);
        (self.info, self.undisturbed) = (info, false);
        Ok(())
    }
}
