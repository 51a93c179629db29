//! Components and the rest of the board, tied together by the mine count.
//!
//! Once the mines of each component are given, its arrangement does not depend on the others. So the
//! components form a chain in which only the mines used so far are handed on, and at its end the cells that
//! touch no number take the mines that are left, in C(cells, mines) ways. What each component needs to know of
//! all the others is one number for each count of its mines: in how many ways they fit to that. As in a
//! component, these come from a pass forward and a pass backward, and nothing is divided or subtracted.

use std::ops::Range;

use super::component::Component;
use super::weight::{Weight, Wide};

/// How many mines lie in the unknown cells of a board.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::solver) enum Total {
    /// This many.
    Mines(i64),
    /// Unknown: each cell is a mine with the chance [`Total::DENSITY`].
    Unknown,
}

impl Total {
    /// The chance of a mine where nothing is known of their number: about that of an Expert board.
    pub const DENSITY: f64 = 0.2;
    /// What an arrangement loses for each mine it has: `DENSITY / (1 - DENSITY)` is 2^-2.
    const BITS_LOST: i64 = 2;

    /// The chance that a cell is a mine, or that it is none, while their number is unknown.
    pub fn chance(is_mine: bool) -> Wide {
        Wide::new(if is_mine { Self::DENSITY } else { 1.0 - Self::DENSITY }, 0)
    }

    /// What an arrangement loses for so many mines while their number is unknown.
    pub fn loss<W: Weight>(mines: i64) -> W {
        W::new(1.0, -Self::BITS_LOST * mines)
    }
}

/// The cells that touch no number, and what is left for them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(in crate::solver) struct Rest {
    pub cells: u32,
    /// Of the unknown cells, components included.
    pub total: Total,
}

/// A component in the chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link<'c> {
    pub least: u32,
    pub counts: &'c [f64],
    pub exponent: i32,
}

impl<'c> From<&'c Component> for Link<'c> {
    fn from(component: &'c Component) -> Self {
        let Component { least, counts, exponent, .. } = component;
        Self { least: *least, counts, exponent: *exponent }
    }
}

impl Link<'_> {
    /// One of the counts.
    pub fn count<W: Weight>(&self, mines: usize) -> W {
        W::new(self.counts[mines], i64::from(self.exponent))
    }
}

/// Some numbers of a list: one for each count of mines used before a link.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    begin: usize,
    len: usize,
    /// The fewest mines that can be used before.
    least: u32,
}

impl Stretch {
    fn range(self) -> Range<usize> {
        self.begin..self.begin + self.len
    }
}

/// The two passes. Kept and used again, so that it rarely allocates.
#[derive(Clone, Debug)]
pub(super) struct Chain<W> {
    /// The numbers of each link in `ahead`. The last entry is the rest.
    links: Vec<Stretch>,
    /// In how many ways the link and all after it fit to the mines used before.
    ahead: Vec<W>,
    /// In how many ways the links before use so many mines.
    behind: Vec<W>,
    spare: Vec<W>,
    outside: Vec<W>,
    factorials: Factorials,
    rest: Rest,
}

impl<W: Weight> Default for Chain<W> {
    fn default() -> Self {
        Self {
            links: Vec::new(),
            ahead: Vec::new(),
            behind: Vec::new(),
            spare: Vec::new(),
            outside: Vec::new(),
            factorials: Factorials::default(),
            rest: Rest { cells: 0, total: Total::Unknown },
        }
    }
}

impl<W: Weight> Chain<W> {
    /// The pass from the rest to the front. Before the first link, from `least` on, `width` counts of
    /// mines are used already; the answer has one number for each of them: in how many ways everything
    /// fits.
    pub fn pull(&mut self, (least, width): (u32, usize), links: &[Link], rest: Rest) -> &[W] {
        let mut here = Stretch { begin: 0, len: width, least };
        self.links.clear();
        self.links.push(here);
        for link in links {
            here.begin += here.len;
            here.len += link.counts.len() - 1;
            here.least += link.least;
            self.links.push(here);
        }
        self.ahead.clear();
        self.ahead.resize(here.begin + here.len, W::ZERO);
        self.rest = rest;
        rest.fill(here.least, &mut self.ahead[here.range()], &mut self.factorials);
        for (stretch, link) in self.links.iter().zip(links).rev() {
            let (here, next) = self.ahead[stretch.begin..].split_at_mut(stretch.len);
            for mines in 0..link.counts.len() {
                let count = link.count::<W>(mines);
                for (here, &next) in here.iter_mut().zip(&next[mines..]) {
                    *here = here.plus(count.times(next));
                }
            }
        }
        &self.ahead[..width]
    }

    /// After [`Chain::pull`]: in how many ways the links from `link` on, and the rest, fit when the links
    /// before use `used` mines.
    pub fn ahead(&self, link: usize, used: u32) -> W {
        let stretch = self.links[link];
        let index = used.checked_sub(stretch.least).map(|index| index as usize);
        index
            .filter(|&index| index < stretch.len)
            .map_or(W::ZERO, |index| self.ahead[stretch.begin + index])
    }

    /// The pass from the front to the rest, after [`Chain::pull`] with no mines used before the first
    /// link. Calls `each` for every link: in how many ways the rest of the board fits to each count of it.
    pub fn push(&mut self, links: &[Link], mut each: impl FnMut(usize, &[W])) {
        let mut outside = std::mem::take(&mut self.outside);
        self.behind.clear();
        self.behind.push(W::new(1.0, 0));
        for (index, link) in links.iter().enumerate() {
            let stretch = self.links[index + 1];
            let next = &self.ahead[stretch.range()];
            outside.clear();
            outside.extend((0..link.counts.len()).map(|mines| {
                let pairs = self.behind.iter().zip(&next[mines..]);
                pairs.fold(W::ZERO, |sum, (&behind, &ahead)| sum.plus(behind.times(ahead)))
            }));
            each(index, &outside);
            self.spare.clear();
            self.spare.resize(stretch.len, W::ZERO);
            for mines in 0..link.counts.len() {
                let count = link.count::<W>(mines);
                for (to, &from) in self.spare[mines..].iter_mut().zip(&self.behind) {
                    *to = to.plus(count.times(from));
                }
            }
            std::mem::swap(&mut self.behind, &mut self.spare);
        }
        self.outside = outside;
    }

    /// After [`Chain::push`]: in how many ways, up to a common factor, a given cell of the rest is a mine,
    /// and in how many it is not.
    pub fn rest(&self) -> (W, W) {
        let Total::Mines(total) = self.rest.total else {
            return (W::new(Total::DENSITY, 0), W::new(1.0 - Total::DENSITY, 0));
        };
        let (mut mined, mut clear) = (W::ZERO, W::ZERO);
        let end = self.links[self.links.len() - 1];
        let (behind, ahead) = (self.behind.iter(), &self.ahead[end.range()]);
        for ((&behind, &ahead), used) in behind.zip(ahead).zip(i64::from(end.least)..) {
            if !ahead.is_zero() {
                let ways = behind.times(ahead);
                let mines = (total - used) as f64;
                mined = mined.plus(ways.times(W::new(mines, 0)));
                clear = clear.plus(ways.times(W::new(f64::from(self.rest.cells) - mines, 0)));
            }
        }
        (mined, clear)
    }
}

impl Rest {
    /// In how many ways the rest of the board fits when the components use `least` mines, one more,
    /// and so on.
    fn fill<W: Weight>(self, least: u32, ways: &mut [W], factorials: &mut Factorials) {
        let Total::Mines(total) = self.total else {
            for (ways, used) in ways.iter_mut().zip(i64::from(least)..) {
                *ways = Total::loss(used);
            }
            return;
        };
        // From the most mines used, so the fewest left, to the fewest used.
        let (least, cells) = (i64::from(least), i64::from(self.cells));
        let fewest = (total - least - ways.len() as i64 + 1).max(0);
        let most = (total - least).min(cells);
        if fewest > most {
            return;
        }
        let mut binomial = W::of(factorials.binomial(cells as usize, fewest as usize));
        for left in fewest..=most {
            ways[(total - left - least) as usize] = binomial;
            let step = (cells - left) as f64 / (left + 1) as f64;
            binomial = binomial.times(W::new(step, 0));
        }
    }
}

/// The factorials, as far as they were needed.
#[derive(Clone, Debug, Default)]
struct Factorials(Vec<Wide>);

impl Factorials {
    /// C(n, k).
    fn binomial(&mut self, n: usize, k: usize) -> Wide {
        let Self(factorials) = self;
        for next in factorials.len()..=n {
            let factorial = match factorials.last() {
                Some(last) => last.times(Wide::new(next as f64, 0)),
                None => Wide::new(1.0, 0),
            };
            factorials.push(factorial);
        }
        factorials[n].divided_by(factorials[k].times(factorials[n - k]))
    }
}
