//! A hypothesis of a whole board.

mod cells;
mod extent;

pub(crate) use extent::Beyond;

use std::sync::Arc;

use super::hypothesis::Hypothesis;
use super::looks::{FINE, LOOKS, Looks};
use super::noise::INDEPENDENT;
use super::samples::{Grid, Place};
use super::scene::Scene;
use crate::board::Board;
use crate::recognize::Lattice;
use crate::recognize::skin::{GamePhase, Skin};

/// How often the extent and the view are estimated in turns, or a board explained anew, at most.
pub(super) const ROUNDS: usize = 4;
/// Cells by which a view is estimated.
const SAMPLE: usize = 144;
/// Explanations that are nearer to the best one than this, in nats for each independent value, have to agree with it.
pub(super) const RIVAL: f32 = 0.02;

/// A hypothesis of a whole board.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    pub(super) hypothesis: Hypothesis,
    /// Columns and rows of its grid: the first ones, and the first ones beyond.
    pub(super) extent: Extent,
}

/// From the first column and row to the first ones beyond.
pub(super) type Extent = (Place, Place);

fn cells_of(((left, top), (right, bottom)): Extent) -> Vec<Place> {
    (top..bottom).flat_map(|row| (left..right).map(move |col| (col, row))).collect()
}

/// Some cells of a board, from all of it.
fn sample_of(extent: Extent) -> Vec<Place> {
    let cells = cells_of(extent);
    let stride = (cells.len() / SAMPLE).max(1);
    cells.into_iter().step_by(stride | 1).collect()
}

impl Whole {
    /// The hypothesis of the board around the cells by which it was judged; `None` when none is there.
    pub(super) fn around(scene: &Scene<'_>, hypothesis: &Hypothesis) -> Option<Self> {
        let mut whole = Self { extent: hypothesis.extent(), hypothesis: hypothesis.clone() };
        whole.choose_phase(scene);
        let mut known = None;
        for round in 0..ROUNDS {
            let extent = whole.extended(scene)?;
            let is_same = known == Some(extent);
            whole.extent = extent;
            if is_same && round > 1 {
                break;
            }
            known = Some(extent);
            whole.settle(scene);
        }
        Some(whole)
    }

    /// The hypothesis of a board that is known to reach so far.
    pub(super) fn at(scene: &Scene<'_>, hypothesis: &Hypothesis, extent: Extent) -> Self {
        let mut whole = Self { extent, hypothesis: hypothesis.on(sample_of(extent)) };
        whole.choose_phase(scene);
        whole.settle(scene);
        whole
    }

    /// The hypothesis of a board at these cells in a picture that is as the skin is drawn.
    pub(super) fn as_drawn(scene: &Scene<'_>, lattice: &Lattice, skin: &Arc<Skin>) -> Self {
        Self::in_phase(scene, lattice, skin, None).unwrap_or_else(|| {
            let phases = GamePhase::ALL.into_iter();
            let mut known = phases.filter_map(|phase| Self::in_phase(scene, lattice, skin, phase));
            known.next().expect("a skin has templates")
        })
    }

    /// The same where cells may be off by so much as they are on the whole, in the phase of a game that explains it best.
    pub(super) fn measured(scene: &Scene<'_>, lattice: &Lattice, skin: &Arc<Skin>) -> Self {
        let of_phase = |phase| {
            let mut whole = Self::in_phase(scene, lattice, skin, phase)?;
            let seen = whole.hypothesis.samples(scene);
            whole.hypothesis.weigh(&seen);
            let is_possible = whole.hypothesis.is_possible(&seen);
            Some((is_possible, whole))
        };
        let phases = GamePhase::ALL.into_iter().filter_map(of_phase);
        let best = phases.max_by(|(is, a), (has, b)| {
            is.cmp(has).then(a.hypothesis.evidence.total_cmp(&b.hypothesis.evidence))
        });
        best.map_or_else(|| Self::as_drawn(scene, lattice, skin), |(_, whole)| whole)
    }

    /// The hypothesis of a board at these cells in one phase of a game, in a picture that is as the skin is drawn.
    fn in_phase(
        scene: &Scene<'_>,
        lattice: &Lattice,
        skin: &Arc<Skin>,
        phase: Option<GamePhase>,
    ) -> Option<Self> {
        let extent = ((0, 0), (i32::from(lattice.cols()), i32::from(lattice.rows())));
        let grid = Grid::on(lattice);
        let gap = skin.gap_width() as f32;
        let looks = Arc::new(Looks::new(skin, phase, grid.cell_size(), gap, FINE, usize::MAX)?);
        let places = sample_of(extent);
        let drawn = |grid| Hypothesis::as_drawn(scene, looks.clone(), grid, places.clone());
        let in_pixels = Grid::in_pixels(lattice);
        let is_even = grid == in_pixels;
        let mut hypothesis = drawn(grid);
        if !is_even {
            let in_pixels = drawn(in_pixels);
            if in_pixels.distance(scene) < hypothesis.distance(scene) {
                hypothesis = in_pixels;
            }
        }
        Some(Self { hypothesis: hypothesis.on(cells_of(extent)), extent })
    }

    /// It, and what else its colours may be, with all looks and weighed by all cells.
    pub(super) fn finished(self, scene: &Scene<'_>) -> Vec<Self> {
        let near = self.hypothesis.per_cell() - RIVAL * INDEPENDENT;
        let others = self.hypothesis.in_other_colours(scene, cells_of(self.extent)).into_iter();
        let others = others.filter(|other| other.per_cell() >= near);
        let others = others.map(|hypothesis| Self { hypothesis, ..self }).collect::<Vec<_>>();
        let mut finished = Vec::new();
        for mut whole in others.into_iter().chain([self]) {
            if whole.take_all_looks(scene).is_some() {
                whole.weigh(scene);
                finished.push(whole);
            }
        }
        finished
    }

    /// Estimates anew where cells are and how they look, by those of the whole board.
    fn settle(&mut self, scene: &Scene<'_>) {
        self.hypothesis = self.hypothesis.on(sample_of(self.extent));
        self.hypothesis.align(scene);
        self.hypothesis = self.hypothesis.clone().chosen(scene);
    }

    /// Takes in the looks whose templates are of other sizes.
    fn take_all_looks(&mut self, scene: &Scene<'_>) -> Option<()> {
        let Looks { skin, phase, gap, .. } = &*self.hypothesis.looks;
        let size = self.hypothesis.grid.cell_size();
        let looks = Looks::new(skin, *phase, size, *gap, FINE, usize::MAX)?;
        self.hypothesis = self.hypothesis.with_looks(Arc::new(looks)).chosen(scene);
        Some(())
    }

    /// Weighs all cells of the board.
    fn weigh(&mut self, scene: &Scene<'_>) {
        let mut all = self.hypothesis.on(cells_of(self.extent));
        let seen = all.samples(scene);
        all.weigh(&seen);
        self.hypothesis = all;
    }

    /// Takes the looks of the phase of a game that explain the board best.
    fn choose_phase(&mut self, scene: &Scene<'_>) {
        let seen = self.hypothesis.samples(scene);
        self.hypothesis.weigh(&seen);
        for looks in self.in_other_phases(LOOKS) {
            let other = self.hypothesis.with_looks(Arc::new(looks)).chosen(scene);
            if other.evidence > self.hypothesis.evidence && other.is_possible(&seen) {
                self.hypothesis = other;
            }
        }
    }

    /// What its cells look like in other phases of a game, at most so many looks of each kind.
    fn in_other_phases(&self, most: usize) -> Vec<Looks> {
        let Looks { skin, gap, phase, .. } = &*self.hypothesis.looks;
        let size = self.hypothesis.grid.cell_size();
        let others = GamePhase::ALL.into_iter().filter(|other| other != phase);
        others.filter_map(|other| Looks::new(skin, other, size, *gap, FINE, most)).collect()
    }

    /// It and what the board shows; in another phase of a game, where none looks so in its own; `None` where none does in any.
    pub(super) fn possible(self, scene: &Scene<'_>) -> Option<(Self, Board)> {
        if let Some(possible) = self.ruled(scene) {
            return Some(possible);
        }
        let others = self.in_other_phases(usize::MAX).into_iter().filter_map(|looks| {
            let mut other = self.clone();
            other.hypothesis = other.hypothesis.with_looks(Arc::new(looks));
            other.weigh(scene);
            other.ruled(scene)
        });
        others.max_by(|(a, _), (b, _)| a.hypothesis.evidence.total_cmp(&b.hypothesis.evidence))
    }

    /// It and what the board shows, where some game looks so. A number that the rules forbid is explained by nothing.
    fn ruled(&self, scene: &Scene<'_>) -> Option<(Self, Board)> {
        let (board, forbidden) = self.board(scene)?;
        let mut ruled = self.clone();
        ruled.hypothesis.evidence -= self.evidence_at(scene, &forbidden);
        Some((ruled, board))
    }

    /// The corners of the board, in half cells from the corner of the picture.
    pub(super) fn extent_in_pixels(&self) -> [i32; 4] {
        let grid = &self.hypothesis.grid;
        let ((left, top), (right, bottom)) = self.extent;
        let half = |value: f32, pitch: f32| (2.0 * value / pitch).round() as i32;
        [
            half(grid.across.at(left), grid.across.pitch),
            half(grid.down.at(top), grid.down.pitch),
            half(grid.across.at(right), grid.across.pitch),
            half(grid.down.at(bottom), grid.down.pitch),
        ]
    }
}
