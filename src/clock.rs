//! How much processor time this thread has used: what a busy machine takes away does not count.
//!
//! Windows counts it in ticks of up to 16 ms.

use std::time::Duration;

/// The processor time of this thread since some fixed moment.
#[cfg(unix)]
pub(crate) fn thread_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}

/// The processor time of this thread since it began.
#[cfg(windows)]
pub(crate) fn thread_time() -> Duration {
    windows_desktop::thread_cpu_time()
}
