//! Whether a board goes on where its last cells were found.
//!
//! A window smaller than its board, one that reaches beyond the screen, or something in front of it shows
//! a part of the board only. The numbers at the cut count mines that are out of sight, so that part must not
//! be played like a board of its own. The lines between the rows give it away: they end with a board, and go
//! on beyond a cut. Where the picture ends with the last cell there is nothing to see; games leave as much room
//! on one side of a board as on the other, so a board that has room on one side only is cut off as well.

use image::RgbImage;

use super::Lattice;
use crate::board::{Pos, Rules};

/// So many pixels beyond the last cell is looked, or such a share of a cell if that is more: the first pixels may belong
/// to what is around the board.
const AWAY: (i32, f32) = (2, 0.125);
/// And up to so many pixels, or such a share of a cell.
const FAR_AWAY: (i32, f32) = (6, 0.375);
/// Fewer pixels than this tell nothing.
const LEAST: usize = 3;
/// A line differs from the pixel before it by at least this, as the sum over red, green and blue.
const STEP: u16 = 24;
/// Between the lines there are edges too where a picture has grain, this share of those at the lines or more.
const GRAIN: f64 = 0.8;
/// Faint lines are as strong as this many times what is between them, and by as much more, as the sum over red, green
/// and blue.
const FAINT: (f64, f64) = (1.8, 4.0);
/// Where lines are known to be fainter than [`STEP`], they are seen by this share of what they are, and this much at
/// least.
const KNOWN_FAINT: (f32, u16) = (0.6, 8);
/// The share of the lines that must go on.
const SHARE: f64 = 0.6;

/// A side of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The side of the first column.
    Left,
    /// The side of the first row.
    Top,
    /// The side of the last column.
    Right,
    /// The side of the last row.
    Bottom,
}

impl Side {
    /// Every side.
    pub const ALL: [Side; 4] = [Side::Left, Side::Top, Side::Right, Side::Bottom];

    /// Whether it is the side of a column.
    pub(crate) const fn is_across(self) -> bool {
        matches!(self, Side::Left | Side::Right)
    }

    /// The side on the other end of the board.
    pub(crate) const fn opposite(self) -> Self {
        match self {
            Side::Left => Side::Right,
            Side::Top => Side::Bottom,
            Side::Right => Side::Left,
            Side::Bottom => Side::Top,
        }
    }
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Side::Left => "left",
            Side::Top => "top",
            Side::Right => "right",
            Side::Bottom => "bottom",
        })
    }
}

/// The side on which there is more of the board at `lattice`, in pixels of the picture, than its cells, with gaps of so many
/// pixels between them, if there is one.
pub(crate) fn truncated_at(pixels: &RgbImage, lattice: &Lattice, gap: u32) -> Option<Side> {
    let beyond = lines_beyond(pixels, lattice, gap).into_iter().next();
    beyond.or_else(|| ends_with_picture(pixels, lattice, gap))
}

/// The sides on which the lines between the cells of a board go on beyond it.
pub(crate) fn lines_beyond(pixels: &RgbImage, lattice: &Lattice, gap: u32) -> Vec<Side> {
    let board = lattice.area();
    let rows: Vec<i32> = (1..lattice.rows()).map(|row| lattice.cell(Pos::new(0, row)).y).collect();
    let cols: Vec<i32> = (1..lattice.cols()).map(|col| lattice.cell(Pos::new(col, 0)).x).collect();
    let pixel = |x: i32, y: i32| {
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        pixels.get_pixel_checked(x, y).map(|pixel| pixel.0)
    };
    let reach = reach(gap);
    let far = |(least, share): (i32, f32)| {
        gap as i32 / 2 + least.max((share * lattice.side() as f32) as i32)
    };
    let away = far(AWAY)..far(FAR_AWAY);
    // Where the picture ends before that, its last pixels tell.
    let nearer = far((AWAY.0, 0.0))..away.end;
    let goes_on = |side: &Side| {
        let at = |away: i32| match side {
            Side::Left => board.x - 1 - away,
            Side::Top => board.y - 1 - away,
            Side::Right => board.right() + away,
            Side::Bottom => board.bottom() + away,
        };
        let (lines, across) = if side.is_across() { (&rows, true) } else { (&cols, false) };
        let pixel = |along: i32, line: i32| {
            if across { pixel(along, line) } else { pixel(line, along) }
        };
        let ranges = [away.clone(), nearer.clone()];
        let seen = ranges
            .into_iter()
            .find_map(|range| has_edges(pixel, range.map(at), lines, reach, STEP));
        seen == Some(true)
    };
    Side::ALL.into_iter().filter(goes_on).collect()
}

/// The side on which a board with such gaps between its cells ends with the picture, though it has room on the other one. A
/// board of a size that games offer is whole: what a cut leaves hardly ever has one.
pub(crate) fn ends_with_picture(pixels: &RgbImage, lattice: &Lattice, gap: u32) -> Option<Side> {
    if Rules::usual_mines(lattice.cols(), lattice.rows()).is_some() {
        return None;
    }
    // With less room no lines between more cells could be seen.
    let least = gap as i32 / 2 + AWAY.0 + LEAST as i32;
    let room = |side| room(pixels, lattice, side);
    Side::ALL.into_iter().find(|&side| room(side) < least && room(side.opposite()) >= least)
}

/// Whether the board at `lattice`, in pixels of the picture, ends with it to the pixel on this side. A cut hardly ever falls
/// between two cells.
pub(crate) fn ends_to_the_pixel(pixels: &RgbImage, lattice: &Lattice, side: Side) -> bool {
    room(pixels, lattice, side) == 0
}

/// How many pixels of the picture are beyond the board on this side.
fn room(pixels: &RgbImage, lattice: &Lattice, side: Side) -> i32 {
    let board = lattice.area();
    match side {
        Side::Left => board.x,
        Side::Top => board.y,
        Side::Right => pixels.width() as i32 - board.right(),
        Side::Bottom => pixels.height() as i32 - board.bottom(),
    }
}

/// How far the edges of cells are from the middle between them, at most.
fn reach(gap: u32) -> i32 {
    1 + gap as i32 / 2
}

/// Whether there are lines, be they faint, between more cells on this side of the board at `lattice`, in pixels of the
/// picture, with such gaps between its cells.
pub(crate) fn has_faint_lines(pixels: &RgbImage, lattice: &Lattice, gap: u32, side: Side) -> bool {
    let reach = reach(gap);
    let board = lattice.area();
    let across = matches!(side, Side::Left | Side::Right);
    let lines: Vec<i32> = if across {
        (1..lattice.rows()).map(|row| lattice.cell(Pos::new(0, row)).y).collect()
    } else {
        (1..lattice.cols()).map(|col| lattice.cell(Pos::new(col, 0)).x).collect()
    };
    let between: Vec<i32> = lines.windows(2).map(|pair| pair[0].midpoint(pair[1])).collect();
    // The middle of the next cell, where it has no borders of its own.
    let pitch = lattice.side() as i32;
    let from = match side {
        Side::Left => board.x - pitch,
        Side::Top => board.y - pitch,
        Side::Right => board.right(),
        Side::Bottom => board.bottom(),
    };
    let pixel = |along: i32, line: i32| {
        let (x, y) = if across { (along, line) } else { (line, along) };
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        pixels.get_pixel_checked(x, y).map(|pixel| pixel.0)
    };
    let step = |along: i32, line: i32| {
        let (a, b) = pixel(along, line - 1).zip(pixel(along, line))?;
        Some(a.iter().zip(b).map(|(a, b)| u16::from(a.abs_diff(b))).sum::<u16>())
    };
    let strongest = |along: i32, line: i32| {
        (line - reach..=line + reach).filter_map(|line| step(along, line)).max().unwrap_or(0)
    };
    let mean = |lines: &[i32]| {
        let places =
            (pitch / 4..=pitch * 3 / 4).flat_map(|by| lines.iter().map(move |&at| (by, at)));
        let steps: Vec<f64> =
            places.map(|(by, line)| f64::from(strongest(from + by, line))).collect();
        steps.iter().sum::<f64>() / steps.len().max(1) as f64
    };
    let (times, more) = FAINT;
    mean(&lines) >= times * mean(&between) + more
}

/// Whether there are lines, or such gaps, between the cells of one more row or column of a board, from pixel `from` to `to`;
/// `across` says which of the two. `lines` are where they must be, and `strength` how strong they are where there are no
/// gaps, as the sum over red, green and blue; 0 if that is not known.
pub(crate) fn has_lines(
    pixels: &RgbImage,
    from: i32,
    to: i32,
    across: bool,
    lines: &[i32],
    gap: u32,
    strength: u16,
) -> bool {
    let pixel = |along: i32, line: i32| {
        let (x, y) = if across { (along, line) } else { (line, along) };
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        pixels.get_pixel_checked(x, y).map(|pixel| pixel.0)
    };
    let (share, least) = KNOWN_FAINT;
    let faint = ((share * f32::from(strength)) as u16).max(least);
    let step = if strength > 0 { faint.min(STEP) } else { STEP };
    let along = (1..=LEAST as i32 + 1).map(|n| from + n * (to - from) / (LEAST as i32 + 2));
    has_edges(pixel, along, lines, reach(gap), step) == Some(true)
}

/// Whether at the places `along` the lines between cells there are edges of `step`, at most `reach` beside them; `None` where too
/// few of these places are in the picture, or there are no lines.
fn has_edges(
    pixel: impl Fn(i32, i32) -> Option<[u8; 3]>,
    along: impl Iterator<Item = i32>,
    lines: &[i32],
    reach: i32,
    step: u16,
) -> Option<bool> {
    let differ = |along: i32, across: i32| {
        let (a, b) = pixel(along, across - 1).zip(pixel(along, across))?;
        Some(a.iter().zip(b).map(|(a, b)| u16::from(a.abs_diff(b))).sum::<u16>() >= step)
    };
    let is_line = |along: i32, line: i32| {
        (line - reach..=line + reach).any(|across| differ(along, across) == Some(true))
    };
    // A single row or column has no lines between its cells.
    let &line = lines.first()?;
    let places: Vec<i32> = along.filter(|&along| pixel(along, line).is_some()).collect();
    if places.len() < LEAST {
        return None;
    }
    let share = |lines: &[i32]| {
        let there = places.iter().flat_map(|&along| lines.iter().map(move |&line| (along, line)));
        let there = there.filter(|&(along, line)| is_line(along, line)).count();
        there as f64 / (places.len() * lines.len()).max(1) as f64
    };
    // What is as rough between the lines is grain.
    let between: Vec<i32> = lines.windows(2).map(|pair| pair[0].midpoint(pair[1])).collect();
    let lines_share = share(lines);
    Some(lines_share >= SHARE && share(&between) < GRAIN * lines_share)
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;
    use crate::geometry::Px;

    /// Large cells with black lines between them, from a corner of a picture on; `cut` of the first column's left is beyond
    /// it. Where no cells are it is white.
    fn cells(room: i32, cut: i32, lattice: &Lattice) -> RgbImage {
        RgbImage::from_fn(600, 600, |x, y| {
            let at = Px::new(x as i32 - room + cut, y as i32 - 20);
            let is_line = |along: i32| !(1..49).contains(&along.rem_euclid(50));
            match lattice.pos_at(at) {
                Some(_) if is_line(at.x) || is_line(at.y) => Rgb([0; 3]),
                Some(_) => Rgb([190; 3]),
                None => Rgb([255; 3]),
            }
        })
    }

    #[test]
    fn lines_that_are_known_to_be_faint_are_seen() {
        let lattice = Lattice::even(Px::new(20, 20), (20.0, 20.0), 9, 9);
        let picture = RgbImage::from_fn(240, 240, |x, y| {
            let Some(pos) = lattice.pos_at(Px::new(x as i32, y as i32)) else {
                return Rgb([32, 48, 64]);
            };
            let cell = lattice.cell(pos);
            let is_line = x as i32 == cell.x || y as i32 == cell.y;
            if is_line { Rgb([12, 18, 24]) } else { Rgb([16, 24, 32]) }
        });
        let lines: Vec<i32> = (2..9).map(|row| 20 * row).collect();
        let seen = |strength, column: i32| {
            let from = lattice.cell(Pos::new(0, 0)).x + 20 * column;
            has_lines(&picture, from, from + 20, true, &lines, 0, strength)
        };
        assert!(seen(18, 8) && !seen(18, 9));
        assert!(!seen(0, 8) && !seen(60, 8));
    }

    #[test]
    fn a_single_row_has_no_lines_that_go_on() {
        let lattice = Lattice::even(Px::new(0, 0), (50.0, 50.0), 9, 1);
        assert!(truncated_at(&cells(5, 0, &lattice), &lattice.moved(5, 20), 0).is_none());
    }

    #[test]
    fn little_room_beside_large_cells_is_room() {
        let lattice = Lattice::even(Px::new(0, 0), (50.0, 50.0), 9, 9);
        let picture = cells(5, 0, &lattice);
        assert!(truncated_at(&picture, &lattice.moved(5, 20), 0).is_none());
        // Of one column only five pixels are in the picture.
        let picture = cells(0, 45, &lattice);
        let rest = Lattice::even(Px::new(5, 20), (50.0, 50.0), 8, 9);
        assert!(truncated_at(&picture, &rest, 0) == Some(Side::Left));
    }
}
