//! Boards with their mines laid, from files of any form, links and standard input.

use std::path::Path;

use anyhow::{Context, ensure};

use minescraper::file;
use minescraper::lab::formats::{self, LaidBoard};

/// The boards at `path`, which may be a link to a board, or `-` for standard input.
pub fn read(path: &Path) -> anyhow::Result<Vec<LaidBoard>> {
    let named = || path.display().to_string();
    let content = match as_link(path) {
        Some(link) => link.as_bytes().to_vec(),
        None if path == Path::new("-") => {
            file::standard_input_bytes(file::COLLECTION).context("standard input")?
        }
        None => file::read(path, file::COLLECTION).with_context(named)?,
    };
    let boards = formats::boards(&content).with_context(named)?;
    ensure!(!boards.is_empty(), "{}: there are no boards in it", path.display());
    Ok(boards)
}

/// The link that somebody gave for a file; its query is enough, as `stats` prints it.
pub fn as_link(path: &Path) -> Option<&str> {
    let link = path.to_str()?;
    ["https://", "http://", "?"].iter().any(|start| link.starts_with(start)).then_some(link)
}
