//! Playing the games of a bench on several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use super::luck::Judge;
use super::{BenchError, Contender, Deals, Played, Report, Setup};
use crate::solver::{Strategy, by_name};

/// How many games may wait to be counted.
const BACKLOG: usize = 256;

/// Some games, and who plays them.
#[derive(Clone, Debug)]
pub struct Bench {
    /// What the report says of the games; its seed deals them.
    pub setup: Setup,
    /// Where the games come from.
    pub deals: Deals,
    /// Who plays them.
    pub contenders: Vec<Contender>,
    /// Whether the luck of guesses is [measured](super::WithoutLuck), beside the decisions, whose times it is not part of.
    pub luck: bool,
}

impl Bench {
    /// Plays the games with these numbers, each with every contender, on `threads` threads (at least
    /// one). `progress` is told after every game how each contender played it, and how it stands; games end in any order.
    ///
    /// Once `stop` is true no more games begin. Those under way are played to their end, so that long games are as
    /// likely to be counted as short ones; the report is that of the first games, and says that it is partial.
    ///
    /// # Errors
    /// When a strategy is unknown, fails or proves something wrong, or there is no such game.
    pub fn run(
        &self,
        games: Range<u64>,
        threads: usize,
        stop: &AtomicBool,
        mut progress: impl FnMut(&[Played], &Report),
    ) -> Result<Report, BenchError> {
        let mut report = Report::new(self.setup.clone(), &self.contenders);
        let next = AtomicU64::new(games.start);
        thread::scope(|scope| {
            let (finished, results) = sync_channel(BACKLOG);
            for _ in 0..threads.max(1) {
                let (finished, next, end) = (finished.clone(), &next, games.end);
                scope.spawn(move || {
                    let more = || {
                        let goes_on = !stop.load(Ordering::Relaxed);
                        let index = goes_on.then(|| next.fetch_add(1, Ordering::Relaxed));
                        index.filter(|&index| index < end)
                    };
                    self.work(more, |played| finished.send(played).is_ok());
                });
            }
            drop(finished);
            // When a game fails, the channel closes behind it and the threads end.
            for played in results {
                let played = played?;
                report.add(&played);
                progress(&played, &report);
            }
            Ok::<_, BenchError>(())
        })?;
        let played = games.start..next.into_inner().min(games.end);
        report.partial = played.end < games.end;
        report.played = vec![played];
        Ok(report)
    }

    /// Plays the next game again and again, until there is none or `finished` answers no.
    fn work(
        &self,
        next: impl Fn() -> Option<u64>,
        finished: impl Fn(Result<Vec<Played>, BenchError>) -> bool,
    ) {
        let strategies = self.contenders.iter().map(|contender| by_name(&contender.name));
        let mut strategies: Vec<_> = match strategies.collect::<Result<_, _>>() {
            Ok(strategies) => strategies,
            Err(unknown) => {
                finished(Err(unknown.into()));
                return;
            }
        };
        let mut judge = self.luck.then(Judge::default);
        while let Some(index) = next() {
            if !finished(self.play(index, &mut strategies, judge.as_mut())) {
                return;
            }
        }
    }

    fn play(
        &self,
        index: u64,
        strategies: &mut [Box<dyn Strategy + Send>],
        mut judge: Option<&mut Judge>,
    ) -> Result<Vec<Played>, BenchError> {
        let mut deal = self.deals.deal(self.setup.seed, index)?;
        if let Some(first) = deal.first {
            deal.field.open(first);
        }
        let contenders = self.contenders.iter().zip(strategies);
        contenders
            .map(|(contender, strategy)| {
                strategy.new_game(deal.strategy_seed);
                let (field, budget) = (deal.field.clone(), contender.budget);
                let judge = judge.as_deref_mut();
                let played = Played::to_end(field, index, strategy.as_mut(), budget, judge);
                played.map_err(|source| BenchError::Game {
                    strategy: contender.name.clone(),
                    game: index,
                    source,
                })
            })
            .collect()
    }
}
