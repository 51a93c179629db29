//! Why a file is no board or replay.

use super::laid::BoardsError;
use crate::board::text::ParseBoardError;
use crate::board::{ImpossibleRules, Pos};
use crate::lab::minefield::ImpossibleLayout;

/// Why something is no board or replay of the form that it seems to have, or cannot be written in one.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormatError {
    /// It is no text, and neither of the two forms that are none.
    #[error("it is no text, no mbf board ({mbf}) and no avf replay ({avf})")]
    Binary {
        /// Why it is no mbf board.
        mbf: Box<FormatError>,
        /// Why it is no avf replay.
        avf: Box<FormatError>,
    },
    /// It ends too early.
    #[error("it ends within its {0}")]
    CutOff(&'static str),
    /// It goes on after its end.
    #[error("it goes on after its last mine: it has {bytes} bytes where {expected} make the board")]
    TooLong {
        /// How many bytes it has.
        bytes: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A part of it says nothing that it may say.
    #[error("its {part} is '{found}'; {expected}")]
    Part {
        /// The part.
        part: &'static str,
        /// What it says.
        found: String,
        /// What it may say.
        expected: &'static str,
    },
    /// A line that cannot be understood.
    #[error("line {line}: {why}")]
    Line {
        /// Line of the text, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A mine that is named twice.
    #[error("the mine at {0} is named twice")]
    Twice(Pos),
    /// Another number of mines than it states.
    #[error("it has {found} mines where it states {stated}")]
    Count {
        /// How many it states.
        stated: u32,
        /// How many it has.
        found: usize,
    },
    /// A board of which the game goes on.
    #[error(
        "it does not show where all mines are: a board is known when its game is won, or lost with its mines shown; \
         the first cell that does not agree is {0}"
    )]
    Unfinished(Pos),
    /// A board that hides mines, or of which the game goes on.
    #[error(
        "it does not show where all mines are: it has {stated}, and {shown} cells could be them; a board is known when its \
         game is won, or lost with its mines shown"
    )]
    Hidden {
        /// How many mines there are.
        stated: usize,
        /// How many cells show a mine, or could be one.
        shown: usize,
    },
    /// A board with its mines where a position is wanted.
    #[error(
        "it says where the mines are, which a player does not see; `stats`, `bench` and `demo` take it"
    )]
    Laid,
    /// A board that is too large for the form.
    #[error("a board of {cols}x{rows} cells does not fit: {most}")]
    TooLarge {
        /// Columns.
        cols: u16,
        /// Rows.
        rows: u16,
        /// What does.
        most: &'static str,
    },
    /// A cell that the form cannot express.
    #[error("it has no sign for the '{symbol}' at {pos}")]
    Inexpressible {
        /// The cell.
        pos: Pos,
        /// How the text form shows it.
        symbol: char,
    },
    /// There is no board of that size.
    #[error(transparent)]
    Rules(#[from] ImpossibleRules),
    /// A mine that is not on the board.
    #[error(transparent)]
    Layout(#[from] ImpossibleLayout),
    /// A line of laid boards that is none.
    #[error(transparent)]
    Boards(#[from] BoardsError),
    /// A text that is no board.
    #[error(transparent)]
    Board(#[from] ParseBoardError),
}
