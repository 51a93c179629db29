//! Numbers that a skin lacks, because no game has shown them yet.
//!
//! A learned skin may lack the rare numbers. A cell that shows one stays unclear, and waiting does not help. If the rules
//! prove that there is no mine in it, it is taken for open: it can be played around, with its number as no evidence. When
//! the game is won all mines are known, and with them what the cell shows: that is a template from there on.
//!
//! Only [some skins](super::Options::learns) are added to. Nothing is taken for likely: a won board must fit every number
//! that was read, and a template must be far from all other kinds.

use std::sync::Arc;

use crate::board::{Board, Cell, Pos, Status};
use crate::capture::Frame;
use crate::learn::from_labels::{Example, cut};
use crate::learn::from_play::position;
use crate::recognize::{Lattice, Skin};
use crate::solver::odds::Workspace;

/// What was seen of such cells in one game.
#[derive(Debug, Default)]
pub(super) struct UnknownNumbers {
    sightings: Vec<Sighting>,
}

/// A picture with cells that show numbers which the skin lacks.
#[derive(Debug)]
pub(super) struct Sighting {
    pub skin: Arc<Skin>,
    pub frame: Frame,
    pub lattice: Lattice,
    pub cells: Vec<Pos>,
}

impl UnknownNumbers {
    /// Whether no such cell was seen.
    pub(super) fn is_empty(&self) -> bool {
        self.sightings.is_empty()
    }

    /// Keeps a picture.
    pub(super) fn keep(&mut self, sighting: Sighting) {
        self.sightings.push(sighting);
    }

    /// The skin with the numbers that it lacked; `numbers` is the board of the game with every number on it.
    pub(super) fn learned(&self, skin: &Arc<Skin>, numbers: &Board) -> Option<Skin> {
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
pub(super) fn lacking(skin: &Skin) -> Vec<u8> {
    let has = |number| skin.templates.iter().any(|template| template.cell == Cell::open(number));
    (1..=8).filter(|&number| !has(number)).collect()
}

/// The won `board` with the number of each open cell; `None` where it is not proven which cells are mines.
pub(super) fn numbers(board: &Board) -> Option<Board> {
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
