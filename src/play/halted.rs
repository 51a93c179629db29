//! A game in which a player has stopped, since it could not read what came up.

use crate::board::{Board, Pos};
use crate::recognize::Reading;

/// What is known of a game in which a player has stopped.
#[derive(Clone, Debug)]
pub struct Halted {
    /// What was read last.
    pub reading: Reading,
    /// Numbers that were read before, and cells that are open and show one that is not known; the rest is covered.
    pub opened: Board,
    /// Unclear cells that the player has opened.
    pub clicked: Vec<Clicked>,
}

/// A cell that the player has opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clicked {
    /// Which one.
    pub pos: Pos,
    /// Whether it was proven to be no mine.
    pub is_proven: bool,
}
