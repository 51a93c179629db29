//! The player's part in a game: which cells it has opened, and why. By that a loss is judged.
//!
//! A guess may hit a mine; that is how games are lost. A cell that is proven safe cannot, as long as everything was
//! seen rightly and nobody else plays. So a mine that went off anywhere but under a guess is
//! [reported](super::PlayError) as what it is.

use std::collections::{BTreeMap, HashSet};

use super::plan::positions;
use super::unknown_numbers::numbers;
use super::{Action, Clicked, Outcome, Step};
use crate::board::{Board, Cell, Pos};

/// Why a cell was opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Why {
    /// Nothing was proven.
    Guessed,
    /// It was proven to be no mine.
    Proven,
}

/// How a game came to show mines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// None went off: all else is open, and nobody but the player has opened it. Some games show their mines when they are won.
    Won,
    /// A guess hit a mine.
    Guess,
    /// A mine was in one of these cells, each of which was proven to be none.
    Proven(Vec<Pos>),
    /// The player has opened no cell that went off; the mine that did, if it can be told.
    Foreign(Option<Pos>),
}

/// What the player has done in one game.
#[derive(Debug, Default)]
pub(super) struct History {
    /// The cell that is risked in this turn, if nothing is proven.
    risked: Option<Pos>,
    opened: BTreeMap<Pos, Why>,
    /// The board on which the last click was decided.
    decided_on: Option<Board>,
    flagged: HashSet<Pos>,
    has_begun: bool,
    has_clicked: bool,
    /// Whether a cell that was risked did not answer, and all that is left may be mines.
    has_come_to_rest: bool,
}

impl History {
    /// Nothing yet, but that the player may have begun the game.
    pub(super) fn of(has_begun: bool) -> Self {
        Self { has_begun, ..Self::default() }
    }

    /// Whether it is a game of the player's: one that it began, or in which it has clicked.
    pub(super) fn is_any(&self) -> bool {
        self.has_begun || self.has_clicked
    }

    /// Whether the player has clicked in it.
    pub(super) fn has_clicked(&self) -> bool {
        self.has_clicked
    }

    /// A cell that was risked does not answer, and all that is left may be mines: the game is over, though it does not show.
    pub(super) fn comes_to_rest(&mut self) {
        self.has_come_to_rest = true;
    }

    /// Whether the game [came to rest](Self::comes_to_rest).
    pub(super) fn has_come_to_rest(&self) -> bool {
        self.has_come_to_rest
    }

    /// Whether this cell is risked in this turn.
    pub(super) fn is_risked(&self, pos: Pos) -> bool {
        self.risked == Some(pos)
    }

    /// A turn begins, in which this cell is risked; everything else that is opened is proven.
    pub(super) fn risks(&mut self, guess: Option<Pos>) {
        self.risked = guess;
    }

    /// A click of `step` goes out on `board`. A cell that was guessed and is proven safe later counts as proven.
    pub(super) fn clicks(&mut self, step: Step, board: &Board) {
        self.has_clicked = true;
        if self.decided_on.as_ref() != Some(board) {
            self.decided_on = Some(board.clone());
        }
        match step.action {
            Action::Open if self.risked == Some(step.pos) => {
                self.opened.entry(step.pos).or_insert(Why::Guessed);
            }
            Action::Open => {
                self.opened.insert(step.pos, Why::Proven);
            }
            Action::Chord => {
                // Flags that were sent right before may not show yet.
                let is_opened =
                    |near: &Pos| board[*near] == Cell::Covered && !self.flagged.contains(near);
                let opened = board.neighbours(step.pos).filter(is_opened);
                self.opened.extend(opened.map(|near| (near, Why::Proven)));
            }
            Action::Flag => {
                self.flagged.insert(step.pos);
            }
            Action::Unflag => {
                self.flagged.remove(&step.pos);
            }
        }
    }

    /// Whether the player has opened this cell.
    pub(super) fn has_opened(&self, pos: Pos) -> bool {
        self.opened.contains_key(&pos)
    }

    /// The cells that the player has opened.
    pub(super) fn opened(&self) -> impl Iterator<Item = Clicked> {
        let clicked = |(&pos, &why)| Clicked { pos, is_proven: why == Why::Proven };
        self.opened.iter().map(clicked)
    }

    /// How the game ended of which no end was seen, since the next one has begun by itself: what was risked last was a mine,
    /// or else all is open.
    pub(super) fn unseen_end(&self) -> Outcome {
        if self.risked.is_some() { Outcome::Lost } else { Outcome::Won }
    }

    /// Whether the cell was open before the last click, whatever it shows.
    fn was_open(&self, pos: Pos) -> bool {
        self.decided_on.as_ref().is_some_and(|board| is_open(board[pos]))
    }

    /// Whether all that is no mine is open on a board that shows mines, and all of it was before the last click, was clicked, or is
    /// beside a blank.
    fn has_cleared(&self, board: &Board) -> bool {
        let is_blank = |pos: Pos| board[pos].number() == Some(0);
        board.iter().all(|(pos, cell)| match cell {
            Cell::Mine | Cell::Flagged => true,
            Cell::Unclear => self.was_open(pos),
            cell if is_open(cell) => {
                self.was_open(pos)
                    || self.opened.contains_key(&pos)
                    || board.neighbours(pos).any(is_blank)
            }
            _ => false,
        })
    }

    /// How the game on `board` came to show mines. Where the mine that went off does not look otherwise than the others, or is
    /// hidden, it is among the cells that were opened and show no number.
    pub(super) fn cause(&self, board: &Board) -> Cause {
        let own = |mut cells: Vec<Pos>| {
            cells.retain(|pos| self.opened.contains_key(pos));
            cells
        };
        let burst = positions(board, |cell| cell == Cell::Burst);
        // What the skin has no number for is none of the mines that are shown, where those account for every number.
        let mut board = board.clone();
        if burst.is_empty()
            && let Some(numbers) = numbers(&board)
        {
            for pos in positions(&board, |cell| cell == Cell::Unclear) {
                if is_open(numbers[pos]) {
                    board[pos] = Cell::Opened;
                }
            }
        }
        let board = &board;
        let suspects = if !burst.is_empty() {
            own(burst.clone())
        } else {
            let mines = own(positions(board, |cell| cell == Cell::Mine));
            let hidden = || {
                let mut hidden = positions(board, |cell| !is_open(cell));
                hidden.retain(|&pos| !self.was_open(pos));
                own(hidden)
            };
            if mines.is_empty() { hidden() } else { mines }
        };
        if suspects.iter().any(|pos| self.opened[pos] == Why::Guessed) {
            Cause::Guess
        } else if suspects.is_empty() && burst.is_empty() && self.has_cleared(board) {
            Cause::Won
        } else if suspects.is_empty() {
            Cause::Foreign(burst.first().copied())
        } else {
            Cause::Proven(suspects)
        }
    }
}

/// Whether a cell is known to be open and no mine.
fn is_open(cell: Cell) -> bool {
    cell.number().is_some() || cell == Cell::Opened
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a game was lost in which `g` was guessed and `p` was proven and opened.
    fn cause(opened: &str, shown: &str) -> Cause {
        let shown: Board = shown.parse().unwrap();
        let covered = Board::new(shown.cols(), shown.rows());
        let mut history = History::default();
        let why = opened.lines().flat_map(str::chars);
        for (pos, why) in covered.positions().zip(why).filter(|&(_, why)| why != ' ') {
            history.risks((why == 'g').then_some(pos));
            history.clicks(Step::on(&covered, pos, Action::Open), &covered);
        }
        history.cause(&shown)
    }

    #[test]
    fn a_guess_that_loses_is_a_plain_loss() {
        assert_eq!(cause("pg ", "1X*"), Cause::Guess);
        assert_eq!(cause("pg ", "1**"), Cause::Guess, "where it looks like every mine");
        assert_eq!(cause("pg ", "1~*"), Cause::Guess, "where a message hides it");
        assert_eq!(cause("pg ", "1#*"), Cause::Guess, "where it is not painted yet");
    }

    #[test]
    fn a_proven_cell_that_goes_off_is_named() {
        let named = |col| Cause::Proven(vec![Pos::new(col, 0)]);
        assert_eq!(cause("gp ", "1X*"), named(1));
        assert_eq!(cause("gpp", "1*1"), named(1));
        assert_eq!(cause("gp ", "1~*"), named(1));
        assert_eq!(cause("gpp", "1#~"), Cause::Proven(vec![Pos::new(1, 0), Pos::new(2, 0)]));
    }

    #[test]
    fn a_mine_that_the_player_has_not_clicked_is_somebody_elses() {
        assert_eq!(cause("gp ", "11X"), Cause::Foreign(Some(Pos::new(2, 0))));
        assert_eq!(cause("gp  ", "11*1"), Cause::Foreign(None), "all is shown");
        assert_eq!(cause("gp  ", "11*#"), Cause::Foreign(None), "a cell is left");
        assert_eq!(cause("g  ", "1X*"), Cause::Foreign(Some(Pos::new(1, 0))));
    }

    #[test]
    fn mines_that_are_shown_when_all_else_is_open_are_those_of_a_win() {
        assert_eq!(cause("gp ", "11*"), Cause::Won);
        assert_eq!(cause("g    ", "001*F"), Cause::Won, "what is beside blanks came up with them");

        assert_eq!(
            cause("p g", "minescraper 3x1 mines=1\n~*1"),
            Cause::Won,
            "one that the skin lacks"
        );
        let named = Cause::Proven(vec![Pos::new(0, 0)]);
        assert_eq!(cause("p g", "~*1"), named, "which may be another mine");

        // A number that the skin lacks was there before.
        let (mut board, first) = ("##1".parse::<Board>().unwrap(), Pos::new(0, 0));
        let mut history = History::default();
        history.risks(Some(first));
        history.clicks(Step::on(&board, first, Action::Open), &board);
        board[first] = Cell::Opened;
        history.risks(None);
        history.clicks(Step::on(&board, Pos::new(1, 0), Action::Flag), &board);
        assert_eq!(history.cause(&"~*1".parse().unwrap()), Cause::Won);
    }

    #[test]
    fn what_is_proven_after_it_was_guessed_is_proven() {
        let board: Board = "#1#".parse().unwrap();
        let (first, mut history) = (Pos::new(0, 0), History::default());
        let open = Step::on(&board, first, Action::Open);
        history.risks(Some(first));
        history.clicks(open, &board);
        assert_eq!(history.cause(&"X1*".parse().unwrap()), Cause::Guess);
        history.risks(None);
        history.clicks(open, &board);
        assert_eq!(history.cause(&"X1*".parse().unwrap()), Cause::Proven(vec![first]));
        history.clicks(Step::on(&board, Pos::new(1, 0), Action::Chord), &board);
        assert_eq!(history.cause(&"*1X".parse().unwrap()), Cause::Proven(vec![Pos::new(2, 0)]));
    }
}
