//! A session of games at one board: what all steps of it share, and what it does when something gets in the way.
//!
//! Each step has its own file, and only these files see the fields of [`Session`]:
//!
//! ```text
//! games ──▶ new_game
//!   └─────▶ turn ──▶ clicks ──▶ unknown_numbers
//! ```

mod clicks;
mod games;
mod new_game;
mod peeks;
mod turn;
mod unknown_numbers;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::alarm::Alarm;
use super::dialogs::{Closing, close_dialogs};
use super::guard::{Guard, parking_place};
use super::halted::Halted;
use super::history::History;
use super::motion::Motion;
use super::pace::Pace;
use super::patience::{Patience, SLICE};
use super::perception::Perception;
use super::plan::Manner;
use super::unknown_numbers::UnknownNumbers;
use super::{Options, Outcome, PlayError, Player, Summary, Watcher};
use crate::board::{Board, Cell, Pos, Status};
use crate::capture::Standing;
use crate::geometry::Px;
use crate::recognize::skin::{Control, Dialog, GameBehaviour};
use crate::solver::Strategy;
use peeks::Peeks;

/// The least time that is waited for.
const TICK: Duration = Duration::from_micros(100);

/// How long the picture stands still before a dialog that no window manager names gets a key: it may just be coming up. Chosen.
const COMES_UP: Duration = Duration::from_millis(60);

/// How long a reading must contradict an earlier one to count as wrong.
const CONTRADICTION_STAYS: Duration = Duration::from_millis(300);

/// One player at one board, from when it is found until the games are over.
pub(super) struct Session<'a> {
    perception: Perception<'a>,
    guard: Guard<'a>,
    strategy: &'a mut dyn Strategy,
    watcher: &'a mut dyn Watcher,
    options: Options,
    stop: Arc<AtomicBool>,
    pace: Pace,
    /// The hand of a person, where the player is to move like one.
    motion: Option<Motion>,
    peeks: Peeks,
    /// Ends thinking that takes too long.
    alarm: Option<Alarm>,
    /// Whether chords have worked so far.
    chords: bool,
    /// Whether the game has answered anything yet; a picture of one never does.
    answered: bool,
    /// The board on which somebody was asked whether to guess.
    asked: Option<Board>,
    /// What the board showed at the end of the game before.
    ended: Option<Board>,
    /// What the player has done in this game.
    history: History,
    /// Cells of this game with numbers that the skin lacks.
    unknown_numbers: UnknownNumbers,
    summary: Summary,
}

impl<'a> Session<'a> {
    /// Finds the board, to play on after the games in `summary`.
    pub(super) fn begin(
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
        let perception = Perception::open(player.screen, player.reader, stop.clone(), options)?;
        let summary = Summary { skin: Some(perception.reading().skin.name.clone()), ..summary };
        Ok(Self {
            perception,
            guard,
            strategy: player.strategy,
            watcher: player.watcher,
            options: options.clone(),
            stop,
            pace: Pace::new(options.pace),
            motion: options.human.then(|| Motion::new(options.seed)),
            peeks: Peeks::default(),
            alarm: options.think.map(Alarm::of),
            chords: true,
            answered: false,
            asked: None,
            ended: None,
            history: History::default(),
            unknown_numbers: UnknownNumbers::default(),
            summary,
        })
    }

    /// The session is over: what was played, and what is known of the last game. Where `is_trouble`, the watcher is shown
    /// what the trouble was about.
    pub(super) fn end(mut self, is_trouble: bool) -> (Summary, Halted) {
        if is_trouble {
            self.show_watcher();
        }
        let reading = self.perception.reading().clone();
        let opened = self.perception.opened().clone();
        let is_unclear =
            |pos: Pos| opened[pos] == Cell::Covered && reading.board[pos] == Cell::Unclear;
        let clicked = self.history.opened().filter(|clicked| is_unclear(clicked.pos)).collect();
        (self.summary, Halted { reading, opened, clicked })
    }

    /// How the game behaves, as its skin says.
    fn behaviour(&self) -> &GameBehaviour {
        &self.perception.reading().skin.game
    }

    /// How clicks are made in this game.
    fn manner(&self) -> Manner<'_> {
        Manner { style: self.options.style, ways: self.behaviour(), chords: self.chords }
    }

    /// Makes sure that the window is there, where it was seen last, and nothing in front of it:
    /// follows it when it moved, gets past dialogs that the skin names, and stops at anything else.
    /// Returns whether anything had to be done, in which case the board was read again after it.
    fn attend(&mut self) -> Result<bool, PlayError> {
        let mut closing = Closing::within(self.options.deadlines.dialog);
        let mut disturbed = false;
        // How long the picture has stood still.
        let mut still = Duration::ZERO;
        loop {
            match self.perception.standing()? {
                Standing::There => {
                    let Some((dialog, open)) = self.unnamed_dialog() else { break };
                    if still >= COMES_UP {
                        let (lattice, area) = (self.perception.lattice(), self.perception.area());
                        closing.strike(&dialog, &mut self.guard, |guard| {
                            guard.close_unnamed(&dialog, lattice, area, open)
                        })?;
                        self.park()?;
                    }
                }
                Standing::Gone => return Err(PlayError::WindowGone),
                Standing::Moved(to) => {
                    if closing.patience.is_over() {
                        return Err(PlayError::KeepsMoving);
                    }
                    log::info!("the window is now {to}");
                    self.perception.find_again(None)?;
                }
                Standing::Covered { by, .. } => {
                    let Some(dialog) = self.perception.reading().skin.game.dialog(&by) else {
                        return Err(PlayError::Covered { by });
                    };
                    let area = self.perception.area();
                    closing.strike(dialog, &mut self.guard, |guard| guard.close(dialog, area))?;
                }
            }
            disturbed = true;
            let (changed, spent) = self.wait(&mut closing.patience)?;
            still = if changed { Duration::ZERO } else { still + spent };
            closing.pass(spent);
        }
        if disturbed {
            self.perception.look()?;
        }
        Ok(disturbed)
    }

    /// The dialog of the game that lies over the board now, and an open cell beside it, where the desktop names no windows. A game
    /// that has several is taken to close each with the same key.
    fn unnamed_dialog(&self) -> Option<(Dialog, Pos)> {
        let dialog = self.behaviour().dialogs.first()?;
        let open = self.perception.open_cell_beside_dialog(|pos| self.history.has_opened(pos))?;
        Some((dialog.clone(), open))
    }

    /// Waits for a change of what was last read, as [`Perception::wait`] does. A hand on the mouse is felt meanwhile.
    fn wait(&mut self, patience: &mut Patience) -> Result<(bool, Duration), PlayError> {
        let waited = self.perception.wait(patience)?;
        if !waited.0 && !self.options.dry_run {
            self.guard.feel(self.perception.lattice(), self.perception.area())?;
        }
        Ok(waited)
    }

    /// Lets `time` pass. A hand on the mouse is felt meanwhile.
    fn pause(&mut self, time: Duration) -> Result<(), PlayError> {
        let mut left = time;
        while !left.is_zero() {
            let slice = left.min(SLICE);
            self.perception.pause(slice)?;
            left -= slice;
            self.guard.feel(self.perception.lattice(), self.perception.area())?;
        }
        Ok(())
    }

    /// Waits until something may be pressed again.
    fn keep_pace(&mut self) -> Result<(), PlayError> {
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
    fn wait_until_uncovered(&mut self, cells: &[Pos]) -> Result<(), PlayError> {
        let mut patience = Patience::of(self.options.deadlines.cover);
        while let Some(by) = self.perception.in_front(cells) {
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
    /// over, on which nothing will be clicked. Returns how the game ended if the next one has begun by itself already.
    fn check(&mut self) -> Result<Option<Outcome>, PlayError> {
        let reading = self.perception.reading();
        let doubtful = reading.status == Status::Hidden
            || reading.board.count(|cell| cell == Cell::Unclear) > 0
            || self.perception.contradiction().is_some();
        if doubtful && !reading.status.is_over() {
            self.attend()?;
        }
        // One frame may show what is being painted; a wrong reading stays, and so does another game.
        let mut patience = Patience::of(CONTRADICTION_STAYS);
        while self.perception.contradiction().is_some() && !patience.is_over() {
            if !self.wait(&mut patience)?.0 {
                self.perception.look_closer()?;
            }
        }
        if self.perception.contradiction().is_some() && self.perception.seems_another_game() {
            if self.behaviour().new_game == Some(Control::Wait) && self.history.is_any() {
                return Ok(Some(self.history.unseen_end()));
            }
            if self.perception.is_still_here()? {
                log::warn!("somebody began a new game; playing that one");
                self.perception.forget();
                self.history = History::default();
                self.unknown_numbers = UnknownNumbers::default();
            }
        }
        self.perception.check_reading().map(|()| None)
    }

    /// Whether the picture has stopped changing. A guess on a half-painted board would risk what the
    /// other half may prove. A picture that shows nothing half done need not be watched for that.
    fn is_settled(&mut self) -> Result<bool, PlayError> {
        if !self.perception.sees_half_done() {
            return Ok(true);
        }
        self.stays_the_same(self.pace.settled_after())
    }

    /// Whether the board reads the same for so long.
    fn stays_the_same(&mut self, time: Duration) -> Result<bool, PlayError> {
        let mut patience = Patience::of(time);
        let before = self.perception.board();
        while !patience.is_over() {
            self.wait(&mut patience)?;
            if self.perception.board() != before {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Moves the pointer off the board.
    fn park(&mut self) -> Result<(), PlayError> {
        self.move_as_person(parking_place(self.perception.lattice(), self.perception.area()))?;
        let (lattice, area) = (self.perception.lattice(), self.perception.area());
        self.guard.park(lattice, area)
    }

    /// Moves the pointer to `to` as a person does, from where it was left; nothing where the player is not to.
    fn move_as_person(&mut self, to: Px) -> Result<(), PlayError> {
        let from = self.guard.pointer().filter(|&from| from != to);
        let (Some(motion), Some(from)) = (&mut self.motion, from) else { return Ok(()) };
        let path = motion.path(from, to, self.perception.lattice().side());
        let step = motion.step();
        for at in path {
            self.guard.glide(at, self.perception.lattice(), self.perception.area())?;
            self.pause(step)?;
        }
        Ok(())
    }

    /// Shows the watcher the newest frame and what was read in it.
    fn show_watcher(&mut self) {
        let (frame, reading) = (self.perception.frame(), self.perception.reading());
        self.watcher.looked(frame, reading);
    }
}
