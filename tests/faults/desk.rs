//! A real game on a display of its own, players that sit down to it, and what gets in their way.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xinput::{ConnectionExt as _, Device, EventMask, XIEventMask};
use x11rb::protocol::xproto::ConnectionExt as _;

/// How long anything may take that has to come.
pub const SOON: Duration = Duration::from_secs(20);

/// A display with a real game on it; both end with it.
pub struct Desk {
    script: Child,
    pub display: String,
    /// The home of what runs on it.
    pub home: PathBuf,
    data: tempfile::TempDir,
    _room: Room,
}

/// Where games stand side by side, or one alone.
type Room = (Option<RwLockReadGuard<'static, ()>>, Option<RwLockWriteGuard<'static, ()>>);
static ROOM: RwLock<()> = RwLock::new(());

impl Desk {
    pub fn with(game: &str, level: &str) -> Self {
        let shared = ROOM.read().unwrap_or_else(PoisonError::into_inner);
        Self::inside((Some(shared), None), game, level)
    }

    /// While no other game runs, for what goes wrong when the player is late.
    pub fn alone(game: &str, level: &str) -> Self {
        let alone = ROOM.write().unwrap_or_else(PoisonError::into_inner);
        Self::inside((None, Some(alone)), game, level)
    }

    fn inside(room: Room, game: &str, level: &str) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/with-game.sh");
        // It stays, whatever becomes of the game, as long as its input is open.
        let stay = "echo $DISPLAY; echo $HOME; exec cat >/dev/null";
        let mut script = Command::new(script)
            .args([game, level, "--", "sh", "-c", stay])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = BufReader::new(script.stdout.take().unwrap()).lines();
        let mut line = || told.next().and_then(Result::ok).unwrap_or_default();
        let (display, home) = (line(), PathBuf::from(line()));
        assert!(!display.is_empty(), "{game} {level} did not start");
        Self { script, display, home, data: tempfile::tempdir().unwrap(), _room: room }
    }

    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.display).env_remove("WAYLAND_DISPLAY");
        command.env_remove("XAUTHORITY").stdin(Stdio::null());
        command
    }

    /// What a program says, which has to succeed.
    pub fn run(&self, command: &str) -> String {
        let words: Vec<&str> = command.split_whitespace().collect();
        let output = self.command(words[0]).args(&words[1..]).output();
        let output = output.unwrap_or_else(|error| panic!("{command}: {error}"));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}: {errors}");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// The windows that the window manager knows, the oldest first.
    pub fn windows(&self) -> Vec<String> {
        let told = self.run("xprop -root _NET_CLIENT_LIST");
        let ids = told.split_once('#').map_or("", |(_, ids)| ids);
        ids.split(',').map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()).collect()
    }

    /// The window of the game.
    pub fn game(&self) -> String {
        self.windows().first().expect("the window of the game").clone()
    }

    /// The left and top edge of a window.
    pub fn place(&self, window: &str) -> (i32, i32) {
        let told = self.run(&format!("xwininfo -id {window}"));
        let number = |name: &str| {
            let (_, rest) = told.split_once(name).unwrap();
            rest.split_whitespace().next().unwrap().parse().unwrap()
        };
        (number("Absolute upper-left X:"), number("Absolute upper-left Y:"))
    }

    /// Starts the program with these options.
    pub fn start(&self, options: &str) -> Player {
        let mut player = self.command(env!("CARGO_BIN_EXE_minescraper"));
        player.args(options.split_whitespace()).env("XDG_DATA_HOME", self.data.path());
        Player::started(player)
    }

    /// Starts the program at a terminal of its own, at which somebody may type.
    pub fn start_at_terminal(&self, options: &str) -> Player {
        let player = format!("{} {options} 2>&3", env!("CARGO_BIN_EXE_minescraper"));
        let child = self
            .command("sh")
            .args(["-c", "exec 3>&2; exec script --quiet --return --command \"$0\" /dev/null"])
            .arg(player)
            .env("XDG_DATA_HOME", self.data.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Player::of(child)
    }

    /// Puts a shipped skin that names none of the game's dialogs in the place of the shipped one. Returns its folder.
    pub fn skin_without_dialogs(&self, name: &str) -> PathBuf {
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates").join(name);
        let own = self.data.path().join("minescraper/skins").join(name);
        fs::create_dir_all(&own).unwrap();
        for entry in fs::read_dir(shipped).unwrap() {
            let from = entry.unwrap().path();
            let to = own.join(from.file_name().unwrap());
            if to.ends_with("skin.toml") {
                let text = fs::read_to_string(from).unwrap();
                let lines = text.lines().filter(|line| !line.starts_with("dialogs"));
                fs::write(to, lines.collect::<Vec<_>>().join("\n")).unwrap();
            } else {
                fs::copy(from, to).unwrap();
            }
        }
        own
    }

    /// The folder of the user's data.
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// Starts the program, and waits until it plays.
    pub fn playing(&self, options: &str) -> Player {
        let notes = self.notes();
        let player = self.start(options);
        let deadline = Instant::now() + SOON;
        while notes.clicks() == 0 {
            if Instant::now() > deadline {
                self.run("xdotool key F12");
                panic!("no click within {SOON:?}: {:?}", player.end());
            }
        }
        player
    }

    /// Runs the program to its end.
    pub fn play(&self, options: &str) -> Ended {
        self.start(options).end()
    }

    /// Another program on the display.
    pub fn bystander(&self, options: &[&str]) -> Bystander {
        let mut command = self.command(bystander().to_str().unwrap());
        let mut child = command.args(options).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready = lines.next().expect("a line").unwrap();
        let window = ready.strip_prefix("ready ").expect("it is ready").to_owned();
        let got: Arc<Mutex<Vec<String>>> = Arc::default();
        let into = got.clone();
        let reader = thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                into.lock().unwrap().push(line);
            }
        });
        Bystander { child, window, got, _reader: reader }
    }

    /// Notes where the pointer is from now on.
    pub fn trail(&self) -> Trail {
        Trail::of(&self.display)
    }

    /// Notes everything that is pressed on the display from now on.
    pub fn notes(&self) -> Notes {
        Notes::of(&self.display)
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        // That closes its input.
        let _ = self.script.wait();
    }
}

/// The example of that name, which is built with this test at the latest.
fn bystander() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let release = (!cfg!(debug_assertions)).then_some("--release");
        let cargo = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--locked", "--example", "bystander"])
            .args(release)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status();
        assert!(cargo.unwrap().success(), "the bystander is not built");
        let player = Path::new(env!("CARGO_BIN_EXE_minescraper"));
        player.parent().unwrap().join("examples/bystander")
    })
}

/// A program that is not the game, and what was pressed in it.
pub struct Bystander {
    child: Child,
    pub window: String,
    got: Arc<Mutex<Vec<String>>>,
    _reader: JoinHandle<()>,
}

impl Bystander {
    pub fn got(&self) -> Vec<String> {
        // What was pressed just now may still be on its way.
        thread::sleep(Duration::from_millis(50));
        self.got.lock().unwrap().clone()
    }
}

impl Drop for Bystander {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program, playing.
pub struct Player {
    pub child: Child,
    out: Option<JoinHandle<String>>,
    err: Option<JoinHandle<String>>,
    /// What it has told so far.
    told: Arc<Mutex<String>>,
    began: Instant,
}

/// What came of it.
#[derive(Debug)]
pub struct Ended {
    pub status: ExitStatus,
    pub out: String,
    pub err: String,
    pub took: Duration,
}

impl Ended {
    #[track_caller]
    pub fn with(self, code: i32) -> Self {
        assert_eq!(self.status.code(), Some(code), "{}{}", self.out, self.err);
        self
    }

    pub fn summary(&self) -> serde_json::Value {
        // What was typed at a terminal comes before it.
        let object = self.out.find('{').map_or("", |at| &self.out[at..]);
        serde_json::from_str(object).unwrap_or_else(|_| panic!("{self:?}"))
    }
}

impl Player {
    pub fn started(mut command: Command) -> Self {
        Self::of(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    fn of(mut child: Child) -> Self {
        let mut out = child.stdout.take().unwrap();
        let err = child.stderr.take().unwrap();
        let told: Arc<Mutex<String>> = Arc::default();
        let into = told.clone();
        let out = thread::spawn(move || {
            let mut text = String::new();
            out.read_to_string(&mut text).unwrap();
            text
        });
        let err = thread::spawn(move || {
            let mut text = String::new();
            for line in BufReader::new(err).lines().map_while(Result::ok) {
                into.lock().unwrap().push_str(&line);
                text.push_str(&line);
                text.push('\n');
            }
            text
        });
        Self { child, out: Some(out), err: Some(err), told, began: Instant::now() }
    }

    /// Types at its terminal.
    pub fn types(&mut self, keys: &str) {
        self.child.stdin.as_mut().unwrap().write_all(keys.as_bytes()).unwrap();
    }

    /// How often it has told something like this.
    pub fn told(&self, what: &str) -> usize {
        self.told.lock().unwrap().matches(what).count()
    }

    /// Waits until it has told something like this.
    pub fn tells(&self, what: &str) {
        within(SOON, what, || self.told.lock().unwrap().contains(what).then_some(()));
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// Waits for its end.
    pub fn end(mut self) -> Ended {
        let deadline = self.began + Duration::from_secs(240);
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < deadline, "it does not end: {}", self.told.lock().unwrap());
            thread::sleep(Duration::from_millis(2));
        };
        let took = self.began.elapsed();
        let text = |of: &mut Option<JoinHandle<String>>| of.take().unwrap().join().unwrap();
        Ended { status, took, out: text(&mut self.out), err: text(&mut self.err) }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A button or a key that was pressed, as the X server tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Press {
    pub is_key: bool,
    pub code: u32,
    /// By the server's clock, in milliseconds.
    pub at: u32,
}

/// Where the pointer was, each place once before the next.
pub struct Trail {
    places: Arc<Mutex<Vec<(i16, i16)>>>,
}

impl Trail {
    fn of(display: &str) -> Self {
        let (connection, screen) = x11rb::connect(Some(display)).unwrap();
        let root = connection.setup().roots[screen].root;
        let places: Arc<Mutex<Vec<(i16, i16)>>> = Arc::default();
        let into = Arc::downgrade(&places);
        thread::spawn(move || {
            let ask = || connection.query_pointer(root).ok()?.reply().ok();
            while let (Some(into), Some(at)) = (into.upgrade(), ask()) {
                let mut places = into.lock().unwrap();
                if places.last() != Some(&(at.root_x, at.root_y)) {
                    places.push((at.root_x, at.root_y));
                }
                drop(places);
                drop(into);
                thread::sleep(Duration::from_millis(2));
            }
        });
        Self { places }
    }

    pub fn places(&self) -> Vec<(i16, i16)> {
        self.places.lock().unwrap().clone()
    }
}

/// Everything that is pressed on a display, whoever presses it and whoever gets it (raw events of the X Input
/// Extension 2).
pub struct Notes {
    presses: Arc<Mutex<Vec<Press>>>,
}

impl Notes {
    fn of(display: &str) -> Self {
        let (connection, screen) = x11rb::connect(Some(display)).unwrap();
        let root = connection.setup().roots[screen].root;
        connection.xinput_xi_query_version(2, 2).unwrap().reply().unwrap();
        let wanted = XIEventMask::RAW_BUTTON_PRESS | XIEventMask::RAW_KEY_PRESS;
        let mask = EventMask { deviceid: Device::ALL_MASTER.into(), mask: vec![wanted] };
        connection.xinput_xi_select_events(root, &[mask]).unwrap().check().unwrap();
        connection.get_input_focus().unwrap().reply().unwrap();
        let presses: Arc<Mutex<Vec<Press>>> = Arc::default();
        let into = presses.clone();
        thread::spawn(move || {
            while let Ok(event) = connection.wait_for_event() {
                let press = match event {
                    Event::XinputRawButtonPress(press) => {
                        Press { is_key: false, code: press.detail, at: press.time }
                    }
                    Event::XinputRawKeyPress(press) => {
                        Press { is_key: true, code: press.detail, at: press.time }
                    }
                    _ => continue,
                };
                into.lock().unwrap().push(press);
            }
        });
        Self { presses }
    }

    pub fn presses(&self) -> Vec<Press> {
        thread::sleep(Duration::from_millis(50));
        self.presses.lock().unwrap().clone()
    }

    pub fn clicks(&self) -> usize {
        self.presses().iter().filter(|press| !press.is_key).count()
    }

    pub fn keys(&self) -> usize {
        self.presses().iter().filter(|press| press.is_key).count()
    }
}

pub fn within<T>(limit: Duration, what: &str, mut get: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + limit;
    loop {
        if let Some(got) = get() {
            return got;
        }
        assert!(Instant::now() < deadline, "not within {limit:?}: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}
