//! Pressing in a compositor of the wlroots family, see [`Compositor`].

use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::PathBuf;
use std::rc::Rc;

use rustix::fs::{FlockOperation, flock};

use super::{Refused, Way};
use crate::capture::desktop::wlroots::{listed, place};
use crate::geometry::Px;
use crate::input::{Act, Owner, Situation};
use crate::wayland::Compositor;
use crate::wayland::sway::{at, owner, with_dialogs, with_keyboard};

/// The virtual pointer and keyboard of a compositor. It cannot be held still: what is asked is as it was a moment before,
/// and pop-ups are told of by nobody.
pub(crate) struct Wlroots {
    compositor: Rc<RefCell<Compositor>>,
    game: Option<u32>,
    /// Locked for as long as this player has hold of the mouse.
    hold: Option<File>,
}

impl Wlroots {
    pub(crate) fn new(compositor: Rc<RefCell<Compositor>>, game: Option<u32>) -> Self {
        Self { compositor, game, hold: None }
    }

    /// How things stand, as far as the compositor tells.
    fn situation(&self, acts: &[Act]) -> Result<Situation, Refused> {
        let mut compositor = self.compositor.borrow_mut();
        let Some(game) = self.game else { return Ok(Situation::default()) };
        let Some(windows) = listed(&mut compositor)? else { return Ok(Situation::default()) };
        let pressed_at = acts.iter().rposition(|act| matches!(act, Act::Press(_)));
        let moves = acts[..pressed_at.unwrap_or(0)].iter().filter_map(Act::place);
        let mut there =
            moves.filter_map(|to| at(to, &windows)).map(|window| owner(window, game, &windows));
        let keyboard = match with_keyboard(&windows) {
            Some(window) => owner(window, game, &windows),
            None => Owner::Other("no window".to_owned()),
        };
        Ok(Situation {
            window: Some(place(game, &windows)),
            under: there.find(|owner| *owner != Owner::Game),
            keyboard: Some(keyboard),
            ..Situation::default()
        })
    }

    fn put(&self, act: Act) -> Result<(), Refused> {
        let mut compositor = self.compositor.borrow_mut();
        match act {
            Act::Move(to) => {
                let place = compositor.logical_place(to).ok_or("that is on no output")?;
                compositor.pointer().move_to(place);
            }
            Act::Press(button) => compositor.pointer().press(button, true),
            Act::Release(button) => compositor.pointer().press(button, false),
            Act::Strike(keys) => compositor.pointer().strike(keys)?,
        }
        Ok(())
    }
}

/// The file that the player who has the mouse of this desktop keeps locked.
fn hold_file() -> Result<File, Refused> {
    let folder = std::env::var_os("XDG_RUNTIME_DIR").ok_or("XDG_RUNTIME_DIR is not set")?;
    let name = format!("minescraper-{}.lock", Compositor::name().replace('/', "-"));
    let path = PathBuf::from(folder).join(name);
    Ok(File::options().read(true).write(true).create(true).truncate(false).open(path)?)
}

/// Locks the file; says who has locked it if somebody has.
fn lock(file: &mut File) -> Result<Option<String>, Refused> {
    match flock(&*file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(None),
        Err(rustix::io::Errno::WOULDBLOCK) => {
            let mut by = String::new();
            file.take(1000).read_to_string(&mut by)?;
            Ok(Some(by))
        }
        Err(error) => Err(error.into()),
    }
}

impl Way for Wlroots {
    fn act(
        &mut self,
        on: Px,
        acts: &[Act],
        may: &mut dyn FnMut(&Situation) -> bool,
    ) -> Result<Option<Px>, Refused> {
        if !acts.is_empty() {
            let settles_in = self.compositor.borrow_mut().pointer().settles_in();
            std::thread::sleep(settles_in);
        }
        if !may(&self.situation(acts)?) {
            return Ok(None);
        }
        acts.iter().try_for_each(|&act| self.put(act))?;
        self.compositor.borrow_mut().sync()?;
        Ok(Some(acts.iter().rev().find_map(Act::place).unwrap_or(on)))
    }

    fn take_hold(&mut self, of: &str) -> Result<Option<String>, Refused> {
        if self.hold.is_some() {
            return Ok(None);
        }
        let mut file = hold_file()?;
        if let Some(by) = lock(&mut file)? {
            return Ok(Some(by));
        }
        file.set_len(0)?;
        file.rewind()?;
        write!(file, "process {} (in '{of}')", std::process::id())?;
        self.hold = Some(file);
        Ok(None)
    }

    fn taken_by(&self) -> Result<Option<String>, Refused> {
        if self.hold.is_some() { Ok(None) } else { lock(&mut hold_file()?) }
    }

    fn activate(&mut self) -> Result<(), Refused> {
        let mut compositor = self.compositor.borrow_mut();
        let Some(game) = self.game else { return Ok(()) };
        let Some(windows) = listed(&mut compositor)? else { return Ok(()) };
        let window = with_dialogs(game, &windows);
        compositor.sway().map_or(Ok(()), |sway| sway.focus(window))
    }

    fn aim_at(&mut self, window: u32) {
        self.game = Some(window);
    }
}
