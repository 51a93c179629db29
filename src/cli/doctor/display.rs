//! Which display server this is, who manages its windows, and what it lacks.

use minescraper::capture::desktop::{XServer, is_wayland};

use super::check::Check;
use super::packages::{NESTED_DISPLAY, VIRTUAL_DISPLAY, WINDOW_MANAGER, XWAYLAND};
use super::system::System;

/// Extensions of an X server that are used, and what is missed without them.
const USED: [(&str, &str); 6] = [
    ("RANDR", "no monitor is found"),
    ("XTEST", "nothing can be clicked"),
    ("MIT-SHM", "looks take longer"),
    ("DAMAGE", "looks take longer"),
    ("Composite", "`read` and `advise` see of a window only what nothing covers"),
    ("XInputExtension", "`race` has no times"),
];
/// So many of them play cannot do without.
const NEEDED: usize = 2;

/// What draws the windows of a desktop.
#[derive(Debug)]
pub enum Display {
    /// That of a system which has only one.
    Only(&'static str),
    /// An X server.
    X11(XServer),
    /// A Wayland compositor, and its X server, where it has one.
    Wayland(Option<XServer>),
    /// Nothing, and why.
    None(anyhow::Error),
}

impl Display {
    /// The one that this program is to use.
    pub fn found() -> Self {
        if cfg!(target_os = "windows") {
            return Display::Only("Windows");
        }
        if cfg!(target_os = "macos") {
            return Display::Only("macOS");
        }
        match XServer::ask() {
            server if is_wayland() => Display::Wayland(server.ok()),
            Ok(server) => Display::X11(server),
            Err(error) => Display::None(error.into()),
        }
    }

    /// The X server, where there is one.
    pub fn server(&self) -> Option<&XServer> {
        match self {
            Display::X11(server) | Display::Wayland(Some(server)) => Some(server),
            Display::Only(_) | Display::Wayland(None) | Display::None(_) => None,
        }
    }

    /// What can be said of it without looking. Whether a Wayland desktop is reached directly, and not through its X server,
    /// says `is_native`.
    pub fn checks(&self, system: &System, is_native: bool) -> Vec<Check> {
        if is_native && let Display::Wayland(_) = self {
            return vec![Check::ok("display", wayland())];
        }
        let mut checks = vec![self.kind(system)];
        if let Some(server) = self.server() {
            checks.push(window_manager(server, system));
            checks.push(extensions(server));
        }
        checks
    }

    fn kind(&self, system: &System) -> Check {
        const NAME: &str = "display";
        match self {
            Display::Only(name) => Check::ok(NAME, *name),
            // An extension that only Xwayland has (xorgproto, xwaylandproto.txt).
            Display::X11(server) if server.offers("XWAYLAND") => Check::warn(
                NAME,
                format!("{}, beside a Wayland desktop: it shows its own windows only", x11(server)),
                "if these have no desktop of their own, set XDG_SESSION_TYPE=wayland",
            ),
            Display::X11(server) => Check::ok(NAME, x11(server)),
            Display::Wayland(Some(server)) => Check::warn(
                NAME,
                format!(
                    "{}, with {}: only the windows of that are listed and take clicks",
                    wayland(),
                    x11(server)
                ),
                nested(system),
            ),
            Display::Wayland(None) => Check::fail(
                NAME,
                format!(
                    "{} without an X server: no window is listed, and nothing can be clicked",
                    wayland()
                ),
                format!("{}, and log in anew; {}", XWAYLAND.install(system.family), nested(system)),
            ),
            Display::None(error) => {
                let next = format!(
                    "start this on a desktop, or with DISPLAY set to the name of one (often :0); without a monitor: \
                     {}, then Xvfb :5 & DISPLAY=:5 openbox &",
                    VIRTUAL_DISPLAY.install(system.family)
                );
                Check::fail(NAME, format!("none: {error:#}"), next)
            }
        }
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn x11(server: &XServer) -> String {
    let name = variable("DISPLAY").unwrap_or_default();
    format!("X11, {name} ({})", server.vendor)
}

fn wayland() -> String {
    match variable("XDG_CURRENT_DESKTOP") {
        Some(desktop) => format!("Wayland ({desktop})"),
        None => "Wayland".to_owned(),
    }
}

/// How to play where Wayland does not let it.
fn nested(system: &System) -> String {
    format!(
        "log in to an X11 session, or play on an X server in a window: {}, then Xephyr :5 -screen 1280x900 & and, \
         each behind env -u WAYLAND_DISPLAY XDG_SESSION_TYPE=x11 DISPLAY=:5, openbox, the game and minescraper",
        NESTED_DISPLAY.install(system.family)
    )
}

fn window_manager(server: &XServer, system: &System) -> Check {
    const NAME: &str = "window manager";
    match server.window_manager.as_deref() {
        Some("") => Check::ok(NAME, "one that does not say its name"),
        Some(name) => Check::ok(NAME, name),
        None => Check::warn(
            NAME,
            "none that lists windows: boards are looked for on the monitors, and --window finds nothing",
            format!("start one: {}, then openbox &", WINDOW_MANAGER.install(system.family)),
        ),
    }
}

fn extensions(server: &XServer) -> Check {
    const NAME: &str = "X extensions";
    let missing = |used: &[(&str, &str)]| -> Vec<String> {
        let missing = used.iter().filter(|(name, _)| !server.offers(name));
        missing.map(|(name, without)| format!("{name} ({without})")).collect()
    };
    let all = missing(&USED);
    if all.is_empty() {
        let names = USED.map(|(name, _)| name);
        return Check::ok(NAME, names.join(", "));
    }
    let check = if missing(&USED[..NEEDED]).is_empty() { Check::warn } else { Check::fail };
    let found = format!("missing: {}", all.join(", "));
    let next = "start the X server with all of them: see its option -extension, and the section Extensions of xorg.conf";
    check(NAME, found, next)
}

#[cfg(test)]
mod tests {
    use super::super::check::State;
    use super::super::system::Family;
    use super::*;

    fn server(missing: &[&str]) -> XServer {
        let offered = USED.iter().filter(|(name, _)| !missing.contains(name));
        XServer {
            vendor: "Nobody".to_owned(),
            extensions: offered.map(|(name, _)| (*name).to_owned()).collect(),
            window_manager: Some("Openbox".to_owned()),
        }
    }

    fn on(family: Family) -> System {
        System { name: "a system".to_owned(), family }
    }

    #[test]
    fn an_extension_that_is_missing_fails_only_where_play_cannot_do_without() {
        let state = |missing: &[&str]| extensions(&server(missing)).state;
        assert_eq!(state(&[]), State::Ok);
        assert_eq!(state(&["DAMAGE", "Composite"]), State::Warn);
        assert_eq!(state(&["DAMAGE", "XTEST"]), State::Fail);
        assert_eq!(state(&["RANDR"]), State::Fail);
        let found = extensions(&server(&["MIT-SHM"])).found;
        assert_eq!(found, "missing: MIT-SHM (looks take longer)");
    }

    #[test]
    fn each_desktop_is_told_what_to_install_by_its_own_names() {
        let next = |display: Display, family| display.kind(&on(family)).next.unwrap();
        let bare = || Display::Wayland(None);
        assert!(next(bare(), Family::Debian).contains("sudo apt install xwayland"));
        assert!(next(bare(), Family::Fedora).contains("dnf install xorg-x11-server-Xwayland"));
        assert!(next(bare(), Family::Arch).contains("pacman -S xorg-xwayland"));
        let with_x = Display::Wayland(Some(server(&[])));
        assert!(next(with_x, Family::Fedora).contains("xorg-x11-server-Xephyr"));
        let none = Display::None(anyhow::anyhow!("it is dark"));
        assert!(next(none, Family::Arch).contains("xorg-server-xvfb"));
    }

    #[test]
    fn the_x_server_of_a_wayland_desktop_is_not_taken_for_the_desktop() {
        let mut guest = server(&[]);
        guest.extensions.push("XWAYLAND".to_owned());
        let state = |display: Display| display.kind(&on(Family::Debian)).state;
        assert_eq!(state(Display::X11(guest)), State::Warn);
        assert_eq!(state(Display::X11(server(&[]))), State::Ok);
        assert_eq!(state(Display::Wayland(Some(server(&[])))), State::Warn);
        assert_eq!(state(Display::Wayland(None)), State::Fail);
    }
}
