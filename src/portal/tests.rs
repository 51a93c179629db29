//! The ways of the pointer, and what needs a desktop with a portal and somebody who answers its dialog: `scripts/with-desktop.sh`
//! and the example `gnome_consent` are such.

use std::thread::sleep;

use super::*;
use crate::board::Pos;
use crate::recognize::{Reader, Skin};

/// A monitor of 1280x800 pixels that comes second, where a unit of the desktop takes so many pixels.
fn monitor(scale: f64) -> Monitor {
    let units = |pixels: f64| (pixels / scale).round() as i32;
    Monitor {
        node: 1,
        position: (0, 0),
        size: Some((units(1280.0), units(800.0))),
        area: Rect::new(1000, 0, 1280, 800),
    }
}

#[test]
fn a_place_is_told_in_what_the_desktop_takes() {
    let way = |scale, x, y, in_pixels| monitor(scale).way(Px::new(1000 + x, y), in_pixels);
    for in_pixels in [false, true] {
        assert_eq!(way(1.0, 1279, 799, in_pixels), Way { to: (1279.0, 799.0), further: None });
    }
    assert_eq!(way(2.0, 1279, 799, false), Way { to: (639.5, 399.5), further: None });
    assert_eq!(way(2.0, 600, 300, true), Way { to: (600.0, 300.0), further: None });
    // The portal lets places up to (639, 399) through.
    let further = Some(((1279.0 - 638.0) / 2.0, 0.0));
    assert_eq!(way(2.0, 1279, 300, true), Way { to: (638.0, 300.0), further });
    let way = way(1.25, 1279, 799, true);
    assert!(way.to.0 < 1024.0 && way.to.1 < 640.0 && way.to.0 % 1.25 == 0.0, "{way:?}");
}

#[test]
#[ignore = "needs a desktop with a portal and a game"]
fn a_click_shows_in_a_newer_picture_and_the_pointer_goes_where_it_is_told() {
    let mut told = String::new();
    let started = Instant::now();
    let portal = Portal::open(&mut |what| told = what.to_owned()).unwrap();
    println!("opened after {:?}: {:?}", started.elapsed(), portal.monitors());
    assert!(told.contains("Share"), "{told}");
    let area = portal.monitors()[0].area;

    // The pointer, at the edges and beyond what one call of the portal reaches.
    let places = [(0, 0), (1, 1), (1, 0), (2, 1), (0, 1), (1, 2)];
    let end = Px::new(area.right() - 1, area.bottom() - 1);
    let mut steps = Vec::new();
    for (right, down) in places {
        let at = Px::new(end.x * right / 2, end.y * down / 2);
        let started = Instant::now();
        portal.move_to(at).unwrap();
        steps.push(started.elapsed());
        let until = Instant::now() + Duration::from_secs(2);
        let is_there = |pointer: Option<Px>| {
            pointer.is_some_and(|now| (now.x - at.x).abs() <= 2 && (now.y - at.y).abs() <= 2)
        };
        while !is_there(portal.pointer()) && Instant::now() < until {
            sleep(Duration::from_millis(5));
        }
        println!("told {at}, is at {:?}", portal.pointer());
        assert!(is_there(portal.pointer()), "{at}: {:?}", portal.pointer());
    }
    println!("a move takes {steps:?}");

    // A flag on a cell.
    let reader = Reader::new(Skin::shipped());
    let found = || reader.find(&portal.copy(area).unwrap()).unwrap().remove(0).lattice;
    // A window that opens grows to its size.
    let (mut before, mut lattice) = (None, found());
    while before.as_ref() != Some(&lattice) {
        sleep(Duration::from_millis(300));
        before = Some(std::mem::replace(&mut lattice, found()));
    }
    let at = lattice.centre(Pos::new(1, 1));
    portal.move_to(at).unwrap();
    sleep(Duration::from_millis(500));
    let started = Instant::now();
    let before = portal.copy(area).unwrap();
    println!("a copy of all takes {:?}", started.elapsed());
    let (started, mut newest) = (Instant::now(), portal.newest(0));
    portal.button(0x111, true).unwrap();
    portal.button(0x111, false).unwrap();
    println!("a click is sent after {:?}", started.elapsed());
    let around = Rect::new(at.x - 40, at.y - 40, 80, 80);
    let shows = |frame: &Frame| frame.crop(around) != before.crop(around);
    while !shows(&portal.copy(area).unwrap()) {
        let newer = portal.wait_newer(0, newest, started + Duration::from_secs(3)).unwrap();
        assert!(newer > newest, "nothing changed within {:?}", started.elapsed());
        newest = newer;
        println!(
            "picture {newest} after {:?}: {:?}",
            started.elapsed(),
            portal.damage_since(0, newest - 1)
        );
    }
    println!("the click shows after {:?}", started.elapsed());
    if let Some(path) = std::env::var_os("MINESCRAPER_TEST_PICTURE") {
        portal.copy(area).unwrap().pixels.save(path).unwrap();
    }
}

#[test]
#[ignore = "needs a desktop with a portal and somebody who says no"]
fn a_no_is_told_with_what_to_do() {
    let refused = Portal::open(&mut |_| {}).err().expect("it was not allowed");
    assert!(matches!(refused, Refused::Cancelled), "{refused:?}");
    assert!(refused.to_string().contains("Allow Remote Interaction"), "{refused}");
}
