//! Boards in a picture: the places where edges repeat, and what explains the cells there.

use std::sync::Arc;

use image::RgbImage;

use super::guess::{Guess, guesses, guesses_at};
use super::hypothesis::{Hypothesis, hypotheses};
use super::parallel::mapped;
use super::periodicity::{Period, periods};
use super::samples::Grid;
use super::scene::Scene;
use super::sight::Sight;
use super::whole::{ROUNDS, Whole};
use crate::board::{Board, Cell};
use crate::geometry::Rect;
use crate::recognize::Lattice;
use crate::recognize::skin::Skin;

/// Places that are looked at finely, the ones with most evidence of repetition.
const PLACES: usize = 8;
/// What explains less than this, as the logarithm of the share of the variance that is left, is no board.
const LEAST_EXPLAINED: f32 = 0.4;
/// What explains less than this share of what the best does is left alone.
const NEARLY: f32 = 0.6;
/// Hypotheses that tell less than this share of what the best does are left alone.
const RIVALS: f32 = 0.75;
/// So many hypotheses are looked at as whole boards.
const MOST_RIVALS: usize = 3;
/// Places whose pitch differs by less, as a logarithm, have the same cells: in a small place it is off by a share of a
/// pixel. Chosen, not fitted.
const SAME_PITCH: f64 = 1.0 / 16.0;
/// More than half of a board that is hidden is none that is in sight. Chosen, not fitted.
const MOST_HIDDEN: f64 = 0.5;
/// No larger share of a board is unclear in colours that were estimated from it.
const MOST_UNCLEAR: f64 = 0.1;
/// A click opens one cell, or all around one.
const MOST_OPENED: usize = 8;

/// A board that was found in a picture.
#[derive(Clone, Debug)]
pub(crate) struct Explained {
    /// In pixels of the picture.
    pub(crate) lattice: Lattice,
    /// What its cells show.
    pub(crate) board: Board,
    /// What it is explained by.
    pub(crate) sight: Sight,
    /// Whether it is decided where it ends.
    is_whole: bool,
}

impl Explained {
    /// Whether most of a part of the picture is within it.
    fn holds_most_of(&self, area: Rect) -> bool {
        let size = |area: Rect| u64::from(area.width) * u64::from(area.height);
        let both = self.lattice.area().intersection(area);
        both.is_some_and(|both| 2 * size(both) > size(area))
    }

    /// Whether a place where edges repeat as its own do is a part of it.
    fn has(&self, period: &Period) -> bool {
        let is_same = |a: f32, b: f64| (f64::from(a) / b).ln().abs() < SAME_PITCH;
        let (across, down) = self.lattice.pitch();
        self.is_whole
            && self.holds_most_of(period.region)
            && is_same(period.pitch.0, across)
            && is_same(period.pitch.1, down)
    }

    /// Whether most cells are told, and no more mines burst than are opened at once. Where it is not so, it is something that is
    /// like a board. In the skin's own colours cells may be hidden; in others that many are unclear says that they are not
    /// those of the picture.
    fn is_likely(&self) -> bool {
        let unclear = self.board.count(|cell| cell == Cell::Unclear) as f64;
        let most = if self.sight.is_plain() { MOST_HIDDEN } else { MOST_UNCLEAR };
        let burst = self.board.count(|cell| cell == Cell::Burst);
        log::debug!("model: {unclear} of {} cells are unclear", self.board.cells().len());
        unclear <= most * self.board.cells().len() as f64 && burst <= MOST_OPENED
    }
}

/// Where boards are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Places {
    /// Around the lattices that are known.
    Known,
    /// Wherever edges repeat, too.
    All,
}

/// The boards in a picture that one of the skins explains, those with most evidence first. Some may be where these lattices
/// are, whatever their extent.
pub(crate) fn explained(
    pixels: &RgbImage,
    skins: &[Arc<Skin>],
    lattices: &[Lattice],
    looked_for: Places,
) -> Vec<Explained> {
    let scene = Scene::new(pixels);
    let periods = if looked_for == Places::All { periods(pixels) } else { Vec::new() };
    let mut places: Vec<(&Period, Vec<Guess>)> = periods
        .iter()
        .take(PLACES)
        .map(|period| (period, guesses(&scene, period, skins)))
        .collect();
    let explained = |guesses: &[Guess]| guesses.first().map_or(0.0, |guess| guess.explained);
    let promise = |period: &Period, guesses: &[Guess]| {
        let cell = period.pitch.0 * period.pitch.1;
        explained(guesses) * period.region.width as f32 * period.region.height as f32 / cell
    };
    // The best come first; once a board is found, others have to promise about as much, and more where it is.
    places.sort_by(|(at, a), (of, b)| promise(of, b).total_cmp(&promise(at, a)));
    let mut boards: Vec<(Explained, f32)> = Vec::new();
    let mut least = LEAST_EXPLAINED;
    for (period, mut guesses) in places {
        let best = explained(&guesses);
        let is_known = |(board, of): &(Explained, f32)| {
            board.has(period)
                || (board.is_whole && *of >= best && board.holds_most_of(period.region))
        };
        if best < least || boards.iter().any(is_known) {
            continue;
        }
        log::debug!(
            "model: edges repeat in {} every {:?} px: {:.0} nats, {best:.2} explained",
            period.region,
            period.pitch,
            period.evidence
        );
        guesses.retain(|guess| guess.explained >= NEARLY * best);
        let near = likeliest(&scene, hypotheses(&scene, period.region, guesses));
        if let Some(board) = board_around(&scene, near, skins).filter(Explained::is_likely) {
            if board.is_whole {
                least = least.max(NEARLY * best);
            }
            boards.push((board, best));
        }
    }
    for lattice in lattices {
        let is_known =
            |(board, _): &(Explained, f32)| board.is_whole && board.holds_most_of(lattice.area());
        if !boards.iter().any(is_known) {
            let board = board_around(&scene, hypotheses_at(&scene, lattice, skins), skins);
            boards.extend(board.filter(Explained::is_likely).map(|board| (board, 0.0)));
        }
    }
    boards.sort_by(|(a, _), (b, _)| b.sight.evidence().total_cmp(&a.sight.evidence()));
    let mut apart: Vec<Explained> = Vec::new();
    for (board, _) in boards {
        if !apart.iter().any(|known| known.holds_most_of(board.lattice.area())) {
            apart.push(board);
        }
    }
    // What explains a place best may be a board that has no certain end. Then a part of it is none.
    apart.retain(|board| board.is_whole);
    apart
}

/// What explains the board whose cells are those of `lattice`, with one of these skins; `None` where none does.
pub(crate) fn explained_at(
    pixels: &RgbImage,
    lattice: &Lattice,
    skins: &[Arc<Skin>],
) -> Option<Sight> {
    let scene = Scene::new(pixels);
    let extent = ((0, 0), (i32::from(lattice.cols()), i32::from(lattice.rows())));
    let near = hypotheses_at(&scene, lattice, skins);
    let wholes = mapped(near, |hypothesis| Whole::at(&scene, &hypothesis, extent));
    Sight::of(&scene, wholes).map(|(sight, _)| sight)
}

/// What is likeliest to explain cells whose places are known.
fn hypotheses_at(scene: &Scene<'_>, lattice: &Lattice, skins: &[Arc<Skin>]) -> Vec<Hypothesis> {
    let (area, grid) = (lattice.area(), Grid::on(lattice));
    likeliest(scene, hypotheses(scene, area, guesses_at(scene, area, &grid, skins)))
}

/// The board around the cells of the likeliest of these hypotheses.
fn board_around(
    scene: &Scene<'_>,
    near: Vec<Hypothesis>,
    skins: &[Arc<Skin>],
) -> Option<Explained> {
    let around = |near: Vec<Hypothesis>| {
        let wholes = mapped(near, |hypothesis| Whole::around(scene, &hypothesis));
        Sight::of(scene, wholes.into_iter().flatten().collect())
    };
    let (mut sight, mut board) = around(near)?;
    // Where its place holds more than the board, that has misled what was estimated.
    for _ in 0..ROUNDS {
        let again = around(hypotheses_at(scene, &sight.lattice()?, skins));
        let Some(better) = again.filter(|(other, _)| other.evidence() > sight.evidence()) else {
            break;
        };
        let is_same = better.0.lattice() == sight.lattice();
        (sight, board) = better;
        if is_same {
            break;
        }
    }
    // What is estimated without a line may speak against it.
    while let Some(wider) = sight.widened(scene, &board) {
        (sight, board) = wider;
    }
    let undecided = sight.undecided(scene, &board);
    if let Some((from, to)) = undecided {
        log::debug!("model: whether the cells from {from:?} to {to:?} belong to it is undecided");
    }
    let short = sight.short_of_mines(scene);
    if let Some(side) = short {
        log::debug!("model: numbers count mines beyond its {side}");
    }
    let (lattice, is_whole) = (sight.lattice()?, undecided.is_none() && short.is_none());
    Some(Explained { lattice, board, sight, is_whole })
}

/// Those hypotheses that are about as good as the best one, and say something else. What no game looks like is none of them
/// where others are.
fn likeliest(scene: &Scene<'_>, hypotheses: Vec<Hypothesis>) -> Vec<Hypothesis> {
    let is_possible = |hypothesis: &Hypothesis| hypothesis.is_possible(&hypothesis.samples(scene));
    let (possible, others): (Vec<Hypothesis>, Vec<Hypothesis>) =
        hypotheses.into_iter().partition(is_possible);
    let hypotheses = if possible.is_empty() { others } else { possible };
    let best = hypotheses.first().map_or(0.0, Hypothesis::per_cell);
    let mut near: Vec<Hypothesis> = Vec::new();
    for other in hypotheses {
        log::debug!(
            "model: {} {:?} gap {:.1} {}: {:.0} nats, variance {:.1}",
            other.looks.skin.name,
            other.looks.phase,
            other.looks.gap,
            if other.view.is_plain() { "plain" } else { "recoloured" },
            other.per_cell(),
            other.view.noise.variance
        );
        let is_near = other.per_cell() >= RIVALS * best;
        if is_near && !near.iter().any(|known| known.is_alike(&other)) && near.len() < MOST_RIVALS {
            near.push(other);
        }
    }
    near
}
