//! What stops a player, and how fast it may be.

use std::thread;
use std::time::{Duration, Instant};

use crate::TIMES;
use crate::desk::{Desk, SOON, within};

#[test]
fn the_stop_key_is_heard_whatever_has_the_keyboard() {
    let desk = Desk::with("winemine", "expert");
    let other = desk.bystander(&["--geometry", "300x200+900+500", "--title", "Letter"]);
    for nth in 0..TIMES {
        let key = ["F12", "F9"][nth % 2];
        let player = desk.start(&format!("play --games 500 --seed {nth} --stop-key {key}"));
        player.tells(&format!("{key}, Ctrl-C or a hand"));
        thread::sleep(Duration::from_millis(400 + 37 * nth as u64));
        let notes = desk.notes();
        desk.run(&format!("xdotool windowfocus --sync {}", other.window));
        let start = Instant::now();
        desk.run(&format!("xdotool key {key}"));
        player.end().with(130);
        assert!(start.elapsed() < Duration::from_millis(300), "{:?}", start.elapsed());
        let presses = notes.presses();
        let pressed = presses.iter().find(|press| press.is_key).expect("the key").at;
        let last = presses.last().unwrap().at;
        assert!(last - pressed <= 50, "a press {} ms after the key", last - pressed);
    }
    // It is given back: now others get it.
    desk.run(&format!("xdotool windowfocus --sync {} key F12", other.window));
    assert_eq!(other.got().iter().filter(|line| line.starts_with("key")).count(), 1);
}

#[test]
fn a_hand_on_the_mouse_ends_the_program_at_once() {
    let desk = Desk::with("winemine", "expert");
    for nth in 0..TIMES {
        let player = desk.playing(&format!("play --games 500 --seed {nth}"));
        thread::sleep(Duration::from_millis(500 + 31 * nth as u64));
        let start = Instant::now();
        desk.run("xdotool mousemove 1100 700");
        let ended = player.end().with(1);
        let took = start.elapsed();
        assert!(ended.err.contains("the mouse was moved"), "{ended:?}");
        assert!(took < Duration::from_millis(400), "{took:?}");
    }
}

#[test]
fn nothing_is_pressed_while_a_person_holds_down_a_key_that_makes_another_press_of_it() {
    let desk = Desk::with("winemine", "expert");
    for nth in 0..TIMES {
        let key = ["shift", "ctrl", "alt", "super"][nth % 4];
        let player = desk.playing(&format!("play --json --games 500 --seed {nth} --pace 5"));
        desk.run(&format!("xdotool keydown {key}"));
        let notes = desk.notes();
        thread::sleep(Duration::from_millis(700));
        assert_eq!(notes.clicks(), 0, "{key}");
        // Let go, it plays on; held for long, it stops.
        if nth % 2 == 0 {
            desk.run(&format!("xdotool keyup {key}"));
            within(SOON, "it plays on", || (notes.clicks() > 0).then_some(()));
            desk.run("xdotool key F12");
            let ended = player.end().with(130);
            assert_eq!(ended.summary()["misreads"], 0, "{ended:?}");
        } else {
            let ended = player.end().with(1);
            desk.run(&format!("xdotool keyup {key}"));
            assert!(ended.err.contains("is held down, so nothing was pressed"), "{ended:?}");
            assert_eq!(notes.clicks(), 0, "{key}");
        }
    }
}

#[test]
fn two_presses_are_never_closer_than_the_pace() {
    let desk = Desk::with("winemine", "beginner");
    for (pace, games, style) in [(30, 8, "no-flags"), (30, 4, "chords"), (200, 1, "no-flags")] {
        let notes = desk.notes();
        desk.play(&format!("play --games {games} --pace {pace} --style {style}")).with(0);
        let presses = notes.presses();
        let mut gaps = Vec::new();
        for two in presses.windows(2) {
            gaps.push(two[1].at - two[0].at);
        }
        // Both buttons of a chord go down together.
        let closest = gaps.iter().filter(|&&gap| gap > 0).min();
        assert!(presses.len() > 2 && closest.is_some_and(|&gap| gap + 1 >= pace), "{gaps:?}");
    }
}
