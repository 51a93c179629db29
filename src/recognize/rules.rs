//! Checking a reading by the rules of the game.

use crate::board::{Board, Cell, Pos};

/// The opened cells of a board that cannot be as they were read: a number with fewer cells around it
/// that may be mines, with the blanks beside it, or one with more shown mines around it; and every cell of a board
/// of nothing but blanks.
pub(crate) fn impossible(board: &Board) -> Vec<Pos> {
    if board.cells().iter().all(|&cell| matches!(cell.number(), Some(0)) || cell == Cell::Unclear) {
        return board.positions().collect();
    }
    let mut impossible = Vec::new();
    for (pos, cell) in board.iter() {
        let Some(number) = cell.number() else {
            continue;
        };
        let around =
            |is: fn(Cell) -> bool| board.neighbours(pos).filter(|&other| is(board[other])).count();
        let may_be_mines = around(|cell| cell.number().is_none());
        let shown_mines = around(|cell| matches!(cell, Cell::Mine | Cell::Burst));
        let number = usize::from(number);
        if may_be_mines < number || shown_mines > number {
            impossible.push(pos);
        }
        if may_be_mines < number {
            // A mine may be under what was taken for a blank.
            let blank = |near: &Pos| board[*near].number() == Some(0);
            impossible.extend(board.neighbours(pos).filter(blank));
        }
    }
    impossible
}
