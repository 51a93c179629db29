//! A person who is asked before each guess, and a pointer that moves as that of a person.

use std::thread;
use std::time::{Duration, Instant};

use crate::TIMES;
use crate::desk::{Desk, SOON};

/// What the program says when it asks.
const ASKS: &str = "Enter goes on";

#[test]
fn before_a_guess_the_mouse_is_the_persons_until_they_answer() {
    let desk = Desk::with("winemine", "expert");
    let mut hands = 0;
    for nth in 0..TIMES {
        let mut player =
            desk.start_at_terminal(&format!("play --json --pause-on-guess --seed {nth}"));
        let mut asked = 0;
        let deadline = Instant::now() + SOON;
        while Instant::now() < deadline {
            if !player.is_running() {
                break;
            }
            if player.told(ASKS) == asked {
                thread::sleep(Duration::from_millis(5));
                continue;
            }
            asked += 1;
            let notes = desk.notes();
            if asked == 1 {
                // A hand on the mouse is what it waits for, and no reason to stop.
                desk.run("xdotool mousemove 1100 700");
                thread::sleep(Duration::from_millis(300));
                hands += 1;
            }
            assert_eq!(notes.presses(), [], "nothing is pressed while it asks");
            assert_eq!(player.told(ASKS), asked, "it asks once");
            player.types("\n");
        }
        let ended = player.end().with(0);
        let summary = ended.summary();
        assert_eq!(summary["games"], 1, "{ended:?}");
        assert_eq!(summary["guesses"], asked, "each guess was asked for, once: {ended:?}");
    }
    assert!(hands > 0, "no guess was to be made");
}

#[test]
fn a_pointer_that_moves_like_a_persons_is_no_hand_on_the_mouse() {
    let desk = Desk::with("winemine", "beginner");
    for nth in 0..2 {
        let (notes, trail) = (desk.notes(), desk.trail());
        let ended = desk.play(&format!("play --json --pace human --seed {nth}")).with(0);
        let summary = ended.summary();
        assert_eq!((&summary["misreads"], &summary["clicks_lost"]), (&0.into(), &0.into()));
        let presses: Vec<u32> =
            notes.presses().iter().filter(|press| !press.is_key).map(|press| press.at).collect();
        assert_eq!(summary["clicks"], presses.len(), "{summary}");
        // It looks for 40 ms at least, and holds the button for 50.
        assert!(presses.windows(2).all(|pair| pair[1] - pair[0] >= 90), "{presses:?}");
        let places = trail.places();
        assert!(places.len() > 5 * presses.len(), "{} for {}", places.len(), presses.len());
        let cell = 16;
        let leaps = places.windows(2).filter(|pair| {
            let ((x, y), (to_x, to_y)) = (pair[0], pair[1]);
            x.abs_diff(to_x).max(y.abs_diff(to_y)) > 4 * cell
        });
        assert!(leaps.count() <= 1, "only to where it begins: {places:?}");
    }
}
