//! Copying what the monitors show.

use std::io;
use std::ptr::null_mut;

use windows_sys::Win32::Graphics::Gdi::{
    BI_RGB, BITMAPINFO, BITMAPINFOHEADER, BitBlt, CreateCompatibleDC, CreateDIBSection,
    DIB_RGB_COLORS, DeleteDC, DeleteObject, GdiFlush, GetDC, HBITMAP, HDC, HGDIOBJ, ReleaseDC,
    SRCCOPY, SelectObject,
};

/// Bytes of a pixel: blue, green, red, and one that says nothing.
const PIXEL: usize = 4;

/// A way to copy parts of the virtual desktop, which is kept open. It stays on the thread that opened it.
pub struct Capture {
    screen: HDC,
    memory: HDC,
    bitmap: Option<Bitmap>,
}

/// Pixels that Windows writes to and we read; the first row is the top one.
struct Bitmap {
    handle: HBITMAP,
    /// What was in the device context before.
    before: HGDIOBJ,
    bits: *const u8,
    width: u32,
    height: u32,
}

impl Capture {
    /// Opens the virtual desktop.
    ///
    /// # Errors
    /// When this program has no desktop to look at.
    pub fn open() -> io::Result<Self> {
        // SAFETY: no window stands for the whole screen; nothing is borrowed.
        let screen = unsafe { GetDC(null_mut()) };
        if screen.is_null() {
            return Err(io::Error::other("there is no screen to look at"));
        }
        // SAFETY: `screen` was opened just now.
        let memory = unsafe { CreateCompatibleDC(screen) };
        let capture = Self { screen, memory, bitmap: None };
        if memory.is_null() {
            return Err(io::Error::other("there is no memory for pictures of the screen"));
        }
        Ok(capture)
    }

    /// Copies `width` times `height` pixels of the desktop, the top left one from (`x`, `y`), to `pixels`: row by row from
    /// the top, four bytes for each pixel, which are blue, green, red, and one that says nothing. What lies off the
    /// monitors is black.
    ///
    /// Windows that are partly transparent are in the picture, the pointer is not.
    ///
    /// # Errors
    /// When Windows refuses, as it does while the screen is locked or a program asks for an administrator's consent.
    pub fn copy(
        &mut self,
        x: i32,
        y: i32,
        width: u32,
        height: u32,
        pixels: &mut Vec<u8>,
    ) -> io::Result<()> {
        pixels.clear();
        if width == 0 || height == 0 {
            return Ok(());
        }
        let fits = |bitmap: &&Bitmap| bitmap.width >= width && bitmap.height >= height;
        if self.bitmap.as_ref().filter(fits).is_none() {
            self.grow(width, height)?;
        }
        let Some(bitmap) = &self.bitmap else { return Ok(()) };
        let (columns, rows) = (width as i32, height as i32);
        // CAPTUREBLT would make the pointer flicker, and has not been needed for transparent windows since Windows 8.
        // SAFETY: both device contexts are open as long as `self`, and that in memory has a bitmap of this size or more.
        let copied =
            unsafe { BitBlt(self.memory, 0, 0, columns, rows, self.screen, x, y, SRCCOPY) };
        if copied == 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: it takes nothing. Without it Windows may still be writing.
        unsafe { GdiFlush() };
        let (row, stride) = (PIXEL * width as usize, PIXEL * bitmap.width as usize);
        pixels.reserve(row * height as usize);
        for line in 0..height as usize {
            // SAFETY: the bitmap has `bitmap.height >= height` rows of `stride >= row` bytes, lives as long as `self.bitmap`,
            // and is written only by `BitBlt` above, which needs `&mut self`.
            let line = unsafe { std::slice::from_raw_parts(bitmap.bits.add(line * stride), row) };
            pixels.extend_from_slice(line);
        }
        Ok(())
    }

    /// Makes a bitmap that is large enough, and no smaller than the one before.
    fn grow(&mut self, width: u32, height: u32) -> io::Result<()> {
        let before = self.bitmap.as_ref().map_or((0, 0), |bitmap| (bitmap.width, bitmap.height));
        self.drop_bitmap();
        let (width, height) = (width.max(before.0), height.max(before.1));
        let too_large = || io::Error::other("the area is too large");
        let header = BITMAPINFOHEADER {
            biSize: size_of::<BITMAPINFOHEADER>() as u32,
            biWidth: width.try_into().map_err(|_| too_large())?,
            // Negative: the first row is the top one.
            biHeight: -i32::try_from(height).map_err(|_| too_large())?,
            biPlanes: 1,
            biBitCount: 8 * PIXEL as u16,
            biCompression: BI_RGB,
            ..Default::default()
        };
        let info = BITMAPINFO { bmiHeader: header, ..Default::default() };
        let mut bits = null_mut();
        // SAFETY: `info` and `bits` live through the call; with no file mapping Windows allocates the pixels itself.
        let handle = unsafe {
            CreateDIBSection(self.screen, &info, DIB_RGB_COLORS, &mut bits, null_mut(), 0)
        };
        if handle.is_null() || bits.is_null() {
            return Err(io::Error::other(format!("no memory for {width} times {height} pixels")));
        }
        // SAFETY: both were made just now; the bitmap is in no other device context.
        let before = unsafe { SelectObject(self.memory, handle) };
        self.bitmap = Some(Bitmap { handle, before, bits: bits.cast(), width, height });
        Ok(())
    }

    fn drop_bitmap(&mut self) {
        let Some(bitmap) = self.bitmap.take() else { return };
        // SAFETY: the bitmap is in this device context, from which it is taken out first; nothing points to its pixels any
        // more, since only `bitmap` did.
        unsafe {
            SelectObject(self.memory, bitmap.before);
            DeleteObject(bitmap.handle);
        }
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.drop_bitmap();
        // SAFETY: both were opened by `open` on this thread, and nothing uses them any more.
        unsafe {
            if !self.memory.is_null() {
                DeleteDC(self.memory);
            }
            ReleaseDC(null_mut(), self.screen);
        }
    }
}
