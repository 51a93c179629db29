//! Reading the mine counter beside the board.
//!
//! Where the characters are is not known exactly, so each is searched for by normalized
//! cross-correlation. That needs pictures in which the background is 0 (the correlation of imageproc
//! does not subtract the mean, so any two bright patches would correlate): both sides are turned into
//! ink, the difference from their background.

use std::collections::BTreeMap;

use image::{GrayImage, Luma, RgbImage};
use imageproc::template_matching::{MatchTemplateMethod, match_template};

use super::skin::{CounterWays, Shows};
use super::{Lattice, Skin};
use crate::capture::Frame;
use crate::geometry::Rect;

/// A place where a character correlates less than this shows none.
const LEAST: f32 = 0.9;
/// Ink from this strength on is seen, of 255.
const INK: u8 = 80;
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
        Shows::FlagsOfMines => text.split_once('/')?.1.parse().ok(),
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
    // The area may show more than the window: its background is one of the commonest colours there.
    backgrounds(&crop.pixels).into_iter().find_map(|background| {
        let ink = ink(&crop.pixels, background);
        let mut found: Vec<Found> = Vec::new();
        for digit in &skin.digits {
            let template = self::ink(&digit.picture, backgrounds(&digit.picture)[0]);
            search(&ink, digit.symbol, &template, &mut found);
        }
        let line = line(&found, ways.shows, &ink)?;
        Some(line.iter().map(|found| found.symbol).collect())
    })
}

/// The commonest colours of a picture, the commonest first; at least one.
fn backgrounds(pixels: &RgbImage) -> Vec<[u8; 3]> {
    let mut counts = BTreeMap::new();
    for pixel in pixels.pixels() {
        *counts.entry(pixel.0).or_insert(0u32) += 1;
    }
    let mut colours: Vec<([u8; 3], u32)> = counts.into_iter().collect();
    colours.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    colours.truncate(BACKGROUNDS);
    colours.into_iter().map(|(colour, _)| colour).collect()
}

/// The difference from the background.
fn ink(pixels: &RgbImage, background: [u8; 3]) -> GrayImage {
    GrayImage::from_fn(pixels.width(), pixels.height(), |x, y| {
        let differences = pixels.get_pixel(x, y).0.into_iter().zip(background);
        Luma([differences.map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0)])
    })
}

/// Adds the places where `template` correlates best.
fn search(ink: &GrayImage, symbol: char, template: &GrayImage, found: &mut Vec<Found>) {
    let (width, height) = template.dimensions();
    if width > ink.width() || height > ink.height() {
        return;
    }
    let method = MatchTemplateMethod::CrossCorrelationNormalized;
    let scores = match_template(ink, template, method);
    for (x, y, &Luma([score])) in scores.enumerate_pixels() {
        if !(LEAST..=1.01).contains(&score) {
            continue;
        }
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
