//! Rests that end soon.

use std::time::Duration;

use windows_sys::Win32::Media::{timeBeginPeriod, timeEndPeriod};
use windows_sys::Win32::System::Threading::Sleep;

/// So far apart are the ticks at which Windows wakes who rests, in milliseconds: the least that it offers.
const TICK: u32 = 1;

/// Rests of about a millisecond. While this lives the clock of Windows ticks that often.
pub struct Rests(());

impl Rests {
    /// Asks for the fast clock. Where Windows does not have it, rests are longer.
    pub fn open() -> Self {
        // SAFETY: it takes a number.
        unsafe { timeBeginPeriod(TICK) };
        Self(())
    }

    /// Rests for `time`, in whole milliseconds and at least one. A timer, which [`std::thread::sleep`] makes, would be four
    /// questions to another process under Wine; this is none.
    pub fn rest(&self, time: Duration) {
        let millis = u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
        // SAFETY: it takes a number. `u32::MAX` would be for ever.
        unsafe { Sleep(millis.clamp(TICK, u32::MAX - 1)) };
    }
}

impl Drop for Rests {
    fn drop(&mut self) {
        // SAFETY: it takes a number, the one that the clock was asked for with.
        unsafe { timeEndPeriod(TICK) };
    }
}
