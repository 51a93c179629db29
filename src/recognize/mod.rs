//! Reading: from a frame to the board in it.
//!
//! A [`Reader`] finds the lattices of cells in a [`Frame`](crate::capture::Frame), and reads each cell
//! by matching it against the templates of its [`Skin`]s. It reports a cell only when one template wins
//! by a margin, and calls it unclear otherwise: a wrong board loses the game, an unclear cell costs a
//! second look. Nothing here knows of odds or clicks.

mod cells;
pub(crate) mod comb;
pub(crate) mod counter;
pub(crate) mod cut;
mod edges;
pub(crate) mod fitting;
mod follow;
mod glance;
mod lattice;
mod locate;
pub(crate) mod matcher;
pub(crate) mod model;
pub(crate) mod patch;
mod reading;
mod rules;
mod search;
pub mod skin;
pub(crate) mod square;
pub mod survey;
pub(crate) mod track;

pub use cut::Side;
pub use follow::Follower;
pub use lattice::Lattice;
pub(crate) use reading::read_by_itself;
pub use reading::{ReadError, Reader, Reading};
pub use skin::{Mood, Skin, SkinError, Template};
pub use survey::Survey;
