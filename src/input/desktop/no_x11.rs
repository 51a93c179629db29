//! Stands in for the short way where there is no X11.

use crate::geometry::Px;
use crate::input::Button;

/// A connection that there cannot be.
pub(super) enum X11 {}

type Refused = Box<dyn std::error::Error + Send + Sync>;

impl X11 {
    pub(super) fn open() -> Result<Self, Refused> {
        Err("this system has no X11".into())
    }

    pub(super) fn move_to(&self, _: Px) -> Result<(), Refused> {
        match *self {}
    }

    pub(super) fn press(&self, _: Button) -> Result<(), Refused> {
        match *self {}
    }

    pub(super) fn release(&self, _: Button) -> Result<(), Refused> {
        match *self {}
    }

    pub(super) fn click(&mut self, _: Button, _: Px) -> Result<(), Refused> {
        match *self {}
    }

    pub(super) fn holds_back(&self) -> bool {
        match *self {}
    }

    pub(super) fn burst(&mut self, _: &[(Button, Px)], _: Px) -> Result<Px, Refused> {
        match *self {}
    }

    pub(super) fn pointer(&self) -> Result<Px, Refused> {
        match *self {}
    }

    pub(super) fn pointer_released(&self) -> Result<Px, Refused> {
        match *self {}
    }
}
