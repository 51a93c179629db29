//! All checks of the real desktop, one after the other: what is not there is not looked at any closer.

use minescraper::Skin;
use minescraper::desktop::Session;

use super::check::Check;
use super::display::Display;
use super::system::System;
use super::{Examined, games, looks, mouse};

/// Checks the desktop; the pointer is moved only where that is wanted.
pub fn examine(system: &System, skins: Vec<Skin>, may_move: bool) -> Examined {
    let display = Display::found();
    if matches!(display, Display::None(_)) {
        return Examined { checks: display.checks(system, false), shown: None };
    }
    let on = Session::open(&mut |what| eprintln!("{what}"));
    let is_native = on.as_ref().is_ok_and(Session::is_native_wayland);
    let mut checks = display.checks(system, is_native);
    let on = match on {
        Ok(on) => on,
        Err(error) => {
            checks.push(looks::failed("way", error, &display, system));
            return Examined { checks, shown: None };
        }
    };
    checks.push(Check::ok("way", on.told()));
    let (looked, pictures) = looks::checks(&on, &display, system);
    checks.extend(looked);
    let areas: Vec<_> = on.monitors().into_iter().flatten().map(|monitor| monitor.area).collect();
    checks.extend(mouse::checks(&on, &areas, may_move));
    let (found, shown) = games::checks(&on, skins, pictures, system);
    checks.extend(found);
    Examined { checks, shown }
}
