//! How much a strategy may think.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A number of nodes to spend on a decision, and optionally signals to stop at once.
///
/// What a node is, each strategy says; spending the same number always gives the same answer. The stop
/// signal is for a person who presses Ctrl-C or for a player in a hurry.
#[derive(Clone, Debug)]
pub struct Budget {
    left: u64,
    spent: u64,
    /// When so many are spent, it is as if the signal to stop came.
    stops_at: Option<u64>,
    stops: Vec<Arc<AtomicBool>>,
}

impl Budget {
    /// A budget of `nodes` nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { left: nodes, spent: 0, stops_at: None, stops: Vec::new() }
    }

    /// The same budget, ended early when `stop` becomes true, or a signal that was given before.
    pub fn with_stop(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stops.push(stop);
        self
    }

    /// The same budget, as it was when the signal to stop came after `spent` nodes: what was decided then is decided
    /// again. A strategy may deal out what is left, so a smaller budget would not do.
    pub fn stopped_after(mut self, spent: u64) -> Self {
        self.stops_at = Some(spent);
        self
    }

    /// Takes one node; false when there is none left or the signal to stop was given.
    pub fn spend(&mut self) -> bool {
        self.spend_many(1)
    }

    /// Takes `nodes` nodes, or what is left; false when that is less, or the signal to stop was given.
    pub fn spend_many(&mut self, nodes: u64) -> bool {
        let after = self.spent + nodes.min(self.left);
        let stopped = self.stops.iter().any(|stop| stop.load(Ordering::Relaxed));
        if stopped || self.stops_at.is_some_and(|at| after > at) {
            self.left = 0;
        }
        let taken = nodes.min(self.left);
        self.left -= taken;
        self.spent += taken;
        taken == nodes
    }

    /// Lets `think` spend at most `nodes` of the nodes that are left.
    pub fn limited<T>(&mut self, nodes: u64, think: impl FnOnce(&mut Budget) -> T) -> T {
        let kept = self.left.saturating_sub(nodes);
        self.left -= kept;
        let thought = think(self);
        self.left += kept;
        thought
    }

    /// Nodes that are left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Nodes spent so far.
    pub fn spent(&self) -> u64 {
        self.spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_that_was_stopped_is_spent_alike_again() {
        let stop = Arc::new(AtomicBool::new(false));
        let spend = |mut budget: Budget, stop: &AtomicBool| {
            let first = budget.limited(6, |part| [part.spend_many(4), part.spend_many(4)]);
            stop.store(true, Ordering::Relaxed);
            (first, budget.spend_many(5), budget.spend(), budget.spent())
        };
        let stopped = spend(Budget::nodes(100).with_stop(stop.clone()), &stop);
        assert_eq!(stopped, ([true, false], false, false, 6));
        assert_eq!(spend(Budget::nodes(100).stopped_after(6), &stop), stopped);
    }
}
