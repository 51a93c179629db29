//! Finding the lattice of a board: from a [`Candidate`] to the edges of its columns and rows.
//!
//! Three steps. Columns and rows are [tracked](super::track) without knowing the skin. Which place of a
//! cell was tracked is found by trying them all, on a few cells, against the skin's templates. Then the
//! board grows (or shrinks) line by line while most cells of the next line look like cells.

use image::RgbImage;

use super::cells::{Cells, Matches};
use super::comb::Candidate;
use super::cut::has_lines;
use super::glance::Glance;
use super::levels::Levels;
use super::matcher::{FAR, Match, Matcher};
use super::skin::within_gap;
use super::track::Profile;
use super::{Lattice, Skin};
use crate::board::Cell;
use crate::geometry::{Px, Rect};

/// Cells that are compared for each phase.
const SAMPLED: usize = 16;
/// So many of the strongest edges along a cell are tried as its border.
const PEAKS: usize = 5;
/// Where the borders of cells are faint, so many pixels beside each strong edge are tried too.
const ASIDE: i32 = 3;
/// So many phases that fit best at a glance are looked at closely.
const CLOSELY: usize = 3;
/// A skin whose cells are farther off than this at a glance, in grey levels, is not looked at closely.
const FAR_AT_A_GLANCE: f32 = 1.25 * FAR;
/// Phases whose cost is within this many grey levels of the best are as good as it.
const TIE: f32 = 2.0;
/// The share of a line's cells that must look like cells.
const ALIKE: f32 = 0.5;
/// The share of a board's cells that must be read clearly.
const CLEAR: f32 = 0.6;
/// The share of a line's cells that must show more than a blank where edges do not repeat.
const TELLING: f32 = 0.3;
/// The share of a board's cells that must show more than a blank.
const TELLING_BOARD: f32 = 0.08;
/// A cell stands out from a gap by at least this, as the sum over red, green and blue.
const STEP: u16 = 24;
/// The least columns and rows of a board.
pub(crate) const LEAST: usize = 5;
/// A line that is hidden does not end a board: this many lines are looked past.
const HIDDEN_LINES: usize = 3;

/// A lattice that fits, and how well.
pub(crate) struct Fit {
    pub(crate) lattice: Lattice,
    /// The share of the cells that are read clearly, from 0 to 1.
    pub(crate) clear: f32,
    /// Mean distance of all cells to the nearest template, in grey levels.
    pub(crate) distance: f32,
}

impl Fit {
    /// How many cells are read clearly.
    pub(crate) fn clear_cells(&self) -> u32 {
        let cells = f32::from(self.lattice.cols()) * f32::from(self.lattice.rows());
        (cells * self.clear).round() as u32
    }
}

/// How far cell edges are from tracked lines, to the right and down.
type Phase = (i32, i32);

/// Columns and rows of a candidate, tracked in a picture.
pub(crate) struct Tracks {
    region: Rect,
    across: Profile,
    down: Profile,
    pitch: i32,
    /// What was tracked, and the same evenly spaced where that may be so too.
    grids: Vec<Grid>,
}

/// Lines at the same place of successive columns and rows.
struct Grid {
    xs: Vec<i32>,
    ys: Vec<i32>,
    /// How far cell edges may be from the lines, and what some cells look like then.
    phases: Vec<(Phase, Vec<Option<Glance>>)>,
}

impl Grid {
    /// Some cells, spread over the board in both directions, where they are if cell edges are so far from the lines.
    fn sampled(&self, (dx, dy): Phase) -> impl Iterator<Item = Rect> {
        sampled(&self.xs, &self.ys).map(move |cell| cell.moved(dx, dy))
    }
}

impl Tracks {
    /// Tracks a candidate; `None` when it has too few columns or rows. The borders of cells are tried where edges are
    /// strong, `thorough`ly also beside them: an opened board may have faint borders and strong glyphs.
    pub(crate) fn new(pixels: &RgbImage, candidate: &Candidate, thorough: bool) -> Option<Self> {
        let (pitch, region) = (candidate.pitch as i32, candidate.region);
        let (across, down) = Profile::around(pixels, candidate)?;
        let xs = across.between(region.x, region.right()).track(pitch);
        let ys = down.between(region.y, region.bottom()).track(pitch);
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
        let aside = if thorough { ASIDE } else { 0 };
        let grid = |(xs, ys): (Vec<i32>, Vec<i32>)| {
            let dxs = across.borders(&xs, pitch, PEAKS, aside);
            let dys = down.borders(&ys, pitch, PEAKS, aside);
            let mut grid = Grid { xs, ys, phases: Vec::new() };
            let phases = dys.iter().flat_map(|&dy| dxs.iter().map(move |&dx| (dx, dy)));
            let seen = |phase| grid.sampled(phase).map(|cell| glance(pixels, cell)).collect();
            grid.phases = phases.map(|phase| (phase, seen(phase))).collect();
            grid
        };
        let grids = tracked.into_iter().map(grid).collect();
        Some(Self { region, across, down, pitch, grids })
    }

    /// The levels in which cells look most like the commonest ones of a skin, at a glance; `None` when they look like
    /// them in none.
    pub(crate) fn levels(&self, cells: &Cells<'_>, matcher: &Matcher) -> Option<Levels> {
        let gap = cells.gap();
        let estimate = |glances: Vec<Glance>| Levels::at_a_glance(matcher, &glances);
        let grid = &self.grids[0];
        let estimates: Vec<(f32, Levels)> = if gap > 0 {
            let xs = self.across.with_gap(gap).on_gaps(&grid.xs, self.pitch)?;
            let ys = self.down.with_gap(gap).on_gaps(&grid.ys, self.pitch)?;
            let inside = sampled(&xs, &ys).map(|cell| within_gap(cell, gap));
            let glances = inside.filter_map(|cell| glance(cells.pixels(), cell));
            estimate(glances.collect()).into_iter().collect()
        } else {
            let phases = self.grids.iter().flat_map(|grid| &grid.phases);
            phases
                .filter_map(|(_, seen)| estimate(seen.iter().flatten().cloned().collect()))
                .collect()
        };
        let (cost, levels) = estimates.into_iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
        (cost <= FAR_AT_A_GLANCE).then_some(levels)
    }

    /// The gap between the cells, in pixels of the picture; 0 for a skin that has none.
    pub(crate) fn gap(&self, skin: &Skin) -> u32 {
        if skin.gap.is_none() { 0 } else { self.across.gap(&self.grids[0].xs, self.pitch) }
    }

    /// Fits `matcher`'s skin to the cells of the tracked picture, cut with the gaps they have there; `None` when its
    /// cells are not there.
    pub(crate) fn fit(&self, cells: &mut Cells<'_>, matcher: &Matcher) -> Option<Fit> {
        let mut fits = Vec::new();
        for grid in &self.grids {
            for phase in self.phases(grid, cells, matcher) {
                fits.extend(self.fit_to(grid, phase, cells, matcher));
            }
        }
        // Of what reads equally well, what was tracked, and where edges are strongest.
        fits.into_iter().reduce(
            |best, other| if other.clear_cells() > best.clear_cells() { other } else { best },
        )
    }

    /// How far the edges of cells may be from the lines of a grid; several ways if that is not plain to see.
    fn phases(&self, grid: &Grid, cells: &mut Cells<'_>, matcher: &Matcher) -> Vec<Phase> {
        if cells.gap() > 0 {
            // The two edges of a gap are where they are, whatever the cells look like.
            return vec![(0, 0)];
        }
        let mut fitting = Fitting { matcher, region: self.region, cells, matches: Matches::new() };
        let mut phases = fitting.phases(self, grid).map_or(Vec::new(), Vec::from);
        phases.dedup();
        phases
    }

    fn fit_to(
        &self,
        grid: &Grid,
        (dx, dy): Phase,
        cells: &mut Cells<'_>,
        matcher: &Matcher,
    ) -> Option<Fit> {
        let gap = cells.gap();
        let mut fitting = Fitting { matcher, region: self.region, cells, matches: Matches::new() };
        let (across, down) = (self.across.with_gap(gap), self.down.with_gap(gap));
        let (mut xs, mut ys) = if gap > 0 {
            (across.on_gaps(&grid.xs, self.pitch)?, down.on_gaps(&grid.ys, self.pitch)?)
        } else {
            let shifted = |edges: &[i32], by: i32| edges.iter().map(|edge| edge + by).collect();
            (shifted(&grid.xs, dx), shifted(&grid.ys, dy))
        };
        // The inner lines are cells for certain; the outer ones grow back if they are.
        trim(&mut xs);
        trim(&mut ys);
        loop {
            let before = (xs.len(), ys.len());
            for way in [1, -1] {
                fitting.grow(&mut xs, &ys, way, self.pitch, &across, true);
                fitting.grow(&mut ys, &xs, way, self.pitch, &down, false);
            }
            if (xs.len(), ys.len()) == before {
                break;
            }
        }
        for end in [false, true] {
            fitting.shrink(&mut xs, &ys, end, true)?;
            fitting.shrink(&mut ys, &xs, end, false)?;
        }
        if xs.len() <= LEAST || ys.len() <= LEAST {
            return None;
        }
        let mut whole = Line::default();
        for ys in ys.windows(2) {
            for xs in xs.windows(2) {
                whole.add(fitting.found(xs, ys).as_ref());
            }
        }
        let fits = whole.clear() >= CLEAR && whole.telling() >= TELLING_BOARD;
        fits.then(|| Fit {
            lattice: Lattice::new(xs, ys),
            clear: whole.clear(),
            distance: whole.distance(),
        })
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

/// What a cell looks like at a glance; `None` when it reaches beyond the picture.
fn glance(pixels: &RgbImage, cell: Rect) -> Option<Glance> {
    let whole = Rect::new(0, 0, pixels.width(), pixels.height());
    let side = cell.width.min(cell.height);
    let seen = whole.encloses(cell) && side >= 8;
    seen.then(|| Glance::at(pixels, cell.x as u32, cell.y as u32, side))
}

/// Keeps the middle of the tracked lines. Returns how many were cut off at each end.
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

struct Fitting<'a, 'b> {
    region: Rect,
    matcher: &'b Matcher,
    cells: &'b mut Cells<'a>,
    matches: Matches<Match>,
}

impl Fitting<'_, '_> {
    /// How far cell edges are from the lines of a grid, to the right and down: where edges are strongest of the ways that
    /// fit about equally well, and the way that fits best.
    fn phases(&mut self, tracks: &Tracks, grid: &Grid) -> Option<[Phase; 2]> {
        let matcher = self.matcher;
        let glanced = grid.phases.iter().map(|(phase, glances)| {
            let distance = |glance: &Option<Glance>| {
                glance.as_ref().map_or(f32::MAX, |glance| matcher.distance_at_a_glance(glance))
            };
            (cost(glances.iter().map(distance)), *phase)
        });
        let mut glanced: Vec<(f32, Phase)> = glanced.collect();
        glanced.retain(|(cost, _)| *cost <= FAR_AT_A_GLANCE);
        glanced.sort_by(|a, b| a.0.total_cmp(&b.0));
        glanced.truncate(CLOSELY);
        let mut closely =
            |phase| (cost(grid.sampled(phase).map(|cell| self.distance_to_common(cell))), phase);
        let mut tried: Vec<_> = glanced.into_iter().map(|(_, phase)| closely(phase)).collect();
        let cheapest =
            |tried: &[(f32, Phase)]| tried.iter().copied().min_by(|a, b| a.0.total_cmp(&b.0));
        // From there a pixel at a time, while that is better.
        let (least, (x, y)) = loop {
            let (least, (x, y)) = cheapest(&tried)?;
            let around = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
            let known = |phase: &(i32, i32)| tried.iter().any(|(_, known)| known == phase);
            let around: Vec<_> = around.filter(|phase| !known(phase)).collect();
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
        let (dxs, dys): (Vec<i32>, Vec<i32>) = ties.map(|(_, phase)| *phase).unzip();
        let span = |phases: &[i32]| Some(*phases.iter().min()?..=*phases.iter().max()?);
        let dx = tracks.across.loudest(&grid.xs, span(&dxs)?)?;
        let dy = tracks.down.loudest(&grid.ys, span(&dys)?)?;
        Some([(dx, dy), (x, y)])
    }

    /// How far a cell is from the commonest looks, at most twice [`FAR`].
    fn distance_to_common(&mut self, cell: Rect) -> f32 {
        let number = self.cells.number(cell);
        number.map_or(2.0 * FAR, |number| {
            self.matcher.distance_to_common(self.cells.patch(number)).min(2.0 * FAR)
        })
    }

    /// What the first cell between these edges looks like; `None` when it reaches beyond the picture or has no
    /// gap where the skin's cells have one.
    fn found(&mut self, xs: &[i32], ys: &[i32]) -> Option<Match> {
        let (width, height) = ((xs[1] - xs[0]) as u32, (ys[1] - ys[0]) as u32);
        let cell = Rect::new(xs[0], ys[0], width, height);
        if !self.has_gap(cell) {
            return None;
        }
        let number = self.cells.number(cell)?;
        let patch = self.cells.patch(number);
        Some(self.matches.of(number, || self.matcher.compare_any(patch)))
    }

    /// Whether the cell stands out from the gap around it, if the skin has one.
    fn has_gap(&self, cell: Rect) -> bool {
        if self.cells.gap() == 0 {
            return true;
        }
        // The middle of the gap, and a place well inside the cell: right even if the edge is a pixel off.
        let inside = within_gap(cell, self.cells.gap());
        let Px { x, y } = inside.centre();
        let before = inside.x - cell.x;
        let steps = [
            (Px::new(cell.x, y), Px::new(inside.x + before, y)),
            (Px::new(x, cell.y), Px::new(x, inside.y + before)),
            (Px::new(cell.right(), y), Px::new(inside.right() - 1 - before, y)),
            (Px::new(x, cell.bottom()), Px::new(x, inside.bottom() - 1 - before)),
        ];
        let pixel = |at: Px| self.cells.pixels().get_pixel_checked(at.x as u32, at.y as u32);
        let differ = |(gap, cell): &(Px, Px)| {
            let both = pixel(*gap).zip(pixel(*cell));
            both.is_some_and(|(a, b)| {
                a.0.iter().zip(b.0).map(|(a, b)| u16::from(a.abs_diff(b))).sum::<u16>() >= STEP
            })
        };
        steps.iter().all(differ)
    }

    /// How the cells between `from` and `to` on one axis look; `across` says whether that is the axis of
    /// the columns.
    fn line(&mut self, from: i32, to: i32, others: &[i32], across: bool) -> Line {
        let mut line = Line::default();
        for other in others.windows(2) {
            let edges = [from, to];
            let (xs, ys) = if across { (&edges[..], other) } else { (other, &edges[..]) };
            line.add(self.found(xs, ys).as_ref());
        }
        line
    }

    /// Whether a line of cells belongs to the board.
    fn belongs(&self, line: &Line, from: i32, to: i32, others: &[i32], across: bool) -> bool {
        let proves = || {
            // Lines between cells prove blank ones, and where cells have such lines, no lines are no cells.
            let inner = &others[1..others.len() - 1];
            if !inner.is_empty() && has_lines(self.cells.pixels(), from, to, across, inner) {
                return true;
            }
            if !inner.is_empty() && self.matcher.has_lines {
                return false;
            }
            // So does a gap around each cell. Otherwise, beyond the region in which edges repeat, blank cells prove
            // nothing: what is beside a board is often as blank.
            let (start, end) = if across {
                (self.region.x, self.region.right())
            } else {
                (self.region.y, self.region.bottom())
            };
            let inside = to.min(end) - from.max(start);
            self.cells.gap() > 0 || 2 * inside > to - from
        };
        line.alike() >= ALIKE && (line.telling() >= TELLING || proves())
    }

    /// Adds lines to one end of `edges` while they look like cells.
    fn grow(
        &mut self,
        edges: &mut Vec<i32>,
        others: &[i32],
        way: i32,
        pitch: i32,
        profile: &Profile,
        across: bool,
    ) {
        let mut hidden: Vec<i32> = Vec::new();
        // Cells that are equal so far stay so.
        let equal = edges.windows(2).all(|pair| pair[1] - pair[0] == pitch);
        let drifts: &[i32] = if equal { &[0] } else { &[0, -1, 1] };
        loop {
            let end = if way > 0 { edges[edges.len() - 1] } else { edges[0] };
            let start = hidden.last().copied().unwrap_or(end);
            let next = drifts
                .iter()
                .map(|drift| {
                    let edge = profile.settled(start + way * (pitch + drift));
                    let (from, to) = (start.min(edge), start.max(edge));
                    let line = self.line(from, to, others, across);
                    (edge, self.belongs(&line, from, to, others, across), line.distance())
                })
                .reduce(|best, other| if other.2 < best.2 - 0.25 { other } else { best });
            let Some((edge, found, _)) = next else { return };
            hidden.push(if found { edge } else { start + way * pitch });
            if found {
                if way > 0 {
                    edges.append(&mut hidden);
                } else {
                    edges.splice(0..0, hidden.drain(..).rev());
                }
            } else if hidden.len() > HIDDEN_LINES {
                return;
            }
        }
    }

    /// Takes lines that do not look like cells from one end of `edges`.
    fn shrink(
        &mut self,
        edges: &mut Vec<i32>,
        others: &[i32],
        end: bool,
        across: bool,
    ) -> Option<()> {
        while edges.len() > 2 {
            let at = if end { edges.len() - 2 } else { 0 };
            let (from, to) = (edges[at], edges[at + 1]);
            let line = self.line(from, to, others, across);
            if self.belongs(&line, from, to, others, across) {
                return Some(());
            }
            edges.remove(if end { edges.len() - 1 } else { 0 });
        }
        None
    }
}

/// How the cells of a line, or of a whole board, look.
#[derive(Default)]
struct Line {
    cells: f32,
    alike: f32,
    clear: f32,
    telling: f32,
    sum: f32,
}

impl Line {
    fn add(&mut self, found: Option<&Match>) {
        let distance = found.map_or(2.0 * FAR, |found| found.distance.min(2.0 * FAR));
        self.cells += 1.0;
        self.sum += distance;
        if distance <= FAR {
            self.alike += 1.0;
        }
        let cell = found.map_or(Cell::Unclear, |found| found.cell());
        if cell != Cell::Unclear {
            self.clear += 1.0;
            self.telling += f32::from(u8::from(cell != Cell::open(0)));
        }
    }

    /// The share of cells that are not too far from some template.
    fn alike(&self) -> f32 {
        self.alike / self.cells
    }

    /// The share of cells that are read clearly.
    fn clear(&self) -> f32 {
        self.clear / self.cells
    }

    /// The share of cells that are read clearly and are not blank.
    fn telling(&self) -> f32 {
        self.telling / self.cells
    }

    /// The mean distance to the nearest template, in grey levels.
    fn distance(&self) -> f32 {
        self.sum / self.cells
    }
}
