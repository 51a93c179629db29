//! Where neighbouring pixels differ: the raw material for finding lattices.

use image::RgbImage;

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
    /// Edges met when walking along each row: those between columns.
    pub(crate) fn along_rows(pixels: &RgbImage, threshold: u16) -> Self {
        let (width, height) = (pixels.width() as usize, pixels.height() as usize);
        let mut map = Self::empty(height, width);
        for (row, line) in pixels.as_raw().chunks_exact(width * 3).enumerate() {
            for x in 1..width {
                let (before, here) = (&line[x * 3 - 3..x * 3], &line[x * 3..x * 3 + 3]);
                map.mark(row, x, difference(before, here) >= threshold);
            }
        }
        map
    }

    /// Edges met when walking down each column: those between rows.
    pub(crate) fn along_columns(pixels: &RgbImage, threshold: u16) -> Self {
        let (width, height) = (pixels.width() as usize, pixels.height() as usize);
        let mut map = Self::empty(width, height);
        let raw = pixels.as_raw();
        for y in 1..height {
            let (above, here) = (&raw[(y - 1) * width * 3..], &raw[y * width * 3..]);
            for x in 0..width {
                let at = x * 3..x * 3 + 3;
                map.mark(x, y, difference(&above[at.clone()], &here[at]) >= threshold);
            }
        }
        map
    }

    fn empty(lines: usize, len: usize) -> Self {
        let words = len.div_ceil(64).max(1);
        Self { words, bits: vec![0; lines * words], len }
    }

    fn mark(&mut self, line: usize, at: usize, set: bool) {
        self.bits[line * self.words + at / 64] |= u64::from(set) << (at % 64);
    }

    /// The lines, each as words of 64 pixels, the first pixel in the lowest bit.
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
        let (mut all, mut repeated) = (0u32, 0u32);
        for line in self.lines().skip(first as usize).take((last - first) as usize) {
            let set = |at: usize| at < self.len && line[at / 64] >> (at % 64) & 1 == 1;
            for at in from as usize..(to as usize).saturating_sub(pitch) {
                if set(at) {
                    all += 1;
                    repeated += u32::from(set(at + pitch));
                }
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
fn difference(a: &[u8], b: &[u8]) -> u16 {
    u16::from(a[0].abs_diff(b[0])) + u16::from(a[1].abs_diff(b[1])) + u16::from(a[2].abs_diff(b[2]))
}
