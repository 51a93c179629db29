//! Keys go to the game, or nowhere.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::TIMES;
use crate::desk::Desk;

/// How other windows stand: beside the games, which begin at the left.
const BESIDE: [&str; 2] = ["--geometry", "300x200+900+500"];

#[test]
fn a_key_for_a_new_game_goes_to_the_game_when_another_window_had_the_keyboard() {
    for (game, times) in [("winemine", TIMES), ("sgt-mines", 3)] {
        let desk = Desk::with(game, "beginner");
        desk.play("play").with(0);
        let notes = desk.notes();
        for _ in 0..times {
            let before = notes.keys();
            let other = desk.bystander(&[&BESIDE[..], &["--title", "Letter"]].concat());
            desk.run(&format!("xdotool windowactivate --sync {}", other.window));
            desk.play("play").with(0);
            assert_eq!(other.got(), [""; 0], "{game}");
            assert_eq!(notes.keys() - before, 1, "{game}: one key for one new game");
        }
    }
}

#[test]
fn no_key_is_struck_while_another_window_keeps_the_keyboard() {
    let desk = Desk::with("winemine", "beginner");
    desk.play("play").with(0);
    let other = desk.bystander(&[&BESIDE[..], &["--title", "Letter", "--focus"]].concat());
    let notes = desk.notes();
    for _ in 0..TIMES {
        let ended = desk.play("play").with(1);
        assert!(ended.err.contains("'Letter' has the keyboard, so no key was struck"), "{ended:?}");
        assert_eq!(other.got(), [""; 0]);
    }
    assert_eq!(notes.presses(), []);
}

#[test]
fn no_key_is_struck_while_the_window_manager_has_not_heard_who_has_the_keyboard() {
    let desk = Desk::with("winemine", "beginner");
    desk.play("play").with(0);
    let other = desk.bystander(&[&BESIDE[..], &["--title", "Letter", "--focus"]].concat());
    let active = "xprop -root -f _NET_ACTIVE_WINDOW 32x -set _NET_ACTIVE_WINDOW";
    for _ in 0..TIMES {
        desk.run(&format!("{active} {}", desk.game()));
        desk.play("play").with(1);
        assert_eq!(other.got(), [""; 0]);
    }
}

#[test]
fn the_dialog_that_the_last_game_left_is_closed_before_the_next_one() {
    let desk = Desk::with("kmines", "beginner");
    // Who does not know the dialog, and learns nothing while everything is recorded, leaves it.
    let ignorant = desk.skin_without_dialogs("kmines");
    for time in 0..TIMES {
        let record = desk.data().join(format!("record-{time}"));
        let options = format!("--until-win --games 60 --pace 80 --record {}", record.display());
        let ended = desk.play(&format!("play {options}"));
        assert!(
            ended.status.success() || ended.err.contains("covered by 'High Scores"),
            "{ended:?}"
        );
        thread::sleep(Duration::from_millis(1500));
        // A win that is no record leaves none.
        if desk.windows().len() > 1 {
            break;
        }
    }
    assert!(desk.windows().len() > 1, "no dialog was left");
    fs::remove_dir_all(ignorant).unwrap();
    let notes = desk.notes();
    let ended = desk.play("play --json").with(0);
    assert_eq!(ended.summary()["games"], 1, "{ended:?}");
    assert!(notes.keys() >= 3, "Escape closes the dialog, and Ctrl+N begins the game");
}

#[test]
fn a_dialog_that_an_own_skin_lacks_is_closed_and_the_game_counts() {
    // The first win is a record, and brings up a dialog, which some wins are seen before.
    let is_met = |_| {
        let desk = Desk::with("kmines", "beginner");
        desk.skin_without_dialogs("kmines");
        let ended = desk.play("play --until-win --games 60 --json").with(0);
        assert_eq!(ended.summary()["wins"], 1, "{ended:?}");
        let is_met = ended.err.contains("'High Scores — KMines' came up: pressing Escape");
        assert!(!is_met || desk.windows().len() == 1, "the dialog is still there: {ended:?}");
        is_met
    };
    assert!((0..TIMES).any(is_met), "no dialog came up before the win was seen");
}

#[test]
fn no_key_that_does_harm_is_struck_in_a_browser_a_terminal_or_an_editor() {
    // A game that is lost: one that is won may ask for a name. A message over it stays for a while.
    let desk = Desk::with("kmines", "30x16x150");
    let lost = desk.play("play --json").with(0);
    assert_eq!(lost.summary()["losses"], 1, "{lost:?}");
    let game = desk.game();
    let notes = desk.notes();
    let browsers = ["Firefox-esr", "Chromium", "Google-chrome", "Navigator", "Microsoft-edge"];
    let takers_of_text = ["XTerm", "URxvt", "Gnome-terminal", "Emacs", "Gedit"];
    for class in browsers.into_iter().chain(takers_of_text) {
        desk.run(&format!("xdotool set_window --classname Main --class {class} {game}"));
        let ended = desk.play(&format!("play --window {game}")).with(1);
        let said = format!("Ctrl+N is not struck in a window of {class}");
        assert!(ended.err.contains(&said), "{ended:?}");
    }
    assert_eq!(notes.presses(), [], "nothing was pressed at all");
}

#[test]
fn a_lesson_in_a_browser_strikes_no_key_that_does_harm() {
    // KMines begins anew with Ctrl+N only, which in a browser is never tried.
    let desk = Desk::with("kmines", "beginner");
    let game = desk.game();
    desk.run(&format!("xdotool set_window --classname Navigator --class Firefox-esr {game}"));
    let notes = desk.notes();
    // A first game that is lost early teaches too little, and there is no second one: that is exit code 1.
    let ended = desk.play(&format!("calibrate --json --name lesson --games 2 --window {game}"));
    assert!([Some(0), Some(1)].contains(&ended.status.code()), "{ended:?}");
    let lesson = ended.summary();
    assert_eq!((&lesson["skin"], &lesson["new_game"]), (&"lesson".into(), &Value::Null));
    assert!(lesson["games"].as_u64() > Some(0) && lesson["templates"]["#"].is_number(), "{lesson}");
    let sheet = lesson["sheet"].as_str().unwrap();
    assert!(Path::new(sheet).starts_with(desk.data()), "{sheet}");
    image::open(sheet).unwrap_or_else(|error| panic!("{sheet}: {error}"));
    // F2, and the letters n, r and s, by their codes on the keyboard of the display.
    let keys: Vec<u32> = notes.presses().iter().filter(|p| p.is_key).map(|p| p.code).collect();
    assert!(!keys.is_empty() && keys.iter().all(|key| [68, 57, 27, 39].contains(key)), "{keys:?}");
}
