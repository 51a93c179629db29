//! Two strategies on the same games: what one wins more is told better than by their win rates, since luck is the same.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::interval::paired;
use super::report::{Contender, joined};
use super::{Played, WithoutLuck};

/// Two strategies on the same games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pair {
    /// One strategy.
    pub a: String,
    /// Its budget.
    pub a_budget: u64,
    /// The other one.
    pub b: String,
    /// Its budget.
    pub b_budget: u64,
    /// Games played.
    pub games: u64,
    /// Games that only `a` won.
    pub only_a: u64,
    /// Games that only `b` won.
    pub only_b: u64,
    /// What `a` wins more, without the luck of guesses.
    #[serde(default)]
    pub without_luck: WithoutLuck,
}

impl Pair {
    pub(super) fn new(a: &Contender, b: &Contender) -> Self {
        Self {
            a: a.name.clone(),
            a_budget: a.budget,
            b: b.name.clone(),
            b_budget: b.budget,
            games: 0,
            only_a: 0,
            only_b: 0,
            without_luck: WithoutLuck::default(),
        }
    }

    pub(super) fn add(&mut self, a: &Played, b: &Played) {
        self.games += 1;
        self.only_a += u64::from(a.won && !b.won);
        self.only_b += u64::from(b.won && !a.won);
        if let (Some(a), Some(b)) = (a.without_luck(), b.without_luck()) {
            self.without_luck.add(a - b);
        }
    }

    pub(super) fn merge(&mut self, other: &Pair) {
        self.games = self.games.saturating_add(other.games);
        self.only_a = self.only_a.saturating_add(other.only_a);
        self.only_b = self.only_b.saturating_add(other.only_b);
        self.without_luck.merge(&other.without_luck);
    }

    /// The same, seen from the other side.
    pub fn reversed(&self) -> Self {
        Self {
            a: self.b.clone(),
            a_budget: self.b_budget,
            b: self.a.clone(),
            b_budget: self.a_budget,
            games: self.games,
            only_a: self.only_b,
            only_b: self.only_a,
            without_luck: self.without_luck.negated(),
        }
    }

    /// The win rate of `a` less that of `b`; `None` when there were no games.
    pub fn difference(&self) -> Option<f64> {
        (self.games > 0).then(|| (self.only_a as f64 - self.only_b as f64) / self.games as f64)
    }

    /// The 95 % interval of the difference.
    pub fn interval(&self) -> [f64; 2] {
        paired(self.only_a, self.only_b, self.games)
    }

    pub(super) fn to_json(&self) -> Value {
        let figures = json!({
            "difference": self.difference(),
            "ci95": self.interval(),
            "without_luck": self.without_luck.to_json(),
        });
        joined(json!(self), figures)
    }
}
