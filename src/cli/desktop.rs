//! The real desktop, where this build has one.

use minescraper::capture::Screen;
use minescraper::input::Hands;
use minescraper::recognize::{Reader, Skin};

/// A window to look at, and the mouse and keyboard to play in it.
pub struct Desk {
    /// The window, or the monitor that shows a board.
    pub screen: Box<dyn Screen>,
    /// The mouse and the keyboard.
    pub hands: Box<dyn Hands>,
}

/// Opens the window called `window`. Without a name: the first one with a board in it, first among those
/// whose names the skins know, then among all others, then the first monitor with one.
#[cfg(feature = "desktop")]
pub fn open(window: Option<&str>, skins: &[Skin], reader: &Reader) -> anyhow::Result<Desk> {
    use minescraper::capture::desktop::{MonitorScreen, WindowScreen, windows};
    use minescraper::input::desktop::DesktopHands;

    let desk = |screen| -> anyhow::Result<Desk> {
        let hands = Box::new(DesktopHands::new()?);
        Ok(Desk { screen, hands })
    };
    if let Some(window) = window {
        return desk(Box::new(WindowScreen::open(window)?));
    }
    let mut open = windows()?;
    open.retain(|window| !window.minimized);
    // Stable, so that among equals the front-most comes first.
    open.sort_by_key(|window| !is_known(skins, &[&window.title, &window.app]));
    for info in &open {
        match WindowScreen::open(&info.id.to_string()) {
            Ok(mut screen) => {
                if shows_board(&mut screen, reader) {
                    return desk(Box::new(screen));
                }
            }
            Err(error) => log::debug!("{info}: {error}"),
        }
    }
    let monitors = MonitorScreen::all()?;
    let searched = (open.len(), monitors.len());
    for mut screen in monitors {
        if shows_board(&mut screen, reader) {
            return desk(Box::new(screen));
        }
    }
    anyhow::bail!(
        "no board found (searched {} windows and {} monitors with {} skins); \
         is a Minesweeper open and in sight?",
        searched.0,
        searched.1,
        skins.len()
    )
}

/// Says that this build has no desktop.
#[cfg(not(feature = "desktop"))]
pub fn open(_: Option<&str>, _: &[Skin], _: &Reader) -> anyhow::Result<Desk> {
    anyhow::bail!(
        "this build has no desktop: it was made without the feature `desktop`; \
         try `minescraper demo`, or build with the default features"
    )
}

/// Whether one of a window's names is one that a skin knows, upper and lower case being the same.
#[cfg(feature = "desktop")]
fn is_known(skins: &[Skin], names: &[&str]) -> bool {
    let known = skins.iter().flat_map(|skin| &skin.game.windows);
    known
        .map(|known| known.to_lowercase())
        .any(|known| names.iter().any(|name| name.to_lowercase().contains(&known)))
}

/// Whether there is a board to be seen on `screen`.
#[cfg(feature = "desktop")]
fn shows_board(screen: &mut dyn Screen, reader: &Reader) -> bool {
    let frame = screen.area().and_then(|area| screen.look(area));
    frame.is_ok_and(|frame| reader.find(&frame).is_ok_and(|found| !found.is_empty()))
}
