//! What a game looks like: a template for each kind of cell, and what the game is like to play.

mod collection;
mod game;
mod sheet;
mod store;

pub use collection::{Collection, Origin};
pub use game::{Chord, Control, CounterWays, Dialog, EndMessage, GameBehaviour, Shows, Spot};
use serde::{Deserialize, Serialize};
pub use sheet::contact_sheet;
pub use store::SkinError;

use image::RgbImage;

use crate::board::Cell;
use crate::geometry::Rect;

/// A look that only a finished game has: some games darken the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GamePhase {
    /// A mine went off.
    Lost,
    /// The game is won.
    Won,
}

impl GamePhase {
    /// The phase of a game under way, which is none, and the others.
    pub(crate) const ALL: [Option<GamePhase>; 3] =
        [None, Some(GamePhase::Lost), Some(GamePhase::Won)];
}

/// A picture of one kind of cell, one whole cell large.
#[derive(Clone, PartialEq, Debug)]
pub struct Template {
    /// What such a cell means.
    pub cell: Cell,
    /// When a cell looks so; `None` at any time.
    pub phase: Option<GamePhase>,
    /// The cell from edge to edge, without the gap beside it.
    pub picture: RgbImage,
}

/// A picture of one character of the mine counter.
#[derive(Clone, PartialEq, Debug)]
pub struct Digit {
    /// `0` to `9`, `/` or `-`.
    pub symbol: char,
    /// The character without anything around it.
    pub picture: RgbImage,
}

/// The space that some games leave between cells, the same at every cell size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// Its width in pixels.
    pub width: u32,
    /// Its red, green and blue.
    pub colour: [u8; 3],
}

/// A skin: how the cells of a game look, and what the game is like to play.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Skin {
    /// The name of its folder.
    pub name: String,
    /// Its templates; some kinds of cell have several.
    pub templates: Vec<Template>,
    /// How much the mean colour of cells that show the same differs from place to place, as a variance in grey levels
    /// squared; more than 0 where a background shines through. `calibrate` fits it.
    pub fill_variance: f32,
    /// The space between cells.
    pub gap: Option<Gap>,
    /// The least side of a cell, in pixels and with its share of the gaps, at which its kinds of cells can be told
    /// apart; smaller boards are not read.
    pub least_cell: u32,
    /// The characters of its mine counter, if it has one.
    pub digits: Vec<Digit>,
    /// Where the mine counter is and what it shows.
    pub counter: Option<CounterWays>,
    /// What the game is like to play.
    pub game: GameBehaviour,
}

impl Skin {
    /// How much a difference of the fill counts against one of what is drawn on it. In most skins it
    /// counts in full: some tell a covered cell from an opened one by nothing else.
    pub(crate) fn fill_weight(&self) -> f32 {
        if self.fill_variance > 0.0 { 0.15 } else { 1.0 }
    }

    /// Whether a cell of this kind may look the same in another skin: whether they have a picture of it in common.
    pub(crate) fn shares_look(&self, other: &Self, kind: Cell) -> bool {
        let is_same = |own: &Template| {
            own.cell == kind
                && other
                    .templates
                    .iter()
                    .any(|look| look.cell == kind && look.picture == own.picture)
        };
        self.templates.iter().any(is_same)
    }

    /// The part of a cell's area that its template shows: all but the gap, half of which is on each
    /// side.
    pub fn inside(&self, cell: Rect) -> Rect {
        within_gap(cell, self.gap_width())
    }

    /// How many of the `gap` pixels between cells in a picture are before a cell, and how many after it: the shares that are so
    /// [where templates are cut](Self::inside).
    pub(crate) fn margins(&self, gap: f32) -> (f32, f32) {
        let width = self.gap_width().max(1);
        let before = gap * (width / 2) as f32 / width as f32;
        (before, gap - before)
    }

    /// Pixels between two cells; 0 where there are none.
    pub fn gap_width(&self) -> u32 {
        self.gap.map_or(0, |gap| gap.width)
    }
}

/// A cell without its share of the `gap` pixels between cells, half of which is on each side; of an odd number one more is after
/// it.
pub(crate) fn within_gap(cell: Rect, gap: u32) -> Rect {
    let gap = gap.min(cell.width / 2).min(cell.height / 2);
    let before = (gap / 2) as i32;
    Rect::new(cell.x + before, cell.y + before, cell.width - gap, cell.height - gap)
}
