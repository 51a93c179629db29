//! Timing a player from outside.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use super::floor::{Seen, floor};
use crate::board::{Board, Status};
use crate::capture::{CaptureError, Frame, Screen, Standing};
use crate::clock::thread_time;
use crate::geometry::{Px, Rect};
use crate::input::{Act, Hands, InputError, Situation};
use crate::lab::stats::bbbv;
use crate::play::{Outcome, Step, Watcher};
use crate::recognize::Reading;
use crate::solver::{Advice, Budget, SolveError, Strategy};

/// Where the time of a game went. The five together are the whole game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Times {
    /// Copying pixels, and asking how the window stands.
    pub capture: Duration,
    /// Reading cells and planning: the processor time that is none of the others.
    pub read: Duration,
    /// Asking the strategy.
    pub think: Duration,
    /// Moving and pressing.
    pub click: Duration,
    /// Waiting for the game to paint.
    pub wait: Duration,
}

impl Times {
    /// The player's own work: everything but waiting.
    pub fn work(&self) -> Duration {
        self.capture + self.read + self.think + self.click
    }
}

/// A game that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Lap {
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took by the clock on the wall.
    pub took: Duration,
    /// How often clicks went out, those sent again not counted.
    pub batches: u32,
    /// Buttons that were pressed.
    pub clicks: u32,
    /// Clicks that were sent again.
    pub lost: u32,
    /// The fewest clicks that open this board; known when it was won.
    pub bbbv: Option<u32>,
    /// Where the time went.
    pub times: Times,
    /// The time that the game took to paint, where somebody observed it.
    pub floor: Option<Duration>,
}

/// What is measured of the game that is played.
#[derive(Debug, Default)]
struct Clock {
    times: Times,
    /// Processor time within the timed calls.
    inside: Duration,
    pressed: u32,
}

/// Times a player: gives it timed [screens, hands and strategies](Timed), and watches it.
#[derive(Debug)]
pub struct Stopwatch {
    clock: Rc<RefCell<Clock>>,
    seen: Receiver<Seen>,
    laps: Vec<Lap>,
    batches: Vec<Instant>,
    again: u32,
    lost: u32,
    began: Duration,
    board: Rect,
    end: Option<Board>,
}

impl Stopwatch {
    /// A stopwatch that works out the floor from what an observer has `seen`; without an observer there is none.
    pub fn new(seen: Receiver<Seen>) -> Self {
        Self {
            clock: Rc::default(),
            seen,
            laps: Vec::new(),
            batches: Vec::new(),
            again: 0,
            lost: 0,
            began: Duration::ZERO,
            board: Rect::new(0, 0, 0, 0),
            end: None,
        }
    }

    /// A screen, hands or a strategy whose calls are timed from now on.
    pub fn timed<'a, T: ?Sized>(&self, inner: &'a mut T) -> Timed<'a, T> {
        Timed { inner, clock: self.clock.clone() }
    }

    /// The games that were played.
    pub fn laps(&self) -> &[Lap] {
        &self.laps
    }
}

impl Watcher for Stopwatch {
    fn game_begins(&mut self, _: u32) {
        *self.clock.borrow_mut() = Clock::default();
        self.seen.try_iter().for_each(drop);
        self.batches.clear();
        (self.again, self.lost, self.end) = (0, 0, None);
        self.began = thread_time();
    }

    fn looked(&mut self, _: &Frame, reading: &Reading) {
        self.board = reading.lattice.area();
        self.end = (reading.status == Status::Won).then(|| reading.board.clone());
    }

    fn clicking(&mut self, steps: &[Step], again: bool) {
        self.batches.push(Instant::now());
        if again {
            self.again += 1;
            self.lost += steps.len() as u32;
        }
    }

    fn game_over(&mut self, _: u32, outcome: Outcome, took: Duration) {
        let end = Instant::now();
        let clock = self.clock.borrow();
        let mut times = clock.times;
        times.read = (thread_time() - self.began).saturating_sub(clock.inside);
        times.wait = took.saturating_sub(times.work());
        let seen: Vec<Seen> = self.seen.try_iter().collect();
        self.laps.push(Lap {
            outcome,
            took,
            batches: self.batches.len() as u32 - self.again,
            clicks: clock.pressed,
            lost: self.lost,
            bbbv: self.end.as_ref().filter(|_| outcome == Outcome::Won).map(bbbv),
            times,
            floor: (!seen.is_empty()).then(|| floor(&seen, &self.batches, end, self.board)),
        });
    }
}

/// Something whose calls are timed.
#[derive(Debug)]
pub struct Timed<'a, T: ?Sized> {
    inner: &'a mut T,
    clock: Rc<RefCell<Clock>>,
}

impl<T: ?Sized> Timed<'_, T> {
    /// Calls `call` and adds the time it took to `hand`.
    fn time<R>(
        &mut self,
        hand: fn(&mut Times) -> &mut Duration,
        call: impl FnOnce(&mut T) -> R,
    ) -> R {
        let (start, worked) = (Instant::now(), thread_time());
        let result = call(self.inner);
        let mut clock = self.clock.borrow_mut();
        *hand(&mut clock.times) += start.elapsed();
        clock.inside += thread_time() - worked;
        result
    }
}

impl Screen for Timed<'_, dyn Screen + '_> {
    fn area(&mut self) -> Result<Rect, CaptureError> {
        self.time(|times| &mut times.capture, |screen| screen.area())
    }

    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        self.time(|times| &mut times.capture, |screen| screen.look(area))
    }

    /// Of a wait, only what keeps the processor busy is capture.
    fn wait(&mut self, frame: &mut Frame, deadline: Instant) -> Result<Vec<Rect>, CaptureError> {
        let worked = thread_time();
        let changed = self.inner.wait(frame, deadline);
        let worked = thread_time() - worked;
        let mut clock = self.clock.borrow_mut();
        clock.times.capture += worked;
        clock.inside += worked;
        changed
    }

    fn still_shows(&mut self, frame: &Frame, part: Rect) -> Result<bool, CaptureError> {
        self.time(|times| &mut times.capture, |screen| screen.still_shows(frame, part))
    }

    fn in_front(&mut self, places: &[Px]) -> Option<String> {
        self.time(|times| &mut times.capture, |screen| screen.in_front(places))
    }

    fn standing(&mut self) -> Result<Standing, CaptureError> {
        self.time(|times| &mut times.capture, |screen| screen.standing())
    }

    fn came_up(&mut self) -> Result<Vec<(u32, Frame)>, CaptureError> {
        self.time(|times| &mut times.capture, |screen| screen.came_up())
    }

    fn turn_to(&mut self, window: u32) -> Result<(), CaptureError> {
        self.inner.turn_to(window)
    }
}

impl Hands for Timed<'_, dyn Hands + '_> {
    fn act(
        &mut self,
        on: Px,
        acts: &[Act],
        may: &mut dyn FnMut(&Situation) -> bool,
    ) -> Result<Option<Px>, InputError> {
        let presses = acts.iter().filter(|act| matches!(act, Act::Press(_))).count();
        self.clock.borrow_mut().pressed += presses as u32;
        self.time(|times| &mut times.click, |hands| hands.act(on, acts, may))
    }

    fn takes_bursts(&self) -> bool {
        self.inner.takes_bursts()
    }

    fn tells_what_is_under(&self) -> bool {
        self.inner.tells_what_is_under()
    }

    fn tells_keyboard(&self) -> bool {
        self.inner.tells_keyboard()
    }

    fn take_hold(&mut self) -> Result<(), InputError> {
        self.inner.take_hold()
    }

    fn activate(&mut self) -> Result<(), InputError> {
        self.inner.activate()
    }

    fn aim_at(&mut self, window: u32) {
        self.inner.aim_at(window);
    }

    fn window_class(&self) -> &str {
        self.inner.window_class()
    }

    fn now(&self) -> Instant {
        self.inner.now()
    }
}

impl Strategy for Timed<'_, dyn Strategy + '_> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn new_game(&mut self, seed: u64) {
        self.time(|times| &mut times.think, |strategy| strategy.new_game(seed));
    }

    fn advise(&mut self, board: &Board, budget: &mut Budget) -> Result<Advice, SolveError> {
        self.time(|times| &mut times.think, |strategy| strategy.advise(board, budget))
    }
}
