//! A board drawn in the terminal, with its columns and rows numbered from 0.

use std::fmt::Write;

use console::{Style, Term, measure_text_width};

use minescraper::board::{Board, Cell, Pos};
use minescraper::solver::odds::Odds;

use super::output::say;

/// A board, and what is to be told of its cells.
pub struct Drawing<'d> {
    pub board: &'d Board,
    /// The chance of a mine in each cell that is covered, drawn in its place.
    pub odds: Option<&'d Odds>,
    /// Cells that are pointed at.
    pub chosen: &'d [Pos],
    /// Whether only letters of a typewriter are used, and no colours.
    pub is_plain: bool,
    /// Whether chances are told by a letter instead of in per cent, to take fewer columns of a terminal.
    pub is_narrow: bool,
}

/// What the letters of a narrow drawing are: one for every ten per cent.
const TENTHS: [char; 10] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

/// Colours of the numbers 1 to 8, of 256.
const NUMBERS: [u8; 8] = [75, 78, 203, 141, 173, 80, 252, 246];
/// From no mine to a mine: blue over grey to orange, which nearly everybody can tell apart.
const CHANCES: [u8; 7] = [26, 67, 109, 145, 179, 172, 166];

/// How many columns the number of a row takes.
const LABEL: usize = 4;

impl Drawing<'_> {
    /// What the drawing of odds means.
    pub fn legend(&self) -> &'static str {
        if self.is_narrow {
            "covered cells: the chance of a mine, a is under 10 %, b under 20 % and so on to j; + is safe, x a mine, \
             > what to open"
        } else {
            "covered cells: the chance of a mine in per cent; + is safe, x a mine, > what to open"
        }
    }

    /// How many columns of a terminal it takes.
    pub fn width(&self) -> usize {
        LABEL + self.cell_width() * usize::from(self.board.cols())
    }

    /// The lines, from top to bottom, the numbers of the columns first.
    pub fn lines(&self) -> impl Iterator<Item = String> + '_ {
        let rows = (0..self.board.rows()).map(|row| {
            let mut line = format!("{row:>3} ");
            for col in 0..self.board.cols() {
                line.push_str(&self.cell(Pos::new(col, row)));
            }
            line
        });
        std::iter::once(self.columns()).chain(rows)
    }

    fn cell_width(&self) -> usize {
        if self.odds.is_some() && !self.is_narrow { 3 } else { 2 }
    }

    /// The numbers of the columns, as many of them as there is room for.
    fn columns(&self) -> String {
        let width = self.cell_width();
        let every = if width > 2 { 1 } else { 5 };
        let mut line = " ".repeat(LABEL);
        for col in (0..self.board.cols()).step_by(every) {
            // The last digit stands above the column.
            let _ = write!(line, "{col:>width$}{}", " ".repeat(width * (every - 1)));
        }
        line.trim_end().to_owned()
    }

    fn cell(&self, pos: Pos) -> String {
        let cell = self.board[pos];
        let chance = self.odds.and_then(|odds| odds.cells[self.board.index(pos)]);
        let is_chosen = self.chosen.contains(&pos);
        let sign = match (cell, chance) {
            (Cell::Covered | Cell::Questioned, Some(0.0)) => "+".to_owned(),
            (Cell::Covered | Cell::Questioned, Some(1.0)) => "x".to_owned(),
            (Cell::Covered | Cell::Questioned, Some(chance)) if self.is_narrow => {
                let tenths = (10.0 * chance) as usize;
                TENTHS[tenths.min(TENTHS.len() - 1)].to_string()
            }
            (Cell::Covered | Cell::Questioned, Some(chance)) => {
                format!("{:02.0}", (100.0 * chance).clamp(1.0, 99.0))
            }
            _ => self.sign(cell).to_string(),
        };
        let width = self.cell_width();
        let mark = if is_chosen { ">" } else { "" };
        let text = format!("{:>width$}", format!("{mark}{sign}"));
        if self.is_plain {
            return text;
        }
        let mut style = Style::new().force_styling(true);
        style = match (cell, chance) {
            (Cell::Open(number), _) if number.get() > 0 => {
                style.color256(NUMBERS[usize::from(number.get()) - 1])
            }
            (Cell::Covered | Cell::Questioned, Some(chance)) => {
                let nth = (chance * (CHANCES.len() - 1) as f64).round() as usize;
                style.color256(CHANCES[nth.min(CHANCES.len() - 1)])
            }
            (Cell::Flagged | Cell::WrongFlag | Cell::Mine | Cell::Burst, _) => {
                style.color256(CHANCES[CHANCES.len() - 1])
            }
            _ => style.dim(),
        };
        if is_chosen {
            style = style.bold().reverse();
        }
        // The space between cells is not lit.
        let blanks = text.len() - text.trim_start().len();
        format!("{}{}", &text[..blanks], style.apply_to(&text[blanks..]))
    }

    fn sign(&self, cell: Cell) -> char {
        match cell {
            Cell::Open(number) if number.get() == 0 => '.',
            Cell::Covered if !self.is_plain => '■',
            Cell::Flagged if !self.is_plain => '⚑',
            Cell::Mine | Cell::Burst if !self.is_plain => '✹',
            other => other.symbol(),
        }
    }
}

/// Lines in a terminal that take the place of those before.
pub struct Redrawn {
    term: Term,
    lines: usize,
}

impl Redrawn {
    pub fn new(term: Term) -> Self {
        Self { term, lines: 0 }
    }

    /// Shows what is `told` and a `drawing` where the last ones were; below them, where they do not fit into the terminal.
    pub fn show(&mut self, told: &[String], drawing: &[String]) {
        let rows = usize::from(self.term.size().0);
        // The cursor stands below the last line.
        let (lines, fits) = fitted(told, drawing, rows.saturating_sub(1), self.columns());
        // A terminal that cannot move its cursor shows them below as well.
        let _ = self.term.clear_last_lines(self.lines);
        lines.iter().for_each(|line| say!("{line}"));
        self.lines = if fits { lines.len() } else { 0 };
    }

    /// How many columns there are.
    pub fn columns(&self) -> usize {
        columns(&self.term)
    }

    /// What is shown now stays.
    pub fn keep(&mut self) {
        self.lines = 0;
    }
}

/// How many columns there are; without end where it is no terminal.
pub fn columns(term: &Term) -> usize {
    if term.is_term() { term.size().1.into() } else { usize::MAX }
}

/// The line, broken between words where it is longer than `columns`.
pub fn wrapped(line: &str, columns: usize) -> Vec<String> {
    if measure_text_width(line) <= columns {
        return vec![line.to_owned()];
    }
    let mut lines: Vec<String> = Vec::new();
    for word in line.split(' ') {
        let width = measure_text_width(word);
        match lines.last_mut() {
            Some(last) if measure_text_width(last) + 1 + width <= columns => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Lines for so many rows and columns, and whether they fit. Of what is `told` the first line always stays; of the others those
/// that take most room are left out first.
fn fitted(told: &[String], drawing: &[String], rows: usize, columns: usize) -> (Vec<String>, bool) {
    let mut told: Vec<Vec<String>> = told.iter().map(|line| wrapped(line, columns)).collect();
    while told.iter().map(Vec::len).sum::<usize>() + drawing.len() > rows
        && let Some(tallest) = (1..told.len()).rev().max_by_key(|&nth| told[nth].len())
    {
        told.remove(tallest);
    }
    let lines: Vec<String> = told.into_iter().flatten().chain(drawing.iter().cloned()).collect();
    let fits = lines.len() <= rows && lines.iter().all(|line| measure_text_width(line) <= columns);
    (lines, fits)
}

#[cfg(test)]
mod tests {
    use minescraper::solver::Budget;
    use minescraper::solver::odds::{Position, Workspace};

    use super::*;

    #[test]
    fn long_lines_are_broken_between_words() {
        let line = "mines without a flag: (10, 2) (11, 2)";
        assert_eq!(wrapped(line, 80), [line]);
        assert_eq!(wrapped(line, 26), ["mines without a flag: (10,", "2) (11, 2)"]);
    }

    #[test]
    fn what_is_told_makes_room_for_the_board() {
        let mines = format!("mines without a flag:{}", " (10, 2)".repeat(80));
        let told = ["open (1, 1): why".to_owned(), mines, "chance to win: 40.0 %".to_owned()];
        let board = vec!["#".repeat(64); 19];
        let (lines, fits) = fitted(&told, &board, 44, 120);
        assert!(fits && lines.len() == 27, "{lines:?}");
        let (lines, fits) = fitted(&told, &board, 23, 80);
        assert!(fits, "{lines:?}");
        assert_eq!(lines[..2], [told[0].clone(), told[2].clone()]);
        assert_eq!(lines[2..], board);
        let (lines, fits) = fitted(&told, &board, 18, 80);
        assert!(!fits && lines[1..] == board, "{lines:?}");
        assert!(!fitted(&told, &board, 44, 60).1, "a board is not broken");
    }

    #[test]
    fn a_narrow_board_tells_chances_by_letters() {
        let board: Board = "minescraper 5x2 mines=5\n#####\n##1##".parse().unwrap();
        let mut nodes = Budget::nodes(1000);
        let position = Position::of(&board, &mut Workspace::default(), &mut nodes).unwrap();
        let odds = position.odds(&board);
        let chosen = [Pos::new(1, 0)];
        let drawing = |is_narrow| {
            let odds = Some(&odds);
            let drawing =
                Drawing { board: &board, odds, chosen: &chosen, is_plain: true, is_narrow };
            (drawing.width(), drawing.lines().collect::<Vec<_>>())
        };
        let (width, lines) = drawing(false);
        assert_eq!((width, lines[1].as_str()), (19, "  0   x>20 20 20  x"));
        let (width, lines) = drawing(true);
        assert_eq!((width, lines[1].as_str()), (14, "  0  x>c c c x"));
        assert!(lines.iter().all(|line| line.len() <= width), "{lines:?}");
    }
}
