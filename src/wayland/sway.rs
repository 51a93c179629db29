//! What sway says of its windows (`sway-ipc(7)`).

use std::error::Error;
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::Duration;

use serde::Deserialize;

use crate::capture::desktop::WindowInfo;
use crate::geometry::{Px, Rect};
use crate::input::{Key, Owner};

type Refused = Box<dyn Error + Send + Sync>;

/// What each message begins with.
const MAGIC: &[u8] = b"i3-ipc";
/// Kinds of messages.
const RUN_COMMAND: u32 = 0;
const SUBSCRIBE: u32 = 2;
const GET_TREE: u32 = 4;
const GET_VERSION: u32 = 7;
const GET_CONFIG: u32 = 9;

/// What is bound to the key that stops the player: nothing happens but that it is told.
const STOP: &str = "nop minescraper-stop";

/// An answer takes sway well below a millisecond.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);
/// No answer is longer than so many bytes.
const LONGEST: usize = 1 << 26;

/// A connection to sway.
pub(crate) struct Sway {
    socket: UnixStream,
    version: String,
}

/// A window as sway lists it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Listed {
    /// Places are logical pixels.
    pub info: WindowInfo,
    pub pid: Option<u32>,
    pub has_keyboard: bool,
}

/// A part of the tree of everything on the desktop, as far as it matters.
#[derive(Deserialize)]
struct Node {
    id: i64,
    name: Option<String>,
    #[serde(rename = "type")]
    kind: String,
    rect: Area,
    window_rect: Area,
    focused: bool,
    #[serde(default)]
    fullscreen_mode: u8,
    visible: Option<bool>,
    pid: Option<u32>,
    app_id: Option<String>,
    window_properties: Option<Properties>,
    #[serde(default)]
    nodes: Vec<Node>,
    #[serde(default)]
    floating_nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Area {
    x: i32,
    y: i32,
    width: u32,
    height: u32,
}

/// What an X11 window says of itself.
#[derive(Deserialize)]
struct Properties {
    class: Option<String>,
}

#[derive(Deserialize)]
struct Version {
    human_readable: String,
}

#[derive(Deserialize)]
struct Config {
    config: String,
}

/// What came of a command.
#[derive(Deserialize)]
struct Done {
    success: bool,
    error: Option<String>,
}

impl Sway {
    /// Connects to the sway that the variable `SWAYSOCK` names.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) fn open() -> Result<Self, Refused> {
        let path = std::env::var_os("SWAYSOCK").ok_or("the variable SWAYSOCK is not set")?;
        let socket = UnixStream::connect(path)?;
        socket.set_read_timeout(Some(ANSWERS_WITHIN))?;
        let mut sway = Self { socket, version: String::new() };
        let version: Version = serde_json::from_str(&sway.ask(GET_VERSION, "")?)?;
        sway.version = version.human_readable;
        Ok(sway)
    }

    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    /// All windows, the front-most first; those on other workspaces count as minimised.
    pub(crate) fn windows(&mut self) -> Result<Vec<Listed>, Refused> {
        let tree: Node = serde_json::from_str(&self.ask(GET_TREE, "")?)?;
        let mut listed = Vec::new();
        list(&tree, &mut listed);
        // Fullscreen windows are in front of all others; the sort is stable.
        listed.sort_by_key(|&(_, is_fullscreen)| !is_fullscreen);
        Ok(listed.into_iter().map(|(window, _)| window).collect())
    }

    /// Gives the keyboard to a window.
    pub(crate) fn focus(&mut self, window: u32) -> Result<(), Refused> {
        self.run(&format!("[con_id={window}] focus"))
    }

    fn run(&mut self, command: &str) -> Result<(), Refused> {
        let done: Vec<Done> = serde_json::from_str(&self.ask(RUN_COMMAND, command)?)?;
        match done.into_iter().find(|done| !done.success) {
            Some(failed) => Err(failed.error.unwrap_or_else(|| command.to_owned()).into()),
            None => Ok(()),
        }
    }

    /// Asks, and waits for the answer, of which no letter is missing: titles of X11 windows may be in any encoding.
    fn ask(&mut self, kind: u32, about: &str) -> Result<String, Refused> {
        let length = u32::try_from(about.len())?;
        let parts = [MAGIC, &length.to_ne_bytes(), &kind.to_ne_bytes(), about.as_bytes()];
        self.socket.write_all(&parts.concat())?;
        self.hear()
    }

    /// The next message.
    fn hear(&mut self) -> Result<String, Refused> {
        let mut head = [0; 14];
        self.socket.read_exact(&mut head)?;
        let length = u32::from_ne_bytes([head[6], head[7], head[8], head[9]]) as usize;
        if !head.starts_with(MAGIC) || length > LONGEST {
            return Err("sway answers in a way that is not known".into());
        }
        let mut answer = vec![0; length];
        self.socket.read_exact(&mut answer)?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    }
}

/// A key that sway tells this program of, whatever window has the keyboard, and no window gets.
#[derive(Debug)]
pub(crate) struct BoundKey {
    /// The symbol of the key.
    symbol: String,
    listening: UnixStream,
}

impl BoundKey {
    /// Binds `key`, and calls `pressed` when it goes down.
    ///
    /// # Errors
    /// When there is no sway, and when its user has bound the key already.
    pub(crate) fn bind(
        key: Key,
        mut pressed: impl FnMut() + Send + 'static,
    ) -> Result<Self, Refused> {
        let symbol = match key {
            Key::Space => "space".to_owned(),
            key => key.to_string(),
        };
        let mut sway = Sway::open()?;
        let config: Config = serde_json::from_str(&sway.ask(GET_CONFIG, "")?)?;
        if is_bound(&symbol, &config.config) {
            return Err("sway has something else to do when it is pressed".into());
        }
        let mut events = Sway::open()?;
        events.ask(SUBSCRIBE, "[\"binding\"]")?;
        events.socket.set_read_timeout(None)?;
        let listening = events.socket.try_clone()?;
        sway.run(&format!("bindsym {symbol} {STOP}"))?;
        thread::spawn(move || {
            while let Ok(event) = events.hear() {
                if event.contains(STOP) {
                    pressed();
                }
            }
        });
        Ok(Self { symbol, listening })
    }
}

impl Drop for BoundKey {
    fn drop(&mut self) {
        // The thread ends with its connection.
        let ended = self.listening.shutdown(Shutdown::Both).map_err(Refused::from);
        let unbound =
            Sway::open().and_then(|mut sway| sway.run(&format!("unbindsym {}", self.symbol)));
        if let Err(error) = ended.and(unbound) {
            log::debug!("the stop key stays bound: {error}");
        }
    }
}

/// Whether a configuration of sway binds the key with this symbol, with no modifier.
fn is_bound(symbol: &str, config: &str) -> bool {
    let bindings = config.lines().map(str::split_whitespace).filter_map(|mut words| {
        (words.next() == Some("bindsym"))
            .then(|| words.find(|word| !word.starts_with("--")))
            .flatten()
    });
    bindings.into_iter().any(|bound| bound.eq_ignore_ascii_case(symbol))
}

/// Lists the windows below a node, the front-most first, and whether each fills an output.
fn list(node: &Node, listed: &mut Vec<(Listed, bool)>) {
    // Of floating windows the last one is in front.
    node.floating_nodes.iter().rev().for_each(|node| list(node, listed));
    node.nodes.iter().for_each(|node| list(node, listed));
    let is_window = node.pid.is_some() && ["con", "floating_con"].contains(&node.kind.as_str());
    if !is_window || !node.nodes.is_empty() {
        return;
    }
    let (rect, inside) = (&node.rect, &node.window_rect);
    let rect = Rect::new(rect.x + inside.x, rect.y + inside.y, inside.width, inside.height);
    let class = node.window_properties.as_ref().and_then(|known| known.class.clone());
    let app = node.app_id.clone().or(class).unwrap_or_default();
    let info = WindowInfo {
        // Sway counts its windows.
        id: u32::try_from(node.id).unwrap_or(u32::MAX),
        title: node.name.clone().unwrap_or_default(),
        app,
        rect,
        minimized: !node.visible.unwrap_or(true),
    };
    let window = Listed { info, pid: node.pid, has_keyboard: node.focused };
    listed.push((window, node.fullscreen_mode > 0));
}

/// Whose a window is, for somebody who plays in `game`.
pub(crate) fn owner(of: &Listed, game: u32, windows: &[Listed]) -> Owner {
    if of.info.id == game {
        return Owner::Game;
    }
    let pid = windows.iter().find(|window| window.info.id == game).and_then(|game| game.pid);
    let name = of.info.name().to_owned();
    if pid.is_some() && pid == of.pid { Owner::Dialog(name) } else { Owner::Other(name) }
}

/// The window that takes keys for `game`: a dialog of it that is in front of it, or itself. Whichever gets the keyboard comes to
/// the front, and a game that is raised above its dialog does not answer.
pub(crate) fn with_dialogs(game: u32, windows: &[Listed]) -> u32 {
    let is_of_game = |window: &&Listed| {
        !window.info.minimized && !matches!(owner(window, game, windows), Owner::Other(_))
    };
    windows.iter().find(is_of_game).map_or(game, |window| window.info.id)
}

/// The window that is in sight at a logical place.
pub(crate) fn at(place: Px, windows: &[Listed]) -> Option<&Listed> {
    windows.iter().find(|window| !window.info.minimized && window.info.rect.contains(place))
}

/// The window that has the keyboard.
pub(crate) fn with_keyboard(windows: &[Listed]) -> Option<&Listed> {
    windows.iter().find(|window| window.has_keyboard)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(id: i64, title: &str, pid: u32, more: &str) -> String {
        format!(
            r#"{{"id": {id}, "name": "{title}", "type": "con", "focused": false, "pid": {pid},
            "rect": {{"x": 100, "y": 50, "width": 300, "height": 230}},
            "window_rect": {{"x": 2, "y": 30, "width": 296, "height": 198}}{more}}}"#
        )
    }

    fn windows(tiled: &[String], floating: &[String]) -> Vec<Listed> {
        let (tiled, floating) = (tiled.join(","), floating.join(","));
        let tree = format!(
            r#"{{"id": 1, "name": "root", "type": "root", "focused": false,
            "rect": {{"x": 0, "y": 0, "width": 1280, "height": 800}},
            "window_rect": {{"x": 0, "y": 0, "width": 0, "height": 0}},
            "nodes": [{tiled}], "floating_nodes": [{floating}]}}"#
        );
        let mut listed = Vec::new();
        list(&serde_json::from_str(&tree).unwrap(), &mut listed);
        listed.into_iter().map(|(window, _)| window).collect()
    }

    #[test]
    fn a_floating_window_is_in_front_and_the_last_one_first() {
        let below = node(5, "Letter", 7, r#", "app_id": "editor", "visible": true"#);
        let mines = node(6, "Mines", 8, r#", "app_id": "org.gnome.Mines", "visible": true"#);
        let scores = node(7, "Scores", 8, r#", "app_id": "org.gnome.Mines", "visible": true"#);
        let listed = windows(&[below], &[mines, scores]);
        let ids: Vec<u32> = listed.iter().map(|window| window.info.id).collect();
        assert_eq!(ids, [7, 6, 5]);
        assert_eq!(listed[1].info.rect, Rect::new(102, 80, 296, 198), "without its frame");
        assert_eq!(owner(&listed[1], 6, &listed), Owner::Game);
        assert_eq!(owner(&listed[0], 6, &listed), Owner::Dialog("Scores".to_owned()));
        assert_eq!(owner(&listed[2], 6, &listed), Owner::Other("Letter".to_owned()));
        assert_eq!([with_dialogs(6, &listed), with_dialogs(5, &listed)], [7, 5]);
        let there = at(Px::new(110, 90), &listed).unwrap();
        assert_eq!(there.info.id, 7);
        assert_eq!(at(Px::new(10, 90), &listed), None);
    }

    #[test]
    fn only_a_key_that_nothing_is_bound_to_is_taken() {
        let config = "set $mod Mod4\nbindsym --locked F11 exec a\n  bindsym $mod+F12 exec b\n# bindsym F10 c\n";
        let bound = ["F9", "F10", "F11", "F12"].map(|symbol| is_bound(symbol, config));
        assert_eq!(bound, [false, false, true, false]);
    }

    #[test]
    fn an_x11_window_has_its_class_and_one_out_of_sight_is_minimised() {
        let more =
            r#", "app_id": null, "window_properties": {"class": "Xdemineur"}, "visible": false"#;
        let listed = windows(&[node(9, "XD", 3, more)], &[]);
        assert_eq!(listed[0].info.app, "Xdemineur");
        assert!(listed[0].info.minimized);
        assert_eq!(at(Px::new(110, 90), &listed), None);
    }
}
