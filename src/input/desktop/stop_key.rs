//! A key that stops the player, whatever window has the keyboard.

use std::fmt;

use super::Refused;
use crate::input::{InputError, Key};

/// A key that is taken from all other programs while this lives, and given back after.
pub struct StopKey {
    /// What gives it back when it is dropped.
    _taken: Box<dyn fmt::Debug>,
}

impl StopKey {
    /// The key that was taken in a way of the desktop.
    ///
    /// # Errors
    /// When another program has taken it, or the system lets nobody take keys.
    pub(crate) fn taken<T: fmt::Debug + 'static>(
        key: Key,
        taken: Result<T, Refused>,
    ) -> Result<Self, InputError> {
        let refused = |source| InputError::Refused {
            action: format!("take the key {key} as the one that stops the player"),
            source,
        };
        Ok(Self { _taken: Box::new(taken.map_err(refused)?) })
    }
}
