//! What is done to the program for Windows, under Wine.
//!
//! `scripts/test-desktops.sh windows` makes it, and runs these. What it presses goes past the X server, so another window says itself
//! what reached it: Wine notes the messages that a program of Windows gets.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use crate::TIMES;
use crate::desk::{Desk, Ended, Player, SOON, within};

/// The variable that names the program for Windows.
const EXE: &str = "MINESCRAPER_EXE";

/// A display with a game for Windows, and the prefix of Wine that it runs in.
struct Wine(Desk);

impl Wine {
    fn with(game: &str, level: &str) -> Self {
        Self(Desk::with(game, level))
    }

    /// A program for Windows beside the game.
    fn command(&self, program: &str) -> Command {
        let mut wine = self.0.command("wine");
        wine.arg(program).env("HOME", &self.0.home).env("WINEDEBUG", "-all");
        wine
    }

    fn start(&self, options: &str) -> Player {
        let exe = std::env::var(EXE).unwrap_or_else(|_| panic!("{EXE} names no program"));
        let mut player = self.command(&exe);
        player.args(options.split_whitespace());
        Player::started(player)
    }

    /// Starts the program, and waits until it plays: until the pointer goes from cell to cell.
    fn playing(&self, options: &str) -> Player {
        let trail = self.0.trail();
        let player = self.start(options);
        within(SOON, "it plays", || (trail.places().len() > 5).then_some(()));
        player
    }

    /// A window of Windows with this part of the screen, in front of all others.
    fn notepad(&self, at: (i32, i32), size: (i32, i32)) -> Notepad<'_> {
        let before = self.0.windows();
        let log = self.0.data().join(format!("notepad-{}.log", before.len()));
        let mut notepad = self.command("notepad");
        notepad.env("WINEDEBUG", "-all,+msg").stderr(File::create(&log).unwrap());
        let child = notepad.spawn().unwrap();
        let window = within(SOON, "a window of Notepad", || {
            self.0.windows().into_iter().find(|window| !before.contains(window))
        });
        let notepad = Notepad { wine: self, child, window, log };
        let Notepad { window, .. } = &notepad;
        self.0.run(&format!("xdotool windowsize --sync {window} {} {}", size.0, size.1));
        self.0.run(&format!("xdotool windowmove {window} {} {}", at.0, at.1));
        self.0.run(&format!("xdotool windowactivate --sync {window}"));
        notepad
    }
}

/// An editor of Windows.
struct Notepad<'w> {
    wine: &'w Wine,
    child: Child,
    window: String,
    log: PathBuf,
}

impl Notepad<'_> {
    /// The presses of buttons and keys that it got.
    fn got(&self) -> Vec<String> {
        // What was pressed just now may still be on its way.
        thread::sleep(Duration::from_millis(200));
        let log = fs::read(&self.log).unwrap();
        let log = String::from_utf8_lossy(&log);
        let is_press = |line: &&str| {
            ["WM_LBUTTONDOWN", "WM_RBUTTONDOWN", "WM_KEYDOWN"]
                .iter()
                .any(|kind| line.contains(kind))
        };
        log.lines().filter(is_press).map(str::to_owned).collect()
    }
}

impl Drop for Notepad<'_> {
    fn drop(&mut self) {
        // What was started has started it, and waits for it.
        let _ = self.wine.command("taskkill").args(["/f", "/im", "notepad.exe"]).status();
        let _ = self.child.wait();
        let is_open = || self.wine.0.windows().contains(&self.window);
        within(SOON, "Notepad closes", || (!is_open()).then_some(()));
    }
}

/// It ended by itself and said this.
#[track_caller]
fn says(ended: Ended, what: &str) {
    let ended = ended.with(1);
    assert!(ended.err.contains(what), "{ended:?}");
}

#[test]
#[ignore = "scripts/test-desktops.sh windows"]
fn a_window_that_moves_is_followed() {
    let wine = Wine::with("winemine", "expert");
    let game = wine.0.game();
    let (x, y) = wine.0.place(&game);
    for nth in 0..TIMES / 3 {
        let mut player = wine.playing(&format!("play --json --games 4 --pace 20 --seed {nth}"));
        let mut moves = 0;
        while player.is_running() && moves < 20 {
            let aside = 20 * (1 + moves % 3);
            wine.0.run(&format!("xdotool windowmove {game} {} {}", x + aside, y + aside));
            thread::sleep(Duration::from_millis(700));
            moves += 1;
        }
        assert!(moves > 2, "it was over before the window moved");
        let summary = player.end().with(0).summary();
        assert_eq!((&summary["games"], &summary["misreads"]), (&4.into(), &0.into()), "{summary}");
    }
}

#[test]
#[ignore = "scripts/test-desktops.sh windows"]
fn a_window_that_is_minimised_or_closed_is_gone() {
    let wine = Wine::with("winemine", "expert");
    let game = wine.0.game();
    for nth in 0..TIMES {
        let player = wine.playing(&format!("play --games 500 --seed {nth}"));
        wine.0.run(&format!("xdotool windowminimize {game}"));
        says(player.end(), "the window of the game is gone");
        wine.0.run(&format!("xdotool windowactivate --sync {game}"));
    }
    let player = wine.playing("play --games 500");
    assert!(wine.command("taskkill").args(["/im", "winemine.exe"]).status().unwrap().success());
    says(player.end(), "the window of the game is gone");
}

#[test]
#[ignore = "scripts/test-desktops.sh windows"]
fn nothing_is_pressed_on_a_window_in_front_and_it_is_named() {
    let wine = Wine::with("winemine", "expert");
    let (x, y) = wine.0.place(&wine.0.game());
    for nth in 0..TIMES / 3 {
        let player = wine.playing(&format!("play --games 500 --seed {nth}"));
        let first = wine.notepad((x + 100, y + 100), (400, 300));
        // A click just before has raised the game for Wine, but not for the window manager. What comes next is in front for both.
        thread::sleep(Duration::from_secs(2));
        let notepad = wine.notepad((x + 100, y + 100), (400, 300));
        says(player.end(), "the game is covered by 'Untitled - Notepad'");
        assert_eq!([first.got(), notepad.got()].concat(), [""; 0]);
        // It does tell what reaches it.
        wine.0.run(&format!("xdotool mousemove {} {} click 1", x + 250, y + 250));
        within(SOON, "the click", || (notepad.got().len() == 1).then_some(()));
    }
}

#[test]
#[ignore = "scripts/test-desktops.sh windows"]
fn a_key_goes_to_the_game_or_nowhere() {
    let wine = Wine::with("winemine", "beginner");
    wine.start("play").end().with(0);
    let (x, y) = wine.0.place(&wine.0.game());
    let notepad = wine.notepad((x + 500, y), (400, 300));
    for _ in 0..TIMES {
        // The game may get the keyboard when Windows is asked for that; then the key goes there.
        let ended = wine.start("play").end();
        assert!(
            ended.status.success() || ended.err.contains("has the keyboard, so no key was struck"),
            "{ended:?}"
        );
        assert_eq!(notepad.got(), [""; 0]);
        wine.0.run(&format!("xdotool windowactivate --sync {}", notepad.window));
    }
    wine.0.run("xdotool key a");
    within(SOON, "the key", || (notepad.got().len() == 1).then_some(()));
}

#[test]
#[ignore = "scripts/test-desktops.sh windows"]
fn ctrl_c_and_a_hand_on_the_mouse_stop_it() {
    let wine = Wine::with("winemine", "expert");
    let (x, y) = wine.0.place(&wine.0.game());
    for nth in 0..TIMES {
        let options = format!("play --games 500 --seed {nth}");
        let player = wine.playing(&options);
        let start = Instant::now();
        wine.0.run(&format!("kill -INT {}", player.child.id()));
        player.end().with(130);
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
        let mut player = wine.playing(&options);
        let start = Instant::now();
        // Wine hears of a pointer over its own windows.
        while player.is_running() && start.elapsed() < SOON {
            let at = (x + 17 * (nth as i32 + 1), y + 5);
            wine.0.run(&format!("xdotool mousemove {} {}", at.0, at.1));
            thread::sleep(Duration::from_millis(20));
        }
        let took = start.elapsed();
        says(player.end(), "the mouse was moved");
        assert!(took < Duration::from_secs(2), "{took:?}");
    }
}
