//! Random arrangements of a position, each as likely as it is.
//!
//! The mines of the components are drawn first, one component after the other, by what their later ones and
//! the rest leave room for; then the mines of each class on the way through the component's diagram, by the
//! backward weights; then the cells within a class, and those of the rest. No draw is ever refused.

use rand::{Rng, RngExt};

use crate::solver::Budget;

use super::chain::Total;
use super::place::Place;
use super::position::Position;
use super::walk::{Graph, Walk};
use super::weight::{Weight, Wide};
use super::workspace::Workspace;

/// Draws arrangements of mines that fit a position.
#[derive(Clone, Debug)]
pub struct Sampler {
    walk: Walk,
    /// For each cell of the grid where it is on the board, row by row.
    board_places: Vec<u32>,
    /// Whether there is a mine, row by row, as drawn last.
    mines: Vec<bool>,
    /// Scratch.
    weights: Vec<f64>,
    cells: Vec<u32>,
}

impl Position {
    /// A sampler of arrangements that fit: with the mine count if it is used, else by the chance that is
    /// assumed for each cell. `None` when the budget does not suffice, or a component is too wide. Where
    /// the odds of the position are exact, so are those of the draws.
    pub fn sampler(&self, workspace: &mut Workspace, budget: &mut Budget) -> Option<Sampler> {
        let walk = self.walk(workspace, budget)?;
        let mut board_places = vec![0; self.grid.len()];
        let mut mines = Vec::new();
        for at in self.grid.cells() {
            board_places[at] = mines.len() as u32;
            mines.push(self.places[at] == Place::Mine);
        }
        Some(Sampler { walk, board_places, mines, weights: Vec::new(), cells: Vec::new() })
    }
}

impl Sampler {
    /// Draws an arrangement: for each cell of the board, row by row, whether there is a mine. Those that
    /// are shown or proven are always there.
    pub fn draw(&mut self, rng: &mut impl Rng) -> &[bool] {
        let mut used = 0;
        for graph in 0..self.walk.graphs.len() {
            let mines = self.draw_mines(graph, used, rng);
            used += mines;
            self.draw_classes(graph, mines, rng);
        }
        self.cells.clone_from(&self.walk.rest_cells);
        match self.walk.rest.total {
            Total::Mines(total) => {
                let left = (total - i64::from(used)).max(0) as usize;
                self.lay(left, rng);
            }
            Total::Unknown => {
                for &cell in &self.cells {
                    let is_mine = rng.random_bool(Total::DENSITY);
                    self.mines[self.board_places[cell as usize] as usize] = is_mine;
                }
            }
        }
        &self.mines
    }

    /// How many mines a component has, when those before it have `used`.
    fn draw_mines(&mut self, graph: usize, used: u32, rng: &mut impl Rng) -> u32 {
        let chain = &self.walk.chain;
        let Graph { least, counts, exponent, .. } = &self.walk.graphs[graph];
        let all = chain.ahead(graph, used);
        let weight = |(mines, &count): (u32, &f64)| {
            let count = Wide::new(count, i64::from(*exponent));
            count.times(chain.ahead(graph + 1, used + mines)).over(all)
        };
        self.weights.clear();
        self.weights.extend((*least..).zip(counts).map(weight));
        least + pick(&self.weights, rng) as u32
    }

    /// The mines of a component, `left` in all.
    fn draw_classes(&mut self, graph: usize, mut left: u32, rng: &mut impl Rng) {
        let mut state = 0;
        for layer in 0..self.walk.graphs[graph].steps.len() {
            let graph = &self.walk.graphs[graph];
            let ways = || graph.diagram.ways_on(state, &graph.steps[layer], left);
            self.weights.clear();
            self.weights.extend(ways().map(|(_, _, weight)| weight));
            let chosen = ways().nth(pick(&self.weights, rng));
            self.cells.clear();
            self.cells.extend(graph.classes[layer].cells.iter());
            let Some((mines, to, _)) = chosen else { return };
            self.lay(usize::from(mines), rng);
            left -= u32::from(mines);
            state = to;
        }
    }

    /// Lays so many mines in the cells at hand, and none in the others of them.
    fn lay(&mut self, mines: usize, rng: &mut impl Rng) {
        for index in 0..self.cells.len() {
            let is_mine = index < mines;
            if is_mine {
                let other = rng.random_range(index..self.cells.len());
                self.cells.swap(index, other);
            }
            self.mines[self.board_places[self.cells[index] as usize] as usize] = is_mine;
        }
    }
}

/// An index, each as likely as its weight says; one of weight 0 never, unless all are.
fn pick(weights: &[f64], rng: &mut impl Rng) -> usize {
    let mut left = weights.iter().sum::<f64>() * rng.random_range(0.0..1.0);
    let mut picked = 0;
    for (index, &weight) in weights.iter().enumerate() {
        if weight > 0.0 {
            picked = index;
            if left < weight {
                break;
            }
            left -= weight;
        }
    }
    picked
}
