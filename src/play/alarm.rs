//! A signal that comes after a while, for thinking that must not last longer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// When a signal is to be given, and the signal.
type Due = Option<(Instant, Arc<AtomicBool>)>;

/// Gives signals, each after the same time. One thread waits for all of them: it looks once in that time whether the
/// alarm is set, so that to set it wakes nobody and costs next to nothing.
pub(super) struct Alarm {
    time: Duration,
    due: Arc<Mutex<Due>>,
    /// Dropped with the alarm, which ends the thread that waits.
    _switched_on: Sender<()>,
}

impl Alarm {
    /// An alarm that goes off `time` after it is set.
    pub(super) fn of(time: Duration) -> Self {
        let due: Arc<Mutex<Due>> = Arc::default();
        let (switched_on, off) = channel();
        let set = due.clone();
        thread::spawn(move || {
            let mut rest = time;
            while off.recv_timeout(rest) == Err(RecvTimeoutError::Timeout) {
                let mut due = set.lock().unwrap_or_else(PoisonError::into_inner);
                let now = Instant::now();
                rest = match due.take_if(|(when, _)| *when <= now) {
                    Some((_, signal)) => {
                        signal.store(true, Ordering::Relaxed);
                        time
                    }
                    None => due.as_ref().map_or(time, |(when, _)| *when - now),
                };
            }
        });
        Self { time, due, _switched_on: switched_on }
    }

    /// Sets the alarm and returns its signal. One that was set before and has not gone off does not any more.
    pub(super) fn set(&self) -> Arc<AtomicBool> {
        let signal = Arc::new(AtomicBool::new(false));
        let due = Instant::now() + self.time;
        *self.lock() = Some((due, signal.clone()));
        signal
    }

    /// Stops an alarm that is set.
    pub(super) fn unset(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Due> {
        self.due.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_off_when_the_time_is_over_and_not_when_it_is_unset_before() {
        let alarm = Alarm::of(Duration::from_millis(20));
        for _ in 0..3 {
            let (signal, start) = (alarm.set(), Instant::now());
            while !signal.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            assert!(start.elapsed() >= Duration::from_millis(20));
        }
        let unset = alarm.set();
        alarm.unset();
        let replaced = alarm.set();
        let last = alarm.set();
        while !last.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        assert!(!unset.load(Ordering::Relaxed) && !replaced.load(Ordering::Relaxed));
    }
}
