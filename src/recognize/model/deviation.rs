//! How cells of labelled pictures differ from a skin's looks: what `calibrate` fits the noise of a skin on.

use std::sync::Arc;

use image::RgbImage;

use super::looks::{FINE, Looks};
use super::samples::{Grid, Samples};
use crate::board::{Board, Cell};
use crate::recognize::Lattice;
use crate::recognize::skin::{GamePhase, Skin};

/// How far a cell is off the nearest look of its kind, squared, in grey levels squared.
pub(crate) struct Deviation {
    /// The kind.
    pub(crate) cell: Cell,
    /// Of its brightness as a whole.
    pub(crate) fill: f32,
    /// Of the values of the cell beside that.
    pub(crate) values: f32,
}

/// How far the cells of a board, which shows this, are off the looks of a skin in a phase of the game. Kinds of which the skin
/// has none are left out.
pub(crate) fn deviations(
    pixels: &RgbImage,
    lattice: &Lattice,
    board: &Board,
    skin: &Arc<Skin>,
    phase: Option<GamePhase>,
) -> Vec<Deviation> {
    let grid = Grid::on(lattice);
    let gap = skin.gap_width() as f32;
    let of_phase = |phase| Looks::new(skin, phase, grid.cell_size(), gap, FINE, usize::MAX);
    let Some(looks) = of_phase(phase).or_else(|| of_phase(None)) else { return Vec::new() };
    let places: Vec<_> =
        board.iter().map(|(pos, _)| (i32::from(pos.col), i32::from(pos.row))).collect();
    let seen = Samples::cut(pixels, &grid, &places, FINE);
    let inside = looks.inside();
    let plane = FINE * FINE;
    let deviation = |cell: Cell, values: &[f32], features: &[f32]| {
        let errors = (0..3).flat_map(|channel| {
            inside
                .iter()
                .map(move |&at| values[channel * plane + at] - features[channel * plane + at])
        });
        let count = (3 * inside.len()) as f32;
        let fill = (errors.clone().sum::<f32>() / count).powi(2);
        let squares = errors.map(|error| error * error).sum::<f32>() / count;
        Deviation { cell, fill, values: squares - fill }
    };
    let nearest = |((col, row), values): ((i32, i32), &[f32])| {
        let cell = board[crate::board::Pos::new(col as u16, row as u16)];
        let own = looks.looks.iter().filter(|look| look.cell == cell);
        own.map(|look| deviation(cell, values, &look.features))
            .min_by(|a, b| (a.fill + a.values).total_cmp(&(b.fill + b.values)))
    };
    seen.places.iter().copied().zip(seen.iter()).filter_map(nearest).collect()
}
