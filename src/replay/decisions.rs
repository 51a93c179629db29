//! Taking recorded decisions again.
//!
//! A decision depends on the strategy, its seed, the boards it was given since the game began, and the
//! nodes it spent. A recording keeps all of them, so the same advice must come out, to the last digit of
//! its odds.

use std::fmt;
use std::path::Path;

use serde_json::Value;

use super::ReplayError;
use crate::board::Board;
use crate::record::{self, DECISIONS};
use crate::solver::{Budget, Strategy, by_name};

/// The decisions of a recording, taken again.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Decided {
    /// How many there were.
    pub decisions: usize,
    /// Those that came out otherwise.
    pub differences: Vec<DecisionDifference>,
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

/// Takes every decision of the recording in `folder` again.
///
/// # Errors
/// When the recording cannot be read.
pub fn decide_again(folder: &Path) -> Result<Decided, ReplayError> {
    let path = folder.join(DECISIONS);
    let text = std::fs::read_to_string(&path)
        .map_err(|source| ReplayError::Unreadable { path: path.clone(), source })?;
    let mut decided = Decided::default();
    let mut session: Option<(Box<dyn Strategy>, u64, u64)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let broken = |why: String| ReplayError::Recording { path: path.clone(), line: number, why };
        let lacks = |what: &str| broken(format!("there is no {what}"));
        let entry: Value = serde_json::from_str(line).map_err(|e| broken(e.to_string()))?;
        if let Some(begun) = entry.get("session") {
            let name = begun["strategy"].as_str().ok_or_else(|| lacks("strategy"))?;
            let seed = begun["seed"].as_u64().ok_or_else(|| lacks("seed"))?;
            let budget = begun["nodes"].as_u64().ok_or_else(|| lacks("number of nodes"))?;
            let mut strategy = by_name(name)
                .map_err(|source| ReplayError::Strategy { path: path.clone(), source })?;
            // A dry run decides without a game.
            strategy.new_game(seed);
            session = Some((strategy, seed, budget));
            continue;
        }
        let (strategy, seed, budget) =
            session.as_mut().ok_or_else(|| lacks("session before this"))?;
        if let Some(game) = entry.get("game") {
            let game = game.as_u64().ok_or_else(|| lacks("number of the game"))?;
            strategy.new_game(seed.wrapping_add(game));
        } else if let Some(decision) = entry.get("decision") {
            let board = decision["board"].as_str().ok_or_else(|| lacks("board"))?;
            let board: Board = board.parse().map_err(|e| broken(format!("{e}")))?;
            let nodes = decision["nodes"].as_u64().ok_or_else(|| lacks("number of nodes"))?;
            decided.decisions += 1;
            let differs = |what, now| {
                let recorded = decision[what].to_string();
                DecisionDifference { line: number, what, recorded, now }
            };
            match strategy.advise(&board, &mut Budget::nodes(*budget).stopped_after(nodes)) {
                Ok(advice) => {
                    // By way of the text, as the recorded one came: numbers are rounded alike.
                    let now = record::advice_as_json(&advice).to_string();
                    let now: Value =
                        serde_json::from_str(&now).map_err(|e| broken(e.to_string()))?;
                    let parts = ["safe", "mined", "guess"].into_iter();
                    let other = parts.filter(|&part| decision[part] != now[part]);
                    decided
                        .differences
                        .extend(other.map(|part| differs(part, now[part].to_string())));
                }
                Err(error) => decided.differences.push(DecisionDifference {
                    recorded: "advice".to_owned(),
                    ..differs("advice", error.to_string())
                }),
            }
        }
    }
    Ok(decided)
}
