//! The games of a recorded session, step by step.

use std::ops::Range;

use crate::board::{Board, Pos};
use crate::play::{Action, Outcome};
use crate::solver::Advice;

/// How a recorded session was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedSession {
    /// The name of the strategy.
    pub strategy: String,
    /// Where all chance came from.
    pub seed: u64,
    /// The nodes that a decision might take.
    pub nodes: u64,
}

/// A game of a recorded session, as far as it was recorded.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RecordedGame {
    /// Its frames, as they stand in [`Recording::cases`](super::Recording::cases).
    pub frames: Range<usize>,
    /// What was decided, in order.
    pub steps: Vec<RecordedStep>,
    /// What was clicked, in order, but clicks that were lost and sent again.
    pub clicks: Vec<RecordedClick>,
    /// How it ended and after how many seconds, if the recording tells.
    pub over: Option<(Outcome, f64)>,
}

/// A click on a cell in a recorded game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RecordedClick {
    /// When it was sent, in seconds from the beginning of the game; none in recordings of older versions.
    pub seconds: Option<f64>,
    /// The cell.
    pub pos: Pos,
    /// What was to be done.
    pub action: Action,
}

/// A decision of a recorded game.
#[derive(Clone, PartialEq, Debug)]
pub struct RecordedStep {
    /// The board that was decided on.
    pub board: Board,
    /// The decision as it is taken again: it is the recorded one unless the recording
    /// [differs](super::Recording::differences). None where the strategy has no advice today.
    pub advice: Option<Advice>,
    /// How many clicks it came to, those sent again included.
    pub clicks: usize,
    /// The frame that it was decided on, as it stands in [`Recording::cases`](super::Recording::cases); none where that is
    /// missing.
    pub frame: Option<usize>,
}

impl RecordedGame {
    /// A click was sent; `again`, since the one before was lost.
    pub(super) fn click(&mut self, click: RecordedClick, again: bool) {
        let same = |one: &RecordedClick| one.pos == click.pos && one.action == click.action;
        if let Some(lost) = self.clicks.iter().rposition(same).filter(|_| again) {
            self.clicks.remove(lost);
        }
        self.clicks.push(click);
    }

    /// What was decided and done: where the player looked again before it clicked, only the last decision counts. A
    /// decision that nothing came of counts at the end only.
    pub fn moves(&self) -> impl Iterator<Item = &RecordedStep> {
        let last = self.steps.len().saturating_sub(1);
        let is_done = move |&(nth, step): &(usize, &RecordedStep)| step.clicks > 0 || nth == last;
        self.steps.iter().enumerate().filter(is_done).map(|(_, step)| step)
    }
}
