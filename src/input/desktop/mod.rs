//! The real mouse and keyboard.
//!
//! [`DesktopHands`] sends what it is told as fast as the system takes it: `enigo`'s delay between two
//! actions is switched off. Whether a click arrived is for the [player](crate::player) to see on the screen.
//!
//! On X11 the mouse is moved and pressed over a connection of our own where the server has the extension for it
//! (`x11.rs`), because `enigo` waits for up to two answers of the server at each action: a click took 340 us with it.
//! There [`Hands::pointer`] also waits until the click before is over, so that who asks it before the next move loses
//! no click to a window manager that holds clicks back. Where none does, the clicks of a burst go out one right behind
//! the other.

#[cfg(target_os = "linux")]
mod x11;
#[cfg(not(target_os = "linux"))]
#[path = "no_x11.rs"]
mod x11;

use enigo::{Coordinate, Direction, Enigo, Keyboard, Mouse, Settings};

use super::{Button, Hands, InputError, Key, Shortcut};
use crate::capture::desktop::{ask_for_pixels, pixels_per_point};
use crate::geometry::Px;

use x11::X11;

/// The mouse and the keyboard of the desktop. Whatever is still held down when it is dropped, by a panic
/// too, is let go.
pub struct DesktopHands {
    enigo: Enigo,
    /// The short way to the mouse, where there is one.
    x11: Option<X11>,
    /// Buttons that may be down. Enigo remembers keys, not buttons.
    held: Vec<Button>,
    pixels_per_point: i32,
}

impl DesktopHands {
    /// Takes hold of the mouse and the keyboard.
    ///
    /// # Errors
    /// [`InputError::NoDisplay`] when there is no desktop, or this program may not control it.
    pub fn new() -> Result<Self, InputError> {
        ask_for_pixels();
        let settings = Settings { linux_delay: 0, ..Settings::default() };
        let enigo = Enigo::new(&settings)
            .map_err(|error| InputError::NoDisplay { source: error.into() })?;
        let x11 = X11::open();
        let x11 = x11.inspect_err(|error| log::debug!("pressing through enigo: {error}")).ok();
        Ok(Self { enigo, x11, held: Vec::new(), pixels_per_point: pixels_per_point() as i32 })
    }
}

impl Hands for DesktopHands {
    fn move_to(&mut self, at: Px) -> Result<(), InputError> {
        if let Some(x11) = &self.x11 {
            let moved = x11.move_to(at);
            return moved.map_err(|error| refused(format!("move the pointer to {at}"), error));
        }
        let (x, y) =
            (at.x.div_euclid(self.pixels_per_point), at.y.div_euclid(self.pixels_per_point));
        self.enigo
            .move_mouse(x, y, Coordinate::Abs)
            .map_err(|error| refused(format!("move the pointer to {at}"), error))
    }

    fn press(&mut self, button: Button) -> Result<(), InputError> {
        // Before the press: one that fails half-way may have got through.
        if !self.held.contains(&button) {
            self.held.push(button);
        }
        let action = || format!("press the {} button", word(button));
        if let Some(x11) = &self.x11 {
            return x11.press(button).map_err(|error| refused(action(), error));
        }
        self.enigo.button(named(button), Direction::Press).map_err(|error| refused(action(), error))
    }

    fn release(&mut self, button: Button) -> Result<(), InputError> {
        let action = || format!("let the {} button go", word(button));
        match &self.x11 {
            Some(x11) => x11.release(button).map_err(|error| refused(action(), error))?,
            None => self
                .enigo
                .button(named(button), Direction::Release)
                .map_err(|error| refused(action(), error))?,
        }
        self.held.retain(|&held| held != button);
        Ok(())
    }

    fn click(&mut self, button: Button, at: Px) -> Result<(), InputError> {
        if let Some(x11) = &mut self.x11 {
            let clicked = x11.click(button, at);
            return clicked
                .map_err(|error| refused(format!("click the {} button", word(button)), error));
        }
        self.move_to(at)?;
        let pressed = self.press(button);
        self.release(button)?;
        pressed
    }

    fn takes_bursts(&self) -> bool {
        self.x11.as_ref().is_some_and(|x11| !x11.holds_back())
    }

    fn burst(&mut self, clicks: &[(Button, Px)], rest: Px) -> Result<Px, InputError> {
        if let Some(x11) = &mut self.x11 {
            let clicked = x11.burst(clicks, rest);
            return clicked
                .map_err(|error| refused(format!("click {} times", clicks.len()), error));
        }
        super::one_by_one(self, clicks, rest)
    }

    fn strike(&mut self, keys: Shortcut) -> Result<(), InputError> {
        let refuse = |error| refused(format!("strike {keys}"), error);
        let key = key_of(keys.key).ok_or_else(|| InputError::Refused {
            action: format!("strike {keys}"),
            source: "there is no such key".into(),
        })?;
        if !keys.ctrl {
            return self.enigo.key(key, Direction::Click).map_err(refuse);
        }
        let held = self.enigo.key(enigo::Key::Control, Direction::Press);
        let struck = held.and_then(|()| self.enigo.key(key, Direction::Click));
        let released = self.enigo.key(enigo::Key::Control, Direction::Release);
        struck.and(released).map_err(refuse)
    }

    fn pointer(&mut self) -> Result<Px, InputError> {
        if let Some(x11) = &self.x11 {
            let found = if self.held.is_empty() { x11.pointer_released() } else { x11.pointer() };
            return found.map_err(|error| refused("say where the pointer is".to_owned(), error));
        }
        let (x, y) = self
            .enigo
            .location()
            .map_err(|error| refused("say where the pointer is".to_owned(), error))?;
        Ok(Px::new(x * self.pixels_per_point, y * self.pixels_per_point))
    }
}

impl Drop for DesktopHands {
    fn drop(&mut self) {
        for button in std::mem::take(&mut self.held) {
            if let Err(error) = self.release(button) {
                log::warn!("{error}");
            }
        }
    }
}

fn named(button: Button) -> enigo::Button {
    match button {
        Button::Left => enigo::Button::Left,
        Button::Middle => enigo::Button::Middle,
        Button::Right => enigo::Button::Right,
    }
}

fn word(button: Button) -> &'static str {
    match button {
        Button::Left => "left",
        Button::Middle => "middle",
        Button::Right => "right",
    }
}

fn key_of(key: Key) -> Option<enigo::Key> {
    const FUNCTION_KEYS: [enigo::Key; 12] = [
        enigo::Key::F1,
        enigo::Key::F2,
        enigo::Key::F3,
        enigo::Key::F4,
        enigo::Key::F5,
        enigo::Key::F6,
        enigo::Key::F7,
        enigo::Key::F8,
        enigo::Key::F9,
        enigo::Key::F10,
        enigo::Key::F11,
        enigo::Key::F12,
    ];
    Some(match key {
        Key::Char(letter) => enigo::Key::Unicode(letter),
        Key::F(number) => {
            return FUNCTION_KEYS.get(usize::from(number).checked_sub(1)?).copied();
        }
        Key::Escape => enigo::Key::Escape,
        Key::Return => enigo::Key::Return,
        Key::Tab => enigo::Key::Tab,
        Key::Space => enigo::Key::Space,
    })
}

fn refused(
    action: String,
    error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> InputError {
    InputError::Refused { action, source: error.into() }
}
