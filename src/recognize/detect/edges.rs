//! Where neighbouring pixels differ: the raw material for finding lattices.

use image::RgbImage;

/// Every n-th line is kept: cells are larger than that, and an odd number does not miss dotted lines.
pub(crate) const STRIDE: usize = 3;

/// How different two pixels must be to make an edge, as the sum over red, green and blue: first only
/// what stands out, then faint lines too.
const THRESHOLDS: [u8; 2] = [60, 12];

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
    /// Edges met when walking along every [`STRIDE`]-th row: those between columns. First those that stand out, then
    /// all of them.
    pub(crate) fn along_rows(pixels: &RgbImage) -> [Self; 2] {
        let (width, height) = (pixels.width() as usize, pixels.height() as usize);
        let mut maps = THRESHOLDS.map(|_| Self::empty(height, width));
        let words = maps[0].words;
        let rows = pixels.as_raw().chunks_exact((width * 3).max(1)).step_by(STRIDE);
        for (line, row) in rows.enumerate() {
            for word in 0..words {
                let from = (word * 64).max(1);
                let to = (word * 64 + 64).min(width);
                let (before, here) = (&row[(from - 1) * 3..(to - 1) * 3], &row[from * 3..to * 3]);
                // Most of a screen is of one colour.
                if before == here {
                    continue;
                }
                let steps = Steps::between(before, here);
                for (map, threshold) in maps.iter_mut().zip(THRESHOLDS) {
                    let bits = steps.pixels(1).take(to - from).enumerate();
                    let bits =
                        bits.fold(0, |bits, (at, step)| bits | u64::from(step >= threshold) << at);
                    map.bits[line * words + word] = bits << (from - word * 64);
                }
            }
        }
        maps
    }

    /// Edges met when walking down every [`STRIDE`]-th column: those between rows. First those that stand out, then
    /// all of them.
    pub(crate) fn along_columns(pixels: &RgbImage) -> [Self; 2] {
        let (width, height) = (pixels.width() as usize, pixels.height() as usize);
        let mut maps = THRESHOLDS.map(|_| Self::empty(width, height));
        let words = maps[0].words;
        let raw = pixels.as_raw();
        for y in 1..height {
            let rows = raw[(y - 1) * width * 3..(y + 1) * width * 3].split_at(width * 3);
            let chunks = rows.0.chunks(Steps::MOST * 3).zip(rows.1.chunks(Steps::MOST * 3));
            for (chunk, (above, here)) in chunks.enumerate() {
                if above == here {
                    continue;
                }
                let steps = Steps::between(above, here);
                let first = chunk * (Steps::MOST / STRIDE);
                for (column, step) in
                    steps.pixels(STRIDE).take(above.len().div_ceil(3 * STRIDE)).enumerate()
                {
                    for (map, threshold) in maps.iter_mut().zip(THRESHOLDS) {
                        map.bits[(first + column) * words + y / 64] |=
                            u64::from(step >= threshold) << (y % 64);
                    }
                }
            }
        }
        maps
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

/// How far pixels are from those before them, for a few pixels side by side: as the sum of the absolute differences of
/// red, green and blue, or 255 where that is more.
///
/// The sum of three neighbouring bytes is worked out at every byte, though it is wanted at every third only: processors
/// do that for many bytes at once.
struct Steps([u8; Steps::BYTES]);

impl Steps {
    /// Pixels that are looked at together.
    const MOST: usize = 96;
    const BYTES: usize = Self::MOST * 3;

    fn between(before: &[u8], here: &[u8]) -> Self {
        let mut apart = [0; Self::BYTES + 2];
        for (apart, (a, b)) in apart.iter_mut().zip(before.iter().zip(here)) {
            *apart = a.abs_diff(*b);
        }
        let mut sums = [0; Self::BYTES];
        for (at, sum) in sums.iter_mut().enumerate() {
            *sum = apart[at].saturating_add(apart[at + 1]).saturating_add(apart[at + 2]);
        }
        Self(sums)
    }

    /// The steps of every `stride`-th pixel.
    fn pixels(&self, stride: usize) -> impl Iterator<Item = u8> {
        self.0.iter().step_by(3 * stride).copied()
    }
}

/// The sum of the absolute differences of red, green and blue.
pub(crate) fn difference(a: &[u8], b: &[u8]) -> u16 {
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
        for (y, line) in (0..200).step_by(STRIDE).zip(EdgeMap::along_rows(&pixels)[0].lines()) {
            for x in 1..131 {
                assert_eq!(is_set(line, x), differs(&pixels, (x - 1, y), (x, y)), "{x}, {y}");
            }
        }
        for (x, line) in (0..131).step_by(STRIDE).zip(EdgeMap::along_columns(&pixels)[0].lines()) {
            for y in 1..200 {
                assert_eq!(is_set(line, y), differs(&pixels, (x, y - 1), (x, y)), "{x}, {y}");
            }
        }
    }

    #[test]
    fn repetition_is_the_share_of_edges_with_another_one_pitch_on() {
        let [map, _] = EdgeMap::along_rows(&noise(300, 90));
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
