//! The player on a virtual desktop: the whole loop, from pixels to clicks.

mod games;
mod rare;
mod scene;
mod skin;
mod trouble;
