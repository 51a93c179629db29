//! Boards and replays as other programs have them, and what players count of a board.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use minescraper::board::{Board, Pos};
use minescraper::lab::formats::{
    LaidBoard, Mouse, board_link, boards, jsminesweeper, laid, mbf, position, rawvf,
};
use minescraper::lab::minefield::{Minefield, Options};
use minescraper::lab::stats::{Stats, Way, bbbv, zini};
use serde_json::{Value, json};

/// Runs the program in this folder.
fn run_in(folder: &Path, args: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_minescraper"));
    program.args(args).current_dir(folder).output().expect("the program starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What it prints when all is well.
#[track_caller]
fn printed(folder: &Path, args: &[&str]) -> String {
    let output = run_in(folder, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn as_json(folder: &Path, args: &[&str]) -> Value {
    serde_json::from_str(&printed(folder, &[args, &["--json"]].concat())).unwrap()
}

/// A link to a board and its mines, 3BV, openings, islands, G.ZiNi, H.ZiNi, and the fewest clicks that open it with flags.
type Known = (&'static str, usize, u32, usize, usize, u32, u32, u32);

/// Boards that others have counted: the links, 3BV and fewest clicks are those of LlamaSweeper's tests of its exact
/// solver (`doms_tests.rs`); the others are what ms_toollib 1.5.20 says of these boards.
#[rustfmt::skip]
const KNOWN: [Known; 18] = [
    ("?b=1&m=o020000800142g060", 10, 14, 1, 2, 11, 13, 11),
    ("?b=1&m=1900880040g04008g", 10, 11, 6, 4, 11, 11, 11),
    ("?b=1&m=h100080080004109g", 10, 8, 2, 1, 7, 7, 7),
    ("?b=2010&m=41880gmg008038200g8182g920414s0284400088", 35, 62, 7, 7, 45, 49, 43),
    ("?b=2010&m=0002o0h8602a50080801e81208203gk080i08110", 35, 55, 4, 5, 37, 48, 36),
    ("?b=1020&m=84002000g0i885h0510g80ga2922h00088021g4o", 35, 70, 9, 7, 49, 51, 47),
    ("?b=1020&m=18901080g00c09cg2o13g00o0iah05c08003a0h0", 40, 77, 4, 5, 46, 50, 45),
    ("?b=1207&m=1208mk2420073400e", 20, 35, 4, 3, 28, 32, 28),
    ("?b=2&m=80484108o2h0ig8o050291820410182o04g001210g000g0g0000", 40, 80, 8, 4, 55, 57, 54),
    ("?b=2&m=gg2081042801200898a0320080ho1o001a80020i008000g6001g", 40, 54, 8, 6, 38, 42, 38),
    ("?b=2&m=40005g91c4g28080662108000k840021g600gc1022002000o200", 40, 45, 6, 7, 36, 36, 34),
    ("?b=3&m=2600026g0001k0201b0m10qi008209p48bg1i40m20l81m200k0308214080008a00o0088106401c46820ccc05ipc0400g", 99, 160, 10, 10, 107, 116, 103),
    ("?b=3&m=ggo08009i000i00h00g40qkg70008gg2990011k26k01kg8q00g08a2g004hg0m190082920013g168i9cgiq220i20050g4", 99, 181, 13, 9, 122, 133, 119),
    ("?b=3&m=90i2081802241m008121g60g0000c000qk8d4hbcgs003k05e80gg0dg41g8ph80011900000g04o100l000g1g20c1gsga4", 99, 162, 13, 15, 110, 112, 103),
    ("?b=3&m=6483008g0000d9891h604e4188g104gg0841b424i00ib0g8c1003g0501000200i5gg4004148l401069888308i24h1462", 99, 187, 13, 6, 131, 139, 122),
    ("?b=3&m=4010eg000c0848o4g610g09364001gg42h42t1pg04882040aga1000s814a000c4g1160s0g2010230140j83og0092oa04", 99, 193, 14, 9, 119, 130, 113),
    ("?b=3&m=00000094i94i00000000000094i94i00000000000094i94i00000000000094i94i00000000000094i94i94i94i000000", 60, 420, 0, 1, 173, 188, 158),
    ("?b=3020&m=84819191d005024402p010ki1104i0a85204000g10090h8080kj092916g324h0ka00ci0o880002cs0106294ad2244408i8p968hh020304ia0g000gi0", 130, 356, 11, 1, 187, 216, 179),
];

#[test]
fn the_figures_of_boards_are_those_that_others_count() {
    for (link, mines, bbbv, openings, islands, zini, human_zini, fewest) in KNOWN {
        let board = board_link::read(link).unwrap();
        assert_eq!(board_link::query(&board), link);
        let stats = Stats::of(&board);
        assert_eq!((stats.mines, stats.bbbv), (mines, bbbv), "{link}");
        assert_eq!((stats.openings, stats.islands), (openings, islands), "{link}");
        assert_eq!((stats.zini, stats.human_zini), (zini, human_zini), "{link}");
        assert!(fewest <= stats.zini, "{link}");
        let cells = usize::from(board.cols) * usize::from(board.rows);
        assert_eq!(stats.numbers.iter().sum::<usize>(), cells - mines);
    }
}

#[test]
fn the_numbers_of_a_board_are_those_that_others_count() {
    let numbers = |link| Stats::of(&board_link::read(link).unwrap()).numbers;
    assert_eq!(numbers(KNOWN[0].0), [36, 23, 10, 2, 0, 0, 0, 0, 0]);
    assert_eq!(numbers(KNOWN[7].0), [10, 17, 22, 10, 4, 0, 1, 0, 0]);
    assert_eq!(numbers(KNOWN[13].0), [77, 158, 85, 43, 10, 7, 1, 0, 0]);
}

/// Every board of 4x3 cells with at least one that is no mine.
fn small_boards() -> impl Iterator<Item = (Minefield, Board)> {
    (0..4095_u32).map(|layout| {
        let place = |index: u32| Pos::new((index % 4) as u16, (index / 4) as u16);
        let mines: Vec<Pos> =
            (0..12).filter(|index| layout & (1 << index) != 0).map(place).collect();
        let game = Minefield::with_mines(4, 3, mines.iter().copied(), Options::default()).unwrap();
        let text = format!("4 3 {} :", mines.len());
        let listed = mines.iter().map(|mine| format!(" {}", mine.row * 4 + mine.col));
        let laid = laid::parse(&(text + &listed.collect::<String>())).unwrap();
        (game, laid[0].opened())
    })
}

#[test]
fn no_fewer_clicks_than_3bv_open_a_small_board_and_so_many_do() {
    for (game, board) in small_boards() {
        let safe: Vec<Pos> =
            board.iter().filter(|(_, cell)| cell.number().is_some()).map(|(pos, _)| pos).collect();
        // What each click opens by itself; without flags clicks do not help each other.
        let opens = safe.iter().map(|&pos| {
            let mut game = game.clone();
            game.open(pos);
            let open = game.view().iter().filter(|(_, cell)| cell.number().is_some());
            open.map(|(pos, _)| 1_u32 << (pos.row * 4 + pos.col)).sum::<u32>()
        });
        let opens: Vec<u32> = opens.collect();
        let all = opens.iter().fold(0, |all, opened| all | opened);
        let made = |clicks: u32| {
            let chosen = (0..opens.len()).filter(|nth| clicks & (1 << nth) != 0);
            chosen.fold(0, |opened, nth| opened | opens[nth])
        };
        let whole = (0..1_u32 << opens.len()).filter(|&clicks| made(clicks) == all);
        let fewest = whole.map(u32::count_ones).min().unwrap();
        assert_eq!(bbbv(&board), fewest, "{board}");
    }
}

#[test]
fn flags_never_cost_clicks_by_zini() {
    for (_, board) in small_boards() {
        for way in [Way::Greedy, Way::Human] {
            assert!(zini(&board, way) <= bbbv(&board), "{way:?}: {board}");
        }
    }
}

#[test]
fn the_largest_board_is_counted_in_time() {
    let mines =
        (0..480 * 270).filter(|index| index * 7919 % 101 < 20).map(|index| format!(" {index}"));
    let mines: Vec<String> = mines.collect();
    let text = format!("480 270 {} :{}", mines.len(), mines.concat());
    let stats = Stats::of(&laid::parse(&text).unwrap()[0]);
    assert!(stats.zini <= stats.bbbv && stats.bbbv > 1000, "{stats:?}");
}

/// A board of 5x4 with three mines, lost, in our text form.
const LOST: &str = "minescraper 5x4 mines=3 status=lost\n0011#\n013*#\n01X*#\n01###\n";

/// The same board in each form that there is.
fn in_every_form() -> Vec<(&'static str, Vec<u8>)> {
    let board = LaidBoard::of_finished(&LOST.parse().unwrap()).unwrap();
    let replay = "RawVF_Version: Rev6\nWidth: 5\nHeight: 4\nMines: 3\nBoard:\n00000\n000*0\n00**0\n00000\n\
        Events:\n0.000 lc 1 1 (3 3)\n0.000 lr 1 1 (3 3)\n1.250 lc 3 3 (40 40)\n1.310 lr 3 3 (40 40)\n";
    // ms_toollib 1.5.20 reads this too, and the same in it.
    let mut avf = b"\x34\0\0\0\0\x06\x04\x03\0\x03\x02\x04\x03\x03\x03\x04".to_vec();
    avf.extend(b"\x06\xa0\xc8\x8f\xa1\x97\xd1\x07\x08\x0b\n\x11=[0|W5H4M3|26.10.2022.23:13:27:2236|26.23:13:29:7764|B8T2.31]");
    avf.extend(b"\0\x03\0\x01\x03\0\0\0\x03");
    avf.extend(b"\x05\0\x01\x03\0\0\0\x03\x03\0\x02\x28\x19\0\0\x28\x05\0\x02\x28\x1f\0\0\x28\0\0\0\0\0\0\0\0");
    avf.extend(b"cs=0123456789abcdef\rRealTime: 1.31\rSkin: Default\rSomebody\rMinesweeper Arbiter 0.52.3. Copyright");
    vec![
        ("board.mbf", mbf::write(&board).unwrap()),
        (
            "link.txt",
            format!("https://llamasweeper.com/#/game/zini-explorer{}\n", board_link::query(&board))
                .into(),
        ),
        ("lost.txt", LOST.into()),
        ("won.txt", b"00111\n013F2\n01##2\n01221\n".to_vec()),
        ("position.mine", b"5x4x3\n0011H\n013FH\n01??H\n01HHH\n".to_vec()),
        ("laid.txt", format!("{board}\n").into()),
        ("replay.rawvf", replay.into()),
        ("replay.avf", avf),
    ]
}

#[test]
fn a_board_is_the_same_in_every_form() {
    let mines = [Pos::new(3, 1), Pos::new(2, 2), Pos::new(3, 2)];
    for (name, content) in in_every_form() {
        let read = boards(&content).unwrap_or_else(|error| panic!("{name}: {error}"));
        let [board] = &read[..] else { panic!("{name} is one board") };
        assert_eq!((board.cols, board.rows, &board.mines[..]), (5, 4, &mines[..]), "{name}");
        let is_replay = name.starts_with("replay");
        assert_eq!(board.first, is_replay.then_some(Pos::new(0, 0)), "{name}");
    }
}

#[test]
fn a_board_of_which_the_game_goes_on_has_no_known_mines() {
    for (text, why) in [
        ("0011#\n013##\n01###\n0####\n", "the first cell that does not agree is"),
        (
            "minescraper 5x4 mines=3\n0011#\n013##\n01###\n01###\n",
            "does not show where all mines are",
        ),
        (
            "minescraper 5x4 mines=4 status=lost\n0011#\n013*#\n01X*#\n01###\n",
            "it has 4, and 3 cells",
        ),
        (
            "minescraper 3x1 mines=1 status=won\n1~0\n",
            "the first cell that does not agree is (0, 0)",
        ),
        ("minescraper 3x1 status=won\n00~\n", "the first cell that does not agree is (2, 0)"),
    ] {
        let error = boards(text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(why), "{text}: {error}");
    }
}

/// Every file of every form, cut off everywhere, and with single bytes changed.
#[test]
fn broken_files_are_errors_or_other_boards_and_nothing_worse() {
    let mut broken = 0;
    for (name, content) in in_every_form() {
        let whole = boards(&content).unwrap();
        for cut in 0..content.len() {
            // What is not a part of the board may be missing: the end of a text, and what replays say at last.
            match boards(&content[..cut]) {
                Ok(read) => assert!(
                    read.is_empty() || name != "board.mbf" && read[0].mines.len() <= 3,
                    "{name}, {cut}"
                ),
                Err(error) => broken += usize::from(!error.to_string().is_empty()),
            }
            for byte in [0, b'\n', b'9', b'|', 255, content[cut] ^ 1] {
                let mut changed = content.clone();
                changed[cut] = byte;
                let read = boards(&changed);
                assert!(
                    read.is_err() || read.unwrap().iter().all(|board| board.field().is_ok()),
                    "{name}, {cut}"
                );
            }
        }
        assert_eq!(boards(&content).unwrap(), whole);
    }
    assert!(broken > 300, "{broken}");
}

#[test]
fn random_bytes_are_no_board() {
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u8
    };
    for length in (0..4000).map(|nth| nth % 400 + 8) {
        let mut content: Vec<u8> = (0..length).map(|_| next()).collect();
        for level in [content[5], 3, 6] {
            content[5] = level;
            if let Err(error) = boards(&content) {
                assert!(!error.to_string().is_empty());
            }
        }
        let text: String = content.iter().map(|byte| char::from(byte % 96 + 32)).collect();
        for begun in ["", "?b=3&m=", "?analysis=ajajaaak", "9x9x10\n", "Board:\n", "9 9 10 :"] {
            let _ =
                (boards(format!("{begun}{text}").as_bytes()), position(&format!("{begun}{text}")));
        }
    }
}

/// A folder with a file of every form.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in in_every_form() {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }
}

#[test]
fn stats_prints_the_figures_of_every_file_and_link() {
    let files = Files::new();
    let link = format!("https://llamasweeper.com/#/game/zini-explorer{}", KNOWN[13].0);
    let names: Vec<&str> = in_every_form().iter().map(|(name, _)| *name).collect();
    let args = [&["stats"], &names[..], &[&link]].concat();
    let told = as_json(files.path(), &args);
    let told = told["boards"].as_array().unwrap();
    assert_eq!(told.len(), names.len() + 1);
    let by_query = as_json(files.path(), &["stats", KNOWN[13].0]);
    assert_eq!(by_query["boards"][0]["link"], told[names.len()]["link"]);
    for (board, name) in told.iter().zip(&names) {
        assert_eq!(board["file"], *name);
        let figures = ["cols", "rows", "mines", "bbbv", "openings", "islands"]
            .map(|field| board[field].as_u64());
        // One region of blanks, and seven numbers that touch none, around the mines at the right.
        assert_eq!(figures, [5, 4, 3, 8, 1, 1].map(Some), "{name}: {board}");
        assert_eq!(board["numbers"], json!([5, 7, 4, 1, 0, 0, 0, 0, 0]));
    }
    let known = told.last().unwrap();
    assert_eq!(
        (&known["zini"], &known["human_zini"], &known["link"]),
        (&json!(110), &json!(112), &json!(KNOWN[13].0))
    );

    let plain = printed(files.path(), &args);
    let lines: Vec<&str> = plain.lines().collect();
    assert_eq!(lines.len(), names.len() + 2, "{plain}");
    assert!(lines[1].contains("5x4") && lines[1].ends_with("board.mbf"), "{plain}");
    assert!(lines.last().unwrap().contains(" 77 158 85 43 10 7 1 0 0 "), "{plain}");
}

#[test]
fn stats_names_the_file_that_is_no_board_and_what_is_wrong_with_it() {
    let files = Files::new();
    let mbf = std::fs::read(files.file("board.mbf")).unwrap();
    for (name, content, why) in [
        ("short.mbf", &mbf[..mbf.len() - 1], "no mbf board (it ends within its mines)"),
        ("empty.txt", b"", "there are no boards in it"),
        ("going-on.txt", b"1##\n###\n", "does not show where all mines are"),
        ("poem.txt", b"so much depends upon: a red wheelbarrow\n", "line 1"),
        ("poem", b"so much depends upon\n", "line 1"),
    ] {
        std::fs::write(files.file(name), content).unwrap();
        let output = run_in(files.path(), &["stats", "laid.txt", name]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(said(&output).contains(&format!("{name}: ")), "{}", said(&output));
        assert!(said(&output).contains(why), "{}", said(&output));
        assert!(output.stdout.is_empty(), "{name}");
    }
    assert_eq!(run_in(files.path(), &["stats"]).status.code(), Some(2));
}

#[test]
fn a_bench_plays_boards_of_any_form() {
    let files = Files::new();
    for (name, _) in in_every_form() {
        let report = as_json(files.path(), &["bench", "--boards", name, "--strategy", "single"]);
        let score = &report["strategies"][0];
        assert_eq!(score["games"], 1, "{name}: {report}");
        // Only a replay knows its first click, which opens a region; else the strategy has to choose it.
        let is_replay = name.starts_with("replay");
        assert!(is_replay || score["guesses_per_game"].as_f64() >= Some(1.0), "{name}: {report}");
    }
}

#[test]
fn a_board_is_written_as_mbf_and_read_again() {
    let files = Files::new();
    let game = ["bench", "--level", "expert", "--seed", "4"];
    printed(files.path(), &[&game[..], &["--games", "1", "--write-boards", "one.mbf"]].concat());
    printed(files.path(), &[&game[..], &["--games", "1", "--write-boards", "one.txt"]].concat());
    let (mbf, text) = (
        std::fs::read(files.file("one.mbf")).unwrap(),
        std::fs::read(files.file("one.txt")).unwrap(),
    );
    assert_eq!(mbf.len(), 4 + 2 * 99);
    assert_eq!(boards(&mbf).unwrap()[0].mines, boards(&text).unwrap()[0].mines);

    // A replay becomes a board of another form.
    printed(files.path(), &["bench", "--boards", "replay.avf", "--write-boards", "replay.mbf"]);
    assert_eq!(
        std::fs::read(files.file("replay.mbf")).unwrap(),
        std::fs::read(files.file("board.mbf")).unwrap()
    );
    printed(
        files.path(),
        &["bench", "--boards", "replay.avf", "board.mbf", "--write-boards", "both.txt"],
    );
    let both = std::fs::read_to_string(files.file("both.txt")).unwrap();
    assert_eq!(both, "5 4 3 0 0 : 8 12 13\n5 4 3 : 8 12 13\n");

    let two =
        run_in(files.path(), &[&game[..], &["--games", "2", "--write-boards", "two.mbf"]].concat());
    assert_eq!(two.status.code(), Some(1));
    assert!(said(&two).contains("an mbf file holds one board, not 2"), "{}", said(&two));
}

/// The board of the last frame that a recording has.
fn last_board(folder: &Path) -> Board {
    let last = (0..)
        .map(|nth| folder.join(format!("{nth:04}.txt")))
        .take_while(|label| label.exists())
        .last();
    std::fs::read_to_string(last.unwrap()).unwrap().parse().unwrap()
}

#[test]
fn a_demo_plays_the_board_of_a_file_from_its_first_click() {
    let files = Files::new();
    let game = [
        "bench",
        "--level",
        "beginner",
        "--first-click",
        "open",
        "--no-guess",
        "--seed",
        "6",
        "--games",
        "1",
    ];
    for name in ["game.txt", "game.mbf"] {
        printed(files.path(), &[&game[..], &["--write-boards", name]].concat());
        let record = format!("{name}-played");
        let args = ["demo", "--skin", "winemine", "--board", name, "--record", &record];
        let outcome = as_json(files.path(), &args)["outcomes"].clone();
        // From its own first click it needs no guess.
        assert!(name == "game.mbf" || outcome == json!(["won"]), "{outcome}");
        let end = LaidBoard::of_finished(&last_board(&files.file(&record))).unwrap();
        assert_eq!(end.mines, boards(&std::fs::read(files.file(name)).unwrap()).unwrap()[0].mines);
    }
    std::fs::write(files.file("over.txt"), "9 9 1 0 0 : 80\n").unwrap();
    std::fs::write(files.file("two.txt"), "5 1 1 : 0\n5 1 1 : 1\n").unwrap();
    for (args, code, why) in [
        (&["--board", "two.txt"][..], 1, "two.txt: it has 2 boards; a demo plays one"),
        (&["--board", "over.txt"], 1, "over.txt: the first click ends its game"),
        (&["--board", "board.mbf", "--level", "expert"], 2, "cannot be used with"),
        (&["--board", "board.mbf", "--games", "2"], 2, "cannot be used with"),
    ] {
        let output = run_in(files.path(), &[&["demo"], args].concat());
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert!(said(&output).contains(why), "{}", said(&output));
    }
}

/// Records games of a demo, and says how they ended.
fn record(folder: &Path, seed: &str, games: &str, style: &str) -> Vec<String> {
    let game =
        ["demo", "--skin", "winemine", "--level", "beginner", "--record", "game", "--style", style];
    let summary = as_json(folder, &[&game[..], &["--seed", seed, "--games", games]].concat());
    summary["outcomes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|outcome| outcome.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_recorded_game_becomes_a_replay_that_makes_it_again() {
    for style in ["no-flags", "flags", "chords", "efficient"] {
        let mut ends = std::collections::BTreeSet::new();
        for seed in 1..=8 {
            let folder = tempfile::tempdir().unwrap();
            let outcome = record(folder.path(), &seed.to_string(), "1", style).remove(0);
            printed(folder.path(), &["replay", "game", "--rawvf", "game.rawvf"]);
            let text = std::fs::read_to_string(folder.path().join("game.rawvf")).unwrap();
            let replay = rawvf::read(&text).unwrap();
            assert_eq!(replay.to_string(), text);
            assert_eq!(replay.won, Some(outcome == "won"));
            assert_eq!(replay.board.mines.len(), 10);

            // Whoever has only the replay comes to the same end.
            let mut game = replay.board.field().unwrap();
            for event in &replay.events {
                let pos = Pos::new((event.x / 16) as u16, (event.y / 16) as u16);
                match event.mouse {
                    Mouse::LeftRelease => game.open(pos),
                    Mouse::RightPress => game.mark(pos),
                    Mouse::MiddleRelease => game.chord(pos),
                    _ => game.status(),
                };
            }
            assert_eq!(game.status().to_string(), outcome);
            let shown = last_board(&folder.path().join("game"));
            let numbers =
                |board: &Board| board.cells().iter().map(|cell| cell.number()).collect::<Vec<_>>();
            assert_eq!(numbers(game.view()), numbers(&shown));
            let times: Vec<i64> = replay.events.iter().map(|event| event.ms).collect();
            assert!(times[0] == 0 && times.is_sorted(), "{times:?}");
            let stats = as_json(folder.path(), &["stats", "game.rawvf"]);
            assert_eq!(stats["boards"][0]["bbbv"], Stats::of(&replay.board).bbbv);
            ends.insert(outcome);
        }
        assert!(ends.contains("won"), "{style}: {ends:?}");
    }
}

#[test]
fn a_game_that_cannot_become_a_replay_is_refused_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), "3", "2", "no-flags");
    let refused_with = |code: i32, args: &[&str], why: &str| {
        let output =
            run_in(folder.path(), &[&["replay", "game", "--rawvf", "out.rawvf"], args].concat());
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert!(said(&output).contains(why), "{}", said(&output));
        assert!(!folder.path().join("out.rawvf").exists());
    };
    let refused = |args: &[&str], why: &str| refused_with(1, args, why);
    refused_with(2, &["--game", "3"], "the recording has games 1 to 2");
    refused_with(2, &["--game", "0"], "the recording has games 1 to 2");
    printed(folder.path(), &["replay", "game", "--rawvf", "second.rawvf", "--game", "2"]);

    // A game without its end, and one of which a click is not recorded.
    let lines = std::fs::read_to_string(folder.path().join("game/decisions.jsonl")).unwrap();
    let second = lines.find("{\"game\":1}").unwrap();
    let end = lines[..second].rfind("{\"frame\":").unwrap();
    let clicks = lines.find("{\"clicks\":").unwrap();
    let after = clicks + lines[clicks..].find('\n').unwrap() + 1;
    let timeless: String = lines[..second]
        .lines()
        .map(|line| match line.starts_with("{\"clicks\"") {
            true => line.replace("\"seconds\"", "\"hours\"") + "\n",
            false => line.to_owned() + "\n",
        })
        .collect();
    for (text, why) in [
        (lines[..end].to_owned(), "does not show where all mines are"),
        (lines[..clicks].to_owned() + &lines[after..second], "do not open what the last picture"),
        (timeless, "an older version recorded it"),
        ("{}\n{".to_owned(), "there is no game in this recording"),
        (String::new(), "there is no game in this recording"),
    ] {
        std::fs::write(folder.path().join("game/decisions.jsonl"), text).unwrap();
        refused(&[], why);
    }
    std::fs::remove_dir_all(folder.path().join("game")).unwrap();
    refused(&[], "cannot read");
}

/// A position in the text form, as JSMinesweeper saves it, and as a link to its analyser.
fn in_each_form() -> [(&'static str, String); 3] {
    let text = "minescraper 3x2 mines=2\n121\nF##\n";
    let link = jsminesweeper::link(&text.parse().unwrap()).unwrap();
    [
        ("board.txt", text.to_owned()),
        ("board.mine", "3x2x2\n121\nFHH\n".to_owned()),
        ("link.txt", link),
    ]
}

#[test]
fn advice_is_the_same_on_a_position_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let [(_, ours), ..] = in_each_form();
    std::fs::write(folder.path().join("ours.txt"), ours).unwrap();
    let expected = as_json(folder.path(), &["advise", "ours.txt"]);
    assert_eq!(expected["move"], json!({ "col": 1, "row": 1, "action": "open" }));
    for (name, text) in in_each_form() {
        std::fs::write(folder.path().join(name), &text).unwrap();
        assert_eq!(as_json(folder.path(), &["advise", name]), expected, "{name}");
    }
    let [.., (_, link)] = in_each_form();
    assert_eq!(as_json(folder.path(), &["advise", &link]), expected);
    let broken = run_in(folder.path(), &["advise", &link[..link.len() - 1]]);
    assert_eq!(broken.status.code(), Some(1));
    assert!(said(&broken).contains("it ends within its cells"), "{}", said(&broken));
    let laid =
        run_in(folder.path(), &["advise", &format!("https://llamasweeper.com/{}", KNOWN[0].0)]);
    assert_eq!(laid.status.code(), Some(1));
    assert!(said(&laid).contains("which a player does not see"), "{}", said(&laid));
}

#[cfg(feature = "skins")]
#[test]
fn a_screenshot_becomes_a_link_to_the_analyser() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let link = printed(root, &["read", "fixtures/winemine/expert-middle.png", "--link"]);
    let label = std::fs::read_to_string(root.join("fixtures/winemine/expert-middle.txt")).unwrap();
    let (shown, label): (Board, Board) = (position(&link).unwrap(), label.parse().unwrap());
    assert_eq!(shown.mines.known(), label.mines.known());
    use minescraper::board::Cell;

    let plain = |board: &Board| -> Vec<Cell> {
        let cells = board.cells().iter();
        cells.map(|&cell| if cell == Cell::Questioned { Cell::Covered } else { cell }).collect()
    };
    assert_eq!(plain(&shown), plain(&label));
}

/// All names of fields in an object and below it. What is counted by bin or by symbol has names of its own.
fn fields(value: &Value, found: &mut std::collections::BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            let is_name = |name: &str| name.starts_with(|first: char| first.is_ascii_lowercase());
            found.extend(object.keys().filter(|name| is_name(name)).cloned());
            object.values().for_each(|value| fields(value, found));
        }
        Value::Array(values) => values.iter().for_each(|value| fields(value, found)),
        _ => {}
    }
}

#[test]
fn each_field_of_every_object_is_told() {
    let told = include_str!("../docs/formats.md");
    let folder = tempfile::tempdir().unwrap();
    record(folder.path(), "1", "1", "flags");
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    let screenshot = source.join("fixtures/winemine/expert-middle.png");
    std::fs::copy(screenshot, folder.path().join("picture.png")).unwrap();
    std::fs::write(folder.path().join("picture.txt"), "minescraper 2x2 mines=1\n1#\n##").unwrap();
    let calibration = source.join("calibration/xdemineur");
    let commands: [&[&str]; 12] = [
        &["demo", "--level", "beginner", "--games", "2"],
        &["demo", "--level", "beginner", "--dry-run"],
        &["bench", "--level", "8x8x12", "--games", "9", "--strategy", "exact,best", "--luck"],
        &["config"],
        &["skins"],
        &["read", "picture.png"],
        &["advise", "picture.png"],
        &["advise", "--board", "minescraper 2x2 mines=1/#1/#1"],
        &["stats", "https://llamasweeper.com/#/game/zini-explorer?b=1&m=o020000800142g060"],
        &["replay", "."],
        &["replay", "game", "--html", "game.html"],
        &["calibrate", "--name", "mine", "--out", "mine", calibration.to_str().unwrap()],
    ];
    for command in commands {
        let output = run_in(folder.path(), &[command, &["--json"]].concat());
        let printed = String::from_utf8(output.stdout.clone()).unwrap();
        let object: Value = serde_json::from_str(&printed)
            .unwrap_or_else(|error| panic!("{command:?} {error}: {printed}{}", said(&output)));
        let mut found = std::collections::BTreeSet::new();
        fields(&object, &mut found);
        assert!(!found.is_empty());
        for field in found {
            let is_told =
                ["\"", "`"].iter().any(|sign| told.contains(&format!("{sign}{field}{sign}")));
            assert!(is_told, "docs/formats.md does not tell the field {field} of {command:?}");
        }
    }
}
