//! Pictures of games, which answer nothing.

use std::path::Path;
use std::time::Duration;

use image::RgbImage;

use crate::TIMES;
use crate::desk::Desk;
use crate::shown::Shown;

fn picture(name: &str) -> RgbImage {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("calibration").join(name);
    image::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).into_rgb8()
}

#[test]
fn a_picture_of_a_game_gets_one_click_and_two_more() {
    let desk = Desk::with("xdemineur", "beginner");
    let _shown = Shown::picture(&desk.display, "holiday.png", &picture("classic/middle.png"));
    let notes = desk.notes();
    for times in 1..=TIMES {
        let ended = desk.play("play --window holiday.png").with(1);
        assert!(ended.err.contains("nothing answered 3 clicks on cell"), "{ended:?}");
        assert!(ended.err.contains("a picture of a game"), "{ended:?}");
        assert!(ended.took < Duration::from_secs(10), "{ended:?}");
        assert_eq!((notes.clicks(), notes.keys()), (3 * times, 0));
    }
}

#[test]
fn a_picture_of_a_finished_game_gets_one_key_and_one_more() {
    let desk = Desk::with("xdemineur", "beginner");
    let _shown = Shown::picture(&desk.display, "holiday.png", &picture("winemine/lost.png"));
    let notes = desk.notes();
    for times in 1..=TIMES {
        let ended = desk.play("play --window holiday.png").with(1);
        assert!(
            ended.err.contains("no new game appeared after pressing F2 (2 times)"),
            "{ended:?}"
        );
        assert_eq!((notes.clicks(), notes.keys()), (0, 2 * times));
    }
}
