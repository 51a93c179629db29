//! Reading a board that its skin fits badly: in other colours, at another scale, as soft as it may be.
//!
//! What became of the picture is estimated by the [model](crate::recognize::model), from the cells whose places are known.
//! It is believed where it tells more than the skin as it is drawn does.

use std::sync::Arc;

use super::Tracker;
use crate::board::Cell;
use crate::capture::Frame;
use crate::recognize::model::explained_at;
use crate::recognize::{Skin, rules};

/// A board with more than this share of cells that are unclear, or that the game would not leave so, may have
/// other colours than its skin.
const DOUBTFUL: f64 = 0.03;
/// Cells that are farther from their templates on the whole, in grey levels, may have other colours too.
const FAR_ON_THE_WHOLE: f32 = 6.0;
/// With more than this share of unclear cells, the whole window may be scaled.
const UNSCALED: f64 = 0.002;

impl Tracker<'_> {
    /// Where cells are unclear, how far they are off is estimated anew. Where the board reads badly as its skin is drawn,
    /// looks for what explains it otherwise; where that tells little, all skins of its program are taken into account.
    pub(super) fn adjust(&mut self, frame: &Frame) {
        if !self.is_plain() || self.unclear() == 0 {
            return;
        }
        *self = self.clone().measured(frame);
        if self.is_as_drawn() {
            return;
        }
        let skin = &self.reading.skin;
        let Some(mut other) = self.seen_as_one_of(std::slice::from_ref(skin), frame) else {
            return;
        };
        // Where most cells are near to their templates, the skin is the right one.
        if other.is_doubtful() && !self.is_near() {
            let themes = self.reader.themes(skin).cloned();
            let all: Vec<Arc<Skin>> = std::iter::once(skin.clone()).chain(themes).collect();
            other = self.seen_as_one_of(&all, frame).unwrap_or(other);
        }
        if other.evidence() > self.evidence() {
            *self = other;
        }
    }

    /// The board as the model sees it, which takes it for one of the skin that explains it best.
    fn seen_as_one_of(&self, skins: &[Arc<Skin>], frame: &Frame) -> Option<Self> {
        let (x, y) = (frame.origin.x, frame.origin.y);
        let in_picture = self.reading.lattice.moved(-x, -y);
        let sight = explained_at(&frame.pixels, &in_picture, skins)?.moved(x, y);
        let mut other = self.clone();
        other.reading.skin = sight.skin().clone();
        other.sight = sight;
        other.stale.fill(true);
        other.read(frame, true);
        Some(other)
    }

    /// Whether the picture may have other colours than the skin.
    pub(in crate::recognize) fn fits_badly(&self) -> bool {
        !self.is_near() || self.is_doubtful()
    }

    /// Whether the cells are near to their looks on the whole.
    pub(in crate::recognize) fn is_near(&self) -> bool {
        self.sight.is_near(FAR_ON_THE_WHOLE * FAR_ON_THE_WHOLE)
    }

    /// Whether the picture is as the skin is drawn, but for what hides cells.
    pub(in crate::recognize) fn is_as_drawn(&self) -> bool {
        self.is_near() && !self.reads_badly() && !self.is_denied()
    }

    /// Whether more of the cells look like what the rules deny than are drawn otherwise for a moment: then they look like it in
    /// other colours.
    pub(in crate::recognize) fn is_denied(&self) -> bool {
        let board = self.reading.board.cells().iter();
        let denied = board
            .zip(&self.cells)
            .filter(|&(&shown, &looks)| shown == Cell::Unclear && looks != Cell::Unclear);
        self.is_much(denied.count())
    }

    /// Whether cells are unclear that another view may tell: what is hidden in a sharp picture is not told better at another
    /// scale, nor is what looks like nothing known.
    fn reads_badly(&self) -> bool {
        let looks_known =
            |index: usize| self.seen[index][self.phase].is_some_and(|told| told.evidence > 0.0);
        let is_blurred =
            |&(index, cell): &(usize, &Cell)| *cell == Cell::Unclear && looks_known(index);
        let blurred = self.cells.iter().enumerate().filter(is_blurred).count() as f64;
        !self.sight.is_sharp() && blurred > UNSCALED * self.cells.len() as f64
    }

    /// Whether more of the board is strange than a few hidden cells would explain.
    pub(in crate::recognize) fn is_doubtful(&self) -> bool {
        self.is_much(self.inconsistent())
    }

    /// Whether so many cells are more of the board than a few hidden ones would be.
    pub(in crate::recognize) fn is_much(&self, cells: usize) -> bool {
        cells as f64 > DOUBTFUL * self.cells.len() as f64
    }

    /// How many cells are unclear or against the rules.
    pub(in crate::recognize) fn inconsistent(&self) -> usize {
        rules::inconsistent(&self.reading.board, &self.reading.skin.game)
    }
}
