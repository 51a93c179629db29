//! Playing around cells that show numbers which the skin lacks, and learning them when the game is won.

use std::time::Duration;

use super::Session;
use crate::board::{Cell, Pos, Status};
use crate::learn::from_play::position;
use crate::play::PlayError;
use crate::play::patience::Patience;
use crate::play::unknown_numbers::{Sighting, lacking, numbers};
use crate::recognize::Skin;
use crate::solver::odds::Workspace;

/// How long an unclear cell must look the same to be one that shows a number.
const NUMBER_STANDS_STILL: Duration = Duration::from_millis(300);

impl Session<'_> {
    /// Whether the skin lacks numbers that may be added to it.
    pub(super) fn may_learn(&self) -> bool {
        let skin = &self.perception.reading().skin;
        self.options.learns.contains(&skin.name) && !lacking(skin).is_empty()
    }

    /// Takes unclear cells that stand still and that the rules prove to be no mines for open. Returns whether the board is
    /// another one then: there were any, or they have become clear meanwhile.
    pub(super) fn plays_around(&mut self) -> Result<bool, PlayError> {
        let skin = self.perception.reading().skin.clone();
        let board = self.perception.board();
        let seen = board.clone();
        let unclear = board.count(|cell| cell == Cell::Unclear);
        if !self.may_learn() || unclear == 0 || self.perception.reading().status != Status::Playing
        {
            return Ok(false);
        }
        let Ok(odds) = position(&board, &mut Workspace::default()) else { return Ok(false) };
        // What is proven once stays so, whatever is opened while the picture is watched.
        let is_proven = |pos: &Pos| odds.mine_chance(*pos) == Some(0.0);
        let unclear = board.positions().filter(|&pos| board[pos] == Cell::Unclear);
        let mut cells: Vec<Pos> = unclear.filter(is_proven).collect();
        if cells.is_empty() {
            return Ok(false);
        }
        let (lattice, before) =
            (self.perception.lattice().clone(), self.perception.frame().clone());
        let mut patience = Patience::of(NUMBER_STANDS_STILL);
        while !patience.is_over() {
            self.perception.wait(&mut patience)?;
        }
        self.perception.look_closer()?;
        let moved = self.attend()? || self.perception.lattice() != &lattice;
        let hidden = self.perception.in_front(&cells).is_some();
        if moved
            || hidden
            || self.perception.reading().status != Status::Playing
            || !self.perception.sees_plainly()
        {
            return Ok(self.perception.board() != seen);
        }
        let (board, frame) = (self.perception.board(), self.perception.frame().clone());
        cells.retain(|&pos| {
            let cell = lattice.cell(pos);
            board[pos] == Cell::Unclear && before.crop(cell) == frame.crop(cell)
        });
        if cells.is_empty() {
            return Ok(board != seen);
        }
        log::info!("{} cells seem to show numbers that {} lacks", cells.len(), skin.name);
        self.perception.take_for_open(&cells);
        self.unknown_numbers.keep(Sighting { skin, frame, lattice, cells });
        Ok(true)
    }

    /// Learns from the board of a won game what the numbers look like that the skin lacks: the skin with those that are
    /// new.
    pub(super) fn learn_numbers(&mut self) -> Option<Skin> {
        if self.unknown_numbers.is_empty() {
            return None;
        }
        let skin = self.perception.reading().skin.clone();
        let learned = self.unknown_numbers.learned(&skin, &numbers(&self.perception.board())?)?;
        let has = |number: &u8| learned.templates.iter().any(|t| t.cell == Cell::open(*number));
        let new: Vec<u8> = lacking(&skin).into_iter().filter(has).collect();
        self.watcher.learned(&learned, &new);
        Some(learned)
    }
}
