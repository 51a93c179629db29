//! The 32 dark squares, the pieces on them, and who may go where.
//!
//! A set of squares is one word: bit `4 row + column / 2`, with row 0 at the top. So a step is a shift,
//! and each move of a hound makes the word of the hounds greater.
//!
//! What the author leaves open: the board lies as in chess (a1 is dark), the hounds start on b8, d8, f8
//! and h8, the fox on e1. Any square of the hounds' home row frees the fox. Hounds without a move pass;
//! a fox without one has lost.

/// A set of dark squares.
pub type Squares = u32;

/// Where the hounds start, and where the fox is free.
pub const HOME: Squares = 0xf;

const EVEN_ROWS: Squares = 0x0f0f_0f0f;
/// The squares on the board's edge: the last one of each even row, and the first one of each odd row.
const RIGHT_EDGE: Squares = 0x0808_0808;
const LEFT_EDGE: Squares = 0x1010_1010;

/// The squares one step forward, which is down and all that a hound may do.
pub const fn forward(from: Squares) -> Squares {
    let (even, odd) = (from & EVEN_ROWS & !RIGHT_EDGE, from & !EVEN_ROWS & !LEFT_EDGE);
    from << 4 | even << 5 | odd << 3
}

/// The squares one step forward or back, as the fox moves.
pub const fn around(from: Squares) -> Squares {
    let (even, odd) = (from & EVEN_ROWS & !RIGHT_EDGE, from & !EVEN_ROWS & !LEFT_EDGE);
    forward(from) | from >> 4 | even >> 3 | odd >> 5
}

/// The squares of a set, one by one, row by row.
pub fn each(mut squares: Squares) -> impl Iterator<Item = Squares> {
    std::iter::from_fn(move || {
        let first = squares & squares.wrapping_neg();
        squares ^= first;
        (first != 0).then_some(first)
    })
}

/// What a chess player calls a square, as `e1`.
pub fn name(square: Squares) -> String {
    let (row, place) = (square.trailing_zeros() / 4, square.trailing_zeros() % 4);
    format!("{}{}", char::from(b"bdfhaceg"[(row % 2 * 4 + place) as usize]), 8 - row)
}

/// Who moves. As a number it is a sign: ranks and scores are great where the hounds like them, and times
/// the sign where its own side does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// One piece, forward and back; moves first.
    Fox = -1,
    /// Four pieces, forward only.
    Hounds = 1,
}

/// The pieces, and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The one square of the fox.
    pub fox: Squares,
    /// The four squares of the hounds.
    pub hounds: Squares,
    /// Who moves next.
    pub turn: Side,
}

impl Position {
    /// How a game begins.
    pub const OPENING: Self = Self { fox: 1 << 30, hounds: HOME, turn: Side::Fox };

    /// Who has won.
    pub const fn winner(self) -> Option<Side> {
        if self.fox & HOME != 0 {
            Some(Side::Fox)
        } else if around(self.fox) & !self.hounds == 0 {
            Some(Side::Hounds)
        } else {
            None
        }
    }

    /// Every position one move on.
    pub fn moves(self) -> impl Iterator<Item = Self> {
        let free = !(self.fox | self.hounds);
        let (pieces, steps): (_, fn(Squares) -> Squares) = match self.turn {
            Side::Fox => (self.fox, around),
            Side::Hounds => (self.hounds, forward),
        };
        let pass = self.turn == Side::Hounds && forward(self.hounds) & free == 0;
        each(pieces)
            .flat_map(move |from| each(steps(from) & free).map(move |to| self.after(from, to)))
            .chain(pass.then(|| self.after(0, 0)))
    }

    fn after(self, from: Squares, to: Squares) -> Self {
        match self.turn {
            Side::Fox => Self { fox: self.fox ^ from ^ to, turn: Side::Hounds, ..self },
            Side::Hounds => Self { hounds: self.hounds ^ from ^ to, turn: Side::Fox, ..self },
        }
    }

    /// Those of the moves `to` that are worth most to the side that makes them; `worth` is great
    /// where the hounds like it.
    pub fn best(
        self,
        to: impl IntoIterator<Item = Self>,
        mut worth: impl FnMut(Self) -> i32,
    ) -> Vec<Self> {
        let moves: Vec<_> =
            to.into_iter().map(|next| (worth(next) * self.turn as i32, next)).collect();
        let most = moves.iter().map(|&(worth, _)| worth).max();
        moves.into_iter().filter(|&(worth, _)| Some(worth) == most).map(|(_, next)| next).collect()
    }
}
