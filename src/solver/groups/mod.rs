//! `groups`: take the unknown cells of all numbers apart until each group is settled or cannot be.
//!
//! After the bot of a Russian article (habr.com/articles/211188), whose author reports 33 % of Expert
//! games under Windows 7 with random guesses, and 44 % with guesses of its own. Three steps:
//! - The unknown cells of each number are a *group* with so many mines. Groups that overlap are split
//!   ([`split`]), and a group without mines or with nothing else is opened or flagged.
//! - When nothing is certain, each cell gets a chance of a mine from its groups, which are then scaled
//!   until they fit each other ([`estimate`]); an unknown cell outside every group has the density of
//!   the whole board. The least chance is the guess.
//! - The author names a third algorithm for the end of a game and does not describe it. Here, when 20
//!   or fewer cells are unknown and the mine count is certain, every arrangement of the mines is
//!   counted ([`end_game`]), which may prove more, and otherwise gives the chances for the guess.
//!
//! Where the article is silent: the groups that give the chances are those left after splitting; cells
//! of equally small chance are told apart by the seed; without any mine count a cell outside every
//! group has no chance, and is tried at random when there are no others. One group compared with those
//! it overlaps is one node, and so is one cell of an arrangement.

mod end_game;
mod estimate;
mod split;

use crate::board::Board;

use super::fact::{Clash, Fact};
use super::knowledge::Knowledge;
use super::{Advice, Budget, Reason, SolveError, Strategy, choice};

use end_game::EndGame;
use split::Group;

/// Proof by groups and guesses by their chances; see the module.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    seed: u64,
}

impl Strategy for Groups {
    fn name(&self) -> &'static str {
        "groups"
    }

    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn advise(&mut self, board: &Board, budget: &mut Budget) -> Result<Advice, SolveError> {
        let mut known = Knowledge::of(board)?;
        let groups = open_and_flag(&mut known, budget)?;
        let end = EndGame::count(&known, budget)?;
        if let Some(end) = &end {
            prove_at_the_end(&mut known, end)?;
        }
        known.advice(|known| {
            let by_chance = match &end {
                Some(end) => choice::least_chance(known, self.seed, |pos| Some(end.chance(pos))),
                None => {
                    let chances = estimate::chances(board, &groups);
                    let density = known.density();
                    choice::least_chance(known, self.seed, |pos| {
                        chances[board.index(pos)].or(density)
                    })
                }
            };
            by_chance.or_else(|| choice::random(known, self.seed))
        })
    }
}

/// Learns every group that is settled, until none is; returns those that are left.
fn open_and_flag(known: &mut Knowledge, budget: &mut Budget) -> Result<Vec<Group>, Clash> {
    loop {
        let groups = split::split_all(known, budget)?;
        let before = known.proofs().len();
        for group in &groups {
            if let Some(fact) = group.settled() {
                let [number, other] = group.numbers;
                let reason = Reason::Groups { number, other };
                known.learn_all(group.cells.iter().copied(), fact, reason)?;
            }
        }
        if known.proofs().len() == before {
            return Ok(groups);
        }
    }
}

/// Learns every cell on which all arrangements agree.
fn prove_at_the_end(known: &mut Knowledge, end: &EndGame) -> Result<(), Clash> {
    for pos in known.board().positions() {
        if known.fact(pos) == Fact::Unknown
            && let Some(fact) = end.agreed(pos)
        {
            known.learn(pos, fact, Reason::EveryArrangement)?;
        }
    }
    Ok(())
}
