//! Finding boards on a screen, and reading one that was found. Each asserts its result.
//!
//!     cargo bench --no-default-features --features skins --bench reading

use std::path::Path;

use divan::Bencher;
use image::{RgbImage, imageops};
use minescraper::Skin;
use minescraper::capture::{Frame, load_picture};
use minescraper::geometry::Px;
use minescraper::recognize::Reader;

/// The Expert boards of these games, on a screen of 1920x1080.
const GAMES: [&str; 5] = ["gnome-mines", "kmines", "sgt-mines", "winemine", "xdemineur"];

fn main() {
    divan::main();
}

fn screen(game: &str) -> Frame {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let picture = root.join("fixtures").join(game).join("expert-early-fullscreen.png");
    load_picture(&picture).expect("a screenshot")
}

/// The same screen in the middle of a larger one.
fn enlarged(screen: &Frame) -> Frame {
    let mut pixels = RgbImage::from_pixel(3840, 2160, *screen.pixels.get_pixel(0, 0));
    imageops::replace(&mut pixels, &screen.pixels, 960, 540);
    Frame { origin: Px::new(0, 0), pixels }
}

fn find(bencher: Bencher, frame: &Frame, game: &str) {
    let reader = Reader::new(Skin::shipped());
    bencher.bench_local(|| {
        let found = reader.find(frame).expect("a board");
        let sizes: Vec<_> =
            found.iter().map(|reading| (reading.board.cols(), reading.board.rows())).collect();
        assert_eq!((&*found[0].skin.name, &*sizes), (game, &[(30, 16)][..]));
    });
}

/// All skins are tried; the counter is read too.
#[divan::bench(args = GAMES)]
fn find_in_1920x1080(bencher: Bencher, game: &str) {
    find(bencher, &screen(game), game);
}

/// See [`find_in_1920x1080`].
#[divan::bench(args = GAMES)]
fn find_in_3840x2160(bencher: Bencher, game: &str) {
    find(bencher, &enlarged(&screen(game)), game);
}

/// Every cell of 30x16, nothing remembered but where they are and how many mines there are.
#[divan::bench(args = GAMES)]
fn read_again(bencher: Bencher, game: &str) {
    let (reader, frame) = (Reader::new(Skin::shipped()), screen(game));
    let known = reader.find(&frame).expect("a board").remove(0);
    bencher.bench_local(|| {
        let reading = reader.read_again(&frame, &known);
        assert_eq!((&reading.board, reading.status), (&known.board, known.status));
    });
}
