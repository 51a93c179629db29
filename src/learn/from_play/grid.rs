//! Finding a grid of equal cells of which no skin is known.
//!
//! Pixels along the columns of a board look like those one cell on; where that ends, the board ends. So the
//! place of the cells follows from the extent of the board, not from what a cell looks like: on a fresh board
//! every place of a cell repeats as well as every other.

use image::RgbImage;

use super::axis::{Axis, Span};
use super::pieces::grids_of_pieces;
use crate::capture::Frame;
use crate::geometry::Rect;
use crate::recognize::detect::fitting::LEAST;
use crate::recognize::detect::gridlines::Profile;
use crate::recognize::detect::patch::Patch;
use crate::recognize::detect::repetition::{Candidate, candidates, mostly_within};
use crate::recognize::detect::square::Samplers;
use crate::recognize::skin::Gap;
use crate::recognize::{Lattice, Skin};

/// The share of a line of pixels that must repeat one cell on, on a board on which nothing is open.
const REPEATS: f32 = 0.9;
/// The same on ones of which a part is open.
const REPEATS_BETWEEN_OPEN: [f32; 2] = [0.6, 0.4];
/// This many cells beyond the region of repetition are looked at: a part that is open may break it.
const CELLS_BEYOND_REPETITION: i32 = 24;
/// The share of a line's cells that must look like cells.
const LEAST_SHARE_OF_CELLS: f32 = 0.5;
/// Cells that differ by less than this, in grey levels, look alike.
const SAME_CELL_WITHIN: f32 = 6.0;
/// The share of a line of pixels that must have one colour; less where the corners of cells are round.
const PLAIN: [f32; 2] = [0.9, 0.75];

/// Equal cells in a picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Grid {
    /// Where the cells are, in pixels of the screen.
    pub lattice: Lattice,
    /// The space between them.
    pub gap: Option<Gap>,
    /// Whether each cell was seen by itself, all of them alike, and nothing of them beyond.
    pub is_whole: bool,
}

/// The grids of equal cells in `frame`: first those of which each cell is seen by itself, then those that repeat, the largest
/// first.
pub fn grids(frame: &Frame) -> Vec<Grid> {
    let mut whole = grids_of_pieces(&frame.pixels);
    whole.retain(|grid| grid.is_whole);
    let mut found: Vec<Grid> = Vec::new();
    for mut candidates in candidates(&frame.pixels) {
        // Twice the pitch of a board repeats as well as the pitch does: the smallest comes first.
        candidates.sort_by_key(|candidate| candidate.pitch);
        for candidate in candidates {
            let mut known = whole.iter().chain(&found);
            if known.any(|grid| mostly_within(candidate.region, grid.lattice.area())) {
                continue;
            }
            let fitted = Axes::around(&frame.pixels, &candidate).grid();
            log::debug!("cells of {} pixels in {}: {fitted:?}", candidate.pitch, candidate.region);
            found.extend(fitted);
        }
    }
    let size =
        |grid: &Grid| u64::from(grid.lattice.area().width) * u64::from(grid.lattice.area().height);
    found.sort_by_key(|grid| std::cmp::Reverse(size(grid)));
    found.splice(0..0, whole);
    for grid in &mut found {
        grid.lattice = grid.lattice.moved(frame.origin.x, frame.origin.y);
    }
    found
}

/// The two directions of a picture around cells that are about `pitch` apart.
struct Axes<'a> {
    pixels: &'a RgbImage,
    region: Rect,
    pitch: i32,
    columns: Axis<'a>,
    rows: Axis<'a>,
}

impl<'a> Axes<'a> {
    fn around(pixels: &'a RgbImage, candidate: &Candidate) -> Self {
        let (region, pitch) = (candidate.region, candidate.pitch as i32);
        let pixel = move |x: i32, y: i32| {
            let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
            pixels.get_pixel_checked(x, y).map(|pixel| pixel.0)
        };
        let middle =
            |start: i32, length: u32| start + length as i32 / 4..start + length as i32 * 3 / 4;
        let across = widened(Profile::across(pixels, region).followed(pitch), pitch);
        let down = widened(Profile::down(pixels, region).followed(pitch), pitch);
        let (wide, high) = (region.x..region.right(), region.y..region.bottom());
        let columns = Axis::new(across, wide, middle(region.y, region.height), pixel);
        let rows = Axis::new(down, high, middle(region.x, region.width), move |y, x| pixel(x, y));
        Self { pixels, region, pitch, columns, rows }
    }

    /// The cells: between gaps, where all are covered, between lines, where some are open, or chequered.
    fn grid(&self) -> Option<Grid> {
        // A part of the region is a part of the board.
        let is_whole = |grid: &Grid| {
            grid.lattice.can_be_board() && mostly_within(self.region, grid.lattice.area())
        };
        self.between_gaps()
            .filter(is_whole)
            .or_else(|| self.repeating(REPEATS, 0).filter(is_whole))
            .or_else(|| self.between_lines().filter(is_whole))
            .or_else(|| {
                let mut shares = REPEATS_BETWEEN_OPEN.into_iter();
                shares.find_map(|share| self.repeating(share, 0).filter(is_whole))
            })
            // On a chequered board a cell is like the next one diagonally.
            .or_else(|| self.repeating(REPEATS, self.pitch).filter(is_whole))
    }

    fn between_gaps(&self) -> Option<Grid> {
        let (across, down) = PLAIN.into_iter().find_map(|plain| {
            let across = self.columns.between_gaps(self.pitch, plain)?;
            let down = self.rows.between_gaps(self.pitch, plain)?;
            (across.width == down.width).then_some((across, down))
        })?;
        let colour = across.colour.filter(|_| down.colour.is_some());
        let gap = colour.map(|colour| Gap { width: across.width, colour });
        Some(Grid { lattice: Lattice::new(across.edges, down.edges), gap, is_whole: false })
    }

    fn between_lines(&self) -> Option<Grid> {
        let between = |axis: &Axis<'_>| axis.between_lines(self.pitch, PLAIN[0]);
        let (xs, ys) = (between(&self.columns)?, between(&self.rows)?);
        Some(Grid { lattice: Lattice::new(xs, ys), gap: None, is_whole: false })
    }

    /// The cells of which this share of a line of pixels repeats one cell on, so many pixels `aside`.
    fn repeating(&self, share: f32, aside: i32) -> Option<Grid> {
        let mut across = self.columns.span(self.pitch, share, aside)?;
        let mut down = self.rows.span(self.pitch, share, aside)?;
        grow(self.pixels, (&self.columns, &mut across), (&self.rows, &mut down));
        let (xs, ys) = (self.columns.edges(&across)?, self.rows.edges(&down)?);
        let enough = xs.len() > LEAST && ys.len() > LEAST;
        enough.then(|| Grid { lattice: Lattice::new(xs, ys), gap: None, is_whole: false })
    }
}

/// The tracked lines and some beyond both ends.
fn widened(mut lines: Vec<i32>, pitch: i32) -> Vec<i32> {
    let (first, last) = (lines[0], lines[lines.len() - 1]);
    lines.splice(0..0, (1..=CELLS_BEYOND_REPETITION).rev().map(|n| first - n * pitch));
    lines.extend((1..=CELLS_BEYOND_REPETITION + 1).map(|n| last + n * pitch));
    lines
}

/// Adds columns and rows at the ends while most of their cells look like some cell of the board: what is open
/// may have broken the repetition.
fn grow(
    pixels: &RgbImage,
    (columns, across): (&Axis, &mut Span),
    (rows, down): (&Axis, &mut Span),
) {
    let skin = Skin::default();
    let mut samplers = Samplers::new(pixels, skin.gap_width());
    let mut cell = |col: Option<(i32, i32)>, row: Option<(i32, i32)>| {
        let ((left, right), (top, bottom)) = (col?, row?);
        let area = Rect::new(left, top, (right - left) as u32, (bottom - top) as u32);
        samplers.take(area)
    };
    let mut clusters: Vec<Patch> = Vec::new();
    // A background may shine through, so that the ground differs from cell to cell.
    let weight = Skin { fill_variance: 1.0, ..Skin::default() }.fill_weight();
    let is_known = |clusters: &[Patch], patch: &Patch| {
        clusters.iter().any(|look| look.distance(patch, weight) <= SAME_CELL_WITHIN)
    };
    for row in down.first..down.end {
        for col in across.first..across.end {
            let patch = cell(columns.cell(across, col), rows.cell(down, row));
            clusters.extend(patch.filter(|patch| !is_known(&clusters, patch)));
        }
    }
    loop {
        let before = (*across, *down);
        for way in [-1, 1] {
            let col = across.next(way);
            let line = (down.first..down.end)
                .map(|row| cell(columns.cell(across, col), rows.cell(down, row)));
            if is_of_board(line, &clusters, is_known) {
                across.add(way);
            }
            let row = down.next(way);
            let line = (across.first..across.end)
                .map(|col| cell(columns.cell(across, col), rows.cell(down, row)));
            if is_of_board(line, &clusters, is_known) {
                down.add(way);
            }
        }
        if (*across, *down) == before {
            return;
        }
    }
}

/// Whether most of a line's cells have a look that is known.
fn is_of_board(
    line: impl Iterator<Item = Option<Patch>>,
    clusters: &[Patch],
    is_known: impl Fn(&[Patch], &Patch) -> bool,
) -> bool {
    let known: Vec<bool> =
        line.map(|patch| patch.is_some_and(|patch| is_known(clusters, &patch))).collect();
    known.iter().filter(|&&known| known).count() as f32 > LEAST_SHARE_OF_CELLS * known.len() as f32
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;
    use crate::geometry::Px;

    /// Plain cells with gaps, whose columns and rows begin at `xs` and `ys`; beside them a button as far off as the
    /// cells are from each other.
    fn beside_a_button(xs: &[i32], ys: &[i32]) -> RgbImage {
        const GROUND: Rgb<u8> = Rgb([246, 245, 244]);
        let (right, bottom) = (xs[xs.len() - 1], ys[ys.len() - 1]);
        let pitch = xs[1] - xs[0];
        let is_cell = |edges: &[i32], at: i32| {
            edges.windows(2).any(|pair| (pair[0] + 2..pair[1] - 2).contains(&at))
        };
        RgbImage::from_fn(right as u32 + 160, bottom as u32 + 40, |x, y| {
            let (x, y) = (x as i32, y as i32);
            let is_button = x >= right + pitch - 3 && (y / 50) % 2 == 0;
            match is_cell(xs, x) && is_cell(ys, y) {
                true => Rgb([186, 189, 182]),
                false if is_button && (x == right + pitch - 3 || x == right + 150) => Rgb([90; 3]),
                false => GROUND,
            }
        })
    }

    /// Small squares far apart, as the signs that stand for covered cells, one of them with a line around it.
    #[test]
    fn squares_that_are_far_apart_are_cells_with_a_share_of_what_is_between() {
        let truth = Lattice::even(Px::new(20, 30), (26.0, 26.0), 9, 8);
        let mut pixels = RgbImage::from_pixel(300, 280, Rgb([255; 3]));
        for cell in truth.cells() {
            for (x, y) in (5..21).flat_map(|y| (5..21).map(move |x| (x, y))) {
                let at = ((cell.x + x) as u32, (cell.y + y) as u32);
                pixels.put_pixel(at.0, at.1, Rgb([224; 3]));
            }
        }
        let lit = truth.cell(crate::board::Pos::new(4, 3));
        for at in 5..21 {
            for (x, y) in [(at, 6), (at, 19), (6, at), (19, at)] {
                pixels.put_pixel((lit.x + x) as u32, (lit.y + y) as u32, Rgb([20; 3]));
            }
        }
        let found = grids(&Frame::new(Px::new(0, 0), pixels));
        let truth = Grid { lattice: truth, gap: None, is_whole: true };
        assert_eq!(found.first(), Some(&truth));
    }

    /// As where they fill a window: there is less beside the last ones than between others.
    #[test]
    fn cells_end_with_the_picture() {
        let pixels = RgbImage::from_fn(6 * 30 - 2, 6 * 30 - 2, |x, y| {
            let is_cell = |at: u32| (1..27).contains(&(at % 30));
            Rgb(if is_cell(x) && is_cell(y) { [240, 238, 236] } else { [205, 199, 194] })
        });
        let found = grids(&Frame::new(Px::new(0, 0), pixels.clone()));
        let Grid { lattice, is_whole, .. } = &found[0];
        assert!(*is_whole && (lattice.cols(), lattice.rows()) == (6, 6), "{found:?}");
        let all = Rect::new(0, 0, pixels.width(), pixels.height());
        assert!(all.encloses(lattice.area()), "{}", lattice.area());
    }

    /// As where a page gives its columns all the room it has.
    #[test]
    fn squares_of_which_columns_are_farther_apart_than_they_are_wide_are_cells() {
        let truth = Lattice::even(Px::new(30, 24), (68.0, 36.0), 6, 8);
        let mut pixels = RgbImage::from_pixel(480, 340, Rgb([250, 252, 255]));
        for cell in truth.cells() {
            for (x, y) in (2..34).flat_map(|y| (18..50).map(move |x| (x, y))) {
                let at = ((cell.x + x) as u32, (cell.y + y) as u32);
                pixels.put_pixel(at.0, at.1, Rgb([180, 192, 200]));
            }
        }
        let found = grids(&Frame::new(Px::new(0, 0), pixels));
        let truth = Grid { lattice: truth, gap: None, is_whole: true };
        assert_eq!(found.first(), Some(&truth));
    }

    #[test]
    fn cells_with_gaps_end_before_a_button_that_is_as_far_off_as_a_cell() {
        let steps = |start: i32, steps: &[(i32, i32)]| {
            let each = steps.iter().flat_map(|&(count, pitch)| (0..count).map(move |_| pitch));
            let mut edges = vec![start];
            edges.extend(each.scan(start, |at, pitch| {
                *at += pitch;
                Some(*at)
            }));
            edges
        };
        let (xs, ys) = (steps(23, &[(30, 27)]), steps(30, &[(13, 27), (3, 26)]));
        let frame = Frame::new(Px::new(0, 0), beside_a_button(&xs, &ys));
        let found = grids(&frame);
        let gap = Gap { width: 4, colour: [246, 245, 244] };
        let truth = Grid { lattice: Lattice::new(xs, ys), gap: Some(gap), is_whole: true };
        assert_eq!(found.first(), Some(&truth));
    }
}
