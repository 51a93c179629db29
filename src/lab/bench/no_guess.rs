//! Boards that proofs alone can finish from their first click.
//!
//! Layouts are dealt by the rules, one after another, and the first one that a prover finishes is kept,
//! so every such layout is as likely as any other. (Simon Tatham's Mines moves mines where its solver is
//! stuck: that finds crowded boards faster, and favours some layouts.) What "needs no guess" means
//! depends on the prover: a stronger one finishes more.

use super::error::NoGuessError;
use super::game::play;
use crate::board::{Pos, Rules, Status};
use crate::lab::minefield::{Minefield, Options};
use crate::solver::Strategy;
use crate::splitmix;

/// How many layouts are tried for one board.
const LAYOUTS_TRIED: u64 = 20_000;

/// A fresh board by `rules` that `prover` finishes from `first` with proofs alone, each found within
/// `nodes`. The same seed always gives the same board for the same prover.
///
/// # Errors
/// When no such board is found.
///
/// # Panics
/// When `first` is off the board, or the rules are impossible.
#[track_caller]
pub fn deal(
    rules: Rules,
    first: Pos,
    seed: u64,
    prover: &mut dyn Strategy,
    nodes: u64,
) -> Result<Minefield, NoGuessError> {
    for attempt in 0..LAYOUTS_TRIED {
        let fresh = Minefield::new(rules, Options::default(), splitmix::nth(seed, attempt));
        let mut field = fresh.clone();
        prover.new_game(seed);
        field.open(first);
        play(&mut field, prover, nodes, |_, advice, _| advice.guess.is_none())?;
        if field.status() == Status::Won {
            return Ok(fresh);
        }
    }
    Err(NoGuessError::TooRare { rules, tries: LAYOUTS_TRIED })
}
