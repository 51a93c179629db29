//! The only way to the mouse and the keyboard.
//!
//! A [`Guard`] holds the hands. This is its rule, one sentence for each clause, and a test makes it refuse for each:
//!
//! 1. Nothing is pressed after the signal to stop was given.
//! 2. Nothing is pressed while the pointer is not where it was left: a hand is on the mouse.
//! 3. Nothing is pressed sooner after the press before than the person asked for.
//! 4. A click goes into a cell of the board, or on the new-game control that the skin names, which is on no cell; both only
//!    where the watched part of the screen is.
//! 5. Nothing is clicked while the window of the game is not where it was seen, nor beyond an edge of the screen: the pointer
//!    would be held back there, on another cell.
//! 6. Nothing is clicked where another window would get it.
//! 7. A key is struck only while the window of the game has the keyboard; one that closes a dialog only while that dialog of
//!    the game has it.
//! 8. In a browser no key is struck that opens, closes, prints, saves, reloads or navigates, and none in its dialogs; in a
//!    terminal or an editor none at all.
//! 9. Nothing is pressed while another player holds the mouse.
//! 10. Nothing is pressed while a person holds down a button of the mouse, or a key that makes another press of it.
//!
//! What can change by itself is asked for [in the same breath](Hands::act) in which is pressed. Moving the pointer presses
//! nothing and is subject to the first two. The guard lets go of every button it holds when it is dropped, so nothing
//! stays pressed after an error or a panic.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::PlayError;
use super::keys::{has_dialogs_of_a_game, is_harmless};
use super::patience::SLICE;
use crate::board::Pos;
use crate::geometry::{Px, Rect};
use crate::input::{Act, Button, Hands, InputError, Owner, Place, Shortcut, Situation};
use crate::recognize::Lattice;
use crate::recognize::skin::{Control, Dialog, GameWays};

/// How many pixels the pointer may be off without a hand having moved it: scaled desktops round.
const SLACK: u32 = 2;

/// How long the pointer may be said to be elsewhere before a hand is seen in it: some systems are late to tell.
const CATCHES_UP: Duration = Duration::from_millis(100);

/// How long a person may hold something down.
const LETS_GO: Duration = Duration::from_secs(5);

/// How far from the board the pointer is parked where the window leaves no more room.
const NARROW: i32 = 3;

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

/// What stands in the way of a press.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Hindrance {
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
enum Verdict {
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
struct Aim<'a> {
    /// The window as it was seen.
    area: Rect,
    /// A place on the game.
    on: Px,
    /// The dialog that is to get a key; otherwise that is the game.
    dialog: Option<&'a Dialog>,
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
        let at = spot(lattice, area, pos)?;
        self.click(buttons, at, aim(lattice, area), hold)
    }

    /// Whether nothing holds clicks back, so that several may be sent at once.
    pub(super) fn takes_bursts(&self) -> bool {
        self.pace.is_zero() && self.hands.takes_bursts()
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
            acts.extend(Act::click(button, spot(lattice, area, pos)?));
        }
        acts.push(Act::Move(parking(lattice, area)));
        self.act(&acts, aim(lattice, area))
    }

    /// Presses the new-game control that `ways` names; see [`Guard::click`] for `hold`.
    pub(super) fn new_game(
        &mut self,
        ways: &GameWays,
        lattice: &Lattice,
        area: Rect,
        hold: Duration,
    ) -> Result<Pressed, PlayError> {
        let aim = aim(lattice, area);
        match ways.new_game {
            None => Ok(Pressed::Yes),
            Some(Control::Key(key)) => self.strike(key, aim),
            Some(Control::Click(spot)) => {
                let at = lattice.spot(spot);
                if lattice.pos_at(at).is_some() || !area.contains(at) {
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
        self.strike(dialog.key, Aim { area, on: area.centre(), dialog: Some(dialog) })
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

    /// Asks the desktop to give the keyboard to the game.
    pub(super) fn activate(&mut self) -> Result<(), PlayError> {
        Ok(self.hands.activate()?)
    }

    /// Makes sure that nobody asks to stop, nor has a hand on the mouse, while nothing is done.
    pub(super) fn feel(&mut self, lattice: &Lattice, area: Rect) -> Result<(), PlayError> {
        self.act(&[], aim(lattice, area)).map(|_| ())
    }

    /// Moves the pointer on the cell at `pos`. Presses nothing.
    pub(super) fn hover(
        &mut self,
        lattice: &Lattice,
        area: Rect,
        pos: Pos,
    ) -> Result<(), PlayError> {
        self.rest_at(lattice.centre(pos), aim(lattice, area))
    }

    /// Moves the pointer off the board, so that no cell is highlighted under it: beside its last row,
    /// inside the window where there is room. Presses nothing. Never above the board: controls are there,
    /// and a release that a window manager holds back may arrive where the pointer is by then. Not beside
    /// its middle: a message over it may stay as long as the pointer is on it.
    pub(super) fn park(&mut self, lattice: &Lattice, area: Rect) -> Result<(), PlayError> {
        let at = parking(lattice, area);
        if self.left_at.is_some_and(|(sent, _)| sent == at) {
            return Ok(());
        }
        self.rest_at(at, aim(lattice, area))
    }

    /// Moves the pointer to a place where it stays, which may be beyond an edge that holds it back.
    fn rest_at(&mut self, at: Px, aim: Aim<'_>) -> Result<(), PlayError> {
        self.act(&[Act::Move(at)], aim).map(|_| ())
    }

    fn strike(&mut self, key: Shortcut, aim: Aim<'_>) -> Result<Pressed, PlayError> {
        if !self.may_strike(key) {
            return Err(self.harmful(key));
        }
        self.act(&[Act::Strike(key)], aim)
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
                    std::thread::sleep(SLICE);
                    continue;
                }
                Verdict::Held(what) if start.elapsed() < LETS_GO => {
                    held = Some(what);
                    std::thread::sleep(SLICE);
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
            std::thread::sleep(hold);
        }
        let pressed = self.act(&acts, aim);
        let may_be_down = match &pressed {
            Ok(Pressed::Yes) => !hold.is_zero(),
            Err(PlayError::Input(_)) => true,
            Ok(Pressed::No(_)) | Err(_) => false,
        };
        if may_be_down {
            self.held.extend(buttons);
            std::thread::sleep(hold);
            let released = self.let_go();
            std::thread::sleep(hold);
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

/// Whether something goes into a window: anything but a move and letting go.
fn is_press(act: &Act) -> bool {
    matches!(act, Act::Press(_) | Act::Strike(_))
}

/// Whether something may be done as things stand; see the head of this file.
fn judge(
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
    let hindrance = match &situation.under {
        _ if elsewhere || beyond => Some(Hindrance::Moved),
        _ if strikes => keyboard_elsewhere(situation, aim.dialog).map(Hindrance::Keyboard),
        Some(Owner::Dialog(by) | Owner::Other(by)) => Some(Hindrance::Covered(by.clone())),
        Some(Owner::Game) | None => None,
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

/// Aims at the game that has its board in `lattice`, in a window at `area`.
fn aim<'a>(lattice: &Lattice, area: Rect) -> Aim<'a> {
    Aim { area, on: lattice.area().centre(), dialog: None }
}

/// Where the cell at `pos` is clicked, if it may be: on the board, in the watched part of the screen.
fn spot(lattice: &Lattice, area: Rect, pos: Pos) -> Result<Px, PlayError> {
    let refused = |allowed| PlayError::Refused { what: format!("cell {pos}"), allowed };
    if pos.col >= lattice.cols() || pos.row >= lattice.rows() {
        return Err(refused(lattice.area()));
    }
    let at = lattice.centre(pos);
    if area.contains(at) { Ok(at) } else { Err(refused(area)) }
}

/// Where the pointer is parked: see [`Guard::park`].
fn parking(lattice: &Lattice, area: Rect) -> Px {
    let board = lattice.area();
    let (width, height) = lattice.pitch();
    let (dx, dy) = ((width / 2.0).max(4.0) as i32, (height / 2.0).max(4.0) as i32);
    let (middle, last_row) = (board.centre().x, board.bottom() - dy);
    let beside = [(dx, dy), (NARROW, NARROW)].into_iter().flat_map(|(dx, dy)| {
        [
            Px::new(board.x - dx, last_row),
            Px::new(board.right() + dx, last_row),
            Px::new(middle, board.bottom() + dy),
        ]
    });
    // A board that fills its window leaves no room inside; just outside is as good for a pointer
    // that presses nothing.
    let outside = Px::new(area.right() + dx, last_row);
    let mut inside = beside.filter(|&at| area.contains(at));
    inside.next().unwrap_or(outside)
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.let_go() {
            log::warn!("a mouse button could not be released: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognize::skin::Spot;

    /// Hands that note what they did, on a desktop that stands as the test says.
    struct Noted {
        did: Vec<String>,
        stands: Situation,
        /// Whom else the mouse belongs to.
        taken: bool,
        class: &'static str,
        refuses: Option<Button>,
        /// So many more times the pointer is said to be in the corner.
        late: u32,
        /// So many more times something is held down.
        holds: u32,
        now: Instant,
    }

    impl Default for Noted {
        fn default() -> Self {
            let stands = Situation {
                pointer: Some(Px::new(0, 0)),
                screen: Some(SCREEN),
                window: Some(Place::At(AREA)),
                under: Some(Owner::Game),
                keyboard: Some(Owner::Game),
                held: None,
            };
            let did = Vec::new();
            let now = Instant::now();
            Self { did, stands, taken: false, class: "", refuses: None, late: 0, holds: 0, now }
        }
    }

    impl Hands for Noted {
        fn act(
            &mut self,
            _: Px,
            acts: &[Act],
            may: &mut dyn FnMut(&Situation) -> bool,
        ) -> Result<Option<Px>, InputError> {
            let mut stands = self.stands.clone();
            if self.late > 0 {
                self.late -= 1;
                stands.pointer = Some(Px::new(0, 0));
            }
            self.holds = self.holds.saturating_sub(1);
            stands.held = (self.holds > 0).then_some("Ctrl");
            if !may(&stands) {
                return Ok(None);
            }
            for &act in acts {
                match act {
                    Act::Move(at) => self.stands.pointer = Some(at),
                    Act::Press(button) if self.refuses == Some(button) => {
                        return Err(InputError::Refused {
                            action: "press".to_owned(),
                            source: "no".into(),
                        });
                    }
                    _ => {}
                }
                self.did.push(match act {
                    Act::Move(at) => format!("move {at}"),
                    Act::Press(button) => format!("press {button:?}"),
                    Act::Release(button) => format!("release {button:?}"),
                    Act::Strike(keys) => format!("strike {keys}"),
                });
            }
            Ok(self.stands.pointer)
        }

        fn take_hold(&mut self) -> Result<(), InputError> {
            match self.taken {
                true => Err(InputError::Taken { by: "process 7".to_owned() }),
                false => Ok(()),
            }
        }

        fn window_class(&self) -> &str {
            self.class
        }

        fn now(&self) -> Instant {
            self.now
        }
    }

    const AREA: Rect = Rect::new(0, 0, 100, 100);
    const SCREEN: Rect = Rect::new(0, 0, 200, 200);

    fn lattice() -> Lattice {
        Lattice::even(Px::new(20, 40), (16.0, 16.0), 4, 4)
    }

    fn guard(hands: &mut Noted) -> Guard<'_> {
        Guard::new(hands, Arc::default(), Duration::ZERO)
    }

    fn key(key: &str) -> GameWays {
        GameWays { new_game: Some(Control::Key(key.parse().unwrap())), ..GameWays::default() }
    }

    /// A click on a cell, two at once, and a key for a new game.
    fn each(guard: &mut Guard<'_>) -> [Result<Pressed, PlayError>; 3] {
        let (lattice, at) = (lattice(), Pos::new(1, 1));
        let two = [(Button::Left, at), (Button::Left, Pos::new(2, 2))];
        [
            guard.click_cell(&[Button::Left], &lattice, AREA, at, Duration::ZERO),
            guard.burst(&two, &lattice, AREA),
            guard.new_game(&key("F2"), &lattice, AREA, Duration::ZERO),
        ]
    }

    #[test]
    fn as_long_as_nothing_is_against_it_everything_is_pressed() {
        let mut hands = Noted::default();
        for pressed in each(&mut guard(&mut hands)) {
            assert_eq!(pressed.unwrap(), Pressed::Yes);
        }
        assert_eq!(hands.did.iter().filter(|what| what.starts_with("press")).count(), 3);
        assert_eq!(hands.did.last().unwrap(), "strike F2");
    }

    #[test]
    fn clause_1_nothing_is_pressed_after_the_signal_to_stop() {
        let mut hands = Noted::default();
        let mut guard = guard(&mut hands);
        guard.stop.store(true, Ordering::Relaxed);
        for pressed in each(&mut guard) {
            assert!(matches!(pressed, Err(PlayError::Interrupted)));
        }
        assert!(matches!(guard.park(&lattice(), AREA), Err(PlayError::Interrupted)));
        drop(guard);
        assert_eq!(hands.did, [""; 0]);
    }

    #[test]
    fn clause_2_nothing_is_pressed_while_a_hand_is_on_the_mouse() {
        let mut hands = Noted::default();
        let mut guard = guard(&mut hands);
        guard.left_at = Some((Px::new(50, 50), Px::new(50, 50)));
        for pressed in each(&mut guard) {
            assert!(matches!(pressed, Err(PlayError::HandOnMouse { .. })));
        }
        drop(guard);
        assert_eq!(hands.did, [""; 0]);
    }

    #[test]
    fn a_pointer_that_catches_up_is_no_hand_on_the_mouse() {
        let mut hands = Noted { late: 2, ..Noted::default() };
        hands.stands.pointer = Some(Px::new(50, 50));
        let mut guard = guard(&mut hands);
        guard.left_at = Some((Px::new(50, 50), Px::new(50, 50)));
        let [click, ..] = each(&mut guard);
        assert_eq!(click.unwrap(), Pressed::Yes);
    }

    #[test]
    fn a_pointer_that_a_smaller_screen_pushes_is_no_hand_on_the_mouse() {
        let mut hands = Noted::default();
        hands.stands.screen = Some(Rect::new(0, 0, 80, 90));
        let mut is_fine = |left: Px, found: Px| {
            hands.stands.pointer = Some(found);
            let mut guard = guard(&mut hands);
            guard.left_at = Some((left, left));
            guard.feel(&lattice(), AREA).is_ok()
        };
        assert!(is_fine(Px::new(150, 40), Px::new(79, 40)));
        assert!(is_fine(Px::new(150, 140), Px::new(79, 89)));
        assert!(!is_fine(Px::new(50, 40), Px::new(79, 40)));
        assert!(!is_fine(Px::new(150, 40), Px::new(79, 89)));
    }

    #[test]
    fn clause_3_nothing_is_pressed_sooner_than_was_asked_for() {
        let mut hands = Noted::default();
        let began = hands.now;
        let pace = Duration::from_millis(100);
        let mut pressed_at = None;
        for (after, may) in [(0, true), (99, false), (100, true), (199, false)] {
            hands.now = began + Duration::from_millis(after);
            let mut guard = Guard::new(&mut hands, Arc::default(), pace);
            guard.pressed_at = pressed_at;
            assert_eq!(guard.rest_left().is_zero(), may, "after {after} ms");
            let pressed = guard.new_game(&key("F2"), &lattice(), AREA, Duration::ZERO);
            assert_eq!(pressed.is_ok(), may, "after {after} ms");
            pressed_at = guard.pressed_at;
        }
        let mut guard = Guard::new(&mut hands, Arc::default(), pace);
        guard.pressed_at = pressed_at;
        for pressed in each(&mut guard) {
            assert!(matches!(pressed, Err(PlayError::TooSoon { .. })));
        }
    }

    #[test]
    fn clause_4_only_cells_in_sight_are_clicked() {
        let mut hands = Noted::default();
        let mut guard = guard(&mut hands);
        let mut click =
            |pos, area| guard.click_cell(&[Button::Left], &lattice(), area, pos, Duration::ZERO);
        assert!(click(Pos::new(3, 3), AREA).is_ok());
        for (pos, area) in [
            (Pos::new(4, 0), AREA),
            (Pos::new(0, 4), AREA),
            (Pos::new(3, 3), Rect::new(0, 0, 70, 70)),
        ] {
            let error = click(pos, area).unwrap_err();
            assert!(matches!(error, PlayError::Refused { .. }), "{error}");
        }
        let off_the_board = [(Button::Left, Pos::new(0, 0)), (Button::Left, Pos::new(4, 0))];
        let error = guard.burst(&off_the_board, &lattice(), AREA).unwrap_err();
        assert!(matches!(error, PlayError::Refused { .. }), "{error}");
        drop(guard);
        assert_eq!(
            hands.did,
            ["move (76, 96)", "press Left", "release Left"],
            "nothing else reached the hands"
        );
    }

    #[test]
    fn clause_4_a_new_game_button_is_never_on_a_cell_nor_out_of_sight() {
        let at = |along, down| GameWays {
            new_game: Some(Control::Click(Spot { across: 0.5, right: 0.0, along, down })),
            ..GameWays::default()
        };
        let mut hands = Noted::default();
        let mut guard = guard(&mut hands);
        let mut press = |ways: GameWays| guard.new_game(&ways, &lattice(), AREA, Duration::ZERO);
        assert!(press(at(0.0, -1.0)).is_ok());
        assert!(press(at(0.5, 0.0)).is_err(), "on the board");
        assert!(press(at(0.0, -4.0)).is_err(), "above the window");
        assert!(press(GameWays::default()).is_ok(), "nothing to press");
        drop(guard);
        assert_eq!(hands.did, ["move (52, 24)", "press Left", "release Left"]);
    }

    #[test]
    fn clause_5_nothing_is_pressed_while_the_window_is_elsewhere() {
        for place in
            [Place::At(AREA.moved(16, 0)), Place::At(Rect::new(0, 0, 90, 100)), Place::Gone]
        {
            let mut hands = Noted::default();
            hands.stands.window = Some(place);
            for pressed in each(&mut guard(&mut hands)) {
                assert_eq!(pressed.unwrap(), Pressed::No(Hindrance::Moved));
            }
            assert_eq!(hands.did, [""; 0]);
        }
    }

    #[test]
    fn clause_5_nothing_is_clicked_beyond_an_edge_of_the_screen() {
        let mut hands = Noted::default();
        // The cell of the one click, and the first of the two, ends at this edge; that of the second is beyond it.
        hands.stands.screen = Some(Rect::new(0, 0, 52, 200));
        let [click, burst, _] = each(&mut guard(&mut hands));
        assert_eq!(click.unwrap(), Pressed::Yes);
        assert_eq!(burst.unwrap(), Pressed::No(Hindrance::Moved));
        hands.stands.screen = Some(Rect::new(0, 0, 40, 200));
        let [click, burst, _] = each(&mut guard(&mut hands));
        for pressed in [click, burst] {
            assert_eq!(pressed.unwrap(), Pressed::No(Hindrance::Moved));
        }
    }

    #[test]
    fn clause_6_nothing_is_clicked_where_another_window_gets_it() {
        for owner in [Owner::Other("Menu".to_owned()), Owner::Dialog("Menu".to_owned())] {
            let mut hands = Noted::default();
            hands.stands.under = Some(owner);
            let [click, burst, _] = each(&mut guard(&mut hands));
            for pressed in [click, burst] {
                let covered = Hindrance::Covered("Menu".to_owned());
                assert_eq!(pressed.unwrap(), Pressed::No(covered));
            }
            assert_eq!(hands.did, ["strike F2"], "who has the keyboard gets the key");
        }
    }

    #[test]
    fn clause_7_a_key_goes_only_to_who_should_get_it() {
        let dialog = Dialog { title: "High Scores".to_owned(), key: "Escape".parse().unwrap() };
        let other = || Some(Owner::Other("xterm".to_owned()));
        let scores = || Some(Owner::Dialog("High scores".to_owned()));
        let asks = || Some(Owner::Dialog("Quit?".to_owned()));
        for (keyboard, for_game, for_dialog) in [
            (Some(Owner::Game), true, false),
            (scores(), false, true),
            (asks(), false, false),
            (other(), false, false),
            (None, false, false),
        ] {
            let mut hands = Noted::default();
            hands.stands.keyboard = keyboard.clone();
            let mut guard = guard(&mut hands);
            let new_game = guard.new_game(&key("F2"), &lattice(), AREA, Duration::ZERO).unwrap();
            assert_eq!(new_game == Pressed::Yes, for_game, "{keyboard:?}");
            let closes = guard.close(&dialog, AREA).unwrap();
            assert_eq!(closes == Pressed::Yes, for_dialog, "{keyboard:?}");
            drop(guard);
            assert_eq!(hands.did.len(), usize::from(for_game) + usize::from(for_dialog));
        }
    }

    #[test]
    fn clause_8_no_key_that_does_harm_is_struck_in_a_browser() {
        let mut hands = Noted { class: "Firefox-esr", ..Noted::default() };
        let mut guard = guard(&mut hands);
        for harmful in ["Ctrl+N", "Ctrl+R", "Return", "F5"] {
            let error =
                guard.new_game(&key(harmful), &lattice(), AREA, Duration::ZERO).unwrap_err();
            assert!(matches!(error, PlayError::HarmfulKey { .. }), "{error}");
        }
        for any in ["Return", "Escape", "n"] {
            let dialog = Dialog { title: "Print".to_owned(), key: any.parse().unwrap() };
            let error = guard.close(&dialog, AREA).unwrap_err();
            assert!(matches!(error, PlayError::HarmfulKey { .. }), "{error}");
        }
        assert!(guard.new_game(&key("F2"), &lattice(), AREA, Duration::ZERO).is_ok());
        drop(guard);
        assert_eq!(hands.did, ["strike F2"]);
    }

    #[test]
    fn clause_9_a_mouse_that_another_player_holds_is_left_alone() {
        let mut hands = Noted { taken: true, ..Noted::default() };
        let error = guard(&mut hands).take_hold().unwrap_err();
        assert!(
            error.to_string().starts_with("process 7 plays on this desktop already"),
            "{error}"
        );
    }

    #[test]
    fn clause_10_nothing_is_pressed_while_a_person_holds_something_down() {
        let mut hands = Noted { holds: 4, ..Noted::default() };
        let (lattice, at) = (lattice(), Pos::new(1, 1));
        let mut guard = guard(&mut hands);
        let mut click =
            || guard.click_cell(&[Button::Left], &lattice, AREA, at, Duration::ZERO).unwrap();
        // It was let go, but the board may have changed meanwhile.
        assert_eq!(click(), Pressed::No(Hindrance::Held("Ctrl")));
        assert_eq!(click(), Pressed::Yes);
        drop(guard);
        assert_eq!(hands.did.len(), 3);
        let mut hands = Noted { holds: u32::MAX, ..Noted::default() };
        let error = self::guard(&mut hands).new_game(&key("F2"), &lattice, AREA, Duration::ZERO);
        assert!(matches!(error, Err(PlayError::HeldDown { what: "Ctrl" })));
        assert_eq!(hands.did, [""; 0]);
    }

    #[test]
    fn buttons_are_released_even_when_the_second_is_refused() {
        let mut hands = Noted { refuses: Some(Button::Right), ..Noted::default() };
        let mut guard = guard(&mut hands);
        let both = [Button::Left, Button::Right];
        let clicked = guard.click_cell(&both, &lattice(), AREA, Pos::new(0, 0), Duration::ZERO);
        assert!(matches!(clicked, Err(PlayError::Input(_))));
        drop(guard);
        assert_eq!(hands.did[1..], ["press Left", "release Right", "release Left"]);
    }

    #[test]
    fn the_pointer_parks_beside_the_board() {
        let mut hands = Noted::default();
        let mut guard = guard(&mut hands);
        let full = lattice().area();
        // As in WineMine: room for a button above, and a few pixels on the other sides.
        let room_above = Rect::new(full.x - 5, 0, full.width + 10, full.bottom() as u32 + 5);
        for area in [AREA, full, room_above] {
            guard.park(&lattice(), area).unwrap();
            let (at, _) = guard.left_at.unwrap();
            assert_eq!(lattice().pos_at(at), None);
            assert!(at.y >= full.y, "{at} may be on a control");
        }
        drop(guard);
        assert!(hands.did.iter().all(|what| what.starts_with("move")));
    }
}
