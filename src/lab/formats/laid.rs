//! Boards with their mines laid, and their text form, in which several programs can play the same ones.
//!
//! A line is `W H M x0 y0 : i1 .. iM`: width, height, number of mines, column and row of the first
//! click, then the mines as `y * W + x` in ascending order. Without `x0 y0` whoever plays chooses the first click. Empty
//! lines mean nothing.

use std::fmt;

use super::FormatError;
use crate::board::{Board, Cell, FirstClick, ImpossibleRules, Pos, Rules};
use crate::lab::minefield::{ImpossibleLayout, Minefield, Options};

/// A board with its mines laid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaidBoard {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// The first click, if it is chosen.
    pub first: Option<Pos>,
    /// The mines, row by row.
    pub mines: Vec<Pos>,
}

impl LaidBoard {
    /// The game with this board, with nothing opened.
    ///
    /// # Errors
    /// When there can be no such board, which [`parse`] refuses.
    pub fn field(&self) -> Result<Minefield, ImpossibleLayout> {
        Minefield::with_mines(self.cols, self.rows, self.mines.iter().copied(), Options::default())
    }

    /// A board of so many columns and rows with these mines, in any order, and without a first click.
    ///
    /// # Errors
    /// When there is no such board, or a mine is off it or named twice.
    pub(super) fn new(cols: u16, rows: u16, mut mines: Vec<Pos>) -> Result<Self, FormatError> {
        let laid = u32::try_from(mines.len()).unwrap_or(u32::MAX);
        let rules = Rules::new(cols, rows, laid, FirstClick::Any)?;
        mines.sort_unstable_by_key(|mine| (mine.row, mine.col));
        if let Some(twice) = mines.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(FormatError::Twice(twice[0]));
        }
        let off = |mine: &&Pos| mine.col >= rules.cols || mine.row >= rules.rows;
        if let Some(&pos) = mines.iter().find(off) {
            return Err(ImpossibleLayout::OffBoard { pos, cols, rows }.into());
        }
        Ok(Self { cols, rows, first: None, mines })
    }

    /// The board whose finished game looks like this: won, where no mine shows, so that all that is not open is one;
    /// else lost, so that the mines that show and the flags are.
    ///
    /// # Errors
    /// When the numbers or the count say that the mines lie otherwise: the game is not over, or it does not show them all.
    pub fn of_finished(board: &Board) -> Result<Self, FormatError> {
        let shows = |cell: Cell| matches!(cell, Cell::Mine | Cell::Burst);
        let is_lost = board.cells().iter().any(|&cell| cell.is_end());
        let is_mine =
            |cell: Cell| shows(cell) || cell == Cell::Flagged || !is_lost && cell.is_unopened();
        let mines = board.iter().filter(|&(_, cell)| is_mine(cell)).map(|(pos, _)| pos).collect();
        let laid = Self::new(board.cols(), board.rows(), mines)?;
        let other = laid.opened().iter().zip(board.cells()).find_map(|((pos, truth), &shown)| {
            let differs = shown.number().is_some() && shown != truth;
            (differs || matches!(shown, Cell::Unclear | Cell::Opened)).then_some(pos)
        });
        if let Some(pos) = other {
            return Err(FormatError::Unfinished(pos));
        }
        match board.mines.known().map(|mines| mines as usize) {
            Some(stated) if stated != laid.mines.len() => {
                Err(FormatError::Hidden { stated, shown: laid.mines.len() })
            }
            _ => Ok(laid),
        }
    }

    /// The board with every cell open that has no mine.
    ///
    /// # Panics
    /// When there can be no such board.
    pub fn opened(&self) -> Board {
        let mut board = Board::new(self.cols, self.rows);
        let mut around = vec![0; board.cells().len()];
        for &mine in &self.mines {
            board.neighbours(mine).for_each(|near| around[board.index(near)] += 1);
        }
        board.positions().zip(around).for_each(|(pos, mines)| board[pos] = Cell::open(mines));
        self.mines.iter().for_each(|&mine| board[mine] = Cell::Mine);
        board
    }
}

/// Parses a file of boards.
///
/// # Errors
/// At the first line that is no board; the error names it and says why.
///
/// # Examples
/// ```
/// let boards = minescraper::lab::formats::laid::parse("4 1 1 0 0 : 3\n").unwrap();
/// assert_eq!(boards[0].mines, [minescraper::board::Pos::new(3, 0)]);
/// assert_eq!(boards[0].to_string(), "4 1 1 0 0 : 3");
/// ```
pub fn parse(text: &str) -> Result<Vec<LaidBoard>, BoardsError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            parse_line(line).map_err(|fault| BoardsError { line: index + 1, fault })
        })
        .collect()
}

fn parse_line(line: &str) -> Result<LaidBoard, Fault> {
    let (head, mines) = line.split_once(':').ok_or(Fault::Colon)?;
    let number = |word: &str| word.parse::<u32>().map_err(|_| Fault::Number(word.to_owned()));
    let head = head.split_whitespace().map(number).collect::<Result<Vec<_>, _>>()?;
    let side = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
    let (cols, rows, count, first) = match head[..] {
        [cols, rows, count] => (cols, rows, count, None),
        [cols, rows, count, x, y] => (cols, rows, count, Some(Pos::new(side(x), side(y)))),
        _ => return Err(Fault::Head(head.len())),
    };
    let rules = Rules::new(side(cols), side(rows), count, FirstClick::Any)?;
    let board = Board::new(rules.cols, rules.rows);
    if let Some(first) = first.filter(|&first| !board.contains(first)) {
        return Err(Fault::FirstClick(first));
    }
    let mut laid = LaidBoard { cols: rules.cols, rows: rules.rows, first, mines: Vec::new() };
    let mut least = 0;
    for word in mines.split_whitespace() {
        let index = number(word)?;
        if index >= cols * rows {
            return Err(Fault::OffBoard { index, cells: cols * rows });
        }
        if index < least {
            return Err(Fault::Order(index));
        }
        least = index + 1;
        laid.mines.push(board.pos(index as usize));
    }
    if laid.mines.len() != count as usize {
        return Err(Fault::Count { stated: count, listed: laid.mines.len() });
    }
    Ok(laid)
}

impl fmt::Display for LaidBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cols, rows, first, mines } = self;
        write!(f, "{cols} {rows} {}", mines.len())?;
        if let Some(first) = first {
            write!(f, " {} {}", first.col, first.row)?;
        }
        write!(f, " :")?;
        let index = |pos: &Pos| usize::from(pos.row) * usize::from(*cols) + usize::from(pos.col);
        mines.iter().try_for_each(|mine| write!(f, " {}", index(mine)))
    }
}

/// A line that is no board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct BoardsError {
    /// Line of the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a line of a file of boards.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// No colon.
    #[error("there is no ':'; a board is 'width height mines x y : mine mine ...'")]
    Colon,
    /// Neither three nor five numbers before the colon.
    #[error(
        "{0} numbers before the ':' instead of 5: width, height, mines, and x and y of the first click (or 3, without it)"
    )]
    Head(usize),
    /// Not a number.
    #[error("'{0}' is no number that a board can have")]
    Number(String),
    /// There is no board of that size.
    #[error(transparent)]
    Rules(#[from] ImpossibleRules),
    /// A first click beside the board.
    #[error("the first click {0} is off the board; columns and rows count from 0")]
    FirstClick(Pos),
    /// A mine beside the board.
    #[error("the mine {index} is off the board of {cells} cells; cells count from 0")]
    OffBoard {
        /// The mine.
        index: u32,
        /// Cells of the board.
        cells: u32,
    },
    /// A mine that is not behind the one before it.
    #[error("the mine {0} is named twice or out of order; mines ascend")]
    Order(u32),
    /// Another number of mines than stated.
    #[error("{listed} mines are listed where {stated} are stated")]
    Count {
        /// Mines before the colon.
        stated: u32,
        /// Mines behind it.
        listed: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_board_is_refused_with_its_line() {
        for (text, line, why) in [
            ("9 9 1 0 0 5\n", 1, "no ':'"),
            ("9 9 1 0 0 : 5\n\n9 9 1 0 : 5", 3, "4 numbers before"),
            ("9 9 one 0 0 : 5", 1, "'one' is no number"),
            ("9 9 -1 0 0 : 5", 1, "'-1' is no number"),
            ("0 9 0 0 0 :", 1, "cannot have 0x9 cells"),
            ("70000 9 0 0 0 :", 1, "at most 480x270"),
            ("3 3 9 0 0 :", 1, "9 mines do not fit"),
            ("3 3 1 3 0 : 5", 1, "(3, 0) is off the board"),
            ("3 3 1 0 0 : 9", 1, "mine 9 is off the board of 9 cells"),
            ("3 3 2 0 0 : 5 5", 1, "5 is named twice"),
            ("3 3 2 0 0 : 5 4", 1, "4 is named twice or out of order"),
            ("3 3 2 0 0 : 5", 1, "1 mines are listed where 2 are stated"),
            ("3 3 1 0 0 : 5.", 1, "'5.' is no number"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!(error.line, line, "{text}: {error}");
            assert!(error.to_string().contains(why), "{text}: {error}");
        }
    }
}
