//! Numbers that a skin lacks, because no game has shown them yet.
//!
//! A learned skin may lack the rare numbers. A cell that shows one stays unclear, and waiting does not help. If the rules
//! prove that there is no mine in it, it is taken for open: it can be played around, with its number as no evidence. When
//! the game is won all mines are known, and with them what the cell shows: that is a template from there on.
//!
//! Only [some skins](super::Options::learns) are added to. Nothing is taken for likely: a won board must fit every number
//! that was read, and a template must be far from all other kinds.

use std::sync::Arc;
use std::time::Duration;

use super::PlayError;
use super::patience::Patience;
use super::table::Table;
use crate::board::{Board, Cell, Pos, Status};
use crate::capture::Frame;
use crate::learn::from_labels::{Example, cut};
use crate::learn::from_play::position;
use crate::recognize::{Lattice, Skin};
use crate::solver::odds::Workspace;

/// How long an unclear cell must look the same to be one that shows a number.
const STILL: Duration = Duration::from_millis(300);

/// What was seen of such cells in one game.
#[derive(Debug, Default)]
pub(super) struct Rare {
    sightings: Vec<Sighting>,
}

/// A picture with cells that show numbers which the skin lacks.
#[derive(Debug)]
struct Sighting {
    skin: Arc<Skin>,
    frame: Frame,
    lattice: Lattice,
    cells: Vec<Pos>,
}

impl Table<'_> {
    /// Takes unclear cells that stand still and that the rules prove to be no mines for open. Returns whether there
    /// were any.
    pub(super) fn plays_around(&mut self) -> Result<bool, PlayError> {
        let skin = self.eyes.reading().skin.clone();
        let board = self.eyes.board();
        let unclear = board.count(|cell| cell == Cell::Unclear);
        let may_learn = self.options.learns.contains(&skin.name) && !lacking(&skin).is_empty();
        if !may_learn || unclear == 0 || self.eyes.reading().status != Status::Playing {
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
        let (lattice, before) = (self.eyes.lattice().clone(), self.eyes.frame().clone());
        let mut patience = Patience::of(STILL);
        while !patience.is_over() {
            self.eyes.wait(&mut patience)?;
        }
        self.eyes.look_closer()?;
        let moved = self.attend()? || self.eyes.lattice() != &lattice;
        let hidden = self.eyes.in_front(&cells).is_some();
        if moved
            || hidden
            || self.eyes.reading().status != Status::Playing
            || !self.eyes.sees_plainly()
        {
            return Ok(false);
        }
        let (board, frame) = (self.eyes.board(), self.eyes.frame().clone());
        cells.retain(|&pos| {
            let cell = lattice.cell(pos);
            board[pos] == Cell::Unclear && before.crop(cell) == frame.crop(cell)
        });
        if cells.is_empty() {
            return Ok(false);
        }
        log::info!("{} cells seem to show numbers that {} lacks", cells.len(), skin.name);
        self.eyes.take_for_open(&cells);
        self.rare.sightings.push(Sighting { skin, frame, lattice, cells });
        Ok(true)
    }

    /// Learns from the board of a won game what the numbers look like that the skin lacks: the skin with those that are
    /// new.
    pub(super) fn learn_numbers(&mut self) -> Option<Skin> {
        if self.rare.sightings.is_empty() {
            return None;
        }
        let skin = self.eyes.reading().skin.clone();
        let learned = self.rare.learned(&skin, &numbers(&self.eyes.board())?)?;
        let has = |number: &u8| learned.templates.iter().any(|t| t.cell == Cell::open(*number));
        let new: Vec<u8> = lacking(&skin).into_iter().filter(has).collect();
        self.watcher.learned(&learned, &new);
        Some(learned)
    }
}

impl Rare {
    /// The skin with the numbers that it lacked; `numbers` is the board of the game with every number on it.
    fn learned(&self, skin: &Arc<Skin>, numbers: &Board) -> Option<Skin> {
        let lacking = lacking(skin);
        let own = self.sightings.iter().filter(|sighting| Arc::ptr_eq(&sighting.skin, skin));
        let examples: Vec<(Example, Lattice)> = own
            .enumerate()
            .map(|(nth, Sighting { frame, lattice, cells, .. })| {
                let mut shown = Board::new(numbers.cols(), numbers.rows());
                for pos in shown.positions() {
                    let is_lacking = numbers[pos].number().is_some_and(|n| lacking.contains(&n));
                    let is_known = cells.contains(&pos) && is_lacking;
                    shown[pos] = if is_known { numbers[pos] } else { Cell::Unclear };
                }
                let name = format!("picture {nth}");
                let lattice = lattice.moved(-frame.origin.x, -frame.origin.y);
                (Example::seen(name, frame.pixels.clone(), shown, Status::Playing), lattice)
            })
            .collect();
        let cut = cut(skin, examples);
        let cut = cut.inspect_err(|error| log::info!("nothing is added to {}: {error}", skin.name));
        let learned = cut.ok()?.skin;
        (learned.templates.len() > skin.templates.len()).then_some(learned)
    }
}

/// The numbers that `skin` has no template of.
fn lacking(skin: &Skin) -> Vec<u8> {
    let has = |number| skin.templates.iter().any(|template| template.cell == Cell::open(number));
    (1..=8).filter(|&number| !has(number)).collect()
}

/// The won `board` with the number of each open cell; `None` where it is not proven which cells are mines.
fn numbers(board: &Board) -> Option<Board> {
    let mut won = board.clone();
    for (pos, cell) in board.iter() {
        if cell.is_unopened() {
            won[pos] = Cell::Mine;
        }
    }
    let odds = position(&won, &mut Workspace::default()).ok()?;
    for (pos, _) in board.iter().filter(|&(_, cell)| cell == Cell::Unclear) {
        won[pos] = match odds.mine_chance(pos)? {
            0.0 => Cell::Opened,
            1.0 => Cell::Mine,
            _ => return None,
        };
    }
    let mines = won.count(|cell| cell == Cell::Mine);
    if board.mines.known().is_some_and(|known| known as usize != mines) {
        return None;
    }
    let mut numbers = won.clone();
    for (pos, cell) in won.iter().filter(|&(_, cell)| cell != Cell::Mine) {
        let around = won.neighbours(pos).filter(|&near| won[near] == Cell::Mine).count();
        let number = Cell::open(around as u8);
        if cell != Cell::Opened && cell != number {
            return None;
        }
        numbers[pos] = number;
    }
    Some(numbers)
}
