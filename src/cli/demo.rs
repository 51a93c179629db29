//! `demo`: the same loop as `play`, on a virtual desktop.

use std::time::Duration;

use minescraper::board::{FirstClick, Rules};
use minescraper::lab::virtual_desktop::{Setup, VirtualDesktop, largest_cell};
use minescraper::recognize::Reader;

use super::session::{self, Audience, SessionArgs};
use super::show::Show;
use super::{Misuse, skins};

/// The options of `demo`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// What the game looks like and how it is played [default: the first that is installed]
    #[arg(long, value_name = "NAME")]
    skin: Option<String>,
    /// beginner, intermediate, expert or WIDTHxHEIGHTxMINES
    #[arg(long, value_name = "LEVEL", default_value = "expert", value_parser = session::level)]
    level: Rules,
    /// What the first click promises: safe (it is no mine), open (it opens a region) or any
    /// [default: as the skin's game does, else safe]
    #[arg(long, value_name = "PROMISE")]
    first_click: Option<FirstClick>,
    /// The size of a cell in pixels [default: as in the skin's pictures]
    #[arg(long, value_name = "PX", value_parser = clap::value_parser!(u32).range(8..=200))]
    cell: Option<u32>,
    /// Show the games as plain text, without colours, one board after the other; else they are shown in a terminal only
    #[arg(long, conflicts_with = "json")]
    plain: bool,
    #[command(flatten)]
    session: SessionArgs,
}

/// How long a move is shown in a terminal unless --pace says otherwise.
const SHOWN: Duration = Duration::from_millis(80);

/// Plays on a virtual desktop.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let skin = args.skin.as_deref().map_or_else(skins::first, skins::named)?;
    let mut rules = args.level;
    let promise = args.first_click.or(skin.game.first_click);
    rules.first_click = promise.unwrap_or(FirstClick::Safe);
    let reader = Reader::new(vec![skin.clone()]);
    let largest = largest_cell(rules.cols, rules.rows);
    if let Some(cell) = args.cell.filter(|&cell| cell > largest) {
        return Err(Misuse(format!(
            "a board of {}x{} cells of {cell} pixels fits on no monitor: --cell takes at most {largest} for it",
            rules.cols, rules.rows
        ))
        .into());
    }
    let cell = args.cell.unwrap_or_else(|| skins::own_size(&skin).min(largest));
    let setup = Setup::new(rules, cell, args.session.seed);
    let desktop = VirtualDesktop::new(skin, setup);
    let stop = session::stop_signal()?;
    let options = args.session.options(Some(rules.mines));
    let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
    let mut audience = Audience::new(stop.clone());
    let is_shown =
        args.plain || (console::user_attended() && !args.session.json && !args.session.dry_run);
    if is_shown {
        // What is read, as a text or in a file, need not be waited for.
        let pace = args.session.pace().or((!args.plain).then_some(SHOWN)).unwrap_or_default();
        audience.show = Some(Show::new(args.plain, pace, stop));
    }
    args.session.play(&mut screen, &mut hands, &reader, &options, &mut audience, |_| false)?;
    Ok(())
}
