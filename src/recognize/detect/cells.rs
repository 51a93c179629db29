//! The cells of a picture, each brought to a [`Patch`] once: cells that show the same pixels share it.
//!
//! Most cells of most boards are covered or empty and look exactly like many others; and while a board is found
//! and read each cell is looked at several times.

use std::collections::HashMap;

use image::RgbImage;

use super::patch::Patch;
use super::square::{Samplers, Square};
use crate::geometry::Rect;

/// The cells of one picture, cut with some gap between them.
pub(crate) struct Cells<'a> {
    pixels: &'a RgbImage,
    gap: u32,
    samplers: Samplers<'a>,
    taken: Taken,
}

/// The patches that were taken of one picture.
#[derive(Default)]
struct Taken {
    patches: Vec<(Square, Patch)>,
    at: HashMap<Square, usize>,
    showing: HashMap<u64, usize>,
}

impl<'a> Cells<'a> {
    /// Cells of `pixels`, `gap` of them between each other.
    pub(crate) fn new(pixels: &'a RgbImage, gap: u32) -> Self {
        Self { pixels, gap, samplers: Samplers::new(pixels, gap), taken: Taken::default() }
    }

    /// Pixels between two cells.
    pub(crate) fn gap(&self) -> u32 {
        self.gap
    }

    pub(crate) fn pixels(&self) -> &'a RgbImage {
        self.pixels
    }

    /// The number of the patch of the cell at `cell`; `None` when it reaches beyond the picture.
    pub(crate) fn number(&mut self, cell: Rect) -> Option<usize> {
        self.number_at(Square::of(cell, self.gap))
    }

    /// The number of the patch of what is in `square`; `None` when that reaches beyond the picture.
    pub(crate) fn number_at(&mut self, square: Square) -> Option<usize> {
        let Taken { patches, at, showing } = &mut self.taken;
        if let Some(&number) = at.get(&square) {
            return Some(number);
        }
        if !self.samplers.sees(square) {
            return None;
        }
        let shown = hash(self.pixels, square);
        let alike = showing.get(&shown).copied();
        let alike = alike.filter(|&number| same(self.pixels, square, patches[number].0));
        let number = match alike {
            Some(number) => number,
            None => {
                patches.push((square, self.samplers.take_square(square)?));
                showing.insert(shown, patches.len() - 1);
                patches.len() - 1
            }
        };
        at.insert(square, number);
        Some(number)
    }

    /// The patch with this number.
    pub(crate) fn patch(&self, number: usize) -> &Patch {
        &self.taken.patches[number].1
    }
}

/// What patches were found to be, by their number, so that each is compared with a skin once.
#[derive(Clone, Debug)]
pub(crate) struct Matches<T> {
    found: Vec<Option<T>>,
}

impl<T: Copy> Matches<T> {
    /// Nothing found yet.
    pub(crate) const fn new() -> Self {
        Self { found: Vec::new() }
    }

    /// What `compare` finds the patch with this number to be.
    pub(crate) fn of(&mut self, number: usize, compare: impl FnOnce() -> T) -> T {
        if self.found.len() <= number {
            self.found.resize(number + 1, None);
        }
        *self.found[number].get_or_insert_with(compare)
    }
}

/// The rows of the pixels that a square has a part of.
fn rows(pixels: &RgbImage, Square { x, y, side }: Square) -> impl Iterator<Item = &[u8]> {
    let span = |from: i32| from as usize..from as usize + side as usize;
    let (columns, stride) = (span(x), pixels.width() as usize * 3);
    span(y).map(move |row| &pixels.as_raw()[row * stride..][columns.start * 3..columns.end * 3])
}

/// A number that is as good as always another one where the pixels are others.
fn hash(pixels: &RgbImage, square: Square) -> u64 {
    let mix =
        |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    let mut hash = [u64::from(square.side), 1, 2, 3];
    for row in rows(pixels, square) {
        // Four chains, so that the processor need not wait for one multiplication after the other.
        let (words, rest) = row.as_chunks::<8>();
        for (index, word) in words.iter().enumerate() {
            hash[index % 4] = mix(hash[index % 4], u64::from_le_bytes(*word));
        }
        hash[0] = rest.iter().fold(hash[0], |hash, &byte| mix(hash, u64::from(byte)));
    }
    hash.into_iter().fold(0, mix)
}

fn same(pixels: &RgbImage, a: Square, b: Square) -> bool {
    a.side == b.side && rows(pixels, a).eq(rows(pixels, b))
}
