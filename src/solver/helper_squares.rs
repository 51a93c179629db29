//! `near` and `far`: two numbers that share unknown cells, and what one proves for the other.
//!
//! After Neil Kirby, *Introduction to Game AI*, chapter 4. Two numbers, the *original* and its
//! *helper*, share some unknown cells; both may have others of their own, the private ones. The helper
//! forces at least its missing mines less its private cells into the shared ones. When these are all
//! the mines that the original misses, its private cells are clear. In the same way, when the helper
//! forces all the clear cells of the original into the shared ones, its private cells are mines. The
//! rule decides all of the original's private cells and none of the shared ones.
//!
//! Kirby keeps two strengths apart on purpose, to set how clever and how human a player looks: `near`
//! takes helpers that touch the original, which people see easily, and `far` any helper that shares an
//! unknown cell, up to two cells away. Both apply the single-square rule and the mine count first, and
//! all to the fixpoint, in which the order of the rules does not matter. Guesses are random. One look
//! at an original with all its helpers is one node.

use crate::board::{Board, Pos};

use super::fact::{Clash, Fact};
use super::knowledge::{Knowledge, Number};
use super::worklist::Worklist;
use super::{Advice, Budget, Reason, SolveError, Strategy, choice};

/// How far a helper may stand from its original.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// It touches the original.
    Near,
    /// It shares an unknown cell with the original.
    Far,
}

impl Reach {
    fn cells(self) -> u16 {
        match self {
            Reach::Near => 1,
            Reach::Far => 2,
        }
    }
}

/// Proof by helper squares; see the module.
#[derive(Clone, Debug)]
pub struct HelperSquares {
    reach: Reach,
    seed: u64,
}

impl HelperSquares {
    /// The strategy with helpers up to `reach`, and the seed 0 until it is told of a new game.
    pub fn new(reach: Reach) -> Self {
        Self { reach, seed: 0 }
    }
}

impl Strategy for HelperSquares {
    fn name(&self) -> &'static str {
        match self.reach {
            Reach::Near => "near",
            Reach::Far => "far",
        }
    }

    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn advise(&mut self, board: &Board, budget: &mut Budget) -> Result<Advice, SolveError> {
        let mut known = Knowledge::of(board)?;
        Worklist::all(&known)
            .run(&mut known, budget, |known, original| ask_helpers(known, original, self.reach))?;
        known.advice(|known| choice::random(known, self.seed))
    }
}

/// Learns the private cells of `original` if some helper settles what it shares with it.
fn ask_helpers(known: &mut Knowledge, original: Number, reach: Reach) -> Result<(), Clash> {
    for pos in known.board().within(original.pos, reach.cells()) {
        let Some(helper) = known.number(pos) else {
            continue;
        };
        let is_shared = |cell: &Pos| cell.touches(helper.pos);
        let shared = known.unknowns(original.pos).filter(is_shared).count() as u8;
        if let Some(fact) = private_cells(original, helper, shared)? {
            let private: Vec<Pos> =
                known.unknowns(original.pos).filter(|cell| !is_shared(cell)).collect();
            let reason = Reason::HelperSquare { original: original.pos, helper: helper.pos };
            // The original has changed; it is on the list again.
            return known.learn_all(private, fact, reason);
        }
    }
    Ok(())
}

/// What the unknown cells of `original` are that it does not share with `helper`, if that follows from
/// how many they share.
fn private_cells(original: Number, helper: Number, shared: u8) -> Result<Option<Fact>, Clash> {
    if shared == 0 || shared == original.unknown {
        return Ok(None);
    }
    let elsewhere = helper.unknown - shared;
    let mines = helper.missing.saturating_sub(elsewhere);
    let clears = helper.clears().saturating_sub(elsewhere);
    if mines > original.missing || clears > original.clears() {
        return Err(Clash::Number(original.pos));
    }
    Ok(if mines == original.missing {
        Some(Fact::Clear)
    } else if clears == original.clears() {
        Some(Fact::Mine)
    } else {
        None
    })
}
