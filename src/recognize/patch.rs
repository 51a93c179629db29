//! A cell's picture at a fixed size, so that cells and templates of any size can be compared.

use image::RgbImage;

use super::levels::Levels;

/// Side of a patch.
pub(crate) const SIDE: usize = 16;
const PIXELS: usize = SIDE * SIDE;

/// A picture brought to [`SIDE`] x [`SIDE`] pixels by averaging areas: red, then green, then blue, each
/// less its mean, and the three means.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    fill: [f32; 3],
    ink: Vec<i16>,
}

/// So many rows are compared at once. Their squared differences fit into 32 bits.
const ROWS: usize = 2;
/// Ink is kept in these parts of a grey level.
const INK_SCALE: f32 = 16.0;

impl Patch {
    /// The patch of a whole picture, or of the square in the middle of one that is not square.
    pub(crate) fn of(picture: &RgbImage) -> Self {
        let (width, height) = picture.dimensions();
        let side = width.min(height);
        let sampler = Sampler::new(side as f32, (0.0, 0.0));
        sampler.take(picture, (width - side) / 2, (height - side) / 2)
    }

    /// The mean of a channel.
    pub(crate) fn fill(&self, channel: usize) -> f32 {
        self.fill[channel]
    }

    /// For a channel, the mean product of the ink with that of `other`, and with itself, in squared grey levels.
    pub(crate) fn ink_products(&self, other: &Patch, channel: usize) -> (f32, f32) {
        let part = channel * PIXELS..(channel + 1) * PIXELS;
        let (own, others) = (&self.ink[part.clone()], &other.ink[part]);
        let mean = |a: &[i16], b: &[i16]| {
            let products = a.iter().zip(b).map(|(a, b)| f32::from(*a) * f32::from(*b));
            products.sum::<f32>() / PIXELS as f32 / (INK_SCALE * INK_SCALE)
        };
        (mean(own, others), mean(own, own))
    }

    /// The patch as it looks in a picture of these levels.
    pub(crate) fn seen_in(&self, levels: &Levels) -> Patch {
        let mut sums = [0f32; 3 * PIXELS];
        for (index, (sum, ink)) in sums.iter_mut().zip(&self.ink).enumerate() {
            let channel = index / PIXELS;
            *sum = levels.apply(channel, self.fill[channel] + f32::from(*ink) / INK_SCALE);
        }
        Patch::from_pixels(&sums)
    }

    /// The patch without its finest detail, which scaling, compression and dithering change: each pixel is the mean
    /// of those around it.
    pub(crate) fn softened(&self) -> Patch {
        let mut sums = [0f32; 3 * PIXELS];
        for (index, sum) in sums.iter_mut().enumerate() {
            let (channel, row, col) = (index / PIXELS, index / SIDE % SIDE, index % SIDE);
            let span = |at: usize| at.saturating_sub(1)..=(at + 1).min(SIDE - 1);
            let mut count = 0.0;
            for y in span(row) {
                for x in span(col) {
                    *sum += f32::from(self.ink[channel * PIXELS + y * SIDE + x]);
                    count += 1.0;
                }
            }
            *sum = self.fill[channel] + *sum / count / INK_SCALE;
        }
        Patch::from_pixels(&sums)
    }

    /// The patch with these pixels: all of red, then green, then blue.
    fn from_pixels(pixels: &[f32; 3 * PIXELS]) -> Patch {
        let mut fill = [0f32; 3];
        let mut ink = Vec::with_capacity(3 * PIXELS);
        for (channel, pixels) in pixels.chunks_exact(PIXELS).enumerate() {
            let mean = pixels.iter().sum::<f32>() / PIXELS as f32;
            fill[channel] = mean;
            ink.extend(pixels.iter().map(|value| ((value - mean) * INK_SCALE).round() as i16));
        }
        Patch { fill, ink }
    }

    /// The root of the mean squared ink, in grey levels.
    pub(crate) fn contrast(&self) -> f32 {
        let squares: f32 = self.ink.iter().map(|&ink| f32::from(ink) * f32::from(ink)).sum();
        (squares / self.ink.len() as f32).sqrt() / INK_SCALE
    }

    /// How different two patches look, in grey levels: the root of the mean squared difference of the
    /// ink, and of the fill with a weight of its own.
    pub(crate) fn distance(&self, other: &Patch, fill_weight: f32) -> f32 {
        self.distance_within(other, fill_weight, f32::MAX).unwrap_or(f32::MAX)
    }

    /// The [distance](Self::distance) if it is less than `limit`: most templates are soon known to be farther.
    pub(crate) fn distance_within(
        &self,
        other: &Patch,
        fill_weight: f32,
        limit: f32,
    ) -> Option<f32> {
        const COUNT: f32 = (3 * PIXELS) as f32 * INK_SCALE * INK_SCALE;
        let fill: f32 = self.fill.iter().zip(&other.fill).map(|(a, b)| (a - b) * (a - b)).sum();
        let fill = fill_weight * fill / 3.0;
        let most = ((limit * limit - fill) * COUNT) as i64;
        let mut squares = 0i64;
        for (a, b) in self.ink.chunks_exact(ROWS * SIDE).zip(other.ink.chunks_exact(ROWS * SIDE)) {
            let rows: i32 = a
                .iter()
                .zip(b)
                .map(|(a, b)| {
                    // Ink is small enough for a difference of 16 bits; compilers know to square those.
                    let d = i32::from(a - b);
                    d * d
                })
                .sum();
            squares += i64::from(rows);
            if squares > most {
                return None;
            }
        }
        let distance = (squares as f32 / COUNT + fill).sqrt();
        (distance < limit).then_some(distance)
    }
}

/// Takes patches of one size: the weights of its pixels are worked out once.
pub(crate) struct Sampler {
    across: Taps,
    down: Taps,
    side: f32,
    offset: (f32, f32),
}

impl Sampler {
    /// A sampler for square cells of `side` pixels, whole ones or not, that begin `offset` pixels, from 0 to 1,
    /// after the place they are taken at, to the right and down.
    pub(crate) fn new(side: f32, offset: (f32, f32)) -> Self {
        let taps = |offset| Taps::new(side, offset);
        Self { across: taps(offset.0), down: taps(offset.1), side, offset }
    }

    /// The side of the cells it takes, and how far after their place they begin.
    pub(crate) fn kind(&self) -> (f32, (f32, f32)) {
        (self.side, self.offset)
    }

    /// The patch of the cell whose top left pixel is at (`x`, `y`) of `pixels`.
    ///
    /// # Panics
    /// When the cell reaches beyond the picture.
    pub(crate) fn take(&self, pixels: &RgbImage, x: u32, y: u32) -> Patch {
        let stride = pixels.width() as usize * 3;
        let raw = pixels.as_raw();
        let (x, y) = (x as usize, y as usize);
        assert!((x + self.across.taps.len()) * 3 <= stride, "the cell ends within the picture");
        let mut sums = [0f32; 3 * PIXELS];
        let mut line = [0f32; 3 * SIDE];
        for row in 0..self.down.taps.len() {
            line.fill(0.0);
            let source = &raw[(y + row) * stride + x * 3..][..self.across.taps.len() * 3];
            for (pixel, &(bin, weights)) in source.chunks_exact(3).zip(&self.across.taps) {
                for channel in 0..3 {
                    let value = f32::from(pixel[channel]);
                    line[channel * SIDE + bin] += value * weights[0];
                    // Most pixels of a large cell fall into one bin.
                    if weights[1] > 0.0 {
                        line[channel * SIDE + bin + 1] += value * weights[1];
                    }
                    if weights[2] > 0.0 {
                        line[channel * SIDE + bin + 2] += value * weights[2];
                    }
                }
            }
            let (bin, weights) = self.down.taps[row];
            for channel in 0..3 {
                let line = &line[channel * SIDE..][..SIDE];
                let sums = &mut sums[channel * PIXELS..][..PIXELS];
                for (sums, weight) in sums[bin * SIDE..].chunks_exact_mut(SIDE).zip(weights) {
                    if weight > 0.0 {
                        for (sum, value) in sums.iter_mut().zip(line) {
                            *sum += value * weight;
                        }
                    }
                }
            }
        }
        Patch::from_pixels(&sums)
    }
}

/// For each pixel of a cell: the first bin it falls into, and its share of that bin and of the next
/// two. Cells have at least half as many pixels as a patch, so that no pixel spans more than three bins.
struct Taps {
    taps: Vec<(usize, [f32; 3])>,
}

impl Taps {
    fn new(side: f32, offset: f32) -> Self {
        assert!(side * 2.0 >= SIDE as f32, "a cell has at least {} pixels", SIDE / 2);
        let scale = SIDE as f32 / side;
        let touched = (side + offset).ceil() as usize;
        let taps = (0..touched)
            .map(|pixel| {
                let start = (pixel as f32 - offset).max(0.0) * scale;
                let end = (pixel as f32 + 1.0 - offset).min(side) * scale;
                let bin = (start as usize).min(SIDE - 1);
                let share = |bin: usize| {
                    let covered = end.min((bin + 1) as f32) - start.max(bin as f32);
                    if bin < SIDE { covered.max(0.0) } else { 0.0 }
                };
                (bin, [share(bin), share(bin + 1), share(bin + 2)])
            })
            .collect();
        Self { taps }
    }
}
