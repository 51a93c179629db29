//! Minescraper plays the real desktop Minesweeper the way a person does.
//!
//! ```text
//! capture ──Frame──▶ recognize ──Board──▶ solver ──Advice──▶ player ──clicks──▶ input
//!    ▲                                                          │
//!    └────────────── look again until the clicks show ◀─────────┘
//! ```

pub mod bench;
pub mod board;
pub mod calibrate;
pub mod capture;
mod clock;
pub mod file;
pub mod geometry;
pub mod input;
pub mod learn;
pub mod minefield;
pub mod player;
pub mod race;
pub mod recognize;
pub mod record;
pub mod replay;
pub mod solver;
mod splitmix;
pub mod training;
pub mod virtual_desktop;
#[cfg(all(feature = "desktop", target_os = "linux"))]
mod x11;

pub use recognize::Skin;
