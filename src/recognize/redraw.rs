//! Drawing a template as a desktop draws a window that it scales.
//!
//! Cells of such a window begin and end within pixels of the screen, and each pixel is a mean of what lies around it,
//! weighted by a triangle. (Other scalers sharpen a little; what they do is estimated from the cells, see
//! [`blur`](super::blur).)

use image::{Rgb, RgbImage};

/// The square in the middle of `picture`, drawn with sides of `side` pixels that begin `offset` pixels, from 0 to 1,
/// after the left and upper edges of the picture returned. What is around it has the colour `ground`, or else is as at
/// its edges.
pub(crate) fn redrawn(
    picture: &RgbImage,
    side: f32,
    offset: (f32, f32),
    ground: Option<Rgb<u8>>,
) -> RgbImage {
    let (width, height) = picture.dimensions();
    let own = width.min(height);
    let (left, top) = ((width - own) / 2, (height - own) / 2);
    let all = |offset| Line::all(own, side, offset, ground.is_none());
    let (across, down) = (all(offset.0), all(offset.1));
    let ground = ground.map_or([0.0; 3], |ground| ground.0.map(f32::from));
    let row = |y: u32| -> Vec<[f32; 3]> {
        let pixel = |x: u32| picture.get_pixel(left + x, top + y).0.map(f32::from);
        across.iter().map(|line| line.mean(pixel, ground)).collect()
    };
    let rows: Vec<Vec<[f32; 3]>> = (0..own).map(row).collect();
    RgbImage::from_fn(across.len() as u32, down.len() as u32, |x, y| {
        let mean = down[y as usize].mean(|row| rows[row as usize][x as usize], ground);
        Rgb(mean.map(|value| (value + 0.5) as u8))
    })
}

/// What a line of pixels is drawn from: so many lines from the first one on, and the weight of each.
struct Line {
    first: u32,
    weights: Vec<f32>,
    /// The weight of what is around the picture.
    beyond: f32,
}

impl Line {
    /// All lines of a square of `side` pixels that is drawn from `own` lines, with what is around it or `within` it.
    fn all(own: u32, side: f32, offset: f32, within: bool) -> Vec<Line> {
        let scale = own as f32 / side;
        let reach = scale.max(1.0);
        let line = |number: u32| {
            let centre = (number as f32 + 0.5 - offset) * scale - 0.5;
            let centre = if within { centre.clamp(0.0, (own - 1) as f32) } else { centre };
            let weight = |from: i32| (1.0 - (from as f32 - centre).abs() / reach).max(0.0);
            let (first, last) = ((centre - reach).ceil() as i32, (centre + reach).floor() as i32);
            let inside = |line: &i32| (0..own as i32).contains(line);
            let all: f32 = (first..=last).map(weight).sum();
            let lines = (first..=last).filter(inside);
            let weights: Vec<f32> = lines.clone().map(|line| weight(line) / all).collect();
            let sum: f32 = weights.iter().sum();
            let beyond = if within { 0.0 } else { 1.0 - sum };
            let weights = weights.into_iter().map(|weight| weight / (beyond + sum)).collect();
            Line { first: first.max(0) as u32, weights, beyond }
        };
        (0..(side + offset).ceil() as u32).map(line).collect()
    }

    /// The mean of what these lines have.
    fn mean(&self, value: impl Fn(u32) -> [f32; 3], ground: [f32; 3]) -> [f32; 3] {
        let beyond = ground.map(|value| value * self.beyond);
        let weighted = (self.first..)
            .zip(&self.weights)
            .map(|(line, weight)| value(line).map(|value| value * weight));
        weighted.fold(beyond, |sum, part| std::array::from_fn(|c| sum[c] + part[c]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn at_its_own_size_a_picture_stays_as_it_is() {
        let picture = RgbImage::from_fn(9, 9, |x, y| Rgb([20 * x as u8, 25 * y as u8, 7]));
        assert_eq!(redrawn(&picture, 9.0, (0.0, 0.0), None), picture);
    }

    #[test]
    fn an_edge_half_a_pixel_on_is_half_of_both_sides() {
        let picture = RgbImage::from_fn(8, 8, |x, _| Rgb([if x < 4 { 0 } else { 200 }; 3]));
        let drawn = redrawn(&picture, 8.0, (0.5, 0.0), None);
        let row: Vec<u8> = (0..9).map(|x| drawn.get_pixel(x, 3).0[0]).collect();
        assert_eq!(row, [0, 0, 0, 0, 100, 200, 200, 200, 200]);
    }

    #[test]
    fn what_is_around_a_picture_shows_in_the_pixels_at_its_edge() {
        let picture = RgbImage::from_pixel(8, 8, Rgb([200; 3]));
        let drawn = redrawn(&picture, 8.0, (0.5, 0.0), Some(Rgb([0, 100, 200])));
        let row: Vec<[u8; 3]> = (0..9).map(|x| drawn.get_pixel(x, 3).0).collect();
        assert_eq!((row[0], row[4], row[8]), ([100, 150, 200], [200; 3], [100, 150, 200]));
    }
}
