//! The [rule](super) of the guard, as one function of how things stand: whether something may be pressed now.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::geometry::{Px, Rect};
use crate::input::{Act, Owner, Place, Situation};
use crate::play::PlayError;
use crate::recognize::Lattice;
use crate::recognize::skin::Dialog;

/// How many pixels the pointer may be off without a hand having moved it: scaled desktops round.
const SLACK: u32 = 2;

/// What stands in the way of a press.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::play) enum Hindrance {
    /// The window is not where it was seen.
    Moved,
    /// This is in front of the game.
    Covered(String),
    /// This has the keyboard.
    Keyboard(String),
    /// This was held down by a person, and was let go just now: what was seen before may be old.
    Held(&'static str),
}

impl From<Hindrance> for PlayError {
    fn from(hindrance: Hindrance) -> Self {
        match hindrance {
            Hindrance::Moved => PlayError::KeepsMoving,
            Hindrance::Covered(by) => PlayError::Covered { by },
            Hindrance::Keyboard(by) => PlayError::NoKeyboard { by },
            Hindrance::Held(what) => PlayError::HeldDown { what },
        }
    }
}

/// Whether something may be pressed as things stand.
pub(super) enum Verdict {
    Yes,
    Stopped,
    /// The pointer is here.
    Hand(Px),
    /// A person holds this down.
    Held(&'static str),
    No(Hindrance),
}

/// Where a press is aimed.
#[derive(Clone, Copy)]
pub(super) struct Aim<'a> {
    /// The window as it was seen.
    pub area: Rect,
    /// A place on the game.
    pub on: Px,
    /// The dialog that is to get a key; otherwise that is the game.
    pub dialog: Option<&'a Dialog>,
}

impl Aim<'_> {
    /// Aims at the game that has its board in `lattice`, in a window at `area`.
    pub fn at_game(lattice: &Lattice, area: Rect) -> Self {
        Self { area, on: lattice.area().centre(), dialog: None }
    }
}

/// Whether something goes into a window: anything but a move and letting go.
pub(super) fn is_press(act: &Act) -> bool {
    matches!(act, Act::Press(_) | Act::Strike(_))
}

/// Whether something may be done as things stand; see the head of `guard`.
pub(super) fn judge(
    situation: &Situation,
    acts: &[Act],
    aim: Aim<'_>,
    stop: &AtomicBool,
    left_at: Option<(Px, Px)>,
) -> Verdict {
    if stop.load(Ordering::Relaxed) {
        return Verdict::Stopped;
    }
    // A system that does not say where the pointer is cannot show a hand on it.
    if let (Some((sent, landed)), Some(found)) = (left_at, situation.pointer) {
        // A screen that has become smaller pushes the pointer.
        let pushed = situation.screen.map_or(landed, |screen| screen.nearest(landed));
        let is_at = |at: Px| at.x.abs_diff(found.x) <= SLACK && at.y.abs_diff(found.y) <= SLACK;
        if ![sent, landed, pushed].into_iter().any(is_at) {
            return Verdict::Hand(found);
        }
    }
    if !acts.iter().any(is_press) {
        return Verdict::Yes;
    }
    if let Some(what) = situation.held {
        return Verdict::Held(what);
    }
    let strikes = acts.iter().any(|act| matches!(act, Act::Strike(_)));
    let elsewhere = match situation.window {
        Some(Place::Gone) => true,
        Some(Place::At(now)) => now != aim.area,
        None => false,
    };
    let is_beyond = |at: Px| situation.screen.is_some_and(|screen| !screen.contains(at));
    // Where the last move goes to rest nothing is pressed.
    let last_press = acts.iter().rposition(is_press).unwrap_or(0);
    let beyond = acts[..last_press].iter().filter_map(Act::place).any(is_beyond);
    let clicks = acts.iter().any(|act| matches!(act, Act::Press(_)));
    let hindrance = match &situation.under {
        _ if elsewhere || beyond => Some(Hindrance::Moved),
        Some(Owner::Dialog(by) | Owner::Other(by)) if clicks => {
            Some(Hindrance::Covered(by.clone()))
        }
        _ if strikes => keyboard_elsewhere(situation, aim.dialog).map(Hindrance::Keyboard),
        _ => None,
    };
    hindrance.map_or(Verdict::Yes, Verdict::No)
}

/// Who has the keyboard, unless it is who should get a key.
fn keyboard_elsewhere(situation: &Situation, dialog: Option<&Dialog>) -> Option<String> {
    match (&situation.keyboard, dialog) {
        (Some(Owner::Game), None) => None,
        (Some(Owner::Dialog(title)), Some(dialog)) if dialog.is_titled(title) => None,
        (Some(Owner::Game), Some(_)) => Some("the game itself".to_owned()),
        (Some(Owner::Dialog(by) | Owner::Other(by)), _) => Some(by.clone()),
        // What cannot be aimed is not sent.
        (None, _) => Some("a window that this system does not name".to_owned()),
    }
}
