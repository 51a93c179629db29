//! Cutting the characters of a mine counter out of labelled screenshots.

use image::RgbImage;

use super::{CalibrateError, Example, crop};
use crate::geometry::Rect;
use crate::recognize::skin::{Digit, Shows};

/// A pixel that differs from the background by this much is ink.
const INK: u16 = 90;

/// The characters that the examples' notes on the counter show.
pub(super) fn digits(examples: &[Example], shows: Shows) -> Result<Vec<Digit>, CalibrateError> {
    let mut digits: Vec<Digit> = Vec::new();
    for example in examples {
        let Some(note) = example.notes.get("counter") else {
            continue;
        };
        let wrong = || CalibrateError::Counter {
            path: example.path.clone(),
            note: note.clone(),
        };
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
            log::info!(
                "{}: the counter's characters touch: skipped",
                example.path.display()
            );
            continue;
        }
        for (symbol, area) in text.chars().zip(boxes) {
            if !digits.iter().any(|digit| digit.symbol == symbol) {
                digits.push(Digit {
                    symbol,
                    picture: crop(&example.pixels, area),
                });
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
    (0..count)
        .map(|n| Rect {
            x: area.x + (n * width) as i32,
            width,
            ..area
        })
        .collect()
}

/// The characters of a line of text, each with the box around its ink.
fn characters(pixels: &RgbImage, area: Rect) -> Vec<Rect> {
    let background = *pixels.get_pixel(area.x as u32, (area.y - 1).max(0) as u32);
    let ink = |x: i32, y: i32| {
        let pixel = pixels.get_pixel(x as u32, y as u32);
        let difference: u16 = pixel
            .0
            .iter()
            .zip(background.0)
            .map(|(a, b)| u16::from(a.abs_diff(b)))
            .sum();
        difference >= INK
    };
    let inked = |x: i32| (area.y..area.bottom()).any(|y| ink(x, y));
    let mut boxes = Vec::new();
    let mut x = area.x;
    while x < area.right() {
        if !inked(x) {
            x += 1;
            continue;
        }
        let end = (x..area.right())
            .find(|&x| !inked(x))
            .unwrap_or(area.right());
        let in_rows = |y: &i32| (x..end).any(|x| ink(x, *y));
        let top = (area.y..area.bottom()).find(in_rows).unwrap_or(area.y);
        let bottom = (area.y..area.bottom()).rev().find(in_rows).unwrap_or(top);
        boxes.push(Rect::new(
            x,
            top,
            (end - x) as u32,
            (bottom + 1 - top) as u32,
        ));
        x = end;
    }
    boxes
}
