//! A key that is heard whatever window has the keyboard.

use std::io;
use std::ptr::null_mut;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use windows_sys::Win32::System::Threading::GetCurrentThreadId;
use windows_sys::Win32::UI::Input::KeyboardAndMouse::{
    MOD_ALT, MOD_CONTROL, MOD_NOREPEAT, MOD_SHIFT, MOD_WIN, RegisterHotKey, UnregisterHotKey,
};
use windows_sys::Win32::UI::WindowsAndMessaging::{
    GetMessageW, MSG, PM_NOREMOVE, PeekMessageW, PostThreadMessageW, WM_HOTKEY, WM_QUIT,
};

use crate::VirtualKey;
use crate::input::is_down;

/// How often a key that is only watched is looked at: a person holds it down for several times that.
const LOOK: Duration = Duration::from_millis(10);

/// A key that is heard while this lives.
#[derive(Debug)]
pub struct StopKey {
    ends: Ends,
    listens: Option<JoinHandle<()>>,
}

/// What ends the thread that listens.
#[derive(Debug)]
enum Ends {
    /// A message to the thread of this number.
    Message(u32),
    /// That this is dropped.
    Dropped(Option<Sender<()>>),
}

impl StopKey {
    /// Takes `key` from all other programs, with whatever modifiers nobody else has taken it, and calls `pressed` each time it
    /// goes down, on a thread of its own. The key is given back when this is dropped.
    ///
    /// # Errors
    /// When another program has taken the key alone, or Windows itself has: it keeps F12 for debuggers.
    pub fn take(key: VirtualKey, mut pressed: impl FnMut() + Send + 'static) -> io::Result<Self> {
        let (tell, told) = channel();
        let listens = thread::spawn(move || {
            let mut message = MSG::default();
            // The first question for a message makes a thread's queue, into which the key comes. Wine's server takes a key of a
            // thread without one, and crashes when it is pressed.
            // SAFETY: `message` lives through the call, which waits for nothing.
            unsafe { PeekMessageW(&mut message, null_mut(), 0, 0, PM_NOREMOVE) };
            let taken = match Registered::of(key) {
                Ok(taken) => taken,
                // It is waited for.
                Err(error) => return drop(tell.send(Err(error))),
            };
            // SAFETY: it takes nothing.
            drop(tell.send(Ok(unsafe { GetCurrentThreadId() })));
            // SAFETY: `message` lives through the call, which waits for messages to this thread.
            while unsafe { GetMessageW(&mut message, null_mut(), 0, 0) } > 0 {
                if message.message == WM_HOTKEY {
                    pressed();
                }
            }
            drop(taken);
        });
        let ended = || io::Error::other("the thread that waits for the key ended");
        let thread = told.recv().map_err(|_| ended())??;
        Ok(Self { ends: Ends::Message(thread), listens: Some(listens) })
    }

    /// Watches `key`, which goes to other programs too, and calls `pressed` each time it goes down, on a thread of its own.
    pub fn watch(key: VirtualKey, mut pressed: impl FnMut() + Send + 'static) -> Self {
        let (end, ended) = channel::<()>();
        let listens = thread::spawn(move || {
            let mut was_down = is_down(key.0);
            while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                let down = is_down(key.0);
                if down && !was_down {
                    pressed();
                }
                was_down = down;
            }
        });
        Self { ends: Ends::Dropped(Some(end)), listens: Some(listens) }
    }
}

impl Drop for StopKey {
    fn drop(&mut self) {
        let is_told = match &mut self.ends {
            // SAFETY: it takes numbers. The thread has a queue since before it took the key, and is not joined yet.
            Ends::Message(thread) => unsafe { PostThreadMessageW(*thread, WM_QUIT, 0, 0) != 0 },
            Ends::Dropped(end) => end.take().is_some(),
        };
        // A thread that was told nothing would be waited for without end.
        if let Some(listens) = self.listens.take().filter(|_| is_told) {
            drop(listens.join());
        }
    }
}

/// What this thread has registered, each under its modifiers as its number.
struct Registered(Vec<u32>);

impl Registered {
    fn of(key: VirtualKey) -> io::Result<Self> {
        let mut taken = Self(Vec::new());
        for modifiers in 0..=MOD_ALT | MOD_CONTROL | MOD_SHIFT | MOD_WIN {
            // SAFETY: it takes numbers; without a window the messages come to this thread.
            let done = unsafe {
                let (number, how) = (modifiers as i32, modifiers | MOD_NOREPEAT);
                RegisterHotKey(null_mut(), number, how, key.0.into())
            };
            if done != 0 {
                taken.0.push(modifiers);
            } else if modifiers == 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(taken)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        for &modifiers in &self.0 {
            // SAFETY: it takes numbers; this thread registered this one.
            unsafe { UnregisterHotKey(null_mut(), modifiers as i32) };
        }
    }
}
