//! The author's facts about the game, and what can be known from others, over all positions.

use crate::board::{Position, Side, Squares, each, forward, name};
use crate::player::{Player, outcome};
use crate::rank::{PINNED, Version, WHOLE, holds, is_whole, territory};
use crate::solution::SOLUTION;

fn squares(names: &str) -> Squares {
    each(!0).filter(|&square| names.split(' ').any(|known| known == name(square))).sum()
}

fn position(fox: &str, hounds: &str, turn: Side) -> Position {
    Position { fox: squares(fox), hounds: squares(hounds), turn }
}

/// The positions that may come up in a game, where `side` has to move.
fn to_move(side: Side) -> Vec<Position> {
    let mut positions = SOLUTION.reachable(|position| position.winner().is_some());
    positions.retain(|position| position.turn == side && position.winner().is_none());
    positions
}

#[test]
fn the_opening_has_32_black_squares_and_rank_95() {
    assert_eq!(Position::OPENING, position("e1", "b8 d8 f8 h8", Side::Fox));
    assert_eq!(Version::ALL.map(|version| version.rank(Position::OPENING)), [64, 95, 95]);
}

#[test]
fn ranks_are_0_when_free_127_when_pinned_and_count_six_black_squares_or_more() {
    for version in Version::ALL {
        let mut greatest = 0;
        for position in SOLUTION.positions() {
            let rank = version.rank(position);
            assert_eq!(rank == 0, position.winner() == Some(Side::Fox));
            assert_eq!(rank == PINNED, position.winner() == Some(Side::Hounds));
            if rank != PINNED {
                greatest = greatest.max(rank);
            }
        }
        assert_eq!(greatest, if version == Version::First { WHOLE } else { PINNED - 6 });
    }
}

/// The author writes that 10 appears to be the longest.
#[test]
fn the_longest_path_to_freedom_is_13_and_comes_up_in_games() {
    let longest = |positions: &mut dyn Iterator<Item = Position>| {
        positions.map(|position| Version::First.rank(position)).filter(|&rank| rank < WHOLE).max()
    };
    assert_eq!(longest(&mut SOLUTION.positions()), Some(13));
    assert_eq!(longest(&mut to_move(Side::Hounds).into_iter()), Some(13));
    assert_eq!(Version::First.rank(position("a5", "b6 c5 c3 e3", Side::Hounds)), 13);
}

/// J. Leslie-Hurd solved the game too (<https://github.com/gilith/solve>), but ends it as
/// soon as no hound can get to the fox any more, or none can move.
#[test]
fn as_many_positions_come_up_as_somebody_else_has_counted() {
    let over = |position: Position| {
        let ahead = (0..7).fold(position.hounds, |ahead, _| ahead | forward(ahead));
        let moves = forward(position.hounds) & !(position.hounds | position.fox);
        position.fox & ahead == 0 || position.turn == Side::Hounds && moves == 0
    };
    assert_eq!(SOLUTION.reachable(over).len(), 701_218);
}

#[test]
fn the_hounds_win_as_soon_as_somebody_else_has_found() {
    let hounds_win_in = |turns| Some((Side::Hounds, turns));
    assert_eq!(SOLUTION.winner(Position::OPENING), hounds_win_in(44));
    let before = position("a3", "a5 c5 b4 c1", Side::Hounds);
    let better = position("a3", "a5 d4 b4 c1", Side::Fox);
    let worse = position("a3", "a5 c5 c3 c1", Side::Fox);
    assert_eq!(SOLUTION.winner(before), hounds_win_in(5));
    assert_eq!(SOLUTION.winner(better), hounds_win_in(4));
    assert!(matches!(SOLUTION.winner(worse), Some((Side::Fox, _))));
    assert_eq!(SOLUTION.choose(before), [better]);
}

#[test]
fn no_game_goes_on_for_ever_when_both_play_well() {
    assert!(SOLUTION.positions().all(|position| SOLUTION.winner(position).is_some()));
}

/// What a player chooses that leaves the fox its territory, where another move keeps the line and takes
/// some of it.
fn free_moves(version: Version, before: Position) -> Vec<Position> {
    let room = |position| territory(position).count_ones();
    if !before.moves().any(|next| is_whole(next) && room(next) < room(before)) {
        return Vec::new();
    }
    let mut moves = Player::new(version).choose(before).0;
    moves.retain(|&next| room(next) >= room(before));
    moves
}

#[test]
fn the_second_version_takes_a_free_move_for_as_good_as_pressing_and_the_third_does_not() {
    let before = position("b2", "b6 b4 d4 d2", Side::Hounds);
    let free = free_moves(Version::Second, before);
    assert_eq!(free, ["a5 b4 d4 d2", "c5 b4 d4 d2"].map(|to| position("b2", to, Side::Fox)));
    // One of them even gives the win away.
    assert_eq!([0, 1].map(|free_move| SOLUTION.wins(free[free_move], Side::Hounds)), [false, true]);

    let flawed = |version| {
        let flawed = |&before: &Position| !free_moves(version, before).is_empty();
        to_move(Side::Hounds).into_iter().filter(flawed).count()
    };
    assert_eq!([Version::Second, Version::Third].map(flawed), [13, 0]);
}

#[test]
fn good_things_are_better_sooner_and_bad_ones_later() {
    assert!(outcome(95, 36) > outcome(95, 38), "the hounds like a whole line sooner");
    assert!(outcome(5, 36) < outcome(5, 38), "and a broken one later; the fox does not");
    assert!(outcome(96, 38) > outcome(95, 1), "whatever the turn, a better rank is better");
}

#[test]
fn heuristics_spare_lines_and_no_search_is_beyond_the_authors_bounds() {
    let ours = Player::new(Version::Third);
    // Where a heuristic decides; lines of a decision with and without it, on average, and the most;
    // the author's bound.
    for (without, side, whole, found, bound) in [
        (Player { run: false, ..ours }, Side::Fox, false, (0, 251, 683), 4_u32.pow(5)),
        (Player { hold: false, ..ours }, Side::Hounds, true, (0, 18_706, 57_749), 8_u32.pow(6)),
        (Player { delay: false, ..ours }, Side::Hounds, false, (8094, 9248, 122_509), 8_u32.pow(6)),
    ] {
        let mut sample = to_move(side);
        sample.retain(|&position| holds(position) == whole);
        let [with, without] = [ours, without].map(|player| {
            let lines = sample.iter().step_by(997).map(|&position| player.choose(position).1);
            lines.collect::<Vec<_>>()
        });
        let mean = |lines: &[u32]| lines.iter().sum::<u32>() / lines.len() as u32;
        let most = *without.iter().max().unwrap();
        assert_eq!((mean(&with), mean(&without), most), found);
        assert!(most <= bound);
    }
}

#[test]
fn each_version_keeps_more_wins_than_the_one_before_while_the_line_holds() {
    let wins = |position| SOLUTION.wins(position, Side::Hounds);
    let mut choices = to_move(Side::Hounds);
    choices.retain(|&before| holds(before) && wins(before) && !before.moves().all(wins));
    let kept = |version| {
        let keeps =
            |&&before: &&Position| Player::new(version).choose(before).0.into_iter().all(wins);
        choices.iter().filter(keeps).count()
    };
    assert_eq!((Version::ALL.map(kept), choices.len()), ([10_887, 10_896, 10_911], 10_955));
}
