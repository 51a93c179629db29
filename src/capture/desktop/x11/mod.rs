//! The desktop of an X server: straight through it where it shares memory and tells what is painted
//! (`connection.rs`), else [as everywhere](super::portable).

mod composite;
mod connection;

use std::error::Error;
use std::time::Instant;

pub(crate) use composite::CompositeScreen;
pub(super) use connection::describe;

use super::camera::{Camera, Cover};
use super::portable::Portable;
use super::{MonitorInfo, WindowInfo};
use crate::capture::{CaptureError, Frame};
use crate::geometry::{Px, Rect};
use crate::input::Place;

use connection::X11;

/// Looks at the desktop of an X server. Which way was taken does not show in the frames.
pub(crate) struct X11Camera {
    portable: Portable,
    /// The short way, until it fails.
    x11: Option<X11>,
    /// The window whose changes are to be told.
    attended: Option<u32>,
    /// Whether the screen has another size since that was last told.
    resized: bool,
}

impl X11Camera {
    /// A camera for all monitors.
    ///
    /// # Errors
    /// [`CaptureError::NoDisplay`].
    pub(crate) fn open() -> Result<Self, CaptureError> {
        // First the server, which tells of changes from then on: what changed before is in the list of monitors.
        let x11 =
            X11::open().inspect_err(|error| log::debug!("looking through xcap: {error}")).ok();
        Ok(Self { portable: Portable::open()?, x11, attended: None, resized: false })
    }

    /// Whether looks go straight through the server; see the [folder](super) for what that saves.
    ///
    /// # Errors
    /// Why they go through `xcap`.
    pub(crate) fn is_direct() -> Result<(), Box<dyn Error + Send + Sync>> {
        X11::open().map(drop)
    }

    fn is_on_one_monitor(&self, area: Rect) -> bool {
        self.portable.areas().any(|monitor| monitor.encloses(area))
    }

    /// Goes the short way; `None` when it is closed, or closes now. It is opened once more before it counts as closed: the
    /// screen may have another size now.
    fn shortly<T>(
        &mut self,
        mut go: impl FnMut(&mut X11) -> Result<T, Box<dyn Error + Send + Sync>>,
    ) -> Option<T> {
        let error = match go(self.x11.as_mut()?) {
            Ok(came) => return Some(came),
            Err(error) => error,
        };
        log::info!("looking at the screen anew: {error}");
        let then = self.x11.take()?.area();
        let mut anew = X11::open().ok()?;
        if let Some(window) = self.attended {
            anew.attend(window).ok()?;
        }
        self.resized |= anew.area() != then;
        let came = go(&mut anew);
        self.x11 = Some(anew);
        came.inspect_err(|error| log::info!("looking through xcap: {error}")).ok()
    }
}

impl Camera for X11Camera {
    fn monitors(&mut self) -> Result<Vec<MonitorInfo>, CaptureError> {
        self.portable.monitors()
    }

    fn windows(&mut self) -> Result<Option<Vec<WindowInfo>>, CaptureError> {
        let mut listed = self.portable.windows()?;
        listed.iter_mut().flatten().for_each(entitle);
        Ok(listed)
    }

    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        let mut parts = self.portable.areas().filter_map(|monitor| monitor.intersection(area));
        let (first, second) = (parts.next(), parts.next());
        drop(parts);
        if let (Some(part), None) = (first, second)
            && let Some(frame) = self.shortly(|x11| x11.look(part))
        {
            return Ok(frame);
        }
        self.portable.look(area)
    }

    fn wait(&mut self, frame: &mut Frame, deadline: Instant) -> Result<Vec<Rect>, CaptureError> {
        if self.is_on_one_monitor(frame.area())
            && let Some(changed) = self.shortly(|x11| x11.wait(frame, deadline))
        {
            return Ok(changed);
        }
        self.portable.wait(frame, deadline)
    }

    fn still_shows(&mut self, frame: &Frame, part: Rect) -> Result<bool, CaptureError> {
        if self.is_on_one_monitor(frame.area())
            && let Some(same) = self.shortly(|x11| x11.still_shows(frame, part))
        {
            return Ok(same);
        }
        self.portable.still_shows(frame, part)
    }

    fn check_size(&mut self) -> Result<(), CaptureError> {
        if !std::mem::take(&mut self.resized) {
            return Ok(());
        }
        self.portable = Portable::open()?;
        let all = self.x11.as_ref().map(X11::area).or(self.portable.areas().reduce(Rect::around));
        Err(CaptureError::ScreenResized { to: all.unwrap_or(Rect::new(0, 0, 0, 0)) })
    }

    fn attend(&mut self, window: u32) {
        self.attended = Some(window);
        self.portable.attend(window);
        self.shortly(|x11| x11.attend(window));
    }

    /// Where `window` is, without its frame.
    fn place(&mut self, window: u32) -> Place {
        let told = self.shortly(|x11| x11.place(window));
        told.unwrap_or_else(|| self.portable.place(window))
    }

    fn windows_changed(&mut self) -> bool {
        self.shortly(X11::windows_changed).unwrap_or(true)
    }

    fn cover(&mut self, window: &WindowInfo) -> Result<Option<Cover>, CaptureError> {
        let Some(mut found) = self.portable.first_in_front(window)? else { return Ok(None) };
        entitle(&mut found.window);
        // A program may not tell its process.
        let is_dialog = |x11: &mut X11| x11.is_dialog_of(found.window.id, window.id);
        let of_same_program = found.of_same_program || self.shortly(is_dialog) == Some(true);
        let own = of_same_program && found.has_keyboard;
        Ok(Some(Cover { by: found.window.name().to_owned(), own }))
    }

    fn program_of(&mut self, window: u32) -> Option<u32> {
        self.x11.as_ref().map(|x11| x11.client_of(window))
    }

    fn in_front(&mut self, window: u32, places: &[Px]) -> Option<String> {
        self.shortly(|x11| x11.in_front(window, places)).flatten()
    }
}

/// Gives a window the title that it has in the old way only.
fn entitle(window: &mut WindowInfo) {
    if window.title.is_empty() {
        window.title = connection::plain_title(window.id).unwrap_or_default();
    }
}
