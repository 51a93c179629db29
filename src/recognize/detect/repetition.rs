//! Regions of a picture in which edges repeat at equal distances, across and down, as the borders of
//! cells do.
//!
//! A line of cells gives a *comb*: edges at `x`, `x + pitch`, `x + 2 pitch`, …. Combs are looked for
//! with whole words of the [`EdgeMap`], 64 pixels at a time: the bits of a line that survive being and-ed
//! with the line shifted by one, two, … pitches start a comb. A region where combs of about the same
//! pitch cross in both directions may be a board. What text and textures leave is weeded out later,
//! where cells are compared with templates.

use std::ops::Range;
use std::thread::{self, ScopedJoinHandle};

use image::RgbImage;

use super::edges::{EdgeMap, STRIDE};
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
    /// Whether it is a part of a loose region, in which windows that stand close together may have run into one.
    pub(crate) is_part: bool,
    /// The share of its edges that have another edge exactly one pitch on, from 0 to 1.
    repetition: f64,
}

impl Candidate {
    /// Whether its region is filled, and so likely to be one board.
    pub(crate) fn is_dense(&self) -> bool {
        self.strength >= LOOSE
    }
}

/// Cells from 8 pixels up are looked for, to 128.
const PITCHES: std::ops::RangeInclusive<usize> = 8..=128;
/// Equal distances in a row that make a comb.
const PERIODS: usize = 4;
/// The least columns and rows of a region: less than a board's, since a comb may miss its ends.
const LEAST_CELLS: usize = 4;
/// Of the edges of a board at least this share repeats exactly one pitch on; of those of a text, less.
const LEAST_REPETITION: f64 = 0.42;
/// A set of blocks that covers less than this share of the rectangle around it may be several boards.
const LOOSE: f64 = 0.7;
/// At most this many candidates are handed on, the largest first.
const MOST: usize = 256;

/// The candidates in `pixels`, best first: those by edges that stand out, then those by all edges.
pub(crate) fn candidates(pixels: &RgbImage) -> [Vec<Candidate>; 2] {
    let picture = Rect::new(0, 0, pixels.width(), pixels.height());
    thread::scope(|scope| {
        let down = scope.spawn(|| EdgeMap::along_columns(pixels).map(Lines::of));
        let [loud_across, all_across] = EdgeMap::along_rows(pixels).map(Lines::of);
        let [loud_down, all_down] = finished(down);
        let loud = scope.spawn(move || crossings(picture, &loud_across, &loud_down));
        let all = crossings(picture, &all_across, &all_down);
        [finished(loud), all]
    })
}

/// What a thread comes to. If it panicked, so does this one.
fn finished<T>(thread: ScopedJoinHandle<T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// The candidates in a picture, best first, by its edges `across` and `down`.
fn crossings(picture: Rect, across: &Lines, down: &Lines) -> Vec<Candidate> {
    let mut found = Vec::new();
    for pitch in PITCHES {
        if pitch * (PERIODS + 1) > picture.width.max(picture.height) as usize {
            break;
        }
        let mut columns = Blocks::new(picture, pitch);
        across.combs(pitch, |line, from, to| columns.set_in_row(line, from, to));
        let mut rows = Blocks::new(picture, pitch);
        down.combs(pitch, |line, from, to| rows.set_in_column(line, from, to));
        let both = columns.and(&rows);
        // Windows that stand close together are one set of blocks once the gaps are filled, and a loose one.
        let whole = both.closed(pitch).components();
        let is_loose = |part: &Rect| {
            whole.iter().any(|(whole, strength)| *strength < LOOSE && whole.encloses(*part))
        };
        let parts = both.components().into_iter().filter(|(part, _)| is_loose(part));
        let parts: Vec<_> = parts.map(|(region, strength)| (region, strength, true)).collect();
        let whole = whole.into_iter().map(|(region, strength)| (region, strength, false));
        for (region, strength, is_part) in whole.chain(parts) {
            let least = (LEAST_CELLS * pitch) as u32;
            if region.width >= least && region.height >= least {
                let region = region.intersection(picture).unwrap_or(region);
                let (left, right) = (region.x, region.right());
                let (top, bottom) = (region.y, region.bottom());
                let repetition = (across.edges.repetition(top, bottom, left, right, pitch)
                    + down.edges.repetition(left, right, top, bottom, pitch))
                    / 2.0;
                let pitch = pitch as u32;
                found.push(Candidate { region, pitch, strength, is_part, repetition });
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

/// The lines of an [`EdgeMap`], made ready for finding combs of any pitch.
struct Lines {
    edges: EdgeMap,
    /// The lines with every edge a pixel wider to both sides, and zeros after each: as many words as the
    /// longest comb is long.
    wide: Vec<u64>,
    /// For each line the words that have edges, from the first to the last.
    spans: Vec<Range<usize>>,
}

/// Words that the longest comb reaches beyond its start.
const BEYOND: usize = PERIODS * *PITCHES.end() / 64 + 2;

impl Lines {
    fn of(edges: EdgeMap) -> Self {
        let words = edges.len().div_ceil(64).max(1) + BEYOND;
        let mut wide = vec![0; edges.lines().len() * words];
        for (line, wide) in edges.lines().zip(wide.chunks_exact_mut(words)) {
            widen(line, wide);
        }
        let spans = edges.lines().map(|line| {
            let first = line.iter().position(|&word| word != 0).unwrap_or(0);
            first..line.iter().rposition(|&word| word != 0).map_or(first, |last| last + 1)
        });
        Self { spans: spans.collect(), edges, wide }
    }

    /// Calls `found` with the line, the first and the last pixel of every comb of `pitch`; of those that start
    /// near each other, with one.
    fn combs(&self, pitch: usize, mut found: impl FnMut(usize, usize, usize)) {
        let side = block_side(pitch);
        let words = self.edges.len().div_ceil(64).max(1);
        let mut comb = vec![0u64; words];
        // Large cells are met by fewer lines.
        let stride = side / 8 * 2 - 1;
        let lines = self.edges.lines().zip(self.wide.chunks_exact(words + BEYOND));
        for (number, ((line, wide), span)) in lines.zip(&self.spans).enumerate().step_by(stride) {
            if span.is_empty() {
                continue;
            }
            let first = span.start;
            let comb = &mut comb[span.clone()];
            comb.copy_from_slice(&line[span.clone()]);
            let alive =
                (1..=PERIODS).all(|period| and_shifted(comb, &wide[first..], period * pitch) != 0);
            if !alive {
                continue;
            }
            for (index, &word) in (first..).zip(&*comb) {
                let mut word = word;
                while word != 0 {
                    let start = index * 64 + word.trailing_zeros() as usize;
                    let end = (start + PERIODS * pitch).min(self.edges.len() - 1);
                    found(number * STRIDE, start, end);
                    // Starts within 8 pixels cover the same blocks, or one more.
                    let next = start % 64 / 8 * 8 + 8;
                    word &= if next == 64 { 0 } else { u64::MAX << next };
                }
            }
        }
    }
}

/// From the first line of blocks to the last, by the line of each block.
fn span(lines: impl Iterator<Item = usize> + Clone) -> Range<usize> {
    let first = lines.clone().min().unwrap_or(0);
    first..lines.max().map_or(first, |last| last + 1)
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

/// Keeps the bits of `comb` whose `by`-th successor is set in `line`, which is longer by that. Returns the words
/// of the comb, or-ed.
fn and_shifted(comb: &mut [u64], line: &[u64], by: usize) -> u64 {
    let (words, bits) = (by / 64, by % 64);
    let (low, high) = (&line[words..][..comb.len()], &line[words + 1..][..comb.len()]);
    comb.iter_mut().zip(low).zip(high).fold(0, |all, ((comb, low), high)| {
        *comb &= low >> bits | high << 1 << (63 - bits);
        all | *comb
    })
}

/// Side of the blocks in which combs of this pitch are gathered, in pixels.
fn block_side(pitch: usize) -> usize {
    8 * (1 + pitch / 24)
}

/// Blocks of the picture, each set or not: a bit each, row by row.
struct Blocks {
    side: usize,
    cols: usize,
    /// Words in a row.
    words: usize,
    set: Vec<u64>,
}

impl Blocks {
    /// The blocks in which combs of `pitch` are gathered, none set.
    fn new(picture: Rect, pitch: usize) -> Self {
        let side = block_side(pitch);
        let cols = (picture.width as usize).div_ceil(side);
        let words = cols.div_ceil(64);
        let rows = (picture.height as usize).div_ceil(side);
        Self { side, cols, words, set: vec![0; rows * words] }
    }

    fn rows(&self) -> usize {
        self.set.len() / self.words
    }

    fn is_set(&self, col: usize, row: usize) -> bool {
        self.set[row * self.words + col / 64] >> (col % 64) & 1 == 1
    }

    fn put(&mut self, col: usize, row: usize) {
        self.set[row * self.words + col / 64] |= 1 << (col % 64);
    }

    /// Sets the blocks along the row of pixels `y`, from pixel `from` to `to`.
    fn set_in_row(&mut self, y: usize, from: usize, to: usize) {
        let row = y / self.side * self.words;
        let (from, to) = (from / self.side, to / self.side);
        for word in from / 64..=to / 64 {
            let after = if word == from / 64 { u64::MAX << (from % 64) } else { u64::MAX };
            let before = if word == to / 64 { u64::MAX >> (63 - to % 64) } else { u64::MAX };
            self.set[row + word] |= after & before;
        }
    }

    /// Sets the blocks along the column of pixels `x`, from pixel `from` to `to`.
    fn set_in_column(&mut self, x: usize, from: usize, to: usize) {
        let (word, bit) = (x / self.side / 64, 1 << (x / self.side % 64));
        let rows = &mut self.set[from / self.side * self.words..(to / self.side + 1) * self.words];
        for row in rows.chunks_exact_mut(self.words) {
            row[word] |= bit;
        }
    }

    fn and(&self, other: &Self) -> Self {
        let set = self.set.iter().zip(&other.set).map(|(a, b)| a & b).collect();
        Self { set, ..*self }
    }

    /// Columns and rows of the set blocks, row by row.
    fn blocks(&self) -> Vec<(usize, usize)> {
        let mut blocks = Vec::new();
        for (index, &word) in self.set.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                let col = index % self.words * 64 + word.trailing_zeros() as usize;
                blocks.push((col, index / self.words));
                word &= word - 1;
            }
        }
        blocks
    }

    /// Fills gaps of up to `pitch` pixels between set blocks of a row or a column.
    fn closed(&self, pitch: usize) -> Self {
        let mut closed = Self { set: self.set.clone(), ..*self };
        let reach = pitch / self.side + 1;
        let near =
            |last: usize, here: usize| (1..=reach).contains(&(here - last).saturating_sub(1));
        let mut last = (0, 0);
        for (col, row) in closed.blocks() {
            if last.1 == row && last.0 < col && near(last.0, col) {
                (last.0..col).for_each(|gap| closed.put(gap, row));
            }
            last = (col, row);
        }
        let mut last = vec![usize::MAX; self.cols];
        for (col, row) in closed.blocks() {
            let above = std::mem::replace(&mut last[col], row);
            if above != usize::MAX && near(above, row) {
                (above..row).for_each(|gap| closed.put(col, gap));
            }
        }
        closed
    }

    /// Connected sets of blocks: the rectangle around each in pixels, and how much of it is set.
    fn components(mut self) -> Vec<(Rect, f64)> {
        let mut components = Vec::new();
        let mut stack = Vec::new();
        for start in self.blocks() {
            self.take(start, &mut stack);
            let mut blocks = Vec::new();
            while let Some((x, y)) = stack.pop() {
                blocks.push((x, y));
                let before = [(x.wrapping_sub(1), y), (x, y.wrapping_sub(1))];
                for beside in before.into_iter().chain([(x + 1, y), (x, y + 1)]) {
                    self.take(beside, &mut stack);
                }
            }
            let cols = span(blocks.iter().map(|&(col, _)| col));
            let rows = span(blocks.iter().map(|&(_, row)| row));
            if !blocks.is_empty() {
                let strength = blocks.len() as f64 / (cols.len() * rows.len()) as f64;
                let pixels = |blocks: usize| (blocks * self.side) as u32;
                let (x, y) = (pixels(cols.start) as i32, pixels(rows.start) as i32);
                let region = Rect::new(x, y, pixels(cols.len()), pixels(rows.len()));
                components.push((region, strength));
            }
        }
        components
    }

    /// Moves a block that is set to the stack.
    fn take(&mut self, (col, row): (usize, usize), stack: &mut Vec<(usize, usize)>) {
        if col < self.cols && row < self.rows() && self.is_set(col, row) {
            self.set[row * self.words + col / 64] &= !(1 << (col % 64));
            stack.push((col, row));
        }
    }
}
