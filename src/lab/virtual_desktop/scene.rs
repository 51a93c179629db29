//! What is around a board on a virtual desktop, where it is more than an empty window.

use std::sync::Arc;

use image::{Rgb, RgbImage, imageops};

use crate::board::Status;
use crate::geometry::Rect;

/// What is around a board, and what of it changes how cells look.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The whole desktop as it is without the board.
    pub picture: Arc<RgbImage>,
    /// Where the game's window is.
    pub window: Rect,
    /// The board with what is drawn around it, which moves along.
    pub frame: Rect,
    /// What is where the board was before it moved.
    pub ground: [u8; 3],
    /// The button for a new game.
    pub button: Option<Face>,
    /// The button that makes left clicks set flags, and open cells again.
    pub switch: Option<Switch>,
    /// Every other cell is darker by so many levels.
    pub chequered: u8,
    /// So much of the desktop's picture shines through cells, from 0 to 1.
    pub shines: f32,
}

impl Scene {
    /// Moves the frame of the board.
    pub(super) fn move_frame(&mut self, (dx, dy): (i32, i32)) {
        let Rect { x, y, width, height } = self.frame;
        let picture = Arc::make_mut(&mut self.picture);
        let frame = imageops::crop_imm(picture, x as u32, y as u32, width, height).to_image();
        let ground = RgbImage::from_pixel(width, height, Rgb(self.ground));
        self.frame = self.frame.moved(dx, dy);
        imageops::replace(picture, &ground, i64::from(x), i64::from(y));
        imageops::replace(picture, &frame, i64::from(self.frame.x), i64::from(self.frame.y));
    }
}

/// A button that stays down until it is pressed again.
#[derive(Clone, Debug)]
pub struct Switch {
    /// Where it is.
    pub area: Rect,
    /// How it looks while it is up, and while it is down.
    pub looks: [RgbImage; 2],
}

/// A button that may look otherwise when a game is over.
#[derive(Clone, Debug)]
pub struct Face {
    /// Where it is.
    pub area: Rect,
    /// How it looks during a game, after one that was won, and after one that was lost.
    pub looks: [RgbImage; 3],
}

impl Face {
    /// How it looks then.
    pub(super) fn look(&self, status: Status) -> &RgbImage {
        let [playing, won, lost] = &self.looks;
        match status {
            Status::Won => won,
            Status::Lost => lost,
            Status::Fresh | Status::Playing | Status::Hidden => playing,
        }
    }
}
