//! What one square shows.

/// How many mines touch an opened cell: 0 to 8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Count(u8);

impl Count {
    /// A count of `mines`.
    ///
    /// # Panics
    /// When `mines` is more than 8; [`Count::try_from`] returns an error instead.
    #[track_caller]
    pub const fn new(mines: u8) -> Self {
        assert!(mines <= 8, "a cell has at most 8 neighbours");
        Self(mines)
    }

    /// The count as a number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl TryFrom<u8> for Count {
    type Error = CountTooLarge;

    fn try_from(mines: u8) -> Result<Self, CountTooLarge> {
        if mines <= 8 { Ok(Self(mines)) } else { Err(CountTooLarge(mines)) }
    }
}

/// A count of mines around a cell that no cell can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a cell cannot touch {0} mines: it has at most 8 neighbours")]
pub struct CountTooLarge(pub u8);

/// What one square shows. Says nothing about where the mines are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cell {
    /// Not opened, not marked.
    Covered,
    /// Marked with a flag: somebody's claim, not a proof.
    Flagged,
    /// Marked with a question mark.
    Questioned,
    /// Open, with this many mines around it.
    Open(Count),
    /// Open, with a number that nobody knows yet: no mine, and no other evidence.
    Opened,
    /// A mine shown when the game is over.
    Mine,
    /// The mine that ended the game.
    Burst,
    /// A flag shown to be wrong when the game is over.
    WrongFlag,
    /// Could not be read; no evidence, never clicked.
    Unclear,
}

impl Cell {
    /// An opened cell that touches `mines` mines.
    ///
    /// # Panics
    /// When `mines` is more than 8.
    #[track_caller]
    pub const fn open(mines: u8) -> Self {
        Cell::Open(Count::new(mines))
    }

    /// The number an opened cell shows.
    pub const fn number(self) -> Option<u8> {
        match self {
            Cell::Open(count) => Some(count.get()),
            _ => None,
        }
    }

    /// Whether the cell is still to be opened, whatever mark it carries: covered, flagged or
    /// questioned.
    pub const fn is_unopened(self) -> bool {
        matches!(self, Cell::Covered | Cell::Flagged | Cell::Questioned)
    }

    /// Whether the cell shows a mine or a wrong flag, as cells do only when a game is over.
    pub const fn is_end(self) -> bool {
        matches!(self, Cell::Mine | Cell::Burst | Cell::WrongFlag)
    }

    /// The character that stands for the cell in the text form of a board.
    pub const fn symbol(self) -> char {
        match self {
            Cell::Covered => '#',
            Cell::Flagged => 'F',
            Cell::Questioned => '?',
            Cell::Open(count) => (b'0' + count.get()) as char,
            Cell::Opened => 'o',
            Cell::Mine => '*',
            Cell::Burst => 'X',
            Cell::WrongFlag => '!',
            Cell::Unclear => '~',
        }
    }

    /// The cell that `symbol` stands for in the text form of a board.
    pub const fn from_symbol(symbol: char) -> Option<Self> {
        Some(match symbol {
            '#' => Cell::Covered,
            'F' => Cell::Flagged,
            '?' => Cell::Questioned,
            '0'..='8' => Cell::open(symbol as u8 - b'0'),
            'o' => Cell::Opened,
            '*' => Cell::Mine,
            'X' => Cell::Burst,
            '!' => Cell::WrongFlag,
            '~' => Cell::Unclear,
            _ => return None,
        })
    }
}
