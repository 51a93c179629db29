//! A player after the author: rank the board after each move, and look ahead where that says too little.
//!
//! Whether the line is broken is judged on the fox's turn; on their own the hounds may still close it.
//! Three heuristics spare the look-ahead, or part of it:
//! - *run*: a fox with a path takes the shortest one;
//! - *hold*: hounds that can keep the line whole do so, by rank alone;
//! - *delay*: hounds that cannot leave the longest path, and look ahead only to choose among equals.
//!
//! The look-ahead tries every move of its own side. The other side answers with a move of best rank, so
//! its turns do not branch: that is how 4 moves of the fox, 5 deep, and 8 of the hounds, 6 deep, give the
//! author's bounds of 4^5 and 8^6. A line ends early where *run* or *hold* knows how to go on.

use crate::board::{Position, Side};
use crate::rank::{PINNED, Version, WHOLE, holds};

/// How a side chooses its moves.
#[derive(Clone, Copy, Debug)]
pub struct Player {
    /// How boards are ranked.
    pub version: Version,
    /// How many of its own moves the fox looks ahead, and how many of theirs the hounds.
    pub depth: [u32; 2],
    /// Whether the fox trusts *run*.
    pub run: bool,
    /// Whether the hounds trust *hold*.
    pub hold: bool,
    /// Whether the hounds trust *delay*.
    pub delay: bool,
}

impl Player {
    /// The author's player with one of his evaluation functions.
    pub fn new(version: Version) -> Self {
        Self { version, depth: [5, 6], run: true, hold: true, delay: true }
    }

    /// The moves that it thinks equally good, and how many lines it has followed to find them.
    pub fn choose(&self, position: Position) -> (Vec<Position>, u32) {
        let side = position.turn;
        let all = || position.moves();
        let by_rank = || position.best(all(), |next| self.version.rank(next).into());
        let moves: Vec<_> = match (side, holds(position)) {
            (Side::Fox, false) if self.run => return (by_rank(), 0),
            (Side::Hounds, true) if self.hold => return (by_rank(), 0),
            (Side::Hounds, false) if self.delay => by_rank(),
            _ => all().collect(),
        };
        let mut lines = 0;
        if moves.len() < 2 {
            return (moves, lines);
        }
        let left = self.depth[usize::from(side == Side::Hounds)].saturating_sub(1);
        let best = position.best(moves, |next| self.look_ahead(side, next, left, 1, &mut lines));
        (best, lines)
    }

    /// What comes of `position`, `turn` moves on, if `side` may still make `left` moves.
    fn look_ahead(
        &self,
        side: Side,
        position: Position,
        left: u32,
        turn: i32,
        lines: &mut u32,
    ) -> i32 {
        let rank = self.version.rank(position);
        let known = match side {
            Side::Fox => self.run && rank < WHOLE,
            Side::Hounds => self.hold && rank >= WHOLE,
        };
        let over = rank == 0 || rank == PINNED;
        if over || position.turn == Side::Fox && (left == 0 || known) {
            *lines += 1;
            return outcome(rank, turn);
        }
        let sign = position.turn as i32;
        let moves = position.moves();
        let best = if position.turn == side {
            moves
                .map(|next| self.look_ahead(side, next, left - 1, turn + 1, lines))
                .max_by_key(|outcome| outcome * sign)
        } else {
            moves
                .max_by_key(|&next| i32::from(self.version.rank(next)) * sign)
                .map(|answer| self.look_ahead(side, answer, left, turn + 1, lines))
        };
        // There is always a move: a fox without one is pinned, and hounds pass.
        best.unwrap_or(outcome(rank, turn))
    }
}

/// One number for a rank and the turn on which it comes. Good things are better sooner and bad ones
/// later: of equal ranks the hounds like a whole line sooner and a path later, the fox the reverse.
pub fn outcome(rank: u8, turn: i32) -> i32 {
    256 * i32::from(rank) + if rank < WHOLE { turn } else { -turn }
}
