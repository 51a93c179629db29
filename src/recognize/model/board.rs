//! Boards that the model explains: where they end, and what each cell shows.

use std::sync::Arc;

use image::RgbImage;

use super::hypothesis::{
    FINE, Guess, Hypothesis, LOOKS, NOTHING_KNOWN, Scene, guesses, hypotheses, log_sum, unknown,
};
use super::looks::Looks;
use super::periodicity::{Period, best_rectangle, periods};
use super::samples::{Edges, Place, Samples};
use super::view::{INDEPENDENT, Part};
use crate::board::{Board, Cell, Pos};
use crate::geometry::Rect;
use crate::recognize::skin::{Mood, Skin};
use crate::recognize::{Lattice, rules};

/// A board that was found in a picture.
#[derive(Clone, Debug)]
pub(crate) struct Explained {
    pub(crate) skin: Arc<Skin>,
    /// In pixels of the picture.
    pub(crate) lattice: Lattice,
    /// What its cells show.
    pub(crate) board: Board,
    /// How much more likely the model makes the board than anything, in nats.
    pub(crate) evidence: f32,
    /// Whether it has the colours of its skin.
    pub(crate) is_plain: bool,
    /// Pixels between cells.
    pub(crate) gap: f32,
    /// Other skins that explain it as well.
    pub(crate) rivals: Vec<Arc<Skin>>,
}

impl Explained {
    /// Whether nearly all cells are told. Where more are not, it is something that is like a board.
    fn is_clear(&self) -> bool {
        let unclear = self.board.count(|cell| cell == Cell::Unclear) as f64;
        unclear <= MOST_UNCLEAR * self.board.cells().len() as f64
    }
}

/// No larger share of a board is unclear.
const MOST_UNCLEAR: f64 = 0.1;
/// A cell that is wrong loses a game; one in so many may be.
const TOLERATED: f32 = 1e-6;
/// No cell tells more of where a board ends, for or against: what is drawn on it may be anything.
const MOST_EVIDENCE: f32 = 30.0;
/// Places that are looked at finely, the ones with most evidence of repetition.
const PLACES: usize = 8;
/// Lines of cells beyond where edges repeat that are looked at.
const BEYOND: i32 = 3;
/// And at most so many, where the board goes on: no game has more cells in a line.
const MOST_BEYOND: i32 = 200;
/// How often the extent and the view are estimated in turns, at most.
const ROUNDS: usize = 4;
/// Cells by which a view is estimated.
const SAMPLE: usize = 144;
/// Bins of a cell that belong to its border.
const BORDER: usize = 2;
/// Lines at each edge that may be explained only in part.
const MOST_EDGES: usize = 2;
/// The logarithm of how likely any one colour is of the 256 x 256 x 256 that there are.
const ANY_COLOUR: f32 = -16.6;
/// How far beside its place a cell is looked for, as a share of a cell: games draw cells on whole pixels.
const ASIDE: f32 = 1.0 / 24.0;
/// What tells less than this for each cell, in nats, is no board.
const LEAST_EVIDENCE: f32 = 15.0;
/// With a larger share of blanks beside covered cells what was read is no board.
const MOST_SHUT_IN: f64 = 0.03;
/// Explanations that are nearer to the best one than this, in nats for each independent value, have to agree with it.
const RIVAL: f32 = 0.02;

/// The boards in a picture that one of the skins explains, those with most evidence first.
pub(crate) fn explained(pixels: &RgbImage, skins: &[Arc<Skin>]) -> Vec<Explained> {
    let scene = Scene::new(pixels);
    let periods = periods(pixels);
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
    // The best come first; once a board is found, others have to promise about as much.
    places.sort_by(|(at, a), (of, b)| promise(of, b).total_cmp(&promise(at, a)));
    let mut boards: Vec<Explained> = Vec::new();
    let mut least = LEAST_EXPLAINED;
    for (period, mut guesses) in places {
        let best = explained(&guesses);
        let covered = |board: &Explained| {
            board.lattice.area().intersection(period.region).is_some_and(|both| {
                let size = |area: Rect| u64::from(area.width) * u64::from(area.height);
                2 * size(both) > size(period.region)
            })
        };
        if best < least || boards.iter().any(covered) {
            continue;
        }
        log::debug!(
            "model: edges repeat in {} every {:?} px: {:.0} nats, {best:.2} explained",
            period.region,
            period.pitch,
            period.evidence
        );
        guesses.retain(|guess| guess.explained >= NEARLY * best);
        if let Some(board) = board_at(&scene, period, guesses).filter(Explained::is_clear) {
            boards.push(board);
            least = least.max(NEARLY * best);
        }
    }
    boards.sort_by(|a, b| b.evidence.total_cmp(&a.evidence));
    boards
}

/// What explains less than this, as the logarithm of the share of the variance that is left, is no board.
const LEAST_EXPLAINED: f32 = 0.4;
/// What explains less than this share of what the best does is left alone.
const NEARLY: f32 = 0.6;

/// Hypotheses that tell less than this share of what the best does are left alone.
const RIVALS: f32 = 0.75;
/// So many hypotheses are looked at as whole boards.
const MOST_RIVALS: usize = 3;

/// The board at a place.
fn board_at(scene: &Scene<'_>, period: &Period, guesses: Vec<Guess>) -> Option<Explained> {
    let hypotheses = hypotheses(scene, period, guesses);
    for hypothesis in &hypotheses {
        log::debug!(
            "model: {} gap {:.1} {}: {:.0} nats, variance {:.1}",
            hypothesis.looks.skin.name,
            hypothesis.looks.gap,
            if hypothesis.view.is_plain() { "plain" } else { "recoloured" },
            hypothesis.per_cell(),
            hypothesis.view.variance
        );
    }
    let best = hypotheses.first()?;
    let mut near: Vec<&Hypothesis> = Vec::new();
    for other in &hypotheses {
        let is_near = other.per_cell() > RIVALS * best.per_cell();
        if is_near && !near.iter().any(|known| known.is_alike(other)) && near.len() < MOST_RIVALS {
            near.push(other);
        }
    }
    let mut whole: Vec<Whole> =
        near.into_iter().filter_map(|hypothesis| Whole::around(scene, hypothesis)).collect();
    whole.sort_by(|a, b| b.hypothesis.evidence.total_cmp(&a.hypothesis.evidence));
    for other in &whole {
        let Hypothesis { looks, evidence, view, .. } = &other.hypothesis;
        log::debug!(
            "model: whole {} {:?} {:?}: {evidence:.0} nats, variance {:.1}",
            looks.skin.name,
            looks.mood,
            other.extent,
            view.variance
        );
    }
    (0..whole.len()).find_map(|at| whole[at].read(scene, &whole[at + 1..]))
}

/// A hypothesis of a whole board.
struct Whole {
    hypothesis: Hypothesis,
    /// Columns and rows of its grid: the first ones, and the first ones beyond.
    extent: Extent,
}

/// From the first column and row to the first ones beyond.
type Extent = (Place, Place);

fn cells_of(((left, top), (right, bottom)): Extent) -> Vec<Place> {
    (top..bottom).flat_map(|row| (left..right).map(move |col| (col, row))).collect()
}

impl Whole {
    fn around(scene: &Scene<'_>, hypothesis: &Hypothesis) -> Option<Self> {
        let mut whole = Self { extent: hypothesis.extent(), hypothesis: hypothesis.clone() };
        whole.choose_mood(scene);
        let mut known = None;
        for round in 0..ROUNDS {
            let extent = whole.extended(scene)?;
            let is_same = known == Some(extent);
            whole.extent = extent;
            if is_same && round > 1 {
                break;
            }
            known = Some(extent);
            let cells = cells_of(extent);
            let stride = (cells.len() / SAMPLE).max(1);
            let sample: Vec<Place> = cells.into_iter().step_by(stride | 1).collect();
            whole.hypothesis = whole.hypothesis.on(sample);
            whole.hypothesis.climb(scene);
            whole.hypothesis = whole.hypothesis.chosen(scene);
        }
        whole.take_all_looks(scene)?;
        whole.weigh(scene);
        Some(whole)
    }

    /// Takes in the looks whose templates are of other sizes.
    fn take_all_looks(&mut self, scene: &Scene<'_>) -> Option<()> {
        let Looks { skin, mood, gap, .. } = &*self.hypothesis.looks;
        let looks = Looks::new(skin, *mood, self.hypothesis.grid.cell_size(), *gap, FINE)?;
        self.hypothesis = self.hypothesis.with_looks(Arc::new(looks)).chosen(scene);
        Some(())
    }

    /// Weighs all cells of the board.
    fn weigh(&mut self, scene: &Scene<'_>) {
        let mut all = self.hypothesis.on(cells_of(self.extent));
        let seen = all.samples(scene);
        all.weigh(&seen);
        self.hypothesis = all;
    }

    /// Where the evidence of cells adds up to most, as far as the picture reaches.
    fn extended(&self, scene: &Scene<'_>) -> Option<Extent> {
        let ((mut left, mut top), (mut right, mut bottom)) = self.extent;
        let (width, height) = (scene.pixels.width() as f32, scene.pixels.height() as f32);
        let grid = &self.hypothesis.grid;
        let (first_col, end_col) = grid.across.within(0.0, width);
        let (first_row, end_row) = grid.down.within(0.0, height);
        let mut beyond = BEYOND;
        loop {
            let from = ((left - beyond).max(first_col), (top - beyond).max(first_row));
            let to = ((right + beyond).min(end_col), (bottom + beyond).min(end_row));
            let (cols, rows) = ((to.0 - from.0).max(0) as usize, (to.1 - from.1).max(0) as usize);
            if cols < 2 || rows < 2 {
                return None;
            }
            let seen = self.hypothesis.on(cells_of((from, to))).samples(scene);
            let unlit = self.hypothesis.view.unlit(&seen);
            let mut evidence = vec![-MOST_EVIDENCE; cols * rows];
            for (&(col, row), value) in
                unlit.places.iter().zip(self.hypothesis.evidence_of(&unlit, Part::WHOLE))
            {
                evidence[(row - from.1) as usize * cols + (col - from.0) as usize] =
                    value.clamp(-MOST_EVIDENCE, MOST_EVIDENCE);
            }
            let (sum, ((l, t), (r, b))) = best_rectangle(&evidence, (cols, rows));
            if sum <= 0.0 {
                return None;
            }
            let found =
                ((from.0 + l as i32, from.1 + t as i32), (from.0 + r as i32, from.1 + b as i32));
            let touches = (l == 0 && from.0 > first_col)
                || (t == 0 && from.1 > first_row)
                || (r == cols && to.0 < end_col)
                || (b == rows && to.1 < end_row);
            ((left, top), (right, bottom)) = found;
            if !touches || beyond > MOST_BEYOND {
                return Some(self.with_edges(scene, found));
            }
            beyond = 2 * beyond + 1;
        }
    }

    /// The extent with the lines beside it that are explained but for the borders of their cells that face away from it.
    fn with_edges(&self, scene: &Scene<'_>, extent: Extent) -> Extent {
        let mut extent = extent;
        for _ in 0..MOST_EDGES {
            let ((left, top), (right, bottom)) = extent;
            let none = Part::WHOLE;
            let sides = [
                (((left - 1, top), (left, bottom)), Part { left: BORDER, ..none }),
                (((right, top), (right + 1, bottom)), Part { right: BORDER, ..none }),
                (((left, top - 1), (right, top)), Part { top: BORDER, ..none }),
                (((left, bottom), (right, bottom + 1)), Part { bottom: BORDER, ..none }),
            ];
            let before = extent;
            for (line, part) in sides {
                let seen = self.hypothesis.on(cells_of(line)).samples(scene);
                if seen.len() < cells_of(line).len() {
                    continue;
                }
                let evidence =
                    self.hypothesis.evidence_of(&self.hypothesis.view.unlit(&seen), part);
                let sum: f32 =
                    evidence.iter().map(|value| value.clamp(-MOST_EVIDENCE, MOST_EVIDENCE)).sum();
                if sum > 0.0 {
                    let ((l, t), (r, b)) = line;
                    extent.0 = (extent.0.0.min(l), extent.0.1.min(t));
                    extent.1 = (extent.1.0.max(r), extent.1.1.max(b));
                }
            }
            if extent == before {
                break;
            }
        }
        extent
    }

    /// Takes the looks of the phase of a game that explain the board best.
    fn choose_mood(&mut self, scene: &Scene<'_>) {
        let seen = self.hypothesis.samples(scene);
        self.hypothesis.weigh(&seen);
        let Looks { skin, gap, mood, .. } = &*self.hypothesis.looks;
        let (skin, gap, mood) = (skin.clone(), *gap, *mood);
        for other in Mood::ALL.into_iter().filter(|other| *other != mood) {
            let size = self.hypothesis.grid.cell_size();
            let Some(looks) = Looks::new(&skin, other, size, gap, FINE) else { continue };
            let looks = looks.nearest_in_size(size.0 as f32 - gap, LOOKS);
            let other = self.hypothesis.with_looks(Arc::new(looks)).chosen(scene);
            if other.evidence > self.hypothesis.evidence {
                self.hypothesis = other;
            }
        }
    }

    /// The probability of each kind for each cell, as logarithms.
    fn posteriors(&self, scene: &Scene<'_>) -> Vec<Vec<(Cell, f32)>> {
        let hypothesis = &self.hypothesis;
        let predictions = hypothesis.view.predict_with_variance(&hypothesis.looks);
        let looks = &hypothesis.looks.looks;
        let mut kinds: Vec<Cell> = Vec::new();
        for look in looks {
            if !kinds.contains(&look.cell) {
                kinds.push(look.cell);
            }
        }
        let posterior = |likely: &[f32], cell: &[f32], part: Part| -> Vec<(Cell, f32)> {
            let each = likely.iter().zip(looks).map(|(likely, look)| likely + look.prior);
            let all =
                log_sum(each.clone().chain([unknown(cell, part) + ANY_COLOUR + NOTHING_KNOWN]));
            let of = |cell: Cell| {
                let own = each.clone().zip(looks).filter(move |(_, look)| look.cell == cell);
                log_sum(own.map(|(value, _)| value)) - all
            };
            kinds.iter().map(|&cell| (cell, of(cell))).collect()
        };
        let seen = hypothesis.view.unlit(&hypothesis.samples(scene)).into_owned();
        let likely: Vec<Vec<f32>> =
            seen.iter().map(|cell| predictions.log_likelihoods(cell, Part::WHOLE)).collect();
        let mut posteriors: Vec<Vec<(Cell, f32)>> = likely
            .iter()
            .zip(seen.iter())
            .map(|(likely, cell)| posterior(likely, cell, Part::WHOLE))
            .collect();
        // What is not told at its place may be a part of a pixel aside.
        let doubtful: Vec<usize> =
            (0..posteriors.len()).filter(|&at| told(&posteriors[at]) == Cell::Unclear).collect();
        if !doubtful.is_empty() {
            let places: Vec<Place> = doubtful.iter().map(|&at| seen.places[at]).collect();
            let mut sums: Vec<Vec<Vec<f32>>> = doubtful
                .iter()
                .map(|&at| likely[at].iter().map(|&value| vec![value]).collect())
                .collect();
            for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
                let mut grid = hypothesis.grid.clone();
                grid.across.first += dx as f32 * ASIDE * grid.across.pitch;
                grid.down.first += dy as f32 * ASIDE * grid.down.pitch;
                let aside = Samples::cut(scene.pixels, &grid, &places, FINE);
                let aside = hypothesis.view.unlit(&aside);
                for (cell, place) in aside.iter().zip(&aside.places) {
                    let Some(at) = places.iter().position(|other| other == place) else { continue };
                    for (sum, value) in
                        sums[at].iter_mut().zip(predictions.log_likelihoods(cell, Part::WHOLE))
                    {
                        sum.push(value);
                    }
                }
            }
            for (&at, sums) in doubtful.iter().zip(&sums) {
                let means: Vec<f32> = sums
                    .iter()
                    .map(|values| log_sum(values.iter().copied()) - (values.len() as f32).ln())
                    .collect();
                posteriors[at] = posterior(&means, seen.get(at), Part::WHOLE);
                let part = self.inner_part(seen.places[at]);
                if part != Part::WHOLE && told(&posteriors[at]) == Cell::Unclear {
                    let likely = predictions.log_likelihoods(seen.get(at), part);
                    posteriors[at] = posterior(&likely, seen.get(at), part);
                }
            }
        }
        posteriors
    }

    /// The part of a cell that does not border on what is beside the board.
    fn inner_part(&self, (col, row): Place) -> Part {
        let ((left, top), (right, bottom)) = self.extent;
        let of = |is: bool| if is { BORDER } else { 0 };
        Part {
            left: of(col == left),
            top: of(row == top),
            right: of(col == right - 1),
            bottom: of(row == bottom - 1),
        }
    }

    /// What the board shows; what explanations nearly as good deny is unclear.
    fn read(&self, scene: &Scene<'_>, others: &[Whole]) -> Option<Explained> {
        let ((left, top), (right, bottom)) = self.extent;
        let (cols, rows) = ((right - left) as u16, (bottom - top) as u16);
        if !Board::can_have(usize::from(cols), usize::from(rows)) {
            return None;
        }
        let mut cells: Vec<Cell> = self.posteriors(scene).iter().map(|cell| told(cell)).collect();
        if cells.len() != usize::from(cols) * usize::from(rows) {
            return None;
        }
        let grid = &self.hypothesis.grid;
        let edges = |edges: &Edges, from: i32, to: i32| -> Vec<i32> {
            (from..=to).map(|number| edges.at(number).round() as i32).collect()
        };
        let lattice =
            Lattice::with_edges(edges(&grid.across, left, right), edges(&grid.down, top, bottom))?;
        let evidence = self.hypothesis.evidence;
        let scale = cells.len() as f32 * INDEPENDENT;
        if evidence < LEAST_EVIDENCE * cells.len() as f32 {
            return None;
        }
        let mut rivals = Vec::new();
        for other in
            others.iter().filter(|other| other.extent_in_pixels() == self.extent_in_pixels())
        {
            if evidence - other.hypothesis.evidence > RIVAL * scale {
                continue;
            }
            let theirs = other.posteriors(scene);
            for (cell, theirs) in cells.iter_mut().zip(&theirs) {
                let theirs = told(theirs);
                if theirs != Cell::Unclear && theirs != *cell {
                    *cell = Cell::Unclear;
                }
            }
            let skin = &other.hypothesis.looks.skin;
            if !Arc::ptr_eq(skin, &self.hypothesis.looks.skin) {
                rivals.push(skin.clone());
            }
        }
        let mut board = Board::new(cols, rows);
        for (at, &cell) in cells.iter().enumerate() {
            let pos = board.pos(at);
            board[pos] = cell;
        }
        for pos in rules::impossible(&board) {
            board[pos] = Cell::Unclear;
        }
        // A lost game shows a mine, and around a blank the game has opened everything.
        if self.hypothesis.looks.mood == Some(Mood::Lost) && board.count(Cell::is_end) == 0 {
            return None;
        }
        let beside_covered =
            |&pos: &Pos| board.neighbours(pos).any(|near| board[near] == Cell::Covered);
        let blanks = board.iter().filter(|&(_, cell)| cell == Cell::open(0)).map(|(pos, _)| pos);
        let shut_in: Vec<Pos> = blanks.filter(beside_covered).collect();
        if shut_in.len() as f64 > MOST_SHUT_IN * cells.len() as f64 {
            return None;
        }
        for pos in shut_in {
            board[pos] = Cell::Unclear;
        }
        Some(Explained {
            skin: self.hypothesis.looks.skin.clone(),
            lattice,
            board,
            evidence,
            is_plain: self.hypothesis.view.is_plain(),
            gap: self.hypothesis.looks.gap,
            rivals,
        })
    }

    /// The corners of the board, in half cells from the corner of the picture.
    fn extent_in_pixels(&self) -> [i32; 4] {
        let grid = &self.hypothesis.grid;
        let ((left, top), (right, bottom)) = self.extent;
        let half = |value: f32, pitch: f32| (2.0 * value / pitch).round() as i32;
        [
            half(grid.across.at(left), grid.across.pitch),
            half(grid.down.at(top), grid.down.pitch),
            half(grid.across.at(right), grid.across.pitch),
            half(grid.down.at(bottom), grid.down.pitch),
        ]
    }
}

/// The kind of a cell that is all but certain.
fn told(posterior: &[(Cell, f32)]) -> Cell {
    let sure = (-TOLERATED).ln_1p();
    posterior
        .iter()
        .find(|(_, probability)| *probability >= sure)
        .map_or(Cell::Unclear, |(cell, _)| *cell)
}
