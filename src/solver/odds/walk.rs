//! The diagrams of all components of a position side by side, to walk arrangements through them.

use crate::solver::Budget;

use super::chain::{Chain, Link, Rest};
use super::diagram::Diagram;
use super::order::Step;
use super::partition::Class;
use super::place::Place;
use super::position::Position;
use super::weight::Wide;
use super::workspace::Workspace;

/// One component.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub classes: Vec<Class>,
    pub steps: Vec<Step>,
    /// With backward weights.
    pub diagram: Diagram,
    /// As those of the component.
    pub least: u32,
    pub counts: Vec<f64>,
    pub exponent: i32,
}

/// Everything of a position from which an arrangement can be put together.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    pub graphs: Vec<Graph>,
    /// The pass from the rest to the front, a link for each graph.
    pub chain: Chain<Wide>,
    pub rest: Rest,
    /// The cells that touch no number.
    pub rest_cells: Vec<u32>,
}

impl Position {
    /// `None` when the budget does not suffice, a component is too wide, or there are too many of them.
    pub(super) fn walk(&self, workspace: &mut Workspace, budget: &mut Budget) -> Option<Walk> {
        if self.is_long() {
            return None;
        }
        let Workspace { order, diagram, .. } = workspace;
        let mut graphs = Vec::new();
        for component in self.components.iter().flatten() {
            if !component.rebuild(order, diagram, budget) {
                return None;
            }
            graphs.push(Graph {
                classes: component.classes.clone(),
                steps: order.steps.clone(),
                diagram: diagram.clone(),
                least: component.least,
                counts: component.counts.clone(),
                exponent: component.exponent,
            });
        }
        let links = self.components.iter().flatten().map(|component| Link::from(&**component));
        let mut chain = Chain::default();
        chain.pull((0, 1), &links.collect::<Vec<_>>(), self.rest);
        let is_rest = |&at: &usize| self.places[at] == Place::Rest;
        let rest_cells = self.grid.cells().filter(is_rest).map(|at| at as u32).collect();
        Some(Walk { graphs, chain, rest: self.rest, rest_cells })
    }
}
