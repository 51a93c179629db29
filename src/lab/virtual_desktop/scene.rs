//! What is around a board on a virtual desktop, where it is more than an empty window.

use std::sync::Arc;

use image::RgbImage;

use crate::board::Status;
use crate::geometry::Rect;

/// What is around a board, and what of it changes how cells look.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The whole desktop as it is without the board.
    pub picture: Arc<RgbImage>,
    /// Where the game's window is.
    pub window: Rect,
    /// The button for a new game.
    pub button: Option<Face>,
    /// The button that makes left clicks set flags, and open cells again.
    pub switch: Option<Switch>,
    /// Every other cell is darker by so many levels.
    pub chequered: u8,
    /// So much of the desktop's picture shines through cells, from 0 to 1.
    pub shines: f32,
}

/// A button that stays down until it is pressed again.
#[derive(Clone, Debug)]
pub struct Switch {
    /// Where it is.
    pub area: Rect,
    /// How it looks while it is up, and while it is down.
    pub looks: [RgbImage; 2],
}

/// A button that may look otherwise when a game is over.
#[derive(Clone, Debug)]
pub struct Face {
    /// Where it is.
    pub area: Rect,
    /// How it looks during a game, after one that was won, and after one that was lost.
    pub looks: [RgbImage; 3],
}

impl Face {
    /// How it looks then.
    pub(super) fn look(&self, status: Status) -> &RgbImage {
        let [playing, won, lost] = &self.looks;
        match status {
            Status::Won => won,
            Status::Lost => lost,
            Status::Fresh | Status::Playing | Status::Hidden => playing,
        }
    }
}
