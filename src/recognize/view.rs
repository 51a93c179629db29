//! How a board shows in a picture: what its cells are compared with, and where each of them is.
//!
//! Mostly that is the skin in its own colours, at the whole pixels of the lattice. But a display may change the
//! colours of a window (see [`Levels`]), and a desktop may scale a window as a whole: then cells begin and end within
//! pixels, and the gaps between them grow too.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::blur::Kernel;
use super::cells::Cells;
use super::levels::Levels;
use super::matcher::{FAR, Match, Matcher, PARTS, Samplers, Square};
use super::patch::Patch;
use super::{Lattice, Mood};
use crate::board::{Cell, Pos};
use crate::capture::Frame;

/// In a picture as sharp as its skin, half of the cells are nearer than this to their templates, in grey levels. How
/// far they are is told in steps of it.
const SHARP: f32 = 3.0;
/// A cell that is farther from its template than most cells, by this factor, is hidden rather than not sharp.
const MUCH_FARTHER: f32 = 2.5;
/// So many cells are compared, about, to find the scale of a window.
const SCALE_SAMPLE: usize = 60;
/// Scales of desktops, for what does not grow with the cells: the gaps between them.
const SCALES: [f32; 12] = [0.5, 0.625, 0.75, 0.875, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0];
/// Steps by which the edges of a scaled board are tried elsewhere, in pixels.
const STEPS: [f32; 6] = [0.5, 0.5, 0.25, 0.25, 0.125, 0.125];
/// Another scale must bring the cells nearer, to this share of the distance.
const BETTER_SCALE: f32 = 0.9;

/// What the cells of a board are compared with, and where they are.
#[derive(Clone, Debug)]
pub(crate) struct View<'a> {
    skin: Cow<'a, Matcher>,
    levels: Levels,
    /// The skin at these levels and for small cells, where it is not compared as it is.
    matcher: Option<Matcher>,
    /// What is compared where the finest detail is left out.
    soft: OnceCell<Matcher>,
    is_blurred: bool,
    /// Where the cells are, if not at the whole pixels of the lattice.
    scaled: Option<Scaled>,
}

/// The cells of a window that was scaled as a whole: evenly spaced, in parts of pixels of the screen.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Scaled {
    first: (f32, f32),
    pitch: (f32, f32),
    gap: f32,
}

/// What is tried to be otherwise about a scaled window.
#[derive(Clone, Copy)]
enum Change {
    Left,
    Top,
    Right,
    Bottom,
    Gap,
}

impl Change {
    const ALL: [Change; 5] =
        [Change::Left, Change::Top, Change::Right, Change::Bottom, Change::Gap];
}

impl Scaled {
    /// The same with one edge of the board `by` pixels to the right or down, or the gaps wider by that.
    fn changed(mut self, change: Change, by: f32, lattice: &Lattice) -> Self {
        let (cols, rows) = (f32::from(lattice.cols()), f32::from(lattice.rows()));
        match change {
            Change::Left => {
                self.first.0 += by;
                self.pitch.0 -= by / cols;
            }
            Change::Top => {
                self.first.1 += by;
                self.pitch.1 -= by / rows;
            }
            Change::Right => self.pitch.0 += by / cols,
            Change::Bottom => self.pitch.1 += by / rows,
            // Where there are no gaps, there are none at any scale.
            Change::Gap if self.gap > 0.0 => self.gap = (self.gap + by).max(0.0),
            Change::Gap => {}
        }
        self
    }

    fn square(&self, pos: Pos) -> Square {
        let at = |first: f32, n: u16, pitch: f32| first + f32::from(n) * pitch;
        let x = at(self.first.0, pos.col, self.pitch.0);
        let y = at(self.first.1, pos.row, self.pitch.1);
        Square::within((x, y), self.pitch, self.gap)
    }
}

impl<'a> View<'a> {
    /// A skin in its own colours, at the whole pixels of `lattice`.
    pub(crate) fn plain(skin: Cow<'a, Matcher>, lattice: &Lattice) -> Self {
        let Square { side, .. } = Square::of(lattice.cell(Pos::new(0, 0)), skin.skin.gap_width());
        Self::new(skin, side, Levels::AS_DRAWN, None)
    }

    fn new(skin: Cow<'a, Matcher>, side: i32, levels: Levels, scaled: Option<Scaled>) -> Self {
        let side = (side + PARTS / 2) / PARTS;
        let small = skin.for_cells(side as u32);
        let levelled = || small.as_ref().unwrap_or(&skin).seen_in(&levels);
        let mut matcher = (levels != Levels::AS_DRAWN).then(levelled).or(small);
        // Scaling brings what is between cells into their edges.
        if scaled.is_some_and(|scaled| scaled.gap > 0.0) {
            matcher = Some(matcher.unwrap_or_else(|| skin.clone().into_owned()).within_edges());
        }
        Self { skin, levels, matcher, soft: OnceCell::new(), is_blurred: false, scaled }
    }

    /// Whether the skin is compared in its own colours, at the whole pixels of the lattice.
    pub(crate) fn is_plain(&self) -> bool {
        !self.is_levelled() && self.scaled.is_none() && !self.is_blurred
    }

    /// What the cells are compared with.
    pub(crate) fn matcher(&self) -> &Matcher {
        self.matcher.as_ref().unwrap_or(&self.skin)
    }

    /// The part of the picture that the cell at `pos` is compared by.
    pub(crate) fn square(&self, frame: &Frame, lattice: &Lattice, pos: Pos) -> Square {
        let (left, top) = (-frame.origin.x, -frame.origin.y);
        match self.scaled {
            None => Square::of(lattice.cell(pos).moved(left, top), self.skin.skin.gap_width()),
            Some(scaled) => scaled.square(pos).moved((left * PARTS, top * PARTS)),
        }
    }

    /// The view of a board that has so many more columns to the left and rows at the top.
    pub(crate) fn with_more(&self, cols: u16, rows: u16) -> Self {
        let mut view = self.clone();
        if let Some(scaled) = &mut view.scaled {
            scaled.first.0 -= f32::from(cols) * scaled.pitch.0;
            scaled.first.1 -= f32::from(rows) * scaled.pitch.1;
        }
        view
    }

    /// How far from sharp a picture is whose cells are so far from their templates on the whole, in grey levels: 0
    /// when it is sharp.
    pub(crate) fn blur(distance: f32) -> u32 {
        (distance / SHARP) as u32
    }

    /// Whether other levels than the skin's own are assumed. They are an estimate, by which one kind may come to look like
    /// another all over the board: cells have to be nearer to their templates.
    pub(crate) fn is_levelled(&self) -> bool {
        self.levels != Levels::AS_DRAWN
    }

    /// What a cell shows that was `found` to compare so, before it is looked at more closely.
    pub(crate) fn at_first(&self, found: Option<Match>) -> Cell {
        let cell = if self.is_levelled() { Match::soft_cell } else { Match::cell };
        self.trusted(found.map_or(Cell::Unclear, cell))
    }

    /// What is believed of what a cell seems to show. Where the levels are an estimate, a flag may come to look like a
    /// question mark, which is much rarer.
    fn trusted(&self, cell: Cell) -> Cell {
        if self.is_levelled() && cell == Cell::Questioned { Cell::Unclear } else { cell }
    }

    /// What the cell in `square` shows in a game of this mood, when it was `found` to compare so, in a picture of this
    /// [blur](Self::blur).
    pub(crate) fn shown(
        &self,
        samplers: &mut Samplers<'_>,
        square: Square,
        found: Option<Match>,
        mood: Option<Mood>,
        blur: u32,
    ) -> Cell {
        let cell = self.at_first(found);
        if cell != Cell::Unclear || found.is_none_or(|found| found.distance >= 2.0 * FAR) {
            return cell;
        }
        // At another scale a glyph may be drawn a part of a pixel to the side.
        let steps = [0, -PARTS / 2, PARTS / 2, -PARTS, PARTS];
        let shifts = steps.into_iter().flat_map(|dy| steps.map(|dx| (dx, dy)));
        let patches = shifts.clone().filter_map(|shift| samplers.take_square(square.moved(shift)));
        let matches = patches.map(|patch| self.matcher().compare(&patch, mood));
        let nearest = matches.min_by(|a, b| a.distance.total_cmp(&b.distance));
        let aside = if self.is_levelled() { Match::soft_cell } else { Match::cell_aside };
        let cell = self.trusted(nearest.map_or(Cell::Unclear, aside));
        // In a picture that is sharp on the whole, what is not sharp here hides the cell. A kernel makes it no sharper.
        let blur = blur + u32::from(self.is_blurred);
        let not_sharp = MUCH_FARTHER * SHARP * blur as f32;
        let hidden = nearest.is_none_or(|nearest| nearest.distance > not_sharp);
        // What looks like one kind where it belongs and like another one aside is neither.
        let other = found.filter(|found| found.wins()).is_some_and(|found| found.nearest != cell);
        // A glyph may be aside. A cell without one has nothing to be there but what hides it.
        let has_glyph = !matches!(cell, Cell::Covered | Cell::Unclear) && cell != Cell::open(0);
        if has_glyph || !hidden && cell != Cell::Unclear {
            return if other { Cell::Unclear } else { cell };
        }
        if hidden {
            return Cell::Unclear;
        }
        let soft = self.soft.get_or_init(|| self.matcher().softened());
        let patches = shifts.filter_map(|shift| samplers.take_square(square.moved(shift)));
        let matches = patches.map(|patch| soft.compare(&patch.softened(), mood));
        self.trusted(matches.reduce(Match::or).map_or(Cell::Unclear, Match::soft_cell))
    }

    /// The view at the levels of the picture; `None` when it has them already.
    pub(crate) fn levelled(
        &self,
        frame: &Frame,
        cells: &mut Cells,
        lattice: &Lattice,
    ) -> Option<Self> {
        let squares: Vec<Square> =
            lattice.positions().map(|pos| self.square(frame, lattice, pos)).collect();
        let numbers: Vec<usize> =
            squares.iter().filter_map(|&square| cells.number_at(square)).collect();
        let patches: Vec<&Patch> = numbers.iter().map(|&number| cells.patch(number)).collect();
        let view = |levels| Self::new(self.skin.clone(), squares[0].side, levels, self.scaled);
        let levels = Levels::estimate(view(Levels::AS_DRAWN).matcher(), &patches);
        (levels != self.levels).then(|| view(levels))
    }

    /// The view in which drawings are as soft as in the picture, and as far to the side.
    pub(crate) fn blurred(
        &self,
        frame: &Frame,
        cells: &mut Cells,
        lattice: &Lattice,
        mood: Option<Mood>,
    ) -> Option<Self> {
        let squares = lattice.positions().map(|pos| self.square(frame, lattice, pos));
        let numbers: Vec<usize> = squares.filter_map(|square| cells.number_at(square)).collect();
        let patches: Vec<&Patch> = numbers.iter().map(|&number| cells.patch(number)).collect();
        let kernel = Kernel::estimate(self.matcher(), &patches, mood)?;
        let matcher = Some(self.matcher().seen_through(&kernel));
        Some(Self { soft: OnceCell::new(), matcher, is_blurred: true, ..self.clone() })
    }

    /// The view at another scale that brings the cells much nearer to their templates; `None` when there is none.
    pub(crate) fn rescaled(
        &self,
        frame: &Frame,
        cells: &mut Cells,
        lattice: &Lattice,
    ) -> Option<Self> {
        let count = usize::from(lattice.cols()) * usize::from(lattice.rows());
        let step = (count / SCALE_SAMPLE).max(1);
        let mut cost = |view: &Self| -> f32 {
            let distances = lattice.positions().step_by(step).map(|pos| {
                let patch = cells.samplers().take_square(view.square(frame, lattice, pos));
                let far = 2.0 * FAR;
                patch.map_or(far, |patch| view.matcher().compare_any(&patch).distance.min(far))
            });
            distances.sum()
        };
        let own = cost(self);
        let gap = self.skin.skin.gap_width() as f32;
        let scales: &[f32] = if gap > 0.0 { &SCALES } else { &[1.0] };
        let (x, y) = lattice.even_fit();
        let even = Scaled { first: (x.0, y.0), pitch: (x.1, y.1), gap };
        // Cells of nearly the same size are compared with the same templates. Their edges tell where cells end.
        let mut views: Vec<(i32, Self)> = Vec::new();
        let mut view = |scaled: Scaled| {
            let Square { side, .. } = scaled.square(Pos::new(0, 0));
            let whole = (side + PARTS / 2) / PARTS;
            let known = views.iter().position(|&(other, _)| other == whole);
            let known = known.unwrap_or_else(|| {
                views.push((whole, Self::new(self.skin.clone(), side, self.levels, None)));
                views.len() - 1
            });
            Self { scaled: Some(scaled), ..views[known].1.clone() }
        };
        let mut best = (f32::MAX, even);
        let mut try_all = |best: &mut (f32, Scaled), tried: Vec<Scaled>| {
            for scaled in tried {
                let cost = cost(&view(scaled));
                if cost < best.0 {
                    *best = (cost, scaled);
                }
            }
        };
        try_all(
            &mut best,
            scales.iter().map(|scale| Scaled { gap: gap * scale, ..even }).collect(),
        );
        // Where a board begins and ends is known to a pixel only, and not every scale is among the usual ones.
        for step in STEPS {
            for change in Change::ALL {
                let from = best.1;
                try_all(
                    &mut best,
                    [-step, step].map(|by| from.changed(change, by, lattice)).into(),
                );
            }
        }
        let (cost, scaled) = best;
        let Square { side, .. } = scaled.square(Pos::new(0, 0));
        let view = || Self::new(self.skin.clone(), side, self.levels, Some(scaled));
        (cost < BETTER_SCALE * own).then(view)
    }
}
