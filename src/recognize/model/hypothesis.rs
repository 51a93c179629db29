//! Which skin, at which place of its cells and in which colours, explains what repeats in a part of a picture.

use std::sync::Arc;

use super::alignment::{aligned, extent_of};
use super::guess::{Guess, SAMPLE, WIDEST_GAP, spread};
use super::looks::{FINE, LOOKS, Looks, of_kinds, prior};
use super::noise::{ALIKE, INDEPENDENT, LEAST_VARIANCE, NOTHING_KNOWN, Noise, log_sum, unknown};
use super::parallel::mapped;
use super::prediction::{Part, Predictions};
use super::samples::{Grid, Place, Samples};
use super::scene::Scene;
use super::telling::TOLERATED;
use super::view::{Freedom, View};
use crate::board::Cell;
use crate::geometry::Rect;
use crate::recognize::skin::GamePhase;

/// By how much gaps are widened and narrowed while that explains cells better, as powers of two.
const GAP_STEPS: [f32; 3] = [0.25, 0.125, 0.0625];
/// Turns in which light and colours are estimated.
const LIGHT_ROUNDS: usize = 3;

/// How far cells are off their looks, as variances in grey levels squared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distances {
    /// Half of the cells are nearer.
    pub(crate) of_half: f32,
    /// A quarter of those with drawings are nearer; 0 where there are none. The others may be fading.
    pub(crate) of_drawings: f32,
}

/// How much more likely a cell is than anything, in nats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellEvidence {
    /// As a cell of any kind.
    pub(crate) of_any: f32,
    /// As one of any kind but a blank.
    pub(crate) of_others: f32,
}

impl CellEvidence {
    /// Whether it looks like a blank, and like no other kind.
    pub(crate) fn is_blank(self) -> bool {
        self.of_any > NOTHING_KNOWN && self.of_others < self.of_any + TOLERATED.ln()
    }
}

/// A skin in a view at a grid.
#[derive(Clone, Debug)]
pub(crate) struct Hypothesis {
    pub(crate) looks: Arc<Looks>,
    pub(crate) view: View,
    pub(crate) grid: Grid,
    /// The cells by which it is judged.
    places: Vec<Place>,
    /// The logarithm of how much more likely it makes them than anything, in nats.
    pub(crate) evidence: f32,
}

/// What becomes of these guesses, the likeliest first.
pub(crate) fn hypotheses(scene: &Scene<'_>, region: Rect, guesses: Vec<Guess>) -> Vec<Hypothesis> {
    let refined = |guess| Some(Hypothesis::placed(scene, region, guess)?.refined(scene));
    let mut hypotheses: Vec<Hypothesis> = mapped(guesses, refined).into_iter().flatten().collect();
    hypotheses.sort_by(|a, b| b.per_cell().total_cmp(&a.per_cell()));
    hypotheses
}

impl Hypothesis {
    /// What becomes of a guess when its grid and colours are estimated finely.
    fn placed(scene: &Scene<'_>, region: Rect, guess: Guess) -> Option<Self> {
        let size = guess.grid.cell_size();
        let Looks { skin, phase, gap, .. } = &*guess.rough;
        let looks = Arc::new(Looks::new(skin, *phase, size, *gap, FINE, LOOKS)?);
        let places = spread(&guess.grid, region, SAMPLE);
        let (view, grid) = (guess.view, guess.grid);
        let mut placed = Self { looks, view, grid, places, evidence: f32::NEG_INFINITY };
        let colour = Freedom { colour: !placed.view.is_plain(), blur: false };
        placed.fit(scene, 2, colour);
        for _ in 0..2 {
            placed.align(scene);
            placed.fit(scene, 2, colour);
        }
        Some(placed)
    }

    /// The same with the gap between cells estimated, and with each way of estimating colours and sharpness that is worth its
    /// freedom.
    fn refined(mut self, scene: &Scene<'_>) -> Self {
        self.choose_gap(scene);
        self.chosen(scene)
    }

    /// The hypothesis that the cells at these places look so in the picture as it is, but for the colour of the gap.
    pub(crate) fn as_drawn(
        scene: &Scene<'_>,
        looks: Arc<Looks>,
        grid: Grid,
        places: Vec<Place>,
    ) -> Self {
        let view = View::plain();
        let mut drawn = Self { looks, view, grid, places, evidence: f32::NEG_INFINITY };
        if drawn.looks.gap > 0.0 {
            drawn.fit(scene, 1, Freedom { colour: false, blur: false });
        }
        drawn.view.noise = Noise::even(LEAST_VARIANCE);
        drawn
    }

    /// Widens or narrows the gap between cells while that explains them better.
    fn choose_gap(&mut self, scene: &Scene<'_>) {
        if self.looks.gap == 0.0 {
            return;
        }
        let pitch = self.grid.across.pitch.min(self.grid.down.pitch);
        let seen = self.samples(scene);
        let free = Freedom { colour: !self.view.is_plain(), blur: false };
        self.weigh(&seen);
        for step in GAP_STEPS {
            for by in [step, -step] {
                let mut is_better = true;
                while is_better {
                    let gap = self.looks.gap * by.exp2();
                    let looks =
                        self.looks.with_gap(gap, LOOKS).filter(|_| gap < WIDEST_GAP * pitch);
                    let Some(looks) = looks else { break };
                    let mut other = self.with_looks(Arc::new(looks));
                    other.view.fit(&seen, &other.looks, 1, free);
                    other.weigh(&seen);
                    is_better = other.evidence > self.evidence;
                    if is_better {
                        *self = other;
                    }
                }
            }
        }
    }

    /// Its evidence for a cell, in nats.
    pub(crate) fn per_cell(&self) -> f32 {
        self.evidence / self.places.len().max(1) as f32
    }

    /// Whether both say the same of the skin, at the same place.
    pub(crate) fn is_alike(&self, other: &Self) -> bool {
        let same = |a: f32, b: f32| (a - b).abs() < 0.5;
        Arc::ptr_eq(&self.looks.skin, &other.looks.skin)
            && self.looks.phase == other.looks.phase
            && same(self.looks.gap, other.looks.gap)
            && same(self.grid.across.at(0), other.grid.across.at(0))
            && same(self.grid.down.at(0), other.grid.down.at(0))
    }

    /// The same, judged by other cells.
    pub(crate) fn on(&self, places: Vec<Place>) -> Self {
        Self { places, ..self.clone() }
    }

    /// The same with other looks.
    pub(crate) fn with_looks(&self, looks: Arc<Looks>) -> Self {
        Self { looks, ..self.clone() }
    }

    /// From the first column and row of the cells by which it is judged to the first ones beyond.
    pub(crate) fn extent(&self) -> (Place, Place) {
        extent_of(&self.places)
    }

    pub(crate) fn samples(&self, scene: &Scene<'_>) -> Samples {
        Samples::cut(scene.pixels, &self.grid, &self.places, FINE)
    }

    fn fit(&mut self, scene: &Scene<'_>, rounds: usize, free: Freedom) {
        let seen = self.samples(scene);
        self.view.fit(&seen, &self.looks, rounds, free);
    }

    /// With that of what may be free which explains the cells best, for what it costs.
    pub(crate) fn chosen(self, scene: &Scene<'_>) -> Self {
        let seen = self.samples(scene);
        let mut best: Option<Self> = None;
        let is_plain = self.view.is_plain();
        for colour in [false, true] {
            for blur in [false, true] {
                let mut other = self.clone();
                if !colour && !is_plain {
                    other.view = self.view.in_own_colours();
                }
                if !blur {
                    other.view.blur = None;
                }
                let rounds = if blur || colour { 3 } else { 1 };
                other.view.fit(&seen, &other.looks, rounds, Freedom { colour, blur });
                other.weigh(&seen);
                if best.as_ref().is_none_or(|best| other.evidence > best.evidence) {
                    best = Some(other);
                }
            }
        }
        best.unwrap_or(self).lit(&seen)
    }

    /// With brightness that changes across the cells, where that explains them better.
    fn lit(self, seen: &Samples) -> Self {
        let mut other = self.clone();
        let free = Freedom { colour: !other.view.is_plain(), blur: false };
        let ((left, top), (right, bottom)) = other.extent();
        for _ in 0..LIGHT_ROUNDS {
            other.view.fit_light(seen, &other.looks, ((left, top), (right - 1, bottom - 1)));
            other.view.fit(seen, &other.looks, 1, free);
        }
        other.weigh(seen);
        if other.evidence > self.evidence { other } else { self }
    }

    /// Estimates the noise, and how much more likely the cells are than anything.
    pub(crate) fn weigh(&mut self, seen: &Samples) {
        let unlit = self.view.unlit(seen).into_owned();
        let predictions = self.view.predict(&self.looks);
        self.view.noise.fit(&unlit, &self.looks, &predictions);
        let cells = self.evidence_of(&unlit, Part::WHOLE).into_iter().map(with_unknown);
        let apart = self.apart(&unlit).max(1.0);
        let cost = self.view.estimated() as f32 / 2.0 * (apart * INDEPENDENT).max(2.0).ln();
        self.evidence = cells.sum::<f32>() - cost * (seen.len() as f32 / apart);
    }

    /// Whether some game looks as the cells seen seem to.
    pub(crate) fn is_possible(&self, seen: &Samples) -> bool {
        is_possible(self.looks.phase, &self.view.shown(&self.looks, seen))
    }

    /// What else the colours may be: those in which cells that seem to be of one kind are of others. In free colours what is
    /// drawn alike can change places. Colours in which each of the `cells` of the board seems to be what it is in others
    /// are no rivals.
    pub(crate) fn in_other_colours(&self, scene: &Scene<'_>, cells: Vec<Place>) -> Vec<Self> {
        if self.view.is_plain() {
            return Vec::new();
        }
        let seen = self.samples(scene);
        let free = Freedom { colour: true, blur: false };
        let mut kinds: Vec<Cell> = Vec::new();
        for cell in self.view.shown(&self.looks, &seen) {
            if !kinds.contains(&cell) {
                kinds.push(cell);
            }
        }
        let all = self.on(cells).samples(scene);
        let mut known = vec![self.view.shown(&self.looks, &all)];
        let mut others = Vec::new();
        for kind in kinds {
            let mut other = self.clone();
            other.view.fit(&seen, &self.looks.without(kind), 2, free);
            other.view.fit(&seen, &self.looks, 2, free);
            let theirs = other.view.shown(&self.looks, &all);
            if !known.contains(&theirs) {
                known.push(theirs);
                other.weigh(&seen);
                others.push(other);
            }
        }
        others
    }

    /// How far the cells are off on the mean, where none counts for more than one that shows nothing known.
    pub(crate) fn distance(&self, scene: &Scene<'_>) -> f32 {
        let seen = self.samples(scene);
        let nearest =
            self.view.predict(&self.looks).nearest(&seen, &self.looks, self.view.noise.variance);
        nearest.mean_capped(seen.variance())
    }

    /// How far the cells are off.
    pub(crate) fn distances(&self, scene: &Scene<'_>) -> Distances {
        let seen = self.samples(scene);
        let nearest =
            self.view.predict(&self.looks).nearest(&seen, &self.looks, self.view.noise.variance);
        let drawn = nearest.0.iter().filter(|(look, _)| {
            let cell = self.looks.looks[*look].cell;
            cell != Cell::Covered && cell != Cell::open(0)
        });
        let nth = |mut distances: Vec<f32>, part: usize| {
            let nth = distances.len() / part;
            if distances.is_empty() {
                return 0.0;
            }
            *distances.select_nth_unstable_by(nth, f32::total_cmp).1
        };
        Distances {
            of_half: nth(nearest.0.iter().map(|&(_, far)| far).collect(), 2),
            of_drawings: nth(drawn.map(|&(_, far)| far).collect(), 4),
        }
    }

    /// As how many cells those seen count when views are compared: cells of one kind err alike.
    fn apart(&self, unlit: &Samples) -> f32 {
        let nearest =
            self.view.predict(&self.looks).nearest(unlit, &self.looks, self.view.noise.variance);
        let mut counts: Vec<(Cell, f32)> = Vec::new();
        for (look, _) in nearest.0 {
            let cell = self.looks.looks[look].cell;
            match counts.iter_mut().find(|(known, _)| *known == cell) {
                Some((_, count)) => *count += 1.0,
                None => counts.push((cell, 1.0)),
            }
        }
        counts.into_iter().map(|(_, count)| count.min(ALIKE)).sum()
    }

    /// How much more likely a part of each cell is than anything, in nats. Light is removed from them already.
    pub(crate) fn evidence_of(&self, unlit: &Samples, part: Part) -> Vec<f32> {
        let predictions = self.view.predict_with_variance(&self.looks);
        unlit.iter().map(|cell| self.evidence_by(&predictions, cell, part).of_any).collect()
    }

    /// The same of one cell, by what this hypothesis predicts.
    pub(crate) fn evidence_by(
        &self,
        predictions: &Predictions,
        cell: &[f32],
        part: Part,
    ) -> CellEvidence {
        let likely = predictions.log_likelihoods(cell, part);
        let each = likely.iter().zip(&self.looks.looks);
        let kinds = of_kinds(each.map(|(likely, look)| (look.cell, likely + prior(look.cell))));
        let unknown = unknown(cell, part);
        let of = |is_one: fn(Cell) -> bool| {
            let kinds = kinds.iter().filter(move |(cell, _)| is_one(*cell));
            log_sum(kinds.map(|&(_, likely)| likely)) - unknown
        };
        CellEvidence { of_any: of(|_| true), of_others: of(|cell| cell != Cell::open(0)) }
    }

    /// Moves the grid while that brings the cells nearer to what they show.
    pub(crate) fn align(&mut self, scene: &Scene<'_>) {
        let grid = self.grid.clone();
        self.grid = aligned(scene, grid, &self.places, &self.looks, &self.view);
    }
}

/// Whether cells of a board may show this in this phase of a game: not all are blanks, a lost game shows a mine, and in a game
/// that is won cells are open.
pub(crate) fn is_possible(phase: Option<GamePhase>, cells: &[Cell]) -> bool {
    let is_any = |is: fn(Cell) -> bool| cells.iter().any(|&cell| is(cell));
    let fits_phase = match phase {
        Some(GamePhase::Lost) => is_any(Cell::is_end),
        Some(GamePhase::Won) => is_any(|cell| cell.number().is_some()),
        None => true,
    };
    fits_phase && is_any(|cell| cell != Cell::open(0))
}

/// The evidence of a cell of a board that may also show nothing known, from that of its being known.
fn with_unknown(evidence: f32) -> f32 {
    log_sum([evidence, NOTHING_KNOWN].into_iter())
}
