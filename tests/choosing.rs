//! Which window is taken, and what is said of it: on X servers of their own, Xvfb with openbox. A missing program fails
//! the tests.
#![cfg(all(feature = "desktop", target_os = "linux"))]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use image::RgbImage;
use serde_json::Value;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt, CreateGCAux, CreateWindowAux, ImageFormat, PropMode, Window,
    WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

/// How long a window may take to be listed.
const SOON: Duration = Duration::from_secs(10);

/// A window that is not listed by then is mapped again.
const LOST: Duration = Duration::from_secs(1);

/// A process that ends with the test.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An X server, and what runs on it.
struct Display {
    name: String,
    server: RustConnection,
    home: tempfile::TempDir,
    is_managed: bool,
    _processes: Vec<Started>,
}

impl Display {
    /// One with openbox.
    fn managed() -> Self {
        let mut display = Self::bare();
        let manager = Command::new("openbox")
            .args(["--config-file", "/etc/xdg/openbox/rc.xml"])
            .env("DISPLAY", &display.name)
            .env("HOME", display.home.path())
            .env("XDG_CACHE_HOME", display.home.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        display._processes.insert(0, Started(manager.expect("openbox is needed")));
        // A window that comes before it is ready may stay unmapped.
        within_soon("openbox", || {
            let told = ["_NET_SUPPORTING_WM_CHECK", "_NET_CLIENT_LIST_STACKING"];
            told.iter().all(|name| display.property(name).is_some())
        });
        display.is_managed = true;
        display
    }

    /// What is said first: the way to the desktop.
    fn way(&self) -> String {
        format!("the desktop: X server {}\n", self.name)
    }

    /// One without a window manager, so without a list of windows.
    fn bare() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24"])
            .args(["-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is needed");
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        let name = format!(":{}", number.trim());
        let (connection, _) = RustConnection::connect(Some(&name)).unwrap();
        let home = tempfile::tempdir().unwrap();
        let _processes = vec![Started(server)];
        Self { name, server: connection, home, is_managed: false, _processes }
    }

    fn atom(&self, name: &str) -> Atom {
        self.server.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
    }

    /// A property of the root window that lists windows, if it is set.
    fn property(&self, name: &str) -> Option<Vec<Window>> {
        let (root, atom) = (self.root(), self.atom(name));
        let got = self.server.get_property(false, root, atom, AtomEnum::ANY, 0, 1024);
        let got = got.unwrap().reply().unwrap();
        (got.type_ != 0).then(|| got.value32().map(Iterator::collect).unwrap_or_default())
    }

    fn root(&self) -> Window {
        self.server.setup().roots[0].root
    }

    /// A window that shows this picture and does nothing else, once it is listed.
    fn show(&self, title: &str, class: &str, picture: &RgbImage, (x, y): (i16, i16)) -> Window {
        let (server, screen) = (&self.server, &self.server.setup().roots[0]);
        let (width, height) = (picture.width() as u16, picture.height() as u16);
        let pixmap = server.generate_id().unwrap();
        server.create_pixmap(24, pixmap, screen.root, width, height).unwrap();
        let pen = server.generate_id().unwrap();
        server.create_gc(pen, pixmap, &CreateGCAux::new()).unwrap();
        for (row, pixels) in picture.rows().enumerate() {
            let line: Vec<u8> =
                pixels.flat_map(|pixel| [pixel.0[2], pixel.0[1], pixel.0[0], 0]).collect();
            let format = ImageFormat::Z_PIXMAP;
            server.put_image(format, pixmap, pen, width, 1, 0, row as i16, 0, 24, &line).unwrap();
        }
        let window = server.generate_id().unwrap();
        let looks = CreateWindowAux::new().background_pixmap(pixmap);
        let kind = WindowClass::INPUT_OUTPUT;
        server
            .create_window(24, window, screen.root, x, y, width, height, 0, kind, 0, &looks)
            .unwrap();
        let text = |name: &str, value: &str| {
            let (property, kind) = (self.atom(name), self.atom("UTF8_STRING"));
            server.change_property8(PropMode::REPLACE, window, property, kind, value.as_bytes())
        };
        text("_NET_WM_NAME", title).unwrap();
        let class = format!("{class}\0{class}\0");
        let (name, string) = (AtomEnum::WM_CLASS, AtomEnum::STRING);
        server.change_property8(PropMode::REPLACE, window, name, string, class.as_bytes()).unwrap();
        // Where it is to stand, by the will of its user: four words that mean nothing any more, and no sizes.
        let mut place = [0; 18];
        place[0] = 1;
        let (name, kind) = (AtomEnum::WM_NORMAL_HINTS, AtomEnum::WM_SIZE_HINTS);
        server.change_property32(PropMode::REPLACE, window, name, kind, &place).unwrap();
        server.map_window(window).unwrap();
        server.flush().unwrap();
        let is_listed = || {
            let listed = self.property("_NET_CLIENT_LIST_STACKING");
            listed.is_some_and(|listed| listed.contains(&window))
        };
        let mut mapped = Instant::now();
        within_soon(title, || {
            if mapped.elapsed() > LOST {
                // Openbox may overlook what comes while it starts.
                server.unmap_window(window).unwrap();
                server.map_window(window).unwrap();
                server.flush().unwrap();
                mapped = Instant::now();
            }
            !self.is_managed || is_listed()
        });
        window
    }

    /// Runs the program for a user without skins of their own.
    fn minescraper(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_minescraper"))
            .args(args)
            .env("DISPLAY", &self.name)
            .env("HOME", self.home.path())
            .env("XDG_DATA_HOME", self.home.path())
            .env_remove("WAYLAND_DISPLAY")
            .output()
            .unwrap()
    }

    fn refused(&self, args: &[&str]) -> String {
        let output = self.minescraper(args);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {}", said(&output));
        said(&output)
    }

    fn done(&self, args: &[&str]) -> Output {
        let output = self.minescraper(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", said(&output));
        output
    }

    /// Where the pointer is.
    fn pointer(&self) -> (i16, i16) {
        let told = self.server.query_pointer(self.root()).unwrap().reply().unwrap();
        (told.root_x, told.root_y)
    }
}

fn within_soon(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < SOON, "not within {SOON:?}: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn fixture(name: &str) -> RgbImage {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/winemine").join(name);
    image::open(path).unwrap().to_rgb8()
}

fn blank(width: u32, height: u32) -> RgbImage {
    RgbImage::from_pixel(width, height, image::Rgb([250, 250, 240]))
}

#[test]
fn a_window_that_is_not_there_is_told_at_once_and_once() {
    let display = Display::managed();
    display.show("Notes", "editor", &blank(300, 200), (20, 40));
    for args in [
        &["play", "--window", "nope"][..],
        &["play", "--window", "nope", "--dry-run"],
        &["advise", "--window", "nope"],
        &["read", "--window", "nope"],
        &["race", "--window", "nope"],
        &["calibrate", "--window", "nope", "--name", "new"],
    ] {
        let start = Instant::now();
        let said = display.refused(args);
        assert!(start.elapsed() < Duration::from_secs(2), "{args:?}: {:?}", start.elapsed());
        assert_eq!(said.matches("no window called 'nope'").count(), 1, "{args:?}: {said}");
        assert!(said.contains("Notes"), "{args:?}: {said}");
    }
}

#[test]
fn where_no_board_is_seen_it_is_said_what_else_to_try() {
    let display = Display::managed();
    display.show("Notes", "editor", &blank(300, 200), (20, 40));
    for command in ["play", "read", "advise"] {
        let said = display.refused(&[command]);
        assert!(said.contains("--window NAME"), "{command}: {said}");
        assert_eq!(said.matches("`minescraper doctor`").count(), 1, "{command}: {said}");
        assert!(command == "play" || said.contains("FILE.png"), "{command}: {said}");
    }
}

#[test]
fn a_picture_of_a_game_is_not_played_unless_its_window_is_named() {
    let display = Display::managed();
    let picture = fixture("expert-fresh.png");
    let window = display.show("holiday.png", "viewer", &picture, (40, 60));
    let before = display.pointer();
    for args in [&["play"][..], &["play", "--dry-run"], &["race"]] {
        let said = display.refused(args);
        assert!(
            said.contains("no board found in the windows that are named like a Minesweeper"),
            "{said}"
        );
        assert!(said.contains("--window"), "{said}");
    }
    let said = display.refused(&["calibrate", "--name", "new"]);
    assert!(said.contains("named like a Minesweeper"), "{said}");
    let offered = format!("if that is the game, name it with --window {window}");
    assert!(said.contains("holiday") && said.contains(&offered), "{said}");
    assert_eq!(display.pointer(), before, "nothing was touched");
    let named = display.done(&["play", "--dry-run", "--window", "holiday"]);
    assert!(printed(&named).contains("would open"), "{}", printed(&named));
    let advice = display.done(&["advise"]);
    assert!(printed(&advice).contains("open"), "who clicks nothing may look anywhere");
}

#[test]
fn a_window_named_like_a_minesweeper_is_played_without_being_named() {
    for name in ["Super Demineur 3", "扫雷", "САПЁР", "\u{1f4a3} - Browser"] {
        let display = Display::managed();
        display.show(name, "game", &fixture("expert-fresh.png"), (40, 60));
        let output = display.done(&["play", "--dry-run"]);
        assert!(printed(&output).contains("would open"), "{name}: {}", printed(&output));
        assert_eq!(said(&output), display.way(), "{name}: there is nothing to choose");
    }
}

/// What a skin says of keys and controls is not true of another program that looks a little like it.
#[test]
fn a_board_in_other_colours_in_a_window_of_another_name_is_no_known_game() {
    let display = Display::managed();
    let mut picture = fixture("beginner-won.png");
    picture.pixels_mut().for_each(|pixel| pixel.0 = pixel.0.map(|level| 255 - level));
    display.show("Minesweeper Deluxe", "deluxe", &picture, (40, 60));
    let said = display.refused(&["play"]);
    assert!(said.contains("this board has a skin that is not known"), "{said}");
}

#[test]
fn a_game_that_comes_a_little_later_is_waited_for() {
    let display = Display::managed();
    display.show("Notes", "editor", &blank(300, 200), (700, 40));
    let output = std::thread::scope(|scope| {
        let playing = scope.spawn(|| display.minescraper(&["play", "--dry-run"]));
        std::thread::sleep(Duration::from_secs(1));
        display.show("WineMine", "winemine.exe", &fixture("expert-fresh.png"), (40, 60));
        playing.join().unwrap()
    });
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

#[test]
fn of_two_games_it_is_said_which_is_taken_and_how_to_take_the_other() {
    let display = Display::managed();
    let behind = display.show("WineMine", "winemine.exe", &fixture("beginner-won.png"), (40, 60));
    let front = display.show("Minesweeper", "winmine", &fixture("expert-fresh.png"), (400, 60));
    for args in [&["play", "--dry-run", "--json"][..], &["advise", "--json"]] {
        let output = display.done(args);
        let said = said(&output);
        assert!(said.contains(&format!("Minesweeper (id {front}) is taken")), "{args:?}: {said}");
        assert!(said.contains(&format!("WineMine (id {behind})")), "{args:?}: {said}");
        assert!(said.contains("--window ID takes another one"), "{args:?}: {said}");
    }
    let other = display.done(&["play", "--dry-run", "--window", &behind.to_string()]);
    assert!(printed(&other).contains("the game is over"), "{}", printed(&other));
    assert_eq!(said(&other), display.way());
}

#[test]
fn a_game_that_is_covered_is_told_by_what() {
    let display = Display::managed();
    let picture = fixture("expert-fresh.png");
    display.show("WineMine", "winemine.exe", &picture, (40, 60));
    display.show(
        "Shopping list",
        "editor",
        &blank(picture.width() + 80, picture.height() + 80),
        (10, 30),
    );
    for args in [
        &["play"][..],
        &["play", "--dry-run"],
        &["play", "--window", "winemine"],
        &["play", "--dry-run", "--window", "winemine"],
        &["race"],
        &["race", "--window", "winemine"],
    ] {
        let said = display.refused(args);
        assert_eq!(said.matches("covered by 'Shopping list'").count(), 1, "{args:?}: {said}");
        assert!(!said.contains("no board"), "{args:?}: {said}");
    }
}

#[test]
fn without_a_list_of_windows_the_monitor_is_played() {
    let display = Display::bare();
    display.show("holiday.png", "viewer", &fixture("expert-fresh.png"), (40, 60));
    let output = display.done(&["play", "--dry-run"]);
    assert!(printed(&output).contains("would open"), "{}", printed(&output));
}

#[test]
fn a_dry_run_on_a_finished_game_says_so_and_what_starts_the_next_one() {
    for (picture, status) in [("beginner-won.png", "won"), ("intermediate-lost.png", "lost")] {
        let display = Display::managed();
        display.show("WineMine", "winemine.exe", &fixture(picture), (40, 60));
        let output = display.done(&["play", "--dry-run"]);
        let expected = format!("the game is over: it is {status}; would start a new one by F2\n");
        assert_eq!(printed(&output), expected);
        let json = printed(&display.done(&["play", "--dry-run", "--json"]));
        let json: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["clicks"], serde_json::json!([]));
        assert_eq!((&json["status"], &json["new_game"]), (&status.into(), &"F2".into()));
    }
}
