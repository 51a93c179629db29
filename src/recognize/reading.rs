//! Finding and reading boards.

use std::borrow::Cow;
use std::sync::Arc;

use super::cells::Cells;
use super::comb::{candidates, mostly_within};
use super::cut::{Side, cut_at};
use super::follow::Follower;
use super::locate::{Fit, LEAST, Tracks};
use super::matcher::Matcher;
use super::survey::{Sighting, Survey};
use super::{Lattice, Skin, counter, rules};
use crate::board::{Board, Cell, MineCount, Pos, Rules, Status};
use crate::capture::Frame;
use crate::geometry::Rect;

/// A board with more than this share of unclear cells is hidden.
const HIDDEN: f64 = 0.5;

/// So many places are looked at thoroughly where no board was found.
const THOROUGHLY: usize = 24;

/// Two skins whose cells are off by almost the same, in grey levels, fit equally well.
const EQUALLY_FAR: f32 = 1.0;

/// Skins whose shares of clear cells differ by no more fit nearly equally well.
const NEARLY: f32 = 0.1;

/// A skin that was not found to fit must leave fewer cells unclear, by this factor, than those that were.
const MUCH_BETTER: usize = 4;

/// A board read from a frame: what it shows, where it is, how the game stands.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The skin whose templates fit.
    pub skin: Arc<Skin>,
    /// Where the cells are on the screen.
    pub lattice: Lattice,
    /// What the cells show, and the mine count as far as it is known.
    pub board: Board,
    /// How the game stands.
    pub status: Status,
}

/// Finds and reads boards of the skins it knows.
#[derive(Clone, Debug)]
pub struct Reader {
    matchers: Vec<Matcher>,
}

impl Reader {
    /// A reader that knows `skins`.
    pub fn new(skins: Vec<Skin>) -> Self {
        Self { matchers: skins.into_iter().map(|skin| Matcher::new(Arc::new(skin))).collect() }
    }

    /// The same with `skin` in place of the one of its name.
    pub(crate) fn with(&self, skin: Skin) -> Self {
        let new = Matcher::new(Arc::new(skin));
        let replace =
            |known: &Matcher| if known.skin.name == new.skin.name { &new } else { known }.clone();
        Self { matchers: self.matchers.iter().map(replace).collect() }
    }

    /// The skins it knows.
    pub fn skins(&self) -> impl Iterator<Item = &Arc<Skin>> {
        self.matchers.iter().map(|matcher| &matcher.skin)
    }

    /// Finds every board in `frame` and reads it, the largest first.
    ///
    /// # Errors
    /// When there is none that is whole; the error says what was seen.
    pub fn find(&self, frame: &Frame) -> Result<Vec<Reading>, ReadError> {
        self.survey(frame).into_readings()
    }

    /// Finds and reads every board in `frame`, and keeps what was seen on the way.
    pub fn survey(&self, frame: &Frame) -> Survey {
        let on_screen = |area: Rect| area.moved(frame.origin.x, frame.origin.y);
        let mut boards: Vec<Sighting> = Vec::new();
        let mut cut: Vec<(Lattice, Side)> = Vec::new();
        let mut small: Vec<(Lattice, Arc<Skin>)> = Vec::new();
        // Skins with equal gaps cut the same cells.
        let mut cells: Vec<Cells> = Vec::new();
        let gap = |matcher: &Matcher| matcher.skin.gap.map(|gap| gap.width);
        let mut gaps: Vec<Option<u32>> = Vec::new();
        for matcher in &self.matchers {
            if !gaps.contains(&gap(matcher)) {
                gaps.push(gap(matcher));
                cells.push(Cells::new(&frame.pixels, &matcher.skin));
            }
        }
        let cut_as = |matcher: &Matcher| {
            gaps.iter().position(|&known| known == gap(matcher)).unwrap_or_default()
        };
        let mut places = candidates(&frame.pixels);
        let seen = places.iter().flatten();
        let grids: Vec<Rect> = seen.map(|candidate| on_screen(candidate.region)).collect();
        let mut thoroughly = places.clone();
        for candidates in &mut thoroughly {
            candidates.truncate(THOROUGHLY);
        }
        // Twice the pitch of a board repeats as well as the pitch does: the smallest comes first. Parts come last: they
        // may be parts of one board.
        for candidates in places.iter_mut().chain(&mut thoroughly) {
            candidates.sort_by_key(|candidate| (candidate.is_part, candidate.pitch));
        }
        // The second time only if nothing was found.
        for (places, thorough) in [(places, false), (thoroughly, true)] {
            if thorough && !(boards.is_empty() && cut.is_empty() && small.is_empty()) {
                break;
            }
            for candidate in places.into_iter().flatten() {
                if found_before(on_screen(candidate.region), &boards, &cut, &small) {
                    continue;
                }
                let Some(tracks) = Tracks::new(&frame.pixels, &candidate, thorough) else {
                    continue;
                };
                let mut fits: Vec<(&Matcher, Fit)> = self
                    .matchers
                    .iter()
                    .filter_map(|matcher| {
                        Some((matcher, tracks.fit(&mut cells[cut_as(matcher)], matcher)?))
                    })
                    .collect();
                // Stable: of skins that fit equally well the first one wins.
                fits.sort_by(|(_, a), (_, b)| {
                    b.clear.total_cmp(&a.clear).then(a.distance.total_cmp(&b.distance))
                });
                let Some((_, first)) = fits.first() else {
                    continue;
                };
                // A candidate may be larger than the board that was found in it before.
                if found_before(on_screen(first.lattice.area()), &boards, &cut, &small) {
                    continue;
                }
                // Games that look alike fit nearly as well, and cells that are drawn a part of a pixel to the side
                // are not clear at first sight: the skin is the one in which the board reads best.
                let nearly = fits.iter().filter(|(_, fit)| fit.clear >= first.clear - NEARLY);
                let is_fit = |matcher: &Matcher| {
                    fits.iter().any(|(fit, _)| Arc::ptr_eq(&fit.skin, &matcher.skin))
                };
                let others = self.matchers.iter().filter(|matcher| !is_fit(matcher));
                let tried = nearly
                    .map(|(matcher, fit)| (*matcher, &fit.lattice, 1))
                    .chain(others.map(|matcher| (matcher, &first.lattice, MUCH_BETTER)));
                let mut best: Option<Follower> = None;
                for (matcher, lattice, factor) in tried {
                    let strange = best.as_ref().map_or(usize::MAX, Follower::strange);
                    let reads_well = best.as_ref().is_some_and(|best| !best.is_doubtful());
                    if strange == 0 || (reads_well && factor > 1) {
                        break;
                    }
                    let cells = &mut cells[cut_as(matcher)];
                    let whole = Follower::begin(
                        self,
                        Cow::Borrowed(matcher),
                        frame,
                        cells,
                        lattice.moved(frame.origin.x, frame.origin.y),
                        MineCount::Unknown,
                    );
                    let other = self.readable_part(&whole, frame, cells).unwrap_or(whole);
                    if factor * other.strange() < strange {
                        best = Some(other);
                    }
                }
                let Some(reading) = best.map(Follower::into_reading) else {
                    continue;
                };
                log::debug!("{} at {}", reading.skin.name, reading.lattice.area());
                let in_picture = reading.lattice.moved(-frame.origin.x, -frame.origin.y);
                if let Some(side) = cut_at(&frame.pixels, &in_picture) {
                    cut.push((reading.lattice, side));
                    continue;
                }
                if reading.lattice.side() < reading.skin.least_cell {
                    small.push((reading.lattice, reading.skin));
                    continue;
                }
                let fit = fits.iter().find(|(fit, _)| Arc::ptr_eq(&fit.skin, &reading.skin));
                let equal = |other: &Fit| {
                    fit.is_some_and(|(_, fit)| {
                        other.clear == fit.clear && other.distance <= fit.distance + EQUALLY_FAR
                    })
                };
                let rivals = fits
                    .iter()
                    .filter(|(rival, fit)| equal(fit) && !Arc::ptr_eq(&rival.skin, &reading.skin));
                let rivals = rivals.map(|(rival, _)| rival.skin.clone()).collect();
                boards.push(Sighting { reading, rivals });
            }
        }
        boards.sort_by_key(|board| {
            let Rect { width, height, .. } = board.reading.lattice.area();
            std::cmp::Reverse(u64::from(width) * u64::from(height))
        });
        Survey { area: frame.area(), skins: self.matchers.len(), grids, boards, cut, small }
    }

    /// The board without the lines at its edges in which no cell could be read, if there are such lines: what is beside
    /// a board may look like cells at first sight.
    fn readable_part<'a>(
        &'a self,
        whole: &Follower<'a>,
        frame: &Frame,
        cells: &mut Cells,
    ) -> Option<Follower<'a>> {
        let Reading { skin, lattice, board, .. } = whole.reading();
        let read = || board.iter().filter(|&(_, cell)| cell != Cell::Unclear).map(|(pos, _)| pos);
        let span = |along: fn(Pos) -> u16| {
            let (first, last) = (read().map(along).min()?, read().map(along).max()?);
            Some(usize::from(first)..usize::from(last) + 1)
        };
        let (cols, rows) = (span(|pos| pos.col)?, span(|pos| pos.row)?);
        if cols.len() < LEAST || rows.len() < LEAST {
            return None;
        }
        let part = lattice.part(cols, rows);
        let (matcher, mines) = (self.matcher(skin), MineCount::Unknown);
        (part != *lattice).then(|| Follower::begin(self, matcher, frame, cells, part, mines))
    }

    /// Reads again a board that was found before, in a newer frame of the same place. What lies around
    /// it (a counter) is read where the frame shows it, else taken over from `known`. Cells outside the
    /// frame are unclear.
    ///
    /// A [`Follower`](super::Follower) reads the same with less work.
    ///
    /// Themes of one program may look the same on a fresh board. So where cells are unclear, the program's
    /// other skins are tried, and another one takes over if it reads more.
    pub fn read_again(&self, frame: &Frame, known: &Reading) -> Reading {
        Follower::new(self, frame, known.clone()).into_reading()
    }

    /// The matcher of `skin`.
    pub(super) fn matcher(&self, skin: &Arc<Skin>) -> Cow<'_, Matcher> {
        let known = self.matchers.iter().find(|matcher| Arc::ptr_eq(&matcher.skin, skin));
        known.map_or_else(|| Cow::Owned(Matcher::new(skin.clone())), Cow::Borrowed)
    }

    /// The matchers of the other skins of the program that `skin` belongs to.
    pub(super) fn themes(&self, skin: &Arc<Skin>) -> impl Iterator<Item = &Matcher> {
        let is_theme = |matcher: &&Matcher| {
            matcher.skin.game.shares_window(&skin.game) && !Arc::ptr_eq(&matcher.skin, skin)
        };
        self.matchers.iter().filter(is_theme)
    }
}

/// Whether most of `area` belongs to a board, or to what is none that can be read, that was found already.
fn found_before(
    area: Rect,
    boards: &[Sighting],
    cut: &[(Lattice, Side)],
    small: &[(Lattice, Arc<Skin>)],
) -> bool {
    let boards = boards.iter().map(|board| &board.reading.lattice);
    let (cut, small) = (cut.iter().map(|(cut, _)| cut), small.iter().map(|(small, _)| small));
    boards.chain(cut).chain(small).any(|lattice| mostly_within(area, lattice.area()))
}

/// Goes on from what each cell shows by itself: the rules, the counter where the number of mines is not known, and
/// the status.
pub(super) fn conclude(matcher: &Matcher, frame: &Frame, reading: &mut Reading) {
    let Reading { lattice, board, .. } = reading;
    for pos in rules::impossible(board) {
        board[pos] = Cell::Unclear;
    }
    let cell_count = u32::from(board.cols()) * u32::from(board.rows());
    board.mines = match board.mines {
        known @ (MineCount::Read(_) | MineCount::Given(_)) => known,
        MineCount::Assumed(_) | MineCount::Unknown => {
            let flags = board.count(|cell| matches!(cell, Cell::Flagged | Cell::WrongFlag)) as u32;
            // What is left says nothing of the total when some flags were not read.
            let all_read = board.count(|cell| cell == Cell::Unclear) == 0;
            let counted =
                counter::read_mines(&matcher.skin, frame, lattice, all_read.then_some(flags))
                    .filter(|&mines| mines > 0 && mines < cell_count);
            let usual = || Rules::usual_mines(board.cols(), board.rows());
            match counted {
                Some(mines) => MineCount::Read(mines),
                None => usual().map_or(MineCount::Unknown, MineCount::Assumed),
            }
        }
    };
    reading.status = status(board, &matcher.skin);
}

/// How the game stands, by what the board shows.
fn status(board: &Board, skin: &Skin) -> Status {
    let count = |is: fn(Cell) -> bool| board.count(is);
    let unclear = count(|cell| cell == Cell::Unclear);
    let all = usize::from(board.cols()) * usize::from(board.rows());
    let opened = count(|cell| cell.number().is_some());
    let flags = count(|cell| cell == Cell::Flagged);
    let unopened = count(Cell::is_unopened);
    if unclear as f64 > HIDDEN * all as f64 {
        return Status::Hidden;
    }
    if count(Cell::is_end) > 0 {
        return Status::Lost;
    }
    if opened == 0 {
        return if unclear == 0 { Status::Fresh } else { Status::Playing };
    }
    if unclear > 0 {
        return Status::Playing;
    }
    let mines = board.mines.known().map(|mines| mines as usize);
    let all_marked = unopened == flags && mines.is_none_or(|mines| mines == flags);
    let all_opened = mines == Some(unopened) && !skin.game.won_only_with_flags;
    if all_marked || all_opened { Status::Won } else { Status::Playing }
}

/// Why no board was read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// Nothing in the frame looks like a board of a known skin.
    #[error(
        "no board found in {area}: {}; is the whole game in sight, and is its skin one of the \
         {skins} known?",
        if *.seen == 0 {
            "nothing there repeats like a grid of cells".to_owned()
        } else {
            format!("{seen} places repeat like a grid, but their cells look like those of no known skin")
        }
    )]
    NoBoard {
        /// The part of the screen that was searched.
        area: Rect,
        /// How many skins were tried.
        skins: usize,
        /// How many places were looked at closely.
        seen: usize,
    },
    /// There is a board, but not all of it.
    #[error(
        "the board in {area} seems to go on at its {side}, where it is cut off or covered: \
         make the window large enough, and move it fully into sight"
    )]
    CutOff {
        /// The part of the board that is in sight.
        area: Rect,
        /// Where more of it must be.
        side: Side,
    },
    /// There is a board, but its cells are too small to be told apart.
    #[error(
        "the board in {area} has cells of {cell} pixels, and those of skin '{skin}' can be told apart from {least} \
         pixels on: make the window or its cells larger"
    )]
    TooSmall {
        /// Where the board is.
        area: Rect,
        /// The side of its cells, in pixels.
        cell: u32,
        /// The skin that fits.
        skin: String,
        /// The least side of a cell that the skin states, in pixels.
        least: u32,
    },
}
