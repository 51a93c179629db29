//! What scaling did to the drawings of a board between the game and the picture.
//!
//! A window that a desktop scales is softer than its skin, or sharper, and each cell is drawn a part of a pixel to
//! the side. All that is one small kernel, the same for every cell: it is estimated from the cells at hand, beside
//! what their nearest templates show, and the templates are seen through it before cells are compared with them.

use super::matcher::Matcher;
use super::patch::Patch;
use super::skin::Mood;

/// Pixels of a patch on each side of another that have a part in it.
pub(crate) const REACH: usize = 2;
/// Side of the kernel.
pub(crate) const SPAN: usize = 2 * REACH + 1;
pub(crate) const TAPS: usize = SPAN * SPAN;
/// Cells that the kernel is estimated from, at most.
const SAMPLED: usize = 64;
/// Templates that a cell may be taken for.
const NEAR: usize = 4;
/// How often templates are chosen anew for the kernel found so far.
const ROUNDS: usize = 3;
/// The share of the cells that is kept in each round: some may be hidden.
const KEPT: f32 = 0.75;
/// How much the kernel is held to leaving all as it is, as a share of the contrast of the cells.
const HELD: f64 = 0.01;

/// How much of each pixel around it goes into a pixel, row by row.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Kernel(pub(crate) [f32; TAPS]);

impl Kernel {
    /// The kernel through which the templates look most like cells of a game of this mood, each beside the matcher that
    /// has them.
    pub(crate) fn estimate(cells: &[(&Patch, &Matcher)], mood: Option<Mood>) -> Option<Kernel> {
        let step = cells.len().div_ceil(SAMPLED).max(1);
        let sample = cells.iter().step_by(step).map(|&(patch, matcher)| {
            // A kernel brings a cell nearer to what it shows; what that is was near before.
            (patch, matcher, matcher.nearest_looks(patch, mood, NEAR))
        });
        let sample: Vec<_> = sample.collect();
        let mut kernel: Option<Kernel> = None;
        for _ in 0..ROUNDS {
            let nearest = sample.iter().filter_map(|(patch, matcher, looks)| {
                let distance = |&(look, before): &(usize, f32)| match &kernel {
                    Some(kernel) => (matcher.distance_through(kernel, look, patch), look),
                    None => (before, look),
                };
                let nearest = looks.iter().map(distance).min_by(|a, b| a.0.total_cmp(&b.0));
                let (distance, look) = nearest?;
                Some((distance, Pair { cell: patch, look: matcher.patch(look), matcher }))
            });
            let mut pairs: Vec<(f32, Pair)> = nearest.collect();
            pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
            pairs.truncate((pairs.len() as f32 * KEPT) as usize);
            kernel = Some(Kernel(fit(pairs.iter().map(|(_, pair)| pair))?));
        }
        kernel
    }
}

/// A cell, and what it is taken for.
struct Pair<'a> {
    cell: &'a Patch,
    look: &'a Patch,
    matcher: &'a Matcher,
}

/// The kernel that brings the looks closest to the cells, by least squares.
fn fit<'a>(pairs: impl Iterator<Item = &'a Pair<'a>>) -> Option<[f32; TAPS]> {
    let mut products = [[0f64; TAPS]; TAPS];
    let mut sums = [0f64; TAPS];
    for Pair { cell, look, matcher } in pairs {
        look.each_pixel(|at, around| {
            if matcher.leaves_out(at) {
                return;
            }
            let value = f64::from(cell.ink_at(at));
            for (tap, &near) in around.iter().enumerate() {
                sums[tap] += value * f64::from(near);
                for (other, &far) in around[..=tap].iter().enumerate() {
                    products[tap][other] += f64::from(near) * f64::from(far);
                }
            }
        });
    }
    let held = HELD * products[TAPS / 2][TAPS / 2];
    for (tap, row) in products.iter_mut().enumerate() {
        row[tap] += held;
    }
    sums[TAPS / 2] += held;
    solve(&mut products, sums).map(|taps| taps.map(|tap| tap as f32))
}

/// Solves a symmetric system, of which the lower half is given, after Cholesky.
fn solve(matrix: &mut [[f64; TAPS]; TAPS], mut right: [f64; TAPS]) -> Option<[f64; TAPS]> {
    for row in 0..TAPS {
        for col in 0..=row {
            let known: f64 = (0..col).map(|k| matrix[row][k] * matrix[col][k]).sum();
            let rest = matrix[row][col] - known;
            matrix[row][col] = if row == col {
                if rest <= 0.0 {
                    return None;
                }
                rest.sqrt()
            } else {
                rest / matrix[col][col]
            };
        }
        let known: f64 = (0..row).map(|k| matrix[row][k] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    for row in (0..TAPS).rev() {
        let known: f64 = (row + 1..TAPS).map(|k| matrix[k][row] * right[k]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    Some(right)
}
