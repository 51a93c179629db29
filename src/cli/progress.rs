//! How a session of games stands, on stderr.

use std::time::{Duration, Instant};

use console::Term;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use minescraper::board::{Board, Cell};
use minescraper::capture::Frame;
use minescraper::play::{Options, Outcome, Step, Watcher};
use minescraper::recognize::Reading;
use minescraper::solver::Advice;

use super::drawing::{columns, wrapped};
use super::tally::Tally;

/// What stands before the first line, and as blanks before the others.
const MARGIN: usize = 2;

/// Counts what happens, and has a few lines that say how the game and the session stand. They hide themselves where there is no
/// terminal.
pub struct Progress<'t> {
    lines: ProgressBar,
    games: u32,
    until_win: bool,
    tally: &'t mut Tally,
    /// When the first game began, and how many had been played before.
    begin: Instant,
    before: u32,
    /// How long a game takes, with what comes before the next one; known when one is over.
    each: Option<Duration>,
    start: Instant,
    covered: usize,
    thought: String,
}

impl<'t> Progress<'t> {
    pub fn new(options: &Options, tally: &'t mut Tally) -> Self {
        let lines = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
            lines.set_style(style);
        }
        let (now, before) = (Instant::now(), tally.games);
        Self {
            lines,
            games: options.games,
            until_win: options.until_win,
            tally,
            begin: now,
            before,
            each: None,
            start: now,
            covered: 0,
            thought: String::new(),
        }
    }

    fn show(&self) {
        if self.lines.is_hidden() {
            return;
        }
        let width = columns(&Term::stderr()).saturating_sub(MARGIN);
        let lines = told(&self.told(), width);
        self.lines.set_message(lines.join(&format!("\n{:MARGIN$}", "")));
        self.lines.tick();
    }

    /// The game under way, the session, and how well it was played.
    fn told(&self) -> [String; 3] {
        let Tally { games, wins, streak, guesses, survived, bbbv, .. } = *self.tally;
        let of = match self.games {
            u32::MAX => String::new(),
            games => format!(" of {games}"),
        };
        let spent = self.start.elapsed();
        let game = format!(
            "game {}{of}: {:.0} s, {} cells covered; {}",
            games + 1,
            spent.as_secs_f64(),
            self.covered,
            self.thought
        );
        let mut session = Vec::new();
        if let Some((rate, interval)) = self.tally.win_rate() {
            let [rate, low, high] = [rate, interval[0], interval[1]].map(|share| 100.0 * share);
            session.push(format!("{wins} won ({rate:.0} %, {low:.0} to {high:.0})"));
            session.push(format!("streak {streak}"));
        }
        if let Some(left) = self.left(spent) {
            let at_most = if self.until_win { "at most " } else { "" };
            session.push(format!("{at_most}{} left", HumanDuration(left)));
        }
        let mut play = Vec::new();
        if let (Some(speed), Some(efficiency)) =
            (self.tally.bbbv_per_second(), self.tally.efficiency())
        {
            play.push(format!("3BV {bbbv}, {speed:.1} 3BV/s"));
            play.push(format!("efficiency {:.0} %", 100.0 * efficiency));
        }
        if guesses > 0 {
            let expected = self.tally.expected();
            let expected = expected.map(|expected| format!(" ({expected:.1} expected)"));
            let expected = expected.unwrap_or_default();
            play.push(format!("{survived} of {guesses} guesses survived{expected}"));
        }
        [game, session.join(", "), play.join(", ")]
    }

    /// How long the games that are left take if they take as long as those before, when so much is `spent` on the one under way.
    fn left(&self, spent: Duration) -> Option<Duration> {
        let each = self.each.filter(|_| self.games != u32::MAX)?;
        let left = self.games.saturating_sub(self.tally.games);
        Some((each * left).saturating_sub(spent))
    }
}

/// The lines that say something, for a terminal of so many columns.
fn told(lines: &[String], columns: usize) -> Vec<String> {
    let said = lines.iter().filter(|line| !line.is_empty());
    said.flat_map(|line| wrapped(line, columns)).collect()
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.lines.finish_and_clear();
    }
}

impl Watcher for Progress<'_> {
    fn game_begins(&mut self, _: u32) {
        self.start = Instant::now();
    }

    fn looked(&mut self, frame: &Frame, reading: &Reading) {
        self.tally.looked(frame, reading);
        self.covered = reading.board.count(Cell::is_unopened);
        self.show();
    }

    fn advised(&mut self, board: &Board, advice: &Advice, nodes: u64) {
        self.tally.advised(board, advice, nodes);
        self.thought = match advice.guess {
            Some(guess) => format!("{} {guess}", guess.pos),
            None if advice.safe.len() == 1 => "1 cell is safe".to_owned(),
            None => format!("{} cells are safe", advice.safe.len()),
        };
        self.show();
    }

    fn clicking(&mut self, steps: &[Step], again: bool) {
        self.tally.clicking(steps, again);
        if again {
            self.thought = format!("sending {} clicks again", steps.len());
            self.show();
        }
    }

    fn clicked(&mut self, steps: &[Step]) {
        self.tally.clicked(steps);
    }

    fn game_over(&mut self, game: u32, outcome: Outcome, took: Duration) {
        self.tally.game_over(game, outcome, took);
        let played = self.tally.games - self.before;
        self.each = Some(self.begin.elapsed() / played.max(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How it stands after so many games of a session.
    fn after(games: u32, options: &Options) -> [String; 3] {
        let mut tally = Tally::default();
        let mut progress = Progress::new(options, &mut tally);
        progress.begin -= Duration::from_secs(30 * u64::from(games));
        for game in 0..games {
            progress.game_over(game, Outcome::Lost, Duration::from_secs(20));
        }
        progress.thought = "3 cells are safe".to_owned();
        progress.told()
    }

    #[test]
    fn the_time_left_is_that_of_the_games_left() {
        let ten = Options { games: 10, ..Options::default() };
        assert_eq!(after(0, &ten)[1], "");
        assert_eq!(after(2, &ten)[1], "0 won (0 %, 0 to 66), streak 0, 4 minutes left");
        let until_win = Options { until_win: true, ..ten };
        assert!(after(2, &until_win)[1].ends_with("at most 4 minutes left"));
        let endless = Options { games: u32::MAX, until_win: true, ..Options::default() };
        assert!(after(2, &endless)[1].ends_with("streak 0"));
    }

    #[test]
    fn no_line_is_longer_than_the_terminal_and_nothing_is_left_out() {
        let mut tally = Tally::default();
        let options = Options { games: 1000, ..Options::default() };
        let mut progress = Progress::new(&options, &mut tally);
        let tally = &mut *progress.tally;
        (tally.games, tally.wins, tally.streak) = (123, 45, 2);
        (tally.guesses, tally.survived) = (234, 123);
        (tally.bbbv, tally.clicks, tally.time) = (9876, 12345, Duration::from_secs(45));
        progress.each = Some(Duration::from_secs(60));
        let lines = progress.told();
        for columns in [200, 80, 60, 40] {
            let told = told(&lines, columns);
            assert!(told.iter().all(|line| line.chars().count() <= columns), "{told:#?}");
            assert_eq!(told.join(" "), lines.join(" "));
        }
        assert_eq!(told(&lines, 80).len(), 3, "{lines:#?}");
    }
}
