//! A signal that comes after a while, for thinking that must not last longer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Gives its signal after a time, unless it is dropped before.
pub(super) struct Alarm {
    signal: Arc<AtomicBool>,
    /// Dropped with the alarm, which ends the thread that waits.
    _switched_on: Sender<()>,
}

impl Alarm {
    /// An alarm that goes off after `time`.
    pub(super) fn after(time: Duration) -> Self {
        let signal = Arc::new(AtomicBool::new(false));
        let (switched_on, off) = channel();
        let given = signal.clone();
        thread::spawn(move || {
            if off.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                given.store(true, Ordering::Relaxed);
            }
        });
        Self { signal, _switched_on: switched_on }
    }

    /// The signal.
    pub(super) fn signal(&self) -> Arc<AtomicBool> {
        self.signal.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_off_when_the_time_is_over_and_not_when_it_is_dropped_before() {
        let short = Alarm::after(Duration::ZERO);
        while !short.signal().load(Ordering::Relaxed) {
            thread::yield_now();
        }
        let signal = Alarm::after(Duration::from_millis(20)).signal();
        thread::sleep(Duration::from_millis(60));
        assert!(!signal.load(Ordering::Relaxed));
    }
}
