//! Invented Minesweepers that nobody has looked at, played from nothing on the virtual desktop.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use minescraper::Skin;
use minescraper::geometry::Px;
use minescraper::lab::virtual_desktop::{Log, VirtualDesktop};
use minescraper::lab::zoo::{Fonts, Specimen};
use minescraper::play::{Explored, Halted, Learner, Options, Player, Studied, Summary};
use minescraper::recognize::Reader;
use minescraper::solver::by_name;

/// Games that a skin may take, as for `play`.
const LESSONS: u32 = 10;
/// Games that are played then.
const GAMES: u32 = 3;

/// What came of a specimen.
#[derive(Default)]
struct Met {
    /// Why it was not played, or what went wrong; nothing when all games were played.
    trouble: Option<String>,
    /// Clicks beside the window or into something in front of it.
    foreign: usize,
    /// Desktop time until a game was played that counts.
    until_play: Duration,
    /// Games that it was learned in, and how many of them were not won.
    lessons: (usize, usize),
    wins: u32,
}

fn meet(specimen: &Specimen, tell: bool) -> Met {
    let desktop = specimen.desktop();
    let mut met = Met::default();
    met.trouble = play(&desktop, &mut met, tell).err();
    let Log { stray, .. } = desktop.log();
    let window = specimen.scene.window;
    met.foreign = stray.iter().filter(|&&at: &&Px| !window.contains(at)).count();
    met
}

/// Learns the game and plays it.
fn play(desktop: &VirtualDesktop, met: &mut Met, tell: bool) -> Result<(), String> {
    let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
    let person = &mut |what: &str| {
        if tell {
            println!("  {:6.1} {what}", desktop.now().as_secs_f64());
        }
    };
    let mut unread: Option<(Studied, Halted)> = None;
    let mut before = Summary::default();
    loop {
        let learner = Learner {
            screen: &mut screen,
            hands: &mut hands,
            stop: Arc::default(),
            pace: Duration::ZERO,
            person: &mut *person,
            is_thorough: false,
        };
        let explored = match &unread {
            None => {
                let known = Skin { name: "learned".to_owned(), ..Skin::default() };
                learner.learn(known, LESSONS).map_err(|error| told(&error))?
            }
            Some((studied, halted)) => {
                let explored = learner.go_on(Some(studied.clone()), halted);
                explored.map_err(|error| format!("going on: {}", told(&error)))?
            }
        };
        let Explored { learned, lattice, has_begun, trouble, last, studied } = explored;
        if let Some(trouble) = trouble {
            return Err(format!("after learning: {trouble}"));
        }
        if unread.is_none() {
            let is_won = |&&outcome: &&_| outcome == minescraper::learn::from_play::Outcome::Won;
            let won = learned.outcomes.iter().filter(is_won).count();
            met.lessons = (learned.outcomes.len(), learned.outcomes.len() - won);
            met.until_play = desktop.now();
        } else if let Some(ended) = last {
            before.went_on(ended);
        }
        if !learned.is_playable() {
            return Err(format!("too little was learned: {}", learned.missing().join(" ")));
        }
        let reader = Reader::new(vec![learned.calibration.skin]);
        let mut strategy = by_name("exact").expect("it is known");
        let session = Player {
            screen: &mut screen,
            hands: &mut hands,
            reader: &reader,
            strategy: strategy.as_mut(),
            watcher: &mut (),
            stop: Arc::default(),
        };
        let session = session.play(&Options {
            games: GAMES,
            lattice: Some(lattice),
            anew: !has_begun,
            learns: vec!["learned".to_owned()],
            before: before.clone(),
            ..Options::default()
        });
        met.wins = session.summary.wins;
        if tell && session.trouble.is_some() {
            let halted = session.halted.as_ref();
            halted.inspect(|halted| println!("{}", halted.reading.board));
        }
        let may_go_on = studied.games() < LESSONS as usize;
        let Some(halted) = session.unread().filter(|_| may_go_on).cloned() else {
            return session.trouble.map_or(Ok(()), |trouble| Err(format!("in play: {trouble}")));
        };
        if tell {
            println!("  {:6.1} {:?}", desktop.now().as_secs_f64(), session.summary.outcomes);
        }
        before = session.summary;
        unread = Some((studied, halted));
    }
}

/// An error and what caused it.
fn told(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |error| error.source());
    causes.fold(error.to_string(), |all, cause| format!("{all}: {cause}"))
}

/// Meets all of these, on as many threads as there are processors.
fn meet_all(seeds: Range<u64>, fonts: &Fonts) -> BTreeMap<u64, (String, Met)> {
    let next = AtomicU64::new(seeds.start);
    let all = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Relaxed);
                    if seed >= seeds.end {
                        break;
                    }
                    let specimen = Specimen::new(seed, fonts);
                    let met = meet(&specimen, false);
                    all.lock().unwrap().insert(seed, (specimen.description, met));
                }
            });
        }
    });
    all.into_inner().unwrap()
}

#[test]
fn nearly_all_invented_games_are_played_and_nothing_is_clicked_beside_their_windows() {
    let seeds = Specimen::SEEDS_TO_BUILD_ON.start..Specimen::SEEDS_TO_BUILD_ON.start + 30;
    let all = meet_all(seeds, &Fonts::to_build_on().unwrap());
    let troubles: Vec<&String> = all.values().filter_map(|(_, met)| met.trouble.as_ref()).collect();
    assert!(troubles.len() <= 1, "{troubles:#?}");
    assert_eq!(all.values().map(|(_, met)| met.foreign).sum::<usize>(), 0);
}

/// `SPECIMEN=SEED`: tells what happens to one, and saves how it looks at first and at last in the folder `SCENES`.
#[test]
#[ignore = "for work on learning"]
fn one_specimen() {
    env_logger::init();
    let seed = std::env::var("SPECIMEN").unwrap().parse().unwrap();
    assert!(Specimen::SEEDS_TO_BUILD_ON.contains(&seed), "nobody looks at the others");
    let specimen = Specimen::new(seed, &Fonts::to_build_on().unwrap());
    println!("{}", specimen.description);
    let desktop = specimen.desktop();
    let mut screen = desktop.screen();
    let look = |screen: &mut minescraper::lab::virtual_desktop::VirtualScreen, name: &str| {
        use minescraper::capture::Screen;
        let area =
            minescraper::geometry::Rect::new(0, 0, specimen.setup.width, specimen.setup.height);
        let folder = std::env::var("SCENES").unwrap_or(".".to_owned());
        screen.look(area).unwrap().pixels.save(format!("{folder}/{name}.png")).unwrap();
    };
    look(&mut screen, "specimen");
    let mut met = Met::default();
    println!("board at {}", desktop.lattice().area());
    met.trouble = play(&desktop, &mut met, true).err();
    look(&mut screen, "specimen-end");
    println!("{:?}, won {}, {:?}", met.trouble, met.wins, met.until_play);
}

/// All that a player is built on, or, with `JUDGE` set, all that it is judged by; `SPECIMENS=FROM..TO` takes a part.
#[test]
#[ignore = "takes minutes: scripts/measure-zoo.sh runs it"]
fn whole_measurement_of_the_zoo() {
    let judge = std::env::var_os("JUDGE").is_some();
    let (seeds, fonts) = match judge {
        true => (Specimen::SEEDS_TO_JUDGE_BY, Fonts::to_judge_by().unwrap()),
        false => (Specimen::SEEDS_TO_BUILD_ON, Fonts::to_build_on().unwrap()),
    };
    let part = std::env::var("SPECIMENS").ok().map(|part| {
        let (from, to) = part.split_once("..").unwrap();
        seeds.start + from.parse::<u64>().unwrap()..seeds.start + to.parse::<u64>().unwrap()
    });
    let all = meet_all(part.unwrap_or(seeds), &fonts);
    let mut times: Vec<Duration> = Vec::new();
    let mut lost: Vec<usize> = Vec::new();
    let (mut wins, mut foreign) = (0, 0);
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    for (seed, (description, met)) in &all {
        foreign += met.foreign;
        match &met.trouble {
            Some(trouble) => {
                // Without its numbers, which tell of one specimen.
                *reasons.entry(trouble.replace(|c: char| c.is_ascii_digit(), "")).or_default() += 1;
                if !judge {
                    println!("{seed}: {trouble}\n    {description}");
                }
            }
            None => {
                times.push(met.until_play);
                lost.push(met.lessons.1);
                wins += met.wins;
            }
        }
    }
    times.sort();
    lost.sort();
    let played = times.len();
    println!("| specimens | {} |", all.len());
    println!("| played three games | {played} |");
    println!("| games won of those | {wins} of {} |", 3 * played);
    println!("| clicks beside the window | {foreign} |");
    if let (Some(median), Some(worst)) = (times.get(played / 2), times.last()) {
        println!(
            "| until play begins, median and worst | {:.0} s, {:.0} s |",
            median.as_secs_f64(),
            worst.as_secs_f64()
        );
        println!(
            "| games not won before, median and most | {}, {} |",
            lost[played / 2],
            lost[played - 1]
        );
    }
    for (reason, times) in reasons {
        println!("| not played: {reason} | {times} |");
    }
}
