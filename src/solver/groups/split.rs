//! Groups of unknown cells, and how two of them that overlap are taken apart.

use std::collections::VecDeque;

use crate::board::{Board, Pos};

use super::super::Budget;
use super::super::fact::{Clash, Fact};
use super::super::knowledge::Knowledge;

/// Unknown cells that hold so many mines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The cells.
    pub cells: Vec<Pos>,
    /// How many of them are mines.
    pub mines: usize,
    /// The number that the group comes from, and the one that it was last split by; the same twice
    /// when it was not.
    pub numbers: [Pos; 2],
}

impl Group {
    /// What all of its cells are, if the mines say so.
    pub fn settled(&self) -> Option<Fact> {
        match self.mines {
            0 => Some(Fact::Clear),
            mines if mines == self.cells.len() => Some(Fact::Mine),
            _ => None,
        }
    }

    /// The share of mines among its cells.
    pub fn density(&self) -> f64 {
        self.mines as f64 / self.cells.len() as f64
    }

    /// The groups that replace the two, if the counts say how many mines lie in the part that they
    /// have in common: that part, and what is left of each.
    ///
    /// Equal groups leave nothing but their common part, and of one that contains another only the
    /// rest is left beside it: that drops the one and subtracts the other.
    fn split(&self, other: &Group) -> Result<Option<Vec<Group>>, Clash> {
        let (common, left): (Vec<Pos>, Vec<Pos>) =
            self.cells.iter().partition(|cell| other.cells.contains(cell));
        if common.is_empty() {
            return Ok(None);
        }
        let right: Vec<Pos> =
            other.cells.iter().copied().filter(|cell| !common.contains(cell)).collect();
        let forced = |group: &Group, rest: &[Pos]| group.mines.saturating_sub(rest.len());
        let least = forced(self, &left).max(forced(other, &right));
        let most = common.len().min(self.mines).min(other.mines);
        if least > most {
            return Err(Clash::Number(self.numbers[0]));
        }
        if least < most {
            return Ok(None);
        }
        let (number, by) = (self.numbers[0], other.numbers[0]);
        let parts = [
            Group { cells: common, mines: most, numbers: [number, by] },
            Group { cells: left, mines: self.mines - most, numbers: [number, by] },
            Group { cells: right, mines: other.mines - most, numbers: [by, number] },
        ];
        Ok(Some(parts.into_iter().filter(|part| !part.cells.is_empty()).collect()))
    }
}

/// The groups of all numbers, split until no two can be split any more or the budget is spent.
///
/// It ends, because each split leaves fewer cells in all groups together.
///
/// # Errors
/// When two groups cannot be at the same time.
pub fn split_all(known: &Knowledge, budget: &mut Budget) -> Result<Vec<Group>, Clash> {
    let mut pool = Pool::new(known.board());
    for number in known.numbers() {
        let cells = known.unknowns(number.pos).collect();
        let mines = usize::from(number.missing);
        pool.add(Group { cells, mines, numbers: [number.pos; 2] });
    }
    while let Some(id) = pool.queue.pop_front() {
        if pool.groups[id].is_none() {
            continue;
        }
        if !budget.spend() {
            break;
        }
        if let Some((other, parts)) = pool.split(id)? {
            pool.remove(id);
            pool.remove(other);
            parts.into_iter().for_each(|part| pool.add(part));
        }
    }
    Ok(pool.groups.into_iter().flatten().collect())
}

/// Groups, found by their cells, and a queue of those that are not compared with the others yet.
struct Pool<'b> {
    board: &'b Board,
    groups: Vec<Option<Group>>,
    at: Vec<Vec<usize>>,
    queue: VecDeque<usize>,
}

impl<'b> Pool<'b> {
    fn new(board: &'b Board) -> Self {
        let cells = usize::from(board.cols()) * usize::from(board.rows());
        let at = vec![Vec::new(); cells];
        Self { board, groups: Vec::new(), at, queue: VecDeque::new() }
    }

    fn add(&mut self, group: Group) {
        let id = self.groups.len();
        for &cell in &group.cells {
            self.at[self.board.index(cell)].push(id);
        }
        self.groups.push(Some(group));
        self.queue.push_back(id);
    }

    fn remove(&mut self, id: usize) {
        for cell in self.groups[id].take().into_iter().flat_map(|group| group.cells) {
            self.at[self.board.index(cell)].retain(|&other| other != id);
        }
    }

    /// Another group with which this one can be split, and what the two are split into.
    fn split(&self, id: usize) -> Result<Option<(usize, Vec<Group>)>, Clash> {
        let Some(group) = &self.groups[id] else {
            return Ok(None);
        };
        let ids = group.cells.iter().flat_map(|&cell| &self.at[self.board.index(cell)]);
        let mut others: Vec<usize> = ids.copied().filter(|&other| other != id).collect();
        others.sort_unstable();
        others.dedup();
        for id in others {
            if let Some(other) = &self.groups[id]
                && let Some(parts) = group.split(other)?
            {
                return Ok(Some((id, parts)));
            }
        }
        Ok(None)
    }
}
