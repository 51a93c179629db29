//! Fitting a network by Adam (Kingma and Ba, *Adam: a method for stochastic optimization*, 2015).

use std::thread;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A network whose weights are learned from samples.
pub trait Network: Sized {
    /// What it is asked about, and what the answer should have been.
    type Sample;
    /// How many weights it has.
    const WEIGHTS: usize;

    /// A network of these weights, if there are as many as it has.
    fn of(weights: Vec<f64>) -> Option<Self>;
    /// Its weights.
    fn weights(&self) -> &[f64];
    /// Adds to `slope` how the loss at `sample` changes with each weight; returns the loss.
    fn learn_from(&self, sample: &Self::Sample, slope: &mut [f64]) -> f64;
}

/// Samples after which the weights are changed.
const BATCH: usize = 256;
/// Parts of a batch, which are summed up for themselves, on as many threads as there are: so the sum is always the same.
const PARTS: usize = 8;
/// How fast they change at first; the rate falls in a straight line.
const RATE: f64 = 0.004;
/// What Adam remembers of the slope and of its square.
const ADAM_DECAY: (f64, f64) = (0.9, 0.999);

/// A network for `samples`, learned in so many rounds over them. Tells `progress` the mean loss of each round.
///
/// # Panics
/// When the network takes another number of weights than it says.
pub fn fit<N: Network<Sample: Sync> + Sync>(
    samples: &[N::Sample],
    rounds: usize,
    seed: u64,
    mut progress: impl FnMut(usize, f64),
) -> N {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let weights = (0..N::WEIGHTS).map(|_| rng.random_range(-0.4..0.4)).collect();
    let mut network = N::of(weights).expect("as many weights as the network has");
    let (mut mean, mut square) = (vec![0.0; N::WEIGHTS], vec![0.0; N::WEIGHTS]);
    let mut decay = (1.0, 1.0);
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let batches = rounds * samples.len().div_ceil(BATCH);
    let mut done = 0;
    for round in 0..rounds {
        order.shuffle(&mut rng);
        let mut loss = 0.0;
        for batch in order.chunks(BATCH) {
            let mut slopes = vec![0.0; N::WEIGHTS];
            for (slope, part) in slopes_of(&network, samples, batch) {
                loss += part;
                slopes.iter_mut().zip(slope).for_each(|(sum, slope)| *sum += slope);
            }
            let rate = RATE * (1.0 - done as f64 / batches as f64);
            done += 1;
            decay = (decay.0 * ADAM_DECAY.0, decay.1 * ADAM_DECAY.1);
            let mut weights = network.weights().to_vec();
            for (index, slope) in slopes.into_iter().enumerate() {
                let slope = slope / batch.len() as f64;
                mean[index] += (1.0 - ADAM_DECAY.0) * (slope - mean[index]);
                square[index] += (1.0 - ADAM_DECAY.1) * (slope * slope - square[index]);
                let (mean, square) =
                    (mean[index] / (1.0 - decay.0), square[index] / (1.0 - decay.1));
                weights[index] -= rate * mean / (square.sqrt() + 1e-8);
            }
            network = N::of(weights).expect("as many weights as before");
        }
        progress(round, loss / samples.len().max(1) as f64);
    }
    network
}

/// The slopes and the losses of each part of a batch.
fn slopes_of<N: Network + Sync>(
    network: &N,
    samples: &[N::Sample],
    batch: &[usize],
) -> Vec<(Vec<f64>, f64)>
where
    N::Sample: Sync,
{
    let parts: Vec<&[usize]> = batch.chunks(batch.len().div_ceil(PARTS)).collect();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let learn = |part: &&[usize]| {
        let mut slopes = vec![0.0; N::WEIGHTS];
        let losses = part.iter().map(|&index| network.learn_from(&samples[index], &mut slopes));
        let loss = losses.sum();
        (slopes, loss)
    };
    thread::scope(|scope| {
        let shares = parts.chunks(parts.len().div_ceil(threads));
        let workers: Vec<_> = shares
            .map(|share| scope.spawn(|| share.iter().map(learn).collect::<Vec<_>>()))
            .collect();
        let learned = workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default());
        learned.collect()
    })
}

/// The mean loss of a network on `samples`.
pub fn loss<N: Network>(network: &N, samples: &[N::Sample]) -> f64 {
    let mut unused = vec![0.0; N::WEIGHTS];
    let learn = |sample: &N::Sample| network.learn_from(sample, &mut unused);
    samples.iter().map(learn).sum::<f64>() / samples.len().max(1) as f64
}
