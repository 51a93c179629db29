//! How far what is seen is off what is predicted, and what a cell is that shows nothing known.

use nalgebra::{SMatrix, SVector};

use super::lanes::dot;
use super::looks::Looks;
use super::prediction::{BORDER, Part, Predictions};
use super::samples::Samples;
use crate::board::Cell;
use crate::recognize::Side;

/// So many of a cell's values are independent: those of neighbouring bins err together. Chosen, not fitted.
pub(crate) const INDEPENDENT: f32 = 40.0;
/// The least variance of a value, in grey levels squared: rounding, and what games draw differently each time.
pub(crate) const LEAST_VARIANCE: f32 = 2.0;
/// Noise never grows by more than the square of the change from a bin to the next.
const MOST_SLOPE: f32 = 1.0;

/// How far values are off what is predicted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Noise {
    /// The variance of a value, in grey levels squared.
    pub(crate) variance: f32,
    /// How much it grows with the square of the change from a bin to the next.
    slope: f32,
}

impl Noise {
    /// The same for all values.
    pub(crate) fn even(variance: f32) -> Self {
        Self { variance: variance.max(LEAST_VARIANCE), slope: 0.0 }
    }

    /// The variance of each bin of a cell of which this is predicted.
    pub(crate) fn of(self, means: &[f32], side: usize) -> impl Iterator<Item = f32> {
        squared_gradients(means, side).into_iter().map(move |gradient| self.at(gradient))
    }

    /// The variance of a bin in which what is predicted changes by so much, squared.
    fn at(self, gradient: f32) -> f32 {
        self.variance + self.slope * gradient
    }

    /// Estimates it from cells and what they show. Those count that are likely to show something known: all that may at
    /// first, and fewer as the variance becomes less. Cells of one kind err alike, so that all of them count like a few; one that is
    /// alone of its kind does not count: it would vouch for itself.
    pub(crate) fn fit(&mut self, seen: &Samples, looks: &Looks, predictions: &Predictions) {
        let fill = predictions.fill;
        let nearest = predictions.nearest(seen, looks, self.variance);
        let mut counts = vec![0.0; looks.looks.len()];
        nearest.0.iter().for_each(|&(look, _)| counts[look] += 1.0);
        // How many cells are of the kind of each look.
        let alike = looks.looks.iter().map(|look| {
            let same = counts.iter().zip(&looks.looks).filter(|(_, other)| other.cell == look.cell);
            same.map(|(count, _)| count).sum()
        });
        let alike: Vec<f32> = alike.collect();
        let cells = seen.iter().zip(&nearest.0).map(|(cell, &(look, _))| Residual {
            look,
            squares: squared_errors(cell, predictions.mean(look)),
            fill: squared_fill_error(cell, predictions.mean(look)),
            unknown: unknown(cell, Part::WHOLE) + NOTHING_KNOWN,
            counts: (ALIKE / alike[look]).min(1.0) * (1.0 - 1.0 / alike[look]),
        });
        let cells: Vec<Residual> = cells.collect();
        let gradients = counts.iter().enumerate().map(|(look, &count)| {
            (count > 0.0).then(|| squared_gradients(predictions.mean(look), looks.side))
        });
        let residuals = Residuals { gradients: gradients.collect(), cells, fill };
        let most = seen.variance();
        let far = residuals
            .cells
            .iter()
            .zip(&nearest.0)
            .map(|(cell, near)| cell.counts * near.1.min(most));
        let count: f32 = residuals.cells.iter().map(|cell| cell.counts).sum();
        // From the loose side and from the tight one: of what comes out that counts which makes the cells likelier.
        let loose = Self::even(far.sum::<f32>() / count.max(1.0)).settled(&residuals);
        let tight = Self::even(nearest.scale()).settled(&residuals);
        *self = if tight.1 > loose.1 { tight.0 } else { loose.0 };
    }

    /// What it becomes in turns with which cells show something known, and the logarithm of how likely they are then.
    fn settled(mut self, residuals: &Residuals) -> (Self, f32) {
        for _ in 0..NOISE_ROUNDS {
            self = self.fitted(residuals);
        }
        let spreads = self.spreads(residuals);
        let likely = residuals.cells.iter().map(|cell| {
            cell.counts
                * log_sum([cell.log_likelihood(&spreads[cell.look]), cell.unknown].into_iter())
        });
        (self, likely.sum())
    }

    /// How far values of each look that is shown are off; nothing for the others.
    fn spreads(self, residuals: &Residuals) -> Vec<Spread> {
        let of = |gradients: &Option<Vec<f32>>| {
            let gradients = gradients.as_deref().unwrap_or_default();
            let variances = gradients.iter().map(|&gradient| self.at(gradient));
            let count = gradients.len().max(1) as f32;
            let logarithms: f32 = variances.clone().map(f32::ln).sum();
            let weights: Vec<f32> = variances.map(|variance| 1.0 / variance).collect();
            let fill = residuals.fill.among(weights.iter().sum::<f32>() / count);
            Spread { weights, logarithm: logarithms / count + fill.cost, fill }
        };
        residuals.gradients.iter().map(of).collect()
    }

    /// That of these cells, by least squares, if it is about as much as this.
    fn fitted(self, residuals: &Residuals) -> Self {
        let spreads = self.spreads(residuals);
        // What cells of each look add up to.
        let mut sums: Vec<(f32, Vec<f32>)> =
            spreads.iter().map(|spread| (0.0, vec![0.0; spread.weights.len()])).collect();
        for cell in &residuals.cells {
            let known = cell.counts * cell.known(&spreads[cell.look]);
            let (count, squares) = &mut sums[cell.look];
            *count += known;
            // What the brightness is off is none of the values'.
            let fill = cell.fill * spreads[cell.look].fill.explained;
            squares
                .iter_mut()
                .zip(&cell.squares)
                .for_each(|(sum, square)| *sum += known * (square - fill));
        }
        let (mut own, mut both) = (SMatrix::<f64, 2, 2>::zeros(), SVector::<f64, 2>::zeros());
        for (look, ((count, squares), spread)) in sums.iter().zip(&spreads).enumerate() {
            let gradients = residuals.gradients[look].as_deref().unwrap_or_default();
            for ((&gradient, &square), weight) in gradients.iter().zip(squares).zip(&spread.weights)
            {
                let weight = f64::from(weight * weight);
                let (gradient, square) = (f64::from(gradient), f64::from(square));
                let all = weight * f64::from(*count);
                own[(0, 0)] += all;
                own[(0, 1)] += all * gradient;
                own[(1, 1)] += all * gradient * gradient;
                both[0] += weight * square;
                both[1] += weight * square * gradient;
            }
        }
        own[(1, 0)] = own[(0, 1)];
        let alone = |term: usize| (both[term] / own[(term, term)].max(1e-12)) as f32;
        let solved = own.try_inverse().map(|inverse| inverse * both);
        let (variance, slope) = match solved {
            Some(solved) if solved[1] > 0.0 && solved[0] > 0.0 => {
                (solved[0] as f32, solved[1] as f32)
            }
            Some(solved) if solved[1] > 0.0 => (LEAST_VARIANCE, alone(1)),
            _ => (alone(0), 0.0),
        };
        Self { variance: variance.max(LEAST_VARIANCE), slope: slope.min(MOST_SLOPE) }
    }
}

/// So many cells of one kind tell as much of a view as any number of them: they err alike.
pub(crate) const ALIKE: f32 = 4.0;

/// The evidence of cells of these kinds, in nats, of which each kind counts as no more than [`ALIKE`] cells.
pub(crate) fn evidence_by_kinds(cells: impl Iterator<Item = (Cell, f32)>) -> f32 {
    let mut kinds: Vec<(Cell, f32, f32)> = Vec::new();
    for (cell, evidence) in cells {
        match kinds.iter_mut().find(|(kind, ..)| *kind == cell) {
            Some((_, count, sum)) => (*count, *sum) = (*count + 1.0, *sum + evidence),
            None => kinds.push((cell, 1.0, evidence)),
        }
    }
    kinds.iter().map(|(_, count, sum)| sum / count * count.min(ALIKE)).sum()
}

/// How often the noise and the cells that show something known are estimated in turns.
const NOISE_ROUNDS: usize = 5;

/// Cells, and how much what is predicted of each look that any shows changes in each bin, squared.
struct Residuals {
    gradients: Vec<Option<Vec<f32>>>,
    cells: Vec<Residual>,
    fill: FillVariance,
}

/// How far values of one look are off.
struct Spread {
    /// One over the variance of each bin.
    weights: Vec<f32>,
    /// The mean logarithm of the variances, with what the fill costs.
    logarithm: f32,
    fill: FillShare,
}

/// The variance of how much brighter a cell is as a whole, beside that of its values, in grey levels squared: a background may
/// shine through.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FillVariance(pub(crate) f32);

/// How much of what the brightness of a cell is off is explained by its variance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FillShare {
    /// By how much the square of what the brightness is off counts less.
    pub(crate) relief: f32,
    /// The share of that square which is the background's.
    explained: f32,
    /// What that freedom costs, as a logarithm of a variance.
    pub(crate) cost: f32,
}

impl FillVariance {
    /// Among values that count so much each, one over their variance: the brightness is integrated out.
    pub(crate) fn among(self, weight: f32) -> FillShare {
        let ratio = INDEPENDENT * weight * self.0;
        let share = ratio / (1.0 + ratio);
        let left = 1.0 - share;
        FillShare {
            relief: weight * share,
            explained: 1.0 - left * left,
            cost: ratio.ln_1p() / INDEPENDENT,
        }
    }
}

/// How far a cell is off what it is likeliest to show.
struct Residual {
    look: usize,
    /// Of each bin, in grey levels squared.
    squares: Vec<f32>,
    /// Of the brightness, in the same unit.
    fill: f32,
    /// The logarithm of how likely it is that it shows nothing known.
    unknown: f32,
    /// How much it counts beside others of its kind.
    counts: f32,
}

impl Residual {
    /// How likely the cell is to show something known.
    fn known(&self, spread: &Spread) -> f32 {
        1.0 / (1.0 + (self.unknown - self.log_likelihood(spread)).exp())
    }

    /// The logarithm of how likely it is if it shows what it is likeliest to.
    fn log_likelihood(&self, spread: &Spread) -> f32 {
        let far = dot(&self.squares, &spread.weights) / self.squares.len() as f32
            - spread.fill.relief * self.fill;
        Off { squares: far, spread: spread.logarithm }.log_likelihood()
    }
}

/// How far a cell is off what is predicted, in units of what it may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Off {
    /// The mean of the squares, in variances.
    pub(crate) squares: f32,
    /// The mean logarithm of the variances.
    pub(crate) spread: f32,
}

/// Degrees of freedom of how much more or less each cell may be off than others. Chosen, not fitted.
const FREEDOM: usize = 12;

impl Off {
    /// The logarithm of how likely that is, but for a constant that all cells share: as a normal density has it.
    pub(crate) fn log_likelihood(self) -> f32 {
        -INDEPENDENT / 2.0 * (self.squares + self.spread)
    }

    /// The same where a cell may be off by a factor of its own: Student's density in so many dimensions as values are
    /// independent.
    pub(crate) fn tailed_log_likelihood(self) -> f32 {
        let (freedom, half) = (FREEDOM as f32, INDEPENDENT / 2.0);
        // Of the two gamma functions, whose arguments are that many whole steps apart.
        let steps = (0..half as usize).map(|step| ((FREEDOM / 2 + step) as f32).ln());
        let constant = half * (2.0 / freedom).ln() + steps.sum::<f32>();
        let tail = (freedom / 2.0 + half) * (INDEPENDENT * self.squares / freedom).ln_1p();
        constant - tail - half * self.spread
    }
}

/// The share of cells that show nothing known, as a logarithm: windows and pointers in front, cells that fade. Chosen,
/// not fitted.
pub(crate) const NOTHING_KNOWN: f32 = -4.0;

/// The logarithm of how likely any one colour is of the 256 x 256 x 256 that there are.
pub(crate) const ANY_COLOUR: f32 = -16.6;

/// The logarithm of how likely a cell is that nothing is known of, but for the constant that all cells share: it is of any
/// one colour, and varies as much as it does. Only the bins of `part` count.
pub(crate) fn unknown(cell: &[f32], part: Part) -> f32 {
    varying(variation(cell, part))
}

/// The variance of the values of a cell around its mean colour.
pub(crate) fn variation(cell: &[f32], part: Part) -> f32 {
    let plane = cell.len() / 3;
    let side = plane.isqrt();
    let (mut variance, mut count) = (0.0, 0);
    for values in cell.chunks_exact(plane) {
        let (mut sum, mut squares, mut bins) = (0.0, 0.0, 0);
        for (row, line) in values.chunks_exact(side).enumerate() {
            for value in part.of_row(row, line) {
                sum += value;
                squares += value * value;
                bins += 1;
            }
        }
        variance += squares - sum * sum / bins as f32;
        count += bins;
    }
    variance.max(0.0) / count as f32
}

/// The logarithm of how likely a cell is whose values vary so, if that is their variance.
pub(crate) fn varying(own: f32) -> f32 {
    varying_in_noise(own, LEAST_VARIANCE)
}

/// The same in a picture whose noise has this variance: no cell varies less.
pub(crate) fn varying_in_noise(own: f32, noise: f32) -> f32 {
    let variance = own.max(noise);
    -INDEPENDENT / 2.0 * (own / variance + variance.ln())
}

/// The same of a whole cell that is so but for one of its borders, which shows anything else.
pub(crate) fn edged(cell: &[f32], noise: f32) -> f32 {
    let side = (cell.len() / 3).isqrt();
    let share = BORDER as f32 / side as f32;
    // Densities leave out the constant that all cells share.
    let colour = ANY_COLOUR + 1.5 * std::f32::consts::TAU.ln();
    let border = share * INDEPENDENT / 3.0 * colour;
    let but_for = |at: Side| {
        let rest = variation(cell, Part::beside(at, BORDER));
        (1.0 - share) * varying_in_noise(rest, noise) + border
    };
    log_sum(Side::ALL.map(but_for).into_iter()) - (Side::ALL.len() as f32).ln()
}

/// The logarithm of the sum of what these are the logarithms of.
pub(crate) fn log_sum(values: impl Iterator<Item = f32> + Clone) -> f32 {
    let most = values.clone().fold(f32::NEG_INFINITY, f32::max);
    if most == f32::NEG_INFINITY {
        return most;
    }
    most + values.map(|value| (value - most).exp()).sum::<f32>().ln()
}

/// How far each bin of a cell is off, squared, as the mean of the colours.
fn squared_errors(cell: &[f32], mean: &[f32]) -> Vec<f32> {
    let plane = cell.len() / 3;
    let error = |at: usize| (cell[at] - mean[at]).powi(2);
    let square = |at: usize| (error(at) + error(plane + at) + error(2 * plane + at)) / 3.0;
    (0..plane).map(square).collect()
}

/// How far the brightness of a cell is off, squared.
fn squared_fill_error(cell: &[f32], mean: &[f32]) -> f32 {
    let off: f32 = cell.iter().zip(mean).map(|(seen, mean)| seen - mean).sum();
    (off / cell.len() as f32).powi(2)
}

/// How much the values change from one bin to the next but one, squared, as the mean of the colours and summed over both axes.
fn squared_gradients(means: &[f32], side: usize) -> Vec<f32> {
    let mut out = vec![0.0; side * side];
    for plane in means.chunks_exact(side * side) {
        for y in 0..side {
            for x in 0..side {
                let wrapped = |at: usize| if at < side { at } else { at - side };
                let at = |x: usize, y: usize| plane[wrapped(y) * side + wrapped(x)];
                let across = at(x + 1, y) - at(x + side - 1, y);
                let down = at(x, y + 1) - at(x, y + side - 1);
                out[y * side + x] += (across * across + down * down) / 12.0;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fill_that_varies_is_integrated_out() {
        let (weight, variance, off) = (0.25f32, 3.0f32, 2.5f32);
        let count = INDEPENDENT;
        let step = 0.01;
        let density = |fill: f32| (-fill * fill / (2.0 * variance)).exp();
        let places = || (-4000..4000).map(|n| n as f32 * step);
        let likely = |fill: f32| (-count / 2.0 * weight * (off - fill).powi(2)).exp();
        let all: f32 = places().map(density).sum();
        let truth = places().map(|fill| density(fill) * likely(fill)).sum::<f32>() / all;
        let FillShare { relief, cost, .. } = FillVariance(variance).among(weight);
        let own = -count / 2.0 * ((weight - relief) * off * off + cost);
        assert!((own - truth.ln()).abs() < 0.01, "{own} is {}", truth.ln());
    }

    #[test]
    fn a_fill_that_does_not_vary_counts_in_full() {
        let FillShare { relief, explained, cost } = FillVariance(0.0).among(0.25);
        assert_eq!((relief, explained, cost), (0.0, 0.0, 0.0));
    }
}
