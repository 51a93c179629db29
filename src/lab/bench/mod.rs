//! Many simulated games, and what they say about the strategies that played them.
//!
//! A [`Bench`] has [`Deals`] (where the games come from) and some [`Contender`]s. It plays every deal with
//! each of them and returns a [`Report`]: wins with their intervals, paired differences on the same
//! deals, decision times, a fingerprint of all decisions, and whether the chance to win that a strategy saw was
//! [true](Calibration). Everything but the times depends on the
//! deals, the seed and the budgets alone, never on the number of threads or on how the games were split
//! into shards; reports of shards [merge](Report::merge) into the report of the whole.
//!
//! [`no_guess`] deals boards that proofs alone can finish.

mod calibration;
mod deals;
mod error;
mod fingerprint;
mod game;
pub mod interval;
mod luck;
pub mod no_guess;
mod pair;
mod report;
mod run;
mod times;

pub use calibration::{BINS, Bin, Calibration};
pub use deals::{Deal, Deals, first_click};
pub use error::{BenchError, GameError, MergeError, NoGuessError};
pub use fingerprint::Fingerprint;
pub use game::Played;
pub(crate) use luck::Judge;
pub use luck::WithoutLuck;
pub use pair::Pair;
pub use report::{Contender, Report, Score, Setup};
pub use run::Bench;
pub use times::Times;
