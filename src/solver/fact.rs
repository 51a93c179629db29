//! What can be known of a cell, and what cannot be at all.

use crate::board::Pos;

use super::{Reason, SolveError};

/// What is known of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fact {
    /// It may be a mine or not.
    Unknown,
    /// It is no mine.
    Clear,
    /// It is a mine.
    Mine,
}

impl Fact {
    /// What a cell is that cannot be this: a mine if not clear, and the other way round.
    pub fn opposite(self) -> Self {
        match self {
            Fact::Unknown => Fact::Unknown,
            Fact::Clear => Fact::Mine,
            Fact::Mine => Fact::Clear,
        }
    }
}

/// What cannot be, on the board or under a supposition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clash {
    /// This number has too many mines around it, or too few cells left for them.
    Number(Pos),
    /// The board has more mines than its count says, or too few cells left for them.
    MineCount(u32),
}

impl Clash {
    /// Why a cell must be the opposite of what ended in this clash.
    pub fn reason(self) -> Reason {
        match self {
            Clash::Number(number) => Reason::Contradiction { number },
            Clash::MineCount(_) => Reason::CountContradiction,
        }
    }
}

impl From<Clash> for SolveError {
    fn from(clash: Clash) -> Self {
        match clash {
            Clash::Number(at) => SolveError::Impossible { at },
            Clash::MineCount(mines) => SolveError::WrongMineCount { mines },
        }
    }
}
