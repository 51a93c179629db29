//! The end of a game: every arrangement of the mines that are left, counted.
//!
//! Only the cells beside numbers are arranged one by one. The others are alike, so that they only count
//! in how many ways the rest of the mines fits on them.

use crate::board::Pos;

use super::super::Budget;
use super::super::fact::{Clash, Fact};
use super::super::knowledge::Knowledge;

/// The most unknown cells that are arranged.
const MAX_UNKNOWN: usize = 20;

/// In how many arrangements of the last mines each cell is a mine.
pub struct EndGame {
    arrangements: u64,
    /// The cells beside numbers, each with the arrangements in which it is a mine.
    border: Vec<(Pos, u64)>,
    /// The same for each of the other cells.
    elsewhere: u64,
}

impl EndGame {
    /// Counts the arrangements. `None` when too many cells are unknown, none is, the mine count is not
    /// certain or the budget is spent. One cell of an arrangement is one node.
    ///
    /// # Errors
    /// When there is no arrangement.
    pub fn count(known: &Knowledge, budget: &mut Budget) -> Result<Option<Self>, Clash> {
        let (Some(mines), 1..=MAX_UNKNOWN) = (known.missing_mines(), known.unknown()) else {
            return Ok(None);
        };
        let cells: Vec<Pos> = known.border().collect();
        let rules = known.numbers().map(|number| {
            let touched = (0..cells.len()).filter(|&i| cells[i].touches(number.pos));
            (touched.map(|i| 1 << i).sum(), u32::from(number.missing))
        });
        let mut tally = Tally {
            rules: rules.collect(),
            mines,
            outside: known.unknown() - cells.len(),
            arrangements: 0,
            mined: vec![0; cells.len()],
            mined_outside: 0,
        };
        if !tally.arrange(0, 0, budget) {
            return Ok(None);
        }
        match tally.arrangements {
            0 => Err(Clash::MineCount(known.board().mines.known().unwrap_or_default())),
            arrangements => Ok(Some(Self {
                arrangements,
                border: cells.into_iter().zip(tally.mined).collect(),
                elsewhere: tally.mined_outside / tally.outside.max(1) as u64,
            })),
        }
    }

    /// The chance of a mine at the unknown cell `pos`.
    pub fn chance(&self, pos: Pos) -> f64 {
        self.mined(pos) as f64 / self.arrangements as f64
    }

    /// What the unknown cell at `pos` is, if all arrangements agree.
    pub fn agreed(&self, pos: Pos) -> Option<Fact> {
        match self.mined(pos) {
            0 => Some(Fact::Clear),
            mined if mined == self.arrangements => Some(Fact::Mine),
            _ => None,
        }
    }

    fn mined(&self, pos: Pos) -> u64 {
        let beside = self.border.iter().find(|&&(cell, _)| cell == pos);
        beside.map_or(self.elsewhere, |&(_, mined)| mined)
    }
}

/// A depth-first search over the cells beside numbers.
struct Tally {
    /// The cells around each number, one bit each, and the mines among them.
    rules: Vec<(u32, u32)>,
    /// Mines on all unknown cells.
    mines: usize,
    /// Unknown cells that touch no number.
    outside: usize,
    arrangements: u64,
    mined: Vec<u64>,
    mined_outside: u64,
}

impl Tally {
    /// Tries both contents of the cell `next` and of all after it; those before are as in `placed`.
    /// False when the budget is spent.
    fn arrange(&mut self, next: usize, placed: u32, budget: &mut Budget) -> bool {
        if !budget.spend() {
            return false;
        }
        let open = u32::MAX << next;
        let fits = self.rules.iter().all(|&(around, mines)| {
            let least = (placed & around).count_ones();
            let most = least + (open & around).count_ones();
            (least..=most).contains(&mines)
        });
        if !fits {
            return true;
        }
        if next == self.mined.len() {
            self.count(placed);
            return true;
        }
        self.arrange(next + 1, placed, budget) && self.arrange(next + 1, placed | 1 << next, budget)
    }

    fn count(&mut self, placed: u32) {
        let Some(rest) = self.mines.checked_sub(placed.count_ones() as usize) else {
            return;
        };
        let ways = choose(self.outside, rest);
        self.arrangements += ways;
        self.mined_outside += ways * rest as u64;
        for (cell, mined) in self.mined.iter_mut().enumerate() {
            *mined += ways * u64::from(placed >> cell & 1);
        }
    }
}

/// In how many ways `mines` fit on `cells`.
fn choose(cells: usize, mines: usize) -> u64 {
    if mines > cells {
        return 0;
    }
    (0..mines as u64).fold(1, |ways, taken| ways * (cells as u64 - taken) / (taken + 1))
}
