//! One direction of a picture in which equal cells follow each other: where they begin and end.

use std::ops::Range;

use crate::recognize::detect::fitting::LEAST;

/// Two pixels differ from this on, as the sum over red, green and blue.
const DIFFERENT: u16 = 24;
/// An edge stronger than this counts no more, as the sum over red, green and blue.
const STRONGEST_EDGE: u32 = 96;
/// The widest gap that is looked for, as a share of a cell.
const WIDEST_GAP: i32 = 4;

/// Which of an axis' lines are edges of cells, moved by some pixels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    /// The line at which the first cell begins.
    pub(super) first: i32,
    /// The line at which the last cell ends.
    pub(super) end: i32,
    /// How far the edges are from the lines, in pixels.
    by: i32,
}

impl Span {
    /// The cell before the first (`way` -1) or after the last one (1).
    pub(super) fn next(&self, way: i32) -> i32 {
        if way < 0 { self.first - 1 } else { self.end }
    }

    pub(super) fn add(&mut self, way: i32) {
        if way < 0 {
            self.first -= 1;
        } else {
            self.end += 1;
        }
    }
}

/// Cells with gaps between them.
pub(super) struct Gaps {
    pub(super) edges: Vec<i32>,
    /// Pixels between two cells.
    pub(super) width: u32,
    /// What is seen there; none where a background shines through that is not the same everywhere.
    pub(super) colour: Option<[u8; 3]>,
}

/// The colour of a line of pixels.
#[derive(Clone, Copy)]
struct Colour {
    median: [u8; 3],
    /// The share of the pixels that have it.
    share: f32,
}

impl Colour {
    /// `None` for no pixels.
    fn of(pixels: &[[u8; 3]]) -> Option<Self> {
        if pixels.is_empty() {
            return None;
        }
        let median = [0, 1, 2].map(|channel| {
            let mut levels: Vec<u8> = pixels.iter().map(|pixel| pixel[channel]).collect();
            let middle = levels.len() / 2;
            *levels.select_nth_unstable(middle).1
        });
        let same = pixels.iter().filter(|&&pixel| !differ(median, pixel)).count();
        Some(Self { median, share: same as f32 / pixels.len() as f32 })
    }
}

/// Lines of pixels beside each other that have one colour.
#[derive(Clone, Copy)]
struct Stripe {
    start: i32,
    end: i32,
    colour: [u8; 3],
}

impl Stripe {
    fn width(&self) -> i32 {
        self.end - self.start
    }
}

/// One direction of a picture: along it columns (or rows) of cells follow each other.
pub(super) struct Axis<'a> {
    /// The pixel so far along this direction and so far across it.
    pixel: Box<dyn Fn(i32, i32) -> Option<[u8; 3]> + 'a>,
    /// Where cells follow each other: some place of each.
    lines: Vec<i32>,
    /// The part along it in which edges repeat.
    region: Range<i32>,
    /// The part across in which pixels are compared.
    band: Range<i32>,
    /// The colours from the first line to the last; none beyond the picture.
    colours: Vec<Option<Colour>>,
}

fn differ(a: [u8; 3], b: [u8; 3]) -> bool {
    a.iter().zip(b).map(|(a, b)| u16::from(a.abs_diff(b))).sum::<u16>() >= DIFFERENT
}

impl<'a> Axis<'a> {
    pub(super) fn new(
        lines: Vec<i32>,
        region: Range<i32>,
        band: Range<i32>,
        pixel: impl Fn(i32, i32) -> Option<[u8; 3]> + 'a,
    ) -> Self {
        let colour = |at| {
            let pixels: Option<Vec<[u8; 3]>> =
                band.clone().map(|across| pixel(at, across)).collect();
            Colour::of(&pixels?)
        };
        let colours = (lines[0]..lines[lines.len() - 1]).map(colour).collect();
        Self { pixel: Box::new(pixel), lines, region, band, colours }
    }

    /// The share of the pixels at `here` that are the same at `there`, so many pixels `aside`.
    fn same(&self, here: i32, there: i32, aside: i32) -> f32 {
        let equal = |across: &i32| {
            let both = (self.pixel)(here, *across).zip((self.pixel)(there, across + aside));
            both.is_some_and(|(a, b)| !differ(a, b))
        };
        self.band.clone().filter(equal).count() as f32 / self.band.len().max(1) as f32
    }

    /// How strong the edge at `at` is.
    fn step(&self, at: i32) -> u32 {
        let step = |across: i32| {
            let both = (self.pixel)(at - 1, across).zip((self.pixel)(at, across));
            both.map_or(0, |(a, b)| a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(b))).sum())
        };
        self.band.clone().map(step).map(|step: u32| step.min(STRONGEST_EDGE)).sum()
    }

    /// From where to where the cell that begins at a line reaches.
    pub(super) fn cell(&self, span: &Span, line: i32) -> Option<(i32, i32)> {
        let line = usize::try_from(line).ok()?;
        Some((self.lines.get(line)? + span.by, self.lines.get(line + 1)? + span.by))
    }

    /// The edges of the cells.
    pub(super) fn edges(&self, span: &Span) -> Option<Vec<i32>> {
        let lines = self.lines.get(usize::try_from(span.first).ok()?..=span.end as usize)?;
        Some(lines.iter().map(|line| line + span.by).collect())
    }

    /// The cells: where what repeats one cell on, so many pixels `aside`, begins and ends.
    pub(super) fn span(&self, pitch: i32, share: f32, aside: i32) -> Option<Span> {
        let even = self.lines.windows(3).all(|w| w[2] - w[1] == w[1] - w[0]);
        let drifts: &[i32] = if even { &[0] } else { &[0, -1, 1] };
        // Every place, and whether it looks like the one a cell on.
        let places: Vec<(i32, bool)> = self
            .lines
            .windows(2)
            .flat_map(|pair| (pair[0]..pair[1]).map(move |at| (at, at - pair[0] + pair[1])))
            .map(|(here, there)| {
                (here, drifts.iter().any(|drift| self.same(here, there + drift, aside) >= share))
            })
            .collect();
        let middle = places.len() / 2;
        // The longest run decides, of what is in the region: a number that is open breaks a column, and plain ground
        // repeats too.
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for (index, &(_, repeats)) in places.iter().enumerate() {
            match runs.last_mut() {
                Some((_, end)) if repeats && *end == index => *end += 1,
                _ if repeats => runs.push((index, index + 1)),
                _ => {}
            }
        }
        let (start, end) = runs.into_iter().max_by_key(|&(start, end)| {
            let (first, last) = (places[start].0, places[end - 1].0);
            let inside = last.min(self.region.end) - first.max(self.region.start);
            (inside, std::cmp::Reverse(((start + end) / 2).abs_diff(middle)))
        })?;
        let (first, last) = (places[start].0, places[end - 1].0 + 1);
        // The last cell repeats nowhere.
        let cells = (last - first + 1) / pitch + 1;
        let slack = (last - first + pitch - cells * pitch).max(0);
        // A frame may look like the edge of a cell: the strongest edges decide, of equal ones the middle.
        let loudness =
            |start: i32| (1..cells).map(|cell| self.step(start + cell * pitch)).sum::<u32>();
        let starts = first..=first + slack;
        let from_middle = |start: i32| (2 * (start - first) - slack).abs();
        let edge = starts.max_by_key(|&start| (loudness(start), -from_middle(start)))?;
        let before = self.lines.iter().rposition(|&line| line <= edge)?;
        let (first, by) = (before as i32, edge - self.lines[before]);
        Some(Span { first, end: first + cells, by })
    }

    /// Stripes in which such a share of the pixels has one colour.
    fn stripes(&self, plain: f32) -> Vec<Stripe> {
        let mut stripes: Vec<Stripe> = Vec::new();
        for (at, colour) in (self.lines[0]..).zip(&self.colours) {
            let Some(Colour { median: colour, .. }) = colour.filter(|colour| colour.share >= plain)
            else {
                continue;
            };
            match stripes.last_mut() {
                Some(last) if last.end == at && !differ(last.colour, colour) => last.end += 1,
                _ => stripes.push(Stripe { start: at, end: at + 1, colour }),
            }
        }
        stripes
    }

    /// The edges of cells that have a gap between each other, half of it on each side of an edge. Cells may differ by a
    /// pixel.
    pub(super) fn between_gaps(&self, pitch: i32, plain: f32) -> Option<Gaps> {
        let stripes = self.stripes(plain);
        // The longest chain of stripes of one colour with a cell between each two.
        let mut chain: Vec<Stripe> = Vec::new();
        for first in 0..stripes.len() {
            let mut here = vec![stripes[first]];
            for &stripe in &stripes[first + 1..] {
                let last = here[here.len() - 1];
                let gap = here.get(1).unwrap_or(&stripe).width();
                // What is not as wide as the gaps is the ground beyond the last cell.
                if here.len() > 2 && last.width() != gap {
                    break;
                }
                let cell = stripe.start - last.end;
                let is_next =
                    !differ(last.colour, stripe.colour) && (cell + gap - pitch).abs() <= 2;
                if is_next {
                    here.push(stripe);
                }
            }
            if here.len() > chain.len() {
                chain = here;
            }
        }
        let last = chain.len().checked_sub(1).filter(|&last| last >= LEAST)?;
        let (outer, inner) = ([chain[0], chain[last]], &chain[1..last]);
        let gap = chain[last / 2].width();
        let same = inner.iter().all(|stripe| stripe.width() == gap)
            && (2..=pitch / WIDEST_GAP).contains(&gap);
        // Beyond the first and the last cell is the window's own ground, or half of a gap. A line as wide as all
        // others belongs to the cells, as the bright edge of a button does.
        if !same || outer.iter().any(|stripe| stripe.width() == gap) {
            return None;
        }
        let mut edges: Vec<i32> = chain.iter().map(|stripe| stripe.end - gap / 2).collect();
        edges[last] = chain[last].start + gap - gap / 2;
        let (width, colour) = (gap as u32, inner[0].colour);
        let is_plain = inner.iter().all(|stripe| !differ(stripe.colour, colour));
        Some(Gaps { edges, width, colour: is_plain.then_some(colour) })
    }

    /// The edges of cells between lines that are one pixel wide, of one colour, and go on where cells are open.
    pub(super) fn between_lines(&self, pitch: i32, plain: f32) -> Option<Vec<i32>> {
        let stripes = self.stripes(plain);
        let lines: Vec<Stripe> = stripes.into_iter().filter(|stripe| stripe.width() == 1).collect();
        let mut longest: Vec<i32> = Vec::new();
        for first in &lines {
            let is_next = |&at: &i32| {
                let mut same = lines.iter().filter(|line| !differ(line.colour, first.colour));
                same.any(|line| line.start == at)
            };
            let chain: Vec<i32> =
                (first.start..).step_by(pitch as usize).take_while(is_next).collect();
            if chain.len() > longest.len() {
                longest = chain;
            }
        }
        (longest.len() > LEAST).then_some(longest)
    }
}
