//! Reading and deciding again what was saved, and telling every difference.
//!
//! A [`Case`] is a screenshot and, beside it under the same name, the board that a person reads in it. A
//! [`Recording`] is a folder of cases too, with the decisions that were taken on them.
//!
//! What a label leaves open is not compared: without a `status` any will do, and without `mines` any
//! count. A `~` is a claim: nothing may be read there. Of a board that is labelled `hidden` nothing need
//! be seen at all, but what is seen has to be true.

mod clicks;
mod flaw;
mod game;
mod recording;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::board::{Board, Cell, Label, LabelError, MineCount, Pos, Status};
use crate::capture::{CaptureError, load_picture};
use crate::file;
use crate::lab::formats::FormatError;
use crate::lab::record::{DECISIONS, NoPlace, Place};
use crate::recognize::{Lattice, Reader, Reading, read_by_itself};
use crate::solver::UnknownStrategy;

pub use flaw::{Flaw, Numbered};
pub use game::{RecordedClick, RecordedGame, RecordedSession, RecordedStep};
pub use recording::{DecisionDifference, Recording};

/// What is to be replayed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Saved {
    /// Pictures with a label beside them.
    pub pictures: Vec<PathBuf>,
    /// Folders with a recorded session.
    pub recordings: Vec<PathBuf>,
}

impl Saved {
    /// What there is at `path`: a picture with its label, or everything in a folder and below it, in the
    /// order of the names.
    ///
    /// # Errors
    /// When the picture has no label, or there is nothing to replay in the folder.
    pub fn at(path: &Path) -> Result<Self, ReplayError> {
        let mut saved = Self::default();
        let unreadable = |source| ReplayError::Unreadable { path: path.to_owned(), source };
        if path.is_dir() {
            saved.collect(path)?;
            if saved.pictures.is_empty() && saved.recordings.is_empty() {
                return Err(ReplayError::Empty { folder: path.to_owned() });
            }
        } else {
            file::check(path).map_err(unreadable)?;
            saved.pictures.push(path.to_owned());
        }
        Ok(saved)
    }

    fn collect(&mut self, folder: &Path) -> Result<(), ReplayError> {
        let unreadable = |source| ReplayError::Unreadable { path: folder.to_owned(), source };
        let entries = folder.read_dir().map_err(unreadable)?;
        let paths: io::Result<Vec<PathBuf>> = entries.map(|entry| Ok(entry?.path())).collect();
        let mut paths = paths.map_err(unreadable)?;
        paths.sort();
        for path in paths {
            if path.is_dir() {
                self.collect(&path)?;
            } else if path.file_name().is_some_and(|name| name == DECISIONS) {
                self.recordings.push(folder.to_owned());
            } else if path.extension().is_some_and(|extension| extension == "png")
                && path.with_extension("txt").exists()
            {
                self.pictures.push(path);
            }
        }
        Ok(())
    }
}

/// A screenshot and what a person reads in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The screenshot.
    pub picture: PathBuf,
    /// The board in it.
    pub board: Board,
    /// How the game in it stands, where the label says so.
    pub status: Option<Status>,
    /// Where the board is and in which skin, where the label says so.
    place: Option<Place>,
}

impl Case {
    /// Opens the label beside `picture`.
    ///
    /// # Errors
    /// When there is none or it is broken.
    pub fn open(picture: &Path) -> Result<Self, ReplayError> {
        let Label { board, status, notes } = Label::beside(picture)?;
        let place = Place::stated(&notes, &board).map_err(|source| {
            let path = picture.with_extension("txt");
            ReplayError::Place { path, source }
        })?;
        Ok(Self { picture: picture.to_owned(), board, status, place })
    }

    /// Reads the board in the picture where the label says that it is; where it does not say so, [finds](Case::find) it.
    ///
    /// # Errors
    /// When the picture cannot be opened, or the label names a skin that `reader` does not know. That no board is found
    /// is not an error.
    pub fn read(&self, reader: &Reader) -> Result<Option<Reading>, ReplayError> {
        let Some(Place { skin, lattice }) = &self.place else {
            return self.find(reader);
        };
        let known = reader.skins().find(|known| known.name == *skin);
        let known = known.ok_or_else(|| ReplayError::Skin {
            path: self.picture.with_extension("txt"),
            skin: skin.clone(),
        })?;
        let frame = load_picture(&self.picture)?;
        Ok(Some(read_by_itself(&frame, known, lattice, &self.board)))
    }

    /// Finds the board in the picture and reads it. Of several that one is taken which has the label's size.
    ///
    /// # Errors
    /// When the picture cannot be opened. That no board is found is not an error.
    pub fn find(&self, reader: &Reader) -> Result<Option<Reading>, ReplayError> {
        let frame = load_picture(&self.picture)?;
        let Ok(found) = reader.find(&frame) else {
            return Ok(None);
        };
        let fits = |reading: &Reading| size(&reading.board) == size(&self.board);
        let fitting = found.iter().position(fits).unwrap_or(0);
        let mut reading = found.into_iter().nth(fitting);
        if let (Some(reading), Some(mines)) = (&mut reading, self.given_mines())
            && fits(reading)
            && reading.board.mines.known().is_none()
        {
            reading.board.mines = mines;
            *reading = reader.read_again(&frame, reading);
        }
        Ok(reading)
    }

    /// The number of mines that the label gives without saying that it was read: the reader is told it as well.
    fn given_mines(&self) -> Option<MineCount> {
        Some(self.board.mines).filter(|mines| matches!(mines, MineCount::Given(_)))
    }

    /// Where the board is in the picture, in its pixels, where the label says so.
    pub fn lattice(&self) -> Option<&Lattice> {
        self.place.as_ref().map(|place| &place.lattice)
    }

    /// Every way in which `reading` is not what the label says.
    pub fn differences(&self, reading: Option<&Reading>) -> Vec<Difference> {
        let hidden = self.status == Some(Status::Hidden);
        let Some(Reading { board, status, .. }) = reading else {
            return if hidden { Vec::new() } else { vec![Difference::NoBoard] };
        };
        let (expected, read) = (size(&self.board), size(board));
        if expected != read {
            return vec![Difference::Size { expected, read }];
        }
        let mut differences = Vec::new();
        for ((pos, expected), (_, read)) in self.board.iter().zip(board.iter()) {
            let left_open = hidden && (expected == Cell::Unclear || read == Cell::Unclear);
            if expected != read && !left_open {
                differences.push(Difference::Cell { pos, expected, read });
            }
        }
        if let Some(expected) = self.status.filter(|expected| !hidden && expected != status) {
            differences.push(Difference::Status { expected, read: *status });
        }
        let wrong_mines = match (self.board.mines, board.mines) {
            (MineCount::Unknown, _) => false,
            (MineCount::Read(expected), MineCount::Read(read)) => expected != read,
            (MineCount::Read(_), _) => !hidden,
            (MineCount::Given(expected) | MineCount::Assumed(expected), read) => {
                matches!(read, MineCount::Read(read) if read != expected)
            }
        };
        if wrong_mines {
            let (expected, read) = (self.board.mines, board.mines);
            differences.push(Difference::Mines { expected, read });
        }
        differences
    }
}

/// Columns and rows.
fn size(board: &Board) -> (u16, u16) {
    (board.cols(), board.rows())
}

/// Something that was read otherwise than the label says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// No board was found.
    NoBoard,
    /// The board has another size. Nothing else was compared.
    Size {
        /// Columns and rows of the label.
        expected: (u16, u16),
        /// Columns and rows that were read.
        read: (u16, u16),
    },
    /// A cell shows something else.
    Cell {
        /// The cell.
        pos: Pos,
        /// What the label says.
        expected: Cell,
        /// What was read.
        read: Cell,
    },
    /// The game stands otherwise.
    Status {
        /// What the label says.
        expected: Status,
        /// What was read.
        read: Status,
    },
    /// The mine count, or where it comes from.
    Mines {
        /// What the label says.
        expected: MineCount,
        /// What was read.
        read: MineCount,
    },
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = |mines: MineCount| match mines {
            MineCount::Read(mines) => format!("{mines} on the counter"),
            MineCount::Given(mines) => format!("{mines} as given"),
            MineCount::Assumed(mines) => format!("{mines} as usual for the size"),
            MineCount::Unknown => "unknown".to_owned(),
        };
        match self {
            Self::NoBoard => f.write_str("no board was found"),
            Self::Size { expected, read } => {
                let ((cols, rows), (read_cols, read_rows)) = (expected, read);
                write!(f, "size: expected {cols}x{rows}, read {read_cols}x{read_rows}")
            }
            Self::Cell { pos, expected, read } => {
                let (expected, read) = (expected.symbol(), read.symbol());
                write!(f, "cell {pos}: expected {expected}, read {read}")
            }
            Self::Status { expected, read } => {
                write!(f, "status: expected {expected}, read {read}")
            }
            Self::Mines { expected, read } => {
                write!(f, "mines: expected {}, read {}", told(*expected), told(*read))
            }
        }
    }
}

/// Why something cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// A file or folder cannot be read.
    #[error("cannot read {}", .path.display())]
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is nothing to do.
    #[error(
        "nothing to replay in {}: it takes pictures NAME.png, each with its board as NAME.txt beside it",
        .folder.display()
    )]
    Empty {
        /// The folder.
        folder: PathBuf,
    },
    /// A picture cannot be opened.
    #[error(transparent)]
    Picture(#[from] CaptureError),
    /// A picture has no label.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// A label says wrongly where the board is.
    #[error("{}", .path.display())]
    Place {
        /// The label.
        path: PathBuf,
        /// What is wrong with it.
        source: NoPlace,
    },
    /// A label names a skin that there is none of here.
    #[error("{} was read with the skin '{skin}', which is not known here", .path.display())]
    Skin {
        /// The label.
        path: PathBuf,
        /// The skin.
        skin: String,
    },
    /// A recording is broken.
    #[error("{}, line {line}: {why}", .path.display())]
    Recording {
        /// The file with the decisions.
        path: PathBuf,
        /// Its line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// The clicks of a recording have no times.
    #[error("the clicks in {} have no times: an older version recorded it", .folder.display())]
    NoTimes {
        /// The recording.
        folder: PathBuf,
    },
    /// The last picture of a recorded game does not show where the mines were.
    #[error("the last picture of the game in {}", .folder.display())]
    Layout {
        /// The recording.
        folder: PathBuf,
        /// Why.
        source: FormatError,
    },
    /// The clicks of a recorded game do not make it.
    #[error(
        "the clicks in {} do not open what the last picture of the game shows: it did not end, somebody else clicked in it too, or some of it was open from the start",
        .folder.display()
    )]
    Clicks {
        /// The recording.
        folder: PathBuf,
    },
    /// A recording was made with a strategy that there is none of here.
    #[error("{}", .path.display())]
    Strategy {
        /// The file with the decisions.
        path: PathBuf,
        /// Which strategy.
        source: UnknownStrategy,
    },
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::geometry::Px;

    fn case(text: &str) -> Case {
        let (board, notes) = crate::board::text::parse(text).unwrap();
        let status = notes.get("status").map(|status| status.parse().unwrap());
        Case { picture: PathBuf::from("case.png"), board, status, place: None }
    }

    fn reading(text: &str) -> Reading {
        let Case { board, status, .. } = case(text);
        let lattice = Lattice::even(Px::new(0, 0), (16.0, 16.0), board.cols(), board.rows());
        let status = status.unwrap_or(Status::Playing);
        Reading { skin: Arc::default(), lattice, board, status }
    }

    fn told(label: &str, read: &str) -> Vec<String> {
        let differences = case(label).differences(Some(&reading(read)));
        differences.iter().map(Difference::to_string).collect()
    }

    #[test]
    fn every_difference_is_told() {
        let label = "minescraper 3x1 mines=2 from=counter status=playing\n#~1\n";
        let read = "minescraper 3x1 mines=1 from=counter status=fresh\n##~\n";
        let expected = [
            "cell (1, 0): expected ~, read #",
            "cell (2, 0): expected 1, read ~",
            "status: expected playing, read fresh",
            "mines: expected 2 on the counter, read 1 on the counter",
        ];
        assert_eq!(told(label, read), expected);
        assert_eq!(told(label, label), [""; 0]);
        assert_eq!(told(label, "##\n"), ["size: expected 3x1, read 2x1"]);
        assert_eq!(case(label).differences(None), [Difference::NoBoard]);
    }

    #[test]
    fn what_a_label_leaves_open_is_not_compared() {
        assert_eq!(told("#1\n", "minescraper 2x1 mines=1 from=counter status=won\n#1\n"), [""; 0]);
        let assumed = "minescraper 2x1 mines=1 from=size\n#1\n";
        assert_eq!(told(assumed, "#1\n"), [""; 0]);
        assert_eq!(told(assumed, "minescraper 2x1 mines=1 from=counter\n#1\n"), [""; 0]);
        assert_eq!(told(assumed, "minescraper 2x1 mines=2 from=counter\n#1\n").len(), 1);
        let counted = "minescraper 2x1 mines=1 from=counter\n#1\n";
        assert_eq!(told(counted, assumed).len(), 1);
    }

    #[test]
    fn a_hidden_board_need_not_be_seen_but_may_not_be_misread() {
        let label = "minescraper 3x1 mines=1 from=counter status=hidden\n~~1\n";
        assert_eq!(case(label).differences(None), []);
        assert_eq!(told(label, "minescraper 3x1 status=playing\n#~1\n"), [""; 0]);
        assert_eq!(told(label, "minescraper 3x1 status=hidden\n~~~\n"), [""; 0]);
        assert_eq!(told(label, "~~2\n"), ["cell (2, 0): expected 1, read 2"]);
    }
}
