//! One output of a compositor: where it is, and the newest picture of it.
//!
//! Two copies are asked for at first. One comes at once; the other one comes when something has changed, and says what
//! (`copy_with_damage`). It is asked for before the first one, so that no change falls between them. From then on one copy is
//! always asked for. Both are in memory that is shared with the compositor, and read like a file.

use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;

use wayland_client::protocol::wl_buffer::WlBuffer;
use wayland_client::protocol::wl_output::{self, Transform, WlOutput};
use wayland_client::protocol::wl_shm::{Format, WlShm};
use wayland_client::protocol::wl_shm_pool::WlShmPool;
use wayland_client::{Connection, Dispatch, QueueHandle, WEnum, delegate_noop};
use wayland_protocols::xdg::xdg_output::zv1::client::zxdg_output_manager_v1::ZxdgOutputManagerV1;
use wayland_protocols::xdg::xdg_output::zv1::client::zxdg_output_v1::{self, ZxdgOutputV1};
use wayland_protocols_wlr::screencopy::v1::client::zwlr_screencopy_frame_v1::{
    self, Flags, ZwlrScreencopyFrameV1,
};
use wayland_protocols_wlr::screencopy::v1::client::zwlr_screencopy_manager_v1::ZwlrScreencopyManagerV1;

use super::{Refused, State, shared_memory};
use crate::capture::Frame;
use crate::geometry::{Px, Rect};

/// Bytes of a pixel in shared memory: three colours, and one that says nothing.
const PIXEL: usize = 4;
/// Without the pointer: it would cover a cell.
const NO_CURSOR: i32 = 0;

/// Which of the two copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Copy {
    /// As soon as may be.
    Now,
    /// As soon as something has changed.
    Changed,
}

/// Whose copy it is: the number of the output, how often it was begun anew, and which one.
type Asked = (usize, u32, Copy);

pub(super) struct Output {
    wl: WlOutput,
    index: usize,
    name: String,
    logical: Rect,
    /// Its size in its own pixels, as it is now.
    mode: (u32, u32),
    is_turned: bool,
    /// The part of the desktop that it shows, in pixels.
    area: Rect,
    now: Option<Shared>,
    changed: Option<Shared>,
    /// Red, green and blue of its pixels, row by row.
    shown: Vec<u8>,
    is_seen: bool,
    /// How often copying began.
    round: u32,
    damaged: Vec<Rect>,
    is_upside_down: bool,
    error: Option<Refused>,
}

/// Memory that a copy goes into.
struct Shared {
    memory: File,
    pool: WlShmPool,
    buffer: WlBuffer,
    stride: u32,
    /// Whether blue comes first, else red.
    is_bgr: bool,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.buffer.destroy();
        self.pool.destroy();
    }
}

impl Output {
    pub(super) fn new(
        wl: WlOutput,
        places: &ZxdgOutputManagerV1,
        handle: &QueueHandle<State>,
        index: usize,
    ) -> Self {
        places.get_xdg_output(&wl, handle, index);
        Self {
            wl,
            index,
            name: String::new(),
            logical: Rect::new(0, 0, 0, 0),
            mode: (0, 0),
            is_turned: false,
            area: Rect::new(0, 0, 0, 0),
            now: None,
            changed: None,
            shown: Vec::new(),
            is_seen: false,
            round: 0,
            damaged: Vec::new(),
            is_upside_down: false,
            error: None,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn area(&self) -> Rect {
        self.area
    }

    pub(super) fn logical(&self) -> Rect {
        self.logical
    }

    /// How many of its pixels are one logical pixel.
    pub(super) fn own_scale(&self) -> f64 {
        f64::from(self.mode.0) / f64::from(self.logical.width.max(1))
    }

    /// Whether it is switched on, and upright.
    pub(super) fn is_usable(&self) -> bool {
        let is_usable = self.mode.0 > 0 && self.logical.width > 0 && !self.is_turned;
        if !is_usable {
            log::warn!("the output {} is left out: it is off or turned", self.name);
        }
        is_usable
    }

    pub(super) fn arrange(&mut self, largest: f64) {
        let place = |logical: i32| (f64::from(logical) * largest).round() as i32;
        let (x, y) = (place(self.logical.x), place(self.logical.y));
        self.area = Rect::new(x, y, self.mode.0, self.mode.1);
    }

    pub(super) fn is_seen(&self) -> bool {
        self.is_seen
    }

    pub(super) fn is_resized(&self) -> bool {
        (self.area.width, self.area.height) != self.mode
    }

    pub(super) fn take_error(&mut self) -> Option<Refused> {
        self.error.take()
    }

    /// `logical`, which begins on this output, in pixels.
    pub(super) fn to_pixels(&self, logical: Rect) -> Rect {
        let scale = self.own_scale();
        let pixel =
            |of: i32, from: i32, to: i32| to + (f64::from(of - from) * scale).round() as i32;
        let x = |of: i32| pixel(of, self.logical.x, self.area.x);
        let y = |of: i32| pixel(of, self.logical.y, self.area.y);
        let (left, top) = (x(logical.x), y(logical.y));
        let (right, bottom) = (x(logical.right()), y(logical.bottom()));
        Rect::new(left, top, (right - left).max(0) as u32, (bottom - top).max(0) as u32)
    }

    /// The middle of a pixel of this output, in logical pixels.
    pub(super) fn to_logical(&self, at: Px) -> (f64, f64) {
        let scale = self.own_scale();
        let of = |at: i32, from: i32, to: i32| f64::from(to) + (f64::from(at - from) + 0.5) / scale;
        (of(at.x, self.area.x, self.logical.x), of(at.y, self.area.y, self.logical.y))
    }

    /// Brings `part` of `frame`, which lies on this output, up to date.
    pub(super) fn copy(&self, part: Rect, frame: &mut Frame, changed: &mut Vec<Rect>) {
        let (left, width) = ((part.x - self.area.x) as usize, part.width as usize);
        let stride = 3 * self.area.width as usize;
        let mut y = (part.y - self.area.y) as usize;
        frame.update(part, changed, |line| {
            line.copy_from_slice(&self.shown[y * stride + 3 * left..][..3 * width]);
            y += 1;
        });
    }

    /// Starts to copy.
    pub(super) fn begin(&mut self, copier: &ZwlrScreencopyManagerV1, handle: &QueueHandle<State>) {
        self.round += 1;
        (self.now, self.changed, self.is_seen) = (None, None, false);
        self.shown = vec![0; 3 * self.area.width as usize * self.area.height as usize];
        self.ask(Copy::Changed, copier, handle);
        self.ask(Copy::Now, copier, handle);
    }

    fn ask(&self, which: Copy, copier: &ZwlrScreencopyManagerV1, handle: &QueueHandle<State>) {
        copier.capture_output(NO_CURSOR, &self.wl, handle, (self.index, self.round, which));
    }

    fn shared(&mut self, which: Copy) -> &mut Option<Shared> {
        match which {
            Copy::Now => &mut self.now,
            Copy::Changed => &mut self.changed,
        }
    }

    /// Takes in the rows of `part` of a copy, in pixels of the output.
    fn take_in(&mut self, which: Copy, part: Rect) -> Result<(), Refused> {
        let width = self.area.width as usize;
        let height = self.area.height;
        let is_upside_down = self.is_upside_down;
        let shared = self.shared(which).take().ok_or("a copy came that was not asked for")?;
        let (left, wide) = (part.x as usize, part.width as usize);
        let mut row = vec![0; PIXEL * wide];
        for y in part.y as u32..part.bottom() as u32 {
            let from = if is_upside_down { height - 1 - y } else { y };
            let at = u64::from(from) * u64::from(shared.stride) + (PIXEL * left) as u64;
            shared.memory.read_exact_at(&mut row, at)?;
            let line = &mut self.shown[3 * (y as usize * width + left)..][..3 * wide];
            for (rgb, pixel) in line.chunks_exact_mut(3).zip(row.chunks_exact(PIXEL)) {
                let (red, blue) = if shared.is_bgr { (2, 0) } else { (0, 2) };
                (rgb[0], rgb[1], rgb[2]) = (pixel[red], pixel[1], pixel[blue]);
            }
        }
        *self.shared(which) = Some(shared);
        Ok(())
    }
}

impl Shared {
    fn new(
        shm: &WlShm,
        handle: &QueueHandle<State>,
        format: Format,
        (width, height, stride): (u32, u32, u32),
    ) -> Result<Self, Refused> {
        let is_bgr = match format {
            Format::Xrgb8888 | Format::Argb8888 => true,
            Format::Xbgr8888 | Format::Abgr8888 => false,
            other => return Err(format!("the compositor copies pixels as {other:?}").into()),
        };
        let size = u64::from(stride) * u64::from(height);
        let memory = shared_memory(size)?;
        let pool = shm.create_pool(memory.as_fd(), i32::try_from(size)?, handle, ());
        let (width, height) = (width as i32, height as i32);
        let buffer = pool.create_buffer(0, width, height, stride as i32, format, handle, ());
        Ok(Self { memory, pool, buffer, stride, is_bgr })
    }
}

impl State {
    fn output(&mut self, index: usize) -> Option<&mut Output> {
        self.outputs.iter_mut().find(|output| output.index == index)
    }

    /// Takes in an event of a copy.
    fn copied(
        &mut self,
        copy: &ZwlrScreencopyFrameV1,
        event: zwlr_screencopy_frame_v1::Event,
        &(index, round, which): &Asked,
    ) -> Result<(), Refused> {
        use zwlr_screencopy_frame_v1::Event;

        let (handle, shm, copier) = (self.handle.clone(), self.shm.clone(), self.copier.clone());
        let Some(output) = self.output(index).filter(|output| output.round == round) else {
            if matches!(event, Event::Ready { .. } | Event::Failed) {
                copy.destroy();
            }
            return Ok(());
        };
        match event {
            Event::Buffer { format, width, height, stride } => {
                if (width, height) != (output.area.width, output.area.height) {
                    // The output has another size now, and says so too.
                    output.mode = (width, height);
                    copy.destroy();
                    return Ok(());
                }
                if output.shared(which).is_none() {
                    let WEnum::Value(format) = format else {
                        return Err("the compositor copies pixels in an unknown way".into());
                    };
                    let made = Shared::new(&shm, &handle, format, (width, height, stride))?;
                    *output.shared(which) = Some(made);
                }
                let Some(shared) = output.shared(which) else { return Ok(()) };
                match which {
                    Copy::Now => copy.copy(&shared.buffer),
                    Copy::Changed => copy.copy_with_damage(&shared.buffer),
                }
            }
            Event::Flags { flags } => {
                output.is_upside_down =
                    matches!(flags, WEnum::Value(flags) if flags.contains(Flags::YInvert));
            }
            Event::Damage { x, y, width, height } => {
                output.damaged.push(Rect::new(x as i32, y as i32, width, height));
            }
            Event::Ready { .. } => {
                copy.destroy();
                let whole = Rect::new(0, 0, output.area.width, output.area.height);
                let mut parts = std::mem::take(&mut output.damaged);
                if which == Copy::Now || output.is_upside_down {
                    parts = vec![whole];
                }
                parts = parts.into_iter().filter_map(|part| part.intersection(whole)).collect();
                for &part in &parts {
                    output.take_in(which, part)?;
                }
                output.is_seen |= which == Copy::Now;
                let (x, y) = (output.area.x, output.area.y);
                if which == Copy::Changed {
                    output.ask(which, &copier, &handle);
                }
                for part in parts {
                    self.changes.note(part.moved(x, y));
                }
            }
            Event::Failed => {
                copy.destroy();
                return Err("the compositor failed to copy an output".into());
            }
            _ => {}
        }
        Ok(())
    }
}

impl Dispatch<ZwlrScreencopyFrameV1, Asked> for State {
    fn event(
        state: &mut Self,
        copy: &ZwlrScreencopyFrameV1,
        event: zwlr_screencopy_frame_v1::Event,
        asked: &Asked,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let Err(error) = state.copied(copy, event, asked)
            && let Some(output) = state.output(asked.0)
        {
            output.error = Some(error);
        }
    }
}

impl Dispatch<WlOutput, usize> for State {
    fn event(
        state: &mut Self,
        _: &WlOutput,
        event: wl_output::Event,
        &index: &usize,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        let Some(output) = state.output(index) else { return };
        match event {
            wl_output::Event::Mode { flags, width, height, .. } => {
                let is_current = |flags: wl_output::Mode| flags.contains(wl_output::Mode::Current);
                if matches!(flags, WEnum::Value(flags) if is_current(flags)) {
                    output.mode = (width.max(0) as u32, height.max(0) as u32);
                }
            }
            wl_output::Event::Geometry { transform, .. } => {
                output.is_turned = transform != WEnum::Value(Transform::Normal);
            }
            wl_output::Event::Name { name } => output.name = name,
            _ => {}
        }
    }
}

impl Dispatch<ZxdgOutputV1, usize> for State {
    fn event(
        state: &mut Self,
        _: &ZxdgOutputV1,
        event: zxdg_output_v1::Event,
        &index: &usize,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        let Some(output) = state.output(index) else { return };
        let Rect { x, y, width, height } = output.logical;
        output.logical = match event {
            zxdg_output_v1::Event::LogicalPosition { x, y } => Rect::new(x, y, width, height),
            zxdg_output_v1::Event::LogicalSize { width, height } => {
                Rect::new(x, y, width.max(0) as u32, height.max(0) as u32)
            }
            _ => output.logical,
        };
    }
}

delegate_noop!(State: ignore WlBuffer);
delegate_noop!(State: WlShmPool);
