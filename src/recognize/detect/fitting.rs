//! Which lines of cells belong to a board: it grows, or shrinks, line by line while most cells of a line look like cells
//! of a skin.

use super::cells::{Cells, Matches};
use super::gridlines::Profile;
use super::matcher::{FAR, Match, Matcher};
use crate::board::{Board, Cell};
use crate::geometry::{Px, Rect};
use crate::recognize::Lattice;
use crate::recognize::skin::within_gap;
use crate::recognize::truncated::has_lines;

/// The share of a line's cells that must look like cells.
const ALIKE: f32 = 0.5;
/// The share of a board's cells that must be read clearly.
const CLEAR: f32 = 0.6;
/// The share of a board's cells that must show more than a blank.
const TELLING_BOARD: f32 = 0.08;
/// The share of a line's cells that must show more than a blank where edges do not repeat.
const TELLING: f32 = 0.3;
/// Of the cells of a line that look like cells, this share of what is read clearly within the board must be read: a window's
/// ground may look a little like blanks.
const CERTAIN: f32 = 0.5;
/// A cell stands out from a gap by at least this, as the sum over red, green and blue.
const STEP: u16 = 24;
/// The least columns and rows of a board.
pub(crate) const LEAST: usize = 5;
/// A line that is hidden does not end a board: this many lines are looked past.
pub(crate) const HIDDEN_LINES: usize = 3;

/// A lattice that fits, and how well.
pub(crate) struct Fit {
    pub(crate) lattice: Lattice,
    /// The gap between its cells, in pixels.
    pub(crate) gap: u32,
    /// The share of the cells that are read clearly, from 0 to 1.
    pub(crate) clear: f32,
    /// Mean distance of all cells to the nearest template, in grey levels.
    pub(crate) distance: f32,
}

impl Fit {
    /// How many cells are read clearly.
    pub(crate) fn clear_cells(&self) -> u32 {
        let cells = f32::from(self.lattice.cols()) * f32::from(self.lattice.rows());
        (cells * self.clear).round() as u32
    }
}

/// Fits a skin to the cells of a picture.
pub(crate) struct Fitting<'a, 'b> {
    matcher: &'b Matcher,
    cells: &'b mut Cells<'a>,
    /// What cells look like that were looked at, by their numbers.
    matches: Matches<Match>,
    /// The region in which edges repeat.
    region: Rect,
    /// The side of a cell, in pixels.
    pitch: i32,
}

impl<'a, 'b> Fitting<'a, 'b> {
    /// Fits `matcher`'s skin to the cells around `region`, in which edges repeat after `pitch` pixels.
    pub(crate) fn new(
        matcher: &'b Matcher,
        cells: &'b mut Cells<'a>,
        region: Rect,
        pitch: i32,
    ) -> Self {
        Self { matcher, cells, matches: Matches::new(), region, pitch }
    }

    /// The whole board around the cells between these edges of columns and rows; `None` when there is none.
    pub(crate) fn fit(&mut self, mut xs: Vec<i32>, mut ys: Vec<i32>) -> Option<Fit> {
        let within = self.all(&xs, &ys);
        loop {
            let before = (xs.len(), ys.len());
            for way in [1, -1] {
                self.grow(&mut xs, &ys, way, true, &within);
                self.grow(&mut ys, &xs, way, false, &within);
            }
            if (xs.len(), ys.len()) == before {
                break;
            }
        }
        for end in [false, true] {
            self.shrink(&mut xs, &ys, end, true, &within)?;
            self.shrink(&mut ys, &xs, end, false, &within)?;
        }
        let is_board =
            xs.len() > LEAST && ys.len() > LEAST && Board::can_have(xs.len() - 1, ys.len() - 1);
        if !is_board {
            return None;
        }
        let whole = self.all(&xs, &ys);
        let fits = whole.clear() >= CLEAR && whole.telling() >= TELLING_BOARD;
        fits.then(|| Fit {
            lattice: Lattice::new(xs, ys),
            gap: self.cells.gap(),
            clear: whole.clear(),
            distance: whole.distance(),
        })
    }

    /// What the first cell between these edges looks like; `None` when it reaches beyond the picture or has no
    /// gap where the skin's cells have one.
    fn found(&mut self, xs: &[i32], ys: &[i32]) -> Option<Match> {
        let (width, height) = ((xs[1] - xs[0]) as u32, (ys[1] - ys[0]) as u32);
        let cell = Rect::new(xs[0], ys[0], width, height);
        if !self.has_gap(cell) {
            return None;
        }
        let number = self.cells.number(cell)?;
        let patch = self.cells.patch(number);
        Some(self.matches.of(number, || self.matcher.compare_any(patch)))
    }

    /// Whether the cell stands out from the gap around it, if the skin has one.
    fn has_gap(&self, cell: Rect) -> bool {
        if self.cells.gap() == 0 {
            return true;
        }
        // The middle of the gap, and a place well inside the cell: right even if the edge is a pixel off.
        let inside = within_gap(cell, self.cells.gap());
        let Px { x, y } = inside.centre();
        let before = inside.x - cell.x;
        let steps = [
            (Px::new(cell.x, y), Px::new(inside.x + before, y)),
            (Px::new(x, cell.y), Px::new(x, inside.y + before)),
            (Px::new(cell.right(), y), Px::new(inside.right() - 1 - before, y)),
            (Px::new(x, cell.bottom()), Px::new(x, inside.bottom() - 1 - before)),
        ];
        let pixel = |at: Px| self.cells.pixels().get_pixel_checked(at.x as u32, at.y as u32);
        let differ = |(gap, cell): &(Px, Px)| {
            let both = pixel(*gap).zip(pixel(*cell));
            both.is_some_and(|(a, b)| {
                a.0.iter().zip(b.0).map(|(a, b)| u16::from(a.abs_diff(b))).sum::<u16>() >= STEP
            })
        };
        steps.iter().all(differ)
    }

    /// How all cells between these edges look.
    fn all(&mut self, xs: &[i32], ys: &[i32]) -> Looks {
        let mut all = Looks::default();
        for ys in ys.windows(2) {
            for xs in xs.windows(2) {
                all.add(self.found(xs, ys).as_ref());
            }
        }
        all
    }

    /// How the cells of a line look.
    fn looks(&mut self, line: &Line<'_>) -> Looks {
        let mut looks = Looks::default();
        for other in line.others.windows(2) {
            let edges = [line.from, line.to];
            let (xs, ys) = if line.across { (&edges[..], other) } else { (other, &edges[..]) };
            looks.add(self.found(xs, ys).as_ref());
        }
        looks
    }

    /// Whether a line of cells that looks so belongs to the board, of which the cells `within` look so.
    fn belongs(&self, line: &Line<'_>, looks: &Looks, within: &Looks) -> bool {
        let is_certain = looks.clear_of_alike() >= CERTAIN * within.clear_of_alike();
        looks.alike() >= ALIKE
            && (looks.telling() >= TELLING || is_certain && self.proves_blanks(line))
    }

    /// Whether what is around blank cells shows that they are cells.
    fn proves_blanks(&self, line: &Line<'_>) -> bool {
        let &Line { from, to, others, across } = line;
        // Lines between cells prove blank ones, and where cells have such lines, no lines are no cells.
        let inner = &others[1..others.len() - 1];
        let (pixels, gap) = (self.cells.pixels(), self.cells.gap());
        let strength = self.matcher.line;
        if !inner.is_empty() && has_lines(pixels, from, to, across, inner, gap, strength) {
            return true;
        }
        if !inner.is_empty() && self.matcher.has_lines() {
            return false;
        }
        // So does a gap around each cell. Otherwise, beyond the region in which edges repeat, blank cells prove
        // nothing: what is beside a board is often as blank.
        let (start, end) = if across {
            (self.region.x, self.region.right())
        } else {
            (self.region.y, self.region.bottom())
        };
        let inside = to.min(end) - from.max(start);
        gap > 0 || 2 * inside > to - from
    }

    /// The edge of the next line of cells that way, moved by a pixel to the middle of the gap there, if there is one.
    fn settled(&self, edge: i32, way: i32, others: &[i32], across: bool) -> i32 {
        let (pixels, gap) = (self.cells.pixels(), self.cells.gap());
        if gap == 0 {
            return edge;
        }
        let picture = Rect::new(0, 0, pixels.width(), pixels.height());
        let (start, length) = (edge - gap as i32, 2 * gap + 1);
        let (first, last) = (others[0], others[others.len() - 1]);
        let near = if across {
            Rect::new(start, first, length, (last - first) as u32).intersection(picture)
        } else {
            Rect::new(first, start, (last - first) as u32, length).intersection(picture)
        };
        let Some(near) = near else { return edge };
        let profile =
            if across { Profile::across(pixels, near) } else { Profile::down(pixels, near) };
        profile.with_gap(gap).settled_at_end(edge, way)
    }

    /// Adds lines to one end of `edges` while they look like cells, as those `within` the board do.
    fn grow(
        &mut self,
        edges: &mut Vec<i32>,
        others: &[i32],
        way: i32,
        across: bool,
        within: &Looks,
    ) {
        let pitch = self.pitch;
        let mut hidden: Vec<i32> = Vec::new();
        // Cells that are equal so far stay so.
        let equal = edges.windows(2).all(|pair| pair[1] - pair[0] == pitch);
        let drifts: &[i32] = if equal { &[0] } else { &[0, -1, 1] };
        loop {
            let end = if way > 0 { edges[edges.len() - 1] } else { edges[0] };
            let start = hidden.last().copied().unwrap_or(end);
            let next = drifts
                .iter()
                .map(|drift| {
                    let edge = self.settled(start + way * (pitch + drift), way, others, across);
                    let (from, to) = (start.min(edge), start.max(edge));
                    let line = Line { from, to, others, across };
                    let looks = self.looks(&line);
                    (edge, self.belongs(&line, &looks, within), looks.distance())
                })
                .reduce(|best, other| if other.2 < best.2 - 0.25 { other } else { best });
            let Some((edge, found, _)) = next else { return };
            hidden.push(if found { edge } else { start + way * pitch });
            if found {
                if way > 0 {
                    edges.append(&mut hidden);
                } else {
                    edges.splice(0..0, hidden.drain(..).rev());
                }
            } else if hidden.len() > HIDDEN_LINES {
                return;
            }
        }
    }

    /// Takes lines that do not look like cells from one end of `edges`.
    fn shrink(
        &mut self,
        edges: &mut Vec<i32>,
        others: &[i32],
        end: bool,
        across: bool,
        within: &Looks,
    ) -> Option<()> {
        while edges.len() > 2 {
            let at = if end { edges.len() - 2 } else { 0 };
            let line = Line { from: edges[at], to: edges[at + 1], others, across };
            let looks = self.looks(&line);
            if self.belongs(&line, &looks, within) {
                return Some(());
            }
            edges.remove(if end { edges.len() - 1 } else { 0 });
        }
        None
    }
}

/// A column (`across`) or a row of cells.
struct Line<'e> {
    /// Where it begins and ends.
    from: i32,
    to: i32,
    /// The edges of the rows, or columns, that cross it.
    others: &'e [i32],
    across: bool,
}

/// How the cells of a line, or of a whole board, look.
#[derive(Default)]
struct Looks {
    cells: f32,
    alike: f32,
    clear: f32,
    telling: f32,
    sum: f32,
}

impl Looks {
    fn add(&mut self, found: Option<&Match>) {
        let distance = found.map_or(2.0 * FAR, |found| found.distance.min(2.0 * FAR));
        self.cells += 1.0;
        self.sum += distance;
        if distance <= FAR {
            self.alike += 1.0;
        }
        let cell = found.map_or(Cell::Unclear, |found| found.cell());
        if cell != Cell::Unclear {
            self.clear += 1.0;
            self.telling += f32::from(u8::from(cell != Cell::open(0)));
        }
    }

    /// The share of cells that are not too far from some template.
    fn alike(&self) -> f32 {
        self.alike / self.cells
    }

    /// The share of cells that are read clearly.
    fn clear(&self) -> f32 {
        self.clear / self.cells
    }

    /// The share of those that are not too far from some template that are read clearly.
    fn clear_of_alike(&self) -> f32 {
        self.clear / self.alike.max(1.0)
    }

    /// The share of cells that are read clearly and are not blank.
    fn telling(&self) -> f32 {
        self.telling / self.cells
    }

    /// The mean distance to the nearest template, in grey levels.
    fn distance(&self) -> f32 {
        self.sum / self.cells
    }
}
