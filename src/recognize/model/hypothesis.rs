//! Which skin, at which place of its cells and in which colours, explains what repeats in a part of a picture.

use std::sync::{Arc, OnceLock};

use image::RgbImage;

use super::looks::Looks;
use super::noise::{ALIKE, INDEPENDENT, NOTHING_KNOWN, log_sum, unknown};
use super::periodicity::{Lines, Period, Profiles, likely_phases};
use super::prediction::{Part, distance};
use super::samples::{Edges, Grid, Place, Samples};
use super::view::{Freedom, View};
use crate::board::Cell;
use crate::geometry::Rect;
use crate::recognize::skin::{Mood, Skin, Template};

/// Bins of a cell along each axis: where skins are told apart roughly.
const ROUGH: usize = 8;
/// Bins of a cell along each axis: where cells are told apart.
pub(crate) const FINE: usize = 16;
/// Cells by which skins are told apart.
const SAMPLE: usize = 72;
/// Places of the edges along each axis that are tried for each skin and each state of a board.
const PHASES: usize = 3;
/// Cells by which a start is judged.
const FEW: usize = 24;
/// Starts that are followed.
const BEST_STARTS: usize = 3;
/// Looks of a kind that are told apart finely.
pub(crate) const LOOKS: usize = 3;
/// Hypotheses that are looked at finely.
const KEPT: usize = 6;
/// Gaps that are tried, as shares of what the skin draws: pictures of windows are scaled by anything.
const GAPS: [f32; 5] = [0.5, 0.7, 1.0, 1.4, 2.0];
/// By how much gaps are widened and narrowed then, as powers of two.
const GAP_STEPS: [f32; 3] = [0.25, 0.125, 0.0625];
/// No gap takes a larger share of a cell.
const WIDEST_GAP: f32 = 0.35;
/// Places of edges that are nearer to each other, as a share of a cell, are the same: the grid is moved by more later.
const SAME_PHASE: f32 = 0.04;
/// Fewer cells tell nothing of a skin: the smallest board has more.
const LEAST_CELLS: usize = 9;
/// Displays multiply colours by no less and no more than this.
const GAINS: std::ops::Range<f32> = 0.2..3.0;
/// Fills that differ less in each channel, in grey levels, are one colour.
const SAME_COLOUR: f32 = 12.0;
/// Turns in which light and colours are estimated.
const LIGHT_ROUNDS: usize = 3;
/// How far edges are moved, as shares of a cell.
const STEPS: [f32; 3] = [1.0 / 16.0, 1.0 / 32.0, 1.0 / 64.0];

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

/// What hypotheses are about: a picture, and how its edges lie.
pub(crate) struct Scene<'a> {
    pub(crate) pixels: &'a RgbImage,
    /// Its edges across and down.
    profiles: OnceLock<[Profiles; 2]>,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(pixels: &'a RgbImage) -> Self {
        Self { pixels, profiles: OnceLock::new() }
    }

    fn profiles(&self) -> &[Profiles; 2] {
        self.profiles.get_or_init(|| [Profiles::across(self.pixels), Profiles::down(self.pixels)])
    }
}

/// A rough guess, and how much of the variance it explains.
pub(crate) struct Guess {
    /// A look of each kind, at [`ROUGH`] bins.
    rough: Arc<Looks>,
    grid: Grid,
    view: View,
    /// The logarithm of the share of the variance that is left, less than none.
    pub(crate) explained: f32,
}

/// What may explain a place, roughly, the likeliest first.
pub(crate) fn guesses(scene: &Scene<'_>, period: &Period, skins: &[Arc<Skin>]) -> Vec<Guess> {
    let region = period.region;
    let (xs, ys) = ((region.x, region.right()), (region.y, region.bottom()));
    let [across, down] = scene.profiles();
    let lines = [across.followed(period.pitch.0, xs, ys), down.followed(period.pitch.1, ys, xs)];
    let threads =
        std::thread::available_parallelism().map_or(1, usize::from).min(skins.len().max(1));
    let mut guesses: Vec<Guess> = std::thread::scope(|scope| {
        let lines = &lines;
        let part = |from: usize| {
            skins
                .iter()
                .skip(from)
                .step_by(threads)
                .flat_map(|skin| guesses_of(scene, period, lines, skin))
                .collect::<Vec<_>>()
        };
        let workers: Vec<_> = (0..threads).map(|from| scope.spawn(move || part(from))).collect();
        workers
            .into_iter()
            .flat_map(|worker| {
                worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
            .collect()
    });
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

/// What becomes of these guesses, the likeliest first.
pub(crate) fn hypotheses(scene: &Scene<'_>, region: Rect, guesses: Vec<Guess>) -> Vec<Hypothesis> {
    let refined = |guess| refined(scene, region, guess);
    let mut hypotheses: Vec<Hypothesis> = guesses.into_iter().filter_map(refined).collect();
    hypotheses.sort_by(|a, b| b.per_cell().total_cmp(&a.per_cell()));
    hypotheses
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
fn spread(grid: &Grid, region: Rect, count: usize) -> Vec<Place> {
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
    let edges = |phase: f32, from: i32, lines: &Lines| {
        let pitch = lines.pitch;
        let number = (from as f32 / pitch - phase).ceil() as i32;
        let origin = (phase - lines.loudest).round() as i32;
        Edges::new(phase * pitch, pitch, lines.shifts.clone(), origin).from(number)
    };
    let mut guesses: Vec<Guess> = Vec::new();
    for all in looks_of(skin, period.pitch) {
        let rough = rough(&all);
        let mut phases: Vec<(f32, f32)> = Vec::new();
        for [across, down] in all.folded_edges() {
            let in_x = likely_phases(&columns.folded, &across, PHASES);
            let in_y = likely_phases(&rows.folded, &down, PHASES);
            for (x, y) in in_x.iter().flat_map(|x| in_y.iter().map(move |y| (*x, *y))) {
                let near = |a: f32, b: f32| (a - b).abs() < SAME_PHASE;
                if !phases.iter().any(|known| near(known.0, x) && near(known.1, y)) {
                    phases.push((x, y));
                }
            }
        }
        for (x, y) in phases {
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
    let mut guesses: Vec<Guess> =
        all.filter_map(|looks| guess(scene, region, &rough(&looks), grid.clone())).collect();
    guesses.sort_by(|a, b| b.explained.total_cmp(&a.explained));
    // Of gaps the likeliest is enough: it is widened or narrowed later.
    let mut likeliest: Vec<Guess> = Vec::new();
    for guess in guesses {
        let is_same = |known: &Guess| {
            Arc::ptr_eq(&known.rough.skin, &guess.rough.skin)
                && known.rough.mood == guess.rough.mood
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
    let changes_all = |mood: &Option<Mood>| {
        let covered = |t: &Template| t.cell == Cell::Covered && t.mood == *mood;
        skin.templates.iter().any(covered)
    };
    let moods: Vec<Option<Mood>> = Mood::ALL.into_iter().filter(changes_all).collect();
    let gaps = gaps(&skin, pitch.0.min(pitch.1));
    let kinds = moods
        .into_iter()
        .flat_map(move |mood| gaps.clone().into_iter().map(move |gap| (mood, gap)));
    kinds.filter_map(move |(mood, gap)| Looks::new(&skin, mood, size, gap, FINE, LOOKS))
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
                grid.across.first += x as f32 * STEPS[0] * grid.across.pitch;
                grid.down.first += y as f32 * STEPS[0] * grid.down.pitch;
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
    shown(view, looks, seen).iter().all(|&cell| cell == Cell::open(0))
}

/// What each of these cells seems to be.
fn shown(view: &View, looks: &Looks, seen: &Samples) -> Vec<Cell> {
    let nearest = view.predict(looks).nearest(&view.unlit(seen), looks, view.noise.variance);
    nearest.0.into_iter().map(|(look, _)| looks.looks[look].cell).collect()
}

/// Views that may be near the one at hand, and whether colours are to be estimated: the plain one, and those that take common
/// colours of the skin to common ones of the picture.
fn starts(seen: &Samples, looks: &Looks) -> Vec<(View, bool)> {
    let inside = looks.inside();
    let mean = |planes: &[f32]| -> [f32; 3] {
        std::array::from_fn(|channel| {
            let values = &planes[channel * seen.side * seen.side..];
            inside.iter().map(|&at| values[at]).sum::<f32>() / inside.len() as f32
        })
    };
    let fills: Vec<[f32; 3]> = seen.iter().map(mean).collect();
    let common = commonest(&fills);
    let own = |cell: Cell| {
        looks.looks.iter().find(|look| look.cell == cell).map(|look| mean(&look.features))
    };
    let fill = [Cell::Covered, Cell::open(0), Cell::open(1)].map(own);
    let mut starts = vec![(View::plain(), false), (View::plain(), true), (View::grey(), true)];
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let (Some(a), Some(b)) = (fill[a], fill[b]) else { continue };
        for (i, seen_a) in common.iter().enumerate() {
            for (j, seen_b) in common.iter().enumerate() {
                if i != j {
                    starts.extend(levels_between([a, b], [*seen_a, *seen_b]));
                }
            }
        }
    }
    // The brightest cells and the darkest ones are so in any levels, or the other way round.
    let own: Vec<[f32; 3]> = looks.looks.iter().map(|look| mean(&look.features)).collect();
    if let (Some(own), Some([dark, bright])) = (extremes(&own), extremes(&fills)) {
        starts.extend(levels_between(own, [dark, bright]));
        starts.extend(levels_between(own, [bright, dark]));
    }
    // All that is common may be one kind.
    for own in fill.into_iter().flatten().take(2) {
        for gain in [1.0, -1.0] {
            let summand = std::array::from_fn(|channel| common[0][channel] - gain * own[channel]);
            starts.push((View::levels(gain, summand), true));
        }
    }
    starts
}

/// The view of levels that takes two colours of a skin to two of the picture, and that its colours are to be estimated.
fn levels_between([a, b]: [[f32; 3]; 2], [seen_a, seen_b]: [[f32; 3]; 2]) -> Option<(View, bool)> {
    let (mut across, mut within) = (0.0, 0.0);
    for channel in 0..3 {
        let own = a[channel] - b[channel];
        across += own * (seen_a[channel] - seen_b[channel]);
        within += own * own;
    }
    let gain: f32 = across / within.max(1.0);
    let summand = std::array::from_fn(|channel| {
        (seen_a[channel] + seen_b[channel] - gain * (a[channel] + b[channel])) / 2.0
    });
    GAINS.contains(&gain.abs()).then(|| (View::levels(gain, summand), true))
}

/// The darkest and the brightest colour.
fn extremes(fills: &[[f32; 3]]) -> Option<[[f32; 3]; 2]> {
    let brightness = |fill: &[f32; 3]| fill.iter().sum::<f32>();
    let by_brightness = |a: &&[f32; 3], b: &&[f32; 3]| brightness(a).total_cmp(&brightness(b));
    Some([*fills.iter().min_by(by_brightness)?, *fills.iter().max_by(by_brightness)?])
}

/// The commonest colours, at most three.
fn commonest(fills: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let near =
        |a: &[f32; 3], b: &[f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < SAME_COLOUR);
    let mut groups: Vec<([f32; 3], f32)> = Vec::new();
    for fill in fills {
        match groups.iter_mut().find(|(mean, _)| near(mean, fill)) {
            Some((mean, count)) => {
                *count += 1.0;
                mean.iter_mut().zip(fill).for_each(|(mean, fill)| *mean += (fill - *mean) / *count);
            }
            None => groups.push((*fill, 1.0)),
        }
    }
    groups.sort_by(|a, b| b.1.total_cmp(&a.1));
    groups.into_iter().take(3).map(|(mean, _)| mean).collect()
}

/// What becomes of a guess when its grid, colours and sharpness are estimated finely, with each way of doing so that is
/// worth its freedom.
fn refined(scene: &Scene<'_>, region: Rect, guess: Guess) -> Option<Hypothesis> {
    let size = guess.grid.cell_size();
    let Looks { skin, mood, gap, .. } = &*guess.rough;
    let looks = Arc::new(Looks::new(skin, *mood, size, *gap, FINE, LOOKS)?);
    let places = spread(&guess.grid, region, SAMPLE);
    let mut hypothesis = Hypothesis {
        looks,
        view: guess.view,
        grid: guess.grid,
        places,
        evidence: f32::NEG_INFINITY,
    };
    let is_plain = hypothesis.view.is_plain();
    let colour = Freedom { colour: !is_plain, blur: false };
    hypothesis.fit(scene, 2, colour);
    for _ in 0..2 {
        hypothesis.climb(scene);
        hypothesis.fit(scene, 2, colour);
    }
    hypothesis.choose_gap(scene);
    Some(hypothesis.chosen(scene))
}

impl Hypothesis {
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
            && self.looks.mood == other.looks.mood
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
        let bounds = |of: fn(&Place) -> i32| {
            let numbers = self.places.iter().map(of);
            (numbers.clone().min().unwrap_or(0), numbers.max().unwrap_or(0) + 1)
        };
        let ((left, right), (top, bottom)) = (bounds(|place| place.0), bounds(|place| place.1));
        ((left, top), (right, bottom))
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
        is_possible(self.looks.mood, &shown(&self.view, &self.looks, seen))
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
        for cell in shown(&self.view, &self.looks, &seen) {
            if !kinds.contains(&cell) {
                kinds.push(cell);
            }
        }
        let all = self.on(cells).samples(scene);
        let mut known = vec![shown(&self.view, &self.looks, &all)];
        let mut others = Vec::new();
        for kind in kinds {
            let mut other = self.clone();
            other.view.fit(&seen, &self.looks.without(kind), 2, free);
            other.view.fit(&seen, &self.looks, 2, free);
            let theirs = shown(&other.view, &self.looks, &all);
            if !known.contains(&theirs) {
                known.push(theirs);
                other.weigh(&seen);
                others.push(other);
            }
        }
        others
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
        let of = |cell: &[f32]| {
            let likely = predictions.log_likelihoods(cell, part);
            let each = likely.iter().zip(&self.looks.looks).map(|(l, look)| l + look.prior);
            log_sum(each) - unknown(cell, part)
        };
        unlit.iter().map(of).collect()
    }

    /// Moves the ends of the grid by shares of a cell while that brings the cells nearer to what they show.
    pub(crate) fn climb(&mut self, scene: &Scene<'_>) {
        let predictions = self.view.predict(&self.looks);
        let ((left, top), (right, bottom)) = self.extent();
        let (xs, ys) = ((left, right), (top, bottom));
        let places = self.places.clone();
        let cost = |grid: &Grid, shown: &[(usize, f32)], limit: f32| -> f32 {
            let seen = Samples::cut(scene.pixels, grid, &places, FINE);
            let seen = self.view.unlit(&seen);
            if seen.len() < places.len() {
                return f32::INFINITY;
            }
            let each = seen.iter().zip(shown).map(|(cell, &(look, _))| {
                let mean = predictions.mean(look);
                distance(cell, mean).min(limit * cell.len() as f32)
            });
            each.sum()
        };
        for step in STEPS {
            let seen = Samples::cut(scene.pixels, &self.grid, &places, FINE);
            let seen = self.view.unlit(&seen);
            if seen.len() < places.len() || seen.len() == 0 {
                return;
            }
            let nearest = predictions.nearest(&seen, &self.looks, self.view.noise.variance);
            let limit = 9.0 * nearest.scale().max(4.0);
            let mut least = cost(&self.grid, &nearest.0, limit);
            for _ in 0..6 {
                let before = least;
                // Both ends together, and each by itself, along each axis.
                for (axis, near, far) in
                    [(0, 1, 1), (1, 1, 1), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 0, 1)]
                {
                    for way in [1.0, -1.0] {
                        let mut grid = self.grid.clone();
                        let (edges, ends) =
                            if axis == 0 { (&mut grid.across, xs) } else { (&mut grid.down, ys) };
                        let by = way * step * edges.pitch;
                        *edges = edges.moved(ends, by * near as f32, by * far as f32);
                        let other = cost(&grid, &nearest.0, limit);
                        if other < least {
                            (least, self.grid) = (other, grid);
                            break;
                        }
                    }
                }
                if least >= before {
                    break;
                }
            }
        }
    }
}

/// Whether cells of a board may show this in this phase of a game: not all are blanks, a lost game shows a mine, and in a game
/// that is won cells are open.
pub(crate) fn is_possible(mood: Option<Mood>, cells: &[Cell]) -> bool {
    let is_any = |is: fn(Cell) -> bool| cells.iter().any(|&cell| is(cell));
    let fits_mood = match mood {
        Some(Mood::Lost) => is_any(Cell::is_end),
        Some(Mood::Won) => is_any(|cell| cell.number().is_some()),
        None => true,
    };
    fits_mood && is_any(|cell| cell != Cell::open(0))
}

/// The evidence of a cell of a board that may also show nothing known, from that of its being known.
fn with_unknown(evidence: f32) -> f32 {
    log_sum([evidence, NOTHING_KNOWN].into_iter())
}
