//! Painting a board with the templates of a skin.

use std::collections::HashMap;

use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};

use crate::board::{Board, Cell, Pos, Status};
use crate::geometry::{Px, Rect};
use crate::recognize::{GamePhase, Lattice, Skin};

use super::scene::Scene;

const DESKTOP_COLOUR: Rgb<u8> = Rgb([58, 110, 165]);
/// No game's blank cells look like this: a board that fades into its window has no edge to find.
const WINDOW_COLOUR: Rgb<u8> = Rgb([134, 152, 148]);
/// Pixels of the frame around the board.
const FRAME: i32 = 3;
const EDGE_COLOUR: Rgb<u8> = Rgb([40, 40, 40]);
const FACE: Rgb<u8> = Rgb([250, 220, 60]);
const DIALOG_COLOUR: Rgb<u8> = Rgb([245, 245, 245]);
/// A highlight adds this to every colour.
const HIGHLIGHT_ADDS: u8 = 40;
/// A veil leaves this part of each colour.
const VEIL_LEAVES: u8 = 5;
/// Out of ten parts of each colour of a window so many are left while it waits for a dialog of its own.
const DARKENING_LEAVES: u16 = 7;
const MISSING: Rgb<u8> = Rgb([255, 0, 255]);

/// So many painted places are remembered.
const PLACES_REMEMBERED: usize = 10_000;

/// A picture of nothing but `board`, painted with `skin` in cells of `cell` pixels, and where its cells
/// are. An unclear cell looks covered.
pub fn picture(skin: Skin, board: &Board, cell: u32) -> (RgbImage, Lattice) {
    let pitch = f64::from(cell.max(1));
    let lattice = Lattice::even(Px::new(0, 0), (pitch, pitch), board.cols(), board.rows());
    let area = lattice.area();
    let mut painter = Painter::new(skin, area.width, area.height, None);
    painter.board(None, board, &lattice);
    (painter.canvas, lattice)
}

/// The pixels of an area.
fn places(area: Rect) -> impl Iterator<Item = (i32, i32)> {
    (area.y..area.bottom()).flat_map(move |y| (area.x..area.right()).map(move |x| (x, y)))
}

/// Paints on a picture of the whole desktop, and keeps the templates in the sizes it needed.
#[derive(Debug)]
pub(super) struct Painter {
    skin: Skin,
    scene: Option<Scene>,
    /// How the game stands, where that changes the looks of its cells.
    phase: Option<GamePhase>,
    scaled: HashMap<(Cell, Option<GamePhase>, u32, u32), RgbImage>,
    canvas: RgbImage,
    /// The places that were painted, the last ones last.
    painted: Vec<Rect>,
    /// How many more were painted before those.
    forgotten: usize,
}

impl Painter {
    pub(super) fn new(skin: Skin, width: u32, height: u32, scene: Option<Scene>) -> Self {
        Self {
            skin,
            scene,
            phase: None,
            scaled: HashMap::new(),
            canvas: RgbImage::from_pixel(width, height, DESKTOP_COLOUR),
            painted: Vec::new(),
            forgotten: 0,
        }
    }

    /// How many places have been painted so far.
    pub(super) fn strokes(&self) -> usize {
        self.forgotten + self.painted.len()
    }

    /// The places that were painted after the first `strokes`; `None` when they are not remembered.
    pub(super) fn painted_since(&self, strokes: usize) -> Option<&[Rect]> {
        self.painted.get(strokes.checked_sub(self.forgotten)?..)
    }

    fn note(&mut self, area: Rect) {
        if self.painted.len() == PLACES_REMEMBERED {
            self.forgotten += PLACES_REMEMBERED;
            self.painted.clear();
        }
        self.painted.push(area);
    }

    pub(super) fn canvas(&self) -> &RgbImage {
        &self.canvas
    }

    pub(super) fn clear(&mut self) {
        self.fill_all(DESKTOP_COLOUR);
    }

    /// Moves what the scene draws around the board.
    pub(super) fn move_frame(&mut self, by: (i32, i32)) {
        if let Some(scene) = &mut self.scene {
            scene.move_frame(by);
        }
    }

    /// Where the scene has its button, if it has one.
    pub(super) fn button(&self) -> Option<Rect> {
        Some(self.scene.as_ref()?.button.as_ref()?.area)
    }

    /// Where the scene has its switch, if it has one.
    pub(super) fn switch(&self) -> Option<Rect> {
        Some(self.scene.as_ref()?.switch.as_ref()?.area)
    }

    /// Paints the scene, where there is one, with its button as it looks in a game of that status, and its switch up or down.
    /// Returns whether there is.
    pub(super) fn scene(&mut self, status: Status, is_switched: bool) -> bool {
        let Some(scene) = &self.scene else { return false };
        imageops::replace(&mut self.canvas, &*scene.picture, 0, 0);
        let button = scene.button.as_ref().map(|button| (button.area, button.look(status)));
        let switch = scene.switch.as_ref();
        let switch = switch.map(|switch| (switch.area, &switch.looks[usize::from(is_switched)]));
        for (area, look) in button.into_iter().chain(switch) {
            imageops::replace(&mut self.canvas, look, i64::from(area.x), i64::from(area.y));
        }
        self.note(Rect::new(0, 0, self.canvas.width(), self.canvas.height()));
        true
    }

    /// Paints an empty window with a frame for its board, and with a face at the place of its new-game
    /// button if it has one.
    pub(super) fn window(&mut self, window: Rect, board: Rect, face: Option<Rect>) {
        self.framed(window, WINDOW_COLOUR);
        let (side, around) = (FRAME as u32, board.moved(-FRAME, -FRAME));
        let frame =
            Rect { width: board.width + 2 * side, height: board.height + 2 * side, ..around };
        self.framed(frame, EDGE_COLOUR);
        if let Some(face) = face {
            self.framed(face, FACE);
        }
    }

    /// Paints a dialog or a foreign window.
    pub(super) fn dialog(&mut self, dialog: Rect) {
        self.framed(dialog, DIALOG_COLOUR);
    }

    /// Darkens the window, and paints a button on that.
    pub(super) fn veil(&mut self, window: Rect, button: Rect) {
        self.note(window);
        for (x, y) in places(window) {
            if let Some(pixel) = self.canvas.get_pixel_mut_checked(x as u32, y as u32) {
                pixel.0 = pixel.0.map(|level| level / VEIL_LEAVES);
            }
        }
        places(button).for_each(|(x, y)| self.set(Px::new(x, y), FACE));
        // A line of strokes for its word.
        let Rect { x, y, width, height } = button;
        let word =
            Rect::new(x + width as i32 / 4, y + height as i32 / 3, width / 2, (height / 3).max(1));
        let strokes = places(word).filter(|(x, _)| x % 4 == 0);
        strokes.for_each(|(x, y)| self.set(Px::new(x, y), Rgb([0; 3])));
    }

    /// Draws a window darker.
    pub(super) fn darken(&mut self, window: Rect) {
        self.note(window);
        for (x, y) in places(window) {
            if let Some(pixel) = self.canvas.get_pixel_mut_checked(x as u32, y as u32) {
                pixel.0 = pixel.0.map(|level| (u16::from(level) * DARKENING_LEAVES / 10) as u8);
            }
        }
    }

    /// From now on cells look as they do in a game of this status.
    pub(super) fn set_status(&mut self, status: Status) {
        self.phase = match status {
            Status::Won => Some(GamePhase::Won),
            Status::Lost => Some(GamePhase::Lost),
            Status::Fresh | Status::Playing | Status::Hidden => None,
        };
    }

    /// Paints a board; of one whose last look is known, the cells that differ from it.
    pub(super) fn board(&mut self, known: Option<&Board>, board: &Board, lattice: &Lattice) {
        for (pos, cell) in board.iter() {
            if known.is_none_or(|known| known[pos] != cell) {
                self.cell(cell, lattice.cell(pos));
                self.place_in_scene(pos, lattice.cell(pos));
            }
        }
    }

    /// What the scene makes of a cell that has just been painted.
    fn place_in_scene(&mut self, pos: Pos, at: Rect) {
        let Some(scene) = &self.scene else { return };
        let darker = if (pos.col + pos.row) % 2 == 1 { scene.chequered } else { 0 };
        if darker == 0 && scene.shines == 0.0 {
            return;
        }
        for y in at.y..at.bottom() {
            for x in at.x..at.right() {
                let (x, y) = (x as u32, y as u32);
                let Some(pixel) = self.canvas.get_pixel_mut_checked(x, y) else { continue };
                let under = scene.picture.get_pixel(x, y).0;
                let through = |(over, under): (u8, u8)| {
                    let mixed =
                        f32::from(over) + (f32::from(under) - f32::from(over)) * scene.shines;
                    (mixed.round() as u8).saturating_sub(darker)
                };
                let Rgb([red, green, blue]) = *pixel;
                *pixel = Rgb([(red, under[0]), (green, under[1]), (blue, under[2])].map(through));
            }
        }
    }

    /// Makes what is painted at `at` lighter.
    pub(super) fn lighten(&mut self, at: Rect) {
        self.note(at);
        for (x, y) in places(at) {
            if let Some(pixel) = self.canvas.get_pixel_mut_checked(x as u32, y as u32) {
                pixel.0 = pixel.0.map(|level| level.saturating_add(HIGHLIGHT_ADDS));
            }
        }
    }

    /// Paints something over a cell that no template looks like.
    pub(super) fn smudge(&mut self, lattice: &Lattice, pos: Pos) {
        let at = lattice.cell(pos);
        self.note(at);
        for (x, y) in places(at) {
            // Stripes of unlike widths: no even patch, and no shape of a digit.
            let bright = (x * x + 3 * y * x) % 23 < 11;
            let shade = if bright { 235 } else { 15 };
            self.set(Px::new(x, y), Rgb([shade, 255 - shade, shade]));
        }
    }

    pub(super) fn cell(&mut self, cell: Cell, at: Rect) {
        self.note(at);
        let key = (cell, self.phase, at.width, at.height);
        let picture = match self.scaled.get(&key) {
            Some(picture) => picture,
            None => {
                let picture = self.scale(cell, at);
                self.scaled.entry(key).or_insert(picture)
            }
        };
        let (x, y) = (i64::from(at.x), i64::from(at.y));
        imageops::replace(&mut self.canvas, picture, x, y);
    }

    /// A picture of such a cell as large as `at`, its share of the gaps included.
    fn scale(&self, cell: Cell, at: Rect) -> RgbImage {
        let whole = Rect::new(0, 0, at.width, at.height);
        let inside = self.skin.inside(whole);
        let gap = self.skin.gap.map_or(MISSING, |gap| Rgb(gap.colour));
        let mut picture = RgbImage::from_pixel(at.width, at.height, gap);
        if let Some(template) = template(&self.skin, cell, self.phase) {
            let (width, height) = (inside.width, inside.height);
            // Whole multiples stay crisp, as on a desktop that doubles every pixel.
            let (own_width, own_height) = template.dimensions();
            let multiple = width / own_width.max(1);
            let crisp = (own_width * multiple, own_height * multiple) == (width, height);
            let filter = if crisp { FilterType::Nearest } else { FilterType::Triangle };
            let scaled = imageops::resize(template, width, height, filter);
            let (x, y) = (i64::from(inside.x), i64::from(inside.y));
            imageops::replace(&mut picture, &scaled, x, y);
        }
        picture
    }

    fn framed(&mut self, area: Rect, colour: Rgb<u8>) {
        self.note(area);
        for y in area.y..area.bottom() {
            for x in area.x..area.right() {
                let inner =
                    x > area.x && x + 1 < area.right() && y > area.y && y + 1 < area.bottom();
                self.set(Px::new(x, y), if inner { colour } else { EDGE_COLOUR });
            }
        }
    }

    fn fill_all(&mut self, colour: Rgb<u8>) {
        self.note(Rect::new(0, 0, self.canvas.width(), self.canvas.height()));
        self.canvas.pixels_mut().for_each(|pixel| *pixel = colour);
    }

    fn set(&mut self, at: Px, colour: Rgb<u8>) {
        if let (Ok(x), Ok(y)) = (u32::try_from(at.x), u32::try_from(at.y))
            && let Some(pixel) = self.canvas.get_pixel_mut_checked(x, y)
        {
            *pixel = colour;
        }
    }
}

/// The skin's picture of such a cell in this phase, or of the nearest kind that it knows.
fn template(skin: &Skin, cell: Cell, phase: Option<GamePhase>) -> Option<&RgbImage> {
    let kinds: &[Cell] = match cell {
        Cell::Burst => &[Cell::Burst, Cell::Mine],
        Cell::WrongFlag => &[Cell::WrongFlag, Cell::Flagged],
        Cell::Questioned => &[Cell::Questioned, Cell::Covered],
        Cell::Mine => &[Cell::Mine, Cell::Burst],
        Cell::Unclear => &[Cell::Covered],
        ref other => std::slice::from_ref(other),
    };
    // A kind may have been seen in one phase only; it looks so in the others as far as anybody knows.
    let phases = [phase, None, Some(GamePhase::Lost), Some(GamePhase::Won)];
    let wanted = kinds.iter().flat_map(|&kind| phases.map(|phase| (kind, phase)));
    let find = |(kind, phase): (Cell, Option<GamePhase>)| {
        let mut templates = skin.templates.iter();
        templates.find(|template| template.cell == kind && template.phase == phase)
    };
    let mut found = wanted.filter_map(find);
    found.next().map(|template| &template.picture)
}
