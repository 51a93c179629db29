//! A component that is solved: its arrangements by mines, and each class's share in them.

use super::diagram::{Diagram, MOST_WEIGHTS};
use super::order::Order;
use super::partition::{Class, Constraint, Problem};
use crate::solver::Budget;

/// Classes that hang together, and in how many ways which mines can lie in them. Independent of the rest
/// of the board, so positions share it.
#[derive(Clone, Debug)]
pub(in crate::solver) struct Component {
    /// In the order in which they were decided.
    pub classes: Vec<Class>,
    pub constraints: Vec<Constraint>,
    /// The number of its cells.
    pub cells: usize,
    /// The fewest mines it can hold.
    pub least: u32,
    /// The number of arrangements with so many mines, from `least` on, times 2^-exponent.
    pub counts: Vec<f64>,
    pub exponent: i32,
    /// For each class as many numbers as there are counts, twice: see [`Diagram::tabulate`].
    table: Vec<f64>,
    /// Whether the counts are exact but for rounding: then a zero among the numbers is a proof.
    pub is_exact: bool,
}

impl Component {
    /// Solves a component; `None` when it has no arrangement.
    pub(super) fn solve(
        problem: &mut Problem,
        order: &mut Order,
        diagram: &mut Diagram,
        budget: &mut Budget,
    ) -> Option<Self> {
        if !order.arrange(problem) {
            return Some(Self::rough(problem));
        }
        diagram.build(&order.steps, budget);
        let Some((_, least, counts)) = diagram.ends().next() else {
            return if diagram.is_exact { None } else { Some(Self::rough(problem)) };
        };
        let (counts, mut table) = (counts.to_vec(), Vec::new());
        if 2 * counts.len() * problem.classes.len() > MOST_WEIGHTS {
            return Some(Self::rough(problem));
        }
        diagram.build_backward(&order.steps);
        diagram.tabulate(&order.steps, least, counts.len(), &mut table);
        Some(Self {
            classes: problem.classes.clone(),
            constraints: problem.constraints.clone(),
            cells: problem.cells(),
            least,
            counts,
            exponent: diagram.exponent,
            table,
            is_exact: diagram.is_exact,
        })
    }

    /// Builds the diagram of a solved component again, with backward weights; false when that cannot be.
    pub(super) fn rebuild(
        &self,
        order: &mut Order,
        diagram: &mut Diagram,
        budget: &mut Budget,
    ) -> bool {
        let Self { classes, constraints, .. } = self.clone();
        if !order.find_steps(&Problem { classes, constraints, tally: None }) {
            return false;
        }
        diagram.build(&order.steps, budget);
        let has_ends = diagram.ends().next().is_some();
        if has_ends {
            diagram.build_backward(&order.steps);
        }
        has_ends
    }

    /// An estimate for a component that is too wide or too long even to sample: a cell is a mine as often as its
    /// numbers say on average, one by one.
    fn rough(problem: &Problem) -> Self {
        let share = |class: &Class| {
            let shares = class.constraints.iter().map(|&index| {
                let constraint = &problem.constraints[index as usize];
                f64::from(constraint.mines) / constraint.cells.len() as f64
            });
            shares.sum::<f64>() / class.constraints.len() as f64
        };
        let shares = problem.classes.iter().map(share);
        let mines: f64 = problem
            .classes
            .iter()
            .zip(shares.clone())
            .map(|(class, p)| p * class.cells.len() as f64)
            .sum();
        Self {
            classes: problem.classes.clone(),
            constraints: problem.constraints.clone(),
            cells: problem.cells(),
            least: mines as u32,
            counts: vec![1.0],
            exponent: 0,
            table: shares.flat_map(|p| [p, 1.0 - p]).collect(),
            is_exact: false,
        }
    }

    /// For each count, in how many of those arrangements a given cell of the class is a mine.
    pub fn mined(&self, class: usize) -> &[f64] {
        let len = self.counts.len();
        &self.table[2 * class * len..][..len]
    }

    /// For each count, in how many of those arrangements a given cell of the class is no mine.
    pub fn clear(&self, class: usize) -> &[f64] {
        let len = self.counts.len();
        &self.table[(2 * class + 1) * len..][..len]
    }
}
