//! Where cells may be in a picture that is as its skin is drawn: from [`edges`] to a lattice that cells of a skin fit.
//!
//! It only says where to look. What cells show is told by the [model](super::model).

pub(crate) mod cells;
pub(crate) mod edges;
pub(crate) mod fitting;
pub(crate) mod gridlines;
pub(crate) mod locate;
pub(crate) mod matcher;
pub(crate) mod patch;
pub(crate) mod repetition;
pub(crate) mod square;
pub(crate) mod thumbnail;
