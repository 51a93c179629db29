//! Which skins there are.

use anyhow::{Context, bail};

use minescraper::recognize::Skin;

/// Every skin that a board may be read with.
pub fn all() -> anyhow::Result<Vec<Skin>> {
    Ok(Vec::new())
}

/// The skin of this name.
pub fn named(name: &str) -> anyhow::Result<Skin> {
    let skins = all()?;
    let names: Vec<_> = skins.iter().map(|skin| skin.name.clone()).collect();
    if names.is_empty() {
        bail!("no skin is installed");
    }
    skins
        .into_iter()
        .find(|skin| skin.name == name)
        .with_context(|| {
            format!(
                "no skin is called '{name}'; there are: {}",
                names.join(", ")
            )
        })
}
