//! The course of learning a game: a fresh board, games, and the way from one to the next.
//!
//! An [`Explorer`] finds a grid of equal cells, and learns by doing: what a right click does to a cell that was
//! never opened, what a left click opens, what the end of a game looks like. What it sees goes into a
//! [`Notebook`], which works out what it means. It clicks what is proven safe as soon as anything is proven,
//! and guesses where it must. After every click of which it is not certain it asks the game whether it goes on:
//! a right click marks a cell while it does, and nothing any more when it is over. Where a game has no flags, or none before
//! its first click, what opened tells: a region in one piece, or mines all over the board. A single cell may be either;
//! then the next click that does nothing says that the game was over.
//!
//! Once, it loses on purpose: it flags a cell that is proven safe and opens one that is proven mined, and so
//! sees what a mine, the burst one and a wrong flag look like.

mod buttons;
mod chord;
mod error;
mod fresh;
mod game;
mod new_game;
mod person;
mod resume;
mod shift;
mod window;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub use error::LearnError;
pub use person::Person;
pub use resume::Studied;
use window::{CLICK_TRIES, UnknownWindow};

use super::guard::Guard;
use super::{Begun, PlayError};
use crate::board::{Pos, Status};
use crate::capture::{Frame, Screen};
use crate::geometry::Rect;
use crate::learn::from_play::{
    Bookmark, CellPatch, Flags, Grid, Notebook, Seen, Sight, changed, grids,
};
use crate::recognize::skin::{Control, GameBehaviour};
use crate::recognize::truncated::{ends_to_the_pixel, truncated_at};
use crate::recognize::{Lattice, ReadError, Side, Skin};
use crate::solver::odds::Workspace;

/// How long a picture must stay the same at the end of a game, when messages come and go.
const ENDED_AFTER: Duration = Duration::from_millis(5200);
/// The same where no message hides what was open: for as long as the next game may take to begin by itself, …
const ENDED_IN_SIGHT_AFTER: Duration = Duration::from_millis(2500);
/// … and where it is known what else starts one.
const ENDED_AND_KNOWN_AFTER: Duration = Duration::from_secs(1);
/// So many flags take a counter through all digits and once to the tens.
const FLAGS: usize = 10;
/// Cells of more looks than this are no fresh board.
const MOST_FRESH_CLUSTERS: usize = 12;

/// A game that is being learned.
pub(super) struct Explorer<'a> {
    window: UnknownWindow<'a>,
    notes: Notebook,
    /// How its cells were found.
    found_as: FoundAs,
    /// How covered cells look.
    covered: Vec<CellPatch>,
    /// How flags look.
    flags: Vec<CellPatch>,
    /// The board of the game in progress.
    seen: Seen,
    /// Whether a right click marks a cell, as far as was tried. While it does, a game goes on.
    flags_work: bool,
    /// Games that fitted no rules.
    forgotten: u32,
    /// Whether all of it is to be learned, or what it takes to play.
    is_thorough: bool,
    /// Whether it was tried how a chord is made.
    chords_tried: bool,
    /// What the window showed before the last click on a cell.
    before_click: Frame,
    /// What has started a new game since the last one was over, if something has.
    has_begun: Option<Control>,
    /// What the window showed before it was asked whether the game goes on.
    before_asking: Option<Frame>,
    /// The last click, where only later ones tell whether it ended the game.
    doubt: Option<Doubt>,
    workspace: Workspace,
}

/// How the cells of a board were found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FoundAs {
    /// As what repeats like a grid.
    Grid,
    /// As equal pieces of one colour.
    Pieces,
    /// As the board of another skin, as which they were read.
    Reading,
}

/// A click on an unopened cell, and what it changed.
struct Answered<'c> {
    pos: Pos,
    changed: &'c [Pos],
    /// Whether the cell is known to be a mine, or none.
    is_mine: Option<bool>,
    /// How the board looked before.
    before: &'c [CellPatch],
}

/// A click after which nothing told whether the game goes on, and what was known before it.
struct Doubt {
    pos: Pos,
    is_first: bool,
    before: Vec<CellPatch>,
    seen: Seen,
    notes: Bookmark,
}

impl<'a> Explorer<'a> {
    /// Finds the cells and learns what marks look like, on a fresh board: if there is none, a new game is started.
    pub(super) fn begin(
        screen: &'a mut dyn Screen,
        mut guard: Guard<'a>,
        stop: Arc<AtomicBool>,
        person: &'a mut dyn Person,
        known: Skin,
        begun: Option<Begun>,
        is_thorough: bool,
    ) -> Result<Self, LearnError> {
        guard.take_hold()?;
        let (grid, covered) = match begun {
            Some(Begun { grid, covered }) => (Some(grid), covered),
            None => (None, Vec::new()),
        };
        let mut explorer = Self::find_cells(
            screen,
            guard,
            stop,
            person,
            known.clone(),
            grid.clone(),
            is_thorough,
        )?;
        if explorer.take_over(&covered)? || explorer.learn_fresh(false)? {
            return Ok(explorer);
        }
        let new_game = Some(explorer.leave_for_new()?);
        let known = Skin { game: GameBehaviour { new_game, ..known.game }, ..known };
        let UnknownWindow { screen, guard, stop, person, .. } = explorer.window;
        let mut explorer = Self::find_cells(screen, guard, stop, person, known, grid, is_thorough)?;
        if explorer.learn_fresh(true)? {
            return Ok(explorer);
        }
        let (cols, rows) = (explorer.seen.cols, explorer.seen.rows);
        Err(LearnError::NotFresh { cols, rows, area: explorer.window.lattice.area() })
    }

    /// Finds the cells, unless it is known where they are.
    fn find_cells(
        screen: &'a mut dyn Screen,
        guard: Guard<'a>,
        stop: Arc<AtomicBool>,
        person: &'a mut dyn Person,
        known: Skin,
        grid: Option<Grid>,
        is_thorough: bool,
    ) -> Result<Self, LearnError> {
        let area = screen.area()?;
        let frame = screen.look(area)?;
        let is_given = grid.is_some();
        let Some(grid) = grid.or_else(|| grids(&frame).into_iter().next()) else {
            return Err(LearnError::NoGrid { area });
        };
        let mut notes = Notebook::new(known, &frame, &grid);
        let Grid { mut lattice, gap, is_whole } = grid;
        if !is_given && !is_whole {
            lattice = notes.whole(&frame, lattice);
        }
        let in_picture = lattice.moved(-frame.origin.x, -frame.origin.y);
        let cut = truncated_at(&frame.pixels, &in_picture, notes.skin.gap_width());
        // A board may be below a bar or beside a list in a window that is just large enough, if all of it is on the screen.
        // Where the window goes on beyond the screen, the board may.
        let is_in_sight = frame.area() == area;
        let ends =
            |&side: &Side| is_in_sight && ends_to_the_pixel(&frame.pixels, &in_picture, side);
        match cut {
            Some(side) if ends(&side) => notes.skin.game.ends_with_window = true,
            Some(side) if !(is_given || is_whole && is_in_sight) => {
                return Err(ReadError::CutOff { area: lattice.area(), side }.into());
            }
            _ => {}
        }
        let (width, height) = lattice.pitch();
        let gap = gap.map_or(String::new(), |gap| format!(" with {} between", gap.width));
        person.told(&format!(
            "{}x{} cells of {width:.1}x{height:.1} pixels{gap} at {}",
            lattice.cols(),
            lattice.rows(),
            lattice.area()
        ));
        let (cut, dialogs) = (notes.skin.clone(), notes.skin.game.dialogs.clone());
        let patches = Vec::new();
        let may_have_dialogs = false;
        let window = UnknownWindow {
            screen,
            guard,
            stop,
            person,
            cut,
            lattice,
            area,
            frame,
            patches,
            may_have_dialogs,
            dialogs,
            has_menu: false,
            behind: None,
            hold: Duration::from_millis(notes.skin.game.hold_ms),
            late: 0,
            was_late: false,
            awaits_game: false,
        };
        let found_as = match (is_given, is_whole) {
            (true, _) => FoundAs::Reading,
            (false, true) => FoundAs::Pieces,
            (false, false) => FoundAs::Grid,
        };
        let studied = Studied::of(notes, found_as);
        Self::at(window, studied, is_thorough)
    }

    /// At this window, with what is known already.
    fn at(
        window: UnknownWindow<'a>,
        studied: Studied,
        is_thorough: bool,
    ) -> Result<Self, LearnError> {
        let Studied { notes, found_as, covered, flags, flags_work, has_menu, forgotten } = studied;
        let seen = Seen {
            cols: window.lattice.cols(),
            rows: window.lattice.rows(),
            sights: vec![Sight::Unknown; window.lattice.cells().count()],
            mines: None,
        };
        let before_click = window.frame.clone();
        let mut explorer = Self {
            window: UnknownWindow { has_menu, ..window },
            notes,
            found_as,
            covered,
            flags,
            seen,
            flags_work,
            forgotten,
            is_thorough,
            chords_tried: false,
            before_click,
            has_begun: None,
            before_asking: None,
            doubt: None,
            workspace: Workspace::default(),
        };
        explorer.window.park()?;
        Ok(explorer)
    }

    fn is_covered_look(&self, patch: &CellPatch) -> bool {
        self.covered.iter().any(|covered| self.notes.clusters.alike(covered, patch))
    }

    /// Whether the cell at `pos` is still covered although it looks different: some games draw a covered cell otherwise
    /// where its neighbours are open. If it looks nearly like one, a right click tells.
    fn is_covered_all_the_same(&mut self, pos: Pos, patch: &CellPatch) -> Result<bool, LearnError> {
        if self.is_covered_look(patch) {
            return Ok(true);
        }
        let is_near = |covered: &CellPatch| self.notes.clusters.nearly_alike(covered, patch);
        let is_covered =
            self.covered.iter().any(is_near) && self.flags_work && self.window.takes_mark(pos)?;
        if is_covered {
            self.covered.push(patch.clone());
        }
        Ok(is_covered)
    }

    fn see(&mut self, pos: Pos, sight: Sight) {
        let at = self.seen.index(pos);
        self.seen.sights[at] = sight;
    }

    /// Keeps pictures of the marks; the first is a flag, a second one a question mark.
    fn keep_marks(&mut self, pos: Pos, fresh: &Frame, marks: &[(CellPatch, Frame)]) {
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
        let before = self.window.patches.clone();
        let fresh = self.window.frame.clone();
        let mut frames = vec![fresh.clone()];
        let mut set: Vec<Pos> = Vec::new();
        for pos in covered {
            set.push(pos);
            if self.window.right_click(pos)? != [pos] {
                break;
            }
            if set.len() == 1 && !self.differs_beside_board(&fresh) {
                // There is no counter.
                break;
            }
            frames.push(self.window.frame.clone());
        }
        if !self.unmark(&set, &before)? {
            return Err(PlayError::ClicksDoNotShow { at: set, times: CLICK_TRIES }.into());
        }
        let lattice = self.window.lattice.clone();
        self.notes.flags = Some(Flags { frames, lattice });
        Ok(())
    }

    /// Whether the window shows something else beside the board than it did.
    fn differs_beside_board(&self, before: &Frame) -> bool {
        let UnknownWindow { frame, lattice, .. } = &self.window;
        let Rect { x, y, width, height } = lattice.area();
        let (x, y) = ((x - frame.origin.x) as u32, (y - frame.origin.y) as u32);
        let is_inside =
            |at: (u32, u32)| (x..x + width).contains(&at.0) && (y..y + height).contains(&at.1);
        let mut pixels = frame.pixels.enumerate_pixels().zip(before.pixels.pixels());
        pixels.any(|((x, y, now), then)| now != then && !is_inside((x, y)))
    }

    /// Takes the marks off these cells; returns whether they look as `before` then, or as covered cells that were clicked.
    fn unmark(&mut self, cells: &[Pos], before: &[CellPatch]) -> Result<bool, LearnError> {
        let is_marked = |explorer: &Self, pos: Pos| {
            let now = explorer.window.patch(pos);
            let mut unmarked = explorer.covered.iter().chain([&before[explorer.window.index(pos)]]);
            unmarked.all(|look| changed(look, now))
        };
        for &pos in cells {
            for _ in 0..CLICK_TRIES {
                if is_marked(self, pos) {
                    self.window.right_click(pos)?;
                }
            }
        }
        Ok(!cells.iter().any(|&pos| is_marked(self, pos)))
    }

    /// Keeps a picture of which nothing but the cell at `pos` is known.
    fn keep_alone(&mut self, pos: Pos, sight: Sight, frame: &Frame) {
        let mut seen = self.seen.clone();
        seen.sights.fill(Sight::Unknown);
        let at = seen.index(pos);
        seen.sights[at] = sight;
        self.notes.keep(frame, &self.window.lattice, &seen, Status::Playing);
    }

    /// Whether more games would hardly tell more.
    pub(super) fn knows_all(&self) -> bool {
        self.notes.is_full()
    }

    /// Whether it is known how to play, and what the end of a game looks like.
    pub(super) fn can_play(&self) -> bool {
        self.notes.is_enough()
    }

    /// Whether a game was played to its end.
    pub(super) fn has_ended_a_game(&self) -> bool {
        !self.notes.outcomes.is_empty()
    }

    /// Where the board is.
    pub(super) fn lattice(&self) -> &Lattice {
        &self.window.lattice
    }

    /// What was learned.
    pub(super) fn end(self) -> Studied {
        let UnknownWindow { dialogs, has_menu, hold, .. } = self.window;
        let mut notes = self.notes;
        notes.skin.game.dialogs = dialogs;
        notes.skin.game.hold_ms = hold.as_millis() as u64;
        Studied {
            notes,
            found_as: self.found_as,
            covered: self.covered,
            flags: self.flags,
            flags_work: self.flags_work,
            has_menu,
            forgotten: self.forgotten,
        }
    }

    pub(super) fn tell(&mut self, what: &str) {
        self.window.person.told(what);
    }

    /// Asks what the looks mean of which no number is proven.
    pub(super) fn ask_for_numbers(&mut self) {
        for (look, picture) in self.notes.unsure() {
            let possible = self.notes.meanings.possible(look);
            let number = self.window.person.number(&picture, &possible);
            if let Some(number) = number.filter(|number| possible.contains(number)) {
                self.notes.meanings.decide(look, number);
            }
        }
    }
}
