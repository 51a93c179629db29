//! Whole games in the windows of real Minesweepers, each on a display of its own. How a game ended is checked
//! by something other than the reader: a dialog or the face of the game, or a board whose mines the test chose.
//!
//! A missing game fails its test. The recording of a session that fails is kept, and named.
#![cfg(feature = "desktop")]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use image::RgbImage;
use minescraper::Skin;
use minescraper::board::{Board, Cell, Pos, Status, text};
use minescraper::lab::replay::{Case, Difference, Saved};
use minescraper::recognize::Reader;
use serde_json::Value;
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ChangeWindowAttributesAux, ConnectionExt as _, EventMask, Window,
};

/// A real game on a display of its own; both end with it.
struct Game {
    name: String,
    script: Child,
    display: String,
}

impl Game {
    fn start(wm: &str, name: &str, level: &str, env: &[(&str, &str)]) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/with-game.sh");
        let mut script = Command::new(script)
            .args(["--wm", wm, name, level])
            .envs(env.iter().copied())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut display = String::new();
        BufReader::new(script.stdout.take().unwrap()).read_line(&mut display).unwrap();
        let display = display.trim().to_owned();
        assert!(!display.is_empty(), "{name} {level} under {wm} did not start");
        Self { name: format!("{name} {level} under {wm}"), script, display }
    }

    /// Runs `play` with these options; what it records and prints is kept in `folder`.
    fn minescraper(&self, folder: &Path, options: &str) -> String {
        let output = Command::new("timeout")
            .args(["300", env!("CARGO_BIN_EXE_minescraper"), "play"])
            .args(options.split_whitespace())
            .env("DISPLAY", &self.display)
            .env("XDG_DATA_HOME", folder.join("data"))
            .env_remove("WAYLAND_DISPLAY")
            .current_dir(folder)
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            output.status.success(),
            "{}, {options}: {}{printed}\nthe recording is {}",
            self.name,
            String::from_utf8_lossy(&output.stderr),
            folder.display()
        );
        printed
    }

    fn play(&self, options: &str) -> Played {
        let folder = tempfile::tempdir().unwrap().keep();
        let json = self.minescraper(&folder, &format!("--json --record record {options}"));
        let summary: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(summary["misreads"], 0, "{summary}; the recording is {}", folder.display());
        let played = Played { folder, summary };
        played.all_ended();
        played.every_frame_is_found();
        played
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.script.id().to_string()).status();
        let _ = self.script.wait();
    }
}

/// A session of real games that was played to its end.
struct Played {
    folder: PathBuf,
    summary: Value,
}

impl Played {
    fn outcomes(&self) -> Vec<&str> {
        let outcomes = self.summary["outcomes"].as_array().unwrap();
        outcomes.iter().filter_map(Value::as_str).collect()
    }

    fn all_ended(&self) {
        let ended = self.outcomes();
        assert!(!ended.is_empty(), "the recording is {}", self.folder.display());
        let is_over = |outcome: &&str| ["won", "lost"].contains(outcome);
        assert!(ended.iter().all(is_over), "{ended:?}; the recording is {}", self.folder.display());
    }

    /// In every frame in which nothing hid the board, it is found again, whatever was open; and in those of a game that
    /// was over, it shows what the player saw who had followed the game. Before that cells may be half painted, and
    /// counters, which a win may be told by, are at any time. Where a number is not yet painted, a blank is beside covered
    /// cells: no game looks so, and nothing has to be found.
    fn every_frame_is_found(&self) {
        let reader = Reader::new(Skin::shipped());
        for picture in Saved::at(&self.folder.join("record")).unwrap().pictures {
            let case = Case::open(&picture).unwrap();
            let is_hidden = case.board.count(|cell| cell == Cell::Unclear) > 0;
            if is_hidden || has_blank_beside_unopened(&case.board) {
                continue;
            }
            let is_over = case.status.is_some_and(Status::is_over);
            let mut wrong = case.differences(case.find(&reader).unwrap().as_ref());
            wrong.retain(|difference| match difference {
                Difference::NoBoard | Difference::Size { .. } => true,
                Difference::Cell { .. } => is_over,
                Difference::Mines { .. } | Difference::Status { .. } => false,
            });
            assert!(wrong.is_empty(), "{}: {wrong:?}", picture.display());
        }
    }

    /// Whether the last game showed numbers by which themes are told; each game may begin in another one.
    fn shows_more_than_twos(&self) -> bool {
        let pictures = Saved::at(&self.folder.join("record")).unwrap().pictures;
        pictures.iter().fold(false, |shown, picture| {
            let board = Case::open(picture).unwrap().board;
            let is_new = board.count(|cell| cell.number().is_some()) == 0;
            let shows = board.count(|cell| cell.number().is_some_and(|number| number > 2)) > 0;
            (shown && !is_new) || shows
        })
    }

    fn done(self) {
        std::fs::remove_dir_all(&self.folder).unwrap();
    }
}

fn has_blank_beside_unopened(board: &Board) -> bool {
    let is_unopened = |pos: Pos| board[pos].is_unopened();
    board.iter().any(|(pos, cell)| cell == Cell::open(0) && board.neighbours(pos).any(is_unopened))
}

/// The windows on a display that were given a title like this, however short they lived: the player may close a dialog
/// at once.
struct Dialogs(Arc<Mutex<BTreeSet<Window>>>);

impl Dialogs {
    fn watch(display: &str, title: &'static str) -> Self {
        let (connection, screen) = x11rb::connect(Some(display)).unwrap();
        let root = connection.setup().roots[screen].root;
        let children = ChangeWindowAttributesAux::new().event_mask(EventMask::SUBSTRUCTURE_NOTIFY);
        connection.change_window_attributes(root, &children).unwrap().check().unwrap();
        let new_title = connection.intern_atom(false, b"_NET_WM_NAME").unwrap();
        let titles = [new_title.reply().unwrap().atom, AtomEnum::WM_NAME.into()];
        let noted = Arc::new(Mutex::new(BTreeSet::new()));
        let told = Arc::clone(&noted);
        thread::spawn(move || {
            let note = |window: Window, property: Atom| {
                let asked =
                    connection.get_property(false, window, property, AtomEnum::ANY, 0, 64).ok();
                let value = asked.and_then(|asked| asked.reply().ok());
                let value = value.map(|property| property.value).unwrap_or_default();
                if String::from_utf8_lossy(&value).contains(title) {
                    told.lock().unwrap().insert(window);
                }
            };
            // Until the display ends.
            while let Ok(event) = connection.wait_for_event() {
                match event {
                    Event::CreateNotify(created) => {
                        let changes = EventMask::PROPERTY_CHANGE;
                        let changes = ChangeWindowAttributesAux::new().event_mask(changes);
                        // A window that is gone by now gets an error, which comes as an event.
                        let _ = connection.change_window_attributes(created.window, &changes);
                        // It may have had its title before it was listened to.
                        titles.into_iter().for_each(|property| note(created.window, property));
                    }
                    Event::PropertyNotify(changed) => note(changed.window, changed.atom),
                    _ => {}
                }
            }
        });
        Self(noted)
    }

    fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

/// A win so fast may count as one in no time at all, which is no score.
const NO_TIME: f64 = 2.0;

/// Plays and checks that the game's own dialog with a title like `title` came up once for each game that is said to be
/// won, unless that was in no time, and for no other.
fn dialog_agrees(name: &str, title: &'static str, (wm, level, options): (&str, &str, &str)) {
    let game = Game::start(wm, name, level, &[]);
    let dialogs = Dialogs::watch(&game.display, title);
    let played = game.play(options);
    let seconds = played.summary["seconds"].as_array().unwrap();
    let seconds = seconds.iter().filter_map(Value::as_f64);
    let outcomes = played.outcomes();
    let won = outcomes.iter().zip(seconds).filter(|&(&outcome, _)| outcome == "won");
    let won: Vec<f64> = won.map(|(_, seconds)| seconds).collect();
    let scores = won.iter().filter(|&&seconds| seconds >= NO_TIME).count();
    // The dialog of the last game may still be on its way.
    let deadline = Instant::now() + Duration::from_secs(10);
    while dialogs.count() < scores && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(50));
    }
    thread::sleep(Duration::from_millis(1500));
    let came = dialogs.count();
    assert!(
        (scores..=won.len()).contains(&came),
        "{title} came up {came} times: {}; the recording is {}",
        played.summary,
        played.folder.display()
    );
    drop(game);
    played.done();
}

/// The face of a game that ended so, cut from a labelled screenshot, and how far down in its window it is.
fn face(game: &str, end: &str) -> (RgbImage, u32) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("calibration").join(game);
    let label = std::fs::read_to_string(folder.join(format!("{end}.txt"))).unwrap();
    let start = format!("face={end}@");
    let note = label.split_whitespace().find_map(|word| word.strip_prefix(&start)).unwrap();
    let numbers: Vec<u32> = note.split(',').map(|number| number.parse().unwrap()).collect();
    let picture = image::open(folder.join(format!("{end}.png"))).unwrap().to_rgb8();
    let [x, y, width, height] = numbers[..] else { panic!("{note} is no box") };
    (image::imageops::crop_imm(&picture, x, y, width, height).to_image(), y)
}

/// Plays and checks that the face of the game, looked at once more afterwards, is the one of the end that is
/// reported for the last game, and not the other.
fn face_agrees(name: &str, (wm, level, options): (&str, &str, &str)) {
    let game = Game::start(wm, name, level, &[]);
    let played = game.play(options);
    // A game may paint its face after its board.
    thread::sleep(Duration::from_millis(500));
    game.minescraper(&played.folder, "--dry-run --record after");
    let window = image::open(played.folder.join("after/0000.png")).unwrap().to_rgb8();
    for end in ["won", "lost"] {
        let (face, y) = face(name, end);
        let (width, height) = face.dimensions();
        // Where the middle is depends on the window, which may be wider than its game.
        let worn = (0..=window.width() - width)
            .any(|x| image::imageops::crop_imm(&window, x, y, width, height).to_image() == face);
        let reported = played.outcomes().last() == Some(&end);
        assert_eq!(worn, reported, "{name} {end}: {}", played.folder.display());
    }
    played.done();
}

/// Window manager, level and options of `play`, so that every game is played at both sizes, in every style, under
/// openbox as it is shipped (stock) and without its bindings of clicks (bare).
const SESSIONS: [(&str, &str, &str); 4] = [
    ("stock", "beginner", "--games 3"),
    ("bare", "beginner", "--games 2 --style chords"),
    ("stock", "expert", ""),
    ("bare", "expert", "--style flags"),
];

// WineMine's name dialog would be no proof: a win within its first second brings none.
#[test]
fn winemine_wears_the_face_of_its_end() {
    SESSIONS.into_iter().for_each(|session| face_agrees("winemine", session));
}

#[test]
fn xdemineur_wears_the_face_of_its_end() {
    SESSIONS.into_iter().for_each(|session| face_agrees("xdemineur", session));
}

#[test]
fn gnome_mines_congratulates_exactly_when_it_is_won() {
    SESSIONS
        .into_iter()
        .for_each(|session| dialog_agrees("gnome-mines", "Congratulations", session));
}

#[test]
fn kmines_lists_a_high_score_exactly_when_it_is_won() {
    SESSIONS.into_iter().for_each(|session| dialog_agrees("kmines", "High Scores", session));
}

#[test]
fn every_cell_read_in_sgt_mines_is_what_the_known_board_has_there() {
    SESSIONS.into_iter().for_each(known_board_agrees);
}

/// A board of which no mine is near `first`, always the same.
fn known_mines((cols, rows, mines): (u16, u16, usize), first: Pos) -> Vec<Pos> {
    let mut laid = Vec::new();
    let mut state = 7_u32;
    while laid.len() < mines {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let pos = Pos::new((state >> 24) as u16 % cols, (state >> 16) as u16 % rows);
        if pos != first && !pos.touches(first) && !laid.contains(&pos) {
            laid.push(pos);
        }
    }
    laid
}

/// A board of so many columns and rows with these mines and one cell opened, as Simon Tatham's Mines takes it.
fn in_sgt_notation((cols, rows): (u16, u16), mines: &[Pos], first: Pos) -> String {
    let mut hex = String::new();
    for four in 0..(cols * rows).div_ceil(4) {
        let is_mine = |n: u16| mines.contains(&Pos::new(n % cols, n / cols));
        let nibble = (0..4).fold(0, |bits, n| bits << 1 | u32::from(is_mine(four * 4 + n)));
        hex += &format!("{nibble:x}");
    }
    format!("{cols}x{rows}n{}:{},{},u{hex}", mines.len(), first.col, first.row)
}

/// Plays a board with known mines and checks every frame of the recording against them, and the end as well.
fn known_board_agrees((wm, level, options): (&str, &str, &str)) {
    let size = if level == "expert" { (30, 16, 99) } else { (9, 9, 10) };
    let first = Pos::new(4, 4);
    let mines = known_mines(size, first);
    let (cols, rows) = (size.0, size.1);
    let board = in_sgt_notation((cols, rows), &mines, first);
    let options = options.replace("--games 3", "").replace("--games 2", "");
    let played = Game::start(wm, "sgt-mines", level, &[("MINES_BOARD", &board)]).play(&options);
    let mut frames = 0;
    for entry in std::fs::read_dir(played.folder.join("record")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        frames += 1;
        let (board, _) = text::parse(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for (pos, cell) in board.iter() {
            let around = board.neighbours(pos).filter(|near| mines.contains(near)).count();
            let is_right = match cell {
                Cell::Open(_) => {
                    !mines.contains(&pos) && cell.number().map(usize::from) == Some(around)
                }
                Cell::Mine | Cell::Burst | Cell::Flagged => mines.contains(&pos),
                Cell::Covered | Cell::Unclear => true,
                _ => false,
            };
            assert!(is_right, "{pos} of {}: {:?}", path.display(), cell);
        }
    }
    assert!(frames > 3, "{frames} frames");
    let decisions = std::fs::read_to_string(played.folder.join("record/decisions.jsonl")).unwrap();
    let hit = decisions.lines().any(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        let steps = line["clicks"]["steps"].as_array().cloned().unwrap_or_default();
        steps.iter().any(|step| {
            let at = |name: &str| step[name].as_u64().unwrap() as u16;
            step["action"] == "open" && mines.contains(&Pos::new(at("col"), at("row")))
        })
    });
    let expected = if hit { "lost" } else { "won" };
    assert_eq!(played.outcomes(), [expected], "{}", played.folder.display());
    played.done();
}

/// The mines of a corner that no number touches are left when all others are proven: told of one mine less, the player
/// takes the last cell for safe.
#[test]
fn a_mine_in_a_proven_cell_is_named_with_its_pictures_and_fails() {
    // It is opened before the others, which would win the game.
    let corner = Pos::new(0, 0);
    let mines = [(0, 0), (1, 0), (0, 1), (1, 1), (7, 1), (1, 7), (7, 7)];
    let mines = mines.map(|(col, row)| Pos::new(col, row));
    let board = in_sgt_notation((9, 9), &mines, Pos::new(4, 4));
    for recorded in [false, true] {
        let game = Game::start("bare", "sgt-mines", "beginner", &[("MINES_BOARD", &board)]);
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("record");
        let mut play = Command::new("timeout");
        play.args(["60", env!("CARGO_BIN_EXE_minescraper"), "play", "--mines", "6", "--json"])
            .env("DISPLAY", &game.display)
            .env("XDG_DATA_HOME", folder.path().join("data"))
            .env_remove("WAYLAND_DISPLAY");
        if recorded {
            play.arg("--record").arg(&record);
        }
        let output = play.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{said}");
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&summary["proven_mines"], &summary["losses"]), (&1.into(), &1.into()));
        let kept = match recorded {
            true => record,
            false => folder.path().join("data/minescraper/losses/0001"),
        };
        assert!(said.contains(&format!("at cell {corner}, proven to be safe")), "{said}");
        assert!(said.contains(&kept.display().to_string()), "{said}");
        let pictures = Saved::at(&kept).unwrap().pictures;
        let seen = pictures.iter().map(|picture| Case::open(picture).unwrap().board[corner]);
        let seen: Vec<Cell> = seen.collect();
        assert!(seen.ends_with(&[Cell::Burst]), "{seen:?}");
        let went_off = seen.iter().position(|&cell| cell == Cell::Burst);
        assert_eq!(went_off.map(|nth| seen[nth - 1]), Some(Cell::Covered), "{seen:?}");
    }
}

/// A fresh board of GNOME Mines looks the same in each of its themes, and ones and twos nearly so; the skin is told by the
/// other numbers.
fn theme_is_played_with_its_own_skin(game: &str, variable: &str, theme: &str) {
    let mut told = 0;
    for (wm, level, options) in SESSIONS {
        let played = Game::start(wm, game, level, &[(variable, theme)]).play(options);
        if played.shows_more_than_twos() {
            let (skin, folder) = (format!("{game}-{theme}"), played.folder.display());
            assert_eq!(played.summary["skin"], skin, "the recording is {folder}");
            told += 1;
        }
        played.done();
    }
    assert!(told > 0, "no session of {game}, theme {theme}, showed a three");
}

#[test]
fn the_theme_classic_of_gnome_mines_is_played_with_its_own_skin() {
    theme_is_played_with_its_own_skin("gnome-mines", "GNOME_THEME", "classic");
}

#[test]
fn the_theme_bgcolors_of_gnome_mines_is_played_with_its_own_skin() {
    theme_is_played_with_its_own_skin("gnome-mines", "GNOME_THEME", "bgcolors");
}

#[test]
fn the_theme_classic_of_kmines_is_played_with_its_own_skin() {
    theme_is_played_with_its_own_skin("kmines", "KMINES_THEME", "classic");
}
