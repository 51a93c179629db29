//! The games of a session, one after the other.

use std::time::Instant;

use super::Session;
use crate::play::history::History;
use crate::play::{Outcome, PlayError};
use crate::recognize::Skin;

impl Session<'_> {
    /// Plays the games that are left; or those until a skin has learned something, which is returned when the next game
    /// is there to be read with it.
    pub(in crate::play) fn games(&mut self) -> Result<Option<Skin>, PlayError> {
        if self.options.dry_run {
            self.strategy.new_game(self.options.seed);
            return self.game().map(|_| None);
        }
        self.attend()?;
        self.park()?;
        self.perception.look()?;
        let (first, mut learned) = (self.summary.games, None);
        let mut is_over = self.options.anew || self.perception.reading().status.is_over();
        // A win may have been gone on to before.
        let is_enough = self.options.until_win && self.summary.wins > 0;
        while self.summary.games < self.options.games && !is_enough {
            let game = self.summary.games;
            if is_over {
                self.new_game()?;
                if game == first && self.options.lattice.is_none() {
                    self.perception.find_anew()?;
                }
            }
            if learned.is_some() {
                break;
            }
            self.history = History::of(is_over);
            self.watcher.game_begins(game);
            self.strategy.new_game(self.options.seed.wrapping_add(u64::from(game)));
            let start = Instant::now();
            let played = self.game();
            is_over = true;
            if !self.history.is_any() {
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
            self.summary.misreads = self.perception.misreads();
            // The numbers may tell that it is another theme of the same program. What they do not tell changes nothing of
            // how the game ended, nor does a window that is closed with it.
            if played.is_ok()
                && let Err(error) = self.perception.catch_up()
            {
                log::debug!("the theme is as it was: {error}");
            }
            self.summary.skin = Some(self.perception.reading().skin.name.clone());
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
