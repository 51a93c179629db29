//! The keys of a keyboard.

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt as _, GetKeyboardMappingReply, Keycode, Keysym};
use x11rb::rust_connection::RustConnection;

use super::Refused;
use crate::input::Key;

/// Which key of the keyboard is which, by the layout that it had when this was asked.
pub(crate) struct Keyboard {
    first: Keycode,
    layout: GetKeyboardMappingReply,
}

impl Keyboard {
    pub(crate) fn of(connection: &RustConnection) -> Result<Self, Refused> {
        let setup = connection.setup();
        let (first, last) = (setup.min_keycode, setup.max_keycode);
        let layout = connection.get_keyboard_mapping(first, last - first + 1)?.reply()?;
        Ok(Self { first, layout })
    }

    /// The key that is struck for `key`.
    ///
    /// # Errors
    /// When the layout has none that needs nothing else held with it.
    pub(crate) fn code(&self, key: Key) -> Result<Keycode, Refused> {
        let wanted = symbol(key);
        self.code_of(wanted).ok_or_else(|| format!("the keyboard has no key for {key:?}").into())
    }

    /// The key for Control.
    ///
    /// # Errors
    /// When the keyboard has none.
    pub(crate) fn control(&self) -> Result<Keycode, Refused> {
        const CONTROL_L: Keysym = 0xffe3;
        self.code_of(CONTROL_L).ok_or_else(|| "the keyboard has no Control key".into())
    }

    fn code_of(&self, wanted: Keysym) -> Option<Keycode> {
        let of_each = usize::from(self.layout.keysyms_per_keycode).max(1);
        let mut keys = self.layout.keysyms.chunks(of_each);
        let nth = keys.position(|symbols| symbols.first() == Some(&wanted))?;
        self.first.checked_add(u8::try_from(nth).ok()?)
    }
}

/// The number that X11 has for what a key types (`keysymdef.h`).
pub(crate) fn symbol(key: Key) -> Keysym {
    const F1: Keysym = 0xffbe;
    /// Letters beyond Latin-1 have their number in Unicode, marked so.
    const UNICODE: Keysym = 0x0100_0000;
    match key {
        Key::Char(letter) if u32::from(letter) < 0x100 => letter.into(),
        Key::Char(letter) => UNICODE | u32::from(letter),
        Key::F(number) => F1 + Keysym::from(number.saturating_sub(1)),
        Key::Escape => 0xff1b,
        Key::Return => 0xff0d,
        Key::Tab => 0xff09,
        Key::Space => 0x20,
    }
}
