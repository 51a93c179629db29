//! Advice painted over a picture of the board.

use image::{Rgb, RgbImage};
use imageproc::drawing::draw_hollow_rect_mut;
use imageproc::rect::Rect as Shape;

use minescraper::board::{Cell, Pos};
use minescraper::geometry::Rect;
use minescraper::lettering::{Font, with_legend};
use minescraper::recognize::Lattice;

use super::advise::Answer;
use super::desktop::{Frames, Session};

// The colours of Okabe and Ito, "Color Universal Design", which people with any kind of colour vision can tell apart.
const SAFE: Rgb<u8> = Rgb([0, 114, 178]);
const MINE: Rgb<u8> = Rgb([213, 94, 0]);
const MOVE: Rgb<u8> = Rgb([240, 228, 66]);
const FIFTY: Rgb<u8> = Rgb([204, 121, 167]);
const BETWEEN: Rgb<u8> = Rgb([225, 225, 225]);
const BLACK: Rgb<u8> = Rgb([0, 0, 0]);
const WHITE: Rgb<u8> = Rgb([255, 255, 255]);

/// The picture with the chance of a mine in each covered cell, in per cent and as a colour, the move to make and 50/50s framed,
/// and below it what that means. The lattice is in pixels of the picture.
pub fn painted(mut picture: RgbImage, lattice: &Lattice, answer: &Answer) -> RgbImage {
    let Answer { board, odds, prospects, .. } = answer;
    for (pos, chance) in board.positions().zip(&odds.cells) {
        let Some(chance) = *chance else { continue };
        let cell = lattice.cell(pos);
        wash(&mut picture, cell, colour(chance));
        let text = match chance {
            1.0 if board[pos] == Cell::Flagged => continue,
            0.0 | 1.0 => format!("{:.0}", 100.0 * chance),
            _ => format!("{:.0}", (100.0 * chance).clamp(1.0, 99.0)),
        };
        write_in(&mut picture, cell, &text);
    }
    for &pos in prospects.fifty_fifties.iter().flatten() {
        frame(&mut picture, lattice.cell(pos), FIFTY);
    }
    let chosen = answer.to_open();
    if let Some(pos) = chosen {
        frame(&mut picture, lattice.cell(pos), MOVE);
    }
    let mut legend =
        vec![(SAFE, "safe: 0 % a mine".to_owned()), (MINE, "a mine: 100 %".to_owned())];
    legend.extend(chosen.map(|pos| (MOVE, format!("open {pos}"))));
    if !prospects.fifty_fifties.is_empty() {
        legend.push((FIFTY, "50/50: nothing tells which".to_owned()));
    }
    if let Some(chance) = prospects.win_chance {
        legend.push((WHITE, format!("chance to win: {:.1} %", 100.0 * chance)));
    }
    with_legend(&picture, &legend)
}

/// Frames in the colours of a picture's legend: safe cells, mines, the move.
pub fn frames(on: &Session) -> anyhow::Result<Frames> {
    let frames = on.frames(&[SAFE.0, MINE.0, MOVE.0])?;
    Ok(frames)
}

/// Frames what is proven and the move, on the screen that the lattice is on.
pub fn frame_on_screen(
    frames: &mut Frames,
    lattice: &Lattice,
    answer: &Answer,
) -> anyhow::Result<()> {
    let chosen = answer.to_open();
    let [safe, mines] = answer.proven();
    let safe = safe.into_iter().filter(|&pos| chosen != Some(pos)).collect();
    let groups = [safe, mines, chosen.into_iter().collect::<Vec<Pos>>()];
    let areas = groups.map(|cells: Vec<Pos>| cells.iter().map(|&pos| lattice.cell(pos)).collect());
    frames.show(&areas)?;
    Ok(())
}

/// From no mine to a mine.
fn colour(chance: f64) -> Rgb<u8> {
    let mix = |from: Rgb<u8>, to: Rgb<u8>, share: f64| {
        Rgb([0, 1, 2].map(|channel| {
            let (from, to) = (f64::from(from.0[channel]), f64::from(to.0[channel]));
            (from + (to - from) * share) as u8
        }))
    };
    if chance < 0.5 {
        mix(SAFE, BETWEEN, 2.0 * chance)
    } else {
        mix(BETWEEN, MINE, 2.0 * chance - 1.0)
    }
}

/// Mixes the colour into the part of `area` that is in the picture.
fn wash(picture: &mut RgbImage, area: Rect, colour: Rgb<u8>) {
    let whole = Rect::new(0, 0, picture.width(), picture.height());
    let Some(area) = whole.intersection(area) else { return };
    for y in area.y..area.bottom() {
        for x in area.x..area.right() {
            let pixel = picture.get_pixel_mut(x as u32, y as u32);
            for (channel, wash) in pixel.0.iter_mut().zip(colour.0) {
                *channel = channel.midpoint(wash).midpoint(wash);
            }
        }
    }
}

/// Writes into the middle of a cell, black on light and white on dark; nothing where it does not fit.
fn write_in(picture: &mut RgbImage, cell: Rect, text: &str) {
    let Some(font) = Font::fitting(text.len(), cell.width, cell.height) else { return };
    let x = cell.x + (cell.width.saturating_sub(font.width(text.len())) / 2) as i32;
    let y = cell.y + (cell.height.saturating_sub(font.height()) / 2) as i32;
    let middle = (u32::try_from(x).unwrap_or(0), u32::try_from(cell.y + 1).unwrap_or(0));
    let ground = picture.get_pixel_checked(middle.0, middle.1).map_or([255; 3], |pixel| pixel.0);
    let light = ground.iter().map(|&channel| u32::from(channel)).sum::<u32>() / 3;
    font.write(picture, text, (x, y), if light > 110 { BLACK } else { WHITE });
}

/// Draws a line of two pixels just inside `area`, and one of black within.
fn frame(picture: &mut RgbImage, area: Rect, colour: Rgb<u8>) {
    for (inset, colour) in (0..).zip([colour, colour, BLACK]) {
        let side = |side: u32| side.saturating_sub(2 * inset).max(1);
        let outline = Shape::at(area.x + inset as i32, area.y + inset as i32);
        draw_hollow_rect_mut(picture, outline.of_size(side(area.width), side(area.height)), colour);
    }
}
