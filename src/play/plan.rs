//! From advice to clicks: everything that is proven, at once, with the buttons of the chosen style.
//!
//! Three things are never planned: a click on or beside an unclear cell, an opening click on a marked
//! cell (its marks come off first), and a chord around a number that touches a flag without a proof.
//!
//! Where a left click on a number opens around it (`chord = "left"`), an opening click that arrives
//! late or twice meets an open number and may become a chord. That is harmless as long as every flag
//! around the number is proven. So there, flags without a proof come off before anything is opened
//! beside them, and no stray chord can hit a mine.

use super::{Action, Step, Style};
use crate::board::{Board, Cell, Pos};
use crate::recognize::skin::{Chord, GameBehaviour};
use crate::solver::Advice;

/// What to do with a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Plan {
    /// These clicks, in this order: marks, chords, openings.
    Batch(Vec<Step>),
    /// Nothing, until these cells can be read.
    LookAgain(Vec<Pos>),
    /// Nothing: all that is left are proven mines.
    Done,
}

/// How the clicks are to be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner<'a> {
    pub style: Style,
    pub ways: &'a GameBehaviour,
    /// Whether chords have worked so far.
    pub chords: bool,
}

/// Plans the clicks for `advice` on `board`.
pub(super) fn plan(board: &Board, advice: &Advice, manner: Manner<'_>) -> Plan {
    let mut draft = Draft::new(board, advice, manner);
    let unclear: Vec<Pos> = positions(board, |cell| cell == Cell::Unclear);
    let is_clear = |pos: Pos| {
        board[pos] != Cell::Unclear
            && board.neighbours(pos).all(|near| board[near] != Cell::Unclear)
    };

    let mut opens: Vec<Pos> = advice.safe.iter().map(|safe| safe.pos).collect();
    if opens.is_empty() {
        match advice.guess {
            // A guess weighs the whole board, so it waits for all of it to be clear.
            Some(_) if !unclear.is_empty() => return Plan::LookAgain(unclear),
            Some(guess) if !draft.mined[board.index(guess.pos)] => opens.push(guess.pos),
            _ => {}
        }
    } else {
        opens.retain(|&pos| is_clear(pos));
        if opens.is_empty() {
            return Plan::LookAgain(unclear);
        }
    }

    if manner.style.flags() {
        draft.flag_mines(is_clear);
    }
    let mut opens = draft.unmark_first(opens);
    if manner.style.chords()
        && manner.chords
        && manner.ways.chord.is_some()
        && !advice.safe.is_empty()
    {
        draft.chord(&mut opens, is_clear);
    }
    draft.open(&opens);

    match draft.steps {
        steps if !steps.is_empty() => Plan::Batch(steps),
        _ if !unclear.is_empty() => Plan::LookAgain(unclear),
        _ => Plan::Done,
    }
}

/// Right clicks on everything that is neither open nor flagged, for games that are won only so.
/// Right only when nothing but mines is left.
pub(super) fn flag_the_rest(board: &Board) -> Vec<Step> {
    positions(board, |cell| matches!(cell, Cell::Covered | Cell::Questioned))
        .into_iter()
        .map(|pos| Step::on(board, pos, Action::Flag))
        .collect()
}

/// The places of `board` that show such a cell, row by row.
pub(super) fn positions(board: &Board, is: impl Fn(Cell) -> bool) -> Vec<Pos> {
    let cells = board.iter().filter(|&(_, cell)| is(cell));
    cells.map(|(pos, _)| pos).collect()
}

/// A chord that could be.
struct Chording {
    /// The number.
    pos: Pos,
    /// What it opens.
    opens: Vec<Pos>,
    /// What has to be flagged before.
    flags: Vec<Pos>,
}

impl Chording {
    /// How many clicks it saves; negative when it costs some.
    fn saves(&self) -> isize {
        self.opens.len() as isize - self.flags.len() as isize - 1
    }
}

struct Draft<'a> {
    board: &'a Board,
    manner: Manner<'a>,
    safe: Vec<bool>,
    mined: Vec<bool>,
    /// The board as it will be once the planned flags are set.
    flagged: Vec<bool>,
    steps: Vec<Step>,
}

impl<'a> Draft<'a> {
    fn new(board: &'a Board, advice: &Advice, manner: Manner<'a>) -> Self {
        let mut draft = Self {
            board,
            manner,
            safe: board.positions().map(|_| false).collect(),
            mined: board.positions().map(|_| false).collect(),
            flagged: board.iter().map(|(_, cell)| cell == Cell::Flagged).collect(),
            steps: Vec::new(),
        };
        for safe in &advice.safe {
            draft.safe[board.index(safe.pos)] = true;
        }
        for mined in &advice.mined {
            draft.mined[board.index(mined.pos)] = true;
        }
        draft
    }

    fn push(&mut self, pos: Pos, action: Action) {
        self.steps.push(Step::on(self.board, pos, action));
    }

    fn flag_mines(&mut self, is_clear: impl Fn(Pos) -> bool) {
        for pos in self.board.positions() {
            let index = self.board.index(pos);
            if !self.mined[index] || !is_clear(pos) {
                continue;
            }
            match self.board[pos] {
                Cell::Covered => {
                    self.push(pos, Action::Flag);
                    self.flagged[index] = true;
                }
                // The next mark is none; the turn after that makes it a flag.
                Cell::Questioned => self.push(pos, Action::Flag),
                _ => {}
            }
        }
    }

    /// Plans the right clicks that have to come before some of `opens`; returns the others.
    fn unmark_first(&mut self, opens: Vec<Pos>) -> Vec<Pos> {
        let board = self.board;
        let left_chords = self.manner.ways.chord == Some(Chord::Left);
        let mut unmark = Vec::new();
        let mut ready = Vec::new();
        for pos in opens {
            let mut first = Vec::new();
            if matches!(board[pos], Cell::Flagged | Cell::Questioned) {
                first.push(pos);
            }
            if left_chords {
                first.extend(board.neighbours(pos).filter(|&near| {
                    board[near] == Cell::Flagged && !self.mined[board.index(near)]
                }));
            }
            match first.is_empty() {
                true => ready.push(pos),
                false => unmark.extend(first),
            }
        }
        unmark.sort();
        unmark.dedup();
        for pos in unmark {
            self.push(pos, Action::Unflag);
        }
        ready
    }

    /// Takes out of `opens` what chords open with fewer clicks, the flags that they need counted in.
    ///
    /// These flags are sent before the chord; if one gets lost, the number is not satisfied and the game ignores the
    /// chord.
    fn chord(&mut self, opens: &mut Vec<Pos>, is_clear: impl Fn(Pos) -> bool) {
        let board = self.board;
        let mut waiting: Vec<bool> = vec![false; self.safe.len()];
        for &pos in opens.iter() {
            waiting[board.index(pos)] = true;
        }
        let mut chords: Vec<Chording> = board
            .iter()
            .filter(|&(pos, cell)| cell.number().is_some_and(|n| n > 0) && is_clear(pos))
            .filter_map(|(pos, cell)| self.chordable(pos, cell, &waiting))
            .collect();
        // The chord that saves most first; what it flags and opens no longer counts for the others.
        while let Some(best) =
            (0..chords.len()).max_by_key(|&n| (chords[n].saves(), usize::MAX - n))
        {
            let chord = chords.swap_remove(best);
            if chord.saves() < 1 {
                break;
            }
            let Chording { pos, opens: around, flags } = chord;
            for &mine in &flags {
                self.push(mine, Action::Flag);
                self.flagged[board.index(mine)] = true;
            }
            self.push(pos, Action::Chord);
            for &near in &around {
                waiting[board.index(near)] = false;
            }
            for other in &mut chords {
                other.opens.retain(|near| !around.contains(near));
                other.flags.retain(|mine| !flags.contains(mine));
            }
        }
        opens.retain(|&pos| waiting[board.index(pos)]);
    }

    /// What a chord on the number at `pos` would open and what has to be flagged for it, if all its mines are proven
    /// and what it opens is all proven safe and in `waiting`.
    fn chordable(&self, pos: Pos, number: Cell, waiting: &[bool]) -> Option<Chording> {
        let board = self.board;
        let (mut opens, mut flags, mut mines) = (Vec::new(), Vec::new(), 0);
        for near in board.neighbours(pos) {
            let index = board.index(near);
            match board[near] {
                _ if self.mined[index] && self.flagged[index] => mines += 1,
                Cell::Covered if self.mined[index] => {
                    mines += 1;
                    flags.push(near);
                }
                Cell::Covered if self.safe[index] && waiting[index] => opens.push(near),
                Cell::Open(_) => {}
                _ => return None,
            }
        }
        (number.number() == Some(mines)).then_some(Chording { pos, opens, flags })
    }

    fn open(&mut self, opens: &[Pos]) {
        for &pos in opens {
            self.push(pos, Action::Open);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Deduction, Guess, Reason};

    /// Advice drawn over a board: `s` safe, `m` mined, `g` the guess, anything else nothing.
    fn advice(drawing: &str) -> Advice {
        let mut advice = Advice::default();
        for (row, line) in drawing.lines().enumerate() {
            for (col, symbol) in line.chars().enumerate() {
                let pos = Pos::new(col as u16, row as u16);
                let reason = Reason::Random;
                match symbol {
                    's' => advice.safe.push(Deduction { pos, reason }),
                    'm' => advice.mined.push(Deduction { pos, reason }),
                    'g' => {
                        let risk = None;
                        advice.guess = Some(Guess { pos, reason, risk });
                    }
                    _ => {}
                }
            }
        }
        advice
    }

    fn planned(board: &str, drawing: &str, style: Style, chord: Option<Chord>) -> Vec<String> {
        let board: Board = board.parse().unwrap();
        let ways = GameBehaviour { chord, ..GameBehaviour::default() };
        let manner = Manner { style, ways: &ways, chords: true };
        match plan(&board, &advice(drawing), manner) {
            Plan::Batch(steps) => steps.iter().map(Step::to_string).collect(),
            Plan::LookAgain(cells) => vec![format!("look again: {}", cells.len())],
            Plan::Done => vec!["done".to_owned()],
        }
    }

    #[test]
    fn each_style_uses_its_buttons() {
        let (board, proof) = ("#2#\n###", "m0m\nsss");
        let opens = ["open (0, 1)", "open (1, 1)", "open (2, 1)"];
        let flags = ["flag (0, 0)", "flag (2, 0)"];
        assert_eq!(planned(board, proof, Style::NoFlags, None), opens);
        assert_eq!(planned(board, proof, Style::Flags, None), [&flags[..], &opens[..]].concat());
        assert_eq!(
            planned(board, proof, Style::Chords, Some(Chord::Middle)),
            [&flags[..], &["chord (1, 0)"]].concat()
        );
        assert_eq!(
            planned(board, proof, Style::Chords, None),
            [&flags[..], &opens[..]].concat(),
            "a game without chords"
        );
    }

    #[test]
    fn a_chord_needs_proven_flags_and_proven_safe_cells() {
        let chords = |board, proof| planned(board, proof, Style::Chords, Some(Chord::Both));
        assert_eq!(chords("F1#\n###", "0 s\nsss")[0], "open (2, 0)");
        assert_eq!(chords("F1#\n###", "m  \nsss").last().unwrap(), "open (2, 1)");
        assert_eq!(chords("F1#\n###", "m s\nsss"), ["chord (1, 0)"]);
        assert_eq!(chords("F1\n0#", "m \n s"), ["open (1, 1)"], "saves no click");
    }

    #[test]
    fn flags_are_set_for_a_chord_that_repays_them() {
        let efficient = |board, proof| planned(board, proof, Style::Efficient, Some(Chord::Middle));
        // Three cells for a flag and a chord; two would save nothing.
        assert_eq!(
            efficient("#1#\n###", "m0s\nss "),
            ["open (2, 0)", "open (0, 1)", "open (1, 1)"]
        );
        assert_eq!(efficient("#1#\n###", "m0s\nsss"), ["flag (0, 0)", "chord (1, 0)"]);
        assert_eq!(
            efficient("#2#\n###", "m0m\nsss"),
            ["open (0, 1)", "open (1, 1)", "open (2, 1)"]
        );
        // A flag that is there already costs nothing; one that two chords share is set once.
        assert_eq!(efficient("F1\n##", "m0\nss"), ["chord (1, 0)"]);
    }

    #[test]
    fn marks_come_off_before_a_cell_is_opened() {
        assert_eq!(planned("1F#", " ss", Style::NoFlags, None), ["unflag (1, 0)", "open (2, 0)"]);
        assert_eq!(planned("1?", " g", Style::NoFlags, None), ["unflag (1, 0)"]);
    }

    #[test]
    fn where_left_chords_unproven_flags_come_off_first() {
        let (board, proof) = ("###F", "s s ");
        assert_eq!(
            planned(board, proof, Style::NoFlags, Some(Chord::Left)),
            ["unflag (3, 0)", "open (0, 0)"]
        );
        assert_eq!(
            planned(board, "s sm", Style::NoFlags, Some(Chord::Left)),
            ["open (0, 0)", "open (2, 0)"]
        );
    }

    #[test]
    fn unclear_cells_are_kept_away_from() {
        assert_eq!(planned("~##1#", " s  s", Style::NoFlags, None), ["open (4, 0)"]);
        assert_eq!(planned("~#11", " s", Style::NoFlags, None), ["look again: 1"]);
        assert_eq!(
            planned("~###", "   g", Style::NoFlags, None),
            ["look again: 1"],
            "a guess weighs the whole board"
        );
    }

    #[test]
    fn nothing_but_mines_is_left() {
        assert_eq!(planned("#1", "m", Style::NoFlags, None), ["done"]);
        assert_eq!(planned("#1", "m", Style::Flags, None), ["flag (0, 0)"]);
        assert_eq!(planned("F1", "m", Style::Flags, None), ["done"]);
    }
}
