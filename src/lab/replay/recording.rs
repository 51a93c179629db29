//! A recorded session: whether it is whole, and its decisions taken again.
//!
//! A recording is a chain. A picture reads as its label says; the board that was decided on is what the picture of
//! that decision shows, but for what a player knows who follows the game; and the advice follows from that board. Each
//! link is compared. Frames and decisions are numbered, so what is missing is missed.
//!
//! A decision depends on the strategy, its seed, the boards it was given since the game began, and the
//! nodes it spent. A recording keeps all of them, so the same advice must come out, to the last digit of
//! its odds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::{
    Case, Flaw, Numbered, RecordedClick, RecordedGame, RecordedSession, RecordedStep, ReplayError,
    size,
};
use crate::board::{Board, Cell, Pos};
use crate::file;
use crate::lab::record::{self, DECISIONS};
use crate::play::{Action, Outcome};
use crate::solver::{Budget, Strategy, by_name};

/// What a folder holds of a recorded session.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Recording {
    /// The pictures that are there with their labels, in order.
    pub cases: Vec<Case>,
    /// What is missing or out of place.
    pub flaws: Vec<Flaw>,
    /// How many decisions were taken again.
    pub decisions: usize,
    /// Those that came out otherwise.
    pub differences: Vec<DecisionDifference>,
    /// How the session was played; none in a recording without a line.
    pub session: Option<RecordedSession>,
    /// Its games, in order.
    pub games: Vec<RecordedGame>,
}

/// A decision that came out otherwise.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DecisionDifference {
    /// The line of the recording, from 1.
    pub line: usize,
    /// What differs: `safe`, `mined` or `guess`; `advice` when there is none any more.
    pub what: &'static str,
    /// What was recorded, as JSON.
    pub recorded: String,
    /// What is decided now, as JSON, or why nothing is.
    pub now: String,
}

impl fmt::Display for DecisionDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, what, recorded, now } = self;
        write!(f, "line {line}: {what}: recorded {recorded}, now {now}")
    }
}

impl Recording {
    /// Opens the recording in `folder`, looks for what is missing, and takes its decisions again.
    ///
    /// # Errors
    /// When a line says nothing that a recording says, or its strategy is unknown.
    pub fn open(folder: &Path) -> Result<Self, ReplayError> {
        let path = folder.join(DECISIONS);
        let text = file::read_text(&path, file::COLLECTION)
            .map_err(|source| ReplayError::Unreadable { path: path.clone(), source })?;
        let mut walk = Walk {
            folder,
            path: &path,
            recording: Self::default(),
            strategy: None,
            frames: BTreeSet::new(),
            boards: BTreeMap::new(),
            last_frame: None,
            next_frame: 0,
            next_decision: 0,
        };
        let ends_whole = text.ends_with('\n');
        let mut lines = (1..).zip(text.lines()).peekable();
        while let Some((line, entry)) = lines.next() {
            match serde_json::from_str(entry) {
                Ok(entry) => walk.entry(line, &entry)?,
                Err(error) => {
                    let is_cut = lines.peek().is_none() && !ends_whole;
                    let why = if is_cut { "cut off".to_owned() } else { error.to_string() };
                    walk.recording.flaws.push(Flaw::Line { line, why });
                }
            }
        }
        walk.strays()?;
        Ok(walk.recording)
    }
}

/// A recording while its lines are gone through.
struct Walk<'a> {
    folder: &'a Path,
    path: &'a Path,
    recording: Recording,
    /// Who decides again, once the session has begun.
    strategy: Option<Box<dyn Strategy>>,
    /// The frames so far.
    frames: BTreeSet<u64>,
    /// The boards in those of their pictures that have a label.
    boards: BTreeMap<u64, Board>,
    last_frame: Option<u64>,
    next_frame: u64,
    next_decision: u64,
}

impl Walk<'_> {
    fn entry(&mut self, line: usize, entry: &Value) -> Result<(), ReplayError> {
        let lacks = |what: &str| self.broken(line, format!("there is no {what}"));
        if let Some(begun) = entry.get("session") {
            let name = begun["strategy"].as_str().ok_or_else(|| lacks("strategy"))?;
            let seed = begun["seed"].as_u64().ok_or_else(|| lacks("seed"))?;
            let nodes = begun["nodes"].as_u64().ok_or_else(|| lacks("number of nodes"))?;
            let mut strategy = by_name(name)
                .map_err(|source| ReplayError::Strategy { path: self.path.to_owned(), source })?;
            // A dry run decides without a game.
            strategy.new_game(seed);
            self.strategy = Some(strategy);
            let strategy = name.to_owned();
            self.recording.session = Some(RecordedSession { strategy, seed, nodes });
        } else if let Some(game) = entry.get("game") {
            let game = game.as_u64().ok_or_else(|| lacks("number of the game"))?;
            let (strategy, session) = self.session(line)?;
            strategy.new_game(session.seed.wrapping_add(game));
            self.begin_game();
        } else if let Some(frame) = entry.get("frame") {
            let frame = frame.as_u64().ok_or_else(|| lacks("number of the frame"))?;
            self.number(line, Numbered::Frame, frame);
            self.frame(frame);
        } else if let Some(decision) = entry.get("decision") {
            let number = decision["number"].as_u64();
            let number = number.ok_or_else(|| lacks("number of the decision"))?;
            self.number(line, Numbered::Decision, number);
            self.decision(line, decision)?;
        } else if let Some(clicks) = entry.get("clicks") {
            let steps = clicks["steps"].as_array().ok_or_else(|| lacks("list of clicks"))?;
            let seconds = clicks["seconds"].as_f64();
            let read: Option<Vec<RecordedClick>> =
                steps.iter().map(|step| click(step, seconds)).collect();
            let read = read.ok_or_else(|| lacks("cell or action of a click"))?;
            let game = self.game();
            if let Some(step) = game.steps.last_mut() {
                step.clicks += read.len();
            }
            read.into_iter().for_each(|read| game.click(read, clicks["again"] == true));
        } else if let Some(over) = entry.get("over") {
            let outcome = Outcome::deserialize(&over["outcome"]);
            let outcome = outcome.map_err(|_| lacks("outcome"))?;
            let seconds = over["seconds"].as_f64().ok_or_else(|| lacks("number of seconds"))?;
            self.game().over = Some((outcome, seconds));
        } else if let Some(end) = entry.get("end") {
            let frames = end["frames"].as_u64().ok_or_else(|| lacks("number of frames"))?;
            let decisions = end["decisions"].as_u64();
            let decisions = decisions.ok_or_else(|| lacks("number of decisions"))?;
            if frames != self.next_frame {
                self.number(line, Numbered::Frame, frames);
            }
            if decisions != self.next_decision {
                self.number(line, Numbered::Decision, decisions);
            }
        }
        Ok(())
    }

    fn broken(&self, line: usize, why: String) -> ReplayError {
        ReplayError::Recording { path: self.path.to_owned(), line, why }
    }

    fn session(
        &mut self,
        line: usize,
    ) -> Result<(&mut (dyn Strategy + 'static), &RecordedSession), ReplayError> {
        let (path, session) = (self.path, self.recording.session.as_ref());
        let missing = || {
            let why = "there is no session before this".to_owned();
            ReplayError::Recording { path: path.to_owned(), line, why }
        };
        self.strategy.as_deref_mut().zip(session).ok_or_else(missing)
    }

    /// The next game begins with the frames to come.
    fn begin_game(&mut self) {
        let next = self.recording.cases.len();
        self.recording.games.push(RecordedGame { frames: next..next, ..RecordedGame::default() });
    }

    /// The game that is under way.
    fn game(&mut self) -> &mut RecordedGame {
        if self.recording.games.is_empty() {
            self.begin_game();
        }
        let last = self.recording.games.len() - 1;
        &mut self.recording.games[last]
    }

    /// The frame or decision of this number comes; it goes on from there.
    fn number(&mut self, line: usize, of: Numbered, found: u64) {
        let next = match of {
            Numbered::Frame => &mut self.next_frame,
            Numbered::Decision => &mut self.next_decision,
        };
        let expected = std::mem::replace(next, found.saturating_add(1));
        if expected != found {
            self.recording.flaws.push(Flaw::Number { line, of, expected, found });
        }
    }

    fn frame(&mut self, number: u64) {
        self.last_frame = Some(number);
        if !self.frames.insert(number) {
            return;
        }
        let picture = self.folder.join(record::picture_name(number));
        let label = picture.with_extension("txt");
        let is_there = [&picture, &label].map(|file| file.exists());
        let flaws = &mut self.recording.flaws;
        if !is_there[0] {
            flaws.push(Flaw::MissingPicture { file: picture.clone() });
        }
        if !is_there[1] {
            flaws.push(Flaw::MissingLabel { file: label });
            return;
        }
        match Case::open(&picture) {
            Ok(case) => {
                self.boards.insert(number, case.board.clone());
                if is_there[0] {
                    self.game().frames.end += 1;
                    self.recording.cases.push(case);
                }
            }
            Err(error) => flaws.push(Flaw::Unreadable { file: label, why: told(&error) }),
        }
    }

    fn decision(&mut self, line: usize, decision: &Value) -> Result<(), ReplayError> {
        let lacks = |what: &str| self.broken(line, format!("there is no {what}"));
        let board = decision["board"].as_str().ok_or_else(|| lacks("board"))?;
        let board: Board = board.parse().map_err(|e| self.broken(line, format!("{e}")))?;
        let nodes = decision["nodes"].as_u64().ok_or_else(|| lacks("number of nodes"))?;

        let (expected, found) = (self.last_frame, decision["frame"].as_u64());
        if found.is_none() || found != expected {
            self.recording.flaws.push(Flaw::DecisionFrame { line, expected, found });
        }
        let shown = found.and_then(|frame| self.boards.get(&frame));
        if let Some(at) = shown.and_then(|shown| departure(shown, &board)) {
            self.recording.flaws.push(Flaw::DecisionBoard { line, at });
        }

        let (strategy, session) = self.session(line)?;
        let mut budget = Budget::nodes(session.nodes).stopped_after(nodes);
        let advice = strategy.advise(&board, &mut budget);
        self.recording.decisions += 1;
        let differs = |what, now| {
            let recorded = decision[what].to_string();
            DecisionDifference { line, what, recorded, now }
        };
        match &advice {
            Ok(advice) => {
                // By way of the text, as the recorded one came: numbers are rounded alike.
                let now = record::advice_as_json(advice).to_string();
                let now: Value =
                    serde_json::from_str(&now).map_err(|e| self.broken(line, e.to_string()))?;
                let parts = ["safe", "mined", "guess"].into_iter();
                let other = parts.filter(|&part| decision[part] != now[part]);
                let other = other.map(|part| differs(part, now[part].to_string()));
                self.recording.differences.extend(other);
            }
            Err(error) => self.recording.differences.push(DecisionDifference {
                recorded: "advice".to_owned(),
                ..differs("advice", error.to_string())
            }),
        }
        let picture = found.map(|frame| self.folder.join(record::picture_name(frame)));
        let is_seen = |case: &Case| Some(&case.picture) == picture.as_ref();
        let frame = self.recording.cases.iter().rposition(is_seen);
        self.game().steps.push(RecordedStep { board, advice: advice.ok(), clicks: 0, frame });
        Ok(())
    }

    /// Looks for pictures and labels that no line names.
    fn strays(&mut self) -> Result<(), ReplayError> {
        let unreadable = |source| ReplayError::Unreadable { path: self.folder.to_owned(), source };
        let mut strays = Vec::new();
        for entry in self.folder.read_dir().map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            let number = record::frame_number(&file);
            let is_listed = number.is_some_and(|number| self.frames.contains(&number));
            let is_picture = file.extension().is_some_and(|extension| extension == "png");
            if !is_listed && (is_picture || number.is_some()) {
                strays.push(file);
            }
        }
        strays.sort();
        self.recording.flaws.extend(strays.into_iter().map(|file| Flaw::Unlisted { file }));
        Ok(())
    }
}

/// A click as a recording keeps it.
fn click(step: &Value, seconds: Option<f64>) -> Option<RecordedClick> {
    let side = |side: &str| step[side].as_u64().and_then(|side| u16::try_from(side).ok());
    let pos = Pos::new(side("col")?, side("row")?);
    let actions = [Action::Open, Action::Flag, Action::Unflag, Action::Chord];
    let is_meant = |action: &Action| step["action"] == action.to_string().as_str();
    let action = actions.into_iter().find(is_meant)?;
    Some(RecordedClick { seconds, pos, action })
}

/// How a board that was decided on departs from what its picture `shown` by itself: the first cell, or none where the sizes
/// differ. The player may not have looked closely yet, may remember a cell that is hidden now, and takes a blank beside a
/// covered cell for one that is only pressed.
fn departure(shown: &Board, decided: &Board) -> Option<Option<(Pos, Cell, Cell)>> {
    if size(shown) != size(decided) {
        return Some(None);
    }
    let mut cells = shown.iter().zip(decided.iter());
    let other = cells.find(|((_, shown), (_, decided))| {
        let is_known = *shown != Cell::Unclear && *decided != Cell::Unclear;
        let is_pressed = *shown == Cell::open(0) && *decided == Cell::Covered;
        is_known && shown != decided && !is_pressed
    });
    other.map(|((pos, shown), (_, decided))| Some((pos, shown, decided)))
}

/// An error with its causes.
fn told(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |told, cause| format!("{told}: {cause}"))
}
