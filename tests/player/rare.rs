//! A skin that lacks a number learns it in play.

use std::time::Duration;

use minescraper::Skin;
use minescraper::board::{Board, Cell, Pos};
use minescraper::lab::virtual_desktop::Mishap;
use minescraper::play::{PlayError, Step, Watcher};
use minescraper::recognize::Template;

use crate::scene::{Played, Scene, winnable};
use crate::skin;

/// What was learned.
#[derive(Default)]
struct Learned(Vec<(Skin, Vec<u8>)>);

impl Watcher for Learned {
    fn learned(&mut self, skin: &Skin, numbers: &[u8]) {
        self.0.push((skin.clone(), numbers.to_vec()));
    }
}

/// The same skin without some numbers.
fn without(skin: &Skin, numbers: &[u8]) -> Skin {
    let is_left =
        |template: &&Template| template.cell.number().is_none_or(|n| !numbers.contains(&n));
    Skin { templates: skin.templates.iter().filter(is_left).cloned().collect(), ..skin.clone() }
}

/// Plays with a skin that lacks `numbers`, which may learn them or not.
fn play(scene: &mut Scene, numbers: &[u8], learns: bool) -> (Played, Learned) {
    let full = skin::skin(scene.ways.clone());
    scene.options.learns = if learns { vec![full.name.clone()] } else { Vec::new() };
    let mut learned = Learned::default();
    let played = scene.play_read_by(full.clone(), without(&full, numbers), &mut learned);
    (played, learned)
}

#[test]
fn a_number_that_the_skin_lacks_is_played_around_and_learned() {
    for numbers in [&[3][..], &[4]] {
        let mut scene = Scene::new("intermediate").seed(3).games(25);
        let (played, learned) = play(&mut scene, numbers, true);
        let summary = &played.session.summary;
        println!("{numbers:?}: {:?} {:?}", summary.outcomes, played.session.trouble);
        let full = skin::skin(scene.ways.clone());
        for (skin, new) in &learned.0 {
            println!("  learned {new:?}");
            assert!(!new.is_empty() && new.iter().all(|number| numbers.contains(number)));
            // The game is painted in the size of the templates.
            for template in &skin.templates {
                assert!(full.templates.contains(template), "{:?}", template.cell);
            }
        }
        let played = played.cleanly();
        assert_eq!(played.session.summary.games, 25);
        let (last, _) = learned.0.last().expect("something is learned");
        let has = |number| last.templates.iter().any(|t| t.cell == Cell::open(number));
        assert!(has(numbers[0]));
        // What is learned is known from there on.
        let times = learned.0.iter().filter(|(_, new)| new.contains(&numbers[0])).count();
        assert_eq!(times, 1);
    }
}

#[test]
fn a_shipped_skin_is_not_added_to() {
    let mut scene = winnable("intermediate");
    let (played, learned) = play(&mut scene, &[2], false);
    assert!(matches!(played.trouble(), PlayError::Unclear { .. }));
    assert!(learned.0.is_empty());
    assert_eq!(played.desktop.game().view().count(Cell::is_end), 0);
}

/// Where the first click went.
#[derive(Default)]
struct FirstClick(Option<Pos>);

impl Watcher for FirstClick {
    fn clicking(&mut self, steps: &[Step], _: bool) {
        self.0 = self.0.or(steps.first().map(|step| step.pos));
    }
}

#[test]
fn cells_that_become_clear_while_they_are_watched_cost_no_game() {
    for seed in 0..20 {
        let scene = Scene::new("intermediate").seed(seed);
        let mut first = FirstClick::default();
        scene.play_watched(&mut first);
        let first = first.0.expect("a cell is clicked");
        let around: Vec<Pos> = Board::new(16, 16).neighbours(first).collect();
        let smudge = |&pos: &Pos| (1, Mishap::Smudge(pos, Duration::from_millis(250)));
        let mishaps = around.iter().map(smudge).collect();
        let mut scene = scene.unkind(|unkind| unkind.mishaps = mishaps);
        let played = play(&mut scene, &[8], true).0.cleanly();
        assert_eq!(played.session.summary.games, 1);
    }
}
