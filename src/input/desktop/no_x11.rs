//! Stands in for the short way where there is no X11.

use crate::geometry::Px;
use crate::input::{Act, Key, Situation};

/// A connection that there cannot be.
pub(super) enum X11 {}

type Refused = Box<dyn std::error::Error + Send + Sync>;

impl X11 {
    pub(super) fn open(_: Option<u32>) -> Result<Self, Refused> {
        Err("this system has no X11".into())
    }

    pub(super) fn act(
        &mut self,
        _: Px,
        _: &[Act],
        _: &mut dyn FnMut(&Situation) -> bool,
    ) -> Result<Option<Px>, Refused> {
        match *self {}
    }

    pub(super) fn holds_back(&self) -> bool {
        match *self {}
    }

    pub(super) fn take_hold(&mut self, _: &str) -> Result<Option<String>, Refused> {
        match *self {}
    }

    pub(super) fn taken_by(&self) -> Result<Option<String>, Refused> {
        match *self {}
    }

    pub(super) fn activate(&mut self) -> Result<(), Refused> {
        match *self {}
    }
}

/// Waits for a key that is taken from everybody else; there is no way to take one.
pub(super) fn take_key(_: Key, _: impl FnMut() + Send + 'static) -> Result<Taken, Refused> {
    Err("this system has no X11".into())
}

/// A key that is taken.
#[derive(Debug)]
pub(super) enum Taken {}
