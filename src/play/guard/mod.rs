//! The only way to the mouse and the keyboard.
//!
//! A [`Guard`] holds the hands. This is its rule, one sentence for each clause, and a test makes it refuse for each:
//!
//! 1. Nothing is pressed after the signal to stop was given.
//! 2. Nothing is pressed while the pointer is not where it was left: a hand is on the mouse.
//! 3. Nothing is pressed sooner after the press before than the person asked for.
//! 4. A click goes into a cell of the board, or on the new-game control that the skin names, which is on no cell unless it is in
//!    a message over a finished board; both only where the watched part of the screen is.
//! 5. Nothing is clicked while the window of the game is not where it was seen, nor beyond an edge of the screen: the pointer
//!    would be held back there, on another cell.
//! 6. Nothing is clicked where another window would get it.
//! 7. A key is struck only while the window of the game has the keyboard; one that closes a dialog only while that dialog of
//!    the game has it. Where the system does not tell, it goes out in one breath with a click on an open cell, which gives the
//!    keyboard to the game, or to the dialog that the game waits for.
//! 8. In a browser no key is struck that opens, closes, prints, saves, reloads or navigates, and none in its dialogs; in a
//!    terminal or an editor none at all.
//! 9. Nothing is pressed while another player holds the mouse.
//! 10. Nothing is pressed while a person holds down a button of the mouse, or a key that makes another press of it.
//!
//! What can change by itself is asked for [in the same breath](Hands::act) in which is pressed. Moving the pointer presses
//! nothing and is subject to the first two. The guard lets go of every button it holds when it is dropped, so nothing
//! stays pressed after an error or a panic.
//!
//! The guard [sleeps](rest) while a person holds something down, while the pointer catches up, and while it holds a
//! button itself.

mod places;
mod rule;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use places::cell_place;
pub(super) use places::parking_place;
pub(super) use rule::Hindrance;
use rule::{Aim, Verdict, is_press, judge};

use super::PlayError;
use super::keys::{has_dialogs_of_a_game, is_harmless};
use super::patience::SLICE;
use crate::board::Pos;
use crate::geometry::{Px, Rect};
use crate::input::{Act, Button, Hands, InputError, Key, Shortcut};
use crate::recognize::Lattice;
use crate::recognize::skin::{Control, Dialog, EndMessage, GameBehaviour};

/// How long the pointer may be said to be elsewhere before a hand is seen in it: some systems are late to tell.
const CATCHES_UP: Duration = Duration::from_millis(100);

/// How long a person may hold something down.
const LETS_GO: Duration = Duration::from_secs(5);

pub(super) struct Guard<'a> {
    hands: &'a mut dyn Hands,
    stop: Arc<AtomicBool>,
    /// The least time between two presses.
    pace: Duration,
    pressed_at: Option<Instant>,
    /// Where the pointer was sent last, and where it was right after if that was told: a screen's edge holds it back.
    left_at: Option<(Px, Px)>,
    held: Vec<Button>,
}

/// What came of a press that the rule allows.
#[derive(Clone, PartialEq, Eq, Debug)]
#[must_use]
pub(super) enum Pressed {
    /// It was done.
    Yes,
    /// Nothing was pressed: something stands in the way now, which may go away.
    No(Hindrance),
}

impl<'a> Guard<'a> {
    /// Takes the hands, to leave at least `pace` between two presses.
    pub(super) fn new(hands: &'a mut dyn Hands, stop: Arc<AtomicBool>, pace: Duration) -> Self {
        Self { hands, stop, pace, pressed_at: None, left_at: None, held: Vec::new() }
    }

    /// Takes hold of the mouse for this player alone.
    pub(super) fn take_hold(&mut self) -> Result<(), PlayError> {
        Ok(self.hands.take_hold()?)
    }

    /// How long it takes until something may be pressed again.
    pub(super) fn rest_left(&self) -> Duration {
        let since = self.pressed_at.map(|at| self.hands.now().saturating_duration_since(at));
        since.map_or(Duration::ZERO, |since| self.pace.saturating_sub(since))
    }

    /// Presses `buttons` together on the cell at `pos`; see [`Guard::click`] for `hold`.
    pub(super) fn click_cell(
        &mut self,
        buttons: &[Button],
        lattice: &Lattice,
        area: Rect,
        pos: Pos,
        hold: Duration,
    ) -> Result<Pressed, PlayError> {
        let at = cell_place(lattice, area, pos)?;
        self.click(buttons, at, Aim::at_game(lattice, area), hold)
    }

    /// Whether nothing holds clicks back, so that several may be sent at once.
    pub(super) fn takes_bursts(&self) -> bool {
        self.pace.is_zero() && self.hands.takes_bursts()
    }

    /// See [`Hands::tells_what_is_under`].
    pub(super) fn tells_what_is_under(&self) -> bool {
        self.hands.tells_what_is_under()
    }

    /// See [`Hands::tells_keyboard`].
    pub(super) fn tells_keyboard(&self) -> bool {
        self.hands.tells_keyboard()
    }

    /// Clicks on one cell right after the other, and [parks](Guard::park) the pointer: so fast that nobody can ask for
    /// a stop in between. Nothing is clicked if one of them may not be.
    pub(super) fn burst(
        &mut self,
        clicks: &[(Button, Pos)],
        lattice: &Lattice,
        area: Rect,
    ) -> Result<Pressed, PlayError> {
        let mut acts = Vec::with_capacity(3 * clicks.len() + 1);
        for &(button, pos) in clicks {
            acts.extend(Act::click(button, cell_place(lattice, area, pos)?));
        }
        acts.push(Act::Move(parking_place(lattice, area)));
        self.act(&acts, Aim::at_game(lattice, area))
    }

    /// Presses the new-game control that `ways` names; see [`Guard::click`] for `hold` and [`Guard::strike_in_game`] for `open`.
    pub(super) fn new_game(
        &mut self,
        ways: &GameBehaviour,
        lattice: &Lattice,
        area: Rect,
        hold: Duration,
        open: Option<Pos>,
    ) -> Result<Pressed, PlayError> {
        let aim = Aim::at_game(lattice, area);
        match ways.new_game {
            None | Some(Control::Wait) => Ok(Pressed::Yes),
            Some(Control::Board) => {
                self.click_cell(&[Button::Left], lattice, area, Pos::new(0, 0), hold)
            }
            Some(Control::Key(key)) => self.strike_in_game(key, lattice, area, open),
            Some(Control::Click(spot)) => {
                let at = lattice.spot(spot);
                let is_in_message = ways.end_message == Some(EndMessage::Stays);
                let is_cell = lattice.pos_at(at).is_some() && !is_in_message;
                if is_cell || !area.contains(at) {
                    return Err(PlayError::Refused {
                        what: format!("the new-game control at {at}"),
                        allowed: area,
                    });
                }
                self.click(&[Button::Left], at, aim, hold)
            }
        }
    }

    /// Strikes the key that gets past `dialog`, which is in front of the game in a window at `area`.
    pub(super) fn close(&mut self, dialog: &Dialog, area: Rect) -> Result<Pressed, PlayError> {
        if !self.may_close_dialogs() {
            return Err(self.harmful(dialog.key));
        }
        self.strike(&[], dialog.key, Aim { area, on: area.centre(), dialog: Some(dialog) })
    }

    /// Strikes the key that gets past `dialog`, for which the game waits in a window at `area`: for a system that names no windows.
    /// See [`Guard::strike_in_game`] for `open`.
    pub(super) fn close_unnamed(
        &mut self,
        dialog: &Dialog,
        lattice: &Lattice,
        area: Rect,
        open: Pos,
    ) -> Result<Pressed, PlayError> {
        if !self.may_close_dialogs() {
            return Err(self.harmful(dialog.key));
        }
        self.strike_in_game(dialog.key, lattice, area, Some(open))
    }

    /// Strikes Escape, which leaves a menu that a click in the game brought up. A menu takes the keyboard from the window that
    /// it belongs to, which is the game's.
    pub(super) fn leave_menu(
        &mut self,
        lattice: &Lattice,
        area: Rect,
    ) -> Result<Pressed, PlayError> {
        let key = Shortcut { ctrl: false, key: Key::Escape };
        self.strike_in_game(key, lattice, area, None)
    }

    /// Whether a key is one that may be struck in the window of the game at all.
    pub(super) fn may_strike(&self, key: Shortcut) -> bool {
        is_harmless(key, self.hands.window_class())
    }

    /// Whether what comes up in front may be a dialog of the game.
    pub(super) fn may_close_dialogs(&self) -> bool {
        has_dialogs_of_a_game(self.hands.window_class())
    }

    fn harmful(&self, key: Shortcut) -> PlayError {
        let class = self.hands.window_class().to_owned();
        PlayError::HarmfulKey { key: key.to_string(), class }
    }

    /// Aims at the window with this number from now on, in which the same program shows the game.
    pub(super) fn aim_at(&mut self, window: u32) {
        self.hands.aim_at(window);
    }

    /// Lets a slice of time pass while there is no window to look at.
    pub(super) fn wait_for_window() {
        rest(SLICE);
    }

    /// Asks the desktop to give the keyboard to the game.
    pub(super) fn activate(&mut self) -> Result<(), PlayError> {
        Ok(self.hands.activate()?)
    }

    /// Makes sure that nobody asks to stop, nor has a hand on the mouse, while nothing is done.
    pub(super) fn feel(&mut self, lattice: &Lattice, area: Rect) -> Result<(), PlayError> {
        self.act(&[], Aim::at_game(lattice, area)).map(|_| ())
    }

    /// Moves the pointer on the cell at `pos`. Presses nothing.
    pub(super) fn hover(
        &mut self,
        lattice: &Lattice,
        area: Rect,
        pos: Pos,
    ) -> Result<(), PlayError> {
        self.rest_at(lattice.centre(pos), Aim::at_game(lattice, area))
    }

    /// Moves the pointer to `at`, on the way to somewhere. Presses nothing.
    pub(super) fn glide(&mut self, at: Px, lattice: &Lattice, area: Rect) -> Result<(), PlayError> {
        self.rest_at(at, Aim::at_game(lattice, area))
    }

    /// A person had the mouse, and was asked: where the pointer was left says nothing any more.
    pub(super) fn give_up_pointer(&mut self) {
        self.left_at = None;
    }

    /// Where the pointer was left, if it was moved.
    pub(super) fn pointer(&self) -> Option<Px> {
        self.left_at.map(|(_, landed)| landed)
    }

    /// Moves the pointer off the board, so that no cell is highlighted under it: beside its last row,
    /// inside the window where there is room. Presses nothing. Never above the board: controls are there,
    /// and a release that a window manager holds back may arrive where the pointer is by then. Not beside
    /// its middle: a message over it may stay as long as the pointer is on it.
    pub(super) fn park(&mut self, lattice: &Lattice, area: Rect) -> Result<(), PlayError> {
        let at = parking_place(lattice, area);
        if self.left_at.is_some_and(|(sent, _)| sent == at) {
            return Ok(());
        }
        self.rest_at(at, Aim::at_game(lattice, area))
    }

    /// Moves the pointer to a place where it stays, which may be beyond an edge that holds it back.
    fn rest_at(&mut self, at: Px, aim: Aim<'_>) -> Result<(), PlayError> {
        self.act(&[Act::Move(at)], aim).map(|_| ())
    }

    /// Strikes a key in the game. Where the system does not tell who has the keyboard, the cell `open` is clicked right before, which
    /// is open and in sight.
    fn strike_in_game(
        &mut self,
        key: Shortcut,
        lattice: &Lattice,
        area: Rect,
        open: Option<Pos>,
    ) -> Result<Pressed, PlayError> {
        let open = open.filter(|_| !self.hands.tells_keyboard());
        let at = open.map(|pos| cell_place(lattice, area, pos)).transpose()?;
        let before = at.map(|at| Act::click(Button::Left, at));
        self.strike(before.as_ref().map_or(&[], |acts| acts), key, Aim::at_game(lattice, area))
    }

    /// Strikes a key, right behind the acts that come `before`.
    fn strike(
        &mut self,
        before: &[Act],
        key: Shortcut,
        aim: Aim<'_>,
    ) -> Result<Pressed, PlayError> {
        if !self.may_strike(key) {
            return Err(self.harmful(key));
        }
        self.act(&[before, &[Act::Strike(key)]].concat(), aim)
    }

    /// Does `acts` if the rule allows it as things stand then.
    fn act(&mut self, acts: &[Act], aim: Aim<'_>) -> Result<Pressed, PlayError> {
        let presses = acts.iter().any(is_press);
        if presses && !self.rest_left().is_zero() {
            return Err(PlayError::TooSoon { left: self.rest_left() });
        }
        let start = Instant::now();
        let mut held = None;
        loop {
            let mut verdict = Verdict::Yes;
            let Self { hands, stop, left_at, .. } = self;
            let landed = hands.act(aim.on, acts, &mut |situation| {
                verdict = match judge(situation, acts, aim, stop, *left_at) {
                    Verdict::Yes => held.map(Hindrance::Held).map_or(Verdict::Yes, Verdict::No),
                    against => against,
                };
                matches!(verdict, Verdict::Yes)
            })?;
            match verdict {
                Verdict::Yes => {}
                Verdict::Stopped => return Err(PlayError::Interrupted),
                Verdict::No(hindrance) => return Ok(Pressed::No(hindrance)),
                Verdict::Hand(_) if start.elapsed() < CATCHES_UP => {
                    rest(SLICE);
                    continue;
                }
                Verdict::Held(what) if start.elapsed() < LETS_GO => {
                    held = Some(what);
                    rest(SLICE);
                    continue;
                }
                Verdict::Held(what) => return Err(PlayError::HeldDown { what }),
                Verdict::Hand(found) => {
                    let left = self.left_at.map_or(found, |(_, landed)| landed);
                    return Err(PlayError::HandOnMouse { left, found });
                }
            }
            if let Some(sent) = acts.iter().rev().find_map(Act::place) {
                self.left_at = Some((sent, landed.unwrap_or(sent)));
            }
            if presses {
                self.pressed_at = Some(self.hands.now());
            }
            return Ok(Pressed::Yes);
        }
    }

    /// Moves to `at`, waits for `hold`, presses, waits as long, and lets go. A window manager that swallows a
    /// click which is over at once does so again and again; one that takes its time gets through.
    fn click(
        &mut self,
        buttons: &[Button],
        at: Px,
        aim: Aim<'_>,
        hold: Duration,
    ) -> Result<Pressed, PlayError> {
        let mut acts = vec![Act::Move(at)];
        acts.extend(buttons.iter().map(|&button| Act::Press(button)));
        if hold.is_zero() {
            acts.extend(buttons.iter().rev().map(|&button| Act::Release(button)));
        } else {
            self.rest_at(at, aim)?;
            rest(hold);
        }
        let pressed = self.act(&acts, aim);
        let may_be_down = match &pressed {
            Ok(Pressed::Yes) => !hold.is_zero(),
            Err(PlayError::Input(_)) => true,
            Ok(Pressed::No(_)) | Err(_) => false,
        };
        if may_be_down {
            self.held.extend(buttons);
            rest(hold);
            let released = self.let_go();
            rest(hold);
            released?;
        }
        pressed
    }

    /// Releases what is held, last pressed first.
    fn let_go(&mut self) -> Result<(), InputError> {
        let mut outcome = Ok(());
        while let Some(button) = self.held.pop() {
            let at = self.left_at.map_or(Px::new(0, 0), |(sent, _)| sent);
            let released = self.hands.act(at, &[Act::Release(button)], &mut |_| true);
            outcome = outcome.and(released.map(|_| ()));
        }
        outcome
    }
}

/// Sleeps for `time`: the only place of `play` that does. Who waits for something to show waits through
/// [`Screen::wait`](crate::capture::Screen::wait); the guard has no screen, and waits for the mouse:
/// - for a slice, before it asks again where the pointer is or what a person holds down, within [`CATCHES_UP`] and
///   [`LETS_GO`];
/// - for a slice, while the window of the game is closed and the next one is on its way: there is nothing to look at;
/// - for as long as a button is to be held, before the press, during it and after it. That a click lasts is no waiting
///   for evidence, and nothing that shows would end it sooner.
fn rest(time: Duration) {
    std::thread::sleep(time);
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.let_go() {
            log::warn!("a mouse button could not be released: {error}");
        }
    }
}

#[cfg(test)]
mod tests;
