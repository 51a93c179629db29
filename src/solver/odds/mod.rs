//! Exact odds: the chance of a mine in every unknown cell, from all arrangements of mines that fit.
//!
//! The way from a [`Board`](crate::board::Board) to its odds:
//!
//! 1. The rules of `Knowledge` take out what is simply known.
//! 2. `partition`: unknown cells that touch the same numbers become one *class*; classes that share
//!    numbers, one *component*.
//! 3. `order` and `diagram`: the arrangements of each component are counted by mines, not listed.
//! 4. `chain`: the mine count ties the components to each other and to the cells that touch no
//!    number.
//!
//! [`Position`] holds the outcome. From it, what follows when a cell is opened costs only the
//! components that the cell touches.
//!
//! Proofs come from numbers of arrangements that are 0 exactly when there are none, never from rounding;
//! `diagram` says why. Counting has no bound in the worst case. Past the budget, or where a component
//! is too wide, the odds are an estimate, [say so](OddsKind::Sampled), and prove nothing. So they are where components are
//! too many to be tied to each other (`loose`).

mod around;
mod arrangements;
mod chain;
mod component;
mod conflict;
mod count;
mod diagram;
mod eight;
mod loose;
mod order;
mod partition;
mod place;
mod position;
mod sampler;
mod spectrum;
mod thinning;
mod values;
mod walk;
mod weight;
mod workspace;

pub use arrangements::Arrangements;
pub(super) use chain::Total;
pub(super) use place::Place;
pub use position::Position;
pub use sampler::Sampler;
pub use workspace::Workspace;

/// How far odds can be trusted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OddsKind {
    /// From all arrangements that fit; 0 and 1 are proofs.
    Exact,
    /// From a sample of them or an estimate; never 0 or 1 but for what simple rules prove.
    Sampled,
}

/// The chance of a mine in every unopened cell.
#[derive(Clone, PartialEq, Debug)]
pub struct Odds {
    /// How far to trust them.
    pub kind: OddsKind,
    /// From 0 to 1, row by row; `None` for cells that are open, unclear or show a mine. Flagged cells
    /// have odds.
    pub cells: Vec<Option<f64>>,
}
