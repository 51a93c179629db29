//! What cells are predicted to be, and which of it a cell is likeliest to show.

use super::lanes::{distance_within, weighted_distance};
use super::looks::Looks;
use super::noise::{INDEPENDENT, LEAST_VARIANCE};
use super::samples::Samples;

/// A part of a cell: at the edges of a board the borders of cells are as what is beside it makes them. So many bins are left
/// out on each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub(crate) left: usize,
    pub(crate) top: usize,
    pub(crate) right: usize,
    pub(crate) bottom: usize,
}

impl Part {
    /// All of a cell.
    pub(crate) const WHOLE: Self = Self { left: 0, top: 0, right: 0, bottom: 0 };

    /// The bins of a row that count.
    fn bins(self, row: usize, side: usize) -> std::ops::Range<usize> {
        let is_in = row >= self.top && row + self.bottom < side;
        if is_in { self.left..side - self.right } else { 0..0 }
    }

    /// What of a row of bins counts.
    pub(crate) fn of_row(self, row: usize, line: &[f32]) -> &[f32] {
        &line[self.bins(row, line.len())]
    }
}

/// What cells of each look are predicted to be.
pub(crate) struct Predictions {
    pub(super) side: usize,
    pub(super) means: Vec<f32>,
    /// One over the variance of each bin.
    pub(super) weights: Vec<f32>,
    /// The logarithm of that variance.
    pub(super) logarithms: Vec<f32>,
    /// The mean logarithm of the variances of each look.
    pub(super) spread: Vec<f32>,
}

impl Predictions {
    pub(crate) fn mean(&self, look: usize) -> &[f32] {
        let size = 3 * self.side * self.side;
        &self.means[look * size..][..size]
    }

    /// The logarithm of how likely this cell is for each look, but for a constant that all share. Only the bins of `part`
    /// count.
    pub(crate) fn log_likelihoods(&self, cell: &[f32], part: Part) -> Vec<f32> {
        let (side, plane) = (self.side, self.side * self.side);
        let of = |look: usize| {
            let mean = self.mean(look);
            let weights = &self.weights[look * plane..][..plane];
            let logarithms = &self.logarithms[look * plane..][..plane];
            if part == Part::WHOLE {
                let mut sum = 0.0;
                for channel in 0..3 {
                    let (seen, mean) =
                        (&cell[channel * plane..][..plane], &mean[channel * plane..][..plane]);
                    sum += weighted_distance(seen, mean, weights);
                }
                return -INDEPENDENT / 2.0 * (sum / (3 * plane) as f32 + self.spread[look]);
            }
            let (mut sum, mut count, mut spread) = (0.0, 0, 0.0);
            for row in 0..side {
                for bin in part.bins(row, side) {
                    let at = row * side + bin;
                    let error =
                        |channel: usize| cell[channel * plane + at] - mean[channel * plane + at];
                    sum += weights[at] * (error(0).powi(2) + error(1).powi(2) + error(2).powi(2))
                        / 3.0;
                    spread += logarithms[at];
                    count += 1;
                }
            }
            -INDEPENDENT / 2.0 * (sum + spread) / count as f32
        };
        (0..self.spread.len()).map(of).collect()
    }

    /// The nearest look of each cell, given how often each is seen.
    pub(crate) fn nearest(&self, seen: &Samples, looks: &Looks, variance: f32) -> Nearest {
        let size = 3 * self.side * self.side;
        let common = looks.looks.iter().map(|look| look.prior).fold(f32::NEG_INFINITY, f32::max);
        let handicap =
            looks.looks.iter().map(|look| (common - look.prior) * 2.0 * variance / INDEPENDENT);
        let handicap: Vec<f32> = handicap.collect();
        let nearest = seen.iter().map(|cell| {
            let mut best = (0, f32::INFINITY, f32::INFINITY);
            for (look, mean) in self.means.chunks_exact(size).enumerate() {
                // How far it may be to be nearer than the best one so far.
                let most = (best.2 - handicap[look]) * size as f32;
                let Some(distance) = distance_within(cell, mean, most) else { continue };
                let distance = distance / size as f32;
                let total = distance + handicap[look];
                if total < best.2 {
                    best = (look, distance, total);
                }
            }
            (best.0, best.1)
        });
        Nearest(nearest.collect())
    }
}

/// The nearest look of each cell, and how far it is, in grey levels squared.
pub(crate) struct Nearest(pub(crate) Vec<(usize, f32)>);

impl Nearest {
    /// How far cells are from their looks in the middle.
    pub(crate) fn scale(&self) -> f32 {
        let mut distances: Vec<f32> = self.0.iter().map(|&(_, distance)| distance).collect();
        if distances.is_empty() {
            return f32::INFINITY;
        }
        let middle = distances.len() / 2;
        *distances.select_nth_unstable_by(middle, f32::total_cmp).1
    }

    /// The mean distance, where none counts more than this.
    pub(crate) fn mean_capped(&self, most: f32) -> f32 {
        let sum: f32 = self.0.iter().map(|&(_, distance)| distance.min(most)).sum();
        sum / self.0.len().max(1) as f32
    }

    /// The look of each cell and how much it counts: those far off count little.
    pub(super) fn weights(&self, scale: f32) -> impl Iterator<Item = (usize, f32)> + '_ {
        let usual = 4.0 * scale.max(LEAST_VARIANCE);
        self.0.iter().map(move |&(look, distance)| (look, 1.0 / (1.0 + distance / usual)))
    }

    /// What the cells of each look add up to.
    pub(super) fn sums(&self, seen: &Samples, looks: usize, scale: f32) -> Vec<Option<Shown>> {
        let mut sums: Vec<Option<Shown>> = (0..looks).map(|_| None).collect();
        for (cell, (look, weight)) in seen.iter().zip(self.weights(scale)) {
            let shown =
                sums[look].get_or_insert_with(|| Shown { weight: 0.0, sum: vec![0.0; cell.len()] });
            shown.weight += weight;
            shown.sum.iter_mut().zip(cell).for_each(|(sum, value)| *sum += weight * value);
        }
        sums
    }
}

/// What cells that show one look add up to.
pub(crate) struct Shown {
    pub(super) weight: f32,
    pub(super) sum: Vec<f32>,
}
