//! `replay`: reads saved screenshots and decides recorded games again, and reports every difference.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use minescraper::board::MineCount;
use minescraper::recognize::Reader;
use minescraper::replay::{Case, DecisionDifference, Difference, Saved, decide_again};

use super::output::say;
use super::skins;

/// The options of `replay`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A folder of NAME.png with NAME.txt beside each, a recorded game, or one such picture
    path: PathBuf,
    /// Print the differences as JSON
    #[arg(long)]
    json: bool,
}

/// Replays what is saved at a path.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let reader = Reader::new(skins::all());
    let saved = Saved::at(&args.path)?;
    let mut report = Report { as_json: args.json, ..Report::default() };

    // In a recording the mine count may come from an earlier picture.
    let mut counted: Option<(&Path, MineCount)> = None;
    for picture in &saved.pictures {
        let recording = picture.parent().filter(|&folder| {
            saved.recordings.iter().any(|recording| recording.as_path() == folder)
        });
        let earlier = counted.filter(|&(folder, _)| recording == Some(folder));
        let case = Case::open(picture)?;
        let reading = case.read(&reader, earlier.map(|(_, mines)| mines))?;
        if let (Some(folder), Some(reading)) = (recording, &reading)
            && matches!(reading.board.mines, MineCount::Read(_))
        {
            counted = Some((folder, reading.board.mines));
        }
        report.picture(picture, &case.differences(reading.as_ref()));
    }
    for recording in &saved.recordings {
        let decided = decide_again(recording)?;
        report.recording(recording, decided.decisions, &decided.differences);
    }

    if report.as_json {
        say!("{}", report.to_json());
    } else {
        say!("{}", report.summary());
    }
    let differ = report.pictures_differ + report.decisions_differ;
    anyhow::ensure!(differ == 0, "{} is not what it was", args.path.display());
    Ok(())
}

#[derive(Default)]
struct Report {
    as_json: bool,
    pictures: usize,
    pictures_differ: usize,
    decisions: usize,
    decisions_differ: usize,
    differences: Vec<Value>,
}

impl Report {
    fn picture(&mut self, picture: &Path, differences: &[Difference]) {
        self.pictures += 1;
        self.pictures_differ += usize::from(!differences.is_empty());
        for difference in differences {
            let mut told = told(difference);
            told["picture"] = picture.display().to_string().into();
            self.tell(picture, difference, told);
        }
    }

    fn recording(&mut self, folder: &Path, decisions: usize, differences: &[DecisionDifference]) {
        self.decisions += decisions;
        self.decisions_differ += differences.len();
        for difference in differences {
            let told = json!({
                "kind": "decision",
                "recording": folder.display().to_string(),
                "line": difference.line,
                "what": difference.what,
                "expected": difference.recorded,
                "read": difference.now,
            });
            self.tell(folder, difference, told);
        }
    }

    fn tell(&mut self, path: &Path, difference: &dyn std::fmt::Display, told: Value) {
        if !self.as_json {
            say!("{}: {difference}", path.display());
        }
        self.differences.push(told);
    }

    fn summary(&self) -> String {
        let read = format!("{} pictures read, {} differ", self.pictures, self.pictures_differ);
        match self.decisions {
            0 => read,
            decisions => {
                format!("{read}; {decisions} decisions taken, {} differ", self.decisions_differ)
            }
        }
    }

    fn to_json(&self) -> Value {
        json!({
            "pictures": self.pictures,
            "pictures_differ": self.pictures_differ,
            "decisions": self.decisions,
            "decisions_differ": self.decisions_differ,
            "differences": self.differences,
        })
    }
}

fn told(difference: &Difference) -> Value {
    match difference {
        Difference::NoBoard => json!({ "kind": "no-board" }),
        Difference::Size { expected, read } => {
            json!({ "kind": "size", "expected": expected, "read": read })
        }
        Difference::Cell { pos, expected, read } => json!({
            "kind": "cell",
            "col": pos.col,
            "row": pos.row,
            "expected": expected.symbol(),
            "read": read.symbol(),
        }),
        Difference::Status { expected, read } => {
            json!({ "kind": "status", "expected": expected.name(), "read": read.name() })
        }
        Difference::Mines { expected, read } => json!({
            "kind": "mines",
            "expected": expected.likely(),
            "read": read.likely(),
        }),
    }
}
