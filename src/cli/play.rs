//! `play`: plays the open Minesweeper. Where its skin is not known, it is learned first, by playing.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use minescraper::board::{Cell, Status};
use minescraper::capture::{CaptureError, Frame};
use minescraper::learn::from_play::{Grid, grids};
use minescraper::play::{Begun, EndedSession, Options, PlayError};
use minescraper::recognize::{Lattice, ReadError, Reader, Reading, Skin, Tracker};

use super::desktop::Desk;
use super::learning::Lesson;
use super::session::{self, SessionArgs, StopArgs};
use super::{debug_image, desktop, learning, skins};

/// How many games learning an unknown skin may take.
const LEARNING_GAMES: u32 = 10;

/// How long a decision takes at most unless it is said otherwise, in milliseconds.
const THINK: u64 = 50;

/// The options of `play`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The window to play in, by its title, application or id [default: the one with a board in it]
    #[arg(long, value_name = "TITLE")]
    window: Option<String>,
    /// How many mines the board has, where the game does not show it
    #[arg(long, value_name = "N")]
    mines: Option<u32>,
    /// How long to think about one decision at most, in milliseconds [default: 50; in a dry run, which is in no
    /// hurry, as long as it takes]
    #[arg(long, value_name = "MS")]
    think: Option<u64>,
    /// Draw what is seen before the first click into this picture: the window, or the first monitor when
    /// there is no board
    #[arg(long, value_name = "PNG")]
    debug_image: Option<PathBuf>,
    #[command(flatten)]
    stop: StopArgs,
    #[command(flatten)]
    session: SessionArgs,
}

/// Plays on the desktop.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let skins = skins::all();
    let reader = Reader::new(skins.clone());
    let stop = session::stop_signal()?;
    let _key = (!args.session.dry_run).then(|| args.stop.take_key(&stop));
    let mut opened = desktop::open(args.window.as_deref(), &skins, &reader);
    if let Some(path) = &args.debug_image {
        let frame = match &mut opened {
            Ok(desk) => desktop::look(desk.screen.as_mut())?,
            Err(_) => desktop::look_at_monitor()?,
        };
        debug_image::write(path, &reader.survey(&frame), &frame)?;
    }
    let (mut desk, reader, lattice) = match opened {
        Ok(desk) => known(args, desk, &skins, reader, &stop)?,
        // Where there is no such window, or a board that is known is cut off or covered, there is nothing to learn.
        Err(error) if args.session.dry_run || is_settled(&error) => return Err(error),
        // Whatever stood in the way, it is what is told if nothing can be learned.
        Err(error) => {
            learn(args, None, &skins, &stop).map_err(|why| error.context(format!("{why:#}")))?
        }
    };
    let session = play(args, &mut desk, &reader, lattice.clone(), &stop)?;
    let Some(EndedSession { trouble, reading, .. }) = session else { return Ok(()) };
    if let Some(trouble) = trouble {
        eprintln!("{trouble}");
    }
    drop(desk);
    let (mut desk, reader, lattice) = learn(args, reading.as_ref().map(begun), &skins, &stop)?;
    play(args, &mut desk, &reader, lattice, &stop).map(|_| ())
}

/// Plays on `desk`; the board is in `lattice` where its skin was just learned. Returns how that ended where the board turned out to
/// have another skin.
fn play(
    args: &Args,
    desk: &mut Desk,
    reader: &Reader,
    lattice: Option<Lattice>,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<Option<EndedSession>> {
    let (screen, hands) = (desk.screen.as_mut(), desk.hands.as_mut());
    let think = args.think.or((!args.session.dry_run).then_some(THINK)).map(Duration::from_millis);
    let learns = skins::own();
    // The games that the skin was learned in are none that were played.
    let anew = lattice.is_some();
    let may_learn = !anew && !args.session.dry_run;
    let options = Options { think, lattice, anew, learns, ..args.session.options(args.mines) };
    args.session.play(screen, hands, reader, &options, stop.clone(), may_learn)
}

/// The game on `desk` with a reader that knows its skin: one that is learned if need be. Then it is known where the board
/// is.
fn known(
    args: &Args,
    mut desk: Desk,
    skins: &[Skin],
    reader: Reader,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<(Desk, Reader, Option<Lattice>)> {
    let named = skins.iter().filter(|skin| skin.game.is_named(&desk.names)).cloned();
    let named: Vec<Skin> = named.collect();
    let may_be_hidden = !named.is_empty();
    if may_be_hidden {
        let reader = Reader::new(named);
        let frame = desktop::look(desk.screen.as_mut())?;
        if let Ok([found, ..]) = reader.find(&frame).as_deref()
            && is_sure(&reader, &frame, found, &desk.names)
        {
            return Ok((desk, reader, None));
        }
    }
    let start = Instant::now();
    // Its cells may be where those of a skin are that it has not.
    let mut alike = None;
    let (frame, is_unknown) = loop {
        let is_early = start.elapsed() < desktop::PATIENCE;
        let frame = desktop::look(desk.screen.as_mut())?;
        let is_unknown = match reader.find(&frame).as_deref() {
            Ok([found, ..]) => {
                alike = Some(Begun { grid: grid_of(found), covered: Vec::new() });
                !is_sure(&reader, &frame, found, &desk.names)
            }
            // A known game may have a message over a board that is finished.
            Ok([]) | Err(ReadError::NoBoard { .. }) => {
                if may_be_hidden && is_early && !stop.load(Ordering::Relaxed) {
                    thread::sleep(desktop::PAUSE);
                    continue;
                }
                true
            }
            // No window of a game that is known shows a part of its board.
            Err(_) => !may_be_hidden && !desk.names.is_empty(),
        };
        break (frame, is_unknown);
    };
    let is_found = !grids(&frame).is_empty();
    if !is_unknown || args.session.dry_run || (alike.is_none() && !is_found) {
        return Ok((desk, reader, None));
    }
    drop(desk);
    learn(args, alike.filter(|_| !is_found), skins, stop)
}

/// Where the cells of a board are.
fn grid_of(found: &Reading) -> Grid {
    Grid { gap: found.skin.gap, lattice: found.lattice.clone(), is_whole: true }
}

/// The board of a game that was taken for one of another skin: where its cells are, and which of them are covered, is as that
/// skin said.
fn begun(reading: &Reading) -> Begun {
    let Reading { board, .. } = reading;
    let covered = board.positions().filter(|&pos| board[pos] == Cell::Covered).collect();
    Begun { grid: grid_of(reading), covered }
}

/// Whether what kept a board from being found has nothing to do with its skin.
fn is_settled(error: &anyhow::Error) -> bool {
    error.is::<CaptureError>() || error.is::<ReadError>() || error.is::<PlayError>()
}

/// Whether a board has the skin that it looks like. Many programs draw covered cells alike and numbers otherwise, so of a fresh
/// one the name of its window has to be the skin's, too. In other colours it may have many skins: numbers may be drawn in
/// colours that do not follow from those of covered cells.
fn is_sure(reader: &Reader, frame: &Frame, found: &Reading, names: &[String]) -> bool {
    if found.status != Status::Fresh || names.is_empty() {
        return true;
    }
    let seen = Tracker::new(reader, frame, found.clone());
    found.skin.game.is_named(names) && (seen.is_plain() || !seen.is_recoloured())
}

/// Learns the skin of the open game, which nobody knows, by playing it; what is known of its board is `begun`.
fn learn(
    args: &Args,
    begun: Option<Begun>,
    skins: &[Skin],
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<(Desk, Reader, Option<Lattice>)> {
    let mut desk = desktop::open_unknown(args.window.as_deref(), skins)?;
    let name = new_name(desk.names.first().map_or("game", String::as_str))?;
    eprintln!("this board has a skin that is not known; learning it as '{name}'");
    let out = skins::folder()?.join(&name);
    let pace = args.session.pace();
    let lesson = Lesson { name: &name, out: &out, begun, games: LEARNING_GAMES, asks: false, pace };
    let (skin, lattice) = learning::learn(&mut desk, lesson, stop.clone())?;
    Ok((desk, Reader::new(vec![skin]), Some(lattice)))
}

/// A name for the skin of the program `app` that no skin has yet.
fn new_name(app: &str) -> anyhow::Result<String> {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let stem: String = app.chars().map(letter).collect();
    let folder = skins::folder()?;
    let names = (1..).map(|number| match number {
        1 => format!("learned-{stem}"),
        _ => format!("learned-{stem}-{number}"),
    });
    let mut free = names.filter(|name| !folder.join(name).exists());
    free.next().context("there is no name left for a skin")
}
