//! The windows that lie on the desktop itself, and what Windows says of each.
//!
//! A window is named by its handle. Of a handle 32 bits mean something, in programs of 64 bits too.

use std::collections::HashMap;
use std::ffi::c_void;
use std::io;

use windows_sys::Win32::Foundation::{HWND, LPARAM, POINT, RECT, TRUE};
use windows_sys::Win32::Graphics::Dwm::{
    DWMWA_CLOAKED, DWMWA_EXTENDED_FRAME_BOUNDS, DwmGetWindowAttribute,
};
use windows_sys::Win32::UI::WindowsAndMessaging::{
    EnumWindows, GA_ROOT, GA_ROOTOWNER, GW_HWNDPREV, GWL_EXSTYLE, GWL_STYLE, GetAncestor,
    GetClassNameW, GetForegroundWindow, GetWindow, GetWindowLongPtrW, GetWindowRect,
    GetWindowTextW, GetWindowThreadProcessId, SetForegroundWindow, WS_EX_LAYERED,
    WS_EX_TRANSPARENT, WS_MINIMIZE, WS_VISIBLE, WindowFromPoint,
};
use windows_sys::core::BOOL;

use crate::Rect;
use crate::process::program;
use crate::text::from_wide;

/// So much of a title or of the name of a class is looked at, in UTF-16 units.
const LONGEST_NAME: usize = 512;

/// A window that is shown, at least as an entry in the taskbar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Window {
    /// Its handle.
    pub handle: u32,
    /// Its title; empty where it has none.
    pub title: String,
    /// The file name of its program without `.exe`; the name of its class where the program does not say.
    pub app: String,
    /// The number of its process.
    pub process: u32,
    /// The part of the desktop that it takes, with its frame and without its shadow.
    pub rect: Rect,
    /// Whether it is minimised.
    pub minimized: bool,
    /// Whether Windows keeps it from the screen, as those of another virtual desktop.
    pub cloaked: bool,
    /// Whether clicks go through it.
    pub lets_clicks_through: bool,
    /// The window that it belongs to in the end, as a dialog does, hidden or not; its own handle where it belongs to none.
    pub root_owner: u32,
}

/// All windows that are shown, the front-most first.
///
/// # Errors
/// When Windows does not list them.
pub fn windows() -> io::Result<Vec<Window>> {
    let mut programs = HashMap::new();
    Ok(all()?.into_iter().filter_map(|window| described(window, &mut programs)).collect())
}

/// The windows that are shown in front of the window `handle`, the front-most first. Of the others nothing is asked.
///
/// # Errors
/// When Windows does not list them.
pub fn in_front_of(handle: u32) -> io::Result<Vec<Window>> {
    let (own, mut programs) = (to_hwnd(handle), HashMap::new());
    // Mostly there is nothing, which is one question.
    // SAFETY: a handle of no window is refused.
    if unsafe { GetWindow(own, GW_HWNDPREV) }.is_null() {
        return Ok(Vec::new());
    }
    let in_front = all()?.into_iter().take_while(|&window| window != own);
    Ok(in_front.filter_map(|window| described(window, &mut programs)).collect())
}

/// All windows that lie on the desktop itself, hidden ones too, the front-most first.
fn all() -> io::Result<Vec<HWND>> {
    let mut handles: Vec<HWND> = Vec::new();
    // SAFETY: `note` is called during this call only, on this thread, with the address of `handles`.
    if unsafe { EnumWindows(Some(note), &raw mut handles as LPARAM) } == 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(handles)
}

/// Takes note of a window.
///
/// # Safety
/// `handles` is the address of a `Vec<HWND>` that nobody else uses.
unsafe extern "system" fn note(window: HWND, handles: LPARAM) -> BOOL {
    // SAFETY: as the caller promises.
    let handles = unsafe { &mut *(handles as *mut Vec<HWND>) };
    handles.push(window);
    TRUE
}

/// What Windows says of the window `handle`; nothing when it is closed or hidden.
pub fn window(handle: u32) -> Option<Window> {
    described(to_hwnd(handle), &mut HashMap::new())
}

/// Where the window `handle` is; nothing when it is closed, hidden, minimised or kept from the screen.
pub fn place(handle: u32) -> Option<Rect> {
    let window = to_hwnd(handle);
    match Shown::of(window)? {
        Shown { minimized: false } if !is_cloaked(window) => rect(window, false),
        _ => None,
    }
}

/// The window that would get a click at (`x`, `y`).
pub fn window_at(x: i32, y: i32) -> Option<u32> {
    windows_at([(x, y)]).next()?
}

/// The windows that would get clicks at these places, one after the other.
pub fn windows_at(
    places: impl IntoIterator<Item = (i32, i32)>,
) -> impl Iterator<Item = Option<u32>> {
    // Mostly it is one and the same.
    let mut last = None;
    places.into_iter().map(move |(x, y)| {
        // SAFETY: it takes numbers.
        let there = unsafe { WindowFromPoint(POINT { x, y }) };
        match last {
            Some((same, root)) if same == there => root,
            _ => last.insert((there, root(there))).1,
        }
    })
}

/// The window that gets the keys; nothing while none has them.
pub fn foreground() -> Option<u32> {
    // SAFETY: it takes nothing.
    root(unsafe { GetForegroundWindow() })
}

/// Asks for the keys for the window `handle`. Returns whether Windows agreed: it may refuse a program that nobody just used.
pub fn activate(handle: u32) -> bool {
    // SAFETY: a handle of no window is refused.
    unsafe { SetForegroundWindow(to_hwnd(handle)) != 0 }
}

/// The window on the desktop itself that `window` is a part of.
fn root(window: HWND) -> Option<u32> {
    if window.is_null() {
        return None;
    }
    // SAFETY: a handle of no window is refused.
    let root = unsafe { GetAncestor(window, GA_ROOT) };
    // It may be closed by now.
    (!root.is_null()).then(|| to_handle(root))
}

fn described(window: HWND, programs: &mut HashMap<u32, Option<String>>) -> Option<Window> {
    let Shown { minimized } = Shown::of(window)?;
    let rect = rect(window, minimized)?;
    let mut process = 0;
    // SAFETY: `process` lives through the call; a handle of no window is refused.
    unsafe { GetWindowThreadProcessId(window, &mut process) };
    let app = programs.entry(process).or_insert_with(|| program(process)).clone();
    // SAFETY: a handle of no window is refused, here and below.
    let style = unsafe { GetWindowLongPtrW(window, GWL_EXSTYLE) } as u32;
    let through = WS_EX_LAYERED | WS_EX_TRANSPARENT;
    // SAFETY: as above.
    let owner = unsafe { GetAncestor(window, GA_ROOTOWNER) };
    Some(Window {
        handle: to_handle(window),
        title: title(window),
        app: app.unwrap_or_else(|| class(window)),
        process,
        rect,
        minimized,
        cloaked: is_cloaked(window),
        lets_clicks_through: style & through == through,
        root_owner: to_handle(if owner.is_null() { window } else { owner }),
    })
}

fn title(window: HWND) -> String {
    let mut letters = [0; LONGEST_NAME];
    // SAFETY: the length is that of `letters`. Of a window of another process Windows tells what it knows, and asks nobody.
    unsafe { GetWindowTextW(window, letters.as_mut_ptr(), letters.len() as i32) };
    from_wide(&letters)
}

fn class(window: HWND) -> String {
    let mut letters = [0; LONGEST_NAME];
    // SAFETY: the length is that of `letters`.
    unsafe { GetClassNameW(window, letters.as_mut_ptr(), letters.len() as i32) };
    from_wide(&letters)
}

/// A window that is there and not hidden.
struct Shown {
    minimized: bool,
}

impl Shown {
    /// Nothing when there is no such window, or it is hidden.
    fn of(window: HWND) -> Option<Self> {
        // One question for all: each may be a journey to another process.
        // SAFETY: a handle of no window has no style.
        let style = unsafe { GetWindowLongPtrW(window, GWL_STYLE) } as u32;
        (style & WS_VISIBLE != 0).then_some(Self { minimized: style & WS_MINIMIZE != 0 })
    }
}

fn is_cloaked(window: HWND) -> bool {
    attribute(window, DWMWA_CLOAKED as u32).is_some_and(|by: u32| by != 0)
}

/// The window without its shadow, where the Desktop Window Manager says that; else with the room in which it lies.
fn rect(window: HWND, minimized: bool) -> Option<Rect> {
    let refined = || attribute(window, DWMWA_EXTENDED_FRAME_BOUNDS as u32);
    // The manager speaks of minimised windows as they were.
    if let Some(rect) = (!minimized).then(refined).flatten() {
        return Some(Rect::of(rect));
    }
    let mut rect = RECT::default();
    // SAFETY: `rect` lives through the call; a handle of no window is refused.
    (unsafe { GetWindowRect(window, &mut rect) } != 0).then(|| Rect::of(rect))
}

/// What the Desktop Window Manager may be asked for: bytes of which every pattern means something.
trait Attribute: Default {}
impl Attribute for u32 {}
impl Attribute for RECT {}

/// What the Desktop Window Manager says of a window; nothing where it does not answer, as under Wine.
fn attribute<T: Attribute>(window: HWND, which: u32) -> Option<T> {
    let mut value = T::default();
    let size = size_of::<T>() as u32;
    let room: *mut c_void = (&raw mut value).cast();
    // SAFETY: `value` lives through the call and has `size` bytes, of which every pattern is a value.
    (unsafe { DwmGetWindowAttribute(window, which, room, size) } >= 0).then_some(value)
}

fn to_hwnd(handle: u32) -> HWND {
    handle as i32 as isize as HWND
}

fn to_handle(window: HWND) -> u32 {
    window as usize as u32
}
