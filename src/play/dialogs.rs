//! Getting past a dialog of the game that is in front of the board.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::guard::{Guard, Hindrance, Pressed};
use super::patience::Patience;
use super::{Options, PlayError};
use crate::capture::{Screen, Standing};
use crate::recognize::Reader;
use crate::recognize::skin::Dialog;

/// How long after its key was struck a dialog is given before the key is struck again.
const KEY_AGAIN: Duration = Duration::from_millis(600);

/// A dialog that is being closed.
pub(super) struct Closing {
    pub patience: Patience,
    /// How long ago its key was struck.
    since_key: Option<Duration>,
    /// Who had the keyboard when it was last to be struck.
    elsewhere: Option<String>,
}

impl Closing {
    /// Nothing was struck yet; a dialog may take so long to close.
    pub(super) fn within(patience: Duration) -> Self {
        Self { patience: Patience::of(patience), since_key: None, elsewhere: None }
    }

    /// Strikes the key of `dialog`, which is in front of the game, by way of `close`, when it is time to.
    pub(super) fn strike<'g>(
        &mut self,
        dialog: &Dialog,
        guard: &mut Guard<'g>,
        close: impl FnOnce(&mut Guard<'g>) -> Result<Pressed, PlayError>,
    ) -> Result<(), PlayError> {
        if self.patience.is_over() {
            let (title, key) = (dialog.title.clone(), dialog.key.to_string());
            return Err(match self.elsewhere.take().filter(|_| self.since_key.is_none()) {
                Some(by) => PlayError::NoKeyboard { by },
                None => PlayError::DialogStays { title, key },
            });
        }
        let is_early = self.since_key.is_some_and(|since| since < KEY_AGAIN);
        if is_early || !guard.rest_left().is_zero() {
            return Ok(());
        }
        match close(guard)? {
            Pressed::Yes => {
                log::info!("pressed {} to get past '{}'", dialog.key, dialog.title);
                self.since_key = Some(Duration::ZERO);
            }
            // It may have come just now.
            Pressed::No(Hindrance::Keyboard(by)) => {
                if self.elsewhere.replace(by).is_none() {
                    guard.activate()?;
                }
            }
            Pressed::No(_) => {}
        }
        Ok(())
    }

    /// So much time has gone by since the last look.
    pub(super) fn pass(&mut self, spent: Duration) {
        self.since_key = self.since_key.map(|since| since + spent);
    }
}

/// Closes the dialogs in front of a game whose board was not found yet, as it is after a best time: those that a skin of
/// the `reader` names. Anything else in front of it is left there.
pub(super) fn close_dialogs(
    screen: &mut dyn Screen,
    reader: &Reader,
    guard: &mut Guard<'_>,
    stop: &Arc<AtomicBool>,
    options: &Options,
) -> Result<(), PlayError> {
    let mut closing = Closing::within(options.deadlines.dialog);
    while let Standing::Covered { by, .. } = screen.standing()? {
        let Some(dialog) = reader.skins().find_map(|skin| skin.game.dialog(&by)) else { break };
        if stop.load(Ordering::Relaxed) {
            return Err(PlayError::Interrupted);
        }
        let area = screen.area()?;
        closing.strike(dialog, guard, |guard| guard.close(dialog, area))?;
        let mut frame = screen.look(area)?;
        let (_, spent) = closing.patience.wait(screen, &mut frame)?;
        closing.pass(spent);
    }
    Ok(())
}
