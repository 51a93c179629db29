//! Signs of cells, painted to learn from: those of invented Minesweepers that nobody plays.

use std::ops::Range;

use super::Network;
use crate::lab::zoo::{Fonts, Specimen};
use crate::learn::from_play::{Prior, Sign};

/// A sign, and the number that it is; 0 if it is another sign.
pub type PaintedSign = (Sign, usize);

/// The signs of the Minesweepers of these seeds.
///
/// # Panics
/// When players are built on or judged by one of them.
pub fn paint(seeds: Range<u64>, fonts: &Fonts) -> Vec<PaintedSign> {
    let others = [Specimen::SEEDS_TO_BUILD_ON, Specimen::SEEDS_TO_JUDGE_BY];
    assert!(others.iter().all(|other| seeds.end <= other.start || other.end <= seeds.start));
    let cells = seeds.flat_map(|seed| Specimen::new(seed, fonts).skin.templates);
    let sign = |template: crate::recognize::Template| {
        let number = template.cell.number().unwrap_or_default();
        Sign::of(&template.picture).map(|sign| (sign, usize::from(number)))
    };
    cells.filter_map(sign).collect()
}

/// The share of the signs for which the number is given the greatest chance.
pub fn share_told(prior: &Prior, signs: &[PaintedSign]) -> f64 {
    let is_told = |(sign, number): &&PaintedSign| {
        let chances = prior.chances(sign);
        chances.iter().all(|&chance| chance <= chances[*number])
    };
    signs.iter().filter(is_told).count() as f64 / signs.len().max(1) as f64
}

impl Network for Prior {
    type Sample = PaintedSign;
    const WEIGHTS: usize = Prior::WEIGHTS;

    fn of(weights: Vec<f64>) -> Option<Self> {
        Prior::of(weights)
    }

    fn weights(&self) -> &[f64] {
        self.weights()
    }

    fn learn_from(&self, (sign, number): &PaintedSign, slope: &mut [f64]) -> f64 {
        self.learn_from(sign, *number, slope)
    }
}
