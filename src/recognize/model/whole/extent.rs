//! Where a board ends.

use super::{BORDER, Extent, TOLERATED, Whole, cells_of};
use crate::recognize::model::periodicity::best_rectangle;
use crate::recognize::model::prediction::Part;
use crate::recognize::model::scene::Scene;

/// No cell tells more of where a board ends, for or against: what is drawn on it may be anything.
const MOST_EVIDENCE: f32 = 30.0;
/// Lines of cells beyond where edges repeat that are looked at.
const BEYOND: i32 = 3;
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
    pub(in crate::recognize::model) fn undecided(&self, scene: &Scene<'_>) -> Option<Extent> {
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
}
