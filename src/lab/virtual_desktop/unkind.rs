//! What may go wrong on a virtual desktop, and what it notes of the clicks it gets.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::board::{Cell, Pos};
use crate::geometry::Px;
use crate::input::Shortcut;

/// What a desktop does to make playing hard. The default is a kind one.
#[derive(Clone, Debug, Default)]
pub struct Unkindness {
    /// Every click of this number is lost: the 3rd, the 6th, ...
    pub loses_every: Option<u64>,
    /// A click that follows another sooner than this is lost, as under some window managers.
    pub swallows_within: Duration,
    /// How long after a click its effect is painted.
    pub paints_late: Duration,
    /// Whether the skin's first dialog comes up in front of the board when a game is over.
    pub dialog_at_end: bool,
    /// Whether the desktop names no windows, and does not say who has the keyboard. It draws a window darker that waits for a dialog.
    pub names_no_windows: bool,
    /// Whether the game writes a message over the middle of its board when it is over.
    pub message_at_end: bool,
    /// What the game shows when it is lost.
    pub when_lost: WhenLost,
    /// Whether the game shows its mines when it is won.
    pub mines_when_won: bool,
    /// Whether all games that begin within a second have the same mines.
    pub deals_by_the_second: bool,
    /// When a right click marks a cell, or what does instead.
    pub flags: TakesFlags,
    /// How a new game is started.
    pub new_games: NewGames,
    /// How far the board moves within its window when the first cell of the first game is opened.
    pub moves_once_open: (i32, i32),
    /// How far the board moves when a game is over, until the next one begins.
    pub moves_when_over: (i32, i32),
    /// Whether the scene's switch makes the window dark while it is down.
    pub switch_darkens: bool,
    /// Whether the game draws the covered cell under the pointer lighter.
    pub highlights: bool,
    /// What happens right after the click of this number (from 1).
    pub mishaps: Vec<(u64, Mishap)>,
}

/// What a game shows when it is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum WhenLost {
    /// All mines, and which flags were wrong.
    #[default]
    Mines,
    /// The mine that went off, and no other.
    ThatMine,
    /// All mines, and the number of every other cell.
    All,
}

/// When a game takes flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TakesFlags {
    /// Always.
    #[default]
    Always,
    /// Once a cell is open.
    OnceOpen,
    /// Never; if a click sets them while a key is held, nobody who holds none sees one.
    Never,
    /// Never; a right click brings up a menu.
    Menu,
    /// By left clicks while the scene's switch is down.
    BySwitch,
}

/// How a new game is started.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NewGames {
    /// By the control that the skin names.
    #[default]
    ByControl,
    /// By a click on the board of a game that is over.
    ByClickOnBoard,
    /// The same; the click opens a cell of it.
    ByClickThatOpens,
    /// By itself, so long after the end of a game.
    ByItself(Duration),
    /// When the dialog at the end of a game is closed.
    WithDialog,
    /// By the control that the skin names; each game but the first is in a window of its own, one cell farther to the right and down.
    InAnotherWindow {
        /// Whether the window of the game before stays, without a board; else it is closed.
        stays: bool,
    },
    /// By a button over the middle of the board, on the veil that a game lays over its window when it is over. Nothing else is
    /// answered then.
    ByVeil,
}

/// Something that happens in the middle of a game.
#[derive(Clone, Debug)]
pub enum Mishap {
    /// The window jumps to this place.
    Move(Px),
    /// The board moves by so much within its window, as when a page is scrolled.
    Scroll(i32, i32),
    /// The window grows to the right by so many pixels.
    Widen(u32),
    /// The window is closed.
    Close,
    /// A window of this title comes in front.
    Cover(String),
    /// A dialog of the game with this title comes in front, and this key closes it.
    Dialog(String, Shortcut),
    /// A cell cannot be read for so long.
    Smudge(Pos, Duration),
    /// The cell that was clicked first looks like this from now on.
    Mispaint(Cell),
    /// Somebody else opens this cell.
    Open(Pos),
    /// Somebody else begins a new game.
    NewGame,
    /// A hand moves the mouse to this place.
    Hand(Px),
    /// The signal to stop is given.
    Stop(Arc<AtomicBool>),
}

/// What became of the clicks and keys on a virtual desktop.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Log {
    /// Clicks of any buttons, lost ones included.
    pub clicks: u64,
    /// Clicks that were lost.
    pub lost: u64,
    /// Clicks that hit neither a cell nor the new-game control: where.
    pub stray: Vec<Px>,
    /// Left clicks on a cell that had been clicked in the same game and showed as open.
    pub repeated: Vec<Pos>,
    /// Keys that were struck.
    pub keys: u64,
    /// Keys that did nothing.
    pub idle_keys: u64,
    /// How often the scene's switch was pressed.
    pub switched: u64,
    /// Games that were started by the new-game control.
    pub new_games: u64,
}
