//! What the commands that play have in common: their options, the stop key, the summary.

use std::error::Error;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context;
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use minescraper::board::{Board, FirstClick, ImpossibleRules, Rules, Status};
use minescraper::capture::{Frame, Screen};
use minescraper::input::{Hands, Key};
use minescraper::lab::record::{LastDecision, RecordError, Recorder};
use minescraper::play::{
    Action, EndedSession, Options, PlayError, Player, Step, Style, Summary, Watcher,
};
use minescraper::recognize::{Reader, Reading};
use minescraper::solver::{self, Advice, Guess, Reason};

use super::desktop;
use super::leave::AskBeforeGuess;
use super::output::say;
use super::progress::Progress;
use super::show::Show;
use super::skins::{self, Keeper};
use super::tally::Tally;

/// How to play.
#[derive(clap::Args, Debug)]
pub struct SessionArgs {
    /// How many games to play [default: 1, or as many as it takes with --until-win]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Stop at the first win
    #[arg(long)]
    until_win: bool,
    /// The strategy that decides
    #[arg(long, value_name = "NAME", value_parser = strategy(), default_value = strongest())]
    strategy: String,
    /// Which mouse buttons to play with
    #[arg(long, value_enum, default_value_t = StyleName::NoFlags)]
    style: StyleName,
    /// The least time between two clicks, in milliseconds; or human: curved movements, and a person's pauses
    #[arg(long, value_name = "MS|human")]
    pace: Option<PaceName>,
    /// Keep every frame, board and decision in this folder
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Ask at the terminal before each guess
    #[arg(long, conflicts_with = "dry_run")]
    pause_on_guess: bool,
    /// Say what would be clicked, and click nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Where all chance comes from
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
}

/// The styles as the command line names them.
#[derive(ValueEnum, Clone, Copy, Debug)]
enum StyleName {
    /// Only open cells
    NoFlags,
    /// Flag mines as they are found
    Flags,
    /// Flag, and open around satisfied numbers at once
    Chords,
    /// The fewest clicks: flag only where opening around a number at once repays it
    Efficient,
}

/// How fast to click, as the command line names it.
#[derive(Clone, Copy, Debug)]
enum PaceName {
    Least(Duration),
    Human,
}

impl FromStr for PaceName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "human" {
            return Ok(Self::Human);
        }
        let wrong = |_| format!("'{text}' is neither a number of milliseconds nor human");
        text.parse().map(|pace| Self::Least(Duration::from_millis(pace))).map_err(wrong)
    }
}

/// Parses a level; what its first click promises is another option's business.
pub fn level(text: &str) -> Result<Rules, ImpossibleRules> {
    Rules::parse_level(text, FirstClick::Safe)
}

/// Parses the name of a strategy, or a short one, to its name.
pub fn strategy() -> impl TypedValueParser<Value = String> {
    let names = solver::strategies().map(|name| {
        let short = solver::short_names().filter(move |&(_, full)| full == name);
        PossibleValue::new(name).aliases(short.map(|(short, _)| short))
    });
    let full = |name: String| {
        solver::short_names()
            .find(|&(short, _)| short == name)
            .map_or(name, |(_, full)| full.to_owned())
    };
    PossibleValuesParser::new(names).map(full)
}

/// The strategy that plays when none is named.
pub fn strongest() -> &'static str {
    solver::strategies().last().unwrap_or_default()
}

/// Why a move is made on `board`; of a game's first click also that it is safe, where the game promises it.
pub fn reason(board: &Board, reason: Reason) -> String {
    format!("{reason}{}", promise(board))
}

/// Why a guess is made on `board`, and at what risk.
pub fn guessed(board: &Board, guess: &Guess) -> String {
    format!("{guess}{}", promise(board))
}

fn promise(board: &Board) -> &'static str {
    if board.is_promised_safe() { "; the first click is safe here" } else { "" }
}

impl SessionArgs {
    /// The least time between two clicks.
    pub fn pace(&self) -> Option<Duration> {
        match self.pace? {
            PaceName::Least(pace) => Some(pace),
            PaceName::Human => None,
        }
    }

    /// What was chosen, on a board with so many mines, if that is known.
    pub fn options(&self, mines: Option<u32>) -> Options {
        let until_stopped = if self.until_win { u32::MAX } else { 1 };
        Options {
            games: self.games.unwrap_or(until_stopped),
            until_win: self.until_win,
            style: match self.style {
                StyleName::NoFlags => Style::NoFlags,
                StyleName::Flags => Style::Flags,
                StyleName::Chords => Style::Chords,
                StyleName::Efficient => Style::Efficient,
            },
            pace: self.pace().unwrap_or_default(),
            human: matches!(self.pace, Some(PaceName::Human)),
            dry_run: self.dry_run,
            seed: self.seed,
            mines,
            ..Options::default()
        }
    }

    /// Plays on this screen with these hands, counts what happens, and prints what came of it. Where `may_learn` from how it
    /// ended, returns that, and prints nothing.
    pub fn play(
        &self,
        screen: &mut dyn Screen,
        hands: &mut dyn Hands,
        reader: &Reader,
        options: &Options,
        audience: &mut Audience,
        may_learn: impl Fn(&EndedSession) -> bool,
    ) -> anyhow::Result<Option<EndedSession>> {
        let mut strategy = solver::by_name(&self.strategy)?;
        let mut recorder = match &self.record {
            Some(folder) => {
                let recorder = Recorder::create(folder, &self.strategy, options)?;
                Some(recorder.telling(recording_ends))
            }
            None => None,
        };
        let (mut said, mut last) = (Said::default(), LastDecision::default());
        let mut watchers: Vec<Box<dyn Watcher + '_>> = vec![Box::new(Keeper)];
        watchers.push(match &mut recorder {
            Some(recorder) => Box::new(recorder),
            None => Box::new(&mut last),
        });
        if self.dry_run {
            watchers.push(Box::new(&mut said));
        } else if let Some(show) = &mut audience.show {
            watchers.push(Box::new(&mut audience.tally));
            watchers.push(Box::new(show));
        } else {
            watchers.push(Box::new(Progress::new(options, &mut audience.tally)));
        }
        if self.pause_on_guess {
            watchers.push(Box::new(AskBeforeGuess::new(audience.stop.clone())?));
        }
        let player = Player {
            screen,
            hands,
            reader,
            strategy: strategy.as_mut(),
            watcher: &mut watchers,
            stop: audience.stop.clone(),
        };
        let session = player.play(options);
        drop(watchers);
        if self.record.is_none() && may_learn(&session) {
            return Ok(Some(session));
        }

        // A session that was cut short has a summary too.
        if self.dry_run {
            if session.trouble.is_none() {
                said.print(self.json);
            }
        } else if self.json {
            let mut summary = serde_json::to_value(&session.summary)?;
            audience.tally.add_to(&mut summary);
            say!("{summary}");
        } else {
            print_summary(&session.summary, &audience.tally);
        }
        let recorded = recorder.map_or(Ok(()), Recorder::finish);
        match session.trouble {
            Some(trouble) if trouble.is_loss() => Err(self.kept(trouble, &last, options)),
            Some(trouble) => Err(trouble.into()),
            None => {
                recorded.context("the games were played, but not all is recorded")?;
                Ok(None)
            }
        }
    }
}

/// Who watches the games, and what stops them.
pub struct Audience {
    pub stop: Arc<AtomicBool>,
    pub tally: Tally,
    /// A show of the games, if there is to be one.
    pub show: Option<Show>,
}

impl Audience {
    /// Nobody but who counts.
    pub fn new(stop: Arc<AtomicBool>) -> Self {
        Self { stop, tally: Tally::default(), show: None }
    }
}

/// What stops a player that has the mouse.
#[derive(clap::Args, Debug)]
pub struct StopArgs {
    /// The key that stops the player, whatever window has the keyboard; no other program gets it meanwhile
    #[arg(long, value_name = "KEY", default_value = "F12")]
    stop_key: Key,
}

impl StopArgs {
    /// Takes the key, and says what stops the player from now on. The key is given back when what is returned is dropped.
    pub fn take_key(
        &self,
        on: &desktop::Session,
        stop: &Arc<AtomicBool>,
    ) -> Option<impl Sized + use<>> {
        let key = self.stop_key;
        let taken = on.stop_key(key, stop.clone()).map_err(anyhow::Error::from);
        let hand = if on.feels_hands() { " or a hand on the mouse" } else { "" };
        match &taken {
            Ok(_) if hand.is_empty() => {
                eprintln!("{key} or Ctrl-C stops it; a hand on the mouse is not felt here");
            }
            Ok(_) => eprintln!("{key}, Ctrl-C{hand} stops it"),
            Err(error) => eprintln!("Ctrl-C{hand} stops it; {key} does not: {error:#}"),
        }
        taken.ok()
    }
}

/// Tells at once that no more can be recorded. The games come first.
fn recording_ends(trouble: &RecordError) {
    let cause = trouble.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    // There may be a progress line.
    let line = if std::io::stderr().is_terminal() { "\n" } else { "" };
    eprintln!("{line}minescraper: {trouble}{cause}; the recording ends before that, play goes on");
}

impl SessionArgs {
    /// What to say of a loss that no guess explains, and where it can be looked at: in the recording, or else in a folder
    /// of its own.
    fn kept(&self, loss: PlayError, last: &LastDecision, options: &Options) -> anyhow::Error {
        let folder = match &self.record {
            Some(folder) => Ok(folder.clone()),
            None => free_folder().and_then(|folder| {
                last.keep(&folder, &self.strategy, options)?;
                Ok(folder)
            }),
        };
        match folder {
            Ok(folder) => anyhow::anyhow!(
                "{loss} (the pictures before and after, and the board that was decided on, are in {})",
                folder.display()
            ),
            Err(why) => anyhow::anyhow!("{loss} (the pictures cannot be kept: {why:#})"),
        }
    }
}

/// A folder that is not there yet, among the user's data.
fn free_folder() -> anyhow::Result<PathBuf> {
    let losses = skins::folder()?.with_file_name("losses");
    let mut folders = (1..).map(|number| losses.join(format!("{number:04}")));
    folders.find(|folder| !folder.exists()).context("there is no name left for a folder")
}

/// A signal that Ctrl-C (or a request to end) gives.
pub fn stop_signal() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let signal = stop.clone();
    ctrlc::set_handler(move || signal.store(true, Ordering::Relaxed))
        .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

fn print_summary(summary: &Summary, tally: &Tally) {
    if summary.games == 0 {
        return;
    }
    for (nth, (outcome, took)) in summary.outcomes.iter().zip(&summary.seconds).enumerate() {
        say!("game {}: {outcome} in {:.2} s", nth + 1, took.as_secs_f64());
    }
    let percent = 100.0 * f64::from(summary.wins) / f64::from(summary.games);
    say!(
        "{} of {} games won ({percent:.1} %), {} clicks, {} of them lost and sent again",
        summary.wins,
        summary.games,
        summary.clicks,
        summary.clicks_lost
    );
    tally.lines().iter().for_each(|line| say!("{line}"));
    if summary.proven_mines > 0 {
        say!("{} lost at a cell that was proven to be safe", summary.proven_mines);
    }
}

/// What a dry run saw, and what it would have clicked.
#[derive(Default)]
struct Said {
    seen: Option<Reading>,
    guess: Option<Guess>,
    steps: Vec<Step>,
}

impl Watcher for Said {
    fn looked(&mut self, _: &Frame, reading: &Reading) {
        self.seen = Some(reading.clone());
    }

    fn advised(&mut self, _: &Board, advice: &Advice, _: u64) {
        self.guess = advice.guess;
    }

    fn clicking(&mut self, steps: &[Step], _: bool) {
        self.steps.extend_from_slice(steps);
    }
}

impl Said {
    /// Says what came of a run that nothing stopped.
    fn print(&self, as_json: bool) {
        let Some(Reading { skin, status, board, .. }) = &self.seen else { return };
        // Without a click the game has ended, though what covers the last cells may hide it.
        let status = match status {
            Status::Lost => Status::Lost,
            _ if self.steps.is_empty() => Status::Won,
            going_on => *going_on,
        };
        let new_game = skin.game.new_game.filter(|_| status.is_over());
        if as_json {
            let step = |step: &Step| {
                let (col, row) = (step.pos.col, step.pos.row);
                serde_json::json!({ "col": col, "row": row, "action": step.action.to_string() })
            };
            let guess = self.guess.as_ref();
            let said = serde_json::json!({
                "clicks": self.steps.iter().map(step).collect::<Vec<_>>(),
                "status": status.name(),
                "certain": guess.is_none(),
                "reason": guess.map(|guess| reason(board, guess.reason)),
                "risk": guess.map_or(Some(0.0), |guess| guess.risk),
                "new_game": new_game.map(|control| control.to_string()),
            });
            say!("{said}");
            return;
        }
        if self.steps.is_empty() {
            let next = match new_game {
                Some(control) => format!("would start a new one by {control}"),
                None => format!(
                    "skin {} does not say how a new one is started: start it yourself",
                    skin.name
                ),
            };
            say!("the game is over: it is {status}; {next}");
        }
        for step in &self.steps {
            let button = match step.action {
                Action::Open => "left",
                Action::Flag | Action::Unflag => "right",
                Action::Chord => "chord",
            };
            let why = self.guess.map(|guess| format!(": {}", guessed(board, &guess)));
            say!("would {step} ({button} click){}", why.unwrap_or_default());
        }
    }
}
