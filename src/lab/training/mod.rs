//! Learning the two networks of the program.
//!
//! The evaluation of positions learns from finished games: [`collect`] plays games and notes each position after a guess that
//! was survived, with the end of its game; [`fit()`] makes a network that gives what happened the greatest chance. The network
//! plays better than what it learned from, so both are done again with it: `minescraper train`.
//!
//! What numbers look like is learned from [signs] that are painted for it: `scripts/train-prior.sh`.

mod fit;
pub mod signs;

pub use fit::{Network, fit, loss};

use std::ops::Range;
use std::thread;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::board::{FirstClick, Rules, Status};
use crate::lab::bench::Judge;
use crate::lab::minefield::{Minefield, Options};
use crate::solver::best::{Evaluation, Features, WEIGHTS, other_choice};
use crate::solver::odds::{Position, Workspace};
use crate::solver::{Best, Budget, Strategy};

/// A position after a guess, and what came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// What the position looks like.
    pub features: Features,
    /// 1 if the game was won and 0 if it was lost, less the luck of the guesses that came after the position
    /// ([`WithoutLuck`](crate::lab::bench::WithoutLuck)): the same on average, and less a matter of chance.
    pub worth: f64,
}

impl Network for Evaluation {
    type Sample = Sample;
    const WEIGHTS: usize = WEIGHTS;

    fn of(weights: Vec<f64>) -> Option<Self> {
        Evaluation::of(weights)
    }

    fn weights(&self) -> &[f64] {
        self.weights()
    }

    fn learn_from(&self, Sample { features, worth }: &Sample, slope: &mut [f64]) -> f64 {
        self.learn_from(features, *worth, slope)
    }
}

/// In half of the games one guess is to be another than the best: one of the first so many, if there are.
const CURIOUS: u32 = 8;

/// Plays the games with the numbers `games` and notes positions, in the order of the games on any number of
/// threads. What `judge` says of guesses is taken for their luck. Tells `played` of each game, from the thread that played it.
pub fn collect(
    make: impl Fn() -> Box<dyn Strategy + Send> + Sync,
    judge: impl Fn() -> Option<Best> + Sync,
    games: Range<u64>,
    nodes: u64,
    threads: u64,
    played: impl Fn() + Sync,
) -> Vec<Sample> {
    let threads = threads.max(1);
    let share = (games.end - games.start).div_ceil(threads).max(1);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|n| {
                let begin = (games.start + n * share).min(games.end);
                let end = (begin + share).min(games.end);
                let (make, judge, played) = (&make, &judge, &played);
                scope.spawn(move || {
                    let (mut strategy, mut judge) = (make(), judge().map(Judge::of));
                    let games = (begin..end)
                        .map(|number| game(strategy.as_mut(), judge.as_mut(), number, nodes));
                    games.inspect(|_| played()).flatten().collect()
                })
            })
            .collect();
        let parts = workers.into_iter().filter_map(|worker| worker.join().ok());
        parts.flat_map(|part: Vec<Sample>| part).collect()
    })
}

/// The rules of the game with this number: mostly Expert, some Intermediate and Beginner, half of them with an
/// opening first click.
fn rules(number: u64) -> Rules {
    let (cols, rows, mines) = match number % 10 {
        0..=6 => (30, 16, 99),
        7 | 8 => (16, 16, 40),
        _ => (9, 9, 10),
    };
    let first_click =
        if (number / 10).is_multiple_of(2) { FirstClick::Safe } else { FirstClick::Opens };
    Rules { cols, rows, mines, first_click }
}

/// Plays a game and notes the positions after guesses. After a curious guess nothing from before it is kept:
/// it would make those positions look worse than they are.
fn game(
    strategy: &mut dyn Strategy,
    mut judge: Option<&mut Judge>,
    number: u64,
    nodes: u64,
) -> Vec<Sample> {
    let mut field = Minefield::new(rules(number), Options::default(), number);
    let mut rng = ChaCha8Rng::seed_from_u64(number);
    // Stream 0 lays the mines.
    rng.set_stream(1);
    let curious_guess = rng.random_range(0..2 * CURIOUS);
    let (mut workspace, mut guesses, mut seen) = (Workspace::default(), 0, Vec::new());
    // The luck of all guesses so far.
    let mut luck = 0.0;
    strategy.new_game(number);
    while !field.status().is_over() {
        let view = field.view().clone();
        let Ok(advice) = strategy.advise(&view, &mut Budget::nodes(nodes)) else { break };
        for safe in &advice.safe {
            field.open(safe.pos);
        }
        let Some(guess) = advice.guess else { continue };
        let Ok(position) = Position::of(&view, &mut workspace, &mut Budget::nodes(nodes)) else {
            break;
        };
        let mut pos = guess.pos;
        if guesses == curious_guess {
            pos = other_choice(&position, rng.random_range(0..8)).unwrap_or(pos);
            seen.clear();
        }
        guesses += 1;
        let stakes = judge.as_mut().and_then(|judge| judge.before(&view, pos, nodes));
        field.open(pos);
        luck += stakes.map_or(0.0, |stakes| stakes.luck(field.view()));
        let Some(value) = field.view()[pos].number() else { continue };
        let child = position.open(pos, value, &mut workspace, &mut Budget::nodes(nodes));
        if let Some(child) = child.filter(|_| field.status() == Status::Playing) {
            seen.push((Features::of(&child), luck));
        }
    }
    let won = f64::from(u8::from(field.status() == Status::Won));
    let worth = |before: f64| won - (luck - before);
    seen.into_iter().map(|(features, before)| Sample { features, worth: worth(before) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Exact;

    fn samples(threads: u64) -> Vec<Sample> {
        collect(|| Box::<Exact>::default(), || None, 0..60, 100_000, threads, || ())
    }

    #[test]
    fn any_number_of_threads_notes_the_same_positions() {
        assert!(samples(1).len() > 60);
        assert_eq!(samples(1), samples(3));
    }

    #[test]
    fn without_luck_the_worths_are_the_same_on_average_and_less_spread() {
        let lucky = samples(2);
        let judged =
            collect(|| Box::<Exact>::default(), || Some(Best::default()), 0..60, 100_000, 2, || ());
        assert!(lucky.iter().zip(&judged).all(|(one, other)| one.features == other.features));
        let mean = |samples: &[Sample], of: fn(f64) -> f64| {
            samples.iter().map(|sample| of(sample.worth)).sum::<f64>() / samples.len() as f64
        };
        let spread =
            |samples| mean(samples, |worth| worth * worth) - mean(samples, |it| it).powi(2);
        let difference = mean(&lucky, |worth| worth) - mean(&judged, |worth| worth);
        assert!(difference.abs() < 0.1, "{difference}");
        assert!(spread(&judged) < 0.6 * spread(&lucky), "{} {}", spread(&judged), spread(&lucky));
    }

    #[test]
    fn fitting_makes_what_happened_likelier() {
        let samples = samples(2);
        let mut losses = Vec::new();
        let fitted: Evaluation = fit(&samples, 20, 0, |_, loss| losses.push(loss));
        assert!(losses[19] < losses[0] - 0.02, "{losses:?}");
        assert!(loss(&fitted, &samples) < losses[0]);
        assert_eq!(fitted, fit(&samples, 20, 0, |_, _| {}));
        assert!(loss(&Evaluation::learned(), &samples) < 0.65);
    }
}
