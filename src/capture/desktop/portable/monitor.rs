//! The monitors: which there are, and what they show, one of them or all together.

use image::{RgbImage, RgbaImage, imageops};
use xcap::XCapError;

use super::scale::{pixels_per_point, to_pixels, to_points};
use crate::capture::desktop::{MonitorInfo, check_named, no_display};
use crate::capture::{CaptureError, Frame};
use crate::geometry::{Px, Rect};

/// A monitor and the part of the desktop it shows, in physical pixels.
pub(super) struct Monitor {
    inner: xcap::Monitor,
    pub(super) area: Rect,
    scale: u32,
}

impl Monitor {
    /// All monitors; never none.
    pub(super) fn all() -> Result<Vec<Self>, CaptureError> {
        // Without a name xcap would look up a host called DISPLAY on the network.
        check_named()?;
        let scale = pixels_per_point();
        let monitors: Vec<_> = xcap::Monitor::all()
            .map_err(no_display)?
            .into_iter()
            .filter_map(|inner| match area(&inner, scale) {
                Ok(area) => Some(Self { inner, area, scale }),
                Err(error) => {
                    log::debug!("a monitor does not say where it is: {error}");
                    None
                }
            })
            .collect();
        if monitors.is_empty() {
            return Err(no_display("no monitor is switched on"));
        }
        Ok(monitors)
    }

    /// What the desktop says of it.
    pub(super) fn info(&self) -> MonitorInfo {
        MonitorInfo {
            name: self.inner.name().unwrap_or_default(),
            area: self.area,
            scale: self.inner.scale_factor().unwrap_or(1.0),
        }
    }

    /// The pixels of `wanted`, which lies on this monitor.
    fn copy(&self, wanted: Rect) -> Result<RgbImage, XCapError> {
        let points = to_points(wanted, self.scale);
        let origin = to_points(self.area, self.scale);
        let (x, y) = ((points.x - origin.x) as u32, (points.y - origin.y) as u32);
        let copied = match self.inner.capture_region(x, y, points.width, points.height) {
            // On a scaled X11 desktop (Xft.dpi other than 96) xcap takes the region in pixels but checks
            // it against a size in points, and refuses what lies beyond: then copy the whole.
            Err(XCapError::InvalidCaptureRegion(_)) => {
                let whole = self.inner.capture_image()?;
                imageops::crop_imm(&whole, x, y, points.width, points.height).to_image()
            }
            copied => copied?,
        };
        let copied = fit(copied, points.width * self.scale, points.height * self.scale);
        let got = to_pixels(points, self.scale);
        let (x, y) = ((wanted.x - got.x) as u32, (wanted.y - got.y) as u32);
        let opaque = image::DynamicImage::ImageRgba8(copied).into_rgb8();
        if (opaque.width(), opaque.height()) == (wanted.width, wanted.height) {
            return Ok(opaque);
        }
        Ok(imageops::crop_imm(&opaque, x, y, wanted.width, wanted.height).to_image())
    }
}

/// A picture from a monitor with other pixels per point than the main one, at the main one's.
fn fit(picture: RgbaImage, width: u32, height: u32) -> RgbaImage {
    if picture.dimensions() == (width, height) {
        return picture;
    }
    imageops::resize(&picture, width, height, imageops::FilterType::Nearest)
}

/// The part of the desktop that a monitor shows, in physical pixels.
fn area(monitor: &xcap::Monitor, scale: u32) -> Result<Rect, XCapError> {
    let told = Rect::new(monitor.x()?, monitor.y()?, monitor.width()?, monitor.height()?);
    if cfg!(target_os = "macos") {
        return Ok(to_pixels(told, scale));
    }
    let divided_by = monitor.scale_factor()?;
    if divided_by == 1.0 {
        return Ok(told);
    }
    // On a scaled X11 desktop xcap divides places and sizes by the scale and drops the fraction. The
    // true size is that of the picture; the place of a monitor that is not at 0 may be off by a pixel.
    let picture = monitor.capture_image()?;
    let undone = |told: i32| (told as f32 * divided_by).ceil() as i32;
    Ok(Rect::new(undone(told.x), undone(told.y), picture.width(), picture.height()))
}

/// What `monitors` show of `area`; between the monitors there is black.
pub(super) fn look_at(monitors: &[Monitor], area: Rect) -> Result<Frame, CaptureError> {
    let copy = |monitor: &Monitor, part: Rect| {
        monitor
            .copy(part)
            .map_err(|error| CaptureError::Refused { area: part, source: error.into() })
    };
    let parts: Vec<_> = monitors
        .iter()
        .filter_map(|monitor| Some((monitor, monitor.area.intersection(area)?)))
        .collect();
    let (first, rest) = parts.split_first().ok_or(CaptureError::OutOfSight { area })?;
    if rest.is_empty() {
        let (monitor, part) = *first;
        return Ok(Frame::new(Px::new(part.x, part.y), copy(monitor, part)?));
    }
    let whole = rest.iter().fold(first.1, |whole, (_, part)| whole.around(*part));
    let mut pixels = RgbImage::new(whole.width, whole.height);
    for (monitor, part) in parts {
        let (x, y) = (part.x - whole.x, part.y - whole.y);
        imageops::replace(&mut pixels, &copy(monitor, part)?, x.into(), y.into());
    }
    Ok(Frame::new(Px::new(whole.x, whole.y), pixels))
}
