//! A contact sheet: every template of some skins in one picture, each below the symbol of what it shows, to look them over.

use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};

use super::{GamePhase, Skin};
use crate::lettering::Font;

/// Templates in a line.
const ACROSS: u32 = 24;
/// Side of a template on the sheet, in pixels.
const SIDE: u32 = 32;
/// Space between templates, in pixels.
const SPACE: u32 = 4;
/// Height of a label above a template, in pixels.
const LABEL: u32 = 18;
/// Space between skins, in pixels.
const BETWEEN: u32 = 16;
const GROUND: Rgb<u8> = Rgb([40, 44, 52]);
const INK: Rgb<u8> = Rgb([230, 230, 230]);

/// What the labels mean.
const LEGEND: [&str; 2] = [
    "0 to 8 a number, # covered, F a flag, ? a question mark, * a mine, X the mine that went off, ! a wrong flag;",
    "with + behind it: as it looks when the game is won, with ! when it is lost",
];

/// Draws what the labels mean, and the templates of each skin in lines of their own below its name, the skins from top to bottom.
/// Above each is the [symbol](crate::board::Cell::symbol) of what it shows; a `+` says that it does so only when a game is won, a
/// `!` when it is lost.
pub fn contact_sheet(skins: &[&Skin]) -> RgbImage {
    let (step, down) = (SIDE + SPACE, LABEL + SIDE + SPACE);
    let lines = |skin: &Skin| (skin.templates.len() as u32).div_ceil(ACROSS);
    let height: u32 = skins.iter().map(|skin| LABEL + lines(skin) * down + BETWEEN).sum();
    let top = SPACE + LEGEND.len() as u32 * LABEL + BETWEEN;
    let mut sheet = RgbImage::from_pixel(ACROSS * step + SPACE, top + height, GROUND);
    let write = |sheet: &mut RgbImage, text: &str, x: u32, y: u32| {
        Font::TEXT.write(sheet, text, (x as i32, y as i32), INK);
    };
    for (nth, line) in (0..).zip(LEGEND) {
        write(&mut sheet, line, SPACE, SPACE + nth * LABEL);
    }
    let mut top = top;
    for skin in skins {
        write(&mut sheet, &skin.name, SPACE, top);
        top += LABEL;
        for (nth, template) in (0..).zip(&skin.templates) {
            let scaled = imageops::resize(&template.picture, SIDE, SIDE, FilterType::Triangle);
            let (x, y) = (SPACE + nth % ACROSS * step, top + nth / ACROSS * down);
            let phase = match template.phase {
                Some(GamePhase::Won) => "+",
                Some(GamePhase::Lost) => "!",
                None => "",
            };
            write(&mut sheet, &format!("{}{phase}", template.cell.symbol()), x, y);
            imageops::replace(&mut sheet, &scaled, i64::from(x), i64::from(y + LABEL));
        }
        top += lines(skin) * down + BETWEEN;
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

    fn kinds() -> Vec<Cell> {
        let numbers = (0..=8).map(Cell::open);
        let others = [Cell::Covered, Cell::Flagged, Cell::Questioned, Cell::Mine, Cell::Burst];
        numbers.chain(others).chain([Cell::WrongFlag]).collect()
    }

    #[test]
    fn the_legend_fits_onto_the_sheet_and_tells_every_sign() {
        let width = contact_sheet(&[]).width();
        for line in LEGEND {
            assert!(SPACE + Font::TEXT.width(line.len()) <= width, "{line}");
        }
        for kind in kinds().into_iter().filter(|kind| kind.number().is_none()) {
            let sign = format!(" {} ", kind.symbol());
            assert!(LEGEND.iter().any(|line| format!(" {line}").contains(&sign)), "{kind:?}");
        }
    }

    #[test]
    fn every_kind_of_cell_has_a_sign_of_its_own() {
        let kinds = kinds();
        let labels = kinds.iter().map(|&cell| {
            let template = Template { cell, phase: None, picture: RgbImage::new(16, 16) };
            let sheet = contact_sheet(&[&Skin { templates: vec![template], ..Skin::default() }]);
            // Of a skin without a name, below the line for it.
            let top = sheet.height() - BETWEEN - SPACE - SIDE - LABEL;
            imageops::crop_imm(&sheet, SPACE, top, SIDE, LABEL).to_image()
        });
        let labels: Vec<RgbImage> = labels.collect();
        for (nth, label) in labels.iter().enumerate() {
            assert!(label.pixels().any(|pixel| *pixel == INK), "{:?}", kinds[nth]);
            assert!(!labels[..nth].contains(label), "{:?}", kinds[nth]);
        }
    }
}
