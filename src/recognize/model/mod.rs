//! One model of how a picture of a board comes about, and what follows from it.
//!
//! What is seen is taken to be `light(colour(blur(look))) + noise`: a skin's look of each cell, at the size of the cells in
//! the picture, seen through what displays, scalers and remote desktops do. Everything is compared in one unit, nats, the
//! natural logarithm of how likely it is.
//!
//! ```text
//! periodicity ──places──▶ hypothesis ──skin, grid, view──▶ board ──extent, posterior of each cell──▶ reading
//! ```
//!
//! - [`periodicity`]: where edges repeat across and down, at which pitch.
//! - [`looks`]: what a skin's cells look like at that size; [`samples`]: cells cut from the picture.
//! - [`view`] and [`light`]: what became of the colours, estimated in turns with what the cells show.
//! - [`prediction`] and [`noise`]: what cells are predicted to be then, and how far they are off.
//! - [`hypothesis`]: skins, places of edges and views, by some cells of a place.
//! - [`board`]: where the board ends, and what each cell shows.
//!
//! Its numbers are named where they stand. Those that are not derived there were chosen on the training pictures of
//! `scripts/measure-families.sh`; no command fits them yet.

mod board;
mod hypothesis;
mod light;
mod looks;
mod noise;
mod periodicity;
mod prediction;
mod samples;
mod view;

pub(super) use board::{Explained, Sight, explained, explained_at};
