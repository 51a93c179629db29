//! What a cell may show when it is opened, and how likely that is.
//!
//! The cell is taken as no mine, and the unknown cells around it become a constraint whose mines are not
//! given but counted. The components that touch it are solved once, forward only, and tell for each
//! number of counted mines in how many ways which mines lie in them; the rest of the board is as before.

use crate::board::Pos;
use crate::solver::Budget;

use super::around::Around;
use super::chain::{Chain, Link, Rest, Total};
use super::partition::Constraint;
use super::place::Place;
use super::position::Position;
use super::spectrum::Spectrum;
use super::weight::{Weight, Wide};
use super::workspace::Workspace;

impl Position {
    /// For each number from 0 to 8 the chance that the cell at `pos` is no mine and shows that number.
    /// Their sum is the chance to survive opening it. All are 0 for a mine and for an open cell.
    ///
    /// # Panics
    /// When `pos` is off the board.
    #[track_caller]
    pub fn value_weights(
        &self,
        pos: Pos,
        workspace: &mut Workspace,
        budget: &mut Budget,
    ) -> [f64; 9] {
        let cell = self.grid.at(pos) as u32;
        self.try_value_weights(cell, workspace, budget).unwrap_or([0.0; 9])
    }

    /// The weights, or `None` when the cell cannot be clear.
    fn try_value_weights(
        &self,
        cell: u32,
        workspace: &mut Workspace,
        budget: &mut Budget,
    ) -> Option<[f64; 9]> {
        let around = self.around(cell)?;
        if self.is_long() {
            return Some(self.rough_values(cell, &around));
        }
        let Workspace { partition, problem, order, diagram, spectrum, plain, wide } = workspace;
        let tally = Constraint { number: cell, mines: 0, cells: around.unknown };
        let constraints = around.constraints.iter().copied().chain([tally]);
        partition.split(self.places.len(), constraints, Some(around.constraints.len()))?;
        spectrum.clear();
        while partition.next_component(problem) {
            if !order.arrange(problem) {
                return Some(self.rough_values(cell, &around));
            }
            diagram.build(&order.steps, budget);
            if diagram.ends().next().is_none() {
                return (!diagram.is_exact).then(|| self.rough_values(cell, &around));
            }
            for (state, least, counts) in diagram.ends() {
                let run = spectrum.run(least, counts, diagram.exponent);
                if problem.tally.is_some() {
                    let value = around.mines + partition.tallied + order.tallied(problem, state);
                    spectrum.values.push((value, run));
                } else {
                    spectrum.others.push(run);
                }
            }
        }
        if spectrum.values.is_empty() {
            let run = spectrum.run(0, &[1.0], 0);
            spectrum.values.push((around.mines + partition.tallied, run));
        }
        let mines = partition.facts.iter().filter(|&&(_, is_mine)| is_mine).count() as i64;
        let is_rest = |&&cell: &&u32| self.places[cell as usize] == Place::Rest;
        let left = around.unknown.iter().chain([&cell]).filter(is_rest).count() as u32;
        let mut rest = Rest { cells: self.rest.cells - left, total: self.rest.total };
        let mut proven = self.proven;
        match &mut rest.total {
            Total::Mines(total) => *total -= mines,
            Total::Unknown => {
                let clear = Total::chance(false);
                proven =
                    (0..left).fold(proven.times(Total::loss(mines)), |all, _| all.times(clear));
            }
        }
        let ways = if self.needs_wide() {
            self.weigh_values(spectrum, &around.components, rest, wide)
        } else {
            self.weigh_values(spectrum, &around.components, rest, plain)
        };
        Some(ways.map(|ways| ways.times(proven).over(self.weight)))
    }

    /// An estimate where nothing can be counted: as if each cell were a mine or not by itself.
    fn rough_values(&self, cell: u32, around: &Around) -> [f64; 9] {
        let mined = |cell| self.chance(cell).unwrap_or_default();
        let mut weights = [0.0; 9];
        weights[usize::from(around.mines)] = 1.0 - mined(cell);
        for &near in around.unknown.iter() {
            for value in (0..9).rev() {
                let one_less = if value > 0 { weights[value - 1] } else { 0.0 };
                weights[value] += mined(near) * (one_less - weights[value]);
            }
        }
        weights
    }

    /// In how many ways the board can be with each number in the cell.
    fn weigh_values<W: Weight>(
        &self,
        spectrum: &Spectrum,
        replaced: &[u32],
        rest: Rest,
        chain: &mut Chain<W>,
    ) -> [Wide; 9] {
        let others = spectrum.others.iter().map(|&run| spectrum.link(run));
        let kept = self.components.iter().enumerate().filter_map(|(place, component)| {
            let is_kept = !replaced.contains(&(place as u32));
            component.as_ref().filter(|_| is_kept).map(|component| Link::from(&**component))
        });
        let links: Vec<Link> = others.chain(kept).collect();
        let runs = spectrum.values.iter().map(|&(_, run)| spectrum.link(run));
        let least = runs.clone().map(|link| link.least).min().unwrap_or(0);
        let end = runs.map(|link| link.least + link.counts.len() as u32).max().unwrap_or(0);
        let ahead = chain.pull((least, (end - least) as usize), &links, rest);
        let mut ways = [Wide::ZERO; 9];
        for &(value, run) in &spectrum.values {
            let link = spectrum.link(run);
            let ahead = &ahead[(link.least - least) as usize..];
            let pairs = (0..link.counts.len()).map(|mines| link.count::<W>(mines)).zip(ahead);
            let sum = pairs.fold(W::ZERO, |sum, (count, &ahead)| sum.plus(count.times(ahead)));
            ways[usize::from(value)] = sum.wide();
        }
        ways
    }
}
