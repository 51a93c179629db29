//! What cells are predicted to be, and which of it a cell is likeliest to show.

use std::sync::OnceLock;

use super::bounds::LookSums;
use super::lanes::{distance_within, weighted_difference, weighted_distance};
use super::looks::Looks;
use super::noise::{FillVariance, INDEPENDENT, LEAST_VARIANCE, Off};
use super::samples::{Coarse, Samples};
use crate::recognize::Side;

/// Bins of a cell that belong to its border, of sixteen. Chosen, not fitted.
pub(crate) const BORDER: usize = 2;

/// A part of a cell: at the edges of a board the borders of cells are as what is beside it makes them. So many bins are left
/// out on each side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Part {
    pub(crate) left: usize,
    pub(crate) top: usize,
    pub(crate) right: usize,
    pub(crate) bottom: usize,
}

impl Part {
    /// All of a cell.
    pub(crate) const WHOLE: Self = Self { left: 0, top: 0, right: 0, bottom: 0 };

    /// A cell beside a board, without so many bins that are farthest from it.
    pub(crate) fn beside(side: Side, hidden: usize) -> Self {
        match side {
            Side::Left => Self { left: hidden, ..Self::WHOLE },
            Side::Top => Self { top: hidden, ..Self::WHOLE },
            Side::Right => Self { right: hidden, ..Self::WHOLE },
            Side::Bottom => Self { bottom: hidden, ..Self::WHOLE },
        }
    }

    /// The bins of a row that count.
    fn bins(self, row: usize, side: usize) -> std::ops::Range<usize> {
        let is_in = row >= self.top && row + self.bottom < side;
        if is_in { self.left..side - self.right } else { 0..0 }
    }

    /// Whether a bin counts.
    pub(crate) fn has(self, col: usize, row: usize, side: usize) -> bool {
        self.bins(row, side).contains(&col)
    }

    /// What of a row of bins counts.
    pub(crate) fn of_row(self, row: usize, line: &[f32]) -> &[f32] {
        &line[self.bins(row, line.len())]
    }
}

/// The variance of how much lighter or darker a cell that is highlighted is, in grey levels squared. Chosen, not fitted.
const HIGHLIGHT: f32 = 400.0;

/// How much of the way from one look to another a cell is, that is so far along it; both times the length of the way.
pub(super) fn share_of_way(along: f32, length: f32) -> f32 {
    (along / length.max(1e-6)).clamp(0.0, 1.0)
}

/// What cells of each look are predicted to be.
#[derive(Clone, Debug)]
pub(crate) struct Predictions {
    pub(super) side: usize,
    pub(super) means: Vec<f32>,
    /// One over the variance of each bin.
    pub(super) weights: Vec<f32>,
    /// The logarithm of that variance.
    pub(super) logarithms: Vec<f32>,
    /// The sums over all bins of each look: of the logarithms, and of the weights.
    pub(super) sums: Vec<(f32, f32)>,
    /// How much the fill of a cell may be off beside that.
    pub(super) fill: FillVariance,
    /// Once they are asked for.
    pub(super) look_sums: OnceLock<LookSums>,
}

impl Predictions {
    /// The number of looks.
    pub(super) fn count(&self) -> usize {
        self.sums.len()
    }

    /// The number of values of a cell.
    pub(super) fn size(&self) -> usize {
        3 * self.side * self.side
    }

    pub(crate) fn mean(&self, look: usize) -> &[f32] {
        let size = self.size();
        &self.means[look * size..][..size]
    }

    /// Sums over the values of the looks.
    pub(super) fn look_sums(&self) -> &LookSums {
        self.look_sums.get_or_init(|| LookSums::of(self))
    }

    /// One over the variance of a bin of a look, and the logarithm of that variance.
    pub(super) fn precision(&self, look: usize, bin: usize) -> (f32, f32) {
        let at = look * self.side * self.side + bin;
        (self.weights[at], self.logarithms[at])
    }

    /// The logarithm of how likely this cell is for each look, but for a constant that all share. Only the bins of `part`
    /// count.
    pub(crate) fn log_likelihoods(&self, cell: &[f32], part: Part) -> Vec<f32> {
        self.offs(cell, part, self.fill).map(Off::log_likelihood).collect()
    }

    /// The same where each cell may be off by a factor of its own.
    pub(crate) fn tailed_log_likelihoods(&self, cell: &[f32], part: Part) -> Vec<f32> {
        self.offs(cell, part, self.fill).map(Off::tailed_log_likelihood).collect()
    }

    /// The same for one look.
    pub(crate) fn tailed_log_likelihood(&self, look: usize, cell: &[f32], part: Part) -> f32 {
        self.off(self.mean(look), look, cell, part, self.fill).tailed_log_likelihood()
    }

    /// The same of a cell that is highlighted: lighter or darker as a whole.
    pub(crate) fn highlighted_log_likelihood(&self, look: usize, cell: &[f32], part: Part) -> f32 {
        let fill = FillVariance(self.fill.0 + HIGHLIGHT);
        self.off(self.mean(look), look, cell, part, fill).tailed_log_likelihood()
    }

    /// How far this cell is off each look.
    fn offs(&self, cell: &[f32], part: Part, fill: FillVariance) -> impl Iterator<Item = Off> {
        (0..self.count()).map(move |look| self.off(self.mean(look), look, cell, part, fill))
    }

    /// The logarithm of how likely a cell is that fades from one of these looks to the other, wherever on the way it is.
    pub(crate) fn fading_log_likelihood(
        &self,
        [a, b]: [usize; 2],
        cell: &[f32],
        part: Part,
    ) -> f32 {
        let (first, second) = (self.mean(a), self.mean(b));
        let (mut along, mut length) = (0.0, 0.0);
        for ((seen, first), second) in cell.iter().zip(first).zip(second) {
            let way = second - first;
            along += way * (seen - first);
            length += way * way;
        }
        let share = share_of_way(along, length);
        let blend =
            first.iter().zip(second).map(|(first, second)| first + share * (second - first));
        let blend: Vec<f32> = blend.collect();
        let of = |look: usize| {
            let weight = self.sums[look].1 / (self.side * self.side) as f32;
            // The share is integrated out.
            let precision = INDEPENDENT * weight * length / cell.len() as f32;
            let width = (std::f32::consts::TAU / precision).sqrt().min(1.0);
            self.off(&blend, look, cell, part, self.fill).tailed_log_likelihood() + width.ln()
        };
        of(a).max(of(b))
    }

    /// How far this cell is off `mean`, where values may be off as in this look.
    fn off(&self, mean: &[f32], look: usize, cell: &[f32], part: Part, fill: FillVariance) -> Off {
        let (side, plane) = (self.side, self.side * self.side);
        let weights = &self.weights[look * plane..][..plane];
        let logarithms = &self.logarithms[look * plane..][..plane];
        // Sums over the bins: of the squares of what is off, in units of the variance; of the logarithms; of the weights.
        let (mut squares, mut logarithm, mut weight, mut count) = (0.0, 0.0, 0.0, 0);
        let mut off = 0.0f32;
        let planes = || cell.chunks_exact(plane).zip(mean.chunks_exact(plane));
        let has_fill = fill.0 > 0.0;
        if part == Part::WHOLE {
            for (seen, mean) in planes() {
                squares += weighted_distance(seen, mean, weights);
                if has_fill {
                    off += weighted_difference(seen, mean, weights);
                }
            }
            (logarithm, weight) = self.sums[look];
            count = plane;
        } else {
            for row in 0..side {
                for bin in part.bins(row, side) {
                    let at = row * side + bin;
                    for (seen, mean) in planes() {
                        let error = seen[at] - mean[at];
                        squares += weights[at] * error * error;
                        off += weights[at] * error;
                    }
                    logarithm += logarithms[at];
                    weight += weights[at];
                    count += 1;
                }
            }
        }
        let count = count as f32;
        let mut far = Off { squares: squares / (3.0 * count), spread: logarithm / count };
        if has_fill {
            let fill = fill.among(weight / count);
            far.squares -= fill.relief * (off / (3.0 * weight)).powi(2);
            far.spread += fill.cost;
        }
        far
    }

    /// The nearest look of each cell, given how often each is seen.
    pub(crate) fn nearest(&self, seen: &Samples, looks: &Looks, variance: f32) -> Nearest {
        let size = self.size();
        let common = looks.looks.iter().map(|look| look.prior).fold(f32::NEG_INFINITY, f32::max);
        let handicap =
            looks.looks.iter().map(|look| (common - look.prior) * 2.0 * variance / INDEPENDENT);
        let handicap: Vec<f32> = handicap.collect();
        let coarse: Vec<Coarse> =
            self.means.chunks_exact(size).map(|mean| Coarse::of(mean, self.side)).collect();
        let nearest = seen.iter().zip(seen.coarse()).map(|(cell, own)| {
            let mut candidates: Vec<(usize, f32)> = coarse
                .iter()
                .zip(&handicap)
                .map(|(look, handicap)| own.least_distance(look) + handicap)
                .enumerate()
                .collect();
            candidates.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            let mut best = (0, f32::INFINITY, f32::INFINITY);
            for (look, least) in candidates {
                if least > best.2 {
                    break;
                }
                // How far it may be to be nearer than the best one so far.
                let most = (best.2 - handicap[look]) * size as f32;
                let Some(distance) = distance_within(cell, self.mean(look), most) else { continue };
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
