//! `single`: the single-square rule to its fixpoint, then a random covered cell.
//!
//! What every player finds out in the first game, and the floor that other strategies are measured
//! against. The mine count is used as well, when it is known. Spends no nodes.

use crate::board::Board;

use super::knowledge::Knowledge;
use super::{Advice, Budget, SolveError, Strategy, choice};

/// The single-square rule; see the module.
#[derive(Clone, Debug, Default)]
pub struct Single {
    seed: u64,
}

impl Strategy for Single {
    fn name(&self) -> &'static str {
        "single"
    }

    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn advise(&mut self, board: &Board, _: &mut Budget) -> Result<Advice, SolveError> {
        Knowledge::of(board)?.advice(|known| choice::random(known, self.seed))
    }
}
