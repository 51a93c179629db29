//! What is kept from one round to the next: the board, what was proven on it, and the chances.

use crate::board::{Board, Cell, Pos};

use super::super::Deduction;
use super::super::fact::{Clash, Fact};
use super::super::knowledge::Knowledge;
use super::super::worklist::Worklist;

/// The share of placements of a number's mines that put one into a cell; no placements: nothing known.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    mined: u8,
    placements: u8,
}

/// A board that was advised on, and what came of it.
#[derive(Clone, Debug)]
pub struct Memory {
    board: Board,
    facts: Vec<Fact>,
    proofs: Vec<Deduction>,
    /// For each cell a slot for each direction in which a number may lie, row by row.
    slots: Vec<[Share; 8]>,
}

impl Memory {
    /// Nothing but the size and the mine count of `board`.
    pub fn nothing(board: &Board) -> Self {
        let mut covered = Board::new(board.cols(), board.rows());
        covered.mines = board.mines;
        let cells = usize::from(board.cols()) * usize::from(board.rows());
        Self {
            board: covered,
            facts: vec![Fact::Unknown; cells],
            proofs: Vec::new(),
            slots: vec![Default::default(); cells],
        }
    }

    /// Whether all that was proven still holds on `board`, because it shows everything that the
    /// remembered one shows.
    pub fn is_continued_by(&self, board: &Board) -> bool {
        let size = |board: &Board| (board.cols(), board.rows(), board.mines);
        let is_open_question = |cell: Cell| cell.is_unopened() || cell == Cell::Unclear;
        size(board) == size(&self.board)
            && self.board.iter().all(|(pos, cell)| is_open_question(cell) || cell == board[pos])
    }

    /// Tells `known` what was proven.
    ///
    /// # Errors
    /// When that cannot be on the board.
    pub fn recall(&self, known: &mut Knowledge) -> Result<(), Clash> {
        for proof in &self.proofs {
            let fact = self.facts[self.board.index(proof.pos)];
            known.learn_all([proof.pos], fact, proof.reason)?;
        }
        Ok(())
    }

    /// The numbers near a cell that shows or is known to be something else than before.
    pub fn differences(&self, known: &Knowledge) -> Worklist {
        let mut changed = Worklist::new(known.board());
        for (pos, before) in self.board.iter() {
            let shown = known.board()[pos].number() != before.number();
            if shown || known.fact(pos) != self.facts[self.board.index(pos)] {
                changed.add_near(known, pos);
            }
        }
        changed
    }

    /// Takes `known` as what was proven last.
    pub fn remember(&mut self, known: &Knowledge) {
        self.board = known.board().clone();
        self.facts = self.board.positions().map(|pos| known.fact(pos)).collect();
        self.proofs = known.proofs().collect();
    }

    /// Keeps that so many of the placements of `number` put a mine into the cell at `pos` beside it.
    pub fn keep(&mut self, pos: Pos, number: Pos, mined: u8, placements: u8) {
        let slot = direction(pos, number);
        self.slots[self.board.index(pos)][slot] = Share { mined, placements };
    }

    /// The chances that the numbers around `pos` give it, by their directions.
    pub fn chances(&self, pos: Pos) -> impl Iterator<Item = f64> {
        let slots = self.slots[self.board.index(pos)].into_iter();
        let known = slots.filter(|share| share.placements > 0);
        known.map(|share| f64::from(share.mined) / f64::from(share.placements))
    }
}

/// The direction from `pos` to a cell that it touches, 0 to 7, row by row.
fn direction(pos: Pos, other: Pos) -> usize {
    let (right, down) = (1 + other.col - pos.col, 1 + other.row - pos.row);
    let place = usize::from(3 * down + right);
    if place > 4 { place - 1 } else { place }
}
