//! A virtual desktop with a game on it, and what came of playing it.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use minescraper::board::{FirstClick, Rules, Status};
use minescraper::lab::virtual_desktop::{Log, Setup, Unkindness, VirtualDesktop};
use minescraper::play::{EndedSession, Options, PlayError, Player, Style, Watcher};
use minescraper::recognize::skin::{Chord, Control, GameBehaviour};
use minescraper::recognize::{Reader, Skin};
use minescraper::solver::by_name;

use crate::skin;

/// A desktop with a game on it, and a player to sit down to it.
pub struct Scene {
    pub ways: GameBehaviour,
    pub setup: Setup,
    pub unkindness: Unkindness,
    pub options: Options,
    pub stop: Arc<AtomicBool>,
}

impl Scene {
    pub fn new(level: &str) -> Self {
        let rules = Rules::parse_level(level, FirstClick::Opens).unwrap();
        let ways = GameBehaviour {
            new_game: Some(Control::Key("F2".parse().unwrap())),
            chord: Some(Chord::Middle),
            flags_when_won: true,
            ..GameBehaviour::default()
        };
        let options = Options { mines: Some(rules.mines), ..Options::default() };
        Self {
            ways,
            setup: Setup::new(rules, skin::SIDE, 0),
            unkindness: Unkindness::default(),
            options,
            stop: Arc::default(),
        }
    }

    pub fn ways(mut self, change: impl FnOnce(&mut GameBehaviour)) -> Self {
        change(&mut self.ways);
        self
    }

    pub fn unkind(mut self, change: impl FnOnce(&mut Unkindness)) -> Self {
        change(&mut self.unkindness);
        self
    }

    pub fn seed(mut self, seed: u64) -> Self {
        self.setup.seed = seed;
        self.options.seed = seed;
        self
    }

    pub fn style(mut self, style: Style) -> Self {
        self.options.style = style;
        self
    }

    pub fn games(mut self, games: u32) -> Self {
        self.options.games = games;
        self
    }

    pub fn play(&self) -> Played {
        self.play_watched(&mut ())
    }

    pub fn play_watched(&self, watcher: &mut dyn Watcher) -> Played {
        let skin = skin::skin(self.ways.clone());
        self.play_read_by(skin.clone(), skin, watcher)
    }

    /// Plays a game that is painted with one skin and read by another.
    pub fn play_read_by(&self, painted: Skin, read: Skin, watcher: &mut dyn Watcher) -> Played {
        let reader = Reader::new(vec![read]);
        let desktop = VirtualDesktop::new(painted, self.setup);
        desktop.set_unkindness(self.unkindness.clone());
        let mut strategy = by_name("contradiction").unwrap();
        let session = Player {
            screen: &mut desktop.screen(),
            hands: &mut desktop.hands(),
            reader: &reader,
            strategy: strategy.as_mut(),
            watcher,
            stop: self.stop.clone(),
        }
        .play(&self.options);
        Played { session, desktop }
    }
}

pub struct Played {
    pub session: EndedSession,
    pub desktop: VirtualDesktop,
}

impl Played {
    pub fn log(&self) -> Log {
        self.desktop.log()
    }

    /// The games were all played to their end, by clicks that all hit.
    #[track_caller]
    pub fn cleanly(self) -> Self {
        let log = self.log();
        if let Some(trouble) = &self.session.trouble {
            panic!("{trouble}\n{}", self.desktop.game().view());
        }
        assert_eq!(log.stray, []);
        assert_eq!(log.repeated, []);
        assert_eq!(log.idle_keys, 0);
        assert_eq!(self.desktop.held(), []);
        assert_eq!(self.session.summary.misreads, 0);
        self
    }

    #[track_caller]
    pub fn won(self) -> Self {
        assert_eq!(self.session.summary.wins, self.session.summary.games);
        assert_eq!(self.desktop.game().status(), Status::Won);
        self
    }

    #[track_caller]
    pub fn trouble(&self) -> &PlayError {
        assert_eq!(self.log().stray, []);
        assert_eq!(self.desktop.held(), []);
        self.session.trouble.as_ref().expect("the player stops")
    }
}

/// A game that the strategy wins when nothing gets in its way, so that a win may be demanded.
pub fn winnable(level: &str) -> Scene {
    static SEEDS: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());
    let mut seeds = SEEDS.lock().unwrap_or_else(PoisonError::into_inner);
    let seed = seeds.entry(level.to_owned()).or_insert_with(|| {
        let won = |&seed: &u64| Scene::new(level).seed(seed).play().session.summary.wins == 1;
        (0..50).find(won).expect("one of fifty games is won")
    });
    Scene::new(level).seed(*seed)
}
