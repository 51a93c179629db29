//! How much a strategy may think.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A number of nodes to spend on a decision, and optionally a signal to stop at once.
///
/// What a node is, each strategy says; spending the same number always gives the same answer. The stop
/// signal is for a person who presses Ctrl-C or for a player in a hurry.
#[derive(Clone, Debug)]
pub struct Budget {
    left: u64,
    spent: u64,
    stop: Option<Arc<AtomicBool>>,
}

impl Budget {
    /// A budget of `nodes` nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { left: nodes, spent: 0, stop: None }
    }

    /// The same budget, ended early when `stop` becomes true.
    pub fn with_stop(self, stop: Arc<AtomicBool>) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Takes one node; false when there is none left or the signal to stop was given.
    pub fn spend(&mut self) -> bool {
        let stopped = self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
        if self.left == 0 || stopped {
            return false;
        }
        self.left -= 1;
        self.spent += 1;
        true
    }

    /// Nodes spent so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }
}
