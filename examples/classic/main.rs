//! Draws the labelled pictures of the skin `classic`: those it is made from and those it is tested with.
//!
//! ```text
//! cargo run --no-default-features --features skins --example classic [FOLDER]
//! ```
//!
//! writes `calibration/classic` and `fixtures/classic` below FOLDER (here, without one). The games are
//! played by the program's own rules with mines that a seed lays, so every label is known beforehand.

mod artwork;

use std::path::{Path, PathBuf};

use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};
use minescraper::board::text::{self, Notes};
use minescraper::board::{Board, Cell, FirstClick, MineCount, Pos, Rules, Status};
use minescraper::lab::minefield::{Minefield, Options};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A picture to draw: how far its game has come, and how it is shown.
struct Shot {
    name: &'static str,
    size: (u16, u16, u32),
    seed: u64,
    /// The share of the safe cells that are opened, those with high numbers first.
    opened: f64,
    /// Mines that are flagged, covered cells that are flagged wrongly, and question marks.
    marks: (usize, usize, usize),
    end: Option<Status>,
    /// A cell's size in pixels: whole multiples of 16 are crisp, others smooth.
    cell: u32,
    /// A desktop around the window, and another window beside it.
    desktop: bool,
}

const SHOT: Shot = Shot {
    name: "",
    size: (9, 9, 10),
    seed: 0,
    opened: 0.0,
    marks: (0, 0, 0),
    end: None,
    cell: artwork::CELL,
    desktop: false,
};

const DENSE: (u16, u16, u32) = (12, 12, 70);
const INTERMEDIATE: (u16, u16, u32) = (16, 16, 40);
const EXPERT: (u16, u16, u32) = (30, 16, 99);
const WON: Option<Status> = Some(Status::Won);
const LOST: Option<Status> = Some(Status::Lost);

const CALIBRATION: [Shot; 6] = [
    Shot { name: "fresh", size: INTERMEDIATE, ..SHOT },
    Shot { name: "dense", size: DENSE, seed: 42, opened: 0.9, marks: (34, 0, 6), ..SHOT },
    Shot { name: "middle", size: EXPERT, seed: 2, opened: 0.7, marks: (21, 0, 8), ..SHOT },
    Shot { name: "overflagged", seed: 3, opened: 0.3, marks: (10, 12, 0), ..SHOT },
    Shot { name: "lost", size: DENSE, seed: 4, opened: 0.5, marks: (5, 6, 0), end: LOST, ..SHOT },
    Shot { name: "won", seed: 5, opened: 0.5, marks: (3, 0, 0), end: WON, ..SHOT },
];

const FIXTURES: [Shot; 10] = [
    Shot { name: "beginner-early", seed: 101, ..SHOT },
    Shot { name: "beginner-won-32", seed: 102, opened: 0.6, end: WON, cell: 32, ..SHOT },
    Shot { name: "expert-fresh", size: EXPERT, ..SHOT },
    Shot { name: "expert-middle", size: EXPERT, seed: 104, opened: 0.6, marks: (45, 0, 0), ..SHOT },
    Shot {
        name: "expert-lost-24",
        size: EXPERT,
        seed: 105,
        opened: 0.5,
        marks: (40, 5, 0),
        end: LOST,
        cell: 24,
        ..SHOT
    },
    Shot {
        name: "intermediate-lost",
        size: INTERMEDIATE,
        seed: 106,
        opened: 0.4,
        marks: (12, 2, 0),
        end: LOST,
        ..SHOT
    },
    Shot {
        name: "intermediate-middle-20",
        size: INTERMEDIATE,
        seed: 107,
        opened: 0.6,
        marks: (17, 0, 2),
        cell: 20,
        ..SHOT
    },
    Shot {
        name: "custom-flagged-48",
        size: (14, 10, 35),
        seed: 108,
        opened: 0.8,
        marks: (30, 0, 0),
        cell: 48,
        ..SHOT
    },
    Shot { name: "dense-middle", size: DENSE, seed: 92, opened: 0.9, marks: (20, 0, 0), ..SHOT },
    Shot {
        name: "expert-early-fullscreen",
        size: EXPERT,
        seed: 110,
        opened: 0.2,
        marks: (6, 0, 0),
        desktop: true,
        ..SHOT
    },
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = PathBuf::from(std::env::args_os().nth(1).unwrap_or_else(|| ".".into()));
    for (folder, shots) in [("calibration", &CALIBRATION[..]), ("fixtures", &FIXTURES[..])] {
        let folder = root.join(folder).join("classic");
        std::fs::create_dir_all(&folder)?;
        for shot in shots {
            shot.draw(&folder)?;
        }
    }
    Ok(())
}

impl Shot {
    /// Writes the picture and its label.
    fn draw(&self, folder: &Path) -> Result<(), Box<dyn std::error::Error>> {
        let game = self.game()?;
        let (mut board, status) = (game.view().clone(), game.status());
        let flags = board.count(|cell| matches!(cell, Cell::Flagged | Cell::WrongFlag)) as i32;
        let left = self.size.2 as i32 - flags;
        let mut picture = artwork::window(&board, status, left);
        let mut notes = Notes::from([("status".to_owned(), status.to_string())]);
        if self.cell == artwork::CELL && self.desktop {
            picture = on_desktop(&picture);
        } else if self.cell == artwork::CELL {
            let ((x, y), (width, height)) = (artwork::COUNTER, artwork::DIGIT);
            let text = if left < 0 { format!("-{:02}", -left) } else { format!("{left:03}") };
            notes.insert("counter".to_owned(), format!("{text}@{x},{y},{},{height}", 3 * width));
        } else {
            let scaled = |side: u32| side * self.cell / artwork::CELL;
            let (width, height) = (scaled(picture.width()), scaled(picture.height()));
            let crisp = self.cell.is_multiple_of(artwork::CELL);
            let filter = if crisp { FilterType::Nearest } else { FilterType::Triangle };
            picture = imageops::resize(&picture, width, height, filter);
            // The counter is read at its own size only.
            let usual = Rules::usual_mines(board.cols(), board.rows());
            board.mines = usual.map_or(MineCount::Unknown, MineCount::Assumed);
        }
        picture.save(folder.join(self.name).with_extension("png"))?;
        std::fs::write(folder.join(self.name).with_extension("txt"), text::print(&board, &notes))?;
        Ok(())
    }

    /// Plays the game as far as the picture shows it.
    fn game(&self) -> Result<Minefield, Box<dyn std::error::Error>> {
        let (cols, rows, mines) = self.size;
        let rules = Rules::new(cols, rows, mines, FirstClick::Opens)?;
        let mut dice = ChaCha8Rng::seed_from_u64(self.seed);
        // Question marks come on the second right click, flags of a won game by themselves.
        let options =
            Options { question_marks: true, flags_mines_when_won: true, ..Options::default() };
        let mut game = Minefield::new(rules, options, self.seed);
        if self.seed == 0 {
            return Ok(game);
        }
        game.open(Pos::new(dice.random_range(0..cols), dice.random_range(0..rows)));
        let mined = game.mines().unwrap_or_default();
        let number =
            |pos: &Pos| game.view().neighbours(*pos).filter(|at| mined.contains(at)).count();
        let mut safe: Vec<Pos> =
            game.view().positions().filter(|pos| !mined.contains(pos)).collect();
        safe.shuffle(&mut dice);
        safe.sort_by_key(|pos| std::cmp::Reverse(number(pos).max(4)));
        let all = if self.end == WON { 1.0 } else { self.opened };
        let wanted = (all * safe.len() as f64) as usize;
        for &pos in &safe {
            if opened(game.view()) < wanted {
                game.open(pos);
            }
        }
        let mut covered = |game: &Minefield, mine: bool| {
            let view = game.view();
            let fits = |pos: &Pos| view[*pos] == Cell::Covered && mined.contains(pos) == mine;
            let mut covered: Vec<Pos> = view.positions().filter(fits).collect();
            covered.shuffle(&mut dice);
            covered
        };
        let (right, wrong, questions) = self.marks;
        for pos in covered(&game, true).into_iter().take(right) {
            game.mark(pos);
        }
        for pos in covered(&game, false).into_iter().take(wrong) {
            game.mark(pos);
        }
        for pos in covered(&game, true).into_iter().take(questions) {
            game.mark(pos);
            game.mark(pos);
        }
        if self.end == LOST
            && let Some(pos) = covered(&game, true).pop()
        {
            game.open(pos);
        }
        Ok(game)
    }
}

fn opened(board: &Board) -> usize {
    board.count(|cell| cell.number().is_some())
}

/// The window on a desktop, and a window with something like text beside it.
fn on_desktop(window: &RgbImage) -> RgbImage {
    let mut desktop = RgbImage::from_pixel(1280, 800, Rgb([0, 128, 128]));
    imageops::replace(&mut desktop, window, 90, 120);
    let mut notes = RgbImage::from_pixel(420, 500, Rgb([255, 255, 255]));
    for line in 0..28 {
        for dot in 0..(200 + line * 37 % 150) {
            // Marks of unlike lengths, as words have.
            if dot * (dot + line) % 13 < 7 {
                notes.put_pixel(10 + dot, 20 + line * 16, Rgb([0, 0, 0]));
                notes.put_pixel(10 + dot, 24 + line * 16, Rgb([0, 0, 0]));
            }
        }
    }
    imageops::replace(&mut desktop, &notes, 720, 200);
    desktop
}
