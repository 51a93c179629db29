//! Racing: where the time of a game went, beside the time that the game itself takes.
//!
//! A [`Stopwatch`] goes between a player and what it plays with and times every call. It changes nothing of what is
//! done, and the player does not know of it. An observer on a connection of its own notes when clicks
//! arrive and when something is painted; from that comes the [floor](floor::floor), the time that no player can go
//! below.

pub mod floor;
#[cfg(all(feature = "desktop", target_os = "linux"))]
mod observer;
mod stopwatch;

#[cfg(all(feature = "desktop", target_os = "linux"))]
pub use observer::observe;
pub use stopwatch::{Lap, Stopwatch, Timed, Times};
