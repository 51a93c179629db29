//! The desktop's portal: looking at the monitors and pressing there, where a person allows both.
//!
//! On GNOME and KDE this is the only way there is for programs under Wayland. One session of the portal is for the screen, the
//! pointer and the keys together, so there is one dialog. Pictures come through PipeWire, whenever something changes, and
//! the pointer is not in them.
//!
//! # Places
//! All places are pixels of the pictures. Those of several monitors lie side by side, in the order in which the desktop tells
//! them, whatever the desktop's own coordinates are.
//!
//! Where the desktop is scaled, the interface wants its units, and KDE takes them. GNOME takes pixels, and the portal before it
//! still refuses what is beyond the size in units: at a scale of 2, all but the left upper quarter of the screen. The rest
//! of the way is told as a motion from there, which is in units.

mod bus;
mod format;
mod stream;
mod token;

use std::time::{Duration, Instant};

use zbus::zvariant::{ObjectPath, OwnedFd, OwnedObjectPath, OwnedValue, Value};

use self::bus::{Answers, Bus, Options, REMOTE_DESKTOP, SCREEN_CAST};
use self::stream::Cast;
use self::token::TokenFile;
use crate::capture::Frame;
use crate::geometry::{Px, Rect};

/// So long a portal may take for what nobody has to allow.
const SOON: Duration = Duration::from_secs(25);
/// So long a person may think about the dialog.
const THINKING: Duration = Duration::from_secs(180);
/// So long the first picture of a monitor may take.
const FIRST_PICTURE: Duration = Duration::from_secs(10);

// Numbers of the portal's interfaces.
const KEYBOARD_AND_POINTER: u32 = 1 | 2;
const MONITOR: u32 = 1;
const CURSOR_HIDDEN: u32 = 1;
const CURSOR_METADATA: u32 = 4;
const UNTIL_REVOKED: u32 = 2;

/// Why the portal cannot be used, and what can be done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    /// Nothing answers.
    #[error(
        "no desktop portal answers: install xdg-desktop-portal and the one for this desktop, xdg-desktop-portal-gnome or \
         xdg-desktop-portal-kde, and log in anew"
    )]
    NoPortal {
        /// What the bus said.
        source: Box<zbus::Error>,
    },
    /// The desktop's part of the portal cannot do it.
    #[error("the portal of this desktop has no {missing}: it needs one of GNOME or KDE")]
    Lacks {
        /// The name of the interface or mode.
        missing: &'static str,
    },
    /// A person said no.
    #[error("that was not allowed; start again, and in the dialog {ALLOW}")]
    Cancelled,
    /// A person allowed only a part.
    #[error("{missing} was not allowed; start again, and in the dialog {ALLOW}")]
    NotGranted {
        /// What is missing.
        missing: &'static str,
    },
    /// Nobody said anything.
    #[error("nobody answered the desktop's dialog within {} s; start again, and in it {ALLOW}", .patience.as_secs())]
    NoAnswer {
        /// How long was waited.
        patience: Duration,
    },
    /// The session is over.
    #[error(
        "the desktop ended the session: screen sharing was stopped there, or its portal ended; start again"
    )]
    Ended,
    /// A call failed.
    #[error("the desktop's portal refused {asked}")]
    Failed {
        /// The name of the method.
        asked: String,
        /// What it said.
        source: Box<zbus::Error>,
    },
    /// The pictures do not come.
    #[error("no pictures of the screen come through PipeWire: {why}")]
    NoPictures {
        /// What PipeWire said.
        why: String,
    },
}

impl Refused {
    /// Whether the desktop has what is needed, and it was a person who did not allow it.
    pub(crate) fn is_no(&self) -> bool {
        matches!(self, Self::Cancelled | Self::NotGranted { .. } | Self::NoAnswer { .. })
    }
}

/// What a person has to do in the dialog.
const ALLOW: &str = "choose the monitor with the game, switch on \"Allow Remote Interaction\" where there is such a switch, \
                     and press \"Share\"";

/// A monitor that is shared.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Monitor {
    /// The number of its node in PipeWire.
    pub(crate) node: u32,
    /// Where it is, in the units of the desktop.
    pub(crate) position: (i32, i32),
    /// How large it is in the units of the desktop; nothing where that is not told.
    pub(crate) size: Option<(i32, i32)>,
    /// Which pixels it has.
    pub(crate) area: Rect,
}

/// How the portal is told to move the pointer.
#[derive(PartialEq, Debug)]
struct Way {
    /// To this place of the stream.
    to: (f64, f64),
    /// And on from there, to the right and down in units of the desktop.
    further: Option<(f64, f64)>,
}

impl Monitor {
    /// How many pixels a unit of the desktop has, across and down.
    pub(crate) fn scale(&self) -> (f64, f64) {
        let (width, height) = self.size.filter(|size| size.0 > 0 && size.1 > 0).unwrap_or_default();
        let of = |pixels: u32, units: i32| {
            if units == 0 { 1.0 } else { f64::from(pixels) / f64::from(units) }
        };
        (of(self.area.width, width), of(self.area.height, height))
    }

    /// The way to a pixel of this monitor, for a desktop that takes pixels or its own units.
    fn way(&self, at: Px, in_pixels: bool) -> Way {
        let (x, y) = (f64::from(at.x - self.area.x), f64::from(at.y - self.area.y));
        let scale = self.scale();
        if !in_pixels {
            return Way { to: (x / scale.0, y / scale.1), further: None };
        }
        // The last place that the portal lets through and that is a whole unit of the desktop: the desktop rounds to those.
        let last = |pixels: u32, scale: f64| {
            let units = f64::from(pixels) / scale;
            ((units - 1.0) / scale).floor() * scale
        };
        let edge = (last(self.area.width, scale.0), last(self.area.height, scale.1));
        let to =
            (if x < edge.0 + 1.0 { x } else { edge.0 }, if y < edge.1 + 1.0 { y } else { edge.1 });
        let beyond = |at: f64, to: f64, scale: f64| if at == to { 0.0 } else { (at - to) / scale };
        let further = (beyond(x, to.0, scale.0), beyond(y, to.1, scale.1));
        Way { to, further: (further != (0.0, 0.0)).then_some(further) }
    }
}

/// A session of the portal: monitors to look at, a pointer and a keyboard.
pub(crate) struct Portal {
    bus: Bus,
    session: OwnedObjectPath,
    monitors: Vec<Monitor>,
    cast: Cast,
    /// Whether places are told in pixels, and not in units of the desktop.
    tells_pixels: bool,
    /// Whether pictures say where the pointer is.
    tells_pointer: bool,
}

impl Portal {
    /// Opens a session. `tell` is called with what a person has to allow, before the desktop asks. It does not ask when it
    /// gave a token before that is still good.
    ///
    /// # Errors
    /// When there is no portal that can do it, or it was not allowed.
    pub(crate) fn open(tell: &mut dyn FnMut(&str)) -> Result<Self, Refused> {
        let bus = Bus::connect()?;
        let (version, devices) = (
            bus.number(REMOTE_DESKTOP, "version"),
            bus.number(REMOTE_DESKTOP, "AvailableDeviceTypes"),
        );
        if version == 0 || devices & KEYBOARD_AND_POINTER != KEYBOARD_AND_POINTER {
            return Err(Refused::Lacks { missing: "RemoteDesktop with a pointer and a keyboard" });
        }
        if bus.number(SCREEN_CAST, "AvailableSourceTypes") & MONITOR == 0 {
            return Err(Refused::Lacks { missing: "ScreenCast of monitors" });
        }
        let cursors = bus.number(SCREEN_CAST, "AvailableCursorModes");
        let cursor = [CURSOR_METADATA, CURSOR_HIDDEN].into_iter().find(|mode| cursors & mode != 0);
        let cursor = cursor.ok_or(Refused::Lacks { missing: "ScreenCast without the pointer" })?;

        let name = bus.new_token();
        let options = Options::from([("session_handle_token", name.into())]);
        let created = bus.request(REMOTE_DESKTOP, "CreateSession", options, SOON, |o| (o,))?;
        let session = answer::<String>(&created, "session_handle")
            .and_then(|path| OwnedObjectPath::try_from(path).ok())
            .ok_or(Refused::Lacks { missing: "session" })?;

        let mut options = Options::from([("types", KEYBOARD_AND_POINTER.into())]);
        let token = TokenFile::of_user().filter(|_| version >= 2);
        let kept = token.as_ref().and_then(TokenFile::read);
        if token.is_some() {
            options.insert("persist_mode", UNTIL_REVOKED.into());
        }
        if let Some(kept) = &kept {
            options.insert("restore_token", kept.as_str().into());
        }
        let of_session = |o| (ObjectPath::from(&session), o);
        bus.request(REMOTE_DESKTOP, "SelectDevices", options, SOON, of_session)?;
        let options = Options::from([
            ("types", MONITOR.into()),
            ("multiple", true.into()),
            ("cursor_mode", cursor.into()),
        ]);
        bus.request(SCREEN_CAST, "SelectSources", options, SOON, of_session)?;

        if kept.is_none() {
            tell(&format!(
                "The desktop asks now whether this program may look at the screen and use the mouse: {ALLOW}. The dialog may be behind other windows."
            ));
        }
        let without_window = |o| (ObjectPath::from(&session), "", o);
        let started =
            bus.request(REMOTE_DESKTOP, "Start", Options::new(), THINKING, without_window)?;
        if let Some(token) = token {
            let done = match answer::<String>(&started, "restore_token") {
                Some(next) => token.keep(&next),
                None => token.forget(),
            };
            if let Err(error) = done {
                log::warn!("the desktop will ask again the next time: {error}");
            }
        }
        let granted = answer::<u32>(&started, "devices").unwrap_or(0);
        if granted & KEYBOARD_AND_POINTER != KEYBOARD_AND_POINTER {
            return Err(Refused::NotGranted { missing: "using the mouse and the keyboard" });
        }
        let mut monitors = told_monitors(&started);
        if monitors.is_empty() {
            return Err(Refused::NotGranted { missing: "looking at a monitor" });
        }

        let body = (ObjectPath::from(&session), Options::new());
        let remote: OwnedFd =
            bus.call(SCREEN_CAST, "OpenPipeWireRemote", &body).map_err(|source: zbus::Error| {
                Refused::Failed { asked: "OpenPipeWireRemote".to_owned(), source: source.into() }
            })?;
        let nodes = monitors.iter().map(|monitor| monitor.node).collect();
        let cast = Cast::start(remote.into(), nodes);
        for (index, monitor) in monitors.iter_mut().enumerate() {
            let until = Instant::now() + FIRST_PICTURE;
            let known = cast.wait(index, until, |known| known.frames > 0);
            monitor.area = known.area.filter(|_| known.frames > 0).ok_or_else(|| {
                let why = known.over.unwrap_or_else(|| "none within 10 s".to_owned());
                Refused::NoPictures { why }
            })?;
        }
        let desktop = std::env::var("XDG_CURRENT_DESKTOP").unwrap_or_default();
        let tells_pixels = desktop.split(':').any(|name| name == "GNOME");
        let tells_pointer = cursor == CURSOR_METADATA;
        Ok(Self { bus, session, monitors, cast, tells_pixels, tells_pointer })
    }

    /// Whether the desktop says where the pointer is.
    pub(crate) fn tells_pointer(&self) -> bool {
        self.tells_pointer
    }

    /// The monitors that are shared, as large as they are now.
    pub(crate) fn monitors(&self) -> Vec<Monitor> {
        let mut monitors = self.monitors.clone();
        let mut left = 0;
        for (index, monitor) in monitors.iter_mut().enumerate() {
            let area = self.cast.known(index, |known| known.area);
            monitor.area = area.unwrap_or(monitor.area).moved(left, 0);
            left = monitor.area.right();
        }
        monitors
    }

    /// The number of the newest picture of this monitor.
    pub(crate) fn newest(&self, monitor: usize) -> u64 {
        self.cast.known(monitor, |known| known.frames)
    }

    /// Waits for a picture of this monitor after that with number `than`, and returns the number of the newest; `than` when none
    /// came before `deadline`.
    ///
    /// # Errors
    /// [`Refused::Ended`] when no more will come.
    pub(crate) fn wait_newer(
        &self,
        monitor: usize,
        than: u64,
        deadline: Instant,
    ) -> Result<u64, Refused> {
        let known = self.cast.wait(monitor, deadline, |known| known.frames > than);
        if known.over.is_some() || self.bus.is_closed() {
            return Err(Refused::Ended);
        }
        Ok(known.frames)
    }

    /// The parts of the screen that may differ between the newest picture of this monitor and that with number `then`; nothing
    /// where the desktop does not tell.
    pub(crate) fn damage_since(&self, monitor: usize, then: u64) -> Option<Vec<Rect>> {
        let left = self.monitors()[monitor].area.x;
        let parts = self.cast.known(monitor, |known| known.damage_since(then))?;
        Some(parts.into_iter().map(|part| part.moved(left, 0)).collect())
    }

    /// Copies `area` of the newest picture; nothing when not all of it is on one monitor.
    pub(crate) fn copy(&self, area: Rect) -> Option<Frame> {
        let monitors = self.monitors();
        let index = monitors.iter().position(|monitor| monitor.area.encloses(area))?;
        let local = area.moved(-monitors[index].area.x, 0);
        let pixels = self.cast.copy(index, local)?;
        Some(Frame::new(Px::new(area.x, area.y), pixels))
    }

    /// Where the pointer was in the newest picture; nothing where the desktop does not tell, or it was on no monitor that is
    /// shared.
    pub(crate) fn pointer(&self) -> Option<Px> {
        self.monitors().iter().enumerate().find_map(|(index, monitor)| {
            let at = self.cast.known(index, |known| known.pointer)?;
            Some(Px::new(at.x + monitor.area.x, at.y))
        })
    }

    /// Moves the pointer.
    ///
    /// # Errors
    /// When `at` is on no monitor, or the desktop refuses.
    pub(crate) fn move_to(&self, at: Px) -> Result<(), Refused> {
        let monitor = self.monitors().into_iter().find(|monitor| monitor.area.contains(at));
        let monitor = monitor.ok_or(Refused::NotGranted { missing: "the monitor there" })?;
        let way = monitor.way(at, self.tells_pixels);
        let body =
            (ObjectPath::from(&self.session), Options::new(), monitor.node, way.to.0, way.to.1);
        self.notify("NotifyPointerMotionAbsolute", &body)?;
        let Some((right, down)) = way.further else { return Ok(()) };
        let body = (ObjectPath::from(&self.session), Options::new(), right, down);
        self.notify("NotifyPointerMotion", &body)
    }

    /// Presses a button of the mouse, or lets it go: one of the codes of evdev (`BTN_LEFT` is 0x110).
    ///
    /// # Errors
    /// When the desktop refuses.
    pub(crate) fn button(&self, code: i32, down: bool) -> Result<(), Refused> {
        let body = (ObjectPath::from(&self.session), Options::new(), code, u32::from(down));
        self.notify("NotifyPointerButton", &body)
    }

    /// Presses the key of a symbol, or lets it go: one of those of X11 (`keysymdef.h`).
    ///
    /// # Errors
    /// When the desktop refuses.
    pub(crate) fn key(&self, symbol: i32, down: bool) -> Result<(), Refused> {
        let body = (ObjectPath::from(&self.session), Options::new(), symbol, u32::from(down));
        self.notify("NotifyKeyboardKeysym", &body)
    }

    /// Tells the desktop of something that was done. The answer is waited for: the portal serves each call with a thread of its
    /// own, so calls that are on their way together may overtake each other.
    fn notify<B>(&self, method: &str, body: &B) -> Result<(), Refused>
    where
        B: serde::Serialize + zbus::zvariant::DynamicType,
    {
        if self.bus.is_closed() {
            return Err(Refused::Ended);
        }
        let told = self.bus.call(REMOTE_DESKTOP, method, body);
        told.map_err(|source: zbus::Error| Refused::Failed {
            asked: method.to_owned(),
            source: source.into(),
        })
    }
}

impl Drop for Portal {
    fn drop(&mut self) {
        self.bus.close(&self.session);
    }
}

/// What the portal answers under this name, if it is of the right kind.
fn answer<T: TryFrom<OwnedValue>>(answers: &Answers, name: &str) -> Option<T> {
    answers.get(name)?.try_clone().ok()?.try_into().ok()
}

/// The monitors in the portal's answer to Start. Their pixels are not told there.
fn told_monitors(started: &Answers) -> Vec<Monitor> {
    let Some(streams) = started
        .get("streams")
        .and_then(|streams| streams.downcast_ref::<zbus::zvariant::Array<'_>>().ok())
    else {
        return Vec::new();
    };
    let monitor = |stream: &Value<'_>| {
        let (node, told): (u32, Answers) = stream.try_clone().ok()?.try_into().ok()?;
        Some(Monitor {
            node,
            position: answer(&told, "position").unwrap_or_default(),
            size: answer(&told, "size"),
            area: Rect::new(0, 0, 0, 0),
        })
    };
    streams.iter().filter_map(monitor).collect()
}

#[cfg(test)]
mod tests;
