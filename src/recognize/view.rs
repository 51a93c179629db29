//! How a board shows in a picture that is as its skin draws it: what its cells are compared with, and what they show.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::cells::{Cells, Matches};
use super::matcher::{DrawingDistances, FAR, Match, Matcher, has_drawing};
use super::square::{PARTS, Square};
use super::{Lattice, Mood};
use crate::board::{Cell, Pos};
use crate::capture::Frame;

/// In a picture as sharp as its skin, half of the cells are nearer than this to their templates, in grey levels. How
/// far they are is told in steps of it.
const SHARP: f32 = 3.0;
/// A cell that is farther from its template than most cells, by this factor, is hidden rather than not sharp.
const MUCH_FARTHER: f32 = 2.5;

/// How far from sharp a picture is.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Blur {
    /// How far its cells are from their templates on the whole, in steps; 0 when it is sharp.
    steps: u32,
    /// Whether its drawings are not sharp. On many boards most cells are flat, and near their templates in any picture.
    has_soft_drawings: bool,
}

impl Blur {
    /// How far from sharp a picture is whose cells are so far from their templates on the whole, in grey levels, and those
    /// of them with drawings.
    pub(crate) fn new(distance: f32, of_drawings: f32) -> Self {
        Self { steps: (distance / SHARP) as u32, has_soft_drawings: of_drawings >= SHARP }
    }

    pub(crate) fn is_sharp(self) -> bool {
        self.steps == 0 && !self.has_soft_drawings
    }
}

/// What the cells of a board are compared with.
#[derive(Clone, Debug)]
pub(crate) struct View<'a> {
    skin: Cow<'a, Matcher>,
    /// The skin for small cells, where it is not compared as it is.
    small: Option<Matcher>,
    /// The same without the finest detail.
    soft: OnceLock<Box<Matcher>>,
}

/// How what is beside cells compares in one view and mood, by the numbers of patches: most cells look like others, and so
/// does what is beside them.
#[derive(Clone, Debug)]
pub(crate) struct Aside {
    sharp: Matches<Match>,
    /// Without the finest detail.
    soft: Matches<Match>,
}

impl Aside {
    /// Nothing compared yet.
    pub(crate) const fn new() -> Self {
        Self { sharp: Matches::new(), soft: Matches::new() }
    }

    /// Forgets what was compared: the view or the mood is another one now.
    pub(crate) fn clear(&mut self) {
        self.sharp.clear();
        self.soft.clear();
    }
}

impl<'a> View<'a> {
    /// What the cells of `lattice` are compared with.
    pub(crate) fn new(skin: Cow<'a, Matcher>, lattice: &Lattice) -> Self {
        let Square { side, .. } = Square::of(lattice.cell(Pos::new(0, 0)), skin.skin.gap_width());
        let small = skin.for_cells((side / PARTS) as u32);
        Self { skin, small, soft: OnceLock::new() }
    }

    /// What cells are compared with.
    pub(crate) fn matcher(&self) -> &Matcher {
        self.small.as_ref().unwrap_or(&self.skin)
    }

    /// The same without the finest detail.
    fn soft(&self) -> &Matcher {
        self.soft.get_or_init(|| Box::new(self.matcher().softened()))
    }

    /// The part of the picture that the cell at `pos` is compared by.
    pub(crate) fn square(&self, frame: &Frame, lattice: &Lattice, pos: Pos) -> Square {
        let (left, top) = (-frame.origin.x, -frame.origin.y);
        Square::of(lattice.cell(pos).moved(left, top), self.skin.skin.gap_width())
    }

    /// What the cell in `square` shows in a game of this mood, when it was `found` to compare so, in a picture of this
    /// blur. What is `aside` of other cells may have been compared before, in this view and mood.
    pub(crate) fn shown(
        &self,
        cells: &mut Cells<'_>,
        aside: &mut Aside,
        square: Square,
        found: Option<Match>,
        mood: Option<Mood>,
        blur: Blur,
    ) -> Cell {
        let cell = at_first(found);
        if cell != Cell::Unclear || found.is_none_or(|found| found.distance >= 2.0 * FAR) {
            return cell;
        }
        // At another scale a glyph may be drawn a part of a pixel to the side.
        let steps = [0, -PARTS / 2, PARTS / 2, -PARTS, PARTS];
        let shifts = steps.into_iter().flat_map(|dy| steps.map(|dx| (dx, dy)));
        let squares = shifts.map(|shift| square.moved(shift));
        let around: Vec<usize> = squares.filter_map(|square| cells.number_at(square)).collect();
        let matches = around.iter().map(|&number| {
            let compare = || self.matcher().compare(cells.patch(number), mood);
            (aside.sharp.of(number, compare), number)
        });
        let nearest = matches.min_by(|(a, _), (b, _)| a.distance.total_cmp(&b.distance));
        let Some((nearest, number)) = nearest else { return Cell::Unclear };
        let cell = nearest.cell_aside();
        // In a picture that is sharp on the whole, what is not sharp here hides the cell.
        let hidden = nearest.distance > MUCH_FARTHER * SHARP * blur.steps as f32;
        // What looks like one kind where it belongs and like another one aside is neither.
        let other = found.filter(|found| found.wins()).is_some_and(|found| found.nearest != cell);
        // A glyph may be aside. A cell without one has nothing to be there but what hides it.
        let is_drawn = cell != Cell::Unclear && has_drawing(cell);
        if is_drawn || !hidden && cell != Cell::Unclear {
            let is_faint = || nearest.is_faint(cells.patch(number).contrast());
            let is_told = || !is_faint() && self.tells_drawing(cells, &around, cell, mood);
            let told = !other && (!is_drawn || is_told());
            return if told { cell } else { Cell::Unclear };
        }
        if hidden {
            return Cell::Unclear;
        }
        let matches = around.iter().map(|&number| {
            let compare = || self.soft().compare(&cells.patch(number).softened(), mood);
            (aside.soft.of(number, compare), number)
        });
        let nearest = matches.reduce(|(found, number), (other, other_number)| {
            let nearer = other.distance < found.distance;
            (found.or(other), if nearer { other_number } else { number })
        });
        let is_faint =
            |found: Match, number: usize| found.is_faint(cells.patch(number).softened().contrast());
        let clear = nearest.filter(|&(found, number)| !is_faint(found, number));
        clear.map_or(Cell::Unclear, |(found, _)| found.soft_cell())
    }

    /// Whether what is drawn in any of these squares is told from all kinds but one.
    fn tells_drawing(
        &self,
        cells: &Cells<'_>,
        around: &[usize],
        kind: Cell,
        mood: Option<Mood>,
    ) -> bool {
        let distances = around
            .iter()
            .map(|&number| self.matcher().drawing_distances(cells.patch(number), kind, mood));
        distances.reduce(DrawingDistances::min).is_some_and(DrawingDistances::are_apart)
    }
}

/// What a cell shows that was `found` to compare so, before it is looked at more closely.
pub(crate) fn at_first(found: Option<Match>) -> Cell {
    found.map_or(Cell::Unclear, Match::cell)
}
