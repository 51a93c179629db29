//! How to play: what a person may choose, and how long anything may take.

use std::str::FromStr;
use std::time::Duration;

use super::Summary;
use crate::recognize::Lattice;

/// Which mouse buttons a game is played with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Style {
    /// Only opens cells. Where a game is won only with every mine flagged, the flags come last.
    #[default]
    NoFlags,
    /// Flags every mine as soon as it is proven.
    Flags,
    /// Flags, and opens around a satisfied number at once where that saves clicks.
    Chords,
    /// The fewest clicks: flags only where opening around a number at once repays it.
    Efficient,
}

impl Style {
    /// Every style.
    pub const ALL: [Style; 4] = [Style::NoFlags, Style::Flags, Style::Chords, Style::Efficient];

    /// The name by which it is chosen.
    pub const fn name(self) -> &'static str {
        match self {
            Style::NoFlags => "no-flags",
            Style::Flags => "flags",
            Style::Chords => "chords",
            Style::Efficient => "efficient",
        }
    }

    /// Whether proven mines are flagged as they are found.
    pub const fn flags(self) -> bool {
        matches!(self, Style::Flags | Style::Chords)
    }

    /// Whether cells are opened around satisfied numbers.
    pub const fn chords(self) -> bool {
        matches!(self, Style::Chords | Style::Efficient)
    }
}

impl std::fmt::Display for Style {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Style {
    type Err = UnknownStyle;

    fn from_str(name: &str) -> Result<Self, UnknownStyle> {
        Style::ALL
            .into_iter()
            .find(|style| style.name() == name)
            .ok_or_else(|| UnknownStyle(name.to_owned()))
    }
}

/// A word that is no style.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no style; use no-flags, flags, chords or efficient")]
pub struct UnknownStyle(pub String);

/// How to play.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// How many games to play at most.
    pub games: u32,
    /// Whether to stop at the first win.
    pub until_win: bool,
    /// Which buttons to use.
    pub style: Style,
    /// The least time between two clicks. The player goes slower by itself when clicks get lost.
    pub pace: Duration,
    /// Whether to move the pointer along curves and to take as long as a person does, by the seed.
    pub human: bool,
    /// Looks, thinks and tells the watcher what would be clicked, and clicks nothing.
    pub dry_run: bool,
    /// Where all that is random in the strategy comes from; each game adds its number to it.
    pub seed: u64,
    /// The number of mines, where the person knows it.
    pub mines: Option<u32>,
    /// Where the board is on the screen, if that is known.
    pub lattice: Option<Lattice>,
    /// Whether to begin with a new game, whatever the board shows: the game on it was played by somebody else.
    pub anew: bool,
    /// The names of the skins that numbers may be added to which they lack: the user's own.
    pub learns: Vec<String>,
    /// What was played before, which counts as well.
    pub before: Summary,
    /// How many nodes the strategy may spend on one decision.
    pub nodes: u64,
    /// How long it may think about one decision; the best found by then is played. Without a limit the same
    /// seed plays the same games.
    pub think: Option<Duration>,
    /// How long everything may take.
    pub deadlines: Deadlines,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            games: 1,
            until_win: false,
            style: Style::default(),
            pace: Duration::ZERO,
            human: false,
            dry_run: false,
            seed: 0,
            mines: None,
            lattice: None,
            anew: false,
            learns: Vec::new(),
            before: Summary::default(),
            nodes: 200_000,
            think: None,
            deadlines: Deadlines::default(),
        }
    }
}

/// How long to wait for evidence before giving up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deadlines {
    /// For a board to be found, at the start and after the window moved.
    pub find: Duration,
    /// For a batch of clicks to show, clicks that are sent again included. It starts anew whenever
    /// one more click shows.
    pub clicks: Duration,
    /// For unclear cells or a hidden board to clear up.
    pub clear: Duration,
    /// For a new game to show.
    pub new_game: Duration,
    /// For a dialog to go away.
    pub dialog: Duration,
    /// For a window to go away that no window manager knows, like a menu or a pop-up.
    pub cover: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            find: Duration::from_secs(2),
            clicks: Duration::from_secs(5),
            // KMines' message about the end stays for four.
            clear: Duration::from_secs(10),
            new_game: Duration::from_secs(10),
            dialog: Duration::from_secs(5),
            cover: Duration::from_millis(1500),
        }
    }
}
