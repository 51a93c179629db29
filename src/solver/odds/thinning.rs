//! Fewer states in place of many, without bias.
//!
//! Optimal resampling for discrete state spaces (P. Fearnhead and P. Clifford, "On-line inference for
//! hidden Markov models via particle filters", 2003): the heavy ones are kept as they are, each light one is
//! kept with a chance in proportion to its weight, and then weighs as much as the lightest heavy one
//! might. Every sum of weights keeps its expectation, and no other unbiased choice changes the weights
//! less.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Chooses what is kept. Used again, so that it rarely allocates.
#[derive(Clone, Debug, Default)]
pub(super) struct Thinning {
    weights: Vec<f64>,
    sorted: Vec<f64>,
    factors: Vec<f64>,
}

impl Thinning {
    /// What to multiply each of `weights` by so that at most `keep` are left: 1 for heavy ones, 0 for
    /// those that are dropped. The same seed makes the same choice.
    pub fn factors(
        &mut self,
        weights: impl Iterator<Item = f64>,
        keep: usize,
        seed: u64,
    ) -> &[f64] {
        self.weights.clear();
        self.weights.extend(weights);
        let threshold = self.threshold(keep);
        let mut next = threshold * ChaCha8Rng::seed_from_u64(seed).random_range(0.0..1.0);
        let mut sum = 0.0;
        self.factors.clear();
        for &weight in &self.weights {
            self.factors.push(if weight >= threshold {
                1.0
            } else {
                // One light one is kept for every full `threshold` of weight that goes by.
                sum += weight;
                if sum > next && weight > 0.0 {
                    next += threshold;
                    threshold / weight
                } else {
                    0.0
                }
            });
        }
        &self.factors
    }

    /// The weight c for which the sum of min(1, weight / c) is `keep`.
    fn threshold(&mut self, keep: usize) -> f64 {
        self.sorted.clone_from(&self.weights);
        self.sorted.sort_unstable_by(f64::total_cmp);
        let mut light: f64 = self.sorted.iter().sum();
        for (heavy, weight) in self.sorted.iter().rev().enumerate().take(keep) {
            let threshold = light / (keep - heavy) as f64;
            if *weight <= threshold {
                return threshold;
            }
            light -= weight;
        }
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heavy_ones_stay_and_sums_keep_their_expectation() {
        let weights: Vec<f64> =
            (0..100).map(|n| f64::from(n % 10) + if n == 50 { 500.0 } else { 0.0 }).collect();
        let total: f64 = weights.iter().sum();
        let mut thinning = Thinning::default();
        let mut first_half = 0.0;
        for seed in 0..1000 {
            let factors = thinning.factors(weights.iter().copied(), 20, seed);
            assert_eq!(factors[50], 1.0);
            assert!(factors.iter().filter(|&&factor| factor > 0.0).count() <= 20);
            let thinned = weights.iter().zip(factors).map(|(weight, factor)| weight * factor);
            assert!((thinned.clone().sum::<f64>() - total).abs() < 50.0);
            first_half += thinned.take(50).sum::<f64>() / 1000.0;
        }
        let expected: f64 = weights[..50].iter().sum();
        assert!((first_half - expected).abs() < 3.0, "{first_half} for {expected}");
    }
}
