//! What a Wayland compositor of the wlroots family shows, and how it is pressed in: sway, labwc, Hyprland and others.
//!
//! One connection serves the [screen](crate::capture) and the [hands](crate::input): the compositor copies its outputs with
//! `wlr-screencopy`, tells what has changed since, and takes moves, buttons and keys from a virtual pointer and a virtual
//! keyboard. Which windows there are Wayland tells nobody; [sway](sway::Sway) does, over a socket of its own.
//!
//! Wayland measures in logical pixels, of which one may be several pixels of an output, or one and a quarter. Out of this
//! folder come pixels only: an output begins at its logical place times the largest scale that any output has, so that no two
//! overlap.

mod output;
mod pointer;
pub(crate) mod sway;

use std::collections::VecDeque;
use std::error::Error;
use std::fs::File;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use wayland_client::globals::{GlobalListContents, registry_queue_init};
use wayland_client::protocol::wl_registry::WlRegistry;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::protocol::wl_shm::WlShm;
use wayland_client::{Connection, Dispatch, EventQueue, Proxy, QueueHandle, delegate_noop};
use wayland_protocols::xdg::xdg_output::zv1::client::zxdg_output_manager_v1::ZxdgOutputManagerV1;
use wayland_protocols_misc::zwp_virtual_keyboard_v1::client::zwp_virtual_keyboard_manager_v1::ZwpVirtualKeyboardManagerV1;
use wayland_protocols_misc::zwp_virtual_keyboard_v1::client::zwp_virtual_keyboard_v1::ZwpVirtualKeyboardV1;
use wayland_protocols_wlr::screencopy::v1::client::zwlr_screencopy_manager_v1::ZwlrScreencopyManagerV1;
use wayland_protocols_wlr::virtual_pointer::v1::client::zwlr_virtual_pointer_manager_v1::ZwlrVirtualPointerManagerV1;
use wayland_protocols_wlr::virtual_pointer::v1::client::zwlr_virtual_pointer_v1::ZwlrVirtualPointerV1;

use crate::capture::Frame;
use crate::geometry::{Px, Rect};

use output::Output;
use pointer::Pointer;

/// What the compositor, or the connection to it, says against it.
pub(crate) type Refused = Box<dyn Error + Send + Sync>;

/// How long the compositor may take to show an output for the first time.
const FIRST_PICTURE: Duration = Duration::from_secs(3);

/// So many changes are remembered for those who look.
const REMEMBERED: usize = 256;

/// The compositor that the variable `WAYLAND_DISPLAY` names.
pub(crate) struct Compositor {
    connection: Connection,
    queue: EventQueue<State>,
    state: State,
    pointer: Pointer,
    sway: Option<sway::Sway>,
}

/// What the compositor has told.
pub(super) struct State {
    handle: QueueHandle<State>,
    shm: WlShm,
    copier: ZwlrScreencopyManagerV1,
    outputs: Vec<Output>,
    changes: Changes,
}

/// What changed on the desktop, and when: counted from the first change.
#[derive(Default)]
pub(super) struct Changes {
    last: u64,
    parts: VecDeque<(u64, Rect)>,
}

impl Changes {
    fn note(&mut self, part: Rect) {
        self.last += 1;
        self.parts.push_back((self.last, part));
        if self.parts.len() > REMEMBERED {
            self.parts.pop_front();
        }
    }

    /// The changes after the one with this number; `None` when they are not remembered any more.
    fn since(&self, number: u64) -> Option<impl Iterator<Item = Rect> + '_> {
        let first = self.parts.front().map_or(self.last + 1, |&(first, _)| first);
        (number + 1 >= first).then(|| {
            let later = self.parts.iter().filter(move |&&(when, _)| when > number);
            later.map(|&(_, part)| part)
        })
    }
}

impl Compositor {
    /// Connects to the compositor.
    ///
    /// # Errors
    /// When there is none, or when it lacks one of the protocols.
    pub(crate) fn open() -> Result<Self, Refused> {
        let connection = Connection::connect_to_env()?;
        let (globals, mut queue) = registry_queue_init::<State>(&connection)?;
        let handle = queue.handle();
        let lacks = |name: &'static str| move |_| format!("the compositor lacks {name}");
        let shm: WlShm = globals.bind(&handle, 1..=1, ()).map_err(lacks("wl_shm"))?;
        let seat: WlSeat = globals.bind(&handle, 1..=7, ()).map_err(lacks("wl_seat"))?;
        let copier: ZwlrScreencopyManagerV1 =
            globals.bind(&handle, 2..=2, ()).map_err(lacks("wlr-screencopy"))?;
        let pointers: ZwlrVirtualPointerManagerV1 =
            globals.bind(&handle, 1..=2, ()).map_err(lacks("wlr-virtual-pointer"))?;
        let places: ZxdgOutputManagerV1 =
            globals.bind(&handle, 2..=3, ()).map_err(lacks("xdg-output"))?;
        let keyboards: Option<ZwpVirtualKeyboardManagerV1> = globals.bind(&handle, 1..=1, ()).ok();
        let pointer = Pointer::new(&pointers, keyboards.as_ref(), &seat, &handle)?;
        let mut outputs = Vec::new();
        globals.contents().with_list(|list| {
            for global in list.iter().filter(|global| global.interface == "wl_output") {
                let version = global.version.min(4);
                let index = outputs.len();
                let wl = globals.registry().bind(global.name, version, &handle, index);
                outputs.push(Output::new(wl, &places, &handle, index));
            }
        });
        let changes = Changes::default();
        let mut state = State { handle, shm, copier, outputs, changes };
        // First the outputs say where they are, then what they show.
        queue.roundtrip(&mut state)?;
        queue.roundtrip(&mut state)?;
        state.arrange()?;
        let sway =
            sway::Sway::open().inspect_err(|error| log::debug!("no list of windows: {error}"));
        let mut compositor = Self { connection, queue, state, pointer, sway: sway.ok() };
        compositor.begin()?;
        Ok(compositor)
    }

    /// Starts to copy all outputs, and waits until each has been seen.
    fn begin(&mut self) -> Result<(), Refused> {
        self.state.begin();
        let deadline = Instant::now() + FIRST_PICTURE;
        while !self.state.outputs.iter().all(Output::is_seen) {
            if Instant::now() > deadline {
                return Err("the compositor shows no picture".into());
            }
            self.rest(deadline)?;
        }
        Ok(())
    }

    /// The compositor's own list of windows, where it has one.
    pub(crate) fn sway(&mut self) -> Option<&mut sway::Sway> {
        self.sway.as_mut()
    }

    /// The name, the area and the scale of each output.
    pub(crate) fn outputs(&self) -> impl Iterator<Item = (&str, Rect, f64)> {
        self.state.outputs.iter().map(|output| (output.name(), output.area(), output.own_scale()))
    }

    /// The part of the desktop in pixels that a logical rectangle takes, by the output that it begins on.
    pub(crate) fn to_pixels(&self, logical: Rect) -> Rect {
        let corner = Px::new(logical.x, logical.y);
        let outputs = &self.state.outputs;
        let nearest = outputs.iter().find(|output| output.logical().contains(corner));
        let by_overlap = || outputs.iter().find(|o| o.logical().intersection(logical).is_some());
        let output = nearest.or_else(by_overlap).or(outputs.first());
        output.map_or(logical, |output| output.to_pixels(logical))
    }

    /// Copies what is shown of `area`; what lies on no output is black.
    pub(crate) fn look(&mut self, area: Rect) -> Result<(Frame, u64), Refused> {
        self.sync()?;
        let mut frame =
            Frame::new(Px::new(area.x, area.y), image::RgbImage::new(area.width, area.height));
        self.copy(area, &mut frame, &mut Vec::new());
        Ok((frame, self.state.changes.last))
    }

    /// Brings `frame` up to date, which is as it was at the change with the number `seen`, and returns what looks
    /// different, and the number of the last change.
    pub(crate) fn update(
        &mut self,
        frame: &mut Frame,
        seen: u64,
    ) -> Result<(Vec<Rect>, u64), Refused> {
        self.sync()?;
        let area = frame.area();
        let parts: Vec<Rect> = match self.state.changes.since(seen) {
            Some(parts) => parts.filter_map(|part| part.intersection(area)).collect(),
            None => vec![area],
        };
        let mut changed = Vec::new();
        for part in parts {
            self.copy(part, frame, &mut changed);
        }
        Ok((changed, self.state.changes.last))
    }

    /// Waits until the compositor says something, until `deadline` at most.
    pub(crate) fn rest(&mut self, deadline: Instant) -> Result<(), Refused> {
        if self.queue.dispatch_pending(&mut self.state)? == 0 {
            self.queue.flush()?;
            if let Some(reading) = self.queue.prepare_read() {
                let left = deadline.saturating_duration_since(Instant::now());
                let limit = Timespec {
                    tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
                    tv_nsec: left.subsec_nanos().into(),
                };
                let descriptor = reading.connection_fd();
                let mut polled = [PollFd::new(&descriptor, PollFlags::IN)];
                match poll(&mut polled, Some(&limit)) {
                    Ok(1..) => drop(reading.read()?),
                    Ok(0) | Err(rustix::io::Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            self.queue.dispatch_pending(&mut self.state)?;
        }
        self.state.check()
    }

    /// Whether an output has another size since that was last asked.
    pub(crate) fn was_resized(&mut self) -> Result<bool, Refused> {
        if !self.state.outputs.iter().any(Output::is_resized) {
            return Ok(false);
        }
        self.state.arrange()?;
        self.begin()?;
        Ok(true)
    }

    /// The virtual pointer and keyboard.
    pub(crate) fn pointer(&mut self) -> &mut Pointer {
        &mut self.pointer
    }

    /// Where a pixel is on the desktop in logical pixels, as a fraction of all of it: for the pointer.
    pub(crate) fn logical_place(&self, at: Px) -> Option<(u32, u32, u32, u32)> {
        let outputs = &self.state.outputs;
        let output = outputs.iter().find(|output| output.area().contains(at))?;
        let all = outputs.iter().map(Output::logical).reduce(Rect::around)?;
        let (x, y) = output.to_logical(at);
        let fine = |length: f64| (length * pointer::FINENESS).round() as u32;
        Some((
            fine(x - f64::from(all.x)),
            fine(y - f64::from(all.y)),
            fine(all.width.into()),
            fine(all.height.into()),
        ))
    }

    /// Waits until the compositor has done everything that it was asked for so far, and takes in all that it said.
    pub(crate) fn sync(&mut self) -> Result<(), Refused> {
        self.queue.roundtrip(&mut self.state)?;
        self.state.check()
    }

    fn copy(&self, part: Rect, frame: &mut Frame, changed: &mut Vec<Rect>) {
        for output in &self.state.outputs {
            if let Some(part) =
                part.intersection(output.area()).and_then(|p| p.intersection(frame.area()))
            {
                output.copy(part, frame, changed);
            }
        }
    }

    /// The display's name.
    pub(crate) fn name() -> String {
        std::env::var("WAYLAND_DISPLAY").unwrap_or_else(|_| "wayland-0".to_owned())
    }
}

impl Drop for Compositor {
    fn drop(&mut self) {
        if let Err(error) = self.connection.flush() {
            log::debug!("the connection to the compositor ended early: {error}");
        }
    }
}

/// Memory without a name, to be shared with the compositor.
fn shared_memory(size: u64) -> Result<File, Refused> {
    let memory = File::from(memfd_create("minescraper", MemfdFlags::CLOEXEC)?);
    memory.set_len(size)?;
    Ok(memory)
}

impl State {
    /// Gives each output its place among the pixels of all.
    fn arrange(&mut self) -> Result<(), Refused> {
        self.outputs.retain(|output| output.is_usable());
        if self.outputs.is_empty() {
            return Err("no output is switched on, or all are rotated".into());
        }
        let scales = self.outputs.iter().map(Output::own_scale);
        let largest = scales.fold(1.0, f64::max);
        self.outputs.iter_mut().for_each(|output| output.arrange(largest));
        Ok(())
    }

    fn begin(&mut self) {
        let Self { handle, copier, outputs, .. } = self;
        outputs.iter_mut().for_each(|output| output.begin(copier, handle));
    }

    /// What went wrong while events were taken in.
    fn check(&mut self) -> Result<(), Refused> {
        self.outputs.iter_mut().find_map(Output::take_error).map_or(Ok(()), Err)
    }
}

impl Dispatch<WlRegistry, GlobalListContents> for State {
    fn event(
        _: &mut Self,
        _: &WlRegistry,
        _: <WlRegistry as Proxy>::Event,
        _: &GlobalListContents,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
    }
}

delegate_noop!(State: ignore WlShm);
delegate_noop!(State: ignore WlSeat);
delegate_noop!(State: ZwlrScreencopyManagerV1);
delegate_noop!(State: ZwlrVirtualPointerManagerV1);
delegate_noop!(State: ZwlrVirtualPointerV1);
delegate_noop!(State: ZwpVirtualKeyboardManagerV1);
delegate_noop!(State: ZwpVirtualKeyboardV1);
delegate_noop!(State: ZxdgOutputManagerV1);
