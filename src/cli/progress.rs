//! The status line of a session of games, on stderr.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use minescraper::board::{Board, Cell};
use minescraper::capture::Frame;
use minescraper::play::{Outcome, Step, Watcher};
use minescraper::recognize::Reading;
use minescraper::solver::Advice;

use super::tally::Tally;

/// Counts what happens, and has one line that says how the game and the session stand. The line hides itself where there is no
/// terminal.
pub struct Progress<'t> {
    line: ProgressBar,
    games: u32,
    tally: &'t mut Tally,
    start: Instant,
    left: usize,
    thought: String,
}

impl<'t> Progress<'t> {
    pub fn new(games: u32, tally: &'t mut Tally) -> Self {
        let line = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            line.set_style(style);
        }
        Self { line, games, tally, start: Instant::now(), left: 0, thought: String::new() }
    }

    fn show(&self) {
        if self.line.is_hidden() {
            return;
        }
        let of = match self.games {
            u32::MAX => String::new(),
            games => format!(" of {games}"),
        };
        let Tally { games, wins, streak, .. } = *self.tally;
        let rate = self.tally.win_rate().map(|(rate, [low, high])| {
            let [rate, low, high] = [rate, low, high].map(|share| 100.0 * share);
            format!(" ({rate:.0} %, {low:.0} to {high:.0}), streak {streak}")
        });
        let played = match (self.tally.bbbv_per_second(), self.tally.efficiency()) {
            (Some(speed), Some(efficiency)) => {
                let bbbv = self.tally.bbbv;
                format!(", 3BV {bbbv}, {speed:.1} 3BV/s, efficiency {:.0} %", 100.0 * efficiency)
            }
            _ => String::new(),
        };
        let Tally { guesses, survived, .. } = *self.tally;
        let luck = match (guesses, self.tally.expected()) {
            (0, _) => String::new(),
            (_, None) => format!(", {survived} of {guesses} guesses survived"),
            (_, Some(expected)) => {
                format!(", {survived} of {guesses} guesses survived ({expected:.1} expected)")
            }
        };
        self.line.set_message(format!(
            "game {}{of}, {wins} won{}{played}{luck}; {:.0} s, {} cells covered; {}",
            games + 1,
            rate.unwrap_or_default(),
            self.start.elapsed().as_secs_f64(),
            self.left,
            self.thought
        ));
        self.line.tick();
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}

impl Watcher for Progress<'_> {
    fn game_begins(&mut self, _: u32) {
        self.start = Instant::now();
    }

    fn looked(&mut self, frame: &Frame, reading: &Reading) {
        self.tally.looked(frame, reading);
        self.left = reading.board.count(Cell::is_unopened);
        self.show();
    }

    fn advised(&mut self, board: &Board, advice: &Advice, nodes: u64) {
        self.tally.advised(board, advice, nodes);
        self.thought = match advice.guess {
            Some(guess) => format!("{} {guess}", guess.pos),
            None if advice.safe.len() == 1 => "1 cell is safe".to_owned(),
            None => format!("{} cells are safe", advice.safe.len()),
        };
        self.show();
    }

    fn clicking(&mut self, steps: &[Step], again: bool) {
        self.tally.clicking(steps, again);
        if again {
            self.thought = format!("sending {} clicks again", steps.len());
            self.show();
        }
    }

    fn clicked(&mut self, steps: &[Step]) {
        self.tally.clicked(steps);
    }

    fn game_over(&mut self, game: u32, outcome: Outcome, took: Duration) {
        self.tally.game_over(game, outcome, took);
    }
}
