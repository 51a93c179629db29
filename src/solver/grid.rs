//! The cells of a board with a ring around them, so that each cell has eight neighbours and no border
//! needs to be asked for.
//!
//! A cell is called by one number: its place, ring included, counted row by row.

use std::ops::Range;

use crate::board::{Board, Pos};

/// Sizes, and what is beside what. Knows nothing of what the cells hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Grid {
    width: usize,
    height: usize,
}

impl Grid {
    /// The cells of `board`, and the ring.
    pub fn of(board: &Board) -> Self {
        Self { width: usize::from(board.cols()) + 2, height: usize::from(board.rows()) + 2 }
    }

    /// How many cells there are, ring included.
    pub fn len(self) -> usize {
        self.width * self.height
    }

    /// The cells that are on the board, row by row.
    pub fn cells(self) -> impl Iterator<Item = usize> {
        self.rows().flatten()
    }

    /// The cells of each row of the board.
    pub fn rows(self) -> impl Iterator<Item = Range<usize>> {
        (1..self.height - 1).map(move |row| row * self.width + 1..(row + 1) * self.width - 1)
    }

    /// For each cell of the board the sum of `values`, one for each cell of the grid, over those around
    /// it, and over itself. It means nothing for the ring.
    pub fn sums(self, values: &[u8]) -> Vec<u8> {
        let width = self.width;
        let mut sums = values.to_vec();
        let mut add = |distance: usize| {
            for (sum, value) in sums[distance..].iter_mut().zip(values) {
                *sum += value;
            }
            for (sum, value) in sums.iter_mut().zip(&values[distance..]) {
                *sum += value;
            }
        };
        [1, width - 1, width, width + 1].into_iter().for_each(&mut add);
        sums
    }

    /// The cell at `pos`.
    ///
    /// # Panics
    /// When `pos` is off the board.
    #[track_caller]
    pub fn at(self, pos: Pos) -> usize {
        let (col, row) = (usize::from(pos.col) + 1, usize::from(pos.row) + 1);
        assert!(col < self.width - 1 && row < self.height - 1, "{pos} is off the board");
        row * self.width + col
    }

    /// Where the cell `at`, which is on the board, is.
    pub fn pos(self, at: usize) -> Pos {
        Pos::new((at % self.width - 1) as u16, (at / self.width - 1) as u16)
    }

    /// The cells around the cell `at`, which is on the board, row by row.
    pub fn around(self, at: usize) -> [usize; 8] {
        let (above, below) = (at - self.width, at + self.width);
        [above - 1, above, above + 1, at - 1, at + 1, below - 1, below, below + 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_on_the_board_are_those_of_the_board_and_in_its_order() {
        for (cols, rows) in [(1, 1), (1, 4), (5, 1), (4, 3)] {
            let board = Board::new(cols, rows);
            let grid = Grid::of(&board);
            let cells: Vec<usize> = grid.cells().collect();
            assert!(cells.iter().map(|&at| grid.pos(at)).eq(board.positions()));
            for pos in board.positions() {
                assert_eq!(grid.pos(grid.at(pos)), pos);
                let around = grid.around(grid.at(pos));
                assert!(around.iter().all(|&near| near < grid.len()));
                let on_board = around.into_iter().filter(|near| cells.contains(near));
                assert!(on_board.map(|near| grid.pos(near)).eq(board.neighbours(pos)));
            }
        }
    }

    #[test]
    fn sums_are_taken_over_neighbours() {
        let grid = Grid::of(&Board::new(4, 3));
        let mut values = vec![0; grid.len()];
        for at in grid.cells() {
            values[at] = (at % 5) as u8;
        }
        let sums = grid.sums(&values);
        for at in grid.cells() {
            let around: u8 = grid.around(at).iter().map(|&near| values[near]).sum();
            assert_eq!(sums[at], around + values[at]);
        }
    }
}
