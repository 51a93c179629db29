//! Components and the rest of the board, tied together loosely.
//!
//! The [chain](super::chain) grows with the square of the components. On the largest boards, with tens of thousands of
//! them, none can be made; but there the mines of one component hardly matter to another. So each component sees the others
//! as nothing but a density: every other cell is a mine with the same chance, which is so chosen that the board has as many
//! mines as it must, on average.

use super::chain::{Link, Rest, Total};
use super::weight::{Weight, Wide};

/// Halvings until the density is known to about one part in 10^12.
const HALVINGS: usize = 40;

/// The chance of a mine where nothing else is known of a cell; `None` when the mines of the rest do not fit.
pub(super) fn density(links: &[Link], rest: Rest) -> Option<f64> {
    let Total::Mines(total) = rest.total else {
        return Some(Total::DENSITY);
    };
    let least: i64 = links.iter().map(|link| i64::from(link.least)).sum();
    let spare: usize = links.iter().map(|link| link.counts.len() - 1).sum();
    let most = least + spare as i64 + i64::from(rest.cells);
    if !(least..=most).contains(&total) {
        return None;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let density = (low + high) / 2.0;
        let in_links: f64 = links.iter().map(|link| mean(link, density)).sum();
        if in_links + density * f64::from(rest.cells) < total as f64 {
            low = density;
        } else {
            high = density;
        }
    }
    Some((low + high) / 2.0)
}

/// The mines of a component on average.
fn mean(link: &Link, density: f64) -> f64 {
    let (mut ways, mut mines) = (Wide::ZERO, Wide::ZERO);
    for (more, outside) in outside(link.counts.len(), density).into_iter().enumerate() {
        let here = link.count::<Wide>(more).times(outside);
        ways = ways.plus(here);
        mines = mines.plus(here.times(Wide::new(more as f64, 0)));
    }
    f64::from(link.least) + mines.over(ways)
}

/// In how many ways, up to a factor, the rest of the board fits to each of so many counts of a component.
pub(super) fn outside(counts: usize, density: f64) -> Vec<Wide> {
    let ratio = Wide::new(density / (1.0 - density), 0);
    let powers = std::iter::successors(Some(Wide::new(1.0, 0)), |power| Some(power.times(ratio)));
    powers.take(counts).collect()
}
