//! Which cells a guess may take, and the random one among them.
//!
//! An unclear cell is never tried. A flagged one is tried only when no other is left: whoever flagged it
//! may know something, but a wrong flag must not end the game in a deadlock.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::board::{Cell, Pos};

use super::fact::Fact;
use super::knowledge::Knowledge;
use super::{Guess, Reason};

/// Whether a guess may take the cell at `pos`: nothing is proven of it, and it carries no flag.
pub(super) fn may_try(known: &Knowledge, pos: Pos) -> bool {
    known.fact(pos) == Fact::Unknown
        && matches!(known.board()[pos], Cell::Covered | Cell::Questioned)
}

/// The cells that a guess may take, row by row; flagged ones only when there is no other.
pub(super) fn candidates(known: &Knowledge) -> Vec<Pos> {
    let board = known.board();
    let cells: Vec<Pos> = board.positions().filter(|&pos| may_try(known, pos)).collect();
    if !cells.is_empty() {
        return cells;
    }
    let open = |&pos: &Pos| known.fact(pos) == Fact::Unknown && board[pos] == Cell::Flagged;
    board.positions().filter(open).collect()
}

/// A cell of which nothing is proven, each as likely as any other.
///
/// It depends on the seed and the board alone, not on earlier choices, so a decision that is taken
/// again, from a recording for one, comes out the same.
pub(super) fn random(known: &Knowledge, seed: u64) -> Option<Guess> {
    let cells = candidates(known);
    if cells.is_empty() {
        return None;
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Stream 0 lays the mines of a simulated game, perhaps from the same seed: a choice drawn from it
    // would know more than it should.
    rng.set_stream(1 + known.board().count(Cell::is_unopened) as u64);
    let pos = cells[rng.random_range(0..cells.len())];
    Some(Guess { pos, reason: Reason::Random, risk: None })
}
