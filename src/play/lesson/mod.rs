//! The course of learning a game: a fresh board, games, and the way from one to the next.
//!
//! A [`Lesson`] finds a grid of equal cells, and learns by doing: what a right click does to a cell that was
//! never opened, what a left click opens, what the end of a game looks like. What it sees goes into a
//! [`Notebook`], which works out what it means. It clicks what is proven safe as soon as anything is proven,
//! and guesses where it must. After every click of which it is not certain it asks the game whether it goes on:
//! a right click marks a cell while it does, and nothing any more when it is over.
//!
//! Once, it loses on purpose: it flags a cell that is proven safe and opens one that is proven mined, and so
//! sees what a mine, the burst one and a wrong flag look like.

mod chord;
mod fresh;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::guard::Guard;
use super::probe::{HOLD_LONGER, Probe, SETTLED_AFTER, SHOWS_WITHIN, TRIES};
use super::{LearnError, Learner, Person, PlayError};
use crate::board::{Pos, Status};
use crate::capture::{Frame, Screen};
use crate::input::{Button, Key, Shortcut};
use crate::learn::from_play::{
    Contradiction, Ending, First, Flags, Grid, Notebook, Outcome, Seen, Sight, changed, grids,
    position,
};
use crate::recognize::cut::cut_at;
use crate::recognize::patch::Patch;
use crate::recognize::skin::{Control, GameWays, Spot};
use crate::recognize::{Lattice, ReadError, Skin};
use crate::solver::odds::Workspace;

/// How long a picture must stay the same at the end of a game, when messages come and go.
const ENDED_AFTER: Duration = Duration::from_millis(5200);
/// The keys that start a new game in some game, those first that do no harm in the others.
const NEW_GAME_KEYS: [(bool, Key); 4] =
    [(false, Key::F(2)), (true, Key::Char('r')), (false, Key::Char('n')), (true, Key::Char('n'))];
/// Those tried when all else did nothing: letters that do other things in other games.
const OTHER_KEYS: [char; 2] = ['s', 'r'];
/// How far above the board a button for a new game may be, in cells.
const FACES: [f64; 7] = [-1.0, -1.5, -1.9, -2.3, -2.8, -3.3, -4.0];
/// The share of the board that must be open before a game is lost on purpose.
const ENOUGH: f32 = 0.35;
/// So many flags take a counter through all digits and once to the tens.
const FLAGS: usize = 10;
/// Cells of more looks than this are no fresh board.
const MOST_FRESH_LOOKS: usize = 12;

/// A game that is being learned.
pub(super) struct Lesson<'a> {
    probe: Probe<'a>,
    notes: Notebook,
    /// How covered cells look.
    covered: Vec<Patch>,
    /// How flags look.
    flags: Vec<Patch>,
    /// The board of the game in progress.
    seen: Seen,
    /// Whether it was tried how a chord is made.
    chords_tried: bool,
    workspace: Workspace,
}

/// A click on an unopened cell, and what it changed.
struct Answered<'c> {
    pos: Pos,
    changed: &'c [Pos],
    /// Whether the cell is known to be a mine, or none.
    is_mine: Option<bool>,
    /// How the board looked before.
    before: &'c [Patch],
}

impl<'a> Lesson<'a> {
    /// Finds the cells and learns what marks look like, on a fresh board: if there is none, a new game is started.
    pub(super) fn begin(learner: Learner<'a>, known: Skin) -> Result<Self, LearnError> {
        let Learner { screen, hands, stop, pace, person } = learner;
        let mut guard = Guard::new(hands, stop.clone(), pace);
        guard.take_hold()?;
        let mut lesson = Self::sit_down(screen, guard, stop, person, known.clone())?;
        if lesson.learn_fresh(false)? {
            return Ok(lesson);
        }
        let new_game = Some(lesson.leave_for_new()?);
        let known = Skin { game: GameWays { new_game, ..known.game }, ..known };
        let Probe { screen, guard, stop, person, .. } = lesson.probe;
        let mut lesson = Self::sit_down(screen, guard, stop, person, known)?;
        if lesson.learn_fresh(true)? {
            return Ok(lesson);
        }
        let (cols, rows) = (lesson.seen.cols, lesson.seen.rows);
        Err(LearnError::NotFresh { cols, rows, area: lesson.probe.lattice.area() })
    }

    /// Finds the cells.
    fn sit_down(
        screen: &'a mut dyn Screen,
        guard: Guard<'a>,
        stop: Arc<AtomicBool>,
        person: &'a mut dyn Person,
        known: Skin,
    ) -> Result<Self, LearnError> {
        let area = screen.area()?;
        let frame = screen.look(area)?;
        let Some(grid) = grids(&frame).into_iter().next() else {
            return Err(LearnError::NoGrid { area });
        };
        let notes = Notebook::new(known, &frame, &grid);
        let Grid { lattice, gap } = grid;
        let lattice = notes.whole(&frame, lattice);
        let in_picture = lattice.moved(-frame.origin.x, -frame.origin.y);
        if let Some(side) = cut_at(&frame.pixels, &in_picture, notes.skin.gap_width()) {
            return Err(ReadError::CutOff { area: lattice.area(), side }.into());
        }
        let (width, height) = lattice.pitch();
        let gap = gap.map_or(String::new(), |gap| format!(" with {} between", gap.width));
        person.told(&format!(
            "{}x{} cells of {width:.1}x{height:.1} pixels{gap} at {}",
            lattice.cols(),
            lattice.rows(),
            lattice.area()
        ));
        let seen = Seen {
            cols: lattice.cols(),
            rows: lattice.rows(),
            sights: vec![Sight::Unknown; lattice.cells().count()],
            mines: None,
        };
        let (cut, dialogs) = (notes.skin.clone(), notes.skin.game.dialogs.clone());
        let patches = Vec::new();
        let has_answered = false;
        let probe = Probe {
            screen,
            guard,
            stop,
            person,
            cut,
            lattice,
            area,
            frame,
            patches,
            has_answered,
            dialogs,
        };
        let mut lesson = Self {
            probe,
            notes,
            covered: Vec::new(),
            flags: Vec::new(),
            seen,
            chords_tried: false,
            workspace: Workspace::default(),
        };
        lesson.probe.park()?;
        Ok(lesson)
    }

    fn is_covered_look(&self, patch: &Patch) -> bool {
        self.covered.iter().any(|covered| self.notes.looks.alike(covered, patch))
    }

    /// Whether the cell at `pos` is still covered although it looks different: some games draw a covered cell otherwise
    /// where its neighbours are open. If it looks nearly like one, a right click tells.
    fn is_covered_all_the_same(&mut self, pos: Pos, patch: &Patch) -> Result<bool, LearnError> {
        if self.is_covered_look(patch) {
            return Ok(true);
        }
        let is_near = |covered: &Patch| self.notes.looks.nearly_alike(covered, patch);
        let is_covered = self.covered.iter().any(is_near) && self.probe.goes_on(pos)?;
        if is_covered {
            self.covered.push(patch.clone());
        }
        Ok(is_covered)
    }

    // The fresh board.

    fn see(&mut self, pos: Pos, sight: Sight) {
        let at = self.seen.index(pos);
        self.seen.sights[at] = sight;
    }

    /// Keeps pictures of the marks; the first is a flag, a second one a question mark.
    fn keep_marks(&mut self, pos: Pos, fresh: &Frame, marks: &[(Patch, Frame)]) {
        let kinds = [Sight::Flagged, Sight::Questioned];
        for ((patch, frame), sight) in marks.iter().zip(kinds) {
            if frame != fresh {
                self.keep_alone(pos, sight, frame);
            }
            if sight == Sight::Flagged {
                self.flags.push(patch.clone());
            }
        }
        self.notes.skin.game.question_marks |= marks.len() > 1;
    }

    /// Sets flags one by one, keeps what the window shows with each, since a counter changes with it, and takes them off
    /// again.
    fn count_flags(&mut self) -> Result<(), LearnError> {
        let covered = self.seen.positions().filter(|&pos| self.seen.at(pos) == Sight::Covered);
        let covered: Vec<Pos> = covered.take(FLAGS).collect();
        let before = self.probe.patches.clone();
        let mut frames = vec![self.probe.frame.clone()];
        let mut set: Vec<Pos> = Vec::new();
        for pos in covered {
            set.push(pos);
            if self.probe.click(&[Button::Right], pos)? != [pos] {
                break;
            }
            frames.push(self.probe.frame.clone());
        }
        if !self.unmark(&set, &before)? {
            return Err(PlayError::ClicksDoNotShow { at: set, times: TRIES }.into());
        }
        let lattice = self.probe.lattice.clone();
        self.notes.flags = Some(Flags { frames, lattice });
        Ok(())
    }

    /// Takes the marks off these cells; returns whether they look as `before` then.
    fn unmark(&mut self, cells: &[Pos], before: &[Patch]) -> Result<bool, LearnError> {
        let is_marked =
            |probe: &Probe<'_>, pos: Pos| changed(&before[probe.index(pos)], probe.patch(pos));
        for &pos in cells {
            for _ in 0..TRIES {
                if is_marked(&self.probe, pos) {
                    self.probe.click(&[Button::Right], pos)?;
                }
            }
        }
        Ok(!cells.iter().any(|&pos| is_marked(&self.probe, pos)))
    }

    /// Keeps a picture of the covered cell at `pos` under the pointer, if it looks different there.
    fn keep_highlight(&mut self, pos: Pos) -> Result<(), LearnError> {
        let before = self.probe.patch(pos).clone();
        self.probe.hover(pos)?;
        if changed(&before, self.probe.patch(pos)) {
            self.keep_alone(pos, Sight::Covered, &self.probe.frame.clone());
        }
        self.probe.park()
    }

    /// Keeps a picture of which nothing but the cell at `pos` is known.
    fn keep_alone(&mut self, pos: Pos, sight: Sight, frame: &Frame) {
        let mut seen = self.seen.clone();
        seen.sights.fill(Sight::Unknown);
        let at = seen.index(pos);
        seen.sights[at] = sight;
        self.notes.keep(frame, &self.probe.lattice, &seen, Status::Playing);
    }

    // A game.

    /// Plays one game to its end, and tells what came of it.
    pub(super) fn game(&mut self, number: u32) -> Result<(), LearnError> {
        self.play(number)?;
        let how = match self.notes.outcomes.last() {
            Some(Outcome::Won) => "won",
            Some(Outcome::Lost) => "lost",
            Some(Outcome::Unknown) | None => "over",
        };
        let numbers = self.notes.numbers();
        self.tell(&format!("game {}: {how}; numbers proven so far: {numbers:?}", number + 1));
        Ok(())
    }

    /// Whether more games would hardly tell more.
    pub(super) fn knows_all(&self) -> bool {
        self.notes.is_full()
    }

    /// Whether a game was played to its end.
    pub(super) fn has_ended_a_game(&self) -> bool {
        !self.notes.outcomes.is_empty()
    }

    /// Where the board is.
    pub(super) fn lattice(&self) -> &Lattice {
        &self.probe.lattice
    }

    /// What was learned.
    pub(super) fn end(mut self) -> Notebook {
        self.notes.skin.game.dialogs = self.probe.dialogs;
        self.notes
    }

    pub(super) fn tell(&mut self, what: &str) {
        self.probe.person.told(what);
    }

    fn play(&mut self, number: u32) -> Result<(), LearnError> {
        let mut clicks = 0;
        if self.notes.skin.game.starts_open {
            self.notes.see(&self.probe.frame, &self.probe.lattice, &self.seen)?;
        }
        loop {
            let board = self.notes.board(&self.seen);
            let Ok(solved) = position(&board, &mut self.workspace) else {
                return Err(Contradiction.into());
            };
            let covered = |pos: &Pos| self.seen.at(*pos) == Sight::Covered;
            let safe: Vec<Pos> = solved.safe_cells().filter(covered).collect();
            let mined: Vec<Pos> = solved.mined_cells().filter(covered).collect();
            let left: Vec<Pos> = self.seen.positions().filter(covered).collect();
            let open = self.seen.sights.len() - left.len();
            if left.len() == mined.len() {
                return self.flag_all(&mined);
            }
            let enough = open as f32 >= ENOUGH * self.seen.sights.len() as f32;
            let known = [0, 1, 2].iter().all(|number| self.notes.numbers().contains(number));
            if !self.notes.knows_mines() && known && enough && !mined.is_empty() {
                return self.lose(&safe, mined[mined.len() / 2], &mined);
            }
            if let Some(goes_on) = self.try_chords(&board, &safe, &mined)? {
                if goes_on {
                    continue;
                }
                return Ok(());
            }
            let fresh = open == 0;
            let pos = match safe.first() {
                Some(&pos) => pos,
                None if fresh => self.first(number),
                None => {
                    let chance = |pos: &Pos| solved.mine_chance(*pos).unwrap_or(1.0);
                    let least = left.iter().filter(|pos| !mined.contains(pos));
                    let least = least.min_by(|a, b| chance(a).total_cmp(&chance(b)));
                    *least.unwrap_or(&left[0])
                }
            };
            clicks += 1;
            if clicks > 4 * self.seen.sights.len() {
                return Err(PlayError::ClicksDoNotShow { at: vec![pos], times: TRIES }.into());
            }
            if !self.open(pos, &safe, &mined, fresh)? {
                return Ok(());
            }
        }
    }

    /// Where the first click of a game goes: the middle first, where the grid is sure to be, later into a
    /// corner, which touches few cells.
    fn first(&self, game: u32) -> Pos {
        let (right, bottom) = (self.seen.cols - 1, self.seen.rows - 1);
        match game % 5 {
            0 => Pos::new(right / 2, bottom / 2),
            1 => Pos::new(0, 0),
            2 => Pos::new(right, bottom),
            3 => Pos::new(0, bottom),
            _ => Pos::new(right, 0),
        }
    }

    /// Opens the cell at `pos` and takes in what comes of it. Returns whether the game goes on.
    fn open(
        &mut self,
        pos: Pos,
        safe: &[Pos],
        mined: &[Pos],
        first: bool,
    ) -> Result<bool, LearnError> {
        let is_mine = safe.contains(&pos).then_some(false);
        let before = self.probe.patches.clone();
        let changed = self.probe.click(&[Button::Left], pos)?;
        if changed.is_empty() {
            return Err(PlayError::ClicksDoNotShow { at: vec![pos], times: TRIES }.into());
        }
        let click = Answered { pos, changed: &changed, is_mine, before: &before };
        self.take_in(&click, safe, mined, first)
    }

    /// Takes in what a click opened. Returns whether the game goes on.
    fn take_in(
        &mut self,
        click: &Answered<'_>,
        safe: &[Pos],
        mined: &[Pos],
        first: bool,
    ) -> Result<bool, LearnError> {
        let Answered { pos, changed, is_mine, before } = *click;
        let (after, opened) = (self.probe.patches.clone(), self.probe.frame.clone());
        let mut looks = self.notes.looks.clone();
        let mut seen = self.seen.clone();
        // What is open stays so while a game goes on.
        let mut is_odd = false;
        for &at in changed {
            let index = seen.index(at);
            if at != pos
                && seen.at(at).is_unopened()
                && looks.known(&after[index]).is_none()
                && self.is_covered_all_the_same(at, &after[index])?
            {
                continue;
            }
            is_odd |= !seen.at(at).is_unopened();
            seen.sights[index] = Sight::Open(looks.of(&after[index]));
        }
        // A game is not won while a cell is left that is proven safe.
        let is_won = !safe.iter().any(|&other| seen.at(other).is_unopened());
        let doubtful = is_odd || is_mine.is_none() || is_won;
        log::debug!("opened {pos}: {} cells changed, {} looks", changed.len(), looks.len());
        let asked = self.still_covered(&seen, pos);
        if doubtful && !self.probe.goes_on(asked.unwrap_or(pos))? {
            self.over(pos, is_mine, mined, &[], before, first)?;
            return Ok(false);
        }
        self.notes.looks = looks;
        self.seen = seen;
        if first {
            let region = changed.len() > 1;
            self.notes.firsts.push(if region { First::Region } else { First::Number });
        }
        self.notes.see(&opened, &self.probe.lattice, &self.seen)?;
        Ok(true)
    }

    /// A cell that can be asked whether the game goes on: still covered, or else not open before.
    fn still_covered(&self, seen: &Seen, clicked: Pos) -> Option<Pos> {
        let covered = seen.positions().filter(|&pos| seen.at(pos) == Sight::Covered).last();
        let unopened =
            || seen.positions().find(|&pos| self.seen.at(pos).is_unopened() && pos != clicked);
        covered.or_else(unopened)
    }

    /// The game is over: waits until the board is at rest, and takes it in.
    fn over(
        &mut self,
        clicked: Pos,
        is_mine: Option<bool>,
        mined: &[Pos],
        wrong_flags: &[Pos],
        before: &[Patch],
        first: bool,
    ) -> Result<(), LearnError> {
        self.probe.settle(ENDED_AFTER, ENDED_AFTER)?;
        let board = self.notes.board(&self.seen);
        let ending = Ending {
            before: &self.seen,
            board: &board,
            clicked,
            is_mine,
            mined,
            wrong_flags,
            from: before,
            to: &self.probe.patches,
            looks: &self.notes.looks,
            flags: &self.flags,
            covered: &self.covered,
        };
        let (outcome, seen) = ending.read();
        if first && outcome == Outcome::Lost {
            self.notes.firsts.push(First::Mine);
        }
        if outcome == Outcome::Won && !self.notes.skin.game.won_only_with_flags {
            let by_itself = seen.sights.contains(&Sight::Flagged);
            self.notes.skin.game.flags_when_won |= by_itself;
        }
        self.notes.end(&self.probe.frame, &self.probe.lattice, &seen, outcome)?;
        Ok(())
    }

    /// Loses the game on purpose at `mine`, with a wrong flag on the board if a cell is proven safe.
    fn lose(&mut self, safe: &[Pos], mine: Pos, mined: &[Pos]) -> Result<(), LearnError> {
        self.tell("losing a game on purpose, to see what mines look like");
        let mut wrong: Vec<Pos> = Vec::new();
        if let Some(&pos) = safe.first()
            && self.probe.click(&[Button::Right], pos)? == [pos]
        {
            wrong.push(pos);
        }
        let before = self.probe.patches.clone();
        self.probe.click(&[Button::Left], mine)?;
        self.over(mine, Some(true), mined, &wrong, &before, false)
    }

    /// Every cell that is left is a mine, and the game goes on: flags them all, as some games want.
    fn flag_all(&mut self, mined: &[Pos]) -> Result<(), LearnError> {
        let before = self.probe.patches.clone();
        for &pos in mined {
            self.probe.click(&[Button::Right], pos)?;
        }
        self.probe.settle(SHOWS_WITHIN, SETTLED_AFTER)?;
        let is_over = match mined.first() {
            Some(&pos) => self.probe.click(&[Button::Right], pos)?.is_empty(),
            None => true,
        };
        if !is_over {
            self.notes.end(&self.probe.frame, &self.probe.lattice, &self.seen, Outcome::Unknown)?;
            return Ok(());
        }
        self.notes.skin.game.won_only_with_flags = true;
        let clicked = self.seen.positions().find(|&pos| !mined.contains(&pos));
        match clicked {
            Some(clicked) => self.over(clicked, Some(false), mined, &[], &before, false),
            None => Ok(()),
        }
    }

    /// Asks what the looks mean of which no number is proven.
    pub(super) fn ask_for_numbers(&mut self) {
        for (look, picture) in self.notes.unsure() {
            let possible = self.notes.meanings.possible(look);
            let number = self.probe.person.number(&picture, &possible);
            if let Some(number) = number.filter(|number| possible.contains(number)) {
                self.notes.meanings.decide(look, number);
            }
        }
    }

    // The next game.

    /// Starts a new game; returns whether it did.
    pub(super) fn new_game(&mut self) -> Result<bool, LearnError> {
        let is_known = self.notes.skin.game.new_game.is_some();
        for (control, hold) in self.controls() {
            if self.try_control(control, hold)? {
                if is_known {
                    return Ok(true);
                }
                let what = match control {
                    Control::Key(key) => key.to_string(),
                    Control::Click(_) => "a click above the board".to_owned(),
                };
                self.tell(&format!("{what} starts a new game"));
                self.notes.skin.game.new_game = Some(control);
                return Ok(true);
            }
        }
        if !is_known && let Some(key) = self.probe.person.new_game() {
            let control = Control::Key(key);
            let works = self.try_control(control, Duration::ZERO)?;
            self.notes.skin.game.new_game = works.then_some(control);
            return Ok(works);
        }
        Ok(false)
    }

    /// What may start a new game, and how long it is held: what is known to do so, a few times, or all there is.
    fn controls(&self) -> Vec<(Control, Duration)> {
        if let Some(control) = self.notes.skin.game.new_game {
            return (0..TRIES).map(|again| (control, HOLD_LONGER * again)).collect();
        }
        let pressed = |(ctrl, key)| Control::Key(Shortcut { ctrl, key });
        let letters = OTHER_KEYS.map(|letter| pressed((false, Key::Char(letter))));
        let face = |down| Control::Click(Spot { across: 0.5, right: 0.0, along: 0.0, down });
        let in_sight = |control: &Control| match control {
            Control::Key(key) => self.probe.guard.may_strike(*key),
            Control::Click(spot) => self.probe.area.contains(self.probe.lattice.spot(*spot)),
        };
        let controls = NEW_GAME_KEYS.map(pressed).into_iter().chain(FACES.map(face)).chain(letters);
        controls.filter(in_sight).map(|control| (control, Duration::ZERO)).collect()
    }

    /// Presses a control and looks whether the board is a new one.
    fn try_control(&mut self, control: Control, hold: Duration) -> Result<bool, LearnError> {
        let was_fresh = self.fresh().is_some();
        self.probe.press(control, hold)?;
        let Some(seen) = self.fresh() else { return Ok(false) };
        let anew = |pos: Pos| {
            let was_covered = self.seen.at(pos).is_unopened();
            !was_covered && seen.at(pos).is_unopened()
        };
        if was_fresh && !seen.positions().any(anew) {
            return Ok(false);
        }
        self.seen = seen;
        Ok(true)
    }

    /// The board, if it is one on which nobody has clicked yet.
    fn fresh(&self) -> Option<Seen> {
        let mut seen = self.seen.clone();
        seen.mines = None;
        let starts_open = self.notes.skin.game.starts_open;
        for pos in seen.positions() {
            let patch = self.probe.patch(pos);
            let at = seen.index(pos);
            seen.sights[at] = if self.is_covered_look(patch) {
                Sight::Covered
            } else {
                Sight::Open(self.notes.looks.known(patch).filter(|_| starts_open)?)
            };
        }
        Some(seen)
    }
}
