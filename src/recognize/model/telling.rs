//! What cells show, in each phase of a game.

use std::collections::HashMap;
use std::hash::Hash;

use image::RgbImage;

use super::bounds::{Distance, Distances, apart};
use super::hypothesis::Hypothesis;
use super::looks::{FINE, Look, Looks, priors};
use super::noise::{
    ANY_COLOUR, INDEPENDENT, LEAST_VARIANCE, NOTHING_KNOWN, edged, log_sum, variation,
    varying_in_noise,
};
use super::prediction::{BORDER, Part, Predictions};
use super::samples::{Grid, Place, Samples};
use super::unknown_number::UnknownNumbers;
use super::view::View;
use super::whole::Extent;
use crate::board::Cell;
use crate::recognize::skin::GamePhase;

/// A cell that is wrong loses a game; one in so many may be.
pub(super) const TOLERATED: f32 = 1e-6;
/// A cell without its border.
const INNER: Part = Part { left: BORDER, top: BORDER, right: BORDER, bottom: BORDER };
/// A cell without its border but for one side.
const SIDES: [Part; 4] = [
    Part { left: 0, ..INNER },
    Part { top: 0, ..INNER },
    Part { right: 0, ..INNER },
    Part { bottom: 0, ..INNER },
];
/// How far beside its place a cell is looked for, as a share of a cell: games draw cells on whole pixels.
/// Chosen, not fitted.
const ASIDE: f32 = 1.0 / 24.0;

/// The share of cells that are highlighted, as a logarithm. Chosen, not fitted.
const HIGHLIGHTED: f32 = -4.0;

/// The number of phases of a game.
pub(crate) const GAME_PHASES: usize = GamePhase::ALL.len();

/// The number of a phase among [all](GamePhase::ALL).
pub(super) fn number_of(phase: Option<GamePhase>) -> usize {
    GamePhase::ALL.iter().position(|&other| other == phase).unwrap_or(0)
}

/// What is known of cells before one is looked at: how each kind looks, and how often it is shown in each phase of a game.
#[derive(Clone, Debug)]
pub(super) struct Telling {
    grid: Grid,
    view: View,
    predictions: Predictions,
    /// The kinds of cells.
    kinds: Vec<Cell>,
    /// The number of the kind of each look.
    kind_of: Vec<usize>,
    /// The logarithm of how often each look is shown in each phase; none in a phase that has no looks of its own.
    priors: [Option<Vec<f32>>; GAME_PHASES],
    unknown_numbers: UnknownNumbers,
}

/// Logarithms of how likely a cell is that shows nothing known.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    /// If it is of any one colour, and varies.
    varying: f32,
    /// If it is something else, with how often that is so: a number that the skin lacks, or a cell with the edge of a window or
    /// message over one of its borders.
    otherwise: f32,
}

/// What a cell shows in a phase of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told {
    /// A kind that is all but certain, or `Unclear`.
    pub(crate) cell: Cell,
    /// How much more likely the phase makes the cell than anything, in nats.
    pub(crate) evidence: f32,
}

/// What a cell shows that was looked at more closely.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closely {
    /// A kind that is all but certain, or `Unclear`.
    pub(crate) cell: Cell,
    /// Whether that is so because cells may be highlighted.
    pub(crate) is_highlighted: bool,
}

impl Closely {
    pub(crate) const UNCLEAR: Self = Self { cell: Cell::Unclear, is_highlighted: false };
}

/// What is less likely than this, as a logarithm, adds nothing to what is so likely, nor to what it would take to put that in
/// doubt: it is less than rounding.
fn negligible(likely: f32) -> f32 {
    likely + TOLERATED.ln() + f32::EPSILON.ln()
}

/// What is worked out once for all cells that look exactly alike, since most cells of most boards look like many others: from
/// their values and something else that it depends on.
#[derive(Debug)]
struct Once<E, T>(HashMap<(Vec<u32>, E), T>);

impl<E, T> Default for Once<E, T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<E: Eq + Hash, T: Copy> Once<E, T> {
    fn of(&mut self, values: &[f32], else_of: E, work_out: impl FnOnce() -> T) -> T {
        let bits = values.iter().map(|value| value.to_bits()).collect();
        *self.0.entry((bits, else_of)).or_insert_with(work_out)
    }
}

/// Whether so many cells may be highlighted: a pointer highlights a cell, and those around it when they are pressed. Where more
/// are lighter or darker, all of the picture is.
pub(crate) fn are_highlights(count: usize) -> bool {
    count <= 9
}

/// Whether a cell is told from one whose values are all off by so many grey levels, in a picture as the skin is drawn.
pub(crate) fn are_told_apart(levels: f32) -> bool {
    INDEPENDENT / 2.0 * levels * levels / LEAST_VARIANCE > -TOLERATED.ln()
}

impl Telling {
    /// Tells cells in the phase of a hypothesis.
    pub(super) fn in_phase(hypothesis: &Hypothesis) -> Self {
        let looks = &hypothesis.looks;
        let own = looks.looks.iter().map(|look| look.prior).collect();
        let priors = GamePhase::ALL.map(|phase| (phase == looks.phase).then_some(&own).cloned());
        Self::new(hypothesis, looks, priors)
    }

    /// Tells cells in all phases.
    pub(super) fn in_all_phases(hypothesis: &Hypothesis) -> Self {
        let Looks { skin, gap, .. } = &*hypothesis.looks;
        let looks = Looks::of_all_phases(skin, hypothesis.grid.cell_size(), *gap, FINE);
        let priors = GamePhase::ALL.map(|phase| priors(&looks.looks, phase));
        Self::new(hypothesis, &looks, priors)
    }

    fn new(
        hypothesis: &Hypothesis,
        looks: &Looks,
        priors: [Option<Vec<f32>>; GAME_PHASES],
    ) -> Self {
        let mut kinds: Vec<Cell> = Vec::new();
        let number = |look: &Look| {
            kinds.iter().position(|&kind| kind == look.cell).unwrap_or_else(|| {
                kinds.push(look.cell);
                kinds.len() - 1
            })
        };
        let kind_of = looks.looks.iter().map(number).collect();
        Self {
            grid: hypothesis.grid.clone(),
            view: hypothesis.view.clone(),
            predictions: hypothesis.view.predict_with_variance(looks),
            kinds,
            kind_of,
            priors,
            unknown_numbers: UnknownNumbers::besides(&looks.looks),
        }
    }

    /// What the cells at these places show that are within the picture, which begins at this pixel of the grid's.
    pub(super) fn first(
        &self,
        pixels: &RgbImage,
        (x, y): (i32, i32),
        places: &[Place],
    ) -> Vec<(Place, [Option<Told>; GAME_PHASES])> {
        let seen = Samples::cut(pixels, &self.grid.moved(-x, -y), places, FINE);
        let seen = self.view.unlit(&seen);
        let told = |cell: &[f32]| {
            let likely = self.predictions.log_likelihoods(cell, Part::WHOLE);
            let unknown = self.unknown(cell, Part::WHOLE);
            let told = |priors: &Vec<f32>| self.told(&likely, priors, unknown);
            self.priors.each_ref().map(|priors| priors.as_ref().map(told))
        };
        let mut told_once = Once::default();
        let told = seen.iter().map(|cell| told_once.of(cell, (), || told(cell)));
        seen.places.iter().copied().zip(told).collect()
    }

    /// What cells of a board of this extent that were not told at their places show in a phase, when they are looked at more
    /// closely.
    pub(super) fn closer(
        &self,
        pixels: &RgbImage,
        (x, y): (i32, i32),
        extent: Extent,
        places: &[Place],
        phase: usize,
    ) -> Vec<(Place, Closely)> {
        let Some(priors) = &self.priors[phase] else { return Vec::new() };
        let grid = self.grid.moved(-x, -y);
        let own = Samples::cut(pixels, &grid, places, FINE);
        let own = self.view.unlit(&own);
        // What is not told at its place may be a part of a pixel aside: of each cell its own values, and then those aside.
        let mut looks: Vec<Vec<f32>> = own.iter().map(<[f32]>::to_vec).collect();
        for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
            let mut grid = grid.clone();
            grid.across.first += dx as f32 * ASIDE * grid.across.pitch;
            grid.down.first += dy as f32 * ASIDE * grid.down.pitch;
            let aside = Samples::cut(pixels, &grid, &own.places, FINE);
            let aside = self.view.unlit(&aside);
            for (cell, place) in aside.iter().zip(&aside.places) {
                let Some(at) = own.places.iter().position(|other| other == place) else { continue };
                looks[at].extend(cell);
            }
        }
        let told = |cell: &[f32], looks: &[f32], within_frame: Part| {
            let likely = self.likely_aside(looks.chunks_exact(cell.len()), priors);
            let mean = |kind: usize| {
                log_sum(likely.iter().map(|likely| likely[kind])) - (likely.len() as f32).ln()
            };
            let means: Vec<f32> = (0..likely[0].len()).map(mean).collect();
            let told = self.told_closely(&means, priors, cell, Part::WHOLE);
            // What is beside a cell comes over its border, at the edge of the board or through a blur. In other colours
            // borders may be all that tells covered cells from blanks.
            if told == Cell::Unclear && self.view.is_plain() {
                let cell = self.told_without_border(priors, cell, within_frame);
                return Closely { cell, is_highlighted: false };
            }
            Closely { cell: told, is_highlighted: self.is_highlighted(told, priors, cell) }
        };
        let mut told_once = Once::default();
        let told = own.places.iter().zip(own.iter()).zip(&looks).map(|((&place, cell), looks)| {
            let part = within_frame(place, extent);
            (place, told_once.of(looks, part, || told(cell, looks, part)))
        });
        told.collect()
    }

    /// What a cell shows without its border. A covered cell that is flat but for its border is not told by less, since a window's
    /// ground may have its colour, but by those sides of the border that a frame around the board does not hide.
    fn told_without_border(&self, priors: &[f32], cell: &[f32], within_frame: Part) -> Cell {
        let told_by = |part: Part| {
            let likely = self.predictions.tailed_log_likelihoods(cell, part);
            (self.told_closely(&likely, priors, cell, part), likely)
        };
        let (told, likely) = told_by(INNER);
        let is_flat = |look: usize, part: Part| {
            variation(self.predictions.mean(look), part) <= self.view.noise.variance
        };
        let own = (0..priors.len()).filter(|&look| self.kinds[self.kind_of[look]] == told);
        let best = own.max_by(|&a, &b| (likely[a] + priors[a]).total_cmp(&(likely[b] + priors[b])));
        let needs_border = |look: usize| {
            told == Cell::Covered && is_flat(look, INNER) && !is_flat(look, Part::WHOLE)
        };
        match best {
            Some(look) if needs_border(look) && within_frame == Part::WHOLE => Cell::Unclear,
            Some(look) if needs_border(look) && told_by(within_frame).0 != told => Cell::Unclear,
            // What comes over borders from outside leaves two sides even in the corner of a board; what lies over the middle
            // of a cell may look like another one but for its borders.
            Some(_) if SIDES.iter().filter(|&&side| told_by(side).0 == told).count() < 2 => {
                Cell::Unclear
            }
            _ => told,
        }
    }

    /// Whether a cell that shows this is rather highlighted than not.
    fn is_highlighted(&self, told: Cell, priors: &[f32], cell: &[f32]) -> bool {
        if !told.is_unopened() {
            return false;
        }
        let looks = (0..priors.len()).filter(|&look| self.kinds[self.kind_of[look]] == told);
        let plain = self.predictions.tailed_log_likelihoods(cell, Part::WHOLE);
        let plain = log_sum(looks.clone().map(|look| plain[look] + priors[look]));
        let highlighted = |look: usize| {
            self.predictions.highlighted_log_likelihood(look, cell, Part::WHOLE) + priors[look]
        };
        let highlighted: Vec<f32> = looks.map(highlighted).collect();
        log_sum(highlighted.into_iter()) + HIGHLIGHTED > plain
    }

    /// The logarithm of how likely a cell is for a look, where it may be off by a factor of its own.
    fn likely(&self, look: usize, cell: &[f32]) -> f32 {
        let plain = self.predictions.tailed_log_likelihood(look, cell, Part::WHOLE);
        // Games highlight what is below the pointer, and can be clicked.
        if !self.kinds[self.kind_of[look]].is_unopened() {
            return plain;
        }
        let highlighted = self.predictions.highlighted_log_likelihood(look, cell, Part::WHOLE);
        log_sum([plain, highlighted + HIGHLIGHTED].into_iter())
    }

    /// The same for each look of a cell at its place and then aside, but that looks count as impossible aside that are so much less
    /// likely than another one that they add nothing.
    fn likely_aside<'a>(
        &self,
        mut cells: impl ExactSizeIterator<Item = &'a [f32]>,
        priors: &[f32],
    ) -> Vec<Vec<f32>> {
        let places = cells.len() as f32;
        let Some(own) = cells.next() else { return Vec::new() };
        let looks = 0..priors.len();
        let here: Vec<f32> = looks.clone().map(|look| self.likely(look, own)).collect();
        let most = here.iter().zip(priors).map(|(likely, prior)| likely + prior);
        let least = negligible(most.fold(f32::NEG_INFINITY, f32::max) - places.ln());
        let far = Distances::of(&self.predictions, own);
        let far: Vec<Distance> = looks.clone().map(|look| far.from(look)).collect();
        let aside = |cell: &[f32]| {
            let moved = apart(own, cell);
            let likely = |look: usize| {
                let is_unopened = self.kinds[self.kind_of[look]].is_unopened();
                let most = self.predictions.at_most(look, far[look].less(moved), is_unopened);
                if most + priors[look] < least {
                    f32::NEG_INFINITY
                } else {
                    self.likely(look, cell)
                }
            };
            looks.clone().map(likely).collect()
        };
        let aside: Vec<Vec<f32>> = cells.map(aside).collect();
        std::iter::once(here).chain(aside).collect()
    }

    /// What a part of a cell shows that is so likely for each look, if nothing else is as likely: that it fades from one other
    /// kind to another one, as covered cells and blanks fade into what is drawn, or is lighter or darker than another kind.
    fn told_closely(&self, likely: &[f32], priors: &[f32], cell: &[f32], part: Part) -> Cell {
        let mut unknown = self.unknown(cell, part);
        if part == Part::WHOLE {
            let edged = edged(cell, self.view.noise.variance) + ANY_COLOUR + NOTHING_KNOWN;
            unknown.otherwise = log_sum([unknown.otherwise, edged].into_iter());
        }
        let told = self.told(likely, priors, unknown).cell;
        if told == Cell::Unclear {
            return told;
        }
        let is_other = |look: usize| self.kinds[self.kind_of[look]] != told;
        let others =
            (0..priors.len()).filter(|&look| priors[look] > f32::NEG_INFINITY && is_other(look));
        let ground = |&look: &usize| {
            let kind = self.kinds[self.kind_of[look]];
            kind == Cell::Covered || kind == Cell::open(0)
        };
        let pairs = others.clone().filter(ground).flat_map(|from| {
            let to = others.clone().filter(move |&to| self.kind_of[to] != self.kind_of[from]);
            to.map(move |to| [from, to])
        });
        let own = log_sum(likely.iter().zip(priors).map(|(likely, prior)| likely + prior));
        let least = negligible(own);
        // Only of a whole cell is it known how far it is.
        let far = (part == Part::WHOLE).then(|| Distances::of(&self.predictions, cell));
        let fading = |pair: [usize; 2]| match &far {
            Some(far) if far.fading_at_most(pair) + NOTHING_KNOWN < least => f32::NEG_INFINITY,
            _ => self.predictions.fading_log_likelihood(pair, cell, part),
        };
        let fading: Vec<f32> = pairs.map(fading).collect();
        let fading = log_sum(fading.iter().copied()) - (fading.len().max(1) as f32).ln();
        let highlighted = |look: usize| {
            let most = far.as_ref().map(|far| self.predictions.at_most(look, far.from(look), true));
            if most.is_some_and(|most| most + priors[look] < least) {
                return f32::NEG_INFINITY;
            }
            self.predictions.highlighted_log_likelihood(look, cell, part) + priors[look]
        };
        let highlighted: Vec<f32> = others.map(highlighted).collect();
        let highlighted = log_sum(highlighted.into_iter());
        let rival = log_sum([fading + NOTHING_KNOWN, highlighted + HIGHLIGHTED].into_iter());
        if rival - own > TOLERATED.ln() { Cell::Unclear } else { told }
    }

    /// How likely a part of a cell is that shows nothing known.
    fn unknown(&self, cell: &[f32], part: Part) -> Unknown {
        let varying = varying_in_noise(variation(cell, part), self.view.noise.variance);
        let otherwise = self.unknown_numbers.log_likelihood(&self.predictions, cell, part);
        Unknown { varying, otherwise }
    }

    /// What a cell shows that is so likely for each look, and for nothing known.
    fn told(&self, likely: &[f32], priors: &[f32], unknown: Unknown) -> Told {
        let each = || likely.iter().zip(priors).map(|(likely, prior)| likely + prior);
        let varying = unknown.varying + ANY_COLOUR + NOTHING_KNOWN;
        let nothing = log_sum([varying, unknown.otherwise].into_iter());
        let most = each().fold(nothing, f32::max);
        let mut shares = vec![0.0f32; self.kinds.len()];
        for (value, &kind) in each().zip(&self.kind_of) {
            shares[kind] += (value - most).exp();
        }
        let nothing = (nothing - most).exp();
        let total = shares.iter().sum::<f32>() + nothing;
        let likeliest = (0..shares.len()).max_by(|&a, &b| shares[a].total_cmp(&shares[b]));
        let cell = likeliest.filter(|&kind| {
            let others = (0..shares.len()).filter(|&other| other != kind);
            others.map(|other| shares[other]).sum::<f32>() + nothing <= TOLERATED * total
        });
        let cell = cell.map_or(Cell::Unclear, |kind| self.kinds[kind]);
        Told { cell, evidence: most + total.ln() - unknown.varying }
    }
}

/// A cell without its border on the sides where the board ends: a frame may be there.
fn within_frame((col, row): Place, ((left, top), (right, bottom)): Extent) -> Part {
    let border = |is_last: bool| if is_last { BORDER } else { 0 };
    Part {
        left: border(col == left),
        top: border(row == top),
        right: border(col + 1 == right),
        bottom: border(row + 1 == bottom),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use image::{Rgb, RgbImage};

    use super::*;
    use crate::board::Pos;
    use crate::geometry::Px;
    use crate::recognize::model::Sight;
    use crate::recognize::skin::Gap;
    use crate::recognize::{Lattice, Skin, Template};

    const SIDE: u32 = 20;

    /// A raised cell in a dark theme, with or without its borders.
    fn raised(borders: bool) -> RgbImage {
        RgbImage::from_fn(SIDE, SIDE, |x, y| match (x.min(y), x.max(y)) {
            (0 | 1, _) if borders => Rgb([84, 108, 132]),
            (_, 18 | 19) if borders => Rgb([12, 18, 24]),
            _ => Rgb([32, 48, 64]),
        })
    }

    /// A light cell with a bar of a colour: upright, or else across.
    fn open(bar: [u8; 3], upright: bool) -> RgbImage {
        RgbImage::from_fn(SIDE, SIDE, |x, y| {
            let (along, aside) = if upright { (y, x) } else { (x, y) };
            let is_bar = (4..16).contains(&along) && (8..12).contains(&aside);
            Rgb(if is_bar { bar } else { [220; 3] })
        })
    }

    fn skin() -> Arc<Skin> {
        let template = |cell, picture| Template { cell, phase: None, picture };
        let templates = vec![
            template(Cell::Covered, raised(true)),
            template(Cell::open(0), RgbImage::from_pixel(SIDE, SIDE, Rgb([220; 3]))),
            template(Cell::open(1), open([0, 0, 200], true)),
            template(Cell::open(2), open([0, 120, 0], false)),
            template(Cell::open(3), open([110, 114, 152], true)),
        ];
        Arc::new(Skin { templates, ..Skin::default() })
    }

    /// The covered cells of a board are flat, with gaps between them; a frame is where there would be more gaps around it.
    #[test]
    fn flat_cells_in_the_corners_of_a_frame_are_told_by_their_other_borders() {
        let ground = Rgb([255; 3]);
        let flat = |colour| RgbImage::from_pixel(SIDE - 2, SIDE - 2, Rgb(colour));
        let (closed, blank) = (flat([52, 75, 82]), flat([238; 3]));
        let one = RgbImage::from_fn(SIDE - 2, SIDE - 2, |x, y| {
            let is_bar = (7..9).contains(&x) && (4..14).contains(&y);
            Rgb(if is_bar { [0; 3] } else { [238; 3] })
        });
        let template = |cell, picture| Template { cell, phase: None, picture };
        let templates = vec![
            template(Cell::Covered, closed),
            template(Cell::open(0), blank),
            template(Cell::open(1), one),
        ];
        let gap = Some(Gap { width: 2, colour: ground.0 });
        let skin = Arc::new(Skin { templates, gap, ..Skin::default() });
        let end = 3 * SIDE - 1;
        let pixels = RgbImage::from_fn(3 * SIDE, 3 * SIDE, |x, y| {
            let is_gap = |at: u32| matches!(at % SIDE, 0 | 19);
            match (x == 0 || y == 0 || x == end || y == end, is_gap(x) || is_gap(y)) {
                (true, _) => Rgb([51; 3]),
                (_, true) => ground,
                _ => Rgb([52, 75, 82]),
            }
        });
        let size = f64::from(SIDE);
        let lattice = Lattice::even(Px::new(0, 0), (size, size), 3, 3);
        let sight = Sight::as_drawn(&pixels, &lattice, &skin);
        for at in [Pos::new(0, 0), Pos::new(2, 0), Pos::new(1, 0), Pos::new(1, 1), Pos::new(2, 2)] {
            let first = sight.first(&pixels, (0, 0), &[at])[0][0].unwrap().cell;
            let closer = sight.closer(&pixels, (0, 0), &[at], 0)[0].cell;
            let cell = if first == Cell::Unclear { closer } else { first };
            assert_eq!(cell, Cell::Covered, "{at}");
        }
    }

    /// What the middle one of 3 x 3 cells shows, of which the others are covered.
    fn shown(middle: &RgbImage) -> Cell {
        let covered = raised(true);
        let pixels = RgbImage::from_fn(3 * SIDE, 3 * SIDE, |x, y| {
            let own = x / SIDE == 1 && y / SIDE == 1;
            *if own { middle } else { &covered }.get_pixel(x % SIDE, y % SIDE)
        });
        let size = f64::from(SIDE);
        let lattice = Lattice::even(Px::new(0, 0), (size, size), 3, 3);
        let sight = Sight::as_drawn(&pixels, &lattice, &skin());
        let at = [Pos::new(1, 1)];
        let first = sight.first(&pixels, (0, 0), &at)[0][0].unwrap().cell;
        let closer = || sight.closer(&pixels, (0, 0), &at, 0)[0].cell;
        if first == Cell::Unclear { closer() } else { first }
    }

    /// A picture whose values are changed in this way.
    fn changed(picture: &RgbImage, change: impl Fn(f32) -> f32) -> RgbImage {
        let mut changed = picture.clone();
        changed.iter_mut().for_each(|value| *value = change(f32::from(*value)) as u8);
        changed
    }

    #[test]
    fn cells_are_told_as_they_are_drawn() {
        assert_eq!(shown(&raised(true)), Cell::Covered);
        assert_eq!(shown(&open([0, 120, 0], false)), Cell::open(2));
        assert_eq!(shown(&RgbImage::from_pixel(SIDE, SIDE, Rgb([120, 160, 90]))), Cell::Unclear);
    }

    #[test]
    fn a_covered_cell_may_be_highlighted_but_its_ground_alone_is_none() {
        assert_eq!(shown(&changed(&raised(true), |value| value + 18.0)), Cell::Covered);
        assert_eq!(shown(&raised(false)), Cell::Unclear);
        assert_eq!(shown(&changed(&raised(false), |value| value + 18.0)), Cell::Unclear);
    }

    #[test]
    fn an_open_cell_that_is_darker_is_nothing_known() {
        let blank = RgbImage::from_pixel(SIDE, SIDE, Rgb([190; 3]));
        assert_eq!(shown(&blank), Cell::Unclear);
    }

    #[test]
    fn a_number_that_the_skin_lacks_is_none_that_it_has() {
        // A 5, say, of which nearly all is as in the 3, in the same colour.
        let mut five = open([110, 114, 152], true);
        for x in 8..12 {
            five.put_pixel(x, 4, Rgb([220; 3]));
        }
        let three = open([110, 114, 152], true);
        assert_eq!([shown(&three), shown(&five)], [Cell::open(3), Cell::Unclear]);
    }

    #[test]
    fn what_fades_is_not_what_it_looks_like_on_the_way() {
        // Half way from a blank to a 1 there is nearly a 3.
        let (blank, one) =
            (RgbImage::from_pixel(SIDE, SIDE, Rgb([220; 3])), open([0, 0, 200], true));
        let mut between = blank;
        for (to, from) in between.iter_mut().zip(one.iter()) {
            *to = to.midpoint(*from);
        }
        assert!([Cell::Unclear, Cell::open(1)].contains(&shown(&between)), "{:?}", shown(&between));
    }
}
