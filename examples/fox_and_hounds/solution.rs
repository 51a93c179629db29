//! The game solved: who wins from every position, and how soon.
//!
//! Retrograde analysis: from the positions that are decided back to those that lead there. Each move of
//! a hound makes the word of the hounds greater, so their placements are taken from the greatest word
//! to the least, and each needs only those before it. Hounds that pass stay within a placement:
//! there the scores are worked out again until none changes.

use std::mem::replace;
use std::sync::LazyLock;

use crate::board::{Position, Side, Squares, each};

/// The score of a position that the hounds have won. Each move before it takes one away; a win of the
/// fox is the same below zero, and 0 is a game without end.
const WON: i32 = 1000;

/// The solved game; worked out when it is first asked for.
pub static SOLUTION: LazyLock<Solution> = LazyLock::new(Solution::new);

/// The score of every position.
pub struct Solution {
    /// Every set of four squares, in rising order.
    placements: Vec<Squares>,
    /// By placement, square of the fox, and turn.
    scores: Vec<i32>,
}

impl Solution {
    fn new() -> Self {
        let mut placements = vec![0];
        for _ in 0..4 {
            // One more square, beyond the last one, so that no set comes twice.
            let longer =
                |set: Squares| (32 - set.leading_zeros()..32).map(move |bit| set | 1 << bit);
            placements = placements.into_iter().flat_map(longer).collect();
        }
        placements.sort_unstable();
        let mut solution = Self { scores: vec![0; placements.len() * 64], placements };
        for place in (0..solution.placements.len()).rev() {
            let hounds = solution.placements[place];
            while boards(hounds).fold(false, |changed, position| {
                let (slot, score) = (solution.slot(position), solution.look_back(position));
                changed | (replace(&mut solution.scores[slot], score) != score)
            }) {}
        }
        solution
    }

    /// The score of a position from those one move on.
    fn look_back(&self, position: Position) -> i32 {
        if let Some(side) = position.winner() {
            return WON * side as i32;
        }
        let sign = position.turn as i32;
        let best = position.moves().map(|next| self.score(next)).max_by_key(|score| score * sign);
        best.map_or(0, |score| score - score.signum())
    }

    /// Who wins when both play as well as can be, and after how many moves of either side.
    pub fn winner(&self, position: Position) -> Option<(Side, i32)> {
        let score = self.score(position);
        let side = if score > 0 { Side::Hounds } else { Side::Fox };
        (score != 0).then_some((side, WON - score.abs()))
    }

    /// Whether `side` can win.
    pub fn wins(&self, position: Position, side: Side) -> bool {
        self.score(position) * side as i32 > 0
    }

    /// The moves that win soonest, or lose latest.
    pub fn choose(&self, position: Position) -> Vec<Position> {
        position.best(position.moves(), |next| self.score(next))
    }

    /// Every position there is: any four hounds, the fox on any other square, either to move.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        self.placements.iter().copied().flat_map(boards)
    }

    /// The positions that may come up in a game from the opening that ends where `over` says so.
    pub fn reachable(&self, over: impl Fn(Position) -> bool) -> Vec<Position> {
        let mut seen = vec![false; self.scores.len()];
        let mut found = vec![Position::OPENING];
        seen[self.slot(Position::OPENING)] = true;
        let mut next = 0;
        while let Some(&position) = found.get(next) {
            next += 1;
            if !over(position) {
                let unseen = |&next: &Position| !replace(&mut seen[self.slot(next)], true);
                found.extend(position.moves().filter(unseen));
            }
        }
        found
    }

    fn score(&self, position: Position) -> i32 {
        self.scores[self.slot(position)]
    }

    fn slot(&self, position: Position) -> usize {
        let place = self.placements.partition_point(|&hounds| hounds < position.hounds);
        let fox = position.fox.trailing_zeros() as usize;
        64 * place + 2 * fox + usize::from(position.turn == Side::Hounds)
    }
}

fn boards(hounds: Squares) -> impl Iterator<Item = Position> {
    each(!hounds)
        .flat_map(move |fox| [Side::Fox, Side::Hounds].map(|turn| Position { fox, hounds, turn }))
}
