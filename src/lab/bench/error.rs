//! What can go wrong.

use crate::board::{Pos, Rules};
use crate::lab::minefield::ImpossibleLayout;
use crate::solver::{SolveError, UnknownStrategy};

/// Why a bench did not come to its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BenchError {
    /// A name that no strategy has.
    #[error(transparent)]
    Strategy(#[from] UnknownStrategy),
    /// A strategy failed at a game.
    #[error("{strategy} failed in game {game}: {source}")]
    Game {
        /// The strategy.
        strategy: String,
        /// The number of the game, from 0.
        game: u64,
        /// What happened.
        source: GameError,
    },
    /// No board could be dealt that needs no guess.
    #[error(transparent)]
    NoGuess(#[from] NoGuessError),
    /// A board that there cannot be.
    #[error(transparent)]
    Layout(#[from] ImpossibleLayout),
    /// Fewer boards than games.
    #[error("there is no board for game {game}: only {boards} are there")]
    NoBoard {
        /// The number of the game, from 0.
        game: u64,
        /// How many boards there are.
        boards: usize,
    },
}

/// Why a game could not be played on. Either is a mistake of the strategy.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameError {
    /// No advice on a board that a game shows.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A proof that was wrong.
    #[error("it called {pos} safe, which is a mine")]
    WrongProof {
        /// The mine.
        pos: Pos,
    },
}

/// No board could be dealt that needs no guess.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoGuessError {
    /// Such boards are too rare, or there are none.
    #[error(
        "none of {tries} boards of {}x{} cells with {} mines could be finished without a guess",
        rules.cols, rules.rows, rules.mines
    )]
    TooRare {
        /// The rules that the boards were dealt by.
        rules: Rules,
        /// How many were tried.
        tries: u64,
    },
    /// The prover failed.
    #[error(transparent)]
    Game(#[from] GameError),
}

/// Why reports do not make one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MergeError {
    /// They are not of the same bench.
    #[error("the reports are not of one bench: they differ in their {what}")]
    Different {
        /// What they differ in.
        what: &'static str,
    },
    /// The same games twice.
    #[error("game {game} is in more than one of the reports")]
    Overlap {
        /// The first such game.
        game: u64,
    },
}
