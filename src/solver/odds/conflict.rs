//! Which numbers cannot hold together.
//!
//! Numbers are left out in ever smaller portions as long as the others still contradict each other: what
//! remains is a set of which no number can be spared (A. Zeller's delta debugging).

use crate::board::{Board, Cell, Pos};
use crate::solver::Budget;
use crate::solver::grid::Grid;

use super::partition::Constraint;
use super::workspace::Workspace;

/// To ask whether so many numbers contradict each other costs a node.
const NUMBERS_A_NODE: usize = 10;

/// The numbers of a small part of `board` that has no arrangement: all of them when the budget does not
/// suffice to tell, none when it is only the mine count that they contradict.
pub(super) fn in_board(board: &Board, workspace: &mut Workspace, budget: &mut Budget) -> Vec<Pos> {
    let grid = Grid::of(board);
    let mut kept: Vec<Constraint> = board
        .iter()
        .filter_map(|(pos, cell)| {
            let is_mine = |near: &Pos| matches!(board[*near], Cell::Mine | Cell::Burst);
            let is_unknown =
                |near: &Pos| board[*near].is_unopened() || board[*near] == Cell::Unclear;
            let shown = board.neighbours(pos).filter(is_mine).count() as u8;
            let unknown = board.neighbours(pos).filter(is_unknown);
            Some(Constraint {
                number: grid.at(pos) as u32,
                mines: cell.number()?.checked_sub(shown)?,
                cells: unknown.map(|near| grid.at(near) as u32).collect(),
            })
        })
        .collect();
    if board.mines.known().is_some() && !contradict(&kept, grid, workspace, budget) {
        return Vec::new();
    }
    let mut portion = kept.len().div_ceil(2);
    while portion > 0 {
        let mut begin = 0;
        while begin < kept.len() {
            let mut fewer = kept.clone();
            fewer.drain(begin..(begin + portion).min(kept.len()));
            // Over all numbers it goes once for each, so it is paid for.
            if !budget.spend_many(1 + (fewer.len() / NUMBERS_A_NODE) as u64) {
                return numbers(&kept, grid);
            }
            if contradict(&fewer, grid, workspace, budget) {
                kept = fewer;
            } else {
                begin += portion;
            }
        }
        portion /= 2;
    }
    numbers(&kept, grid)
}

fn numbers(constraints: &[Constraint], grid: Grid) -> Vec<Pos> {
    constraints.iter().map(|constraint| grid.pos(constraint.number as usize)).collect()
}

/// Whether constraints are known to have no arrangement.
fn contradict(
    constraints: &[Constraint],
    grid: Grid,
    workspace: &mut Workspace,
    budget: &mut Budget,
) -> bool {
    let Workspace { partition, problem, order, diagram, .. } = workspace;
    if partition.split(grid.len(), constraints.iter().copied(), None).is_none() {
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
