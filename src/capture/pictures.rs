//! Saved pictures as a screen.

use std::io::Cursor;
use std::path::Path;
use std::time::Instant;

use image::{ImageError, ImageReader};

use super::{CaptureError, Frame, Screen, Standing};
use crate::file;
use crate::geometry::{Px, Rect};

/// Opens a saved picture as a frame at the origin of the screen.
///
/// # Errors
/// When the file is missing, too large, cut short or no picture.
pub fn load_picture(path: &Path) -> Result<Frame, CaptureError> {
    let picture = |source| CaptureError::Picture { path: path.to_owned(), source };
    let content = file::read(path, file::PICTURE).map_err(|e| picture(e.into()))?;
    decode_picture(&content).map_err(picture)
}

/// The picture that a file with this content has, as a frame at the origin of the screen.
///
/// # Errors
/// When it is cut short or no picture.
pub fn decode_picture(content: &[u8]) -> Result<Frame, ImageError> {
    let reader = ImageReader::new(Cursor::new(content)).with_guessed_format()?;
    Ok(Frame::new(Px::new(0, 0), reader.decode()?.to_rgb8()))
}

/// Saved pictures, one after the other: every [`Screen::wait`] turns to the next.
pub struct Pictures {
    current: Frame,
    rest: std::vec::IntoIter<Frame>,
}

impl Pictures {
    /// A screen that shows `first` until it is waited on, then each of `rest`.
    pub fn new(first: Frame, rest: Vec<Frame>) -> Self {
        Self { current: first, rest: rest.into_iter() }
    }
}

impl Screen for Pictures {
    fn area(&mut self) -> Result<Rect, CaptureError> {
        Ok(self.current.area())
    }

    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        self.current.crop(area).ok_or(CaptureError::OutOfSight { area })
    }

    fn wait(&mut self, frame: &mut Frame, _: Instant) -> Result<Vec<Rect>, CaptureError> {
        let Some(next) = self.rest.next() else {
            return Ok(Vec::new());
        };
        self.current = next;
        let now = self.look(frame.area())?;
        Ok(frame.become_like(&now))
    }

    fn standing(&mut self) -> Result<Standing, CaptureError> {
        Ok(Standing::There)
    }
}
