//! In which order the classes of a component are decided, and what that asks of each step.
//!
//! The cost of counting grows with the constraints that are *open* at a time: those with some classes
//! decided and others not. So the order starts at an end of the component, and the next class is one
//! of the constraint that has been open longest, as in the ordering of Cuthill and McKee for narrow matrices;
//! but one that opens few constraints or closes some may come earlier. To take only the class that leaves the
//! fewest constraints open was tried: it runs ahead along one side of a frontier and pays for it on the
//! other, with up to 60 times as many states on Expert boards.
//!
//! A state of the count is what each open constraint still lacks, four bits each, packed into one
//! number; constraints share the 32 *slots* in it, each from its first class to its last.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::eight::Eight;
use super::partition::{Class, Problem};

/// Bits of a slot.
const SLOT: u32 = 4;
/// What a slot can hold at most; enough for the eight mines of a number.
const SLOT_MOST: u8 = (1 << SLOT) - 1;
/// Slots of a state.
const SLOTS: u32 = u128::BITS / SLOT;

/// For how many steps a class waits rather than open one constraint more. Found by trial: from 1 to 8
/// the states of large boards become fewer by a quarter, those of Expert boards more by a tenth.
const GROWTH_COST: i64 = 8;

/// One class is decided: how that changes a state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Step {
    /// Cells of the class.
    pub size: u8,
    /// The fewest and the most mines that it may hold.
    pub least: u8,
    pub most: u8,
    /// To be added to a state first: what the constraints that open here lack.
    pub opened: u128,
    /// To be subtracted from a state for each mine in the class.
    pub mine: u128,
    /// The constraints of the class.
    sums: Eight<Sum>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    /// Where in a state it is.
    shift: u8,
    /// The fewest and the most mines that its later classes may hold.
    least_after: u8,
    most_after: u8,
}

impl Step {
    /// The fewest and the most mines that the class may hold in `state`; the first may be larger, then
    /// there is no way.
    pub fn range(&self, state: u128) -> (u8, u8) {
        let (mut least, mut most) = (self.least as i8, self.most as i8);
        for sum in self.sums.iter() {
            let lacking = (state >> sum.shift) as i8 & SLOT_MOST as i8;
            least = least.max(lacking - sum.most_after as i8);
            most = most.min(lacking - sum.least_after as i8);
        }
        if most < least { (1, 0) } else { (least as u8, most as u8) }
    }
}

/// Orders the classes of components. Kept and used again, so that it rarely allocates.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    /// The classes of each constraint.
    members: Vec<Eight<u32>>,
    sums: Vec<OpenSum>,
    waiting: Vec<Waiting>,
    /// The classes that touch an open constraint, by rank and then by number.
    queue: BinaryHeap<Reverse<(i64, u32)>>,
    order: Vec<u32>,
    /// The steps of the component that was ordered last, one for each class.
    pub steps: Vec<Step>,
}

/// A constraint while classes are being decided.
#[derive(Clone, Copy, Debug, Default)]
struct OpenSum {
    /// Classes not yet decided, and the bounds of their mines.
    classes: u8,
    least: u8,
    most: u8,
    /// Its slot once it is open.
    slot: Option<u8>,
}

/// A class while others are being decided.
#[derive(Clone, Copy, Debug, Default)]
struct Waiting {
    is_decided: bool,
    /// Constraints that it would open, less those that it would close.
    growth: i8,
    /// When the oldest open constraint of it was opened.
    since: u32,
}

impl Waiting {
    /// The lowest is decided next.
    fn rank(&self) -> i64 {
        i64::from(self.since) + GROWTH_COST * i64::from(self.growth)
    }
}

impl Order {
    /// Puts the classes of `problem` into the order in which they are to be decided, and finds the
    /// steps; false when more constraints than there are slots would be open at a time.
    pub fn arrange(&mut self, problem: &mut Problem) -> bool {
        self.find_order(problem);
        let classes: &mut Vec<_> = &mut problem.classes;
        // Each class to its place, along the cycles of the permutation.
        for place in 0..classes.len() {
            let mut from = self.order[place] as usize;
            while from < place {
                from = self.order[from] as usize;
            }
            classes.swap(place, from);
        }
        self.find_steps(problem)
    }

    fn find_order(&mut self, problem: &Problem) {
        let Problem { classes, constraints, .. } = problem;
        self.members.clear();
        self.members.resize(constraints.len(), Eight::default());
        self.waiting.clear();
        for (index, class) in classes.iter().enumerate() {
            for &constraint in class.constraints.iter() {
                self.members[constraint as usize].push(index as u32);
            }
            let growth = class.constraints.len() as i8;
            self.waiting.push(Waiting { is_decided: false, growth, since: u32::MAX });
        }
        self.sums.clear();
        for members in &self.members {
            let left = members.len() as u8;
            self.sums.push(OpenSum { classes: left, ..OpenSum::default() });
            if left == 1 {
                self.waiting[members[0] as usize].growth -= 1;
            }
        }
        self.order.clear();
        self.queue.clear();
        // The last class was reached last when the component was gathered, so it is at an end of it. All hang together,
        // so the queue has the others until none is left.
        let mut next = classes.len().checked_sub(1);
        while let Some(index) = next {
            self.decide(index, &classes[index]);
            next = loop {
                match self.queue.pop() {
                    Some(Reverse((_, index))) if self.waiting[index as usize].is_decided => {}
                    found => break found.map(|Reverse((_, index))| index as usize),
                }
            };
        }
    }

    /// Puts a class next in the order.
    fn decide(&mut self, index: usize, class: &Class) {
        let step = self.order.len() as u32;
        self.order.push(index as u32);
        self.waiting[index].is_decided = true;
        for &constraint in class.constraints.iter() {
            let members = &self.members[constraint as usize];
            let sum = &mut self.sums[constraint as usize];
            let opens = usize::from(sum.classes) == members.len();
            sum.classes -= 1;
            let closes_next = sum.classes == 1;
            if !opens && !closes_next {
                continue;
            }
            for &index in members.iter() {
                let other = &mut self.waiting[index as usize];
                if opens {
                    other.growth -= 1;
                    other.since = other.since.min(step);
                }
                other.growth -= i8::from(closes_next);
                if !other.is_decided {
                    // Ranks only fall, so that what the queue has of it from before comes later, and too late.
                    self.queue.push(Reverse((other.rank(), index)));
                }
            }
        }
    }

    /// Finds the steps of `problem` in the order that its classes have; false when more constraints than
    /// there are slots would be open at a time.
    pub fn find_steps(&mut self, problem: &Problem) -> bool {
        self.sums.clear();
        self.sums.resize(problem.constraints.len(), OpenSum::default());
        for class in &problem.classes {
            for &constraint in class.constraints.iter() {
                let sum = &mut self.sums[constraint as usize];
                sum.classes += 1;
                sum.least += class.least;
                sum.most += class.most;
            }
        }
        if let Some(tally) = problem.tally {
            // Whatever is not counted by its last class is as good.
            self.sums[tally].least = 0;
            self.sums[tally].most = SLOT_MOST;
            self.sums[tally].classes += 1;
        }
        self.steps.clear();
        let mut free = u32::MAX >> (u32::BITS - SLOTS);
        for class in &problem.classes {
            let (least, most) = (class.least, class.most);
            let mut step = Step { size: class.cells.len() as u8, least, most, ..Step::default() };
            let mut closed = 0;
            for &index in class.constraints.iter() {
                let sum = &mut self.sums[index as usize];
                let slot = match sum.slot {
                    Some(slot) => slot,
                    None if free == 0 => return false,
                    None => {
                        let slot = free.trailing_zeros() as u8;
                        free &= free - 1;
                        let mines = u128::from(problem.constraints[index as usize].mines);
                        step.opened += mines << (u32::from(slot) * SLOT);
                        slot
                    }
                };
                sum.slot = Some(slot);
                sum.classes -= 1;
                if problem.tally != Some(index as usize) {
                    sum.least -= least;
                    sum.most -= most;
                }
                let shift = slot * SLOT as u8;
                step.mine += 1 << shift;
                step.sums.push(Sum { shift, least_after: sum.least, most_after: sum.most });
                if sum.classes == 0 {
                    closed |= 1 << slot;
                }
            }
            free |= closed;
            self.steps.push(step);
        }
        true
    }

    /// Which number of mines in the tally the last state of a component with one stands for.
    pub fn tallied(&self, problem: &Problem, state: u128) -> u8 {
        let tally = problem.tally.expect("a tally");
        let slot = self.sums[tally].slot.expect("a tally with classes");
        let left = (state >> (u32::from(slot) * SLOT)) as u8 & SLOT_MOST;
        problem.constraints[tally].mines - left
    }
}
