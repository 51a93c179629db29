//! How much the brightness of cells that show the same differs from place to place.

use std::sync::Arc;

use super::{Collector, Example};
use crate::board::Cell;
use crate::recognize::model::{
    Deviation, INDEPENDENT, LEAST_VARIANCE, deviations as deviations_of,
};
use crate::recognize::{Lattice, Skin};

/// Of squares of what is normally distributed, nine in ten are below this if the variance is 1.
const NINTH_DECILE: f32 = 2.706;

/// The variance of how bright cells are that show the same, in grey levels squared: of covered cells or of blanks, on which
/// nothing is drawn, whichever differ more; by the ninth decile of the squares, which a few cells do not move. Each picture is
/// compared with the templates that the others make: what a template was cut from it does not differ from. What the noise of
/// the values adds up to in a mean does not count.
pub(super) fn fill_variance(known: &Skin, examples: &[(&Example, Lattice)]) -> f32 {
    let mut deviations: Vec<Deviation> = Vec::new();
    for (number, (example, lattice)) in examples.iter().enumerate() {
        let others = examples[..number].iter().chain(&examples[number + 1..]);
        let collector = Collector::of(known, others);
        let skin = Arc::new(Skin { templates: collector.templates(), ..known.clone() });
        let (pixels, board) = (&example.pixels, &example.board);
        deviations.extend(deviations_of(pixels, lattice, board, &skin, example.phase()));
    }
    let of_kind = |kind: Cell| {
        let own = deviations.iter().filter(|deviation| deviation.cell == kind);
        let of_background = |own: &Deviation| (own.fill - own.values / INDEPENDENT).max(0.0);
        let mut variances: Vec<f32> = own.map(of_background).collect();
        let most = variances.len() * 9 / 10;
        if variances.is_empty() {
            return 0.0;
        }
        *variances.select_nth_unstable_by(most, f32::total_cmp).1 / NINTH_DECILE
    };
    let variance = of_kind(Cell::Covered).max(of_kind(Cell::open(0)));
    // Less is what games draw differently each time.
    if variance < LEAST_VARIANCE {
        return 0.0;
    }
    // As it is written into files.
    (variance * 10.0).round() / 10.0
}
