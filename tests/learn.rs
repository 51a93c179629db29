//! Learning skins from games on the virtual desktop, with no picture labelled and no skin known: shipped ones
//! and such as nobody has drawn.

use std::sync::Arc;

use minescraper::Skin;
use minescraper::board::{Cell, FirstClick, Rules};
use minescraper::capture::Screen;
use minescraper::learn::{Learned, grids};
use minescraper::player::{LearnError, Learner};
use minescraper::recognize::{Reader, Template};
use minescraper::virtual_desktop::{Setup, VirtualDesktop};

/// Games that a skin may take.
const GAMES: u32 = 10;

/// A desktop with a game that looks like `skin`.
fn desktop(skin: &Skin, level: &str, cell: u32, seed: u64) -> VirtualDesktop {
    let promise = skin.game.first_click.unwrap_or(FirstClick::Safe);
    let rules = Rules::parse_level(level, promise).unwrap();
    VirtualDesktop::new(skin.clone(), Setup::new(rules, cell, seed))
}

/// What is learned from the game on `desktop`, of which nothing is known.
fn learn(desktop: &VirtualDesktop) -> Result<Learned, LearnError> {
    let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
    let mut tell = |what: &str| println!("  {what}");
    let learner = Learner {
        screen: &mut screen,
        hands: &mut hands,
        stop: Arc::default(),
        tell: &mut tell,
    };
    let known = Skin { name: "learned".to_owned(), ..Skin::default() };
    learner.learn(known, GAMES).map(|(learned, _)| learned)
}

/// The templates that are not what `true_skin` shows: those whose nearest template there, at the same size, is of
/// another kind.
fn mistakes(learned: &Skin, desktop: &VirtualDesktop, true_skin: &Skin) -> Vec<String> {
    let truth = Reader::new(vec![true_skin.clone()]);
    let own = Reader::new(vec![learned.clone()]);
    let mut screen = desktop.screen();
    let area = screen.area().unwrap();
    let frame = screen.look(area).unwrap();
    let mut wrong = Vec::new();
    let shown = desktop.game().view().clone();
    match own.find(&frame) {
        Ok(readings) => {
            let read = &readings[0];
            if read.lattice != desktop.lattice() {
                wrong.push(format!("the board is at {:?}", read.lattice.area()));
            } else {
                for ((pos, cell), (_, truly)) in read.board.iter().zip(shown.iter()) {
                    if cell != Cell::Unclear && cell != truly {
                        wrong.push(format!("{pos} shows {} and is read {}", truly.symbol(), cell.symbol()));
                    }
                }
            }
        }
        Err(error) => wrong.push(error.to_string()),
    }
    drop(truth);
    wrong
}

/// Templates of `learned` beside those of `skin`: what each is taken for.
fn wrong_templates(learned: &Skin, skin: &Skin, cell: u32) -> Vec<String> {
    use minescraper::virtual_desktop::picture;
    let kinds: Vec<Cell> = skin.templates.iter().map(|template| template.cell).collect();
    // Each kind as the desktop paints it, in a row of its own, read with the learned skin.
    let mut board = minescraper::board::Board::new(kinds.len().max(5) as u16, 5);
    for row in 0..5 {
        for (col, &kind) in kinds.iter().enumerate() {
            board[minescraper::board::Pos::new(col as u16, row)] = kind;
        }
    }
    let (pixels, lattice) = picture(skin.clone(), &board, cell);
    let known = |kind: Cell| learned.templates.iter().any(|t: &Template| t.cell == kind);
    let mut wrong = Vec::new();
    for template in &learned.templates {
        // The picture of the desktop that is nearest to it.
        let distance = |pos: minescraper::board::Pos| {
            let area = learned.inside(lattice.cell(pos));
            let (x, y) = (area.x as u32, area.y as u32);
            let own = image::imageops::crop_imm(&pixels, x, y, area.width, area.height).to_image();
            let scaled = image::imageops::resize(
                &template.picture,
                own.width(),
                own.height(),
                image::imageops::FilterType::Triangle,
            );
            let squares: u64 = own
                .as_raw()
                .iter()
                .zip(scaled.as_raw())
                .map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2))
                .sum();
            squares
        };
        let nearest = board.positions().min_by_key(|&pos| distance(pos)).unwrap();
        if template.mood.is_none() && board[nearest] != template.cell && known(board[nearest]) {
            wrong.push(format!("{} is {}", template.cell.symbol(), board[nearest].symbol()));
        }
    }
    wrong
}

#[test]
fn the_cells_of_every_shipped_skin_are_found_without_it() {
    let mut wrong = Vec::new();
    for skin in Skin::shipped() {
        for cell in [16, 21, 30] {
            let desktop = desktop(&skin, "16x12x20", cell, 1);
            let mut screen = desktop.screen();
            let area = screen.area().unwrap();
            let found = grids(&screen.look(area).unwrap());
            if found.first().map(|grid| &grid.lattice) != Some(&desktop.lattice()) {
                let found = found.first().map(|grid| (grid.lattice.area(), grid.gap));
                wrong.push(format!("{} {cell}: {found:?} is {}", skin.name, desktop.lattice().area()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_shipped_skin_is_learned() {
    let mut wrong = Vec::new();
    for skin in Skin::shipped() {
        for (cell, seed) in [(20, 1), (32, 2)] {
            let name = format!("{} {cell}", skin.name);
            println!("{name}");
            let desktop = desktop(&skin, "16x16x40", cell, seed);
            match learn(&desktop) {
                Ok(learned) => {
                    let new = &learned.calibration.skin;
                    println!(
                        "  {} templates, none of {:?}, unsure {:?}, {:?}",
                        new.templates.len(), learned.missing(), learned.unsure, learned.calibration.margin,
                    );
                    let mistakes = mistakes(new, &desktop, &skin);
                    let wrong_templates = wrong_templates(new, &skin, cell);
                    if !learned.is_playable() {
                        wrong.push(format!("{name}: not playable"));
                    }
                    if !mistakes.is_empty() {
                        wrong.push(format!("{name}: {mistakes:?}"));
                    }
                    if !wrong_templates.is_empty() {
                        wrong.push(format!("{name}: {wrong_templates:?}"));
                    }
                }
                Err(error) => wrong.push(format!("{name}: {error}: {error:?}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
