//! The monitors.

use std::io;
use std::ptr::{null, null_mut};

use windows_sys::Win32::Foundation::{LPARAM, RECT, TRUE};
use windows_sys::Win32::Graphics::Gdi::{
    EnumDisplayMonitors, GetMonitorInfoW, HDC, HMONITOR, MONITORINFOEXW,
};
use windows_sys::Win32::UI::HiDpi::{
    DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2, GetDpiForMonitor, MDT_EFFECTIVE_DPI,
    SetProcessDpiAwarenessContext,
};
use windows_sys::Win32::UI::WindowsAndMessaging::USER_DEFAULT_SCREEN_DPI;
use windows_sys::core::BOOL;

use crate::Rect;
use crate::text::from_wide;

/// A monitor.
#[derive(Clone, PartialEq, Debug)]
pub struct Monitor {
    /// Its device, as in `\\.\DISPLAY1`.
    pub name: String,
    /// The part of the desktop that it shows.
    pub rect: Rect,
    /// How much larger than usual programs draw on it; 1 where Windows does not say.
    pub scale: f32,
}

/// All monitors, in the order of Windows.
///
/// # Errors
/// When Windows lists none.
pub fn monitors() -> io::Result<Vec<Monitor>> {
    Ok(listed()?.into_iter().filter_map(|(handle, _)| monitor(handle)).collect())
}

/// The whole virtual desktop: all that lies between the outermost edges of its monitors.
///
/// # Errors
/// When Windows lists no monitors.
pub fn screen() -> io::Result<Rect> {
    // Its four edges would be four questions.
    let around = |a: RECT, b: RECT| RECT {
        left: a.left.min(b.left),
        top: a.top.min(b.top),
        right: a.right.max(b.right),
        bottom: a.bottom.max(b.bottom),
    };
    let all = listed()?.into_iter().map(|(_, rect)| rect).reduce(around);
    all.map(Rect::of).ok_or_else(|| io::Error::other("no monitor is switched on"))
}

/// All monitors, each with the part of the desktop that it shows.
fn listed() -> io::Result<Vec<(HMONITOR, RECT)>> {
    let mut monitors: Vec<(HMONITOR, RECT)> = Vec::new();
    let told = &raw mut monitors as LPARAM;
    // SAFETY: `note` is called during this call only, on this thread, with the address of `monitors`.
    if unsafe { EnumDisplayMonitors(null_mut(), null(), Some(note), told) } == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(monitors)
}

/// Takes note of a monitor.
///
/// # Safety
/// `monitors` is the address of a `Vec<(HMONITOR, RECT)>` that nobody else uses, and `rect` that of a rectangle.
unsafe extern "system" fn note(
    monitor: HMONITOR,
    _: HDC,
    rect: *mut RECT,
    monitors: LPARAM,
) -> BOOL {
    // SAFETY: as the caller promises.
    let (monitors, rect) = unsafe { (&mut *(monitors as *mut Vec<(HMONITOR, RECT)>), *rect) };
    monitors.push((monitor, rect));
    TRUE
}

/// What Windows says of a monitor; nothing when it was unplugged meanwhile.
fn monitor(handle: HMONITOR) -> Option<Monitor> {
    let mut info = MONITORINFOEXW::default();
    info.monitorInfo.cbSize = size_of::<MONITORINFOEXW>() as u32;
    // SAFETY: the size tells Windows that there is room for the name too.
    if unsafe { GetMonitorInfoW(handle, (&raw mut info).cast()) } == 0 {
        return None;
    }
    let (mut dpi, mut vertical) = (0, 0);
    // SAFETY: both numbers live through the call.
    let told = unsafe { GetDpiForMonitor(handle, MDT_EFFECTIVE_DPI, &mut dpi, &mut vertical) };
    let is_told = told >= 0 && dpi > 0;
    let scale = if is_told { dpi as f32 / USER_DEFAULT_SCREEN_DPI as f32 } else { 1.0 };
    let rect = Rect::of(info.monitorInfo.rcMonitor);
    Some(Monitor { name: from_wide(&info.szDevice), rect, scale })
}

/// Asks Windows to speak of physical pixels on every monitor. To be called before anything else here; not needed by a program
/// whose manifest says so.
///
/// # Errors
/// When it was asked before, as by a manifest.
pub fn ask_for_pixels() -> io::Result<()> {
    // SAFETY: it takes a constant.
    let done = unsafe { SetProcessDpiAwarenessContext(DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2) };
    if done == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
