//! Minescraper plays the real desktop Minesweeper the way a person does.
//!
//! ```text
//! capture ──Frame──▶ recognize ──Reading──▶ solver ──Advice──▶ play ──clicks──▶ input
//!    ▲                                                           │
//!    └─────────────── look again until the clicks show ◀─────────┘
//! ```

pub mod board;
pub mod capture;
mod clock;
pub mod file;
pub mod geometry;
pub mod input;
pub mod lab;
pub mod learn;
pub mod play;
pub mod recognize;
pub mod solver;
mod splitmix;
#[cfg(all(feature = "desktop", target_os = "linux"))]
mod x11;

pub use recognize::Skin;
