//! Views to start from: which may be near the one at hand, by the colours of a picture.

use super::looks::Looks;
use super::samples::Samples;
use super::view::View;
use crate::board::Cell;

/// Displays multiply colours by no less and no more than this.
const GAINS: std::ops::Range<f32> = 0.2..3.0;
/// Fills that differ less in each channel, in grey levels, are one colour.
const SAME_COLOUR: f32 = 12.0;

/// Views that may be near the one at hand, and whether colours are to be estimated: the plain one, and those that take common
/// colours of the skin to common ones of the picture.
pub(super) fn starts(seen: &Samples, looks: &Looks) -> Vec<(View, bool)> {
    let inside = looks.inside();
    let mean = |planes: &[f32]| -> [f32; 3] {
        std::array::from_fn(|channel| {
            let values = &planes[channel * seen.side * seen.side..];
            inside.iter().map(|&at| values[at]).sum::<f32>() / inside.len() as f32
        })
    };
    let fills: Vec<[f32; 3]> = seen.iter().map(mean).collect();
    let common = commonest(&fills);
    let own = |cell: Cell| {
        looks.looks.iter().find(|look| look.cell == cell).map(|look| mean(&look.features))
    };
    let fill = [Cell::Covered, Cell::open(0), Cell::open(1)].map(own);
    let mut starts = vec![(View::plain(), false), (View::plain(), true), (View::grey(), true)];
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let (Some(a), Some(b)) = (fill[a], fill[b]) else { continue };
        for (i, seen_a) in common.iter().enumerate() {
            for (j, seen_b) in common.iter().enumerate() {
                if i != j {
                    starts.extend(levels_between([a, b], [*seen_a, *seen_b]));
                }
            }
        }
    }
    // The brightest cells and the darkest ones are so in any levels, or the other way round.
    let own: Vec<[f32; 3]> = looks.looks.iter().map(|look| mean(&look.features)).collect();
    if let (Some(own), Some([dark, bright])) = (extremes(&own), extremes(&fills)) {
        starts.extend(levels_between(own, [dark, bright]));
        starts.extend(levels_between(own, [bright, dark]));
    }
    // All that is common may be one kind.
    for own in fill.into_iter().flatten().take(2) {
        for gain in [1.0, -1.0] {
            let summand = std::array::from_fn(|channel| common[0][channel] - gain * own[channel]);
            starts.push((View::levels(gain, summand), true));
        }
    }
    starts
}

/// The view of levels that takes two colours of a skin to two of the picture, and that its colours are to be estimated.
fn levels_between([a, b]: [[f32; 3]; 2], [seen_a, seen_b]: [[f32; 3]; 2]) -> Option<(View, bool)> {
    let (mut across, mut within) = (0.0, 0.0);
    for channel in 0..3 {
        let own = a[channel] - b[channel];
        across += own * (seen_a[channel] - seen_b[channel]);
        within += own * own;
    }
    let gain: f32 = across / within.max(1.0);
    let summand = std::array::from_fn(|channel| {
        (seen_a[channel] + seen_b[channel] - gain * (a[channel] + b[channel])) / 2.0
    });
    GAINS.contains(&gain.abs()).then(|| (View::levels(gain, summand), true))
}

/// The darkest and the brightest colour.
fn extremes(fills: &[[f32; 3]]) -> Option<[[f32; 3]; 2]> {
    let brightness = |fill: &[f32; 3]| fill.iter().sum::<f32>();
    let by_brightness = |a: &&[f32; 3], b: &&[f32; 3]| brightness(a).total_cmp(&brightness(b));
    Some([*fills.iter().min_by(by_brightness)?, *fills.iter().max_by(by_brightness)?])
}

/// The commonest colours, at most three.
fn commonest(fills: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let near =
        |a: &[f32; 3], b: &[f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < SAME_COLOUR);
    let mut groups: Vec<([f32; 3], f32)> = Vec::new();
    for fill in fills {
        match groups.iter_mut().find(|(mean, _)| near(mean, fill)) {
            Some((mean, count)) => {
                *count += 1.0;
                mean.iter_mut().zip(fill).for_each(|(mean, fill)| *mean += (fill - *mean) / *count);
            }
            None => groups.push((*fill, 1.0)),
        }
    }
    groups.sort_by(|a, b| b.1.total_cmp(&a.1));
    groups.into_iter().take(3).map(|(mean, _)| mean).collect()
}
