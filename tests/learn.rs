//! Learning skins from games on the virtual desktop, with no picture labelled and no skin known: shipped ones
//! and such as nobody has drawn.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::time::Instant;

use minescraper::Skin;
use minescraper::board::{Cell, FirstClick, Pos, Rules, Status};
use minescraper::capture::{CaptureError, Frame, Pictures, Screen, Standing, load_picture};
use minescraper::geometry::{Px, Rect};
use minescraper::input::{Button, Hands, Shortcut};
use minescraper::lab::replay::{Case, Saved};
use minescraper::lab::virtual_desktop::{
    Mishap, NewGames, Scene, Setup, Switch, TakesFlags, Unkindness, VirtualDesktop, WhenLost,
};
use minescraper::learn::from_play::{Grid, Learned, Outcome, grids};
use minescraper::play::{
    self, Begun, EndedSession, Explored, LearnError, Learner, Options, Person, PlayError, Player,
    Summary,
};
use minescraper::recognize::skin::{Chord, Control, Dialog, EndMessage, GamePhase, Spot};
use minescraper::recognize::{Lattice, ReadError, Reader, Side, Template};
use minescraper::solver::by_name;

/// Games that a skin may take.
const GAMES: u32 = 10;

/// A desktop with a game that looks like `skin`.
fn desktop(skin: &Skin, level: &str, cell: u32, seed: u64) -> VirtualDesktop {
    let promise = skin.game.first_click.unwrap_or(FirstClick::Safe);
    let rules = Rules::parse_level(level, promise).unwrap();
    VirtualDesktop::new(skin.clone(), Setup::new(rules, cell, seed))
}

/// Somebody who learns a game by `hands`, and tells that `person` of it.
fn learner<'a>(
    (screen, hands): (&'a mut dyn Screen, &'a mut dyn Hands),
    person: &'a mut dyn Person,
    is_thorough: bool,
) -> Learner<'a> {
    Learner { screen, hands, stop: Arc::default(), pace: Duration::ZERO, person, is_thorough }
}

/// What is learned from the game on `desktop`, of which nothing is known, with nobody to ask.
fn learn(desktop: &VirtualDesktop) -> Result<Learned, LearnError> {
    learn_with(desktop, &mut |what: &str| println!("  {what}"))
}

fn learn_with(desktop: &VirtualDesktop, person: &mut dyn Person) -> Result<Learned, LearnError> {
    let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
    let learner = learner((&mut screen, &mut hands), person, true);
    let known = Skin { name: "learned".to_owned(), ..Skin::default() };
    let lessons = learner.learn(known, GAMES)?;
    let (found, truth) = (&lessons.lattice, desktop.lattice());
    if lessons.learned.calibration.skin.game.starts_open {
        // Where much of a board is open, a pixel aside fits as well.
        let (found, truth) = (found.area(), truth.area());
        let near = |a: i32, b: i32| a.abs_diff(b) <= 1;
        assert!(near(found.x, truth.x) && near(found.y, truth.y), "{found} is {truth}");
        assert_eq!((found.width, found.height), (truth.width, truth.height));
    } else {
        assert_eq!(found, &truth);
    }
    lessons.trouble.map_or(Ok(lessons.learned), |error| Err(error.into()))
}

/// The templates that are not what `true_skin` shows: those whose nearest template there, at the same size, is of
/// another kind.
fn mistakes(learned: &Skin, desktop: &VirtualDesktop, true_skin: &Skin) -> Vec<String> {
    let truth = Reader::new(vec![true_skin.clone()]);
    let own = Reader::new(vec![learned.clone()]);
    let mut screen = desktop.screen();
    let area = screen.area().unwrap();
    let frame = screen.look(area).unwrap();
    let mut wrong = Vec::new();
    let shown = desktop.game().view().clone();
    match own.find(&frame) {
        Ok(readings) => {
            let read = &readings[0];
            let (own, area) = (read.lattice.area(), desktop.lattice().area());
            let near = |a: i32, b: i32| a.abs_diff(b) <= 1;
            // A pixel aside is as good where the edges of cells are blurred.
            if !(near(own.x, area.x) && near(own.y, area.y))
                || (own.width, own.height) != (area.width, area.height)
            {
                // Finding boards is another test's business.
                let truly = truth.find(&frame).map(|found| found[0].lattice.clone());
                if truly.as_ref() == Ok(&desktop.lattice()) {
                    wrong.push(format!("the board is at {}", read.lattice.area()));
                }
            } else {
                for ((pos, cell), (_, truly)) in read.board.iter().zip(shown.iter()) {
                    if cell != Cell::Unclear && cell != truly {
                        wrong.push(format!(
                            "{pos} shows {} and is read {}",
                            truly.symbol(),
                            cell.symbol()
                        ));
                    }
                }
            }
        }
        Err(error) if truth.find(&frame).is_ok() => wrong.push(error.to_string()),
        Err(_) => {}
    }
    wrong
}

/// Templates of `learned` beside those of `skin`: what each is taken for.
fn wrong_templates(learned: &Skin, skin: &Skin, cell: u32) -> Vec<String> {
    use minescraper::lab::virtual_desktop::picture;
    let kinds: Vec<Cell> = skin.templates.iter().map(|template| template.cell).collect();
    // Each kind as the desktop paints it, in a row of its own, read with the learned skin.
    let mut board = minescraper::board::Board::new(kinds.len().max(5) as u16, 5);
    for row in 0..5 {
        for (col, &kind) in kinds.iter().enumerate() {
            board[minescraper::board::Pos::new(col as u16, row)] = kind;
        }
    }
    let (pixels, lattice) = picture(skin.clone(), &board, cell);
    let known = |kind: Cell| learned.templates.iter().any(|t: &Template| t.cell == kind);
    let mut wrong = Vec::new();
    for template in &learned.templates {
        // The picture of the desktop that is nearest to it.
        let distance = |pos: minescraper::board::Pos| {
            let area = learned.inside(lattice.cell(pos));
            let (x, y) = (area.x as u32, area.y as u32);
            let own = image::imageops::crop_imm(&pixels, x, y, area.width, area.height).to_image();
            let scaled = image::imageops::resize(
                &template.picture,
                own.width(),
                own.height(),
                image::imageops::FilterType::Triangle,
            );
            let squares: u64 = own
                .as_raw()
                .iter()
                .zip(scaled.as_raw())
                .map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2))
                .sum();
            squares
        };
        let nearest = board.positions().min_by_key(|&pos| distance(pos)).unwrap();
        if template.phase.is_none() && board[nearest] != template.cell && known(board[nearest]) {
            wrong.push(format!("{} is {}", template.cell.symbol(), board[nearest].symbol()));
        }
    }
    wrong
}

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }

    fn colour(&mut self, from: u64, to: u64) -> [u8; 3] {
        [(); 3].map(|()| (from + self.below(to - from)) as u8)
    }
}

/// A skin that nobody has drawn: random colours and signs, on plain, bevelled or textured ground, dark or light.
fn invented(seed: u64) -> Skin {
    const SIDE: u32 = 24;
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for _ in 0..8 {
        dice.below(2);
    }
    let dark = dice.below(2) == 0;
    let (ground, ink) = if dark { ((20, 90), (150, 255)) } else { ((170, 250), (0, 110)) };
    let (covered, open) = (dice.colour(90, 170), dice.colour(ground.0, ground.1));
    let (style, slope) = (dice.below(3), 1 + dice.below(3) as i32);
    let mut used = vec![0u16];
    let mut sign = |dice: &mut Dice| loop {
        // Sixteen blocks, each set or not, about half of them, unlike all the others.
        let blocks = dice.below(1 << 16) as u16;
        let unlike = used.iter().all(|other| (blocks ^ other).count_ones() >= 5);
        if (5..=11).contains(&blocks.count_ones()) && unlike {
            used.push(blocks);
            break blocks;
        }
    };
    let mut template = |cell: Cell| {
        let is_covered = cell.is_unopened();
        let ground = if is_covered { covered } else { open };
        let signs = !matches!(cell, Cell::Covered) && cell != Cell::open(0);
        let (blocks, colour) = (sign(&mut dice), dice.colour(ink.0, ink.1));
        let picture = image::RgbImage::from_fn(SIDE, SIDE, |x, y| {
            let border = x.min(y) < 2 || x.max(y) >= SIDE - 2;
            let shade: i32 = match (is_covered, style) {
                (true, 0) if x.min(y) < 2 => 60,
                (true, 0) if x.max(y) >= SIDE - 2 => -60,
                // No line between cells: a slope that begins anew in each.
                (true, 1) => slope * (x as i32 + y as i32) - 24 * slope,
                (true, 2) => 40 - 10 * ((x * 7 + y * 3) / 8 % 5) as i32,
                (false, 0) if x == 0 || y == 0 => -25,
                _ => 0,
            };
            let (col, row) = (x.saturating_sub(4) / 4, y.saturating_sub(4) / 4);
            let inked = signs
                && !border
                && col < 4
                && row < 4
                && x >= 4
                && y >= 4
                && blocks & 1 << (4 * row + col) != 0;
            let rgb =
                if inked { colour.map(i32::from) } else { ground.map(|c| i32::from(c) + shade) };
            image::Rgb(rgb.map(|c| c.clamp(0, 255) as u8))
        });
        Template { cell, phase: None, picture }
    };
    let numbers = (0..=8).map(Cell::open);
    let others = [Cell::Covered, Cell::Flagged, Cell::Mine, Cell::Burst, Cell::WrongFlag];
    let templates: Vec<Template> = numbers.chain(others).map(&mut template).collect();
    let keys = ["F2", "n", "Ctrl+N", "Ctrl+R"];
    let mut skin = Skin { name: format!("invented-{seed}"), templates, ..Skin::default() };
    skin.game.new_game = Some(Control::Key(keys[seed as usize % 4].parse().unwrap()));
    skin.game.chord = Chord::ALL.get(seed as usize / 2 % 4).copied();
    skin.game.flags_when_won = !seed.is_multiple_of(3);
    skin
}

#[test]
fn invented_skins_are_learned() {
    let wrong: Vec<String> = (1..=12)
        .flat_map(|seed| check(&invented(seed), [18, 24, 33][seed as usize % 3], seed))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_cells_of_every_shipped_skin_are_found_without_it() {
    let mut wrong = Vec::new();
    for skin in Skin::shipped() {
        for cell in [16, 21, 30] {
            let desktop = desktop(&skin, "16x12x20", cell, 1);
            let mut screen = desktop.screen();
            let area = screen.area().unwrap();
            let found = grids(&screen.look(area).unwrap());
            if found.first().map(|grid| &grid.lattice) != Some(&desktop.lattice()) {
                let found = found.first().map(|grid| (grid.lattice.area(), grid.gap));
                let truth = desktop.lattice().area();
                wrong.push(format!(
                    "{} {cell}: {found:?} is {truth}\n{}",
                    skin.name,
                    desktop.game().view()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Cells that have the colour of what is around the board, and a line on two sides: they are found with a column and a row too
/// many, which begin with the lines of the last cells.
const AS_WHITE_AS_AROUND: [&str; 1] = ["sgt-mines-windows"];

#[test]
fn the_cells_of_real_fresh_boards_are_found_without_a_skin() {
    let reader = Reader::new(Skin::shipped());
    let (mut wrong, mut right) = (Vec::new(), 0);
    for folder in ["calibration", "fixtures"] {
        let skins = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).read_dir().unwrap();
        for skin in skins.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
            for file in skin.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
                let is_picture = file.extension().is_some_and(|extension| extension == "png");
                let is_fresh = std::fs::read_to_string(file.with_extension("txt"))
                    .is_ok_and(|label| label.contains("status=fresh"));
                if !is_picture || !is_fresh {
                    continue;
                }
                let frame = load_picture(&file).unwrap();
                let Ok(read) = reader.find(&frame) else { continue };
                let truth = &read[0].lattice;
                let found = grids(&frame);
                // Where cells fade into each other, a pixel aside is as good.
                let (cells, area) = (|l: &Lattice| (l.cols(), l.rows()), truth.area());
                let near = |a: i32, b: i32| a.abs_diff(b) <= 1;
                let is_true = |grid: &Grid| {
                    let own = grid.lattice.area();
                    cells(&grid.lattice) == cells(truth)
                        && near(own.x, area.x)
                        && near(own.y, area.y)
                        && near(own.right(), area.right())
                        && near(own.bottom(), area.bottom())
                };
                let is_found = found.iter().any(is_true);
                if AS_WHITE_AS_AROUND.contains(&read[0].skin.name.as_str()) {
                    assert!(!is_found, "{} is found by now: no exception any more", file.display());
                } else if is_found {
                    right += 1;
                } else {
                    let found =
                        found.iter().map(|grid| (grid.lattice.area(), grid.gap.map(|g| g.width)));
                    let found: Vec<_> = found.collect();
                    wrong.push(format!("{}: {found:?} is {}", file.display(), truth.area()));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{right} fresh boards found, {} not: {}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(right > 10);
}

#[test]
fn every_shipped_skin_is_learned() {
    let mut wrong = Vec::new();
    for skin in Skin::shipped() {
        for (cell, seed) in [(20, 1), (32, 2)] {
            wrong.extend(check(&skin, cell, seed));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Learns `skin` from a game with cells of `cell` pixels, and says what is wrong with what was learned.
fn check(skin: &Skin, cell: u32, seed: u64) -> Vec<String> {
    let name = format!("{} {cell}", skin.name);
    println!("{name}");
    let desktop = desktop(skin, "16x16x40", cell, seed);
    let wrong = check_on(&desktop, skin, cell).unwrap_or_else(|error| vec![error.to_string()]);
    wrong.into_iter().map(|what| format!("{name}: {what}")).collect()
}

/// Learns `skin` from the game on `desktop`, and says what is wrong with what was learned.
fn check_on(desktop: &VirtualDesktop, skin: &Skin, cell: u32) -> Result<Vec<String>, LearnError> {
    let learned = learn(desktop)?;
    let new = &learned.calibration.skin;
    println!(
        "  {} templates, none of {:?}, unsure {:?}, {:?}",
        new.templates.len(),
        learned.missing(),
        learned.unsure,
        learned.calibration.margin,
    );
    let mut wrong = mistakes(new, desktop, skin);
    wrong.extend(wrong_templates(new, skin, cell));
    if !learned.is_playable() {
        wrong.push("not playable".to_owned());
    }
    for (known, truth) in [
        (new.game.new_game.is_some(), skin.game.new_game.is_some()),
        (new.game.question_marks, skin.game.question_marks),
        (new.game.starts_open, skin.game.starts_open),
        (new.game.won_only_with_flags, skin.game.won_only_with_flags),
    ] {
        if known != truth {
            wrong.push(format!("ways {:?} are {:?}", new.game, skin.game));
        }
    }
    if new.game.chord != skin.game.chord {
        wrong.push(format!("chord {:?} is {:?}", new.game.chord, skin.game.chord));
    }
    let promise = new.game.first_click;
    if promise.is_some() && promise != skin.game.first_click {
        wrong.push(format!("the first click promises {promise:?}"));
    }
    // The desktop lets nothing shine through.
    if new.fill_variance > 0.0 {
        wrong.push(format!("fills vary by {}", new.fill_variance));
    }
    Ok(wrong)
}

/// Opens some cells of the game on `desktop` and flags others, as somebody does who has begun to play.
fn begin_to_play(desktop: &VirtualDesktop) {
    let (lattice, mut hands) = (desktop.lattice(), desktop.hands());
    let mut click = |button, pos| hands.click(button, lattice.centre(pos)).unwrap();
    click(Button::Left, Pos::new(7, 7));
    let mines = desktop.game().mines().unwrap();
    let closed = |pos: &Pos| desktop.game().view()[*pos] == Cell::Covered;
    let safe = |pos: &Pos| closed(pos) && !mines.contains(pos);
    let cells = desktop.game().view().clone();
    for pos in cells.positions().filter(safe).step_by(17) {
        click(Button::Left, pos);
    }
    let flagged: Vec<Pos> = cells.positions().filter(closed).step_by(11).collect();
    flagged.into_iter().for_each(|pos| click(Button::Right, pos));
    assert_eq!(desktop.game().status(), Status::Playing);
}

#[test]
fn a_game_under_way_teaches_nothing_wrong_of_how_games_start() {
    let mut wrong = Vec::new();
    for skin in Skin::shipped() {
        let mut learned = 0;
        for (cell, seed) in [(20, 1), (32, 2)] {
            let name = format!("{} {cell}", skin.name);
            println!("{name}");
            let desktop = desktop(&skin, "16x16x40", cell, seed);
            begin_to_play(&desktop);
            match check_on(&desktop, &skin, cell) {
                Ok(found) => {
                    learned += 1;
                    wrong.extend(found.into_iter().map(|what| format!("{name}: {what}")));
                }
                // The cells of a board that is partly open may not be found; then nothing is learned at all.
                Err(LearnError::NoGrid { .. } | LearnError::Board(_)) => println!("  no cells"),
                Err(error) => wrong.push(format!("{name}: {error}")),
            }
        }
        if learned == 0 {
            wrong.push(format!("{}: not learned", skin.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_game_under_way_is_learned_from_where_it_is_known_which_of_its_cells_are_covered() {
    let skin = shipped("sgt-mines");
    for flags in [TakesFlags::Always, TakesFlags::Never] {
        let desktop = desktop(&skin, "intermediate", 20, 5);
        desktop.set_unkindness(Unkindness { flags, ..Unkindness::default() });
        let (lattice, mut screen, mut hands) =
            (desktop.lattice(), desktop.screen(), desktop.hands());
        hands.click(Button::Left, lattice.centre(Pos::new(7, 7))).unwrap();
        let view = desktop.game().view().clone();
        let covered = view.positions().filter(|&pos| view[pos] == Cell::Covered).collect();
        let grid = Grid { gap: skin.gap, lattice, is_whole: true };
        let person = &mut |what: &str| println!("  {what}");
        let learner = learner((&mut screen, &mut hands), person, true);
        let known = Skin { name: "learned".to_owned(), ..Skin::default() };
        let begun = Some(Begun { grid, covered });
        let Explored { learned, trouble, .. } = learner.learn_at(begun, known, GAMES).unwrap();
        assert!(trouble.is_none() && learned.is_playable(), "{:?}", learned.missing());
        // How games start was not seen of the first one.
        assert!(!learned.calibration.skin.game.starts_open);
        // Where none was set, the game shows flags that the skin has not.
        if flags == TakesFlags::Always {
            assert_eq!(mistakes(&learned.calibration.skin, &desktop, &skin), [""; 0]);
        }
    }
}

#[test]
fn a_game_under_way_of_which_no_new_one_can_be_started_teaches_nothing() {
    let mut skin = shipped("sgt-mines");
    skin.game.new_game = None;
    let desktop = desktop(&skin, "intermediate", 20, 5);
    begin_to_play(&desktop);
    let error = learn(&desktop).unwrap_err();
    assert!(matches!(error, LearnError::NotFresh { cols: 16, rows: 16, .. }), "{error}");
}

/// Knows which key starts a new game.
struct KnowsTheKey(&'static str);

impl Person for KnowsTheKey {
    fn told(&mut self, _: &str) {}

    fn new_game(&mut self) -> Option<Shortcut> {
        self.0.parse().ok()
    }
}

#[test]
fn a_key_that_is_not_found_is_asked_for() {
    let mut skin = Skin::shipped().into_iter().find(|skin| skin.name == "sgt-mines").unwrap();
    let control = Control::Key("F7".parse().unwrap());
    skin.game.new_game = Some(control);
    let game = || desktop(&skin, "intermediate", 20, 5);
    let alone = learn(&game()).unwrap();
    assert_eq!((alone.outcomes.len(), alone.calibration.skin.game.new_game), (1, None));
    let told = learn_with(&game(), &mut KnowsTheKey("F7")).unwrap();
    assert!(told.outcomes.len() > 1);
    assert_eq!(told.calibration.skin.game.new_game, Some(control));
    let wrong = learn_with(&game(), &mut KnowsTheKey("F8")).unwrap();
    assert_eq!((wrong.outcomes.len(), wrong.calibration.skin.game.new_game), (1, None));
}

/// Reads the real pictures of each game with the skin that was learned from its window, and no other.
#[test]
#[ignore = "reads the skins in the folder LEARNED, each named GAME.…, that scripts/measure-learning.sh makes"]
fn learned_skins_read_real_pictures() {
    let folder = std::env::var("LEARNED").expect("LEARNED is the folder of learned skins");
    let mut folders: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let mut wrong = Vec::new();
    println!("| skin | boards found of those in sight | right | unclear | wrong |");
    println!("|---|---|---|---|---|");
    for folder in &folders {
        let name = folder.file_name().unwrap().to_string_lossy();
        let game = name.split('.').next().unwrap();
        let reader = Reader::new(vec![Skin::open(folder).unwrap()]);
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(game);
        let [mut found, mut tried, mut right, mut unclear] = [0; 4];
        let before = wrong.len();
        for picture in Saved::at(&fixtures).unwrap().pictures {
            let case = Case::open(&picture).unwrap();
            tried += 1;
            let Ok(Some(reading)) = case.read(&reader) else { continue };
            let (board, truth) = (&reading.board, &case.board);
            if (board.cols(), board.rows()) != (truth.cols(), truth.rows()) {
                continue;
            }
            found += 1;
            for ((pos, cell), (_, truly)) in board.iter().zip(truth.iter()) {
                match cell {
                    _ if cell == truly => right += 1,
                    Cell::Unclear => unclear += 1,
                    _ => wrong.push(format!(
                        "{name}: {pos} of {} is {} and was read {}",
                        picture.display(),
                        truly.symbol(),
                        cell.symbol()
                    )),
                }
            }
        }
        println!(
            "| {name} | {found} of {tried} | {right} | {unclear} | {} |",
            wrong.len() - before
        );
    }
    assert!(!folders.is_empty() && wrong.is_empty(), "{}", wrong.join("\n"));
}

fn shipped(name: &str) -> Skin {
    Skin::shipped().into_iter().find(|skin| skin.name == name).unwrap()
}

#[test]
fn a_covered_cell_under_the_pointer_is_learned_too() {
    let mut skin = shipped("classic");
    skin.game.new_game = Some(Control::Key("F2".parse().unwrap()));
    let desktop = desktop(&skin, "intermediate", 20, 3);
    desktop.set_unkindness(Unkindness { highlights: true, ..Unkindness::default() });
    let learned = learn(&desktop).unwrap().calibration.skin;
    let fresh = self::desktop(&skin, "intermediate", 20, 9);
    fresh.set_unkindness(Unkindness { highlights: true, ..Unkindness::default() });
    let (mut screen, mut hands) = (fresh.screen(), fresh.hands());
    let pos = Pos::new(3, 4);
    hands.move_to(fresh.lattice().centre(pos));
    let area = screen.area().unwrap();
    let frame = screen.look(area).unwrap();
    let known = learned.templates.iter().filter(|t| t.cell == Cell::Covered).count();
    let reading = &Reader::new(vec![learned]).find(&frame).unwrap()[0];
    assert_eq!(reading.board[pos], Cell::Covered);
    // Its look is one of its own.
    let covered = |skin: &Skin| skin.templates.iter().filter(|t| t.cell == Cell::Covered).count();
    assert!(known > covered(&shipped("classic")), "{known} looks of covered cells");
}

/// Knows every number by its picture.
struct KnowsTheNumbers {
    skin: Skin,
    asked: u32,
}

impl Person for KnowsTheNumbers {
    fn told(&mut self, _: &str) {}

    fn number(&mut self, picture: &image::RgbImage, possible: &[u8]) -> Option<u8> {
        self.asked += 1;
        let (width, height) = picture.dimensions();
        let distance = |template: &Template| -> u64 {
            let filter = image::imageops::FilterType::Triangle;
            let own = image::imageops::resize(&template.picture, width, height, filter);
            let pairs = own.as_raw().iter().zip(picture.as_raw());
            pairs.map(|(a, b)| u64::from(a.abs_diff(*b)).pow(2)).sum()
        };
        let numbers =
            self.skin.templates.iter().filter(|template| template.cell.number().is_some());
        let shown = numbers.min_by_key(|template| distance(template))?.cell.number()?;
        assert!(possible.contains(&shown), "{shown} is ruled out: {possible:?} are left");
        Some(shown)
    }
}

#[test]
fn a_number_that_nothing_proves_is_asked_for() {
    // A game that shows no mines when it is lost, so that not every number is proven then.
    let mut skin = shipped("classic");
    let covered = skin.templates.iter().find(|template| template.cell == Cell::Covered);
    let covered = covered.unwrap().picture.clone();
    for template in skin.templates.iter_mut().filter(|template| template.cell == Cell::Mine) {
        template.picture = covered.clone();
    }
    let game = |seed: u64| desktop(&skin, "intermediate", 20, seed);
    let learn_one = |seed: u64, person: &mut dyn Person| {
        let desktop = game(seed);
        let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
        let learner = learner((&mut screen, &mut hands), person, true);
        let known = Skin { name: "learned".to_owned(), ..Skin::default() };
        learner.learn(known, 1).map(|lessons| lessons.learned)
    };
    let alone = |seed: u64| learn_one(seed, &mut |_: &str| {}).is_ok_and(|l| !l.unsure.is_empty());
    let seed = (1..40).find(|&seed| alone(seed)).expect("a game that leaves a number open");
    let mut person = KnowsTheNumbers { skin: skin.clone(), asked: 0 };
    let told = learn_one(seed, &mut person).unwrap();
    assert!(person.asked > 0);
    assert_eq!(told.unsure, Vec::<Vec<u8>>::new());
    assert_eq!(wrong_templates(&told.calibration.skin, &skin, 20), Vec::<String>::new());
}

#[test]
fn a_dialog_of_the_game_is_closed_and_remembered() {
    let mut skin = shipped("classic");
    skin.game.new_game = Some(Control::Key("F2".parse().unwrap()));
    let dialog = Dialog { title: "Best time".to_owned(), key: "Return".parse().unwrap() };
    skin.game.dialogs = vec![dialog.clone()];
    let desktop = desktop(&skin, "intermediate", 20, 4);
    desktop.set_unkindness(Unkindness { dialog_at_end: true, ..Unkindness::default() });
    let learned = learn(&desktop).unwrap();
    assert!(learned.calibration.skin.game.dialogs.contains(&dialog));
}

#[test]
fn a_game_is_learned_that_takes_flags_late_or_never() {
    let skin = shipped("classic");
    for (flags, knows_flags) in [(TakesFlags::OnceOpen, true), (TakesFlags::Never, false)] {
        for seed in 0..3 {
            let desktop = desktop(&skin, "intermediate", 20, seed);
            desktop.set_unkindness(Unkindness { flags, ..Unkindness::default() });
            let learned = learn(&desktop).unwrap();
            assert!(learned.is_playable(), "{flags:?} {seed}");
            let wrong = wrong_templates(&learned.calibration.skin, &skin, 20);
            assert_eq!(wrong, Vec::<String>::new(), "{flags:?} {seed}");
            assert_eq!(!learned.missing().contains(&"flag"), knows_flags, "{flags:?} {seed}");
        }
    }
}

/// In search of what starts a new game, a switch may be pressed that makes left clicks set flags, or the window dark: it is pressed
/// again.
#[test]
fn a_switch_beside_the_board_is_left_as_it_was() {
    let mut skin = shipped("classic");
    // Which is tried after all that is drawn beside the board.
    skin.game.new_game = Some(Control::Key("r".parse().unwrap()));
    let setup = Setup::new(Rules::new(12, 8, 14, FirstClick::Safe).unwrap(), 20, 4);
    let ground = image::RgbImage::from_pixel(setup.width, setup.height, image::Rgb([210; 3]));
    let look = |level: u8| {
        image::RgbImage::from_fn(60, 24, |x, _| {
            image::Rgb([if x % 5 == 2 { level } else { 255 - level }; 3])
        })
    };
    let area = Rect::new(setup.board.x + 90, setup.board.y - 40, 60, 24);
    let scene = Scene {
        picture: Arc::new(ground),
        window: Rect::new(10, 10, setup.width - 20, setup.height - 20),
        frame: Rect::new(setup.board.x, setup.board.y, 12 * 20, 8 * 20),
        ground: [210; 3],
        button: None,
        switch: Some(Switch { area, looks: [look(20), look(220)] }),
        chequered: 0,
        shines: 0.0,
    };
    for (flags, switch_darkens) in [(TakesFlags::BySwitch, false), (TakesFlags::Always, true)] {
        let desktop = VirtualDesktop::in_scene(skin.clone(), setup, scene.clone());
        desktop.set_unkindness(Unkindness { flags, switch_darkens, ..Unkindness::default() });
        let learned = learn(&desktop).unwrap();
        assert!(learned.is_playable());
        assert!(desktop.log().switched > 0, "it was tried");
        assert!(desktop.log().switched.is_multiple_of(2), "it is up");
    }
}

#[test]
fn a_game_that_opens_all_its_cells_when_it_is_lost_is_learned() {
    let skin = shipped("classic");
    let desktop = desktop(&skin, "intermediate", 20, 4);
    desktop.set_unkindness(Unkindness { when_lost: WhenLost::All, ..Unkindness::default() });
    let learned = learn(&desktop).unwrap();
    assert!(learned.outcomes.contains(&Outcome::Lost));
    assert_eq!(wrong_templates(&learned.calibration.skin, &skin, 20), Vec::<String>::new());
    let missing = learned.missing();
    // What was a wrong flag shows a number.
    assert!(missing.contains(&"wrong-flag") && !missing.contains(&"mine"), "{missing:?}");
}

#[test]
fn a_lost_game_that_shows_its_covered_cells_on_another_ground_is_learned() {
    let mut skin = shipped("classic");
    let lost = |template: &Template| {
        let mut picture = template.picture.clone();
        for (x, y, image::Rgb([_, green, blue])) in picture.enumerate_pixels_mut() {
            if x.min(y) < 2 {
                (*green, *blue) = (*green / 2, 0);
            }
        }
        Template { phase: Some(GamePhase::Lost), picture, ..template.clone() }
    };
    let on_red: Vec<Template> = skin.templates.iter().map(lost).collect();
    skin.templates.extend(on_red);
    let desktop = desktop(&skin, "intermediate", 20, 4);
    desktop.set_unkindness(Unkindness { when_lost: WhenLost::ThatMine, ..Unkindness::default() });
    let learned = learn(&desktop).unwrap();
    assert!(learned.outcomes.contains(&Outcome::Lost));
    let is_lost = |template: &&Template| template.phase == Some(GamePhase::Lost);
    let covered = learned.calibration.skin.templates.iter().filter(is_lost);
    assert!(covered.clone().any(|template| template.cell == Cell::Covered));
    assert_eq!(wrong_templates(&learned.calibration.skin, &skin, 20), Vec::<String>::new());
}

#[test]
fn a_new_game_is_noticed_after_one_that_the_first_click_lost() {
    let rules = Rules::new(16, 16, 100, FirstClick::Any).unwrap();
    let desktop = VirtualDesktop::new(shipped("classic"), Setup::new(rules, 20, 1));
    let mut games: Vec<String> = Vec::new();
    let person = &mut |what: &str| games.extend(what.starts_with("game ").then(|| what.to_owned()));
    // So many mines leave nothing to prove; the mines that a lost game shows tell numbers all the same.
    let learned = learn_with(&desktop, person).unwrap();
    assert!(games.len() > 1 && games.iter().any(|game| game.contains(": lost")), "{games:?}");
    let skin = shipped("classic");
    assert_eq!(wrong_templates(&learned.calibration.skin, &skin, 20), Vec::<String>::new());
}

#[test]
fn a_board_that_is_cut_off_is_not_learned() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/gnome-mines");
    let mut screen = Pictures::new(load_picture(&folder.join("expert-cut.png")).unwrap(), vec![]);
    let elsewhere = desktop(&shipped("classic"), "beginner", 20, 1);
    let (hands, person) = (&mut elsewhere.hands(), &mut |_: &str| {});
    let learner = Learner {
        screen: &mut screen,
        hands,
        stop: Arc::default(),
        pace: Duration::ZERO,
        person,
        is_thorough: true,
    };
    let error = learner.learn(Skin::default(), GAMES).unwrap_err();
    let cut = matches!(error, LearnError::Board(ReadError::CutOff { side: Side::Bottom, .. }));
    assert!(cut, "{error}");
}

#[test]
fn a_board_that_ends_with_its_window_is_learned_and_read_with_that_skin() {
    let skin = shipped("classic");
    // Not of a size that games offer, below a bar.
    let setup = Setup::new(Rules::new(12, 8, 14, FirstClick::Safe).unwrap(), 20, 4);
    let (cols, rows) = (12 * 20, 8 * 20);
    let window = Rect::new(setup.board.x, 10, cols, setup.board.y as u32 - 10 + rows);
    let picture = image::RgbImage::from_pixel(setup.width, setup.height, image::Rgb([210; 3]));
    let (button, chequered, shines) = (None, 0, 0.0);
    let picture = Arc::new(picture);
    let frame = Rect::new(setup.board.x, setup.board.y, cols, rows);
    let ground = [210; 3];
    let scene = Scene { picture, window, frame, ground, button, switch: None, chequered, shines };
    let desktop = VirtualDesktop::in_scene(skin.clone(), setup, scene);
    let learned = learn(&desktop).unwrap();
    assert!(learned.is_playable());
    assert!(learned.calibration.skin.game.ends_with_window);
    assert_eq!(mistakes(&learned.calibration.skin, &desktop, &skin), [""; 0]);
}

#[test]
fn a_lesson_goes_on_where_the_window_grows() {
    let skin = shipped("classic");
    let desktop = desktop(&skin, "intermediate", 20, 4);
    let mishaps = vec![(6, Mishap::Widen(9)), (14, Mishap::Widen(30))];
    desktop.set_unkindness(Unkindness { mishaps, ..Unkindness::default() });
    let learned = learn(&desktop).unwrap();
    assert!(learned.is_playable());
    assert_eq!(wrong_templates(&learned.calibration.skin, &skin, 20), Vec::<String>::new());
}

/// The window may move between a flag and its end, as where a menu comes up above the board.
#[test]
fn a_flag_is_learned_though_the_window_moves_before_it_is_taken_off() {
    let skin = shipped("kmines-classic");
    let desktop = desktop(&skin, "beginner", 24, 5);
    let mishaps = vec![(2, Mishap::Move(Px::new(30, 51)))];
    desktop.set_unkindness(Unkindness { mishaps, ..Unkindness::default() });
    let learned = learn(&desktop).unwrap().calibration.skin;
    assert!(learned.templates.iter().any(|template| template.cell == Cell::Flagged));
    assert_eq!(wrong_templates(&learned, &skin, 24), Vec::<String>::new());
}

#[test]
fn nothing_is_pressed_while_another_program_is_in_front() {
    let skin = shipped("classic");
    let desktop = desktop(&skin, "intermediate", 20, 4);
    let in_front = Mishap::Cover("Mail".to_owned());
    // Later than the first answer of the game.
    let mishaps = vec![(12, in_front)];
    desktop.set_unkindness(Unkindness { mishaps, ..Unkindness::default() });
    let error = learn(&desktop).unwrap_err();
    assert!(
        matches!(&error, LearnError::Play(PlayError::Covered { by }) if by == "Mail"),
        "{error}"
    );
    assert_eq!((desktop.log().keys, desktop.log().stray), (0, vec![]));
}

/// As in a page that needs a bar to scroll it while it tells of the end of a game.
#[test]
fn a_new_board_is_found_where_it_is_though_the_last_one_was_elsewhere() {
    let skin = shipped("classic");
    let desktop = desktop(&skin, "beginner", 20, 5);
    let moves_when_over = (-8, 0);
    desktop.set_unkindness(Unkindness { moves_when_over, ..Unkindness::default() });
    let learned = learn(&desktop).unwrap();
    assert!(learned.is_playable(), "{:?}", learned.missing());
    assert!(desktop.log().new_games > 0);
    assert_eq!(wrong_templates(&learned.calibration.skin, &skin, 20), Vec::<String>::new());
}

#[test]
fn what_was_learned_before_something_got_in_the_way_is_kept() {
    let skin = shipped("classic");
    let desktop = desktop(&skin, "intermediate", 20, 5);
    // Nobody wants the second game to go on.
    let stop = Arc::new(AtomicBool::new(false));
    let first_is_over = stop.clone();
    let person = &mut |what: &str| first_is_over.store(what.starts_with("game 1"), Relaxed);
    let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
    let learner = Learner {
        screen: &mut screen,
        hands: &mut hands,
        stop: stop.clone(),
        pace: Duration::ZERO,
        person,
        is_thorough: true,
    };
    let known = Skin { name: "learned".to_owned(), ..Skin::default() };
    let Explored { learned, trouble, .. } = learner.learn(known, GAMES).unwrap();
    assert!(matches!(trouble, Some(PlayError::Interrupted)), "{trouble:?}");
    assert_eq!(learned.outcomes.len(), 1);
    assert!(learned.is_playable(), "{:?}", learned.missing());
    assert_eq!(wrong_templates(&learned.calibration.skin, &skin, 20), Vec::<String>::new());
}

#[test]
fn the_games_that_a_skin_was_learned_in_do_not_count_as_played() {
    let skin = shipped("sgt-mines");
    let desktop = desktop(&skin, "16x12x20", 20, 6);
    let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
    let person = &mut |_: &str| {};
    let learner = learner((&mut screen, &mut hands), person, true);
    let known = Skin { name: "learned".to_owned(), ..Skin::default() };
    let Explored { learned, lattice, has_begun, .. } = learner.learn(known, GAMES).unwrap();
    let (games, before) = (2, desktop.log());
    let session = Player {
        screen: &mut screen,
        hands: &mut hands,
        reader: &Reader::new(vec![learned.calibration.skin]),
        strategy: by_name("exact").unwrap().as_mut(),
        watcher: &mut (),
        stop: Arc::default(),
    }
    .play(&Options {
        games,
        lattice: Some(lattice),
        anew: !has_begun,
        learns: vec!["learned".to_owned()],
        ..Options::default()
    });
    let after = desktop.log();
    let summary = session.summary;
    assert!(session.trouble.is_none(), "{:?}", session.trouble);
    assert_eq!((summary.games, summary.wins + summary.losses), (games, games));
    let begun = after.new_games - before.new_games + u64::from(has_begun);
    assert_eq!(begun, u64::from(games));
    assert_eq!(after.clicks - before.clicks, summary.clicks);
}

#[test]
fn what_is_learned_at_another_size_is_added() {
    let skin = shipped("kmines-classic");
    let first = learn(&desktop(&skin, "intermediate", 20, 6)).unwrap().calibration.skin;
    let other = desktop(&skin, "intermediate", 36, 7);
    let (mut screen, mut hands) = (other.screen(), other.hands());
    let person = &mut |_: &str| {};
    let learner = learner((&mut screen, &mut hands), person, true);
    let both = learner.learn(first.clone(), GAMES).unwrap().learned.calibration.skin;
    assert!(first.templates.iter().all(|template| both.templates.contains(template)));
    assert_eq!(wrong_templates(&both, &skin, 36), Vec::<String>::new());
}

/// A screen on which every other cell of a board is darker, as on a chess board.
struct Chequered<S> {
    screen: S,
    lattice: Lattice,
    darker: u8,
    /// What the screen shows without that, as it was looked at last.
    plain: Option<Frame>,
}

impl<S> Chequered<S> {
    fn chequer(&self, plain: &Frame) -> Frame {
        let mut frame = plain.clone();
        for (x, y, pixel) in frame.pixels.enumerate_pixels_mut() {
            let at = Px::new(x as i32 + plain.origin.x, y as i32 + plain.origin.y);
            if self.lattice.pos_at(at).is_some_and(|pos| (pos.col + pos.row) % 2 == 1) {
                pixel.0 = pixel.0.map(|level| level.saturating_sub(self.darker));
            }
        }
        frame
    }
}

impl<S: Screen> Screen for Chequered<S> {
    fn area(&mut self) -> Result<Rect, CaptureError> {
        self.screen.area()
    }

    fn look(&mut self, area: Rect) -> Result<Frame, CaptureError> {
        let plain = self.screen.look(area)?;
        let frame = self.chequer(&plain);
        self.plain = Some(plain);
        Ok(frame)
    }

    fn wait(&mut self, frame: &mut Frame, deadline: Instant) -> Result<Vec<Rect>, CaptureError> {
        let mut plain = self.plain.take().filter(|plain| plain.area() == frame.area());
        let plain = match &mut plain {
            Some(plain) => plain,
            None => &mut self.screen.look(frame.area())?,
        };
        let changed = self.screen.wait(plain, deadline)?;
        *frame = self.chequer(plain);
        self.plain = Some(plain.clone());
        Ok(changed)
    }

    fn standing(&mut self) -> Result<Standing, CaptureError> {
        self.screen.standing()
    }
}

/// `skin` with covered cells of one colour, as browsers draw them.
fn flat(mut skin: Skin) -> Skin {
    const COVERED: image::Rgb<u8> = image::Rgb([120, 180, 90]);
    let is_covered = |template: &&Template| template.cell == Cell::Covered;
    let covered = skin.templates.iter().find(is_covered).unwrap().picture.clone();
    for template in skin.templates.iter_mut().filter(|template| template.cell.is_unopened()) {
        for (x, y, pixel) in template.picture.enumerate_pixels_mut() {
            if pixel == covered.get_pixel(x, y) {
                *pixel = COVERED;
            }
        }
    }
    skin
}

#[test]
fn a_chequered_board_is_learned() {
    let mut wrong = Vec::new();
    for (skin, darker) in [(flat(invented(3)), 10), (invented(2), 20)] {
        let desktop = desktop(&skin, "16x16x40", 24, 1);
        let (lattice, plain) = (desktop.lattice(), None);
        let mut screen = Chequered { screen: desktop.screen(), lattice, darker, plain };
        let (mut hands, person) = (desktop.hands(), &mut |what: &str| println!("  {what}"));
        let learner = learner((&mut screen, &mut hands), person, true);
        let known = Skin { name: "learned".to_owned(), ..Skin::default() };
        let learned = learner.learn(known, GAMES).unwrap().learned;
        assert!(learned.is_playable() && learned.unsure.is_empty(), "{:?}", learned.unsure);
        let area = screen.area().unwrap();
        let frame = screen.look(area).unwrap();
        let found = Reader::new(vec![learned.calibration.skin]).find(&frame).unwrap();
        let shown = desktop.game().view().clone();
        let cells = found[0].board.iter().zip(shown.iter());
        let differ = cells.filter(|((_, cell), (_, truth))| cell != truth);
        wrong.extend(differ.map(|((pos, cell), (_, truth))| {
            format!("{}: {pos} shows {}, read as {}", skin.name, truth.symbol(), cell.symbol())
        }));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Plays up to three games with `skin`, after what was played `before`.
fn play_three(
    (screen, hands): (&mut dyn Screen, &mut dyn Hands),
    skin: &Skin,
    anew: bool,
    before: &Summary,
) -> EndedSession {
    let mut strategy = by_name("exact").unwrap();
    let player = Player {
        screen,
        hands,
        reader: &Reader::new(vec![skin.clone()]),
        strategy: strategy.as_mut(),
        watcher: &mut (),
        stop: Arc::default(),
    };
    let learns = vec![skin.name.clone()];
    player.play(&Options { games: 3, anew, learns, before: before.clone(), ..Options::default() })
}

/// A skin that lacks the larger numbers stops the player where it cannot tell one from a mine; the game is gone on with, and
/// the skin has them then.
#[test]
fn a_game_that_shows_a_number_which_is_not_known_is_gone_on_with() {
    gone_on_with(false);
}

/// Behind what a page lays over a finished board nothing can be read: the next game has begun when the player comes back.
#[test]
fn a_game_that_is_gone_on_with_and_veiled_then_is_left_for_the_next_one() {
    gone_on_with(true);
}

fn gone_on_with(is_veiled: bool) {
    let mut full = shipped("sgt-mines");
    if is_veiled {
        let middle = Spot { across: 0.5, right: 0.0, along: 0.5, down: 0.0 };
        full.game.new_game = Some(Control::Click(middle));
        full.game.end_message = Some(EndMessage::Stays);
    }
    let is_small = |template: &Template| template.cell.number().is_none_or(|number| number < 3);
    let templates = full.templates.iter().filter(|template| is_small(template)).cloned().collect();
    let mut skin = Skin { name: "learned".to_owned(), templates, ..full.clone() };
    let desktop = desktop(&full, "16x16x50", 20, 3);
    let new_games = if is_veiled { NewGames::ByVeil } else { NewGames::ByControl };
    desktop.set_unkindness(Unkindness { new_games, ..Unkindness::default() });
    let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
    let mut session = play_three((&mut screen, &mut hands), &skin, false, &Summary::default());
    let mut times = 0;
    let mut studied = None;
    while let Some(halted) = session.unread() {
        times += 1;
        let person = &mut |_: &str| {};
        let learner = learner((&mut screen, &mut hands), person, false);
        let explored = learner.go_on(studied.take(), halted).unwrap();
        assert_eq!(explored.has_begun, is_veiled);
        assert_eq!(desktop.game().status().is_over(), !is_veiled, "{}", desktop.game().view());
        let mut summary = session.summary.clone();
        summary.went_on(explored.last.expect("the end was seen"));
        assert!(!summary.outcomes.contains(&play::Outcome::Abandoned), "{:?}", summary.outcomes);
        skin = explored.learned.calibration.skin;
        studied = Some(explored.studied);
        session = play_three((&mut screen, &mut hands), &skin, !is_veiled, &summary);
    }
    assert!(session.trouble.is_none(), "{:?}", session.trouble);
    assert!(times > 0 && session.summary.games == 3, "{times} times, {:?}", session.summary);
    assert!(skin.templates.iter().any(|template| template.cell == Cell::open(3)));
    assert_eq!(wrong_templates(&skin, &full, 20), Vec::<String>::new());
}

/// A desktop with a game in which a mine is where a lesson clicks first.
fn lost_by_the_first_click(look: &mut Skin) -> VirtualDesktop {
    look.game.first_click = Some(FirstClick::Any);
    let mut desktops = (0..100).map(|seed| desktop(look, "beginner", 32, seed));
    let is_lost = |desktop: &VirtualDesktop| {
        let mut game = desktop.game();
        game.open(Pos::new(4, 4));
        game.status() == Status::Lost
    };
    desktops.find(is_lost).expect("some game has a mine in its middle")
}

/// Pages lay a veil over a finished game, with a button for the next one.
#[test]
fn a_game_that_is_veiled_when_it_is_over_is_learned_and_played_on() {
    for name in ["kmines-classic", "winemine", "sgt-mines", "classic"] {
        let mut look = shipped(name);
        look.game.new_game = None;
        let mut desktop = desktop(&look, "beginner", 32, 7);
        if name == "classic" {
            desktop = lost_by_the_first_click(&mut look);
        }
        desktop.set_unkindness(Unkindness { new_games: NewGames::ByVeil, ..Unkindness::default() });
        let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
        let person = &mut |what: &str| println!("  {what}");
        let learner = learner((&mut screen, &mut hands), person, false);
        let known = Skin { name: "learned".to_owned(), ..Skin::default() };
        let explored = learner.learn(known, GAMES).unwrap();
        assert!(explored.has_begun, "{name}: the next game has begun");
        let skin = explored.learned.calibration.skin;
        assert_eq!(skin.game.end_message, Some(EndMessage::Stays), "{name}");
        let before = desktop.log();
        let session = play_three((&mut screen, &mut hands), &skin, false, &Summary::default());
        assert!(session.trouble.is_none(), "{name}: {:?}", session.trouble);
        assert_eq!(session.summary.games, 3, "{name}: {:?}", session.summary);
        let log = desktop.log();
        assert_eq!(log.new_games - before.new_games, 2, "{name}");
        assert_eq!(log.stray, [], "{name}");
    }
}

/// The click that begins a game is its first one.
#[test]
fn a_game_that_begins_with_a_click_on_the_last_one_which_opens_a_cell_is_learned_and_played_on() {
    for seed in 0..4 {
        let mut look = shipped("classic");
        look.game.new_game = None;
        let desktop = desktop(&look, "beginner", 24, seed);
        let new_games = NewGames::ByClickThatOpens;
        desktop.set_unkindness(Unkindness { new_games, ..Unkindness::default() });
        let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
        let person = &mut |_: &str| {};
        let learner = learner((&mut screen, &mut hands), person, false);
        let known = Skin { name: "learned".to_owned(), ..Skin::default() };
        let explored = learner.learn(known, GAMES).unwrap();
        let skin = explored.learned.calibration.skin;
        assert_eq!(skin.game.new_game, Some(Control::Board), "{seed}");
        assert!(explored.has_begun, "{seed}");
        let session = play_three((&mut screen, &mut hands), &skin, false, &Summary::default());
        assert!(session.trouble.is_none(), "{seed}: {:?}", session.trouble);
        assert_eq!(session.summary.games, 3, "{seed}: {:?}", session.summary);
    }
}

/// The window of the game before is closed, or stays behind the next one.
#[test]
fn games_that_are_each_in_a_window_of_their_own_are_learned_and_played() {
    for (stays, seed) in [(false, 1), (true, 2)] {
        let look = shipped("classic");
        let desktop = desktop(&look, "beginner", 24, seed);
        let new_games = NewGames::InAnotherWindow { stays };
        desktop.set_unkindness(Unkindness { new_games, ..Unkindness::default() });
        let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
        let person = &mut |_: &str| {};
        let learner = learner((&mut screen, &mut hands), person, false);
        let known = Skin { name: "learned".to_owned(), ..Skin::default() };
        let explored = learner.learn(known, GAMES).unwrap();
        let skin = explored.learned.calibration.skin;
        assert!(explored.has_begun, "{stays}");
        let before = desktop.log();
        let session = play_three((&mut screen, &mut hands), &skin, false, &Summary::default());
        assert!(session.trouble.is_none(), "{stays}: {:?}", session.trouble);
        assert_eq!(session.summary.games, 3, "{stays}: {:?}", session.summary);
        let log = desktop.log();
        assert_eq!((log.new_games - before.new_games, log.stray), (2, Vec::new()), "{stays}");
    }
}

/// Before the rest is learned in play, it takes one game that is lost to know enough.
#[test]
fn a_short_lesson_leaves_a_fresh_board_and_a_skin_to_play_with() {
    let skin = shipped("kmines-classic");
    let mut games = Vec::new();
    for is_thorough in [false, true] {
        let desktop = desktop(&skin, "intermediate", 24, 5);
        let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
        let person = &mut |_: &str| {};
        let learner = learner((&mut screen, &mut hands), person, is_thorough);
        let known = Skin { name: "learned".to_owned(), ..Skin::default() };
        let explored = learner.learn(known, GAMES).unwrap();
        assert!(explored.learned.is_playable());
        let is_fresh = desktop.game().view().count(|cell| cell != Cell::Covered) == 0;
        assert_eq!((explored.has_begun, is_fresh), (!is_thorough, !is_thorough));
        games.push(explored.learned.outcomes.len());
    }
    assert!(games[0] < games[1], "{games:?}");
}
