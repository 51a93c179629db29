//! Fox and Hounds: how words like "close in" become a number.
//!
//! The game, its evaluation function and the steps in which it got better are those of N. Kirby,
//! Introduction to Game AI, chapter 6; the exact solution is ours. The ranking of guesses in the solver
//! stands on the same idea, so the game stands here, whole and small, beside the program. See README.md.

mod board;
mod compare;
mod paint;
mod player;
mod rank;
mod solution;
#[cfg(test)]
mod tests;

use clap::{Parser, ValueEnum};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use board::{Position, Side};
use player::Player;
use rank::Version;
use solution::SOLUTION;

/// Fox and Hounds: the fox wins on the hounds' home row, the hounds win by pinning it
#[derive(Parser, Debug)]
struct Args {
    /// Who plays the fox
    #[arg(long, value_enum, default_value_t = Mind::Third)]
    fox: Mind,
    /// Who plays the hounds
    #[arg(long, value_enum, default_value_t = Mind::Third)]
    hounds: Mind,
    /// Where the choice among equal moves comes from
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Compare the versions with the solved game and with each other; N games of each pair
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "100",
          value_parser = clap::value_parser!(u32).range(1..))]
    compare: Option<u32>,
}

/// Who chooses the moves of a side.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum Mind {
    /// The author's: every whole line ranks the same
    First,
    /// The author's: black squares count
    Second,
    /// The author's: black squares count where a hound stands or the fox can get
    Third,
    /// Knows the solved game
    Perfect,
    /// You
    Human,
}

impl Mind {
    /// The moves that it thinks equally good; none when the person gives up.
    fn choose(self, position: Position) -> Vec<Position> {
        let author = |version| Player::new(version).choose(position).0;
        match self {
            Mind::First => author(Version::First),
            Mind::Second => author(Version::Second),
            Mind::Third => author(Version::Third),
            Mind::Perfect => SOLUTION.choose(position),
            Mind::Human => ask(position).into_iter().collect(),
        }
    }
}

fn main() {
    let args = Args::parse();
    let mut rng = ChaCha8Rng::seed_from_u64(args.seed);
    if let Some(games) = args.compare {
        return compare::compare(games, &mut rng);
    }
    let end = play(&mut rng, |position| {
        println!("{}; to move: {:?}", paint::picture(position), position.turn);
        if position.turn == Side::Fox { args.fox } else { args.hounds }.choose(position)
    });
    println!("{}", paint::picture(end));
}

/// Plays a game until it is over or `choose` knows no move. Among equal moves the dice decide.
fn play(rng: &mut ChaCha8Rng, mut choose: impl FnMut(Position) -> Vec<Position>) -> Position {
    let mut position = Position::OPENING;
    while position.winner().is_none() {
        let Some(&next) = choose(position).choose(rng) else { break };
        position = next;
    }
    position
}

/// Asks for a move until one is known, or the input ends.
fn ask(position: Position) -> Option<Position> {
    let steps: Vec<_> = position.moves().map(|next| paint::step(position, next)).collect();
    println!("Your move? ({})", steps.join(" "));
    std::io::stdin().lines().map_while(Result::ok).find_map(|line| {
        let known = position.moves().find(|&next| paint::step(position, next) == line.trim());
        if known.is_none() {
            println!("No such move; type one of: {}", steps.join(" "));
        }
        known
    })
}
