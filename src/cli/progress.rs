//! The progress line on stderr.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use minescraper::board::{Board, Cell};
use minescraper::capture::Frame;
use minescraper::play::{Outcome, Step, Watcher};
use minescraper::recognize::Reading;
use minescraper::solver::Advice;

/// One line that says how the game and the session stand.
pub struct Progress {
    line: ProgressBar,
    games: u32,
    wins: u32,
    played: u32,
    left: usize,
    thought: String,
}

impl Progress {
    pub fn new(games: u32) -> Self {
        let line = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            line.set_style(style);
        }
        Self { line, games, wins: 0, played: 0, left: 0, thought: String::new() }
    }

    fn show(&self) {
        let of = match self.games {
            u32::MAX => String::new(),
            games => format!(" of {games}"),
        };
        self.line.set_message(format!(
            "game {}{of}, {} won; {} cells covered; {}",
            self.played + 1,
            self.wins,
            self.left,
            self.thought
        ));
        self.line.tick();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}

impl Watcher for Progress {
    fn looked(&mut self, _: &Frame, reading: &Reading) {
        self.left = reading.board.count(Cell::is_unopened);
        self.show();
    }

    fn advised(&mut self, _: &Board, advice: &Advice, _: u64) {
        self.thought = match advice.guess {
            Some(guess) => format!("{} {}", guess.pos, guess.reason),
            None => format!("{} cells are safe", advice.safe.len()),
        };
        self.show();
    }

    fn clicking(&mut self, steps: &[Step], again: bool) {
        if again {
            self.thought = format!("sending {} clicks again", steps.len());
            self.show();
        }
    }

    fn game_over(&mut self, _: u32, outcome: Outcome, _: Duration) {
        self.played += 1;
        self.wins += u32::from(outcome == Outcome::Won);
    }
}
