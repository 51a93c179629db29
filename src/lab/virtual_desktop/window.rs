//! The game window: where it is, what runs in it, what has been painted of it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::Setup;
use super::painter::Painter;
use super::scene::Scene;
use super::unkind::{Log, Mishap, NewGames, TakesFlags, Unkindness, WhenLost};
use crate::board::{Board, Cell, Pos, Status};
use crate::capture::Standing;
use crate::geometry::{Px, Rect};
use crate::input::{Act, Button, Key, Owner, Place, Shortcut, Situation};
use crate::lab::formats::LaidBoard;
use crate::lab::minefield::{ImpossibleLayout, Minefield, Options};
use crate::recognize::skin::{Chord, Control, Dialog, GameBehaviour};
use crate::recognize::{Lattice, Skin};

/// Cells of room above the board, and around its other sides; no whole numbers, so that nothing there
/// falls into line with the cells.
const ABOVE: f64 = 3.4;
const AROUND: f64 = 0.7;

/// What is painted of a game.
#[derive(Clone, Debug)]
struct Look {
    board: Board,
    status: Status,
}

impl Look {
    fn of(game: &Minefield) -> Self {
        Self { board: game.view().clone(), status: game.status() }
    }
}

/// Something in front of the board.
#[derive(Clone, Debug)]
struct Front {
    title: String,
    area: Rect,
    /// The key that closes it.
    key: Option<Shortcut>,
    /// Whether it is a menu, which leaves the keyboard to the game.
    is_menu: bool,
}

#[derive(Debug)]
pub(super) struct Window {
    /// When its own time was zero.
    pub began: Instant,
    pub now: Duration,
    pub pointer: Px,
    pub unkindness: Unkindness,
    pub log: Log,
    painter: Painter,
    setup: Setup,
    ways: GameBehaviour,
    area: Rect,
    /// What [`Window::tell_area`] last said.
    told: Rect,
    lattice: Lattice,
    game: Minefield,
    games: u64,
    painted: Look,
    /// Boards to be painted, and when.
    due: VecDeque<(Duration, Look)>,
    clicked: Vec<Pos>,
    last_click: Option<Duration>,
    front: Option<Front>,
    smudge: Option<(Pos, Duration)>,
    mispainted: Option<(Pos, Cell)>,
    closed: bool,
    /// How many windows there were before, one for each game.
    number: u32,
    /// When the next game begins by itself.
    begins_anew: Option<Duration>,
    /// Whether a cell of any game was open.
    was_open: bool,
    /// How far the board is from its first place.
    moved_by: (i32, i32),
    held: Vec<Button>,
    gesture: Vec<Button>,
}

impl Window {
    pub(super) fn new(skin: Skin, setup: Setup, scene: Option<Scene>) -> Self {
        let ways = skin.game.clone();
        let lattice = Lattice::even(setup.board, setup.pitch, setup.rules.cols, setup.rules.rows);
        let area = scene.as_ref().map_or_else(|| around(&lattice, &ways), |scene| scene.window);
        let game = new_game(&setup, &ways, 0);
        let mut window = Self {
            began: Instant::now(),
            now: Duration::ZERO,
            pointer: Px::new(0, 0),
            unkindness: Unkindness::default(),
            log: Log::default(),
            painter: Painter::new(skin, setup.width, setup.height, scene),
            painted: Look::of(&game),
            setup,
            ways,
            area,
            told: area,
            lattice,
            game,
            games: 0,
            due: VecDeque::new(),
            clicked: Vec::new(),
            last_click: None,
            front: None,
            smudge: None,
            mispainted: None,
            closed: false,
            number: 0,
            begins_anew: None,
            was_open: false,
            moved_by: (0, 0),
            held: Vec::new(),
            gesture: Vec::new(),
        };
        window.repaint();
        window
    }

    /// Puts a game on this board in place of the one that it has: with its first click made, or with a region open where it
    /// has none.
    pub(super) fn lay(&mut self, board: &LaidBoard) -> Result<(), ImpossibleLayout> {
        let LaidBoard { cols, rows, first, mines } = board;
        let options = Options { starts_open: first.is_none(), ..options(&self.ways) };
        self.game = Minefield::with_mines(*cols, *rows, mines.iter().copied(), options)?;
        if let Some(first) = first {
            self.game.open(*first);
        }
        self.painted = Look::of(&self.game);
        self.repaint();
        Ok(())
    }

    pub(super) fn game(&self) -> &Minefield {
        &self.game
    }

    pub(super) fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    pub(super) fn painter(&self) -> &Painter {
        &self.painter
    }

    pub(super) fn held(&self) -> &[Button] {
        &self.held
    }

    pub(super) fn title(&self) -> String {
        let known = self.ways.windows.first();
        known.cloned().unwrap_or_else(|| "Minesweeper".to_owned())
    }

    /// The number of the window that has the game.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// The part of the desktop that it takes.
    pub(super) fn area(&self) -> Rect {
        self.area
    }

    /// Where the window with this number is, unless it is closed. What is told here does not count as moved any more.
    pub(super) fn tell_area(&mut self, number: u32) -> Option<Rect> {
        if number != self.number {
            return self.former().map(|_| self.told);
        }
        self.told = self.area;
        let Setup { width, height, .. } = self.setup;
        let monitor = Rect::new(0, 0, width, height);
        let area = if self.unkindness.names_no_windows { monitor } else { self.area };
        (!self.closed).then_some(area)
    }

    pub(super) fn standing(&self, number: u32) -> Standing {
        if number != self.number {
            return self.former().unwrap_or(Standing::Gone);
        }
        if self.closed {
            return Standing::Gone;
        }
        if self.unkindness.names_no_windows {
            return Standing::There;
        }
        if let Some(front) = &self.front {
            // What no key closes is no dialog of the game.
            return Standing::Covered { by: front.title.clone(), own: front.key.is_some() };
        }
        if self.told != self.area {
            return Standing::Moved(self.area);
        }
        Standing::There
    }

    /// How the window of the game before stands, if it is still there.
    fn former(&self) -> Option<Standing> {
        let stays = self.unkindness.new_games == NewGames::InAnotherWindow { stays: true };
        stays.then(|| Standing::Covered { by: self.title(), own: true })
    }

    /// How things stand for somebody who is about to do `acts` in the window with this number.
    pub(super) fn situation(&self, number: u32, acts: &[Act]) -> Situation {
        if number != self.number {
            let other = Some(Owner::Other(self.title()));
            let place = self.former().map_or(Place::Gone, |_| Place::At(self.told));
            let (window, pointer) = (Some(place), Some(self.pointer));
            return Situation {
                window,
                pointer,
                under: other.clone(),
                keyboard: other,
                ..Situation::default()
            };
        }
        if self.unkindness.names_no_windows {
            let keyboard = Act::strike_behind_click(acts).then_some(Owner::Game);
            let pointer = Some(self.pointer);
            return Situation { pointer, keyboard, ..Situation::default() };
        }
        let front = self.front.as_ref().map(|front| match front.key {
            Some(_) => Owner::Dialog(front.title.clone()),
            None => Owner::Other(front.title.clone()),
        });
        let in_front = |act: &Act| match (act, &self.front) {
            (Act::Move(at), Some(front)) => front.area.contains(*at),
            _ => false,
        };
        Situation {
            pointer: Some(self.pointer),
            screen: None,
            window: Some(if self.closed { Place::Gone } else { Place::At(self.area) }),
            under: front.clone().filter(|_| acts.iter().any(in_front)),
            keyboard: front.filter(|_| !self.shows_menu()).or(Some(Owner::Game)),
            held: None,
        }
    }

    fn shows_menu(&self) -> bool {
        self.front.as_ref().is_some_and(|front| front.is_menu)
    }

    /// When something will be painted next.
    pub(super) fn next_paint(&self) -> Option<Duration> {
        let due = self.due.front().map(|&(when, _)| when);
        let clears = self.smudge.map(|(_, until)| until);
        due.into_iter().chain(clears).chain(self.begins_anew).min()
    }

    /// Lets the time go on to `now` and paints what is due by then.
    pub(super) fn advance(&mut self, now: Duration) {
        self.now = self.now.max(now);
        while self.due.front().is_some_and(|&(when, _)| when <= self.now) {
            let Some((_, look)) = self.due.pop_front() else {
                break;
            };
            self.paint(look);
        }
        if self.smudge.is_some_and(|(_, until)| until <= self.now) {
            self.smudge = None;
            self.repaint();
        }
        if self.begins_anew.is_some_and(|when| when <= self.now) {
            self.start_anew();
        }
    }

    pub(super) fn point(&mut self, at: Px) {
        let before = self.highlighted();
        self.pointer = at;
        if self.highlighted() != before {
            self.repaint();
        }
    }

    /// The cell under the pointer, if it is drawn otherwise for that.
    fn highlighted(&self) -> Option<Pos> {
        let under = self.lattice.pos_at(self.pointer).filter(|_| self.unkindness.highlights)?;
        (self.painted.board[under] == Cell::Covered).then_some(under)
    }

    pub(super) fn press(&mut self, button: Button) {
        if self.gesture.is_empty() || !self.held.is_empty() {
            self.gesture.push(button);
        }
        self.held.push(button);
    }

    /// Lets a button go. The game acts when the last one is up.
    pub(super) fn release(&mut self, button: Button) {
        self.held.retain(|&held| held != button);
        if self.held.is_empty() && !self.gesture.is_empty() {
            let gesture = std::mem::take(&mut self.gesture);
            self.click(&gesture);
        }
    }

    pub(super) fn strike(&mut self, key: Shortcut) {
        self.log.keys += 1;
        if let Some(front) = &self.front {
            if front.key == Some(key) {
                let is_menu = front.is_menu;
                self.front = None;
                self.repaint();
                if self.unkindness.new_games == NewGames::WithDialog && !is_menu {
                    self.start_anew();
                }
            } else {
                self.log.idle_keys += 1;
            }
        } else if self.ways.new_game == Some(Control::Key(key)) && !self.closed {
            self.start_anew();
        } else {
            self.log.idle_keys += 1;
        }
    }

    fn click(&mut self, buttons: &[Button]) {
        self.log.clicks += 1;
        let too_fast =
            self.last_click.is_some_and(|last| self.now - last < self.unkindness.swallows_within);
        self.last_click = Some(self.now);
        let unlucky =
            self.unkindness.loses_every.is_some_and(|every| self.log.clicks.is_multiple_of(every));
        if too_fast || unlucky {
            self.log.lost += 1;
        } else {
            self.deliver(buttons);
        }
        let nth = self.log.clicks;
        let mishaps: Vec<Mishap> = self
            .unkindness
            .mishaps
            .iter()
            .filter(|(when, _)| *when == nth)
            .map(|(_, mishap)| mishap.clone())
            .collect();
        mishaps.into_iter().for_each(|mishap| self.befall(mishap));
    }

    fn deliver(&mut self, buttons: &[Button]) {
        let at = self.pointer;
        let in_front = self.front.as_ref().is_some_and(|front| front.area.contains(at));
        if let Some(button) = self.veil().filter(|_| self.area.contains(at)) {
            if button.contains(at) {
                self.start_anew();
            }
        } else if in_front || self.closed || !self.area.contains(at) {
            self.log.stray.push(at);
        } else if let Some(pos) = self.lattice.pos_at(at) {
            self.click_cell(pos, buttons);
        } else if self.face().is_some_and(|face| face.contains(at)) {
            self.start_anew();
        } else if self.painter.switch().is_some_and(|switch| switch.contains(at)) {
            self.log.switched += 1;
            self.repaint();
        } else {
            self.log.stray.push(at);
        }
    }

    fn click_cell(&mut self, pos: Pos, buttons: &[Button]) {
        let is_chord = |chord: Chord| {
            let mut wanted = chord.buttons().to_vec();
            wanted.sort_by_key(|&button| button as u8);
            let mut pressed = buttons.to_vec();
            pressed.sort_by_key(|&button| button as u8);
            wanted == pressed
        };
        let shows_open = self.painted.board[pos].number().is_some();
        let was_over = self.game.status().is_over();
        match self.unkindness.new_games {
            NewGames::ByClickOnBoard if was_over => return self.start_anew(),
            NewGames::ByClickThatOpens if was_over => {
                self.start_anew();
                self.game.open(pos);
                return self.show_game();
            }
            _ => {}
        }
        if self.ways.chord.is_some_and(is_chord) && self.game.view()[pos].number().is_some() {
            self.game.chord(pos);
        } else if buttons == [Button::Left] && self.is_switched() && !self.is_dark() {
            self.game.mark(pos);
        } else if buttons == [Button::Left] {
            if shows_open && self.clicked.contains(&pos) {
                self.log.repeated.push(pos);
            }
            self.clicked.push(pos);
            self.game.open(pos);
        } else if buttons == [Button::Right] && self.takes_flags() {
            self.game.mark(pos);
        } else if buttons == [Button::Right] && self.unkindness.flags == TakesFlags::Menu {
            let key = Shortcut { ctrl: false, key: Key::Escape };
            let area = self.lattice.cell(pos);
            let (title, key) = ("a window without a name".to_owned(), Some(key));
            self.front = Some(Front { title, area, key, is_menu: true });
            self.repaint();
        }
        if !was_over {
            self.move_board();
            self.show_game();
        }
    }

    /// Moves the board to where it is in a game that stands so.
    fn move_board(&mut self) {
        let status = self.game.status();
        self.was_open |= status != Status::Fresh;
        let Unkindness { moves_once_open: once, moves_when_over: over, .. } = self.unkindness;
        let once = if self.was_open { once } else { (0, 0) };
        let is_over = matches!(status, Status::Won | Status::Lost);
        let over = if is_over { over } else { (0, 0) };
        let to = (once.0 + over.0, once.1 + over.1);
        let by = (to.0 - self.moved_by.0, to.1 - self.moved_by.1);
        if by != (0, 0) {
            self.moved_by = to;
            self.lattice = self.lattice.moved(by.0, by.1);
            self.painter.move_frame(by);
            self.repaint();
        }
    }

    /// Whether the scene's switch is down.
    fn is_switched(&self) -> bool {
        !self.log.switched.is_multiple_of(2)
    }

    fn takes_flags(&self) -> bool {
        match self.unkindness.flags {
            TakesFlags::Always => true,
            TakesFlags::OnceOpen => self.game.status() != Status::Fresh,
            TakesFlags::Never | TakesFlags::Menu | TakesFlags::BySwitch => false,
        }
    }

    /// Has the game painted, now or late.
    fn show_game(&mut self) {
        let mut look = Look::of(&self.game);
        if look.status == Status::Lost {
            match self.unkindness.when_lost {
                WhenLost::Mines => {}
                WhenLost::ThatMine => hide_mines(&mut look.board),
                WhenLost::All => open_all(&mut look.board, &self.game.mines().unwrap_or_default()),
            }
        }
        if look.status == Status::Won && self.unkindness.mines_when_won {
            for pos in self.game.mines().unwrap_or_default() {
                look.board[pos] = Cell::Mine;
            }
        }
        let when = self.now + self.unkindness.paints_late;
        if when == self.now && self.due.is_empty() {
            self.paint(look);
        } else {
            self.due.push_back((when, look));
        }
    }

    fn paint(&mut self, look: Look) {
        let before = std::mem::replace(&mut self.painted, look);
        self.painter.set_status(self.painted.status);
        if before.status != self.painted.status
            && self.painter.scene(self.painted.status, self.is_switched())
        {
            self.painter.board(None, &self.painted.board, &self.lattice);
        }
        // The end of a game may change the look of every cell.
        let known = (before.status == self.painted.status).then_some(&before.board);
        self.painter.board(known, &self.painted.board, &self.lattice);
        let is_last = self.due.is_empty();
        if self.unkindness.dialog_at_end
            && is_last
            && self.game.status().is_over()
            && let Some(Dialog { title, key }) = self.ways.dialogs.first().cloned()
        {
            self.cover(title, Some(key));
        }
        if let NewGames::ByItself(after) = self.unkindness.new_games
            && self.begins_anew.is_none()
            && self.game.status().is_over()
        {
            self.begins_anew = Some(self.now + after);
        }
        if self.unkindness.new_games == NewGames::ByVeil
            || self.waits_for_dialog()
            || self.is_dark()
        {
            self.repaint();
        } else {
            self.paint_over();
        }
    }

    fn paint_over(&mut self) {
        if let Some((pos, cell)) = self.mispainted {
            self.painter.cell(cell, self.lattice.cell(pos));
        }
        if let Some(pos) = self.highlighted() {
            let at = self.lattice.cell(pos);
            self.painter.cell(self.painted.board[pos], at);
            self.painter.lighten(at);
        }
        if let Some((pos, _)) = self.smudge {
            self.painter.smudge(&self.lattice, pos);
        }
        if self.unkindness.message_at_end && self.painted.status.is_over() {
            self.painter.dialog(middle(self.lattice.area()));
        }
        if let Some(button) = self.veil() {
            self.painter.veil(self.area, button);
        }
        if self.waits_for_dialog() || self.is_dark() {
            self.painter.darken(self.area);
        }
        if let Some(front) = &self.front {
            self.painter.dialog(front.area);
        }
    }

    /// Whether the scene's switch makes the window dark now.
    fn is_dark(&self) -> bool {
        self.unkindness.switch_darkens && self.is_switched()
    }

    /// Whether the window is drawn darker, since it waits for a dialog of its own.
    fn waits_for_dialog(&self) -> bool {
        let is_own = |front: &Front| front.key.is_some() && !front.is_menu;
        self.unkindness.names_no_windows && self.front.as_ref().is_some_and(is_own)
    }

    /// The button on the veil that the end of a game has laid over the window.
    fn veil(&self) -> Option<Rect> {
        let is_veiled =
            self.unkindness.new_games == NewGames::ByVeil && self.painted.status.is_over();
        let Rect { x, y, width, height } = middle(self.lattice.area());
        let (third, thin) = (height as i32 / 3, (height / 3).max(1));
        is_veiled.then(|| Rect::new(x, y + third, width, thin))
    }

    fn repaint(&mut self) {
        self.painter.clear();
        if !self.closed {
            let board = self.lattice.area();
            if !self.painter.scene(self.painted.status, self.is_switched()) {
                self.painter.window(self.area, board, self.face());
            }
            self.painter.board(None, &self.painted.board, &self.lattice);
            self.paint_over();
        }
    }

    fn cover(&mut self, title: String, key: Option<Shortcut>) {
        let area = middle(self.lattice.area());
        self.front = Some(Front { title, area, key, is_menu: false });
    }

    fn befall(&mut self, mishap: Mishap) {
        match mishap {
            Mishap::Move(to) => {
                let (dx, dy) = (to.x - self.area.x, to.y - self.area.y);
                self.area = self.area.moved(dx, dy);
                self.lattice = self.lattice.moved(dx, dy);
            }
            Mishap::Scroll(right, down) => {
                self.lattice = self.lattice.moved(right, down);
                self.painter.move_frame((right, down));
            }
            Mishap::Widen(by) => self.area.width += by,
            Mishap::Close => self.closed = true,
            Mishap::Cover(title) => self.cover(title, None),
            Mishap::Dialog(title, key) => self.cover(title, Some(key)),
            Mishap::Smudge(pos, time) => self.smudge = Some((pos, self.now + time)),
            Mishap::Mispaint(cell) => {
                self.mispainted = self.clicked.first().map(|&pos| (pos, cell));
            }
            Mishap::Open(pos) => {
                self.game.open(pos);
                self.show_game();
            }
            Mishap::NewGame => self.start_anew(),
            Mishap::Hand(to) => self.pointer = to,
            Mishap::Stop(stop) => stop.store(true, std::sync::atomic::Ordering::Relaxed),
        }
        self.repaint();
    }

    fn start_anew(&mut self) {
        self.begins_anew = None;
        self.log.new_games += 1;
        self.games += 1;
        self.clicked.clear();
        let by_the_second = self.unkindness.deals_by_the_second;
        let nth = if by_the_second { self.now.as_secs() } else { self.games };
        self.game = new_game(&self.setup, &self.ways, nth);
        if let NewGames::InAnotherWindow { .. } = self.unkindness.new_games {
            self.number += 1;
            let (right, down) = (self.setup.pitch.0 as i32, self.setup.pitch.1 as i32);
            self.area = self.area.moved(right, down);
            self.lattice = self.lattice.moved(right, down);
            self.repaint();
        }
        self.move_board();
        self.show_game();
    }

    /// Where the new-game button is, if the game has one.
    fn face(&self) -> Option<Rect> {
        self.painter.button().or_else(|| face(&self.lattice, &self.ways))
    }
}

/// What shows when the game tells of no mine but the one that went off.
fn hide_mines(board: &mut Board) {
    for pos in board.positions() {
        match board[pos] {
            Cell::Mine => board[pos] = Cell::Covered,
            Cell::WrongFlag => board[pos] = Cell::Flagged,
            _ => {}
        }
    }
}

/// Opens every cell without a mine.
fn open_all(board: &mut Board, mines: &[Pos]) {
    for pos in board.positions().filter(|pos| !mines.contains(pos)) {
        let around = board.neighbours(pos).filter(|other| mines.contains(other)).count();
        board[pos] = Cell::open(around as u8);
    }
}

fn new_game(setup: &Setup, ways: &GameBehaviour, nth: u64) -> Minefield {
    Minefield::new(setup.rules, options(ways), setup.seed.wrapping_add(nth))
}

fn options(ways: &GameBehaviour) -> Options {
    Options {
        flags_to_win: ways.won_only_with_flags,
        starts_open: ways.starts_open,
        question_marks: ways.question_marks,
        flags_mines_when_won: ways.flags_when_won,
    }
}

/// The middle half of `board`, both ways.
fn middle(board: Rect) -> Rect {
    Rect::new(
        board.x + board.width as i32 / 4,
        board.y + board.height as i32 / 4,
        (board.width / 2).max(1),
        (board.height / 2).max(1),
    )
}

fn face(lattice: &Lattice, ways: &GameBehaviour) -> Option<Rect> {
    let Some(Control::Click(spot)) = ways.new_game else {
        return None;
    };
    let middle = lattice.spot(spot);
    let (width, height) = lattice.pitch();
    let side = (width.min(height) * 1.2).max(4.0) as i32;
    let (x, y) = (middle.x - side / 2, middle.y - side / 2);
    Some(Rect::new(x, y, side as u32, side as u32))
}

/// A window with room around the board, and with its new-game button inside.
fn around(lattice: &Lattice, ways: &GameBehaviour) -> Rect {
    let board = lattice.area();
    let (width, height) = lattice.pitch();
    let (side, above) = ((width * AROUND) as i32, (height * ABOVE) as i32);
    let (mut left, mut top) = (board.x - side, board.y - above);
    let (mut right, mut bottom) = (board.right() + side, board.bottom() + side);
    if let Some(face) = face(lattice, ways) {
        left = left.min(face.x - 2);
        top = top.min(face.y - 2);
        right = right.max(face.right() + 2);
        bottom = bottom.max(face.bottom() + 2);
    }
    Rect::new(left, top, (right - left) as u32, (bottom - top) as u32)
}
