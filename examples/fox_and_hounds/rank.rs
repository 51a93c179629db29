//! The evaluation function: how well the hounds have closed in, as one number.
//!
//! 0: the fox is free. Below [`WHOLE`]: the line of the hounds is broken, and that many steps lead the
//! fox to freedom if no hound moves. 127: the fox is pinned. In between the line is whole, and the three
//! versions differ in how they tell a good line from a poor one.

use crate::board::{HOME, Position, Side, Squares, around};

/// The rank of a whole line in the first version; no whole line ranks below it in any.
pub const WHOLE: u8 = 64;

/// The rank of a pinned fox.
pub const PINNED: u8 = 127;

/// How a whole line is ranked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Version {
    /// All the same.
    First,
    /// By the black squares: those with no path to freedom, the pieces' own included.
    Second,
    /// By those black squares only where a hound stands or the fox can get.
    Third,
}

impl Version {
    /// All versions, in the order in which the author improves on them.
    pub const ALL: [Self; 3] = [Self::First, Self::Second, Self::Third];

    /// The rank of the board, whoever is to move; the hounds like great ones.
    pub fn rank(self, position: Position) -> u8 {
        let mut green = 0;
        for (length, wave) in to_freedom(position.hounds).enumerate() {
            if wave & position.fox != 0 {
                return length as u8;
            }
            green |= wave;
        }
        let black = match self {
            _ if position.winner() == Some(Side::Hounds) => return PINNED,
            Version::First => return WHOLE,
            Version::Second => !green,
            Version::Third => position.hounds | territory(position),
        };
        PINNED - black.count_ones() as u8
    }
}

/// Whether the fox has no path to freedom.
pub fn is_whole(position: Position) -> bool {
    Version::First.rank(position) >= WHOLE
}

/// Whether the line holds, whoever is to move: hounds may close it first, if a move of theirs can.
pub fn holds(position: Position) -> bool {
    match position.turn {
        Side::Fox => is_whole(position),
        Side::Hounds => position.moves().any(is_whole),
    }
}

/// The squares from which freedom is 0, 1, 2 ... steps away while no hound moves: the green ones.
pub fn to_freedom(hounds: Squares) -> impl Iterator<Item = Squares> {
    waves(HOME, hounds)
}

/// The squares that the fox can get to while no hound moves, its own included.
pub fn territory(position: Position) -> Squares {
    waves(position.fox, position.hounds).fold(0, |all, wave| all | wave)
}

/// The squares that are 0, 1, 2 ... steps from `start`, around the hounds.
fn waves(start: Squares, hounds: Squares) -> impl Iterator<Item = Squares> {
    let mut fresh = !hounds;
    let mut next = start & fresh;
    std::iter::from_fn(move || {
        let wave = next;
        fresh &= !wave;
        next = around(wave) & fresh;
        (wave != 0).then_some(wave)
    })
}
