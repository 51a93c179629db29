//! Which keys may be tried in a window, by what kind of program has it.
//!
//! A game may run inside a program that has keys of its own: Ctrl+N in a browser opens a window, and whatever is typed
//! into a terminal or an editor is text. Programs are known by their class (on X11) or name.

use crate::input::{Key, Shortcut};

/// Words that browsers are called by.
const BROWSERS: [&str; 25] = [
    "brave",
    "browser",
    "chrome",
    "chromium",
    "dillo",
    "edge",
    "epiphany",
    "falkon",
    "firefox",
    "iceweasel",
    "konqueror",
    "librewolf",
    "luakit",
    "midori",
    "msedge",
    "navigator",
    "netsurf",
    "nyxt",
    "opera",
    "palemoon",
    "qutebrowser",
    "safari",
    "seamonkey",
    "vivaldi",
    "waterfox",
];

/// Words that programs are called by in which keys are text: terminals and editors.
const TAKERS_OF_TEXT: [&str; 60] = [
    "abiword",
    "alacritty",
    "atom",
    "cmd",
    "code",
    "codium",
    "command",
    "console",
    "eclipse",
    "editor",
    "emacs",
    "eterm",
    "foot",
    "geany",
    "gedit",
    "ghostty",
    "guake",
    "gvim",
    "idea",
    "iterm",
    "jetbrains",
    "kate",
    "kdevelop",
    "kitty",
    "konsole",
    "kwrite",
    "leafpad",
    "libreoffice",
    "lxterminal",
    "lyx",
    "mlterm",
    "mousepad",
    "neovide",
    "netbeans",
    "notepad",
    "nvim",
    "obsidian",
    "office",
    "pluma",
    "powershell",
    "ptyxis",
    "pycharm",
    "qtcreator",
    "qterminal",
    "rxvt",
    "soffice",
    "st",
    "sublime",
    "terminal",
    "terminator",
    "textedit",
    "texstudio",
    "tilix",
    "urxvt",
    "uxterm",
    "vim",
    "vscodium",
    "wezterm",
    "xterm",
    "yakuake",
];

/// Whether a key does no harm in the windows of a program that is called `class`: it neither opens nor closes, prints,
/// saves, reloads nor navigates, and is no text.
pub(super) fn is_harmless(key: Shortcut, class: &str) -> bool {
    if is_called(class, &TAKERS_OF_TEXT) {
        return false;
    }
    // A page gets these first, and a browser does nothing with them.
    let of_a_page = !key.ctrl && matches!(key.key, Key::Char(_) | Key::F(2) | Key::Escape);
    of_a_page || !is_called(class, &BROWSERS)
}

/// Whether the dialogs of a program that is called `class` may be those of a game. The dialogs of a browser, a terminal or
/// an editor are its own, whatever runs in it.
pub(super) fn has_dialogs_of_a_game(class: &str) -> bool {
    !is_called(class, &BROWSERS) && !is_called(class, &TAKERS_OF_TEXT)
}

/// Whether one of the words in `class` is among `names`.
fn is_called(class: &str, names: &[&str]) -> bool {
    let class = class.to_lowercase();
    let mut words = class.split(|c: char| !c.is_alphanumeric());
    // As in emacs27.
    words.any(|word| names.contains(&word.trim_end_matches(char::is_numeric)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_terminals_and_editors_get_no_key_that_does_something_to_them() {
        let harmless = |key: &str, class| is_harmless(key.parse().unwrap(), class);
        for browser in ["firefox-esr", "Chromium", "Google-chrome", "Microsoft Edge", "Safari"] {
            for key in ["Ctrl+N", "Ctrl+R", "F5", "F12", "Return", "Space", "Tab"] {
                assert!(!harmless(key, browser), "{key} in {browser}");
            }
            assert!(
                harmless("F2", browser) && harmless("n", browser) && harmless("Escape", browser)
            );
        }
        for taker in ["XTerm", "UXTerm", "org.gnome.Terminal", "URxvt", "Emacs", "Code", "gedit"] {
            for key in ["n", "F2", "Escape", "Ctrl+N"] {
                assert!(!harmless(key, taker), "{key} in {taker}");
            }
        }
        for game in ["gnome-mines", "kmines", "winemine.exe", "Mines", "xd\u{e9}mineur", ""] {
            assert!(harmless("Ctrl+N", game) && harmless("F2", game), "{game}");
            assert!(has_dialogs_of_a_game(game), "{game}");
        }
        for other in ["Chromium", "firefox-esr", "XTerm", "emacs27"] {
            assert!(!has_dialogs_of_a_game(other), "{other}");
        }
    }
}
