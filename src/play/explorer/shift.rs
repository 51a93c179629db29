//! How far a board has moved within its window.
//!
//! What moves takes its edges along: those of cells that did not change meanwhile, and those around the board. An edge of the
//! picture before is at its place moved by the right shift in the picture after; of a shift by one cell the border of the
//! board tells. The numbers below were chosen.

use crate::capture::Frame;
use crate::geometry::Rect;

/// Boards are looked for so many pixels away, each way.
const REACH: i32 = 64;
/// Pixels around the board that are looked at as well.
const AROUND: i32 = 6;
/// Two pixels differ from this on, as the sum over red, green and blue.
const DIFFERENT: u16 = 18;
/// So many edges are compared for each shift, and all of them for those that fit nearly best by that.
const EDGES: usize = 1500;
const NEARLY: f32 = 0.9;
/// The share of them that must be found again, and how many more only there than only where they were: a straight edge is
/// found wherever the board has moved along it.
const FOUND: f32 = 0.35;
const MORE: f32 = 1.3;

/// A pixel that differs from the one at its right or below.
struct Edge {
    x: i32,
    y: i32,
    here: [u8; 3],
    right: Option<[u8; 3]>,
    below: Option<[u8; 3]>,
}

/// The way the board in `area` has moved from one picture to the next, in pixels; `None` if it has changed too much.
pub(super) fn shift(before: &Frame, after: &Frame, area: Rect) -> Option<(i32, i32)> {
    let pixel = |frame: &Frame, x: i32, y: i32| {
        let (x, y) = (x - frame.origin.x, y - frame.origin.y);
        let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        frame.pixels.get_pixel_checked(x, y).map(|pixel| pixel.0)
    };
    let differ = |a: [u8; 3], b: [u8; 3]| {
        a.iter().zip(b).map(|(a, b)| u16::from(a.abs_diff(b))).sum::<u16>() >= DIFFERENT
    };
    let mut edges = Vec::new();
    for y in area.y - AROUND..area.bottom() + AROUND {
        for x in area.x - AROUND..area.right() + AROUND {
            let Some(here) = pixel(before, x, y) else { continue };
            let (right, below) = (pixel(before, x + 1, y), pixel(before, x, y + 1));
            if right.into_iter().chain(below).any(|other| differ(here, other)) {
                edges.push(Edge { x, y, here, right, below });
            }
        }
    }
    let is_found = |edge: &Edge, (dx, dy): (i32, i32)| {
        let same = |x: i32, y: i32, colour: [u8; 3]| {
            pixel(after, x + dx, y + dy).is_some_and(|other| !differ(colour, other))
        };
        let Edge { x, y, here, right, below } = *edge;
        same(x, y, here)
            && right.is_none_or(|colour| same(x + 1, y, colour))
            && below.is_none_or(|colour| same(x, y + 1, colour))
    };
    let step = edges.len().div_ceil(EDGES).max(1);
    let found_of = |step: usize, by: (i32, i32)| {
        edges.iter().step_by(step).filter(|edge| is_found(edge, by)).count()
    };
    let found = |by: (i32, i32)| found_of(1, by);
    let shifts = (-REACH..=REACH).flat_map(|dy| (-REACH..=REACH).map(move |dx| (dx, dy)));
    let shifts: Vec<((i32, i32), usize)> = shifts.map(|by| (by, found_of(step, by))).collect();
    let most = shifts.iter().map(|&(_, count)| count).max()?;
    let are_enough = |count: usize, of: usize| count as f32 >= FOUND * of as f32;
    if !are_enough(most, edges.len().div_ceil(step)) {
        return None;
    }
    // Every so many edges may be those of some columns and not of others, and a shift by a cell more loses but one of those.
    let near = shifts.iter().filter(|&&(_, count)| count as f32 >= NEARLY * most as f32);
    // Of shifts that fit as well the smallest.
    let best = near
        .map(|&(by, _)| by)
        .max_by_key(|&(dx, dy)| (found((dx, dy)), -(dx.abs() + dy.abs())))?;
    let only_at = |one: (i32, i32), other: (i32, i32)| {
        let only = edges.iter().filter(|edge| is_found(edge, one) && !is_found(edge, other));
        only.count() as f32
    };
    let has_moved = best != (0, 0) && only_at(best, (0, 0)) > MORE * only_at((0, 0), best);
    let place = if has_moved { best } else { (0, 0) };
    are_enough(found(place), edges.len()).then_some(place)
}
