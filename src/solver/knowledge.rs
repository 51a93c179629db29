//! What is known of a board: a copy of it on which every unopened cell is unknown, clear or a mine.
//!
//! [`Knowledge`] applies the two rules that every strategy starts from, to a fixpoint:
//! - the single-square rule: a number with all its mines makes its unknowns clear, a number with no
//!   more unknowns than missing mines makes them mines;
//! - the mine count, when the board knows it: all mines found makes the rest clear, no more unknowns
//!   than missing mines makes the rest mines.
//!
//! A strategy that finds out more tells it with [`Knowledge::learn`], and asks "what if" with
//! [`Knowledge::suppose`], which takes everything back afterwards. Both cost what they change, not what
//! the board is large: facts are kept on a trail, and a queue holds the numbers that may decide.
//!
//! The surprise: marks do not count. A flag is somebody's claim, so a flagged or questioned cell is as
//! unknown as a covered one, and so is an unclear cell. Whatever hides behind that one, a covered mine, a
//! shown mine or a number, it is a mine or it is not, and the arithmetic may treat it so; only nothing
//! is ever advised for it.

use crate::board::{Board, Cell, Pos};

use super::fact::{Clash, Fact};
use super::grid::Grid;
use super::{Advice, Deduction, Guess, Reason, SolveError};

#[derive(Clone, Copy)]
struct Square {
    fact: Fact,
    /// Whether it shows a number; if not, what follows means nothing.
    is_number: bool,
    /// The number less the known mines around it.
    missing: i8,
    /// Unknown cells around it.
    unknown: u8,
}

impl Square {
    fn is_impossible(self) -> bool {
        self.is_number && (self.missing < 0 || self.missing > self.unknown as i8)
    }

    fn decides(self) -> bool {
        self.is_number
            && self.unknown > 0
            && (self.missing == 0 || self.missing == self.unknown as i8)
    }
}

/// A number with unknown cells around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Number {
    /// Where it stands.
    pub pos: Pos,
    /// The number less the known mines around it.
    pub missing: u8,
    /// Unknown cells around it.
    pub unknown: u8,
}

impl Number {
    /// How many of its unknown cells are clear.
    pub fn clears(self) -> u8 {
        self.unknown - self.missing
    }
}

/// A board and all that follows from it so far; always at the fixpoint of the two rules.
pub(crate) struct Knowledge<'b> {
    board: &'b Board,
    grid: Grid,
    /// The cells of the grid; those of its ring are clear.
    squares: Vec<Square>,
    /// Unopened and unclear cells that touch a number, as the board came in.
    border: Vec<usize>,
    /// Every fact that was found, in order, with its proof.
    trail: Vec<(usize, Reason)>,
    queue: Vec<usize>,
    unknown: usize,
    mines: usize,
    supposing: bool,
    /// How many facts followed from what was supposed last.
    supposed: usize,
}

impl<'b> Knowledge<'b> {
    /// What the two rules prove on `board`.
    ///
    /// # Errors
    /// When they show that no mines fit it.
    pub fn of(board: &'b Board) -> Result<Self, SolveError> {
        let grid = Grid::of(board);
        let outside = Square { fact: Fact::Clear, is_number: false, missing: 0, unknown: 0 };
        let squares = vec![outside; grid.len()];
        let mut known = Self {
            board,
            grid,
            squares,
            border: Vec::new(),
            trail: Vec::new(),
            queue: Vec::new(),
            unknown: 0,
            mines: 0,
            supposing: false,
            supposed: 0,
        };
        known.copy_board()?;
        known.scan()?;
        Ok(known)
    }

    fn copy_board(&mut self) -> Result<(), Clash> {
        // Sums over neighbours, of unknown cells and mines at once, and of numbers.
        const MINE: u8 = 1 << 4;
        let mut contents = vec![0; self.squares.len()];
        let mut numbers = vec![0; self.squares.len()];
        let rows = self.board.cells().chunks(usize::from(self.board.cols()));
        for (places, cells) in self.grid.rows().zip(rows) {
            for (at, &cell) in places.zip(cells) {
                let square = &mut self.squares[at];
                (square.fact, contents[at]) = match cell {
                    Cell::Open(count) => {
                        square.is_number = true;
                        square.missing = count.get() as i8;
                        numbers[at] = 1;
                        (Fact::Clear, 0)
                    }
                    Cell::Opened | Cell::WrongFlag => (Fact::Clear, 0),
                    Cell::Mine | Cell::Burst => (Fact::Mine, MINE),
                    Cell::Covered | Cell::Flagged | Cell::Questioned | Cell::Unclear => {
                        (Fact::Unknown, 1)
                    }
                };
                self.unknown += usize::from(square.fact == Fact::Unknown);
                self.mines += usize::from(square.fact == Fact::Mine);
            }
        }
        let (contents, numbers) = (self.grid.sums(&contents), self.grid.sums(&numbers));
        for at in self.grid.cells() {
            let square = &mut self.squares[at];
            if square.is_number {
                square.missing -= (contents[at] / MINE) as i8;
                square.unknown = contents[at] % MINE;
                if square.is_impossible() {
                    return Err(Clash::Number(self.grid.pos(at)));
                }
                if square.decides() {
                    self.queue.push(at);
                }
            } else if square.fact == Fact::Unknown && numbers[at] > 0 {
                self.border.push(at);
            }
        }
        Ok(())
    }

    /// What is known of the cell at `pos`.
    pub fn fact(&self, pos: Pos) -> Fact {
        self.squares[self.grid.at(pos)].fact
    }

    /// The cells beside a number that are still unknown, row by row.
    pub fn border(&self) -> impl Iterator<Item = Pos> + '_ {
        let unknown = |at: &&usize| self.squares[**at].fact == Fact::Unknown;
        self.border.iter().filter(unknown).map(|&at| self.grid.pos(at))
    }

    /// The numbers with unknown cells around them, row by row.
    pub fn numbers(&self) -> impl Iterator<Item = Number> + '_ {
        (0..self.squares.len()).filter_map(|at| self.number_at(at))
    }

    /// The number at `pos`, when it shows one that has unknown cells around it.
    pub fn number(&self, pos: Pos) -> Option<Number> {
        self.number_at(self.grid.at(pos))
    }

    fn number_at(&self, at: usize) -> Option<Number> {
        let Square { is_number, missing, unknown, .. } = self.squares[at];
        (is_number && unknown > 0).then(|| Number {
            pos: self.grid.pos(at),
            missing: missing as u8,
            unknown,
        })
    }

    /// Every fact that was found, in the order in which it was found, each with its proof.
    pub fn proofs(&self) -> impl ExactSizeIterator<Item = Deduction> + '_ {
        self.proofs_from(0)
    }

    /// The same without the first `known` of them.
    pub fn proofs_from(&self, known: usize) -> impl ExactSizeIterator<Item = Deduction> + '_ {
        let found = self.trail[known..].iter();
        found.map(|&(at, reason)| Deduction { pos: self.grid.pos(at), reason })
    }

    /// How many cells are unknown.
    pub fn unknown(&self) -> usize {
        self.unknown
    }

    /// How many mines the unknown cells hold, if the board's mine count proves it.
    pub fn missing_mines(&self) -> Option<usize> {
        self.board.mines.known().map(|total| (total as usize).saturating_sub(self.mines))
    }

    /// The share of mines among the unknown cells, from 0 to 1, by the board's mine count, certain or
    /// assumed. `None` without one, and when no cell is unknown.
    pub fn density(&self) -> Option<f64> {
        let missing = (self.board.mines.likely()? as usize).saturating_sub(self.mines);
        (self.unknown > 0).then(|| (missing as f64 / self.unknown as f64).min(1.0))
    }

    /// The unknown cells around `pos`, row by row.
    pub fn unknowns(&self, pos: Pos) -> impl Iterator<Item = Pos> + '_ {
        let unknown = |&near: &usize| self.squares[near].fact == Fact::Unknown;
        let around = self.grid.around(self.grid.at(pos)).into_iter();
        around.filter(unknown).map(|near| self.grid.pos(near))
    }

    /// The same as [`Knowledge::numbers`] with the unknown cells around each, by their places on
    /// [`Knowledge::grid`]: place, missing mines, cells.
    pub fn sums(&self) -> impl Iterator<Item = (usize, u8, impl Iterator<Item = usize>)> {
        let number = |at: &usize| self.squares[*at].is_number && self.squares[*at].unknown > 0;
        self.grid.cells().filter(number).map(|at| {
            let unknown = |&near: &usize| self.squares[near].fact == Fact::Unknown;
            let around = self.grid.around(at).into_iter().filter(unknown);
            (at, self.squares[at].missing as u8, around)
        })
    }

    /// The cells of the board.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// What is known of each cell of the grid, ring included.
    pub fn facts(&self) -> impl Iterator<Item = Fact> {
        self.squares.iter().map(|square| square.fact)
    }

    /// The cells of the grid of which something was proven.
    pub fn proven(&self) -> impl Iterator<Item = usize> {
        self.trail.iter().map(|&(at, _)| at)
    }

    /// How many cells are known to be mines, shown ones included.
    pub fn mines(&self) -> usize {
        self.mines
    }

    /// The board as it came in.
    pub fn board(&self) -> &'b Board {
        self.board
    }

    /// Takes it as proven that the unknown cell at `pos` cannot be `wrong`, because that ends in
    /// `clash`, and applies the two rules again.
    ///
    /// # Errors
    /// When the opposite cannot be either.
    pub fn refute(&mut self, pos: Pos, wrong: Fact, clash: Clash) -> Result<(), SolveError> {
        Ok(self.learn(pos, wrong.opposite(), clash.reason())?)
    }

    /// Adds a fact on an unknown cell and applies the two rules again.
    ///
    /// # Errors
    /// When the fact cannot be; then the knowledge is of no more use.
    pub fn learn(&mut self, pos: Pos, fact: Fact, reason: Reason) -> Result<(), Clash> {
        self.set(self.grid.at(pos), fact, reason)?;
        self.scan()
    }

    /// Adds a fact on each of `cells` that is unknown, and applies the two rules after each.
    ///
    /// # Errors
    /// As for [`Knowledge::learn`].
    pub fn learn_all(
        &mut self,
        cells: impl IntoIterator<Item = Pos>,
        fact: Fact,
        reason: Reason,
    ) -> Result<(), Clash> {
        for pos in cells {
            if self.fact(pos) == Fact::Unknown {
                self.learn(pos, fact, reason)?;
            }
        }
        Ok(())
    }

    /// Supposes that the unknown cell at `pos` is `fact`, applies the two rules to the end, and takes
    /// everything back. When it can be, calls `follows` for the cell and for every fact beside a
    /// number that follows.
    ///
    /// # Errors
    /// When it cannot be.
    pub fn suppose(
        &mut self,
        pos: Pos,
        fact: Fact,
        mut follows: impl FnMut(Pos, Fact),
    ) -> Result<(), Clash> {
        let mark = self.trail.len();
        self.supposing = true;
        // No proof, so any reason does: nobody sees it before it is taken back.
        let outcome = self.learn(pos, fact, Reason::Random);
        if outcome.is_ok() {
            for &(at, _) in &self.trail[mark..] {
                follows(self.grid.pos(at), self.squares[at].fact);
            }
        }
        self.supposing = false;
        self.supposed = self.trail.len() - mark;
        self.queue.clear();
        while self.trail.len() > mark {
            self.take_back();
        }
        outcome
    }

    /// How many facts followed from the last [supposition](Knowledge::suppose), whether it could be or not.
    pub fn supposed(&self) -> usize {
        self.supposed
    }

    /// Whether some unopened cell is proven to be clear.
    pub fn has_safe(&self) -> bool {
        let is_safe = |at: usize| {
            self.squares[at].fact == Fact::Clear && self.board[self.grid.pos(at)].is_unopened()
        };
        self.trail.iter().any(|&(at, _)| is_safe(at))
    }

    /// What to tell the player: all proofs, and if nothing is safe, what `guess` chooses.
    ///
    /// # Errors
    /// When there is nothing at all to tell.
    pub fn advice(self, guess: impl FnOnce(&Self) -> Option<Guess>) -> Result<Advice, SolveError> {
        let mut proofs = self.trail.clone();
        proofs.sort_unstable_by_key(|&(at, _)| at);
        let mut advice = Advice::default();
        for (at, reason) in proofs {
            let proof = Deduction { pos: self.grid.pos(at), reason };
            match self.squares[at].fact {
                _ if !self.board[proof.pos].is_unopened() => {}
                Fact::Mine => advice.mined.push(proof),
                _ => advice.safe.push(proof),
            }
        }
        if advice.safe.is_empty() {
            advice.guess = guess(&self);
            // The mines come to lie elsewhere than where the first click goes.
            if let Some(guess) = advice.guess.as_mut().filter(|_| self.board.is_promised_safe()) {
                guess.risk = Some(0.0);
            }
        }
        if advice.safe.is_empty() && advice.mined.is_empty() && advice.guess.is_none() {
            return Err(SolveError::NothingToChoose);
        }
        Ok(advice)
    }

    /// The two rules to their fixpoint.
    fn scan(&mut self) -> Result<(), Clash> {
        loop {
            while let Some(at) = self.queue.pop() {
                let square = self.squares[at];
                if !square.decides() {
                    continue;
                }
                let number = self.grid.pos(at);
                let (fact, reason) = if square.missing == 0 {
                    (Fact::Clear, Reason::NumberSatisfied { number })
                } else {
                    (Fact::Mine, Reason::NumberNeedsAll { number })
                };
                for near in self.grid.around(at) {
                    if self.squares[near].fact == Fact::Unknown {
                        self.set(near, fact, reason)?;
                    }
                }
            }
            if !self.apply_mine_count()? {
                return Ok(());
            }
        }
    }

    /// The rule of the mine count; true when it found something.
    fn apply_mine_count(&mut self) -> Result<bool, Clash> {
        let Some(total) = self.board.mines.known() else {
            return Ok(false);
        };
        let missing = (total as usize).checked_sub(self.mines);
        let (fact, reason) = match missing {
            None => return Err(Clash::MineCount(total)),
            Some(missing) if missing > self.unknown => return Err(Clash::MineCount(total)),
            _ if self.unknown == 0 => return Ok(false),
            Some(0) => (Fact::Clear, Reason::AllMinesFound),
            Some(missing) if missing == self.unknown => (Fact::Mine, Reason::OnlyMinesLeft),
            Some(_) => return Ok(false),
        };
        // A cell that touches no number cannot clash, so under a supposition it can stay unknown: what
        // is left to set then is as many cells as the count allows, or none.
        let before = self.trail.len();
        if self.supposing {
            for index in 0..self.border.len() {
                let at = self.border[index];
                if self.squares[at].fact == Fact::Unknown {
                    self.set(at, fact, reason)?;
                }
            }
        } else {
            for at in 0..self.squares.len() {
                if self.squares[at].fact == Fact::Unknown {
                    self.set(at, fact, reason)?;
                }
            }
        }
        Ok(self.trail.len() > before)
    }

    /// Turns the unknown cell at `at` into `fact`. On a clash the cell is set all the same, so that
    /// [`Knowledge::take_back`] always finds the whole of what it undoes.
    fn set(&mut self, at: usize, fact: Fact, reason: Reason) -> Result<(), Clash> {
        debug_assert_eq!(self.squares[at].fact, Fact::Unknown);
        let is_mine = fact == Fact::Mine;
        self.squares[at].fact = fact;
        self.trail.push((at, reason));
        self.unknown -= 1;
        self.mines += usize::from(is_mine);
        let mut clash = None;
        for near in self.grid.around(at) {
            let square = &mut self.squares[near];
            if !square.is_number {
                continue;
            }
            square.unknown -= 1;
            square.missing -= i8::from(is_mine);
            if square.is_impossible() {
                clash = Some(near);
            } else if square.decides() {
                self.queue.push(near);
            }
        }
        clash.map_or(Ok(()), |near| Err(Clash::Number(self.grid.pos(near))))
    }

    fn take_back(&mut self) {
        let Some((at, _)) = self.trail.pop() else {
            return;
        };
        let is_mine = self.squares[at].fact == Fact::Mine;
        self.squares[at].fact = Fact::Unknown;
        self.unknown += 1;
        self.mines -= usize::from(is_mine);
        for near in self.grid.around(at) {
            let square = &mut self.squares[near];
            if square.is_number {
                square.unknown += 1;
                square.missing += i8::from(is_mine);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(known: &Knowledge) -> String {
        let symbol = |pos| match (known.board[pos].number(), known.fact(pos)) {
            (Some(number), _) => char::from(b'0' + number),
            (None, Fact::Unknown) => '#',
            (None, Fact::Clear) => 'o',
            (None, Fact::Mine) => '*',
        };
        let row = |row| (0..known.board.cols()).map(|col| symbol(Pos::new(col, row))).collect();
        (0..known.board.rows()).map(row).collect::<Vec<String>>().join("\n")
    }

    fn scanned(text: &str) -> String {
        draw(&Knowledge::of(&text.parse().unwrap()).unwrap())
    }

    #[test]
    fn a_number_with_as_many_unknowns_makes_them_mines() {
        assert_eq!(scanned("#2\n2F"), "*2\n2*");
    }

    #[test]
    fn a_satisfied_number_makes_the_rest_clear_and_so_on_to_the_end() {
        assert_eq!(scanned("#1#1#2#"), "*1o1*2*");
    }

    #[test]
    fn a_flag_a_question_mark_and_an_unclear_cell_are_unknown() {
        assert_eq!(scanned("F1?\n~##"), "#1#\n###");
        assert_eq!(scanned("F0?\n~##"), "o0o\nooo");
    }

    #[test]
    fn shown_mines_and_wrong_flags_are_known() {
        assert_eq!(scanned("*1#"), "*1o");
        assert_eq!(scanned("X2#"), "*2*");
        assert_eq!(scanned("!1#"), "o1*");
    }

    #[test]
    fn the_mine_count_clears_the_rest_or_fills_it() {
        assert_eq!(scanned("minescraper 5x1 mines=1\n1####"), "1*ooo");
        assert_eq!(scanned("minescraper 5x1 mines=4\n1####"), "1****");
        assert_eq!(scanned("minescraper 5x1 mines=1 from=size\n1####"), "1*###");
    }

    #[test]
    fn what_cannot_be_names_the_number_or_the_count() {
        let refused = |text: &str| Knowledge::of(&text.parse().unwrap()).err().unwrap();
        assert_eq!(refused("#3#"), SolveError::Impossible { at: Pos::new(1, 0) });
        assert_eq!(refused("1*0"), SolveError::Impossible { at: Pos::new(2, 0) });
        assert_eq!(
            refused("minescraper 3x1 mines=1\n#2#"),
            SolveError::WrongMineCount { mines: 1 }
        );
        assert_eq!(
            refused("minescraper 3x1 mines=3\n#1#"),
            SolveError::WrongMineCount { mines: 3 }
        );
    }

    #[test]
    fn a_supposition_leaves_no_trace() {
        let board: Board = "minescraper 6x3 mines=4\n######\n12321#\n~F?###".parse().unwrap();
        let mut known = Knowledge::of(&board).unwrap();
        let before = (draw(&known), known.unknown, known.mines, known.trail.clone());
        let squares = |known: &Knowledge| -> Vec<_> {
            known.squares.iter().map(|square| (square.missing, square.unknown)).collect()
        };
        let counts = squares(&known);
        for pos in known.border().collect::<Vec<_>>() {
            for fact in [Fact::Mine, Fact::Clear] {
                let _ = known.suppose(pos, fact, |_, _| {});
                assert_eq!((draw(&known), known.unknown, known.mines, known.trail.clone()), before);
                assert_eq!(squares(&known), counts);
            }
        }
    }

    #[test]
    fn a_supposition_reports_itself_and_what_follows() {
        let board: Board = "#1#".parse().unwrap();
        let mut seen = Vec::new();
        let mut known = Knowledge::of(&board).unwrap();
        known.suppose(Pos::new(0, 0), Fact::Mine, |pos, fact| seen.push((pos.col, fact))).unwrap();
        assert_eq!(seen, [(0, Fact::Mine), (2, Fact::Clear)]);
    }

    #[test]
    fn the_density_takes_an_assumed_count_and_the_missing_mines_do_not() {
        let told = |text: &str| {
            let board: Board = text.parse().unwrap();
            let known = Knowledge::of(&board).unwrap();
            (known.unknown(), known.missing_mines(), known.density())
        };
        assert_eq!(told("minescraper 6x1 mines=2\n*10~##"), (2, Some(1), Some(0.5)));
        assert_eq!(told("minescraper 4x1 mines=1 from=size\n####"), (4, None, Some(0.25)));
        assert_eq!(told("####"), (4, None, None));
    }

    #[test]
    fn numbers_tell_what_they_miss() {
        let board: Board = "*3##\n~2##\n####".parse().unwrap();
        let known = Knowledge::of(&board).unwrap();
        let numbers: Vec<_> = known.numbers().collect();
        let first = Number { pos: Pos::new(1, 0), missing: 2, unknown: 3 };
        let second = Number { pos: Pos::new(1, 1), missing: 1, unknown: 6 };
        assert_eq!(numbers, [first, second]);
        assert_eq!((known.number(second.pos), second.clears()), (Some(second), 5));
        assert_eq!(known.number(Pos::new(0, 0)), None);
        assert_eq!(known.unknowns(Pos::new(1, 0)).count(), 3);
    }
}
