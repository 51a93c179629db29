//! Stands in for the short way where there is no X11.

use std::time::Instant;

use super::XServer;
use crate::capture::Frame;
use crate::geometry::{Px, Rect};
use crate::input::Place;

/// A connection that there cannot be.
pub(super) enum X11 {}

type Closed = Box<dyn std::error::Error + Send + Sync>;

pub(super) fn plain_title(_: u32) -> Option<String> {
    None
}

pub(super) fn describe() -> Result<XServer, Closed> {
    Err("this system has no X11".into())
}

impl X11 {
    pub(super) fn open() -> Result<Self, Closed> {
        Err("this system has no X11".into())
    }

    pub(super) fn of_window(_: u32, _: Px) -> Result<Self, Closed> {
        Self::open()
    }

    pub(super) fn area(&self) -> Rect {
        match *self {}
    }

    pub(super) fn attend(&self, _: u32) -> Result<(), Closed> {
        match *self {}
    }

    pub(super) fn windows_changed(&mut self) -> Result<bool, Closed> {
        match *self {}
    }

    pub(super) fn place(&self, _: u32) -> Result<Place, Closed> {
        match *self {}
    }

    pub(super) fn in_front(&self, _: u32, _: &[Px]) -> Result<Option<String>, Closed> {
        match *self {}
    }

    pub(super) fn is_dialog_of(&self, _: u32, _: u32) -> Result<bool, Closed> {
        match *self {}
    }

    pub(super) fn look(&mut self, _: Rect) -> Result<Frame, Closed> {
        match *self {}
    }

    pub(super) fn wait(&mut self, _: &mut Frame, _: Instant) -> Result<Vec<Rect>, Closed> {
        match *self {}
    }

    pub(super) fn still_shows(&mut self, _: &Frame, _: Rect) -> Result<bool, Closed> {
        match *self {}
    }
}
