//! Real games on a Wayland desktop: sway without a monitor, which `scripts/with-sway.sh` starts. A missing program fails the
//! tests.
#![cfg(all(feature = "desktop", target_os = "linux"))]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use minescraper::desktop::Session;
use minescraper::geometry::Px;
use minescraper::input::{Act, Hands, Key, Shortcut};
use serde_json::Value;

/// Set in the process that is on the desktop already.
const ALONE: &str = "MINESCRAPER_TEST_ALONE";
/// How long anything may take that has to come.
const SOON: Duration = Duration::from_secs(20);

/// Runs a command on a desktop with this game.
fn beside(game: &[&str], command: &mut Command) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/with-sway.sh");
    let mut with_sway = Command::new(script);
    with_sway.args(game).arg("--").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        with_sway.env(name, value.unwrap());
    }
    with_sway.output().unwrap()
}

fn play(game: &[&str], options: &str) -> (Value, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_minescraper"));
    let output = beside(game, command.arg("play").arg("--json").args(options.split_whitespace()));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{game:?}: {said}");
    (serde_json::from_slice(&output.stdout).unwrap(), said)
}

/// Runs this test once more on a desktop with this game.
fn on_desktop(test: &str, game: &[&str], body: impl Fn()) {
    if std::env::var(ALONE).is_ok_and(|name| name == test) {
        return body();
    }
    let mut again = Command::new(std::env::current_exe().unwrap());
    let output = beside(game, again.args(["--exact", test]).env(ALONE, test));
    let said = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
    assert!(output.status.success(), "{}{}", said(&output.stdout), said(&output.stderr));
}

fn start(options: &str) -> Child {
    let mut player = Command::new(env!("CARGO_BIN_EXE_minescraper"));
    player.args(options.split_whitespace()).stdout(Stdio::piped()).stderr(Stdio::piped());
    player.spawn().unwrap()
}

/// The id of the window of a program, once there is one.
fn window(app: &str) -> String {
    let deadline = Instant::now() + SOON;
    loop {
        let open = Session::open(&mut |_| {}).unwrap().windows().unwrap().unwrap();
        if let Some(found) = open.into_iter().find(|window| window.app == app) {
            return found.id.to_string();
        }
        assert!(Instant::now() < deadline, "no window of {app}");
    }
}

#[test]
fn games_that_know_wayland_are_played_to_a_win() {
    for game in ["gnome-mines", "kmines"] {
        let (summary, said) = play(&[game, "beginner"], "--until-win --games 20");
        assert_eq!((&summary["wins"], &summary["misreads"]), (&1.into(), &0.into()), "{summary}");
        assert!(said.contains("Wayland, wayland-1, by the protocols of wlroots"), "{said}");
        assert!(said.contains("windows as sway"), "{said}");
    }
}

#[test]
fn a_game_on_the_x_server_of_a_wayland_desktop_is_played_like_any_other() {
    let (summary, _) = play(&["--xwayland", "xdemineur", "beginner"], "--until-win --games 20");
    assert_eq!((&summary["wins"], &summary["misreads"]), (&1.into(), &0.into()), "{summary}");
}

#[test]
fn on_a_scaled_screen_pixels_are_those_of_the_screen() {
    for (scale, game) in [("1.25", "kmines"), ("2", "gnome-mines")] {
        let desktop = &["--screen", "2200x1600", "--scale", scale, game, "beginner"];
        let (summary, _) = play(desktop, "--until-win --games 20");
        assert_eq!((&summary["wins"], &summary["misreads"]), (&1.into(), &0.into()), "{summary}");
    }
}

#[test]
fn the_stop_key_is_heard_whatever_has_the_keyboard_and_given_back() {
    const TEST: &str = "the_stop_key_is_heard_whatever_has_the_keyboard_and_given_back";
    on_desktop(TEST, &["gnome-mines", "expert"], || {
        for _ in 0..2 {
            let mut player = start("play --games 1000 --pace 200");
            let session = Session::open(&mut |_| {}).unwrap();
            let mut hands = session.hands(None).unwrap();
            let stop = Act::Strike(Shortcut { ctrl: false, key: Key::F(12) });
            let deadline = Instant::now() + SOON;
            // Until the player has taken it nobody hears it.
            while player.try_wait().unwrap().is_none() {
                assert!(Instant::now() < deadline, "it is not stopped");
                hands.act(Px::new(0, 0), &[stop], &mut |_| true).unwrap();
                std::thread::sleep(Duration::from_millis(100));
            }
            assert_eq!(player.wait().unwrap().code(), Some(130));
        }
    });
}

#[test]
fn a_window_in_front_of_the_game_gets_no_click() {
    const TEST: &str = "a_window_in_front_of_the_game_gets_no_click";
    let player = Path::new(env!("CARGO_BIN_EXE_minescraper"));
    let bystander = player.parent().unwrap().join("examples/bystander");
    if std::env::var_os(ALONE).is_none() {
        let release = (!cfg!(debug_assertions)).then_some("--release");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--locked", "--example", "bystander"]).args(release);
        assert!(cargo.status().unwrap().success(), "the bystander is not built");
    }
    on_desktop(TEST, &["--xwayland", "gnome-mines", "beginner"], || {
        let mut bystander = Command::new(&bystander)
            .args(["--title", "Letter", "--geometry", "500x400+400+200"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        window("Bystander");
        let game = window("Gnome-mines");
        let output = start(&format!("play --window {game}")).wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("Letter"), "{said}");
        bystander.kill().unwrap();
        let got = bystander.wait_with_output().unwrap().stdout;
        let got = String::from_utf8_lossy(&got);
        assert_eq!(got.lines().count(), 1, "it got more than its place: {got}");
    });
}

#[test]
fn the_doctor_says_which_way_is_taken_and_that_the_board_is_found() {
    let mut doctor = Command::new(env!("CARGO_BIN_EXE_minescraper"));
    let output = beside(&["gnome-mines", "beginner"], doctor.args(["doctor", "--no-pointer"]));
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}");
    for line in ["ok    display: Wayland (sway)", "ok    way: Wayland, wayland-1", "ok    stop key"]
    {
        assert!(told.contains(line), "{line} is not in\n{told}");
    }
    assert!(told.contains("a board of 8x8 cells"), "{told}");
}
