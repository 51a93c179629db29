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
}

/// What the drawing of odds means.
pub const LEGEND: &str =
    "covered cells: the chance of a mine in per cent; + is safe, x a mine, > what to open";

/// Colours of the numbers 1 to 8, of 256.
const NUMBERS: [u8; 8] = [75, 78, 203, 141, 173, 80, 252, 246];
/// From no mine to a mine: blue over grey to orange, which nearly everybody can tell apart.
const CHANCES: [u8; 7] = [26, 67, 109, 145, 179, 172, 166];

impl Drawing<'_> {
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
        if self.odds.is_some() { 3 } else { 2 }
    }

    /// The numbers of the columns, as many of them as there is room for.
    fn columns(&self) -> String {
        let width = self.cell_width();
        let every = if width > 2 { 1 } else { 5 };
        let mut line = " ".repeat(4);
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

    /// Shows `lines` where the last ones were; below them, where they do not fit into the terminal.
    pub fn show(&mut self, lines: &[String]) {
        let (rows, columns) = self.term.size();
        // A terminal that cannot move its cursor shows them below as well.
        let _ = self.term.clear_last_lines(self.lines);
        lines.iter().for_each(|line| say!("{line}"));
        let fits = lines.len() < usize::from(rows)
            && lines.iter().all(|line| measure_text_width(line) <= usize::from(columns));
        self.lines = if fits { lines.len() } else { 0 };
    }

    /// What is shown now stays.
    pub fn keep(&mut self) {
        self.lines = 0;
    }
}
