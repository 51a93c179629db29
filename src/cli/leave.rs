//! `--pause-on-guess`: the person is asked before a guess.

use std::io::{IsTerminal, stdin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use minescraper::board::Board;
use minescraper::play::Watcher;
use minescraper::solver::Advice;

use super::Misuse;

/// How often it is seen whether the person stops everything.
const LISTEN: Duration = Duration::from_millis(50);

/// Asks in the terminal.
pub struct AskBeforeGuess {
    lines: Receiver<()>,
    stop: Arc<AtomicBool>,
}

impl AskBeforeGuess {
    /// Asks whoever is at the terminal.
    ///
    /// # Errors
    /// When nobody is.
    pub fn new(stop: Arc<AtomicBool>) -> Result<Self, Misuse> {
        if !stdin().is_terminal() {
            return Err(Misuse(
                "--pause-on-guess asks at a terminal, and there is none".to_owned(),
            ));
        }
        let (sender, lines) = channel();
        // A read cannot be interrupted: this thread ends with the program.
        thread::spawn(move || {
            while stdin().lines().next().is_some_and(|line| line.is_ok() && sender.send(()).is_ok())
            {
            }
        });
        Ok(Self { lines, stop })
    }
}

impl Watcher for AskBeforeGuess {
    fn guessing(&mut self, _: &Board, advice: &Advice) -> bool {
        let Some(guess) = advice.guess else { return false };
        // What was typed before was no answer.
        while self.lines.try_recv().is_ok() {}
        eprintln!("\nopen {}: {guess}", guess.pos);
        eprintln!("Enter goes on; you may open another cell yourself before");
        while !self.stop.load(Ordering::Relaxed) {
            match self.lines.recv_timeout(LISTEN) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        true
    }
}
