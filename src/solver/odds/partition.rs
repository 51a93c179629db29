//! From numbers to components: classes of equal cells, bounds, and what hangs together.
//!
//! Cells that touch the same numbers are interchangeable, so only the number of mines in each such
//! *class* matters (the "boxes" of David Hill's solver; he calls the numbers "witnesses"). On the
//! classes, bounds are made consistent, as in constraint programming: a number leaves a class no fewer
//! mines than its other classes cannot take, and no more than they leave over. A class whose two bounds
//! meet is settled and drops out of its numbers. What is left falls into components that share no
//! number.
//!
//! The surprise: a class can be settled without its cells being known, as in "one mine in these two".
//! It then is a component of its own, with one constraint.

use std::mem;

use super::eight::Eight;

/// A number and the unknown cells around it. Cells are called by their places on a
/// [`Grid`](crate::solver::grid::Grid).
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Constraint {
    /// The cell that shows the number.
    pub number: u32,
    /// Mines among `cells`.
    pub mines: u8,
    /// The unknown cells around it.
    pub cells: Eight<u32>,
}

/// Unknown cells that touch the same numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Class {
    /// The cells.
    pub cells: Eight<u32>,
    /// The fewest mines that they may hold as far as the bounds tell.
    pub least: u8,
    /// The most mines that they may hold as far as the bounds tell.
    pub most: u8,
    /// The constraints they are in.
    pub constraints: Eight<u32>,
}

impl Class {
    fn is_settled(&self) -> bool {
        self.least == self.most
    }
}

/// One component: classes and the constraints between them.
#[derive(Clone, Debug, Default)]
pub(super) struct Problem {
    pub classes: Vec<Class>,
    pub constraints: Vec<Constraint>,
    /// The constraint whose mines are not given but counted; see [`Partition::split`].
    pub tally: Option<usize>,
}

impl Problem {
    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.classes.iter().map(|class| class.cells.len()).sum()
    }
}

const NONE: u32 = u32::MAX;

/// Splits constraints into components. Kept and used again, so that it rarely allocates.
#[derive(Clone, Debug, Default)]
pub(super) struct Partition {
    constraints: Vec<Constraint>,
    tally: Option<usize>,
    /// For each cell of the board its place in `cells`, or `NONE`; all `NONE` between two splits.
    places: Vec<u32>,
    /// The cells of all constraints, each with the constraints it is in.
    cells: Vec<(u32, Eight<u32>)>,
    classes: Vec<Class>,
    /// The classes of each constraint.
    members: Vec<Eight<u32>>,
    /// For each class, or constraint, its place in the component being gathered, or `NONE`.
    class_places: Vec<u32>,
    constraint_places: Vec<u32>,
    /// Where the next component is looked for.
    next: usize,
    /// Cells that are settled, and whether they are mines.
    pub facts: Vec<(u32, bool)>,
    /// Mines among the cells of the tally that are already settled.
    pub tallied: u8,
}

impl Partition {
    /// Takes in the constraints of a board of `cells` cells. The mines of the constraint `tally` are
    /// not given: every number of them is possible, and will be told apart. `None` when the bounds clash.
    pub fn split(
        &mut self,
        cells: usize,
        constraints: impl IntoIterator<Item = Constraint>,
        tally: Option<usize>,
    ) -> Option<()> {
        self.constraints.clear();
        self.constraints.extend(constraints);
        self.tally = tally;
        self.places.resize(cells, NONE);
        self.find_classes();
        self.tighten()?;
        self.settle();
        Some(())
    }

    fn find_classes(&mut self) {
        self.cells.clear();
        for (index, constraint) in self.constraints.iter().enumerate() {
            for &cell in constraint.cells.iter() {
                let place = &mut self.places[cell as usize];
                if *place == NONE {
                    *place = self.cells.len() as u32;
                    self.cells.push((cell, Eight::default()));
                }
                self.cells[*place as usize].1.push(index as u32);
            }
        }
        self.classes.clear();
        self.members.clear();
        self.members.resize(self.constraints.len(), Eight::default());
        for &(cell, touched) in &self.cells {
            self.places[cell as usize] = NONE;
            let same = |&&class: &&u32| self.classes[class as usize].constraints == touched;
            let class = match self.members[touched[0] as usize].iter().find(same) {
                Some(&class) => class as usize,
                None => {
                    for &constraint in touched.iter() {
                        self.members[constraint as usize].push(self.classes.len() as u32);
                    }
                    self.classes.push(Class { constraints: touched, ..Class::default() });
                    self.classes.len() - 1
                }
            };
            self.classes[class].cells.push(cell);
            self.classes[class].most += 1;
        }
    }

    /// Makes the bounds of all classes consistent.
    fn tighten(&mut self) -> Option<()> {
        let mut again = true;
        while mem::take(&mut again) {
            for (index, constraint) in self.constraints.iter().enumerate() {
                if self.tally == Some(index) {
                    continue;
                }
                let members = &self.members[index];
                let sum = |bound: fn(&Class) -> u8| -> i8 {
                    members.iter().map(|&class| bound(&self.classes[class as usize]) as i8).sum()
                };
                // What is left of the number when every class has its fewest, or its most, mines.
                let spare = constraint.mines as i8 - sum(|class| class.least);
                let lacking = constraint.mines as i8 - sum(|class| class.most);
                if spare < 0 || lacking > 0 {
                    return None;
                }
                for &class in members.iter() {
                    let class = &mut self.classes[class as usize];
                    let (least, most) = (class.least as i8, class.most as i8);
                    let (new_least, new_most) =
                        (least.max(most + lacking), most.min(least + spare));
                    again |= (new_least, new_most) != (least, most);
                    (class.least, class.most) = (new_least as u8, new_most as u8);
                }
            }
        }
        Some(())
    }

    /// Takes the settled classes out of their constraints, and starts the gathering of components.
    fn settle(&mut self) {
        self.facts.clear();
        self.tallied = 0;
        self.class_places.clear();
        self.class_places.resize(self.classes.len(), NONE);
        self.constraint_places.clear();
        self.constraint_places.resize(self.constraints.len(), NONE);
        self.next = 0;
        for class in self.classes.iter().filter(|class| class.is_settled()) {
            for &index in class.constraints.iter() {
                let constraint = &mut self.constraints[index as usize];
                constraint.cells.retain(|cell| !class.cells.contains(&cell));
                if self.tally == Some(index as usize) {
                    self.tallied += class.least;
                } else {
                    constraint.mines -= class.least;
                }
            }
            let is_mine = class.least > 0;
            if !is_mine || usize::from(class.least) == class.cells.len() {
                self.facts.extend(class.cells.iter().map(|&cell| (cell, is_mine)));
            }
        }
        if let Some(tally) = self.tally {
            let tally = &mut self.constraints[tally];
            tally.mines = tally.cells.len() as u8;
        }
    }

    /// Gathers the next component into `problem`; false when there are no more.
    pub fn next_component(&mut self, problem: &mut Problem) -> bool {
        problem.classes.clear();
        problem.constraints.clear();
        problem.tally = None;
        while self.next < self.classes.len() {
            let start = self.next;
            self.next += 1;
            let class = &self.classes[start];
            if class.is_settled() {
                if class.least > 0 && usize::from(class.least) < class.cells.len() {
                    let number = self.constraints[class.constraints[0] as usize].number;
                    let cells = class.cells;
                    problem.constraints.push(Constraint { number, mines: class.least, cells });
                    let constraints = [0].into_iter().collect();
                    problem.classes.push(Class { constraints, ..*class });
                    return true;
                }
            } else if self.class_places[start] == NONE {
                self.gather(start, problem);
                return true;
            }
        }
        false
    }

    /// Gathers the component of the class `start`: everything that is reached through constraints.
    fn gather(&mut self, start: usize, problem: &mut Problem) {
        self.class_places[start] = 0;
        problem.classes.push(self.classes[start]);
        let mut done = 0;
        while done < problem.classes.len() {
            let touched = problem.classes[done].constraints;
            let mut own = Eight::default();
            for &index in touched.iter() {
                let place = &mut self.constraint_places[index as usize];
                if *place == NONE {
                    *place = problem.constraints.len() as u32;
                    if self.tally == Some(index as usize) {
                        problem.tally = Some(problem.constraints.len());
                    }
                    problem.constraints.push(self.constraints[index as usize]);
                    for &class in self.members[index as usize].iter() {
                        let class = class as usize;
                        if self.class_places[class] == NONE && !self.classes[class].is_settled() {
                            self.class_places[class] = problem.classes.len() as u32;
                            problem.classes.push(self.classes[class]);
                        }
                    }
                }
                own.push(*place);
            }
            problem.classes[done].constraints = own;
            done += 1;
        }
    }
}
