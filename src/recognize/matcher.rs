//! Telling what a cell shows by comparing it with a skin's templates.

use std::sync::Arc;

use image::imageops::{self, FilterType};

use super::edges::difference;
use super::glance::Glance;
use super::patch::{Patch, SIDE};
use super::skin::{Mood, Skin, Template};
use crate::board::Cell;

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
/// But what shows a template's relief differs from it, whatever the fill of both, by less than this share of its
/// contrast: a plain ground differs by all of it. A template of so little contrast that plain ground is near enough has none.
const RELIEF: f32 = 0.8;
/// Without the finest detail every other kind must be this many times as far.
const SOFT_APART: f32 = 1.7;
/// Without it a cell may be so far from its template, as a share of what it may be with it.
const SOFT_NEAR: f32 = 0.85;
/// A drawing that has less than this share of its template's contrast, both without the finest detail, is fading in or out:
/// another one's part may look so.
const FAINT: f32 = 0.8;
/// The nearest template of another kind must be farther by this factor …
const MARGIN_FACTOR: f32 = 1.35;
/// … and by this many grey levels.
const MARGIN_LEVELS: f32 = 2.5;

/// A cell nearer to its template than this, in grey levels, is not looked at more closely.
const NEAR: f32 = 3.0;
/// What is drawn on a cell is told by its drawing: those of all other kinds must be this many times as far, whatever
/// the ground below it is like.
const DRAWN_APART: f32 = 1.05;

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
    looks: Vec<Look>,
    common: Vec<Glance>,
    /// How strong the lines between empty cells are, as the sum over red, green and blue; 0 where cells have gaps.
    pub(crate) line: u16,
}

#[derive(Clone, Debug)]
struct Look {
    /// The number of its template.
    template: usize,
    cell: Cell,
    mood: Option<Mood>,
    /// The moods of games in which a cell may look so.
    moods: Vec<Option<Mood>>,
    patch: Patch,
    /// What cells are compared with: all of the patch, or what is within its edges.
    compared: Patch,
    /// The same as sharp as it was made: what cells are compared with [roughly](Patch::rough_distance).
    sharp: Patch,
    /// The contrast of that, in grey levels.
    contrast: f32,
    /// How far a cell may be from that.
    limit: f32,
    /// The most that this may be.
    most_far: f32,
}

impl Look {
    fn new(template: usize, skin: &Skin) -> Self {
        let Template { cell, mood, ref picture } = skin.templates[template];
        // A kind of cell with a look of its own in a mood has no other look in it.
        let own = |mood| skin.templates.iter().any(|t| t.cell == cell && t.mood == mood);
        let moods = [None, Some(Mood::Lost), Some(Mood::Won)].into_iter();
        let moods = moods.filter(|&other| other == mood || (mood.is_none() && !own(other)));
        // A number that the skin lacks is drawn on a blank cell, and may be like one, or like another number.
        let lacks = (1..=8).any(|n| skin.templates.iter().all(|t| t.cell != Cell::open(n)));
        let most_far = if lacks { LEAST_FAR } else { MOST_FAR };
        let patch = Patch::of(picture);
        let (moods, compared, sharp) = (moods.collect(), patch.clone(), patch.clone());
        let (contrast, limit) = (0.0, 0.0);
        let mut look =
            Self { template, cell, mood, moods, patch, compared, sharp, contrast, limit, most_far };
        look.compare_by(Patch::clone);
        look
    }

    /// Compares cells with what `part` takes of the patch.
    fn compare_by(&mut self, part: impl Fn(&Patch) -> Patch) {
        self.compared = part(&self.patch);
        self.contrast = self.compared.contrast();
        self.limit = (FAR_OF_CONTRAST * self.contrast).clamp(LEAST_FAR, self.most_far);
    }
}

/// What a cell is compared to be: the nearest template, and the nearest one of another kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Match {
    pub(crate) nearest: Cell,
    /// Distance to the nearest template, in grey levels.
    pub(crate) distance: f32,
    /// The same without the difference of the fill.
    ink_distance: f32,
    /// How far that template may be.
    limit: f32,
    /// The contrast of that template, in grey levels.
    contrast: f32,
    /// Distance to the nearest template of another kind, where it is near enough to matter.
    second: f32,
}

/// Whether cells of this kind may be as plain as a window's ground.
fn has_no_relief(cell: Cell) -> bool {
    cell.number() == Some(0)
}

impl Match {
    /// What is compared with nothing yet.
    const NONE: Match = Match {
        limit: FAR,
        contrast: 0.0,
        nearest: Cell::Unclear,
        distance: f32::MAX,
        ink_distance: f32::MAX,
        second: f32::MAX,
    };

    /// How near a look must be to change what the cell shows: another kind that is farther leaves it clear.
    fn matters_within(&self, look: &Look) -> f32 {
        if look.cell == self.nearest {
            self.distance
        } else {
            let apart = FAR_APART.max(MARGIN_FACTOR).max(SOFT_APART) * self.distance;
            self.second.min(apart.max(self.distance + MARGIN_LEVELS))
        }
    }

    /// Takes in how far a look is, which is less than [matters](Self::matters_within): `distance`, of which the square
    /// has this part of the fill.
    fn weigh(&mut self, look: &Look, distance: f32, fill_apart: f32) {
        let same = look.cell == self.nearest;
        if !same && distance >= self.distance {
            self.second = distance;
            return;
        }
        let Look { cell: nearest, limit, contrast, .. } = *look;
        let ink_distance = (distance * distance - fill_apart).max(0.0).sqrt();
        let second = if same { self.second } else { self.distance };
        *self = Match { nearest, distance, ink_distance, limit, contrast, second };
    }

    /// What a cell is compared to be in either of two places.
    pub(crate) fn or(self, other: Match) -> Match {
        let (near, far) =
            if other.distance < self.distance { (other, self) } else { (self, other) };
        let rival = if near.nearest == far.nearest { far.second } else { far.distance };
        Match { second: near.second.min(rival), ..near }
    }

    /// What the cell shows where it was looked for aside: with so many places to choose from it must be near.
    pub(crate) fn cell_aside(self) -> Cell {
        if self.distance <= self.limit { self.cell() } else { Cell::Unclear }
    }

    /// What the cell shows where the finest detail was left out, which brings all kinds nearer: unclear unless one is
    /// near and all others are much farther.
    pub(crate) fn soft_cell(self) -> Cell {
        let near = self.distance <= SOFT_NEAR * self.limit;
        if near && self.second >= SOFT_APART * self.distance { self.cell() } else { Cell::Unclear }
    }

    /// Whether the cell, of this contrast, is much fainter than its template.
    pub(crate) fn is_faint(self, contrast: f32) -> bool {
        contrast < FAINT * self.contrast
    }

    /// What the cell shows: unclear unless one kind wins clearly.
    pub(crate) fn cell(self) -> Cell {
        let apart = self.second / self.distance.max(f32::EPSILON);
        let shows_relief = has_no_relief(self.nearest)
            || self.contrast <= self.limit
            || self.ink_distance <= RELIEF * self.contrast;
        let near = self.distance <= self.limit
            || (self.distance <= FARTHER * self.limit && apart >= FAR_APART && shows_relief);
        if near && self.wins() { self.nearest } else { Cell::Unclear }
    }

    /// Whether the nearest kind is much nearer than every other one.
    pub(crate) fn wins(self) -> bool {
        let apart = self.second / self.distance.max(f32::EPSILON);
        apart >= MARGIN_FACTOR && self.second >= self.distance + MARGIN_LEVELS
    }
}

impl Matcher {
    pub(crate) fn new(skin: Arc<Skin>) -> Self {
        let common = skin.templates.iter().filter(|template| COMMON.contains(&template.cell));
        let common = common.map(|template| Glance::of(&template.picture)).collect();
        let looks = (0..skin.templates.len()).map(|template| Look::new(template, &skin));
        Self { looks: looks.collect(), common, line: line(&skin), skin }
    }

    /// The matcher for cells of `side` pixels: where these are fewer than a patch has, templates that have more lose
    /// the same detail before the two are compared.
    pub(crate) fn for_cells(&self, side: u32) -> Option<Self> {
        if !(SIDE as u32 / 2..SIDE as u32).contains(&side) {
            return None;
        }
        Some(self.with_patches(|look| {
            let picture = &self.skin.templates[look.template].picture;
            if side < picture.width().min(picture.height()) {
                Patch::of(&imageops::resize(picture, side, side, FilterType::Triangle))
            } else {
                look.patch.clone()
            }
        }))
    }

    /// The matcher with other patches.
    fn with_patches(&self, change: impl Fn(&Look) -> Patch) -> Self {
        let mut matcher = self.blurred(change);
        for look in &mut matcher.looks {
            look.sharp = look.compared.clone();
        }
        matcher
    }

    /// The matcher with patches that are less sharp.
    fn blurred(&self, change: impl Fn(&Look) -> Patch) -> Self {
        let mut matcher = self.clone();
        for look in &mut matcher.looks {
            look.patch = change(look);
            look.compare_by(Patch::clone);
        }
        matcher
    }

    /// The matcher for patches that are [softened](Patch::softened).
    pub(crate) fn softened(&self) -> Self {
        self.blurred(|look| look.patch.softened())
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
        self.compare_in(patch, [mood])[0]
    }

    /// Compares a cell with every look it may have in games of these moods. Most looks are those of several moods, and
    /// are compared once.
    pub(crate) fn compare_in<const N: usize>(
        &self,
        patch: &Patch,
        moods: [Option<Mood>; N],
    ) -> [Match; N] {
        let weight = self.skin.fill_weight();
        let mut found = [Match::NONE; N];
        // With the likeliest one first most others are soon known to be farther.
        let apart = |look: &&Look| look.compared.least_distance(patch, weight);
        let likeliest = self.looks.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
        let others = self
            .looks
            .iter()
            .filter(|look| likeliest.is_none_or(|first| !std::ptr::eq(first, *look)));
        for look in likeliest.into_iter().chain(others) {
            let is_in = moods.map(|mood| look.moods.contains(&mood));
            let known = found.iter().zip(is_in).filter(|(_, is_in)| *is_in);
            let known = known.map(|(found, _)| found.matters_within(look)).fold(0.0, f32::max);
            if let Some(distance) = look.compared.distance_within(patch, weight, known) {
                let fill_apart = look.compared.fill_apart(patch, weight);
                let found = found.iter_mut().zip(is_in);
                let matters =
                    found.filter(|(found, is_in)| *is_in && distance < found.matters_within(look));
                matters.for_each(|(found, _)| found.weigh(look, distance, fill_apart));
            }
        }
        for (found, mood) in found.iter_mut().zip(moods) {
            let in_doubt = found.distance >= NEAR && has_drawing(found.nearest) && found.wins();
            if in_doubt && !self.drawing_distances(patch, found.nearest, mood).are_apart() {
                found.second = found.distance;
            }
        }
        found
    }

    /// How far a cell is from what is drawn on cells of a kind, and on those of all others, whatever the ground below it
    /// is like.
    pub(crate) fn drawing_distances(
        &self,
        patch: &Patch,
        kind: Cell,
        mood: Option<Mood>,
    ) -> DrawingDistances {
        let looks = self.looks.iter().filter(|look| look.moods.contains(&mood));
        let mut least = DrawingDistances::of(kind);
        for look in looks.filter(|look| has_drawing(look.cell)) {
            let near = if look.cell == kind { &mut least.own } else { &mut least.other };
            if let Some(distance) = look.compared.distance_within(patch, 0.0, near.fine) {
                near.fine = distance;
            }
            if look.cell.is_unopened() {
                near.rough = near.rough.min(look.sharp.rough_distance(patch));
            }
        }
        least
    }

    /// Compares a cell with every look, of whatever mood.
    pub(crate) fn compare_any(&self, patch: &Patch) -> Match {
        self.nearest(self.looks.iter(), patch)
    }

    /// Whether empty cells that lie side by side always show where one ends and the next begins.
    pub(crate) fn has_lines(&self) -> bool {
        self.line >= LINE
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
        let mut found = Match::NONE;
        let weight = self.skin.fill_weight();
        for look in looks {
            let known = found.matters_within(look);
            if let Some(distance) = look.compared.distance_within(patch, weight, known) {
                found.weigh(look, distance, look.compared.fill_apart(patch, weight));
            }
        }
        found
    }
}

/// How far what is drawn on a cell is from one kind of drawing, and from those of all others.
#[derive(Clone, Copy)]
pub(crate) struct DrawingDistances {
    own: Nearness,
    other: Nearness,
}

/// How far a drawing is from another one, in grey levels.
#[derive(Clone, Copy)]
struct Nearness {
    /// Pixel by pixel.
    fine: f32,
    /// By the means of blocks, which hardly change where a drawing is a little aside: marks are compared so, since a
    /// question mark may be a flag with little beside it.
    rough: f32,
}

impl Nearness {
    const FAR: Self = Self { fine: f32::MAX, rough: f32::MAX };

    fn min(self, other: Self) -> Self {
        Self { fine: self.fine.min(other.fine), rough: self.rough.min(other.rough) }
    }
}

impl DrawingDistances {
    /// Of what may be of this kind and was compared with nothing yet.
    fn of(kind: Cell) -> Self {
        let rough = if kind.is_unopened() { f32::MAX } else { 0.0 };
        Self { own: Nearness { rough, ..Nearness::FAR }, other: Nearness::FAR }
    }

    /// The least of those in two places.
    pub(crate) fn min(self, other: Self) -> Self {
        Self { own: self.own.min(other.own), other: self.other.min(other.other) }
    }

    /// Whether the drawing is told from all others: where a cell is lighter or darker as a whole, its ground may be
    /// nearer to that of another one.
    pub(crate) fn are_apart(self) -> bool {
        self.other.fine >= DRAWN_APART * self.own.fine
            && self.other.rough >= DRAWN_APART * self.own.rough
    }
}

/// Whether something is drawn on cells of this kind.
pub(crate) fn has_drawing(kind: Cell) -> bool {
    kind != Cell::Covered && kind != Cell::open(0)
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

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    /// A raised cell in a dark theme, with or without its borders.
    fn dark(borders: bool) -> RgbImage {
        RgbImage::from_fn(20, 20, |x, y| match (x.min(y), x.max(y)) {
            (0 | 1, _) if borders => Rgb([64, 88, 112]),
            (_, 18 | 19) if borders => Rgb([12, 18, 24]),
            _ => Rgb([32, 48, 64]),
        })
    }

    #[test]
    fn ground_of_the_colour_of_covered_cells_is_none() {
        let template = |cell, picture| Template { cell, mood: None, picture };
        let white = RgbImage::from_pixel(20, 20, Rgb([255; 3]));
        let templates = vec![template(Cell::Covered, dark(true)), template(Cell::open(0), white)];
        let matcher = Matcher::new(Arc::new(Skin { templates, ..Skin::default() }));
        let shown = |picture: &RgbImage| matcher.compare(&Patch::of(picture), None).cell();
        assert_eq!(shown(&dark(true)), Cell::Covered);
        assert_eq!(shown(&dark(false)), Cell::Unclear);
        // Under the pointer all of a cell may be lighter.
        let mut lighter = dark(true);
        lighter.iter_mut().for_each(|level| *level += 18);
        let found = matcher.compare(&Patch::of(&lighter), None);
        assert!(found.distance > found.limit.max(RELIEF * found.contrast));
        assert_eq!(found.cell(), Cell::Covered);
    }
}
