//! `play`: plays the open Minesweeper. Where its skin is not known, it is learned first, by playing.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

use minescraper::board::{Cell, Status};
use minescraper::capture::{CaptureError, Frame};
use minescraper::learn::from_play::{Grid, grids};
use minescraper::play::{
    Begun, EndedSession, Halted, Options, Outcome, PlayError, Studied, Summary,
};
use minescraper::recognize::{Lattice, ReadError, Reader, Reading, Skin, Tracker};

use super::desktop::{Desk, Session};
use super::learning::{Lesson, Start, Taught};
use super::session::{self, Audience, SessionArgs, StopArgs};
use super::{debug_image, desktop, learning, skins};

/// How many games learning an unknown skin may take.
const LEARNING_GAMES: u32 = 10;

/// What the names of skins begin with that `play` learns by itself.
const LEARNED: &str = "learned-";

/// How long a decision takes at most unless it is said otherwise, in milliseconds.
const THINK: u64 = 50;

/// The options of `play`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The window to play in, by its title, application or id [default: the one with a board in it]
    #[arg(long, value_name = "TITLE")]
    window: Option<String>,
    /// How many mines the board has, where the game does not show it
    #[arg(long, value_name = "N")]
    mines: Option<u32>,
    /// How long to think about one decision at most, in milliseconds [default: 50; in a dry run, which is in no
    /// hurry, as long as it takes]
    #[arg(long, value_name = "MS")]
    think: Option<u64>,
    /// Draw what is seen before the first click into this picture: the window, or the first monitor when
    /// there is no board
    #[arg(long, value_name = "PNG")]
    debug_image: Option<PathBuf>,
    #[command(flatten)]
    stop: StopArgs,
    #[command(flatten)]
    session: SessionArgs,
}

/// Plays on the desktop.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let skins = skins::all();
    let reader = Reader::new(skins.clone());
    let stop = session::stop_signal()?;
    let on = desktop::session()?;
    eprintln!("the desktop: {}", on.told());
    let _key = (!args.session.dry_run).then(|| args.stop.take_key(&on, &stop));
    let mut opened = desktop::open(&on, args.window.as_deref(), &skins, &reader);
    if let Some(path) = &args.debug_image {
        let frame = match &mut opened {
            Ok(desk) => desktop::look(desk.screen.as_mut())?,
            Err(_) => desktop::look_at_monitor(&on)?,
        };
        debug_image::write(path, &reader.survey(&frame), &frame)?;
    }
    let mut game = match opened {
        Ok(desk) => known(args, &on, desk, &skins, reader, &stop)?,
        // Where there is no such window, or a board that is known is cut off or covered, there is nothing to learn.
        Err(error) if args.session.dry_run || is_settled(&error) => return Err(error),
        // Whatever stood in the way, it is what is told if nothing can be learned.
        Err(error) => learn(args, &on, None, &skins, &stop)
            .map_err(|why| error.context(format!("{why:#}")))?,
    };
    let (mut before, mut audience) = (Summary::default(), Audience::new(stop.clone()));
    while let Some(session) = play(args, &mut game, before.clone(), &mut audience)? {
        if let Some(trouble) = &session.trouble {
            eprintln!("{trouble}");
        }
        let is_under_way = session.summary.outcomes.last() == Some(&Outcome::Abandoned);
        let is_lost = matches!(session.trouble, Some(PlayError::BoardLost { .. }));
        let halted = session.halted.as_ref().filter(|_| !is_lost);
        let begun = halted.map(|halted| begun(&halted.reading, is_under_way));
        let is_own = |skin: &Skin| game.studied.is_some() || is_own(skin);
        (game, before) = if let Some(wrong) = wrong_skin(args, &session, game.studied.as_ref()) {
            skins::throw_away(&wrong.name)?;
            drop(game);
            let left = skins.iter().filter(|skin| skin.name != wrong.name).cloned();
            let left: Vec<Skin> = left.collect();
            (learn(args, &on, begun, &left, &stop)?, session.summary)
        } else if let Some(halted) = session.unread().filter(|halted| is_own(&halted.reading.skin))
        {
            go_on(args, game, halted.clone(), session.summary, &stop)?
        } else {
            drop(game);
            (learn(args, &on, begun, &skins, &stop)?, before)
        };
    }
    Ok(())
}

/// A game that can be read.
struct Game {
    desk: Desk,
    reader: Reader,
    /// Where the board is, where its skin was learned just now.
    lattice: Option<Lattice>,
    /// Whether the game that shows was played to learn from: such do not count.
    is_used: bool,
    /// What was learned of it in this run.
    studied: Option<Studied>,
}

impl Game {
    /// One that is known.
    fn known(desk: Desk, reader: Reader) -> Self {
        Self { desk, reader, lattice: None, is_used: false, studied: None }
    }

    /// One of which the skin was just learned.
    fn taught(desk: Desk, taught: Taught) -> Self {
        let reader = Reader::new(vec![taught.skin().clone()]);
        let Taught { lattice, has_begun, studied, .. } = taught;
        Self { desk, reader, lattice: Some(lattice), is_used: !has_begun, studied: Some(studied) }
    }
}

/// Plays the `game`, after what was played `before`. Returns how that ended where more can be learned of it.
fn play(
    args: &Args,
    game: &mut Game,
    before: Summary,
    audience: &mut Audience,
) -> anyhow::Result<Option<EndedSession>> {
    let Game { desk, reader, lattice, is_used: anew, studied } = game;
    let (screen, hands) = (desk.screen.as_mut(), desk.hands.as_mut());
    let names = &desk.names;
    let think = args.think.or((!args.session.dry_run).then_some(THINK)).map(Duration::from_millis);
    let (learns, lattice) = (skins::own(), lattice.clone());
    let more = studied.as_ref().is_none_or(|studied| studied.games() < LEARNING_GAMES as usize);
    let may_learn = |session: &EndedSession| {
        // A window that is none of the dialogs which are known is left to the person.
        let is_covered = matches!(session.trouble, Some(PlayError::Covered { .. }));
        let knows_dialogs = |skin: &Skin| studied.is_none() && !skin.game.dialogs.is_empty();
        let has_more = session.unread().is_some_and(|halted| {
            let skin = &halted.reading.skin;
            (studied.is_some() || is_own(skin)) && !(is_covered && knows_dialogs(skin))
        });
        let is_another = studied.is_none() && is_another_skin(session, names);
        let is_wrong = wrong_skin(args, session, studied.as_ref()).is_some();
        !args.session.dry_run && more && (has_more || is_another || is_wrong)
    };
    let own = args.session.options(args.mines);
    let options = Options { think, lattice, anew: *anew, learns, before, ..own };
    args.session.play(screen, hands, reader, &options, audience, may_learn)
}

/// The skin that a session was ended by, where it is one that `play` learned before, and cells were read wrong with it. One that
/// was learned in this run would be learned no better again, and mines that a person told may be the mistake.
fn wrong_skin<'s>(
    args: &Args,
    session: &'s EndedSession,
    studied: Option<&Studied>,
) -> Option<&'s Skin> {
    let skin = &session.halted.as_ref().filter(|_| session.is_misread())?.reading.skin;
    let is_learned = skin.name.starts_with(LEARNED) && is_own(skin);
    (is_learned && studied.is_none() && args.mines.is_none()).then_some(skin)
}

/// Whether a skin is one of the user's own.
fn is_own(skin: &Skin) -> bool {
    skins::own().contains(&skin.name)
}

/// Goes on with a game in which the player has `halted`, until it is over, and learns from it what could not be read. Returns
/// what was played with that.
fn go_on(
    args: &Args,
    game: Game,
    halted: Halted,
    played: Summary,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<(Game, Summary)> {
    let Game { mut desk, studied, .. } = game;
    let name = halted.reading.skin.name.clone();
    eprintln!("going on with this game, to learn what that shows");
    let start = Start::Halted(Box::new((studied, halted)));
    let taught = teach(args, &mut desk, &name, start, stop)?;
    let mut played = played;
    if let Some(ended) = taught.last {
        played.went_on(ended);
    }
    Ok((Game::taught(desk, taught), played))
}

/// The game on `desk` with a reader that knows its skin: one that is learned if need be. Then it is known where the board
/// is.
fn known(
    args: &Args,
    on: &Session,
    mut desk: Desk,
    skins: &[Skin],
    reader: Reader,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<Game> {
    let named = skins.iter().filter(|skin| skin.game.is_named(&desk.names)).cloned();
    let named: Vec<Skin> = named.collect();
    let may_be_hidden = !named.is_empty();
    if may_be_hidden {
        let reader = Reader::new(named);
        let frame = desktop::look(desk.screen.as_mut())?;
        if let Ok([found, ..]) = reader.find(&frame).as_deref()
            && is_sure(&reader, &frame, found, &desk.names)
        {
            return Ok(Game::known(desk, reader));
        }
    }
    let start = Instant::now();
    // Its cells may be where those of a skin are that it has not.
    let mut alike = None;
    let (frame, is_unknown) = loop {
        let is_early = start.elapsed() < desktop::PATIENCE;
        let frame = desktop::look(desk.screen.as_mut())?;
        let is_unknown = match reader.find(&frame).as_deref() {
            Ok([found, ..]) => {
                alike = Some(Begun { grid: grid_of(found), covered: Vec::new() });
                !is_sure(&reader, &frame, found, &desk.names)
            }
            // A known game may have a message over a board that is finished.
            Ok([]) | Err(ReadError::NoBoard { .. }) => {
                if may_be_hidden && is_early && !stop.load(Ordering::Relaxed) {
                    thread::sleep(desktop::PAUSE);
                    continue;
                }
                true
            }
            // No window of a game that is known shows a part of its board.
            Err(_) => !may_be_hidden && !desk.names.is_empty(),
        };
        break (frame, is_unknown);
    };
    let is_found = !grids(&frame).is_empty();
    if !is_unknown || args.session.dry_run || (alike.is_none() && !is_found) {
        return Ok(Game::known(desk, reader));
    }
    drop(desk);
    learn(args, on, alike.filter(|_| !is_found), skins, stop)
}

/// Where the cells of a board are.
fn grid_of(found: &Reading) -> Grid {
    Grid { gap: found.skin.gap, lattice: found.lattice.clone(), is_whole: true }
}

/// Whether a session ended at the first board, since cells that the player opened do not look as in the skin that the covered
/// ones have: many programs draw only these alike. That the first click moves the board out of sight, that a lost game cannot be
/// left as the skin says, or, in a window of another program, that what came up is impossible, tells that as well.
fn is_another_skin(session: &EndedSession, names: &[String]) -> bool {
    let Summary { games: 1, clicks: 1.., outcomes, .. } = &session.summary else { return false };
    let is_named = |halted: &Halted| halted.reading.skin.game.is_named(names);
    match session.trouble {
        Some(PlayError::Unclear { .. } | PlayError::BoardHidden) => {
            outcomes[..] == [Outcome::Abandoned]
        }
        Some(PlayError::BoardLost { .. }) => session.summary.clicks == 1,
        Some(PlayError::NewGameDoesNotShow { .. }) => outcomes[..] == [Outcome::Lost],
        Some(PlayError::ForeignMine { .. } | PlayError::Solve(_)) => {
            !names.is_empty() && !session.halted.as_ref().is_none_or(is_named)
        }
        _ => false,
    }
}

/// The board of a game that was taken for one of another skin: where its cells are, and which of them are covered while it
/// `is_under_way`, is as that skin said.
fn begun(reading: &Reading, is_under_way: bool) -> Begun {
    let Reading { board, .. } = reading;
    let is_covered = |&pos: &_| is_under_way && board[pos] == Cell::Covered;
    Begun { grid: grid_of(reading), covered: board.positions().filter(is_covered).collect() }
}

/// Whether what kept a board from being found has nothing to do with its skin.
fn is_settled(error: &anyhow::Error) -> bool {
    error.is::<CaptureError>() || error.is::<ReadError>() || error.is::<PlayError>()
}

/// Whether a board has the skin that it looks like. Many programs draw covered cells alike and numbers otherwise, so of one
/// without numbers the name of its window has to be the skin's, too. In other colours it may have many skins: numbers may be drawn in
/// colours that do not follow from those of covered cells, and in a window of another name they are those of another program.
fn is_sure(reader: &Reader, frame: &Frame, found: &Reading, names: &[String]) -> bool {
    let has_own_colours = || {
        let seen = Tracker::new(reader, frame, found.clone());
        // In the colours of the skin its cells may be none of those that were found in others.
        let is_lost = seen.reading().status == Status::Hidden && found.status != Status::Hidden;
        !is_lost && (seen.is_plain() || !seen.is_recoloured())
    };
    // The pointer may hide a cell of a fresh one.
    let has_numbers = found.board.count(|cell| cell.number().is_some()) > 0;
    match (has_numbers, found.skin.game.is_named(names)) {
        _ if names.is_empty() => true,
        (true, true) => true,
        (false, false) => false,
        _ => has_own_colours(),
    }
}

/// Learns the skin of the open game, which nobody knows, by playing it; what is known of its board is `begun`.
fn learn(
    args: &Args,
    on: &Session,
    begun: Option<Begun>,
    skins: &[Skin],
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<Game> {
    let mut desk = desktop::open_unknown(on, args.window.as_deref(), skins)?;
    let name = new_name(desk.names.first().map_or("game", String::as_str))?;
    eprintln!("this board has a skin that is not known; learning it as '{name}'");
    let taught = teach(args, &mut desk, &name, Start::Unknown(begun), stop)?;
    Ok(Game::taught(desk, taught))
}

/// A lesson that begins so: what it takes to play.
fn teach(
    args: &Args,
    desk: &mut Desk,
    name: &str,
    start: Start,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<Taught> {
    let out = skins::folder()?.join(name);
    let pace = args.session.pace().unwrap_or_default();
    let (games, is_thorough, asks) = (LEARNING_GAMES, false, false);
    let lesson = Lesson { name, out: &out, start, games, is_thorough, asks, pace };
    let taught = learning::learn(desk, lesson, stop.clone())?;
    taught.lines().iter().for_each(|line| eprintln!("{line}"));
    taught.enough()
}

/// A name for the skin of the program `app` that no skin has yet.
fn new_name(app: &str) -> anyhow::Result<String> {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let stem: String = app.chars().map(letter).collect();
    let folder = skins::folder()?;
    let names = (1..).map(|number| match number {
        1 => format!("{LEARNED}{stem}"),
        _ => format!("{LEARNED}{stem}-{number}"),
    });
    let mut free = names.filter(|name| !folder.join(name).exists());
    free.next().context("there is no name left for a skin")
}
