//! Times the exact odds of one position beside those of ms_toollib, on the same positions in one run.
//!
//!     cargo run --release -- POSITIONS
//!
//! A line of POSITIONS is `W H M cells ...`: width, height, mines, and the cells row by row, `.` covered and a
//! digit for an opened one. Stops with an error when an answer differs by more than 5e-10.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use minescraper::board::{Board, Cell, MineCount, Pos};
use minescraper::solver::Budget;
use minescraper::solver::odds::{OddsKind, Position, Workspace};

/// Each position is solved so often by each engine; the fastest counts, for the machine may be busy.
const REPEATS: usize = 5;
const COVERED: i32 = 10;

fn main() {
    let path = std::env::args().nth(1).expect("a file of positions");
    let text = std::fs::read_to_string(path).expect("a readable file");
    let mut workspace = Workspace::default();
    let (mut ours, mut theirs, mut largest) = (Vec::new(), Vec::new(), 0f64);
    for line in text.lines() {
        let board = parse(line);
        let mut position = None;
        ours.push(fastest(|| {
            let mut budget = Budget::nodes(u64::MAX);
            position =
                Some(Position::of(&board, &mut workspace, &mut budget).expect("a possible board"));
        }));
        let position = position.expect("a solved board");
        assert_eq!(position.kind(), OddsKind::Exact);

        let table: Vec<Vec<i32>> = (0..board.rows())
            .map(|row| {
                let cell = |col| board[Pos::new(col, row)].number().map_or(COVERED, i32::from);
                (0..board.cols()).map(cell).collect()
            })
            .collect();
        let mines = f64::from(board.mines.known().expect("a mine count"));
        let mut answer = None;
        theirs.push(fastest(|| {
            let mut marked = table.clone();
            ms_toollib::mark_board(&mut marked, true).expect("a possible board");
            let odds = ms_toollib::cal_probability_enum(&marked, mines).expect("a possible board");
            answer = Some((marked, odds));
        }));
        let (marked, (border, inside, ..)) = answer.expect("an answer");
        let border: HashMap<_, _> = border.into_iter().collect();
        for pos in board.positions().filter(|&pos| board[pos].is_unopened()) {
            let place = (usize::from(pos.row), usize::from(pos.col));
            let expected = match marked[place.0][place.1] {
                11 => 1.0,
                12 => 0.0,
                _ => border.get(&place).copied().unwrap_or(inside),
            };
            let chance = position.mine_chance(pos).expect("a chance");
            let difference = (chance - expected).abs();
            assert!(difference < 5e-10, "{chance} for {expected} at {pos} of\n{board}");
            largest = largest.max(difference);
        }
    }
    println!("{} positions, largest difference {largest:e}", ours.len());
    report("minescraper", &mut ours);
    report("ms_toollib", &mut theirs);
}

fn fastest(mut solve: impl FnMut()) -> Duration {
    let time = |_| {
        let start = Instant::now();
        solve();
        start.elapsed()
    };
    (0..REPEATS).map(time).min().expect("at least one repeat")
}

fn report(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e6;
    let mean = times.iter().sum::<Duration>().as_secs_f64() * 1e6 / times.len() as f64;
    println!(
        "{name:12} mean {mean:7.1} us, median {:7.1}, p99 {:7.1}, worst {:7.1}",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

fn parse(line: &str) -> Board {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [cols, rows, mines] = [0, 1, 2].map(|n| words[n].parse::<u32>().expect("a number"));
    let mut board = Board::new(cols as u16, rows as u16);
    for (pos, symbol) in board.positions().zip(words[3].chars()) {
        board[pos] = match symbol {
            '.' => Cell::Covered,
            digit => Cell::open(digit as u8 - b'0'),
        };
    }
    board.mines = MineCount::Given(mines);
    board
}
