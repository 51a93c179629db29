//! A replay: a laid board, and what somebody did with the mouse on it.

use super::LaidBoard;
use crate::board::Pos;

/// A replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// The board; its first click is the first cell on which the left button was released.
    pub board: LaidBoard,
    /// The program that was played.
    pub program: String,
    /// Width and height of a cell in pixels.
    pub cell: u16,
    /// Whether the game was won, if the replay says it.
    pub won: Option<bool>,
    /// What was done, in order.
    pub events: Vec<Event>,
}

/// Something done with the mouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    /// Milliseconds since the game's own clock began to run; less than 0 before that.
    pub ms: i64,
    /// What was done.
    pub mouse: Mouse,
    /// Pixels from the left of the board.
    pub x: i32,
    /// Pixels from the top of the board.
    pub y: i32,
}

/// What can be done with a mouse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mouse {
    /// The pointer moves.
    Move,
    /// The left button goes down.
    LeftPress,
    /// The left button goes down with Shift held, which opens around a number when it is released.
    ShiftPress,
    /// The left button goes up.
    LeftRelease,
    /// The right button goes down.
    RightPress,
    /// The right button goes up.
    RightRelease,
    /// The middle button goes down.
    MiddlePress,
    /// The middle button goes up.
    MiddleRelease,
    /// The game's setting for question marks is changed.
    ToggleMarks,
}

impl Replay {
    /// A replay of these events; they tell which cell was opened first.
    pub fn new(
        mut board: LaidBoard,
        program: String,
        cell: u16,
        won: Option<bool>,
        events: Vec<Event>,
    ) -> Self {
        let side = i32::from(cell.max(1));
        let place = |event: &Event| {
            let (col, row) = (event.x.div_euclid(side), event.y.div_euclid(side));
            let pos = Pos::new(u16::try_from(col).ok()?, u16::try_from(row).ok()?);
            (pos.col < board.cols && pos.row < board.rows).then_some(pos)
        };
        let released = events.iter().filter(|event| event.mouse == Mouse::LeftRelease);
        board.first = released.filter_map(place).next();
        Self { board, program, cell, won, events }
    }

    /// How long the game took by its own clock, in milliseconds.
    pub fn ms(&self) -> i64 {
        self.events.last().map_or(0, |event| event.ms.max(0))
    }
}
