//! Invented Minesweepers, each drawn from a seed: how its cells look, what is around its board, and how it behaves.
//!
//! Whoever says that any Minesweeper is learned needs many that nobody has looked at. A [`Specimen`] is one, on a
//! [`VirtualDesktop`]. The seeds are [split](Specimen::SEEDS_TO_BUILD_ON): some to build on, others, with fonts of their own, to
//! judge by. The chances below were chosen after looking at what games there are; none is fitted.

mod cells;
mod glyphs;
mod surroundings;

use std::ops::Range;
use std::time::Duration;

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

pub use glyphs::{Fonts, MissingFont};

use super::virtual_desktop::{
    NewGames, Scene, Setup, TakesFlags, Unkindness, VirtualDesktop, WhenLost,
};
use crate::board::{FirstClick, Rules};
use crate::geometry::Rect;
use crate::input::Shortcut;
use crate::recognize::skin::{Chord, Control, Dialog};
use crate::recognize::{Lattice, Skin};

use cells::Looks;
use surroundings::Surroundings;

/// The desktop that they are on.
const DESKTOP: (u32, u32) = (1600, 1000);
/// Room for what is around a board, in pixels: left and right of it together, and above and below it.
const AROUND: (u32, u32) = (120, 200);
/// The sides of cells, in pixels.
const CELLS: Range<f64> = 10.0..80.0;

/// An invented Minesweeper.
#[derive(Clone, Debug)]
pub struct Specimen {
    /// How its cells look, and what of its behaviour a skin can say.
    pub skin: Skin,
    /// Its board, and where it is.
    pub setup: Setup,
    /// What is around it.
    pub scene: Scene,
    /// How it behaves otherwise.
    pub ways: Unkindness,
    /// What it is like, in words.
    pub description: String,
}

impl Specimen {
    /// The seeds that a player may be built on.
    pub const SEEDS_TO_BUILD_ON: Range<u64> = 0..600;
    /// The seeds to judge a player by. Nobody looks at one of them.
    pub const SEEDS_TO_JUDGE_BY: Range<u64> = 1000..1200;

    /// The Minesweeper of this seed.
    pub fn new(seed: u64, fonts: &Fonts) -> Self {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let dice = &mut dice;
        let first_click =
            draw(dice, &[FirstClick::Any, FirstClick::Safe, FirstClick::Safe, FirstClick::Opens]);
        let (cols, rows) = draw(
            dice,
            &[(8, 8), (9, 9), (9, 9), (10, 10), (12, 8), (16, 16), (16, 16), (20, 20), (30, 16)],
        );
        let share = dice.random_range(0.11..0.2);
        let mines = (share * f64::from(cols) * f64::from(rows)) as u32;
        let pitch = pitch((cols, rows), dice);
        let rules = Rules { cols, rows, mines, first_click };
        let looks = Looks::new(pitch, fonts, dice);
        let mut skin = looks.skin(format!("zoo-{seed}"));
        let around = Surroundings::new(&looks, pitch, (cols, rows), DESKTOP, fonts, dice);
        let (board, mut scene) = around.scene();
        looks.shine(&mut scene);
        let lattice = Lattice::even(board, pitch, cols, rows);
        let mut ways = behaviour(&mut skin, &lattice, &scene, dice);
        if dice.random_bool(0.1) {
            // As pages end a game, whatever else begins the next one.
            (skin.game.new_game, ways.new_games) = (None, NewGames::ByVeil);
            ways.dialog_at_end = false;
            skin.game.dialogs.clear();
        }
        if dice.random_bool(0.1) {
            scene.switch = surroundings::switch(&scene, lattice.area(), &looks, fonts, dice);
            if scene.switch.is_some() {
                ways.flags = TakesFlags::BySwitch;
            }
        }
        if dice.random_bool(0.05) {
            let by = draw(dice, &[(-3, 0), (-8, 0), (0, 24)]);
            ways.moves_when_over = room_to_move(by, &lattice, &scene, ways.moves_once_open);
        }
        let setup = Setup { width: DESKTOP.0, height: DESKTOP.1, board, pitch, rules, seed };
        let description = format!(
            "{cols}x{rows} cells of {:.1}x{:.1}, {mines} mines; {looks}; flags {:?}, new games {:?} by {}",
            pitch.0,
            pitch.1,
            ways.flags,
            ways.new_games,
            skin.game.new_game.map_or("itself".to_owned(), |control| control.to_string()),
        );
        Self { skin, setup, scene, ways, description }
    }

    /// It, running in a window.
    pub fn desktop(&self) -> VirtualDesktop {
        let desktop = VirtualDesktop::in_scene(self.skin.clone(), self.setup, self.scene.clone());
        desktop.set_unkindness(self.ways.clone());
        desktop
    }
}

/// One of these.
fn draw<T: Clone>(dice: &mut impl Rng, of: &[T]) -> T {
    of.choose(dice).expect("there is something to draw from").clone()
}

/// The width and height of cells of which a board fits on the desktop; some are not square, and some fall on parts of pixels.
fn pitch((cols, rows): (u16, u16), dice: &mut impl Rng) -> (f64, f64) {
    let fits = |side: u32, around: u32, cells: u16| f64::from(side - around) / f64::from(cells);
    let most = fits(DESKTOP.0, AROUND.0, cols).min(fits(DESKTOP.1, AROUND.1, rows)).min(CELLS.end);
    let side = dice.random_range(CELLS.start.ln()..most.ln()).exp();
    let side = if dice.random_bool(0.9) { side.round() } else { (4.0 * side).round() / 4.0 };
    let ratio = if dice.random_bool(0.15) { dice.random_range(0.8..1.0) } else { 1.0 };
    let other = if ratio < 1.0 { (side * ratio).round().max(CELLS.start) } else { side };
    if dice.random_bool(0.5) { (side, other) } else { (other, side) }
}

/// How far a board moves that would move by this, if it has moved so far before: not at all where that is over its own button or
/// beyond its window, as no program does.
fn room_to_move(
    by: (i32, i32),
    lattice: &Lattice,
    scene: &Scene,
    before: (i32, i32),
) -> (i32, i32) {
    let moved = lattice.area().moved(before.0 + by.0, before.1 + by.1);
    let is_free = |area: Rect| area.intersection(moved).is_none();
    let has_room = scene.window.encloses(moved)
        && scene.button.as_ref().is_none_or(|button| is_free(button.area))
        && scene.switch.as_ref().is_none_or(|switch| is_free(switch.area));
    if has_room { by } else { (0, 0) }
}

/// How a game behaves: what a skin can say of it is written there.
fn behaviour(skin: &mut Skin, lattice: &Lattice, scene: &Scene, dice: &mut impl Rng) -> Unkindness {
    let game = &mut skin.game;
    game.chord =
        draw(dice, &[None, None, Some(Chord::Left), Some(Chord::Middle), Some(Chord::Both)]);
    game.flags_when_won = dice.random_bool(0.4);
    game.question_marks = dice.random_bool(0.2);
    let flags = draw(
        dice,
        &[
            TakesFlags::Always,
            TakesFlags::Always,
            TakesFlags::Always,
            TakesFlags::OnceOpen,
            TakesFlags::Never,
            TakesFlags::Menu,
        ],
    );
    let mut ways = Unkindness {
        flags,
        paints_late: Duration::from_millis(draw(dice, &[0, 0, 10, 30, 80, 150])),
        when_lost: if dice.random_bool(0.15) { WhenLost::All } else { WhenLost::Mines },
        highlights: dice.random_bool(0.2),
        ..Unkindness::default()
    };
    if dice.random_bool(0.1) {
        let by = draw(dice, &[(0, 30), (0, -14), (25, 0)]);
        ways.moves_once_open = room_to_move(by, lattice, scene, (0, 0));
    }
    if let Some(button) = &scene.button {
        game.new_game = Some(Control::Click(lattice.spot_at(button.area.centre())));
        return ways;
    }
    match dice.random_range(0..4) {
        0 => {
            let keys = ["F2", "n", "Ctrl+N", "r", "Ctrl+R"];
            game.new_game = draw(dice, &keys).parse().ok().map(Control::Key);
        }
        1 => ways.new_games = NewGames::ByClickOnBoard,
        2 => {
            ways.new_games =
                NewGames::ByItself(Duration::from_millis(draw(dice, &[1000, 2000, 4000])))
        }
        _ => {
            let key: Option<Shortcut> = draw(dice, &["Escape", "Return"]).parse().ok();
            game.dialogs.extend(key.map(|key| Dialog { title: "Game over".to_owned(), key }));
            ways.dialog_at_end = true;
            ways.new_games = NewGames::WithDialog;
        }
    }
    ways
}
