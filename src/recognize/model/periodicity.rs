//! Places of a picture in which edges repeat at equal distances, across and down, by autocorrelation.
//!
//! Edges are summed over bands of a few lines, and each tile of a picture says for every distance how much of its edges is
//! explained by those so far on. What a tile says is counted in nats: half the number of independent values times the
//! logarithm of the variance that is explained. A board is a rectangle of tiles that explain themselves at one distance
//! across and at one down.

use image::RgbImage;
use image::imageops;

use super::lines::Lines;
use super::looks::EDGE_CAP;
use crate::geometry::Rect;

/// A place where a board may be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Period {
    /// Where edges repeat, in pixels of the picture.
    pub(crate) region: Rect,
    /// The distance at which they do, across and down, in pixels.
    pub(crate) pitch: (f32, f32),
    /// How much is explained by that, in nats.
    pub(crate) evidence: f32,
}

/// Cells from so many pixels up are looked for.
const LEAST_PITCH: usize = 8;
/// Cells up to so many pixels are looked for, in the picture and in that of half its size.
const MOST_PITCH: usize = 128;
/// Lines of pixels in a band.
const BAND: usize = 8;
/// Steps are summed over so many pixels along an edge: borders of cells are straight, and grain is not. Chosen, not fitted.
const ALONG: usize = 2;
/// The side of a tile, in pixels: some cells of the smallest kind.
const TILE: usize = 32;
/// What one tile must explain to count, in nats: a distance is one of about a hundred.
const COST: f32 = 3.0;
/// Of the values of a tile one in so many is independent: edges are a few pixels wide.
const CORRELATED: f32 = 3.0;
/// Distances along each axis that are looked at.
const DISTANCES: usize = 14;
/// Cells are no more times as wide as high, or as high as wide. Chosen, not fitted.
const MOST_UNEQUAL: usize = 3;
/// Boards of the same size of cells that are looked for.
const BOARDS: usize = 3;
/// Places that are handed on.
const MOST: usize = 24;

/// The places of a picture in which edges repeat, those with most evidence first. Soft edges are those of the picture at half
/// its size.
pub(crate) fn periods(pixels: &RgbImage) -> Vec<Period> {
    let mut found = in_picture(pixels, 1);
    found.extend(in_picture(&softened(pixels), 2));
    found.sort_by(|a, b| b.evidence.total_cmp(&a.evidence));
    let mut kept: Vec<Period> = Vec::new();
    for period in found {
        if !kept.iter().any(|known| is_same(known, &period)) {
            kept.push(period);
        }
    }
    // What repeats after a cell repeats after two as well, and exactly where cells differ by a pixel.
    let is_primitive = |period: &Period| !kept.iter().any(|other| is_multiple(period, other));
    let (mut primitive, multiples): (Vec<Period>, Vec<Period>) =
        kept.iter().partition(|period| is_primitive(period));
    primitive.extend(multiples);
    primitive.truncate(MOST);
    primitive
}

/// The picture at half its size without its finest detail: each pixel is the mean of 4x4, to which dithering adds nothing.
fn softened(pixels: &RgbImage) -> RgbImage {
    let (width, height) = (pixels.width() / 2, pixels.height() / 2);
    if width == 0 || height == 0 {
        return RgbImage::new(0, 0);
    }
    let half = imageops::thumbnail(pixels, width, height);
    RgbImage::from_fn(width, height, |x, y| {
        let (right, below) = ((x + 1).min(width - 1), (y + 1).min(height - 1));
        let four =
            [(x, y), (right, y), (x, below), (right, below)].map(|(x, y)| half.get_pixel(x, y).0);
        image::Rgb(std::array::from_fn(|channel| {
            (four.iter().map(|pixel| u16::from(pixel[channel])).sum::<u16>() / 4) as u8
        }))
    })
}

/// Whether `period` is that of some cells of `other`, which explains about as much.
fn is_multiple(period: &Period, other: &Period) -> bool {
    let times = |a: f32, b: f32| {
        let times = (a / b).round();
        (times >= 1.0 && (a / b - times).abs() < 0.04 * times).then_some(times)
    };
    let both = times(period.pitch.0, other.pitch.0).zip(times(period.pitch.1, other.pitch.1));
    both.is_some_and(|(x, y)| x * y > 1.0)
        && overlap(period.region, other.region) > 0.5
        && other.evidence > 0.25 * period.evidence
}

/// Whether both say the same.
fn is_same(a: &Period, b: &Period) -> bool {
    let near = |a: f32, b: f32| (a - b).abs() < 0.03 * a.min(b);
    near(a.pitch.0, b.pitch.0) && near(a.pitch.1, b.pitch.1) && overlap(a.region, b.region) > 0.5
}

/// The share of the smaller one that lies in both.
fn overlap(a: Rect, b: Rect) -> f32 {
    let size = |area: Rect| area.width as f32 * area.height as f32;
    a.intersection(b).map_or(0.0, |both| size(both) / size(a).min(size(b)))
}

/// The places of a picture that is smaller than the one at hand by a factor.
fn in_picture(pixels: &RgbImage, factor: usize) -> Vec<Period> {
    let [across, down] = [Profiles::across(pixels), Profiles::down(pixels)];
    let least = (LEAST_PITCH / factor).max(6);
    let most = MOST_PITCH;
    let (tiles_across, tiles_down) = (across.len.div_ceil(TILE), down.len.div_ceil(TILE));
    if tiles_across < 2 || tiles_down < 2 {
        return Vec::new();
    }
    let size = (tiles_across, tiles_down);
    let explained = |profiles: &Profiles, transposed: bool| -> Vec<(usize, Vec<f32>)> {
        // What repeats within less than a cell is the texture of a picture; of half its size it is gone.
        let mut texture = vec![0.0f32; size.0 * size.1];
        if factor == 1 {
            for distance in LEAST_PITCH / 2..LEAST_PITCH {
                let tiles = profiles.explained(distance, size, transposed);
                texture
                    .iter_mut()
                    .zip(tiles)
                    .for_each(|(most, value)| *most = most.max(value + COST));
            }
        }
        let mut all: Vec<(usize, f32, Vec<f32>)> = (least..=most + 1)
            .map(|distance| {
                let mut tiles = profiles.explained(distance, size, transposed);
                tiles
                    .iter_mut()
                    .zip(&texture)
                    .for_each(|(value, texture)| *value = (*value - texture).max(-COST));
                let (sum, _) = best_rectangle(&tiles, size);
                (distance, sum, tiles)
            })
            .collect();
        // Those that explain more than the distances beside them.
        let sums: Vec<f32> = all.iter().map(|(_, sum, _)| *sum).collect();
        let is_peak = |at: usize| {
            let beside = |at: Option<usize>| at.and_then(|at| sums.get(at)).copied().unwrap_or(0.0);
            sums[at] > 0.0
                && sums[at] >= beside(at.checked_sub(1))
                && sums[at] >= beside(Some(at + 1))
        };
        let mut at = 0;
        all.retain(|_| {
            at += 1;
            is_peak(at - 1)
        });
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all.truncate(DISTANCES);
        all.into_iter().map(|(distance, _, tiles)| (distance, tiles)).collect()
    };
    let (columns, rows) = (explained(&across, false), explained(&down, true));
    let mut found = Vec::new();
    for (x, in_x) in &columns {
        for (y, in_y) in &rows {
            if *x > MOST_UNEQUAL * y || *y > MOST_UNEQUAL * x {
                continue;
            }
            // Both have to explain it: lines of text repeat one way only.
            let mut both: Vec<f32> = in_x.iter().zip(in_y).map(|(a, b)| a.min(*b)).collect();
            for _ in 0..BOARDS {
                let (evidence, tiles) = best_rectangle(&both, size);
                if evidence <= 0.0 {
                    break;
                }
                let ((left, top), (right, bottom)) = tiles;
                for row in top..bottom {
                    both[row * size.0..][left..right].fill(-COST);
                }
                let region = Rect::new(
                    (left * TILE) as i32,
                    (top * TILE) as i32,
                    ((right - left) * TILE + x) as u32,
                    ((bottom - top) * TILE + y) as u32,
                );
                let picture = Rect::new(0, 0, pixels.width(), pixels.height());
                let Some(region) = region.intersection(picture) else { continue };
                let pitch = (
                    across.refined(*x, (region.x, region.right()), (region.y, region.bottom())),
                    down.refined(*y, (region.y, region.bottom()), (region.x, region.right())),
                );
                let by = factor as u32;
                let region = Rect::new(
                    region.x * by as i32,
                    region.y * by as i32,
                    region.width * by,
                    region.height * by,
                );
                let pitch = (pitch.0 * by as f32, pitch.1 * by as f32);
                found.push(Period { region, pitch, evidence: evidence * (by * by) as f32 });
            }
        }
    }
    found
}

/// Tiles from the left and top one up to the right and bottom one, which are beyond.
type Tiles = ((usize, usize), (usize, usize));

/// The rectangle of the greatest sum, by Kadane's algorithm for each pair of rows.
pub(crate) fn best_rectangle(values: &[f32], (cols, rows): (usize, usize)) -> (f32, Tiles) {
    let mut best = (0.0, ((0, 0), (0, 0)));
    for top in 0..rows {
        let mut sums = vec![0.0f32; cols];
        for bottom in top..rows {
            let (mut sum, mut left) = (0.0, 0);
            for (col, total) in sums.iter_mut().enumerate() {
                *total += values[bottom * cols + col];
                if sum <= 0.0 {
                    (sum, left) = (0.0, col);
                }
                sum += *total;
                if sum > best.0 {
                    best = (sum, ((left, top), (col + 1, bottom + 1)));
                }
            }
        }
    }
    best
}

/// How strong edges are along one axis, in bands of [`BAND`] lines.
pub(crate) struct Profiles {
    len: usize,
    /// As they are.
    edges: Vec<f32>,
    /// Less what is usual around.
    sharp: Vec<f32>,
}

impl Profiles {
    /// The edges between columns, in bands of rows.
    pub(crate) fn across(pixels: &RgbImage) -> Self {
        let (width, height) = (pixels.width() as usize, pixels.height() as usize);
        let mut edges = vec![0.0; height.div_ceil(BAND) * width];
        let mut steps = vec![0i16; 3 * width];
        for (number, rows) in pixels.as_raw().chunks((3 * width * ALONG).max(1)).enumerate() {
            steps.fill(0);
            for row in rows.chunks_exact(3 * width) {
                let pairs = row.iter().zip(&row[3..]);
                steps[3..]
                    .iter_mut()
                    .zip(pairs)
                    .for_each(|(sum, (a, b))| *sum += difference(*a, *b));
            }
            let band = &mut edges[number * ALONG / BAND * width..][..width];
            band.iter_mut().zip(steps.chunks_exact(3)).for_each(|(sum, of)| *sum += strength(of));
        }
        Self::of(edges, width)
    }

    /// The edges between rows, in bands of columns.
    pub(crate) fn down(pixels: &RgbImage) -> Self {
        let (width, height) = (pixels.width() as usize, pixels.height() as usize);
        let mut edges = vec![0.0; width.div_ceil(BAND) * height];
        let raw = pixels.as_raw();
        for y in 1..height {
            let (above, here) =
                (&raw[(y - 1) * width * 3..][..width * 3], &raw[y * width * 3..][..width * 3]);
            let segments = above.chunks(3 * ALONG).zip(here.chunks(3 * ALONG));
            for (number, (above, here)) in segments.enumerate() {
                let mut steps = [0; 3];
                for (a, b) in above.chunks_exact(3).zip(here.chunks_exact(3)) {
                    for channel in 0..3 {
                        steps[channel] += difference(a[channel], b[channel]);
                    }
                }
                edges[number * ALONG / BAND * height + y] += strength(&steps);
            }
        }
        Self::of(edges, height)
    }

    fn of(edges: Vec<f32>, len: usize) -> Self {
        let mut sharp = edges.clone();
        let mut sums = vec![0.0f64; len + 1];
        for (line, out) in edges.chunks_exact(len.max(1)).zip(sharp.chunks_exact_mut(len.max(1))) {
            for (at, &value) in line.iter().enumerate() {
                sums[at + 1] = sums[at] + f64::from(value);
            }
            for (at, out) in out.iter_mut().enumerate() {
                let (from, to) = (at.saturating_sub(TILE / 2), (at + TILE / 2).min(len));
                *out -= ((sums[to] - sums[from]) / (to - from).max(1) as f64) as f32;
            }
        }
        Self { len, edges, sharp }
    }

    /// What each tile explains of itself at a distance, in nats, less what it has to. Tiles are in rows of the picture.
    fn explained(
        &self,
        distance: usize,
        (cols, rows): (usize, usize),
        transposed: bool,
    ) -> Vec<f32> {
        let mut tiles = vec![-COST; cols * rows];
        let bands: Vec<&[f32]> = self.sharp.chunks_exact(self.len.max(1)).collect();
        for (number, bands) in bands.chunks(TILE / BAND).enumerate() {
            for from in (0..self.len.saturating_sub(distance)).step_by(TILE) {
                let to = (from + TILE).min(self.len - distance);
                let (mut both, mut here, mut there) = (0.0f32, 0.0f32, 0.0f32);
                for band in bands {
                    for (a, b) in band[from..to].iter().zip(&band[from + distance..to + distance]) {
                        both += a * b;
                        here += a * a;
                        there += b * b;
                    }
                }
                if both <= 0.0 {
                    continue;
                }
                let share = (both * both / (here * there).max(1e-9)).min(0.999);
                let independent = ((to - from) * bands.len()) as f32 / CORRELATED;
                let (col, row) =
                    if transposed { (number, from / TILE) } else { (from / TILE, number) };
                if col < cols && row < rows {
                    tiles[row * cols + col] -= independent / 2.0 * (1.0 - share).ln();
                }
            }
        }
        tiles
    }

    /// The pitch near a distance, more exactly: by how far edges repeat several pitches on.
    fn refined(&self, distance: usize, along: (i32, i32), lines: (i32, i32)) -> f32 {
        let (from, to) = (along.0.max(0) as usize, (along.1.max(0) as usize).min(self.len));
        let bands = (lines.0.max(0) as usize / BAND)..(lines.1.max(0) as usize).div_ceil(BAND);
        let correlation = |by: usize| -> f32 {
            if from + by + distance > to {
                return f32::NEG_INFINITY;
            }
            let count = (to - by - from) as f32;
            let bands = self.sharp.chunks_exact(self.len).skip(bands.start).take(bands.len());
            bands
                .map(|band| {
                    band[from..to - by]
                        .iter()
                        .zip(&band[from + by..to])
                        .map(|(a, b)| a * b)
                        .sum::<f32>()
                })
                .sum::<f32>()
                / count
        };
        let mut pitch = distance as f32;
        let mut times = 1.0;
        loop {
            let expected = times * pitch;
            if from as f32 + expected + distance as f32 > to as f32 || times > 32.0 {
                return pitch;
            }
            // The pitch is known to half a pixel over the last times.
            let reach = if times == 1.0 { 1 } else { 2 };
            let middle = expected.round() as usize;
            let near = middle.saturating_sub(reach)..=middle + reach;
            let Some(best) = near.max_by(|&a, &b| correlation(a).total_cmp(&correlation(b))) else {
                return pitch;
            };
            let (before, here, after) =
                (correlation(best - 1), correlation(best), correlation(best + 1));
            let bend = before - 2.0 * here + after;
            let aside = if bend < 0.0 && bend.is_finite() {
                (0.5 * (before - after) / bend).clamp(-0.5, 0.5)
            } else {
                0.0
            };
            pitch = (best as f32 + aside) / times;
            times *= 2.0;
        }
    }

    /// Lines at a pitch, followed one by one within part of the picture and beyond it: the edges around lines, folded, tell
    /// where each line is, and so lines are followed again.
    pub(crate) fn followed(&self, pitch: f32, along: (i32, i32), lines: (i32, i32)) -> Lines {
        let bands = (lines.0.max(0) as usize / BAND)..(lines.1.max(0) as usize).div_ceil(BAND);
        let mut edges = vec![0.0f32; self.len];
        for band in self.edges.chunks_exact(self.len).skip(bands.start).take(bands.len()) {
            edges.iter_mut().zip(band).for_each(|(sum, value)| *sum += value);
        }
        let along = (along.0.max(0), along.1.min(self.len as i32));
        Lines::followed(&edges, pitch, along)
    }
}

fn difference(a: u8, b: u8) -> i16 {
    i16::from(b) - i16::from(a)
}

/// How strong an edge is by its steps in red, green and blue, each summed over [`ALONG`] pixels along it.
fn strength(steps: &[i16]) -> f32 {
    let sum: u16 = steps.iter().map(|step| step.unsigned_abs()).sum();
    f32::from(sum).min(EDGE_CAP * ALONG as f32)
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn a_grid_of_unequal_pitches_is_found_among_stripes() {
        let (x0, y0, px, py) = (57.0, 81.0, 23.4, 19.7);
        let picture = RgbImage::from_fn(640, 480, |x, y| {
            let along = |at: f32, pitch: f32, count: f32| {
                (at >= 0.0 && at < pitch * count).then(|| (at / pitch).fract() * pitch)
            };
            let cell = (along(x as f32 - x0, px, 16.0), along(y as f32 - y0, py, 12.0));
            match cell {
                (Some(x), Some(y)) if x < 2.0 || y < 2.0 => Rgb([60, 60, 60]),
                (Some(_), Some(_)) => Rgb([190, 190, 190]),
                _ if y % 17 < 2 && x > 450 => Rgb([0, 0, 0]),
                _ => Rgb([240, 240, 240]),
            }
        });
        let found = periods(&picture);
        let near = |period: &Period| {
            (period.pitch.0 - px).abs() < 0.1 && (period.pitch.1 - py).abs() < 0.1
        };
        assert!(near(&found[0]), "{found:?}");
    }

    #[test]
    fn columns_that_are_a_pixel_wider_for_a_while_are_followed() {
        // 14 columns of 27 pixels, then 16 of 26; edges repeat most exactly among the latter.
        let starts: Vec<u32> = (0..=30).map(|n: u32| 40 + 26 * n + n.min(14)).collect();
        let picture = RgbImage::from_fn(920, 300, |x, y| {
            let is_gap = starts.iter().any(|&start| x + 2 >= start && x < start + 2);
            Rgb(if is_gap || y % 26 < 4 { [240; 3] } else { [180, 180, 170] })
        });
        let end = starts[30] as i32;
        let lines = Profiles::across(&picture).followed(26.0, (end - 400, end), (0, 300));
        let at = |line: i32| (line as f32 + lines.loudest) * lines.pitch + lines.shifts.at(line);
        for &start in &starts {
            let near = (0..40).map(|line| (at(line) - start as f32).abs()).fold(f32::MAX, f32::min);
            // The loudest edge is one of the two of a gap.
            assert!(near < 3.5, "{near} pixels from {start}");
        }
    }
}
