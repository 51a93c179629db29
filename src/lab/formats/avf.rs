//! avf: a replay of Minesweeper Arbiter, in bytes.
//!
//! The sixth byte is the level: 3, 4, 5 are Beginner (8x8, 10 mines), Intermediate and Expert, 6 is any other, which has its
//! columns and rows (less one) in a byte each and its mines in two. Each mine is its row and column, from 1. After some
//! settings comes a text in brackets, with the time of day, the 3BV (`B`) and the time plus one second (`T`), then the
//! events of 8 bytes each: what was done, and the place and time, whose bytes are mixed (`event`). An event in second -1
//! ends them, and the text `cs=` begins what is told of the program and the player.
//!
//! Nobody published the form; it is as two independent readers have it: Maksim Bashov's and Damien Moore's `parser_avf.c`
//! (github.com/thefinerminer/minesweeper-rawvf), and ms_toollib's `avf_video.rs`.

use super::rawvf::CELL;
use super::{Event, FormatError, LaidBoard, Mouse, Replay};
use crate::board::Pos;

/// Bytes before the level.
const BEFORE_LEVEL: usize = 5;

/// Reads a replay.
///
/// # Errors
/// When it is cut off before its last event, or says what no replay says.
pub fn read(content: &[u8]) -> Result<Replay, FormatError> {
    let mut rest = Bytes(content.get(BEFORE_LEVEL..).ok_or(FormatError::CutOff("head"))?);
    let (cols, rows, mines) = match rest.next("head")? {
        3 => (8, 8, 10),
        4 => (16, 16, 40),
        5 => (30, 16, 99),
        6 => {
            let [cols, rows, high, low] = rest.some("size")?;
            (u16::from(cols) + 1, u16::from(rows) + 1, u16::from_be_bytes([high, low]))
        }
        other => {
            let expected = "levels are 3 (Beginner) to 6 (custom)";
            return Err(FormatError::Part { part: "level", found: other.to_string(), expected });
        }
    };
    let mut places = Vec::new();
    for _ in 0..mines {
        // 0 is no place; one that far off is none either.
        let [row, col] = rest.some("mines")?.map(|side| u16::from(side).wrapping_sub(1));
        places.push(Pos::new(col, row));
    }
    let board = LaidBoard::new(cols, rows, places)?;
    let opens = |bytes: &[u8]| matches!(bytes, [b'[', b'0'..=b'3', b'|']);
    rest.skip_past(3, opens, "settings")?;
    rest.skip_past(1, |bytes| bytes == b"]", "times")?;
    let events = events(&mut rest)?;
    rest.skip_past(3, |bytes| bytes == b"cs=", "events")?;
    Ok(Replay::new(board, "Minesweeper Arbiter".to_owned(), CELL, None, events))
}

/// All events; before the first there are bytes that mean nothing.
fn events(rest: &mut Bytes) -> Result<Vec<Event>, FormatError> {
    // It is in second 0, for which 1 is written, and less than 512 pixels from the left.
    let is_first = |bytes: &[u8]| bytes[2] == 1 && bytes[1] <= 1;
    let start = rest.0.windows(3).position(is_first).ok_or(FormatError::CutOff("events"))?;
    rest.0 = &rest.0[start..];
    let mut events = Vec::new();
    loop {
        match event(rest.some("events")?) {
            Some(event) => events.extend(event),
            None => return Ok(events),
        }
    }
}

/// The event in 8 bytes, if it is one that is known; `None` at the end.
fn event(
    [what, x_high, second_low, x_low, hundredths, y_high, second_high, y_low]: [u8; 8],
) -> Option<Option<Event>> {
    let seconds = u16::from_be_bytes([second_high, second_low]).checked_sub(1)?;
    let mouse = match what {
        1 => Mouse::Move,
        3 => Mouse::LeftPress,
        11 => Mouse::ShiftPress,
        5 | 21 => Mouse::LeftRelease,
        9 => Mouse::RightPress,
        17 | 145 => Mouse::RightRelease,
        33 => Mouse::MiddlePress,
        65 | 193 => Mouse::MiddleRelease,
        _ => return Some(None),
    };
    Some(Some(Event {
        ms: 1000 * i64::from(seconds) + 10 * i64::from(hundredths),
        mouse,
        x: u16::from_be_bytes([x_high, x_low]).into(),
        y: u16::from_be_bytes([y_high, y_low]).into(),
    }))
}

/// Bytes that are still to be read.
struct Bytes<'c>(&'c [u8]);

impl Bytes<'_> {
    fn some<const N: usize>(&mut self, part: &'static str) -> Result<[u8; N], FormatError> {
        let (&some, rest) = self.0.split_first_chunk().ok_or(FormatError::CutOff(part))?;
        self.0 = rest;
        Ok(some)
    }

    fn next(&mut self, part: &'static str) -> Result<u8, FormatError> {
        self.some(part).map(|[byte]| byte)
    }

    /// Goes on behind the first `length` bytes that are a mark.
    fn skip_past(
        &mut self,
        length: usize,
        is_mark: impl Fn(&[u8]) -> bool,
        part: &'static str,
    ) -> Result<(), FormatError> {
        let at = self.0.windows(length).position(is_mark).ok_or(FormatError::CutOff(part))?;
        self.0 = &self.0[at + length..];
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A replay of this level, with these mines and events (what, x, y, hundredths), as Arbiter writes it.
    fn written(level: &[u8], mines: &[(u8, u8)], events: &[(u8, u16, u16, u32)]) -> Vec<u8> {
        let mut content = vec![52, 0, 0, 0, 0];
        content.extend(level);
        mines.iter().for_each(|&(row, col)| content.extend([row, col]));
        content.extend(b"\x06\xa0\xc8\x8f\xa1\x97\xd1\x07\x08\x0b\n\x11=");
        content.extend(b"[0|W4H2M1|26.10.2022.23:13:27:2236|26.23:13:29:7764|B12T5.25]\0\x03\x07");
        for &(what, x, y, hundredths) in events {
            let [[x_high, x_low], [y_high, y_low]] = [x, y].map(u16::to_be_bytes);
            let [second_high, second_low] = (hundredths as u16 / 100 + 1).to_be_bytes();
            let part = (hundredths % 100) as u8;
            content.extend([what, x_high, second_low, x_low, part, y_high, second_high, y_low]);
        }
        content.extend([0; 8]);
        content.extend(b"cs=0123456789abcdef\rRealTime: 4.25\rSkin: Default\rSomebody\r");
        content.extend(b"Minesweeper Arbiter 0.52.3. Copyright");
        content
    }

    const CUSTOM: &[u8] = &[6, 3, 1, 0, 1];
    const EVENTS: &[(u8, u16, u16, u32)] = &[
        (1, 40, 9, 0),
        (3, 40, 9, 0),
        (5, 41, 9, 12),
        (9, 300, 20, 26_000),
        (77, 0, 0, 26_001),
        (17, 300, 20, 26_010),
    ];

    #[test]
    fn a_mine_is_at_its_row_and_column_from_1() {
        let replay = read(&written(CUSTOM, &[(1, 4)], EVENTS)).unwrap();
        assert_eq!(replay.board.to_string(), "4 2 1 2 0 : 3");
        let beginner: Vec<(u8, u8)> = (1..=8).map(|at| (at, at)).chain([(1, 2), (8, 1)]).collect();
        let board = read(&written(&[3], &beginner, EVENTS)).unwrap().board;
        assert_eq!((board.cols, board.rows, board.mines.len()), (8, 8, 10));
        assert_eq!(board.mines[..3], [Pos::new(0, 0), Pos::new(1, 0), Pos::new(1, 1)]);
    }

    #[test]
    fn events_have_their_places_and_times() {
        let replay = read(&written(CUSTOM, &[(1, 4)], EVENTS)).unwrap();
        let told = |event: &Event| (event.ms, event.mouse, event.x, event.y);
        assert_eq!(
            replay.events.iter().map(told).collect::<Vec<_>>(),
            [
                (0, Mouse::Move, 40, 9),
                (0, Mouse::LeftPress, 40, 9),
                (120, Mouse::LeftRelease, 41, 9),
                (260_000, Mouse::RightPress, 300, 20),
                (260_100, Mouse::RightRelease, 300, 20),
            ]
        );
        assert_eq!(super::super::rawvf::read(&replay.to_string()).unwrap(), replay);
    }

    #[test]
    fn what_is_cut_off_before_its_end_is_refused() {
        let content = written(CUSTOM, &[(1, 4)], EVENTS);
        let end = content.windows(3).position(|bytes| bytes == b"cs=").unwrap() + 3;
        for cut in 0..end {
            let error = read(&content[..cut]).unwrap_err();
            assert!(matches!(error, FormatError::CutOff(_)), "{cut}: {error}");
        }
        assert!(read(&content[..end]).is_ok());
    }

    #[test]
    fn what_is_no_replay_is_refused() {
        for (level, mines, why) in [
            (&[2_u8][..], &[][..], "its level is '2'"),
            (CUSTOM, &[(0, 1)], "off the 4x2 board"),
            (CUSTOM, &[(3, 1)], "(0, 2) is off the 4x2 board"),
            (&[6, 3, 1, 0, 2], &[(1, 1), (1, 1)], "named twice"),
            (&[6, 3, 1, 0, 8], &[(1, 1); 8], "8 mines do not fit"),
        ] {
            let error = read(&written(level, mines, EVENTS)).unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
        }
    }
}
