//! Where the guard clicks and where it leaves the pointer. All places are physical pixels of the screen.

use crate::board::Pos;
use crate::geometry::{Px, Rect};
use crate::play::PlayError;
use crate::recognize::Lattice;

/// How many pixels beside the board the pointer is parked where the window leaves no more room.
const NARROW: i32 = 3;

/// Where the cell at `pos` is clicked, if it may be: on the board, in the watched part of the screen.
pub(super) fn cell_place(lattice: &Lattice, area: Rect, pos: Pos) -> Result<Px, PlayError> {
    let refused = |allowed| PlayError::Refused { what: format!("cell {pos}"), allowed };
    if pos.col >= lattice.cols() || pos.row >= lattice.rows() {
        return Err(refused(lattice.area()));
    }
    let at = lattice.centre(pos);
    if area.contains(at) { Ok(at) } else { Err(refused(area)) }
}

/// Where the pointer is parked: see [`Guard::park`](super::Guard::park).
pub(in crate::play) fn parking_place(lattice: &Lattice, area: Rect) -> Px {
    let board = lattice.area();
    let (width, height) = lattice.pitch();
    let (dx, dy) = ((width / 2.0).max(4.0) as i32, (height / 2.0).max(4.0) as i32);
    let (middle, last_row) = (board.centre().x, board.bottom() - dy);
    let beside = [(dx, dy), (NARROW, NARROW)].into_iter().flat_map(|(dx, dy)| {
        [
            Px::new(board.x - dx, last_row),
            Px::new(board.right() + dx, last_row),
            Px::new(middle, board.bottom() + dy),
        ]
    });
    // A board that fills its window leaves no room inside; just outside is as good for a pointer
    // that presses nothing.
    let outside = Px::new(area.right() + dx, last_row);
    let mut inside = beside.filter(|&at| area.contains(at));
    inside.next().unwrap_or(outside)
}
