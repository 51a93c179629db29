//! The looks that cells have: patches that are alike are one look, whatever it means.

use crate::recognize::patch::Patch;

/// Patches that differ more than this, in grey levels, are two looks. It is little: one kind of cell may
/// have several looks, but one look must not have two meanings.
const ALIKE: f32 = 6.0;
/// Of opened cells in dark themes they are if they differ more than this share of their contrast, …
const ALIKE_OF_CONTRAST: f32 = 0.3;
/// … and more than this, in grey levels: a background may shine through.
const LEAST_ALIKE: f32 = 3.0;
/// Cells that differ less than this, in grey levels, may show the same, drawn otherwise beside other cells.
const NEARLY: f32 = 15.0;
/// A cell whose picture differs more than this from the one before, in grey levels, has changed.
const CHANGED: f32 = 1.5;
/// This many patches are kept of each look.
const KEPT: usize = 4;

/// A look that some cells have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Look(pub(super) usize);

/// Every look of an opened cell that was seen so far.
#[derive(Clone, Debug)]
pub(crate) struct Looks {
    fill_weight: f32,
    known: Vec<Vec<Patch>>,
}

impl Looks {
    /// No looks; a difference of the fill counts with this weight.
    pub(crate) fn new(fill_weight: f32) -> Self {
        Self { fill_weight, known: Vec::new() }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.known.len()
    }

    /// The look that `patch` has; a new one if it is like no known one.
    pub(crate) fn of(&mut self, patch: &Patch) -> Look {
        if let Some(look) = self.known(patch) {
            let patches = &mut self.known[look.0];
            // What is a little different helps to know the next one.
            let distance = nearest(patches, patch, self.fill_weight);
            if distance > alike_within(patch) / 2.0 && patches.len() < KEPT {
                patches.push(patch.clone());
            }
            return look;
        }
        self.known.push(vec![patch.clone()]);
        Look(self.known.len() - 1)
    }

    /// The known look that `patch` has.
    pub(crate) fn known(&self, patch: &Patch) -> Option<Look> {
        let distances = self.known.iter().map(|look| nearest(look, patch, self.fill_weight));
        let (look, distance) = distances.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b))?;
        (distance <= alike_within(patch)).then_some(Look(look))
    }

    /// Whether two cells look alike.
    pub(crate) fn alike(&self, a: &Patch, b: &Patch) -> bool {
        a.distance(b, self.fill_weight) <= ALIKE
    }

    /// Whether two cells may show the same, drawn otherwise beside other cells.
    pub(crate) fn nearly_alike(&self, a: &Patch, b: &Patch) -> bool {
        a.distance(b, self.fill_weight) <= NEARLY
    }
}

fn nearest(look: &[Patch], patch: &Patch, fill_weight: f32) -> f32 {
    look.iter().map(|known| known.distance(patch, fill_weight)).fold(f32::MAX, f32::min)
}

/// How far what is alike is from a patch at most, in grey levels.
fn alike_within(patch: &Patch) -> f32 {
    (ALIKE_OF_CONTRAST * patch.contrast()).clamp(LEAST_ALIKE, ALIKE)
}

/// Whether a cell has changed from `before` to `after`.
pub(crate) fn changed(before: &Patch, after: &Patch) -> bool {
    before.distance(after, 1.0) > CHANGED
}
