//! ZiNi: few clicks that open a board with flags.
//!
//! The algorithms are Elmar Zimmermann's and Christoph Nikolaus's ("New benchmark: 3BV for flaggers", forum of
//! minesweeper.info, 2009). Each cell has a premium: how many clicks it saves to open it if it is covered, flag the mines
//! around it, and chord. While a cell saves any or costs no more, the one with the highest premium is dealt with in that
//! way; else the first cell is opened that is still to be clicked. Among equals the first counts, column by column from
//! the left, as in the program that the rankings use (Damien Moore's `parser_raw.c`); figures are the same as there.
//!
//! Neither is the least possible, which is hard to find.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::regions;
use crate::board::{Board, Cell, Pos};

/// Which cells may be chorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Any: G.ZiNi.
    Greedy,
    /// Those that are open, after every opening was opened: H.ZiNi.
    Human,
}

/// The ZiNi of a board on which every cell without a mine is open.
pub fn zini(board: &Board, way: Way) -> u32 {
    let mut game = Game::new(board, way);
    let order: Vec<Pos> = (0..board.cols())
        .flat_map(|col| (0..board.rows()).map(move |row| Pos::new(col, row)))
        .collect();
    if way == Way::Human {
        order.iter().filter(|&&pos| board[pos] == Cell::open(0)).for_each(|&pos| game.click(pos));
    }
    // What has been passed stays open.
    let mut first = order.into_iter().peekable();
    loop {
        if let Some(best) = game.best() {
            game.chord(best);
        } else if first.next_if(|&pos| !game.needs_click(pos)).is_some() {
            continue;
        } else if let Some(pos) = first.next() {
            game.click(pos);
        } else {
            return game.clicks;
        }
    }
}

/// A game that is opened with all mines known.
struct Game<'b> {
    board: &'b Board,
    way: Way,
    clicks: u32,
    /// What is opened, and what is flagged.
    is_done: Vec<bool>,
    /// The openings that a cell is in or at the edge of: at most two.
    openings: Vec<Vec<usize>>,
    /// The cells of each opening, its edge included, and whether it is open.
    regions: Vec<(Vec<Pos>, bool)>,
    /// What each cell saves; mines save nothing.
    premiums: Vec<Option<i32>>,
    /// The cells that save something or cost no more, best first.
    worthy: BTreeSet<(Reverse<i32>, u16, u16)>,
}

impl<'b> Game<'b> {
    fn new(board: &'b Board, way: Way) -> Self {
        let cells = board.cells().len();
        let mut openings = vec![Vec::new(); cells];
        let blanks = regions(board, |pos| board[pos] == Cell::open(0));
        let mut with_edges = Vec::new();
        for (nth, region) in blanks.into_iter().enumerate() {
            let mut reached = Vec::new();
            for pos in region.into_iter().flat_map(|pos| board.within(pos, 1)) {
                let known: &mut Vec<usize> = &mut openings[board.index(pos)];
                if known.last() != Some(&nth) {
                    known.push(nth);
                    reached.push(pos);
                }
            }
            with_edges.push((reached, false));
        }
        let mut game = Self {
            board,
            way,
            clicks: 0,
            is_done: vec![false; cells],
            openings,
            regions: with_edges,
            premiums: vec![None; cells],
            worthy: BTreeSet::new(),
        };
        board.positions().for_each(|pos| game.value(pos));
        game
    }

    fn is_done(&self, pos: Pos) -> bool {
        self.is_done[self.board.index(pos)]
    }

    fn is_mine(&self, pos: Pos) -> bool {
        self.board[pos].number().is_none()
    }

    /// Whether no click elsewhere opens a cell but a chord: a number away from openings, or a blank.
    fn needs_click(&self, pos: Pos) -> bool {
        let is_alone =
            || self.openings[self.board.index(pos)].is_empty() || self.board[pos] == Cell::open(0);
        !self.is_mine(pos) && !self.is_done(pos) && is_alone()
    }

    /// Values a cell anew.
    fn value(&mut self, pos: Pos) {
        let index = self.board.index(pos);
        let rank = |premium: i32| (Reverse(premium), pos.col, pos.row);
        if let Some(old) = self.premiums[index].take() {
            self.worthy.remove(&rank(old));
        }
        let is_allowed = self.way == Way::Greedy || self.is_done[index];
        if self.is_mine(pos) || !is_allowed {
            return;
        }
        let around = || self.board.within(pos, 1).filter(|&near| !self.is_done(near));
        let closed = self.openings[index].iter().filter(|&&opening| !self.regions[opening].1);
        let alone =
            |near: &Pos| !self.is_mine(*near) && self.openings[self.board.index(*near)].is_empty();
        let saved = closed.count() + around().filter(alone).count();
        let flags = around().filter(|&near| self.is_mine(near)).count();
        let premium = saved as i32 - flags as i32 - i32::from(!self.is_done[index]) - 1;
        if premium >= 0 {
            self.premiums[index] = Some(premium);
            self.worthy.insert(rank(premium));
        }
    }

    /// The cell to chord next.
    fn best(&self) -> Option<Pos> {
        self.worthy.first().map(|&(_, col, row)| Pos::new(col, row))
    }

    fn click(&mut self, pos: Pos) {
        if !self.is_done(pos) {
            self.clicks += 1;
            self.open(pos);
        }
    }

    fn chord(&mut self, pos: Pos) {
        self.click(pos);
        self.clicks += 1;
        for near in self.board.neighbours(pos) {
            if self.is_mine(near) {
                self.clicks += u32::from(!self.is_done(near));
                self.finish(near);
            } else {
                self.open(near);
            }
        }
    }

    fn open(&mut self, pos: Pos) {
        if self.is_done(pos) {
            return;
        }
        if self.board[pos] != Cell::open(0) {
            self.finish(pos);
            return;
        }
        let opening = self.openings[self.board.index(pos)][0];
        self.regions[opening].1 = true;
        let cells = std::mem::take(&mut self.regions[opening].0);
        cells.into_iter().for_each(|pos| self.finish(pos));
    }

    /// A cell is open now, or flagged.
    fn finish(&mut self, pos: Pos) {
        self.is_done[self.board.index(pos)] = true;
        self.board.within(pos, 1).for_each(|near| self.value(near));
    }
}
