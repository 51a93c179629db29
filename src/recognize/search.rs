//! Looking for boards in a frame: from places where edges repeat to boards that were read.
//!
//! At first the picture is taken as it is: sharp, and in the colours of the skins. Only where that finds nothing, or what it
//! finds is not as its skin is drawn, another view is looked for by the [model](super::model).

use std::sync::Arc;

use image::RgbImage;

use super::detect::cells::Cells;
use super::detect::fitting::Fit;
use super::detect::locate::Gridlines;
use super::detect::matcher::Matcher;
use super::detect::repetition::{Candidate, candidates, mostly_within};
use super::model::{Beyond, Places, explained};
use super::survey::{Sighting, Survey};
use super::tracker::Tracker;
use super::truncated::{Side, ends_with_picture, has_faint_lines};
use super::{Lattice, Reader, Reading, Skin};
use crate::board::{Cell, MineCount, Rules};
use crate::capture::Frame;
use crate::geometry::Rect;

/// Two skins whose cells are off by almost the same, in grey levels, fit equally well.
const EQUALLY_FAR: f32 = 1.0;
/// Skins whose shares of clear cells differ by no more fit nearly equally well.
const NEARLY: f32 = 0.1;
/// In other colours a board that is not fresh has to show so many different things.
const KINDS: usize = 3;

/// Edges that repeat like those of cells for so many cells beyond a board are those of more cells.
const BEYOND: f32 = 1.75;
/// Above a board there may be a counter that does as well.
const BEYOND_TOP: f32 = 3.5;
/// A board that covers less than this share of where edges repeat may be a part of one.
const COVERED: f64 = 0.75;

/// Finds and reads every board in `frame`.
pub(super) fn survey(reader: &Reader, frame: &Frame) -> Survey {
    let places = candidates(&frame.pixels);
    let on_screen = |candidate: &Candidate| candidate.region.moved(frame.origin.x, frame.origin.y);
    let grids: Vec<Rect> = places.iter().flatten().map(on_screen).collect();
    let mut search = Search::new(reader, frame);
    search.look(&places);
    search.reason();
    let Search { mut boards, cut, small, .. } = search.decided();
    boards.sort_by_key(|board| {
        let Rect { width, height, .. } = board.reading.lattice.area();
        std::cmp::Reverse(u64::from(width) * u64::from(height))
    });
    Survey { area: frame.area(), skins: reader.matchers().len(), grids, boards, cut, small }
}

/// A picture and its cells, for each gap that there may be between them.
struct Picture<'a> {
    pixels: &'a RgbImage,
    cells: Vec<Cells<'a>>,
}

impl<'a> Picture<'a> {
    fn new(pixels: &'a RgbImage) -> Self {
        Self { pixels, cells: Vec::new() }
    }

    /// The cells, if there are `gap` pixels between them.
    fn cells(&mut self, gap: u32) -> &mut Cells<'a> {
        let known = self.cells.iter().position(|cells| cells.gap() == gap);
        let at = known.unwrap_or_else(|| {
            self.cells.push(Cells::new(self.pixels, gap));
            self.cells.len() - 1
        });
        &mut self.cells[at]
    }
}

/// A board as it looks in a skin at first sight.
struct FirstSight<'a> {
    board: Tracker<'a>,
    /// How many of its cells contradict it.
    inconsistent: usize,
}

/// What was found so far.
struct Search<'a> {
    reader: &'a Reader,
    frame: &'a Frame,
    picture: Picture<'a>,
    boards: Vec<Sighting>,
    cut: Vec<(Lattice, Side)>,
    small: Vec<(Lattice, Arc<Skin>)>,
    /// Boards that read well enough, though they are not quite as their skins are drawn.
    likely: Vec<Sighting>,
    /// What seems to be a part of such a board, and where more of it must be.
    parts: Vec<(Lattice, Side)>,
    /// Where there may be boards that are not as their skins are drawn, in the picture.
    hints: Vec<Lattice>,
    /// What was read already, in the picture, and the skin that fits it best.
    read: Vec<(Lattice, Arc<Skin>)>,
}

impl<'a> Search<'a> {
    fn new(reader: &'a Reader, frame: &'a Frame) -> Self {
        let picture = Picture::new(&frame.pixels);
        Self {
            reader,
            frame,
            picture,
            boards: Vec::new(),
            cut: Vec::new(),
            small: Vec::new(),
            likely: Vec::new(),
            parts: Vec::new(),
            hints: Vec::new(),
            read: Vec::new(),
        }
    }

    fn found_nothing(&self) -> bool {
        self.boards.is_empty() && self.cut.is_empty() && self.small.is_empty()
    }

    /// Whether most of `area`, in pixels of the picture, belongs to a board, or to what is none that can be read, that
    /// was found already.
    fn found_before(&self, area: Rect) -> bool {
        let area = area.moved(self.frame.origin.x, self.frame.origin.y);
        let boards = self.boards.iter().map(|board| &board.reading.lattice);
        let small = self.small.iter().map(|(small, _)| small);
        // What seems cut off in one place may be whole in a larger one.
        boards.chain(small).any(|lattice| mostly_within(area, lattice.area()))
            || self.cut.iter().any(|(cut, _)| covers(cut.area(), area))
    }

    /// With the likely boards where no other one is, or only such as explain less.
    fn decided(mut self) -> Self {
        for board in std::mem::take(&mut self.likely) {
            let lattice = &board.reading.lattice;
            // What explains it better says that it goes on.
            if self.cut.iter().any(|(cut, _)| is_same(cut, lattice))
                || self.small.iter().any(|(small, _)| lattice.overlaps(small))
            {
                continue;
            }
            let is_rival = |other: &Sighting| lattice.overlaps(&other.reading.lattice);
            let is_best = |other: &Sighting| board.evidence > other.evidence;
            if self.boards.iter().filter(|other| is_rival(other)).all(is_best) {
                self.boards.retain(|other| !is_rival(other));
                self.boards.push(board);
            }
        }
        for (part, side) in std::mem::take(&mut self.parts) {
            let boards = self.boards.iter().map(|board| &board.reading.lattice);
            let small = self.small.iter().map(|(small, _)| small);
            if !boards.chain(small).any(|other| part.overlaps(other)) {
                self.cut.push((part, side));
            }
        }
        let boards = &self.boards;
        self.cut.retain(|(cut, _)| {
            !boards.iter().any(|board| mostly_within(cut.area(), board.reading.lattice.area()))
        });
        self
    }

    /// Looks at places, those of each kind by themselves.
    fn look(&mut self, places: &[Vec<Candidate>]) {
        for places in places {
            // Twice the pitch of a board repeats as well as the pitch does: the smallest comes first. Parts come last:
            // they may be parts of one board.
            let mut places: Vec<&Candidate> = places.iter().collect();
            places.sort_by_key(|candidate| (candidate.is_part, candidate.pitch));
            for candidate in places {
                if !self.found_before(candidate.region) {
                    self.look_at(candidate);
                }
            }
        }
    }

    /// Looks at one place.
    fn look_at(&mut self, candidate: &Candidate) {
        let mut fits = self.fits(candidate);
        // Stable: of skins that fit equally well the first one wins. Of one that fits a part of the board, its covered cells
        // perhaps, more is clear.
        fits.sort_by(|(_, a), (_, b)| {
            b.clear_cells().cmp(&a.clear_cells()).then(a.distance.total_cmp(&b.distance))
        });
        let Some((_, first)) = fits.first() else { return };
        // A candidate may be larger than the board that was found in it before.
        if self.found_before(first.lattice.area()) {
            return;
        }
        // It reads no better the second time.
        let seen = (first.lattice.clone(), fits[0].0.skin.clone());
        if self.read.iter().any(|(lattice, skin)| *lattice == seen.0 && Arc::ptr_eq(skin, &seen.1))
        {
            return;
        }
        self.read.push(seen);
        let Some((board, more)) = self.read(&fits) else { return };
        let inconsistent = board.inconsistent();
        // Cells that are far from their looks may be told, and be others in the colours that the picture has.
        let is_inconsistent = !board.is_near() || (inconsistent > 0 && !board.is_as_drawn());
        let is_doubtful = board.is_doubtful();
        let looks_otherwise = !board.is_near() || board.is_denied();
        let (short, evidence) = (board.short_of_mines(), board.evidence());
        let cut = board.goes_on(self.frame);
        let reading = board.into_reading();
        let in_picture = reading.lattice.moved(-self.frame.origin.x, -self.frame.origin.y);
        let is_none = is_doubtful && (looks_otherwise || !is_likely(&reading));
        if is_inconsistent || is_none {
            self.hints.push(in_picture.clone());
        }
        if is_none {
            return;
        }
        log::debug!("{} at {}", reading.skin.name, reading.lattice.area());
        let fit = fits.iter().find(|(fit, _)| Arc::ptr_eq(&fit.skin, &reading.skin));
        let gap = fit.map_or(reading.skin.gap_width(), |(_, fit)| fit.gap);
        let far = |side: &Side| has_faint_lines(&self.frame.pixels, &in_picture, gap, *side);
        let goes_on = || goes_on(candidate, &in_picture).filter(far);
        if let Some(side) = cut.or(short).or(more).or_else(goes_on) {
            let list = if is_inconsistent { &mut self.parts } else { &mut self.cut };
            list.push((reading.lattice, side));
            return;
        }
        if reading.lattice.side() < reading.skin.least_cell {
            self.small.push((reading.lattice, reading.skin));
            return;
        }
        let equal = |other: &Fit| {
            fit.is_some_and(|(_, fit)| {
                other.clear == fit.clear && other.distance <= fit.distance + EQUALLY_FAR
            })
        };
        let rivals = fits
            .iter()
            .filter(|(rival, fit)| equal(fit) && !Arc::ptr_eq(&rival.skin, &reading.skin));
        let rivals = rivals.map(|(rival, _)| rival.skin.clone()).collect();
        let evidence = if is_inconsistent { evidence } else { f32::INFINITY };
        let list = if is_inconsistent { &mut self.likely } else { &mut self.boards };
        list.push(Sighting { reading, rivals, evidence });
    }

    /// Looks for boards that come about from a skin by what screens do to pictures: where some seemed to be, and everywhere
    /// if nothing was found.
    fn reason(&mut self) {
        let skins: Vec<Arc<Skin>> = self.reader.skins().cloned().collect();
        let mut hints = std::mem::take(&mut self.hints);
        hints.retain(|hint| !self.found_before(hint.area()));
        let places = if self.found_nothing() { Places::All } else { Places::Known };
        for found in explained(&self.frame.pixels, &skins, &hints, places) {
            let in_picture = found.lattice.clone();
            let reading = self.reader.concluded(self.frame, &found);
            let is_board = found.sight.is_plain() || is_likely(&reading);
            if !is_board || self.found_before(in_picture.area()) {
                continue;
            }
            log::debug!("{} at {}, by the model", reading.skin.name, reading.lattice.area());
            let pixels = &self.frame.pixels;
            let gap = found.sight.gap().round() as u32;
            let mut beyond = found.sight.beyond(pixels, &Side::ALL).into_iter();
            let cut = beyond.find(|&(_, is)| is == Beyond::Cells).map(|(side, _)| side);
            let may_end = reading.skin.game.ends_with_window;
            let ends = || ends_with_picture(pixels, &in_picture, gap).filter(|_| !may_end);
            if let Some(side) = cut.or_else(ends) {
                self.cut.push((reading.lattice, side));
            } else if reading.lattice.side() < reading.skin.least_cell {
                self.small.push((reading.lattice, reading.skin));
            } else {
                let (rivals, evidence) = (found.sight.rivals(), found.sight.evidence());
                self.boards.push(Sighting { reading, rivals, evidence });
            }
        }
    }

    /// The skins that fit a place.
    fn fits(&mut self, candidate: &Candidate) -> Vec<(&'a Matcher, Fit)> {
        let Some(gridlines) = Gridlines::new(self.picture.pixels, candidate) else {
            return Vec::new();
        };
        let picture = &mut self.picture;
        let fit = |matcher: &'a Matcher| {
            let drawn = matcher.skin.gap_width();
            if let Some(fit) = gridlines.fit(picture.cells(drawn), matcher) {
                return Some((matcher, fit));
            }
            let gap = gridlines.gap(&matcher.skin);
            // At first only those of windows that a desktop scales by half and more.
            if 2 * gap < 3 * drawn.max(1) {
                return None;
            }
            Some((matcher, gridlines.fit(picture.cells(gap), matcher)?))
        };
        self.reader.matchers().iter().filter_map(fit).collect()
    }

    /// Reads the board of the skin in which it reads best, and says on which side there may be more of it.
    fn read(&mut self, fits: &[(&'a Matcher, Fit)]) -> Option<(Tracker<'a>, Option<Side>)> {
        let first = &fits.first()?.1;
        // Games that look alike fit nearly as well, and cells that are drawn a part of a pixel to the side are not
        // clear at first sight: the skin is the one in which the board reads best.
        let nearly = fits.iter().filter(|(_, fit)| {
            fit.clear >= first.clear - NEARLY && 2 * fit.clear_cells() > first.clear_cells()
        });
        let mut sights: Vec<FirstSight> = Vec::new();
        for (matcher, fit) in nearly {
            sights.push(self.first_sight(&matcher.skin, &fit.lattice));
            if sights[sights.len() - 1].inconsistent == 0 {
                break;
            }
        }
        // Stable: of skins that look equally well the one that fits best comes first.
        sights.sort_by_key(|sight| sight.inconsistent);
        let mut best: Option<Tracker> = None;
        for FirstSight { board, inconsistent } in sights {
            if let Some(best) = &best {
                let is_hopeless = !best.is_doubtful() && board.is_much(inconsistent);
                if best.inconsistent() == 0 || is_hopeless {
                    break;
                }
            }
            let other = board.readable_part(self.frame);
            if best.as_ref().is_none_or(|best| other.inconsistent() < best.inconsistent()) {
                best = Some(other);
            }
        }
        best.map(|best| best.whole(self.frame))
    }

    /// The board in a lattice of the picture as it looks in a skin at first sight.
    fn first_sight(&self, skin: &Arc<Skin>, lattice: &Lattice) -> FirstSight<'a> {
        let lattice = lattice.moved(self.frame.origin.x, self.frame.origin.y);
        let mines = MineCount::Unknown;
        let board = Tracker::as_drawn(self.reader, self.frame, skin, &lattice, mines);
        let board = board.measured(self.frame);
        let inconsistent = board.inconsistent();
        FirstSight { board, inconsistent }
    }
}

/// Whether a board in `area` is most of what repeats there.
fn covers(area: Rect, region: Rect) -> bool {
    let size = |area: Rect| f64::from(area.width) * f64::from(area.height);
    let both = area.intersection(region);
    both.is_some_and(|both| size(both) >= COVERED * size(region))
}

/// The side on which edges repeat far beyond a board, as those of its cells do.
fn goes_on(candidate: &Candidate, lattice: &Lattice) -> Option<Side> {
    let (board, region) = (lattice.area(), candidate.region);
    let beyond = [
        (Side::Left, board.x - region.x, BEYOND),
        (Side::Top, board.y - region.y, BEYOND_TOP),
        (Side::Right, region.right() - board.right(), BEYOND),
        (Side::Bottom, region.bottom() - board.bottom(), BEYOND),
    ];
    let side = lattice.side() as f32;
    let far = |&(_, beyond, most): &(Side, i32, f32)| beyond as f32 > most * side;
    beyond.into_iter().find(far).map(|(side, ..)| side).filter(|_| candidate.is_dense())
}

/// Whether what was read in other colours, or far from its skin, or in part, is likely to be a board: it shows several
/// things, or is a fresh one of a usual size. Any grid of equal cells is like covered ones in some colours.
fn is_likely(reading: &Reading) -> bool {
    let kinds = kinds(reading);
    let usual = Rules::usual_mines(reading.board.cols(), reading.board.rows()).is_some();
    kinds.len() >= KINDS || (kinds == [Cell::Covered] && usual)
}

/// The kinds of cells that were read.
fn kinds(reading: &Reading) -> Vec<Cell> {
    let mut kinds: Vec<Cell> = Vec::new();
    for (_, cell) in reading.board.iter() {
        if cell != Cell::Unclear && !kinds.contains(&cell) {
            kinds.push(cell);
        }
    }
    kinds
}

/// Whether two lattices have the same cells: no corner is farther off than half a cell.
fn is_same(a: &Lattice, b: &Lattice) -> bool {
    let near = |a: i32, b: i32, side: u32| 2 * a.abs_diff(b) <= side;
    let (side, first, second) = (a.side(), a.area(), b.area());
    (a.cols(), a.rows()) == (b.cols(), b.rows())
        && near(first.x, second.x, side)
        && near(first.y, second.y, side)
        && near(first.right(), second.right(), side)
        && near(first.bottom(), second.bottom(), side)
}
