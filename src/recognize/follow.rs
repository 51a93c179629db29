//! Following a board from frame to frame.
//!
//! A [`Follower`] remembers how each cell compared with the templates, and reads only the cells of which a pixel has
//! changed; all others stay as they are. What it reads is the same as [`Reader::read_again`] reads from the whole
//! frame, which the tests hold it against. Two surprises: an unclear cell is read again when a pixel beside it changes,
//! because it is also tried a pixel to each side; and what is costly about unclear cells is put off until the picture
//! stands still, because games that flash or fade in show many of them for a moment.

use super::cells::Cells;
use super::matcher::{Match, Matcher, Samplers};
use super::reading::{cell_shown, conclude, misfit, read};
use super::{Mood, Reader, Reading};
use crate::board::{Cell, Pos};
use crate::capture::Frame;
use crate::geometry::{Px, Rect};

/// So many unclear cells are tried a pixel to each side even when the picture has just changed.
const FEW: usize = 16;

/// A board that was found, and what it takes to read only what changes of it.
#[derive(Clone, Debug)]
pub struct Follower<'a> {
    reader: &'a Reader,
    matcher: Matcher,
    moods: Vec<Option<Mood>>,
    /// How each cell compares, in each mood.
    matches: Vec<Vec<Option<Match>>>,
    /// Which of the moods fits best.
    mood: usize,
    /// What each cell shows, by itself.
    cells: Vec<Cell>,
    /// Whether a cell is to be read.
    stale: Vec<bool>,
    /// Whether other themes have been tried on this picture.
    themes_tried: bool,
    reading: Reading,
}

impl<'a> Follower<'a> {
    /// Follows the board that was `found`, from `frame` on.
    pub fn new(reader: &'a Reader, frame: &Frame, found: Reading) -> Self {
        let matcher = reader.matcher(&found.skin).into_owned();
        let mut follower = Self::new_with(reader, matcher, frame, found);
        follower.try_themes(frame);
        follower
    }

    fn new_with(reader: &'a Reader, matcher: Matcher, frame: &Frame, reading: Reading) -> Self {
        let moods = matcher.moods();
        let count = reading.board.cells().len();
        let mut follower = Self {
            reader,
            matcher,
            matches: vec![vec![None; count]; moods.len()],
            moods,
            mood: 0,
            cells: vec![Cell::Unclear; count],
            stale: vec![true; count],
            themes_tried: false,
            reading,
        };
        follower.read(frame, true);
        follower
    }

    /// What was read last.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Reads what shows in the parts of the screen that `changed` since the last frame. None say that the picture has
    /// stood still for a while: what was put off is done.
    pub fn update(&mut self, frame: &Frame, changed: &[Rect]) {
        let stands_still = changed.is_empty();
        self.mark(changed);
        self.themes_tried &= stands_still;
        if self.stale.contains(&true) {
            self.read(frame, stands_still);
        }
        if stands_still {
            self.try_themes(frame);
        }
    }

    /// Reads the stale cells; all of them only when the picture stands still.
    fn read(&mut self, frame: &Frame, stands_still: bool) {
        let mut samplers = Samplers::new(&frame.pixels, &self.matcher.skin);
        for index in (0..self.stale.len()).filter(|&index| self.stale[index]) {
            let place = place(frame, &self.reading, self.reading.board.pos(index));
            let patch = samplers.take(place);
            for (matches, &mood) in self.matches.iter_mut().zip(&self.moods) {
                matches[index] = patch.as_ref().map(|patch| self.matcher.compare(patch, mood));
            }
        }
        let fits = self.matches.iter().map(|matches| misfit(matches)).enumerate();
        let best = fits.min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(mood, _)| mood);
        let turned = std::mem::replace(&mut self.mood, best) != best;
        let is_unclear =
            |found: Option<Match>| found.map_or(Cell::Unclear, Match::cell) == Cell::Unclear;
        let read = self.stale.iter().zip(&self.matches[best]);
        let unclear =
            read.filter(|&(stale, found)| (*stale || turned) && is_unclear(*found)).count();
        let puts_off = !stands_still && unclear > FEW;
        for index in 0..self.cells.len() {
            let pos = self.reading.board.pos(index);
            if self.stale[index] || turned {
                let (found, mood) = (self.matches[best][index], self.moods[best]);
                self.stale[index] = puts_off && is_unclear(found);
                self.cells[index] = if self.stale[index] {
                    Cell::Unclear
                } else {
                    let place = place(frame, &self.reading, pos);
                    cell_shown(&self.matcher, &mut samplers, place, found, mood)
                };
            }
            self.reading.board[pos] = self.cells[index];
        }
        conclude(&self.matcher, frame, &mut self.reading);
    }

    /// Notes which cells are to be read when these parts of the screen have changed.
    fn mark(&mut self, changed: &[Rect]) {
        let lattice = &self.reading.lattice;
        let (board, last) = (lattice.area(), Pos::new(lattice.cols() - 1, lattice.rows() - 1));
        for &part in changed {
            // A pixel more on each side, for the unclear cells there.
            let near = Rect::new(part.x - 1, part.y - 1, part.width + 2, part.height + 2);
            let Some(near) = near.intersection(board) else {
                continue;
            };
            let at = |x, y| lattice.pos_at(Px::new(x, y)).unwrap_or(last);
            let (first, last) = (at(near.x, near.y), at(near.right() - 1, near.bottom() - 1));
            for row in first.row..=last.row {
                for col in first.col..=last.col {
                    let pos = Pos::new(col, row);
                    let index = self.reading.board.index(pos);
                    let touched = lattice.cell(pos).intersection(part).is_some();
                    let found = self.matches[self.mood][index];
                    let tried_aside = found.map_or(Cell::Unclear, Match::cell) == Cell::Unclear;
                    self.stale[index] |= touched || tried_aside;
                }
            }
        }
    }

    /// Another theme of the same program takes over where it reads more; see [`Reader::read_again`].
    fn try_themes(&mut self, frame: &Frame) {
        let unclear = |reading: &Reading| reading.board.count(|cell| cell == Cell::Unclear);
        if std::mem::replace(&mut self.themes_tried, true) || unclear(&self.reading) == 0 {
            return;
        }
        let mut taken_over = None;
        for theme in self.reader.themes(&self.reading.skin) {
            if !self.reads_any_unclear(theme, frame) {
                continue;
            }
            let (lattice, mines) = (self.reading.lattice.clone(), self.reading.board.mines);
            let mut cells = Cells::new(&frame.pixels, &theme.skin);
            let other = read(theme, frame, &mut cells, lattice, mines);
            let best = taken_over.as_ref().map_or(&self.reading, |(_, best)| best);
            if unclear(&other) < unclear(best) {
                taken_over = Some((theme, other));
            }
        }
        if let Some((theme, reading)) = taken_over {
            *self = Self::new_with(self.reader, theme.clone(), frame, reading);
        }
    }

    /// Whether another theme tells what any of the unclear cells shows: else it cannot read more.
    fn reads_any_unclear(&self, theme: &Matcher, frame: &Frame) -> bool {
        let mut samplers = Samplers::new(&frame.pixels, &theme.skin);
        let moods = theme.moods();
        let cells = self.reading.board.iter().filter(|&(_, cell)| cell == Cell::Unclear);
        cells.map(|(pos, _)| place(frame, &self.reading, pos)).any(|place| {
            let patch = samplers.take(place);
            moods.iter().any(|&mood| {
                let found = patch.as_ref().map(|patch| theme.compare(patch, mood));
                cell_shown(theme, &mut samplers, place, found, mood) != Cell::Unclear
            })
        })
    }
}

/// Where a cell is in the picture.
fn place(frame: &Frame, reading: &Reading, pos: Pos) -> Rect {
    reading.lattice.cell(pos).moved(-frame.origin.x, -frame.origin.y)
}
