//! The real desktop, where this build has one.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
#[cfg(feature = "desktop")]
use std::time::{Duration, Instant};

#[cfg(feature = "desktop")]
use minescraper::capture::CaptureError;
#[cfg(feature = "desktop")]
use minescraper::capture::desktop::WindowInfo;
use minescraper::capture::{Frame, Screen};
#[cfg(feature = "desktop")]
use minescraper::input::desktop::{DesktopHands, StopKey};
use minescraper::input::{Hands, Key};
use minescraper::race::floor::Seen;
#[cfg(feature = "desktop")]
use minescraper::recognize::ReadError;
use minescraper::recognize::{Reader, Skin};

/// A window to look at, and the mouse and keyboard to play in it.
pub struct Desk {
    /// The window, or the monitor that shows a board.
    pub screen: Box<dyn Screen>,
    /// The mouse and the keyboard.
    pub hands: Box<dyn Hands>,
    /// The names of the window; none of a monitor.
    pub names: Vec<String>,
}

/// Something to look at, and its window; none of a monitor.
#[cfg(feature = "desktop")]
type Opened = (Box<dyn Screen>, Option<WindowInfo>);

/// A desk with hands that are aimed at what is looked at.
#[cfg(feature = "desktop")]
fn desk((screen, window): Opened) -> anyhow::Result<Desk> {
    let hands = Box::new(DesktopHands::new(window.as_ref())?);
    let names = window.as_ref().map(WindowInfo::names).unwrap_or_default();
    Ok(Desk { screen, hands, names })
}

/// How long a board is looked for: a game that was just started may still be painting.
#[cfg(feature = "desktop")]
const PATIENCE: Duration = Duration::from_secs(3);
/// How long to wait before looking again.
#[cfg(feature = "desktop")]
const PAUSE: Duration = Duration::from_millis(200);

/// Opens the window called `window`. Without a name: the first one with a board in it, first among those
/// whose names the skins know, then among all others, then the first monitor with one.
#[cfg(feature = "desktop")]
pub fn open(window: Option<&str>, skins: &[Skin], reader: &Reader) -> anyhow::Result<Desk> {
    use minescraper::capture::desktop::WindowScreen;

    desk(open_by(window, skins, reader, |name| {
        let screen = WindowScreen::open(name)?;
        let info = screen.info().clone();
        Ok((Box::new(screen), Some(info)))
    })?)
}

/// The same for who never clicks: a window may be covered or partly off the monitors, where the desktop shows it
/// nevertheless.
#[cfg(feature = "desktop")]
pub fn open_to_read(
    window: Option<&str>,
    skins: &[Skin],
    reader: &Reader,
) -> anyhow::Result<Box<dyn Screen>> {
    use minescraper::capture::desktop::open_to_read;

    let open_window: OpenWindow = |name| Ok((open_to_read(name)?, None));
    Ok(open_by(window, skins, reader, open_window)?.0)
}

/// How a window is opened by its name or id.
#[cfg(feature = "desktop")]
type OpenWindow = fn(&str) -> Result<Opened, CaptureError>;

#[cfg(feature = "desktop")]
fn open_by(
    window: Option<&str>,
    skins: &[Skin],
    reader: &Reader,
    open_window: OpenWindow,
) -> anyhow::Result<Opened> {
    let start = Instant::now();
    loop {
        let found = look_for(window, skins, reader, open_window);
        if found.is_ok() || start.elapsed() >= PATIENCE {
            return found;
        }
        std::thread::sleep(PAUSE);
    }
}

#[cfg(feature = "desktop")]
fn look_for(
    window: Option<&str>,
    skins: &[Skin],
    reader: &Reader,
    open_window: OpenWindow,
) -> anyhow::Result<Opened> {
    use minescraper::capture::desktop::{MonitorScreen, windows};

    if let Some(window) = window {
        return Ok(open_window(window)?);
    }
    let mut open = windows()?;
    open.retain(|window| !window.minimized);
    // Stable, so that among equals the front-most comes first.
    open.sort_by_key(|window| !is_known(skins, &window.names()));
    // A board of which only a part is in sight, or whose cells are too small.
    let mut unread = None;
    let mut shows_board = |screen: &mut dyn Screen| match find(screen, reader) {
        Some(Err(error @ (ReadError::CutOff { .. } | ReadError::TooSmall { .. }))) => {
            unread.get_or_insert(error);
            false
        }
        found => found.is_some_and(|found| found.is_ok()),
    };
    for info in &open {
        match open_window(&info.id.to_string()) {
            Ok((mut screen, window)) => {
                if shows_board(screen.as_mut()) {
                    return Ok((screen, window));
                }
            }
            Err(error) => log::debug!("{info}: {error}"),
        }
    }
    let monitors = MonitorScreen::all()?;
    let searched = (open.len(), monitors.len());
    for mut screen in monitors {
        if shows_board(&mut screen) {
            return Ok((Box::new(screen), None));
        }
    }
    if let Some(unread) = unread {
        return Err(unread.into());
    }
    anyhow::bail!(
        "no board found (searched {} windows and {} monitors with {} skins); \
         is a Minesweeper open and in sight?",
        searched.0,
        searched.1,
        skins.len()
    )
}

/// Whether a window's name is like that of a Minesweeper: parts of what such games are called.
#[cfg(feature = "desktop")]
fn is_like_minesweeper(name: &str) -> bool {
    // As Minesweeper, Minas, Demineur and the like; Freesweep; XBomb; Saper.
    let parts = ["mine", "mina", "sweep", "bomb", "saper"];
    let name = name.to_lowercase();
    parts.iter().any(|part| name.contains(part))
}

/// Opens the window called `window`, or the first one that is named like a Minesweeper and has equal cells in it,
/// whatever they look like: nobody wants a spreadsheet to be played.
#[cfg(feature = "desktop")]
pub fn open_unknown(window: Option<&str>, skins: &[Skin]) -> anyhow::Result<Desk> {
    use minescraper::capture::desktop::{WindowScreen, windows};
    use minescraper::learn::grids;

    let desk = |screen: WindowScreen| {
        let info = screen.info().clone();
        desk((Box::new(screen), Some(info)))
    };
    if let Some(window) = window {
        return desk(WindowScreen::open(window)?);
    }
    let mut open = windows()?;
    let searched = open.len();
    open.retain(|window| !window.minimized);
    open.retain(|window| {
        let names = window.names();
        is_known(skins, &names) || names.iter().any(|name| is_like_minesweeper(name))
    });
    for info in &open {
        match WindowScreen::open(&info.id.to_string()) {
            Ok(mut screen) => {
                if look(&mut screen).is_ok_and(|frame| !grids(&frame).is_empty()) {
                    return desk(screen);
                }
            }
            Err(error) => log::debug!("{info}: {error}"),
        }
    }
    anyhow::bail!(
        "no window that is named like a Minesweeper shows a grid of equal cells (of {searched} windows); \
         open the game, or name its window with --window"
    )
}

/// Takes `key` for as long as what is returned lives: it gives the signal to stop, whatever has the keyboard.
#[cfg(feature = "desktop")]
pub fn take_stop_key(key: Key, stop: Arc<AtomicBool>) -> anyhow::Result<impl Sized> {
    Ok(StopKey::take(key, stop)?)
}

/// Says that this build has no desktop.
#[cfg(not(feature = "desktop"))]
pub fn take_stop_key(_: Key, _: Arc<AtomicBool>) -> anyhow::Result<impl Sized> {
    Err::<(), _>(anyhow::anyhow!(NO_DESKTOP))
}

/// Says that this build has no desktop.
#[cfg(not(feature = "desktop"))]
pub fn open_unknown(_: Option<&str>, _: &[Skin]) -> anyhow::Result<Desk> {
    anyhow::bail!(NO_DESKTOP)
}

/// Says that this build has no desktop.
#[cfg(not(feature = "desktop"))]
pub fn open(_: Option<&str>, _: &[Skin], _: &Reader) -> anyhow::Result<Desk> {
    anyhow::bail!(NO_DESKTOP)
}

/// Says that this build has no desktop.
#[cfg(not(feature = "desktop"))]
pub fn open_to_read(_: Option<&str>, _: &[Skin], _: &Reader) -> anyhow::Result<Box<dyn Screen>> {
    anyhow::bail!(NO_DESKTOP)
}

#[cfg(not(feature = "desktop"))]
const NO_DESKTOP: &str = "this build has no desktop: it was made without the feature `desktop`; \
     try `minescraper demo`, or build with the default features";

/// Has somebody beside the player watch the desktop, where this system lets programs do so.
#[cfg(all(feature = "desktop", target_os = "linux"))]
pub fn observe(seen: Sender<Seen>) -> anyhow::Result<()> {
    minescraper::race::observe(seen).map_err(|error| anyhow::anyhow!(error))
}

/// Says that nobody can.
#[cfg(not(all(feature = "desktop", target_os = "linux")))]
pub fn observe(_: Sender<Seen>) -> anyhow::Result<()> {
    anyhow::bail!("only X11 says who paints what")
}

/// All that `screen` shows.
pub fn look(screen: &mut dyn Screen) -> anyhow::Result<Frame> {
    let area = screen.area()?;
    Ok(screen.look(area)?)
}

/// All that the first monitor shows.
#[cfg(feature = "desktop")]
pub fn look_at_monitor() -> anyhow::Result<Frame> {
    use anyhow::Context;
    use minescraper::capture::desktop::MonitorScreen;

    let mut monitors = MonitorScreen::all()?;
    look(monitors.first_mut().context("there is no monitor")?)
}

/// Says that this build has no desktop.
#[cfg(not(feature = "desktop"))]
pub fn look_at_monitor() -> anyhow::Result<Frame> {
    anyhow::bail!(NO_DESKTOP)
}

/// Whether one of a window's names is one that a skin knows.
#[cfg(feature = "desktop")]
fn is_known(skins: &[Skin], names: &[String]) -> bool {
    skins.iter().any(|skin| skin.game.is_named(names))
}

/// Looks for boards on `screen`, if it can be looked at.
#[cfg(feature = "desktop")]
fn find(screen: &mut dyn Screen, reader: &Reader) -> Option<Result<(), ReadError>> {
    let frame = look(screen).ok()?;
    Some(reader.find(&frame).map(|found| {
        if let [largest, _, ..] = &found[..] {
            eprintln!(
                "{} boards are in sight; the largest is played, {} (--window NAME picks a window)",
                found.len(),
                largest.lattice.area(),
            );
        }
    }))
}
