//! Copying what the monitors show, by the shortest way there is.

use std::time::{Duration, Instant};

use super::monitor::{Monitor, look_at};
use super::x11::X11;
use crate::capture::{CaptureError, Frame};
use crate::geometry::{Px, Rect};
use crate::input::Place;

/// How long a wait through `xcap` rests between two looks, so that it does not keep the game from painting.
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

/// Looks at the monitors: straight through the X server where it offers that, else through `xcap`. Which way was taken
/// does not show in the frames.
pub(super) struct Camera {
    monitors: Vec<Monitor>,
    /// The short way, until it fails.
    x11: Option<X11>,
    /// The window whose changes are to be told.
    attended: Option<u32>,
    /// Whether the screen has another size since that was last told.
    resized: bool,
}

impl Camera {
    /// A camera for all monitors.
    ///
    /// # Errors
    /// [`CaptureError::NoDisplay`].
    pub(super) fn open() -> Result<Self, CaptureError> {
        // First the server, which tells of changes from then on: what changed before is in the list of monitors.
        let x11 = short_way();
        Ok(Self { monitors: Monitor::all()?, x11, attended: None, resized: false })
    }

    /// A camera for this monitor.
    pub(super) fn of(monitor: Monitor) -> Self {
        Self { monitors: vec![monitor], x11: short_way(), attended: None, resized: false }
    }

    /// The monitors.
    pub(super) fn monitors(&self) -> &[Monitor] {
        &self.monitors
    }

    /// Wants to be told of changes of this window.
    pub(super) fn attend(&mut self, window: u32) {
        self.attended = Some(window);
        self.shortly(|x11| x11.attend(window));
    }

    /// Makes sure that the screen is as large as it was when this was last asked.
    pub(super) fn check_size(&mut self) -> Result<(), CaptureError> {
        if !std::mem::take(&mut self.resized) {
            return Ok(());
        }
        self.monitors = Monitor::all()?;
        let areas = self.monitors.iter().map(|monitor| monitor.area);
        let all = self.x11.as_ref().map(X11::area).or(areas.reduce(Rect::around));
        Err(CaptureError::ScreenResized { to: all.unwrap_or(Rect::new(0, 0, 0, 0)) })
    }

    /// Where `window` is, without its frame; nothing where only the long way tells.
    pub(super) fn place(&mut self, window: u32) -> Option<Place> {
        self.shortly(|x11| x11.place(window))
    }

    /// Who would get a press at one of these places and is not `window`, as far as that can be told.
    pub(super) fn in_front(&mut self, window: u32, places: &[Px]) -> Option<String> {
        self.shortly(|x11| x11.in_front(window, places)).flatten()
    }

    /// Whether any window may stand otherwise than at the last call.
    pub(super) fn windows_changed(&mut self) -> bool {
        self.shortly(X11::windows_changed).unwrap_or(true)
    }

    /// Copies what the monitors show of `area`; see [`look_at`].
    pub(super) fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        let mut parts = self.monitors.iter().filter_map(|monitor| monitor.area.intersection(area));
        if let (Some(part), None) = (parts.next(), parts.next())
            && let Some(frame) = self.shortly(|x11| x11.look(part))
        {
            return Ok(frame);
        }
        look_at(&self.monitors, area)
    }

    /// See [`Screen::wait`](crate::capture::Screen::wait).
    pub(super) fn wait(
        &mut self,
        frame: &mut Frame,
        deadline: Instant,
    ) -> Result<Vec<Rect>, CaptureError> {
        if self.is_on_one_monitor(frame)
            && let Some(changed) = self.shortly(|x11| x11.wait(frame, deadline))
        {
            return Ok(changed);
        }
        loop {
            let changed = frame.become_like(&look_at(&self.monitors, frame.area())?);
            let left = deadline.saturating_duration_since(Instant::now());
            if !changed.is_empty() || left.is_zero() {
                return Ok(changed);
            }
            std::thread::sleep(left.min(BETWEEN_LOOKS));
        }
    }

    /// See [`Screen::still_shows`](crate::capture::Screen::still_shows).
    pub(super) fn still_shows(&mut self, frame: &Frame, part: Rect) -> Result<bool, CaptureError> {
        if self.is_on_one_monitor(frame)
            && let Some(same) = self.shortly(|x11| x11.still_shows(frame, part))
        {
            return Ok(same);
        }
        let now = look_at(&self.monitors, part)?;
        Ok(frame.crop(part).is_some_and(|then| then == now))
    }

    fn is_on_one_monitor(&self, frame: &Frame) -> bool {
        self.monitors.iter().any(|monitor| monitor.area.encloses(frame.area()))
    }

    /// Whether `other` is a dialog of `window`, where the display can tell.
    pub(super) fn is_dialog_of(&mut self, other: u32, window: u32) -> Option<bool> {
        self.shortly(|x11| x11.is_dialog_of(other, window))
    }

    /// Goes the short way; `None` when it is closed, or closes now. It is opened once more before it counts as closed: the
    /// screen may have another size now.
    fn shortly<T>(
        &mut self,
        mut go: impl FnMut(&mut X11) -> Result<T, Box<dyn std::error::Error + Send + Sync>>,
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

/// Whether looks go straight through an X server; see the [folder](super) for what that saves.
///
/// # Errors
/// Why they go through `xcap`.
pub fn direct_look() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    X11::open().map(drop)
}

/// The short way, where it is open.
fn short_way() -> Option<X11> {
    X11::open().inspect_err(|error| log::debug!("looking through xcap: {error}")).ok()
}
