//! Cells as samples: each cell of a grid is brought to the same number of bins by averaging areas.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use image::RgbImage;

use super::lanes::{distance, dot};
use crate::geometry::Rect;
use crate::recognize::Lattice;

/// Edges along one axis, in pixels of the picture: edge `n` is at `first + n * pitch`, and a little aside where games draw on
/// whole pixels.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Edges {
    pub(crate) first: f32,
    pub(crate) pitch: f32,
    shifts: Shifts,
    /// The number of edge 0 among the shifts.
    origin: i32,
}

/// How far lines are from being evenly spaced, in pixels. Beyond those that are known they are as far as the nearest one.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Shifts {
    /// The number of the first one.
    pub(crate) from: i32,
    pub(crate) values: Arc<[f32]>,
}

impl Shifts {
    pub(crate) fn at(&self, number: i32) -> f32 {
        let last = self.values.len().saturating_sub(1);
        let at = usize::try_from(number - self.from).unwrap_or(0).min(last);
        self.values.get(at).copied().unwrap_or(0.0)
    }
}

impl Edges {
    /// Edges of which number 0 is at `first`, and number `origin` among the shifts.
    pub(crate) fn new(first: f32, pitch: f32, shifts: Shifts, origin: i32) -> Self {
        Self { first, pitch, shifts, origin }
    }

    /// These edges, which are whole pixels: as even as they may be, each by itself where they are not.
    fn on(edges: &[i32]) -> Self {
        Self::of(edges, 1.0)
    }

    /// These edges as even ones, and those that are off them; none if each is off by less than `within` pixels.
    fn of(edges: &[i32], within: f32) -> Self {
        let last = edges.len().saturating_sub(1).max(1) as f32;
        let first = edges.first().copied().unwrap_or(0) as f32;
        let pitch = (edges.last().copied().unwrap_or(0) as f32 - first) / last;
        let aside = |(number, &edge): (usize, &i32)| edge as f32 - first - number as f32 * pitch;
        let mut values: Vec<f32> = edges.iter().enumerate().map(aside).collect();
        if values.iter().all(|aside| aside.abs() < within) {
            values.clear();
        }
        Self::new(first, pitch, Shifts { from: 0, values: values.into() }, 0)
    }

    pub(crate) fn at(&self, number: i32) -> f32 {
        self.first + number as f32 * self.pitch + self.shifts.at(number + self.origin)
    }

    /// The same edges, counted from edge `number` on.
    pub(crate) fn from(&self, number: i32) -> Self {
        let first = self.first + number as f32 * self.pitch;
        Self { first, origin: self.origin + number, ..self.clone() }
    }

    /// The edges with two of them moved by so many pixels, and the others in proportion.
    pub(crate) fn moved(&self, (first, last): (i32, i32), by_first: f32, by_last: f32) -> Self {
        let pitch = self.pitch + (by_last - by_first) / (last - first).max(1) as f32;
        let from = self.first + first as f32 * self.pitch + by_first;
        Self { first: from - first as f32 * pitch, pitch, ..self.clone() }
    }

    /// The cells that lie within these pixels: the number of the first one, and of the first one beyond.
    pub(crate) fn within(&self, from: f32, to: f32) -> (i32, i32) {
        // Edges that coincide with the bounds may be off by rounding.
        let slack = 0.02 * self.pitch;
        let mut first = ((from - self.first) / self.pitch).floor() as i32 - 2;
        while self.at(first) < from - slack {
            first += 1;
        }
        let mut last = ((to - self.first) / self.pitch).ceil() as i32 + 2;
        while self.at(last) > to + slack {
            last -= 1;
        }
        (first, last.max(first))
    }
}

/// Columns and rows of cells.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Grid {
    pub(crate) across: Edges,
    pub(crate) down: Edges,
}

impl Grid {
    /// The grid of the cells of a lattice.
    pub(crate) fn on(lattice: &Lattice) -> Self {
        let (xs, ys) = lattice.edges();
        Self { across: Edges::on(xs), down: Edges::on(ys) }
    }

    /// The same where each edge is at its whole pixel, as games draw them that do not scale what they have drawn.
    pub(crate) fn in_pixels(lattice: &Lattice) -> Self {
        let (xs, ys) = lattice.edges();
        // Less is rounding.
        Self { across: Edges::of(xs, 0.01), down: Edges::of(ys, 0.01) }
    }

    /// The same so many pixels farther to the right and down.
    pub(crate) fn moved(&self, dx: i32, dy: i32) -> Self {
        let mut moved = self.clone();
        moved.across.first += dx as f32;
        moved.down.first += dy as f32;
        moved
    }

    /// Width and height of a cell in whole pixels.
    pub(crate) fn cell_size(&self) -> (u32, u32) {
        let whole = |pitch: f32| pitch.round().max(1.0) as u32;
        (whole(self.across.pitch), whole(self.down.pitch))
    }
}

/// A cell by its column and row in a [`Grid`]; either may be negative.
pub(crate) type Place = (i32, i32);

/// Cells as `side` x `side` bins of red, green and blue, each from 0 to 255; the planes one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Samples {
    pub(crate) side: usize,
    pub(crate) places: Vec<Place>,
    values: Vec<f32>,
    /// The same at few bins, once they are asked for.
    coarse: OnceLock<Vec<Coarse>>,
}

/// Bins along each axis of a cell that is only to be compared roughly.
const COARSE: usize = 4;

/// A cell as `COARSE` x `COARSE` bins of red, green and blue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coarse([f32; 3 * COARSE * COARSE]);

impl Coarse {
    /// A cell of `side` x `side` bins at fewer ones.
    pub(crate) fn of(cell: &[f32], side: usize) -> Self {
        let by = side / COARSE;
        let (mut coarse, mut line) = ([0.0; 3 * COARSE * COARSE], vec![0.0; side]);
        // Planes follow each other, so their rows do.
        for (to, rows) in coarse.chunks_exact_mut(COARSE).zip(cell.chunks_exact(by * side)) {
            line.fill(0.0);
            for row in rows.chunks_exact(side) {
                line.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
            }
            for (mean, part) in to.iter_mut().zip(line.chunks_exact(by)) {
                *mean = part.iter().sum::<f32>() / (by * by) as f32;
            }
        }
        Self(coarse)
    }

    /// A mean squared distance that is no more than that of the cells themselves: means differ by less than what they are of.
    pub(crate) fn least_distance(&self, other: &Self) -> f32 {
        distance(&self.0, &other.0) / self.0.len() as f32
    }
}

impl Samples {
    fn new(side: usize) -> Self {
        Self { side, places: Vec::new(), values: Vec::new(), coarse: OnceLock::new() }
    }

    /// The cells of `grid` at `places`, as far as they are within the picture.
    pub(crate) fn cut(pixels: &RgbImage, grid: &Grid, places: &[Place], side: usize) -> Self {
        Self::cut_within(0.75, pixels, grid, places, side)
    }

    /// The same of cells that may be beyond the picture in part: what is there of them shows anything.
    pub(crate) fn cut_in_part(
        pixels: &RgbImage,
        grid: &Grid,
        places: &[Place],
        side: usize,
    ) -> Self {
        let pitch = grid.across.pitch.max(grid.down.pitch);
        Self::cut_within(pitch, pixels, grid, places, side)
    }

    /// The cells that reach beyond the picture by no more than `beyond` pixels.
    fn cut_within(
        beyond: f32,
        pixels: &RgbImage,
        grid: &Grid,
        places: &[Place],
        side: usize,
    ) -> Self {
        let mut samples = Self::new(side);
        let picture = Rect::new(0, 0, pixels.width(), pixels.height());
        let mut known_columns = HashMap::new();
        for &(col, row) in places {
            let across = (grid.across.at(col), grid.across.at(col + 1));
            let down = (grid.down.at(row), grid.down.at(row + 1));
            let is_within =
                |(from, to): (f32, f32), end: u32| from >= -beyond && to <= end as f32 + beyond;
            if !is_within(across, picture.width) || !is_within(down, picture.height) {
                continue;
            }
            let columns = known_columns
                .entry(col)
                .or_insert_with(|| Bins::new(across.0, across.1, side, picture.width));
            let rows = Bins::new(down.0, down.1, side, picture.height);
            samples.places.push((col, row));
            let from = samples.values.len();
            samples.values.resize(from + 3 * side * side, 0.0);
            average(pixels, columns, &rows, &mut samples.values[from..]);
        }
        samples
    }

    /// At most so many of the cells, spread over them.
    pub(crate) fn some(&self, count: usize) -> Self {
        let count = count.min(self.len());
        let kept = (0..count).map(|number| number * self.len() / count);
        let mut some = Self::new(self.side);
        for at in kept {
            some.places.push(self.places[at]);
            some.values.extend_from_slice(self.get(at));
        }
        some
    }

    /// Number of cells.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Numbers in a cell.
    pub(crate) fn size(&self) -> usize {
        3 * self.side * self.side
    }

    pub(crate) fn get(&self, number: usize) -> &[f32] {
        &self.values[number * self.size()..][..self.size()]
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.values.chunks_exact(self.size())
    }

    /// The same cells at few bins.
    pub(crate) fn coarse(&self) -> &[Coarse] {
        self.coarse.get_or_init(|| self.iter().map(|cell| Coarse::of(cell, self.side)).collect())
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (Place, &mut [f32])> {
        let size = self.size();
        self.coarse = OnceLock::new();
        self.places.iter().copied().zip(self.values.chunks_exact_mut(size))
    }

    /// The variance of all values around the mean colour of all cells: that of a cell that nothing is known of.
    pub(crate) fn variance(&self) -> f32 {
        let plane = self.side * self.side;
        let (mut sums, mut squares) = ([0.0f64; 3], 0.0f64);
        for cell in self.iter() {
            for (sum, values) in sums.iter_mut().zip(cell.chunks_exact(plane)) {
                *sum += f64::from(values.iter().sum::<f32>());
                squares += f64::from(dot(values, values));
            }
        }
        let count = (self.len() * plane).max(1) as f64;
        let means: f64 = sums.iter().map(|sum| (sum / count).powi(2)).sum();
        ((squares / count - means) / 3.0).max(0.0) as f32
    }
}

/// What each bin along one axis is averaged from: the first pixel, and the weights of it and the next ones.
#[derive(Clone, Debug)]
pub(crate) struct Bins {
    first: Vec<usize>,
    /// So many for each bin.
    taps: usize,
    weights: Vec<f32>,
}

impl Bins {
    /// `count` bins from `from` to `to`, on a line of `end` pixels; weights add up to 1.
    pub(crate) fn new(from: f32, to: f32, count: usize, end: u32) -> Self {
        let width = (to - from) / count as f32;
        let taps = (width.ceil() as usize + 1).min(end as usize);
        let mut bins =
            Self { first: Vec::with_capacity(count), taps, weights: vec![0.0; count * taps] };
        for (number, weights) in bins.weights.chunks_exact_mut(taps).enumerate() {
            let left = (from + number as f32 * width).clamp(0.0, end as f32);
            let right = (from + (number + 1) as f32 * width).clamp(0.0, end as f32);
            let first = (left as usize).min(end as usize - taps);
            let mut sum = 0.0;
            for (at, weight) in weights.iter_mut().enumerate() {
                let pixel = (first + at) as f32;
                *weight = (right.min(pixel + 1.0) - left.max(pixel)).max(0.0);
                sum += *weight;
            }
            if sum > 1e-6 {
                weights.iter_mut().for_each(|weight| *weight /= sum);
            } else {
                weights[0] = 1.0;
            }
            bins.first.push(first);
        }
        bins
    }

    /// The first pixel of each bin, and the weights of it and the next ones.
    fn iter(&self) -> impl ExactSizeIterator<Item = (usize, &[f32])> {
        self.first.iter().copied().zip(self.weights.chunks_exact(self.taps))
    }
}

/// Averages the pixels in each crossing of these bins; the planes of `out` one after the other.
fn average(pixels: &RgbImage, columns: &Bins, rows: &Bins, out: &mut [f32]) {
    let (stride, raw) = (pixels.width() as usize * 3, pixels.as_raw());
    let (wide, high) = (columns.first.len(), rows.first.len());
    let (top, bottom) = (rows.first[0], rows.first[high - 1] + rows.taps);
    let mut lines = vec![0.0f32; (bottom - top) * wide * 3];
    for (line, row) in lines.chunks_exact_mut(wide * 3).zip(top..) {
        let row = &raw[row * stride..][..stride];
        for (bin, (first, weights)) in columns.iter().enumerate() {
            let mut sums = [0.0f32; 3];
            for (pixel, weight) in row[3 * first..].chunks_exact(3).zip(weights) {
                for (sum, &value) in sums.iter_mut().zip(pixel) {
                    *sum += weight * f32::from(value);
                }
            }
            for (plane, sum) in sums.into_iter().enumerate() {
                line[plane * wide + bin] = sum;
            }
        }
    }
    for (row, (first, weights)) in rows.iter().enumerate() {
        for (line, weight) in lines[(first - top) * wide * 3..].chunks_exact(wide * 3).zip(weights)
        {
            for plane in 0..3 {
                let to = &mut out[plane * wide * high + row * wide..][..wide];
                for (to, value) in to.iter_mut().zip(&line[plane * wide..][..wide]) {
                    *to += weight * value;
                }
            }
        }
    }
}

/// What `width` x `height` pixels show of a cell, as `side` x `side` bins: the template `picture`, with so many pixels of
/// a gap before it and after it. The planes of red, green and blue one after the other, and the share of each bin that is not gap.
pub(crate) fn drawn(
    picture: &RgbImage,
    (width, height): (u32, u32),
    margins: (f32, f32),
    side: usize,
) -> (Vec<f32>, Vec<f32>) {
    let across = Drawn::along(picture.width(), width, margins, side);
    let down = Drawn::along(picture.height(), height, margins, side);
    let inside = |y: usize| across.inside.iter().map(move |x| (x, y));
    let shares = (0..side).flat_map(inside).map(|(x, y)| x * down.inside[y]);
    let shares: Vec<f32> = shares.collect();
    let (stride, raw) = (picture.width() as usize * 3, picture.as_raw());
    let mut planes = vec![0.0; 3 * side * side];
    for (plane, out) in planes.chunks_exact_mut(side * side).enumerate() {
        let mut lines = Vec::with_capacity(side * picture.height() as usize);
        for row in raw.chunks_exact(stride) {
            lines.extend(across.bins.iter().map(|(first, weights)| {
                let values = row[3 * first + plane..].iter().step_by(3);
                values.zip(weights).map(|(&value, weight)| f32::from(value) * weight).sum::<f32>()
            }));
        }
        for (y, (first, weights)) in down.bins.iter().enumerate() {
            let to = &mut out[y * side..][..side];
            for (line, weight) in lines[first * side..].chunks_exact(side).zip(weights) {
                to.iter_mut().zip(line).for_each(|(to, value)| *to += weight * value);
            }
        }
        out.iter_mut().zip(&shares).for_each(|(value, share)| *value /= share.max(1e-6));
    }
    (planes, shares)
}

/// What bins along one axis of a cell show of a template.
struct Drawn {
    /// The first pixel of the template that each bin shows, and the weights of it and the next ones.
    bins: Vec<(usize, Vec<f32>)>,
    /// The share of each bin that is not gap.
    inside: Vec<f32>,
}

impl Drawn {
    /// A template of `own` pixels is drawn on `count` pixels of the screen but for margins before and after, and what these show
    /// is averaged in `side` bins.
    fn along(own: u32, count: u32, (before, after): (f32, f32), side: usize) -> Self {
        let scale = own as f32 / (count as f32 - before - after).max(1.0);
        let pixel = |number: u32| {
            let from = (number as f32 - before) * scale;
            let to = from + scale;
            let inside = (to.min(own as f32) - from.max(0.0)) / scale;
            (Bins::new(from, to, 1, own), inside.clamp(0.0, 1.0))
        };
        let pixels: Vec<(Bins, f32)> = (0..count).map(pixel).collect();
        let mut drawn = Self { bins: Vec::new(), inside: Vec::new() };
        for (first, weights) in Bins::new(0.0, count as f32, side, count).iter() {
            let (mut sums, mut inside) = (vec![0.0; own as usize], 0.0);
            for ((from, share), weight) in pixels[first..].iter().zip(weights) {
                inside += weight * share;
                for (start, taps) in from.iter() {
                    let sums = sums[start..].iter_mut().zip(taps);
                    sums.for_each(|(sum, tap)| *sum += weight * share * tap);
                }
            }
            let is_shown = |weight: &f32| *weight != 0.0;
            let start = sums.iter().position(is_shown).unwrap_or(0);
            let end = sums.iter().rposition(is_shown).map_or(start, |last| last + 1);
            drawn.bins.push((start, sums[start..end].to_vec()));
            drawn.inside.push(inside);
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn a_template_drawn_at_its_own_size_is_the_cell_of_a_picture_of_it() {
        let template = RgbImage::from_fn(20, 20, |x, y| Rgb([(x * 12) as u8, (y * 9) as u8, 77]));
        let picture = RgbImage::from_fn(60, 40, |x, y| *template.get_pixel(x % 20, y % 20));
        let even = Shifts { from: 0, values: Arc::new([]) };
        let edges = Edges::new(0.0, 20.0, even, 0);
        let grid = Grid { across: edges.clone(), down: edges };
        let samples = Samples::cut(&picture, &grid, &[(1, 1), (2, 0), (3, 0)], 16);
        assert_eq!(samples.places, [(1, 1), (2, 0)]);
        let (drawn, _) = drawn(&template, (20, 20), (0.0, 0.0), 16);
        for (a, b) in samples.get(0).iter().zip(&drawn) {
            assert!((a - b).abs() < 0.01, "{a} {b}");
        }
    }
}
