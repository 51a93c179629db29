//! `exact`: the cell that is least likely a mine, by exact odds.
//!
//! The rules of [`Knowledge`] come first; they are cheap, and what they prove is played before anything
//! is counted. Else all arrangements of mines are counted ([`odds`](super::odds)): what is the same in
//! all of them is proven, and without a proof the least likely mine is opened. This is how nearly every
//! strong solver decides most of its guesses.
//!
//! Ties are frequent, above all among cells that touch no number. They go to a cell that touches one,
//! because what it shows adds to what is known there; then to the cell with the fewest unknown cells around
//! it, a corner before an edge, because it is likelier to open a region; then row by row. On a fresh board
//! that makes the first click a corner. Of six such rules, among them the greatest chance of a 0, this won
//! the most of 20,000 Expert games, though hardly more than chance can tell.
//!
//! One state of the count is one node. When the budget is spent the odds are sampled, and say so.

use crate::board::{Board, Pos};

use super::fact::Fact;
use super::knowledge::Knowledge;
use super::odds::{Position, Workspace};
use super::{Advice, Budget, Guess, Reason, SolveError, Strategy, choice};

/// Chances that differ by less are equal but for rounding.
const EQUAL: f64 = 1e-9;

/// Least mine probability; see the module.
#[derive(Clone, Debug, Default)]
pub struct Exact {
    workspace: Workspace,
}

impl Strategy for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn new_game(&mut self, _: u64) {}

    fn advise(&mut self, board: &Board, budget: &mut Budget) -> Result<Advice, SolveError> {
        advise_by_odds(board, &mut self.workspace, budget, |known, position, _, _| {
            least_risk(known, position)
        })
    }
}

/// What the rules prove; else what counting proves, or `guess` when that is nothing, with the odds.
pub(super) fn advise_by_odds(
    board: &Board,
    workspace: &mut Workspace,
    budget: &mut Budget,
    guess: impl FnOnce(&Knowledge, &Position, &mut Workspace, &mut Budget) -> Option<Guess>,
) -> Result<Advice, SolveError> {
    let mut known = Knowledge::of(board)?;
    if known.has_safe() {
        return known.advice(|_| None);
    }
    let position = Position::of_known(&known, workspace, budget)?;
    known.learn_all(position.safe_cells(), Fact::Clear, Reason::EveryArrangement)?;
    known.learn_all(position.mined_cells(), Fact::Mine, Reason::EveryArrangement)?;
    let mut advice = known.advice(|known| guess(known, &position, workspace, budget))?;
    advice.odds = Some(position.odds(board));
    Ok(advice)
}

/// The cell that is least likely a mine.
fn least_risk(known: &Knowledge, position: &Position) -> Option<Guess> {
    let board = known.board();
    let cells = choice::candidates(known);
    let risk = |pos: Pos| position.mine_chance(pos).unwrap_or(1.0);
    let least = cells.iter().map(|&pos| risk(pos)).min_by(f64::total_cmp)?;
    let is_least = |pos: &Pos| risk(*pos) <= least + EQUAL;
    let rank = |&pos: &Pos| {
        let touches_number = board.neighbours(pos).any(|near| board[near].number().is_some());
        (!touches_number, known.unknowns(pos).count())
    };
    let pos = cells.into_iter().filter(is_least).min_by_key(rank)?;
    Some(Guess { pos, reason: Reason::LeastChance, risk: Some(risk(pos)) })
}
