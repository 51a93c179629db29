//! A small picture of a cell, a thumbnail: enough to say that it is none of a skin's, and much cheaper to come by
//! than a [`Patch`](super::patch::Patch).

use image::RgbImage;

/// Areas of a cell in each direction.
const SIDE: usize = 4;
const AREAS: usize = SIDE * SIDE;
/// Of each area at most about this many pixels are looked at in each direction.
const LOOKED_AT: usize = 4;

/// The mean colours of the areas of a cell, less the mean of all, and that mean.
#[derive(Clone, Debug)]
pub(crate) struct Thumbnail {
    fill: [f32; 3],
    residual: [[f32; AREAS]; 3],
}

impl Thumbnail {
    /// The thumbnail of a whole picture, or of the square in the middle of one that is not square.
    pub(crate) fn of(picture: &RgbImage) -> Self {
        let (width, height) = picture.dimensions();
        let side = width.min(height);
        Self::stepping(picture, (width - side) / 2, (height - side) / 2, side, 1)
    }

    /// That of the square of `side` pixels, at least 4, whose top left pixel is at (`x`, `y`).
    ///
    /// # Panics
    /// When the square reaches beyond the picture.
    pub(crate) fn at(pixels: &RgbImage, x: u32, y: u32, side: u32) -> Self {
        let step = (side as usize / (SIDE * LOOKED_AT)).max(1);
        Self::stepping(pixels, x, y, side, step)
    }

    /// That of every `step`th pixel.
    fn stepping(pixels: &RgbImage, x: u32, y: u32, side: u32, step: usize) -> Self {
        let (x, y, side) = (x as usize, y as usize, side as usize);
        let (raw, stride) = (pixels.as_raw(), pixels.width() as usize * 3);
        let bounds = |area: usize| area * side / SIDE..(area + 1) * side / SIDE;
        let mut thumbnail = Self { fill: [0.0; 3], residual: [[0.0; AREAS]; 3] };
        for down in 0..SIDE {
            for across in 0..SIDE {
                let (columns, mut sums, mut count) = (bounds(across), [0u32; 3], 0u32);
                for (number, row) in bounds(down).step_by(step).enumerate() {
                    let line = &raw[(y + row) * stride..][..stride];
                    // Not the same columns in each row: in a dithered picture every other pixel is alike.
                    let first = x + columns.start + number % step;
                    let line = &line[first * 3..(x + columns.end) * 3];
                    for pixel in line.chunks_exact(3).step_by(step) {
                        sums[0] += u32::from(pixel[0]);
                        sums[1] += u32::from(pixel[1]);
                        sums[2] += u32::from(pixel[2]);
                        count += 1;
                    }
                }
                for (residual, sum) in thumbnail.residual.iter_mut().zip(sums) {
                    residual[down * SIDE + across] = sum as f32 / count as f32;
                }
            }
        }
        for (fill, residual) in thumbnail.fill.iter_mut().zip(&mut thumbnail.residual) {
            *fill = residual.iter().sum::<f32>() / AREAS as f32;
            residual.iter_mut().for_each(|residual| *residual -= *fill);
        }
        thumbnail
    }

    /// How different two cells look by their thumbnails, in grey levels. Patches of them hardly differ less.
    pub(crate) fn distance(&self, other: &Self, fill_weight: f32) -> f32 {
        let (mut residual, mut fill) = ([0f32; AREAS], 0f32);
        for channel in 0..3 {
            for (sum, (a, b)) in
                residual.iter_mut().zip(self.residual[channel].iter().zip(&other.residual[channel]))
            {
                *sum += (a - b) * (a - b);
            }
            fill += (self.fill[channel] - other.fill[channel]).powi(2);
        }
        ((residual.iter().sum::<f32>() / AREAS as f32 + fill_weight * fill) / 3.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn dithered_cells_look_nearly_the_same_a_pixel_aside() {
        let dithered = RgbImage::from_fn(60, 60, |x, y| Rgb([128 + 127 * ((x + y) % 2) as u8; 3]));
        for side in [16, 24, 32, 33, 47, 50] {
            let (here, aside) =
                (Thumbnail::at(&dithered, 4, 4, side), Thumbnail::at(&dithered, 5, 4, side));
            let distance = here.distance(&aside, 1.0);
            // Every other pixel differs by 254.
            assert!(distance < 20.0, "{distance} grey levels for cells of {side} pixels");
        }
    }
}
