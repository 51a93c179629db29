//! Results on stdout, and in files that the user names. Who reads them may stop early, as `head` does; the command then goes on without a word.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write, stdout};
use std::path::Path;
use std::sync::OnceLock;

use anyhow::Context;

/// What kept a result from being written.
static FAILED: OnceLock<std::io::Error> = OnceLock::new();

/// Prints a line of results, like `println!`.
macro_rules! say {
    ($($line:tt)*) => { $crate::cli::output::line(format_args!($($line)*)) };
}
pub(super) use say;

pub(super) fn line(line: Arguments<'_>) {
    if let Err(error) = writeln!(stdout(), "{line}") {
        // The first one tells.
        let _ = FAILED.set(error);
    }
}

/// Writes a file that the user asked for.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))
}

/// # Errors
/// When a result could not be written and somebody waits for it.
pub(super) fn finish() -> anyhow::Result<()> {
    let flushed = stdout().flush();
    match FAILED.get().or(flushed.as_ref().err()) {
        Some(error) if error.kind() != ErrorKind::BrokenPipe => {
            anyhow::bail!("the results cannot be written: {error}")
        }
        _ => Ok(()),
    }
}
