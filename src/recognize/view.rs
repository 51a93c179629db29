//! How a board shows in a picture: what its cells are compared with, and where each of them is.
//!
//! Mostly that is the skin in its own colours, at the whole pixels of the lattice. But a display may change the
//! colours of a window (see [`Levels`]), and a desktop may scale a window as a whole: then cells begin and end within
//! pixels, and the gaps between them grow too.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::blur::Kernel;
use super::cells::{Cells, Matches};
use super::levels::Levels;
use super::matcher::{DrawingDistances, FAR, Match, Matcher, has_drawing};
use super::patch::Patch;
use super::scaled::Scaled;
use super::square::{PARTS, Square};
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
/// So many places within a pixel are told apart where cells begin.
const PHASES: usize = (PARTS * PARTS) as usize;
/// Steps by which the edges of a scaled board are tried elsewhere, in pixels: at first …
const STEPS: [f32; 4] = [0.5, 0.5, 0.25, 0.25];
/// … and when its scale is nearly known.
const FINE_STEPS: [f32; 4] = [0.25, 0.25, 0.125, 0.125];
/// What a cell may show then is one of so many looks.
const LIKELY: usize = 3;

/// Views of a window at many scales, of which those with cells of the same size share what these are compared with.
struct Views<'a> {
    skin: &'a Matcher,
    levels: Levels,
    known: Vec<(i32, View<'a>)>,
}

impl<'a> Views<'a> {
    fn new(skin: &'a Matcher, levels: Levels) -> Self {
        Self { skin, levels, known: Vec::new() }
    }

    fn at(&mut self, scaled: Scaled) -> &View<'a> {
        let Square { side, .. } = scaled.square(Pos::new(0, 0));
        let known = self.known.iter().position(|&(other, _)| other == side);
        let known = known.unwrap_or_else(|| {
            let view = View::new(Cow::Borrowed(self.skin), side, self.levels, Some(scaled));
            self.known.push((side, view));
            self.known.len() - 1
        });
        let view = &mut self.known[known].1;
        view.scaled = Some(scaled);
        view
    }
}

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

/// What the cells of a board are compared with, and where they are.
#[derive(Clone, Debug)]
pub(crate) struct View<'a> {
    skin: Cow<'a, Matcher>,
    levels: Levels,
    /// The skin at these levels and for small cells, where it is not compared as it is.
    matcher: Option<Matcher>,
    /// The same where cells begin within pixels.
    drawn: Drawn,
    /// The same without the finest detail.
    soft: Drawn,
    /// What the drawings are seen through, if they are as soft as in the picture.
    kernel: Option<Kernel>,
    /// What is not told from other things in this view.
    doubted: Vec<Cell>,
    /// Where the cells are, if not at the whole pixels of the lattice.
    scaled: Option<Scaled>,
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

/// Matchers for cells that begin at each part of a pixel, to the right and down, made when they are needed.
#[derive(Clone, Debug)]
struct Drawn(Arc<[OnceLock<Matcher>; PHASES]>);

impl Drawn {
    fn new() -> Self {
        Self(Arc::new([const { OnceLock::new() }; PHASES]))
    }

    /// The matcher for cells that begin where `square` does.
    fn at(&self, square: Square, make: impl FnOnce() -> Matcher) -> &Matcher {
        let part = |at: i32| at.rem_euclid(PARTS) as usize;
        self.0[part(square.y) * PARTS as usize + part(square.x)].get_or_init(make)
    }
}

impl<'a> View<'a> {
    /// A skin in its own colours, at the whole pixels of `lattice`.
    pub(crate) fn plain(skin: Cow<'a, Matcher>, lattice: &Lattice) -> Self {
        let Square { side, .. } = Square::of(lattice.cell(Pos::new(0, 0)), skin.skin.gap_width());
        Self::new(skin, side, Levels::AS_DRAWN, None)
    }

    /// The view of cells of `side`, in [`PARTS`] of a pixel.
    fn new(skin: Cow<'a, Matcher>, side: i32, levels: Levels, scaled: Option<Scaled>) -> Self {
        let side = (side + PARTS / 2) / PARTS;
        let small = skin.for_cells(side as u32);
        let levelled = || small.as_ref().unwrap_or(&skin).seen_in(&levels);
        let mut matcher = (levels != Levels::AS_DRAWN).then(levelled).or(small);
        // Scaling brings what is between cells into their edges.
        if scaled.is_some_and(|scaled| scaled.gap > 0.0) {
            matcher = Some(matcher.unwrap_or_else(|| skin.clone().into_owned()).within_edges());
        }
        let (drawn, soft) = (Drawn::new(), Drawn::new());
        Self { skin, levels, matcher, drawn, soft, kernel: None, doubted: Vec::new(), scaled }
    }

    /// The same view with its drawings seen through a kernel.
    fn through(self, kernel: Kernel) -> Self {
        let matcher = Some(self.matcher().seen_through(&kernel));
        let (drawn, soft) = (Drawn::new(), Drawn::new());
        Self { drawn, soft, matcher, kernel: Some(kernel), ..self }
    }

    /// The same view of a board that is so many pixels farther to the right and down.
    pub(crate) fn moved(&self, dx: i32, dy: i32) -> Self {
        Self { scaled: self.scaled.map(|scaled| scaled.moved(dx, dy)), ..self.clone() }
    }

    /// Whether the skin is compared in its own colours, at the whole pixels of the lattice, and what it tells believed.
    pub(crate) fn is_plain(&self) -> bool {
        let View { scaled, kernel, doubted, .. } = self;
        !self.is_levelled() && scaled.is_none() && kernel.is_none() && doubted.is_empty()
    }

    /// What cells are compared with that begin at whole pixels.
    pub(crate) fn matcher(&self) -> &Matcher {
        self.matcher.as_ref().unwrap_or(&self.skin)
    }

    /// What the cell in `square` is compared with.
    pub(crate) fn matcher_at(&self, square: Square) -> &Matcher {
        let Some(scaled) = self.scaled else { return self.matcher() };
        self.drawn.at(square, || {
            let pixels = |parts: i32| parts as f32 / PARTS as f32;
            let part = |at: i32| pixels(at.rem_euclid(PARTS));
            let offset = (part(square.x), part(square.y));
            let ground = scaled.ground.map(|ground| self.levels.undone(ground));
            let mut drawn = self.skin.redrawn(pixels(square.side), offset, ground);
            if self.is_levelled() {
                drawn = drawn.seen_in(&self.levels);
            }
            if scaled.gap > 0.0 {
                drawn = drawn.within_edges();
            }
            self.kernel.map_or(drawn.clone(), |kernel| drawn.seen_through(&kernel))
        })
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
        view.scaled = view.scaled.map(|scaled| scaled.with_more(cols, rows));
        view
    }

    /// Whether other levels than the skin's own are assumed.
    pub(crate) fn is_levelled(&self) -> bool {
        self.levels != Levels::AS_DRAWN
    }

    /// Whether cells have to be nearer to their templates: in a picture that is not sharp other levels are an estimate,
    /// by which one kind may come to look like another all over the board.
    fn is_estimate(&self, blur: Blur) -> bool {
        self.is_levelled() && !blur.is_sharp()
    }

    /// What a cell shows that was `found` to compare so, in a picture of this blur, before it is looked at
    /// more closely.
    pub(crate) fn at_first(&self, found: Option<Match>, blur: Blur) -> Cell {
        let cell = if self.is_estimate(blur) {
            Match::soft_cell
        } else if self.scaled.is_some() && !blur.is_sharp() {
            Match::redrawn_cell
        } else {
            Match::cell
        };
        self.trusted(found.map_or(Cell::Unclear, cell))
    }

    /// What is believed of what a cell seems to show.
    fn trusted(&self, cell: Cell) -> Cell {
        if self.doubted.contains(&cell) { Cell::Unclear } else { cell }
    }

    /// The same view in which these kinds of cells are not told from others.
    pub(crate) fn doubting(&self, kinds: Vec<Cell>) -> Self {
        Self { doubted: kinds, ..self.clone() }
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
        let cell = self.at_first(found, blur);
        if cell != Cell::Unclear || found.is_none_or(|found| found.distance >= 2.0 * FAR) {
            return cell;
        }
        // At another scale a glyph may be drawn a part of a pixel to the side.
        let steps = [0, -PARTS / 2, PARTS / 2, -PARTS, PARTS];
        let shifts = steps.into_iter().flat_map(|dy| steps.map(|dx| (dx, dy)));
        let squares = shifts.map(|shift| square.moved(shift));
        let take = |square| Some((square, cells.number_at(square)?));
        let around: Vec<(Square, usize)> = squares.filter_map(take).collect();
        let matches = around.iter().map(|&(square, number)| {
            let compare = || self.matcher_at(square).compare(cells.patch(number), mood);
            (aside.sharp.of(number, compare), square, number)
        });
        let nearest = matches.min_by(|(a, ..), (b, ..)| a.distance.total_cmp(&b.distance));
        let Some((nearest, at, number)) = nearest else { return Cell::Unclear };
        let contrast = || self.matcher_at(at).contrast(cells.patch(number));
        let cell = if self.is_estimate(blur) { Match::soft_cell } else { Match::cell_aside };
        let cell = self.trusted(cell(nearest));
        // In a picture that is sharp on the whole, what is not sharp here hides the cell. A kernel makes it no sharper.
        let steps = blur.steps + u32::from(self.kernel.is_some());
        let hidden = nearest.distance > MUCH_FARTHER * SHARP * steps as f32;
        // What looks like one kind where it belongs and like another one aside is neither.
        let other = found.filter(|found| found.wins()).is_some_and(|found| found.nearest != cell);
        // A glyph may be aside. A cell without one has nothing to be there but what hides it.
        let is_drawn = cell != Cell::Unclear && has_drawing(cell);
        if is_drawn || !hidden && cell != Cell::Unclear {
            let tells = || self.tells_drawing(cells, &around, cell, mood);
            let is_told = || !nearest.is_faint(contrast()) && tells();
            let told = !other && (!is_drawn || is_told());
            return if told { cell } else { Cell::Unclear };
        }
        if hidden {
            return Cell::Unclear;
        }
        let soft = |square| self.soft.at(square, || self.matcher_at(square).softened());
        let matches = around.iter().map(|&(square, number)| {
            let compare = || soft(square).compare(&cells.patch(number).softened(), mood);
            (aside.soft.of(number, compare), square, number)
        });
        let nearest = matches.reduce(|(found, at, number), (other, other_at, other_number)| {
            let nearer = other.distance < found.distance;
            let (at, number) = if nearer { (other_at, other_number) } else { (at, number) };
            (found.or(other), at, number)
        });
        let contrast = |at, number| soft(at).contrast(&cells.patch(number).softened());
        let clear = nearest.filter(|&(found, at, number)| !found.is_faint(contrast(at, number)));
        self.trusted(clear.map_or(Cell::Unclear, |(found, ..)| found.soft_cell()))
    }

    /// Whether what is drawn in any of these squares is told from all kinds but one.
    fn tells_drawing(
        &self,
        cells: &Cells<'_>,
        around: &[(Square, usize)],
        kind: Cell,
        mood: Option<Mood>,
    ) -> bool {
        let distances = around.iter().map(|&(square, number)| {
            self.matcher_at(square).drawing_distances(cells.patch(number), kind, mood)
        });
        distances.reduce(DrawingDistances::min).is_some_and(DrawingDistances::are_apart)
    }

    /// The views at the levels that the picture may have: the likeliest first, then those that are nearly as likely.
    pub(crate) fn levelled(
        &self,
        frame: &Frame,
        cells: &mut Cells,
        lattice: &Lattice,
    ) -> Vec<Self> {
        let squares: Vec<Square> =
            lattice.positions().map(|pos| self.square(frame, lattice, pos)).collect();
        let numbers: Vec<usize> =
            squares.iter().filter_map(|&square| cells.number_at(square)).collect();
        let patches: Vec<&Patch> = numbers.iter().map(|&number| cells.patch(number)).collect();
        let view = |levels| {
            let view = Self::new(self.skin.clone(), squares[0].side, levels, self.scaled);
            if let Some(kernel) = self.kernel { view.through(kernel) } else { view }
        };
        let levels = Levels::estimate(view(Levels::AS_DRAWN).matcher(), &patches);
        levels.into_iter().map(view).collect()
    }

    /// The same view of another skin.
    pub(crate) fn with_skin(
        &self,
        skin: Cow<'a, Matcher>,
        frame: &Frame,
        lattice: &Lattice,
    ) -> Self {
        let Square { side, .. } = self.square(frame, lattice, Pos::new(0, 0));
        let view = Self::new(skin, side, self.levels, self.scaled);
        if let Some(kernel) = self.kernel { view.through(kernel) } else { view }
    }

    /// Whether the levels are the same in both views.
    pub(crate) fn has_levels_of(&self, other: &Self) -> bool {
        self.levels == other.levels
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
        let numbers: Vec<(usize, &Matcher)> = squares
            .filter_map(|square| Some((cells.number_at(square)?, self.matcher_at(square))))
            .collect();
        let seen = numbers.iter().map(|&(number, matcher)| (cells.patch(number), matcher));
        let kernel = Kernel::estimate(&seen.collect::<Vec<_>>(), mood)?;
        Some(self.clone().through(kernel))
    }

    /// The cell at `pos`, and the part of the picture that it is compared by; `None` when it reaches beyond that.
    fn seen(
        &self,
        frame: &Frame,
        cells: &mut Cells,
        lattice: &Lattice,
        pos: Pos,
    ) -> Option<(Square, Patch)> {
        let square = self.square(frame, lattice, pos);
        Some((square, cells.samplers().take_square(square)?))
    }

    /// Some cells that tell of the scale: half of them those with the loudest drawings, the others spread over the board.
    fn telling_sample(&self, frame: &Frame, cells: &mut Cells, lattice: &Lattice) -> Vec<Pos> {
        let count = usize::from(lattice.cols()) * usize::from(lattice.rows());
        let step = (2 * count / SCALE_SAMPLE).max(1);
        let contrasts = lattice.positions().filter_map(|pos| {
            let number = cells.number_at(self.square(frame, lattice, pos))?;
            Some((cells.patch(number).contrast(), pos))
        });
        let mut loud: Vec<(f32, Pos)> = contrasts.collect();
        loud.sort_by(|a, b| b.0.total_cmp(&a.0));
        let loud = loud.into_iter().take(SCALE_SAMPLE / 2).map(|(_, pos)| pos);
        loud.chain(lattice.positions().step_by(step)).collect()
    }

    /// The view at another scale that brings the cells nearer to their templates; `None` when there is none.
    pub(crate) fn rescaled(
        &self,
        frame: &Frame,
        cells: &mut Cells,
        lattice: &Lattice,
    ) -> Option<Self> {
        let sample = self.telling_sample(frame, cells, lattice);
        let far = 2.0 * FAR;
        // At first what the scale does to each cell by itself is left out: that leads astray until the scale is nearly
        // known. Cells of the same size are compared with the same templates.
        let mut rough = Views::new(&self.skin, self.levels);
        let mut starts = Scaled::even(frame, lattice, self.skin.skin.gap.is_some())?;
        let (_, near) = Scaled::nearest(&starts, &STEPS, lattice, |scaled| {
            let view = rough.at(scaled);
            let distance = |&pos| {
                let cell = view.seen(frame, cells, lattice, pos);
                cell.map_or(far, |(_, cell)| view.matcher().compare_any(&cell).distance.min(far))
            };
            sample.iter().map(distance).sum()
        });
        let view = rough.at(near);
        let mut likely: Vec<usize> = Vec::new();
        for (_, cell) in sample.iter().filter_map(|&pos| view.seen(frame, cells, lattice, pos)) {
            for mood in Mood::ALL {
                let looks = view.matcher().nearest_looks(&cell, mood, LIKELY);
                likely.extend(looks.into_iter().map(|(look, _)| look));
            }
        }
        likely.sort_unstable();
        likely.dedup();
        let skin = self.skin.with_looks(&likely);
        let mut fine = Views::new(&skin, self.levels);
        starts.push(near);
        let mut cost = |view: &View<'_>| {
            let distance = |&pos| {
                let cell = view.seen(frame, cells, lattice, pos);
                cell.map_or(far, |(square, cell)| {
                    view.matcher_at(square).compare_any(&cell).distance.min(far)
                })
            };
            sample.iter().map(distance).sum()
        };
        let (least, scaled) =
            Scaled::nearest(&starts, &FINE_STEPS, lattice, |scaled| cost(fine.at(scaled)));
        let Square { side, .. } = scaled.square(Pos::new(0, 0));
        let is_nearer = least < cost(self);
        is_nearer.then(|| Self::new(self.skin.clone(), side, self.levels, Some(scaled)))
    }
}
