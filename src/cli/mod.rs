//! The command line: one file per command. The only room that prints.
//!
//! Results go to stdout, progress and warnings to stderr. The exit code is 0 when it was done, 1 when it
//! could not be, 2 when the command was misused and 130 when the user stopped it.

mod advise;
mod bench;
mod boards;
mod calibrate;
mod completions;
mod config;
mod debug_image;
mod demo;
mod desktop;
mod doctor;
mod drawing;
mod learning;
mod leave;
mod man;
mod new_skin;
mod output;
mod overlay;
mod play;
mod progress;
mod race;
mod read;
mod replay;
mod session;
mod show;
mod skins;
mod stats;
mod tally;
mod train;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use minescraper::capture::CaptureError;
use minescraper::play::PlayError;

/// Plays the real desktop Minesweeper the way a person does: looks at the screen, reads the board,
/// thinks, and moves the mouse.
#[derive(Parser, Debug)]
#[command(name = "minescraper", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Plays the open Minesweeper
    #[command(after_help = "Examples:
  minescraper play --dry-run                   say what would be clicked first
  minescraper play --games 10 --style chords   ten games, with flags and chords
  minescraper play --until-win --pace human    like a person, until it wins
  minescraper play --window 'Mines' --record game")]
    Play(play::Args),
    /// Plays on a painted desktop, without any display
    #[command(after_help = "Examples:
  minescraper demo                              an Expert game, move by move
  minescraper demo --level 16x16x40 --pace 300  a smaller one, more slowly
  minescraper demo --plain | less               as text")]
    Demo(demo::Args),
    /// Says what to do on the board in the open window, a screenshot or a text
    #[command(after_help = "Examples:
  minescraper advise                               on the open window
  minescraper advise --watch                       and after each move of yours
  minescraper advise game.png --overlay odds.png   on a screenshot
  minescraper advise --board '###/#2#/###' --mines 2")]
    Advise(advise::Args),
    /// Plays many simulated games: win rates, times, and a fingerprint of all decisions
    #[command(after_help = "Examples:
  minescraper bench --games 10000                      Expert, by the best strategy
  minescraper bench --strategy near,exact,best         three on the same games
  minescraper bench --first-click open --level 9x9x10")]
    Bench(bench::Args),
    /// Makes a skin from labelled screenshots, or from the open game by itself
    #[command(after_help = "Examples:
  minescraper calibrate --name mine                  learn the open game
  minescraper calibrate --name mine shots/           from pictures, each with its board in NAME.txt")]
    Calibrate(calibrate::Args),
    /// Plays real windows and says where the time went
    #[command(after_help = "Examples:
  minescraper race --games 20            the open game
  minescraper race --games 20 --json     every figure of every game")]
    Race(race::Args),
    /// Prints the board in a screenshot or an open window, and where it is
    #[command(after_help = "Examples:
  minescraper read                                the open window
  minescraper read game.png --debug-image seen.png
  minescraper read game.png | minescraper advise -")]
    Read(read::Args),
    /// Reads saved screenshots or a recorded game again and reports every difference
    #[command(after_help = "Examples:
  minescraper replay game                    a folder that play --record made
  minescraper replay game --html game.html   as a page to scroll through
  minescraper replay fixtures                labelled screenshots")]
    Replay(replay::Args),
    /// Says how much work boards are: 3BV, openings, islands, ZiNi
    #[command(after_help = "Examples:
  minescraper stats game.avf board.mbf            of replays and boards
  minescraper read won.png | minescraper stats -  of a finished game on a screenshot")]
    Stats(stats::Args),
    /// Learns the evaluation of positions of the strategy `best` from simulated games
    #[command(after_help = "Examples:
  minescraper train --threads 8 --out weights.txt
  minescraper train --games 50000 --from weights.txt --seed 1000000 --out better.txt")]
    Train(train::Args),
    /// Lists the skins there are
    #[command(after_help = "Examples:
  minescraper skins
  minescraper skins --sheet skins.png   and draw them")]
    Skins(skins::Args),
    /// Prints what is set in the environment or a file, and where
    Config(config::Args),
    /// Prints what a shell needs to complete command lines
    #[command(after_help = "Examples:
  minescraper completions bash > ~/.local/share/bash-completion/completions/minescraper
  minescraper completions zsh > \"${fpath[1]}/_minescraper\"
  minescraper completions fish > ~/.config/fish/completions/minescraper.fish")]
    Completions(completions::Args),
    /// Prints the manual page, or writes all of them
    #[command(after_help = "Examples:
  minescraper man | man -l -
  minescraper man ~/.local/share/man/man1")]
    Man(man::Args),
    /// Says what this desktop lets the bot do, and what to change
    #[command(after_help = "Examples:
  minescraper doctor
  minescraper doctor --picture seen.png   and draw what is seen")]
    Doctor(doctor::Args),
}

/// What is logged unless `RUST_LOG` says otherwise. Enigo warns of every key that a keyboard lacks.
const LOG: &str = "warn,enigo=error";

/// Parses the command line and does what it says.
pub fn run() -> ExitCode {
    #[cfg(windows)]
    windows_desktop::allow_colours();
    let code = parse_and_do();
    #[cfg(windows)]
    keep_window();
    code
}

/// Waits for Enter where the window closes with the program, as after a double click.
#[cfg(windows)]
fn keep_window() {
    use std::io::{IsTerminal, stdin};

    if windows_desktop::owns_console() && stdin().is_terminal() {
        eprint!(
            "\nEnter closes this window. To stay in it, open a terminal and start minescraper there. "
        );
        // Whatever comes, the program ends.
        drop(stdin().read_line(&mut String::new()));
    }
}

fn parse_and_do() -> ExitCode {
    let cli = match parse() {
        Ok(cli) => cli,
        Err(error) => return failed(&error),
    };
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or(LOG)).init();
    let done = match &cli.command {
        Command::Play(args) => play::run(args),
        Command::Demo(args) => demo::run(args),
        Command::Advise(args) => advise::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Calibrate(args) => calibrate::run(args),
        Command::Race(args) => race::run(args),
        Command::Read(args) => read::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Stats(args) => stats::run(args),
        Command::Train(args) => train::run(args),
        Command::Skins(args) => skins::run(args),
        Command::Config(args) => config::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
        Command::Doctor(args) => doctor::run(args),
    };
    match done.and_then(|()| output::finish()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error),
    }
}

/// The command line; what it leaves open is as it is set elsewhere.
fn parse() -> anyhow::Result<Cli> {
    let matches = Cli::command().try_get_matches()?;
    let subcommand = matches.subcommand_name().unwrap_or_default();
    let matches = config::applied(Cli::command(), subcommand)?.try_get_matches()?;
    Ok(Cli::from_arg_matches(&matches)?)
}

/// Options that make no sense together, which shows only when all are known.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Misuse(String);

/// The user stopped it, and what there was is printed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Stopped(String);

fn failed(error: &anyhow::Error) -> ExitCode {
    // A command line that makes no sense, or that asks for help.
    if let Some(error) = error.downcast_ref::<clap::Error>() {
        // Nobody is left to be told of an output that is closed.
        drop(error.print());
        return ExitCode::from(error.exit_code() as u8);
    }
    eprintln!("minescraper: {error:#}");
    if let Some(CaptureError::NoDisplay { .. }) = error.downcast_ref() {
        eprintln!(
            "`minescraper doctor` says what to change; `read` and `advise` also take a screenshot: minescraper read FILE.png"
        );
    }
    ExitCode::from(exit_code(error))
}

fn exit_code(error: &anyhow::Error) -> u8 {
    match error.downcast_ref() {
        Some(PlayError::Interrupted) => 130,
        _ if error.is::<Stopped>() => 130,
        _ if error.is::<Misuse>() => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The command that a line calls, if it makes sense.
    fn called(line: &str) -> String {
        // What follows is done with what it prints.
        let line = line.split(" > ").next().unwrap_or_default();
        let words = line.split_whitespace().map(|word| word.trim_matches(['\'', '"']));
        let parsed = Cli::command().try_get_matches_from(words);
        let parsed = parsed.unwrap_or_else(|error| panic!("{line}: {error}"));
        parsed.subcommand_name().unwrap_or_default().to_owned()
    }

    #[test]
    fn the_help_of_each_command_has_examples_that_make_sense() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let examples = help.lines().filter_map(|line| line.strip_prefix("  minescraper "));
            // Two blanks part a line from what it is for.
            let lines = examples.filter_map(|example| example.split("  ").next());
            let called: Vec<String> = lines
                .flat_map(|line| {
                    format!("minescraper {line}")
                        .split(" | ")
                        .map(str::to_owned)
                        .collect::<Vec<_>>()
                })
                .filter(|line| line.starts_with("minescraper "))
                .map(|line| called(&line))
                .collect();
            let name = command.get_name();
            assert!(called.iter().any(|called| called == name), "{name} {called:?}: {help}");
        }
    }
}
