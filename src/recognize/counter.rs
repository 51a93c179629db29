//! Reading the mine counter beside the board.
//!
//! Where the characters are is not known exactly, so each is searched for by normalized
//! cross-correlation. That needs pictures in which the background is 0 (the mean is not subtracted, so any
//! two bright patches would correlate): both sides are turned into ink, the difference from their background.
//!
//! Correlating at every place would take much longer than finding the board. By the inequality of Cauchy and
//! Schwarz, what a part of the character can add is at most the root of the product of both sides' squares
//! there; sums of squares are quick to come by (an integral image), and nearly every place is ruled out by those of a few
//! parts. `imageproc::template_matching` has no such bound: it correlates everywhere.

use std::collections::HashMap;

use image::{GrayImage, Luma, RgbImage, imageops};
use imageproc::definitions::Image;
use imageproc::integral_image::integral_squared_image;

use super::skin::{CounterWays, Shows};
use super::{Lattice, Skin};
use crate::capture::Frame;
use crate::geometry::{Px, Rect};

/// A place where a character correlates less than this shows none.
const LEAST: f32 = 0.9;
/// Ink from this strength on is seen, of 255.
const INK: u8 = 80;
/// So many slashes are tried as the counter's, the nearest first.
const SLASHES: usize = 8;
/// Characters have at least this share of the squares that their template has; less is grain.
const GRAIN: f64 = 0.05;
/// Texts are drawn between whole pixels too: a character of the counter may stand so much further right than its
/// template shows it, in pixels.
const ASIDE: [f32; 4] = [0.0, 0.25, 0.5, 0.75];
/// This many colours are tried as the counter's background.
const BACKGROUNDS: usize = 3;

/// The total number of mines that the counter says, when there are `flags` flags on the board.
pub(crate) fn read_mines(
    skin: &Skin,
    frame: &Frame,
    lattice: &Lattice,
    flags: Option<u32>,
) -> Option<u32> {
    let ways = skin.counter.as_ref()?;
    let text = read_text(skin, ways, frame, lattice)?;
    match ways.shows {
        Shows::FlagsOfMines => {
            let mines = text.split_once('/')?.1.parse().ok()?;
            // When the flags get another digit, KMines cuts off the last one of the mines for a moment.
            flags.is_none_or(|flags| flags <= mines).then_some(mines)
        }
        Shows::MinesLeft => {
            let left: i64 = text.parse().ok()?;
            u32::try_from(left + i64::from(flags?)).ok()
        }
    }
}

/// A character found in the counter's area.
#[derive(Clone, Copy)]
struct Found {
    symbol: char,
    area: Rect,
    score: f32,
}

fn read_text(skin: &Skin, ways: &CounterWays, frame: &Frame, lattice: &Lattice) -> Option<String> {
    let (from, to) = (lattice.spot(ways.from), lattice.spot(ways.to));
    let (width, height) = (u32::try_from(to.x - from.x).ok()?, u32::try_from(to.y - from.y).ok()?);
    let crop = frame.crop(Rect::new(from.x, from.y, width, height))?;
    let (width, height) = crop.pixels.dimensions();
    let line = match ways.shows {
        Shows::MinesLeft => backgrounds(crop.pixels.as_raw()).into_iter().find_map(|background| {
            let ink = Ink::of(&crop.pixels, background);
            line(&search(skin, &ink, &ASIDE, |_| true), ways.shows, &ink.picture)
        }),
        // The area is large and may show other windows; the nearer to the board, the likelier the counter.
        Shows::FlagsOfMines => [16, 4, 1].into_iter().find_map(|share| {
            let board = lattice.area();
            let is_beside = from.x >= board.right();
            let (across, down) = if is_beside { (share, 1) } else { (1, share) };
            let part = Rect::new(from.x, from.y, width / across, height / down);
            let nearest_outside = match share {
                1 => i32::MAX,
                _ if is_beside => part.right() - board.right(),
                _ => part.bottom() - board.bottom(),
            };
            beside_slash(skin, &crop, part, board, nearest_outside)
        }),
    };
    Some(line?.iter().map(|found| found.symbol).collect())
}

/// The characters around the slash that is nearest to `board`, of those in a part of `area` that are at most so far away
/// from it, in pixels: where none is, there is no counter.
fn beside_slash(
    skin: &Skin,
    area: &Frame,
    part: Rect,
    board: Rect,
    farthest: i32,
) -> Option<Vec<Found>> {
    let distance = |slash: Rect| {
        let Px { x, y } = slash.moved(area.origin.x, area.origin.y).centre();
        let beyond = |at: i32, from: i32, to: i32| (from - at).max(at - to).max(0);
        beyond(x, board.x, board.right()) + beyond(y, board.y, board.bottom())
    };
    let part = area.crop(part)?.pixels;
    // A row of the part may show more than the window: its background is one of the commonest colours there.
    let width = (part.width() * 3) as usize;
    let rows: Vec<Vec<[u8; 3]>> = part.as_raw().chunks_exact(width).map(backgrounds).collect();
    let background = |y: u32, rank: usize| {
        let colours = &rows[y as usize];
        colours[rank.min(colours.len() - 1)]
    };
    let found = (0..BACKGROUNDS).flat_map(|rank| {
        let ink = Ink::by_rows(&part, |y| background(y, rank));
        let slashes = search(skin, &ink, &ASIDE[..1], |symbol| symbol == '/');
        slashes
            .into_iter()
            .map(move |slash| (background(slash.area.centre().y as u32, rank), slash))
    });
    let mut slashes: Vec<([u8; 3], Found)> = found.collect();
    slashes.retain(|(_, slash)| distance(slash.area) <= farthest);
    slashes.sort_by_key(|(_, slash)| distance(slash.area));
    slashes.iter().take(SLASHES).find_map(|&(background, slash)| {
        let Rect { x, y, width, height } = slash.area;
        let (left, top) = ((x - height as i32).max(0) as u32, (y - 4).max(0) as u32);
        let (right, bottom) = (slash.area.right() as u32, slash.area.bottom() as u32);
        let (across, down) = (right + 6 * height - left, bottom + 4 - top);
        let strip = imageops::crop_imm(&area.pixels, left, top, across, down);
        let ink = Ink::of(&strip.to_image(), background);
        // A number that is cut off would be another one.
        let found = search(skin, &ink, &ASIDE, |_| true);
        let line = line(&found, Shows::FlagsOfMines, &ink.picture)?;
        let end = line.last()?.area.right() as u32 + width;
        (end < ink.picture.width()).then_some(line)
    })
}

/// The commonest colours of some pixels, the commonest first; at least one.
fn backgrounds(pixels: &[u8]) -> Vec<[u8; 3]> {
    let mut counts = HashMap::new();
    let (all, _) = pixels.as_chunks::<3>();
    for run in all.chunk_by(|a, b| a == b) {
        *counts.entry(run[0]).or_insert(0) += run.len();
    }
    let mut colours: Vec<([u8; 3], usize)> = counts.into_iter().collect();
    colours.sort_by_key(|&(colour, count)| (std::cmp::Reverse(count), colour));
    colours.truncate(BACKGROUNDS);
    colours.into_iter().map(|(colour, _)| colour).collect()
}

/// The difference from the background, and the sums of its squares.
struct Ink {
    picture: GrayImage,
    /// The sum of the squares of all pixels above and to the left of each corner of a pixel.
    squares: Image<Luma<u64>>,
}

impl Ink {
    fn of(pixels: &RgbImage, background: [u8; 3]) -> Self {
        Self::by_rows(pixels, |_| background)
    }

    /// The difference from a background that may be another one in each row.
    fn by_rows(pixels: &RgbImage, background: impl Fn(u32) -> [u8; 3]) -> Self {
        let picture = GrayImage::from_fn(pixels.width(), pixels.height(), |x, y| {
            let differences = pixels[(x, y)].0.into_iter().zip(background(y));
            let differences = differences.map(|(a, b)| a.abs_diff(b));
            Luma([differences.max().unwrap_or(0)])
        });
        Self::new(picture)
    }

    fn new(picture: GrayImage) -> Self {
        let squares = integral_squared_image(&picture);
        Self { picture, squares }
    }

    /// The sum of the squares from column `left` to `right` and row `top` to `bottom`.
    fn squares(&self, [left, right]: [u32; 2], [top, bottom]: [u32; 2]) -> u64 {
        let at = |x: u32, y: u32| self.squares.get_pixel(x, y).0[0];
        at(right, bottom) + at(left, top) - at(left, bottom) - at(right, top)
    }

    /// The roots of the sums of the squares in the nine parts of an area.
    fn parts(&self, x: u32, y: u32, width: u32, height: u32) -> [f32; 9] {
        let corners = self.picture.width() as usize + 1;
        let columns = thirds(width).map(|col| (x + col) as usize);
        // For each line between the parts, what is above it in each third of the width.
        let above = thirds(height).map(|row| {
            let line = &self.squares.as_raw()[(y + row) as usize * corners..][..corners];
            let [left, inner, outer, right] = columns.map(|col| line[col]);
            [inner - left, outer - inner, right - outer]
        });
        let mut parts = [0.0; 9];
        for row in 0..3 {
            for col in 0..3 {
                // No more than 31 bits, which become a float more easily than 64.
                let sum = (above[row + 1][col] - above[row][col]) as i32;
                parts[row * 3 + col] = (sum as f32).sqrt();
            }
        }
        parts
    }
}

/// A character's ink, made ready for searching.
struct Glyph {
    ink: Ink,
    /// The sum of all its squares.
    all: f64,
    /// The roots of the sums of squares of its nine parts.
    parts: [f32; 9],
}

/// Where the three parts of a length begin and end.
fn thirds(len: u32) -> [u32; 4] {
    [0, len / 3, len - len / 3, len]
}

impl Glyph {
    /// A character that stands so far right, less than a pixel, of where its template shows it.
    fn of(picture: &RgbImage, aside: f32) -> Self {
        let drawn = Ink::of(picture, backgrounds(picture.as_raw())[0]);
        let ink = if aside == 0.0 { drawn } else { Ink::new(shifted(&drawn.picture, aside)) };
        let (width, height) = ink.picture.dimensions();
        let all = ink.squares([0, width], [0, height]) as f64;
        let parts = ink.parts(0, 0, width, height);
        Self { ink, all, parts }
    }

    /// How well it correlates with what is at (`x`, `y`), if that is not less than [`LEAST`].
    fn correlation(&self, there: &Ink, x: u32, y: u32) -> Option<f32> {
        let (width, height) = self.ink.picture.dimensions();
        let squares = there.squares([x, x + width], [y, y + height]) as f64;
        if squares <= GRAIN * self.all {
            return None;
        }
        let norm = (squares * self.all).sqrt();
        let parts = there.parts(x, y, width, height);
        let most: f32 = parts.iter().zip(&self.parts).map(|(a, b)| a * b).sum();
        // Rounding must not rule out what is just good enough.
        if most < 0.999 * LEAST * norm as f32 {
            return None;
        }
        let stride = there.picture.width() as usize;
        let start = y as usize * stride + x as usize;
        let rows = self.ink.picture.as_raw().chunks_exact(width as usize).enumerate();
        let product = |(row, glyph): (usize, &[u8])| -> u32 {
            let ink = &there.picture.as_raw()[start + row * stride..][..width as usize];
            ink.iter().zip(glyph).map(|(&a, &b)| u32::from(a) * u32::from(b)).sum()
        };
        let products: u64 = rows.map(|row| u64::from(product(row))).sum();
        let score = (products as f64 / norm) as f32;
        (score >= LEAST).then_some(score)
    }
}

/// A picture moved right by a part of a pixel; it becomes a pixel wider.
fn shifted(picture: &GrayImage, by: f32) -> GrayImage {
    let (width, height) = picture.dimensions();
    GrayImage::from_fn(width + 1, height, |x, y| {
        let at = |x: Option<u32>| {
            x.and_then(|x| picture.get_pixel_checked(x, y)).map_or(0.0, |ink| f32::from(ink.0[0]))
        };
        Luma([((1.0 - by) * at(Some(x)) + by * at(x.checked_sub(1))).round() as u8])
    })
}

/// The places where the `wanted` characters of the skin correlate best, each `aside` by parts of a pixel.
fn search(skin: &Skin, ink: &Ink, aside: &[f32], wanted: fn(char) -> bool) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for digit in skin.digits.iter().filter(|digit| wanted(digit.symbol)) {
        for &aside in aside {
            search_one(ink, digit.symbol, &Glyph::of(&digit.picture, aside), &mut found);
        }
    }
    found
}

/// Adds the places where `glyph` correlates best.
fn search_one(ink: &Ink, symbol: char, glyph: &Glyph, found: &mut Vec<Found>) {
    let (width, height) = glyph.ink.picture.dimensions();
    let (Some(right), Some(bottom)) =
        (ink.picture.width().checked_sub(width), ink.picture.height().checked_sub(height))
    else {
        return;
    };
    // Most rows of most windows are blank.
    let across = [0, ink.picture.width()];
    let rows =
        (0..=bottom).filter(|&y| ink.squares(across, [y, y + height]) as f64 > GRAIN * glyph.all);
    let places = rows.flat_map(|y| (0..=right).map(move |x| (x, y)));
    for (x, y) in places {
        let Some(score) = glyph.correlation(ink, x, y) else {
            continue;
        };
        let here = Found { symbol, area: Rect::new(x as i32, y as i32, width, height), score };
        // Of characters in one place the best stays.
        match found.iter_mut().find(|other| same_place(other.area, here.area)) {
            Some(other) if other.score < score => *other = here,
            Some(_) => {}
            None => found.push(here),
        }
    }
}

fn same_place(a: Rect, b: Rect) -> bool {
    a.intersection(b).is_some_and(|both| {
        2 * both.width * both.height > (a.width * a.height).min(b.width * b.height)
    })
}

/// The characters that make the counter, from left to right.
fn line(found: &[Found], shows: Shows, ink: &GrayImage) -> Option<Vec<Found>> {
    let mut line: Vec<Found> = match shows {
        Shows::MinesLeft => found.to_vec(),
        Shows::FlagsOfMines => {
            // Other texts have digits too, but only the counter has a slash.
            let slash = found
                .iter()
                .filter(|found| found.symbol == '/')
                .max_by(|a, b| a.score.total_cmp(&b.score))?;
            let reach = slash.area.height as i32;
            let level = |other: &Found| (other.area.centre().y - slash.area.centre().y).abs() <= 2;
            let mut near: Vec<Found> = found
                .iter()
                .filter(|other| level(other) && (other.symbol != '/' || other.area == slash.area))
                .copied()
                .collect();
            near.sort_by_key(|found| found.area.x);
            let middle = near.iter().position(|found| found.area == slash.area)?;
            let gap = |a: &Found, b: &Found| b.area.x - a.area.right();
            let last = (middle + 1..near.len())
                .take_while(|&n| gap(&near[n - 1], &near[n]) < reach * 2 / 3)
                .last()?;
            // Ink right behind the last digit is a digit that was not read.
            let end = near[last].area.right();
            let behind = Rect::new(end + 1, slash.area.y, slash.area.height / 3, slash.area.height);
            if has_ink(ink, behind) {
                return None;
            }
            near.drain(middle..=last).collect()
        }
    };
    line.sort_by_key(|found| found.area.x);
    (!line.is_empty()).then_some(line)
}

/// Whether there is ink in a part of a picture.
fn has_ink(ink: &GrayImage, area: Rect) -> bool {
    let inked = |x: i32, y: i32| {
        let pixel = ink.get_pixel_checked(x as u32, y as u32);
        pixel.is_some_and(|&Luma([ink])| ink >= INK)
    };
    (area.y..area.bottom()).any(|y| (area.x..area.right()).any(|x| inked(x, y)))
}
