//! The desktop of Windows: GDI copies just the area that is looked at, and Windows itself says where its windows are.
//!
//! Nothing tells when something was painted, so a wait looks again and again.

use std::time::{Duration, Instant};

use image::RgbImage;
use windows_desktop::{Capture, Rests, Window};

use super::camera::{Camera, Cover};
use super::{MonitorInfo, WindowInfo, no_display};
use crate::capture::{CaptureError, Frame};
use crate::geometry::{Px, Rect};
use crate::input::Place;

/// How long a wait rests between two looks. Windows rests no shorter than about so long.
const BETWEEN_LOOKS: Duration = Duration::from_millis(1);

/// So long after a change, or a look that was not waited for, a wait does not rest, but lets others compute. Chosen: games answer a
/// click about so soon under Wine, and more looks would take the time that they paint in.
const STIRS: Duration = Duration::from_millis(3);

/// So long a size of the desktop is believed while looks go on; each press asks anew. Chosen, and told late by no more than that.
const SIZE_LASTS: Duration = Duration::from_millis(50);

/// Looks at the desktop of Windows.
pub(crate) struct WindowsCamera {
    capture: Capture,
    rests: Rests,
    /// What was copied last, kept for its room.
    copied: Vec<u8>,
    monitors: Vec<MonitorInfo>,
    /// The whole desktop, as it was when that was last told.
    screen: Rect,
    /// When that was asked.
    measured: Instant,
    /// When something last changed, or was looked at and not waited for.
    stirred: Instant,
}

impl WindowsCamera {
    /// A camera for all monitors.
    ///
    /// # Errors
    /// [`CaptureError::NoDisplay`].
    pub(crate) fn open() -> Result<Self, CaptureError> {
        if let Err(error) = windows_desktop::ask_for_pixels() {
            log::debug!("the awareness of physical pixels was set before: {error}");
        }
        let capture = Capture::open().map_err(no_display)?;
        let (screen, now) = (screen()?, Instant::now());
        Ok(Self {
            capture,
            rests: Rests::open(),
            copied: Vec::new(),
            monitors: monitors()?,
            screen,
            measured: now,
            stirred: now,
        })
    }

    /// Brings `frame` up to date, and returns the parts of it that changed.
    fn update(&mut self, frame: &mut Frame) -> Result<Vec<Rect>, CaptureError> {
        let area = frame.area();
        let mut changed = Vec::new();
        for part in self.monitors.iter().filter_map(|monitor| monitor.area.intersection(area)) {
            let Rect { x, y, width, height } = part;
            let copied = self.capture.copy(x, y, width, height, &mut self.copied);
            copied.map_err(|error| CaptureError::Refused { area: part, source: error.into() })?;
            let mut rows = self.copied.chunks_exact(4 * width as usize);
            frame.update(part, &mut changed, |line| {
                let pixels = rows.next().unwrap_or_default().chunks_exact(4);
                for (to, from) in line.chunks_exact_mut(3).zip(pixels) {
                    to.copy_from_slice(&[from[2], from[1], from[0]]);
                }
            });
        }
        Ok(changed)
    }
}

impl Camera for WindowsCamera {
    fn monitors(&mut self) -> Result<Vec<MonitorInfo>, CaptureError> {
        Ok(self.monitors.clone())
    }

    /// Those with a title that are on the virtual desktop that is shown.
    fn windows(&mut self) -> Result<Option<Vec<WindowInfo>>, CaptureError> {
        let all = windows_desktop::windows().map_err(no_display)?;
        let to_play = |window: &Window| !window.title.is_empty() && !window.cloaked;
        Ok(Some(all.into_iter().filter(to_play).map(described).collect()))
    }

    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        let parts = self.monitors.iter().filter_map(|monitor| monitor.area.intersection(area));
        let shown = parts.reduce(Rect::around).ok_or(CaptureError::OutOfSight { area })?;
        let black = RgbImage::new(shown.width, shown.height);
        let mut frame = Frame::new(Px::new(shown.x, shown.y), black);
        self.update(&mut frame)?;
        Ok(frame)
    }

    fn wait(&mut self, frame: &mut Frame, deadline: Instant) -> Result<Vec<Rect>, CaptureError> {
        let is_awaited = Instant::now() < deadline;
        loop {
            let changed = self.update(frame)?;
            let now = Instant::now();
            let left = deadline.saturating_duration_since(now);
            if !changed.is_empty() || !is_awaited {
                self.stirred = now;
            }
            if !changed.is_empty() || left.is_zero() {
                return Ok(changed);
            }
            if now - self.stirred < STIRS {
                std::thread::yield_now();
            } else {
                self.rests.rest(left.min(BETWEEN_LOOKS));
            }
        }
    }

    fn check_size(&mut self) -> Result<(), CaptureError> {
        if self.measured.elapsed() < SIZE_LASTS {
            return Ok(());
        }
        self.measured = Instant::now();
        let now = screen()?;
        if now == self.screen {
            return Ok(());
        }
        self.screen = now;
        self.monitors = monitors()?;
        Err(CaptureError::ScreenResized { to: now })
    }

    fn place(&mut self, window: u32) -> Place {
        place(window)
    }

    fn cover(&mut self, window: &WindowInfo) -> Result<Option<Cover>, CaptureError> {
        let in_front = windows_desktop::in_front_of(window.id).map_err(no_display)?;
        let mut covers = in_front.into_iter().filter(|other| {
            let is_drawn = !other.minimized && !other.cloaked && !other.lets_clicks_through;
            is_drawn && rect(other.rect).intersection(window.rect).is_some()
        });
        Ok(covers.next().map(|other| {
            let has_keyboard = windows_desktop::foreground() == Some(other.handle);
            let is_own = || {
                windows_desktop::window(window.id).is_some_and(|own| own.process == other.process)
            };
            let own = has_keyboard && is_own();
            Cover { by: described(other).name().to_owned(), own }
        }))
    }

    fn program_of(&mut self, window: u32) -> Option<u32> {
        windows_desktop::window(window).map(|window| window.process)
    }

    fn in_front(&mut self, window: u32, places: &[Px]) -> Option<String> {
        let there = windows_desktop::windows_at(places.iter().map(|at| (at.x, at.y)));
        there.flatten().find(|&other| other != window).map(name)
    }
}

/// The whole desktop.
fn screen() -> Result<Rect, CaptureError> {
    windows_desktop::screen().map(rect).map_err(no_display)
}

/// The monitors; never none.
fn monitors() -> Result<Vec<MonitorInfo>, CaptureError> {
    let listed = windows_desktop::monitors().map_err(no_display)?;
    if listed.is_empty() {
        return Err(no_display("no monitor is switched on"));
    }
    let info = |monitor: windows_desktop::Monitor| MonitorInfo {
        name: monitor.name,
        area: rect(monitor.rect),
        scale: monitor.scale,
    };
    Ok(listed.into_iter().map(info).collect())
}

/// Where a window is.
pub(crate) fn place(window: u32) -> Place {
    windows_desktop::place(window).map_or(Place::Gone, |at| Place::At(rect(at)))
}

/// The title of a window, or its program's name.
pub(crate) fn name(window: u32) -> String {
    let found = windows_desktop::window(window).map(described);
    found.map_or_else(|| "a window that is closed by now".to_owned(), |info| info.name().to_owned())
}

pub(crate) fn rect(told: windows_desktop::Rect) -> Rect {
    Rect::new(told.x, told.y, told.width, told.height)
}

fn described(window: Window) -> WindowInfo {
    WindowInfo {
        id: window.handle,
        title: window.title,
        app: window.app,
        rect: rect(window.rect),
        minimized: window.minimized,
    }
}
