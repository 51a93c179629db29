//! What may be a button for a new game: what has come up over a board, and whatever is drawn on the ground around it.
//!
//! The ground is the commonest colour around the board, and the commonest ones right beside each of its sides: a board may be on
//! a panel, or below one, or below several. What is in a box on it, as buttons are, may be as far off as it reaches; words and pictures are the
//! game's own within a few cells.
//! Toolbars of the program around it have another ground, or a line before them. The numbers below were chosen by what some
//! windows look like; none is fitted.

use std::collections::{BTreeMap, HashMap};

use image::{GrayImage, Luma, RgbImage};
use imageproc::distance_transform::Norm;
use imageproc::morphology;
use imageproc::region_labelling::{Connectivity, connected_components};

use crate::capture::Frame;
use crate::geometry::{Px, Rect};
use crate::recognize::Lattice;

/// Words and pictures are no farther from the board than this, in cells.
const REACH: f32 = 5.0;
/// Pixels that differ by no more than this from the ground are of it, as the sum over red, green and blue.
const SAME_GROUND: u16 = 24;
/// The ground is no farther from the board than this, in cells: there may be a border.
const BESIDE: f32 = 0.5;
/// Grounds beside one side of a board, at most, and how many times as much there may be of one as of another one.
const GROUNDS: usize = 5;
const COMMON: u32 = 4;
/// The letters of a word are no farther from each other than this, in cells.
const APART: f32 = 0.3;
/// What is said of cells here holds for cells of so many pixels at least: words do not become smaller with them.
const LEAST_CELL: f32 = 24.0;
/// The least width and height of a button, in pixels.
const LEAST: u32 = 8;
/// The most, in cells, or as wide as the board and a border: a larger thing is a part of the window.
const MOST: (f32, f32) = (8.0, 3.0);

/// So much of each side of a box is drawn: its corners may be round.
const BOXED: f32 = 0.75;
/// Pixels beside each other that differ by no more than this are of one shade, as the sum over red, green and blue: the colours
/// of a button may run into each other.
const SAME_SHADE: u16 = 12;
/// The shade of a button fills this share of it: the rest is the sign on it, and corners may be round. No sign is so small that it fills
/// more than that.
const FILLED: f32 = 0.6;
const FULL: f32 = 0.99;

/// What is drawn around the `board` in cells of `pitch` pixels, in pixels of the screen: boxes and then words and
/// pictures that are near, then boxes that are far; of each the nearest to the middle above the board first. Boxes beside each
/// other are in the order in which they are read.
pub(super) fn buttons(frame: &Frame, board: Rect, pitch: f32) -> Vec<Rect> {
    let pitch = pitch.max(LEAST_CELL);
    let reach = (REACH * pitch) as i32;
    let near = Rect::new(
        board.x - reach,
        board.y - reach,
        board.width + 2 * reach as u32,
        board.height + 2 * reach as u32,
    );
    let Some(near) = near.intersection(frame.area()) else { return Vec::new() };
    let part = frame;
    let inside = board.moved(-part.origin.x, -part.origin.y);
    let side = (pitch * BESIDE) as i32;
    let beside = Rect::new(
        inside.x - side,
        inside.y - side,
        inside.width + 2 * side as u32,
        inside.height + 2 * side as u32,
    );
    let near_inside = near.moved(-part.origin.x, -part.origin.y);
    let Rect { x, y, width, height } = inside;
    let thin = side as u32;
    let areas = [
        beside,
        Rect::new(x, beside.y, width, thin),
        Rect::new(x, inside.bottom(), width, thin),
        Rect::new(beside.x, y, thin, height),
        Rect::new(inside.right(), y, thin, height),
        near_inside,
    ];
    let mut grounds: Vec<[u8; 3]> = Vec::new();
    for area in areas {
        for ground in self::grounds(part, inside, area) {
            if !grounds.contains(&ground) {
                grounds.push(ground);
            }
        }
    }
    let drawn = grounds.iter().flat_map(|&ground| drawn_on(ground, part, inside, beside, pitch));
    let mut drawn: Vec<(Rect, bool)> = drawn.collect();
    // Of what is in each other the innermost: on one ground a panel is a box, on another one there are buttons in it.
    drawn.sort_by_key(|(rect, _)| rect.width * rect.height);
    let mut found: Vec<(Rect, bool)> = Vec::new();
    for (rect, is_box) in drawn {
        let rect = rect.moved(part.origin.x, part.origin.y);
        let is_near = near.intersection(rect).is_some();
        let is_new = !found.iter().any(|(other, _)| other.intersection(rect).is_some());
        if (is_box || is_near) && is_new {
            found.push((rect, is_box));
        }
    }
    let middle = board.centre();
    let rows: Vec<Rect> = found.iter().map(|&one| row(one, &found, pitch)).collect();
    let mut found: Vec<((Rect, bool), Rect)> = found.into_iter().zip(rows).collect();
    found.sort_by_key(|((rect, is_box), row)| {
        let at = row.centre();
        let outside = (board.y - at.y).max(at.y - board.bottom()).max(0);
        let is_below = i32::from(at.y > board.y) * reach;
        let is_far = near.intersection(*rect).is_none();
        (is_far, !is_box, outside + is_below + at.x.abs_diff(middle.x) as i32, rect.x)
    });
    found.into_iter().map(|((rect, _), _)| rect).collect()
}

/// The boxes with a sign in them, no higher than half the board, that are over the board of `lattice` in `now` and were not
/// `before`, in pixels of the screen: pages lay what they say of a finished game over it. The nearest to the middle comes first;
/// of boxes in each other only the innermost are taken, as a button is on a card.
pub(super) fn come_up(now: &Frame, before: &Frame, lattice: &Lattice) -> Vec<Rect> {
    let board = lattice.area();
    if now.area() != before.area() {
        return Vec::new();
    }
    let is_new = |x: u32, y: u32| now.pixels.get_pixel(x, y) != before.pixels.get_pixel(x, y);
    let mut found: Vec<Rect> = Vec::new();
    let mut shades = shades(&now.pixels, is_new);
    shades.sort_by_key(|shade| shade.extent.width * shade.extent.height);
    for shade in shades {
        let place = shade.extent.moved(now.origin.x, now.origin.y);
        let cell = lattice.pos_at(place.centre());
        let is_cell = cell.is_some_and(|cell| lattice.cell(cell).encloses(place));
        let is_sized = place.width.min(place.height) >= LEAST
            && place.width <= board.width
            && place.height <= board.height / 2;
        let whole = place.width * place.height;
        let has_sign = (FILLED..FULL).contains(&(shade.size as f32 / whole as f32));
        if board.intersection(place).is_some()
            && is_sized
            && has_sign
            && !is_cell
            && shade.is_button()
            && !found.iter().any(|other| other.intersection(place).is_some())
        {
            found.push(place);
        }
    }
    let middle = board.centre();
    found.sort_by_key(|place| {
        let at = place.centre();
        at.x.abs_diff(middle.x) + at.y.abs_diff(middle.y)
    });
    found
}

/// What has changed near the `board` since the window was as in `before` and has the size of a button, in pixels of the screen.
pub(super) fn changed_near(now: &Frame, before: &Frame, board: Rect, pitch: f32) -> Vec<Rect> {
    let pitch = pitch.max(LEAST_CELL);
    let reach = (REACH * pitch) as u32;
    let Rect { x, y, width, height } = board;
    let (left, top) = (x - reach as i32, y - reach as i32);
    let wide = width + 2 * reach;
    let sides = [
        Rect::new(left, top, wide, reach),
        Rect::new(left, y, reach, height),
        Rect::new(board.right(), y, reach, height),
        Rect::new(left, board.bottom(), wide, reach),
    ];
    let inside = sides.into_iter().filter_map(|side| side.intersection(now.area()));
    let changed = inside.flat_map(|side| changes(now, before, side, pitch));
    let is_sized = |part: &Rect| {
        let (wide, high) = (part.width as f32 / pitch, part.height as f32 / pitch);
        part.width.min(part.height) >= LEAST && wide <= MOST.0 && high <= MOST.1
    };
    changed.filter(is_sized).collect()
}

/// What has changed of this part of a window since it was as in `before`, in pixels of the screen: all of it where one of the
/// pictures does not show it. Changes no farther from each other than the letters of a word are one.
pub(super) fn changes(now: &Frame, before: &Frame, part: Rect, pitch: f32) -> Vec<Rect> {
    let shown = |frame: &Frame| frame.area().intersection(part).and_then(|part| frame.crop(part));
    let (Some(now), Some(before)) = (shown(now), shown(before)) else { return vec![part] };
    if now.area() != before.area() {
        return vec![part];
    }
    let (width, height) = now.pixels.dimensions();
    let is_changed = |x: u32, y: u32| now.pixels.get_pixel(x, y) != before.pixels.get_pixel(x, y);
    let changed = GrayImage::from_fn(width, height, |x, y| Luma([u8::from(is_changed(x, y))]));
    let apart = APART * pitch.max(LEAST_CELL);
    let reach = morphology::dilate(&changed, Norm::LInf, (apart / 2.0) as u8);
    let of_piece = |(_, piece): (u32, Rect)| {
        let inside =
            (piece.y..piece.bottom()).flat_map(|y| (piece.x..piece.right()).map(move |x| (x, y)));
        let inside = inside.filter(|&(x, y)| is_changed(x as u32, y as u32));
        let pixels = inside.map(|(x, y)| Rect::new(x, y, 1, 1));
        pixels.reduce(Rect::around).unwrap_or(piece).moved(now.origin.x, now.origin.y)
    };
    pieces(&reach).map(of_piece).collect()
}

/// A piece of a picture over which the colour changes little by little, if at all.
struct Shade {
    size: u32,
    extent: Rect,
    /// The first and the last pixel of each line of pixels in the extent, and of each column.
    across: Vec<(i32, i32)>,
    down: Vec<(i32, i32)>,
}

impl Shade {
    fn of(pixels: &[(u32, u32)]) -> Self {
        let at = |&(x, y): &(u32, u32)| Rect::new(x as i32, y as i32, 1, 1);
        let extent = pixels.iter().map(at).reduce(Rect::around).unwrap_or(Rect::new(0, 0, 0, 0));
        let mut across = vec![(i32::MAX, i32::MIN); extent.height as usize];
        let mut down = vec![(i32::MAX, i32::MIN); extent.width as usize];
        let meet = |line: &mut (i32, i32), at: i32| {
            *line = (line.0.min(at), line.1.max(at));
        };
        for &(x, y) in pixels {
            let (x, y) = (x as i32 - extent.x, y as i32 - extent.y);
            meet(&mut across[y as usize], x);
            meet(&mut down[x as usize], y);
        }
        Self { size: pixels.len() as u32, extent, across, down }
    }

    /// Whether its outline is between its extent and the rounded box in that which has half circles at its ends.
    fn is_button(&self) -> bool {
        let radius = self.extent.width.min(self.extent.height) as f32 / 2.0;
        let fits = |lines: &[(i32, i32)], length: u32| {
            lines.iter().enumerate().all(|(at, &(first, last))| {
                let from_end = (at.min(lines.len() - 1 - at) as f32 + 0.5).min(radius);
                // The pixels of an outline that is not straight are of neither shade.
                let reach = (radius - 1.0).powi(2) - (radius - from_end).powi(2);
                let most = (radius - reach.max(0.0).sqrt()) as i32 + 1;
                first <= most && last >= length as i32 - 1 - most
            })
        };
        fits(&self.across, self.extent.width) && fits(&self.down, self.extent.height)
    }
}

/// The pieces of a picture in which each pixel is nearly as one beside it; of those pixels only that count.
fn shades(pixels: &RgbImage, counts: impl Fn(u32, u32) -> bool) -> Vec<Shade> {
    let (width, height) = pixels.dimensions();
    let mut open: Vec<bool> = pixels.enumerate_pixels().map(|(x, y, _)| counts(x, y)).collect();
    let at = |x: u32, y: u32| (y * width + x) as usize;
    let is_same = |(x, y): (u32, u32), (other_x, other_y): (u32, u32)| {
        let (one, other) = (pixels.get_pixel(x, y).0, pixels.get_pixel(other_x, other_y).0);
        one.iter().zip(other).map(|(&a, b)| u16::from(a.abs_diff(b))).sum::<u16>() <= SAME_SHADE
    };
    let mut found = Vec::new();
    for start in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        if !std::mem::take(&mut open[at(start.0, start.1)]) {
            continue;
        }
        let (mut piece, mut next) = (vec![start], 0);
        while next < piece.len() {
            let (x, y) = piece[next];
            next += 1;
            let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            for other in beside {
                let is_inside = other.0 < width && other.1 < height;
                if is_inside && open[at(other.0, other.1)] && is_same((x, y), other) {
                    open[at(other.0, other.1)] = false;
                    piece.push(other);
                }
            }
        }
        if piece.len() as u32 >= LEAST * LEAST / 2 {
            found.push(Shade::of(&piece));
        }
    }
    found
}

/// The row of boxes in which one is; of anything else itself.
fn row(one: (Rect, bool), found: &[(Rect, bool)], pitch: f32) -> Rect {
    let (mut row, is_box) = one;
    let apart = (APART * pitch) as u32;
    let is_beside = |row: Rect, other: Rect| {
        let reach = Rect::new(row.x - apart as i32, row.y, row.width + 2 * apart, row.height);
        reach.intersection(other).is_some()
    };
    let boxes = || found.iter().filter(|(_, is_box)| *is_box).map(|(rect, _)| *rect);
    while is_box
        && let Some(next) = boxes().find(|&other| is_beside(row, other) && row.around(other) != row)
    {
        row = row.around(next);
    }
    row
}

/// What is drawn on this ground in `part` of a window, in pixels of that part, and whether that is a box; the board is `inside`,
/// and the ground reaches to what is `beside` it.
fn drawn_on(
    ground: [u8; 3],
    part: &Frame,
    inside: Rect,
    beside: Rect,
    pitch: f32,
) -> Vec<(Rect, bool)> {
    let (width, height) = part.pixels.dimensions();
    let is_ground = |x: u32, y: u32| {
        let pixel = part.pixels.get_pixel(x, y).0;
        let apart = pixel.iter().zip(ground).map(|(&a, b)| u16::from(a.abs_diff(b)));
        apart.sum::<u16>() <= SAME_GROUND
    };
    let is_board = |x: u32, y: u32| inside.contains(Px::new(x as i32, y as i32));
    let grounds = GrayImage::from_fn(width, height, |x, y| {
        Luma([u8::from(is_ground(x, y) && !is_board(x, y))])
    });
    // A board may part it.
    let reached = pieces(&grounds).map(|(_, extent)| extent);
    let reached: Vec<Rect> = reached
        .filter(|extent| extent.width.min(extent.height) >= LEAST)
        .filter(|extent| extent.intersection(beside).is_some())
        .collect();
    let mut drawn = GrayImage::from_fn(width, height, |x, y| {
        let at = Px::new(x as i32, y as i32);
        let counts = reached.iter().any(|extent| extent.contains(at)) && !is_board(x, y);
        Luma([u8::from(counts && !is_ground(x, y))])
    });
    let is_sized = |part: &Rect| {
        let (wide, high) = (part.width as f32 / pitch, part.height as f32 / pitch);
        part.width >= LEAST
            && part.height >= LEAST
            && wide <= MOST.0.max(inside.width as f32 / pitch + 2.0 * BESIDE)
            && high <= MOST.1
            && part.intersection(inside).is_none()
    };
    let single = pieces(&drawn).map(|(_, extent)| extent).filter(is_sized);
    let boxes: Vec<Rect> = single.filter(|&part| is_box(&drawn, part)).collect();
    // Words are in several pieces, and buttons beside each other are several.
    for (x, y, pixel) in drawn.enumerate_pixels_mut() {
        if boxes.iter().any(|part| part.contains(Px::new(x as i32, y as i32))) {
            *pixel = Luma([0]);
        }
    }
    for line in drawn.chunks_exact_mut(width as usize) {
        join(line, (APART * pitch) as usize);
    }
    let words =
        pieces(&drawn).map(|(_, extent)| (extent, false)).filter(|(part, _)| is_sized(part));
    let words: Vec<(Rect, bool)> = words.collect();
    boxes.into_iter().map(|part| (part, true)).chain(words).collect()
}

/// Whether all four sides of a rectangle are drawn.
fn is_box(drawn: &GrayImage, rect: Rect) -> bool {
    let Rect { x, y, .. } = rect;
    let (right, bottom) = (rect.right() - 1, rect.bottom() - 1);
    let share = |places: &mut dyn Iterator<Item = (i32, i32)>| {
        let (mut drawn_there, mut all) = (0, 0);
        for (x, y) in places {
            drawn_there += u32::from(drawn.get_pixel(x as u32, y as u32).0[0] > 0);
            all += 1;
        }
        drawn_there as f32 >= BOXED * all as f32
    };
    share(&mut (x..=right).map(|x| (x, y)))
        && share(&mut (x..=right).map(|x| (x, bottom)))
        && share(&mut (y..=bottom).map(|y| (x, y)))
        && share(&mut (y..=bottom).map(|y| (right, y)))
}

/// The commonest colour around the board in this area, and others of which there is not much less: a panel may be between
/// counters.
fn grounds(part: &Frame, board: Rect, area: Rect) -> Vec<[u8; 3]> {
    let mut counts: HashMap<[u8; 3], u32> = HashMap::new();
    for (x, y, pixel) in part.pixels.enumerate_pixels() {
        let at = Px::new(x as i32, y as i32);
        if area.contains(at) && !board.contains(at) {
            *counts.entry(pixel.0).or_insert(0) += 1;
        }
    }
    let mut counts: Vec<([u8; 3], u32)> = counts.into_iter().collect();
    counts.sort_by_key(|&(colour, count)| std::cmp::Reverse((count, colour)));
    let most = counts.first().map_or(0, |&(_, count)| count);
    let common = counts.into_iter().filter(|&(_, count)| COMMON * count >= most);
    common.take(GROUNDS).map(|(colour, _)| colour).collect()
}

/// Draws a line of pixels through all gaps in it of no more than so many: letters are beside each other.
fn join(line: &mut [u8], most: usize) {
    let mut last = None;
    for at in 0..line.len() {
        if line[at] == 0 {
            continue;
        }
        if let Some(last) = last.filter(|last| at - last - 1 <= most) {
            line[last..at].fill(1);
        }
        last = Some(at);
    }
}

/// What is drawn in one piece: how many pixels each has, and its extent.
fn pieces(drawn: &GrayImage) -> impl Iterator<Item = (u32, Rect)> {
    let labels = connected_components(drawn, Connectivity::Eight, Luma([0]));
    let mut pieces: BTreeMap<u32, (u32, Rect)> = BTreeMap::new();
    for (x, y, &Luma([label])) in labels.enumerate_pixels().filter(|(.., label)| label.0[0] > 0) {
        let pixel = Rect::new(x as i32, y as i32, 1, 1);
        let (size, extent) = pieces.entry(label).or_insert((0, pixel));
        *size += 1;
        *extent = extent.around(pixel);
    }
    pieces.into_values()
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    fn fill(pixels: &mut RgbImage, area: Rect, colour: [u8; 3]) {
        let part = RgbImage::from_pixel(area.width, area.height, Rgb(colour));
        image::imageops::replace(pixels, &part, i64::from(area.x), i64::from(area.y));
    }

    /// A white toolbar with a black button, below it a page with a board, a face above it and a word below.
    #[test]
    fn what_is_drawn_on_the_ground_around_a_board_is_found_and_nothing_of_a_toolbar() {
        let board = Rect::new(100, 120, 160, 160);
        let mut pixels = RgbImage::from_pixel(400, 400, Rgb([40, 44, 52]));
        let mut fill = |area: Rect, colour: [u8; 3]| fill(&mut pixels, area, colour);
        fill(Rect::new(0, 0, 400, 60), [255; 3]);
        fill(Rect::new(170, 40, 20, 16), [0; 3]);
        fill(board, [120, 130, 150]);
        let (face, word) = (Rect::new(170, 86, 20, 20), Rect::new(150, 300, 30, 12));
        fill(face, [250, 220, 0]);
        for letter in 0..4 {
            fill(Rect::new(150 + 8 * letter, 300, 5, 12), [255; 3]);
        }
        let found = buttons(&Frame::new(Px::new(0, 0), pixels), board, 16.0);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains(face.centre()) && found[1].contains(word.centre()));
    }

    #[test]
    fn a_button_far_from_the_board_is_found_and_no_word_there() {
        let board = Rect::new(400, 100, 90, 90);
        let mut pixels = RgbImage::from_pixel(600, 300, Rgb([255; 3]));
        let mut fill = |area: Rect, colour: [u8; 3]| fill(&mut pixels, area, colour);
        let button = Rect::new(20, 220, 70, 20);
        fill(board, [120, 130, 150]);
        let other = button.moved(76, 0);
        for button in [button, other] {
            fill(button, [118; 3]);
            fill(Rect::new(button.x + 2, 222, 66, 16), [239; 3]);
        }
        for letter in 0..5 {
            // As in the word of a link, which does not fill a box.
            fill(Rect::new(20 + 8 * letter, 40, 2, 12), [0, 0, 238]);
            fill(Rect::new(20 + 8 * letter, 46, 5, 2), [0, 0, 238]);
        }
        let found = buttons(&Frame::new(Px::new(0, 0), pixels), board, 10.0);
        assert_eq!(found, [button, other]);
    }

    #[test]
    fn a_button_that_comes_up_over_a_board_is_found_and_no_cell_of_it() {
        let lattice = Lattice::even(Px::new(40, 40), (24.0, 24.0), 9, 9);
        let mut before = RgbImage::from_pixel(320, 320, Rgb([60, 64, 72]));
        for cell in lattice.cells() {
            let inside = Rect::new(cell.x + 1, cell.y + 1, 22, 22);
            fill(&mut before, inside, [120, 130, 150]);
        }
        // All is darker, mines are on red, and there are words and a button.
        let mut after = before.clone();
        after.pixels_mut().for_each(|pixel| pixel.0 = pixel.0.map(|level| level / 5));
        for cell in lattice.cells().step_by(7) {
            fill(&mut after, Rect::new(cell.x + 1, cell.y + 1, 22, 22), [40, 10, 10]);
            fill(&mut after, Rect::new(cell.x + 8, cell.y + 8, 8, 8), [0; 3]);
        }
        for letter in 0..5 {
            fill(&mut after, Rect::new(110 + 12 * letter, 100, 3, 14), [230, 80, 60]);
        }
        let button = Rect::new(106, 150, 80, 30);
        fill(&mut after, button, [255, 215, 0]);
        for letter in 0..4 {
            fill(&mut after, Rect::new(126 + 10 * letter, 160, 4, 10), [0; 3]);
        }
        let frame = |pixels: &RgbImage| Frame::new(Px::new(0, 0), pixels.clone());
        assert_eq!(come_up(&frame(&after), &frame(&before), &lattice), [button]);
        assert_eq!(come_up(&frame(&before), &frame(&before), &lattice), []);

        // What is open is of one colour, too, and no button. One with round ends, the colours of which run into each other, is.
        for cell in lattice.cells().filter(|cell| cell.y < 130 && cell.x + cell.y < 280) {
            fill(&mut after, cell, [2; 3]);
            fill(&mut after, Rect::new(cell.x + 10, cell.y + 6, 4, 12), [30; 3]);
        }
        fill(&mut after, button, [12; 3]);
        for (x, y) in (150..180).flat_map(|y| (106..186).map(move |x| (x, y))) {
            let nearest = (x as f32).clamp(121.0, 170.0);
            let is_inside = (x as f32 - nearest).hypot(y as f32 - 164.5) <= 15.0;
            let is_sign = x % 10 < 4 && (126..166).contains(&x) && (160..170).contains(&y);
            if is_inside && !is_sign {
                after.put_pixel(x, y, Rgb([98 + (x - 106) as u8, 0, 234 - (x - 106) as u8]));
            }
        }
        let round = Rect::new(107, 150, 78, 30);
        assert_eq!(come_up(&frame(&after), &frame(&before), &lattice), [round]);
    }

    /// Without ground between them buttons are drawn in one piece.
    #[test]
    fn of_two_buttons_side_by_side_the_one_that_has_changed_is_told() {
        let board = Rect::new(100, 160, 200, 200);
        let mut pixels = RgbImage::from_pixel(400, 400, Rgb([217; 3]));
        for left in [100, 150] {
            fill(&mut pixels, Rect::new(left, 100, 50, 50), [130; 3]);
            fill(&mut pixels, Rect::new(left, 100, 49, 49), [255; 3]);
            fill(&mut pixels, Rect::new(left + 1, 101, 48, 48), [217; 3]);
            fill(&mut pixels, Rect::new(left + 5, 105, 40, 40), [250, 220, 0]);
        }
        let frame = |pixels: &RgbImage| Frame::new(Px::new(0, 0), pixels.clone());
        let before = frame(&pixels);
        fill(&mut pixels, Rect::new(113, 115, 6, 6), [0; 3]);
        fill(&mut pixels, Rect::new(131, 115, 6, 6), [0; 3]);
        fill(&mut pixels, Rect::new(115, 130, 20, 9), [0; 3]);
        let after = frame(&pixels);
        let found = buttons(&after, board, 24.0);
        let changed: Vec<Rect> =
            found.iter().flat_map(|&one| changes(&after, &before, one, 24.0)).collect();
        let first = Rect::new(100, 100, 50, 50);
        assert!(
            !changed.is_empty() && changed.iter().all(|&part| first.encloses(part)),
            "{changed:?}"
        );
        assert!(found.iter().all(|&one| changes(&before, &before, one, 24.0).is_empty()));
        let near = changed_near(&after, &before, board, 24.0);
        assert!(!near.is_empty() && near.iter().all(|&part| first.encloses(part)), "{near:?}");
    }

    /// Between two counters, in a bar with a frame above the frame of the board: the bar itself is a box, too.
    #[test]
    fn a_face_between_counters_is_found_and_not_the_bar() {
        let board = Rect::new(100, 156, 300, 200);
        let mut pixels = RgbImage::from_pixel(500, 400, Rgb([0, 130, 130]));
        let mut fill = |area: Rect, colour: [u8; 3]| fill(&mut pixels, area, colour);
        fill(Rect::new(92, 116, 316, 252), [238; 3]);
        fill(Rect::new(95, 119, 310, 34), [154; 3]);
        fill(Rect::new(97, 121, 90, 30), [50, 30, 30]);
        fill(Rect::new(190, 121, 120, 30), [211; 3]);
        fill(Rect::new(313, 121, 90, 30), [50, 30, 30]);
        let face = Rect::new(238, 123, 24, 24);
        fill(face, [255; 3]);
        fill(Rect::new(240, 125, 22, 22), [150; 3]);
        fill(Rect::new(240, 125, 20, 20), [211; 3]);
        fill(Rect::new(245, 130, 10, 10), [240, 210, 40]);
        let frame = Frame::new(Px::new(0, 0), pixels);
        let found = buttons(&frame, board, 25.0);
        assert!(found.iter().any(|&one| face.encloses(one)), "{found:?}");
    }

    /// The panel is as wide as the board, and ends where that begins.
    #[test]
    fn a_face_on_a_panel_above_a_board_is_found() {
        let board = Rect::new(100, 160, 200, 200);
        let mut pixels = RgbImage::from_pixel(400, 400, Rgb([255; 3]));
        let mut fill = |area: Rect, colour: [u8; 3]| fill(&mut pixels, area, colour);
        let face = Rect::new(190, 110, 20, 20);
        fill(Rect::new(99, 79, 202, 282), [0; 3]);
        fill(Rect::new(100, 80, 200, 80), [230; 3]);
        fill(board, [170, 180, 190]);
        fill(face, [250, 220, 0]);
        let found = buttons(&Frame::new(Px::new(0, 0), pixels), board, 20.0);
        assert!(found.iter().any(|found| found.contains(face.centre())), "{found:?}");
    }

    #[test]
    fn a_face_on_a_panel_of_a_page_is_found() {
        let board = Rect::new(180, 160, 100, 100);
        let mut pixels = RgbImage::from_pixel(500, 400, Rgb([136, 153, 187]));
        let mut fill = |area: Rect, colour: [u8; 3]| fill(&mut pixels, area, colour);
        let face = Rect::new(220, 120, 20, 20);
        fill(Rect::new(168, 100, 124, 172), [190; 3]);
        fill(board, [120, 130, 150]);
        fill(face, [250, 220, 0]);
        let found = buttons(&Frame::new(Px::new(0, 0), pixels), board, 10.0);
        assert!(found.first().is_some_and(|found| found.contains(face.centre())), "{found:?}");
    }
}
