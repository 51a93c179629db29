//! Moving and clicking as a person does: along a curve, slower the farther and the smaller the aim, with pauses that vary.
//!
//! How long a movement takes follows P. Fitts, "The information capacity of the human motor system" (1954), in the form of
//! I. MacKenzie (1992); how its speed rises and falls T. Flash and N. Hogan, "The coordination of arm movements" (1985). All chance
//! comes from the seed.

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::geometry::Px;

/// Time between two points of a movement.
const STEP: Duration = Duration::from_millis(10);
/// Seconds that any movement takes, and each doubling of the distance more. Chosen, near what is measured of practised people.
const FITTS: (f64, f64) = (0.06, 0.09);
/// How far a path may bend to a side, as a share of its length. Chosen.
const BEND: f64 = 0.12;
/// How long a person looks before a click, and before a guess, and holds a button, in seconds: from, to. Chosen.
const LOOKS: (f64, f64) = (0.04, 0.18);
const WONDERS: (f64, f64) = (0.6, 1.6);
const HOLDS: (f64, f64) = (0.05, 0.09);

/// The hand of a person.
#[derive(Clone, Debug)]
pub(super) struct Motion {
    rng: ChaCha8Rng,
}

impl Motion {
    pub(super) fn new(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // The strategy draws from others.
        rng.set_stream(u64::MAX);
        Self { rng }
    }

    /// The points of a movement between two places, at an aim that is so many pixels wide; the last is `to`. They are to be
    /// reached one after the other, [`STEP`] apart.
    pub(super) fn path(&mut self, from: Px, to: Px, width: u32) -> Vec<Px> {
        let (dx, dy) = (f64::from(to.x - from.x), f64::from(to.y - from.y));
        let distance = dx.hypot(dy);
        let difficulty = (distance / f64::from(width.max(1)) + 1.0).log2();
        let seconds = (FITTS.0 + FITTS.1 * difficulty) * self.between((0.85, 1.2));
        let steps = (seconds / STEP.as_secs_f64()).ceil().max(1.0);
        let bend = self.between((-BEND, BEND));
        let point = |nth: f64| {
            let time = nth / steps;
            let along = time.powi(3) * (10.0 - 15.0 * time + 6.0 * time * time);
            // A parabola that is highest in the middle.
            let aside = 4.0 * bend * along * (1.0 - along);
            let x = f64::from(from.x) + along * dx - aside * dy;
            let y = f64::from(from.y) + along * dy + aside * dx;
            Px::new(x.round() as i32, y.round() as i32)
        };
        (1..=steps as u32).map(|nth| point(f64::from(nth))).collect()
    }

    /// Time between two points of a path.
    pub(super) fn step(&self) -> Duration {
        STEP
    }

    /// How long to look before a click.
    pub(super) fn looks(&mut self, is_guess: bool) -> Duration {
        Duration::from_secs_f64(self.between(if is_guess { WONDERS } else { LOOKS }))
    }

    /// How long to hold a button down.
    pub(super) fn holds(&mut self) -> Duration {
        Duration::from_secs_f64(self.between(HOLDS))
    }

    fn between(&mut self, (from, to): (f64, f64)) -> f64 {
        self.rng.random_range(from..to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_ends_where_it_should_and_far_ones_take_longer() {
        let (from, near, far) = (Px::new(100, 100), Px::new(116, 100), Px::new(500, 300));
        for seed in 0..20 {
            let mut hand = Motion::new(seed);
            let (short, long) = (hand.path(from, near, 16), hand.path(from, far, 16));
            assert_eq!((short.last(), long.last()), (Some(&near), Some(&far)));
            assert!(short.len() < long.len(), "{} and {}", short.len(), long.len());
            let is_near_the_line = |at: &Px| (90..510).contains(&at.x) && (40..380).contains(&at.y);
            assert!(long.iter().all(is_near_the_line), "{long:?}");
        }
    }

    #[test]
    fn the_same_seed_moves_the_same_way_and_another_one_another() {
        let path = |seed| Motion::new(seed).path(Px::new(0, 0), Px::new(300, 200), 20);
        assert_eq!(path(1), path(1));
        assert_ne!(path(1), path(2));
    }
}
