//! Positions of JSMinesweeper, the solver in the browser by David N. Hill: the files that it saves (`.mine`), and the links
//! to its analyser.
//!
//! A file has `WIDTHxHEIGHTxMINES` in its first line, then a line for each row: `H` a covered cell, `F` a flag, a number,
//! `?` (or `M`) a mine that shows. A link has the same in its parameter `analysis`: two letters each for width and height,
//! four for the mines, in base 62, then the cells, row by row, as runs of like ones. Two kinds are added there, and the
//! numbers in it are less by what is known: `I` is a covered cell and `F` a flag that each of the numbers around has been
//! lowered for; `O` is a flag that none has. All that is as `Board.js` (`getPositionData`, `getSimpleCompressedData`,
//! `Compressor`) and `main.js` (`newBoardFromString`) have it.

use super::FormatError;
use super::board_link::parameter;
use crate::board::{Board, Cell, FirstClick, MineCount, Pos, Rules};

/// The address of the analyser.
const ADDRESS: &str = "https://davidnhill.github.io/JSMinesweeper/index.html";
/// The digits of a link, from 0.
const BASE62: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/// The kinds of cells in a link, and how many digits each has: the digits of [`BASE62`] are dealt to them in this order.
const KINDS: [(char, u32); 13] = [
    ('0', 10),
    ('1', 7),
    ('2', 5),
    ('3', 5),
    ('4', 4),
    ('5', 3),
    ('6', 3),
    ('7', 1),
    ('8', 1),
    ('I', 4),
    ('H', 10),
    ('F', 8),
    ('O', 1),
];

/// Whether this is the text of a saved position.
pub fn is_position(text: &str) -> bool {
    text.lines().next().is_some_and(|line| size(line).is_some())
}

/// Whether this is a link to the analyser.
pub fn is_link(text: &str) -> bool {
    parameter(text, "analysis").is_some()
}

/// Width, height and mines as the first line of a file says them.
fn size(line: &str) -> Option<[u32; 3]> {
    let sides: Option<Vec<u32>> = line.trim().split('x').map(|side| side.parse().ok()).collect();
    sides?.try_into().ok()
}

/// Reads the position in a file or a link.
///
/// # Errors
/// When it is neither, or there can be no such board.
pub fn read(text: &str) -> Result<Board, FormatError> {
    match parameter(text, "analysis") {
        Some(analysis) => read_link(analysis),
        None => read_position(text),
    }
}

fn read_position(text: &str) -> Result<Board, FormatError> {
    let mut lines = text.lines();
    let size = lines.next().and_then(size).ok_or(FormatError::CutOff("first line"))?;
    let mut board = fresh(size)?;
    for (row, number) in (0..board.rows()).zip(2..) {
        let line = lines.next().ok_or(FormatError::CutOff("rows"))?.trim_end();
        let cells = line.chars().count();
        if cells != usize::from(board.cols()) {
            let why = format!("it has {cells} cells where the board has {} columns", board.cols());
            return Err(FormatError::Line { line: number, why });
        }
        for (col, symbol) in (0..board.cols()).zip(line.chars()) {
            let cell = match symbol {
                'H' => Cell::Covered,
                'F' => Cell::Flagged,
                '?' | 'M' => Cell::Mine,
                other => {
                    other.to_digit(9).map(|digit| Cell::open(digit as u8)).ok_or_else(|| {
                        let why = format!("'{symbol}' is no cell; cells are H F ? M and 0 to 8");
                        FormatError::Line { line: number, why }
                    })?
                }
            };
            board[Pos::new(col, row)] = cell;
        }
    }
    if lines.any(|line| !line.trim().is_empty()) {
        let (line, why) = (usize::from(board.rows()) + 2, "there are more rows than stated");
        return Err(FormatError::Line { line, why: why.to_owned() });
    }
    Ok(board)
}

/// A covered board.
fn fresh([cols, rows, mines]: [u32; 3]) -> Result<Board, FormatError> {
    let side = |side: u32| u16::try_from(side).unwrap_or(u16::MAX);
    let rules = Rules::new(side(cols), side(rows), mines, FirstClick::Any)?;
    let mut board = Board::new(rules.cols, rules.rows);
    board.mines = MineCount::Given(mines);
    Ok(board)
}

fn read_link(analysis: &str) -> Result<Board, FormatError> {
    let mut digits = Vec::new();
    for letter in analysis.chars() {
        let digit = BASE62.find(letter).ok_or_else(|| FormatError::Part {
            part: "position",
            found: letter.to_string(),
            expected: "it is of letters and digits alone",
        })?;
        digits.push(digit as u32);
    }
    let Some((head, runs)) = digits.split_first_chunk::<8>() else {
        return Err(FormatError::CutOff("size and number of mines"));
    };
    let number = |digits: &[u32]| digits.iter().fold(0, |sum, digit| 62 * sum + digit);
    let mut board = fresh([number(&head[..2]), number(&head[2..4]), number(&head[4..])])?;
    let kinds = unrolled(runs, board.cells().len())?;
    // What a number is less by, each of these around it adds again.
    let lowers = |kind: char| kind == 'I' || kind == 'F';
    for (pos, &kind) in board.positions().zip(&kinds) {
        let lowered = board.neighbours(pos).filter(|&near| lowers(kinds[board.index(near)]));
        board[pos] = match kind {
            'H' | 'I' => Cell::Covered,
            'F' | 'O' => Cell::Flagged,
            number => {
                let mines = number.to_digit(9).unwrap_or_default() as usize + lowered.count();
                Cell::open(u8::try_from(mines).ok().filter(|&mines| mines <= 8).ok_or_else(
                    || FormatError::Part {
                        part: "position",
                        found: format!("{mines} at {pos}"),
                        expected: "a cell touches at most 8 mines",
                    },
                )?)
            }
        };
    }
    Ok(board)
}

/// The kinds of `cells` cells that these runs of digits make. The digits of a run make its length.
fn unrolled(digits: &[u32], cells: usize) -> Result<Vec<char>, FormatError> {
    let too_many = || FormatError::Part {
        part: "position",
        found: "too long".to_owned(),
        expected: "it has as many cells as its board",
    };
    let mut kinds = Vec::with_capacity(cells);
    for run in digits.chunk_by(|&one, &other| kind_of(one).0 == kind_of(other).0) {
        let (kind, base, _) = kind_of(run[0]);
        let mut length = 0_usize;
        for &digit in run {
            let value = kind_of(digit).2 as usize;
            // Where there is one digit, each stands for a cell.
            length = if base == 1 { length + 1 } else { length * base as usize + value };
            if length > cells - kinds.len() {
                return Err(too_many());
            }
        }
        kinds.extend(std::iter::repeat_n(kind, length));
    }
    if kinds.len() < cells { Err(FormatError::CutOff("cells")) } else { Ok(kinds) }
}

/// The kind that a digit stands for, how many digits that has, and which of them it is.
fn kind_of(digit: u32) -> (char, u32, u32) {
    let mut start = 0;
    for (kind, base) in KINDS {
        if digit < start + base {
            return (kind, base, digit - start);
        }
        start += base;
    }
    // There are 62 digits and as many places; no digit comes here.
    ('O', 1, 0)
}

/// The link to the analyser with this position.
///
/// # Errors
/// When there is a cell that it has no sign for, such as one that could not be read, or the number of mines is not known.
pub fn link(board: &Board) -> Result<String, FormatError> {
    let mines = board.mines.likely().ok_or(FormatError::Part {
        part: "number of mines",
        found: "unknown".to_owned(),
        expected: "a link needs it: say it with --mines",
    })?;
    let mut lowered: Vec<Option<u8>> = board.cells().iter().map(|cell| cell.number()).collect();
    let mut kinds = Vec::with_capacity(board.cells().len());
    for (pos, cell) in board.iter() {
        kinds.push(match cell {
            Cell::Covered | Cell::Questioned => 'H',
            Cell::Flagged => {
                let around: Vec<usize> =
                    board.neighbours(pos).map(|near| board.index(near)).collect();
                if around.iter().any(|&near| lowered[near] == Some(0)) {
                    'O'
                } else {
                    around
                        .into_iter()
                        .for_each(|near| lowered[near] = lowered[near].map(|number| number - 1));
                    'F'
                }
            }
            // Its own number comes last, when all flags have been gone through.
            Cell::Open(_) => '0',
            other => return Err(FormatError::Inexpressible { pos, symbol: other.symbol() }),
        });
    }
    for (kind, number) in kinds.iter_mut().zip(lowered) {
        *kind = number.map_or(*kind, |number| (b'0' + number) as char);
    }
    let mut analysis: Vec<u32> = Vec::new();
    let head = [(board.cols().into(), 2), (board.rows().into(), 2), (mines, 4)];
    for (number, places) in head {
        analysis.extend((0..places).rev().map(|place| number / 62_u32.pow(place) % 62));
    }
    for run in kinds.chunk_by(|one, other| one == other) {
        let start: u32 =
            KINDS.iter().take_while(|(kind, _)| *kind != run[0]).map(|kind| kind.1).sum();
        let base = KINDS.iter().find(|(kind, _)| *kind == run[0]).map_or(1, |kind| kind.1);
        analysis.extend(length_in(base, run.len() as u32).into_iter().map(|digit| start + digit));
    }
    let letters: String =
        analysis.iter().filter_map(|&digit| BASE62.chars().nth(digit as usize)).collect();
    Ok(format!("{ADDRESS}?analysis={letters}"))
}

/// A length in digits of this base; in base 1 as many zeros.
fn length_in(base: u32, mut length: u32) -> Vec<u32> {
    if base == 1 {
        return vec![0; length as usize];
    }
    let mut digits = Vec::new();
    while length > 0 {
        digits.push(length % base);
        length /= base;
    }
    digits.reverse();
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions with each kind of cell: flags that are right and wrong, beside each other and at the edge.
    const SOME: [&str; 4] = [
        "minescraper 9x3 mines=10\n####1001#\nF22210011\n#1F100F00\n",
        "minescraper 3x3 mines=8\nFFF\nF8F\nFF#\n",
        "minescraper 30x1 mines=3\nF10000000000000000000000001##1\n",
        "minescraper 2x2 mines=0\n00\n00\n",
    ];

    #[test]
    fn a_position_comes_back_from_its_link() {
        for text in SOME {
            let board: Board = text.parse().unwrap();
            let link = link(&board).unwrap();
            assert!(link.starts_with(ADDRESS), "{link}");
            assert_eq!(read(&link).unwrap(), board, "{link}");
        }
    }

    #[test]
    fn a_link_is_as_the_analyser_makes_it() {
        // By hand: 9x9x10 is `aj`, `aj`, `aaak`; all covered is 81 times `H`, of which the digits are `R` to `Z` and `0`.
        let mut board = Board::new(9, 9);
        board.mines = MineCount::Given(10);
        assert_eq!(link(&board).unwrap(), format!("{ADDRESS}?analysis=ajajaaakZS"));
        // A flag is what the number beside it is lowered for, unless that is 0 already.
        let board: Board = "minescraper 3x1 mines=1\nF1#\n".parse().unwrap();
        assert_eq!(link(&board).unwrap(), format!("{ADDRESS}?analysis=adabaaab2bS"));
        let board: Board = "minescraper 3x1 mines=1\nF0#\n".parse().unwrap();
        assert_eq!(link(&board).unwrap(), format!("{ADDRESS}?analysis=adabaaab9bS"));
        let hidden =
            read("https://davidnhill.github.io/JSMinesweeper/?analysis=adabaaabObS").unwrap();
        assert_eq!(hidden, "minescraper 3x1 mines=1\n#1#\n".parse().unwrap());
    }

    #[test]
    fn a_saved_position_is_read() {
        let board = read("3x2x2\r\nHF1\r\n?20\r\n").unwrap();
        assert_eq!(board, "minescraper 3x2 mines=2\n#F1\n*20\n".parse().unwrap());
    }

    #[test]
    fn what_is_no_position_is_refused_with_its_place() {
        for (text, why) in [
            ("3x2x2\nHF1\n", "it ends within its rows"),
            ("3x2x2\nHF1\nH2", "line 3: it has 2 cells where the board has 3"),
            ("3x2x2\nHF1\nH29", "line 3: '9' is no cell"),
            ("3x1x2\nHF1\nH29", "line 3: there are more rows"),
            ("3x2x6\nHHH\nHHH\n", "6 mines do not fit"),
            ("9999x2x6\n", "9999x2 cells"),
            ("?analysis=", "it ends within its size"),
            ("?analysis=ajajaaa", "it ends within its size"),
            ("?analysis=ajajaaak", "it ends within its cells"),
            ("?analysis=ajajaaakZ", "it ends within its cells"),
            ("?analysis=ajajaaakZT", "too long"),
            ("?analysis=ajajaaakZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZZ", "too long"),
            ("?analysis=aj-jaaakZS", "its position is '-'"),
            ("?analysis=zzzzaaakZS", "cells"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.to_string().contains(why), "{text}: {error}");
        }
        let unclear: Board = "minescraper 2x1 mines=1\n#~\n".parse().unwrap();
        assert!(link(&unclear).unwrap_err().to_string().contains("no sign for the '~' at (1, 0)"));
        let unknown: Board = "##".parse().unwrap();
        assert!(link(&unknown).unwrap_err().to_string().contains("--mines"));
    }
}
