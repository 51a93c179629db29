//! What displays, scalers and remote desktops do to a picture: each family is a continuous one, of which a seed draws a
//! member.
//!
//! Nothing of the reader may start from a member of a family, nor be fitted on those that are held back.

use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};
use minescraper::board::Pos;
use minescraper::recognize::Lattice;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use super::nuisance;
use super::scene::Scene;

/// Changes a scene as the dice fall.
type Spoil = fn(&mut Scene, &mut ChaCha8Rng);

/// A kind of change, of which no two members are alike.
pub struct Family {
    pub name: &'static str,
    pub spoil: Spoil,
    /// Whether it is for judging only: nobody looks at single pictures of it, or fits anything on them.
    pub held_back: bool,
}

const fn open(name: &'static str, spoil: Spoil) -> Family {
    Family { name, spoil, held_back: false }
}

const fn held_back(name: &'static str, spoil: Spoil) -> Family {
    Family { name, spoil, held_back: true }
}

/// Those of displays, scalers and remote desktops.
const CONTINUOUS: [Family; 18] = [
    open("gamma", gamma),
    open("gain and offset of each channel", gain_and_offset),
    held_back("saturation", saturation),
    open("grey", grey),
    held_back("colour temperature", temperature),
    held_back("lightness inverted, hue kept", lightness_inverted),
    open("noise of a sensor", noise),
    open("JPEG with halved chroma, twice", jpeg_twice),
    open("scaled unequally, nearest", |scene, dice| scale(scene, FilterType::Nearest, dice)),
    open("scaled unequally, bilinear", |scene, dice| scale(scene, FilterType::Triangle, dice)),
    held_back("scaled unequally, bicubic", |scene, dice| {
        scale(scene, FilterType::CatmullRom, dice);
    }),
    open("scaled unequally, Lanczos", |scene, dice| scale(scene, FilterType::Lanczos3, dice)),
    held_back("sharpened", sharpen),
    open("blurred", blur),
    held_back("palette of few colours", palette),
    open("brightness that changes across", shade),
    open("several at once", |scene, dice| several(scene, dice, false)),
    held_back("several of all at once", |scene, dice| several(scene, dice, true)),
];

/// All families: the continuous ones, and each [nuisance](nuisance::ALL).
pub fn all() -> Vec<Family> {
    let nuisances = nuisance::ALL.into_iter().map(|(name, spoil)| open(name, spoil));
    CONTINUOUS.into_iter().chain(nuisances).collect()
}

/// A number between two, all ratios alike.
fn ratio(dice: &mut ChaCha8Rng, least: f64, most: f64) -> f64 {
    dice.random_range(least.ln()..most.ln()).exp()
}

/// Every pixel goes through `change`; what is beyond black and white stays there.
fn recolour(scene: &mut Scene, change: impl Fn([f64; 3]) -> [f64; 3]) {
    recolour_at(scene, |_, _, colour| change(colour));
}

/// The same with the place of the pixel, each axis from -1 to 1.
fn recolour_at(scene: &mut Scene, change: impl Fn(f64, f64, [f64; 3]) -> [f64; 3]) {
    let (width, height) = scene.picture.dimensions();
    let along = |at: u32, length: u32| 2.0 * f64::from(at) / f64::from(length.max(2) - 1) - 1.0;
    for (x, y, pixel) in scene.picture.enumerate_pixels_mut() {
        let changed = change(along(x, width), along(y, height), pixel.0.map(f64::from));
        pixel.0 = changed.map(|value| value.round() as u8);
    }
}

/// How light a colour looks (ITU-R BT.601).
fn luma([red, green, blue]: [f64; 3]) -> f64 {
    0.299 * red + 0.587 * green + 0.114 * blue
}

fn gamma(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let gamma = ratio(dice, 0.5, 2.0);
    recolour(scene, |colour| colour.map(|value| 255.0 * (value / 255.0).powf(gamma)));
}

fn gain_and_offset(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let gains: [f64; 3] = std::array::from_fn(|_| ratio(dice, 0.6, 1.25));
    let offsets: [f64; 3] = std::array::from_fn(|_| dice.random_range(-25.0..40.0));
    recolour(scene, |colour| std::array::from_fn(|c| colour[c] * gains[c] + offsets[c]));
}

fn saturation(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let factor = dice.random_range(0.15..1.9);
    recolour(scene, |colour| {
        let grey = luma(colour);
        colour.map(|value| grey + factor * (value - grey))
    });
}

/// No colours at all, by weights that differ from display to display.
fn grey(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let weights: [f64; 3] = [0.299, 0.587, 0.114].map(|weight| weight * ratio(dice, 0.6, 1.6));
    let sum: f64 = weights.iter().sum();
    recolour(scene, |colour| {
        let grey = colour.iter().zip(weights).map(|(value, weight)| value * weight).sum::<f64>();
        [grey / sum; 3]
    });
}

/// Warmer or colder, as lamps and filters for the night are: red and blue part, green follows half-way.
fn temperature(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let warm = dice.random_range(-0.35..0.55_f64);
    let gains = match warm {
        0.0.. => [1.0, 1.0 - 0.45 * warm, 1.0 - warm],
        _ => [1.0 + warm, 1.0 + 0.45 * warm, 1.0],
    };
    recolour(scene, |colour| std::array::from_fn(|c| colour[c] * gains[c]));
}

/// As programs that make dark windows of light ones do: the lightness of HSL is turned round, its hue and chroma stay.
fn lightness_inverted(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let (black, white) = (dice.random_range(0.0..40.0), dice.random_range(215.0..255.0));
    recolour(scene, |colour| {
        let most = colour.into_iter().fold(0.0, f64::max);
        let least = colour.into_iter().fold(255.0, f64::min);
        let turned = colour.map(|value| value + 255.0 - most - least);
        turned.map(|value| black + value * (white - black) / 255.0)
    });
}

/// Two normally distributed numbers (Box and Muller 1958).
fn normal(dice: &mut ChaCha8Rng) -> [f64; 2] {
    let (radius, angle): (f64, f64) = (dice.random(), dice.random());
    let radius = (-2.0 * (1.0 - radius).ln()).sqrt();
    let angle = std::f64::consts::TAU * angle;
    [radius * angle.cos(), radius * angle.sin()]
}

/// Noise of which a part is the same everywhere, and a part grows with the light.
fn noise(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let (dark, light) = (dice.random_range(0.5..4.0_f64), dice.random_range(0.0..0.5_f64));
    for pixel in scene.picture.pixels_mut() {
        let ([a, b], [c, _]) = (normal(dice), normal(dice));
        for (value, normal) in pixel.0.iter_mut().zip([a, b, c]) {
            let sigma = (dark * dark + light * light * f64::from(*value)).sqrt();
            *value = (f64::from(*value) + sigma * normal).round() as u8;
        }
    }
}

/// Compressed twice, as a screenshot of a remote desktop is, with blocks that begin elsewhere the second time.
fn jpeg_twice(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    for _ in 0..2 {
        let (x, y) = (dice.random_range(0..8), dice.random_range(0..8));
        let (width, height) = scene.picture.dimensions();
        let mut padded =
            RgbImage::from_pixel(width + x, height + y, *scene.picture.get_pixel(0, 0));
        imageops::replace(&mut padded, &scene.picture, x.into(), y.into());
        scene.picture = padded;
        halve_chroma(&mut scene.picture);
        nuisance::jpeg(scene, dice.random_range(55..=95));
        scene.picture = imageops::crop_imm(&scene.picture, x, y, width, height).to_image();
    }
}

/// Blocks of 2x2 pixels get the mean of their colours, and keep how light each of them is.
fn halve_chroma(picture: &mut RgbImage) {
    let (width, height) = picture.dimensions();
    for (left, top) in
        (0..height).step_by(2).flat_map(|y| (0..width).step_by(2).map(move |x| (x, y)))
    {
        let places = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| (left + x, top + y));
        let places: Vec<_> = places.into_iter().filter(|&(x, y)| x < width && y < height).collect();
        let colours: Vec<[f64; 3]> =
            places.iter().map(|&(x, y)| picture.get_pixel(x, y).0.map(f64::from)).collect();
        let mean: [f64; 3] = std::array::from_fn(|c| {
            colours.iter().map(|colour| colour[c]).sum::<f64>() / colours.len() as f64
        });
        for (&(x, y), &colour) in places.iter().zip(&colours) {
            let lighter = luma(colour) - luma(mean);
            picture.put_pixel(x, y, Rgb(mean.map(|value| (value + lighter).round() as u8)));
        }
    }
}

/// The smallest and the largest cells that a scaled board has, in pixels.
const CELLS: [f64; 2] = [12.0, 80.0];

fn scale(scene: &mut Scene, filter: FilterType, dice: &mut ChaCha8Rng) {
    let (across, down) = scene.lattice.pitch();
    let mut factor = |pitch: f64| {
        let least = (CELLS[0] / pitch).max(0.65);
        let most = (CELLS[1] / pitch).clamp(least * 1.05, 1.6_f64.max(least * 1.05));
        ratio(dice, least, most)
    };
    let (right, down) = (factor(across), factor(down));
    let (width, height) = scene.picture.dimensions();
    let to = |length: u32, factor: f64| (f64::from(length) * factor).round() as u32;
    let size = (to(width, right), to(height, down));
    scene.picture = imageops::resize(&scene.picture, size.0, size.1, filter);
    // The scaler's factors are those of the whole picture.
    let factors = [f64::from(size.0) / f64::from(width), f64::from(size.1) / f64::from(height)];
    let lattice = &scene.lattice;
    let scaled = |edge: i32, factor: f64| (f64::from(edge) * factor).round() as i32;
    let mut xs: Vec<i32> =
        (0..lattice.cols()).map(|col| lattice.cell(Pos::new(col, 0)).x).collect();
    xs.push(lattice.area().right());
    let mut ys: Vec<i32> =
        (0..lattice.rows()).map(|row| lattice.cell(Pos::new(0, row)).y).collect();
    ys.push(lattice.area().bottom());
    scene.lattice = Lattice::new(
        xs.into_iter().map(|x| scaled(x, factors[0])).collect(),
        ys.into_iter().map(|y| scaled(y, factors[1])).collect(),
    );
}

fn sharpen(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let (sigma, amount) = (dice.random_range(0.5..1.5_f32), dice.random_range(0.2..1.5));
    let blurred = imageops::blur(&scene.picture, sigma);
    for (pixel, soft) in scene.picture.pixels_mut().zip(blurred.pixels()) {
        for (value, soft) in pixel.0.iter_mut().zip(soft.0) {
            let (own, soft) = (f64::from(*value), f64::from(soft));
            *value = (own + amount * (own - soft)).round() as u8;
        }
    }
}

fn blur(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    scene.picture = imageops::blur(&scene.picture, dice.random_range(0.3..1.2));
}

/// So few colours as a seed says, chosen by cutting boxes of colours at their medians (Heckbert 1982).
fn palette(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let most = ratio(dice, 8.0, 64.0) as usize;
    let mut colours: Vec<[u8; 3]> =
        scene.picture.pixels().step_by(7).map(|pixel| pixel.0).collect();
    colours.sort_unstable();
    let mut boxes = vec![colours];
    while boxes.len() < most {
        let spread = |colours: &[[u8; 3]], channel: usize| {
            let values = colours.iter().map(|colour| colour[channel]);
            u32::from(values.clone().max().unwrap_or(0) - values.min().unwrap_or(0))
        };
        let widest = (0..boxes.len())
            .flat_map(|at| (0..3).map(move |channel| (at, channel)))
            .max_by_key(|&(at, channel)| spread(&boxes[at], channel));
        let Some((at, channel)) = widest.filter(|&(at, channel)| spread(&boxes[at], channel) > 0)
        else {
            break;
        };
        let mut cut = boxes.swap_remove(at);
        cut.sort_unstable_by_key(|colour| colour[channel]);
        // Equal colours stay together.
        let median = cut[cut.len() / 2][channel];
        let least = cut[0][channel];
        let above = cut.partition_point(|colour| colour[channel] < median.max(least + 1));
        boxes.push(cut.split_off(above));
        boxes.push(cut);
    }
    let mean = |colours: &Vec<[u8; 3]>| -> [u8; 3] {
        std::array::from_fn(|c| {
            let sum: usize = colours.iter().map(|colour| usize::from(colour[c])).sum();
            (sum / colours.len().max(1)) as u8
        })
    };
    let palette: Vec<[u8; 3]> = boxes.iter().map(mean).collect();
    for pixel in scene.picture.pixels_mut() {
        let distance = |other: &[u8; 3]| -> u32 {
            pixel.0.iter().zip(other).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2)).sum()
        };
        pixel.0 = *palette.iter().min_by_key(|colour| distance(colour)).unwrap();
    }
}

/// Lighter on one side than on the other, and towards the middle, as panels are that are seen from aside.
fn shade(scene: &mut Scene, dice: &mut ChaCha8Rng) {
    let mut part = |most: f64| dice.random_range(-most..most);
    let (base, right, down, middle) = (part(0.1), part(0.2), part(0.2), part(0.15));
    recolour_at(scene, |x, y, colour| {
        let gain = 1.0 + base + right * x + down * y + middle * (x * x + y * y - 1.0);
        colour.map(|value| value * gain)
    });
}

/// Two to four families, one after the other: of those that are not held back, or of `any`.
fn several(scene: &mut Scene, dice: &mut ChaCha8Rng, any: bool) {
    // The last two are these.
    let single = &CONTINUOUS[..CONTINUOUS.len() - 2];
    let eligible: Vec<&Family> = single.iter().filter(|family| any || !family.held_back).collect();
    let number = dice.random_range(2..=4);
    let chosen: Vec<Spoil> = eligible.sample(dice, number).map(|family| family.spoil).collect();
    for spoil in chosen {
        spoil(scene, dice);
    }
}
