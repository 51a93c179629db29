//! The templates of every shipped skin are those that its calibration pictures make.
//!
//! When one of these fails after a change to `calibrate`, make the skin anew with
//! `minescraper calibrate --name NAME --out templates/NAME calibration/NAME` and look at what changed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use image::RgbImage;
use minescraper::Skin;
use minescraper::learn::from_labels::{Example, calibrate};

fn pictures(skin: &Skin) -> BTreeMap<String, &RgbImage> {
    skin.pictures().into_iter().collect()
}

#[track_caller]
fn made_from_its_pictures(name: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = root.join("templates").join(name);
    let entries = root.join("calibration").join(name).read_dir().unwrap();
    let mut screenshots: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "png"))
        .collect();
    screenshots.sort();
    let examples: Vec<Example> =
        screenshots.iter().map(|path| Example::open(path).unwrap()).collect();

    let shipped = Skin::open(&folder).unwrap();
    let made = calibrate(&Skin::described(&folder).unwrap(), &examples).unwrap();
    assert_eq!(made.lattices.len(), screenshots.len());
    assert_eq!(
        shipped.fill_variance, made.skin.fill_variance,
        "fill_variance in {name}'s skin.toml"
    );

    let (kept, anew) = (pictures(&shipped), pictures(&made.skin));
    let names = |files: &BTreeMap<String, &RgbImage>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&kept), names(&anew));
    for (file, picture) in kept {
        assert!(picture == anew[&file], "{file} of {name} is another picture now");
    }
}

#[test]
fn classic_is_made_from_its_pictures() {
    made_from_its_pictures("classic");
}

#[test]
fn gnome_mines_bgcolors_is_made_from_its_pictures() {
    made_from_its_pictures("gnome-mines-bgcolors");
}

#[test]
fn gnome_mines_classic_is_made_from_its_pictures() {
    made_from_its_pictures("gnome-mines-classic");
}

#[test]
fn gnome_mines_is_made_from_its_pictures() {
    made_from_its_pictures("gnome-mines");
}

#[test]
fn kmines_classic_is_made_from_its_pictures() {
    made_from_its_pictures("kmines-classic");
}

#[test]
fn kmines_is_made_from_its_pictures() {
    made_from_its_pictures("kmines");
}

#[test]
fn sgt_mines_is_made_from_its_pictures() {
    made_from_its_pictures("sgt-mines");
}

#[test]
fn sgt_mines_windows_is_made_from_its_pictures() {
    made_from_its_pictures("sgt-mines-windows");
}

#[test]
fn winemine_is_made_from_its_pictures() {
    made_from_its_pictures("winemine");
}

#[test]
fn xdemineur_is_made_from_its_pictures() {
    made_from_its_pictures("xdemineur");
}

#[test]
fn every_shipped_skin_has_a_test() {
    let tests = include_str!("calibrate.rs");
    for Skin { name, .. } in Skin::shipped() {
        assert!(tests.contains(&format!("made_from_its_pictures(\"{name}\")")), "{name}");
    }
}
