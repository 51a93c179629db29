//! What a game is like to play: the `[game]` section of a skin.

use serde::{Deserialize, Serialize};

use crate::board::FirstClick;
use crate::input::{Button, Shortcut};

/// What a game is like to play. Every field has a default, for games about which nothing is known.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GameBehaviour {
    /// Titles or application names by which its windows are known, compared without case.
    pub windows: Vec<String>,
    /// How the next game is started.
    pub new_game: Option<Control>,
    /// Dialogs it raises, and how each is got past.
    pub dialogs: Vec<Dialog>,
    /// What its first click promises.
    pub first_click: Option<FirstClick>,
    /// Whether a second right click makes a question mark of a flag.
    pub question_marks: bool,
    /// How the neighbours of a satisfied number are opened at once.
    pub chord: Option<Chord>,
    /// Whether every mine must be flagged to win.
    pub won_only_with_flags: bool,
    /// Whether the game flags the mines by itself when it is won.
    pub flags_when_won: bool,
    /// Whether a region is open before the first click.
    pub starts_open: bool,
    /// Whether cells beside a blank may stay covered: some games open only those at its sides, or none.
    pub shuts_in_blanks: bool,
    /// How long a button must be held down, in milliseconds: some games look at the mouse now and then.
    pub hold_ms: u64,
    /// What it lays over the board when a game is over, if that hides cells that were open.
    pub end_message: Option<EndMessage>,
    /// Whether its board ends with its window on one side, to the pixel, though it has room on the other.
    pub ends_with_window: bool,
}

impl GameBehaviour {
    /// Whether a window may show either of two games: they may be themes of one program.
    pub fn shares_window(&self, other: &GameBehaviour) -> bool {
        self.windows.iter().any(|name| other.windows.contains(name))
    }

    /// Whether one of this game's names stands in one of a window's `names` for itself, as "Mines" does not in "Minesweeper"; upper
    /// and lower case being the same.
    pub fn is_named(&self, names: &[String]) -> bool {
        let is_in = |known: &String| {
            let known = known.to_lowercase();
            names.iter().any(|name| stands_in(&name.to_lowercase(), &known))
        };
        self.windows.iter().any(is_in)
    }

    /// The dialog of this game that has such a title.
    pub fn dialog(&self, title: &str) -> Option<&Dialog> {
        self.dialogs.iter().find(|dialog| dialog.is_titled(title))
    }
}

/// Whether `word` is in `text`, and no letter or digit is right before or after it.
fn stands_in(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}

/// Where a game's mine counter is, and what it shows.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CounterWays {
    /// What it shows.
    pub shows: Shows,
    /// The top left of the area in which it is looked for.
    pub from: Spot,
    /// The bottom right of that area.
    pub to: Spot,
}

/// What a mine counter shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shows {
    /// The mines less the flags.
    MinesLeft,
    /// The flags, a slash and the mines.
    FlagsOfMines,
}

/// A message in a game's own window that hides cells of a finished board, and how it is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndMessage {
    /// It stays until a new game is started.
    Stays,
    /// Escape closes it, and nothing else is answered before.
    Escape,
}

/// Something to press for a new game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Control {
    /// A key.
    #[serde(with = "shortcut")]
    Key(Shortcut),
    /// The left button on a place beside the board.
    Click(Spot),
    /// The left button on the board of a game that is over.
    Board,
    /// Nothing: the next game begins by itself, or when the dialog at the end of one is closed.
    Wait,
}

impl std::fmt::Display for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Control::Key(key) => key.fmt(f),
            Control::Click(_) => f.write_str("the place beside the board"),
            Control::Board => f.write_str("a click on the board"),
            Control::Wait => f.write_str("waiting"),
        }
    }
}

/// A place beside the board, measured from the board so that it holds at any cell size.
///
/// The distance from an edge or the middle of the board is counted in cells (pitches).
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Spot {
    /// Where it is measured from: 0 is the board's left edge, 0.5 its middle, 1 its right edge.
    pub across: f64,
    /// Cells to the right of there (negative: to the left).
    #[serde(default)]
    pub right: f64,
    /// Where it is measured from: 0 is the board's top edge, 1 its bottom edge.
    pub along: f64,
    /// Cells below there (negative: above).
    #[serde(default)]
    pub down: f64,
}

/// A dialog, known by its title, and the key that gets past it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dialog {
    /// Its window's title.
    pub title: String,
    /// The key that closes it.
    #[serde(with = "shortcut")]
    pub key: Shortcut,
}

impl Dialog {
    /// Whether a window with this title is the dialog, upper and lower case being the same.
    pub fn is_titled(&self, title: &str) -> bool {
        self.title.trim().to_lowercase() == title.trim().to_lowercase()
    }
}

/// How the neighbours of a satisfied number are opened at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Chord {
    /// The left button on the number.
    Left,
    /// The middle button on the number.
    Middle,
    /// Left and right button together on the number.
    Both,
}

impl Chord {
    /// Every way.
    pub const ALL: [Chord; 3] = [Chord::Left, Chord::Middle, Chord::Both];

    /// The buttons to press, in order; they are released in reverse.
    pub const fn buttons(self) -> &'static [Button] {
        match self {
            Chord::Left => &[Button::Left],
            Chord::Middle => &[Button::Middle],
            Chord::Both => &[Button::Left, Button::Right],
        }
    }
}

impl std::fmt::Display for Chord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Chord::Left => "the left button",
            Chord::Middle => "the middle button",
            Chord::Both => "both buttons",
        })
    }
}

mod shortcut {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::input::Shortcut;

    pub fn serialize<S: Serializer>(keys: &Shortcut, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(keys)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Shortcut, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_for_itself() {
        let windows = vec!["sgt-mines".to_owned(), "Mines".to_owned()];
        let game = GameBehaviour { windows, ..GameBehaviour::default() };
        let is_named = |name: &str| game.is_named(&["a program".to_owned(), name.to_owned()]);
        assert!(
            ["Mines", "MINES (9x9)", "Mines: 10 left", "/usr/games/sgt-mines"].map(is_named)
                == [true; 4]
        );
        assert!(["Minesweeper", "KMines", "Mines2", "a mine"].map(is_named) == [false; 4]);
    }
}
