//! A contact sheet: every template of some skins in one picture, to look them over.

use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};

use super::Skin;

/// Templates in a line.
const ACROSS: u32 = 24;
/// Side of a template on the sheet, in pixels.
const SIDE: u32 = 32;
/// Space between templates, in pixels.
const SPACE: u32 = 4;
/// Space between skins, in pixels.
const BETWEEN: u32 = 16;
const GROUND: Rgb<u8> = Rgb([40, 44, 52]);

/// Draws the templates of each skin in lines of their own, the skins from top to bottom.
pub fn contact_sheet(skins: &[&Skin]) -> RgbImage {
    let step = SIDE + SPACE;
    let lines = |skin: &Skin| (skin.templates.len() as u32).div_ceil(ACROSS);
    let height: u32 = skins.iter().map(|skin| lines(skin) * step + BETWEEN).sum();
    let mut sheet = RgbImage::from_pixel(ACROSS * step + SPACE, height + SPACE, GROUND);
    let mut top = SPACE;
    for skin in skins {
        for (nth, template) in (0..).zip(&skin.templates) {
            let scaled = imageops::resize(&template.picture, SIDE, SIDE, FilterType::Triangle);
            let (x, y) = (SPACE + nth % ACROSS * step, top + nth / ACROSS * step);
            imageops::replace(&mut sheet, &scaled, i64::from(x), i64::from(y));
        }
        top += lines(skin) * step + BETWEEN;
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Cell;
    use crate::recognize::Template;

    #[test]
    fn every_template_is_on_the_sheet() {
        let skin = |count: u8| {
            let template = |grey: u8| Template {
                cell: Cell::Covered,
                phase: None,
                picture: RgbImage::from_pixel(16, 16, Rgb([100 + grey; 3])),
            };
            Skin { templates: (0..count).map(template).collect(), ..Skin::default() }
        };
        let (small, large) = (skin(3), skin(60));
        let sheet = contact_sheet(&[&small, &large]);
        let shown =
            |grey: u8| sheet.pixels().filter(|pixel| pixel.0 == [100 + grey; 3]).count() as u32;
        assert_eq!(shown(2), 2 * SIDE * SIDE);
        assert_eq!(shown(59), SIDE * SIDE);
    }
}
