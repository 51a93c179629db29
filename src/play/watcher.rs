//! Looking over the player's shoulder.

use std::time::Duration;

use super::{Outcome, Step};
use crate::board::Board;
use crate::capture::Frame;
use crate::recognize::{Reading, Skin};
use crate::solver::Advice;

/// Told what the player sees, thinks and does; for a progress line or a recording. Every method does
/// nothing unless it is written.
pub trait Watcher {
    /// A game begins (from 0), or goes on where somebody else left it.
    fn game_begins(&mut self, game: u32) {
        let _ = game;
    }

    /// A frame was read to decide on, or to see how the game ended.
    fn looked(&mut self, frame: &Frame, reading: &Reading) {
        let _ = (frame, reading);
    }

    /// The strategy gave advice on `board`, which is the last reading, numbers read earlier
    /// included. It spent `nodes`.
    fn advised(&mut self, board: &Board, advice: &Advice, nodes: u64) {
        let _ = (board, advice, nodes);
    }

    /// The player is about to guess. Who wants it to wait returns only when it may go on, and then whether it waited: somebody may
    /// have used the mouse meanwhile, and made a move.
    fn guessing(&mut self, board: &Board, advice: &Advice) -> bool {
        let _ = (board, advice);
        false
    }

    /// A batch of clicks goes out; in a dry run, would go out. `again` says that these were sent
    /// before and did not show.
    fn clicking(&mut self, steps: &[Step], again: bool) {
        let _ = (steps, again);
    }

    /// These of the clicks that went out last were made. The others were left out: their cells had changed before.
    fn clicked(&mut self, steps: &[Step]) {
        let _ = steps;
    }

    /// A game ended.
    fn game_over(&mut self, game: u32, outcome: Outcome, took: Duration) {
        let _ = (game, outcome, took);
    }

    /// A won game has proven what `numbers` look like, which the skin lacked; `skin` has them now.
    fn learned(&mut self, skin: &Skin, numbers: &[u8]) {
        let _ = (skin, numbers);
    }
}

/// Watches nothing.
impl Watcher for () {}

impl<W: Watcher + ?Sized> Watcher for &mut W {
    fn game_begins(&mut self, game: u32) {
        (**self).game_begins(game);
    }

    fn looked(&mut self, frame: &Frame, reading: &Reading) {
        (**self).looked(frame, reading);
    }

    fn advised(&mut self, board: &Board, advice: &Advice, nodes: u64) {
        (**self).advised(board, advice, nodes);
    }

    fn guessing(&mut self, board: &Board, advice: &Advice) -> bool {
        (**self).guessing(board, advice)
    }

    fn clicking(&mut self, steps: &[Step], again: bool) {
        (**self).clicking(steps, again);
    }

    fn clicked(&mut self, steps: &[Step]) {
        (**self).clicked(steps);
    }

    fn game_over(&mut self, game: u32, outcome: Outcome, took: Duration) {
        (**self).game_over(game, outcome, took);
    }

    fn learned(&mut self, skin: &Skin, numbers: &[u8]) {
        (**self).learned(skin, numbers);
    }
}

/// Several watchers, each told in turn.
impl Watcher for Vec<Box<dyn Watcher + '_>> {
    fn game_begins(&mut self, game: u32) {
        self.iter_mut().for_each(|watcher| watcher.game_begins(game));
    }

    fn looked(&mut self, frame: &Frame, reading: &Reading) {
        self.iter_mut().for_each(|watcher| watcher.looked(frame, reading));
    }

    fn advised(&mut self, board: &Board, advice: &Advice, nodes: u64) {
        self.iter_mut().for_each(|watcher| watcher.advised(board, advice, nodes));
    }

    fn guessing(&mut self, board: &Board, advice: &Advice) -> bool {
        let mut waited = false;
        for watcher in self {
            waited |= watcher.guessing(board, advice);
        }
        waited
    }

    fn clicking(&mut self, steps: &[Step], again: bool) {
        self.iter_mut().for_each(|watcher| watcher.clicking(steps, again));
    }

    fn clicked(&mut self, steps: &[Step]) {
        self.iter_mut().for_each(|watcher| watcher.clicked(steps));
    }

    fn game_over(&mut self, game: u32, outcome: Outcome, took: Duration) {
        self.iter_mut().for_each(|watcher| watcher.game_over(game, outcome, took));
    }

    fn learned(&mut self, skin: &Skin, numbers: &[u8]) {
        self.iter_mut().for_each(|watcher| watcher.learned(skin, numbers));
    }
}
