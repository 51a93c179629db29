//! What a game looks like: a template for each kind of cell, and what the game is like to play.

mod game;

pub use game::{Chord, Control, Dialog, GameWays, Spot};

use image::RgbImage;

use crate::board::Cell;

/// A picture of one kind of cell, one whole cell large.
#[derive(Clone, PartialEq, Debug)]
pub struct Template {
    /// What such a cell means.
    pub cell: Cell,
    /// The cell from its own edge to the next one's, gaps included.
    pub picture: RgbImage,
}

/// A skin: how the cells of a game look, and what the game is like to play.
#[derive(Clone, Debug)]
pub struct Skin {
    /// The name of its folder.
    pub name: String,
    /// Its templates, all of one size; some kinds of cell have several.
    pub templates: Vec<Template>,
    /// What the game is like to play.
    pub game: GameWays,
}
