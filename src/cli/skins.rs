//! Which skins there are, and how large their cells are.

use anyhow::Context;

use minescraper::board::Cell;
use minescraper::recognize::{Skin, Template};

/// Every skin that a board may be read with.
pub fn all() -> anyhow::Result<Vec<Skin>> {
    Ok(Skin::shipped())
}

/// The skin of this name, or the first one.
pub fn named(name: Option<&str>) -> anyhow::Result<Skin> {
    let skins = all()?;
    let names: Vec<_> = skins.iter().map(|skin| skin.name.clone()).collect();
    let mut fitting = skins.into_iter().filter(|skin| name.is_none_or(|name| skin.name == name));
    fitting.next().with_context(|| match name {
        Some(name) if !names.is_empty() => {
            format!("no skin is called '{name}'; there are: {}", names.join(", "))
        }
        _ => "no skin is installed".to_owned(),
    })
}

/// The size of a cell in the skin's own pictures, its share of the gaps included.
pub fn own_size(skin: &Skin) -> u32 {
    let covered = |template: &&Template| template.cell == Cell::Covered;
    let side = skin.templates.iter().find(covered);
    let gap = skin.gap.map_or(0, |gap| gap.width);
    side.map_or(16, |template| template.picture.width() + gap)
}
