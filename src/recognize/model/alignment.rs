//! Moving a grid until its cells are nearest to what they show, after Lucas and Kanade, "An iterative image registration
//! technique with an application to stereo vision" (1981). The numbers of steps and how far they lead were chosen, not fitted.

use nalgebra::{SMatrix, SVector};

use super::lanes::distance;
use super::looks::Looks;
use super::noise::LEAST_VARIANCE;
use super::prediction::Predictions;
use super::samples::{Grid, Place, Samples};
use super::scene::Scene;
use super::view::View;

/// How far the first and the last edge are moved, across and down.
const ENDS: usize = 4;
/// Steps at most: each brings the grid several times nearer.
const STEPS: usize = 8;
/// A step that moves the ends by less, as a share of a cell, is the last one.
const SETTLED: f32 = 1.0 / 128.0;
/// No step moves an end by more, as a share of a cell: gradients tell nothing of what is farther away.
const FARTHEST: f32 = 1.0 / 8.0;
/// And all steps together move none by more.
const MOST: f32 = 1.0 / 4.0;
/// Cells that are off by more than so many standard deviations show something else, and do not count.
const FAR: f32 = 3.0;

/// The grid at which the cells at these places are nearest to what they show in a view.
pub(super) fn aligned(
    scene: &Scene<'_>,
    mut grid: Grid,
    places: &[Place],
    looks: &Looks,
    view: &View,
) -> Grid {
    let predictions = view.predict(looks);
    let gradients: Vec<[Vec<f32>; 2]> =
        (0..looks.looks.len()).map(|look| gradients(predictions.mean(look), looks.side)).collect();
    let cut = |grid: &Grid| {
        let seen = Samples::cut(scene.pixels, grid, places, looks.side);
        (seen.len() == places.len()).then(|| view.unlit(&seen).into_owned())
    };
    let Some(mut seen) = cut(&grid) else { return grid };
    let mut by = SVector::<f32, ENDS>::zeros();
    for _ in 0..STEPS {
        let shown = predictions.nearest(&seen, looks, view.noise.variance);
        let most = FAR * FAR * shown.scale().max(LEAST_VARIANCE) * seen.size() as f32;
        let shown: Vec<usize> = shown.0.into_iter().map(|(look, _)| look).collect();
        let Some(step) = step(&seen, &grid, &shown, &predictions, &gradients, most) else { break };
        let off = |seen: &Samples| -> f32 {
            let means = shown.iter().map(|&look| predictions.mean(look));
            seen.iter().zip(means).map(|(cell, mean)| distance(cell, mean).min(most)).sum()
        };
        let before = off(&seen);
        // A step that leads too far is halved.
        let nearer = [1.0, 0.5, 0.25].into_iter().find_map(|share| {
            let step = step * share;
            // Farther away the next cell is nearer.
            let pitch = grid.across.pitch.min(grid.down.pitch);
            if (by + step).amax() > MOST * pitch {
                return None;
            }
            let moved = moved(&grid, places, step);
            let seen = cut(&moved)?;
            (off(&seen) < before).then_some((moved, seen, step))
        });
        let Some(nearer) = nearer else { break };
        (grid, seen) = (nearer.0, nearer.1);
        by += nearer.2;
        if step.amax() < SETTLED * grid.across.pitch.min(grid.down.pitch) {
            break;
        }
    }
    grid
}

/// From the first column and row of some cells to the first ones beyond.
pub(super) fn extent_of(places: &[Place]) -> (Place, Place) {
    let bounds = |of: fn(&Place) -> i32| {
        let numbers = places.iter().map(of);
        (numbers.clone().min().unwrap_or(0), numbers.max().unwrap_or(0) + 1)
    };
    let ((left, right), (top, bottom)) = (bounds(|place| place.0), bounds(|place| place.1));
    ((left, top), (right, bottom))
}

/// The grid with its ends moved by so many pixels.
fn moved(grid: &Grid, places: &[Place], by: SVector<f32, ENDS>) -> Grid {
    let ((left, top), (right, bottom)) = extent_of(places);
    Grid {
        across: grid.across.moved((left, right), by[0], by[1]),
        down: grid.down.moved((top, bottom), by[2], by[3]),
    }
}

/// By how many pixels the ends have to be moved, by least squares on what the cells change by per pixel.
fn step(
    seen: &Samples,
    grid: &Grid,
    shown: &[usize],
    predictions: &Predictions,
    gradients: &[[Vec<f32>; 2]],
    most: f32,
) -> Option<SVector<f32, ENDS>> {
    let ((left, top), (right, bottom)) = extent_of(&seen.places);
    let (side, plane) = (seen.side, seen.side * seen.side);
    let mut normal = SMatrix::<f32, ENDS, ENDS>::zeros();
    let mut errors = SVector::<f32, ENDS>::zeros();
    for ((cell, &(col, row)), &look) in seen.iter().zip(&seen.places).zip(shown) {
        let mean = predictions.mean(look);
        if distance(cell, mean) > most {
            continue;
        }
        let [across, down] = &gradients[look];
        // What each end moves a cell by depends on how near it is; within a cell that is nearly the same.
        let near = |number: i32, first: i32, last: i32| {
            ((number - first) as f32 + 0.5) / (last - first).max(1) as f32
        };
        let (x, y) = (near(col, left, right), near(row, top, bottom));
        let (mut xx, mut xy, mut yy, mut xe, mut ye) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for at in 0..3 * plane {
            let (gx, gy, error) = (across[at], down[at], mean[at] - cell[at]);
            xx += gx * gx;
            xy += gx * gy;
            yy += gy * gy;
            xe += gx * error;
            ye += gy * error;
        }
        let ends = [1.0 - x, x, 1.0 - y, y];
        for a in 0..ENDS {
            errors[a] += ends[a] * if a < 2 { xe } else { ye };
            for b in 0..ENDS {
                let both = match (a < 2, b < 2) {
                    (true, true) => xx,
                    (false, false) => yy,
                    _ => xy,
                };
                normal[(a, b)] += ends[a] * ends[b] * both;
            }
        }
    }
    // From changes by bin to changes by pixel.
    let scale =
        SVector::from([grid.across.pitch, grid.across.pitch, grid.down.pitch, grid.down.pitch]);
    let prior = normal.trace() * 1e-6 + f32::MIN_POSITIVE;
    let bins = (normal + SMatrix::identity() * prior).cholesky()?.solve(&errors);
    let step = bins.component_mul(&scale) / side as f32;
    let farthest = FARTHEST * scale[0].min(scale[2]);
    Some(step.map(|by| by.clamp(-farthest, farthest)))
}

/// What a cell changes by from bin to bin, across and down.
fn gradients(mean: &[f32], side: usize) -> [Vec<f32>; 2] {
    let plane = side * side;
    let of = |step: &dyn Fn(usize) -> (usize, usize)| {
        let at = |at: usize| {
            let (before, after) = step(at % plane);
            let (from, to) = (at - at % plane + before, at - at % plane + after);
            (mean[to] - mean[from]) / 2.0
        };
        (0..mean.len()).map(at).collect::<Vec<f32>>()
    };
    // At the edge of a cell comes what is at its other edge: most cells have neighbours that look alike there. (The filters of
    // `imageproc` go on with the pixel at the edge.)
    let across = |at: usize| {
        let (row, col) = (at / side * side, at % side);
        (row + (col + side - 1) % side, row + (col + 1) % side)
    };
    let down = |at: usize| ((at + plane - side) % plane, (at + side) % plane);
    [of(&across), of(&down)]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use image::{Rgb, RgbImage};

    use super::*;
    use crate::board::Cell;
    use crate::geometry::Px;
    use crate::recognize::Lattice;
    use crate::recognize::model::looks::FINE;
    use crate::recognize::skin::{Skin, Template};

    const SIDE: u32 = 24;

    #[test]
    fn a_grid_that_is_a_little_aside_comes_back() {
        let picture = RgbImage::from_fn(SIDE, SIDE, |x, y| {
            let is_border = x.min(y) < 3 || x.max(y) >= SIDE - 3;
            Rgb([if is_border { 90 } else { 180 }; 3])
        });
        let template = Template { cell: Cell::Covered, phase: None, picture: picture.clone() };
        let skin = Arc::new(Skin { templates: vec![template], ..Skin::default() });
        let pixels =
            RgbImage::from_fn(12 * SIDE, 10 * SIDE, |x, y| *picture.get_pixel(x % SIDE, y % SIDE));
        let size = f64::from(SIDE);
        let own = Grid::on(&Lattice::even(Px::new(SIDE as i32, SIDE as i32), (size, size), 9, 8));
        let looks = Looks::new(&skin, None, (SIDE, SIDE), 0.0, FINE, 1).unwrap();
        let places: Vec<Place> = (0..8).flat_map(|row| (0..9).map(move |col| (col, row))).collect();
        let aside = moved(&own, &places, SVector::from([1.2, -0.8, -1.0, 0.5]));
        let found = aligned(&Scene::new(&pixels), aside, &places, &looks, &View::plain());
        for (found, own) in [(&found.across, &own.across), (&found.down, &own.down)] {
            for number in [0, 8] {
                assert!((found.at(number) - own.at(number)).abs() < 0.1, "{found:?} {own:?}");
            }
        }
    }
}
