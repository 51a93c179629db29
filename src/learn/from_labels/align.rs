//! Laying a labelled board over its screenshot.
//!
//! Of all the ways to do so, the right one makes cells with equal labels most alike, or, once there are
//! looks of some kinds of cells from other screenshots, most like those.

use image::RgbImage;

use crate::board::{Board, Cell, Pos};
use crate::geometry::Rect;
use crate::recognize::detect::gridlines::Profile;
use crate::recognize::detect::patch::Patch;
use crate::recognize::detect::repetition::{Candidate, candidates};
use crate::recognize::detect::square::Samplers;
use crate::recognize::{Lattice, Skin};

/// Pairs of cells with equal labels that are compared, at most.
const PAIRS: usize = 32;
/// Phases are first tried at this many places along a cell.
const COARSE: i32 = 12;
/// Phases whose cost is within this many grey levels of the best are as good as it.
const EQUALLY_GOOD_WITHIN: f32 = 0.25;
/// When cells with equal labels differ by less than this, in grey levels, no better place is looked for.
const GOOD_FIT: f32 = 6.0;
/// Cells with equal labels may differ by this much on the whole, in grey levels.
const WORST_FIT: f32 = 32.0;

/// The lattice of the labelled `board` in `pixels`. `looks` gives the looks of a kind of cell, as far as
/// they are known.
pub(super) fn align(
    pixels: &RgbImage,
    board: &Board,
    skin: &Skin,
    looks: &dyn Fn(Cell) -> Vec<Patch>,
) -> Option<Lattice> {
    let known = Known::new(board, looks);
    let pairs = if known.cells.is_empty() { pairs(board) } else { Vec::new() };
    let mut best: Option<(f32, Lattice)> = None;
    for candidates in candidates(pixels) {
        for candidate in candidates {
            if !plausible(&candidate, board) {
                continue;
            }
            let pitch = candidate.pitch as i32;
            let (cols, rows) = (usize::from(board.cols()), usize::from(board.rows()));
            let Some((across, down)) = Profile::around(pixels, &candidate) else { continue };
            let xs = lines(&Profile::across(pixels, candidate.region), pitch, cols);
            let ys = lines(&Profile::down(pixels, candidate.region), pitch, rows);
            let mut laying = Laying {
                gap: skin.gap.is_some(),
                fill_weight: skin.fill_weight(),
                pairs: &pairs,
                known: &known,
                across: across.with_gap(skin.gap_width()),
                down: down.with_gap(skin.gap_width()),
                samplers: Samplers::new(pixels, skin.gap_width()),
            };
            for xs in xs.windows(cols + 1) {
                for ys in ys.windows(rows + 1) {
                    let least = best.as_ref().map_or(WORST_FIT, |(least, _)| *least);
                    if let Some(better) = laying.best(xs, ys, pitch, least) {
                        best = Some(better);
                    }
                }
            }
            if best.as_ref().is_some_and(|(cost, _)| *cost < GOOD_FIT) {
                break;
            }
        }
    }
    best.map(|(_, lattice)| lattice)
}

/// Whether the labelled board could be where the candidate is.
fn plausible(candidate: &Candidate, board: &Board) -> bool {
    let cells = |pixels: u32| f64::from(pixels) / f64::from(candidate.pitch);
    let fits = |found: f64, labelled: u16| {
        let labelled = f64::from(labelled);
        found > labelled * 0.6 && found < labelled + 4.0
    };
    fits(cells(candidate.region.width), board.cols())
        && fits(cells(candidate.region.height), board.rows())
}

/// The tracked lines in picture pixels, and more at both ends: one, and as many as are missing to make
/// `cells` cells.
fn lines(profile: &Profile, pitch: i32, cells: usize) -> Vec<i32> {
    let tracked = profile.followed(pitch);
    let more = 1 + (cells + 1).saturating_sub(tracked.len()) as i32;
    let (first, last) = (tracked[0], tracked[tracked.len() - 1]);
    let before = (1..=more).rev().map(|n| first - n * pitch);
    let after = (1..=more).map(|n| last + n * pitch);
    before.chain(tracked.iter().copied()).chain(after).collect()
}

/// Places with equal labels: the borders first, since they tell where the board ends.
fn pairs(board: &Board) -> Vec<(Pos, Pos)> {
    let (right, bottom) = (board.cols() - 1, board.rows() - 1);
    let at_border =
        |pos: Pos| pos.col == 0 || pos.row == 0 || pos.col == right || pos.row == bottom;
    let mut pairs = Vec::new();
    for borders in [true, false] {
        let firsts: Vec<(Pos, Cell)> = board
            .iter()
            .filter(|&(pos, cell)| cell != Cell::Unclear && at_border(pos) == borders)
            .collect();
        let stride = (firsts.len() * 2 / PAIRS).max(1);
        for &(first, cell) in firsts.iter().step_by(stride) {
            // The partner is far away, so that both are rarely spoilt alike.
            let partner = board
                .iter()
                .filter(|&(pos, other)| other == cell && pos != first && !at_border(pos))
                .max_by_key(|(pos, _)| (pos.col * 7 + pos.row * 13 + first.col + first.row) % 31);
            pairs.extend(partner.map(|(second, _)| (first, second)));
        }
    }
    pairs
}

/// Some cells of a board, each with the looks of its kind.
struct Known {
    looks: Vec<(Cell, Vec<Patch>)>,
    cells: Vec<(Pos, usize)>,
}

impl Known {
    fn new(board: &Board, looks: &dyn Fn(Cell) -> Vec<Patch>) -> Self {
        let mut known = Self { looks: Vec::new(), cells: Vec::new() };
        let (right, bottom) = (board.cols() - 1, board.rows() - 1);
        for (pos, cell) in board.iter() {
            let index =
                known.looks.iter().position(|(kind, _)| *kind == cell).unwrap_or_else(|| {
                    known.looks.push((cell, looks(cell)));
                    known.looks.len() - 1
                });
            if !known.looks[index].1.is_empty() {
                known.cells.push((pos, index));
            }
        }
        // The corners tell best where the board ends; the others are spread over it.
        let corner =
            |pos: Pos| (pos.col == 0 || pos.col == right) && (pos.row == 0 || pos.row == bottom);
        let stride = known.cells.len().div_ceil(PAIRS).max(1);
        let mut number = 0;
        known.cells.retain(|&(pos, _)| {
            number += 1;
            corner(pos) || number % stride == 0
        });
        known
    }
}

struct Laying<'a> {
    gap: bool,
    fill_weight: f32,
    pairs: &'a [(Pos, Pos)],
    known: &'a Known,
    across: Profile,
    down: Profile,
    samplers: Samplers<'a>,
}

impl Laying<'_> {
    /// The best phase of these lines and what it costs, if that is less than `limit`.
    fn best(&mut self, xs: &[i32], ys: &[i32], pitch: i32, limit: f32) -> Option<(f32, Lattice)> {
        if self.gap {
            // The two edges of a gap are where they are, whatever the cells look like.
            let (xs, ys) = (self.across.on_gaps(xs, pitch)?, self.down.on_gaps(ys, pitch)?);
            let cost = self.cost(&xs, &ys, 0, 0, limit)?;
            return Some((cost, Lattice::new(xs, ys)));
        }
        let step = (pitch / COARSE).max(1);
        let coarse: Vec<i32> = (-pitch / 2..pitch - pitch / 2).step_by(step as usize).collect();
        // A phase between two tried ones costs more than the best.
        let tried = self.costs(xs, ys, &coarse, &coarse, limit * 2.0);
        let (_, dx, dy) = least(&tried)?;
        let fine = |at: i32| (at - step..=at + step).collect::<Vec<i32>>();
        let tried = self.costs(xs, ys, &fine(dx), &fine(dy), limit);
        let (cost, ..) = least(&tried)?;
        // A few phases may be as good: the one whose cell edges are the strongest edges wins.
        let ties = || tried.iter().filter(|tried| tried.0 <= cost + EQUALLY_GOOD_WITHIN);
        let span = |phase: fn(&(f32, i32, i32)) -> i32| {
            Some(ties().map(phase).min()?..=ties().map(phase).max()?)
        };
        let dx = self.across.loudest(xs, span(|tie| tie.1)?)?;
        let dy = self.down.loudest(ys, span(|tie| tie.2)?)?;
        let shifted = |lines: &[i32], by: i32| lines.iter().map(|line| line + by).collect();
        Some((cost, Lattice::new(shifted(xs, dx), shifted(ys, dy))))
    }

    /// What each phase costs, for those that cost less than `limit` or little more than the least.
    fn costs(
        &mut self,
        xs: &[i32],
        ys: &[i32],
        dxs: &[i32],
        dys: &[i32],
        mut limit: f32,
    ) -> Vec<(f32, i32, i32)> {
        let mut costs = Vec::new();
        for &dy in dys {
            for &dx in dxs {
                if let Some(cost) = self.cost(xs, ys, dx, dy, limit) {
                    costs.push((cost, dx, dy));
                    limit = limit.min(cost + EQUALLY_GOOD_WITHIN);
                }
            }
        }
        costs
    }

    /// How much cells with equal labels differ when the board lies so, in grey levels; `None` when it
    /// is more than `limit`.
    fn cost(&mut self, xs: &[i32], ys: &[i32], dx: i32, dy: i32, limit: f32) -> Option<f32> {
        let mut patch = |pos: Pos| {
            let (col, row) = (usize::from(pos.col), usize::from(pos.row));
            let (width, height) = (xs[col + 1] - xs[col], ys[row + 1] - ys[row]);
            let (x, y) = (xs[col] + dx, ys[row] + dy);
            self.samplers.take(Rect::new(x, y, width as u32, height as u32))
        };
        let count = (self.pairs.len() + self.known.cells.len()).max(1) as f32;
        let mut sum = 0.0;
        for &(pos, kind) in &self.known.cells {
            let patch = patch(pos)?;
            let distances =
                self.known.looks[kind].1.iter().map(|look| look.distance(&patch, self.fill_weight));
            sum += distances.fold(f32::MAX, f32::min);
            if sum > limit * count {
                return None;
            }
        }
        for &(a, b) in self.pairs {
            sum += patch(a)?.distance(&patch(b)?, self.fill_weight);
            if sum > limit * count {
                return None;
            }
        }
        Some(sum / count)
    }
}

fn least(tried: &[(f32, i32, i32)]) -> Option<(f32, i32, i32)> {
    tried.iter().copied().min_by(|a, b| a.0.total_cmp(&b.0))
}
