//! What became of a window's colours between the game and the picture.
//!
//! A dimmed display, a filter for the evening, inverted colours or another contrast change every colour of a channel
//! in the same way: by a factor and a summand. Both are estimated from the cells at hand, beside what their nearest
//! templates show, and the templates are brought to these levels before cells are compared with them. Levels are
//! taken only where they explain the cells much better than the colours of the skin itself do.

use super::matcher::{FAR, Matcher};
use super::patch::Patch;
use super::skin::Mood;

/// Cells that levels are estimated from, at most.
const SAMPLED: usize = 48;
/// Of these, so many are chosen for being unlike the others.
const UNLIKE: usize = 16;
/// How often templates are chosen anew for the levels found so far.
const ROUNDS: usize = 4;
/// The share of the cells that is kept in each round: some may be hidden.
const KEPT: f32 = 0.75;
/// What is drawn on a cell counts so much beside its fill: scaling takes contrast from it.
const INK_WEIGHT: f32 = 0.25;
/// Cells that spread less than this, in grey levels, say little of the factor.
const SPREAD: f32 = 8.0;
/// Levels must bring the cells nearer to their templates by this many grey levels …
const BETTER: f32 = 1.5;
/// … and to this share of the distance.
const BETTER_SHARE: f32 = 0.7;
/// No display multiplies its colours by less or more.
const GAINS: std::ops::RangeInclusive<f32> = 0.45..=1.7;

/// For each channel the factor and the summand that lead from the colours of a skin to those in a picture.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Levels {
    gain: [f32; 3],
    offset: [f32; 3],
}

impl Levels {
    /// The colours of the skin.
    pub(crate) const AS_DRAWN: Levels = Levels { gain: [1.0; 3], offset: [0.0; 3] };

    /// What is tried first: displays do these things, and from here the rest is found.
    pub(crate) const USUAL: [Levels; 4] = [
        Levels { gain: [-1.0; 3], offset: [255.0; 3] },
        Levels { gain: [0.8; 3], offset: [0.0; 3] },
        Levels { gain: [1.2; 3], offset: [0.0; 3] },
        Levels { gain: [1.0, 1.0, 0.6], offset: [0.0; 3] },
    ];

    /// What became of `value` in a channel.
    pub(crate) fn apply(&self, channel: usize, value: f32) -> f32 {
        (self.gain[channel] * value + self.offset[channel]).clamp(0.0, 255.0)
    }

    /// The levels of a picture whose cells are `patches`; [`Levels::AS_DRAWN`] unless others fit much better.
    pub(crate) fn estimate(matcher: &Matcher, patches: &[&Patch]) -> Levels {
        // What scaling did to the drawing says nothing of the levels.
        let softened: Vec<Patch> = sample(patches).into_iter().map(Patch::softened).collect();
        let (sample, matcher) = (softened.iter().collect::<Vec<_>>(), &matcher.softened());
        if sample.is_empty() {
            return Levels::AS_DRAWN;
        }
        let as_drawn = matcher.moods().into_iter().map(|mood| misfit(matcher, &sample, mood));
        let least = as_drawn.fold(f32::MAX, f32::min);
        let mut best = (least, Levels::AS_DRAWN);
        for start in [Levels::AS_DRAWN].into_iter().chain(Levels::USUAL) {
            for mood in matcher.moods() {
                let mut levels = start;
                for _ in 0..ROUNDS {
                    let seen = matcher.seen_in(&levels);
                    let Some(refined) = fit(matcher, &seen, &sample, mood, &start) else { break };
                    levels = refined;
                }
                let cost = misfit(&matcher.seen_in(&levels), &sample, mood);
                if levels.is_possible() && cost < best.0 {
                    best = (cost, levels);
                }
            }
        }
        let much = best.0 < BETTER_SHARE * least && best.0 < least - BETTER;
        if much { best.1 } else { Levels::AS_DRAWN }
    }

    fn is_possible(&self) -> bool {
        let same = self.gain.iter().all(|gain| gain.signum() == self.gain[0].signum());
        same && self.gain.iter().all(|gain| GAINS.contains(&gain.abs()))
    }
}

/// Some of the cells: those most unlike each other, and others evenly spread over the board.
fn sample<'a>(patches: &[&'a Patch]) -> Vec<&'a Patch> {
    let Some(&first) = patches.first() else { return Vec::new() };
    let mut sample = vec![first];
    let mut apart: Vec<f32> = patches.iter().map(|patch| patch.distance(first, 1.0)).collect();
    while sample.len() < UNLIKE.min(patches.len()) {
        let far = (0..patches.len()).max_by(|&a, &b| apart[a].total_cmp(&apart[b]));
        let Some(next) = far.map(|at| patches[at]) else { break };
        for (apart, patch) in apart.iter_mut().zip(patches) {
            *apart = apart.min(patch.distance(next, 1.0));
        }
        sample.push(next);
    }
    let step = (patches.len() / (SAMPLED - UNLIKE)).max(1);
    sample.extend(patches.iter().step_by(step).take(SAMPLED - UNLIKE));
    sample
}

/// The mean distance of the cells that fit best, in grey levels.
fn misfit(matcher: &Matcher, sample: &[&Patch], mood: Option<Mood>) -> f32 {
    let limit = 2.0 * FAR;
    let mut distances: Vec<f32> =
        sample.iter().map(|patch| matcher.compare(patch, mood).distance.min(limit)).collect();
    distances.sort_by(f32::total_cmp);
    let kept = ((distances.len() as f32 * KEPT) as usize).max(1);
    distances[..kept].iter().sum::<f32>() / kept as f32
}

/// The levels that bring the templates which `seen` finds nearest closest to the cells, by least squares; what the
/// cells do not tell is as in `start`.
fn fit(
    matcher: &Matcher,
    seen: &Matcher,
    sample: &[&Patch],
    mood: Option<Mood>,
    start: &Levels,
) -> Option<Levels> {
    let nearest = sample.iter().filter_map(|patch| {
        let (look, distance) = seen.nearest_look(patch, mood)?;
        Some((distance, *patch, matcher.patch(look)))
    });
    let mut pairs: Vec<(f32, &Patch, &Patch)> = nearest.collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let kept = ((pairs.len() as f32 * KEPT) as usize).max(1);
    pairs.truncate(kept);
    let mut levels = *start;
    for channel in 0..3 {
        let count = pairs.len() as f32;
        let mean = |of: fn(&(f32, &Patch, &Patch), usize) -> f32| {
            pairs.iter().map(|pair| of(pair, channel)).sum::<f32>() / count
        };
        let seen = mean(|pair, channel| pair.1.fill(channel));
        let drawn = mean(|pair, channel| pair.2.fill(channel));
        let (mut both, mut own) = (0.0, 0.0);
        for (_, cell, look) in &pairs {
            let spread = look.fill(channel) - drawn;
            let (ink_both, ink_own) = look.ink_products(cell, channel);
            both += (cell.fill(channel) - seen) * spread + INK_WEIGHT * ink_both;
            own += spread * spread + INK_WEIGHT * ink_own;
        }
        let known = SPREAD * SPREAD;
        let (both, own) = (both / count, own / count);
        let gain = (both + known * start.gain[channel]) / (own + known);
        levels.gain[channel] = gain;
        levels.offset[channel] = seen - gain * drawn;
    }
    (!pairs.is_empty()).then_some(levels)
}
