//! Where learning begins: on a board of which nothing is open yet but what the game itself opens.
//!
//! Only such a board shows how a game starts, and what covered cells look like beside marks. A game that is under way is
//! lost first, and a new one started; what was seen of it is forgotten.

use std::time::Duration;

use super::{ENDED_AFTER, Explorer, FoundAs, MOST_FRESH_CLUSTERS};
use crate::board::{Pos, Status};
use crate::capture::Frame;
use crate::input::Button;
use crate::learn::from_play::{CellPatch, Sight, changed};
use crate::play::LearnError;
use crate::recognize::skin::Control;

/// Covered cells have so many grounds at most, where nothing but their looks tells that they are covered: a board may be chequered.
const GROUNDS: usize = 2;

/// Cells that look alike, and how one of them answers to right clicks.
struct Group {
    cells: Vec<Pos>,
    /// The one that was clicked, how it looked, and in which picture.
    pos: Pos,
    patch: CellPatch,
    frame: Frame,
    /// How it looks under the pointer, if otherwise.
    lit: Option<(CellPatch, Frame)>,
    /// How it looked between; nothing if it does not answer.
    marks: Vec<(CellPatch, Frame)>,
}

impl Explorer<'_> {
    /// Learns which looks of the first board are covered cells, and what marks look like. `is_new` says that the game has
    /// just begun. Returns whether the board is fresh; if it is not, all that is learned is what answers to a right click.
    pub(super) fn learn_fresh(&mut self, is_new: bool) -> Result<bool, LearnError> {
        let clusters = self.groups();
        let few_clusters = clusters.len() <= MOST_FRESH_CLUSTERS;
        let mut groups: Vec<Group> = Vec::new();
        for cells in clusters.into_iter().take(MOST_FRESH_CLUSTERS) {
            // Not at the border: the grid may be too large by a line.
            let pos = cells[cells.len() / 2];
            let (patch, frame) = (self.window.patch(pos).clone(), self.window.frame.clone());
            let mut marks = self.window.marks(pos)?;
            let lit = if marks.is_empty() { None } else { self.window.lit(pos)? };
            if let Some((lit, _)) = &lit {
                // The pointer may light up a cell before the game answers.
                marks.retain(|(mark, _)| changed(lit, mark));
            }
            log::debug!(
                "{} cells look like {pos}; a right click does {}",
                cells.len(),
                marks.len()
            );
            self.window.may_have_dialogs |= !marks.is_empty();
            groups.push(Group { cells, pos, patch, frame, lit, marks });
        }
        self.flags_work = groups.iter().any(|group| !group.marks.is_empty());
        if !self.flags_work {
            return self.fresh_without_flags(groups);
        }
        // Open cells do not answer. What a right click on one cell brings, others of a fresh board do not show.
        let is_mark = |patch: &CellPatch| {
            let mut marks = groups.iter().flat_map(|group| &group.marks);
            marks.any(|(mark, _)| self.notes.clusters.alike(mark, patch))
        };
        let none_open = groups.iter().all(|group| !group.marks.is_empty());
        let none_marked = !groups.iter().any(|group| is_mark(&group.patch));
        if !(few_clusters && none_marked && (none_open || is_new)) {
            let answering = groups.into_iter().filter(|group| !group.marks.is_empty());
            self.covered = answering.map(|group| group.patch).collect();
            return Ok(false);
        }
        for Group { cells, pos, patch, frame, lit, marks } in groups {
            if marks.is_empty() {
                let look = self.notes.clusters.of(&patch);
                cells.iter().for_each(|&pos| self.see(pos, Sight::Open(look)));
                self.notes.skin.game.starts_open = true;
                continue;
            }
            cells.iter().for_each(|&pos| self.see(pos, Sight::Covered));
            // All of them are alike to the first one.
            self.covered.extend([self.window.patch(cells[0]).clone(), patch]);
            self.covered.push(self.window.patch(pos).clone());
            // On each ground that covered cells have.
            self.keep_marks(pos, &frame, &marks);
            if let Some((_, lit)) = lit {
                self.keep_alone(pos, Sight::Covered, &lit);
            }
        }
        self.learn_flags()?;
        let status = if self.notes.skin.game.starts_open { Status::Playing } else { Status::Fresh };
        self.notes.keep(&self.window.frame, &self.window.lattice, &self.seen, status);
        Ok(true)
    }

    /// Takes the cells of a board on which no right click marks any for covered ones, if they were found as equal pieces, or look
    /// alike but for a chequered ground.
    fn fresh_without_flags(&mut self, groups: Vec<Group>) -> Result<bool, LearnError> {
        if groups.len() > GROUNDS && self.found_as == FoundAs::Reading {
            // A game that is over takes no flags.
            return Ok(false);
        }
        if groups.len() > GROUNDS && self.found_as == FoundAs::Grid {
            let (cols, rows, area) = (self.seen.cols, self.seen.rows, self.window.lattice.area());
            return Err(LearnError::NoFlag { cols, rows, area });
        }
        for Group { cells, patch, .. } in groups {
            cells.iter().for_each(|&pos| self.see(pos, Sight::Covered));
            self.covered.extend([self.window.patch(cells[0]).clone(), patch]);
        }
        self.notes.keep(&self.window.frame, &self.window.lattice, &self.seen, Status::Fresh);
        self.tell("a right click marks no cell, so far: learning from what opens");
        Ok(true)
    }

    /// Takes over a game that is under way, of which it is known that these cells are covered and the others are open. Returns
    /// whether there are both.
    pub(super) fn take_over(&mut self, covered: &[Pos]) -> Result<bool, LearnError> {
        let open: Vec<Pos> = self.seen.positions().filter(|pos| !covered.contains(pos)).collect();
        if covered.is_empty() || open.is_empty() {
            return Ok(false);
        }
        for &pos in covered {
            self.see(pos, Sight::Covered);
            let patch = self.window.patch(pos).clone();
            if !self.is_covered_look(&patch) {
                self.covered.push(patch);
            }
        }
        for pos in open {
            let look = self.notes.clusters.of(self.window.patch(pos));
            self.see(pos, Sight::Open(look));
        }
        self.notes.see(&self.window.frame, &self.window.lattice, &self.seen)?;
        self.tell("some cells are open: learning from what they show");
        Ok(true)
    }

    /// Tries again whether a right click marks cells: some games take flags only once a cell is open.
    pub(super) fn try_flags(&mut self) -> Result<(), LearnError> {
        let covered = self.seen.positions().filter(|&pos| self.seen.at(pos) == Sight::Covered);
        let Some(pos) = covered.last() else { return Ok(()) };
        let fresh = self.window.frame.clone();
        let marks = self.window.marks(pos)?;
        if marks.is_empty() {
            return Ok(());
        }
        self.flags_work = true;
        self.keep_marks(pos, &fresh, &marks);
        self.learn_flags()
    }

    /// Learns how the window shows the number of flags, and says what a right click does.
    fn learn_flags(&mut self) -> Result<(), LearnError> {
        self.count_flags()?;
        self.tell(if self.notes.skin.game.question_marks {
            "right clicks set a flag, then a question mark"
        } else {
            "a right click sets a flag"
        });
        Ok(())
    }

    /// The cells by what they look like, the commonest look first.
    fn groups(&self) -> Vec<Vec<Pos>> {
        let mut groups: Vec<Vec<Pos>> = Vec::new();
        for pos in self.seen.positions() {
            let alike = |group: &&mut Vec<Pos>| {
                self.notes.clusters.alike(self.window.patch(group[0]), self.window.patch(pos))
            };
            match groups.iter_mut().find(alike) {
                Some(group) => group.push(pos),
                None => groups.push(vec![pos]),
            }
        }
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        groups
    }

    /// Loses the game that is under way and starts a new one. Returns what starts it.
    ///
    /// # Errors
    /// When nothing does.
    pub(super) fn leave_for_new(&mut self) -> Result<Control, LearnError> {
        self.tell("some cells are open or marked: losing this game, to learn from a new one");
        self.lose_anyhow()?;
        let mut found = None;
        for (control, hold) in self.controls() {
            if self.begins_anew(control, hold)? {
                found = Some(control);
                break;
            }
        }
        if found.is_none()
            && let Some(key) = self.window.person.new_game()
            && self.begins_anew(Control::Key(key), Duration::ZERO)?
        {
            found = Some(Control::Key(key));
        }
        let (cols, rows, area) = (self.seen.cols, self.seen.rows, self.window.lattice.area());
        found.ok_or(LearnError::NotFresh { cols, rows, area })
    }

    /// Opens one cell after the other that answers to a right click, until one does not open, or none answers any more.
    fn lose_anyhow(&mut self) -> Result<(), LearnError> {
        let before = self.window.patches.clone();
        let stays = |explorer: &Self, pos: Pos| {
            !changed(&before[explorer.window.index(pos)], explorer.window.patch(pos))
        };
        let positions = self.seen.positions();
        let closed: Vec<Pos> =
            positions.filter(|&pos| self.is_covered_look(self.window.patch(pos))).collect();
        for &pos in &closed {
            if !stays(self, pos) {
                continue;
            }
            if self.window.click(&[Button::Left], pos)?.is_empty() {
                break;
            }
            let asked = closed.iter().copied().find(|&other| other != pos && stays(self, other));
            if !asked.map_or(Ok(false), |asked| self.window.takes_mark(asked))? {
                break;
            }
        }
        self.window.settle(ENDED_AFTER, ENDED_AFTER)
    }

    /// Presses a control. Returns whether cells look covered that did not, and take a mark again; or, where none does and it is
    /// known where the cells are, whether all look alike that did not.
    fn begins_anew(&mut self, control: Control, hold: Duration) -> Result<bool, LearnError> {
        let (before, shown) = (self.window.patches.clone(), self.window.frame.clone());
        let looks = self.groups().len();
        log::debug!("trying {control:?} to leave a game");
        self.window.press(control, hold)?;
        if self.found_as == FoundAs::Reading && !self.flags_work {
            let is_fresh = looks > GROUNDS && self.groups().len() <= GROUNDS;
            if !is_fresh {
                self.window.leave_question(&before)?;
                self.window.switch_back(control, &before, &shown)?;
            }
            return Ok(is_fresh);
        }
        let is_anew = |&pos: &Pos| {
            let (then, now) = (&before[self.window.index(pos)], self.window.patch(pos));
            self.is_covered_look(now) && changed(then, now)
        };
        if let Some(pos) = self.seen.positions().find(is_anew)
            && self.window.takes_mark(pos)?
        {
            return Ok(true);
        }
        self.window.switch_back(control, &before, &shown)?;
        Ok(false)
    }
}
