//! Where the games come from.

use super::error::BenchError;
use super::no_guess;
use crate::board::{FirstClick, Pos, Rules};
use crate::lab::formats::LaidBoard;
use crate::lab::minefield::{Minefield, Options};
use crate::solver::by_name;
use crate::splitmix;

/// The games of a bench, by their numbers from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Deals {
    /// Dealt by these rules when the first cell is opened, which the strategy chooses: each layout that
    /// the rules allow is equally likely, and strategies that choose the same cell get the same layout.
    Fresh(Rules),
    /// Dealt by these rules with the first click at [`first_click`], and only those that need
    /// [no guess](no_guess).
    NoGuess {
        /// The rules.
        rules: Rules,
        /// The name of the strategy whose proofs finish them.
        prover: String,
        /// How many nodes each of its decisions may take.
        nodes: u64,
    },
    /// These boards, one after the other.
    Laid {
        /// The boards.
        boards: Vec<LaidBoard>,
        /// Whether the strategy chooses the first click, which then may be a mine. On a board without one it
        /// always does.
        own_first_click: bool,
    },
}

/// A game that is about to begin.
#[derive(Clone, Debug)]
pub struct Deal {
    /// The game, with nothing opened.
    pub field: Minefield,
    /// The first click, unless the strategy chooses it.
    pub first: Option<Pos>,
    /// What the strategy's own dice start from. They are not those that laid the mines: with these a
    /// strategy would know more than it should.
    pub strategy_seed: u64,
}

impl Deals {
    /// The game with the number `index`. The same seed always gives the same game.
    ///
    /// # Errors
    /// When there is no such game, or the prover of boards without a guess is unknown or fails.
    ///
    /// # Panics
    /// When the rules are impossible, which [`Rules::new`] refuses.
    pub fn deal(&self, seed: u64, index: u64) -> Result<Deal, BenchError> {
        let seed = splitmix::nth(seed, index);
        let (field, first) = match self {
            Deals::Fresh(rules) => (Minefield::new(*rules, Options::default(), seed), None),
            Deals::NoGuess { rules, prover, nodes } => {
                let (mut prover, first) = (by_name(prover)?, first_click(rules));
                (no_guess::deal(*rules, first, seed, prover.as_mut(), *nodes)?, Some(first))
            }
            Deals::Laid { boards, own_first_click } => {
                let board = laid(boards, index)?;
                (board.field()?, board.first.filter(|_| !own_first_click))
            }
        };
        Ok(Deal { field, first, strategy_seed: splitmix::mix(seed) })
    }

    /// The game with the number `index` as a file of boards has it; a first click that is the strategy's
    /// own choice, and by which the mines are laid, is at [`first_click`].
    ///
    /// # Errors
    /// As [`Deals::deal`].
    ///
    /// # Panics
    /// As [`Deals::deal`].
    pub fn lay(&self, seed: u64, index: u64) -> Result<LaidBoard, BenchError> {
        if let Deals::Laid { boards, .. } = self {
            return laid(boards, index).cloned();
        }
        let Deal { mut field, first, .. } = self.deal(seed, index)?;
        let first = first.unwrap_or_else(|| first_click(field.rules()));
        field.open(first);
        let (cols, rows) = (field.rules().cols, field.rules().rows);
        Ok(LaidBoard { cols, rows, first: Some(first), mines: field.mines().unwrap_or_default() })
    }
}

fn laid(boards: &[LaidBoard], index: u64) -> Result<&LaidBoard, BenchError> {
    let board = usize::try_from(index).ok().and_then(|index| boards.get(index));
    board.ok_or(BenchError::NoBoard { game: index, boards: boards.len() })
}

/// Where the first click is when nobody chooses it: in the top left corner, or where that has to open a
/// region, away from the edges at (3, 3), as far as the board reaches.
pub fn first_click(rules: &Rules) -> Pos {
    match rules.first_click {
        FirstClick::Safe | FirstClick::Any => Pos::new(0, 0),
        FirstClick::Opens => {
            Pos::new(3.min(rules.cols.saturating_sub(1)), 3.min(rules.rows.saturating_sub(1)))
        }
    }
}
