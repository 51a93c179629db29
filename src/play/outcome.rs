//! How games ended, and what a session of them came to.

use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Every cell without a mine is open (and every mine flagged, where the game asks for that).
    Won,
    /// A mine went off.
    Lost,
    /// The player stopped in the middle of the game.
    Abandoned,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Outcome::Won => "won",
            Outcome::Lost => "lost",
            Outcome::Abandoned => "abandoned",
        })
    }
}

/// What a session of games came to. Serializes to the object that `play --json` prints.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// Games that were played: begun by the player, or taken over and clicked in.
    pub games: u32,
    /// Games won.
    pub wins: u32,
    /// Games lost.
    pub losses: u32,
    /// How each game ended, in order.
    pub outcomes: Vec<Outcome>,
    /// How long each game took by the clock on the wall, from the first look to the last, in order.
    #[serde(serialize_with = "as_seconds")]
    pub seconds: Vec<Duration>,
    /// Clicks made on cells, those sent again included.
    pub clicks: u64,
    /// Clicks that never showed and were sent again.
    pub clicks_lost: u64,
    /// Readings that contradicted an earlier one of the same game.
    pub misreads: u32,
    /// Games that were lost at a cell which was proven to be no mine.
    pub proven_mines: u32,
    /// The skin of the board as it was read last, once one was found.
    pub skin: Option<String>,
}

impl Summary {
    /// The last game was abandoned, and ended so after that.
    pub fn went_on(&mut self, ended: Outcome) {
        if let Some(last) = self.outcomes.last_mut().filter(|last| **last == Outcome::Abandoned) {
            *last = ended;
            self.wins += u32::from(ended == Outcome::Won);
            self.losses += u32::from(ended == Outcome::Lost);
        }
    }

    pub(super) fn add(&mut self, outcome: Outcome, took: Duration) {
        self.games += 1;
        match outcome {
            Outcome::Won => self.wins += 1,
            Outcome::Lost => self.losses += 1,
            Outcome::Abandoned => {}
        }
        self.outcomes.push(outcome);
        self.seconds.push(took);
    }
}

fn as_seconds<S: Serializer>(times: &[Duration], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(times.iter().map(Duration::as_secs_f64))
}
