//! SplitMix64 of `rand_xoshiro`: from one number to many that have nothing to do with each other.
//!
//! After Steele, Lea and Flood, *Fast splittable pseudorandom number generators* (2014): a counter that
//! goes up by a constant, and a mixing function with which every bit of the counter changes about half
//! of the bits of the result. The crate goes from one number to the next; here any of them is wanted by its index, so
//! the counter is set to where that one begins.

use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

/// What the counter goes up by.
const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes the bits of `word`; no two words give the same result.
pub(crate) fn mix(word: u64) -> u64 {
    next(word.wrapping_sub(GOLDEN_GAMMA))
}

/// The number at `index` of the sequence that `seed` starts.
pub(crate) fn nth(seed: u64, index: u64) -> u64 {
    next(seed.wrapping_add(index.wrapping_mul(GOLDEN_GAMMA)))
}

/// The number that comes after this state of the counter.
fn next(counter: u64) -> u64 {
    SplitMix64::seed_from_u64(counter).next_u64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_is_that_of_the_published_sequence() {
        // The first numbers of Vigna's splitmix64.c for the seed 1234567.
        let published = [6457827717110365317, 3203168211198807973, 9817491932198370423];
        assert_eq!([0, 1, 2].map(|index| nth(1234567, index)), published);
        let mut sequence = SplitMix64::seed_from_u64(1234567);
        assert!((0..100).all(|index| nth(1234567, index) == sequence.next_u64()));
    }
}
