//! Looking ahead: what each cell may show, and what the game is worth then.

use super::end_game::EndGame;
use super::evaluation::Evaluation;
use super::features::Features;
use crate::board::Pos;
use crate::solver::Budget;
use crate::solver::odds::{OddsKind, Position, Workspace};

/// Arrangements up to which a position that may come up is solved to the end.
const SOLVED: usize = 500;
/// Nodes that such an end may take.
const SOLVED_NODES: u64 = 8_000;
/// What a look at a position costs in nodes, besides the states of its count.
const LOOK_COST: u64 = 100;
/// A look goes over the whole board and all that ties it together. Where that is much it costs a node for so many cells and
/// weights; on boards of up to 9,000 cells it hardly ever is.
const EXTENT_A_NODE: u64 = 100;
/// What happens less often is not looked at; it counts as lost.
const RARE: f64 = 1e-4;

/// What a look at `position` costs in nodes.
pub(in crate::solver) fn look_cost(position: &Position) -> u64 {
    LOOK_COST.max(position.extent() / EXTENT_A_NODE)
}

/// Looks ahead from positions.
pub(super) struct LookAhead<'s> {
    pub evaluation: &'s Evaluation,
    pub workspace: &'s mut Workspace,
    pub budget: &'s mut Budget,
}

impl LookAhead<'_> {
    /// The chance to win by opening the cell at `pos`; `None` when the budget is spent. Stops when it cannot
    /// be more than `least`, and returns something less.
    pub fn worth(&mut self, position: &Position, pos: Pos, least: f64) -> Option<f64> {
        let look = look_cost(position);
        // On a usual board what a cell may show is told by little more than its own components.
        if !self.budget.spend_many(look - LOOK_COST) {
            return None;
        }
        let weights = position.value_weights(pos, self.workspace, self.budget);
        let mut shown: Vec<(u8, f64)> =
            (0..9).zip(weights).filter(|&(_, weight)| weight > RARE).collect();
        shown.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut left: f64 = shown.iter().map(|&(_, weight)| weight).sum();
        let mut worth = 0.0;
        for (value, weight) in shown {
            if worth + left <= least {
                break;
            }
            left -= weight;
            if !self.budget.spend_many(look) {
                return None;
            }
            if let Some(child) = position.open(pos, value, self.workspace, self.budget) {
                worth += weight * self.value(&child);
            }
        }
        Some(worth)
    }

    /// For each number that the cell at `pos` may show, how likely that is, and the chance to win then; `None` when the budget is
    /// spent.
    pub fn outcomes(&mut self, position: &Position, pos: Pos) -> Option<[(f64, f64); 9]> {
        let mut outcomes =
            position.value_weights(pos, self.workspace, self.budget).map(|chance| (chance, 0.0));
        for (value, (chance, worth)) in (0..9).zip(&mut outcomes) {
            if *chance <= 0.0 {
                continue;
            }
            if !self.budget.spend_many(look_cost(position)) {
                return None;
            }
            let child = position.open(pos, value, self.workspace, self.budget);
            *worth = child.map_or(0.0, |child| self.value(&child));
        }
        Some(outcomes)
    }

    /// The chance to win at `position`; `None` when the budget is spent.
    pub fn win_chance(&mut self, position: &Position) -> Option<f64> {
        self.budget.spend_many(look_cost(position)).then(|| self.value(position))
    }

    /// The chance to win from a position that came up.
    fn value(&mut self, position: &Position) -> f64 {
        let is_exact = position.kind() == OddsKind::Exact;
        let end = is_exact.then(|| EndGame::of(position, SOLVED, self.workspace, self.budget));
        let solved = end
            .flatten()
            .and_then(|mut end| self.budget.limited(SOLVED_NODES, |nodes| end.win_chance(nodes)));
        solved.unwrap_or_else(|| self.evaluation.win_chance(&Features::of(position)))
    }
}
