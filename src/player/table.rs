//! Everything a session of games needs in one place, and what it does when something gets in the way.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::alarm::Alarm;
use super::eyes::Eyes;
use super::guard::Guard;
use super::pace::Pace;
use super::patience::Patience;
use super::plan::Manner;
use super::rare::Rare;
use super::wave::Peeks;
use super::{Options, PlayError, Player, Summary, Watcher};
use crate::board::{Board, Cell, Status};
use crate::capture::Standing;
use crate::recognize::skin::{Dialog, GameWays};
use crate::solver::Strategy;

/// How long after its key was struck a dialog is given before the key is struck again.
const KEY_AGAIN: Duration = Duration::from_millis(600);

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
    /// What the board showed at the end of the game before.
    pub ended: Option<Board>,
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
        let eyes = Eyes::open(player.screen, player.reader, stop.clone(), options)?;
        let summary = Summary { skin: Some(eyes.reading().skin.name.clone()), ..summary };
        Ok(Self {
            eyes,
            guard: Guard::new(player.hands, stop.clone()),
            strategy: player.strategy,
            watcher: player.watcher,
            options: options.clone(),
            stop,
            pace: Pace::new(options.pace),
            peeks: Peeks::default(),
            alarm: options.think.map(Alarm::of),
            chords: true,
            ended: None,
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
        let mut patience = Patience::of(self.options.deadlines.dialog);
        let mut since_key = None;
        let mut disturbed = false;
        loop {
            match self.eyes.standing()? {
                Standing::There => break,
                Standing::Gone => return Err(PlayError::WindowGone),
                Standing::Moved(to) => {
                    if patience.is_over() {
                        return Err(PlayError::BoardHidden);
                    }
                    log::info!("the window is now {to}");
                    self.eyes.find_again(self.options.deadlines.find)?;
                }
                Standing::Covered { by, .. } => {
                    let Some(dialog) = self.dialog(&by) else {
                        return Err(PlayError::Covered { by });
                    };
                    let (title, key) = (dialog.title.clone(), dialog.key.to_string());
                    if patience.is_over() {
                        return Err(PlayError::DialogStays { title, key });
                    }
                    if since_key.is_none_or(|since| since >= KEY_AGAIN) {
                        log::info!("pressing {key} to get past '{title}'");
                        self.guard.close(&dialog)?;
                        since_key = Some(Duration::ZERO);
                    }
                }
            }
            disturbed = true;
            let (_, spent) = self.eyes.wait(&mut patience)?;
            since_key = since_key.map(|since| since + spent);
        }
        if disturbed {
            self.eyes.look()?;
        }
        Ok(disturbed)
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
        // One frame may show what is being painted; a wrong reading stays.
        let mut patience = Patience::of(CONTRADICTION_STAYS);
        while self.eyes.contradiction().is_some() && !patience.is_over() {
            if !self.eyes.wait(&mut patience)?.0 {
                self.eyes.look_closer()?;
            }
        }
        self.eyes.check_reading()
    }

    fn dialog(&self, title: &str) -> Option<Dialog> {
        let title = title.trim().to_lowercase();
        let mut dialogs = self.ways().dialogs.iter();
        dialogs.find(|dialog| dialog.title.trim().to_lowercase() == title).cloned()
    }
}
