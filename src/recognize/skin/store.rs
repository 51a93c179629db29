//! Skins as folders: `skin.toml` and a PNG for each template.
//!
//! A template's file is called by what it shows: `covered`, `flag`, `question`, `0` to `8`, `mine`,
//! `burst`, `wrong-flag`. A second look of the same is `covered-2.png`; a look that only a finished
//! game has begins with `lost-` or `won-`. Digits of the mine counter are `digit-0.png` to
//! `digit-9.png`, `digit-slash.png` and `digit-minus.png`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use image::RgbImage;
#[cfg(feature = "skins")]
use include_dir::{Dir, include_dir};
use serde::{Deserialize, Serialize};

use super::{CounterWays, Digit, GameBehaviour, GamePhase, Gap, Skin, Template};
use crate::board::Cell;

#[cfg(feature = "skins")]
static SHIPPED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// The file that describes a skin.
const DESCRIPTION: &str = "skin.toml";

/// Every kind of cell that a template can show, with the name of its file.
const KINDS: [(&str, Cell); 15] = [
    ("covered", Cell::Covered),
    ("flag", Cell::Flagged),
    ("question", Cell::Questioned),
    ("0", Cell::open(0)),
    ("1", Cell::open(1)),
    ("2", Cell::open(2)),
    ("3", Cell::open(3)),
    ("4", Cell::open(4)),
    ("5", Cell::open(5)),
    ("6", Cell::open(6)),
    ("7", Cell::open(7)),
    ("8", Cell::open(8)),
    ("mine", Cell::Mine),
    ("burst", Cell::Burst),
    ("wrong-flag", Cell::WrongFlag),
];

#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Description {
    fill_variance: f32,
    least_cell: u32,
    gap: Option<Gap>,
    game: GameBehaviour,
    counter: Option<CounterWays>,
}

impl Skin {
    /// The skins that are built into the program, by name; none without the feature `skins`.
    ///
    /// # Panics
    /// Never: a test opens each of them.
    #[cfg(feature = "skins")]
    pub fn shipped() -> Vec<Skin> {
        SHIPPED
            .dirs()
            .map(|dir| {
                let name = dir.path().to_string_lossy().into_owned();
                let files =
                    dir.files().map(|file| (file.path().to_owned(), file.contents().to_vec()));
                Skin::from_files(name, files.collect()).expect("a shipped skin is whole")
            })
            .collect()
    }

    /// The skins that are built into the program: none, without the feature `skins`.
    #[cfg(not(feature = "skins"))]
    pub fn shipped() -> Vec<Skin> {
        Vec::new()
    }

    /// Opens the skin in a folder; the folder's name is the skin's.
    ///
    /// # Errors
    /// When a file is missing or broken.
    pub fn open(folder: &Path) -> Result<Skin, SkinError> {
        let unreadable = |source| SkinError::Unreadable { path: folder.to_owned(), source };
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.is_file() {
                let bytes = std::fs::read(&path)
                    .map_err(|source| SkinError::Unreadable { path: path.clone(), source })?;
                files.push((path, bytes));
            }
        }
        Skin::from_files(name, files)
    }

    /// What the `skin.toml` in a folder says, without any templates; the folder's name is the skin's.
    /// Where there is no `skin.toml`, nothing is known of the game.
    ///
    /// # Errors
    /// When the file is there but cannot be read or understood.
    pub fn described(folder: &Path) -> Result<Skin, SkinError> {
        let name = folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
        let mut skin = Skin { name, ..Skin::default() };
        let path = folder.join(DESCRIPTION);
        match std::fs::read(&path) {
            Ok(bytes) => skin.describe(&path, &bytes)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(source) => return Err(SkinError::Unreadable { path, source }),
        }
        Ok(skin)
    }

    /// Takes over what a `skin.toml` says.
    fn describe(&mut self, path: &Path, bytes: &[u8]) -> Result<(), SkinError> {
        let described: Description = std::str::from_utf8(bytes)
            .map_err(|_| "it is no text".to_owned())
            .and_then(|text| toml::from_str(text).map_err(|e| e.to_string()))
            .map_err(|why| SkinError::Description { path: path.to_owned(), why })?;
        (self.gap, self.game) = (described.gap, described.game);
        (self.fill_variance, self.counter) = (described.fill_variance, described.counter);
        self.least_cell = described.least_cell;
        Ok(())
    }

    fn from_files(name: String, mut files: Vec<(PathBuf, Vec<u8>)>) -> Result<Skin, SkinError> {
        files.sort_by_cached_key(|(path, _)| numbered(path));
        let mut skin = Skin { name, ..Skin::default() };
        for (path, bytes) in files {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            if path.file_name().is_some_and(|name| name == DESCRIPTION) {
                skin.describe(&path, &bytes)?;
            } else if path.extension().is_some_and(|extension| extension == "png") {
                let picture = image::load_from_memory(&bytes)
                    .map_err(|source| SkinError::Picture { path: path.clone(), source })?
                    .to_rgb8();
                skin.add(&stem, picture).ok_or(SkinError::Name { path: path.clone() })?;
            }
        }
        for needed in [Cell::Covered, Cell::open(0), Cell::open(1)] {
            if !skin.templates.iter().any(|template| template.cell == needed) {
                return Err(SkinError::Missing { skin: skin.name, cell: file_name(needed) });
            }
        }
        Ok(skin)
    }

    /// Adds the picture in the file called `stem`.
    fn add(&mut self, stem: &str, picture: RgbImage) -> Option<()> {
        if let Some(digit) = stem.strip_prefix("digit-") {
            let symbol = match digit.split_once('-').map_or(digit, |(name, _)| name) {
                "slash" => '/',
                "minus" => '-',
                digit => digit.parse().ok().filter(char::is_ascii_digit)?,
            };
            self.digits.push(Digit { symbol, picture });
            return Some(());
        }
        let (phase, look) = match stem.split_once('-') {
            Some(("lost", look)) => (Some(GamePhase::Lost), look),
            Some(("won", look)) => (Some(GamePhase::Won), look),
            _ => (None, stem),
        };
        let kind = |name: &str| KINDS.iter().find(|(kind, _)| *kind == name).map(|&(_, cell)| cell);
        let cell = kind(look).or_else(|| {
            let (name, number) = look.rsplit_once('-')?;
            number.parse::<u32>().ok().and(kind(name))
        })?;
        self.templates.push(Template { cell, phase, picture });
        Some(())
    }

    /// The names of the kinds of cells that the skin has no picture of; it reads them as unclear.
    pub fn missing(&self) -> Vec<&'static str> {
        let has = |cell| self.templates.iter().any(|template| template.cell == cell);
        KINDS.iter().filter(|&&(_, cell)| !has(cell)).map(|&(name, _)| name).collect()
    }

    /// The files that the skin's pictures make, by name.
    pub fn pictures(&self) -> Vec<(String, &RgbImage)> {
        let templates = self.templates.iter().map(|template| {
            let phase = match template.phase {
                None => "",
                Some(GamePhase::Lost) => "lost-",
                Some(GamePhase::Won) => "won-",
            };
            (format!("{phase}{}", file_name(template.cell)), &template.picture)
        });
        let digits = self.digits.iter().map(|digit| {
            let name = match digit.symbol {
                '/' => "slash".to_owned(),
                '-' => "minus".to_owned(),
                digit => digit.to_string(),
            };
            (format!("digit-{name}"), &digit.picture)
        });
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        let numbered = templates.chain(digits).map(|(name, picture)| {
            let count = counts.entry(name.clone()).or_insert(0);
            *count += 1;
            let file = match *count {
                1 => format!("{name}.png"),
                number => format!("{name}-{number}.png"),
            };
            (file, picture)
        });
        numbered.collect()
    }

    /// Writes the skin's pictures into `folder`, in place of those that are there, and its `skin.toml`. One that is there keeps
    /// its comments, and what still holds.
    ///
    /// # Errors
    /// When a file cannot be written, or a `skin.toml` that is there cannot be understood.
    pub fn save(&self, folder: &Path) -> Result<(), SkinError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            move |source| SkinError::Unwritable { path, source }
        };
        std::fs::create_dir_all(folder).map_err(failed(folder))?;
        for entry in std::fs::read_dir(folder).map_err(failed(folder))? {
            let path = entry.map_err(failed(folder))?.path();
            if path.extension().is_some_and(|extension| extension == "png") {
                std::fs::remove_file(&path).map_err(failed(&path))?;
            }
        }
        for (name, picture) in self.pictures() {
            let path = folder.join(name);
            picture.save(&path).map_err(|source| SkinError::Picture { path, source })?;
        }
        let path = folder.join(DESCRIPTION);
        let there = match std::fs::read_to_string(&path) {
            Ok(there) => there,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(SkinError::Unreadable { path, source }),
        };
        let described = Description {
            fill_variance: self.fill_variance,
            least_cell: self.least_cell,
            gap: self.gap,
            game: self.game.clone(),
            counter: self.counter.clone(),
        };
        let text = described
            .written_over(&there)
            .map_err(|why| SkinError::Description { path: path.clone(), why: why.to_string() })?;
        std::fs::write(&path, text).map_err(failed(&path))
    }
}

impl Description {
    /// The text of this in the place of another one, which keeps its comments and what is the same in both.
    fn written_over(&self, there: &str) -> Result<String, Box<dyn std::error::Error>> {
        let was = toml::Table::try_from(toml::from_str::<Description>(there)?)?;
        let now = toml::Table::try_from(self)?;
        let mut document: toml_edit::DocumentMut = there.parse()?;
        let text: toml_edit::DocumentMut = toml::to_string(self)?.parse()?;
        replace_changes(document.as_table_mut(), &was, &now, text.as_table());
        Ok(document.to_string())
    }
}

/// Replaces what is not as it `was` in a table; `text` is how all of it is written `now`. What is not known now stays: somebody
/// may have written it.
fn replace_changes(
    table: &mut toml_edit::Table,
    was: &toml::Table,
    now: &toml::Table,
    text: &toml_edit::Table,
) {
    for (key, value) in now.iter().filter(|&(key, value)| was.get(key) != Some(value)) {
        let part = table.get_mut(key).and_then(toml_edit::Item::as_table_mut);
        let tables = was.get(key).and_then(toml::Value::as_table).zip(value.as_table());
        match (part, tables, text[key].as_table()) {
            (Some(part), Some((was, now)), Some(text)) => replace_changes(part, was, now, text),
            // In place, so that the lines before it stay.
            _ => *table.entry(key).or_insert(toml_edit::Item::None) = text[key].clone(),
        }
    }
}

/// What a file shows and its number, so that `covered-2` comes after `covered` and before `covered-10`.
fn numbered(path: &Path) -> (String, u32) {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let number =
        stem.rsplit_once('-').and_then(|(name, number)| Some((name, number.parse().ok()?)));
    number.map_or((stem.to_string(), 0), |(name, number)| (name.to_owned(), number))
}

fn file_name(cell: Cell) -> &'static str {
    KINDS.iter().find(|(_, kind)| *kind == cell).map_or("unclear", |(name, _)| name)
}

/// Why a skin cannot be opened or saved.
#[derive(Debug, thiserror::Error)]
pub enum SkinError {
    /// The folder or a file in it cannot be read.
    #[error("cannot read {}", .path.display())]
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}", .path.display())]
    Unwritable {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A picture is broken.
    #[error("cannot open the picture {}", .path.display())]
    Picture {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: image::ImageError,
    },
    /// A picture's name says nothing.
    #[error(
        "{} is named like no kind of cell; names are covered, flag, question, 0 to 8, mine, burst, \
         wrong-flag, with lost- or won- before and -2 after them, and digit-0 to digit-9", .path.display()
    )]
    Name {
        /// The file.
        path: PathBuf,
    },
    /// `skin.toml` cannot be understood.
    #[error("{}: {why}", .path.display())]
    Description {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A template is missing that no game can be read without.
    #[error("the skin '{skin}' has no {cell}.png")]
    Missing {
        /// The skin's name.
        skin: String,
        /// The name of the file.
        cell: &'static str,
    },
}

#[cfg(test)]
mod tests {
    use super::super::Dialog;
    use super::*;
    use crate::board::FirstClick;

    #[test]
    fn every_shipped_skin_opens() {
        let names: Vec<String> = Skin::shipped().into_iter().map(|skin| skin.name).collect();
        for name in ["gnome-mines", "kmines", "sgt-mines", "winemine", "xdemineur"] {
            assert!(names.iter().any(|shipped| shipped == name), "{name} is shipped");
        }
    }

    #[test]
    fn a_description_that_is_written_again_keeps_comments_and_what_holds() {
        let there = "# By hand.\nleast_cell = 10\n\n[game]\n# Its name.\nwindows = [\"mines\"]\n\
                     new_game = { key = \"F2\" } # or the face\nfirst_click = \"safe\"\n";
        let mut described: Description = toml::from_str(there).unwrap();
        assert_eq!(described.written_over(there).unwrap(), there);
        described.least_cell = 12;
        described.game.first_click = Some(FirstClick::Any);
        described.game.new_game = None;
        let title = "Won".to_owned();
        described.game.dialogs.push(Dialog { title, key: "Escape".parse().unwrap() });
        let text = described.written_over(there).unwrap();
        for kept in ["# By hand.\n", "# Its name.\nwindows = [\"mines\"]\n", "} # or the face\n"] {
            assert!(text.contains(kept), "{text}");
        }
        let again: Description = toml::from_str(&text).unwrap();
        assert_eq!(again.least_cell, 12);
        // What was not found this time stays as it was written.
        let new_game = toml::from_str::<Description>(there).unwrap().game.new_game;
        assert_eq!(again.game, GameBehaviour { new_game, ..described.game.clone() });
        // Where there was none, all of it is written.
        let text = described.written_over("").unwrap();
        let again: Description = toml::from_str(&text).unwrap();
        assert_eq!((again.least_cell, again.game), (12, described.game));
    }
}
