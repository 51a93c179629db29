//! One game: look, think, click, until it is won or lost.

use std::time::Duration;

use super::Session;
use crate::board::{Board, Cell, Status};
use crate::play::history::Cause;
use crate::play::patience::{Patience, SLICE};
use crate::play::plan::{Plan, flag_the_rest, plan};
use crate::play::{Outcome, PlayError};
use crate::solver::{Advice, Budget, SolveError};

/// How long something unclear is waited for before the pointer goes over it.
const NUDGE_AFTER: Duration = Duration::from_secs(5);

/// How long something unclear is waited for in a game of which not all numbers are known: it will not clear up then. Chosen.
const UNREAD_STANDS_STILL: Duration = Duration::from_secs(1);

/// How long a message of a game that is over must be over its board. Chosen.
const MESSAGE_STAYS: Duration = Duration::from_secs(1);

/// How long a loss that no guess explains must look the same to be reported.
const LOSS_STAYS: Duration = Duration::from_millis(300);

/// What a turn came to.
enum Turn {
    /// The game goes on.
    On,
    /// It ended.
    Over(Outcome),
    /// It was only to be said what would be clicked.
    Said,
}

impl Session<'_> {
    /// Plays the game to its end; `None` in a dry run.
    pub(super) fn game(&mut self) -> Result<Option<Outcome>, PlayError> {
        // Every turn opens or marks at least one cell, and marks go round at most once for each cell.
        let board = &self.perception.reading().board;
        let most = 8 * usize::from(board.cols()) * usize::from(board.rows()) + 100;
        for _ in 0..most {
            match self.turn()? {
                Turn::On => {}
                Turn::Over(outcome) => return Ok(Some(outcome)),
                Turn::Said => return Ok(None),
            }
        }
        let at = self.perception.board();
        let at = at.iter().filter(|(_, cell)| cell.is_unopened());
        let at = at.map(|(pos, _)| pos).collect();
        let times = most as u32;
        Err(PlayError::ClicksDoNotShow { at, times })
    }

    fn turn(&mut self) -> Result<Turn, PlayError> {
        self.perception.look()?;
        if self.is_message() {
            let is_over = self.stays_the_same(MESSAGE_STAYS)? && self.is_message();
            return Ok(if is_over { Turn::Over(self.history.unseen_end()) } else { Turn::On });
        }
        if let Some(outcome) = self.check()? {
            return Ok(Turn::Over(outcome));
        }
        self.show_watcher();
        let board = self.perception.board();
        let is_won = self.perception.reading().status == Status::Won
            || self.history.has_come_to_rest()
            || only_mines_left(&board);
        let waits_for_flags = is_won
            && self.behaviour().won_only_with_flags
            && board.count(|cell| matches!(cell, Cell::Covered | Cell::Questioned)) > 0;
        match self.perception.reading().status {
            Status::Lost => return self.shows_mines(),
            Status::Won if !waits_for_flags => return Ok(Turn::Over(Outcome::Won)),
            Status::Hidden => return self.wait_until_clear(PlayError::BoardHidden),
            Status::Won | Status::Fresh | Status::Playing => {}
        }
        if waits_for_flags {
            return self.last_flags(&board);
        }
        if is_won {
            // The last cell may only be pressed.
            return Ok(if self.is_settled()? { Turn::Over(Outcome::Won) } else { Turn::On });
        }
        let advice = match self.think(&board) {
            Ok(advice) => advice,
            Err(SolveError::NothingToChoose) => return self.last_flags(&board),
            // A board that cannot be may be one that is half painted.
            Err(error) => return self.wait_until_clear(error.into()),
        };
        // Of a fresh board nothing can be proven, however long one waits.
        let guess = advice.guess.filter(|_| advice.safe.is_empty());
        self.history.risks(guess.map(|guess| guess.pos));
        let is_guess = advice.guess.is_some() && self.perception.reading().status != Status::Fresh;
        match plan(&board, &advice, self.manner()) {
            Plan::Batch(_) if is_guess && !self.is_settled()? => Ok(Turn::On),
            Plan::Batch(steps) if self.options.dry_run => {
                self.watcher.clicking(&steps, false);
                Ok(Turn::Said)
            }
            Plan::Batch(_) if is_guess && self.waits_for_leave(&board, &advice) => Ok(Turn::On),
            Plan::Batch(steps) => self.click_batch(steps).map(|()| Turn::On),
            Plan::LookAgain(_) if self.plays_around()? => Ok(Turn::On),
            Plan::LookAgain(at) => {
                let skin = self.perception.reading().skin.name.clone();
                self.wait_until_clear(PlayError::Unclear { at, skin })
            }
            Plan::Done => self.last_flags(&board),
        }
    }

    /// Whether somebody wanted to be asked before this guess, once for each board. The mouse was theirs until they answered.
    fn waits_for_leave(&mut self, board: &Board, advice: &Advice) -> bool {
        if self.asked.as_ref() == Some(board) || !self.watcher.guessing(board, advice) {
            return false;
        }
        self.asked = Some(board.clone());
        self.guard.give_up_pointer();
        true
    }

    /// Mines are shown: one went off, or the game is won. What is not the fault of a guess is only believed of a picture that stands
    /// still: the game may be painting its end.
    fn shows_mines(&mut self) -> Result<Turn, PlayError> {
        let cause = self.history.cause(&self.perception.board());
        let is_odd = matches!(cause, Cause::Proven(_) | Cause::Foreign(_));
        // What came up at the end of a game may have moved its board.
        if self.history.is_any() && is_odd && self.has_followed()? {
            return Ok(Turn::On);
        }
        if self.perception.seems_another_game() {
            // Clicks that were on their way opened cells of it, one of them a mine.
            log::warn!("somebody began a new game, which was lost by clicks for the one before");
            return Ok(Turn::Over(Outcome::Lost));
        }
        let trouble = match cause {
            Cause::Won => return Ok(Turn::Over(Outcome::Won)),
            Cause::Guess => return Ok(Turn::Over(Outcome::Lost)),
            // A game of somebody else that was open.
            _ if !self.history.is_any() => return Ok(Turn::Over(Outcome::Lost)),
            Cause::Proven(at) => PlayError::ProvenMine { at },
            Cause::Foreign(_) if self.perception.has_moved_since_press() => {
                log::warn!("the window moved while a click was on its way, which opened a mine");
                return Ok(Turn::Over(Outcome::Lost));
            }
            Cause::Foreign(at) => PlayError::ForeignMine { at },
        };
        if self.stays_the_same(LOSS_STAYS)? { Err(trouble) } else { Ok(Turn::On) }
    }

    /// Looks for the board in all of its window. Returns whether it is elsewhere than it was taken to be; then it was followed.
    fn has_followed(&mut self) -> Result<bool, PlayError> {
        let place = self.perception.lattice().clone();
        self.perception.is_still_here()?;
        Ok(*self.perception.lattice() != place)
    }

    /// Asks the strategy. The signal to stop cuts its thinking short, and what comes of that is never
    /// clicked: the guard asks for the signal before the first click.
    fn think(&mut self, board: &Board) -> Result<Advice, SolveError> {
        let mut budget = Budget::nodes(self.options.nodes).with_stop(self.stop.clone());
        if let Some(alarm) = &self.alarm {
            budget = budget.with_stop(alarm.set());
        }
        let advice = self.strategy.advise(board, &mut budget);
        if let Some(alarm) = &self.alarm {
            alarm.unset();
        }
        let advice = advice?;
        self.watcher.advised(board, &advice, budget.spent());
        Ok(advice)
    }

    /// Nothing but mines is left: that is a win, or will be when they are all flagged.
    fn last_flags(&mut self, board: &Board) -> Result<Turn, PlayError> {
        let steps = flag_the_rest(board);
        if !self.behaviour().won_only_with_flags || steps.is_empty() {
            return Ok(Turn::Over(Outcome::Won));
        }
        if self.options.dry_run {
            self.watcher.clicking(&steps, false);
            return Ok(Turn::Said);
        }
        self.click_batch(steps).map(|()| Turn::On)
    }

    /// Waits for the board to read differently; `or` when it never does. Now and then the pointer goes over
    /// what is unclear and back: a message that missed how it left stays until it leaves again.
    fn wait_until_clear(&mut self, or: PlayError) -> Result<Turn, PlayError> {
        let mut patience = Patience::of(match self.may_learn() {
            true => UNREAD_STANDS_STILL,
            false => self.options.deadlines.clear,
        });
        let before = (self.perception.board(), self.perception.reading().status);
        let (mut since_nudge, mut looked_around) = (Duration::ZERO, false);
        while !patience.is_over() {
            let (changed, spent) = self.wait(&mut patience)?;
            if !changed {
                self.perception.look_closer()?;
                if !std::mem::replace(&mut looked_around, true) && self.has_followed()? {
                    return Ok(Turn::On);
                }
            }
            self.attend()?;
            let board = self.perception.board();
            since_nudge += spent;
            let unclear = self.perception.unclear();
            if (&board, self.perception.reading().status) != (&before.0, before.1) {
                return Ok(Turn::On);
            }
            self.wait_until_uncovered(&unclear)?;
            let is_due = since_nudge >= NUDGE_AFTER && !self.options.dry_run;
            if let Some(&pos) = unclear.first().filter(|_| is_due) {
                self.guard.hover(self.perception.lattice(), self.perception.area(), pos)?;
                self.pause(SLICE)?;
                self.park()?;
                since_nudge = Duration::ZERO;
            }
        }
        Err(or)
    }

    /// Whether the board is covered or dimmed, in a game that lays a message over it when it is over.
    pub(super) fn is_message(&self) -> bool {
        // Cheapest first: it is asked for after every look.
        let is_read = || {
            let is_over = self.perception.reading().status.is_over();
            is_over && self.perception.contradiction().is_none()
        };
        self.behaviour().end_message.is_some()
            && self.history.has_clicked()
            && !is_read()
            && (self.perception.is_covered(|pos| self.history.has_opened(pos))
                || self.perception.is_dimmed())
    }
}

/// Whether every cell without a mine is open, by a count that is certain. What is unclear then can only be
/// a mine: some games put a message over the board when they are won.
fn only_mines_left(board: &Board) -> bool {
    let cells = usize::from(board.cols()) * usize::from(board.rows());
    let open = board.count(|cell| cell.number().is_some() || cell == Cell::Opened);
    board.mines.known().is_some_and(|mines| mines as usize + open == cells)
}
