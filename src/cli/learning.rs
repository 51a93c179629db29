//! Learning the skin of the open game: what `calibrate` does without pictures, and `play` on a skin that nobody
//! knows.

use std::io::stdin;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Context;
use image::RgbImage;
use image::imageops::{self, FilterType};
use minescraper::input::Shortcut;
use minescraper::learn::from_play::Outcome;
use minescraper::play::{Begun, Explored, Halted, Learner, Outcome as Ended, Person, Studied};
use minescraper::recognize::skin::{GameBehaviour, contact_sheet};
use minescraper::recognize::{Lattice, Skin, SkinError};

use super::desktop::Desk;
use super::new_skin::{looks, tell_origin};

/// What is to be learned, and how.
pub struct Lesson<'a> {
    /// The name of the skin.
    pub name: &'a str,
    /// The folder that it is written into.
    pub out: &'a Path,
    /// Where it begins.
    pub start: Start,
    /// How many games it may take.
    pub games: u32,
    /// Whether all is to be learned that games show; else what it takes to play.
    pub is_thorough: bool,
    /// Whether somebody is at the terminal to be asked.
    pub asks: bool,
    /// The least time between two clicks.
    pub pace: Duration,
    /// Told what was learned, in lines.
    pub tell: fn(&str),
}

/// Where a lesson begins.
pub enum Start {
    /// On a board, of which something may be known.
    Unknown(Option<Begun>),
    /// In a game in which the player has stopped, of which something was studied in the same run.
    Halted(Box<(Option<Studied>, Halted)>),
}

/// What a lesson has come to.
pub struct Taught {
    /// The skin.
    pub skin: Skin,
    /// Where the board is.
    pub lattice: Lattice,
    /// Whether another game has begun there.
    pub has_begun: bool,
    /// How the game ended that was gone on with, where that was seen.
    pub last: Option<Ended>,
    /// What to go on from.
    pub studied: Studied,
}

/// Learns the skin of the game on `desk`, writes it, and tells what is known and what is not.
///
/// # Errors
/// When nothing can be learned. When what was learned is too little to play with, or something got in the way after a
/// game, it is written all the same.
pub fn learn(desk: &mut Desk, lesson: Lesson<'_>, stop: Arc<AtomicBool>) -> anyhow::Result<Taught> {
    let Lesson { name, out, start, games, is_thorough, asks, pace, tell } = lesson;
    let start_of_lesson = Instant::now();
    let mut person = AtTerminal { asks };
    let learner = Learner {
        screen: desk.screen.as_mut(),
        hands: desk.hands.as_mut(),
        stop,
        pace,
        person: &mut person,
        is_thorough,
    };
    let Explored { learned, lattice, has_begun, trouble, last, studied } = match start {
        Start::Unknown(begun) => {
            let known = known(name, desk.names.clone(), out)?;
            learner.learn_at(begun, known, games)?
        }
        Start::Halted(game) => {
            let (studied, halted) = *game;
            learner.go_on(studied, &halted)?
        }
    };
    let skin = learned.calibration.skin.clone();
    skin.save(out)?;
    let cut = format!(
        "Learned by `minescraper calibrate` from {} games of (program, version, theme).",
        learned.outcomes.len()
    );
    tell_origin(out, name, &cut)?;
    let won = learned.outcomes.iter().filter(|&&outcome| outcome == Outcome::Won).count();
    tell(&format!(
        "learned in {} games, {won} of them won, in {:.0} s",
        learned.outcomes.len(),
        start_of_lesson.elapsed().as_secs_f64()
    ));
    looks(&learned.calibration).iter().for_each(|line| tell(line));
    for left in &learned.unsure {
        let left: Vec<String> = left.iter().map(u8::to_string).collect();
        tell(&format!("unsure: a look that may be {}; it has no template yet", left.join(" or ")));
    }
    let missing = learned.missing();
    if !missing.is_empty() {
        tell(&format!("not seen or not proven: {}", missing.join(" ")));
    }
    if skin.game.new_game.is_none() {
        tell(&format!(
            "not found: how a new game is started; name it in {}/skin.toml",
            out.display()
        ));
    }
    tell(&format!("written to {}", out.display()));
    let sheet = draw_sheet(&skin, out)?;
    tell(&format!("all templates, each with what it shows, are in {}", sheet.display()));
    if is_thorough {
        tell("`minescraper play` plays on with it");
    }
    if let Some(error) = trouble {
        return Err(error.into());
    }
    anyhow::ensure!(
        learned.is_playable(),
        "too little was learned to play with: {} are missing; run it again on a larger board",
        missing.join(" ")
    );
    Ok(Taught { skin, lattice, has_begun, last, studied })
}

/// Draws the templates of a skin into a picture in a folder of its own, since those beside its description are templates. Returns
/// where that is.
fn draw_sheet(skin: &Skin, out: &Path) -> anyhow::Result<PathBuf> {
    let folder = out.join("sheet");
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot write {}", folder.display()))?;
    let sheet = folder.join(format!("{}.png", skin.name));
    let cannot = || format!("cannot write {}", sheet.display());
    contact_sheet(&[skin]).save(&sheet).with_context(cannot)?;
    Ok(sheet)
}

/// What is known of the skin `name` already: what is in the folder `out`, where there is anything.
fn known(name: &str, windows: Vec<String>, out: &Path) -> anyhow::Result<Skin> {
    if !out.exists() {
        let game = GameBehaviour { windows, ..GameBehaviour::default() };
        return Ok(Skin { name: name.to_owned(), game, ..Skin::default() });
    }
    let skin = match Skin::open(out) {
        // It is only described yet.
        Err(SkinError::Missing { .. }) => Skin::described(out)?,
        opened => opened?,
    };
    if !skin.templates.is_empty() {
        eprintln!("'{name}' is known from {} pictures; new ones are added", skin.templates.len());
    }
    Ok(Skin { name: name.to_owned(), ..skin })
}

/// How much larger than on the screen a cell is shown.
const ENLARGED: u32 = 8;

/// The person who started the program.
struct AtTerminal {
    asks: bool,
}

impl AtTerminal {
    /// The answer to a question; `None` when there is none.
    fn answer(&self, question: &str) -> Option<String> {
        if !self.asks {
            return None;
        }
        eprint!("{question}: ");
        let mut answer = String::new();
        stdin().read_line(&mut answer).ok()?;
        let answer = answer.trim();
        (!answer.is_empty()).then(|| answer.to_owned())
    }
}

impl Person for AtTerminal {
    fn told(&mut self, what: &str) {
        eprintln!("{what}");
    }

    fn number(&mut self, picture: &RgbImage, possible: &[u8]) -> Option<u8> {
        if !self.asks {
            return None;
        }
        let file =
            std::env::temp_dir().join(format!("minescraper-cell-{}.png", std::process::id()));
        let (width, height) = (picture.width() * ENLARGED, picture.height() * ENLARGED);
        let large = imageops::resize(picture, width, height, FilterType::Nearest);
        let saved = large.save(&file);
        saved.inspect_err(|error| eprintln!("{}: {error}", file.display())).ok()?;
        let possible: Vec<String> = possible.iter().map(u8::to_string).collect();
        let question = format!(
            "Which number is on the cell in {}? It can be {} (Return if you cannot tell)",
            file.display(),
            possible.join(" or ")
        );
        self.answer(&question)?.parse().ok()
    }

    fn new_game(&mut self) -> Option<Shortcut> {
        let answer =
            self.answer("Which key starts a new game, as in F2 or Ctrl+N? (Return if none does)")?;
        let key = answer.parse();
        key.inspect_err(|error| eprintln!("{error}")).ok()
    }
}
