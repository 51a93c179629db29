//! The person at the screen while a skin is learned.

use image::RgbImage;

use crate::input::Shortcut;

/// Told what happens, and asked for what no rule can tell. Who is only told answers nothing: any `FnMut(&str)` is one.
pub trait Person {
    /// Something happened, in a few words.
    fn told(&mut self, what: &str);

    /// Which of the numbers in `possible` the cell in the picture shows; `None` when that is not known.
    fn number(&mut self, picture: &RgbImage, possible: &[u8]) -> Option<u8> {
        let _ = (picture, possible);
        None
    }

    /// Which key starts a new game; `None` when that is not known.
    fn new_game(&mut self) -> Option<Shortcut> {
        None
    }
}

impl<Tell: FnMut(&str)> Person for Tell {
    fn told(&mut self, what: &str) {
        self(what);
    }
}
