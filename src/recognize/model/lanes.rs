//! Sums over all bins of a cell, in lanes that a processor takes at once.

/// Sums that are taken side by side.
pub(super) const LANES: usize = 16;

/// The sum of the products of two rows of numbers, as many as fill all lanes.
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

/// The sum of a row of numbers, as many as fill all lanes.
pub(super) fn sum(values: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    for values in values.chunks_exact(LANES) {
        for lane in 0..LANES {
            sums[lane] += values[lane];
        }
    }
    sums.iter().sum()
}

/// How far two cells are apart, squared.
pub(super) fn distance(a: &[f32], b: &[f32]) -> f32 {
    distance_within(a, b, f32::INFINITY).unwrap_or(f32::INFINITY)
}

/// How far two cells are apart, squared; `None` where that is soon seen to be more than `most`.
pub(super) fn distance_within(a: &[f32], b: &[f32], most: f32) -> Option<f32> {
    let mut sums = [0.0f32; LANES];
    for (a, b) in a.chunks(LANES * LANES).zip(b.chunks(LANES * LANES)) {
        for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
            for lane in 0..LANES {
                let error = a[lane] - b[lane];
                sums[lane] += error * error;
            }
        }
        if sums.iter().sum::<f32>() > most {
            return None;
        }
    }
    Some(sums.iter().sum())
}

/// The sum of what one cell is more than another, where each bin has a weight.
pub(super) fn weighted_difference(a: &[f32], b: &[f32], weights: &[f32]) -> f32 {
    let mut sums = [0.0f32; LANES];
    let pairs = a.chunks_exact(LANES).zip(b.chunks_exact(LANES));
    for ((a, b), weights) in pairs.zip(weights.chunks_exact(LANES)) {
        for lane in 0..LANES {
            sums[lane] += weights[lane] * (a[lane] - b[lane]);
        }
    }
    sums.iter().sum()
}

/// How far two cells are apart, squared, where each bin has a weight.
pub(super) fn weighted_distance(a: &[f32], b: &[f32], weights: &[f32]) -> f32 {
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
