//! The token with which a desktop recognises somebody whom it was allowed before.
//!
//! Whoever has it may look at the screen and move the mouse, so only the user may read it. A portal gives a new one each time.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

/// Only the user may read and write it.
const MODE: u32 = 0o600;

/// Where the token is kept.
pub(super) struct TokenFile(PathBuf);

impl TokenFile {
    /// That of this user: below the place that the system has for a user's data. Nothing where there is no home folder.
    pub(super) fn of_user() -> Option<Self> {
        let places = etcetera::base_strategy::choose_native_strategy().ok()?;
        Some(Self(places.data_dir().join("minescraper").join("portal-token")))
    }

    /// The token, if one was kept.
    pub(super) fn read(&self) -> Option<String> {
        let token = fs::read_to_string(&self.0).ok()?;
        let token = token.trim();
        (!token.is_empty()).then(|| token.to_owned())
    }

    /// Keeps `token` for the next time.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn keep(&self, token: &str) -> io::Result<()> {
        fs::create_dir_all(self.0.parent().unwrap_or(Path::new(".")))?;
        let mut file: File =
            OpenOptions::new().write(true).create(true).truncate(true).mode(MODE).open(&self.0)?;
        // The mode above is only that of a new file.
        file.set_permissions(fs::Permissions::from_mode(MODE))?;
        file.write_all(token.as_bytes())
    }

    /// Keeps none any more.
    ///
    /// # Errors
    /// When there is one that cannot be removed.
    pub(super) fn forget(&self) -> io::Result<()> {
        match fs::remove_file(&self.0) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_kept_for_the_user_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("minescraper").join("portal-token");
        let token = TokenFile(path.clone());
        assert_eq!(token.read(), None);
        token.keep("first").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        token.keep("2").unwrap();
        assert_eq!(token.read().as_deref(), Some("2"));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, MODE);
        token.forget().unwrap();
        token.forget().unwrap();
        assert_eq!(token.read(), None);
    }
}
