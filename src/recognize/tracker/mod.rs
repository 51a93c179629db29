//! Following a board from frame to frame.
//!
//! A [`Tracker`] remembers what each cell showed in each phase of a game, and reads only the cells of which a pixel has
//! changed; all others stay as they are. Once the picture stands still, what it reads is the same as
//! [`Reader::read_again`] reads from the whole frame, which the tests hold it against. Two surprises: an unclear cell is
//! read again when a pixel beside it changes, because it is also tried a part of a pixel aside; and what is costly about
//! unclear cells is put off until the picture stands still, because games that flash or fade in show many of them for a
//! moment.

mod adjust;
mod extent;

use std::cmp::Ordering;
use std::sync::Arc;

use super::model::{GAME_PHASES, Sight, Told, are_highlights, evidence_by_kinds, is_possible};
use super::reading::{conclude, rule_out};
use super::{GamePhase, Lattice, Reader, Reading, Side, Skin, rules};
use crate::board::{Board, Cell, MineCount, Pos, Status};
use crate::capture::Frame;
use crate::geometry::{Px, Rect};

/// So many different unclear cells are looked at more closely even when the picture has just changed.
const FEW: usize = 16;

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
pub struct Tracker<'a> {
    reader: &'a Reader,
    /// What the board is explained by, in pixels of the screen.
    sight: Sight,
    /// What each cell shows at first in each phase of a game; nothing where it is out of sight.
    seen: Vec<[Option<Told>; GAME_PHASES]>,
    /// Which of the phases explains the board best.
    phase: usize,
    /// What each cell shows, by itself.
    cells: Vec<Cell>,
    /// Whether a cell shows that because it may be highlighted.
    highlighted: Vec<bool>,
    /// Whether a cell is to be read.
    stale: Vec<bool>,
    /// What has been tried on this picture.
    tried: Tried,
    /// What the cells showed when other themes were tried last.
    tried_on: Vec<Cell>,
    reading: Reading,
}

impl<'a> Tracker<'a> {
    /// Follows the board that was `found`, from `frame` on.
    pub fn new(reader: &'a Reader, frame: &Frame, found: Reading) -> Self {
        let Reading { skin, lattice, board, .. } = found;
        let mut tracker = Self::as_drawn(reader, frame, &skin, &lattice, board.mines);
        tracker.try_others(frame, Tried::Everything);
        tracker
    }

    /// The board in the lattice in the skin's own colours and at its own scale, with all that it says.
    pub(super) fn as_drawn(
        reader: &'a Reader,
        frame: &Frame,
        skin: &Arc<Skin>,
        lattice: &Lattice,
        mines: MineCount,
    ) -> Self {
        let mut tracker = Self::unread(reader, frame, skin, lattice, mines);
        tracker.read(frame, true);
        tracker.conclude(frame);
        tracker
    }

    /// The same of which nothing was read yet.
    fn unread(
        reader: &'a Reader,
        frame: &Frame,
        skin: &Arc<Skin>,
        lattice: &Lattice,
        mines: MineCount,
    ) -> Self {
        let (x, y) = (frame.origin.x, frame.origin.y);
        let sight = Sight::as_drawn(&frame.pixels, &lattice.moved(-x, -y), skin).moved(x, y);
        Self::at_sight(reader, sight, lattice, mines)
    }

    /// A board of which nothing was read yet.
    fn at_sight(reader: &'a Reader, sight: Sight, lattice: &Lattice, mines: MineCount) -> Self {
        let mut board = Board::new(lattice.cols(), lattice.rows());
        board.mines = mines;
        let count = board.cells().len();
        let reading = Reading {
            skin: sight.skin().clone(),
            lattice: lattice.clone(),
            board,
            status: Status::Playing,
        };
        Self {
            reader,
            sight,
            seen: vec![[None; GAME_PHASES]; count],
            phase: 0,
            cells: vec![Cell::Unclear; count],
            highlighted: vec![false; count],
            stale: vec![true; count],
            tried: Tried::Nothing,
            tried_on: Vec::new(),
            reading,
        }
    }

    /// The same where cells may be off by so much as they are on the whole, if any is unclear.
    pub(super) fn measured(mut self, frame: &Frame) -> Self {
        if self.unclear() > 0 && self.sight.is_as_drawn() {
            self.sight = self.measured_sight(frame);
            self.stale.fill(true);
            self.read(frame, true);
            self.conclude(frame);
        }
        self
    }

    /// What the board is explained by where cells may be off by so much as they are on the whole.
    fn measured_sight(&self, frame: &Frame) -> Sight {
        let (x, y) = (frame.origin.x, frame.origin.y);
        let lattice = self.reading.lattice.moved(-x, -y);
        Sight::measured(&frame.pixels, &lattice, &self.reading.skin).moved(x, y)
    }

    /// The same board in a newer frame, after its window has moved by so many pixels: all of it is read again, as it was
    /// seen before. Where the window shows something else there, cells are unclear.
    pub fn moved(&self, frame: &Frame, dx: i32, dy: i32) -> Self {
        let mut moved = self.clone();
        moved.reading.lattice = self.reading.lattice.moved(dx, dy);
        moved.sight = self.sight.moved(dx, dy);
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
        !self.sight.is_explained()
    }

    /// Whether the picture has other colours than the skin.
    pub fn is_recoloured(&self) -> bool {
        !self.sight.is_plain()
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

    /// The picture has stood still for a moment, but something else hides part of the board: what was put off is done, and
    /// nothing else is tried, since that will go away.
    pub fn catch_up_hidden(&mut self, frame: &Frame) {
        self.read_stale(frame, true, Tried::Nothing);
    }

    /// The picture has stood still for a moment, and may yet change: what was put off is done, but where it is read as it
    /// is, no other colours and scales are tried on it. That may take seconds, and is for a picture that stays.
    pub fn catch_up(&mut self, frame: &Frame) {
        let whole = if self.is_plain() { Tried::Themes } else { Tried::Everything };
        self.finish(frame, whole);
    }

    /// Does what was put off, until so much has been tried. What was measured or estimated on another picture is so anew; where
    /// the colours or the scale are others, which takes longer, only if that leaves cells unclear.
    fn finish(&mut self, frame: &Frame, until: Tried) {
        let is_new = self.tried < until || self.stale.contains(&true);
        if !is_new || self.sight.is_as_drawn() {
            self.read_stale(frame, true, until);
            return;
        }
        if self.sight.is_explained() {
            self.read_stale(frame, true, until);
            if self.unclear() == 0 {
                return;
            }
        }
        let Reading { skin, lattice, board, .. } = &self.reading;
        let mut anew = Self::as_drawn(self.reader, frame, skin, lattice, board.mines);
        anew.try_others(frame, until);
        *self = anew;
    }

    /// Reads the stale cells; then tries what was not tried yet `until` so much has been.
    fn read_stale(&mut self, frame: &Frame, stands_still: bool, until: Tried) {
        if self.stale.contains(&true) {
            self.tried = Tried::Nothing;
            self.read(frame, stands_still);
            self.conclude(frame);
        }
        self.try_others(frame, until);
    }

    /// Reads the stale cells; all of them only when the picture stands still.
    fn read(&mut self, frame: &Frame, stands_still: bool) {
        let origin = (frame.origin.x, frame.origin.y);
        let phase = self.phase;
        self.see(frame);
        let turned = self.phase != phase;
        let read: Vec<usize> =
            (0..self.stale.len()).filter(|&index| self.stale[index] || turned).collect();
        let is_unclear = |&index: &usize| self.at_first(index) == Cell::Unclear;
        let unclear: Vec<usize> = read.iter().copied().filter(is_unclear).collect();
        for &index in &read {
            (self.cells[index], self.stale[index]) = (self.at_first(index), false);
            self.highlighted[index] = false;
        }
        if !stands_still && (self.may_be_another_theme() || self.different(&unclear) > FEW) {
            unclear.iter().for_each(|&index| self.stale[index] = true);
        } else {
            let at = self.positions(&unclear);
            let closer = self.sight.closer(&frame.pixels, origin, &at, self.phase);
            for (&index, told) in unclear.iter().zip(closer) {
                (self.cells[index], self.highlighted[index]) = (told.cell, told.is_highlighted);
            }
        }
        // Where much is unclear for a moment another theme may show, in which the other cells are of other kinds too.
        let left = unclear.iter().filter(|&&index| self.cells[index] == Cell::Unclear).count();
        if !stands_still && left > FEW {
            for &index in &read {
                (self.cells[index], self.stale[index]) = (Cell::Unclear, true);
            }
        }
        let highlighted = self.highlighted.iter().filter(|&&is| is).count();
        for (index, &cell) in self.cells.iter().enumerate() {
            let is_told = !self.highlighted[index] || are_highlights(highlighted);
            let pos = self.reading.board.pos(index);
            self.reading.board[pos] = if is_told { cell } else { Cell::Unclear };
        }
        rule_out(&mut self.reading);
        if self.is_recoloured() {
            for pos in self.shut_in() {
                self.reading.board[pos] = Cell::Unclear;
            }
        }
    }

    /// Looks at the stale cells for the first time, and which phase they are of.
    fn see(&mut self, frame: &Frame) {
        let stale: Vec<usize> = (0..self.stale.len()).filter(|&index| self.stale[index]).collect();
        let (origin, at) = ((frame.origin.x, frame.origin.y), self.positions(&stale));
        for (&index, told) in stale.iter().zip(self.sight.first(&frame.pixels, origin, &at)) {
            self.seen[index] = told;
        }
        self.phase = self.likeliest_phase();
    }

    /// Whether another theme of the same program may show, in which a covered cell looks the same, since no number was told at
    /// first sight yet: a closer look may take a number of that theme for the nearest of this one.
    fn may_be_another_theme(&self) -> bool {
        let tells_number = |index| self.at_first(index).number().is_some_and(|number| number > 0);
        let skin = &self.reading.skin;
        self.is_plain()
            && !(0..self.seen.len()).any(tells_number)
            && self.reader.themes(skin).any(|theme| theme.shares_look(skin, Cell::Covered))
    }

    /// How many of these cells do not look exactly alike.
    fn different(&self, cells: &[usize]) -> usize {
        let evidence =
            |&index: &usize| self.seen[index][self.phase].map_or(0, |told| told.evidence.to_bits());
        let mut different: Vec<u32> = cells.iter().map(evidence).collect();
        different.sort_unstable();
        different.dedup();
        different.len()
    }

    fn positions(&self, indices: &[usize]) -> Vec<Pos> {
        indices.iter().map(|&index| self.reading.board.pos(index)).collect()
    }

    /// What the cell of this number shows before it is looked at more closely.
    fn at_first(&self, index: usize) -> Cell {
        self.seen[index][self.phase].map_or(Cell::Unclear, |told| told.cell)
    }

    /// The phase of a game that explains the cells best of those that they may be of.
    fn likeliest_phase(&self) -> usize {
        let told = |phase: usize| self.seen.iter().filter_map(move |seen| seen[phase]);
        let is_of = |&phase: &usize| {
            let cells: Vec<Cell> = told(phase).map(|told| told.cell).collect();
            !cells.is_empty() && is_possible(GamePhase::ALL[phase], &cells)
        };
        let evidence = |phase| told(phase).map(|told| told.evidence).sum::<f32>();
        let likely = (0..GAME_PHASES).filter(is_of);
        likely.max_by(|&a, &b| evidence(a).total_cmp(&evidence(b)).then(b.cmp(&a))).unwrap_or(0)
    }

    /// The cells that look like blanks beside one that is not open: a game would have opened that, so in another view
    /// something else may look like a blank.
    fn shut_in(&self) -> Vec<Pos> {
        let board = &self.reading.board;
        let shows = |pos: Pos| self.cells[board.index(pos)];
        let beside_unopened = |&pos: &Pos| {
            shows(pos).number() == Some(0)
                && !self.reading.skin.game.shuts_in_blanks
                && board.neighbours(pos).any(|near| shows(near).is_unopened())
        };
        board.iter().map(|(pos, _)| pos).filter(beside_unopened).collect()
    }

    /// Takes in what the board as a whole says.
    fn conclude(&mut self, frame: &Frame) {
        conclude(frame, &mut self.reading);
    }

    /// How much more likely than anything the cells are by themselves, all together, in nats.
    pub(super) fn likelihood(&self) -> f32 {
        self.evidences().sum()
    }

    /// The same for each cell.
    fn evidences(&self) -> impl Iterator<Item = f32> + '_ {
        self.seen.iter().filter_map(|seen| Some(seen[self.phase]?.evidence))
    }

    /// The evidence of the board, in nats, as far as that was measured.
    pub(super) fn evidence(&self) -> f32 {
        self.sight.evidence()
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
                    let tried_aside = !self.is_plain() || self.at_first(index) == Cell::Unclear;
                    self.stale[index] |= touched || tried_aside;
                }
            }
        }
    }

    /// Another theme takes over, or the board is adjusted to the picture, if that is to be tried and was not yet.
    fn try_others(&mut self, frame: &Frame, until: Tried) {
        if self.tried < Tried::Themes && until >= Tried::Themes {
            self.tried = Tried::Themes;
            let themes = self.other_themes(frame);
            let as_drawn = self.told_in_full(&themes);
            if as_drawn.is_none() {
                *self = self.clone().measured(frame);
            }
            if let Some(theme) = as_drawn.or_else(|| self.told_better(themes, frame)) {
                *self = theme;
                self.tried = Tried::Everything;
            }
            self.tried_on = self.shown();
        }
        if self.tried < until {
            self.adjust(frame);
            self.conclude(frame);
            self.tried = Tried::Everything;
        }
    }

    /// The kinds of cells that show.
    fn shown(&self) -> Vec<Cell> {
        let mut shown = Vec::new();
        for &cell in &self.cells {
            if !shown.contains(&cell) {
                shown.push(cell);
            }
        }
        shown
    }

    /// The board in the other themes of the same program as they are drawn: in those that may explain it better.
    fn other_themes(&self, frame: &Frame) -> Vec<Self> {
        // What was told in this theme rather than in another one is not told anew for every cell.
        let is_settled = |cell: &Cell| self.tried_on.contains(cell);
        let is_told = || self.tells_all_at_first() || self.shown().iter().all(is_settled);
        if !self.is_plain() || (self.unclear() == 0 && is_told()) {
            return Vec::new();
        }
        let themes = self.reader.themes(&self.reading.skin);
        themes.filter_map(|theme| self.seen_as(theme, frame)).collect()
    }

    /// The theme that explains the board best of those that tell all of it as they are drawn, where cells are unclear in this
    /// one. Where cells may be off by more, a number of another theme may be taken for the nearest of this one.
    fn told_in_full(&self, themes: &[Self]) -> Option<Self> {
        if !self.sight.is_as_drawn() || self.unclear() == 0 {
            return None;
        }
        let themes = themes.iter().filter(|theme| theme.unclear() == 0 && !theme.fits_badly());
        themes.max_by(|a, b| a.likelihood().total_cmp(&b.likelihood())).cloned()
    }

    /// The theme that needs no adjustment, which takes longer, and reads more, or as much and explains it better. This one is
    /// read as the picture is.
    fn told_better(&self, themes: Vec<Self>, frame: &Frame) -> Option<Self> {
        if self.tells_all_at_first() {
            return None;
        }
        let themes = themes.into_iter().map(|theme| theme.measured(frame));
        let themes = themes.filter(|theme| !theme.fits_badly()).map(|theme| {
            let explained = self.explained_in(&theme, frame);
            (theme, explained)
        });
        let (best, explained) = themes.min_by(|(a, of_a), (b, of_b)| {
            a.unclear().cmp(&b.unclear()).then(of_b.total_cmp(of_a))
        })?;
        let explains_more = || explained > self.explained_in(self, frame);
        let is_better = match best.unclear().cmp(&self.unclear()) {
            // What one cell shows may look known in any theme.
            Ordering::Less => !best.sight.is_measured() || explains_more(),
            // Numbers are told by their shape in other colours than the theme's too.
            Ordering::Equal => !self.sight.is_measured() && explains_more(),
            Ordering::Greater => false,
        };
        is_better.then_some(best)
    }

    /// How well a theme explains the board, in nats, where cells may be off by so much as they are on the whole. Hundreds of
    /// covered cells, which may look a little different in each theme, count no more than a few: cells that this theme takes for
    /// one kind.
    fn explained_in(&self, theme: &Self, frame: &Frame) -> f32 {
        let Reading { lattice, board, .. } = &self.reading;
        let sight = theme.measured_sight(frame);
        let mut measured = Self::at_sight(self.reader, sight, lattice, board.mines);
        measured.see(frame);
        let seen = measured.seen.iter().map(|seen| seen[measured.phase]);
        let told = self.cells.iter().zip(seen);
        evidence_by_kinds(told.filter_map(|(&cell, seen)| Some((cell, seen?.evidence))))
    }

    /// Whether no cell had to be looked at more closely.
    fn tells_all_at_first(&self) -> bool {
        (0..self.seen.len()).all(|index| self.at_first(index) != Cell::Unclear)
    }

    /// The board as it looks in another theme, unless that would explain it no better even if it told every cell that is unclear
    /// in this one, and as well as the best cell is told.
    fn seen_as(&self, theme: &Arc<Skin>, frame: &Frame) -> Option<Self> {
        let Reading { lattice, board, .. } = &self.reading;
        let mut seen = Self::unread(self.reader, frame, theme, lattice, board.mines);
        seen.see(frame);
        let most = self.evidences().chain(seen.evidences()).fold(0.0, f32::max);
        if seen.likelihood() + self.unclear() as f32 * most <= self.likelihood() {
            return None;
        }
        seen.read(frame, true);
        seen.conclude(frame);
        Some(seen)
    }
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;
    use crate::board::{FirstClick, Rules};
    use crate::capture::Screen;
    use crate::input::{Button, Hands};
    use crate::lab::virtual_desktop::{Setup, VirtualDesktop};

    fn shipped(name: &str) -> Skin {
        Skin::shipped().into_iter().find(|skin| skin.name == name).unwrap()
    }

    /// A board of this theme after its first click, with one cell painted over.
    fn with_a_spot(theme: &str) -> (Frame, Lattice) {
        let rules = Rules::parse_level("9x9x10", FirstClick::Opens).unwrap();
        let desktop = VirtualDesktop::new(shipped(theme), Setup::new(rules, 27, 1));
        let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
        let lattice = desktop.lattice();
        hands.click(Button::Left, lattice.centre(Pos::new(4, 4))).unwrap();
        let area = screen.area().unwrap();
        let mut frame = screen.look(area).unwrap();
        let spot = lattice.cell(Pos::new(0, 0));
        for (dx, dy) in (0..spot.width).flat_map(|dx| (0..spot.height).map(move |dy| (dx, dy))) {
            let (x, y) = (spot.x - frame.origin.x, spot.y - frame.origin.y);
            frame.pixels.put_pixel(x as u32 + dx, y as u32 + dy, Rgb([40, 90, 20]));
        }
        (frame, lattice)
    }

    #[test]
    fn a_theme_that_explains_the_rest_worse_is_not_tried_for_a_single_cell() {
        let themes = ["gnome-mines", "gnome-mines-classic", "gnome-mines-bgcolors"];
        let reader = Reader::new(themes.map(shipped).to_vec());
        for shown in reader.skins() {
            let (frame, lattice) = with_a_spot(&shown.name);
            for taken_for in reader.skins() {
                let tracker =
                    Tracker::as_drawn(&reader, &frame, taken_for, &lattice, MineCount::Given(10));
                let tried = tracker.other_themes(&frame);
                let tried = tried.iter().map(|theme| theme.reading.skin.name.as_str());
                let tried: Vec<&str> = tried.collect();
                if shown.name == taken_for.name {
                    assert!(tracker.unclear() > 0, "{}", shown.name);
                    assert!(tried.is_empty(), "{}: {tried:?}", shown.name);
                } else {
                    assert!(tried.contains(&shown.name.as_str()), "{}: {tried:?}", shown.name);
                }
            }
        }
    }
}
