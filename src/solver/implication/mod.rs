//! `implication-average`, `-minimum` and `-maximum`: place the mines of one number in every way that the
//! numbers near it allow, and remember from round to round what came of it.
//!
//! After the draft of a C project in four parts: combinations, a list of points, the mine field and the
//! player. Three steps:
//! - *Differences*: the board is compared with the one of the round before, and only numbers near a
//!   change are looked at ([`memory`]).
//! - *Implication*: the missing mines of such a number are placed among its unknown cells in every way,
//!   and a placement that the numbers near it cannot bear is dropped ([`placements`]). The share of
//!   placements with a mine in a cell is kept in that cell, in one of eight slots, by the direction in
//!   which the number lies. A share of 0 or 1 is a proof, and the numbers near it are looked at again.
//! - *Guesswork*: a cell's chance of a mine is the average, the minimum or the maximum of its slots. If
//!   the least one is below the density of mines in all unknown cells, it is taken; if not, a random
//!   cell that has no chance yet.
//!
//! Where the draft is silent: when every cell has a chance, or the mine count is not even assumed, the
//! least chance is taken; equal chances are told apart by the seed. One look at a number is one node;
//! when the budget is spent, nothing is remembered, and the next round looks at the whole board.
//!
//! The surprise: what is remembered saves looks and changes nothing else. A board that does not
//! continue the one remembered is looked at as a whole, and the advice on a board is the same whatever
//! came before, as long as the budget lasts.

mod memory;
mod placements;

use crate::board::Board;

use super::knowledge::Knowledge;
use super::{Advice, Budget, Guess, Reason, SolveError, Strategy, choice};

use memory::Memory;

/// How a cell's chance is made of those that the numbers around it give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combination {
    /// Their average.
    Average,
    /// The least of them.
    Minimum,
    /// The greatest of them.
    Maximum,
}

impl Combination {
    /// The one chance made of `chances`; `None` of none.
    fn of(self, chances: impl Iterator<Item = f64>) -> Option<f64> {
        match self {
            Combination::Average => {
                let (sum, count) =
                    chances.fold((0.0, 0.0), |(sum, n), chance| (sum + chance, n + 1.0));
                (count > 0.0).then_some(sum / count)
            }
            Combination::Minimum => chances.min_by(f64::total_cmp),
            Combination::Maximum => chances.max_by(f64::total_cmp),
        }
    }
}

/// Proof by placements and guesses by their shares; see the module.
#[derive(Clone, Debug)]
pub struct Implication {
    combination: Combination,
    seed: u64,
    memory: Option<Memory>,
}

impl Implication {
    /// The strategy that makes one chance of several by `combination`, with the seed 0 until it is told
    /// of a new game.
    pub fn new(combination: Combination) -> Self {
        Self { combination, seed: 0, memory: None }
    }

    fn guess(&self, known: &Knowledge, memory: &Memory) -> Option<Guess> {
        let chance = |pos| self.combination.of(memory.chances(pos));
        let least = choice::least_chance(known, self.seed, chance);
        let density = known.density();
        let away = || {
            let mut cells = choice::candidates(known);
            cells.retain(|&pos| chance(pos).is_none());
            let pos = choice::one_of(&cells, known, self.seed)?;
            let reason = if least.is_some() { Reason::AwayFromNumbers } else { Reason::Random };
            Some(Guess { pos, reason, risk: density })
        };
        least.filter(|least| density.is_none() || least.risk < density).or_else(away).or(least)
    }
}

impl Strategy for Implication {
    fn name(&self) -> &'static str {
        match self.combination {
            Combination::Average => "implication-average",
            Combination::Minimum => "implication-minimum",
            Combination::Maximum => "implication-maximum",
        }
    }

    fn new_game(&mut self, seed: u64) {
        *self = Self { seed, memory: None, ..*self };
    }

    fn advise(&mut self, board: &Board, budget: &mut Budget) -> Result<Advice, SolveError> {
        let mut known = Knowledge::of(board)?;
        let mut memory = match self.memory.take() {
            Some(memory) if memory.is_continued_by(board) => memory,
            _ => Memory::nothing(board),
        };
        memory.recall(&mut known)?;
        let looked_at_all =
            memory.differences(&known).run(&mut known, budget, |known, number| {
                placements::look(known, number, &mut memory)
            })?;
        if looked_at_all {
            memory.remember(&known);
        }
        let advice = known.advice(|known| self.guess(known, &memory));
        self.memory = looked_at_all.then_some(memory);
        advice
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Pos;

    /// The chances that the numbers around it give to a cell of `drawing`.
    fn chances(drawing: &str, pos: Pos) -> Vec<f64> {
        let board: Board = drawing.parse().unwrap();
        let mut known = Knowledge::of(&board).unwrap();
        let mut memory = Memory::nothing(&board);
        let changed = memory.differences(&known);
        let look = |known: &mut Knowledge, number| placements::look(known, number, &mut memory);
        assert!(changed.run(&mut known, &mut Budget::nodes(1000), look).unwrap());
        memory.chances(pos).collect()
    }

    #[test]
    fn a_cell_keeps_a_chance_for_each_number_around_it() {
        // The 2 has 15 placements that the 1 allows, 12 of them with one mine in the four shared cells;
        // the 1 has 7, and the 2 can bear them all.
        let board = "####\n#21#\n####";
        assert_eq!(chances(board, Pos::new(0, 0)), [6.0 / 15.0]);
        assert_eq!(chances(board, Pos::new(3, 0)), [1.0 / 7.0]);
        let mut shared = chances(board, Pos::new(1, 0));
        shared.sort_by(f64::total_cmp);
        assert_eq!(shared, [1.0 / 7.0, 3.0 / 15.0]);
    }

    #[test]
    fn chances_are_combined_to_their_average_minimum_or_maximum() {
        let of =
            |combination: Combination, chances: &[f64]| combination.of(chances.iter().copied());
        let chances = [0.5, 0.25, 0.75, 0.25];
        assert_eq!(of(Combination::Average, &chances), Some(0.4375));
        assert_eq!(of(Combination::Minimum, &chances), Some(0.25));
        assert_eq!(of(Combination::Maximum, &chances), Some(0.75));
        for combination in [Combination::Average, Combination::Minimum, Combination::Maximum] {
            assert_eq!(of(combination, &[]), None);
        }
    }
}
