//! A board in the terminal, with the author's colouring: green squares show how many steps they are
//! from freedom; from black ones no path leads there.
//!
//! The characters alone say it all: there are no colours in a pipe, or when `NO_COLOR` is set.

use std::io::{IsTerminal, stdout};

use crate::board::{Position, each, name};
use crate::rank::{PINNED, Version, WHOLE, to_freedom};

/// Background colours, as numbers of the terminal's palette.
const LIGHT: u8 = 252;
const BLACK: u8 = 235;
const GREEN: u8 = 28;

/// The board, with its rank by the third version, as lines of text.
pub fn picture(position: Position) -> String {
    let coloured = stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let paint = |text: &str, colour: u8| match coloured {
        true => format!("\x1b[1;38;5;231;48;5;{colour}m{text}\x1b[0m"),
        false => text.to_owned(),
    };
    let paths: Vec<_> = to_freedom(position.hounds).collect();
    let mut picture = String::new();
    for (place, square) in each(!0).enumerate() {
        let steps = paths.iter().position(|wave| wave & square != 0);
        let text = match steps {
            _ if square == position.fox => " F ".to_owned(),
            Some(steps) => format!("{steps:^3}"),
            None if square & position.hounds != 0 => " H ".to_owned(),
            None => " . ".to_owned(),
        };
        let dark = paint(&text, if steps.is_some() { GREEN } else { BLACK });
        let light = paint("   ", LIGHT);
        if place % 4 == 0 {
            picture += &format!("\n{} ", 8 - place / 4);
        }
        picture += &if place / 4 % 2 == 0 { light + &dark } else { dark + &light };
    }
    let rank = Version::Third.rank(position);
    let meaning = match rank {
        0 => "the fox is free".to_owned(),
        PINNED => "the fox is pinned".to_owned(),
        path if path < WHOLE => format!("the line is broken; steps to freedom: {path}"),
        _ => format!("the line is whole; black squares: {}", PINNED - rank),
    };
    format!("{picture}\n   a  b  c  d  e  f  g  h\nrank {rank}: {meaning}")
}

/// What a person calls the move from `before` to `after`, as `e1-d2`.
pub fn step(before: Position, after: Position) -> String {
    let pieces = |position: Position| position.fox | position.hounds;
    let (from, to) = (pieces(before) & !pieces(after), pieces(after) & !pieces(before));
    if from == 0 { "pass".to_owned() } else { format!("{}-{}", name(from), name(to)) }
}
