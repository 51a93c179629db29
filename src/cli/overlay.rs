//! Advice painted over a picture of the board.

use image::{Rgb, RgbImage};

use minescraper::board::Board;
use minescraper::geometry::Rect;
use minescraper::recognize::Lattice;
use minescraper::solver::Advice;

const SAFE_COLOUR: Rgb<u8> = Rgb([0, 200, 0]);
const MINE_COLOUR: Rgb<u8> = Rgb([230, 0, 0]);
const GUESS: Rgb<u8> = Rgb([0, 90, 255]);

/// Washes safe cells green, mines red and the guess blue, and every other cell that has odds between white and
/// red. The lattice is in pixels of the picture.
pub fn paint(picture: &mut RgbImage, lattice: &Lattice, board: &Board, advice: &Advice) {
    let safe = advice.safe.iter().map(|proof| (proof.pos, SAFE_COLOUR));
    let mined = advice.mined.iter().map(|proof| (proof.pos, MINE_COLOUR));
    let guess = advice.guess.iter().map(|guess| (guess.pos, GUESS));
    let told: Vec<_> = safe.chain(mined).chain(guess).collect();
    for &(pos, colour) in &told {
        wash(picture, lattice.cell(pos), colour);
    }
    let odds = advice.odds.iter().flat_map(|odds| board.positions().zip(&odds.cells));
    let odds = odds.filter_map(|(pos, chance)| Some((pos, (*chance)?)));
    for (pos, chance) in odds.filter(|(pos, _)| told.iter().all(|(known, _)| known != pos)) {
        let pale = (255.0 * (1.0 - chance)) as u8;
        wash(picture, lattice.cell(pos), Rgb([255, pale, pale]));
    }
}

/// Mixes the colour half and half into the part of `area` that is in the picture.
fn wash(picture: &mut RgbImage, area: Rect, colour: Rgb<u8>) {
    let whole = Rect::new(0, 0, picture.width(), picture.height());
    let Some(area) = whole.intersection(area) else {
        return;
    };
    for y in area.y..area.bottom() {
        for x in area.x..area.right() {
            let pixel = picture.get_pixel_mut(x as u32, y as u32);
            for (channel, wash) in pixel.0.iter_mut().zip(colour.0) {
                *channel = channel.midpoint(wash);
            }
        }
    }
}
