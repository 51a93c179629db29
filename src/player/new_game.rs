//! From one game to the next.

use std::time::Duration;

use super::PlayError;
use super::patience::Patience;
use super::rare::Rare;
use super::table::Table;
use crate::board::{Board, Cell, Status};
use crate::recognize::skin::Control;

/// How long after the control was pressed a new game is given before it is pressed again.
const PRESS_AGAIN: Duration = Duration::from_millis(1500);
/// By how much longer it is held with each time that it is pressed again.
const HOLD_LONGER: Duration = Duration::from_millis(30);
/// How long to wait after a game that was the same as the one before: WineMine lays the same mines in all games that
/// begin within a second, and would be lost in the same way again and again.
const ANOTHER: Duration = Duration::from_secs(1);
/// How long the picture must stand still before a new game is played: the message over the last one may fade away step
/// by step, and while it can hardly be seen it still swallows clicks. (KMines has 40 ms between two steps.)
const STILL: Duration = Duration::from_millis(60);
/// A picture that never stands still is not waited for any longer.
const FADED: Duration = Duration::from_secs(1);

impl Table<'_> {
    /// Starts the next game through the control that the skin names, and waits until it shows.
    pub(super) fn new_game(&mut self) -> Result<(), PlayError> {
        let Some(control) = self.ways().new_game else {
            let skin = self.eyes.reading().skin.name.clone();
            return Err(PlayError::NoNewGame { skin });
        };
        let last = self.eyes.reading().board.clone();
        if self.ended.replace(last.clone()).is_some_and(|before| before == last) {
            log::info!("the same game came again: waiting for another one");
            self.eyes.pause(ANOTHER)?;
        }
        let mut patience = Patience::of(self.options.deadlines.new_game);
        let (mut since_press, mut hold) = (None, Duration::ZERO);
        let mut fades = Patience::of(FADED);
        while !patience.is_over() {
            self.attend()?;
            let press_again = since_press.is_some_and(|since| since >= PRESS_AGAIN);
            if press_again {
                // The new game may have other colours than the last one.
                self.eyes.look_closer()?;
            }
            if self.is_new(&last) && self.stands_still(&mut fades)? {
                self.eyes.forget();
                self.rare = Rare::default();
                return Ok(());
            }
            if since_press.is_none() || press_again {
                let (lattice, area) = (self.eyes.lattice(), self.eyes.area());
                let ways = &self.eyes.reading().skin.game;
                self.guard.new_game(ways, lattice, area, hold)?;
                hold += HOLD_LONGER;
                self.park()?;
                since_press = Some(Duration::ZERO);
            }
            let (_, spent) = self.eyes.wait(&mut patience)?;
            since_press = since_press.map(|since| since + spent);
        }
        let control = match control {
            Control::Key(key) => key.to_string(),
            Control::Click(_) => "the place beside the board".to_owned(),
        };
        Err(PlayError::NewGameDoesNotShow { control })
    }

    /// Whether the picture now stands still, or has changed for as long as it may.
    fn stands_still(&mut self, fades: &mut Patience) -> Result<bool, PlayError> {
        let mut patience = Patience::of(STILL);
        while !patience.is_over() {
            let (changed, spent) = self.eyes.wait(&mut patience)?;
            fades.spend(spent);
            if changed {
                return Ok(fades.is_over());
            }
        }
        Ok(true)
    }

    /// Whether the board shows a game that is not `last`, ready to play.
    fn is_new(&self, last: &Board) -> bool {
        let reading = self.eyes.reading();
        let board = &reading.board;
        if reading.status.is_over() || reading.status == Status::Hidden {
            return false;
        }
        if !reading.skin.game.starts_open {
            return board.count(|cell| cell != Cell::Covered) == 0;
        }
        // Some of it is open already, but less than at the end of the last game, and not all of what
        // was open then.
        let was_open = |(pos, cell): (_, Cell)| cell.number().is_none() || board[pos] == cell;
        board.count(Cell::is_end) == 0
            && board.count(|cell| cell == Cell::Unclear) == 0
            && board.count(|cell| cell == Cell::Flagged) == 0
            && !last.iter().all(was_open)
    }
}
