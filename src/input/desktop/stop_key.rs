//! A key that stops the player, whatever window has the keyboard.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

#[cfg(target_os = "linux")]
use super::x11::{Taken, take_key};
use crate::input::{InputError, Key};

/// A key that is taken from all other programs while this lives, and given back after.
#[derive(Debug)]
pub struct StopKey {
    _taken: Taken,
}

impl StopKey {
    /// Takes `key`. When it is pressed, `stop` becomes true at once: a thread of its own waits for it.
    ///
    /// # Errors
    /// When another program has taken it, or the system lets nobody take keys.
    pub fn take(key: Key, stop: Arc<AtomicBool>) -> Result<Self, InputError> {
        let taken = take_key(key, move || stop.store(true, Ordering::Relaxed));
        let taken = taken.map_err(|source| InputError::Refused {
            action: format!("take the key {key} as the one that stops the player"),
            source,
        })?;
        Ok(Self { _taken: taken })
    }
}

/// Waits for a key that is taken from everybody else; here there is no way to take one.
#[cfg(not(target_os = "linux"))]
fn take_key(_: Key, _: impl FnMut() + Send + 'static) -> Result<Taken, super::Refused> {
    Err("this system lets no program take a key".into())
}

/// A key that is taken.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
enum Taken {}
