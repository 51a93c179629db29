//! The last decision of a session, in case it turns out wrong.

use std::path::Path;

use super::{RecordError, Recorder};
use crate::board::Board;
use crate::capture::Frame;
use crate::play::{Options, Step, Watcher};
use crate::recognize::Reading;
use crate::solver::Advice;

/// Remembers the last decision, so that it can be kept when it turns out wrong although nobody recorded the session.
#[derive(Debug, Default)]
pub struct LastDecision {
    game: u32,
    /// What was looked at since.
    looked: Option<(Frame, Reading)>,
    decided: Option<Decision>,
}

/// A decision, what it was made on, and what was clicked then.
#[derive(Debug)]
struct Decision {
    looked: (Frame, Reading),
    board: Board,
    advice: Advice,
    nodes: u64,
    clicks: Vec<(Vec<Step>, bool)>,
}

impl LastDecision {
    /// Writes it into `folder` as a recording of one decision: the frame that was decided on, the board, the decision, the
    /// clicks, and the frame after them.
    ///
    /// # Errors
    /// When the folder cannot be written to, or holds a recording already.
    pub fn keep(
        &self,
        folder: &Path,
        strategy: &str,
        options: &Options,
    ) -> Result<(), RecordError> {
        let mut recorder = Recorder::create(folder, strategy, options)?;
        recorder.game_begins(self.game);
        if let Some(Decision { looked, board, advice, nodes, clicks }) = &self.decided {
            recorder.looked(&looked.0, &looked.1);
            recorder.advised(board, advice, *nodes);
            clicks.iter().for_each(|(steps, again)| recorder.clicking(steps, *again));
        }
        if let Some((frame, reading)) = &self.looked {
            recorder.looked(frame, reading);
        }
        recorder.finish()
    }
}

impl Watcher for LastDecision {
    fn game_begins(&mut self, game: u32) {
        *self = Self { game, ..Self::default() };
    }

    fn looked(&mut self, frame: &Frame, reading: &Reading) {
        self.looked = Some((frame.clone(), reading.clone()));
    }

    fn advised(&mut self, board: &Board, advice: &Advice, nodes: u64) {
        self.decided = self.looked.take().map(|looked| Decision {
            looked,
            board: board.clone(),
            advice: advice.clone(),
            nodes,
            clicks: Vec::new(),
        });
    }

    fn clicking(&mut self, steps: &[Step], again: bool) {
        if let Some(decision) = &mut self.decided {
            decision.clicks.push((steps.to_vec(), again));
        }
    }
}
