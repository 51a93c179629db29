//! `replay`: reads saved screenshots and decides recorded games again, and reports every difference; or shows a recorded game as a
//! page for a browser or as a moving picture.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::ArgGroup;
use serde_json::{Value, json};

use minescraper::lab::pages;
use minescraper::lab::replay::{
    Case, Difference, Flaw, RecordedGame, Recording, ReplayError, Saved,
};
use minescraper::recognize::Reader;

use super::output::{self, progress_bar, say};
use super::{Misuse, skins};

/// The options of `replay`.
#[derive(clap::Args, Debug)]
#[command(group(ArgGroup::new("one_game").multiple(true)))]
pub struct Args {
    /// A folder of NAME.png with NAME.txt beside each, a recorded game, or one such picture
    path: PathBuf,
    /// Print the differences as JSON; with --html, --gif or --rawvf, what was written
    #[arg(long)]
    json: bool,
    /// Compare nothing: write the recorded games as a page for a browser, with a scrubber, odds, reasons and the
    /// chance to win
    #[arg(long, value_name = "OUT.html")]
    html: Option<PathBuf>,
    /// Compare nothing: write a recorded game as a moving picture, one frame a step
    #[arg(long, value_name = "OUT.gif", group = "one_game")]
    gif: Option<PathBuf>,
    /// Compare nothing: write a recorded game as RawVF, the text form of replays
    #[arg(long, value_name = "OUT.rawvf", group = "one_game")]
    rawvf: Option<PathBuf>,
    /// The game to write with --gif or --rawvf, from 1 [default: the last one]
    #[arg(long, value_name = "N", requires = "one_game")]
    game: Option<usize>,
}

/// Replays what is saved at a path.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let reader = Reader::new(skins::all());
    let saved = Saved::at(&args.path)?;
    if args.html.is_some() || args.gif.is_some() || args.rawvf.is_some() {
        return show(args, &saved);
    }
    let mut report = Report { as_json: args.json, ..Report::default() };
    // It hides itself when nobody looks.
    let template = "{bar:20} {pos}/{len} pictures, {eta} left";
    let bar = progress_bar(saved.pictures.len() as u64, template);

    for picture in &saved.pictures {
        let is_recorded = |recording: &PathBuf| picture.parent() == Some(recording);
        if !saved.recordings.iter().any(is_recorded) {
            let case = Case::open(picture)?;
            let reading = case.read(&reader)?;
            bar.suspend(|| report.picture(picture, &case.differences(reading.as_ref())));
        }
        bar.inc(1);
    }
    for folder in &saved.recordings {
        let mut recording = Recording::open(folder)?;
        bar.inc_length(recording.cases.len() as u64);
        for case in &recording.cases {
            bar.inc(1);
            match case.read(&reader) {
                Ok(reading) => {
                    let differences = case.differences(reading.as_ref());
                    bar.suspend(|| report.picture(&case.picture, &differences));
                }
                Err(ReplayError::Picture(error)) => {
                    let file = case.picture.clone();
                    let why = format!("{:#}", anyhow::Error::from(error));
                    recording.flaws.push(Flaw::Unreadable { file, why });
                }
                Err(error) => return Err(error.into()),
            }
        }
        bar.suspend(|| report.recording(folder, &recording));
    }
    bar.finish_and_clear();

    if report.as_json {
        say!("{}", report.to_json());
    } else {
        say!("{}", report.summary());
    }
    let differ = report.pictures_differ + report.decisions_differ;
    anyhow::ensure!(differ == 0, "{} is not what it was", args.path.display());
    Ok(())
}

/// Writes the page, the moving picture and the replay that are asked for.
fn show(args: &Args, saved: &Saved) -> anyhow::Result<()> {
    let [folder] = &saved.recordings[..] else {
        let found = saved.recordings.len();
        anyhow::bail!(
            "{} has {found} recordings in it, and one is written: name the folder of one, as --record makes it",
            args.path.display()
        );
    };
    let recording = Recording::open(folder)?;
    let differ = recording.differences.len();
    if differ > 0 {
        eprintln!(
            "minescraper: {differ} decisions come out otherwise today; the page shows those of today"
        );
    }
    let mut written = Vec::new();
    if let Some(out) = &args.html {
        let page = pages::of_recording(&recording, &folder.display().to_string());
        written.push(save(out, page.as_bytes())?);
    }
    if let Some(out) = &args.gif {
        let game = chosen(&recording, args.game)?;
        let picture = pages::animation(&recording, game);
        let picture = picture.with_context(|| folder.display().to_string())?;
        written.push(save(out, &picture)?);
    }
    if let Some(out) = &args.rawvf {
        let replay = recording.clicked(folder, chosen(&recording, args.game)?)?;
        written.push(save(out, replay.to_string().as_bytes())?);
    }
    if args.json {
        say!("{}", json!({ "written": written }));
        return Ok(());
    }
    for Written { file, bytes } in written {
        say!("{file}: {:.0} kB", bytes as f64 / 1e3);
    }
    Ok(())
}

/// A file that was written.
#[derive(serde::Serialize)]
struct Written {
    file: String,
    bytes: usize,
}

fn save(out: &Path, content: &[u8]) -> anyhow::Result<Written> {
    output::write(out, content)?;
    Ok(Written { file: out.display().to_string(), bytes: content.len() })
}

/// The game with this number, from 1, or the last one.
fn chosen(recording: &Recording, number: Option<usize>) -> anyhow::Result<&RecordedGame> {
    let games = &recording.games;
    let index = number.unwrap_or(games.len()).checked_sub(1);
    let game = index.and_then(|index| games.get(index));
    game.ok_or_else(|| match (games.len(), number) {
        (0, _) | (_, None) => anyhow::anyhow!("there is no game in this recording"),
        (games, Some(number)) => {
            Misuse(format!("there is no game {number}: the recording has games 1 to {games}"))
                .into()
        }
    })
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

    fn recording(&mut self, folder: &Path, recording: &Recording) {
        self.decisions += recording.decisions;
        self.decisions_differ += recording.differences.len();
        for flaw in &recording.flaws {
            let mut told = json!({
                "kind": flaw.kind(),
                "recording": folder.display().to_string(),
                "what": flaw.to_string(),
            });
            if let Some(file) = flaw.file() {
                self.pictures_differ += 1;
                told["file"] = file.display().to_string().into();
            }
            if let Some(line) = flaw.line() {
                self.decisions_differ += 1;
                told["line"] = line.into();
            }
            self.tell(flaw.file().unwrap_or(folder), flaw, told);
        }
        for difference in &recording.differences {
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
        match (self.decisions, self.decisions_differ) {
            (0, 0) => read,
            (decisions, differ) => format!("{read}; {decisions} decisions taken, {differ} differ"),
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
