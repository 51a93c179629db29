//! Going on with a game in which a player has stopped, since it shows what has not been learned yet.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::game::region;
use super::window::UnknownWindow;
use super::{Answered, ENDED_AFTER, Explorer, FoundAs, LearnError, Person};
use crate::board::{Board, Cell, Pos, Status};
use crate::capture::Screen;
use crate::learn::from_play::{CellPatch, Contradiction, Notebook, Outcome, Sight, position};
use crate::play::guard::Guard;
use crate::play::{Clicked, Halted, PlayError};
use crate::recognize::{Reader, Reading, Skin};

/// What was learned of a game, to go on from when a game shows more.
#[derive(Clone, Debug)]
pub struct Studied {
    pub(in crate::play) notes: Notebook,
    pub(super) found_as: FoundAs,
    pub(super) covered: Vec<CellPatch>,
    pub(super) flags: Vec<CellPatch>,
    pub(super) flags_work: bool,
    pub(super) has_menu: bool,
    pub(super) forgotten: u32,
}

impl Studied {
    /// Nothing but what the notes say.
    pub(super) fn of(notes: Notebook, found_as: FoundAs) -> Self {
        Self {
            notes,
            found_as,
            covered: Vec::new(),
            flags: Vec::new(),
            flags_work: false,
            has_menu: false,
            forgotten: 0,
        }
    }

    /// In how many games.
    pub fn games(&self) -> usize {
        self.notes.outcomes.len()
    }
}

impl<'a> Explorer<'a> {
    /// At the window of a game that was `studied` before.
    pub(in crate::play) fn return_to(
        screen: &'a mut dyn Screen,
        mut guard: Guard<'a>,
        stop: Arc<AtomicBool>,
        person: &'a mut dyn Person,
        studied: Option<Studied>,
        halted: &Halted,
    ) -> Result<Self, LearnError> {
        guard.take_hold()?;
        let area = screen.area()?;
        let frame = screen.look(area)?;
        let skin = &halted.reading.skin;
        let studied = match studied {
            Some(mut studied) => {
                studied.notes.keep_templates(skin);
                studied
            }
            None => Studied::of(Notebook::of(Skin::clone(skin)), FoundAs::Reading),
        };
        let skin = &studied.notes.skin;
        let window = UnknownWindow {
            screen,
            guard,
            stop,
            person,
            cut: skin.clone(),
            lattice: halted.reading.lattice.clone(),
            area,
            frame,
            patches: Vec::new(),
            may_have_dialogs: true,
            dialogs: skin.game.dialogs.clone(),
            has_menu: studied.has_menu,
            behind: None,
            hold: Duration::from_millis(skin.game.hold_ms),
            late: 0,
            was_late: false,
            awaits_game: false,
        };
        Self::at(window, studied, false)
    }

    /// Plays the game to its end in which a player has stopped. Returns how it ended, where that was seen.
    pub(in crate::play) fn go_on(
        &mut self,
        halted: &Halted,
    ) -> Result<Option<crate::play::Outcome>, LearnError> {
        let before = self.notes.bookmark();
        let known = self.notes.outcomes.len();
        let number = known as u32;
        let played = match self.take_from(halted) {
            Ok(true) => self.play(number),
            Ok(false) => Ok(()),
            Err(error) => Err(error),
        };
        self.ended(played, before, number)?;
        // One that fits no rules was forgotten.
        Ok(match self.notes.outcomes.get(known) {
            Some(Outcome::Won) => Some(crate::play::Outcome::Won),
            Some(Outcome::Lost) => Some(crate::play::Outcome::Lost),
            Some(Outcome::Unknown) | None => None,
        })
    }

    /// Takes in the board of a game that is over.
    fn take_end(&mut self, reading: &Reading, opened: &Board) -> Result<(), LearnError> {
        let board = &reading.board;
        for pos in self.seen.positions() {
            let patch = self.window.patch(pos).clone();
            let sight = match board[pos].number().or(opened[pos].number()) {
                Some(number) => Sight::Open(self.notes.look_of(&patch, Some(number))),
                None => Sight::Unknown,
            };
            self.see(pos, sight);
        }
        if reading.status == Status::Lost {
            let UnknownWindow { frame, lattice, .. } = &self.window;
            self.notes.end(frame, lattice, &self.seen, Outcome::Lost)?;
            return Ok(());
        }
        let by_itself = board.count(|cell| cell == Cell::Flagged) > 0;
        self.notes.skin.game.flags_when_won |= by_itself;
        let mined = |&pos: &Pos| matches!(self.seen.at(pos), Sight::Unknown);
        let mined: Vec<Pos> = self.seen.positions().filter(mined).collect();
        self.won(&mined)
    }

    /// Takes in the board on which a player has stopped: what it has read, and then what came up and was not read. Returns
    /// whether the game goes on.
    fn take_from(&mut self, halted: &Halted) -> Result<bool, LearnError> {
        let Halted { reading, opened, clicked } = halted;
        // A dialog comes up at the end of a game.
        let asked = self.window.behind.is_some();
        // Something may have been in front of it, and messages come and go when a game ends.
        let reader = Reader::new(vec![Skin::clone(&reading.skin)]);
        let read = |window: &UnknownWindow<'_>| {
            let found = reader.read_at(&window.frame, &window.lattice);
            found.unwrap_or_else(|| reading.clone())
        };
        let mut reading = read(&self.window);
        let is_hidden =
            |(pos, cell): (Pos, Cell)| cell == Cell::Unclear && opened[pos].number().is_some();
        let is_unclear = reading.board.count(|cell| cell == Cell::Unclear) > 0;
        if asked && is_unclear || reading.board.iter().any(is_hidden) {
            self.window.settle(ENDED_AFTER, ENDED_AFTER)?;
            reading = read(&self.window);
            let is_unclear = |&(_, cell): &(Pos, Cell)| cell == Cell::Unclear;
            let unclear = reading.board.iter().find(is_unclear);
            // A message may stay until the pointer leaves it, and not have noticed that while a dialog was in front.
            if let Some((pos, _)) = unclear.filter(|_| asked) {
                self.window.hover(pos)?;
                self.window.park()?;
                reading = read(&self.window);
            }
        }
        if reading.board.cells().len() != self.seen.sights.len() {
            return Err(PlayError::BoardHidden.into());
        }
        if reading.status.is_over() {
            self.take_end(&reading, opened)?;
            return Ok(false);
        }
        let was_open = opened.count(|cell| cell.number().is_some()) > 0;
        if reading.status == Status::Fresh && was_open {
            // The next game has begun.
            self.unseen()?;
            return Ok(false);
        }
        // What was studied tells more than a reading that stopped the player.
        let is_new = self.notes.clusters.len() == 0;
        let is_sure = is_new && position(&reading.board, &mut self.workspace).is_ok();
        let mut came_up: Vec<Pos> = Vec::new();
        for pos in self.seen.positions() {
            let patch = self.window.patch(pos).clone();
            let is_safe = clicked.contains(&Clicked { pos, is_proven: true });
            let sight = match (opened[pos], reading.board[pos]) {
                (_, Cell::Flagged) => Sight::Flagged,
                (_, Cell::Questioned) => Sight::Questioned,
                (_, Cell::Covered) => {
                    if !self.is_covered_look(&patch) {
                        self.covered.push(patch);
                    }
                    Sight::Covered
                }
                (was, now) if was.number().or(now.number()).is_some() => {
                    let number = was.number().or(now.number()).filter(|_| is_sure);
                    Sight::Open(self.notes.look_of(&patch, number))
                }
                (Cell::Opened, _) => Sight::Open(self.notes.look_of(&patch, None)),
                _ if is_safe => Sight::Open(self.notes.look_of(&patch, None)),
                _ => {
                    came_up.push(pos);
                    Sight::Covered
                }
            };
            self.see(pos, sight);
        }
        let is_first = !self.seen.sights.iter().any(|sight| matches!(sight, Sight::Open(_)));
        let board = self.notes.board(&self.seen);
        let Ok(solved) = position(&board, &mut self.workspace) else {
            return Err(Contradiction.into());
        };
        let is_guess = |pos: &Pos| clicked.contains(&Clicked { pos: *pos, is_proven: false });
        let guess = came_up.iter().copied().find(is_guess);
        let has_ended = came_up.iter().any(|&pos| solved.mine_chance(pos) == Some(1.0));
        // After what came up elsewhere, the game went on.
        let in_doubt = match guess {
            _ if has_ended => came_up.clone(),
            Some(guess) => region(&board, guess, |pos| came_up.contains(pos)),
            None => Vec::new(),
        };
        for &pos in came_up.iter().filter(|pos| !in_doubt.contains(pos)) {
            let look = self.notes.look_of(self.window.patch(pos), None);
            self.see(pos, Sight::Open(look));
        }
        let last = guess.or_else(|| clicked.first().map(|clicked| clicked.pos));
        let Some(pos) = last.or(in_doubt.first().copied()).filter(|_| !in_doubt.is_empty()) else {
            self.notes.see(&self.window.frame, &self.window.lattice, &self.seen)?;
            return Ok(true);
        };
        let covered = |pos: &Pos| self.seen.at(*pos) == Sight::Covered;
        let safe: Vec<Pos> = solved.safe_cells().filter(covered).collect();
        let mined: Vec<Pos> = solved.mined_cells().filter(covered).collect();
        let Some(unopened) = self.covered.first().cloned() else {
            return Err(PlayError::BoardHidden.into());
        };
        let mut before = self.window.patches.clone();
        for &pos in &in_doubt {
            before[self.seen.index(pos)] = unopened.clone();
        }
        let is_mine = guess.is_none().then_some(false);
        if has_ended {
            self.over(pos, is_mine, &mined, &[], &before, is_first)?;
            return Ok(false);
        }
        let answered = Answered { pos, changed: &in_doubt, is_mine, before: &before };
        self.take_in(&answered, &safe, &mined, is_first)
    }
}
