//! What explains a board: the best hypothesis of the whole of it, and its rivals.

use std::sync::Arc;

use image::RgbImage;

use super::hypothesis::Hypothesis;
use super::noise::INDEPENDENT;
use super::samples::Edges;
use super::scene::Scene;
use super::whole::{Extent, RIVAL, Whole};
use crate::board::{Board, Cell, Pos};
use crate::recognize::skin::Skin;
use crate::recognize::{Lattice, rules};

/// What tells less than this for each cell, in nats, is no board.
const LEAST_EVIDENCE: f32 = 15.0;

/// What explains a board: the best hypothesis, and those that are nearly as good. What they do not agree on is unclear.
#[derive(Clone, Debug)]
pub(crate) struct Sight {
    /// The best one comes first.
    wholes: Vec<Whole>,
}

impl Sight {
    /// What explains a board best of these, and what it shows then; `None` when none does.
    pub(super) fn of(scene: &Scene<'_>, wholes: Vec<Whole>) -> Option<(Self, Board)> {
        let mut wholes: Vec<Whole> =
            wholes.into_iter().flat_map(|whole| whole.finished(scene)).collect();
        wholes.sort_by(|a, b| b.hypothesis.evidence.total_cmp(&a.hypothesis.evidence));
        // What no game looks like explains nothing, and is no rival.
        let mut possible: Vec<(Whole, Board)> =
            wholes.into_iter().filter_map(|whole| whole.possible(scene)).collect();
        possible.sort_by(|(a, _), (b, _)| b.hypothesis.evidence.total_cmp(&a.hypothesis.evidence));
        for (Whole { hypothesis, extent }, _) in &possible {
            let Hypothesis { looks, evidence, view, .. } = hypothesis;
            log::debug!(
                "model: whole {} {:?} {extent:?}: {evidence:.0} nats, variance {:.1}",
                looks.skin.name,
                looks.mood,
                view.noise.variance
            );
        }
        let most = possible.first()?.0.hypothesis.evidence;
        let is_rival = |(whole, board): &(Whole, Board)| {
            most - whole.hypothesis.evidence <= RIVAL * board.cells().len() as f32 * INDEPENDENT
        };
        // Of rivals that comes first which tells most.
        let count = possible.iter().take_while(|possible| is_rival(possible)).count();
        possible[..count].sort_by_key(|(_, board)| rules::strange(board));
        let mut possible = possible.into_iter();
        let (best, mut board) = possible.next()?;
        let evidence = best.hypothesis.evidence;
        let cells = board.cells().len() as f32;
        if evidence < LEAST_EVIDENCE * cells {
            return None;
        }
        let mut wholes = vec![best];
        for (other, theirs) in possible {
            if other.extent_in_pixels() == wholes[0].extent_in_pixels()
                && evidence - other.hypothesis.evidence <= RIVAL * cells * INDEPENDENT
            {
                for at in 0..board.cells().len() {
                    let pos = board.pos(at);
                    board[pos] = agreed(board[pos], theirs[pos]);
                }
                wholes.push(other);
            }
        }
        Some((Self { wholes }, board))
    }

    /// The skin.
    pub(crate) fn skin(&self) -> &Arc<Skin> {
        &self.best().looks.skin
    }

    /// Other skins that explain it as well.
    pub(crate) fn rivals(&self) -> Vec<Arc<Skin>> {
        let mut rivals: Vec<Arc<Skin>> = Vec::new();
        for Whole { hypothesis, .. } in &self.wholes {
            let skin = &hypothesis.looks.skin;
            if rivals.iter().chain([self.skin()]).all(|known| !Arc::ptr_eq(known, skin)) {
                rivals.push(skin.clone());
            }
        }
        rivals
    }

    /// Whether colours are those of the skin.
    pub(crate) fn is_plain(&self) -> bool {
        self.best().view.is_plain()
    }

    /// Pixels between cells.
    pub(crate) fn gap(&self) -> f32 {
        self.best().looks.gap
    }

    /// The same so many pixels farther to the right and down.
    pub(crate) fn moved(&self, dx: i32, dy: i32) -> Self {
        let mut moved = self.clone();
        for whole in &mut moved.wholes {
            whole.hypothesis.grid = whole.hypothesis.grid.moved(dx, dy);
        }
        moved
    }

    /// What cells at these places of the board show in a picture; what is beyond it is unclear.
    pub(crate) fn cells(&self, pixels: &RgbImage, at: &[Pos]) -> Vec<Cell> {
        let scene = Scene::new(pixels);
        let mut wholes = self.wholes.iter().map(|whole| whole.cells(&scene, at));
        let first = wholes.next().unwrap_or_default();
        wholes.fold(first, |cells, theirs| {
            cells.into_iter().zip(theirs).map(|(own, theirs)| agreed(own, theirs)).collect()
        })
    }

    fn best(&self) -> &Hypothesis {
        &self.wholes[0].hypothesis
    }

    /// The evidence of the board, in nats.
    pub(super) fn evidence(&self) -> f32 {
        self.best().evidence
    }

    /// A line beside the board that may as well be one of its own.
    pub(super) fn undecided(&self, scene: &Scene<'_>) -> Option<Extent> {
        self.wholes[0].undecided(scene)
    }

    /// What explains the board with a line beside it that may as well be one of its own, where that explains more.
    pub(super) fn widened(&self, scene: &Scene<'_>) -> Option<(Self, Board)> {
        let whole = self.wholes[0].widened(scene)?;
        Self::of(scene, vec![whole]).filter(|(other, _)| other.evidence() > self.evidence())
    }

    /// Where the cells are, in pixels of the picture.
    pub(super) fn lattice(&self) -> Option<Lattice> {
        let ((left, top), (right, bottom)) = self.wholes[0].extent;
        let grid = &self.best().grid;
        let edges = |edges: &Edges, from: i32, to: i32| -> Vec<i32> {
            (from..=to).map(|number| edges.at(number).round() as i32).collect()
        };
        Lattice::with_edges(edges(&grid.across, left, right), edges(&grid.down, top, bottom))
    }
}

/// What a cell shows that looks so in one explanation, and so in another one.
fn agreed(own: Cell, theirs: Cell) -> Cell {
    if theirs == Cell::Unclear || theirs == own { own } else { Cell::Unclear }
}
