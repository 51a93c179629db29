//! Boards and replays as files of other programs have them.
//!
//! A [`LaidBoard`] says where the mines are; [`boards`] reads those of a file of any form, told by its content, never by
//! its name. A [`Replay`] is a laid board with what somebody did with the mouse. A [position](position()) is a board as a
//! player sees it.
//!
//! What is public about each form, and who published it, is at the head of its file: [`laid`] is our own, [`mbf`] and
//! [`avf`] are Arbiter's, [`rawvf`] is of all who keep replays, [`board_link`] and [`jsminesweeper`] are of solvers in
//! the browser.

pub mod avf;
pub mod board_link;
mod error;
pub mod jsminesweeper;
pub mod laid;
pub mod mbf;
pub mod rawvf;
mod replay;

pub use error::FormatError;
pub use laid::LaidBoard;
pub use replay::{Event, Mouse, Replay};

use crate::board::Board;

/// The boards of which this is the content: an mbf board, an avf or rawvf replay, a link to a board, a board of a finished
/// game as text or as JSMinesweeper saves it, or the [text of laid boards](laid).
///
/// # Errors
/// When it is none of these, or one that is broken; the error says where. A text without a board has none.
///
/// # Examples
/// ```
/// let mbf = [3, 1, 0, 1, 2, 0];
/// let link = b"https://llamasweeper.com/#/game/zini-explorer?b=0301&m=4";
/// let finished = b"minescraper 3x1 mines=1\n01#\n";
/// for content in [&mbf[..], &link[..], &finished[..], b"3 1 1 : 2"] {
///     let boards = minescraper::lab::formats::boards(content).unwrap();
///     assert_eq!(boards[0].to_string(), "3 1 1 : 2");
/// }
/// ```
pub fn boards(content: &[u8]) -> Result<Vec<LaidBoard>, FormatError> {
    let Some(text) = as_text(content) else {
        return Ok(vec![binary(content)?]);
    };
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let one = if board_link::is_one(text) {
        board_link::read(text)?
    } else if rawvf::is_one(text) {
        rawvf::read(text)?.board
    } else if jsminesweeper::is_position(text) || jsminesweeper::is_link(text) {
        LaidBoard::of_finished(&jsminesweeper::read(text)?)?
    } else if !first.is_empty() && !first.contains(':') {
        LaidBoard::of_finished(&text.parse()?)?
    } else {
        return Ok(laid::parse(text)?);
    };
    Ok(vec![one])
}

/// The position, as a player sees it, of which this is the text: [our own](crate::board::text), a position that JSMinesweeper saved, or a
/// link to one.
///
/// # Errors
/// When it is none of these.
pub fn position(text: &str) -> Result<Board, FormatError> {
    if jsminesweeper::is_position(text) || jsminesweeper::is_link(text) {
        jsminesweeper::read(text)
    } else if board_link::is_one(text) || rawvf::is_one(text) {
        Err(FormatError::Laid)
    } else {
        Ok(text.parse::<Board>()?)
    }
}

/// The text that this is; `None` where it is of bytes that no text has.
fn as_text(content: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(content).ok()?;
    let is_text = |letter: char| !letter.is_control() || letter.is_whitespace();
    text.chars().all(is_text).then(|| text.trim_start_matches('\u{feff}'))
}

fn binary(content: &[u8]) -> Result<LaidBoard, FormatError> {
    mbf::read(content).or_else(|mbf| match avf::read(content) {
        Ok(replay) => Ok(replay.board),
        Err(avf) => Err(FormatError::Binary { mbf: Box::new(mbf), avf: Box::new(avf) }),
    })
}
