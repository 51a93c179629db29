//! `advise`: what to do on the board in the open window, in a screenshot or in a text.

mod answer;
mod watch;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use console::Term;
use image::{ImageFormat, RgbImage};

use minescraper::board::{Board, MineCount, Status};
use minescraper::capture::{Frame, decode_picture};
use minescraper::file;
use minescraper::lab::{formats, virtual_desktop};
use minescraper::recognize::{Lattice, Reader, Reading};
use minescraper::solver;

use super::desktop::Sight;
use super::drawing::columns;
use super::output::say;
use super::{boards, desktop, output, overlay, session, skins};
pub use answer::Answer;
use watch::Watch;

/// The least side of a painted cell, in pixels: numbers are written into it.
const READABLE: u32 = 24;

/// The options of `advise`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A screenshot, a board as text, a position or link of JSMinesweeper, or - for a board from standard input
    /// [default: the open window]
    #[arg(value_name = "IMAGE|BOARD.txt|LINK|-")]
    image: Option<PathBuf>,
    /// The board itself as text, its rows parted by line breaks or by /
    #[arg(long, value_name = "ROWS", conflicts_with = "image")]
    board: Option<String>,
    /// The window to look at, by its title, application or id [default: the one with a board in it]
    #[arg(long, value_name = "TITLE", conflicts_with_all = ["image", "board"])]
    window: Option<String>,
    /// Follow the window, and tell of every new board; click nothing
    #[arg(long, conflicts_with_all = ["image", "board", "overlay"])]
    watch: bool,
    /// Frame safe cells, mines and the move on the screen too, over the window; clicks go through (X11)
    #[arg(long, requires = "watch")]
    on_screen: bool,
    /// How many mines the board has, where neither the picture nor the text says it
    #[arg(long, value_name = "N")]
    mines: Option<u32>,
    /// The strategy that decides
    #[arg(long, value_name = "NAME", value_parser = session::strategy(), default_value = session::strongest())]
    strategy: String,
    /// Where all chance comes from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Save a picture of the board as PNG, with the chance of a mine in each cell and the move to make
    #[arg(long, value_name = "OUT.png")]
    overlay: Option<PathBuf>,
    /// Print the advice as JSON; with --watch an object a line
    #[arg(long)]
    json: bool,
}

/// A board, and the picture in which it was seen.
struct Seen {
    board: Board,
    picture: Option<(RgbImage, Lattice)>,
}

/// Advises on a board.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut strategy = solver::by_name(&args.strategy)?;
    strategy.new_game(args.seed);
    if args.watch {
        let (skins, stop) = (skins::all(), session::stop_signal()?);
        let reader = Reader::new(skins.clone());
        let on = desktop::session()?;
        let window = args.window.as_deref();
        let (mut screen, frames) = if args.on_screen {
            let frames = overlay::frames(&on)?;
            (desktop::open_beneath_frames(&on, window, &skins, &reader)?, Some(frames))
        } else {
            (desktop::open_to_read(&on, window, &skins, &reader)?.screen, None)
        };
        let mut watch = Watch::new(&reader, strategy, args.mines, args.json, frames);
        return watch.follow(screen.as_mut(), &stop);
    }
    let mut seen = match (&args.image, &args.board) {
        (Some(path), _) => look_at(path)?,
        (None, Some(text)) => {
            let rows = text.replace('/', "\n");
            Seen { board: rows.parse().context("--board")?, picture: None }
        }
        (None, None) => look_at_desktop(args.window.as_deref())?,
    };
    if let Some(mines) = args.mines {
        seen.board.mines = MineCount::Given(mines);
    }
    let answer = Answer::of(seen.board, strategy.as_mut())?;
    if args.json {
        say!("{}", answer.as_json());
    } else {
        let drawing = answer.drawing(!console::colors_enabled(), columns(&Term::stdout()));
        answer.told().iter().chain(&drawing).for_each(|line| say!("{line}"));
    }
    match &args.overlay {
        Some(out) => {
            save_overlay(out, seen.picture, &answer).with_context(|| out.display().to_string())
        }
        None => Ok(()),
    }
}

fn look_at(path: &Path) -> anyhow::Result<Seen> {
    let named = || path.display().to_string();
    let text = if let Some(link) = boards::as_link(path) {
        link.to_owned()
    } else if path == Path::new("-") {
        file::standard_input(file::BOARD).context("standard input")?
    } else {
        let content = file::read(path, file::PICTURE).with_context(named)?;
        if image::guess_format(&content).is_ok() {
            let frame = decode_picture(&content).with_context(named)?;
            return read(&frame, &Reader::new(skins::all())).with_context(named);
        }
        let text = file::text(content).ok();
        text.with_context(|| format!("{} is neither a picture nor a text", path.display()))?
    };
    Ok(Seen { board: formats::position(&text).with_context(named)?, picture: None })
}

fn look_at_desktop(window: Option<&str>) -> anyhow::Result<Seen> {
    let skins = skins::all();
    let reader = Reader::new(skins.clone());
    let Sight { frame, boards, .. } =
        desktop::open_to_read(&desktop::session()?, window, &skins, &reader)?;
    match boards {
        Some(boards) => largest(&frame, boards),
        None => read(&frame, &reader),
    }
}

/// Reads the largest board in a picture.
fn read(frame: &Frame, reader: &Reader) -> anyhow::Result<Seen> {
    largest(frame, output::busy(output::LOOKING, || reader.find(frame))?)
}

/// The first of the boards in a picture.
fn largest(frame: &Frame, boards: Vec<Reading>) -> anyhow::Result<Seen> {
    let reading = boards.into_iter().next().context("no board found")?;
    match reading.status {
        Status::Won | Status::Lost => bail!("the game is over: it is {}", reading.status),
        Status::Hidden => bail!("something hides the board: most of its cells cannot be read"),
        Status::Fresh | Status::Playing => {}
    }
    let lattice = reading.lattice.moved(-frame.origin.x, -frame.origin.y);
    Ok(Seen { board: reading.board, picture: Some((frame.pixels.clone(), lattice)) })
}

/// A text has no picture: one is painted for it.
fn save_overlay(
    out: &Path,
    picture: Option<(RgbImage, Lattice)>,
    answer: &Answer,
) -> anyhow::Result<()> {
    let board = &answer.board;
    let (picture, lattice) = match picture {
        Some(picture) => picture,
        None => {
            let skin = skins::first()?;
            let largest = virtual_desktop::largest_cell(board.cols(), board.rows());
            let cell = READABLE.max(skins::own_size(&skin)).min(largest);
            virtual_desktop::picture(skin, board, cell)
        }
    };
    overlay::painted(picture, &lattice, answer).save_with_format(out, ImageFormat::Png)?;
    Ok(())
}
