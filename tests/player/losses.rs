//! What the player says of a game that was lost: that a guess was wrong, or that something else is.

use minescraper::board::{Board, Cell, FirstClick, Pos, Rules, Status};
use minescraper::geometry::Px;
use minescraper::lab::record::LastDecision;
use minescraper::lab::replay::{Case, Recording, Saved};
use minescraper::lab::virtual_desktop::Mishap;
use minescraper::play::{Action, Outcome, PlayError, Step, Style, Watcher};
use minescraper::recognize::Reader;
use minescraper::solver::Advice;

use crate::scene::{Played, Scene};
use crate::skin;

/// Notes which cells were opened although nothing proved them.
#[derive(Default)]
struct Guesses {
    risked: Option<Pos>,
    guessed: Vec<Pos>,
}

impl Watcher for Guesses {
    fn game_begins(&mut self, _: u32) {
        *self = Self::default();
    }

    fn advised(&mut self, _: &Board, advice: &Advice, _: u64) {
        self.risked = advice.guess.filter(|_| advice.safe.is_empty()).map(|guess| guess.pos);
    }

    fn clicking(&mut self, steps: &[Step], _: bool) {
        let opened = steps.iter().filter(|step| step.action == Action::Open);
        self.guessed.extend(opened.map(|step| step.pos).filter(|&pos| self.risked == Some(pos)));
    }
}

/// The mine that went off in the game that is over.
fn burst(played: &Played) -> Option<Pos> {
    let view = played.desktop.game().view().clone();
    view.iter().find(|&(_, cell)| cell == Cell::Burst).map(|(pos, _)| pos)
}

#[test]
fn a_guess_that_hits_a_mine_is_a_plain_loss() {
    let mut lost = 0;
    for style in Style::ALL {
        for seed in 0..30 {
            let mut guesses = Guesses::default();
            let scene = Scene::new("intermediate").style(style).seed(seed);
            let played = scene.play_watched(&mut guesses).cleanly();
            if let Some(mine) = burst(&played) {
                lost += 1;
                assert!(guesses.guessed.contains(&mine), "{style} {seed}");
                assert_eq!(played.session.summary.outcomes, [Outcome::Lost]);
            }
            assert_eq!(played.session.summary.proven_mines, 0);
        }
    }
    assert!(lost > 10, "{lost} games were lost");
}

/// Plays until something that was proven is wrong, in every style; `spoil` makes it so. Every session must say what
/// really happened.
fn proven_mines(spoil: impl Fn(Scene) -> Scene) -> u32 {
    let mut wrong = 0;
    for style in Style::ALL {
        for seed in 0..40 {
            let mut guesses = Guesses::default();
            let scene = spoil(Scene::new("beginner").style(style).seed(seed));
            let played = scene.play_watched(&mut guesses);
            let (summary, trouble) = (&played.session.summary, &played.session.trouble);
            let Some(mine) = burst(&played) else {
                assert_eq!(summary.proven_mines, 0);
                continue;
            };
            assert_eq!(summary.outcomes, [Outcome::Lost], "{style} {seed}: {trouble:?}");
            if guesses.guessed.contains(&mine) {
                assert!(trouble.is_none(), "{style} {seed}: {trouble:?}");
                assert_eq!(summary.proven_mines, 0);
                continue;
            }
            let named = match trouble {
                Some(PlayError::ProvenMine { at }) => at,
                other => panic!("{style} {seed}: {other:?}"),
            };
            assert_eq!((&named[..], summary.proven_mines), (&[mine][..], 1));
            let said = trouble.as_ref().unwrap().to_string();
            assert!(said.starts_with(&format!("a mine went off at cell {mine}, ")), "{said}");
            wrong += 1;
        }
    }
    wrong
}

#[test]
fn a_proven_cell_that_goes_off_after_a_misreading_stops_the_player_and_is_named() {
    let wrong = proven_mines(|mut scene| {
        // The first click opens a number among many mines, which is painted as a small one.
        scene.setup.rules = Rules::parse_level("9x9x20", FirstClick::Safe).unwrap();
        scene.options.mines = Some(20);
        scene.unkind(|unkind| unkind.mishaps = vec![(1, Mishap::Mispaint(Cell::open(1)))])
    });
    assert!(wrong > 3, "{wrong}");
}

#[test]
fn a_proven_cell_that_goes_off_because_the_number_of_mines_is_wrong_is_named() {
    let wrong = proven_mines(|mut scene| {
        scene.options.mines = Some(9);
        scene
    });
    assert!(wrong > 3, "{wrong}");
}

#[test]
fn an_assumed_number_of_mines_proves_nothing() {
    let mut lost = 0;
    for seed in 0..60 {
        // A board of this size has ten mines, as a rule.
        let mut scene = Scene::new("9x9x14").seed(seed);
        scene.options.mines = None;
        let played = scene.play().cleanly();
        assert_eq!(played.session.summary.games, 1);
        lost += played.session.summary.losses;
    }
    assert!(lost > 5, "{lost} games were lost");
}

#[test]
fn a_mine_that_somebody_else_opens_stops_the_player_and_is_named() {
    let mut foreign = 0;
    for style in Style::ALL {
        for seed in 0..20 {
            // The mines are laid by the first click, always the same.
            let mut guesses = Guesses::default();
            let scene = Scene::new("intermediate").style(style).seed(seed);
            let mines = scene.play().desktop.game().mines().unwrap();
            let mine = mines[mines.len() / 2];
            let opened = vec![(3, Mishap::Open(mine))];
            let played = scene.unkind(|unkind| unkind.mishaps = opened).play_watched(&mut guesses);
            if burst(&played) != Some(mine) || guesses.guessed.contains(&mine) {
                continue;
            }
            foreign += 1;
            let trouble = played.session.trouble.as_ref().expect("the player stops");
            let is_named = matches!(trouble, PlayError::ForeignMine { at } if *at == Some(mine));
            assert!(is_named, "{style} {seed}: {trouble}");
            assert_eq!(played.session.summary.outcomes, [Outcome::Lost]);
            assert_eq!(played.session.summary.proven_mines, 0);
        }
    }
    assert!(foreign > 40, "{foreign}");
}

/// A click is on its way when the window moves, and opens another cell: a mine. That is bad luck, and the next game is played.
#[test]
fn a_mine_that_is_opened_while_the_window_moves_costs_a_game_and_no_more() {
    for seed in 0..20 {
        let scene = Scene::new("intermediate").seed(seed);
        // The mines are laid by the first click, always the same.
        let mines = scene.play().desktop.game().mines().unwrap();
        let mishaps = [Mishap::Move(Px::new(71, 33)), Mishap::Open(mines[mines.len() / 2])];
        let mishaps = mishaps.map(|mishap| (3, mishap)).to_vec();
        let played = scene.games(2).unkind(|unkind| unkind.mishaps = mishaps).play().cleanly();
        let summary = &played.session.summary;
        assert_eq!((summary.games, summary.outcomes[0]), (2, Outcome::Lost), "{seed}");
        assert_eq!(summary.proven_mines, 0);
    }
}

#[test]
fn the_decision_that_lost_at_a_proven_cell_is_kept_with_the_pictures_before_and_after() {
    let kept = (0..40).find_map(|seed| {
        let mut last = LastDecision::default();
        let mut scene = Scene::new("beginner").seed(seed);
        scene.options.mines = Some(9);
        let played = scene.play_watched(&mut last);
        let at = match &played.session.trouble {
            Some(PlayError::ProvenMine { at }) => at[0],
            _ => return None,
        };
        let folder = tempfile::tempdir().unwrap();
        last.keep(folder.path(), "contradiction", &scene.options).unwrap();
        Some((folder, at, scene))
    });
    let (folder, at, scene) = kept.expect("one of forty games is lost so");
    let pictures = Saved::at(folder.path()).unwrap().pictures;
    let cases: Vec<Case> = pictures.iter().map(|picture| Case::open(picture).unwrap()).collect();
    let [before, after] = &cases[..] else { panic!("{pictures:?}") };
    assert_eq!((before.board[at], after.board[at]), (Cell::Covered, Cell::Burst));
    assert_eq!(after.status, Some(Status::Lost));
    let reader = Reader::new(vec![skin::skin(scene.ways.clone())]);
    for case in &cases {
        let read = case.read(&reader).unwrap();
        assert_eq!(case.differences(read.as_ref()), []);
    }
    let recording = Recording::open(folder.path()).unwrap();
    assert_eq!((recording.decisions, recording.differences), (1, vec![]));
    assert_eq!(recording.flaws, []);
    let told = std::fs::read_to_string(folder.path().join("decisions.jsonl")).unwrap();
    let proof = format!("{{\"col\":{},", at.col);
    assert!(told.contains("\"safe\":[{") && told.contains(&proof), "{told}");
}
