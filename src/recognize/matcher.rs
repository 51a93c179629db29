//! Telling what a cell shows by comparing it with a skin's templates.

use std::sync::Arc;

use image::RgbImage;

use super::edges::difference;
use super::glance::Glance;
use super::patch::{Patch, SIDE, Sampler};
use super::skin::{Mood, Skin, Template};
use crate::board::Cell;
use crate::geometry::Rect;

/// A cell that differs more than this from the nearest template, in grey levels, shows nothing known.
pub(crate) const FAR: f32 = 24.0;
/// How far a cell may be from its template, as a share of the template's own contrast: loud drawings
/// differ more when they are scaled.
const FAR_OF_CONTRAST: f32 = 0.45;
/// How far a cell may be from any template, in grey levels.
const LEAST_FAR: f32 = 12.0;
/// How far a cell may be from even the loudest template, in grey levels.
const MOST_FAR: f32 = 40.0;
/// A cell may differ more, by this factor, if every other kind is [`FAR_APART`] times as far.
const FARTHER: f32 = 1.6;
/// See [`FARTHER`].
const FAR_APART: f32 = 2.0;
/// The nearest template of another kind must be farther by this factor …
const MARGIN_FACTOR: f32 = 1.35;
/// … and by this many grey levels.
const MARGIN_LEVELS: f32 = 2.5;

/// A line between empty cells differs from what is beside it by at least this, as the sum over red, green and
/// blue.
const LINE: u16 = 60;
/// What most cells of most boards show.
const COMMON: [Cell; 5] =
    [Cell::Covered, Cell::open(0), Cell::open(1), Cell::open(2), Cell::Flagged];

/// A skin made ready for comparing.
#[derive(Clone, Debug)]
pub(crate) struct Matcher {
    pub(crate) skin: Arc<Skin>,
    looks: Vec<Look>,
    common: Vec<Glance>,
    /// Whether there are lines between empty cells.
    pub(crate) has_lines: bool,
}

#[derive(Clone, Debug)]
struct Look {
    cell: Cell,
    mood: Option<Mood>,
    patch: Patch,
    limit: f32,
}

/// What a cell is compared to be: the nearest template, and the nearest one of another kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Match {
    pub(crate) nearest: Cell,
    /// Distance to the nearest template, in grey levels.
    pub(crate) distance: f32,
    /// How far that template may be.
    limit: f32,
    /// Distance to the nearest template of another kind.
    second: f32,
}

impl Match {
    /// What the cell shows: unclear unless one kind wins clearly.
    pub(crate) fn cell(self) -> Cell {
        let apart = self.second / self.distance.max(f32::EPSILON);
        let near = self.distance <= self.limit
            || (self.distance <= FARTHER * self.limit && apart >= FAR_APART);
        let wins = apart >= MARGIN_FACTOR && self.second >= self.distance + MARGIN_LEVELS;
        if near && wins { self.nearest } else { Cell::Unclear }
    }
}

impl Matcher {
    pub(crate) fn new(skin: Arc<Skin>) -> Self {
        let common = skin.templates.iter().filter(|template| COMMON.contains(&template.cell));
        let common = common.map(|template| Glance::of(&template.picture)).collect();
        let looks = skin.templates.iter().map(|template| {
            let patch = Patch::of(&template.picture);
            let limit = (FAR_OF_CONTRAST * patch.contrast()).clamp(LEAST_FAR, MOST_FAR);
            Look { cell: template.cell, mood: template.mood, patch, limit }
        });
        Self { looks: looks.collect(), common, has_lines: has_lines(&skin), skin }
    }

    /// The moods in which this skin's cells have looks of their own.
    pub(crate) fn moods(&self) -> Vec<Option<Mood>> {
        let has = |mood| self.looks.iter().any(|look| look.mood == Some(mood));
        let mut moods = vec![None];
        moods.extend([Mood::Lost, Mood::Won].into_iter().filter(|&mood| has(mood)).map(Some));
        moods
    }

    /// Compares a cell with every look it may have in a game of this mood.
    pub(crate) fn compare(&self, patch: &Patch, mood: Option<Mood>) -> Match {
        // A kind of cell with a look of its own in this mood has no other look in it.
        let own = |cell| self.looks.iter().any(|look| look.cell == cell && look.mood == mood);
        let looks = self
            .looks
            .iter()
            .filter(|look| look.mood == mood || (look.mood.is_none() && !own(look.cell)));
        self.nearest(looks, patch)
    }

    /// Compares a cell with every look, of whatever mood.
    pub(crate) fn compare_any(&self, patch: &Patch) -> Match {
        self.nearest(self.looks.iter(), patch)
    }

    /// How far a cell is from the looks that most cells of most boards have, in grey levels.
    pub(crate) fn distance_to_common(&self, patch: &Patch) -> f32 {
        let looks = self.looks.iter().filter(|look| COMMON.contains(&look.cell));
        self.nearest(looks, patch).distance
    }

    /// How far a cell is from those looks at a glance, in grey levels.
    pub(crate) fn distance_at_a_glance(&self, glance: &Glance) -> f32 {
        let fill_weight = self.skin.fill_weight();
        let distances = self.common.iter().map(|look| look.distance(glance, fill_weight));
        distances.fold(f32::MAX, f32::min)
    }

    fn nearest<'a>(&self, looks: impl Iterator<Item = &'a Look>, patch: &Patch) -> Match {
        let mut found =
            Match { limit: FAR, nearest: Cell::Unclear, distance: f32::MAX, second: f32::MAX };
        for look in looks {
            let distance = look.patch.distance(patch, self.skin.fill_weight());
            if look.cell == found.nearest {
                if distance < found.distance {
                    (found.distance, found.limit) = (distance, look.limit);
                }
            } else if distance < found.distance {
                found = Match {
                    nearest: look.cell,
                    distance,
                    limit: look.limit,
                    second: found.distance,
                };
            } else {
                found.second = found.second.min(distance);
            }
        }
        found
    }
}

/// The part of a cell that is compared, in pixels of the picture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Square {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) side: u32,
}

/// Whether empty cells of a skin that lie side by side show where one ends and the next begins.
fn has_lines(skin: &Skin) -> bool {
    let mut empty = skin.templates.iter().filter(|template| template.cell == Cell::open(0));
    skin.gap.is_none()
        && empty.all(|Template { picture, .. }| {
            let (width, height) = picture.dimensions();
            let edge = |a: u32, b: u32| {
                let pixel = |x: u32| picture.get_pixel(x % width, height / 3).0;
                difference(&pixel(a), &pixel(b)) >= LINE
            };
            (width - 2..width + 2).any(|x| edge(x, x + 1))
        })
}

/// Takes the patches of a skin's cells, with a sampler for each of the few sizes that they have.
pub(crate) struct Samplers<'a> {
    pixels: &'a RgbImage,
    skin: &'a Skin,
    samplers: Vec<Sampler>,
}

impl<'a> Samplers<'a> {
    /// Samplers of cells in `pixels` that look as in `skin`.
    pub(crate) fn new(pixels: &'a RgbImage, skin: &'a Skin) -> Self {
        Self { pixels, skin, samplers: Vec::new() }
    }

    /// The patch of the cell at `cell`; `None` when it reaches beyond the picture.
    pub(crate) fn take(&mut self, cell: Rect) -> Option<Patch> {
        self.take_shifted(cell, (0.0, 0.0))
    }

    /// The part of the cell at `cell` that is compared; `None` when it reaches beyond the picture.
    pub(crate) fn square(&self, cell: Rect) -> Option<Square> {
        let inside = self.skin.inside(cell);
        // Games that stretch their cells by a pixel draw the glyph in the square in the middle.
        let side = inside.width.min(inside.height);
        let x = inside.x + ((inside.width - side) / 2) as i32;
        let y = inside.y + ((inside.height - side) / 2) as i32;
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        let (right, bottom) = (self.pixels.width(), self.pixels.height());
        let fits = 2 * side >= SIDE as u32 && x + side <= right && y + side <= bottom;
        fits.then_some(Square { x, y, side })
    }

    /// The patch of the cell at `cell` moved by a few pixels or parts of them, to the right and down.
    pub(crate) fn take_shifted(&mut self, cell: Rect, (dx, dy): (f32, f32)) -> Option<Patch> {
        let Square { x, y, side } =
            self.square(cell.moved(dx.floor() as i32, dy.floor() as i32))?;
        let offset = (dx - dx.floor(), dy - dy.floor());
        let reach = |offset: f32| side + u32::from(offset > 0.0);
        if x + reach(offset.0) > self.pixels.width() || y + reach(offset.1) > self.pixels.height() {
            return None;
        }
        let known = self.samplers.iter().position(|sampler| sampler.kind() == (side, offset));
        let index = known.unwrap_or_else(|| {
            self.samplers.push(Sampler::new(side, offset));
            self.samplers.len() - 1
        });
        Some(self.samplers[index].take(self.pixels, x, y))
    }
}
