//! Finding and reading boards.

use std::sync::Arc;

use super::detect::matcher::Matcher;
use super::model::Explained;
use super::survey::Survey;
use super::tracker::Tracker;
use super::truncated::Side;
use super::{Lattice, Skin, counter, rules, search};
use crate::board::{Board, Cell, MineCount, Rules, Status};
use crate::capture::Frame;
use crate::geometry::Rect;

/// A board with more than this share of unclear cells is hidden.
const HIDDEN: f64 = 0.5;

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
        search::survey(self, frame)
    }

    /// Reads again a board that was found before, in a newer frame of the same place. What lies around
    /// it (a counter) is read where the frame shows it, else taken over from `known`. Cells outside the
    /// frame are unclear.
    ///
    /// A [`Tracker`] reads the same with less work.
    ///
    /// Themes of one program may look the same on a fresh board. So where cells are unclear, the program's
    /// other skins are tried, and another one takes over if it reads more.
    pub fn read_again(&self, frame: &Frame, known: &Reading) -> Reading {
        Tracker::new(self, frame, known.clone()).into_reading()
    }

    /// Reads the board in `lattice`, which is known from elsewhere, with the skin that tells most of its cells, and of
    /// several the one that fits best; `None` when no skin tells half of them.
    pub fn read_at(&self, frame: &Frame, lattice: &Lattice) -> Option<Reading> {
        let sights = self
            .skins()
            .map(|skin| Tracker::as_drawn(self, frame, skin, lattice, MineCount::Unknown));
        let unclear =
            |sight: &Tracker<'_>| sight.reading().board.count(|cell| cell == Cell::Unclear);
        // Some skins look alike on a fresh board.
        let best = sights.min_by(|a, b| {
            let fits = b.likelihood().total_cmp(&a.likelihood());
            unclear(a).cmp(&unclear(b)).then(fits)
        });
        let best = self.read_again(frame, best?.reading());
        (best.status != Status::Hidden).then_some(best)
    }

    /// What a board that was found in a frame's picture says as a whole.
    pub(super) fn concluded(&self, frame: &Frame, found: &Explained) -> Reading {
        let lattice = found.lattice.moved(frame.origin.x, frame.origin.y);
        let (skin, board) = (found.sight.skin().clone(), found.board.clone());
        let mut reading = Reading { skin, lattice, board, status: Status::Playing };
        conclude(frame, &mut reading);
        reading
    }

    /// The matchers of all skins it knows.
    pub(super) fn matchers(&self) -> &[Matcher] {
        &self.matchers
    }

    /// The other skins of the program that `skin` belongs to.
    pub(super) fn themes(&self, skin: &Arc<Skin>) -> impl Iterator<Item = &Arc<Skin>> {
        let is_theme =
            |other: &&Arc<Skin>| other.game.shares_window(&skin.game) && !Arc::ptr_eq(other, skin);
        self.skins().filter(is_theme)
    }
}

/// Reads what `frame` shows in `lattice` with this skin alone. Of the board that was `told` there only two things are used: the
/// number of mines, where somebody gave it, and how many cells could not be told. Where more cannot be at first sight, the
/// picture may have other colours or another scale, which takes seconds to try; where a dialog hides the board, nobody waits
/// for that. The same picture with the same label always reads the same.
pub(crate) fn read_by_itself(
    frame: &Frame,
    skin: &Arc<Skin>,
    lattice: &Lattice,
    told: &Board,
) -> Reading {
    let mines = match told.mines {
        given @ MineCount::Given(_) => given,
        MineCount::Read(_) | MineCount::Assumed(_) | MineCount::Unknown => MineCount::Unknown,
    };
    let unclear = |board: &Board| board.count(|cell| cell == Cell::Unclear);
    let reader = Reader { matchers: vec![Matcher::new(skin.clone())] };
    let sight = Tracker::as_drawn(&reader, frame, skin, lattice, mines).into_reading();
    if unclear(&sight.board) <= unclear(told) {
        return sight;
    }
    let closer = reader.read_again(frame, &sight);
    if unclear(&closer.board) < unclear(&sight.board) { closer } else { sight }
}

/// Takes back what the rules forbid.
pub(super) fn rule_out(reading: &mut Reading) {
    for pos in rules::impossible(&reading.board) {
        reading.board[pos] = Cell::Unclear;
    }
}

/// Goes on from what the cells show: the counter, where the number of mines is not known, and the status. What the first
/// click promises is known with the game.
pub(super) fn conclude(frame: &Frame, reading: &mut Reading) {
    let Reading { skin, lattice, board, .. } = reading;
    board.first_click = skin.game.first_click;
    let cell_count = u32::from(board.cols()) * u32::from(board.rows());
    board.mines = match board.mines {
        known @ (MineCount::Read(_) | MineCount::Given(_)) => known,
        MineCount::Assumed(_) | MineCount::Unknown => {
            let flags = board.count(|cell| matches!(cell, Cell::Flagged | Cell::WrongFlag)) as u32;
            // What is left says nothing of the total when some flags were not read.
            let all_read = board.count(|cell| cell == Cell::Unclear) == 0;
            let counted = counter::read_mines(skin, frame, lattice, all_read.then_some(flags))
                .filter(|&mines| mines > 0 && mines < cell_count);
            let usual = || Rules::usual_mines(board.cols(), board.rows());
            match counted {
                Some(mines) => MineCount::Read(mines),
                None => usual().map_or(MineCount::Unknown, MineCount::Assumed),
            }
        }
    };
    reading.status = status(board, skin);
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
