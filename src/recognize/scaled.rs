//! Where the cells of a window are that a desktop scaled as a whole.
//!
//! They are evenly spaced, but begin and end within pixels, and the gaps between them grow too. What edges tell is a
//! start; from there each edge of the board is moved by small steps while that brings the cells nearer to their
//! templates.

use image::Rgb;

use super::Lattice;
use super::square::{PARTS, Square};
use super::track::Profile;
use crate::board::Pos;
use crate::capture::Frame;
use crate::geometry::{Px, Rect};

/// Gaps between scaled cells end within pixels: so much is tried beside whole ones.
const GAPS: [f32; 5] = [-0.5, -0.25, 0.0, 0.25, 0.5];

/// The cells of a window that was scaled as a whole: evenly spaced, in parts of pixels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Scaled {
    /// A point of the screen near the first cell: counted from there, the same picture is read the same wherever it is.
    near: Px,
    /// Where the first cell begins from there, its share of the gaps included.
    first: (f32, f32),
    pitch: (f32, f32),
    pub(crate) gap: f32,
    /// What shows between the cells, if there are gaps.
    pub(crate) ground: Option<Rgb<u8>>,
}

/// What is tried to be otherwise about a scaled window.
#[derive(Clone, Copy)]
enum Change {
    Left,
    Top,
    Right,
    Bottom,
    Gap,
}

impl Change {
    const ALL: [Change; 5] =
        [Change::Left, Change::Top, Change::Right, Change::Bottom, Change::Gap];
}

impl Scaled {
    /// Cells evenly spaced where those of a lattice nearly are, with each of the gaps that there may be between them if
    /// the skin `has_gaps`; `None` when the board is not in the frame.
    pub(crate) fn even(frame: &Frame, lattice: &Lattice, has_gaps: bool) -> Option<Vec<Self>> {
        let (x, y) = lattice.even_fit();
        let gaps = if has_gaps { near_gaps(frame, lattice)? } else { vec![0.0] };
        let ground = if has_gaps { ground(frame, lattice) } else { None };
        let Rect { x: left, y: top, .. } = lattice.area();
        let near = Px::new(left, top);
        let even = |gap| Self { near, first: (x.0, y.0), pitch: (x.1, y.1), gap, ground };
        Some(gaps.into_iter().map(even).collect())
    }

    /// Of what `lattice` may be, the cells for which `cost` is least, and that cost: the best of the `starts`, changed by
    /// one step after the other where that is better.
    pub(crate) fn nearest(
        starts: &[Self],
        steps: &[f32],
        lattice: &Lattice,
        mut cost: impl FnMut(Self) -> f32,
    ) -> (f32, Self) {
        let mut best = (f32::MAX, starts[0]);
        let mut try_all = |best: &mut (f32, Self), tried: &[Self]| {
            for &scaled in tried {
                let cost = cost(scaled);
                if cost < best.0 {
                    *best = (cost, scaled);
                }
            }
        };
        try_all(&mut best, starts);
        for step in steps {
            for change in Change::ALL {
                let from = best.1;
                try_all(&mut best, &[-step, *step].map(|by| from.changed(change, by, lattice)));
            }
        }
        best
    }

    /// The same board so many pixels farther to the right and down.
    pub(crate) fn moved(self, dx: i32, dy: i32) -> Self {
        Self { near: Px::new(self.near.x + dx, self.near.y + dy), ..self }
    }

    /// The same board with so many more columns to the left and rows at the top.
    pub(crate) fn with_more(mut self, cols: u16, rows: u16) -> Self {
        self.first.0 -= f32::from(cols) * self.pitch.0;
        self.first.1 -= f32::from(rows) * self.pitch.1;
        self
    }

    /// The same with one edge of the board `by` pixels to the right or down, or the gaps wider by that.
    fn changed(mut self, change: Change, by: f32, lattice: &Lattice) -> Self {
        let (cols, rows) = (f32::from(lattice.cols()), f32::from(lattice.rows()));
        match change {
            Change::Left => {
                self.first.0 += by;
                self.pitch.0 -= by / cols;
            }
            Change::Top => {
                self.first.1 += by;
                self.pitch.1 -= by / rows;
            }
            Change::Right => self.pitch.0 += by / cols,
            Change::Bottom => self.pitch.1 += by / rows,
            // Where there are no gaps, there are none at any scale.
            Change::Gap if self.gap > 0.0 => self.gap = (self.gap + by).max(0.0),
            Change::Gap => {}
        }
        self
    }

    /// The part of the screen that the cell at `pos` is compared by.
    pub(crate) fn square(&self, pos: Pos) -> Square {
        let at = |first: f32, n: u16, pitch: f32| first + f32::from(n) * pitch;
        let x = at(self.first.0, pos.col, self.pitch.0);
        let y = at(self.first.1, pos.row, self.pitch.1);
        let square = Square::within((x, y), self.pitch, self.gap);
        square.moved((self.near.x * PARTS, self.near.y * PARTS))
    }
}

/// Gaps that there may be between the cells of a scaled window, in pixels.
fn near_gaps(frame: &Frame, lattice: &Lattice) -> Option<Vec<f32>> {
    let lattice = lattice.moved(-frame.origin.x, -frame.origin.y);
    let (width, height) = frame.pixels.dimensions();
    let seen = lattice.area().intersection(Rect::new(0, 0, width, height))?;
    let ((first, pitch), _) = lattice.even_fit();
    let line = |n: u16| lattice.area().x + (first + f32::from(n) * pitch).round() as i32;
    let lines: Vec<i32> = (0..=lattice.cols()).map(line).collect();
    let gap = Profile::across(&frame.pixels, seen).gap(&lines, pitch as i32) as f32;
    Some(GAPS.map(|by| gap + by).into())
}

/// The colour between cells where four of them meet: of all such places the middle one in each channel.
fn ground(frame: &Frame, lattice: &Lattice) -> Option<Rgb<u8>> {
    let corner = |pos: Pos| {
        let Rect { x, y, .. } = lattice.cell(pos).moved(-frame.origin.x, -frame.origin.y);
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        frame.pixels.get_pixel_checked(x, y).copied()
    };
    let inner = lattice.positions().filter(|pos| pos.col > 0 && pos.row > 0);
    let corners: Vec<Rgb<u8>> = inner.filter_map(corner).collect();
    let middle = |channel: usize| {
        let mut values: Vec<u8> = corners.iter().map(|corner| corner.0[channel]).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied()
    };
    Some(Rgb([middle(0)?, middle(1)?, middle(2)?]))
}

#[cfg(test)]
mod tests {
    use image::RgbImage;

    use super::*;

    #[test]
    fn cells_are_the_same_wherever_the_picture_is_on_the_screen() {
        let edges = |cells: u16, pitch: f64| -> Vec<i32> {
            (0..=cells).map(|n| (20.0 + f64::from(n) * pitch).round() as i32).collect()
        };
        let pixels = RgbImage::from_fn(540, 320, |x, y| Rgb([(x * 37 % 251) as u8, y as u8, 90]));
        let squares = |lattice: &Lattice, (x, y): (i32, i32)| -> Vec<Square> {
            let frame = Frame { origin: Px::new(x, y), pixels: pixels.clone() };
            let lattice = &lattice.moved(x, y);
            let even = Scaled::even(&frame, lattice, true).expect("the board is in the frame");
            let steps = (1..20).map(|n| 0.017 * n as f32);
            let changed = steps.flat_map(|by| Change::ALL.map(|change| (change, by)));
            let all: Vec<Scaled> = changed
                .flat_map(|(change, by)| {
                    even.iter().map(move |from| from.changed(change, by, lattice))
                })
                .collect();
            let here = |scaled: &Scaled, pos| scaled.square(pos).moved((-x * PARTS, -y * PARTS));
            all.iter().flat_map(|scaled| lattice.positions().map(|pos| here(scaled, pos))).collect()
        };
        for pitch in [16.2, 16.37, 16.55, 16.91] {
            let lattice = Lattice::new(edges(30, pitch), edges(16, pitch));
            let at_corner = squares(&lattice, (0, 0));
            for origin in [(17, 29), (-1920, 301), (1357, 1063), (5119, 2879)] {
                assert!(
                    squares(&lattice, origin) == at_corner,
                    "cells of {pitch} pixels at {origin:?}"
                );
            }
        }
    }
}
