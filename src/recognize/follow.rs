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
use super::reading::{conclude, rule_out};
use super::view::{Blur, View, has_drawing};
use super::{Lattice, Mood, Reader, Reading, Side, rules};
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
/// Cells are much nearer to their templates if they are so on the whole by this factor …
const NEARER: f32 = 0.7;
/// … and by so many grey levels.
const NEARER_LEVELS: f32 = 1.5;
/// Levels fit nearly as well if all cells together are farther from their templates by no more than this factor …
const RIVAL: f32 = 1.5;
/// … and by so many grey levels each.
const RIVAL_LEVELS: f32 = 0.25;
/// With more than this share of unclear cells in a view that is not the skin's own, all are.
const UNREADABLE: f64 = 0.5;
/// How far cells are on the whole is told by the median.
const HALF: usize = 2;
/// Of the drawings a quarter is enough to show that a picture is sharp: the others may be fading.
const QUARTER: usize = 4;
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
    blur: Blur,
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
            blur: Blur::default(),
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
        follower.conclude(frame);
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
            wider.doubt();
        }
        wider.conclude(frame);
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
            self.conclude(frame);
        }
        if stands_still && !self.others_tried {
            self.adjust(frame, &mut cells);
            self.conclude(frame);
            self.try_themes(frame);
            self.others_tried = true;
        }
        self.room = cells.into_room();
    }

    /// Reads the stale cells; all of them only when the picture stands still.
    fn read(&mut self, frame: &Frame, cells: &mut Cells, stands_still: bool) {
        self.compared.clear();
        for index in (0..self.stale.len()).filter(|&index| self.stale[index]) {
            let square = self.square(frame, self.reading.board.pos(index));
            let number = cells.number_at(square);
            let compare =
                |number| self.view.matcher_at(square).compare_in(cells.patch(number), Mood::ALL);
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
        let turned = turned || self.blur != before;
        let (view, blur) = (&self.view, self.blur);
        let is_unclear = |found: Option<Match>| view.at_first(found, blur) == Cell::Unclear;
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
                    self.view.shown(cells.samplers(), square, found, mood, blur)
                };
            }
            self.reading.board[pos] = self.cells[index];
        }
        rule_out(&mut self.reading);
    }

    /// Takes in what the board as a whole says.
    fn conclude(&mut self, frame: &Frame) {
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

    /// Where the board reads badly, looks at it in the colours and at the scale that the picture may have.
    fn adjust(&mut self, frame: &Frame, cells: &mut Cells) {
        if self.may_be_levelled() {
            let mut levelled = self.levelled(frame, cells);
            // Nearly no cell is strange, and they were far from their templates before.
            if let Some(levelled) =
                levelled.take_if(|levelled| !self.is_near() && !levelled.is_doubtful())
            {
                *self = levelled;
            } else {
                self.rescale(frame, cells);
                if let Some(mut levelled) = levelled {
                    levelled.rescale(frame, cells);
                    if levelled.is_better_than(self) {
                        *self = levelled;
                    }
                }
            }
            // Where the cells are as near to the skin as they may be, it has its own colours.
            if self.view.is_levelled() || !self.is_near() {
                let mut disputed = self.disputed(frame, cells);
                // At the scale of the picture fewer levels may fit.
                if !disputed.is_empty()
                    && let Some(scaled) = self.at_scale(frame, cells)
                    && scaled.is_better_than(self)
                {
                    *self = scaled;
                    disputed = self.disputed(frame, cells);
                }
                if !disputed.is_empty() {
                    *self = self.in_view(self.view.doubting(disputed), frame, cells);
                }
            }
        } else {
            self.rescale(frame, cells);
        }
        if !self.view.is_plain() {
            self.doubt();
        }
    }

    /// Whether the picture may have other colours than the skin.
    pub(super) fn may_be_levelled(&self) -> bool {
        !self.is_near() || self.is_doubtful()
    }

    /// Whether the cells are near to their templates on the whole.
    pub(super) fn is_near(&self) -> bool {
        self.distance <= FAR_ON_THE_WHOLE
    }

    /// The board at the levels that the picture is likeliest to have; `None` when it is read at those.
    fn levelled(&self, frame: &Frame, cells: &mut Cells) -> Option<Self> {
        let view = self.view.levelled(frame, cells, &self.reading.lattice).swap_remove(0);
        (!view.has_levels_of(&self.view)).then(|| self.in_view(view, frame, cells))
    }

    /// Where the board reads badly, looks at it at the scale and as soft as it may be.
    fn rescale(&mut self, frame: &Frame, cells: &mut Cells) {
        if !self.reads_badly() {
            return;
        }
        if let Some(mut scaled) = self.at_scale(frame, cells) {
            // At the scale of the picture its levels are told better.
            if scaled.may_be_levelled()
                && let Some(levelled) = scaled.levelled(frame, cells)
                && levelled.is_better_than(&scaled)
            {
                scaled = levelled;
            }
            scaled.soften(frame, cells);
            self.doubt_too(&mut scaled);
            if scaled.is_better_than(self) {
                *self = scaled;
                return;
            }
        }
        self.soften(frame, cells);
    }

    fn reads_badly(&self) -> bool {
        // What is hidden in a sharp picture is not told better at another scale.
        !self.blur.is_sharp() && self.unclear() as f64 > UNSCALED * self.cells.len() as f64
    }

    /// The board at the scale that it seems to have, if that is another one.
    fn at_scale(&self, frame: &Frame, cells: &mut Cells) -> Option<Self> {
        let view = self.view.rescaled(frame, cells, &self.reading.lattice)?;
        Some(self.in_view(view, frame, cells))
    }

    /// Where the board reads badly, looks at it as soft as it may be.
    fn soften(&mut self, frame: &Frame, cells: &mut Cells) {
        if self.reads_badly()
            && let Some(view) =
                self.view.blurred(frame, cells, &self.reading.lattice, Mood::ALL[self.mood])
        {
            let mut other = self.in_view(view, frame, cells);
            self.doubt_too(&mut other);
            if other.strange() < self.strange() {
                *self = other;
            }
        }
    }

    /// Doubts another view of a board that is read as it is: what is gained by it may be less than what is lost to doubt.
    fn doubt_too(&self, other: &mut Self) {
        if self.view.is_plain() {
            other.doubt();
        }
    }

    /// The kinds of cells that are read otherwise at other levels which fit nearly as well.
    fn disputed(&self, frame: &Frame, cells: &mut Cells) -> Vec<Cell> {
        let views = self.view.levelled(frame, cells, &self.reading.lattice);
        let most = RIVAL * self.misfit(self.mood) + RIVAL_LEVELS * self.cells.len() as f32;
        let mut kinds = Vec::new();
        for view in views.into_iter().filter(|view| !view.has_levels_of(&self.view)) {
            let rival = self.in_view(view, frame, cells);
            let more_strange = rival.strange().saturating_sub(self.strange());
            if rival.misfit(rival.mood) > most
                || more_strange as f64 > DOUBTFUL * self.cells.len() as f64
            {
                continue;
            }
            let both = self.cells.iter().zip(&rival.cells);
            let differ = both.filter(|&(own, other)| own != other && *other != Cell::Unclear);
            kinds.extend(differ.map(|(own, _)| *own).filter(|&own| own != Cell::Unclear));
        }
        kinds.sort_by_key(|cell| cell.symbol());
        kinds.dedup();
        kinds
    }

    /// The board read in another view.
    fn in_view(&self, view: View<'a>, frame: &Frame, cells: &mut Cells) -> Self {
        let mut other = Self { view, ..self.clone() };
        other.stale.fill(true);
        other.read(frame, cells, true);
        other
    }

    /// Whether the cells are much nearer to their templates than in another view, or about as near and fewer strange.
    fn is_better_than(&self, other: &Self) -> bool {
        let nearer = |a: &Self, b: &Self| {
            a.distance < NEARER * b.distance && a.distance < b.distance - NEARER_LEVELS
        };
        nearer(self, other) || (!nearer(other, self) && self.strange() < other.strange())
    }

    /// In other colours than the skin's, or at another scale, what little can be read of a board is doubted, and a board
    /// with many flags on which nothing is open: dimmed numbers may look like them. So are its blanks where nothing was
    /// opened around them again and again, which games do.
    fn doubt(&mut self) {
        let board = &self.reading.board;
        let is_blank = |cell: Cell| cell.number() == Some(0);
        let shut_in = board.iter().filter(|&(pos, cell)| {
            is_blank(cell) && board.neighbours(pos).any(|near| board[near].is_unopened())
        });
        let all = self.cells.len() as f64;
        let doubts_blanks = shut_in.count() as f64 > DOUBTFUL * all;
        let marks = board.count(|cell| matches!(cell, Cell::Flagged | Cell::Questioned));
        let none_open = board.count(|cell| cell.number().is_some()) == 0;
        let doubts_all = self.unclear() as f64 > UNREADABLE * all
            || (none_open && marks as f64 > DOUBTFUL * all);
        if !doubts_blanks && !doubts_all {
            return;
        }
        for (index, cell) in self.cells.iter_mut().enumerate() {
            if doubts_all || is_blank(*cell) {
                *cell = Cell::Unclear;
                let pos = self.reading.board.pos(index);
                self.reading.board[pos] = Cell::Unclear;
            }
        }
    }

    fn unclear(&self) -> usize {
        self.reading.board.count(|cell| cell == Cell::Unclear)
    }

    /// Whether more of the board is strange than a few hidden cells would explain.
    pub(super) fn is_doubtful(&self) -> bool {
        self.strange() as f64 > DOUBTFUL * self.cells.len() as f64
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
                    let tried_aside = self.view.at_first(found, self.blur) == Cell::Unclear;
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
                let compare = |patch| view.matcher_at(square).compare(patch, mood);
                let found = patch.as_ref().map(compare);
                let cell = view.shown(&mut samplers, square, found, mood, self.blur);
                cell != Cell::Unclear
            })
        })
    }
}
