//! A recorded game as a moving picture: the board as it was on the screen, one frame a step.
//!
//! It is a GIF, by the crate `gif` itself: every browser, chat and README shows one, while an animated PNG stands still in many
//! of them. A board has few colours, so most games fit into its palettes as they are. Of each step only the part of the
//! picture that changed is kept.

use std::time::Duration;

use gif::{Encoder, EncodingError, Frame, Repeat};
use image::{RgbImage, imageops};

use super::screen::{changed, cropped, whole};
use crate::capture::{CaptureError, load_picture};
use crate::geometry::Rect;
use crate::lab::replay::{Case, RecordedGame, Recording};

/// How long a game is to take, if its steps are neither too short nor too long then.
const WHOLE: Duration = Duration::from_secs(20);
/// The least and the most that a step takes. Browsers take less than 20 ms for a mistake.
const STEP: [Duration; 2] = [Duration::from_millis(60), Duration::from_millis(600)];
/// How long the last step stays.
const END: Duration = Duration::from_secs(3);
/// How thoroughly a palette is chosen where a picture has too many colours, from 1 on; 30 is the fastest.
const PALETTE: i32 = 10;

/// The recorded frames of `game`, one of the games of `recording`, cropped to the board, as an animated GIF that begins anew
/// for ever. A frame that looks as the one before it is left out.
///
/// # Errors
/// When a picture cannot be opened, or there is none that says where its board is.
pub fn animation(recording: &Recording, game: &RecordedGame) -> Result<Vec<u8>, AnimationError> {
    let cases = recording.cases.get(game.frames.clone()).unwrap_or_default();
    let mut pictures: Vec<RgbImage> = Vec::new();
    for case in cases {
        let Some(board) = board_in(case)? else { continue };
        if pictures.last() != Some(&board) {
            pictures.push(board);
        }
    }
    let width = pictures.iter().map(RgbImage::width).max().ok_or(AnimationError::NoPicture)?;
    let height = pictures.iter().map(RgbImage::height).max().ok_or(AnimationError::NoPicture)?;
    let side =
        |side: u32| u16::try_from(side).map_err(|_| AnimationError::TooLarge { width, height });
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, side(width)?, side(height)?, &[])?;
    encoder.set_repeat(Repeat::Infinite)?;
    let step = (WHOLE / pictures.len() as u32).clamp(STEP[0], STEP[1]);
    let mut shown: Option<RgbImage> = None;
    let last = pictures.len() - 1;
    for (nth, picture) in pictures.into_iter().enumerate() {
        // The window may have been resized meanwhile: what is smaller has a border then.
        let mut next = RgbImage::new(width, height);
        imageops::replace(&mut next, &picture, 0, 0);
        let part = shown.as_ref().map_or(whole(&next), |shown| changed(shown, &next));
        let delay = if nth == last { END } else { step };
        encoder.write_frame(&frame(&next, part, delay))?;
        shown = Some(next);
    }
    drop(encoder);
    Ok(file)
}

/// The board in the picture of `case`; none where the label does not say where it is.
fn board_in(case: &Case) -> Result<Option<RgbImage>, AnimationError> {
    let Some(lattice) = case.lattice() else { return Ok(None) };
    let picture = load_picture(&case.picture)?.pixels;
    let part = whole(&picture).intersection(lattice.area());
    Ok(part.map(|part| cropped(&picture, part)))
}

/// A frame of the moving picture that brings `part` up to date. It lies in a picture that fits into 16 bits.
fn frame(picture: &RgbImage, part: Rect, delay: Duration) -> Frame<'static> {
    let pixels = cropped(picture, part);
    let (width, height) = (part.width as u16, part.height as u16);
    let mut frame = Frame::from_rgb_speed(width, height, &pixels, PALETTE);
    (frame.left, frame.top) = (part.x as u16, part.y as u16);
    frame.delay = (delay.as_millis() / 10) as u16;
    frame
}

/// Why there is no moving picture.
#[derive(Debug, thiserror::Error)]
pub enum AnimationError {
    /// A recorded picture cannot be opened.
    #[error(transparent)]
    Picture(#[from] CaptureError),
    /// Nothing to show.
    #[error("no picture of this game says where its board is, so there is nothing to show")]
    NoPicture,
    /// No GIF is so large.
    #[error("the board takes {width}x{height} pixels; a GIF has at most 65535 on a side")]
    TooLarge {
        /// Pixels from left to right.
        width: u32,
        /// Pixels from top to bottom.
        height: u32,
    },
    /// The file could not be made.
    #[error("the moving picture cannot be made")]
    Encoding(#[from] EncodingError),
}
