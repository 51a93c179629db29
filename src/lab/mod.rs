//! The laboratory: games without a desktop, and what is measured, recorded and checked. No part of playing needs a room
//! of it.
//!
//! - [`minefield`] is the game itself, [`virtual_desktop`] a screen and hands that show it, [`zoo`] games there that nobody has
//!   drawn.
//! - [`formats`] reads and writes boards and replays as other programs do, and [`stats`] says how much work a board is.
//! - [`mod@bench`] plays many games with strategies alone, [`race`] times a player from outside, and [`training`] fits the
//!   evaluation of positions that the strategy `best` uses.
//! - [`record`] writes down what a player saw and decided; [`replay`] reads and decides that again; [`pages`] shows a recording
//!   or a bench in a browser.

pub mod bench;
pub mod formats;
pub mod minefield;
pub mod pages;
pub mod race;
pub mod record;
pub mod replay;
pub mod stats;
pub mod training;
pub mod virtual_desktop;
pub mod zoo;
