//! Reading: from a frame to the board in it.
//!
//! A [`Reader`] finds the lattices of cells in a [`Frame`](crate::capture::Frame), and reads each cell
//! by matching it against the templates of its [`Skin`]s. It reports a cell only when one template wins
//! by a margin, and calls it unclear otherwise: a wrong board loses the game, an unclear cell costs a
//! second look. Nothing here knows of odds or clicks.

mod lattice;
mod reading;
pub mod skin;

pub use lattice::Lattice;
pub use reading::{ReadError, Reader, Reading};
pub use skin::Skin;
