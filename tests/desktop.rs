//! The real desktop, on X servers of its own: Xvfb, openbox, `xev` as a window that reports what arrives,
//! and xdemineur. A missing program fails the tests.
//!
//! The display is an environment variable, which is the same for all threads of a process. So each test
//! starts a server, and then this binary once more for itself alone with `DISPLAY` set.
#![cfg(feature = "desktop")]

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use minescraper::capture::desktop::WindowInfo;
use minescraper::capture::{CaptureError, Screen, Standing};
use minescraper::desktop::Session;
use minescraper::geometry::{Px, Rect};
use minescraper::input::{Act, Button, Hands, Situation};

/// Set in the process that has the display to itself.
const ALONE: &str = "MINESCRAPER_TEST_ALONE";

/// A process that ends with the test.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(command: &mut Command) -> Started {
    Started(command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}")))
}

fn alone(test: &str) -> bool {
    std::env::var(ALONE).is_ok_and(|name| name == test)
}

/// This binary again, to run `test` alone.
fn again(test: &str) -> [String; 3] {
    let this = std::env::current_exe().unwrap();
    [this.to_str().unwrap().to_owned(), "--exact".to_owned(), test.to_owned()]
}

fn pass(test: &str, command: &mut Command) {
    let output = command.env(ALONE, test).output().unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn session() -> Session {
    Session::open(&mut |_| {}).unwrap()
}

fn windows() -> Vec<WindowInfo> {
    session().windows().unwrap().unwrap_or_default()
}

#[derive(Clone, Copy, PartialEq)]
enum Manager {
    None,
    /// Openbox that leaves clicks alone.
    Bare,
    /// Openbox as it is shipped: it holds the mouse back at each click into a window.
    Stock,
}

/// Runs `body` on a display of its own.
fn on_display(test: &str, manager: Manager, body: impl FnOnce()) {
    on_display_without(None, test, manager, body);
}

/// The same on a server that lacks an extension.
fn on_display_without(extension: Option<&str>, test: &str, manager: Manager, body: impl FnOnce()) {
    if alone(test) {
        return body();
    }
    let mut server = start(
        Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24"])
            .args(["-nolisten", "tcp", "-noreset"])
            .args(extension.into_iter().flat_map(|name| ["-extension", name]))
            .stdout(Stdio::piped())
            .stderr(Stdio::null()),
    );
    let mut number = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut number).unwrap();
    let display = format!(":{}", number.trim());
    let folder = tempfile::tempdir().unwrap();
    let _openbox = (manager != Manager::None).then(|| {
        let stock = std::fs::read_to_string("/etc/xdg/openbox/rc.xml").expect("openbox is needed");
        let clicks = stock.find("<context name=\"Client\">").unwrap();
        let end = clicks + stock[clicks..].find("</context>").unwrap() + "</context>".len();
        let config = folder.path().join("openbox.xml");
        let bare = [&stock[..clicks], &stock[end..]].concat();
        std::fs::write(&config, if manager == Manager::Stock { stock } else { bare }).unwrap();
        let manager = start(
            Command::new("openbox")
                .arg("--config-file")
                .arg(config)
                .env("DISPLAY", &display)
                .env("HOME", folder.path())
                .env("XDG_CACHE_HOME", folder.path())
                .stdout(Stdio::null())
                .stderr(Stdio::null()),
        );
        within(SOON, "openbox", || {
            let root = ["-root", "_NET_CLIENT_LIST_STACKING", "_NET_SUPPORTING_WM_CHECK"];
            let told = Command::new("xprop").env("DISPLAY", &display).args(root).output();
            let told = told.expect("xprop is needed").stdout;
            let told = String::from_utf8_lossy(&told);
            (told.matches("window id").count() >= 2).then_some(())
        });
        manager
    });
    let [this, rest @ ..] = again(test);
    pass(test, Command::new(this).args(rest).env("DISPLAY", display).env_remove("WAYLAND_DISPLAY"));
}

/// Runs `body` beside xdemineur.
fn beside_xdemineur(test: &str, body: impl FnOnce()) {
    if alone(test) {
        return body();
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/with-game.sh");
    pass(test, Command::new(script).args(["xdemineur", "expert", "--"]).args(again(test)));
}

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

const SOON: Duration = Duration::from_secs(10);

/// A window that notes which buttons it gets.
struct Tester {
    _process: Started,
    folder: tempfile::TempDir,
    info: WindowInfo,
}

impl Tester {
    fn open(title: &str, geometry: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let notes = File::create(folder.path().join("notes")).unwrap();
        let process = start(
            Command::new("stdbuf")
                .args(["-oL", "xev", "-name", title, "-geometry", geometry])
                .args(["-event", "button"])
                .stdout(notes),
        );
        let first = within(SOON, "the window of xev", || {
            xdotool(&["search", "--name", &format!("^{title}$")])
        });
        let id: u32 = first.parse().unwrap();
        // xev sets its title in the old way only.
        let info = within(SOON, "xev in the list of windows", || {
            let named = |info: &WindowInfo| info.id == id && info.title == title;
            windows().into_iter().find(named)
        });
        // The window manager may still be placing it.
        std::thread::sleep(Duration::from_millis(100));
        let info = windows().into_iter().find(|now| now.id == info.id).unwrap();
        Self { _process: process, folder, info }
    }

    fn id(&self) -> String {
        self.info.id.to_string()
    }

    /// The places on the screen of all events called `kind` so far.
    fn noted(&self, kind: &str) -> Vec<Px> {
        let notes = std::fs::read_to_string(self.folder.path().join("notes")).unwrap();
        let lines: Vec<_> = notes.lines().collect();
        let events = lines.windows(2).filter(|pair| pair[0].starts_with(kind));
        events
            .filter_map(|pair| {
                let (_, place) = pair[1].split_once("root:(")?;
                let (x, y) = place.split_once(')')?.0.split_once(',')?;
                Some(Px::new(x.parse().ok()?, y.parse().ok()?))
            })
            .collect()
    }
}

fn xdotool(arguments: &[&str]) -> Option<String> {
    let output = Command::new("xdotool").args(arguments).output();
    let output = output.expect("xdotool is needed");
    let text =
        String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned();
    output.status.success().then_some(text)
}

#[test]
fn without_a_display_there_is_a_clear_error() {
    const TEST: &str = "without_a_display_there_is_a_clear_error";
    if !alone(TEST) {
        let [this, rest @ ..] = again(TEST);
        let without = |command: &mut Command| pass(TEST, command.env_remove("WAYLAND_DISPLAY"));
        without(Command::new(&this).args(&rest).env("DISPLAY", ":987654"));
        without(Command::new(&this).args(&rest).env_remove("DISPLAY"));
        return;
    }
    let named = std::env::var("DISPLAY").ok();
    let error = Session::open(&mut |_| {}).err();
    let Some(CaptureError::NoDisplay { display, .. }) = &error else {
        panic!("{error:?}");
    };
    assert_eq!(*display, named);
    assert!(error.unwrap().to_string().contains("is a display running"));
    let said = play_refuses(&[]);
    assert!(said.contains("display"), "{said}");
}

#[test]
fn without_a_window_manager_the_monitor_can_be_looked_at() {
    on_display("without_a_window_manager_the_monitor_can_be_looked_at", Manager::None, || {
        assert_eq!(windows(), []);
        assert_eq!(session().monitors().unwrap().len(), 1);
        let mut screen = session().monitor(0).unwrap();
        assert_eq!(screen.area().unwrap(), Rect::new(0, 0, 1280, 800));
        let corner = screen.look(Rect::new(1270, 790, 100, 100)).unwrap();
        assert_eq!(corner.area(), Rect::new(1270, 790, 10, 10));
        let outside = screen.look(Rect::new(1280, 0, 10, 10));
        assert!(matches!(outside, Err(CaptureError::OutOfSight { .. })));
        let error = session().monitor(1).err().unwrap();
        assert_eq!(error.to_string(), "no monitor 1: there are 1, counted from 0");
    });
}

#[test]
fn a_wrong_name_lists_the_windows_and_a_common_one_their_ids() {
    on_display("a_wrong_name_lists_the_windows_and_a_common_one_their_ids", Manager::Bare, || {
        let first = Tester::open("Field one", "200x100+50+60");
        let second = Tester::open("Field two", "200x100+400+60");
        let error = session().window("nothing like it").err().unwrap();
        let text = error.to_string();
        assert!(text.contains("Field one") && text.contains("Field two"), "{text}");
        let error = session().window("field").err().unwrap();
        assert!(matches!(error, CaptureError::ManyWindows { .. }));
        let text = error.to_string();
        assert!(text.contains(&first.id()) && text.contains(&second.id()), "{text}");
        for wanted in ["field TWO", "two", &second.id(), &format!("{:#x}", second.info.id)] {
            let mut screen = session().window(wanted).unwrap();
            assert_eq!(screen.info().id, second.info.id);
            assert_eq!(screen.area().unwrap(), second.info.rect);
        }
    });
}

#[test]
fn a_window_is_seen_to_be_covered_moved_and_closed() {
    on_display("a_window_is_seen_to_be_covered_moved_and_closed", Manager::Bare, || {
        let below = Tester::open("Below", "300x200+50+60");
        let mut screen = session().window("below").unwrap();
        let area = screen.area().unwrap();
        assert_eq!((area.width, area.height), (300, 200));
        assert_eq!(screen.standing().unwrap(), Standing::There);
        let mut bare = screen.look(area).unwrap();
        assert_eq!(bare.area(), area);
        let soon = Instant::now() + Duration::from_millis(30);
        assert_eq!(screen.wait(&mut bare, soon).unwrap(), []);

        let dialog = Tester::open("Best time!", "150x100+700+500");
        xdotool(&["windowraise", &dialog.id()]).unwrap();
        assert_eq!(screen.standing().unwrap(), Standing::There);
        xdotool(&["windowmove", "--sync", &dialog.id(), "120", "120"]).unwrap();
        // Nothing says that it is of the same program.
        let covered = Standing::Covered { by: "Best time!".to_owned(), own: false };
        within(SOON, "covered", || (screen.standing().unwrap() == covered).then_some(()));
        let changed = screen.wait(&mut bare, Instant::now() + SOON).unwrap();
        assert!(!changed.is_empty(), "a dialog in front shows in the picture");

        xdotool(&["windowraise", &below.id()]).unwrap();
        within(SOON, "uncovered", || (screen.standing().unwrap() == Standing::There).then_some(()));
        drop(dialog);

        xdotool(&["windowmove", "--sync", &below.id(), "400", "300"]).unwrap();
        let to = within(SOON, "moved", || match screen.standing().unwrap() {
            Standing::Moved(to) => Some(to),
            _ => None,
        });
        assert_eq!((to.width, to.height), (300, 200));
        assert_eq!(screen.area().unwrap(), to);
        assert_eq!(screen.standing().unwrap(), Standing::There);

        xdotool(&["windowminimize", &below.id()]).unwrap();
        within(SOON, "minimised", || (screen.standing().unwrap() == Standing::Gone).then_some(()));
        assert!(matches!(screen.look(to), Err(CaptureError::WindowGone { .. })));
        xdotool(&["windowactivate", &below.id()]).unwrap();
        within(SOON, "back", || (screen.standing().unwrap() == Standing::There).then_some(()));
        drop(below);
        within(SOON, "closed", || (screen.standing().unwrap() == Standing::Gone).then_some(()));
        let error = screen.look(to).err().unwrap();
        assert!(matches!(&error, CaptureError::WindowGone { title } if title == "Below"));
        assert!(matches!(screen.area(), Err(CaptureError::WindowGone { .. })));
    });
}

#[test]
fn fast_clicks_all_arrive_at_the_very_pixel() {
    on_display("fast_clicks_all_arrive_at_the_very_pixel", Manager::Bare, || {
        let tester = Tester::open("Clicks", "400x300+100+100");
        let rect = tester.info.rect;
        let mut hands = session().hands(None).unwrap();
        let sent: Vec<_> = (0..50).map(|n| Px::new(rect.x + 7 * n, rect.y + 5 * n)).collect();
        for (n, &at) in sent.iter().enumerate() {
            let button = [Button::Left, Button::Middle, Button::Right][n % 3];
            hands.click(button, at).unwrap();
        }
        within(SOON, "50 clicks", || (tester.noted("ButtonRelease").len() == 50).then_some(()));
        assert_eq!(tester.noted("ButtonPress"), sent);
        assert_eq!(tester.noted("ButtonRelease"), sent);
    });
}

#[test]
fn where_no_click_is_held_back_a_burst_arrives_in_full() {
    on_display("where_no_click_is_held_back_a_burst_arrives_in_full", Manager::Bare, || {
        let tester = Tester::open("Clicks", "400x300+100+100");
        let rect = tester.info.rect;
        let mut hands = session().hands(None).unwrap();
        let sent: Vec<_> = (0..50).map(|n| Px::new(rect.x + 7 * n, rect.y + 5 * n)).collect();
        assert!(!hands.takes_bursts(), "nothing is known yet");
        hands.click(Button::Left, sent[0]).unwrap();
        assert!(hands.takes_bursts());
        let clicks = sent[1..].iter().flat_map(|&at| Act::click(Button::Right, at));
        let burst: Vec<Act> = clicks.chain([Act::Move(rect.centre())]).collect();
        let landed = hands.act(rect.centre(), &burst, &mut |_| true).unwrap();
        assert_eq!(landed, Some(rect.centre()));
        assert!(hands.takes_bursts());
        within(SOON, "50 clicks", || (tester.noted("ButtonRelease").len() == 50).then_some(()));
        assert_eq!(tester.noted("ButtonPress"), sent);
        assert_eq!(tester.noted("ButtonRelease"), sent);
    });
}

#[test]
fn a_click_that_is_held_back_is_released_where_it_was_pressed() {
    const TEST: &str = "a_click_that_is_held_back_is_released_where_it_was_pressed";
    on_display(TEST, Manager::Stock, || {
        let tester = Tester::open("Clicks", "400x300+100+100");
        let rect = tester.info.rect;
        let mut hands = session().hands(None).unwrap();
        let sent: Vec<_> = (0..50).map(|n| Px::new(rect.x + 7 * n, rect.y + 5 * n)).collect();
        for &at in &sent {
            hands.click(Button::Left, at).unwrap();
            assert!(!hands.takes_bursts(), "the click at {at} was held back");
            // It waits until the click is over.
            let pointer = |found: Option<Px>| assert_eq!(found, Some(at));
            let mut ask = |now: &Situation| {
                pointer(now.pointer);
                true
            };
            hands.act(at, &[Act::Move(rect.centre())], &mut ask).unwrap();
        }
        within(SOON, "50 clicks", || (tester.noted("ButtonRelease").len() == 50).then_some(()));
        assert_eq!(tester.noted("ButtonPress"), sent);
        assert_eq!(tester.noted("ButtonRelease"), sent);
    });
}

#[test]
fn a_pressed_button_is_let_go_after_a_panic() {
    on_display("a_pressed_button_is_let_go_after_a_panic", Manager::Bare, || {
        let tester = Tester::open("Held", "200x200+100+100");
        let at = tester.info.rect.centre();
        let panicked = std::panic::catch_unwind(|| {
            let mut hands = session().hands(None).unwrap();
            let press = [Act::Move(at), Act::Press(Button::Left)];
            hands.act(at, &press, &mut |_| true).unwrap();
            panic!("on purpose, with the button held");
        });
        assert!(panicked.is_err());
        within(SOON, "the release", || (tester.noted("ButtonRelease") == [at]).then_some(()));
        assert_eq!(tester.noted("ButtonPress"), [at]);
    });
}

#[test]
fn a_click_on_a_cell_of_xdemineur_changes_that_cell() {
    beside_xdemineur("a_click_on_a_cell_of_xdemineur_changes_that_cell", || {
        let mut screen = session().window("xdemineur").unwrap();
        assert_eq!(screen.info().title, "xd\u{e9}mineur");
        assert!(screen.info().app.contains("mineur"));
        let window = screen.area().unwrap();
        let mut hands = session().hands(None).unwrap();
        // The cells of 21 pixels begin about 15 right of and 80 below the corner of the window.
        let cell = |col: i32, row: i32| {
            Rect::new(window.x + 15 + 21 * col, window.y + 80 + 21 * row, 21, 21)
        };
        let mut flagged = 0;
        for col in 0..30 {
            let cell = cell(col, 8);
            let before = screen.look(cell.moved(-21, 0)).unwrap();
            let mut here = screen.look(cell).unwrap();
            hands.click(Button::Right, cell.centre()).unwrap();
            // An opened cell takes no flag.
            let deadline = Instant::now() + Duration::from_millis(200);
            if !screen.wait(&mut here, deadline).unwrap().is_empty() {
                flagged += 1;
                let neighbour = screen.look(cell.moved(-21, 0)).unwrap();
                assert_eq!(neighbour, before, "the cell beside is left alone");
            }
        }
        assert!(flagged >= 5, "{flagged} of 30 clicks showed");
    });
}

/// What `play` says of a window that it cannot play, in a process of its own.
fn play_refuses(options: &[&str]) -> String {
    let play = Command::new(env!("CARGO_BIN_EXE_minescraper")).arg("play").args(options).output();
    let output = play.unwrap();
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_window_smaller_than_its_board_is_not_played() {
    beside_xdemineur("a_window_smaller_than_its_board_is_not_played", || {
        let mut screen = session().window("xdemineur").unwrap();
        let id = screen.info().id.to_string();
        let beyond_the_screen = screen.area().unwrap().moved(700, 0);
        let (x, y) = (beyond_the_screen.x.to_string(), beyond_the_screen.y.to_string());
        for cut in [
            // The window manager respects the least size of a window.
            vec!["xprop", "-id", &id, "-remove", "WM_NORMAL_HINTS"],
            vec!["xdotool", "windowsize", "--sync", &id, "400", "300"],
            vec!["xdotool", "windowsize", "--sync", &id, "661", "432"],
            vec!["xdotool", "windowmove", "--sync", &id, &x, &y],
        ] {
            assert!(Command::new(cut[0]).args(&cut[1..]).status().unwrap().success());
            std::thread::sleep(Duration::from_millis(300));
            let whole = screen.area().unwrap();
            if whole.width == 661 && whole.right() <= 1280 {
                continue;
            }
            let before = screen.look(whole).unwrap();
            let said = play_refuses(&[]);
            assert!(said.contains("go on at its right"), "{said}");
            assert_eq!(screen.look(whole).unwrap(), before, "nothing was clicked");
        }
    });
}

#[test]
fn play_names_the_windows_when_it_cannot_choose() {
    on_display("play_names_the_windows_when_it_cannot_choose", Manager::Bare, || {
        assert!(play_refuses(&[]).contains("no"), "no window at all");
        let first = Tester::open("Mines one", "200x100+50+60");
        let second = Tester::open("Mines two", "200x100+400+60");
        let said = play_refuses(&["--window", "mines"]);
        assert!(said.contains(&first.id()) && said.contains(&second.id()), "{said}");
        let said = play_refuses(&["--window", "chess"]);
        assert!(said.contains("Mines one") && said.contains("Mines two"), "{said}");
    });
}

/// What `read` says of the board in a window.
fn read_window(id: &str) -> String {
    let read = [&*env!("CARGO_BIN_EXE_minescraper"), "read", "--window", id];
    let output = Command::new(read[0]).args(&read[1..]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_window_that_is_only_read_may_be_covered_or_off_the_screen() {
    beside_xdemineur("a_window_that_is_only_read_may_be_covered_or_off_the_screen", || {
        let mut in_sight = session().window("xdemineur").unwrap();
        let id = in_sight.info().id.to_string();
        let area = in_sight.area().unwrap();
        // xdemineur opens a region by itself, so its board shows more than one kind of cell.
        let below_face = |window: Rect| Rect::new(window.x, window.y + 75, 661, 357);
        let field = below_face(area);
        let mut shown = in_sight.look(field).unwrap();
        within(SOON, "the picture to stand still", || {
            let soon = Instant::now() + Duration::from_millis(100);
            in_sight.wait(&mut shown, soon).unwrap().is_empty().then_some(())
        });
        let board = read_window(&id);
        assert!(board.lines().any(|row| row.len() == 30 && row.contains('0')), "{board}");

        let cover = Tester::open("Cover", "300x200+700+550");
        let (x, y) = ((area.x + 150).to_string(), (area.y + 120).to_string());
        xdotool(&["windowmove", "--sync", &cover.id(), &x, &y]).unwrap();
        xdotool(&["windowraise", &cover.id()]).unwrap();
        let covered = Standing::Covered { by: "Cover".to_owned(), own: false };
        within(SOON, "covered", || (in_sight.standing().unwrap() == covered).then_some(()));
        assert_ne!(in_sight.look(field).unwrap(), shown, "who clicks sees what covers it");

        let mut screen = session().window_to_read("xdemineur").unwrap();
        assert_eq!(screen.area().unwrap(), area);
        assert_eq!(screen.look(area).unwrap().area(), area);
        assert!(screen.look(field).unwrap() == shown, "the same pixels as with nothing in front");
        assert_eq!(screen.standing().unwrap(), Standing::There);
        let cell = Rect::new(area.x + 15, area.y + 80, 21, 21);
        assert!(screen.look(cell).unwrap() == shown.crop(cell).unwrap());
        assert_eq!(read_window(&id), board);
        assert_eq!(in_sight.standing().unwrap(), covered, "it is shown as before");

        // Beyond the right and the lower edge, as one that is open already and as one that is opened there.
        xdotool(&["windowmove", "--sync", &id, "900", "600"]).unwrap();
        let off = within(SOON, "off the screen", || {
            screen.area().ok().filter(|now| now.right() > 1280 && now.bottom() > 800)
        });
        let mut opened_there = session().window_to_read("xdemineur").unwrap();
        for screen in [&mut screen, &mut opened_there] {
            assert_eq!(screen.look(off).unwrap().area(), off);
            let frame = screen.look(below_face(off)).unwrap();
            assert!(frame.pixels == shown.pixels, "the same pixels as on the screen");
        }
        assert_eq!(read_window(&id), board);

        xdotool(&["windowminimize", &id]).unwrap();
        within(SOON, "minimised", || (screen.standing().unwrap() == Standing::Gone).then_some(()));
        for error in
            [screen.area().err(), screen.look(off).err(), session().window_to_read(&id).err()]
        {
            assert!(matches!(error, Some(CaptureError::WindowGone { .. })), "{error:?}");
        }
    });
}

#[test]
fn a_covered_window_that_is_resized_is_read_at_its_new_size() {
    const TEST: &str = "a_covered_window_that_is_resized_is_read_at_its_new_size";
    on_display(TEST, Manager::Bare, || {
        let below = Tester::open("Below", "300x200+50+60");
        let cover = Tester::open("Cover", "150x100+700+500");
        xdotool(&["windowmove", "--sync", &cover.id(), "120", "120"]).unwrap();
        xdotool(&["windowraise", &cover.id()]).unwrap();
        let mut screen = session().window_to_read("below").unwrap();
        let area = screen.area().unwrap();
        let mut frame = screen.look(area).unwrap();
        assert_eq!(frame.area(), area);
        xdotool(&["windowsize", "--sync", &below.id(), "200", "150"]).unwrap();
        let smaller = Rect { width: 200, height: 150, ..area };
        within(SOON, "smaller", || {
            (screen.standing().unwrap() == Standing::Moved(smaller)).then_some(())
        });
        assert_eq!(screen.look(area).unwrap().area(), smaller);
        assert_eq!(screen.wait(&mut frame, Instant::now()).unwrap(), [smaller]);
        assert_eq!(screen.area().unwrap(), smaller);
        assert_eq!(screen.standing().unwrap(), Standing::There);
        drop(below);
        within(SOON, "closed", || (screen.standing().unwrap() == Standing::Gone).then_some(()));
        assert!(matches!(screen.look(smaller), Err(CaptureError::WindowGone { .. })));
    });
}

#[test]
fn a_server_that_keeps_no_windows_shows_what_is_in_sight() {
    const TEST: &str = "a_server_that_keeps_no_windows_shows_what_is_in_sight";
    on_display_without(Some("Composite"), TEST, Manager::Bare, || {
        let _below = Tester::open("Below", "300x200+50+60");
        let cover = Tester::open("Cover", "150x100+700+500");
        xdotool(&["windowmove", "--sync", &cover.id(), "120", "120"]).unwrap();
        xdotool(&["windowraise", &cover.id()]).unwrap();
        let mut screen = session().window_to_read("below").unwrap();
        let area = screen.area().unwrap();
        assert!(matches!(screen.standing().unwrap(), Standing::Covered { .. }));
        assert_eq!(screen.look(area).unwrap().pixels, plain(area));
    });
}

/// The same area through `xcap` alone.
fn plain(area: Rect) -> image::RgbImage {
    let monitor = xcap::Monitor::all().unwrap().remove(0);
    let (x, y) = (area.x as u32, area.y as u32);
    let copied = monitor.capture_region(x, y, area.width, area.height).unwrap();
    image::DynamicImage::ImageRgba8(copied).into_rgb8()
}

/// Every kind of look shows exactly what `xcap` shows, while a window is painted, moved and covered.
fn frames_are_the_same() {
    let mut monitor = session().monitor(0).unwrap();
    let all = monitor.area().unwrap();
    let tester = Tester::open("Painted", "301x203+51+63");
    let mut window = session().window("Painted").unwrap();
    let area = window.area().unwrap();
    for part in [all, area, Rect::new(1, 2, 3, 1), Rect::new(area.x - 5, area.y + 7, 99, 31)] {
        let frame = monitor.look(part).unwrap();
        assert_eq!((frame.area(), &frame.pixels), (part, &plain(part)));
    }
    let mut frame = monitor.look(all).unwrap();
    for n in 0..6 {
        let place = (300 + 37 * n).to_string();
        xdotool(&["windowmove", "--sync", &tester.id(), &place, "250"]).unwrap();
        // Everything that changed is told, and nothing is left out of the frame.
        let before = frame.clone();
        let mut changed = monitor.wait(&mut frame, Instant::now() + SOON).unwrap();
        assert!(!changed.is_empty());
        within(SOON, "the picture to stand still", || {
            let soon = Instant::now() + Duration::from_millis(50);
            let more = monitor.wait(&mut frame, soon).unwrap();
            changed.extend_from_slice(&more);
            more.is_empty().then_some(())
        });
        assert_eq!(frame.pixels, plain(all));
        for (x, y, pixel) in frame.pixels.enumerate_pixels() {
            let at = Px::new(x as i32, y as i32);
            let told = changed.iter().any(|area| area.contains(at));
            assert!(told || before.pixels.get_pixel(x, y) == pixel, "{at} changed");
        }
        assert!(monitor.still_shows(&frame, all).unwrap());
    }
    let rect = windows().into_iter().find(|info| info.id == tester.info.id).unwrap().rect;
    let shown = frame.clone();
    xdotool(&["windowmove", "--sync", &tester.id(), "20", "20"]).unwrap();
    within(SOON, "a peek to see it", || {
        (!monitor.still_shows(&shown, rect).unwrap()).then_some(())
    });
}

#[test]
fn the_short_way_shows_the_same_as_the_long_one() {
    const TEST: &str = "the_short_way_shows_the_same_as_the_long_one";
    on_display(TEST, Manager::Bare, frames_are_the_same);
}

#[test]
fn a_server_without_shared_memory_or_damage_is_looked_at_the_long_way() {
    const TEST: &str = "a_server_without_shared_memory_or_damage_is_looked_at_the_long_way";
    for lacks in ["MIT-SHM", "DAMAGE"] {
        on_display_without(Some(lacks), TEST, Manager::Bare, frames_are_the_same);
    }
}
