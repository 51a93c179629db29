//! `advise`: what to do on a board, wherever it is seen.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use image::RgbImage;
use minescraper::Skin;
use minescraper::board::{Board, FirstClick, Rules};
use minescraper::capture::Screen;
use minescraper::lab::virtual_desktop::{self, Setup, VirtualDesktop};
use minescraper::solver;
use serde_json::{Value, json};

/// A cell is proven safe, two are proven mines, one of them flagged already.
const BOARD: &str = "minescraper 3x2 mines=2\n121\nF##\n";

fn advise(args: &[&str], input: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_minescraper"));
    program.arg("advise").args(args).stdin(Stdio::piped());
    program.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = program.spawn().expect("the program starts");
    // It may have ended without reading all of that; what it says is checked.
    let _ = program.stdin.take().unwrap().write_all(input.as_bytes());
    program.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn printed(args: &[&str], input: &str) -> String {
    let output = advise(args, input);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn as_json(args: &[&str], input: &str) -> Value {
    serde_json::from_str(&printed(&[args, &["--json"]].concat(), input)).unwrap()
}

fn told(path: &Path) -> &str {
    path.to_str().expect("paths are text")
}

fn fixture(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(path)
}

#[test]
fn a_text_is_answered_with_every_certain_move_and_its_reason() {
    let text = printed(&["-", "--strategy", "contradiction"], BOARD);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("open (1, 1): the number at (0, 0)"), "{text}");
    assert_eq!(lines[1], "mines without a flag: (2, 1)", "{text}");
    assert!(text.contains("\n  0   1  2  1\n  1   F >+  x\n"), "{text}");
    let rows = BOARD.lines().skip(1).collect::<Vec<_>>().join("/");
    let by_option = printed(&["--board", &rows, "--mines", "2", "--strategy", "contradiction"], "");
    assert_eq!(by_option, text);

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.txt");
    std::fs::write(&file, BOARD).unwrap();
    assert_eq!(printed(&[told(&file), "--strategy", "contradiction"], ""), text);
}

#[test]
fn the_number_of_mines_may_be_said() {
    let board = "minescraper 3x1\n#1#";
    let guess = as_json(&["-"], board);
    assert_eq!((&guess["certain"], &guess["odds"]), (&json!(false), &json!([[0.5, null, 0.5]])));
    let impossible = advise(&["-", "--mines", "2"], board);
    assert_eq!(impossible.status.code(), Some(1), "{}", said(&impossible));
    assert!(said(&impossible).contains("impossible"), "{}", said(&impossible));
    let blank = "minescraper 4x1\n##1#";
    assert_eq!(as_json(&["-", "--mines", "2"], blank)["odds"], json!([[1.0, 0.5, null, 0.5]]));
}

#[test]
fn json_has_the_fields_that_programs_read() {
    let advice = as_json(&["-", "--strategy", "contradiction"], BOARD);
    let open = json!({ "col": 1, "row": 1, "action": "open" });
    assert_eq!(advice["move"], open);
    let moves = advice["moves"].as_array().unwrap();
    let cells: Vec<_> =
        moves.iter().map(|step| [&step["col"], &step["row"], &step["action"]]).collect();
    assert_eq!(json!(cells), json!([[1, 1, "open"], [2, 1, "flag"]]));
    assert!(moves.iter().all(|step| step["reason"].is_string()), "{advice}");
    assert_eq!(advice["certain"], true);
    assert!(advice["reason"].as_str().unwrap().contains("the number at"), "{advice}");
    assert!(advice.as_object().unwrap().contains_key("win_chance"));

    let guess =
        as_json(&["-", "--strategy", "single", "--seed", "3"], "minescraper 2x1 mines=1\n##");
    assert_eq!((&guess["certain"], &guess["moves"]), (&json!(false), &json!([])));
    assert_eq!(guess["move"]["action"], "open");
    assert_eq!((&guess["odds"], &guess["odds_kind"]), (&json!([[0.5, 0.5]]), &json!("exact")));
    assert!(guess["reason"].as_str().unwrap().contains("a guess"), "{guess}");

    let done = as_json(&["-"], "F1");
    assert_eq!(
        (&done["move"], &done["certain"], &done["reason"]),
        (&Value::Null, &json!(true), &Value::Null)
    );
    assert_eq!(printed(&["-"], "F1"), "nothing is left to open or to flag\n");
}

#[test]
fn the_number_of_mines_is_told_with_its_source() {
    let board = |notes: &str| format!("minescraper 9x9{notes}\n{}", "#########\n".repeat(9));
    for (notes, mines, from, told) in [
        (" mines=10", json!(10), json!("given"), "mines: 10, as given"),
        (" mines=10 from=counter", json!(10), json!("counter"), "mines: 10, as the counter says"),
        (" mines=10 from=size", json!(10), json!("size"), "mines: 10, as boards of this size"),
        ("", json!(null), json!(null), "mines: how many is not known"),
    ] {
        let text = printed(&["-"], &board(notes));
        assert!(text.lines().any(|line| line.starts_with(told)), "{notes}: {text}");
        let advice = as_json(&["-"], &board(notes));
        assert_eq!((&advice["mines"], &advice["mines_from"]), (&mines, &from), "{notes}");
    }
}

#[test]
fn a_screenshot_is_read_first() {
    let picture = fixture("winemine/expert-middle.png");
    let label = std::fs::read_to_string(picture.with_extension("txt")).unwrap();
    let by_picture = as_json(&[told(&picture)], "");
    assert_eq!(by_picture, as_json(&["-"], &label));
    assert!(by_picture["move"].is_object(), "{by_picture}");
}

/// How much a part of the picture lost or gained of each colour, by the sums over its pixels.
fn shift(before: &RgbImage, after: &RgbImage, (x, y): (u32, u32), side: u32) -> [i64; 3] {
    let sum = |picture: &RgbImage| {
        let mut sum = [0; 3];
        for pixel in image::imageops::crop_imm(picture, x, y, side, side).to_image().pixels() {
            sum.iter_mut().zip(pixel.0).for_each(|(sum, channel)| *sum += i64::from(channel));
        }
        sum
    };
    let (before, after) = (sum(before), sum(after));
    [0, 1, 2].map(|channel| after[channel] - before[channel])
}

#[test]
fn an_overlay_is_blue_where_it_is_safe_and_orange_where_a_mine_is() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png");
    printed(&["-", "--overlay", told(&out)], BOARD);
    let after = image::open(&out).unwrap().to_rgb8();
    let board: Board = BOARD.parse().unwrap();
    let skin = Skin::shipped().remove(0);
    let (before, _) = virtual_desktop::picture(skin, &board, 24);
    let side = before.width() / 3;
    let shift = |col, row| shift(&before, &after, (col * side, row * side), side);
    let redder = |[red, green, blue]: [i64; 3]| red > green && green > blue;
    assert!(redder(shift(0, 1)) && redder(shift(2, 1)), "{:?} {:?}", shift(0, 1), shift(2, 1));
    let inner = |picture: &RgbImage| picture.get_pixel(side + 4, side + side / 2).0;
    let [red, _, blue] = inner(&after);
    assert!(blue > red, "a safe cell is {:?}, and was {:?}", inner(&after), inner(&before));
    assert_eq!([0, 1, 2].map(|col| shift(col, 0)), [[0; 3]; 3], "numbers stay as they are");
    assert!(after.height() > before.height(), "a legend is below");

    let picture = fixture("winemine/expert-middle.png");
    printed(&[told(&picture), "--overlay", told(&out)], "");
    let (before, after) =
        (image::open(&picture).unwrap().to_rgb8(), image::open(&out).unwrap().to_rgb8());
    let part = image::imageops::crop_imm(&after, 0, 0, before.width(), before.height()).to_image();
    assert_eq!(part.dimensions(), before.dimensions());
    assert_ne!(part, before);
}

#[test]
fn a_guess_comes_first_with_what_the_next_best_would_bring() {
    let board = "minescraper 5x5 mines=5\n#####\n#####\n##1##\n#####\n#####";
    let text = printed(&["-"], board);
    assert!(text.starts_with("open ("), "{text}");
    assert!(text.lines().next().unwrap().contains("% to hit a mine"), "{text}");
    let advice = as_json(&["-"], board);
    let runners_up = advice["runners_up"].as_array().unwrap();
    assert!(!runners_up.is_empty(), "{advice}");
    for runner_up in runners_up {
        assert!(
            runner_up["win_chance"].as_f64().unwrap()
                <= advice["win_chance"].as_f64().unwrap() + 1e-9
        );
        let cell = format!("({}, {})", runner_up["col"], runner_up["row"]);
        assert!(text.contains(&cell), "{cell} in {text}");
    }
}

#[test]
fn a_fifty_fifty_is_called_so() {
    let advice = as_json(&["-"], "minescraper 2x2 mines=1\n#1\n#1");
    assert_eq!(advice["fifty_fifties"], json!([[{ "col": 0, "row": 0 }, { "col": 0, "row": 1 }]]));
    let text = printed(&["-"], "minescraper 2x2 mines=1\n#1\n#1");
    assert!(
        text.contains("50/50: (0, 0) or (0, 1) is a mine, and nothing will tell which"),
        "{text}"
    );
    assert!(text.contains("chance to win: 50.0 %"), "{text}");
}

#[test]
fn what_cannot_be_advised_on_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let over = fixture("winemine/beginner-won.png");
    let whole = std::fs::read(&over).unwrap();
    for (path, why) in [
        (file("ragged.txt", b"##\n#\n"), "ragged.txt: line 2 has 1 cells"),
        (file("empty.txt", b""), "empty.txt: the text has no rows"),
        (
            file("impossible.txt", b"8#\n##\n"),
            "the board is impossible: no mines fit the number at (0, 0)",
        ),
        (file("full.txt", b"00\n"), "there is no covered cell"),
        (file("noise", &[0xff, 0x00, 0xfe]), "neither a picture nor a text"),
        (file("cut.png", &whole[..whole.len() / 2]), "cut.png"),
        ("nowhere.txt".to_owned(), "nowhere.txt"),
        (told(&over).to_owned(), "the game is over: it is won"),
    ] {
        let output = advise(&[&path], "");
        assert_eq!(output.status.code(), Some(1), "{path}: {}", said(&output));
        assert!(said(&output).contains(why), "{path}: {}", said(&output));
        assert!(output.stdout.is_empty());
    }
    let output = advise(&["-", "--overlay", "/nowhere/out.png"], BOARD);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("/nowhere/out.png"), "{}", said(&output));
    let output = advise(&["-", "--window", "mines"], BOARD);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
}

/// What matters of advice: the cell, the chance to hit a mine, and why.
fn first_cell(advice: &Value) -> [Value; 3] {
    [&advice["move"], &advice["risk"], &advice["reason"]].map(Value::clone)
}

/// The same of what a dry run would click.
fn first_click(run: &Value) -> [Value; 3] {
    assert_eq!(run["clicks"].as_array().unwrap().len(), 1, "{run}");
    [&run["clicks"][0], &run["risk"], &run["reason"]].map(Value::clone)
}

#[test]
fn a_first_click_that_is_promised_no_mine_has_no_risk_by_any_strategy() {
    for promise in ["safe", "open"] {
        let board =
            format!("minescraper 9x9 mines=10 first-click={promise}\n{}", "#########\n".repeat(9));
        for strategy in solver::strategies() {
            let text = printed(&["-", "--strategy", strategy], &board);
            assert!(text.contains("; the first click is safe here"), "{strategy}: {text}");
            assert!(text.contains(" >+"), "{strategy}: the board shows no risk there: {text}");
            let advice = as_json(&["-", "--strategy", strategy], &board);
            assert_eq!(advice["risk"], 0.0, "{strategy}");
            assert!(advice["reason"].to_string().contains("the first click is safe here"));
            assert!(text.contains("(0.0 % to hit a mine)"), "{strategy}: {text}");
            assert!(text.contains("\nchance to win: "), "{strategy}: {text}");
        }
    }
    for promise in ["", " first-click=any"] {
        let board = format!("minescraper 9x9 mines=10{promise}\n{}", "#########\n".repeat(9));
        assert!(!printed(&["-"], &board).contains("the first click"));
        let risk = as_json(&["-"], &board)["risk"].as_f64().unwrap();
        assert!((risk - 10.0 / 81.0).abs() < 1e-9, "{promise}: {risk}");
    }
    let begun = as_json(&["-"], "minescraper 3x1 first-click=safe\n#1#");
    assert_eq!(begun["risk"], 0.5, "the promise is of the first click alone");
}

/// Paints the fresh board of a game with each skin: `demo` would click what `advise` says of its picture, and of the
/// text that `read` prints.
#[test]
fn a_picture_its_text_and_the_game_get_the_same_advice_on_a_fresh_board() {
    let folder = tempfile::tempdir().unwrap();
    for skin in Skin::shipped() {
        let (name, promise) = (skin.name.clone(), skin.game.first_click);
        if skin.game.starts_open {
            continue;
        }
        let rules = Rules::parse_level("beginner", FirstClick::Safe).unwrap();
        let desktop = VirtualDesktop::new(skin, Setup::new(rules, 32, 0));
        let mut screen = desktop.screen();
        let area = screen.area().unwrap();
        let picture = folder.path().join(format!("{name}.png"));
        screen.look(area).unwrap().pixels.save(&picture).unwrap();
        // The picture shows no counter.
        let by_picture = as_json(&[told(&picture), "--mines", "10"], "");

        let run = |args: &[&str]| {
            let output =
                Command::new(env!("CARGO_BIN_EXE_minescraper")).args(args).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", said(&output));
            String::from_utf8(output.stdout).unwrap()
        };
        let text = run(&["read", told(&picture), "--mines", "10"]);
        let header = text.lines().next().unwrap();
        let promised = promise.map(|promise| format!(" first-click={promise} ")).unwrap();
        assert!(header.contains(&promised), "{name}: {header}");
        assert_eq!(as_json(&["-"], &text), by_picture, "{name}");

        let demo = ["demo", "--skin", &name, "--level", "beginner", "--cell", "32", "--dry-run"];
        let clicked: Value =
            serde_json::from_str(&run(&[&demo[..], &["--json"]].concat())).unwrap();
        assert_eq!(first_click(&clicked), first_cell(&by_picture), "{name}");
    }
}

/// Beside a real game: `play` would click what `advise` says, be it in text, as JSON or painted.
#[cfg(feature = "desktop")]
fn play_and_advise_agree_on_a_fresh(game: &str) {
    let folder = tempfile::tempdir().unwrap();
    let script = "program=$1 folder=$2
        \"$program\" play --dry-run --json >\"$folder/play.json\" &&
        \"$program\" play --dry-run >\"$folder/play.txt\" &&
        \"$program\" advise --json --overlay \"$folder/overlay.png\" >\"$folder/advise.json\" &&
        \"$program\" advise >\"$folder/advise.txt\"";
    let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/with-game.sh"))
        .args([game, "beginner", "--", "sh", "-c", script, "sh"])
        .args([env!("CARGO_BIN_EXE_minescraper"), told(folder.path())])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let file = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let json = |name: &str| serde_json::from_str::<Value>(&file(name)).unwrap();
    let (play, advice) = (json("play.json"), json("advise.json"));
    let (run, text) = (file("play.txt"), file("advise.txt"));
    if advice["certain"] == true {
        // A region is open from the start, and something may be proven there.
        let opened = |moves: &Value| {
            let moves = moves.as_array().unwrap().iter();
            let opened = moves.filter(|step| step["action"] == "open");
            opened.map(|step| [step["col"].clone(), step["row"].clone()]).collect::<Vec<_>>()
        };
        assert_eq!(opened(&play["clicks"]), opened(&advice["moves"]), "{game}");
        return;
    }
    assert_eq!(first_click(&play), first_cell(&advice), "{game}");
    let clicked = run.replace("would ", "").replace(" (left click)", "");
    assert!(text.starts_with(&clicked), "{game}: {clicked} and {text}");
    if play["status"] == "fresh" {
        assert_eq!(advice["risk"], 0.0, "{game}");
    }
    let overlay = image::open(folder.path().join("overlay.png")).unwrap();
    assert!(overlay.width() > 0);
}

#[cfg(feature = "desktop")]
#[test]
fn play_and_advise_agree_on_a_fresh_winemine() {
    play_and_advise_agree_on_a_fresh("winemine");
}

#[cfg(feature = "desktop")]
#[test]
fn play_and_advise_agree_on_a_fresh_gnome_mines() {
    play_and_advise_agree_on_a_fresh("gnome-mines");
}

#[cfg(feature = "desktop")]
#[test]
fn play_and_advise_agree_on_a_fresh_kmines() {
    play_and_advise_agree_on_a_fresh("kmines");
}

#[cfg(feature = "desktop")]
#[test]
fn play_and_advise_agree_on_a_fresh_sgt_mines() {
    play_and_advise_agree_on_a_fresh("sgt-mines");
}

#[cfg(feature = "desktop")]
#[test]
fn play_and_advise_agree_on_a_fresh_xdemineur() {
    play_and_advise_agree_on_a_fresh("xdemineur");
}

#[test]
fn a_board_is_read_however_its_text_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let plain = as_json(&["-"], BOARD);
    let indented: String = BOARD.lines().map(|line| format!("    {line}\n")).collect();
    let marked = format!("\u{feff}{BOARD}");
    let windows = marked.replace('\n', "\r\n");
    let all = format!("\u{feff}{}", indented.replace('\n', "\r\n"));
    for text in [&indented, &marked, &windows, &all] {
        assert_eq!(as_json(&["-"], text), plain, "{text:?}");
        let file = folder.path().join("board.txt");
        std::fs::write(&file, text).unwrap();
        assert_eq!(as_json(&[told(&file)], ""), plain, "{text:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_comes_from_standard_input_is_bounded() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_minescraper"));
    let zeros = std::fs::File::open("/dev/zero").unwrap();
    let output = program.args(["advise", "-"]).stdin(zeros).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("more than 16 MiB, the limit"), "{}", said(&output));
}

/// Beside three real games that are played by another process, with a click every 100 ms: whatever that decided on was
/// told. (One game may be over at its second click.)
#[cfg(feature = "desktop")]
#[test]
fn advice_follows_a_window_without_missing_a_board() {
    let folder = tempfile::tempdir().unwrap();
    let script = "program=$1 folder=$2
        \"$program\" advise --watch --json >\"$folder/told.jsonl\" 2>\"$folder/watch.txt\" &
        watch=$!
        for wait in $(seq 100); do [ -s \"$folder/told.jsonl\" ] && break; sleep 0.1; done
        \"$program\" play --games 3 --pace 100 --record \"$folder/game\" >\"$folder/play.txt\"
        played=$?
        sleep 0.5
        kill -INT $watch; wait $watch; echo $? >\"$folder/code\"
        exit $played";
    let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/with-game.sh"))
        .args(["winemine", "beginner", "--", "sh", "-c", script, "sh"])
        .args([env!("CARGO_BIN_EXE_minescraper"), told(folder.path())])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let file = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(file("code").trim(), "130", "{}", file("watch.txt"));
    let told = file("told.jsonl");
    let told: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let rows = |advice: &Value| -> String {
        let rows = advice["rows"].as_array().into_iter().flatten();
        rows.map(|row| row.as_str().unwrap().to_owned() + "\n").collect()
    };
    let mut seen = told.iter().map(rows);
    let decisions = file("game/decisions.jsonl");
    let mut decided = 0;
    for line in decisions.lines() {
        let entry: Value = serde_json::from_str(line).unwrap();
        if let Some(board) = entry["decision"]["board"].as_str() {
            let board = board.split_once('\n').unwrap().1;
            assert!(seen.any(|rows| rows == board), "decision {decided} was missed:\n{board}");
            decided += 1;
        }
    }
    assert!(decided > 2, "{decided} decisions");
    assert!(["won", "lost"].contains(&told.last().unwrap()["status"].as_str().unwrap()));
}

/// Beside a real game that another process plays, in a terminal of 120 columns and 40 rows: as if it had been seen there, line by
/// line.
#[cfg(feature = "desktop")]
#[test]
fn a_watch_in_a_terminal_has_one_board_on_it_that_takes_the_place_of_the_last_one() {
    const WATCH: &str =
        "stty rows 40 cols 120; echo $$ >\"$FOLDER/pid\"; exec \"$PROGRAM\" advise --watch";
    let folder = tempfile::tempdir().unwrap();
    let script = "script --quiet --flush --command \"$WATCH\" /dev/null >\"$FOLDER/seen\" &
        watch=$!
        for wait in $(seq 100); do grep -q 'covered cells' \"$FOLDER/seen\" && break; sleep 0.1; done
        \"$PROGRAM\" play --games 1 --pace 100 >/dev/null
        played=$?
        for wait in $(seq 100); do grep -q 'the game is over' \"$FOLDER/seen\" && break; sleep 0.1; done
        kill -INT $(cat \"$FOLDER/pid\"); wait $watch
        exit $played";
    let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/with-game.sh"))
        .args(["sgt-mines", "beginner", "--", "sh", "-c", script])
        .envs([("WATCH", WATCH), ("PROGRAM", env!("CARGO_BIN_EXE_minescraper")), ("TERM", "xterm")])
        .env("FOLDER", folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let seen = std::fs::read(folder.path().join("seen")).unwrap();
    let [rows, columns] = [40, 120].map(|lines| std::num::NonZero::new(lines).unwrap());
    let mut terminal = vt100::Parser::new(rows, columns, 0);
    let mut boards: Vec<String> = Vec::new();
    for line in seen.split_inclusive(|&byte| byte == b'\n') {
        terminal.process(line);
        let shown = terminal.screen().contents();
        let legends: Vec<_> = shown.match_indices("cells are (column, row)").collect();
        assert!(legends.len() <= 1, "two boards at a time:\n{shown}");
        if shown.trim_end().ends_with("> what to open") && boards.last() != Some(&shown) {
            boards.push(shown);
        }
    }
    assert!(boards.len() > 2, "{boards:#?}");
    for board in &boards {
        // The advice begins where the first one did.
        let first = board.lines().next().unwrap_or_default();
        assert!(["open (", "flag ("].iter().any(|told| first.starts_with(told)), "{board}");
        assert_eq!(board.matches("\n  8 ").count(), 1, "each row is there once: {board}");
    }
    let last = terminal.screen().contents();
    assert!(last.starts_with("the game is over: it is "), "nothing is left of the board: {last}");
}

/// Beside a real game: the move is framed on the screen, and a click on the frame goes to the game. The frames are not taken for
/// a part of the board: of one that stands still no more is told.
#[cfg(feature = "desktop")]
#[test]
fn frames_on_the_screen_show_the_move_and_let_clicks_through() {
    let folder = tempfile::tempdir().unwrap();
    let script = "program=$1 folder=$2
        \"$program\" advise --json >\"$folder/advice.json\" || exit
        \"$program\" read --json --window WineMine >\"$folder/before.json\" 2>/dev/null
        \"$program\" advise --watch --on-screen --json >\"$folder/told.jsonl\" &
        watch=$!
        for wait in $(seq 100); do [ -s \"$folder/told.jsonl\" ] && break; sleep 0.1; done
        sleep 0.5
        \"$program\" play --dry-run --record \"$folder/seen\" >/dev/null
        set -- $(sed 's/.*\"x\":\\([0-9]*\\).*/\\1/' \"$folder/before.json\") \\
            $(sed 's/.*\"y\":\\([0-9]*\\).*/\\1/' \"$folder/before.json\")
        # The frame of the top left cell, in which a fresh game is begun.
        xdotool mousemove $(($1 + 1)) $(($2 + 8)) click 1
        sleep 1
        wc -l <\"$folder/told.jsonl\" >\"$folder/begun\"
        sleep 3
        wc -l <\"$folder/told.jsonl\" >\"$folder/idle\"
        # The cell to open next is flagged.
        x=$1 y=$2
        set -- $(tail -1 \"$folder/told.jsonl\" |
            sed 's/.*\"move\":{[^}]*\"col\":\\([0-9]*\\),\"row\":\\([0-9]*\\).*/\\1 \\2/')
        xdotool mousemove $((x + 16 * $1 + 8)) $((y + 16 * $2 + 8)) click 3
        sleep 1
        kill -INT $watch; wait $watch
        exit 0";
    let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/with-game.sh"))
        .args(["winemine", "beginner", "--", "sh", "-c", script, "sh"])
        .args([env!("CARGO_BIN_EXE_minescraper"), told(folder.path())])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let file = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let advice: Value = serde_json::from_str(&file("advice.json")).unwrap();
    assert_eq!(advice["move"], json!({ "col": 0, "row": 0, "action": "open" }));
    let yellow = [240, 228, 66];
    let screen = image::open(folder.path().join("seen/0000.png")).unwrap().to_rgb8();
    let framed = screen.pixels().filter(|pixel| pixel.0 == yellow).count();
    assert!(framed > 60, "{framed} pixels of a frame around a cell of 16 pixels");
    let told = file("told.jsonl");
    let told: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(told.len() >= 2, "the click has come to the game: {told:?}");
    assert_eq!(file("begun"), file("idle"), "{told:#?}");
    let flagged = told.last().unwrap()["rows"].to_string().contains('F');
    assert!(flagged, "the flag is followed: {told:#?}");
    assert_ne!(
        told[0]["rows"][0].as_str().unwrap().chars().next(),
        told[1]["rows"][0].as_str().unwrap().chars().next()
    );
}

/// Beside a real game that nobody plays, so that nothing more is told.
#[cfg(feature = "desktop")]
#[test]
fn a_watch_that_nobody_reads_any_more_ends() {
    let script =
        "timeout 10 \"$1\" advise --watch --json | head -1 >/dev/null; exit ${PIPESTATUS[0]}";
    let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/with-game.sh"))
        .args(["xdemineur", "beginner", "--", "bash", "-c", script, "bash"])
        .arg(env!("CARGO_BIN_EXE_minescraper"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(!said(&output).contains("minescraper:"), "{}", said(&output));
}
