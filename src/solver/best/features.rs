//! What a position looks like from afar: the few numbers by which its chance to be won is judged.

use crate::solver::odds::{Place, Position, Total};

/// How many numbers there are.
pub const FEATURES: usize = 26;

/// What a position looks like.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Features {
    /// The chance to get past the guesses that nothing can spare, from 0 to 1: see `inseparable`.
    pub ceiling: f64,
    /// All else, each number about from 0 to 1.
    pub numbers: [f64; FEATURES],
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
        let risk = |nth: usize| if has_safe { 0.0 } else { seen.least[nth] };
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
            risk(0),
            risk(1),
            risk(2),
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
        ];
        Self { ceiling, numbers }
    }
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
