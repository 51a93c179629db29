//! A game as a show: the board is drawn in the terminal, move by move, each with its reason.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use console::Term;

use minescraper::board::{Board, Pos};
use minescraper::capture::Frame;
use minescraper::play::{Outcome, Step, Watcher};
use minescraper::recognize::Reading;
use minescraper::solver::Advice;

use super::drawing::{Drawing, Redrawn};
use super::output::say;

/// Draws what the player does.
pub struct Show {
    /// Where one board takes the place of the last one; otherwise they follow each other as plain text.
    redrawn: Option<Redrawn>,
    /// How long each move is shown.
    pace: Duration,
    stop: Arc<AtomicBool>,
    board: Option<Board>,
    advice: Advice,
}

impl Show {
    /// A show on stdout: `is_plain` without colours and cursor movements.
    pub fn new(is_plain: bool, pace: Duration, stop: Arc<AtomicBool>) -> Self {
        let redrawn = (!is_plain).then(|| Redrawn::new(Term::stdout()));
        Self { redrawn, pace, stop, board: None, advice: Advice::default() }
    }

    fn draw(&mut self, chosen: &[Pos], told: &str) {
        let Some(board) = &self.board else { return };
        let is_plain = self.redrawn.is_none() || !console::colors_enabled();
        let drawing = Drawing { board, odds: None, chosen, is_plain, is_narrow: false };
        let lines: Vec<String> = drawing.lines().collect();
        match &mut self.redrawn {
            Some(redrawn) => redrawn.show(&[told.to_owned()], &lines),
            None => say!("{told}\n{}\n", lines.join("\n")),
        }
    }

    /// Why the player makes this step.
    fn reason(&self, step: &Step) -> String {
        let Advice { safe, mined, guess, .. } = &self.advice;
        let guess = guess.filter(|guess| guess.pos == step.pos).map(|guess| guess.to_string());
        let proof = safe.iter().chain(mined).find(|proof| proof.pos == step.pos);
        guess.or_else(|| proof.map(|proof| proof.reason.to_string())).unwrap_or_default()
    }
}

impl Watcher for Show {
    fn looked(&mut self, _: &Frame, reading: &Reading) {
        self.board = Some(reading.board.clone());
    }

    fn advised(&mut self, _: &Board, advice: &Advice, _: u64) {
        self.advice = advice.clone();
    }

    fn clicking(&mut self, steps: &[Step], _: bool) {
        for step in steps {
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let reason = match self.reason(step) {
                reason if reason.is_empty() => step.to_string(),
                reason => format!("{step}: {reason}"),
            };
            self.draw(&[step.pos], &reason);
            thread::sleep(self.pace);
        }
    }

    fn game_over(&mut self, game: u32, outcome: Outcome, _: Duration) {
        self.draw(&[], &format!("game {}: {outcome}", game + 1));
        if let Some(redrawn) = &mut self.redrawn {
            redrawn.keep();
        }
    }
}
