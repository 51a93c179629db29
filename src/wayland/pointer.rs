//! A mouse and a keyboard that are none.

use std::io::Write;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use wayland_client::QueueHandle;
use wayland_client::protocol::wl_keyboard::KeymapFormat;
use wayland_client::protocol::wl_pointer::ButtonState;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_protocols_misc::zwp_virtual_keyboard_v1::client::zwp_virtual_keyboard_manager_v1::ZwpVirtualKeyboardManagerV1;
use wayland_protocols_misc::zwp_virtual_keyboard_v1::client::zwp_virtual_keyboard_v1::ZwpVirtualKeyboardV1;
use wayland_protocols_wlr::virtual_pointer::v1::client::zwlr_virtual_pointer_manager_v1::ZwlrVirtualPointerManagerV1;
use wayland_protocols_wlr::virtual_pointer::v1::client::zwlr_virtual_pointer_v1::ZwlrVirtualPointerV1;

use super::{Refused, State, shared_memory};
use crate::input::{Button, Key, Shortcut};

/// Steps in one logical pixel that the pointer can be sent to.
pub(super) const FINENESS: f64 = 256.0;

/// How long a new pointer is left alone: sway 1.7 lost 4 of 5 clicks that were sent at once, and none after half a second.
const SETTLES: Duration = Duration::from_millis(500);

/// A keyboard as is usual in the United States. The compositor fills in what is included.
const KEYMAP: &str = "xkb_keymap {
    xkb_keycodes { include \"evdev+aliases(qwerty)\" };
    xkb_types { include \"complete\" };
    xkb_compat { include \"complete\" };
    xkb_symbols { include \"pc+us+inet(evdev)\" };
};
";
/// The bit of the modifier Control in that.
const CONTROL: u32 = 1 << 2;

/// Numbers of buttons and keys in Linux (`input-event-codes.h`).
const BTN_LEFT: u32 = 0x110;
const BTN_RIGHT: u32 = 0x111;
const BTN_MIDDLE: u32 = 0x112;
const KEY_LEFTCTRL: u32 = 29;

pub(crate) struct Pointer {
    pointer: ZwlrVirtualPointerV1,
    keyboard: Option<ZwpVirtualKeyboardV1>,
    since: Instant,
}

impl Pointer {
    pub(super) fn new(
        pointers: &ZwlrVirtualPointerManagerV1,
        keyboards: Option<&ZwpVirtualKeyboardManagerV1>,
        seat: &WlSeat,
        handle: &QueueHandle<State>,
    ) -> Result<Self, Refused> {
        let pointer = pointers.create_virtual_pointer(Some(seat), handle, ());
        let keyboard =
            keyboards.map(|keyboards| keyboards.create_virtual_keyboard(seat, handle, ()));
        if let Some(keyboard) = &keyboard {
            // With the zero that ends a text in C.
            let text = [KEYMAP.as_bytes(), &[0]].concat();
            let mut memory = shared_memory(0)?;
            memory.write_all(&text)?;
            keyboard.keymap(KeymapFormat::XkbV1.into(), memory.as_fd(), text.len() as u32);
        }
        Ok(Self { pointer, keyboard, since: Instant::now() })
    }

    /// How long it is to be left alone yet.
    pub(crate) fn settles_in(&self) -> Duration {
        SETTLES.saturating_sub(self.since.elapsed())
    }

    /// Moves to a place, as [`super::Compositor::logical_place`] says it.
    pub(crate) fn move_to(&self, (x, y, width, height): (u32, u32, u32, u32)) {
        self.pointer.motion_absolute(self.now(), x, y, width, height);
        self.pointer.frame();
    }

    pub(crate) fn press(&self, button: Button, is_down: bool) {
        let button = match button {
            Button::Left => BTN_LEFT,
            Button::Middle => BTN_MIDDLE,
            Button::Right => BTN_RIGHT,
        };
        let state = if is_down { ButtonState::Pressed } else { ButtonState::Released };
        self.pointer.button(self.now(), button, state);
        self.pointer.frame();
    }

    /// Presses and releases a key with its modifiers.
    ///
    /// # Errors
    /// When the compositor takes no keys, or there is no such key.
    pub(crate) fn strike(&self, keys: Shortcut) -> Result<(), Refused> {
        let keyboard = self.keyboard.as_ref().ok_or("the compositor takes no keys")?;
        let code = code(keys.key).ok_or_else(|| format!("there is no key for {}", keys.key))?;
        if keys.ctrl {
            keyboard.key(self.now(), KEY_LEFTCTRL, 1);
        }
        keyboard.modifiers(if keys.ctrl { CONTROL } else { 0 }, 0, 0, 0);
        keyboard.key(self.now(), code, 1);
        keyboard.key(self.now(), code, 0);
        if keys.ctrl {
            keyboard.key(self.now(), KEY_LEFTCTRL, 0);
        }
        keyboard.modifiers(0, 0, 0, 0);
        Ok(())
    }

    /// The time of an event, in milliseconds.
    fn now(&self) -> u32 {
        self.since.elapsed().as_millis() as u32
    }
}

impl Drop for Pointer {
    fn drop(&mut self) {
        self.pointer.destroy();
        if let Some(keyboard) = &self.keyboard {
            keyboard.destroy();
        }
    }
}

/// The number of a key on that keyboard.
fn code(key: Key) -> Option<u32> {
    /// Each row begins at this number.
    const ROWS: [(&str, u32); 4] =
        [("1234567890-=", 2), ("qwertyuiop[]", 16), ("asdfghjkl;'`", 30), ("\\zxcvbnm,./", 43)];
    Some(match key {
        Key::Char(letter) => {
            let in_row = |&(row, first): &(&str, u32)| {
                Some(first + row.chars().position(|other| other == letter)? as u32)
            };
            return ROWS.iter().find_map(in_row);
        }
        Key::F(number @ 1..=10) => 58 + u32::from(number),
        Key::F(number @ 11..=12) => 76 + u32::from(number),
        Key::F(_) => return None,
        Key::Escape => 1,
        Key::Return => 28,
        Key::Tab => 15,
        Key::Space => 57,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_numbers_of_linux() {
        let of = |key| code(key).unwrap();
        let letters = [('q', 16), ('n', 49), ('r', 19), ('s', 31), ('1', 2), ('0', 11)];
        for (letter, number) in letters {
            assert_eq!(of(Key::Char(letter)), number, "{letter}");
        }
        assert_eq!(
            [of(Key::F(1)), of(Key::F(2)), of(Key::F(10)), of(Key::F(12))],
            [59, 60, 68, 88]
        );
        assert_eq!(code(Key::Char('é')), None);
        assert_eq!(code(Key::F(13)), None);
    }
}
