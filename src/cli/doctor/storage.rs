//! Whether what is learned can be kept, and which skins there are.

use std::fs::{self, OpenOptions};
use std::path::Path;

use minescraper::Skin;
use minescraper::recognize::skin::Collection;

use super::check::Check;
use crate::cli::skins;

/// The checks, and the skins that can be used.
pub fn checks() -> (Vec<Check>, Vec<Skin>) {
    let Collection { skins, broken } = Collection::open(skins::folder().ok().as_deref());
    let skins: Vec<Skin> = skins.into_iter().map(|(skin, _)| skin).collect();
    let mut checks = vec![data_folder(), known(&skins)];
    checks.extend(broken.into_iter().map(|(folder, error)| {
        let why = anyhow::Error::new(error);
        Check::warn(
            "skins",
            format!("the one in {} is broken and left out: {why:#}", folder.display()),
            "move that folder away; `minescraper play` learns the game anew",
        )
    }));
    (checks, skins)
}

fn known(skins: &[Skin]) -> Check {
    let names: Vec<&str> = skins.iter().map(|skin| skin.name.as_str()).collect();
    match names[..] {
        [] => Check::warn(
            "skins",
            "there is none",
            "open a game: `minescraper play` learns it; or build with the feature `skins`",
        ),
        _ => Check::ok("skins", format!("{}: {}", names.len(), names.join(", "))),
    }
}

/// Where skins that are learned, and pictures of losses, are kept.
fn data_folder() -> Check {
    const NAME: &str = "data folder";
    let folder = match skins::folder() {
        Ok(folder) => folder,
        Err(error) => {
            let next = "set HOME, or XDG_DATA_HOME, to a folder of yours";
            return Check::warn(NAME, format!("{error:#}"), next);
        }
    };
    match try_to_write(&folder) {
        Ok(()) => Check::ok(NAME, format!("{} can be written", folder.display())),
        Err(error) => Check::warn(
            NAME,
            format!("{} cannot be written, so no skin can be kept: {error}", folder.display()),
            "make it yours, or set XDG_DATA_HOME to a folder that is",
        ),
    }
}

/// Writes an empty file into `folder`, or into the one in which it would be made, and takes it away again.
fn try_to_write(folder: &Path) -> std::io::Result<()> {
    let there = folder.ancestors().find(|folder| folder.exists()).unwrap_or(folder);
    let file = there.join(format!(".minescraper-doctor-{}", std::process::id()));
    OpenOptions::new().write(true).create_new(true).open(&file)?;
    fs::remove_file(&file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_can_be_made_can_be_written_and_nothing_is_left_in_it() {
        let home = tempfile::tempdir().unwrap();
        try_to_write(&home.path().join("not/there/yet")).unwrap();
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_below_a_file_cannot_be_written() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(try_to_write(&file.join("skins")).is_err());
    }
}
