//! A batch of clicks: all that are proven at once, sent, watched until they show, and sent again if they
//! do not. What is painted first may prove more by itself; that goes out at once, while the rest is being painted.
//!
//! A click counts as lost when nothing more has happened for a while (see [`Pace::lost_after`]) and its
//! cell still reads as it did before. Only then is it sent again, and only on the evidence of the newest
//! frame, so a cell that shows as opened never gets a second click. Marks are given longer, because a
//! second right click undoes the first; should that happen all the same, the next turn sees it and puts
//! it right.
//!
//! Just before a click its cell is peeked at, and the click is left out when the cell no longer looks as
//! it did: a click too few is planned again in the next turn, a click on something else cannot be taken
//! back. Where a look is slow, only some clicks are preceded by one.
//!
//! [`Pace::lost_after`]: crate::play::pace::Pace::lost_after

use std::time::{Duration, Instant};

use super::Session;
use crate::board::{Board, Cell, Pos};
use crate::input::Button;
use crate::play::guard::{Hindrance, Pressed};
use crate::play::motion::Motion;
use crate::play::patience::{Patience, SLICE};
use crate::play::plan::{Plan, plan};
use crate::play::unknown_numbers::numbers;
use crate::play::{Action, PlayError, Step};
use crate::recognize::skin::Chord;
use crate::solver::obvious;

/// How often a chord is tried before its cells are opened one by one.
const CHORD_TRIES: u32 = 3;
/// How often a click is tried in what has never answered.
const TRIES_UNANSWERED: u32 = 3;
/// How often a guess is clicked in vain before the game counts as won, if what is left may all be mines: where nothing tells how
/// many there are, a game may be over without showing it.
const TRIES_AT_REST: u32 = 3;
/// How long a mark is waited for at least: a second right click undoes the first.
const MARK_LOST_AFTER: Duration = Duration::from_millis(250);

impl Session<'_> {
    /// Sends `steps` and waits until all of them show, or the game is over. Of what has never answered only one click is
    /// asked for: it may be a picture of a game.
    pub(super) fn click_batch(&mut self, mut steps: Vec<Step>) -> Result<(), PlayError> {
        let upheavals = self.perception.upheavals();
        if self.attend()? {
            // What was planned was planned for what was seen before.
            return Ok(());
        }
        if !self.answered {
            steps.truncate(1);
        }
        let sent = self.send(&steps, false)?;
        if sent.is_empty() {
            // Everything changed since it was read; the next turn reads it again.
            self.wait(&mut Patience::of(SLICE))?;
        }
        let mut clicks = sent.len() as u64;
        let mut waiting: Vec<Sent> = sent.into_iter().map(Sent::once).collect();
        let mut none_lost = true;
        let mut patience = Patience::of(self.options.deadlines.clicks);
        // How long ago any click was sent or seen to show.
        let mut quiet = Duration::ZERO;
        self.perception.look()?;
        loop {
            if self.is_message() || self.check()?.is_some() {
                return Ok(());
            }
            let changes = self.perception.changes();
            if self.perception.reading().status.is_over()
                || self.perception.upheavals() != upheavals
            {
                return Ok(());
            }
            let board = &self.perception.reading().board;
            let arrived = waiting.extract_if(.., |sent| sent.step.shows(board));
            if let Some(took) = arrived.map(|sent| sent.since).max() {
                self.answered = true;
                self.pace.click_showed(took);
                quiet = Duration::ZERO;
                patience = Patience::of(self.options.deadlines.clicks);
                let more = self.send_obvious(&waiting)?;
                clicks += more.len() as u64;
                waiting.extend(more.into_iter().map(Sent::once));
            }
            if waiting.is_empty() {
                // What is being painted need not be clicked.
                if self.perception.sees_half_painted() && !self.is_settled()? {
                    continue;
                }
                // A proof is right whether its cell is open or only pressed; a guess has to be seen.
                if let [guess] = steps[..]
                    && self.perception.may_be_pressed(guess.pos)
                {
                    self.is_settled()?;
                }
                if none_lost {
                    self.pace.all_arrived(clicks);
                }
                return Ok(());
            }
            if patience.is_over() {
                let board = &self.perception.reading().board;
                if waiting.iter().any(|sent| board[sent.step.pos] == Cell::Unclear) {
                    // Something is in front of it; the next turn waits for that to go away.
                    return Ok(());
                }
                return Err(PlayError::ClicksDoNotShow {
                    at: waiting.iter().map(|sent| sent.step.pos).collect(),
                    times: waiting.iter().map(|sent| sent.times).max().unwrap_or(0),
                });
            }
            if self.perception.changes() != changes {
                // It was looked at while more was clicked.
                continue;
            }
            let (changed, spent) = self.wait(&mut patience)?;
            waiting.iter_mut().for_each(|sent| sent.since += spent);
            quiet += spent;
            // Nothing comes: perhaps because something is in front.
            if (!changed && self.attend()?) || quiet < self.lost_after(&waiting) {
                continue;
            }
            self.perception.look_closer()?;
            self.perception.look()?;
            // What was clicked may be open and show a number that the skin lacks.
            if self.plays_around()? {
                continue;
            }
            let board = &self.perception.reading().board;
            let is_unclear = |sent: &Sent| board[sent.step.pos] == Cell::Unclear;
            if self.may_learn() && waiting.iter().all(is_unclear) {
                // It may be a number that the skin lacks; the next turn finds out what else is known.
                return Ok(());
            }
            let hidden = waiting.iter().map(|sent| sent.step.pos);
            let hidden: Vec<Pos> = hidden.filter(|&pos| board[pos] == Cell::Unclear).collect();
            if !hidden.is_empty() && self.perception.in_front(&hidden).is_some() {
                return self.wait_until_uncovered(&hidden);
            }
            let times = waiting.iter().map(|sent| sent.times).max().unwrap_or(0);
            if !self.answered && times >= TRIES_UNANSWERED {
                let at = waiting.iter().map(|sent| sent.step.pos).collect();
                return Err(PlayError::NoAnswer { at, times });
            }
            if times >= TRIES_AT_REST
                && let [Sent { step, .. }] = waiting[..]
                && self.history.is_risked(step.pos)
                && step.action == Action::Open
                && numbers(&self.perception.board()).is_some()
            {
                log::info!("cell {} does not answer, and what is left may all be mines", step.pos);
                self.history.comes_to_rest();
                return Ok(());
            }
            let sent_again = self.send_lost(&mut waiting)?;
            none_lost &= sent_again == 0;
            quiet = Duration::ZERO;
            self.perception.look()?;
        }
    }

    /// While the rest of a batch is being painted, sends what the cells that have come up prove by themselves.
    fn send_obvious(&mut self, waiting: &[Sent]) -> Result<Vec<Step>, PlayError> {
        if waiting.is_empty() {
            return Ok(Vec::new());
        }
        let board = self.perception.board();
        // A board that cannot be may be half painted; the next turn will tell.
        let plan = obvious(&board).map(|advice| plan(&board, &advice, self.manner()));
        let Ok(Plan::Batch(mut steps)) = plan else {
            return Ok(Vec::new());
        };
        steps.retain(|step| !waiting.iter().any(|sent| sent.may_change(step.pos)));
        if steps.is_empty() || self.attend()? {
            return Ok(Vec::new());
        }
        self.send(&steps, false)
    }

    /// How long nothing may come before clicks count as lost.
    fn lost_after(&self, waiting: &[Sent]) -> Duration {
        let after = self.pace.lost_after();
        if waiting.iter().any(|sent| sent.step.toggles()) {
            (after * 2).max(MARK_LOST_AFTER)
        } else {
            after
        }
    }

    /// Sends again what still does not show; returns how many clicks that were.
    fn send_lost(&mut self, waiting: &mut Vec<Sent>) -> Result<usize, PlayError> {
        let board = &self.perception.reading().board;
        let is_lost = |step: Step| !step.shows(board) && board[step.pos] == step.from;
        let before = waiting.len();
        waiting.retain(|sent| {
            let tried = sent.step.action == Action::Chord && sent.times >= CHORD_TRIES;
            !(tried && is_lost(sent.step))
        });
        let chords_fail = waiting.len() < before;
        let steps = waiting.iter().map(|sent| sent.step);
        let lost: Vec<Step> = steps.filter(|&step| is_lost(step)).collect();
        if chords_fail {
            log::warn!("chords do not open anything in this game; opening cells one by one");
            self.chords = false;
        }
        if lost.is_empty() {
            return Ok(0);
        }
        self.pace.some_lost();
        let again = self.send(&lost, true)?;
        for sent in waiting.iter_mut().filter(|sent| again.contains(&sent.step)) {
            sent.times += 1;
            sent.since = Duration::ZERO;
        }
        self.summary.clicks_lost += again.len() as u64;
        Ok(again.len())
    }

    /// Sends `steps`, at once where nothing holds clicks back, else one by one, and parks the pointer. Returns those that
    /// were sent. What no longer looks as it did is left out: it may have been opened by a click before. Where more than
    /// that has changed nothing is sent any more: the next look will tell.
    fn send(&mut self, steps: &[Step], again: bool) -> Result<Vec<Step>, PlayError> {
        self.watcher.clicking(steps, again);
        let upheavals = self.perception.upheavals();
        let may_end = may_end(&self.perception.reading().board, steps);
        // What got lost may have been over too fast.
        let least = Duration::from_millis(self.behaviour().hold_ms);
        let hold = if again { self.pace.gap().max(least) } else { least };
        let may_burst = !again
            && self.motion.is_none()
            && self.pace.gap().is_zero()
            && least.is_zero()
            && steps.iter().all(|step| self.buttons(step.action).len() == 1);
        let mut sent = Vec::with_capacity(steps.len());
        let (mut clicked, mut left) = (None, steps);
        while !left.is_empty() {
            let at_once = may_burst && self.guard.takes_bursts();
            let (now, later) = left.split_at(if at_once { left.len() } else { 1 });
            left = later;
            // Before the first one too: the last click of the batch before may be as close.
            self.perception.pause_until_shown(self.pace.gap(), clicked)?;
            self.keep_pace()?;
            self.approach(now[0].pos)?;
            if !self.still_holds(may_end)? || self.perception.upheavals() != upheavals {
                break;
            }
            let board = &self.perception.reading().board;
            let now: Vec<Step> =
                now.iter().filter(|step| board[step.pos] == step.from).copied().collect();
            if now.is_empty() {
                continue;
            }
            if !self.guard.tells_keyboard() {
                let is_guess = now.iter().any(|step| self.history.is_risked(step.pos));
                self.perception.may_end_now(may_end || is_guess);
            }
            for step in now.iter().filter(|step| step.action == Action::Flag) {
                self.perception.expect_flag(step.pos);
            }
            let pressed = match now[..] {
                [step] if !at_once => {
                    let held = self.motion.as_mut().map(Motion::holds);
                    self.click(step, hold.max(held.unwrap_or_default()))?
                }
                _ => self.burst(&now)?,
            };
            match pressed {
                Pressed::Yes => self.perception.has_pressed(),
                Pressed::No(Hindrance::Covered(_)) => {
                    let cells: Vec<Pos> = now.iter().map(|step| step.pos).collect();
                    self.wait_until_uncovered(&cells)?;
                    break;
                }
                Pressed::No(_) => {
                    self.attend()?;
                    break;
                }
            }
            for &step in &now {
                self.history.clicks(step, &self.perception.reading().board);
            }
            self.summary.clicks += now.len() as u64;
            clicked = now.last().map(|step| self.perception.lattice().cell(step.pos));
            sent.extend(now);
        }
        self.watcher.clicked(&sent);
        self.park()?;
        Ok(sent)
    }

    /// Whether what was planned still holds: nothing that is known to be open has changed. The board is looked at when that
    /// is due, if the game may end meanwhile, and always where the system does not say what would get the press.
    fn still_holds(&mut self, may_end: bool) -> Result<bool, PlayError> {
        if may_end || self.peeks.is_due() || !self.guard.tells_what_is_under() {
            let start = Instant::now();
            self.perception.look()?;
            self.peeks.took(start.elapsed());
        }
        Ok(!self.perception.reading().status.is_over() && self.perception.contradiction().is_none())
    }

    /// Moves to a cell, and looks, as a person does; nothing where the player is not to.
    fn approach(&mut self, pos: Pos) -> Result<(), PlayError> {
        self.move_as_person(self.perception.lattice().centre(pos))?;
        let is_guess = self.history.is_risked(pos);
        let looks = self.motion.as_mut().map(|motion| motion.looks(is_guess));
        self.pause(looks.unwrap_or_default())
    }

    /// Sends clicks of one button each at once.
    fn burst(&mut self, steps: &[Step]) -> Result<Pressed, PlayError> {
        let clicks = steps.iter().map(|step| (self.buttons(step.action)[0], step.pos));
        let clicks: Vec<(Button, Pos)> = clicks.collect();
        self.guard.burst(&clicks, self.perception.lattice(), self.perception.area())
    }

    fn click(&mut self, step: Step, hold: Duration) -> Result<Pressed, PlayError> {
        let buttons = self.buttons(step.action);
        let (lattice, area) = (self.perception.lattice(), self.perception.area());
        self.guard.click_cell(buttons, lattice, area, step.pos, hold)
    }

    /// The buttons that do it, to be pressed together.
    fn buttons(&self, action: Action) -> &'static [Button] {
        match action {
            Action::Open => &[Button::Left],
            Action::Flag | Action::Unflag => &[Button::Right],
            Action::Chord => self.behaviour().chord.map_or(&[], Chord::buttons),
        }
    }
}

/// A click that was sent and does not show yet.
struct Sent {
    step: Step,
    times: u32,
    /// How long ago.
    since: Duration,
}

impl Sent {
    fn once(step: Step) -> Self {
        Self { step, times: 1, since: Duration::ZERO }
    }

    fn may_change(&self, pos: Pos) -> bool {
        let Step { pos: at, action, .. } = self.step;
        at == pos || (action == Action::Chord && at.touches(pos))
    }
}

/// Whether one of `steps` may end the game, after which many games raise a dialog: then every click is
/// preceded by a peek, whatever that costs.
fn may_end(board: &Board, steps: &[Step]) -> bool {
    let left = board.count(Cell::is_unopened);
    let mines = board.mines.likely().map_or(left / 4, |mines| mines as usize);
    // A region may open far more cells than were clicked; this late in a game that is usually the end.
    left.saturating_sub(mines) <= steps.len() * 2 + 10
}
