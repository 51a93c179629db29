//! `stats`: how much work boards are.

use std::path::PathBuf;

use comfy_table::CellAlignment::{Left, Right};
use serde_json::{Value, json};

use minescraper::lab::formats::{LaidBoard, board_link};
use minescraper::lab::stats::Stats;

use super::boards;
use super::output::{progress_bar, say, table};

/// The options of `stats`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Boards with their mines: mbf, avf and rawvf files, finished games as text, files of `bench --write-boards`,
    /// links to a board, or - for standard input
    #[arg(value_name = "FILE|LINK|-", required = true)]
    files: Vec<PathBuf>,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

/// Prints the figures of boards.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut all = Vec::new();
    for path in &args.files {
        let boards = boards::read(path)?;
        let is_one = boards.len() == 1;
        for (nth, board) in (1..).zip(boards) {
            let file = path.display().to_string();
            let name = if is_one { file.clone() } else { format!("{file}, {nth}") };
            all.push(Named { file, nth, name, board });
        }
    }
    let bar = progress_bar(all.len() as u64, "{bar:20} {pos}/{len} boards, {eta} left");
    let stats: Vec<Stats> =
        bar.wrap_iter(all.iter()).map(|named| Stats::of(&named.board)).collect();
    bar.finish_and_clear();
    let counted = all.iter().zip(&stats);
    if args.json {
        let told: Vec<Value> = counted.map(|(named, stats)| named.to_json(stats)).collect();
        say!("{}", json!({ "boards": told }));
    } else {
        print(counted);
    }
    Ok(())
}

/// A board and where it is from.
struct Named {
    file: String,
    nth: usize,
    name: String,
    board: LaidBoard,
}

impl Named {
    fn to_json(&self, stats: &Stats) -> Value {
        let mut told = json!(stats);
        told["file"] = self.file.as_str().into();
        told["board"] = self.nth.into();
        told["link"] = board_link::query(&self.board).into();
        told
    }
}

fn print<'b>(boards: impl Iterator<Item = (&'b Named, &'b Stats)>) {
    let mut table = table([
        ("size", Right),
        ("mines", Right),
        ("3BV", Right),
        ("openings", Right),
        ("islands", Right),
        ("G.ZiNi", Right),
        ("H.ZiNi", Right),
        ("cells with 0 1 2 3 4 5 6 7 8", Left),
        ("board", Left),
    ]);
    for (Named { name, .. }, stats) in boards {
        let numbers = stats.numbers.map(|count| count.to_string());
        table.add_row([
            format!("{}x{}", stats.cols, stats.rows),
            stats.mines.to_string(),
            stats.bbbv.to_string(),
            stats.openings.to_string(),
            stats.islands.to_string(),
            stats.zini.to_string(),
            stats.human_zini.to_string(),
            numbers.join(" "),
            name.clone(),
        ]);
    }
    say!("{}", table.trim_fmt());
}
