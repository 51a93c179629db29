//! `demo`: the same loop as `play`, on a virtual desktop.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, ensure};

use minescraper::board::{FirstClick, Rules};
use minescraper::lab::formats::LaidBoard;
use minescraper::lab::virtual_desktop::{Setup, VirtualDesktop, largest_cell};
use minescraper::recognize::Reader;

use super::session::{self, Audience, SessionArgs};
use super::show::Show;
use super::{Misuse, boards, skins};

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
    /// Play one game on the board in this file, of any form that `stats` takes: with its first click made, or with a region
    /// open where it has none
    #[arg(long, value_name = "FILE|LINK|-", conflicts_with_all = ["level", "first_click", "games", "until_win"])]
    board: Option<PathBuf>,
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
    let mut skin = args.skin.as_deref().map_or_else(skins::first, skins::named)?;
    let board = args.board.as_deref().map(the_board).transpose()?;
    let rules = match &board {
        Some(LaidBoard { cols, rows, mines, .. }) => {
            // Its mines lie where they lie.
            skin.game.first_click = Some(FirstClick::Any);
            Rules::new(*cols, *rows, mines.len() as u32, FirstClick::Any)?
        }
        None => {
            let promise = args.first_click.or(skin.game.first_click);
            Rules { first_click: promise.unwrap_or(FirstClick::Safe), ..args.level }
        }
    };
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
    let desktop = match &board {
        Some(board) => {
            let desktop = VirtualDesktop::with_board(skin, setup, board)?;
            let path = args.board.as_deref().unwrap_or(Path::new("")).display();
            ensure!(!desktop.game().status().is_over(), "{path}: the first click ends its game");
            desktop
        }
        None => VirtualDesktop::new(skin, setup),
    };
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

/// The only board at `path`.
fn the_board(path: &Path) -> anyhow::Result<LaidBoard> {
    let mut boards = boards::read(path)?;
    let count = boards.len();
    let board = boards.pop().filter(|_| count == 1);
    board.with_context(|| format!("{}: it has {count} boards; a demo plays one", path.display()))
}
