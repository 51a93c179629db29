//! Where a board ends.

use super::{Extent, Whole, cells_of, sample_of};
use crate::board::{Board, Cell, Pos};
use crate::recognize::Side;
use crate::recognize::model::hypothesis::CellEvidence;
use crate::recognize::model::looks::FINE;
use crate::recognize::model::noise::{INDEPENDENT, NOTHING_KNOWN, log_sum, unknown, varying};
use crate::recognize::model::periodicity::best_rectangle;
use crate::recognize::model::prediction::{BORDER, Part, Predictions};
use crate::recognize::model::samples::Samples;
use crate::recognize::model::scene::Scene;
use crate::recognize::model::telling::TOLERATED;

/// No cell tells more of where a board ends, for or against: what is drawn on it may be anything.
const MOST_EVIDENCE: f32 = 30.0;
/// Lines of cells beyond where edges repeat that are looked at: more than a message hides. Chosen, not fitted.
const BEYOND: i32 = 8;
/// And at most so many, where the board goes on: no game has more cells in a line.
const MOST_BEYOND: i32 = 200;
/// Lines at each edge that may be explained only in part.
const MOST_EDGES: usize = 2;

impl Whole {
    /// Where the evidence of cells adds up to most, as far as the picture reaches.
    pub(super) fn extended(&self, scene: &Scene<'_>) -> Option<Extent> {
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
                    in_sight_or_not(value);
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
                return Some(self.with_edges(scene, self.without_frame(scene, found)));
            }
            beyond = 2 * beyond + 1;
        }
    }

    /// A line beside the board that may as well be one of its own, given what the board shows.
    pub(in crate::recognize::model) fn undecided(
        &self,
        scene: &Scene<'_>,
        board: &Board,
    ) -> Option<Extent> {
        Side::ALL.into_iter().map(|side| line_beside(self.extent, side)).find(|&line| {
            let evidence = self.evidence_of_line(scene, line, Part::WHOLE);
            // Each of its cells would have to be as unlikely as a wrong one that is tolerated.
            evidence.len() > 0
                && evidence.sum(bounded) > TOLERATED.ln() * evidence.len() as f32
                && !self.is_shut_in(scene, board, line)
        })
    }

    /// Whether cells of this line beside the board can only be blanks, though beside them is what the game opens, or mines.
    fn is_shut_in(&self, scene: &Scene<'_>, board: &Board, line: Extent) -> bool {
        let seen = self.hypothesis.on(cells_of(line)).samples(scene);
        let unlit = self.hypothesis.view.unlit(&seen);
        let predictions = self.hypothesis.view.predict_with_variance(&self.hypothesis.looks);
        let is_blank =
            |cell: &[f32]| self.hypothesis.evidence_by(&predictions, cell, Part::WHOLE).is_blank();
        let blanks = unlit.places.iter().zip(unlit.iter()).filter(|(_, cell)| is_blank(cell));
        let (left, top) = self.extent.0;
        let denies = |pos: Pos| matches!(board[pos], Cell::Covered | Cell::Mine | Cell::Burst);
        let shut_in = blanks.filter(|&(&(col, row), _)| {
            let is_beside = |pos: Pos| {
                let (across, down) =
                    (left + i32::from(pos.col) - col, top + i32::from(pos.row) - row);
                across.abs() <= 1 && down.abs() <= 1
            };
            board.positions().any(|pos| is_beside(pos) && denies(pos))
        });
        // Something in front of each of them would have to look like a blank.
        shut_in.count() as f32 * NOTHING_KNOWN < TOLERATED.ln()
    }

    /// What is beyond the board on each of these sides. Of more cells only some bins may be in sight: something may be in front of
    /// the others, or the picture may end. A window's ground may look like blanks, so these say nothing.
    pub(in crate::recognize::model) fn beyond(
        &self,
        scene: &Scene<'_>,
        sides: &[Side],
    ) -> Vec<(Side, Beyond)> {
        if sides.is_empty() {
            return Vec::new();
        }
        // In a picture that is taken to be as the skin is drawn, what is beside the board may be off as far as its own cells.
        let mut some = self.hypothesis.on(sample_of(self.extent));
        let seen = some.samples(scene);
        some.weigh(&seen);
        let predictions = some.view.predict_with_variance(&some.looks);
        let measured = Self { hypothesis: some, ..self.clone() };
        // On the mean each cell has to be told as surely as one of the board is: frames look a little like them all along a line.
        let of = |evidence: Option<f32>| match evidence {
            Some(evidence) if evidence > -TOLERATED.ln() => Beyond::Cells,
            Some(evidence) if evidence < TOLERATED.ln() => Beyond::End,
            _ => Beyond::Undecided,
        };
        let of = |&side: &Side| (side, of(measured.evidence_beyond(scene, &predictions, side)));
        sides.iter().map(of).collect()
    }

    /// The evidence of a cell beyond the board on this side, on the mean, in nats; `None` where little but blanks may be there.
    fn evidence_beyond(
        &self,
        scene: &Scene<'_>,
        predictions: &Predictions,
        side: Side,
    ) -> Option<f32> {
        let ((left, top), (right, bottom)) = self.extent;
        let grid = &self.hypothesis.grid;
        let (width, height) = (scene.pixels.width() as f32, scene.pixels.height() as f32);
        let room = match side {
            Side::Left => grid.across.at(left),
            Side::Right => width - grid.across.at(right),
            Side::Top => grid.down.at(top),
            Side::Bottom => height - grid.down.at(bottom),
        };
        let pitch = if side.is_across() { grid.across.pitch } else { grid.down.pitch };
        let in_sight = (room / pitch * FINE as f32).max(0.0) as usize;
        // At least half of what is in sight is looked at, and no fewer bins than the gap and the border of a cell take, if they are
        // in sight.
        let bins = [1, 2, 4].map(|part| (FINE / part).min(in_sight)).into_iter();
        let parts = bins.filter(|&bins| bins > 0).map(|bins| Part::beside(side, FINE - bins));
        let line = cells_of(line_beside(self.extent, side));
        let of_part = |unlit: &Samples, part: Part| {
            let cells = unlit.iter();
            let cells = cells.map(|cell| self.hypothesis.evidence_by(predictions, cell, part));
            let cells: Vec<CellEvidence> = cells.collect();
            let of_any = cells.iter().map(|cell| cell.of_any).collect();
            let are_blanks: Vec<bool> = cells.iter().map(|cell| cell.is_blank()).collect();
            let told = Line::new(unlit, side.is_across(), part, of_any).without(&are_blanks);
            let is_enough = told.len() > 0 && 2 * told.len() >= line.len();
            is_enough.then(|| told.sum(bounded) / told.len() as f32)
        };
        // Where one line of cells is known to end, the next one may begin a part of a pixel aside.
        let aside = [-1.0, 0.0, 1.0].map(|by| by * pitch / FINE as f32);
        let evidence = aside.into_iter().flat_map(|aside| {
            let mut grid = grid.clone();
            let edges = if side.is_across() { &mut grid.across } else { &mut grid.down };
            edges.first += aside;
            let seen = Samples::cut_in_part(scene.pixels, &grid, &line, FINE);
            let unlit = self.hypothesis.view.unlit(&seen).into_owned();
            parts.clone().filter_map(|part| of_part(&unlit, part)).collect::<Vec<_>>()
        });
        evidence.reduce(f32::max)
    }

    /// The hypothesis of the board with a line that may as well be one of its own, if it is one once all is estimated with it.
    pub(in crate::recognize::model) fn widened(
        &self,
        scene: &Scene<'_>,
        board: &Board,
    ) -> Option<Self> {
        let ((left, top), (right, bottom)) = self.extent;
        let ((from_col, from_row), (to_col, to_row)) = self.undecided(scene, board)?;
        let wider =
            ((left.min(from_col), top.min(from_row)), (right.max(to_col), bottom.max(to_row)));
        let whole = Self::at(scene, &self.hypothesis, wider);
        (whole.extended(scene) == Some(wider)).then_some(whole)
    }

    /// The evidence of a part of each cell of a line, as far as the picture reaches.
    fn evidence_of_line(&self, scene: &Scene<'_>, line: Extent, part: Part) -> Line {
        let seen = self.hypothesis.on(cells_of(line)).samples(scene);
        let unlit = self.hypothesis.view.unlit(&seen);
        let evidence = self.hypothesis.evidence_of(&unlit, part);
        Line::new(&unlit, line.1.0 - line.0.0 == 1, part, evidence)
    }

    /// The extent without the lines at its edges that are rather a frame.
    pub(in crate::recognize::model) fn without_frame(
        &self,
        scene: &Scene<'_>,
        extent: Extent,
    ) -> Extent {
        let ((mut left, mut top), (mut right, mut bottom)) = extent;
        let is_frame = |line: Extent| {
            let line = self.evidence_of_line(scene, line, Part::WHOLE);
            line.sum(in_sight_or_not) <= 0.0 || line.is_mostly_unknown()
        };
        while right - left > 1 && is_frame(((left, top), (left + 1, bottom))) {
            left += 1;
        }
        while right - left > 1 && is_frame(((right - 1, top), (right, bottom))) {
            right -= 1;
        }
        while bottom - top > 1 && is_frame(((left, top), (right, top + 1))) {
            top += 1;
        }
        while bottom - top > 1 && is_frame(((left, bottom - 1), (right, bottom))) {
            bottom -= 1;
        }
        ((left, top), (right, bottom))
    }

    /// The extent with the lines beside it that are explained but for the borders of their cells that face away from it.
    fn with_edges(&self, scene: &Scene<'_>, extent: Extent) -> Extent {
        let mut extent = extent;
        for _ in 0..MOST_EDGES {
            let ((left, top), (right, bottom)) = extent;
            let before = extent;
            for side in Side::ALL {
                let (line, part) =
                    (line_beside(((left, top), (right, bottom)), side), Part::beside(side, BORDER));
                let evidence = self.evidence_of_line(scene, line, part);
                if evidence.len() == cells_of(line).len() && evidence.sum(bounded) > 0.0 {
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
}

/// What is beyond a side of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Beyond {
    /// No more cells.
    End,
    /// More of its cells.
    Cells,
    /// Nothing that tells.
    Undecided,
}

/// The line of cells beside a board on this side.
fn line_beside(((left, top), (right, bottom)): Extent, side: Side) -> Extent {
    match side {
        Side::Left => ((left - 1, top), (left, bottom)),
        Side::Right => ((right, top), (right + 1, bottom)),
        Side::Top => ((left, top - 1), (right, top)),
        Side::Bottom => ((left, bottom), (right, bottom + 1)),
    }
}

/// The evidence of the cells of a line, in nats.
struct Line {
    /// Against a cell that nothing is known of.
    over_unknown: Vec<f32>,
    /// Against a frame, which is the same all along the line.
    over_frame: Vec<f32>,
}

impl Line {
    /// The line of these cells, a column or else a row, that are so much more likely in this part than anything.
    fn new(unlit: &Samples, is_column: bool, part: Part, over_unknown: Vec<f32>) -> Self {
        let frame = evidence_of_frame(unlit, is_column, part);
        let over_frame = over_unknown.iter().zip(&frame).map(|(own, frame)| own - frame).collect();
        Self { over_unknown, over_frame }
    }

    fn len(&self) -> usize {
        self.over_unknown.len()
    }

    /// The evidence of the other cells.
    fn without(mut self, are_left_out: &[bool]) -> Self {
        for values in [&mut self.over_unknown, &mut self.over_frame] {
            let mut left_out = are_left_out.iter();
            values.retain(|_| left_out.next() != Some(&true));
        }
        self
    }

    /// The evidence of all cells, against what speaks most against them.
    fn sum(&self, of_cell: fn(f32) -> f32) -> f32 {
        let sum = |values: &[f32]| values.iter().map(|&value| of_cell(value)).sum::<f32>();
        sum(&self.over_unknown).min(sum(&self.over_frame))
    }

    /// Whether half of the cells or more show nothing that is known for certain: so many may be hidden within a board, but do not
    /// tell that it reaches so far.
    fn is_mostly_unknown(&self) -> bool {
        let known = self.over_unknown.iter().filter(|&&evidence| evidence > -TOLERATED.ln());
        2 * known.count() <= self.len()
    }
}

/// The evidence of one cell, which tells only so much.
fn bounded(evidence: f32) -> f32 {
    evidence.clamp(-MOST_EVIDENCE, MOST_EVIDENCE)
}

/// The same of a cell that something may hide, as it hides one of so many.
fn in_sight_or_not(evidence: f32) -> f32 {
    log_sum([evidence, NOTHING_KNOWN].into_iter()).min(MOST_EVIDENCE)
}

/// How much more likely cells of a column, or else of a row, are to be a frame, the same all along the line, than to be of any
/// one colour that varies as it does, in nats each. What it looks like across is estimated, for its cost.
fn evidence_of_frame(unlit: &Samples, is_column: bool, part: Part) -> Vec<f32> {
    let side = unlit.side;
    let plane = side * side;
    let count = unlit.len();
    if count < 2 {
        return vec![0.0; count];
    }
    // Where across the line a bin is.
    let across = |at: usize| if is_column { at % side } else { at / side };
    let bins: Vec<usize> = (0..plane).filter(|&at| part.has(at % side, at / side, side)).collect();
    let mut profile = vec![0.0; 3 * side];
    let mut counts = vec![0.0; side];
    bins.iter().for_each(|&at| counts[across(at)] += count as f32);
    for cell in unlit.iter() {
        for channel in 0..3 {
            for &at in &bins {
                profile[channel * side + across(at)] += cell[channel * plane + at];
            }
        }
    }
    for (number, sum) in profile.iter_mut().enumerate() {
        *sum /= counts[number % side].max(1.0);
    }
    let shown = counts.iter().filter(|&&count| count > 0.0).count() as f32;
    let cost = 3.0 * shown / 2.0 * (INDEPENDENT * count as f32).ln() / count as f32;
    let of = |cell: &[f32]| {
        let mut squares = 0.0;
        for channel in 0..3 {
            for &at in &bins {
                let mean = profile[channel * side + across(at)];
                squares += (cell[channel * plane + at] - mean).powi(2);
            }
        }
        let own = squares / (3 * bins.len()) as f32;
        varying(own) - unknown(cell, part) - cost
    };
    unlit.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;
    use crate::geometry::Px;
    use crate::recognize::Lattice;
    use crate::recognize::model::samples::Grid;

    /// The evidence that a column of eight cells of 20 pixels is a frame, in a picture like this.
    fn evidence_of(picture: impl Fn(u32, u32) -> [u8; 3]) -> f32 {
        let pixels = RgbImage::from_fn(20, 160, |x, y| Rgb(picture(x, y)));
        let grid = Grid::on(&Lattice::even(Px::new(0, 0), (20.0, 20.0), 1, 8));
        let cells = Samples::cut(&pixels, &grid, &cells_of(((0, 0), (1, 8))), FINE);
        evidence_of_frame(&cells, true, Part::WHOLE).iter().sum()
    }

    #[test]
    fn what_is_the_same_all_along_a_line_is_a_frame() {
        assert!(evidence_of(|x, _| [x as u8 * 12; 3]) > 0.0);
        let cell = |x: u32, y: u32| [if x == 0 || y.is_multiple_of(20) { 60 } else { 190 }; 3];
        assert!(evidence_of(cell) < 0.0);
        // A plain ground is of one colour, which says as much.
        assert!(evidence_of(|_, _| [190; 3]) <= 0.0);
    }
}
