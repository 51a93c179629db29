//! The only way to the mouse and the keyboard.
//!
//! A [`Guard`] holds the hands and lets through: a click into a cell of the board that lies on the
//! watched part of the screen, the new-game control and the dialog keys that the skin names, and moves
//! of the pointer. Before anything is pressed it asks whether the signal to stop was given and whether
//! the pointer is still where it was left. It lets go of every button it holds when it is dropped, so
//! nothing stays pressed after an error or a panic.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::PlayError;
use super::patience::SLICE;
use crate::board::Pos;
use crate::geometry::{Px, Rect};
use crate::input::{Button, Hands};
use crate::recognize::Lattice;
use crate::recognize::skin::{Control, Dialog, GameWays};

/// How many pixels the pointer may be off without a hand having moved it: scaled desktops round.
const SLACK: u32 = 2;

/// How long the pointer may be said to be elsewhere before a hand is seen in it. A window manager that
/// holds a click back holds the pointer back as well, and lets it catch up when it finds the time.
const CATCHES_UP: Duration = Duration::from_secs(1);

/// How far from the board the pointer is parked where the window leaves no more room.
const NARROW: i32 = 3;

pub(super) struct Guard<'a> {
    hands: &'a mut dyn Hands,
    stop: Arc<AtomicBool>,
    /// Where the pointer was sent last, and where it was right after if that was asked: a screen's edge holds it
    /// back, and some systems are late to tell.
    left_at: Option<(Px, Px)>,
    held: Vec<Button>,
}

impl<'a> Guard<'a> {
    pub(super) fn new(hands: &'a mut dyn Hands, stop: Arc<AtomicBool>) -> Self {
        Self { hands, stop, left_at: None, held: Vec::new() }
    }

    /// Presses `buttons` together on the cell at `pos`; see [`Guard::click`] for `hold`.
    pub(super) fn click_cell(
        &mut self,
        buttons: &[Button],
        lattice: &Lattice,
        area: Rect,
        pos: Pos,
        hold: Duration,
    ) -> Result<(), PlayError> {
        let at = spot(lattice, area, pos)?;
        self.may_press()?;
        self.click(buttons, at, hold)
    }

    /// Whether nothing holds clicks back, so that several may be sent at once.
    pub(super) fn takes_bursts(&self) -> bool {
        self.hands.takes_bursts()
    }

    /// Clicks on one cell right after the other, and [parks](Guard::park) the pointer: so fast that nobody can ask for
    /// a stop in between. Nothing is clicked if one of them may not be.
    pub(super) fn burst(
        &mut self,
        clicks: &[(Button, Pos)],
        lattice: &Lattice,
        area: Rect,
    ) -> Result<(), PlayError> {
        let spots = clicks.iter().map(|&(button, pos)| Ok((button, spot(lattice, area, pos)?)));
        let spots: Vec<(Button, Px)> = spots.collect::<Result<_, PlayError>>()?;
        self.may_press()?;
        let rest = parking(lattice, area);
        self.left_at = Some((rest, self.hands.burst(&spots, rest)?));
        Ok(())
    }

    /// Presses the new-game control that `ways` names; see [`Guard::click`] for `hold`.
    pub(super) fn new_game(
        &mut self,
        ways: &GameWays,
        lattice: &Lattice,
        area: Rect,
        hold: Duration,
    ) -> Result<(), PlayError> {
        self.may_press()?;
        match ways.new_game {
            None => Ok(()),
            Some(Control::Key(key)) => Ok(self.hands.strike(key)?),
            Some(Control::Click(spot)) => {
                let at = lattice.spot(spot);
                if lattice.pos_at(at).is_some() || !area.contains(at) {
                    return Err(PlayError::Refused {
                        what: format!("the new-game control at {at}"),
                        allowed: area,
                    });
                }
                self.click(&[Button::Left], at, hold)
            }
        }
    }

    /// Strikes the key that gets past `dialog`.
    pub(super) fn close(&mut self, dialog: &Dialog) -> Result<(), PlayError> {
        self.may_press()?;
        Ok(self.hands.strike(dialog.key)?)
    }

    /// Moves the pointer on the cell at `pos`. Presses nothing.
    pub(super) fn hover(&mut self, lattice: &Lattice, pos: Pos) -> Result<(), PlayError> {
        self.may_press()?;
        self.rest_at(lattice.centre(pos))
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
        self.may_press()?;
        self.rest_at(at)
    }

    /// Whether anything may be pressed now: nobody asked to stop, nobody moved the mouse.
    fn may_press(&mut self) -> Result<(), PlayError> {
        let start = Instant::now();
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(PlayError::Interrupted);
            }
            // A system that does not say where the pointer is cannot show a hand on it.
            let (Some((sent, landed)), Ok(found)) = (self.left_at, self.hands.pointer()) else {
                return Ok(());
            };
            let is_at = |at: Px| at.x.abs_diff(found.x) <= SLACK && at.y.abs_diff(found.y) <= SLACK;
            if is_at(sent) || is_at(landed) {
                return Ok(());
            }
            if start.elapsed() >= CATCHES_UP {
                return Err(PlayError::HandOnMouse { left: landed, found });
            }
            std::thread::sleep(SLICE);
        }
    }

    fn move_to(&mut self, at: Px) -> Result<(), PlayError> {
        self.hands.move_to(at)?;
        self.left_at = Some((at, at));
        Ok(())
    }

    /// Moves the pointer to a place where it stays, which may be beyond an edge that holds it back.
    fn rest_at(&mut self, at: Px) -> Result<(), PlayError> {
        self.move_to(at)?;
        self.left_at = Some((at, self.hands.pointer().unwrap_or(at)));
        Ok(())
    }

    /// Moves to `at`, waits for `hold`, presses, waits as long, and lets go. A window manager that swallows a
    /// click which is over at once does so again and again; one that takes its time gets through.
    fn click(&mut self, buttons: &[Button], at: Px, hold: Duration) -> Result<(), PlayError> {
        if let (&[button], true) = (buttons, hold.is_zero()) {
            // All at once, which some hands do faster.
            self.left_at = Some((at, at));
            return Ok(self.hands.click(button, at)?);
        }
        self.move_to(at)?;
        std::thread::sleep(hold);
        let mut pressed = Ok(());
        for &button in buttons {
            pressed = self.hands.press(button);
            if pressed.is_err() {
                break;
            }
            self.held.push(button);
        }
        std::thread::sleep(hold);
        let released = self.let_go();
        std::thread::sleep(hold);
        Ok(pressed.and(released)?)
    }

    /// Releases what is held, last pressed first.
    fn let_go(&mut self) -> Result<(), crate::input::InputError> {
        let mut outcome = Ok(());
        while let Some(button) = self.held.pop() {
            outcome = outcome.and(self.hands.release(button));
        }
        outcome
    }
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
    use crate::input::{InputError, Shortcut};
    use crate::recognize::skin::Spot;

    /// Hands that note what they did, and may refuse to press one button or be late to tell where the
    /// pointer is.
    #[derive(Default)]
    struct Noted {
        did: Vec<String>,
        at: Option<Px>,
        refuses: Option<Button>,
        /// So many more times the pointer is said to be in the corner.
        late: u32,
    }

    impl Hands for Noted {
        fn move_to(&mut self, at: Px) -> Result<(), InputError> {
            self.at = Some(at);
            self.did.push(format!("move {at}"));
            Ok(())
        }

        fn press(&mut self, button: Button) -> Result<(), InputError> {
            if self.refuses == Some(button) {
                return Err(InputError::Refused {
                    action: "press".to_owned(),
                    source: "no".into(),
                });
            }
            self.did.push(format!("press {button:?}"));
            Ok(())
        }

        fn release(&mut self, button: Button) -> Result<(), InputError> {
            self.did.push(format!("release {button:?}"));
            Ok(())
        }

        fn strike(&mut self, keys: Shortcut) -> Result<(), InputError> {
            self.did.push(format!("strike {keys}"));
            Ok(())
        }

        fn pointer(&mut self) -> Result<Px, InputError> {
            if self.late > 0 {
                self.late -= 1;
                return Ok(Px::new(0, 0));
            }
            Ok(self.at.unwrap_or(Px::new(0, 0)))
        }
    }

    const AREA: Rect = Rect::new(0, 0, 100, 100);

    fn lattice() -> Lattice {
        Lattice::even(Px::new(20, 40), (16.0, 16.0), 4, 4)
    }

    #[test]
    fn only_cells_in_sight_are_clicked() {
        let mut hands = Noted::default();
        let mut guard = Guard::new(&mut hands, Arc::default());
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
        drop(guard);
        assert_eq!(
            hands.did,
            ["move (76, 96)", "press Left", "release Left"],
            "nothing else reached the hands"
        );
    }

    #[test]
    fn a_burst_with_a_cell_that_may_not_be_clicked_presses_nothing() {
        let mut hands = Noted::default();
        let mut guard = Guard::new(&mut hands, Arc::default());
        let on = |pos| (Button::Left, pos);
        let off_the_board = [on(Pos::new(0, 0)), on(Pos::new(4, 0))];
        let error = guard.burst(&off_the_board, &lattice(), AREA).unwrap_err();
        assert!(matches!(error, PlayError::Refused { .. }), "{error}");
        let on_it = [on(Pos::new(0, 0)), (Button::Right, Pos::new(1, 0))];
        guard.burst(&on_it, &lattice(), AREA).unwrap();
        guard.stop.store(true, Ordering::Relaxed);
        let error = guard.burst(&on_it, &lattice(), AREA).unwrap_err();
        assert!(matches!(error, PlayError::Interrupted), "{error}");
        drop(guard);
        let left = ["move (28, 48)", "press Left", "release Left"];
        let right = ["move (44, 48)", "press Right", "release Right"];
        assert_eq!(hands.did, [&left[..], &right, &["move (12, 96)"]].concat());
    }

    #[test]
    fn a_pointer_that_catches_up_is_no_hand_on_the_mouse() {
        let mut hands = Noted { late: 4, ..Noted::default() };
        let mut guard = Guard::new(&mut hands, Arc::default());
        guard.left_at = Some((Px::new(50, 50), Px::new(50, 50)));
        guard.hands.move_to(Px::new(50, 50)).unwrap();
        assert!(guard.may_press().is_ok());
        guard.hands.move_to(Px::new(70, 50)).unwrap();
        assert!(matches!(guard.may_press(), Err(PlayError::HandOnMouse { .. })));
    }

    #[test]
    fn buttons_are_released_even_when_the_second_is_refused() {
        let mut hands = Noted { refuses: Some(Button::Right), ..Noted::default() };
        let mut guard = Guard::new(&mut hands, Arc::default());
        let both = [Button::Left, Button::Right];
        let clicked = guard.click_cell(&both, &lattice(), AREA, Pos::new(0, 0), Duration::ZERO);
        assert!(matches!(clicked, Err(PlayError::Input(_))));
        drop(guard);
        assert_eq!(hands.did[1..], ["press Left", "release Left"]);
    }

    #[test]
    fn a_new_game_button_is_never_on_a_cell_nor_out_of_sight() {
        let at = |along, down| GameWays {
            new_game: Some(Control::Click(Spot { across: 0.5, right: 0.0, along, down })),
            ..GameWays::default()
        };
        let mut hands = Noted::default();
        let mut guard = Guard::new(&mut hands, Arc::default());
        let mut press = |ways: GameWays| guard.new_game(&ways, &lattice(), AREA, Duration::ZERO);
        assert!(press(at(0.0, -1.0)).is_ok());
        assert!(press(at(0.5, 0.0)).is_err(), "on the board");
        assert!(press(at(0.0, -4.0)).is_err(), "above the window");
        assert!(press(GameWays::default()).is_ok(), "nothing to press");
        drop(guard);
        assert_eq!(hands.did, ["move (52, 24)", "press Left", "release Left"]);
    }

    #[test]
    fn the_pointer_parks_beside_the_board() {
        let mut hands = Noted::default();
        let mut guard = Guard::new(&mut hands, Arc::default());
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
