//! The window that the program prints to.

use windows_sys::Win32::System::Console::{
    ENABLE_VIRTUAL_TERMINAL_PROCESSING, GetConsoleMode, GetConsoleProcessList, GetStdHandle,
    STD_ERROR_HANDLE, STD_OUTPUT_HANDLE, SetConsoleMode,
};

/// Lets the console take colours and moves of the cursor as terminals elsewhere do. Where the output is no console, or an old
/// one, nothing happens.
///
/// The console's code page stays as it is, since text goes there as UTF-16, and another code page would stay behind for
/// whatever runs next.
pub fn allow_colours() {
    for which in [STD_OUTPUT_HANDLE, STD_ERROR_HANDLE] {
        let mut mode = 0;
        // SAFETY: the handle is the system's own, `mode` lives through the call, and what is no console is refused.
        unsafe {
            let output = GetStdHandle(which);
            if GetConsoleMode(output, &mut mode) != 0 {
                SetConsoleMode(output, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
            }
        }
    }
}

/// Whether the console was opened for this program alone, as after a double click: it closes when the program ends.
pub fn owns_console() -> bool {
    let mut processes = [0; 2];
    // SAFETY: the count is that of `processes`; how many there are is told even when they find no room.
    unsafe { GetConsoleProcessList(processes.as_mut_ptr(), processes.len() as u32) == 1 }
}
