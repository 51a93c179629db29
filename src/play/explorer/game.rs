//! A game that is played to learn from, from its first click to its end.

use super::buttons::come_up;
use super::window::{CLICK_TRIES, LIT, SETTLED_AFTER, SHOWS_WITHIN, UnknownWindow};
use super::{Answered, Doubt, ENDED_AFTER, ENDED_AND_KNOWN_AFTER, ENDED_IN_SIGHT_AFTER, Explorer};
use crate::board::{Board, Cell, Pos};
use crate::capture::Frame;
use crate::geometry::{Px, Rect};
use crate::input::Button;
use crate::learn::from_labels::CalibrateError;
use crate::learn::from_play::{
    Bookmark, CellPatch, Cluster, Contradiction, Ending, First, Outcome, Seen, Sight, patches,
    position,
};
use crate::play::unknown_numbers::numbers;
use crate::play::{LearnError, PlayError};
use crate::recognize::skin::{Control, EndMessage};
use crate::solver::odds::Position;

/// So often a message is left: it may come later than the end of the game.
const MESSAGE_TRIES: u32 = 2;
/// So many games may fit no rules. Chosen.
const MOST_FORGOTTEN: u32 = 2;
/// The share of the board that must be open before a game is lost on purpose.
const OPEN_BEFORE_LOSING: f32 = 0.35;

impl Explorer<'_> {
    /// Plays one game to its end, and tells what came of it. A game that fits no rules is forgotten, unless there have been
    /// others already: a game may keep something of the one before, or somebody may have clicked.
    pub(in crate::play) fn game(&mut self, number: u32) -> Result<(), LearnError> {
        let before = self.notes.bookmark();
        self.doubt = None;
        let played = self.play(number);
        self.ended(played, before, number)
    }

    /// A game is over that was `played`: takes it back if it fits no rules, else tells what came of it.
    pub(super) fn ended(
        &mut self,
        played: Result<(), LearnError>,
        before: Bookmark,
        number: u32,
    ) -> Result<(), LearnError> {
        let played = played.and_then(|()| match self.notes.learned() {
            // A look has two meanings since then.
            Err(alike @ CalibrateError::Alike { .. }) => {
                log::debug!("{alike}");
                Err(Contradiction.into())
            }
            _ => Ok(()),
        });
        match played {
            Err(LearnError::Contradiction(_)) if self.forgotten < MOST_FORGOTTEN => {
                self.forgotten += 1;
                self.notes.go_back(before);
                self.tell(&format!("game {}: it fits no rules; forgetting it", number + 1));
                return Ok(());
            }
            played => played?,
        }
        let how = match self.notes.outcomes.last() {
            Some(Outcome::Won) => "won",
            Some(Outcome::Lost) => "lost",
            Some(Outcome::Unknown) | None => "over",
        };
        let numbers = self.notes.numbers();
        self.tell(&format!("game {}: {how}; numbers proven so far: {numbers:?}", number + 1));
        Ok(())
    }

    pub(super) fn play(&mut self, number: u32) -> Result<(), LearnError> {
        let mut clicks = 0;
        // A page may take right clicks only while a game goes on, and leave them to the browser's menu then: none is made any more.
        self.flags_work &= !self.window.has_menu;
        let mut flags_tried = self.flags_work;
        if self.notes.skin.game.starts_open {
            self.notes.see(&self.window.frame, &self.window.lattice, &self.seen)?;
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
                return if self.flags_work { self.flag_all(&mined) } else { self.won(&mined) };
            }
            if open > 0 && !std::mem::replace(&mut flags_tried, true) {
                self.try_flags()?;
            }
            let enough = open as f32 >= OPEN_BEFORE_LOSING * self.seen.sights.len() as f32;
            let known = [0, 1, 2].iter().all(|number| self.notes.numbers().contains(number));
            let has_seen_mines =
                if self.is_thorough { self.notes.knows_mines() } else { self.notes.has_lost() };
            if !has_seen_mines && known && enough && !mined.is_empty() {
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
                None => self.guess(&left, &mined),
            };
            clicks += 1;
            if clicks > 4 * self.seen.sights.len() {
                return Err(PlayError::ClicksDoNotShow { at: vec![pos], times: CLICK_TRIES }.into());
            }
            if !self.open(pos, &safe, &mined, fresh)? {
                return Ok(());
            }
        }
    }

    /// The cell of these that is least likely a mine, by all that is proven, and by what numbers look like: each reading of the
    /// board counts as much as its numbers look like that, and as there are arrangements of mines that show them.
    fn guess(&mut self, left: &[Pos], mined: &[Pos]) -> Pos {
        let readings = self.notes.likely_boards(&self.seen).into_iter();
        let readings = readings.filter_map(|(board, likely)| {
            Some((position(&board, &mut self.workspace).ok()?, likely))
        });
        let mut readings: Vec<(Position, f64)> = readings.collect();
        if readings.is_empty() {
            // None of them can be: what is proven decides alone.
            let board = self.notes.board(&self.seen);
            readings.extend(position(&board, &mut self.workspace).ok().map(|proven| (proven, 1.0)));
        }
        let mut chances = vec![0.0; left.len()];
        for (solved, likely) in &readings {
            let likely = likely * solved.share_of(&readings[0].0);
            for (chance, &pos) in chances.iter_mut().zip(left) {
                *chance += likely * solved.mine_chance(pos).unwrap_or(1.0);
            }
        }
        let unmined = left.iter().zip(&chances).filter(|(pos, _)| !mined.contains(pos));
        let least = unmined.min_by(|(_, a), (_, b)| a.total_cmp(b));
        *least.map_or(&left[0], |(pos, _)| pos)
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
        let before = self.window.patches.clone();
        self.before_asking = None;
        self.before_click = self.window.frame.clone();
        let mut changed = self.window.click(&[Button::Left], pos)?;
        if self.window.behind.is_some() && self.fresh().is_some() {
            // A dialog said that it was over, and closing that has started the next game.
            self.over(pos, is_mine, mined, &[], &before, first)?;
            return Ok(false);
        }
        if changed.is_empty() && self.flags_work {
            // A mark that does not show may be on it: it goes with the ones that follow it.
            self.window.marks(pos)?;
            changed = self.window.click(&[Button::Left], pos)?;
        }
        if changed.is_empty() {
            return match self.doubt.take() {
                Some(doubt) => self.was_over(doubt, mined),
                None if safe.is_empty() && self.may_be_won() => {
                    let left: Vec<Pos> = self
                        .seen
                        .positions()
                        .filter(|&pos| self.seen.at(pos).is_unopened())
                        .collect();
                    self.won(&left)?;
                    Ok(false)
                }
                None => {
                    Err(PlayError::ClicksDoNotShow { at: vec![pos], times: CLICK_TRIES }.into())
                }
            };
        }
        let click = Answered { pos, changed: &changed, is_mine, before: &before };
        self.take_in(&click, safe, mined, first)
    }

    /// Whether every cell that is not open may be a mine. Looks whose numbers are not known may hide that all others are open.
    fn may_be_won(&self) -> bool {
        let mut board = self.notes.board(&self.seen);
        for pos in self.seen.positions() {
            if board[pos] == Cell::Unclear && matches!(self.seen.at(pos), Sight::Open(_)) {
                board[pos] = Cell::Opened;
            }
        }
        numbers(&board).is_some()
    }

    /// Takes in what a click opened. Returns whether the game goes on.
    pub(super) fn take_in(
        &mut self,
        click: &Answered<'_>,
        safe: &[Pos],
        mined: &[Pos],
        first: bool,
    ) -> Result<bool, LearnError> {
        let Answered { pos, changed, is_mine, before } = *click;
        let (after, opened) = (self.window.patches.clone(), self.window.frame.clone());
        let mut clusters = self.notes.clusters.clone();
        let mut seen = self.seen.clone();
        // What is open stays so while a game goes on.
        let mut is_odd = false;
        // The one that was clicked is open, and tells others that look like it from covered ones.
        let clicked = changed.iter().filter(|&&at| at == pos);
        for &at in clicked.chain(changed.iter().filter(|&&at| at != pos)) {
            let index = seen.index(at);
            if at != pos
                && seen.at(at).is_unopened()
                && clusters.known(&after[index]).is_none()
                && self.is_covered_all_the_same(at, &after[index])?
            {
                continue;
            }
            is_odd |= !seen.at(at).is_unopened();
            seen.sights[index] = Sight::Open(clusters.of(&after[index]));
        }
        // A game is not won while a cell is left that is proven safe.
        let is_won = !safe.iter().any(|&other| seen.at(other).is_unopened());
        let doubtful = is_odd || is_mine.is_none() || is_won;
        log::debug!("opened {pos}: {} cells changed, {} looks", changed.len(), clusters.len());
        let asked = self.still_covered(&seen, pos);
        self.before_asking = (self.flags_work && doubtful).then(|| opened.clone());
        // Mines stay covered while a game goes on.
        let is_left = seen.sights.iter().any(|sight| sight.is_unopened());
        let goes_on = if !is_left {
            false
        } else if self.flags_work {
            !doubtful || self.window.takes_mark(asked.unwrap_or(pos))?
        } else {
            !is_odd && is_one_region(&seen, &self.seen, pos)
        };
        if !goes_on {
            self.over(pos, is_mine, mined, &[], before, first)?;
            return Ok(false);
        }
        // Some games take marks even when they are over.
        let doubt = is_mine.is_none().then(|| Doubt {
            pos,
            is_first: first,
            before: before.to_vec(),
            seen: self.seen.clone(),
            notes: self.notes.bookmark(),
        });
        self.notes.clusters = clusters;
        self.seen = seen;
        if first {
            let region = changed.len() > 1;
            self.notes.firsts.push(if region { First::Region } else { First::Number });
        }
        match (self.notes.see(&opened, &self.window.lattice, &self.seen), doubt) {
            (Err(_), Some(doubt)) if !self.flags_work => self.was_over(doubt, mined),
            (taken_in, doubt) => {
                taken_in?;
                self.doubt = doubt;
                Ok(true)
            }
        }
    }

    /// The game was over with a click that seemed to open a cell: takes that back.
    fn was_over(&mut self, doubt: Doubt, mined: &[Pos]) -> Result<bool, LearnError> {
        let Doubt { pos, is_first, before, seen, notes } = doubt;
        self.notes.go_back(notes);
        self.seen = seen;
        self.over(pos, None, mined, &[], &before, is_first)?;
        Ok(false)
    }

    /// Waits until the board of a game that is over is at rest, and what a message hid is in sight again. Where the next game
    /// begins meanwhile, the board is as it was before. Returns whether it was seen.
    fn see_end(&mut self) -> Result<bool, LearnError> {
        let before_asking = self.before_asking.take();
        self.window.settle(SHOWS_WITHIN, SETTLED_AFTER)?;
        self.leave_message()?;
        let shown = self.window.frame.clone();
        let is_seen = self.fresh().is_none();
        if is_seen {
            let known = self.notes.skin.game.new_game.filter(|&control| control != Control::Wait);
            let quiet = match (self.shows_what_was_open(&shown), known) {
                (false, _) => ENDED_AFTER,
                (true, None) => ENDED_IN_SIGHT_AFTER,
                (true, Some(_)) => ENDED_AND_KNOWN_AFTER,
            };
            self.window.settle(quiet, quiet)?;
        }
        if self.fresh().is_none() {
            return Ok(true);
        }
        let behind = self.window.behind.take();
        let has_dialog = behind.is_some();
        let behind = behind.filter(|frame| self.shows_what_was_open(frame));
        // The click that asked whether the game goes on may have started the next one.
        let is_asked = !is_seen && !has_dialog && before_asking.is_some();
        self.has_begun = Some(if is_asked { Control::Board } else { Control::Wait });
        let last = behind.or(is_seen.then_some(shown)).or(before_asking);
        let Some(last) = last else { return Ok(false) };
        let UnknownWindow { cut, lattice, .. } = &self.window;
        self.window.patches = patches(cut, &last, lattice).ok_or(PlayError::BoardHidden)?;
        self.window.frame = last;
        Ok(true)
    }

    /// Whether a veil is over the board: what was open looks otherwise or has a box over it, and the ground beside the board
    /// looks otherwise, too. Through a veil, dark cells hardly change.
    pub(super) fn is_veiled(&self) -> bool {
        let UnknownWindow { frame, lattice, .. } = &self.window;
        let Rect { x, y, width, height } = lattice.area();
        let side = lattice.side() as i32 / 2;
        let (wide, high) = (width + 2 * side as u32, height + 2 * side as u32);
        let around = Rect::new(x - side, y - side, wide, high);
        let (mut changed, mut all) = (0, 0);
        for (at, now) in frame.pixels.enumerate_pixels().map(|(x, y, now)| ((x, y), now)) {
            let place = Px::new(at.0 as i32 + frame.origin.x, at.1 as i32 + frame.origin.y);
            if around.contains(place) && !lattice.area().contains(place) {
                all += 1;
                let before = self.before_click.pixels.get_pixel_checked(at.0, at.1);
                changed += u32::from(before != Some(now));
            }
        }
        let is_covered = || {
            !self.shows_what_was_open(frame)
                || !come_up(frame, &self.before_click, lattice).is_empty()
        };
        2 * changed > all && is_covered()
    }

    /// Whether all that was open and looked alike still does, but for the cell that has the keyboard: a game may draw its cells anew
    /// when it is over.
    fn is_drawn_anew(&self) -> bool {
        let mut looks: Vec<(Cluster, Vec<&CellPatch>)> = Vec::new();
        for pos in self.seen.positions() {
            let Sight::Open(look) = self.seen.at(pos) else { continue };
            let patch = self.window.patch(pos);
            match looks.iter_mut().find(|(known, _)| *known == look) {
                Some((_, patches)) => patches.push(patch),
                None => looks.push((look, vec![patch])),
            }
        }
        // Of each look most are as the first or as the second one, whichever has the keyboard.
        let others = looks.iter().map(|(_, patches)| {
            let other = |one: &&CellPatch| {
                patches.iter().filter(|patch| !self.notes.clusters.alike(one, patch)).count()
            };
            patches.iter().take(1 + LIT).map(other).min().unwrap_or(0)
        });
        others.sum::<usize>() <= LIT
    }

    /// Leaves a message that a page has laid over the board of a game that is over, and remembers that there was one.
    fn leave_message(&mut self) -> Result<(), LearnError> {
        let has_open = self.has_open();
        // Of a board on which nothing was open, what is beside it tells.
        let is_plain = |explorer: &Self| {
            let shows = !has_open || explorer.shows_what_was_open(&explorer.window.frame);
            shows && !explorer.is_veiled()
        };
        if self.fresh().is_some() || is_plain(self) {
            return Ok(());
        }
        for _ in 0..MESSAGE_TRIES {
            let UnknownWindow { cut, lattice, .. } = &self.window;
            if let Some(before) = patches(cut, &self.before_click, lattice) {
                self.window.leave_question(&before)?;
                self.window.settle(SHOWS_WITHIN, SETTLED_AFTER)?;
            }
            // With the message the finished board may go.
            if self.fresh().is_some() || is_plain(self) {
                self.notes.skin.game.end_message = Some(EndMessage::Escape);
                return Ok(());
            }
        }
        if self.is_veiled() || !self.is_drawn_anew() {
            self.notes.skin.game.end_message = Some(EndMessage::Stays);
        }
        Ok(())
    }

    /// Whether a cell was open before the last click.
    fn has_open(&self) -> bool {
        self.seen.sights.iter().any(|sight| matches!(sight, Sight::Open(_)))
    }

    /// Whether all that was open looks as it did but for the cell that had the keyboard, so that no dialog hides a part of the board.
    fn shows_what_was_open(&self, frame: &Frame) -> bool {
        let UnknownWindow { cut, lattice, .. } = &self.window;
        let Some(patches) = patches(cut, frame, lattice) else { return false };
        let open = self.seen.positions().filter_map(|pos| match self.seen.at(pos) {
            Sight::Open(look) => Some((pos, look)),
            _ => None,
        });
        let known = |pos: Pos| self.notes.clusters.known(&patches[self.seen.index(pos)]);
        let (stay, differ): (Vec<bool>, Vec<bool>) =
            open.map(|(pos, look)| known(pos) == Some(look)).partition(|&stays| stays);
        !stay.is_empty() && differ.len() <= LIT
    }

    /// All that is not mined is open: the game is won.
    pub(super) fn won(&mut self, mined: &[Pos]) -> Result<(), LearnError> {
        if !self.see_end()? {
            return self.unseen();
        }
        let mut seen = self.seen.clone();
        for pos in seen.positions() {
            let (at, patch) = (seen.index(pos), self.window.patch(pos));
            let stays = match seen.at(pos) {
                Sight::Open(look) => self.notes.clusters.known(patch) == Some(look),
                Sight::Covered => self.is_covered_look(patch),
                _ => false,
            };
            if !stays {
                seen.sights[at] = Sight::Unknown;
            }
        }
        seen.mines = Some(seen.positions().map(|pos| mined.contains(&pos)).collect());
        self.notes.end(&self.window.frame, &self.window.lattice, &seen, Outcome::Won)?;
        Ok(())
    }

    /// The game is over, and its end was not seen.
    pub(super) fn unseen(&mut self) -> Result<(), LearnError> {
        let UnknownWindow { frame, lattice, .. } = &self.window;
        self.notes.end(frame, lattice, &self.seen, Outcome::Unknown)?;
        Ok(())
    }

    /// A cell that can be asked whether the game goes on: still covered, or else not open before.
    fn still_covered(&self, seen: &Seen, clicked: Pos) -> Option<Pos> {
        let covered = seen.positions().filter(|&pos| seen.at(pos) == Sight::Covered).last();
        let unopened =
            || seen.positions().find(|&pos| self.seen.at(pos).is_unopened() && pos != clicked);
        covered.or_else(unopened)
    }

    /// The game is over: waits until the board is at rest, and takes it in.
    pub(super) fn over(
        &mut self,
        clicked: Pos,
        is_mine: Option<bool>,
        mined: &[Pos],
        wrong_flags: &[Pos],
        before: &[CellPatch],
        first: bool,
    ) -> Result<(), LearnError> {
        if !self.see_end()? {
            return self.unseen();
        }
        if self.is_veiled() {
            // Nothing can be learned from cells behind it.
            let outcome = match is_mine {
                Some(true) => Outcome::Lost,
                Some(false) => Outcome::Won,
                // Nobody wins by the first click.
                None if !self.has_open() => Outcome::Lost,
                None => Outcome::Unknown,
            };
            self.notes.end_behind(outcome);
            if first && outcome == Outcome::Lost {
                self.notes.firsts.push(First::Mine);
            }
            return Ok(());
        }
        let board = self.notes.board(&self.seen);
        let mut clusters = self.notes.clusters.clone();
        let mut ending = Ending {
            before: &self.seen,
            board: &board,
            clicked,
            is_mine,
            mined,
            wrong_flags,
            from: before,
            to: &self.window.patches,
            clusters: &mut clusters,
            flags: &self.flags,
            covered: &self.covered,
        };
        let (outcome, seen) = ending.read();
        self.notes.clusters = clusters;
        if first && outcome == Outcome::Lost {
            self.notes.firsts.push(First::Mine);
        }
        if outcome == Outcome::Won && !self.notes.skin.game.won_only_with_flags {
            let by_itself = seen.sights.contains(&Sight::Flagged);
            self.notes.skin.game.flags_when_won |= by_itself;
        }
        self.notes.end(&self.window.frame, &self.window.lattice, &seen, outcome)?;
        Ok(())
    }

    /// Loses the game on purpose at `mine`, with a wrong flag on the board if a cell is proven safe and all is to be learned.
    fn lose(&mut self, safe: &[Pos], mine: Pos, mined: &[Pos]) -> Result<(), LearnError> {
        self.tell("losing a game on purpose, to see what mines look like");
        let mut wrong: Vec<Pos> = Vec::new();
        // Some games keep the flags of one game in the next one.
        if let Some(&pos) = safe.first().filter(|_| self.flags_work && self.is_thorough)
            && self.window.right_click(pos)? == [pos]
        {
            wrong.push(pos);
        }
        let before = self.window.patches.clone();
        self.before_asking = None;
        self.before_click = self.window.frame.clone();
        self.window.click(&[Button::Left], mine)?;
        self.over(mine, Some(true), mined, &wrong, &before, false)
    }

    /// Every cell that is left is a mine. If the game goes on, flags them all, as some games want; takes the flags off again where
    /// that does not end it either.
    fn flag_all(&mut self, mined: &[Pos]) -> Result<(), LearnError> {
        let before = self.window.patches.clone();
        for (nth, &pos) in mined.iter().enumerate() {
            if self.window.right_click(pos)?.is_empty() && nth == 0 {
                return self.won(mined);
            }
        }
        self.window.settle(SHOWS_WITHIN, SETTLED_AFTER)?;
        let is_over = match mined.first() {
            Some(&pos) => self.window.right_click(pos)?.is_empty(),
            None => true,
        };
        if !is_over {
            self.unmark(mined, &before)?;
            return self.unseen();
        }
        self.notes.skin.game.won_only_with_flags = true;
        let clicked = self.seen.positions().find(|&pos| !mined.contains(&pos));
        match clicked {
            Some(clicked) => self.over(clicked, Some(false), mined, &[], &before, false),
            None => Ok(()),
        }
    }
}

/// Whether the cells that are open now and were not before are one piece with the one that was clicked. Mines that are shown
/// at the end of a game are all over a board.
pub(super) fn is_one_region(now: &Seen, before: &Seen, clicked: Pos) -> bool {
    let opened = |pos: &Pos| before.at(*pos).is_unopened() && !now.at(*pos).is_unopened();
    let reached = region(&Board::new(now.cols, now.rows), clicked, opened);
    now.positions().filter(opened).all(|pos| reached.contains(&pos))
}

/// The cells in one piece with the one at `from` that are all of a kind.
pub(super) fn region(board: &Board, from: Pos, is_of_kind: impl Fn(&Pos) -> bool) -> Vec<Pos> {
    let (mut region, mut next) = (vec![from], 0);
    while let Some(&pos) = region.get(next) {
        next += 1;
        let further = board.neighbours(pos);
        let further = further.filter(|near| is_of_kind(near) && !region.contains(near));
        region.extend(further.collect::<Vec<Pos>>());
    }
    region
}
