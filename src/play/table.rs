//! Everything a session of games needs in one place, and what it does when something gets in the way.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::alarm::Alarm;
use super::closing::{Closing, close_dialogs};
use super::eyes::Eyes;
use super::guard::Guard;
use super::pace::Pace;
use super::part::Part;
use super::patience::{Patience, SLICE};
use super::plan::Manner;
use super::rare::Rare;
use super::wave::Peeks;
use super::{Options, PlayError, Player, Summary, Watcher};
use crate::board::{Board, Cell, Pos, Status};
use crate::capture::Standing;
use crate::recognize::skin::GameWays;
use crate::solver::Strategy;

/// The least time that is waited for.
const TICK: Duration = Duration::from_micros(100);

/// How long a reading must contradict an earlier one to count as wrong.
const CONTRADICTION_STAYS: Duration = Duration::from_millis(300);

pub(super) struct Table<'a> {
    pub eyes: Eyes<'a>,
    pub guard: Guard<'a>,
    pub strategy: &'a mut dyn Strategy,
    pub watcher: &'a mut dyn Watcher,
    pub options: Options,
    pub stop: Arc<AtomicBool>,
    pub pace: Pace,
    pub peeks: Peeks,
    /// Ends thinking that takes too long.
    pub alarm: Option<Alarm>,
    /// Whether chords have worked so far.
    pub chords: bool,
    /// Whether the game has answered anything yet; a picture of one never does.
    pub answered: bool,
    /// What the board showed at the end of the game before.
    pub ended: Option<Board>,
    /// What the player has done in this game.
    pub part: Part,
    /// Cells of this game with numbers that the skin lacks.
    pub rare: Rare,
    pub summary: Summary,
}

impl<'a> Table<'a> {
    /// Finds the board and sits down to it, to play on after the games in `summary`.
    pub(super) fn sit_down(
        player: Player<'a>,
        options: &Options,
        summary: Summary,
    ) -> Result<Self, PlayError> {
        let stop = player.stop;
        let mut guard = Guard::new(player.hands, stop.clone(), options.pace);
        if !options.dry_run {
            guard.take_hold()?;
            close_dialogs(player.screen, player.reader, &mut guard, &stop, options)?;
        }
        let eyes = Eyes::open(player.screen, player.reader, stop.clone(), options)?;
        let summary = Summary { skin: Some(eyes.reading().skin.name.clone()), ..summary };
        Ok(Self {
            eyes,
            guard,
            strategy: player.strategy,
            watcher: player.watcher,
            options: options.clone(),
            stop,
            pace: Pace::new(options.pace),
            peeks: Peeks::default(),
            alarm: options.think.map(Alarm::of),
            chords: true,
            answered: false,
            ended: None,
            part: Part::default(),
            rare: Rare::default(),
            summary,
        })
    }

    pub(super) fn ways(&self) -> &GameWays {
        &self.eyes.reading().skin.game
    }

    /// How clicks are made in this game.
    pub(super) fn manner(&self) -> Manner<'_> {
        Manner { style: self.options.style, ways: self.ways(), chords: self.chords }
    }

    /// Makes sure that the window is there, where the eyes think it is, and nothing in front of it:
    /// follows it when it moved, gets past dialogs that the skin names, and stops at anything else.
    /// Returns whether anything had to be done, in which case the board was read again after it.
    pub(super) fn attend(&mut self) -> Result<bool, PlayError> {
        let mut closing = Closing::within(self.options.deadlines.dialog);
        let mut disturbed = false;
        loop {
            match self.eyes.standing()? {
                Standing::There => break,
                Standing::Gone => return Err(PlayError::WindowGone),
                Standing::Moved(to) => {
                    if closing.patience.is_over() {
                        return Err(PlayError::KeepsMoving);
                    }
                    log::info!("the window is now {to}");
                    self.eyes.find_again(None)?;
                }
                Standing::Covered { by, .. } => {
                    let Some(dialog) = self.eyes.reading().skin.game.dialog(&by) else {
                        return Err(PlayError::Covered { by });
                    };
                    closing.strike(dialog, &mut self.guard, self.eyes.area())?;
                }
            }
            disturbed = true;
            let (_, spent) = self.wait(&mut closing.patience)?;
            closing.pass(spent);
        }
        if disturbed {
            self.eyes.look()?;
        }
        Ok(disturbed)
    }

    /// Waits for a change of what was last read, as [`Eyes::wait`] does. A hand on the mouse is felt meanwhile.
    pub(super) fn wait(&mut self, patience: &mut Patience) -> Result<(bool, Duration), PlayError> {
        let waited = self.eyes.wait(patience)?;
        if !waited.0 && !self.options.dry_run {
            self.guard.feel(self.eyes.lattice(), self.eyes.area())?;
        }
        Ok(waited)
    }

    /// Lets `time` pass. A hand on the mouse is felt meanwhile.
    pub(super) fn pause(&mut self, time: Duration) -> Result<(), PlayError> {
        let mut left = time;
        while !left.is_zero() {
            let slice = left.min(SLICE);
            self.eyes.pause(slice)?;
            left -= slice;
            self.guard.feel(self.eyes.lattice(), self.eyes.area())?;
        }
        Ok(())
    }

    /// Waits until something may be pressed again.
    pub(super) fn keep_pace(&mut self) -> Result<(), PlayError> {
        loop {
            let left = self.guard.rest_left();
            if left.is_zero() {
                return Ok(());
            }
            self.pause(left.max(TICK))?;
        }
    }

    /// Something is in front of these cells that the window manager has not told of: waits for it to go away, or to turn
    /// out to be a dialog that is got past.
    pub(super) fn wait_until_uncovered(&mut self, cells: &[Pos]) -> Result<(), PlayError> {
        let mut patience = Patience::of(self.options.deadlines.cover);
        while let Some(by) = self.eyes.in_front(cells) {
            if self.attend()? {
                return Ok(());
            }
            if patience.is_over() {
                return Err(PlayError::Covered { by });
            }
            self.wait(&mut patience)?;
        }
        Ok(())
    }

    /// Checks the newest reading. Where it is doubtful, first makes sure that nothing is in front of the
    /// board: asking that costs more than a look, so a clean reading goes without. So does one of a game that is
    /// over, on which nothing will be clicked.
    pub(super) fn check(&mut self) -> Result<(), PlayError> {
        let reading = self.eyes.reading();
        let doubtful = reading.status == Status::Hidden
            || reading.board.count(|cell| cell == Cell::Unclear) > 0
            || self.eyes.contradiction().is_some();
        if doubtful && !reading.status.is_over() {
            self.attend()?;
        }
        // One frame may show what is being painted; a wrong reading stays, and so does another game.
        let mut patience = Patience::of(CONTRADICTION_STAYS);
        while self.eyes.contradiction().is_some() && !patience.is_over() {
            if !self.wait(&mut patience)?.0 {
                self.eyes.look_closer()?;
            }
        }
        if self.eyes.contradiction().is_some() && self.eyes.is_fresher() {
            log::warn!("somebody began a new game; playing that one");
            self.eyes.forget();
            self.part = Part::default();
            self.rare = Rare::default();
        }
        self.eyes.check_reading()
    }
}
