//! Makes a skin of labelled screenshots: `cargo run --example make_skin -- my-skin calibration/winemine/*.png`, written to the
//! folder `my-skin`.

use std::path::Path;

use anyhow::Context;
use minescraper::Skin;
use minescraper::learn::from_labels::{Example, calibrate};

fn main() -> anyhow::Result<()> {
    let mut args = std::env::args().skip(1);
    let name =
        args.next().context("name the skin, then screenshots with their boards beside them")?;
    let examples: Result<Vec<Example>, _> =
        args.map(|path| Example::open(Path::new(&path))).collect();
    let known = Skin { name: name.clone(), ..Skin::default() };
    let made = calibrate(&known, &examples?)?;
    made.skin.save(Path::new(&name))?;
    println!(
        "{} templates, for cells of {} pixels and more",
        made.skin.templates.len(),
        made.skin.least_cell
    );
    Ok(())
}
