//! `advise`: what to do on the board in the open window, in a screenshot or in a text.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use image::{ImageFormat, RgbImage};
use serde_json::{Value, json};

use minescraper::board::{Board, Cell, MineCount, Pos, Status};
use minescraper::capture::{Frame, decode_picture};
use minescraper::lab::virtual_desktop;
use minescraper::recognize::{Lattice, Reader};
use minescraper::solver::odds::{OddsKind, Position, Workspace};
use minescraper::solver::{self, Advice, Budget, Reason};
use minescraper::{file, play};

use super::output::say;
use super::{desktop, overlay, session, skins};

/// The options of `advise`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A screenshot, a board as text, or - for a board from standard input [default: the open window]
    #[arg(value_name = "IMAGE|BOARD.txt|-")]
    board: Option<PathBuf>,
    /// The window to look at, by its title, application or id [default: the one with a board in it]
    #[arg(long, value_name = "TITLE", conflicts_with = "board")]
    window: Option<String>,
    /// How many mines the board has, where neither the picture nor the text says it
    #[arg(long, value_name = "N")]
    mines: Option<u32>,
    /// The strategy that decides
    #[arg(long, value_name = "NAME", value_parser = session::strategy, default_value = session::strongest())]
    strategy: String,
    /// Where all chance comes from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Save a picture of the board as PNG, with safe cells green, mines red, the guess blue, and the other
    /// cells the redder the likelier a mine
    #[arg(long, value_name = "OUT.png")]
    overlay: Option<PathBuf>,
    /// Print the advice as JSON
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
    let mut seen = match &args.board {
        Some(path) => look_at(path)?,
        None => look_at_desktop(args.window.as_deref())?,
    };
    if let Some(mines) = args.mines {
        seen.board.mines = MineCount::Given(mines);
    }
    let mut strategy = solver::by_name(&args.strategy)?;
    strategy.new_game(args.seed);
    let mut budget = Budget::nodes(play::Options::default().nodes);
    let mut advice = strategy.advise(&seen.board, &mut budget)?;
    if advice.odds.is_none() {
        // Where something is proven, or the method knows none, the odds are still worth knowing.
        let mut budget = Budget::nodes(play::Options::default().nodes);
        let position = Position::of(&seen.board, &mut Workspace::default(), &mut budget)?;
        advice.odds = Some(position.odds(&seen.board));
    }
    let moves = moves(&seen.board, &advice);
    if args.json {
        say!("{}", as_json(&seen.board, &advice, &moves));
    } else {
        print(&advice, &moves);
    }
    match &args.overlay {
        Some(out) => save_overlay(out, seen, &advice).with_context(|| out.display().to_string()),
        None => Ok(()),
    }
}

fn look_at(path: &Path) -> anyhow::Result<Seen> {
    let named = || path.display().to_string();
    let text = if path == Path::new("-") {
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
    Ok(Seen { board: text.parse().with_context(named)?, picture: None })
}

fn look_at_desktop(window: Option<&str>) -> anyhow::Result<Seen> {
    let skins = skins::all();
    let reader = Reader::new(skins.clone());
    let mut screen = desktop::open_to_read(window, &skins, &reader)?;
    read(&desktop::look(screen.as_mut())?, &reader)
}

/// Reads the largest board in a picture.
fn read(frame: &Frame, reader: &Reader) -> anyhow::Result<Seen> {
    let reading = reader.find(frame)?.into_iter().next().context("no board found")?;
    match reading.status {
        Status::Won | Status::Lost => bail!("the game is over: it is {}", reading.status),
        Status::Hidden => bail!("something hides the board: most of its cells cannot be read"),
        Status::Fresh | Status::Playing => {}
    }
    let lattice = reading.lattice.moved(-frame.origin.x, -frame.origin.y);
    Ok(Seen { board: reading.board, picture: Some((frame.pixels.clone(), lattice)) })
}

/// Something to do that is certain or chosen, and why.
#[derive(Clone, Copy)]
struct Move {
    pos: Pos,
    action: &'static str,
    reason: Reason,
}

/// All that is certain: safe cells to open, mines to flag that have no flag yet.
fn moves(board: &Board, advice: &Advice) -> Vec<Move> {
    let open = advice.safe.iter().map(|proof| ("open", proof));
    let unflagged = advice.mined.iter().filter(|proof| board[proof.pos] != Cell::Flagged);
    let flag = unflagged.map(|proof| ("flag", proof));
    let certain = open.chain(flag);
    certain.map(|(action, proof)| Move { pos: proof.pos, action, reason: proof.reason }).collect()
}

/// The move to make: a safe cell, else the guess, else a flag.
fn best(advice: &Advice, moves: &[Move]) -> Option<Move> {
    let guess = advice.guess.as_ref();
    let guess = guess.map(|guess| Move { pos: guess.pos, action: "open", reason: guess.reason });
    guess.or_else(|| moves.first().copied())
}

fn print(advice: &Advice, moves: &[Move]) {
    for Move { pos, action, reason } in moves {
        say!("{action} {pos}: {reason}");
    }
    if let Some(guess) = advice.guess {
        say!("open {}: {guess}", guess.pos);
    }
    if advice.guess.is_none() && moves.is_empty() {
        say!("nothing is left to open or to flag");
    }
}

fn as_json(board: &Board, advice: &Advice, moves: &[Move]) -> Value {
    let told =
        |step: &Move| json!({ "col": step.pos.col, "row": step.pos.row, "action": step.action });
    let best = best(advice, moves);
    let odds = advice.odds.as_ref();
    json!({
        "move": best.as_ref().map(told),
        "moves": moves.iter().map(told).collect::<Vec<_>>(),
        "certain": advice.guess.is_none(),
        "reason": best.map(|best| best.reason.to_string()),
        "risk": advice.risk(),
        "win_chance": advice.win_chance,
        "odds": odds.map(|odds| {
            odds.cells.chunks(usize::from(board.cols())).map(<[_]>::to_vec).collect::<Vec<_>>()
        }),
        "odds_kind": odds.map(|odds| match odds.kind {
            OddsKind::Exact => "exact",
            OddsKind::Sampled => "sampled",
        }),
    })
}

/// A text has no picture: one is painted for it.
fn save_overlay(out: &Path, seen: Seen, advice: &Advice) -> anyhow::Result<()> {
    let (mut picture, lattice) = match seen.picture {
        Some(picture) => picture,
        None => {
            let skin = skins::first()?;
            let largest = virtual_desktop::largest_cell(seen.board.cols(), seen.board.rows());
            let cell = skins::own_size(&skin).min(largest);
            virtual_desktop::picture(skin, &seen.board, cell)
        }
    };
    overlay::paint(&mut picture, &lattice, &seen.board, advice);
    picture.save_with_format(out, ImageFormat::Png)?;
    Ok(())
}
