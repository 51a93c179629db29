//! Recordings: written whole, missed when something of them is missing, and the same when they are read again.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use minescraper::board::{Cell, Pos, text};
use minescraper::capture::load_picture;
use serde_json::Value;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_minescraper");

fn told(path: &Path) -> &str {
    path.to_str().expect("paths are text")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The exit code of `replay`, and what it reports to a person and to a program.
fn replay(folder: &Path) -> (i32, String, Value) {
    let replay = |more: &[&str]| {
        let args = [&["replay", told(folder)], more].concat();
        Command::new(PROGRAM).args(args).output().unwrap()
    };
    let (plain, json) = (replay(&[]), replay(&["--json"]));
    assert_eq!(plain.status.code(), json.status.code());
    let report = serde_json::from_slice(&json.stdout);
    let report = report.unwrap_or_else(|_| panic!("{}{}", printed(&json), said(&json)));
    (plain.status.code().unwrap(), printed(&plain), report)
}

#[track_caller]
fn replays_without_a_difference(folder: &Path) {
    let (code, printed, report) = replay(folder);
    assert_eq!(code, 0, "{}: {printed}", folder.display());
    assert!(printed.contains(" pictures read, 0 differ"), "{printed}");
    assert_eq!(report["differences"], Value::Array(Vec::new()));
}

/// The lines of the decisions of a recording.
fn lines(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("decisions.jsonl")).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn set_lines(folder: &Path, lines: &[String]) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(folder.join("decisions.jsonl"), text).unwrap();
}

/// Where the lines of this kind are.
fn lines_of(lines: &[String], kind: &str) -> Vec<usize> {
    let start = format!("{{\"{kind}\":");
    (0..lines.len()).filter(|&line| lines[line].starts_with(&start)).collect()
}

/// Two beginner's games on a painted desktop.
struct Recorded {
    folder: TempDir,
    pictures: usize,
}

impl Recorded {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let args = "demo --skin winemine --level beginner --seed 5 --games 2 --record";
        let output =
            Command::new(PROGRAM).args(args.split(' ')).arg(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        let pictures = lines_of(&lines(folder.path()), "frame").len();
        assert!(pictures > 6, "{pictures} pictures");
        Self { folder, pictures }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// The first, one in the middle and the last.
    fn some_pictures(&self) -> [String; 3] {
        [0, self.pictures / 2, self.pictures - 1].map(|number| format!("{number:04}"))
    }

    /// Replays it and checks that it is rejected with a difference of this kind, which names `what`.
    #[track_caller]
    fn is_rejected(&self, kind: &str, what: &str) {
        let (code, printed, report) = replay(self.path());
        assert_eq!(code, 1, "{printed}");
        assert!(printed.contains(what), "'{what}' is not in: {printed}");
        let differences = report["differences"].as_array().unwrap();
        assert!(differences.iter().any(|told| told["kind"] == kind), "no {kind}: {report}");
        let counted = ["pictures_differ", "decisions_differ"].map(|field| report[field].as_u64());
        assert!(counted.iter().flatten().sum::<u64>() > 0, "{report}");
    }
}

#[test]
fn a_recording_as_it_was_made_has_no_difference() {
    let recorded = Recorded::new();
    replays_without_a_difference(recorded.path());
    let (_, _, report) = replay(recorded.path());
    assert_eq!(report["pictures"], recorded.pictures);
    assert_eq!(report["decisions"], lines_of(&lines(recorded.path()), "decision").len());
}

#[test]
fn a_missing_picture_is_a_difference() {
    for name in Recorded::new().some_pictures() {
        let recorded = Recorded::new();
        std::fs::remove_file(recorded.file(&format!("{name}.png"))).unwrap();
        recorded.is_rejected("missing-picture", &format!("{name}.png: the picture is missing"));
    }
}

#[test]
fn a_missing_label_is_a_difference() {
    for name in Recorded::new().some_pictures() {
        let recorded = Recorded::new();
        std::fs::remove_file(recorded.file(&format!("{name}.txt"))).unwrap();
        recorded.is_rejected("missing-label", &format!("{name}.txt: the label is missing"));
    }
}

#[test]
fn a_gap_in_the_pictures_is_a_difference() {
    for name in Recorded::new().some_pictures() {
        let recorded = Recorded::new();
        for extension in ["png", "txt"] {
            std::fs::remove_file(recorded.file(&format!("{name}.{extension}"))).unwrap();
        }
        recorded.is_rejected("missing-picture", &format!("{name}.png: the picture is missing"));
    }
}

#[test]
fn a_missing_decision_is_a_difference() {
    let recorded = Recorded::new();
    let whole = lines(recorded.path());
    let decisions = lines_of(&whole, "decision");
    for number in [0, decisions.len() / 2, decisions.len() - 1] {
        let mut lines = whole.clone();
        lines.remove(decisions[number]);
        set_lines(recorded.path(), &lines);
        recorded.is_rejected("missing-decision", &format!("decision {number} is missing"));
    }
    let mut lines = whole;
    lines.retain(|line| !line.starts_with("{\"decision\":"));
    set_lines(recorded.path(), &lines);
    let last = decisions.len() - 1;
    recorded.is_rejected("missing-decision", &format!("decisions 0 to {last} are missing"));
}

#[test]
fn a_decision_that_is_there_twice_is_a_difference() {
    let recorded = Recorded::new();
    let mut lines = lines(recorded.path());
    let second = lines_of(&lines, "decision")[1];
    lines.insert(second, lines[second].clone());
    set_lines(recorded.path(), &lines);
    recorded.is_rejected("decision-number", "decision 1 where decision 2 comes next");
}

#[test]
fn wrong_frame_numbers_are_differences() {
    let recorded = Recorded::new();
    let whole = lines(recorded.path());
    let decision = lines_of(&whole, "decision")[2];
    let frame = serde_json::from_str::<Value>(&whole[decision]).unwrap();
    let frame = frame["decision"]["frame"].as_u64().unwrap();
    let named = format!("\"frame\":{frame},");
    for (other, what) in [
        ((frame + 1).to_string(), format!("on frame {}, but after frame {frame}", frame + 1)),
        ((frame - 1).to_string(), format!("on frame {}, but after frame {frame}", frame - 1)),
        ("9999".to_owned(), format!("on frame 9999, but after frame {frame}")),
        ("null".to_owned(), format!("on no frame, but after frame {frame}")),
    ] {
        let mut lines = whole.clone();
        assert!(lines[decision].contains(&named), "{}", lines[decision]);
        lines[decision] = lines[decision].replace(&named, &format!("\"frame\":{other},"));
        set_lines(recorded.path(), &lines);
        recorded.is_rejected("decision-frame", &what);
    }

    let frame = lines_of(&whole, "frame")[3];
    let mut lines = whole.clone();
    lines[frame] = "{\"frame\":7000}".to_owned();
    set_lines(recorded.path(), &lines);
    recorded.is_rejected("missing-frame", "frames 3 to 6999 are missing");
    recorded.is_rejected("missing-picture", "7000.png: the picture is missing");
    recorded.is_rejected("unlisted", "0003.png: no line of decisions.jsonl names this");

    let mut lines = whole;
    lines.remove(frame);
    set_lines(recorded.path(), &lines);
    recorded.is_rejected("missing-frame", "frame 3 is missing");
}

#[test]
fn a_line_that_is_cut_off_is_a_difference() {
    let recorded = Recorded::new();
    let whole = lines(recorded.path());
    let decision = *lines_of(&whole, "decision").last().unwrap();
    let mut text: String = whole[..decision].iter().map(|line| format!("{line}\n")).collect();
    text += &whole[decision][..whole[decision].len() / 2];
    std::fs::write(recorded.file("decisions.jsonl"), text).unwrap();
    recorded.is_rejected("line", &format!("line {}: cut off", decision + 1));

    let mut lines = whole;
    lines[decision].truncate(20);
    set_lines(recorded.path(), &lines);
    recorded.is_rejected("line", &format!("line {}: ", decision + 1));
    recorded.is_rejected("missing-decision", "is missing");
}

#[test]
fn a_picture_or_label_that_no_line_names_is_a_difference() {
    let recorded = Recorded::new();
    std::fs::copy(recorded.file("0003.png"), recorded.file("0300.png")).unwrap();
    recorded.is_rejected("unlisted", "0300.png: no line of decisions.jsonl names this");
    std::fs::rename(recorded.file("0300.png"), recorded.file("shot.png")).unwrap();
    recorded.is_rejected("unlisted", "shot.png: no line of decisions.jsonl names this");
    std::fs::remove_file(recorded.file("shot.png")).unwrap();
    std::fs::copy(recorded.file("0003.txt"), recorded.file("0300.txt")).unwrap();
    recorded.is_rejected("unlisted", "0300.txt: no line of decisions.jsonl names this");
}

#[test]
fn a_file_that_is_cut_short_is_a_difference() {
    let recorded = Recorded::new();
    let picture = recorded.file("0003.png");
    let whole = std::fs::read(&picture).unwrap();
    for length in [0, whole.len() / 2] {
        std::fs::write(&picture, &whole[..length]).unwrap();
        recorded.is_rejected("unreadable", "0003.png: ");
    }
    std::fs::write(&picture, &whole).unwrap();
    let label = recorded.file("0004.txt");
    let whole = std::fs::read(&label).unwrap();
    for length in [0, whole.len() / 2] {
        std::fs::write(&label, &whole[..length]).unwrap();
        recorded.is_rejected("unreadable", "0004.txt: ");
    }
    replays_nothing_else_wrongly(&recorded, "0004");
}

/// All differences are about this one picture.
#[track_caller]
fn replays_nothing_else_wrongly(recorded: &Recorded, name: &str) {
    let (_, _, report) = replay(recorded.path());
    for difference in report["differences"].as_array().unwrap() {
        assert!(difference.to_string().contains(name), "{difference}");
    }
}

#[test]
fn pictures_that_changed_places_are_differences() {
    let recorded = Recorded::new();
    let swap = |extension: &str| {
        let [a, b, c] = ["0003", "0004", "swap"].map(|name| recorded.file(name));
        let [a, b, c] = [a, b, c].map(|name| name.with_extension(extension));
        for (from, to) in [(&a, &c), (&b, &a), (&c, &b)] {
            std::fs::rename(from, to).unwrap();
        }
    };
    swap("png");
    recorded.is_rejected("cell", "0003.png: cell");
    // With their labels they are as they were read, and not what was decided on.
    swap("txt");
    recorded.is_rejected("decision-board", "in the board decided on");
}

#[test]
fn a_cell_that_reads_otherwise_is_a_difference() {
    let recorded = Recorded::new();
    let label = recorded.file("0003.txt");
    let (mut board, notes) = text::parse(&std::fs::read_to_string(&label).unwrap()).unwrap();
    let whole = board.clone();
    for other in ['8', '~', '#', '0'] {
        let other = Cell::from_symbol(other).unwrap();
        let (pos, _) = whole.iter().find(|&(_, cell)| cell != other).unwrap();
        board = whole.clone();
        board[pos] = other;
        std::fs::write(&label, text::print(&board, &notes)).unwrap();
        recorded.is_rejected("cell", &format!("cell {pos}: expected {}", other.symbol()));
    }
    std::fs::write(&label, text::print(&whole, &notes)).unwrap();

    let picture = recorded.file("0003.png");
    let mut pixels = load_picture(&picture).unwrap().pixels;
    let edges = |axis: &str| -> Vec<u32> {
        notes[axis].split(',').map(|edge| edge.parse().unwrap()).collect()
    };
    let (xs, ys) = (edges("xs"), edges("ys"));
    let first = |is: fn(Cell) -> bool| whole.iter().find(|&(_, cell)| is(cell)).unwrap().0;
    let at = |pos: Pos| (xs[usize::from(pos.col)], ys[usize::from(pos.row)]);
    // A number is painted over a covered cell. The reader may see that it cannot be, or not.
    let covered = first(Cell::is_unopened);
    let (from, to) = (at(first(|cell| cell.number() == Some(1))), at(covered));
    let side = xs[1] - xs[0];
    let number = image::imageops::crop_imm(&pixels, from.0, from.1, side, side).to_image();
    image::imageops::replace(&mut pixels, &number, to.0.into(), to.1.into());
    pixels.save(&picture).unwrap();
    recorded.is_rejected("cell", &format!("cell {covered}: expected #, read "));
}

#[test]
fn a_label_that_says_no_place_is_a_difference() {
    let recorded = Recorded::new();
    let label = recorded.file("0003.txt");
    let whole = std::fs::read_to_string(&label).unwrap();
    for (from, to) in [(" xs=", " xs=1,"), (" xs=", " xs=99999,"), (" ys=", " ys=x,")] {
        assert!(whole.contains(from), "{whole}");
        std::fs::write(&label, whole.replace(from, to)).unwrap();
        recorded.is_rejected("unreadable", "do not say where the cells of its board are");
    }
}

/// Runs a shell script with `$DISK`, a file system of so many kilobytes, which ends with it.
#[cfg(target_os = "linux")]
fn on_a_small_disk(kilobytes: u32, script: &str) -> Command {
    // A name space of its own: whatever comes, the disk is gone afterwards.
    let script = format!(
        "mount -t tmpfs -o size={kilobytes}k small \"$DISK\" || {{ echo no small disk >&2; exit 99; }}\n{script}"
    );
    let own = "if [ \"$(id -u)\" = 0 ]; then exec unshare -m sh -c \"$0\"; else exec unshare -rm sh -c \"$0\"; fi";
    let mut command = Command::new("sh");
    command.args(["-c", own, &script]).env("MINESCRAPER", PROGRAM);
    command
}

/// Every file is whole, and the lines tell of all pictures.
#[track_caller]
fn is_whole(recording: &Path) {
    let frames = lines_of(&lines(recording), "frame").len();
    let text = std::fs::read_to_string(recording.join("decisions.jsonl")).unwrap();
    assert!(text.ends_with('\n'), "the last line is not whole");
    for line in text.lines() {
        serde_json::from_str::<Value>(line).unwrap();
    }
    for frame in 0..frames {
        let picture = recording.join(format!("{frame:04}.png"));
        load_picture(&picture).unwrap();
        let label = std::fs::read_to_string(picture.with_extension("txt")).unwrap();
        text::parse(&label).unwrap();
    }
    let files = recording.read_dir().unwrap().count();
    assert_eq!(files, 2 * frames + 1, "there is more than {frames} frames and their lines");
}

#[test]
fn other_colours_are_tried_only_where_a_label_tells_more_than_the_skin_does() {
    let skins = minescraper::Skin::shipped();
    let skin = skins.iter().find(|skin| skin.name == "winemine").unwrap().clone();
    let rows = "0001#\n00011\n00000\n11000\n#1000";
    let board: minescraper::board::Board = rows.parse().unwrap();
    let (mut pixels, lattice) = minescraper::lab::virtual_desktop::picture(skin, &board, 20);
    image::imageops::invert(&mut pixels);
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("inverted.png");
    pixels.save(&picture).unwrap();
    let listed = |edges: &[i32]| edges.iter().map(i32::to_string).collect::<Vec<_>>().join(",");
    let (xs, ys) = lattice.edges();
    let place = format!("skin=winemine xs={} ys={}", listed(xs), listed(ys));
    for label in [rows, "~~~~~\n~~~~~\n~~~~~\n~~~~~\n~~~~~"] {
        let text = format!("minescraper 5x5 {place}\n{label}\n");
        std::fs::write(picture.with_extension("txt"), text).unwrap();
        replays_without_a_difference(folder.path());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_a_recording_at_its_last_whole_frame() {
    let folder = tempfile::tempdir().unwrap();
    let (disk, kept) = (folder.path().join("disk"), folder.path().join("kept"));
    std::fs::create_dir(&disk).unwrap();
    // Sizes a page apart: it is full in a picture, in a label or in a line.
    for kilobytes in (160..=200).step_by(4) {
        let output = on_a_small_disk(
            kilobytes,
            "\"$MINESCRAPER\" demo --skin winemine --level beginner --games 12 --record \"$DISK/game\"\n\
             code=$?; cp -a \"$DISK/game\" \"$KEPT\"; exit $code",
        )
        .envs([("DISK", &disk), ("KEPT", &kept)])
        .output()
        .unwrap();
        let (printed, said) = (printed(&output), said(&output));
        assert_eq!(output.status.code(), Some(1), "{kilobytes} kB: {said}");
        assert!(printed.contains(" of 12 games won"), "the games go on: {printed}{said}");
        let messages: Vec<&str> = said.lines().collect();
        assert_eq!(messages.len(), 2, "once when it happens, once at the end: {said}");
        assert!(messages[0].contains("the recording ends before that, play goes on"), "{said}");
        assert!(messages[0].contains("No space left on device"), "{said}");
        assert!(messages[1].contains("the games were played, but not all is recorded"), "{said}");

        is_whole(&kept);
        let recorded = lines_of(&lines(&kept), "frame").len();
        assert!(recorded > 3, "{recorded} frames on {kilobytes} kB");
        replays_without_a_difference(&kept);
        std::fs::remove_dir_all(&kept).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_while_the_games_go_on() {
    let folder = tempfile::tempdir().unwrap();
    // Far more games than are played before the message is answered.
    let mut program = on_a_small_disk(
        160,
        "exec \"$MINESCRAPER\" demo --skin winemine --level beginner --games 100000 --record \"$DISK/game\"",
    )
    .env("DISK", folder.path())
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    let mut errors = BufReader::new(program.stderr.take().unwrap());
    let mut message = String::new();
    errors.read_line(&mut message).unwrap();
    let stopped = Command::new("kill").args(["-INT", &program.id().to_string()]).status();
    let output = program.wait_with_output().unwrap();
    assert!(message.contains("the recording ends before that"), "{message}");
    assert!(stopped.unwrap().success());
    assert_eq!(output.status.code(), Some(130), "{}", printed(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn no_recording_begins_on_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let output = on_a_small_disk(
        64,
        "head -c 65536 /dev/zero >\"$DISK/full\"\n\
         \"$MINESCRAPER\" demo --level beginner --record \"$DISK/game\"\n\
         code=$?; ls \"$DISK/game\"; exit $code",
    )
    .env("DISK", folder.path())
    .output()
    .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said(&output).contains("decisions.jsonl: No space left on device"),
        "{}",
        said(&output)
    );
    assert_eq!(printed(&output), "", "no game is played, no file is left");
}

/// Sessions of the real games, recorded and read again.
#[cfg(feature = "desktop")]
mod real_games {
    use super::*;

    /// Window manager, level and options of `play`.
    const SESSIONS: [(&str, &str, &str); 4] = [
        ("stock", "beginner", "--games 5"),
        ("bare", "beginner", "--games 4 --style chords"),
        ("bare", "intermediate", "--games 2 --style flags"),
        ("stock", "expert", "--games 2"),
    ];

    fn own_recordings_replay(game: &str) {
        for (wm, level, options) in SESSIONS {
            let what = format!("{game}, {level}, under {wm}, {options}");
            let folder = tempfile::tempdir().unwrap().keep();
            let record = folder.join("record");
            let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/with-game.sh");
            let output = Command::new(script)
                .args(["--wm", wm, game, level, "--", "timeout", "300", PROGRAM, "play"])
                .args(options.split(' '))
                .args(["--record", told(&record)])
                .output()
                .unwrap();
            assert!(output.status.success(), "{what}: {}{}", printed(&output), said(&output));
            is_whole(&record);
            replays_without_a_difference(&record);

            // Whatever lies over a board, a cell that is read otherwise than it was is told. (A dialog may hide all of the
            // last board.)
            let frames = 0..lines_of(&lines(&record), "frame").len();
            let shows_number = |frame: usize| {
                let label = record.join(format!("{frame:04}.txt"));
                let (board, notes) =
                    text::parse(&std::fs::read_to_string(&label).unwrap()).unwrap();
                let number = board.iter().find(|(_, cell)| cell.number().is_some());
                number.map(|(pos, cell)| (label, board.clone(), notes, pos, cell))
            };
            let (label, mut board, notes, pos, cell) =
                frames.rev().find_map(shows_number).expect("a frame with a number");
            board[pos] = Cell::open((cell.number().unwrap() + 1) % 9);
            std::fs::write(&label, text::print(&board, &notes)).unwrap();
            let (code, printed, _) = replay(&record);
            assert_eq!(code, 1, "{what}: {printed}");
            assert!(printed.contains(&format!("cell {pos}: expected")), "{what}: {printed}");
            std::fs::remove_dir_all(&folder).unwrap();
        }
    }

    #[test]
    fn recordings_of_winemine_replay_without_a_difference() {
        own_recordings_replay("winemine");
    }

    #[test]
    fn recordings_of_gnome_mines_replay_without_a_difference() {
        own_recordings_replay("gnome-mines");
    }

    #[test]
    fn recordings_of_kmines_replay_without_a_difference() {
        own_recordings_replay("kmines");
    }

    #[test]
    fn recordings_of_sgt_mines_replay_without_a_difference() {
        own_recordings_replay("sgt-mines");
    }

    #[test]
    fn recordings_of_xdemineur_replay_without_a_difference() {
        own_recordings_replay("xdemineur");
    }
}
