//! Making a skin from labelled screenshots.
//!
//! Each screenshot comes with its board as text. The lattice is found by the label: of all the ways to
//! lay its columns and rows over the picture, the right one makes cells with the same label most alike.
//! From each kind of cell the most typical sample becomes a template, and another one wherever a sample
//! is not explained by those that are there already (a highlight, a darkened lost board, the coarser
//! drawing of a small cell).

mod align;
mod digits;
mod least;
mod margin;
mod variation;

use std::path::{Path, PathBuf};

use image::RgbImage;

pub(crate) use digits::characters;
pub use least::least_cell;
pub use margin::{Margin, worst_margin};
use variation::fill_variance;

use crate::board::text::Notes;
use crate::board::{Board, Cell, Label, LabelError, Status};
use crate::capture::{CaptureError, load_picture};
use crate::geometry::Rect;
use crate::recognize::detect::patch::Patch;
use crate::recognize::skin::Digit;
use crate::recognize::{GamePhase, Lattice, Skin, SkinError, Template};

/// What a sample may differ from the templates of its kind and be explained by them, in grey levels, in pictures from anywhere.
const UNEXPLAINED: f32 = 8.0;
/// The same of pictures that all come from the board which is to be read: those are drawn alike, and where cells begin within
/// pixels, in a few ways. Chosen: what differs more may rather be a number that the skin lacks.
const UNEXPLAINED_ON_SAME_BOARD: f32 = 2.0;
/// Templates of other kinds must be farther from a sample than those of its own by this factor.
const OTHER_KINDS_FARTHER: f32 = 1.6;
/// A kind of cell gets at most this many new templates from one screenshot.
const NEW_TEMPLATES_PER_KIND: usize = 3;
/// Of a kind of cell at most this many samples of one screenshot are compared with each other.
const MOST_SAMPLES: usize = 24;

/// No game can be read without these.
const NEEDED: [Cell; 3] = [Cell::Covered, Cell::open(0), Cell::open(1)];

/// A screenshot and what a person reads in it.
pub struct Example {
    path: PathBuf,
    pixels: RgbImage,
    board: Board,
    status: Status,
    notes: Notes,
}

impl Example {
    /// Opens a screenshot and the text file of the same name beside it.
    ///
    /// # Errors
    /// When one of the two is missing or broken.
    pub fn open(path: &Path) -> Result<Self, CalibrateError> {
        let frame = load_picture(path)?;
        let Label { board, status, notes } = Label::beside(path)?;
        let status = status.unwrap_or(Status::Playing);
        Ok(Self { path: path.to_owned(), pixels: frame.pixels, board, status, notes })
    }

    /// A picture of a board whose cells the program has named itself.
    pub(crate) fn seen(name: String, pixels: RgbImage, board: Board, status: Status) -> Self {
        Self { path: PathBuf::from(name), pixels, board, status, notes: Notes::default() }
    }

    fn phase(&self) -> Option<GamePhase> {
        match self.status {
            Status::Lost => Some(GamePhase::Lost),
            Status::Won => Some(GamePhase::Won),
            Status::Fresh | Status::Playing | Status::Hidden => None,
        }
    }
}

/// A skin that was made from screenshots, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Calibration {
    /// The skin.
    pub skin: Skin,
    /// Where the cells are in each screenshot, in the order in which they were used.
    pub lattices: Vec<(PathBuf, Lattice)>,
    /// The two kinds of cells that look most alike.
    pub margin: Option<Margin>,
}

/// Makes the skin `known` anew from `examples`: its templates and digits are replaced, what is known of
/// the game stays.
///
/// # Errors
/// When no lattice in a screenshot fits its label, the label's note on the counter does not fit, a kind
/// of cell is missing that every game shows, or two kinds cannot be told apart.
pub fn calibrate(known: &Skin, examples: &[Example]) -> Result<Calibration, CalibrateError> {
    let mut ordered: Vec<&Example> = examples.iter().collect();
    ordered.sort_by_key(|example| order(example));
    let mut collector = Collector { skin: known, found: Vec::new(), unexplained: UNEXPLAINED };
    let mut lattices = Vec::new();
    for example in ordered {
        let looks = |kind| collector.looks(kind);
        let lattice =
            align::align(&example.pixels, &example.board, known, &looks).ok_or_else(|| {
                CalibrateError::NoLattice {
                    path: example.path.clone(),
                    cols: example.board.cols(),
                    rows: example.board.rows(),
                }
            })?;
        log::info!("{}: {} cells {:?}", example.path.display(), lattice.area(), lattice.pitch());
        collector.add(example, &lattice);
        lattices.push((example, lattice));
    }
    let digits = match &known.counter {
        Some(counter) => digits::digits(examples, counter.shows)?,
        None => Vec::new(),
    };
    let fill_variance = fill_variance(known, &lattices);
    let made = collector.finish(known, digits, lattices)?;
    Ok(Calibration { skin: Skin { fill_variance, ..made.skin }, ..made })
}

/// Adds templates to the skin `known` from pictures in which the place of the cells is known.
///
/// # Errors
/// As [`calibrate`], but every lattice fits.
pub(crate) fn cut(
    known: &Skin,
    mut examples: Vec<(Example, Lattice)>,
) -> Result<Calibration, CalibrateError> {
    examples.sort_by_key(|(example, _)| order(example));
    let found = known.templates.iter().map(|known| (known.clone(), Patch::of(&known.picture)));
    let mut collector =
        Collector { skin: known, found: found.collect(), unexplained: UNEXPLAINED_ON_SAME_BOARD };
    for (example, lattice) in &examples {
        collector.add(example, lattice);
    }
    let lattices = examples.iter().map(|(example, lattice)| (example, lattice.clone())).collect();
    collector.finish(known, known.digits.clone(), lattices)
}

/// Games in progress first: what only finished ones show becomes a look of its own. Opened boards before
/// fresh ones, in which one place looks like the next, and large pictures before small ones: they hold more
/// detail.
fn order(example: &Example) -> (bool, bool, std::cmp::Reverse<u32>, PathBuf) {
    let cells = u32::from(example.board.cols()) * u32::from(example.board.rows());
    let size = example.pixels.width() * example.pixels.height() / cells;
    let fresh = example.status == Status::Fresh;
    (example.phase().is_some(), fresh, std::cmp::Reverse(size), example.path.clone())
}

/// The templates so far, with their patches.
struct Collector<'a> {
    skin: &'a Skin,
    found: Vec<(Template, Patch)>,
    /// A sample that differs more than this from every template of its kind, in grey levels, becomes a template too.
    unexplained: f32,
}

impl<'a> Collector<'a> {
    /// What these pictures make.
    fn of<'e>(
        skin: &'a Skin,
        examples: impl Iterator<Item = &'e (&'e Example, Lattice)> + Clone,
    ) -> Self {
        let mut collector = Self { skin, found: Vec::new(), unexplained: UNEXPLAINED };
        // Twice: once every kind is known, what is too near to another kind gets a template of its own.
        for _ in 0..2 {
            for (example, lattice) in examples.clone() {
                collector.add(example, lattice);
            }
        }
        collector
    }

    /// The skin from everything that was added.
    fn finish(
        mut self,
        known: &Skin,
        digits: Vec<Digit>,
        lattices: Vec<(&Example, Lattice)>,
    ) -> Result<Calibration, CalibrateError> {
        // Now that every kind is known, what is too near to another kind gets a template of its own.
        for (example, lattice) in &lattices {
            self.add(example, lattice);
        }
        let lattices = lattices.into_iter().map(|(e, lattice)| (e.path.clone(), lattice)).collect();
        let skin = Skin { templates: self.templates(), digits, ..known.clone() };
        for needed in NEEDED {
            if !skin.templates.iter().any(|template| template.cell == needed) {
                return Err(CalibrateError::Missing { cell: needed });
            }
        }
        let margin = worst_margin(&skin)?;
        let skin = Skin { least_cell: least_cell(&skin), ..skin };
        Ok(Calibration { skin, lattices, margin })
    }

    fn add(&mut self, example: &Example, lattice: &Lattice) {
        let mut kinds: Vec<Cell> = Vec::new();
        for (_, cell) in example.board.iter() {
            if cell != Cell::Unclear && !kinds.contains(&cell) {
                kinds.push(cell);
            }
        }
        for kind in kinds {
            // A look that is known from finished games only is one for any time.
            let known = self.found.iter().any(|(t, _)| t.cell == kind && t.phase.is_none());
            let phase = example.phase().filter(|_| known && !kind.is_end());
            let mut samples: Vec<(RgbImage, Patch)> = example
                .board
                .iter()
                .filter(|&(_, cell)| cell == kind)
                .map(|(pos, _)| {
                    let picture = crop(&example.pixels, self.skin.inside(lattice.cell(pos)));
                    let patch = Patch::of(&picture);
                    (picture, patch)
                })
                .collect();
            for _ in 0..NEW_TEMPLATES_PER_KIND {
                samples.retain(|(_, patch)| !self.explains(kind, phase, patch));
                let Some(typical) = typical(&samples, self.skin.fill_weight()) else {
                    break;
                };
                let (picture, patch) = samples.swap_remove(typical);
                self.found.push((Template { cell: kind, phase, picture }, patch));
            }
        }
    }

    /// The looks of a kind of cell that are known so far.
    fn looks(&self, kind: Cell) -> Vec<Patch> {
        let same = self.found.iter().filter(|(template, _)| template.cell == kind);
        same.map(|(_, patch)| patch.clone()).collect()
    }

    /// Whether a sample looks like a template of its kind, and clearly more so than like one of another.
    fn explains(&self, kind: Cell, phase: Option<GamePhase>, patch: &Patch) -> bool {
        // A kind of cell with a look of its own in this phase has no other look in it.
        let own = |cell: Cell| self.found.iter().any(|(t, _)| t.cell == cell && t.phase == phase);
        let nearest = |same: bool| {
            let looks = self.found.iter().filter(|(template, _)| {
                let possible = template.phase == phase
                    || (template.phase.is_none() && (same || !own(template.cell)));
                (template.cell == kind) == same && possible
            });
            let distances = looks.map(|(_, look)| look.distance(patch, self.skin.fill_weight()));
            distances.fold(f32::MAX, f32::min)
        };
        let distance = nearest(true);
        distance <= self.unexplained && nearest(false) >= OTHER_KINDS_FARTHER * distance + 1.0
    }

    /// The templates by kind and phase, in the order in which they were found.
    fn templates(self) -> Vec<Template> {
        let mut templates: Vec<Template> =
            self.found.into_iter().map(|(template, _)| template).collect();
        templates.sort_by_key(|template| (template.phase.map(|m| m as u8), template.cell.symbol()));
        templates
    }
}

pub(crate) fn crop(pixels: &RgbImage, area: Rect) -> RgbImage {
    let (x, y) = (area.x as u32, area.y as u32);
    image::imageops::crop_imm(pixels, x, y, area.width, area.height).to_image()
}

/// The sample that differs least from the others.
fn typical(samples: &[(RgbImage, Patch)], fill_weight: f32) -> Option<usize> {
    let compared = &samples[..samples.len().min(MOST_SAMPLES)];
    let cost = |patch: &Patch| {
        compared.iter().map(|(_, other)| patch.distance(other, fill_weight)).sum::<f32>()
    };
    (0..compared.len()).min_by(|&a, &b| cost(&compared[a].1).total_cmp(&cost(&compared[b].1)))
}

/// Why no skin could be made.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// A screenshot cannot be opened.
    #[error(transparent)]
    Picture(#[from] CaptureError),
    /// A screenshot has no label.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// Nothing in the screenshot looks like the labelled board.
    #[error(
        "{}: found no {cols}x{rows} cells in which equal labels look alike; \
         does the text show this very board?", .path.display()
    )]
    NoLattice {
        /// The screenshot.
        path: PathBuf,
        /// Columns of the label.
        cols: u16,
        /// Rows of the label.
        rows: u16,
    },
    /// The note on the counter does not fit the picture.
    #[error(
        "{}: the note counter={note} does not fit; it is TEXT@X,Y,WIDTH,HEIGHT with the box around \
         the characters", .path.display()
    )]
    Counter {
        /// The screenshot.
        path: PathBuf,
        /// The note.
        note: String,
    },
    /// The screenshots do not show everything that is needed.
    #[error(
        "no screenshot shows a cell labelled '{}'; add one that does: no game can be read without",
        .cell.symbol()
    )]
    Missing {
        /// What is missing.
        cell: Cell,
    },
    /// Two kinds of cells look the same.
    #[error(
        "cells labelled '{}' and '{}' cannot be told apart: they differ by {levels:.1} grey levels; \
         is every label right?", .kinds[0].symbol(), .kinds[1].symbol()
    )]
    Alike {
        /// The kinds.
        kinds: [Cell; 2],
        /// How much they differ.
        levels: f32,
    },
    /// The skin cannot be written.
    #[error(transparent)]
    Skin(#[from] SkinError),
}
