//! A painted window on a painted desktop: a screen and hands without any display.
//!
//! A [`VirtualDesktop`] runs a [`Minefield`] in a window that is painted with a skin, and plays by what
//! that skin's [`GameBehaviour`](crate::recognize::skin::GameBehaviour) say: its new-game control, its chord
//! buttons, its marks, its dialogs. [`VirtualDesktop::screen`] and [`VirtualDesktop::hands`] are two
//! handles on the same desktop. Time is its own: a wait lets it pass at once, nothing sleeps, and
//! whatever happens is the same each time.
//!
//! It can be [unkind](Unkindness) in the ways real desktops are, and notes what became of each click.

mod painter;
mod scene;
mod unkind;
mod window;

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

pub use painter::picture;
pub use scene::{Face, Scene, Switch};
pub use unkind::{Log, Mishap, NewGames, TakesFlags, Unkindness, WhenLost};

use crate::board::Rules;
use crate::capture::{CaptureError, Frame, Screen, Standing};
use crate::geometry::{Px, Rect};
use crate::input::{Act, Button, Hands, InputError, Situation};
use crate::lab::formats::LaidBoard;
use crate::lab::minefield::{ImpossibleLayout, Minefield};
use crate::recognize::{Lattice, Skin};

use window::Window;

/// How long a look takes by the desktop's own clock.
const LOOK_TAKES: Duration = Duration::from_micros(300);
/// Room left of and above the board, in cells, so that the window fits on the desktop.
const ROOM: f64 = 6.0;

/// The most pixels across and down a painted board, or down and across: those of the largest monitor that is made. No
/// window shows more, and a picture of it takes 100 MB.
const MONITOR: (u32, u32) = (7680, 4320);

/// The most pixels that a cell may have where a board of `cols` x `rows` is painted, so that the board fits on the largest
/// monitor.
pub fn largest_cell(cols: u16, rows: u16) -> u32 {
    let fits = |(width, height): (u32, u32)| {
        (width / u32::from(cols.max(1))).min(height / u32::from(rows.max(1)))
    };
    fits(MONITOR).max(fits((MONITOR.1, MONITOR.0)))
}

/// A game on a desktop.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Setup {
    /// Pixels across the desktop.
    pub width: u32,
    /// Pixels down the desktop.
    pub height: u32,
    /// The top left corner of the board.
    pub board: Px,
    /// Width and height of a cell in pixels; edges fall on the nearest whole ones.
    pub pitch: (f64, f64),
    /// The rules of the game.
    pub rules: Rules,
    /// Where the mines come from; each new game adds one.
    pub seed: u64,
}

impl Setup {
    /// A desktop that is just large enough for a game by `rules` with cells of `cell` pixels.
    pub fn new(rules: Rules, cell: u32, seed: u64) -> Self {
        let pitch = f64::from(cell);
        let room = (pitch * ROOM) as i32;
        let side = |cells: u16| u32::from(cells) * cell + 2 * room as u32;
        Self {
            width: side(rules.cols),
            height: side(rules.rows),
            board: Px::new(room, room),
            pitch: (pitch, pitch),
            rules,
            seed,
        }
    }
}

/// A desktop with a game on it.
#[derive(Clone, Debug)]
pub struct VirtualDesktop {
    window: Rc<RefCell<Window>>,
}

impl VirtualDesktop {
    /// A desktop with a fresh game, painted with `skin`.
    pub fn new(skin: Skin, setup: Setup) -> Self {
        Self { window: Rc::new(RefCell::new(Window::new(skin, setup, None))) }
    }

    /// A desktop with a game on this board, which has as many columns and rows as the rules in `setup`: with its first click
    /// made, or with a region open where it has none.
    ///
    /// # Errors
    /// When there can be no such board.
    pub fn with_board(
        skin: Skin,
        setup: Setup,
        board: &LaidBoard,
    ) -> Result<Self, ImpossibleLayout> {
        let desktop = Self::new(skin, setup);
        desktop.window.borrow_mut().lay(board)?;
        Ok(desktop)
    }

    /// A desktop with a fresh game, painted with `skin` into a scene that is as large as the desktop.
    pub fn in_scene(skin: Skin, setup: Setup, scene: Scene) -> Self {
        Self { window: Rc::new(RefCell::new(Window::new(skin, setup, Some(scene)))) }
    }

    /// Makes the desktop unkind from now on.
    pub fn set_unkindness(&self, unkindness: Unkindness) {
        self.window.borrow_mut().unkindness = unkindness;
    }

    /// Something to look at it with.
    pub fn screen(&self) -> VirtualScreen {
        let number = self.window.borrow().number();
        VirtualScreen { window: self.window.clone(), number, followed: None }
    }

    /// Something to press on it with.
    pub fn hands(&self) -> VirtualHands {
        let number = self.window.borrow().number();
        VirtualHands { window: self.window.clone(), number }
    }

    /// What became of the clicks so far.
    pub fn log(&self) -> Log {
        self.window.borrow().log.clone()
    }

    /// The game in the window.
    pub fn game(&self) -> Minefield {
        self.window.borrow().game().clone()
    }

    /// Where the cells are.
    pub fn lattice(&self) -> Lattice {
        self.window.borrow().lattice().clone()
    }

    /// The mouse buttons that are held down.
    pub fn held(&self) -> Vec<Button> {
        self.window.borrow().held().to_vec()
    }

    /// How much of its own time has passed.
    pub fn now(&self) -> Duration {
        self.window.borrow().now
    }
}

/// Looks at a [`VirtualDesktop`].
#[derive(Clone, Debug)]
pub struct VirtualScreen {
    window: Rc<RefCell<Window>>,
    /// The number of the window that it looks at.
    number: u32,
    /// The area of the frame that was looked at or waited on last, and how much was painted by then.
    followed: Option<(Rect, usize)>,
}

impl VirtualScreen {
    fn gone(&self) -> CaptureError {
        let title = self.window.borrow().title();
        CaptureError::WindowGone { title }
    }

    /// What `area` shows now, by what is painted so far.
    fn copy(&self, area: Rect) -> Result<Frame, CaptureError> {
        let window = self.window.borrow();
        let canvas = window.painter().canvas();
        let desktop = Rect::new(0, 0, canvas.width(), canvas.height());
        let part = desktop.intersection(area);
        let part = part.ok_or(CaptureError::OutOfSight { area })?;
        let (x, y) = (part.x as u32, part.y as u32);
        let view = image::imageops::crop_imm(canvas, x, y, part.width, part.height);
        Ok(Frame::new(Px::new(part.x, part.y), view.to_image()))
    }

    /// Brings `frame` up to date with what was painted; see [`Screen::wait`].
    fn refresh(&mut self, frame: &mut Frame) -> Vec<Rect> {
        let window = self.window.borrow();
        let painter = window.painter();
        let area = frame.area();
        let known = self.followed.filter(|&(followed, _)| followed == area);
        let painted = known.and_then(|(_, strokes)| painter.painted_since(strokes));
        let everything = [area];
        let mut changed = Vec::new();
        for place in painted.unwrap_or(&everything) {
            let Some(part) = place.intersection(area) else {
                continue;
            };
            let canvas = painter.canvas();
            let stride = 3 * canvas.width() as usize;
            let rows = canvas.as_raw().chunks_exact(stride).skip(part.y as usize);
            let mut rows = rows.map(|row| &row[3 * part.x as usize..][..3 * part.width as usize]);
            frame.update(part, &mut changed, |line| {
                line.copy_from_slice(rows.next().unwrap_or_default());
            });
        }
        self.followed = Some((area, painter.strokes()));
        changed
    }
}

impl Screen for VirtualScreen {
    fn area(&mut self) -> Result<Rect, CaptureError> {
        let area = self.window.borrow_mut().tell_area(self.number);
        area.ok_or_else(|| self.gone())
    }

    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        let now = self.window.borrow().now;
        self.window.borrow_mut().advance(now + LOOK_TAKES);
        if self.window.borrow().standing(self.number) == Standing::Gone {
            return Err(self.gone());
        }
        let frame = self.copy(area)?;
        self.followed = Some((frame.area(), self.window.borrow().painter().strokes()));
        Ok(frame)
    }

    fn still_shows(&mut self, frame: &Frame, part: Rect) -> Result<bool, CaptureError> {
        let now = self.window.borrow().now;
        self.window.borrow_mut().advance(now + LOOK_TAKES);
        let now = self.copy(part)?;
        Ok(frame.crop(part).is_some_and(|then| then == now))
    }

    /// Lets the desktop's own time pass until something in `frame` is painted differently, or until
    /// as much of it has passed as there is left on the wall clock before `deadline`.
    fn wait(&mut self, frame: &mut Frame, deadline: Instant) -> Result<Vec<Rect>, CaptureError> {
        let start = self.window.borrow().now;
        let left = deadline.saturating_duration_since(Instant::now());
        // One that is over is a look.
        let end = start + if left.is_zero() { LOOK_TAKES } else { left };
        if left.is_zero() {
            self.window.borrow_mut().advance(end);
        }
        loop {
            if self.window.borrow().standing(self.number) == Standing::Gone {
                return Err(self.gone());
            }
            let changed = self.refresh(frame);
            if !changed.is_empty() {
                return Ok(changed);
            }
            let next = self.window.borrow().next_paint();
            match next.filter(|&when| when <= end) {
                Some(when) => self.window.borrow_mut().advance(when),
                None => {
                    self.window.borrow_mut().advance(end);
                    return Ok(changed);
                }
            }
        }
    }

    fn standing(&mut self) -> Result<Standing, CaptureError> {
        Ok(self.window.borrow().standing(self.number))
    }

    fn came_up(&mut self) -> Result<Vec<(u32, Frame)>, CaptureError> {
        let (number, area) = (self.window.borrow().number(), self.window.borrow().area());
        if number == self.number {
            return Ok(Vec::new());
        }
        Ok(vec![(number, self.copy(area)?)])
    }

    fn turn_to(&mut self, window: u32) -> Result<(), CaptureError> {
        (self.number, self.followed) = (window, None);
        Ok(())
    }
}

/// Presses on a [`VirtualDesktop`].
#[derive(Clone, Debug)]
pub struct VirtualHands {
    window: Rc<RefCell<Window>>,
    /// The number of the window that they are aimed at.
    number: u32,
}

impl VirtualHands {
    /// Moves the pointer to `at`.
    pub fn move_to(&mut self, at: Px) {
        self.window.borrow_mut().point(at);
    }
}

impl Hands for VirtualHands {
    fn tells_what_is_under(&self) -> bool {
        !self.window.borrow().unkindness.names_no_windows
    }

    fn tells_keyboard(&self) -> bool {
        !self.window.borrow().unkindness.names_no_windows
    }

    fn act(
        &mut self,
        _: Px,
        acts: &[Act],
        may: &mut dyn FnMut(&Situation) -> bool,
    ) -> Result<Option<Px>, InputError> {
        if !may(&self.window.borrow().situation(self.number, acts)) {
            return Ok(None);
        }
        for &act in acts {
            let mut window = self.window.borrow_mut();
            match act {
                Act::Move(at) => window.point(at),
                Act::Press(button) => window.press(button),
                Act::Release(button) => window.release(button),
                Act::Strike(keys) => window.strike(keys),
            }
        }
        let sent = acts.iter().rev().find_map(Act::place);
        Ok(sent.or(Some(self.window.borrow().pointer)))
    }

    fn aim_at(&mut self, window: u32) {
        self.number = window;
    }

    fn now(&self) -> Instant {
        let window = self.window.borrow();
        window.began + window.now
    }
}
