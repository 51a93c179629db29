//! Pressing through the desktop's portal, see [`Portal`].

use std::collections::VecDeque;
use std::rc::Rc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{Refused, Way};
use crate::geometry::Px;
use crate::input::{Act, Button, Shortcut, Situation};
use crate::portal::Portal;
use crate::x11::symbol;

/// So long a new pointer has to rest: GNOME makes it with the first motion, and loses a click that comes too soon after.
const SETTLES: Duration = Duration::from_millis(500);
/// The symbol of the left Control key (`keysymdef.h`).
const CONTROL: i32 = 0xffe3;

/// So far from where it was told to go a pointer may be, in pixels: a scaled desktop rounds to its own units.
const ROUNDING: i32 = 2;

/// So long after a move a picture may still show the pointer on its way: they come late on a busy machine.
const LATE: Duration = Duration::from_secs(3);

/// The pointer and the keyboard of a portal. Of how things stand it only says where the pointer is.
pub(crate) struct PortalWay {
    portal: Rc<Portal>,
    trail: Trail,
}

/// Where the pointer was told to go lately, the last place last.
#[derive(Default)]
struct Trail(VecDeque<(Instant, Px)>);

impl Trail {
    fn note(&mut self, at: Px, now: Instant) {
        self.0.retain(|&(when, _)| now.saturating_duration_since(when) < LATE);
        self.0.push_back((now, at));
    }

    /// Where the pointer is, if a picture shows it at `shown`: where it was told to go last, unless no move of ours explains what is
    /// shown. Before the first move nothing is known.
    fn pointer(&self, shown: Px, now: Instant) -> Option<Px> {
        let &(_, last) = self.0.back()?;
        let is_near =
            |at: Px| (shown.x - at.x).abs() <= ROUNDING && (shown.y - at.y).abs() <= ROUNDING;
        let mut lately =
            self.0.iter().filter(|(when, _)| now.saturating_duration_since(*when) < LATE);
        let is_ours = is_near(last) || lately.any(|&(_, at)| is_near(at));
        Some(if is_ours { last } else { shown })
    }
}

impl PortalWay {
    pub(crate) fn new(portal: Rc<Portal>) -> Self {
        Self { portal, trail: Trail::default() }
    }

    fn put(&mut self, act: Act) -> Result<(), Refused> {
        match act {
            Act::Move(to) => {
                self.portal.move_to(to)?;
                if self.trail.0.is_empty() {
                    sleep(SETTLES);
                }
                self.trail.note(to, Instant::now());
            }
            Act::Press(button) => self.portal.button(code(button), true)?,
            Act::Release(button) => self.portal.button(code(button), false)?,
            Act::Strike(keys) => self.strike(keys)?,
        }
        Ok(())
    }

    fn strike(&self, Shortcut { ctrl, key }: Shortcut) -> Result<(), Refused> {
        let key = i32::try_from(symbol(key))?;
        if ctrl {
            self.portal.key(CONTROL, true)?;
        }
        self.portal.key(key, true)?;
        self.portal.key(key, false)?;
        if ctrl {
            self.portal.key(CONTROL, false)?;
        }
        Ok(())
    }
}

/// The number of a button in Linux (`input-event-codes.h`).
fn code(button: Button) -> i32 {
    match button {
        Button::Left => 0x110,
        Button::Right => 0x111,
        Button::Middle => 0x112,
    }
}

impl Way for PortalWay {
    fn act(
        &mut self,
        on: Px,
        acts: &[Act],
        may: &mut dyn FnMut(&Situation) -> bool,
    ) -> Result<Option<Px>, Refused> {
        let shown = self.portal.pointer();
        let pointer = shown.and_then(|shown| self.trail.pointer(shown, Instant::now()));
        if !may(&Situation { pointer, ..Situation::default() }) {
            return Ok(None);
        }
        acts.iter().try_for_each(|&act| self.put(act))?;
        Ok(Some(acts.iter().rev().find_map(Act::place).unwrap_or(on)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_picture_of_a_move_of_ours_is_no_hand_on_the_mouse() {
        let (start, mut trail) = (Instant::now(), Trail::default());
        let (cell, parked, elsewhere) = (Px::new(283, 161), Px::new(208, 690), Px::new(500, 500));
        assert_eq!(trail.pointer(elsewhere, start), None);
        trail.note(cell, start);
        trail.note(parked, start);
        assert_eq!(trail.pointer(Px::new(284, 160), start), Some(parked));
        assert_eq!(trail.pointer(elsewhere, start), Some(elsewhere));
        assert_eq!(trail.pointer(cell, start + LATE), Some(cell));
        assert_eq!(trail.pointer(parked, start + LATE), Some(parked));
    }
}
