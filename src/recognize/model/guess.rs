//! Which skin may explain what repeats in a part of a picture, roughly: at few bins, by some cells.

use std::sync::Arc;

use super::lines::{Lines, likely_offsets};
use super::looks::{FINE, LOOKS, Looks};
use super::parallel::mapped;
use super::periodicity::Period;
use super::samples::{Edges, Grid, Place, Samples};
use super::scene::Scene;
use super::starts::starts;
use super::view::{Freedom, View};
use crate::board::Cell;
use crate::geometry::Rect;
use crate::recognize::skin::{GamePhase, Skin, Template};

/// Bins of a cell along each axis: where skins are told apart roughly.
const ROUGH: usize = 8;
/// Cells by which skins are told apart.
pub(super) const SAMPLE: usize = 72;
/// Places of the edges along each axis that are tried for each skin and each state of a board.
const OFFSETS: usize = 3;
/// Cells by which a start is judged.
const FEW: usize = 24;
/// Starts that are followed.
const BEST_STARTS: usize = 3;
/// Hypotheses that are looked at finely.
const KEPT: usize = 6;
/// Gaps that are tried, as shares of what the skin draws: pictures of windows are scaled by anything.
const GAPS: [f32; 5] = [0.5, 0.7, 1.0, 1.4, 2.0];
/// Places of edges that are nearer to each other, as a share of a cell, are the same: the grid is moved by more later.
const SAME_OFFSET: f32 = 0.04;
/// No gap takes a larger share of a cell.
pub(super) const WIDEST_GAP: f32 = 0.35;
/// How far edges are moved at a time, as a share of a cell.
pub(super) const STEP: f32 = 1.0 / 16.0;
/// Fewer cells tell nothing of a skin: the smallest board has more.
const LEAST_CELLS: usize = 9;

/// A rough guess, and how much of the variance it explains.
pub(crate) struct Guess {
    /// A look of each kind, at [`ROUGH`] bins.
    pub(super) rough: Arc<Looks>,
    pub(super) grid: Grid,
    pub(super) view: View,
    /// The logarithm of the share of the variance that is left, less than none.
    pub(crate) explained: f32,
}

/// What may explain a place, roughly, the likeliest first.
pub(crate) fn guesses(scene: &Scene<'_>, period: &Period, skins: &[Arc<Skin>]) -> Vec<Guess> {
    let region = period.region;
    let (xs, ys) = ((region.x, region.right()), (region.y, region.bottom()));
    let [across, down] = scene.profiles();
    let lines = [across.followed(period.pitch.0, xs, ys), down.followed(period.pitch.1, ys, xs)];
    let of = |skin: &Arc<Skin>| guesses_of(scene, period, &lines, skin);
    let mut guesses: Vec<Guess> =
        mapped(skins.iter().collect(), of).into_iter().flatten().collect();
    guesses.sort_by(|a, b| b.explained.total_cmp(&a.explained));
    for guess in &guesses {
        log::trace!(
            "model: guess {} gap {} at {:.1} {:.1}: {:.2}",
            guess.rough.skin.name,
            guess.rough.gap,
            guess.grid.across.at(0),
            guess.grid.down.at(0),
            guess.explained
        );
    }
    guesses.truncate(KEPT);
    guesses
}

/// The gaps that there may be between cells.
fn gaps(skin: &Skin, pitch: f32) -> Vec<f32> {
    let own = skin.gap_width() as f32;
    if own == 0.0 {
        return vec![0.0];
    }
    GAPS.iter().map(|by| by * own).filter(|&gap| gap < WIDEST_GAP * pitch).collect()
}

/// Cells spread over a region.
pub(super) fn spread(grid: &Grid, region: Rect, count: usize) -> Vec<Place> {
    let (left, right) = grid.across.within(region.x as f32, region.right() as f32);
    let (top, bottom) = grid.down.within(region.y as f32, region.bottom() as f32);
    let (cols, rows) = ((right - left) as usize, (bottom - top) as usize);
    let all = cols * rows;
    let some = count.min(all);
    (0..some)
        .map(|number| number * all / some)
        .map(|at| (left + (at % cols) as i32, top + (at / cols) as i32))
        .collect()
}

fn guesses_of(
    scene: &Scene<'_>,
    period: &Period,
    [columns, rows]: &[Lines; 2],
    skin: &Arc<Skin>,
) -> Vec<Guess> {
    let region = period.region;
    let edges = |start: f32, from: i32, lines: &Lines| {
        let pitch = lines.pitch;
        let number = (from as f32 / pitch - start).ceil() as i32;
        let origin = (start - lines.loudest).round() as i32;
        Edges::new(start * pitch, pitch, lines.shifts.clone(), origin).from(number)
    };
    let mut guesses: Vec<Guess> = Vec::new();
    for all in looks_of(skin, period.pitch) {
        let rough = rough(&all);
        let mut offsets: Vec<(f32, f32)> = Vec::new();
        for [across, down] in all.folded_edges() {
            let in_x = likely_offsets(&columns.folded, &across, OFFSETS);
            let in_y = likely_offsets(&rows.folded, &down, OFFSETS);
            for (x, y) in in_x.iter().flat_map(|x| in_y.iter().map(move |y| (*x, *y))) {
                let near = |a: f32, b: f32| (a - b).abs() < SAME_OFFSET;
                if !offsets.iter().any(|known| near(known.0, x) && near(known.1, y)) {
                    offsets.push((x, y));
                }
            }
        }
        for (x, y) in offsets {
            let grid = Grid { across: edges(x, region.x, columns), down: edges(y, region.y, rows) };
            guesses.extend(guess(scene, region, &rough, grid));
        }
    }
    guesses.sort_by(|a, b| b.explained.total_cmp(&a.explained));
    guesses.truncate(2);
    guesses.iter_mut().for_each(|guess| guess.settle(scene, region));
    guesses
}

/// What may explain a board whose cells are known, roughly, the likeliest first.
pub(crate) fn guesses_at(
    scene: &Scene<'_>,
    region: Rect,
    grid: &Grid,
    skins: &[Arc<Skin>],
) -> Vec<Guess> {
    let pitch = (grid.across.pitch, grid.down.pitch);
    let all = skins.iter().flat_map(|skin| looks_of(skin, pitch));
    let of = |looks: Looks| guess(scene, region, &rough(&looks), grid.clone());
    let mut guesses: Vec<Guess> = mapped(all.collect(), of).into_iter().flatten().collect();
    guesses.sort_by(|a, b| b.explained.total_cmp(&a.explained));
    // Of gaps the likeliest is enough: it is widened or narrowed later.
    let mut likeliest: Vec<Guess> = Vec::new();
    for guess in guesses {
        let is_same = |known: &Guess| {
            Arc::ptr_eq(&known.rough.skin, &guess.rough.skin)
                && known.rough.phase == guess.rough.phase
        };
        if !likeliest.iter().any(is_same) {
            likeliest.push(guess);
        }
    }
    likeliest.truncate(KEPT);
    likeliest
}

/// All that a skin's cells may look like when they are of this size, but for phases of a game in which only some kinds look
/// otherwise.
fn looks_of(skin: &Arc<Skin>, pitch: (f32, f32)) -> impl Iterator<Item = Looks> + use<> {
    let skin = skin.clone();
    let size = (pitch.0.round() as u32, pitch.1.round() as u32);
    let changes_all = |phase: &Option<GamePhase>| {
        let covered = |t: &Template| t.cell == Cell::Covered && t.phase == *phase;
        skin.templates.iter().any(covered)
    };
    let phases: Vec<Option<GamePhase>> = GamePhase::ALL.into_iter().filter(changes_all).collect();
    let gaps = gaps(&skin, pitch.0.min(pitch.1));
    let kinds = phases
        .into_iter()
        .flat_map(move |phase| gaps.clone().into_iter().map(move |gap| (phase, gap)));
    kinds.filter_map(move |(phase, gap)| Looks::new(&skin, phase, size, gap, FINE, LOOKS))
}

/// One look of each kind, at fewer bins.
fn rough(looks: &Looks) -> Arc<Looks> {
    Arc::new(looks.nearest_in_size(1).halved())
}

/// How far these looks explain the cells of a grid within a region; `None` where there are too few.
fn guess(scene: &Scene<'_>, region: Rect, rough: &Arc<Looks>, grid: Grid) -> Option<Guess> {
    let places = spread(&grid, region, SAMPLE);
    let seen = Samples::cut(scene.pixels, &grid, &places, ROUGH);
    if seen.len() < LEAST_CELLS {
        return None;
    }
    let (cost, view) = best_view(&seen, rough)?;
    let explained = (seen.variance() / cost.max(1.0)).ln();
    Some(Guess { rough: rough.clone(), grid, view, explained })
}

impl Guess {
    /// Moves the grid by shares of a cell while more is explained.
    fn settle(&mut self, scene: &Scene<'_>, region: Rect) {
        let looks = &*self.rough;
        let predictions = self.view.predict(looks);
        let explained = |grid: &Grid| -> f32 {
            let seen = Samples::cut(scene.pixels, grid, &spread(grid, region, FEW), ROUGH);
            let variance = seen.variance();
            let cost =
                predictions.nearest(&seen, looks, self.view.noise.variance).mean_capped(variance);
            (variance / cost.max(1.0)).ln()
        };
        let mut best = explained(&self.grid);
        let before = self.grid.clone();
        for _ in 0..2 {
            let from = self.grid.clone();
            for (x, y) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
                let mut grid = from.clone();
                grid.across.first += x as f32 * STEP * grid.across.pitch;
                grid.down.first += y as f32 * STEP * grid.down.pitch;
                let other = explained(&grid);
                if other > best {
                    (best, self.grid) = (other, grid);
                }
            }
        }
        if self.grid != before {
            let seen =
                Samples::cut(scene.pixels, &self.grid, &spread(&self.grid, region, SAMPLE), ROUGH);
            let colour = !self.view.is_plain();
            let cost = self.view.fit(&seen, looks, 2, Freedom { colour, blur: false });
            self.explained = (seen.variance() / cost.max(1.0)).ln();
        }
    }
}

/// The view that brings cells nearest to what they show, and how far that is: all starts are tried on a few cells, and the best
/// ones on all.
fn best_view(seen: &Samples, looks: &Looks) -> Option<(f32, View)> {
    let few = seen.some(FEW);
    let fit = |seen: &Samples, rounds: usize, (mut view, colour): (View, bool)| {
        let cost = view.fit(seen, looks, rounds, Freedom { colour, blur: false });
        (cost, (view, colour))
    };
    let mut tried: Vec<(f32, (View, bool))> =
        starts(seen, looks).into_iter().map(|start| fit(&few, 1, start)).collect();
    tried.retain(|(_, (view, _))| !is_blank(view, looks, &few));
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    let best = tried.into_iter().take(BEST_STARTS).map(|(_, start)| fit(seen, 2, start));
    let best = best.filter(|(_, (view, _))| !is_blank(view, looks, seen));
    best.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(cost, (view, _))| (cost, view))
}

/// Whether these cells seem to be blanks, all of them.
fn is_blank(view: &View, looks: &Looks, seen: &Samples) -> bool {
    view.shown(looks, seen).iter().all(|&cell| cell == Cell::open(0))
}
