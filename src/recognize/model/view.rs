//! What a screen makes of a skin: `light(colour(blur(look))) + noise`, estimated from the cells in sight.

use std::borrow::Cow;
use std::sync::OnceLock;

use nalgebra::{SMatrix, SVector};

use super::lanes::dot;
use super::light::Light;
use super::looks::{CONSTANT, FEATURES, GAP, Looks};
use super::noise::{FillVariance, INDEPENDENT, LEAST_VARIANCE, Noise};
use super::prediction::{Predictions, Shown};
use super::samples::Samples;
use crate::board::Cell;

/// How far each coefficient of the colours is from those of an unchanged picture, as a standard deviation: for red, green and
/// blue, the constant (in units of 255), the squares, lightness, and the colour of the gap, which may be any one.
const COLOUR_DEVIATION: [f64; FEATURES] = [0.5, 0.5, 0.5, 0.35, 0.25, 0.25, 0.25, 0.5, 0.5];
/// The middle of all colours, in units of 255: that of a gap of which nothing is known.
const MIDDLE: f32 = 0.5;
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
    /// How far values are off.
    pub(crate) noise: Noise,
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
            colour[CONSTANT][channel] = summand[channel] / 255.0;
            colour[GAP][channel] = MIDDLE;
        }
        Self { colour, doubt: None, blur: None, light: None, noise: Noise::even(64.0) }
    }

    /// The view in which only grey levels are left.
    pub(crate) fn grey() -> Self {
        let mut view = Self::plain();
        for (row, weight) in view.colour.iter_mut().zip([0.3, 0.59, 0.11]) {
            *row = [weight; 3];
        }
        view
    }

    /// The same in the skin's own colours, where it is not so.
    pub(crate) fn in_own_colours(&self) -> Self {
        let mut own = Self { light: self.light.clone(), ..Self::plain() };
        own.colour[GAP] = self.colour[GAP];
        own
    }

    /// Whether colours are as the skin's.
    pub(crate) fn is_plain(&self) -> bool {
        self.doubt.is_none()
    }

    /// How many numbers of it were estimated.
    pub(crate) fn estimated(&self) -> usize {
        let of = |is: bool, count: usize| if is { count } else { 0 };
        of(self.doubt.is_some(), 3 * GAP)
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
            logarithms: Vec::new(),
            sums: Vec::new(),
            fill: FillVariance(looks.skin.fill_variance * self.gain()),
            look_sums: OnceLock::new(),
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
            let (mut logarithms, mut weights) = (0.0, 0.0);
            for (at, mut variance) in self.noise.of(means, looks.side).enumerate() {
                if let Some(doubt) = &self.doubt {
                    let features: [f32; FEATURES] =
                        std::array::from_fn(|feature| look.features[feature * plane + at]);
                    variance += quadratic(doubt, &features);
                }
                let logarithm = variance.ln();
                predictions.weights.push(1.0 / variance);
                predictions.logarithms.push(logarithm);
                logarithms += logarithm;
                weights += 1.0 / variance;
            }
            predictions.sums.push((logarithms, weights));
        }
        predictions
    }

    /// By how much squares of differences of brightness are more than in the skin.
    fn gain(&self) -> f32 {
        (self.colour[..CONSTANT].iter().flatten().sum::<f32>() / 3.0).powi(2)
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

    /// What each of these cells seems to be.
    pub(crate) fn shown(&self, looks: &Looks, seen: &Samples) -> Vec<Cell> {
        let nearest = self.predict(looks).nearest(&self.unlit(seen), looks, self.noise.variance);
        nearest.0.into_iter().map(|(look, _)| looks.looks[look].cell).collect()
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
            let nearest = predictions.nearest(seen, looks, self.noise.variance);
            let scale = nearest.scale();
            self.noise = Noise::even(scale);
            cost = nearest.mean_capped(most);
            if round == rounds {
                break;
            }
            let mut sums = nearest.sums(seen, looks.looks.len(), scale);
            self.complete(&mut sums, looks);
            // At first only levels: with all that is free, kinds with drawings that are alike may change places.
            if !free.colour || round == 0 {
                self.fit_levels(&sums, looks, free.colour);
            } else {
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

    /// Estimates the colour of the gap and, where colours are `free`, a factor and a summand for each of red, green and blue,
    /// which come after what the colours are now.
    fn fit_levels(&mut self, sums: &[Option<Shown>], looks: &Looks, free: bool) {
        let plane = looks.side * looks.side;
        for channel in 0..3 {
            let (gap, constant) = (self.colour[GAP][channel], CONSTANT);
            let mut own = SMatrix::<f64, 3, 3>::zeros();
            let mut both = SVector::<f64, 3>::zeros();
            let mut count = 0.0;
            for (look, shown) in looks.looks.iter().zip(sums) {
                let Some(shown) = shown else { continue };
                let of = |feature: usize| &look.features[feature * plane..][..plane];
                let mut means = vec![0.0; plane];
                for feature in 0..GAP {
                    let by = self.colour[feature][channel];
                    means.iter_mut().zip(of(feature)).for_each(|(mean, value)| *mean += by * value);
                }
                let terms = [&means, of(constant), of(GAP)];
                let sum = &shown.sum[channel * plane..][..plane];
                for (i, first) in terms.iter().enumerate() {
                    for (j, second) in terms.iter().enumerate() {
                        own[(i, j)] += f64::from(shown.weight * dot(first, second));
                    }
                    both[i] += f64::from(dot(first, sum));
                }
                count += f64::from(shown.weight) * plane as f64;
            }
            // Hardly any doubt where nothing else is said.
            let known = SVector::<f64, 3>::new(1.0, 0.0, f64::from(gap));
            for (term, known) in known.iter().enumerate() {
                own[(term, term)] += f64::from(LEAST_VARIANCE) * count;
                both[term] += f64::from(LEAST_VARIANCE) * count * known;
            }
            if free {
                let Some(cholesky) = own.cholesky() else { continue };
                let solved = cholesky.solve(&both);
                let [gain, summand, gap] = [0, 1, 2].map(|term| solved[term] as f32);
                self.colour.iter_mut().take(GAP).for_each(|row| row[channel] *= gain);
                self.colour[constant][channel] += summand;
                self.colour[GAP][channel] = gap;
            } else {
                let rest = both[2] - own[(2, 0)];
                self.colour[GAP][channel] = (rest / own[(2, 2)].max(1e-6)) as f32;
            }
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
        let per_value =
            f64::from(INDEPENDENT) / (3.0 * plane as f64) / f64::from(self.noise.variance);
        let mut precision = own * per_value;
        let mut sides = both * per_value;
        for (feature, deviation) in COLOUR_DEVIATION.iter().enumerate() {
            let prior = 1.0 / (deviation * deviation);
            precision[(feature, feature)] += prior;
            if feature < 3 {
                sides[(feature, feature)] += prior;
            }
            if feature == GAP {
                (0..3).for_each(|channel| sides[(GAP, channel)] += prior * f64::from(MIDDLE));
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
        let per_value =
            f64::from(INDEPENDENT) / (3.0 * plane as f64) / f64::from(self.noise.variance);
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
        let nearest = predictions.nearest(&self.unlit(seen), looks, self.noise.variance);
        let scale = nearest.scale();
        let shown = nearest.weights(scale);
        let mut light = Light::new(extent);
        let pairs = seen.iter().zip(&seen.places).zip(shown);
        let pairs = pairs
            .map(|((cell, &place), (look, weight))| (place, cell, predictions.mean(look), weight));
        let per_value = INDEPENDENT / seen.size() as f32 / self.noise.variance;
        light.fit(pairs, per_value);
        self.light = Some(light);
    }
}

/// The first and the last place of a board, as `(col, row)`.
pub(crate) type Extent = ((i32, i32), (i32, i32));

/// In how many places of a kernel this weight is.
fn places(weight: usize) -> u8 {
    let double = |distance: usize| if distance == 0 { 1 } else { 2 };
    double(weight % 3) * double(weight / 3)
}

/// Planes of `side` x `side` bins through a kernel. Beyond a cell comes one like it; the filters of `imageproc` go on with the
/// pixel at the edge instead, which is another picture where cells have borders.
fn blurred(planes: &[f32], side: usize, weights: &[f32; WEIGHTS]) -> Vec<f32> {
    let mut out = Vec::with_capacity(planes.len());
    let wrapped = |at: usize| if at < side { at } else { at - side };
    for plane in planes.chunks_exact(side * side) {
        // The sums along rows at each distance.
        let mut rows = [vec![0.0; plane.len()], vec![0.0; plane.len()], vec![0.0; plane.len()]];
        for y in 0..side {
            let line = &plane[y * side..][..side];
            for x in 0..side {
                let beside = |by: usize| line[wrapped(x + by)] + line[wrapped(x + side - by)];
                rows[0][y * side + x] = line[x];
                rows[1][y * side + x] = beside(1);
                rows[2][y * side + x] = beside(2);
            }
        }
        for y in 0..side {
            let from = out.len();
            out.resize(from + side, 0.0);
            let to = &mut out[from..];
            for (across, row) in rows.iter().enumerate() {
                let line = |by: usize| &row[wrapped(y + by) * side..][..side];
                let [here, above, below] = [line(0), line(side - 1), line(1)];
                let [far_above, far_below] = [line(side - 2), line(2)];
                let weight = |down: usize| weights[across + 3 * down];
                let weights = [weight(0), weight(1), weight(2)];
                for x in 0..side {
                    to[x] += weights[0] * here[x];
                    to[x] += weights[1] * (below[x] + above[x]);
                    to[x] += weights[2] * (far_below[x] + far_above[x]);
                }
            }
        }
    }
    out
}

fn quadratic(matrix: &[[f32; FEATURES]; FEATURES], vector: &[f32; FEATURES]) -> f32 {
    let row = |row: &[f32; FEATURES]| -> f32 { row.iter().zip(vector).map(|(a, b)| a * b).sum() };
    matrix.iter().zip(vector).map(|(values, by)| by * row(values)).sum::<f32>().max(0.0)
}
