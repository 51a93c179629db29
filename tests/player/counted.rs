//! Which games count: those that the player has played, and no others.

use std::sync::Arc;
use std::time::Duration;

use minescraper::board::{Pos, Status};
use minescraper::capture::Screen;
use minescraper::input::{Button, Hands};
use minescraper::lab::virtual_desktop::{Mishap, VirtualDesktop};
use minescraper::play::{Options, Outcome, Player};
use minescraper::recognize::Reader;
use minescraper::solver::by_name;

use crate::scene::{Played, Scene};
use crate::skin;

/// The desktop of a scene, on which somebody has clicked before the player comes.
fn clicked(scene: &Scene, clicks: impl IntoIterator<Item = (Button, Pos)>) -> VirtualDesktop {
    let desktop = VirtualDesktop::new(skin::skin(scene.ways.clone()), scene.setup);
    desktop.set_unkindness(scene.unkindness.clone());
    let (lattice, mut hands) = (desktop.lattice(), desktop.hands());
    for (button, pos) in clicks {
        hands.click(button, lattice.centre(pos)).unwrap();
    }
    desktop
}

/// The clicks that win the first game of a scene, and its mines.
fn winning(scene: &Scene) -> (Vec<(Button, Pos)>, Vec<Pos>) {
    let first = Pos::new(4, 4);
    let game = clicked(scene, [(Button::Left, first)]).game();
    let mines = game.mines().unwrap();
    let safe = game.view().positions().filter(|&pos| pos != first && !mines.contains(&pos));
    let opened = std::iter::once(first).chain(safe);
    (opened.map(|pos| (Button::Left, pos)).collect(), mines)
}

fn play(desktop: VirtualDesktop, options: &Options) -> Played {
    let reader = Reader::new(vec![skin::skin(Scene::new("beginner").ways)]);
    let session = Player {
        screen: &mut desktop.screen(),
        hands: &mut desktop.hands(),
        reader: &reader,
        strategy: by_name("contradiction").unwrap().as_mut(),
        watcher: &mut (),
        stop: Arc::default(),
    }
    .play(options);
    Played { session, desktop }
}

/// All that counts are two games, both begun here.
#[track_caller]
fn two_games_begun(played: &Played) {
    let summary = &played.session.summary;
    assert!(played.session.trouble.is_none(), "{:?}", played.session.trouble);
    assert_eq!((summary.games, summary.outcomes.len(), summary.seconds.len()), (2, 2, 2));
    assert_eq!(played.log().new_games, 2);
    assert_eq!(summary.wins + summary.losses, 2);
    assert!(summary.clicks >= 2);
}

#[test]
fn a_board_that_is_won_or_lost_when_play_starts_is_no_game_of_its() {
    for seed in 0..5 {
        let scene = Scene::new("beginner").seed(seed).games(2);
        let (wins, mines) = winning(&scene);
        let won = clicked(&scene, wins.clone());
        assert_eq!(won.game().status(), Status::Won);
        two_games_begun(&play(won, &scene.options));
        let lost = clicked(&scene, [wins[0], (Button::Left, mines[0])]);
        assert_eq!(lost.game().status(), Status::Lost);
        two_games_begun(&play(lost, &scene.options));
    }
}

#[test]
fn a_game_that_ends_without_a_click_of_the_player_is_no_game_of_its() {
    let scene = Scene::new("beginner").games(2);
    let (wins, _) = winning(&scene);
    // For a moment it cannot be read that the game is won.
    let (last, at) = (wins.len() as u64, wins[0].1);
    let smudge = Mishap::Smudge(at, Duration::from_millis(700));
    let scene = scene.unkind(|unkind| unkind.mishaps = vec![(last, smudge)]);
    let won = clicked(&scene, wins);
    assert_eq!(won.game().status(), Status::Won);
    let mut screen = won.screen();
    let area = screen.area().unwrap();
    let reader = Reader::new(vec![skin::skin(scene.ways.clone())]);
    let found = reader.find(&screen.look(area).unwrap()).unwrap();
    assert!(!found[0].status.is_over(), "{}", found[0].status);
    two_games_begun(&play(won, &scene.options));
}

#[test]
fn a_running_game_that_is_taken_over_counts() {
    for seed in 0..5 {
        let scene = Scene::new("beginner").seed(seed);
        let (wins, mines) = winning(&scene);
        // Somebody has opened a region, and flagged a mine and a cell that is none.
        let wrong = wins.last().unwrap().1;
        let begun = [wins[0], (Button::Right, mines[0]), (Button::Right, wrong)];
        let played = play(clicked(&scene, begun), &scene.options).cleanly();
        let summary = &played.session.summary;
        assert_eq!((summary.games, played.log().new_games), (1, 0));
        assert!(summary.clicks > 0 && summary.wins + summary.losses == 1);
    }
}

#[test]
fn a_game_of_somebody_else_that_looks_under_way_is_left_for_a_new_one_on_request() {
    let mut scene = Scene::new("beginner").games(2);
    scene.options.anew = true;
    let (wins, _) = winning(&scene);
    two_games_begun(&play(clicked(&scene, [wins[0]]), &scene.options));
}

#[test]
fn a_session_that_is_stopped_before_its_first_click_has_played_no_game() {
    let scene = Scene::new("beginner");
    scene.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let summary = scene.play().session.summary;
    assert_eq!((summary.games, summary.outcomes), (0, vec![] as Vec<Outcome>));
}
