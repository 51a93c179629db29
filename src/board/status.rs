//! How a game stands.

/// How the game on the screen stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// Nothing is opened yet.
    Fresh,
    /// Some cells are opened, none of them a mine.
    Playing,
    /// Every cell without a mine is open.
    Won,
    /// A mine went off.
    Lost,
    /// The board is there, but a dialog or a pause hides it.
    Hidden,
}

impl Status {
    /// Whether the game is over.
    pub const fn is_over(self) -> bool {
        matches!(self, Status::Won | Status::Lost)
    }

    /// The status in one lower-case word, as in the text form and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Fresh => "fresh",
            Status::Playing => "playing",
            Status::Won => "won",
            Status::Lost => "lost",
            Status::Hidden => "hidden",
        }
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Status {
    type Err = UnknownStatus;

    fn from_str(name: &str) -> Result<Self, UnknownStatus> {
        [Status::Fresh, Status::Playing, Status::Won, Status::Lost, Status::Hidden]
            .into_iter()
            .find(|status| status.name() == name)
            .ok_or_else(|| UnknownStatus(name.to_owned()))
    }
}

/// A word that is no status.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no status; use fresh, playing, won, lost or hidden")]
pub struct UnknownStatus(pub String);
