//! Every way to place the missing mines of one number, and what the numbers near it have against it.

use crate::board::Pos;

use super::super::Reason;
use super::super::fact::{Clash, Fact};
use super::super::knowledge::{Knowledge, Number};
use super::memory::Memory;

/// How many mines some of the unknown cells may hold.
struct Bound {
    /// The cells, one bit each.
    cells: u8,
    least: u8,
    most: u8,
}

/// Places the mines of `number` in every way, learns the cells on which all placements agree, and keeps
/// the shares of the others in `memory`.
///
/// # Errors
/// When no placement is left, or what is learned cannot be.
pub fn look(known: &mut Knowledge, number: Number, memory: &mut Memory) -> Result<(), Clash> {
    let cells: Vec<Pos> = known.unknowns(number.pos).collect();
    let bounds = bounds(known, number, &cells);
    let mut placements = 0;
    let mut mined = [0; 8];
    for mines in 0..=u8::MAX >> (8 - cells.len()) {
        if mines.count_ones() as u8 != number.missing || !bounds.iter().all(|b| b.allows(mines)) {
            continue;
        }
        placements += 1;
        for (cell, mined) in mined.iter_mut().enumerate() {
            *mined += mines >> cell & 1;
        }
    }
    if placements == 0 {
        return Err(Clash::Number(number.pos));
    }
    for (&pos, mined) in cells.iter().zip(mined) {
        memory.keep(pos, number.pos, mined, placements);
    }
    let reason = Reason::EveryPlacement { number: number.pos };
    for (sure, fact) in [(0, Fact::Clear), (placements, Fact::Mine)] {
        let agreed = cells.iter().zip(mined).filter(|&(_, mined)| mined == sure);
        known.learn_all(agreed.map(|(&pos, _)| pos), fact, reason)?;
    }
    Ok(())
}

/// What the numbers near `number` say about `cells`, its unknown ones: those that touch it, and, as
/// *half flags*, those farther off whose unknown cells all lie among `cells`.
fn bounds(known: &Knowledge, number: Number, cells: &[Pos]) -> Vec<Bound> {
    let near = known.board().within(number.pos, 2).filter(|&pos| pos != number.pos);
    let bound = |other: Number| {
        let touched = (0..cells.len()).filter(|&i| cells[i].touches(other.pos));
        let cells: u8 = touched.map(|i| 1 << i).sum();
        let shared = cells.count_ones() as u8;
        let speaks = other.pos.touches(number.pos) || shared == other.unknown;
        let least = other.missing.saturating_sub(other.unknown - shared);
        let most = other.missing;
        (speaks && (least > 0 || most < shared)).then_some(Bound { cells, least, most })
    };
    near.filter_map(|pos| known.number(pos)).filter_map(bound).collect()
}

impl Bound {
    fn allows(&self, mines: u8) -> bool {
        (self.least..=self.most).contains(&((mines & self.cells).count_ones() as u8))
    }
}
