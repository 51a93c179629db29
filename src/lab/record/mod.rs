//! A session as files: what was seen, what was read, what was decided.
//!
//! A [`Recorder`] is a [`Watcher`]. Into its folder go `0000.png`, `0001.png`, ... the frames that were
//! decided on. Beside each a `.txt` says in the [text form](crate::board::text) what this picture shows by
//! itself, whatever the player knew from earlier ones: so it can be read again from the picture alone. Its header says
//! with which `skin` and where: `xs` and `ys` are the edges of the columns and rows in pixels of the picture. Where the
//! player, who followed the game, had another `status` than the picture tells (a message may lie over a board that is
//! won), the label leaves it open.
//!
//! `decisions.jsonl` has one JSON object a line: first `session`, then `game`, `frame`, `decision`, `clicks` and
//! `over` as they came, and `end`. Frames and decisions are numbered, and `end` says how many there were, so that
//! a missing one is missed; `clicks` say how many seconds after the beginning of the game they were sent. A decision keeps the board it was made on and the nodes it spent, which is all
//! that is needed to decide again.
//!
//! What is written is written whole or not at all. When something cannot be, say because the disk is full, the
//! recording ends there, and what is in the folder is a shorter recording.

mod last;

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use image::ImageFormat;
pub use last::LastDecision;
use serde_json::{Value, json};

use crate::board::text::{self, Notes};
use crate::board::{Board, Pos};
use crate::capture::Frame;
use crate::play::{Options, Outcome, Step, Watcher};
use crate::recognize::{Lattice, Reading, read_by_itself};
use crate::solver::{Advice, Deduction};

/// The file with the decisions.
pub const DECISIONS: &str = "decisions.jsonl";

/// Writes a session into a folder.
pub struct Recorder {
    folder: PathBuf,
    decisions: File,
    /// The length of the whole lines in that file.
    length: u64,
    frames: u32,
    decided: u32,
    /// When the game began.
    began: Instant,
    trouble: Option<RecordError>,
    tell: Box<dyn FnMut(&RecordError)>,
}

impl Recorder {
    /// Begins a recording of a session that `strategy` plays by `options`. The folder is made if there
    /// is none.
    ///
    /// # Errors
    /// When the folder cannot be written to, or holds a recording already.
    pub fn create(folder: &Path, strategy: &str, options: &Options) -> Result<Self, RecordError> {
        let path = folder.join(DECISIONS);
        let failed = |source| RecordError::Write { path: path.clone(), source };
        fs::create_dir_all(folder).map_err(failed)?;
        let file = match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(RecordError::Taken { folder: folder.to_owned() });
            }
            file => file.map_err(failed)?,
        };
        let mut recorder = Self {
            folder: folder.to_owned(),
            decisions: file,
            length: 0,
            frames: 0,
            decided: 0,
            began: Instant::now(),
            trouble: None,
            tell: Box::new(|_| {}),
        };
        let begun = recorder.line(&json!({
            "session": {
                "strategy": strategy,
                "style": options.style.name(),
                "seed": options.seed,
                "nodes": options.nodes,
            }
        }));
        if begun.is_err() {
            // Not even a beginning: nothing holds the place.
            let _ = fs::remove_file(&path);
        }
        begun.map(|()| recorder)
    }

    /// The same, which tells when something cannot be written, as soon as that happens. It happens once: the recording
    /// ends there.
    pub fn telling(self, tell: impl FnMut(&RecordError) + 'static) -> Self {
        Self { tell: Box::new(tell), ..self }
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// When anything could not be written since it began; the session was played all the same.
    pub fn finish(mut self) -> Result<(), RecordError> {
        let end = json!({ "end": { "frames": self.frames, "decisions": self.decided } });
        self.keep(|recorder| recorder.line(&end));
        self.trouble.map_or(Ok(()), Err)
    }

    /// Writes something, unless the recording has ended; if that fails, it ends.
    fn keep(&mut self, write: impl FnOnce(&mut Self) -> Result<(), RecordError>) {
        if self.trouble.is_some() {
            return;
        }
        if let Err(trouble) = write(self) {
            (self.tell)(&trouble);
            self.trouble = Some(trouble);
        }
    }

    fn line(&mut self, value: &Value) -> Result<(), RecordError> {
        let line = format!("{value}\n");
        if let Err(source) = self.decisions.write_all(line.as_bytes()) {
            // A part of it may be there.
            let _ = self.decisions.set_len(self.length);
            return Err(RecordError::Write { path: self.folder.join(DECISIONS), source });
        }
        self.length += line.len() as u64;
        Ok(())
    }

    fn frame(&mut self, frame: &Frame, reading: &Reading) -> Result<(), RecordError> {
        let picture = self.folder.join(picture_name(self.frames.into()));
        let label = picture.with_extension("txt");
        let mut pixels = Cursor::new(Vec::new());
        let encoded = frame.pixels.write_to(&mut pixels, ImageFormat::Png);
        encoded.map_err(|error| RecordError::Write {
            path: picture.clone(),
            source: io::Error::other(error),
        })?;
        let written = write_whole(&label, shown(frame, reading).as_bytes())
            .and_then(|()| write_whole(&picture, pixels.get_ref()))
            .and_then(|()| self.line(&json!({ "frame": self.frames })));
        match written {
            Ok(()) => self.frames += 1,
            Err(_) => [picture, label].into_iter().for_each(|file| drop(fs::remove_file(file))),
        }
        written
    }
}

/// The name of the picture of the frame with this number.
pub(crate) fn picture_name(number: u64) -> String {
    format!("{number:04}.png")
}

/// The number of the frame that a file is the picture or the label of, if it has such a name.
pub(crate) fn frame_number(file: &Path) -> Option<u64> {
    let picture = file.with_extension("png");
    let number = file.file_stem()?.to_str()?.parse().ok()?;
    let is_named = picture.file_name()? == picture_name(number).as_str();
    let extension = file.extension()?;
    (is_named && (extension == "png" || extension == "txt")).then_some(number)
}

/// Writes a file that is never seen in parts.
fn write_whole(path: &Path, content: &[u8]) -> Result<(), RecordError> {
    let mut part = OsString::from(path);
    part.push(".part");
    let written = fs::write(&part, content).and_then(|()| fs::rename(&part, path));
    written.map_err(|source| {
        let _ = fs::remove_file(&part);
        RecordError::Write { path: path.to_owned(), source }
    })
}

/// The label of a frame: what it shows by itself.
fn shown(frame: &Frame, reading: &Reading) -> String {
    let Reading { skin, lattice, board, status } = reading;
    let shown = read_by_itself(frame, skin, lattice, board);
    let lattice = lattice.moved(-frame.origin.x, -frame.origin.y);
    let mut notes = Place { skin: skin.name.clone(), lattice }.to_notes();
    if shown.status == *status {
        notes.insert("status".to_owned(), status.to_string());
    }
    text::print(&shown.board, &notes)
}

/// Where in a picture a board is, and in which skin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The name of the skin.
    pub skin: String,
    /// Where the cells are, in pixels of the picture.
    pub lattice: Lattice,
}

impl Place {
    fn to_notes(&self) -> Notes {
        let listed = |edges: &[i32]| {
            let edges: Vec<String> = edges.iter().map(i32::to_string).collect();
            edges.join(",")
        };
        let (xs, ys) = self.lattice.edges();
        Notes::from([
            ("skin".to_owned(), self.skin.clone()),
            ("xs".to_owned(), listed(xs)),
            ("ys".to_owned(), listed(ys)),
        ])
    }

    /// The place that a label states, if any.
    ///
    /// # Errors
    /// When it is none of a board with so many columns and rows.
    pub(crate) fn stated(notes: &Notes, board: &Board) -> Result<Option<Self>, NoPlace> {
        let (Some(xs), Some(ys)) = (notes.get("xs"), notes.get("ys")) else {
            return Ok(None);
        };
        // No screen is larger than 16 bits can say.
        let edge = |edge: &str| edge.parse::<i16>().map(i32::from).ok();
        let edges = |list: &str| list.split(',').map(edge).collect::<Option<Vec<i32>>>();
        let lattice = edges(xs).zip(edges(ys)).and_then(|(xs, ys)| Lattice::with_edges(xs, ys));
        let size = (board.cols(), board.rows());
        let lattice = lattice.filter(|lattice| (lattice.cols(), lattice.rows()) == size);
        let place = notes.get("skin").zip(lattice);
        let place = place.map(|(skin, lattice)| Self { skin: skin.clone(), lattice });
        place.ok_or(NoPlace).map(Some)
    }
}

/// A label that states no place where a board can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("its skin, xs and ys do not say where the cells of its board are")]
pub struct NoPlace;

impl Watcher for Recorder {
    fn game_begins(&mut self, game: u32) {
        self.began = Instant::now();
        self.keep(|recorder| recorder.line(&json!({ "game": game })));
    }

    fn looked(&mut self, frame: &Frame, reading: &Reading) {
        self.keep(|recorder| recorder.frame(frame, reading));
    }

    fn advised(&mut self, board: &Board, advice: &Advice, nodes: u64) {
        let mut decision = advice_as_json(advice);
        decision["number"] = self.decided.into();
        decision["frame"] = self.frames.checked_sub(1).into();
        decision["board"] = board.to_string().into();
        decision["nodes"] = nodes.into();
        self.keep(|recorder| {
            recorder.line(&json!({ "decision": decision }))?;
            recorder.decided += 1;
            Ok(())
        });
    }

    fn clicking(&mut self, steps: &[Step], again: bool) {
        let told = |step: &Step| {
            let Pos { col, row } = step.pos;
            json!({ "col": col, "row": row, "action": step.action.to_string() })
        };
        let steps: Vec<Value> = steps.iter().map(told).collect();
        self.keep(|recorder| {
            let seconds = recorder.began.elapsed().as_secs_f64();
            let clicks = json!({ "again": again, "seconds": seconds, "steps": steps });
            recorder.line(&json!({ "clicks": clicks }))
        });
    }

    fn game_over(&mut self, game: u32, outcome: Outcome, took: Duration) {
        let over = json!({ "game": game, "outcome": outcome, "seconds": took.as_secs_f64() });
        self.keep(|recorder| recorder.line(&json!({ "over": over })));
    }
}

/// Advice as a recording keeps it: what is proven, what is guessed, and why.
pub(crate) fn advice_as_json(advice: &Advice) -> Value {
    let proven = |deductions: &[Deduction]| -> Vec<Value> {
        let told = |proof: &Deduction| {
            let Pos { col, row } = proof.pos;
            json!({ "col": col, "row": row, "reason": proof.reason.to_string() })
        };
        deductions.iter().map(told).collect()
    };
    let guess = advice.guess.map(|guess| {
        let Pos { col, row } = guess.pos;
        json!({ "col": col, "row": row, "reason": guess.reason.to_string(), "risk": guess.risk })
    });
    json!({ "safe": proven(&advice.safe), "mined": proven(&advice.mined), "guess": guess })
}

/// Why a session was not recorded, or not all of it.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The folder has a recording in it.
    #[error("{} holds a recording already; name another folder", .folder.display())]
    Taken {
        /// The folder.
        folder: PathBuf,
    },
    /// A file could not be written.
    #[error("cannot write {}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
}
