//! The page of a recording: a board to scrub through, with its odds, every move with its reason, and the chance to win.

use serde::Serialize;

use super::page;
use super::screen::Screen;
use crate::board::{Board, FirstClick, Pos};
use crate::capture::load_picture;
use crate::lab::replay::{RecordedGame, RecordedSession, RecordedStep, Recording};
use crate::lab::stats::bbbv;
use crate::play::Outcome;
use crate::solver::best::{Evaluation, Features};
use crate::solver::odds::{OddsKind, Position, Workspace};
use crate::solver::{Advice, Budget, Reason};

/// Odds are given in so many parts. The first and the last say that it is proven.
const PARTS: f64 = 200.0;
/// Stands for a cell without odds.
const NO_ODDS: u8 = 255;

/// The data of the page.
#[derive(Serialize)]
struct Data<'a> {
    name: &'a str,
    /// What has to be said of the whole recording.
    warning: Option<String>,
    games: Vec<Game>,
}

#[derive(Serialize)]
struct Game {
    /// Its name in the menu.
    name: String,
    cols: u16,
    rows: u16,
    /// The header of the text form of its boards.
    header: String,
    summary: Vec<(&'static str, String)>,
    steps: Vec<Step>,
    screen: Screen,
}

#[derive(Serialize)]
struct Step {
    title: String,
    /// The symbols of the text form, row by row without a break.
    cells: String,
    /// Two hexadecimal digits a cell, in [`PARTS`]; `None` where they are not known.
    odds: Option<String>,
    /// Whether the odds are an estimate.
    sampled: bool,
    /// The chance to win, from 0 to 1, where one is known.
    chance: Option<f64>,
    /// The cell to guess, counted row by row.
    guess: Option<usize>,
    /// The cells to open, each set with its reason.
    moves: Vec<Move>,
    /// What the screen showed, counted in the pictures of the game.
    picture: Option<usize>,
}

#[derive(Serialize)]
struct Move {
    cells: Vec<usize>,
    reason: String,
}

/// The page of `recording`, as HTML in one file; it calls the recording by `name`. Odds and chances to win are worked out on
/// the recorded boards: at a guess the chance is what the strategy saw, if it saw one, else what
/// [`best`](crate::solver::best) thinks of the position.
pub fn of_recording(recording: &Recording, name: &str) -> String {
    let mut judge = Judge {
        workspace: Workspace::default(),
        evaluation: Evaluation::learned(),
        nodes: recording.session.as_ref().map_or(0, |session| session.nodes),
    };
    let games = (1..).zip(&recording.games);
    let games = games.filter_map(|(number, game)| judge.game(recording, game, number));
    let data = Data { name, warning: warning(recording), games: games.collect() };
    page(include_str!("replay.html"), include_str!("replay.js"), &data)
}

fn warning(recording: &Recording) -> Option<String> {
    let changed = match recording.differences.len() {
        0 => None,
        differ => Some(format!(
            "{differ} of {} decisions come out otherwise today; the moves shown are those of today.",
            recording.decisions
        )),
    };
    let missing = match recording.flaws.len() {
        0 => None,
        flaws => Some(format!("The recording is not whole: {flaws} things are missing from it.")),
    };
    let told: Vec<String> = changed.into_iter().chain(missing).collect();
    (!told.is_empty()).then(|| told.join(" "))
}

/// Who works out odds and chances.
struct Judge {
    workspace: Workspace,
    evaluation: Evaluation,
    nodes: u64,
}

impl Judge {
    /// The game with this number, from 1; none where nothing was decided in it.
    fn game(&mut self, recording: &Recording, game: &RecordedGame, number: usize) -> Option<Game> {
        let mut screen = Screen::default();
        let mut picture = |frame: Option<usize>| {
            let picture = load_picture(&recording.cases.get(frame?)?.picture);
            screen.add(picture.ok()?.pixels)
        };
        let step = |step: &RecordedStep| Step { picture: picture(step.frame), ..self.step(step) };
        let mut steps: Vec<Step> = game.moves().map(step).collect();
        let first = &game.steps.first()?.board;
        let cases = recording.cases.get(game.frames.clone()).unwrap_or_default();
        // What the last move came to is in the last picture, which nothing was decided on.
        let last = cases.last().map(|case| &case.board).filter(|last| same_size(last, first));
        let is_after = |last: &&Board| game.steps.last().is_some_and(|step| step.board != **last);
        if let Some(last) = last.filter(is_after) {
            let picture = picture(game.frames.end.checked_sub(1));
            let end = self.end(last, game.over.map(|(outcome, _)| outcome));
            steps.push(Step { picture, ..end });
        }
        let outcome =
            game.over.map_or("not finished".to_owned(), |(outcome, _)| outcome.to_string());
        Some(Game {
            name: format!("{number}: {outcome}, {} steps", steps.len()),
            cols: first.cols(),
            rows: first.rows(),
            header: first.to_string().lines().take(1).collect(),
            summary: summary(recording.session.as_ref(), game, last, outcome),
            steps,
            screen,
        })
    }

    fn step(&mut self, step: &RecordedStep) -> Step {
        let RecordedStep { board, advice, .. } = step;
        let chance = advice.as_ref().and_then(|advice| advice.win_chance);
        let moves = advice.as_ref().map(|advice| moves(board, advice)).unwrap_or_default();
        let guess = advice.as_ref().and_then(|advice| advice.guess);
        let mut told = self.board(board);
        told.title = match (&guess, advice) {
            (Some(guess), _) => format!("open {}: {guess}", guess.pos),
            (None, Some(Advice { safe, .. })) if safe.len() == 1 => "open 1 safe cell".to_owned(),
            (None, Some(Advice { safe, .. })) => format!("open {} safe cells", safe.len()),
            (None, None) => "no advice".to_owned(),
        };
        told.chance = chance.or(told.chance);
        told.guess = guess.map(|guess| board.index(guess.pos));
        told.moves = moves;
        told
    }

    /// The board after the last move.
    fn end(&mut self, board: &Board, outcome: Option<Outcome>) -> Step {
        let told = self.board(board);
        let (title, chance) = match outcome {
            Some(Outcome::Won) => ("the game is won", Some(1.0)),
            Some(Outcome::Lost) => ("the game is lost", Some(0.0)),
            Some(Outcome::Abandoned) => ("the game was abandoned", told.chance),
            None => ("the recording ends", told.chance),
        };
        Step { title: title.to_owned(), chance, ..told }
    }

    /// A board with its odds and the chance to win from there.
    fn board(&mut self, board: &Board) -> Step {
        let mut budget = Budget::nodes(self.nodes);
        let is_over = board.iter().any(|(_, cell)| cell.is_end());
        let position = Position::of(board, &mut self.workspace, &mut budget);
        let position = position.ok().filter(|_| !is_over);
        let odds = position.as_ref().map(|position| position.odds(board));
        Step {
            title: String::new(),
            cells: board.cells().iter().map(|cell| cell.symbol()).collect(),
            odds: odds.as_ref().map(|odds| odds.cells.iter().copied().map(in_parts).collect()),
            sampled: odds.is_some_and(|odds| odds.kind == OddsKind::Sampled),
            chance: position.map(|position| self.chance(&position, board)),
            guess: None,
            moves: Vec::new(),
            picture: None,
        }
    }

    fn chance(&self, position: &Position, board: &Board) -> f64 {
        let is_proven = |pos: Pos| matches!(position.mine_chance(pos), None | Some(0.0 | 1.0));
        let unopened = board.iter().filter(|(_, cell)| cell.is_unopened());
        if unopened.map(|(pos, _)| pos).all(is_proven) {
            return 1.0;
        }
        self.evaluation.win_chance(&Features::of(position))
    }
}

fn same_size(one: &Board, other: &Board) -> bool {
    (one.cols(), one.rows()) == (other.cols(), other.rows())
}

/// The chance of a mine as two hexadecimal digits.
fn in_parts(chance: Option<f64>) -> String {
    let parts = match chance {
        None => NO_ODDS,
        Some(0.0) => 0,
        Some(1.0) => PARTS as u8,
        Some(chance) => (PARTS * chance).round().clamp(1.0, PARTS - 1.0) as u8,
    };
    format!("{parts:02x}")
}

/// What to open, and why: cells with the same reason together, in the order of the first ones.
fn moves(board: &Board, advice: &Advice) -> Vec<Move> {
    let mut moves: Vec<(Reason, Vec<usize>)> = Vec::new();
    for proof in &advice.safe {
        let cell = board.index(proof.pos);
        match moves.iter_mut().find(|(reason, _)| *reason == proof.reason) {
            Some((_, cells)) => cells.push(cell),
            None => moves.push((proof.reason, vec![cell])),
        }
    }
    let proven = moves.into_iter();
    let proven = proven.map(|(reason, cells)| Move { cells, reason: reason.to_string() });
    let guess = advice.guess.iter();
    let guess =
        guess.map(|guess| Move { cells: vec![board.index(guess.pos)], reason: guess.to_string() });
    proven.chain(guess).collect()
}

/// What is to be said of the whole game. `last` is its last board.
fn summary(
    session: Option<&RecordedSession>,
    game: &RecordedGame,
    last: Option<&Board>,
    outcome: String,
) -> Vec<(&'static str, String)> {
    let clicks: usize = game.steps.iter().map(|step| step.clicks).sum();
    let guesses = game.moves().filter(|step| !is_promised(&step.board));
    let guesses = guesses.filter_map(|step| step.advice.as_ref()?.guess);
    let risks: Vec<Option<f64>> = guesses.map(|guess| guess.risk).collect();
    // A risk that is not known makes the chance unknown.
    let survived = risks.iter().copied().try_fold(1.0, |all, risk| Some(all * (1.0 - risk?)));
    let seconds = game.over.map(|(_, seconds)| seconds);
    let mut told = vec![("Outcome", outcome)];
    told.extend(seconds.map(|seconds| ("Time", format!("{seconds:.2} s"))));
    if let (Some((Outcome::Won, seconds)), Some(last)) = (game.over, last) {
        let bbbv = bbbv(last);
        let speed = if seconds > 0.0 { f64::from(bbbv) / seconds } else { 0.0 };
        told.push(("3BV", format!("{bbbv} ({speed:.1} a second)")));
    }
    told.push(("Clicks", clicks.to_string()));
    told.push(match survived {
        Some(chance) if !risks.is_empty() => (
            "Guesses",
            format!("{}, with a chance of {:.1} % to survive them", risks.len(), 100.0 * chance),
        ),
        _ => ("Guesses", risks.len().to_string()),
    });
    // What was decided on knows what earlier pictures told.
    let mines = game.steps.last().and_then(|step| step.board.mines.likely());
    told.extend(mines.map(|mines| ("Mines", mines.to_string())));
    told.extend(session.map(|session| ("Strategy", session.strategy.clone())));
    told.extend(session.map(|session| ("Seed", session.seed.to_string())));
    told
}

/// Whether the next click is the first one, and cannot hit a mine.
fn is_promised(board: &Board) -> bool {
    board.is_fresh() && matches!(board.first_click, Some(FirstClick::Safe | FirstClick::Opens))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_proven_has_the_first_or_the_last_part_of_the_odds() {
        let told = [None, Some(0.0), Some(1e-9), Some(0.5), Some(1.0 - 1e-9), Some(1.0)];
        assert_eq!(told.map(in_parts), ["ff", "00", "01", "64", "c7", "c8"]);
    }

    #[test]
    fn cells_with_one_reason_are_one_move() {
        let board: Board = "minescraper 4x2 mines=2\n#1##\n11##\n".parse().unwrap();
        let mut strategy = crate::solver::by_name("exact").unwrap();
        let advice = strategy.advise(&board, &mut Budget::nodes(1000)).unwrap();
        let moves = moves(&board, &advice);
        let told: Vec<(&[usize], &str)> =
            moves.iter().map(|told| (&told.cells[..], &told.reason[..])).collect();
        assert_eq!(told, [(&[2, 6][..], "the number at (1, 1) has all its mines already")]);
    }
}
