//! The rules a game is played by: its size, its mines and what its first click promises.

use serde::{Deserialize, Serialize};

use super::Board;

/// What a game promises of the first cell that is opened. Written as its [name](FirstClick::name).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum FirstClick {
    /// It is never a mine.
    Safe,
    /// It is never a mine and touches none, so a region opens.
    Opens,
    /// Nothing: it may be a mine.
    Any,
}

impl FirstClick {
    /// The promise in one lower-case word, as on the command line, in skins and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            FirstClick::Safe => "safe",
            FirstClick::Opens => "open",
            FirstClick::Any => "any",
        }
    }
}

impl std::fmt::Display for FirstClick {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for FirstClick {
    type Err = UnknownFirstClick;

    fn from_str(name: &str) -> Result<Self, UnknownFirstClick> {
        [FirstClick::Safe, FirstClick::Opens, FirstClick::Any]
            .into_iter()
            .find(|promise| promise.name() == name)
            .ok_or_else(|| UnknownFirstClick(name.to_owned()))
    }
}

impl From<FirstClick> for &'static str {
    fn from(promise: FirstClick) -> Self {
        promise.name()
    }
}

impl TryFrom<String> for FirstClick {
    type Error = UnknownFirstClick;

    fn try_from(name: String) -> Result<Self, UnknownFirstClick> {
        name.parse()
    }
}

/// A word that is no promise.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no first click; use safe, open or any")]
pub struct UnknownFirstClick(pub String);

/// Size of the board, number of mines and the promise of the first click.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rules {
    /// Columns of the board.
    pub cols: u16,
    /// Rows of the board.
    pub rows: u16,
    /// Mines on the board.
    pub mines: u32,
    /// What the first click promises.
    pub first_click: FirstClick,
}

/// The sizes that nearly every Minesweeper offers, with their mines: columns, rows, mines.
const KNOWN_SIZES: [(u16, u16, u32); 4] = [(8, 8, 10), (9, 9, 10), (16, 16, 40), (30, 16, 99)];

impl Rules {
    /// Rules for a board of `cols` x `rows` cells with `mines` mines.
    ///
    /// # Errors
    /// When there is [no such board](Board::can_have), or no cell of it is without a mine: such a game is neither
    /// won nor lost by anything that can be done.
    pub fn new(
        cols: u16,
        rows: u16,
        mines: u32,
        first_click: FirstClick,
    ) -> Result<Self, ImpossibleRules> {
        if !Board::can_have(cols.into(), rows.into()) {
            return Err(ImpossibleRules::Size { cols: cols.into(), rows: rows.into() });
        }
        if mines >= u32::from(cols) * u32::from(rows) {
            return Err(ImpossibleRules::Mines { cols, rows, mines });
        }
        Ok(Self { cols, rows, mines, first_click })
    }

    /// The number of mines that boards of this size have in nearly every Minesweeper, for the four
    /// sizes where there is such a number.
    pub fn usual_mines(cols: u16, rows: u16) -> Option<u32> {
        KNOWN_SIZES.iter().find(|&&(c, r, _)| (c, r) == (cols, rows)).map(|&(_, _, mines)| mines)
    }

    /// Parses a level: `beginner` (9x9, 10 mines), `intermediate` (16x16, 40), `expert` (30x16, 99)
    /// or `WIDTHxHEIGHTxMINES`.
    ///
    /// # Errors
    /// When `level` is none of these or the board cannot exist.
    pub fn parse_level(level: &str, first_click: FirstClick) -> Result<Self, ImpossibleRules> {
        let (cols, rows, mines) = match level {
            "beginner" => (9, 9, 10),
            "intermediate" => (16, 16, 40),
            "expert" => (30, 16, 99),
            custom => {
                let unknown = || ImpossibleRules::Level(custom.to_owned());
                let mut parts = custom.split('x');
                let mut next = || parts.next()?.parse::<u32>().ok();
                let (Some(cols), Some(rows), Some(mines)) = (next(), next(), next()) else {
                    return Err(unknown());
                };
                if parts.next().is_some() {
                    return Err(unknown());
                }
                let side = |cells: u32| {
                    u16::try_from(cells).map_err(|_| ImpossibleRules::Size { cols, rows })
                };
                (side(cols)?, side(rows)?, mines)
            }
        };
        Self::new(cols, rows, mines, first_click)
    }
}

/// Rules that no game can have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ImpossibleRules {
    /// No cells, or too many.
    #[error(
        "a board cannot have {cols}x{rows} cells: it has at least 1x1 and at most {}x{}, or as many the other way round",
        Board::MOST.0, Board::MOST.1
    )]
    Size {
        /// Columns asked for.
        cols: u32,
        /// Rows asked for.
        rows: u32,
    },
    /// No cell without a mine.
    #[error(
        "{mines} mines do not fit on a {cols}x{rows} board: at least one of its {} cells is none",
        u32::from(*cols) * u32::from(*rows)
    )]
    Mines {
        /// Columns of the board.
        cols: u16,
        /// Rows of the board.
        rows: u16,
        /// Mines asked for.
        mines: u32,
    },
    /// Not the name or the size of a board.
    #[error(
        "'{0}' is no level; use beginner, intermediate, expert or WIDTHxHEIGHTxMINES such as 30x16x99"
    )]
    Level(String),
}
