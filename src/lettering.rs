//! Small text on pictures, in the fixed fonts of `embedded-graphics`.

use std::convert::Infallible;

use embedded_graphics::Drawable;
use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Point, Size};
use embedded_graphics::mono_font::ascii::{
    FONT_4X6, FONT_5X7, FONT_6X10, FONT_7X13, FONT_9X15, FONT_10X20,
};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::{Rgb888, RgbColor};
use embedded_graphics::text::{Baseline, Text};
use image::{Rgb, RgbImage, imageops};
use imageproc::drawing::draw_filled_rect_mut;
use imageproc::rect::Rect as Shape;

/// A font of one size.
#[derive(Clone, Copy, Debug)]
pub struct Font(&'static MonoFont<'static>);

/// Space around a line of a legend, in pixels.
const SPACE: u32 = 4;

/// The fonts, the largest first.
const FONTS: [Font; 6] = [
    Font(&FONT_10X20),
    Font(&FONT_9X15),
    Font(&FONT_7X13),
    Font(&FONT_6X10),
    Font(&FONT_5X7),
    Font(&FONT_4X6),
];

impl Font {
    /// For text beside a picture.
    pub const TEXT: Font = Font(&FONT_7X13);

    /// The largest in which so many characters fit into so many pixels; `None` where they fit in none.
    pub fn fitting(chars: usize, width: u32, height: u32) -> Option<Self> {
        FONTS.into_iter().find(|font| font.width(chars) <= width && font.height() <= height)
    }

    /// How many pixels wide so many characters are.
    pub fn width(self, chars: usize) -> u32 {
        self.0.character_size.width * chars as u32
    }

    /// How many pixels high a line is.
    pub fn height(self) -> u32 {
        self.0.character_size.height
    }

    /// Writes `text` with its top left corner at (`x`, `y`); what lies outside the picture is left out.
    pub fn write(self, picture: &mut RgbImage, text: &str, (x, y): (i32, i32), colour: Rgb<u8>) {
        let [red, green, blue] = colour.0;
        let style = MonoTextStyle::new(self.0, Rgb888::new(red, green, blue));
        let text = Text::with_baseline(text, Point::new(x, y), style, Baseline::Top);
        let Ok(_) = text.draw(&mut Canvas(picture));
    }
}

/// The picture with a white strip below it that says what colours mean, a line each.
pub fn with_legend(picture: &RgbImage, legend: &[(Rgb<u8>, String)]) -> RgbImage {
    let font = Font::TEXT;
    let line = font.height() + SPACE;
    let widest = legend.iter().map(|(_, text)| font.width(text.len())).max().unwrap_or(0);
    let width = picture.width().max(widest + 3 * SPACE + font.height());
    let height = picture.height() + SPACE + line * legend.len() as u32;
    let mut all = RgbImage::from_pixel(width, height, Rgb([255; 3]));
    imageops::replace(&mut all, picture, 0, 0);
    for (nth, (colour, text)) in (0..).zip(legend) {
        let y = (picture.height() + SPACE + line * nth) as i32;
        let swatch = Shape::at(SPACE as i32, y).of_size(font.height(), font.height());
        draw_filled_rect_mut(&mut all, swatch, *colour);
        font.write(&mut all, text, ((2 * SPACE + font.height()) as i32, y), Rgb([0; 3]));
    }
    all
}

/// A picture to draw on.
struct Canvas<'p>(&'p mut RgbImage);

impl OriginDimensions for Canvas<'_> {
    fn size(&self) -> Size {
        Size::new(self.0.width(), self.0.height())
    }
}

impl DrawTarget for Canvas<'_> {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Infallible> {
        for Pixel(Point { x, y }, colour) in pixels {
            let at = u32::try_from(x).ok().zip(u32::try_from(y).ok());
            if let Some(pixel) = at.and_then(|(x, y)| self.0.get_pixel_mut_checked(x, y)) {
                *pixel = Rgb([colour.r(), colour.g(), colour.b()]);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_takes_the_room_that_its_font_says_and_none_outside_the_picture() {
        let (ink, ground) = (Rgb([255, 255, 255]), Rgb([0, 0, 0]));
        let font = Font::fitting(2, 16, 16).unwrap();
        let mut picture = RgbImage::from_pixel(40, 40, ground);
        font.write(&mut picture, "88", (10, 10), ink);
        let inked: Vec<(u32, u32)> = picture
            .enumerate_pixels()
            .filter(|(_, _, pixel)| **pixel == ink)
            .map(|(x, y, _)| (x, y))
            .collect();
        assert!(inked.len() > 20);
        let is_inside = |&(x, y): &(u32, u32)| {
            (10..10 + font.width(2)).contains(&x) && (10..10 + font.height()).contains(&y)
        };
        assert!(inked.iter().all(is_inside));
        font.write(&mut picture, "88", (-8, 36), ink);
        font.write(&mut picture, "88", (1000, -1000), ink);
    }

    #[test]
    fn the_largest_font_that_fits_is_taken() {
        assert!(Font::fitting(2, 7, 6).is_none());
        assert_eq!(Font::fitting(2, 8, 6).unwrap().height(), 6);
        assert_eq!(Font::fitting(2, 200, 200).unwrap().height(), 20);
    }
}
