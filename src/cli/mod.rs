//! The command line: one file per command. The only room that prints.
//!
//! Results go to stdout, progress and warnings to stderr. The exit code is 0 when it was done, 1 when it
//! could not be, 2 when the command was misused and 130 when the user stopped it.

mod advise;
mod bench;
mod calibrate;
mod debug_image;
mod demo;
mod desktop;
mod learning;
mod new_skin;
mod output;
mod overlay;
mod play;
mod progress;
mod race;
mod read;
mod replay;
mod session;
mod skins;
mod train;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    Play(play::Args),
    /// Plays on a painted desktop, without any display
    Demo(demo::Args),
    /// Says what to do on the board in the open window, a screenshot or a text
    Advise(advise::Args),
    /// Plays many simulated games: win rates, times, and a fingerprint of all decisions
    Bench(bench::Args),
    /// Makes a skin from labelled screenshots, or from the open game by itself
    Calibrate(calibrate::Args),
    /// Plays real windows and says where the time went
    Race(race::Args),
    /// Prints the board in a screenshot or an open window, and where it is
    Read(read::Args),
    /// Reads saved screenshots or a recorded game again and reports every difference
    Replay(replay::Args),
    /// Learns the evaluation of positions of the strategy `best` from simulated games
    Train(train::Args),
    /// Lists the skins there are
    Skins(skins::Args),
}

/// What is logged unless `RUST_LOG` says otherwise. Enigo warns of every key that a keyboard lacks.
const LOG: &str = "warn,enigo=error";

/// Parses the command line and does what it says.
pub fn run() -> ExitCode {
    // Exits with 2 by itself when the command line makes no sense.
    let cli = Cli::parse();
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
        Command::Train(args) => train::run(args),
        Command::Skins(args) => skins::run(args),
    };
    match done.and_then(|()| output::finish()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("minescraper: {error:#}");
            ExitCode::from(exit_code(&error))
        }
    }
}

/// Options that make no sense together, which shows only when all are known.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Misuse(String);

fn exit_code(error: &anyhow::Error) -> u8 {
    match error.downcast_ref() {
        Some(PlayError::Interrupted) => 130,
        _ if error.is::<Misuse>() => 2,
        _ => 1,
    }
}
