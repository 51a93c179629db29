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
pub(super) use features::inseparable;
pub use features::{CellFeatures, Features};
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
const END_GAME: usize = 2_000;

/// How far a difference is believed that is seen between cells of one position. The network errs from cell to cell, and the best of
/// several estimates is mostly one that errs upwards; 1 would be as they are, 0 the least risk. Of 1, three quarters and a half this
/// won most in paired games (`docs/guess-ranking.md`).
const TRUST: f64 = 0.5;

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
            let mut scale = Scale::default();
            let cells = candidates(position, |pos| may_try.contains(&pos));
            let weighed = |pos: Pos| {
                let survival = survival(position, pos);
                Some((pos, scale.weigh(ahead.worth(position, pos, 0.0)?, survival)))
            };
            cells.into_iter().map_while(weighed).collect()
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
    let (mut best, mut scale): (Option<(Pos, f64)>, _) = (None, Scale::default());
    let tried: HashSet<Pos> = may_try.iter().copied().collect();
    for pos in candidates(position, |pos| tried.contains(&pos)) {
        let survival = survival(position, pos);
        let bar = best.map_or(0.0, |(_, chance)| chance);
        let Some(worth) = ahead.worth(position, pos, scale.least(bar, survival)) else { break };
        let chance = scale.weigh(worth, survival);
        if best.is_none() || chance > bar {
            best = Some((pos, chance));
        }
    }
    Some(best.map_or((least, None), |(pos, worth)| (pos, Some(worth))))
}

/// The chance that the cell at `pos` is no mine.
fn survival(position: &Position, pos: Pos) -> f64 {
    1.0 - position.mine_chance(pos).unwrap_or(1.0)
}

/// Weighs the cells of one position against each other, the safest first; see [`TRUST`].
#[derive(Default)]
struct Scale {
    /// The chance to win where the safest cell was survived: what is expected of the others, too.
    expected: Option<f64>,
}

impl Scale {
    /// The chance to win by a cell, of what was seen of it and the chance to survive it.
    fn weigh(&mut self, worth: f64, survival: f64) -> f64 {
        let expected = *self.expected.get_or_insert(worth / survival.max(f64::MIN_POSITIVE));
        TRUST * worth + (1.0 - TRUST) * expected * survival
    }

    /// What has to be seen of a cell, so that it weighs more than `chance`.
    fn least(&self, chance: f64, survival: f64) -> f64 {
        let expected = self.expected.unwrap_or_default();
        (chance - (1.0 - TRUST) * expected * survival) / TRUST
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What was seen of the safest cell is believed, and half of what others are seen to be worth beyond it.
    #[test]
    fn a_riskier_cell_has_to_be_much_better() {
        let mut scale = Scale::default();
        assert_eq!(scale.weigh(0.4, 0.8), 0.4);
        // As good as the safest where it is survived.
        assert!((scale.weigh(0.3, 0.6) - 0.3).abs() < 1e-12);
        // Better by 0.1 where it is survived.
        let better = scale.weigh(0.36, 0.6);
        assert!((better - (0.3 + TRUST * 0.06)).abs() < 1e-12);
        assert!((scale.least(better, 0.6) - 0.36).abs() < 1e-12);
    }
}
