//! Finding the lattice of a board: from a [`Candidate`] to the edges of its columns and rows.
//!
//! Three steps. Columns and rows are [followed](super::gridlines) without knowing the skin. Which place of a
//! cell was followed is found by trying them all, on a few cells, against the skin's templates. Then the
//! board grows or shrinks from there, [line by line](super::fitting).

use image::RgbImage;

use super::cells::Cells;
use super::fitting::{Fit, Fitting};
use super::gridlines::Profile;
use super::matcher::{FAR, Matcher};
use super::repetition::Candidate;
use super::thumbnail::Thumbnail;
use crate::geometry::Rect;
use crate::recognize::Skin;

/// Cells that are compared for each offset.
const SAMPLED: usize = 16;
/// So many of the strongest edges along a cell are tried as its border.
const PEAKS: usize = 5;
/// So many offsets that fit best by thumbnails are looked at closely.
const CLOSELY: usize = 3;
/// A skin whose cells are farther off than this by thumbnails, in grey levels, is not looked at closely.
const FAR_BY_THUMBNAIL: f32 = 1.25 * FAR;
/// Offsets whose cost is within this many grey levels of the best are as good as it.
const TIE: f32 = 2.0;

/// How far cell edges are from followed lines, to the right and down.
type Offset = (i32, i32);

/// The edges of columns and rows.
type Edges = (Vec<i32>, Vec<i32>);

/// Columns and rows of a candidate, followed in a picture.
pub(crate) struct Gridlines {
    region: Rect,
    across: Profile,
    down: Profile,
    pitch: i32,
    /// What was followed, and the same evenly spaced where that may be so too.
    grids: Vec<Grid>,
}

/// Lines at the same place of successive columns and rows.
struct Grid {
    xs: Vec<i32>,
    ys: Vec<i32>,
    /// How far cell edges may be from the lines, and what some cells look like then.
    offsets: Vec<(Offset, Vec<Option<Thumbnail>>)>,
}

impl Grid {
    /// Some cells, spread over the board in both directions, where they are if cell edges are so far from the lines.
    fn sampled(&self, (dx, dy): Offset) -> impl Iterator<Item = Rect> {
        sampled(&self.xs, &self.ys).map(move |cell| cell.moved(dx, dy))
    }
}

impl Gridlines {
    /// Follows the lines of a candidate; `None` when it has too few columns or rows. The borders of cells are tried where edges are
    /// strong.
    pub(crate) fn new(pixels: &RgbImage, candidate: &Candidate) -> Option<Self> {
        let (pitch, region) = (candidate.pitch as i32, candidate.region);
        let (across, down) = Profile::around(pixels, candidate)?;
        let xs = across.between(region.x, region.right()).followed(pitch);
        let ys = down.between(region.y, region.bottom()).followed(pitch);
        if xs.len() <= 3 || ys.len() <= 3 {
            return None;
        }
        let mut tracked = vec![(xs, ys)];
        let (xs, ys) = &tracked[0];
        let even = (evenly_spaced(xs, pitch), evenly_spaced(ys, pitch));
        if even != (None, None) {
            let even = (even.0.unwrap_or_else(|| xs.clone()), even.1.unwrap_or_else(|| ys.clone()));
            tracked.push(even);
        }
        let grid = |(xs, ys): Edges| {
            let dxs = across.borders(&xs, pitch, PEAKS);
            let dys = down.borders(&ys, pitch, PEAKS);
            let mut grid = Grid { xs, ys, offsets: Vec::new() };
            let offsets = dys.iter().flat_map(|&dy| dxs.iter().map(move |&dx| (dx, dy)));
            let seen = |offset| grid.sampled(offset).map(|cell| thumbnail(pixels, cell)).collect();
            grid.offsets = offsets.map(|offset| (offset, seen(offset))).collect();
            grid
        };
        let grids = tracked.into_iter().map(grid).collect();
        Some(Self { region, across, down, pitch, grids })
    }

    /// The gap between the cells, in pixels of the picture; 0 for a skin that has none.
    pub(crate) fn gap(&self, skin: &Skin) -> u32 {
        if skin.gap.is_none() { 0 } else { self.across.gap(&self.grids[0].xs, self.pitch) }
    }

    /// Fits `matcher`'s skin to the cells of the followed picture, cut with the gaps they have there; `None` when its
    /// cells are not there.
    pub(crate) fn fit(&self, cells: &mut Cells<'_>, matcher: &Matcher) -> Option<Fit> {
        let edges: Vec<Edges> =
            self.grids.iter().flat_map(|grid| self.edges(grid, cells, matcher)).collect();
        let mut fitting = Fitting::new(matcher, cells, self.region, self.pitch);
        let fits = edges.into_iter().filter_map(|(mut xs, mut ys)| {
            // The inner lines are cells for certain; the outer ones grow back if they are.
            trim(&mut xs);
            trim(&mut ys);
            fitting.fit(xs, ys)
        });
        // Of what reads equally well, what was followed, and where edges are strongest.
        fits.reduce(
            |best, other| if other.clear_cells() > best.clear_cells() { other } else { best },
        )
    }

    /// Where the edges of cells may be by the lines of a grid; several ways if that is not plain to see.
    fn edges(&self, grid: &Grid, cells: &mut Cells<'_>, matcher: &Matcher) -> Vec<Edges> {
        if cells.gap() > 0 {
            return self.on_gaps(grid, cells.gap()).into_iter().collect();
        }
        let mut offsets = self.offsets(grid, cells, matcher).map_or(Vec::new(), Vec::from);
        offsets.dedup();
        let shifted = |edges: &[i32], by: i32| edges.iter().map(|edge| edge + by).collect();
        offsets.into_iter().map(|(dx, dy)| (shifted(&grid.xs, dx), shifted(&grid.ys, dy))).collect()
    }

    /// The edges of cells with gaps between them: the two edges of a gap are where they are, whatever the cells look like.
    fn on_gaps(&self, grid: &Grid, gap: u32) -> Option<Edges> {
        let xs = self.across.with_gap(gap).on_gaps(&grid.xs, self.pitch)?;
        let ys = self.down.with_gap(gap).on_gaps(&grid.ys, self.pitch)?;
        Some((xs, ys))
    }

    /// How far cell edges are from the lines of a grid, to the right and down: where edges are strongest of the ways that
    /// fit about equally well, and the way that fits best.
    fn offsets(
        &self,
        grid: &Grid,
        cells: &mut Cells<'_>,
        matcher: &Matcher,
    ) -> Option<[Offset; 2]> {
        let by_thumbnail = |offset: Offset, thumbnails: &[Option<Thumbnail>]| {
            let distance = |thumbnail: &Option<Thumbnail>| {
                thumbnail
                    .as_ref()
                    .map_or(f32::MAX, |thumbnail| matcher.distance_by_thumbnail(thumbnail))
            };
            (cost(thumbnails.iter().map(distance)), offset)
        };
        let ranked =
            grid.offsets.iter().map(|(offset, thumbnails)| by_thumbnail(*offset, thumbnails));
        let mut ranked: Vec<(f32, Offset)> = ranked.collect();
        ranked.retain(|(cost, _)| *cost <= FAR_BY_THUMBNAIL);
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut promising: Vec<Offset> = Vec::new();
        for (_, (x, y)) in ranked {
            // Those a pixel aside are reached from there.
            let is_near = |&(dx, dy): &Offset| (dx - x).abs() <= 1 && (dy - y).abs() <= 1;
            if promising.len() < CLOSELY && !promising.iter().any(is_near) {
                promising.push((x, y));
            }
        }
        let mut closely = |offset| {
            let distances =
                grid.sampled(offset).map(|cell| distance_to_common(cells, matcher, cell));
            (cost(distances), offset)
        };
        let mut tried: Vec<_> = promising.into_iter().map(&mut closely).collect();
        let cheapest =
            |tried: &[(f32, Offset)]| tried.iter().copied().min_by(|a, b| a.0.total_cmp(&b.0));
        // From there a pixel at a time, while that is better.
        let (least, (x, y)) = loop {
            let (least, (x, y)) = cheapest(&tried)?;
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
            let known = |offset: &(i32, i32)| tried.iter().any(|(_, known)| known == offset);
            let around: Vec<_> = around.filter(|offset| !known(offset)).collect();
            tried.extend(around.into_iter().map(&mut closely));
            if cheapest(&tried)?.1 == (x, y) {
                break (least, (x, y));
            }
        };
        if least > FAR {
            return None;
        }
        // A pixel aside may cost next to nothing.
        let ties = tried.iter().filter(|(cost, (dx, dy))| {
            *cost <= least + TIE && (dx - x).abs() <= 2 && (dy - y).abs() <= 2
        });
        let (dxs, dys): (Vec<i32>, Vec<i32>) = ties.map(|(_, offset)| *offset).unzip();
        let span = |offsets: &[i32]| Some(*offsets.iter().min()?..=*offsets.iter().max()?);
        let dx = self.across.loudest(&grid.xs, span(&dxs)?)?;
        let dy = self.down.loudest(&grid.ys, span(&dys)?)?;
        Some([(dx, dy), (x, y)])
    }
}

/// The lines evenly spaced, if they are not, but only here and there a pixel aside: where covered cells end and open ones
/// begin another place of a cell may be the loudest. The outer lines may be none of the board's.
fn evenly_spaced(lines: &[i32], pitch: i32) -> Option<Vec<i32>> {
    let mut inner = lines.to_vec();
    let cut = trim(&mut inner);
    let first = inner[0] - cut as i32 * pitch;
    let even = (first..).step_by(pitch as usize).take(lines.len());
    let aside = inner.iter().zip(even.clone().skip(cut)).map(|(line, even)| line - even);
    let (least, most) =
        aside.fold((0, 0), |(least, most), aside| (aside.min(least), aside.max(most)));
    (most - least == 1).then(|| even.collect())
}

/// Some cells between these edges, spread over the board in both directions.
fn sampled(xs: &[i32], ys: &[i32]) -> impl Iterator<Item = Rect> {
    let (cols, rows) = (xs.len() - 1, ys.len() - 1);
    let count = SAMPLED.min(cols * rows);
    (0..count).map(move |n| {
        let (col, row) = (n * cols / count, (n * 7 + 3) % rows);
        let (width, height) = (xs[col + 1] - xs[col], ys[row + 1] - ys[row]);
        Rect::new(xs[col], ys[row], width as u32, height as u32)
    })
}

/// The thumbnail of a cell; `None` when it reaches beyond the picture.
fn thumbnail(pixels: &RgbImage, cell: Rect) -> Option<Thumbnail> {
    let whole = Rect::new(0, 0, pixels.width(), pixels.height());
    let side = cell.width.min(cell.height);
    let seen = whole.encloses(cell) && side >= 8;
    seen.then(|| Thumbnail::at(pixels, cell.x as u32, cell.y as u32, side))
}

/// Keeps the middle of the followed lines. Returns how many were cut off at each end.
fn trim(edges: &mut Vec<i32>) -> usize {
    let cut = (edges.len() / 4).min(2);
    edges.drain(..cut);
    edges.truncate(edges.len() - cut);
    cut
}

/// What sampled cells cost, by their distances from the common looks. Some may be hidden; they must not outvote
/// the others.
fn cost(distances: impl Iterator<Item = f32>) -> f32 {
    let mut distances: Vec<f32> = distances.map(|distance| distance.min(2.0 * FAR)).collect();
    distances.sort_by(f32::total_cmp);
    let kept = distances.len() * 3 / 4;
    distances[..kept].iter().sum::<f32>() / kept as f32
}

/// How far a cell is from the commonest looks, at most twice [`FAR`].
fn distance_to_common(cells: &mut Cells<'_>, matcher: &Matcher, cell: Rect) -> f32 {
    let number = cells.number(cell);
    number
        .map_or(2.0 * FAR, |number| matcher.distance_to_common(cells.patch(number)).min(2.0 * FAR))
}
