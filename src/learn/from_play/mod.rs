//! Learning a skin from an open game, without any labelled picture.
//!
//! ```text
//! grid ──cells──▶ clusters ──boards of looks──▶ meanings ──labelled boards──▶ from_labels ──▶ skin
//!                                ▲                 │
//!                      ending ───┘ mines           └──what is left──▶ prior ──▶ which cell to open next
//! ```
//!
//! [`grids`] finds equal cells without a skin. [`Notebook`] keeps what was seen: which cells look alike, what
//! each look can mean by the rules of the game, and pictures of boards. When every look has one meaning left, the
//! pictures have labels, and [`from_labels`](crate::learn::from_labels) cuts a skin from them as from anybody's.
//!
//! Nothing here touches the screen or the mouse; [`play::Learner`](crate::play::Learner) drives the game that is learned. What
//! is not proven gets no template.

mod axis;
mod clusters;
mod counter;
mod ending;
mod grid;
mod meanings;
mod notebook;
mod pieces;
mod prior;

pub use clusters::Cluster;
pub(crate) use clusters::{CellPatch, Clusters, changed};
pub(crate) use counter::Flags;
pub(crate) use ending::Ending;
pub use ending::Outcome;
pub use grid::{Grid, grids};
pub(crate) use meanings::position;
pub use meanings::{Contradiction, Seen, Sight};
pub(crate) use notebook::{Bookmark, First, patches};
pub use notebook::{Learned, Notebook};
pub use prior::{Prior, Sign};
