//! The short way to the pixels of an X11 desktop: one connection that stays open, pictures in shared memory, and word
//! from the server of what is painted.
//!
//! It copies the root window, which shows what a person sees, like [`Portable`](super::Portable); or, for one that
//! only reads, what a window would show with nothing in front, which the server keeps with XComposite.
//!
//! The shared memory is a file without a name, handed to the server; it is read like any file, so that no pointer
//! into it is needed.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::composite::{self, Redirect};
use x11rb::protocol::damage::{self, ReportLevel};
use x11rb::protocol::shm;
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ConnectionExt as _, EventMask, ImageFormat, ImageOrder,
    Screen, Setup,
};
use x11rb::rust_connection::RustConnection;

use crate::capture::Frame;
use crate::capture::desktop::{XServer, is_wayland};
use crate::geometry::{Px, Rect};
use crate::input::{Owner, Place};
/// Why the short way is closed; the long one is gone then.
use crate::x11::{Refused as Closed, Windows};

/// Bytes of a pixel in shared memory: blue, green, red, and one that says nothing.
const PIXEL: usize = 4;

/// More parts than this are copied as one.
const MOST_PARTS: usize = 48;
/// To ask for one more part costs as much as to copy so many pixels, about.
const ASKING: u64 = 1000;

/// So many bytes of a title are asked for.
const MOST_OF_TITLE: u32 = 1024;

/// How long the server's word on what is painted is believed before everything is compared once more, at the end of a
/// wait in vain. Nothing is known to be painted without a word; this is for what is not known.
const BELIEVED: Duration = Duration::from_millis(100);

/// A connection to an X server that shares memory with it and is told what is painted.
pub(super) struct X11 {
    connection: RustConnection,
    windows: Windows,
    root: u32,
    /// Where pixels are copied from: the root window, or the pixmap behind a window.
    source: u32,
    /// Where the top left pixel of that is on the screen.
    corner: Px,
    damage: u32,
    segment: shm::Seg,
    memory: File,
    /// The part of the screen that can be copied: the whole desktop, or where a window is taken to be.
    area: Rect,
    /// A copy of the shared memory.
    bytes: Vec<u8>,
    /// What was painted since the frame that is followed was brought up to date.
    painted: Vec<Rect>,
    /// The area of that frame.
    followed: Option<Rect>,
    believed_until: Instant,
    /// The properties of a window that say whether it is minimised.
    states: [u32; 2],
    /// The property of the desktop that lists its windows, from the lowest to the one in front.
    stacking: u32,
    /// What it said when it was last asked.
    stacked: Vec<u8>,
    /// Whether it was written since.
    restacked: bool,
    /// Whether any window may stand otherwise than when that was last asked.
    windows_changed: bool,
}

impl X11 {
    /// Connects to the display, to look at the desktop.
    ///
    /// # Errors
    /// When there is no X server, when it lies behind a Wayland desktop (which it does not show), when it does not
    /// share memory or tell of damage, or when its pixels are none of 24 bits in the usual order.
    pub(super) fn open() -> Result<Self, Closed> {
        let (connection, number) = connect()?;
        let setup = connection.setup();
        let screen = &setup.roots[number];
        if !has_usual_pixels(setup, screen, screen.root_depth, screen.root_visual) {
            return Err("its pixels are in an unusual order".into());
        }
        let root = screen.root;
        let of_windows = EventMask::SUBSTRUCTURE_NOTIFY
            | EventMask::STRUCTURE_NOTIFY
            | EventMask::PROPERTY_CHANGE;
        let wanted = ChangeWindowAttributesAux::new().event_mask(of_windows);
        connection.change_window_attributes(root, &wanted)?.check()?;
        // From now on a change of its size is told; one since the connection was made was not.
        let size = connection.get_geometry(root)?.reply()?;
        let desktop = Rect::new(0, 0, size.width.into(), size.height.into());
        let x11 = Self::copying(connection, root, root, Px::new(0, 0), desktop)?;
        x11.report(root)?;
        Ok(x11)
    }

    /// Connects to the display, to look at what `window` would show with nothing in front and all of it on the screen.
    /// The window is taken to have its top left at `place` for good, and to keep its size.
    ///
    /// The program is asked to paint what was not in sight: that takes it a moment. The server keeps the picture until
    /// the connection ends, and goes on showing the window as before.
    ///
    /// # Errors
    /// As [`Self::open`]; also when the server does not keep pictures of windows, and when it has none of this one,
    /// because it is closed, minimised or on another workspace.
    pub(super) fn of_window(window: u32, place: Px) -> Result<Self, Closed> {
        let (connection, number) = connect()?;
        // The picture of a window has its own number from the second version on.
        let version = composite::query_version(&connection, 0, 4)?.reply()?;
        if (version.major_version, version.minor_version) < (0, 2) {
            return Err("its pictures of windows are of an old kind".into());
        }
        composite::redirect_window(&connection, window, Redirect::AUTOMATIC)?.check()?;
        let pixmap = connection.generate_id()?;
        composite::name_window_pixmap(&connection, window, pixmap)?.check()?;
        // That of the window may have changed since; its pixmap has not.
        let size = connection.get_geometry(pixmap)?.reply()?;
        let visual = connection.get_window_attributes(window)?.reply()?.visual;
        let setup = connection.setup();
        let screen = &setup.roots[number];
        if !has_usual_pixels(setup, screen, size.depth, visual) {
            return Err("the pixels of the window are in an unusual order".into());
        }
        let root = screen.root;
        let border = connection.get_geometry(window)?.reply()?.border_width;
        let inside = |length: u16| u32::from(length.saturating_sub(2 * border));
        let area = Rect::new(place.x, place.y, inside(size.width), inside(size.height));
        let corner = Px::new(place.x - i32::from(border), place.y - i32::from(border));
        let x11 = Self::copying(connection, root, pixmap, corner, area)?;
        x11.report(window)?;
        Ok(x11)
    }

    /// Shares memory with the server to copy `area` of the screen from `source`, whose top left is at `corner`.
    fn copying(
        connection: RustConnection,
        root: u32,
        source: u32,
        corner: Px,
        area: Rect,
    ) -> Result<Self, Closed> {
        let version = shm::query_version(&connection)?.reply()?;
        if (version.major_version, version.minor_version) < (1, 2) {
            return Err("its shared memory is of an old kind".into());
        }
        let memory = File::from(memfd_create("minescraper-frames", MemfdFlags::CLOEXEC)?);
        memory.set_len(u64::from(area.width) * u64::from(area.height) * PIXEL as u64)?;
        let segment = connection.generate_id()?;
        // Refused when the server is on another computer.
        shm::attach_fd(&connection, segment, memory.try_clone()?, false)?.check()?;
        let damage = connection.generate_id()?;
        let atom = |name: &[u8]| -> Result<u32, Closed> {
            Ok(connection.intern_atom(false, name)?.reply()?.atom)
        };
        let states = [atom(b"WM_STATE")?, atom(b"_NET_WM_STATE")?];
        let stacking = atom(b"_NET_CLIENT_LIST_STACKING")?;
        let windows = Windows::of(&connection, root)?;
        Ok(Self {
            connection,
            windows,
            root,
            source,
            corner,
            damage,
            segment,
            memory,
            area,
            bytes: Vec::new(),
            painted: Vec::new(),
            followed: None,
            believed_until: Instant::now(),
            states,
            stacking,
            stacked: Vec::new(),
            restacked: true,
            windows_changed: true,
        })
    }

    /// Wants to be told of what is painted in `window`, whose top left inside its border is that of the area.
    fn report(&self, window: u32) -> Result<(), Closed> {
        damage::query_version(&self.connection, 1, 1)?.reply()?;
        let every = ReportLevel::DELTA_RECTANGLES;
        Ok(damage::create(&self.connection, self.damage, window, every)?.check()?)
    }

    /// The part of the screen that can be copied.
    pub(super) fn area(&self) -> Rect {
        self.area
    }

    /// Wants to be told when this window changes, beside those that lie on the desktop itself.
    pub(super) fn attend(&self, window: u32) -> Result<(), Closed> {
        let of_window = EventMask::STRUCTURE_NOTIFY | EventMask::PROPERTY_CHANGE;
        let wanted = ChangeWindowAttributesAux::new().event_mask(of_window);
        Ok(self.connection.change_window_attributes(window, &wanted)?.check()?)
    }

    /// Whether any window may stand otherwise than at the last call.
    pub(super) fn windows_changed(&mut self) -> Result<bool, Closed> {
        self.hear()?;
        // Some window managers write the order of the windows anew at every click, and write what it was.
        if std::mem::take(&mut self.restacked) {
            let (root, any) = (self.root, AtomEnum::ANY);
            let asked =
                self.connection.get_property(false, root, self.stacking, any, 0, u32::MAX)?;
            let stacked = asked.reply()?.value;
            self.windows_changed |= stacked != self.stacked;
            self.stacked = stacked;
        }
        Ok(std::mem::take(&mut self.windows_changed))
    }

    /// Where `window` is, without its frame.
    pub(super) fn place(&self, window: u32) -> Result<Place, Closed> {
        self.windows.place(&self.connection, window)
    }

    /// Who would get a press at one of these places and is not `window`, if there is somebody.
    pub(super) fn in_front(&self, window: u32, places: &[Px]) -> Result<Option<String>, Closed> {
        let own = self.windows.top_of(&self.connection, window)?;
        let tops = self.windows.at(&self.connection, places)?;
        let Some(&other) = tops.iter().find(|&&top| top != own) else {
            return Ok(None);
        };
        Ok(match self.windows.owner(&self.connection, window, other)? {
            Owner::Game => None,
            Owner::Dialog(name) | Owner::Other(name) => Some(name),
        })
    }

    /// Whether `other` is a dialog of `window`.
    pub(super) fn is_dialog_of(&self, other: u32, window: u32) -> Result<bool, Closed> {
        self.windows.is_dialog_of(&self.connection, other, window)
    }

    /// A number of the connection that has made `window`: the bits that the server gives to each for the numbers of what it makes.
    pub(super) fn client_of(&self, window: u32) -> u32 {
        window & !self.connection.setup().resource_id_mask
    }

    /// Copies `area`, which lies in [`Self::area`].
    pub(super) fn look(&mut self, area: Rect) -> Result<Frame, Closed> {
        self.hear()?;
        let pixels = image::RgbImage::new(area.width, area.height);
        let mut frame = Frame::new(Px::new(area.x, area.y), pixels);
        self.copy(&[area], &mut frame, &mut Vec::new())?;
        self.follow(area);
        Ok(frame)
    }

    /// See [`Screen::wait`](crate::capture::Screen::wait).
    pub(super) fn wait(
        &mut self,
        frame: &mut Frame,
        deadline: Instant,
    ) -> Result<Vec<Rect>, Closed> {
        let area = frame.area();
        let mut changed = Vec::new();
        if self.followed != Some(area) {
            self.follow(area);
            self.copy(&[area], frame, &mut changed)?;
        }
        let mut rested = false;
        loop {
            self.hear()?;
            let heard = !self.painted.is_empty();
            if heard {
                let parts = std::mem::take(&mut self.painted);
                self.copy(&parts, frame, &mut changed)?;
                // Its room is used again.
                self.painted = parts;
                self.painted.clear();
            }
            if !changed.is_empty() {
                return Ok(changed);
            }
            let now = Instant::now();
            if now >= deadline {
                if rested && now >= self.believed_until {
                    self.follow(area);
                    self.copy(&[area], frame, &mut changed)?;
                }
                return Ok(changed);
            } else if !heard {
                // Otherwise the server may have said more together with the pixels.
                self.rest(deadline - now)?;
                rested = true;
            }
        }
    }

    /// See [`Screen::still_shows`](crate::capture::Screen::still_shows).
    pub(super) fn still_shows(&mut self, frame: &Frame, part: Rect) -> Result<bool, Closed> {
        self.hear()?;
        let untouched = self.painted.iter().all(|painted| painted.intersection(part).is_none());
        if untouched && self.followed == Some(frame.area()) {
            return Ok(true);
        }
        let Some(mut then) = frame.crop(part) else {
            return Ok(false);
        };
        let mut changed = Vec::new();
        self.copy(&[then.area()], &mut then, &mut changed)?;
        Ok(changed.is_empty())
    }

    fn follow(&mut self, area: Rect) {
        self.followed = Some(area);
        self.painted.clear();
        self.believed_until = Instant::now() + BELIEVED;
    }

    /// Takes in what the server has said so far.
    fn hear(&mut self) -> Result<(), Closed> {
        let mut damaged = false;
        while let Some(event) = self.connection.poll_for_event()? {
            match event {
                Event::DamageNotify(damage) => {
                    damaged = true;
                    let (x, y) = (i32::from(damage.area.x), i32::from(damage.area.y));
                    let (width, height) = (damage.area.width, damage.area.height);
                    let area = Rect::new(x, y, width.into(), height.into());
                    let area = area.moved(self.area.x, self.area.y);
                    let seen = self.followed.and_then(|followed| area.intersection(followed));
                    if let Some(part) = seen {
                        add(&mut self.painted, part);
                    }
                }
                Event::Error(error) => return Err(format!("the X server says {error:?}").into()),
                Event::ConfigureNotify(of) if of.window == self.root => {
                    if (self.area.width, self.area.height) != (of.width.into(), of.height.into()) {
                        return Err("the screen has another size now".into());
                    }
                }
                // Some programs note every click in a property of their window.
                Event::PropertyNotify(property) if property.atom == self.stacking => {
                    self.restacked = true;
                }
                Event::PropertyNotify(property)
                    if property.window != self.root && !self.states.contains(&property.atom) => {}
                _ => self.windows_changed = true,
            }
        }
        if damaged {
            // Before anything is copied: what is painted after that is told anew.
            damage::subtract(&self.connection, self.damage, x11rb::NONE, x11rb::NONE)?;
        }
        if self.painted.len() > MOST_PARTS {
            let whole = self.painted.iter().copied().reduce(Rect::around);
            self.painted.clear();
            self.painted.extend(whole);
        }
        Ok(())
    }

    /// Waits for the server to say something, `time` long at most.
    fn rest(&self, time: Duration) -> Result<(), Closed> {
        self.connection.flush()?;
        let limit = Timespec {
            tv_sec: i64::try_from(time.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: time.subsec_nanos().into(),
        };
        let mut server = [PollFd::new(self.connection.stream(), PollFlags::IN)];
        match poll(&mut server, Some(&limit)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Brings `parts` of `frame` up to date and adds what looks different to `changed`.
    fn copy(
        &mut self,
        parts: &[Rect],
        frame: &mut Frame,
        changed: &mut Vec<Rect>,
    ) -> Result<(), Closed> {
        // All are asked for at once, one behind the other in memory.
        let mut asked = Vec::with_capacity(parts.len());
        let mut size = 0;
        let everything = ImageFormat::Z_PIXMAP.into();
        for &part in parts {
            if !self.area.encloses(part) || !frame.area().encloses(part) {
                return Err(format!("{part} is not all in {}", self.area).into());
            }
            let (x, y) = ((part.x - self.corner.x) as i16, (part.y - self.corner.y) as i16);
            let (width, height) = (part.width as u16, part.height as u16);
            let (segment, offset) = (self.segment, size as u32);
            asked.push(shm::get_image(
                &self.connection,
                self.source,
                x,
                y,
                width,
                height,
                !0,
                everything,
                segment,
                offset,
            )?);
            size += PIXEL * part.width as usize * part.height as usize;
        }
        for answer in asked {
            answer.reply()?;
        }
        if self.bytes.len() < size {
            self.bytes.resize(size, 0);
        }
        self.memory.read_exact_at(&mut self.bytes[..size], 0)?;
        let mut rest = &self.bytes[..size];
        for &part in parts {
            frame.update(part, changed, |line| {
                let (row, below) = rest.split_at(PIXEL * part.width as usize);
                rest = below;
                for (rgb, bgr) in line.chunks_exact_mut(3).zip(row.chunks_exact(PIXEL)) {
                    (rgb[0], rgb[1], rgb[2]) = (bgr[2], bgr[1], bgr[0]);
                }
            });
        }
        Ok(())
    }
}

/// The title of a window in Latin-1, which old programs set (`WM_NAME` of the Inter-Client Communication Conventions Manual,
/// 4.1.2.1) and `xcap` does not ask for.
pub(super) fn plain_title(window: u32) -> Option<String> {
    let (connection, _) = connect().ok()?;
    let (name, kind) = (AtomEnum::WM_NAME, AtomEnum::STRING);
    let asked = connection.get_property(false, window, name, kind, 0, MOST_OF_TITLE / 4).ok()?;
    let bytes = asked.reply().ok()?.value;
    (!bytes.is_empty()).then(|| bytes.into_iter().map(char::from).collect())
}

/// What the X server says of itself, one that lies behind a Wayland desktop too.
pub(in crate::capture::desktop) fn describe() -> Result<XServer, Closed> {
    let (connection, number) = x11rb::connect(None)?;
    let setup = connection.setup();
    let vendor = String::from_utf8_lossy(&setup.vendor).into_owned();
    let extensions = connection.list_extensions()?.reply()?.names.into_iter();
    let extensions = extensions.map(|own| String::from_utf8_lossy(&own.name).into_owned());
    let windows = Windows::of(&connection, setup.roots[number].root)?;
    let window_manager = windows.window_manager(&connection)?;
    Ok(XServer { vendor, extensions: extensions.collect(), window_manager })
}

/// Connects to the X server, if it is one that shows the desktop. The second is the number of its screen.
fn connect() -> Result<(RustConnection, usize), Closed> {
    if is_wayland() {
        return Err("this is a Wayland desktop".into());
    }
    Ok(x11rb::connect(None)?)
}

/// Whether pixels of this depth and visual are what [`PIXEL`] says.
fn has_usual_pixels(setup: &Setup, screen: &Screen, depth: u8, visual: u32) -> bool {
    setup.image_byte_order == ImageOrder::LSB_FIRST
        && setup.pixmap_formats.iter().any(|f| f.depth == depth && f.bits_per_pixel == 32)
        && screen.allowed_depths.iter().flat_map(|depth| &depth.visuals).any(|known| {
            known.visual_id == visual
                && (known.red_mask, known.green_mask, known.blue_mask) == (0xff_0000, 0xff00, 0xff)
        })
}

/// Adds `part` to `parts`: together with one of them where that is less to copy than to ask for both.
fn add(parts: &mut Vec<Rect>, part: Rect) {
    let size = |area: Rect| u64::from(area.width) * u64::from(area.height);
    let joins = |other: &&mut Rect| size(other.around(part)) <= size(**other) + size(part) + ASKING;
    match parts.iter_mut().find(joins) {
        Some(other) => *other = other.around(part),
        None => parts.push(part),
    }
}
