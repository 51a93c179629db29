//! The mouse and the keyboard.

use std::io;

use windows_sys::Win32::Foundation::POINT;
use windows_sys::Win32::UI::Input::KeyboardAndMouse::{
    GetAsyncKeyState, INPUT, INPUT_0, INPUT_KEYBOARD, INPUT_MOUSE, KEYBDINPUT, KEYEVENTF_KEYUP,
    MAPVK_VK_TO_VSC, MOUSE_EVENT_FLAGS, MOUSEEVENTF_ABSOLUTE, MOUSEEVENTF_LEFTDOWN,
    MOUSEEVENTF_LEFTUP, MOUSEEVENTF_MIDDLEDOWN, MOUSEEVENTF_MIDDLEUP, MOUSEEVENTF_MOVE,
    MOUSEEVENTF_RIGHTDOWN, MOUSEEVENTF_RIGHTUP, MOUSEEVENTF_VIRTUALDESK, MOUSEINPUT,
    MapVirtualKeyW, SendInput, VK_CONTROL, VK_LBUTTON, VK_LWIN, VK_MBUTTON, VK_MENU, VK_RBUTTON,
    VK_RWIN, VK_SHIFT, VkKeyScanW,
};
use windows_sys::Win32::UI::WindowsAndMessaging::{GetCursorPos, GetSystemMetrics, SM_SWAPBUTTON};

use crate::Rect;

/// Windows tells places of the mouse in steps of which the virtual desktop has so many, from edge to edge.
const STEPS: i64 = 1 << 16;

/// A button of the mouse by what it means to programs; of a left-handed mouse the right one opens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Button {
    /// The main one.
    Left,
    /// The wheel.
    Middle,
    /// That of menus.
    Right,
}

/// A key by the number that Windows has for what it means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct VirtualKey(pub u16);

impl VirtualKey {
    /// Either Control key.
    pub const CONTROL: Self = Self(VK_CONTROL);
    /// Escape.
    pub const ESCAPE: Self = Self(0x1b);
    /// Enter.
    pub const RETURN: Self = Self(0x0d);
    /// The space bar.
    pub const SPACE: Self = Self(0x20);
    /// The tabulator.
    pub const TAB: Self = Self(0x09);

    /// The function key `number`, 1 to 24; nothing for other numbers.
    pub const fn function(number: u8) -> Option<Self> {
        match number {
            1..=24 => Some(Self(0x6f + number as u16)),
            _ => None,
        }
    }
}

/// The key that types `letter` without another one held, on the keyboard of this thread.
pub fn key_that_types(letter: char) -> Option<VirtualKey> {
    let mut units = [0; 2];
    let [unit] = letter.encode_utf16(&mut units) else { return None };
    // SAFETY: it takes a number.
    let told = unsafe { VkKeyScanW(*unit) } as u16;
    // The upper byte says what has to be held; all ones where no key types it.
    (told >> 8 == 0).then_some(VirtualKey(told))
}

/// One thing that the mouse or the keyboard does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The pointer moves to this pixel.
    Move {
        /// Its column.
        x: i32,
        /// Its row.
        y: i32,
    },
    /// A button goes down.
    Press(Button),
    /// A button comes up.
    Release(Button),
    /// A key goes down.
    KeyDown(VirtualKey),
    /// A key comes up.
    KeyUp(VirtualKey),
}

/// Sends all of `events`, with nothing of anybody else between them. Returns how many Windows took. It takes none while a
/// window of a program that is [trusted more](crate::is_elevated_above_us) has the keyboard, or says that it took them and
/// drops them.
///
/// Places are those of a virtual desktop that takes `screen`, as [`screen`](crate::screen) says just before.
///
/// A press takes the pointer along: a move right before it is no event of its own, which the game would have to answer first.
pub fn send(events: &[Event], screen: Rect) -> usize {
    let swapped = is_left_handed();
    let mut at = None;
    let (mut inputs, mut sent) =
        (Vec::with_capacity(events.len()), Vec::with_capacity(events.len()));
    for (nth, &event) in events.iter().enumerate() {
        if let Event::Move { x, y } = event {
            at = Some((steps(x, screen.x, screen.width), steps(y, screen.y, screen.height)));
            if let Some(Event::Press(_)) = events.get(nth + 1) {
                continue;
            }
        }
        inputs.push(input(event, at, swapped));
        sent.push(nth + 1);
    }
    let size = size_of::<INPUT>() as i32;
    // SAFETY: the number and the size are those of `inputs`, each of which has the part that its kind says.
    let taken = unsafe { SendInput(inputs.len() as u32, inputs.as_ptr(), size) as usize };
    taken.checked_sub(1).map_or(0, |last| sent[last])
}

/// Whether the right button of the mouse is the main one.
fn is_left_handed() -> bool {
    // SAFETY: it takes a number.
    unsafe { GetSystemMetrics(SM_SWAPBUTTON) != 0 }
}

/// An event of a mouse that was sent to this place, in steps, if it was sent anywhere.
fn input(event: Event, at: Option<(i32, i32)>, swapped: bool) -> INPUT {
    match event {
        Event::Move { .. } => mouse(at, 0),
        Event::Press(button) => mouse(at, pressed(button, swapped, true)),
        Event::Release(button) => mouse(at, pressed(button, swapped, false)),
        Event::KeyDown(key) => struck(key, 0),
        Event::KeyUp(key) => struck(key, KEYEVENTF_KEYUP),
    }
}

/// The middle of a pixel in steps of the mouse: however Windows rounds, it comes out at that pixel.
fn steps(at: i32, start: i32, size: u32) -> i32 {
    let size = i64::from(size.max(1));
    let from_start = (i64::from(at) - i64::from(start)).clamp(0, size - 1);
    ((2 * from_start + 1) * STEPS / (2 * size)) as i32
}

/// Windows swaps the buttons of a left-handed mouse behind this.
fn pressed(button: Button, swapped: bool, down: bool) -> MOUSE_EVENT_FLAGS {
    match (button, swapped, down) {
        (Button::Left, false, true) | (Button::Right, true, true) => MOUSEEVENTF_LEFTDOWN,
        (Button::Left, false, false) | (Button::Right, true, false) => MOUSEEVENTF_LEFTUP,
        (Button::Right, false, true) | (Button::Left, true, true) => MOUSEEVENTF_RIGHTDOWN,
        (Button::Right, false, false) | (Button::Left, true, false) => MOUSEEVENTF_RIGHTUP,
        (Button::Middle, _, true) => MOUSEEVENTF_MIDDLEDOWN,
        (Button::Middle, _, false) => MOUSEEVENTF_MIDDLEUP,
    }
}

/// What the mouse does at a place. Releases carry it too: by then the pointer may be elsewhere, where a system hears late of a move
/// before.
fn mouse(at: Option<(i32, i32)>, what: MOUSE_EVENT_FLAGS) -> INPUT {
    let there = MOUSEEVENTF_MOVE | MOUSEEVENTF_ABSOLUTE | MOUSEEVENTF_VIRTUALDESK;
    let (dx, dy) = at.unwrap_or_default();
    let how = if at.is_some() { what | there } else { what };
    let mi = MOUSEINPUT { dx, dy, dwFlags: how, ..Default::default() };
    INPUT { r#type: INPUT_MOUSE, Anonymous: INPUT_0 { mi } }
}

fn struck(key: VirtualKey, how: u32) -> INPUT {
    // Programs that ask for the key's place on the keyboard get that too.
    // SAFETY: it takes numbers.
    let place = unsafe { MapVirtualKeyW(key.0.into(), MAPVK_VK_TO_VSC) } as u16;
    let ki = KEYBDINPUT { wVk: key.0, wScan: place, dwFlags: how, ..Default::default() };
    INPUT { r#type: INPUT_KEYBOARD, Anonymous: INPUT_0 { ki } }
}

/// Where the pointer is.
///
/// # Errors
/// When another desktop is shown, as while the screen is locked.
pub fn pointer() -> io::Result<(i32, i32)> {
    let mut at = POINT::default();
    // SAFETY: `at` lives through the call.
    if unsafe { GetCursorPos(&mut at) } == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok((at.x, at.y))
}

/// Something that is held down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// A button of the mouse.
    Button,
    /// A Shift key.
    Shift,
    /// A Control key.
    Ctrl,
    /// An Alt key.
    Alt,
    /// A key with the logo of Windows.
    Logo,
}

/// What is held down now, by a person or by [`send`].
pub fn held() -> Vec<Held> {
    const KEYS: [(Held, &[u16]); 5] = [
        (Held::Button, &[VK_LBUTTON, VK_MBUTTON, VK_RBUTTON]),
        (Held::Shift, &[VK_SHIFT]),
        (Held::Ctrl, &[VK_CONTROL]),
        (Held::Alt, &[VK_MENU]),
        (Held::Logo, &[VK_LWIN, VK_RWIN]),
    ];
    let any = |keys: &[u16]| keys.iter().any(|&key| is_down(key));
    KEYS.iter().filter(|(_, keys)| any(keys)).map(|&(held, _)| held).collect()
}

/// Whether a key or button is down, by its number.
pub(crate) fn is_down(key: u16) -> bool {
    // SAFETY: it takes a number. The sign says that the key is down.
    unsafe { GetAsyncKeyState(key.into()) < 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_of_a_desktop_is_hit_however_steps_are_rounded() {
        for (start, size) in [(0, 1), (0, 1280), (-1920, 1920 + 2560), (-7, 5120), (0, 16384)] {
            for at in start..start + size as i32 {
                let steps = i64::from(steps(at, start, size));
                let cut = steps * i64::from(size) / STEPS;
                let rounded = (2 * steps * i64::from(size - 1) + STEPS - 1) / (2 * (STEPS - 1));
                assert_eq!(
                    (cut, rounded),
                    (i64::from(at - start), cut),
                    "{at} of {size} from {start}"
                );
            }
        }
    }
}
