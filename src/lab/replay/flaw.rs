//! What may be missing from a recording or out of place.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::board::{Cell, Pos};
use crate::lab::record::DECISIONS;

/// Something that is missing from a recording or out of place. Lines count from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// A frame has no picture.
    MissingPicture {
        /// The picture.
        file: PathBuf,
    },
    /// A frame has no label.
    MissingLabel {
        /// The label.
        file: PathBuf,
    },
    /// A label cannot be read.
    Unreadable {
        /// The label.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A picture or label that no line names.
    Unlisted {
        /// The picture or label.
        file: PathBuf,
    },
    /// A line that is cut off or is no JSON.
    Line {
        /// The line.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A frame or decision with another number than comes next.
    Number {
        /// The line.
        line: usize,
        /// What is numbered.
        of: Numbered,
        /// The number that comes next.
        expected: u64,
        /// The number in that line.
        found: u64,
    },
    /// A decision that is not on the frame before it.
    DecisionFrame {
        /// The line.
        line: usize,
        /// The frame before it, if there is any.
        expected: Option<u64>,
        /// The frame that it names.
        found: Option<u64>,
    },
    /// A decision on another board than its picture shows.
    DecisionBoard {
        /// The line.
        line: usize,
        /// The first cell that differs; none where the sizes differ.
        at: Option<(Pos, Cell, Cell)>,
    },
}

/// What a recording numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Numbered {
    /// Frames.
    Frame,
    /// Decisions.
    Decision,
}

impl Flaw {
    /// What it is, in one word for JSON.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::MissingPicture { .. } => "missing-picture",
            Self::MissingLabel { .. } => "missing-label",
            Self::Unreadable { .. } => "unreadable",
            Self::Unlisted { .. } => "unlisted",
            Self::Line { .. } => "line",
            Self::Number { of, expected, found, .. } => match (of, expected < found) {
                (Numbered::Frame, true) => "missing-frame",
                (Numbered::Frame, false) => "frame-number",
                (Numbered::Decision, true) => "missing-decision",
                (Numbered::Decision, false) => "decision-number",
            },
            Self::DecisionFrame { .. } => "decision-frame",
            Self::DecisionBoard { .. } => "decision-board",
        }
    }

    /// The file that is missing, unreadable or too much, if it is about one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::MissingPicture { file }
            | Self::MissingLabel { file }
            | Self::Unreadable { file, .. }
            | Self::Unlisted { file } => Some(file),
            _ => None,
        }
    }

    /// The line that is wrong or that tells of it, if any does.
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::Line { line, .. }
            | Self::Number { line, .. }
            | Self::DecisionFrame { line, .. }
            | Self::DecisionBoard { line, .. } => Some(*line),
            _ => None,
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frame = |number: Option<u64>| match number {
            Some(number) => format!("frame {number}"),
            None => "no frame".to_owned(),
        };
        match self {
            Self::MissingPicture { .. } => f.write_str("the picture is missing"),
            Self::MissingLabel { .. } => f.write_str("the label is missing"),
            Self::Unreadable { why, .. } => f.write_str(why),
            Self::Unlisted { .. } => write!(f, "no line of {DECISIONS} names this"),
            Self::Line { line, why } => write!(f, "line {line}: {why}"),
            Self::Number { line, of, expected, found } => {
                let of = match of {
                    Numbered::Frame => "frame",
                    Numbered::Decision => "decision",
                };
                match found.saturating_sub(*expected) {
                    0 => write!(f, "line {line}: {of} {found} where {of} {expected} comes next"),
                    1 => write!(f, "line {line}: {of} {expected} is missing before this"),
                    _ => {
                        let last = found - 1;
                        write!(f, "line {line}: {of}s {expected} to {last} are missing before this")
                    }
                }
            }
            Self::DecisionFrame { line, expected, found } => {
                let (expected, found) = (frame(*expected), frame(*found));
                write!(f, "line {line}: the decision is on {found}, but after {expected}")
            }
            Self::DecisionBoard { line, at: None } => {
                write!(f, "line {line}: the board decided on has another size than in its picture")
            }
            Self::DecisionBoard { line, at: Some((pos, shown, decided)) } => {
                let (shown, decided) = (shown.symbol(), decided.symbol());
                write!(f, "line {line}: cell {pos} is {decided} in the board decided on, ")?;
                write!(f, "{shown} in its picture")
            }
        }
    }
}
