//! What spoils a picture on its way from the game to the reader.

use image::Rgb;
use image::codecs::jpeg::JpegEncoder;
use minescraper::board::{Cell, Pos};
use minescraper::geometry::{Px, Rect};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::scene::Scene;

/// The name of what spoils a picture, and how it does.
type Nuisance = (&'static str, fn(&mut Scene, &mut ChaCha8Rng));

/// All of them; the first one spoils nothing.
pub const ALL: [Nuisance; 18] = [
    ("none", |_, _| {}),
    ("hover highlight", hover),
    ("pressed cell", press),
    ("focus frame", focus),
    ("mouse pointer", pointer),
    ("animation", animate),
    ("window in front", overlap),
    ("JPEG 90", |scene, _| jpeg(scene, 90)),
    ("JPEG 75", |scene, _| jpeg(scene, 75)),
    ("JPEG 50", |scene, _| jpeg(scene, 50)),
    ("brightness -20 %", |scene, _| tint(scene, |_, value| value * 0.8)),
    ("brightness +20 %", |scene, _| tint(scene, |_, value| value * 1.2)),
    ("contrast -20 %", |scene, _| tint(scene, |_, value| (value - 127.5) * 0.8 + 127.5)),
    ("contrast +20 %", |scene, _| tint(scene, |_, value| (value - 127.5) * 1.2 + 127.5)),
    ("blue x 0.6", |scene, _| {
        tint(scene, |channel, value| if channel == 2 { value * 0.6 } else { value })
    }),
    ("inverted", |scene, _| tint(scene, |_, value| 255.0 - value)),
    ("ordered dithering", |scene, _| dither(scene)),
    ("hidden corner", corner),
];

/// Cells here and there; more of them than a pointer could touch say more of how such a cell is read.
fn some(scene: &Scene, share: f64, dice: &mut ChaCha8Rng) -> Vec<Pos> {
    scene.board.positions().filter(|_| dice.random_bool(share)).collect()
}

/// Something is in front of the cells in `area`.
fn hide(scene: &mut Scene, area: Rect) {
    let touched = |pos: &Pos| scene.lattice.cell(*pos).intersection(area).is_some();
    let hidden: Vec<Pos> = scene.board.positions().filter(touched).collect();
    scene.hidden.extend(hidden);
}

fn change(scene: &mut Scene, area: Rect, mut with: impl FnMut(i32, i32, [u8; 3]) -> [u8; 3]) {
    for y in area.y.max(0)..area.bottom().min(scene.picture.height() as i32) {
        for x in area.x.max(0)..area.right().min(scene.picture.width() as i32) {
            let pixel = scene.picture.get_pixel_mut(x as u32, y as u32);
            pixel.0 = with(x - area.x, y - area.y, pixel.0);
        }
    }
}

fn blend(a: [u8; 3], b: [u8; 3], share: f64) -> [u8; 3] {
    std::array::from_fn(|c| {
        (f64::from(a[c]) * (1.0 - share) + f64::from(b[c]) * share).round() as u8
    })
}

/// An unopened cell under the pointer is lighter.
fn hover(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let share = dice.random_range(0.05..0.3);
    for pos in some(scene, 0.1, dice) {
        if scene.board[pos].is_unopened() {
            change(scene, scene.lattice.cell(pos), |_, _, pixel| blend(pixel, [255; 3], share));
        }
    }
}

/// A covered cell under a held button looks blank until the button is let go: what is blank there is no misreading.
fn press(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let find = |scene: &Scene, cell: Cell| scene.board.iter().find(|&(_, c)| c == cell);
    let Some((blank, _)) = find(scene, Cell::open(0)) else { return };
    let from = scene.lattice.cell(blank);
    for pos in some(scene, 0.1, dice) {
        let to = scene.lattice.cell(pos);
        if scene.board[pos] == Cell::Covered && (from.width, from.height) == (to.width, to.height) {
            let picture = scene.picture.clone();
            change(scene, to, |x, y, _| {
                picture.get_pixel((from.x + x) as u32, (from.y + y) as u32).0
            });
            scene.also.insert(pos, Cell::open(0));
        }
    }
}

/// A frame of one or two pixels just inside a cell, dotted or not.
fn focus(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let colour = *[[53, 132, 228], [0, 0, 0], [255, 255, 255], [230, 97, 0]].choose(dice).unwrap();
    let (inset, wide, dotted) =
        (dice.random_range(0..3), dice.random_range(1..=2), dice.random_bool(0.5));
    for pos in some(scene, 0.1, dice) {
        let cell = scene.lattice.cell(pos);
        let (right, bottom) = (cell.width as i32 - 1, cell.height as i32 - 1);
        change(scene, cell, |x, y, pixel| {
            let depth = x.min(y).min(right - x).min(bottom - y);
            let on = (inset..inset + wide).contains(&depth) && !(dotted && (x + y) % 2 == 0);
            if on { colour } else { pixel }
        });
    }
}

/// The arrow: for each line of it, where it is black and how far its white border goes.
const ARROW: [i32; 19] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 7, 7, 8, 8, 9, 9, 8];

/// Arrows of the usual size and of twice that.
fn pointer(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let area = scene.lattice.area();
    for _ in 0..scene.board.cells().len() / 40 {
        let size = dice.random_range(1..=2);
        let at = Px::new(
            area.x + dice.random_range(0..area.width as i32),
            area.y + dice.random_range(0..area.height as i32),
        );
        let arrow = Rect::new(at.x, at.y, 13 * size, 19 * size);
        hide(scene, arrow);
        change(scene, arrow, |x, y, pixel| {
            let (x, y) = (x / size as i32, y / size as i32);
            let end = ARROW[y as usize];
            // Below its head the arrow is a slanted stroke.
            let start = if y > 12 { (y - 9) / 2 + 2 } else { 0 };
            if x < start || x >= end {
                pixel
            } else if x == start || x == end - 1 || y == 18 {
                [255; 3]
            } else {
                [0; 3]
            }
        });
    }
}

/// A cell fades from covered to what it shows next, or back.
fn animate(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let covered = scene.board.iter().find(|&(_, cell)| cell == Cell::Covered);
    let Some((covered, _)) = covered else { return };
    let from = scene.lattice.cell(covered);
    let picture = scene.picture.clone();
    for pos in some(scene, 0.1, dice) {
        let to = scene.lattice.cell(pos);
        if (from.width, from.height) == (to.width, to.height) {
            let share = dice.random_range(0.1..0.9);
            change(scene, to, |x, y, pixel| {
                let before = picture.get_pixel((from.x + x) as u32, (from.y + y) as u32).0;
                blend(before, pixel, share)
            });
            scene.also.insert(pos, Cell::Covered);
            scene.hidden.insert(pos);
        }
    }
}

/// A window over some cells in the middle: a title bar, and lines like text.
fn overlap(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let area = scene.lattice.area();
    let (width, height) = (area.width / 4, area.height / 4);
    let x = area.x + dice.random_range(0..(area.width - width) as i32);
    let y = area.y + dice.random_range(0..(area.height - height) as i32);
    window(scene, Rect::new(x, y, width, height), dice);
}

/// A window over a corner of the board.
fn corner(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let area = scene.lattice.area();
    let (width, height) = (area.width / 5, area.height / 5);
    let x = if dice.random_bool(0.5) { area.x - 5 } else { area.right() - width as i32 };
    let y = if dice.random_bool(0.5) { area.y - 5 } else { area.bottom() - height as i32 };
    window(scene, Rect::new(x, y, width, height), dice);
}

fn window(scene: &mut Scene, area: Rect, dice: &mut ChaCha8Rng) {
    let (ground, ink) = *[
        ([255; 3], [0; 3]),
        ([246, 245, 244], [46, 52, 54]),
        ([36, 36, 36], [238, 238, 236]),
        ([0, 43, 54], [131, 148, 150]),
    ]
    .choose(dice)
    .unwrap();
    let words: Vec<u32> = (0..97).map(|_| dice.random_range(0..100)).collect();
    let (right, bottom) = (area.width as i32 - 1, area.height as i32 - 1);
    hide(scene, area);
    change(scene, area, |x, y, _| {
        if x == 0 || y == 0 || x == right || y == bottom {
            return [60, 60, 60];
        }
        if y < 20 {
            return blend(ground, [53, 132, 228], 0.5);
        }
        let line = (y - 20) % 18;
        // Strokes in groups of unlike lengths, as words have.
        let word = words[((x / 7 + y / 18 * 31) % 97) as usize];
        let stroke = (4..14).contains(&line) && word < 70 && (x * 5 + line * (word as i32)) % 7 < 2;
        if stroke { ink } else { ground }
    });
}

pub fn jpeg(scene: &mut Scene, quality: u8) {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(&scene.picture).unwrap();
    scene.picture = image::load_from_memory(&bytes).unwrap().to_rgb8();
}

/// Every value of every channel goes through `change`, and stays between black and white.
fn tint(scene: &mut Scene, change: impl Fn(usize, f64) -> f64) {
    let table: [[u8; 256]; 3] =
        std::array::from_fn(|c| std::array::from_fn(|v| change(c, v as f64).round() as u8));
    for pixel in scene.picture.pixels_mut() {
        pixel.0 = std::array::from_fn(|c| table[c][usize::from(pixel.0[c])]);
    }
}

/// Six steps a channel, between which a pattern of 4x4 pixels chooses.
fn dither(scene: &mut Scene) {
    const PATTERN: [[f64; 4]; 4] = [
        [0.0, 8.0, 2.0, 10.0],
        [12.0, 4.0, 14.0, 6.0],
        [3.0, 11.0, 1.0, 9.0],
        [15.0, 7.0, 13.0, 5.0],
    ];
    for (x, y, pixel) in scene.picture.enumerate_pixels_mut() {
        let threshold = (PATTERN[y as usize % 4][x as usize % 4] + 0.5) / 16.0;
        let Rgb(values) = *pixel;
        pixel.0 = values.map(|value| ((f64::from(value) / 51.0 + threshold).floor() * 51.0) as u8);
    }
}
