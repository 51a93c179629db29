//! What is known of one cell of a solved board.

/// What is known of a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::solver) enum Place {
    /// It shows what it is, and that is no mine.
    Open,
    /// It is no mine, by proof.
    Clear,
    /// It is a mine, shown or by proof.
    Mine,
    /// Nothing; it touches no number.
    Rest,
    /// It is in a class of a component.
    Class { component: u32, class: u32 },
}
