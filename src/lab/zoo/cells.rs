//! How the cells of a specimen look.

use image::{Rgb, RgbImage};
use rand::{Rng, RngExt};

use super::draw;
use super::glyphs::{Fonts, Mask};
use crate::board::Cell;
use crate::lab::virtual_desktop::Scene;
use crate::recognize::{Skin, Template};

/// The numbers of the classic game, from 1 to 8.
const CLASSIC: [[u8; 3]; 8] = [
    [0, 0, 255],
    [0, 128, 0],
    [255, 0, 0],
    [0, 0, 128],
    [128, 0, 0],
    [0, 128, 128],
    [0, 0, 0],
    [128, 128, 128],
];
/// The same, for dark ground.
const LIGHT: [[u8; 3]; 8] = [
    [110, 160, 255],
    [110, 220, 120],
    [255, 110, 100],
    [190, 140, 255],
    [255, 180, 80],
    [90, 220, 220],
    [240, 240, 240],
    [170, 170, 170],
];

/// How a cell is set off from its neighbours.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Edge {
    /// Not at all.
    None,
    /// A light and a dark side, so many pixels wide.
    Bevel(u32),
    /// A line at the right and at the bottom.
    Line,
    /// A line all around.
    Frame,
    /// The ground between cells, so many pixels wide, and round corners of that radius.
    Gap(u32, f32),
}

/// What fills a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fill {
    Plain,
    /// Lighter at the top, by so much in all.
    Gradient(f32),
}

/// How the cells look.
#[derive(Debug)]
pub(super) struct Looks {
    pub dark: bool,
    /// What is between and around cells.
    pub ground: [u8; 3],
    pub ink: [u8; 3],
    pub font: usize,
    covered: [u8; 3],
    open: [u8; 3],
    burst: [u8; 3],
    covered_edge: Edge,
    open_edge: Edge,
    fill: Fill,
    line: [u8; 3],
    numbers: Vec<(Mask, [u8; 3])>,
    flag: (Mask, [u8; 3]),
    mine: (Mask, [u8; 3]),
    question: (Mask, [u8; 3]),
    shadow: bool,
    /// How far signs are from the middle, in pixels.
    off: (i32, i32),
    chequered: u8,
    shines: f32,
    pitch: (f64, f64),
}

fn colour(dice: &mut impl Rng, from: u8, to: u8) -> [u8; 3] {
    let tint = dice.random_range(0..=28u8);
    let level = dice.random_range(from..=to);
    [(); 3].map(|()| level.saturating_add(dice.random_range(0..=tint)))
}

impl Looks {
    pub(super) fn new(pitch: (f64, f64), fonts: &Fonts, dice: &mut impl Rng) -> Self {
        let dark = dice.random_bool(0.4);
        let side = pitch.0.min(pitch.1) as f32;
        let ground = if dark { colour(dice, 15, 50) } else { colour(dice, 195, 245) };
        let (covered, open) = match (dark, dice.random_range(0..4)) {
            (false, 0 | 1) => (colour(dice, 175, 200), colour(dice, 205, 235)),
            (false, 2) => (colour(dice, 90, 150), colour(dice, 200, 240)),
            (false, _) => {
                ([60, 120, 190].map(|c: u8| c + dice.random_range(0..40)), colour(dice, 215, 235))
            }
            (true, 0 | 1) => (colour(dice, 75, 115), colour(dice, 25, 50)),
            (true, 2) => (colour(dice, 45, 70), colour(dice, 85, 105)),
            (true, _) => {
                ([40, 90, 110].map(|c: u8| c + dice.random_range(0..40)), colour(dice, 25, 55))
            }
        };
        let ink = if dark { [235; 3] } else { [25; 3] };
        let widest = if side < 16.0 { 1 } else { 3 };
        let covered_edge = match dice.random_range(0..6) {
            0 | 1 => Edge::Bevel(dice.random_range(1..=widest)),
            2 => Edge::Line,
            3 => Edge::Frame,
            4 => Edge::Gap(dice.random_range(1..=widest + 1), draw(dice, &[0.0, 0.1, 0.25])),
            _ => Edge::Gap(2, 0.0),
        };
        let open_edge = match covered_edge {
            Edge::Gap(..) => covered_edge,
            _ => draw(dice, &[Edge::Line, Edge::Line, Edge::Frame, Edge::None]),
        };
        let fill = if dice.random_bool(0.2) {
            Fill::Gradient(dice.random_range(10.0..40.0))
        } else {
            Fill::Plain
        };
        let font = dice.random_range(0..fonts.len());
        let height = side * dice.random_range(0.62..1.0);
        let inks: Vec<[u8; 3]> = match dice.random_range(0..4) {
            0 => vec![ink; 8],
            1 => (0..8)
                .map(|_| if dark { colour(dice, 150, 225) } else { colour(dice, 0, 110) })
                .collect(),
            _ if dark => LIGHT.to_vec(),
            _ => CLASSIC.to_vec(),
        };
        let numbers = (1..=8)
            .zip(inks)
            .map(|(n, ink)| (fonts.word(font, &n.to_string(), height), ink))
            .collect();
        let red = if dark { [255, 90, 80] } else { [200, 0, 0] };
        let sign = side * dice.random_range(0.5..0.75);
        let flag = match dice.random_range(0..4) {
            0 => (fonts.symbol('\u{2691}', sign), red),
            1 => (fonts.word(font, "F", height), red),
            2 => (fonts.symbol('\u{25b6}', sign), red),
            _ => (pennant(sign), red),
        };
        let mine = match dice.random_range(0..4) {
            0 => (fonts.symbol('\u{2739}', sign), ink),
            1 => (fonts.word(font, "*", 1.6 * height), ink),
            2 => (fonts.symbol('\u{25cf}', sign), ink),
            _ => (spiked(sign), ink),
        };
        let around: u8 = 24;
        Self {
            dark,
            ground,
            ink,
            font,
            covered,
            open,
            burst: if dice.random_bool(0.7) { [220, 50, 40] } else { open },
            covered_edge,
            open_edge,
            fill,
            line: open.map(|c| {
                if dark { c.saturating_add(around) } else { c.saturating_sub(2 * around) }
            }),
            numbers,
            flag,
            mine,
            question: (fonts.word(font, "?", height), ink),
            shadow: dice.random_bool(0.1),
            off: (dice.random_range(-1..=1), dice.random_range(-1..=1)),
            chequered: if dice.random_bool(0.1) { dice.random_range(5..16) } else { 0 },
            shines: if dice.random_bool(0.1) { dice.random_range(0.05..0.25) } else { 0.0 },
            pitch,
        }
    }

    /// What of it depends on the place of a cell.
    pub(super) fn shine(&self, scene: &mut Scene) {
        (scene.chequered, scene.shines) = (self.chequered, self.shines);
    }

    /// A skin with a template of each kind of cell.
    pub(super) fn skin(&self, name: String) -> Skin {
        let numbers = (0..=8).map(Cell::open);
        let others = [
            Cell::Covered,
            Cell::Flagged,
            Cell::Questioned,
            Cell::Mine,
            Cell::Burst,
            Cell::WrongFlag,
        ];
        let templates = numbers.chain(others).map(|cell| Template {
            cell,
            phase: None,
            picture: self.picture(cell),
        });
        Skin { name, templates: templates.collect(), ..Skin::default() }
    }

    fn picture(&self, cell: Cell) -> RgbImage {
        let (width, height) = (self.pitch.0.ceil() as u32, self.pitch.1.ceil() as u32);
        let is_covered = cell.is_unopened() || cell == Cell::WrongFlag;
        let (fill, edge) = match cell {
            _ if is_covered => (self.covered, self.covered_edge),
            Cell::Burst => (self.burst, self.open_edge),
            _ => (self.open, self.open_edge),
        };
        let mut picture = self.empty(width, height, fill, edge, is_covered);
        let sign = match cell {
            Cell::Flagged | Cell::WrongFlag => Some(&self.flag),
            Cell::Questioned => Some(&self.question),
            Cell::Mine | Cell::Burst => Some(&self.mine),
            cell => cell.number().filter(|&n| n > 0).map(|n| &self.numbers[usize::from(n) - 1]),
        };
        if let Some((mask, ink)) = sign {
            if self.shadow {
                let dark = fill.map(|c| c / 2);
                stamp(&mut picture, mask, dark, (self.off.0 + 1, self.off.1 + 1));
            }
            stamp(&mut picture, mask, *ink, self.off);
        }
        if cell == Cell::WrongFlag {
            stamp(
                &mut picture,
                &cross(self.pitch.0.min(self.pitch.1) as f32 * 0.7),
                self.ink,
                self.off,
            );
        }
        picture
    }

    fn empty(
        &self,
        width: u32,
        height: u32,
        fill: [u8; 3],
        edge: Edge,
        is_covered: bool,
    ) -> RgbImage {
        let shade =
            |colour: [u8; 3], by: f32| colour.map(|c| (f32::from(c) + by).clamp(0.0, 255.0) as u8);
        let inner = |x: u32, y: u32| {
            // Half of a gap is at each side.
            let Edge::Gap(gap, round) = edge else { return 1.0 };
            let (left, right) = ((gap / 2) as f32, (gap - gap / 2) as f32);
            let (w, h) = (width as f32 - right, height as f32 - right);
            let radius = round * w.min(h);
            let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
            if px < left || py < left || px > w || py > h {
                return 0.0;
            }
            let dx = (left + radius - px).max(px - (w - radius)).max(0.0);
            let dy = (left + radius - py).max(py - (h - radius)).max(0.0);
            (radius + 0.5 - dx.hypot(dy)).clamp(0.0, 1.0)
        };
        RgbImage::from_fn(width, height, |x, y| {
            let filled = match self.fill {
                Fill::Gradient(by) if is_covered => {
                    shade(fill, by * (0.5 - y as f32 / height as f32))
                }
                _ => fill,
            };
            let colour = match edge {
                Edge::Bevel(wide) if x.min(y) < wide => shade(filled, 55.0),
                Edge::Bevel(wide) if width - x <= wide || height - y <= wide => {
                    shade(filled, -60.0)
                }
                Edge::Line if x + 1 == width || y + 1 == height => self.line,
                Edge::Frame if x == 0 || y == 0 || x + 1 == width || y + 1 == height => self.line,
                _ => filled,
            };
            Rgb(mixed(self.ground, colour, inner(x, y)))
        })
    }
}

impl std::fmt::Display for Looks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tone = if self.dark { "dark" } else { "light" };
        write!(
            f,
            "{tone}, {:?} and {:?}, {:?}, font {}",
            self.covered_edge, self.open_edge, self.fill, self.font
        )?;
        if self.chequered > 0 {
            write!(f, ", chequered by {}", self.chequered)?;
        }
        if self.shines > 0.0 {
            write!(f, ", {:.2} of the background", self.shines)?;
        }
        Ok(())
    }
}

/// So much of `over` on `under`.
pub(super) fn mixed(under: [u8; 3], over: [u8; 3], share: f32) -> [u8; 3] {
    let mix =
        |(a, b): (u8, u8)| (f32::from(a) + (f32::from(b) - f32::from(a)) * share).round() as u8;
    [mix((under[0], over[0])), mix((under[1], over[1])), mix((under[2], over[2]))]
}

/// Draws `mask` into the middle of a picture, moved by some pixels.
fn stamp(picture: &mut RgbImage, mask: &Mask, ink: [u8; 3], (dx, dy): (i32, i32)) {
    let middle = |whole: u32, part: u32| (whole as i32 - part as i32) / 2;
    let at = (middle(picture.width(), mask.width) + dx, middle(picture.height(), mask.height) + dy);
    stamp_at(picture, mask, ink, at);
}

/// Draws `mask` with its top left corner at a place.
pub(super) fn stamp_at(picture: &mut RgbImage, mask: &Mask, ink: [u8; 3], (left, top): (i32, i32)) {
    for (at, &share) in mask.ink.iter().enumerate().filter(|(_, share)| **share > 0.0) {
        let (x, y) = (left + at as i32 % mask.width as i32, top + at as i32 / mask.width as i32);
        if let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y))
            && let Some(pixel) = picture.get_pixel_mut_checked(x, y)
        {
            pixel.0 = mixed(pixel.0, ink, share);
        }
    }
}

/// A flag on a pole.
fn pennant(side: f32) -> Mask {
    let whole = side.round().max(5.0) as u32;
    let side = whole as f32;
    Mask::from_fn(whole, whole, |x, y| {
        let (x, y) = (x / side, y / side);
        let pole = (0.62..0.74).contains(&x);
        let cloth = x < 0.7 && (y - 0.28).abs() < 0.28 * x / 0.7;
        let foot = y > 0.86 && (0.3..0.95).contains(&x);
        pole || cloth || foot
    })
}

/// A ball with spikes.
fn spiked(side: f32) -> Mask {
    let whole = side.round().max(5.0) as u32;
    let half = whole as f32 / 2.0;
    Mask::from_fn(whole, whole, |x, y| {
        let (x, y) = ((x - half) / half, (y - half) / half);
        let spike = x.abs().min(y.abs()) < 0.1 && x.abs().max(y.abs()) < 0.98;
        let slanted = (x.abs() - y.abs()).abs() < 0.14 && x.hypot(y) < 0.9;
        x.hypot(y) < 0.65 || spike || slanted
    })
}

/// Two lines across each other.
fn cross(side: f32) -> Mask {
    let whole = side.round().max(5.0) as u32;
    let side = whole as f32;
    Mask::from_fn(whole, whole, |x, y| {
        (x - y).abs() < side / 9.0 || (x + y - side).abs() < side / 9.0
    })
}
