//! The end of a game, solved: the whole tree of what may be opened and what it may show.
//!
//! When few arrangements of mines are left, the best play is found by trying everything, as published solvers
//! do. What is known of the game at any point is which arrangements are left; every cell that is no mine in
//! all of them is opened at once, since that costs nothing, and what the cells show splits the
//! arrangements. So a set of arrangements, once it can be split no further without a risk, is all there is to
//! know of a point of the game, and its worth, the number of its arrangements that are won by best play, is
//! kept in a table. Worths are whole numbers: nothing is rounded.
//!
//! A cell can win no more arrangements than those in which it is no mine, and so for each number that it may show: that bounds the
//! search. A cell that can tell nothing is never opened before one that can, and of cells that show the same everywhere one
//! is tried.
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
    /// What each cell shows in each arrangement, [`MINE`] where it is one; cells within arrangements.
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
            around.iter().enumerate().map(move |(bit, (known, unknown))| {
                let is_mine = mines >> bit & 1 == 1;
                if is_mine { MINE } else { known + (mines & unknown).count_ones() as u8 }
            })
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
            let wins = self.wins_by(&all, bit, 0, least, budget)?;
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
            let wins = self.wins_by(&all, bit, 0, 0, budget)?;
            chances.push((pos, f64::from(wins) / all.len() as f64));
        }
        Some(chances)
    }

    /// The chance to win from here by best play, from 0 to 1; `None` when the budget does not suffice.
    pub fn win_chance(&mut self, budget: &mut Budget) -> Option<f64> {
        let all: Vec<u16> = (0..self.mines.len() as u16).collect();
        let wins = self.wins(&all, 0, budget)?;
        Some(f64::from(wins) / all.len() as f64)
    }

    /// How many of `set` are won by best play, where the cells of the set `open` are open.
    fn wins(&mut self, set: &[u16], open: u64, budget: &mut Budget) -> Option<u16> {
        if set.len() <= 1 {
            return Some(set.len() as u16);
        }
        let key = self.key(set);
        if let Some(&wins) = self.table.get(&key) {
            return Some(wins);
        }
        if !budget.spend_many(1 + (set.len() * self.cells.len()) as u64 / 64) {
            return None;
        }
        let wins = match self.split(set, self.safe(set) & !open) {
            Some(parts) => {
                let open = open | self.safe(set);
                parts.iter().try_fold(0, |sum, part| Some(sum + self.wins(part, open, budget)?))?
            }
            None => self.wins_by_guess(set, open | self.safe(set), budget)?,
        };
        self.table.insert(key, wins);
        Some(wins)
    }

    /// How many of `set`, in which no cell that is safe and not `open` tells anything, are won by the best guess.
    fn wins_by_guess(&mut self, set: &[u16], open: u64, budget: &mut Budget) -> Option<u16> {
        let mut best = 0;
        for Choice { bit, survivors, .. } in self.choices(set) {
            if survivors <= best {
                break;
            }
            best = best.max(self.wins_by(set, bit, open, best, budget)?);
        }
        Some(best)
    }

    /// The cells that are worth opening first in `set`, in which no safe cell tells anything; those that are survived most often
    /// first.
    ///
    /// A cell that shows the same wherever it is no mine is dead. Opening it first is never better than opening it last, so that it is
    /// left out while there are others. Of cells that show the same in each of the arrangements one is enough.
    fn choices(&self, set: &[u16]) -> Vec<Choice> {
        let width = self.cells.len();
        let mut choices: Vec<Choice> = (0..width).map(Choice::new).collect();
        for &n in set {
            let (row, key) = (self.row(n), self.keys[usize::from(n)] as u64);
            for (choice, &shown) in choices.iter_mut().zip(row) {
                choice.add(shown, key);
            }
        }
        let all = set.len() as u16;
        choices.retain(|choice| choice.survivors > 0 && choice.survivors < all);
        if choices.iter().any(|choice| !choice.is_dead()) {
            choices.retain(|choice| !choice.is_dead());
        }
        choices.sort_by_key(|choice| (Reverse(choice.survivors), choice.column, choice.bit));
        choices.dedup_by_key(|choice| (choice.survivors, choice.column));
        choices
    }

    /// How many of `set` are won when the cell `bit` is opened next, where those of the set `open` are open; less than the truth
    /// where that cannot be more than `least`.
    fn wins_by(
        &mut self,
        set: &[u16],
        bit: usize,
        open: u64,
        least: u16,
        budget: &mut Budget,
    ) -> Option<u16> {
        let survivors: Vec<u16> =
            set.iter().copied().filter(|&n| self.row(n)[bit] != MINE).collect();
        let open = open | 1 << bit;
        let parts = self.split(&survivors, 1 << bit).unwrap_or_else(|| vec![survivors]);
        let mut bounds: Vec<u16> = Vec::with_capacity(parts.len());
        for part in &parts {
            bounds.push(self.bound(part, open, budget)?);
        }
        let mut wins: u16 = bounds.iter().sum();
        for (part, bound) in parts.iter().zip(bounds) {
            if wins <= least {
                break;
            }
            wins = wins - bound + self.wins(part, open, budget)?;
        }
        Some(wins)
    }

    /// No more of `set` than this are won.
    fn bound(&self, set: &[u16], open: u64, budget: &mut Budget) -> Option<u16> {
        let all = set.len() as u16;
        if all <= 1 {
            return Some(all);
        }
        if let Some(&wins) = self.table.get(&self.key(set)) {
            return Some(wins);
        }
        if self.safe(set) & !open != 0 {
            return Some(all);
        }
        if !budget.spend_many(1 + (set.len() * self.cells.len()) as u64 / 64) {
            return None;
        }
        let mut survivors = vec![0_u16; self.cells.len()];
        for &n in set {
            let mines = self.mines[usize::from(n)];
            for (bit, survivors) in survivors.iter_mut().enumerate() {
                *survivors += (mines >> bit & 1 ^ 1) as u16;
            }
        }
        Some(survivors.into_iter().filter(|&survivors| survivors < all).max().unwrap_or(all))
    }

    /// What each cell shows in one arrangement.
    fn row(&self, n: u16) -> &[u8] {
        &self.shown[usize::from(n) * self.cells.len()..][..self.cells.len()]
    }

    /// The cells that are no mine in all of `set`.
    fn safe(&self, set: &[u16]) -> u64 {
        let ever = set.iter().fold(0, |ever, &n| ever | self.mines[usize::from(n)]);
        !ever & (u64::MAX >> (64 - self.cells.len()))
    }

    fn key(&self, set: &[u16]) -> u128 {
        set.iter().fold(0, |sum: u128, &n| sum.wrapping_add(self.keys[usize::from(n)]))
    }

    /// The parts of `set` that show the same in all of `cells`, the largest first; `None` when all of it does.
    fn split(&self, set: &[u16], cells: u64) -> Option<Vec<Vec<u16>>> {
        let bits: Vec<usize> = (0..self.cells.len()).filter(|bit| cells >> bit & 1 == 1).collect();
        let shown = |n: u16| bits.iter().map(move |&bit| self.row(n)[bit]);
        let first = *set.first()?;
        let (same, mut others): (Vec<u16>, Vec<u16>) =
            set.iter().partition(|&&n| shown(n).eq(shown(first)));
        if others.is_empty() {
            return None;
        }
        let mut parts = vec![same];
        others.sort_by(|&a, &b| shown(a).cmp(shown(b)));
        parts.extend(others.chunk_by(|&a, &b| shown(a).eq(shown(b))).map(<[u16]>::to_vec));
        parts.sort_by_key(|part| Reverse(part.len()));
        Some(parts)
    }
}

/// What a cell shows that is none of its numbers.
const MINE: u8 = 9;

/// A cell that may be opened first.
struct Choice {
    bit: usize,
    /// In how many arrangements it is no mine.
    survivors: u16,
    /// The numbers that it may show, as a set.
    numbers: u16,
    /// A number by which cells are told apart that do not show the same everywhere.
    column: u64,
}

impl Choice {
    fn new(bit: usize) -> Self {
        Self { bit, survivors: 0, numbers: 0, column: 0 }
    }

    fn add(&mut self, shown: u8, key: u64) {
        if shown == MINE {
            return;
        }
        self.survivors += 1;
        self.numbers |= 1 << shown;
        self.column = self.column.wrapping_add(key.wrapping_mul(2 * u64::from(shown) + 3));
    }

    fn is_dead(&self) -> bool {
        self.numbers.count_ones() <= 1
    }
}

/// A number that stands for `n` in sums: sums of different sets of numbers hardly ever agree.
fn key(n: u64) -> u128 {
    let half = |nth| u128::from(splitmix::nth(n, nth));
    half(0) << 64 | half(1)
}
