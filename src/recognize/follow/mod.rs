//! Following a board from frame to frame.
//!
//! A [`Follower`] remembers how each cell compared with the templates, and reads only the cells of which a pixel has
//! changed; all others stay as they are. What it reads is the same as [`Reader::read_again`] reads from the whole
//! frame, which the tests hold it against. Two surprises: an unclear cell is read again when a pixel beside it changes,
//! because it is also tried a pixel to each side; and what is costly about unclear cells is put off until the picture
//! stands still, because games that flash or fade in show many of them for a moment.

mod adjust;
mod extent;

use std::borrow::Cow;
use std::sync::Arc;

use super::cells::{Cells, Matches, Room};
use super::matcher::{FAR, Match, Matcher, has_drawing};
use super::model::Sight;
use super::reading::{conclude, rule_out};
use super::square::Square;
use super::view::{Aside, Blur, View, at_first};
use super::{Lattice, Mood, Reader, Reading, Side, Skin, rules};
use crate::board::{Board, Cell, MineCount, Pos, Status};
use crate::capture::Frame;
use crate::geometry::{Px, Rect};

/// So many unclear cells are tried a pixel to each side even when the picture has just changed.
const FEW: usize = 16;

/// How far cells are on the whole is told by the median.
const HALF: usize = 2;
/// Of the drawings a quarter is enough to show that a picture is sharp: the others may be fading.
const QUARTER: usize = 4;

const MOODS: usize = Mood::ALL.len();

/// What has been tried to tell more of a picture than the view at hand does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Tried {
    Nothing,
    /// Other themes of the same program as they are.
    Themes,
    /// Other colours and scales too.
    Everything,
}

/// A board that was found, and what it takes to read only what changes of it.
#[derive(Clone, Debug)]
pub struct Follower<'a> {
    reader: &'a Reader,
    view: View<'a>,
    /// How the model sees the board, in pixels of the screen, where it is not read as its skin is drawn.
    sight: Option<Sight>,
    /// How each cell compares in each mood; none where it is out of sight.
    matches: Vec<Option<[Match; MOODS]>>,
    /// Which of the moods fits best.
    mood: usize,
    /// How far the cells are from their templates on the whole, in grey levels.
    distance: f32,
    blur: Blur,
    /// What each cell shows, by itself.
    cells: Vec<Cell>,
    /// Whether a cell is to be read.
    stale: Vec<bool>,
    /// What has been tried on this picture.
    tried: Tried,
    reading: Reading,
    room: Room,
    /// How the patches compare that are being read.
    compared: Matches<[Match; MOODS]>,
    /// How what is beside cells compares that are looked at more closely.
    aside: Aside,
    /// How far each cell in sight is from its template, in no order.
    distances: Vec<f32>,
}

impl<'a> Follower<'a> {
    /// Follows the board that was `found`, from `frame` on.
    pub fn new(reader: &'a Reader, frame: &Frame, found: Reading) -> Self {
        let (matcher, skin) = (reader.matcher(&found.skin), found.skin);
        let mut cells = Cells::new(&frame.pixels, skin.gap_width());
        let (lattice, mines) = (found.lattice, found.board.mines);
        let mut follower = Self::at_first_sight(reader, matcher, frame, &mut cells, lattice, mines);
        follower.conclude(frame);
        follower.try_others(frame, Tried::Everything);
        follower
    }

    /// The board in the lattice in the skin's own colours and at its own scale, with all that it says.
    pub(super) fn as_drawn(
        reader: &'a Reader,
        frame: &Frame,
        skin: &Arc<Skin>,
        lattice: &Lattice,
        mines: MineCount,
    ) -> Self {
        let mut cells = Cells::new(&frame.pixels, skin.gap_width());
        let (matcher, lattice) = (reader.matcher(skin), lattice.clone());
        let mut follower = Self::at_first_sight(reader, matcher, frame, &mut cells, lattice, mines);
        follower.conclude(frame);
        follower
    }

    /// The board in the lattice as it reads without any adjustment and without trying other themes.
    pub(super) fn at_first_sight(
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
            view: View::new(matcher, &lattice),
            sight: None,
            matches: vec![None; count],
            mood: 0,
            distance: 0.0,
            blur: Blur::default(),
            cells: vec![Cell::Unclear; count],
            stale: vec![true; count],
            tried: Tried::Nothing,
            reading: Reading { skin, lattice, board, status: Status::Playing },
            room: Room::default(),
            compared: Matches::new(),
            aside: Aside::new(),
            distances: Vec::with_capacity(count),
        };
        follower.read(frame, cells, true);
        follower
    }

    /// The board that was read at first sight, adjusted to the picture.
    pub(super) fn begun(mut self, frame: &Frame) -> Self {
        self.adjust(frame);
        self.conclude(frame);
        self
    }

    /// The board that was read at first sight, with all that it says.
    pub(super) fn concluded(mut self, frame: &Frame) -> Self {
        self.conclude(frame);
        self
    }

    /// The same board in a newer frame, after its window has moved by so many pixels: all of it is read again, as it was
    /// seen before. Where the window shows something else there, cells are unclear.
    pub fn moved(&self, frame: &Frame, dx: i32, dy: i32) -> Self {
        let mut moved = self.clone();
        moved.reading.lattice = self.reading.lattice.moved(dx, dy);
        moved.sight = self.sight.as_ref().map(|sight| sight.moved(dx, dy));
        moved.stale.fill(true);
        moved.read_stale(frame, true, Tried::Nothing);
        moved
    }

    /// What was read last.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Whether the picture is read as it is, in the colours and at the scale of the skin.
    pub fn is_plain(&self) -> bool {
        self.sight.is_none()
    }

    /// Whether the picture has other colours than the skin.
    pub fn is_recoloured(&self) -> bool {
        self.sight.as_ref().is_some_and(|sight| !sight.is_plain())
    }

    /// What was read last.
    pub(super) fn into_reading(self) -> Reading {
        self.reading
    }

    /// Reads what shows in the parts of the screen that `changed` since the last frame. None say that the picture has
    /// stood still for a while: what was put off is done.
    pub fn update(&mut self, frame: &Frame, changed: &[Rect]) {
        if changed.is_empty() {
            self.finish(frame, Tried::Everything);
            return;
        }
        self.mark(changed);
        self.read_stale(frame, false, Tried::Nothing);
    }

    /// The picture has stood still for a moment, and may yet change: what was put off is done, but where it is read as it
    /// is, no other colours and scales are tried on it. That may take seconds, and is for a picture that stays.
    pub fn catch_up(&mut self, frame: &Frame) {
        let whole = if self.is_plain() { Tried::Themes } else { Tried::Everything };
        self.finish(frame, whole);
    }

    /// Does what was put off, until so much has been tried.
    fn finish(&mut self, frame: &Frame, until: Tried) {
        let is_new = self.tried < Tried::Everything || self.stale.contains(&true);
        self.read_stale(frame, true, until);
        if is_new && !self.is_plain() && self.unclear() > 0 {
            // What was done to the colours of the picture may have ended, or a kind of cell has come into sight that the
            // estimate has not seen.
            *self = Self::new(self.reader, frame, self.reading.clone());
        }
    }

    /// Reads the stale cells; then tries what was not tried yet `until` so much has been.
    fn read_stale(&mut self, frame: &Frame, stands_still: bool, until: Tried) {
        if self.stale.contains(&true) {
            self.tried = Tried::Nothing;
        }
        let skin = &self.reading.skin;
        let room = std::mem::take(&mut self.room);
        let mut cells = Cells::within(room, &frame.pixels, skin.gap_width());
        if self.stale.contains(&true) {
            self.read(frame, &mut cells, stands_still);
            self.conclude(frame);
        }
        self.try_others(frame, until);
        self.room = cells.into_room();
    }

    /// Reads the stale cells; all of them only when the picture stands still.
    fn read(&mut self, frame: &Frame, cells: &mut Cells, stands_still: bool) {
        if self.sight.is_some() {
            self.read_by_sight(frame);
            return;
        }
        let turned = self.compare(frame, cells);
        self.show(frame, cells, stands_still, turned);
    }

    /// Reads the stale cells as the model sees them.
    fn read_by_sight(&mut self, frame: &Frame) {
        let Some(sight) = &self.sight else { return };
        let sight = sight.moved(-frame.origin.x, -frame.origin.y);
        let stale: Vec<usize> = (0..self.stale.len()).filter(|&index| self.stale[index]).collect();
        let at: Vec<Pos> = stale.iter().map(|&index| self.reading.board.pos(index)).collect();
        for (index, cell) in stale.into_iter().zip(sight.cells(&frame.pixels, &at)) {
            self.cells[index] = cell;
            self.stale[index] = false;
        }
        for (index, &cell) in self.cells.iter().enumerate() {
            let pos = self.reading.board.pos(index);
            self.reading.board[pos] = cell;
        }
        rule_out(&mut self.reading);
        for pos in self.shut_in() {
            self.reading.board[pos] = Cell::Unclear;
        }
    }

    /// Compares the stale cells with the templates. Whether the board as a whole looks otherwise now, which may change what
    /// the others show.
    fn compare(&mut self, frame: &Frame, cells: &mut Cells) -> bool {
        self.compared.clear();
        for index in (0..self.stale.len()).filter(|&index| self.stale[index]) {
            let square = self.square(frame, self.reading.board.pos(index));
            let number = cells.number_at(square);
            let compare = |number| self.view.matcher().compare_in(cells.patch(number), Mood::ALL);
            self.matches[index] = number.map(|number| self.compared.of(number, || compare(number)));
        }
        let fits = (0..MOODS).map(|mood| (mood, self.misfit(mood)));
        let best = fits.min_by(|(_, a), (_, b)| a.total_cmp(b)).map_or(0, |(mood, _)| mood);
        let turned = std::mem::replace(&mut self.mood, best) != best;
        let before = self.blur;
        self.distance = self.distance_of(HALF, |_| true);
        // What is farther is hidden by something else.
        let is_drawn = |found: &Match| has_drawing(found.nearest) && found.distance < FAR;
        self.blur = Blur::new(self.distance, self.distance_of(QUARTER, is_drawn));
        turned || self.blur != before
    }

    /// Takes in what the stale cells show, and all if the board `turned`; what is costly only when the picture stands
    /// still.
    fn show(&mut self, frame: &Frame, cells: &mut Cells, stands_still: bool, turned: bool) {
        self.aside.clear();
        let (blur, mood) = (self.blur, Mood::ALL[self.mood]);
        let is_unclear = |found: Option<Match>| at_first(found) == Cell::Unclear;
        let read = (0..self.stale.len()).filter(|&index| self.stale[index] || turned);
        let unclear = read.filter(|&index| is_unclear(self.found(index))).count();
        let puts_off = !stands_still && unclear > FEW;
        for index in 0..self.cells.len() {
            let pos = self.reading.board.pos(index);
            if self.stale[index] || turned {
                let found = self.found(index);
                self.stale[index] = puts_off && is_unclear(found);
                self.cells[index] = if self.stale[index] {
                    Cell::Unclear
                } else {
                    let square = self.square(frame, pos);
                    self.view.shown(cells, &mut self.aside, square, found, mood, blur)
                };
            }
            self.reading.board[pos] = self.cells[index];
        }
        rule_out(&mut self.reading);
    }

    /// The cells that look like blanks beside one that is not open: a game would have opened that, so in another view
    /// something else may look like a blank.
    fn shut_in(&self) -> Vec<Pos> {
        let board = &self.reading.board;
        let shows = |pos: Pos| self.cells[board.index(pos)];
        let beside_unopened = |&pos: &Pos| {
            shows(pos).number() == Some(0)
                && board.neighbours(pos).any(|near| shows(near).is_unopened())
        };
        board.iter().map(|(pos, _)| pos).filter(beside_unopened).collect()
    }

    /// Takes in what the board as a whole says.
    fn conclude(&mut self, frame: &Frame) {
        conclude(self.view.matcher(), frame, &mut self.reading);
    }

    /// How the cell of this number compares in the mood that fits best.
    fn found(&self, index: usize) -> Option<Match> {
        self.matches[index].map(|found| found[self.mood])
    }

    /// How badly the cells fit, all together, in the mood that fits best.
    pub(super) fn least_misfit(&self) -> f32 {
        self.misfit(self.mood)
    }

    /// How badly the cells fit in this mood, all together.
    fn misfit(&self, mood: usize) -> f32 {
        let limit = 2.0 * FAR;
        self.matches.iter().flatten().map(|found| found[mood].distance.min(limit)).sum()
    }

    /// How far a part of those cells that count is from the nearest templates, in grey levels; 0 when there are none.
    fn distance_of(&mut self, part: usize, counts: impl Fn(&Match) -> bool) -> f32 {
        let found = self.matches.iter().flatten().map(|found| found[self.mood]);
        self.distances.clear();
        self.distances.extend(found.filter(|found| counts(found)).map(|found| found.distance));
        if self.distances.is_empty() {
            return 0.0;
        }
        let nth = self.distances.len() / part;
        *self.distances.select_nth_unstable_by(nth, f32::total_cmp).1
    }

    /// The part of the picture that the cell at `pos` is compared by.
    fn square(&self, frame: &Frame, pos: Pos) -> Square {
        self.view.square(frame, &self.reading.lattice, pos)
    }

    fn unclear(&self) -> usize {
        self.reading.board.count(|cell| cell == Cell::Unclear)
    }

    /// The side on which the numbers, as they look, count mines that are out of sight.
    pub(super) fn short_of_mines(&self) -> Option<Side> {
        let mut board = self.reading.board.clone();
        for (index, &cell) in self.cells.iter().enumerate() {
            let pos = board.pos(index);
            board[pos] = cell;
        }
        rules::short_of_mines(&board)
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
                    // Where cells begin within pixels, those beside one belong to it.
                    let tried_aside =
                        !self.is_plain() || at_first(self.found(index)) == Cell::Unclear;
                    self.stale[index] |= touched || tried_aside;
                }
            }
        }
    }

    /// Another theme takes over, or the board is adjusted to the picture, if that is to be tried and was not yet.
    fn try_others(&mut self, frame: &Frame, until: Tried) {
        if self.tried < Tried::Themes && until >= Tried::Themes {
            self.tried = Tried::Themes;
            if let Some(theme) = self.theme_at_first_sight(frame) {
                *self = theme;
                self.tried = Tried::Everything;
            }
        }
        if self.tried < until {
            self.adjust(frame);
            self.conclude(frame);
            self.try_themes(frame);
            self.tried = Tried::Everything;
        }
    }

    /// The board in another theme of the same program that reads more and needs no adjustment, which takes longer. This one
    /// is read as the picture is.
    fn theme_at_first_sight(&self, frame: &Frame) -> Option<Self> {
        if self.unclear() == 0 || !self.is_plain() {
            return None;
        }
        let themes = self.reader.themes(&self.reading.skin);
        let themes = themes.map(|theme| self.seen_as(theme, frame));
        let mut sights: Vec<Self> = themes.filter(|sight| !sight.fits_badly()).collect();
        sights.iter_mut().for_each(|sight| sight.conclude(frame));
        let best = sights.into_iter().min_by_key(|sight| sight.unclear())?;
        (best.unclear() < self.unclear()).then_some(best)
    }

    /// Another theme of the same program takes over where it reads more; see [`Reader::read_again`].
    fn try_themes(&mut self, frame: &Frame) {
        // The model has taken them into account.
        if self.unclear() == 0 || !self.is_plain() {
            return;
        }
        let mut best: Option<Self> = None;
        for theme in self.reader.themes(&self.reading.skin) {
            if !self.reads_any_unclear(theme, frame) {
                continue;
            }
            let other = self.seen_as(theme, frame).begun(frame);
            if other.unclear() < best.as_ref().unwrap_or(self).unclear() {
                best = Some(other);
            }
        }
        if let Some(best) = best {
            *self = best;
        }
    }

    /// The board as it looks in another theme at first sight.
    fn seen_as(&self, theme: &'a Matcher, frame: &Frame) -> Self {
        let (lattice, mines) = (self.reading.lattice.clone(), self.reading.board.mines);
        let mut cells = Cells::new(&frame.pixels, theme.skin.gap_width());
        let theme = Cow::Borrowed(theme);
        Self::at_first_sight(self.reader, theme, frame, &mut cells, lattice, mines)
    }

    /// Whether another theme tells what any of the unclear cells shows: else it cannot read more.
    fn reads_any_unclear(&self, theme: &'a Matcher, frame: &Frame) -> bool {
        let view = View::new(Cow::Borrowed(theme), &self.reading.lattice);
        let mut cells = Cells::new(&frame.pixels, theme.skin.gap_width());
        let moods = theme.moods();
        let unclear = self.reading.board.iter().filter(|&(_, cell)| cell == Cell::Unclear);
        unclear.map(|(pos, _)| view.square(frame, &self.reading.lattice, pos)).any(|square| {
            let number = cells.number_at(square);
            moods.iter().any(|&mood| {
                let compare = |number| view.matcher().compare(cells.patch(number), mood);
                let found = number.map(compare);
                let mut aside = Aside::new();
                let cell = view.shown(&mut cells, &mut aside, square, found, mood, self.blur);
                cell != Cell::Unclear
            })
        })
    }
}
