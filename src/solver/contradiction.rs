//! `contradiction`: suppose a mine, suppose none, and keep what survives alone.
//!
//! After a published C++ series on solving Windows Minesweeper from the screen. In turns, until
//! neither finds anything: *scan*, the rules of [`Knowledge`]; and *secrets*, where every unknown cell
//! beside a number is supposed to be a mine and then to be clear, each scanned to its end. If only one
//! survives, it is the truth. One supposition is one node, and more where very much follows from it; a spent budget ends
//! the search for secrets, and what was proven until then is the advice.
//!
//! Guesses: in the first five rounds of a game a corner that is still covered, anti-clockwise from the
//! top left; after that one of two cells of which a number says that just one is a mine, because
//! surviving tells what the other is; then a random covered cell. A round is one call of
//! [`Strategy::advise`], whether it guesses or not.

use crate::board::{Board, Pos};

use super::fact::Fact;
use super::knowledge::Knowledge;
use super::{Advice, Budget, Guess, Reason, SolveError, Strategy, choice};

/// Rounds of a game in which a guess is a corner.
const CORNER_ROUNDS: u32 = 5;

/// When so many facts follow from a supposition it costs a node more: more than an Expert board has cells.
const FACTS_A_NODE: usize = 512;

/// Proof by contradiction; see the module.
#[derive(Clone, Debug, Default)]
pub struct Contradiction {
    seed: u64,
    rounds: u32,
}

impl Strategy for Contradiction {
    fn name(&self) -> &'static str {
        "contradiction"
    }

    fn new_game(&mut self, seed: u64) {
        *self = Self { seed, rounds: 0 };
    }

    fn advise(&mut self, board: &Board, budget: &mut Budget) -> Result<Advice, SolveError> {
        self.rounds = self.rounds.saturating_add(1);
        let mut known = Knowledge::of(board)?;
        find_secrets(&mut known, budget)?;
        known.advice(|known| {
            let corner = if self.rounds <= CORNER_ROUNDS { corner(known) } else { None };
            corner.or_else(|| fifty_fifty(known)).or_else(|| choice::random(known, self.seed))
        })
    }
}

/// Learns every cell beside a number of which only one content survives its scan.
///
/// A supposition that was seen to follow from one that survived need not be tried: it leads to a part
/// of the same facts, so it survives too. That holds as long as nothing new is known, so each pass over
/// the cells starts with no such memory, and the pass that finds nothing has seen every case.
fn find_secrets(known: &mut Knowledge, budget: &mut Budget) -> Result<(), SolveError> {
    let board = known.board();
    let cells: Vec<Pos> = known.border().collect();
    let mut survived = vec![[false; 2]; usize::from(board.cols()) * usize::from(board.rows())];
    let slot = |fact| usize::from(fact == Fact::Mine);
    loop {
        let mut found = false;
        for &pos in &cells {
            for content in [Fact::Mine, Fact::Clear] {
                if known.fact(pos) != Fact::Unknown {
                    break;
                }
                if survived[board.index(pos)][slot(content)] {
                    continue;
                }
                if !budget.spend() {
                    return Ok(());
                }
                let follows = |pos, fact| survived[board.index(pos)][slot(fact)] = true;
                let outcome = known.suppose(pos, content, follows);
                if !budget.spend_many((known.supposed() / FACTS_A_NODE) as u64) {
                    return Ok(());
                }
                if let Err(clash) = outcome {
                    known.refute(pos, content, clash)?;
                    found = true;
                }
            }
        }
        if !found {
            return Ok(());
        }
        survived.fill([false; 2]);
    }
}

fn corner(known: &Knowledge) -> Option<Guess> {
    let (right, bottom) = (known.board().cols() - 1, known.board().rows() - 1);
    [(0, 0), (0, bottom), (right, bottom), (right, 0)]
        .into_iter()
        .map(|(col, row)| Pos::new(col, row))
        .find(|&pos| choice::may_try(known, pos))
        .map(|pos| Guess { pos, reason: Reason::Corner, risk: None })
}

/// The first such cell, row by row of its numbers. The risk is not one half for sure, other numbers
/// have a say in it too, so none is stated.
fn fifty_fifty(known: &Knowledge) -> Option<Guess> {
    known.numbers().filter(|number| (number.missing, number.unknown) == (1, 2)).find_map(|number| {
        let pos = known.unknowns(number.pos).find(|&pos| choice::may_try(known, pos))?;
        Some(Guess { pos, reason: Reason::FiftyFifty { number: number.pos }, risk: None })
    })
}
