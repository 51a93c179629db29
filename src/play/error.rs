//! Why the player stopped before it was done.

use std::time::Duration;

use crate::board::{Cell, Pos};
use crate::capture::CaptureError;
use crate::geometry::{Px, Rect};
use crate::input::InputError;
use crate::recognize::ReadError;
use crate::solver::SolveError;

/// Why the player stopped before it was done.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The signal to stop was given.
    #[error("stopped by the user")]
    Interrupted,
    /// Somebody moved the mouse.
    #[error(
        "the mouse was moved: left at {left}, found at {found}; \
         stopped so as not to fight over it (start again to play on)"
    )]
    HandOnMouse {
        /// Where the player left the pointer.
        left: Px,
        /// Where it is now.
        found: Px,
    },
    /// A person holds down something that makes another press of each.
    #[error("{what} is held down, so nothing was pressed; let it go and start again")]
    HeldDown {
        /// The name of a key, or a button of the mouse.
        what: &'static str,
    },
    /// Something that no skin knows is in front of the game.
    #[error(
        "the game is covered by '{by}'; move or close it and start again \
         (a dialog of the game itself can be named in the skin's [game] section)"
    )]
    Covered {
        /// Its title or application.
        by: String,
    },
    /// A dialog that should have closed is still there.
    #[error("the dialog '{title}' did not close when {key} was pressed; close it and start again")]
    DialogStays {
        /// Its title.
        title: String,
        /// The key that was to close it.
        key: String,
    },
    /// The game does not get what is typed.
    #[error(
        "'{by}' has the keyboard, so no key was struck; click on the title of the game's window and start again"
    )]
    NoKeyboard {
        /// Who has it.
        by: String,
    },
    /// A key would do something to the program that the game runs in.
    #[error(
        "{key} is not struck in a window of {class}: there it may do other things than start a game; \
         start one yourself"
    )]
    HarmfulKey {
        /// The key.
        key: String,
        /// The program.
        class: String,
    },
    /// Something was to be pressed sooner after the press before than was asked for.
    #[error("refused to press anything for {left:?} more: that is the pace that was asked for")]
    TooSoon {
        /// How long it takes until something may be pressed.
        left: Duration,
    },
    /// The window was closed or minimised.
    #[error("the window of the game is gone: it was closed or minimised")]
    WindowGone,
    /// The window does not come to rest.
    #[error(
        "the window of the game keeps moving, so nothing was clicked; start again when it stands still"
    )]
    KeepsMoving,
    /// The board is no longer where it was, and nowhere else either.
    #[error(
        "{}, and the {cols}x{rows} board is not found in the window any more; \
         bring all of it in sight and start again",
        match .resized {
            Some(to) => format!("the resolution of the screen changed ({to} now)"),
            None => "the window moved or changed its size".to_owned(),
        }
    )]
    BoardLost {
        /// Columns of the board.
        cols: u16,
        /// Rows of the board.
        rows: u16,
        /// The screen, if it has another size than before.
        resized: Option<Rect>,
        /// What was seen instead.
        #[source]
        source: Option<ReadError>,
    },
    /// The game hides its board.
    #[error(
        "the board is hidden: is the game paused, or asking something? answer it and start again"
    )]
    BoardHidden,
    /// Cells stayed unclear, and nothing can be proven without them.
    #[error(
        "{} of {skin} cannot be read and no safe move avoids them; \
         is something in front of them, or does the skin need calibrating?",
        cells(.at)
    )]
    Unclear {
        /// The cells.
        at: Vec<Pos>,
        /// The skin in use.
        skin: String,
    },
    /// Nothing has ever answered: the window may show a picture.
    #[error(
        "nothing answered {times} clicks on {}: is this a picture of a game, or a game that is paused? \
         name the window of the game with --window",
        cells(.at)
    )]
    NoAnswer {
        /// The cells.
        at: Vec<Pos>,
        /// How often the one clicked most was clicked.
        times: u32,
    },
    /// Clicks were sent and sent again, and never showed.
    #[error(
        "{} did not change though clicked {times} times; \
         does the window take clicks, and is the display responding?",
        cells(.at)
    )]
    ClicksDoNotShow {
        /// The cells.
        at: Vec<Pos>,
        /// How often the one clicked most was clicked.
        times: u32,
    },
    /// An opened cell seems to have changed, so one of two readings is wrong.
    #[error(
        "cell {at} was read as '{}' and then as '{}', but opened cells do not change: \
         one of the readings is wrong, or somebody else plays too",
        .before.symbol(), .after.symbol()
    )]
    Misread {
        /// The cell.
        at: Pos,
        /// What it was first read as.
        before: Cell,
        /// What it was read as later.
        after: Cell,
    },
    /// A cell that was proven to be no mine was one.
    #[error(
        "a mine went off at {}, proven to be safe, and a proof cannot be wrong: a cell or the number of mines was \
         misread (or given wrongly), the window moved, or somebody else plays too",
        cells(.at)
    )]
    ProvenMine {
        /// The cell; several when it cannot be told which of them it was.
        at: Vec<Pos>,
    },
    /// A game was lost by a click that was not the player's.
    #[error(
        "a mine went off {}: somebody else plays too, or the window moved; start again to play on",
        .at.map_or("that the player has not clicked".to_owned(), |at| format!(
            "at cell {at}, which the player has not clicked"
        ))
    )]
    ForeignMine {
        /// The cell, if it can be told.
        at: Option<Pos>,
    },
    /// The skin does not say how a new game is started.
    #[error(
        "skin {skin} does not say how a new game is started; start one yourself, \
         or name the key or the place in its [game] section"
    )]
    NoNewGame {
        /// The skin.
        skin: String,
    },
    /// The new-game control was pressed and the board stayed as it was.
    #[error(
        "no new game appeared after pressing {control} ({times} times); \
         does the game ask for something in another window? Answer that first. \
         Is this a picture of a game, or does it start with something else? \
         The skin's [game] section names the key or the place"
    )]
    NewGameDoesNotShow {
        /// The key or the place.
        control: String,
        /// How often it was pressed.
        times: u32,
    },
    /// A click that the guard did not let through.
    #[error(
        "refused to press {what}: it is not inside {allowed}; is all of the window in sight, \
         and does the skin's [game] section fit it?"
    )]
    Refused {
        /// What was to be pressed.
        what: String,
        /// Where pressing is allowed.
        allowed: Rect,
    },
    /// No board was found.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The screen cannot be looked at.
    #[error(transparent)]
    Capture(CaptureError),
    /// The mouse or the keyboard cannot be used.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The strategy has no advice.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

impl PlayError {
    /// Whether the game was lost, in a way that no guess of the player explains.
    pub fn is_loss(&self) -> bool {
        matches!(self, PlayError::ProvenMine { .. } | PlayError::ForeignMine { .. })
    }
}

impl From<CaptureError> for PlayError {
    fn from(error: CaptureError) -> Self {
        match error {
            CaptureError::WindowGone { .. } => PlayError::WindowGone,
            other => PlayError::Capture(other),
        }
    }
}

/// The cells as a person lists them, not more than eight.
fn cells(at: &[Pos]) -> String {
    const SHOWN: usize = 8;
    let names: Vec<_> = at.iter().take(SHOWN).map(Pos::to_string).collect();
    let more = match at.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let noun = if at.len() == 1 { "cell" } else { "cells" };
    format!("{noun} {}{more}", names.join(", "))
}
