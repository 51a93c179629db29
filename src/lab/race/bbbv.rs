//! 3BV: the fewest clicks that open a board without flags.

use crate::board::{Board, Cell, Pos};

/// The 3BV of a board on which every cell without a mine is open: one click for each region of blanks, and one for
/// each number that touches no blank.
pub fn bbbv(board: &Board) -> u32 {
    let blank = Cell::open(0);
    let mut opened = vec![false; usize::from(board.cols()) * usize::from(board.rows())];
    let mut clicks = 0;
    let mut region: Vec<Pos> = Vec::new();
    for (pos, _) in board.iter().filter(|&(_, cell)| cell == blank) {
        if opened[board.index(pos)] {
            continue;
        }
        clicks += 1;
        opened[board.index(pos)] = true;
        region.push(pos);
        while let Some(at) = region.pop() {
            for near in board.neighbours(at) {
                let is_new = !std::mem::replace(&mut opened[board.index(near)], true);
                if is_new && board[near] == blank {
                    region.push(near);
                }
            }
        }
    }
    let alone = |&(pos, cell): &(Pos, Cell)| cell.number().is_some() && !opened[board.index(pos)];
    clicks + board.iter().filter(alone).count() as u32
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
