//! `play`: plays the open Minesweeper.

use std::path::PathBuf;
use std::time::Duration;

use minescraper::player::Options;
use minescraper::recognize::Reader;

use super::session::{self, SessionArgs};
use super::{debug_image, desktop, skins};

/// The options of `play`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The window to play in, by its title, application or id [default: the one with a board in it]
    #[arg(long, value_name = "TITLE")]
    window: Option<String>,
    /// How many mines the board has, where the game does not show it
    #[arg(long, value_name = "N")]
    mines: Option<u32>,
    /// How long to think about one decision at most, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 50)]
    think: u64,
    /// Draw what is seen before the first click into this picture: the window, or the first monitor when
    /// there is no board
    #[arg(long, value_name = "PNG")]
    debug_image: Option<PathBuf>,
    #[command(flatten)]
    session: SessionArgs,
}

/// Plays on the desktop.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let skins = skins::all();
    let reader = Reader::new(skins.clone());
    let stop = session::stop_signal()?;
    let mut opened = desktop::open(args.window.as_deref(), &skins, &reader);
    if let Some(path) = &args.debug_image {
        let frame = match &mut opened {
            Ok(desk) => desktop::look(desk.screen.as_mut())?,
            Err(_) => desktop::look_at_monitor()?,
        };
        debug_image::write(path, &reader.survey(&frame), &frame)?;
    }
    let mut desk = opened?;
    let (screen, hands) = (desk.screen.as_mut(), desk.hands.as_mut());
    let think = Some(Duration::from_millis(args.think));
    let options = Options { think, ..args.session.options(args.mines) };
    args.session.play(screen, hands, &reader, &options, stop)
}
