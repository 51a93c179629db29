//! A desktop with things on it that repeat like cells and are none.

use image::{Rgb, RgbImage, imageops};
use imageproc::drawing::{draw_filled_rect_mut, draw_hollow_rect_mut};
use imageproc::rect::Rect as Drawn;
use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;

use minescraper::geometry::Rect;

/// Between what is on the desktop, in pixels.
const SPACE: i32 = 12;

pub struct Desktop {
    pub pixels: RgbImage,
    chance: SplitMix64,
    taken: Vec<Rect>,
}

impl Desktop {
    /// An empty desktop; `seed` says what comes where.
    pub fn new(width: u32, height: u32, seed: u64) -> Self {
        let mut desktop = Self {
            pixels: RgbImage::new(width, height),
            chance: SplitMix64::seed_from_u64(seed),
            taken: Vec::new(),
        };
        desktop.paint_wallpaper();
        desktop
    }

    /// A number from 0 to `below` - 1.
    pub fn random(&mut self, below: u32) -> u32 {
        (self.chance.next_u64() % u64::from(below.max(1))) as u32
    }

    /// Puts a window at a free place; `None` when none was found.
    pub fn put(&mut self, window: &RgbImage) -> Option<Rect> {
        let place = self.free(window.width(), window.height())?;
        imageops::replace(&mut self.pixels, window, i64::from(place.x), i64::from(place.y));
        Some(place)
    }

    /// Fills what is free with windows that are no Minesweeper.
    pub fn clutter(&mut self) {
        let kinds: [fn(&mut Self, Rect); 8] = [
            Self::spreadsheet,
            Self::calendar,
            Self::chess_board,
            Self::icons,
            Self::editor,
            Self::table,
            Self::keyboard,
            Self::tiles,
        ];
        for round in 0..6 {
            for kind in kinds {
                let large = 5 - round / 2;
                let (width, height) =
                    (60 + self.random(160) * large, 50 + self.random(110) * large);
                if let Some(place) = self.free(width, height) {
                    kind(self, place);
                }
            }
        }
    }

    fn free(&mut self, width: u32, height: u32) -> Option<Rect> {
        let right = self.pixels.width().checked_sub(width)?;
        let bottom = self.pixels.height().checked_sub(height)?;
        for _ in 0..300 {
            let (x, y) = (self.random(right + 1) as i32, self.random(bottom + 1) as i32);
            let around = Rect::new(
                x - SPACE,
                y - SPACE,
                width + 2 * SPACE as u32,
                height + 2 * SPACE as u32,
            );
            if self.taken.iter().all(|taken| taken.intersection(around).is_none()) {
                let place = Rect::new(x, y, width, height);
                self.taken.push(place);
                return Some(place);
            }
        }
        None
    }

    fn colour(&mut self, darkest: u32) -> Rgb<u8> {
        Rgb([0; 3].map(|_: u8| (darkest + self.random(256 - darkest)) as u8))
    }

    fn fill(&mut self, area: Rect, colour: Rgb<u8>) {
        if area.width > 0 && area.height > 0 {
            draw_filled_rect_mut(&mut self.pixels, drawn(area), colour);
        }
    }

    fn frame(&mut self, area: Rect, colour: Rgb<u8>) {
        if area.width > 0 && area.height > 0 {
            draw_hollow_rect_mut(&mut self.pixels, drawn(area), colour);
        }
    }

    fn paint_wallpaper(&mut self) {
        let (from, to, grain) = (self.colour(0), self.colour(0), self.random(4));
        let height = self.pixels.height();
        for y in 0..height {
            let mix = |a: u8, b: u8| (u32::from(a) * (height - y) + u32::from(b) * y) / height;
            let base = [0, 1, 2].map(|channel| mix(from.0[channel], to.0[channel]));
            for x in 0..self.pixels.width() {
                let noise = self.random(grain + 1);
                let pixel = base.map(|base| (base + noise).min(255) as u8);
                self.pixels.put_pixel(x, y, Rgb(pixel));
            }
        }
    }

    /// A line of text: letters of a few strokes each, at equal distances or not.
    fn text(&mut self, x: i32, y: i32, letters: u32, size: u32, colour: Rgb<u8>, within: Rect) {
        let even = self.random(2) == 0;
        let mut x = x;
        for _ in 0..letters {
            let width = if even { size * 3 / 5 } else { size * 2 / 5 + self.random(size / 2) };
            let place = Rect::new(x, y, width.max(3), size);
            if self.random(6) > 0 && within.encloses(place) {
                for _ in 0..3 {
                    let (dx, dy) = (self.random(width - 1) as i32, self.random(size - 1) as i32);
                    let upright = self.random(2) == 0;
                    let (width, height) = if upright {
                        (1 + size / 14, size - dy as u32)
                    } else {
                        (width - dx as u32, 1 + size / 14)
                    };
                    let stroke = Rect::new(x + dx, y + dy, width, height);
                    if let Some(stroke) = stroke.intersection(place) {
                        self.fill(stroke, colour);
                    }
                }
            }
            x += width as i32 + 2;
        }
    }

    /// Cells of these sizes over the whole area, each given to `paint` with its column and row.
    fn cells(
        &mut self,
        area: Rect,
        (width, height): (u32, u32),
        mut paint: impl FnMut(&mut Self, Rect, (u32, u32)),
    ) {
        for row in 0..area.height / height {
            for col in 0..area.width / width {
                let (x, y) = (area.x + (col * width) as i32, area.y + (row * height) as i32);
                paint(self, Rect::new(x, y, width, height), (col, row));
            }
        }
    }

    fn spreadsheet(&mut self, area: Rect) {
        self.fill(area, Rgb([255; 3]));
        let (width, height) = (24 + self.random(60), 14 + self.random(14));
        // Some have square cells.
        let width = if self.random(3) == 0 { height } else { width };
        let line = Rgb([160 + self.random(70) as u8; 3]);
        self.cells(area, (width, height), |this, cell, (col, row)| {
            if col == 0 || row == 0 {
                this.fill(cell, Rgb([235; 3]));
            }
            this.frame(Rect { width: cell.width + 1, height: cell.height + 1, ..cell }, line);
            if this.random(3) > 0 {
                let letters = 1 + this.random(5);
                this.text(cell.x + 3, cell.y + 3, letters, 9, Rgb([20; 3]), cell);
            }
        });
    }

    fn calendar(&mut self, area: Rect) {
        self.fill(area, Rgb([250; 3]));
        let size = (area.width / 7, area.height / 6);
        let (ink, line) = (self.colour(0), self.colour(150));
        self.cells(area, (size.0.max(8), size.1.max(8)), |this, cell, _| {
            this.frame(cell, line);
            this.text(cell.x + 4, cell.y + 4, 2, 10, ink, cell);
        });
    }

    fn chess_board(&mut self, area: Rect) {
        let side = (area.width.min(area.height) / 8).max(8);
        let (dark, light, piece) = (self.colour(60), self.colour(180), self.colour(0));
        let board = Rect { width: side * 8, height: side * 8, ..area };
        self.cells(board, (side, side), |this, cell, (col, row)| {
            this.fill(cell, if (col + row) % 2 == 0 { light } else { dark });
            if !(2..6).contains(&row) {
                let (inset, size) = (side as i32 / 4, side / 2);
                this.fill(Rect::new(cell.x + inset, cell.y + inset, size, size), piece);
            }
        });
    }

    fn icons(&mut self, area: Rect) {
        let ground = self.colour(100);
        self.fill(area, ground);
        let (size, space) = (16 + self.random(48), 8 + self.random(40));
        self.cells(area, (size + space, size + space), |this, cell, _| {
            let colour = this.colour(0);
            this.fill(Rect::new(cell.x + 4, cell.y + 4, size, size), colour);
            let inner = this.colour(0);
            this.fill(Rect::new(cell.x + 8, cell.y + 8, size / 2, size / 2), inner);
        });
    }

    fn editor(&mut self, area: Rect) {
        let is_dark = self.random(2) == 0;
        let (ground, ink) = if is_dark { (30, 220) } else { (252, 30) };
        self.fill(area, Rgb([ground; 3]));
        let size = 8 + self.random(10);
        let mut y = area.y + 4;
        while y + (size as i32) < area.bottom() {
            let letters = self.random(area.width / size * 3 / 2);
            let indent = (self.random(4) * size) as i32;
            self.text(area.x + 4 + indent, y, letters, size, Rgb([ink; 3]), area);
            y += size as i32 * 3 / 2;
        }
    }

    fn table(&mut self, area: Rect) {
        let (height, stripe) = (16 + self.random(14), self.colour(200));
        self.fill(area, Rgb([255; 3]));
        self.cells(area, (area.width, height), |this, row, (_, number)| {
            if number % 2 == 0 {
                this.fill(row, stripe);
            }
            for column in 0..area.width / 90 {
                let letters = 2 + this.random(8);
                let x = row.x + 6 + (column * 90) as i32;
                this.text(x, row.y + 4, letters, 9, Rgb([40; 3]), row);
            }
        });
    }

    fn keyboard(&mut self, area: Rect) {
        self.fill(area, Rgb([60; 3]));
        let side = 22 + self.random(30);
        let key = self.colour(120);
        for row in 0..area.height / side {
            let shift = (row % 3) * side / 3;
            let across = area.width.saturating_sub(shift) / side;
            for col in 0..across {
                let x = area.x + (shift + col * side) as i32;
                let cap = Rect::new(x + 1, area.y + (row * side) as i32 + 1, side - 3, side - 3);
                self.fill(cap, key);
                self.text(cap.x + 5, cap.y + 5, 1, side / 3, Rgb([10; 3]), cap);
            }
        }
    }

    /// Buttons, raised as in older programs: cells that look covered, with no game to them.
    fn tiles(&mut self, area: Rect) {
        self.fill(area, Rgb([192; 3]));
        let size = (24 + self.random(40), 18 + self.random(30));
        self.cells(area, size, |this, cell, _| {
            this.fill(Rect { height: 2, ..cell }, Rgb([255; 3]));
            this.fill(Rect { width: 2, ..cell }, Rgb([255; 3]));
            this.fill(Rect { y: cell.bottom() - 2, height: 2, ..cell }, Rgb([128; 3]));
            this.fill(Rect { x: cell.right() - 2, width: 2, ..cell }, Rgb([128; 3]));
            let letters = 1 + this.random(4);
            this.text(cell.x + 5, cell.y + 5, letters, 8, Rgb([0; 3]), cell);
        });
    }
}

fn drawn(area: Rect) -> Drawn {
    Drawn::at(area.x, area.y).of_size(area.width, area.height)
}
