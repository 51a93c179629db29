//! Numbers of arrangements by mines, many lists of them in one memory.

use super::chain::Link;

/// A run of numbers of arrangements in a list of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub least: u32,
    begin: usize,
    end: usize,
    exponent: i32,
}

/// Numbers of arrangements by mines. Kept and used again, so that it rarely allocates.
#[derive(Clone, Debug, Default)]
pub(super) struct Spectrum {
    counts: Vec<f64>,
    /// For each number of mines around the cell.
    pub values: Vec<(u8, Run)>,
    /// For the components that do not matter for it.
    pub others: Vec<Run>,
}

impl Spectrum {
    pub fn clear(&mut self) {
        self.counts.clear();
        self.values.clear();
        self.others.clear();
    }

    pub fn run(&mut self, least: u32, counts: &[f64], exponent: i32) -> Run {
        let begin = self.counts.len();
        self.counts.extend(counts);
        Run { least, begin, end: self.counts.len(), exponent }
    }

    pub fn link(&self, run: Run) -> Link<'_> {
        let Run { least, begin, end, exponent } = run;
        Link { least, counts: &self.counts[begin..end], exponent }
    }
}
