//! The mouse and the keyboard of Windows: all that is done at once goes there in one call, which nobody else's events come
//! between.
//!
//! Nothing holds Windows still between the question how things stand and that call: some microseconds.

use std::time::{Duration, Instant};

use windows_desktop::{Event, Held, Hold, StopKey, Taking, VirtualKey};

use super::trail::Trail;
use super::{Refused, Way};
use crate::capture::desktop::windows::{name, place, rect};
use crate::geometry::{Px, Rect};
use crate::input::{Act, Button, Key, Owner, Shortcut, Situation};

/// What the players of a user's session hold one after the other.
const MOUSE: &str = "Minescraper has the mouse";

/// So long after a move Windows may still say that the pointer is there. Wine does: it believes for 100 ms what it heard last of
/// the pointer, which it may hear late on a busy machine.
const LATE: Duration = Duration::from_secs(1);

/// Presses through `SendInput`.
pub(crate) struct Windows {
    /// The window of the game, where there is one.
    game: Option<u32>,
    /// The hold on the mouse.
    hold: Option<Hold>,
    /// How many buttons were pressed and not let go.
    pressed: usize,
    trail: Trail,
}

impl Windows {
    /// Plays in the window `game`.
    ///
    /// # Errors
    /// When Windows would keep what is pressed from the game.
    pub(crate) fn open(game: Option<u32>) -> Result<Self, Refused> {
        if let Some(game) = game.and_then(windows_desktop::window)
            && windows_desktop::is_elevated_above_us(game.process)?
        {
            let advice =
                "start Minescraper as an administrator too, or the game as you start others";
            let told = "is run by an administrator, so Windows keeps clicks from it";
            return Err(format!("'{}' {told}: {advice}", game.title).into());
        }
        Ok(Self { game, hold: None, pressed: 0, trail: Trail::new(LATE) })
    }

    /// How things stand for these acts.
    fn situation(&self, on: Px, acts: &[Act], screen: Rect) -> Situation {
        let game = self.game.or_else(|| windows_desktop::window_at(on.x, on.y));
        let strikes = acts.iter().any(|act| matches!(act, Act::Strike(_)));
        let keyboard = strikes.then(|| match windows_desktop::foreground() {
            Some(there) => owner(there, game),
            None => Owner::Other("no window".to_owned()),
        });
        Situation {
            pointer: pointer().map(|told| self.trail.pointer(told, Instant::now()).unwrap_or(told)),
            screen: Some(screen),
            window: self.game.map(place),
            under: under(acts, game),
            keyboard,
            held: self.held_by_hand(),
        }
    }

    /// The name of what a person holds down.
    fn held_by_hand(&self) -> Option<&'static str> {
        let held = windows_desktop::held();
        let name = |held| match held {
            Held::Button if self.pressed > 0 => None,
            Held::Button => Some("a button of the mouse"),
            Held::Shift => Some("Shift"),
            Held::Ctrl => Some("Ctrl"),
            Held::Alt => Some("Alt"),
            Held::Logo => Some("the logo key"),
        };
        held.into_iter().find_map(name)
    }
}

impl Way for Windows {
    fn act(
        &mut self,
        on: Px,
        acts: &[Act],
        may: &mut dyn FnMut(&Situation) -> bool,
    ) -> Result<Option<Px>, Refused> {
        let mut sent = Vec::new();
        for &act in acts {
            put(act, &mut sent)?;
        }
        let screen = windows_desktop::screen()?;
        if !may(&self.situation(on, acts, rect(screen))) {
            return Ok(None);
        }
        let taken = windows_desktop::send(&sent, screen);
        let taken_of = |kind: fn(&Event) -> bool| sent[..taken].iter().filter(|e| kind(e)).count();
        let pressed = taken_of(|event| matches!(event, Event::Press(_)));
        let released = taken_of(|event| matches!(event, Event::Release(_)));
        self.pressed = (self.pressed + pressed).saturating_sub(released);
        if taken < sent.len() {
            return Err("Windows takes no clicks and keys now: is the screen locked, or a program in front that an \
                        administrator runs?"
                .into());
        }
        self.trail.note(acts, Instant::now());
        let moved = acts.iter().rev().find_map(Act::place);
        Ok(Some(moved.or_else(pointer).unwrap_or(on)))
    }

    fn takes_bursts(&self) -> bool {
        true
    }

    fn tells_what_is_under(&self) -> bool {
        true
    }

    fn take_hold(&mut self, of: &str) -> Result<Option<String>, Refused> {
        if self.hold.is_some() {
            return Ok(None);
        }
        let own = format!("process {} (in '{of}')", std::process::id());
        match Hold::take(MOUSE, &own)? {
            Taking::Ours(hold) => self.hold = Some(hold),
            Taking::By(other) => return Ok(Some(other)),
        }
        Ok(None)
    }

    fn taken_by(&self) -> Result<Option<String>, Refused> {
        if self.hold.is_some() { Ok(None) } else { Ok(Hold::holder(MOUSE)?) }
    }

    fn activate(&mut self) -> Result<(), Refused> {
        if self.game.is_some_and(|game| !windows_desktop::activate(game)) {
            log::debug!("Windows does not give the keyboard to the game yet");
        }
        Ok(())
    }

    fn tells_held(&self) -> bool {
        true
    }

    fn aim_at(&mut self, window: u32) {
        self.game = Some(window);
    }
}

/// Where the pointer is, as Windows says.
fn pointer() -> Option<Px> {
    windows_desktop::pointer().ok().map(|(x, y)| Px::new(x, y))
}

/// Who would get the presses among `acts`, if there are any.
fn under(acts: &[Act], game: Option<u32>) -> Option<Owner> {
    let last = acts.iter().rposition(|act| matches!(act, Act::Press(_)))?;
    // Where the last move goes to rest nothing is pressed.
    let moves = acts[..last].iter().filter_map(Act::place);
    let there = windows_desktop::windows_at(moves.map(|at| (at.x, at.y)));
    let mut owners = there.flatten().map(|there| owner(there, game));
    Some(owners.find(|owner| *owner != Owner::Game).unwrap_or(Owner::Game))
}

/// Whose the window `there` is.
fn owner(there: u32, game: Option<u32>) -> Owner {
    let Some(game) = game.filter(|&game| game != there) else { return Owner::Game };
    let found = [there, game].map(windows_desktop::window);
    let is_dialog = matches!(found, [Some(there), Some(game)]
        if there.process == game.process && there.root_owner == game.root_owner);
    if is_dialog { Owner::Dialog(name(there)) } else { Owner::Other(name(there)) }
}

/// Adds what an act is to Windows.
fn put(act: Act, to: &mut Vec<Event>) -> Result<(), Refused> {
    match act {
        Act::Move(at) => to.push(Event::Move { x: at.x, y: at.y }),
        Act::Press(button) => to.push(Event::Press(named(button))),
        Act::Release(button) => to.push(Event::Release(named(button))),
        Act::Strike(Shortcut { ctrl, key }) => {
            let key = virtual_key(key).ok_or("there is no such key")?;
            let keys: Vec<_> =
                ctrl.then_some(VirtualKey::CONTROL).into_iter().chain([key]).collect();
            to.extend(keys.iter().map(|&key| Event::KeyDown(key)));
            to.extend(keys.iter().rev().map(|&key| Event::KeyUp(key)));
        }
    }
    Ok(())
}

fn named(button: Button) -> windows_desktop::Button {
    match button {
        Button::Left => windows_desktop::Button::Left,
        Button::Middle => windows_desktop::Button::Middle,
        Button::Right => windows_desktop::Button::Right,
    }
}

/// The key of Windows; nothing when the keyboard has none.
fn virtual_key(key: Key) -> Option<VirtualKey> {
    match key {
        Key::Char(letter) => windows_desktop::key_that_types(letter),
        Key::F(number) => VirtualKey::function(number),
        Key::Escape => Some(VirtualKey::ESCAPE),
        Key::Return => Some(VirtualKey::RETURN),
        Key::Tab => Some(VirtualKey::TAB),
        Key::Space => Some(VirtualKey::SPACE),
    }
}

/// Takes `key` from everybody else, whatever is held with it, and calls `pressed` when it goes down. A key that Windows keeps for
/// itself, as F12, goes to other programs too.
///
/// # Errors
/// When the keyboard has no such key.
pub(crate) fn take_key(
    key: Key,
    pressed: impl FnMut() + Clone + Send + 'static,
) -> Result<StopKey, Refused> {
    let key = virtual_key(key).ok_or("there is no such key")?;
    Ok(StopKey::take(key, pressed.clone()).unwrap_or_else(|error| {
        log::debug!("the stop key is only watched: {error}");
        StopKey::watch(key, pressed)
    }))
}
