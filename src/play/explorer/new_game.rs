//! From one game that is learned to the next: which control starts a new game.

use std::time::Duration;

use super::Explorer;
use super::buttons::{buttons, changed_near, changes, come_up};
use super::game::is_one_region;
use super::window::{CLICK_TRIES, UnknownWindow};
use crate::board::Pos;
use crate::geometry::Rect;
use crate::input::{Key, Shortcut};
use crate::learn::from_play::{Clusters, Seen, Sight};
use crate::play::LearnError;
use crate::play::patience::HOLD_LONGER;
use crate::recognize::skin::{Control, EndMessage};

/// The keys that start a new game in some game, those first that do no harm in the others.
const NEW_GAME_KEYS: [(bool, Key); 4] =
    [(false, Key::F(2)), (true, Key::Char('r')), (false, Key::Char('n')), (true, Key::Char('n'))];
/// Those tried when all else did nothing: letters that do other things in other games.
const OTHER_KEYS: [char; 2] = ['s', 'r'];
/// So many of the things over a board are tried, of those around it that have changed with the end of a game, and of the others.
const BUTTONS: usize = 8;

impl Explorer<'_> {
    /// Starts a new game; returns whether it did.
    pub(in crate::play) fn new_game(&mut self) -> Result<bool, LearnError> {
        if let Some(control) = self.has_begun.take() {
            self.window.look()?;
            if let Some(seen) = self.fresh() {
                self.seen = seen;
                self.found(control);
                return Ok(true);
            }
        }
        let is_known = self.notes.skin.game.new_game.is_some();
        for (control, hold) in self.controls() {
            if let Some(control) = self.try_control(control, hold)? {
                self.found(control);
                return Ok(true);
            }
        }
        if is_known {
            // It only seemed to start the last one.
            self.notes.skin.game.new_game = None;
            return self.new_game();
        }
        if let Some(key) = self.window.person.new_game() {
            let control = Control::Key(key);
            self.notes.skin.game.new_game = self.try_control(control, Duration::ZERO)?;
            return Ok(self.notes.skin.game.new_game.is_some());
        }
        Ok(false)
    }

    /// Starts a new game where a message stays over the board of one that is over; returns whether it did.
    pub(in crate::play) fn leave_finished(&mut self) -> Result<bool, LearnError> {
        let stays = self.notes.skin.game.end_message == Some(EndMessage::Stays);
        Ok(stays && self.new_game()?)
    }

    /// A new game was started by `control`.
    fn found(&mut self, control: Control) {
        if self.notes.skin.game.new_game.replace(control) == Some(control) {
            return;
        }
        self.tell(&match control {
            Control::Key(key) => format!("{key} starts a new game"),
            Control::Click(_) => "a click beside the board starts a new game".to_owned(),
            Control::Board => "a click on the finished board starts a new game".to_owned(),
            Control::Wait => "a new game begins by itself".to_owned(),
        });
    }

    /// What may start a new game, and how long it is held: what is known to do so, a few times. Otherwise first what came up over the
    /// board or changed beside it when the game ended, as a face does, then the board itself, keys, what else is drawn there, and letters.
    pub(super) fn controls(&self) -> Vec<(Control, Duration)> {
        if let Some(control) = self.notes.skin.game.new_game {
            return (0..CLICK_TRIES).map(|again| (control, HOLD_LONGER * again)).collect();
        }
        let pressed = |(ctrl, key)| Control::Key(Shortcut { ctrl, key });
        let letters = OTHER_KEYS.map(|letter| pressed((false, Key::Char(letter))));
        let UnknownWindow { frame, lattice, .. } = &self.window;
        let (board, pitch) = (lattice.area(), lattice.side() as f32);
        // Through a veil everything looks otherwise.
        let is_veiled = self.is_veiled();
        let is_changed = |button: &Rect| {
            !is_veiled && !changes(frame, &self.before_click, *button, pitch).is_empty()
        };
        let (whole, others): (Vec<Rect>, Vec<Rect>) =
            buttons(frame, board, pitch).into_iter().partition(is_changed);
        // What is drawn in one piece may be several buttons, or one of which a part has changed.
        let parts = whole.iter().flat_map(|&one| changes(frame, &self.before_click, one, pitch));
        let mut changed: Vec<Rect> = parts.collect();
        changed.extend(whole.iter().filter(|whole| !changed.contains(whole)).collect::<Vec<_>>());
        // Of a browser the page alone is the game's.
        if self.window.guard.may_close_dialogs() && !is_veiled {
            let near = changed_near(frame, &self.before_click, board, pitch).into_iter();
            let is_new = |part: &Rect| !changed.iter().any(|one| one.intersection(*part).is_some());
            changed.extend(near.filter(is_new).collect::<Vec<Rect>>());
        }
        let click = |button: Rect| Control::Click(lattice.spot_at(button.centre()));
        // Only what is in a message is over a board.
        let over = match self.notes.skin.game.end_message {
            Some(EndMessage::Stays) => come_up(frame, &self.before_click, lattice),
            Some(EndMessage::Escape) | None => Vec::new(),
        };
        let controls = over.into_iter().take(BUTTONS).chain(changed.into_iter().take(BUTTONS));
        let controls = controls.map(click);
        let controls = controls.chain([Control::Board]).chain(NEW_GAME_KEYS.map(pressed));
        let others = others.into_iter().take(BUTTONS).map(click);
        let controls = controls.chain(others).chain(letters);
        let in_sight = |control: &Control| match control {
            Control::Key(key) => self.window.guard.may_strike(*key),
            Control::Click(spot) => self.window.area.contains(lattice.spot(*spot)),
            Control::Board | Control::Wait => true,
        };
        // Each is pressed once.
        let hold = if self.window.was_late { HOLD_LONGER } else { Duration::ZERO };
        controls.filter(in_sight).map(|control| (control, self.window.hold.max(hold))).collect()
    }

    /// Presses a control and looks whether the board is a new one. Returns what has begun the game, if one has: where a page asks
    /// something over its board, the next one may begin by itself when that is left.
    fn try_control(
        &mut self,
        control: Control,
        hold: Duration,
    ) -> Result<Option<Control>, LearnError> {
        let was_fresh = self.fresh().is_some();
        let (before, shown) = (self.window.patches.clone(), self.window.frame.clone());
        log::debug!("trying {control:?} for a new game");
        self.window.press(control, hold)?;
        let mut fresh = self.fresh();
        let has_changed = 2 * self.window.changed_since(&before).len() > before.len();
        let place = self.window.lattice.clone();
        if fresh.is_none() && has_changed && self.window.find_new()? {
            fresh = self.fresh();
            if fresh.is_none() {
                self.window.lattice = place;
                self.window.look()?;
            }
        }
        if fresh.is_none()
            && control == Control::Board
            && let Some((seen, clusters)) = self.begun()
        {
            (self.seen, self.notes.clusters) = (seen, clusters);
            self.notes.see(&self.window.frame, &self.window.lattice, &self.seen)?;
            return Ok(Some(control));
        }
        let Some(seen) = fresh else {
            self.window.leave_question(&before)?;
            if let Some(seen) = self.fresh().filter(|_| !was_fresh) {
                self.notes.skin.game.end_message = Some(EndMessage::Escape);
                self.seen = seen;
                return Ok(Some(Control::Wait));
            }
            self.window.switch_back(control, &before, &shown)?;
            return Ok(None);
        };
        let anew = |pos: Pos| {
            let was_covered = self.seen.at(pos).is_unopened();
            !was_covered && seen.at(pos).is_unopened()
        };
        if was_fresh && !seen.positions().any(anew) {
            self.window.switch_back(control, &before, &shown)?;
            return Ok(None);
        }
        self.seen = seen;
        Ok(Some(control))
    }

    /// The board of a game that the click on the last one has begun and opened a cell of, and the looks it shows: one region is open,
    /// as mines never are, and something that was open is covered again.
    fn begun(&self) -> Option<(Seen, Clusters)> {
        let mut clusters = self.notes.clusters.clone();
        let mut seen = self.seen.clone();
        seen.mines = None;
        seen.sights.fill(Sight::Covered);
        let covered = seen.clone();
        for pos in seen.positions() {
            let patch = self.window.patch(pos);
            let at = seen.index(pos);
            if !self.is_covered_look(patch) {
                seen.sights[at] = Sight::Open(clusters.of(patch));
            }
        }
        let is_anew = |pos: Pos| {
            matches!(self.seen.at(pos), Sight::Open(_)) && seen.at(pos) == Sight::Covered
        };
        let first = seen.positions().find(|&pos| seen.at(pos) != Sight::Covered)?;
        let is_begun = seen.positions().any(is_anew) && is_one_region(&seen, &covered, first);
        is_begun.then_some((seen, clusters))
    }

    /// The board, if it is one on which nobody has clicked yet.
    pub(super) fn fresh(&self) -> Option<Seen> {
        let mut seen = self.seen.clone();
        seen.mines = None;
        let starts_open = self.notes.skin.game.starts_open;
        for pos in seen.positions() {
            let patch = self.window.patch(pos);
            let at = seen.index(pos);
            seen.sights[at] = if self.is_covered_look(patch) {
                Sight::Covered
            } else {
                Sight::Open(self.notes.clusters.known(patch).filter(|_| starts_open)?)
            };
        }
        Some(seen)
    }
}
