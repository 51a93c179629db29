//! Finding a grid of equal cells of which no skin is known.
//!
//! Pixels along the columns of a board look like those one cell on; where that ends, the board ends. So the
//! place of the cells follows from the extent of the board, not from what a cell looks like: on a fresh board
//! every place of a cell repeats as well as every other.

use image::RgbImage;

use crate::capture::Frame;
use crate::geometry::Rect;
use crate::recognize::comb::{candidates, mostly_within};
use crate::recognize::matcher::Samplers;
use crate::recognize::patch::Patch;
use crate::recognize::skin::Gap;
use crate::recognize::track::Profile;
use crate::recognize::{Lattice, Skin};

/// Two pixels differ from this on, as the sum over red, green and blue.
const DIFFERENT: u16 = 24;
/// The share of a line of pixels that must repeat one cell on: on a board on which nothing is open, and on
/// ones of which a part is.
const REPEATS: [f32; 3] = [0.9, 0.6, 0.4];
/// The least columns and rows of a board.
const LEAST: usize = 5;
/// This many cells beyond the region of repetition are looked at: a part that is open may break it.
const BEYOND: i32 = 24;
/// The share of a line's cells that must look like cells.
const MOST: f32 = 0.5;
/// Cells that differ by less than this, in grey levels, look alike.
const ALIKE: f32 = 6.0;
/// An edge stronger than this counts no more, as the sum over red, green and blue.
const LOUDEST: u32 = 96;
/// The share of a line of pixels that must have one colour; less where the corners of cells are round.
const PLAIN: [f32; 2] = [0.9, 0.75];
/// The widest gap that is looked for, as a share of a cell.
const WIDEST_GAP: i32 = 4;

/// Equal cells in a picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Grid {
    /// Where the cells are, in pixels of the screen.
    pub lattice: Lattice,
    /// The space between them.
    pub gap: Option<Gap>,
}

/// The grids of equal cells in `frame`, the largest first.
pub fn grids(frame: &Frame) -> Vec<Grid> {
    let mut found: Vec<Grid> = Vec::new();
    for mut candidates in candidates(&frame.pixels) {
        // Twice the pitch of a board repeats as well as the pitch does: the smallest comes first.
        candidates.sort_by_key(|candidate| candidate.pitch);
        for candidate in candidates {
            if found.iter().any(|grid| mostly_within(candidate.region, grid.lattice.area())) {
                continue;
            }
            let pitch = candidate.pitch as i32;
            let fitted = REPEATS.into_iter().find_map(|share| {
                let whole = fit(&frame.pixels, candidate.region, pitch, share)?;
                // A part of the region is a part of the board.
                mostly_within(candidate.region, whole.lattice.area()).then_some(whole)
            });
            log::debug!("cells of {pitch} pixels in {}: {fitted:?}", candidate.region);
            found.extend(fitted);
        }
    }
    let size =
        |grid: &Grid| u64::from(grid.lattice.area().width) * u64::from(grid.lattice.area().height);
    found.sort_by_key(|grid| std::cmp::Reverse(size(grid)));
    for grid in &mut found {
        grid.lattice = grid.lattice.moved(frame.origin.x, frame.origin.y);
    }
    found
}

/// The grid of cells about `pitch` apart around `region`.
fn fit(pixels: &RgbImage, region: Rect, pitch: i32, share: f32) -> Option<Grid> {
    let pixel = |x: i32, y: i32| {
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        pixels.get_pixel_checked(x, y).map(|pixel| pixel.0)
    };
    let transposed = |y: i32, x: i32| pixel(x, y);
    let middle = |start: i32, length: u32| start + length as i32 / 4..start + length as i32 * 3 / 4;
    let columns = Axis {
        pixel: &pixel,
        lines: widened(Profile::across(pixels, region).track(pitch), pitch),
        band: middle(region.y, region.height),
    };
    let rows = Axis {
        pixel: &transposed,
        lines: widened(Profile::down(pixels, region).track(pitch), pitch),
        band: middle(region.x, region.width),
    };
    let gaps = PLAIN.into_iter().find_map(|plain| {
        let both = columns.between_gaps(pitch, plain).zip(rows.between_gaps(pitch, plain));
        both.filter(|(across, down)| across.width == down.width)
    });
    if let Some((across, down)) = gaps {
        let colour = across.colour.filter(|_| down.colour.is_some());
        let gap = colour.map(|colour| Gap { width: across.width, colour });
        return Some(Grid { lattice: Lattice::new(across.edges, down.edges), gap });
    }
    if share < REPEATS[0]
        && let Some((xs, ys)) = columns.between_lines(pitch).zip(rows.between_lines(pitch))
    {
        return Some(Grid { lattice: Lattice::new(xs, ys), gap: None });
    }
    let (mut across, mut down) = (columns.span(pitch, share)?, rows.span(pitch, share)?);
    grow(pixels, (&columns, &mut across), (&rows, &mut down));
    let (xs, ys) = (columns.edges(&across)?, rows.edges(&down)?);
    let enough = xs.len() > LEAST && ys.len() > LEAST;
    enough.then(|| Grid { lattice: Lattice::new(xs, ys), gap: None })
}

/// The tracked lines and some beyond both ends.
fn widened(mut lines: Vec<i32>, pitch: i32) -> Vec<i32> {
    let (first, last) = (lines[0], lines[lines.len() - 1]);
    lines.splice(0..0, (1..=BEYOND).rev().map(|n| first - n * pitch));
    lines.extend((1..=BEYOND + 1).map(|n| last + n * pitch));
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
    let mut looks: Vec<Patch> = Vec::new();
    // A background may shine through, so that the ground differs from cell to cell.
    let weight = Skin { translucent: true, ..Skin::default() }.fill_weight();
    let is_known = |looks: &[Patch], patch: &Patch| {
        looks.iter().any(|look| look.distance(patch, weight) <= ALIKE)
    };
    for row in down.first..down.end {
        for col in across.first..across.end {
            let patch = cell(columns.cell(across, col), rows.cell(down, row));
            looks.extend(patch.filter(|patch| !is_known(&looks, patch)));
        }
    }
    loop {
        let before = (*across, *down);
        for way in [-1, 1] {
            let col = across.next(way);
            let line = (down.first..down.end)
                .map(|row| cell(columns.cell(across, col), rows.cell(down, row)));
            if is_of_board(line, &looks, is_known) {
                across.add(way);
            }
            let row = down.next(way);
            let line = (across.first..across.end)
                .map(|col| cell(columns.cell(across, col), rows.cell(down, row)));
            if is_of_board(line, &looks, is_known) {
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
    looks: &[Patch],
    is_known: impl Fn(&[Patch], &Patch) -> bool,
) -> bool {
    let known: Vec<bool> =
        line.map(|patch| patch.is_some_and(|patch| is_known(looks, &patch))).collect();
    known.iter().filter(|&&known| known).count() as f32 > MOST * known.len() as f32
}

/// Which of an axis' lines are edges of cells, moved by some pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    /// The line at which the first cell begins.
    first: i32,
    /// The line at which the last cell ends.
    end: i32,
    by: i32,
}

impl Span {
    /// The cell before the first (`way` -1) or after the last one (1).
    fn next(&self, way: i32) -> i32 {
        if way < 0 { self.first - 1 } else { self.end }
    }

    fn add(&mut self, way: i32) {
        if way < 0 {
            self.first -= 1;
        } else {
            self.end += 1;
        }
    }
}

/// Cells with gaps between them.
struct Gaps {
    edges: Vec<i32>,
    /// Pixels between two cells.
    width: u32,
    /// What is seen there; none where a background shines through that is not the same everywhere.
    colour: Option<[u8; 3]>,
}

/// One direction of a picture: along it columns (or rows) of cells follow each other.
struct Axis<'a> {
    /// The pixel so far along this direction and so far across it.
    pixel: &'a dyn Fn(i32, i32) -> Option<[u8; 3]>,
    lines: Vec<i32>,
    /// The part across in which pixels are compared.
    band: std::ops::Range<i32>,
}

impl Axis<'_> {
    fn differ(a: [u8; 3], b: [u8; 3]) -> bool {
        a.iter().zip(b).map(|(a, b)| u16::from(a.abs_diff(b))).sum::<u16>() >= DIFFERENT
    }

    /// The share of the pixels at `here` that are the same at `there`.
    fn same(&self, here: i32, there: i32) -> f32 {
        let equal = |across: &i32| {
            let both = (self.pixel)(here, *across).zip((self.pixel)(there, *across));
            both.is_some_and(|(a, b)| !Self::differ(a, b))
        };
        self.band.clone().filter(equal).count() as f32 / self.band.len().max(1) as f32
    }

    /// How strong the edge at `at` is.
    fn step(&self, at: i32) -> u32 {
        let step = |across: i32| {
            let both = (self.pixel)(at - 1, across).zip((self.pixel)(at, across));
            both.map_or(0, |(a, b)| a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b))).sum())
        };
        self.band.clone().map(step).map(|step: u32| step.min(LOUDEST)).sum()
    }

    /// From where to where the cell that begins at a line reaches.
    fn cell(&self, span: &Span, line: i32) -> Option<(i32, i32)> {
        let line = usize::try_from(line).ok()?;
        Some((self.lines.get(line)? + span.by, self.lines.get(line + 1)? + span.by))
    }

    /// The edges of the cells.
    fn edges(&self, span: &Span) -> Option<Vec<i32>> {
        let lines = self.lines.get(usize::try_from(span.first).ok()?..=span.end as usize)?;
        Some(lines.iter().map(|line| line + span.by).collect())
    }

    /// The cells: where what repeats one cell on begins and ends.
    fn span(&self, pitch: i32, share: f32) -> Option<Span> {
        let even = self.lines.windows(3).all(|w| w[2] - w[1] == w[1] - w[0]);
        let drifts: &[i32] = if even { &[0] } else { &[0, -1, 1] };
        // Every place, and whether it looks like the one a cell on.
        let places: Vec<(i32, bool)> = self
            .lines
            .windows(2)
            .flat_map(|pair| (pair[0]..pair[1]).map(move |at| (at, at - pair[0] + pair[1])))
            .map(|(here, there)| {
                (here, drifts.iter().any(|drift| self.same(here, there + drift) >= share))
            })
            .collect();
        let middle = places.len() / 2;
        // The longest run decides: a number that is open breaks a column.
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for (index, &(_, repeats)) in places.iter().enumerate() {
            match runs.last_mut() {
                Some((_, end)) if repeats && *end == index => *end += 1,
                _ if repeats => runs.push((index, index + 1)),
                _ => {}
            }
        }
        let (start, end) = runs.into_iter().max_by_key(|&(start, end)| {
            (end - start, std::cmp::Reverse(((start + end) / 2).abs_diff(middle)))
        })?;
        let (first, last) = (places[start].0, places[end - 1].0 + 1);
        // The last cell repeats nowhere.
        let cells = (last - first + 1) / pitch + 1;
        let slack = (last - first + pitch - cells * pitch).max(0);
        // A frame may look like the edge of a cell: the strongest edges decide, of equal ones the middle.
        let loudness =
            |start: i32| (1..cells).map(|cell| self.step(start + cell * pitch)).sum::<u32>();
        let starts = first..=first + slack;
        let from_middle = |start: i32| (2 * (start - first) - slack).abs();
        let edge = starts.max_by_key(|&start| (loudness(start), -from_middle(start)))?;
        let before = self.lines.iter().rposition(|&line| line <= edge)?;
        let (first, by) = (before as i32, edge - self.lines[before]);
        Some(Span { first, end: first + cells, by })
    }

    /// The one colour of such a share of the pixels at `at`, if they have one.
    fn colour(&self, at: i32, plain: f32) -> Option<[u8; 3]> {
        let pixels: Option<Vec<[u8; 3]>> =
            self.band.clone().map(|across| (self.pixel)(at, across)).collect();
        let pixels = pixels.filter(|pixels| !pixels.is_empty())?;
        let colour = [0, 1, 2].map(|channel| {
            let mut levels: Vec<u8> = pixels.iter().map(|pixel| pixel[channel]).collect();
            let middle = levels.len() / 2;
            *levels.select_nth_unstable(middle).1
        });
        let same = pixels.iter().filter(|&&pixel| !Self::differ(colour, pixel)).count();
        (same as f32 >= plain * self.band.len() as f32).then_some(colour)
    }

    /// Stripes in which such a share of the pixels has one colour: where each begins and ends.
    fn stripes(&self, plain: f32) -> Vec<(i32, i32, [u8; 3])> {
        let mut stripes: Vec<(i32, i32, [u8; 3])> = Vec::new();
        for at in self.lines[0]..self.lines[self.lines.len() - 1] {
            let Some(colour) = self.colour(at, plain) else { continue };
            match stripes.last_mut() {
                Some((_, end, same)) if *end == at && !Self::differ(*same, colour) => *end += 1,
                _ => stripes.push((at, at + 1, colour)),
            }
        }
        stripes
    }

    /// The edges of cells that have a gap between each other, half of it on each side of an edge. Cells may differ by a
    /// pixel.
    fn between_gaps(&self, pitch: i32, plain: f32) -> Option<Gaps> {
        let stripes = self.stripes(plain);
        // The longest chain of stripes of one colour with a cell between each two.
        let mut chain: Vec<(i32, i32, [u8; 3])> = Vec::new();
        for first in 0..stripes.len() {
            let mut here = vec![stripes[first]];
            for &stripe in &stripes[first + 1..] {
                let (start, end, colour) = here[here.len() - 1];
                let gap = here.get(1).map_or(stripe.1 - stripe.0, |gap| gap.1 - gap.0);
                // What is not as wide as the gaps is the ground beyond the last cell.
                if here.len() > 2 && end - start != gap {
                    break;
                }
                let cell = stripe.0 - end;
                let is_next = !Self::differ(colour, stripe.2) && (cell + gap - pitch).abs() <= 2;
                if is_next {
                    here.push(stripe);
                }
            }
            if here.len() > chain.len() {
                chain = here;
            }
        }
        let last = chain.len().checked_sub(1).filter(|&last| last >= LEAST)?;
        let width = |stripe: usize| chain[stripe].1 - chain[stripe].0;
        let gap = width(last / 2);
        let same =
            (1..last).all(|stripe| width(stripe) == gap) && (2..=pitch / WIDEST_GAP).contains(&gap);
        // Beyond the first and the last cell is the window's own ground, or half of a gap. A line as wide as all
        // others belongs to the cells, as the bright edge of a button does.
        if !same || width(0) == gap || width(last) == gap {
            return None;
        }
        let mut edges: Vec<i32> = chain.iter().map(|&(_, end, _)| end - gap / 2).collect();
        edges[last] = chain[last].0 + gap - gap / 2;
        let (width, colour) = (gap as u32, chain[1].2);
        let is_plain = chain[1..last].iter().all(|stripe| !Self::differ(stripe.2, colour));
        Some(Gaps { edges, width, colour: is_plain.then_some(colour) })
    }

    /// The edges of cells between lines that are one pixel wide, of one colour, and go on where cells are open.
    fn between_lines(&self, pitch: i32) -> Option<Vec<i32>> {
        let stripes = self.stripes(PLAIN[0]);
        let lines: Vec<_> =
            stripes.into_iter().filter(|(start, end, _)| end - start == 1).collect();
        let mut longest: Vec<i32> = Vec::new();
        for &(first, _, colour) in &lines {
            let is_next = |&at: &i32| {
                let mut same = lines.iter().filter(|line| !Self::differ(line.2, colour));
                same.any(|line| line.0 == at)
            };
            let chain: Vec<i32> = (first..).step_by(pitch as usize).take_while(is_next).collect();
            if chain.len() > longest.len() {
                longest = chain;
            }
        }
        (longest.len() > LEAST).then_some(longest)
    }
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
        let truth = Grid { lattice: Lattice::new(xs, ys), gap: Some(gap) };
        assert_eq!(found.first(), Some(&truth));
    }
}
