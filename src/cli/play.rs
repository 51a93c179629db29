//! `play`: plays the open Minesweeper.

use minescraper::recognize::Reader;

use super::session::{self, SessionArgs};
use super::{desktop, skins};

/// The options of `play`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The window to play in, by its title, application or id [default: the one with a board in it]
    #[arg(long, value_name = "TITLE")]
    window: Option<String>,
    /// How many mines the board has, where the game does not show it
    #[arg(long, value_name = "N")]
    mines: Option<u32>,
    #[command(flatten)]
    session: SessionArgs,
}

/// Plays on the desktop.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let skins = skins::all()?;
    let reader = Reader::new(skins.clone());
    let stop = session::stop_signal()?;
    let mut desk = desktop::open(args.window.as_deref(), &skins, &reader)?;
    let (screen, hands) = (desk.screen.as_mut(), desk.hands.as_mut());
    args.session.play(screen, hands, &reader, args.mines, stop)
}
