//! What a strategy answers.

use std::fmt;

use crate::board::Pos;

use super::odds::Odds;

/// What to do on a board: cells proven safe, cells proven mined, and when nothing is safe, a guess.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Advice {
    /// Unopened cells proven to hold no mine, row by row, each with the proof. A flagged cell among
    /// them carries a wrong flag; whether to take it off is the player's decision.
    pub safe: Vec<Deduction>,
    /// Unopened cells proven to hold a mine, row by row, flagged ones included, each with the proof.
    pub mined: Vec<Deduction>,
    /// The cell to try: there exactly when `safe` is empty and some unopened cell may be clear. Flagged
    /// only when no other such cell is left.
    pub guess: Option<Guess>,
    /// The chance of a mine in every unopened cell, where the strategy found it out.
    pub odds: Option<Odds>,
    /// The chance to win the game by this advice, from 0 to 1, where the strategy knows it.
    pub win_chance: Option<f64>,
}

/// A cell and how its content was proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deduction {
    /// The cell.
    pub pos: Pos,
    /// The proof.
    pub reason: Reason,
}

/// A cell to open without a proof. `Display` tells a person why, and at what risk.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Guess {
    /// The cell.
    pub pos: Pos,
    /// Why this one.
    pub reason: Reason,
    /// The chance of a mine there from 0 to 1, where the strategy knows one.
    pub risk: Option<f64>,
}

impl Advice {
    /// The chance to hit a mine by following it, from 0 to 1, where that is known.
    pub fn risk(&self) -> Option<f64> {
        self.guess.map_or(Some(0.0), |guess| guess.risk)
    }
}

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)?;
        match self.risk {
            Some(risk) => write!(f, " ({:.1} % to hit a mine)", 100.0 * risk),
            None => Ok(()),
        }
    }
}

/// Why a cell is proven or chosen. `Display` tells a person.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The number has all its mines already.
    NumberSatisfied {
        /// The number.
        number: Pos,
    },
    /// The number needs a mine in every unknown cell around it.
    NumberNeedsAll {
        /// The number.
        number: Pos,
    },
    /// With the opposite content of the cell, this number could not be right.
    Contradiction {
        /// The number that would be wrong.
        number: Pos,
    },
    /// With the opposite content of the cell, the mine count of the board could not be right.
    CountContradiction,
    /// The board has no other mines left.
    AllMinesFound,
    /// Nothing but mines is left.
    OnlyMinesLeft,
    /// The helper shares unknown cells with the original and forces so many mines, or so many clear
    /// cells, into them that the original has none left for its other unknown cells.
    HelperSquare {
        /// The number that the cell touches.
        original: Pos,
        /// The number that helps; the cell does not touch it.
        helper: Pos,
    },
    /// Taking the unknown cells of two numbers apart where they overlap leaves a group of cells that are
    /// all mines or all clear.
    Groups {
        /// The number whose group was taken apart; the last one of several.
        number: Pos,
        /// The number whose group it overlapped with, or of which that is a part.
        other: Pos,
    },
    /// Every arrangement of the mines agrees on the cell.
    EveryArrangement,
    /// Every placement of the mines around this number that the numbers near it allow agrees on the
    /// cell.
    EveryPlacement {
        /// The number.
        number: Pos,
    },
    /// A corner, tried in the first rounds.
    Corner,
    /// One of two unknown cells of this number, of which one is a mine: surviving it tells which.
    FiftyFifty {
        /// The number.
        number: Pos,
    },
    /// The strategy gives no cell a smaller chance of a mine.
    LeastChance,
    /// By no other cell the game is won more likely, as far as was looked ahead.
    MostWins,
    /// It touches no number, and no cell that does has a smaller chance of a mine.
    AwayFromNumbers,
    /// Nothing tells the covered cells apart.
    Random,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::NumberSatisfied { number } => {
                write!(f, "the number at {number} has all its mines already")
            }
            Reason::NumberNeedsAll { number } => {
                write!(f, "the number at {number} needs a mine in every unknown cell around it")
            }
            Reason::Contradiction { number } => {
                write!(f, "anything else would make the number at {number} wrong")
            }
            Reason::CountContradiction => {
                f.write_str("anything else would not fit the number of mines on the board")
            }
            Reason::AllMinesFound => f.write_str("all mines are found"),
            Reason::OnlyMinesLeft => f.write_str("only mines are left"),
            Reason::HelperSquare { original, helper } => write!(
                f,
                "the number at {helper} settles the cells it shares with the number at {original}, \
                 which settles the others of that number"
            ),
            Reason::Groups { number, other } => write!(
                f,
                "the number at {number} compared with the number at {other} leaves only one \
                 possibility"
            ),
            Reason::EveryArrangement => {
                f.write_str("it is so in every arrangement of mines that fits the board")
            }
            Reason::EveryPlacement { number } => write!(
                f,
                "all mines that the number at {number} can have beside the numbers near it agree"
            ),
            Reason::Corner => {
                f.write_str("a guess: a corner, the likeliest to open a region early")
            }
            Reason::FiftyFifty { number } => write!(
                f,
                "a guess: one of the two unknown cells of the number at {number} is a mine, \
                 and surviving tells which"
            ),
            Reason::LeastChance => f.write_str("a guess: the least chance of a mine"),
            Reason::MostWins => f.write_str("a guess: no other cell wins the game more often"),
            Reason::AwayFromNumbers => {
                f.write_str("a guess: no cell beside a number is likelier to be clear")
            }
            Reason::Random => f.write_str("a guess: nothing tells the covered cells apart"),
        }
    }
}
