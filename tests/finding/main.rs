//! On a desktop full of other grids each Minesweeper is found and read, and nothing else.

mod desktop;

use std::path::{Path, PathBuf};

use image::{RgbImage, imageops};
use minescraper::Skin;
use minescraper::board::{Board, Cell, MineCount, Pos, Rules, Status};
use minescraper::capture::{Frame, load_picture};
use minescraper::geometry::{Px, Rect};
use minescraper::lab::replay::{Case, Saved};
use minescraper::recognize::{ReadError, Reader, Survey};

use desktop::Desktop;

/// A screenshot of one window, and what it shows.
struct Window {
    name: PathBuf,
    pixels: RgbImage,
    case: Case,
}

/// Every screenshot of a window, not of a screen, with a board that can be read.
fn windows() -> Vec<Window> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let pictures = Saved::at(&folder).unwrap().pictures.into_iter();
    let windows = pictures.filter_map(|picture| {
        let name = picture.strip_prefix(&folder).unwrap().to_owned();
        let case = Case::open(&picture).unwrap();
        let whole = name.to_string_lossy().contains("fullscreen");
        (!whole && case.status != Some(Status::Hidden)).then(|| Window {
            name,
            pixels: load_picture(&picture).unwrap().pixels,
            case,
        })
    });
    windows.collect()
}

fn frame(pixels: RgbImage) -> Frame {
    Frame { origin: Px::new(0, 0), pixels }
}

/// Everything that was found other than it is.
fn wrong(reader: &Reader, frame: &Frame, survey: Survey, put: &[(&Window, Rect)]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut boards = survey.boards;
    for (window, place) in put {
        let name = window.name.display();
        let here = |area: Rect| place.encloses(area);
        let Some(found) = boards.iter().position(|board| here(board.reading.lattice.area())) else {
            wrong.push(format!("{name} at {place}: no board"));
            continue;
        };
        let mut reading = boards.remove(found).reading;
        if let MineCount::Given(_) = window.case.board.mines
            && reading.board.mines.known().is_none()
            && (reading.board.cols(), reading.board.rows())
                == (window.case.board.cols(), window.case.board.rows())
        {
            reading.board.mines = window.case.board.mines;
            reading = reader.read_again(frame, &reading);
        }
        // A counter among other texts may stay unread; it is never another number.
        if reading.board.mines.likely() == window.case.board.mines.likely() {
            reading.board.mines = window.case.board.mines;
        }
        let differences = window.case.differences(Some(&reading));
        wrong.extend(differences.iter().map(|d| format!("{name} at {place}: {d}")));
    }
    for board in boards {
        let (skin, area) = (&board.reading.skin.name, board.reading.lattice.area());
        wrong.push(format!("a board of {skin} where none is, {area}"));
    }
    let cut = survey.cut.iter().map(|(lattice, side)| (lattice.area(), side));
    wrong.extend(cut.map(|(area, side)| format!("cut off at its {side} where none is, {area}")));
    wrong
}

/// Puts every window on desktops of this size, as many on each as find a place.
#[track_caller]
fn read_on_desktops(width: u32, height: u32, most: usize) {
    let reader = Reader::new(Skin::shipped());
    let windows = windows();
    let mut left: Vec<&Window> = windows.iter().collect();
    let (mut failed, mut seed) = (Vec::new(), 0);
    while !left.is_empty() {
        seed += 1;
        let mut desktop = Desktop::new(width, height, seed);
        let mut put: Vec<(&Window, Rect)> = Vec::new();
        // Windows of several games come together.
        let first = desktop.random(left.len() as u32) as usize;
        left.rotate_left(first);
        left.retain(|window| {
            let place = (put.len() < most).then(|| desktop.put(&window.pixels)).flatten();
            put.extend(place.map(|place| (*window, place)));
            place.is_none()
        });
        desktop.clutter();
        let frame = frame(desktop.pixels);
        let survey = reader.survey(&frame);
        let wrong = wrong(&reader, &frame, survey, &put);
        if let (Some(folder), false) = (std::env::var_os("SAVE_FAILED"), wrong.is_empty()) {
            frame.pixels.save(Path::new(&folder).join(format!("{width}-{seed}.png"))).unwrap();
        }
        failed.extend(wrong.into_iter().map(|wrong| format!("desktop {seed}: {wrong}")));
    }
    assert!(failed.is_empty(), "{} differences:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn every_window_reads_as_labelled_on_a_small_desktop() {
    read_on_desktops(1920, 1080, 3);
}

#[test]
fn every_window_reads_as_labelled_on_a_large_desktop() {
    read_on_desktops(3840, 2160, 8);
}

/// Finds the board in a picture that is kept with its label.
#[track_caller]
fn finds(name: &str) {
    let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/finding/pictures");
    let case = Case::open(&pictures.join(name)).unwrap();
    let found = case.find(&Reader::new(Skin::shipped())).unwrap();
    assert_eq!(case.differences(found.as_ref()), []);
}

#[test]
fn blank_rows_at_the_edge_belong_to_the_board() {
    finds("blank-rows.png");
}

#[test]
fn rows_that_a_message_hides_belong_to_the_board() {
    finds("message.png");
}

#[test]
fn a_desktop_without_a_minesweeper_has_no_board() {
    let reader = Reader::new(Skin::shipped());
    for seed in 1000..1012 {
        let mut desktop = Desktop::new(3840, 2160, seed);
        desktop.clutter();
        let survey = reader.survey(&frame(desktop.pixels));
        let skins: Vec<_> = survey.boards.iter().map(|board| &board.reading.skin.name).collect();
        assert!(skins.is_empty() && survey.cut.is_empty(), "desktop {seed}: {skins:?}");
        assert!(matches!(survey.error(), Some(ReadError::NoBoard { seen: 1.., .. })), "{seed}");
    }
}

/// Reads one window of each skin of which only a left part is in the picture, wherever in a column of cells that ends: no
/// smaller board is found.
#[test]
fn a_board_of_which_the_picture_has_a_part_is_no_smaller_one() {
    let reader = Reader::new(Skin::shipped());
    let (mut skins, mut wrong) = (Vec::new(), Vec::new());
    for window in windows() {
        let skin = window.name.parent().unwrap().to_owned();
        if skins.contains(&skin) || window.case.board.cols() < 16 {
            continue;
        }
        let whole = reader.survey(&frame(window.pixels.clone()));
        let board = &whole.boards.first().expect("a board").reading.lattice;
        let last = board.cell(Pos::new(board.cols() * 3 / 5, 0));
        // Other places in the cell for each skin.
        for x in (last.x..=last.right()).skip(skins.len()).step_by(9) {
            let (width, height) = (x as u32, window.pixels.height());
            let part = imageops::crop_imm(&window.pixels, 0, 0, width, height).to_image();
            let boards = reader.survey(&frame(part)).boards;
            wrong.extend(boards.iter().map(|board| {
                let cols = board.reading.board.cols();
                format!("{} up to {x}: a board of {cols} columns", window.name.display())
            }));
        }
        skins.push(skin);
    }
    assert!(skins.len() >= 9, "{skins:?}");
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// What a display may do to the colours of all it shows.
type Colours = fn(u8, usize) -> u8;

/// One window in so many is read in each of the colours, since that takes a second for each;
/// `scripts/measure-families.sh` reads all of them.
const EVERY: usize = 3;

/// Reads one window in [`EVERY`], from the one of this number on, by itself in these colours: of those that may be told in
/// other colours than their skin's at least this share is found in full, no cell is another one, and nothing else is found,
/// such as a part of a board.
#[track_caller]
fn read_in(colours: Colours, share: f64, from: usize) {
    let reader = Reader::new(Skin::shipped());
    let (mut missed, mut wrong) = (Vec::new(), Vec::new());
    let (mut found, mut told) = (0, 0);
    for window in windows().iter().skip(from).step_by(EVERY) {
        let mut pixels = window.pixels.clone();
        for pixel in pixels.pixels_mut() {
            pixel.0 = std::array::from_fn(|channel| colours(pixel.0[channel], channel));
        }
        let name = window.name.display();
        let survey = reader.survey(&frame(pixels));
        let expected = &window.case.board;
        let size = |board: &Board| (board.cols(), board.rows());
        let boards = survey.boards.iter().map(|board| &board.reading.board);
        let (whole, others): (Vec<_>, Vec<_>) =
            boards.partition(|board| size(board) == size(expected));
        let other = others.into_iter().chain(whole.iter().copied().skip(1));
        wrong.extend(other.map(|board| format!("{name}: a board of {:?}", size(board))));
        // Any grid is like covered cells in some colours: those of no usual size are left alone.
        let (cols, rows) = size(expected);
        let is_told =
            window.case.status != Some(Status::Fresh) || Rules::usual_mines(cols, rows).is_some();
        told += usize::from(is_told);
        let Some(board) = whole.first() else {
            missed.extend(is_told.then(|| name.to_string()));
            continue;
        };
        found += usize::from(is_told);
        let cells = expected.iter().zip(board.iter());
        let other = cells.filter(|((_, expected), (_, read))| {
            ![*expected, Cell::Unclear].contains(read) && *expected != Cell::Unclear
        });
        wrong.extend(other.map(|((pos, expected), (_, read))| {
            format!("{name}: cell {pos}: expected {expected:?}, read {read:?}")
        }));
    }
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(found as f64 >= share * told as f64, "not found:\n{}", missed.join("\n"));
    println!("not found: {}", missed.join(", "));
}

#[test]
fn a_window_in_inverted_colours_is_found() {
    read_in(|value, _| 255 - value, 0.9, 0);
}

#[test]
fn a_window_behind_a_warm_filter_is_found() {
    let warm = |value, channel| if channel == 2 { (f32::from(value) * 0.6) as u8 } else { value };
    read_in(warm, 0.9, 1);
}

#[test]
fn a_window_on_a_dimmed_display_is_found() {
    read_in(|value, _| (f32::from(value) * 0.8) as u8, 0.9, 2);
}

#[test]
fn a_window_that_is_too_bright_is_found_whole_or_not_at_all() {
    // Of light themes the cells and what is between them become the same white.
    read_in(|value, _| (f32::from(value) * 1.2).min(255.0) as u8, 0.6, 0);
}
