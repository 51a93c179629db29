//! `read`: prints the boards in a screenshot or in an open window, and where they are.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use serde_json::{Value, json};

use minescraper::board::text::{self, Notes};
use minescraper::board::{Board, Cell, MineCount};
use minescraper::capture::load_picture;
use minescraper::lab::formats::jsminesweeper;
use minescraper::recognize::survey::Sighting;
use minescraper::recognize::{Lattice, Reader, Reading, Skin};

use super::output::say;
use super::{debug_image, desktop, output, skins};

/// The options of `read`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A screenshot [default: the open window]
    image: Option<PathBuf>,
    /// The window to read, by its title, application or id; it may be covered [default: the one with a board in it]
    #[arg(long, value_name = "TITLE", conflicts_with = "image")]
    window: Option<String>,
    /// How many mines the board has, where the game does not show it
    #[arg(long, value_name = "N")]
    mines: Option<u32>,
    /// Print the boards as JSON
    #[arg(long)]
    json: bool,
    /// Print a link to each board in JSMinesweeper's analyser, in the browser
    #[arg(long, conflicts_with = "json")]
    link: bool,
    /// Draw what was seen into this picture: boards, unclear cells, and what only looks like a board
    #[arg(long, value_name = "PNG")]
    debug_image: Option<PathBuf>,
}

/// Reads a screenshot or a window.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let skins = skins::all();
    let reader = Reader::new(skins.clone());
    let window = args.window.as_deref();
    let (frame, name) = match &args.image {
        Some(path) => (load_picture(path)?, path.display().to_string()),
        None => {
            let seen = desktop::open_to_read(&desktop::session()?, window, &skins, &reader)?;
            (seen.frame, window.unwrap_or("the open window").to_owned())
        }
    };
    let survey = output::busy(output::LOOKING, || reader.survey(&frame));
    if let Some(path) = &args.debug_image {
        debug_image::write(path, &survey, &frame)?;
    }
    if let Some(error) = survey.error() {
        return Err(error).context(name);
    }
    if survey.boards.len() > 1 {
        eprintln!("{} boards, the largest first:", survey.boards.len());
    }
    survey.unread().for_each(|error| eprintln!("besides: {error}"));
    let mut readings = Vec::new();
    for Sighting { mut reading, rivals, .. } in survey.boards {
        if let Some(mines) = args.mines {
            let cells = u32::from(reading.board.cols()) * u32::from(reading.board.rows());
            anyhow::ensure!(mines <= cells, "{mines} mines do not fit on {cells} cells");
            reading.board.mines = MineCount::Given(mines);
            // The number of mines may tell that the game is won.
            reading = reader.read_again(&frame, &reading);
        }
        eprintln!("{}", place(&reading, &rivals));
        readings.push(reading);
    }

    if args.json {
        let boards: Vec<Value> = readings.iter().map(as_json).collect();
        say!("{}", json!({ "boards": boards }));
        return Ok(());
    }
    for (nth, reading) in readings.iter().enumerate() {
        if args.link {
            say!("{}", jsminesweeper::link(&reading.board)?);
            continue;
        }
        if nth > 0 {
            say!("");
        }
        let notes = Notes::from([
            ("skin".to_owned(), reading.skin.name.clone()),
            ("status".to_owned(), reading.status.to_string()),
        ]);
        say!("{}", text::print(&reading.board, &notes).trim_end());
    }
    Ok(())
}

fn unclear(board: &Board) -> usize {
    board.count(|cell| cell == Cell::Unclear)
}

/// Where a board is, and which other skins fit it as well, for a person.
pub fn place(reading: &Reading, rivals: &[Arc<Skin>]) -> String {
    let (width, height) = reading.lattice.pitch();
    let unclear = match unclear(&reading.board) {
        0 => String::new(),
        1 => "; 1 cell is unclear".to_owned(),
        unclear => format!("; {unclear} cells are unclear"),
    };
    let rivals: String =
        rivals.iter().map(|skin| format!("; {} fits as well", skin.name)).collect();
    format!(
        "{}: a board of {}x{} cells of {width:.1}x{height:.1} pixels, {}{unclear}{rivals}",
        reading.skin.name,
        reading.board.cols(),
        reading.board.rows(),
        reading.lattice.area(),
    )
}

/// Where the cells of a board are in their picture, in pixels.
pub fn lattice_as_json(lattice: &Lattice) -> Value {
    let (area, (width, height)) = (lattice.area(), lattice.pitch());
    json!({
        "x": area.x,
        "y": area.y,
        "pitch_x": width,
        "pitch_y": height,
        "cols": lattice.cols(),
        "rows": lattice.rows(),
    })
}

/// Where the number of mines comes from, for a program.
pub fn mines_from(mines: MineCount) -> Option<&'static str> {
    match mines {
        MineCount::Read(_) => Some("counter"),
        MineCount::Given(_) => Some("given"),
        MineCount::Assumed(_) => Some("size"),
        MineCount::Unknown => None,
    }
}

fn as_json(reading: &Reading) -> Value {
    let board = &reading.board;
    json!({
        "skin": reading.skin.name,
        "status": reading.status.name(),
        "lattice": lattice_as_json(&reading.lattice),
        "mines": board.mines.likely(),
        "mines_from": mines_from(board.mines),
        "first_click": board.first_click,
        "rows": text::rows(board).collect::<Vec<_>>(),
        "unclear": unclear(board),
    })
}
