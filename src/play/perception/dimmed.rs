//! A window that waits for a dialog of its own.
//!
//! GNOME draws such a window darker, all of it, and no other one (KDE has an effect that does so, untried). So where a desktop names no windows, the picture says
//! that what lies over the board is a dialog of the game, and which cells are still in sight beside it.

use image::RgbImage;

use crate::capture::Frame;
use crate::geometry::Rect;

/// So many levels apart may be what has become of one level: each is rounded to a whole one.
const ROUNDING: u8 = 2;

/// Whether `area` shows now what it did before, but darker: what had one level has one now, and what was lighter is lighter. An area
/// of one colour says nothing.
pub(super) fn is_darkened(before: &Frame, now: &Frame, area: Rect) -> bool {
    let (Some(before), Some(now)) = (before.crop(area), now.crop(area)) else { return false };
    (0..3).all(|channel| is_channel_darkened(&before.pixels, &now.pixels, channel))
}

fn is_channel_darkened(before: &RgbImage, now: &RgbImage, channel: usize) -> bool {
    let mut became: [Option<(u8, u8)>; 256] = [None; 256];
    for (before, now) in before.pixels().zip(now.pixels()) {
        let now = now[channel];
        let (least, most) = became[usize::from(before[channel])].get_or_insert((now, now));
        (*least, *most) = (now.min(*least), now.max(*most));
    }
    let mut levels = became.iter().enumerate().filter_map(|(before, now)| Some((before, (*now)?)));
    let Some((darkest, (first, mut last))) = levels.next() else { return false };
    let mut is_one = last - first <= ROUNDING && first as usize <= darkest;
    let mut lightest = (darkest, last);
    for (before, (least, most)) in levels {
        is_one &= most - least <= ROUNDING && last <= least.saturating_add(ROUNDING);
        last = most.max(last);
        lightest = (before, most);
    }
    // The lightest has become darker, and there still is more than one level.
    is_one && usize::from(lightest.1) < lightest.0 && last - first > 2 * ROUNDING
}

/// Whether the edge of the picture, which is beyond the window of the game on some side, still shows something that has become no
/// darker there. A desktop that asks something itself darkens everything.
pub(super) fn is_edge_as_light(before: &Frame, now: &Frame) -> bool {
    let (width, height) = now.pixels.dimensions();
    let is_edge = |x: u32, y: u32| x == 0 || y == 0 || x + 1 == width || y + 1 == height;
    before.area() == now.area()
        && now.pixels.enumerate_pixels().any(|(x, y, pixel)| {
            // Black gets no darker.
            is_edge(x, y)
                && pixel.0.iter().any(|&level| level > 4 * ROUNDING)
                && before.pixels.get_pixel(x, y) == pixel
        })
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;
    use crate::geometry::Px;

    const CELL: Rect = Rect::new(4, 4, 16, 16);

    /// A frame with a light cell on a middle ground, and a sign in it; each level goes through `light`.
    fn frame(light: impl Fn(u32, u32, u8) -> u8) -> Frame {
        let level = |x: u32, y: u32| match (x, y) {
            (10..14, 8..16) => 40,
            (6..18, 6..18) => 230,
            _ => 180,
        };
        let pixels = RgbImage::from_fn(24, 24, |x, y| Rgb([light(x, y, level(x, y)); 3]));
        Frame::new(Px::new(0, 0), pixels)
    }

    fn dims(level: u8) -> u8 {
        (f64::from(level) * 0.7).round() as u8
    }

    #[test]
    fn a_cell_of_a_darkened_window_is_in_sight_and_one_under_a_dialog_is_not() {
        let before = frame(|_, _, level| level);
        let darkened =
            |light: &dyn Fn(u32, u32, u8) -> u8| is_darkened(&before, &frame(light), CELL);
        assert!(darkened(&|_, _, level| dims(level)));
        assert!(!darkened(&|_, _, level| level), "as light as before");
        assert!(!darkened(&|_, _, level| level.saturating_add(20)), "lighter");
        assert!(!darkened(&|_, _, _| 120), "a plain window in front");
        assert!(
            !darkened(&|x, _, level| if x < 12 { dims(level) } else { 120 }),
            "a part in front"
        );
        assert!(!darkened(&|_, _, level| 255 - level), "another sign");
    }

    #[test]
    fn a_desktop_that_darkens_everything_asks_for_itself() {
        let before = frame(|_, _, level| level);
        let window = |x: u32, y: u32| (2..22).contains(&x) && (2..22).contains(&y);
        let around = frame(|x, y, level| if window(x, y) { dims(level) } else { level });
        assert!(is_edge_as_light(&before, &around));
        assert!(!is_edge_as_light(&before, &frame(|_, _, level| dims(level))));
    }
}
