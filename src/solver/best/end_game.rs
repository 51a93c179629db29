//! The end of a game, solved: the whole tree of what may be opened and what it may show.
//!
//! When few arrangements of mines are left, the best play is found by trying everything, as published solvers
//! do. What is known of the game at any point is which arrangements are left; every cell that is no mine in
//! all of them is opened at once, since that costs nothing, and what the cells show splits the
//! arrangements. So a set of arrangements, once it can be split no further without a risk, is all there is to
//! know of a point of the game, and its worth, the number of its arrangements that are won by best play, is
//! kept in a table. Worths are whole numbers: nothing is rounded.
//!
//! A cell can win no more arrangements than those in which it is no mine; that bounds the search.
//!
//! A node is about sixty-four looks at what a cell shows in an arrangement.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::board::Pos;
use crate::solver::Budget;
use crate::solver::odds::{Place, Position, Workspace};
use crate::splitmix;

/// The most cells of an end: a set of them is 64 bits.
const MOST_CELLS_OF_AN_END: usize = 64;

/// An end of a game.
pub(super) struct EndGame {
    /// The cells that may still be opened.
    cells: Vec<Pos>,
    /// The mines of each arrangement, as a set of cells.
    mines: Vec<u64>,
    /// What each cell shows in each arrangement, cells within arrangements.
    shown: Vec<u8>,
    /// For each arrangement a number by which sets of them are told apart.
    keys: Vec<u128>,
    table: HashMap<u128, u16>,
}

/// How an end is played best.
pub(super) struct Solved {
    /// The cell to open.
    pub pos: Pos,
    /// The chance to win from here, from 0 to 1.
    pub win_chance: f64,
}

impl EndGame {
    /// The end of the game at `position`, if it has at most `most` arrangements and not too many cells.
    pub fn of(
        position: &Position,
        most: usize,
        workspace: &mut Workspace,
        budget: &mut Budget,
    ) -> Option<Self> {
        let arrangements = position.arrangements(most, workspace, budget)?;
        let grid = position.grid;
        let unknown = |at: usize| matches!(position.places[at], Place::Rest | Place::Class { .. });
        // A safe cell with nothing unknown around it tells nothing.
        let tells = |&at: &usize| {
            position.places[at] == Place::Clear && grid.around(at).into_iter().any(unknown)
        };
        let mut at: Vec<usize> = arrangements.cells().iter().map(|&pos| grid.at(pos)).collect();
        at.extend(grid.cells().filter(tells));
        let looks = at.len() * arrangements.iter().len();
        if at.len() > MOST_CELLS_OF_AN_END || !budget.spend_many(looks as u64 / 64) {
            return None;
        }
        let around: Vec<(u8, u64)> = at
            .iter()
            .map(|&cell| {
                let near = grid.around(cell);
                let known = near.iter().filter(|&&near| position.places[near] == Place::Mine);
                let bits = (0..at.len()).filter(|&bit| near.contains(&at[bit]));
                (known.count() as u8, bits.fold(0, |set, bit| set | 1 << bit))
            })
            .collect();
        let mines: Vec<u64> = arrangements.iter().map(|words| words[0]).collect();
        let shown = mines.iter().flat_map(|mines| {
            around.iter().map(move |(known, unknown)| known + (mines & unknown).count_ones() as u8)
        });
        let shown = shown.collect();
        let cells = at.iter().map(|&at| grid.pos(at)).collect();
        let keys = (0..mines.len() as u64).map(key).collect();
        Some(Self { cells, mines, shown, keys, table: HashMap::new() })
    }

    /// Solves the end; `None` when the budget does not suffice. Of equally good cells the one is taken that
    /// comes first in `order`; no other is tried as the first.
    pub fn solve(&mut self, order: &[Pos], budget: &mut Budget) -> Option<Solved> {
        let all: Vec<u16> = (0..self.mines.len() as u16).collect();
        let mut best: Option<(u16, Pos)> = None;
        for &pos in order {
            let Some(bit) = self.cells.iter().position(|&cell| cell == pos) else { continue };
            let least = best.map_or(0, |(wins, _)| wins);
            let wins = self.wins_by(&all, bit, least, budget)?;
            if best.is_none() || wins > least {
                best = Some((wins, pos));
            }
        }
        let (wins, pos) = best?;
        Some(Solved { pos, win_chance: f64::from(wins) / all.len() as f64 })
    }

    /// The chance to win by opening each of `cells` first, from 0 to 1, but those that are none of the end; `None` when the
    /// budget does not suffice.
    pub fn win_chances(&mut self, cells: &[Pos], budget: &mut Budget) -> Option<Vec<(Pos, f64)>> {
        let all: Vec<u16> = (0..self.mines.len() as u16).collect();
        let mut chances = Vec::new();
        for &pos in cells {
            let Some(bit) = self.cells.iter().position(|&cell| cell == pos) else { continue };
            let wins = self.wins_by(&all, bit, 0, budget)?;
            chances.push((pos, f64::from(wins) / all.len() as f64));
        }
        Some(chances)
    }

    /// The chance to win from here by best play, from 0 to 1; `None` when the budget does not suffice.
    pub fn win_chance(&mut self, budget: &mut Budget) -> Option<f64> {
        let all: Vec<u16> = (0..self.mines.len() as u16).collect();
        let wins = self.wins(&all, budget)?;
        Some(f64::from(wins) / all.len() as f64)
    }

    /// How many of `set` are won by best play.
    fn wins(&mut self, set: &[u16], budget: &mut Budget) -> Option<u16> {
        if set.len() <= 1 {
            return Some(set.len() as u16);
        }
        let ever = self.fold(set, 0, |ever, mines| ever | mines);
        if !budget.spend_many(1 + (set.len() * self.cells.len()) as u64 / 64) {
            return None;
        }
        if let Some(parts) = self.split(set, !ever & self.every_cell()) {
            return parts.iter().try_fold(0, |sum, part| Some(sum + self.wins(part, budget)?));
        }
        let key = set.iter().fold(0, |sum: u128, &n| sum.wrapping_add(self.keys[usize::from(n)]));
        if let Some(&wins) = self.table.get(&key) {
            return Some(wins);
        }
        let always = self.fold(set, u64::MAX, |always, mines| always & mines);
        let mut cells: Vec<(usize, usize)> = (0..self.cells.len())
            .filter(|bit| (ever & !always) >> bit & 1 == 1)
            .map(|bit| (self.survivors(set, bit).count(), bit))
            .collect();
        cells.sort_by_key(|&(survivors, bit)| (Reverse(survivors), bit));
        let mut best = 0;
        for (survivors, bit) in cells {
            if survivors <= usize::from(best) {
                break;
            }
            best = best.max(self.wins_by(set, bit, best, budget)?);
        }
        self.table.insert(key, best);
        Some(best)
    }

    /// How many of `set` are won when the cell `bit` is opened next; less than the truth where that cannot be
    /// more than `least`.
    fn wins_by(&mut self, set: &[u16], bit: usize, least: u16, budget: &mut Budget) -> Option<u16> {
        let survivors: Vec<u16> = self.survivors(set, bit).collect();
        let mut left = survivors.len() as u16;
        let parts = self.split(&survivors, 1 << bit).unwrap_or_else(|| vec![survivors]);
        let mut wins = 0;
        for part in parts {
            if wins + left <= least {
                break;
            }
            left -= part.len() as u16;
            wins += self.wins(&part, budget)?;
        }
        Some(wins)
    }

    fn survivors<'s>(&'s self, set: &'s [u16], bit: usize) -> impl Iterator<Item = u16> + 's {
        set.iter().copied().filter(move |&n| self.mines[usize::from(n)] >> bit & 1 == 0)
    }

    fn fold(&self, set: &[u16], start: u64, with: impl Fn(u64, u64) -> u64) -> u64 {
        set.iter().fold(start, |all, &n| with(all, self.mines[usize::from(n)]))
    }

    fn every_cell(&self) -> u64 {
        u64::MAX >> (64 - self.cells.len())
    }

    /// The parts of `set` that show the same in all of `cells`; `None` when all of it does.
    fn split(&self, set: &[u16], cells: u64) -> Option<Vec<Vec<u16>>> {
        let width = self.cells.len();
        let bits: Vec<usize> = (0..width).filter(|bit| cells >> bit & 1 == 1).collect();
        let shown = |n: u16| {
            let row = &self.shown[usize::from(n) * width..][..width];
            bits.iter().map(|&bit| row[bit])
        };
        let first = *set.first()?;
        if set.iter().all(|&n| shown(n).eq(shown(first))) {
            return None;
        }
        let mut sorted = set.to_vec();
        sorted.sort_by(|&a, &b| shown(a).cmp(shown(b)));
        let parts = sorted.chunk_by(|&a, &b| shown(a).eq(shown(b)));
        Some(parts.map(<[u16]>::to_vec).collect())
    }
}

/// A number that stands for `n` in sums: sums of different sets of numbers hardly ever agree.
fn key(n: u64) -> u128 {
    let half = |nth| u128::from(splitmix::nth(n, nth));
    half(0) << 64 | half(1)
}
