//! All arrangements of a component at once: a layered graph whose paths are the arrangements.
//!
//! The classes are decided one after the other. A *state* is what the open constraints still lack;
//! all beginnings that lead to the same state have the same continuations, so they are one node of the
//! graph, and what is kept of them is how many there are with each number of mines. This is the
//! transfer-matrix method of statistical physics, or a decision diagram with a counter, and it is the
//! core of the probability engine of David Hill's solver. Its cost follows the constraints that are
//! open at a time, not the length of the frontier.
//!
//! - *Forward* weights: for each state, and each number of mines so far, the beginnings that lead there.
//! - *Backward* weights: for each state, and each number of mines to come, the continuations.
//!
//! A class of n cells with k mines counts C(n, k) times, so weights are numbers of arrangements. They
//! are kept as `f64` and never scaled while the component has at most [`SAFE_CELLS`] cells: then none
//! exceeds 2^1000, and none that is not 0 is below 1, so a weight is 0 exactly when there is no
//! arrangement. That makes proofs of them, in spite of rounding. No sum is ever subtracted from.
//!
//! When the budget is spent, layers are thinned to [`THINNED`] states: the heavy ones stay, of the light
//! ones some are drawn and made heavier, so that every sum keeps its expectation (Fearnhead and
//! Clifford's optimal resampling, 2003). What comes out is a sample, and says so: [`Diagram::is_exact`].

use std::mem;

use num_bigint::BigUint;

use super::order::Step;
use super::thinning::Thinning;
use crate::solver::Budget;

/// Cells of a component up to which its weights need no scaling.
pub(super) const SAFE_CELLS: usize = 1000;

/// States that are left of a layer when it is thinned.
const THINNED: usize = 1 << 10;

/// States of a component before its layers are thinned even if the budget would allow more: it bounds
/// the memory.
const MOST_STATES: usize = 1 << 18;

/// Weights that a position may take, besides those that its budget pays for, before what is left of it is given up: it
/// bounds time and memory where even thinned layers are too many. No board of a usual size comes near it.
pub(super) const MOST_WEIGHTS: usize = 1 << 25;

/// So many weights more of a state cost a node more.
const WEIGHTS_A_NODE: u32 = 128;

/// What a mine more costs a state when it is weighed against others for thinning.
const TILT: f64 = 0.25;

/// A weight above which those of the whole layer are scaled down, when the component is large.
const HEAVY: f64 = scale_of(800);
/// The scale, and its binary logarithm.
const LIGHTER: f64 = scale_of(-600);
const LIGHTER_BITS: i32 = 600;

const fn scale_of(bits: i64) -> f64 {
    f64::from_bits(((bits + 1023) as u64) << 52)
}

/// The binomial coefficients C(n, k) for n and k up to 8.
pub(super) const BINOMIAL: [[f64; 9]; 9] = {
    let mut rows = [[0.0; 9]; 9];
    let mut n = 0;
    while n < 9 {
        rows[n][0] = 1.0;
        let mut k = 1;
        while k <= n {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    rows
};

/// A run of weights by number of mines, in one of the lists of weights.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    at: u32,
    len: u32,
    /// Mines of the first weight.
    least: u32,
}

impl Span {
    fn range(self) -> std::ops::Range<usize> {
        self.at as usize..(self.at + self.len) as usize
    }

    /// Widens the span, of which only `least` and `len` are known so far, to hold all of `other`
    /// with `mines` more.
    fn cover(&mut self, other: Span, mines: u32) {
        let (least, end) = (other.least + mines, other.least + mines + other.len);
        if self.len == 0 {
            (self.least, self.len) = (least, other.len);
        } else {
            let end = end.max(self.least + self.len);
            self.least = self.least.min(least);
            self.len = end - self.least;
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// What each open constraint lacks.
    lacks: u128,
    forward: Span,
    backward: Span,
    /// What thinning and scaling multiply the weights by; 0 when the state was dropped.
    factor: f64,
    /// The first of its edges; one for each number of mines from `fewest` on.
    edges: u32,
    fewest: u8,
    edge_count: u8,
}

/// The graph of one component. Kept and used again, so that it rarely allocates.
#[derive(Clone, Debug, Default)]
pub(super) struct Diagram {
    /// Where each layer's states begin; there is one layer more than steps.
    layers: Vec<u32>,
    states: Vec<State>,
    /// The states that edges lead to.
    edges: Vec<u32>,
    forward: Vec<f64>,
    backward: Vec<f64>,
    index: Index,
    thinning: Thinning,
    /// All weights together were scaled by 2^-exponent.
    pub exponent: i32,
    /// Whether nothing was thinned, scaled or given up.
    pub is_exact: bool,
    /// Weights since [`Diagram::begin`] that no budget paid for.
    unpaid: usize,
}

impl Diagram {
    /// A position begins: [`MOST_WEIGHTS`] counts anew.
    pub fn begin(&mut self) {
        self.unpaid = 0;
    }

    /// Builds the graph and its forward weights. One state that is expanded is one node of `budget`, or more if it has
    /// many weights. A graph that is given up has no [ends](Diagram::ends).
    pub fn build(&mut self, steps: &[Step], budget: &mut Budget) {
        self.layers.clear();
        self.states.clear();
        self.edges.clear();
        self.forward.clear();
        self.exponent = 0;
        self.is_exact = true;
        let cells: usize = steps.iter().map(|step| usize::from(step.size)).sum();
        let mut thins = false;
        self.layers.push(0);
        let start = Span { at: 0, len: 1, least: 0 };
        self.states.push(State::new(0));
        self.states[0].forward = start;
        self.forward.push(1.0);
        for step in steps {
            let here = *self.layers.last().unwrap_or(&0) as usize..self.states.len();
            self.layers.push(here.end as u32);
            self.index.begin(here.end);
            for state in here.clone() {
                let nodes = 1 + u64::from(self.states[state].forward.len / WEIGHTS_A_NODE);
                thins = thins || state >= MOST_STATES || !budget.spend_many(nodes);
                self.expand(state, step);
            }
            let weights: usize =
                self.states[here.end..].iter().map(|state| state.forward.len as usize).sum();
            if thins {
                self.unpaid += weights;
                if self.unpaid > MOST_WEIGHTS {
                    self.is_exact = false;
                    self.states.clear();
                    self.layers.clear();
                    return;
                }
            }
            self.weigh(here.clone(), step);
            let layer = here.end..self.states.len();
            if cells > SAFE_CELLS {
                self.lighten(layer.clone());
            }
            if thins && layer.len() > THINNED {
                self.is_exact = false;
                self.thin(layer);
            }
        }
    }

    fn expand(&mut self, index: usize, step: &Step) {
        let state = &mut self.states[index];
        if state.factor == 0.0 {
            return;
        }
        let lacks = state.lacks + step.opened;
        let forward = state.forward;
        let (fewest, most) = step.range(lacks);
        state.edges = self.edges.len() as u32;
        state.fewest = fewest;
        state.edge_count = (most + 1).saturating_sub(fewest);
        for mines in fewest..=most {
            let to = self.index.find(lacks - u128::from(mines) * step.mine, &mut self.states);
            self.states[to as usize].forward.cover(forward, u32::from(mines));
            self.edges.push(to);
        }
    }

    /// The forward weights of the layer after `here`.
    fn weigh(&mut self, here: std::ops::Range<usize>, step: &Step) {
        let begin = self.forward.len();
        let mut end = begin;
        for state in &mut self.states[here.end..] {
            state.forward.at = end as u32;
            end += state.forward.len as usize;
        }
        self.forward.resize(end, 0.0);
        let (old, new) = self.forward.split_at_mut(begin);
        for state in &self.states[here] {
            let from = &old[state.forward.range()];
            for (mines, to) in state.edges(&self.edges) {
                let to = self.states[to].forward;
                let shift = state.forward.least + u32::from(mines) - to.least;
                let at = (to.at + shift) as usize - begin;
                let ways = BINOMIAL[usize::from(step.size)][usize::from(mines)];
                for (to, from) in new[at..at + from.len()].iter_mut().zip(from) {
                    *to += ways * from;
                }
            }
        }
    }

    /// Scales a layer down when one of its weights is heavy.
    fn lighten(&mut self, layer: std::ops::Range<usize>) {
        let Some(first) = self.states.get(layer.start) else { return };
        let weights = &mut self.forward[first.forward.at as usize..];
        if weights.iter().any(|&weight| weight > HEAVY) {
            weights.iter_mut().for_each(|weight| *weight *= LIGHTER);
            self.states[layer].iter_mut().for_each(|state| state.factor *= LIGHTER);
            self.exponent += LIGHTER_BITS;
            self.is_exact = false;
        }
    }

    /// Drops states of a layer until [`THINNED`] are left, and makes others heavier for it.
    fn thin(&mut self, layer: std::ops::Range<usize>) {
        let Self { states, forward, thinning, .. } = self;
        // Which of two states is likelier to be needed depends on the mines that are left for the
        // rest of the board: each of them costs about as much as at the density of an Expert board.
        let weight = |state: &State| {
            let weights = &forward[state.forward.range()];
            let tilted = |sum: f64, weight: &f64| sum * TILT + weight;
            let mut scale = 1.0;
            for _ in 0..state.forward.least.min(400) {
                scale *= TILT;
            }
            scale * weights.iter().rev().fold(0.0, tilted)
        };
        let seed = states[layer.clone()].iter().fold(0, |seed, state| seed ^ state.lacks as u64);
        let weights = states[layer.clone()].iter().map(weight);
        let factors = thinning.factors(weights, THINNED, seed);
        for (state, &factor) in states[layer].iter_mut().zip(factors) {
            state.factor *= factor;
            forward[state.forward.range()].iter_mut().for_each(|weight| *weight *= factor);
        }
    }

    /// The last states with the fewest mines of their forward weights, and these: without a tally just
    /// one, or none when there is no arrangement.
    pub fn ends(&self) -> impl Iterator<Item = (u128, u32, &[f64])> {
        let last = self.layers.last().map_or(0, |&first| first as usize);
        self.states[last..]
            .iter()
            .map(|state| (state.lacks, state.forward.least, &self.forward[state.forward.range()]))
    }

    /// The backward weights of all states.
    pub fn build_backward(&mut self, steps: &[Step]) {
        self.backward.clear();
        self.backward.push(1.0);
        let last = steps.len();
        for state in &mut self.states[self.layers[last] as usize..] {
            state.backward = Span { at: 0, len: 1, least: 0 };
        }
        for (layer, step) in steps.iter().enumerate().rev() {
            let (here, next) = (self.layers[layer] as usize, self.layers[layer + 1] as usize);
            let (before, after) = self.states.split_at_mut(next);
            for state in &mut before[here..] {
                let mut span = Span::default();
                for (mines, to) in state.edges(&self.edges) {
                    let to = after[to - next].backward;
                    if to.len > 0 {
                        span.cover(to, u32::from(mines));
                    }
                }
                span.at = self.backward.len() as u32;
                self.backward.resize(self.backward.len() + span.len as usize, 0.0);
                let (old, new) = self.backward.split_at_mut(span.at as usize);
                for (mines, to) in state.edges(&self.edges) {
                    let to = after[to - next].backward;
                    if to.len == 0 {
                        continue;
                    }
                    let from = &old[to.range()];
                    let shift = (to.least + u32::from(mines) - span.least) as usize;
                    let ways = BINOMIAL[usize::from(step.size)][usize::from(mines)] * state.factor;
                    for (to, from) in new[shift..shift + from.len()].iter_mut().zip(from) {
                        *to += ways * from;
                    }
                }
                state.backward = span;
            }
        }
    }

    /// Adds up, for the class of each step, in how many arrangements with how many mines one of its cells
    /// is a mine, and in how many it is not: `len` numbers each, from `least` mines of the component on,
    /// one after the other in `table`. [`Diagram::build_backward`] comes first.
    pub fn tabulate(&self, steps: &[Step], least: u32, len: usize, table: &mut Vec<f64>) {
        table.clear();
        table.resize(steps.len() * 2 * len, 0.0);
        for (layer, step) in steps.iter().enumerate() {
            let (mined, clear) = table[layer * 2 * len..(layer + 1) * 2 * len].split_at_mut(len);
            let here = self.layers[layer] as usize..self.layers[layer + 1] as usize;
            for state in &self.states[here] {
                for (mines, to) in state.edges(&self.edges) {
                    let to = self.states[to].backward;
                    let after = &self.backward[to.range()];
                    // One cell apart, the others hold one mine less, or all of them.
                    let others = &BINOMIAL[usize::from(step.size) - 1];
                    let (ways_mined, ways_clear) = (
                        mines.checked_sub(1).map_or(0.0, |rest| others[usize::from(rest)]),
                        others[usize::from(mines)],
                    );
                    let first = (state.forward.least + u32::from(mines) + to.least)
                        .wrapping_sub(least) as usize;
                    for (index, before) in self.forward[state.forward.range()].iter().enumerate() {
                        let at = first + index;
                        for (sums, ways) in [(&mut *mined, ways_mined), (&mut *clear, ways_clear)] {
                            if ways > 0.0 && !after.is_empty() {
                                let weight = before * ways;
                                for (sum, after) in sums[at..at + after.len()].iter_mut().zip(after)
                                {
                                    *sum += weight * after;
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The ways on from a state when so many mines are still to come: for each number of mines in the
    /// next class the state that follows and the backward weight, ways within the class included.
    /// [`Diagram::build_backward`] comes first; the first state is 0.
    pub fn ways_on(
        &self,
        state: usize,
        step: &Step,
        mines: u32,
    ) -> impl Iterator<Item = (u8, usize, f64)> {
        let ways = &BINOMIAL[usize::from(step.size)];
        self.states[state].edges(&self.edges).filter_map(move |(here, to)| {
            let Span { at, len, least } = self.states[to].backward;
            let later = mines.checked_sub(u32::from(here) + least).filter(|&later| later < len)?;
            Some((here, to, ways[usize::from(here)] * self.backward[(at + later) as usize]))
        })
    }

    /// The number of arrangements by mines, from the fewest that are possible on, without rounding.
    pub fn count(&self, steps: &[Step]) -> Vec<BigUint> {
        let mut counts: Vec<Vec<BigUint>> = vec![Vec::new(); self.states.len()];
        counts[0].push(BigUint::from(1u8));
        for (layer, step) in steps.iter().enumerate() {
            for state in self.layers[layer] as usize..self.layers[layer + 1] as usize {
                let from = mem::take(&mut counts[state]);
                let span = self.states[state].forward;
                for (mines, to) in self.states[state].edges(&self.edges) {
                    let ways = BINOMIAL[usize::from(step.size)][usize::from(mines)] as u32;
                    let shift = span.least + u32::from(mines) - self.states[to].forward.least;
                    counts[to].resize(self.states[to].forward.len as usize, BigUint::ZERO);
                    for (to, from) in counts[to][shift as usize..].iter_mut().zip(&from) {
                        *to += from * ways;
                    }
                }
            }
        }
        let end = self.layers[steps.len()] as usize;
        counts.into_iter().nth(end).unwrap_or_default()
    }
}

impl State {
    fn new(lacks: u128) -> Self {
        let none = Span::default();
        Self {
            lacks,
            forward: none,
            backward: none,
            factor: 1.0,
            edges: 0,
            fewest: 0,
            edge_count: 0,
        }
    }

    /// Mines and state of each edge.
    fn edges(&self, edges: &[u32]) -> impl Iterator<Item = (u8, usize)> {
        let first = self.edges as usize;
        let own = &edges[first..first + usize::from(self.edge_count)];
        (self.fewest..).zip(own.iter().map(|&to| to as usize))
    }
}

/// Finds states of a layer by what they lack: a hash table with linear probing.
///
/// It is never cleared: an entry is a running number of all states that it ever saw, and those from before
/// the layer began count as empty.
#[derive(Clone, Debug, Default)]
struct Index {
    entries: Vec<u64>,
    /// The running number of the first state of the diagram, and of the layer.
    base: u64,
    layer: u64,
    /// The running number that the next diagram begins with.
    next: u64,
}

impl Index {
    /// A layer begins with the state `first`; a first one is the only state of its diagram's first layer.
    fn begin(&mut self, first: usize) {
        if first == 1 {
            self.base = self.next.max(1);
        }
        self.layer = self.base + first as u64;
        self.next = self.layer;
    }

    /// The state that lacks `lacks`; a new one if there is none.
    fn find(&mut self, lacks: u128, states: &mut Vec<State>) -> u32 {
        let number = self.base + states.len() as u64;
        if (number - self.layer) as usize * 2 >= self.entries.len() {
            self.grow(states);
        }
        let mask = self.entries.len() - 1;
        let mut at = hash(lacks) & mask;
        while self.entries[at] >= self.layer {
            let index = (self.entries[at] - self.base) as usize;
            if states[index].lacks == lacks {
                return index as u32;
            }
            at = (at + 1) & mask;
        }
        self.entries[at] = number;
        self.next = number + 1;
        states.push(State::new(lacks));
        (states.len() - 1) as u32
    }

    fn grow(&mut self, states: &[State]) {
        let size = (self.entries.len() * 2).max(64);
        self.entries.clear();
        self.entries.resize(size, 0);
        for number in self.layer..self.base + states.len() as u64 {
            let mut at = hash(states[(number - self.base) as usize].lacks) & (size - 1);
            while self.entries[at] >= self.layer {
                at = (at + 1) & (size - 1);
            }
            self.entries[at] = number;
        }
    }
}

/// Fibonacci hashing of both halves.
fn hash(lacks: u128) -> usize {
    let folded = lacks as u64 ^ ((lacks >> 64) as u64).rotate_left(32);
    (folded.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
}
