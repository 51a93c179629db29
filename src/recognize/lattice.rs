//! Where each cell of a board is on the screen.

use std::ops::Range;

use super::skin::Spot;
use super::truncated::Side;
use crate::board::{Board, Pos};
use crate::geometry::{Px, Rect};

/// The edges of every column and row of a board, in pixels of the screen.
///
/// Cells of one board may differ by a pixel, so every edge is kept. A cell reaches from its own edge to
/// the next one; where a game leaves gaps between cells, the gap belongs to the cells beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lattice {
    xs: Vec<i32>,
    ys: Vec<i32>,
}

impl Lattice {
    /// A lattice with these edges: one more than there are columns, and one more than there are rows.
    ///
    /// # Panics
    /// When there are fewer than two edges or they do not ascend.
    #[track_caller]
    pub fn new(xs: Vec<i32>, ys: Vec<i32>) -> Self {
        Self::with_edges(xs, ys).expect("the edges of a lattice ascend")
    }

    /// A lattice with these edges; `None` when there are fewer than two or they do not ascend.
    pub fn with_edges(xs: Vec<i32>, ys: Vec<i32>) -> Option<Self> {
        let ascend = |edges: &[i32]| edges.len() >= 2 && edges.windows(2).all(|w| w[0] < w[1]);
        (ascend(&xs) && ascend(&ys)).then_some(Self { xs, ys })
    }

    /// The edges of the columns, from left to right, and of the rows, from top to bottom.
    pub fn edges(&self) -> (&[i32], &[i32]) {
        (&self.xs, &self.ys)
    }

    /// A lattice of `cols` x `rows` equal cells of `pitch` pixels whose top left corner is at
    /// `origin`. Edges fall on the nearest whole pixels.
    pub fn even(origin: Px, pitch: (f64, f64), cols: u16, rows: u16) -> Self {
        let edges = |start: i32, pitch: f64, cells: u16| {
            (0..=cells).map(|n| start + (f64::from(n) * pitch).round() as i32).collect()
        };
        Self::new(edges(origin.x, pitch.0, cols), edges(origin.y, pitch.1, rows))
    }

    /// The lattice of these columns and rows of it, of each at least one.
    pub(crate) fn part(&self, cols: Range<usize>, rows: Range<usize>) -> Self {
        let edges = |edges: &[i32], of: Range<usize>| edges[of.start..=of.end].to_vec();
        Self::new(edges(&self.xs, cols), edges(&self.ys, rows))
    }

    /// The lattice with one more line of cells on each side on which that lies in `area`.
    pub(crate) fn wider_within(&self, area: Rect) -> Self {
        let wider = |edges: &[i32], (_, pitch): (f32, f32), from: i32, to: i32| {
            let (first, last) = (edges[0], edges[edges.len() - 1]);
            let step = pitch.round() as i32;
            let before = Some(first - step).filter(|&edge| edge >= from);
            let after = Some(last + step).filter(|&edge| edge <= to);
            before.into_iter().chain(edges.iter().copied()).chain(after).collect()
        };
        let (x, y) = self.even_fit();
        Self::new(
            wider(&self.xs, x, area.x, area.right()),
            wider(&self.ys, y, area.y, area.bottom()),
        )
    }

    /// Whether a board may have as many cells.
    pub(crate) fn can_be_board(&self) -> bool {
        Board::can_have(self.xs.len() - 1, self.ys.len() - 1)
    }

    /// Number of columns.
    pub fn cols(&self) -> u16 {
        (self.xs.len() - 1) as u16
    }

    /// Number of rows.
    pub fn rows(&self) -> u16 {
        (self.ys.len() - 1) as u16
    }

    /// The mean width and height of a cell, in pixels.
    pub fn pitch(&self) -> (f64, f64) {
        let area = self.area();
        let (cols, rows) = (f64::from(self.cols()), f64::from(self.rows()));
        (f64::from(area.width) / cols, f64::from(area.height) / rows)
    }

    /// The evenly spaced lines nearest to its edges: how far the first one is from the first edge and how far the next
    /// one is from it, for columns and for rows.
    pub(crate) fn even_fit(&self) -> ((f32, f32), (f32, f32)) {
        let fit = |edges: &[i32]| {
            let middle = (edges.len() - 1) as f64 / 2.0;
            let from_first = |edge: i32| f64::from(edge - edges[0]);
            let mean = edges.iter().map(|&edge| from_first(edge)).sum::<f64>() / edges.len() as f64;
            let (mut both, mut own) = (0.0, 0.0);
            for (n, &edge) in edges.iter().enumerate() {
                let from_middle = n as f64 - middle;
                both += from_middle * (from_first(edge) - mean);
                own += from_middle * from_middle;
            }
            let pitch = both / own;
            ((mean - middle * pitch) as f32, pitch as f32)
        };
        (fit(&self.xs), fit(&self.ys))
    }

    /// The shorter side of a cell in pixels, its share of the gaps included; where cells differ, of most of them.
    pub fn side(&self) -> u32 {
        let (width, height) = self.pitch();
        width.min(height).round() as u32
    }

    /// Whether some pixel belongs to both.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.area().intersection(other.area()).is_some()
    }

    /// The part of the screen that the board takes.
    pub fn area(&self) -> Rect {
        let (x, y) = (self.xs[0], self.ys[0]);
        let (right, bottom) = (self.xs[self.xs.len() - 1], self.ys[self.ys.len() - 1]);
        Rect::new(x, y, (right - x) as u32, (bottom - y) as u32)
    }

    /// The part of the screen that the cell at `pos` takes.
    ///
    /// # Panics
    /// When `pos` is off the board.
    #[track_caller]
    pub fn cell(&self, pos: Pos) -> Rect {
        let (col, row) = (usize::from(pos.col), usize::from(pos.row));
        let (x, y) = (self.xs[col], self.ys[row]);
        Rect::new(x, y, (self.xs[col + 1] - x) as u32, (self.ys[row + 1] - y) as u32)
    }

    /// The cells, row by row.
    pub(crate) fn positions(&self) -> impl Iterator<Item = Pos> + use<> {
        let columns = 0..self.cols();
        (0..self.rows()).flat_map(move |row| columns.clone().map(move |col| Pos::new(col, row)))
    }

    /// The parts of the screen that the cells take, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Rect> + '_ {
        self.positions().map(|pos| self.cell(pos))
    }

    /// The middle of the cell at `pos`.
    ///
    /// # Panics
    /// When `pos` is off the board.
    #[track_caller]
    pub fn centre(&self, pos: Pos) -> Px {
        self.cell(pos).centre()
    }

    /// The cell that `at` lies in.
    pub fn pos_at(&self, at: Px) -> Option<Pos> {
        let place = |edges: &[i32], at: i32| {
            let after = edges.partition_point(|&edge| edge <= at);
            (after > 0 && after < edges.len()).then(|| (after - 1) as u16)
        };
        Some(Pos::new(place(&self.xs, at.x)?, place(&self.ys, at.y)?))
    }

    /// The middle of a place beside the board.
    pub fn spot(&self, spot: Spot) -> Px {
        let area = self.area();
        let (width, height) = self.pitch();
        let x = f64::from(area.width) * spot.across + spot.right * width;
        let y = f64::from(area.height) * spot.along + spot.down * height;
        Px::new(area.x + x.round() as i32, area.y + y.round() as i32)
    }

    /// The spot, measured from the board as it holds at other sizes: from its middle, or from the nearest side beyond which it is.
    pub(crate) fn spot_at(&self, at: Px) -> Spot {
        let area = self.area();
        let (width, height) = self.pitch();
        let anchor = |at: i32, from: i32, to: i32| match at {
            at if at < from => 0.0,
            at if at >= to => 1.0,
            _ => 0.5,
        };
        let across = anchor(at.x, area.x, area.right());
        let along = anchor(at.y, area.y, area.bottom());
        let x = f64::from(area.width).mul_add(across, f64::from(area.x));
        let y = f64::from(area.height).mul_add(along, f64::from(area.y));
        let (right, down) = ((f64::from(at.x) - x) / width, (f64::from(at.y) - y) / height);
        Spot { across, right, along, down }
    }

    /// The lattice with a line of cells more on this side.
    pub(crate) fn grown(&self, side: Side) -> Self {
        let before = |edges: &[i32]| [&[2 * edges[0] - edges[1]], edges].concat();
        let after = |edges: &[i32]| {
            let last = edges.len() - 1;
            [edges, &[2 * edges[last] - edges[last - 1]]].concat()
        };
        match side {
            Side::Left => Self { xs: before(&self.xs), ys: self.ys.clone() },
            Side::Right => Self { xs: after(&self.xs), ys: self.ys.clone() },
            Side::Top => Self { xs: self.xs.clone(), ys: before(&self.ys) },
            Side::Bottom => Self { xs: self.xs.clone(), ys: after(&self.ys) },
        }
    }

    /// The lattice moved by (`dx`, `dy`) pixels.
    pub fn moved(&self, dx: i32, dy: i32) -> Self {
        let shift = |edges: &[i32], by: i32| edges.iter().map(|edge| edge + by).collect();
        Self { xs: shift(&self.xs, dx), ys: shift(&self.ys, dy) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_and_its_centre_lead_back_to_each_other() {
        let lattice = Lattice::even(Px::new(-3, 7), (26.6, 26.4), 30, 16);
        for row in 0..16 {
            for col in 0..30 {
                let pos = Pos::new(col, row);
                assert_eq!(lattice.pos_at(lattice.centre(pos)), Some(pos));
                assert!(lattice.area().encloses(lattice.cell(pos)));
            }
        }
        let area = lattice.area();
        assert_eq!(lattice.pos_at(Px::new(area.x - 1, area.y)), None);
        assert_eq!(lattice.pos_at(Px::new(area.x, area.bottom())), None);
    }
}
