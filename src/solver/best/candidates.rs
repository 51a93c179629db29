//! The cells that are worth a look before a guess.

use crate::board::Pos;
use crate::solver::odds::{Place, Position};

/// A cell whose chance to be survived is less than this share of the best is not looked at.
const LEAST_SURVIVAL_SHARE: f64 = 0.9;
/// Of the cells that touch no number but have an unknown neighbour that does, so many are looked at.
const NEAR_FRONTIER: usize = 4;

/// The unknown cells of `position` that are worth a look, the likeliest to be survived first.
///
/// Of cells that touch no number, those are alike that have as many unknown neighbours, none of which
/// touches a number either; one of each kind is enough. Of those beside the frontier the ones with the fewest
/// unknown neighbours are taken: they are the likeliest to open a region.
pub(super) fn candidates(position: &Position, may_try: impl Fn(Pos) -> bool) -> Vec<Pos> {
    let mut cells: Vec<(f64, usize)> = Vec::new();
    let mut near_frontier: Vec<(usize, f64, usize)> = Vec::new();
    let mut kinds = [false; 9];
    for at in position.grid.cells() {
        let place = position.places[at];
        if !matches!(place, Place::Rest | Place::Class { .. }) {
            continue;
        }
        let chance = position.chance(at as u32).unwrap_or(1.0);
        if chance <= 0.0 || chance >= 1.0 || !may_try(position.grid.pos(at)) {
            continue;
        }
        if place != Place::Rest {
            cells.push((chance, at));
            continue;
        }
        let (mut unknown, mut touching) = (0, 0);
        for near in position.grid.around(at) {
            match position.places[near] {
                Place::Class { .. } => (unknown, touching) = (unknown + 1, touching + 1),
                Place::Rest => unknown += 1,
                _ => {}
            }
        }
        if touching > 0 {
            near_frontier.push((unknown, chance, at));
        } else if !std::mem::replace(&mut kinds[unknown], true) {
            cells.push((chance, at));
        }
    }
    near_frontier.sort_by_key(|&(unknown, _, at)| (unknown, at));
    cells.extend(near_frontier.into_iter().take(NEAR_FRONTIER).map(|(_, chance, at)| (chance, at)));
    cells.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let least = cells.first().map_or(1.0, |&(chance, _)| chance);
    let is_near =
        |&(chance, _): &(f64, usize)| 1.0 - chance >= LEAST_SURVIVAL_SHARE * (1.0 - least);
    cells.into_iter().filter(is_near).map(|(_, at)| position.grid.pos(at)).collect()
}
