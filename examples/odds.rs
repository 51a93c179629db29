//! The chance of a mine in each cell of a board, and what each guess would bring: `cargo run --example odds`.

use minescraper::board::Board;
use minescraper::solver::odds::{Position, Workspace};
use minescraper::solver::{Budget, Prospect, Prospects};

fn main() -> anyhow::Result<()> {
    let board: Board = "minescraper 5x3 mines=3\n#####\n#212#\n#101#\n".parse()?;
    let mut budget = Budget::nodes(10_000);
    let position = Position::of(&board, &mut Workspace::default(), &mut budget)?;
    for row in position.odds(&board).cells.chunks(usize::from(board.cols())) {
        let told = |chance: &Option<f64>| {
            chance.map_or(" open".to_owned(), |chance| format!("{chance:5.2}"))
        };
        println!("{}", row.iter().map(told).collect::<Vec<_>>().join(" "));
    }
    for Prospect { pos, risk, win_chance, .. } in Prospects::of(&board, &mut budget)?.guesses {
        println!("{pos}: {:.0} % a mine, {:.0} % to win", 100.0 * risk, 100.0 * win_chance);
    }
    Ok(())
}
