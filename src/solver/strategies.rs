//! The strategies by name.

use super::Strategy;
use super::best::Best;
use super::contradiction::Contradiction;
use super::exact::Exact;
use super::groups::Groups;
use super::helper_squares::{HelperSquares, Reach};
use super::implication::{Combination, Implication};
use super::single::Single;

type Make = fn() -> Box<dyn Strategy + Send>;

/// Every name with its strategy, from the weakest to the strongest.
const STRATEGIES: [(&str, Make); 10] = [
    ("single", || Box::<Single>::default()),
    ("near", || Box::new(HelperSquares::new(Reach::Near))),
    ("far", || Box::new(HelperSquares::new(Reach::Far))),
    ("contradiction", || Box::<Contradiction>::default()),
    ("implication-minimum", || Box::new(Implication::new(Combination::Minimum))),
    ("implication-maximum", || Box::new(Implication::new(Combination::Maximum))),
    ("implication-average", || Box::new(Implication::new(Combination::Average))),
    ("groups", || Box::<Groups>::default()),
    ("exact", || Box::<Exact>::default()),
    ("best", || Box::<Best>::default()),
];

/// Short names, each with the name it stands for.
const ALIASES: [(&str, &str); 1] = [("implication", "implication-average")];

/// The names of all strategies, from the weakest to the strongest.
pub fn strategies() -> impl Iterator<Item = &'static str> {
    STRATEGIES.iter().map(|&(name, _)| name)
}

/// Short names, each with the name it stands for.
pub fn short_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    ALIASES.into_iter()
}

/// The strategy called `name`, or by the short name `implication`, with the seed 0 until it is told of a
/// [new game](Strategy::new_game).
///
/// # Errors
/// When no strategy has that name; the error lists those there are.
///
/// # Examples
/// ```
/// use minescraper::solver::{Budget, by_name};
///
/// let mut strategy = by_name("single").unwrap();
/// let board = "#1\n11".parse().unwrap();
/// let advice = strategy.advise(&board, &mut Budget::nodes(0)).unwrap();
/// assert_eq!(advice.mined[0].pos, minescraper::board::Pos::new(0, 0));
/// ```
pub fn by_name(name: &str) -> Result<Box<dyn Strategy + Send>, UnknownStrategy> {
    let full = ALIASES.iter().find(|&&(alias, _)| alias == name).map_or(name, |&(_, full)| full);
    STRATEGIES
        .iter()
        .find(|&&(known, _)| known == full)
        .map(|(_, make)| make())
        .ok_or_else(|| UnknownStrategy(name.to_owned()))
}

/// A name that no strategy has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no strategy; use one of: {names}", names = names())]
pub struct UnknownStrategy(pub String);

fn names() -> String {
    strategies().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strategy_is_found_by_its_own_name() {
        for name in strategies() {
            assert_eq!(by_name(name).unwrap().name(), name);
        }
    }

    #[test]
    fn implication_alone_takes_the_average() {
        assert_eq!(by_name("implication").unwrap().name(), "implication-average");
    }

    #[test]
    fn an_unknown_name_is_told_the_names_there_are() {
        let error = by_name("Single").err().unwrap().to_string();
        assert!(strategies().all(|name| error.contains(name)), "{error}");
    }
}
