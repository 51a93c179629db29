//! The monitors, and how long a look at one takes.

use std::time::Instant;

use minescraper::capture::desktop::MonitorInfo;
use minescraper::capture::{CaptureError, Frame, look_at_all};
use minescraper::desktop::Session;

use super::check::Check;
use super::display::Display;
use super::packages::PORTAL;
use super::system::System;
use crate::cli::race::median;

/// How many looks are timed.
const LOOKS: usize = 7;

/// The checks, and what each monitor shows.
pub fn checks(on: &Session, display: &Display, system: &System) -> (Vec<Check>, Vec<Frame>) {
    let mut checks = vec![match on.monitors() {
        Ok(found) => Check::ok("monitors", listed(&found)),
        Err(error) => failed("monitors", error, display, system),
    }];
    let asks = matches!(display, Display::Wayland(_)) && !on.is_native_wayland();
    if asks {
        eprintln!("looking through the desktop's portal; it may ask you to allow that");
    }
    // Each look through the portal may be one more question.
    let looks = if asks { 1 } else { LOOKS };
    let pictures = match timed(on, looks) {
        Ok((pictures, milliseconds)) => {
            let pixels = pictures.first().map_or((0, 0), |frame| frame.pixels.dimensions());
            checks.push(speed(on, display, pixels, milliseconds, looks));
            pictures
        }
        Err(error) => {
            checks.push(failed("look", error, display, system));
            Vec::new()
        }
    };
    (checks, pictures)
}

fn listed(monitors: &[MonitorInfo]) -> String {
    let told = |monitor: &MonitorInfo| {
        let MonitorInfo { name, area, scale } = monitor;
        format!("{name} {area}, scale {scale}").trim_start().to_owned()
    };
    monitors.iter().map(told).collect::<Vec<_>>().join("; ")
}

/// What every monitor shows, and the median of so many looks at the first, in milliseconds.
fn timed(on: &Session, looks: usize) -> Result<(Vec<Frame>, f64), CaptureError> {
    let monitors = 0..on.monitors()?.len();
    let mut screens = monitors.map(|n| on.monitor(n)).collect::<Result<Vec<_>, _>>()?;
    let mut times = Vec::new();
    if let Some(first) = screens.first_mut().filter(|_| looks > 1) {
        for _ in 0..looks {
            let start = Instant::now();
            look_at_all(first)?;
            times.push(1000.0 * start.elapsed().as_secs_f64());
        }
    }
    let start = Instant::now();
    let pictures = screens.iter_mut().map(|screen| look_at_all(screen));
    let pictures = pictures.collect::<Result<Vec<_>, _>>()?;
    let all = 1000.0 * start.elapsed().as_secs_f64() / pictures.len().max(1) as f64;
    Ok((pictures, median(times.into_iter()).unwrap_or(all)))
}

fn speed(
    on: &Session,
    display: &Display,
    (width, height): (u32, u32),
    milliseconds: f64,
    looks: usize,
) -> Check {
    let of = if looks > 1 { format!(" (median of {looks})") } else { String::new() };
    let found = format!("{width}x{height} pixels in {milliseconds:.1} ms{of}");
    match (display, on.looks_directly()) {
        (Display::X11(_), Ok(())) => {
            Check::ok("look", format!("{found}, straight through the X server"))
        }
        (_, Ok(())) => Check::ok("look", found),
        (Display::X11(_), Err(why)) => Check::warn(
            "look",
            format!("{found}, the long way: {why}"),
            "play works, more slowly; start minescraper on the computer that has the display",
        ),
        (_, Err(_)) => Check::ok("look", found),
    }
}

/// What to do where nothing can be seen.
pub fn failed(name: &'static str, why: CaptureError, display: &Display, system: &System) -> Check {
    let next = match display {
        Display::Only("macOS") => {
            "allow it: System Settings > Privacy & Security > Screen Recording, then start the \
                                   terminal anew"
                .to_owned()
        }
        Display::Only(_) => "start minescraper in the session that shows the desktop".to_owned(),
        Display::Wayland(_) => format!(
            "{}, and the portal of your desktop (xdg-desktop-portal-gnome, -kde or -wlr), log in anew, and allow it",
            PORTAL.install(system.family)
        ),
        Display::X11(_) | Display::None(_) => {
            "see the X extensions above; is a monitor switched on (xrandr)?".to_owned()
        }
    };
    Check::fail(name, format!("{:#}", anyhow::Error::new(why)), next)
}
