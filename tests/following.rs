//! A board that is followed from frame to frame reads as a whole reading of each frame does.

use std::time::{Duration, Instant};

use minescraper::Skin;
use minescraper::board::{Board, Cell, FirstClick, MineCount, Pos, Rules};
use minescraper::capture::{Frame, Screen, load_picture};
use minescraper::geometry::{Px, Rect};
use minescraper::input::{Button, Hands};
use minescraper::lab::virtual_desktop::{Mishap, Setup, Unkindness, VirtualDesktop};
use minescraper::recognize::{Reader, Reading, Tracker};

#[track_caller]
fn same(tracker: &Tracker<'_>, whole: &Reading) {
    let followed = tracker.reading();
    assert_eq!(followed.board, whole.board);
    assert_eq!(followed.status, whole.status);
    assert_eq!(followed.skin.name, whole.skin.name);
    assert_eq!(followed.lattice, whole.lattice);
}

/// Plays games of `skin` blindly, in every way that changes the picture, and reads each frame in both ways.
fn follow(skin: Skin, cell: u32, skins: Vec<Skin>) -> u32 {
    let rules = Rules::parse_level("9x9x10", FirstClick::Opens).unwrap();
    let reader = Reader::new(skins);
    let mut frames = 0;
    for seed in 0..6 {
        let desktop = VirtualDesktop::new(skin.clone(), Setup::new(rules, cell, seed));
        let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
        let lattice = desktop.lattice();
        desktop.set_unkindness(Unkindness {
            paints_late: Duration::from_millis(seed),
            mishaps: vec![
                (3, Mishap::Smudge(Pos::new(4, 4), Duration::from_millis(5))),
                (20, Mishap::Cover("A message".to_owned())),
            ],
            message_at_end: seed % 2 == 0,
            ..Unkindness::default()
        });
        let area = screen.area().unwrap();
        let mut frame = screen.look(area).unwrap();
        let mut found = reader.find(&frame).unwrap().remove(0);
        found.board.mines = MineCount::Given(rules.mines);
        let mut tracker = Tracker::new(&reader, &frame, found);
        let board = Board::new(9, 9);
        for (n, pos) in board.positions().enumerate().map(|(n, _)| (n, board.pos(n * 40 % 81))) {
            let button = if n % 4 == 3 { Button::Right } else { Button::Left };
            hands.click(button, lattice.centre(pos)).unwrap();
            loop {
                let soon = Instant::now() + Duration::from_secs(1);
                let changed = screen.wait(&mut frame, soon).unwrap();
                if changed.is_empty() {
                    break;
                }
                frames += 1;
                let before = tracker.reading().clone();
                tracker.update(&frame, &changed);
                let whole = reader.read_again(&frame, &before);
                // Until the picture stands still some cells may be left for later, or be told by what was measured before, but
                // none is read otherwise.
                for (pos, cell) in tracker.reading().board.iter() {
                    let both = [cell, whole.board[pos]];
                    assert!(cell == both[1] || both.contains(&Cell::Unclear), "{pos}: {both:?}");
                }
                tracker.update(&frame, &[]);
                same(&tracker, &whole);
            }
        }
    }
    frames
}

#[test]
fn every_skin_reads_the_same_in_part_as_in_full() {
    for skin in Skin::shipped() {
        for cell in [16, 27] {
            // With the other themes of the same program.
            let mut themes = Skin::shipped();
            themes.retain(|theme| theme.game.shares_window(&skin.game) || theme.name == skin.name);
            let frames = follow(skin.clone(), cell, themes);
            assert!(frames > 20, "{frames} frames of {}", skin.name);
        }
    }
}

/// Something that happens to a picture.
type Spoil = fn(&mut image::RgbImage);

#[test]
fn what_spoiled_a_picture_ends_with_it() {
    let spoils: [(&str, Spoil); 5] = [
        ("dimmed", |picture| {
            picture.pixels_mut().for_each(|pixel| pixel.0 = pixel.0.map(|value| value / 5 * 4));
        }),
        ("warm", |picture| {
            picture.pixels_mut().for_each(|pixel| pixel.0[2] = pixel.0[2] / 5 * 3);
        }),
        ("pale", |picture| {
            picture.pixels_mut().for_each(|pixel| pixel.0 = pixel.0.map(|value| value / 2 + 127));
        }),
        ("inverted", image::imageops::invert),
        ("behind another window", |picture| {
            let (width, height) = picture.dimensions();
            for (_, _, pixel) in picture.enumerate_pixels_mut().filter(|&(x, y, _)| {
                (width / 8..width).contains(&x) && (height / 8..height * 9 / 10).contains(&y)
            }) {
                pixel.0 = [246, 245, 244];
            }
        }),
    ];
    for skin in Skin::shipped() {
        let rules = Rules::parse_level("16x16x40", FirstClick::Opens).unwrap();
        let desktop = VirtualDesktop::new(skin.clone(), Setup::new(rules, 27, 3));
        let reader = Reader::new(vec![skin.clone()]);
        let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
        hands.click(Button::Left, desktop.lattice().centre(Pos::new(8, 8))).unwrap();
        let area = screen.area().unwrap();
        let frame = screen.look(area).unwrap();
        let found = reader.find(&frame).unwrap().remove(0);
        for (what, spoil) in spoils {
            let mut tracker = Tracker::new(&reader, &frame, found.clone());
            let mut spoiled = frame.clone();
            spoil(&mut spoiled.pixels);
            for picture in [&spoiled, &frame] {
                tracker.update(picture, &[area]);
                tracker.update(picture, &[]);
            }
            let now = tracker.reading();
            assert_eq!(now.board, found.board, "{} was {what}", skin.name);
        }
    }
}

#[test]
fn a_board_is_taken_along_with_its_window() {
    use image::imageops::{FilterType, resize};

    let rules = Rules::parse_level("16x16x40", FirstClick::Opens).unwrap();
    let mut in_other_views = 0;
    for skin in Skin::shipped() {
        let desktop = VirtualDesktop::new(skin.clone(), Setup::new(rules, 20, 7));
        let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
        for at in [Pos::new(8, 8), Pos::new(0, 0), Pos::new(15, 3)] {
            hands.click(Button::Left, desktop.lattice().centre(at)).unwrap();
        }
        let reader = Reader::new(vec![skin.clone()]);
        let area = screen.area().unwrap();
        let sharp = screen.look(area).unwrap().pixels;
        let larger =
            resize(&sharp, sharp.width() * 5 / 4, sharp.height() * 5 / 4, FilterType::Triangle);
        for pixels in [sharp, larger] {
            let frame = Frame::new(Px::new(40, 60), pixels.clone());
            // Some skins are not told at another scale.
            let Ok(mut readings) = reader.find(&frame) else { continue };
            let found = readings.swap_remove(0);
            let tracker = Tracker::new(&reader, &frame, found.clone());
            in_other_views += u32::from(!tracker.is_plain());
            let elsewhere = Frame::new(Px::new(40 - 7, 60 + 300), pixels);
            let moved = tracker.moved(&elsewhere, -7, 300);
            assert_eq!(moved.reading().lattice, found.lattice.moved(-7, 300), "{}", skin.name);
            assert_eq!(moved.reading().board, tracker.reading().board, "{}", skin.name);
            // What is not there is not read.
            let a_cell_off = tracker.moved(&frame, 13, 9);
            let unclear = a_cell_off.reading().board.count(|cell| cell == Cell::Unclear);
            let before = tracker.reading().board.count(|cell| cell == Cell::Unclear);
            assert!(unclear > before, "{}: {unclear} unclear", skin.name);
        }
    }
    assert!(in_other_views > 0, "none is scaled");
}

#[test]
fn what_may_just_be_being_painted_is_not_read_in_other_colours() {
    for skin in Skin::shipped() {
        let rules = Rules::parse_level("16x16x40", FirstClick::Opens).unwrap();
        // As large as in the skin's own pictures.
        let own = skin.templates.iter().map(|template| template.picture.width()).max().unwrap();
        let desktop = VirtualDesktop::new(skin.clone(), Setup::new(rules, own, 3));
        let reader = Reader::new(vec![skin.clone()]);
        let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
        hands.click(Button::Left, desktop.lattice().centre(Pos::new(8, 8))).unwrap();
        let area = screen.area().unwrap();
        let frame = screen.look(area).unwrap();
        let found = reader.find(&frame).unwrap().remove(0);
        let mut tracker = Tracker::new(&reader, &frame, found);
        assert!(tracker.is_plain(), "{} as it is", skin.name);
        let mut inverted = frame.clone();
        image::imageops::invert(&mut inverted.pixels);

        tracker.update(&inverted, &[area]);
        for _ in 0..3 {
            tracker.catch_up(&inverted);
            assert!(tracker.is_plain(), "{} changed its colours too soon", skin.name);
        }
        // Nothing is lost by that: what stays is read as it would have been at once.
        let soon = tracker.reading().clone();
        tracker.update(&inverted, &[]);
        let whole = reader.read_again(&inverted, &soon);
        same(&tracker, &whole);
    }
}

#[test]
fn a_cell_that_did_not_change_is_not_read() {
    let skin = Skin::shipped().remove(0);
    let rules = Rules::parse_level("9x9x10", FirstClick::Opens).unwrap();
    let desktop = VirtualDesktop::new(skin.clone(), Setup::new(rules, 16, 1));
    let reader = Reader::new(vec![skin]);
    let mut screen = desktop.screen();
    let area = screen.area().unwrap();
    let frame = screen.look(area).unwrap();
    let found = reader.find(&frame).unwrap().remove(0);
    let lattice = found.lattice.clone();
    let mut tracker = Tracker::new(&reader, &frame, found);
    let before = tracker.reading().board.clone();

    // Everything is painted over, but only one cell is said to have changed.
    let black = Frame::new(Px::new(area.x, area.y), image::RgbImage::new(area.width, area.height));
    let told = Pos::new(3, 5);
    let Rect { x, y, .. } = lattice.cell(told);
    tracker.update(&black, &[Rect::new(x, y, 1, 1)]);
    let after = &tracker.reading().board;
    let differs: Vec<_> = after.positions().filter(|&pos| after[pos] != before[pos]).collect();
    assert_eq!(differs, [told]);
}

/// No cell is read as something else than it shows.
#[track_caller]
fn misreads_none(tracker: &Tracker<'_>, shown: &Board) {
    let board = &tracker.reading().board;
    let is_right = |(pos, cell): (Pos, Cell)| cell == Cell::Unclear || cell == shown[pos];
    assert!(board.iter().all(is_right), "{board}");
}

/// A fresh board of GNOME Mines looks alike in its themes; the first click shows which one it is.
struct Begun {
    theme: &'static str,
    fresh: Frame,
    begun: Frame,
    shown: Board,
}

impl Begun {
    fn load(name: &str, theme: &'static str) -> Self {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/themes");
        let picture = |name: &str| load_picture(&folder.join(name)).unwrap();
        let shown = std::fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap();
        Self {
            theme,
            fresh: picture(&format!("{name}-fresh.png")),
            begun: picture(&format!("{name}.png")),
            shown: shown.parse().unwrap(),
        }
    }

    /// A board of another theme than the fresh one is taken for: what comes up are threes, and a one to whom only the first theme
    /// is known.
    fn another() -> Self {
        Self::load("expert-threes", "gnome-mines-classic")
    }

    /// The board as it is followed from the fresh one on.
    fn followed<'a>(&self, reader: &'a Reader) -> Tracker<'a> {
        let found = reader.find(&self.fresh).unwrap().remove(0);
        let tracker = Tracker::new(reader, &self.fresh, found);
        assert_eq!(tracker.reading().skin.name, "gnome-mines");
        tracker
    }

    #[track_caller]
    fn is_read(&self, tracker: &Tracker<'_>) {
        assert_eq!(tracker.reading().skin.name, self.theme);
        assert_eq!(tracker.reading().board.cells(), self.shown.cells());
    }
}

#[test]
fn a_number_of_another_theme_is_not_read_as_the_nearest_of_the_first_one() {
    let (reader, theme) = (Reader::new(Skin::shipped()), Begun::another());
    let mut tracker = theme.followed(&reader);
    tracker.update(&theme.begun, &[theme.begun.area()]);
    misreads_none(&tracker, &theme.shown);
    tracker.catch_up(&theme.begun);
    theme.is_read(&tracker);
}

/// Cells come up one after the other, so fast that the picture never stands still. While one is being painted, a number may look
/// like any other one of the first theme.
#[test]
fn no_number_that_may_be_of_another_theme_is_read_before_the_picture_stands_still() {
    let (reader, theme) = (Reader::new(Skin::shipped()), Begun::another());
    let mut tracker = theme.followed(&reader);
    let (lattice, mut picture) = (tracker.reading().lattice.clone(), theme.fresh.clone());
    let mut shown = tracker.reading().board.clone();
    for (pos, opened) in theme.shown.iter().filter(|(_, cell)| !cell.is_unopened()) {
        shown[pos] = opened;
        let cell = lattice.cell(pos);
        let (x, y) = ((cell.x - picture.origin.x) as u32, (cell.y - picture.origin.y) as u32);
        let shows = image::imageops::crop_imm(&theme.begun.pixels, x, y, cell.width, cell.height);
        image::imageops::replace(&mut picture.pixels, &shows.to_image(), x.into(), y.into());
        tracker.update(&picture, &[cell]);
        misreads_none(&tracker, &shown);
        let is_number = |(_, cell): (Pos, Cell)| cell.number().is_some_and(|number| number > 0);
        assert!(!tracker.reading().board.iter().any(is_number), "{}", tracker.reading().board);
    }
    tracker.update(&theme.begun, &[theme.begun.area()]);
    tracker.catch_up(&theme.begun);
    theme.is_read(&tracker);
}

/// Its cells are of a size of which the skins have no templates: all numbers are told by their shape, which is the same in two themes.
#[test]
fn a_theme_stays_whose_numbers_are_told_by_their_shape() {
    let (reader, theme) =
        (Reader::new(Skin::shipped()), Begun::load("expert-large", "gnome-mines"));
    let mut tracker = theme.followed(&reader);
    tracker.update(&theme.begun, &[theme.begun.area()]);
    misreads_none(&tracker, &theme.shown);
    tracker.catch_up(&theme.begun);
    theme.is_read(&tracker);
}
