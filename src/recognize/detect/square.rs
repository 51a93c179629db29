//! The squares of a picture that cells are compared by, and the patches of what is in them.

use image::RgbImage;

use super::patch::{Patch, SIDE, Sampler};
use crate::geometry::Rect;
use crate::recognize::skin::within_gap;

/// The part of a cell that is compared, in pixels of the picture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Square {
    pub(crate) x: i32,
    pub(crate) y: i32,
    pub(crate) side: u32,
}

impl Square {
    /// The square of a cell, `gap` pixels between two cells.
    pub(crate) fn of(cell: Rect, gap: u32) -> Self {
        let inside = within_gap(cell, gap);
        // Games that stretch their cells by a pixel draw the glyph in the square in the middle.
        let side = inside.width.min(inside.height);
        let x = inside.x + ((inside.width - side) / 2) as i32;
        let y = inside.y + ((inside.height - side) / 2) as i32;
        Self { x, y, side }
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
        Self { pixels, gap, samplers: Vec::new() }
    }

    /// The patch of the cell at `cell`; `None` when it reaches beyond the picture.
    pub(crate) fn take(&mut self, cell: Rect) -> Option<Patch> {
        self.take_square(Square::of(cell, self.gap))
    }

    /// Whether all of a square that is large enough lies in the picture.
    pub(crate) fn sees(&self, Square { x, y, side }: Square) -> bool {
        let picture = Rect::new(0, 0, self.pixels.width(), self.pixels.height());
        2 * side as usize >= SIDE && picture.encloses(Rect::new(x, y, side, side))
    }

    /// The patch of what is in a square; `None` when it reaches beyond the picture.
    pub(crate) fn take_square(&mut self, square: Square) -> Option<Patch> {
        if !self.sees(square) {
            return None;
        }
        let Square { x, y, side } = square;
        let known = self.samplers.iter().position(|sampler| sampler.side() == side);
        let index = known.unwrap_or_else(|| {
            self.samplers.push(Sampler::new(side));
            self.samplers.len() - 1
        });
        Some(self.samplers[index].take(self.pixels, x as u32, y as u32))
    }
}
