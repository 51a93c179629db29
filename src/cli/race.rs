//! `race`: plays real windows and says where the time went, beside the game's own floor.

use std::sync::mpsc::channel;
use std::time::Duration;

use comfy_table::Table;
use comfy_table::presets::ASCII_MARKDOWN;
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
    say!("\n{}", medians(&game, &won, stopwatch.laps().len()));
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

/// The medians of the games that were won, as a table that Markdown knows. Times without a unit are milliseconds.
fn medians(game: &str, won: &[&Lap], played: usize) -> Table {
    let of = |digits: usize, get: &dyn Fn(&Lap) -> Option<f64>| {
        let median = median(won.iter().filter_map(|lap| get(lap)));
        median.map_or("-".to_owned(), |median| format!("{median:.digits$}"))
    };
    let time = |get: fn(&Lap) -> Duration| of(1, &|lap| Some(ms(get(lap))));
    let seconds = |lap: &Lap| lap.took.as_secs_f64();
    let columns = [
        ("game", game.to_owned()),
        ("won", format!("{} of {played}", won.len())),
        ("s a game", of(3, &|lap| Some(seconds(lap)))),
        ("floor, s", of(3, &|lap| Some(lap.floor?.as_secs_f64()))),
        ("ratio", of(2, &|lap| Some(seconds(lap) / lap.floor?.as_secs_f64()))),
        ("batches", of(0, &|lap| Some(lap.batches.into()))),
        ("clicks", of(0, &|lap| Some(lap.clicks.into()))),
        ("lost", of(0, &|lap| Some(lap.lost.into()))),
        ("3BV/s", of(0, &|lap| Some(f64::from(lap.bbbv?) / seconds(lap)))),
        ("capture", time(|lap| lap.times.capture)),
        ("read", time(|lap| lap.times.read)),
        ("think", time(|lap| lap.times.think)),
        ("click", time(|lap| lap.times.click)),
        ("waiting", time(|lap| lap.times.wait)),
    ];
    let mut table = Table::new();
    table.load_style(ASCII_MARKDOWN).set_header(columns.each_ref().map(|(head, _)| head));
    table.add_row(columns.map(|(_, median)| median));
    table
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The median; `None` of nothing. (The crate that has it, `statrs`, asks for a newer Rust than this one.)
pub fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => None,
        count if count % 2 == 1 => Some(values[count / 2]),
        count => Some((values[count / 2 - 1] + values[count / 2]) / 2.0),
    }
}

#[cfg(test)]
mod tests {
    use minescraper::lab::race::Times;

    use super::*;

    #[test]
    fn the_table_has_the_medians_of_the_games_that_were_won_below_their_heads() {
        let lap = |seconds: f64, floor: Option<f64>| Lap {
            outcome: Outcome::Won,
            took: Duration::from_secs_f64(seconds),
            batches: 30,
            clicks: 200,
            lost: 0,
            bbbv: Some(100),
            times: Times::default(),
            floor: floor.map(Duration::from_secs_f64),
        };
        let laps = [lap(1.0, Some(0.5)), lap(4.0, None), lap(2.0, Some(0.5))];
        let table = medians("winemine", &laps.each_ref(), 5).to_string();
        let cells = |line: &str| -> Vec<String> {
            let cells = line.trim_matches('|').split('|');
            cells.map(|cell| cell.trim().to_owned()).collect()
        };
        let [head, rule, row] = table.lines().collect::<Vec<_>>()[..] else { panic!("{table}") };
        assert!([head, rule, row].iter().all(|line| line.len() == head.len()), "{table}");
        let told: Vec<_> = cells(head).into_iter().zip(cells(row)).collect();
        for (name, median) in [
            ("game", "winemine"),
            ("won", "3 of 5"),
            ("s a game", "2.000"),
            ("floor, s", "0.500"),
            ("ratio", "3.00"),
            ("3BV/s", "50"),
            ("waiting", "0.0"),
        ] {
            assert!(told.contains(&(name.to_owned(), median.to_owned())), "{name}: {table}");
        }
    }
}
