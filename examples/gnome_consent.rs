//! Answers the dialog in which GNOME asks whether a program may look at the screen and use the mouse, as a person at the
//! keyboard would. It is for tests: it types through Mutter's own remote desktop, which asks nobody.
//!
//! ```sh
//! cargo run --example gnome_consent share   # or cancel
//! ```
//!
//! It waits for the dialog first, which GNOME may open behind the window that somebody works in. What windows there are GNOME
//! tells in its unsafe mode only.

#[cfg(not(target_os = "linux"))]
fn main() {
    eprintln!("there is no GNOME here");
}

#[cfg(target_os = "linux")]
fn main() -> anyhow::Result<()> {
    let keys: &[Stroke] = match std::env::args().nth(1).as_deref() {
        // To the row with the switch that allows the mouse, or to that itself, and then the button by its letter.
        Some("share") => &[Tab, Tab, Space, AltS],
        Some("cancel") => &[AltF4],
        _ => anyhow::bail!("share or cancel?"),
    };
    let bus = zbus::blocking::Connection::session()?;
    // A key that is struck while the dialog opens may move what it has under its focus.
    wait_for_dialog(&bus)?;
    sleep(SETTLES);
    let keyboard = Keyboard::open(&bus)?;
    while !wait_for_dialog(&bus)?.has_focus {
        keyboard.strike(AltTab)?;
    }
    sleep(SETTLES);
    keys.iter().try_for_each(|&key| keyboard.strike(key))
}

#[cfg(target_os = "linux")]
use std::thread::sleep;

#[cfg(target_os = "linux")]
use consent::{
    Keyboard, SETTLES,
    Stroke::{self, AltF4, AltS, AltTab, Space, Tab},
    wait_for_dialog,
};

#[cfg(target_os = "linux")]
mod consent {
    use std::collections::HashMap;
    use std::thread::sleep;
    use std::time::{Duration, Instant};

    use anyhow::{Context, bail};
    use zbus::blocking::{Connection, Proxy};
    use zbus::zvariant::{OwnedObjectPath, OwnedValue};

    const MUTTER: &str = "org.gnome.Mutter.RemoteDesktop";
    const SESSION: &str = "org.gnome.Mutter.RemoteDesktop.Session";

    /// So long it may take until a program asks.
    const PATIENCE: Duration = Duration::from_secs(60);
    /// So long a dialog may take from when it is shown, or has the keyboard, until it listens.
    pub const SETTLES: Duration = Duration::from_secs(1);
    /// So long the dialog may take for each key.
    const BETWEEN_KEYS: Duration = Duration::from_millis(200);

    /// What is typed.
    #[derive(Clone, Copy)]
    pub enum Stroke {
        AltF4,
        AltS,
        AltTab,
        Tab,
        Space,
    }

    impl Stroke {
        /// The symbols of its keys, in the order in which they go down (`keysymdef.h`).
        fn symbols(self) -> &'static [u32] {
            match self {
                Self::AltF4 => &[0xffe9, 0xffc1],
                Self::AltS => &[0xffe9, 0x0073],
                Self::AltTab => &[0xffe9, 0xff09],
                Self::Tab => &[0xff09],
                Self::Space => &[0x0020],
            }
        }
    }

    /// A keyboard of Mutter's, as long as the connection lasts.
    pub struct Keyboard<'b>(Proxy<'b>);

    impl<'b> Keyboard<'b> {
        pub fn open(bus: &'b Connection) -> anyhow::Result<Self> {
            let mutter = Proxy::new(bus, MUTTER, "/org/gnome/Mutter/RemoteDesktop", MUTTER)?;
            let session: OwnedObjectPath = mutter.call("CreateSession", &())?;
            let session = Proxy::new(bus, MUTTER, session, SESSION)?;
            session.call::<_, _, ()>("Start", &())?;
            Ok(Self(session))
        }

        pub fn strike(&self, stroke: Stroke) -> anyhow::Result<()> {
            let down = stroke.symbols().iter().map(|&symbol| (symbol, true));
            let up = stroke.symbols().iter().rev().map(|&symbol| (symbol, false));
            for key in down.chain(up) {
                self.0.call::<_, _, ()>("NotifyKeyboardKeysym", &key)?;
                sleep(BETWEEN_KEYS / 2);
            }
            sleep(BETWEEN_KEYS);
            Ok(())
        }
    }

    /// The dialog of the portal.
    pub struct Dialog {
        /// Whether it gets what is typed.
        pub has_focus: bool,
    }

    /// Waits until the dialog is shown.
    pub fn wait_for_dialog(bus: &Connection) -> anyhow::Result<Dialog> {
        let (name, path) = ("org.gnome.Shell", "/org/gnome/Shell/Introspect");
        let shell = Proxy::new(bus, name, path, "org.gnome.Shell.Introspect")?;
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            let windows: HashMap<u64, HashMap<String, OwnedValue>> =
                shell.call("GetWindows", &()).context("GNOME does not tell its windows")?;
            let is = |window: &HashMap<String, OwnedValue>, what| {
                window.get(what).and_then(|it| it.downcast_ref().ok()).unwrap_or(false)
            };
            let is_dialog = |window: &&HashMap<String, OwnedValue>| {
                let app = window.get("app-id").and_then(|app| app.downcast_ref::<&str>().ok());
                app == Some("xdg-desktop-portal-gnome.desktop") && !is(window, "is-hidden")
            };
            if let Some(window) = windows.values().find(is_dialog) {
                return Ok(Dialog { has_focus: is(window, "has-focus") });
            }
            sleep(BETWEEN_KEYS);
        }
        bail!("no program has asked")
    }
}
