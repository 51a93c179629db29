//! `race`: plays real windows and says where the time went, beside the game's own floor.

use std::sync::mpsc::channel;
use std::time::Duration;

use serde_json::{Value, json};

use minescraper::lab::race::{Lap, Stopwatch};
use minescraper::play::{Options, Outcome, Player, Watcher};
use minescraper::recognize::Reader;
use minescraper::solver::{self, Strategy};

use super::output::say;
use super::progress::Progress;
use super::tally::Tally;
use super::{desktop, session, skins};

/// The options of `race`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The window to play in, by its title, application or id [default: the one with a board in it]
    #[arg(long, value_name = "TITLE")]
    window: Option<String>,
    /// How many mines the board has, where the game does not show it
    #[arg(long, value_name = "N")]
    mines: Option<u32>,
    /// How many games to play
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// The strategy that decides
    #[arg(long, value_name = "NAME", value_parser = session::strategy(), default_value = session::strongest())]
    strategy: String,
    /// How many nodes a decision may cost
    #[arg(long, value_name = "NODES", default_value_t = 10_000)]
    budget: u64,
    /// Where all chance comes from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Print the games as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    stop: session::StopArgs,
}

/// The head of the table of medians.
const HEAD: &str = "\
| game | won | s a game | floor, s | ratio | batches | clicks | lost | 3BV/s | capture | read | think | click | waiting |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|";

/// Plays on the desktop. Prints a line for each game, and a table with the medians of those that were won.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let skins = skins::all();
    let reader = Reader::new(skins.clone());
    let stop = session::stop_signal()?;
    let on = desktop::session()?;
    let _key = args.stop.take_key(&on, &stop);
    let mut desk = desktop::open(&on, args.window.as_deref(), &skins, &reader)?;
    let mut strategy = solver::by_name(&args.strategy)?;
    let (told, seen) = channel();
    if let Err(error) = desktop::observe(&on, told) {
        log::warn!("nobody observes the game, so its floor is not known: {error}");
    }
    let mut stopwatch = Stopwatch::new(seen);
    let (mut screen, mut hands) =
        (stopwatch.timed(desk.screen.as_mut()), stopwatch.timed(desk.hands.as_mut()));
    let mut thinker = stopwatch.timed::<dyn Strategy>(strategy.as_mut());
    let options = Options {
        games: args.games,
        seed: args.seed,
        mines: args.mines,
        nodes: args.budget,
        ..Options::default()
    };
    let mut tally = Tally::default();
    let mut watchers: Vec<Box<dyn Watcher + '_>> =
        vec![Box::new(&mut stopwatch), Box::new(Progress::new(&options, &mut tally))];
    let session = Player {
        screen: &mut screen,
        hands: &mut hands,
        reader: &reader,
        strategy: &mut thinker,
        watcher: &mut watchers,
        stop,
    }
    .play(&options);
    drop(watchers);
    if args.json {
        let games: Vec<Value> = stopwatch.laps().iter().map(as_json).collect();
        say!("{}", json!({ "skin": session.summary.skin, "games": games }));
        return session.trouble.map_or(Ok(()), |trouble| Err(trouble.into()));
    }
    for (nth, lap) in stopwatch.laps().iter().enumerate() {
        say!("game {}: {}", nth + 1, told_of(lap));
    }
    let won: Vec<&Lap> =
        stopwatch.laps().iter().filter(|lap| lap.outcome == Outcome::Won).collect();
    let game = session.summary.skin.unwrap_or_default();
    say!("\n{HEAD}\n{}", row(&game, &won, stopwatch.laps().len()));
    session.trouble.map_or(Ok(()), |trouble| Err(trouble.into()))
}

fn as_json(lap: &Lap) -> Value {
    json!({
        "outcome": lap.outcome,
        "seconds": lap.took.as_secs_f64(),
        "floor": lap.floor.map(|floor| floor.as_secs_f64()),
        "batches": lap.batches,
        "clicks": lap.clicks,
        "lost": lap.lost,
        "bbbv": lap.bbbv,
        "ms": { "capture": ms(lap.times.capture), "read": ms(lap.times.read), "think": ms(lap.times.think),
            "click": ms(lap.times.click), "wait": ms(lap.times.wait) },
    })
}

fn told_of(lap: &Lap) -> String {
    let floor =
        lap.floor.map_or("unknown".to_owned(), |floor| format!("{:.3} s", floor.as_secs_f64()));
    format!(
        "{} in {:.3} s, floor {floor}; {} batches, {} clicks, {} lost; capture {:.1}, read {:.1}, think {:.1}, \
         click {:.1}, waiting {:.1} ms",
        lap.outcome,
        lap.took.as_secs_f64(),
        lap.batches,
        lap.clicks,
        lap.lost,
        ms(lap.times.capture),
        ms(lap.times.read),
        ms(lap.times.think),
        ms(lap.times.click),
        ms(lap.times.wait),
    )
}

/// The medians of the games that were won, as a row of the table. Times without a unit are milliseconds.
fn row(game: &str, won: &[&Lap], played: usize) -> String {
    let of = |digits: usize, get: &dyn Fn(&Lap) -> Option<f64>| {
        let median = median(won.iter().filter_map(|lap| get(lap)));
        median.map_or("-".to_owned(), |median| format!("{median:.digits$}"))
    };
    let time = |get: fn(&Lap) -> Duration| of(1, &|lap| Some(ms(get(lap))));
    let seconds = |lap: &Lap| lap.took.as_secs_f64();
    let cells = [
        game.to_owned(),
        format!("{} of {played}", won.len()),
        of(3, &|lap| Some(seconds(lap))),
        of(3, &|lap| Some(lap.floor?.as_secs_f64())),
        of(2, &|lap| Some(seconds(lap) / lap.floor?.as_secs_f64())),
        of(0, &|lap| Some(lap.batches.into())),
        of(0, &|lap| Some(lap.clicks.into())),
        of(0, &|lap| Some(lap.lost.into())),
        of(0, &|lap| Some(f64::from(lap.bbbv?) / seconds(lap))),
        time(|lap| lap.times.capture),
        time(|lap| lap.times.read),
        time(|lap| lap.times.think),
        time(|lap| lap.times.click),
        time(|lap| lap.times.wait),
    ];
    format!("| {} |", cells.join(" | "))
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The median; `None` of nothing.
pub fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => None,
        count if count % 2 == 1 => Some(values[count / 2]),
        count => Some((values[count / 2 - 1] + values[count / 2]) / 2.0),
    }
}
