//! The cells and the window of the classic grey look, drawn pixel by pixel.
//!
//! Cells of 16 pixels with bevels of two, a red seven-segment counter, a face between counter and clock: the
//! look that Windows gave the game, and many programs after it. Nothing here is copied: the glyphs are this
//! project's own, in the places, weights and colours that everybody knows.

use image::{Rgb, RgbImage};
use minescraper::board::{Board, Cell, Status};

/// Pixels of a cell.
pub const CELL: u32 = 16;
/// The top left corner of the first cell in the window.
pub const BOARD: (u32, u32) = (12, 95);
/// Pixels right of and below the board.
const BORDER: u32 = 8;
/// The top left corner of the counter's digits, and the size of one.
pub const COUNTER: (u32, u32) = (17, 56);
/// Width and height of a digit of the counter.
pub const DIGIT: (u32, u32) = (13, 23);

const GREY: Rgb<u8> = Rgb([192, 192, 192]);
const LIGHT: Rgb<u8> = Rgb([255, 255, 255]);
const DARK: Rgb<u8> = Rgb([128, 128, 128]);
const BLACK: Rgb<u8> = Rgb([0, 0, 0]);
const RED: Rgb<u8> = Rgb([255, 0, 0]);
const UNLIT: Rgb<u8> = Rgb([90, 0, 0]);
const CAPTION: Rgb<u8> = Rgb([0, 0, 128]);
const FACE: Rgb<u8> = Rgb([255, 255, 0]);

/// A board in its window.
pub fn window(board: &Board, status: Status, mines_left: i32) -> RgbImage {
    let (cols, rows) = (u32::from(board.cols()), u32::from(board.rows()));
    let (width, height) = (cols * CELL + BOARD.0 + BORDER, rows * CELL + BOARD.1 + BORDER);
    let mut picture = RgbImage::from_pixel(width, height, GREY);
    raise(&mut picture, (0, 0), (width, height), 2);
    fill(&mut picture, (3, 3), (width - 6, 18), CAPTION);
    // The panel with counter, face and clock, then the board, both let into the window.
    sink(&mut picture, (9, 49), (width - 14, 37), 2);
    sink(&mut picture, (BOARD.0 - 3, BOARD.1 - 3), (cols * CELL + 6, rows * CELL + 6), 3);
    display(&mut picture, COUNTER, mines_left);
    display(&mut picture, (width - BORDER - 5 - 3 * DIGIT.0, COUNTER.1), 0);
    face(&mut picture, (width / 2 - 13, 55), status);
    for (pos, cell) in board.iter() {
        let at = (BOARD.0 + u32::from(pos.col) * CELL, BOARD.1 + u32::from(pos.row) * CELL);
        draw_cell(&mut picture, at, cell);
    }
    picture
}

fn draw_cell(picture: &mut RgbImage, at: (u32, u32), cell: Cell) {
    let size = (CELL, CELL);
    match cell {
        Cell::Covered | Cell::Flagged | Cell::Questioned | Cell::Unclear => {
            fill(picture, at, size, GREY);
            raise(picture, at, size, 2);
        }
        Cell::Open(_) | Cell::Opened | Cell::Mine | Cell::Burst | Cell::WrongFlag => {
            let ground = if cell == Cell::Burst { RED } else { GREY };
            fill(picture, at, size, ground);
            fill(picture, at, (CELL, 1), DARK);
            fill(picture, at, (1, CELL), DARK);
        }
    }
    match cell {
        Cell::Open(_) => {
            if let Some(number @ 1..) = cell.number() {
                let (glyph, ink) = &NUMBERS[usize::from(number) - 1];
                stamp(picture, (at.0 + 4, at.1 + 4), glyph, Rgb(*ink));
            }
        }
        Cell::Flagged => stamp(picture, (at.0 + 3, at.1 + 3), &FLAG, BLACK),
        Cell::Questioned => stamp(picture, (at.0 + 4, at.1 + 3), &QUESTION, BLACK),
        Cell::Mine | Cell::Burst => stamp(picture, (at.0 + 2, at.1 + 2), &MINE, BLACK),
        Cell::WrongFlag => {
            stamp(picture, (at.0 + 2, at.1 + 2), &MINE, BLACK);
            stamp(picture, (at.0 + 1, at.1 + 2), &CROSS, RED);
        }
        Cell::Covered | Cell::Opened | Cell::Unclear => {}
    }
}

/// Three digits, or a minus and two.
fn display(picture: &mut RgbImage, (x, y): (u32, u32), number: i32) {
    fill(picture, (x - 1, y - 1), (3 * DIGIT.0 + 2, DIGIT.1 + 2), BLACK);
    sink(picture, (x - 1, y - 1), (3 * DIGIT.0 + 2, DIGIT.1 + 2), 1);
    let text = if number < 0 { format!("-{:02}", -number) } else { format!("{number:03}") };
    for (nth, symbol) in (0..).zip(text.chars()) {
        segments(picture, (x + nth * DIGIT.0, y), symbol);
    }
}

/// One digit of seven bars: from the top one clockwise, then the middle one.
fn segments(picture: &mut RgbImage, (x, y): (u32, u32), symbol: char) {
    let lit: u8 = match symbol {
        '-' => 0b000_0001,
        digit => [0x7e, 0x30, 0x6d, 0x79, 0x33, 0x5b, 0x5f, 0x70, 0x7f, 0x7b]
            [digit.to_digit(10).map_or(0, |digit| digit as usize)],
    };
    let bars = [
        ((2, 1), (9, 2)),
        ((10, 2), (2, 9)),
        ((10, 12), (2, 9)),
        ((2, 20), (9, 2)),
        ((1, 12), (2, 9)),
        ((1, 2), (2, 9)),
        ((2, 10), (9, 2)),
    ];
    // The unlit bars glow faintly; lit ones lie over them.
    for on in [false, true] {
        for (nth, ((dx, dy), size)) in bars.into_iter().enumerate() {
            if (lit >> (6 - nth) & 1 == 1) == on {
                fill(picture, (x + dx, y + dy), size, if on { RED } else { UNLIT });
            }
        }
    }
}

fn face(picture: &mut RgbImage, (x, y): (u32, u32), status: Status) {
    fill(picture, (x, y), (26, 26), GREY);
    raise(picture, (x, y), (26, 26), 2);
    for dy in 0..19i32 {
        for dx in 0..19i32 {
            let from_middle = (dx - 9).pow(2) + (dy - 9).pow(2);
            let colour = match from_middle {
                0..=64 => FACE,
                65..=85 => BLACK,
                _ => continue,
            };
            picture.put_pixel(x + 3 + dx as u32, y + 3 + dy as u32, colour);
        }
    }
    let features = match status {
        Status::Lost => &SAD,
        Status::Won => &COOL,
        Status::Fresh | Status::Playing | Status::Hidden => &SMILE,
    };
    stamp(picture, (x + 6, y + 9), features, BLACK);
}

fn fill(picture: &mut RgbImage, (x, y): (u32, u32), (width, height): (u32, u32), ink: Rgb<u8>) {
    for dy in 0..height {
        for dx in 0..width {
            picture.put_pixel(x + dx, y + dy, ink);
        }
    }
}

/// A bevel of `depth` pixels along the inside of an area, lit from the top left.
fn raise(picture: &mut RgbImage, at: (u32, u32), size: (u32, u32), depth: u32) {
    bevel(picture, at, size, depth, [LIGHT, DARK]);
}

/// A bevel of `depth` pixels along the inside of an area, dark at the top left.
fn sink(picture: &mut RgbImage, at: (u32, u32), size: (u32, u32), depth: u32) {
    bevel(picture, at, size, depth, [DARK, LIGHT]);
}

fn bevel(
    picture: &mut RgbImage,
    (x, y): (u32, u32),
    (width, height): (u32, u32),
    depth: u32,
    [first, second]: [Rgb<u8>; 2],
) {
    for n in 0..depth {
        let (right, bottom) = (x + width - 1 - n, y + height - 1 - n);
        // Where light and dark meet, the ground stays.
        for px in x + n..right {
            picture.put_pixel(px, y + n, first);
            picture.put_pixel(px + 1, bottom, second);
        }
        for py in y + n..bottom {
            picture.put_pixel(x + n, py, first);
            picture.put_pixel(right, py + 1, second);
        }
    }
}

/// Draws a glyph: `#` in `ink`, `r` red, `o` white, anything else not at all.
fn stamp(picture: &mut RgbImage, (x, y): (u32, u32), glyph: &[&str], ink: Rgb<u8>) {
    for (dy, line) in (0..).zip(glyph) {
        for (dx, dot) in (0..).zip(line.chars()) {
            let colour = match dot {
                '#' => ink,
                'r' => RED,
                'o' => LIGHT,
                _ => continue,
            };
            picture.put_pixel(x + dx, y + dy, colour);
        }
    }
}

/// The numbers 1 to 8 and their colours.
const NUMBERS: [([&str; 10], [u8; 3]); 8] = [
    (
        [
            "...##...", "..###...", ".####...", "#####...", "..###...", "..###...", "..###...",
            "..###...", "#######.", "#######.",
        ],
        [0, 0, 255],
    ),
    (
        [
            ".######.", "########", "##...###", ".....###", "...####.", ".#####..", "####....",
            "###.....", "########", "########",
        ],
        [0, 128, 0],
    ),
    (
        [
            "#######.", "########", ".....###", ".....###", "..#####.", "..#####.", ".....###",
            ".....###", "########", "#######.",
        ],
        [255, 0, 0],
    ),
    (
        [
            "...####.", "...####.", "..##.##.", ".###.##.", ".##..##.", "###..##.", "########",
            "########", ".....##.", ".....##.",
        ],
        [0, 0, 128],
    ),
    (
        [
            "########", "########", "###.....", "###.....", "#######.", "########", ".....###",
            ".....###", "########", "#######.",
        ],
        [128, 0, 0],
    ),
    (
        [
            ".######.", "#######.", "###.....", "###.....", "#######.", "########", "###..###",
            "###..###", "########", ".######.",
        ],
        [0, 128, 128],
    ),
    (
        [
            "########", "########", ".....###", ".....###", "....###.", "....###.", "...###..",
            "...###..", "..###...", "..###...",
        ],
        [0, 0, 0],
    ),
    (
        [
            ".######.", "########", "###..###", "###..###", ".######.", ".######.", "###..###",
            "###..###", "########", ".######.",
        ],
        [128, 128, 128],
    ),
];

const FLAG: [&str; 10] = [
    "....rr...",
    "..rrrr...",
    "rrrrrr...",
    "..rrrr...",
    "....rr...",
    ".....#...",
    ".....#...",
    "...####..",
    ".########",
    ".########",
];

const QUESTION: [&str; 10] = [
    ".#####..", "##...##.", "##...##.", ".....##.", "....##..", "...##...", "...##...", "........",
    "...##...", "...##...",
];

const MINE: [&str; 13] = [
    "......#......",
    "......#......",
    "..#.#####.#..",
    "...#######...",
    "..##oo#####..",
    "..##oo#####..",
    "#############",
    "..#########..",
    "..#########..",
    "...#######...",
    "..#.#####.#..",
    "......#......",
    "......#......",
];

const CROSS: [&str; 12] = [
    "##..........##",
    ".##........##.",
    "..##......##..",
    "...##....##...",
    "....##..##....",
    ".....####.....",
    ".....####.....",
    "....##..##....",
    "...##....##...",
    "..##......##..",
    ".##........##.",
    "##..........##",
];

const SMILE: [&str; 9] = [
    "...##...##...",
    "...##...##...",
    ".............",
    ".............",
    "..#.......#..",
    "...#.....#...",
    "....#####....",
    ".............",
    ".............",
];

const SAD: [&str; 9] = [
    "..#.#...#.#..",
    "...#.....#...",
    "..#.#...#.#..",
    ".............",
    "....#####....",
    "...#.....#...",
    "..#.......#..",
    ".............",
    ".............",
];

const COOL: [&str; 9] = [
    "#############",
    ".#####.#####.",
    "..###...###..",
    ".............",
    "..#.......#..",
    "...#.....#...",
    "....#####....",
    ".............",
    ".............",
];
