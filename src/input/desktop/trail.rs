//! Where the pointer was told to go lately, for desktops that tell late where it is.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::geometry::Px;
use crate::input::Act;

/// So far from where it was told to go a pointer may be, in pixels: a scaled desktop rounds to its own units.
const ROUNDING: i32 = 2;

/// The moves of the program's own: what is told of one of them lately is no hand on the mouse.
pub(super) struct Trail {
    /// So long after a move the desktop may still say that the pointer is there.
    late: Duration,
    /// Each place with when the pointer was sent on from it; the last place last, with when it was sent there.
    places: VecDeque<(Instant, Px)>,
}

impl Trail {
    /// A trail on a desktop that may tell so late where the pointer is.
    pub(super) fn new(late: Duration) -> Self {
        Self { late, places: VecDeque::new() }
    }

    /// Takes note of the moves among `acts`.
    pub(super) fn note(&mut self, acts: &[Act], now: Instant) {
        let mut moves = acts.iter().filter_map(Act::place).peekable();
        if moves.peek().is_some() {
            // The pointer was there until now.
            if let Some((when, _)) = self.places.back_mut() {
                *when = now;
            }
            self.places.retain(|&(when, _)| now.saturating_duration_since(when) < self.late);
            self.places.extend(moves.map(|at| (now, at)));
        }
    }

    /// Where the pointer is, if the desktop says that it is at `told`: where it was told to go last, unless no move explains what is
    /// said. Before the first move nothing is known.
    pub(super) fn pointer(&self, told: Px, now: Instant) -> Option<Px> {
        let &(_, last) = self.places.back()?;
        let is_near =
            |at: Px| (told.x - at.x).abs() <= ROUNDING && (told.y - at.y).abs() <= ROUNDING;
        let mut lately =
            self.places.iter().filter(|(when, _)| now.saturating_duration_since(*when) < self.late);
        let is_ours = is_near(last) || lately.any(|&(_, at)| is_near(at));
        Some(if is_ours { last } else { told })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: Duration = Duration::from_secs(3);

    #[test]
    fn what_is_told_late_of_a_move_of_ours_is_no_hand_on_the_mouse() {
        let (start, mut trail) = (Instant::now(), Trail::new(LATE));
        let (cell, parked, elsewhere) = (Px::new(283, 161), Px::new(208, 690), Px::new(500, 500));
        assert_eq!(trail.pointer(elsewhere, start), None);
        trail.note(&[Act::Move(cell), Act::Move(parked)], start);
        assert_eq!(trail.pointer(Px::new(284, 160), start), Some(parked));
        assert_eq!(trail.pointer(elsewhere, start), Some(elsewhere));
        assert_eq!(trail.pointer(cell, start + LATE), Some(cell));
        assert_eq!(trail.pointer(parked, start + LATE), Some(parked));
    }

    #[test]
    fn where_the_pointer_rested_for_long_may_still_be_told_after_the_next_move() {
        let (start, mut trail) = (Instant::now(), Trail::new(LATE));
        let (parked, cell) = (Px::new(208, 690), Px::new(587, 161));
        let moved = start + 2 * LATE;
        trail.note(&[Act::Move(parked)], start);
        trail.note(&[Act::Move(cell)], moved);
        assert_eq!(trail.pointer(parked, moved), Some(cell));
        assert_eq!(trail.pointer(parked, moved + LATE), Some(parked));
    }

    #[test]
    fn what_moves_nothing_forgets_nothing() {
        let (start, mut trail) = (Instant::now(), Trail::new(LATE));
        let cell = Px::new(283, 161);
        trail.note(&[Act::Move(cell)], start);
        trail.note(&[], start + LATE);
        assert_eq!(trail.pointer(cell, start + LATE), Some(cell));
    }
}
