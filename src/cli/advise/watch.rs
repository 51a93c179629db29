//! `--watch`: the advice follows the window.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use console::Term;

use minescraper::board::{Board, MineCount, Status};
use minescraper::capture::{CaptureError, Frame, Screen};
use minescraper::geometry::Rect;
use minescraper::play::PlayError;
use minescraper::recognize::{Reader, Reading, Tracker};
use minescraper::solver::Strategy;

use super::answer::Answer;
use crate::cli::desktop::{self, Frames};
use crate::cli::drawing::Redrawn;
use crate::cli::output::{self, say};
use crate::cli::overlay;

/// A picture that stood still for so long is finished.
const SETTLED: Duration = Duration::from_millis(20);
/// A picture that does not stand still is told of all the same, so long after it began to change.
const LATEST: Duration = Duration::from_millis(40);
/// How long to wait for a change before it is seen whether the person stops.
const LISTEN: Duration = Duration::from_millis(200);

/// Follows a board on the screen, and tells of every new one.
pub struct Watch<'w> {
    reader: &'w Reader,
    strategy: Box<dyn Strategy>,
    /// How many mines the person says there are.
    mines: Option<u32>,
    tells: Tells,
    /// Frames over the window, if there are to be any.
    frames: Option<Frames>,
    last: Option<(Board, Status)>,
}

/// How it is told.
pub enum Tells {
    /// Lines that take the place of the last ones.
    Terminal(Redrawn),
    /// Lines, one board after the other.
    Plain,
    /// A JSON object a line.
    Json,
}

impl<'w> Watch<'w> {
    pub fn new(
        reader: &'w Reader,
        strategy: Box<dyn Strategy>,
        mines: Option<u32>,
        as_json: bool,
        frames: Option<Frames>,
    ) -> Self {
        let term = Term::stdout();
        let tells = match as_json {
            true => Tells::Json,
            false if term.is_term() => Tells::Terminal(Redrawn::new(term)),
            false => Tells::Plain,
        };
        Self { reader, strategy, mines, tells, frames, last: None }
    }

    /// Follows the board on `screen` until `stop`, until nobody reads what is told, or until its window is gone.
    pub fn follow(&mut self, screen: &mut dyn Screen, stop: &AtomicBool) -> anyhow::Result<()> {
        loop {
            let mut frame = desktop::look(screen)?;
            let found = self.reader.find(&frame).unwrap_or_default().into_iter().next();
            let followed = match found {
                Some(found) => self.follow_board(screen, frame, found, stop),
                None => wait(screen, &mut frame, LISTEN, stop).map(|_| ()),
            };
            let is_elsewhere = |error: &anyhow::Error| {
                error.downcast_ref().is_some_and(CaptureError::is_elsewhere)
            };
            match followed {
                Err(error) if is_elsewhere(&error) => {}
                Err(error) if error.is::<Unheard>() => return Ok(()),
                followed => followed?,
            }
        }
    }

    /// Follows the board that was `found` in `frame`, until it is no longer there.
    fn follow_board(
        &mut self,
        screen: &mut dyn Screen,
        mut frame: Frame,
        found: Reading,
        stop: &AtomicBool,
    ) -> anyhow::Result<()> {
        let mut tracker = Tracker::new(self.reader, &frame, found);
        let mut listen = LISTEN;
        loop {
            if tracker.reading().status == Status::Hidden {
                return Ok(());
            }
            self.tell(tracker.reading())?;
            let changed = wait(screen, &mut frame, listen, stop)?;
            let wait = |frame: &mut Frame, time| wait(screen, frame, time, stop);
            let is_settled = settle(&mut frame, changed, wait, |frame, changed| {
                tracker.update(frame, changed);
            })?;
            if is_settled {
                tracker.catch_up(&frame);
            }
            listen = if is_settled { LISTEN } else { SETTLED };
        }
    }

    /// Tells of a board, unless it was the last one.
    fn tell(&mut self, reading: &Reading) -> anyhow::Result<()> {
        let mut board = reading.board.clone();
        if let Some(mines) = self.mines {
            board.mines = MineCount::Given(mines);
        }
        let now = (board, reading.status);
        if self.last.as_ref() == Some(&now) {
            return Ok(());
        }
        if let Some(frames) = &mut self.frames {
            // They are of the last board.
            frames.show(&[Vec::new(), Vec::new(), Vec::new()])?;
        }
        let (board, status) = self.last.insert(now).clone();
        if status.is_over() {
            self.print(
                &serde_json::json!({ "status": status.name() }),
                &[format!("the game is over: it is {status}")],
                |_| Vec::new(),
            );
            return Ok(());
        }
        // While a cell is unclear or being painted, a number may seem impossible: the next picture tells.
        let answer = match Answer::of(board, self.strategy.as_mut()) {
            Ok(answer) => answer,
            Err(error) => {
                log::debug!("no advice on this picture: {error}");
                return Ok(());
            }
        };
        if let Some(frames) = &mut self.frames {
            overlay::frame_on_screen(frames, &reading.lattice, &answer)?;
        }
        let mut object = answer.as_json();
        object["status"] = status.name().into();
        object["rows"] = minescraper::board::text::rows(&answer.board).collect();
        let is_plain = !console::colors_enabled();
        self.print(&object, &answer.told(), |columns| answer.drawing(is_plain, columns));
        Ok(())
    }

    /// Prints what a program reads, or what is `told` and the drawing for so many columns.
    fn print(
        &mut self,
        object: &serde_json::Value,
        told: &[String],
        drawing: impl Fn(usize) -> Vec<String>,
    ) {
        match &mut self.tells {
            Tells::Json => say!("{object}"),
            Tells::Plain => say!("{}\n", [told, &drawing(usize::MAX)].concat().join("\n")),
            Tells::Terminal(redrawn) => redrawn.show(told, &drawing(redrawn.columns())),
        }
    }
}

/// Takes in what `changed` in the `frame`, and what changes while it is painted in several steps, until that is over or takes too
/// long. Returns whether it is over. `wait` waits for so long at most.
fn settle(
    frame: &mut Frame,
    mut changed: Vec<Rect>,
    mut wait: impl FnMut(&mut Frame, Duration) -> anyhow::Result<Vec<Rect>>,
    mut update: impl FnMut(&Frame, &[Rect]),
) -> anyhow::Result<bool> {
    let start = Instant::now();
    while !changed.is_empty() {
        update(frame, &changed);
        let left = LATEST.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Ok(false);
        }
        changed = wait(frame, SETTLED.min(left))?;
        if changed.is_empty() && left < SETTLED {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Nobody reads what is told any more.
#[derive(Debug, thiserror::Error)]
#[error("nobody reads what is told")]
struct Unheard;

/// What changed within this time, unless it was to `stop` or nobody reads what is told.
fn wait(
    screen: &mut dyn Screen,
    frame: &mut Frame,
    time: Duration,
    stop: &AtomicBool,
) -> anyhow::Result<Vec<Rect>> {
    if stop.load(Ordering::Relaxed) {
        return Err(PlayError::Interrupted.into());
    }
    if output::is_closed() {
        return Err(Unheard.into());
    }
    Ok(screen.wait(frame, Instant::now() + time)?)
}

#[cfg(test)]
mod tests {
    use image::RgbImage;
    use minescraper::geometry::Px;

    use super::*;

    /// A picture of which something changes 15 ms after it was waited for, so often: when the last wait would have ended after the
    /// first change, and whether the picture stands still then.
    fn told_of_after(changes: u32) -> (Duration, bool) {
        let mut frame = Frame { origin: Px::new(0, 0), pixels: RgbImage::new(1, 1) };
        let part = vec![Rect::new(0, 0, 1, 1)];
        let (mut left, mut waited, mut end) = (changes, Duration::ZERO, Duration::ZERO);
        let mut taken_in = 0;
        let wait = |_: &mut Frame, time: Duration| {
            end = waited + time;
            left = left.saturating_sub(1);
            let (time, changed) = match left {
                0 => (time, Vec::new()),
                _ => (time.min(Duration::from_millis(15)), part.clone()),
            };
            std::thread::sleep(time);
            waited += time;
            Ok(changed)
        };
        let is_settled = settle(&mut frame, part.clone(), wait, |_, _| taken_in += 1).unwrap();
        assert!(left == 0 || taken_in > 0, "what changes is taken in");
        (end, is_settled)
    }

    #[test]
    fn a_picture_that_never_stands_still_is_told_of_in_time() {
        let (end, is_settled) = told_of_after(u32::MAX);
        assert!(end <= LATEST && LATEST < Duration::from_millis(50), "{end:?}");
        assert!(!is_settled);
    }

    #[test]
    fn a_picture_that_stands_still_is_told_of_at_once() {
        // A busy machine may take longer now and then.
        assert!((0..20).any(|_| told_of_after(1) == (SETTLED, true)));
        // What is left of the time is too short to say whether it stands still.
        let (end, is_settled) = told_of_after(3);
        assert!(end <= LATEST && !is_settled, "{end:?}");
    }
}
