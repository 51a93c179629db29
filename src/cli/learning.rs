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
use minescraper::learn::from_play::{Learned, Outcome};
use minescraper::play::{
    Begun, Explored, Halted, Learner, Outcome as Ended, Person, PlayError, Studied,
};
use minescraper::recognize::skin::{GameBehaviour, contact_sheet};
use minescraper::recognize::{Lattice, Skin, SkinError};
use serde_json::{Value, json};

use super::desktop::Desk;
use super::new_skin::{self, looks, tell_origin};

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
    /// Where the board is.
    pub lattice: Lattice,
    /// Whether another game has begun there.
    pub has_begun: bool,
    /// How the game ended that was gone on with, where that was seen.
    pub last: Option<Ended>,
    /// What to go on from.
    pub studied: Studied,
    learned: Learned,
    trouble: Option<PlayError>,
    folder: PathBuf,
    sheet: PathBuf,
    took: Duration,
}

impl Taught {
    /// The skin.
    pub fn skin(&self) -> &Skin {
        &self.learned.calibration.skin
    }

    /// How many games were played, and how many of these were won.
    fn games(&self) -> [usize; 2] {
        let outcomes = &self.learned.outcomes;
        [outcomes.len(), outcomes.iter().filter(|&&outcome| outcome == Outcome::Won).count()]
    }

    /// What is known and what is not, in lines.
    pub fn lines(&self) -> Vec<String> {
        let ([games, won], learned) = (self.games(), &self.learned);
        let mut lines = vec![format!(
            "learned in {games} games, {won} of them won, in {:.0} s",
            self.took.as_secs_f64()
        )];
        lines.extend(looks(&learned.calibration));
        for left in &learned.unsure {
            let left: Vec<String> = left.iter().map(u8::to_string).collect();
            let left = left.join(" or ");
            lines.push(format!("unsure: a look that may be {left}; it has no template yet"));
        }
        let missing = learned.missing();
        if !missing.is_empty() {
            lines.push(format!("not seen or not proven: {}", missing.join(" ")));
        }
        if self.skin().game.new_game.is_none() {
            let description = self.folder.join("skin.toml");
            lines.push(format!(
                "not found: how a new game is started; name it in {}",
                description.display()
            ));
        }
        lines.push(format!("written to {}", self.folder.display()));
        let sheet = self.sheet.display();
        lines.push(format!("all templates, each with what it shows, are in {sheet}"));
        lines
    }

    /// The same as JSON.
    pub fn as_json(&self) -> Value {
        let ([games, won], learned) = (self.games(), &self.learned);
        let mut told = new_skin::as_json(&learned.calibration, &self.folder);
        let new_game = self.skin().game.new_game.map(|control| control.to_string());
        told["games"] = games.into();
        told["wins"] = won.into();
        told["seconds"] = self.took.as_secs_f64().into();
        told["unsure"] = json!(learned.unsure);
        told["new_game"] = new_game.into();
        told["sheet"] = self.sheet.display().to_string().into();
        told
    }

    /// What it takes to play.
    ///
    /// # Errors
    /// When too little was learned to play with, or something got in the way after a game.
    pub fn enough(mut self) -> anyhow::Result<Self> {
        if let Some(error) = self.trouble.take() {
            return Err(error.into());
        }
        anyhow::ensure!(
            self.learned.is_playable(),
            "too little was learned to play with: {} are missing; run it again on a larger board",
            self.learned.missing().join(" ")
        );
        Ok(self)
    }
}

/// Learns the skin of the game on `desk`, and writes it.
///
/// # Errors
/// When nothing can be learned. What was learned may be too little to play with: [`Taught::enough`].
pub fn learn(desk: &mut Desk, lesson: Lesson<'_>, stop: Arc<AtomicBool>) -> anyhow::Result<Taught> {
    let Lesson { name, out, start, games, is_thorough, asks, pace } = lesson;
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
    let skin = &learned.calibration.skin;
    skin.save(out)?;
    let cut = format!(
        "Learned by `minescraper calibrate` from {} games of (program, version, theme).",
        learned.outcomes.len()
    );
    tell_origin(out, name, &cut)?;
    let sheet = draw_sheet(skin, out)?;
    let (folder, took) = (out.to_owned(), start_of_lesson.elapsed());
    Ok(Taught { lattice, has_begun, last, studied, learned, trouble, folder, sheet, took })
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
