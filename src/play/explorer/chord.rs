//! How a game opens all around a number at once.

use super::{Answered, Explorer};
use crate::board::{Board, Pos};
use crate::learn::from_play::Sight;
use crate::play::LearnError;
use crate::recognize::skin::Chord;

/// A number all around which is known: where to try a chord.
struct Place {
    number: Pos,
    mines: Vec<Pos>,
    safe: Vec<Pos>,
}

impl Explorer<'_> {
    /// Once there is a number to try it on, flags the mines around it and finds out which buttons open the rest. The flags
    /// are taken off again. Returns whether the game goes on; `None` when nothing was tried.
    pub(super) fn try_chords(
        &mut self,
        board: &Board,
        safe: &[Pos],
        mined: &[Pos],
    ) -> Result<Option<bool>, LearnError> {
        let is_wanted = self.is_thorough && self.notes.skin.game.chord.is_none();
        if !is_wanted || self.chords_tried || !self.flags_work {
            return Ok(None);
        }
        let Some(Place { number, mines, safe: around }) = self.place(board, safe, mined) else {
            return Ok(None);
        };
        self.chords_tried = true;
        let before = self.window.patches.clone();
        let mut flagged = true;
        for &mine in &mines {
            flagged = flagged && self.window.right_click(mine)? == [mine];
        }
        let mut opened = Vec::new();
        for chord in Chord::ALL.into_iter().filter(|_| flagged) {
            let changed = self.window.click(chord.buttons(), number)?;
            if around.iter().all(|pos| changed.contains(pos)) {
                self.tell(&format!("{chord} on a number opens around it"));
                self.notes.skin.game.chord = Some(chord);
                opened = changed;
            } else if changed.is_empty() {
                continue;
            }
            break;
        }
        if !self.unmark(&mines, &before)? {
            // It takes no clicks any more.
            self.unseen()?;
            return Ok(Some(false));
        }
        let Some(&pos) = around.first().filter(|_| !opened.is_empty()) else {
            return Ok(Some(true));
        };
        let click = Answered { pos, changed: &opened, is_mine: Some(false), before: &before };
        self.take_in(&click, safe, mined, false).map(Some)
    }

    /// The number with the fewest mines all around which is known, some of it safe; the game goes on after that.
    fn place(&self, board: &Board, safe: &[Pos], mined: &[Pos]) -> Option<Place> {
        let is_covered = |pos: &Pos| self.seen.at(*pos) == Sight::Covered;
        let left = self.seen.positions().filter(is_covered).count();
        let place = |number: Pos| {
            let count = board[number].number().filter(|&count| count > 0)?;
            let around = || board.neighbours(number).filter(is_covered);
            let mines: Vec<Pos> = around().filter(|pos| mined.contains(pos)).collect();
            let safe: Vec<Pos> = around().filter(|pos| safe.contains(pos)).collect();
            let is_known = mines.len() == usize::from(count) && !safe.is_empty();
            let is_last = left <= mined.len() + safe.len();
            (is_known && !is_last).then_some(Place { number, mines, safe })
        };
        board.positions().filter_map(place).min_by_key(|place| place.mines.len())
    }
}
