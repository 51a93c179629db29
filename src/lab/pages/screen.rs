//! What the screen showed, step by step: each picture is kept as what has changed since the one before.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, RgbImage, Rgba, RgbaImage, imageops};
use serde::Serialize;

use crate::geometry::Rect;

/// Pictures that are drawn one over the other.
#[derive(Serialize, Default)]
pub(super) struct Screen {
    /// How large the largest of them is.
    width: u32,
    height: u32,
    changes: Vec<Change>,
    #[serde(skip)]
    last: RgbImage,
}

/// A part of a picture; where it is as the one before, it is transparent.
#[derive(Serialize)]
struct Change {
    x: i32,
    y: i32,
    /// A PNG in the alphabet of base 64 that has no slash in it (RFC 4648, section 5).
    png: String,
}

impl Screen {
    /// Adds a picture, unless it is as the last one. Returns its number, from 0.
    pub(super) fn add(&mut self, picture: RgbImage) -> Option<usize> {
        if self.changes.is_empty() || self.last != picture {
            let is_first = self.last.dimensions() != picture.dimensions();
            let part = if is_first { whole(&picture) } else { changed(&self.last, &picture) };
            let mut change = RgbaImage::new(part.width, part.height);
            for (x, y, pixel) in change.enumerate_pixels_mut() {
                let (x, y) = (x + part.x as u32, y + part.y as u32);
                let now = *picture.get_pixel(x, y);
                if is_first || *self.last.get_pixel(x, y) != now {
                    *pixel = Rgba([now[0], now[1], now[2], u8::MAX]);
                }
            }
            self.changes.push(Change { x: part.x, y: part.y, png: encoded(&change)? });
            self.width = self.width.max(picture.width());
            self.height = self.height.max(picture.height());
            self.last = picture;
        }
        Some(self.changes.len() - 1)
    }
}

fn encoded(picture: &RgbaImage) -> Option<String> {
    let mut png = Vec::new();
    let encoder =
        PngEncoder::new_with_quality(&mut png, CompressionType::Best, FilterType::Adaptive);
    let (width, height) = picture.dimensions();
    // Nothing but a lack of memory keeps a picture from being written into it.
    encoder.write_image(picture, width, height, ExtendedColorType::Rgba8).ok()?;
    Some(URL_SAFE.encode(png))
}

pub(super) fn whole(picture: &RgbImage) -> Rect {
    Rect::new(0, 0, picture.width(), picture.height())
}

pub(super) fn cropped(picture: &RgbImage, part: Rect) -> RgbImage {
    imageops::crop_imm(picture, part.x as u32, part.y as u32, part.width, part.height).to_image()
}

/// The part of two pictures of one size in which they differ; one pixel where they do not.
pub(super) fn changed(before: &RgbImage, now: &RgbImage) -> Rect {
    let pixels = before.enumerate_pixels().zip(now.pixels());
    let differ = pixels.filter(|((_, _, before), now)| before != now).map(|((x, y, _), _)| (x, y));
    let bounds = differ.fold(None, |bounds, (x, y)| match bounds {
        None => Some((x, y, x, y)),
        Some((left, top, right, bottom)) => {
            Some((x.min(left), y.min(top), x.max(right), y.max(bottom)))
        }
    });
    let (left, top, right, bottom) = bounds.unwrap_or_default();
    Rect::new(left as i32, top as i32, right - left + 1, bottom - top + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_is_all_that_differs_and_no_more() {
        let before = RgbImage::new(8, 6);
        let mut now = before.clone();
        for (x, y) in [(2, 4), (5, 1), (3, 3)] {
            now.put_pixel(x, y, image::Rgb([9, 0, 0]));
        }
        assert_eq!(changed(&before, &now), Rect::new(2, 1, 4, 4));
    }
}
