//! What a person reads in a screenshot: the board in the text file of the same name beside it.

use std::path::{Path, PathBuf};

use super::text::{self, Notes, ParseBoardError};
use super::{Board, Status, UnknownStatus};
use crate::file;

/// The board that a screenshot shows, as a person wrote it down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The board.
    pub board: Board,
    /// How its game stands, where the label says so.
    pub status: Option<Status>,
    /// Everything else that its header says.
    pub notes: Notes,
}

impl Label {
    /// Opens the label beside `picture`.
    ///
    /// # Errors
    /// When there is none or it is broken.
    pub fn beside(picture: &Path) -> Result<Self, LabelError> {
        let path = picture.with_extension("txt");
        let text = file::read_text(&path, file::BOARD)
            .map_err(|source| LabelError::Missing { path: path.clone(), source })?;
        let (board, notes) = text::parse(&text)
            .map_err(|source| LabelError::Board { path: path.clone(), source })?;
        let status = notes.get("status").map(|status| status.parse()).transpose();
        let status = status.map_err(|source| LabelError::Status { path, source })?;
        Ok(Self { board, status, notes })
    }
}

/// Why a screenshot has no label.
#[derive(Debug, thiserror::Error)]
pub enum LabelError {
    /// There is no text beside the screenshot.
    #[error("cannot read {}: a screenshot needs its board as text beside it", .path.display())]
    Missing {
        /// The text file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The text is no board.
    #[error("{} is no board", .path.display())]
    Board {
        /// The text file.
        path: PathBuf,
        /// What is wrong with it.
        source: ParseBoardError,
    },
    /// The text's status is none.
    #[error("{} has no status", .path.display())]
    Status {
        /// The text file.
        path: PathBuf,
        /// What is wrong with it.
        source: UnknownStatus,
    },
}
