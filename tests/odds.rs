//! Claims on the odds, checked against every arrangement of mines on small boards.

use minescraper::board::{Board, Cell, MineCount, Pos};
use minescraper::solver::odds::{OddsKind, Position, Workspace};
use minescraper::solver::{Budget, SolveError};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Enough nodes for any board here.
const PLENTY: u64 = 10_000_000;

fn solve(board: &Board) -> Result<Position, SolveError> {
    Position::of(board, &mut Workspace::default(), &mut Budget::nodes(PLENTY))
}

fn is_question(cell: Cell) -> bool {
    cell.is_unopened() || cell == Cell::Unclear
}

/// Every way to put mines on the cells of a small board that are not known, found the plain way.
struct Arrangements {
    cells: Vec<Pos>,
    fitting: Vec<u32>,
    /// For each number of mines, what an arrangement with so many counts.
    weights: [f64; 17],
}

impl Arrangements {
    fn of(board: &Board) -> Self {
        let cells: Vec<Pos> = board.positions().filter(|&pos| is_question(board[pos])).collect();
        assert!(cells.len() <= 16, "too many cells to try every arrangement");
        let shows_mine = |pos: &Pos| matches!(board[*pos], Cell::Mine | Cell::Burst);
        let mut rules = Vec::new();
        for (pos, cell) in board.iter() {
            if let Some(number) = cell.number() {
                let mask =
                    (0..cells.len()).filter(|&i| cells[i].touches(pos)).map(|i| 1 << i).sum();
                let shown = board.neighbours(pos).filter(shows_mine).count() as u32;
                rules.push((mask, shown, u32::from(number)));
            }
        }
        let shown = board.positions().filter(shows_mine).count() as u32;
        if let Some(mines) = board.mines.known() {
            rules.push((u32::MAX, shown, mines));
        }
        let fits = |mines: &u32| {
            rules.iter().all(|&(mask, shown, all)| (mines & mask).count_ones() + shown == all)
        };
        let fitting: Vec<u32> = (0..1u32 << cells.len()).filter(fits).collect();
        let likely = board.mines.likely().and_then(|mines| mines.checked_sub(shown));
        let is_possible = |mines: &u32| fitting.iter().any(|all| all.count_ones() == *mines);
        let weights = match likely.filter(is_possible) {
            Some(mines) => std::array::from_fn(|n| f64::from(u8::from(n as u32 == mines))),
            None => std::array::from_fn(|n| 0.25f64.powi(n as i32)),
        };
        Self { cells, fitting, weights }
    }

    fn weight(&self, fits: impl Fn(u32) -> bool) -> f64 {
        let fitting = self.fitting.iter().filter(|&&mines| fits(mines));
        fitting.map(|mines| self.weights[mines.count_ones() as usize]).sum()
    }

    fn bit(&self, pos: Pos) -> u32 {
        1 << self.cells.iter().position(|&cell| cell == pos).expect("a cell in question")
    }

    /// The chance of a mine in `pos`, and whether it is proven to be one, or none.
    fn odds(&self, pos: Pos) -> (f64, bool, bool) {
        let bit = self.bit(pos);
        let is_mine = |&mines: &u32| mines & bit != 0;
        let chance = self.weight(|mines| is_mine(&mines)) / self.weight(|_| true);
        (chance, self.fitting.iter().all(is_mine), !self.fitting.iter().any(is_mine))
    }

    /// The chance that `pos` is no mine and has so many mines around it, of which `shown` are shown.
    fn shows(&self, pos: Pos, value: u32, shown: u32) -> f64 {
        let around = self.cells.iter().filter(|cell| cell.touches(pos));
        let around: u32 = around.map(|&cell| self.bit(cell)).sum();
        let fits = |mines: u32| {
            mines & self.bit(pos) == 0 && (mines & around).count_ones() + shown == value
        };
        self.weight(fits) / self.weight(|_| true)
    }
}

/// A board of at most 16 unknown cells, mostly one that a game could show, with wrong flags, question
/// marks, unclear cells, and cells that only a lost game shows.
fn small_board(dice: &mut ChaCha8Rng) -> Board {
    let (cols, rows) = match dice.random_range(0..6) {
        0 => (dice.random_range(1..=20), 1),
        1 => (1, dice.random_range(1..=20)),
        _ => (dice.random_range(1..=7), dice.random_range(1..=6)),
    };
    let mut board = Board::new(cols, rows);
    let density = [0.0, 1.0, dice.random_range(0.05..0.6)][dice.random_range(0..8usize).min(2)];
    let mines: Vec<Pos> = board.positions().filter(|_| dice.random_bool(density)).collect();
    let shut = dice.random_range(0.2..0.9);
    let end = dice.random_bool(0.2);
    let lies = dice.random_bool(0.1);
    let mut unknown = 0;
    for pos in board.positions() {
        let is_mine = mines.contains(&pos);
        let mut number = mines.iter().filter(|&&mine| mine.touches(pos)).count() as u8;
        if lies && dice.random_bool(0.1) {
            number = dice.random_range(0..=8);
        }
        let hidden = is_mine || dice.random_bool(shut);
        board[pos] = match dice.random_range(0..20) {
            _ if unknown == 16 && is_mine => Cell::Mine,
            _ if unknown == 16 => Cell::open(number),
            0 => Cell::Unclear,
            1 if end && is_mine => [Cell::Mine, Cell::Burst][dice.random_range(0..2)],
            1 if end => Cell::WrongFlag,
            2..=4 if hidden => Cell::Flagged,
            5 if hidden => Cell::Questioned,
            _ if hidden => Cell::Covered,
            _ => Cell::open(number),
        };
        unknown += usize::from(is_question(board[pos]));
    }
    board.mines = match dice.random_range(0..6) {
        0 => MineCount::Unknown,
        1 => MineCount::Assumed(dice.random_range(0..6)),
        2 if lies => MineCount::Given(dice.random_range(0..10)),
        _ => MineCount::Read(mines.len() as u32),
    };
    board
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

#[test]
fn odds_agree_with_every_arrangement_counted() {
    let mut dice = ChaCha8Rng::seed_from_u64(1);
    let (mut possible, mut impossible) = (0, 0);
    for _ in 0..20_000 {
        let board = small_board(&mut dice);
        let all = Arrangements::of(&board);
        let position = match solve(&board) {
            Ok(position) => position,
            Err(error) => {
                assert!(all.fitting.is_empty(), "{error} on\n{board}");
                impossible += 1;
                continue;
            }
        };
        assert!(!all.fitting.is_empty(), "no arrangement of\n{board}");
        assert_eq!(position.kind(), OddsKind::Exact);
        possible += 1;
        for &pos in &all.cells {
            let (chance, is_mine, is_clear) = all.odds(pos);
            let found = position.mine_chance(pos).unwrap();
            assert!(close(found, chance), "{found} for {chance} at {pos} of\n{board}");
            assert_eq!((found == 1.0, found == 0.0), (is_mine, is_clear), "{pos} of\n{board}");
        }
        if let (Some(ln), Some(_)) = (position.ln_arrangements(), board.mines.known()) {
            assert!((ln - (all.fitting.len() as f64).ln()).abs() < 1e-9, "{board}");
        }
    }
    assert!(possible > 10_000 && impossible > 200, "{possible} and {impossible}");
}

#[test]
fn what_a_cell_may_show_agrees_with_every_arrangement_and_with_solving_afresh() {
    let mut dice = ChaCha8Rng::seed_from_u64(2);
    let (mut workspace, mut budget) = (Workspace::default(), Budget::nodes(PLENTY));
    for _ in 0..3_000 {
        let board = small_board(&mut dice);
        let Ok(position) = solve(&board) else { continue };
        let all = Arrangements::of(&board);
        for &pos in &all.cells {
            let weights = position.value_weights(pos, &mut workspace, &mut budget);
            let shows_mine = |pos: &Pos| matches!(board[*pos], Cell::Mine | Cell::Burst);
            let shown = board.neighbours(pos).filter(shows_mine).count() as u32;
            for (value, &weight) in (0..).zip(&weights) {
                let expected = all.shows(pos, u32::from(value), shown);
                assert!(
                    close(weight, expected),
                    "{weight} for {expected}: {value} at {pos} of\n{board}"
                );
                let child = position.open(pos, value, &mut workspace, &mut budget);
                let mut opened = board.clone();
                opened[pos] = Cell::open(value);
                let afresh = solve(&opened);
                assert_eq!(child.is_some(), afresh.is_ok(), "{value} at {pos} of\n{board}");
                let (Some(child), Ok(afresh)) = (child, afresh) else { continue };
                if board.mines.known().is_some() || board.mines == MineCount::Unknown {
                    assert!(
                        close(child.share_of(&position), weight),
                        "{value} at {pos} of\n{board}"
                    );
                }
                if matches!(board.mines, MineCount::Assumed(_)) {
                    continue;
                }
                for &other in all.cells.iter().filter(|&&other| other != pos) {
                    let (a, b) = (child.mine_chance(other), afresh.mine_chance(other));
                    let (a, b) = (a.unwrap(), b.unwrap());
                    assert!(
                        close(a, b),
                        "{a} for {b} at {other} after {value} at {pos} of\n{board}"
                    );
                    assert_eq!((a == 0.0, a == 1.0), (b == 0.0, b == 1.0));
                }
            }
            let survive: f64 = weights.iter().sum();
            assert!(close(survive, 1.0 - position.mine_chance(pos).unwrap()));
        }
    }
}
