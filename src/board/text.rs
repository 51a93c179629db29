//! The text form of a board: one character a cell, one line a row. Lines may be indented, and may end as any system
//! ends them.
//!
//! A first line `minescraper 30x16 mines=99` is optional. `from=counter` after it says that the count
//! was read from the game, `from=size` that it is only what boards of that size usually have; without
//! it the count was given. `first-click=open` is what the game promises of the first cell that is opened: safe,
//! open or any. Further `key=value` words are notes, kept by [`parse`] for whoever knows
//! them: the label of a screenshot has its `status` there, for one.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::{Board, Cell, FirstClick, MineCount};

/// The words of a header that do not belong to the board itself, by key.
pub type Notes = BTreeMap<String, String>;

/// Parses a board and the notes in its header.
///
/// # Errors
/// When the text is no board; the error says in which line and why.
///
/// # Examples
/// ```
/// let text = "minescraper 3x1 mines=1 status=playing\n#10\n";
/// let (board, notes) = minescraper::board::text::parse(text).unwrap();
/// assert_eq!((board.cols(), board.rows()), (3, 1));
/// assert_eq!(notes["status"], "playing");
/// ```
pub fn parse(text: &str) -> Result<(Board, Notes), ParseBoardError> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim_end()))
        .filter(|(_, line)| !line.is_empty())
        .peekable();
    let header = match lines.next_if(|(_, line)| line.trim_start().starts_with("minescraper")) {
        Some((_, line)) => Some(Header::parse(line)?),
        None => None,
    };

    let mut cells = Vec::new();
    let (mut cols, mut rows) = (0, 0);
    for (number, line) in lines {
        let before = cells.len();
        let indent = |&(_, symbol): &(usize, char)| symbol.is_whitespace();
        for (column, symbol) in line.chars().enumerate().skip_while(indent) {
            match Cell::from_symbol(symbol) {
                Some(cell) => cells.push(cell),
                None if symbol == '.' => return Err(ParseBoardError::Dot { line: number }),
                None => {
                    let column = column + 1;
                    return Err(ParseBoardError::Symbol { symbol, line: number, column });
                }
            }
        }
        let width = cells.len() - before;
        if rows == 0 {
            cols = width;
        } else if width != cols {
            return Err(ParseBoardError::Ragged { line: number, expected: cols, found: width });
        }
        rows += 1;
        if !Board::can_have(cols, rows) {
            return Err(ParseBoardError::TooLarge);
        }
    }
    if cells.is_empty() {
        return Err(ParseBoardError::Empty);
    }

    let mut board =
        Board { cols: cols as u16, cells, mines: MineCount::Unknown, first_click: None };
    let mut notes = Notes::new();
    if let Some(header) = header {
        if header.size != (cols, rows) {
            return Err(ParseBoardError::Size { stated: header.size, found: (cols, rows) });
        }
        if let Some(mines) = header.mines.likely().filter(|&mines| mines as usize > cols * rows) {
            return Err(ParseBoardError::TooManyMines { mines, cells: cols * rows });
        }
        board.mines = header.mines;
        board.first_click = header.first_click;
        notes = header.notes;
    }
    Ok((board, notes))
}

struct Header {
    size: (usize, usize),
    mines: MineCount,
    first_click: Option<FirstClick>,
    notes: Notes,
}

impl Header {
    fn parse(line: &str) -> Result<Self, ParseBoardError> {
        let wrong = |word: &str| ParseBoardError::Header { word: word.to_owned() };
        let mut words = line.split_whitespace().skip(1);
        let size = words.next().unwrap_or_default();
        let (cols, rows) = size.split_once('x').ok_or_else(|| wrong(size))?;
        let side = |side: &str| side.parse::<usize>().map_err(|_| wrong(size));
        let size = (side(cols)?, side(rows)?);

        let mut notes = Notes::new();
        for word in words {
            let (key, value) = word.split_once('=').ok_or_else(|| wrong(word))?;
            if notes.insert(key.to_owned(), value.to_owned()).is_some() {
                return Err(wrong(word));
            }
        }
        let from = notes.remove("from");
        let mines = match notes.remove("mines") {
            None if from.is_some() => return Err(wrong("from")),
            None => MineCount::Unknown,
            Some(text) => {
                let mines = text.parse().map_err(|_| wrong(&format!("mines={text}")))?;
                match from.as_deref() {
                    None => MineCount::Given(mines),
                    Some("counter") => MineCount::Read(mines),
                    Some("size") => MineCount::Assumed(mines),
                    Some(other) => return Err(wrong(&format!("from={other}"))),
                }
            }
        };
        let first_click = match notes.remove("first-click") {
            None => None,
            Some(name) => Some(name.parse().map_err(|_| wrong(&format!("first-click={name}")))?),
        };
        Ok(Self { size, mines, first_click, notes })
    }
}

/// Prints a board with its header and these notes; [`parse`] gives both back.
pub fn print(board: &Board, notes: &Notes) -> String {
    let mut text = format!("minescraper {}x{}", board.cols(), board.rows());
    match board.mines {
        MineCount::Read(mines) => text.push_str(&format!(" mines={mines} from=counter")),
        MineCount::Given(mines) => text.push_str(&format!(" mines={mines}")),
        MineCount::Assumed(mines) => text.push_str(&format!(" mines={mines} from=size")),
        MineCount::Unknown => {}
    }
    if let Some(promise) = board.first_click {
        text.push_str(&format!(" first-click={}", promise.name()));
    }
    for (key, value) in notes {
        text.push_str(&format!(" {key}={value}"));
    }
    text.push('\n');
    for row in rows(board) {
        text.push_str(&row);
        text.push('\n');
    }
    text
}

/// The rows of a board in the text form, without a header.
pub fn rows(board: &Board) -> impl Iterator<Item = String> + '_ {
    board
        .cells
        .chunks(usize::from(board.cols))
        .map(|row| row.iter().map(|cell| cell.symbol()).collect())
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self, &Notes::new()))
    }
}

impl FromStr for Board {
    type Err = ParseBoardError;

    fn from_str(text: &str) -> Result<Self, ParseBoardError> {
        parse(text).map(|(board, _)| board)
    }
}

/// Why a text is no board.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseBoardError {
    /// No row at all.
    #[error("the text has no rows; a board is one character a cell, one line a row")]
    Empty,
    /// A dot, which some programs write for a covered cell and others for an opened blank.
    #[error("line {line} has a '.': write '#' for a covered cell and '0' for an opened blank one")]
    Dot {
        /// Line of the text, from 1.
        line: usize,
    },
    /// A character that stands for no cell.
    #[error(
        "{symbol:?} in line {line}, column {column} is no cell; \
         cells are # F ? 0 to 8 * X ! and ~"
    )]
    Symbol {
        /// The character.
        symbol: char,
        /// Line of the text, from 1.
        line: usize,
        /// Character of the line, from 1.
        column: usize,
    },
    /// A row that is shorter or longer than the first.
    #[error("line {line} has {found} cells where the first row has {expected}")]
    Ragged {
        /// Line of the text, from 1.
        line: usize,
        /// Cells in the first row.
        expected: usize,
        /// Cells in this row.
        found: usize,
    },
    /// More columns or rows than any board has.
    #[error("a board has at most {}x{} cells, or as many the other way round", Board::MOST.0, Board::MOST.1)]
    TooLarge,
    /// A header that cannot be understood.
    #[error(
        "the header has '{word}' where it should read like \
         'minescraper 30x16 mines=99', then notes as key=value"
    )]
    Header {
        /// The word that is wrong.
        word: String,
    },
    /// A header that states another size than the rows have.
    #[error("the header says {}x{}, the rows make {}x{}", .stated.0, .stated.1, .found.0, .found.1)]
    Size {
        /// Columns and rows in the header.
        stated: (usize, usize),
        /// Columns and rows of the text.
        found: (usize, usize),
    },
    /// More mines than cells.
    #[error("{mines} mines do not fit on {cells} cells")]
    TooManyMines {
        /// Mines in the header.
        mines: u32,
        /// Cells on the board.
        cells: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_board_parses_back() {
        for text in [
            "minescraper 4x3 mines=3 from=counter status=lost\n#F?0\n1234\n5678\n",
            "minescraper 4x1 mines=2\n*X!~\n",
            "minescraper 2x2 mines=1 from=size\n##\n##\n",
            "minescraper 1x1\n0\n",
        ] {
            let (board, notes) = parse(text).unwrap();
            assert_eq!(print(&board, &notes), text);
            assert_eq!(board.to_string().parse::<Board>().unwrap(), board);
        }
    }

    #[test]
    fn a_header_is_not_needed() {
        let board: Board = "#1\n11\n".parse().unwrap();
        assert_eq!(board[super::super::Pos::new(1, 0)], Cell::open(1));
        assert_eq!(board.mines, MineCount::Unknown);
    }

    #[test]
    fn an_indented_board_is_the_same_board() {
        let text = "minescraper 3x2 mines=1 status=playing\n#10\n110\n";
        let indented: String = text.lines().map(|line| format!("    {line}\r\n")).collect();
        assert_eq!(parse(&indented).unwrap(), parse(text).unwrap());
        assert_eq!(parse("\t#10\n\t110\n").unwrap(), parse("#10\n110\n").unwrap());
        let error = "    ##\n    #9\n".parse::<Board>().unwrap_err();
        assert_eq!(error, ParseBoardError::Symbol { symbol: '9', line: 2, column: 6 });
        assert!("##\n# #\n".parse::<Board>().is_err(), "a space within a row is no cell");
    }

    #[test]
    fn what_cannot_be_seen_is_named_by_its_number() {
        let error = "##\n\u{200b}##\n".parse::<Board>().unwrap_err();
        assert!(error.to_string().contains("'\\u{200b}' in line 2, column 1"), "{error}");
    }

    #[test]
    fn what_is_no_board_is_refused_with_its_place() {
        use ParseBoardError as E;
        let cases = [
            ("", E::Empty),
            ("minescraper 3x3\n", E::Empty),
            ("##\n#.\n", E::Dot { line: 2 }),
            ("##\n#9\n", E::Symbol { symbol: '9', line: 2, column: 2 }),
            ("##\n###\n", E::Ragged { line: 2, expected: 2, found: 3 }),
            ("minescraper 2x2\n##\n", E::Size { stated: (2, 2), found: (2, 1) }),
            ("minescraper 2x1 mines=3\n##\n", E::TooManyMines { mines: 3, cells: 2 }),
            ("minescraper 2x1 mines\n##\n", E::Header { word: "mines".into() }),
            ("minescraper 2x1 from=size\n##\n", E::Header { word: "from".into() }),
            ("minescraper two\n##\n", E::Header { word: "two".into() }),
        ];
        for (text, error) in cases {
            assert_eq!(text.parse::<Board>().unwrap_err(), error, "{text:?}");
        }
        assert_eq!("#".repeat(1001).parse::<Board>().unwrap_err(), E::TooLarge);
    }
}
