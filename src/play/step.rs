//! One thing to do on the board, and how it shows that it was done.

use crate::board::{Board, Cell, Pos};

/// What to do with a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Action {
    /// Open it: the left button.
    Open,
    /// Put the next mark on it, on the way to a flag: the right button.
    Flag,
    /// Put the next mark on it, on the way to none: the right button.
    Unflag,
    /// Open everything around this satisfied number: the buttons that the skin names.
    Chord,
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Action::Open => "open",
            Action::Flag => "flag",
            Action::Unflag => "unflag",
            Action::Chord => "chord",
        })
    }
}

/// One click on a cell (of one or two buttons).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The cell.
    pub pos: Pos,
    /// What to do with it.
    pub action: Action,
    /// What the cell shows before the click.
    pub from: Cell,
}

impl Step {
    pub(super) fn on(board: &Board, pos: Pos, action: Action) -> Self {
        let from = board[pos];
        Self { pos, action, from }
    }

    /// Whether `board` shows that the click had its effect.
    ///
    /// For a mark that is any other look than before: which mark comes next is the game's affair, and
    /// the next turn plans from what is there then.
    pub(super) fn shows(&self, board: &Board) -> bool {
        let is_open = |cell: Cell| !cell.is_unopened() && cell != Cell::Unclear;
        match self.action {
            Action::Open => is_open(board[self.pos]),
            Action::Flag | Action::Unflag => {
                board[self.pos] != self.from && board[self.pos] != Cell::Unclear
            }
            Action::Chord => board
                .neighbours(self.pos)
                .all(|near| is_open(board[near]) || board[near] == Cell::Flagged),
        }
    }

    /// Whether a second click could undo the first.
    pub(super) fn toggles(&self) -> bool {
        matches!(self.action, Action::Flag | Action::Unflag)
    }
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.action, self.pos)
    }
}
