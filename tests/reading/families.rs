//! How boards are found and read in pictures that a [family](super::family) changed: screenshots of real games, read from
//! nothing with all skins.
//!
//! Two sets of seeds are kept apart. Of the first everything may be looked at. The second is for judging: only sums come
//! out, and families that are held back are drawn there only.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use minescraper::Skin;
use minescraper::board::{Cell, Status};
use minescraper::capture::{Frame, load_picture};
use minescraper::geometry::Px;
use minescraper::lab::replay::{Case, Saved};
use minescraper::recognize::{Reader, Reading};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::family::{self, Family};
use super::scene::Scene;

/// A screenshot of a real game, and how many boards are in it.
struct Shot {
    name: String,
    skin: String,
    scene: Scene,
    boards: usize,
}

/// Every labelled screenshot in this folder that reads as it is labelled, the skins in turn, each skin's in an order of the
/// dice.
fn shots(folder: &str, reader: &Reader, dice: &mut ChaCha8Rng) -> Vec<Shot> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut by_skin: BTreeMap<String, Vec<Shot>> = BTreeMap::new();
    for path in Saved::at(&folder).unwrap().pictures {
        let case = Case::open(&path).unwrap();
        let Some(reading) = case.find(reader).unwrap() else { continue };
        if case.status == Some(Status::Hidden) || !case.differences(Some(&reading)).is_empty() {
            continue;
        }
        let frame = load_picture(&path).unwrap();
        let boards = reader.find(&frame).unwrap().len();
        let Reading { lattice, .. } = reading;
        let (also, hidden) = Default::default();
        let skin = path.parent().unwrap().file_name().unwrap().to_string_lossy().into_owned();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let scene = Scene { picture: frame.pixels, lattice, board: case.board, also, hidden };
        by_skin.entry(skin.clone()).or_default().push(Shot { name, skin, scene, boards });
    }
    let mut skins: Vec<Vec<Shot>> = by_skin.into_values().collect();
    skins.iter_mut().for_each(|shots| shots.shuffle(dice));
    let mut mixed = Vec::new();
    while skins.iter().any(|shots| !shots.is_empty()) {
        mixed.extend(skins.iter_mut().filter_map(Vec::pop));
    }
    mixed
}

/// What came of pictures.
#[derive(Clone, Copy, Default)]
struct Tally {
    pictures: usize,
    found: usize,
    right: usize,
    /// Cells of the boards that were found, and how many of them are unclear.
    cells: usize,
    unclear: usize,
    /// Cells that were read as something that they are not, wherever they were seen.
    wrong: usize,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.pictures += other.pictures;
        self.found += other.found;
        self.right += other.right;
        self.cells += other.cells;
        self.unclear += other.unclear;
        self.wrong += other.wrong;
    }
}

/// Whether two boards have the same cells: none of their corners is farther off than half a cell.
fn is_same(reading: &Reading, scene: &Scene) -> bool {
    let (own, other) = (&reading.lattice, &scene.lattice);
    let (width, height) = other.pitch();
    let near = |a: i32, b: i32, pitch: f64| f64::from(a.abs_diff(b)) <= pitch / 2.0;
    let (a, b) = (own.area(), other.area());
    (own.cols(), own.rows()) == (other.cols(), other.rows())
        && near(a.x, b.x, width)
        && near(a.right(), b.right(), width)
        && near(a.y, b.y, height)
        && near(a.bottom(), b.bottom(), height)
}

/// Reads a picture from nothing, and counts.
fn judge(reader: &Reader, shot: &Shot, scene: &Scene) -> Tally {
    let frame = Frame::new(Px::new(0, 0), scene.picture.clone());
    let readings = reader.find(&frame).unwrap_or_default();
    let mut tally = Tally { pictures: 1, ..Tally::default() };
    for reading in &readings {
        let overlaps = reading.lattice.area().intersection(scene.lattice.area()).is_some();
        // What is read elsewhere may be another game in the same picture.
        if !overlaps && shot.boards > 1 {
            continue;
        }
        let is_found = is_same(reading, scene);
        let (mut unclear, mut wrong) = (0, 0);
        for (pos, cell) in reading.board.iter() {
            let there = scene.lattice.pos_at(reading.lattice.centre(pos));
            let truth = there.map(|there| scene.board[there]);
            let may_be = there.and_then(|there| scene.also.get(&there));
            match cell {
                // What the screenshot itself hides is not judged.
                _ if truth == Some(Cell::Unclear) => {}
                Cell::Unclear => {
                    let may_be = there.is_some_and(|there| scene.hidden.contains(&there));
                    unclear += usize::from(!may_be);
                }
                _ => wrong += usize::from(truth != Some(cell) && may_be != Some(&cell)),
            }
        }
        tally.wrong += wrong;
        if is_found && tally.found == 0 {
            tally.found = 1;
            tally.right = usize::from(unclear + wrong == 0);
            tally.cells = reading.board.cells().len();
            tally.unclear = unclear;
        }
    }
    tally
}

/// Tallies by family and by skin.
type Tallies = BTreeMap<(&'static str, String), Tally>;

/// Reads `pictures` of each family. The seeds are those for judging or not.
fn measure(families: &[(usize, Family)], pictures: usize, judging: bool) -> Tallies {
    let reader = Reader::new(Skin::shipped());
    let mut order = ChaCha8Rng::seed_from_u64(u64::from(judging));
    let shots = shots("fixtures", &reader, &mut order);
    let jobs = families.len() * pictures;
    let (tallies, next) = (Mutex::new(Tallies::new()), AtomicUsize::new(0));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let job = next.fetch_add(1, Ordering::Relaxed);
                    if job >= jobs {
                        return;
                    }
                    let nth = job % pictures;
                    let &(family, Family { name, spoil, held_back }) = &families[job / pictures];
                    // Each family begins with other pictures.
                    let shot = &shots[(nth + family * pictures) % shots.len()];
                    let mut dice = ChaCha8Rng::seed_from_u64((family << 32 | nth) as u64);
                    dice.set_stream(u64::from(judging));
                    let mut scene = shot.scene.clone();
                    spoil(&mut scene, &mut dice);
                    let tally = judge(&reader, shot, &scene);
                    let is_right = tally.right == 1 && tally.wrong == 0;
                    if !judging && !is_right {
                        let Tally { found, unclear, wrong, .. } = tally;
                        eprintln!(
                            "{name}, picture {nth}, {} {}: found {found}, unclear {unclear}, wrong {wrong}",
                            shot.skin, shot.name
                        );
                        keep(&scene, name, nth);
                    }
                    let marked = if held_back { format!("{name} *") } else { name.to_owned() };
                    let mut tallies = tallies.lock().unwrap();
                    tallies.entry(("family", format!("{family:02} {marked}"))).or_default().add(tally);
                    tallies.entry(("skin", shot.skin.clone())).or_default().add(tally);
                }
            });
        }
    });
    tallies.into_inner().unwrap()
}

/// Keeps a picture that was not read perfectly, where the variable `SCENES` names a folder.
fn keep(scene: &Scene, family: &str, nth: usize) {
    if let Some(folder) = std::env::var_os("SCENES") {
        let file = format!("{}-{nth}.png", family.replace([' ', ','], "-"));
        scene.picture.save(Path::new(&folder).join(file)).unwrap();
    }
}

fn share(part: usize, of: usize) -> f64 {
    if of == 0 { 0.0 } else { 100.0 * part as f64 / of as f64 }
}

fn table(heading: &str, rows: &[(&str, Tally)]) {
    println!(
        "| {heading} | pictures | found, % | right as a whole, % | unclear cells, % | wrong cells |"
    );
    println!("|---|---|---|---|---|---|");
    for (name, tally) in rows {
        let Tally { pictures, found, right, cells, unclear, wrong } = *tally;
        println!(
            "| {name} | {pictures} | {:.0} | {:.0} | {:.2} | {wrong} |",
            share(found, pictures),
            share(right, pictures),
            share(unclear, cells)
        );
    }
    println!();
}

#[test]
fn what_is_counted_is_so() {
    let reader = Reader::new(Skin::shipped());
    let shots = shots("fixtures/winemine", &reader, &mut ChaCha8Rng::seed_from_u64(0));
    let is_one = |shot: &&Shot| shot.scene.board.count(|cell| cell == Cell::open(1)) > 0;
    let shot = shots.iter().find(is_one).expect("a screenshot with a one");
    let count = |scene: &Scene| {
        let Tally { found, right, unclear, wrong, .. } = judge(&reader, shot, scene);
        (found, right, unclear, wrong)
    };
    assert_eq!(count(&shot.scene), (1, 1, 0, 0));
    let blank = Scene { picture: Default::default(), ..shot.scene.clone() };
    assert_eq!(count(&blank), (0, 0, 0, 0));
    let mut mislabelled = shot.scene.clone();
    let one = mislabelled.board.iter().find(|&(_, cell)| cell == Cell::open(1)).unwrap().0;
    mislabelled.board[one] = Cell::open(2);
    assert_eq!(count(&mislabelled), (1, 0, 0, 1));
    let mut aside = shot.scene.clone();
    aside.lattice = aside.lattice.moved(aside.lattice.pitch().0 as i32, 0);
    let (found, right, _, wrong) = count(&aside);
    assert!((found, right) == (0, 0) && wrong > 0, "a board that is a column off");
}

#[test]
#[ignore = "takes many minutes; scripts/measure-families.sh runs it"]
fn whole_measurement_of_families() {
    let judging = std::env::var_os("JUDGE").is_some();
    let pictures = std::env::var("PICTURES").ok().and_then(|text| text.parse().ok()).unwrap_or(18);
    let only = std::env::var("FAMILY").ok();
    let mut families: Vec<(usize, Family)> = family::all().into_iter().enumerate().collect();
    families.retain(|(_, family)| {
        (judging || !family.held_back)
            && only.as_ref().is_none_or(|only| only.split(';').any(|only| only == family.name))
    });
    let tallies = measure(&families, pictures, judging);
    let rows = |wanted: &str| -> Vec<(&str, Tally)> {
        let own = tallies.iter().filter(|((heading, _), _)| *heading == wanted);
        own.map(|((_, name), tally)| (name.as_str(), *tally)).collect()
    };
    let by_family: Vec<(&str, Tally)> =
        rows("family").into_iter().map(|(name, tally)| (&name[3..], tally)).collect();
    table("family", &by_family);
    table("skin", &rows("skin"));
    let mean = |of: fn(&Tally) -> f64| {
        by_family.iter().map(|(_, tally)| of(tally)).sum::<f64>() / by_family.len() as f64
    };
    let found = |tally: &Tally| share(tally.found, tally.pictures);
    let worst = by_family.iter().min_by(|(_, a), (_, b)| found(a).total_cmp(&found(b))).unwrap();
    let mut all = Tally::default();
    by_family.iter().for_each(|(_, tally)| all.add(*tally));
    println!("- Cells wrong: {} of {} in the boards that were found.", all.wrong, all.cells);
    println!(
        "- Boards found: {:.0} % (mean of the families); the worst family is “{}” with {:.0} %.",
        mean(found),
        worst.0,
        found(&worst.1)
    );
    println!(
        "- Boards right in every cell: {:.0} % (mean of the families).",
        mean(|tally| share(tally.right, tally.pictures))
    );
    println!(
        "- Cells unclear in found boards: {:.1} % (mean of the families).",
        mean(|tally| share(tally.unclear, tally.cells))
    );
    assert!(all.found > 0, "no board was found at all");
}
