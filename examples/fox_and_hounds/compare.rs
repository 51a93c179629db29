//! The three versions of the evaluation function against the solved game and against each other.
//!
//! A choice is a position that the side to move can win and where some move gives the win away. A
//! player keeps the win as often as a move does that is drawn from those it thinks equal.

use rand_chacha::ChaCha8Rng;

use crate::board::{Position, Side};
use crate::player::Player;
use crate::rank::{Version, holds};
use crate::solution::SOLUTION;
use crate::{Mind, play};

/// How many choices of a kind are looked at, at most: looking ahead takes long.
const SAMPLE: usize = 1000;

/// Kinds of choices, by whose they are and whether the line holds.
const KINDS: [&str; 4] =
    ["fox, line broken", "fox, line holds", "hounds, line broken", "hounds, line holds"];

/// Prints the tables, as Markdown.
pub fn compare(games: u32, rng: &mut ChaCha8Rng) {
    if let Some((side, turns)) = SOLUTION.winner(Position::OPENING) {
        println!("The opening is won by: {side:?}, in {turns} moves of either side.");
    }
    let mut choices = [const { Vec::new() }; 4];
    let (mut fox, mut hounds) = (0, 0);
    for position in SOLUTION.reachable(|position| position.winner().is_some()) {
        fox += u32::from(SOLUTION.wins(position, Side::Fox));
        hounds += u32::from(SOLUTION.wins(position, Side::Hounds));
        let wins = |next| SOLUTION.wins(next, position.turn);
        if position.winner().is_none() && wins(position) && !position.moves().all(wins) {
            let kind = [position.turn == Side::Hounds, holds(position)].map(usize::from);
            choices[2 * kind[0] + kind[1]].push(position);
        }
    }
    let (all, met) = (SOLUTION.positions().count(), fox + hounds);
    println!("Of {all} positions games come to {met}: the fox wins {fox}, the hounds {hounds}.\n");
    wins_kept(&choices);
    matches(games, rng);
}

fn wins_kept(choices: &[Vec<Position>; 4]) {
    println!("Choices, and per cent of them where the win is kept:\n");
    head(KINDS.iter().zip(choices).map(|(kind, of)| format!("{kind} ({})", of.len())));
    let row = |name: String, choose: &dyn Fn(Position) -> Vec<Position>| {
        print!("| {name} |");
        for choices in choices {
            let sample = choices.iter().step_by(choices.len().div_ceil(SAMPLE).max(1));
            let count = sample.len() as f64;
            let kept = sample.map(|&position| {
                let moves = choose(position);
                let kept = moves.iter().filter(|&&next| SOLUTION.wins(next, position.turn));
                kept.count() as f64 / moves.len() as f64
            });
            print!(" {:.1} |", 100.0 * kept.sum::<f64>() / count);
        }
        println!();
    };
    row("any move".to_owned(), &|position| position.moves().collect());
    for version in Version::ALL {
        let far = Player::new(version);
        let near = Player { depth: [1, 1], ..far };
        row(format!("{version:?}, one move ahead"), &|position| near.choose(position).0);
        row(format!("{version:?}, the author's look-ahead"), &|position| far.choose(position).0);
    }
}

fn matches(games: u32, rng: &mut ChaCha8Rng) {
    println!("\nGames of {games} that the hounds win, and moves of either side in a game:\n");
    let minds = [Mind::First, Mind::Second, Mind::Third, Mind::Perfect];
    head(minds.iter().map(|fox| format!("{fox:?} fox")));
    for hounds in minds {
        print!("| {hounds:?} hounds |");
        for fox in minds {
            let (mut won, mut turns) = (0, 0);
            for _ in 0..games {
                let end = play(rng, |position| {
                    turns += 1;
                    if position.turn == Side::Fox { fox } else { hounds }.choose(position)
                });
                won += u32::from(end.winner() == Some(Side::Hounds));
            }
            print!(" {won}, {:.0} |", f64::from(turns) / f64::from(games));
        }
        println!();
    }
}

fn head(columns: impl Iterator<Item = String>) {
    let columns: Vec<_> = columns.collect();
    println!("| | {} |\n|---|{}", columns.join(" | "), "---|".repeat(columns.len()));
}
