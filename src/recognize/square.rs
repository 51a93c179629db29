//! The squares of a picture that cells are compared by, and the patches of what is in them.

use image::RgbImage;

use super::patch::{Patch, SIDE, Sampler};
use super::skin::within_gap;
use crate::geometry::Rect;

/// Parts of a pixel that squares begin and end at.
pub(crate) const PARTS: i32 = 8;

/// The part of a cell that is compared, in [`PARTS`] of a pixel of the picture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Square {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) side: i32,
}

impl Square {
    /// The square of a cell of whole pixels, `gap` of them between two cells.
    pub(crate) fn of(cell: Rect, gap: u32) -> Self {
        let inside = within_gap(cell, gap);
        // Games that stretch their cells by a pixel draw the glyph in the square in the middle.
        let side = inside.width.min(inside.height);
        let x = inside.x + ((inside.width - side) / 2) as i32;
        let y = inside.y + ((inside.height - side) / 2) as i32;
        Self { x: x * PARTS, y: y * PARTS, side: side as i32 * PARTS }
    }

    /// The square moved by parts of a pixel to the right and down.
    pub(crate) fn moved(self, (dx, dy): (i32, i32)) -> Self {
        Self { x: self.x + dx, y: self.y + dy, ..self }
    }
}

/// Takes the patches of a skin's cells, with a sampler for each of the few sizes that they have.
pub(crate) struct Samplers<'a> {
    pixels: &'a RgbImage,
    gap: u32,
    samplers: Vec<Sampler>,
}

impl<'a> Samplers<'a> {
    /// Samplers of cells in `pixels` that have `gap` of them between each other.
    pub(crate) fn new(pixels: &'a RgbImage, gap: u32) -> Self {
        Self::with(Vec::new(), pixels, gap)
    }

    /// The same, where some were made before.
    pub(crate) fn with(samplers: Vec<Sampler>, pixels: &'a RgbImage, gap: u32) -> Self {
        Self { pixels, gap, samplers }
    }

    /// Those that were made.
    pub(crate) fn into_made(self) -> Vec<Sampler> {
        self.samplers
    }

    /// The patch of the cell at `cell`; `None` when it reaches beyond the picture.
    pub(crate) fn take(&mut self, cell: Rect) -> Option<Patch> {
        self.take_square(Square::of(cell, self.gap))
    }

    /// Whether all of a square that is large enough lies in the picture.
    pub(crate) fn sees(&self, Square { x, y, side }: Square) -> bool {
        let (right, bottom) = (self.pixels.width() as i32, self.pixels.height() as i32);
        let fits = x >= 0 && y >= 0 && x + side <= right * PARTS && y + side <= bottom * PARTS;
        2 * side >= SIDE as i32 * PARTS && fits
    }

    /// The patch of what is in a square; `None` when it reaches beyond the picture.
    pub(crate) fn take_square(&mut self, square: Square) -> Option<Patch> {
        if !self.sees(square) {
            return None;
        }
        let Square { x, y, side } = square;
        let pixels = |parts: i32| parts as f32 / PARTS as f32;
        let kind = (pixels(side), (pixels(x % PARTS), pixels(y % PARTS)));
        let known = self.samplers.iter().position(|sampler| sampler.kind() == kind);
        let index = known.unwrap_or_else(|| {
            self.samplers.push(Sampler::new(kind.0, kind.1));
            self.samplers.len() - 1
        });
        Some(self.samplers[index].take(self.pixels, (x / PARTS) as u32, (y / PARTS) as u32))
    }
}
