//! Pictures of boards: a skin's own pictures of its cells, brought to any size by another scaler than the reader's.

use std::collections::{HashMap, HashSet};

use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};
use minescraper::board::{Board, Cell, Pos, Status};
use minescraper::geometry::Px;
use minescraper::recognize::{GamePhase, Lattice, Skin, Template};
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::boards;

/// Pixels around the board.
const MARGIN: u32 = 12;
/// What desktops scale windows by: with most settings they have programs draw at a whole scale and shrink that.
const SCALES: [f64; 6] = [0.625, 0.75, 0.875, 1.25, 1.5, 1.75];
const STATUSES: [Status; 5] =
    [Status::Playing, Status::Playing, Status::Playing, Status::Lost, Status::Won];

/// A picture of a board, where its cells are, and what each may be read as.
#[derive(Clone)]
pub struct Scene {
    pub picture: RgbImage,
    pub lattice: Lattice,
    pub board: Board,
    /// Other readings of a cell that are right too, such as what an animation comes from.
    pub also: HashMap<Pos, Cell>,
    /// Cells of which a part is hidden, or that are half-way between two looks: nobody needs to read them.
    pub hidden: HashSet<Pos>,
}

/// How a window is painted.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Distance from cell to cell, in pixels.
    pub pitch: f64,
    /// Whether the window has a dark theme.
    pub dark: bool,
}

impl Scene {
    /// A board of `skin` that a seed chose.
    pub fn random(skin: &Skin, look: Look, dice: &mut ChaCha8Rng) -> Self {
        let status = *STATUSES.choose(dice).unwrap();
        let phase = phase(status);
        let kinds: Vec<Cell> =
            kinds().filter(|&kind| !looks(skin, kind, phase).is_empty()).collect();
        let size = match look.pitch {
            ..50.0 => (30, 16),
            _ => (16, 10),
        };
        let board = boards::random(dice, size, status, &kinds);
        Self::of(skin, &board, phase, look, dice)
    }

    fn of(
        skin: &Skin,
        board: &Board,
        phase: Option<GamePhase>,
        look: Look,
        dice: &mut ChaCha8Rng,
    ) -> Self {
        let gap = skin.gap.map_or(0, |gap| gap.width);
        let own = side(looks(skin, Cell::Covered, None)[0]);
        let whole = look.pitch.fract() == 0.0;
        // Cells of whole pixels are drawn one by one, as games do that scale; others come from a window that the
        // desktop scales as a whole, with all that is in it. Where the game scales too, it has drawn cells of another
        // size before.
        let drawn = match (whole, scales(skin)) {
            (true, _) => look.pitch as u32,
            (false, true) => {
                let drawn = SCALES.map(|scale| (look.pitch / scale).round());
                let readable: Vec<f64> = drawn
                    .into_iter()
                    .filter(|&drawn| drawn >= f64::from(skin.least_cell))
                    .collect();
                *readable.choose(dice).unwrap() as u32
            }
            (false, false) => own + gap,
        };
        let filter = filter(own, drawn - gap, dice);
        let margin =
            if whole { MARGIN } else { (f64::from(MARGIN) * f64::from(drawn) / look.pitch) as u32 };
        let origin = Px::new(margin as i32, margin as i32);
        let pitch = f64::from(drawn);
        let lattice = Lattice::even(origin, (pitch, pitch), board.cols(), board.rows());
        let area = lattice.area();
        let ground = if look.dark { Rgb([48, 48, 48]) } else { Rgb([240, 240, 240]) };
        let size = (area.width + 2 * margin, area.height + 2 * margin);
        let mut picture = RgbImage::from_pixel(size.0, size.1, ground);
        if let Some(gap) = skin.gap {
            let colour = if look.dark { ground } else { Rgb(gap.colour) };
            imageops::replace(
                &mut picture,
                &RgbImage::from_pixel(area.width, area.height, colour),
                i64::from(margin),
                i64::from(margin),
            );
        }
        let mut scaled: HashMap<(usize, u32, u32), RgbImage> = HashMap::new();
        for (pos, cell) in board.iter() {
            // The first look is the usual one; others are those of hovered cells, for one.
            let template = looks(skin, cell, phase)[0];
            let inside = skin.inside(lattice.cell(pos));
            let index = skin.templates.iter().position(|other| std::ptr::eq(other, template));
            let key = (index.unwrap(), inside.width, inside.height);
            let cell = scaled.entry(key).or_insert_with(|| {
                imageops::resize(&template.picture, inside.width, inside.height, filter)
            });
            imageops::replace(&mut picture, cell, i64::from(inside.x), i64::from(inside.y));
        }
        let (also, hidden) = (HashMap::new(), HashSet::new());
        if whole {
            return Self { picture, lattice, board: board.clone(), also, hidden };
        }
        let factor = look.pitch / pitch;
        let smooth = [FilterType::Triangle, FilterType::CatmullRom, FilterType::Lanczos3];
        let to = |pixels: u32| (f64::from(pixels) * factor).round() as u32;
        let picture =
            imageops::resize(&picture, to(size.0), to(size.1), *smooth.choose(dice).unwrap());
        let edges = |start: i32, cells: u16| {
            let edge =
                |n: u16| (f64::from(start) * factor + f64::from(n) * look.pitch).round() as i32;
            (0..=cells).map(edge).collect()
        };
        let lattice = Lattice::new(edges(origin.x, board.cols()), edges(origin.y, board.rows()));
        Self { picture, lattice, board: board.clone(), also, hidden }
    }
}

fn phase(status: Status) -> Option<GamePhase> {
    match status {
        Status::Lost => Some(GamePhase::Lost),
        Status::Won => Some(GamePhase::Won),
        _ => None,
    }
}

fn kinds() -> impl Iterator<Item = Cell> {
    "#F?012345678*X!".chars().filter_map(Cell::from_symbol)
}

/// The looks of a kind of cell in a game of this phase.
fn looks(skin: &Skin, kind: Cell, phase: Option<GamePhase>) -> Vec<&Template> {
    let of = |phase: Option<GamePhase>| -> Vec<&Template> {
        skin.templates.iter().filter(|look| look.cell == kind && look.phase == phase).collect()
    };
    let own = of(phase);
    if own.is_empty() { of(None) } else { own }
}

/// Whether the game of a skin draws cells of any size.
fn scales(skin: &Skin) -> bool {
    let own = side(looks(skin, Cell::Covered, None)[0]);
    skin.templates.iter().any(|look| side(look).abs_diff(own) > 2)
}

fn side(look: &Template) -> u32 {
    look.picture.width()
}

/// A scaler that a program would use: whole multiples may stay crisp, and nothing shrinks by leaving pixels out.
fn filter(from: u32, to: u32, dice: &mut ChaCha8Rng) -> FilterType {
    let smooth = [FilterType::Triangle, FilterType::CatmullRom, FilterType::Lanczos3];
    if to.is_multiple_of(from) && dice.random_bool(0.4) {
        FilterType::Nearest
    } else {
        *smooth.choose(dice).unwrap()
    }
}
