//! A test for each clause of the rule, and for what the guard does between two presses.

use std::sync::atomic::Ordering;

use super::*;
use crate::input::{Owner, Place, Situation};
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
    /// Whether a key is told for that a click does not come before.
    tells_keyboard: bool,
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
        Self {
            did,
            stands,
            taken: false,
            class: "",
            refuses: None,
            late: 0,
            holds: 0,
            now,
            tells_keyboard: true,
        }
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
        if !self.tells_keyboard {
            stands.keyboard = Act::strike_behind_click(acts).then_some(Owner::Game);
        }
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

    fn tells_keyboard(&self) -> bool {
        self.tells_keyboard
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

fn key(key: &str) -> GameBehaviour {
    GameBehaviour { new_game: Some(Control::Key(key.parse().unwrap())), ..GameBehaviour::default() }
}

/// A click on a cell, two at once, and a key for a new game.
fn each(guard: &mut Guard<'_>) -> [Result<Pressed, PlayError>; 3] {
    let (lattice, at) = (lattice(), Pos::new(1, 1));
    let two = [(Button::Left, at), (Button::Left, Pos::new(2, 2))];
    [
        guard.click_cell(&[Button::Left], &lattice, AREA, at, Duration::ZERO),
        guard.burst(&two, &lattice, AREA),
        guard.new_game(&key("F2"), &lattice, AREA, Duration::ZERO, None),
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
        let pressed = guard.new_game(&key("F2"), &lattice(), AREA, Duration::ZERO, None);
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
    for (pos, area) in
        [(Pos::new(4, 0), AREA), (Pos::new(0, 4), AREA), (Pos::new(3, 3), Rect::new(0, 0, 70, 70))]
    {
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
    let at = |along, down| GameBehaviour {
        new_game: Some(Control::Click(Spot { across: 0.5, right: 0.0, along, down })),
        ..GameBehaviour::default()
    };
    let mut hands = Noted::default();
    let mut guard = guard(&mut hands);
    let mut press =
        |ways: GameBehaviour| guard.new_game(&ways, &lattice(), AREA, Duration::ZERO, None);
    assert!(press(at(0.0, -1.0)).is_ok());
    assert!(press(at(0.5, 0.0)).is_err(), "on the board");
    assert!(press(at(0.0, -4.0)).is_err(), "above the window");
    assert!(press(GameBehaviour::default()).is_ok(), "nothing to press");
    drop(guard);
    assert_eq!(hands.did, ["move (52, 24)", "press Left", "release Left"]);
}

#[test]
fn clause_5_nothing_is_pressed_while_the_window_is_elsewhere() {
    for place in [Place::At(AREA.moved(16, 0)), Place::At(Rect::new(0, 0, 90, 100)), Place::Gone] {
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
        let new_game = guard.new_game(&key("F2"), &lattice(), AREA, Duration::ZERO, None).unwrap();
        assert_eq!(new_game == Pressed::Yes, for_game, "{keyboard:?}");
        let closes = guard.close(&dialog, AREA).unwrap();
        assert_eq!(closes == Pressed::Yes, for_dialog, "{keyboard:?}");
        drop(guard);
        assert_eq!(hands.did.len(), usize::from(for_game) + usize::from(for_dialog));
    }
}

#[test]
fn clause_7_where_nobody_tells_the_keyboard_a_key_goes_right_behind_a_click() {
    let open = Pos::new(1, 1);
    let dialog = Dialog { title: "High Scores".to_owned(), key: "Escape".parse().unwrap() };
    let mut hands = Noted { tells_keyboard: false, ..Noted::default() };
    let mut guard = guard(&mut hands);
    let mut new_game =
        |open| guard.new_game(&key("F2"), &lattice(), AREA, Duration::ZERO, open).unwrap();
    assert!(matches!(new_game(None), Pressed::No(Hindrance::Keyboard(_))));
    assert_eq!(new_game(Some(open)), Pressed::Yes);
    assert_eq!(guard.close_unnamed(&dialog, &lattice(), AREA, open).unwrap(), Pressed::Yes);
    drop(guard);
    let click = ["move (44, 64)", "press Left", "release Left"];
    assert_eq!(hands.did, [&click[..], &["strike F2"], &click, &["strike Escape"]].concat());
    let mut hands = Noted { tells_keyboard: false, ..Noted::default() };
    hands.stands.under = Some(Owner::Other("Menu".to_owned()));
    let closes = self::guard(&mut hands).close_unnamed(&dialog, &lattice(), AREA, open).unwrap();
    assert_eq!(closes, Pressed::No(Hindrance::Covered("Menu".to_owned())));
    assert_eq!(hands.did, [""; 0]);
}

#[test]
fn clause_8_no_key_that_does_harm_is_struck_in_a_browser() {
    let mut hands = Noted { class: "Firefox-esr", ..Noted::default() };
    let mut guard = guard(&mut hands);
    for harmful in ["Ctrl+N", "Ctrl+R", "Return", "F5"] {
        let error =
            guard.new_game(&key(harmful), &lattice(), AREA, Duration::ZERO, None).unwrap_err();
        assert!(matches!(error, PlayError::HarmfulKey { .. }), "{error}");
    }
    for any in ["Return", "Escape", "n"] {
        let dialog = Dialog { title: "Print".to_owned(), key: any.parse().unwrap() };
        let error = guard.close(&dialog, AREA).unwrap_err();
        assert!(matches!(error, PlayError::HarmfulKey { .. }), "{error}");
    }
    assert!(guard.new_game(&key("F2"), &lattice(), AREA, Duration::ZERO, None).is_ok());
    drop(guard);
    assert_eq!(hands.did, ["strike F2"]);
}

#[test]
fn clause_9_a_mouse_that_another_player_holds_is_left_alone() {
    let mut hands = Noted { taken: true, ..Noted::default() };
    let error = guard(&mut hands).take_hold().unwrap_err();
    assert!(error.to_string().starts_with("process 7 plays on this desktop already"), "{error}");
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
    let error = self::guard(&mut hands).new_game(&key("F2"), &lattice, AREA, Duration::ZERO, None);
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
