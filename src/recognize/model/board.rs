//! Boards that the model explains: where they end, and what each cell shows.

use std::sync::Arc;

use image::RgbImage;

use super::hypothesis::{
    FINE, Guess, Hypothesis, LOOKS, Scene, guesses, guesses_at, hypotheses, is_possible,
};
use super::looks::Looks;
use super::noise::{INDEPENDENT, NOTHING_KNOWN, log_sum, unknown};
use super::periodicity::{Period, best_rectangle, periods};
use super::prediction::Part;
use super::samples::{Edges, Grid, Place, Samples};
use crate::board::{Board, Cell, Pos};
use crate::geometry::Rect;
use crate::recognize::skin::{Mood, Skin};
use crate::recognize::{Lattice, rules};

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

    /// Whether nearly all cells are told, and no more mines burst than are opened at once. Where it is not so, it is something
    /// that is like a board.
    fn is_likely(&self) -> bool {
        let unclear = self.board.count(|cell| cell == Cell::Unclear) as f64;
        unclear <= MOST_UNCLEAR * self.board.cells().len() as f64
            && self.board.count(|cell| cell == Cell::Burst) <= MOST_OPENED
    }
}

/// No larger share of a board is unclear.
const MOST_UNCLEAR: f64 = 0.1;
/// A click opens one cell, or all around one.
const MOST_OPENED: usize = 8;
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
/// A cell without its border.
const INNER: Part = Part { left: BORDER, top: BORDER, right: BORDER, bottom: BORDER };
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
    // The best come first; once a board is found, others have to promise about as much, and more where it is.
    places.sort_by(|(at, a), (of, b)| promise(of, b).total_cmp(&promise(at, a)));
    let mut boards: Vec<(Explained, f32)> = Vec::new();
    let mut least = LEAST_EXPLAINED;
    for (period, mut guesses) in places {
        let best = explained(&guesses);
        let is_known = |(board, of): &(Explained, f32)| {
            board.is_whole && *of >= best && board.holds_most_of(period.region)
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
        if let Some(board) = board_at(&scene, period, guesses, skins).filter(Explained::is_likely) {
            if board.is_whole {
                least = least.max(NEARLY * best);
            }
            boards.push((board, best));
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
    let wholes = near.iter().map(|hypothesis| Whole::at(&scene, hypothesis, extent));
    Sight::of(&scene, wholes.collect()).map(|(sight, _)| sight)
}

/// What is likeliest to explain cells whose places are known.
fn hypotheses_at(scene: &Scene<'_>, lattice: &Lattice, skins: &[Arc<Skin>]) -> Vec<Hypothesis> {
    let (area, grid) = (lattice.area(), Grid::on(lattice));
    likeliest(hypotheses(scene, area, guesses_at(scene, area, &grid, skins)))
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
fn board_at(
    scene: &Scene<'_>,
    period: &Period,
    guesses: Vec<Guess>,
    skins: &[Arc<Skin>],
) -> Option<Explained> {
    let around = |near: Vec<Hypothesis>| {
        let wholes = near.iter().filter_map(|hypothesis| Whole::around(scene, hypothesis));
        Sight::of(scene, wholes.collect())
    };
    let (mut sight, mut board) = around(likeliest(hypotheses(scene, period.region, guesses)))?;
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
    let undecided = sight.wholes[0].undecided(scene);
    if let Some((from, to)) = undecided {
        log::debug!("model: whether the cells from {from:?} to {to:?} belong to it is undecided");
    }
    let (lattice, is_whole) = (sight.lattice()?, undecided.is_none());
    Some(Explained { lattice, board, sight, is_whole })
}

/// Those hypotheses that are about as good as the best one, and say something else.
fn likeliest(hypotheses: Vec<Hypothesis>) -> Vec<Hypothesis> {
    let best = hypotheses.first().map_or(0.0, Hypothesis::per_cell);
    let mut near: Vec<Hypothesis> = Vec::new();
    for other in hypotheses {
        log::debug!(
            "model: {} {:?} gap {:.1} {}: {:.0} nats, variance {:.1}",
            other.looks.skin.name,
            other.looks.mood,
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

/// What explains a board: the best hypothesis, and those that are nearly as good. What they do not agree on is unclear.
#[derive(Clone, Debug)]
pub(crate) struct Sight {
    /// The best one comes first.
    wholes: Vec<Whole>,
}

impl Sight {
    /// What explains a board best of these, and what it shows then; `None` when none does.
    fn of(scene: &Scene<'_>, wholes: Vec<Whole>) -> Option<(Self, Board)> {
        let mut wholes: Vec<Whole> =
            wholes.into_iter().flat_map(|whole| whole.finished(scene)).collect();
        wholes.sort_by(|a, b| b.hypothesis.evidence.total_cmp(&a.hypothesis.evidence));
        // What no game looks like explains nothing, and is no rival.
        let mut possible: Vec<(Whole, Board)> =
            wholes.into_iter().filter_map(|whole| whole.possible(scene)).collect();
        possible.sort_by(|(a, _), (b, _)| b.hypothesis.evidence.total_cmp(&a.hypothesis.evidence));
        for (Whole { hypothesis, extent }, _) in &possible {
            let Hypothesis { looks, evidence, view, .. } = hypothesis;
            log::debug!(
                "model: whole {} {:?} {extent:?}: {evidence:.0} nats, variance {:.1}",
                looks.skin.name,
                looks.mood,
                view.noise.variance
            );
        }
        let mut possible = possible.into_iter();
        let (best, mut board) = possible.next()?;
        let evidence = best.hypothesis.evidence;
        let cells = board.cells().len() as f32;
        if evidence < LEAST_EVIDENCE * cells {
            return None;
        }
        let mut wholes = vec![best];
        for (other, theirs) in possible {
            if other.extent_in_pixels() == wholes[0].extent_in_pixels()
                && evidence - other.hypothesis.evidence <= RIVAL * cells * INDEPENDENT
            {
                for at in 0..board.cells().len() {
                    let pos = board.pos(at);
                    board[pos] = agreed(board[pos], theirs[pos]);
                }
                wholes.push(other);
            }
        }
        Some((Self { wholes }, board))
    }

    /// The skin.
    pub(crate) fn skin(&self) -> &Arc<Skin> {
        &self.best().looks.skin
    }

    /// Other skins that explain it as well.
    pub(crate) fn rivals(&self) -> Vec<Arc<Skin>> {
        let mut rivals: Vec<Arc<Skin>> = Vec::new();
        for Whole { hypothesis, .. } in &self.wholes {
            let skin = &hypothesis.looks.skin;
            if rivals.iter().chain([self.skin()]).all(|known| !Arc::ptr_eq(known, skin)) {
                rivals.push(skin.clone());
            }
        }
        rivals
    }

    /// Whether colours are those of the skin.
    pub(crate) fn is_plain(&self) -> bool {
        self.best().view.is_plain()
    }

    /// Pixels between cells.
    pub(crate) fn gap(&self) -> f32 {
        self.best().looks.gap
    }

    /// The same so many pixels farther to the right and down.
    pub(crate) fn moved(&self, dx: i32, dy: i32) -> Self {
        let mut moved = self.clone();
        for whole in &mut moved.wholes {
            whole.hypothesis.grid = whole.hypothesis.grid.moved(dx, dy);
        }
        moved
    }

    /// The same of a board that has so many more columns and rows on the left and at the top, and is so large then.
    pub(crate) fn with_more(&self, before: (u16, u16), (cols, rows): (u16, u16)) -> Self {
        let mut more = self.clone();
        for Whole { extent: ((left, top), (right, bottom)), .. } in &mut more.wholes {
            (*left, *top) = (*left - i32::from(before.0), *top - i32::from(before.1));
            (*right, *bottom) = (*left + i32::from(cols), *top + i32::from(rows));
        }
        more
    }

    /// What cells at these places of the board show in a picture; what is beyond it is unclear.
    pub(crate) fn cells(&self, pixels: &RgbImage, at: &[Pos]) -> Vec<Cell> {
        let scene = Scene::new(pixels);
        let mut wholes = self.wholes.iter().map(|whole| whole.cells(&scene, at));
        let first = wholes.next().unwrap_or_default();
        wholes.fold(first, |cells, theirs| {
            cells.into_iter().zip(theirs).map(|(own, theirs)| agreed(own, theirs)).collect()
        })
    }

    fn best(&self) -> &Hypothesis {
        &self.wholes[0].hypothesis
    }

    /// The evidence of the board, in nats.
    fn evidence(&self) -> f32 {
        self.best().evidence
    }

    /// Where the cells are, in pixels of the picture.
    fn lattice(&self) -> Option<Lattice> {
        let ((left, top), (right, bottom)) = self.wholes[0].extent;
        let grid = &self.best().grid;
        let edges = |edges: &Edges, from: i32, to: i32| -> Vec<i32> {
            (from..=to).map(|number| edges.at(number).round() as i32).collect()
        };
        Lattice::with_edges(edges(&grid.across, left, right), edges(&grid.down, top, bottom))
    }
}

/// What a cell shows that looks so in one explanation, and so in another one.
fn agreed(own: Cell, theirs: Cell) -> Cell {
    if theirs == Cell::Unclear || theirs == own { own } else { Cell::Unclear }
}

/// Some cells of a board, from all of it.
fn sample_of(extent: Extent) -> Vec<Place> {
    let cells = cells_of(extent);
    let stride = (cells.len() / SAMPLE).max(1);
    cells.into_iter().step_by(stride | 1).collect()
}

/// A hypothesis of a whole board.
#[derive(Clone, Debug)]
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
            whole.settle(scene);
        }
        Some(whole)
    }

    /// The hypothesis of a board that is known to reach so far.
    fn at(scene: &Scene<'_>, hypothesis: &Hypothesis, extent: Extent) -> Self {
        let mut whole = Self { extent, hypothesis: hypothesis.on(sample_of(extent)) };
        whole.choose_mood(scene);
        whole.settle(scene);
        whole
    }

    /// It, and what else its colours may be, with all looks and weighed by all cells.
    fn finished(self, scene: &Scene<'_>) -> Vec<Self> {
        let near = self.hypothesis.per_cell() - RIVAL * INDEPENDENT;
        let others = self.hypothesis.in_other_colours(scene, cells_of(self.extent)).into_iter();
        let others = others.filter(|other| other.per_cell() >= near);
        let others = others.map(|hypothesis| Self { hypothesis, ..self }).collect::<Vec<_>>();
        let mut finished = Vec::new();
        for mut whole in others.into_iter().chain([self]) {
            if whole.take_all_looks(scene).is_some() {
                whole.weigh(scene);
                finished.push(whole);
            }
        }
        finished
    }

    /// Estimates anew where cells are and how they look, by those of the whole board.
    fn settle(&mut self, scene: &Scene<'_>) {
        self.hypothesis = self.hypothesis.on(sample_of(self.extent));
        self.hypothesis.climb(scene);
        self.hypothesis = self.hypothesis.clone().chosen(scene);
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

    /// A line beside the board that may as well be one of its own.
    fn undecided(&self, scene: &Scene<'_>) -> Option<Extent> {
        let ((left, top), (right, bottom)) = self.extent;
        let lines = [
            ((left - 1, top), (left, bottom)),
            ((right, top), (right + 1, bottom)),
            ((left, top - 1), (right, top)),
            ((left, bottom), (right, bottom + 1)),
        ];
        lines.into_iter().find(|&line| {
            let (sum, count) = self.evidence_of_line(scene, line, Part::WHOLE);
            // Each of its cells would have to be as unlikely as a wrong one that is tolerated.
            count > 0 && sum > TOLERATED.ln() * count as f32
        })
    }

    /// The evidence of a part of each cell of a line, as far as the picture reaches, and how many cells that are.
    fn evidence_of_line(&self, scene: &Scene<'_>, line: Extent, part: Part) -> (f32, usize) {
        let seen = self.hypothesis.on(cells_of(line)).samples(scene);
        let evidence = self.hypothesis.evidence_of(&self.hypothesis.view.unlit(&seen), part);
        let each = evidence.iter().map(|value| value.clamp(-MOST_EVIDENCE, MOST_EVIDENCE));
        (each.sum(), seen.len())
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
                let (sum, count) = self.evidence_of_line(scene, line, part);
                if count == cells_of(line).len() && sum > 0.0 {
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
        for other in self.in_other_moods() {
            let looks = Arc::new(other.nearest_in_size(LOOKS));
            let other = self.hypothesis.with_looks(looks).chosen(scene);
            if other.evidence > self.hypothesis.evidence && other.is_possible(&seen) {
                self.hypothesis = other;
            }
        }
    }

    /// What its cells look like in other phases of a game.
    fn in_other_moods(&self) -> Vec<Looks> {
        let Looks { skin, gap, mood, .. } = &*self.hypothesis.looks;
        let size = self.hypothesis.grid.cell_size();
        let others = Mood::ALL.into_iter().filter(|other| other != mood);
        others.filter_map(|other| Looks::new(skin, other, size, *gap, FINE)).collect()
    }

    /// It and what the board shows; in another phase of a game, where none looks so in its own; `None` where none does in any.
    fn possible(self, scene: &Scene<'_>) -> Option<(Self, Board)> {
        if let Some(board) = self.board(scene) {
            return Some((self, board));
        }
        let others = self.in_other_moods().into_iter().filter_map(|looks| {
            let mut other = self.clone();
            other.hypothesis = other.hypothesis.with_looks(Arc::new(looks));
            other.weigh(scene);
            let board = other.board(scene)?;
            Some((other, board))
        });
        others.max_by(|(a, _), (b, _)| a.hypothesis.evidence.total_cmp(&b.hypothesis.evidence))
    }

    /// What cells at these places of the board show; what is beyond the picture is unclear.
    fn cells(&self, scene: &Scene<'_>, at: &[Pos]) -> Vec<Cell> {
        let (left, top) = self.extent.0;
        let place = |pos: &Pos| (left + i32::from(pos.col), top + i32::from(pos.row));
        let places: Vec<Place> = at.iter().map(place).collect();
        let mut seen = self.posteriors(scene, &places).into_iter().peekable();
        let cell = |place: Place| match seen.next_if(|(seen, _)| *seen == place) {
            Some((_, posterior)) => told(&posterior),
            None => Cell::Unclear,
        };
        places.into_iter().map(cell).collect()
    }

    /// The probability of each kind for each cell of these that is within the picture, as logarithms.
    fn posteriors(&self, scene: &Scene<'_>, places: &[Place]) -> Vec<(Place, Vec<(Cell, f32)>)> {
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
        let seen = Samples::cut(scene.pixels, &hypothesis.grid, places, FINE);
        let seen = hypothesis.view.unlit(&seen);
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
                // What is beside a cell comes over its border, through a blur or at the edge of the board. In other colours
                // borders may be all that tells covered cells from blanks.
                if hypothesis.view.is_plain() && told(&posteriors[at]) == Cell::Unclear {
                    let likely = predictions.log_likelihoods(seen.get(at), INNER);
                    posteriors[at] = posterior(&likely, seen.get(at), INNER);
                }
            }
        }
        seen.places.iter().copied().zip(posteriors).collect()
    }

    /// What the board shows; `None` where no game looks so.
    fn board(&self, scene: &Scene<'_>) -> Option<Board> {
        let ((left, top), (right, bottom)) = self.extent;
        let (cols, rows) = ((right - left) as usize, (bottom - top) as usize);
        if !Board::can_have(cols, rows) {
            return None;
        }
        let mut board = Board::new(cols as u16, rows as u16);
        let all: Vec<Pos> = board.iter().map(|(pos, _)| pos).collect();
        for (&pos, cell) in all.iter().zip(self.cells(scene, &all)) {
            board[pos] = cell;
        }
        let impossible = rules::impossible(&board);
        let is_number = |cell: Cell| cell.number().is_some_and(|number| number > 0);
        let against = impossible.iter().filter(|&&pos| is_number(board[pos])).count();
        // A few numbers may be misread. Where most of them cannot be, the others are not numbers either.
        if 2 * against > board.count(is_number) {
            return None;
        }
        for pos in impossible {
            board[pos] = Cell::Unclear;
        }
        if !is_possible(self.hypothesis.looks.mood, board.cells()) {
            return None;
        }
        // Around a blank the game has opened everything.
        let is_blank = |cell: Cell| cell == Cell::open(0);
        let beside_covered =
            |&pos: &Pos| board.neighbours(pos).any(|near| board[near].is_unopened());
        let blanks = board.iter().filter(|&(_, cell)| is_blank(cell)).map(|(pos, _)| pos);
        let shut_in: Vec<Pos> = blanks.filter(beside_covered).collect();
        if shut_in.len() as f64 > MOST_SHUT_IN * board.cells().len() as f64 {
            return None;
        }
        for pos in shut_in {
            board[pos] = Cell::Unclear;
        }
        Some(board)
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
