//! Why no skin was learned.

use crate::capture::CaptureError;
use crate::geometry::Rect;
use crate::learn::from_labels::CalibrateError;
use crate::learn::from_play::Contradiction;
use crate::play::PlayError;
use crate::recognize::ReadError;

/// Why no skin was learned.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// Nothing looks like a board.
    #[error(
        "nothing in {area} repeats like a grid of cells; is a whole board in sight, with at least 5x5 cells, \
         and the game a new one?"
    )]
    NoGrid {
        /// The part of the screen that was searched.
        area: Rect,
    },
    /// Part of the board is out of sight.
    #[error(transparent)]
    Board(#[from] ReadError),
    /// A right click sets no flag.
    #[error(
        "the {cols}x{rows} cells at {area} do not answer to a right click with a flag; \
         is this a fresh game, and a Minesweeper?"
    )]
    NoFlag {
        /// Columns of the grid.
        cols: u16,
        /// Rows of the grid.
        rows: u16,
        /// Where it is.
        area: Rect,
    },
    /// The board is no fresh one.
    #[error(
        "the {cols}x{rows} cells at {area} show no fresh board, and no new game could be started; start one and try again"
    )]
    NotFresh {
        /// Columns of the grid.
        cols: u16,
        /// Rows of the grid.
        rows: u16,
        /// Where it is.
        area: Rect,
    },
    /// What was seen fits no rules.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// The pictures do not make a skin.
    #[error("what was seen does not make a skin")]
    Skin(#[from] CalibrateError),
    /// Something got in the way.
    #[error(transparent)]
    Play(#[from] PlayError),
}

impl From<CaptureError> for LearnError {
    fn from(error: CaptureError) -> Self {
        LearnError::Play(error.into())
    }
}
