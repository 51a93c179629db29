//! How much work a board is, in the figures that players compare boards by.
//!
//! All of them are of the whole board, seen with every cell open that has no mine; see [`LaidBoard::opened`].

mod bbbv;
mod zini;

pub use bbbv::bbbv;
pub use zini::{Way, zini};

use serde::Serialize;

use super::formats::LaidBoard;
use crate::board::{Board, Cell, Pos};

/// The figures of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Stats {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// Mines.
    pub mines: usize,
    /// 3BV: the fewest clicks that open the board without flags.
    pub bbbv: u32,
    /// Openings: regions of blanks that touch each other.
    pub openings: usize,
    /// Islands: regions of numbers that touch each other and no blank.
    pub islands: usize,
    /// Greedy ZiNi: clicks that open the board with flags, see [`zini()`].
    pub zini: u32,
    /// Human ZiNi: the same for one who opens all openings first.
    pub human_zini: u32,
    /// How many cells have each number, from 0 to 8.
    pub numbers: [usize; 9],
}

impl Stats {
    /// The figures of this board.
    ///
    /// # Panics
    /// When there can be no such board.
    pub fn of(laid: &LaidBoard) -> Self {
        let board = laid.opened();
        let touches_blank =
            |pos: Pos| board.neighbours(pos).any(|near| board[near] == Cell::open(0));
        let is_island =
            |pos: Pos| board[pos].number().is_some_and(|number| number > 0) && !touches_blank(pos);
        let mut numbers = [0; 9];
        board
            .cells()
            .iter()
            .filter_map(|cell| cell.number())
            .for_each(|number| numbers[usize::from(number)] += 1);
        Self {
            cols: laid.cols,
            rows: laid.rows,
            mines: laid.mines.len(),
            bbbv: bbbv(&board),
            openings: regions(&board, |pos| board[pos] == Cell::open(0)).len(),
            islands: regions(&board, is_island).len(),
            zini: zini(&board, Way::Greedy),
            human_zini: zini(&board, Way::Human),
            numbers,
        }
    }
}

/// The cells that are so, in regions of those that touch each other, ordered by their first cells.
fn regions(board: &Board, is_so: impl Fn(Pos) -> bool) -> Vec<Vec<Pos>> {
    let mut is_new: Vec<bool> = board.positions().map(is_so).collect();
    let mut regions = Vec::new();
    for pos in board.positions() {
        if !std::mem::take(&mut is_new[board.index(pos)]) {
            continue;
        }
        let (mut region, mut reached) = (vec![pos], 0);
        while let Some(&at) = region.get(reached) {
            reached += 1;
            let new =
                board.neighbours(at).filter(|&near| std::mem::take(&mut is_new[board.index(near)]));
            region.extend(new);
        }
        regions.push(region);
    }
    regions
}
