//! How boards of every skin are read at every size, and when something spoils the picture: every cell is right, or
//! unclear; none is wrong.
//!
//! `scripts/measure-reading.sh` runs the whole measurement and prints it as a table; the tests read a sample.

mod boards;
mod families;
mod family;
mod nuisance;
mod scene;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use minescraper::Skin;
use minescraper::board::{Board, Cell, MineCount, Status};
use minescraper::capture::Frame;
use minescraper::geometry::Px;
use minescraper::recognize::{Reader, Reading};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use scene::{Look, Scene};

/// Distances from cell to cell, in pixels: whole ones, and what desktops with fractional scales make of them.
const SIZES: [f64; 20] = [
    10.0, 11.0, 12.0, 13.4, 14.0, 16.0, 17.5, 20.0, 22.6, 24.0, 27.0, 30.0, 32.5, 36.0, 41.7, 48.0,
    56.0, 64.0, 80.0, 96.0,
];

#[derive(Clone, Copy, Default)]
struct Count {
    boards: usize,
    cells: usize,
    right: usize,
    unclear: usize,
    wrong: usize,
}

impl Count {
    fn add(&mut self, other: &Count) {
        self.boards += other.boards;
        self.cells += other.cells;
        self.right += other.right;
        self.unclear += other.unclear;
        self.wrong += other.wrong;
    }
}

/// One board to read.
struct Job {
    skin: usize,
    size: f64,
    nuisance: usize,
    seed: u64,
}

/// What came of the boards: figures by a heading, and the wrong cells in words.
#[derive(Default)]
struct Outcome {
    counts: BTreeMap<(&'static str, String), Count>,
    wrong: Vec<String>,
}

fn measure(skins: &[Skin], jobs: &[Job]) -> Outcome {
    let reader = Reader::new(skins.to_vec());
    let outcome = Mutex::new(Outcome::default());
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (count, wrong) = run(&reader, &skins[job.skin], job);
                    // At once: the whole measurement takes long.
                    wrong.iter().for_each(|cell| eprintln!("{cell}"));
                    let mut outcome = outcome.lock().unwrap();
                    let name = nuisance::ALL[job.nuisance].0.to_owned();
                    let plain = job.nuisance == 0;
                    for (heading, key, counted) in [
                        ("nuisance", format!("{:2} {name}", job.nuisance), true),
                        ("skin", skins[job.skin].name.clone(), plain),
                        ("size", format!("{:4.1}", job.size), plain),
                        (
                            "detail",
                            format!("{:2} {name}, {}", job.nuisance, skins[job.skin].name),
                            true,
                        ),
                        (
                            "skin and size",
                            format!("{} {:4.1}", skins[job.skin].name, job.size),
                            plain,
                        ),
                    ] {
                        if counted {
                            outcome.counts.entry((heading, key)).or_default().add(&count);
                        }
                    }
                    outcome.wrong.extend(wrong);
                }
            });
        }
    });
    outcome.into_inner().unwrap()
}

fn run(reader: &Reader, skin: &Skin, job: &Job) -> (Count, Vec<String>) {
    let mut dice = ChaCha8Rng::seed_from_u64(job.seed);
    let look = Look { pitch: job.size, dark: job.seed % 2 == 1 };
    let mut scene = Scene::random(skin, look, &mut dice);
    let (name, spoil) = nuisance::ALL[job.nuisance];
    spoil(&mut scene, &mut dice);
    let frame = Frame::new(Px::new(0, 0), scene.picture.clone());
    let mut board = Board::new(scene.board.cols(), scene.board.rows());
    board.mines = MineCount::Given(1);
    let known = Reading {
        skin: reader.skins().find(|known| known.name == skin.name).unwrap().clone(),
        lattice: scene.lattice.clone(),
        board,
        status: Status::Playing,
    };
    let reading = reader.read_again(&frame, &known);
    let mut count = Count { boards: 1, ..Count::default() };
    let mut wrong = Vec::new();
    for (pos, cell) in reading.board.iter() {
        let truth = scene.board[pos];
        count.cells += 1;
        if cell == Cell::Unclear {
            count.unclear += 1;
            if std::env::var_os("TELL").is_some() {
                eprintln!(
                    "TELL {name}, {} {} px, seed {}: {pos} shows {}",
                    skin.name,
                    job.size,
                    job.seed,
                    truth.symbol()
                );
            }
        } else if cell == truth || scene.also.get(&pos) == Some(&cell) {
            count.right += 1;
        } else {
            count.wrong += 1;
            wrong.push(format!(
                "{name}, {} {} px, seed {}: {pos} shows {}, read as {}",
                skin.name,
                job.size,
                job.seed,
                truth.symbol(),
                cell.symbol()
            ));
        }
    }
    if std::env::var_os("SCENES").is_some() && count.wrong + count.unclear > 0 {
        let folder = std::path::PathBuf::from(std::env::var_os("SCENES").unwrap());
        let file = format!("{name}-{}-{}-{}", skin.name, job.size, job.seed);
        scene.picture.save(folder.join(file + ".png")).unwrap();
    }
    (count, wrong)
}

fn jobs(skins: &[Skin], boards: u64) -> Vec<Job> {
    let mut jobs = Vec::new();
    for nuisance in 0..nuisance::ALL.len() {
        for (skin, known) in skins.iter().enumerate() {
            for (nth, &size) in SIZES.iter().enumerate() {
                let of = nth as u64 + 100 * skin as u64 + 10_000 * nuisance as u64;
                let seeds = (0..boards).map(|board| 1_000 * of + board);
                if size >= f64::from(known.least_cell) {
                    jobs.extend(seeds.map(|seed| Job { skin, size, nuisance, seed }));
                }
            }
        }
    }
    jobs
}

#[test]
fn no_cell_is_read_wrongly_whatever_spoils_the_picture() {
    let skins = Skin::shipped();
    let mut jobs = jobs(&skins, 1);
    jobs.retain(|job| job.size == 24.0 && (job.skin + job.nuisance) % 3 == 0);
    let outcome = measure(&skins, &jobs);
    assert!(outcome.wrong.is_empty(), "{}", outcome.wrong.join("\n"));
}

#[test]
fn a_window_that_a_desktop_scaled_is_read() {
    let skins = Skin::shipped();
    let mut jobs = jobs(&skins, 1);
    jobs.retain(|job| job.nuisance == 0 && [17.5, 22.6].contains(&job.size));
    let outcome = measure(&skins, &jobs);
    assert!(outcome.wrong.is_empty(), "{}", outcome.wrong.join("\n"));
    let counts = outcome.counts.iter().filter(|((heading, _), _)| *heading == "skin and size");
    for ((_, key), count) in counts {
        assert!(100 * count.unclear <= 2 * count.cells, "{key}: {} are unclear", count.unclear);
    }
}

#[test]
fn a_dimmed_or_lightened_board_is_not_taken_for_another_one() {
    let skins = Skin::shipped();
    let mut jobs = jobs(&skins, 1);
    let colours = ["brightness -20 %", "brightness +20 %"];
    jobs.retain(|job| {
        skins[job.skin].name == "gnome-mines"
            && colours.contains(&nuisance::ALL[job.nuisance].0)
            && [13.4, 17.5].contains(&job.size)
    });
    assert_eq!(jobs.len(), 4);
    let outcome = measure(&skins, &jobs);
    assert!(outcome.wrong.is_empty(), "{}", outcome.wrong.join("\n"));
}

#[test]
#[ignore = "reads millions of cells; scripts/measure-reading.sh runs it"]
fn whole_measurement() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let skins = Skin::shipped();
    let mut jobs = jobs(&skins, number("BOARDS").unwrap_or(2) as u64);
    let chosen = |name: &str, value: &str| {
        std::env::var(name).map_or(true, |only| only.split(',').any(|only| only == value))
    };
    jobs.retain(|job| {
        chosen("SKIN", &skins[job.skin].name)
            && chosen("SIZE", &job.size.to_string())
            && chosen("SEED", &job.seed.to_string())
            && chosen("NUISANCE", nuisance::ALL[job.nuisance].0)
    });
    let outcome = measure(&skins, &jobs);
    for heading in ["nuisance", "skin", "size", "detail", "skin and size"] {
        println!("| {heading:<40} | boards | cells | right | unclear | wrong |");
        println!("|---|---|---|---|---|---|");
        for ((_, key), count) in outcome.counts.iter().filter(|((h, _), _)| *h == heading) {
            let share = |cells: usize| 100.0 * cells as f64 / count.cells as f64;
            println!(
                "| {key:<40} | {:6} | {:7} | {:7.3} % | {:7.3} % | {:6} |",
                count.boards,
                count.cells,
                share(count.right),
                share(count.unclear),
                count.wrong
            );
        }
        println!();
    }
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    for line in &outcome.wrong {
        let (what, _) = line.split_once(", seed").unwrap();
        let (_, how) = line.split_once("shows").unwrap();
        *kinds.entry(format!("{what} {how}")).or_default() += 1;
    }
    for (kind, count) in kinds {
        println!("SUM {count} {kind}");
    }
    assert!(outcome.wrong.is_empty(), "{} cells are wrong", outcome.wrong.len());
}

#[test]
fn a_board_with_smaller_cells_than_its_skin_states_is_refused() {
    let known = Skin::shipped().into_iter().find(|skin| skin.name == "classic").unwrap();
    let board: Board = "11111\n1#2#1\n112##\n0012#\n0001#".parse().unwrap();
    let (pixels, _) = minescraper::lab::virtual_desktop::picture(known.clone(), &board, 14);
    let frame = Frame::new(Px::new(0, 0), pixels);
    let read = |least_cell| {
        Reader::new(vec![Skin { least_cell, ..known.clone() }])
            .find(&frame)
            .map(|found| found.len())
    };
    assert_eq!(read(14), Ok(1));
    let Err(error) = read(15) else { panic!("cells of 14 pixels are read") };
    let told = error.to_string();
    assert!(told.contains("cells of 14 pixels") && told.contains("from 15 pixels"), "{told}");
}

#[test]
fn pictures_of_hardly_any_pixels_show_no_board() {
    let reader = Reader::new(Skin::shipped());
    for (width, height) in [(0, 0), (0, 9), (9, 0), (1, 1), (1, 40), (40, 1), (3, 3)] {
        let frame = Frame::new(Px::new(0, 0), image::RgbImage::new(width, height));
        assert!(reader.find(&frame).is_err(), "{width}x{height}");
        assert!(minescraper::learn::from_play::grids(&frame).is_empty(), "{width}x{height}");
    }
}
