//! What solving needs besides the answer: memory that is used again and again.

use super::chain::Chain;
use super::diagram::Diagram;
use super::order::Order;
use super::partition::{Partition, Problem};
use super::spectrum::Spectrum;
use super::weight::Wide;

/// Memory for solving positions, so that it need not be asked for each time. Holds nothing that matters:
/// the same position gets the same answer in a new workspace.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) partition: Partition,
    pub(super) problem: Problem,
    pub(super) order: Order,
    pub(super) diagram: Diagram,
    pub(super) spectrum: Spectrum,
    pub(super) plain: Chain<f64>,
    pub(super) wide: Chain<Wide>,
}
