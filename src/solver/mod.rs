//! Thinking: from a board as the player sees it to what to click next, and why.
//!
//! A [`Strategy`] is given a [`Board`] and returns [`Advice`]. It cannot reach the mines, it does not
//! see pixels, and it does not read a clock: how much it may think is counted in nodes by a
//! [`Budget`], which may also carry a stop signal.
//!
//! An unclear cell is a covered cell that is never clicked and is no evidence; a number beside one
//! still proves what it can, with the unclear cell as one more unknown. Flags are somebody's claim:
//! strategies that published methods describe as trusting flags do so only for flags they have proven.
//! So a flagged cell is one more unknown too, it is advised as safe when it is proven safe, and it is
//! guessed only when no unflagged cell is left.

mod advice;
pub mod best;
mod budget;
mod choice;
mod contradiction;
mod exact;
mod fact;
mod grid;
mod groups;
mod helper_squares;
mod implication;
mod knowledge;
pub mod odds;
mod prospects;
mod single;
mod strategies;
mod worklist;

pub use advice::{Advice, Deduction, Guess, Reason};
pub use best::Best;
pub use budget::Budget;
pub use contradiction::Contradiction;
pub use exact::Exact;
pub use groups::Groups;
pub use helper_squares::{HelperSquares, Reach};
pub use implication::{Combination, Implication};
pub use prospects::{Prospect, Prospects};
pub use single::Single;
pub use strategies::{UnknownStrategy, by_name, short_names, strategies};

use crate::board::{Board, Pos};

/// A way to play.
pub trait Strategy {
    /// The name by which it is chosen.
    fn name(&self) -> &'static str;

    /// A new game begins: forgets the last one. All that is random in it comes from `seed`.
    fn new_game(&mut self, seed: u64);

    /// What to do on `board`. Called once a round: one look at the board and all that is played on it.
    ///
    /// # Errors
    /// When no arrangement of mines fits the board, as far as this strategy can tell, or when there
    /// is nothing left that may be clicked.
    fn advise(&mut self, board: &Board, budget: &mut Budget) -> Result<Advice, SolveError>;
}

/// What the numbers of `board` prove one by one, and its mine count: the two rules that every strategy starts from, at
/// next to no cost. Guesses nothing.
///
/// # Errors
/// As [`Strategy::advise`]; there is nothing to choose when nothing is proven.
pub fn obvious(board: &Board) -> Result<Advice, SolveError> {
    knowledge::Knowledge::of(board)?.advice(|_| None)
}

/// Why there is no advice.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// No arrangement of mines fits a number.
    #[error("the board is impossible: no mines fit the number at {at}; was it misread?")]
    Impossible {
        /// The number.
        at: Pos,
    },
    /// Numbers that may be right each, but not together.
    #[error(
        "the board is impossible: no mines fit the numbers at {} together; was one misread?",
        listed(numbers)
    )]
    Conflict {
        /// The numbers; without any of them the others could be right.
        numbers: Vec<Pos>,
    },
    /// The mines that are shown and proven do not fit the board's mine count.
    #[error(
        "the board is impossible: it cannot have {mines} mines in all; was the counter misread?"
    )]
    WrongMineCount {
        /// The mine count of the board.
        mines: u32,
    },
    /// Every cell is opened or unclear.
    #[error("there is no covered cell left to choose")]
    NothingToChoose,
}

fn listed(cells: &[Pos]) -> String {
    cells.iter().map(Pos::to_string).collect::<Vec<_>>().join(", ")
}
