//! One game: the strategy is asked, its advice is played, until the game is over.
//!
//! The strategy sees nothing but [`Minefield::view`].

use std::time::Duration;

use super::error::GameError;
use super::luck::{Judge, Stakes};
use super::{Calibration, Fingerprint};
use crate::board::{Board, Status};
use crate::clock::thread_time;
use crate::lab::minefield::Minefield;
use crate::solver::{Advice, Budget, Strategy};

/// What one strategy made of one game.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// The number of the game.
    pub game: u64,
    /// Whether it won.
    pub won: bool,
    /// How many of its decisions were guesses.
    pub guesses: u64,
    /// The chances to win that it saw at its guesses, with what came of them.
    pub calibration: Calibration,
    /// How lucky its guesses were, in games, where that was [measured](super::WithoutLuck).
    pub luck: Option<f64>,
    /// Its decisions.
    pub fingerprint: Fingerprint,
    /// How long each decision took.
    pub times: Vec<Duration>,
}

impl Played {
    /// Plays the game with the number `game` to its end, and measures the luck in it if there is a `judge`.
    pub(super) fn to_end(
        mut field: Minefield,
        game: u64,
        strategy: &mut dyn Strategy,
        nodes: u64,
        mut judge: Option<&mut Judge>,
    ) -> Result<Self, GameError> {
        let mut fingerprint = Fingerprint::of_game(game);
        let (mut guesses, mut promised, mut times) = (0, Vec::new(), Vec::new());
        let (mut luck, mut stakes) = (judge.as_ref().map(|_| 0.0), None::<Stakes>);
        let mut settle = |stakes: Option<Stakes>, board: &Board| {
            if let (Some(luck), Some(stakes)) = (&mut luck, stakes) {
                *luck += stakes.luck(board);
            }
        };
        play(&mut field, strategy, nodes, |board, advice, took| {
            settle(stakes.take(), board);
            fingerprint.decided(board, advice);
            if let Some(guess) = &advice.guess {
                guesses += 1;
                promised.extend(advice.win_chance);
                stakes = judge.as_mut().and_then(|judge| judge.before(board, guess.pos, nodes));
            }
            times.push(took);
            true
        })?;
        settle(stakes, field.view());
        let won = field.status() == Status::Won;
        let calibration = Calibration::of_game(&promised, won);
        Ok(Self { game, won, guesses, calibration, luck, fingerprint, times })
    }

    /// 1 for a win or 0 for a loss, without the luck of its guesses; `None` where that was not measured.
    pub fn without_luck(&self) -> Option<f64> {
        self.luck.map(|luck| f64::from(u8::from(self.won)) - luck)
    }
}

/// Opens all that `strategy` proves safe, else what it guesses, until the game is over, nothing is
/// advised, or `watch`, which is told of every decision before it is played, answers no.
pub(super) fn play(
    field: &mut Minefield,
    strategy: &mut dyn Strategy,
    nodes: u64,
    mut watch: impl FnMut(&Board, &Advice, Duration) -> bool,
) -> Result<(), GameError> {
    while !field.status().is_over() {
        let before = thread_time();
        let advice = strategy.advise(field.view(), &mut Budget::nodes(nodes))?;
        let took = thread_time().saturating_sub(before);
        if !watch(field.view(), &advice, took) {
            break;
        }
        for proof in &advice.safe {
            if field.open(proof.pos) == Status::Lost {
                return Err(GameError::WrongProof { pos: proof.pos });
            }
        }
        match advice.guess {
            Some(guess) => field.open(guess.pos),
            None if advice.safe.is_empty() => break,
            None => continue,
        };
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Pos;
    use crate::lab::minefield::Options;
    use crate::solver::{Deduction, Reason, SolveError};

    /// Calls the same cells safe on every board.
    struct Stubborn(Vec<Pos>);

    impl Strategy for Stubborn {
        fn name(&self) -> &'static str {
            "stubborn"
        }

        fn new_game(&mut self, _: u64) {}

        fn advise(&mut self, _: &Board, _: &mut Budget) -> Result<Advice, SolveError> {
            let proof = |&pos: &Pos| Deduction { pos, reason: Reason::AllMinesFound };
            Ok(Advice { safe: self.0.iter().map(proof).collect(), ..Advice::default() })
        }
    }

    fn played(safe: &[u16]) -> Result<Played, GameError> {
        let mines = [Pos::new(2, 0)];
        let field = Minefield::with_mines(4, 1, mines, Options::default()).unwrap();
        let cells = safe.iter().map(|&col| Pos::new(col, 0)).collect();
        Played::to_end(field, 7, &mut Stubborn(cells), 0, None)
    }

    #[test]
    fn a_wrong_proof_is_an_error_and_no_lost_game() {
        let pos = Pos::new(2, 0);
        assert_eq!(played(&[0, 2]).unwrap_err(), GameError::WrongProof { pos });
    }

    #[test]
    fn a_game_ends_when_it_is_won_or_nothing_is_advised() {
        let won = played(&[0, 1, 3]).unwrap();
        assert_eq!((won.won, won.guesses, won.times.len()), (true, 0, 1));
        let given_up = played(&[]).unwrap();
        assert_eq!((given_up.won, given_up.times.len()), (false, 1));
        assert_ne!(won.fingerprint, given_up.fingerprint);
    }
}
