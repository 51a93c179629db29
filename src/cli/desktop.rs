//! The real desktop, where this build has one.

use minescraper::capture::Screen;
use minescraper::input::Hands;
use minescraper::recognize::Reader;

/// A window to look at, and the mouse and keyboard to play in it.
pub struct Desk {
    /// The window, or the monitor that shows a board.
    pub screen: Box<dyn Screen>,
    /// The mouse and the keyboard.
    pub hands: Box<dyn Hands>,
}

/// Opens the window called `window`, or the first one in which `reader` finds a board.
pub fn open(window: Option<&str>, reader: &Reader) -> anyhow::Result<Desk> {
    let _ = (window, reader);
    anyhow::bail!(
        "this build has no desktop: it was made without the feature `desktop`; \
         try `minescraper demo`, or build with the default features"
    )
}
