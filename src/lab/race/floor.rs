//! The floor: the time that the game took to paint what was clicked, whoever clicked it.

use std::time::{Duration, Instant};

use crate::geometry::Rect;

/// Something that an observer beside the player saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// When.
    pub at: Instant,
    /// What.
    pub what: Event,
}

/// What an observer can see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A mouse button went down.
    Click,
    /// This part of the screen was painted.
    Paint(Rect),
}

/// The sum over all batches of the time from the first click that arrived to the last pixel that was painted on
/// `board` before the next batch. Batches begin at `batches`, the last one ends at `end`.
///
/// Clicks that are sent again are a batch of their own: the time until they were missed is the player's. Where the observer sees
/// no clicks they count from when the batch was sent.
pub fn floor(seen: &[Seen], batches: &[Instant], end: Instant, board: Rect) -> Duration {
    let sees_clicks = seen.iter().any(|seen| seen.what == Event::Click);
    let ends = batches.iter().skip(1).copied().chain([end]);
    let batches = batches.iter().zip(ends).map(|(&from, to)| {
        let mut within = seen.iter().filter(|seen| seen.at >= from && seen.at < to);
        let first = match sees_clicks {
            true => within.find(|seen| seen.what == Event::Click)?.at,
            false => from,
        };
        let mut paints = within.filter(|seen| match seen.what {
            Event::Paint(area) => area.intersection(board).is_some(),
            Event::Click => false,
        });
        Some(paints.next_back()?.at - first)
    });
    batches.flatten().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_batch_lasts_from_its_first_click_to_its_last_pixel() {
        let start = Instant::now();
        let ms = |n: u64| start + Duration::from_millis(n);
        let board = Rect::new(10, 10, 100, 100);
        let (cell, timer) = (Rect::new(20, 20, 5, 5), Rect::new(0, 0, 5, 5));
        let seen = [
            (1, Event::Paint(cell)),
            (12, Event::Click),
            (13, Event::Click),
            (17, Event::Paint(cell)),
            (19, Event::Paint(timer)),
            (31, Event::Click),
            (36, Event::Paint(cell)),
            (90, Event::Paint(cell)),
        ];
        let seen = seen.map(|(at, what)| Seen { at: ms(at), what });
        let total = floor(&seen, &[ms(10), ms(30), ms(40)], ms(50), board);
        assert_eq!(total, Duration::from_millis(5 + 5));
        let paints: Vec<Seen> = seen.into_iter().filter(|seen| seen.what != Event::Click).collect();
        let total = floor(&paints, &[ms(10), ms(30), ms(40)], ms(50), board);
        assert_eq!(total, Duration::from_millis(7 + 6));
    }
}
