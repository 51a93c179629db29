//! What each look of an opened cell means, from the rules alone.
//!
//! Every look may mean any number from 0 to 8 until the rules speak against it:
//! - a cell that is open all around can only be blank while the game goes on, and a blank is open all around, unless the
//!   boards contradict that: some games open less around a blank;
//! - a number is not more than the unopened cells around it;
//! - every board that was seen has an arrangement of mines: a number without one in some board is ruled out.
//!   The solver's own count says so; looks that are not known yet are unknown cells to it, which allows more
//!   arrangements than there are, never less;
//! - where all mines are known, because the game has shown them or is won, a number is what is around it.
//!
//! A look has a meaning when one number is left. Nothing is taken for likely.

use super::clusters::Cluster;
use crate::board::{Board, Cell, Pos};
use crate::solver::odds::{Position, Workspace};
use crate::solver::{Budget, SolveError};

/// Nodes for the arrangements of one board.
const NODES: u64 = 50_000;
/// Looks whose meanings are tried together have at most so many combinations.
const TOGETHER: usize = 600;

/// What is known of a cell of a board that was seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    /// Not opened.
    Covered,
    /// Marked with a flag.
    Flagged,
    /// Marked with a question mark.
    Questioned,
    /// Open; what the look means follows.
    Open(Cluster),
    /// A mine that the game has shown.
    Mine,
    /// The mine that ended the game.
    Burst,
    /// A flag that the game has shown to be wrong.
    WrongFlag,
    /// Nothing is known.
    Unknown,
}

impl Sight {
    /// Whether the cell is still to be opened.
    pub(crate) fn is_unopened(self) -> bool {
        matches!(self, Sight::Covered | Sight::Flagged | Sight::Questioned)
    }
}

/// A board that was seen, row by row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    pub(crate) cols: u16,
    pub(crate) rows: u16,
    pub(crate) sights: Vec<Sight>,
    /// Where the mines are, row by row, if that is known.
    pub(crate) mines: Option<Vec<bool>>,
}

impl Seen {
    pub(crate) fn index(&self, pos: Pos) -> usize {
        usize::from(pos.row) * usize::from(self.cols) + usize::from(pos.col)
    }

    pub(crate) fn at(&self, pos: Pos) -> Sight {
        self.sights[self.index(pos)]
    }

    /// Every place, row by row.
    pub(crate) fn positions(&self) -> impl Iterator<Item = Pos> + use<> {
        Board::new(self.cols, self.rows).positions()
    }

    /// The cells that are open, with their looks.
    pub(super) fn opened(&self) -> impl Iterator<Item = (Pos, Cluster)> + '_ {
        self.positions().filter_map(|pos| match self.at(pos) {
            Sight::Open(look) => Some((pos, look)),
            _ => None,
        })
    }

    pub(super) fn shows(&self, look: Cluster) -> bool {
        self.sights.contains(&Sight::Open(look))
    }
}

/// The boards that were seen contradict each other, so that something was taken for what it is not.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "the boards that were seen fit no rules: a look of opened cells can mean no number; \
     does something cover or animate the cells, or was it no Minesweeper?"
)]
pub struct Contradiction;

/// So few meanings may be wrong because of one rule that does not hold in a game. Chosen.
const FEW_KNOWN: usize = 2;

/// Numbers from 0 to 8, one bit each.
type Numbers = u16;
const ALL_NUMBERS: Numbers = 0x1ff;

/// What each look may mean.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meanings {
    possible: Vec<Numbers>,
    /// Whether cells beside a blank may stay covered.
    shuts_in_blanks: bool,
    /// One board a game: the last one shows all that the ones before it did.
    boards: Vec<Seen>,
}

impl Meanings {
    /// The number that a look means, if only one is left.
    pub(crate) fn number(&self, look: Cluster) -> Option<u8> {
        let possible = self.possible.get(look.0)?;
        (possible.count_ones() == 1).then_some(possible.trailing_zeros() as u8)
    }

    /// The numbers that a look may mean.
    pub(crate) fn possible(&self, look: Cluster) -> Vec<u8> {
        let possible = self.possible.get(look.0).copied().unwrap_or(ALL_NUMBERS);
        (0..=8).filter(|number| possible & 1 << number != 0).collect()
    }

    /// The looks that are not known yet, of `looks` in all.
    pub(crate) fn unsure(&self, clusters: usize) -> Vec<Cluster> {
        (0..clusters).map(Cluster).filter(|&look| self.number(look).is_none()).collect()
    }

    /// Takes it from elsewhere that a look means `number`.
    pub(crate) fn decide(&mut self, look: Cluster, number: u8) {
        if self.possible.len() <= look.0 {
            self.possible.resize(look.0 + 1, ALL_NUMBERS);
        }
        self.possible[look.0] = 1 << number;
    }

    /// What `seen` shows, as far as it is known; what is open and not known is unclear.
    pub(crate) fn board(&self, seen: &Seen) -> Board {
        self.supposed(seen, &[])
    }

    /// The same with numbers for some looks that are not known.
    pub(super) fn supposed(&self, seen: &Seen, supposed: &[(Cluster, u8)]) -> Board {
        let mut board = Board::new(seen.cols, seen.rows);
        let number = |look: Cluster| {
            let given = supposed.iter().find(|(other, _)| *other == look).map(|&(_, n)| n);
            given.or_else(|| self.number(look))
        };
        for pos in seen.positions() {
            board[pos] = match seen.at(pos) {
                Sight::Covered => Cell::Covered,
                Sight::Flagged => Cell::Flagged,
                Sight::Questioned => Cell::Questioned,
                Sight::Open(look) => number(look).map_or(Cell::Unclear, Cell::open),
                Sight::Mine => Cell::Mine,
                Sight::Burst => Cell::Burst,
                Sight::WrongFlag => Cell::WrongFlag,
                Sight::Unknown => Cell::Unclear,
            };
        }
        board
    }

    /// Takes in another board of the game that was seen last, or the first one of a new game.
    ///
    /// # Errors
    /// When some look can mean nothing any more.
    pub(crate) fn learn(&mut self, seen: &Seen, is_new_game: bool) -> Result<(), Contradiction> {
        if !is_new_game {
            self.boards.pop();
        }
        self.boards.push(seen.clone());
        let known = self.known();
        self.take_in(std::slice::from_ref(seen)).or_else(|contradiction| {
            let mut looser = Self { shuts_in_blanks: true, possible: Vec::new(), ..self.clone() };
            looser.take_in(&self.boards)?;
            // What was proven already has to follow from this as well, or else it is this board that is odd.
            if self.shuts_in_blanks || (known > FEW_KNOWN && looser.known() < known) {
                return Err(contradiction);
            }
            *self = looser;
            Ok(())
        })
    }

    /// How many looks have a meaning.
    fn known(&self) -> usize {
        self.possible.iter().filter(|possible| possible.count_ones() == 1).count()
    }

    /// Whether cells beside a blank were seen to stay covered.
    pub(crate) fn shuts_in_blanks(&self) -> bool {
        self.shuts_in_blanks
    }

    /// What the looks of these boards may mean then.
    fn take_in(&mut self, boards: &[Seen]) -> Result<(), Contradiction> {
        for seen in boards {
            let clusters = seen.opened().map(|(_, look)| look.0 + 1).max().unwrap_or(0);
            if self.possible.len() < clusters {
                self.possible.resize(clusters, ALL_NUMBERS);
            }
            self.count(seen)?;
        }
        self.rule_out()
    }

    /// What a single cell says of its look.
    fn count(&mut self, seen: &Seen) -> Result<(), Contradiction> {
        let board = Board::new(seen.cols, seen.rows);
        for (pos, look) in seen.opened() {
            let around =
                |is: &dyn Fn(Pos) -> bool| board.neighbours(pos).filter(|&p| is(p)).count();
            let allowed = match &seen.mines {
                Some(mines) => 1 << around(&|p| mines[seen.index(p)]),
                None => match around(&|p| !matches!(seen.at(p), Sight::Open(_))) {
                    0 => 1,
                    unopened if self.shuts_in_blanks => (1 << (unopened + 1)) - 1,
                    // A blank would have opened all around it.
                    unopened => (1 << (unopened + 1)) - 2,
                },
            };
            self.possible[look.0] &= allowed;
            if self.possible[look.0] == 0 {
                log::debug!("look {} at {pos} can mean nothing", look.0);
                return Err(Contradiction);
            }
        }
        Ok(())
    }

    /// Rules out what has no arrangement of mines, until nothing changes.
    fn rule_out(&mut self) -> Result<(), Contradiction> {
        let mut workspace = Workspace::default();
        loop {
            let before = self.possible.clone();
            let unsure = self.unsure(self.possible.len());
            for &look in &unsure {
                for number in self.possible(look) {
                    if !self.fits(&[(look, number)], &mut workspace) {
                        self.possible[look.0] &= !(1 << number);
                    }
                }
                if self.possible[look.0] == 0 {
                    log::debug!("look {} has no number with which the boards are possible", look.0);
                    return Err(Contradiction);
                }
            }
            if self.possible == before {
                self.rule_out_together(&mut workspace);
            }
            if self.possible == before {
                return Ok(());
            }
        }
    }

    /// Rules out what has no arrangement of mines whatever the other looks mean.
    fn rule_out_together(&mut self, workspace: &mut Workspace) {
        let unsure = self.unsure(self.possible.len());
        let combinations = unsure
            .iter()
            .try_fold(1usize, |all, &look| all.checked_mul(self.possible(look).len()))
            .unwrap_or(usize::MAX);
        if unsure.len() < 2 || combinations > TOGETHER {
            return;
        }
        let mut left = vec![0; self.possible.len()];
        self.extend(&unsure, &mut Vec::new(), &mut left, workspace);
        for look in unsure {
            // Without any combination the boards contradict each other; the next single look will tell.
            self.possible[look.0] &= left[look.0];
        }
    }

    /// Marks in `left` the numbers that are part of a combination with an arrangement.
    fn extend(
        &self,
        open: &[Cluster],
        supposed: &mut Vec<(Cluster, u8)>,
        left: &mut [Numbers],
        workspace: &mut Workspace,
    ) {
        let Some((&look, rest)) = open.split_first() else {
            for &(look, number) in supposed.iter() {
                left[look.0] |= 1 << number;
            }
            return;
        };
        for number in self.possible(look) {
            supposed.push((look, number));
            if self.fits(supposed, workspace) {
                self.extend(rest, supposed, left, workspace);
            }
            supposed.pop();
        }
    }

    /// Whether every board that shows the last of the supposed looks has an arrangement of mines.
    fn fits(&self, supposed: &[(Cluster, u8)], workspace: &mut Workspace) -> bool {
        let Some(&(last, _)) = supposed.last() else {
            return true;
        };
        let mut boards = self.boards.iter().filter(|seen| seen.mines.is_none() && seen.shows(last));
        boards.all(|seen| {
            let board = self.supposed(seen, supposed);
            position(&board, workspace).is_ok()
        })
    }
}

/// The solved `board`.
pub(crate) fn position(board: &Board, workspace: &mut Workspace) -> Result<Position, SolveError> {
    Position::of(board, workspace, &mut Budget::nodes(NODES))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board of looks: `#` is covered, letters are looks.
    fn seen(drawing: &str) -> Seen {
        let rows: Vec<&str> = drawing.lines().collect();
        let sight = |symbol: char| match symbol {
            '#' => Sight::Covered,
            look => Sight::Open(Cluster(look as usize - 'a' as usize)),
        };
        let sights: Vec<Sight> =
            drawing.chars().filter(|c| !c.is_whitespace()).map(sight).collect();
        let cols = rows[0].len() as u16;
        Seen { cols, rows: rows.len() as u16, sights, mines: None }
    }

    #[test]
    fn a_blank_is_open_all_around_and_a_corner_tells_one() {
        let mut meanings = Meanings::default();
        meanings.learn(&seen("aab#\naab#\nccb#\n####"), true).unwrap();
        assert_eq!(meanings.number(Cluster(0)), Some(0));
        // b stands beside two, three and five cells, c beside two and three.
        assert_eq!(meanings.possible(Cluster(1)), [1, 2]);
        meanings.learn(&seen("aabd\naab#\naabb\naaaa"), true).unwrap();
        assert_eq!(meanings.number(Cluster(1)), Some(1));
    }

    #[test]
    fn a_board_without_an_arrangement_rules_a_number_out() {
        let mut meanings = Meanings::default();
        meanings.learn(&seen("aab#\naabb\naaaa\naaaa"), true).unwrap();
        assert_eq!(meanings.number(Cluster(1)), Some(1));
        // Three mines beside c would be two beside a 1.
        meanings.learn(&seen("####\nbccb\naaaa\naaaa"), true).unwrap();
        assert_eq!(meanings.possible(Cluster(2)), [1, 2]);
    }

    #[test]
    fn what_fits_no_rules_is_said() {
        let mut meanings = Meanings::default();
        meanings.learn(&seen("aaaa\naaaa\naaaa\naaaa"), true).unwrap();
        let mines = Some((0..16).map(|at| at == 1).collect());
        let lost = Seen { mines, ..seen("a###\n####\n####\n####") };
        assert_eq!(meanings.learn(&lost, true), Err(Contradiction));
    }

    #[test]
    fn blanks_may_be_shut_in_where_boards_are_impossible_otherwise() {
        let mut meanings = Meanings::default();
        meanings.learn(&seen("aab\naab\nccc"), true).unwrap();
        assert!(!meanings.shuts_in_blanks());
        meanings.learn(&seen("ab#\nb##\n###"), true).unwrap();
        assert_eq!(meanings.number(Cluster(0)), Some(0));
        assert!(meanings.shuts_in_blanks());
    }
}
