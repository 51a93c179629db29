//! The game itself: laying mines, opening, flags, win and loss.
//!
//! A [`Minefield`] is what runs behind a Minesweeper window, without the window. It shows a player
//! nothing but a [`Board`], which cannot say where the mines are, and a [`Status`]. What differs from
//! one Minesweeper to the next is in [`Options`].
//!
//! The mines are laid at the first opening, as the promise of the first click asks for, so a game is
//! settled by its rules, its seed and that first cell.

mod layout;

use rand::RngExt;

use crate::board::{Board, Cell, FirstClick, ImpossibleRules, MineCount, Pos, Rules, Status};

use layout::{Layout, dice};

/// How a game is played, where games differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// The game is won only when every mine is flagged as well, as in xdemineur.
    pub flags_to_win: bool,
    /// A region is open from the start, as in xdemineur: the mines lie anywhere, and a random cell that
    /// touches none is opened. On a board without such a cell nothing is.
    pub starts_open: bool,
    /// A flagged cell gets a question mark before it is unmarked.
    pub question_marks: bool,
    /// When the game is won, the mines that are not flagged yet get their flags.
    pub flags_mines_when_won: bool,
}

impl Default for Options {
    /// As Windows Minesweeper with its question marks off.
    fn default() -> Self {
        Self {
            flags_to_win: false,
            starts_open: false,
            question_marks: false,
            flags_mines_when_won: true,
        }
    }
}

/// One game of Minesweeper.
///
/// # Examples
/// ```
/// use minescraper::board::{Pos, Status};
/// use minescraper::lab::minefield::{Minefield, Options};
///
/// let mut game = Minefield::with_mines(4, 1, [Pos::new(0, 0)], Options::default()).unwrap();
/// game.open(Pos::new(2, 0));
/// assert_eq!(game.view().to_string(), "minescraper 4x1 mines=1 from=counter first-click=any\nF100\n");
/// assert_eq!(game.status(), Status::Won);
/// ```
#[derive(Clone, Debug)]
pub struct Minefield {
    rules: Rules,
    options: Options,
    seed: u64,
    layout: Option<Layout>,
    seen: Board,
    status: Status,
    /// Cells without a mine that are not open yet.
    left: usize,
}

impl Minefield {
    /// A new game by `rules`; its mines are laid by `seed` when the first cell is opened.
    ///
    /// Every layout that the first click's promise allows is equally likely. A promise that cannot be
    /// kept is kept as far as it can: the mines that find no room elsewhere lie around the first cell.
    ///
    /// # Panics
    /// When the rules are ones that [`Rules::new`] refuses.
    #[track_caller]
    pub fn new(rules: Rules, options: Options, seed: u64) -> Self {
        let mut seen = Board::new(rules.cols, rules.rows);
        let cells = usize::from(rules.cols) * usize::from(rules.rows);
        assert!((rules.mines as usize) < cells, "{} mines on {cells} cells", rules.mines);
        seen.mines = MineCount::Read(rules.mines);
        seen.first_click = Some(rules.first_click);
        let left = cells - rules.mines as usize;
        let mut game =
            Self { rules, options, seed, layout: None, seen, status: Status::Fresh, left };
        if options.starts_open {
            let mut dice = dice(seed);
            game.layout = Some(Layout::random(&game.seen, &rules, None, &mut dice));
            let blank: Vec<Pos> = game.blanks().collect();
            if !blank.is_empty() {
                game.open(blank[dice.random_range(0..blank.len())]);
            }
        }
        game
    }

    /// A new game with these mines, wherever it is opened first. If it starts open, then at the first
    /// cell, row by row, that touches no mine.
    ///
    /// # Errors
    /// When there can be no such board, or a mine is off it.
    pub fn with_mines(
        cols: u16,
        rows: u16,
        mines: impl IntoIterator<Item = Pos>,
        options: Options,
    ) -> Result<Self, ImpossibleLayout> {
        let empty = Rules::new(cols, rows, 0, FirstClick::Any)?;
        let layout = Layout::listed(&Board::new(cols, rows), mines)?;
        let rules = Rules::new(cols, rows, layout.count(), empty.first_click)?;
        let mut game = Self::new(rules, Options { starts_open: false, ..options }, 0);
        game.options = options;
        game.layout = Some(layout);
        let blank = game.blanks().next().filter(|_| options.starts_open);
        if let Some(pos) = blank {
            game.open(pos);
        }
        Ok(game)
    }

    /// What the player sees, the mine count included.
    pub fn view(&self) -> &Board {
        &self.seen
    }

    /// How the game stands.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How the game is played.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Where the mines are, row by row; `None` before they are laid. For whoever judges a player, not
    /// for the player.
    pub fn mines(&self) -> Option<Vec<Pos>> {
        let layout = self.layout.as_ref()?;
        Some(self.seen.positions().filter(|&pos| layout.is_mine(self.seen.index(pos))).collect())
    }

    /// Opens the cell at `pos`, and the region around it if it touches no mine. Does nothing on an open
    /// or flagged cell, or when the game is over; a flagged cell also stays shut in a region.
    ///
    /// # Panics
    /// When `pos` is off the board.
    #[track_caller]
    pub fn open(&mut self, pos: Pos) -> Status {
        let opens = matches!(self.seen[pos], Cell::Covered | Cell::Questioned);
        if opens && !self.status.is_over() {
            if self.layout.is_none() {
                let mut dice = dice(self.seed);
                let layout = Layout::random(&self.seen, &self.rules, Some(pos), &mut dice);
                self.layout = Some(layout);
            }
            self.uncover(pos);
            self.settle();
        }
        self.status
    }

    /// Puts the next mark on the cell at `pos`: a flag, a question mark if the game has them, none. Does
    /// nothing on an open cell or when the game is over.
    ///
    /// # Panics
    /// When `pos` is off the board.
    #[track_caller]
    pub fn mark(&mut self, pos: Pos) -> Status {
        let next = match self.seen[pos] {
            Cell::Covered => Cell::Flagged,
            Cell::Flagged if self.options.question_marks => Cell::Questioned,
            Cell::Flagged | Cell::Questioned => Cell::Covered,
            other => other,
        };
        if !self.status.is_over() {
            self.seen[pos] = next;
            self.settle();
        }
        self.status
    }

    /// Opens every cell around the number at `pos` that has no flag, if it has as many flags around it
    /// as it says. Does nothing otherwise, or when the game is over. A wrong flag loses the game, at
    /// every mine that is opened.
    ///
    /// # Panics
    /// When `pos` is off the board.
    #[track_caller]
    pub fn chord(&mut self, pos: Pos) -> Status {
        let around: Vec<Pos> = self.seen.neighbours(pos).collect();
        let flags = around.iter().filter(|&&near| self.seen[near] == Cell::Flagged).count();
        let fits = self.seen[pos].number().is_some_and(|number| usize::from(number) == flags);
        if fits && !self.status.is_over() {
            for near in around {
                if matches!(self.seen[near], Cell::Covered | Cell::Questioned) {
                    self.uncover(near);
                }
            }
            self.settle();
        }
        self.status
    }

    /// Cells that touch no mine and hold none, row by row.
    fn blanks(&self) -> impl Iterator<Item = Pos> + '_ {
        let blank = |&pos: &Pos| !self.is_mine(pos) && self.mines_around(pos) == 0;
        self.seen.positions().filter(blank)
    }

    fn is_mine(&self, pos: Pos) -> bool {
        self.layout.as_ref().is_some_and(|layout| layout.is_mine(self.seen.index(pos)))
    }

    fn mines_around(&self, pos: Pos) -> u8 {
        self.seen.neighbours(pos).filter(|&near| self.is_mine(near)).count() as u8
    }

    /// Opens a covered cell, and from a blank one on whatever it touches.
    fn uncover(&mut self, pos: Pos) {
        if self.is_mine(pos) {
            self.seen[pos] = Cell::Burst;
            self.status = Status::Lost;
            return;
        }
        let mut next = vec![pos];
        while let Some(pos) = next.pop() {
            if !matches!(self.seen[pos], Cell::Covered | Cell::Questioned) {
                continue;
            }
            let mines = self.mines_around(pos);
            self.seen[pos] = Cell::open(mines);
            self.left -= 1;
            if mines == 0 {
                next.extend(self.seen.neighbours(pos));
            }
        }
        if self.status == Status::Fresh {
            self.status = Status::Playing;
        }
    }

    /// Ends the game if it is over, and shows what a game shows then.
    fn settle(&mut self) {
        if self.status == Status::Lost {
            for pos in self.seen.positions() {
                match self.seen[pos] {
                    Cell::Covered | Cell::Questioned if self.is_mine(pos) => {
                        self.seen[pos] = Cell::Mine;
                    }
                    Cell::Flagged if !self.is_mine(pos) => self.seen[pos] = Cell::WrongFlag,
                    _ => {}
                }
            }
            return;
        }
        let is_won = self.left == 0
            && if self.options.flags_to_win {
                self.seen.count(|cell| cell == Cell::Flagged) == self.rules.mines as usize
            } else {
                self.status == Status::Playing
            };
        if is_won {
            self.status = Status::Won;
            if self.options.flags_mines_when_won {
                for pos in self.seen.positions() {
                    if self.seen[pos].is_unopened() {
                        self.seen[pos] = Cell::Flagged;
                    }
                }
            }
        }
    }
}

/// A list of mines that no game can have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ImpossibleLayout {
    /// There is no board of that size.
    #[error(transparent)]
    Rules(#[from] ImpossibleRules),
    /// A mine that is not on the board.
    #[error("the mine at {pos} is off the {cols}x{rows} board; columns and rows count from 0")]
    OffBoard {
        /// The mine.
        pos: Pos,
        /// Columns of the board.
        cols: u16,
        /// Rows of the board.
        rows: u16,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    const AS_WINDOWS: Options = Options {
        flags_to_win: false,
        starts_open: false,
        question_marks: false,
        flags_mines_when_won: true,
    };

    fn drawn(layout: &str, options: Options) -> Minefield {
        let board: Board = layout.parse().unwrap();
        let mines = board.iter().filter(|&(_, cell)| cell == Cell::Mine).map(|(pos, _)| pos);
        Minefield::with_mines(board.cols(), board.rows(), mines, options).unwrap()
    }

    fn rows(game: &Minefield) -> String {
        crate::board::text::rows(game.view()).collect::<Vec<_>>().join("\n")
    }

    fn rules(level: &str, first_click: FirstClick) -> Rules {
        Rules::parse_level(level, first_click).unwrap()
    }

    #[test]
    fn a_blank_cell_opens_its_region_up_to_the_numbers() {
        let mut game = drawn("00000\n00000\n000*0\n****0", AS_WINDOWS);
        assert_eq!(game.open(Pos::new(0, 0)), Status::Playing);
        assert_eq!(rows(&game), "00000\n00111\n234##\n#####");
    }

    #[test]
    fn a_flag_stays_shut_in_a_region_and_under_a_click() {
        let mut game = drawn("000\n000\n00*", AS_WINDOWS);
        game.mark(Pos::new(1, 0));
        game.open(Pos::new(1, 0));
        assert_eq!((rows(&game).as_str(), game.status()), ("#F#\n###\n###", Status::Fresh));
        game.open(Pos::new(0, 0));
        assert_eq!((rows(&game).as_str(), game.status()), ("0F#\n01#\n01#", Status::Playing));
        game.mark(Pos::new(1, 0));
        assert_eq!(game.open(Pos::new(1, 0)), Status::Won);
        assert_eq!(rows(&game), "000\n011\n01F");
    }

    #[test]
    fn a_loss_shows_the_burst_mine_the_others_and_the_wrong_flags() {
        let mut game = drawn("**0*0", AS_WINDOWS);
        game.mark(Pos::new(1, 0));
        game.mark(Pos::new(2, 0));
        assert_eq!(game.open(Pos::new(3, 0)), Status::Lost);
        assert_eq!(rows(&game), "*F!X#");
        game.open(Pos::new(4, 0));
        game.mark(Pos::new(4, 0));
        assert_eq!(rows(&game), "*F!X#", "nothing happens after the end");
    }

    #[test]
    fn a_chord_opens_the_rest_only_when_the_flags_fit_the_number() {
        let mut game = drawn("*00\n000\n000", AS_WINDOWS);
        let middle = Pos::new(1, 1);
        game.open(middle);
        game.chord(middle);
        assert_eq!(rows(&game), "###\n#1#\n###");
        game.mark(Pos::new(0, 0));
        assert_eq!(game.chord(middle), Status::Won);
    }

    #[test]
    fn a_chord_beside_a_wrong_flag_loses() {
        let mut game = drawn("*00\n000\n000", AS_WINDOWS);
        game.open(Pos::new(1, 1));
        game.mark(Pos::new(1, 0));
        assert_eq!(game.chord(Pos::new(1, 1)), Status::Lost);
        assert!(rows(&game).starts_with("X!"), "{}", rows(&game));
    }

    #[test]
    fn marks_go_round() {
        let mut game = drawn("*0", Options { question_marks: true, ..AS_WINDOWS });
        let mut seen = Vec::new();
        for _ in 0..4 {
            game.mark(Pos::new(0, 0));
            seen.push(game.view()[Pos::new(0, 0)].symbol());
        }
        assert_eq!(seen, ['F', '?', '#', 'F']);
    }

    #[test]
    fn a_game_may_ask_for_every_flag() {
        let mut game = drawn("*00*", Options { flags_to_win: true, ..AS_WINDOWS });
        game.open(Pos::new(1, 0));
        game.mark(Pos::new(0, 0));
        assert_eq!(game.open(Pos::new(2, 0)), Status::Playing);
        assert_eq!(game.mark(Pos::new(3, 0)), Status::Won);
    }

    #[test]
    fn a_game_may_start_with_a_region_open() {
        let options = Options { starts_open: true, ..AS_WINDOWS };
        for seed in 0..50 {
            let game = Minefield::new(rules("expert", FirstClick::Any), options, seed);
            assert_eq!(game.status(), Status::Playing);
            assert!(game.view().count(|cell| cell == Cell::open(0)) > 0);
        }
        assert_eq!(rows(&drawn("*0000", options)), "F1000");
        assert_eq!(rows(&drawn("*0*", options)), "###");
    }

    #[test]
    fn the_first_click_keeps_its_promise() {
        for seed in 0..200 {
            let first = Pos::new((seed % 9) as u16, (seed / 9 % 9) as u16);
            let open = |level, promise| {
                let mut game = Minefield::new(rules(level, promise), Options::default(), seed);
                game.open(first);
                assert_eq!(game.mines().unwrap().len(), game.rules().mines as usize);
                game.view()[first]
            };
            assert!(open("9x9x80", FirstClick::Safe).number().is_some());
            assert_eq!(open("9x9x72", FirstClick::Opens), Cell::open(0));
            let around = Board::new(9, 9).neighbours(first).count() as u8;
            let crowded = open("9x9x78", FirstClick::Opens);
            assert_eq!(crowded, Cell::open(around - 2), "two of the other cells have no mine");
            assert!(open("9x9x80", FirstClick::Opens).number().is_some());
        }
    }

    #[test]
    fn every_allowed_layout_is_equally_likely() {
        let games = 6000;
        for (promise, allowed) in [(FirstClick::Safe, 3), (FirstClick::Any, 4)] {
            let mut times = [0; 4];
            for seed in 0..games {
                let mut game = Minefield::new(rules("2x2x1", promise), Options::default(), seed);
                game.open(Pos::new(0, 0));
                times[game.seen.index(game.mines().unwrap()[0])] += 1;
            }
            let expected = games as f64 / f64::from(allowed);
            for &count in &times[4 - allowed as usize..] {
                assert!((f64::from(count) - expected).abs() < 5.0 * expected.sqrt(), "{times:?}");
            }
        }
    }

    #[test]
    fn the_same_seed_lays_the_same_mines() {
        let game = |seed| {
            let mut game =
                Minefield::new(rules("expert", FirstClick::Safe), Options::default(), seed);
            assert_eq!(game.mines(), None);
            game.open(Pos::new(3, 3));
            game.mines()
        };
        assert_eq!(game(7), game(7));
        assert_ne!(game(7), game(8));
    }

    #[test]
    fn a_mine_off_the_board_is_refused() {
        let error =
            Minefield::with_mines(2, 2, [Pos::new(2, 0)], Options::default()).err().unwrap();
        assert!(error.to_string().contains("(2, 0) is off the 2x2 board"), "{error}");
    }
}
