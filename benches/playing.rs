//! What the player does in a game: reading what changed, proofs, odds, decisions, whole games. Each asserts its result.
//! Memory that is asked for is told beside the times; reading what changed asks for none.
//!
//!     cargo bench --no-default-features --features skins --bench playing

use std::sync::Arc;
use std::time::Instant;

use divan::{AllocProfiler, Bencher, black_box};
use minescraper::Skin;
use minescraper::board::{Board, Cell, FirstClick, MineCount, Pos, Rules};
use minescraper::capture::{Frame, Screen};
use minescraper::geometry::Rect;
use minescraper::input::{Button, Hands};
use minescraper::lab::minefield::{Minefield, Options as GameOptions};
use minescraper::lab::virtual_desktop::{Setup, VirtualDesktop};
use minescraper::play::{Options, Player};
use minescraper::recognize::{Reader, Reading, Tracker};
use minescraper::solver::odds::{OddsKind, Position, Workspace};
use minescraper::solver::{Budget, Prospects, by_name};

#[global_allocator]
static MEMORY: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// The nodes of a decision.
const BUDGET: u64 = 10_000;
/// Where the mines come from.
const SEED: u64 = 1;
const SKINS: [&str; 5] = ["gnome-mines", "kmines", "sgt-mines", "winemine", "xdemineur"];

fn expert() -> Rules {
    Rules::parse_level("expert", FirstClick::Opens).unwrap()
}

fn skin(name: &str) -> Skin {
    Skin::shipped().into_iter().find(|skin| skin.name == name).unwrap()
}

/// An Expert game after its first click and all that single numbers prove from there, but for the last batch.
fn in_a_game() -> (Minefield, Vec<Pos>) {
    let mut game = Minefield::new(expert(), GameOptions::default(), SEED);
    game.open(Pos::new(15, 8));
    let mut strategy = by_name("single").unwrap();
    let mut last = (game.clone(), Vec::new());
    loop {
        let advice = strategy.advise(game.view(), &mut Budget::nodes(0)).unwrap();
        let safe: Vec<Pos> = advice.safe.iter().map(|safe| safe.pos).collect();
        if safe.is_empty() {
            return last;
        }
        last = (game.clone(), safe.clone());
        for pos in safe {
            game.open(pos);
        }
    }
}

/// What is proven by single numbers, and by everything.
#[divan::bench(args = ["single", "contradiction", "exact"])]
fn proofs(bencher: Bencher, name: &str) {
    let (game, safe) = in_a_game();
    let mut strategy = by_name(name).unwrap();
    strategy.new_game(0);
    bencher.bench_local(|| {
        let advice = strategy.advise(black_box(game.view()), &mut Budget::nodes(BUDGET)).unwrap();
        assert!(advice.safe.len() >= safe.len());
    });
}

/// The exact odds of every cell.
#[divan::bench]
fn odds(bencher: Bencher) {
    let (game, safe) = in_a_game();
    let mut workspace = Workspace::default();
    bencher.bench_local(|| {
        let board = black_box(game.view());
        let position = Position::of(board, &mut workspace, &mut Budget::nodes(BUDGET)).unwrap();
        assert_eq!(position.kind(), OddsKind::Exact);
        assert_eq!(position.mine_chance(safe[0]), Some(0.0));
    });
}

/// A guess where nothing is proven.
#[divan::bench]
fn decision(bencher: Bencher) {
    let (mut game, _) = in_a_game();
    let mut strategy = by_name("best").unwrap();
    loop {
        strategy.new_game(0);
        let advice = strategy.advise(game.view(), &mut Budget::nodes(BUDGET)).unwrap();
        if advice.safe.is_empty() {
            break;
        }
        for safe in &advice.safe {
            game.open(safe.pos);
        }
    }
    bencher.bench_local(|| {
        strategy.new_game(0);
        let advice = strategy.advise(black_box(game.view()), &mut Budget::nodes(BUDGET)).unwrap();
        assert!(advice.guess.is_some());
    });
}

/// Two frames with one batch of clicks between them, the board as it is in the first, and where they differ.
type Batch = (Reader, Frame, Frame, Reading, Vec<Rect>);

/// The first batch of the first game in which something is proven after one click.
fn batch(name: &str) -> Batch {
    (SEED..).find_map(|seed| batch_of(name, seed)).unwrap()
}

fn batch_of(name: &str, seed: u64) -> Option<Batch> {
    let skin = skin(name);
    let reader = Reader::new(vec![skin.clone()]);
    let starts_open = skin.game.starts_open;
    let desktop = VirtualDesktop::new(skin, Setup::new(expert(), 16, seed));
    let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
    let lattice = desktop.lattice();
    let mut open = |pos| hands.click(Button::Left, lattice.centre(pos)).unwrap();
    if !starts_open {
        open(Pos::new(15, 8));
    }
    let area = screen.area().unwrap();
    let before = screen.look(area).unwrap();
    let mut found = reader.find(&before).unwrap().remove(0);
    found.board.mines = MineCount::Given(99);
    let safe = by_name("single").unwrap().advise(&found.board, &mut Budget::nodes(0)).unwrap().safe;
    if safe.is_empty() {
        return None;
    }
    safe.iter().for_each(|safe| open(safe.pos));
    let mut after = before.clone();
    let changed = screen.wait(&mut after, Instant::now()).unwrap();
    assert!(!changed.is_empty(), "{} clicks changed nothing", safe.len());
    Some((reader, before, after, found, changed))
}

/// Reading a board after one batch of clicks, when where it changed is known; and as it was before, in turns.
#[divan::bench(args = SKINS)]
fn read_after_a_batch(bencher: Bencher, name: &str) {
    let (reader, before, after, found, changed) = batch(name);
    let mut tracker = Tracker::new(&reader, &before, found);
    let whole = |frame| reader.read_again(frame, tracker.reading()).board;
    let turns = [(&after, whole(&after)), (&before, whole(&before))];
    let mut turn = turns.iter().cycle();
    let mut read_next = || {
        let (frame, board) = turn.next().unwrap();
        tracker.update(black_box(frame), black_box(&changed));
        assert_eq!(tracker.reading().board, *board);
    };
    // Room for a reading is made by the first ones.
    read_next();
    read_next();
    bencher.bench_local(read_next);
}

/// The same from the whole frame.
#[divan::bench(args = SKINS)]
fn read_again_in_full(bencher: Bencher, name: &str) {
    let (reader, _, after, found, _) = batch(name);
    bencher.bench_local(|| {
        let reading = reader.read_again(black_box(&after), &found);
        assert_eq!(reading.board.count(|cell| cell == Cell::Unclear), 0);
    });
}

/// What `advise` answers of a picture: the board is found among all skins and read, a strategy decides, and the odds of every cell,
/// the chance to win and what other guesses would bring are worked out.
#[divan::bench(args = SKINS, sample_count = 20)]
fn advice_on_a_picture(bencher: Bencher, name: &str) {
    let (_, _, after, _, _) = batch(name);
    let reader = Reader::new(Skin::shipped());
    bencher.bench_local(|| {
        let mut found = reader.find(black_box(&after)).unwrap();
        assert_eq!(found[0].board.count(|cell| cell == Cell::Unclear), 0);
        found[0].board.mines = MineCount::Given(99);
        advised(&found[0].board);
    });
}

/// What `advise --watch` answers when one batch of clicks shows.
#[divan::bench(args = SKINS)]
fn advice_after_a_batch(bencher: Bencher, name: &str) {
    let (reader, before, after, found, changed) = batch(name);
    let mut tracker = Tracker::new(&reader, &before, found);
    let mut turns = [&after, &before].into_iter().cycle();
    bencher.bench_local(|| {
        tracker.update(black_box(turns.next().unwrap()), black_box(&changed));
        let mut board = tracker.reading().board.clone();
        board.mines = MineCount::Given(99);
        advised(&board);
    });
}

/// Decides on a board, and works out what else is told of it.
fn advised(board: &Board) {
    let nodes = || Budget::nodes(Options::default().nodes);
    let advice = by_name("best").unwrap().advise(board, &mut nodes()).unwrap();
    assert!(!advice.safe.is_empty() || advice.guess.is_some());
    let position = Position::of(board, &mut Workspace::default(), &mut nodes()).unwrap();
    assert_eq!(position.odds(board).kind, OddsKind::Exact);
    assert!(Prospects::of(board, &mut nodes()).unwrap().win_chance.is_some());
}

/// Everything from the first look to the end of a game, on a desktop that paints at once. The painting counts too.
#[divan::bench(args = SKINS, sample_count = 20)]
fn whole_game(bencher: Bencher, name: &str) {
    let skin = skin(name);
    let reader = Reader::new(vec![skin.clone()]);
    let options = Options { mines: Some(99), nodes: BUDGET, ..Options::default() };
    bencher
        .with_inputs(|| VirtualDesktop::new(skin.clone(), Setup::new(expert(), 16, SEED)))
        .bench_local_refs(|desktop| {
            let session = Player {
                screen: &mut desktop.screen(),
                hands: &mut desktop.hands(),
                reader: &reader,
                strategy: by_name("best").unwrap().as_mut(),
                watcher: &mut (),
                stop: Arc::default(),
            }
            .play(&options);
            assert_eq!(session.summary.games, session.summary.wins + session.summary.losses);
            assert_eq!((session.summary.games, session.summary.clicks_lost), (1, 0));
        });
}
