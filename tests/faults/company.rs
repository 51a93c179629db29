//! Who else plays.

use crate::TIMES;
use crate::desk::{Desk, SOON, within};

#[test]
fn a_second_player_refuses_at_start_and_names_the_first() {
    let desk = Desk::with("winemine", "expert");
    for _ in 0..TIMES {
        let first = desk.start("play --games 200 --pace 20");
        let notes = desk.notes();
        let process = format!("process {}", first.child.id());
        within(SOON, "the first plays", || (notes.clicks() > 0).then_some(()));
        let second = desk.play("play").with(1);
        assert!(second.err.contains("plays on this desktop already"), "{second:?}");
        assert!(second.err.contains(&process), "{second:?}");
        desk.run("xdotool key F12");
        first.end().with(130);
    }
}
