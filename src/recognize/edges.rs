//! Where neighbouring pixels differ: the raw material for finding lattices.

use image::RgbImage;

/// Every n-th line is kept: cells are larger than that, and an odd number does not miss dotted lines.
pub(crate) const STRIDE: usize = 3;

/// One bit for each pixel along parallel scan lines: set where the pixel differs from the one before.
///
/// Lines are rows for [`EdgeMap::along_rows`] and columns for [`EdgeMap::along_columns`], so that what
/// looks for equally spaced edges along a line serves both directions.
pub(crate) struct EdgeMap {
    words: usize,
    bits: Vec<u64>,
    len: usize,
}

impl EdgeMap {
    /// Edges met when walking along every [`STRIDE`]-th row: those between columns.
    pub(crate) fn along_rows(pixels: &RgbImage, threshold: u16) -> Self {
        let (width, height) = (pixels.width() as usize, pixels.height() as usize);
        let mut map = Self::empty(height, width);
        let rows = pixels.as_raw().chunks_exact(width * 3).step_by(STRIDE);
        for (row, words) in rows.zip(map.bits.chunks_exact_mut(map.words)) {
            for (index, word) in words.iter_mut().enumerate() {
                let from = (index * 64).max(1);
                let to = (index * 64 + 64).min(width);
                let (before, here) = (&row[(from - 1) * 3..(to - 1) * 3], &row[from * 3..to * 3]);
                // Most of a screen is of one colour.
                if before == here {
                    continue;
                }
                let pairs = before.chunks_exact(3).zip(here.chunks_exact(3));
                let bits = pairs.enumerate().fold(0, |bits, (at, (before, here))| {
                    bits | u64::from(difference(before, here) >= threshold) << at
                });
                *word = bits << (from - index * 64);
            }
        }
        map
    }

    /// Edges met when walking down every [`STRIDE`]-th column: those between rows.
    pub(crate) fn along_columns(pixels: &RgbImage, threshold: u16) -> Self {
        let (width, height) = (pixels.width() as usize, pixels.height() as usize);
        let mut map = Self::empty(width, height);
        let raw = pixels.as_raw();
        /// Columns that are looked at together.
        const TOGETHER: usize = 32 * STRIDE;
        for y in 1..height {
            let rows = raw[(y - 1) * width * 3..(y + 1) * width * 3].split_at(width * 3);
            let chunks = rows.0.chunks(TOGETHER * 3).zip(rows.1.chunks(TOGETHER * 3));
            for (chunk, (above, here)) in chunks.enumerate() {
                if above == here {
                    continue;
                }
                let columns = above.chunks(3 * STRIDE).zip(here.chunks(3 * STRIDE));
                for (column, (above, here)) in columns.enumerate() {
                    if difference(above, here) >= threshold {
                        let line = chunk * (TOGETHER / STRIDE) + column;
                        map.bits[line * map.words + y / 64] |= 1 << (y % 64);
                    }
                }
            }
        }
        map
    }

    fn empty(lines: usize, len: usize) -> Self {
        let words = len.div_ceil(64).max(1);
        Self { words, bits: vec![0; lines.div_ceil(STRIDE) * words], len }
    }

    /// The kept lines, each as words of 64 pixels, the first pixel in the lowest bit.
    pub(crate) fn lines(&self) -> impl ExactSizeIterator<Item = &[u64]> {
        self.bits.chunks_exact(self.words)
    }

    /// The share of the edges from pixel `from` to `to` of the lines `first` to `last` that have another
    /// edge exactly `pitch` pixels on.
    pub(crate) fn repetition(
        &self,
        first: i32,
        last: i32,
        from: i32,
        to: i32,
        pitch: usize,
    ) -> f64 {
        let kept = (first as usize).div_ceil(STRIDE)..(last as usize).div_ceil(STRIDE);
        let (from, to) = (from as usize, (to as usize).saturating_sub(pitch));
        let (mut all, mut repeated) = (0u32, 0u32);
        for line in self.lines().skip(kept.start).take(kept.len()) {
            for index in from / 64..to.div_ceil(64) {
                let start = index * 64;
                let mask = u64::MAX << from.saturating_sub(start).min(63)
                    & u64::MAX >> (start + 64).saturating_sub(to);
                let (low, high) = (index + pitch / 64, pitch % 64);
                let word = |index: usize| line.get(index).copied().unwrap_or(0);
                let ahead = word(low) >> high | word(low + 1) << 1 << (63 - high);
                all += (line[index] & mask).count_ones();
                repeated += (line[index] & mask & ahead).count_ones();
            }
        }
        f64::from(repeated) / f64::from(all.max(1))
    }

    /// Pixels on a line.
    pub(crate) fn len(&self) -> usize {
        self.len
    }
}

/// The sum of the absolute differences of red, green and blue.
pub(super) fn difference(a: &[u8], b: &[u8]) -> u16 {
    u16::from(a[0].abs_diff(b[0])) + u16::from(a[1].abs_diff(b[1])) + u16::from(a[2].abs_diff(b[2]))
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    /// Noise of black and white, so that about half of the pixels are edges.
    fn noise(width: u32, height: u32) -> RgbImage {
        RgbImage::from_fn(width, height, |x, y| {
            let mixed = (x * 7919 + y * 104_729 + 1).wrapping_mul(2_654_435_761);
            Rgb([if mixed >> 30 == 0 { 255 } else { 0 }; 3])
        })
    }

    fn differs(pixels: &RgbImage, a: (u32, u32), b: (u32, u32)) -> bool {
        pixels.get_pixel(a.0, a.1) != pixels.get_pixel(b.0, b.1)
    }

    #[test]
    fn every_kept_pixel_is_an_edge_where_it_differs_from_the_one_before() {
        let pixels = noise(131, 200);
        let is_set = |line: &[u64], at: u32| line[at as usize / 64] >> (at % 64) & 1 == 1;
        for (y, line) in (0..200).step_by(STRIDE).zip(EdgeMap::along_rows(&pixels, 60).lines()) {
            for x in 1..131 {
                assert_eq!(is_set(line, x), differs(&pixels, (x - 1, y), (x, y)), "{x}, {y}");
            }
        }
        for (x, line) in (0..131).step_by(STRIDE).zip(EdgeMap::along_columns(&pixels, 60).lines()) {
            for y in 1..200 {
                assert_eq!(is_set(line, y), differs(&pixels, (x, y - 1), (x, y)), "{x}, {y}");
            }
        }
    }

    #[test]
    fn repetition_is_the_share_of_edges_with_another_one_pitch_on() {
        let map = EdgeMap::along_rows(&noise(300, 90), 60);
        for (pitch, from, to) in [(8, 0, 300), (64, 70, 290), (77, 63, 193), (128, 1, 140)] {
            let (mut all, mut repeated) = (0, 0);
            for line in map.lines().skip(4).take(16) {
                let is_set = |at: usize| line[at / 64] >> (at % 64) & 1 == 1;
                for at in (from..to - pitch).filter(|&at| is_set(at)) {
                    all += 1;
                    repeated += i32::from(is_set(at + pitch));
                }
            }
            let share = f64::from(repeated) / f64::from(all);
            assert_eq!(map.repetition(12, 60, from as i32, to as i32, pitch), share, "{pitch}");
        }
    }
}
