//! Looking, reading, and waiting for something to change.
//!
//! [`Perception`] keeps the newest frame and what it says; of a newer frame only what changed is read. It also waits for
//! newer ones, always in slices of at most [`SLICE`], and every slice asks for the signal to stop.

mod dimmed;
mod elsewhere;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use dimmed::{is_darkened, is_edge_as_light};
use elsewhere::Unrest;

use super::patience::{Patience, SLICE};
use super::{Options, PlayError};
use crate::board::{Board, Cell, MineCount, Pos, Status};
use crate::capture::{CaptureError, Frame, Screen, Standing};
use crate::geometry::{Px, Rect};
use crate::recognize::{Lattice, ReadError, Reader, Reading, Tracker};

/// How many cells around the board are looked at as well, for the counter.
const CELLS_AROUND_BOARD: f64 = 8.0;

/// The time between two clicks that is enough when the first one shows.
const GAP_AFTER_SHOWN_CLICK: Duration = Duration::from_millis(2);

/// So many unclear cells are asked for what may be in front of them.
const ASKED: usize = 16;

/// The most cells that a press shows as pressed: those around a number.
const MOST_PRESSED: usize = 8;

pub(super) struct Perception<'a> {
    screen: &'a mut dyn Screen,
    reader: &'a Reader,
    stop: Arc<AtomicBool>,
    /// The number of mines, where the person knows it.
    mines: Option<u32>,
    area: Rect,
    frame: Frame,
    /// Parts of the frame that changed since it was read.
    unread: Vec<Rect>,
    /// What the frame shows, cell for cell.
    read: Tracker<'a>,
    /// What that means: see [`understand`].
    reading: Reading,
    /// How often a change was read.
    changes: u64,
    past: Past,
    misreads: u32,
    /// How long the board may be looked for when it is not where it was.
    find: Duration,
    /// How often what was known before was found to hold no more: the window moved, or another game was begun.
    upheavals: u32,
    unrest: Unrest,
    /// The picture before the last clicks that may have ended the game.
    before_end: Option<Frame>,
    /// Whether a new game was asked for, which may come in another window of the program.
    expects_window: bool,
    /// The window that it has turned to last, until somebody asks.
    turned_to: Option<u32>,
}

/// What is remembered of a game.
struct Past {
    /// Every number that was read, and cells that are open with a number that the skin lacks; the rest is covered.
    opened: Board,
    /// Flags that were there when the player sat down.
    found: HashSet<Pos>,
    /// Cells that the player has flagged.
    flagged: HashSet<Pos>,
    /// Whether it had other colours than its skin when it began.
    is_recoloured: bool,
}

impl Past {
    /// What is known of the game that `board` shows, in other colours than its skin or in those.
    fn of(board: &Board, is_recoloured: bool) -> Self {
        let flags = board.iter().filter(|&(_, cell)| cell == Cell::Flagged);
        let found = flags.map(|(pos, _)| pos).collect();
        let opened = Board::new(board.cols(), board.rows());
        Self { opened, found, flagged: HashSet::new(), is_recoloured }
    }
}

impl<'a> Perception<'a> {
    /// Looks at the board that is where the `options` say; else finds the largest on `screen`.
    pub(super) fn open(
        screen: &'a mut dyn Screen,
        reader: &'a Reader,
        stop: Arc<AtomicBool>,
        options: &Options,
    ) -> Result<Self, PlayError> {
        let mut patience = Patience::of(options.deadlines.find);
        let (area, frame, mut reading) = loop {
            let start = Instant::now();
            let area = screen.area()?;
            let mut frame = match screen.look(area) {
                Err(error) if error.is_elsewhere() && !patience.is_over() => {
                    patience.spend(SLICE);
                    continue;
                }
                Err(CaptureError::WindowMoved { .. }) => return Err(PlayError::KeepsMoving),
                looked => looked?,
            };
            let known = options.lattice.as_ref();
            let found = match known.and_then(|lattice| reader.read_at(&frame, lattice)) {
                Some(reading) => Ok(reading),
                None => largest(reader.find(&frame), |_| true),
            };
            let error = match found {
                Ok(reading) => match screen.look(view(&reading.lattice, area)) {
                    Err(error) if error.is_elsewhere() => PlayError::from(error),
                    looked => break (area, looked?, reading),
                },
                Err(error) => error.map_or(PlayError::BoardHidden, PlayError::Read),
            };
            // Nothing to find in the same picture again.
            loop {
                if patience.is_over() {
                    return Err(error);
                }
                if stop.load(Ordering::Relaxed) {
                    return Err(PlayError::Interrupted);
                }
                match patience.wait(screen, &mut frame) {
                    // One that never stands still is not looked for any longer.
                    Err(error) if error.is_elsewhere() => {
                        patience.spend(start.elapsed());
                        break;
                    }
                    Err(error) => return Err(error.into()),
                    Ok((changed, _)) if changed.is_empty() => {}
                    Ok(_) => break,
                }
            }
        };
        let mines = options.mines;
        tell_mines(&mut reading, mines);
        let read = Tracker::new(reader, &frame, reading);
        let past = Past::of(&read.reading().board, read.is_recoloured());
        let reading = understand(read.reading(), &past);
        Ok(Self {
            screen,
            reader,
            stop,
            mines,
            area,
            frame,
            unread: Vec::new(),
            read,
            reading,
            changes: 0,
            past,
            misreads: 0,
            find: options.deadlines.find,
            upheavals: 0,
            unrest: Unrest::default(),
            before_end: None,
            expects_window: false,
            turned_to: None,
        })
    }

    pub(super) fn reading(&self) -> &Reading {
        &self.reading
    }

    pub(super) fn frame(&self) -> &Frame {
        &self.frame
    }

    pub(super) fn lattice(&self) -> &Lattice {
        &self.reading.lattice
    }

    /// The part of the screen that the window takes.
    pub(super) fn area(&self) -> Rect {
        self.area
    }

    pub(super) fn misreads(&self) -> u32 {
        self.misreads
    }

    /// How often a change was read: while this is the same, so is the reading.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// How often what was known before was found to hold no more. What was planned before that is void.
    pub(super) fn upheavals(&self) -> u32 {
        self.upheavals
    }

    /// The board to decide on: the last reading, with the numbers that were read earlier in this game
    /// where a cell is unclear now.
    pub(super) fn board(&self) -> Board {
        let mut board = self.reading.board.clone();
        for (pos, cell) in self.past.opened.iter() {
            if board[pos] == Cell::Unclear && cell.number().is_some() {
                board[pos] = cell;
            }
        }
        board
    }

    /// Every number that was read in this game, and cells that were [taken for open](Self::take_for_open).
    pub(super) fn opened(&self) -> &Board {
        &self.past.opened
    }

    /// A new game begins: what was read before means nothing any more.
    pub(super) fn forget(&mut self) {
        self.upheavals += 1;
        self.expects_window = false;
        self.before_end = None;
        self.past = Past::of(&self.read.reading().board, self.read.is_recoloured());
        self.reading = understand(self.read.reading(), &self.past);
    }

    /// Clicks go out on what was seen last, which may end the game or not.
    pub(super) fn may_end_now(&mut self, may_end: bool) {
        self.before_end = may_end.then(|| self.frame.clone());
    }

    /// A cell that shows as open, a blank one if there is one.
    pub(super) fn open_cell(&self) -> Option<Pos> {
        let open = self.reading.board.iter().filter_map(|(pos, cell)| Some((cell.number()?, pos)));
        open.min().map(|(_, pos)| pos)
    }

    /// A cell that is known to be open and is in sight, on a window that waits for a dialog over it, which came up after clicks that
    /// may have ended the game; nothing where it does not wait for one. A click there changes nothing, also if the game goes on: it
    /// is a blank, unless the game is over, or no cell is left that could be opened but is not `clicked`.
    pub(super) fn open_cell_beside_dialog(&self, clicked: impl Fn(Pos) -> bool) -> Option<Pos> {
        if self.before_end.is_none() || !self.is_covered(&clicked) {
            return None;
        }
        let known = &self.past.opened;
        let open = known.iter().filter(|&(pos, cell)| cell.number().is_some() || clicked(pos));
        let cells = usize::from(known.cols()) * usize::from(known.rows());
        let mines = self.reading.board.mines.likely();
        let is_cleared = mines.is_some_and(|mines| open.count() + mines as usize >= cells);
        let is_over = self.reading.status.is_over() || is_cleared;
        self.darkened_cell(if is_over { 8 } else { 0 })
    }

    /// A cell that is known to show a number of `most` at most and is in sight, on a window that was drawn darker after clicks that may
    /// have ended the game.
    fn darkened_cell(&self, most: u8) -> Option<Pos> {
        let before = self.before_end.as_ref()?;
        if !is_edge_as_light(before, &self.frame) {
            return None;
        }
        let is_in_sight = |pos: Pos| {
            let Rect { x, y, width, height } = self.lattice().cell(pos);
            // With the edges of the cells around, since a blank may be of one colour.
            let (dx, dy) = (width as i32 / 4, height as i32 / 4);
            let around = Rect::new(x - dx, y - dy, width + 2 * dx as u32, height + 2 * dy as u32);
            let area = around.intersection(self.frame.area()).unwrap_or(around);
            is_darkened(before, &self.frame, area)
        };
        let known = self.past.opened.iter();
        let mut open: Vec<(u8, Pos)> = known
            .filter_map(|(pos, cell)| Some((cell.number()?, pos)))
            .filter(|&(number, _)| number <= most)
            .collect();
        open.sort_unstable();
        open.into_iter().map(|(_, pos)| pos).find(|&pos| is_in_sight(pos))
    }

    /// The player is about to flag the cell at `pos`.
    pub(super) fn expect_flag(&mut self, pos: Pos) {
        self.past.flagged.insert(pos);
    }

    /// Looks at the board and reads what changed.
    pub(super) fn look(&mut self) -> Result<(), PlayError> {
        self.check_stop()?;
        match self.screen.wait(&mut self.frame, Instant::now()) {
            Ok(changed) => self.take_in(changed),
            Err(error) => self.find_after(error)?,
        }
        Ok(())
    }

    /// Waits for a change of what was last read, one slice long at most. When there is one, it
    /// is read; it may come from what is just being painted, so a picture without one is not
    /// [looked at more closely](Perception::look_closer). Returns whether there was, and the time that it took.
    pub(super) fn wait(&mut self, patience: &mut Patience) -> Result<(bool, Duration), PlayError> {
        if !self.unread.is_empty() {
            self.look()?;
            return Ok((true, Duration::ZERO));
        }
        self.check_stop()?;
        let waited = patience.wait(self.screen, &mut self.frame);
        self.check_stop()?;
        let (changed, spent) = match waited {
            Ok(waited) => waited,
            Err(error) => {
                let start = Instant::now();
                self.find_after(error)?;
                let spent = start.elapsed();
                patience.spend(spent);
                return Ok((true, spent));
            }
        };
        let stands_still = changed.is_empty();
        self.take_in(changed);
        if stands_still {
            self.catch_up()?;
        }
        Ok((!stands_still, spent))
    }

    /// Reads what was put off, in a picture that stands still or will not change any more: it may tell another theme.
    pub(super) fn catch_up(&mut self) -> Result<(), PlayError> {
        match self.is_hidden()? {
            true => self.read.catch_up_hidden(&self.frame),
            false => self.read.catch_up(&self.frame),
        }
        self.reading = understand(self.read.reading(), &self.past);
        Ok(())
    }

    /// Reads what is unclear in other colours and at other scales: for a picture that stands still, and of which nothing is
    /// expected any more. That may take seconds.
    pub(super) fn look_closer(&mut self) -> Result<(), PlayError> {
        self.check_stop()?;
        if self.unread.is_empty() && !self.is_hidden()? {
            self.read.update(&self.frame, &[]);
            self.reading = understand(self.read.reading(), &self.past);
        }
        Ok(())
    }

    /// Whether something else hides what is unclear: that is not worth a closer look, and it will go away.
    fn is_hidden(&mut self) -> Result<bool, PlayError> {
        let unclear = self.unclear();
        Ok(!unclear.is_empty()
            && (self.standing()? != Standing::There
                || self.in_front(&unclear).is_some()
                || self.darkened_cell(8).is_some()))
    }

    /// Some of the cells that cannot be read.
    pub(super) fn unclear(&self) -> Vec<Pos> {
        let cells = self.read.reading().board.iter();
        let unclear = cells.filter(|&(_, cell)| cell == Cell::Unclear);
        unclear.map(|(pos, _)| pos).take(ASKED).collect()
    }

    /// Whether something is over the board: cells are unclear that were open, or that no click has opened. A cell opens when it is
    /// one of those `clicked`, or beside a blank.
    pub(super) fn is_covered(&self, clicked: impl Fn(Pos) -> bool) -> bool {
        let Reading { board, status, .. } = self.read.reading();
        let may_open = |pos: Pos| {
            clicked(pos) || board.neighbours(pos).any(|near| board[near] == Cell::open(0))
        };
        let is_hidden = |pos: Pos| {
            board[pos] == Cell::Unclear
                && (self.past.opened[pos].number().is_some() || !may_open(pos))
        };
        *status == Status::Hidden || board.positions().any(is_hidden)
    }

    /// Whether the picture has other colours than the skin, and had them not when the game began.
    pub(super) fn is_dimmed(&self) -> bool {
        self.read.is_recoloured() && !self.past.is_recoloured
    }

    /// Whether the picture has the colours and the scale of its skin.
    pub(super) fn sees_plainly(&self) -> bool {
        self.read.is_plain()
    }

    /// From now on the cells at `cells` are open for as long as they are unclear.
    pub(super) fn take_for_open(&mut self, cells: &[Pos]) {
        for &pos in cells {
            self.past.opened[pos] = Cell::Opened;
        }
        self.reading = understand(self.read.reading(), &self.past);
    }

    fn take_in(&mut self, changed: Vec<Rect>) {
        self.unread.extend(changed);
        if !self.unread.is_empty() {
            self.read.update(&self.frame, &self.unread);
            self.unread.clear();
            self.changes += 1;
        }
        self.reading = understand(self.read.reading(), &self.past);
    }

    /// Lets `time` pass, whatever happens on the screen meanwhile.
    pub(super) fn pause(&mut self, time: Duration) -> Result<(), PlayError> {
        self.pause_until_shown(time, None)
    }

    /// Lets `time` pass, or at least [`GAP_AFTER_SHOWN_CLICK`] of it and as much as it takes until `clicked` is painted: what was
    /// clicked there has arrived then, and nothing holds the next click back.
    pub(super) fn pause_until_shown(
        &mut self,
        time: Duration,
        clicked: Option<Rect>,
    ) -> Result<(), PlayError> {
        let mut shown = false;
        let enough = time.min(GAP_AFTER_SHOWN_CLICK);
        for (part, may_end) in [(enough, false), (time - enough, true)] {
            let mut patience = Patience::of(part);
            loop {
                if patience.is_over() || (may_end && shown) {
                    break;
                }
                self.check_stop()?;
                let changed = match patience.wait(self.screen, &mut self.frame) {
                    Ok((changed, _)) => changed,
                    Err(error) => {
                        self.find_after(error)?;
                        continue;
                    }
                };
                let is_clicked = |changed: &Rect| {
                    clicked.is_some_and(|clicked| changed.intersection(clicked).is_some())
                };
                shown |= changed.iter().any(is_clicked);
                self.unread.extend(changed);
            }
        }
        Ok(())
    }

    /// A cell that was open and shows something else in the last reading, with both looks. The end of a
    /// game may change the looks of anything, so a board that is over contradicts nothing.
    pub(super) fn contradiction(&self) -> Option<(Pos, Cell, Cell)> {
        if self.reading.status.is_over() {
            return None;
        }
        // A pressed cell looks like a blank, so a number in place of a blank is no contradiction; nothing
        // but opened cells and flags was around it, so nothing was concluded from it.
        let pressed =
            |before: Cell, after: Cell| before == Cell::open(0) && after.number().is_some();
        let now = self.reading.board.iter();
        now.map(|(pos, after)| (pos, self.past.opened[pos], after)).find(|&(_, before, after)| {
            before.number().is_some()
                && after != before
                && after != Cell::Unclear
                && !pressed(before, after)
        })
    }

    /// Whether the last reading seems to be of another game: of the cells that are known to be open one is not, and no fewer
    /// show something else than the same number. A misreading is one of a few cells, and the end of a game leaves numbers as
    /// they are; somebody has begun another game, of which clicks that were on their way may have opened much. A blank
    /// that is still one tells nothing: clicks at the same places open blanks in most games.
    pub(super) fn seems_another_game(&self) -> bool {
        let board = &self.reading.board;
        let known = self.past.opened.iter().filter(|(_, cell)| cell.number().is_some());
        let (mut closed, mut same, mut other) = (false, 0, 0);
        for (pos, before) in known {
            match board[pos] {
                Cell::Unclear | Cell::Opened => {}
                now if now == before => same += u32::from(now != Cell::open(0)),
                now => {
                    closed |= now.number().is_none();
                    other += 1;
                }
            }
        }
        closed && other >= same
    }

    /// The name of what is in front of any part of these cells instead of the game, if there is such a thing. One of which
    /// only a corner is hidden cannot be read either.
    pub(super) fn in_front(&mut self, cells: &[Pos]) -> Option<String> {
        let lattice = &self.reading.lattice;
        let places = cells.iter().flat_map(|&pos| {
            let Rect { x, y, .. } = lattice.cell(pos);
            let (right, bottom) = (lattice.cell(pos).right() - 1, lattice.cell(pos).bottom() - 1);
            let corners = [(x, y), (right, y), (x, bottom), (right, bottom)];
            [lattice.centre(pos)].into_iter().chain(corners.map(|(x, y)| Px::new(x, y)))
        });
        let places: Vec<Px> = places.collect();
        self.screen.in_front(&places)
    }

    /// Keeps every number of the last reading, for [`Perception::board`] and for the next check; not those that may
    /// be [pressed](Perception::may_be_pressed), nor those of a lost board, which may be another game's.
    ///
    /// # Errors
    /// When there is a [contradiction](Perception::contradiction).
    pub(super) fn check_reading(&mut self) -> Result<(), PlayError> {
        if let Some((at, before, after)) = self.contradiction() {
            self.misreads += 1;
            return Err(PlayError::Misread { at, before, after });
        }
        if self.reading.status == Status::Lost {
            return Ok(());
        }
        let board = &self.reading.board;
        let is_sure =
            |&(pos, cell): &(Pos, Cell)| cell.number().is_some() && !self.may_be_pressed(pos);
        let sure: Vec<(Pos, Cell)> = board.iter().filter(is_sure).collect();
        for (pos, cell) in sure {
            self.past.opened[pos] = cell;
        }
        Ok(())
    }

    /// Whether the cell at `pos` newly shows a blank and may only be pressed, by a click that gets lost: because it
    /// is alone, or one of a few beside which no number has come up. (A press on a number shows the covered cells
    /// around it as pressed.) All around it is open, so it will show a blank when it is opened, unless it is a
    /// mine.
    pub(super) fn may_be_pressed(&self, pos: Pos) -> bool {
        let (board, past, blank) = (&self.reading.board, &self.past.opened, Cell::open(0));
        let may_be_alone = self.reading.skin.game.shuts_in_blanks;
        if board[pos] != blank || past[pos] == blank || may_be_alone {
            return false;
        }
        let mut region = vec![pos];
        let mut next = 0;
        while let Some(&at) = region.get(next) {
            next += 1;
            for near in board.neighbours(at) {
                if board[near] == blank && !region.contains(&near) {
                    region.push(near);
                }
            }
            if region.len() > MOST_PRESSED {
                return false;
            }
        }
        let is_new = |near: Pos| {
            board[near].number().is_some_and(|number| number > 0) && past[near].number().is_none()
        };
        let opened_something = || region.iter().any(|&at| board.neighbours(at).any(is_new));
        region.len() == 1 || !opened_something()
    }

    /// Whether the game is still painting what was opened: a new blank shows beside a cell that it would have opened.
    pub(super) fn sees_half_painted(&self) -> bool {
        self.new_blanks().any(|pos| self.reading.board[pos] != Cell::open(0))
    }

    /// Whether anything that shows may not be so yet: [half painted](Perception::sees_half_painted), or
    /// [only pressed](Perception::may_be_pressed).
    pub(super) fn sees_half_done(&self) -> bool {
        self.sees_half_painted() || self.new_blanks().any(|pos| self.may_be_pressed(pos))
    }

    /// Cells that look blank and did not when they were last known.
    fn new_blanks(&self) -> impl Iterator<Item = Pos> + '_ {
        let (board, blank) = (&self.read.reading().board, Cell::open(0));
        board.positions().filter(move |&pos| board[pos] == blank && self.past.opened[pos] != blank)
    }

    pub(super) fn standing(&mut self) -> Result<Standing, PlayError> {
        Ok(self.screen.standing()?)
    }

    /// A new game is there, and the board was first seen at the end of one: of a finished board a part may be like what is
    /// beside it. If it is found to be another one now, that counts.
    pub(super) fn find_anew(&mut self) -> Result<(), PlayError> {
        let frame = match self.screen.look(self.area) {
            Ok(frame) => frame,
            Err(error) => return self.find_after(error),
        };
        let found = largest(self.reader.find(&frame), |_| true);
        let here = self.reading.lattice.area();
        if let Ok(reading) = found
            && reading.lattice != self.reading.lattice
            // A monitor may show another board too.
            && reading.lattice.area().intersection(here).is_some()
        {
            if let Err(error) = self.follow(reading) {
                return self.find_after(error);
            }
            self.past = Past::of(&self.read.reading().board, self.read.is_recoloured());
            self.reading = understand(self.read.reading(), &self.past);
        }
        Ok(())
    }

    /// From now on looks at this board.
    fn follow(&mut self, mut found: Reading) -> Result<(), CaptureError> {
        tell_mines(&mut found, self.mines);
        self.before_end = None;
        self.frame = self.screen.look(view(&found.lattice, self.area))?;
        self.unread.clear();
        self.read = Tracker::new(self.reader, &self.frame, found);
        Ok(())
    }

    fn check_stop(&self) -> Result<(), PlayError> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(PlayError::Interrupted);
        }
        Ok(())
    }
}

/// The board and what lies around it, as far as the window at `area` reaches.
fn view(lattice: &Lattice, area: Rect) -> Rect {
    let board = lattice.area();
    let (width, height) = lattice.pitch();
    let (dx, dy) = ((width * CELLS_AROUND_BOARD) as i32, (height * CELLS_AROUND_BOARD) as i32);
    let around = Rect::new(
        board.x - dx,
        board.y - dy,
        board.width + 2 * dx as u32,
        board.height + 2 * dy as u32,
    );
    around.intersection(area).unwrap_or(board)
}

/// What a reading means, when `past` is what is known of the game.
///
/// An empty cell beside an unopened one is taken for covered, and beside a question mark for unclear.
/// Opening an empty cell opens all around it. Where something around it is unopened, the cell is only
/// pressed (many games draw a pressed cell like an empty one, and a click whose release was swallowed
/// leaves it so) or the game is still painting. Either way it is not evidence yet. The exceptions: a flag
/// that was there from the start may be wrong, and keeps its cell closed whatever opens around it; a
/// cell that was open before stays so; and some games open less around a blank.
///
/// So a board on which the last cell is only pressed is not won yet.
///
/// A flag that nobody set, on a board that shows no covered cell any more, was set by the game: where games do
/// so when they are won, this one is, even if a message hides the last cells. Where that is not known, all flags are of
/// that kind, and there are several. One such flag alone proves
/// nothing: a window manager that holds clicks back may have let a right click go on another cell.
fn understand(read: &Reading, past: &Past) -> Reading {
    let mut reading = read.clone();
    let may_be_shut_in = read.skin.game.shuts_in_blanks;
    let blank = |&(pos, cell): &(Pos, Cell)| {
        cell == Cell::open(0) && past.opened[pos] != cell && !may_be_shut_in
    };
    for (pos, _) in read.board.iter().filter(blank) {
        let holds = |near: &Pos| match read.board[*near] {
            Cell::Flagged => !past.found.contains(near),
            cell => cell == Cell::Covered,
        };
        if read.board.neighbours(pos).any(|near| holds(&near)) {
            reading.board[pos] = Cell::Covered;
        } else if read.board.neighbours(pos).any(|near| read.board[near] == Cell::Questioned) {
            reading.board[pos] = Cell::Unclear;
        }
    }
    let taken_for_open =
        |&(pos, cell): &(Pos, Cell)| cell == Cell::Unclear && past.opened[pos] == Cell::Opened;
    for (pos, _) in read.board.iter().filter(taken_for_open) {
        reading.board[pos] = Cell::Opened;
    }
    if reading.status == Status::Won && reading.board.cells() != read.board.cells() {
        // The last cell is only pressed.
        reading.status = Status::Playing;
    }
    let by_itself = |&(pos, cell): &(Pos, Cell)| {
        cell == Cell::Flagged && !past.found.contains(&pos) && !past.flagged.contains(&pos)
    };
    let is_closed = |cell| matches!(cell, Cell::Covered | Cell::Questioned);
    let by_itself = read.board.iter().filter(by_itself).count();
    let all_by_itself =
        by_itself > 1 && by_itself == read.board.count(|cell| cell == Cell::Flagged);
    let are_of_a_win = (reading.skin.game.flags_when_won && by_itself > 0) || all_by_itself;
    if are_of_a_win && !reading.status.is_over() && read.board.count(is_closed) == 0 {
        reading.status = Status::Won;
    }
    reading
}

/// What the person said of the mines needs not be read, now or in later readings.
fn tell_mines(reading: &mut Reading, mines: Option<u32>) {
    if let Some(mines) = mines {
        reading.board.mines = MineCount::Given(mines);
    }
}

/// The largest of the found boards that fit; an error without a cause when none of them does.
fn largest(
    found: Result<Vec<Reading>, ReadError>,
    fits: impl Fn(&Board) -> bool,
) -> Result<Reading, Option<ReadError>> {
    found?.into_iter().find(|reading| fits(&reading.board)).ok_or(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognize::Skin;

    fn understood(board: &str, status: Status) -> (String, Status) {
        let board: Board = board.parse().unwrap();
        let (cols, rows) = (board.cols(), board.rows());
        let lattice = Lattice::even(Px::new(0, 0), (16.0, 16.0), cols, rows);
        let reading = Reading { skin: Arc::new(Skin::default()), lattice, board, status };
        let past = Past::of(&Board::new(cols, rows), false);
        let understood = understand(&reading, &past);
        let cells = understood.board.cells().iter().map(|cell| cell.symbol()).collect();
        (cells, understood.status)
    }

    #[test]
    fn a_board_whose_last_cell_is_only_pressed_is_not_won() {
        assert_eq!(understood("0#\n##", Status::Won), ("####".to_owned(), Status::Playing));
        assert_eq!(understood("3#\n##", Status::Won), ("3###".to_owned(), Status::Won));
        assert_eq!(understood("01#", Status::Won), ("01#".to_owned(), Status::Won));
    }
}
