//! What explains a board: the best hypothesis of the whole of it, and its rivals.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use image::RgbImage;

use super::hypothesis::{Distances, Hypothesis};
use super::noise::INDEPENDENT;
use super::parallel::mapped;
use super::samples::{Edges, Place};
use super::scene::Scene;
use super::telling::{Closely, GAME_PHASES, Telling, Told};
use super::whole::{Beyond, Extent, RIVAL, Whole};
use crate::board::{Board, Cell, Pos};
use crate::recognize::skin::Skin;
use crate::recognize::{Lattice, Side, rules};

/// What tells less than this for each cell, in nats, is no board.
const LEAST_EVIDENCE: f32 = 15.0;

/// In a picture as sharp as its skin cells are off by less, as a variance in grey levels squared. Chosen, not
/// fitted.
const SHARP: f32 = 9.0;

/// What explains a board: the best hypothesis, and those that are nearly as good. What they do not agree on is unclear.
#[derive(Clone, Debug)]
pub(crate) struct Sight {
    /// The best one comes first.
    wholes: Vec<Whole>,
    /// How each of them tells cells, once one is to be told.
    tellings: OnceLock<Vec<Telling>>,
    way: Way,
}

/// How it was come by.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// The picture was taken to be as the skin is drawn.
    AsDrawn,
    /// The same, but for how far cells are off, which was measured.
    Measured(Distances),
    /// What explains the picture was looked for.
    Explained,
}

impl Sight {
    fn new(wholes: Vec<Whole>, way: Way) -> Self {
        Self { wholes, tellings: OnceLock::new(), way }
    }

    /// The board whose cells are those of `lattice`, in a picture that is as the skin is drawn.
    pub(crate) fn as_drawn(pixels: &RgbImage, lattice: &Lattice, skin: &Arc<Skin>) -> Self {
        let whole = Whole::as_drawn(&Scene::new(pixels), lattice, skin);
        Self::new(vec![whole], Way::AsDrawn)
    }

    /// The same where cells may be off by so much as they are on the whole.
    pub(crate) fn measured(pixels: &RgbImage, lattice: &Lattice, skin: &Arc<Skin>) -> Self {
        let scene = Scene::new(pixels);
        let whole = Whole::measured(&scene, lattice, skin);
        let distances = whole.hypothesis.distances(&scene);
        Self::new(vec![whole], Way::Measured(distances))
    }

    /// Whether the picture is taken to be as the skin is drawn, and nothing was measured on it.
    pub(crate) fn is_as_drawn(&self) -> bool {
        matches!(self.way, Way::AsDrawn)
    }

    /// Whether it was measured how far cells are off.
    pub(crate) fn is_measured(&self) -> bool {
        matches!(self.way, Way::Measured(_))
    }

    /// Whether another explanation than that of the skin as it is drawn was looked for.
    pub(crate) fn is_explained(&self) -> bool {
        matches!(self.way, Way::Explained)
    }

    fn distances(&self) -> Option<Distances> {
        match self.way {
            Way::Measured(distances) => Some(distances),
            Way::AsDrawn | Way::Explained => None,
        }
    }

    /// Whether half of the cells are off by no more than so much, a variance in grey levels squared.
    pub(crate) fn is_near(&self, variance: f32) -> bool {
        self.distances().is_none_or(|distances| distances.of_half <= variance)
    }

    /// Whether the cells are as sharp as the skin is drawn, drawings too: on many boards most cells are flat, and near their
    /// looks in any picture.
    pub(crate) fn is_sharp(&self) -> bool {
        self.distances()
            .is_none_or(|distances| distances.of_half.max(distances.of_drawings) < SHARP)
    }

    /// What explains a board best of these, and what it shows then; `None` when none does.
    pub(super) fn of(scene: &Scene<'_>, wholes: Vec<Whole>) -> Option<(Self, Board)> {
        let finished = mapped(wholes, |whole| whole.finished(scene));
        let mut wholes: Vec<Whole> = finished.into_iter().flatten().collect();
        wholes.sort_by(|a, b| b.hypothesis.evidence.total_cmp(&a.hypothesis.evidence));
        // What no game looks like explains nothing, and is no rival.
        let possible = mapped(wholes, |whole| whole.possible(scene));
        let mut possible: Vec<(Whole, Board)> = possible.into_iter().flatten().collect();
        possible.sort_by(|(a, _), (b, _)| b.hypothesis.evidence.total_cmp(&a.hypothesis.evidence));
        for (Whole { hypothesis, extent }, _) in &possible {
            let Hypothesis { looks, evidence, view, .. } = hypothesis;
            log::debug!(
                "model: whole {} {:?} {extent:?}: {evidence:.0} nats, variance {:.1}",
                looks.skin.name,
                looks.phase,
                view.noise.variance
            );
        }
        let most = possible.first()?.0.hypothesis.evidence;
        let is_rival = |(whole, board): &(Whole, Board)| {
            most - whole.hypothesis.evidence <= RIVAL * board.cells().len() as f32 * INDEPENDENT
        };
        // Of rivals that comes first which tells most.
        let count = possible.iter().take_while(|possible| is_rival(possible)).count();
        possible[..count].sort_by_key(|(whole, board)| {
            rules::inconsistent(board, &whole.hypothesis.looks.skin.game)
        });
        let mut possible = possible.into_iter();
        let (best, mut board) = possible.next()?;
        let evidence = best.hypothesis.evidence;
        let cells = board.cells().len() as f32;
        if evidence < LEAST_EVIDENCE * cells {
            return None;
        }
        let mut wholes = vec![best];
        for (other, theirs) in possible {
            if other.extent_in_pixels() == wholes[0].extent_in_pixels()
                && evidence - other.hypothesis.evidence <= RIVAL * cells * INDEPENDENT
            {
                for at in 0..board.cells().len() {
                    let pos = board.pos(at);
                    board[pos] = agreed(board[pos], theirs[pos]);
                }
                wholes.push(other);
            }
        }
        Some((Self::new(wholes, Way::Explained), board))
    }

    /// The skin.
    pub(crate) fn skin(&self) -> &Arc<Skin> {
        &self.best().looks.skin
    }

    /// Other skins that explain it as well.
    pub(crate) fn rivals(&self) -> Vec<Arc<Skin>> {
        let mut rivals: Vec<Arc<Skin>> = Vec::new();
        for Whole { hypothesis, .. } in &self.wholes {
            let skin = &hypothesis.looks.skin;
            if rivals.iter().chain([self.skin()]).all(|known| !Arc::ptr_eq(known, skin)) {
                rivals.push(skin.clone());
            }
        }
        rivals
    }

    /// Whether colours are those of the skin.
    pub(crate) fn is_plain(&self) -> bool {
        self.best().view.is_plain()
    }

    /// Pixels between cells.
    pub(crate) fn gap(&self) -> f32 {
        self.best().looks.gap
    }

    /// The same so many pixels farther to the right and down.
    pub(crate) fn moved(&self, dx: i32, dy: i32) -> Self {
        let mut wholes = self.wholes.clone();
        for whole in &mut wholes {
            whole.hypothesis.grid = whole.hypothesis.grid.moved(dx, dy);
        }
        Self::new(wholes, self.way)
    }

    /// The same of a board that has so many more columns and rows on the left and at the top, and is so large then.
    pub(crate) fn with_more(&self, before: (u16, u16), (cols, rows): (u16, u16)) -> Self {
        let mut more = self.clone();
        for Whole { extent: ((left, top), (right, bottom)), .. } in &mut more.wholes {
            (*left, *top) = (*left - i32::from(before.0), *top - i32::from(before.1));
            (*right, *bottom) = (*left + i32::from(cols), *top + i32::from(rows));
        }
        more
    }

    /// What cells at these places of the board show in each phase of a game, in a picture whose first pixel is this one of
    /// those in which the board lies; nothing of what is beyond the picture.
    pub(crate) fn first(
        &self,
        pixels: &RgbImage,
        origin: (i32, i32),
        at: &[Pos],
    ) -> Vec<[Option<Told>; GAME_PHASES]> {
        let look = |(whole, telling): (&Whole, &Telling)| {
            let places: Vec<Place> = at.iter().map(|&pos| whole.place(pos)).collect();
            let mut told = telling.first(pixels, origin, &places).into_iter().peekable();
            let of = |place| {
                told.next_if(|(seen, _)| *seen == place)
                    .map_or([None; GAME_PHASES], |(_, told)| told)
            };
            places.into_iter().map(of).collect::<Vec<_>>()
        };
        let mut looks = self.wholes.iter().zip(self.tellings()).map(look);
        let mut first = looks.next().unwrap_or_default();
        for theirs in looks {
            for (own, theirs) in first.iter_mut().flatten().zip(theirs.iter().flatten()) {
                if let (Some(own), Some(theirs)) = (own, theirs) {
                    own.cell = agreed(own.cell, theirs.cell);
                }
            }
        }
        first
    }

    /// What cells at these places of the board, which were not told at first, show in a phase of a game when they are looked
    /// at more closely.
    pub(crate) fn closer(
        &self,
        pixels: &RgbImage,
        origin: (i32, i32),
        at: &[Pos],
        phase: usize,
    ) -> Vec<Closely> {
        let look = |(whole, telling): (&Whole, &Telling)| {
            let places: Vec<Place> = at.iter().map(|&pos| whole.place(pos)).collect();
            let told = telling.closer(pixels, origin, whole.extent, &places, phase);
            let mut told = told.into_iter().peekable();
            let of = |place| {
                told.next_if(|(seen, _)| *seen == place).map_or(Closely::UNCLEAR, |(_, told)| told)
            };
            places.into_iter().map(of).collect::<Vec<_>>()
        };
        let looks = self.wholes.iter().zip(self.tellings()).map(look);
        let both = |own: Vec<Closely>, theirs: Vec<Closely>| {
            let both = own.into_iter().zip(theirs).map(|(own, theirs)| Closely {
                cell: agreed(own.cell, theirs.cell),
                is_highlighted: own.is_highlighted || theirs.is_highlighted,
            });
            both.collect()
        };
        looks.reduce(both).unwrap_or_default()
    }

    fn tellings(&self) -> &[Telling] {
        let of = |whole: &Whole| Telling::in_all_phases(&whole.hypothesis);
        self.tellings.get_or_init(|| self.wholes.iter().map(of).collect())
    }

    fn best(&self) -> &Hypothesis {
        &self.wholes[0].hypothesis
    }

    /// The columns and rows of the board that are not rather a frame around it.
    pub(crate) fn within_frame(&self, pixels: &RgbImage) -> (Range<usize>, Range<usize>) {
        let whole = &self.wholes[0];
        let (first, _) = whole.extent;
        let (from, to) = whole.without_frame(&Scene::new(pixels), whole.extent);
        let numbers =
            |from: i32, to: i32, first: i32| (from - first) as usize..(to - first) as usize;
        (numbers(from.0, to.0, first.0), numbers(from.1, to.1, first.1))
    }

    /// The evidence of the board, in nats, as far as it was measured.
    pub(in crate::recognize) fn evidence(&self) -> f32 {
        self.best().evidence
    }

    /// What is beyond the board on each of these sides.
    pub(crate) fn beyond(&self, pixels: &RgbImage, sides: &[Side]) -> Vec<(Side, Beyond)> {
        self.wholes[0].beyond(&Scene::new(pixels), sides)
    }

    /// A line beside the board that may as well be one of its own, given what the board shows.
    pub(super) fn undecided(&self, scene: &Scene<'_>, board: &Board) -> Option<Extent> {
        self.wholes[0].undecided(scene, board)
    }

    /// The side on which numbers, as they look, count mines that are not on the board.
    pub(super) fn short_of_mines(&self, scene: &Scene<'_>) -> Option<Side> {
        self.wholes[0].short_of_mines(scene)
    }

    /// What explains the board with a line beside it that may as well be one of its own, where that explains more.
    pub(super) fn widened(&self, scene: &Scene<'_>, board: &Board) -> Option<(Self, Board)> {
        let whole = self.wholes[0].widened(scene, board)?;
        Self::of(scene, vec![whole]).filter(|(other, _)| other.evidence() > self.evidence())
    }

    /// Where the cells are, in pixels of the picture.
    pub(super) fn lattice(&self) -> Option<Lattice> {
        let ((left, top), (right, bottom)) = self.wholes[0].extent;
        let grid = &self.best().grid;
        let edges = |edges: &Edges, from: i32, to: i32| -> Vec<i32> {
            (from..=to).map(|number| edges.at(number).round() as i32).collect()
        };
        Lattice::with_edges(edges(&grid.across, left, right), edges(&grid.down, top, bottom))
    }
}

/// What a cell shows that looks so in one explanation, and so in another one.
fn agreed(own: Cell, theirs: Cell) -> Cell {
    if theirs == Cell::Unclear || theirs == own { own } else { Cell::Unclear }
}
