//! Brightness that changes smoothly across a board.

use nalgebra::{SMatrix, SVector};

use super::samples::{Place, Samples};
use super::view::Extent;

/// Terms of a quadratic in two variables without its constant, which belongs to the colours.
const TERMS: usize = 5;
/// How far the factor and the summand (in units of 255) of each term are from none, as a standard deviation.
const DEVIATION: f64 = 0.3;

/// A factor and a summand for each cell, both quadratic in its place on the board.
#[derive(Clone, Debug)]
pub(crate) struct Light {
    extent: Extent,
    factor: [f32; TERMS],
    /// In units of 255.
    summand: [f32; TERMS],
}

impl Light {
    /// How many numbers there are.
    pub(crate) const NUMBERS: usize = 2 * TERMS;

    /// The same light everywhere on a board.
    pub(crate) fn new(extent: Extent) -> Self {
        Self { extent, factor: [0.0; TERMS], summand: [0.0; TERMS] }
    }

    fn terms(&self, (col, row): Place) -> [f32; TERMS] {
        let along = |at: i32, from: i32, to: i32| {
            let (middle, half) = ((from + to) as f32 / 2.0, ((to - from) as f32 / 2.0).max(1.0));
            // Farther beyond the cells that it was estimated from than the first one, as there.
            let reach = 1.0 + 1.0 / half;
            ((at as f32 - middle) / half).clamp(-reach, reach)
        };
        let ((left, top), (right, bottom)) = self.extent;
        let (x, y) = (along(col, left, right), along(row, top, bottom));
        [x, y, x * x, y * y, x * y]
    }

    /// The factor and the summand of the cell at this place.
    fn at(&self, place: Place) -> (f32, f32) {
        let terms = self.terms(place);
        let sum = |of: &[f32; TERMS]| of.iter().zip(terms).map(|(a, b)| a * b).sum::<f32>();
        ((1.0 + sum(&self.factor)).max(0.1), 255.0 * sum(&self.summand))
    }

    /// The cells as they were in even light.
    pub(crate) fn removed(&self, seen: &Samples) -> Samples {
        let mut unlit = seen.clone();
        for (place, cell) in unlit.iter_mut() {
            let (factor, summand) = self.at(place);
            cell.iter_mut().for_each(|value| *value = (*value - summand) / factor);
        }
        unlit
    }

    /// Estimates it from cells at their places, what they would be in even light, and how much each counts.
    pub(crate) fn fit<'a>(
        &mut self,
        cells: impl Iterator<Item = (Place, &'a [f32], &'a [f32], f32)>,
        per_value: f32,
    ) {
        const BOTH: usize = 2 * TERMS;
        let (mut own, mut both) =
            (SMatrix::<f64, BOTH, BOTH>::zeros(), SVector::<f64, BOTH>::zeros());
        for (place, seen, mean, weight) in cells {
            let (mut squares, mut sum, mut across, mut off) = (0.0f64, 0.0f64, 0.0f64, 0.0f64);
            for (&seen, &mean) in seen.iter().zip(mean) {
                let (mean, error) = (f64::from(mean), f64::from(seen - mean));
                squares += mean * mean;
                sum += 255.0 * mean;
                across += mean * error;
                off += 255.0 * error;
            }
            let ones = 255.0 * 255.0 * seen.len() as f64;
            let weight = f64::from(weight * per_value);
            let terms = self.terms(place).map(f64::from);
            for (i, a) in terms.iter().enumerate() {
                for (j, b) in terms.iter().enumerate() {
                    let by = weight * a * b;
                    own[(i, j)] += by * squares;
                    own[(i, TERMS + j)] += by * sum;
                    own[(TERMS + i, j)] += by * sum;
                    own[(TERMS + i, TERMS + j)] += by * ones;
                }
                both[i] += weight * a * across;
                both[TERMS + i] += weight * a * off;
            }
        }
        for at in 0..BOTH {
            own[(at, at)] += 1.0 / (DEVIATION * DEVIATION);
        }
        let Some(cholesky) = own.cholesky() else { return };
        let solved = cholesky.solve(&both);
        self.factor = std::array::from_fn(|at| solved[at] as f32);
        self.summand = std::array::from_fn(|at| solved[TERMS + at] as f32);
    }
}
