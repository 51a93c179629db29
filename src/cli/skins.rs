//! `skins`: lists the skins there are. The other commands get theirs here too.

use std::path::{Path, PathBuf};

use anyhow::Context;
use etcetera::BaseStrategy;
use serde_json::json;

use minescraper::board::Cell;
use minescraper::play::Watcher;
use minescraper::recognize::skin::{Collection, Origin, contact_sheet};
use minescraper::recognize::{Skin, Template};

use super::Misuse;
use super::output::say;

/// The options of `skins`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Draw all templates into this picture, skin by skin in the order of the list
    #[arg(long, value_name = "PNG")]
    sheet: Option<PathBuf>,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

/// Lists the skins.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let skins = usable().skins;
    if args.json {
        let told = skins.iter().map(|(skin, origin)| {
            let folder = match origin {
                Origin::Shipped => None,
                Origin::User(folder) => Some(folder.display().to_string()),
            };
            json!({ "name": skin.name, "templates": skin.templates.len(), "missing": skin.missing(),
                "folder": folder })
        });
        say!("{}", json!({ "skins": told.collect::<Vec<_>>() }));
    }
    for (skin, origin) in skins.iter().filter(|_| !args.json) {
        let missing = match &skin.missing()[..] {
            [] => String::new(),
            missing => format!(", none of {}", missing.join(" ")),
        };
        let origin = match origin {
            Origin::Shipped => "shipped".to_owned(),
            Origin::User(folder) => folder.display().to_string(),
        };
        say!("{}: {} templates{missing}; {origin}", skin.name, skin.templates.len());
    }
    if let Some(path) = &args.sheet {
        let skins: Vec<&Skin> = skins.iter().map(|(skin, _)| skin).collect();
        let sheet = contact_sheet(&skins);
        sheet.save(path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Where the user's own skins are, a folder each: below the place that the system has for a user's data.
pub fn folder() -> anyhow::Result<PathBuf> {
    let places = etcetera::base_strategy::choose_native_strategy()
        .context("there is no home folder to keep skins in")?;
    Ok(places.data_dir().join("minescraper").join("skins"))
}

/// Puts the user's own skin of this name where no skins are looked for.
pub fn throw_away(name: &str) -> anyhow::Result<()> {
    let skin = folder()?.join(name);
    let thrown = folder()?.with_file_name("thrown-away").join(name);
    if thrown.exists() {
        std::fs::remove_dir_all(&thrown)
            .with_context(|| format!("cannot clear {}", thrown.display()))?;
    }
    let cannot = || format!("cannot move {} to {}", skin.display(), thrown.display());
    thrown.parent().map_or(Ok(()), std::fs::create_dir_all).with_context(cannot)?;
    std::fs::rename(&skin, &thrown).with_context(cannot)?;
    eprintln!("skin '{name}' has read cells wrong: it is thrown away, into {}", thrown.display());
    Ok(())
}

/// Every skin that a board may be read with.
pub fn all() -> Vec<Skin> {
    usable().skins.into_iter().map(|(skin, _)| skin).collect()
}

/// The names of the user's own skins.
pub fn own() -> Vec<String> {
    let is_own = |(_, origin): &(Skin, Origin)| matches!(origin, Origin::User(_));
    usable().skins.into_iter().filter(is_own).map(|(skin, _)| skin.name).collect()
}

/// Writes what is learned in play into the user's folder of that skin.
pub struct Keeper;

impl Watcher for Keeper {
    fn learned(&mut self, skin: &Skin, numbers: &[u8]) {
        let numbers: Vec<String> = numbers.iter().map(u8::to_string).collect();
        let numbers = numbers.join(" and ");
        let kept = folder().and_then(|folder| Ok(skin.save(&folder.join(&skin.name))?));
        match kept {
            Ok(()) => eprintln!("learned what {numbers} looks like in skin '{}'", skin.name),
            Err(error) => eprintln!("what {numbers} looks like cannot be kept: {error:#}"),
        }
    }
}

/// The skin of this name.
pub fn named(name: &str) -> anyhow::Result<Skin> {
    let Collection { skins, broken } = Collection::open(folder().ok().as_deref());
    let is_called = |folder: &Path| folder.file_name().is_some_and(|own| own == name);
    if let Some((folder, error)) = broken.into_iter().find(|(folder, _)| is_called(folder)) {
        return Err(error).with_context(|| format!("the skin in {} is broken", folder.display()));
    }
    let names: Vec<String> = skins.iter().map(|(skin, _)| skin.name.clone()).collect();
    let found = skins.into_iter().map(|(skin, _)| skin).find(|skin| skin.name == name);
    let unknown = || format!("no skin is called '{name}'; there are: {}", names.join(", "));
    found.ok_or_else(|| Misuse(unknown()).into())
}

/// The skin that comes first.
pub fn first() -> anyhow::Result<Skin> {
    all().into_iter().next().context("there is no skin")
}

/// All skins that can be used, after a warning of those that cannot.
fn usable() -> Collection {
    let mut all = Collection::open(folder().ok().as_deref());
    for (folder, error) in all.broken.drain(..) {
        let why = anyhow::Error::new(error);
        log::warn!("the skin in {} is broken and left out: {why:#}", folder.display());
    }
    all
}

/// The size of a cell in the skin's own pictures, its share of the gaps included.
pub fn own_size(skin: &Skin) -> u32 {
    let covered = |template: &&Template| template.cell == Cell::Covered;
    let side = skin.templates.iter().find(covered);
    let gap = skin.gap_width();
    side.map_or(16, |template| template.picture.width() + gap)
}
