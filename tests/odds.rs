//! Claims on the odds, checked against every arrangement of mines on small boards.

use minescraper::board::{Board, Cell, FirstClick, MineCount, Pos, Rules};
use minescraper::lab::minefield::{Minefield, Options};
use minescraper::solver::odds::{OddsKind, Position, Workspace};
use minescraper::solver::{Budget, SolveError};
use num_bigint::BigUint;
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
            let mut likelier: Option<(Position, f64)> = None;
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
                    // What one number says of another is the same without the position before.
                    let (other, its) = likelier.get_or_insert_with(|| (afresh.clone(), weight));
                    assert!(
                        close(afresh.share_of(other), weight / *its),
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

/// Games by `level` of which cells without a mine were opened here and there.
fn mid_game(level: &str, seed: u64) -> (Minefield, Vec<Pos>) {
    let mut dice = ChaCha8Rng::seed_from_u64(!seed);
    let rules = Rules::parse_level(level, FirstClick::Opens).unwrap();
    let mut game = Minefield::new(rules, Options::default(), seed);
    let any = |dice: &mut ChaCha8Rng| {
        Pos::new(dice.random_range(0..rules.cols), dice.random_range(0..rules.rows))
    };
    game.open(any(&mut dice));
    let mines = game.mines().unwrap();
    for _ in 0..dice.random_range(0..rules.cols * rules.rows) {
        let pos = any(&mut dice);
        if mines.binary_search_by_key(&(pos.row, pos.col), |mine| (mine.row, mine.col)).is_err() {
            game.open(pos);
        }
    }
    (game, mines)
}

fn chances(position: &Position, board: &Board) -> Vec<Option<f64>> {
    board.positions().map(|pos| position.mine_chance(pos)).collect()
}

#[test]
fn the_count_and_the_list_of_arrangements_agree_with_the_plain_way() {
    let mut dice = ChaCha8Rng::seed_from_u64(3);
    let (mut workspace, mut budget) = (Workspace::default(), Budget::nodes(PLENTY));
    let mut listed = 0;
    for _ in 0..5_000 {
        let board = small_board(&mut dice);
        let Ok(position) = solve(&board) else { continue };
        let all = Arrangements::of(&board);
        if !matches!(board.mines, MineCount::Assumed(_)) {
            let count = position.count_arrangements(&mut workspace, &mut budget).unwrap();
            assert_eq!(count, BigUint::from(all.fitting.len()), "{board}");
        }
        if board.mines.known().is_none() {
            continue;
        }
        let few = all.fitting.len() - 1;
        assert_eq!(position.arrangements(few, &mut workspace, &mut budget), None);
        let list = position.arrangements(few + 1, &mut workspace, &mut budget).unwrap();
        let mut found: Vec<u32> = list
            .iter()
            .map(|mines| {
                let has_mine = |&(bit, _): &(usize, &Pos)| mines[bit / 64] >> (bit % 64) & 1 == 1;
                let mined = list.cells().iter().enumerate().filter(has_mine);
                let proven = position.mined_cells().filter(|pos| all.cells.contains(pos));
                let unlisted = proven.filter(|pos| !list.cells().contains(pos));
                mined.map(|(_, &pos)| all.bit(pos)).chain(unlisted.map(|pos| all.bit(pos))).sum()
            })
            .collect();
        found.sort_unstable();
        assert_eq!(found, all.fitting, "{board}");
        listed += found.len();
    }
    assert!(listed > 10_000, "{listed}");
}

#[test]
fn drawn_arrangements_fit_and_are_as_likely_as_the_odds_say() {
    let (mut workspace, mut budget) = (Workspace::default(), Budget::nodes(PLENTY));
    let mut dice = ChaCha8Rng::seed_from_u64(4);
    for seed in 0..20 {
        let (game, _) = mid_game("intermediate", seed);
        let mut board = game.view().clone();
        if seed % 4 == 0 {
            board.mines = MineCount::Unknown;
        }
        let position = solve(&board).unwrap();
        let mut sampler = position.sampler(&mut workspace, &mut budget).unwrap();
        let mut hits = vec![0; 256];
        const DRAWS: u32 = 4000;
        for _ in 0..DRAWS {
            let mines = sampler.draw(&mut dice);
            for (hits, &is_mine) in hits.iter_mut().zip(mines) {
                *hits += u32::from(is_mine);
            }
            let is_mine = |pos: &Pos| mines[board.index(*pos)];
            for (pos, cell) in board.iter() {
                if let Some(number) = cell.number() {
                    let around = board.neighbours(pos).filter(is_mine).count();
                    assert_eq!(around, usize::from(number));
                }
            }
            if let Some(count) = board.mines.known() {
                assert_eq!(mines.iter().filter(|&&is_mine| is_mine).count(), count as usize);
            }
        }
        for (chance, hits) in chances(&position, &board).into_iter().zip(hits) {
            let chance = chance.unwrap_or(0.0);
            // Five standard deviations.
            let most = 5.0 * (chance * (1.0 - chance) / f64::from(DRAWS)).sqrt();
            let share = f64::from(hits) / f64::from(DRAWS);
            assert!((share - chance).abs() <= most + 1e-9, "{share} for {chance} on\n{board}");
        }
    }
}

#[test]
fn chances_add_up_to_the_mines_and_proofs_are_true_in_ten_thousand_positions() {
    let (mut workspace, mut budget) = (Workspace::default(), Budget::nodes(u64::MAX));
    let mut proofs = 0;
    for seed in 0..10_000 {
        let level = ["expert", "intermediate", "beginner"][seed as usize % 3];
        let (game, mines) = mid_game(level, seed);
        let position = Position::of(game.view(), &mut workspace, &mut budget).unwrap();
        let sum: f64 = chances(&position, game.view()).into_iter().flatten().sum();
        assert!((sum - mines.len() as f64).abs() < 1e-8, "{sum} for {}", mines.len());
        assert!(position.safe_cells().all(|pos| !mines.contains(&pos)), "{}", game.view());
        assert!(position.mined_cells().all(|pos| mines.contains(&pos)), "{}", game.view());
        proofs += position.safe_cells().count();
    }
    assert!(proofs > 10_000, "{proofs}");
}

#[test]
fn odds_turn_and_flip_with_the_board() {
    for seed in 0..200 {
        let (game, _) = mid_game("16x9x30", seed);
        let board = game.view();
        let position = solve(board).unwrap();
        for symmetry in 0..8 {
            let turn = |pos: Pos| {
                let col = if symmetry & 1 == 0 { pos.col } else { board.cols() - 1 - pos.col };
                let row = if symmetry & 2 == 0 { pos.row } else { board.rows() - 1 - pos.row };
                if symmetry & 4 == 0 { Pos::new(col, row) } else { Pos::new(row, col) }
            };
            let far = turn(Pos::new(board.cols() - 1, board.rows() - 1));
            let near = turn(Pos::new(0, 0));
            let size = Pos::new(far.col.max(near.col) + 1, far.row.max(near.row) + 1);
            let mut turned = Board::new(size.col, size.row);
            turned.mines = board.mines;
            for (pos, cell) in board.iter() {
                turned[turn(pos)] = cell;
            }
            let other = solve(&turned).unwrap();
            for pos in board.positions() {
                match (position.mine_chance(pos), other.mine_chance(turn(pos))) {
                    (Some(a), Some(b)) => assert!((a - b).abs() < 1e-11, "{a} and {b} on\n{board}"),
                    (a, b) => assert_eq!(a, b),
                }
            }
        }
    }
}

/// Two boards side by side, with a wall between them that holds no mine and says nothing.
fn beside(left: &Board, right: &Board) -> Board {
    let mut both = Board::new(left.cols() + 1 + right.cols(), left.rows());
    for row in 0..left.rows() {
        both[Pos::new(left.cols(), row)] = Cell::WrongFlag;
    }
    left.iter().for_each(|(pos, cell)| both[pos] = cell);
    for (pos, cell) in right.iter() {
        both[Pos::new(left.cols() + 1 + pos.col, pos.row)] = cell;
    }
    both
}

#[test]
fn parts_of_a_board_matter_to_each_other_only_by_their_mines() {
    let solve_with = |board: &Board, mines| {
        let mut board = board.clone();
        board.mines = mines;
        solve(&board).ok()
    };
    for seed in 0..30 {
        let games = [mid_game("8x8x10", seed), mid_game("7x8x12", !seed)];
        let [left, right] = [games[0].0.view(), games[1].0.view()];
        let both = beside(left, right);
        let unknown = MineCount::Unknown;
        let (alone, beside) =
            (solve_with(left, unknown).unwrap(), solve_with(&both, unknown).unwrap());
        for pos in left.positions() {
            let (a, b) = (alone.mine_chance(pos), beside.mine_chance(pos));
            assert!(a == b || close(a.unwrap(), b.unwrap()), "{a:?} and {b:?} at {pos} of\n{both}");
        }
        // With the count: the average over how the mines may be shared out.
        let beside = solve_with(&both, MineCount::Given(22)).unwrap();
        let count = |position: &Position| position.ln_arrangements().unwrap().exp();
        let mut sums = vec![0.0; 64];
        let mut all = 0.0;
        for mines in 0..=22 {
            let left_part = solve_with(left, MineCount::Given(mines));
            let right_part = solve_with(right, MineCount::Given(22 - mines));
            let (Some(left_part), Some(right_part)) = (left_part, right_part) else { continue };
            let ways = count(&left_part) * count(&right_part);
            all += ways;
            for (sum, chance) in sums.iter_mut().zip(chances(&left_part, left)) {
                *sum += ways * chance.unwrap_or(0.0);
            }
        }
        assert!((count(&beside) / all - 1.0).abs() < 1e-9);
        for (sum, pos) in sums.into_iter().zip(left.positions()) {
            let chance = beside.mine_chance(pos).unwrap_or(0.0);
            assert!((sum / all - chance).abs() < 1e-9, "{} for {chance} at {pos}", sum / all);
        }
    }
}

#[test]
fn large_boards_stay_within_the_budget_and_sampled_odds_prove_nothing_wrong() {
    let mut sampled = 0;
    for (level, nodes) in [("100x100x2000", 200_000), ("64x64x999", 200_000), ("64x64x999", 2_000)]
    {
        for seed in 0..6 {
            let (game, mines) = mid_game(level, seed);
            let mut budget = Budget::nodes(nodes);
            let mut workspace = Workspace::default();
            let position = Position::of(game.view(), &mut workspace, &mut budget).unwrap();
            assert!(budget.spent() <= nodes);
            assert!(position.safe_cells().all(|pos| !mines.contains(&pos)));
            assert!(position.mined_cells().all(|pos| mines.contains(&pos)));
            let sum: f64 = chances(&position, game.view()).into_iter().flatten().sum();
            let is_sampled = position.kind() == OddsKind::Sampled;
            let most = if is_sampled { 20.0 } else { 1e-6 };
            assert!((sum - mines.len() as f64).abs() < most, "{sum} for {}", mines.len());
            assert!(budget.spent() == nodes || !is_sampled);
            sampled += usize::from(is_sampled);
        }
    }
    assert!((1..18).contains(&sampled), "{sampled} of 18 sampled");
}

#[test]
fn sampled_odds_are_near_the_exact_ones() {
    let (mut far, mut all) = (0.0, 0.0);
    for seed in 0..40 {
        let (game, _) = mid_game("64x64x999", seed);
        let solve = |nodes| {
            let (mut workspace, mut budget) = (Workspace::default(), Budget::nodes(nodes));
            Position::of(game.view(), &mut workspace, &mut budget).unwrap()
        };
        let (exact, sampled) = (solve(PLENTY), solve(0));
        if (exact.kind(), sampled.kind()) != (OddsKind::Exact, OddsKind::Sampled) {
            continue;
        }
        let (exact, sampled) = (chances(&exact, game.view()), chances(&sampled, game.view()));
        for (exact, sampled) in exact.into_iter().flatten().zip(sampled.into_iter().flatten()) {
            far += (exact - sampled).abs();
            all += 1.0;
        }
    }
    assert!(all > 20_000.0 && far / all < 0.01, "{} on average", far / all);
}

#[test]
fn counts_too_large_for_a_float_are_counted() {
    let (mut workspace, mut budget) = (Workspace::default(), Budget::nodes(PLENTY));
    let mut board = Board::new(100, 100);
    board.mines = MineCount::Given(2000);
    let position = solve(&board).unwrap();
    assert!(chances(&position, &board).into_iter().flatten().all(|chance| close(chance, 0.2)));
    let count = position.count_arrangements(&mut workspace, &mut budget).unwrap();
    let bits = position.ln_arrangements().unwrap() / std::f64::consts::LN_2;
    assert_eq!(count.bits(), bits as u64 + 1);
    // 3 mines beside each of 400 numbers: 8 over 3 to the 400th, times the rest's.
    let mut board = Board::new(60, 60);
    for row in 0..20 {
        for col in 0..20 {
            board[Pos::new(3 * col + 1, 3 * row + 1)] = Cell::open(3);
        }
    }
    let position = solve(&board).unwrap();
    assert!(close(position.mine_chance(Pos::new(0, 0)).unwrap(), 0.375));
    let count = position.count_arrangements(&mut workspace, &mut budget).unwrap();
    assert_eq!(count, BigUint::from(56u8).pow(400));
}

#[test]
fn what_cannot_hold_together_is_named() {
    // The 1 and the 2 see the same three cells; the 1 on the right has nothing to do with it.
    let text = "!#!!#\n1#2!1\n!#!!#";
    let board: Board = text.parse().unwrap();
    let numbers = vec![Pos::new(0, 1), Pos::new(2, 1)];
    assert_eq!(solve(&board).err(), Some(SolveError::Conflict { numbers }));

    let mut dice = ChaCha8Rng::seed_from_u64(9);
    let mut conflicts = 0;
    for _ in 0..100_000 {
        let mut board = small_board(&mut dice);
        board.mines = MineCount::Unknown;
        let Err(SolveError::Conflict { numbers }) = solve(&board) else { continue };
        // These numbers alone contradict each other, and any of them less does not.
        let numbers_only = |kept: &[Pos]| {
            let mut board = board.clone();
            for pos in board.positions() {
                if board[pos].number().is_some() && !kept.contains(&pos) {
                    board[pos] = Cell::WrongFlag;
                }
            }
            Arrangements::of(&board).fitting.is_empty()
        };
        assert!(numbers_only(&numbers), "{numbers:?} on\n{board}");
        for left_out in &numbers {
            let fewer: Vec<Pos> = numbers.iter().copied().filter(|pos| pos != left_out).collect();
            assert!(!numbers_only(&fewer), "{fewer:?} on\n{board}");
        }
        conflicts += 1;
    }
    assert!(conflicts > 10, "{conflicts}");
}

#[test]
fn strange_boards_have_odds() {
    let chances = |text: &str| {
        let board: Board = text.parse().unwrap();
        chances(&solve(&board).unwrap(), &board)
    };
    assert_eq!(chances("minescraper 4x1 mines=0\n####"), [Some(0.0); 4]);
    assert_eq!(chances("minescraper 4x1 mines=4\n####"), [Some(1.0); 4]);
    assert_eq!(chances("minescraper 1x1 mines=1\n#"), [Some(1.0)]);
    assert_eq!(chances("minescraper 4x1 mines=1\nF?~#"), [Some(0.25); 4]);
    assert_eq!(chances("#"), [Some(0.2)]);
    // An assumed count ranks, and where it cannot be, it is left aside.
    let assumed = chances("minescraper 4x1 mines=0 from=size\n####");
    assert!(
        assumed
            .iter()
            .all(|chance| (0.0..1e-300).contains(&chance.unwrap()) && *chance != Some(0.0))
    );
    assert_eq!(chances("minescraper 5x1 mines=0 from=size\n#1###")[4], Some(0.2));
}
