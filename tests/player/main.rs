//! The player on a virtual desktop: the whole loop, from pixels to clicks.

mod counted;
mod games;
mod losses;
mod rare;
mod scene;
mod skin;
mod trouble;
