//! The numbers that are still to be looked at: a worklist, run to the fixpoint.
//!
//! A local rule looks at one number together with those that share unknown cells with it, so a number
//! is worth another look only when something changed nearby. What is found does not depend on the
//! order of the looks, as long as knowing more never makes a rule find less.

use std::collections::VecDeque;

use crate::board::{Board, Pos};

use super::Budget;
use super::fact::Clash;
use super::knowledge::{Knowledge, Number};

/// How far a change reaches: it matters to the numbers around the cell, and to those that share
/// unknown cells with one of these, up to two cells further.
const CHANGE_REACH: u16 = 3;

/// Places of numbers in the order in which they were added, each once.
pub(super) struct Worklist {
    queue: VecDeque<Pos>,
    waiting: Vec<bool>,
}

impl Worklist {
    /// An empty list for numbers of `board`.
    pub fn new(board: &Board) -> Self {
        let cells = usize::from(board.cols()) * usize::from(board.rows());
        Self { queue: VecDeque::new(), waiting: vec![false; cells] }
    }

    /// All numbers with unknown cells.
    pub fn all(known: &Knowledge) -> Self {
        let mut all = Self::new(known.board());
        known.numbers().for_each(|number| all.add(known.board(), number.pos));
        all
    }

    /// Adds every number to which a change of the cell at `pos` may matter.
    pub fn add_near(&mut self, known: &Knowledge, pos: Pos) {
        for near in known.board().within(pos, CHANGE_REACH) {
            if known.number(near).is_some() {
                self.add(known.board(), near);
            }
        }
    }

    fn add(&mut self, board: &Board, pos: Pos) {
        let waits = &mut self.waiting[board.index(pos)];
        if !std::mem::replace(waits, true) {
            self.queue.push_back(pos);
        }
    }

    /// Takes one number after the other to `look`, and adds those near to what it learns. One look is
    /// one node; false when the budget is spent before the list is empty.
    ///
    /// # Errors
    /// When a look finds that no mines fit the board.
    pub fn run(
        mut self,
        known: &mut Knowledge,
        budget: &mut Budget,
        mut look: impl FnMut(&mut Knowledge, Number) -> Result<(), Clash>,
    ) -> Result<bool, Clash> {
        while let Some(pos) = self.queue.pop_front() {
            self.waiting[known.board().index(pos)] = false;
            let Some(number) = known.number(pos) else {
                continue;
            };
            if !budget.spend() {
                return Ok(false);
            }
            let before = known.proofs().len();
            look(known, number)?;
            for found in known.proofs_from(before) {
                self.add_near(known, found.pos);
            }
        }
        Ok(true)
    }
}
