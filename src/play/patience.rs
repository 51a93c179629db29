//! Time that may still be spent on waiting.

use std::time::{Duration, Instant};

use crate::capture::{CaptureError, Frame, Screen};
use crate::geometry::Rect;

/// The longest single wait: a signal to stop is noticed after at most this long.
pub(super) const SLICE: Duration = Duration::from_millis(20);

/// How long a window of the game, or a dialog of it that has come up, may take to get the keyboard.
pub(super) const GETS_KEYBOARD_WITHIN: Duration = Duration::from_secs(1);
/// By how much longer a click or a control is held with each time that it is pressed again.
pub(super) const HOLD_LONGER: Duration = Duration::from_millis(30);

/// What a look that shows a change costs at least, so that a screen which always changes cannot hold
/// a loop forever.
const LEAST_SPENT: Duration = Duration::from_micros(100);

/// Time that may still be spent on waiting; every loop of the player has one.
///
/// A wait that ended without a change costs what was asked for, whatever the clock on the wall says.
/// So the player waits as patiently for a [virtual desktop](crate::lab::virtual_desktop), whose clock is
/// not ours, as for a real one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    left: Duration,
}

impl Patience {
    pub(super) fn of(left: Duration) -> Self {
        Self { left }
    }

    pub(super) fn is_over(&self) -> bool {
        self.left.is_zero()
    }

    /// Takes away what was spent elsewhere.
    pub(super) fn spend(&mut self, spent: Duration) {
        self.left = self.left.saturating_sub(spent);
    }

    /// Waits on `screen` for one slice, or until it no longer looks like `frame`, which is brought up to date.
    /// Returns the parts that changed, and the time that it took.
    pub(super) fn wait(
        &mut self,
        screen: &mut dyn Screen,
        frame: &mut Frame,
    ) -> Result<(Vec<Rect>, Duration), CaptureError> {
        let slice = SLICE.min(self.left);
        let start = Instant::now();
        let changed = screen.wait(frame, start + slice)?;
        let spent = match changed.is_empty() {
            true => slice,
            false => start.elapsed().clamp(LEAST_SPENT, SLICE),
        };
        self.spend(spent);
        Ok((changed, spent))
    }
}
