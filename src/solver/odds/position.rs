//! A board that is solved, and what it becomes when a cell is opened.

use std::sync::Arc;

use crate::board::{Board, Cell, Pos};
use crate::solver::fact::Fact;
use crate::solver::grid::Grid;
use crate::solver::knowledge::Knowledge;
use crate::solver::{Budget, SolveError};

use super::around::Around;
use super::chain::{Chain, Link, Rest, Total};
use super::component::Component;
use super::conflict;
use super::diagram::SAFE_CELLS;
use super::loose;
use super::partition::Constraint;
use super::place::Place;
use super::weight::{Weight, Wide};
use super::workspace::Workspace;
use super::{Odds, OddsKind};

/// The chance of a mine that is stated at least, and its opposite at most, for a cell of which nothing is
/// proven when odds are sampled.
const UNPROVEN: f64 = 1e-6;

/// Numbers of the chain that ties the components together, above which it is not made: they grow with the square of the
/// components. No board of up to 100x100 cells comes near it.
const MOST_CHAINED: usize = 1 << 20;

/// A board with the chance of a mine in each cell, and what is needed to solve quickly what it becomes
/// when a cell is opened.
///
/// The components that an opening does not touch are not solved again: positions share them. A
/// position does not know which cells are flagged or unclear; whoever chooses a cell has to.
#[derive(Clone, Debug)]
pub struct Position {
    pub(in crate::solver) grid: Grid,
    /// The cells of the grid.
    pub(in crate::solver) places: Vec<Place>,
    /// Some are vacant, so that the others keep their place when one is replaced.
    pub(in crate::solver) components: Vec<Option<Arc<Component>>>,
    pub(in crate::solver) rest: Rest,
    /// Whether the mine count may prove something.
    count_proves: bool,
    kind: OddsKind,
    /// The weight of all arrangements: their number when the mine count is used. Otherwise their chance
    /// under [`Total::DENSITY`], up to a factor that is common to all positions of a game.
    pub(in crate::solver) weight: Wide,
    /// A part of it: the chance of all that is proven, where the mine count is not used.
    pub(super) proven: Wide,
    /// The chance of a mine for each class, and where those of each component begin.
    chances: Vec<f64>,
    first_chances: Vec<u32>,
    rest_chance: f64,
}

impl Position {
    /// Solves `board`. A state that is expanded is one node of `budget`; when it is spent, or when a
    /// component is too large, the odds are [sampled](OddsKind::Sampled).
    ///
    /// # Errors
    /// When no arrangement of mines fits the board.
    pub fn of(
        board: &Board,
        workspace: &mut Workspace,
        budget: &mut Budget,
    ) -> Result<Self, SolveError> {
        Self::of_known(&Knowledge::of(board)?, workspace, budget)
    }

    /// Solves a board of which something is known already.
    pub(in crate::solver) fn of_known(
        known: &Knowledge,
        workspace: &mut Workspace,
        budget: &mut Budget,
    ) -> Result<Self, SolveError> {
        let (board, grid) = (known.board(), known.grid());
        let place = |fact| match fact {
            Fact::Clear => Place::Open,
            Fact::Mine => Place::Mine,
            Fact::Unknown => Place::Rest,
        };
        workspace.diagram.begin();
        let mut places: Vec<Place> = known.facts().map(place).collect();
        let mut proven = Wide::new(1.0, 0);
        for at in known.proven() {
            let is_mine = places[at] == Place::Mine;
            if !is_mine {
                places[at] = Place::Clear;
            }
            proven = proven.times(Total::chance(is_mine));
        }
        let left = |mines: u32| Total::Mines(i64::from(mines) - known.mines() as i64);
        let total = board.mines.likely().map_or(Total::Unknown, left);
        let mut position = Self {
            grid,
            places,
            components: Vec::new(),
            rest: Rest { cells: known.unknown() as u32, total },
            count_proves: board.mines.known().is_some(),
            kind: OddsKind::Exact,
            weight: Wide::ZERO,
            proven: if total == Total::Unknown { proven } else { Wide::new(1.0, 0) },
            chances: Vec::new(),
            first_chances: Vec::new(),
            rest_chance: 0.0,
        };
        let constraints: Vec<Constraint> = known
            .sums()
            .map(|(number, mines, cells)| {
                let cells = cells.map(|cell| cell as u32).collect();
                Constraint { number: number as u32, mines, cells }
            })
            .collect();
        let fits = position.add(&constraints, workspace, budget).is_some();
        if !fits || position.combine(workspace).is_none() {
            let numbers = conflict::in_board(board, workspace, budget);
            return Err(match board.mines.known() {
                Some(mines) if numbers.is_empty() => SolveError::WrongMineCount { mines },
                _ => SolveError::Conflict { numbers },
            });
        }
        Ok(position)
    }

    /// The position after the cell at `pos` was opened and showed `value`; `None` when it cannot.
    ///
    /// # Panics
    /// When `pos` is off the board.
    #[track_caller]
    pub fn open(
        &self,
        pos: Pos,
        value: u8,
        workspace: &mut Workspace,
        budget: &mut Budget,
    ) -> Option<Self> {
        let cell = self.grid.at(pos) as u32;
        let around = self.around(cell)?;
        let mines = value.checked_sub(around.mines)?;
        let mut constraints = around.constraints;
        constraints.push(Constraint { number: cell, mines, cells: around.unknown });
        let mut child = self.clone();
        for &component in around.components.iter() {
            child.components[component as usize] = None;
        }
        child.leave_rest(cell);
        child.places[cell as usize] = Place::Open;
        child.add(&constraints, workspace, budget)?;
        child.combine(workspace)?;
        Some(child)
    }

    /// The chance of a mine in the cell at `pos`, from 0 to 1; `None` for an open cell. It is 0 or 1 only
    /// when that is proven.
    ///
    /// # Panics
    /// When `pos` is off the board.
    #[track_caller]
    pub fn mine_chance(&self, pos: Pos) -> Option<f64> {
        self.chance(self.grid.at(pos) as u32)
    }

    /// The chance of a mine in the cell `cell` of the grid; `None` for an open cell.
    pub(in crate::solver) fn chance(&self, cell: u32) -> Option<f64> {
        match self.places[cell as usize] {
            Place::Open => None,
            Place::Clear => Some(0.0),
            Place::Mine => Some(1.0),
            Place::Rest => Some(self.rest_chance),
            Place::Class { component, class } => {
                let first = self.first_chances[component as usize];
                Some(self.chances[(first + class) as usize])
            }
        }
    }

    /// The chance of a mine in each cell that touches no number.
    pub(in crate::solver) fn rest_chance(&self) -> f64 {
        self.rest_chance
    }

    /// The cells that are proven to be no mine and are not open, row by row.
    pub fn safe_cells(&self) -> impl Iterator<Item = Pos> + '_ {
        self.cells_with(0.0)
    }

    /// The cells that are proven to be mines, row by row, shown ones included.
    pub fn mined_cells(&self) -> impl Iterator<Item = Pos> + '_ {
        self.cells_with(1.0)
    }

    fn cells_with(&self, chance: f64) -> impl Iterator<Item = Pos> + '_ {
        let has = move |&at: &usize| self.chance(at as u32) == Some(chance);
        self.grid.cells().filter(has).map(|at| self.grid.pos(at))
    }

    /// Whether the odds are exact.
    pub fn kind(&self) -> OddsKind {
        self.kind
    }

    /// The odds of all unopened cells of `board`, which is the one that was solved.
    pub fn odds(&self, board: &Board) -> Odds {
        let chance = |(pos, cell): (Pos, Cell)| {
            if cell.is_unopened() { self.mine_chance(pos) } else { None }
        };
        Odds { kind: self.kind, cells: board.iter().map(chance).collect() }
    }

    /// How much of the weight of `other` this position has. Where it came from `other` by openings, that is their chance; where
    /// the two are one board with other numbers in some open cells, it is how likely the board shows those rather than
    /// the others.
    pub fn share_of(&self, other: &Position) -> f64 {
        self.weight.over(other.weight)
    }

    /// Solves constraints whose cells are in no component, and adds the components; `None` when they
    /// cannot hold together.
    fn add(
        &mut self,
        constraints: &[Constraint],
        workspace: &mut Workspace,
        budget: &mut Budget,
    ) -> Option<()> {
        let Workspace { partition, problem, order, diagram, .. } = workspace;
        partition.split(self.places.len(), constraints.iter().copied(), None)?;
        for constraint in constraints {
            for &cell in constraint.cells.iter() {
                self.leave_rest(cell);
            }
        }
        for &(cell, is_mine) in &partition.facts {
            self.places[cell as usize] = if is_mine { Place::Mine } else { Place::Clear };
        }
        let mines = partition.facts.iter().filter(|&&(_, is_mine)| is_mine).count() as i64;
        match &mut self.rest.total {
            Total::Mines(total) => *total -= mines,
            Total::Unknown => self.proven = self.proven.times(Total::loss(mines)),
        }
        let mut filled = 0;
        while partition.next_component(problem) {
            let component = Component::solve(problem, order, diagram, budget)?;
            let vacant = self.components[filled..].iter().position(Option::is_none);
            let place = vacant.map_or(self.components.len(), |vacant| filled + vacant);
            filled = place + 1;
            for (class, cells) in component.classes.iter().enumerate() {
                for &cell in cells.cells.iter() {
                    let (component, class) = (place as u32, class as u32);
                    self.places[cell as usize] = Place::Class { component, class };
                }
            }
            self.components.resize(self.components.len().max(place + 1), None);
            self.components[place] = Some(Arc::new(component));
        }
        Some(())
    }

    /// Takes a cell out of the rest if it is there, because it is opened or touches a number now.
    fn leave_rest(&mut self, cell: u32) {
        let place = &mut self.places[cell as usize];
        if *place == Place::Rest {
            *place = Place::Clear;
            self.rest.cells -= 1;
            if self.rest.total == Total::Unknown {
                self.proven = self.proven.times(Total::chance(false));
            }
        }
    }

    /// Finds the chances from the components and the mine count; `None` when they do not fit.
    fn combine(&mut self, workspace: &mut Workspace) -> Option<()> {
        let is_long = self.is_long();
        let is_exact = self.components().all(|component| component.is_exact);
        self.kind = if is_exact && !is_long { OddsKind::Exact } else { OddsKind::Sampled };
        if is_long {
            self.combine_loosely();
        } else if self.needs_wide() {
            self.combine_in(&mut workspace.wide);
        } else {
            self.combine_in(&mut workspace.plain);
        }
        if !self.weight.is_zero() {
            return Some(());
        }
        let may_be_wrong = !self.count_proves || !is_exact;
        if !may_be_wrong || self.rest.total == Total::Unknown {
            return None;
        }
        self.rest.total = Total::Unknown;
        self.combine(workspace)
    }

    fn combine_in<W: Weight>(&mut self, chain: &mut Chain<W>) {
        let components = std::mem::take(&mut self.components);
        let solved: Vec<&Component> = components.iter().flatten().map(|solved| &**solved).collect();
        let links: Vec<Link> = solved.iter().map(|&component| Link::from(component)).collect();
        let weight = chain.pull((0, 1), &links, self.rest)[0];
        self.weight = weight.wide().times(self.proven);
        self.chances.clear();
        if !weight.is_zero() {
            chain.push(&links, |link, outside| self.add_chances(solved[link], outside));
            if self.rest.cells > 0 {
                let (mined, clear) = chain.rest();
                self.rest_chance = self.judge(mined, clear, || (false, false));
            }
        }
        self.components = components;
        self.find_first_chances();
    }

    /// The same where the components are [too many](Position::is_long) to be tied to each other: each is tied to the
    /// density of mines, which is so chosen that the board has its mines on average. That proves nothing, nor does it tell
    /// one position's weight from another's.
    fn combine_loosely(&mut self) {
        let components = std::mem::take(&mut self.components);
        let solved: Vec<&Component> = components.iter().flatten().map(|solved| &**solved).collect();
        let links: Vec<Link> = solved.iter().map(|&component| Link::from(component)).collect();
        self.weight = Wide::ZERO;
        self.chances.clear();
        if let Some(density) = loose::density(&links, self.rest) {
            self.weight = Wide::new(1.0, 0);
            self.rest_chance = density.clamp(UNPROVEN, 1.0 - UNPROVEN);
            for &component in &solved {
                let outside = loose::outside(component.counts.len(), density);
                self.add_chances(component, &outside);
            }
        }
        self.components = components;
        self.find_first_chances();
    }

    fn find_first_chances(&mut self) {
        self.first_chances.clear();
        let mut first = 0;
        for component in &self.components {
            self.first_chances.push(first);
            first += component.as_ref().map_or(0, |component| component.classes.len() as u32);
        }
    }

    /// Adds the chances of a component, when the rest of the board fits to each of its counts in `outside`
    /// ways.
    fn add_chances<W: Weight>(&mut self, component: &Component, outside: &[W]) {
        for class in 0..component.classes.len() {
            let sum = |own: &[f64]| {
                let pairs = own.iter().zip(outside);
                pairs.fold(W::ZERO, |sum, (&own, &ways)| sum.plus(W::new(own, 0).times(ways)))
            };
            let (mined, clear) = (component.mined(class), component.clear(class));
            let never = |own: &[f64]| component.is_exact && own.iter().all(|&own| own == 0.0);
            let chance = self.judge(sum(mined), sum(clear), || (never(mined), never(clear)));
            self.chances.push(chance);
        }
    }

    /// The chance of a mine from the weights with and without one. Where the mine count proves nothing,
    /// `never` says whether it is impossible, and whether the opposite is, without it.
    fn judge<W: Weight>(&self, mined: W, clear: W, never: impl FnOnce() -> (bool, bool)) -> f64 {
        let uses_count = self.rest.total != Total::Unknown;
        let is_exact = self.kind == OddsKind::Exact;
        let (never_mined, never_clear) = if is_exact && self.count_proves && uses_count {
            (mined.is_zero(), clear.is_zero())
        } else {
            never()
        };
        match (never_mined, never_clear) {
            (true, _) => 0.0,
            (_, true) => 1.0,
            _ => {
                let least = if is_exact { f64::MIN_POSITIVE } else { UNPROVEN };
                let most = if is_exact { 1.0 - f64::EPSILON / 2.0 } else { 1.0 - UNPROVEN };
                mined.over(mined.plus(clear)).clamp(least, most)
            }
        }
    }

    /// Whether the components are too many to be tied together exactly.
    pub(super) fn is_long(&self) -> bool {
        self.chain_weights() > MOST_CHAINED
    }

    /// What lies around a cell; `None` when it is open or a mine.
    pub(super) fn around(&self, cell: u32) -> Option<Around> {
        Around::of(cell, self.grid, &self.places, &self.components)
    }

    /// How much it takes to look at the position as a whole: its cells, and the weights that tie its components together.
    pub(in crate::solver) fn extent(&self) -> u64 {
        (self.grid.len() + self.chain_weights()) as u64
    }

    /// How many numbers the chain of the components has.
    fn chain_weights(&self) -> usize {
        let mut stretch = 1;
        let stretches = self.components().map(|component| {
            stretch += component.counts.len() - 1;
            stretch
        });
        stretches.sum()
    }

    /// Whether numbers of arrangements may exceed an `f64`.
    pub(super) fn needs_wide(&self) -> bool {
        let in_classes: usize = self.components().map(|component| component.cells).sum();
        match self.rest.total {
            Total::Mines(_) => in_classes + self.rest.cells as usize > SAFE_CELLS,
            Total::Unknown => in_classes > SAFE_CELLS / 4,
        }
    }

    fn components(&self) -> impl Iterator<Item = &Component> {
        self.components.iter().flatten().map(|component| &**component)
    }
}
