//! What a person sets once, in the environment or a file.

use std::fs;
#[cfg(feature = "desktop")]
use std::path::Path;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Somebody with a home folder.
struct Person(TempDir);

impl Person {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// One who has written this file.
    fn with_file(text: &str) -> Self {
        let person = Self::new();
        let path = person.file();
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        person
    }

    /// Where the file is.
    fn file(&self) -> PathBuf {
        let output = self.runs(&["config", "--path"], &[]);
        PathBuf::from(printed(&output).trim_end())
    }

    fn runs(&self, args: &[&str], environment: &[(&str, &str)]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_minescraper"));
        for variable in ["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "APPDATA"] {
            command.env(variable, self.0.path());
        }
        for setting in ["STRATEGY", "STYLE", "PACE", "THINK", "STOP_KEY"] {
            command.env_remove(format!("MINESCRAPER_{setting}"));
        }
        command.args(args).envs(environment.iter().copied()).output().unwrap()
    }

    /// What `config --json` prints.
    fn settings(&self, environment: &[(&str, &str)]) -> Value {
        let output = self.runs(&["config", "--json"], environment);
        assert!(output.status.success(), "{}", said(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

#[test]
fn config_says_where_each_value_comes_from() {
    let person = Person::with_file("# mine\npace = 100\nstyle = \"flags\"\n");
    let environment = [("MINESCRAPER_STYLE", "chords"), ("MINESCRAPER_STOP_KEY", "F9")];
    let settings = person.settings(&environment);
    assert_eq!(settings["path"], person.file().to_str().unwrap());
    let setting = |name: &str| settings["settings"][name].clone();
    assert_eq!(setting("strategy")["source"], "default");
    assert_eq!(setting("think"), serde_json::json!({ "value": null, "source": "default" }));
    let in_file = serde_json::json!({ "value": "100", "source": "file", "line": 2 });
    assert_eq!(setting("pace"), in_file);
    let variable = "MINESCRAPER_STYLE";
    let in_environment =
        serde_json::json!({ "value": "chords", "source": "environment", "variable": variable });
    assert_eq!(setting("style"), in_environment);

    let table = printed(&person.runs(&["config"], &environment));
    let line = |name: &str| table.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(line("pace").ends_with("config.toml:2"), "{table}");
    assert!(line("style").contains("chords") && line("style").ends_with(variable), "{table}");
    assert!(line("stop-key").contains("F9"), "{table}");
    assert!(line("strategy").ends_with("default"), "{table}");
}

#[test]
fn flags_come_before_the_environment_and_that_before_the_file() {
    // What a benchmark says which strategy has played.
    let played = |person: &Person, args: &[&str], environment: &[(&str, &str)]| {
        let bench = ["bench", "--json", "--games", "1", "--level", "beginner"];
        let output = person.runs(&[&bench, args].concat(), environment);
        assert!(output.status.success(), "{}", said(&output));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        report["strategies"][0]["name"].as_str().unwrap_or_default().to_owned()
    };
    let (flag, variable) = (["--strategy", "single"], [("MINESCRAPER_STRATEGY", "exact")]);
    let person = Person::with_file("strategy = \"contradiction\"\n");
    assert_eq!(played(&person, &flag, &variable), "single");
    assert_eq!(played(&person, &[], &variable), "exact");
    assert_eq!(played(&person, &[], &[("MINESCRAPER_STRATEGY", "")]), "contradiction");
    assert_eq!(played(&Person::new(), &[], &[]), "best");
}

/// Beside a real game.
#[cfg(feature = "desktop")]
#[test]
fn every_command_that_presses_is_stopped_by_the_key_that_is_set() {
    let person = Person::new();
    let script = "for command in 'race --games 1' 'calibrate --name mine --window nowhere' 'play --games 1'; do
            \"$1\" $command >/dev/null 2>\"$2/said\"
            grep 'stops it' \"$2/said\"
        done";
    let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/with-game.sh"))
        .args(["xdemineur", "beginner", "--", "sh", "-c", script, "sh"])
        .args([Path::new(env!("CARGO_BIN_EXE_minescraper")), person.0.path()])
        .env("MINESCRAPER_STOP_KEY", "F9")
        .output()
        .unwrap();
    let told = "F9, Ctrl-C or a hand on the mouse stops it\n";
    assert_eq!(printed(&output), told.repeat(3), "{}", said(&output));
}

#[test]
fn what_is_set_for_play_is_no_misuse_of_another_option() {
    let person = Person::new();
    let board = person.0.path().join("boards.txt");
    let args = ["bench", "--games", "1", "--write-boards", board.to_str().unwrap()];
    let output = person.runs(&args, &[("MINESCRAPER_STRATEGY", "exact")]);
    assert!(output.status.success(), "{}", said(&output));
}

#[test]
fn a_mistake_in_the_file_is_told_by_its_line() {
    for (text, line, why) in [
        ("pace = 1\nstratgy = \"exact\"\n", 2, "nothing is called 'stratgy'; there are: strategy"),
        ("\n\nstrategy = \"lucky\"\n", 3, "invalid value 'lucky'"),
        ("style = \"fast\"", 1, "no-flags"),
        ("pace = -1", 1, "pace"),
        ("stop-key = \"F99\"", 1, "stop-key"),
        ("pace = [1]", 1, "whole number"),
        ("[play]\npace = 1", 1, "nothing is called 'play'"),
    ] {
        let person = Person::with_file(text);
        for command in [&["config"][..], &["demo"], &["race"], &["calibrate", "--name", "mine"]] {
            let output = person.runs(command, &[]);
            assert_eq!(output.status.code(), Some(1), "{text}: {}", said(&output));
            let place = format!("config.toml:{line}: ");
            assert!(said(&output).contains(&place), "{text}: {}", said(&output));
            assert!(said(&output).contains(why), "{text}: {}", said(&output));
        }
        // What settings do not matter to works.
        assert!(person.runs(&["skins"], &[]).status.success(), "{text}");
    }
    let person = Person::with_file("pace = 1\nstyle = ");
    let output = person.runs(&["demo"], &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("line 2"), "{}", said(&output));
    let output = Person::new().runs(&["demo"], &[("MINESCRAPER_PACE", "fast")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("MINESCRAPER_PACE: "), "{}", said(&output));
}
