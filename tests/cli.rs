//! The program as a person starts it: what it prints and how it exits.

#[cfg(unix)]
use std::fs::File;
#[cfg(unix)]
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use minescraper::Skin;
use minescraper::board::{FirstClick, text};

/// Runs the program for a user without skins of their own.
fn minescraper(args: &[&str]) -> Output {
    let home = tempfile::tempdir().unwrap();
    minescraper_of(home.path(), args)
}

/// Runs the program for a user whose home folder is `home`.
fn minescraper_of(home: &Path, args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_minescraper");
    let mut command = Command::new(program);
    for home_variable in ["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "APPDATA"] {
        command.env(home_variable, home);
    }
    command.args(args).output().expect("the program starts")
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn misuse_exits_with_2_and_says_why() {
    for (args, why) in [
        (&["play", "--games", "0"][..], "0"),
        (&["play", "--style", "fast"], "no-flags"),
        (&["play", "--strategy", "exakt"], "a similar value exists: 'exact'"),
        (&["demo", "--level", "hard"], "is no level"),
        (&["demo", "--cell", "2"], "8..=200"),
        (&["dance"], "dance"),
        (&[], "Usage"),
    ] {
        let output = minescraper(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(said(&output).contains(why), "{args:?}: {}", said(&output));
        assert!(output.stdout.is_empty());
    }
}

#[cfg(unix)]
#[test]
fn a_reader_may_stop_early_but_a_full_disk_is_said() {
    let skins_to = |stdout: File| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_minescraper"));
        command.arg("skins").stdout(stdout).output().unwrap()
    };
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = skins_to(File::from(OwnedFd::from(writer)));
    assert_eq!((output.status.code(), said(&output).as_str()), (Some(0), ""));
    if cfg!(target_os = "linux") {
        let output = skins_to(File::create("/dev/full").unwrap());
        assert_eq!(output.status.code(), Some(1));
        assert!(said(&output).contains("cannot be written"), "{}", said(&output));
    }
}

#[cfg(all(feature = "desktop", target_os = "linux"))]
#[test]
fn who_has_no_display_is_told_what_to_do() {
    for command in ["read", "advise", "play"] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_minescraper"));
        program.arg(command).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        let output = program.output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let said = said(&output);
        assert!(said.contains("DISPLAY is not set"), "{said}");
        assert!(said.contains("`minescraper doctor`") && said.contains("FILE.png"), "{said}");
    }
}

#[cfg(not(feature = "desktop"))]
#[test]
fn a_build_without_a_desktop_says_so() {
    let output = minescraper(&["play"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("no desktop"), "{}", said(&output));

    let output = minescraper(&["doctor"]);
    assert_eq!(output.status.code(), Some(1));
    let told = printed(&output);
    assert!(told.contains("fail  display: this build has no desktop; demo, bench"), "{told}");
    assert!(told.contains("cargo build --release"), "{told}");
    assert!(told.contains("ok    data folder:"), "{told}");
}

#[test]
fn a_demo_plays_and_prints_its_summary() {
    let args = ["--level", "beginner", "--games", "3", "--style", "chords"];
    let demo = |more: &[&str]| {
        let output = minescraper(&[&["demo"], &args[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        String::from_utf8(output.stdout).expect("output is text")
    };
    let summary: serde_json::Value = serde_json::from_str(&demo(&["--json"])).unwrap();
    assert_eq!(summary["games"], 3);
    assert_eq!(summary["outcomes"].as_array().unwrap().len(), 3);
    assert_eq!(summary["seconds"].as_array().unwrap().len(), 3);
    assert_eq!(summary["misreads"], 0);
    for field in ["wins", "losses", "clicks", "clicks_lost", "skin"] {
        assert!(!summary[field].is_null(), "{field}");
    }
    assert!(demo(&[]).contains(" of 3 games won"));
    assert_eq!(demo(&["--dry-run"]).lines().count(), 1, "the first click of the first game");
}

#[test]
fn a_plain_demo_shows_every_move_with_its_reason_on_its_board() {
    let output = minescraper(&["demo", "--level", "5x5x2", "--seed", "1", "--plain"]);
    let text = printed(&output);
    let boards: Vec<&str> = text.split("\n\n").collect();
    let (summary, moves) = boards.split_last().unwrap();
    assert!(summary.contains("1 of 1 games"), "{text}");
    let (end, moves) = moves.split_last().unwrap();
    assert!(end.starts_with("game 1: "), "{end}");
    assert!(moves.len() >= 2, "{text}");
    for shown in moves {
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines.len(), 1 + 1 + 5, "a move, the columns, five rows: {shown}");
        let (step, reason) = lines[0].split_once(": ").unwrap();
        assert!(step.starts_with("open (") && !reason.is_empty(), "{shown}");
        let (col, row) = step[6..step.len() - 1].split_once(", ").unwrap();
        let (col, row): (usize, usize) = (col.parse().unwrap(), row.parse().unwrap());
        assert_eq!(lines[2 + row].find('>'), Some(4 + 2 * col), "{shown}");
    }
    assert!(!text.contains('\u{1b}'), "no colours");
}

#[test]
fn a_demo_at_a_persons_pace_plays_the_same_games() {
    let games = |pace: &[&str]| {
        let args = ["demo", "--level", "6x6x4", "--seed", "5", "--json"];
        let output = minescraper(&[&args[..], pace].concat());
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let summary: serde_json::Value = serde_json::from_str(&printed(&output)).unwrap();
        [&summary["outcomes"], &summary["clicks"], &summary["clicks_lost"]].map(Clone::clone)
    };
    assert_eq!(games(&["--pace", "human"]), games(&[]));
    let wrong = minescraper(&["demo", "--pace", "fast"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        said(&wrong).contains("neither a number of milliseconds nor human"),
        "{}",
        said(&wrong)
    );
}

#[test]
fn a_pause_before_guesses_needs_somebody_at_a_terminal() {
    let output = minescraper(&["demo", "--pause-on-guess"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("there is none"), "{}", said(&output));
}

#[test]
fn an_unknown_skin_is_answered_with_those_there_are() {
    let output = minescraper(&["demo", "--skin", "minehunt"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("'minehunt'"), "{}", said(&output));
    for skin in Skin::shipped() {
        assert!(said(&output).contains(&skin.name), "{}", said(&output));
    }
}

/// A file that comes with the sources.
fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn told(path: &Path) -> &str {
    path.to_str().expect("paths are text")
}

/// A screenshot, and the board that a person reads in it.
const FIXTURE: &str = "fixtures/winemine/beginner-won";

#[test]
fn read_prints_the_board_in_a_screenshot() {
    let picture = source(FIXTURE).with_extension("png");
    let label = std::fs::read_to_string(picture.with_extension("txt")).unwrap();
    let (expected, _) = text::parse(&label).unwrap();

    let output = minescraper(&["read", told(&picture)]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("winemine"), "{}", said(&output));
    let printed = String::from_utf8(output.stdout).unwrap();
    let (mut board, notes) = text::parse(&printed).unwrap();
    assert_eq!(board.first_click.take(), Some(FirstClick::Safe), "as this game promises");
    assert_eq!(board, expected);
    assert_eq!(notes["status"], "won");

    let output = minescraper(&["read", told(&picture), "--json"]);
    let read: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let board = &read["boards"][0];
    assert_eq!(read["boards"].as_array().unwrap().len(), 1);
    assert_eq!(board["skin"], "winemine");
    assert_eq!(board["status"], "won");
    assert_eq!(board["unclear"], 0);
    assert_eq!(board["mines"].as_u64(), expected.mines.known().map(u64::from));
    let rows: Vec<String> = text::rows(&expected).collect();
    assert_eq!(board["rows"], serde_json::json!(rows));
    let lattice = &board["lattice"];
    assert_eq!(lattice["cols"], expected.cols());
    assert_eq!(lattice["rows"], expected.rows());
    assert!(lattice["x"].is_i64() && lattice["y"].is_i64());
    assert!(lattice["pitch_x"].is_f64() && lattice["pitch_y"].is_f64());
}

#[test]
fn read_takes_the_mine_count_from_the_person() {
    let picture = source(FIXTURE).with_extension("png");
    let output = minescraper(&["read", told(&picture), "--json", "--mines", "11"]);
    let read: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(read["boards"][0]["mines"], 11);
    let output = minescraper(&["read", told(&picture), "--mines", "1000"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("1000 mines do not fit"), "{}", said(&output));
}

#[test]
fn what_is_no_picture_of_a_board_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read(source(FIXTURE).with_extension("png")).unwrap();
    let files = [
        ("cut-short.png", whole[..whole.len() / 2].to_vec()),
        ("text.png", b"minescraper 1x1\n#\n".to_vec()),
        ("empty.png", Vec::new()),
    ];
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    let blank = image::RgbImage::from_pixel(300, 200, image::Rgb([90, 120, 90]));
    blank.save(folder.path().join("blank.png")).unwrap();
    for name in ["cut-short.png", "text.png", "empty.png", "missing.png", "blank.png"] {
        for json in [&[][..], &["--json"]] {
            let path = folder.path().join(name);
            let output = minescraper(&[&["read", told(&path)], json].concat());
            assert_eq!(output.status.code(), Some(1), "{name}");
            assert!(said(&output).contains(name), "{name}: {}", said(&output));
            assert!(output.stdout.is_empty(), "{name}");
        }
    }
}

#[test]
fn replay_finds_the_one_cell_that_differs() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("below");
    std::fs::create_dir(&below).unwrap();
    for extension in ["png", "txt"] {
        let file = source(FIXTURE).with_extension(extension);
        std::fs::copy(file, below.join("case").with_extension(extension)).unwrap();
    }
    let replay = |path: &Path, more: &[&str]| {
        let output = minescraper(&[&["replay", told(path)], more].concat());
        let printed = String::from_utf8(output.stdout.clone()).unwrap();
        (output.status.code(), printed, said(&output))
    };
    for path in [folder.path(), &below.join("case.png")] {
        let (code, printed, error) = replay(path, &[]);
        assert_eq!((code, printed.as_str()), (Some(0), "1 pictures read, 0 differ\n"), "{error}");
    }

    let label = below.join("case.txt");
    let mut altered = std::fs::read_to_string(&label).unwrap();
    let last = altered.trim_end().len() - 1;
    let read = altered[last..=last].to_owned();
    altered.replace_range(last..=last, "8");
    std::fs::write(&label, &altered).unwrap();
    let (code, printed, _) = replay(folder.path(), &[]);
    assert_eq!(code, Some(1));
    assert!(printed.contains(&format!("expected 8, read {read}\n")), "{printed}");
    assert!(printed.ends_with("1 pictures read, 1 differ\n"), "{printed}");

    let (code, printed, _) = replay(folder.path(), &["--json"]);
    let report: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(code, Some(1));
    assert_eq!(report["differences"].as_array().unwrap().len(), 1);
    assert_eq!(report["differences"][0]["kind"], "cell");
    assert_eq!(report["differences"][0]["read"], read);
}

#[test]
fn replay_has_to_find_something() {
    let folder = tempfile::tempdir().unwrap();
    let output = minescraper(&["replay", told(folder.path())]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("nothing to replay"), "{}", said(&output));
    let missing = folder.path().join("nowhere");
    let output = minescraper(&["replay", told(&missing)]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("nowhere"), "{}", said(&output));
}

#[test]
fn a_recorded_game_is_read_and_decided_again() {
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("game");
    let args = ["demo", "--skin", "winemine", "--level", "beginner", "--seed", "5", "--games", "2"];
    let output = minescraper(&[&args[..], &["--record", told(&recording)]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let output = minescraper(&["replay", told(&recording)]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{printed}{}", said(&output));
    assert!(printed.contains("decisions taken, 0 differ"), "{printed}");

    // As if another cell had been guessed.
    let decisions = recording.join("decisions.jsonl");
    let guess = "\"guess\":{\"col\":";
    let altered = std::fs::read_to_string(&decisions).unwrap();
    let altered = altered.replacen(guess, &format!("{guess}7"), 1);
    std::fs::write(&decisions, altered).unwrap();
    let output = minescraper(&["replay", told(&recording)]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("guess: recorded"), "{printed}");
}

#[test]
fn calibrate_says_which_label_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("unlabelled.png");
    std::fs::copy(source(FIXTURE).with_extension("png"), &picture).unwrap();
    let out = folder.path().join("skin");
    let args = ["calibrate", "--name", "mine", "--out", told(&out)];
    for image in [&picture, folder.path()] {
        let output = minescraper(&[&args[..], &[told(image)]].concat());
        assert_eq!(output.status.code(), Some(1));
        assert!(said(&output).contains("unlabelled.txt"), "{}", said(&output));
        assert!(!out.exists(), "nothing is written");
    }
}

#[test]
fn calibrate_makes_a_skin_that_reads() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("mine");
    let images = source("calibration/winemine");
    let args = ["calibrate", "--name", "mine", "--out", told(&out), told(&images)];
    let output = minescraper(&args);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("most alike"), "{printed}");
    let skin = minescraper::Skin::open(&out).unwrap();
    assert_eq!(skin.name, "mine");
}

#[test]
fn calibrate_tells_as_json_what_it_made() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("mine");
    let images = source("calibration/winemine");
    let args = ["calibrate", "--json", "--name", "mine", "--out", told(&out), told(&images)];
    let output = minescraper(&args);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let made: serde_json::Value = serde_json::from_str(&printed(&output)).unwrap();
    let skin = Skin::open(&out).unwrap();
    assert_eq!((&made["skin"], &made["folder"]), (&"mine".into(), &told(&out).into()));
    for (kind, count) in made["templates"].as_object().unwrap() {
        let is_kind = |template: &&minescraper::recognize::Template| {
            template.cell.symbol().to_string() == *kind
        };
        assert_eq!(skin.templates.iter().filter(is_kind).count(), *count, "{kind}");
    }
    assert_eq!(made["missing"], serde_json::json!(skin.missing()));
    assert_eq!(made["counter_digits"], skin.digits.len());
    for picture in made["pictures"].as_array().unwrap() {
        let file = Path::new(picture["file"].as_str().unwrap());
        let output = minescraper(&["read", "--json", told(file)]);
        let read: serde_json::Value = serde_json::from_str(&printed(&output)).unwrap();
        assert_eq!(read["boards"][0]["lattice"], picture["lattice"], "{}", file.display());
    }
    assert!(!made["pictures"].as_array().unwrap().is_empty());
}

#[test]
fn train_writes_weights_to_go_on_from_and_tells_how_each_generation_learned() {
    let folder = tempfile::tempdir().unwrap();
    let weights = folder.path().join("weights.txt");
    let train = ["train", "--games", "60", "--budget", "1000", "--json", "--out", told(&weights)];
    let trained = |more: &[&str]| {
        let output = minescraper(&[&train[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        serde_json::from_str::<serde_json::Value>(&printed(&output)).unwrap()
    };
    let told_of = trained(&[]);
    let generations = told_of["generations"].as_array().unwrap();
    assert_eq!(generations.len(), 2);
    for learned in generations {
        assert_eq!(learned["games"], 60);
        assert!(learned["positions"].as_u64() > learned["of_won_games"].as_u64(), "{learned}");
        assert!(learned["loss"].as_f64().unwrap() > 0.0, "{learned}");
    }
    let before = std::fs::read(&weights).unwrap();
    let went_on = trained(&["--generations", "1", "--seed", "120", "--from", told(&weights)]);
    assert_eq!(went_on["generations"].as_array().unwrap().len(), 1);
    assert_ne!(std::fs::read(&weights).unwrap(), before, "it learned on");
}

#[test]
fn a_skin_of_ones_own_is_kept_and_used() {
    let home = tempfile::tempdir().unwrap();
    let images = source("calibration/winemine");
    let output = minescraper_of(home.path(), &["calibrate", "--name", "mine", told(&images)]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let printed_last = printed(&output).lines().last().unwrap().to_owned();
    let folder = PathBuf::from(printed_last.strip_prefix("written to ").unwrap());
    assert!(folder.starts_with(home.path()) && folder.ends_with("minescraper/skins/mine"));
    assert!(folder.join("README.md").is_file());

    let output = minescraper_of(home.path(), &["skins"]);
    let list = printed(&output);
    assert!(list.starts_with("mine: "), "{list}");
    assert!(list.lines().next().unwrap().contains(told(&folder)), "{list}");
    assert!(list.contains("\nwinemine: ") && list.contains("; shipped\n"), "{list}");

    // It fits as well as the shipped one, and comes first.
    let picture = source(FIXTURE).with_extension("png");
    let output = minescraper_of(home.path(), &["read", told(&picture)]);
    assert!(printed(&output).contains("skin=mine"), "{}", printed(&output));
    assert!(said(&output).contains("winemine fits as well"), "{}", said(&output));
    let args = ["demo", "--skin", "mine", "--level", "beginner"];
    assert_eq!(minescraper_of(home.path(), &args).status.code(), Some(0));
}

#[test]
fn a_shipped_skin_made_anew_keeps_the_ways_of_its_game() {
    let home = tempfile::tempdir().unwrap();
    let images = source("calibration/winemine");
    let output = minescraper_of(home.path(), &["calibrate", "--name", "winemine", told(&images)]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let folder = printed(&output);
    let folder = Path::new(folder.trim_end().rsplit_once("written to ").unwrap().1);
    let (own, shipped) = (Skin::open(folder).unwrap(), Skin::shipped());
    let shipped = shipped.iter().find(|skin| skin.name == "winemine").unwrap();
    assert_eq!(own.game, shipped.game);
    assert_eq!(own.counter, shipped.counter);
    let list = printed(&minescraper_of(home.path(), &["skins"]));
    assert_eq!(list.matches("winemine").count(), 2, "its name and its folder: {list}");
}

#[test]
fn a_broken_skin_is_left_out_with_a_warning_and_refused_by_name() {
    let home = tempfile::tempdir().unwrap();
    let images = source("calibration/winemine");
    let output = minescraper_of(home.path(), &["calibrate", "--name", "mine", told(&images)]);
    let folder = printed(&output);
    let folder = Path::new(folder.trim_end().rsplit_once("written to ").unwrap().1);
    std::fs::write(folder.join("covered.png"), "no picture").unwrap();

    let picture = source(FIXTURE).with_extension("png");
    let output = minescraper_of(home.path(), &["read", told(&picture)]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(printed(&output).contains("skin=winemine"), "{}", printed(&output));
    assert!(said(&output).contains(told(folder)), "{}", said(&output));

    let output = minescraper_of(home.path(), &["demo", "--skin", "mine"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains(told(folder)), "{}", said(&output));
    assert!(said(&output).contains("covered.png"), "{}", said(&output));
}

#[test]
fn skins_are_listed_with_what_they_lack_and_drawn_on_a_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = folder.path().join("sheet.png");
    let output = minescraper(&["skins", "--sheet", told(&sheet)]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let list = printed(&output);
    assert_eq!(list.lines().count(), Skin::shipped().len());
    let of = |name: &str| {
        let start = format!("{name}: ");
        list.lines().find(|line| line.starts_with(&start)).unwrap_or_default()
    };
    assert!(of("sgt-mines").contains("none of question"), "{list}");
    let told: serde_json::Value =
        serde_json::from_str(&printed(&minescraper(&["skins", "--json"]))).unwrap();
    let told = told["skins"].as_array().unwrap();
    assert_eq!(told.len(), Skin::shipped().len());
    assert!(
        told.iter().all(|skin| skin["folder"].is_null() && skin["templates"].as_u64() > Some(5))
    );
    assert!(!of("classic").contains("none of"), "{list}");
    assert!(image::open(&sheet).unwrap().to_rgb8().pixels().any(|pixel| pixel.0 == [255, 0, 0]));
}

#[test]
fn a_debug_image_shows_the_board_and_what_only_looks_like_one() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("drawn.png");
    let draw = |picture: &Path| {
        let output = minescraper(&["read", told(picture), "--debug-image", told(&drawn)]);
        let drawn = image::open(&drawn).unwrap().to_rgb8();
        let before = image::open(picture).unwrap();
        // Below the picture it says what the colours mean.
        let (width, height) = (before.width(), before.height());
        let parts = [(0, height), (height, drawn.height() - height)];
        let parts = parts.map(|(top, height)| {
            image::imageops::crop_imm(&drawn, 0, top, width, height).to_image()
        });
        let has =
            |part: &image::RgbImage, colour: [u8; 3]| part.pixels().any(|pixel| pixel.0 == colour);
        assert!(has(&parts[1], [0, 200, 0]) && has(&parts[1], [255, 160, 0]));
        (output, move |colour: [u8; 3]| has(&parts[0], colour))
    };
    let (green, orange) = ([0, 200, 0], [255, 160, 0]);
    let (output, has) = draw(&source("fixtures/gnome-mines/expert-middle.png"));
    assert_eq!(output.status.code(), Some(0));
    assert!(has(green));

    // Squares that no skin has cells like.
    let checked = folder.path().join("checked.png");
    let square = |x: u32, y: u32| if (x / 30 + y / 30).is_multiple_of(2) { 230 } else { 70 };
    image::RgbImage::from_fn(240, 240, |x, y| image::Rgb([square(x, y), 90, 200]))
        .save(&checked)
        .unwrap();
    let (output, has) = draw(&checked);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("repeat like a grid"), "{}", said(&output));
    assert!(has(orange) && !has(green));
}

/// A pipe waits for somebody to write, a device may have no end, and a file may be larger than the memory.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_read_to_its_end_is_refused_at_once_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    assert!(Command::new("mkfifo").arg(path("pipe.png")).status().unwrap().success());
    assert!(Command::new("mkfifo").arg(path("labelled.txt")).status().unwrap().success());
    std::fs::copy(source(FIXTURE).with_extension("png"), path("labelled.png")).unwrap();
    // It takes no room on the disk.
    File::create(path("huge.png")).unwrap().set_len(1 << 40).unwrap();
    let label = source(FIXTURE).with_extension("txt");
    for name in ["pipe.txt", "huge.txt"] {
        std::fs::copy(&label, path(name)).unwrap();
    }
    let skin = path("skin");
    let [pipe, huge, labelled] = ["pipe.png", "huge.png", "labelled.png"].map(path);
    let [pipe, huge, labelled] = [told(&pipe), told(&huge), told(&labelled)];
    let calibrate = ["calibrate", "--name", "x", "--out", told(&skin)];
    let (endless, limit) = ("a pipe or a device", "MiB, the limit");
    let taking = |command: &[&str], file: &str, why| {
        let args: Vec<String> = command.iter().copied().chain([file]).map(str::to_owned).collect();
        (args, why)
    };
    for (args, why) in [
        taking(&["advise"], "/dev/zero", endless),
        taking(&["advise"], pipe, endless),
        taking(&["advise"], huge, limit),
        taking(&["read"], "/dev/zero", endless),
        taking(&["read"], pipe, endless),
        taking(&["read"], huge, limit),
        taking(&["replay"], "/dev/zero", endless),
        taking(&["replay"], pipe, endless),
        taking(&["replay"], huge, limit),
        taking(&["replay"], labelled, endless),
        taking(&["bench", "--boards"], "/dev/zero", endless),
        taking(&["bench", "--boards"], pipe, endless),
        taking(&["bench", "--boards"], huge, limit),
        taking(&["bench", "--merge"], "/dev/zero", endless),
        taking(&calibrate, "/dev/zero", endless),
        taking(&calibrate, pipe, endless),
        taking(&calibrate, huge, limit),
        taking(&calibrate, labelled, endless),
    ] {
        // Whatever waits or reads on is ended.
        let output = Command::new("timeout")
            .args(["20", "sh", "-c", "ulimit -v 4000000; exec \"$@\"", "sh"])
            .arg(env!("CARGO_BIN_EXE_minescraper"))
            .args(&args)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}: {}", said(&output));
        assert!(said(&output).contains(why), "{args:?}: {}", said(&output));
        let file = Path::new(args.last().unwrap()).file_stem().unwrap().to_str().unwrap();
        assert!(said(&output).contains(file), "{args:?}: {}", said(&output));
    }
}

#[test]
fn a_file_of_boards_may_begin_with_a_mark_and_be_indented() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    std::fs::write(&file, "\u{feff}  4 1 1 0 0 : 3\r\n  4 1 1 3 0 : 0\r\n").unwrap();
    let output = minescraper(&["bench", "--boards", told(&file), "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn what_takes_long_is_told_in_a_terminal_and_only_there() {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    let picture = source.join("fixtures/winemine/expert-middle.png");
    let pictures = source.join("calibration/winemine");
    let out = folder.path().join("mine");
    let calibrate = ["calibrate", "--name", "mine", "--out", told(&out), told(&pictures)];
    let boards = folder.path().join("boards.txt");
    let deal = ["bench", "--level", "8x8x10", "--games", "9", "--no-guess", "--write-boards"];
    let deal = [&deal[..], &[told(&boards)]].concat();
    let commands: [(&[&str], &str); 4] = [
        (&deal, "/9 boards, "),
        (&["read", told(&picture)], "looking for a board"),
        (&["advise", told(&picture)], "looking for a board"),
        (&calibrate, "comparing the cells of "),
    ];
    for (args, what) in commands {
        // It gives the program a terminal.
        let mut terminal = Command::new("script");
        let command = format!("'{}' '{}'", env!("CARGO_BIN_EXE_minescraper"), args.join("' '"));
        terminal.args(["--quiet", "--command", &command, "/dev/null"]).env("TERM", "xterm");
        let seen = printed(&terminal.output().unwrap());
        assert!(seen.contains(what), "{args:?}: {seen:?}");
        let silent = minescraper(args);
        assert!(!said(&silent).contains(what), "{args:?}: {}", said(&silent));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_demo_in_a_terminal_has_no_colours_where_none_are_wanted() {
    let home = tempfile::tempdir().unwrap();
    let drawn = |wanted: Option<&str>| {
        // It gives the program a terminal.
        let mut terminal = Command::new("script");
        let demo = "\"$MINESCRAPER\" demo --level 4x4x1 --pace 0";
        terminal.args(["--quiet", "--command", demo, "/dev/null"]).env("HOME", home.path());
        terminal.env("MINESCRAPER", env!("CARGO_BIN_EXE_minescraper")).env("TERM", "xterm");
        terminal.env_remove("NO_COLOR").envs(wanted.map(|value| ("NO_COLOR", value)));
        printed(&terminal.output().unwrap())
    };
    let (coloured, plain) = (drawn(None), drawn(Some("1")));
    assert!(coloured.contains("\x1b[38;5;"), "{coloured:?}");
    assert!(!plain.contains("\x1b[38;5;") && plain.contains("\x1b[2K"), "{plain:?}");
}
