//! The mouse and the keyboard as `enigo` moves them, on every system that has no way of its own here.

use enigo::{Coordinate, Direction, Enigo, Keyboard, Mouse, Settings};

use super::{Refused, Way};
use crate::capture::desktop::portable::{has_keyboard, pixels_per_point, place};
use crate::geometry::Px;
use crate::input::{Act, Button, Key, Owner, Situation};

/// Presses through `enigo`, without its delay between two actions. How things stand is asked just before.
pub(crate) struct Portable {
    enigo: Enigo,
    /// The window of the game, where there is one.
    game: Option<u32>,
    pixels_per_point: i32,
}

impl Portable {
    /// # Errors
    /// When there is no desktop, or this program may not control it.
    pub(crate) fn open(game: Option<u32>) -> Result<Self, Refused> {
        let settings = Settings { linux_delay: 0, ..Settings::default() };
        let enigo = Enigo::new(&settings)?;
        Ok(Self { enigo, game, pixels_per_point: pixels_per_point() as i32 })
    }

    /// How things stand, as far as the system tells.
    fn situation(&self, acts: &[Act]) -> Situation {
        let strikes = acts.iter().any(|act| matches!(act, Act::Strike(_)));
        let owner =
            |has_it| if has_it { Owner::Game } else { Owner::Other("another window".into()) };
        Situation {
            pointer: self.pointer(),
            window: self.game.map(place),
            keyboard: self.game.filter(|_| strikes).and_then(has_keyboard).map(owner),
            ..Situation::default()
        }
    }

    fn put(&mut self, act: Act) -> Result<(), Refused> {
        match act {
            Act::Move(at) => {
                let point = |pixels: i32| pixels.div_euclid(self.pixels_per_point);
                self.enigo.move_mouse(point(at.x), point(at.y), Coordinate::Abs)?;
            }
            Act::Press(button) => self.enigo.button(named(button), Direction::Press)?,
            Act::Release(button) => self.enigo.button(named(button), Direction::Release)?,
            Act::Strike(keys) => {
                let key = key_of(keys.key).ok_or("there is no such key")?;
                if !keys.ctrl {
                    return Ok(self.enigo.key(key, Direction::Click)?);
                }
                let held = self.enigo.key(enigo::Key::Control, Direction::Press);
                let struck = held.and_then(|()| self.enigo.key(key, Direction::Click));
                let released = self.enigo.key(enigo::Key::Control, Direction::Release);
                struck.and(released)?;
            }
        }
        Ok(())
    }

    /// Where the pointer is, as far as the system tells.
    fn pointer(&self) -> Option<Px> {
        let (x, y) = self.enigo.location().ok()?;
        Some(Px::new(x * self.pixels_per_point, y * self.pixels_per_point))
    }
}

impl Way for Portable {
    fn act(
        &mut self,
        on: Px,
        acts: &[Act],
        may: &mut dyn FnMut(&Situation) -> bool,
    ) -> Result<Option<Px>, Refused> {
        if !may(&self.situation(acts)) {
            return Ok(None);
        }
        for &act in acts {
            self.put(act)?;
        }
        let sent = acts.iter().rev().find_map(Act::place);
        Ok(Some(self.pointer().or(sent).unwrap_or(on)))
    }

    fn aim_at(&mut self, window: u32) {
        self.game = Some(window);
    }
}

fn named(button: Button) -> enigo::Button {
    match button {
        Button::Left => enigo::Button::Left,
        Button::Middle => enigo::Button::Middle,
        Button::Right => enigo::Button::Right,
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
