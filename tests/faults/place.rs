//! Windows that move, boards that begin anew, screens that change their size, and what lies over cells.

use std::thread;
use std::time::{Duration, Instant};

use crate::TIMES;
use crate::desk::{Desk, SOON, within};
use crate::shown::Shown;

/// Sessions of several games, during which something is done at moments that have nothing to do with the game's.
fn disturbed(desk: &Desk, options: &str, mut disturb: impl FnMut(u32)) {
    for session in 0..TIMES {
        let mut player = desk.start(&format!("play --json --seed {session} {options}"));
        let notes = desk.notes();
        within(SOON, "it plays", || (!notes.presses().is_empty()).then_some(()));
        let mut times = 0;
        let deadline = Instant::now() + Duration::from_secs(60);
        while player.is_running() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(u64::from(61 + 37 * (times % 7))));
            disturb(times);
            times += 1;
        }
        // A proven click on a mine would be another code.
        let ended = player.end().with(0);
        assert_eq!(ended.summary()["misreads"], 0, "{ended:?}");
        assert!(ended.took < Duration::from_secs(60), "{ended:?}");
    }
}

#[test]
fn a_window_that_moves_by_one_cell_in_the_middle_of_a_batch_costs_no_game() {
    // Not WineMine: a click that is on its way while its window moves it takes for one at the new place.
    for (game, side) in [("xdemineur", 21), ("sgt-mines", 20)] {
        let desk = Desk::with(game, "expert");
        let others = desk.bystander(&[]);
        let game = desk.game();
        let (x, y) = desk.place(&game);
        disturbed(&desk, "--games 3", |times| {
            let [right, down] = [[1, 0], [1, 1], [0, 1], [0, 0]][times as usize % 4];
            desk.run(&format!(
                "xdotool windowmove {game} {} {}",
                x + side * right,
                y + side * down
            ));
        });
        assert_eq!(others.got(), [""; 0]);
    }
}

#[test]
fn a_new_game_that_somebody_begins_in_the_middle_is_played_as_what_it_is() {
    // A click that is on its way when the new game begins opens a cell of that one.
    let desk = Desk::alone("winemine", "expert");
    let game = desk.game();
    disturbed(&desk, "--games 3", |times| {
        if times < 5 {
            desk.run(&format!("xdotool windowfocus --sync {game} key F2"));
        }
    });
}

#[test]
fn another_resolution_of_the_screen_is_told_and_the_board_found_again() {
    let desk = Desk::with("winemine", "expert");
    desk.run("xrandr --newmode small 40 1024 1048 1080 1100 700 710 712 720");
    desk.run("xrandr --addmode screen small");
    for nth in 0..TIMES {
        let player = desk.playing("play --json --games 200 --pace 5");
        thread::sleep(Duration::from_millis(700));
        let start = Instant::now();
        let mode = ["small", "1280x800"][nth % 2];
        desk.run(&format!("xrandr --output screen --mode {mode}"));
        player.tells("the screen is ");
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        thread::sleep(Duration::from_secs(1));
        desk.run("xdotool key F12");
        let ended = player.end().with(130);
        assert_eq!(ended.summary()["misreads"], 0, "{ended:?}");
    }
}

#[test]
fn a_board_that_another_resolution_cuts_off_is_refused_with_the_cause() {
    for _ in 0..TIMES / 3 {
        // Each time another display, which takes some seconds: when the screen is large again, Wine may leave its window as small as the screen was.
        let desk = Desk::with("winemine", "expert");
        desk.run("xrandr --newmode tiny 20 320 340 350 360 240 250 252 260");
        desk.run("xrandr --addmode screen tiny");
        let player = desk.playing("play --games 200 --pace 5");
        thread::sleep(Duration::from_millis(700));
        let start = Instant::now();
        desk.run("xrandr --output screen --mode tiny");
        let ended = player.end().with(1);
        assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
        assert!(ended.err.contains("the resolution of the screen changed"), "{ended:?}");
    }
}

#[test]
fn a_pop_up_that_no_window_manager_knows_is_named() {
    let desk = Desk::with("winemine", "expert");
    let game = desk.game();
    let (x, y) = desk.place(&game);
    for nth in 0..TIMES {
        let player = desk.playing(&format!("play --games 200 --seed {nth}"));
        thread::sleep(Duration::from_millis(600));
        let start = Instant::now();
        let _shown = Shown::pop_up(&desk.display, "Volume", (x + 60, y + 90), (300, 180));
        let ended = player.end().with(1);
        let took = start.elapsed();
        assert!(ended.err.contains("the game is covered by 'Volume'"), "{ended:?}");
        // It gets 1.5 s to go away, which a busy machine stretches.
        assert!(took < Duration::from_secs(6), "{took:?}: {ended:?}");
    }
}

#[test]
fn nothing_is_pressed_on_a_pop_up() {
    let desk = Desk::with("winemine", "expert");
    let game = desk.game();
    let (x, y) = desk.place(&game);
    for nth in 0..TIMES {
        let player = desk.playing(&format!("play --games 200 --seed {nth}"));
        thread::sleep(Duration::from_millis(600));
        let geometry = format!("200x150+{}+{}", x + 60 + 9 * nth as i32, y + 90);
        let over = desk.bystander(&["--title", "Menu", "--geometry", &geometry]);
        player.end().with(1);
        assert_eq!(over.got(), [""; 0]);
    }
}
