//! What became of a window's colours between the game and the picture.
//!
//! A dimmed display, a filter for the evening, inverted colours or another contrast change every colour of a channel
//! in the same way: by a factor and a summand. Both are estimated from the cells at hand, beside what their nearest
//! templates show, and the templates are brought to these levels before cells are compared with them. Levels are
//! taken only where they explain the cells much better than the colours of the skin itself do.

use image::Rgb;

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
/// Other levels than the usual ones must bring the cells nearer than those, to this share of the distance.
const HARDLY: f32 = 0.9;
/// Levels are nearly as likely as the best if they bring the cells as near but for this share of the distance …
const NEARLY_SHARE: f32 = 1.5;
/// … and this many grey levels.
const NEARLY: f32 = 1.0;
/// Levels that turn no value into ones that differ more, in grey levels, are the same.
const ALIKE: f32 = 6.0;
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
    pub(crate) const USUAL: [Levels; 6] = [
        Levels { gain: [-1.0; 3], offset: [255.0; 3] },
        Levels { gain: [0.8; 3], offset: [0.0; 3] },
        Levels { gain: [1.2; 3], offset: [0.0; 3] },
        Levels { gain: [1.0, 1.0, 0.6], offset: [0.0; 3] },
        Levels { gain: [0.8; 3], offset: [25.6; 3] },
        Levels { gain: [1.2; 3], offset: [-25.6; 3] },
    ];

    /// What became of `value` in a channel.
    pub(crate) fn apply(&self, channel: usize, value: f32) -> f32 {
        (self.gain[channel] * value + self.offset[channel]).clamp(0.0, 255.0)
    }

    /// What became of it in a picture of these levels was this colour.
    pub(crate) fn undone(&self, colour: Rgb<u8>) -> Rgb<u8> {
        let own = |channel: usize| {
            (f32::from(colour.0[channel]) - self.offset[channel]) / self.gain[channel]
        };
        Rgb(std::array::from_fn(|channel| own(channel).clamp(0.0, 255.0) as u8))
    }

    /// The levels that a picture whose cells are `patches` may have, the likeliest ones first: those of the skin unless
    /// others fit much better, then all that fit nearly as well as the best.
    pub(crate) fn estimate(matcher: &Matcher, patches: &[&Patch]) -> Vec<Levels> {
        // What scaling did to the drawing says nothing of the levels.
        let softened: Vec<Patch> = sample(patches).into_iter().map(Patch::softened).collect();
        let (sample, matcher) = (softened.iter().collect::<Vec<_>>(), &matcher.softened());
        if sample.is_empty() {
            return vec![Levels::AS_DRAWN];
        }
        let mut tried: Vec<(f32, Levels)> = Vec::new();
        for start in [Levels::AS_DRAWN].into_iter().chain(Levels::USUAL) {
            for mood in matcher.moods() {
                let mut seen = matcher.seen_in(&start);
                if start == Levels::AS_DRAWN || may_be(mood, &seen, &sample) {
                    tried.push((misfit(&seen, &sample, mood), start));
                }
                let mut levels = start;
                for _ in 0..ROUNDS {
                    let Some(refined) = fit(matcher, &seen, &sample, mood, &start) else { break };
                    levels = refined;
                    seen = matcher.seen_in(&levels);
                }
                if levels.is_possible() && may_be(mood, &seen, &sample) {
                    // What displays usually do is likelier than what fits hardly better.
                    tried.push((misfit(&seen, &sample, mood) / HARDLY, levels));
                }
            }
        }
        let is_drawn = |(_, levels): &&(f32, Levels)| *levels == Levels::AS_DRAWN;
        let as_drawn = tried.iter().filter(is_drawn).map(|(cost, _)| *cost);
        let least = as_drawn.fold(f32::MAX, f32::min);
        tried.sort_by(|a, b| a.0.total_cmp(&b.0));
        let best = tried[0].0;
        let much = best < BETTER_SHARE * least && best < least - BETTER;
        let mut likely = if much { Vec::new() } else { vec![Levels::AS_DRAWN] };
        for (cost, levels) in tried {
            let is_near = cost <= NEARLY_SHARE * best + NEARLY;
            if is_near && likely.iter().all(|known| known.differs(&levels)) {
                likely.push(levels);
            }
        }
        likely
    }

    /// Whether some colour is not nearly the same in both.
    fn differs(&self, other: &Levels) -> bool {
        let apart = |channel, value| self.apply(channel, value) - other.apply(channel, value);
        (0..3).any(|channel| [0.0, 128.0, 255.0].iter().any(|&v| apart(channel, v).abs() > ALIKE))
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

/// Whether a game that shows these cells may be in this mood. Other colours may look like those of a lost game, but that
/// shows a mine.
fn may_be(mood: Option<Mood>, matcher: &Matcher, sample: &[&Patch]) -> bool {
    mood != Some(Mood::Lost) || sample.iter().any(|patch| matcher.compare(patch, mood).is_mine())
}

/// The mean distance of the cells that fit best, in grey levels.
fn misfit(matcher: &Matcher, sample: &[&Patch], mood: Option<Mood>) -> f32 {
    let limit = 2.0 * FAR;
    let distances = sample.iter().map(|patch| matcher.compare(patch, mood).distance.min(limit));
    mean_of_nearest(distances.collect())
}

/// The levels that bring the templates which `seen` finds nearest closest to the cells; what the cells do not tell is as
/// in `start`.
fn fit(
    matcher: &Matcher,
    seen: &Matcher,
    sample: &[&Patch],
    mood: Option<Mood>,
    start: &Levels,
) -> Option<Levels> {
    let pairs = sample.iter().filter_map(|patch| {
        let (look, distance) = seen.nearest_look(patch, mood)?;
        let look = matcher.patch(look);
        let fill = std::array::from_fn(|channel| (patch.fill(channel), look.fill(channel)));
        let ink = std::array::from_fn(|channel| look.ink_products(patch, channel));
        Some(Pair { distance, fill, ink })
    });
    nearest(pairs.collect(), start)
}

/// The mean of those distances that are the least.
fn mean_of_nearest(mut distances: Vec<f32>) -> f32 {
    distances.sort_by(f32::total_cmp);
    distances.truncate(((distances.len() as f32 * KEPT) as usize).max(1));
    distances.iter().sum::<f32>() / distances.len() as f32
}

/// A cell and what it is taken for.
struct Pair {
    /// How far they are from each other.
    distance: f32,
    /// The means of each channel: the cell's and the template's.
    fill: [(f32, f32); 3],
    /// For each channel the mean product of both inks, and the mean square of the template's.
    ink: [(f32, f32); 3],
}

/// The levels that bring the templates closest to the cells, by least squares, but for the pairs that fit worst.
fn nearest(mut pairs: Vec<Pair>, start: &Levels) -> Option<Levels> {
    pairs.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    let kept = ((pairs.len() as f32 * KEPT) as usize).max(1);
    pairs.truncate(kept);
    let mut levels = *start;
    let count = pairs.len() as f32;
    for channel in 0..3 {
        let seen = pairs.iter().map(|pair| pair.fill[channel].0).sum::<f32>() / count;
        let drawn = pairs.iter().map(|pair| pair.fill[channel].1).sum::<f32>() / count;
        let (mut both, mut own) = (0.0, 0.0);
        for Pair { fill, ink, .. } in &pairs {
            let (cell, look) = fill[channel];
            let (ink_both, ink_own) = ink[channel];
            both += (cell - seen) * (look - drawn) + INK_WEIGHT * ink_both;
            own += (look - drawn).powi(2) + INK_WEIGHT * ink_own;
        }
        let known = SPREAD * SPREAD;
        let (both, own) = (both / count, own / count);
        let gain = (both + known * start.gain[channel]) / (own + known);
        levels.gain[channel] = gain;
        levels.offset[channel] = seen - gain * drawn;
    }
    (!pairs.is_empty()).then_some(levels)
}
