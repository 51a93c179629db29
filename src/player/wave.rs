//! A wave: all clicks that are proven at once, sent, watched until they show, and sent again if they
//! do not.
//!
//! A click counts as lost when nothing more has happened for a while (see [`Pace::lost_after`]) and its
//! cell still reads as it did before. Only then is it sent again, and only on the evidence of the newest
//! frame, so a cell that shows as opened never gets a second click. Marks wait twice as long, because a
//! second right click undoes the first; should that happen all the same, the next turn sees it and puts
//! it right.
//!
//! [`Pace::lost_after`]: super::pace::Pace::lost_after

use std::time::Duration;

use super::guard::Guard;
use super::patience::Patience;
use super::table::Table;
use super::{Action, PlayError, Step};
use crate::board::{Board, Cell, Pos};
use crate::input::Button;
use crate::recognize::skin::Chord;

/// How often a chord is tried before its cells are opened one by one.
const CHORD_TRIES: u32 = 2;

impl Table<'_> {
    /// Sends `steps` and waits until all of them show, or the game is over.
    pub(super) fn wave(&mut self, steps: Vec<Step>) -> Result<(), PlayError> {
        self.attend()?;
        self.send(&steps, false)?;
        let mut waiting: Vec<Sent> = steps.into_iter().map(Sent::once).collect();
        let clicks = waiting.len() as u64;
        let mut lost_any = false;
        let mut quiet = Duration::ZERO;
        let mut took = Duration::ZERO;
        let mut patience = Patience::of(self.options.deadlines.clicks);
        self.eyes.look()?;
        loop {
            self.check()?;
            if self.eyes.reading().status.is_over() {
                return Ok(());
            }
            let before = waiting.len();
            let board = &self.eyes.reading().board;
            waiting.retain(|sent| !sent.step.shows(board));
            if waiting.is_empty() {
                if !lost_any {
                    self.pace.all_showed(clicks, took);
                }
                return Ok(());
            }
            if waiting.len() < before {
                quiet = Duration::ZERO;
                patience = Patience::of(self.options.deadlines.clicks);
            }
            if patience.is_over() {
                let skin = &self.eyes.reading().skin.name;
                return Err(never_showed(&waiting, board, skin));
            }
            let (changed, spent) = self.eyes.wait(&mut patience)?;
            took += spent;
            if changed {
                continue;
            }
            // Nothing comes: perhaps because something is in front.
            if self.attend()? {
                continue;
            }
            quiet += spent;
            if quiet >= self.pace.lost_after() {
                let lost = self.send_lost(&mut waiting, quiet)?;
                if lost > 0 {
                    quiet = Duration::ZERO;
                    // A single click has nobody to be too close to: slower would not help it.
                    if clicks > 1 && !lost_any {
                        self.pace.some_lost();
                    }
                    lost_any = true;
                    self.eyes.look()?;
                }
            }
        }
    }

    /// Sends again what still does not show; returns how many clicks that were.
    fn send_lost(&mut self, waiting: &mut Vec<Sent>, quiet: Duration) -> Result<usize, PlayError> {
        let board = self.eyes.board();
        let marks_too = quiet >= self.pace.lost_after() * 2;
        let mut again = Vec::new();
        let mut chords_fail = false;
        waiting.retain_mut(|sent| {
            let step = sent.step;
            let is_due = !step.shows(&board)
                && board[step.pos] == step.from
                && (marks_too || !step.toggles());
            if !is_due {
                return true;
            }
            if step.action == Action::Chord && sent.times >= CHORD_TRIES {
                chords_fail = true;
                return false;
            }
            sent.times += 1;
            again.push(step);
            true
        });
        if chords_fail {
            log::warn!("chords do not open anything in this game; opening cells one by one");
            self.chords = false;
        }
        if !again.is_empty() {
            self.summary.clicks_lost += again.len() as u64;
            self.send(&again, true)?;
        }
        Ok(again.len())
    }

    /// Sends `steps` one by one, and parks the pointer.
    fn send(&mut self, steps: &[Step], again: bool) -> Result<(), PlayError> {
        self.watcher.clicking(steps, again);
        let may_end = may_end(self.eyes.reading().board.clone(), steps);
        for (nth, &step) in steps.iter().enumerate() {
            if nth > 0 {
                self.eyes.pause(self.pace.gap())?;
                // The click before may have ended the game and raised a dialog under this one.
                if may_end && self.attend()? {
                    break;
                }
            }
            let skin = &self.eyes.reading().skin;
            let buttons: &[Button] = match step.action {
                Action::Open => &[Button::Left],
                Action::Flag | Action::Unflag => &[Button::Right],
                Action::Chord => skin.game.chord.map_or(&[], Chord::buttons),
            };
            let (lattice, area) = (self.eyes.lattice(), self.eyes.area());
            self.guard.click_cell(buttons, lattice, area, step.pos)?;
            self.summary.clicks += 1;
        }
        self.park()
    }

    pub(super) fn park(&mut self) -> Result<(), PlayError> {
        let (lattice, area) = (self.eyes.lattice(), self.eyes.area());
        Guard::park(&mut self.guard, lattice, area)
    }
}

/// A click that was sent and does not show yet.
struct Sent {
    step: Step,
    times: u32,
}

impl Sent {
    fn once(step: Step) -> Self {
        Self { step, times: 1 }
    }
}

/// Whether one of `steps` may end the game: too little is left for them not to, or a flag may be the
/// last that is asked for.
fn may_end(board: Board, steps: &[Step]) -> bool {
    let left = board.count(Cell::is_unopened);
    let mines = board
        .mines
        .likely()
        .map_or(left / 4, |mines| mines as usize);
    // A region may open far more cells than were clicked; this late in a game that is usually the end.
    left.saturating_sub(mines) <= steps.len() * 2 + 10
}

fn never_showed(waiting: &[Sent], board: &Board, skin: &str) -> PlayError {
    let unclear: Vec<Pos> = waiting
        .iter()
        .map(|sent| sent.step.pos)
        .filter(|&pos| board[pos] == Cell::Unclear)
        .collect();
    if !unclear.is_empty() {
        let (at, skin) = (unclear, skin.to_owned());
        return PlayError::Unclear { at, skin };
    }
    PlayError::ClicksDoNotShow {
        at: waiting.iter().map(|sent| sent.step.pos).collect(),
        times: waiting.iter().map(|sent| sent.times).max().unwrap_or(0),
    }
}
