//! How much processor time this thread has used: what a busy machine takes away does not count.
//!
//! Where the system has no such clock (Windows), time as it passes stands in for it.

use std::time::Duration;

/// The processor time of this thread since some fixed moment.
#[cfg(unix)]
pub(crate) fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}

/// The time that has passed since the first call.
#[cfg(not(unix))]
pub(crate) fn thread_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
