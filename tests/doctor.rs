//! `doctor` on X servers of its own: Xvfb, with `xev` as a window that reports what arrives, and xdemineur. A missing
//! program fails the tests.
#![cfg(feature = "desktop")]

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const SOON: Duration = Duration::from_secs(20);

fn within<T>(limit: Duration, what: &str, mut get: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(got) = get() {
            return got;
        }
        assert!(Instant::now() < deadline, "not within {limit:?}: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A process that is asked to end with the test.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        let _ = self.0.wait();
    }
}

/// A display, and a user who keeps nothing.
struct Desk {
    display: Option<String>,
    home: tempfile::TempDir,
    _server: Option<Started>,
}

impl Desk {
    /// None at all.
    fn dark() -> Self {
        Self { display: None, home: tempfile::tempdir().unwrap(), _server: None }
    }

    /// An X server without a window manager, which lacks an extension.
    fn without(extension: Option<&str>) -> Self {
        let server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24"])
            .args(["-nolisten", "tcp", "-noreset"])
            .args(extension.into_iter().flat_map(|name| ["-extension", name]))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut server = Started(server.expect("Xvfb is needed"));
        let mut number = String::new();
        BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut number).unwrap();
        Self { display: Some(format!(":{}", number.trim())), _server: Some(server), ..Self::dark() }
    }

    /// A game and a window manager.
    fn with(game: &str, level: &str) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/with-game.sh");
        let script = Command::new(script).args([game, level]).stdout(Stdio::piped()).spawn();
        let mut script = Started(script.unwrap());
        let mut display = String::new();
        BufReader::new(script.0.stdout.take().unwrap()).read_line(&mut display).unwrap();
        assert!(!display.is_empty(), "{game} {level} did not start");
        Self { display: Some(display.trim().to_owned()), _server: Some(script), ..Self::dark() }
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        for variable in [
            "DISPLAY",
            "WAYLAND_DISPLAY",
            "XDG_SESSION_TYPE",
            "XAUTHORITY",
            "DBUS_SESSION_BUS_ADDRESS",
            "XDG_RUNTIME_DIR",
        ] {
            command.env_remove(variable);
        }
        command.envs(self.display.iter().map(|display| ("DISPLAY", display)));
        command.env("XDG_DATA_HOME", self.home.path()).stdin(Stdio::null());
        command
    }

    fn doctor(&self, options: &[&str]) -> Report {
        let mut command = self.command(env!("CARGO_BIN_EXE_minescraper"));
        Report::of(command.arg("doctor").args(options).output().unwrap())
    }

    fn xdotool(&self, arguments: &str) -> String {
        let output = self.command("xdotool").args(arguments.split(' ')).output();
        let output = output.expect("xdotool is needed");
        assert!(output.status.success(), "xdotool {arguments}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Where the pointer is.
    fn pointer(&self) -> String {
        let told = self.xdotool("getmouselocation");
        told.split(" screen").next().unwrap().to_owned()
    }

    /// A window that covers the whole screen, with the pointer in its middle, and what it gets from then on.
    fn xev(&self) -> Notes {
        let path = self.home.path().join("notes");
        let process = self
            .command("stdbuf")
            .args(["-oL", "xev", "-geometry", "1280x800+0+0", "-event", "mouse"])
            .args(["-event", "keyboard"])
            .stdout(File::create(&path).unwrap())
            .spawn();
        let process = Started(process.expect("xev is needed"));
        let notes = Notes { path, before: 0, _process: process };
        within(SOON, "the window of xev", || {
            self.xdotool("mousemove 600 400");
            self.xdotool("mousemove 640 400");
            notes.lines().iter().any(|line| line.starts_with("MotionNotify")).then_some(())
        });
        // The last of that may still be on its way.
        std::thread::sleep(Duration::from_millis(200));
        Notes { before: notes.lines().len(), ..notes }
    }
}

/// What a window was told.
struct Notes {
    path: std::path::PathBuf,
    before: usize,
    _process: Started,
}

impl Notes {
    fn lines(&self) -> Vec<String> {
        let all = std::fs::read_to_string(&self.path).unwrap();
        all.lines().skip(self.before).map(str::to_owned).collect()
    }

    /// The places on the screen of all events called `kind` so far.
    fn noted(&self, kind: &str) -> Vec<String> {
        std::thread::sleep(Duration::from_millis(200));
        let lines = self.lines();
        let events = lines.windows(2).filter(|pair| pair[0].starts_with(kind));
        let place = |pair: &[String]| {
            let (_, place) = pair[1].split_once("root:(")?;
            Some(place.split_once(')')?.0.to_owned())
        };
        events.filter_map(place).collect()
    }
}

/// What the program said.
struct Report {
    code: Option<i32>,
    said: String,
    warned: String,
}

impl Report {
    fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            said: String::from_utf8(output.stdout).unwrap(),
            warned: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// The line about `name`.
    fn line(&self, name: &str) -> &str {
        let mut lines = self.said.lines();
        let is_of =
            |line: &&str| line.get(6..).is_some_and(|line| line.starts_with(&format!("{name}:")));
        let line = lines.find(is_of);
        line.unwrap_or_else(|| panic!("nothing of {name}: {}{}", self.said, self.warned))
    }

    /// The line below that about `name`.
    fn next(&self, name: &str) -> &str {
        let line = self.line(name);
        let mut lines = self.said.lines().skip_while(|&other| other != line).skip(1);
        lines.next().filter(|next| next.starts_with("      ")).expect("what to do")
    }

    fn says(&self, name: &str, part: &str) {
        let line = self.line(name);
        assert!(line.contains(part), "{line}");
    }
}

#[test]
fn without_a_display_it_fails_and_says_how_to_get_one() {
    let report = Desk::dark().doctor(&[]);
    assert_eq!(report.code, Some(1));
    assert!(report.line("display").starts_with("fail  display: none"), "{}", report.said);
    assert!(report.line("display").contains("DISPLAY is not set"), "{}", report.said);
    assert!(report.next("display").contains("Xvfb :5"), "{}", report.said);
    assert!(report.warned.contains("mend display"), "{}", report.warned);
    assert!(report.line("system").starts_with("ok"));
    assert!(report.line("data folder").starts_with("ok"));
    assert!(report.line("skins").contains("winemine"));
}

#[test]
fn without_a_window_manager_and_a_game_it_warns_and_play_can_work() {
    let report = Desk::without(None).doctor(&[]);
    assert_eq!(report.code, Some(0), "{}{}", report.said, report.warned);
    report.says("display", "ok    display: X11, :");
    assert!(report.line("window manager").starts_with("warn"), "{}", report.said);
    assert!(report.next("window manager").contains("openbox"));
    report.says("monitors", "1280x800 at (0, 0), scale 1");
    assert!(report.line("X extensions").starts_with("ok"));
    report.says("look", "ok    look: 1280x800 pixels in");
    report.says("look", "straight through the X server");
    report.says("other player", "none");
    report.says("stop key", "ok    stop key: F12");
    report.says("game", "warn  game: no Minesweeper is in sight (0 windows");
    assert!(report.next("game").contains("gnome-mines"));
}

#[test]
fn the_pointer_is_moved_by_three_pixels_and_put_back_and_nothing_is_pressed() {
    let desk = Desk::without(None);
    let notes = desk.xev();
    let before = desk.pointer();
    let report = desk.doctor(&[]);
    report.says("pointer", "ok    pointer: moved by 3 pixels and put back");
    assert!(report.warned.contains("the pointer is moved by 3 pixels"), "{}", report.warned);
    assert_eq!(desk.pointer(), before);
    let moves = notes.noted("MotionNotify");
    assert_eq!(moves, ["637,400", "640,400"], "from 640,400");
    for kind in ["ButtonPress", "ButtonRelease", "KeyPress", "KeyRelease"] {
        assert!(notes.noted(kind).is_empty(), "{kind}: {:?}", notes.noted(kind));
    }
}

#[test]
fn a_pointer_that_is_used_or_not_to_be_moved_is_left_alone() {
    let desk = Desk::without(None);
    let notes = desk.xev();
    for (hold, let_go, what) in [
        ("mousedown 1", "mouseup 1", "a button of the mouse is held"),
        ("keydown shift", "keyup shift", "Shift is held"),
    ] {
        desk.xdotool(hold);
        let report = desk.doctor(&[]);
        desk.xdotool(let_go);
        assert!(report.line("pointer").starts_with("warn"), "{}", report.said);
        report.says("pointer", what);
        assert_eq!(report.code, Some(0), "{}", report.warned);
    }
    desk.doctor(&["--no-pointer"]).says("pointer", "ok    pointer: left alone");
    assert!(notes.noted("MotionNotify").is_empty());

    let mut hand = desk.command("sh");
    let moving =
        "while sleep 0.05; do xdotool mousemove_relative 5 0 mousemove_relative -- -4 0; done";
    let hand = Started(hand.args(["-c", moving]).spawn().unwrap());
    let report = desk.doctor(&[]);
    drop(hand);
    report.says("pointer", "left alone: it is moving");
}

#[test]
fn the_board_in_a_window_is_found_with_its_skin_and_drawn_and_not_clicked() {
    let desk = Desk::with("xdemineur", "expert");
    let picture = desk.home.path().join("seen.png");
    let report = desk.doctor(&["--json", "--picture", picture.to_str().unwrap()]);
    assert_eq!(report.code, Some(0), "{}{}", report.said, report.warned);
    let told: Value = serde_json::from_str(&report.said).unwrap();
    let checks = told["checks"].as_array().unwrap();
    let named = |name: &str| {
        let mut found = checks.iter().filter(|check| check["name"] == name);
        (found.next().unwrap().clone(), found.count())
    };
    let (game, more) = named("game");
    assert_eq!((&game["state"], &game["next"], more), (&Value::from("ok"), &Value::Null, 0));
    let found = game["found"].as_str().unwrap();
    assert!(found.contains("skin xdemineur: a board of 30x16 cells"), "{found}");
    assert!(named("window manager").0["found"].as_str().unwrap().contains("Openbox"));
    for check in checks {
        let needs_help = check["state"] != "ok";
        assert_eq!(check["next"].is_string(), needs_help, "{check}");
    }
    let drawn = image::open(&picture).unwrap().into_rgb8();
    let green = drawn.pixels().filter(|pixel| pixel.0 == [0, 200, 0]).count();
    assert!(green > 10_000, "{green} pixels of the frames of cells");

    // A window in front of it.
    let cover =
        desk.command("xev").args(["-geometry", "900x600+100+100"]).stdout(Stdio::null()).spawn();
    let cover = Started(cover.unwrap());
    let report = within(SOON, "the cover", || {
        let report = desk.doctor(&["--no-pointer"]);
        report.said.contains("behind 'Event Tester'").then_some(report)
    });
    assert!(report.line("game").starts_with("warn"), "{}", report.said);
    assert!(report.next("game").contains("bring it to the front"));
    drop(cover);
}

#[test]
fn another_player_is_named_and_its_pointer_left_alone() {
    let desk = Desk::with("xdemineur", "expert");
    let play = desk
        .command(env!("CARGO_BIN_EXE_minescraper"))
        .args(["play", "--until-win", "--pace", "400"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let player = Started(play.unwrap());
    let number = format!("process {}", player.0.id());
    let report = within(SOON, "the player", || {
        let report = desk.doctor(&[]);
        report.said.contains("other player: process").then_some(report)
    });
    assert_eq!(report.code, Some(1));
    report.says("other player", &number);
    report.says("pointer", "left alone: a player has it");
    assert!(!report.warned.contains("the pointer is moved"), "{}", report.warned);
    assert!(player_goes_on(player), "the player was not disturbed");
    desk.doctor(&[]).says("other player", "ok");
}

/// Whether it still played; it does not any more.
fn player_goes_on(mut player: Started) -> bool {
    player.0.try_wait().unwrap().is_none()
}

#[test]
fn a_server_that_lacks_an_extension_is_told_what_that_costs() {
    let report = Desk::without(Some("DAMAGE")).doctor(&[]);
    assert_eq!(report.code, Some(0), "{}{}", report.said, report.warned);
    report.says("X extensions", "missing: DAMAGE (looks take longer)");
    assert!(report.line("look").starts_with("warn"), "{}", report.said);
    report.says("look", "the long way");

    let report = Desk::without(Some("XTEST")).doctor(&[]);
    assert_eq!(report.code, Some(1));
    report.says("X extensions", "fail  X extensions: missing: XTEST (nothing can be clicked)");
    assert!(report.line("pointer").starts_with("fail"), "{}", report.said);
}

#[test]
fn a_wayland_desktop_that_hands_out_no_picture_fails_and_names_the_portal() {
    let desk = Desk::without(None);
    let mut command = desk.command(env!("CARGO_BIN_EXE_minescraper"));
    command.env("WAYLAND_DISPLAY", "wayland-nowhere").env("XDG_CURRENT_DESKTOP", "Nowhere");
    let report = Report::of(command.args(["doctor", "--no-pointer"]).output().unwrap());
    assert_eq!(report.code, Some(1), "{}{}", report.said, report.warned);
    report.says("display", "warn  display: Wayland (Nowhere), with X11, :");
    assert!(report.line("look").starts_with("fail"), "{}", report.said);
    assert!(report.next("look").contains("xdg-desktop-portal"), "{}", report.said);
}

#[test]
fn a_wayland_desktop_without_an_x_server_says_why_its_portal_is_closed() {
    let mut command = Desk::dark().command(env!("CARGO_BIN_EXE_minescraper"));
    command.env("WAYLAND_DISPLAY", "wayland-nowhere").env("XDG_CURRENT_DESKTOP", "Nowhere");
    let report = Report::of(command.args(["doctor", "--no-pointer"]).output().unwrap());
    assert_eq!(report.code, Some(1), "{}{}", report.said, report.warned);
    report.says("way", "no desktop portal answers");
}
