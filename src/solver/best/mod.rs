//! `best`: the cell by which the game is most likely won.
//!
//! The cell that is least likely a mine is rarely far from the best guess, yet what it tells differs. So each cell
//! that is worth a look is opened on paper, with everything that it may show, and what follows is worth
//! the chance to win from there: exactly where few arrangements are left, else as a small network judges that
//! has learned from finished games. `docs/guess-ranking.md` tells the whole, and what each part is worth.
//!
//! A node is a state of the count, or about as much work. When the budget is spent, the best cell so far is
//! opened; cells are looked at in the order of their risk, so with no budget at all that is the least risk.

mod candidates;
mod end_game;
mod evaluation;
mod features;
mod look_ahead;

pub use evaluation::{Evaluation, WEIGHTS};
pub use features::Features;
pub(super) use features::inseparable;
pub(super) use look_ahead::look_cost;

use std::collections::HashSet;

use crate::board::{Board, FirstClick, Pos};

use super::exact::advise_by_odds;
use super::knowledge::Knowledge;
use super::odds::{OddsKind, Position, Workspace};
use super::{Advice, Budget, Guess, Reason, SolveError, Strategy, choice};
use candidates::candidates;
use end_game::EndGame;
use look_ahead::LookAhead;

/// Arrangements up to which the end of a game is solved.
const END_GAME: usize = 500;

/// The chance to win; see the module.
#[derive(Clone, Debug)]
pub struct Best {
    workspace: Workspace,
    evaluation: Evaluation,
}

impl Default for Best {
    fn default() -> Self {
        Self::with(Evaluation::learned())
    }
}

impl Best {
    /// Plays by another evaluation than the learned one.
    pub fn with(evaluation: Evaluation) -> Self {
        Self { workspace: Workspace::default(), evaluation }
    }

    /// The chance to win at `position`, from 0 to 1, before anything more is looked at; `None` when the budget is spent.
    pub(super) fn win_chance(&mut self, position: &Position, budget: &mut Budget) -> Option<f64> {
        let Self { workspace, evaluation } = self;
        LookAhead { evaluation, workspace, budget }.win_chance(position)
    }

    /// For each number that opening the cell at `pos` may show, how likely that is, and the chance to win then; both 0 for what
    /// cannot be. What is not among them is the chance of a mine. `None` where a promise protects the cell, where the odds are
    /// not exact, and when the budget is spent.
    pub fn outcomes(
        &mut self,
        board: &Board,
        pos: Pos,
        budget: &mut Budget,
    ) -> Option<[(f64, f64); 9]> {
        if board.is_promised_safe() {
            return None;
        }
        let known = Knowledge::of(board).ok()?;
        let Self { workspace, evaluation } = self;
        let position = Position::of_known(&known, workspace, budget).ok()?;
        if position.kind() != OddsKind::Exact {
            return None;
        }
        LookAhead { evaluation, workspace, budget }.outcomes(&position, pos)
    }

    /// The cells that are worth a look and the chance to win by each, the best first; among equals the least risk. As many
    /// as the budget allows.
    pub(super) fn ranked(
        &mut self,
        known: &Knowledge,
        position: &Position,
        budget: &mut Budget,
    ) -> Vec<(Pos, f64)> {
        let Self { workspace, evaluation } = self;
        let may_try = choice::candidates(known);
        let mut ranked = None;
        if let Some(mut end) = EndGame::of(position, END_GAME, workspace, budget) {
            let half = budget.left() / 2;
            let cells = by_risk(&may_try, position);
            ranked = budget.limited(half, |nodes| end.win_chances(&cells, nodes));
        }
        let mut ranked = ranked.unwrap_or_else(|| {
            let mut ahead = LookAhead { evaluation, workspace, budget };
            let worth = |pos: Pos| Some((pos, ahead.worth(position, pos, 0.0)?));
            let cells = candidates(position, |pos| may_try.contains(&pos));
            cells.into_iter().map_while(worth).collect()
        });
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked
    }
}

impl Strategy for Best {
    fn name(&self) -> &'static str {
        "best"
    }

    fn new_game(&mut self, _: u64) {}

    fn advise(&mut self, board: &Board, budget: &mut Budget) -> Result<Advice, SolveError> {
        let Self { workspace, evaluation } = self;
        let mut win_chance = None;
        let guess = |known: &Knowledge, position: &Position, workspace: &mut _, budget: &mut _| {
            let (pos, chance) = choose(evaluation, known, position, workspace, budget)?;
            let risk = position.mine_chance(pos);
            // What is promised to be no mine is survived.
            let survives = if board.is_promised_safe() { 1.0 - risk.unwrap_or(0.0) } else { 1.0 };
            win_chance = chance.map(|chance| (chance / survives.max(f64::MIN_POSITIVE)).min(1.0));
            Some(Guess { pos, reason: Reason::MostWins, risk })
        };
        let mut advice = advise_by_odds(board, workspace, budget, guess)?;
        advice.win_chance = win_chance;
        Ok(advice)
    }
}

/// A cell and the chance to win by it.
fn choose(
    evaluation: &Evaluation,
    known: &Knowledge,
    position: &Position,
    workspace: &mut Workspace,
    budget: &mut Budget,
) -> Option<(Pos, Option<f64>)> {
    let may_try = choice::candidates(known);
    if let Some(pos) = opening(known.board()).filter(|pos| may_try.contains(pos)) {
        return Some((pos, None));
    }
    let order = by_risk(&may_try, position);
    let &least = order.first()?;
    if position.kind() != OddsKind::Exact {
        return Some((least, None));
    }
    if let Some(mut end) = EndGame::of(position, END_GAME, workspace, budget) {
        let half = budget.left() / 2;
        if let Some(solved) = budget.limited(half, |nodes| end.solve(&order, nodes)) {
            return Some((solved.pos, Some(solved.win_chance)));
        }
    }
    let mut ahead = LookAhead { evaluation, workspace, budget };
    let mut best: Option<(Pos, f64)> = None;
    let tried: HashSet<Pos> = may_try.iter().copied().collect();
    for pos in candidates(position, |pos| tried.contains(&pos)) {
        let bar = best.map_or(0.0, |(_, worth)| worth);
        let Some(worth) = ahead.worth(position, pos, bar) else { break };
        if best.is_none() || worth > bar {
            best = Some((pos, worth));
        }
    }
    Some(best.map_or((least, None), |(pos, worth)| (pos, Some(worth))))
}

/// These cells, the least likely mine first.
fn by_risk(cells: &[Pos], position: &Position) -> Vec<Pos> {
    let risk = |pos: &Pos| position.mine_chance(*pos).unwrap_or(1.0);
    let mut order = cells.to_vec();
    order.sort_by(|a, b| risk(a).total_cmp(&risk(b)));
    order
}

/// Where to begin a game whose first click opens a region. Near a corner few cells can be mines, yet the
/// numbers around the region lie on two sides only: of 20,000 Expert games `exact` wins 45.7 % from the corner
/// itself, 48.4 % from the second cell of both sides, 51.1 % from the third, 51.0 % from the fourth and 49.7 %
/// from the middle; smaller boards are alike.
fn opening(board: &Board) -> Option<Pos> {
    let opens = board.first_click == Some(FirstClick::Opens);
    let third = |side: u16| (side - 1).min(4) / 2;
    (opens && board.is_fresh()).then(|| Pos::new(third(board.cols()), third(board.rows())))
}

/// A cell that is worth a look though it may not be the best: the `nth` of them, counted round and round.
/// By it, training meets positions that this strategy would not play into.
pub fn other_choice(position: &Position, nth: usize) -> Option<Pos> {
    let cells = candidates(position, |_| true);
    cells.get(nth % cells.len().max(1)).copied()
}
