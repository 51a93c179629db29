//! Whether what a strategy promised came about: of the guesses at which it saw a chance of 30 % to win, it should win 30 %.
//!
//! Promises are counted in bins, each a twentieth wide, and added up in millionths: whole numbers, so that the sum is the
//! same in whatever order games end. All guesses of a game share its end, so the intervals are a little narrower
//! than they should be.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::interval::wilson;
use super::report::joined;

/// How many bins there are.
pub const BINS: u8 = 20;

/// Promised chances to win and what came of them, by bin; see the module.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Calibration {
    bins: BTreeMap<u8, Bin>,
}

/// The promises from one twentieth to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Bin {
    /// Guesses with such a promise.
    pub guesses: u64,
    /// Those of them whose game was won.
    pub wins: u64,
    /// The sum of the promised chances, in millionths.
    pub promised_millionths: u64,
}

impl Bin {
    /// The mean promise, from 0 to 1; `None` without a guess.
    pub fn promised(&self) -> Option<f64> {
        self.per_guess(self.promised_millionths as f64 / 1e6)
    }

    /// The share of them that were won; `None` without a guess.
    pub fn win_rate(&self) -> Option<f64> {
        self.per_guess(self.wins as f64)
    }

    /// The 95 % interval of that share, as if each guess were of a game of its own.
    pub fn interval(&self) -> [f64; 2] {
        wilson(self.wins, self.guesses)
    }

    fn per_guess(&self, sum: f64) -> Option<f64> {
        (self.guesses > 0).then(|| sum / self.guesses as f64)
    }

    fn merge(&mut self, other: &Bin) {
        self.guesses = self.guesses.saturating_add(other.guesses);
        self.wins = self.wins.saturating_add(other.wins);
        self.promised_millionths =
            self.promised_millionths.saturating_add(other.promised_millionths);
    }

    fn to_json(self) -> Value {
        let figures = json!({
            "promised": self.promised(),
            "win_rate": self.win_rate(),
            "ci95": self.interval(),
        });
        joined(json!(self), figures)
    }
}

impl Calibration {
    /// Of the chances that were promised in one game, from 0 to 1.
    pub fn of_game(promised: &[f64], won: bool) -> Self {
        let mut calibration = Self::default();
        for chance in promised.iter().map(|chance| chance.clamp(0.0, 1.0)) {
            let bin = ((f64::from(BINS) * chance) as u8).min(BINS - 1);
            calibration.bins.entry(bin).or_default().merge(&Bin {
                guesses: 1,
                wins: u64::from(won),
                promised_millionths: (1e6 * chance).round() as u64,
            });
        }
        calibration
    }

    /// Counts all that `other` has counted.
    pub fn merge(&mut self, other: &Calibration) {
        for (&bin, counts) in &other.bins {
            self.bins.entry(bin).or_default().merge(counts);
        }
    }

    /// The bins that have a guess in them, by number: bin n has the promises from n to n + 1 twentieths.
    pub fn bins(&self) -> impl Iterator<Item = (u8, &Bin)> {
        self.bins.iter().map(|(&number, bin)| (number, bin))
    }

    /// The bins as JSON, with the figures that follow from the counts.
    pub(super) fn to_json(&self) -> Value {
        self.bins().map(|(number, bin)| (number.to_string(), bin.to_json())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promises_are_counted_in_the_bin_that_they_are_in_with_what_came_of_them() {
        let mut all = Calibration::of_game(&[0.31, 0.34, 1.0], true);
        all.merge(&Calibration::of_game(&[0.0, 0.32], false));
        let told: Vec<_> = all.bins().map(|(bin, of)| (bin, of.guesses, of.wins)).collect();
        assert_eq!(told, [(0, 1, 0), (6, 3, 2), (19, 1, 1)]);
        let told = all.to_json();
        assert!((told["6"]["promised"].as_f64().unwrap() - 0.97 / 3.0).abs() < 1e-6, "{told}");
        let [low, high] = [0, 1].map(|side| told["6"]["ci95"][side].as_f64().unwrap());
        assert!(low < 2.0 / 3.0 && 2.0 / 3.0 < high, "{told}");
        let read: Calibration = serde_json::from_value(told).unwrap();
        assert_eq!(read, all);
    }

    #[test]
    fn what_cannot_be_promised_does_no_harm() {
        let bins = Calibration::of_game(&[-1.0, 7.0, f64::NAN], true);
        assert_eq!(bins.bins().map(|(bin, _)| bin).collect::<Vec<_>>(), [0, 19]);
        let text = r#"{"255":{"guesses":0,"wins":7,"promised_millionths":9}}"#;
        let read: Calibration = serde_json::from_str(text).unwrap();
        assert_eq!(read.to_json()["255"]["promised"], Value::Null);
    }
}
