//! All the skins there are: those built into the program, and the user's own in a folder of theirs.
//!
//! A user's skin stands in for a shipped one of the same name. One that is broken is left out, so that the
//! others can still be used, and kept track of, so that the user can be told.

use std::path::{Path, PathBuf};

use super::{Skin, SkinError};

/// Where a skin comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Built into the program.
    Shipped,
    /// A folder of the user's.
    User(PathBuf),
}

/// Skins, and where each comes from.
#[derive(Debug, Default)]
pub struct Collection {
    /// The user's own skins, then the shipped ones, each by name.
    pub skins: Vec<(Skin, Origin)>,
    /// The user's folders that cannot be used, and why.
    pub broken: Vec<(PathBuf, SkinError)>,
}

impl Collection {
    /// The shipped skins and those in the folders within `user`, if there is such a place.
    pub fn open(user: Option<&Path>) -> Self {
        let mut all = Self::default();
        for (folder, opened) in user.map_or(Vec::new(), users) {
            match opened {
                Ok(skin) => all.skins.push((skin, Origin::User(folder))),
                Err(error) => all.broken.push((folder, error)),
            }
        }
        let users: Vec<String> = all.skins.iter().map(|(skin, _)| skin.name.clone()).collect();
        let shipped = Skin::shipped().into_iter().filter(|skin| !users.contains(&skin.name));
        all.skins.extend(shipped.map(|skin| (skin, Origin::Shipped)));
        all
    }
}

/// The folders in `user`, by name, and the skin in each; none when there is no such place.
fn users(user: &Path) -> Vec<(PathBuf, Result<Skin, SkinError>)> {
    let entries =
        std::fs::read_dir(user).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    match entries {
        Ok(entries) => {
            let paths = entries.into_iter().map(|entry| entry.path());
            let mut folders: Vec<PathBuf> = paths.filter(|path| path.is_dir()).collect();
            folders.sort();
            let opened = |folder: PathBuf| (folder.clone(), Skin::open(&folder));
            folders.into_iter().map(opened).collect()
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(source) => {
            let path = user.to_owned();
            vec![(path.clone(), Err(SkinError::Unreadable { path, source }))]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_users_skin_stands_in_for_the_shipped_one_and_a_broken_one_is_left_out() {
        let user = tempfile::tempdir().unwrap();
        let mut own = Skin::shipped().remove(0);
        own.digits.clear();
        let name = own.name.clone();
        own.save(&user.path().join(&name)).unwrap();
        let broken = user.path().join("broken");
        std::fs::create_dir(&broken).unwrap();
        std::fs::write(broken.join("covered.png"), "no picture").unwrap();
        std::fs::write(user.path().join("notes.txt"), "no skin").unwrap();

        let all = Collection::open(Some(user.path()));
        assert_eq!(all.skins.len(), Skin::shipped().len());
        let of_this_name: Vec<_> = all.skins.iter().filter(|(skin, _)| skin.name == name).collect();
        assert_eq!(of_this_name.len(), 1);
        assert_eq!(of_this_name[0].0.digits, []);
        assert_eq!(of_this_name[0].1, Origin::User(user.path().join(&name)));
        let [(folder, error)] = &all.broken[..] else { panic!("{:?}", all.broken) };
        assert_eq!(folder, &broken);
        assert!(error.to_string().contains("broken"), "{error}");
    }

    #[test]
    fn without_a_users_folder_there_are_the_shipped_skins() {
        let nowhere = tempfile::tempdir().unwrap().path().join("nowhere");
        for user in [None, Some(nowhere.as_path())] {
            let all = Collection::open(user);
            assert_eq!(all.skins.len(), Skin::shipped().len());
            assert!(all.skins.iter().all(|(_, origin)| *origin == Origin::Shipped));
        }
    }
}
