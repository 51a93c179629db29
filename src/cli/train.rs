//! `train`: learns the evaluation of positions that the strategy `best` stands on.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use serde::Serialize;
use serde_json::json;

use minescraper::lab::training;
use minescraper::play;
use minescraper::solver::best::Evaluation;
use minescraper::solver::{Best, Exact, Strategy};

use super::output::{self, progress_bar, say};

/// Rounds over all positions.
const FITTING_ROUNDS: usize = 12;
/// One position in so many is kept back, to see what was learned and not learned by heart.
const KEPT_BACK: usize = 20;

/// The options of `train`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// How many games each generation plays
    #[arg(long, value_name = "N", default_value_t = 400_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// How many generations learn from games; the first learns from those of `exact`, each other from
    /// those of the one before it
    #[arg(long, value_name = "N", default_value_t = 2)]
    generations: u64,
    /// The nodes that a decision may take
    #[arg(long, value_name = "NODES", default_value_t = play::Options::default().nodes)]
    budget: u64,
    /// The number of the first game; no game is played twice
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// How many threads play
    #[arg(long, value_name = "T", default_value = "1")]
    threads: NonZeroU64,
    /// Begin with these weights instead of with `exact`
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Where to write the weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Print how each generation learned, as JSON
    #[arg(long)]
    json: bool,
}

/// How a generation learned.
#[derive(Serialize)]
struct Learned {
    games: u64,
    positions: usize,
    mean_worth: f64,
    /// The mean loss in the last round.
    loss: f64,
    loss_kept_back: f64,
    seconds: f64,
}

/// Trains and writes the weights after each generation.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut evaluation = args.from.as_ref().map(read).transpose()?;
    let mut generations = Vec::new();
    for generation in 0..args.generations {
        let (learner, learned) = learn(args, generation, evaluation.as_ref())?;
        evaluation = Some(learner);
        generations.push(learned);
    }
    if args.json {
        say!("{}", json!({ "out": args.out.display().to_string(), "generations": generations }));
    }
    Ok(())
}

/// Plays and fits one generation, and writes its weights.
fn learn(
    args: &Args,
    generation: u64,
    teacher: Option<&Evaluation>,
) -> anyhow::Result<(Evaluation, Learned)> {
    let start = Instant::now();
    let first = args.seed + generation * args.games;
    let games = first..first + args.games;
    let make = || match teacher {
        Some(evaluation) => Box::new(Best::with(evaluation.clone())) as Box<dyn Strategy + Send>,
        None => Box::<Exact>::default(),
    };
    let bar = progress_bar(args.games, "{bar:20} {pos}/{len} games, {per_sec}, {eta} left");
    let judge = || teacher.map(|evaluation| Best::with(evaluation.clone()));
    let samples =
        training::collect(make, judge, games, args.budget, args.threads.get(), || bar.inc(1));
    bar.finish_and_clear();
    let mean_worth = samples.iter().map(|sample| sample.worth).sum::<f64>() / samples.len() as f64;
    eprintln!("generation {generation}: {} positions, worth {mean_worth:.4}", samples.len());
    let (kept, learned) = samples.split_at(samples.len() / KEPT_BACK);
    let bar = progress_bar(FITTING_ROUNDS as u64, "{bar:20} {pos}/{len} rounds, {eta} left");
    let mut last = 0.0;
    let learner: Evaluation = training::fit(learned, FITTING_ROUNDS, generation, |round, loss| {
        bar.suspend(|| eprintln!("round {round}: loss {loss:.5}"));
        bar.inc(1);
        last = loss;
    });
    bar.finish_and_clear();
    let loss_kept_back = training::loss(&learner, kept);
    eprintln!("loss on positions kept back: {loss_kept_back:.5}");
    let numbers: Vec<String> =
        learner.weights().iter().map(|weight| format!("{weight:.5}\n")).collect();
    output::write(&args.out, numbers.concat().as_bytes())?;
    let told = Learned {
        games: args.games,
        positions: samples.len(),
        mean_worth,
        loss: last,
        loss_kept_back,
        seconds: start.elapsed().as_secs_f64(),
    };
    Ok((learner, told))
}

fn read(file: &PathBuf) -> anyhow::Result<Evaluation> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let weights: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
    let wrong = || format!("{} does not hold the weights of this network", file.display());
    Evaluation::of(weights.with_context(wrong)?).with_context(wrong)
}
