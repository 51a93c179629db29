//! The least size at which a skin's kinds of cells can be told apart.

use std::sync::Arc;

use image::imageops::{FilterType, resize};

use crate::recognize::Skin;
use crate::recognize::detect::matcher::Matcher;
use crate::recognize::detect::patch::Patch;

/// Smaller cells are not stated to be read: how well they are was never measured.
const LEAST_MEASURED_CELL: u32 = 10;
/// A cell is compared in so many pixels at least, without the gap beside it.
const LEAST_INSIDE: u32 = 8;
/// Cells of so many pixels show everything that is compared.
const LARGE: u32 = 32;

/// The least side of a cell, its share of the gaps included, at which every look of `skin` is still most like what it is
/// when it is drawn so small. Looks that were cut from smaller cells have no say in larger ones.
pub fn least_cell(skin: &Skin) -> u32 {
    let gap = skin.gap_width();
    let side = |picture: &image::RgbImage| picture.width().min(picture.height());
    let largest = skin.templates.iter().map(|template| side(&template.picture)).max();
    let plain = Matcher::new(Arc::new(skin.clone()));
    let is_told = |inside: u32| {
        let small = plain.for_cells(inside);
        let matcher = small.as_ref().unwrap_or(&plain);
        skin.templates.iter().filter(|template| side(&template.picture) >= inside).all(|template| {
            // Another scaler than the reader's own.
            let drawn = resize(&template.picture, inside, inside, FilterType::CatmullRom);
            matcher.compare(&Patch::of(&drawn), template.phase).nearest == template.cell
        })
    };
    let largest = largest.unwrap_or(LEAST_INSIDE).min(LARGE);
    let mut sizes = (LEAST_INSIDE..=largest).rev();
    let too_small = sizes.find(|&inside| !is_told(inside));
    let inside = too_small.map_or(LEAST_INSIDE, |inside| inside + 1);
    LEAST_MEASURED_CELL.max(inside + gap)
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;
    use crate::board::Cell;
    use crate::recognize::Template;

    /// A skin whose 1 and 2 differ by stripes of so many pixels each.
    fn striped(width: u32) -> Skin {
        let template = |cell, picture| Template { cell, phase: None, picture };
        let plain = |grey| RgbImage::from_pixel(32, 32, Rgb([grey; 3]));
        let stripes = |first: u32| {
            let dark = move |x: u32| (x / width) % 2 == first;
            RgbImage::from_fn(32, 32, |x, _| Rgb([if dark(x) { 0 } else { 200 }; 3]))
        };
        let templates = vec![
            template(Cell::Covered, plain(160)),
            template(Cell::open(0), plain(230)),
            template(Cell::open(1), stripes(0)),
            template(Cell::open(2), stripes(1)),
        ];
        Skin { templates, ..Skin::default() }
    }

    #[test]
    fn fine_drawings_need_larger_cells_than_coarse_ones() {
        let (coarse, fine) = (least_cell(&striped(16)), least_cell(&striped(1)));
        assert_eq!(coarse, LEAST_MEASURED_CELL);
        assert!(fine > 16, "{fine}");
    }
}
