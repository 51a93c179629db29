//! Playing: the loop that looks, thinks, clicks and looks again.
//!
//! ```text
//!          ┌──────────────── new_game ◀── over? ◀─┐
//!          ▼                                      │
//!   look ─▶ read ─▶ advise ─▶ plan ─▶ send ─▶ watch until every click shows
//!    ▲                                  ▲         │ not shown: lost
//!    │                                  └─────────┤
//!    └────────────────────────────────────────────┘ all shown
//! ```
//!
//! A [`Player`] is given a screen, hands, a reader and a strategy and knows nothing of how they work.
//! It plays in waves: everything that is proven is clicked at once, then the picture is watched until
//! every clicked cell shows. What it refuses:
//!
//! - to press anything but cells, the new-game control and the dialog keys that the skin names
//!   (only `guard` touches the hands);
//! - to click a cell that reads as unclear, or one beside it; to guess while any cell is unclear;
//! - to go on when something unknown is in front of the window, when the window is gone, when somebody
//!   moves the mouse, when an opened cell seems to change its number, or when a mine went off that it has not
//!   risked.
//!
//! The player waits for what shows, through [`Screen::wait`], in slices of 20 ms at most, each under a deadline of
//! [`Deadlines`]. It asks for the signal to stop in every slice and before every click. Only the guard sleeps: while a
//! person holds something down (5 s at most, then it gives up), while the pointer may still be on its way (100 ms at
//! most), and while it holds a button of its own in a click that is sent again.

mod alarm;
mod closing;
mod error;
mod eyes;
mod guard;
mod keys;
mod learner;
mod lesson;
mod new_game;
mod options;
mod outcome;
mod pace;
mod part;
mod patience;
mod person;
mod plan;
mod probe;
mod rare;
mod step;
mod table;
mod turn;
mod watcher;
mod wave;

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

pub use error::PlayError;
pub use learner::{LearnError, Learner, Lessons};
pub use options::{Deadlines, Options, Style, UnknownStyle};
pub use outcome::{Outcome, Summary};
pub use person::Person;
pub use step::{Action, Step};
pub use watcher::Watcher;

use crate::capture::Screen;
use crate::input::Hands;
use crate::recognize::{Reader, Skin};
use crate::solver::Strategy;

use part::Part;
use table::Table;

/// Everything that playing takes.
pub struct Player<'a> {
    /// The window to look at.
    pub screen: &'a mut dyn Screen,
    /// What to press with.
    pub hands: &'a mut dyn Hands,
    /// Who reads the board.
    pub reader: &'a Reader,
    /// Who decides.
    pub strategy: &'a mut dyn Strategy,
    /// Who is told.
    pub watcher: &'a mut dyn Watcher,
    /// Becomes true when the player is to stop, from whatever thread.
    pub stop: Arc<AtomicBool>,
}

/// A session that has ended, one way or another.
#[derive(Debug)]
pub struct Session {
    /// What was played.
    pub summary: Summary,
    /// What ended it early, if anything did.
    pub trouble: Option<PlayError>,
}

impl Player<'_> {
    /// Finds the board and plays as `options` say. A game that is under way is played on; one that is over is
    /// followed by a new one. Games count that were begun here, or in which a cell was clicked.
    pub fn play(self, options: &Options) -> Session {
        let Player { screen, hands, reader, strategy, watcher, stop } = self;
        let (mut reader, mut summary) = (Cow::Borrowed(reader), Summary::default());
        let mut options = Cow::Borrowed(options);
        loop {
            let player = Player {
                screen: &mut *screen,
                hands: &mut *hands,
                reader: &reader,
                strategy: &mut *strategy,
                watcher: &mut *watcher,
                stop: stop.clone(),
            };
            let mut table = match Table::sit_down(player, &options, summary.clone()) {
                Ok(table) => table,
                Err(trouble) => return Session { summary, trouble: Some(trouble) },
            };
            let played = table.games();
            if played.is_err() {
                // What the trouble was about.
                table.show_watcher();
            }
            summary = std::mem::take(&mut table.summary);
            let learned = match played {
                Ok(Some(learned)) => learned,
                Ok(None) => return Session { summary, trouble: None },
                Err(trouble) => return Session { summary, trouble: Some(trouble) },
            };
            let next = options.to_mut();
            (next.lattice, next.anew) = (Some(table.eyes.lattice().clone()), false);
            drop(table);
            reader = Cow::Owned(reader.with(learned));
        }
    }
}

impl Table<'_> {
    /// Plays the games that are left; or those until a skin has learned something, which is returned when the next game
    /// is there to be read with it.
    fn games(&mut self) -> Result<Option<Skin>, PlayError> {
        if self.options.dry_run {
            self.strategy.new_game(self.options.seed);
            return self.game().map(|_| None);
        }
        self.attend()?;
        self.park()?;
        self.eyes.look()?;
        let (first, mut learned) = (self.summary.games, None);
        let mut is_over = self.options.anew || self.eyes.reading().status.is_over();
        while self.summary.games < self.options.games {
            let game = self.summary.games;
            if is_over {
                self.new_game()?;
                if game == first && self.options.lattice.is_none() {
                    self.eyes.find_anew()?;
                }
            }
            if learned.is_some() {
                break;
            }
            self.part = Part::of(is_over);
            self.watcher.game_begins(game);
            self.strategy.new_game(self.options.seed.wrapping_add(u64::from(game)));
            let start = Instant::now();
            let played = self.game();
            is_over = true;
            if !self.part.is_any() {
                played?;
                log::info!("the game that was open has ended without a click; it does not count");
                continue;
            }
            let took = start.elapsed();
            let outcome = match &played {
                Ok(Some(outcome)) => *outcome,
                Err(trouble) if trouble.is_loss() => Outcome::Lost,
                Ok(None) | Err(_) => Outcome::Abandoned,
            };
            self.summary.proven_mines +=
                u32::from(matches!(played, Err(PlayError::ProvenMine { .. })));
            self.summary.add(outcome, took);
            self.summary.misreads = self.eyes.misreads();
            // The first numbers may have told that it is another theme of the same program.
            self.summary.skin = Some(self.eyes.reading().skin.name.clone());
            log::info!("game {} is {outcome} after {:.2} s", game + 1, took.as_secs_f64());
            self.watcher.game_over(game, outcome, took);
            played?;
            learned = if outcome == Outcome::Won { self.learn_numbers() } else { None };
            if self.options.until_win && outcome == Outcome::Won {
                return Ok(None);
            }
        }
        Ok(learned.filter(|_| self.summary.games < self.options.games))
    }
}
