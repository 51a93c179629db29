//! Lines between cells, followed one by one: games draw cells on whole pixels, so that lines are hardly ever evenly spaced.

use std::sync::Arc;

use super::looks::FOLDS;
use super::samples::Shifts;

/// How often lines are followed.
const FOLLOWED_AGAIN: usize = 3;
/// So many cells beyond what repeats lines are followed.
const FOLLOWED: i32 = 40;
/// How far lines may be from being evenly spaced, as a share of the pitch.
const MOST_SHIFT: f32 = 1.0;
/// How exactly lines are followed, in pixels.
const QUANTUM: f32 = 0.25;
/// What a line that is a pixel farther aside than the one before has to gain, as a share of what lines gain.
const STRAYING: f32 = 0.4;

/// Lines that repeat along an axis at a pitch.
pub(crate) struct Lines {
    /// The distance of lines that fits them best.
    pub(crate) pitch: f32,
    /// Line `n` is at `(n + loudest) * pitch` and its shift: where edges are loudest.
    pub(crate) loudest: f32,
    pub(crate) shifts: Shifts,
    /// The edges of all pitches, folded to a circle of [`FOLDS`] bins that begins at multiples of the pitch.
    pub(crate) folded: Vec<f32>,
}

impl Lines {
    /// The lines whose edges these are, which repeat at about a pitch `along` a part of them.
    pub(super) fn followed(edges: &[f32], pitch: f32, along: (i32, i32)) -> Self {
        let mut followed = Self {
            pitch,
            loudest: 0.0,
            shifts: Shifts { from: 0, values: Arc::new([]) },
            folded: vec![0.0; FOLDS],
        };
        for _ in 0..FOLLOWED_AGAIN {
            followed.folded = followed.fold(edges, along);
            followed.follow(edges, along);
        }
        followed.folded = followed.fold(edges, along);
        followed
    }

    fn fold(&self, edges: &[f32], along: (i32, i32)) -> Vec<f32> {
        let pitch = self.pitch;
        let mut folded = vec![0.0; FOLDS];
        for at in along.0..along.1 {
            let line = (at as f32 / pitch - self.loudest).round() as i32;
            let place = (at as f32 - self.shifts.at(line)) / pitch;
            let bin = (place - place.floor()) * FOLDS as f32;
            let (low, share) = (bin as usize, bin.fract());
            let value = edges[at as usize];
            folded[low % FOLDS] += value * (1.0 - share);
            folded[(low + 1) % FOLDS] += value * share;
        }
        folded
    }

    /// How far each line is aside: where edges are most like those around all lines, and as far aside as the line before or
    /// a little more (Viterbi's algorithm).
    fn follow(&mut self, edges: &[f32], along: (i32, i32)) {
        let pitch = self.pitch;
        let folded = smooth(&self.folded);
        let loudest = (0..FOLDS).max_by(|&a, &b| folded[a].total_cmp(&folded[b])).unwrap_or(0);
        let loudest_share = loudest as f32 / FOLDS as f32;
        self.loudest = loudest_share;
        let number = |at: i32| ((at as f32 / pitch - loudest_share).floor() as i32).max(0);
        let first = (number(along.0) - FOLLOWED).max(0);
        let end = (number(along.1) + FOLLOWED).min(number(edges.len() as i32));
        if end <= first {
            return;
        }
        // How well each line fits at each shift.
        let reach = (MOST_SHIFT * pitch / QUANTUM) as i32;
        let states = (2 * reach + 1) as usize;
        let fit = |line: i32, state: usize| -> f32 {
            let aside = (state as i32 - reach) as f32 * QUANTUM;
            let middle = (line as f32 + loudest_share) * pitch + aside;
            let (from, to) = (middle - pitch / 2.0, middle + pitch / 2.0);
            let first = from.ceil().max(0.0) as usize;
            let near = edges.iter().enumerate().skip(first).take_while(|(at, _)| (*at as f32) < to);
            near.map(|(at, edge)| {
                let place = (at as f32 - middle) / pitch + loudest_share + 1.0;
                edge * folded[(place * FOLDS as f32).round() as usize % FOLDS]
            })
            .sum()
        };
        let fits: Vec<Vec<f32>> =
            (first..end).map(|line| (0..states).map(|state| fit(line, state)).collect()).collect();
        let usual = fits[0..].iter().map(|line| line[reach as usize].abs()).sum::<f32>()
            / fits.len() as f32;
        let cost = STRAYING * usual.max(1e-6);
        let steps = (1.25 / QUANTUM) as i32;
        let mut totals = fits[0].clone();
        let mut back: Vec<Vec<usize>> = Vec::new();
        for line in &fits[1..] {
            let mut next = Vec::with_capacity(states);
            let mut from = Vec::with_capacity(states);
            for (state, fit) in line.iter().enumerate() {
                let near =
                    (state as i32 - steps).max(0)..=(state as i32 + steps).min(states as i32 - 1);
                let (before, total) =
                    near.map(|before| {
                        let stray = (before - state as i32).abs() as f32 * QUANTUM;
                        (before as usize, totals[before as usize] - cost * stray)
                    })
                    .fold((state, f32::NEG_INFINITY), |best, other| {
                        if other.1 > best.1 { other } else { best }
                    });
                next.push(total + fit);
                from.push(before);
            }
            totals = next;
            back.push(from);
        }
        let mut state = (0..states).max_by(|&a, &b| totals[a].total_cmp(&totals[b])).unwrap_or(0);
        let mut values = vec![(state as i32 - reach) as f32 * QUANTUM];
        for from in back.iter().rev() {
            state = from[state];
            values.push((state as i32 - reach) as f32 * QUANTUM);
        }
        values.reverse();
        // What all lines where edges repeat have in common is the pitch.
        let inside = number(along.0)..number(along.1).min(end);
        let (slope, at) =
            line_through(inside.map(|line| (line as f32, values[(line - first) as usize])));
        for (line, value) in (first..).zip(&mut values) {
            *value -= at + slope * line as f32;
        }
        self.pitch += slope;
        // Line `n` is at `(n + loudest) * pitch`.
        self.loudest = (self.loudest * pitch + at) / self.pitch;
        self.shifts = Shifts { from: first, values: values.into() };
    }
}

/// The slope of the straight line that is nearest to these points, and its value at 0.
fn line_through(points: impl Iterator<Item = (f32, f32)> + Clone) -> (f32, f32) {
    let count = points.clone().count().max(1) as f32;
    let mean =
        |of: fn(&(f32, f32)) -> f32| points.clone().map(|point| of(&point)).sum::<f32>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let both: f32 = points.clone().map(|point| (point.0 - x) * (point.1 - y)).sum();
    let own: f32 = points.map(|point| (point.0 - x).powi(2)).sum();
    let slope = both / own.max(1e-6);
    (slope, y - slope * x)
}

/// Where on the circle `seen` is most like `drawn`, as shares of the pitch, the likeliest first: at most `count`, all apart.
pub(crate) fn likely_offsets(seen: &[f32], drawn: &[f32], count: usize) -> Vec<f32> {
    let [seen, drawn] = [seen, drawn].map(smooth);
    let at = |shift: usize| -> f32 {
        (0..FOLDS).map(|bin| seen[(bin + shift) % FOLDS] * drawn[bin]).sum()
    };
    let scores: Vec<f32> = (0..FOLDS).map(at).collect();
    let mut order: Vec<usize> = (0..FOLDS).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let mut offsets: Vec<usize> = Vec::new();
    for bin in order {
        let apart = |&other: &usize| {
            let distance = bin.abs_diff(other);
            distance.min(FOLDS - distance) >= FOLDS / 12
        };
        if offsets.len() < count && offsets.iter().all(apart) {
            offsets.push(bin);
        }
    }
    offsets.into_iter().map(|bin| bin as f32 / FOLDS as f32).collect()
}

/// Less its mean, and a little smoother: at small sizes edges are as wide as that.
fn smooth(circle: &[f32]) -> Vec<f32> {
    let mean = circle.iter().sum::<f32>() / circle.len() as f32;
    let at = |bin: usize| circle[bin % FOLDS] - mean;
    (0..FOLDS)
        .map(|bin| {
            let beside = |by: usize| at(bin + by) + at(bin + FOLDS - by);
            0.4 * at(bin) + 0.2 * beside(1) + 0.1 * beside(2)
        })
        .collect()
}
