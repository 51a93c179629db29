//! Rests that end soon.

use std::io;
use std::time::Duration;

use windows_sys::Win32::Media::{TIMERR_NOERROR, timeBeginPeriod, timeEndPeriod};
use windows_sys::Win32::System::Threading::Sleep;

/// So far apart are the ticks at which Windows wakes who rests, in milliseconds: the least that it offers.
const TICK: u32 = 1;

/// Rests of about a millisecond. While this lives the clock of Windows ticks that often.
pub struct Rests(());

impl Rests {
    /// Asks for the fast clock.
    ///
    /// # Errors
    /// When Windows does not have it.
    pub fn open() -> io::Result<Self> {
        // SAFETY: it takes a number.
        match unsafe { timeBeginPeriod(TICK) } {
            TIMERR_NOERROR => Ok(Self(())),
            error => Err(io::Error::other(format!("no fast clock: error {error}"))),
        }
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
        // SAFETY: it takes a number, the one that `open` was called with.
        unsafe { timeEndPeriod(TICK) };
    }
}
