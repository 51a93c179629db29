//! A picture of a part of the screen that knows where it comes from.

use image::RgbImage;

use crate::geometry::{Px, Rect};

/// The side of the blocks in which changes are told, in pixels.
const CHANGE_BLOCK: usize = 8;

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

    /// The same pixels as of a place (`dx`, `dy`) pixels away.
    pub fn moved(self, dx: i32, dy: i32) -> Self {
        let origin = Px::new(self.origin.x + dx, self.origin.y + dy);
        Self { origin, ..self }
    }

    /// Brings the part of the frame that shows `part` of the screen up to date, and adds to `changed` the parts of
    /// the screen that look different now. `line` is called for each row of `part`, from top to bottom, and writes
    /// its pixels: red, green, blue.
    ///
    /// # Panics
    /// When `part` reaches beyond the frame.
    pub(crate) fn update(
        &mut self,
        part: Rect,
        changed: &mut Vec<Rect>,
        mut line: impl FnMut(&mut [u8]),
    ) {
        assert!(self.area().encloses(part), "{part} is a part of {}", self.area());
        let (left, width) = ((part.x - self.origin.x) as usize, part.width as usize);
        let stride = 3 * self.pixels.width() as usize;
        let raw: &mut [u8] = &mut self.pixels;
        let mut now = vec![0; 3 * width];
        // Of each block of the band the columns and rows that differ.
        let mut blocks: Vec<Option<Rect>> = vec![None; width.div_ceil(CHANGE_BLOCK)];
        for y in part.y..part.bottom() {
            line(&mut now);
            let start = (y - self.origin.y) as usize * stride + 3 * left;
            let before = &mut raw[start..][..3 * width];
            if *before != *now {
                let pairs = before.chunks_mut(3 * CHANGE_BLOCK).zip(now.chunks(3 * CHANGE_BLOCK));
                for (index, ((before, now), block)) in pairs.zip(&mut blocks).enumerate() {
                    let differ = |(before, now): (&[u8], &[u8])| before != now;
                    let pixels = || before.chunks(3).zip(now.chunks(3));
                    if let (Some(first), Some(last)) =
                        (pixels().position(differ), pixels().rposition(differ))
                    {
                        let x = part.x + (index * CHANGE_BLOCK + first) as i32;
                        let here = Rect::new(x, y, (last + 1 - first) as u32, 1);
                        *block = Some(block.map_or(here, |block| block.around(here)));
                        before.copy_from_slice(now);
                    }
                }
            }
            let ends_band = (y - part.y) % CHANGE_BLOCK as i32 == CHANGE_BLOCK as i32 - 1;
            if ends_band || y == part.bottom() - 1 {
                let runs = blocks.chunk_by(|a, b| a.is_some() == b.is_some());
                changed.extend(
                    runs.filter_map(|run| run.iter().copied().flatten().reduce(Rect::around)),
                );
                blocks.fill(None);
            }
        }
    }

    /// Takes over what `now` shows of the same area, and returns the parts of the screen that look different. Where
    /// `now` shows less, as it does at the edge of a screen, all of it is taken over.
    pub(crate) fn become_like(&mut self, now: &Frame) -> Vec<Rect> {
        if self.area() != now.area() {
            self.clone_from(now);
            return vec![now.area()];
        }
        let mut changed = Vec::new();
        let mut rows = now.pixels.as_raw().chunks_exact(3 * now.pixels.width().max(1) as usize);
        self.update(now.area(), &mut changed, |line| {
            line.copy_from_slice(rows.next().unwrap_or_default());
        });
        changed
    }

    /// The part of the frame that shows `area` of the screen, or `None` when they do not meet.
    pub fn crop(&self, area: Rect) -> Option<Frame> {
        let part = self.area().intersection(area)?;
        let (x, y) = ((part.x - self.origin.x) as u32, (part.y - self.origin.y) as u32);
        let row = |y: u32| {
            let start = (y * self.pixels.width() + x) as usize * 3;
            &self.pixels.as_raw()[start..start + part.width as usize * 3]
        };
        let rows: Vec<&[u8]> = (y..y + part.height).map(row).collect();
        let pixels = RgbImage::from_raw(part.width, part.height, rows.concat())?;
        Some(Frame::new(Px::new(part.x, part.y), pixels))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    #[test]
    fn an_update_tells_every_pixel_that_changed_and_little_else() {
        let mut frame = Frame::new(Px::new(100, 50), RgbImage::new(61, 43));
        let mut now = frame.pixels.clone();
        let places = [(0, 0), (60, 42), (9, 9), (30, 9), (31, 10)];
        for (x, y) in places {
            now.put_pixel(x, y, Rgb([1, 2, 3]));
        }
        let mut changed = Vec::new();
        let mut rows = now.as_raw().chunks_exact(61 * 3);
        frame.update(frame.area(), &mut changed, |line| line.copy_from_slice(rows.next().unwrap()));
        assert_eq!(frame.pixels, now);
        for (x, y) in places {
            let at = Px::new(100 + x as i32, 50 + y as i32);
            assert_eq!(changed.iter().filter(|area| area.contains(at)).count(), 1, "{at}");
        }
        assert_eq!(changed.len(), 4);
        assert_eq!(changed.iter().map(|area| area.width * area.height).sum::<u32>(), 3 + 2 * 2);

        // A part of it, for which only the rows of the part are asked.
        changed.clear();
        frame.update(Rect::new(110, 60, 3, 2), &mut changed, |line| line.fill(9));
        assert_eq!(changed, [Rect::new(110, 60, 3, 2)]);
        assert_eq!(frame.pixels.get_pixel(12, 11), &Rgb([9, 9, 9]));
        assert_eq!(frame.pixels.get_pixel(13, 11), &Rgb([0, 0, 0]));
    }
}
