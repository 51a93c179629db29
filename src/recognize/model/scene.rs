//! What hypotheses are about.

use std::sync::OnceLock;

use image::RgbImage;

use super::periodicity::Profiles;

/// A picture, and how its edges lie.
pub(crate) struct Scene<'a> {
    pub(crate) pixels: &'a RgbImage,
    /// Its edges across and down.
    profiles: OnceLock<[Profiles; 2]>,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(pixels: &'a RgbImage) -> Self {
        Self { pixels, profiles: OnceLock::new() }
    }

    /// Its edges across and down.
    pub(super) fn profiles(&self) -> &[Profiles; 2] {
        self.profiles.get_or_init(|| [Profiles::across(self.pixels), Profiles::down(self.pixels)])
    }
}
