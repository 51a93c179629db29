//! What a position looks like from afar: the numbers by which its chance to be won is judged.

use crate::solver::odds::{Place, Position, Total};

/// How many numbers there are of the whole position.
pub const FEATURES: usize = 28;

/// How many numbers there are of a cell.
pub const CELL_FEATURES: usize = 14;

/// What a position looks like.
#[derive(Clone, PartialEq, Debug)]
pub struct Features {
    /// The chance to get past the guesses that nothing can spare, from 0 to 1: see `inseparable`.
    pub ceiling: f64,
    /// What there is to say of it as a whole, each number about from 0 to 1.
    pub numbers: [f64; FEATURES],
    /// What there is to say of the cells that may still be opened and are not alike.
    pub cells: Vec<CellFeatures>,
}

/// What a cell that may still be opened looks like.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CellFeatures {
    /// How many cells look like this.
    pub times: f32,
    /// Each number about from 0 to 1.
    pub numbers: [f32; CELL_FEATURES],
}

impl Features {
    /// The features of `position`.
    pub fn of(position: &Position) -> Self {
        let mut seen = Seen {
            least: [1.0; 3],
            parts: vec![Part { doubt: 0.0, is_closed: true }; position.components.len()],
            ..Seen::default()
        };
        for at in position.grid.cells() {
            seen.add(position, at);
        }
        let (mut components, mut closed, mut closed_doubt) = (0.0, 0.0, 0.0);
        let (mut pairs, mut ceiling) = (0.0, 1.0);
        for (component, part) in position.components.iter().zip(&seen.parts) {
            let Some(component) = component else { continue };
            components += 1.0;
            if part.is_closed {
                closed += 1.0;
                closed_doubt += part.doubt;
            }
            for class in &component.classes {
                let [one, other] = class.cells[..] else { continue };
                let chance = position.chance(one).unwrap_or_default();
                if doubt(chance) > 0.0 && inseparable(position, one, other) {
                    pairs += 1.0;
                    // One of two is a mine with at most this chance, and then a coin decides.
                    let one_mine = 1.0 - (2.0 * chance - 1.0).abs();
                    ceiling *= 1.0 - one_mine / 2.0;
                }
            }
        }
        let Seen { safe, reached, unknown, rest, frontier, .. } = seen;
        let all = seen.all.max(1.0);
        let mines = match position.rest.total {
            Total::Mines(mines) => mines as f64,
            Total::Unknown => seen.expected,
        };
        let bits = position.weight.rough_log2().max(0.0);
        let has_safe = safe > 0.0;
        let numbers = [
            f64::from(u8::from(has_safe)),
            half(safe, 2.0),
            half(safe, 10.0),
            half(reached, 3.0),
            half(reached, 15.0),
            rest / all,
            if rest > 0.0 { position.rest_chance() } else { 0.0 },
            unknown / all,
            half(unknown, 20.0),
            half(unknown, 100.0),
            half(frontier, 30.0),
            half(seen.doubt, 4.0),
            half(seen.doubt, 16.0),
            seen.least[0],
            seen.least[1],
            seen.least[2],
            half(seen.even, 4.0),
            half(components, 4.0),
            half(closed, 2.0),
            half(closed_doubt, 4.0),
            half(bits, 10.0),
            half(bits, 60.0),
            if unknown > 0.0 { mines / unknown } else { 0.0 },
            half(seen.likely_safe, 5.0),
            half(pairs, 2.0),
            half(all, 300.0),
            if has_safe { 0.0 } else { seen.least[0] },
            if has_safe { 0.0 } else { seen.least[1] },
        ];
        let cells = cells(position, &seen.parts);
        Self { ceiling, numbers, cells }
    }
}

/// What the cells look like: those of the frontier, those beside it, the safe ones, and each kind of the others.
fn cells(position: &Position, parts: &[Part]) -> Vec<CellFeatures> {
    let mut cells = Vec::with_capacity(96);
    // Cells that touch no number, as many as have so many unknown neighbours.
    let mut kinds = [(0.0, 0); 9];
    for at in position.grid.cells() {
        let place = position.places[at];
        match place {
            Place::Open | Place::Mine => {}
            Place::Rest => {
                let (mut rest, mut other) = (0, false);
                for near in position.grid.around(at) {
                    match position.places[near] {
                        Place::Rest => rest += 1,
                        Place::Class { .. } | Place::Clear => other = true,
                        _ => {}
                    }
                }
                if other {
                    cells.push(cell(position, parts, at, 1.0));
                } else {
                    kinds[rest] = (kinds[rest].0 + 1.0, at);
                }
            }
            Place::Clear | Place::Class { .. } => cells.push(cell(position, parts, at, 1.0)),
        }
    }
    for (times, at) in kinds {
        if times > 0.0 {
            cells.push(cell(position, parts, at, times));
        }
    }
    cells
}

/// What one cell looks like.
fn cell(position: &Position, parts: &[Part], at: usize, times: f32) -> CellFeatures {
    let place = position.places[at];
    let chance = position.chance(at as u32).unwrap_or_default();
    let (mut unknown, mut safe, mut open, mut rest) = (0.0, 0.0, 0.0, 0.0);
    let (mut no_mine, mut spread) = (1.0 - chance, 0.0);
    let mut least: f64 = 1.0;
    for near in position.grid.around(at) {
        match position.places[near] {
            Place::Open => open += 1.0,
            Place::Mine => no_mine = 0.0,
            Place::Clear => safe += 1.0,
            near_place => {
                let chance = position.chance(near as u32).unwrap_or_default();
                unknown += 1.0;
                rest += f64::from(u8::from(near_place == Place::Rest));
                no_mine *= 1.0 - chance;
                spread += chance * (1.0 - chance);
                least = least.min(chance);
            }
        }
    }
    let (alike, part) = match place {
        Place::Class { component, class } => {
            let classes = position.components[component as usize].as_ref();
            let cells = classes.map_or(1, |it| it.classes[class as usize].cells.len());
            (1.0 / cells as f64, Some(&parts[component as usize]))
        }
        _ => (0.0, None),
    };
    let numbers = [
        chance,
        f64::from(u8::from(place == Place::Rest)),
        f64::from(u8::from(place == Place::Clear)),
        doubt(chance),
        unknown / 8.0,
        safe / 8.0,
        open / 8.0,
        rest / 8.0,
        no_mine,
        spread,
        if unknown > 0.0 { least } else { 0.0 },
        alike,
        part.map_or(0.0, |part| f64::from(u8::from(part.is_closed))),
        part.map_or(0.0, |part| half(part.doubt, 4.0)),
    ];
    CellFeatures { times, numbers: numbers.map(|number| number as f32) }
}

/// A number from 0 on as one from 0 to 1, which is one half at `at`.
fn half(value: f64, at: f64) -> f64 {
    value / (value + at)
}

/// How little is known of a cell: 1 for a chance of one half, 0 for certainty.
fn doubt(chance: f64) -> f64 {
    4.0 * chance * (1.0 - chance)
}

/// Whether nothing that may still be opened can tell two cells of a class apart, because every other cell
/// that may be opened touches both of them or none. One mine in two such cells is a coin to be tossed,
/// sooner or later.
pub(in crate::solver) fn inseparable(position: &Position, one: u32, other: u32) -> bool {
    let may_open = |near: usize| !matches!(position.places[near], Place::Open | Place::Mine);
    let touches = |cell: u32, near: usize| position.grid.around(cell as usize).contains(&near);
    let tells = |cell: u32, twin: u32| {
        let around = position.grid.around(cell as usize).into_iter();
        around
            .filter(|&near| near != twin as usize)
            .any(|near| may_open(near) && !touches(twin, near))
    };
    !tells(one, other) && !tells(other, one)
}

/// What is counted on the way over the board.
#[derive(Default)]
struct Seen {
    all: f64,
    safe: f64,
    /// Unknown neighbours of safe cells: what the safe cells will tell of.
    reached: f64,
    unknown: f64,
    /// Unknown cells that touch no number.
    rest: f64,
    /// Unknown cells that touch one.
    frontier: f64,
    doubt: f64,
    /// Cells that are as likely a mine as not.
    even: f64,
    /// Cells on the frontier that are hardly ever mines.
    likely_safe: f64,
    /// The three least chances of a mine.
    least: [f64; 3],
    /// Mines to be expected.
    expected: f64,
    parts: Vec<Part>,
}

/// What is counted of a component.
#[derive(Clone)]
struct Part {
    doubt: f64,
    /// Whether no unknown cell outside of it touches it.
    is_closed: bool,
}

impl Seen {
    fn add(&mut self, position: &Position, at: usize) {
        self.all += 1.0;
        let place = position.places[at];
        if matches!(place, Place::Open | Place::Mine) {
            return;
        }
        let chance = position.chance(at as u32).unwrap_or_default();
        let mut around = position.grid.around(at).into_iter();
        if chance == 0.0 {
            self.safe += 1.0;
            let is_unknown =
                |&near: &usize| matches!(position.places[near], Place::Rest | Place::Class { .. });
            self.reached += around.filter(is_unknown).count() as f64;
            return;
        }
        if chance == 1.0 {
            return;
        }
        self.unknown += 1.0;
        self.expected += chance;
        if chance < self.least[2] {
            self.least[2] = chance;
            self.least.sort_by(f64::total_cmp);
        }
        let Place::Class { component, .. } = place else {
            self.rest += 1.0;
            return;
        };
        self.frontier += 1.0;
        self.doubt += doubt(chance);
        self.even += f64::from(u8::from((chance - 0.5).abs() < 1e-6));
        self.likely_safe += f64::from(u8::from(chance < 0.1));
        let part = &mut self.parts[component as usize];
        part.doubt += doubt(chance);
        part.is_closed &= !around.any(|near| match position.places[near] {
            Place::Rest => true,
            Place::Class { component: other, .. } => other != component,
            _ => false,
        });
    }
}
