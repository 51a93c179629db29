//! Pressing and seeing a game of which no skin is known: what a click changes, and whether the game answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::game::region;
use super::shift::shift;
use super::{LearnError, Person};
use crate::board::{Board, Pos};
use crate::capture::{CaptureError, Frame, Screen, Standing};
use crate::geometry::{Px, Rect};
use crate::input::{Button, Key, Shortcut};
use crate::learn::from_play::{CellPatch, changed, grids, patches};
use crate::play::PlayError;
use crate::play::guard::{Guard, Hindrance, Pressed};
use crate::play::patience::{GETS_KEYBOARD_WITHIN, HOLD_LONGER, Patience, SLICE};
use crate::recognize::skin::{Control, Dialog, EndMessage, GameBehaviour};
use crate::recognize::{Lattice, Skin};

/// How long a click may take to show.
pub(super) const SHOWS_WITHIN: Duration = Duration::from_millis(600);
/// How long a picture must stay the same to be taken for finished.
pub(super) const SETTLED_AFTER: Duration = Duration::from_millis(120);
/// How long a picture may take to become finished.
const SETTLES_WITHIN: Duration = Duration::from_secs(10);
/// How long a new game may take to show.
const NEW_GAME_WITHIN: Duration = Duration::from_millis(800);
/// How long a menu may take to close.
const MENU_CLOSES_WITHIN: Duration = Duration::from_millis(500);
/// A click is sent so many times before it counts as one that does nothing.
pub(super) const CLICK_TRIES: u32 = 3;
/// After so many clicks in a row that were lost at first a button is held longer. Chosen.
const LATE: u32 = 2;
/// So many other cells may look otherwise by a click: the one that had the keyboard.
pub(super) const LIT: usize = 1;
/// Cells are as large as others if their pitches differ by less than this, in pixels: cells are whole pixels large. Chosen.
const SAME_PITCH: f64 = 0.5;
/// So many right clicks set a flag and a question mark, take them off, and set a flag again.
const ROUND_OF_MARKS: usize = 4;

/// A window with equal cells, and what to press them with.
pub(super) struct UnknownWindow<'a> {
    pub screen: &'a mut dyn Screen,
    pub guard: Guard<'a>,
    pub stop: Arc<AtomicBool>,
    pub person: &'a mut dyn Person,
    /// How cells are cut: a skin without templates.
    pub cut: Skin,
    pub lattice: Lattice,
    /// The window.
    pub area: Rect,
    /// What the window showed last.
    pub frame: Frame,
    /// Its cells, row by row.
    pub patches: Vec<CellPatch>,
    /// Whether a cell was clicked with the left button, or a right click has marked one: only then the game may have dialogs.
    pub may_have_dialogs: bool,
    /// The dialogs that came up, and what closes them.
    pub dialogs: Vec<Dialog>,
    /// Whether a right click brought up a menu: then no other one is made.
    pub has_menu: bool,
    /// What the window showed before a dialog was closed just now.
    pub behind: Option<Frame>,
    /// How long a button is held down: as long as it took where clicks were answered at a second or third try only. Some games
    /// look at the mouse now and then.
    pub hold: Duration,
    /// How many clicks in a row were answered so.
    pub late: u32,
    /// Whether any was.
    pub was_late: bool,
    /// Whether a new game was asked for, which may come in another window.
    pub awaits_game: bool,
}

impl UnknownWindow<'_> {
    /// Looks at the window as it is now.
    pub(super) fn look(&mut self) -> Result<(), LearnError> {
        self.frame = self.screen.look(self.area)?;
        self.patches =
            patches(&self.cut, &self.frame, &self.lattice).ok_or(PlayError::BoardHidden)?;
        Ok(())
    }

    /// Waits for a change of the board, at most for `first`, and then until it stays the same for `quiet`.
    pub(super) fn settle(&mut self, first: Duration, quiet: Duration) -> Result<(), LearnError> {
        let board = self.lattice.area();
        let mut whole = Patience::of(SETTLES_WITHIN);
        let mut now = self.frame.crop(board).ok_or(PlayError::BoardHidden)?;
        let mut still = Patience::of(first);
        while !still.is_over() && !whole.is_over() {
            if self.stop.load(Ordering::Relaxed) {
                return Err(PlayError::Interrupted.into());
            }
            let (changed, spent) = match still.wait(self.screen, &mut now) {
                Ok(waited) => waited,
                Err(error) if self.is_elsewhere(&error) => {
                    self.attend()?;
                    now = self.screen.look(self.lattice.area())?;
                    whole.spend(SLICE);
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            whole.spend(spent);
            if !changed.is_empty() {
                still = Patience::of(quiet);
            }
        }
        self.attend()?;
        self.look()
    }

    /// Makes sure that nothing is in front: closes a dialog of the game, and remembers it. What is of another program, or
    /// leaves the keyboard to another one, is not the learner's to close.
    pub(super) fn attend(&mut self) -> Result<(), LearnError> {
        let mut keys =
            [Key::Escape, Key::Return].map(|key| Shortcut { ctrl: false, key }).into_iter();
        let mut known = true;
        let mut patience = Patience::of(GETS_KEYBOARD_WITHIN);
        loop {
            match self.screen.standing()? {
                Standing::There => return Ok(()),
                _ if self.turn_to_next()? => return Ok(()),
                Standing::Gone if self.awaits_game && !patience.is_over() => {
                    patience.spend(SLICE);
                    Guard::wait_for_window();
                }
                Standing::Gone => return Err(PlayError::WindowGone.into()),
                Standing::Moved(to) => {
                    if !to.is_as_large_as(self.area) {
                        return self.find_resized();
                    }
                    self.lattice = self.lattice.moved(to.x - self.area.x, to.y - self.area.y);
                    self.area = self.screen.area()?;
                    return Ok(());
                }
                Standing::Covered { own: false, .. } if !patience.is_over() => {
                    // A dialog that came just now may still be waiting for the keyboard.
                    patience.wait(self.screen, &mut self.frame)?;
                }
                Standing::Covered { by, own } => {
                    // What is in front before a cell was clicked is none of its dialogs.
                    let may_be_its = own && self.may_have_dialogs && self.guard.may_close_dialogs();
                    // One that came up before closes as it did then.
                    let before = self.dialogs.iter().find(|dialog| dialog.is_titled(&by));
                    let before =
                        before.filter(|_| std::mem::take(&mut known)).map(|dialog| dialog.key);
                    let Some(key) = before.or_else(|| keys.next()).filter(|_| may_be_its) else {
                        return Err(PlayError::Covered { by }.into());
                    };
                    let dialog = Dialog { title: by.clone(), key };
                    self.person.told(&format!("'{by}' came up: pressing {}", dialog.key));
                    self.behind = self.screen.look(self.area).ok().or(self.behind.take());
                    while let Pressed::No(_) = self.guard.close(&dialog, self.area)? {
                        if patience.is_over() {
                            // What has the keyboard is no dialog of the game.
                            return Err(PlayError::Covered { by }.into());
                        }
                        patience.wait(self.screen, &mut self.frame)?;
                    }
                    self.pause(Duration::from_millis(800))?;
                    let is_closed = self.screen.standing()? == Standing::There;
                    if is_closed && !self.dialogs.contains(&dialog) {
                        self.dialogs.push(dialog);
                    }
                }
            }
        }
    }

    /// Presses by `press` as soon as the pace allows it and nothing is in the way; asks for the keyboard where that is.
    fn pressed(
        &mut self,
        mut press: impl FnMut(&mut Self) -> Result<Pressed, PlayError>,
    ) -> Result<(), LearnError> {
        let mut patience = Patience::of(GETS_KEYBOARD_WITHIN);
        let mut asked = false;
        loop {
            self.pause(self.guard.rest_left())?;
            let hindrance = match press(self)? {
                Pressed::Yes => return Ok(()),
                Pressed::No(hindrance) => hindrance,
            };
            if patience.is_over() {
                return Err(PlayError::from(hindrance).into());
            }
            if matches!(hindrance, Hindrance::Keyboard(_)) && !std::mem::replace(&mut asked, true) {
                self.guard.activate()?;
            }
            patience.spend(SLICE);
            self.pause(SLICE)?;
            self.attend()?;
        }
    }

    /// Whether it says that the window, or the one of the next game, is to be found elsewhere.
    fn is_elsewhere(&self, error: &CaptureError) -> bool {
        match error {
            CaptureError::WindowMoved { .. } => true,
            CaptureError::WindowGone { .. } => self.awaits_game,
            _ => false,
        }
    }

    /// Lets some time pass.
    fn pause(&mut self, time: Duration) -> Result<(), LearnError> {
        let mut patience = Patience::of(time);
        let mut frame = self.frame.clone();
        while !patience.is_over() {
            if self.stop.load(Ordering::Relaxed) {
                return Err(PlayError::Interrupted.into());
            }
            match patience.wait(self.screen, &mut frame) {
                Err(error) if self.is_elsewhere(&error) => {
                    patience.spend(SLICE);
                    self.attend()?;
                }
                waited => drop(waited?),
            }
        }
        Ok(())
    }

    pub(super) fn index(&self, pos: Pos) -> usize {
        usize::from(pos.row) * usize::from(self.lattice.cols()) + usize::from(pos.col)
    }

    /// What the cell at `pos` looks like.
    pub(super) fn patch(&self, pos: Pos) -> &CellPatch {
        &self.patches[self.index(pos)]
    }

    /// The cells that look different from `before`.
    pub(super) fn changed_since(&self, before: &[CellPatch]) -> Vec<Pos> {
        let is_changed = |&pos: &Pos| changed(&before[self.index(pos)], self.patch(pos));
        let board = Board::new(self.lattice.cols(), self.lattice.rows());
        board.positions().filter(is_changed).collect()
    }

    /// Clicks the cell at `pos` with these buttons together until something changes, a few times at most. Returns what
    /// changed.
    pub(super) fn click(&mut self, buttons: &[Button], pos: Pos) -> Result<Vec<Pos>, LearnError> {
        let (before, mut frame) = (self.patches.clone(), self.frame.clone());
        let lattice = self.lattice.clone();
        self.behind = None;
        for again in 0..CLICK_TRIES {
            self.attend()?;
            let hold = self.hold + HOLD_LONGER * again;
            self.pressed(|window| {
                let Self { guard, lattice, area, .. } = window;
                guard.click_cell(buttons, lattice, *area, pos, hold)
            })?;
            self.may_have_dialogs |= buttons == [Button::Left];
            self.guard.park(&self.lattice, self.area)?;
            self.settle(SHOWS_WITHIN, SETTLED_AFTER)?;
            let mut changed = self.changed_since(&before);
            log::debug!("{buttons:?} at {pos} changed {} cells", changed.len());
            // Cells open around the one that is clicked. Faint ones hardly change where the board moves.
            let board = Board::new(self.lattice.cols(), self.lattice.rows());
            let around = region(&board, pos, |near| changed.contains(near));
            let is_apart = changed.iter().any(|other| !around.contains(other));
            let is_most = 2 * changed.len() > before.len();
            // It may have been found elsewhere by now.
            let is_here = self.lattice == lattice;
            if (is_apart || is_most) && is_here && self.follow(&frame)? {
                frame = self.frame.clone();
                changed = self.changed_since(&before);
            }
            // A dialog is an answer, too.
            if !changed.is_empty() || self.behind.is_some() {
                self.late = if again > 0 { self.late + 1 } else { 0 };
                self.was_late |= again > 0;
                if self.late >= LATE {
                    self.hold = hold;
                }
                return Ok(changed);
            }
        }
        Ok(Vec::new())
    }

    /// Finds the board in a window that has another size now, as where what is written beside the board takes more room. A game
    /// may take its board away to build a new one: then it is waited for.
    fn find_resized(&mut self) -> Result<(), LearnError> {
        let mut patience = Patience::of(SETTLES_WITHIN);
        let mut tried: Option<Frame> = None;
        loop {
            if self.turn_to_next()? {
                return Ok(());
            }
            let area = self.screen.area()?;
            if area == self.area {
                return self.look();
            }
            let (dx, dy) = (area.x - self.area.x, area.y - self.area.y);
            let lattice = self.lattice.moved(dx, dy);
            let before = self.frame.clone().moved(dx, dy);
            let now = self.screen.look(area)?;
            // Nothing to find in the same picture again.
            if tried.as_ref() != Some(&now) {
                if let Some((dx, dy)) = shift(&before, &now, lattice.area()) {
                    (self.lattice, self.area, self.frame) = (lattice.moved(dx, dy), area, now);
                    return Ok(());
                }
                tried = Some(now);
            }
            if patience.is_over() {
                return Err(PlayError::BoardHidden.into());
            }
            patience.spend(SLICE);
            self.pause(SLICE)?;
        }
    }

    /// Follows the board if it has moved within its window since it was as in `before`, as where a line with the time comes up
    /// above it. Returns whether it has.
    fn follow(&mut self, before: &Frame) -> Result<bool, LearnError> {
        let moved = shift(before, &self.frame, self.lattice.area());
        let Some((dx, dy)) = moved.filter(|&by| by != (0, 0)) else { return Ok(false) };
        self.person.told(&format!("the board has moved by ({dx}, {dy}): following it"));
        self.lattice = self.lattice.moved(dx, dy);
        self.guard.park(&self.lattice, self.area)?;
        self.look()?;
        Ok(true)
    }

    /// Goes to the place of equal cells that are as many and as large as those of the board and elsewhere, as a new board is where a
    /// page needs a bar to scroll it while a game is over. Returns whether there are such.
    pub(super) fn find_new(&mut self) -> Result<bool, LearnError> {
        let own = &self.lattice;
        let Some(new) = self.own_grid(&self.frame) else { return Ok(false) };
        let (from, to) = (own.area(), new.area());
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        if (dx, dy) == (0, 0) {
            return Ok(false);
        }
        log::debug!("equal cells ({dx}, {dy}) away");
        self.lattice = own.moved(dx, dy);
        self.look()?;
        Ok(true)
    }

    /// Equal cells in a picture that are as many and as large as those of the board.
    fn own_grid(&self, frame: &Frame) -> Option<Lattice> {
        let own = &self.lattice;
        let is_own = |other: &Lattice| {
            let is_near = |a: f64, b: f64| (a - b).abs() < SAME_PITCH;
            (other.cols(), other.rows()) == (own.cols(), own.rows())
                && is_near(own.pitch().0, other.pitch().0)
                && is_near(own.pitch().1, other.pitch().1)
        };
        grids(frame).into_iter().map(|grid| grid.lattice).find(is_own)
    }

    /// Turns to another window of the program that came up since a new game was asked for and shows as many equal cells as the board
    /// has: some programs open one for each game. Returns whether there is one.
    fn turn_to_next(&mut self) -> Result<bool, LearnError> {
        // A browser opens windows that are none of the game's.
        if !self.awaits_game || !self.guard.may_close_dialogs() {
            return Ok(false);
        }
        for (window, frame) in self.screen.came_up()? {
            let Some(lattice) = self.own_grid(&frame) else { continue };
            self.screen.turn_to(window)?;
            self.guard.aim_at(window);
            self.person.told("the next game is in another window: going on there");
            (self.lattice, self.area) = (lattice, self.screen.area()?);
            self.look()?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Clicks the cell at `pos` with the right button, as [`click`](Self::click) does. Where that brings up a menu, closes it;
    /// nothing is marked then.
    pub(super) fn right_click(&mut self, pos: Pos) -> Result<Vec<Pos>, LearnError> {
        if self.has_menu {
            return Ok(Vec::new());
        }
        let (changed, menu) = match self.click(&[Button::Right], pos) {
            Err(LearnError::Play(PlayError::Covered { by })) => (Vec::new(), Some(by)),
            clicked => {
                let changed = clicked?;
                // No window manager knows of a menu.
                let places = changed.iter().map(|&pos| self.lattice.cell(pos).centre());
                let places: Vec<Px> = places.collect();
                let by = (changed != [pos]).then(|| self.screen.in_front(&places)).flatten();
                (changed, by)
            }
        };
        let Some(by) = menu else { return Ok(changed) };
        self.has_menu = true;
        self.person
            .told(&format!("a right click brought up '{by}': closing it, and doing without flags"));
        if !self.leave_menu()? {
            return Err(PlayError::Covered { by }.into());
        }
        Ok(Vec::new())
    }

    /// Leaves what the last click has brought up with Escape. Returns whether that was struck.
    fn leave_menu(&mut self) -> Result<bool, LearnError> {
        let Self { guard, lattice, area, .. } = self;
        if let Pressed::No(_) = guard.leave_menu(lattice, *area)? {
            return Ok(false);
        }
        self.pause(MENU_CLOSES_WITHIN)?;
        self.attend()?;
        self.look()?;
        Ok(true)
    }

    /// Leaves what a page asks, where a browser has drawn that over the board since it was as in `before`. No other program is
    /// asked to: Escape ends some games.
    pub(super) fn leave_question(&mut self, before: &[CellPatch]) -> Result<(), LearnError> {
        let is_hidden = 2 * self.changed_since(before).len() > before.len();
        if is_hidden && !self.guard.may_close_dialogs() {
            self.leave_menu()?;
        }
        Ok(())
    }

    /// Right clicks on the cell at `pos` until it is not marked any more. Returns how it looked between; nothing if it does
    /// not answer. What was clicked may look a little different from then on.
    pub(super) fn marks(&mut self, pos: Pos) -> Result<Vec<(CellPatch, Frame)>, LearnError> {
        let start = self.patch(pos).clone();
        let mut marks: Vec<(CellPatch, Frame)> = Vec::new();
        for _ in 0..ROUND_OF_MARKS {
            let before = self.lattice.area();
            let answered = self.right_click(pos)?;
            // What was seen before the board moved is looked up where the board is now.
            let (dx, dy) = (self.lattice.area().x - before.x, self.lattice.area().y - before.y);
            for (_, frame) in &mut marks {
                frame.origin = Px::new(frame.origin.x + dx, frame.origin.y + dy);
            }
            let is_answer = answered.contains(&pos) && answered.len() <= 1 + LIT;
            if !is_answer || !changed(&start, self.patch(pos)) {
                break;
            }
            let is_first = |(first, _): &(CellPatch, Frame)| !changed(first, self.patch(pos));
            if marks.len() > 1 && is_first(&marks[0]) {
                // The marks begin anew, so the last look was none of them.
                marks.pop();
                for _ in &marks {
                    self.right_click(pos)?;
                }
                break;
            }
            marks.push((self.patch(pos).clone(), self.frame.clone()));
        }
        if self.has_menu {
            // What changed was the menu.
            marks.clear();
        }
        Ok(marks)
    }

    /// Whether a right click marks the cell at `pos`, which was not opened before.
    pub(super) fn takes_mark(&mut self, pos: Pos) -> Result<bool, LearnError> {
        Ok(!self.marks(pos)?.is_empty())
    }

    /// Moves the pointer on the cell at `pos` and looks at what that changes.
    pub(super) fn hover(&mut self, pos: Pos) -> Result<(), LearnError> {
        self.guard.hover(&self.lattice, self.area, pos)?;
        self.settle(SETTLED_AFTER, SETTLED_AFTER)
    }

    /// How the cell at `pos` looks under the pointer, if otherwise.
    pub(super) fn lit(&mut self, pos: Pos) -> Result<Option<(CellPatch, Frame)>, LearnError> {
        let before = self.patch(pos).clone();
        self.hover(pos)?;
        let is_lit = changed(&before, self.patch(pos));
        let lit = is_lit.then(|| (self.patch(pos).clone(), self.frame.clone()));
        self.park()?;
        Ok(lit)
    }

    /// Moves the pointer off the board.
    pub(super) fn park(&mut self) -> Result<(), LearnError> {
        self.guard.park(&self.lattice, self.area)?;
        self.settle(SETTLED_AFTER, SETTLED_AFTER)
    }

    /// Presses what may start a new game.
    pub(super) fn press(&mut self, control: Control, hold: Duration) -> Result<(), LearnError> {
        self.attend()?;
        let pressed = self.ask_for_game(control, hold);
        self.awaits_game = false;
        pressed
    }

    /// Presses it, and waits for what comes of it.
    fn ask_for_game(&mut self, control: Control, hold: Duration) -> Result<(), LearnError> {
        // Only when a game is over.
        let end_message = Some(EndMessage::Stays);
        let ways = GameBehaviour { new_game: Some(control), end_message, ..Default::default() };
        self.pressed(|window| {
            let Self { guard, lattice, area, .. } = window;
            guard.new_game(&ways, lattice, *area, hold, None)
        })?;
        self.awaits_game = true;
        self.guard.park(&self.lattice, self.area)?;
        self.settle(NEW_GAME_WITHIN, 3 * SETTLED_AFTER)
    }

    /// Whether the board shows in other colours what it did when its cells were as in `before`: those that were alike are alike, and no
    /// others.
    fn is_recoloured(&self, before: &[CellPatch]) -> bool {
        let was = kinds(before);
        was.iter().any(|&kind| kind != was[0]) && was == kinds(&self.patches)
    }

    /// Presses what has started no game once more, if it is beside the board and nothing but it looks otherwise by that now than in
    /// `shown`, as far as the board, whose cells were as in `before`, tells: it may be a switch, as one that makes left clicks
    /// set flags, or one for dark colours. Where more has changed, something else may be at its place.
    pub(super) fn switch_back(
        &mut self,
        control: Control,
        before: &[CellPatch],
        shown: &Frame,
    ) -> Result<(), LearnError> {
        let Control::Click(spot) = control else { return Ok(()) };
        let (at, side) = (self.lattice.spot(spot), self.lattice.side() as i32);
        let around =
            Rect::new(at.x - side / 2, at.y - side / 2, side.max(1) as u32, side.max(1) as u32);
        let is_beside = !self.lattice.area().contains(at);
        let stays = self.changed_since(before).is_empty() || self.is_recoloured(before);
        if is_beside && stays && differs(&self.frame, shown, around) {
            self.press(control, Duration::ZERO)?;
        }
        Ok(())
    }
}

/// For each cell the number of the first one that looks like it.
fn kinds(patches: &[CellPatch]) -> Vec<usize> {
    let first = |patch: &CellPatch| patches.iter().position(|other| !changed(other, patch));
    patches.iter().map(|patch| first(patch).unwrap_or(patches.len())).collect()
}

/// Whether two pictures of a window differ in this part of the screen.
pub(super) fn differs(now: &Frame, before: &Frame, part: Rect) -> bool {
    let pixels = |frame: &Frame| {
        let part = frame.area().intersection(part)?;
        frame.crop(part).map(|part| part.pixels)
    };
    pixels(now) != pixels(before)
}
