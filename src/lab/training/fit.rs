//! Fitting the network by Adam (Kingma and Ba, *Adam: a method for stochastic optimization*, 2015).

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Sample;
use crate::solver::best::{Evaluation, WEIGHTS};

/// Samples after which the weights are changed.
const BATCH: usize = 256;
/// How fast they change at first; the rate falls in a straight line.
const RATE: f64 = 0.004;
/// What Adam remembers of the slope and of its square.
const ADAM_DECAY: (f64, f64) = (0.9, 0.999);

/// A network for `samples`, learned in so many rounds over them. Tells `progress` the mean loss of each round.
pub fn fit(
    samples: &[Sample],
    rounds: usize,
    seed: u64,
    mut progress: impl FnMut(usize, f64),
) -> Evaluation {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let weights = (0..WEIGHTS).map(|_| rng.random_range(-0.4..0.4)).collect();
    let mut evaluation = Evaluation::of(weights).expect("as many weights as the network has");
    let (mut mean, mut square) = (vec![0.0; WEIGHTS], vec![0.0; WEIGHTS]);
    let mut decay = (1.0, 1.0);
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let batches = rounds * samples.len().div_ceil(BATCH);
    let mut done = 0;
    for round in 0..rounds {
        order.shuffle(&mut rng);
        let mut loss = 0.0;
        for batch in order.chunks(BATCH) {
            let mut slopes = vec![0.0; WEIGHTS];
            for &index in batch {
                let Sample { features, won } = &samples[index];
                loss += evaluation.learn_from(features, *won, &mut slopes);
            }
            let rate = RATE * (1.0 - done as f64 / batches as f64);
            done += 1;
            decay = (decay.0 * ADAM_DECAY.0, decay.1 * ADAM_DECAY.1);
            let mut weights = evaluation.weights().to_vec();
            for (index, slope) in slopes.into_iter().enumerate() {
                let slope = slope / batch.len() as f64;
                mean[index] += (1.0 - ADAM_DECAY.0) * (slope - mean[index]);
                square[index] += (1.0 - ADAM_DECAY.1) * (slope * slope - square[index]);
                let (mean, square) =
                    (mean[index] / (1.0 - decay.0), square[index] / (1.0 - decay.1));
                weights[index] -= rate * mean / (square.sqrt() + 1e-8);
            }
            evaluation = Evaluation::of(weights).expect("as many weights as before");
        }
        progress(round, loss / samples.len().max(1) as f64);
    }
    evaluation
}

/// The mean loss of `evaluation` on `samples`.
pub fn loss(evaluation: &Evaluation, samples: &[Sample]) -> f64 {
    let mut unused = vec![0.0; WEIGHTS];
    let learn = |sample: &Sample| evaluation.learn_from(&sample.features, sample.won, &mut unused);
    samples.iter().map(learn).sum::<f64>() / samples.len().max(1) as f64
}
