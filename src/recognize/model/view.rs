//! What a screen makes of a skin: `light(colour(blur(look))) + noise`, estimated from the cells in sight.

use std::borrow::Cow;

use nalgebra::{SMatrix, SVector};

use super::light::Light;
use super::looks::{FEATURES, Looks};
use super::samples::Samples;

/// So many of a cell's values are independent: those of neighbouring bins err together. Chosen, not fitted.
pub(crate) const INDEPENDENT: f32 = 40.0;
/// The least variance of a value, in grey levels squared: rounding, and what games draw differently each time.
pub(crate) const LEAST_VARIANCE: f32 = 2.0;
/// How far each coefficient of the colours is from those of an unchanged picture, as a standard deviation: for red, green and
/// blue, the constant (in units of 255), the squares, and lightness.
const COLOUR_DEVIATION: [f64; FEATURES] = [0.5, 0.5, 0.5, 0.35, 0.25, 0.25, 0.25, 0.5];
/// How far each weight of the blur is from that of a sharp picture, as a standard deviation.
const BLUR_DEVIATION: f64 = 0.3;

/// Values above this, and those as far from none, may be bounded by what a screen can show: rounding is half a grey level.
const BRIGHTEST: f32 = 254.5;

/// Weights of a kernel of 5x5 bins that is the same mirrored both ways: at `|dx| + 3 * |dy|`.
pub(crate) const WEIGHTS: usize = 9;

type ColourMatrix = SMatrix<f64, FEATURES, FEATURES>;

/// How colours, sharpness and light in the picture follow from those of a skin, and how far from that the picture is.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// What each feature adds to red, green and blue.
    colour: [[f32; 3]; FEATURES],
    /// The covariance of those sums, where they are estimated.
    doubt: Option<[[f32; FEATURES]; FEATURES]>,
    /// The weights of the blur, where there is one.
    pub(crate) blur: Option<[f32; WEIGHTS]>,
    /// How brightness changes across the board, where it does.
    pub(crate) light: Option<Light>,
    /// The variance of a value, in grey levels squared.
    pub(crate) variance: f32,
    /// How much it grows with the square of the change from a bin to the next.
    slope: f32,
}

/// What is estimated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Freedom {
    pub(crate) colour: bool,
    pub(crate) blur: bool,
}

impl View {
    /// The view in which a picture is as the skin is.
    pub(crate) fn plain() -> Self {
        Self::levels(1.0, [0.0; 3])
    }

    /// The view that multiplies colours by `gain` and adds a colour.
    pub(crate) fn levels(gain: f32, summand: [f32; 3]) -> Self {
        let mut colour = [[0.0; 3]; FEATURES];
        for channel in 0..3 {
            colour[channel][channel] = gain;
            colour[3][channel] = summand[channel] / 255.0;
        }
        Self { colour, doubt: None, blur: None, light: None, variance: 64.0, slope: 0.0 }
    }

    /// The view in which only grey levels are left.
    pub(crate) fn grey() -> Self {
        let mut view = Self::plain();
        for (row, weight) in view.colour.iter_mut().zip([0.3, 0.59, 0.11]) {
            *row = [weight; 3];
        }
        view
    }

    /// Whether colours are as the skin's.
    pub(crate) fn is_plain(&self) -> bool {
        self.doubt.is_none()
    }

    /// How many numbers of it were estimated.
    pub(crate) fn estimated(&self) -> usize {
        let of = |is: bool, count: usize| if is { count } else { 0 };
        of(self.doubt.is_some(), 3 * FEATURES)
            + of(self.blur.is_some(), WEIGHTS)
            + of(self.light.is_some(), Light::NUMBERS)
    }

    /// The cells as they were if brightness did not change across them.
    pub(crate) fn unlit<'a>(&self, seen: &'a Samples) -> Cow<'a, Samples> {
        match &self.light {
            Some(light) => Cow::Owned(light.removed(seen)),
            None => Cow::Borrowed(seen),
        }
    }

    /// What cells of these looks are predicted to be.
    pub(crate) fn predict(&self, looks: &Looks) -> Predictions {
        let side = looks.side;
        let plane = side * side;
        let mut predictions = Predictions {
            side,
            means: Vec::with_capacity(looks.looks.len() * 3 * plane),
            weights: Vec::new(),
            spread: Vec::new(),
        };
        for look in &looks.looks {
            let mut means = self.recoloured(&look.features, plane);
            if let Some(weights) = &self.blur {
                means = blurred(&means, side, weights);
            }
            predictions.means.extend(means);
        }
        predictions
    }

    /// The same with how far each value may be off.
    pub(crate) fn predict_with_variance(&self, looks: &Looks) -> Predictions {
        let mut predictions = self.predict(looks);
        let plane = looks.side * looks.side;
        for (look, means) in looks.looks.iter().zip(predictions.means.chunks_exact(3 * plane)) {
            let gradients = squared_gradients(means, looks.side);
            let mut spread = 0.0;
            for (at, gradient) in gradients.iter().enumerate() {
                let mut variance = self.variance + self.slope * gradient;
                if let Some(doubt) = &self.doubt {
                    let features: [f32; FEATURES] =
                        std::array::from_fn(|feature| look.features[feature * plane + at]);
                    variance += quadratic(doubt, &features);
                }
                predictions.weights.push(1.0 / variance);
                spread += variance.ln();
            }
            predictions.spread.push(spread / plane as f32);
        }
        predictions
    }

    /// What becomes of colours.
    fn recoloured(&self, features: &[f32], plane: usize) -> Vec<f32> {
        let mut means = self.unbounded(features, plane);
        means.iter_mut().for_each(|value| *value = value.clamp(0.0, 255.0));
        means
    }

    /// The same where colours may be brighter or darker than a screen can show.
    fn unbounded(&self, features: &[f32], plane: usize) -> Vec<f32> {
        let mut means = vec![0.0; 3 * plane];
        for (values, row) in features.chunks_exact(plane).zip(&self.colour) {
            for (channel, &by) in row.iter().enumerate() {
                if by != 0.0 {
                    let to = &mut means[channel * plane..][..plane];
                    to.iter_mut().zip(values).for_each(|(to, value)| *to += by * value);
                }
            }
        }
        means
    }

    /// Estimates what is free in turns with which cell shows which look, so many times. Returns how far the cells are off
    /// at last, in grey levels squared.
    pub(crate) fn fit(
        &mut self,
        seen: &Samples,
        looks: &Looks,
        rounds: usize,
        free: Freedom,
    ) -> f32 {
        let mut cost = f32::INFINITY;
        let most = seen.variance();
        for round in 0..=rounds {
            let seen = &*self.unlit(seen);
            let predictions = self.predict(looks);
            let nearest = predictions.nearest(seen, looks, self.variance);
            let scale = nearest.scale();
            self.variance = scale.max(LEAST_VARIANCE);
            cost = nearest.mean_capped(most);
            if round == rounds {
                break;
            }
            let mut sums = nearest.sums(seen, looks.looks.len(), scale);
            self.complete(&mut sums, looks);
            // At first only levels: with all that is free, kinds with drawings that are alike may change places.
            if free.colour && round == 0 {
                self.fit_levels(&sums, looks);
            } else if free.colour {
                self.fit_colour(&sums, looks);
            }
            if free.blur {
                self.fit_blur(&sums, looks);
            }
        }
        cost
    }

    /// What is as bright or as dark as a screen can show may be more so: there cells count as the view says, if that is beyond.
    fn complete(&self, sums: &mut [Option<Shown>], looks: &Looks) {
        let plane = looks.side * looks.side;
        for (look, shown) in looks.looks.iter().zip(sums) {
            let Some(shown) = shown else { continue };
            let unbounded = self.unbounded(&look.features, plane);
            for (sum, value) in shown.sum.iter_mut().zip(unbounded) {
                let mean = *sum / shown.weight.max(1e-6);
                if (mean > BRIGHTEST && value > mean) || (mean < 255.0 - BRIGHTEST && value < mean)
                {
                    *sum = value * shown.weight;
                }
            }
        }
    }

    /// Estimates a factor and a summand for each of red, green and blue, which come after what the colours are now.
    fn fit_levels(&mut self, sums: &[Option<Shown>], looks: &Looks) {
        let plane = looks.side * looks.side;
        let means: Vec<Vec<f32>> =
            looks.looks.iter().map(|look| self.unbounded(&look.features, plane)).collect();
        for channel in 0..3 {
            let (mut count, mut own, mut squares, mut seen, mut both) = (0.0, 0.0, 0.0, 0.0, 0.0);
            for (means, shown) in means.iter().zip(sums) {
                let Some(shown) = shown else { continue };
                let mean = &means[channel * plane..][..plane];
                let sum = &shown.sum[channel * plane..][..plane];
                count += shown.weight * plane as f32;
                own += shown.weight * mean.iter().sum::<f32>();
                squares += shown.weight * dot(mean, mean);
                seen += sum.iter().sum::<f32>();
                both += dot(mean, sum);
            }
            let (own, seen) = (own / count.max(1e-6), seen / count.max(1e-6));
            let spread = squares / count.max(1e-6) - own * own;
            let gain = (both / count.max(1e-6) - own * seen + LEAST_VARIANCE)
                / (spread.max(0.0) + LEAST_VARIANCE);
            self.colour.iter_mut().for_each(|row| row[channel] *= gain);
            self.colour[3][channel] += (seen - gain * own) / 255.0;
        }
    }

    fn fit_colour(&mut self, sums: &[Option<Shown>], looks: &Looks) {
        let plane = looks.side * looks.side;
        let mut own = ColourMatrix::zeros();
        let mut both = SMatrix::<f64, FEATURES, 3>::zeros();
        for (look, shown) in looks.looks.iter().zip(sums) {
            let Some(shown) = shown else { continue };
            let features = match &self.blur {
                Some(weights) => blurred(&look.features, looks.side, weights),
                None => look.features.clone(),
            };
            for i in 0..FEATURES {
                let first = &features[i * plane..][..plane];
                for j in i..FEATURES {
                    let value =
                        f64::from(dot(first, &features[j * plane..][..plane]) * shown.weight);
                    own[(i, j)] += value;
                }
                for channel in 0..3 {
                    both[(i, channel)] +=
                        f64::from(dot(first, &shown.sum[channel * plane..][..plane]));
                }
            }
        }
        for i in 0..FEATURES {
            for j in 0..i {
                own[(i, j)] = own[(j, i)];
            }
        }
        // In units of 1 for white, tempered: neighbouring bins err together.
        let per_value = f64::from(INDEPENDENT) / (3.0 * plane as f64) / f64::from(self.variance);
        let mut precision = own * per_value;
        let mut sides = both * per_value;
        for (feature, deviation) in COLOUR_DEVIATION.iter().enumerate() {
            let prior = 1.0 / (deviation * deviation);
            precision[(feature, feature)] += prior;
            if feature < 3 {
                sides[(feature, feature)] += prior;
            }
        }
        let Some(cholesky) = precision.cholesky() else { return };
        let solved = cholesky.solve(&sides);
        let covariance = cholesky.inverse();
        for feature in 0..FEATURES {
            self.colour[feature] = std::array::from_fn(|channel| solved[(feature, channel)] as f32);
        }
        let row = |i: usize| std::array::from_fn(|j| covariance[(i, j)] as f32);
        self.doubt = Some(std::array::from_fn(row));
    }

    fn fit_blur(&mut self, sums: &[Option<Shown>], looks: &Looks) {
        let side = looks.side;
        let plane = side * side;
        let mut own = SMatrix::<f64, WEIGHTS, WEIGHTS>::zeros();
        let mut both = SVector::<f64, WEIGHTS>::zeros();
        for (look, shown) in looks.looks.iter().zip(sums) {
            let Some(shown) = shown else { continue };
            let sharp = self.recoloured(&look.features, plane);
            let shifted: Vec<Vec<f32>> = (0..WEIGHTS)
                .map(|at| {
                    let mut weights = [0.0; WEIGHTS];
                    weights[at] = 1.0;
                    blurred(&sharp, side, &weights)
                })
                .collect();
            for i in 0..WEIGHTS {
                for j in i..WEIGHTS {
                    let value = f64::from(dot(&shifted[i], &shifted[j]) * shown.weight);
                    own[(i, j)] += value;
                    if i != j {
                        own[(j, i)] += value;
                    }
                }
                both[i] += f64::from(dot(&shifted[i], &shown.sum));
            }
        }
        let per_value = f64::from(INDEPENDENT) / (3.0 * plane as f64) / f64::from(self.variance);
        let prior = 1.0 / (BLUR_DEVIATION * BLUR_DEVIATION);
        let mut precision = own * per_value;
        let mut sides = both * per_value;
        for at in 0..WEIGHTS {
            precision[(at, at)] += prior;
        }
        sides[0] += prior;
        let Some(cholesky) = precision.cholesky() else { return };
        let solved = cholesky.solve(&sides);
        let total: f64 = (0..WEIGHTS).map(|at| solved[at] * f64::from(places(at))).sum();
        if total.abs() > 0.1 {
            self.blur = Some(std::array::from_fn(|at| (solved[at] / total) as f32));
        }
    }

    /// Estimates how brightness changes across cells that lie within `extent`.
    pub(crate) fn fit_light(&mut self, seen: &Samples, looks: &Looks, extent: Extent) {
        let predictions = self.predict(looks);
        let nearest = predictions.nearest(&self.unlit(seen), looks, self.variance);
        let scale = nearest.scale();
        let shown = nearest.weights(scale);
        let mut light = Light::new(extent);
        let pairs = seen.iter().zip(&seen.places).zip(shown);
        let pairs = pairs
            .map(|((cell, &place), (look, weight))| (place, cell, predictions.mean(look), weight));
        let per_value = INDEPENDENT / seen.size() as f32 / self.variance;
        light.fit(pairs, per_value);
        self.light = Some(light);
    }

    /// Estimates the variance from cells and what they show, leaving out those that are far off.
    pub(crate) fn fit_noise(&mut self, seen: &Samples, looks: &Looks) {
        let predictions = self.predict(looks);
        let nearest = predictions.nearest(seen, looks, self.variance);
        let limit = FAR_OFF * nearest.scale().max(LEAST_VARIANCE);
        let plane = looks.side * looks.side;
        let gradients: Vec<Vec<f32>> = (0..looks.looks.len())
            .map(|look| squared_gradients(predictions.mean(look), looks.side))
            .collect();
        let (mut variance, mut slope) = (self.variance.max(LEAST_VARIANCE), self.slope);
        for _ in 0..3 {
            let (mut own, mut both) = (SMatrix::<f64, 2, 2>::zeros(), SVector::<f64, 2>::zeros());
            for (cell, &(look, distance)) in seen.iter().zip(&nearest.0) {
                if distance > limit {
                    continue;
                }
                let mean = predictions.mean(look);
                for (at, &gradient) in gradients[look].iter().enumerate() {
                    let error =
                        |channel: usize| cell[channel * plane + at] - mean[channel * plane + at];
                    let square = (error(0).powi(2) + error(1).powi(2) + error(2).powi(2)) / 3.0;
                    let expected = variance + slope * gradient;
                    let weight = f64::from(1.0 / (expected * expected));
                    let (gradient, square) = (f64::from(gradient), f64::from(square));
                    own[(0, 0)] += weight;
                    own[(0, 1)] += weight * gradient;
                    own[(1, 1)] += weight * gradient * gradient;
                    both[0] += weight * square;
                    both[1] += weight * square * gradient;
                }
            }
            own[(1, 0)] = own[(0, 1)];
            let alone = (both[0] / own[(0, 0)].max(1e-12)) as f32;
            let solved = own.try_inverse().map(|inverse| inverse * both);
            (variance, slope) = match solved {
                Some(solved) if solved[1] > 0.0 && solved[0] > 0.0 => {
                    (solved[0] as f32, solved[1] as f32)
                }
                Some(solved) if solved[1] > 0.0 => {
                    (LEAST_VARIANCE, (both[1] / own[(1, 1)].max(1e-12)) as f32)
                }
                _ => (alone, 0.0),
            };
            variance = variance.max(LEAST_VARIANCE);
            slope = slope.min(1.0);
        }
        (self.variance, self.slope) = (variance, slope);
    }
}

/// Cells that are off by so many times what is usual tell nothing of the noise: three deviations.
const FAR_OFF: f32 = 9.0;

/// The first and the last place of a board, as `(col, row)`.
pub(crate) type Extent = ((i32, i32), (i32, i32));

/// What cells that show one look add up to.
pub(crate) struct Shown {
    weight: f32,
    sum: Vec<f32>,
}

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
    side: usize,
    means: Vec<f32>,
    /// One over the variance of each bin.
    weights: Vec<f32>,
    /// The mean logarithm of the variances of each look.
    spread: Vec<f32>,
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
                    spread -= weights[at].ln();
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
                let distance = distance(cell, mean) / size as f32;
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
    fn weights(&self, scale: f32) -> impl Iterator<Item = (usize, f32)> + '_ {
        let usual = 4.0 * scale.max(LEAST_VARIANCE);
        self.0.iter().map(move |&(look, distance)| (look, 1.0 / (1.0 + distance / usual)))
    }

    /// What the cells of each look add up to.
    fn sums(&self, seen: &Samples, looks: usize, scale: f32) -> Vec<Option<Shown>> {
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

/// In how many places of a kernel this weight is.
fn places(weight: usize) -> u8 {
    let double = |distance: usize| if distance == 0 { 1 } else { 2 };
    double(weight % 3) * double(weight / 3)
}

/// Planes of `side` x `side` bins through a kernel. Beyond a cell comes one like it.
fn blurred(planes: &[f32], side: usize, weights: &[f32; WEIGHTS]) -> Vec<f32> {
    let mut out = Vec::with_capacity(planes.len());
    for plane in planes.chunks_exact(side * side) {
        // The sums along rows at each distance.
        let mut rows = [vec![0.0; plane.len()], vec![0.0; plane.len()], vec![0.0; plane.len()]];
        for y in 0..side {
            let line = &plane[y * side..][..side];
            for x in 0..side {
                let beside = |by: usize| line[(x + by) % side] + line[(x + side - by) % side];
                rows[0][y * side + x] = line[x];
                rows[1][y * side + x] = beside(1);
                rows[2][y * side + x] = beside(2);
            }
        }
        for y in 0..side {
            let line = |by: usize| (y + by) % side * side;
            for x in 0..side {
                let mut sum = 0.0;
                for (across, row) in rows.iter().enumerate() {
                    let weight = |down: usize| weights[across + 3 * down];
                    sum += weight(0) * row[line(0) + x];
                    sum += weight(1) * (row[line(1) + x] + row[line(side - 1) + x]);
                    sum += weight(2) * (row[line(2) + x] + row[line(side - 2) + x]);
                }
                out.push(sum);
            }
        }
    }
    out
}

/// How much the values change from one bin to the next but one, squared, as the mean of the colours and summed over both axes.
fn squared_gradients(means: &[f32], side: usize) -> Vec<f32> {
    let mut out = vec![0.0; side * side];
    for plane in means.chunks_exact(side * side) {
        for y in 0..side {
            for x in 0..side {
                let at = |x: usize, y: usize| plane[y % side * side + x % side];
                let across = at(x + 1, y) - at(x + side - 1, y);
                let down = at(x, y + 1) - at(x, y + side - 1);
                out[y * side + x] += (across * across + down * down) / 12.0;
            }
        }
    }
    out
}

fn quadratic(matrix: &[[f32; FEATURES]; FEATURES], vector: &[f32; FEATURES]) -> f32 {
    let row = |row: &[f32; FEATURES]| -> f32 { row.iter().zip(vector).map(|(a, b)| a * b).sum() };
    matrix.iter().zip(vector).map(|(values, by)| by * row(values)).sum::<f32>().max(0.0)
}

const LANES: usize = 16;

fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

pub(crate) fn distance(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for lane in 0..LANES {
            let error = a[lane] - b[lane];
            sums[lane] += error * error;
        }
    }
    sums.iter().sum()
}

fn weighted_distance(a: &[f32], b: &[f32], weights: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    let pairs = a.chunks_exact(LANES).zip(b.chunks_exact(LANES));
    for ((a, b), weights) in pairs.zip(weights.chunks_exact(LANES)) {
        for lane in 0..LANES {
            let error = a[lane] - b[lane];
            sums[lane] += weights[lane] * error * error;
        }
    }
    sums.iter().sum()
}
