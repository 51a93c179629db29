//! Every saved screenshot reads as a person reads it.

use std::path::Path;

use minescraper::Skin;
use minescraper::board::{Cell, Status};
use minescraper::capture::Frame;
use minescraper::geometry::Px;
use minescraper::lab::replay::{Case, Saved};
use minescraper::recognize::{Reader, Reading};

/// Reads every screenshot of a game, with all skins that there are.
#[track_caller]
fn read_as_labelled(game: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(game);
    let reader = Reader::new(Skin::shipped());
    let mut wrong = Vec::new();
    for picture in Saved::at(&folder).unwrap().pictures {
        let case = Case::open(&picture).unwrap();
        let reading = case.read(&reader).unwrap();
        let name = picture.file_name().unwrap_or_default().to_string_lossy();
        // A fresh board may look the same in several themes of one program.
        let misnamed = |read: &&Reading| read.skin.name != game && read.status != Status::Fresh;
        if let Some(reading) = reading.as_ref().filter(misnamed) {
            wrong.push(format!("{name}: read as {}", reading.skin.name));
        }
        let differences = case.differences(reading.as_ref());
        wrong.extend(differences.iter().map(|difference| format!("{name}: {difference}")));
    }
    assert!(wrong.is_empty(), "{} differences:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn classic_reads_as_labelled() {
    read_as_labelled("classic");
}

#[test]
fn gnome_mines_bgcolors_reads_as_labelled() {
    read_as_labelled("gnome-mines-bgcolors");
}

#[test]
fn gnome_mines_classic_reads_as_labelled() {
    read_as_labelled("gnome-mines-classic");
}

#[test]
fn kmines_classic_reads_as_labelled() {
    read_as_labelled("kmines-classic");
}

#[test]
fn gnome_mines_reads_as_labelled() {
    read_as_labelled("gnome-mines");
}

#[test]
fn kmines_reads_as_labelled() {
    read_as_labelled("kmines");
}

#[test]
fn sgt_mines_reads_as_labelled() {
    read_as_labelled("sgt-mines");
}

#[test]
fn sgt_mines_windows_reads_as_labelled() {
    read_as_labelled("sgt-mines-windows");
}

#[test]
fn winemine_reads_as_labelled() {
    read_as_labelled("winemine");
}

#[test]
fn xdemineur_reads_as_labelled() {
    read_as_labelled("xdemineur");
}

/// KMines fades a message over a board: a light box with a dark edge, which the board shines through. Under its edge an open
/// cell is light above and dark below, as a covered one is.
#[test]
fn what_a_message_lies_over_reads_as_nothing_else() {
    let picture =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/kmines/intermediate-lost.png");
    let reader = Reader::new(Skin::shipped());
    let whole = Case::open(&picture).unwrap().board;
    for opacity in [0.2, 0.3, 0.45, 0.6, 0.9] {
        for top in [330, 345] {
            let mut pixels = image::open(&picture).unwrap().to_rgb8();
            let (right, bottom) = (320 + 255, top + 55);
            for (x, y) in (top..=bottom).flat_map(|y| (320..=right).map(move |x| (x, y))) {
                let is_edge = x == 320 || x == right || y == top || y == bottom;
                let over = if is_edge { 20.0 } else { 245.0 };
                let pixel = pixels.get_pixel_mut(x, y);
                pixel.0 = pixel.0.map(|under| {
                    (f32::from(under) + (over - f32::from(under)) * opacity).round() as u8
                });
            }
            let reading = reader.find(&Frame::new(Px::new(0, 0), pixels)).unwrap().remove(0);
            for (pos, cell) in reading.board.iter().filter(|&(_, cell)| cell != Cell::Unclear) {
                assert_eq!(cell, whole[pos], "{pos}, under a box at {top} of {opacity}");
            }
        }
    }
}

/// The dark edge of that message is on the right border of some cells, and three of them had been read as covered.
#[test]
fn what_the_edge_of_a_message_is_over_is_not_read_as_covered() {
    let picture =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages/kmines-classic-won.png");
    let case = Case::open(&picture).unwrap();
    let reading = case.read(&Reader::new(Skin::shipped())).unwrap();
    assert_eq!(case.differences(reading.as_ref()), []);
}

#[test]
fn every_folder_of_fixtures_has_a_test() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let tests = include_str!("fixtures.rs");
    for entry in fixtures.read_dir().unwrap() {
        let game = entry.unwrap().file_name().into_string().unwrap();
        assert!(tests.contains(&format!("read_as_labelled(\"{game}\")")), "{game}");
    }
}
