//! What is answered of a board, for a person and for a program.

use serde_json::{Value, json};

use minescraper::board::{Board, Cell, MineCount, Pos};
use minescraper::play;
use minescraper::solver::odds::{Odds, OddsKind, Position, Workspace};
use minescraper::solver::{Advice, Budget, Prospect, Prospects, Reason, SolveError, Strategy};

use crate::cli::drawing::{Drawing, wrapped};
use crate::cli::read::mines_from;
use crate::cli::session::{guessed, reason};

/// How many other guesses are told.
const RUNNERS_UP: usize = 4;

/// A board, and all that is answered of it.
pub struct Answer {
    pub board: Board,
    pub advice: Advice,
    pub odds: Odds,
    pub prospects: Prospects,
}

/// Something to do that is certain or chosen, and why.
#[derive(Clone, Copy)]
struct Move {
    pos: Pos,
    action: &'static str,
    reason: Reason,
}

impl Answer {
    /// Has the `strategy` decide, and works out what other guesses would bring.
    pub fn of(board: Board, strategy: &mut dyn Strategy) -> Result<Self, SolveError> {
        let budget = || Budget::nodes(play::Options::default().nodes);
        let advice = strategy.advise(&board, &mut budget())?;
        let mut odds = match &advice.odds {
            Some(odds) => odds.clone(),
            // Where something is proven, or the method knows none, the odds are still worth knowing.
            None => Position::of(&board, &mut Workspace::default(), &mut budget())?.odds(&board),
        };
        if let Some(guess) = advice.guess.filter(|_| board.is_promised_safe()) {
            // Whichever cell is opened first, the mines come to lie elsewhere.
            odds.cells[board.index(guess.pos)] = Some(0.0);
        }
        let mut prospects = Prospects::of(&board, &mut budget())?;
        // What the strategy itself expects of its own move counts.
        prospects.win_chance = advice.win_chance.or(prospects.win_chance);
        Ok(Self { board, advice, odds, prospects })
    }

    /// All that is certain: safe cells to open, mines to flag that have no flag yet.
    fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        let open = self.advice.safe.iter().map(|proof| ("open", proof));
        let is_unflagged = |pos: Pos| self.board[pos] != Cell::Flagged;
        let unflagged = self.advice.mined.iter().filter(move |proof| is_unflagged(proof.pos));
        let certain = open.chain(unflagged.map(|proof| ("flag", proof)));
        certain.map(|(action, proof)| Move { pos: proof.pos, action, reason: proof.reason })
    }

    /// The move to make: a safe cell, else the guess, else a flag.
    fn best(&self) -> Option<Move> {
        let guess = self.advice.guess;
        let guess =
            guess.map(|guess| Move { pos: guess.pos, action: "open", reason: guess.reason });
        guess.or_else(|| self.moves().next())
    }

    /// The cells that are proven safe, and those that are proven mines and have no flag.
    pub fn proven(&self) -> [Vec<Pos>; 2] {
        ["open", "flag"].map(|action| {
            self.moves().filter(|step| step.action == action).map(|step| step.pos).collect()
        })
    }

    /// The cell to open next.
    pub fn to_open(&self) -> Option<Pos> {
        self.best().filter(|step| step.action == "open").map(|step| step.pos)
    }

    /// The other guesses that are worth a look, the best first.
    fn runners_up(&self) -> impl Iterator<Item = &Prospect> + '_ {
        let chosen = self.advice.guess.map(|guess| guess.pos);
        let guesses = self.prospects.guesses.iter();
        guesses.filter(move |guess| chosen.is_some() && Some(guess.pos) != chosen).take(RUNNERS_UP)
    }

    /// What a person reads: the move first, then what else there is to know.
    pub fn told(&self) -> Vec<String> {
        let mut lines = Vec::new();
        match (&self.advice.guess, self.best()) {
            (Some(guess), _) => {
                lines.push(format!("open {}: {}", guess.pos, guessed(&self.board, guess)));
                self.compare(&mut lines);
            }
            (None, Some(Move { pos, action, reason })) => {
                lines.push(format!("{action} {pos}: {reason}"))
            }
            (None, None) => return vec!["nothing is left to open or to flag".to_owned()],
        }
        let safe: Vec<Pos> = self.advice.safe.iter().skip(1).map(|proof| proof.pos).collect();
        if !safe.is_empty() {
            lines.push(format!("safe too: {}", listed(&safe)));
        }
        let mines: Vec<Pos> =
            self.moves().filter(|step| step.action == "flag").map(|step| step.pos).collect();
        if !mines.is_empty() {
            lines.push(format!("mines without a flag: {}", listed(&mines)));
        }
        for [one, other] in &self.prospects.fifty_fifties {
            lines.push(format!("50/50: {one} or {other} is a mine, and nothing will tell which"));
        }
        if self.advice.guess.is_some() && !self.prospects.dead.is_empty() {
            lines.push(format!(
                "dead, which tell nothing when opened: {}",
                listed(&self.prospects.dead)
            ));
        }
        match self.prospects.win_chance {
            Some(chance) => lines.push(format!("chance to win: {}", percent(chance))),
            // The mines are not where they will be.
            None if self.board.is_promised_safe() => {
                lines.push("chance to win: told after the first click".to_owned());
            }
            None => {}
        }
        lines.push(self.mines());
        lines
    }

    /// How many mines are reckoned with, and how that is known.
    fn mines(&self) -> String {
        match self.board.mines {
            MineCount::Read(mines) => format!("mines: {mines}, as the counter says"),
            MineCount::Given(mines) => format!("mines: {mines}, as given"),
            MineCount::Assumed(mines) => {
                format!(
                    "mines: {mines}, as boards of this size usually have; --mines N makes it certain"
                )
            }
            MineCount::Unknown => "mines: how many is not known; --mines N tells".to_owned(),
        }
    }

    /// The guess beside the next best ones.
    fn compare(&self, lines: &mut Vec<String>) {
        let Some(guess) = self.advice.guess else { return };
        let chosen = self.prospects.guesses.iter().find(|prospect| prospect.pos == guess.pos);
        let others: Vec<&Prospect> = chosen.into_iter().chain(self.runners_up()).collect();
        if others.is_empty() {
            return;
        }
        lines.push(String::new());
        let head = ["cell", "to win", "a mine", "opens a region", "a safe cell next"];
        lines.push(format!(
            "{:>10} {:>9} {:>9} {:>15} {:>17}",
            head[0], head[1], head[2], head[3], head[4]
        ));
        for Prospect { pos, risk, win_chance, opens_region, goes_on } in others {
            let [win, mine, region, next] =
                [win_chance, risk, opens_region, goes_on].map(|&chance| percent(chance));
            lines.push(format!(
                "{:>10} {win:>9} {mine:>9} {region:>15} {next:>17}",
                pos.to_string()
            ));
        }
        lines.push(String::new());
    }

    /// The board, below a line that parts it from what is told, for a terminal of so many columns; nothing when all is done.
    pub fn drawing(&self, is_plain: bool, columns: usize) -> Vec<String> {
        if self.best().is_none() {
            return Vec::new();
        }
        let chosen: Vec<Pos> = self.to_open().into_iter().collect();
        let (board, odds) = (&self.board, Some(&self.odds));
        let mut drawing = Drawing { board, odds, chosen: &chosen, is_plain, is_narrow: false };
        drawing.is_narrow = drawing.width() > columns;
        let legend = format!("cells are (column, row) from 0; {}", drawing.legend());
        let lines = std::iter::once(String::new()).chain(drawing.lines());
        lines.chain(wrapped(&legend, columns)).collect()
    }

    /// What a program reads.
    pub fn as_json(&self) -> Value {
        let told = |step: &Move| {
            json!({ "col": step.pos.col, "row": step.pos.row, "action": step.action,
                "reason": step.reason.to_string() })
        };
        let cell = |pos: &Pos| json!({ "col": pos.col, "row": pos.row });
        let best = self.best();
        let cells = &self.odds.cells;
        let runners_up = self.runners_up().map(|guess| {
            let Prospect { pos, risk, win_chance, opens_region, goes_on } = guess;
            json!({ "col": pos.col, "row": pos.row, "risk": risk, "win_chance": win_chance,
                "opens_region": opens_region, "goes_on": goes_on })
        });
        json!({
            "move": best.map(|step| json!({ "col": step.pos.col, "row": step.pos.row, "action": step.action })),
            "moves": self.moves().map(|step| told(&step)).collect::<Vec<_>>(),
            "certain": self.advice.guess.is_none(),
            "reason": best.map(|best| reason(&self.board, best.reason)),
            "risk": self.advice.risk(),
            "mines": self.board.mines.likely(),
            "mines_from": mines_from(self.board.mines),
            "win_chance": self.prospects.win_chance,
            "odds": cells.chunks(usize::from(self.board.cols())).map(<[_]>::to_vec).collect::<Vec<_>>(),
            "odds_kind": match self.odds.kind {
                OddsKind::Exact => "exact",
                OddsKind::Sampled => "sampled",
            },
            "runners_up": runners_up.collect::<Vec<_>>(),
            "fifty_fifties": self.prospects.fifty_fifties.iter().map(|pair| pair.iter().map(cell).collect()).collect::<Vec<Vec<_>>>(),
            "dead": self.prospects.dead.iter().map(cell).collect::<Vec<_>>(),
        })
    }
}

fn listed(cells: &[Pos]) -> String {
    cells.iter().map(Pos::to_string).collect::<Vec<_>>().join(" ")
}

fn percent(chance: f64) -> String {
    format!("{:.1} %", 100.0 * chance)
}
