//! What is said of a skin that was just made: beside its pictures, and to the person who made it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use minescraper::learn::from_labels::Calibration;
use minescraper::recognize::GamePhase;

/// A skin's folder says where its pictures come from; the person who made it knows the rest.
pub fn tell_origin(folder: &Path, name: &str, cut: &str) -> anyhow::Result<()> {
    let path = folder.join("README.md");
    if path.exists() {
        return Ok(());
    }
    let text = format!(
        "# Skin: {name}\n\n{cut}\n\nLicence of the pictures: (that of the program's artwork).\n"
    );
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// What a skin has templates of, and how well they separate, in lines.
pub fn looks(made: &Calibration) -> Vec<String> {
    let mut looks: BTreeMap<char, usize> = BTreeMap::new();
    for template in &made.skin.templates {
        *looks.entry(template.cell.symbol()).or_default() += 1;
    }
    let looks: Vec<String> = looks.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    let mut lines = vec![format!("templates: {}", looks.join(", "))];
    if !made.skin.digits.is_empty() {
        lines.push(format!("digits of the counter: {}", made.skin.digits.len()));
    }
    lines.push(format!("told apart in cells of {} pixels and more", made.skin.least_cell));
    if made.skin.fill_variance > 0.0 {
        let variance = made.skin.fill_variance;
        lines.push(format!("mean colours of equal cells vary: fill_variance = {variance}"));
    }
    if let Some(margin) = made.margin {
        let when = match margin.phase {
            None => "",
            Some(GamePhase::Lost) => " in a lost game",
            Some(GamePhase::Won) => " in a won game",
        };
        let ([a, b], levels) = (margin.kinds.map(|kind| kind.symbol()), margin.levels);
        lines.push(format!("most alike: {a} and {b}{when}, {levels:.1} grey levels apart"));
    }
    lines
}
