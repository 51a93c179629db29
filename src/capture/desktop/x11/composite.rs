//! A window that is only read, although another one covers it or a part of it is off the monitors.

use std::error::Error;
use std::time::{Duration, Instant};

use super::connection::X11;
use crate::capture::desktop::WindowScreen;
use crate::capture::{CaptureError, Frame, Screen, Standing};
use crate::geometry::{Px, Rect};

/// So long a picture must stand still after the program was asked to paint what was not in sight.
const PAINTED_STANDS_STILL: Duration = Duration::from_millis(250);
/// A window that never stands still is taken as it is after this.
const LONGEST_PAINTING: Duration = Duration::from_secs(2);

/// The server's picture of one window. It is bound to the size of the window, and opened anew when that changes.
pub(crate) struct CompositeScreen {
    window: WindowScreen,
    x11: X11,
}

impl CompositeScreen {
    /// Opens `window` for somebody who reads and never clicks. Where something covers it, or a part of it lies off the
    /// monitors, the screen shows the window's own picture, as if nothing were in front and all of it in sight: where the
    /// X server offers that (XComposite). Everywhere else it shows what the monitors show.
    pub(crate) fn to_read(mut window: WindowScreen) -> Result<Box<dyn Screen>, CaptureError> {
        if window.is_in_sight()? {
            return Ok(Box::new(window));
        }
        match own_picture(&window, window.info().rect) {
            Ok(x11) => Ok(Box::new(Self { window, x11 })),
            Err(error) => {
                log::info!("{} is read as far as it is in sight: {error}", window.info());
                Ok(Box::new(window))
            }
        }
    }

    /// Opens the window's own picture, whatever is in front.
    ///
    /// # Errors
    /// [`CaptureError::Refused`] where the X server has none.
    pub(crate) fn of(window: WindowScreen) -> Result<Self, CaptureError> {
        let area = window.info().rect;
        let x11 =
            own_picture(&window, area).map_err(|source| CaptureError::Refused { area, source })?;
        Ok(Self { window, x11 })
    }

    /// Looks at the window with its top left at that of `rect`.
    fn open_anew(&mut self, rect: Rect) -> Result<(), CaptureError> {
        let refused = |source| CaptureError::Refused { area: rect, source };
        self.x11 = own_picture(&self.window, rect).map_err(refused)?;
        Ok(())
    }

    /// Where the window really is.
    fn place(&mut self) -> Result<Rect, CaptureError> {
        self.window.place().ok_or_else(|| self.window.gone())
    }

    /// Keeps up with the size of the window.
    fn keep_up(&mut self) -> Result<(), CaptureError> {
        let (now, then) = (self.place()?, self.x11.area());
        if (now.width, now.height) != (then.width, then.height) {
            self.open_anew(then)?;
        }
        Ok(())
    }
}

/// Opens the picture of `window`, with its top left at that of `rect`, and waits until it is painted.
fn own_picture(window: &WindowScreen, rect: Rect) -> Result<X11, Box<dyn Error + Send + Sync>> {
    let mut x11 = X11::of_window(window.info().id, Px::new(rect.x, rect.y))?;
    let end = Instant::now() + LONGEST_PAINTING;
    let mut frame = x11.look(x11.area())?;
    while !x11.wait(&mut frame, Instant::now() + PAINTED_STANDS_STILL)?.is_empty()
        && Instant::now() < end
    {}
    Ok(x11)
}

impl Screen for CompositeScreen {
    fn area(&mut self) -> Result<Rect, CaptureError> {
        let place = self.place()?;
        if place != self.x11.area() {
            self.open_anew(place)?;
        }
        Ok(self.x11.area())
    }

    /// Copies the part of `area` that lies in the window, where [`Screen::area`] last said it was.
    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        self.keep_up()?;
        let part = area.intersection(self.x11.area()).ok_or(CaptureError::OutOfSight { area })?;
        self.x11.look(part).map_err(|source| CaptureError::Refused { area: part, source })
    }

    fn wait(&mut self, frame: &mut Frame, deadline: Instant) -> Result<Vec<Rect>, CaptureError> {
        let area = frame.area();
        if self.x11.area().encloses(area) {
            let changed = self.x11.wait(frame, deadline);
            let changed = changed.map_err(|source| CaptureError::Refused { area, source })?;
            if !changed.is_empty() {
                return Ok(changed);
            }
        }
        // It may have been resized meanwhile.
        Ok(frame.become_like(&self.look(area)?))
    }

    /// What is in front does not count.
    fn standing(&mut self) -> Result<Standing, CaptureError> {
        Ok(match self.window.place() {
            None => Standing::Gone,
            Some(place) if place != self.x11.area() => Standing::Moved(place),
            Some(_) => Standing::There,
        })
    }
}
