//! Whether the mouse can be used, by whom it is used, and whether a key can stop the player.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use minescraper::desktop::Session;
use minescraper::geometry::{Px, Rect};
use minescraper::input::desktop::DesktopHands;
use minescraper::input::{Act, Hands, InputError, Key, Situation};

use super::check::Check;

/// How far the pointer is moved, in pixels.
const STEP: i32 = 3;
/// A pointer that rests so long is used by nobody.
const RESTS: Duration = Duration::from_millis(300);

/// The key that stops the player unless another one is named.
const STOP_KEY: Key = Key::F(12);

/// The checks, on a desktop with monitors in `areas`.
pub fn checks(on: &Session, areas: &[Rect], may_move: bool) -> Vec<Check> {
    let mut hands = match on.hands(None) {
        Ok(hands) => hands,
        Err(error) => return vec![refused("pointer", error)],
    };
    let mut checks = Vec::new();
    let is_free = match hands.taken_by() {
        Ok(None) => true,
        Ok(Some(by)) => {
            checks.push(Check::fail(
                "other player",
                format!("{by} plays on this desktop, and there is one mouse only"),
                "stop it first, with its stop key or Ctrl-C",
            ));
            false
        }
        Err(error) => {
            checks.push(refused("other player", error));
            false
        }
    };
    checks.push(if !may_move {
        Check::ok("pointer", "left alone, as --no-pointer says")
    } else if !is_free {
        unmoved("a player has it")
    } else {
        let moved = nudge(&mut hands, areas, on.is_native_wayland());
        moved.unwrap_or_else(|error| refused("pointer", error))
    });
    if is_free {
        checks.push(Check::ok("other player", "none"));
        checks.push(stop_key(on));
    }
    checks
}

/// Moves the pointer by a few pixels and puts it back, if nobody uses it.
fn nudge(hands: &mut DesktopHands, areas: &[Rect], is_wayland: bool) -> Result<Check, InputError> {
    if cfg!(target_os = "linux") && !is_wayland && !hands.tell_held() {
        return Ok(Check::fail(
            "pointer",
            "the X server lets no program move it",
            "see the X extensions above",
        ));
    }
    if !hands.tell_held() {
        return Ok(Check::warn(
            "pointer",
            "left alone: this system does not say whether a button is held",
            "`minescraper play` will show whether it can be moved",
        ));
    }
    let before = situation(hands)?;
    thread::sleep(RESTS);
    let now = situation(hands)?;
    if let Some(what) = before.held.or(now.held) {
        return Ok(unmoved(&format!("{what} is held")));
    }
    let Some(home) = now.pointer.filter(|_| now.pointer == before.pointer) else {
        return Ok(unmoved("it is moving"));
    };
    let there = beside(home, areas);
    eprintln!("the pointer is moved by {STEP} pixels and put back; nothing is pressed");
    let mut move_from = |from: Px, to: Px| {
        let is_unused = |now: &Situation| now.held.is_none() && now.pointer == Some(from);
        hands.act(from, &[Act::Move(to)], &mut |now| is_unused(now))
    };
    let Some(landed) = move_from(home, there)? else {
        return Ok(unmoved("a hand came to it"));
    };
    let Some(back) = move_from(landed, home)? else {
        return Ok(unmoved("a hand took it over while it was away"));
    };
    Ok(if landed == there && back == home {
        Check::ok("pointer", format!("moved by {STEP} pixels and put back, at {home}"))
    } else {
        Check::fail(
            "pointer",
            format!("sent from {home} to {there} it came to {landed}, and sent back to {back}"),
            "is it confined to a window, as by a virtual machine or a game? let it go, and try again",
        )
    })
}

/// How things stand, without doing anything.
fn situation(hands: &mut DesktopHands) -> Result<Situation, InputError> {
    let mut seen = Situation::default();
    hands.act(Px::new(0, 0), &[], &mut |now| {
        seen = now.clone();
        false
    })?;
    Ok(seen)
}

/// A place beside `home`, farther from the edges of its monitor: at an edge or in a corner some desktops do something.
fn beside(home: Px, areas: &[Rect]) -> Px {
    let centre =
        areas.iter().find(|area| area.contains(home)).map_or(Px::new(0, 0), |area| area.centre());
    Px::new(if home.x < centre.x { home.x + STEP } else { home.x - STEP }, home.y)
}

fn unmoved(why: &str) -> Check {
    Check::warn(
        "pointer",
        format!("left alone: {why}"),
        "leave the mouse and the keys alone, and try again",
    )
}

/// What to do where the mouse is refused.
fn refused(name: &'static str, why: InputError) -> Check {
    let next = if cfg!(target_os = "macos") {
        "allow it: System Settings > Privacy & Security > Accessibility, then start the terminal anew"
    } else if cfg!(target_os = "windows") {
        "start minescraper as the user whose desktop it is, and elevated where the game is"
    } else {
        "see the display and the X extensions above"
    };
    Check::fail(name, format!("{:#}", anyhow::Error::new(why)), next)
}

/// Takes the key, and gives it back at once.
fn stop_key(on: &Session) -> Check {
    match on.stop_key(STOP_KEY, Arc::default()) {
        Ok(_) => Check::ok("stop key", format!("{STOP_KEY} can be taken")),
        Err(error) => Check::warn(
            "stop key",
            format!("{:#}", anyhow::Error::new(error)),
            "Ctrl-C and a hand on the mouse stop the player; --stop-key names another key",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pointer_is_sent_away_from_the_edge_of_its_own_monitor() {
        let areas = [Rect::new(0, 0, 100, 100), Rect::new(100, 0, 200, 100)];
        for (from, to) in [(0, 3), (10, 13), (99, 96), (100, 103), (299, 296)] {
            assert_eq!(beside(Px::new(from, 7), &areas), Px::new(to, 7));
        }
    }
}
