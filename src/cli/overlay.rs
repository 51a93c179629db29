//! Advice painted over a picture of the board.

use image::{Rgb, RgbImage};

use minescraper::geometry::Rect;
use minescraper::recognize::Lattice;
use minescraper::solver::Advice;

const SAFE: Rgb<u8> = Rgb([0, 200, 0]);
const MINE: Rgb<u8> = Rgb([230, 0, 0]);
const GUESS: Rgb<u8> = Rgb([0, 90, 255]);

/// Washes safe cells green, mines red and the guess blue. The lattice is in pixels of the picture.
pub fn paint(picture: &mut RgbImage, lattice: &Lattice, advice: &Advice) {
    let safe = advice.safe.iter().map(|proof| (proof.pos, SAFE));
    let mined = advice.mined.iter().map(|proof| (proof.pos, MINE));
    let guess = advice.guess.iter().map(|guess| (guess.pos, GUESS));
    for (pos, colour) in safe.chain(mined).chain(guess) {
        wash(picture, lattice.cell(pos), colour);
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
