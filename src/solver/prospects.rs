//! What each of several guesses would bring: for a person who chooses, or wants to know what was chosen between.

use crate::board::{Board, Cell, Pos};

use super::best::{Best, inseparable, look_cost};
use super::knowledge::Knowledge;
use super::odds::{OddsKind, Position, Workspace};
use super::{Budget, SolveError};

/// How a game stands where nothing is proven safe.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Prospects {
    /// The chance to win, from 0 to 1, as the strategy `best` judges it: exact at the end of a game, else an estimate.
    pub win_chance: Option<f64>,
    /// What opening each cell that is worth a look would bring, the likeliest to win the game first. Empty where a cell is
    /// proven safe, and where the odds are [sampled](OddsKind::Sampled).
    pub guesses: Vec<Prospect>,
    /// Pairs of cells of which one is a mine and nothing that can still be opened will tell which.
    pub fifty_fifties: Vec<[Pos; 2]>,
    /// Unknown cells that show the same in every arrangement of mines in which they are none: opening them tells nothing
    /// but that. Row by row; cells of 50/50s are not among them.
    pub dead: Vec<Pos>,
}

/// What opening one cell would bring. All chances are from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prospect {
    /// The cell.
    pub pos: Pos,
    /// The chance to hit a mine.
    pub risk: f64,
    /// The chance to win the game by it.
    pub win_chance: f64,
    /// The chance that it is blank, which opens a region.
    pub opens_region: f64,
    /// The chance that it is no mine and then some other cell is proven safe.
    pub goes_on: f64,
}

impl Prospects {
    /// Works out how the game on `board` stands. Spends nodes as the strategy `best` does, and some more for each cell.
    ///
    /// # Errors
    /// When no arrangement of mines fits the board.
    pub fn of(board: &Board, budget: &mut Budget) -> Result<Self, SolveError> {
        if board.is_promised_safe() {
            // Of any cell that holds only if it is opened first.
            return Ok(Self::default());
        }
        let known = Knowledge::of(board)?;
        let (mut best, mut workspace) = (Best::default(), Workspace::default());
        let position = Position::of_known(&known, &mut workspace, budget)?;
        let win_chance = best.win_chance(&position, budget);
        if position.kind() != OddsKind::Exact {
            return Ok(Self { win_chance, ..Self::default() });
        }
        let mut look = Look { board, position: &position, workspace: &mut workspace, budget };
        let fifty_fifties = look.fifty_fifties();
        let mut guesses = Vec::new();
        if !known.has_safe() && position.safe_cells().next().is_none() {
            for (pos, win_chance) in best.ranked(&known, &position, look.budget) {
                guesses.push(look.prospect(pos, win_chance));
            }
        }
        let dead = look.dead(&fifty_fifties.concat());
        let win_chance = guesses.first().map(|first| first.win_chance).or(win_chance);
        Ok(Self { win_chance, guesses, fifty_fifties, dead })
    }
}

struct Look<'l> {
    board: &'l Board,
    position: &'l Position,
    workspace: &'l mut Workspace,
    budget: &'l mut Budget,
}

impl Look<'_> {
    fn values(&mut self, pos: Pos) -> [f64; 9] {
        self.position.value_weights(pos, self.workspace, self.budget)
    }

    fn prospect(&mut self, pos: Pos, win_chance: f64) -> Prospect {
        let values = self.values(pos);
        let mut goes_on = 0.0;
        for (value, chance) in (0..9).zip(values).filter(|&(_, chance)| chance > 0.0) {
            let next = self.position.open(pos, value, self.workspace, self.budget);
            if next.is_some_and(|next| next.safe_cells().next().is_some()) {
                goes_on += chance;
            }
        }
        let risk = self.position.mine_chance(pos).unwrap_or_default();
        Prospect { pos, risk, win_chance, opens_region: values[0], goes_on }
    }

    fn fifty_fifties(&mut self) -> Vec<[Pos; 2]> {
        let position = self.position;
        let classes = position.components.iter().flatten().flat_map(|part| &part.classes);
        let mut found = Vec::new();
        for class in classes {
            let [one, other] = class.cells[..] else { continue };
            let pair = [one, other].map(|at| position.grid.pos(at as usize));
            let is_even = position.chance(one).is_some_and(|chance| (chance - 0.5).abs() < 1e-6);
            if is_even && inseparable(position, one, other) && self.is_one_of(pair) {
                found.push(pair);
            }
        }
        found.sort_by_key(|[one, _]| (one.row, one.col));
        found
    }

    /// Whether exactly one of two cells is a mine: where one is none, the other is.
    fn is_one_of(&mut self, [one, other]: [Pos; 2]) -> bool {
        let values = self.values(one);
        (0..9).zip(values).filter(|&(_, chance)| chance > 0.0).all(|(value, _)| {
            let next = self.position.open(one, value, self.workspace, self.budget);
            next.is_some_and(|next| next.mine_chance(other) == Some(1.0))
        })
    }

    /// Cells that show one number only, whatever is beneath them; as many as the budget allows.
    fn dead(&mut self, but: &[Pos]) -> Vec<Pos> {
        let (board, position) = (self.board, self.position);
        let may_be = |pos: &Pos| {
            let is_covered = matches!(board[*pos], Cell::Covered | Cell::Questioned);
            let chance = position.mine_chance(*pos);
            is_covered
                && chance.is_some_and(|chance| 0.0 < chance && chance < 1.0)
                && !but.contains(pos)
        };
        let mut dead = Vec::new();
        for pos in board.positions().filter(may_be) {
            if !self.budget.spend_many(look_cost(position)) {
                break;
            }
            if self.values(pos).iter().filter(|&&chance| chance > 0.0).count() == 1 {
                dead.push(pos);
            }
        }
        dead
    }
}
