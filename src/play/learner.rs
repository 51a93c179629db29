//! Playing a game of which no skin is known, to learn one.
//!
//! A [`Learner`] takes games one after the other until they would hardly tell more. What happens in a game is the
//! [lesson](super::lesson)'s business.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::lesson::Lesson;
use super::{Person, PlayError};
use crate::capture::Screen;
use crate::geometry::Rect;
use crate::input::Hands;
use crate::learn::from_labels::CalibrateError;
use crate::learn::from_play::{Contradiction, Learned};
use crate::recognize::{Lattice, ReadError, Skin};

/// Everything that learning takes.
pub struct Learner<'a> {
    /// The window to look at.
    pub screen: &'a mut dyn Screen,
    /// What to press with.
    pub hands: &'a mut dyn Hands,
    /// Becomes true when learning is to stop, from whatever thread.
    pub stop: Arc<AtomicBool>,
    /// The least time between two presses.
    pub pace: Duration,
    /// Told what happens, and asked as a last resort.
    pub person: &'a mut dyn Person,
}

/// Games that were played to learn from, however they ended.
#[derive(Debug)]
pub struct Lessons {
    /// What came of them.
    pub learned: Learned,
    /// Where the board is now, on the screen.
    pub lattice: Lattice,
    /// What ended them early, if anything did.
    pub trouble: Option<PlayError>,
}

impl Learner<'_> {
    /// Plays at most `games` games of what is on the screen and learns its skin. `known` is what is known
    /// of it: its name, and whatever of its ways.
    ///
    /// # Errors
    /// When there are no cells that can be told, when they follow no rules of Minesweeper, or when
    /// something gets in the way before a game is over. Later than that it ends the lesson; what was
    /// learned by then is kept.
    pub fn learn(self, known: Skin, games: u32) -> Result<Lessons, LearnError> {
        let mut lesson = Lesson::begin(self, known)?;
        let trouble = match take(&mut lesson, games) {
            Ok(()) => {
                lesson.ask_for_numbers();
                None
            }
            Err(LearnError::Play(error)) if lesson.has_ended_a_game() => Some(error),
            Err(error) => return Err(error),
        };
        let lattice = lesson.lattice().clone();
        match (lesson.end().learned(), trouble) {
            (Ok(learned), trouble) => Ok(Lessons { learned, lattice, trouble }),
            (Err(_), Some(trouble)) => Err(trouble.into()),
            (Err(error), None) => Err(error.into()),
        }
    }
}

/// Takes one game after the other.
fn take(lesson: &mut Lesson<'_>, games: u32) -> Result<(), LearnError> {
    for game in 0..games {
        if game > 0 && !lesson.new_game()? {
            lesson.tell("no new game could be started");
            break;
        }
        lesson.game(game)?;
        // A way to the next game is a part of what is learned.
        if lesson.knows_all() && game > 0 {
            break;
        }
    }
    Ok(())
}

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

impl From<crate::capture::CaptureError> for LearnError {
    fn from(error: crate::capture::CaptureError) -> Self {
        LearnError::Play(error.into())
    }
}
