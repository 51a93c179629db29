//! Benches: the same games and decisions on any number of threads, in any shards, from any machine.

use std::path::Path;
#[cfg(target_os = "linux")]
use std::process::Stdio;
use std::process::{Command, Output};
use std::sync::atomic::AtomicBool;
#[cfg(target_os = "linux")]
use std::time::{Duration, Instant};

use minescraper::board::{FirstClick, Pos, Rules};
use minescraper::lab::bench::{Bench, BenchError, Contender, Deals, Report, Setup};
use minescraper::lab::formats::{LaidBoard, laid};
use serde_json::{Value, json};

/// More than any strategy spends on a decision in these tests.
const PLENTY: u64 = 1_000_000;

/// No signal to stop.
static GOES_ON: AtomicBool = AtomicBool::new(false);

fn rules(level: &str, first_click: FirstClick) -> Rules {
    Rules::parse_level(level, first_click).unwrap()
}

fn bench(deals: Deals, seed: u64, strategies: &[&str]) -> Bench {
    let setup = Setup { level: None, first_click: None, seed, boards: None, no_guess: None };
    let contender = |name: &&str| Contender { name: (*name).to_owned(), budget: PLENTY };
    Bench { setup, deals, contenders: strategies.iter().map(contender).collect(), luck: false }
}

/// All that is said of a report but the times.
fn timeless(mut report: Value) -> Value {
    for score in report["strategies"].as_array_mut().unwrap() {
        for field in ["times", "ms_per_game", "decision_ms"] {
            assert!(score.as_object_mut().unwrap().remove(field).is_some(), "{field}");
        }
    }
    report
}

fn minescraper(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_minescraper");
    Command::new(program).arg("bench").args(args).output().expect("the program starts")
}

fn printed(args: &[&str]) -> String {
    let output = minescraper(args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn report(args: &[&str]) -> Value {
    serde_json::from_str(&printed(args)).unwrap()
}

fn told(path: &Path) -> &str {
    path.to_str().expect("paths are text")
}

#[test]
fn any_number_of_threads_plays_the_same_games_and_decides_alike() {
    let deals = Deals::Fresh(rules("intermediate", FirstClick::Safe));
    let bench = bench(deals, 5, &["single", "contradiction"]);
    let on = |threads| timeless(bench.run(0..150, threads, &GOES_ON, |_, _| {}).unwrap().to_json());
    let one = on(1);
    assert_eq!(on(2), one);
    assert_eq!(on(3), one);
}

#[test]
fn other_seeds_games_and_strategies_have_other_fingerprints() {
    let fingerprints = |seed, games| {
        let deals = Deals::Fresh(rules("beginner", FirstClick::Safe));
        let report =
            bench(deals, seed, &["single", "contradiction"]).run(games, 1, &GOES_ON, |_, _| {});
        report.unwrap().strategies.into_iter().map(|score| score.fingerprint).collect::<Vec<_>>()
    };
    let all = [fingerprints(1, 0..50), fingerprints(2, 0..50), fingerprints(1, 1..51)].concat();
    for (nth, fingerprint) in all.iter().enumerate() {
        assert!(!all[..nth].contains(fingerprint), "{all:?}");
    }
}

#[test]
fn decisions_are_those_on_record() {
    let record = include_str!("bench_fingerprint.txt");
    let lines = || record.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<&str> = lines().filter_map(|line| line.split_whitespace().next()).collect();
    let report = report(&[
        "--level",
        "expert",
        "--first-click",
        "safe",
        "--games",
        "200",
        "--seed",
        "1",
        "--strategy",
        &names.join(","),
        "--json",
    ]);
    let decided = report["strategies"].as_array().unwrap().iter().map(|score| {
        let text = |field: &str| score[field].as_str().unwrap().to_owned();
        format!("{} {}", text("name"), text("fingerprint"))
    });
    let decided: Vec<String> = decided.collect();
    assert_eq!(decided, lines().collect::<Vec<_>>(), "tests/bench_fingerprint.txt");
}

#[test]
fn merged_shards_equal_the_whole_in_all_but_times() {
    let folder = tempfile::tempdir().unwrap();
    let game = [
        "--level",
        "beginner",
        "--first-click",
        "open",
        "--games",
        "100",
        "--seed",
        "3",
        "--strategy",
        "single,contradiction",
        "--budget",
        "1,1000",
        "--luck",
        "--json",
    ];
    let mut files = Vec::new();
    for shard in ["2/3", "0/3", "1/3"] {
        let file = folder.path().join(shard.replace('/', "-of-"));
        std::fs::write(&file, printed(&[&game[..], &["--shard", shard]].concat())).unwrap();
        files.push(file);
    }
    let merge = |files: &[&Path]| {
        let files = files.iter().copied().map(told);
        let args: Vec<&str> = ["--json", "--merge"].into_iter().chain(files).collect();
        minescraper(&args)
    };
    let [a, b, c] = [0, 1, 2].map(|nth| files[nth].as_path());
    let merged: Value = serde_json::from_slice(&merge(&[a, b, c]).stdout).unwrap();
    assert_eq!(timeless(merged.clone()), timeless(report(&game)));

    // What was merged can be merged, and the times are those of all shards.
    let half = folder.path().join("half");
    std::fs::write(&half, merge(&[c, a]).stdout).unwrap();
    let again: Value = serde_json::from_slice(&merge(&[&half, b]).stdout).unwrap();
    assert_eq!(again, merged);

    let twice = merge(&[a, b, a]);
    assert_eq!(twice.status.code(), Some(1));
    let said = String::from_utf8_lossy(&twice.stderr);
    assert!(said.contains("game 66 is in more than one") && said.contains("2-of-3"), "{said}");
    let missing = merge(&[a, b]);
    assert_eq!(missing.status.code(), Some(0));
    let said = String::from_utf8_lossy(&missing.stderr);
    assert!(said.contains("games 33 to 65 are missing"), "{said}");
}

#[test]
fn reports_of_different_benches_are_not_merged() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, more: &[&str]| {
        let path = folder.path().join(name);
        let args = ["--level", "3x3x2", "--games", "1", "--strategy", "single", "--json"];
        std::fs::write(&path, printed(&[&args[..], more].concat())).unwrap();
        path
    };
    let one = file("one", &[]);
    for (more, why) in [
        (&["--seed", "1"][..], "seed"),
        (&["--first-click", "any"], "first click"),
        (&["--budget", "7"], "strategies or budgets"),
        (&["--no-guess"], "way to deal"),
    ] {
        let other = file("other", more);
        let output = minescraper(&["--merge", told(&one), told(&other)]);
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(&format!("differ in their {why}")), "{said}");
        assert!(said.contains("other"), "{said}");
    }
    let text = folder.path().join("text");
    for content in ["", "{}", "[1]", "minescraper 1x1\n#\n"] {
        std::fs::write(&text, content).unwrap();
        let output = minescraper(&["--merge", told(&text)]);
        assert_eq!(output.status.code(), Some(1), "{content}");
    }
}

#[test]
fn a_report_has_the_fields_that_programs_read() {
    let args = ["--level", "8x8x10", "--games", "30", "--seed", "4", "--json"];
    let text = printed(&[&args[..], &["--strategy", "single,contradiction"]].concat());
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["level"], "8x8x10");
    assert_eq!(report["first_click"], "safe");
    assert_eq!(report["seed"], 4);
    let scores = report["strategies"].as_array().unwrap();
    assert_eq!(scores.len(), 2);
    for (score, name) in scores.iter().zip(["single", "contradiction"]) {
        assert_eq!(score["name"], name);
        assert_eq!(score["games"], 30);
        assert!(score["budget"].is_u64() && score["wins"].is_u64());
        let number = |value: &Value| value.as_f64().expect("a number");
        let rate = number(&score["win_rate"]);
        let [low, high] = [0, 1].map(|side| number(&score["ci95"][side]));
        assert!(0.0 <= low && low <= rate && rate <= high && high <= 1.0, "{score}");
        assert!(number(&score["guesses_per_game"]) <= number(&score["decisions_per_game"]));
        let times = ["p50", "p99", "p999", "max"].map(|which| number(&score["decision_ms"][which]));
        assert!(times.is_sorted() && times[0] > 0.0, "{times:?}");
        let in_all = number(&score["ms_per_game"]) * 30.0;
        assert!(in_all >= times[3], "{score}");
        let fingerprint = score["fingerprint"].as_str().unwrap();
        assert!(fingerprint.len() == 16 && u64::from_str_radix(fingerprint, 16).is_ok());
    }
    let pair = &report["paired"][0];
    assert_eq!((&pair["a"], &pair["b"]), (&json!("single"), &json!("contradiction")));
    assert_eq!(pair["games"], 30);
    let wins = |nth: usize| scores[nth]["wins"].as_i64().unwrap();
    let only = |who: &str| pair[who].as_i64().unwrap();
    assert_eq!(only("only_a") - only("only_b"), wins(0) - wins(1));
    assert!(pair["difference"].is_f64() && pair["ci95"][1].is_f64());
    let read: Report = serde_json::from_str(&text).unwrap();
    assert_eq!(format!("{}\n", read.to_json()), text);
}

#[test]
fn a_table_has_a_line_for_each_strategy_and_one_for_each_that_the_best_is_compared_with() {
    let args = ["--level", "8x8x10", "--games", "40", "--json", "--strategy"];
    let names = "single,exact,near,best,far,contradiction,groups";
    let report = report(&[&args[..], &[names]].concat());
    let scores = report["strategies"].as_array().unwrap();
    let wins = |score: &&Value| score["wins"].as_u64().unwrap();
    let most = scores.iter().map(|score| wins(&score)).max().unwrap();
    let best = scores.iter().find(|score| wins(score) == most).unwrap();
    let best_name = format!("{}@200000", best["name"].as_str().unwrap());
    assert_eq!(report["paired"].as_array().unwrap().len(), 21, "JSON has every two");

    let table = printed(&[&args[..4], &["--strategy", names]].concat());
    let (above, below) = table.split_once("\n\n").unwrap_or_else(|| panic!("{table}"));
    assert_eq!((above.lines().count(), below.lines().count()), (8, 7), "{table}");
    assert!(below.starts_with(&format!("{best_name} less ")), "{table}");
    let others = scores.iter().filter(|score| score["name"] != best["name"]);
    for (line, other) in below.lines().skip(1).zip(others) {
        assert!(
            line.starts_with(&format!("{}@200000 ", other["name"].as_str().unwrap())),
            "{line}"
        );
        let difference = 100.0 * (most as f64 - wins(&other) as f64) / 40.0;
        assert!(line.contains(&format!(" {difference:+.2} % ")), "{line}: {difference:+.2}");
    }
}

/// What luck does to a result is 0 on average, whoever guesses, and most of its noise.
#[test]
fn without_luck_a_win_rate_is_the_same_with_less_noise() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("outcomes.txt");
    let args = ["--level", "beginner", "--games", "2000", "--seed", "8", "--luck", "--json"];
    let report =
        report(&[&args[..], &["--strategy", "single,best", "--outcomes", told(&file)]].concat());
    let outcomes = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<Vec<f64>> = outcomes
        .lines()
        .map(|line| line.split(' ').map(|word| word.parse().unwrap()).collect())
        .collect();
    assert!(lines.iter().map(|line| line[0]).eq((0..2000).map(f64::from)));
    let mean_of = |of: &dyn Fn(&[f64]) -> f64| {
        lines.iter().map(|line| of(line)).sum::<f64>() / lines.len() as f64
    };
    for (nth, score) in report["strategies"].as_array().unwrap().iter().enumerate() {
        let (won, luck) = (1 + 2 * nth, 2 + 2 * nth);
        let rest = &score["without_luck"];
        assert_eq!(score["wins"].as_f64().unwrap(), 2000.0 * mean_of(&|line| line[won]));
        let mean = mean_of(&|line| line[won] - line[luck]);
        assert!((rest["mean"].as_f64().unwrap() - mean).abs() < 1e-4, "{score}");
        // By chance it is more than four standard errors once in 16,000 times.
        let squares = mean_of(&|line| line[luck] * line[luck]);
        let average = mean_of(&|line| line[luck]);
        assert!(average.abs() < 4.0 * (squares / 2000.0).sqrt(), "{average}");
        let width = |of: &Value| of[1].as_f64().unwrap() - of[0].as_f64().unwrap();
        assert!(width(&rest["ci95"]) < 0.8 * width(&score["ci95"]), "{score}");
    }
    let pair = &report["paired"][0];
    let mean = mean_of(&|line| line[1] - line[2] - line[3] + line[4]);
    assert!((pair["without_luck"]["mean"].as_f64().unwrap() - mean).abs() < 1e-4, "{pair}");
}

#[test]
fn promised_chances_are_counted_with_what_came_of_them() {
    let report =
        report(&["--level", "8x8x12", "--games", "200", "--strategy", "exact,best", "--json"]);
    let scores = report["strategies"].as_array().unwrap();
    assert_eq!(scores[0]["calibration"], json!({}), "exact does not say how likely it is to win");
    let bins = scores[1]["calibration"].as_object().unwrap();
    let sum = |field: &str| bins.values().map(|bin| bin[field].as_u64().unwrap()).sum::<u64>();
    let (guesses, wins) = (sum("guesses"), sum("wins"));
    assert!(0 < wins && wins < guesses && guesses <= scores[1]["guesses"].as_u64().unwrap());
    for (number, bin) in bins {
        let number: f64 = number.parse().unwrap();
        let promised = bin["promised"].as_f64().unwrap();
        assert!((20.0 * promised - number - 0.5).abs() < 0.501, "{number}: {bin}");
    }
    // What is learned from thousands of games is true of these as well, but for chance.
    let promised = sum("promised_millionths") as f64 / 1e6;
    assert!(
        (promised - wins as f64).abs() < 0.15 * guesses as f64,
        "{promised} of {wins} {report}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_bench_that_is_stopped_says_what_there_is_and_that_it_is_partial() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("bench.html");
    for more in [&["--json"][..], &[]] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_minescraper"));
        program.args(["bench", "--level", "8x8x10", "--games", "1000000000", "--threads", "2"]);
        program.args(["--strategy", "single", "--html", told(&page)]).args(more);
        let program = program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let (id, start) = (program.id().to_string(), Instant::now());
        while !listens(&id) {
            assert!(start.elapsed() < Duration::from_secs(60), "it never listens for Ctrl-C");
            std::thread::sleep(Duration::from_millis(20));
        }
        // It has some time to play.
        std::thread::sleep(Duration::from_millis(300));
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let output = program.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{said}");
        assert!(said.contains("stopped by the user after "), "{said}");
        let text = String::from_utf8(output.stdout).unwrap();
        if more.is_empty() {
            assert!(text.lines().last().unwrap().starts_with("partial: "), "{text}");
            continue;
        }
        let partial: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(partial["partial"], true);
        let played = partial["strategies"][0]["games"].as_u64().unwrap();
        assert!(played > 0);
        assert_eq!(partial["played"], json!([{ "start": 0, "end": played }]));
        // They are the first games, as they are played without a stop.
        let args = ["--level", "8x8x10", "--strategy", "single", "--json", "--games"];
        let whole = report(&[&args[..], &[&played.to_string()]].concat());
        assert_eq!(whole["partial"], false);
        for field in ["wins", "fingerprint"] {
            assert_eq!(whole["strategies"][0][field], partial["strategies"][0][field], "{field}");
        }
        assert!(std::fs::read_to_string(&page).unwrap().contains("\"partial\":true"));
    }
}

/// Whether the process catches SIGINT.
#[cfg(target_os = "linux")]
fn listens(id: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    caught.is_some_and(|mask| mask & 0b10 != 0)
}

#[test]
fn written_boards_are_the_games_of_the_seed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    for (promise, first) in [("safe", (0, 0)), ("open", (3, 3)), ("any", (0, 0))] {
        let game = ["--level", "intermediate", "--first-click", promise, "--games", "40"];
        printed(&[&game[..], &["--seed", "9", "--write-boards", told(&file)]].concat());
        let text = std::fs::read_to_string(&file).unwrap();
        let boards = laid::parse(&text).unwrap();
        let again: String = boards.iter().map(|board| format!("{board}\n")).collect();
        assert_eq!(again, text);
        assert_eq!(boards.len(), 40);
        for LaidBoard { cols, rows, first: at, mines } in &boards {
            assert_eq!((*cols, *rows, mines.len()), (16, 16, 40));
            let at = at.expect("it is dealt for a first click");
            assert_eq!((at.col, at.row), first);
            assert!(promise != "open" || !mines.iter().any(|mine| mine.touches(at)));
        }
        let is_mine = |board: &LaidBoard| board.first.is_some_and(|at| board.mines.contains(&at));
        let lost = boards.iter().any(is_mine);
        assert_eq!(lost, promise == "any");
        let deals = Deals::Fresh(rules("intermediate", promise.parse().unwrap()));
        for (index, board) in (0..).zip(&boards) {
            let mut game = deals.deal(9, index).unwrap().field;
            game.open(board.first.unwrap());
            assert_eq!(game.mines().as_ref(), Some(&board.mines));
        }
    }
}

#[test]
fn boards_from_files_are_played_one_after_the_other_from_their_first_click() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    // Won by the first click, lost by it, and two that differ in size and need thought.
    std::fs::write(&one, "4 1 1 2 0 : 0\n4 1 1 0 0 : 0\n").unwrap();
    std::fs::write(&two, "3 3 1 2 2 : 0\n\n5 1 1 4 0 : 1\n").unwrap();
    let files = ["--boards", told(&one), told(&two), "--strategy", "single", "--json"];
    let all = report(&files);
    assert!(all["level"].is_null() && all["first_click"].is_null());
    let score = |report: &Value, field: &str| report["strategies"][0][field].clone();
    assert_eq!((score(&all, "games"), score(&all, "wins")), (json!(4), json!(3)));
    let first = report(&[&files[..], &["--games", "1"]].concat());
    assert_eq!(
        (score(&first, "wins"), score(&first, "decisions_per_game")),
        (json!(1), json!(0.0))
    );
    let own = report(&[&files[..], &["--first-click", "any"]].concat());
    assert_eq!(own["first_click"], "any");
    assert!(score(&own, "decisions_per_game").as_f64().unwrap() >= 1.0, "{own}");
}

#[test]
fn what_cannot_be_played_is_refused_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    std::fs::write(&file, "4 1 1 2 0 : 0\n4 1 1 2 0 : 4\n").unwrap();
    let empty = folder.path().join("empty.txt");
    std::fs::write(&empty, "\n").unwrap();
    for (args, code, why) in [
        (&["--boards", told(&file)][..], 1, "boards.txt: line 2: the mine 4 is off the board"),
        (&["--boards", told(&empty)], 1, "empty.txt: there are no boards"),
        (&["--boards", "nowhere.txt"], 1, "nowhere.txt"),
        (&["--merge", "nowhere.json"], 1, "nowhere.json"),
        (&["--level", "9x9x45", "--no-guess"], 1, "could be finished without a guess"),
        (&["--level", "vast"], 2, "is no level"),
        (&["--first-click", "lucky"], 2, "is no first click"),
        (&["--strategy", "single,lucky"], 2, "invalid value 'lucky'"),
        (&["--shard", "3/3"], 2, "is no shard"),
        (&["--shard", "1"], 2, "is no shard"),
        (&["--threads", "0"], 2, "0"),
        (&["--budget", "many"], 2, "many"),
        (&["--boards", told(&file), "--level", "expert"], 2, "cannot be used with"),
        (&["--merge", told(&file), "--games", "3"], 2, "cannot be used with"),
        (&["--no-guess", "--luck"], 2, "cannot be used with"),
    ] {
        let output = minescraper(args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        assert!(said.contains(why), "{args:?}: {said}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn boards_dealt_without_a_guess_are_all_won_without_one() {
    for (level, promise) in
        [("beginner", FirstClick::Safe), ("expert", FirstClick::Opens), ("8x8x10", FirstClick::Any)]
    {
        let prover = "contradiction".to_owned();
        let deals = Deals::NoGuess { rules: rules(level, promise), prover, nodes: PLENTY };
        let report = bench(deals, 2, &["single", "contradiction"])
            .run(0..30, 2, &GOES_ON, |_, _| {})
            .unwrap();
        let [single, contradiction] = [0, 1].map(|nth| &report.strategies[nth]);
        assert_eq!((contradiction.wins, contradiction.guesses), (30, 0), "{level}");
        assert!(single.guesses > 0 || level != "expert", "expert boards need more than one rule");
    }
}

#[test]
fn strange_boards_are_played_to_an_end() {
    for (level, wins) in
        [("5x5x0", 20), ("5x5x24", 20), ("1x1x0", 20), ("1x20x0", 20), ("20x1x19", 20)]
    {
        let deals = Deals::Fresh(rules(level, FirstClick::Safe));
        let report =
            bench(deals, 2, &["contradiction"]).run(0..20, 1, &GOES_ON, |_, _| {}).unwrap();
        assert_eq!(report.strategies[0].wins, wins, "{level}");
    }
}

#[test]
fn a_game_that_is_not_there_is_an_error() {
    let board =
        LaidBoard { cols: 2, rows: 1, first: Some(Pos::new(0, 0)), mines: vec![Pos::new(1, 0)] };
    let mut laid = vec![board.clone()];
    let run = |boards: &[LaidBoard], games| {
        let deals = Deals::Laid { boards: boards.to_vec(), own_first_click: false };
        bench(deals, 0, &["single"]).run(games, 2, &GOES_ON, |_, _| {})
    };
    assert!(run(&laid, 0..1).is_ok());
    assert_eq!(run(&laid, 0..2).unwrap_err(), BenchError::NoBoard { game: 1, boards: 1 });
    laid.push(LaidBoard { mines: vec![Pos::new(2, 0)], ..board });
    assert!(matches!(run(&laid, 0..2), Err(BenchError::Layout(_))));
    let unknown = bench(Deals::Fresh(rules("beginner", FirstClick::Any)), 0, &["lucky"]);
    assert!(matches!(unknown.run(0..9, 2, &GOES_ON, |_, _| {}), Err(BenchError::Strategy(_))));
}
