//! The program as a person starts it: what it prints and how it exits.

use std::process::{Command, Output};

fn minescraper(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_minescraper");
    let output = Command::new(program).args(args).output();
    output.expect("the program starts")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn misuse_exits_with_2_and_says_why() {
    for (args, why) in [
        (&["play", "--games", "0"][..], "0"),
        (&["play", "--style", "fast"], "no-flags"),
        (&["play", "--strategy", "lucky"], "is no strategy"),
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

#[cfg(not(feature = "desktop"))]
#[test]
fn a_build_without_a_desktop_says_so() {
    let output = minescraper(&["play"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("no desktop"), "{}", said(&output));
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
fn an_unknown_skin_is_answered_with_those_there_are() {
    let output = minescraper(&["demo", "--skin", "minehunt"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("winemine"), "{}", said(&output));
}
