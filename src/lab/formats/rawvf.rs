//! RawVF: a replay as text that a person can read.
//!
//! Lines `Name: value` say what was played, then `Board:` and a line for each row (`*` a mine, `0` none), then `Events:`
//! and a line for each, `SECONDS.MILLISECONDS EVENT [COLUMN ROW] (X Y)`: the button that was pressed or released, and the
//! pixel of the board where. Columns and rows are left out or written from 1 or from 0 by different programs, so the pixel
//! counts, with 16 to a cell unless a line `SquareSize:` says otherwise. Lines of what came of the events on the board are
//! skipped: it follows from them.
//!
//! The form was published by Cryslon (Maksim Bashov) in the forum of minesweeper.info, "Open, human-readable minesweeper
//! video format", and is kept with converters by Damien Moore (github.com/thefinerminer/minesweeper-rawvf, revision 6).

use std::fmt;

use super::{Event, FormatError, LaidBoard, Mouse, Replay};
use crate::board::Pos;

/// Pixels to a cell where the replay does not say it.
pub(super) const CELL: u16 = 16;

/// What is done with the mouse, and the word for it.
const WORDS: [(&str, Mouse); 9] = [
    ("mv", Mouse::Move),
    ("lc", Mouse::LeftPress),
    ("sc", Mouse::ShiftPress),
    ("lr", Mouse::LeftRelease),
    ("rc", Mouse::RightPress),
    ("rr", Mouse::RightRelease),
    ("mc", Mouse::MiddlePress),
    ("mr", Mouse::MiddleRelease),
    ("mt", Mouse::ToggleMarks),
];

/// Whether a text is a replay.
pub fn is_one(text: &str) -> bool {
    text.lines().any(|line| line.trim().eq_ignore_ascii_case("board:"))
}

/// Reads a replay.
///
/// # Errors
/// When its board is not as its head says, or a line cannot be understood.
pub fn read(text: &str) -> Result<Replay, FormatError> {
    let mut lines = (1..).zip(text.lines().map(str::trim));
    let mut head = Head::default();
    loop {
        let (number, line) = lines.next().ok_or(FormatError::CutOff("head"))?;
        if line.eq_ignore_ascii_case("board:") {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            head.note(number, name.trim(), value.trim())?;
        }
    }
    let (mut cols, mut row, mut mines) = (0, 0, Vec::new());
    loop {
        let (number, line) = lines.next().ok_or(FormatError::CutOff("board"))?;
        if line.eq_ignore_ascii_case("events:") {
            break;
        }
        let cells = line.chars().count();
        let wrong = |why: &str| FormatError::Line { line: number, why: why.to_owned() };
        if row > 0 && cells != usize::from(cols) {
            return Err(wrong("the row is longer or shorter than the one before"));
        }
        cols = u16::try_from(cells).map_err(|_| wrong("the row is too long"))?;
        for (col, symbol) in (0..cols).zip(line.chars()) {
            match symbol {
                '*' => mines.push(Pos::new(col, row)),
                '0' => {}
                other => return Err(wrong(&format!("'{other}' is no cell; cells are * and 0"))),
            }
        }
        row = row.checked_add(1).ok_or_else(|| wrong("there are too many rows"))?;
    }
    let board = LaidBoard::new(cols, row, mines)?;
    head.agrees_with(&board)?;
    let events = lines.filter_map(|(number, line)| event(number, line).transpose());
    let events = events.collect::<Result<_, _>>()?;
    Ok(Replay::new(board, head.program, head.cell.unwrap_or(CELL), head.won, events))
}

/// What the lines before the board say.
#[derive(Default)]
struct Head {
    program: String,
    cols: Option<u32>,
    rows: Option<u32>,
    mines: Option<u32>,
    cell: Option<u16>,
    won: Option<bool>,
}

impl Head {
    fn note(&mut self, line: usize, name: &str, value: &str) -> Result<(), FormatError> {
        let number = |value: &str| {
            let why = || FormatError::Line { line, why: format!("'{value}' is no number") };
            value.parse::<u32>().map_err(|_| why())
        };
        match name.to_ascii_lowercase().as_str() {
            "program" => self.program = value.to_owned(),
            "width" => self.cols = Some(number(value)?),
            "height" => self.rows = Some(number(value)?),
            "mines" => self.mines = Some(number(value)?),
            "squaresize" => {
                let side = u16::try_from(number(value)?).ok().filter(|&side| side > 0);
                let why = format!("a cell cannot have {value} pixels");
                self.cell = Some(side.ok_or(FormatError::Line { line, why })?);
            }
            "status" => self.won = Some(value.eq_ignore_ascii_case("won")),
            // There are many more, and none of them matters here.
            _ => {}
        }
        Ok(())
    }

    fn agrees_with(&self, board: &LaidBoard) -> Result<(), FormatError> {
        let (cols, rows) = (u32::from(board.cols), u32::from(board.rows));
        let is = |stated: Option<u32>, found: u32| stated.is_none_or(|stated| stated == found);
        if !is(self.rows, rows) && is(self.cols, cols) {
            return Err(FormatError::CutOff("board"));
        }
        if !is(self.cols, cols) || !is(self.rows, rows) {
            let stated = |side: Option<u32>, found| side.unwrap_or(found);
            let stated = format!("{}x{}", stated(self.cols, cols), stated(self.rows, rows));
            let expected = "its rows make a board of another size";
            return Err(FormatError::Part { part: "size", found: stated, expected });
        }
        match self.mines {
            Some(stated) if stated as usize != board.mines.len() => {
                Err(FormatError::Count { stated, found: board.mines.len() })
            }
            _ => Ok(()),
        }
    }
}

/// The event in a line, if it is one of the mouse.
fn event(number: usize, line: &str) -> Result<Option<Event>, FormatError> {
    let mut words = line.split_whitespace();
    let (time, word) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let Some(&(_, mouse)) = WORDS.iter().find(|(known, _)| *known == word) else {
        return Ok(None);
    };
    let wrong = |why: &str| FormatError::Line { line: number, why: why.to_owned() };
    let ms = milliseconds(time).ok_or_else(|| wrong(&format!("'{time}' is no time in seconds")))?;
    let no_place = || wrong("there is no place such as (120 37)");
    let (_, place) = line.split_once('(').ok_or_else(no_place)?;
    let (place, _) = place.split_once(')').ok_or_else(no_place)?;
    let pixels: Option<Vec<i32>> = place.split_whitespace().map(|side| side.parse().ok()).collect();
    let [x, y] = pixels.ok_or_else(no_place)?[..] else { return Err(no_place()) };
    Ok(Some(Event { ms, mouse, x, y }))
}

/// A time such as `12.345`, `12.34` or `-0.120`, in milliseconds.
fn milliseconds(time: &str) -> Option<i64> {
    let (sign, time) = time.strip_prefix('-').map_or((1, time), |time| (-1, time));
    let (seconds, part) = time.split_once('.')?;
    let is_number =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    (is_number(seconds) && is_number(part)).then_some(())?;
    let thousandths: i64 = format!("{part:0<3}").get(..3)?.parse().ok()?;
    Some(sign * (seconds.parse::<i64>().ok()?.checked_mul(1000)? + thousandths))
}

/// Writes it.
impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { board, program, cell, won, events } = self;
        let level = match (board.cols, board.rows, board.mines.len()) {
            (8, 8, 10) | (9, 9, 10) => "Beginner",
            (16, 16, 40) => "Intermediate",
            (30, 16, 99) => "Expert",
            _ => "Custom",
        };
        writeln!(f, "RawVF_Version: Rev6")?;
        writeln!(f, "Program: {program}")?;
        writeln!(f, "Level: {level}")?;
        writeln!(f, "Width: {}\nHeight: {}\nMines: {}", board.cols, board.rows, board.mines.len())?;
        writeln!(f, "Marks: Off")?;
        if *cell != CELL {
            writeln!(f, "SquareSize: {cell}")?;
        }
        writeln!(f, "Time: {}", seconds(self.ms()))?;
        if let Some(won) = won {
            writeln!(f, "Status: {}", if *won { "won" } else { "lost" })?;
        }
        writeln!(f, "Mode: Classic\nBoard:")?;
        let mut mines = board.mines.iter().peekable();
        for row in 0..board.rows {
            let is_mine = |col| mines.next_if(|&&mine| mine == Pos::new(col, row)).is_some();
            let cells = (0..board.cols).map(is_mine).map(|mine| if mine { '*' } else { '0' });
            writeln!(f, "{}", cells.collect::<String>())?;
        }
        writeln!(f, "Events:")?;
        let side = i32::from(*cell).max(1);
        for Event { ms, mouse, x, y } in events {
            let word =
                WORDS.iter().find(|(_, known)| known == mouse).map_or("mv", |(word, _)| word);
            let (col, row) = (x.div_euclid(side) + 1, y.div_euclid(side) + 1);
            writeln!(f, "{} {word} {col} {row} ({x} {y})", seconds(*ms))?;
        }
        Ok(())
    }
}

fn seconds(ms: i64) -> String {
    let (sign, ms) = (if ms < 0 { "-" } else { "" }, ms.unsigned_abs());
    format!("{sign}{}.{:03}", ms / 1000, ms % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the converters write it, with what came of the events, and as others do.
    const SOME: &str = "RawVF_Version: Rev6\r\nProgram: Minesweeper Arbiter\r\nLevel: Custom\r\nWidth: 4\r\n\
        Height: 2\r\nMines: 1\r\nTime: 1.230\r\nStatus: Won\r\nBoard:\r\n000*\r\n0000\r\nEvents:\r\n\
        0.000 start\r\n-0.120 mv 1 1 (3 3)\r\n0.00 lc 3 1 (40 8)\r\n0.000 lr 3 1 (40 8)\r\nCell opened (Number 1) 3 1\r\n\
        number1 3 1\r\n0.500 rc (56 -1) (r)\r\n1.23 lr 0 1 (0 31) (l)\r\n1.230 won\r\n";

    #[test]
    fn a_replay_is_read_with_its_first_click_and_all_that_the_mouse_did() {
        let replay = read(SOME).unwrap();
        assert_eq!(replay.board.to_string(), "4 2 1 2 0 : 3");
        assert_eq!((replay.program.as_str(), replay.won), ("Minesweeper Arbiter", Some(true)));
        let told = |event: &Event| (event.ms, event.mouse, event.x, event.y);
        assert_eq!(
            replay.events.iter().map(told).collect::<Vec<_>>(),
            [
                (-120, Mouse::Move, 3, 3),
                (0, Mouse::LeftPress, 40, 8),
                (0, Mouse::LeftRelease, 40, 8),
                (500, Mouse::RightPress, 56, -1),
                (1230, Mouse::LeftRelease, 0, 31),
            ]
        );
        assert_eq!(replay.ms(), 1230);
    }

    #[test]
    fn the_size_of_a_cell_says_where_the_mouse_was() {
        let large = SOME.replace("Width", "SquareSize: 64\nWidth");
        assert_eq!(read(&large).unwrap().board.first, Some(Pos::new(0, 0)));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let replay = read(SOME).unwrap();
        assert_eq!(read(&replay.to_string()).unwrap(), replay);
        let large = Replay { cell: 40, won: None, ..replay };
        let again = read(&large.to_string()).unwrap();
        assert_eq!((again.cell, again.won, &again.events), (40, None, &large.events));
    }

    #[test]
    fn what_is_no_replay_is_refused_with_its_line() {
        for (from, to, why) in [
            ("000*\r\n", "", "it ends within its board"),
            ("000*\r\n", "00*\r\n", "line 11: the row is longer or shorter"),
            ("000*\r\n0000", "00*0\r\n00*0", "it has 2 mines where it states 1"),
            ("000*", "000?", "line 10: '?' is no cell"),
            ("Width: 4", "Width: 5", "its size is '5x2'"),
            ("Width: 4", "Width: four", "line 4: 'four' is no number"),
            ("Width: 4", "SquareSize: 0", "line 4: a cell cannot have 0 pixels"),
            ("Events:", "", "line 12"),
            ("0.00 lc", "0 lc", "line 15: '0' is no time"),
            ("1.23 lr", "99999999999999999.23 lr", "is no time"),
            ("(40 8)", "(40)", "line 15: there is no place"),
            ("(56 -1)", "56 -1", "there is no place"),
        ] {
            let error = read(&SOME.replacen(from, to, 1)).unwrap_err();
            assert!(error.to_string().contains(why), "{to}: {error}");
        }
        assert_eq!(read("Board:\nEvents:\n").unwrap_err().to_string().split(' ').next(), Some("a"));
    }

    #[test]
    fn what_is_cut_off_within_its_board_is_refused() {
        let events = SOME.find("Events:\r\n").unwrap() + "Events:".len();
        for cut in 0..events {
            assert!(read(&SOME[..cut]).is_err(), "{cut}");
        }
        for cut in events..SOME.len() {
            let board = read(&SOME[..cut]).map(|replay| replay.board.mines);
            assert!(board.is_err() || board == Ok(vec![Pos::new(3, 0)]), "{cut}");
        }
    }
}
