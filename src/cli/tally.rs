//! What a player likes to know of the games so far: wins and streaks, 3BV, clicks, guesses and their luck.

use std::time::Duration;

use serde_json::Value;

use minescraper::board::{Board, Cell, Pos, Status};
use minescraper::capture::Frame;
use minescraper::lab::bench::interval::wilson;
use minescraper::lab::stats::bbbv;
use minescraper::play::{Outcome, Step, Watcher};
use minescraper::recognize::Reading;
use minescraper::solver::Advice;

/// Counts what happens.
#[derive(Clone, Default)]
pub struct Tally {
    pub games: u32,
    pub wins: u32,
    /// Games won in a row until now, and the most of them.
    pub streak: u32,
    pub longest_streak: u32,
    pub fastest_win: Option<Duration>,
    /// Guesses that were made, and that were survived.
    pub guesses: u32,
    pub survived: u32,
    /// Of those whose risk the strategy knew: how many that is, and of how many it was to be expected that they are survived.
    rated: u32,
    expected: f64,
    /// Of the games that were won: the sum of their 3BV, the clicks and the time they took.
    pub bbbv: u32,
    pub clicks: u64,
    pub time: Duration,
    /// The game under way.
    clicks_now: u64,
    /// A guess that was decided on, and its risk, where the strategy knows it.
    planned: Option<(Pos, Option<f64>)>,
    /// One that was made and has not shown yet.
    made: Option<Pos>,
    last: Option<Board>,
}

impl Tally {
    /// The share of games won and its 95 % interval; `None` before the first.
    pub fn win_rate(&self) -> Option<(f64, [f64; 2])> {
        let rate = f64::from(self.wins) / f64::from(self.games);
        (self.games > 0).then(|| (rate, wilson(self.wins.into(), self.games.into())))
    }

    /// 3BV a second in the games that were won; `None` before the first.
    pub fn bbbv_per_second(&self) -> Option<f64> {
        let seconds = self.time.as_secs_f64();
        (seconds > 0.0).then(|| f64::from(self.bbbv) / seconds)
    }

    /// 3BV a click in the games that were won; `None` before the first.
    pub fn efficiency(&self) -> Option<f64> {
        (self.clicks > 0).then(|| f64::from(self.bbbv) / self.clicks as f64)
    }

    /// How many guesses were to be survived; `None` unless the risk of each is known.
    pub fn expected(&self) -> Option<f64> {
        (self.rated == self.guesses).then_some(self.expected)
    }

    /// What is said of it in the end, in lines.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some((_, [low, high])) = self.win_rate().filter(|_| self.games > 1) {
            let [low, high] = [low, high].map(|share| 100.0 * share);
            lines.push(format!(
                "95 % interval of the win rate: {low:.0} to {high:.0} %; longest streak: {}",
                self.longest_streak
            ));
        }
        if let (Some(fastest), Some(speed), Some(efficiency)) =
            (self.fastest_win, self.bbbv_per_second(), self.efficiency())
        {
            let fastest = fastest.as_secs_f64();
            lines.push(format!(
                "wins: fastest {fastest:.2} s, 3BV {}, {speed:.1} 3BV/s, efficiency {:.0} %",
                self.bbbv,
                100.0 * efficiency
            ));
        }
        if self.guesses > 0 {
            let Self { guesses, survived, .. } = self;
            let expected =
                self.expected().map(|expected| format!(", {expected:.1} to be expected"));
            let expected = expected.unwrap_or_default();
            lines.push(format!("guesses: {survived} of {guesses} survived{expected}"));
        }
        lines
    }

    /// Adds it to the JSON object of a summary.
    pub fn add_to(&self, summary: &mut Value) {
        summary["longest_streak"] = self.longest_streak.into();
        summary["bbbv"] = self.bbbv.into();
        summary["bbbv_per_second"] = self.bbbv_per_second().into();
        summary["efficiency"] = self.efficiency().into();
        summary["guesses"] = self.guesses.into();
        summary["guesses_survived"] = self.survived.into();
        summary["guesses_expected"] = self.expected().into();
    }

    /// A guess has shown what it came to, if one was made.
    fn guess_ends(&mut self, is_survived: bool) {
        if self.made.take().is_some() {
            self.survived += u32::from(is_survived);
        }
    }
}

impl Watcher for Tally {
    fn looked(&mut self, _: &Frame, reading: &Reading) {
        let is_open = |(pos, cell): (Pos, Cell)| self.made == Some(pos) && cell.number().is_some();
        if reading.status == Status::Playing && reading.board.iter().any(is_open) {
            self.guess_ends(true);
        }
        self.last = Some(reading.board.clone());
    }

    fn advised(&mut self, _: &Board, advice: &Advice, _: u64) {
        let guess = advice.guess.map(|guess| (guess.pos, guess.risk));
        self.planned = guess.filter(|&(_, risk)| risk != Some(0.0));
    }

    fn clicking(&mut self, _: &[Step], again: bool) {
        if let Some((pos, risk)) = self.planned.take().filter(|_| !again) {
            // The one before was survived, or there would be none to make.
            self.guess_ends(true);
            self.made = Some(pos);
            self.guesses += 1;
            if let Some(risk) = risk {
                self.rated += 1;
                self.expected += 1.0 - risk;
            }
        }
    }

    fn clicked(&mut self, steps: &[Step]) {
        self.clicks_now += steps.len() as u64;
    }

    fn game_over(&mut self, _: u32, outcome: Outcome, took: Duration) {
        let clicks = std::mem::take(&mut self.clicks_now);
        let is_won = outcome == Outcome::Won;
        self.guess_ends(is_won);
        self.games += 1;
        self.wins += u32::from(is_won);
        self.streak = if is_won { self.streak + 1 } else { 0 };
        self.longest_streak = self.longest_streak.max(self.streak);
        if let Some(board) = self.last.take().filter(|_| is_won) {
            self.bbbv += bbbv(&board);
            self.clicks += clicks;
            self.time += took;
            self.fastest_win = Some(self.fastest_win.map_or(took, |fastest| fastest.min(took)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use image::RgbImage;
    use minescraper::geometry::Px;
    use minescraper::play::Action;
    use minescraper::recognize::Lattice;
    use minescraper::solver::{Guess, Reason};

    use super::*;

    /// The board is read so.
    fn looks(tally: &mut Tally, rows: &str, status: Status) {
        let board: Board = rows.parse().unwrap();
        let lattice = Lattice::even(Px::new(0, 0), (16.0, 16.0), board.cols(), board.rows());
        let frame = Frame { origin: Px::new(0, 0), pixels: RgbImage::new(1, 1) };
        tally.looked(&frame, &Reading { skin: Arc::default(), lattice, board, status });
    }

    /// A cell is opened, at this risk, after the board was looked at twice.
    fn opens(tally: &mut Tally, risk: impl Into<Option<f64>>) {
        let board: Board = "##".parse().unwrap();
        let pos = Pos::new(0, 0);
        let guess = Some(Guess { pos, reason: Reason::Random, risk: risk.into() });
        for _ in 0..2 {
            tally.advised(&board, &Advice { guess, ..Advice::default() }, 0);
            looks(tally, "##", Status::Playing);
        }
        let step = Step { pos, action: Action::Open, from: board[pos] };
        // Two are planned, of which one turns out to be open.
        tally.clicking(&[step, step], false);
        tally.clicked(&[step]);
        // The click does not show at once.
        looks(tally, "##", Status::Playing);
    }

    #[test]
    fn guesses_streaks_and_3bv_are_counted() {
        let mut tally = Tally::default();
        for _ in 0..2 {
            opens(&mut tally, 0.25);
            looks(&mut tally, "1#1", Status::Playing);
            opens(&mut tally, 0.0);
            looks(&mut tally, "1#1", Status::Won);
            tally.game_over(0, Outcome::Won, Duration::from_secs(2));
        }
        opens(&mut tally, 0.5);
        looks(&mut tally, "1X1", Status::Lost);
        tally.game_over(2, Outcome::Lost, Duration::from_secs(9));
        assert_eq!((tally.games, tally.wins, tally.streak, tally.longest_streak), (3, 2, 0, 2));
        assert_eq!((tally.guesses, tally.survived, tally.expected()), (3, 2, Some(2.0)));
        // Two numbers that touch no blank, in two clicks, twice.
        assert_eq!((tally.bbbv, tally.clicks), (4, 4));
        assert_eq!((tally.bbbv_per_second(), tally.efficiency()), (Some(1.0), Some(1.0)));
        let lines = tally.lines();
        assert!(
            lines.contains(&"guesses: 2 of 3 survived, 2.0 to be expected".to_owned()),
            "{lines:?}"
        );
        let wins = "wins: fastest 2.00 s, 3BV 4, 1.0 3BV/s, efficiency 100 %".to_owned();
        assert!(lines.contains(&wins), "{lines:?}");
    }

    #[test]
    fn guesses_of_a_risk_that_nobody_knows_are_counted() {
        let mut tally = Tally::default();
        opens(&mut tally, 0.5);
        looks(&mut tally, "1#1", Status::Playing);
        opens(&mut tally, None);
        looks(&mut tally, "1X1", Status::Lost);
        tally.game_over(0, Outcome::Lost, Duration::from_secs(1));
        assert_eq!((tally.guesses, tally.survived, tally.expected()), (2, 1, None));
        assert_eq!(tally.lines(), ["guesses: 1 of 2 survived"]);
    }
}
