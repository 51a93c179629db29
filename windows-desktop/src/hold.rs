//! One player at a time.

use std::io;
use std::ptr::null;

use windows_sys::Win32::Foundation::{
    CloseHandle, ERROR_ALREADY_EXISTS, GetLastError, HANDLE, INVALID_HANDLE_VALUE,
};
use windows_sys::Win32::System::Memory::{
    CreateFileMappingW, FILE_MAP_READ, FILE_MAP_WRITE, MEMORY_MAPPED_VIEW_ADDRESS, MapViewOfFile,
    OpenFileMappingW, PAGE_READWRITE, UnmapViewOfFile,
};

use crate::text::to_wide;

/// Room for the name of who has it.
const ROOM: usize = 256;

/// Something of which there is one in the session of a user, as the mouse. It is let go when this is dropped, and when the
/// process ends in whatever way.
#[derive(Debug)]
pub struct Hold {
    /// A few named bytes that programs share. Windows makes them for one program only, and drops them with the last handle.
    shared: HANDLE,
}

/// What came of taking hold.
#[derive(Debug)]
pub enum Taking {
    /// It is ours now.
    Ours(Hold),
    /// Somebody has it already: who that is; empty where they did not say.
    By(String),
}

impl Hold {
    /// Takes hold of what is called `what`, as `holder`.
    ///
    /// # Errors
    /// When Windows refuses.
    pub fn take(what: &str, holder: &str) -> io::Result<Taking> {
        let name = to_wide(&format!(r"Local\{what}"));
        let file = INVALID_HANDLE_VALUE;
        // SAFETY: no file but memory lies behind it, the name ends with a zero and lives through the call, and nothing else is
        // pointed to.
        let (shared, told) = unsafe {
            let shared =
                CreateFileMappingW(file, null(), PAGE_READWRITE, 0, ROOM as u32, name.as_ptr());
            (shared, GetLastError())
        };
        if shared.is_null() {
            return Err(io::Error::from_raw_os_error(told as i32));
        }
        let hold = Self { shared };
        if told == ERROR_ALREADY_EXISTS {
            return Ok(Taking::By(hold.signed_by()?));
        }
        hold.sign(holder)?;
        Ok(Taking::Ours(hold))
    }

    /// Who has hold of what is called `what`; nothing when nobody has. Takes hold of nothing.
    ///
    /// # Errors
    /// When Windows refuses.
    pub fn holder(what: &str) -> io::Result<Option<String>> {
        let name = to_wide(&format!(r"Local\{what}"));
        // SAFETY: the name ends with a zero and lives through the call.
        let shared = unsafe { OpenFileMappingW(FILE_MAP_READ, 0, name.as_ptr()) };
        if !shared.is_null() {
            return Self { shared }.signed_by().map(Some);
        }
        match io::Error::last_os_error() {
            error if error.kind() == io::ErrorKind::NotFound => Ok(None),
            error => Err(error),
        }
    }

    /// Writes down who has it.
    fn sign(&self, holder: &str) -> io::Result<()> {
        let view = View::of(self.shared, FILE_MAP_WRITE)?;
        // The last byte stays a zero.
        for (at, byte) in holder.bytes().take(ROOM - 1).enumerate() {
            // SAFETY: the view has `ROOM` bytes. Another process may read meanwhile, one whole byte or the other.
            unsafe { view.bytes().add(at).write_volatile(byte) };
        }
        Ok(())
    }

    /// Who wrote it down.
    fn signed_by(&self) -> io::Result<String> {
        let view = View::of(self.shared, FILE_MAP_READ)?;
        // SAFETY: the view has `ROOM` bytes. Another process may write meanwhile, one whole byte after the other.
        let bytes = (0..ROOM).map(|at| unsafe { view.bytes().add(at).read_volatile() });
        let bytes: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        // SAFETY: it was opened for this value alone, which ends here, and no view of it is left.
        unsafe { CloseHandle(self.shared) };
    }
}

/// The shared bytes as this process sees them.
struct View(MEMORY_MAPPED_VIEW_ADDRESS);

impl View {
    fn of(shared: HANDLE, access: u32) -> io::Result<Self> {
        // SAFETY: the handle is open. Windows chooses a place where nothing of ours is.
        let view = unsafe { MapViewOfFile(shared, access, 0, 0, ROOM) };
        if view.Value.is_null() { Err(io::Error::last_os_error()) } else { Ok(Self(view)) }
    }

    fn bytes(&self) -> *mut u8 {
        self.0.Value.cast()
    }
}

impl Drop for View {
    fn drop(&mut self) {
        // SAFETY: it was mapped for this value alone, and nothing points into it any more.
        unsafe { UnmapViewOfFile(self.0) };
    }
}
