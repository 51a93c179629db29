//! Following a board from frame to frame.
//!
//! A [`Follower`] remembers how each cell compared with the templates, and reads only the cells of which a pixel has
//! changed; all others stay as they are. What it reads is the same as [`Reader::read_again`] reads from the whole
//! frame, which the tests hold it against. Two surprises: an unclear cell is read again when a pixel beside it changes,
//! because it is also tried a pixel to each side; and what is costly about unclear cells is put off until the picture
//! stands still, because games that flash or fade in show many of them for a moment.

use std::borrow::Cow;

use super::cells::{Cells, Matches, Room};
use super::matcher::{FAR, Match, Matcher, Samplers, Square};
use super::reading::conclude;
use super::view::View;
use super::{Lattice, Mood, Reader, Reading};
use crate::board::{Board, Cell, MineCount, Pos, Status};
use crate::capture::Frame;
use crate::geometry::{Px, Rect};

/// So many unclear cells are tried a pixel to each side even when the picture has just changed.
const FEW: usize = 16;

/// A board with more than this share of cells that are unclear, or that the game would not leave so, may have
/// other colours than its skin.
const DOUBTFUL: f64 = 0.03;
/// Cells that are farther from their templates on the whole, in grey levels, may have other colours too.
const FAR_ON_THE_WHOLE: f32 = 6.0;
/// With more than this share of unclear cells in a view that is not the skin's own, all are.
const UNREADABLE: f64 = 0.5;
/// Of so many open cells some are blank.
const MANY_OPEN: usize = 24;
/// With more than this share of unclear cells, the whole window may be scaled.
const UNSCALED: f64 = 0.002;

const MOODS: usize = Mood::ALL.len();

/// A board that was found, and what it takes to read only what changes of it.
#[derive(Clone, Debug)]
pub struct Follower<'a> {
    reader: &'a Reader,
    view: View<'a>,
    /// How each cell compares in each mood; none where it is out of sight.
    matches: Vec<Option<[Match; MOODS]>>,
    /// Which of the moods fits best.
    mood: usize,
    /// How far the cells are from their templates on the whole, in grey levels.
    distance: f32,
    /// What each cell shows, by itself.
    cells: Vec<Cell>,
    /// Whether a cell is to be read.
    stale: Vec<bool>,
    /// Whether other views and themes have been tried on this picture.
    others_tried: bool,
    reading: Reading,
    room: Room,
    /// How the patches compare that are being read.
    compared: Matches<[Match; MOODS]>,
    /// How far each cell in sight is from its template, in no order.
    distances: Vec<f32>,
}

impl<'a> Follower<'a> {
    /// Follows the board that was `found`, from `frame` on.
    pub fn new(reader: &'a Reader, frame: &Frame, found: Reading) -> Self {
        let (matcher, skin) = (reader.matcher(&found.skin), found.skin);
        let mut cells = Cells::new(&frame.pixels, skin.gap_width());
        let mut follower =
            Self::begin(reader, matcher, frame, &mut cells, found.lattice, found.board.mines);
        follower.try_themes(frame);
        follower.others_tried = true;
        follower
    }

    /// Reads the board in the lattice for the first time, without trying other themes.
    pub(super) fn begin(
        reader: &'a Reader,
        matcher: Cow<'a, Matcher>,
        frame: &Frame,
        cells: &mut Cells,
        lattice: Lattice,
        mines: MineCount,
    ) -> Self {
        let skin = matcher.skin.clone();
        let mut board = Board::new(lattice.cols(), lattice.rows());
        board.mines = mines;
        let count = board.cells().len();
        let mut follower = Self {
            reader,
            view: View::plain(matcher, &lattice),
            matches: vec![None; count],
            mood: 0,
            distance: 0.0,
            cells: vec![Cell::Unclear; count],
            stale: vec![true; count],
            others_tried: false,
            reading: Reading { skin, lattice, board, status: Status::Playing },
            room: Room::default(),
            compared: Matches::new(),
            distances: Vec::with_capacity(count),
        };
        follower.read(frame, cells, true);
        follower.adjust(frame, cells);
        follower
    }

    /// A larger lattice that begins with so many more columns and rows, read in the same view.
    pub(super) fn wider(
        &self,
        frame: &Frame,
        cells: &mut Cells,
        lattice: Lattice,
        (cols, rows): (u16, u16),
    ) -> Self {
        let board = Board::new(lattice.cols(), lattice.rows());
        let count = board.cells().len();
        let reading = Reading { lattice, board, ..self.reading.clone() };
        let mut wider = Self {
            view: self.view.with_more(cols, rows),
            matches: vec![None; count],
            cells: vec![Cell::Unclear; count],
            stale: vec![true; count],
            reading,
            ..self.clone()
        };
        wider.read(frame, cells, true);
        if !wider.view.is_plain() {
            wider.doubt(frame);
        }
        wider
    }

    /// What was read last.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Whether the picture is read as it is, in the colours and at the scale of the skin.
    pub(crate) fn is_plain(&self) -> bool {
        self.view.is_plain()
    }

    /// What was read last.
    pub(super) fn into_reading(self) -> Reading {
        self.reading
    }

    /// Reads what shows in the parts of the screen that `changed` since the last frame. None say that the picture has
    /// stood still for a while: what was put off is done.
    pub fn update(&mut self, frame: &Frame, changed: &[Rect]) {
        let stands_still = changed.is_empty();
        if stands_still && !self.others_tried && !self.view.is_plain() {
            // What was done to the colours of the picture may have ended.
            *self = Self::new(self.reader, frame, self.reading.clone());
            return;
        }
        self.mark(changed);
        self.others_tried &= stands_still;
        let skin = &self.reading.skin;
        let room = std::mem::take(&mut self.room);
        let mut cells = Cells::within(room, &frame.pixels, skin.gap_width());
        if self.stale.contains(&true) {
            self.read(frame, &mut cells, stands_still);
        }
        if stands_still && !self.others_tried {
            self.adjust(frame, &mut cells);
            self.try_themes(frame);
            self.others_tried = true;
        }
        self.room = cells.into_room();
    }

    /// Reads the stale cells; all of them only when the picture stands still.
    fn read(&mut self, frame: &Frame, cells: &mut Cells, stands_still: bool) {
        self.compared.clear();
        for index in (0..self.stale.len()).filter(|&index| self.stale[index]) {
            let number = cells.number_at(self.square(frame, self.reading.board.pos(index)));
            let matcher = self.view.matcher();
            let compare = |number| matcher.compare_in(cells.patch(number), Mood::ALL);
            self.matches[index] = number.map(|number| self.compared.of(number, || compare(number)));
        }
        let fits = (0..MOODS).map(|mood| (mood, self.misfit(mood)));
        let best = fits.min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(mood, _)| mood);
        let turned = std::mem::replace(&mut self.mood, best) != best;
        let blur = View::blur(self.distance);
        self.distance = self.median_distance();
        let turned = turned || View::blur(self.distance) != blur;
        let view = &self.view;
        let is_unclear = |found: Option<Match>| view.at_first(found) == Cell::Unclear;
        let read = (0..self.stale.len()).filter(|&index| self.stale[index] || turned);
        let unclear = read.filter(|&index| is_unclear(self.found(index))).count();
        let puts_off = !stands_still && unclear > FEW;
        for index in 0..self.cells.len() {
            let pos = self.reading.board.pos(index);
            if self.stale[index] || turned {
                let (found, mood) = (self.found(index), Mood::ALL[best]);
                self.stale[index] = puts_off && is_unclear(found);
                self.cells[index] = if self.stale[index] {
                    Cell::Unclear
                } else {
                    let square = self.square(frame, pos);
                    let blur = View::blur(self.distance);
                    self.view.shown(cells.samplers(), square, found, mood, blur)
                };
            }
            self.reading.board[pos] = self.cells[index];
        }
        conclude(self.view.matcher(), frame, &mut self.reading);
    }

    /// How the cell of this number compares in the mood that fits best.
    fn found(&self, index: usize) -> Option<Match> {
        self.matches[index].map(|found| found[self.mood])
    }

    /// How badly the cells fit in this mood, all together.
    fn misfit(&self, mood: usize) -> f32 {
        let limit = 2.0 * FAR;
        self.matches.iter().flatten().map(|found| found[mood].distance.min(limit)).sum()
    }

    /// The median distance of the cells to their nearest templates, in grey levels.
    fn median_distance(&mut self) -> f32 {
        let in_sight = self.matches.iter().flatten();
        self.distances.clear();
        self.distances.extend(in_sight.map(|found| found[self.mood].distance));
        if self.distances.is_empty() {
            return 0.0;
        }
        let middle = self.distances.len() / 2;
        *self.distances.select_nth_unstable_by(middle, f32::total_cmp).1
    }

    /// The part of the picture that the cell at `pos` is compared by.
    fn square(&self, frame: &Frame, pos: Pos) -> Square {
        self.view.square(frame, &self.reading.lattice, pos)
    }

    /// Where the board reads badly, looks at it in the colours and at the scale that the picture may have.
    fn adjust(&mut self, frame: &Frame, cells: &mut Cells) {
        let mut other = None;
        if (self.distance > FAR_ON_THE_WHOLE || self.is_doubtful())
            && let Some(view) = self.view.levelled(frame, cells, &self.reading.lattice)
        {
            let mut levelled = self.in_view(view, frame, cells);
            // Nearly no cell is strange, and they were far from their templates before.
            if self.distance > FAR_ON_THE_WHOLE && !levelled.is_doubtful() {
                *self = levelled;
            } else {
                levelled.rescale(frame, cells);
                other = Some(levelled);
            }
        }
        self.rescale(frame, cells);
        if let Some(other) = other.filter(|other| other.strange() < self.strange()) {
            *self = other;
        }
        if !self.view.is_plain() {
            self.doubt(frame);
        }
    }

    /// Where the board reads badly, looks at it at the scale and as soft as it may be.
    fn rescale(&mut self, frame: &Frame, cells: &mut Cells) {
        let reads_badly = |it: &Self| it.unclear() as f64 > UNSCALED * it.cells.len() as f64;
        if reads_badly(self)
            && let Some(view) = self.view.rescaled(frame, cells, &self.reading.lattice)
        {
            self.look(view, frame, cells);
        }
        if reads_badly(self)
            && let Some(view) =
                self.view.blurred(frame, cells, &self.reading.lattice, Mood::ALL[self.mood])
        {
            self.look(view, frame, cells);
        }
    }

    /// The board read in another view.
    fn in_view(&self, view: View<'a>, frame: &Frame, cells: &mut Cells) -> Self {
        let mut other = Self { view, ..self.clone() };
        other.stale.fill(true);
        other.read(frame, cells, true);
        other
    }

    /// Reads the board in another view, if fewer cells are strange in it.
    fn look(&mut self, view: View<'a>, frame: &Frame, cells: &mut Cells) {
        let other = self.in_view(view, frame, cells);
        if other.strange() < self.strange() {
            *self = other;
        }
    }

    /// In other colours than the skin's, or at another scale, what little can be read of a board is doubted, and a board
    /// with many flags on which nothing is open: dimmed numbers may look like them. So are its blanks where nothing was
    /// opened around them again and again, which games do.
    fn doubt(&mut self, frame: &Frame) {
        let board = &self.reading.board;
        let is_blank = |cell: Cell| cell.number() == Some(0);
        let shut_in = board.iter().filter(|&(pos, cell)| {
            is_blank(cell) && board.neighbours(pos).any(|near| board[near].is_unopened())
        });
        let all = self.cells.len() as f64;
        let doubts_blanks = shut_in.count() as f64 > DOUBTFUL * all;
        let marks = board.count(|cell| matches!(cell, Cell::Flagged | Cell::Questioned));
        // Where much is open and nothing blank, blanks may look like covered cells.
        let open = board.count(|cell| cell.number().is_some());
        let doubts_covered =
            self.view.is_levelled() && open > MANY_OPEN && board.count(is_blank) == 0;
        let none_open = board.count(|cell| cell.number().is_some()) == 0;
        let doubts_all = self.unclear() as f64 > UNREADABLE * all
            || (none_open && marks as f64 > DOUBTFUL * all);
        if !doubts_blanks && !doubts_all && !doubts_covered {
            return;
        }
        for (index, cell) in self.cells.iter_mut().enumerate() {
            let is_doubted =
                (doubts_blanks && is_blank(*cell)) || (doubts_covered && *cell == Cell::Covered);
            if doubts_all || is_doubted {
                *cell = Cell::Unclear;
                let pos = self.reading.board.pos(index);
                self.reading.board[pos] = Cell::Unclear;
            }
        }
        conclude(self.view.matcher(), frame, &mut self.reading);
    }

    fn unclear(&self) -> usize {
        self.reading.board.count(|cell| cell == Cell::Unclear)
    }

    /// Whether more of the board is strange than a few hidden cells would explain.
    pub(super) fn is_doubtful(&self) -> bool {
        self.strange() as f64 > DOUBTFUL * self.cells.len() as f64
    }

    /// How many cells are unclear or against the rules.
    pub(super) fn strange(&self) -> usize {
        let board = &self.reading.board;
        let unopened = |pos: Pos| matches!(board[pos], Cell::Covered | Cell::Unclear);
        // The game would have opened what is around a blank.
        let is_strange = |&(pos, cell): &(Pos, Cell)| {
            let blank = cell.number() == Some(0);
            cell == Cell::Unclear || (blank && board.neighbours(pos).any(unopened))
        };
        board.iter().filter(is_strange).count()
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
                    let found = self.found(index);
                    let tried_aside = self.view.at_first(found) == Cell::Unclear;
                    self.stale[index] |= touched || tried_aside;
                }
            }
        }
    }

    /// Another theme of the same program takes over where it reads more; see [`Reader::read_again`].
    fn try_themes(&mut self, frame: &Frame) {
        if self.unclear() == 0 {
            return;
        }
        let mut best: Option<Self> = None;
        for theme in self.reader.themes(&self.reading.skin) {
            if !self.reads_any_unclear(theme, frame) {
                continue;
            }
            let (lattice, mines) = (self.reading.lattice.clone(), self.reading.board.mines);
            let mut cells = Cells::new(&frame.pixels, theme.skin.gap_width());
            let theme = Cow::Borrowed(theme);
            let other = Self::begin(self.reader, theme, frame, &mut cells, lattice, mines);
            if other.unclear() < best.as_ref().unwrap_or(self).unclear() {
                best = Some(other);
            }
        }
        if let Some(best) = best {
            *self = best;
        }
    }

    /// Whether another theme tells what any of the unclear cells shows: else it cannot read more.
    fn reads_any_unclear(&self, theme: &'a Matcher, frame: &Frame) -> bool {
        let view = View::plain(Cow::Borrowed(theme), &self.reading.lattice);
        let mut samplers = Samplers::new(&frame.pixels, theme.skin.gap_width());
        let moods = theme.moods();
        let unclear = self.reading.board.iter().filter(|&(_, cell)| cell == Cell::Unclear);
        unclear.map(|(pos, _)| view.square(frame, &self.reading.lattice, pos)).any(|square| {
            let patch = samplers.take_square(square);
            moods.iter().any(|&mood| {
                let found = patch.as_ref().map(|patch| view.matcher().compare(patch, mood));
                let cell =
                    view.shown(&mut samplers, square, found, mood, View::blur(self.distance));
                cell != Cell::Unclear
            })
        })
    }
}
