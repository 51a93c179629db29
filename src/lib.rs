//! Minescraper plays the real desktop Minesweeper the way a person does.
//!
//! ```text
//! capture ──Frame──▶ recognize ──Reading──▶ solver ──Advice──▶ play ──clicks──▶ input
//!    ▲                                                           │
//!    └─────────────── look again until the clicks show ◀─────────┘
//! ```
//!
//! # Examples
//! Reading a picture, here one of the virtual desktop:
//!
//! ```
//! use minescraper::Skin;
//! use minescraper::board::{FirstClick, Rules};
//! use minescraper::capture::look_at_all;
//! use minescraper::lab::virtual_desktop::{Setup, VirtualDesktop};
//! use minescraper::recognize::Reader;
//!
//! let skin = Skin::shipped().into_iter().find(|skin| skin.name == "winemine").unwrap();
//! let rules = Rules::new(9, 9, 10, FirstClick::Opens).unwrap();
//! let desktop = VirtualDesktop::new(skin.clone(), Setup::new(rules, 16, 1));
//! let picture = look_at_all(&mut desktop.screen()).unwrap();
//! let found = Reader::new(vec![skin]).find(&picture).unwrap();
//! assert_eq!(found[0].lattice, desktop.lattice());
//! assert_eq!(found[0].board.cells(), desktop.game().view().cells());
//! ```
//!
//! The odds of a board:
//!
//! ```
//! use minescraper::board::{Board, Pos};
//! use minescraper::solver::Budget;
//! use minescraper::solver::odds::{Position, Workspace};
//!
//! let board: Board = "121\n###".parse().unwrap();
//! let position = Position::of(&board, &mut Workspace::default(), &mut Budget::nodes(1000)).unwrap();
//! assert_eq!(position.mine_chance(Pos::new(0, 1)), Some(1.0));
//! assert_eq!(position.safe_cells().collect::<Vec<_>>(), [Pos::new(1, 1)]);
//! ```
//!
//! A game on the virtual desktop:
//!
//! ```
//! use std::sync::Arc;
//!
//! use minescraper::Skin;
//! use minescraper::board::{FirstClick, Rules};
//! use minescraper::lab::virtual_desktop::{Setup, VirtualDesktop};
//! use minescraper::play::{Options, Player};
//! use minescraper::recognize::Reader;
//! use minescraper::solver::by_name;
//!
//! let skin = Skin::shipped().into_iter().find(|skin| skin.name == "winemine").unwrap();
//! let rules = Rules::new(9, 9, 10, FirstClick::Opens).unwrap();
//! let desktop = VirtualDesktop::new(skin.clone(), Setup::new(rules, 16, 1));
//! let reader = Reader::new(vec![skin]);
//! let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
//! let mut strategy = by_name("exact").unwrap();
//! let player = Player {
//!     screen: &mut screen,
//!     hands: &mut hands,
//!     reader: &reader,
//!     strategy: strategy.as_mut(),
//!     watcher: &mut (),
//!     stop: Arc::default(),
//! };
//! let session = player.play(&Options { games: 1, ..Options::default() });
//! assert!(session.trouble.is_none());
//! assert_eq!(session.summary.games, 1);
//! ```
//!
//! Making a skin of labelled screenshots, here of those that a shipped one was made of:
//!
//! ```
//! use std::path::Path;
//!
//! use minescraper::Skin;
//! use minescraper::learn::from_labels::{Example, calibrate};
//!
//! let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("calibration/xdemineur");
//! let mut examples = Vec::new();
//! for file in folder.read_dir().unwrap() {
//!     let path = file.unwrap().path();
//!     if path.extension().is_some_and(|extension| extension == "png") {
//!         examples.push(Example::open(&path).unwrap());
//!     }
//! }
//! let known = Skin { name: "mine".to_owned(), ..Skin::default() };
//! let made = calibrate(&known, &examples).unwrap();
//! assert!(!made.skin.templates.is_empty());
//! ```
//!
//! What each guess would bring:
//!
//! ```
//! use minescraper::board::Board;
//! use minescraper::solver::{Budget, Prospects};
//!
//! let board: Board = "minescraper 2x2 mines=1\n#1\n#1".parse().unwrap();
//! let prospects = Prospects::of(&board, &mut Budget::nodes(1000)).unwrap();
//! assert_eq!(prospects.win_chance, Some(0.5));
//! assert_eq!(prospects.fifty_fifties.len(), 1);
//! ```
//!
//! The folder `examples` has the same as programs.

pub mod board;
pub mod capture;
mod clock;
#[cfg(feature = "desktop")]
pub mod desktop;
pub mod file;
pub mod geometry;
pub mod input;
pub mod lab;
pub mod learn;
pub mod lettering;
pub mod play;
#[cfg(all(feature = "desktop", target_os = "linux"))]
mod portal;
pub mod recognize;
pub mod solver;
mod splitmix;
#[cfg(all(feature = "desktop", target_os = "linux"))]
mod wayland;
#[cfg(all(feature = "desktop", target_os = "linux"))]
mod x11;

pub use recognize::Skin;
