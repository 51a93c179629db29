//! The README: what it says is so.

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../README.md");

fn printed(args: &[&str]) -> String {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_minescraper"));
    for variable in ["HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "APPDATA"] {
        command.env(variable, home.path());
    }
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// The words of a command line; double quotes hold some together.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('"').enumerate();
    let words = parts.map(|(nth, part)| match nth % 2 {
        0 => part.split_whitespace().collect(),
        _ => vec![part],
    });
    words.flat_map(|words: Vec<&str>| words).collect()
}

/// Times, and what follows from them, are others each time.
fn timeless(output: &str) -> String {
    let line = |line: &str| match line.split_once(" in ") {
        Some((game, _)) if line.starts_with("game ") => game.to_owned(),
        _ if line.starts_with("wins: ") => line.rsplit(", ").next().unwrap_or(line).to_owned(),
        _ => line.to_owned(),
    };
    output.lines().map(|text| line(text) + "\n").collect()
}

#[test]
fn each_command_prints_what_the_readme_shows() {
    let blocks: Vec<&str> = README.split("```console\n").skip(1).collect();
    assert!(blocks.len() >= 2);
    for block in blocks {
        let (shown, _) = block.split_once("```").unwrap();
        let (command, output) = shown.split_once('\n').unwrap();
        let args = words(command.strip_prefix("$ minescraper ").unwrap());
        assert_eq!(timeless(&printed(&args)), timeless(output), "{command}");
    }
}

/// Beside a real game, as the README says.
#[cfg(feature = "desktop")]
#[test]
fn the_open_game_is_played_by_the_command_of_the_readme() {
    let line = README.lines().find(|line| line.starts_with("    minescraper play ")).unwrap();
    let args = words(line.trim().strip_prefix("minescraper ").unwrap());
    let games: usize = args.last().unwrap().parse().unwrap();
    let home = tempfile::tempdir().unwrap();
    let output = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/with-game.sh"))
        .args(["sgt-mines", "beginner", "--", env!("CARGO_BIN_EXE_minescraper")])
        .args(args)
        .env("XDG_CONFIG_HOME", home.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let ended =
        printed.lines().filter(|line| line.contains(": won in ") || line.contains(": lost in "));
    assert_eq!(ended.count(), games, "{printed}{said}");
    assert!(printed.contains(&format!(" of {games} games won (")), "{printed}");
}

/// That builds the program once more, which takes minutes, so it is done once, after all tests.
#[test]
fn the_program_is_installed_by_the_command_of_the_readme_before_a_change_passes() {
    let line = README.lines().find(|line| line.starts_with("    cargo install ")).unwrap();
    let checks = Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/run");
    let checks = std::fs::read_to_string(checks).unwrap();
    let run = format!("\nstep {} ", line.trim());
    assert!(checks.contains(&run), "{checks}");
}

#[test]
fn each_command_and_option_is_one_and_no_command_is_left_out() {
    let help = printed(&["--help"]);
    let commands = help.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let commands = commands.lines().filter_map(|line| line.split_whitespace().next());
    let commands: Vec<&str> = commands.filter(|&command| command != "help").collect();
    for command in &commands {
        assert!(README.contains(&format!("`{command}`")), "{command} is not in the README");
    }
    let helps: String = commands.iter().map(|command| printed(&[command, "--help"])).collect();
    let code = README.split('`').skip(1).step_by(2);
    let of_others = ["--yes", "--locked", "--path", "--no-default-features", "--features"];
    for option in code.flat_map(str::split_whitespace).filter(|word| word.starts_with("--")) {
        assert!(helps.contains(option) || of_others.contains(&option), "{option}");
    }
}

#[test]
fn it_is_short_and_its_links_lead_somewhere() {
    let words = README.split_whitespace().count();
    assert!(words <= 1500, "{words} words");
    for (_, rest) in README.match_indices("](").map(|(at, _)| README.split_at(at + 2)) {
        let target = rest.split(')').next().unwrap();
        if !target.starts_with("http") {
            assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(target).exists(), "{target}");
        }
    }
}
