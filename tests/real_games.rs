//! Whole games in the windows of real Minesweepers, each on a display of its own. How a game ended is checked
//! by something other than the reader: a dialog or the face of the game, or a board whose mines the test chose.
//!
//! A missing game fails its test. The recording of a session that fails is kept, and named.
#![cfg(feature = "desktop")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use image::RgbImage;
use minescraper::board::{Cell, Pos, text};
use serde_json::Value;

/// A session of real games that was played to its end.
struct Played {
    folder: PathBuf,
    summary: Value,
    /// What was said beside it.
    said: String,
}

/// Plays `game` with these options of `play`.
fn play(wm: &str, game: &str, level: &str, options: &str, env: &[(&str, &str)]) -> Played {
    play_beside("true", wm, game, level, options, env, "true")
}

/// Plays `game` with these options of `play`; the shell runs `before` and `after` it beside the game.
fn play_beside(
    before: &str,
    wm: &str,
    game: &str,
    level: &str,
    options: &str,
    env: &[(&str, &str)],
    after: &str,
) -> Played {
    // One game at a time: they would take each other's time, and look slower than they are.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().unwrap().keep();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/with-game.sh");
    let inner = format!(
        "{before}; timeout 300 \"$0\" play --json --record \"$1/record\" {options} >\"$1/json\" \
         || exit $?; {after}"
    );
    let output = Command::new(script)
        .args(["--wm", wm, game, level, "--", "bash", "-c", &inner])
        .arg(env!("CARGO_BIN_EXE_minescraper"))
        .arg(&folder)
        .envs(env.iter().copied())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{game} {level} under {wm}, {options}: {}{}\nthe recording is {}",
        String::from_utf8_lossy(&output.stderr),
        String::from_utf8_lossy(&output.stdout),
        folder.display()
    );
    let json = std::fs::read_to_string(folder.join("json")).unwrap();
    let summary: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(summary["misreads"], 0, "{summary}; the recording is {}", folder.display());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Played { folder, summary, said }
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

    fn done(self) {
        std::fs::remove_dir_all(&self.folder).unwrap();
    }
}

/// A win so fast may count as one in no time at all, which is no score.
const NO_TIME: f64 = 2.0;

/// Plays and checks that the game's own dialog with a title like `title` came up when a game is said to be won, unless
/// that was in no time, and only then. The player may close it, so it is watched for all the time.
fn dialog_agrees(game: &str, title: &str, (wm, level, options): (&str, &str, &str)) {
    let watch = format!("while sleep 0.05; do xwininfo -root -tree | grep '{title}'; done");
    let before = format!("({watch}) & watch=$!; trap 'kill $watch' EXIT");
    let played = play_beside(&before, wm, game, level, options, &[], "sleep 1.5");
    played.all_ended();
    let seconds = played.summary["seconds"].as_array().unwrap();
    let seconds = seconds.iter().filter_map(Value::as_f64);
    let outcomes = played.outcomes();
    let mut won = outcomes.iter().zip(seconds).filter(|&(&outcome, _)| outcome == "won").peekable();
    let came_up = !played.said.trim().is_empty();
    let is_right = match came_up {
        true => won.peek().is_some(),
        false => won.all(|(_, seconds)| seconds < NO_TIME),
    };
    assert!(is_right, "{title}: {}; {}", played.summary, played.folder.display());
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
fn face_agrees(game: &str, (wm, level, options): (&str, &str, &str)) {
    // A game may paint its face after its board.
    let look = "sleep 0.5; \"$0\" play --dry-run --record \"$1/after\" 2>&1";
    let played = play_beside("true", wm, game, level, options, &[], look);
    played.all_ended();
    let window = image::open(played.folder.join("after/0000.png")).unwrap().to_rgb8();
    for end in ["won", "lost"] {
        let (face, y) = face(game, end);
        let (width, height) = face.dimensions();
        // Where the middle is depends on the window, which may be wider than its game.
        let worn = (0..=window.width() - width)
            .any(|x| image::imageops::crop_imm(&window, x, y, width, height).to_image() == face);
        let reported = played.outcomes().last() == Some(&end);
        assert_eq!(worn, reported, "{game} {end}: {}", played.folder.display());
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

/// Plays a board with known mines and checks every frame of the recording against them, and the end as well.
fn known_board_agrees((wm, level, options): (&str, &str, &str)) {
    let size = if level == "expert" { (30, 16, 99) } else { (9, 9, 10) };
    let first = Pos::new(4, 4);
    let mines = known_mines(size, first);
    let (cols, rows) = (size.0, size.1);
    let mut hex = String::new();
    for four in 0..(cols * rows).div_ceil(4) {
        let is_mine = |n: u16| mines.contains(&Pos::new(n % cols, n / cols));
        let nibble = (0..4).fold(0, |bits, n| bits << 1 | u32::from(is_mine(four * 4 + n)));
        hex += &format!("{nibble:x}");
    }
    let board = format!("{cols}x{rows}n{}:{},{},u{hex}", size.2, first.col, first.row);
    let options = options.replace("--games 3", "").replace("--games 2", "");
    let played = play(wm, "sgt-mines", level, &options, &[("MINES_BOARD", &board)]);
    played.all_ended();
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

/// A fresh board of GNOME Mines looks the same in each of its themes; the skin is told by the numbers.
#[test]
fn every_theme_is_played_with_its_own_skin() {
    let (gnome, kmines) = ("GNOME_THEME", "KMINES_THEME");
    for (game, variable, theme) in [
        ("gnome-mines", gnome, "classic"),
        ("gnome-mines", gnome, "bgcolors"),
        ("kmines", kmines, "classic"),
    ] {
        for (wm, level, options) in SESSIONS {
            let played = play(wm, game, level, options, &[(variable, theme)]);
            played.all_ended();
            assert_eq!(played.summary["skin"], format!("{game}-{theme}"));
            played.done();
        }
    }
}
