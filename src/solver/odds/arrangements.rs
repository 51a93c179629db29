//! The arrangements of a position one by one, when they are few.
//!
//! For the end of a game, where all that may still happen can be looked at.

use crate::board::Pos;
use crate::solver::Budget;

use super::chain::Total;
use super::walk::Walk;
use super::weight::Weight;
use super::{OddsKind, Position, Workspace};

/// The most cells that are listed: for each the search goes one call deeper.
const MOST_CELLS_LISTED: usize = 4096;

/// All arrangements of mines in the unknown cells of a position, each as one bit a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrangements {
    cells: Vec<Pos>,
    /// Words of 64 bits for each arrangement.
    words: usize,
    mines: Vec<u64>,
}

impl Arrangements {
    /// The unknown cells, in the order of their bits.
    pub fn cells(&self) -> &[Pos] {
        &self.cells
    }

    /// For each arrangement the mines among the unknown cells: bit `n % 64` of word `n / 64` is set when
    /// the cell `n` has one. There is at least one word.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u64]> {
        self.mines.chunks_exact(self.words)
    }
}

impl Position {
    /// All arrangements that fit, when the mine count is used, the odds are exact, and there are at most
    /// `most` of them, of at most 4,096 cells; else `None`. Cells that were proven when the position was solved from its numbers
    /// alone are not among the unknown ones.
    pub fn arrangements(
        &self,
        most: usize,
        workspace: &mut Workspace,
        budget: &mut Budget,
    ) -> Option<Arrangements> {
        let Total::Mines(mines) = self.rest.total else {
            return None;
        };
        // The weight is the number of arrangements, but for rounding.
        if self.kind() != OddsKind::Exact || self.weight.to_f64() > most as f64 + 0.5 {
            return None;
        }
        let walk = self.walk(workspace, budget)?;
        let in_classes = walk.graphs.iter().flat_map(|graph| &graph.classes);
        let cells = in_classes.flat_map(|class| class.cells.iter()).chain(&walk.rest_cells);
        let cells: Vec<Pos> = cells.map(|&cell| self.grid.pos(cell as usize)).collect();
        if cells.len() > MOST_CELLS_LISTED {
            return None;
        }
        let words = cells.len().div_ceil(64).max(1);
        let (current, listed) = (vec![0; words], Vec::new());
        let mut lister = Lister { walk: &walk, mines, cells: cells.len(), current, listed };
        lister.graphs(0, 0, 0);
        Some(Arrangements { cells, words, mines: lister.listed })
    }
}

/// Goes every way through a walk. Every start of a way that it takes can be finished.
struct Lister<'w> {
    walk: &'w Walk,
    /// Mines in all unknown cells, and the number of these.
    mines: i64,
    cells: usize,
    current: Vec<u64>,
    listed: Vec<u64>,
}

impl Lister<'_> {
    /// All ways through the graphs from `graph` on and through the rest, when `used` mines lie in the
    /// graphs before, which have `bit` cells.
    fn graphs(&mut self, graph: usize, used: u32, bit: usize) {
        let walk = self.walk;
        let Some(next) = walk.graphs.get(graph) else {
            self.rest(bit, self.mines - i64::from(used));
            return;
        };
        for (mines, &count) in (next.least..).zip(&next.counts) {
            if count > 0.0 && !walk.chain.ahead(graph + 1, used + mines).is_zero() {
                self.classes(graph, (0, 0), mines, used + mines, bit);
            }
        }
    }

    /// All ways on from a state of a graph, of which `left` mines are still to come.
    fn classes(
        &mut self,
        graph: usize,
        (layer, state): (usize, usize),
        left: u32,
        used: u32,
        bit: usize,
    ) {
        let Some(step) = self.walk.graphs[graph].steps.get(layer) else {
            self.graphs(graph + 1, used, bit);
            return;
        };
        let diagram = &self.walk.graphs[graph].diagram;
        for (mines, to, weight) in diagram.ways_on(state, step, left) {
            if weight == 0.0 {
                continue;
            }
            let size = usize::from(step.size);
            let subsets = (0u64..1 << size).filter(|set| set.count_ones() == u32::from(mines));
            for subset in subsets {
                self.flip(subset, bit);
                self.classes(graph, (layer + 1, to), left - u32::from(mines), used, bit + size);
                self.flip(subset, bit);
            }
        }
    }

    /// All ways to put `left` mines into the cells from `bit` on.
    fn rest(&mut self, bit: usize, left: i64) {
        let after = (self.cells - bit) as i64;
        if left == 0 {
            self.listed.extend(&self.current);
        } else if left <= after {
            self.flip(1, bit);
            self.rest(bit + 1, left - 1);
            self.flip(1, bit);
            self.rest(bit + 1, left);
        }
    }

    /// Puts mines in, or takes them out, from `bit` on.
    fn flip(&mut self, mines: u64, bit: usize) {
        let (word, shift) = (bit / 64, bit % 64);
        self.current[word] ^= mines << shift;
        if shift > 56 && word + 1 < self.current.len() {
            self.current[word + 1] ^= mines >> (64 - shift);
        }
    }
}
