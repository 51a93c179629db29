//! How a skin's cells look at a size: what the model predicts from.

use std::sync::Arc;

use super::samples::drawn;
use crate::board::Cell;
use crate::recognize::skin::{GamePhase, Skin, Template};

/// What a colour of a template is described by before it is transformed: red, green and blue, a constant, their squares
/// (a display's gamma is nearly quadratic), and lightness (inverted with the hue kept it is linear in that). The last one is
/// the share of the gap beside the cell, times 255: its colour is that of the window, not of the skin.
pub(crate) const FEATURES: usize = 9;
/// The number of the constant among them.
pub(crate) const CONSTANT: usize = 3;
/// The number of the gap among them.
pub(crate) const GAP: usize = 8;

/// Bins of a cell along each axis: where cells are told apart.
pub(crate) const FINE: usize = 16;
/// Looks of a kind that are told apart finely.
pub(crate) const LOOKS: usize = 3;

/// Bins of the circle that edges of cells are folded to.
pub(crate) const FOLDS: usize = 64;

/// The features of a colour of which a share shows beside the gap, each from 0 to about 255.
fn features([red, green, blue]: [f32; 3], share: f32) -> [f32; FEATURES] {
    let lightness = (red.max(green).max(blue) + red.min(green).min(blue)) / 2.0;
    let squared = |value: f32| value * value / 255.0;
    let mut features =
        [red, green, blue, 255.0, squared(red), squared(green), squared(blue), lightness, 0.0];
    features.iter_mut().for_each(|feature| *feature *= share);
    features[GAP] = 255.0 * (1.0 - share);
    features
}

/// One way of drawing a cell.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) cell: Cell,
    /// The phase of a game in which it is shown; `None` in any in which its kind has no look of its own.
    phase: Option<GamePhase>,
    /// The logarithm of how often its kind is shown.
    pub(crate) prior: f32,
    /// [`FEATURES`] planes of `side` x `side` bins.
    pub(crate) features: Vec<f32>,
    /// The width of its template, in pixels.
    width: u32,
}

impl Look {
    /// How a template looks in a cell of so many pixels with so many of the gap before and after it.
    fn new(template: &Template, size: (u32, u32), margins: (f32, f32), side: usize) -> Self {
        let (planes, shares) = drawn(&template.picture, size, margins, side);
        Self {
            cell: template.cell,
            phase: template.phase,
            prior: prior(template.cell),
            features: feature_planes(&planes, &shares),
            width: template.picture.width(),
        }
    }
}

/// The logarithm of how often the kind of each of these looks, which are those of all phases, is shown in one phase of a game,
/// and none where the look is not; `None` where the phase has no look of its own.
pub(crate) fn priors(looks: &[Look], phase: Option<GamePhase>) -> Option<Vec<f32>> {
    if phase.is_some() && !looks.iter().any(|look| look.phase == phase) {
        return None;
    }
    let own = |cell| looks.iter().any(|look| look.cell == cell && look.phase == phase);
    let is_shown = |look: &Look| look.phase == phase || (look.phase.is_none() && !own(look.cell));
    let alike = |cell| looks.iter().filter(|look| look.cell == cell && is_shown(look)).count();
    let prior = |look: &Look| {
        if is_shown(look) { look.prior - (alike(look.cell) as f32).ln() } else { f32::NEG_INFINITY }
    };
    Some(looks.iter().map(prior).collect())
}

/// All that a skin's cells look like in one phase of a game, at one size of cells and width of gaps.
#[derive(Clone, Debug)]
pub(crate) struct Looks {
    pub(crate) skin: Arc<Skin>,
    pub(crate) phase: Option<GamePhase>,
    /// Pixels between cells.
    pub(crate) gap: f32,
    /// Width and height of a cell with its share of the gaps, in pixels.
    size: (u32, u32),
    pub(crate) side: usize,
    pub(crate) looks: Vec<Look>,
}

impl Looks {
    /// The looks of a skin in a game's phase, at cells of so many pixels with `gap` pixels between them; `None` when the skin
    /// has none of its own for the phase. Of each kind at most so many, those whose templates are nearest in size.
    pub(crate) fn new(
        skin: &Arc<Skin>,
        phase: Option<GamePhase>,
        size: (u32, u32),
        gap: f32,
        side: usize,
        most: usize,
    ) -> Option<Self> {
        let templates = &skin.templates;
        if phase.is_some() && !templates.iter().any(|template| template.phase == phase) {
            return None;
        }
        let own = |cell| templates.iter().any(|t| t.cell == cell && t.phase == phase);
        let shown =
            templates.iter().filter(|t| t.phase == phase || (t.phase.is_none() && !own(t.cell)));
        let shown: Vec<&Template> = shown.collect();
        let kept = nearest_in_size(&shown, size.0 as f32 - gap, most, |template| {
            (template.cell, template.picture.width())
        });
        let margins = skin.margins(gap);
        let looks = kept.into_iter().map(|template| {
            let alike = shown.iter().filter(|other| other.cell == template.cell).count();
            let prior = prior(template.cell) - (alike as f32).ln();
            Look { prior, ..Look::new(template, size, margins, side) }
        });
        let looks = looks.collect();
        Some(Self { skin: skin.clone(), phase, gap, size, side, looks })
    }

    /// The looks of a skin in all phases of a game. How often each is shown depends on the phase: see [`priors`].
    pub(crate) fn of_all_phases(skin: &Arc<Skin>, size: (u32, u32), gap: f32, side: usize) -> Self {
        let margins = skin.margins(gap);
        let looks = skin.templates.iter().map(|template| Look::new(template, size, margins, side));
        Self { skin: skin.clone(), phase: None, gap, size, side, looks: looks.collect() }
    }

    /// The same with another gap between the cells, and at most so many of each kind.
    pub(crate) fn with_gap(&self, gap: f32, most: usize) -> Option<Self> {
        Self::new(&self.skin, self.phase, self.size, gap, self.side, most)
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

    /// The bins in which nothing is seen of the gap: less than rounding.
    pub(crate) fn inside(&self) -> Vec<usize> {
        let plane = self.side * self.side;
        let gap = self.looks.first().map_or(&[][..], |look| &look.features[GAP * plane..][..plane]);
        (0..gap.len()).filter(|&at| gap[at] < 0.5).collect()
    }

    /// Those of all other kinds.
    pub(crate) fn without(&self, kind: Cell) -> Self {
        let looks = self.looks.iter().filter(|look| look.cell != kind).cloned();
        Self { looks: looks.collect(), ..self.clone() }
    }

    /// Only so many looks of each kind, those whose templates are nearest in size.
    pub(crate) fn nearest_in_size(&self, most: usize) -> Self {
        let width = self.size.0 as f32 - self.gap;
        let looks: Vec<&Look> = self.looks.iter().collect();
        let kept = nearest_in_size(&looks, width, most, |look| (look.cell, look.width));
        Self { looks: kept.into_iter().cloned().collect(), ..self.clone() }
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

/// How likely a cell is for each of its kinds: as likely as for the look of it that is likeliest. Most looks of one kind are drawn
/// at one size each, and one size is all over a board: skins that know more of them are neither less likely nor more.
pub(crate) fn of_kinds(of_looks: impl Iterator<Item = (Cell, f32)>) -> Vec<(Cell, f32)> {
    let mut kinds: Vec<(Cell, f32)> = Vec::new();
    for (cell, likely) in of_looks {
        match kinds.iter_mut().find(|(known, _)| *known == cell) {
            Some((_, most)) => *most = most.max(likely),
            None => kinds.push((cell, likely)),
        }
    }
    kinds
}

/// At most so many of each kind, those whose templates are nearest to this width; the nearest come first.
fn nearest_in_size<'a, T>(
    all: &[&'a T],
    width: f32,
    most: usize,
    kind_and_width: impl Fn(&T) -> (Cell, u32),
) -> Vec<&'a T> {
    let far = |of: &T| (kind_and_width(of).1 as f32 / width).ln().abs();
    let mut nearest = all.to_vec();
    nearest.sort_by(|a, b| far(a).total_cmp(&far(b)));
    let mut kept: Vec<&T> = Vec::new();
    for other in nearest {
        let kind = kind_and_width(other).0;
        if kept.iter().filter(|of| kind_and_width(of).0 == kind).count() < most {
            kept.push(other);
        }
    }
    kept
}

/// Loud edges count like middling ones: the sum over red, green and blue.
pub(crate) const EDGE_CAP: f32 = 72.0;

/// The features of planes of red, green and blue, of which in each bin a share shows.
fn feature_planes(planes: &[f32], shares: &[f32]) -> Vec<f32> {
    let count = shares.len();
    let mut out = vec![0.0; FEATURES * count];
    for (at, &share) in shares.iter().enumerate() {
        let colour = [planes[at], planes[count + at], planes[2 * count + at]];
        for (plane, value) in features(colour, share).into_iter().enumerate() {
            out[plane * count + at] = value;
        }
    }
    out
}

/// The logarithm of the share of cells of this kind, over boards of all sizes and phases of a game. Only the order of
/// magnitude matters.
pub(crate) fn prior(cell: Cell) -> f32 {
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
