//! An observer of a desktop, beside the player: notes when something is painted, and on X11 when clicks arrive.

use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::errors::ReplyOrIdError;
use x11rb::protocol::Event as X11Event;
use x11rb::protocol::damage::{self, ReportLevel};
use x11rb::protocol::xinput::{self, ConnectionExt as _, Device, EventMask, XIEventMask};
use x11rb::rust_connection::RustConnection;

use super::floor::{Event, Seen};
use crate::capture::desktop::MonitorScreen;
use crate::capture::{CaptureError, Screen};
use crate::desktop::Session;
use crate::geometry::Rect;

/// So long one wait for a change lasts at most.
const WAIT: Duration = Duration::from_secs(1);

/// Watches the desktop that `on` plays at, on a thread of its own, and tells `seen` of everything that is painted, and on X11 of
/// every click, until nobody listens any more. It has a connection of its own, but for the portal's, which would ask a person
/// again.
///
/// # Errors
/// When the server cannot be reached, or reports neither damage nor raw clicks.
pub fn observe(
    on: &Session,
    seen: Sender<Seen>,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    if let Some(once_more) = on.once_more() {
        thread::spawn(move || match once_more().and_then(|screen| watch(screen, &seen)) {
            Ok(()) => log::debug!("nobody asks any more what is painted"),
            Err(error) => log::warn!("the observer stopped: {error}"),
        });
        return Ok(());
    }
    observe_x11(seen)
}

/// Tells of every part of the first monitor that looks different, at once.
fn watch(mut screen: MonitorScreen, seen: &Sender<Seen>) -> Result<(), CaptureError> {
    let area = screen.area()?;
    let mut frame = screen.look(area)?;
    loop {
        let changed = screen.wait(&mut frame, Instant::now() + WAIT)?;
        let at = Instant::now();
        for area in changed {
            if seen.send(Seen { at, what: Event::Paint(area) }).is_err() {
                return Ok(());
            }
        }
    }
}

fn observe_x11(seen: Sender<Seen>) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let (connection, screen) = x11rb::connect(None)?;
    let root = connection.setup().roots[screen].root;
    ask(&connection, root)?;
    thread::spawn(move || {
        while let Ok(event) = connection.wait_for_event() {
            let what = match event {
                X11Event::XinputRawButtonPress(_) => Event::Click,
                X11Event::DamageNotify(damage) => {
                    let (x, y) = (i32::from(damage.area.x), i32::from(damage.area.y));
                    let (width, height) = (damage.area.width, damage.area.height);
                    Event::Paint(Rect::new(x, y, width.into(), height.into()))
                }
                _ => continue,
            };
            if seen.send(Seen { at: Instant::now(), what }).is_err() {
                break;
            }
        }
    });
    Ok(())
}

fn ask(connection: &RustConnection, root: u32) -> Result<(), ReplyOrIdError> {
    damage::query_version(connection, 1, 1)?.reply()?;
    let damage = connection.generate_id()?;
    damage::create(connection, damage, root, ReportLevel::RAW_RECTANGLES)?.check()?;
    // Raw events come before any window manager holds a click back.
    connection.xinput_xi_query_version(2, 2)?.reply()?;
    let mask = EventMask {
        deviceid: Device::ALL_MASTER.into(),
        mask: vec![XIEventMask::RAW_BUTTON_PRESS],
    };
    xinput::xi_select_events(connection, root, &[mask])?.check()?;
    Ok(())
}
