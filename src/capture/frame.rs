//! A picture of a part of the screen that knows where it comes from.

use image::RgbImage;

use crate::geometry::{Px, Rect};

/// Pixels, and where on the screen they come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Where the top left pixel is on the screen.
    pub origin: Px,
    /// The picture, without transparency.
    pub pixels: RgbImage,
}

impl Frame {
    /// A frame of `pixels` whose top left is at `origin`.
    pub fn new(origin: Px, pixels: RgbImage) -> Self {
        Self { origin, pixels }
    }

    /// The part of the screen that the frame shows.
    pub fn area(&self) -> Rect {
        Rect::new(self.origin.x, self.origin.y, self.pixels.width(), self.pixels.height())
    }

    /// The part of the frame that shows `area` of the screen, or `None` when they do not meet.
    pub fn crop(&self, area: Rect) -> Option<Frame> {
        let part = self.area().intersection(area)?;
        let (x, y) = ((part.x - self.origin.x) as u32, (part.y - self.origin.y) as u32);
        let view = image::imageops::crop_imm(&self.pixels, x, y, part.width, part.height);
        Some(Frame::new(Px::new(part.x, part.y), view.to_image()))
    }
}
