//! Plays a game on the virtual desktop, which needs no display: `cargo run --example virtual_game`.

use anyhow::Context;
use minescraper::Skin;
use minescraper::board::{FirstClick, Rules};
use minescraper::lab::virtual_desktop::{Setup, VirtualDesktop};
use minescraper::play::{Options, Player, Step, Watcher};
use minescraper::recognize::Reader;
use minescraper::solver::by_name;

/// Tells of each click.
struct Teller;

impl Watcher for Teller {
    fn clicking(&mut self, steps: &[Step], _: bool) {
        steps.iter().for_each(|step| println!("{step}"));
    }
}

fn main() -> anyhow::Result<()> {
    let skin = Skin::shipped().into_iter().next().context("this build has no skins")?;
    let rules = Rules::parse_level("beginner", FirstClick::Safe)?;
    let desktop = VirtualDesktop::new(skin.clone(), Setup::new(rules, 16, 7));
    let (mut screen, mut hands) = (desktop.screen(), desktop.hands());
    let mut strategy = by_name("best")?;
    let player = Player {
        screen: &mut screen,
        hands: &mut hands,
        reader: &Reader::new(vec![skin]),
        strategy: strategy.as_mut(),
        watcher: &mut Teller,
        stop: std::sync::Arc::default(),
    };
    let session = player.play(&Options::default());
    println!("{:?} after {} clicks", session.summary.outcomes, session.summary.clicks);
    session.trouble.map_or(Ok(()), |trouble| Err(trouble.into()))
}
