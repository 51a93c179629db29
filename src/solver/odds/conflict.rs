//! Which numbers cannot hold together.
//!
//! Numbers are left out in ever smaller portions as long as the others still contradict each other: what
//! remains is a set of which no number can be spared (A. Zeller's delta debugging).

use crate::solver::Budget;

use super::partition::Constraint;
use super::workspace::Workspace;

/// The numbers, by their cells, of a small part of `constraints` that has no arrangement; all of them when
/// the budget does not allow to tell.
pub(super) fn among(
    constraints: &[Constraint],
    cells: usize,
    workspace: &mut Workspace,
    budget: &mut Budget,
) -> Vec<u32> {
    let mut kept = constraints.to_vec();
    let mut portion = kept.len().div_ceil(2);
    while portion > 0 {
        let mut begin = 0;
        while begin < kept.len() {
            let mut fewer = kept.clone();
            fewer.drain(begin..(begin + portion).min(kept.len()));
            if contradict(&fewer, cells, workspace, budget) {
                kept = fewer;
            } else {
                begin += portion;
            }
        }
        portion /= 2;
    }
    kept.iter().map(|constraint| constraint.number).collect()
}

/// Whether constraints are known to have no arrangement.
fn contradict(
    constraints: &[Constraint],
    cells: usize,
    workspace: &mut Workspace,
    budget: &mut Budget,
) -> bool {
    let Workspace { partition, problem, order, diagram, .. } = workspace;
    if partition.split(cells, constraints.iter().copied(), None).is_none() {
        return true;
    }
    while partition.next_component(problem) {
        if order.arrange(problem) {
            diagram.build(&order.steps, budget);
            if diagram.is_exact && diagram.ends().next().is_none() {
                return true;
            }
        }
    }
    false
}
