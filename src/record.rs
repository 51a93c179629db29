//! A session as files: what was seen, what was read, what was decided.
//!
//! A [`Recorder`] is a [`Watcher`]. Into its folder go `0000.png`, `0001.png`, ... the frames that were
//! decided on; beside each a `.txt` with the board that was read from it in the
//! [text form](crate::board::text), so that the folder is also a set of cases to read again; and
//! `decisions.jsonl`, one JSON object a line: first `session`, then `game`, `decision`, `clicks` and
//! `over` as they came. A decision keeps the board it was made on and the nodes it spent, which is all
//! that is needed to decide again.

mod last;

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub use last::LastDecision;
use serde_json::{Value, json};

use crate::board::text::{self, Notes};
use crate::board::{Board, Pos};
use crate::capture::Frame;
use crate::player::{Options, Outcome, Step, Watcher};
use crate::recognize::Reading;
use crate::solver::{Advice, Deduction};

/// The file with the decisions.
pub const DECISIONS: &str = "decisions.jsonl";

/// Writes a session into a folder.
#[derive(Debug)]
pub struct Recorder {
    folder: PathBuf,
    decisions: BufWriter<File>,
    frames: u32,
    trouble: Option<RecordError>,
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
            decisions: BufWriter::new(file),
            frames: 0,
            trouble: None,
        };
        recorder.line(&json!({
            "session": {
                "strategy": strategy,
                "style": options.style.name(),
                "seed": options.seed,
                "nodes": options.nodes,
            }
        }));
        Ok(recorder)
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// When anything could not be written since it began; the session was played all the same.
    pub fn finish(mut self) -> Result<(), RecordError> {
        let flushed = self.decisions.flush();
        self.note(&self.folder.join(DECISIONS), flushed);
        self.trouble.map_or(Ok(()), Err)
    }

    fn line(&mut self, value: &Value) {
        let written = writeln!(self.decisions, "{value}");
        self.note(&self.folder.join(DECISIONS), written);
    }

    /// Keeps the first thing that went wrong.
    fn note(&mut self, path: &Path, written: io::Result<()>) {
        if let Err(source) = written {
            let path = path.to_owned();
            self.trouble.get_or_insert(RecordError::Write { path, source });
        }
    }
}

impl Watcher for Recorder {
    fn game_begins(&mut self, game: u32) {
        self.line(&json!({ "game": game }));
    }

    fn looked(&mut self, frame: &Frame, reading: &Reading) {
        let name = format!("{:04}", self.frames);
        self.frames += 1;
        let picture = self.folder.join(&name).with_extension("png");
        let saved = frame.pixels.save(&picture);
        self.note(&picture, saved.map_err(io::Error::other));

        let notes = Notes::from([
            ("skin".to_owned(), reading.skin.name.clone()),
            ("status".to_owned(), reading.status.to_string()),
        ]);
        let label = picture.with_extension("txt");
        let saved = fs::write(&label, text::print(&reading.board, &notes));
        self.note(&label, saved);
    }

    fn advised(&mut self, board: &Board, advice: &Advice, nodes: u64) {
        let mut decision = advice_as_json(advice);
        decision["frame"] = self.frames.saturating_sub(1).into();
        decision["board"] = board.to_string().into();
        decision["nodes"] = nodes.into();
        self.line(&json!({ "decision": decision }));
    }

    fn clicking(&mut self, steps: &[Step], again: bool) {
        let told = |step: &Step| {
            let Pos { col, row } = step.pos;
            json!({ "col": col, "row": row, "action": step.action.to_string() })
        };
        let steps: Vec<Value> = steps.iter().map(told).collect();
        self.line(&json!({ "clicks": { "again": again, "steps": steps } }));
    }

    fn game_over(&mut self, game: u32, outcome: Outcome, took: Duration) {
        self.line(&json!({
            "over": { "game": game, "outcome": outcome, "seconds": took.as_secs_f64() }
        }));
        let flushed = self.decisions.flush();
        self.note(&self.folder.join(DECISIONS), flushed);
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
