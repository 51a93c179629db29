//! Windows that look like a Minesweeper, the boards in them, and skins that fit.

use minescraper::Skin;
use minescraper::capture::desktop::WindowInfo;
use minescraper::capture::{Frame, Screen, Standing, look_at_all};
use minescraper::desktop::Session;
use minescraper::learn::from_play::grids;
use minescraper::recognize::survey::Sighting;
use minescraper::recognize::{Reader, Survey};

use super::check::{Check, State};
use super::packages::GAME;
use super::system::System;
use crate::cli::desktop::is_game;
use crate::cli::read;

const NAME: &str = "game";

/// Where boards were looked for, and what was seen there.
type Shown = Option<(Survey, Frame)>;

/// The checks. What the monitors show is in `pictures`.
pub fn checks(
    on: &Session,
    skins: Vec<Skin>,
    pictures: Vec<Frame>,
    system: &System,
) -> (Vec<Check>, Shown) {
    let open = on.windows().ok().flatten().unwrap_or_default();
    let reader = Reader::new(skins.clone());
    let mut checks = Vec::new();
    let mut shown = None;
    for info in open.iter().filter(|info| is_game(info, &skins)) {
        match survey(on, info, &reader) {
            Ok((seen, standing)) => {
                checks.extend(in_window(info, &seen, &standing));
                if !seen.0.boards.is_empty() {
                    shown.get_or_insert(seen);
                }
            }
            Err(error) => checks.push(Check::warn(
                NAME,
                format!("{info}: {error:#}"),
                "bring it into sight, and try again",
            )),
        }
    }
    if shown.is_some() {
        // A terminal may be named like a Minesweeper, too.
        checks.retain(|check| check.state == State::Ok);
        return (checks, shown);
    }
    for frame in pictures {
        let survey = reader.survey(&frame);
        for board in &survey.boards {
            let area = board.reading.lattice.area();
            let around = |info: &&WindowInfo| !info.minimized && info.rect.encloses(area);
            match open.iter().find(around) {
                Some(info) if is_game(info, &skins) => {}
                around => checks.push(elsewhere(board, around, open.is_empty())),
            }
        }
        // Of the first monitor, unless there is a board on another one.
        if shown.is_none() || !survey.boards.is_empty() {
            shown = Some((survey, frame));
        }
    }
    if checks.is_empty() {
        checks.push(nothing(open.len(), skins.len(), system));
    }
    (checks, shown)
}

/// Looks for boards in a window.
fn survey(
    on: &Session,
    info: &WindowInfo,
    reader: &Reader,
) -> anyhow::Result<((Survey, Frame), Standing)> {
    let mut screen = on.window(&info.id.to_string())?;
    let frame = look_at_all(&mut screen)?;
    let standing = screen.standing()?;
    Ok(((reader.survey(&frame), frame), standing))
}

/// What there is in a window; nothing where there is nothing like a board.
fn in_window(info: &WindowInfo, seen: &(Survey, Frame), standing: &Standing) -> Vec<Check> {
    let (survey, frame) = seen;
    if !survey.boards.is_empty() {
        let told = |board| Check::ok(NAME, format!("{info}: {}", describe(board)));
        return survey.boards.iter().map(told).collect();
    }
    let check = if let Standing::Covered { by, .. } = standing {
        Check::warn(NAME, format!("{info}: behind '{by}'"), "bring it to the front, and try again")
    } else if let Some(error) = survey.unread().next() {
        let next = format!(
            "minescraper read --window {} --debug-image seen.png draws what was seen",
            info.id
        );
        Check::warn(NAME, format!("{info}: {error}"), next)
    } else if !grids(frame).is_empty() {
        let found = format!("{info}: a grid of equal cells that no skin fits");
        Check::warn(NAME, found, "`minescraper play` learns the game by playing it")
    } else {
        return Vec::new();
    };
    vec![check]
}

/// A board that is in no window of a game.
fn elsewhere(board: &Sighting, around: Option<&WindowInfo>, no_list: bool) -> Check {
    let found = describe(board);
    match around {
        None if no_list => Check::ok(NAME, format!("on the monitor: {found}")),
        None => Check::warn(
            NAME,
            format!("in no window that the desktop lists: {found}"),
            "`minescraper read` reads it; to play it, use a game that has a window of its own",
        ),
        Some(info) => Check::warn(
            NAME,
            format!("{info}, which is not named like a Minesweeper: {found}"),
            format!("if that is the game: minescraper play --window {}", info.id),
        ),
    }
}

fn describe(board: &Sighting) -> String {
    let Sighting { reading, rivals, .. } = board;
    format!("skin {}; {}", read::place(reading, rivals), reading.status)
}

fn nothing(windows: usize, skins: usize, system: &System) -> Check {
    let found = format!("no Minesweeper is in sight ({windows} windows, {skins} skins)");
    let next = if cfg!(any(target_os = "windows", target_os = "macos")) {
        "open one".to_owned()
    } else {
        format!("open one; if there is none: {}", GAME.install(system.family))
    };
    Check::warn(NAME, found, next)
}
