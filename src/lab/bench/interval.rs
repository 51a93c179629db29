//! 95 % intervals for rates, for differences of rates, and for means.
//!
//! Those for rates hold near 0 and 1 and for few games, where the textbook interval (the rate and two
//! standard errors on each side) does not. The crate with Wilson's interval, `stats-ci`,
//! refuses fewer than two wins or two losses, which is how most sessions begin, and its differences are of means: so both are
//! worked out here.

/// The 97.5th percentile of the normal distribution.
const Z: f64 = 1.959963984540054;

/// The interval of a rate of which `wins` of `games` were seen: Wilson's score interval (1927). From 0
/// to 1 when there were no games.
pub fn wilson(wins: u64, games: u64) -> [f64; 2] {
    if games == 0 {
        return [0.0, 1.0];
    }
    let (n, rate) = (games as f64, wins as f64 / games as f64);
    let centre = rate + Z * Z / (2.0 * n);
    let reach = Z * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    [((centre - reach) / scale).max(0.0), ((centre + reach) / scale).min(1.0)]
}

/// The interval of the difference between two rates of winning the same `games` games, of which one
/// player alone won `only_a` and the other one alone `only_b`: Agresti and Min (2005), half a game added
/// to each of the four outcomes.
pub fn paired(only_a: u64, only_b: u64, games: u64) -> [f64; 2] {
    let n = games as f64 + 2.0;
    let (a, b) = ((only_a as f64 + 0.5) / n, (only_b as f64 + 0.5) / n);
    let difference = a - b;
    let reach = Z * ((a + b - difference * difference) / n).sqrt();
    [(difference - reach).max(-1.0), (difference + reach).min(1.0)]
}

/// The interval of a mean of `count` values with this sum and this sum of squares, for many values; `None` for less than two.
pub fn normal(sum: f64, squares: f64, count: u64) -> Option<[f64; 2]> {
    if count < 2 {
        return None;
    }
    let n = count as f64;
    let mean = sum / n;
    let variance = ((squares - sum * mean) / (n - 1.0)).max(0.0);
    let reach = Z * (variance / n).sqrt();
    Some([mean - reach, mean + reach])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_gives_the_published_intervals() {
        // Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3.
        let published = [
            (81, 263, [0.2553, 0.3662]),
            (15, 148, [0.0624, 0.1605]),
            (0, 20, [0.0000, 0.1611]),
            (1, 29, [0.0061, 0.1718]),
        ];
        for (wins, games, expected) in published {
            let found = wilson(wins, games);
            for side in 0..2 {
                assert!(
                    (found[side] - expected[side]).abs() < 0.00006,
                    "{wins}/{games}: {found:?}"
                );
            }
        }
        assert_eq!(wilson(0, 0), [0.0, 1.0]);
    }

    /// How often intervals of `games` games cover the truth, over every possible outcome.
    fn coverage(games: u64, a: f64, b: f64) -> f64 {
        let choose =
            |n: u64, k: u64| (0..k).map(|i| (n - i) as f64 / (k - i) as f64).product::<f64>();
        let mut covered = 0.0;
        for only_a in 0..=games {
            for only_b in 0..=games - only_a {
                let rest = games - only_a - only_b;
                let [low, high] = paired(only_a, only_b, games);
                if (low..=high).contains(&(a - b)) {
                    covered += choose(games, only_a)
                        * choose(games - only_a, only_b)
                        * a.powi(only_a as i32)
                        * b.powi(only_b as i32)
                        * (1.0 - a - b).powi(rest as i32);
                }
            }
        }
        covered
    }

    #[test]
    fn paired_intervals_cover_the_truth_as_often_as_they_say() {
        for games in [10, 50] {
            for (a, b) in [(0.1, 0.1), (0.3, 0.2), (0.02, 0.05), (0.4, 0.05), (0.0, 0.0)] {
                let covered = coverage(games, a, b);
                assert!(covered > 0.93, "{covered} of {games} games, {a} and {b}");
            }
        }
        let wide = coverage(50, 0.3, 0.2);
        assert!(wide < 0.97, "{wide}: the intervals are too wide");
    }

    #[test]
    fn games_that_both_win_or_lose_narrow_a_paired_interval_but_never_to_nothing() {
        let (few, many) = (paired(0, 0, 10), paired(0, 0, 1000));
        assert!(few[0] < many[0] && many[0] < 0.0 && 0.0 < many[1] && many[1] < few[1]);
        let [low, high] = paired(60, 40, 1000);
        assert_eq!(paired(40, 60, 1000), [-high, -low]);
        assert!(low < 0.02 && 0.02 < high);
    }
}
