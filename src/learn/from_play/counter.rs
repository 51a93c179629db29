//! The mine counter: what beside the board changes with every flag.
//!
//! While flags are set one by one a counter goes through all digits, and the number of mines is known as soon as one
//! board is known in full. So each digit can be cut out of the picture that must show it. The rest of the counter (tens,
//! the mines behind a slash) is the proof: with these digits the reader has to find that very number of mines in every
//! one of the pictures.

use image::RgbImage;

use crate::capture::Frame;
use crate::geometry::{Px, Rect};
use crate::learn::from_labels::{characters, crop};
use crate::recognize::skin::{CounterWays, Digit, Shows, Spot};
use crate::recognize::{Lattice, Skin, counter};

/// Pixels that change and are no farther apart than this belong together.
const SAME_TEXT_WITHIN: i32 = 8;
/// A digit is not larger than this many cells.
const LARGEST: f64 = 4.0;
/// How far beyond what changes a counter's text may reach, in its heights.
const TEXT_REACH: i32 = 8;

/// The window with 0, 1, 2, … flags on the board.
#[derive(Clone, Debug)]
pub(crate) struct Flags {
    pub(crate) frames: Vec<Frame>,
    pub(crate) lattice: Lattice,
}

impl Flags {
    /// How the counter of a game with `mines` mines looks and where it is, as a part of `skin`; `None` when there is
    /// none, or it cannot be proven.
    pub(crate) fn counter(&self, skin: &Skin, mines: u32) -> Option<(CounterWays, Vec<Digit>)> {
        let fits = |(ways, digits): &(CounterWays, Vec<Digit>)| {
            let (counter, digits) = (Some(ways.clone()), digits.clone());
            let skin = Skin { counter, digits, ..skin.clone() };
            (0..).zip(&self.frames).all(|(flags, frame)| {
                counter::read_mines(&skin, frame, &self.lattice, Some(flags)) == Some(mines)
            })
        };
        let made = self.places().into_iter().flat_map(|place| {
            let left = self.mines_left(place, mines);
            left.into_iter().chain(self.flags_of_mines(place))
        });
        let mut fitting = made.filter(fits);
        fitting.next()
    }

    /// The parts of the window beside the board that change with every flag.
    fn places(&self) -> Vec<Rect> {
        let mut places: Vec<Rect> = Vec::new();
        for step in 1..self.frames.len() {
            for at in self.changes(step) {
                let pixel = Rect::new(at.x, at.y, 1, 1);
                match places.iter_mut().find(|place| widened(**place).contains(at)) {
                    Some(place) => *place = place.around(pixel),
                    None => places.push(pixel),
                }
            }
            // What has grown together is one.
            while let Some((a, b)) = touching(&places) {
                let other = places.swap_remove(b);
                places[a] = places[a].around(other);
            }
        }
        places.retain(|place| {
            (1..self.frames.len()).all(|step| self.changes(step).any(|at| place.contains(at)))
        });
        places
    }

    /// The pixels beside the board that the flag of this number changed.
    fn changes(&self, step: usize) -> impl Iterator<Item = Px> + '_ {
        let (before, after) = (&self.frames[step - 1], &self.frames[step]);
        let (board, origin) = (self.lattice.area(), after.origin);
        let pixels = after.pixels.enumerate_pixels().zip(before.pixels.pixels());
        pixels.filter(|((_, _, now), then)| now != then).filter_map(move |((x, y, _), _)| {
            let at = Px::new(x as i32 + origin.x, y as i32 + origin.y);
            (!board.contains(at)).then_some(at)
        })
    }

    /// A counter that shows the mines less the flags: its last digit is what changes with every flag but those that
    /// change the tens.
    fn mines_left(&self, place: Rect, mines: u32) -> Option<(CounterWays, Vec<Digit>)> {
        let left = |flags: usize| mines.checked_sub(u32::try_from(flags).ok()?);
        let steps =
            (1..self.frames.len()).filter(|&step| left(step - 1).is_some_and(|n| n % 10 != 0));
        let changed = steps.flat_map(|step| self.changes(step)).filter(|&at| place.contains(at));
        let last = changed.map(|at| Rect::new(at.x, at.y, 1, 1)).reduce(Rect::around)?;
        let mut digits: Vec<Digit> = Vec::new();
        for (flags, frame) in self.frames.iter().enumerate() {
            let symbol = char::from_digit(left(flags)? % 10, 10)?;
            if digits.iter().all(|digit| digit.symbol != symbol) {
                digits.push(Digit { symbol, picture: frame.crop(last)?.pixels });
            }
        }
        digits.sort_by_key(|digit| digit.symbol);
        // Room for two more digits before this one, and for what is between them.
        let (width, height) = (last.width as i32, last.height as i32);
        let (x, y) = (last.x - width * 3, last.y - height / 4);
        let area = Rect::new(x, y, (width * 4 + width / 2) as u32, (height + height / 2) as u32);
        let area = area.intersection(self.frames[0].area())?;
        let right = area.x + area.width as i32;
        let (from, to) =
            (self.spot(Px::new(area.x, area.y)), self.spot(Px::new(right, area.bottom())));
        Some((CounterWays { shows: Shows::MinesLeft, from, to }, digits))
    }

    /// A counter that shows the flags, a slash and the mines: of the characters there one is another with each flag,
    /// and the one behind it is always the same.
    fn flags_of_mines(&self, place: Rect) -> Option<(CounterWays, Vec<Digit>)> {
        let height = place.height as i32;
        let (width, _) = self.lattice.pitch();
        if f64::from(height) > LARGEST * width {
            return None;
        }
        let wide = Rect::new(
            place.x - height,
            place.y - 2,
            place.width + (1 + TEXT_REACH as u32) * place.height,
            place.height + 4,
        );
        let area = wide.intersection(self.frames[0].area())?;
        // Ten flags are two digits.
        let one_digit = &self.frames[..self.frames.len().min(10)];
        let lines: Vec<Vec<RgbImage>> =
            one_digit.iter().map(|frame| text(frame, area)).collect::<Option<_>>()?;
        let shortest = lines.iter().map(Vec::len).min()?;
        let differ = |at: usize| {
            let mut shown: Vec<&RgbImage> = lines.iter().map(|line| &line[at]).collect();
            shown.dedup();
            shown.len() == lines.len()
        };
        let at = (0..shortest.saturating_sub(1)).find(|&at| differ(at))?;
        let mut digits: Vec<Digit> = Vec::new();
        for (symbol, line) in ('0'..='9').zip(&lines) {
            let (digit, slash) = (line[at].clone(), line[at + 1].clone());
            digits.push(Digit { symbol, picture: digit });
            // Text is drawn a little differently from place to place.
            if digits.iter().all(|known| known.picture != slash) {
                digits.push(Digit { symbol: '/', picture: slash });
            }
        }
        digits.sort_by_key(|digit| digit.symbol);
        let (from, to) = self.side_of(place);
        Some((CounterWays { shows: Shows::FlagsOfMines, from, to }, digits))
    }

    /// A place of the window as one beside the board.
    fn spot(&self, at: Px) -> Spot {
        let (board, (width, height)) = (self.lattice.area(), self.lattice.pitch());
        // From the nearer edge: boards of other sizes have it as near.
        let nearer = |at: i32, from: i32, to: i32, pitch: f64| {
            let edge = if (at - from).abs() <= (at - to).abs() { (0.0, from) } else { (1.0, to) };
            (edge.0, f64::from(at - edge.1) / pitch)
        };
        let (across, right) = nearer(at.x, board.x, board.right(), width);
        let (along, down) = nearer(at.y, board.y, board.bottom(), height);
        Spot { across, right, along, down }
    }

    /// The whole side of the window, seen from the board, on which `place` is: where the window is larger, a text may be
    /// anywhere there.
    fn side_of(&self, place: Rect) -> (Spot, Spot) {
        let board = self.lattice.area();
        let spot =
            |across: f64, right: f64, along: f64, down: f64| Spot { across, right, along, down };
        if place.x >= board.right() {
            (spot(1.0, 0.0, 0.0, -2.0), spot(1.0, 30.0, 1.0, 2.0))
        } else if place.right() <= board.x {
            (spot(0.0, -30.0, 0.0, -2.0), spot(0.0, 0.0, 1.0, 2.0))
        } else if place.y >= board.bottom() {
            (spot(0.0, -4.0, 1.0, 0.3), spot(1.0, 20.0, 1.0, 12.0))
        } else {
            (spot(0.0, -4.0, 0.0, -12.0), spot(1.0, 20.0, 0.0, -0.3))
        }
    }
}

fn widened(place: Rect) -> Rect {
    let Rect { x, y, width, height } = place;
    let more = 2 * SAME_TEXT_WITHIN as u32;
    Rect::new(x - SAME_TEXT_WITHIN, y - SAME_TEXT_WITHIN, width + more, height + more)
}

/// Two places that are next to each other.
fn touching(places: &[Rect]) -> Option<(usize, usize)> {
    let pairs = (0..places.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
    let mut touching = pairs.filter(|&(a, b)| widened(places[a]).intersection(places[b]).is_some());
    touching.next()
}

/// The characters of a line of text, from left to right.
fn text(frame: &Frame, area: Rect) -> Option<Vec<RgbImage>> {
    let part = area.moved(-frame.origin.x, -frame.origin.y);
    let mut boxes = characters(&frame.pixels, part);
    boxes.sort_by_key(|character| character.x);
    Some(boxes.into_iter().map(|character| crop(&frame.pixels, character)).collect())
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    /// Digits and the slash, seven rows of five dots.
    const GLYPHS: [(char, &str); 11] = [
        ('0', ".###. #...# #...# #...# #...# #...# .###."),
        ('1', "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###."),
        ('2', ".###. #...# ....# ...#. ..#.. .#... #####"),
        ('3', "##### ...#. ..#.. ...#. ....# #...# .###."),
        ('4', "...#. ..##. .#.#. #..#. ##### ...#. ...#."),
        ('5', "##### #.... ####. ....# ....# #...# .###."),
        ('6', "..##. .#... #.... ####. #...# #...# .###."),
        ('7', "##### ....# ...#. ..#.. .#... .#... .#..."),
        ('8', ".###. #...# #...# .###. #...# #...# .###."),
        ('9', ".###. #...# #...# .#### ....# ...#. .##.."),
        ('/', "....# ....# ...#. ..#.. .#... #.... #...."),
    ];
    const GROUND: Rgb<u8> = Rgb([240; 3]);
    const INK: Rgb<u8> = Rgb([20; 3]);

    fn lattice() -> Lattice {
        Lattice::even(Px::new(20, 60), (16.0, 16.0), 9, 9)
    }

    /// The window with this text at a place, and a clock that stands still.
    fn window(text: &str, at: (u32, u32)) -> Frame {
        let mut pixels = RgbImage::from_pixel(300, 260, GROUND);
        let mut write = |text: &str, (x, y): (u32, u32)| {
            for (place, symbol) in (0..).zip(text.chars()) {
                let Some((_, rows)) = GLYPHS.iter().find(|(known, _)| *known == symbol) else {
                    continue;
                };
                for (dy, row) in (0..).zip(rows.split(' ')) {
                    for (dx, _) in (0..).zip(row.chars()).filter(|&(_, dot)| dot == '#') {
                        for (sx, sy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                            pixels.put_pixel(x + place * 14 + 2 * dx + sx, y + 2 * dy + sy, INK);
                        }
                    }
                }
            }
        };
        write(text, at);
        write("000", (130, 20));
        Frame::new(Px::new(0, 0), pixels)
    }

    fn flags(text: impl Fn(u32) -> String, at: (u32, u32)) -> Flags {
        Flags {
            frames: (0..=10).map(|flags| window(&text(flags), at)).collect(),
            lattice: lattice(),
        }
    }

    #[test]
    fn a_counter_of_mines_less_flags_is_learned_and_a_clock_is_none() {
        for mines in [10, 34, 99] {
            let seen = flags(|flags| format!("{:03}", mines - flags), (30, 20));
            let (ways, digits) = seen.counter(&Skin::default(), mines).expect("a counter");
            assert_eq!((ways.shows, digits.len()), (Shows::MinesLeft, 10));
        }
        let clock = flags(|_| String::new(), (30, 20));
        assert_eq!(clock.counter(&Skin::default(), 10), None);
    }

    #[test]
    fn a_counter_of_flags_and_mines_is_learned() {
        for (mines, at) in [(10, (200, 100)), (99, (40, 230))] {
            let seen = flags(|flags| format!("{flags}/{mines}"), at);
            let (ways, digits) = seen.counter(&Skin::default(), mines).expect("a counter");
            assert_eq!((ways.shows, digits.len()), (Shows::FlagsOfMines, 11));
        }
    }

    #[test]
    fn a_counter_that_does_not_show_the_mines_is_none() {
        let seen = flags(|flags| format!("{:03}", 40 - flags), (30, 20));
        assert_eq!(seen.counter(&Skin::default(), 41), None);
    }
}
