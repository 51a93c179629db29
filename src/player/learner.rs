//! Playing a game of which no skin is known, to learn one.
//!
//! A [`Learner`] finds a grid of equal cells, and learns by doing: what a right click does to a cell that was
//! never opened, what a left click opens, what the end of a game looks like. What it sees goes into a
//! [`Notebook`], which works out what it means. It clicks what is proven safe as soon as anything is proven,
//! and guesses where it must. After every click of which it is not certain it asks the game whether it goes on:
//! a right click marks a cell while it does, and nothing any more when it is over.
//!
//! Once, it loses on purpose: it flags a cell that is proven safe and opens one that is proven mined, and so
//! sees what a mine, the burst one and a wrong flag look like.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::PlayError;
use super::guard::Guard;
use super::patience::Patience;
use super::person::Person;
use crate::board::{Pos, Status};
use crate::calibrate::CalibrateError;
use crate::capture::{Frame, Screen, Standing};
use crate::geometry::Rect;
use crate::input::{Button, Hands, Key, Shortcut};
use crate::learn::{
    Contradiction, Ending, First, Grid, Learned, Notebook, Outcome, Seen, Sight, changed, grids,
    position,
};
use crate::recognize::patch::Patch;
use crate::recognize::skin::{Control, Dialog, GameWays, Spot};
use crate::recognize::{Lattice, Skin};
use crate::solver::odds::Workspace;

/// How long a click may take to show.
const SHOWS_WITHIN: Duration = Duration::from_millis(600);
/// How long a picture must stay the same to be taken for finished.
const SETTLED_AFTER: Duration = Duration::from_millis(120);
/// The same at the end of a game, when messages come and go.
const ENDED_AFTER: Duration = Duration::from_millis(5200);
/// How long a picture may take to become finished.
const SETTLES_WITHIN: Duration = Duration::from_secs(10);
/// How long a new game may take to show.
const NEW_GAME_WITHIN: Duration = Duration::from_millis(1500);
/// A click is sent so many times before it counts as one that does nothing.
const TRIES: u32 = 3;
/// By how much longer a click is held with each time that it is sent again.
const HOLD_LONGER: Duration = Duration::from_millis(30);
/// The keys that start a new game in some game, those first that do no harm in the others.
const NEW_GAME_KEYS: [(bool, Key); 4] =
    [(false, Key::F(2)), (true, Key::Char('r')), (false, Key::Char('n')), (true, Key::Char('n'))];
/// How far above the board a button for a new game may be, in cells.
const FACES: [f64; 7] = [-1.0, -1.5, -1.9, -2.3, -2.8, -3.3, -4.0];
/// The share of the board that must be open before a game is lost on purpose.
const ENOUGH: f32 = 0.35;
/// Cells of more looks than this are no fresh board.
const MOST_FRESH_LOOKS: usize = 12;

/// Everything that learning takes.
pub struct Learner<'a> {
    /// The window to look at.
    pub screen: &'a mut dyn Screen,
    /// What to press with.
    pub hands: &'a mut dyn Hands,
    /// Becomes true when learning is to stop, from whatever thread.
    pub stop: Arc<AtomicBool>,
    /// Told what happens, and asked as a last resort.
    pub person: &'a mut dyn Person,
}

impl Learner<'_> {
    /// Plays at most `games` games of what is on the screen and learns its skin. `known` is what is known
    /// of it: its name, and whatever of its ways.
    ///
    /// # Errors
    /// When there are no cells that can be told, when they follow no rules of Minesweeper, or when
    /// something gets in the way; what had been learned by then is lost.
    pub fn learn(self, known: Skin, games: u32) -> Result<Learned, LearnError> {
        let mut lesson = Lesson::begin(self, known)?;
        for game in 0..games {
            if game > 0 && !lesson.new_game()? {
                lesson.person.told("no new game could be started");
                break;
            }
            lesson.game(game)?;
            let (numbers, outcome) =
                (lesson.notes.numbers(), lesson.notes.outcomes.last().copied());
            let how = match outcome {
                Some(Outcome::Won) => "won",
                Some(Outcome::Lost) => "lost",
                Some(Outcome::Unknown) | None => "over",
            };
            lesson
                .person
                .told(&format!("game {}: {how}; numbers proven so far: {numbers:?}", game + 1));
            if lesson.notes.is_full() && game > 0 {
                // A way to the next game is a part of what is learned.
                break;
            }
        }
        lesson.ask_for_numbers();
        Ok(lesson.notes.learned()?)
    }
}

/// Why no skin was learned.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// Nothing looks like a board.
    #[error(
        "nothing in {area} repeats like a grid of cells; is a whole board in sight, with at least 5x5 cells?"
    )]
    NoGrid {
        /// The part of the screen that was searched.
        area: Rect,
    },
    /// A right click sets no flag.
    #[error(
        "the {cols}x{rows} cells at {area} do not answer to a right click with a flag; \
         is this a fresh game, and a Minesweeper?"
    )]
    NoFlag {
        /// Columns of the grid.
        cols: u16,
        /// Rows of the grid.
        rows: u16,
        /// Where it is.
        area: Rect,
    },
    /// The board is no fresh one.
    #[error("the {cols}x{rows} cells at {area} look {looks} ways; start a new game and try again")]
    NotFresh {
        /// Columns of the grid.
        cols: u16,
        /// Rows of the grid.
        rows: u16,
        /// Where it is.
        area: Rect,
        /// How many looks the cells have.
        looks: usize,
    },
    /// What was seen fits no rules.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// The pictures do not make a skin.
    #[error("what was seen does not make a skin")]
    Skin(#[from] CalibrateError),
    /// Something got in the way.
    #[error(transparent)]
    Play(#[from] PlayError),
}

impl From<crate::capture::CaptureError> for LearnError {
    fn from(error: crate::capture::CaptureError) -> Self {
        LearnError::Play(error.into())
    }
}

/// A game that is being learned.
struct Lesson<'a> {
    screen: &'a mut dyn Screen,
    guard: Guard<'a>,
    stop: Arc<AtomicBool>,
    person: &'a mut dyn Person,
    notes: Notebook,
    lattice: Lattice,
    /// The window.
    area: Rect,
    frame: Frame,
    patches: Vec<Patch>,
    /// How covered cells look.
    covered: Vec<Patch>,
    /// How a flag looks.
    flag: Option<Patch>,
    /// How a question mark looks.
    question: Option<Patch>,
    /// The board of the game in progress.
    seen: Seen,
    workspace: Workspace,
}

impl<'a> Lesson<'a> {
    /// Finds the cells and learns what marks look like.
    fn begin(learner: Learner<'a>, known: Skin) -> Result<Self, LearnError> {
        let Learner { screen, hands, stop, person } = learner;
        let area = screen.area()?;
        let frame = screen.look(area)?;
        let Some(grid) = grids(&frame).into_iter().next() else {
            return Err(LearnError::NoGrid { area });
        };
        let notes = Notebook::new(known, &frame, &grid);
        let Grid { lattice, gap } = grid;
        let lattice = notes.whole(&frame, lattice);
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
        let mut lesson = Self {
            screen,
            guard: Guard::new(hands, stop.clone()),
            stop,
            person,
            notes,
            lattice,
            area,
            frame,
            patches: Vec::new(),
            covered: Vec::new(),
            flag: None,
            question: None,
            seen,
            workspace: Workspace::default(),
        };
        lesson.guard.park(&lesson.lattice, area)?;
        lesson.settle(SETTLED_AFTER, SETTLED_AFTER)?;
        lesson.learn_fresh()?;
        Ok(lesson)
    }

    // What is on the screen.

    /// Looks at the window as it is now.
    fn look(&mut self) -> Result<(), LearnError> {
        self.frame = self.screen.look(self.area)?;
        self.patches =
            self.notes.patches(&self.frame, &self.lattice).ok_or(PlayError::BoardHidden)?;
        Ok(())
    }

    /// Waits for a change of the board, at most for `first`, and then until it stays the same for `quiet`.
    fn settle(&mut self, first: Duration, quiet: Duration) -> Result<(), LearnError> {
        let board = self.lattice.area();
        let mut whole = Patience::of(SETTLES_WITHIN);
        let mut now = self.frame.crop(board).ok_or(PlayError::BoardHidden)?;
        let mut still = Patience::of(first);
        while !still.is_over() && !whole.is_over() {
            if self.stop.load(Ordering::Relaxed) {
                return Err(PlayError::Interrupted.into());
            }
            let (changed, spent) = still.wait(self.screen, &mut now)?;
            whole.spend(spent);
            if !changed.is_empty() {
                still = Patience::of(quiet);
            }
        }
        self.attend()?;
        self.look()
    }

    /// Makes sure that nothing is in front: closes a dialog, and remembers it.
    fn attend(&mut self) -> Result<(), LearnError> {
        let mut keys = [Key::Escape, Key::Return].into_iter();
        loop {
            match self.screen.standing()? {
                Standing::There => return Ok(()),
                Standing::Gone => return Err(PlayError::WindowGone.into()),
                Standing::Moved(to) => {
                    if (to.width, to.height) != (self.area.width, self.area.height) {
                        return Err(PlayError::BoardHidden.into());
                    }
                    self.lattice = self.lattice.moved(to.x - self.area.x, to.y - self.area.y);
                    self.area = self.screen.area()?;
                    return Ok(());
                }
                Standing::Covered { by } => {
                    // What is in front before the game has answered a click is none of its dialogs.
                    let Some(key) = keys.next().filter(|_| self.flag.is_some()) else {
                        return Err(PlayError::Covered { by }.into());
                    };
                    let dialog = Dialog { title: by.clone(), key: Shortcut { ctrl: false, key } };
                    self.person.told(&format!("'{by}' came up: pressing {}", dialog.key));
                    self.guard.close(&dialog)?;
                    self.pause(Duration::from_millis(800))?;
                    if self.screen.standing()? == Standing::There {
                        let known = &mut self.notes.skin.game.dialogs;
                        if !known.contains(&dialog) {
                            known.push(dialog);
                        }
                    }
                }
            }
        }
    }

    /// Lets some time pass.
    fn pause(&mut self, time: Duration) -> Result<(), LearnError> {
        let mut patience = Patience::of(time);
        let mut frame = self.frame.clone();
        while !patience.is_over() {
            patience.wait(self.screen, &mut frame)?;
        }
        Ok(())
    }

    fn patch(&self, pos: Pos) -> &Patch {
        &self.patches[self.seen.index(pos)]
    }

    /// The cells that look different from `before`.
    fn changed_since(&self, before: &[Patch]) -> Vec<Pos> {
        let is_changed = |&pos: &Pos| {
            let at = self.seen.index(pos);
            changed(&before[at], &self.patches[at])
        };
        self.seen.positions().filter(is_changed).collect()
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
        let is_covered = self.covered.iter().any(is_near) && self.goes_on(pos)?;
        if is_covered {
            self.covered.push(patch.clone());
        }
        Ok(is_covered)
    }

    // What is pressed.

    /// Clicks the cell at `pos` until something changes, a few times at most. Returns what changed.
    fn click(&mut self, button: Button, pos: Pos) -> Result<Vec<Pos>, LearnError> {
        let before = self.patches.clone();
        for again in 0..TRIES {
            self.attend()?;
            let hold = HOLD_LONGER * again;
            self.guard.click_cell(&[button], &self.lattice, self.area, pos, hold)?;
            self.guard.park(&self.lattice, self.area)?;
            self.settle(SHOWS_WITHIN, SETTLED_AFTER)?;
            let changed = self.changed_since(&before);
            if !changed.is_empty() {
                return Ok(changed);
            }
        }
        Ok(Vec::new())
    }

    /// Right clicks on the cell at `pos` until it looks as it does now again. Returns how it looked
    /// between; nothing if it does not answer.
    fn marks(&mut self, pos: Pos) -> Result<Vec<(Patch, Frame)>, LearnError> {
        let start = self.patch(pos).clone();
        let mut marks = Vec::new();
        while marks.len() < 3 {
            let answered = self.click(Button::Right, pos)?;
            if answered != [pos] || !changed(&start, self.patch(pos)) {
                break;
            }
            marks.push((self.patch(pos).clone(), self.frame.clone()));
        }
        Ok(marks)
    }

    /// Whether the game goes on: then a right click marks a cell. `pos` was not opened before.
    fn goes_on(&mut self, pos: Pos) -> Result<bool, LearnError> {
        Ok(!self.marks(pos)?.is_empty())
    }

    // The fresh board.

    /// Learns which looks of the first board are covered cells, and what marks look like.
    fn learn_fresh(&mut self) -> Result<(), LearnError> {
        let mut looks: Vec<Vec<Pos>> = Vec::new();
        for pos in self.seen.positions() {
            let alike = |group: &&mut Vec<Pos>| {
                self.notes.looks.alike(self.patch(group[0]), self.patch(pos))
            };
            match looks.iter_mut().find(alike) {
                Some(group) => group.push(pos),
                None => looks.push(vec![pos]),
            }
        }
        looks.sort_by_key(|group| std::cmp::Reverse(group.len()));
        let (cols, rows, area) = (self.seen.cols, self.seen.rows, self.lattice.area());
        if looks.len() > MOST_FRESH_LOOKS {
            return Err(LearnError::NotFresh { cols, rows, area, looks: looks.len() });
        }
        for group in looks {
            // Not at the border: the grid may be too large by a line.
            let pos = group[group.len() / 2];
            let fresh = self.frame.clone();
            let patch = self.patch(pos).clone();
            let marks = self.marks(pos)?;
            log::debug!(
                "{} cells look like {pos}; a right click does {}",
                group.len(),
                marks.len()
            );
            if marks.is_empty() {
                let look = self.notes.looks.of(&patch);
                group.iter().for_each(|&pos| self.see(pos, Sight::Open(look)));
                self.notes.skin.game.starts_open = true;
                continue;
            }
            group.iter().for_each(|&pos| self.see(pos, Sight::Covered));
            self.covered.push(patch);
            if self.flag.is_none() {
                self.keep_marks(pos, &fresh, &marks);
                self.keep_highlight(pos)?;
            }
        }
        if self.flag.is_none() {
            return Err(LearnError::NoFlag { cols, rows, area });
        }
        let status = if self.notes.skin.game.starts_open { Status::Playing } else { Status::Fresh };
        self.notes.keep(&self.frame, &self.lattice, &self.seen, status);
        self.person.told(if self.question.is_some() {
            "right clicks set a flag, then a question mark"
        } else {
            "a right click sets a flag"
        });
        Ok(())
    }

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
            match sight {
                Sight::Flagged => self.flag = Some(patch.clone()),
                _ => self.question = Some(patch.clone()),
            }
        }
        self.notes.skin.game.question_marks = self.question.is_some();
    }

    /// Keeps a picture of the covered cell at `pos` under the pointer, if it looks different there.
    fn keep_highlight(&mut self, pos: Pos) -> Result<(), LearnError> {
        let before = self.patch(pos).clone();
        self.guard.hover(&self.lattice, pos)?;
        self.settle(SETTLED_AFTER, SETTLED_AFTER)?;
        if changed(&before, self.patch(pos)) {
            self.keep_alone(pos, Sight::Covered, &self.frame.clone());
        }
        self.guard.park(&self.lattice, self.area)?;
        self.settle(SETTLED_AFTER, SETTLED_AFTER)
    }

    /// Keeps a picture of which nothing but the cell at `pos` is known.
    fn keep_alone(&mut self, pos: Pos, sight: Sight, frame: &Frame) {
        let mut seen = self.seen.clone();
        seen.sights.fill(Sight::Unknown);
        let at = seen.index(pos);
        seen.sights[at] = sight;
        self.notes.keep(frame, &self.lattice, &seen, Status::Playing);
    }

    // A game.

    /// Plays one game to its end.
    fn game(&mut self, number: u32) -> Result<(), LearnError> {
        let mut clicks = 0;
        if self.notes.skin.game.starts_open {
            self.notes.see(&self.frame, &self.lattice, &self.seen)?;
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
            if !self.notes.knows(Outcome::Lost) && known && enough && !mined.is_empty() {
                return self.lose(&safe, mined[mined.len() / 2], &mined);
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
        let before = self.patches.clone();
        let changed = self.click(Button::Left, pos)?;
        if changed.is_empty() {
            return Err(PlayError::ClicksDoNotShow { at: vec![pos], times: TRIES }.into());
        }
        let (after, opened) = (self.patches.clone(), self.frame.clone());
        let mut looks = self.notes.looks.clone();
        let mut seen = self.seen.clone();
        // What is open stays so while a game goes on.
        let mut is_odd = false;
        for &at in &changed {
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
        if doubtful && !self.goes_on(asked.unwrap_or(pos))? {
            self.over(pos, is_mine, mined, &[], &before, first)?;
            return Ok(false);
        }
        self.notes.looks = looks;
        self.seen = seen;
        if first {
            let region = changed.len() > 1;
            self.notes.firsts.push(if region { First::Region } else { First::Number });
        }
        self.notes.see(&opened, &self.lattice, &self.seen)?;
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
        self.settle(ENDED_AFTER, ENDED_AFTER)?;
        let Some(flag) = &self.flag else { return Ok(()) };
        let board = self.notes.board(&self.seen);
        let ending = Ending {
            before: &self.seen,
            board: &board,
            clicked,
            is_mine,
            mined,
            wrong_flags,
            from: before,
            to: &self.patches,
            looks: &self.notes.looks,
            flag,
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
        self.notes.end(&self.frame, &self.lattice, &seen, outcome)?;
        Ok(())
    }

    /// Loses the game on purpose at `mine`, with a wrong flag on the board if a cell is proven safe.
    fn lose(&mut self, safe: &[Pos], mine: Pos, mined: &[Pos]) -> Result<(), LearnError> {
        self.person.told("losing a game on purpose, to see what mines look like");
        let mut wrong: Vec<Pos> = Vec::new();
        if let Some(&pos) = safe.first()
            && self.click(Button::Right, pos)? == [pos]
        {
            wrong.push(pos);
        }
        let before = self.patches.clone();
        self.click(Button::Left, mine)?;
        self.over(mine, Some(true), mined, &wrong, &before, false)
    }

    /// Every cell that is left is a mine, and the game goes on: flags them all, as some games want.
    fn flag_all(&mut self, mined: &[Pos]) -> Result<(), LearnError> {
        let before = self.patches.clone();
        for &pos in mined {
            self.click(Button::Right, pos)?;
        }
        self.settle(SHOWS_WITHIN, SETTLED_AFTER)?;
        let is_over = match mined.first() {
            Some(&pos) => self.click(Button::Right, pos)?.is_empty(),
            None => true,
        };
        if !is_over {
            self.notes.end(&self.frame, &self.lattice, &self.seen, Outcome::Unknown)?;
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
    fn ask_for_numbers(&mut self) {
        for (look, picture) in self.notes.unsure() {
            let possible = self.notes.meanings.possible(look);
            let number = self.person.number(&picture, &possible);
            if let Some(number) = number.filter(|number| possible.contains(number)) {
                self.notes.meanings.decide(look, number);
            }
        }
    }

    // The next game.

    /// Starts a new game; returns whether it did.
    fn new_game(&mut self) -> Result<bool, LearnError> {
        if let Some(control) = self.notes.skin.game.new_game {
            for again in 0..TRIES {
                if self.try_control(control, HOLD_LONGER * again)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let keys = NEW_GAME_KEYS.map(|(ctrl, key)| Control::Key(Shortcut { ctrl, key }));
        let face = |down| Control::Click(Spot { across: 0.5, right: 0.0, along: 0.0, down });
        let in_sight = |control: &Control| match control {
            Control::Key(_) => true,
            Control::Click(spot) => self.area.contains(self.lattice.spot(*spot)),
        };
        let controls: Vec<Control> =
            keys.into_iter().chain(FACES.map(face)).filter(in_sight).collect();
        for control in controls {
            if self.try_control(control, Duration::ZERO)? {
                let what = match control {
                    Control::Key(key) => key.to_string(),
                    Control::Click(_) => "a click above the board".to_owned(),
                };
                self.person.told(&format!("{what} starts a new game"));
                self.notes.skin.game.new_game = Some(control);
                return Ok(true);
            }
        }
        if let Some(key) = self.person.new_game() {
            let control = Control::Key(key);
            let works = self.try_control(control, Duration::ZERO)?;
            self.notes.skin.game.new_game = works.then_some(control);
            return Ok(works);
        }
        Ok(false)
    }

    /// Presses a control and looks whether the board is a new one.
    fn try_control(&mut self, control: Control, hold: Duration) -> Result<bool, LearnError> {
        self.attend()?;
        let ways = GameWays { new_game: Some(control), ..GameWays::default() };
        self.guard.new_game(&ways, &self.lattice, self.area, hold)?;
        self.guard.park(&self.lattice, self.area)?;
        self.settle(NEW_GAME_WITHIN, 3 * SETTLED_AFTER)?;
        let Some(seen) = self.fresh() else { return Ok(false) };
        let anew = |pos: Pos| {
            let was_covered = self.seen.at(pos).is_unopened();
            !was_covered && seen.at(pos).is_unopened()
        };
        if !seen.positions().any(anew) {
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
            let patch = self.patch(pos);
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
