//! A recorded game as a replay of the mouse: where the mines were, and what was clicked when.
//!
//! A recording does not know where the mines are, and neither did the player; a finished game shows it. The clicks are then
//! made again on that board, and have to open what the last picture shows.

use std::path::Path;

use super::{RecordedClick, RecordedGame, Recording, ReplayError};
use crate::board::{Board, Cell, Status};
use crate::lab::formats::{Event, LaidBoard, Mouse, Replay};
use crate::play::Action;

/// Pixels to a cell, as in the form that replays were first kept in.
const CELL: u16 = 16;

impl Recording {
    /// A game of this recording, which is in `folder`, as a replay.
    ///
    /// # Errors
    /// When it did not end, its last picture does not show where its mines were, or it was recorded without times.
    pub fn clicked(&self, folder: &Path, game: &RecordedGame) -> Result<Replay, ReplayError> {
        let end = self.end(game);
        let wrong = || ReplayError::Clicks { folder: folder.to_owned() };
        let end = end.ok_or_else(wrong)?;
        let unknown = |source| ReplayError::Layout { folder: folder.to_owned(), source };
        let board = LaidBoard::of_finished(&end).map_err(unknown)?;
        let mut field = board.field().map_err(|error| unknown(error.into()))?;
        let mut started = None;
        let mut events = Vec::new();
        for &RecordedClick { seconds, pos, action } in &game.clicks {
            if !end.contains(pos) {
                return Err(wrong());
            }
            let seconds =
                seconds.ok_or_else(|| ReplayError::NoTimes { folder: folder.to_owned() })?;
            match action {
                Action::Open => field.open(pos),
                Action::Flag | Action::Unflag => field.mark(pos),
                Action::Chord => field.chord(pos),
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
        let is_same = field.view().cells().iter().zip(end.cells()).all(same);
        if !is_same || !field.status().is_over() {
            return Err(wrong());
        }
        let program = concat!("Minescraper ", env!("CARGO_PKG_VERSION")).to_owned();
        Ok(Replay::new(board, program, CELL, Some(field.status() == Status::Won), events))
    }

    /// What the last picture of a game shows; what a message hides there is as it was before.
    fn end(&self, game: &RecordedGame) -> Option<Board> {
        let boards = game.steps.iter().map(|step| &step.board);
        let mut seen: Vec<&Board> = boards.collect();
        seen.extend(self.cases[game.frames.clone()].last().map(|case| &case.board));
        let mut end = seen.pop()?.clone();
        let cells = end.cells().len();
        for known in seen.iter().filter(|known| known.cells().len() == cells) {
            for pos in end.positions() {
                if end[pos] == Cell::Unclear && known[pos].number().is_some() {
                    end[pos] = known[pos];
                }
            }
        }
        end.mines = seen.first().map_or(end.mines, |first| first.mines);
        Some(end)
    }
}
