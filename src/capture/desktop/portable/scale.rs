//! Points and pixels: the one place that knows that some systems measure windows in something else.
//!
//! X11 measures in physical pixels. macOS measures windows and the pointer in
//! points but draws pictures in physical pixels. Everything outside this folder and
//! [`DesktopHands`](crate::input::desktop::DesktopHands) knows physical pixels only: points times the
//! main display's pixels per point. A second display with another number is scaled to the first's, so
//! that one space covers all of them.

use crate::geometry::Rect;

/// Physical pixels per unit of window geometry and of the pointer's place: 1, except on macOS.
pub(crate) fn pixels_per_point() -> u32 {
    if !cfg!(target_os = "macos") {
        return 1;
    }
    let monitors = xcap::Monitor::all().unwrap_or_default();
    let main = monitors.iter().find(|monitor| monitor.is_primary().unwrap_or(false));
    main.and_then(|monitor| monitor.scale_factor().ok())
        .map_or(1, |scale| scale.round().max(1.0) as u32)
}

/// `area` in points as physical pixels.
pub(super) fn to_pixels(area: Rect, scale: u32) -> Rect {
    let by = scale as i32;
    Rect::new(area.x * by, area.y * by, area.width * scale, area.height * scale)
}

/// The smallest area in whole points that encloses `area` in physical pixels.
pub(super) fn to_points(area: Rect, scale: u32) -> Rect {
    let by = scale as i32;
    let (x, y) = (area.x.div_euclid(by), area.y.div_euclid(by));
    let right = (area.right() + by - 1).div_euclid(by);
    let bottom = (area.bottom() + by - 1).div_euclid(by);
    Rect::new(x, y, (right - x) as u32, (bottom - y) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_enclose_the_pixels_they_stand_for() {
        assert_eq!(
            to_points(Rect::new(-3, 5, 4, 1), 2),
            Rect::new(-2, 2, 3, 1),
            "from -3 to 1 and from 5 to 6 in pixels"
        );
        let area = Rect::new(7, -9, 31, 2);
        assert_eq!(to_points(area, 1), area);
        assert!(to_pixels(to_points(area, 2), 2).encloses(area));
    }
}
