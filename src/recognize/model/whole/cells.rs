//! What the cells of a board show.

use std::collections::HashMap;

use super::Whole;
use crate::board::{Board, Cell, Pos};
use crate::recognize::model::hypothesis::is_possible;
use crate::recognize::model::noise::NOTHING_KNOWN;
use crate::recognize::model::prediction::Part;
use crate::recognize::model::samples::Place;
use crate::recognize::model::scene::Scene;
use crate::recognize::model::telling::{Closely, Telling, are_highlights, number_of};
use crate::recognize::{Side, rules};

/// With a larger share of blanks beside covered cells what was read is no board.
const MOST_SHUT_IN: f64 = 0.03;

impl Whole {
    /// What cells at these places of the board show; what is beyond the picture is unclear.
    fn cells(&self, scene: &Scene<'_>, at: &[Pos]) -> Vec<Cell> {
        let telling = Telling::in_phase(&self.hypothesis);
        let phase = number_of(self.hypothesis.looks.phase);
        let places: Vec<Place> = at.iter().map(|&pos| self.place(pos)).collect();
        let first = telling.first(scene.pixels, (0, 0), &places);
        let mut cells: HashMap<Place, Cell> = first
            .into_iter()
            .map(|(place, told)| (place, told[phase].map_or(Cell::Unclear, |told| told.cell)))
            .collect();
        let unclear = cells.iter().filter(|(_, cell)| **cell == Cell::Unclear);
        let mut unclear: Vec<Place> = unclear.map(|(&place, _)| place).collect();
        unclear.sort_unstable();
        let closer = telling.closer(scene.pixels, (0, 0), self.extent, &unclear, phase);
        let highlighted = closer.iter().filter(|(_, told)| told.is_highlighted).count();
        let is_told = |told: &Closely| !told.is_highlighted || are_highlights(highlighted);
        let told = closer.into_iter().filter(|(_, told)| is_told(told));
        cells.extend(told.map(|(place, told)| (place, told.cell)));
        places.iter().map(|place| cells.get(place).copied().unwrap_or(Cell::Unclear)).collect()
    }

    /// The place in the grid of a cell of the board.
    pub(in crate::recognize::model) fn place(&self, pos: Pos) -> Place {
        let (left, top) = self.extent.0;
        (left + i32::from(pos.col), top + i32::from(pos.row))
    }

    /// What its cells show, whatever the rules say; `None` where none can be so large or so small.
    fn told(&self, scene: &Scene<'_>) -> Option<Board> {
        let ((left, top), (right, bottom)) = self.extent;
        let (cols, rows) = ((right - left) as usize, (bottom - top) as usize);
        if !Board::can_have(cols, rows) {
            return None;
        }
        let mut board = Board::new(cols as u16, rows as u16);
        let all: Vec<Pos> = board.positions().collect();
        for (&pos, cell) in all.iter().zip(self.cells(scene, &all)) {
            board[pos] = cell;
        }
        Some(board)
    }

    /// The side on which numbers, as they look, count mines that are not on the board.
    pub(in crate::recognize::model) fn short_of_mines(&self, scene: &Scene<'_>) -> Option<Side> {
        rules::short_of_mines(&self.told(scene)?)
    }

    /// What the board shows, and the numbers that were told but cannot be; `None` where no game looks so.
    pub(super) fn board(&self, scene: &Scene<'_>) -> Option<(Board, Vec<Pos>)> {
        let mut board = self.told(scene)?;
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
        if !is_possible(self.hypothesis.looks.phase, board.cells()) {
            return None;
        }
        if self.hypothesis.looks.skin.game.shuts_in_blanks {
            return Some((board, against));
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
        let places = cells.iter().map(|&pos| self.place(pos)).collect();
        let seen = self.hypothesis.on(places).samples(scene);
        let unlit = self.hypothesis.view.unlit(&seen);
        let evidence = self.hypothesis.evidence_of(&unlit, Part::WHOLE);
        evidence.into_iter().map(|value| (value - NOTHING_KNOWN).max(0.0)).sum()
    }
}
