//! The chance to win from a position that is not thought through: a small neural network.
//!
//! One layer looks at each cell that may still be opened, and its answers are added up over the cells, so that their order and
//! their number do not matter (M. Zaheer and others, *Deep Sets*, 2017). A second one goes from these sums and the
//! [features](super::features) of the whole position to a chance. The weights are learned from finished games (`minescraper
//! train`). It calculates with sums, products, quotients and a square root only, so it says the same on every platform.

use super::features::{CELL_FEATURES, CellFeatures, FEATURES, Features};

/// Units of the layer that looks at cells.
const CELL_UNITS: usize = 16;

/// Numbers of that layer: for each feature of a cell, and for the bias, a weight for each unit.
const CELL_LAYER: usize = (CELL_FEATURES + 1) * CELL_UNITS;

/// A sum over cells that counts as half of what it may be.
const HALF: f32 = 8.0;

/// What the hidden layer is told: the features of the position, and two forms of each sum.
const INPUTS: usize = FEATURES + 2 * CELL_UNITS;

/// Units of the hidden layer.
const UNITS: usize = 32;

/// Numbers of that layer: for each input, and for the bias, a weight for each unit.
const HIDDEN_LAYER: usize = (INPUTS + 1) * UNITS;

/// Numbers that make the network: its two layers, the weight of each hidden unit in the answer, and the answer's bias.
pub const WEIGHTS: usize = CELL_LAYER + HIDDEN_LAYER + UNITS + 1;

/// The network.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    weights: Vec<f64>,
    /// The same, as it is calculated with.
    layers: Vec<f32>,
}

/// What the network makes of a position.
struct Thought {
    sums: [f32; CELL_UNITS],
    inputs: [f32; INPUTS],
    hidden: [f32; UNITS],
    raw: f64,
}

impl Evaluation {
    /// A network of these weights, layer after layer; `None` unless there are [`WEIGHTS`] of them.
    pub fn of(weights: Vec<f64>) -> Option<Self> {
        let layers = weights.iter().map(|&weight| weight as f32).collect();
        (weights.len() == WEIGHTS).then_some(Self { weights, layers })
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

    /// The weights, layer after layer.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The chance to win, from 0 to 1.
    pub fn win_chance(&self, features: &Features) -> f64 {
        features.ceiling * squash(self.thought(features).raw)
    }

    fn cell_layer(&self) -> &[f32] {
        &self.layers[..CELL_LAYER]
    }

    fn hidden_layer(&self) -> &[f32] {
        &self.layers[CELL_LAYER..][..HIDDEN_LAYER]
    }

    fn answer_layer(&self) -> &[f32] {
        &self.layers[CELL_LAYER + HIDDEN_LAYER..]
    }

    fn thought(&self, features: &Features) -> Thought {
        let mut sums = [0.0; CELL_UNITS];
        for cell in &features.cells {
            let said = layer::<CELL_UNITS>(self.cell_layer(), &cell.numbers);
            for (sum, said) in sums.iter_mut().zip(said) {
                *sum += cell.times * said;
            }
        }
        let mut inputs = [0.0; INPUTS];
        for (input, &number) in inputs.iter_mut().zip(&features.numbers) {
            *input = number as f32;
        }
        for (unit, &sum) in sums.iter().enumerate() {
            inputs[FEATURES + unit] = sum / (2.0 * HALF);
            inputs[FEATURES + CELL_UNITS + unit] = sum / (sum + HALF);
        }
        let hidden = layer::<UNITS>(self.hidden_layer(), &inputs);
        let answer = self.answer_layer();
        let mut raw = answer[UNITS];
        for (said, weight) in hidden.iter().zip(answer) {
            raw += said * weight;
        }
        Thought { sums, inputs, hidden, raw: f64::from(raw) }
    }

    /// Adds to `slope` how the loss changes with each weight, when a game at `features` was won, 1, or not, 0, or what else
    /// it was worth. Returns the loss: the logarithm of the chance that was given to what happened, negated.
    ///
    /// # Panics
    /// When `slope` has less than [`WEIGHTS`] numbers.
    pub fn learn_from(&self, features: &Features, worth: f64, slope: &mut [f64]) -> f64 {
        let Thought { sums, inputs, hidden, raw } = self.thought(features);
        let chance = (features.ceiling * squash(raw)).clamp(1e-6, 1.0 - 1e-6);
        // Of the loss by the chance, and of the chance by the raw answer.
        let by_chance = (chance - worth) / (chance * (1.0 - chance));
        let root = (1.0 + raw * raw).sqrt();
        let outer = (by_chance * features.ceiling * 0.5 / (root * root * root)) as f32;
        let (cell_slope, slope) = slope.split_at_mut(CELL_LAYER);
        let (hidden_slope, answer_slope) = slope.split_at_mut(HIDDEN_LAYER);
        answer_slope[UNITS] += f64::from(outer);
        let mut by_hidden = [0.0; UNITS];
        for unit in 0..UNITS {
            answer_slope[unit] += f64::from(outer * hidden[unit]);
            if hidden[unit] > 0.0 {
                by_hidden[unit] = outer * self.answer_layer()[unit];
            }
        }
        add_slope(&by_hidden, &inputs, 1.0, hidden_slope);
        let by_input = |input: usize| -> f32 {
            let weights = &self.hidden_layer()[input * UNITS..][..UNITS];
            weights.iter().zip(&by_hidden).map(|(weight, by)| weight * by).sum()
        };
        let mut by_sum = [0.0; CELL_UNITS];
        for (unit, (by, sum)) in by_sum.iter_mut().zip(sums).enumerate() {
            let linear = by_input(FEATURES + unit) / (2.0 * HALF);
            let bent =
                by_input(FEATURES + CELL_UNITS + unit) * HALF / ((sum + HALF) * (sum + HALF));
            *by = linear + bent;
        }
        for CellFeatures { times, numbers } in &features.cells {
            let said: [f32; CELL_UNITS] = layer(self.cell_layer(), numbers);
            let mut by = by_sum;
            for (by, said) in by.iter_mut().zip(said) {
                if said <= 0.0 {
                    *by = 0.0;
                }
            }
            add_slope(&by, numbers, *times, cell_slope);
        }
        -(worth * chance.ln() + (1.0 - worth) * (1.0 - chance).ln())
    }
}

/// What the units of a layer say to `inputs`; its weights are in the order of the inputs, the biases last.
fn layer<const UNITS: usize>(weights: &[f32], inputs: &[f32]) -> [f32; UNITS] {
    let mut said = [0.0; UNITS];
    said.copy_from_slice(&weights[inputs.len() * UNITS..][..UNITS]);
    for (row, input) in weights.chunks_exact(UNITS).zip(inputs) {
        for (said, weight) in said.iter_mut().zip(row) {
            *said += weight * input;
        }
    }
    said.map(|said| said.max(0.0))
}

/// Adds to the slopes of a layer what `times` such `inputs` add, when the loss changes so with what each unit says.
fn add_slope<const UNITS: usize>(
    by_unit: &[f32; UNITS],
    inputs: &[f32],
    times: f32,
    slope: &mut [f64],
) {
    for (row, input) in slope.chunks_exact_mut(UNITS).zip(inputs.iter().chain([&1.0])) {
        for (slope, by) in row.iter_mut().zip(by_unit) {
            *slope += f64::from(by * input * times);
        }
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
        let numbers = |count: usize, shift: usize| {
            (0..count).map(move |index| ((index + shift) % 7) as f32 / 7.0)
        };
        let cell = |shift: usize, times: f32| {
            let mut cell = CellFeatures { times, numbers: [0.0; CELL_FEATURES] };
            cell.numbers
                .iter_mut()
                .zip(numbers(CELL_FEATURES, shift))
                .for_each(|(to, it)| *to = it);
            cell
        };
        let mut features = Features {
            ceiling: 0.75,
            numbers: [0.0; FEATURES],
            cells: vec![cell(0, 1.0), cell(3, 5.0)],
        };
        features
            .numbers
            .iter_mut()
            .zip(numbers(FEATURES, 0))
            .for_each(|(to, it)| *to = f64::from(it));
        let network = Evaluation::learned();
        for worth in [1.0, 0.0, 0.3] {
            let mut slope = vec![0.0; WEIGHTS];
            network.learn_from(&features, worth, &mut slope);
            for index in (0..WEIGHTS).step_by(5).chain([WEIGHTS - 1]) {
                let moved = |by: f64| {
                    let mut weights = network.weights.clone();
                    weights[index] += by;
                    let moved = Evaluation::of(weights).unwrap();
                    moved.learn_from(&features, worth, &mut vec![0.0; WEIGHTS])
                };
                let measured = (moved(1e-3) - moved(-1e-3)) / 2e-3;
                assert!((measured - slope[index]).abs() < 1e-3, "{measured} {}", slope[index]);
            }
        }
    }
}
