//! How near cells are to a skin's templates, at first sight: where a board may be. What its cells show is told by the
//! [model](crate::recognize::model).

use std::sync::Arc;

use image::imageops::{self, FilterType};

use super::edges::difference;
use super::patch::{Patch, SIDE};
use super::thumbnail::Thumbnail;
use crate::board::Cell;
use crate::recognize::skin::{GamePhase, Skin, Template};

/// A cell that differs more than this from the nearest template, in grey levels, shows nothing known.
pub(crate) const FAR: f32 = 24.0;
/// The nearest template of another kind must be farther by this factor.
const APART: f32 = 1.35;

/// Where a line between empty cells differs from what is beside it by at least this, as the sum over red, green and
/// blue, it is seen wherever there are such cells.
const LINE: u16 = 60;
/// What most cells of most boards show.
const COMMON: [Cell; 5] =
    [Cell::Covered, Cell::open(0), Cell::open(1), Cell::open(2), Cell::Flagged];

/// A skin made ready for comparing.
#[derive(Clone, Debug)]
pub(crate) struct Matcher {
    pub(crate) skin: Arc<Skin>,
    /// Of each template.
    patches: Vec<Patch>,
    common: Vec<Thumbnail>,
    /// How strong the lines between empty cells are, as the sum over red, green and blue; 0 where cells have gaps.
    pub(crate) line: u16,
}

/// What a cell is compared to be: the nearest template, and the nearest one of another kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Match {
    pub(crate) nearest: Cell,
    /// Distance to the nearest template, in grey levels.
    pub(crate) distance: f32,
    /// Distance to the nearest template of another kind, where it is near enough to matter.
    second: f32,
}

impl Match {
    /// What is compared with nothing yet.
    const NONE: Match = Match { nearest: Cell::Unclear, distance: f32::MAX, second: f32::MAX };

    /// How near a template of a kind must be to change what the cell shows: another kind that is farther leaves it clear.
    fn matters_within(&self, kind: Cell) -> f32 {
        if kind == self.nearest { self.distance } else { self.second.min(APART * self.distance) }
    }

    /// Takes in how far a template of a kind is, which is less than [matters](Self::matters_within).
    fn weigh(&mut self, kind: Cell, distance: f32) {
        let same = kind == self.nearest;
        if !same && distance >= self.distance {
            self.second = distance;
            return;
        }
        let second = if same { self.second } else { self.distance };
        *self = Match { nearest: kind, distance, second };
    }

    /// What the cell seems to show: unclear unless one kind is near, and much nearer than every other one.
    pub(crate) fn cell(self) -> Cell {
        let is_told = self.distance <= FAR && self.second >= APART * self.distance;
        if is_told { self.nearest } else { Cell::Unclear }
    }
}

impl Matcher {
    pub(crate) fn new(skin: Arc<Skin>) -> Self {
        let common = skin.templates.iter().filter(|template| COMMON.contains(&template.cell));
        let common = common.map(|template| Thumbnail::of(&template.picture)).collect();
        let patches = skin.templates.iter().map(|template| Patch::of(&template.picture)).collect();
        Self { patches, common, line: line(&skin), skin }
    }

    /// The matcher for cells of `side` pixels: where these are fewer than a patch has, templates that have more lose
    /// the same detail before the two are compared.
    pub(crate) fn for_cells(&self, side: u32) -> Option<Self> {
        if !(SIDE as u32 / 2..SIDE as u32).contains(&side) {
            return None;
        }
        let patch = |(Template { picture, .. }, patch): (&Template, &Patch)| {
            if side < picture.width().min(picture.height()) {
                Patch::of(&imageops::resize(picture, side, side, FilterType::Triangle))
            } else {
                patch.clone()
            }
        };
        let patches = self.skin.templates.iter().zip(&self.patches).map(patch).collect();
        Some(Self { patches, ..self.clone() })
    }

    /// The phases in which this skin's cells have looks of their own.
    pub(crate) fn phases(&self) -> Vec<Option<GamePhase>> {
        let has =
            |phase: &Option<GamePhase>| self.skin.templates.iter().any(|look| look.phase == *phase);
        GamePhase::ALL.into_iter().filter(|phase| phase.is_none() || has(phase)).collect()
    }

    /// Compares a cell with every template that it may look like in a game of this phase: a kind with a look of its own in a
    /// phase has no other one in it.
    pub(crate) fn compare(&self, patch: &Patch, phase: Option<GamePhase>) -> Match {
        let templates = &self.skin.templates;
        let own = |kind| templates.iter().any(|t| t.cell == kind && t.phase == phase);
        self.nearest(patch, |t| t.phase == phase || (t.phase.is_none() && !own(t.cell)))
    }

    /// Compares a cell with every template, of whatever phase.
    pub(crate) fn compare_any(&self, patch: &Patch) -> Match {
        self.nearest(patch, |_| true)
    }

    /// Whether empty cells that lie side by side always show where one ends and the next begins.
    pub(crate) fn has_lines(&self) -> bool {
        self.line >= LINE
    }

    /// How far a cell is from the looks that most cells of most boards have, in grey levels.
    pub(crate) fn distance_to_common(&self, patch: &Patch) -> f32 {
        self.nearest(patch, |template| COMMON.contains(&template.cell)).distance
    }

    /// How far a cell is from those looks by its thumbnail, in grey levels.
    pub(crate) fn distance_by_thumbnail(&self, thumbnail: &Thumbnail) -> f32 {
        let fill_weight = self.skin.fill_weight();
        let distances = self.common.iter().map(|look| look.distance(thumbnail, fill_weight));
        distances.fold(f32::MAX, f32::min)
    }

    fn nearest(&self, patch: &Patch, is_shown: impl Fn(&Template) -> bool) -> Match {
        let mut found = Match::NONE;
        let weight = self.skin.fill_weight();
        for (template, look) in self.skin.templates.iter().zip(&self.patches) {
            if is_shown(template) {
                let known = found.matters_within(template.cell);
                if let Some(distance) = look.distance_within(patch, weight, known) {
                    found.weigh(template.cell, distance);
                }
            }
        }
        found
    }
}

/// How strong the line is where one empty cell of a skin ends and the next begins; see [`Matcher::line`].
fn line(skin: &Skin) -> u16 {
    if skin.gap.is_some() {
        return 0;
    }
    let empty = skin.templates.iter().filter(|template| template.cell == Cell::open(0));
    let lines = empty.filter_map(|Template { picture, .. }| {
        let (width, height) = picture.dimensions();
        let pixel = |x: u32| picture.get_pixel(x % width, height / 3).0;
        (width - 2..width + 2).map(|x| difference(&pixel(x), &pixel(x + 1))).max()
    });
    lines.min().unwrap_or(0)
}
