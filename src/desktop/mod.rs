//! The desktop that somebody works at.
//!
//! A [`Session`] says which way leads to it, and makes what looks and what presses together: on some desktops one
//! permission gives both. Below [`capture`](crate::capture::desktop) and [`input`](crate::input::desktop) each way has a file
//! or a folder of its own.
//!
//! | desktop | looks | presses | knows of windows |
//! |---|---|---|---|
//! | X11 | the X server: shared memory, damage | XTEST, with the server held still | everything |
//! | Wayland, wlroots | `wlr-screencopy`, damage | a virtual pointer and keyboard | what sway lists |
//! | Wayland, GNOME and KDE | the desktop's portal: PipeWire | the portal | nothing |
//! | Windows | GDI | `SendInput`, a batch in one call | everything |
//! | any other | `xcap` | `enigo` | what `xcap` lists |

#[cfg(target_os = "linux")]
mod frames;
#[cfg(not(target_os = "linux"))]
#[path = "no_frames.rs"]
mod frames;

#[cfg(target_os = "linux")]
use std::cell::RefCell;
#[cfg(target_os = "linux")]
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
#[cfg(any(target_os = "linux", windows))]
use std::sync::atomic::Ordering;

pub use frames::Frames;

use crate::capture::desktop::camera::Camera;
use crate::capture::desktop::{MonitorInfo, MonitorScreen, WindowInfo, WindowScreen};
#[cfg(target_os = "linux")]
use crate::capture::desktop::{check_named, is_wayland, no_display};
use crate::capture::{CaptureError, Screen};
use crate::input::desktop::{DesktopHands, StopKey};
use crate::input::{InputError, Key};
#[cfg(target_os = "linux")]
use crate::portal::Portal;
#[cfg(target_os = "linux")]
use crate::wayland::{Compositor, sway::BoundKey};

/// A desktop, and the way that is taken to it.
pub struct Session {
    way: Way,
    told: String,
}

/// The ways that there are.
enum Way {
    #[cfg(target_os = "linux")]
    X11,
    #[cfg(target_os = "linux")]
    Wlroots(Rc<RefCell<Compositor>>),
    #[cfg(target_os = "linux")]
    Portal(Arc<Portal>),
    #[cfg(windows)]
    Windows,
    #[cfg(not(any(target_os = "linux", windows)))]
    Portable,
}

impl Session {
    /// Chooses the way for the desktop that this process belongs to. Where a person has to allow it, `tell` is called with what
    /// there is to do, before the desktop asks.
    ///
    /// # Errors
    /// [`CaptureError::NoDisplay`]; it says what can be done when it was not allowed.
    pub fn open(tell: &mut dyn FnMut(&str)) -> Result<Self, CaptureError> {
        #[cfg(target_os = "linux")]
        {
            let mut closed = None;
            if is_wayland() {
                match Compositor::open() {
                    Ok(compositor) => return Ok(Self::wlroots(compositor)),
                    Err(error) => log::info!("the short way to Wayland is closed: {error}"),
                }
                match Portal::open(tell) {
                    Ok(portal) => return Ok(Self::portal(portal)),
                    Err(error) if error.is_no() => return Err(no_display(error)),
                    Err(error) => {
                        log::info!("the portal is closed: {error}");
                        closed = Some(error);
                    }
                }
            }
            match (check_named(), closed) {
                // Without an X server too, the portal is what was to be the way.
                (Err(_), Some(error)) => return Err(no_display(error)),
                (named, _) => named?,
            }
            let display = std::env::var("DISPLAY").unwrap_or_default();
            x11rb::connect(None).map_err(no_display)?;
            let told = if is_wayland() {
                format!(
                    "X server {display} of a Wayland desktop: only its own windows can be played"
                )
            } else {
                format!("X server {display}")
            };
            Ok(Self { way: Way::X11, told })
        }
        #[cfg(windows)]
        {
            let _ = tell;
            Ok(Self { way: Way::Windows, told: "Windows, through GDI and SendInput".to_owned() })
        }
        #[cfg(not(any(target_os = "linux", windows)))]
        {
            let _ = tell;
            let told = format!("{} through xcap and enigo", std::env::consts::OS);
            Ok(Self { way: Way::Portable, told })
        }
    }

    #[cfg(target_os = "linux")]
    fn portal(portal: Portal) -> Self {
        let desktop = std::env::var("XDG_CURRENT_DESKTOP").unwrap_or_default();
        let monitors = portal.monitors().len();
        let told = format!(
            "Wayland, {desktop}, by its portal; it shares {monitors} monitor{} and says nothing of windows",
            if monitors == 1 { "" } else { "s" }
        );
        Self { way: Way::Portal(Arc::new(portal)), told }
    }

    #[cfg(target_os = "linux")]
    fn wlroots(mut compositor: Compositor) -> Self {
        let windows = match compositor.sway() {
            Some(sway) => format!("windows as sway {} lists them", sway.version()),
            None => "which says nothing of windows".to_owned(),
        };
        let told =
            format!("Wayland, {}, by the protocols of wlroots; {windows}", Compositor::name());
        Self { way: Way::Wlroots(Rc::new(RefCell::new(compositor))), told }
    }

    /// Which way is taken, and why, as in "X server :0".
    pub fn told(&self) -> &str {
        &self.told
    }

    /// Whether this is a Wayland desktop that is reached directly, and not through its X server.
    pub fn is_native_wayland(&self) -> bool {
        #[cfg(target_os = "linux")]
        return matches!(self.way, Way::Wlroots(_) | Way::Portal(_));
        #[cfg(not(target_os = "linux"))]
        false
    }

    /// Opens the first monitor of this Wayland desktop once more, on another thread; nobody is asked again.
    #[cfg(target_os = "linux")]
    pub(crate) fn once_more(
        &self,
    ) -> Option<impl FnOnce() -> Result<MonitorScreen, CaptureError> + Send + use<>> {
        let portal = match &self.way {
            Way::X11 => return None,
            Way::Wlroots(_) => None,
            Way::Portal(portal) => Some(portal.clone()),
        };
        Some(move || match portal {
            Some(portal) => Self { way: Way::Portal(portal), told: String::new() }.monitor(0),
            None => Self::open(&mut |_| {})?.monitor(0),
        })
    }

    /// Whether a hand on the mouse is felt: whether the desktop says where the pointer is.
    pub fn feels_hands(&self) -> bool {
        #[cfg(target_os = "linux")]
        return match &self.way {
            Way::X11 => true,
            Way::Wlroots(_) => false,
            Way::Portal(portal) => portal.tells_pointer(),
        };
        #[cfg(not(target_os = "linux"))]
        true
    }

    /// The open windows, the front-most first; `None` where the desktop lists none: then a [monitor](Self::monitor) is the
    /// way to look. On X11 they come from the window manager: without one the list is empty.
    ///
    /// # Errors
    /// [`CaptureError::NoDisplay`].
    pub fn windows(&self) -> Result<Option<Vec<WindowInfo>>, CaptureError> {
        self.camera()?.windows()
    }

    /// The monitors, in the system's order: never none.
    ///
    /// # Errors
    /// [`CaptureError::NoDisplay`].
    pub fn monitors(&self) -> Result<Vec<MonitorInfo>, CaptureError> {
        self.camera()?.monitors()
    }

    /// Opens the window whose title, application or id is `wanted`.
    ///
    /// Upper and lower case are the same. An id (decimal, or hexadecimal after `0x`) comes first, then a
    /// whole title or application name, then a part of one. A minimised window is taken only where no
    /// other fits.
    ///
    /// # Errors
    /// [`CaptureError::NoDisplay`]; [`CaptureError::NoWindow`] when none fits;
    /// [`CaptureError::ManyWindows`] when several do; [`CaptureError::WindowGone`] when it is minimised.
    pub fn window(&self, wanted: &str) -> Result<WindowScreen, CaptureError> {
        WindowScreen::new(self.camera()?, wanted)
    }

    /// The same for somebody who reads and never clicks: where something covers the window, or a part of it lies off the
    /// monitors, the screen shows the window's own picture, as far as the desktop has it.
    ///
    /// # Errors
    /// As [`Self::window`].
    pub fn window_to_read(&self, wanted: &str) -> Result<Box<dyn Screen>, CaptureError> {
        let window = self.window(wanted)?;
        #[cfg(target_os = "linux")]
        if let Way::X11 = self.way {
            return crate::capture::desktop::x11::CompositeScreen::to_read(window);
        }
        Ok(Box::new(window))
    }

    /// The same for somebody who draws [frames](Self::frames) over the window: the window's own picture, without them.
    ///
    /// # Errors
    /// As [`Self::window`], and where the desktop has no pictures of windows.
    pub fn window_beneath_frames(&self, wanted: &str) -> Result<Box<dyn Screen>, CaptureError> {
        #[cfg(target_os = "linux")]
        if let Way::X11 = self.way {
            let window = self.window(wanted)?;
            return Ok(Box::new(crate::capture::desktop::x11::CompositeScreen::of(window)?));
        }
        self.window_to_read(wanted)
    }

    /// The monitor with the number `n`, counted from 0 in the system's order.
    ///
    /// # Errors
    /// [`CaptureError::NoDisplay`], or [`CaptureError::NoMonitor`] when there are not as many.
    pub fn monitor(&self, n: usize) -> Result<MonitorScreen, CaptureError> {
        MonitorScreen::new(self.camera()?, n)
    }

    /// The mouse and the keyboard, aimed at the window `game`; without one, at whatever is where they are told to play.
    ///
    /// # Errors
    /// [`InputError::NoDisplay`] when this program may not control the desktop.
    pub fn hands(&self, game: Option<&WindowInfo>) -> Result<DesktopHands, InputError> {
        #[cfg(not(windows))]
        use crate::input::desktop::portable::Portable;

        let id = game.map(|game| game.id);
        let no_display = |source| InputError::NoDisplay { source };
        #[cfg(not(windows))]
        let portable = || Portable::open(id).map_err(no_display);
        let way: Box<dyn crate::input::desktop::Way> = match &self.way {
            #[cfg(target_os = "linux")]
            Way::Wlroots(compositor) => {
                Box::new(crate::input::desktop::wlroots::Wlroots::new(compositor.clone(), id))
            }
            #[cfg(target_os = "linux")]
            Way::Portal(portal) => {
                Box::new(crate::input::desktop::portal::PortalWay::new(portal.clone()))
            }
            #[cfg(target_os = "linux")]
            Way::X11 => match crate::input::desktop::x11::X11::open(id) {
                Ok(x11) => Box::new(x11),
                Err(error) => {
                    log::debug!("pressing through enigo: {error}");
                    Box::new(portable()?)
                }
            },
            #[cfg(windows)]
            Way::Windows => {
                Box::new(crate::input::desktop::windows::Windows::open(id).map_err(no_display)?)
            }
            #[cfg(not(any(target_os = "linux", windows)))]
            Way::Portable => Box::new(portable()?),
        };
        Ok(DesktopHands::new(way, game))
    }

    /// Takes `key` from all other programs for as long as what is returned lives. When it is pressed, `stop` becomes true at
    /// once.
    ///
    /// # Errors
    /// When another program has taken it, or the system lets nobody take keys.
    pub fn stop_key(&self, key: Key, stop: Arc<AtomicBool>) -> Result<StopKey, InputError> {
        #[cfg(target_os = "linux")]
        {
            let pressed = move || stop.store(true, Ordering::Relaxed);
            match self.way {
                Way::X11 => StopKey::taken(key, crate::input::desktop::x11::take_key(key, pressed)),
                Way::Portal(_) => {
                    let why = "the desktop's portal gives keys to the window in front only";
                    StopKey::taken::<()>(key, Err(why.into()))
                }
                Way::Wlroots(_) => StopKey::taken(key, BoundKey::bind(key, pressed)),
            }
        }
        #[cfg(windows)]
        {
            let pressed = move || stop.store(true, Ordering::Relaxed);
            StopKey::taken(key, crate::input::desktop::windows::take_key(key, pressed))
        }
        #[cfg(not(any(target_os = "linux", windows)))]
        {
            let _ = stop;
            StopKey::taken::<()>(key, Err("this system lets no program take a key".into()))
        }
    }

    /// Makes frames of these colours, red, green and blue, over the desktop; none show yet.
    ///
    /// # Errors
    /// Where the desktop has none that let clicks through.
    pub fn frames(&self, colours: &[[u8; 3]]) -> Result<Frames, CaptureError> {
        #[cfg(target_os = "linux")]
        if let Way::Wlroots(_) | Way::Portal(_) = self.way {
            return Err(no_display(
                "only on X11 frames are drawn over a window; leave --on-screen out",
            ));
        }
        Frames::of(colours)
    }

    /// Whether looks are as fast as this desktop allows.
    ///
    /// # Errors
    /// Why they are not.
    pub fn looks_directly(&self) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        match self.way {
            #[cfg(target_os = "linux")]
            Way::X11 => crate::capture::desktop::x11::X11Camera::is_direct(),
            #[cfg(target_os = "linux")]
            Way::Wlroots(_) | Way::Portal(_) => Ok(()),
            #[cfg(windows)]
            Way::Windows => Ok(()),
            #[cfg(not(any(target_os = "linux", windows)))]
            Way::Portable => Err("this system has no way of its own".into()),
        }
    }

    /// What looks.
    fn camera(&self) -> Result<Box<dyn Camera>, CaptureError> {
        Ok(match &self.way {
            #[cfg(target_os = "linux")]
            Way::Wlroots(compositor) => {
                Box::new(crate::capture::desktop::wlroots::WlrootsCamera::new(compositor.clone()))
            }
            #[cfg(target_os = "linux")]
            Way::Portal(portal) => {
                Box::new(crate::capture::desktop::portal::PortalCamera::new(portal.clone()))
            }
            #[cfg(target_os = "linux")]
            Way::X11 => Box::new(crate::capture::desktop::x11::X11Camera::open()?),
            #[cfg(windows)]
            Way::Windows => Box::new(crate::capture::desktop::windows::WindowsCamera::open()?),
            #[cfg(not(any(target_os = "linux", windows)))]
            Way::Portable => Box::new(crate::capture::desktop::portable::Portable::open()?),
        })
    }
}
