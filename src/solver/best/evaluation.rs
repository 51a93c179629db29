//! The chance to win from a position that is not thought through: a small neural network.
//!
//! One hidden layer, from the [features](super::features) to a chance. Its weights are learned from
//! finished games (`minescraper train`): each position after a guess that was survived, and whether the
//! game was won. It calculates with sums, products, quotients and a square root only, so it says the same
//! on every platform.

use super::features::{FEATURES, Features};

/// Units of the hidden layer.
const UNITS: usize = 32;

/// Numbers that make a unit: a weight for each feature, its bias, and its weight in the answer.
const UNIT: usize = FEATURES + 2;

/// Numbers that make the network: its units, and the answer's bias.
pub const WEIGHTS: usize = UNITS * UNIT + 1;

/// The network.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    weights: Vec<f64>,
}

impl Evaluation {
    /// A network of these weights, unit after unit; `None` unless there are [`WEIGHTS`] of them.
    pub fn of(weights: Vec<f64>) -> Option<Self> {
        (weights.len() == WEIGHTS).then_some(Self { weights })
    }

    /// The network that came with the program.
    ///
    /// # Panics
    /// Never: a test reads its file.
    pub fn learned() -> Self {
        let numbers = include_str!("weights.txt").split_whitespace().map(str::parse);
        let weights: Result<Vec<f64>, _> = numbers.collect();
        let network = weights.ok().and_then(Self::of);
        network.expect("the file with the weights belongs to this network")
    }

    /// The weights, unit after unit.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The chance to win, from 0 to 1.
    pub fn win_chance(&self, features: &Features) -> f64 {
        features.ceiling * squash(self.raw(features, |_, _| {}))
    }

    /// What the answer is made of, before it becomes a chance. Tells `each` unit and what it says.
    fn raw(&self, features: &Features, mut each: impl FnMut(usize, f64)) -> f64 {
        let (units, bias) = self.weights.split_at(WEIGHTS - 1);
        let mut sum = bias[0];
        for (index, unit) in units.chunks_exact(UNIT).enumerate() {
            let said = unit.iter().zip(&features.numbers).map(|(weight, number)| weight * number);
            let said = (unit[FEATURES] + said.sum::<f64>()).max(0.0);
            each(index, said);
            sum += unit[FEATURES + 1] * said;
        }
        sum
    }

    /// Adds to `slope` how the loss changes with each weight, when a game at `features` was won or not.
    /// Returns the loss: the logarithm of the chance that was given to what happened, negated.
    ///
    /// # Panics
    /// When `slope` has less than [`WEIGHTS`] numbers.
    pub fn learn_from(&self, features: &Features, won: bool, slope: &mut [f64]) -> f64 {
        let mut said = [0.0; UNITS];
        let raw = self.raw(features, |unit, value| said[unit] = value);
        let chance = (features.ceiling * squash(raw)).clamp(1e-9, 1.0 - 1e-9);
        // Of the loss by the chance, and of the chance by the raw answer.
        let by_chance = if won { -1.0 / chance } else { 1.0 / (1.0 - chance) };
        let root = (1.0 + raw * raw).sqrt();
        let outer = by_chance * features.ceiling * 0.5 / (root * root * root);
        slope[WEIGHTS - 1] += outer;
        for (unit, &value) in said.iter().enumerate() {
            if value <= 0.0 {
                continue;
            }
            let begin = unit * UNIT;
            let inner = outer * self.weights[begin + FEATURES + 1];
            slope[begin + FEATURES + 1] += outer * value;
            slope[begin + FEATURES] += inner;
            for (slope, number) in slope[begin..].iter_mut().zip(&features.numbers) {
                *slope += inner * number;
            }
        }
        if won { -chance.ln() } else { -(1.0 - chance).ln() }
    }
}

/// From any number to one between 0 and 1: an S-shaped curve made of a square root.
fn squash(raw: f64) -> f64 {
    0.5 + 0.5 * raw / (1.0 + raw * raw).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_how_the_loss_changes() {
        let mut features = Features { ceiling: 0.75, numbers: [0.0; FEATURES] };
        for (index, number) in features.numbers.iter_mut().enumerate() {
            *number = (index % 7) as f64 / 7.0;
        }
        let network = Evaluation::learned();
        for won in [true, false] {
            let mut slope = vec![0.0; WEIGHTS];
            let loss = network.learn_from(&features, won, &mut slope);
            for index in (0..WEIGHTS).step_by(5).chain([WEIGHTS - 1]) {
                let mut weights = network.weights.clone();
                weights[index] += 1e-6;
                let moved =
                    Evaluation { weights }.learn_from(&features, won, &mut vec![0.0; WEIGHTS]);
                let measured = (moved - loss) / 1e-6;
                assert!((measured - slope[index]).abs() < 1e-3, "{measured} {}", slope[index]);
            }
        }
    }
}
