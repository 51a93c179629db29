//! Boards as games show them: mines laid by chance, blanks opened with all around them, true numbers, marks, and
//! the mines of a finished game.

use minescraper::board::{Board, Cell, Pos, Status};
use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// A board of a game of this status that uses the kinds of cells in `kinds` only.
pub fn random(
    dice: &mut ChaCha8Rng,
    (cols, rows): (u16, u16),
    status: Status,
    kinds: &[Cell],
) -> Board {
    let mut board = Board::new(cols, rows);
    let all: Vec<Pos> = board.positions().collect();
    if status == Status::Fresh {
        return board;
    }
    // Thin boards have blanks, dense ones high numbers; most boards have a part of each.
    let (thin, dense) = (dice.random_range(0.05..0.2), dice.random_range(0.3..0.75));
    let border = dice.random_range(0..=cols);
    let share = |pos: &Pos| if pos.col < border { thin } else { dense };
    let mined: Vec<bool> = all.iter().map(|pos| dice.random_bool(share(pos))).collect();
    let is_mine = |pos: Pos| mined[usize::from(pos.row) * usize::from(cols) + usize::from(pos.col)];
    let opened = if status == Status::Won { 1.0 } else { dice.random_range(0.2..0.95) };
    let mut wanted: Vec<Pos> = all.iter().copied().filter(|&pos| !is_mine(pos)).collect();
    wanted.shuffle(dice);
    wanted.truncate((wanted.len() as f64 * opened) as usize);
    while let Some(pos) = wanted.pop() {
        if board[pos] != Cell::Covered {
            continue;
        }
        let number = board.neighbours(pos).filter(|&near| is_mine(near)).count() as u8;
        if kinds.contains(&Cell::open(number)) {
            board[pos] = Cell::open(number);
        }
        if number == 0 {
            wanted.extend(board.neighbours(pos));
        }
    }
    // What lies beside a blank is open; what is not covered cannot be marked.
    for &pos in &all {
        if board[pos] != Cell::Covered {
            continue;
        }
        board[pos] = match (status, is_mine(pos)) {
            (Status::Won, _) => Cell::Flagged,
            (_, mine) if dice.random_bool(if mine { 0.5 } else { 0.1 }) => {
                if dice.random_bool(0.2) { Cell::Questioned } else { Cell::Flagged }
            }
            _ => Cell::Covered,
        };
        if status == Status::Lost {
            board[pos] = match (board[pos], is_mine(pos)) {
                (Cell::Flagged, false) => Cell::WrongFlag,
                (Cell::Covered, true) => Cell::Mine,
                (cell, _) => cell,
            };
        }
        if !kinds.contains(&board[pos]) {
            board[pos] = Cell::Covered;
        }
    }
    if status == Status::Lost && kinds.contains(&Cell::Burst) {
        let mines = all.iter().copied().filter(|&pos| board[pos] == Cell::Mine);
        // One in a game; more of them say more of how they are read.
        for pos in mines.collect::<Vec<_>>() {
            if dice.random_bool(0.1) {
                board[pos] = Cell::Burst;
            }
        }
    }
    board
}
