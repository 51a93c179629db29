//! The examples: the command that stands at the head of each does what it says.

use std::path::Path;
use std::process::Command;

/// What the documented command of an example prints.
fn printed(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(root.join(format!("examples/{name}.rs"))).unwrap();
    let command = format!("`cargo run --example {name}");
    let (_, rest) = source.split_once(&command).expect("the command is documented");
    let (args, _) = rest.split_once('`').unwrap();
    let args = args.split_whitespace().skip_while(|&arg| arg == "--");

    // Nothing is left to build where all tests are built.
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--locked", "--example", name]).current_dir(root);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    if !cfg!(feature = "desktop") {
        cargo.args(["--no-default-features", "--features", "skins"]);
    }
    assert!(cargo.status().unwrap().success(), "{name} is not built");
    let examples = Path::new(env!("CARGO_BIN_EXE_minescraper")).with_file_name("examples");
    let output = Command::new(examples.join(name)).args(args).current_dir(root).output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_picture_is_read_as_its_label_says() {
    let printed = printed("read_picture");
    let label = include_str!("../fixtures/winemine/expert-middle.txt");
    assert!(printed.starts_with("winemine, playing, at "), "{printed}");
    // Below where it is, and the size.
    let rows: Vec<&str> = printed.lines().skip(2).collect();
    assert_eq!(rows, label.lines().skip(1).collect::<Vec<_>>(), "{printed}");
}

#[test]
fn odds_are_printed() {
    assert!(printed("odds").starts_with(" 0.00  0.00  1.00  0.00  0.00\n 0.50  open"));
}

#[test]
fn a_virtual_game_is_played() {
    assert!(!printed("virtual_game").is_empty());
}
