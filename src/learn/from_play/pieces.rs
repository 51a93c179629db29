//! Cells that can be seen one by one: pieces of one colour, as large as each other, that stand in columns and rows.
//!
//! On a fresh board every cell is such a piece, whatever is between cells: a gap, a line, a bevel. So each cell says for itself
//! that it is one, and the board ends where no more of them follow, whatever the ground beside it looks like. Colour may
//! change slowly within a piece; signs in some cells do no harm.

use std::collections::BTreeMap;

use image::RgbImage;

use super::Grid;
use crate::geometry::Rect;
use crate::recognize::Lattice;
use crate::recognize::skin::Gap;

/// Pixels beside each other that differ by no more than this in any colour are of one piece. Edges of cells may be faint, and
/// colours within a cell may change, so several are tried.
const TOLERANCES: [u8; 3] = [2, 6, 12];
/// The sides of pieces that may be cells, in pixels.
const SIDES: std::ops::RangeInclusive<u32> = 6..=128;
/// A piece fills this share of the rectangle around it, or it is an edge and no cell; signs take some of it.
const FILLED: f32 = 0.5;
/// The widest space between pieces in which something may be drawn, as a share of one: bevels, and frames of signs that stand for
/// covered cells.
const WIDEST_DRAWN: f32 = 0.6;
/// The widest space of one colour: columns may be as wide as a page lets them be. Chosen.
const WIDEST_SPACE: f32 = 1.5;
/// The widest gap that belongs to no cell, as a part of the distance from one to the next.
const WIDEST_GAP: u32 = 4;
/// So many cells of a fresh board may look otherwise: the one that has the pointer or the keyboard.
const LIT: usize = 1;
/// The least columns and rows.
const LEAST: usize = 5;
/// The share of a board's cells that must be seen, and of a line's.
const SEEN: f32 = 0.4;
/// Colours that differ by no more than this, in any of red, green and blue, are the same in two cells.
const SAME: u8 = 12;
/// The share of a line's pixels that must be the same.
const ALIKE: f32 = 0.8;

/// A grid of pieces, and how many of its cells look like most others.
struct Found {
    grid: Grid,
    alike: usize,
}

/// The grids of pieces in a picture, in pixels of it; those of the most equal cells first.
pub(super) fn grids_of_pieces(pixels: &RgbImage) -> Vec<Grid> {
    let mut found: Vec<Found> = Vec::new();
    for tolerance in TOLERANCES {
        let pieces = pieces(pixels, tolerance);
        let mut sizes: BTreeMap<(u32, u32), usize> = BTreeMap::new();
        pieces.iter().for_each(|piece| *sizes.entry((piece.width, piece.height)).or_default() += 1);
        for &(width, height) in sizes.keys() {
            let near = |piece: &&Rect| {
                piece.width.abs_diff(width) <= 1 && piece.height.abs_diff(height) <= 1
            };
            let same: Vec<Rect> = pieces.iter().filter(near).copied().collect();
            if same.len() as f32 >= SEEN * (LEAST * LEAST) as f32 {
                found.extend(grid(pixels, &same, &pieces));
            }
        }
    }
    found.sort_by_key(|found| std::cmp::Reverse(found.alike));
    let mut grids: Vec<Grid> = Vec::new();
    for Found { grid, .. } in found {
        if !grids.iter().any(|other| other.lattice.overlaps(&grid.lattice)) {
            grids.push(grid);
        }
    }
    grids
}

/// The pieces that may be cells.
fn pieces(pixels: &RgbImage, tolerance: u8) -> Vec<Rect> {
    let (width, height) = (pixels.width() as usize, pixels.height() as usize);
    let raw = pixels.as_raw();
    let same = |a: usize, b: usize| {
        let (a, b) = (&raw[3 * a..3 * a + 3], &raw[3 * b..3 * b + 3]);
        a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= tolerance)
    };
    let mut seen = vec![false; width * height];
    let (mut found, mut next) = (Vec::new(), Vec::new());
    for start in 0..width * height {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let (mut left, mut right, mut top, mut bottom) = (width, 0, height, 0);
        let mut size = 0;
        next.push(start);
        while let Some(at) = next.pop() {
            size += 1;
            let (x, y) = (at % width, at / width);
            (left, right) = (left.min(x), right.max(x));
            (top, bottom) = (top.min(y), bottom.max(y));
            let beside = [
                (x > 0).then(|| at - 1),
                (x + 1 < width).then_some(at + 1),
                (y > 0).then(|| at - width),
                (y + 1 < height).then_some(at + width),
            ];
            for other in beside.into_iter().flatten() {
                if !seen[other] && same(at, other) {
                    seen[other] = true;
                    next.push(other);
                }
            }
        }
        let (wide, high) = ((right + 1 - left) as u32, (bottom + 1 - top) as u32);
        let is_filled = size as f32 >= FILLED * (wide * high) as f32;
        if is_filled && SIDES.contains(&wide) && SIDES.contains(&high) {
            found.push(Rect::new(left as i32, top as i32, wide, high));
        }
    }
    found
}

/// The longest chain of places that follow each other at equal distances, parts of a pixel aside; one or two may be missing.
/// `places` are sorted, with how many pieces begin at each.
fn chain(places: &[(i32, usize)], side: u32) -> Vec<i32> {
    let side = side as i32;
    let widest = side + (side as f32 * WIDEST_SPACE) as i32 + 2;
    let at = |place: i32| {
        let near = places.iter().filter(|(other, _)| (other - place).abs() <= 1);
        near.max_by_key(|&&(other, count)| (count, other == place)).map(|&(other, _)| other)
    };
    let mut best: (usize, Vec<i32>) = (0, Vec::new());
    for (nth, &(first, _)) in places.iter().enumerate() {
        let next = places[nth + 1..].iter().map(|&(place, _)| place - first);
        for pitch in next.skip_while(|&pitch| pitch < side).take_while(|&pitch| pitch <= widest) {
            let mut chain = vec![first];
            loop {
                let last = chain[chain.len() - 1];
                // The mean distance so far says best where the next one is.
                let mean = match chain.len() {
                    1 => f64::from(pitch),
                    n => f64::from(last - first) / (n - 1) as f64,
                };
                let expected = |n: f64| (f64::from(last) + n * mean).round() as i32;
                let follows =
                    (1..=3).find_map(|n| at(expected(f64::from(n))).map(|place| (n, place)));
                let Some((n, place)) = follows.filter(|&(_, place)| place > last) else { break };
                chain.extend((1..n).map(|between| last + (place - last) * between / n));
                chain.push(place);
            }
            let count = |place: &i32| {
                places.iter().find(|(other, _)| other == place).map_or(0, |&(_, count)| count)
            };
            let total = chain.iter().map(count).sum();
            if total > best.0 {
                best = (total, chain);
            }
        }
    }
    best.1
}

fn counted(places: impl Iterator<Item = i32>) -> Vec<(i32, usize)> {
    let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
    places.for_each(|place| *counts.entry(place).or_default() += 1);
    counts.into_iter().collect()
}

/// The grid in which most of these pieces stand; `all` are those of other sizes as well.
fn grid(pixels: &RgbImage, same: &[Rect], all: &[Rect]) -> Option<Found> {
    let (width, height) = (same[0].width, same[0].height);
    let mut xs = chain(&counted(same.iter().map(|piece| piece.x)), width);
    let mut ys = chain(&counted(same.iter().map(|piece| piece.y)), height);
    let stands = |x: i32, y: i32| {
        same.iter().copied().find(|piece| (piece.x - x).abs() <= 1 && (piece.y - y).abs() <= 1)
    };
    loop {
        if xs.len() < LEAST || ys.len() < LEAST {
            return None;
        }
        // Lines at the ends in which hardly any piece stands belong to something else.
        let in_column = |x: i32| ys.iter().filter(|&&y| stands(x, y).is_some()).count();
        let in_row = |y: i32| xs.iter().filter(|&&x| stands(x, y).is_some()).count();
        let few = |count: usize, of: usize| (count as f32) < SEEN * of as f32;
        let (last_x, last_y) = (xs[xs.len() - 1], ys[ys.len() - 1]);
        if few(in_column(xs[0]), ys.len()) {
            xs.remove(0);
        } else if few(in_column(last_x), ys.len()) {
            xs.pop();
        } else if few(in_row(ys[0]), xs.len()) {
            ys.remove(0);
        } else if few(in_row(last_y), xs.len()) {
            ys.pop();
        } else {
            break;
        }
    }
    let standing: Vec<Rect> =
        ys.iter().flat_map(|&y| xs.iter().filter_map(move |&x| stands(x, y))).collect();
    let cells = xs.len() * ys.len();
    if (standing.len() as f32) < SEEN * cells as f32 {
        return None;
    }
    let right = |x: &i32| {
        let ends =
            standing.iter().filter(|piece| (piece.x - x).abs() <= 1).map(|piece| piece.right());
        ends.max().unwrap_or(*x)
    };
    let bottom = |y: &i32| {
        let ends =
            standing.iter().filter(|piece| (piece.y - y).abs() <= 1).map(|piece| piece.bottom());
        ends.max().unwrap_or(*y)
    };
    let across: Vec<(i32, i32)> = xs.iter().map(|x| (*x, right(x))).collect();
    let down: Vec<(i32, i32)> = ys.iter().map(|y| (*y, bottom(y))).collect();
    let pixel = |x: i32, y: i32| {
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        pixels.get_pixel_checked(x, y).map(|pixel| pixel.0)
    };
    let columns = Line { cells: &across, band: (ys[0], down[down.len() - 1].1), pixel: &pixel };
    let turned = |y: i32, x: i32| pixel(x, y);
    let rows = Line { cells: &down, band: (xs[0], across[across.len() - 1].1), pixel: &turned };
    let is_close = |line: &Line<'_>, side: u32| {
        line.space() as f32 <= WIDEST_DRAWN * side as f32 || line.colour_between().is_some()
    };
    if !(is_close(&columns, width) && is_close(&rows, height)) {
        return None;
    }
    let gap = columns.gap().filter(|gap| rows.gap().is_some_and(|other| other == *gap));
    let lattice = Lattice::with_edges(columns.edges(), rows.edges())?;
    let colours: Vec<[u8; 3]> =
        standing.iter().filter_map(|piece| pixel(piece.x + 1, piece.y + 1)).collect();
    let alike = alike(&colours);
    let goes_on = is_cut_off(all, &across, &down);
    let is_whole = alike + LIT >= cells && !goes_on;
    lattice.can_be_board().then_some(Found { grid: Grid { lattice, gap, is_whole }, alike })
}

/// Columns of cells, from where to where each is one piece, or rows.
struct Line<'a> {
    cells: &'a [(i32, i32)],
    /// From where to where the board is the other way.
    band: (i32, i32),
    /// The pixel so far along and so far across.
    pixel: &'a dyn Fn(i32, i32) -> Option<[u8; 3]>,
}

impl Line<'_> {
    /// Pixels between two pieces, as in most places.
    fn space(&self) -> i32 {
        let mut spaces: Vec<i32> =
            self.cells.windows(2).map(|pair| pair[1].0 - pair[0].1).collect();
        let middle = spaces.len() / 2;
        *spaces.select_nth_unstable(middle).1
    }

    /// Whether nearly all pixels are the same here and there.
    fn same(&self, here: i32, there: i32) -> bool {
        let (mut same, mut all) = (0, 0);
        for across in self.band.0..self.band.1 {
            let both = (self.pixel)(here, across).zip((self.pixel)(there, across));
            all += 1;
            same += i32::from(both.is_some_and(|(a, b)| is_same(a, b)));
        }
        same as f32 >= ALIKE * all as f32
    }

    /// The edges between cells: somewhere in the space between two pieces, so that what is before the first and behind the last
    /// cell is the same as elsewhere; in the middle if it may be there.
    fn edges(&self) -> Vec<i32> {
        let space = self.space().max(0);
        let (first, second) = (self.cells[0], self.cells[1]);
        let (last, last_but_one) =
            (self.cells[self.cells.len() - 1], self.cells[self.cells.len() - 2]);
        let matching = |is: &dyn Fn(i32) -> bool| (0..space).take_while(|&n| is(n)).count() as i32;
        let left = matching(&|n| self.same(first.0 - 1 - n, second.0 - 1 - n));
        let right = matching(&|n| self.same(last.1 + n, last_but_one.1 + n));
        // No cell reaches over the end of the picture.
        let is_inside = |at: i32| (self.pixel)(at, self.band.0).is_some();
        let before = matching(&|n| is_inside(first.0 - 1 - n));
        let after = matching(&|n| is_inside(last.1 + n));
        let middle = space / 2;
        let own = match left + right >= space {
            true => middle.clamp(space - right, left),
            false => middle,
        };
        let mut edges: Vec<i32> = self.cells.iter().map(|cell| cell.0 - own).collect();
        edges[0] = first.0 - own.min(before);
        edges.push(last.1 + (space - own).min(after));
        edges
    }

    /// The gap, if what is between two pieces has one colour. Where it is wide, open cells may draw over it.
    fn gap(&self) -> Option<Gap> {
        let pitch = (self.cells[1].0 - self.cells[0].0) as u32;
        let is_gap = |&width: &u32| (2..=pitch / WIDEST_GAP).contains(&width);
        let width = u32::try_from(self.space()).ok().filter(is_gap)?;
        Some(Gap { width, colour: self.colour_between()? })
    }

    /// The colour of what is between the pieces, if it has one.
    fn colour_between(&self) -> Option<[u8; 3]> {
        let between = self.cells.windows(2).flat_map(|pair| pair[0].1..pair[1].0);
        let middle = (self.band.0 + self.band.1) / 2;
        let colour = (self.pixel)(between.clone().next()?, middle)?;
        let (mut same, mut all) = (0, 0);
        for along in between {
            for across in self.band.0..self.band.1 {
                all += 1;
                same += i32::from(
                    (self.pixel)(along, across).is_some_and(|other| is_same(other, colour)),
                );
            }
        }
        (same as f32 >= ALIKE * all as f32).then_some(colour)
    }
}

fn is_same(a: [u8; 3], b: [u8; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= SAME)
}

/// How many cells have one of the two commonest colours: a fresh board may be chequered.
fn alike(colours: &[[u8; 3]]) -> usize {
    let mut groups: Vec<([u8; 3], usize)> = Vec::new();
    for &colour in colours {
        match groups.iter_mut().find(|(other, _)| is_same(*other, colour)) {
            Some((_, count)) => *count += 1,
            None => groups.push((colour, 1)),
        }
    }
    groups.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    groups.iter().take(2).map(|&(_, count)| count).sum()
}

/// Whether parts of cells are beside most of the cells at some side: the board goes on there, and something hides it.
fn is_cut_off(all: &[Rect], across: &[(i32, i32)], down: &[(i32, i32)]) -> bool {
    let beside = |cells: &[(i32, i32)], others: &[(i32, i32)], turned: bool| {
        let along = |piece: &Rect| match turned {
            false => (piece.x, piece.right()),
            true => (piece.y, piece.bottom()),
        };
        let side_on = |piece: &Rect| match turned {
            false => (piece.y, piece.bottom()),
            true => (piece.x, piece.right()),
        };
        let (first, last) = (cells[0], cells[cells.len() - 1]);
        let space = cells[1].0 - first.1;
        let pitch = cells[1].0 - first.0;
        let has_part = |other: &(i32, i32), is_before: bool| {
            all.iter().any(|piece| {
                let ((from, to), (top, bottom)) = (along(piece), side_on(piece));
                let follows = match is_before {
                    true => (first.0 - space - to).abs() <= 1,
                    false => (last.1 + space - from).abs() <= 1,
                };
                let aligned = (top - other.0).abs() <= 1 && (bottom - other.1).abs() <= 1;
                follows && aligned && to - from < pitch
            })
        };
        [true, false].into_iter().any(|is_before| {
            let parts = others.iter().filter(|other| has_part(other, is_before)).count();
            2 * parts > others.len()
        })
    };
    beside(across, down, false) || beside(down, across, true)
}
