//! What may be relied on of every strategy, and what each is worth.

use minescraper::board::{Board, Cell, FirstClick, MineCount, Pos, Rules, Status};
use minescraper::lab::minefield::{Minefield, Options};
use minescraper::solver::{Advice, Budget, Reason, SolveError, by_name, strategies};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// More than any strategy spends on a decision in these tests.
const PLENTY: u64 = 1_000_000;

fn advise(name: &str, board: &Board) -> Result<Advice, SolveError> {
    advise_with(name, board, 1, PLENTY)
}

fn advise_with(name: &str, board: &Board, seed: u64, nodes: u64) -> Result<Advice, SolveError> {
    let mut strategy = by_name(name).unwrap();
    strategy.new_game(seed);
    strategy.advise(board, &mut Budget::nodes(nodes))
}

fn safe(advice: &Advice) -> Vec<Pos> {
    advice.safe.iter().map(|proof| proof.pos).collect()
}

fn mined(advice: &Advice) -> Vec<Pos> {
    advice.mined.iter().map(|proof| proof.pos).collect()
}

/// The board of a drawing, and the cells of the same drawing in a second one that says which of them
/// are proven: `o` safe, `*` mined.
fn claims(name: &str, drawing: &str, proven: &str) {
    let board: Board = drawing.parse().unwrap();
    let advice = advise(name, &board).unwrap();
    let marked = |mark| -> Vec<Pos> {
        let places = proven.lines().flat_map(str::chars).zip(board.positions());
        places.filter(|&(symbol, _)| symbol == mark).map(|(_, pos)| pos).collect()
    };
    assert_eq!(safe(&advice), marked('o'), "safe by {name} on\n{board}");
    assert_eq!(mined(&advice), marked('*'), "mined by {name} on\n{board}");
}

/// Every way to put mines on the cells of a small board that are not known, found the plain way.
struct Arrangements {
    cells: Vec<Pos>,
    fitting: Vec<u32>,
}

impl Arrangements {
    fn of(board: &Board) -> Self {
        let is_open_question = |cell: Cell| cell.is_unopened() || cell == Cell::Unclear;
        let cells: Vec<Pos> =
            board.positions().filter(|&pos| is_open_question(board[pos])).collect();
        assert!(cells.len() <= 16, "too many cells to try every arrangement");
        let shows_mine = |pos: &Pos| matches!(board[*pos], Cell::Mine | Cell::Burst);
        let mut rules = Vec::new();
        for (pos, cell) in board.iter() {
            let Some(number) = cell.number() else {
                continue;
            };
            let mask = (0..cells.len()).filter(|&i| cells[i].touches(pos)).map(|i| 1 << i).sum();
            let shown = board.neighbours(pos).filter(shows_mine).count() as u32;
            rules.push((mask, shown, u32::from(number)));
        }
        if let Some(mines) = board.mines.known() {
            let shown = board.positions().filter(shows_mine).count() as u32;
            rules.push((u32::MAX, shown, mines));
        }
        let fits = |mines: &u32| {
            rules.iter().all(|&(mask, shown, all)| (mines & mask).count_ones() + shown == all)
        };
        let fitting = (0..1u32 << cells.len()).filter(fits).collect();
        Self { cells, fitting }
    }

    /// In how many of the fitting arrangements `pos` is a mine.
    fn mined(&self, pos: Pos) -> usize {
        let bit = self.cells.iter().position(|&cell| cell == pos).expect("a cell to be judged");
        self.fitting.iter().filter(|&mines| mines >> bit & 1 == 1).count()
    }
}

/// A board of at most 16 unknown cells, mostly one that a game could show, with wrong flags, question
/// marks and unclear cells; `end` also puts cells on it that only a lost game shows.
fn small_board(dice: &mut ChaCha8Rng, end: bool) -> Board {
    let (cols, rows) = (dice.random_range(1..=6u16), dice.random_range(1..=5u16));
    let mut board = Board::new(cols, rows);
    let density = dice.random_range(0.05..0.5);
    let mines: Vec<Pos> = board.positions().filter(|_| dice.random_bool(density)).collect();
    let mut unknown = 0;
    for pos in board.positions() {
        let is_mine = mines.contains(&pos);
        let number = mines.iter().filter(|&&mine| mine.touches(pos)).count() as u8;
        let hidden = is_mine || dice.random_bool(0.4);
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
        unknown += usize::from(board[pos].is_unopened() || board[pos] == Cell::Unclear);
    }
    board.mines = match dice.random_range(0..3) {
        0 => MineCount::Unknown,
        1 => MineCount::Assumed(dice.random_range(0..5)),
        _ => MineCount::Read(mines.len() as u32),
    };
    board
}

fn rules(level: &str, first_click: FirstClick) -> Rules {
    Rules::parse_level(level, first_click).unwrap()
}

/// A game of which cells without a mine were opened here and there, with flags, right and wrong.
fn mid_game(level: &str, seed: u64) -> Minefield {
    let mut dice = ChaCha8Rng::seed_from_u64(!seed);
    let options = Options { flags_to_win: true, question_marks: true, ..Options::default() };
    let mut game = Minefield::new(rules(level, FirstClick::Opens), options, seed);
    let any = |dice: &mut ChaCha8Rng, game: &Minefield| {
        let (cols, rows) = (game.rules().cols, game.rules().rows);
        Pos::new(dice.random_range(0..cols), dice.random_range(0..rows))
    };
    game.open(any(&mut dice, &game));
    let mines = game.mines().unwrap();
    for _ in 0..dice.random_range(0..game.rules().cols * game.rules().rows) {
        let pos = any(&mut dice, &game);
        if mines.binary_search_by_key(&(pos.row, pos.col), |mine| (mine.row, mine.col)).is_err() {
            game.open(pos);
        }
    }
    for _ in 0..dice.random_range(0..10) {
        game.mark(any(&mut dice, &game));
    }
    game
}

/// A whole game by `name`: whether it was won, and the most nodes that a decision took.
fn play(name: &str, rules: Rules, seed: u64, nodes: u64) -> (bool, u64) {
    let mut game = Minefield::new(rules, Options::default(), seed);
    let mut strategy = by_name(name).unwrap();
    strategy.new_game(seed);
    let mut most = 0;
    while !game.status().is_over() {
        let mut budget = Budget::nodes(nodes);
        let advice = strategy.advise(game.view(), &mut budget).unwrap();
        most = most.max(budget.spent());
        let guess = advice.guess.map(|guess| guess.pos);
        for pos in safe(&advice).into_iter().chain(guess) {
            let status = game.open(pos);
            assert!(guess.is_some() || status != Status::Lost, "{name} called {pos} safe");
        }
    }
    (game.status() == Status::Won, most)
}

fn wins(name: &str, rules: Rules, games: u64) -> u64 {
    (0..games).filter(|&seed| play(name, rules, seed, PLENTY).0).count() as u64
}

#[test]
fn every_proof_holds_in_every_arrangement() {
    let mut dice = ChaCha8Rng::seed_from_u64(5);
    let mut proofs = 0;
    for round in 0..4000 {
        let board = small_board(&mut dice, round % 4 == 0);
        let all = Arrangements::of(&board);
        for name in strategies() {
            let advice = match advise(name, &board) {
                Ok(advice) => advice,
                Err(SolveError::NothingToChoose) => continue,
                Err(error) => panic!("{name}: {error} on\n{board}"),
            };
            for pos in safe(&advice) {
                assert_eq!(all.mined(pos), 0, "{name} calls {pos} safe on\n{board}");
                assert!(board[pos].is_unopened(), "{name} advises {pos} on\n{board}");
            }
            for pos in mined(&advice) {
                assert_eq!(all.mined(pos), all.fitting.len(), "{name} calls {pos} mined:\n{board}");
                assert!(board[pos].is_unopened(), "{name} advises {pos} on\n{board}");
            }
            proofs += advice.safe.len() + advice.mined.len();
        }
    }
    assert!(proofs > 20_000, "only {proofs} proofs were tried");
}

#[test]
fn an_impossible_board_is_an_error_and_a_possible_one_is_not() {
    let mut dice = ChaCha8Rng::seed_from_u64(6);
    let mut refused = 0;
    for _ in 0..4000 {
        let mut board = small_board(&mut dice, true);
        let pos = board.pos(dice.random_range(0..board.positions().count()));
        if board[pos].number().is_some() {
            board[pos] = Cell::open(dice.random_range(0..=8));
        }
        let impossible = Arrangements::of(&board).fitting.is_empty();
        for name in strategies() {
            match advise(name, &board) {
                Err(SolveError::Impossible { at }) => {
                    assert!(impossible, "{name} refuses\n{board}");
                    assert!(board[at].number().is_some(), "{name} names {at} on\n{board}");
                    refused += 1;
                }
                Err(SolveError::Conflict { numbers }) => {
                    assert!(impossible && numbers.len() > 1, "{name} refuses\n{board}");
                    assert!(numbers.iter().all(|&at| board[at].number().is_some()), "{board}");
                }
                Err(SolveError::WrongMineCount { mines }) => {
                    assert!(impossible, "{name} refuses\n{board}");
                    assert_eq!(board.mines.known(), Some(mines));
                }
                Ok(_) | Err(SolveError::NothingToChoose) => {}
            }
        }
    }
    assert!(refused > 1000, "only {refused} boards were refused");
}

#[test]
fn a_guess_is_there_exactly_when_nothing_is_safe_and_something_may_be() {
    let mut dice = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..4000 {
        let board = small_board(&mut dice, false);
        for name in strategies() {
            let Ok(advice) = advise(name, &board) else {
                continue;
            };
            let proven = mined(&advice);
            let free = |wanted: &[Cell]| {
                let may = |&pos: &Pos| wanted.contains(&board[pos]) && !proven.contains(&pos);
                board.positions().any(|pos| may(&pos))
            };
            let marked = [Cell::Covered, Cell::Questioned];
            let is_free = free(&marked) || free(&[Cell::Flagged]);
            assert_eq!(
                advice.guess.is_some(),
                advice.safe.is_empty() && is_free,
                "{name}\n{board}"
            );
            if let Some(guess) = advice.guess {
                assert!(!proven.contains(&guess.pos), "{name} guesses a proven mine on\n{board}");
                let cell = board[guess.pos];
                assert!(
                    marked.contains(&cell) || (cell == Cell::Flagged && !free(&marked)),
                    "{name} guesses {} on\n{board}",
                    guess.pos
                );
            }
        }
    }
}

#[test]
fn contradiction_proves_all_that_single_proves() {
    let mut more = 0;
    for seed in 0..500 {
        let game = mid_game("intermediate", seed);
        let single = advise("single", game.view()).unwrap();
        let contradiction = advise("contradiction", game.view()).unwrap();
        let (few, many) = (safe(&single), safe(&contradiction));
        assert!(few.iter().all(|pos| many.contains(pos)), "{}", game.view());
        let (few_mines, many_mines) = (mined(&single), mined(&contradiction));
        assert!(few_mines.iter().all(|pos| many_mines.contains(pos)), "{}", game.view());
        more += usize::from(many.len() > few.len());
        assert_eq!(advise_with("contradiction", game.view(), 1, 0).unwrap().safe, single.safe);
    }
    assert!(more > 100, "only {more} boards needed a contradiction");
}

#[test]
fn contradiction_finds_what_trying_every_supposition_finds() {
    // The plain version: a copy of the board for each supposition, with a flag that counts written as
    // a shown mine, and a cell that is supposed clear written as a wrong flag.
    fn plain(board: &Board) -> Board {
        let mut board = board.clone();
        loop {
            let known = advise("single", &board);
            let Ok(known) = known else { return board };
            safe(&known).into_iter().for_each(|pos| board[pos] = Cell::WrongFlag);
            mined(&known).into_iter().for_each(|pos| board[pos] = Cell::Mine);
            let secret =
                board.positions().filter(|&pos| board[pos].is_unopened()).find_map(|pos| {
                    if !board.neighbours(pos).any(|near| board[near].number().is_some()) {
                        return None;
                    }
                    let survives = |cell| {
                        let mut supposed = board.clone();
                        supposed[pos] = cell;
                        let outcome = advise("single", &supposed);
                        matches!(outcome, Ok(_) | Err(SolveError::NothingToChoose))
                    };
                    match (survives(Cell::Mine), survives(Cell::WrongFlag)) {
                        (true, false) => Some((pos, Cell::Mine)),
                        (false, true) => Some((pos, Cell::WrongFlag)),
                        _ => None,
                    }
                });
            let Some((pos, truth)) = secret else {
                return board;
            };
            board[pos] = truth;
        }
    }
    for seed in 0..150 {
        let game = mid_game("12x12x26", seed);
        let advice = advise("contradiction", game.view()).unwrap();
        let mut fast = game.view().clone();
        safe(&advice).into_iter().for_each(|pos| fast[pos] = Cell::WrongFlag);
        mined(&advice).into_iter().for_each(|pos| fast[pos] = Cell::Mine);
        assert_eq!(fast, plain(game.view()), "from\n{}", game.view());
    }
}

#[test]
fn no_proof_is_wrong_in_ten_thousand_games() {
    let mut proofs = 0;
    for seed in 0..10_000 {
        let game = mid_game(["expert", "intermediate"][seed as usize % 2], seed);
        let mines = game.mines().unwrap();
        let mut is_mine = vec![false; game.view().positions().count()];
        mines.iter().for_each(|&pos| is_mine[game.view().index(pos)] = true);
        for name in strategies() {
            let advice = advise(name, game.view()).unwrap();
            for pos in safe(&advice) {
                assert!(!is_mine[game.view().index(pos)], "{name}: {pos} on\n{}", game.view());
            }
            for pos in mined(&advice) {
                assert!(is_mine[game.view().index(pos)], "{name}: {pos} on\n{}", game.view());
            }
            proofs += advice.safe.len() + advice.mined.len();
        }
    }
    assert!(proofs > 100_000, "only {proofs} proofs were tried");
}

/// Whether all that `weaker` proves, `stronger` proves too; and how much more of it is safe.
fn proves_all(stronger: &str, weaker: &str, board: &Board) -> usize {
    let (few, many) = (advise(weaker, board).unwrap(), advise(stronger, board).unwrap());
    let (clear, mines) = (safe(&many), mined(&many));
    assert!(safe(&few).iter().all(|pos| clear.contains(pos)), "{stronger}, {weaker} on\n{board}");
    assert!(mined(&few).iter().all(|pos| mines.contains(pos)), "{stronger}, {weaker} on\n{board}");
    clear.len() - few.safe.len()
}

#[test]
fn each_step_of_cleverness_proves_all_that_the_one_before_proves_and_sometimes_more() {
    let steps =
        [("near", "single"), ("far", "near"), ("groups", "single"), ("implication", "near")];
    for (stronger, weaker) in steps {
        let more: usize =
            (0..300).map(|s| proves_all(stronger, weaker, mid_game("expert", s).view())).sum();
        assert!(more > 100, "{stronger} proves only {more} cells more than {weaker}");
    }
}

#[test]
fn a_helper_with_all_the_mines_clears_the_private_cells_of_the_original() {
    claims("near", "###\n#11\n###", "o##\no11\no##");
    claims("single", "###\n#11\n###", "###\n#11\n###");
    let advice = advise("near", &"###\n#11\n###".parse().unwrap()).unwrap();
    let reason = Reason::HelperSquare { original: Pos::new(1, 1), helper: Pos::new(2, 1) };
    assert!(advice.safe.iter().all(|proof| proof.reason == reason));
}

#[test]
fn a_helper_with_all_the_clear_cells_leaves_mines_to_the_original() {
    claims("near", "###\n#41\n###", "*##\n*41\n*##");
}

#[test]
fn a_helper_is_near_when_it_touches_the_original() {
    claims("near", "#1#1\n#1#1", "#1#1\n#1#1");
    claims("far", "#1#1\n#1#1", "o1#1\no1#1");
}

#[test]
fn a_helper_decides_nothing_when_its_mines_fit_on_its_own_cells() {
    claims("far", "####\n#31#\n####", "####\n#31#\n####");
    claims("far", "####\n#41#\n####", "*##o\n*41o\n*##o");
}

#[test]
fn groups_are_split_where_the_counts_say_how_many_mines_they_share() {
    claims("groups", "111\n###", "111\no*o");
    claims("groups", "121\n###", "121\n*o*");
    claims("groups", "#1#1\n#1#1", "o1#1\no1#1");
    claims("groups", "####\n#42#\n####", "####\n#42#\n####");
}

#[test]
fn groups_guess_the_least_chance_and_the_density_where_there_is_no_group() {
    let guess = |mines: u32| {
        let far = "#".repeat(36);
        let text = format!("minescraper 40x3 mines={mines}\n####{far}\n#42#{far}\n####{far}");
        advise("groups", &text.parse().unwrap()).unwrap().guess.unwrap()
    };
    let few = guess(10);
    assert_eq!((few.reason, few.risk), (Reason::LeastChance, Some(10.0 / 118.0)));
    assert!(few.pos.col > 3, "{}", few.pos);
    assert_eq!(guess(80).pos.col, 3);
    let without_count = advise("groups", &"####".parse().unwrap()).unwrap().guess.unwrap();
    assert_eq!((without_count.reason, without_count.risk), (Reason::Random, None));
}

#[test]
fn groups_count_the_arrangements_of_the_last_mines() {
    let mut counted = 0;
    let mut dice = ChaCha8Rng::seed_from_u64(9);
    for _ in 0..8000 {
        let mut board = small_board(&mut dice, false);
        let all = Arrangements::of(&board);
        board.mines = MineCount::Given(all.fitting.first().map_or(0, |mines| mines.count_ones()));
        let all = Arrangements::of(&board);
        let Ok(advice) = advise("groups", &board) else {
            continue;
        };
        for pos in board.positions().filter(|&pos| board[pos].is_unopened()) {
            assert_eq!(safe(&advice).contains(&pos), all.mined(pos) == 0, "{pos} on\n{board}");
            let is_mine = all.mined(pos) == all.fitting.len();
            assert_eq!(mined(&advice).contains(&pos), is_mine, "{pos} on\n{board}");
        }
        if let Some(guess) = advice.guess {
            let chance = all.mined(guess.pos) as f64 / all.fitting.len() as f64;
            assert_eq!(guess.risk, Some(chance), "{} on\n{board}", guess.pos);
            counted += 1;
        }
    }
    assert!(counted > 500, "only {counted} guesses were checked");
}

#[test]
fn implication_carries_mines_among_some_cells_into_a_number_two_cells_away() {
    // No number with unknown cells touches one with others: only half flags tell.
    claims("implication", "#1#1\n#1#1", "o1#1\no1#1");
    claims("implication", "111\n###", "111\no*o");
    claims("implication", "121\n###", "121\n*o*");
    let advice = advise("implication", &"111\n###".parse().unwrap()).unwrap();
    assert!(matches!(advice.safe[0].reason, Reason::EveryPlacement { .. }));
}

#[test]
fn implication_opens_a_cell_away_from_numbers_when_the_density_is_no_greater_than_its_chances() {
    let guess = |mines: u32| {
        let text = format!(
            "minescraper 6x6 mines={mines}\n######\n######\n##3###\n######\n######\n######"
        );
        advise("implication", &text.parse().unwrap()).unwrap().guess.unwrap()
    };
    assert_eq!(guess(5).reason, Reason::AwayFromNumbers);
    assert!(!guess(5).pos.touches(Pos::new(2, 2)));
    let (beside, three_eighths) = (guess(14), Some(3.0 / 8.0));
    assert!(beside.pos.touches(Pos::new(2, 2)) && beside.reason == Reason::LeastChance);
    assert_eq!(beside.risk, three_eighths);
}

#[test]
fn implication_advises_the_same_whatever_it_remembers() {
    for name in ["implication-average", "implication-minimum", "implication-maximum"] {
        let (mut rounds, mut remembered, mut fresh) = (0, 0, 0);
        let mut strategy = by_name(name).unwrap();
        for seed in 0..60 {
            let mut game =
                Minefield::new(rules("expert", FirstClick::Opens), Options::default(), seed);
            // Not told of the new game, it has to see by itself that nothing it remembers counts.
            if seed % 2 == 0 {
                strategy.new_game(1);
            }
            while !game.status().is_over() {
                let mut budget = Budget::nodes(PLENTY);
                let advice = strategy.advise(game.view(), &mut budget).unwrap();
                remembered += budget.spent();
                let mut budget = Budget::nodes(PLENTY);
                let mut other = by_name(name).unwrap();
                other.new_game(1);
                let again = other.advise(game.view(), &mut budget).unwrap();
                fresh += budget.spent();
                assert_eq!((safe(&advice), mined(&advice)), (safe(&again), mined(&again)));
                assert_eq!(advice.guess, again.guess, "{name} on\n{}", game.view());
                rounds += 1;
                let guess = advice.guess.map(|guess| guess.pos);
                safe(&advice).into_iter().chain(guess).for_each(|pos| _ = game.open(pos));
            }
        }
        assert!(rounds > 600 && remembered * 3 < fresh * 2, "{rounds}: {remembered}, {fresh}");
    }
}

#[test]
fn one_two_one_has_mines_at_both_ends() {
    claims("contradiction", "121\n###", "121\n*o*");
    claims("single", "121\n###", "121\n###");
}

#[test]
fn one_one_from_the_edge_clears_the_third_cell() {
    claims("contradiction", "11##\n####", "11o#\n##o#");
    claims("contradiction", "111\n###", "111\no*o");
    claims("single", "11##\n####", "11##\n####");
}

#[test]
fn a_wrong_flag_proves_nothing_and_is_advised_as_safe() {
    claims("single", "F1#\n01#\n01#", "o1#\n01#\n01#");
    claims("contradiction", "F1#\n01#\n01#", "o1o\n01*\n01o");
}

#[test]
fn an_unclear_cell_is_neither_advised_nor_evidence() {
    claims("single", "0~#", "0~#");
    claims("single", "#1~", "#1~");
    claims("single", "##\n~1\n##", "##\n~1\n##");
    claims("single", "~0#", "~0o");
    claims("single", "~2#", "~2*");
}

#[test]
fn a_count_that_is_only_assumed_proves_nothing() {
    claims("contradiction", "minescraper 4x1 mines=1\n1###", "1*oo");
    claims("contradiction", "minescraper 4x1 mines=1 from=size\n1###", "1*##");
}

#[test]
fn the_mine_count_can_refute_a_supposition() {
    let board: Board = "minescraper 5x1 mines=1\n#1#1#".parse().unwrap();
    let advice = advise("contradiction", &board).unwrap();
    assert_eq!(safe(&advice), [Pos::new(0, 0), Pos::new(4, 0)]);
    assert_eq!(advice.safe[0].reason, Reason::CountContradiction);
}

#[test]
fn corners_are_tried_in_five_rounds_then_a_fifty_fifty_then_any_cell() {
    let guess = |rounds: u32, board: &str| {
        let board: Board = board.parse().unwrap();
        let mut strategy = by_name("contradiction").unwrap();
        strategy.new_game(3);
        let mut advise = || strategy.advise(&board, &mut Budget::nodes(PLENTY)).unwrap().guess;
        for _ in 1..rounds {
            advise();
        }
        advise().unwrap()
    };
    let corner = |board| (guess(1, board).pos, guess(5, board).reason);
    assert_eq!(corner("####\n####\n####"), (Pos::new(0, 0), Reason::Corner));
    assert_eq!(corner("1###\n####\n####"), (Pos::new(0, 2), Reason::Corner));
    assert_eq!(corner("1###\n####\nF###"), (Pos::new(3, 2), Reason::Corner));
    assert_eq!(corner("1###\n####\n1##~"), (Pos::new(3, 0), Reason::Corner));
    let fifty = guess(6, "#1#####");
    let number = Pos::new(1, 0);
    assert_eq!((fifty.pos, fifty.reason), (Pos::new(0, 0), Reason::FiftyFifty { number }));
    assert_eq!(guess(6, "F1#####").pos, Pos::new(2, 0));
    assert_eq!(guess(6, "###\n#1#").reason, Reason::Random);
}

#[test]
fn a_board_without_a_cell_to_choose_is_an_error() {
    for name in strategies() {
        assert_eq!(advise(name, &"0~0".parse().unwrap()), Err(SolveError::NothingToChoose));
        let only_mines = advise(name, &"#1".parse().unwrap()).unwrap();
        assert_eq!((mined(&only_mines).len(), only_mines.guess), (1, None));
    }
}

#[test]
fn the_same_seed_gives_the_same_advice_and_another_one_another_guess() {
    for name in strategies() {
        let board = Board::new(30, 16);
        let advice = |seed| advise_with(name, &board, seed, PLENTY).unwrap();
        assert_eq!(advice(1), advice(1));
        for seed in 0..100 {
            let game = mid_game("intermediate", seed);
            assert_eq!(advise(name, game.view()), advise(name, game.view()));
        }
    }
    let first = |seed| advise_with("single", &Board::new(30, 16), seed, 0).unwrap().guess;
    assert!((1..10).any(|seed| first(seed) != first(0)));
}

#[test]
fn a_budget_is_kept_and_a_spent_one_still_gives_advice() {
    let level = rules("intermediate", FirstClick::Opens);
    for name in strategies() {
        for nodes in [0, 1, 20] {
            for seed in 0..20 {
                assert!(play(name, level, seed, nodes).1 <= nodes);
            }
        }
    }
}

#[test]
fn a_large_board_is_advised_on_in_a_few_nodes_for_each_cell() {
    for seed in 0..3 {
        let game = mid_game("100x100x2000", seed);
        for name in strategies() {
            let mut budget = Budget::nodes(u64::MAX);
            by_name(name).unwrap().advise(game.view(), &mut budget).unwrap();
            assert!(budget.spent() < 100_000, "{name}: {} nodes", budget.spent());
        }
    }
}

#[test]
fn contradiction_wins_a_fifth_of_expert_games_and_more_of_smaller_ones() {
    let won = wins("contradiction", rules("expert", FirstClick::Safe), 500);
    assert!(won > 100, "{won} of 500");
    let won = wins("contradiction", rules("intermediate", FirstClick::Safe), 200);
    assert!(won > 120, "{won} of 200");
}

#[test]
fn groups_win_two_in_five_expert_games_whose_first_click_opens_as_their_author_reports() {
    let level = rules("expert", FirstClick::Opens);
    let (groups, far) = (wins("groups", level, 500), wins("far", level, 500));
    assert!(groups > 200 && groups > far + 30, "{groups} and {far} of 500");
}

#[test]
fn single_wins_some_games_and_contradiction_more_of_the_same() {
    let level = rules("intermediate", FirstClick::Opens);
    let (few, many) = (wins("single", level, 200), wins("contradiction", level, 200));
    assert!(few > 20 && many > few + 20, "{few} and {many} of 200");
}
