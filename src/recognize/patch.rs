//! A cell's picture at a fixed size, so that cells and templates of any size can be compared.

use image::RgbImage;

use super::levels::Levels;

/// Side of a patch.
pub(crate) const SIDE: usize = 16;
const PIXELS: usize = SIDE * SIDE;

/// A picture brought to [`SIDE`] x [`SIDE`] pixels by averaging areas: red, then green, then blue, each
/// column by column and less its mean, and the three means.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    fill: [f32; 3],
    ink: Vec<i16>,
    /// The mean ink of each 4 x 4 pixels.
    coarse: [i16; COARSE],
}

/// How many means of ink there are.
const COARSE: usize = 3 * PIXELS / 16;

/// So many columns are compared at once. Their squared differences fit into 32 bits.
const COLUMNS: usize = 2;
/// Ink is kept in these parts of a grey level.
const INK_SCALE: f32 = 16.0;
/// Pixels of patches are worked out in so many parts of a grey level.
const PARTS: u32 = 256;

/// A grey level in [`PARTS`].
fn in_parts(level: f32) -> u16 {
    (level * PARTS as f32 + 0.5) as u16
}

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
        let mut pixels = [0; 3 * PIXELS];
        for (index, (pixel, ink)) in pixels.iter_mut().zip(&self.ink).enumerate() {
            let channel = index / PIXELS;
            let seen = levels.apply(channel, self.fill[channel] + f32::from(*ink) / INK_SCALE);
            *pixel = in_parts(seen);
        }
        Patch::from_pixels(&pixels)
    }

    /// The patch without its finest detail, which scaling, compression and dithering change: each pixel is the mean
    /// of those around it.
    pub(crate) fn softened(&self) -> Patch {
        let mut pixels = [0; 3 * PIXELS];
        for (index, pixel) in pixels.iter_mut().enumerate() {
            let (channel, col, row) = (index / PIXELS, index / SIDE % SIDE, index % SIDE);
            let span = |at: usize| at.saturating_sub(1)..=(at + 1).min(SIDE - 1);
            let (mut sum, mut count) = (0.0, 0.0);
            for x in span(col) {
                for y in span(row) {
                    sum += f32::from(self.ink[channel * PIXELS + x * SIDE + y]);
                    count += 1.0;
                }
            }
            *pixel = in_parts(self.fill[channel] + sum / count / INK_SCALE);
        }
        Patch::from_pixels(&pixels)
    }

    /// The patch with these pixels: all of red, then green, then blue, in [`PARTS`] of a grey level.
    fn from_pixels(pixels: &[u16; 3 * PIXELS]) -> Patch {
        const INK_PART: i32 = PARTS as i32 / INK_SCALE as i32;
        let mut fill = [0f32; 3];
        let mut ink = vec![0; 3 * PIXELS];
        let mut coarse = [0; COARSE];
        let channels = pixels.chunks_exact(PIXELS).zip(ink.chunks_exact_mut(PIXELS));
        for ((pixels, ink), fill) in channels.zip(&mut fill) {
            let sum: u32 = pixels.iter().copied().map(u32::from).sum();
            *fill = sum as f32 / (PIXELS as u32 * PARTS) as f32;
            let mean = (sum / PIXELS as u32) as i32;
            for (ink, &pixel) in ink.iter_mut().zip(pixels) {
                *ink = ((i32::from(pixel) - mean + INK_PART / 2) >> INK_PART.ilog2()) as i16;
            }
        }
        // Four columns of 16 pixels make four of the means.
        for (columns, means) in ink.chunks_exact(4 * SIDE).zip(coarse.chunks_exact_mut(4)) {
            for (row, mean) in means.iter_mut().enumerate() {
                let part = columns.chunks_exact(SIDE).flat_map(|column| &column[row * 4..][..4]);
                *mean = (part.map(|&ink: &i16| i32::from(ink)).sum::<i32>() / 16) as i16;
            }
        }
        Patch { fill, ink, coarse }
    }

    /// At least this is the sum of the squared differences of the ink, in its parts of a grey level: the means of areas
    /// differ by no more than what they are the means of.
    fn least_squares(&self, other: &Patch) -> i64 {
        let means = self.coarse.chunks_exact(COARSE / 3).zip(other.coarse.chunks_exact(COARSE / 3));
        let squares = means.map(|(a, b)| {
            let squares = a.iter().zip(b).map(|(a, b)| {
                // Both means are rounded.
                let apart = i32::from((a - b).abs().max(2) - 2);
                apart * apart
            });
            i64::from(squares.sum::<i32>())
        });
        16 * squares.sum::<i64>()
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
        if self.least_squares(other) > most {
            return None;
        }
        let mut squares = 0i64;
        for (a, b) in
            self.ink.chunks_exact(COLUMNS * SIDE).zip(other.ink.chunks_exact(COLUMNS * SIDE))
        {
            let part: i32 = a
                .iter()
                .zip(b)
                .map(|(a, b)| {
                    // Ink is small enough for a difference of 16 bits; compilers know to square those.
                    let d = i32::from(a - b);
                    d * d
                })
                .sum();
            squares += i64::from(part);
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
    across: Bins,
    down: Bins,
    side: f32,
    offset: (f32, f32),
}

impl Sampler {
    /// A sampler for square cells of `side` pixels, whole ones or not, that begin `offset` pixels, from 0 to 1,
    /// after the place they are taken at, to the right and down.
    pub(crate) fn new(side: f32, offset: (f32, f32)) -> Self {
        // As much as 16 bits hold: pixels are multiplied with the weights down, and the sums with those across.
        let (across, down) = (u16::MAX, PARTS as u16);
        let across = Bins::new(side, offset.0, across);
        Self { across, down: Bins::new(side, offset.1, down), side, offset }
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
        let width = self.across.touched * 3;
        assert!(x * 3 + width <= stride, "the cell ends within the picture");
        // For each channel of each column of the cell, what its pixels become from top to bottom.
        let mut columns = vec![[0u16; SIDE]; width];
        let mut line = vec![0u16; width];
        for (row, bin) in self.down.bins.iter().enumerate() {
            line.fill(0);
            for (down, &weight) in (y + bin.first..).zip(&bin.weights) {
                let source = &raw[down * stride + x * 3..][..width];
                for (sum, &value) in line.iter_mut().zip(source) {
                    // The weights of a bin add up to 256, so this is never too much.
                    *sum += u16::from(value) * weight;
                }
            }
            for (column, &value) in columns.iter_mut().zip(&line) {
                column[row] = value;
            }
        }
        let mut patch = [0; 3 * PIXELS];
        for (channel, patch) in patch.chunks_exact_mut(PIXELS).enumerate() {
            for (bin, sums) in self.across.bins.iter().zip(patch.chunks_exact_mut(SIDE)) {
                for (pixel, &weight) in (bin.first..).zip(&bin.weights) {
                    for (sum, &value) in sums.iter_mut().zip(&columns[pixel * 3 + channel]) {
                        *sum += ((u32::from(value) * u32::from(weight)) >> 16) as u16;
                    }
                }
            }
        }
        Patch::from_pixels(&patch)
    }
}

/// The [`SIDE`] parts of a cell along one axis that become a pixel of a patch each.
struct Bins {
    bins: Vec<Bin>,
    /// Pixels that the cell has a part of.
    touched: usize,
}

/// The pixels that one pixel of a patch is the mean of.
struct Bin {
    first: usize,
    /// How much each of them counts, from the first on.
    weights: Vec<u16>,
}

impl Bins {
    /// The bins of a cell of `side` pixels that begins `offset` after a whole one; `all` is what their weights add up to.
    fn new(side: f32, offset: f32, all: u16) -> Self {
        assert!(side * 2.0 >= SIDE as f32, "a cell has at least {} pixels", SIDE / 2);
        let scale = side / SIDE as f32;
        let touched = (side + offset).ceil() as usize;
        let bins = (0..SIDE).map(|bin| {
            let (start, end) = (bin as f32 * scale + offset, (bin + 1) as f32 * scale + offset);
            let first = start as usize;
            let last = (end.ceil() as usize).min(touched);
            // Rounded like this they add up, and a sliver at the end counts for nothing.
            let until = |pixel: usize| {
                let share = ((pixel as f32).max(start) - start) / scale;
                if pixel == last { all } else { (share * f32::from(all)).round() as u16 }
            };
            let weights = (first..last).map(|pixel| until(pixel + 1) - until(pixel));
            Bin { first, weights: weights.collect() }
        });
        Self { bins: bins.collect(), touched }
    }
}
