//! Learning the skin of the open game: what `calibrate` does without pictures, and `play` on a skin that nobody
//! knows.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use minescraper::learn::Outcome;
use minescraper::player::Learner;
use minescraper::recognize::Skin;
use minescraper::recognize::skin::GameWays;

use super::calibrate::{print_looks, tell_origin};
use super::desktop::Desk;
use super::output::say;

/// Learns the skin of the game on `desk` in at most `games` games, writes it into the folder `out`, and says
/// what is known and what is not.
///
/// # Errors
/// When nothing can be learned, and when what was learned is too little to play with; it is written all the same.
pub fn learn(
    desk: &mut Desk,
    name: &str,
    windows: Vec<String>,
    games: u32,
    out: &Path,
    stop: Arc<AtomicBool>,
) -> anyhow::Result<Skin> {
    let known = if out.exists() {
        Skin { name: name.to_owned(), ..Skin::described(out)? }
    } else {
        let game = GameWays { windows, ..GameWays::default() };
        Skin { name: name.to_owned(), game, ..Skin::default() }
    };
    let mut tell = |what: &str| eprintln!("{what}");
    let learner =
        Learner { screen: desk.screen.as_mut(), hands: desk.hands.as_mut(), stop, tell: &mut tell };
    let learned = learner.learn(known, games)?;
    let skin = learned.calibration.skin.clone();
    skin.save(out)?;
    let cut = format!(
        "Learned by `minescraper calibrate` from {} games of (program, version, theme).",
        learned.outcomes.len()
    );
    tell_origin(out, name, &cut)?;
    let won = learned.outcomes.iter().filter(|&&outcome| outcome == Outcome::Won).count();
    say!("learned in {} games, {won} of them won", learned.outcomes.len());
    print_looks(&learned.calibration);
    for left in &learned.unsure {
        let left: Vec<String> = left.iter().map(u8::to_string).collect();
        say!("unsure: a look that may be {}; it has no template yet", left.join(" or "));
    }
    let missing = learned.missing();
    if !missing.is_empty() {
        say!("not seen or not proven: {}", missing.join(" "));
    }
    if skin.game.new_game.is_none() {
        say!("not found: how a new game is started; name it in {}/skin.toml", out.display());
    }
    say!("written to {}", out.display());
    anyhow::ensure!(
        learned.is_playable(),
        "too little was learned to play with: {} are missing; run it again on a larger board",
        missing.join(" ")
    );
    Ok(skin)
}
