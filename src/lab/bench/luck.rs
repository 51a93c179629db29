//! The luck of guesses, and what is left of a result without it.
//!
//! Before a guess the exact odds say how likely each number is that may come up, and an estimate says what the game is worth
//! then. The luck of the guess is what the game is worth after it less what it was worth on average; all that of a game,
//! subtracted from 1 for a win or 0 for a loss, leaves the result without it. Luck is 0 on average, however wrong the
//! estimate is, as long as the odds are right: so the mean stays what it was, and its noise becomes less. This is a control
//! variate (M. White and M. Bowling, *Learning a Value Analysis Tool for Agent Evaluation*, 2009).
//!
//! The odds are right for boards on which every arrangement of mines was equally likely: those that are dealt, not those that
//! somebody chose. A first click that is promised to be safe is not counted.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::interval::normal;
use super::report::joined;
use crate::board::{Board, Pos};
use crate::solver::{Best, Budget};

/// Sums are kept in these parts of a game: whole numbers, so that they are the same in whatever order games end.
const PARTS: f64 = 1e5;

/// Estimates what guesses may bring.
#[derive(Debug, Default)]
pub(crate) struct Judge {
    best: Best,
}

impl Judge {
    /// Estimates as `best` does.
    pub(crate) fn of(best: Best) -> Self {
        Self { best }
    }

    /// What a guess may bring, that is about to be made; `None` where the odds are not exact within so many nodes.
    pub(crate) fn before(&mut self, board: &Board, pos: Pos, nodes: u64) -> Option<Stakes> {
        let shown = self.best.outcomes(board, pos, &mut Budget::nodes(nodes))?;
        let mean = shown.iter().map(|(chance, worth)| chance * worth).sum();
        Some(Stakes { pos, worths: shown.map(|(_, worth)| worth), mean })
    }
}

/// What a guess may bring.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Stakes {
    pos: Pos,
    /// What the game is worth when each number comes up.
    worths: [f64; 9],
    /// What it is worth on average; a mine is worth nothing.
    mean: f64,
}

impl Stakes {
    /// How lucky the guess was, as `board` shows it.
    pub(crate) fn luck(&self, board: &Board) -> f64 {
        let worth = board[self.pos].number().map_or(0.0, |number| self.worths[usize::from(number)]);
        worth - self.mean
    }
}

/// The mean of results without the luck in them, or of differences between two such results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct WithoutLuck {
    /// Games whose luck was measured.
    pub games: u64,
    /// The sum of their results, in parts of a hundred thousand.
    pub sum: i64,
    /// The sum of the squares of those.
    pub squares: u64,
}

impl WithoutLuck {
    pub(super) fn add(&mut self, result: f64) {
        let parts = (PARTS * result).round() as i64;
        self.games += 1;
        self.sum = self.sum.saturating_add(parts);
        self.squares = self.squares.saturating_add(parts.unsigned_abs().pow(2));
    }

    pub(super) fn merge(&mut self, other: &WithoutLuck) {
        self.games = self.games.saturating_add(other.games);
        self.sum = self.sum.saturating_add(other.sum);
        self.squares = self.squares.saturating_add(other.squares);
    }

    pub(super) fn negated(self) -> Self {
        Self { sum: -self.sum, ..self }
    }

    /// The mean, from 0 to 1 for results and from -1 to 1 for differences, but for chance; `None` when no luck was measured.
    pub fn mean(&self) -> Option<f64> {
        (self.games > 0).then(|| self.sum as f64 / PARTS / self.games as f64)
    }

    /// The 95 % interval of the mean; `None` for less than two games.
    pub fn interval(&self) -> Option<[f64; 2]> {
        normal(self.sum as f64 / PARTS, self.squares as f64 / (PARTS * PARTS), self.games)
    }

    pub(super) fn to_json(self) -> Value {
        joined(json!(self), json!({ "mean": self.mean(), "ci95": self.interval() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::text;

    /// A 50/50 is worth one half before, and nothing or the game after.
    #[test]
    fn the_luck_of_a_coin_is_half_a_game() {
        let read = |rows: &str| text::parse(&format!("minescraper 2x2 mines=1\n{rows}")).unwrap().0;
        let board = read("1#\n1#");
        let stakes = Judge::default().before(&board, Pos::new(1, 0), 1000).unwrap();
        assert!((stakes.luck(&read("11\n1#")) - 0.5).abs() < 1e-9);
        assert!((stakes.luck(&read("1X\n1#")) + 0.5).abs() < 1e-9);
    }

    #[test]
    fn results_add_up_to_their_mean_and_its_interval() {
        let mut all = WithoutLuck::default();
        assert_eq!((all.mean(), all.interval()), (None, None));
        for result in [0.2, 0.4, -0.1, 0.5] {
            all.add(result);
        }
        let [low, high] = all.interval().unwrap();
        assert!((all.mean().unwrap() - 0.25).abs() < 1e-9);
        // Their variance is 0.07, that of their mean a quarter of it.
        assert!((high - low - 2.0 * 1.959964 * (0.07_f64 / 4.0).sqrt()).abs() < 1e-6);
        assert_eq!(all.negated().mean(), Some(-0.25));
    }
}
