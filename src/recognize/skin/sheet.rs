//! A contact sheet: every template of some skins in one picture, each below the symbol of what it shows, to look them over.

use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};

use super::{GamePhase, Skin};

/// Templates in a line.
const ACROSS: u32 = 24;
/// Side of a template on the sheet, in pixels.
const SIDE: u32 = 32;
/// Space between templates, in pixels.
const SPACE: u32 = 4;
/// Height of a label above a template, in pixels.
const LABEL: u32 = 18;
/// How many pixels of the sheet a pixel of a sign is wide and high.
const ENLARGED: u32 = 2;
/// Space between skins, in pixels.
const BETWEEN: u32 = 16;
const GROUND: Rgb<u8> = Rgb([40, 44, 52]);
const INK: Rgb<u8> = Rgb([230, 230, 230]);

/// The signs of labels, 5 by 7: a row each from top to bottom, its highest bit left.
const SIGNS: [(char, [u8; 7]); 16] = [
    ('0', [0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110]),
    ('1', [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110]),
    ('2', [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111]),
    ('3', [0b11110, 0b00001, 0b00001, 0b01110, 0b00001, 0b00001, 0b11110]),
    ('4', [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010]),
    ('5', [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110]),
    ('6', [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110]),
    ('7', [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000]),
    ('8', [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110]),
    ('#', [0b01010, 0b01010, 0b11111, 0b01010, 0b11111, 0b01010, 0b01010]),
    ('F', [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b10000]),
    ('?', [0b01110, 0b10001, 0b00001, 0b00010, 0b00100, 0b00000, 0b00100]),
    ('*', [0b00000, 0b10101, 0b01110, 0b11111, 0b01110, 0b10101, 0b00000]),
    ('X', [0b10001, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001, 0b10001]),
    ('!', [0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00000, 0b00100]),
    ('+', [0b00000, 0b00100, 0b00100, 0b11111, 0b00100, 0b00100, 0b00000]),
];

/// Draws the templates of each skin in lines of their own, the skins from top to bottom. Above each is the
/// [symbol](crate::board::Cell::symbol) of what it shows; a `+` says that it does so only when a game is won, a `!` when it is
/// lost.
pub fn contact_sheet(skins: &[&Skin]) -> RgbImage {
    let (step, down) = (SIDE + SPACE, LABEL + SIDE + SPACE);
    let lines = |skin: &Skin| (skin.templates.len() as u32).div_ceil(ACROSS);
    let height: u32 = skins.iter().map(|skin| lines(skin) * down + BETWEEN).sum();
    let mut sheet = RgbImage::from_pixel(ACROSS * step + SPACE, height + SPACE, GROUND);
    let mut top = SPACE;
    for skin in skins {
        for (nth, template) in (0..).zip(&skin.templates) {
            let scaled = imageops::resize(&template.picture, SIDE, SIDE, FilterType::Triangle);
            let (x, y) = (SPACE + nth % ACROSS * step, top + nth / ACROSS * down);
            let phase = match template.phase {
                Some(GamePhase::Won) => Some('+'),
                Some(GamePhase::Lost) => Some('!'),
                None => None,
            };
            for (at, symbol) in
                (0..).zip([Some(template.cell.symbol()), phase].into_iter().flatten())
            {
                write(&mut sheet, symbol, x + at * 6 * ENLARGED, y);
            }
            imageops::replace(&mut sheet, &scaled, i64::from(x), i64::from(y + LABEL));
        }
        top += lines(skin) * down + BETWEEN;
    }
    sheet
}

/// Draws the sign of this symbol, if it has one, with its top left corner there.
fn write(sheet: &mut RgbImage, symbol: char, left: u32, top: u32) {
    let Some((_, rows)) = SIGNS.iter().find(|(sign, _)| *sign == symbol) else { return };
    for (row, bits) in (0..).zip(rows) {
        for col in (0..5).filter(|col| bits & (0b10000 >> col) != 0) {
            for (x, y) in (0..ENLARGED).flat_map(|x| (0..ENLARGED).map(move |y| (x, y))) {
                let at = (left + col * ENLARGED + x, top + row * ENLARGED + y);
                sheet.put_pixel(at.0, at.1, INK);
            }
        }
    }
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

    #[test]
    fn every_kind_of_cell_has_a_sign_of_its_own() {
        let numbers = (0..=8).map(Cell::open);
        let others = [Cell::Covered, Cell::Flagged, Cell::Questioned, Cell::Mine, Cell::Burst];
        let kinds: Vec<Cell> = numbers.chain(others).chain([Cell::WrongFlag]).collect();
        let labels = kinds.iter().map(|&cell| {
            let template = Template { cell, phase: None, picture: RgbImage::new(16, 16) };
            let sheet = contact_sheet(&[&Skin { templates: vec![template], ..Skin::default() }]);
            imageops::crop_imm(&sheet, SPACE, SPACE, SIDE, LABEL).to_image()
        });
        let labels: Vec<RgbImage> = labels.collect();
        for (nth, label) in labels.iter().enumerate() {
            assert!(label.pixels().any(|pixel| *pixel == INK), "{:?}", kinds[nth]);
            assert!(!labels[..nth].contains(label), "{:?}", kinds[nth]);
        }
    }
}
