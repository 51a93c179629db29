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
//! It clicks in batches: everything that is proven is clicked at once, then the picture is watched until
//! every clicked cell shows. What it refuses:
//!
//! - to press anything but cells, the new-game control and the dialog keys that the skin names
//!   (only `guard` touches the hands);
//! - to click a cell that reads as unclear, or one beside it; to guess while any cell is unclear;
//! - to go on when something unknown is in front of the window, when the window is gone, when somebody
//!   moves the mouse, when an opened cell seems to change its number, or when a mine went off that it has not
//!   risked, unless the window has moved since its last click.
//!
//! The player waits for what shows, through [`Screen::wait`], in slices of 20 ms at most, each under a deadline of
//! [`Deadlines`]. It asks for the signal to stop in every slice and before every click. Only the guard sleeps: while a
//! person holds something down (5 s at most, then it gives up), while the pointer may still be on its way (100 ms at
//! most), and while it holds a button of its own in a click that is sent again.

mod alarm;
mod dialogs;
mod error;
mod explorer;
mod guard;
mod halted;
mod history;
mod keys;
mod learner;
mod motion;
mod options;
mod outcome;
mod pace;
mod patience;
mod perception;
mod plan;
mod session;
mod step;
mod unknown_numbers;
mod watcher;

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use error::PlayError;
pub use explorer::{LearnError, Person, Studied};
pub use halted::{Clicked, Halted};
pub use learner::{Begun, Explored, Learner};
pub use options::{Deadlines, Options, Style, UnknownStyle};
pub use outcome::{Outcome, Summary};
pub use step::{Action, Step};
pub use watcher::Watcher;

use crate::board::Cell;
use crate::capture::Screen;
use crate::input::Hands;
use crate::recognize::Reader;
use crate::solver::Strategy;

use session::Session;

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
pub struct EndedSession {
    /// What was played.
    pub summary: Summary,
    /// What ended it early, if anything did.
    pub trouble: Option<PlayError>,
    /// What is known of the last game, if a board was found.
    pub halted: Option<Halted>,
}

impl EndedSession {
    /// The game to go on with, where what ended the session is that something came up in it that cannot be read, or that the
    /// player does not know: a number, a dialog, a way in which cells open or a new game begins.
    pub fn unread(&self) -> Option<&Halted> {
        let halted = self.halted.as_ref()?;
        let is_unclear = || halted.reading.board.count(|cell| cell == Cell::Unclear) > 0;
        let last = *self.summary.outcomes.last()?;
        let may_go_on = match self.trouble {
            Some(PlayError::Unclear { .. } | PlayError::BoardHidden) => is_unclear(),
            Some(PlayError::ClicksDoNotShow { .. } | PlayError::Solve(_)) => true,
            // What comes up after a game; and something else may have started the last one.
            Some(PlayError::Covered { .. } | PlayError::NewGameDoesNotShow { .. }) => {
                return Some(halted);
            }
            _ => false,
        };
        (may_go_on && last == Outcome::Abandoned).then_some(halted)
    }

    /// Whether cells were read wrong, as it seems: one of them contradicted itself or was a mine though the others proved that it
    /// was none, or the board was impossible.
    pub fn is_misread(&self) -> bool {
        let trouble = self.trouble.as_ref();
        trouble.is_some_and(|trouble| {
            matches!(
                trouble,
                PlayError::Misread { .. } | PlayError::ProvenMine { .. } | PlayError::Solve(_)
            )
        })
    }
}

impl Player<'_> {
    /// Finds the board and plays as `options` say. A game that is under way is played on; one that is over is
    /// followed by a new one. Games count that were begun here, or in which a cell was clicked.
    pub fn play(self, options: &Options) -> EndedSession {
        let Player { screen, hands, reader, strategy, watcher, stop } = self;
        let (mut reader, mut summary) = (Cow::Borrowed(reader), options.before.clone());
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
            let mut session = match Session::begin(player, &options, summary.clone()) {
                Ok(session) => session,
                Err(trouble) => {
                    return EndedSession { summary, trouble: Some(trouble), halted: None };
                }
            };
            let played = session.games();
            let (ended, halted) = session.end(played.is_err());
            summary = ended;
            let trouble = match played {
                Ok(Some(learned)) => {
                    let next = options.to_mut();
                    (next.lattice, next.anew) = (Some(halted.reading.lattice), false);
                    reader = Cow::Owned(reader.with(learned));
                    continue;
                }
                played => played.err(),
            };
            return EndedSession { summary, trouble, halted: Some(halted) };
        }
    }
}
