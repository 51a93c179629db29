//! Processes and threads: the program of one, who may press what, and how long a thread has computed.

use std::io;
use std::path::Path;
use std::time::Duration;

use windows_sys::Win32::Foundation::{CloseHandle, ERROR_ACCESS_DENIED, FILETIME, HANDLE};
use windows_sys::Win32::Security::{
    GetSidSubAuthority, GetSidSubAuthorityCount, GetTokenInformation, TOKEN_MANDATORY_LABEL,
    TOKEN_QUERY, TokenIntegrityLevel,
};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcessId, GetCurrentThread, GetThreadTimes, OpenProcess, OpenProcessToken,
    PROCESS_NAME_WIN32, PROCESS_QUERY_LIMITED_INFORMATION, QueryFullProcessImageNameW,
};

use crate::text::from_wide;

/// A handle that is closed when it is dropped.
struct Owned(HANDLE);

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: it was opened for this value alone, which ends here.
        unsafe { CloseHandle(self.0) };
    }
}

/// Opens a process to ask what anybody may know of it.
fn open(process: u32) -> io::Result<Owned> {
    // SAFETY: it takes numbers.
    let handle = unsafe { OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, process) };
    if handle.is_null() { Err(io::Error::last_os_error()) } else { Ok(Owned(handle)) }
}

/// The file name of a process's program, without `.exe`; nothing when the process is none of ours to ask.
pub(crate) fn program(process: u32) -> Option<String> {
    let process = open(process).ok()?;
    let mut letters = [0; 1024];
    let mut length = letters.len() as u32;
    let room = letters.as_mut_ptr();
    // SAFETY: the handle is open, and `length` is the room that there is.
    let told =
        unsafe { QueryFullProcessImageNameW(process.0, PROCESS_NAME_WIN32, room, &mut length) };
    let path = (told != 0).then(|| from_wide(&letters))?;
    Some(Path::new(&path).file_stem()?.to_string_lossy().into_owned())
}

/// Whether the process is trusted more than this one, as one that an administrator runs: Windows then keeps our clicks and
/// keys from it, and says nothing.
///
/// # Errors
/// When there is no such process, or Windows does not say.
pub fn is_elevated_above_us(process: u32) -> io::Result<bool> {
    match trust(process) {
        Ok(trust) => Ok(trust > self::trust(own_process())?),
        // Who is trusted as much as it may ask.
        Err(error) if error.raw_os_error() == Some(ERROR_ACCESS_DENIED as i32) => Ok(true),
        Err(error) => Err(error),
    }
}

fn own_process() -> u32 {
    // SAFETY: it takes nothing.
    unsafe { GetCurrentProcessId() }
}

/// The integrity level of a process.
fn trust(process: u32) -> io::Result<u32> {
    let process = open(process)?;
    let mut token = std::ptr::null_mut();
    // SAFETY: the handle is open, and `token` lives through the call.
    if unsafe { OpenProcessToken(process.0, TOKEN_QUERY, &mut token) } == 0 {
        return Err(io::Error::last_os_error());
    }
    let token = Owned(token);
    // The label, and behind it the identifier that it points to. In numbers of 64 bits it lies as the label must.
    let mut room = [0u64; 16];
    let mut used = 0;
    let size = size_of_val(&room) as u32;
    // SAFETY: the handle is open, and `size` is the room that there is.
    let told = unsafe {
        GetTokenInformation(token.0, TokenIntegrityLevel, room.as_mut_ptr().cast(), size, &mut used)
    };
    if told == 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: Windows wrote a label to `room`, which is large enough for one and lies as one must.
    let label = unsafe { &*room.as_ptr().cast::<TOKEN_MANDATORY_LABEL>() };
    // SAFETY: the label points to an identifier in `room`, which still lives; that of an integrity level has at least one part,
    // and the last one is the level.
    let level = unsafe {
        let parts = *GetSidSubAuthorityCount(label.Label.Sid);
        *GetSidSubAuthority(label.Label.Sid, u32::from(parts.max(1)) - 1)
    };
    Ok(level)
}

/// The processor time that this thread has used. Windows counts it in ticks of its clock, of up to 16 ms.
pub fn thread_cpu_time() -> Duration {
    let mut times = [FILETIME::default(); 4];
    let [created, exited, kernel, user] = &mut times;
    // SAFETY: the handle stands for this thread and needs no closing; the four times live through the call.
    unsafe { GetThreadTimes(GetCurrentThread(), created, exited, kernel, user) };
    let [.., kernel, user] = times.map(steps);
    let all = kernel + user;
    Duration::from_micros(all / 10) + Duration::from_nanos(all % 10 * 100)
}

/// A time in steps of 100 ns.
fn steps(time: FILETIME) -> u64 {
    u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime)
}
