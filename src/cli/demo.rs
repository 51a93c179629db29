//! `demo`: the same loop as `play`, on a virtual desktop.

use clap::ValueEnum;

use minescraper::board::{FirstClick, ImpossibleRules, Rules};
use minescraper::recognize::Reader;
use minescraper::virtual_desktop::{Setup, VirtualDesktop};

use super::session::{self, SessionArgs};
use super::skins;

/// The options of `demo`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What the game looks like and how it is played [default: the first that is installed]
    #[arg(long, value_name = "NAME")]
    skin: Option<String>,
    /// beginner, intermediate, expert or WIDTHxHEIGHTxMINES
    #[arg(long, value_name = "LEVEL", default_value = "expert", value_parser = level)]
    level: Rules,
    /// What the first click promises [default: as the skin's game does, else safe]
    #[arg(long, value_enum)]
    first_click: Option<Promise>,
    /// The size of a cell in pixels
    #[arg(long, value_name = "PX", default_value_t = 16, value_parser = clap::value_parser!(u32).range(8..=200))]
    cell: u32,
    #[command(flatten)]
    session: SessionArgs,
}

/// The promises as the command line names them.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Promise {
    /// It is no mine
    Safe,
    /// It opens a region
    Open,
    /// It may be a mine
    Any,
}

fn level(text: &str) -> Result<Rules, ImpossibleRules> {
    Rules::parse_level(text, FirstClick::Safe)
}

/// Plays on a virtual desktop.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let skin = skins::named(args.skin.as_deref())?;
    let mut rules = args.level;
    rules.first_click = match args.first_click {
        Some(Promise::Safe) => FirstClick::Safe,
        Some(Promise::Open) => FirstClick::Opens,
        Some(Promise::Any) => FirstClick::Any,
        None => skin.game.first_click.unwrap_or(FirstClick::Safe),
    };
    let reader = Reader::new(vec![skin.clone()]);
    let setup = Setup::new(rules, args.cell, args.session.seed);
    let desktop = VirtualDesktop::new(skin, setup);
    let stop = session::stop_signal()?;
    args.session.play(&mut desktop.screen(), &mut desktop.hands(), &reader, Some(rules.mines), stop)
}
