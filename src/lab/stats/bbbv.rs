//! 3BV: the fewest clicks that open a board without flags.

use super::regions;
use crate::board::{Board, Cell, Pos};

/// The 3BV of a board on which every cell without a mine is open: one click for each region of blanks, and one for
/// each number that touches no blank.
pub fn bbbv(board: &Board) -> u32 {
    let blank = Cell::open(0);
    let touches_blank = |pos: Pos| board.within(pos, 1).any(|near| board[near] == blank);
    let alone = |&(pos, cell): &(Pos, Cell)| cell.number().is_some() && !touches_blank(pos);
    let openings = regions(board, |pos| board[pos] == blank).len();
    (openings + board.iter().filter(alone).count()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_region_counts_once_and_a_number_away_from_it_by_itself() {
        let count = |drawing: &str| bbbv(&drawing.parse().unwrap());
        assert_eq!(count("000\n000\n000"), 1);
        assert_eq!(count("01#\n011\n000"), 1);
        assert_eq!(
            count("#2#2\n#322\n#10#"),
            3,
            "a region, and two numbers that it does not touch"
        );
        assert_eq!(count("1#1"), 2);
    }
}
