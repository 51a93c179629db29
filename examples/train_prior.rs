//! Learns what numbers look like, and writes the weights into a file: `cargo run --release --example train_prior -- FILE`.
//!
//! The signs are painted in the fonts that players are built on. How many of those in fonts that are kept for judging are told
//! is said at the end; nothing is chosen by that.

use std::path::PathBuf;

use anyhow::Context;
use minescraper::lab::training::{self, signs};
use minescraper::lab::zoo::Fonts;
use minescraper::learn::from_play::Prior;

/// Minesweepers whose signs are learned, and those that are kept back.
const LEARNED: std::ops::Range<u64> = 10_000..16_000;
const KEPT_BACK: std::ops::Range<u64> = 20_000..20_500;
/// Rounds over all signs.
const ROUNDS: usize = 12;

fn main() -> anyhow::Result<()> {
    let file = PathBuf::from(std::env::args_os().nth(1).context("name the file to write")?);
    let fonts = Fonts::to_build_on()?;
    let learned = signs::paint(LEARNED, &fonts);
    eprintln!("{} signs", learned.len());
    let prior: Prior = training::fit(&learned, ROUNDS, 0, |round, loss| {
        eprintln!("round {round}: loss {loss:.5}");
    });
    let numbers: Vec<String> =
        prior.weights().iter().map(|weight| format!("{weight:.5}\n")).collect();
    std::fs::write(&file, numbers.concat())
        .with_context(|| format!("cannot write {}", file.display()))?;
    for (fonts, of) in [(fonts, "building"), (Fonts::to_judge_by()?, "judging")] {
        let kept = signs::paint(KEPT_BACK, &fonts);
        let share = 100.0 * signs::share_told(&prior, &kept);
        println!("{share:.2} % of {} signs in fonts for {of} are told", kept.len());
    }
    Ok(())
}
