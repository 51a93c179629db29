//! Regions of a picture in which edges repeat at equal distances, across and down, as the borders of
//! cells do.
//!
//! A line of cells gives a *comb*: edges at `x`, `x + pitch`, `x + 2 pitch`, …. Combs are looked for
//! with whole words of the [`EdgeMap`], 64 pixels at a time: the bits of a line that survive being and-ed
//! with the line shifted by one, two, … pitches start a comb. A region where combs of about the same
//! pitch cross in both directions may be a board. What text and textures leave is weeded out later,
//! where cells are compared with templates.

use image::RgbImage;

use super::edges::EdgeMap;
use crate::geometry::Rect;

/// A place where a board may be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Candidate {
    /// Where combs cross, in pixels of the picture; the board may reach a little further.
    pub(crate) region: Rect,
    /// The distance of edges, in pixels; that of one board's cells may differ by one.
    pub(crate) pitch: u32,
    /// How much of the region the combs cover, from 0 to 1.
    strength: f64,
    /// The share of its edges that have another edge exactly one pitch on, from 0 to 1.
    repetition: f64,
}

/// Cells from 8 pixels up are looked for, to 128.
const PITCHES: std::ops::RangeInclusive<usize> = 8..=128;
/// Equal distances in a row that make a comb.
const PERIODS: usize = 4;
/// Side of the blocks in which combs are gathered, in pixels.
const BLOCK: usize = 8;
/// Every n-th line is looked at; an odd number, so that dotted lines are not missed.
const STRIDE: usize = 3;
/// The least columns and rows of a region: less than a board's, since a comb may miss its ends.
const LEAST_CELLS: usize = 4;
/// Of the edges of a board at least this share repeats exactly one pitch on; of those of a text, less.
const LEAST_REPETITION: f64 = 0.42;
/// At most this many candidates are handed on, the largest first.
const MOST: usize = 24;

/// The candidates in `pixels`, best first.
pub(crate) fn candidates(pixels: &RgbImage, threshold: u16) -> Vec<Candidate> {
    let across = EdgeMap::along_rows(pixels, threshold);
    let down = EdgeMap::along_columns(pixels, threshold);
    let (width, height) = (pixels.width() as usize, pixels.height() as usize);
    let mut found = Vec::new();
    for pitch in PITCHES {
        if pitch * (PERIODS + 1) > width.max(height) {
            break;
        }
        let columns = Blocks::of_combs(&across, pitch);
        let rows = Blocks::of_combs(&down, pitch).transposed();
        let mut both = columns.and(&rows);
        both.close(pitch / BLOCK + 1);
        for (region, strength) in both.components() {
            let least = (LEAST_CELLS * pitch) as u32;
            if region.width >= least && region.height >= least {
                let picture = Rect::new(0, 0, width as u32, height as u32);
                let region = region.intersection(picture).unwrap_or(region);
                let repetition =
                    (across.repetition(region.y, region.bottom(), region.x, region.right(), pitch)
                        + down.repetition(
                            region.x,
                            region.right(),
                            region.y,
                            region.bottom(),
                            pitch,
                        ))
                        / 2.0;
                found.push(Candidate { region, pitch: pitch as u32, strength, repetition });
            }
        }
    }
    found.retain(|candidate| candidate.repetition >= LEAST_REPETITION);
    // Next to the pitch, those a pixel off repeat too, but less exactly.
    let rivals = found.clone();
    found.retain(|candidate| {
        !rivals.iter().any(|rival| {
            rival.pitch != candidate.pitch
                && rival.pitch.abs_diff(candidate.pitch) <= 2
                && rival.repetition > candidate.repetition
                && mostly_within(candidate.region, rival.region)
        })
    });
    let weight =
        |c: &Candidate| f64::from(c.region.width) * f64::from(c.region.height) * c.strength;
    found.sort_by(|a, b| weight(b).total_cmp(&weight(a)).then(a.pitch.cmp(&b.pitch)));
    found.truncate(MOST);
    found
}

/// Whether more than half of `inner` lies within `outer`.
pub(crate) fn mostly_within(inner: Rect, outer: Rect) -> bool {
    let size = |area: Rect| u64::from(area.width) * u64::from(area.height);
    inner.intersection(outer).is_some_and(|both| 2 * size(both) > size(inner))
}

/// Blocks of the picture, each set or not.
struct Blocks {
    cols: usize,
    rows: usize,
    set: Vec<bool>,
}

impl Blocks {
    /// The blocks through which combs of `pitch` go. Block rows gather lines, block columns are along
    /// the lines.
    fn of_combs(edges: &EdgeMap, pitch: usize) -> Self {
        let lines = edges.lines().len();
        let (cols, rows) = (edges.len().div_ceil(BLOCK), lines.div_ceil(BLOCK));
        let mut set = vec![false; cols * rows];
        let words = edges.len().div_ceil(64).max(1);
        let (mut wide, mut comb) = (vec![0u64; words], vec![0u64; words]);
        for (number, line) in edges.lines().enumerate().step_by(STRIDE) {
            widen(line, &mut wide);
            comb.copy_from_slice(line);
            for period in 1..=PERIODS {
                and_shifted(&mut comb, &wide, period * pitch);
            }
            let covered = &mut set[number / BLOCK * cols..][..cols];
            for (index, &word) in comb.iter().enumerate() {
                let mut word = word;
                while word != 0 {
                    let start = index * 64 + word.trailing_zeros() as usize;
                    let last = (start + PERIODS * pitch).min(edges.len() - 1) / BLOCK;
                    covered[start / BLOCK..=last].fill(true);
                    // Starts in the same block cover the same blocks, or one more.
                    let block = (start % 64) / BLOCK;
                    word &= if block == 7 { 0 } else { u64::MAX << ((block + 1) * BLOCK) };
                }
            }
        }
        Self { cols, rows, set }
    }

    fn transposed(&self) -> Self {
        let set = (0..self.cols * self.rows)
            .map(|i| self.set[i % self.rows * self.cols + i / self.rows])
            .collect();
        Self { cols: self.rows, rows: self.cols, set }
    }

    fn and(&self, other: &Self) -> Self {
        let set = self.set.iter().zip(&other.set).map(|(a, b)| *a && *b).collect();
        Self { cols: self.cols, rows: self.rows, set }
    }

    /// Fills gaps of up to `reach` blocks between set blocks of a row or a column.
    fn close(&mut self, reach: usize) {
        for row in 0..self.rows {
            self.close_line(row * self.cols, 1, self.cols, reach);
        }
        for col in 0..self.cols {
            self.close_line(col, self.cols, self.rows, reach);
        }
    }

    fn close_line(&mut self, start: usize, step: usize, len: usize, reach: usize) {
        let mut last = None;
        for n in 0..len {
            if !self.set[start + n * step] {
                continue;
            }
            if let Some(last) = last.filter(|last| n - last <= reach + 1) {
                for gap in last..n {
                    self.set[start + gap * step] = true;
                }
            }
            last = Some(n);
        }
    }

    /// Connected sets of blocks: the rectangle around each in pixels, and how much of it is set.
    fn components(&self) -> Vec<(Rect, f64)> {
        let mut seen = vec![false; self.set.len()];
        let mut components = Vec::new();
        for start in 0..self.set.len() {
            if seen[start] || !self.set[start] {
                continue;
            }
            let mut stack = vec![start];
            seen[start] = true;
            let (mut left, mut top, mut right, mut bottom) = (usize::MAX, usize::MAX, 0, 0);
            let mut size = 0usize;
            while let Some(at) = stack.pop() {
                let (x, y) = (at % self.cols, at / self.cols);
                (left, right) = (left.min(x), right.max(x + 1));
                (top, bottom) = (top.min(y), bottom.max(y + 1));
                size += 1;
                let beside = [
                    (x > 0).then(|| at - 1),
                    (x + 1 < self.cols).then_some(at + 1),
                    (y > 0).then(|| at - self.cols),
                    (y + 1 < self.rows).then_some(at + self.cols),
                ];
                for next in beside.into_iter().flatten() {
                    if self.set[next] && !seen[next] {
                        seen[next] = true;
                        stack.push(next);
                    }
                }
            }
            let pixels = |blocks: usize| (blocks * BLOCK) as u32;
            let (width, height) = (right - left, bottom - top);
            let (x, y) = (pixels(left) as i32, pixels(top) as i32);
            let region = Rect::new(x, y, pixels(width), pixels(height));
            components.push((region, size as f64 / (width * height) as f64));
        }
        components
    }
}

/// Every set bit also sets the bits beside it.
fn widen(line: &[u64], wide: &mut [u64]) {
    for index in 0..line.len() {
        let before = if index > 0 { line[index - 1] >> 63 } else { 0 };
        let after = line.get(index + 1).map_or(0, |next| next << 63);
        let word = line[index];
        wide[index] = word | (word << 1 | before) | (word >> 1 | after);
    }
}

/// Keeps the bits of `comb` whose `by`-th successor is set in `line`.
fn and_shifted(comb: &mut [u64], line: &[u64], by: usize) {
    let (words, bits) = (by / 64, by % 64);
    for (index, comb) in comb.iter_mut().enumerate() {
        let low = line.get(index + words).copied().unwrap_or(0);
        let high = line.get(index + words + 1).copied().unwrap_or(0);
        *comb &= if bits == 0 { low } else { low >> bits | high << (64 - bits) };
    }
}
