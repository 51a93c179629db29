//! How likely a cell is at most for a look: most looks are so far from it that how likely exactly does not matter.
//!
//! Values count by their variance, each by its own. If all of them counted as little as the least one, what is off would follow
//! from a few sums, which are worked out once: of the cell, of each look, and of each two looks.

use super::lanes::{LANES, dot, sum};
use super::noise::Off;
use super::prediction::{Predictions, share_of_way};

/// Sums over the values of each look, and over those of each two.
#[derive(Clone, Debug)]
pub(super) struct LookSums {
    /// Of the values themselves, and of their squares.
    of: Vec<(f32, f32)>,
    /// Of the products of the values of two looks.
    products: Vec<f32>,
    /// What a value of each look counts at least: one over the greatest variance.
    least_weights: Vec<f32>,
}

impl LookSums {
    pub(super) fn of(predictions: &Predictions) -> Self {
        let count = predictions.count();
        let means = || (0..count).map(|look| predictions.mean(look));
        let products = means().flat_map(|a| means().map(|b| dot(a, b)));
        let plane = predictions.side * predictions.side;
        let least = |weights: &[f32]| weights.iter().copied().fold(f32::INFINITY, f32::min);
        Self {
            of: means().map(sums).collect(),
            products: products.collect(),
            least_weights: predictions.weights.chunks_exact(plane).map(least).collect(),
        }
    }

    fn product(&self, a: usize, b: usize) -> f32 {
        self.products[a * self.of.len() + b]
    }
}

/// The sum of these values and of their squares.
fn sums(values: &[f32]) -> (f32, f32) {
    (sum(values), dot(values, values))
}

/// How far a cell is from another one at least: the sum of the squares of all differences.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distance {
    plain: f32,
    /// If either may be brighter as a whole.
    shape: f32,
}

impl Distance {
    /// Between what has these sums, and this sum of products.
    fn between(a: (f32, f32), b: (f32, f32), product: f32, size: usize) -> Self {
        let squares = a.1 + b.1 - 2.0 * product;
        Self::of(squares, a.0 - b.0, 2.0 * (a.1 + b.1), size)
    }

    /// Of differences whose squares and values add up to this, if what that was worked out from adds up to `magnitude`.
    fn of(squares: f32, total: f32, magnitude: f32, size: usize) -> Self {
        // So many are added up in each lane, and each of these sums is rounded.
        let rounding = (size / LANES) as f32 * f32::EPSILON * magnitude;
        let least = |squares: f32| (squares - rounding).max(0.0);
        Self { plain: least(squares), shape: least(squares - total * total / size as f32) }
    }

    /// Of a cell that is so far from another one of which this is known.
    pub(super) fn less(self, by: Self) -> Self {
        let less = |far: f32, by: f32| (far.sqrt() - by.sqrt()).max(0.0).powi(2);
        Self { plain: less(self.plain, by.plain), shape: less(self.shape, by.shape) }
    }
}

/// How far a cell is from each look.
pub(super) struct Distances<'a> {
    predictions: &'a Predictions,
    /// Sums over the values of the cell, and over their squares.
    own: (f32, f32),
    /// Of the products with the values of each look.
    products: Vec<f32>,
}

impl<'a> Distances<'a> {
    pub(super) fn of(predictions: &'a Predictions, cell: &[f32]) -> Self {
        let products = (0..predictions.count()).map(|look| dot(cell, predictions.mean(look)));
        Self { predictions, own: sums(cell), products: products.collect() }
    }

    fn size(&self) -> usize {
        self.predictions.size()
    }

    /// How far the cell is from this look at least.
    pub(super) fn from(&self, look: usize) -> Distance {
        let of = self.predictions.look_sums().of[look];
        Distance::between(self.own, of, self.products[look], self.size())
    }

    /// The logarithm of how likely the cell is at most that fades from one of these looks to the other.
    pub(super) fn fading_at_most(&self, [a, b]: [usize; 2]) -> f32 {
        let known = self.predictions.look_sums();
        let ((total_a, square_a), (total_b, square_b)) = (known.of[a], known.of[b]);
        let product = known.product(a, b);
        let length = (square_a + square_b - 2.0 * product).max(0.0);
        let along = self.products[b] - self.products[a] - product + square_a;
        let share = share_of_way(along, length);
        let square = self.own.1 + square_a - 2.0 * self.products[a];
        let total = self.own.0 - total_a - share * (total_b - total_a);
        let squares = square - 2.0 * share * along + share * share * length;
        // No square is added up more than eight times, and each sum is off by half of what is between two numbers.
        let magnitude = self.own.1 + square_a + square_b;
        let far = Distance::of(squares, total, 4.0 * magnitude, self.size());
        self.predictions.at_most(a, far, false).max(self.predictions.at_most(b, far, false))
    }
}

/// How far two cells are apart.
pub(super) fn apart(a: &[f32], b: &[f32]) -> Distance {
    Distance::between(sums(a), sums(b), dot(a, b), a.len())
}

impl Predictions {
    /// The logarithm of how likely a cell is at most for a look that is so far from it at least, if it may be highlighted or is
    /// not.
    pub(super) fn at_most(&self, look: usize, far: Distance, may_be_highlighted: bool) -> f32 {
        let is_free = may_be_highlighted || self.fill.0 > 0.0;
        let squares = if is_free { far.shape } else { far.plain };
        let weight = self.look_sums().least_weights[look];
        let plane = (self.side * self.side) as f32;
        let spread = self.sums[look].0 / plane;
        Off { squares: weight * squares / (3.0 * plane), spread }.tailed_log_likelihood()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognize::Skin;
    use crate::recognize::model::looks::{FINE, Looks};
    use crate::recognize::model::prediction::Part;
    use crate::recognize::model::view::View;
    use crate::splitmix::nth;

    /// A cell that is a part of the way from one look to another one, lighter than both, and each of whose values is off.
    fn between(predictions: &Predictions, [a, b]: [usize; 2], n: u64) -> Vec<f32> {
        let part = |nth: u64| (nth % 1000) as f32 / 1000.0;
        let (share, light) = (part(nth(n, 0)).powi(2), 30.0 * part(nth(n, 1)));
        let values = predictions.mean(a).iter().zip(predictions.mean(b)).zip(2..);
        values.map(|((a, b), at)| a + share * (b - a) + light + 6.0 * part(nth(n, at))).collect()
    }

    #[test]
    fn nothing_is_likelier_than_at_most() {
        let (mut pairs, mut ruled_out) = (0, 0);
        for skin in Skin::shipped() {
            let skin = std::sync::Arc::new(skin);
            let looks = Looks::of_all_phases(&skin, (27, 27), skin.gap_width() as f32, FINE);
            let predictions = View::plain().predict_with_variance(&looks);
            let count = predictions.count();
            for n in 0..20u64 {
                let of = |nth_one| (nth(n, nth_one) % count as u64) as usize;
                let cell = between(&predictions, [of(2000), of(2001)], n);
                let moved = between(&predictions, [of(2000), of(2001)], n + 1000);
                let far = Distances::of(&predictions, &cell);
                let likely = predictions.tailed_log_likelihoods(&moved, Part::WHOLE);
                let own = likely.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                for (look, &likely) in likely.iter().enumerate() {
                    let least = far.from(look).less(apart(&cell, &moved));
                    let most = |highlighted| predictions.at_most(look, least, highlighted);
                    assert!(likely <= most(false), "{} {n} {look}", skin.name);
                    let highlighted =
                        predictions.highlighted_log_likelihood(look, &moved, Part::WHOLE);
                    assert!(highlighted <= most(true), "{} {n} {look}", skin.name);
                    let other = (look + 1) % count;
                    let fading =
                        predictions.fading_log_likelihood([look, other], &cell, Part::WHOLE);
                    let most = far.fading_at_most([look, other]);
                    assert!(fading <= most, "{} {n} {look}: {fading} {most}", skin.name);
                    pairs += 1;
                    ruled_out += usize::from(most < own - 30.0);
                }
            }
        }
        assert!(2 * ruled_out > pairs, "{ruled_out} of {pairs}");
    }
}
