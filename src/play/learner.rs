//! Playing a game of which no skin is known, to learn one.
//!
//! A [`Learner`] takes games one after the other until they would hardly tell more. What happens in a game is the
//! business of the [explorer](super::explorer).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::explorer::Explorer;
use super::guard::Guard;
use super::{Halted, LearnError, Outcome, Person, PlayError, Studied};
use crate::board::Pos;
use crate::capture::Screen;
use crate::input::Hands;
use crate::learn::from_play::{Grid, Learned};
use crate::recognize::{Lattice, Skin};

/// Everything that learning takes.
pub struct Learner<'a> {
    /// The window to look at.
    pub screen: &'a mut dyn Screen,
    /// What to press with.
    pub hands: &'a mut dyn Hands,
    /// Becomes true when learning is to stop, from whatever thread.
    pub stop: Arc<AtomicBool>,
    /// The least time between two presses.
    pub pace: Duration,
    /// Told what happens, and asked as a last resort.
    pub person: &'a mut dyn Person,
    /// Whether games are taken until more would hardly tell more; else until it is known how to play and what an end looks
    /// like, and the rest is [learned when it comes up](Learner::go_on).
    pub is_thorough: bool,
}

/// A board of which something is known before its skin is.
#[derive(Clone, Debug)]
pub struct Begun {
    /// Where the cells are, on the screen.
    pub grid: Grid,
    /// Cells that are covered in a game that is under way, of which all others are open; none where that is to be found out.
    pub covered: Vec<Pos>,
}

/// Games that were played to learn from, however they ended.
#[derive(Debug)]
pub struct Explored {
    /// What came of them.
    pub learned: Learned,
    /// Where the board is now, on the screen.
    pub lattice: Lattice,
    /// Whether another game has begun there, in which no cell was clicked yet.
    pub has_begun: bool,
    /// What ended them early, if anything did.
    pub trouble: Option<PlayError>,
    /// How the game ended that was gone on with, where that was seen.
    pub last: Option<Outcome>,
    /// What to go on from.
    pub studied: Studied,
}

impl Learner<'_> {
    /// Plays at most `games` games of what is on the screen and learns its skin. `known` is what is known
    /// of it: its name, and whatever of its behaviour.
    ///
    /// # Errors
    /// When there are no cells that can be told, when they follow no rules of Minesweeper, or when
    /// something gets in the way before a game is over. Later than that it ends the learning; what was
    /// learned by then is kept.
    pub fn learn(self, known: Skin, games: u32) -> Result<Explored, LearnError> {
        self.learn_at(None, known, games)
    }

    /// The same where something is known of the board.
    ///
    /// # Errors
    /// As for [`learn`](Self::learn).
    pub fn learn_at(
        self,
        begun: Option<Begun>,
        known: Skin,
        games: u32,
    ) -> Result<Explored, LearnError> {
        let Learner { screen, hands, stop, pace, person, is_thorough } = self;
        let guard = Guard::new(hands, stop.clone(), pace);
        let mut explorer = Explorer::begin(screen, guard, stop, person, known, begun, is_thorough)?;
        let (has_begun, trouble) = match take(&mut explorer, games, is_thorough) {
            Ok(has_begun) => {
                explorer.ask_for_numbers();
                (has_begun, None)
            }
            Err(LearnError::Play(error)) if explorer.has_ended_a_game() => (false, Some(error)),
            Err(error) => return Err(error),
        };
        come_of(explorer, has_begun, None, trouble)
    }

    /// Goes on with a game in which a player has `halted`, plays it to its end, and learns from it what could not be read.
    /// What was `studied` before is known; otherwise what the skin says that it was read with. Where a message is over a
    /// finished board, which hides it from a player, the next game is begun.
    ///
    /// # Errors
    /// When the game fits no rules, or when something gets in the way before it is over.
    pub fn go_on(self, studied: Option<Studied>, halted: &Halted) -> Result<Explored, LearnError> {
        let Learner { screen, hands, stop, pace, person, .. } = self;
        let guard = Guard::new(hands, stop.clone(), pace);
        let mut explorer = Explorer::return_to(screen, guard, stop, person, studied, halted)?;
        let last = explorer.go_on(halted)?;
        let (has_begun, trouble) = match explorer.leave_finished() {
            Err(LearnError::Play(error)) => (false, Some(error)),
            has_begun => (has_begun?, None),
        };
        come_of(explorer, has_begun, last, trouble)
    }
}

/// What came of the games that were explored.
fn come_of(
    explorer: Explorer<'_>,
    has_begun: bool,
    last: Option<Outcome>,
    trouble: Option<PlayError>,
) -> Result<Explored, LearnError> {
    let lattice = explorer.lattice().clone();
    let studied = explorer.end();
    match (studied.notes.learned(), trouble) {
        (Ok(learned), trouble) => {
            Ok(Explored { learned, lattice, has_begun, trouble, last, studied })
        }
        (Err(_), Some(trouble)) => Err(trouble.into()),
        (Err(error), None) => Err(error.into()),
    }
}

/// Takes one game after the other. Returns whether another one has begun then.
fn take(explorer: &mut Explorer<'_>, games: u32, is_thorough: bool) -> Result<bool, LearnError> {
    for game in 0..games {
        if game > 0 && !explorer.new_game()? {
            explorer.tell("no new game could be started");
            break;
        }
        // A way to the next game is a part of what is learned.
        if !is_thorough && game > 0 && explorer.can_play() {
            return Ok(true);
        }
        explorer.game(game)?;
        // Who plays on wants the next game to have begun.
        if explorer.knows_all() && game > 0 && is_thorough {
            break;
        }
    }
    Ok(false)
}
