//! How far a board reaches that was found: lines at its edges may be none of its own, and lines beside it may be.

use std::ops::Range;

use super::Tracker;
use crate::board::{Board, Cell, MineCount, Pos};
use crate::capture::Frame;
use crate::recognize::detect::fitting::{HIDDEN_LINES, LEAST};
use crate::recognize::model::Beyond;
use crate::recognize::truncated::{ends_with_picture, lines_beyond};
use crate::recognize::{Lattice, Reading, Side};

/// Of a line of cells that belongs to a board at least this share is read …
const CLEAR_LINE: f32 = 0.5;
/// … and this share shows more than a blank, or all of it is read and some of it does.
const TELLING_LINE: f32 = 0.3;
/// Where so many cells of another line show more than a blank, it may belong to the board.
const SOME: usize = 2;

impl Tracker<'_> {
    /// The board without the lines at its edges that are not [readable]: what is beside a board may look like cells at first
    /// sight.
    pub(in crate::recognize) fn readable_part(self, frame: &Frame) -> Self {
        let Reading { skin, lattice, board, .. } = &self.reading;
        let (width, height) = (board.cols(), board.rows());
        let column = |col: u16| (0..height).map(|row| board[Pos::new(col, row)]).collect();
        let row = |row: u16| (0..width).map(|col| board[Pos::new(col, row)]).collect();
        let (Some(cols), Some(rows)) = (readable(width, column), readable(height, row)) else {
            return self;
        };
        if cols.len() < LEAST || rows.len() < LEAST {
            return self;
        }
        let part = lattice.part(cols, rows);
        if part == *lattice {
            return self;
        }
        Self::as_drawn(self.reader, frame, skin, &part, MineCount::Unknown).measured(frame)
    }

    /// The board with the lines beside it whose cells read as the others do, and the side on which some more may. They are
    /// looked for where the lines between cells go on, or numbers count mines that are out of sight.
    pub(in crate::recognize) fn whole(mut self, frame: &Frame) -> (Self, Option<Side>) {
        loop {
            let lines = self.lines_beyond(frame);
            if self.short_of_mines().is_none() && lines.is_empty() {
                return (self, None);
            }
            let lattice = &self.reading.lattice;
            let wide = lattice.wider_within(frame.area());
            if !wide.can_be_board() {
                return (self, None);
            }
            let (here, there) = (lattice.area(), wide.area());
            let before = (u16::from(there.x < here.x), u16::from(there.y < here.y));
            let cols = before.0..before.0 + lattice.cols();
            let rows = before.1..before.1 + lattice.rows();
            let wider = self.wider(frame, wide.clone(), before);
            // A window's ground has no lines like those between cells.
            let beside =
                |side| Beside::of(&wider.reading.board, side, &cols, &rows, lines.contains(&side));
            let (inner_cols, inner_rows) = wider.within_frame(frame);
            let is_frame = |side| match side {
                Side::Left => inner_cols.start > 0,
                Side::Right => inner_cols.end < usize::from(wide.cols()),
                Side::Top => inner_rows.start > 0,
                Side::Bottom => inner_rows.end < usize::from(wide.rows()),
            };
            let more = |side| u16::from(beside(side) == Beside::Cells && !is_frame(side));
            let (left, right) = (more(Side::Left), more(Side::Right));
            let (top, bottom) = (more(Side::Top), more(Side::Bottom));
            if left + right + top + bottom == 0 {
                let doubtful =
                    Side::ALL.into_iter().find(|&side| beside(side) == Beside::Something);
                return (self, doubtful);
            }
            let kept = |here: &Range<u16>, before: u16, after: u16| {
                usize::from(here.start - before)..usize::from(here.end + after)
            };
            let grown = wide.part(kept(&cols, left, right), kept(&rows, top, bottom));
            self = self.wider(frame, grown, (left, top));
        }
    }

    /// The columns and rows of the board that are not rather a frame around it.
    fn within_frame(&self, frame: &Frame) -> (Range<usize>, Range<usize>) {
        self.sight.moved(-frame.origin.x, -frame.origin.y).within_frame(&frame.pixels)
    }

    /// The side on which there is more of the board than its cells: lines like those between them go on, and the model does not
    /// see that no more cells are there.
    pub(in crate::recognize) fn goes_on(&self, frame: &Frame) -> Option<Side> {
        let sight = self.sight.moved(-frame.origin.x, -frame.origin.y);
        let lines = self.lines_beyond(frame);
        // In colours that may be others the model does not know more of the cells when it sees them.
        let side = if self.is_near() {
            let mut beyond = sight.beyond(&frame.pixels, &lines).into_iter();
            beyond.find(|&(_, is)| is != Beyond::End).map(|(side, _)| side)
        } else {
            lines.into_iter().next()
        };
        let in_picture = self.reading.lattice.moved(-frame.origin.x, -frame.origin.y);
        let gap = self.reading.skin.gap_width();
        let may_end = self.reading.skin.game.ends_with_window;
        side.or_else(|| ends_with_picture(&frame.pixels, &in_picture, gap).filter(|_| !may_end))
    }

    /// The sides on which the lines between its cells go on beyond the board.
    fn lines_beyond(&self, frame: &Frame) -> Vec<Side> {
        let Reading { skin, lattice, .. } = &self.reading;
        let in_picture = lattice.moved(-frame.origin.x, -frame.origin.y);
        lines_beyond(&frame.pixels, &in_picture, skin.gap_width())
    }

    /// A larger lattice that begins with so many more columns and rows, read in the same view.
    fn wider(&self, frame: &Frame, lattice: Lattice, (cols, rows): (u16, u16)) -> Self {
        let sight = self.sight.with_more((cols, rows), (lattice.cols(), lattice.rows()));
        let mut wider = Self::at_sight(self.reader, sight, &lattice, MineCount::Unknown);
        wider.read(frame, true);
        wider.conclude(frame);
        wider
    }
}

/// Of so many lines, those from the first to the last one of the board: those at its edges are none in which no cell could be
/// read, nor those beyond such a one that all show the same, as a window's ground may seem to.
fn readable(count: u16, line: impl Fn(u16) -> Vec<Cell>) -> Option<Range<usize>> {
    let is_read = |number: &u16| line(*number).iter().any(|&cell| cell != Cell::Unclear);
    let first = |numbers: &[u16]| -> Option<u16> {
        let mut start = numbers.iter().position(&is_read)?;
        let ground = line(numbers[start]).into_iter().find(|&cell| cell != Cell::Unclear)?;
        let shows_more = |number: &u16| {
            line(*number).iter().any(|&cell| cell != Cell::Unclear && cell != ground)
        };
        let unread = (start..numbers.len().min(start + HIDDEN_LINES + 1))
            .take_while(|&at| !shows_more(&numbers[at]))
            .find(|&at| !is_read(&numbers[at]));
        if let Some(unread) = unread {
            start = unread + numbers[unread..].iter().position(&is_read)?;
        }
        Some(numbers[start])
    };
    let mut numbers: Vec<u16> = (0..count).collect();
    let start = first(&numbers)?;
    numbers.reverse();
    Some(usize::from(start)..usize::from(first(&numbers)?) + 1)
}

/// What there is in the place of a line of cells beside a board.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Ground,
    /// Here and there what looks like a cell of the board.
    Something,
    Cells,
}

impl Beside {
    /// What was read on this side of a board that has these columns and rows of `wider`. A window's ground looks like
    /// blanks to some skins, unless the lines between cells go on there.
    fn of(
        wider: &Board,
        side: Side,
        cols: &Range<u16>,
        rows: &Range<u16>,
        has_lines: bool,
    ) -> Self {
        let is_in_line = |pos: Pos| match side {
            Side::Left => pos.col < cols.start && rows.contains(&pos.row),
            Side::Right => pos.col >= cols.end && rows.contains(&pos.row),
            Side::Top => pos.row < rows.start && cols.contains(&pos.col),
            Side::Bottom => pos.row >= rows.end && cols.contains(&pos.col),
        };
        let (mut all, mut clear, mut telling) = (0, 0, 0);
        for (_, cell) in wider.iter().filter(|&(pos, _)| is_in_line(pos)) {
            all += 1;
            clear += usize::from(cell != Cell::Unclear);
            telling += usize::from(cell != Cell::Unclear && cell.number() != Some(0));
        }
        let share = |part: usize| part as f32 / all as f32;
        let reads = share(clear) >= CLEAR_LINE && share(telling) >= TELLING_LINE;
        if reads || (clear == all && all > 0 && (telling > 0 || has_lines)) {
            Self::Cells
        } else if telling >= SOME {
            Self::Something
        } else {
            Self::Ground
        }
    }
}
