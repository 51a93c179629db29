//! From one game to the next.

use std::time::Duration;

use super::Session;
use crate::board::{Board, Cell, Status};
use crate::play::PlayError;
use crate::play::guard::{Hindrance, Pressed};
use crate::play::patience::{GETS_KEYBOARD_WITHIN, HOLD_LONGER, Patience};
use crate::play::unknown_numbers::UnknownNumbers;
use crate::recognize::skin::{Control, EndMessage};

/// How often the control is pressed at most: by somebody whose clicks the game has answered, and by somebody who does not
/// know yet whether it answers anything.
const PRESSES: u32 = 3;
const PRESSES_UNANSWERED: u32 = 2;
/// How long the last game must still show, and stand still, after the control was pressed before it is pressed again.
const PRESS_AGAIN: Duration = Duration::from_millis(1500);
/// How long to wait after a game that was the same as the one before: WineMine lays the same mines in all games that
/// begin within a second, and would be lost in the same way again and again.
const ANOTHER: Duration = Duration::from_secs(1);
/// How long a message may take to go away. Chosen.
const MESSAGE_CLOSES_WITHIN: Duration = Duration::from_millis(300);
/// How long the picture must stand still before a new game is played: the message over the last one may fade away step
/// by step, and while it can hardly be seen it still swallows clicks. (KMines has 40 ms between two steps.)
const NEW_GAME_STANDS_STILL: Duration = Duration::from_millis(60);
/// A picture that never stands still is not waited for any longer.
const FADED: Duration = Duration::from_secs(1);

impl Session<'_> {
    /// Starts the next game through the control that the skin names, and waits until it shows.
    pub(super) fn new_game(&mut self) -> Result<(), PlayError> {
        let Some(control) = self.behaviour().new_game else {
            let skin = self.perception.reading().skin.name.clone();
            return Err(PlayError::NoNewGame { skin });
        };
        let last = self.perception.reading().board.clone();
        let mut rest = Patience::of(Duration::ZERO);
        if self.ended.replace(last.clone()).is_some_and(|before| before == last) {
            log::info!("the same game came again: waiting for another one");
            rest = Patience::of(ANOTHER);
        }
        let mut patience = Patience::of(self.options.deadlines.new_game);
        let mut fades = Patience::of(FADED);
        let mut has_message = self.behaviour().end_message == Some(EndMessage::Escape);
        let mut hold = Duration::from_millis(self.behaviour().hold_ms);
        let (mut times, mut asked, mut looked_around) = (0, None, false);
        // Since when the board has shown nothing new, and what it showed then.
        let (mut quiet, mut shown) = (Duration::ZERO, last.clone());
        let most = match (control, self.answered) {
            (Control::Wait, _) => u32::MAX,
            (_, true) => PRESSES,
            (_, false) => PRESSES_UNANSWERED,
        };
        while !patience.is_over() {
            self.perception.seek_next()?;
            self.attend()?;
            self.aim();
            // The board may be there, with something in front of it.
            let unclear = self.perception.unclear();
            if !unclear.is_empty() {
                self.wait_until_uncovered(&unclear)?;
            }
            let stays = times > 0 && quiet >= PRESS_AGAIN;
            if stays {
                // The new game may have other colours than the last one.
                self.perception.look_closer()?;
                if !self.is_new(&last) && !std::mem::replace(&mut looked_around, true) {
                    // It may be elsewhere, and so may the control: a page makes room for what it says of a game.
                    self.perception.is_still_here()?;
                }
            }
            if self.is_new(&last) && self.stands_still(&mut fades)? {
                self.aim();
                self.perception.forget();
                self.unknown_numbers = UnknownNumbers::default();
                self.answered = true;
                return Ok(());
            }
            // That it still shows a game that is over, and has stood still, tells that the press was lost.
            let is_message = stays && self.is_message();
            let is_lost = stays && self.perception.reading().status.is_over() || is_message;
            if is_lost && times == most {
                break;
            }
            // The message may have come later than the key that closes it.
            has_message |= is_message && self.behaviour().end_message == Some(EndMessage::Escape);
            if (times == 0 && rest.is_over()) || is_lost {
                self.keep_pace()?;
                if has_message {
                    let (lattice, area) = (self.perception.lattice(), self.perception.area());
                    match self.guard.leave_menu(lattice, area)? {
                        Pressed::Yes => (has_message, quiet) = (false, Duration::ZERO),
                        Pressed::No(_) => self.guard.activate()?,
                    }
                    self.pause(MESSAGE_CLOSES_WITHIN)?;
                    patience.spend(MESSAGE_CLOSES_WITHIN);
                    continue;
                }
                if let Some(Control::Click(spot)) = self.behaviour().new_game {
                    self.move_as_person(self.perception.lattice().spot(spot))?;
                }
                let (lattice, area) = (self.perception.lattice(), self.perception.area());
                let ways = &self.perception.reading().skin.game;
                let open = self.perception.open_cell();
                match self.guard.new_game(ways, lattice, area, hold, open)? {
                    Pressed::Yes => {
                        self.perception.has_pressed();
                        // A browser opens windows that are none of the game's.
                        self.perception.expect_window(self.guard.may_close_dialogs());
                        times += 1;
                        looked_around = false;
                        hold += HOLD_LONGER;
                        quiet = Duration::ZERO;
                        self.park()?;
                    }
                    Pressed::No(Hindrance::Keyboard(by)) => match &mut asked {
                        None => {
                            self.guard.activate()?;
                            asked = Some(Patience::of(GETS_KEYBOARD_WITHIN));
                        }
                        Some(patience) if patience.is_over() => {
                            return Err(PlayError::NoKeyboard { by });
                        }
                        Some(_) => {}
                    },
                    Pressed::No(Hindrance::Covered(by))
                        if quiet >= self.options.deadlines.cover =>
                    {
                        return Err(PlayError::Covered { by });
                    }
                    Pressed::No(_) => {}
                }
            }
            let (_, spent) = self.wait(&mut patience)?;
            quiet += spent;
            rest.spend(spent);
            if let Some(asked) = &mut asked {
                asked.spend(spent);
            }
            if self.perception.reading().board != shown {
                (quiet, shown) = (Duration::ZERO, self.perception.reading().board.clone());
            }
        }
        match times {
            // Nothing but that leaves a control unpressed for so long.
            0 => Err(PlayError::KeepsMoving),
            _ => Err(PlayError::NewGameDoesNotShow { control: control.to_string(), times }),
        }
    }

    /// Aims at the window that the board was found in, if that is another one now.
    fn aim(&mut self) {
        if let Some(window) = self.perception.turned_to() {
            log::info!("the next game is in another window: going on there");
            self.guard.aim_at(window);
        }
    }

    /// Whether the picture now stands still, or has changed for as long as it may.
    fn stands_still(&mut self, fades: &mut Patience) -> Result<bool, PlayError> {
        let mut patience = Patience::of(NEW_GAME_STANDS_STILL);
        while !patience.is_over() {
            let (changed, spent) = self.wait(&mut patience)?;
            fades.spend(spent);
            if changed {
                return Ok(fades.is_over());
            }
        }
        Ok(true)
    }

    /// Whether the board shows a game that is not `last`, ready to play.
    fn is_new(&self, last: &Board) -> bool {
        let reading = self.perception.reading();
        let board = &reading.board;
        if reading.status.is_over() || reading.status == Status::Hidden {
            return false;
        }
        let game = &reading.skin.game;
        let is_finished = |cell: Cell| cell.is_end() || cell == Cell::Flagged;
        if game.new_game == Some(Control::Board) {
            // The click may have opened much of it.
            let is_anew =
                |(pos, cell): (_, Cell)| cell != Cell::Covered && board[pos] == Cell::Covered;
            return board.count(is_finished) == 0 && last.iter().any(is_anew);
        }
        if !game.starts_open {
            return board.count(|cell| cell != Cell::Covered) == 0;
        }
        // Some of it is open already, but less than at the end of the last game, and not all of what
        // was open then.
        let was_open = |(pos, cell): (_, Cell)| cell.number().is_none() || board[pos] == cell;
        board.count(|cell| is_finished(cell) || cell == Cell::Unclear) == 0
            && !last.iter().all(was_open)
    }
}
