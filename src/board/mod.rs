//! The board as a player sees it: cells, size and the mine counter.
//!
//! Nothing here knows of pixels or of odds, and a [`Board`] cannot say where its mines are: that is
//! what makes a solver that takes a `Board` unable to cheat.

mod cell;
mod label;
mod pos;
mod rules;
mod status;
pub mod text;

pub use cell::{Cell, Count, CountTooLarge};
pub use label::{Label, LabelError};
pub use pos::Pos;
pub use rules::{FirstClick, ImpossibleRules, Rules, UnknownFirstClick};
pub use status::{Status, UnknownStatus};

/// How many mines the whole board has, and how that is known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MineCount {
    /// Read from the game's own counter.
    Read(u32),
    /// Told by the person (or by the text form of a board).
    Given(u32),
    /// What boards of this size usually have. May rank guesses; proves nothing.
    Assumed(u32),
    /// Not known.
    #[default]
    Unknown,
}

impl MineCount {
    /// The count, if it is certain enough to prove something with.
    pub const fn known(self) -> Option<u32> {
        match self {
            MineCount::Read(mines) | MineCount::Given(mines) => Some(mines),
            MineCount::Assumed(_) | MineCount::Unknown => None,
        }
    }

    /// The count, certain or assumed.
    pub const fn likely(self) -> Option<u32> {
        match self {
            MineCount::Assumed(mines) => Some(mines),
            other => other.known(),
        }
    }
}

/// A rectangle of cells, row by row, and the number of mines among them as far as it is known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    cols: u16,
    cells: Vec<Cell>,
    /// Mines on the whole board, flagged ones included.
    pub mines: MineCount,
    /// What the game promises of the first cell that is opened, as far as it is known.
    pub first_click: Option<FirstClick>,
}

impl Board {
    /// The most cells along the longer and along the shorter side of a board.
    ///
    /// No larger board can be played: in cells of 8 pixels, the smallest that are looked for, this one fills a monitor of
    /// 3840x2160, and in the 16 pixels that most games draw one of 7680x4320. What works on boards relies on it, to be
    /// done in time and in memory.
    pub const MOST: (u16, u16) = (480, 270);

    /// Whether there may be a board of `cols` x `rows` cells.
    pub fn can_have(cols: usize, rows: usize) -> bool {
        let (longer, shorter) = (cols.max(rows), cols.min(rows));
        shorter > 0 && longer <= usize::from(Self::MOST.0) && shorter <= usize::from(Self::MOST.1)
    }

    /// A board of `cols` x `rows` covered cells with an unknown number of mines.
    ///
    /// # Panics
    /// When [no board](Board::can_have) has so many.
    #[track_caller]
    pub fn new(cols: u16, rows: u16) -> Self {
        let can_be = Self::can_have(cols.into(), rows.into());
        assert!(can_be, "no board has {cols}x{rows} cells");
        let cells = vec![Cell::Covered; usize::from(cols) * usize::from(rows)];
        Self { cols, cells, mines: MineCount::Unknown, first_click: None }
    }

    /// Number of columns.
    pub fn cols(&self) -> u16 {
        self.cols
    }

    /// Number of rows.
    pub fn rows(&self) -> u16 {
        (self.cells.len() / usize::from(self.cols)) as u16
    }

    /// Whether `pos` is on the board.
    pub fn contains(&self, pos: Pos) -> bool {
        pos.col < self.cols && pos.row < self.rows()
    }

    /// Where `pos` stands when the cells are counted row by row.
    ///
    /// # Panics
    /// When `pos` is off the board.
    #[track_caller]
    pub fn index(&self, pos: Pos) -> usize {
        assert!(self.contains(pos), "{pos} is off a {}x{} board", self.cols, self.rows());
        usize::from(pos.row) * usize::from(self.cols) + usize::from(pos.col)
    }

    /// The place of the cell that stands at `index` when counted row by row.
    pub fn pos(&self, index: usize) -> Pos {
        let cols = usize::from(self.cols);
        Pos::new((index % cols) as u16, (index / cols) as u16)
    }

    /// Every place, row by row.
    pub fn positions(&self) -> impl Iterator<Item = Pos> + use<> {
        let (cols, rows) = (self.cols, self.rows());
        (0..rows).flat_map(move |row| (0..cols).map(move |col| Pos::new(col, row)))
    }

    /// Every place with what it shows, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (Pos, Cell)> + '_ {
        self.positions().zip(self.cells.iter().copied())
    }

    /// What every place shows, row by row.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The up to eight places around `pos`, row by row.
    pub fn neighbours(&self, pos: Pos) -> impl Iterator<Item = Pos> + use<> {
        self.within(pos, 1).filter(move |&other| other != pos)
    }

    /// Every place at most `distance` columns and rows from `pos`, itself included, row by row.
    pub fn within(&self, pos: Pos, distance: u16) -> impl Iterator<Item = Pos> + use<> {
        let (right, bottom) = (self.cols - 1, self.rows() - 1);
        let span = |at: u16, last: u16| {
            at.saturating_sub(distance)..=at.saturating_add(distance).min(last)
        };
        let (cols, rows) = (span(pos.col, right), span(pos.row, bottom));
        rows.flat_map(move |row| cols.clone().map(move |col| Pos::new(col, row)))
    }

    /// Whether nothing is opened yet.
    pub fn is_fresh(&self) -> bool {
        self.cells.iter().all(|cell| cell.is_unopened())
    }

    /// Whether the cell that is opened next is no mine by the game's promise, whichever it is.
    pub fn is_promised_safe(&self) -> bool {
        let promises = matches!(self.first_click, Some(FirstClick::Safe | FirstClick::Opens));
        promises && self.is_fresh()
    }

    /// How many cells satisfy `is`.
    pub fn count(&self, is: impl Fn(Cell) -> bool) -> usize {
        self.cells.iter().filter(|&&cell| is(cell)).count()
    }
}

impl std::ops::Index<Pos> for Board {
    type Output = Cell;

    #[track_caller]
    fn index(&self, pos: Pos) -> &Cell {
        let index = Board::index(self, pos);
        &self.cells[index]
    }
}

impl std::ops::IndexMut<Pos> for Board {
    #[track_caller]
    fn index_mut(&mut self, pos: Pos) -> &mut Cell {
        let index = Board::index(self, pos);
        &mut self.cells[index]
    }
}
