//! Keys with their modifiers, as people write them: `F2`, `n`, `Ctrl+N`, `Escape`.

use std::fmt;
use std::str::FromStr;

/// A key that some Minesweeper listens to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Key {
    /// A key that types this character, in lower case.
    Char(char),
    /// A function key, 1 to 12.
    F(u8),
    /// Closes dialogs.
    Escape,
    /// Presses the button that has the focus.
    Return,
    /// Moves the focus.
    Tab,
    /// Presses the button that has the focus.
    Space,
}

/// A key, and whether Control is held with it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shortcut {
    /// Whether Control is held.
    pub ctrl: bool,
    /// The key.
    pub key: Key,
}

impl FromStr for Shortcut {
    type Err = UnknownShortcut;

    fn from_str(text: &str) -> Result<Self, UnknownShortcut> {
        let (ctrl, name) = match text.strip_prefix("Ctrl+") {
            Some(name) => (true, name),
            None => (false, text),
        };
        let key = name.parse().map_err(|_| UnknownShortcut(text.to_owned()))?;
        Ok(Self { ctrl, key })
    }
}

impl FromStr for Key {
    type Err = UnknownShortcut;

    fn from_str(name: &str) -> Result<Self, UnknownShortcut> {
        let unknown = || UnknownShortcut(name.to_owned());
        let mut chars = name.chars();
        Ok(match (name, chars.next(), chars.as_str()) {
            ("Escape", ..) => Key::Escape,
            ("Return", ..) => Key::Return,
            ("Tab", ..) => Key::Tab,
            ("Space", ..) => Key::Space,
            (_, Some(letter), "") if letter.is_alphanumeric() => {
                Key::Char(letter.to_lowercase().next().unwrap_or(letter))
            }
            (_, Some('F'), number) => match number.parse() {
                Ok(number @ 1..=12) => Key::F(number),
                _ => return Err(unknown()),
            },
            _ => return Err(unknown()),
        })
    }
}

impl fmt::Display for Shortcut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.ctrl, self.key) {
            (true, Key::Char(letter)) => write!(f, "Ctrl+{}", letter.to_uppercase()),
            (true, key) => write!(f, "Ctrl+{key}"),
            (false, key) => write!(f, "{key}"),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Char(letter) => write!(f, "{letter}"),
            Key::F(number) => write!(f, "F{number}"),
            Key::Escape => f.write_str("Escape"),
            Key::Return => f.write_str("Return"),
            Key::Tab => f.write_str("Tab"),
            Key::Space => f.write_str("Space"),
        }
    }
}

/// A text that names no key.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no key; write one like F2, n, Ctrl+N, Escape, Return, Tab or Space")]
pub struct UnknownShortcut(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortcuts_read_as_people_write_them() {
        for text in ["F2", "n", "Ctrl+N", "Escape", "Return", "Tab", "Space", "F12", "r", "5"] {
            let parsed: Shortcut = text.parse().unwrap();
            assert_eq!(parsed.to_string(), text);
        }
        assert_eq!("F".parse::<Shortcut>().unwrap().key, Key::Char('f'));
        for text in ["", "F0", "F13", "Ctrl+", "Alt+N", "nn", "+"] {
            assert!(text.parse::<Shortcut>().is_err(), "{text}");
        }
    }
}
