//! `bench`: simulated games, and what they say about strategies.

use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, ensure};
use comfy_table::CellAlignment::{Left, Right};

use minescraper::board::{FirstClick, ImpossibleRules, Rules};
use minescraper::lab::bench::{
    Bench, Contender, Deals, Fingerprint, Pair, Played, Report, Score, Setup,
};
use minescraper::lab::formats::mbf;
use minescraper::lab::pages;
use minescraper::{file, play, solver};

use super::output::{progress_bar, say, table};
use super::{Stopped, boards, output, session};

/// Games that are played unless a number is given.
const GAMES: u64 = 1000;

/// The options of `bench`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// beginner, intermediate, expert or WIDTHxHEIGHTxMINES
    #[arg(long, value_name = "LEVEL", default_value = "expert")]
    level: Level,
    /// What the first click promises: safe (it is no mine), open (it opens a region) or any; the
    /// strategy chooses it. With --boards: any, for the strategy's own choice, else the board's if it has one
    /// [default: safe, or the board's]
    #[arg(long, value_name = "PROMISE")]
    first_click: Option<FirstClick>,
    /// How many games to play [default: 1000, or all boards]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Where all chance comes from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// How many threads play; they change nothing but the time [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// The strategies that play, each the same games
    #[arg(
        long,
        value_name = "NAME,...",
        value_delimiter = ',',
        value_parser = session::strategy(),
        default_value = session::strongest()
    )]
    strategy: Vec<String>,
    /// The nodes that a decision may take; each strategy plays with each of these budgets
    #[arg(
        long,
        value_name = "NODES,...",
        value_delimiter = ',',
        default_values_t = [play::Options::default().nodes]
    )]
    budget: Vec<u64>,
    /// Play the boards in these files, one after the other: those of --write-boards, mbf, avf and rawvf files, finished
    /// games as text, links to a board, or - for standard input
    #[arg(long, value_name = "FILE|LINK|-", num_args = 1.., conflicts_with_all = ["level", "no_guess"])]
    boards: Vec<PathBuf>,
    /// Deal only boards that need no guess after a first click at the top left, or at (3, 3) where
    /// it opens a region
    #[arg(long)]
    no_guess: bool,
    /// Write the boards to this file and play none, with a first click as with --no-guess; a single board as mbf, without
    /// the first click, if the name ends in .mbf
    #[arg(long, value_name = "FILE", conflicts_with_all = ["strategy", "json"])]
    write_boards: Option<PathBuf>,
    /// Play only the part I, from 0, of N equal parts of the games
    #[arg(long, value_name = "I/N", default_value = "0/1")]
    shard: Shard,
    /// Measure the luck of guesses too, and say what is left without it, which is less noisy. Right for boards that chance has
    /// laid
    #[arg(long, conflicts_with_all = ["no_guess", "write_boards"])]
    luck: bool,
    /// Write a line for each game: its number, and for each strategy 1 if it won, else 0, with --luck the luck of its guesses
    /// too
    #[arg(long, value_name = "FILE", conflicts_with = "write_boards")]
    outcomes: Option<PathBuf>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    /// Write the report as a page for a browser too: win rates, decision times, and whether the chances to win that
    /// a strategy saw were true
    #[arg(long, value_name = "OUT.html", conflicts_with = "write_boards")]
    html: Option<PathBuf>,
    /// Play nothing: add up the JSON reports of shards
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["level", "first_click", "games", "seed", "threads", "strategy",
            "budget", "boards", "no_guess", "write_boards", "shard", "luck", "outcomes"]
    )]
    merge: Vec<PathBuf>,
}

/// A level and the word for it.
#[derive(Clone, Debug)]
struct Level {
    name: String,
    rules: Rules,
}

impl FromStr for Level {
    type Err = ImpossibleRules;

    fn from_str(name: &str) -> Result<Self, ImpossibleRules> {
        Ok(Self { name: name.to_owned(), rules: session::level(name)? })
    }
}

/// One of several parts.
#[derive(Clone, Copy, Debug)]
struct Shard {
    index: u64,
    of: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("'{text}' is no shard; use I/N with I from 0 to N-1, such as 0/4");
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let number = |word: &str| word.parse::<u64>().map_err(|_| wrong());
        let shard = Self { index: number(index)?, of: number(of)? };
        if shard.index < shard.of { Ok(shard) } else { Err(wrong()) }
    }
}

impl Shard {
    /// Its part of so many games.
    fn part(self, games: u64) -> Range<u64> {
        let edge =
            |index: u64| (u128::from(games) * u128::from(index) / u128::from(self.of)) as u64;
        edge(self.index)..edge(self.index + 1)
    }
}

/// Plays, writes boards, or merges reports.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if !args.merge.is_empty() {
        let report = merged(&args.merge)?;
        for gap in report.played.windows(2) {
            eprintln!("minescraper: games {} to {} are missing", gap[0].end, gap[1].start - 1);
        }
        return args.give(&report);
    }
    let bench = args.bench()?;
    let games = match (args.games, &bench.deals) {
        (games, Deals::Laid { boards, .. }) => {
            let all = boards.len() as u64;
            let games = games.unwrap_or(all);
            ensure!(games <= all, "there are only {all} boards for {games} games");
            games
        }
        (games, _) => games.unwrap_or(GAMES),
    };
    let part = args.shard.part(games);
    if let Some(path) = &args.write_boards {
        return write_boards(path, &bench, part).with_context(|| path.display().to_string());
    }
    if part.is_empty() {
        let Shard { index, of } = args.shard;
        eprintln!("minescraper: shard {index}/{of} of {games} games has none; its report is empty");
    }
    let threads = args.threads.map(usize::from);
    let threads = threads.or_else(|| Some(std::thread::available_parallelism().ok()?.get()));
    let stop = session::stop_signal()?;
    // It hides itself when nobody looks.
    let template = "{bar:20} {pos}/{len} games, {per_sec}, {eta} left; won: {msg}";
    let bar = progress_bar(part.end - part.start, template);
    let mut outcomes = Vec::new();
    let report = bench.run(part.clone(), threads.unwrap_or(1), &stop, |played, report| {
        if args.outcomes.is_some() {
            outcomes.push(outcome(played));
        }
        let ends =
            if stop.load(Ordering::Relaxed) { "; ends with the games under way" } else { "" };
        bar.set_message(format!("{}{ends}", rates(report)));
        bar.inc(1);
    });
    bar.finish_and_clear();
    let report = report?;
    args.give(&report)?;
    if let Some(path) = &args.outcomes {
        outcomes.sort_unstable_by_key(|&(game, _)| game);
        let lines: String = outcomes.into_iter().map(|(_, line)| line).collect();
        output::write(path, lines.as_bytes())?;
    }
    if report.partial {
        let played: u64 = report.played.iter().map(|games| games.end - games.start).sum();
        let asked = part.end - part.start;
        let why =
            format!("stopped by the user after {played} of {asked} games: the report is partial");
        return Err(Stopped(why).into());
    }
    Ok(())
}

impl Args {
    /// Gives the report in the forms that are asked for.
    fn give(&self, report: &Report) -> anyhow::Result<()> {
        print(report, self.json);
        match &self.html {
            Some(out) => output::write(out, pages::of_bench(report).as_bytes()),
            None => Ok(()),
        }
    }

    fn bench(&self) -> anyhow::Result<Bench> {
        let contenders = self.strategy.iter().flat_map(|name| {
            self.budget.iter().map(|&budget| Contender { name: name.clone(), budget })
        });
        let contenders = contenders.collect();
        let mut setup = Setup {
            level: None,
            first_click: self.first_click,
            seed: self.seed,
            boards: None,
            no_guess: None,
        };
        if !self.boards.is_empty() {
            let boards = self.boards.iter().map(|path| boards::read(path));
            let boards = boards.collect::<anyhow::Result<Vec<_>>>()?.concat();
            setup.boards = Some(Fingerprint::of_boards(&boards));
            let own_first_click = self.first_click == Some(FirstClick::Any);
            let deals = Deals::Laid { boards, own_first_click };
            return Ok(Bench { setup, deals, contenders, luck: self.luck });
        }
        let first_click = self.first_click.unwrap_or(FirstClick::Safe);
        let rules = Rules { first_click, ..self.level.rules };
        setup.level = Some(self.level.name.clone());
        setup.first_click = Some(first_click);
        let deals = if self.no_guess {
            let prover = prover().to_owned();
            setup.no_guess = Some(prover.clone());
            Deals::NoGuess { rules, prover, nodes: play::Options::default().nodes }
        } else {
            Deals::Fresh(rules)
        };
        Ok(Bench { setup, deals, contenders, luck: self.luck })
    }
}

/// The strategy whose proofs say which boards need no guess.
fn prover() -> &'static str {
    let exact = solver::strategies().find(|&name| name == "exact");
    exact.unwrap_or("contradiction")
}

fn write_boards(path: &Path, bench: &Bench, games: Range<u64>) -> anyhow::Result<()> {
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mbf")) {
        let boards = games.end - games.start;
        ensure!(
            boards == 1,
            "an mbf file holds one board, not {boards}: say --games 1, or name a .txt"
        );
        let board = bench.deals.lay(bench.setup.seed, games.start)?;
        return Ok(std::fs::write(path, mbf::write(&board)?)?);
    }
    let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
    let bar = progress_bar(games.end - games.start, "{bar:20} {pos}/{len} boards, {eta} left");
    for index in games {
        writeln!(file, "{}", bench.deals.lay(bench.setup.seed, index)?)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(file.flush()?)
}

fn merged(paths: &[PathBuf]) -> anyhow::Result<Report> {
    let read = |path: &PathBuf| -> anyhow::Result<Report> {
        Ok(serde_json::from_str(&file::read_text(path, file::COLLECTION)?)?)
    };
    let mut all: Option<Report> = None;
    for path in paths {
        let named = || path.display().to_string();
        let report = read(path).with_context(named)?;
        match &mut all {
            Some(all) => all.merge(&report).with_context(named)?,
            None => all = Some(report),
        }
    }
    all.context("no reports to merge")
}

/// The number of a game, and its line in a file of outcomes.
fn outcome(played: &[Played]) -> (u64, String) {
    let game = played.first().map_or(0, |played| played.game);
    let mut line = game.to_string();
    for played in played {
        line += &format!(" {}", u8::from(played.won));
        if let Some(luck) = played.luck {
            line += &format!(" {luck:.5}");
        }
    }
    line.push('\n');
    (game, line)
}

/// The win rates so far.
fn rates(report: &Report) -> String {
    let rate = |score: &Score| format!("{:.2} %", 100.0 * score.win_rate().unwrap_or_default());
    report.strategies.iter().map(rate).collect::<Vec<_>>().join(", ")
}

fn print(report: &Report, as_json: bool) {
    if as_json {
        say!("{}", report.to_json());
        return;
    }
    if report.strategies.iter().all(|score| score.games == 0) {
        say!("no games were played, so there are no rates");
        return;
    }
    let mut table = table([
        ("strategy@budget", Left),
        ("games", Right),
        ("wins", Right),
        ("win rate", Right),
        ("95 %", Left),
        ("CPU ms/game", Right),
        ("decisions", Right),
        ("guesses", Right),
        ("p50 ms", Right),
        ("p99 ms", Right),
        ("p99.9 ms", Right),
        ("worst ms", Right),
        ("fingerprint", Left),
    ]);
    for score in &report.strategies {
        let Contender { name, budget } = &score.contender;
        let [low, high] = score.interval().map(|rate| 100.0 * rate);
        let quantile = |share| format!("{:.3}", ms(score.times.quantile(share)));
        table.add_row([
            format!("{name}@{budget}"),
            score.games.to_string(),
            score.wins.to_string(),
            format!("{:.2} %", 100.0 * score.win_rate().unwrap_or_default()),
            format!("{low:.2} to {high:.2}"),
            format!("{:.3}", score.ms_per_game().unwrap_or_default()),
            format!("{:.1}", score.decisions_per_game().unwrap_or_default()),
            format!("{:.2}", score.guesses_per_game().unwrap_or_default()),
            quantile(0.5),
            quantile(0.99),
            quantile(0.999),
            format!("{:.3}", ms(score.times.max())),
            score.fingerprint.to_string(),
        ]);
    }
    say!("{}", table.trim_fmt());
    let pairs = report.compared_with_best();
    print_pairs(&pairs);
    print_without_luck(&report.strategies, &pairs);
    if report.partial {
        say!("partial: stopped before all games were played");
    }
}

/// The best strategy less each of the others, on the same games.
fn print_pairs(pairs: &[Pair]) {
    let Some(Pair { a: best, a_budget, .. }) = pairs.first() else { return };
    let less = format!("{best}@{a_budget} less");
    let mut table = table([
        (&less, Left),
        ("win rate", Right),
        ("95 %", Left),
        ("it alone", Right),
        ("other alone", Right),
    ]);
    for pair in pairs {
        let [low, high] = pair.interval().map(|rate| 100.0 * rate);
        table.add_row([
            format!("{}@{}", pair.b, pair.b_budget),
            format!("{:+.2} %", 100.0 * pair.difference().unwrap_or_default()),
            format!("{low:+.2} to {high:+.2}"),
            pair.only_a.to_string(),
            pair.only_b.to_string(),
        ]);
    }
    say!("\n{}", table.trim_fmt());
}

/// The same without the luck of guesses, where that was measured.
fn print_without_luck(scores: &[Score], pairs: &[Pair]) {
    let named = |name: &str, budget: u64| format!("{name}@{budget}");
    let rates = scores.iter().map(|score| {
        let Contender { name, budget } = &score.contender;
        (named(name, *budget), score.without_luck)
    });
    let differences = pairs.iter().map(|pair| {
        let less = named(&pair.b, pair.b_budget);
        (format!("{} less {less}", named(&pair.a, pair.a_budget)), pair.without_luck)
    });
    let measured = rates.chain(differences).filter_map(|(name, rest)| {
        Some((name, 100.0 * rest.mean()?, rest.interval()?.map(|rate| 100.0 * rate)))
    });
    let lines: Vec<_> = measured.collect();
    if lines.is_empty() {
        return;
    }
    let mut table =
        table([("without the luck of guesses", Left), ("win rate", Right), ("95 %", Left)]);
    for (name, mean, [low, high]) in lines {
        table.add_row([name, format!("{mean:.2} %"), format!("{low:.2} to {high:.2}")]);
    }
    say!("\n{}", table.trim_fmt());
}

fn ms(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}
