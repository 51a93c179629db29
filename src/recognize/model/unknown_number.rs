//! What a cell is that shows a number which the skin lacks.
//!
//! The ground of such a cell is that of a blank, and on any part of it there is ink of any colour. A skin that was learned in
//! a few games lacks the rare numbers; the nearest number that it has may look much like them.

use super::looks::{Look, prior};
use super::noise::{ANY_COLOUR, INDEPENDENT, log_sum};
use super::prediction::{Part, Predictions};
use crate::board::Cell;

/// The share of a cell that a number covers. Chosen, not fitted.
const INK: f32 = 0.25;

/// Numbers that a skin lacks.
#[derive(Clone, Debug)]
pub(super) struct UnknownNumbers {
    /// The looks of blanks.
    blanks: Vec<usize>,
    /// The logarithm of how often any of those numbers is shown; of zero where none is lacking.
    prior: f32,
}

impl UnknownNumbers {
    /// Those that are not among all looks of a skin.
    pub(super) fn besides(looks: &[Look]) -> Self {
        let has = |number: u8| looks.iter().any(|look| look.cell == Cell::open(number));
        let blanks = (0..looks.len()).filter(|&look| looks[look].cell == Cell::open(0)).collect();
        let lacking =
            (1..=8).filter(|&number| !has(number)).map(|number| prior(Cell::open(number)));
        Self { blanks, prior: log_sum(lacking.collect::<Vec<f32>>().into_iter()) }
    }

    /// The logarithm of how likely a part of a cell is that shows one of them, with how often they are shown; but for the
    /// constant that all cells share.
    pub(super) fn log_likelihood(
        &self,
        predictions: &Predictions,
        cell: &[f32],
        part: Part,
    ) -> f32 {
        if self.prior == f32::NEG_INFINITY {
            return self.prior;
        }
        let on = |&blank: &usize| inked(predictions, blank, cell, part);
        self.prior + self.blanks.iter().map(on).fold(f32::NEG_INFINITY, f32::max)
    }
}

/// The logarithm of how likely a part of a cell is each of whose bins is that of a blank, or else ink, of which there is some.
fn inked(predictions: &Predictions, blank: usize, cell: &[f32], part: Part) -> f32 {
    let side = predictions.side;
    let plane = side * side;
    let mean = predictions.mean(blank);
    let (mut blank_alone, mut more, mut count) = (0.0, 0.0, 0);
    // Densities of three values leave out the constant that all cells share.
    let ink = INK.ln() + ANY_COLOUR + 1.5 * std::f32::consts::TAU.ln();
    for at in (0..plane).filter(|&at| part.has(at % side, at / side, side)) {
        let (weight, logarithm) = predictions.precision(blank, at);
        let squares: f32 = [0, plane, 2 * plane]
            .map(|from| (cell[from + at] - mean[from + at]).powi(2))
            .iter()
            .sum();
        let ground = (1.0 - INK).ln() - (weight * squares + 3.0 * logarithm) / 2.0;
        blank_alone += ground;
        // What ink adds, summed by itself: of two large sums the difference would be rounding.
        more += (ink - ground).max(0.0) + (-(ink - ground).abs()).exp().ln_1p();
        count += 1;
    }
    let independent = INDEPENDENT / 3.0 / count.max(1) as f32;
    let more: f32 = independent * more;
    independent * blank_alone + if more < 1.0 { more.exp_m1().ln() } else { more }
}
