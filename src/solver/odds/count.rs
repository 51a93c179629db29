//! The number of arrangements, to the last digit.

use num_bigint::BigUint;

use crate::solver::Budget;

use super::chain::Total;
use super::{OddsKind, Position, Workspace};

impl Position {
    /// The natural logarithm of the number of arrangements that fit, when the mine count is used.
    pub fn ln_arrangements(&self) -> Option<f64> {
        matches!(self.rest.total, Total::Mines(_)).then(|| self.weight.ln())
    }

    /// The number of arrangements that fit: with the mine count if it is known, else with any. `None` when
    /// the odds are not exact or the budget does not suffice.
    pub fn count_arrangements(
        &self,
        workspace: &mut Workspace,
        budget: &mut Budget,
    ) -> Option<BigUint> {
        if self.kind() != OddsKind::Exact {
            return None;
        }
        let Workspace { order, diagram, .. } = workspace;
        // By the mines that the components use, from the fewest on.
        let (mut least, mut counts) = (0, vec![BigUint::from(1u8)]);
        for component in self.components.iter().flatten() {
            if !component.rebuild(order, diagram, budget) || !diagram.is_exact {
                return None;
            }
            let own = diagram.count(&order.steps);
            let mut sums = vec![BigUint::ZERO; counts.len() + own.len() - 1];
            for (mines, count) in counts.iter().enumerate() {
                for (sum, own) in sums[mines..].iter_mut().zip(&own) {
                    *sum += count * own;
                }
            }
            counts = sums;
            least += i64::from(component.least);
        }
        let cells = i64::from(self.rest.cells);
        Some(match self.rest.total {
            Total::Unknown => counts.into_iter().sum::<BigUint>() << cells,
            Total::Mines(total) => {
                let left = (0..=total - least).rev();
                left.zip(counts).map(|(left, count)| count * binomial(cells, left)).sum()
            }
        })
    }
}

/// C(n, k), for k not negative.
fn binomial(n: i64, k: i64) -> BigUint {
    (0..k).fold(BigUint::from(1u8), |product, i| product * (n - i).max(0) as u64 / (i + 1) as u64)
}
