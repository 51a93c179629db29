//! How fast to click, and how long to wait before clicking again: learned from what arrives.

use std::time::Duration;

/// The first gap that is tried when clicks without any get lost.
const FIRST_GAP: Duration = Duration::from_micros(500);
/// The longest gap.
const LONGEST_GAP: Duration = Duration::from_millis(40);
/// Clicks in a row that must all show before the gap shrinks.
const CLEAN: u64 = 60;
/// How long a click may take to show before it counts as lost, when nothing is known yet.
const UNKNOWN: Duration = Duration::from_millis(400);
/// The bounds of that time once something is known.
const SOONEST: Duration = Duration::from_millis(60);
const LATEST: Duration = Duration::from_millis(800);

/// The pace of a player.
///
/// Some window managers swallow clicks that follow each other too fast; which gap is enough differs
/// and is only seen by what arrives. So the gap starts at what the person chose (none), doubles with
/// each batch that lost clicks, and shrinks by an eighth after many clicks that all arrived, but never
/// quite to a gap at which clicks were lost. A single loss among many clicks says nothing of the gap: a game may
/// have been busy.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    least: Duration,
    gap: Duration,
    /// The longest gap at which clicks were lost.
    too_short: Option<Duration>,
    clean: u64,
    /// Whether clicks were lost since so many were clean.
    lost_lately: bool,
    /// How long the slowest of the recent clicks took to show.
    slowest: Option<Duration>,
}

impl Pace {
    pub(super) fn new(least: Duration) -> Self {
        Self { least, gap: least, too_short: None, clean: 0, lost_lately: false, slowest: None }
    }

    /// The time to leave between two clicks.
    pub(super) fn gap(&self) -> Duration {
        self.gap
    }

    /// How long nothing may happen before clicks that did not show are sent again.
    pub(super) fn lost_after(&self) -> Duration {
        self.slowest.map_or(UNKNOWN, |slowest| (slowest * 4).clamp(SOONEST, LATEST))
    }

    /// How long a picture must stay the same to be taken for finished.
    pub(super) fn settled_after(&self) -> Duration {
        self.slowest.unwrap_or(UNKNOWN / 8).min(LATEST / 8)
    }

    /// A click showed, so long after it was sent.
    pub(super) fn click_showed(&mut self, took: Duration) {
        // The memory of slow clicks fades, so that one hiccup does not slow a whole session down.
        let faded = self.slowest.map_or(took, |slowest| slowest * 15 / 16);
        self.slowest = Some(faded.max(took));
    }

    /// All `clicks` of a batch arrived, none had to be sent twice.
    pub(super) fn all_arrived(&mut self, clicks: u64) {
        self.clean += clicks;
        if self.clean >= CLEAN {
            self.clean = 0;
            self.lost_lately = false;
            let floor = self.too_short.map_or(self.least, |lost| self.least.max(lost * 5 / 4));
            self.gap = (self.gap * 7 / 8).max(floor);
        }
    }

    /// Some clicks of a batch of several did not show.
    pub(super) fn some_lost(&mut self) {
        self.clean = 0;
        if !std::mem::replace(&mut self.lost_lately, true) {
            return;
        }
        self.too_short = Some(self.too_short.map_or(self.gap, |lost| lost.max(self.gap)));
        self.gap = (self.gap * 2).clamp(FIRST_GAP, LONGEST_GAP.max(self.least));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_grows_when_clicks_get_lost_and_shrinks_not_below_what_lost_them() {
        let mut pace = Pace::new(Duration::ZERO);
        pace.some_lost();
        assert_eq!(pace.gap(), Duration::ZERO);
        for _ in 0..3 {
            pace.some_lost();
        }
        assert_eq!(pace.gap(), Duration::from_millis(2));
        for _ in 0..1000 {
            pace.all_arrived(30);
        }
        assert_eq!(pace.gap(), Duration::from_micros(1250));
        for _ in 0..100 {
            pace.some_lost();
        }
        assert_eq!(pace.gap(), LONGEST_GAP);
    }

    #[test]
    fn a_game_that_paints_slowly_is_given_longer() {
        let mut pace = Pace::new(Duration::ZERO);
        assert_eq!(pace.lost_after(), UNKNOWN);
        pace.click_showed(Duration::from_millis(3));
        assert_eq!(pace.lost_after(), SOONEST);
        pace.click_showed(Duration::from_millis(150));
        assert_eq!(pace.lost_after(), Duration::from_millis(600));
    }
}
