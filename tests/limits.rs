//! What is too much is refused with its limit, and whatever is accepted is done in time.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use minescraper::board::{Board, Cell, FirstClick, MineCount, Pos, Rules};
use minescraper::lab::minefield::{Minefield, Options};
use minescraper::solver::odds::{Position, Workspace};
use minescraper::solver::{self, Budget};
use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;
use serde_json::Value;

fn minescraper(args: &[&str], input: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_minescraper"));
    program.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = program.spawn().expect("the program starts");
    // It may have ended without reading all of that; what it says is checked.
    let _ = program.stdin.take().unwrap().write_all(input.as_bytes());
    program.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn refused(args: &[&str], why: &[&str]) {
    let output = minescraper(args, "");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", said(&output));
    for why in why {
        assert!(said(&output).contains(why), "{args:?}: {}", said(&output));
    }
    assert!(output.stdout.is_empty(), "{args:?}");
}

/// The largest board, written as a level without its mines, and its cells.
fn largest() -> (String, u32) {
    let (cols, rows) = Board::MOST;
    (format!("{cols}x{rows}"), u32::from(cols) * u32::from(rows))
}

#[test]
fn a_level_that_is_too_large_is_refused_with_the_largest_there_is() {
    let (most, _) = largest();
    for level in ["1000x1000x10", "1000x1000x1", "481x1x0", "271x271x9", "70000x9x1", "0x9x0"] {
        refused(&["bench", "--level", level], &[&most]);
        refused(&["demo", "--level", level, "--cell", "200"], &[&most]);
    }
    let rows = "#\n".repeat(usize::from(Board::MOST.0) + 1);
    let output = minescraper(&["advise", "-"], &rows);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains(&most), "{}", said(&output));
}

#[test]
fn a_board_that_no_monitor_shows_is_not_painted() {
    let (most, _) = largest();
    let level = format!("{most}x99");
    refused(&["demo", "--level", &level, "--cell", "200"], &["--cell takes at most 16"]);
    refused(&["demo", "--level", "100x100x9", "--cell", "60"], &["--cell takes at most 43"]);
    let output = minescraper(&["demo", "--cell", "200", "--dry-run"], "");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

#[test]
fn a_board_without_a_safe_cell_is_refused_everywhere() {
    let why = ["25 mines do not fit on a 5x5 board"];
    refused(&["bench", "--level", "5x5x25"], &why);
    refused(&["demo", "--level", "5x5x25"], &why);
    refused(&["bench", "--level", "5x5x4294967295"], &["do not fit"]);
    assert!(Rules::new(5, 5, 25, FirstClick::Any).is_err());
    let every = Board::new(5, 5).positions();
    let field = Minefield::with_mines(5, 5, every, Options::default());
    assert!(field.err().unwrap().to_string().contains(why[0]));
    let folder = tempfile::tempdir().unwrap();
    let boards = folder.path().join("boards");
    std::fs::write(&boards, "2 2 4 0 0 : 0 1 2 3\n").unwrap();
    let output = minescraper(&["bench", "--boards", boards.to_str().unwrap()], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("line 1: 4 mines do not fit"), "{}", said(&output));
    for (command, won) in [("bench", "100.00 %"), ("demo", "1 of 1 games won")] {
        let games = ["--games", "1", "--first-click", "safe"];
        let output = minescraper(&[&[command, "--level", "5x5x24"], &games[..]].concat(), "");
        assert!(printed(&output).contains(won), "{}{}", printed(&output), said(&output));
    }
}

#[test]
fn no_games_are_refused() {
    refused(&["bench", "--games", "0"], &["--games"]);
    refused(&["race", "--games", "0"], &["--games"]);
    refused(&["train", "--games", "0", "--out", "/nowhere"], &["--games"]);
}

#[test]
fn a_shard_without_games_has_an_empty_report_that_says_so_and_merges() {
    let shard = |nth: &str, more: &[&str]| {
        let args = ["bench", "--level", "beginner", "--games", "1", "--strategy", "single,near"];
        let output = minescraper(&[&args[..], &["--shard", nth], more].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        output
    };
    let empty = shard("0/2", &[]);
    assert_eq!(printed(&empty), "no games were played, so there are no rates\n");
    assert!(said(&empty).contains("shard 0/2 of 1 games has none"), "{}", said(&empty));
    let folder = tempfile::tempdir().unwrap();
    let files = ["0/2", "1/2"].map(|nth| {
        let output = shard(nth, &["--json"]);
        assert!(!printed(&output).contains("NaN"));
        let file = folder.path().join(nth.replace('/', "-"));
        std::fs::write(&file, &output.stdout).unwrap();
        file.to_str().unwrap().to_owned()
    });
    let report = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    let empty = report(&std::fs::read_to_string(&files[0]).unwrap());
    assert_eq!(empty["strategies"][0]["games"], 0);
    assert!(empty["strategies"][0]["win_rate"].is_null(), "{empty}");
    let merged = minescraper(&["bench", "--merge", &files[0], &files[1], "--json"], "");
    assert_eq!(merged.status.code(), Some(0), "{}", said(&merged));
    assert_eq!(report(&printed(&merged))["strategies"][0]["games"], 1);
    let merged = minescraper(&["bench", "--merge", &files[0]], "");
    assert_eq!(printed(&merged), "no games were played, so there are no rates\n");
}

/// The largest board with mines by chance, `percent` of its cells, and with those numbers shown of which `shows` is true.
fn crowded(percent: u64, known: bool, shows: impl Fn(Pos) -> bool) -> Board {
    let mut board = Board::new(Board::MOST.0, Board::MOST.1);
    let is_mine = |pos: Pos| {
        let place = u64::from(pos.row) << 16 | u64::from(pos.col);
        mixed(place) % 100 < percent
    };
    let places: Vec<Pos> = board.positions().collect();
    let mines = places.iter().filter(|&&pos| is_mine(pos)).count();
    for &pos in places.iter().filter(|&&pos| shows(pos) && !is_mine(pos)) {
        let around = board.neighbours(pos).filter(|&near| is_mine(near)).count();
        board[pos] = Cell::open(around as u8);
    }
    if known {
        board.mines = MineCount::Read(mines as u32);
    }
    board
}

/// A number that looks as if it were drawn by chance.
fn mixed(number: u64) -> u64 {
    SplitMix64::seed_from_u64(number).next_u64()
}

/// Decisions on the largest board took up to minutes, or all memory, where something grew with the square of its cells.
/// What is left takes less than a second; a busy machine may take longer.
const IN_TIME: Duration = Duration::from_secs(15);

fn decides_in_time(name: &str, board: &Board) {
    for strategy in solver::strategies() {
        let start = Instant::now();
        let advice = solver::by_name(strategy).unwrap().advise(board, &mut Budget::nodes(200_000));
        let took = start.elapsed();
        assert!(took < IN_TIME, "{strategy} on {name}: {took:?}");
        assert!(advice.is_ok(), "{strategy} on {name}: {advice:?}");
    }
    let start = Instant::now();
    let position = Position::of(board, &mut Workspace::default(), &mut Budget::nodes(200_000));
    let took = start.elapsed();
    assert!(took < IN_TIME, "odds on {name}: {took:?}");
    let odds = position.unwrap().odds(board);
    let chances = || odds.cells.iter().flatten();
    assert!(chances().all(|chance| (0.0..=1.0).contains(chance)), "{name}");
    if let Some(mines) = board.mines.known() {
        let expected: f64 = chances().sum();
        let off = (expected - f64::from(mines)).abs() / f64::from(mines);
        assert!(off < 0.02, "{name}: {expected} mines are expected of {mines}");
    }
}

#[test]
fn the_largest_board_is_decided_in_time_when_it_is_fresh() {
    for (percent, promise) in
        [(0, FirstClick::Safe), (80, FirstClick::Any), (20, FirstClick::Opens)]
    {
        let mut board = crowded(percent, percent > 0, |_| false);
        board.first_click = Some(promise);
        decides_in_time(&format!("{percent} % of mines, {promise}"), &board);
    }
}

#[test]
fn the_largest_board_is_decided_in_time_with_one_cell_left() {
    let mut board = crowded(0, true, |_| true);
    let last = Pos::new(200, 100);
    board[last] = Cell::Covered;
    for near in board.neighbours(last).collect::<Vec<_>>() {
        board[near] = Cell::open(1);
    }
    board.mines = MineCount::Read(1);
    for strategy in solver::strategies() {
        let start = Instant::now();
        let advice = solver::by_name(strategy).unwrap().advise(&board, &mut Budget::nodes(200_000));
        assert!(start.elapsed() < IN_TIME, "{strategy}: {:?}", start.elapsed());
        assert_eq!(advice.unwrap().mined.len(), 1, "{strategy}");
    }
}

#[test]
fn the_largest_board_is_decided_in_time_with_thousands_of_small_frontiers() {
    for percent in [20, 45] {
        let single = |pos: Pos| pos.col % 3 == 1 && pos.row % 3 == 1;
        decides_in_time(&format!("{percent} %, single numbers"), &crowded(percent, true, single));
        let three = |pos: Pos| [1, 3, 5].contains(&(pos.col % 7)) && pos.row % 4 == 1;
        decides_in_time(&format!("{percent} %, three numbers"), &crowded(percent, true, three));
        let some = |pos: Pos| mixed(u64::from(pos.col) * 7919 + u64::from(pos.row)) % 10 < 3;
        decides_in_time(&format!("{percent} %, some numbers"), &crowded(percent, true, some));
    }
}

#[test]
fn the_largest_board_is_decided_in_time_with_long_and_wide_frontiers() {
    for percent in [20, 45] {
        for apart in [3, 4] {
            let rows = |pos: Pos| pos.row.is_multiple_of(apart);
            decides_in_time(
                &format!("{percent} %, rows {apart} apart"),
                &crowded(percent, true, rows),
            );
        }
        // A corridor of numbers all over the board.
        let snake = |pos: Pos| {
            let turn = if (pos.row / 4).is_multiple_of(2) { Board::MOST.0 - 1 } else { 0 };
            pos.row.is_multiple_of(4) || pos.col == turn
        };
        decides_in_time(&format!("{percent} %, a corridor"), &crowded(percent, true, snake));
        decides_in_time(&format!("{percent} %, unknown mines"), &crowded(percent, false, snake));
        let grid = |pos: Pos| pos.col % 2 == 1 && pos.row % 2 == 1;
        decides_in_time(&format!("{percent} %, a grid"), &crowded(percent, true, grid));
    }
}

#[test]
fn the_largest_board_is_dealt_read_and_played_in_time() {
    let (most, cells) = largest();
    for mines in [1, cells / 5, cells - 1] {
        let level = format!("{most}x{mines}");
        for command in ["demo", "bench"] {
            let start = Instant::now();
            let output = minescraper(
                &[command, "--level", &level, "--games", "1", "--first-click", "safe"],
                "",
            );
            assert_eq!(output.status.code(), Some(0), "{command} {level}: {}", said(&output));
            let took = start.elapsed();
            assert!(took < Duration::from_secs(60), "{command} {level}: {took:?}");
        }
    }
}
