//! Pressing through the desktop's portal, see [`Portal`].

use std::rc::Rc;
use std::thread::sleep;
use std::time::Duration;

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

/// The pointer and the keyboard of a portal. Of how things stand it only says where the pointer is.
pub(crate) struct PortalWay {
    portal: Rc<Portal>,
    /// Where the pointer was told to go last.
    told: Option<Px>,
    /// Whether a picture has shown the pointer there. Pictures lag behind a move: one that shows it elsewhere says nothing before.
    has_arrived: bool,
}

impl PortalWay {
    pub(crate) fn new(portal: Rc<Portal>) -> Self {
        Self { portal, told: None, has_arrived: false }
    }

    /// Where the pointer is, as far as that is known.
    fn pointer(&mut self) -> Option<Px> {
        let (told, now) = (self.told?, self.portal.pointer()?);
        if (now.x - told.x).abs() <= ROUNDING && (now.y - told.y).abs() <= ROUNDING {
            self.has_arrived = true;
            return Some(told);
        }
        self.has_arrived.then_some(now)
    }

    fn put(&mut self, act: Act) -> Result<(), Refused> {
        match act {
            Act::Move(to) => {
                self.portal.move_to(to)?;
                if self.told.replace(to).is_none() {
                    sleep(SETTLES);
                }
                self.has_arrived = false;
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
        let pointer = self.pointer();
        if !may(&Situation { pointer, ..Situation::default() }) {
            return Ok(None);
        }
        acts.iter().try_for_each(|&act| self.put(act))?;
        Ok(Some(acts.iter().rev().find_map(Act::place).unwrap_or(on)))
    }
}
