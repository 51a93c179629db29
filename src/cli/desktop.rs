//! The real desktop, where this build has one.

#[cfg(not(feature = "desktop"))]
use std::sync::Arc;
#[cfg(not(feature = "desktop"))]
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::time::Duration;
#[cfg(feature = "desktop")]
use std::time::Instant;

#[cfg(feature = "desktop")]
use minescraper::capture::desktop::WindowInfo;
#[cfg(feature = "desktop")]
use minescraper::capture::{CaptureError, Standing};
use minescraper::capture::{Frame, Screen, look_at_all};
#[cfg(feature = "desktop")]
pub use minescraper::desktop::Session;
use minescraper::input::Hands;
#[cfg(not(feature = "desktop"))]
use minescraper::input::{InputError, Key};
use minescraper::lab::race::floor::Seen;
#[cfg(feature = "desktop")]
use minescraper::play::PlayError;
#[cfg(feature = "desktop")]
use minescraper::recognize::ReadError;
use minescraper::recognize::{Reader, Reading, Skin};

/// A window to look at, and the mouse and keyboard to play in it.
pub struct Desk {
    /// The window, or the monitor that shows a board.
    pub screen: Box<dyn Screen>,
    /// The mouse and the keyboard.
    pub hands: Box<dyn Hands>,
    /// The names of the window; none of a monitor.
    pub names: Vec<String>,
}

/// What shows a board.
pub struct Sight {
    /// The window or the monitor.
    pub screen: Box<dyn Screen>,
    /// What it showed.
    pub frame: Frame,
    /// The boards in that picture, the largest first; `None` where nobody looked for one, since the window was named.
    pub boards: Option<Vec<Reading>>,
    /// The name or id of the window; none of a monitor.
    #[cfg(feature = "desktop")]
    pub window: Option<String>,
}

/// A picture, and the boards in it, the largest first.
#[cfg(feature = "desktop")]
type Found = (Frame, Vec<Reading>);

/// Something to look at, and its window; none of a monitor.
#[cfg(feature = "desktop")]
type Opened = (Box<dyn Screen>, Option<WindowInfo>);

/// A desk with hands that are aimed at what is looked at.
#[cfg(feature = "desktop")]
fn desk(on: &Session, (screen, window): Opened) -> anyhow::Result<Desk> {
    let hands = Box::new(on.hands(window.as_ref())?);
    let names = window.as_ref().map(WindowInfo::names).unwrap_or_default();
    Ok(Desk { screen, hands, names })
}

/// How a window is opened by its name or id.
#[cfg(feature = "desktop")]
type OpenWindow = fn(&Session, &str) -> Result<Opened, CaptureError>;

/// How long a board is looked for: a game that was just started may still be painting, and KMines' message over a finished
/// board stays for four seconds.
pub const PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait before looking again.
pub const PAUSE: Duration = Duration::from_millis(200);

/// Opens the window called `window`. Without a name: the first one with a board in it among those that are [named like a
/// game](is_game). Nothing else is ever clicked without being named; only where the desktop has no list of windows, it is
/// the first monitor with a board.
#[cfg(feature = "desktop")]
pub fn open(
    on: &Session,
    window: Option<&str>,
    skins: &[Skin],
    reader: &Reader,
) -> anyhow::Result<Desk> {
    let opened = match window {
        Some(window) => open_named(on, window, reader)?,
        None => wait_for(|| look_for_game(on, skins, reader))?.0,
    };
    desk(on, opened)
}

/// The same for who never clicks: any window will do and any monitor, those named like a game first, and a window may be
/// covered or partly off the monitors, where the desktop shows it nevertheless.
#[cfg(feature = "desktop")]
pub fn open_to_read(
    on: &Session,
    window: Option<&str>,
    skins: &[Skin],
    reader: &Reader,
) -> anyhow::Result<Sight> {
    let Some(window) = window else {
        return wait_for(|| look_for_board(on, skins, reader));
    };
    let mut screen = on.window_to_read(window)?;
    let frame = look(screen.as_mut())?;
    Ok(Sight { screen, frame, boards: None, window: Some(window.to_owned()) })
}

/// The same for who draws frames over the window, which the screen does not show.
#[cfg(feature = "desktop")]
pub fn open_beneath_frames(
    on: &Session,
    window: Option<&str>,
    skins: &[Skin],
    reader: &Reader,
) -> anyhow::Result<Box<dyn Screen>> {
    let Some(window) = open_to_read(on, window, skins, reader)?.window else {
        anyhow::bail!(
            "frames are drawn over windows, and this desktop lists none; leave --on-screen out"
        );
    };
    Ok(on.window_beneath_frames(&window)?)
}

/// Looks again and again, as long as what is looked for may come yet. The last picture is taken when [`PATIENCE`] is over,
/// however long it takes to search one. No display and no such window are told at once.
#[cfg(feature = "desktop")]
fn wait_for<T>(look: impl Fn() -> anyhow::Result<T>) -> anyhow::Result<T> {
    let start = Instant::now();
    loop {
        let waited = start.elapsed();
        match look() {
            Err(error) if waited < PATIENCE && !error.is::<CaptureError>() => {
                std::thread::sleep(PAUSE);
            }
            found => return found,
        }
    }
}

/// A window to click in.
#[cfg(feature = "desktop")]
fn open_window(on: &Session, name: &str) -> Result<Opened, CaptureError> {
    let screen = on.window(name)?;
    let info = screen.info().clone();
    Ok((Box::new(screen), Some(info)))
}

/// The window of this name, unless something covers its board.
#[cfg(feature = "desktop")]
fn open_named(on: &Session, name: &str, reader: &Reader) -> anyhow::Result<Opened> {
    let (mut screen, window) = open_window(on, name)?;
    if matches!(screen.standing()?, Standing::Covered { .. }) {
        match find(screen.as_mut(), window.as_ref(), reader) {
            Err(error) if error.is::<PlayError>() => return Err(error),
            _ => {}
        }
    }
    Ok((screen, window))
}

#[cfg(feature = "desktop")]
fn look_for_game(on: &Session, skins: &[Skin], reader: &Reader) -> anyhow::Result<(Opened, Found)> {
    let all = on.windows()?.unwrap_or_default();
    let games: Vec<WindowInfo> =
        all.iter().filter(|info| !info.minimized && is_game(info, skins)).cloned().collect();
    let mut unread = None;
    if let Some((_, opened, found)) =
        first_with_board(on, &games, skins, reader, open_window, &mut unread)
    {
        return Ok((opened, found));
    }
    if all.is_empty()
        && let Some(found) = monitor_with_board(on, reader, &mut unread)?
    {
        return Ok(found);
    }
    Err(unread.unwrap_or_else(|| {
        anyhow::anyhow!(
            "no board found in the windows that are named like a Minesweeper ({} of {}, tried with {} skins); \
             is one open and in sight? --window NAME plays in a window of another name, and `minescraper doctor` says \
             what is seen",
            games.len(),
            all.len(),
            skins.len()
        )
    }))
}

#[cfg(feature = "desktop")]
fn look_for_board(on: &Session, skins: &[Skin], reader: &Reader) -> anyhow::Result<Sight> {
    let mut open = on.windows()?.unwrap_or_default();
    open.retain(|window| !window.minimized);
    // Stable, so that among equals the front-most comes first.
    open.sort_by_key(|window| !is_game(window, skins));
    let mut unread = None;
    let open_window: OpenWindow = |on, name| Ok((on.window_to_read(name)?, None));
    if let Some((info, (screen, _), (frame, boards))) =
        first_with_board(on, &open, skins, reader, open_window, &mut unread)
    {
        let window = Some(info.id.to_string());
        return Ok(Sight { screen, frame, boards: Some(boards), window });
    }
    if let Some(((screen, _), (frame, boards))) = monitor_with_board(on, reader, &mut unread)? {
        return Ok(Sight { screen, frame, boards: Some(boards), window: None });
    }
    Err(unread.unwrap_or_else(|| {
        anyhow::anyhow!(
            "no board found (searched {} windows and all monitors with {} skins); \
             is a Minesweeper open and in sight? --window NAME reads a window that is covered too, FILE.png a \
             screenshot, and `minescraper doctor` says what is seen",
            open.len(),
            skins.len()
        )
    }))
}

/// The first of these windows with a board. Where further ones that are named like a game show one too, says which is taken
/// and how another one would be. Notes why a board was not read that is there.
#[cfg(feature = "desktop")]
fn first_with_board<'w>(
    on: &Session,
    open: &'w [WindowInfo],
    skins: &[Skin],
    reader: &Reader,
    open_window: OpenWindow,
    unread: &mut Option<anyhow::Error>,
) -> Option<(&'w WindowInfo, Opened, Found)> {
    let mut taken: Option<(&WindowInfo, Opened, Found)> = None;
    let mut others = Vec::new();
    for info in open {
        let is_game = is_game(info, skins);
        if taken.is_some() && !is_game {
            continue;
        }
        let opened = open_window(on, &info.id.to_string()).map_err(anyhow::Error::new);
        let mut is_whole = false;
        let found = opened.and_then(|(mut screen, window)| {
            let found = find(screen.as_mut(), window.as_ref(), reader);
            is_whole = found.as_ref().is_err_and(is_cut_off) && shows_all_cells(screen.as_mut())?;
            Ok((info, (screen, window), found?))
        });
        match found {
            Ok(found) if taken.is_none() => taken = Some(found),
            Ok(_) => others.push(info.to_string()),
            Err(error) => {
                let is_known = skins.iter().any(|skin| skin.game.is_named(&info.names()));
                note(unread, error, is_game, is_known && !is_whole);
            }
        }
    }
    let (info, opened, found) = taken?;
    if !others.is_empty() {
        eprintln!(
            "{info} is taken; there is a board in {} too (--window ID takes another one)",
            others.join(" and in ")
        );
    }
    tell_largest(&found);
    Some((info, opened, found))
}

/// The first monitor with a board.
#[cfg(feature = "desktop")]
fn monitor_with_board(
    on: &Session,
    reader: &Reader,
    unread: &mut Option<anyhow::Error>,
) -> anyhow::Result<Option<(Opened, Found)>> {
    for n in 0..on.monitors()?.len() {
        let mut screen = on.monitor(n)?;
        match find(&mut screen, None, reader) {
            Ok(found) => {
                tell_largest(&found);
                return Ok(Some(((Box::new(screen), None), found)));
            }
            Err(error) => note(unread, error, false, true),
        }
    }
    Ok(None)
}

#[cfg(feature = "desktop")]
fn is_cut_off(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(ReadError::CutOff { .. }))
}

/// Whether each cell of a board is seen by itself, with the whole window in sight: then it is not cut off, and of no skin that
/// says so.
#[cfg(feature = "desktop")]
fn shows_all_cells(screen: &mut dyn Screen) -> anyhow::Result<bool> {
    use minescraper::learn::from_play::grids;

    let frame = look(screen)?;
    Ok(frame.area() == screen.area()? && grids(&frame).first().is_some_and(|grid| grid.is_whole))
}

/// Keeps the first error that says of a board that is there why it was not read. What covers a window matters only where the
/// window is a game's, and that a skin's board seems to be cut off only where no other program's name is on it.
#[cfg(feature = "desktop")]
fn note(
    unread: &mut Option<anyhow::Error>,
    error: anyhow::Error,
    is_game: bool,
    may_be_known: bool,
) {
    let is_there = match error.downcast_ref() {
        Some(ReadError::CutOff { .. } | ReadError::TooSmall { .. }) => may_be_known,
        Some(ReadError::NoBoard { .. }) => false,
        None => is_game && error.is::<PlayError>(),
    };
    if is_there {
        unread.get_or_insert(error);
    } else {
        log::debug!("{error:#}");
    }
}

#[cfg(feature = "desktop")]
fn tell_largest((_, boards): &Found) {
    if boards.len() > 1 {
        eprintln!(
            "{} boards are in sight; the largest is taken (--window NAME picks a window)",
            boards.len()
        );
    }
}

/// The boards that `screen` shows; none where a dialog that a skin of the game in `window` names is in front of it, which
/// the player closes.
///
/// # Errors
/// When there is none; where something else covers the window, that is why.
#[cfg(feature = "desktop")]
fn find(
    screen: &mut dyn Screen,
    window: Option<&WindowInfo>,
    reader: &Reader,
) -> anyhow::Result<Found> {
    let names = window.map(WindowInfo::names).unwrap_or_default();
    let mut known = reader.skins().filter(|skin| skin.game.is_named(&names));
    let frame = look(screen)?;
    match (reader.find(&frame), screen.standing()) {
        (Ok(boards), _) => Ok((frame, boards)),
        (Err(_), Ok(Standing::Covered { by, .. })) => {
            if known.any(|skin| skin.game.dialog(&by).is_some()) {
                return Ok((frame, Vec::new()));
            }
            Err(PlayError::Covered { by }.into())
        }
        (Err(error), _) => Err(error.into()),
    }
}

/// Whether a window may be a game's: it has a name that a skin knows, or one like that of a Minesweeper. Nobody wants a
/// spreadsheet or a picture to be played.
#[cfg(feature = "desktop")]
pub fn is_game(window: &WindowInfo, skins: &[Skin]) -> bool {
    let names = window.names();
    skins.iter().any(|skin| skin.game.is_named(&names))
        || names.iter().any(|name| is_like_minesweeper(name))
}

/// Whether a window's name is like that of a Minesweeper: parts of what such games are called, in many languages.
#[cfg(feature = "desktop")]
fn is_like_minesweeper(name: &str) -> bool {
    let parts = [
        // Minesweeper, Démineur, Minenräumer, Buscaminas, Campo minado; Mijnenveger, Miinaharava, Minröj; Freesweep; XBomb.
        "mine",
        "mina",
        "mijn",
        "miina",
        "minr",
        "sweep",
        "bomb",
        // Míny, Mīnu meklētājs, Minų ieškotojas, Миночистач, Минички, Миноловац, Ականներ, ნაღმები, مین‌روب.
        "míny",
        "mīnu",
        "minų",
        "миноч",
        "минич",
        "минол",
        "ական",
        "ნაღმ",
        "مین‌روب",
        // Saper, in Polish, Russian and Ukrainian; Aknakereső; Mayın tarlası; Ναρκαλιευτής; Dò mìn; Prato fiorito.
        "saper",
        "сапер",
        "сапёр",
        "aknak",
        "mayın",
        "ναρκαλ",
        "dò mìn",
        "prato fiorito",
        // Chinese, Japanese, Korean, Arabic, Hebrew; and what pages write instead.
        "扫雷",
        "掃雷",
        "踩地雷",
        "マインスイ",
        "지뢰",
        "الألغام",
        "מוקשים",
        "💣",
        "💥",
    ];
    let name = name.to_lowercase();
    parts.iter().any(|part| name.contains(part))
}

/// Opens the window called `window`, or the first one that is [named like a game](is_game) and has equal cells in it,
/// whatever they look like.
#[cfg(feature = "desktop")]
pub fn open_unknown(on: &Session, window: Option<&str>, skins: &[Skin]) -> anyhow::Result<Desk> {
    use minescraper::learn::from_play::grids;

    if let Some(window) = window {
        return desk(on, open_window(on, window)?);
    }
    // Buttons are tried all over the window of a game that is learned. Where that is not known, they might be those of others.
    let Some(mut open) = on.windows()? else {
        anyhow::bail!(
            "no known Minesweeper is in sight, and this desktop does not say where windows end: a game that is not known yet \
             is learned under X11"
        );
    };
    let searched = open.len();
    open.retain(|window| !window.minimized);
    let (named, others): (Vec<_>, Vec<_>) = open.iter().partition(|info| is_game(info, skins));
    let with_grid = |info: &&WindowInfo| match open_window(on, &info.id.to_string()) {
        Ok((mut screen, window)) => {
            let has_grid = look(screen.as_mut()).is_ok_and(|frame| !grids(&frame).is_empty());
            has_grid.then_some((screen, window))
        }
        Err(error) => {
            log::debug!("{info}: {error}");
            None
        }
    };
    if let Some(found) = named.iter().find_map(with_grid) {
        return desk(on, found);
    }
    let no_game = format!(
        "no window that is named like a Minesweeper shows a grid of equal cells (of {searched} windows)"
    );
    match others.iter().find(|info| with_grid(info).is_some()) {
        Some(other) => anyhow::bail!(
            "{no_game}; {other} shows one: if that is the game, name it with --window {}",
            other.id
        ),
        None => anyhow::bail!("{no_game}; open the game, or name its window with --window"),
    }
}

/// The desktop that this process belongs to. What a person has to allow first is said.
#[cfg(feature = "desktop")]
pub fn session() -> anyhow::Result<Session> {
    Ok(Session::open(&mut |what| eprintln!("{what}"))?)
}

/// Says that this build has no desktop.
#[cfg(not(feature = "desktop"))]
pub fn session() -> anyhow::Result<Session> {
    anyhow::bail!(NO_DESKTOP)
}

/// A build without a desktop has none.
#[cfg(not(feature = "desktop"))]
pub enum Session {}

#[cfg(not(feature = "desktop"))]
impl Session {
    /// There is no key to take.
    pub fn stop_key(&self, _: Key, _: Arc<AtomicBool>) -> Result<(), InputError> {
        match *self {}
    }

    /// There is no hand.
    pub fn feels_hands(&self) -> bool {
        match *self {}
    }

    /// There is nothing to frame.
    pub fn frames(&self, _: &[[u8; 3]]) -> anyhow::Result<Frames> {
        match *self {}
    }

    /// There is no way.
    pub fn told(&self) -> &str {
        match *self {}
    }
}

/// There is nothing to open.
#[cfg(not(feature = "desktop"))]
pub fn open_unknown(on: &Session, _: Option<&str>, _: &[Skin]) -> anyhow::Result<Desk> {
    match *on {}
}

/// There is nothing to open.
#[cfg(not(feature = "desktop"))]
pub fn open(on: &Session, _: Option<&str>, _: &[Skin], _: &Reader) -> anyhow::Result<Desk> {
    match *on {}
}

/// There is nothing to open.
#[cfg(not(feature = "desktop"))]
pub fn open_to_read(
    on: &Session,
    _: Option<&str>,
    _: &[Skin],
    _: &Reader,
) -> anyhow::Result<Sight> {
    match *on {}
}

/// There is nothing to open.
#[cfg(not(feature = "desktop"))]
pub fn open_beneath_frames(
    on: &Session,
    _: Option<&str>,
    _: &[Skin],
    _: &Reader,
) -> anyhow::Result<Box<dyn Screen>> {
    match *on {}
}

#[cfg(not(feature = "desktop"))]
const NO_DESKTOP: &str = "this build has no desktop: it was made without the feature `desktop`; \
     try `minescraper demo`, or build with the default features";

/// Has somebody beside the player watch the desktop, where this system lets programs do so.
#[cfg(all(feature = "desktop", target_os = "linux"))]
pub fn observe(on: &Session, seen: Sender<Seen>) -> anyhow::Result<()> {
    minescraper::lab::race::observe(on, seen).map_err(|error| anyhow::anyhow!(error))
}

/// Says that nobody can.
#[cfg(not(all(feature = "desktop", target_os = "linux")))]
pub fn observe(_: &Session, _: Sender<Seen>) -> anyhow::Result<()> {
    anyhow::bail!("what is painted is watched on Linux only")
}

#[cfg(feature = "desktop")]
pub use minescraper::desktop::Frames;

/// There are none.
#[cfg(not(feature = "desktop"))]
pub enum Frames {}

#[cfg(not(feature = "desktop"))]
impl Frames {
    /// There is nothing to show.
    pub fn show(&mut self, _: &[Vec<minescraper::geometry::Rect>]) -> anyhow::Result<()> {
        match *self {}
    }
}

/// All that `screen` shows.
pub fn look(screen: &mut dyn Screen) -> anyhow::Result<Frame> {
    Ok(look_at_all(screen)?)
}

/// All that the first monitor shows.
#[cfg(feature = "desktop")]
pub fn look_at_monitor(on: &Session) -> anyhow::Result<Frame> {
    look(&mut on.monitor(0)?)
}

/// There is none.
#[cfg(not(feature = "desktop"))]
pub fn look_at_monitor(on: &Session) -> anyhow::Result<Frame> {
    match *on {}
}
