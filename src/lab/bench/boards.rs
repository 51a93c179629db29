//! Files of boards, so that several programs can play the same ones.
//!
//! A line is `W H M x0 y0 : i1 .. iM`: width, height, number of mines, column and row of the first
//! click, then the mines as `y * W + x` in ascending order. Empty lines mean nothing.

use std::fmt;

use super::Fingerprint;
use crate::board::{Board, FirstClick, ImpossibleRules, Pos, Rules};
use crate::lab::minefield::{ImpossibleLayout, Minefield, Options};

/// A board with its mines laid and its first click chosen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaidBoard {
    /// Columns.
    pub cols: u16,
    /// Rows.
    pub rows: u16,
    /// The first click.
    pub first: Pos,
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
}

/// Parses a file of boards.
///
/// # Errors
/// At the first line that is no board; the error names it and says why.
///
/// # Examples
/// ```
/// let boards = minescraper::lab::bench::boards::parse("4 1 1 0 0 : 3\n").unwrap();
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
    let &[cols, rows, count, x, y] = head.as_slice() else {
        return Err(Fault::Head(head.len()));
    };
    let side = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
    let rules = Rules::new(side(cols), side(rows), count, FirstClick::Any)?;
    let board = Board::new(rules.cols, rules.rows);
    let first = Pos::new(side(x), side(y));
    if !board.contains(first) {
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
        write!(f, "{cols} {rows} {} {} {} :", mines.len(), first.col, first.row)?;
        let index = |pos: &Pos| usize::from(pos.row) * usize::from(*cols) + usize::from(pos.col);
        mines.iter().try_for_each(|mine| write!(f, " {}", index(mine)))
    }
}

/// A number that says which boards these are.
pub fn fingerprint(boards: &[LaidBoard]) -> Fingerprint {
    let mut all = Fingerprint::default();
    for LaidBoard { cols, rows, first, mines } in boards {
        let cells = [Pos::new(*cols, *rows), *first].into_iter().chain(mines.iter().copied());
        all.absorb(mines.len() as u64);
        cells.for_each(|pos| all.absorb(u64::from(pos.row) << 16 | u64::from(pos.col)));
    }
    all
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
    /// Not five numbers before the colon.
    #[error(
        "{0} numbers before the ':' instead of 5: width, height, mines, and x and y of the first click"
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

    #[test]
    fn other_boards_have_another_fingerprint() {
        let of = |text| fingerprint(&parse(text).unwrap());
        let texts = ["", "2 2 0 0 0 :", "2 2 0 1 0 :", "2 2 1 0 0 : 0", "4 1 1 0 0 : 0"];
        for (nth, text) in texts.iter().enumerate() {
            assert!(texts[..nth].iter().all(|other| of(other) != of(text)), "{text}");
        }
    }
}
