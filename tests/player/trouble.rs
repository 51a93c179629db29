//! What goes wrong in the middle of a game, and what the player says then.

use std::sync::atomic::Ordering;
use std::time::Duration;

use minescraper::board::{Cell, Pos};
use minescraper::geometry::Px;
use minescraper::lab::virtual_desktop::Mishap;
use minescraper::play::{Outcome, PlayError, Style};
use minescraper::recognize::skin::Dialog;

use crate::scene::{Played, Scene, winnable};
use crate::skin;

#[test]
fn without_a_way_to_start_a_new_game_the_player_says_so() {
    let played = Scene::new("beginner").ways(|ways| ways.new_game = None).games(2).play();
    assert!(matches!(played.trouble(), PlayError::NoNewGame { .. }));
    assert_eq!(played.session.summary.games, 1);
}

#[test]
fn a_moved_window_is_followed() {
    winnable("intermediate")
        .unkind(|unkind| {
            unkind.mishaps =
                vec![(3, Mishap::Move(Px::new(20, 40))), (20, Mishap::Move(Px::new(71, 33)))];
        })
        .play()
        .won();
}

#[test]
fn a_closed_window_stops_the_player() {
    let played =
        winnable("intermediate").unkind(|unkind| unkind.mishaps = vec![(5, Mishap::Close)]).play();
    assert!(matches!(played.session.trouble, Some(PlayError::WindowGone)));
    assert_eq!(played.session.summary.outcomes, [Outcome::Abandoned]);
}

#[test]
fn an_unknown_window_in_front_stops_the_player() {
    // In the middle of a batch clicks are already on their way; the next batch must not be.
    let played = winnable("intermediate")
        .unkind(|unkind| unkind.mishaps = vec![(1, Mishap::Cover("Mail".to_owned()))])
        .play();
    let trouble = played.trouble();
    assert!(trouble.to_string().starts_with("the game is covered by 'Mail'"), "{trouble}");
    assert_eq!(played.log().clicks, 1);
}

#[test]
fn the_signal_to_stop_is_heard_within_one_click() {
    for nth in [1, 2, 10, 25] {
        for style in Style::ALL {
            let scene = winnable("expert").style(style);
            let stop = scene.stop.clone();
            let played =
                scene.unkind(|unkind| unkind.mishaps = vec![(nth, Mishap::Stop(stop))]).play();
            assert!(matches!(played.trouble(), PlayError::Interrupted));
            assert_eq!(played.log().clicks, nth);
            assert_eq!(played.session.summary.outcomes, [Outcome::Abandoned]);
        }
    }
}

#[test]
fn the_signal_to_stop_is_heard_before_anything_is_clicked() {
    let scene = Scene::new("beginner");
    scene.stop.store(true, Ordering::Relaxed);
    let played = scene.play();
    assert!(matches!(played.trouble(), PlayError::Interrupted));
    assert_eq!(played.log().clicks, 0);
}

#[test]
fn a_hand_on_the_mouse_stops_the_player() {
    let played = winnable("expert")
        .unkind(|unkind| unkind.mishaps = vec![(10, Mishap::Hand(Px::new(1, 2)))])
        .play();
    assert!(matches!(played.trouble(), PlayError::HandOnMouse { .. }));
    assert_eq!(played.log().clicks, 10);
}

#[test]
fn an_unclear_cell_is_played_around_or_waited_for() {
    let scene = winnable("intermediate");
    let smudge = Mishap::Smudge(Pos::new(15, 15), Duration::from_millis(500));
    scene.unkind(|unkind| unkind.mishaps = vec![(2, smudge)]).play().cleanly().won();
}

#[test]
fn a_cell_that_stays_unclear_is_named() {
    let at = Pos::new(7, 7);
    let played = winnable("intermediate")
        .unkind(|unkind| {
            unkind.mishaps = vec![(1, Mishap::Smudge(at, Duration::from_secs(10_000)))];
        })
        .play();
    let trouble = played.trouble().to_string();
    assert!(trouble.contains("cell (7, 7)"), "{trouble}");
}

#[test]
fn a_new_game_that_somebody_begins_in_the_middle_of_a_batch_is_played_as_what_it_is() {
    // What was on its way opens cells of the new game: a few, most of what was open before, or a mine. Some new games may look
    // much like the old one, but few.
    let seeds = 0..300;
    let stops = seeds.clone().filter(|&seed| {
        let late = Duration::from_millis(seed % 3 * 20);
        let played = Scene::new("expert")
            .seed(seed)
            .unkind(|unkind| {
                unkind.mishaps = vec![(2 + seed % 40, Mishap::NewGame)];
                unkind.paints_late = late;
            })
            .play();
        assert_eq!(played.log().stray, []);
        played.session.trouble.is_some()
    });
    let stops: Vec<u64> = stops.collect();
    assert!(100 * stops.len() as u64 <= seeds.end, "{stops:?}");
}

#[test]
fn a_board_that_moves_within_its_window_by_one_cell_is_followed() {
    let side = skin::SIDE as i32;
    for (right, down) in [(side, 0), (0, -side)] {
        for nth in [10, 20, 31] {
            let (room, scroll) = (Mishap::Widen(skin::SIDE), Mishap::Scroll(right, down));
            winnable("intermediate")
                .unkind(|unkind| unkind.mishaps = vec![(1, room), (nth, scroll)])
                .play()
                .cleanly()
                .won();
        }
    }
}

#[test]
fn an_opened_cell_that_changes_stops_the_player() {
    let played = winnable("intermediate")
        .unkind(|unkind| unkind.mishaps = vec![(3, Mishap::Mispaint(Cell::Covered))])
        .play();
    let trouble = played.trouble().to_string();
    assert!(trouble.contains("was read as '0' and then as '#'"), "{trouble}");
    assert_eq!(played.session.summary.misreads, 1);
}

#[test]
fn clicks_that_never_show_stop_the_player() {
    let played = Scene::new("beginner").unkind(|unkind| unkind.loses_every = Some(1)).play();
    let trouble = played.trouble().to_string();
    assert!(trouble.contains("nothing answered 3 clicks on cell"), "{trouble}");
    assert_eq!(played.log().clicks, 3, "one, and two more");
}

/// A skin that knows a dialog, over whose board `mishap` puts another.
fn with_a_dialog(mishap: Mishap) -> Played {
    winnable("intermediate")
        .ways(|ways| {
            ways.dialogs =
                vec![Dialog { title: "Pause".to_owned(), key: "Escape".parse().unwrap() }];
        })
        .unkind(|unkind| unkind.mishaps = vec![(3, mishap)])
        .play()
}

#[test]
fn a_dialog_that_does_not_close_stops_the_player() {
    let closes = "Return".parse().unwrap();
    let played = with_a_dialog(Mishap::Dialog("Pause".to_owned(), closes));
    let trouble = played.trouble();
    assert!(matches!(trouble, PlayError::DialogStays { .. }), "{trouble}");
    assert!((1..20).contains(&played.log().keys));
}

#[test]
fn where_no_windows_are_named_a_window_over_the_board_gets_no_key() {
    let played = |click: u64| {
        winnable("beginner")
            .ways(|ways| {
                ways.dialogs =
                    vec![Dialog { title: "Pause".to_owned(), key: "Escape".parse().unwrap() }];
            })
            .unkind(|unkind| {
                unkind.names_no_windows = true;
                unkind.mishaps = vec![(click, Mishap::Cover("Pause".to_owned()))];
            })
            .play()
    };
    let clicks = winnable("beginner").play().log().clicks;
    for click in [1, clicks - 1, clicks] {
        assert_eq!(played(click).log().keys, 0, "after click {click} of {clicks}");
    }
}

#[test]
fn a_window_of_another_program_that_is_named_like_a_dialog_gets_no_key() {
    let played = with_a_dialog(Mishap::Cover("Pause".to_owned()));
    let trouble = played.trouble();
    assert!(matches!(trouble, PlayError::NoKeyboard { by } if by == "Pause"), "{trouble}");
    assert_eq!(played.log().keys, 0);
}
