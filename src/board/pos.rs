//! Where a cell is on its board.

/// A cell's place: column and row, both from 0 at the top left. Not a
/// [`Px`](crate::geometry::Px).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Pos {
    /// Columns from the left.
    pub col: u16,
    /// Rows from the top.
    pub row: u16,
}

impl Pos {
    /// The cell in column `col` of row `row`.
    pub const fn new(col: u16, row: u16) -> Self {
        Self { col, row }
    }

    /// Whether `other` is one of the eight cells around this one.
    pub const fn touches(self, other: Pos) -> bool {
        let (dx, dy) = (self.col.abs_diff(other.col), self.row.abs_diff(other.row));
        dx <= 1 && dy <= 1 && dx + dy > 0
    }
}

impl std::fmt::Display for Pos {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.col, self.row)
    }
}
