//! Clusters of cells that look alike: patches that differ little are one cluster, whatever it means. Elsewhere a cluster
//! is also called a look.

use crate::geometry::Rect;
use crate::recognize::detect::patch::{Patch, SIDE};
use crate::recognize::detect::square::{Samplers, Square};

/// Patches that differ more than this, in grey levels, are in two clusters. It is little: one kind of cell may
/// have several clusters, but one cluster must not have two meanings.
const SAME_CLUSTER_WITHIN: f32 = 6.0;
/// Opened cells in dark themes are in two clusters if they differ by more than this share of their contrast, …
const SAME_CLUSTER_SHARE_OF_CONTRAST: f32 = 0.3;
/// … and more than this, in grey levels: a background may shine through.
const SAME_CLUSTER_AT_LEAST: f32 = 3.0;
/// Cells that differ less than this, in grey levels, may show the same, drawn otherwise beside other cells.
const NEARLY_SAME_WITHIN: f32 = 15.0;
/// A cell whose picture differs more than this from the one before, in grey levels, has changed.
const CHANGED_BEYOND: f32 = 1.5;
/// Patches that are kept of each cluster, at most.
const PATCHES_PER_CLUSTER: usize = 4;

/// A cell as it is compared with others.
#[derive(Clone, Debug)]
pub(crate) struct CellPatch {
    whole: Patch,
    /// The middle of a cell that is so large that nothing is lost of it there. A small sign is hardly anything of the whole.
    middle: Option<Patch>,
}

impl CellPatch {
    /// The patch of the cell at `cell`, `gap` pixels between two cells; `None` when it reaches beyond the picture.
    pub(crate) fn take(samplers: &mut Samplers<'_>, cell: Rect, gap: u32) -> Option<Self> {
        let square = Square::of(cell, gap);
        let side = square.side / 2;
        let aside = ((square.side - side) / 2) as i32;
        let middle = Square { x: square.x + aside, y: square.y + aside, side };
        Some(Self {
            whole: samplers.take_square(square)?,
            middle: samplers.take_square(middle).filter(|_| side as usize >= SIDE),
        })
    }

    /// How different two cells look, in grey levels, where that is more: on the whole, or in the middle.
    pub(crate) fn distance(&self, other: &Self, fill_weight: f32) -> f32 {
        let whole = self.whole.distance(&other.whole, fill_weight);
        let middle = self.middle.as_ref().zip(other.middle.as_ref());
        middle.map_or(whole, |(one, other)| whole.max(one.distance(other, fill_weight)))
    }
}

/// A cluster, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cluster(pub(super) usize);

/// All clusters of opened cells that were seen so far.
#[derive(Clone, Debug)]
pub(crate) struct Clusters {
    fill_weight: f32,
    known: Vec<Vec<CellPatch>>,
}

impl Clusters {
    /// No clusters; a difference of the fill counts with this weight.
    pub(crate) fn new(fill_weight: f32) -> Self {
        Self { fill_weight, known: Vec::new() }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    /// The cluster of `patch`; a new one if it is like no known one.
    pub(crate) fn of(&mut self, patch: &CellPatch) -> Cluster {
        if let Some(cluster) = self.known(patch) {
            let patches = &mut self.known[cluster.0];
            // What is a little different helps to know the next one.
            let distance = nearest(patches, patch, self.fill_weight);
            if distance > alike_within(patch) / 2.0 && patches.len() < PATCHES_PER_CLUSTER {
                patches.push(patch.clone());
            }
            return cluster;
        }
        self.known.push(vec![patch.clone()]);
        Cluster(self.known.len() - 1)
    }

    /// The known cluster of `patch`.
    pub(crate) fn known(&self, patch: &CellPatch) -> Option<Cluster> {
        let distances = self.known.iter().map(|cluster| nearest(cluster, patch, self.fill_weight));
        let (cluster, distance) = distances.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        (distance <= alike_within(patch)).then_some(Cluster(cluster))
    }

    /// Whether two cells look alike.
    pub(crate) fn alike(&self, a: &CellPatch, b: &CellPatch) -> bool {
        a.distance(b, self.fill_weight) <= SAME_CLUSTER_WITHIN
    }

    /// Whether two cells may show the same, drawn otherwise beside other cells.
    pub(crate) fn nearly_alike(&self, a: &CellPatch, b: &CellPatch) -> bool {
        a.distance(b, self.fill_weight) <= NEARLY_SAME_WITHIN
    }
}

fn nearest(cluster: &[CellPatch], patch: &CellPatch, fill_weight: f32) -> f32 {
    cluster.iter().map(|known| known.distance(patch, fill_weight)).fold(f32::MAX, f32::min)
}

/// How far what is alike is from a patch at most, in grey levels.
fn alike_within(patch: &CellPatch) -> f32 {
    (SAME_CLUSTER_SHARE_OF_CONTRAST * patch.whole.contrast())
        .clamp(SAME_CLUSTER_AT_LEAST, SAME_CLUSTER_WITHIN)
}

/// Whether a cell has changed from `before` to `after`.
pub(crate) fn changed(before: &CellPatch, after: &CellPatch) -> bool {
    before.distance(after, 1.0) > CHANGED_BEYOND
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    /// A large white cell with a sign of a few pixels in its middle.
    fn cell(sign: [&str; 7]) -> CellPatch {
        const SIDE: u32 = 48;
        let mut picture = RgbImage::from_pixel(SIDE, SIDE, Rgb([255; 3]));
        for (y, row) in sign.iter().enumerate() {
            for (x, pixel) in row.bytes().enumerate() {
                if pixel == b'#' {
                    picture.put_pixel(21 + x as u32, 20 + y as u32, Rgb([0, 128, 0]));
                }
            }
        }
        let mut samplers = Samplers::new(&picture, 0);
        CellPatch::take(&mut samplers, Rect::new(0, 0, SIDE, SIDE), 0).unwrap()
    }

    #[test]
    fn small_signs_in_large_cells_are_told_apart() {
        let two = cell([".###.", "#...#", "....#", "...#.", "..#..", ".#...", "#####"]);
        let three = cell([".###.", "#...#", "....#", "..##.", "....#", "#...#", ".###."]);
        let mut clusters = Clusters::new(1.0);
        assert_ne!(clusters.of(&two), clusters.of(&three));
        assert_eq!(clusters.of(&two), clusters.of(&two.clone()));
    }
}
