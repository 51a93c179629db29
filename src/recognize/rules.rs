//! Checking a reading by the rules of the game.

use super::skin::GameBehaviour;
use super::truncated::Side;
use crate::board::{Board, Cell, Pos};

/// One number on a side that can't be as it was read may be a mistake; this many are none.
const SHORT: usize = 2;

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
        let may_be_mines = places_for_mines(board, pos);
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

/// How many cells of a board are unclear, or blanks beside ones that are not open, which most games would have opened.
pub(crate) fn inconsistent(board: &Board, game: &GameBehaviour) -> usize {
    let unopened = |pos: Pos| matches!(board[pos], Cell::Covered | Cell::Unclear);
    let is_inconsistent = |&(pos, cell): &(Pos, Cell)| {
        let blank = cell.number() == Some(0) && !game.shuts_in_blanks;
        cell == Cell::Unclear || (blank && board.neighbours(pos).any(unopened))
    };
    board.iter().filter(is_inconsistent).count()
}

/// The side on which numbers count mines that are out of sight: some have fewer cells around them that may be mines
/// than they say, and only those do that have no more cells on this side.
pub(crate) fn short_of_mines(board: &Board) -> Option<Side> {
    let (right, bottom) = (board.cols() - 1, board.rows() - 1);
    let is_short = |&(pos, cell): &(Pos, Cell)| {
        cell.number().is_some_and(|number| places_for_mines(board, pos) < usize::from(number))
    };
    let short: Vec<Pos> = board.iter().filter(is_short).map(|(pos, _)| pos).collect();
    let is_at = |side: Side, pos: Pos| match side {
        Side::Left => pos.col == 0,
        Side::Top => pos.row == 0,
        Side::Right => pos.col == right,
        Side::Bottom => pos.row == bottom,
    };
    let at_one = |&side: &Side| short.iter().all(|&pos| is_at(side, pos));
    let mut sides = Side::ALL.into_iter();
    sides.find(at_one).filter(|_| short.len() >= SHORT)
}

fn places_for_mines(board: &Board, pos: Pos) -> usize {
    board.neighbours(pos).filter(|&near| board[near].number().is_none()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::text;

    fn board(rows: &str) -> Board {
        let (cols, count) = (rows.lines().next().unwrap().len(), rows.lines().count());
        text::parse(&format!("minescraper {cols}x{count}\n{rows}")).unwrap().0
    }

    #[test]
    fn the_right_half_of_a_board_is_missed_by_its_numbers() {
        let whole = "1F10002F\n1110003F\n0000002F\n11100022\n1F10001F\n11100011";
        assert_eq!(short_of_mines(&board(whole)), None);
        let left: Vec<&str> = whole.lines().map(|row| &row[..7]).collect();
        assert_eq!(short_of_mines(&board(&left.join("\n"))), Some(Side::Right));
    }

    #[test]
    fn one_number_in_the_middle_may_be_misread() {
        let middle = "1F1000\n111000\n004000\n000000\n001110\n001F10";
        assert_eq!(short_of_mines(&board(middle)), None);
    }
}
