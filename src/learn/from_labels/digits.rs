//! Cutting the characters of a mine counter out of labelled screenshots.

use std::collections::BTreeSet;

use image::RgbImage;

use super::{CalibrateError, Example, crop};
use crate::geometry::{Px, Rect};
use crate::recognize::skin::{Digit, Shows};

/// A pixel that differs from the background by this much is ink.
const INK_CONTRAST: u16 = 180;
/// A character gets at most this many templates.
const TEMPLATES_PER_CHARACTER: usize = 4;

/// The characters that the examples' notes on the counter show.
pub(super) fn digits(examples: &[Example], shows: Shows) -> Result<Vec<Digit>, CalibrateError> {
    let mut digits: Vec<Digit> = Vec::new();
    for example in examples {
        let Some(note) = example.notes.get("counter") else {
            continue;
        };
        let wrong = || CalibrateError::Counter { path: example.path.clone(), note: note.clone() };
        let (text, area) = parse(note).ok_or_else(wrong)?;
        let whole = Rect::new(0, 0, example.pixels.width(), example.pixels.height());
        if !whole.encloses(area) {
            return Err(wrong());
        }
        let boxes = match shows {
            Shows::MinesLeft => slices(area, text.chars().count()),
            Shows::FlagsOfMines => characters(&example.pixels, area),
        };
        if boxes.len() != text.chars().count() {
            log::info!("{}: the counter's characters touch: skipped", example.path.display());
            continue;
        }
        for (symbol, area) in text.chars().zip(boxes) {
            // Text is drawn a little differently from place to place.
            let picture = crop(&example.pixels, area);
            let looks = digits.iter().filter(|digit| digit.symbol == symbol);
            if looks.clone().count() < TEMPLATES_PER_CHARACTER
                && looks.clone().all(|digit| digit.picture != picture)
            {
                digits.push(Digit { symbol, picture });
            }
        }
    }
    digits.sort_by_key(|digit| digit.symbol);
    Ok(digits)
}

/// `TEXT@X,Y,WIDTH,HEIGHT`.
fn parse(note: &str) -> Option<(&str, Rect)> {
    let (text, area) = note.split_once('@')?;
    let mut numbers = area.split(',').map(|number| number.parse::<u32>().ok());
    let mut next = || numbers.next().flatten();
    let area = Rect::new(next()? as i32, next()? as i32, next()?, next()?);
    Some((text, area))
}

/// A display of equally wide digits, cut into them.
fn slices(area: Rect, count: usize) -> Vec<Rect> {
    let count = count as u32;
    let width = area.width / count.max(1);
    (0..count).map(|n| Rect { x: area.x + (n * width) as i32, width, ..area }).collect()
}

/// The characters of a line of text, each with the box around its ink: the connected pieces of ink,
/// since a slash may lean over its neighbours.
pub(crate) fn characters(pixels: &RgbImage, area: Rect) -> Vec<Rect> {
    let background = *pixels.get_pixel(area.x as u32, (area.y - 1).max(0) as u32);
    let ink = |at: Px| {
        let pixel = pixels.get_pixel(at.x as u32, at.y as u32);
        let difference: u16 =
            pixel.0.iter().zip(background.0).map(|(a, b)| u16::from(a.abs_diff(b))).sum();
        area.contains(at) && difference >= INK_CONTRAST
    };
    let mut seen = BTreeSet::new();
    let mut boxes: Vec<Rect> = Vec::new();
    for x in area.x..area.right() {
        for y in area.y..area.bottom() {
            if !ink(Px::new(x, y)) || !seen.insert((x, y)) {
                continue;
            }
            let mut stack = vec![Px::new(x, y)];
            let mut around = Rect::new(x, y, 1, 1);
            while let Some(at) = stack.pop() {
                around = around.around(Rect::new(at.x, at.y, 1, 1));
                for (dx, dy) in
                    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]
                {
                    let next = Px::new(at.x + dx, at.y + dy);
                    if area.contains(next) && ink(next) && seen.insert((next.x, next.y)) {
                        stack.push(next);
                    }
                }
            }
            boxes.push(around);
        }
    }
    boxes
}
