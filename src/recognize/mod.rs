//! Reading: from a frame to the board in it.
//!
//! A [`Reader`] finds the lattices of cells in a [`Frame`](crate::capture::Frame), and reads each cell: a model of how a
//! picture comes about says how likely each kind of a [`Skin`] is there. A cell is reported only when one kind is all but
//! certain, and is unclear otherwise: a wrong board loses the game, an unclear cell costs a second look. A [`Tracker`]
//! follows a board from frame to frame. Nothing here knows of odds or clicks.

pub(crate) mod counter;
pub(crate) mod detect;
mod lattice;
pub(crate) mod model;
mod reading;
mod rules;
mod search;
pub mod skin;
pub mod survey;
mod tracker;
pub(crate) mod truncated;

pub use lattice::Lattice;
pub(crate) use reading::read_by_itself;
pub use reading::{ReadError, Reader, Reading};
pub use skin::{GamePhase, Skin, SkinError, Template};
pub use survey::Survey;
pub use tracker::Tracker;
pub use truncated::Side;
