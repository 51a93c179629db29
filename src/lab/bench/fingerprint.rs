//! One number for all decisions of a bench: two runs that decide alike have the same one.
//!
//! Each cell of each decision of a game takes the game's word one step further, from the game's number
//! on, and the words of all games are added up. A sum does not depend on the order of the games, so neither
//! threads nor shards change it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::{Board, Pos};
use crate::lab::formats::LaidBoard;
use crate::solver::Advice;
use crate::splitmix;

/// A fingerprint of decisions; shown as 16 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// Of the game with this number, before its first decision.
    pub(super) fn of_game(index: u64) -> Self {
        Self(splitmix::nth(0, index))
    }

    /// A number that says which boards these are.
    pub fn of_boards(boards: &[LaidBoard]) -> Self {
        let mut all = Self::default();
        for LaidBoard { cols, rows, first, mines } in boards {
            let cells = [Pos::new(*cols, *rows)].into_iter().chain(*first);
            all.absorb(mines.len() as u64);
            let cells = cells.chain(mines.iter().copied());
            cells.for_each(|pos| all.absorb(u64::from(pos.row) << 16 | u64::from(pos.col)));
        }
        all
    }

    /// Takes in one more word, in order.
    pub(super) fn absorb(&mut self, word: u64) {
        self.0 = splitmix::nth(self.0, word);
    }

    /// Takes in the next decision of the game: what it proves and what it guesses, not why.
    pub(super) fn decided(&mut self, board: &Board, advice: &Advice) {
        let mut absorb = |cells: &mut dyn ExactSizeIterator<Item = Pos>| {
            self.absorb(cells.len() as u64);
            cells.for_each(|pos| self.absorb(board.index(pos) as u64));
        };
        absorb(&mut advice.safe.iter().map(|proof| proof.pos));
        absorb(&mut advice.mined.iter().map(|proof| proof.pos));
        absorb(&mut advice.guess.iter().map(|guess| guess.pos));
    }

    /// Adds other games.
    pub(super) fn add(&mut self, games: Fingerprint) {
        self.0 = self.0.wrapping_add(games.0);
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<Fingerprint> for String {
    fn from(fingerprint: Fingerprint) -> Self {
        fingerprint.to_string()
    }
}

impl TryFrom<String> for Fingerprint {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, std::num::ParseIntError> {
        u64::from_str_radix(&text, 16).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::formats::laid;

    #[test]
    fn other_boards_have_another_fingerprint() {
        let of = |text| Fingerprint::of_boards(&laid::parse(text).unwrap());
        let texts =
            ["", "2 2 0 0 0 :", "2 2 0 1 0 :", "2 2 1 0 0 : 0", "4 1 1 0 0 : 0", "4 1 1 : 0"];
        for (nth, text) in texts.iter().enumerate() {
            assert!(texts[..nth].iter().all(|other| of(other) != of(text)), "{text}");
        }
    }
}
