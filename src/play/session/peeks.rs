//! When the board is looked at once more before a click.

use std::time::Duration;

/// When to peek at a cell before it is clicked: before each click where a look is cheap, and so seldom
/// that looking costs half a millisecond a click where it is not.
#[derive(Clone, Debug, Default)]
pub(super) struct Peeks {
    cheapest: Option<Duration>,
    done: u32,
    since: u32,
}

impl Peeks {
    /// The time that looking may take for each click, on average.
    const BUDGET: Duration = Duration::from_micros(500);
    /// Looks that are made before their price is believed.
    const TRIALS: u32 = 8;

    pub fn is_due(&mut self) -> bool {
        self.since += 1;
        let price = self.cheapest.unwrap_or_default().as_micros();
        self.done < Self::TRIALS || u128::from(self.since) > price / Self::BUDGET.as_micros()
    }

    pub fn took(&mut self, price: Duration) {
        self.since = 0;
        self.done = self.done.saturating_add(1);
        self.cheapest = Some(self.cheapest.map_or(price, |cheapest| cheapest.min(price)));
    }
}
