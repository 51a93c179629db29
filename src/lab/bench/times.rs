//! How long decisions took, as a histogram that merges.
//!
//! Each power of two is split into 64 equal buckets, as in Gil Tene's HdrHistogram, so a time is known
//! to one part in 64 (1.6 %), from nanoseconds to centuries, in at most a few hundred buckets. The sum
//! and the longest time are kept exactly.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Buckets in each power of two, as a power of two.
const PRECISION: u32 = 6;

/// Times by bucket; see the module.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Times {
    /// Their sum in nanoseconds.
    total_ns: u64,
    /// The longest in nanoseconds.
    max_ns: u64,
    /// How many fell into each bucket, for those that are not empty.
    buckets: BTreeMap<u32, u64>,
}

impl Times {
    /// Counts a time.
    pub fn add(&mut self, time: Duration) {
        let ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.total_ns = self.total_ns.saturating_add(ns);
        self.max_ns = self.max_ns.max(ns);
        *self.buckets.entry(bucket(ns)).or_default() += 1;
    }

    /// Counts all that `other` has counted.
    pub fn merge(&mut self, other: &Times) {
        self.total_ns = self.total_ns.saturating_add(other.total_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
        for (&bucket, &count) in &other.buckets {
            let here = self.buckets.entry(bucket).or_default();
            *here = here.saturating_add(count);
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.buckets.values().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// All times together.
    pub fn total(&self) -> Duration {
        Duration::from_nanos(self.total_ns)
    }

    /// The longest time.
    pub fn max(&self) -> Duration {
        Duration::from_nanos(self.max_ns)
    }

    /// The least time that a `share` from 0 to 1 of all times do not exceed, too long by one part in 64
    /// at most; zero when there are none.
    pub fn quantile(&self, share: f64) -> Duration {
        let rank = (share * self.count() as f64).ceil().max(1.0) as u64;
        let mut seen = 0u64;
        let reaches = |&(_, &count): &(&u32, &u64)| {
            seen = seen.saturating_add(count);
            seen >= rank
        };
        let ns = self.buckets.iter().find(reaches).map_or(0, |(&bucket, _)| longest(bucket));
        Duration::from_nanos(ns.min(self.max_ns))
    }
}

/// The bucket of a time in nanoseconds.
fn bucket(ns: u64) -> u32 {
    let shift = (u64::BITS - ns.leading_zeros()).saturating_sub(PRECISION + 1);
    (shift << PRECISION) + (ns >> shift) as u32
}

/// The longest time in a bucket, in nanoseconds; that of the last bucket for one that does not exist.
fn longest(bucket: u32) -> u64 {
    let shift = (bucket >> PRECISION).saturating_sub(1);
    let after = u128::from(bucket - (shift << PRECISION) + 1) << shift.min(u64::BITS);
    u64::try_from(after - 1).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_is_in_a_bucket_no_wider_than_a_64th_of_it() {
        let small = 0..5000;
        let large = (12..64).flat_map(|power| [(1u64 << power) - 1, 1 << power, 3 << (power - 1)]);
        for ns in small.chain(large).chain([u64::MAX]) {
            let longest = longest(bucket(ns));
            assert!(longest >= ns && longest - ns <= ns / 64, "{ns}: up to {longest}");
            assert!(longest == u64::MAX || bucket(longest + 1) == bucket(ns) + 1, "{ns}");
        }
    }

    #[test]
    fn quantiles_are_right_to_a_64th() {
        let mut times = Times::default();
        (1..=10_000).for_each(|us| times.add(Duration::from_micros(us)));
        for (share, expected) in [(0.0, 1), (0.5, 5000), (0.99, 9900), (0.999, 9990), (1.0, 10_000)]
        {
            let (found, expected) = (times.quantile(share), Duration::from_micros(expected));
            assert!(found >= expected && found - expected <= expected / 64, "{share}: {found:?}");
        }
        assert_eq!(times.max(), Duration::from_millis(10));
        assert_eq!(times.total(), Duration::from_micros(10_000 * 10_001 / 2));
        assert_eq!(Times::default().quantile(0.5), Duration::ZERO);
    }

    #[test]
    fn merged_halves_equal_the_whole() {
        let (mut whole, mut halves) = (Times::default(), [Times::default(), Times::default()]);
        for n in 0..1000u64 {
            let time = Duration::from_nanos(n * n * n);
            whole.add(time);
            halves[n as usize % 2].add(time);
        }
        let [mut merged, other] = halves;
        merged.merge(&other);
        assert_eq!(merged, whole);
    }

    #[test]
    fn a_bucket_that_cannot_be_does_no_harm() {
        let text = r#"{"total_ns":1,"max_ns":7,"buckets":{"4294967295":1}}"#;
        let times: Times = serde_json::from_str(text).unwrap();
        assert_eq!(times.quantile(0.5), Duration::from_nanos(7));
    }
}
