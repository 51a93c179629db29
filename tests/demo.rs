//! Two hundred games with every shipped skin on the virtual desktop: the whole loop, and behind its back
//! a comparison of everything it reads with the game that is really in the window.

use std::sync::Arc;

use minescraper::Skin;
use minescraper::board::{Board, Cell, FirstClick, Rules};
use minescraper::capture::{Frame, Screen};
use minescraper::lab::virtual_desktop::{Setup, VirtualDesktop};
use minescraper::play::{EndedSession, Options, Player, Style, Watcher};
use minescraper::recognize::{Reader, Reading};
use minescraper::solver::by_name;

/// Games on each desktop, one after the other in the same window.
const GAMES: u32 = 10;
/// Desktops for each skin: columns, rows and mines.
const DESKTOPS: [(u16, u16, u32); 20] = [
    (8, 8, 10),
    (9, 9, 10),
    (13, 9, 15),
    (8, 8, 14),
    (9, 9, 10),
    (16, 16, 40),
    (8, 8, 10),
    (13, 9, 20),
    (10, 7, 9),
    (9, 9, 18),
    (8, 8, 10),
    (24, 20, 70),
    (9, 9, 10),
    (8, 14, 16),
    (13, 9, 12),
    (8, 8, 8),
    (30, 16, 99),
    (9, 9, 12),
    (12, 12, 20),
    (8, 8, 10),
];

/// Compares every reading with the game in the window.
struct Critic {
    desktop: VirtualDesktop,
    cells: usize,
    unclear: usize,
    wrong: Vec<String>,
}

impl Critic {
    fn compare(&mut self, read: &Board, shown: &Board) {
        for ((pos, read), (_, shown)) in read.iter().zip(shown.iter()) {
            self.cells += 1;
            if read == Cell::Unclear {
                self.unclear += 1;
            } else if read != shown {
                let (read, shown) = (read.symbol(), shown.symbol());
                self.wrong.push(format!("{pos} shows {shown}, read {read}"));
            }
        }
    }
}

impl Watcher for Critic {
    fn looked(&mut self, _: &Frame, reading: &Reading) {
        assert_eq!(reading.lattice, self.desktop.lattice());
        let game = self.desktop.game();
        self.compare(&reading.board, game.view());
    }
}

/// Plays [`GAMES`] games.
fn play(
    desktop: &VirtualDesktop,
    reader: &Reader,
    style: Style,
    seed: u64,
) -> (Critic, EndedSession) {
    let mut critic = Critic { desktop: desktop.clone(), cells: 0, unclear: 0, wrong: Vec::new() };
    let mines = Some(desktop.game().rules().mines);
    let options = Options { games: GAMES, mines, style, seed, ..Options::default() };
    let mut strategy = by_name("contradiction").unwrap();
    let player = Player {
        screen: &mut desktop.screen(),
        hands: &mut desktop.hands(),
        reader,
        strategy: strategy.as_mut(),
        watcher: &mut critic,
        stop: Arc::default(),
    };
    let session = player.play(&options);
    (critic, session)
}

/// Plays with a skin in windows with cells of these sizes.
#[track_caller]
fn plays_what_it_sees(name: &str, sizes: &[u32]) {
    let skin = Skin::shipped().into_iter().find(|skin| skin.name == name).unwrap();
    let reader = Reader::new(vec![skin.clone()]);
    let (mut cells, mut unclear) = (0, 0);
    for (seed, (cols, rows, mines)) in (0..).zip(DESKTOPS) {
        let promises = [FirstClick::Safe, FirstClick::Opens, FirstClick::Any];
        let rules = Rules::new(cols, rows, mines, promises[seed as usize % 3]).unwrap();
        let cell = sizes[seed as usize * 5 % 7 % sizes.len()];
        let setup = Setup::new(rules, cell, 1000 * seed);
        let what = format!("{name}, {cols}x{rows}, cells of {cell} pixels, seed {}", setup.seed);
        let desktop = VirtualDesktop::new(skin.clone(), setup);
        let style = Style::ALL[seed as usize % 7 % 4];
        let (critic, session) = play(&desktop, &reader, style, seed);
        assert!(critic.wrong.is_empty(), "{what}: {:?}", critic.wrong);
        if let Some(trouble) = session.trouble {
            panic!("{what}: {trouble}\n{}", desktop.game().view());
        }
        assert_eq!(session.summary.games, GAMES, "{what}");
        assert_eq!(session.summary.misreads, 0, "{what}");
        assert_eq!(desktop.log().stray, [], "{what}");
        (cells, unclear) = (cells + critic.cells, unclear + critic.unclear);
    }
    assert!(cells > 0);
    assert!(unclear * 1000 < cells, "{unclear} of {cells} cells were unclear");
}

#[test]
fn classic_is_played_as_it_is_seen() {
    // The games of this look draw at one size; the desktop may magnify it.
    plays_what_it_sees("classic", &[16, 16, 32]);
}

#[test]
fn gnome_mines_bgcolors_is_played_as_it_is_seen() {
    plays_what_it_sees("gnome-mines-bgcolors", &[24, 30, 36, 66]);
}

#[test]
fn gnome_mines_classic_is_played_as_it_is_seen() {
    plays_what_it_sees("gnome-mines-classic", &[24, 30, 36, 66]);
}

#[test]
fn kmines_classic_is_played_as_it_is_seen() {
    plays_what_it_sees("kmines-classic", &[20, 26, 32]);
}

#[test]
fn gnome_mines_is_played_as_it_is_seen() {
    plays_what_it_sees("gnome-mines", &[24, 30, 36, 66]);
}

#[test]
fn kmines_is_played_as_it_is_seen() {
    plays_what_it_sees("kmines", &[20, 26, 32]);
}

#[test]
fn sgt_mines_is_played_as_it_is_seen() {
    plays_what_it_sees("sgt-mines", &[20, 26, 32]);
}

#[test]
fn sgt_mines_windows_is_played_as_it_is_seen() {
    plays_what_it_sees("sgt-mines-windows", &[20, 26, 32]);
}

#[test]
fn winemine_is_played_as_it_is_seen() {
    // The game draws at one size; the desktop may magnify it.
    plays_what_it_sees("winemine", &[16, 16, 32]);
}

#[test]
fn xdemineur_is_played_as_it_is_seen() {
    plays_what_it_sees("xdemineur", &[20, 24, 30]);
}

/// A fresh board looks the same in every theme of GNOME Mines, so the first of them is taken for the one in
/// the window.
#[test]
fn the_right_theme_takes_over_when_numbers_show() {
    let reader = Reader::new(Skin::shipped());
    for theme in ["gnome-mines-bgcolors", "gnome-mines-classic"] {
        let skin = Skin::shipped().into_iter().find(|skin| skin.name == theme).unwrap();
        let rules = Rules::new(9, 9, 10, FirstClick::Opens).unwrap();
        let desktop = VirtualDesktop::new(skin, Setup::new(rules, 30, 7));
        let screen = &mut desktop.screen();
        let area = screen.area().unwrap();
        let survey = reader.survey(&screen.look(area).unwrap());
        assert_eq!(survey.boards[0].reading.skin.name, "gnome-mines", "{theme}");
        assert!(survey.boards[0].rivals.iter().any(|rival| rival.name == theme), "{theme}");

        let (critic, session) = play(&desktop, &reader, Style::NoFlags, 7);
        assert_eq!(critic.wrong, [""; 0], "{theme}");
        assert!(session.trouble.is_none(), "{theme}: {:?}", session.trouble);
        assert_eq!(session.summary.games, GAMES, "{theme}");
        assert_eq!(session.summary.misreads, 0, "{theme}");
        assert_eq!(session.summary.skin.as_deref(), Some(theme));
    }
}

#[test]
fn every_shipped_skin_has_a_test() {
    let tests = include_str!("demo.rs");
    for Skin { name, .. } in Skin::shipped() {
        assert!(tests.contains(&format!("plays_what_it_sees(\"{name}\",")), "{name}");
    }
}

/// The most memory that `demo` had in use at any time in so many games, in bytes.
#[cfg(target_os = "linux")]
fn most_memory(skin: &str, games: u32) -> u64 {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_minescraper"));
    let games = games.to_string();
    command
        .args(["demo", "--level", "beginner", "--cell", "16", "--skin", skin, "--games", &games]);
    let mut demo = command.stdout(std::process::Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", demo.id());
    let mut most = 0;
    let ended = loop {
        // It only rises; there is no such line any more when the process has ended.
        let told = std::fs::read_to_string(&status).unwrap_or_default();
        let line = told.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
        most = most.max(kilobytes.map_or(0, |kilobytes: u64| kilobytes * 1024));
        if let Some(ended) = demo.try_wait().unwrap() {
            break ended;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    };
    assert!(ended.success(), "{skin}: {ended}");
    most
}

#[cfg(target_os = "linux")]
#[test]
fn no_game_leaves_as_much_as_a_picture_of_it_in_memory() {
    const FEW: u32 = 20;
    const MANY: u32 = 120;
    for skin in Skin::shipped() {
        let rules = Rules::parse_level("beginner", FirstClick::Opens).unwrap();
        let area = VirtualDesktop::new(skin.clone(), Setup::new(rules, 16, 0)).screen().area();
        let area = area.unwrap();
        let picture = 3 * u64::from(area.width) * u64::from(area.height);
        let (few, many) = (most_memory(&skin.name, FEW), most_memory(&skin.name, MANY));
        let left = many.saturating_sub(few) / u64::from(MANY - FEW);
        assert!(left < picture, "{}: {left} bytes a game, {few} after {FEW}", skin.name);
    }
}
