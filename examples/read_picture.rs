//! Reads the board in a screenshot: `cargo run --example read_picture -- fixtures/winemine/expert-middle.png`.

use std::path::Path;

use anyhow::Context;
use minescraper::Skin;
use minescraper::capture::load_picture;
use minescraper::recognize::Reader;

fn main() -> anyhow::Result<()> {
    let path = std::env::args().nth(1).context("name a screenshot")?;
    let frame = load_picture(Path::new(&path))?;
    for reading in Reader::new(Skin::shipped()).find(&frame)? {
        println!("{}, {}, at {}:", reading.skin.name, reading.status, reading.lattice.area());
        print!("{}", reading.board);
    }
    Ok(())
}
