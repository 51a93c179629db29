//! What came of a bench: counts that add up, and the figures that follow from them.
//!
//! The JSON form has both. Reading it takes the counts and works the figures out again, so the report of
//! merged shards cannot say anything else than that of the whole.

use std::ops::Range;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::error::MergeError;
use super::interval::wilson;
use super::{Calibration, Fingerprint, Pair, Played, Times, WithoutLuck};
use crate::board::FirstClick;

/// Which games a bench plays. Reports of shards merge only when they agree in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Setup {
    /// The level, as it was asked for; `None` for boards from files.
    pub level: Option<String>,
    /// What the first click promises; for boards from files only when it was asked for.
    pub first_click: Option<FirstClick>,
    /// Where all chance comes from.
    pub seed: u64,
    /// Which boards were read from files.
    pub boards: Option<Fingerprint>,
    /// The strategy that proved that no guess is needed, where only such boards were dealt.
    pub no_guess: Option<String>,
}

/// A strategy with its budget for one decision.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Contender {
    /// The name of the strategy.
    pub name: String,
    /// The nodes it may spend on a decision.
    pub budget: u64,
}

/// How a strategy did.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Score {
    /// Who played.
    #[serde(flatten)]
    pub contender: Contender,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Decisions that were guesses.
    pub guesses: u64,
    /// The chances to win that it saw at guesses, where it saw one, with what came of them.
    #[serde(default)]
    pub calibration: Calibration,
    /// The share of games won, without the luck of guesses.
    #[serde(default)]
    pub without_luck: WithoutLuck,
    /// All decisions.
    pub fingerprint: Fingerprint,
    /// How long the decisions took, in processor time.
    pub times: Times,
}

impl Score {
    fn new(contender: Contender) -> Self {
        Self {
            contender,
            games: 0,
            wins: 0,
            guesses: 0,
            calibration: Calibration::default(),
            without_luck: WithoutLuck::default(),
            fingerprint: Fingerprint::default(),
            times: Times::default(),
        }
    }

    fn add(&mut self, played: &Played) {
        self.games += 1;
        self.wins += u64::from(played.won);
        self.guesses += played.guesses;
        self.calibration.merge(&played.calibration);
        if let Some(result) = played.without_luck() {
            self.without_luck.add(result);
        }
        self.fingerprint.add(played.fingerprint);
        played.times.iter().for_each(|&time| self.times.add(time));
    }

    fn merge(&mut self, other: &Score) {
        self.games = self.games.saturating_add(other.games);
        self.wins = self.wins.saturating_add(other.wins);
        self.guesses = self.guesses.saturating_add(other.guesses);
        self.calibration.merge(&other.calibration);
        self.without_luck.merge(&other.without_luck);
        self.fingerprint.add(other.fingerprint);
        self.times.merge(&other.times);
    }

    /// The share of games won; `None` when there were none.
    pub fn win_rate(&self) -> Option<f64> {
        self.per_game(self.wins as f64)
    }

    /// The 95 % interval of the win rate.
    pub fn interval(&self) -> [f64; 2] {
        wilson(self.wins, self.games)
    }

    /// The time spent on the decisions of a game, in milliseconds.
    pub fn ms_per_game(&self) -> Option<f64> {
        self.per_game(ms(self.times.total()))
    }

    /// Decisions in a game, guesses included.
    pub fn decisions_per_game(&self) -> Option<f64> {
        self.per_game(self.times.count() as f64)
    }

    /// Guesses in a game.
    pub fn guesses_per_game(&self) -> Option<f64> {
        self.per_game(self.guesses as f64)
    }

    fn per_game(&self, sum: f64) -> Option<f64> {
        (self.games > 0).then(|| sum / self.games as f64)
    }

    fn to_json(&self) -> Value {
        let quantile = |share| ms(self.times.quantile(share));
        let figures = json!({
            "win_rate": self.win_rate(),
            "ci95": self.interval(),
            "ms_per_game": self.ms_per_game(),
            "decisions_per_game": self.decisions_per_game(),
            "guesses_per_game": self.guesses_per_game(),
            "calibration": self.calibration.to_json(),
            "without_luck": self.without_luck.to_json(),
            "decision_ms": {
                "p50": quantile(0.5),
                "p99": quantile(0.99),
                "p999": quantile(0.999),
                "max": ms(self.times.max()),
            },
        });
        joined(json!(self), figures)
    }
}

/// What came of a bench, or of a shard of one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Which games were played.
    #[serde(flatten)]
    pub setup: Setup,
    /// The numbers of the games, in order; one range unless some are missing.
    pub played: Vec<Range<u64>>,
    /// Whether it, or a shard of it, was stopped before all its games were played.
    #[serde(default)]
    pub partial: bool,
    /// How each strategy did.
    pub strategies: Vec<Score>,
    /// Every two strategies on the same games.
    pub paired: Vec<Pair>,
}

impl Report {
    /// The report of no games yet.
    pub(super) fn new(setup: Setup, contenders: &[Contender]) -> Self {
        let pairs = contenders
            .iter()
            .enumerate()
            .flat_map(|(nth, a)| contenders[nth + 1..].iter().map(move |b| Pair::new(a, b)));
        Self {
            setup,
            played: Vec::new(),
            partial: false,
            strategies: contenders.iter().cloned().map(Score::new).collect(),
            paired: pairs.collect(),
        }
    }

    /// Adds one game, as each contender played it.
    pub(super) fn add(&mut self, played: &[Played]) {
        for (score, played) in self.strategies.iter_mut().zip(played) {
            score.add(played);
        }
        let pairs = played
            .iter()
            .enumerate()
            .flat_map(|(nth, a)| played[nth + 1..].iter().map(move |b| (a, b)));
        for (pair, (a, b)) in self.paired.iter_mut().zip(pairs) {
            pair.add(a, b);
        }
    }

    /// Adds the games of another shard of the same bench.
    ///
    /// # Errors
    /// When `other` is of another bench, or has games that are here already.
    pub fn merge(&mut self, other: &Report) -> Result<(), MergeError> {
        let names = |pair: &Pair| (pair.a.clone(), pair.a_budget, pair.b.clone(), pair.b_budget);
        let contenders = |report: &Report| -> Vec<Contender> {
            report.strategies.iter().map(|score| score.contender.clone()).collect()
        };
        let same =
            |what, is_same| if is_same { Ok(()) } else { Err(MergeError::Different { what }) };
        let (ours, theirs) = (&self.setup, &other.setup);
        same("level", ours.level == theirs.level)?;
        same("first click", ours.first_click == theirs.first_click)?;
        same("seed", ours.seed == theirs.seed)?;
        same("boards", ours.boards == theirs.boards)?;
        same("way to deal without a guess", ours.no_guess == theirs.no_guess)?;
        same("strategies or budgets", contenders(self) == contenders(other))?;
        same("pairs", self.paired.iter().map(names).eq(other.paired.iter().map(names)))?;
        self.played = joined_ranges(self.played.iter().chain(&other.played))?;
        self.partial |= other.partial;
        for (score, other) in self.strategies.iter_mut().zip(&other.strategies) {
            score.merge(other);
        }
        for (pair, other) in self.paired.iter_mut().zip(&other.paired) {
            pair.merge(other);
        }
        Ok(())
    }

    /// The contender that won most, the first of several, compared with each of the others: its name first.
    pub fn compared_with_best(&self) -> Vec<Pair> {
        let most = self.strategies.iter().map(|score| score.wins).max();
        let best = self.strategies.iter().find(|score| Some(score.wins) == most);
        let Some(Contender { name, budget }) = best.map(|score| &score.contender) else {
            return Vec::new();
        };
        let oriented = |pair: &Pair| {
            if (&pair.a, &pair.a_budget) == (name, budget) {
                Some(pair.clone())
            } else if (&pair.b, &pair.b_budget) == (name, budget) {
                Some(pair.reversed())
            } else {
                None
            }
        };
        self.paired.iter().filter_map(oriented).collect()
    }

    /// The report as JSON, which serde reads back: rates from 0 to 1, times in milliseconds. Rates and means of no games
    /// are null.
    pub fn to_json(&self) -> Value {
        let figures = json!({
            "strategies": self.strategies.iter().map(Score::to_json).collect::<Vec<_>>(),
            "paired": self.paired.iter().map(Pair::to_json).collect::<Vec<_>>(),
        });
        joined(json!(self), figures)
    }
}

/// A time in milliseconds.
fn ms(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}

/// The fields of both objects; those of the second win.
pub(super) fn joined(mut object: Value, more: Value) -> Value {
    if let (Value::Object(fields), Value::Object(more)) = (&mut object, more) {
        fields.extend(more);
    }
    object
}

/// These ranges in order, with those that touch made one.
fn joined_ranges<'r>(
    ranges: impl Iterator<Item = &'r Range<u64>>,
) -> Result<Vec<Range<u64>>, MergeError> {
    let mut ranges: Vec<Range<u64>> = ranges.filter(|range| !range.is_empty()).cloned().collect();
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start < last.end => {
                return Err(MergeError::Overlap { game: range.start });
            }
            Some(last) if range.start == last.end => last.end = range.end,
            _ => joined.push(range),
        }
    }
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(seed: u64, played: Range<u64>) -> Report {
        let setup = Setup {
            level: Some("expert".to_owned()),
            first_click: Some(FirstClick::Safe),
            seed,
            boards: None,
            no_guess: None,
        };
        let contender = |name: &str| Contender { name: name.to_owned(), budget: 5 };
        let mut report = Report::new(setup, &[contender("one"), contender("two")]);
        report.played = vec![played];
        report
    }

    #[test]
    fn games_won_by_one_alone_make_the_difference() {
        let mut report = report(1, 0..4);
        let played = |won| Played {
            game: 0,
            won,
            guesses: 2,
            luck: won.then_some(0.25),
            calibration: Calibration::default(),
            fingerprint: Fingerprint::default(),
            times: vec![Duration::from_millis(3); 5],
        };
        for (one, two) in [(true, true), (true, false), (false, false), (true, false)] {
            report.add(&[played(one), played(two)]);
        }
        let told = report.to_json();
        let (score, pair) = (&told["strategies"][0], &told["paired"][0]);
        assert_eq!((&score["name"], &score["win_rate"]), (&json!("one"), &json!(0.75)));
        assert_eq!(
            (&score["decisions_per_game"], &score["ms_per_game"]),
            (&json!(5.0), &json!(15.0))
        );
        assert_eq!((&pair["only_a"], &pair["only_b"]), (&json!(2), &json!(0)));
        assert_eq!((&pair["difference"], &pair["b"]), (&json!(0.5), &json!("two")));
        let read: Report = serde_json::from_value(told).unwrap();
        assert_eq!(read, report);
    }

    #[test]
    fn shards_of_one_bench_merge_in_any_order_and_once_each() {
        let mut merged = report(1, 20..30);
        for shard in [10..15, 0..10, 15..20, 40..50, 50..50] {
            merged.merge(&report(1, shard)).unwrap();
        }
        assert_eq!(merged.played, [0..30, 40..50]);
        let error = merged.merge(&report(1, 29..31)).unwrap_err();
        assert_eq!(error, MergeError::Overlap { game: 29 });
        let error = merged.merge(&report(2, 30..31)).unwrap_err();
        assert!(error.to_string().contains("differ in their seed"), "{error}");
    }

    #[test]
    fn no_games_have_no_rate_and_do_no_harm() {
        let told = report(1, 0..0).to_json();
        assert!(told["strategies"][0]["win_rate"].is_null());
        assert_eq!(told["strategies"][0]["ci95"], json!([0.0, 1.0]));
        assert!(told["paired"][0]["difference"].is_null());
    }
}
