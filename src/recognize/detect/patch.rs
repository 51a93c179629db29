//! A cell's picture at a fixed size, so that cells and templates of any size can be compared.

use image::RgbImage;

/// Side of a patch.
pub(crate) const SIDE: usize = 16;
const PIXELS: usize = SIDE * SIDE;

/// A picture brought to [`SIDE`] x [`SIDE`] pixels by averaging areas: red, then green, then blue, each
/// less its mean, and the three means.
#[derive(Clone, Debug)]
pub(crate) struct Patch {
    fill: [f32; 3],
    residual: [i16; 3 * PIXELS],
    /// The sums of the residual of blocks of [`BLOCK`] x [`BLOCK`] pixels.
    blocks: [f32; 3 * PIXELS / (BLOCK * BLOCK)],
}

/// The side of a block, of which a look is told apart before pixels are compared.
const BLOCK: usize = 4;

/// So many rows are compared at once. Their squared differences fit into 32 bits.
const ROWS: usize = 2;
/// Ink is kept in these parts of a grey level.
const RESIDUAL_SCALE: f32 = 16.0;
/// No pixel differs more from the mean.
const MOST_RESIDUAL: f32 = 255.0 * RESIDUAL_SCALE;
/// By this the squared differences of the residual are divided for their mean, in squared grey levels.
const COUNT: f32 = (3 * PIXELS) as f32 * RESIDUAL_SCALE * RESIDUAL_SCALE;

impl Patch {
    /// The patch of a whole picture, or of the square in the middle of one that is not square.
    pub(crate) fn of(picture: &RgbImage) -> Self {
        let (width, height) = picture.dimensions();
        let side = width.min(height);
        Sampler::new(side).take(picture, (width - side) / 2, (height - side) / 2)
    }

    /// The patch with these pixels: all of red, then green, then blue.
    fn from_pixels(pixels: &[f32; 3 * PIXELS]) -> Patch {
        let mut fill = [0f32; 3];
        let mut residual = [0; 3 * PIXELS];
        let channels = pixels.chunks_exact(PIXELS).zip(residual.chunks_exact_mut(PIXELS));
        for (channel, (pixels, residual)) in channels.enumerate() {
            let mean = pixels.iter().sum::<f32>() / PIXELS as f32;
            fill[channel] = mean;
            for (residual, value) in residual.iter_mut().zip(pixels) {
                // To the nearest; `round` would be a call for each.
                let scaled = ((value - mean) * RESIDUAL_SCALE).clamp(-MOST_RESIDUAL, MOST_RESIDUAL);
                *residual = (scaled + 0.5f32.copysign(scaled)) as i16;
            }
        }
        let mut blocks = [0f32; 3 * PIXELS / (BLOCK * BLOCK)];
        for (line, row) in residual.chunks_exact(SIDE).enumerate() {
            let blocks = &mut blocks[line / BLOCK * (SIDE / BLOCK)..][..SIDE / BLOCK];
            for (sum, pixels) in blocks.iter_mut().zip(row.chunks_exact(BLOCK)) {
                *sum += f32::from(pixels.iter().sum::<i16>());
            }
        }
        Patch { fill, residual, blocks }
    }

    /// The root of the mean squared residual, in grey levels.
    pub(crate) fn contrast(&self) -> f32 {
        let squares: f32 =
            self.residual.iter().map(|&residual| f32::from(residual) * f32::from(residual)).sum();
        (squares / self.residual.len() as f32).sqrt() / RESIDUAL_SCALE
    }

    /// How different two patches look, in grey levels: the root of the mean squared difference of the
    /// residual, and of the fill with a weight of its own.
    pub(crate) fn distance(&self, other: &Patch, fill_weight: f32) -> f32 {
        self.distance_within(other, fill_weight, f32::MAX).unwrap_or(f32::MAX)
    }

    /// What the squared differences of the residual sum up to at least: by the inequality of Cauchy and Schwarz, pixels
    /// differ by no less than their sums do.
    fn least_squares(&self, other: &Patch) -> f32 {
        // Eight sums side by side, which processors add at once.
        let mut sums = [0f32; 8];
        for (a, b) in self.blocks.as_chunks::<8>().0.iter().zip(other.blocks.as_chunks::<8>().0) {
            for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                *sum += (a - b) * (a - b);
            }
        }
        sums.iter().sum::<f32>() / (BLOCK * BLOCK) as f32
    }

    /// The part of the squared [distance](Self::distance) that is the fill's.
    fn fill_apart(&self, other: &Patch, fill_weight: f32) -> f32 {
        let fill: f32 = self.fill.iter().zip(&other.fill).map(|(a, b)| (a - b) * (a - b)).sum();
        fill_weight * fill / 3.0
    }

    /// The [distance](Self::distance) if it is less than `limit`: most templates are soon known to be farther.
    pub(crate) fn distance_within(
        &self,
        other: &Patch,
        fill_weight: f32,
        limit: f32,
    ) -> Option<f32> {
        let fill = self.fill_apart(other, fill_weight);
        let most = (limit * limit - fill) * COUNT;
        // Rounding must not rule out what is just near enough.
        if self.least_squares(other) > 1.001 * most {
            return None;
        }
        let most = most as i64;
        let mut squares = 0i64;
        for (a, b) in
            self.residual.chunks_exact(ROWS * SIDE).zip(other.residual.chunks_exact(ROWS * SIDE))
        {
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
#[derive(Clone, Debug)]
pub(crate) struct Sampler {
    taps: Taps,
    side: u32,
}

impl Sampler {
    /// A sampler for square cells of `side` pixels.
    pub(crate) fn new(side: u32) -> Self {
        Self { taps: Taps::new(side), side }
    }

    /// The side of the cells it takes, in pixels.
    pub(crate) fn side(&self) -> u32 {
        self.side
    }

    /// The patch of the cell whose top left pixel is at (`x`, `y`) of `pixels`.
    ///
    /// # Panics
    /// When the cell reaches beyond the picture.
    pub(crate) fn take(&self, pixels: &RgbImage, x: u32, y: u32) -> Patch {
        let stride = pixels.width() as usize * 3;
        let raw = pixels.as_raw();
        let (x, y) = (x as usize, y as usize);
        assert!((x + self.taps.taps.len()) * 3 <= stride, "the cell ends within the picture");
        let mut sums = [0f32; 3 * PIXELS];
        let mut line = [0f32; 3 * SIDE];
        for row in 0..self.taps.taps.len() {
            line.fill(0.0);
            let source = &raw[(y + row) * stride + x * 3..][..self.taps.taps.len() * 3];
            for (pixel, &(bin, weights)) in source.chunks_exact(3).zip(&self.taps.taps) {
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
            let (bin, weights) = self.taps.taps[row];
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
#[derive(Clone, Debug)]
struct Taps {
    taps: Vec<(usize, [f32; 3])>,
}

impl Taps {
    fn new(side: u32) -> Self {
        assert!(side as usize * 2 >= SIDE, "a cell has at least {} pixels", SIDE / 2);
        let scale = SIDE as f32 / side as f32;
        let taps = (0..side)
            .map(|pixel| {
                let (start, end) = (pixel as f32 * scale, (pixel + 1) as f32 * scale);
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
