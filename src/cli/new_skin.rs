//! What is said of a skin that was just made: beside its pictures, and to the person who made it.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use minescraper::learn::from_labels::Calibration;
use minescraper::recognize::{GamePhase, Skin};
use serde_json::{Value, json};

use super::read::lattice_as_json;

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

/// How many templates a skin has of each kind of cell, by its symbol.
fn templates(skin: &Skin) -> BTreeMap<String, usize> {
    let mut templates = BTreeMap::new();
    for template in &skin.templates {
        *templates.entry(template.cell.symbol().to_string()).or_default() += 1;
    }
    templates
}

/// The same as [`looks`], and where the skin is, as JSON.
pub fn as_json(made: &Calibration, folder: &Path) -> Value {
    let Calibration { skin, lattices, margin } = made;
    let pictures = lattices.iter().map(|(path, lattice)| {
        json!({ "file": path.display().to_string(), "lattice": lattice_as_json(lattice) })
    });
    let most_alike = margin.map(|margin| {
        let kinds = margin.kinds.map(|kind| kind.symbol().to_string());
        json!({ "cells": kinds, "grey_levels": margin.levels })
    });
    json!({ "skin": skin.name, "folder": folder.display().to_string(), "templates": templates(skin),
        "missing": skin.missing(), "counter_digits": skin.digits.len(),
        "least_cell": skin.least_cell, "fill_variance": skin.fill_variance,
        "most_alike": most_alike, "pictures": pictures.collect::<Vec<_>>() })
}

/// What a skin has templates of, and how well they separate, in lines.
pub fn looks(made: &Calibration) -> Vec<String> {
    let looks = templates(&made.skin);
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
