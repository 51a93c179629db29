//! What was seen while boards were looked for: enough to say why none was found, and to draw it.

use std::sync::Arc;

use image::{Rgb, RgbImage};
use imageproc::drawing::draw_hollow_rect_mut;
use imageproc::rect::Rect as Outline;

use super::{Lattice, ReadError, Reading, Side, Skin};
use crate::board::Cell;
use crate::capture::Frame;
use crate::geometry::Rect;

/// What was seen in a frame. All places are in pixels of the screen.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The part of the screen that was searched.
    pub area: Rect,
    /// How many skins were tried.
    pub skins: usize,
    /// Places where edges repeat as those of cells do, whether there is a board or not.
    pub grids: Vec<Rect>,
    /// The boards, the largest first.
    pub boards: Vec<Sighting>,
    /// Parts of boards, and where each is cut off.
    pub cut: Vec<(Lattice, Side)>,
    /// Boards whose cells are too small for the skin that fits.
    pub small: Vec<(Lattice, Arc<Skin>)>,
}

/// A board that was found.
#[derive(Clone, Debug)]
pub struct Sighting {
    /// What it shows.
    pub reading: Reading,
    /// Other skins that fit as well.
    pub rivals: Vec<Arc<Skin>>,
    /// How much more likely its cells are than anything, in nats; infinite where they are all as the skin is drawn.
    pub(super) evidence: f32,
}

impl Survey {
    /// The readings of the boards, the largest first.
    ///
    /// # Errors
    /// When there is none that is whole; the error says what was seen.
    pub fn into_readings(self) -> Result<Vec<Reading>, ReadError> {
        if let Some(error) = self.error() {
            return Err(error);
        }
        Ok(self.boards.into_iter().map(|board| board.reading).collect())
    }

    /// Why no board was read, if none was.
    pub fn error(&self) -> Option<ReadError> {
        if !self.boards.is_empty() {
            return None;
        }
        let (area, skins, seen) = (self.area, self.skins, self.grids.len());
        Some(self.unread().next().unwrap_or(ReadError::NoBoard { area, skins, seen }))
    }

    /// Why boards that were seen were not read.
    pub fn unread(&self) -> impl Iterator<Item = ReadError> + '_ {
        let cut = self.cut.iter();
        let cut =
            cut.map(|(lattice, side)| ReadError::CutOff { area: lattice.area(), side: *side });
        let small = self.small.iter().map(|(lattice, skin)| ReadError::TooSmall {
            area: lattice.area(),
            cell: lattice.side(),
            skin: skin.name.clone(),
            least: skin.least_cell,
        });
        cut.chain(small)
    }

    /// The searched frame with everything that was seen drawn on it, in the colours of [`LEGEND`].
    pub fn drawn_on(&self, frame: &Frame) -> RgbImage {
        let mut picture = frame.pixels.clone();
        let mut outline = |area: Rect, colour: [u8; 3]| {
            let at = area.moved(-frame.origin.x, -frame.origin.y);
            let drawn = Outline::at(at.x, at.y).of_size(area.width.max(1), area.height.max(1));
            draw_hollow_rect_mut(&mut picture, drawn, Rgb(colour));
        };
        for &grid in &self.grids {
            outline(grid, GRID);
        }
        let unread = self.cut.iter().map(|(lattice, _)| lattice);
        for lattice in unread.chain(self.small.iter().map(|(lattice, _)| lattice)) {
            lattice.cells().for_each(|cell| outline(cell, UNREAD));
        }
        for Sighting { reading, rivals, .. } in &self.boards {
            let colour = if rivals.is_empty() { BOARD } else { DISPUTED };
            reading.lattice.cells().for_each(|cell| outline(cell, colour));
            let unclear = reading.board.iter().filter(|&(_, cell)| cell == Cell::Unclear);
            for (pos, _) in unclear {
                let cell = reading.lattice.cell(pos);
                // Two pixels wide, inside the cell's own outline.
                for inset in 1..=2 {
                    let shrunk = |side: u32| side.saturating_sub(2 * inset);
                    let (x, y) = (cell.x + inset as i32, cell.y + inset as i32);
                    outline(Rect::new(x, y, shrunk(cell.width), shrunk(cell.height)), UNCLEAR);
                }
            }
        }
        picture
    }
}

const GRID: [u8; 3] = [255, 160, 0];
const BOARD: [u8; 3] = [0, 200, 0];
const DISPUTED: [u8; 3] = [0, 120, 255];
const UNREAD: [u8; 3] = [255, 0, 0];
const UNCLEAR: [u8; 3] = [255, 0, 255];

/// What the colours of [`Survey::drawn_on`] mean.
pub const LEGEND: [(Rgb<u8>, &str); 5] = [
    (Rgb(GRID), "repeats like a grid of cells"),
    (Rgb(BOARD), "a board"),
    (Rgb(DISPUTED), "a board that several skins fit"),
    (Rgb(UNREAD), "a part of a board, or too small"),
    (Rgb(UNCLEAR), "an unclear cell"),
];
