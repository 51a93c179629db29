//! What the cells of a board show.

use super::{BORDER, TOLERATED, Whole};
use crate::board::{Board, Cell, Pos};
use crate::recognize::model::hypothesis::is_possible;
use crate::recognize::model::looks::FINE;
use crate::recognize::model::noise::{NOTHING_KNOWN, log_sum, unknown};
use crate::recognize::model::prediction::Part;
use crate::recognize::model::samples::{Place, Samples};
use crate::recognize::model::scene::Scene;
use crate::recognize::rules;

/// A cell without its border.
const INNER: Part = Part { left: BORDER, top: BORDER, right: BORDER, bottom: BORDER };
/// The logarithm of how likely any one colour is of the 256 x 256 x 256 that there are.
const ANY_COLOUR: f32 = -16.6;
/// How far beside its place a cell is looked for, as a share of a cell: games draw cells on whole pixels.
const ASIDE: f32 = 1.0 / 24.0;
/// With a larger share of blanks beside covered cells what was read is no board.
const MOST_SHUT_IN: f64 = 0.03;

impl Whole {
    /// What cells at these places of the board show; what is beyond the picture is unclear.
    pub(in crate::recognize::model) fn cells(&self, scene: &Scene<'_>, at: &[Pos]) -> Vec<Cell> {
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

    /// What the board shows, and the numbers that were told but cannot be; `None` where no game looks so.
    pub(super) fn board(&self, scene: &Scene<'_>) -> Option<(Board, Vec<Pos>)> {
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
        let against: Vec<Pos> =
            impossible.iter().copied().filter(|&pos| is_number(board[pos])).collect();
        // A few numbers may be misread. Where most of them cannot be, the others are not numbers either.
        if 2 * against.len() > board.count(is_number) {
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
        Some((board, against))
    }

    /// How much more evidence these cells are than ones that show nothing known, in nats.
    pub(super) fn evidence_at(&self, scene: &Scene<'_>, cells: &[Pos]) -> f32 {
        let (left, top) = self.extent.0;
        let place = |pos: &Pos| (left + i32::from(pos.col), top + i32::from(pos.row));
        let seen = self.hypothesis.on(cells.iter().map(place).collect()).samples(scene);
        let unlit = self.hypothesis.view.unlit(&seen);
        let evidence = self.hypothesis.evidence_of(&unlit, Part::WHOLE);
        evidence.into_iter().map(|value| (value - NOTHING_KNOWN).max(0.0)).sum()
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
