//! Following the columns and rows of a board whose cells may differ by a pixel.

use std::ops::RangeInclusive;

use image::RgbImage;

use super::edges::difference;
use super::repetition::Candidate;
use crate::geometry::Rect;

/// A step other than the pitch is taken when it fits better by this factor.
const CLEARLY: f32 = 1.15;

/// An edge stronger than this counts no more: a few loud ones must not drown the many.
const LOUDEST: u16 = 96;

/// The two sides of a thin line are equally strong edges but for this factor.
const THIN: f32 = 0.75;

/// A gap is at most this part of a pitch.
const MOST_OF_PITCH: i32 = 3;

/// About this many lines are summed: enough for a mean, and a large board costs no more than a small one.
const SUMMED: usize = 256;

/// How strong the edges along one axis of a region are, summed across it.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    strengths: Vec<f32>,
    start: i32,
    gap: i32,
}

impl Profile {
    /// Edges between columns of pixels: one strength for each `x` of `region`.
    pub(crate) fn across(pixels: &RgbImage, region: Rect) -> Self {
        let mut strengths = vec![0.0; region.width as usize];
        let (raw, stride) = (pixels.as_raw(), pixels.width() as usize * 3);
        // The first column of a picture has none before it.
        let skipped = usize::from(region.x == 0);
        let left = (region.x as usize + skipped) * 3;
        for y in spread(region.y, region.height) {
            let row = &raw[y * stride..][..region.right() as usize * 3];
            let pairs = row[left - 3..].chunks_exact(3).zip(row[left..].chunks_exact(3));
            for (strength, (before, here)) in strengths[skipped..].iter_mut().zip(pairs) {
                *strength += f32::from(difference(before, here).min(LOUDEST));
            }
        }
        Self { strengths, start: region.x, gap: 0 }
    }

    /// Edges between rows of pixels: one strength for each `y` of `region`.
    pub(crate) fn down(pixels: &RgbImage, region: Rect) -> Self {
        let mut strengths = vec![0.0; region.height as usize];
        let (raw, stride) = (pixels.as_raw(), pixels.width() as usize * 3);
        let columns: Vec<usize> = spread(region.x, region.width).map(|x| x * 3).collect();
        let skipped = usize::from(region.y == 0);
        for (y, strength) in (region.y as usize..).zip(&mut strengths).skip(skipped) {
            let (above, here) = raw[(y - 1) * stride..(y + 1) * stride].split_at(stride);
            let edge = |&x: &usize| difference(&above[x..x + 3], &here[x..x + 3]).min(LOUDEST);
            *strength = columns.iter().map(|x| f32::from(edge(x))).sum();
        }
        Self { strengths, start: region.y, gap: 0 }
    }

    /// The profiles along both axes of a candidate's region and two cells beyond its ends, since a board
    /// may reach a little further than its edges repeat.
    pub(crate) fn around(pixels: &RgbImage, candidate: &Candidate) -> Option<(Self, Self)> {
        let Rect { x, y, width, height } = candidate.region;
        let more = 2 * candidate.pitch;
        let whole = Rect::new(0, 0, pixels.width(), pixels.height());
        let wide = Rect::new(x - more as i32, y, width + 2 * more, height).intersection(whole)?;
        let high = Rect::new(x, y - more as i32, width, height + 2 * more).intersection(whole)?;
        Some((Self::across(pixels, wide), Self::down(pixels, high)))
    }

    /// The part of the profile from pixel `from` to `to`.
    pub(crate) fn between(&self, from: i32, to: i32) -> Self {
        let part = (from - self.start) as usize..(to - self.start) as usize;
        Self { strengths: self.strengths[part].to_vec(), start: from, gap: self.gap }
    }

    /// The ways to move `lines`, less than `pitch` apart, in which they may be the borders of cells: those in which
    /// they meet stronger edges than a pixel to either side, the `most` strongest ones, and those in the middle
    /// between two such, since cells that are drawn raised have an edge on each side of their border, and the other
    /// side of a thin line.
    pub(crate) fn borders(&self, lines: &[i32], pitch: i32, most: usize) -> Vec<i32> {
        let (ways, loud) = self.ways(lines, pitch);
        let beside = |at: usize| [(at + loud.len() - 1) % loud.len(), (at + 1) % loud.len()];
        let is_peak = |&at: &usize| beside(at).iter().all(|&other| loud[at] >= loud[other]);
        let mut peaks: Vec<usize> = (0..loud.len()).filter(is_peak).collect();
        peaks.sort_by(|&a, &b| loud[b].total_cmp(&loud[a]));
        peaks.truncate(most);
        peaks.sort();
        let middles = peaks.windows(2).filter(|pair| pair[1] - pair[0] <= loud.len() / 4);
        let middles: Vec<usize> = middles.map(|pair| pair[0].midpoint(pair[1])).collect();
        // A thin line has an edge on each side, and either may be the stronger one by what glyphs add.
        let others = peaks.iter().flat_map(|&at| beside(at).map(|other| (at, other)));
        let others = others.filter(|&(at, other)| loud[other] >= THIN * loud[at]);
        let others: Vec<usize> = others.map(|(_, other)| other).collect();
        peaks.extend(middles.into_iter().chain(others));
        let mut borders: Vec<i32> = peaks.into_iter().map(|at| ways[at]).collect();
        borders.sort_unstable();
        borders.dedup();
        borders
    }

    /// All ways to move `lines`, less than `pitch` apart, and how strong the edges are that they meet.
    fn ways(&self, lines: &[i32], pitch: i32) -> (Vec<i32>, Vec<f32>) {
        let ways = -pitch / 2..pitch - pitch / 2;
        let loud = |by: i32| lines.iter().map(|line| self.loudness(line + by)).sum();
        (ways.clone().collect(), ways.map(loud).collect())
    }

    /// The same profile for cells with `gap` pixels between them.
    pub(crate) fn with_gap(&self, gap: u32) -> Self {
        Self { gap: gap as i32, ..self.clone() }
    }

    /// The gap of which the edges beside `lines`, about `pitch` apart, are strongest, in pixels.
    pub(crate) fn gap(&self, lines: &[i32], pitch: i32) -> u32 {
        let loudness = |gap: u32| {
            let profile = self.with_gap(gap);
            profile.ways(lines, pitch).1.into_iter().fold(0.0, f32::max)
        };
        let most = (pitch / MOST_OF_PITCH).max(1) as u32;
        let gaps = (1..=most).map(|gap| (gap, loudness(gap)));
        gaps.reduce(|best, other| if other.1 > best.1 { other } else { best })
            .map_or(1, |best| best.0)
    }

    /// Positions at the same place of successive cells, about `pitch` apart, from one end of the region
    /// to the other. Which place of a cell it is stays open.
    pub(crate) fn followed(&self, pitch: i32) -> Vec<i32> {
        followed(&self.strengths, pitch).into_iter().map(|at| self.start + at).collect()
    }

    /// Of the ways to move `lines`, the one in which the edges of the cells between them are strongest.
    pub(crate) fn loudest(&self, lines: &[i32], ways: RangeInclusive<i32>) -> Option<i32> {
        let loudness = |by: i32| lines.iter().map(|line| self.loudness(line + by)).sum::<f32>();
        ways.max_by(|&a, &b| loudness(a).total_cmp(&loudness(b)).then(b.cmp(&a)))
    }

    /// The lines moved to the middle of the gaps between cells about `pitch` apart.
    pub(crate) fn on_gaps(&self, lines: &[i32], pitch: i32) -> Option<Vec<i32>> {
        let by = self.loudest(lines, -pitch / 2..=pitch - pitch / 2)?;
        Some(lines.iter().map(|line| self.settled(line + by)).collect())
    }

    /// A line, moved a pixel or two if it stands between cells with a gap and the edges of that gap are
    /// clearly stronger there.
    fn settled(&self, line: i32) -> i32 {
        self.settled_by(self.gap / 2, line, |line| self.loudness(line))
    }

    /// The line after the last cell of a board (`way` 1) or before the first one (-1), moved by a pixel if the edge of that
    /// cell is clearly stronger there. Only this edge counts: what is beyond a board has edges of its own.
    pub(crate) fn settled_at_end(&self, line: i32, way: i32) -> i32 {
        let [begins, ends] = self.edges_beside(line);
        let of_cell = if way > 0 { ends - line } else { begins - line };
        self.settled_by(1, line, |line| self.strength(line + of_cell))
    }

    fn settled_by(&self, reach: i32, line: i32, loudness: impl Fn(i32) -> f32) -> i32 {
        let better = |best: i32, other: i32| {
            if loudness(other) > 1.6 * loudness(best) { other } else { best }
        };
        (line - reach..=line + reach).fold(line, better)
    }

    /// How strong the edges of the cells beside a line are.
    fn loudness(&self, line: i32) -> f32 {
        self.edges_beside(line).map(|edge| self.strength(edge)).into_iter().sum()
    }

    /// Where the cell after a line begins and the one before it ends.
    fn edges_beside(&self, line: i32) -> [i32; 2] {
        [line + self.gap / 2, line - (self.gap - self.gap / 2)]
    }

    fn strength(&self, at: i32) -> f32 {
        let index = usize::try_from(at - self.start).ok();
        *index.and_then(|index| self.strengths.get(index)).unwrap_or(&0.0)
    }
}

/// About [`SUMMED`] places from `start` on, or all if there are not so many. They are not equally far apart, so
/// that they do not always meet the same place of a cell.
fn spread(start: i32, len: u32) -> impl Iterator<Item = usize> {
    let (start, len) = (start as usize, len as usize);
    let step = (len / SUMMED).max(1);
    (0..len / step).map(move |n| start + n * step + n % step)
}

fn followed(profile: &[f32], step: i32) -> Vec<i32> {
    let len = profile.len() as i32;
    let at = |x: i32| {
        if (0..len).contains(&x) { profile[x as usize] } else { 0.0 }
    };
    // Start at the strongest edge near the middle, where the board is sure to be.
    let middle = (len - step) / 2;
    let start = (middle..middle + step)
        .max_by(|&a, &b| at(a).total_cmp(&at(b)).then(b.cmp(&a)))
        .unwrap_or(middle);
    let mut right = follow(&at, start, step, 1, len);
    let mut all = follow(&at, start, step, -1, len);
    all.reverse();
    all.pop();
    all.append(&mut right);
    evened(all)
}

/// The lines evenly spaced, if they nearly are: then what strays by a pixel was led astray by a glyph.
fn evened(lines: Vec<i32>) -> Vec<i32> {
    let count = lines.len() as f64;
    let mean = lines.iter().map(|&line| f64::from(line)).sum::<f64>() / count;
    let middle = (count - 1.0) / 2.0;
    let offset = |number: usize| number as f64 - middle;
    let spread: f64 = (0..lines.len()).map(|number| offset(number).powi(2)).sum();
    let products = lines.iter().enumerate().map(|(n, &line)| offset(n) * (f64::from(line) - mean));
    let pitch = products.sum::<f64>() / spread.max(1.0);
    let even = |number: usize| mean + offset(number) * pitch;
    let nearly = lines.iter().enumerate().all(|(n, &line)| (even(n) - f64::from(line)).abs() < 1.5);
    if nearly {
        (0..lines.len()).map(|number| even(number).round() as i32).collect()
    } else {
        lines
    }
}

/// Follows the cells from `start` to the right (`way` 1) or to the left (-1).
fn follow(at: &impl Fn(i32) -> f32, start: i32, step: i32, way: i32, len: i32) -> Vec<i32> {
    let window = |x: i32| (-step / 2..step - step / 2).map(move |t| at(x + t));
    let inside = |x: i32, index: usize| (1..len - 1).contains(&(x - step / 2 + index as i32));
    let mut mean: Vec<f32> = window(start).collect();
    let mut all = vec![start];
    let mut here = start;
    loop {
        let ahead = here + way * step;
        if ahead < 0 || ahead >= len {
            return all;
        }
        // The step that keeps the pitch wins a tie.
        let (next, _) = [0, -1, 1]
            .map(|drift| {
                let x = ahead + drift;
                // Beyond the ends of the profile nothing can be compared, whatever the drift; with
                // little left to compare the pitch is kept.
                let both = window(x).zip(&mean).enumerate();
                let seen = both.filter(|(index, _)| inside(ahead, *index));
                let (same, count) =
                    seen.fold((0.0, 0), |(same, count), (_, (a, b))| (same + a.min(*b), count + 1));
                (x, if count * 3 > step * 2 { same } else { 0.0 })
            })
            .into_iter()
            .reduce(|best, other| if other.1 > best.1 * CLEARLY { other } else { best })
            .unwrap_or((ahead, 0.0));
        for (mean, value) in mean.iter_mut().zip(window(next)) {
            *mean += 0.25 * (value - *mean);
        }
        here = next;
        all.push(here);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A profile with two edges in every cell: a strong one at its start and a weak one after it.
    fn profile_of(edges: &[i32], len: usize) -> Vec<f32> {
        let mut profile = vec![1.0; len];
        for &x in edges {
            profile[x as usize] = 100.0;
            profile[x as usize + 4] = 60.0;
        }
        profile
    }

    #[test]
    fn columns_of_27_then_26_pixels_are_followed() {
        let edges: Vec<i32> = (0..30).map(|n: i32| 5 + n * 26 + n.min(10)).collect();
        assert_eq!(followed(&profile_of(&edges, 795), 26), edges);
    }

    #[test]
    fn fractional_pitches_are_followed() {
        let edges: Vec<i32> = (0..24).map(|n| 3 + (f64::from(n) * 20.4).round() as i32).collect();
        assert_eq!(followed(&profile_of(&edges, 490), 20), edges);
    }
}
