//! Results on stdout, and in files that the user names. Who reads them may stop early, as `head` does; the command then goes on without a word.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write, stdout};
use std::path::Path;
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::Context;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use indicatif::{ProgressBar, ProgressStyle};

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

/// Whether nobody reads the results any more, where the system tells that before something is written.
pub(super) fn is_closed() -> bool {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};

        let stdout = stdout();
        let mut reader = [PollFd::new(&stdout, PollFlags::empty())];
        let polled = poll(&mut reader, Some(&Timespec::default()));
        polled.is_ok() && reader[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
    }
    #[cfg(not(unix))]
    false
}

/// Writes a file that the user asked for.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, content).with_context(|| format!("cannot write {}", path.display()))
}

/// A table of results, its columns to the left or to the right.
pub(super) fn table<const N: usize>(head: [(&str, CellAlignment); N]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(head.map(|(name, _)| name));
    for (column, (_, to)) in table.column_iter_mut().zip(head) {
        column.set_padding((0, 2)).set_cell_alignment(to);
    }
    table
}

/// A line on stderr that counts to `all`, and says after how much time that will be. `template` says how: of `indicatif`.
pub(super) fn progress_bar(all: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::new(all);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// What comes of `doing` something. Meanwhile a line on stderr says what it is and for how long it is being done, where nothing
/// tells how far it is.
pub(super) fn busy<T>(with: &str, doing: impl FnOnce() -> T) -> T {
    let line = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}: {elapsed}") {
        line.set_style(style);
    }
    line.set_message(with.to_owned());
    line.enable_steady_tick(Duration::from_millis(100));
    let done = doing();
    line.finish_and_clear();
    done
}

/// What is done while a board is looked for in a picture.
pub(super) const LOOKING: &str = "looking for a board";

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
