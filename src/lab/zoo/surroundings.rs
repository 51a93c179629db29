//! What is around the board of a specimen: a window or a page with what people have there.

use std::sync::Arc;

use image::{Rgb, RgbImage};
use rand::{Rng, RngExt};

use super::cells::{Looks, mixed, stamp_at};
use super::draw;
use super::glyphs::Fonts;
use crate::geometry::{Px, Rect};
use crate::lab::virtual_desktop::{Face, Scene, Switch};

/// The colour of the desktop behind the window.
const DESKTOP: [u8; 3] = [58, 110, 165];
const WORDS: [&str; 12] = [
    "File",
    "Game",
    "Edit",
    "Help",
    "Settings",
    "About",
    "Minesweeper",
    "Best times",
    "Level: easy",
    "Score",
    "Rules of the game",
    "Home",
];
const RESTARTS: [&str; 5] = ["New game", "Restart", "Play again", "Reset", "Start"];
const SWITCHES: [&str; 4] = ["Flag", "Flags", "Mark mines", "Flag mode"];

/// A window with a board in it.
pub(super) struct Surroundings {
    picture: RgbImage,
    window: Rect,
    board: Px,
    /// The board with its border.
    frame: Rect,
    ground: [u8; 3],
    button: Option<Face>,
}

impl Surroundings {
    /// A window on a desktop of that size with a board of so many cells.
    pub(super) fn new(
        looks: &Looks,
        pitch: (f64, f64),
        (cols, rows): (u16, u16),
        desktop: (u32, u32),
        fonts: &Fonts,
        dice: &mut impl Rng,
    ) -> Self {
        let board =
            ((pitch.0 * f64::from(cols)).ceil() as u32, (pitch.1 * f64::from(rows)).ceil() as u32);
        let room = (desktop.0 - board.0, desktop.1 - board.1);
        // A window that is just large enough, a page with much around, or a board at its very border.
        let (left, above) = match dice.random_range(0..4) {
            0 => (dice.random_range(20..=room.0 - 40), dice.random_range(120..=room.1 - 60)),
            1 => (40, 110),
            2 => (20, 90),
            _ => (60, 150),
        };
        let at = Px::new(left as i32, above as i32);
        let board = Rect::new(at.x, at.y, board.0, board.1);
        let is_page = dice.random_bool(0.5);
        let mut window = Rect::new(10, 10, desktop.0 - 20, desktop.1 - 20);
        if !is_page {
            let beside = draw(dice, &[0, 8, 24]).min(left - 12) as i32;
            let below = draw(dice, &[0, 8, 50]);
            let (right, bottom) = (board.right() + beside, board.bottom() + below);
            window =
                Rect::new(at.x - beside, 10, (right - at.x + beside) as u32, (bottom - 10) as u32);
        }
        let mut picture = RgbImage::from_pixel(desktop.0, desktop.1, Rgb(DESKTOP));
        fill(&mut picture, window, looks.ground);
        let (frame, ground) = (board, looks.ground);
        let mut this = Self { picture, window, board: at, frame, ground, button: None };
        this.toolbar(looks, fonts, dice);
        this.border(board, looks, dice);
        if dice.random_bool(0.55) {
            this.button(board, looks, fonts, dice);
        }
        if is_page {
            this.page(board, looks, fonts, dice);
        }
        this
    }

    /// Where the board is, and what is around it.
    pub(super) fn scene(self) -> (Px, Scene) {
        let Self { picture, window, board, frame, ground, button } = self;
        let scene = Scene {
            picture: Arc::new(picture),
            window,
            frame,
            ground,
            button,
            switch: None,
            chequered: 0,
            shines: 0.0,
        };
        (board, scene)
    }

    fn word(
        &mut self,
        word: &str,
        at: Px,
        height: f32,
        ink: [u8; 3],
        font: usize,
        fonts: &Fonts,
    ) -> Rect {
        let mask = fonts.word(font, word, height);
        stamp_at(&mut self.picture, &mask, ink, (at.x, at.y));
        Rect::new(at.x, at.y, mask.width.max(1), mask.height.max(1))
    }

    /// A bar at the top of the window, with words, icons, or both.
    fn toolbar(&mut self, looks: &Looks, fonts: &Fonts, dice: &mut impl Rng) {
        let bar = Rect::new(self.window.x, self.window.y, self.window.width, 30);
        let colour =
            if dice.random_bool(0.5) { [225; 3] } else { mixed(looks.ground, looks.ink, 0.2) };
        fill(&mut self.picture, bar, colour);
        let ink = if colour[0] > 128 { [30; 3] } else { [230; 3] };
        let mut x = bar.x + 8;
        for _ in 0..dice.random_range(1..5) {
            let drawn = if dice.random_bool(0.5) {
                self.word(draw(dice, &WORDS), Px::new(x, bar.y + 9), 15.0, ink, looks.font, fonts)
            } else {
                let icon = Rect::new(x, bar.y + 7, 16, 16);
                fill(&mut self.picture, icon, mixed(colour, ink, dice.random_range(0.3..0.9)));
                icon
            };
            x = drawn.right() + 14;
            if x > bar.right() - 60 {
                break;
            }
        }
    }

    /// Lines around the board, sunken or plain, or none.
    fn border(&mut self, board: Rect, looks: &Looks, dice: &mut impl Rng) {
        let wide = draw(dice, &[0, 0, 1, 2, 3, 6]);
        let around = Rect::new(
            board.x - wide,
            board.y - wide,
            board.width + 2 * wide as u32,
            board.height + 2 * wide as u32,
        );
        let around = around.intersection(self.window).unwrap_or(board);
        self.frame = around;
        let colour = mixed(looks.ground, looks.ink, dice.random_range(0.2..0.8));
        if dice.random_bool(0.5) {
            fill(&mut self.picture, around, colour);
        } else {
            fill(&mut self.picture, around, mixed(looks.ground, [255; 3], 0.7));
            let half = Rect::new(
                around.x,
                around.y,
                around.width - wide as u32,
                around.height - wide as u32,
            );
            fill(&mut self.picture, half, mixed(looks.ground, [0; 3], 0.5));
        }
    }

    /// What starts a new game: a face above the board, or a word above or below it.
    fn button(&mut self, board: Rect, looks: &Looks, fonts: &Fonts, dice: &mut impl Rng) {
        let is_face = dice.random_bool(0.6);
        let below = !is_face && dice.random_bool(0.4) && board.bottom() + 40 < self.window.bottom();
        let (width, height) = if is_face { (30, 30) } else { (0, 26) };
        let word = fonts.word(looks.font, draw(dice, &RESTARTS), 17.0);
        let width = if is_face { width } else { word.width + 16 };
        let top = if below { board.bottom() + 10 } else { board.y - 40 };
        let area = Rect::new(board.centre().x - width as i32 / 2, top, width, height);
        if !self.window.encloses(area) {
            return;
        }
        let ground = mixed(looks.ground, looks.ink, 0.15);
        let look = |mood: i32| {
            let mut drawn = RgbImage::from_pixel(area.width, area.height, Rgb(ground));
            if is_face {
                face(&mut drawn, mood);
            } else {
                stamp_at(&mut drawn, &word, looks.ink, (8, (26 - word.height as i32) / 2));
            }
            drawn
        };
        let changes = is_face && dice.random_bool(0.8);
        let looks = [0, 1, -1].map(|mood| look(if changes { mood } else { 0 }));
        self.button = Some(Face { area, looks });
    }

    /// What else is on a page: lines of text, a calendar, a table, icons.
    fn page(&mut self, board: Rect, looks: &Looks, fonts: &Fonts, dice: &mut impl Rng) {
        let left = board.right() + 40;
        if left + 220 > self.window.right() {
            return;
        }
        let mut y = self.window.y + 60;
        for _ in 0..dice.random_range(1..4) {
            if y + 160 > self.window.bottom() {
                break;
            }
            match dice.random_range(0..3) {
                0 => {
                    for line in 0..6 {
                        let at = Px::new(left, y + 22 * line);
                        self.word(draw(dice, &WORDS), at, 15.0, looks.ink, looks.font, fonts);
                    }
                }
                1 => {
                    // The days of a month.
                    for day in 1..=30 {
                        let at = Px::new(left + 28 * (day % 7), y + 24 * (day / 7));
                        self.word(&day.to_string(), at, 14.0, looks.ink, looks.font, fonts);
                    }
                }
                _ => {
                    let (cols, side) = (dice.random_range(3..9), dice.random_range(14..26));
                    for (col, row) in (0..4).flat_map(|row| (0..cols).map(move |col| (col, row))) {
                        let at = Rect::new(
                            left + (side + 4) * col,
                            y + (side + 4) * row,
                            side as u32,
                            side as u32,
                        );
                        let colour = [(); 3].map(|()| dice.random_range(0..=255u8));
                        if at.right() < self.window.right() {
                            fill(&mut self.picture, at, colour);
                        }
                    }
                }
            }
            y += 180;
        }
    }
}

/// A word above the board that stays down when it is pressed, where there is room for it.
pub(super) fn switch(
    scene: &Scene,
    board: Rect,
    looks: &Looks,
    fonts: &Fonts,
    dice: &mut impl Rng,
) -> Option<Switch> {
    let word = fonts.word(looks.font, draw(dice, &SWITCHES), 17.0);
    let (width, height) = (word.width + 16, 26);
    let mut area = Rect::new(board.centre().x - width as i32 / 2, board.y - 40, width, height);
    if let Some(button) = scene.button.as_ref().filter(|button| button.area.y < board.y) {
        area.x = button.area.right() + draw(dice, &[6, 30]);
    }
    let look = |is_down: bool| {
        let (ground, ink) =
            if is_down { (looks.ink, looks.ground) } else { (looks.ground, looks.ink) };
        let mut drawn = RgbImage::from_pixel(width, height, Rgb(mixed(ground, ink, 0.15)));
        stamp_at(&mut drawn, &word, ink, (8, (height as i32 - word.height as i32) / 2));
        drawn
    };
    scene.window.encloses(area).then(|| Switch { area, looks: [false, true].map(look) })
}

fn fill(picture: &mut RgbImage, area: Rect, colour: [u8; 3]) {
    for y in area.y.max(0)..area.bottom() {
        for x in area.x.max(0)..area.right() {
            if let Some(pixel) = picture.get_pixel_mut_checked(x as u32, y as u32) {
                *pixel = Rgb(colour);
            }
        }
    }
}

/// A face that smiles (1), cries (-1), or neither.
fn face(drawn: &mut RgbImage, mood: i32) {
    for (x, y, pixel) in drawn.enumerate_pixels_mut() {
        let (x, y) = (x as f32 - 15.0, y as f32 - 15.0);
        let eye = (x.abs() - 4.0).abs() < 1.5 && (y + 4.0).abs() < 1.5;
        let mouth = (y - 5.0 + mood as f32 * x * x / 16.0).abs() < 1.0 && x.abs() < 6.0;
        if x.hypot(y) < 12.0 {
            *pixel = Rgb(if eye || mouth { [20; 3] } else { [250, 215, 50] });
        }
    }
}
