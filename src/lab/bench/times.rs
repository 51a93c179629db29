//! How long decisions took, as a histogram that merges.
//!
//! It is Gil Tene's HdrHistogram: a time is known to two digits, from nanoseconds to centuries. The sum and the longest time
//! are kept exactly.

use std::collections::BTreeMap;
use std::time::Duration;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// Digits to which times are known.
const DIGITS: u8 = 2;

/// Times by bucket; see the module.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(from = "Kept", into = "Kept")]
pub struct Times {
    /// Their sum in nanoseconds.
    total_ns: u64,
    /// The longest in nanoseconds.
    max_ns: u64,
    histogram: Histogram<u64>,
}

/// Times as a report keeps them.
#[derive(Serialize, Deserialize)]
struct Kept {
    total_ns: u64,
    max_ns: u64,
    /// How many took about so many nanoseconds.
    times_ns: BTreeMap<u64, u64>,
}

impl Default for Times {
    fn default() -> Self {
        let histogram = Histogram::new_with_bounds(1, u64::MAX, DIGITS);
        let histogram = histogram.expect("there may be such a histogram");
        Self { total_ns: 0, max_ns: 0, histogram }
    }
}

impl From<Kept> for Times {
    fn from(Kept { total_ns, max_ns, times_ns }: Kept) -> Self {
        let mut times = Self { total_ns, max_ns, ..Self::default() };
        for (ns, count) in times_ns {
            times.histogram.saturating_record_n(ns, count);
        }
        times
    }
}

impl From<Times> for Kept {
    fn from(Times { total_ns, max_ns, histogram }: Times) -> Self {
        let times = histogram.iter_recorded();
        let times_ns =
            times.map(|step| (step.value_iterated_to(), step.count_at_value())).collect();
        Self { total_ns, max_ns, times_ns }
    }
}

impl Times {
    /// Counts a time.
    pub fn add(&mut self, time: Duration) {
        let ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.total_ns = self.total_ns.saturating_add(ns);
        self.max_ns = self.max_ns.max(ns);
        self.histogram.saturating_record(ns);
    }

    /// Counts all that `other` has counted.
    pub fn merge(&mut self, other: &Times) {
        self.total_ns = self.total_ns.saturating_add(other.total_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
        self.histogram.add(&other.histogram).expect("all have the same bounds");
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.histogram.len()
    }

    /// All times together.
    pub fn total(&self) -> Duration {
        Duration::from_nanos(self.total_ns)
    }

    /// The longest time.
    pub fn max(&self) -> Duration {
        Duration::from_nanos(self.max_ns)
    }

    /// The least time that a `share` from 0 to 1 of all times do not exceed, too long by one part in a hundred at most; zero
    /// when there are none.
    pub fn quantile(&self, share: f64) -> Duration {
        Duration::from_nanos(self.histogram.value_at_quantile(share).min(self.max_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_right_to_a_hundredth() {
        let mut times = Times::default();
        (1..=10_000).for_each(|us| times.add(Duration::from_micros(us)));
        for (share, expected) in [(0.0, 1), (0.5, 5000), (0.99, 9900), (0.999, 9990), (1.0, 10_000)]
        {
            let (found, expected) = (times.quantile(share), Duration::from_micros(expected));
            assert!(found >= expected && found - expected <= expected / 100, "{share}: {found:?}");
        }
        assert_eq!(times.max(), Duration::from_millis(10));
        assert_eq!(times.total(), Duration::from_micros(10_000 * 10_001 / 2));
        assert_eq!(Times::default().quantile(0.5), Duration::ZERO);
    }

    #[test]
    fn merged_halves_equal_the_whole_and_so_does_what_is_kept_in_a_report() {
        let (mut whole, mut halves) = (Times::default(), [Times::default(), Times::default()]);
        for n in 0..1000u64 {
            let time = Duration::from_nanos(n * n * n);
            whole.add(time);
            halves[n as usize % 2].add(time);
        }
        let [mut merged, other] = halves;
        merged.merge(&other);
        assert_eq!(merged, whole);
        let kept = serde_json::to_string(&whole).unwrap();
        assert_eq!(serde_json::from_str::<Times>(&kept).unwrap(), whole);
    }

    #[test]
    fn a_time_that_cannot_be_does_no_harm() {
        let text = format!(r#"{{"total_ns":1,"max_ns":7,"times_ns":{{"{}":1}}}}"#, u64::MAX);
        let mut times: Times = serde_json::from_str(&text).unwrap();
        assert_eq!(times.quantile(0.5), Duration::from_nanos(7));
        times.add(Duration::MAX);
        assert_eq!(times.count(), 2);
    }
}
