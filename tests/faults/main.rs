//! What is done to a player on a real desktop, and what it must do then: each on the window of a real game, ten times out
//! of ten. `docs/faults.md` lists them.
//!
//! A missing game or tool fails its test.
#![cfg(all(feature = "desktop", target_os = "linux"))]

mod company;
mod desk;
mod keyboard;
mod person;
mod pictures;
mod place;
mod shown;
mod stopping;
mod windows;

/// How often each fault is made.
const TIMES: usize = 10;
