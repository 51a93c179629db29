//! mbf: one board with its mines laid, in bytes.
//!
//! A byte each for columns and rows, two for the number of mines (the higher one first), then two for each mine: its
//! column and its row, from 0. Minesweeper Arbiter and Minesweeper Clone write such files (`.mbf`, `.abf`). The form is
//! as JSMinesweeper by David N. Hill reads and writes it (`Board.js`, `getFormatMBF`), and LlamaSweeper's
//! `load_board_mbf`.

use super::{FormatError, LaidBoard};
use crate::board::Pos;

/// Reads a board.
///
/// # Errors
/// When it is cut off, goes on after its last mine, or there can be no such board.
pub fn read(content: &[u8]) -> Result<LaidBoard, FormatError> {
    let Some((&[cols, rows, high, low], places)) = content.split_first_chunk() else {
        return Err(FormatError::CutOff("size and number of mines"));
    };
    let mines = usize::from(u16::from_be_bytes([high, low]));
    if places.len() < 2 * mines {
        return Err(FormatError::CutOff("mines"));
    }
    if places.len() > 2 * mines {
        return Err(FormatError::TooLong { bytes: content.len(), expected: 4 + 2 * mines });
    }
    let places = places.chunks_exact(2).map(|place| Pos::new(place[0].into(), place[1].into()));
    LaidBoard::new(cols.into(), rows.into(), places.collect())
}

/// Writes a board. It does not keep the first click.
///
/// # Errors
/// When the board has more than 255 columns or rows, or more than 65,535 mines.
pub fn write(board: &LaidBoard) -> Result<Vec<u8>, FormatError> {
    let LaidBoard { cols, rows, mines, .. } = board;
    let too_large = || FormatError::TooLarge {
        cols: *cols,
        rows: *rows,
        most: "an mbf board has at most 255 columns and rows, and 65,535 mines",
    };
    let side = |cells: u16| u8::try_from(cells).map_err(|_| too_large());
    let count = u16::try_from(mines.len()).map_err(|_| too_large())?;
    let mut content = vec![side(*cols)?, side(*rows)?];
    content.extend(count.to_be_bytes());
    for mine in mines {
        content.extend([side(mine.col)?, side(mine.row)?]);
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board of 9x8 with three mines.
    const SOME: &[u8] = &[9, 8, 0, 3, 8, 0, 0, 1, 8, 7];

    #[test]
    fn columns_come_before_rows() {
        let board = read(SOME).unwrap();
        assert_eq!((board.cols, board.rows, board.first), (9, 8, None));
        assert_eq!(board.mines, [Pos::new(8, 0), Pos::new(0, 1), Pos::new(8, 7)]);
        assert_eq!(write(&board).unwrap(), SOME);
    }

    #[test]
    fn the_higher_byte_of_the_number_of_mines_comes_first() {
        let mines: Vec<Pos> = (0..400).map(|nth| Pos::new(nth % 30, nth / 30)).collect();
        let board = LaidBoard::new(30, 20, mines).unwrap();
        let content = write(&board).unwrap();
        assert_eq!(content[..4], [30, 20, 1, 144]);
        assert_eq!(read(&content).unwrap(), board);
    }

    #[test]
    fn what_is_no_board_is_refused() {
        for (content, why) in [
            (&[0, 9, 0, 0][..], "cannot have 0x9 cells"),
            (&[2, 2, 0, 4, 0, 0, 0, 1, 1, 0, 1, 1], "4 mines do not fit"),
            (&[2, 2, 0, 2, 1, 1, 1, 1], "the mine at (1, 1) is named twice"),
            (&[2, 2, 0, 1, 2, 0], "(2, 0) is off the 2x2 board"),
            (&[2, 2, 0, 1, 1, 0, 0], "7 bytes where 6"),
        ] {
            let error = read(content).unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
        }
        for cut in 0..SOME.len() {
            assert!(matches!(read(&SOME[..cut]), Err(FormatError::CutOff(_))), "{cut}");
        }
    }

    #[test]
    fn a_board_that_no_byte_can_hold_is_not_written() {
        let error = write(&LaidBoard::new(256, 2, Vec::new()).unwrap()).unwrap_err();
        assert!(error.to_string().contains("256x2"), "{error}");
    }
}
