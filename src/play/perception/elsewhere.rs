//! A window that moved, and a screen that has another size: the board is found where it is now.

use std::time::{Duration, Instant};

use super::{Perception, largest, understand, view};
use crate::board::{Board, Cell, Pos, Status};
use crate::capture::{CaptureError, Standing};
use crate::geometry::Rect;
use crate::play::PlayError;
use crate::play::guard::Guard;
use crate::play::patience::{Patience, SLICE};
use crate::recognize::{ReadError, Reading};

/// A window that has not moved for so long stands still.
const STANDS_STILL: Duration = Duration::from_secs(1);
/// How long a window may keep moving while nothing can be pressed.
const MOVES_FOR: Duration = Duration::from_secs(10);
/// How long the window of the next game may take to come up where that of the last one is gone. Chosen.
const COMES_WITHIN: Duration = Duration::from_millis(800);

/// How long after a change of the screen its windows may still be changed by it.
const TAKES_EFFECT: Duration = Duration::from_secs(5);

/// What has moved or changed its size of late.
#[derive(Debug, Default)]
pub(super) struct Unrest {
    /// Since when the window has kept moving, with nothing pressed meanwhile, and when it last moved.
    moving: Option<(Instant, Instant)>,
    /// The screen, when it was last found to have another size, and when that was.
    resized: Option<(Rect, Instant)>,
    /// How many upheavals there had been when something was last pressed.
    pressed_after: u32,
}

impl Perception<'_> {
    /// The board may be elsewhere, if that is what `error` says: finds it there.
    pub(super) fn find_after(&mut self, error: CaptureError) -> Result<(), PlayError> {
        match error {
            CaptureError::WindowMoved { .. } => self.find_again(None),
            CaptureError::ScreenResized { to } => self.find_again(Some(to)),
            CaptureError::WindowGone { .. } if self.seek_next()? => Ok(()),
            other => Err(other.into()),
        }
    }

    /// The window moved, or the screen has another size: finds the same board where it is now.
    pub(in crate::play) fn find_again(
        &mut self,
        mut resized: Option<Rect>,
    ) -> Result<(), PlayError> {
        self.upheavals += 1;
        if let Some(to) = resized {
            tell_resized(to);
        }
        // The window may be moved or cut off only a while after the screen has changed.
        let since = self.unrest.resized.filter(|(_, when)| when.elapsed() < TAKES_EFFECT);
        resized = resized.or(since.map(|(to, _)| to));
        let (cols, rows) = (self.reading.board.cols(), self.reading.board.rows());
        let (then, mut patience, mut is_last) = (self.area, Patience::of(self.find), false);
        let mut source = None;
        loop {
            self.check_stop()?;
            let start = Instant::now();
            match self.find_since(then, resized) {
                Ok(Ok(())) => {
                    self.reading = understand(self.read.reading(), &self.past);
                    let before = since.filter(|&(to, _)| resized == Some(to));
                    self.unrest.resized = before.or(resized.map(|to| (to, Instant::now())));
                    return self.has_moved();
                }
                Ok(Err(seen)) => source = seen.or(source),
                Err(error) => still_elsewhere(error, &mut resized)?,
            }
            // However long the looking took: a picture that changed meanwhile gets another look.
            patience.spend(start.elapsed());
            if is_last || !self.changes_within(&mut patience, &mut resized)? {
                return Err(PlayError::BoardLost { cols, rows, resized, source });
            }
            is_last = patience.is_over();
        }
    }

    /// Takes note that the window has moved.
    fn has_moved(&mut self) -> Result<(), PlayError> {
        let now = Instant::now();
        let goes_on = self.unrest.moving.filter(|(_, last)| now - *last < STANDS_STILL);
        let (since, _) = *self.unrest.moving.insert((goes_on.map_or(now, |(since, _)| since), now));
        if now - since > MOVES_FOR { Err(PlayError::KeepsMoving) } else { Ok(()) }
    }

    /// Takes note that something was pressed: a window that moves now and then can be played in.
    pub(in crate::play) fn has_pressed(&mut self) {
        self.unrest.moving = None;
        self.unrest.pressed_after = self.upheavals;
    }

    /// Whether the board was found elsewhere since something was pressed: the press may have been on its way meanwhile.
    pub(in crate::play) fn has_moved_since_press(&self) -> bool {
        self.upheavals > self.unrest.pressed_after
    }

    /// Whether the board is where it is known to be, by a look at all of its window. If it has moved within the window, as when
    /// a page is scrolled, it is followed, and what is known of the game stays.
    pub(in crate::play) fn is_still_here(&mut self) -> Result<bool, PlayError> {
        let known = self.read.reading();
        let (cols, rows) = (known.board.cols(), known.board.rows());
        let here = known.lattice.centre(Pos::new(0, 0));
        let found = match self.screen.look(self.area) {
            Ok(frame) => self.reader.find(&frame),
            Err(error) => return self.find_after(error).map(|()| false),
        };
        let Ok(found) = largest(found, |board| (board.cols(), board.rows()) == (cols, rows)) else {
            return Ok(false);
        };
        if found.lattice.pos_at(here) == Some(Pos::new(0, 0)) {
            return Ok(true);
        }
        self.upheavals += 1;
        if let Err(error) = self.follow(found) {
            return self.find_after(error).map(|()| false);
        }
        self.reading = understand(self.read.reading(), &self.past);
        Ok(false)
    }

    /// A new game was asked for, which may come in another window of the program, if it `may`.
    pub(in crate::play) fn expect_window(&mut self, may: bool) {
        self.expects_window = may;
    }

    /// The window that it has [turned to](Self::turn_to_next) since this was last asked.
    pub(in crate::play) fn turned_to(&mut self) -> Option<u32> {
        self.turned_to.take()
    }

    /// Turns to another window of the program that came up since this one was opened and shows a fresh board of as many cells, as where
    /// a program opens a window for each game; only while one is expected, and the board at hand is not in sight. Returns whether
    /// it has.
    fn turn_to_next(&mut self) -> Result<bool, CaptureError> {
        let Reading { board, status, .. } = self.read.reading();
        let is_in_sight =
            |standing: Standing| standing == Standing::There && *status != Status::Hidden;
        if !self.expects_window || is_in_sight(self.screen.standing()?) {
            return Ok(false);
        }
        let size = (board.cols(), board.rows());
        for (window, frame) in self.screen.came_up()? {
            let is_next = |board: &Board| {
                let covered = board.count(|cell| cell == Cell::Covered);
                (board.cols(), board.rows()) == size && covered == board.cells().len()
            };
            let Ok(found) = largest(self.reader.find(&frame), is_next) else { continue };
            self.screen.turn_to(window)?;
            self.area = self.screen.area()?;
            self.upheavals += 1;
            self.follow(found)?;
            self.reading = understand(self.read.reading(), &self.past);
            (self.expects_window, self.turned_to) = (false, Some(window));
            return Ok(true);
        }
        Ok(false)
    }

    /// The same, and waits for a window to turn to where the one at hand is gone.
    pub(in crate::play) fn seek_next(&mut self) -> Result<bool, CaptureError> {
        let mut comes = Patience::of(COMES_WITHIN);
        while self.expects_window {
            if self.turn_to_next()? {
                return Ok(true);
            }
            if comes.is_over() || self.screen.standing()? != Standing::Gone {
                break;
            }
            comes.spend(SLICE);
            Guard::wait_for_window();
        }
        Ok(false)
    }

    /// Finds the board in the window, which was at `then` when the board was read last, and follows it from now on. What
    /// was seen instead, if anything was.
    fn find_since(
        &mut self,
        then: Rect,
        resized: Option<Rect>,
    ) -> Result<Result<(), Option<ReadError>>, CaptureError> {
        if self.turn_to_next()? {
            return Ok(Ok(()));
        }
        let now = self.screen.area()?;
        let known = self.read.reading();
        let (dx, dy) = (now.x - then.x, now.y - then.y);
        let along = known.lattice.moved(dx, dy);
        // A window that the screen cuts off may be brought back; until then there is nothing to find.
        if resized.is_some_and(|screen| !screen.encloses(now)) {
            (self.frame, self.area) = (self.screen.look(now)?, now);
            return Ok(Err(None));
        }
        // One that keeps its size takes its board along.
        if now.is_as_large_as(then) {
            let frame = self.screen.look(view(&along, now))?;
            let moved = self.read.moved(&frame, dx, dy);
            if frame.area().encloses(along.area()) && is_taken_along(known, moved.reading()) {
                (self.area, self.frame, self.read) = (now, frame, moved);
                self.before_end = None;
                self.unread.clear();
                return Ok(Ok(()));
            }
        }
        (self.frame, self.area) = (self.screen.look(now)?, now);
        let size = (known.board.cols(), known.board.rows());
        let found =
            largest(self.reader.find(&self.frame), |board| (board.cols(), board.rows()) == size);
        match found {
            Ok(reading) => self.follow(reading).map(Ok),
            Err(error) => Ok(Err(error)),
        }
    }

    /// Waits until the picture changes, or the window moves on; returns whether it did while there was patience.
    fn changes_within(
        &mut self,
        patience: &mut Patience,
        resized: &mut Option<Rect>,
    ) -> Result<bool, PlayError> {
        loop {
            self.check_stop()?;
            match patience.wait(self.screen, &mut self.frame) {
                Ok((changed, _)) if !changed.is_empty() => return Ok(true),
                Ok(_) if patience.is_over() => return Ok(false),
                Ok(_) => {}
                Err(error) => {
                    patience.spend(SLICE);
                    still_elsewhere(error, resized)?;
                    return Ok(true);
                }
            }
        }
    }
}

/// Whether a window that has moved shows its board where it took it along: as clear as before, or, when a message has come
/// up over cells meanwhile, with most of the numbers that are still in sight. (One that changed stops the player later.)
fn is_taken_along(before: &Reading, now: &Reading) -> bool {
    let unclear = |reading: &Reading| reading.board.count(|cell| cell == Cell::Unclear);
    let (mut same, mut other) = (0, 0);
    for (pos, cell) in before.board.iter() {
        if let (Some(before), Some(now)) = (cell.number(), now.board[pos].number()) {
            same += usize::from(before == now);
            other += usize::from(before != now);
        }
    }
    unclear(now) <= unclear(before) || other < same
}

/// Takes note that the window is still on its way, or the screen changes its size, if that is what `error` says.
fn still_elsewhere(error: CaptureError, resized: &mut Option<Rect>) -> Result<(), PlayError> {
    match error {
        CaptureError::WindowMoved { .. } => {}
        CaptureError::ScreenResized { to } => {
            tell_resized(to);
            *resized = Some(to);
        }
        other => return Err(other.into()),
    }
    Ok(())
}

/// Says at once that the screen has another size, before the board is looked for.
fn tell_resized(to: Rect) {
    log::warn!("the screen is {to} now; looking for the board");
}
