//! A skin that tests can paint with and read by: drawn here, no files.

use image::{Rgb, RgbImage};

use minescraper::board::Cell;
use minescraper::recognize::Skin;
use minescraper::recognize::skin::{GameBehaviour, Template};

/// The side of a template.
pub const SIDE: u32 = 16;

const FACE: Rgb<u8> = Rgb([192, 192, 192]);
const LIGHT: Rgb<u8> = Rgb([255, 255, 255]);
const SHADE: Rgb<u8> = Rgb([128, 128, 128]);
const BLACK: Rgb<u8> = Rgb([0, 0, 0]);
const RED: Rgb<u8> = Rgb([230, 20, 20]);

/// Digits 1 to 8 and the question mark, five rows of three dots.
const GLYPHS: [([&str; 5], Rgb<u8>); 9] = [
    ([".#.", "##.", ".#.", ".#.", "###"], Rgb([0, 0, 255])),
    (["##.", "..#", ".#.", "#..", "###"], Rgb([0, 128, 0])),
    (["###", "..#", ".##", "..#", "###"], Rgb([255, 0, 0])),
    (["#.#", "#.#", "###", "..#", "..#"], Rgb([0, 0, 128])),
    (["###", "#..", "##.", "..#", "##."], Rgb([128, 0, 0])),
    ([".##", "#..", "###", "#.#", "###"], Rgb([0, 128, 128])),
    (["###", "..#", ".#.", ".#.", ".#."], Rgb([0, 0, 0])),
    (["###", "#.#", "###", "#.#", "###"], Rgb([96, 96, 96])),
    (["###", "..#", ".#.", "...", ".#."], Rgb([0, 0, 0])),
];

/// A skin with every kind of cell, for a game that is played like `game`.
pub fn skin(game: GameBehaviour) -> Skin {
    let mut templates = vec![
        (Cell::Covered, covered()),
        (Cell::Flagged, flag(covered())),
        (Cell::Questioned, glyph(covered(), 8)),
        (Cell::Mine, mine(open())),
        (Cell::Burst, mine(filled(RED))),
        (Cell::WrongFlag, crossed(mine(open()))),
        (Cell::open(0), open()),
    ];
    templates.extend((1..=8).map(|n| (Cell::open(n), glyph(open(), usize::from(n) - 1))));
    Skin {
        name: "test".to_owned(),
        templates: templates
            .into_iter()
            .map(|(cell, picture)| Template { cell, phase: None, picture })
            .collect(),
        game,
        ..Skin::default()
    }
}

fn filled(colour: Rgb<u8>) -> RgbImage {
    RgbImage::from_pixel(SIDE, SIDE, colour)
}

fn open() -> RgbImage {
    let mut picture = filled(FACE);
    for n in 0..SIDE {
        picture.put_pixel(n, 0, SHADE);
        picture.put_pixel(0, n, SHADE);
    }
    picture
}

fn covered() -> RgbImage {
    let mut picture = filled(FACE);
    for edge in 0..2 {
        for n in edge..SIDE - edge {
            picture.put_pixel(n, SIDE - 1 - edge, SHADE);
            picture.put_pixel(SIDE - 1 - edge, n, SHADE);
        }
        for n in edge..SIDE - edge - 1 {
            picture.put_pixel(n, edge, LIGHT);
            picture.put_pixel(edge, n, LIGHT);
        }
    }
    picture
}

fn glyph(mut picture: RgbImage, which: usize) -> RgbImage {
    let (rows, colour) = GLYPHS[which];
    for (y, row) in (0..).zip(rows) {
        for (x, dot) in (0..).zip(row.chars()) {
            if dot == '#' {
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    picture.put_pixel(5 + 2 * x + dx, 3 + 2 * y + dy, colour);
                }
            }
        }
    }
    picture
}

fn flag(mut picture: RgbImage) -> RgbImage {
    for y in 3..8 {
        for x in (11 - y)..9 {
            picture.put_pixel(x, y, RED);
        }
    }
    for y in 3..12 {
        picture.put_pixel(9, y, BLACK);
    }
    for x in 5..12 {
        picture.put_pixel(x, 12, BLACK);
    }
    picture
}

fn mine(mut picture: RgbImage) -> RgbImage {
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        let (dx, dy) = (x as i32 - 8, y as i32 - 8);
        let on_cross = (dx == 0 || dy == 0) && dx.abs().max(dy.abs()) <= 6;
        if dx * dx + dy * dy <= 17 || on_cross {
            *pixel = BLACK;
        }
    }
    picture
}

fn crossed(mut picture: RgbImage) -> RgbImage {
    for n in 2..14 {
        for x in [n, 15 - n] {
            picture.put_pixel(x, n, RED);
            picture.put_pixel(x.min(14) + 1, n, RED);
        }
    }
    picture
}
