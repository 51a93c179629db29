//! How a skin's cells look at a size: what the model predicts from.

use std::sync::Arc;

use super::samples::drawn;
use crate::board::Cell;
use crate::recognize::skin::{Mood, Skin, Template};

/// What a colour of a template is described by before it is transformed: red, green and blue, a constant, their squares
/// (a display's gamma is nearly quadratic), and lightness (inverted with the hue kept it is linear in that).
pub(crate) const FEATURES: usize = 8;

/// Bins of the circle that edges of cells are folded to.
pub(crate) const FOLDS: usize = 64;

/// The features of a colour, each from 0 to about 255.
pub(crate) fn features([red, green, blue]: [f32; 3]) -> [f32; FEATURES] {
    let lightness = (red.max(green).max(blue) + red.min(green).min(blue)) / 2.0;
    let squared = |value: f32| value * value / 255.0;
    [red, green, blue, 255.0, squared(red), squared(green), squared(blue), lightness]
}

/// One way of drawing a cell.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) cell: Cell,
    /// The logarithm of how often cells are of this kind.
    pub(crate) prior: f32,
    /// [`FEATURES`] planes of `side` x `side` bins.
    pub(crate) features: Vec<f32>,
    /// The width of its template, in pixels.
    width: u32,
}

/// All that a skin's cells look like in one phase of a game, at one size of cells and width of gaps.
#[derive(Clone, Debug)]
pub(crate) struct Looks {
    pub(crate) skin: Arc<Skin>,
    pub(crate) mood: Option<Mood>,
    /// Pixels between cells.
    pub(crate) gap: f32,
    /// The width of a cell without the gap, in pixels.
    pub(crate) width: f32,
    pub(crate) side: usize,
    pub(crate) looks: Vec<Look>,
}

impl Looks {
    /// The looks of a skin in a game's phase, at cells of so many pixels with `gap` pixels between them; `None` when the skin
    /// has none of its own for the phase.
    pub(crate) fn new(
        skin: &Arc<Skin>,
        mood: Option<Mood>,
        size: (u32, u32),
        gap: f32,
        side: usize,
    ) -> Option<Self> {
        let templates = &skin.templates;
        if mood.is_some() && !templates.iter().any(|template| template.mood == mood) {
            return None;
        }
        let own = |cell| templates.iter().any(|t| t.cell == cell && t.mood == mood);
        let shown =
            templates.iter().filter(|t| t.mood == mood || (t.mood.is_none() && !own(t.cell)));
        let margin = skin.gap.map(|own| (gap / 2.0, own.colour));
        let shown: Vec<&Template> = shown.collect();
        let looks = shown.iter().map(|template| {
            let planes = drawn(&template.picture, size, margin, side);
            let alike = shown.iter().filter(|other| other.cell == template.cell).count();
            Look {
                cell: template.cell,
                prior: prior(template.cell) - (alike as f32).ln(),
                features: feature_planes(&planes, side),
                width: template.picture.width(),
            }
        });
        let looks = looks.collect();
        Some(Self { skin: skin.clone(), mood, gap, width: size.0 as f32 - gap, side, looks })
    }

    /// The same with half as many bins along each axis.
    pub(crate) fn halved(&self) -> Self {
        let side = self.side / 2;
        let halved = |planes: &[f32]| -> Vec<f32> {
            let plane = self.side * self.side;
            planes
                .chunks_exact(plane)
                .flat_map(|plane| {
                    (0..side * side).map(move |at| {
                        let first = at / side * 2 * self.side + at % side * 2;
                        let rows = [first, first + self.side];
                        rows.iter().map(|&at| plane[at] + plane[at + 1]).sum::<f32>() / 4.0
                    })
                })
                .collect()
        };
        let looks =
            self.looks.iter().map(|look| Look { features: halved(&look.features), ..look.clone() });
        Self { looks: looks.collect(), side, ..self.clone() }
    }

    /// Those of all other kinds.
    pub(crate) fn without(&self, kind: Cell) -> Self {
        let looks = self.looks.iter().filter(|look| look.cell != kind).cloned();
        Self { looks: looks.collect(), ..self.clone() }
    }

    /// Only so many looks of each kind, those whose templates are nearest in size.
    pub(crate) fn nearest_in_size(&self, count: usize) -> Self {
        let far = |look: &Look| (look.width as f32 / self.width).ln().abs();
        let mut looks = self.looks.clone();
        looks.sort_by(|a, b| far(a).total_cmp(&far(b)));
        let mut kept: Vec<Look> = Vec::new();
        for look in looks {
            if kept.iter().filter(|other| other.cell == look.cell).count() < count {
                kept.push(look);
            }
        }
        Self { looks: kept, ..self.clone() }
    }

    /// Where the edges of the cells are along both axes, folded to a circle of [`FOLDS`] bins: of covered cells, and of
    /// opened ones.
    pub(crate) fn folded_edges(&self) -> [[Vec<f32>; 2]; 2] {
        let of = |counts: &dyn Fn(Cell) -> bool| {
            let mut folded = [vec![0.0; FOLDS], vec![0.0; FOLDS]];
            let shown = self.looks.iter().filter(|look| counts(look.cell));
            for look in shown {
                let weight = look.prior.exp();
                self.add_edges(look, weight, &mut folded);
            }
            folded
        };
        let is_open = |cell: Cell| cell.number().is_some_and(|number| number <= 3);
        [of(&|cell| cell == Cell::Covered), of(&|cell| is_open(cell) || cell == Cell::Covered)]
    }

    fn add_edges(&self, look: &Look, weight: f32, folded: &mut [Vec<f32>; 2]) {
        let side = self.side;
        let plane = side * side;
        for y in 0..side {
            for x in 0..side {
                let step = |to: usize| -> f32 {
                    let from = y * side + x;
                    (0..3)
                        .map(|channel| {
                            let values = &look.features[channel * plane..];
                            (values[to] - values[from]).abs()
                        })
                        .sum()
                };
                // Beyond the last bin comes the first of the next cell.
                let across = step(y * side + (x + 1) % side);
                let down = step((y + 1) % side * side + x);
                let bin = |at: usize| (at + 1) * FOLDS / side % FOLDS;
                folded[0][bin(x)] += weight * across.min(EDGE_CAP);
                folded[1][bin(y)] += weight * down.min(EDGE_CAP);
            }
        }
    }
}

/// Loud edges count like middling ones: the sum over red, green and blue.
pub(crate) const EDGE_CAP: f32 = 72.0;

/// The features of planes of red, green and blue.
fn feature_planes(planes: &[f32], side: usize) -> Vec<f32> {
    let count = side * side;
    let mut out = vec![0.0; FEATURES * count];
    for at in 0..count {
        let colour = [planes[at], planes[count + at], planes[2 * count + at]];
        for (plane, value) in features(colour).into_iter().enumerate() {
            out[plane * count + at] = value;
        }
    }
    out
}

/// The logarithm of the share of cells of this kind, over boards of all sizes and phases of a game. Only the order of
/// magnitude matters.
fn prior(cell: Cell) -> f32 {
    let share: f32 = match cell {
        Cell::Covered => 0.4,
        Cell::Open(count) => match count.get() {
            0 => 0.2,
            1 => 0.17,
            2 => 0.09,
            3 => 0.03,
            4 => 0.008,
            5 => 0.0015,
            6 => 0.0003,
            7 => 0.00005,
            _ => 0.00001,
        },
        Cell::Flagged => 0.06,
        Cell::Mine => 0.02,
        Cell::Questioned | Cell::Burst | Cell::WrongFlag => 0.002,
        Cell::Opened | Cell::Unclear => 0.001,
    };
    share.ln()
}
