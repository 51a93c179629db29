//! Files that a person names, and standard input: read to the end, but never without one.
//!
//! Only a regular file has an end that can be known beforehand. A device may have none, and a pipe may wait for ever, so
//! both are refused as a path. Standard input may be a pipe; it is read up to the same limit.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// The most that a board as text may take: the largest board with much room to spare.
pub const BOARD: Limit = Limit { mib: 16 };
/// The most that a picture may take.
pub const PICTURE: Limit = Limit { mib: 128 };
/// The most that many boards or a recorded session may take.
pub const COLLECTION: Limit = Limit { mib: 1024 };

/// How much is read at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    mib: u64,
}

impl Limit {
    const fn bytes(self) -> u64 {
        self.mib << 20
    }

    fn exceeded(self) -> io::Error {
        let Self { mib } = self;
        io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {mib} MiB, the limit"),
        )
    }

    fn read(self, from: impl Read) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        from.take(self.bytes() + 1).read_to_end(&mut content)?;
        if content.len() as u64 > self.bytes() { Err(self.exceeded()) } else { Ok(content) }
    }
}

/// What is in the file at `path`.
///
/// # Errors
/// When it is no regular file, larger than `limit`, or cannot be read.
pub fn read(path: &Path, limit: Limit) -> io::Result<Vec<u8>> {
    // Before it is opened: opening a pipe waits for somebody to write.
    if check(path)?.len() > limit.bytes() {
        return Err(limit.exceeded());
    }
    limit.read(File::open(path)?)
}

/// The text in the file at `path`.
///
/// # Errors
/// When it is no regular file, larger than `limit`, no text, or cannot be read.
pub fn read_text(path: &Path, limit: Limit) -> io::Result<String> {
    text(read(path, limit)?)
}

/// The text that comes from standard input.
///
/// # Errors
/// When it is more than `limit`, no text, or cannot be read.
pub fn standard_input(limit: Limit) -> io::Result<String> {
    text(standard_input_bytes(limit)?)
}

/// What comes from standard input.
///
/// # Errors
/// When it is more than `limit`, or cannot be read.
pub fn standard_input_bytes(limit: Limit) -> io::Result<Vec<u8>> {
    limit.read(io::stdin().lock())
}

/// The text that a file with this `content` has, without the mark that some editors put before it.
///
/// # Errors
/// When it is not in UTF-8.
pub fn text(content: Vec<u8>) -> io::Result<String> {
    let no_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8");
    let mut text = String::from_utf8(content).map_err(no_text)?;
    if text.starts_with('\u{feff}') {
        text.remove(0);
    }
    Ok(text)
}

/// Makes sure that there is a file at `path` that can be read to its end, without opening it.
///
/// # Errors
/// When there is nothing, or a folder, a pipe, a device or a socket; the error says so.
pub fn check(path: &Path) -> io::Result<Metadata> {
    let metadata = path.metadata()?;
    if metadata.is_file() {
        return Ok(metadata);
    }
    let why = if metadata.is_dir() {
        "it is a folder, not a file"
    } else {
        "it is a pipe or a device, not a file; save what comes from it in a file"
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, why))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_read_up_to_the_limit() {
        let limit = Limit { mib: 1 };
        assert_eq!(limit.read(&[7_u8; 1 << 20][..]).unwrap().len(), 1 << 20);
        let error = limit.read(io::repeat(7)).unwrap_err();
        assert!(error.to_string().contains("1 MiB"), "{error}");
    }

    #[test]
    fn a_file_larger_than_the_limit_is_refused_unread() {
        let file = tempfile::NamedTempFile::new().unwrap();
        // It takes no room on the disk, and would take it in memory.
        file.as_file().set_len(1 << 40).unwrap();
        let error = read(file.path(), COLLECTION).unwrap_err();
        assert!(error.to_string().contains("1024 MiB"), "{error}");
    }

    #[test]
    fn the_mark_before_a_text_is_no_part_of_it() {
        assert_eq!(text(b"\xef\xbb\xbf##\n".to_vec()).unwrap(), "##\n");
        assert_eq!(text(b"##\n".to_vec()).unwrap(), "##\n");
        assert!(text(b"\xff\xfe#\0".to_vec()).is_err());
    }
}
