//! What Minescraper asks of the desktop of Windows, as safe calls: pixels, windows, the mouse, a key that stops it.
//!
//! It is the only crate of this workspace with `unsafe` in it, and on other systems it is empty. It decides nothing: each
//! call asks Windows or tells it to do something, and says what came of it.
//!
//! All places and sizes are physical pixels of the virtual desktop, which spans all monitors and has its origin at the top
//! left of the main one. They are so once the program has declared that it wants them: by its manifest, or by
//! [`ask_for_pixels`].

#![cfg(windows)]

mod capture;
mod console;
mod hold;
mod input;
mod monitor;
mod process;
mod rest;
mod stop_key;
mod text;
mod window;

pub use capture::Capture;
pub use console::{allow_colours, owns_console};
pub use hold::{Hold, Taking};
pub use input::{Button, Event, Held, VirtualKey, held, key_that_types, pointer, send};
pub use monitor::{Monitor, ask_for_pixels, monitors, screen};
pub use process::{is_elevated_above_us, thread_cpu_time};
pub use rest::Rests;
pub use stop_key::StopKey;
pub use window::{
    Window, activate, foreground, in_front_of, place, window, window_at, windows, windows_at,
};

use windows_sys::Win32::Foundation::RECT;

/// A part of the virtual desktop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rect {
    /// Its left column.
    pub x: i32,
    /// Its top row.
    pub y: i32,
    /// How many columns it has.
    pub width: u32,
    /// How many rows it has.
    pub height: u32,
}

impl Rect {
    fn of(told: RECT) -> Self {
        let size = |from: i32, to: i32| to.saturating_sub(from).max(0) as u32;
        let (width, height) = (size(told.left, told.right), size(told.top, told.bottom));
        Self { x: told.left, y: told.top, width, height }
    }
}
