//! One model of how a picture of a board comes about, and what follows from it.
//!
//! What is seen is taken to be `light(colour(blur(look))) + noise`: a skin's look of each cell, at the size of the cells in
//! the picture, seen through what displays, scalers and remote desktops do. Everything is compared in one unit, nats, the
//! natural logarithm of how likely it is.
//!
//! ```text
//! periodicity ──places──▶ hypothesis ──skin, grid, view──▶ whole ──extent, posterior of each cell──▶ sight ──▶ board
//! ```
//!
//! - [`periodicity`]: where edges repeat across and down, at which pitch; [`lines`]: where each line between cells is.
//! - [`looks`]: what a skin's cells look like at that size; [`samples`]: cells cut from the picture.
//! - [`view`] and [`light`]: what became of the colours, estimated in turns with what the cells show.
//! - [`prediction`] and [`noise`]: what cells are predicted to be then, and how far they are off, summed in [`lanes`].
//! - [`guess`]: which skin may explain a place, roughly, in views from [`starts`]; [`hypothesis`]: the best of these, finely,
//!   with grids that are brought to their places by [`alignment`]. Both are worked out on all processors ([`parallel`]).
//! - [`telling`]: what a cell shows, in each phase of a game; [`bounds`]: what it cannot show, since that is too far off; [`unknown_number`]: that it is a number which the skin lacks.
//! - [`whole`]: a hypothesis of a whole board: where it ends (`extent`), and what each cell shows (`cells`).
//! - [`sight`]: the hypothesis of a board that explains it best, and its rivals.
//! - [`board`]: the boards of a picture.
//!
//! Its numbers are named where they stand. Those that are not derived there were chosen on the training pictures of
//! `scripts/measure-families.sh`; no command fits them yet.

mod alignment;
mod board;
mod bounds;
mod deviation;
mod guess;
mod hypothesis;
mod lanes;
mod light;
mod lines;
mod looks;
mod noise;
mod parallel;
mod periodicity;
mod prediction;
mod samples;
mod scene;
mod sight;
mod starts;
mod telling;
mod unknown_number;
mod view;
mod whole;

pub(super) use board::{Explained, Places, explained, explained_at};
pub(crate) use deviation::{Deviation, deviations};
pub(super) use hypothesis::is_possible;
pub(super) use noise::evidence_by_kinds;
pub(crate) use noise::{INDEPENDENT, LEAST_VARIANCE};
pub(super) use sight::Sight;
pub(super) use telling::{GAME_PHASES, Told};
pub(crate) use telling::{are_highlights, are_told_apart};
pub(super) use whole::Beyond;
