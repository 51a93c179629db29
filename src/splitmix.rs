//! SplitMix64: from one number to many that have nothing to do with each other.
//!
//! After Steele, Lea and Flood, *Fast splittable pseudorandom number generators* (2014): a counter that
//! goes up by a constant, and a mixing function with which every bit of the counter changes about half
//! of the bits of the result.

const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes the bits of `word`; no two words give the same result.
pub(crate) const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// The number at `index` of the sequence that `seed` starts.
pub(crate) const fn nth(seed: u64, index: u64) -> u64 {
    mix(seed.wrapping_add(index.wrapping_add(1).wrapping_mul(GOLDEN_GAMMA)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_published_sequence() {
        // The first numbers of Vigna's splitmix64.c for the seed 1234567.
        let published = [6457827717110365317, 3203168211198807973, 9817491932198370423];
        assert_eq!([0, 1, 2].map(|index| nth(1234567, index)), published);
    }
}
