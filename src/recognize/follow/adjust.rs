//! Reading a board that its skin fits badly: in other colours, at another scale, as soft as it may be.
//!
//! Each of these is an estimate, and is taken only when the cells are nearer to their templates then. What it does not
//! tell for certain is doubted: kinds of cells that another estimate reads otherwise, and boards of which little is left.

use super::Follower;
use crate::board::{Cell, Pos};
use crate::capture::Frame;
use crate::recognize::Mood;
use crate::recognize::cells::Cells;
use crate::recognize::view::View;

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
/// With more than this share of unclear cells, the whole window may be scaled.
const UNSCALED: f64 = 0.002;

impl<'a> Follower<'a> {
    /// Where the board reads badly, looks at it in the colours and at the scale that the picture may have.
    pub(super) fn adjust(&mut self, frame: &Frame, cells: &mut Cells) {
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
    pub(in crate::recognize) fn may_be_levelled(&self) -> bool {
        !self.is_near() || self.is_doubtful()
    }

    /// Whether the cells are near to their templates on the whole.
    pub(in crate::recognize) fn is_near(&self) -> bool {
        self.distance <= FAR_ON_THE_WHOLE
    }

    /// The board at the levels that the picture is likeliest to have; `None` when it is read at those.
    fn levelled(&self, frame: &Frame, cells: &mut Cells) -> Option<Self> {
        let view = self.view.levelled(frame, cells, &self.reading.lattice).swap_remove(0);
        (!view.has_levels_of(&self.view)).then(|| self.in_view(view, frame, cells))
    }

    /// How many cells are strange at first sight, as the picture is or at its likeliest levels.
    pub(in crate::recognize) fn strange_at_first(&self, frame: &Frame, cells: &mut Cells) -> usize {
        let levelled = if self.may_be_levelled() { self.levelled(frame, cells) } else { None };
        let own = self.strange();
        levelled.map_or(own, |levelled| levelled.strange().min(own))
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
            let mut rival = self.compared_in(view, frame, cells);
            if rival.misfit(rival.mood) > most {
                continue;
            }
            rival.show(frame, cells, true, true);
            if self.is_much(rival.strange().saturating_sub(self.strange())) {
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
        let mut other = self.compared_in(view, frame, cells);
        other.show(frame, cells, true, true);
        other
    }

    /// The board compared in another view; what its cells show is not yet told.
    fn compared_in(&self, view: View<'a>, frame: &Frame, cells: &mut Cells) -> Self {
        let mut other = Self { view, ..self.clone() };
        other.stale.fill(true);
        other.compare(frame, cells);
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
    pub(super) fn doubt(&mut self) {
        let board = &self.reading.board;
        let is_blank = |cell: Cell| cell.number() == Some(0);
        let doubts_blanks = self.is_much(self.shut_in().len());
        let marks = board.count(|cell| matches!(cell, Cell::Flagged | Cell::Questioned));
        let none_open = board.count(|cell| cell.number().is_some()) == 0;
        let doubts_all = self.unclear() as f64 > UNREADABLE * self.cells.len() as f64
            || (none_open && self.is_much(marks));
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

    /// Whether more of the board is strange than a few hidden cells would explain.
    pub(in crate::recognize) fn is_doubtful(&self) -> bool {
        self.is_much(self.strange())
    }

    /// Whether so many cells are more of the board than a few hidden ones would be.
    pub(in crate::recognize) fn is_much(&self, cells: usize) -> bool {
        cells as f64 > DOUBTFUL * self.cells.len() as f64
    }

    /// How many cells are unclear or against the rules.
    pub(in crate::recognize) fn strange(&self) -> usize {
        let board = &self.reading.board;
        let unopened = |pos: Pos| matches!(board[pos], Cell::Covered | Cell::Unclear);
        // The game would have opened what is around a blank.
        let is_strange = |&(pos, cell): &(Pos, Cell)| {
            let blank = cell.number() == Some(0);
            cell == Cell::Unclear || (blank && board.neighbours(pos).any(unopened))
        };
        board.iter().filter(is_strange).count()
    }
}
