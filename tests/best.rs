//! The strategy `best`: its ends of games against all play there is, its budget, its proofs.

use std::collections::HashMap;

use minescraper::board::{Board, Cell, FirstClick, MineCount, Pos, Rules, Status};
use minescraper::lab::minefield::{Minefield, Options};
use minescraper::solver::{Budget, Prospect, Prospects, by_name};

const PLENTY: u64 = 50_000_000;

/// All play there is on a small board. Sets of cells are bits, row by row.
struct Truth {
    /// Neighbours of each cell.
    around: Vec<u32>,
    known: HashMap<(Vec<u32>, u32), usize>,
}

impl Truth {
    /// How many of these arrangements are won by the best play, when the cells `open` are open.
    fn wins(&mut self, arrangements: &[u32], open: u32) -> usize {
        let all = (1 << self.around.len()) - 1;
        let (won, left): (Vec<u32>, Vec<u32>) =
            arrangements.iter().partition(|&&mines| mines | open == all);
        if left.is_empty() {
            return won.len();
        }
        let state = (left, open);
        if let Some(&wins) = self.known.get(&state) {
            return won.len() + wins;
        }
        let mut best = 0;
        for cell in (0..self.around.len()).filter(|cell| open >> cell & 1 == 0) {
            let mut shown: [Vec<u32>; 9] = Default::default();
            for &mines in state.0.iter().filter(|&mines| mines >> cell & 1 == 0) {
                shown[(mines & self.around[cell]).count_ones() as usize].push(mines);
            }
            let parts = shown.iter().filter(|part| !part.is_empty());
            best = best.max(parts.map(|part| self.wins(part, open | 1 << cell)).sum());
        }
        self.known.insert(state, best);
        won.len() + best
    }
}

/// A small board and every arrangement of mines that fits it.
struct Game {
    cells: Vec<Pos>,
    around: Vec<u32>,
    open: u32,
    arrangements: Vec<u32>,
}

impl Game {
    fn of(board: &Board) -> Self {
        let cells: Vec<Pos> = board.positions().collect();
        let bit = |pos: Pos| 1_u32 << cells.iter().position(|&cell| cell == pos).unwrap();
        let around: Vec<u32> =
            cells.iter().map(|&pos| board.neighbours(pos).map(bit).sum()).collect();
        let mines = board.mines.likely().unwrap();
        let open: u32 =
            cells.iter().filter(|&&pos| board[pos].number().is_some()).map(|&pos| bit(pos)).sum();
        let fits = |mines: u32| {
            cells.iter().zip(&around).all(|(&pos, around)| {
                let number = board[pos].number();
                number.is_none_or(|number| (mines & around).count_ones() == u32::from(number))
            })
        };
        let arrangements: Vec<u32> = (0..1_u32 << cells.len())
            .filter(|set| set.count_ones() == mines && set & open == 0 && fits(*set))
            .collect();
        Self { cells, around, open, arrangements }
    }

    /// The chance to win by the best play, by trying everything.
    fn win_chance(&self) -> f64 {
        let mut truth = Truth { around: self.around.clone(), known: HashMap::new() };
        truth.wins(&self.arrangements, self.open) as f64 / self.arrangements.len() as f64
    }

    /// Its number among the cells.
    fn at(&self, pos: Pos) -> usize {
        self.cells.iter().position(|&cell| cell == pos).unwrap()
    }

    /// What a cell shows in an arrangement, if it is no mine there.
    fn shows(&self, cell: usize, mines: u32) -> Option<u32> {
        (mines >> cell & 1 == 0).then(|| (mines & self.around[cell]).count_ones())
    }

    /// The arrangements that are left when a cell was opened, by what it shows.
    fn parts(&self, cell: usize) -> Vec<Vec<u32>> {
        let part = |number| {
            let fits = |mines: &&u32| self.shows(cell, **mines) == Some(number);
            self.arrangements.iter().filter(fits).copied().collect::<Vec<u32>>()
        };
        (0..9).map(part).filter(|part| !part.is_empty()).collect()
    }

    /// The chance to win when this cell is opened first, by the best play after it.
    fn win_chance_by(&self, cell: usize) -> f64 {
        let mut truth = Truth { around: self.around.clone(), known: HashMap::new() };
        let open = self.open | 1 << cell;
        let wins: usize = self.parts(cell).iter().map(|part| truth.wins(part, open)).sum();
        wins as f64 / self.arrangements.len() as f64
    }

    /// Whether one of two cells is a mine in every arrangement, and moving it from the one to the other changes nothing that
    /// may still be seen.
    fn is_fifty_fifty(&self, one: usize, other: usize) -> bool {
        let pair = 1 << one | 1 << other;
        self.arrangements.iter().all(|&mines| {
            let swapped = mines ^ pair;
            let shows_the_same = |cell: usize| self.shows(cell, mines) == self.shows(cell, swapped);
            let others = (0..self.cells.len()).filter(|&cell| cell != one && cell != other);
            (mines & pair).count_ones() == 1
                && self.arrangements.contains(&swapped)
                && others.into_iter().all(shows_the_same)
        })
    }
}

/// Small games, each at its first decision that is a guess after its first click.
fn guesses(cols: u16, rows: u16, mines: u32) -> impl Iterator<Item = Board> {
    (0..).filter_map(move |seed| {
        let rules = Rules { cols, rows, mines, first_click: FirstClick::Safe };
        let mut field = Minefield::new(rules, Options::default(), seed);
        field.open(Pos::new((seed % u64::from(cols)) as u16, 0));
        let mut strategy = by_name("exact").unwrap();
        while field.status() == Status::Playing {
            let advice = strategy.advise(field.view(), &mut Budget::nodes(PLENTY)).unwrap();
            if advice.guess.is_some() {
                return Some(field.view().clone());
            }
            for safe in advice.safe {
                field.open(safe.pos);
            }
        }
        None
    })
}

#[test]
fn the_end_of_a_game_is_won_as_often_as_by_the_best_of_all_play() {
    let mut best = by_name("best").unwrap();
    let sizes = [(4, 3, 4, 40), (5, 2, 3, 20), (4, 4, 3, 15), (7, 2, 4, 20)];
    for (cols, rows, mines, count) in sizes {
        for board in guesses(cols, rows, mines).take(count) {
            let advice = best.advise(&board, &mut Budget::nodes(PLENTY)).unwrap();
            let (said, truth) = (advice.win_chance.unwrap(), Game::of(&board).win_chance());
            assert!((said - truth).abs() < 1e-9, "{said} is not {truth} on\n{board}");
        }
    }
}

#[test]
fn what_each_guess_brings_is_what_comes_of_every_arrangement() {
    let (mut pairs, mut dead) = (0, 0);
    let sizes = [(4, 3, 4, 30), (5, 2, 3, 20), (7, 2, 4, 15)];
    for (cols, rows, mines, count) in sizes {
        for board in guesses(cols, rows, mines).take(count) {
            let game = Game::of(&board);
            let prospects = Prospects::of(&board, &mut Budget::nodes(PLENTY)).unwrap();
            let all = game.arrangements.len() as f64;
            let is_near = |said: f64, truth: f64| (said - truth).abs() < 1e-9;
            assert!(is_near(prospects.win_chance.unwrap(), game.win_chance()), "{board}");
            assert!(prospects.guesses.is_sorted_by(|a, b| a.win_chance >= b.win_chance));
            for Prospect { pos, risk, win_chance, opens_region, goes_on } in &prospects.guesses {
                let cell = game.at(*pos);
                let share = |count: usize| count as f64 / all;
                let parts = game.parts(cell);
                assert!(is_near(1.0 - risk, share(parts.iter().map(Vec::len).sum())), "{board}");
                assert!(is_near(*win_chance, game.win_chance_by(cell)), "{pos} on\n{board}");
                let blank = parts.iter().filter(|part| game.shows(cell, part[0]) == Some(0));
                assert!(is_near(*opens_region, share(blank.map(Vec::len).sum())), "{board}");
                let open = game.open | 1 << cell;
                let has_safe = |part: &&Vec<u32>| {
                    let ever = part.iter().fold(open, |ever, mines| ever | mines);
                    ever.count_ones() < game.cells.len() as u32
                };
                let goes = parts.iter().filter(has_safe).map(Vec::len).sum();
                assert!(is_near(*goes_on, share(goes)), "{pos} on\n{board}");
            }
            let covered: Vec<usize> =
                (0..game.cells.len()).filter(|cell| game.open >> cell & 1 == 0).collect();
            let fifty: Vec<[Pos; 2]> = covered
                .iter()
                .flat_map(|&one| covered.iter().map(move |&other| (one, other)))
                .filter(|&(one, other)| one < other && game.is_fifty_fifty(one, other))
                .map(|(one, other)| [game.cells[one], game.cells[other]])
                .collect();
            assert_eq!(prospects.fifty_fifties, fifty, "{board}");
            let is_mine_sometimes =
                |cell: usize| game.arrangements.iter().any(|mines| mines >> cell & 1 == 1);
            let tells_nothing =
                |&cell: &usize| game.parts(cell).len() == 1 && is_mine_sometimes(cell);
            let alone: Vec<Pos> = covered
                .iter()
                .copied()
                .filter(tells_nothing)
                .map(|cell| game.cells[cell])
                .collect();
            let alone: Vec<Pos> =
                alone.into_iter().filter(|pos| !fifty.as_flattened().contains(pos)).collect();
            assert_eq!(prospects.dead, alone, "{board}");
            pairs += fifty.len();
            dead += alone.len();
        }
    }
    assert!(pairs > 0 && dead > 0, "{pairs} 50/50s and {dead} dead cells were met");
}

#[test]
fn no_decision_spends_more_than_its_budget_and_each_is_the_same_again() {
    let mut spent_all = 0;
    for (seed, nodes) in (0..60).zip([0, 1, 100, 3_000, 20_000].into_iter().cycle()) {
        let rules = Rules::parse_level("expert", FirstClick::Opens).unwrap();
        let mut field = Minefield::new(rules, Options::default(), seed);
        let (mut once, mut again) = (by_name("best").unwrap(), by_name("best").unwrap());
        while !field.status().is_over() {
            let mut budget = Budget::nodes(nodes);
            let advice = once.advise(field.view(), &mut budget).unwrap();
            assert!(budget.spent() <= nodes, "{} of {nodes} nodes", budget.spent());
            spent_all += u32::from(budget.left() == 0);
            assert_eq!(advice, again.advise(field.view(), &mut Budget::nodes(nodes)).unwrap());
            for safe in &advice.safe {
                assert_ne!(field.open(safe.pos), Status::Lost, "{} was no proof", safe.pos);
            }
            if let Some(guess) = advice.guess {
                field.open(guess.pos);
            }
        }
    }
    assert!(spent_all > 20, "{spent_all} decisions met their limit");
}

#[test]
fn strange_boards_get_advice() {
    let mut best = by_name("best").unwrap();
    let mut unknown: Board = "######\n######\n##22##\n######".parse().unwrap();
    unknown.mines = MineCount::Unknown;
    let advice = best.advise(&unknown, &mut Budget::nodes(200_000)).unwrap();
    assert!(advice.guess.is_some());
    let mut flags: Board = "minescraper 4x2 mines=1\n1###\n####".parse().unwrap();
    for pos in flags.positions().skip(1).collect::<Vec<_>>() {
        flags[pos] = Cell::Flagged;
    }
    let advice = best.advise(&flags, &mut Budget::nodes(200_000)).unwrap();
    assert!(advice.guess.is_some() || !advice.safe.is_empty());
}

#[test]
fn the_first_click_is_the_corner_or_where_an_opening_is_worth_the_most() {
    let first = |header: &str| {
        let board: Board = format!("{header}\n{}", "#########\n".repeat(9)).parse().unwrap();
        let mut best = by_name("best").unwrap();
        best.advise(&board, &mut Budget::nodes(200_000)).unwrap().guess.unwrap()
    };
    let safe = first("minescraper 9x9 mines=10 first-click=safe");
    assert_eq!((safe.pos, safe.risk), (Pos::new(0, 0), Some(0.0)));
    let opens = first("minescraper 9x9 mines=10 first-click=open");
    assert_eq!((opens.pos, opens.risk), (Pos::new(2, 2), Some(0.0)));
    let any = first("minescraper 9x9 mines=10 first-click=any");
    assert!(any.risk.unwrap() > 0.1);
}

#[test]
fn an_impatient_player_gets_the_least_risk() {
    let board: Board = "minescraper 6x2 mines=3\n1#####\n######".parse().unwrap();
    let guess = |name: &str, nodes: u64| {
        let mut strategy = by_name(name).unwrap();
        strategy.advise(&board, &mut Budget::nodes(nodes)).unwrap().guess.unwrap()
    };
    assert_eq!(guess("best", 20).risk, guess("exact", 1_000).risk);
}
