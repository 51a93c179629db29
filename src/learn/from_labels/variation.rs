//! How much the mean colour of cells that show the same differs from place to place.

use std::sync::Arc;

use super::{Collector, Example};
use crate::recognize::model::{Deviation, INDEPENDENT, deviations};
use crate::recognize::{Lattice, Skin};

/// The variance of the mean colour of cells that show the same, in grey levels squared, as the median over the pictures and the
/// kinds in each. Each picture is compared with the templates that the others make: what a template was cut from it
/// does not differ from. What the noise of the values adds up to in a mean does not count.
pub(super) fn fill_variance(known: &Skin, examples: &[(&Example, Lattice)]) -> f32 {
    let mut variances = Vec::new();
    for (number, (example, lattice)) in examples.iter().enumerate() {
        let others = examples[..number].iter().chain(&examples[number + 1..]);
        let collector = Collector::of(known, others);
        let skin = Arc::new(Skin { templates: collector.templates(), ..known.clone() });
        let mut left = deviations(&example.pixels, lattice, &example.board, &skin, example.mood());
        while let Some(kind) = left.first().map(|deviation| deviation.cell) {
            let (own, rest): (Vec<Deviation>, Vec<_>) =
                left.into_iter().partition(|deviation| deviation.cell == kind);
            left = rest;
            let mean =
                |of: fn(&Deviation) -> f32| own.iter().map(of).sum::<f32>() / own.len() as f32;
            let by_noise = mean(|deviation| deviation.values) / (INDEPENDENT / 3.0);
            variances.push((mean(|deviation| deviation.fill) - by_noise).max(0.0));
        }
    }
    if variances.is_empty() {
        return 0.0;
    }
    let middle = variances.len() / 2;
    let variance = *variances.select_nth_unstable_by(middle, f32::total_cmp).1;
    // As it is written into files.
    (variance * 10.0).round() / 10.0
}
