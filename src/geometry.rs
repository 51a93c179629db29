//! Points and rectangles of the screen, in physical pixels.
//!
//! There is one coordinate space for looking and for clicking: physical pixels, `x` to the right and
//! `y` down, from the top left of the desktop. A saved picture is a desktop of its own.

/// A point of the screen in physical pixels. Not a [`Pos`](crate::board::Pos): only a
/// [`Lattice`](crate::recognize::Lattice) converts between the two.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Px {
    /// Pixels from the left edge; negative on a monitor to the left of the first.
    pub x: i32,
    /// Pixels from the top edge; negative on a monitor above the first.
    pub y: i32,
}

impl Px {
    /// The point at (`x`, `y`).
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }
}

impl std::fmt::Display for Px {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// An upright rectangle of the screen in physical pixels; it holds its left and top edges, not its
/// right and bottom ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

impl Rect {
    /// The rectangle with its top left corner at (`x`, `y`).
    pub const fn new(x: i32, y: i32, width: u32, height: u32) -> Self {
        Self { x, y, width, height }
    }

    /// The first column right of the rectangle.
    pub const fn right(self) -> i32 {
        self.x + self.width as i32
    }

    /// The first row below the rectangle.
    pub const fn bottom(self) -> i32 {
        self.y + self.height as i32
    }

    /// The point in the middle (of two middle pixels the right or lower one).
    pub const fn centre(self) -> Px {
        Px::new(self.x + self.width as i32 / 2, self.y + self.height as i32 / 2)
    }

    /// Whether `at` lies inside.
    pub const fn contains(self, at: Px) -> bool {
        at.x >= self.x && at.y >= self.y && at.x < self.right() && at.y < self.bottom()
    }

    /// The pixel inside that is nearest to `at`.
    pub fn nearest(self, at: Px) -> Px {
        let within = |n: i32, from: i32, to: i32| n.min(to - 1).max(from);
        Px::new(within(at.x, self.x, self.right()), within(at.y, self.y, self.bottom()))
    }

    /// Whether all of `other` lies inside.
    pub const fn encloses(self, other: Rect) -> bool {
        other.x >= self.x
            && other.y >= self.y
            && other.right() <= self.right()
            && other.bottom() <= self.bottom()
    }

    /// The part that both cover, if any.
    pub fn intersection(self, other: Rect) -> Option<Rect> {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let (right, bottom) = (self.right().min(other.right()), self.bottom().min(other.bottom()));
        (x < right && y < bottom).then(|| Rect::new(x, y, (right - x) as u32, (bottom - y) as u32))
    }

    /// The smallest rectangle that encloses both.
    pub fn around(self, other: Rect) -> Rect {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = self.right().max(other.right());
        let bottom = self.bottom().max(other.bottom());
        Rect::new(x, y, (right - x) as u32, (bottom - y) as u32)
    }

    /// Whether both are as wide and as high.
    pub const fn is_as_large_as(self, other: Rect) -> bool {
        self.width == other.width && self.height == other.height
    }

    /// The rectangle moved by (`dx`, `dy`).
    pub const fn moved(self, dx: i32, dy: i32) -> Rect {
        Rect::new(self.x + dx, self.y + dy, self.width, self.height)
    }
}

impl std::fmt::Display for Rect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{} at ({}, {})", self.width, self.height, self.x, self.y)
    }
}
