//! A recorded game as a replay of the mouse: where the mines were, and what was clicked when.
//!
//! A recording does not know where the mines are, and neither did the player; a finished game shows it. The clicks are then
//! made again on that board, and have to open what the last picture shows.

use std::path::Path;

use serde_json::Value;

use super::{Case, ReplayError};
use crate::board::{Board, Cell, Pos, Status};
use crate::file;
use crate::lab::formats::{Event, LaidBoard, Mouse, Replay};
use crate::lab::record::{self, DECISIONS};
use crate::play::Action;

/// Pixels to a cell, as in the form that replays were first kept in.
const CELL: u16 = 16;

/// The game with this number, from 1, of the recording in `folder`; without a number the only one.
///
/// # Errors
/// When there is no such game, it did not end, or its last picture does not show where its mines were.
pub fn clicked(folder: &Path, number: Option<usize>) -> Result<Replay, ReplayError> {
    let path = folder.join(DECISIONS);
    let text = file::read_text(&path, file::COLLECTION)
        .map_err(|source| ReplayError::Unreadable { path: path.clone(), source })?;
    let mut games: Vec<Game> = Vec::new();
    for (line, entry) in (1..).zip(text.lines()) {
        let broken = |why: String| ReplayError::Recording { path: path.clone(), line, why };
        let entry: Value =
            serde_json::from_str(entry).map_err(|error| broken(error.to_string()))?;
        if entry.get("game").is_some() {
            games.push(Game::default());
        } else if let Some(game) = games.last_mut() {
            game.note(&entry).map_err(|why| broken(why.to_owned()))?;
        }
    }
    let count = games.len();
    if number.is_none() && count > 1 {
        return Err(ReplayError::SeveralGames { folder: folder.to_owned(), games: count });
    }
    let game = number.unwrap_or(1).checked_sub(1).and_then(|index| games.get(index));
    game.ok_or(ReplayError::NoGame { folder: folder.to_owned(), games: count })?.replay(folder)
}

/// What a recording says of a game.
#[derive(Default)]
struct Game {
    /// The frames that were looked at.
    frames: Vec<u64>,
    /// The boards that were decided on.
    boards: Vec<Board>,
    clicks: Vec<Click>,
}

/// A click, and how many seconds after the beginning of the game it was sent.
#[derive(Clone, Copy)]
struct Click {
    seconds: f64,
    pos: Pos,
    action: Action,
}

impl Game {
    fn note(&mut self, entry: &Value) -> Result<(), &'static str> {
        if let Some(frame) = entry.get("frame") {
            self.frames.push(frame.as_u64().ok_or("there is no number of the frame")?);
        } else if let Some(decision) = entry.get("decision") {
            let board = decision["board"].as_str().and_then(|board| board.parse().ok());
            self.boards.push(board.ok_or("there is no board")?);
        } else if let Some(clicks) = entry.get("clicks") {
            let seconds = clicks["seconds"].as_f64();
            let seconds =
                seconds.ok_or("its clicks have no times: an older version recorded it")?;
            let steps = clicks["steps"].as_array().ok_or("there are no steps")?;
            for step in steps {
                let side =
                    |side: &str| step[side].as_u64().and_then(|side| u16::try_from(side).ok());
                let actions = [Action::Open, Action::Flag, Action::Unflag, Action::Chord];
                let is_meant = |action: &Action| step["action"] == action.to_string().as_str();
                let action = actions.into_iter().find(is_meant);
                let (Some(col), Some(row), Some(action)) = (side("col"), side("row"), action)
                else {
                    return Err("a step says no cell or action");
                };
                let click = Click { seconds, pos: Pos::new(col, row), action };
                if clicks["again"] == true {
                    // The one before was lost.
                    let same = |one: &Click| one.pos == click.pos && one.action == action;
                    if let Some(lost) = self.clicks.iter().rposition(same) {
                        self.clicks.remove(lost);
                    }
                }
                self.clicks.push(click);
            }
        }
        Ok(())
    }

    fn replay(&self, folder: &Path) -> Result<Replay, ReplayError> {
        let end = self.end(folder)?;
        let unknown = |source| ReplayError::Layout { folder: folder.to_owned(), source };
        let board = LaidBoard::of_finished(&end).map_err(unknown)?;
        let mut game = board.field().map_err(|error| unknown(error.into()))?;
        let mut started = None;
        let mut events = Vec::new();
        for &Click { seconds, pos, action } in &self.clicks {
            if !end.contains(pos) {
                return Err(ReplayError::Clicks { folder: folder.to_owned() });
            }
            match action {
                Action::Open => game.open(pos),
                Action::Flag | Action::Unflag => game.mark(pos),
                Action::Chord => game.chord(pos),
            };
            // The game's own clock begins to run when the first cell is opened.
            let started = *started.get_or_insert(seconds);
            let ms = (1e3 * (seconds - started)).round() as i64;
            let buttons = match action {
                Action::Open => [Mouse::LeftPress, Mouse::LeftRelease],
                Action::Flag | Action::Unflag => [Mouse::RightPress, Mouse::RightRelease],
                Action::Chord => [Mouse::MiddlePress, Mouse::MiddleRelease],
            };
            let middle = |cell: u16| i32::from(cell) * i32::from(CELL) + i32::from(CELL / 2);
            let (x, y) = (middle(pos.col), middle(pos.row));
            events.extend(buttons.map(|mouse| Event { ms, mouse, x, y }));
        }
        let same = |(made, shown): (&Cell, &Cell)| made.number() == shown.number();
        let is_same = game.view().cells().iter().zip(end.cells()).all(same);
        if !is_same || !game.status().is_over() {
            return Err(ReplayError::Clicks { folder: folder.to_owned() });
        }
        let program = concat!("Minescraper ", env!("CARGO_PKG_VERSION")).to_owned();
        Ok(Replay::new(board, program, CELL, Some(game.status() == Status::Won), events))
    }

    /// What its last picture shows; what a message hides there is as it was before.
    fn end(&self, folder: &Path) -> Result<Board, ReplayError> {
        let mut seen = self.boards.clone();
        if let Some(&frame) = self.frames.last() {
            seen.push(Case::open(&folder.join(record::picture_name(frame)))?.board);
        }
        let nothing = || ReplayError::Clicks { folder: folder.to_owned() };
        let mut end = seen.pop().ok_or_else(nothing)?;
        let cells = end.cells().len();
        for known in seen.iter().filter(|known| known.cells().len() == cells) {
            for pos in end.positions() {
                if end[pos] == Cell::Unclear && known[pos].number().is_some() {
                    end[pos] = known[pos];
                }
            }
        }
        end.mines = seen.first().map_or(end.mines, |first| first.mines);
        Ok(end)
    }
}
