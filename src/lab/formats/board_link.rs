//! Links that carry a board with its mines laid, such as `https://llamasweeper.com/#/game/zini-explorer?b=3&m=...`.
//!
//! `b` is the size: 1 is 9x9, 2 is 16x16, 3 is 30x16; any other has its columns and rows in as many digits each, such as
//! `2010`. `m` has five cells a digit in base 32 (`0` to `9`, `a` to `v`), row by row, the first of them in the highest bit,
//! 1 for a mine. The form is that of PTTACGfans' ZiNi calculator; JSMinesweeper by David N. Hill (`main.js`,
//! `interpretBMParms`) and LlamaSweeper read and write it too.

use super::{FormatError, LaidBoard};
use crate::board::{FirstClick, Pos, Rules};

/// Whether a text has such a link in it.
pub fn is_one(text: &str) -> bool {
    parameter(text, "b").is_some() && parameter(text, "m").is_some()
}

/// The value of a parameter of the link in `text`.
pub(super) fn parameter<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (_, query) = text.trim().split_once('?')?;
    query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// Reads the board in a link.
///
/// # Errors
/// When there can be no such board, or the link has another number of cells.
///
/// # Examples
/// ```
/// use minescraper::lab::formats::board_link;
///
/// let link = "https://pttacgfans.github.io/Minesweeper-ZiNi-Calculator/?b=1&m=o020000800142g060";
/// let board = board_link::read(link).unwrap();
/// assert_eq!((board.cols, board.rows, board.mines.len()), (9, 9, 10));
/// assert_eq!(board_link::query(&board), "?b=1&m=o020000800142g060");
/// ```
pub fn read(text: &str) -> Result<LaidBoard, FormatError> {
    let size = parameter(text, "b").unwrap_or_default();
    let (cols, rows) = match size {
        "1" => (9, 9),
        "2" => (16, 16),
        "3" => (30, 16),
        other => two_sides(other).ok_or_else(|| FormatError::Part {
            part: "size",
            found: other.to_owned(),
            expected: "b is 1, 2, 3, or columns and rows in as many digits each",
        })?,
    };
    let rules = Rules::new(cols, rows, 0, FirstClick::Any)?;
    let cells = usize::from(rules.cols) * usize::from(rules.rows);
    let digits = parameter(text, "m").unwrap_or_default();
    if digits.chars().count() < cells.div_ceil(5) {
        return Err(FormatError::CutOff("cells"));
    }
    let mut mines = Vec::new();
    for (nth, digit) in digits.chars().enumerate() {
        let five = digit.to_digit(32).filter(|_| nth < cells.div_ceil(5));
        let five = five.ok_or_else(|| FormatError::Part {
            part: "list of cells",
            found: digits.to_owned(),
            expected: "m has a digit from 0 to v for every five cells",
        })?;
        let set = (0..5).filter(|bit| five & (16 >> bit) != 0).map(|bit| 5 * nth + bit);
        // The last digit may have more bits than there are cells.
        let set = set.filter(|&index| index < cells);
        let place = |index: usize| {
            Pos::new((index % usize::from(cols)) as u16, (index / usize::from(cols)) as u16)
        };
        mines.extend(set.map(place));
    }
    LaidBoard::new(cols, rows, mines)
}

/// Columns and rows, in as many digits each.
fn two_sides(digits: &str) -> Option<(u16, u16)> {
    let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
    let (cols, rows) = is_number.then(|| digits.split_at(digits.len() / 2))?;
    (cols.len() == rows.len()).then_some((cols.parse().ok()?, rows.parse().ok()?))
}

/// The query that carries the board, to be put behind the address of a program that reads it. It does not keep the first
/// click.
pub fn query(board: &LaidBoard) -> String {
    let LaidBoard { cols, rows, mines, .. } = board;
    let size = match (cols, rows) {
        (9, 9) => "1".to_owned(),
        (16, 16) => "2".to_owned(),
        (30, 16) => "3".to_owned(),
        _ => {
            let digits = cols.max(rows).to_string().len();
            format!("{cols:0digits$}{rows:0digits$}")
        }
    };
    let mut fives = vec![0; (usize::from(*cols) * usize::from(*rows)).div_ceil(5)];
    for mine in mines {
        let index = usize::from(mine.row) * usize::from(*cols) + usize::from(mine.col);
        fives[index / 5] |= 16 >> (index % 5);
    }
    let digits = fives.into_iter().filter_map(|five| char::from_digit(five, 32));
    format!("?b={size}&m={}", digits.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_of_any_size_comes_back() {
        for (cols, rows, digits) in [(9, 9, "1"), (12, 7, "1207"), (100, 3, "100003"), (1, 2, "12")]
        {
            let mines = (0..cols.min(rows)).map(|nth| Pos::new(nth, nth)).collect();
            let board = LaidBoard::new(cols, rows, mines).unwrap();
            let query = query(&board);
            assert!(query.starts_with(&format!("?b={digits}&m=")), "{query}");
            assert_eq!(read(&query).unwrap(), board);
        }
    }

    #[test]
    fn what_carries_no_board_is_refused() {
        for (query, why) in [
            ("?b=9x9&m=0", "its size is '9x9'"),
            ("?b=123&m=0", "its size is '123'"),
            ("?b=&m=0", "its size is ''"),
            ("?b=0000&m=", "cannot have 0x0 cells"),
            ("?b=1&m=o02000080014g060", "it ends within its cells"),
            ("?b=1&m=o020000800142g06w", "its list of cells"),
            ("?b=1&m=o020000800142g0600", "its list of cells"),
            ("?b=0202&m=u", "4 mines do not fit"),
        ] {
            let error = read(query).unwrap_err();
            assert!(error.to_string().contains(why), "{query}: {error}");
        }
    }
}
