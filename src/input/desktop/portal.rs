//! Pressing through the desktop's portal, see [`Portal`].

use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::trail::Trail;
use super::{Refused, Way};
use crate::geometry::Px;
use crate::input::{Act, Button, Owner, Shortcut, Situation};
use crate::portal::Portal;
use crate::x11::symbol;

/// So long a new pointer has to rest: GNOME makes it with the first motion, and loses a click that comes too soon after.
const SETTLES: Duration = Duration::from_millis(500);
/// The symbol of the left Control key (`keysymdef.h`).
const CONTROL: i32 = 0xffe3;

/// So long after a move a picture may still show the pointer on its way: they come late on a busy machine.
const LATE: Duration = Duration::from_secs(3);

/// The pointer and the keyboard of a portal. Of how things stand it says where the pointer is, and who gets a key that goes out
/// right behind a click: a click gives the keyboard to the window that gets it, or to the dialog which that window waits for. So it
/// was seen in GNOME 43; KDE was not tried.
pub(crate) struct PortalWay {
    portal: Arc<Portal>,
    trail: Trail,
}

impl PortalWay {
    pub(crate) fn new(portal: Arc<Portal>) -> Self {
        Self { portal, trail: Trail::new(LATE) }
    }

    fn put(&mut self, act: Act) -> Result<(), Refused> {
        match act {
            Act::Move(to) => {
                self.portal.move_to(to)?;
                let is_first = self.trail.pointer(to, Instant::now()).is_none();
                if is_first {
                    sleep(SETTLES);
                }
                self.trail.note(&[act], Instant::now());
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
    fn tells_keyboard(&self) -> bool {
        false
    }

    fn act(
        &mut self,
        on: Px,
        acts: &[Act],
        may: &mut dyn FnMut(&Situation) -> bool,
    ) -> Result<Option<Px>, Refused> {
        let shown = self.portal.pointer();
        let pointer = shown.and_then(|shown| self.trail.pointer(shown, Instant::now()));
        let keyboard = Act::strike_behind_click(acts).then_some(Owner::Game);
        if !may(&Situation { pointer, keyboard, ..Situation::default() }) {
            return Ok(None);
        }
        acts.iter().try_for_each(|&act| self.put(act))?;
        Ok(Some(acts.iter().rev().find_map(Act::place).unwrap_or(on)))
    }

    /// The portal names no windows.
    fn aim_at(&mut self, _: u32) {}
}
