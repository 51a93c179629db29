//! What the board of a finished game shows: who won, where the mines are, and what each cell means.

use super::clusters::{CellPatch, Cluster, Clusters, changed};
use super::meanings::{Seen, Sight};
use crate::board::{Board, Pos};

/// Cells of a finished board that look so many ways are not explained.
const MOST_GROUPS: usize = 10;
/// Of the known looks one must be nearer than every other by this factor to name a changed cell.
const OTHERS_FARTHER: f32 = 0.6;

/// Where this share of the cells that were not open have changed, all of them are open now: a mark or two may be as it was.
/// Chosen.
const ALL_OPEN: f32 = 0.9;
/// They are of so many looks then. Chosen.
const SEVERAL: usize = 3;
/// So many cells of one look are not all hidden by what is in front of a part of the board. Chosen.
const MANY_OF_A_LOOK: usize = 8;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every cell without a mine is open.
    Won,
    /// A mine went off.
    Lost,
    /// It cannot be told.
    Unknown,
}

/// The end of a game: the last click, and the board before and after it.
pub(crate) struct Ending<'a> {
    /// What was known before the click.
    pub(crate) before: &'a Seen,
    /// The same as a board.
    pub(crate) board: &'a Board,
    pub(crate) clicked: Pos,
    /// Whether a mine was proven there, or none.
    pub(crate) is_mine: Option<bool>,
    /// The cells that are proven to be mines.
    pub(crate) mined: &'a [Pos],
    /// Flags on cells that are proven to be none.
    pub(crate) wrong_flags: &'a [Pos],
    pub(crate) from: &'a [CellPatch],
    pub(crate) to: &'a [CellPatch],
    /// Those that come up on the last board are added.
    pub(crate) clusters: &'a mut Clusters,
    pub(crate) flags: &'a [CellPatch],
    pub(crate) covered: &'a [CellPatch],
}

impl Ending<'_> {
    /// How the game ended, and what the last board shows.
    pub(crate) fn read(&mut self) -> (Outcome, Seen) {
        let all_left = self.left_when_won();
        let outcome = match self.is_mine {
            Some(true) => Outcome::Lost,
            Some(false) => Outcome::Won,
            None if !self.fits(&all_left) => Outcome::Lost,
            // Nobody wins by one click that opens one cell.
            None if self.before.opened().next().is_none() => Outcome::Lost,
            // A number that is known already is no mine.
            None if self.clusters.known(&self.to[self.before.index(self.clicked)]).is_some() => {
                Outcome::Won
            }
            None => Outcome::Unknown,
        };
        let mut seen = self.opened_before();
        match outcome {
            Outcome::Lost => self.lost(&mut seen),
            Outcome::Won if self.fits(&all_left) => self.won(&mut seen, all_left),
            Outcome::Won => {}
            Outcome::Unknown => {
                let mut lost = seen.clone();
                self.lost(&mut lost);
                if self.opens_all() && lost.mines.is_some() {
                    return (Outcome::Lost, lost);
                }
            }
        }
        (outcome, seen)
    }

    /// Whether the game has opened all cells: hardly one looks as it did when it was not open, while those that were open do, and
    /// what came up is of several looks, as numbers are.
    fn opens_all(&self) -> bool {
        let is_changed = |&pos: &Pos| {
            let at = self.before.index(pos);
            changed(&self.from[at], &self.to[at])
        };
        let unopened = || self.before.positions().filter(|&pos| self.before.at(pos).is_unopened());
        let opened = || self.before.opened().map(|(pos, _)| pos);
        let share = |changed: usize, all: usize| changed as f32 / all.max(1) as f32;
        share(unopened().filter(is_changed).count(), unopened().count()) >= ALL_OPEN
            && share(opened().filter(is_changed).count(), opened().count()) <= 1.0 - ALL_OPEN
            && self.groups().len() >= SEVERAL
    }

    /// The cells that have come up just now, by how they look; but for the one that was clicked, and wrong flags.
    fn groups(&self) -> Vec<Vec<Pos>> {
        let patch = |pos: Pos| &self.to[self.before.index(pos)];
        let mut groups: Vec<Vec<Pos>> = Vec::new();
        for pos in self.before.positions() {
            let is_other = pos != self.clicked && !self.wrong_flags.contains(&pos);
            let at = self.before.index(pos);
            if !self.before.at(pos).is_unopened()
                || !is_other
                || !changed(&self.from[at], &self.to[at])
            {
                continue;
            }
            match groups.iter_mut().find(|group| self.clusters.alike(patch(group[0]), patch(pos))) {
                Some(group) => group.push(pos),
                None => groups.push(vec![pos]),
            }
        }
        groups
    }

    /// The opened cells that still look as they did, or, where the game changes the looks of all of them, or of all that are of
    /// a look, as most of the same look do; nothing is known of the others.
    fn opened_before(&self) -> Seen {
        let mut seen = self.before.clone();
        let index = |pos| self.before.index(pos);
        let opened: Vec<Pos> =
            seen.positions().filter(|&pos| matches!(self.before.at(pos), Sight::Open(_))).collect();
        let is_changed = |&&pos: &&Pos| changed(&self.from[index(pos)], &self.to[index(pos)]);
        let all_change = 2 * opened.iter().filter(is_changed).count() > opened.len();
        for pos in seen.positions() {
            let at = index(pos);
            let sight = self.before.at(pos);
            let same = || opened.iter().filter(|&&other| self.before.at(other) == sight);
            // What is in front hides many looks, and none in full.
            let is_turned =
                || same().count() >= MANY_OF_A_LOOK && same().all(|pos| is_changed(&pos));
            let stays = match sight {
                Sight::Open(_) if !all_change && !is_turned() => !is_changed(&&pos),
                Sight::Open(_) => {
                    let (mut alike, mut all) = (0, 0);
                    for &other in same() {
                        all += 1;
                        alike +=
                            u32::from(self.clusters.alike(&self.to[at], &self.to[index(other)]));
                    }
                    2 * alike > all
                }
                _ => false,
            };
            if !stays {
                seen.sights[at] = Sight::Unknown;
            }
        }
        seen
    }

    /// Where the mines are if the game is won: in all cells that are not opened now.
    fn left_when_won(&self) -> Vec<bool> {
        let left = |pos: Pos| {
            let opened = pos == self.clicked
                || (!self.mined.contains(&pos)
                    && self.clusters.known(&self.to[self.before.index(pos)]).is_some());
            self.before.at(pos).is_unopened() && !opened
        };
        self.before.positions().map(left).collect()
    }

    /// Whether these are the mines, by every number that is known, and by every look that is not: all its cells have as many
    /// mines around them.
    fn fits(&self, mines: &[bool]) -> bool {
        self.fits_between(mines, mines)
    }

    /// The same, where the mines are at least those of `least`, and at most those of `most`.
    fn fits_between(&self, least: &[bool], most: &[bool]) -> bool {
        let mut counts: Vec<(Cluster, usize, usize)> = Vec::new();
        self.before.opened().all(|(pos, look)| {
            let around = |mines: &[bool]| {
                let around = self.board.neighbours(pos);
                around.filter(|&other| mines[self.before.index(other)]).count()
            };
            let (least, most) = (around(least), around(most));
            if let Some(number) = self.board[pos].number() {
                return (least..=most).contains(&usize::from(number));
            }
            match counts.iter_mut().find(|(known, ..)| *known == look) {
                Some((_, from, to)) => {
                    (*from, *to) = (least.max(*from), most.min(*to));
                    from <= to
                }
                None => {
                    counts.push((look, least, most));
                    true
                }
            }
        })
    }

    fn lost(&mut self, seen: &mut Seen) {
        for pos in self.before.positions() {
            let at = self.before.index(pos);
            if self.before.at(pos).is_unopened() && !changed(&self.from[at], &self.to[at]) {
                seen.sights[at] = self.before.at(pos);
            }
        }
        let patch = |pos: Pos| &self.to[self.before.index(pos)];
        let groups = self.groups();
        if groups.len() > MOST_GROUPS {
            return;
        }
        let mines_of = |mask: usize| {
            let mut mines = vec![false; self.to.len()];
            mines[self.before.index(self.clicked)] = true;
            for (_, group) in groups.iter().enumerate().filter(|(n, _)| mask & 1 << n != 0) {
                group.iter().for_each(|&pos| mines[self.before.index(pos)] = true);
            }
            mines
        };
        // Where all is open, what is no mine is a number.
        let all_open = self.opens_all();
        let has_numbers = |mask: usize| {
            let mines = mines_of(mask);
            let others = groups.iter().enumerate().filter(|(n, _)| mask & 1 << n == 0);
            let mut numbers = others.map(|(_, group)| group);
            !all_open || numbers.all(|group| self.is_one_number(group, &mines))
        };
        let mask_of = |is: &dyn Fn(Pos) -> bool| -> usize {
            let groups = groups.iter().enumerate().filter(|(_, group)| is(group[0]));
            groups.map(|(number, _)| 1 << number).sum()
        };
        // What looks like the mine that went off is one.
        let like_clicked = mask_of(&|pos| self.clusters.alike(patch(pos), patch(self.clicked)));
        // A game may show no other mine, and another ground under what is still covered.
        let still_covered = mask_of(&|pos| self.still_covered(pos) == Sight::Covered);
        let fitting: Vec<usize> = (0..1 << groups.len())
            .filter(|mask| mask & (like_clicked | still_covered) == like_clicked & !still_covered)
            .filter(|&mask| self.fits(&mines_of(mask)) && has_numbers(mask))
            .collect();
        // What shows a mine however the rest is taken. Games that open all cells show numbers too.
        let surely = fitting.iter().copied().reduce(|a, b| a & b).unwrap_or(like_clicked);
        log::debug!(
            "{} looks of unopened cells on the lost board; mines: {surely:b}",
            groups.len()
        );
        let mixed = if fitting.is_empty() { self.mixed(&groups, mines_of) } else { None };
        for (number, group) in groups.iter().enumerate() {
            let is_mine = surely & 1 << number != 0;
            for &pos in group {
                seen.sights[self.before.index(pos)] = match is_mine {
                    true => Sight::Mine,
                    false if mixed == Some(number) => self.before.at(pos),
                    false => self.still_covered(pos),
                };
            }
        }
        let like_a_mine = |pos| {
            let mines = groups.iter().enumerate().filter(|(n, _)| surely & 1 << n != 0);
            mines
                .map(|(_, group)| group)
                .any(|group| self.clusters.alike(patch(group[0]), patch(pos)))
        };
        seen.sights[self.before.index(self.clicked)] =
            if like_a_mine(self.clicked) { Sight::Mine } else { Sight::Burst };
        // A game that opens all its cells then may show a number under the flag.
        let opens_all =
            all_open || groups.iter().flatten().any(|&pos| seen.at(pos) == Sight::Unknown);
        for &pos in self.wrong_flags {
            // Where covered cells are drawn anew, flags may be too, right or wrong.
            let told = !opens_all
                && mixed.is_none()
                && !like_a_mine(pos)
                && changed(&self.from[self.before.index(pos)], patch(pos))
                && self.still_covered(pos) == Sight::Unknown;
            let sight = if told { Sight::WrongFlag } else { Sight::Unknown };
            seen.sights[self.before.index(pos)] = sight;
        }
        seen.mines = match fitting[..] {
            [only] => Some(mines_of(only)),
            _ => None,
        };
        if let [only] = fitting[..]
            && all_open
        {
            for (_, group) in groups.iter().enumerate().filter(|(n, _)| only & 1 << n == 0) {
                for &pos in group {
                    let at = self.before.index(pos);
                    seen.sights[at] = Sight::Open(self.clusters.of(&self.to[at]));
                }
            }
        }
    }

    /// The group that must hold mines and other cells, if just one explains what whole groups of mines do not: the game tells
    /// nothing of these cells, and has only drawn them anew.
    fn mixed(&self, groups: &[Vec<Pos>], mines_of: impl Fn(usize) -> Vec<bool>) -> Option<usize> {
        let explains = |&mixed: &usize| {
            let bit = 1 << mixed;
            let mut others = (0..1 << groups.len()).filter(|mask| mask & bit == 0);
            others.any(|mask| self.fits_between(&mines_of(mask), &mines_of(mask | bit)))
        };
        let is_as_before = |&number: &usize| {
            let before = self.before.at(groups[number][0]);
            groups[number].iter().all(|&pos| self.before.at(pos) == before)
        };
        let mut mixed = (0..groups.len()).filter(explains).filter(is_as_before);
        mixed.next().filter(|_| mixed.next().is_none())
    }

    /// Whether all these cells have as many mines around them.
    fn is_one_number(&self, cells: &[Pos], mines: &[bool]) -> bool {
        let count = |pos: Pos| {
            let around = self.board.neighbours(pos);
            around.filter(|&other| mines[self.before.index(other)]).count()
        };
        cells.iter().all(|&pos| count(pos) == count(cells[0]))
    }

    /// Covered, if the cell looks as it did, or as covered cells do on another ground.
    fn still_covered(&self, pos: Pos) -> Sight {
        let at = self.before.index(pos);
        let same =
            !changed(&self.from[at], &self.to[at]) || self.shape(&self.to[at], self.covered) < 4.0;
        if same { Sight::Covered } else { Sight::Unknown }
    }

    /// How much a cell differs from the nearest of some looks, their ground left out of account.
    fn shape(&self, patch: &CellPatch, clusters: &[CellPatch]) -> f32 {
        clusters.iter().map(|look| look.distance(patch, 0.0)).fold(f32::MAX, f32::min)
    }

    fn won(&self, seen: &mut Seen, mines: Vec<bool>) {
        for pos in self.before.positions() {
            let at = self.before.index(pos);
            if !self.before.at(pos).is_unopened() {
                continue;
            }
            seen.sights[at] = if mines[at] {
                let covered = self.shape(&self.to[at], self.covered);
                let flagged = self.shape(&self.to[at], self.flags);
                if covered < OTHERS_FARTHER * flagged {
                    Sight::Covered
                } else if flagged < OTHERS_FARTHER * covered {
                    Sight::Flagged
                } else {
                    Sight::Unknown
                }
            } else {
                self.clusters.known(&self.to[at]).map_or(Sight::Unknown, Sight::Open)
            };
        }
        seen.mines = Some(mines);
    }
}
