//! What PipeWire sends of the monitors: a thread that keeps the newest picture of each.
//!
//! The picture stays in the buffer that it came in, which the compositor does not write to until it is given back. Only what is
//! asked for is copied.

use std::cell::{Cell, RefCell};
use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::sync::{Arc, Condvar, Mutex, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use image::RgbImage;
use pipewire::buffer::Buffer;
use pipewire::channel;
use pipewire::context::ContextRc;
use pipewire::loop_::Timeout;
use pipewire::main_loop::MainLoopRc;
use pipewire::properties::properties;
use pipewire::spa::buffer::ChunkFlags;
use pipewire::spa::buffer::meta::{MetaCursor, MetaVideoDamage};
use pipewire::spa::param::ParamType;
use pipewire::spa::param::video::{VideoFormat, VideoInfoRaw};
use pipewire::spa::pod::Pod;
use pipewire::spa::utils::Direction;
use pipewire::stream::{Stream, StreamBox, StreamFlags, StreamListener, StreamState};

use super::format;
use crate::geometry::{Px, Rect};

/// So many of the newest frames are remembered by where they differ from the one before.
const REMEMBERED: usize = 32;

/// The pictures of the monitors as they come.
pub(super) struct Cast {
    orders: channel::Sender<Order>,
    news: Arc<News>,
    thread: Option<JoinHandle<()>>,
}

/// What is wanted of the thread that has the pictures.
enum Order {
    /// A copy of a part of the newest picture of a stream, both in the stream's pixels.
    Copy { stream: usize, area: Rect, to: mpsc::Sender<RgbImage> },
    /// To end.
    End,
}

/// What is known of each stream, and a way to wait until that changes.
struct News {
    streams: Mutex<Vec<Known>>,
    changed: Condvar,
}

/// What is known of a stream.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// How many pictures came.
    pub(super) frames: u64,
    /// How large they are, in pixels, from (0, 0) on.
    pub(super) area: Option<Rect>,
    /// Where the pointer is, in pixels of the stream; nothing when it is elsewhere, or that is not told.
    pub(super) pointer: Option<Px>,
    /// Where the newest pictures differ from those before, the newest last. A picture that does not tell that differs everywhere.
    damage: Vec<Option<Vec<Rect>>>,
    /// Why no more will come.
    pub(super) over: Option<String>,
}

impl Known {
    /// Where the newest picture may differ from that with number `then`; nothing where that is not known.
    pub(super) fn damage_since(&self, then: u64) -> Option<Vec<Rect>> {
        let since = usize::try_from(self.frames.saturating_sub(then)).ok()?;
        let first = self.damage.len().checked_sub(since)?;
        let parts: Option<Vec<&Vec<Rect>>> =
            self.damage[first..].iter().map(Option::as_ref).collect();
        Some(parts?.into_iter().flatten().copied().collect())
    }

    /// A picture came.
    fn note_frame(&mut self, damage: Option<Vec<Rect>>) {
        self.frames += 1;
        if self.damage.len() == REMEMBERED {
            self.damage.remove(0);
        }
        self.damage.push(damage);
    }
}

impl News {
    fn tell<T>(&self, how: impl FnOnce(&mut Vec<Known>) -> T) -> T {
        let told = how(&mut self.streams.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
        told
    }

    fn end(&self, why: &str) {
        self.tell(|streams| {
            for known in streams {
                known.over.get_or_insert_with(|| why.to_owned());
            }
        });
    }
}

impl Cast {
    /// Receives the streams of these nodes over the connection `remote` to PipeWire.
    pub(super) fn start(remote: OwnedFd, nodes: Vec<u32>) -> Self {
        let streams = Mutex::new(vec![Known::default(); nodes.len()]);
        let news = Arc::new(News { streams, changed: Condvar::new() });
        let (orders, received) = channel::channel();
        let told = news.clone();
        let thread = thread::spawn(move || {
            let ended = receive(remote, &nodes, &told, received);
            told.end(
                &ended.map_or_else(|error| error.to_string(), |()| "it was stopped".to_owned()),
            );
        });
        Self { orders, news, thread: Some(thread) }
    }

    /// What `wanted` takes of that which is known of this stream.
    pub(super) fn known<T>(&self, stream: usize, wanted: impl FnOnce(&Known) -> T) -> T {
        wanted(&self.news.streams.lock().unwrap_or_else(PoisonError::into_inner)[stream])
    }

    /// Waits until `enough` is known of this stream, but not beyond `deadline`, and returns what is known then.
    pub(super) fn wait(
        &self,
        stream: usize,
        deadline: Instant,
        enough: impl Fn(&Known) -> bool,
    ) -> Known {
        let mut streams = self.news.streams.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let known = &streams[stream];
            let left = deadline.saturating_duration_since(Instant::now());
            if enough(known) || known.over.is_some() || left.is_zero() {
                return known.clone();
            }
            let woken = self.news.changed.wait_timeout(streams, left);
            streams = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Copies a part of the newest picture of a stream, both in the stream's pixels; nothing when no picture has all of it.
    pub(super) fn copy(&self, stream: usize, area: Rect) -> Option<RgbImage> {
        let (to, copied) = mpsc::channel();
        self.orders.send(Order::Copy { stream, area, to }).ok()?;
        copied.recv().ok()
    }
}

impl Drop for Cast {
    fn drop(&mut self) {
        // When nobody takes the order, the thread has ended before.
        let _ = self.orders.send(Order::End);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::warn!("the thread that receives pictures has panicked");
        }
    }
}

/// The state of a stream that its callbacks change.
#[derive(Default)]
struct Negotiated {
    /// What the pictures are like.
    format: Cell<Option<VideoInfoRaw>>,
    /// Whether buffers were taken away since this was last asked.
    buffers_went: Cell<bool>,
}

/// Receives pictures until it is told to end.
fn receive(
    remote: OwnedFd,
    nodes: &[u32],
    news: &Arc<News>,
    orders: channel::Receiver<Order>,
) -> Result<(), pipewire::Error> {
    pipewire::init();
    let main_loop = MainLoopRc::new(None)?;
    let context = ContextRc::new(&main_loop, None)?;
    let core = context.connect_fd_rc(remote, None)?;
    let connection_ended = news.clone();
    let _errors =
        core.add_listener_local().error(move |_, _, _, why| connection_ended.end(why)).register();
    let open = Rc::new(RefCell::new(Vec::new()));
    let opened = open.clone();
    let _attached = orders.attach(main_loop.loop_(), move |order| opened.borrow_mut().push(order));

    let mut streams = Vec::new();
    for _ in nodes {
        let what = properties! {
            *pipewire::keys::MEDIA_TYPE => "Video",
            *pipewire::keys::MEDIA_CATEGORY => "Capture",
            *pipewire::keys::MEDIA_ROLE => "Screen",
        };
        streams.push(StreamBox::new(&core, "minescraper", what)?);
    }
    let negotiated: Vec<Rc<Negotiated>> = nodes.iter().map(|_| Rc::default()).collect();
    let mut listeners = Vec::new();
    for (index, (stream, &node)) in streams.iter().zip(nodes).enumerate() {
        listeners.push(listen(stream, index, &negotiated[index], news)?);
        let (autoconnect, map) = (StreamFlags::AUTOCONNECT, StreamFlags::MAP_BUFFERS);
        let formats = format::wanted();
        let mut params: Vec<&Pod> = Pod::from_bytes(&formats).into_iter().collect();
        stream.connect(Direction::Input, Some(node), autoconnect | map, &mut params)?;
    }

    let mut kept: Vec<Option<Buffer<'_>>> = nodes.iter().map(|_| None).collect();
    loop {
        main_loop.loop_().iterate(Timeout::Infinite);
        for (index, stream) in streams.iter().enumerate() {
            if negotiated[index].buffers_went.take()
                && let Some(gone) = kept[index].take()
            {
                // There is nothing to give back any more.
                std::mem::forget(gone);
            }
            while let Some(buffer) = stream.dequeue_buffer() {
                take(buffer, &mut kept[index], index, news);
            }
        }
        for order in open.take() {
            match order {
                Order::End => return Ok(()),
                Order::Copy { stream, area, to } => {
                    let format = negotiated[stream].format.get();
                    let copied = kept[stream].as_mut().zip(format);
                    let copied = copied.and_then(|(buffer, format)| copy(buffer, format, area));
                    // Whoever asked may have ended meanwhile.
                    copied.map(|copied| to.send(copied));
                }
            }
        }
    }
}

/// Follows what becomes of a stream.
fn listen(
    stream: &Stream,
    index: usize,
    negotiated: &Rc<Negotiated>,
    news: &Arc<News>,
) -> Result<StreamListener<()>, pipewire::Error> {
    let (formatted, taken) = (negotiated.clone(), negotiated.clone());
    let (told, ended) = (news.clone(), news.clone());
    stream
        .add_local_listener()
        .state_changed(move |_, (), _, now| {
            let why = match now {
                StreamState::Error(why) => why,
                StreamState::Unconnected => "the desktop ended it".to_owned(),
                _ => return,
            };
            ended.tell(|streams| _ = streams[index].over.get_or_insert(why));
        })
        .param_changed(move |stream, (), id, param| {
            let Some(param) = param.filter(|_| id == ParamType::Format.as_raw()) else { return };
            let mut format = VideoInfoRaw::new();
            if format.parse(param).is_err() {
                return;
            }
            let (width, height) = (format.size().width, format.size().height);
            formatted.format.set(Some(format));
            told.tell(|streams| streams[index].area = Some(Rect::new(0, 0, width, height)));
            let serialized = format::wanted_buffers();
            let mut params: Vec<&Pod> =
                serialized.iter().filter_map(|bytes| Pod::from_bytes(bytes)).collect();
            if let Err(error) = stream.update_params(&mut params) {
                log::warn!("cannot agree on buffers for pictures: {error}");
            }
        })
        .remove_buffer(move |_, (), _| taken.buffers_went.set(true))
        .register()
}

/// Looks what came in `buffer`, and keeps it if it is a picture.
fn take<'s>(mut buffer: Buffer<'s>, kept: &mut Option<Buffer<'s>>, index: usize, news: &News) {
    // The place is that of the tip; an id of 0 says that the pointer is not on this monitor.
    let pointer = buffer.find_meta::<MetaCursor>().map(|cursor| {
        let at = cursor.position();
        (cursor.id() != 0).then(|| Px::new(at.x, at.y))
    });
    let damage = buffer.find_meta::<MetaVideoDamage>().map(|damage| {
        let part = |region: &pipewire::spa::buffer::meta::MetaRegion| {
            let (at, size) = (region.position(), region.size());
            Rect::new(at.x, at.y, size.width, size.height)
        };
        damage.iter().map(part).collect::<Vec<_>>()
    });
    // A buffer without a picture only tells where the pointer is.
    let is_picture = buffer.datas_mut().first().is_some_and(|data| {
        data.chunk().size() > 0 && !data.chunk().flags().contains(ChunkFlags::CORRUPTED)
    });
    if is_picture {
        *kept = Some(buffer);
    }
    news.tell(|streams| {
        let known = &mut streams[index];
        if let Some(pointer) = pointer {
            known.pointer = pointer;
        }
        if is_picture {
            known.note_frame(damage.filter(|parts| !parts.is_empty()));
        }
    });
}

/// Copies `area` of the picture in `buffer`.
fn copy(buffer: &mut Buffer<'_>, format: VideoInfoRaw, area: Rect) -> Option<RgbImage> {
    let size = format.size();
    if !Rect::new(0, 0, size.width, size.height).encloses(area) {
        return None;
    }
    let data = buffer.datas_mut().first_mut()?;
    let (offset, stride) = (data.chunk().offset() as usize, data.chunk().stride());
    let stride = usize::try_from(stride).ok()?;
    let pixels = data.data()?;
    let (red, blue) = match format.format() {
        VideoFormat::RGBx | VideoFormat::RGBA => (0, 2),
        _ => (2, 0),
    };
    let (x, y) = (area.x as usize, area.y as usize);
    let (width, height) = (area.width as usize, area.height as usize);
    let mut copied = Vec::with_capacity(3 * width * height);
    for row in y..y + height {
        let start = offset + row * stride + 4 * x;
        let row = pixels.get(start..start + 4 * width)?;
        copied.extend(row.chunks_exact(4).flat_map(|pixel| [pixel[red], pixel[1], pixel[blue]]));
    }
    RgbImage::from_raw(area.width, area.height, copied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_damage_of_several_frames_is_that_of_each_as_long_as_all_is_known() {
        let mut known = Known::default();
        let part = |x| Rect::new(x, 0, 1, 1);
        known.note_frame(Some(vec![part(1)]));
        known.note_frame(Some(vec![part(2), part(3)]));
        assert_eq!(known.damage_since(2), Some(vec![]));
        assert_eq!(known.damage_since(1), Some(vec![part(2), part(3)]));
        assert_eq!(known.damage_since(0), Some(vec![part(1), part(2), part(3)]));

        known.note_frame(None);
        assert_eq!(known.damage_since(2), None);
        for x in 0..REMEMBERED as i32 {
            known.note_frame(Some(vec![part(x)]));
        }
        assert_eq!(known.damage_since(3).map(|parts| parts.len()), Some(REMEMBERED));
        assert_eq!(known.damage_since(2), None);
    }
}
