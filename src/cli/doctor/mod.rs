//! `doctor`: what this desktop lets the bot do, and what to change.
//!
//! It looks and asks, and does no harm: it presses nothing, takes the mouse from nobody, and moves the pointer only
//! while nobody uses it, by a few pixels and back.

mod check;
#[cfg(feature = "desktop")]
mod desktop;
#[cfg(feature = "desktop")]
mod display;
#[cfg(feature = "desktop")]
mod games;
#[cfg(feature = "desktop")]
mod looks;
#[cfg(feature = "desktop")]
mod mouse;
// A build without a desktop needs the packages of one that has it, and no others.
#[cfg_attr(not(feature = "desktop"), allow(dead_code))]
mod packages;
mod storage;
mod system;

use std::path::PathBuf;

use minescraper::capture::Frame;
use minescraper::recognize::Survey;

use self::check::{Check, State, as_json, as_text};
#[cfg(feature = "desktop")]
use self::desktop::examine;
use self::system::System;
use super::debug_image;
use super::output::say;

/// The options of `doctor`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Draw what is seen into this picture: the window with a board, or else the first monitor
    #[arg(long, value_name = "PNG")]
    picture: Option<PathBuf>,
    /// Leave the pointer where it is; otherwise it is moved by a few pixels and put back, if nobody uses it
    #[arg(long)]
    no_pointer: bool,
    /// Print the checks as JSON
    #[arg(long)]
    json: bool,
}

/// What came of all checks of a desktop.
struct Examined {
    checks: Vec<Check>,
    /// Where boards were looked for, and what was seen there.
    shown: Option<(Survey, Frame)>,
}

/// Checks the desktop and prints what came of it.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let system = System::this();
    let mut checks = vec![Check::ok("system", &system.name)];
    let (stored, skins) = storage::checks();
    checks.extend(stored);
    let desktop = examine(&system, skins, !args.no_pointer);
    checks.extend(desktop.checks);
    if args.json {
        say!("{}", as_json(&checks));
    } else {
        say!("{}", as_text(&checks));
    }
    if let (Some(path), Some((survey, frame))) = (&args.picture, &desktop.shown) {
        debug_image::write(path, survey, frame)?;
    }
    let failed = checks.iter().filter(|check| check.state == State::Fail);
    let failed: Vec<&str> = failed.map(|check| check.name).collect();
    anyhow::ensure!(failed.is_empty(), "play cannot work here: mend {}", failed.join(", "));
    Ok(())
}

/// Says what this build can do, and how to make one that has a desktop.
#[cfg(not(feature = "desktop"))]
fn examine(system: &System, _: Vec<minescraper::Skin>, _: bool) -> Examined {
    let check = Check::fail(
        "display",
        "this build has no desktop; demo, bench, replay, and read and advise on a file work",
        format!(
            "{}; then, in the sources: cargo build --release",
            packages::BUILD.install(system.family)
        ),
    );
    Examined { checks: vec![check], shown: None }
}
