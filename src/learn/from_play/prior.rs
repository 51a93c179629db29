//! What the sign in a cell looks like, before any rule has spoken: how likely it is which number.
//!
//! A small neural network, one hidden layer, from the ink of a sign to a chance for each number. Its weights are learned from
//! signs that were painted for it, in fonts, colours and sizes of all kinds (`scripts/train-prior.sh`). What it says is never
//! a proof: it tells which of several unproven cells to open first.

use image::RgbImage;

/// The ink of a sign is summed in so many columns and rows.
const GRID: (usize, usize) = (8, 12);
/// Numbers that describe a sign: its ink, how wide it is for its height, and how high it is for the cell.
const INPUTS: usize = GRID.0 * GRID.1 + 2;
/// Units of the hidden layer.
const UNITS: usize = 32;
/// What a sign may be: none of the numbers, or one from 1 to 8.
const KINDS: usize = 9;
/// Numbers that make a unit: a weight for each input, and its bias.
const UNIT: usize = INPUTS + 1;
/// Numbers that make an answer: a weight for each unit, and its bias.
const ANSWER: usize = UNITS + 1;

/// The share of the numbers of shipped skins, from which nothing was learned, that are told wrong: six of 305, as a test prints.
const MISTAKEN: f64 = 0.02;

/// This share of a cell, on each side, belongs to its border.
const BORDER: f32 = 0.08;
/// Ink differs at least by this from what it is drawn on, in grey levels.
const FAINT: f32 = 20.0;
/// A pixel with this share of the strongest ink belongs to the sign.
const INKED: f32 = 0.35;
/// Each part of the grid is looked at in so many places, each way.
const PLACES: usize = 3;

/// The sign in a cell, brought to one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Sign([f64; INPUTS]);

impl Sign {
    /// The sign in the picture of a cell, its border included; nothing where none is seen.
    pub fn of(picture: &RgbImage) -> Option<Self> {
        let (width, height) = picture.dimensions();
        let border = ((BORDER * width.min(height) as f32).round() as u32).max(1);
        let (right, bottom) = (width.checked_sub(border)?, height.checked_sub(border)?);
        let inside = || (border..bottom).flat_map(|y| (border..right).map(move |x| (x, y)));
        let ground = [0, 1, 2].map(|channel| {
            let mut levels: Vec<u8> =
                inside().map(|(x, y)| picture.get_pixel(x, y).0[channel]).collect();
            levels.sort_unstable();
            levels.get(levels.len() / 2).copied().unwrap_or_default()
        });
        let ink = |x: u32, y: u32| {
            let levels = picture.get_pixel(x, y).0.into_iter().zip(ground);
            levels.map(|(a, b)| f32::from(a.abs_diff(b)).powi(2)).sum::<f32>().sqrt()
        };
        let strongest = inside().map(|(x, y)| ink(x, y)).fold(0.0, f32::max);
        if strongest < FAINT {
            return None;
        }
        let inked: Vec<(u32, u32)> =
            inside().filter(|&(x, y)| ink(x, y) >= INKED * strongest).collect();
        let left = inked.iter().map(|&(x, _)| x).min()?;
        let top = inked.iter().map(|&(_, y)| y).min()?;
        let wide = inked.iter().map(|&(x, _)| x).max()? + 1 - left;
        let high = inked.iter().map(|&(_, y)| y).max()? + 1 - top;
        let (cols, rows) = GRID;
        let mut numbers = [0.0; INPUTS];
        for (part, number) in numbers.iter_mut().take(cols * rows).enumerate() {
            let place = |part: usize, nth: usize, parts: usize, pixels: u32| {
                let share = (part * PLACES + nth) as f32 + 0.5;
                (share / (parts * PLACES) as f32 * pixels as f32) as u32
            };
            for nth in 0..PLACES * PLACES {
                let x = left + place(part % cols, nth % PLACES, cols, wide);
                let y = top + place(part / cols, nth / PLACES, rows, high);
                *number += f64::from(ink(x, y) / strongest) / (PLACES * PLACES) as f64;
            }
        }
        numbers[cols * rows] = f64::from((wide as f32 / high as f32).min(2.0));
        numbers[cols * rows + 1] = f64::from(high as f32 / (bottom - border) as f32);
        Some(Self(numbers))
    }
}

/// The network.
#[derive(Clone, Debug, PartialEq)]
pub struct Prior {
    weights: Vec<f64>,
}

impl Prior {
    /// Numbers that make the network: its units, and its answers.
    pub const WEIGHTS: usize = UNITS * UNIT + KINDS * ANSWER;

    /// A network of these weights, unit after unit and answer after answer; `None` unless there are as many as it has.
    pub fn of(weights: Vec<f64>) -> Option<Self> {
        (weights.len() == Self::WEIGHTS).then_some(Self { weights })
    }

    /// The network that came with the program.
    ///
    /// # Panics
    /// Never: a test reads its file.
    pub fn learned() -> Self {
        let numbers = include_str!("prior.txt").split_whitespace().map(str::parse);
        let weights: Result<Vec<f64>, _> = numbers.collect();
        let network = weights.ok().and_then(Self::of);
        network.expect("the file with the weights belongs to this network")
    }

    /// The weights, unit after unit and answer after answer.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// How likely it is that an open cell with such a picture, its border included, is the number 0, 1, ... 8. They sum up to 1.
    pub fn numbers(&self, picture: &RgbImage) -> [f64; KINDS] {
        let mut told = [0.0; KINDS];
        match Sign::of(picture) {
            // An open cell has no other signs while a game goes on.
            Some(sign) => told[1..].copy_from_slice(&self.chances(&sign)[1..]),
            None => told[0] = 1.0,
        }
        let whole = told.iter().sum::<f64>() + MISTAKEN;
        told.map(|chance| (chance + MISTAKEN / KINDS as f64) / whole)
    }

    /// How likely it is that a sign is none of the numbers, or the number 1, 2, ... 8. They sum up to 1.
    pub fn chances(&self, sign: &Sign) -> [f64; KINDS] {
        self.answer(&self.hidden(sign))
    }

    fn hidden(&self, sign: &Sign) -> [f64; UNITS] {
        let mut said = [0.0; UNITS];
        for (said, unit) in said.iter_mut().zip(self.weights.chunks_exact(UNIT)) {
            let sum = unit.iter().zip(&sign.0).map(|(weight, number)| weight * number).sum::<f64>();
            *said = (sum + unit[INPUTS]).max(0.0);
        }
        said
    }

    fn answer(&self, said: &[f64; UNITS]) -> [f64; KINDS] {
        let mut chances = [0.0; KINDS];
        let answers = self.weights[UNITS * UNIT..].chunks_exact(ANSWER);
        for (chance, answer) in chances.iter_mut().zip(answers) {
            let sum = answer.iter().zip(said).map(|(weight, said)| weight * said).sum::<f64>();
            *chance = sum + answer[UNITS];
        }
        let most = chances.iter().copied().fold(f64::MIN, f64::max);
        let whole: f64 = chances.iter().map(|raw| (raw - most).exp()).sum();
        chances.map(|raw| (raw - most).exp() / whole)
    }

    /// Adds to `slope` how the loss changes with each weight, when `sign` is the number `number`, or none if that is 0.
    /// Returns the loss: the logarithm of the chance that was given to it, negated.
    ///
    /// # Panics
    /// When `slope` has less than [`Prior::WEIGHTS`] numbers, or there is no such number.
    pub fn learn_from(&self, sign: &Sign, number: usize, slope: &mut [f64]) -> f64 {
        let said = self.hidden(sign);
        let chances = self.answer(&said);
        let mut inner = [0.0; UNITS];
        for (kind, chance) in chances.into_iter().enumerate() {
            let outer = chance - f64::from(u8::from(kind == number));
            let begin = UNITS * UNIT + kind * ANSWER;
            slope[begin + UNITS] += outer;
            for (unit, said) in said.into_iter().enumerate() {
                slope[begin + unit] += outer * said;
                inner[unit] += outer * self.weights[begin + unit];
            }
        }
        for (unit, inner) in inner.into_iter().enumerate().filter(|&(unit, _)| said[unit] > 0.0) {
            let begin = unit * UNIT;
            slope[begin + INPUTS] += inner;
            for (slope, number) in slope[begin..].iter_mut().zip(&sign.0) {
                *slope += inner * number;
            }
        }
        -chances[number].max(1e-12).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recognize::Skin;

    #[test]
    fn the_slope_is_how_the_loss_changes() {
        let mut numbers = [0.0; INPUTS];
        for (index, number) in numbers.iter_mut().enumerate() {
            *number = (index % 7) as f64 / 7.0;
        }
        let (sign, network) = (Sign(numbers), Prior::learned());
        for number in [0, 3] {
            let mut slope = vec![0.0; Prior::WEIGHTS];
            let loss = network.learn_from(&sign, number, &mut slope);
            for index in (0..Prior::WEIGHTS).step_by(17).chain([Prior::WEIGHTS - 1]) {
                let mut weights = network.weights.clone();
                weights[index] += 1e-6;
                let moved = Prior { weights };
                let moved = moved.learn_from(&sign, number, &mut vec![0.0; Prior::WEIGHTS]);
                assert!(((moved - loss) / 1e-6 - slope[index]).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn a_cell_without_a_sign_is_blank_and_chances_sum_up_to_one() {
        let plain =
            RgbImage::from_fn(20, 20, |x, y| image::Rgb([if x.min(y) == 0 { 90 } else { 200 }; 3]));
        let mut one = plain.clone();
        (5..15).for_each(|y| (9..11).for_each(|x| one.put_pixel(x, y, image::Rgb([0, 0, 255]))));
        for (picture, number) in [(plain, 0), (one, 1)] {
            let chances = Prior::learned().numbers(&picture);
            assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(chances.iter().all(|&chance| chance > 0.0 && chance <= chances[number]));
        }
    }

    #[test]
    fn most_numbers_of_real_games_are_told_though_none_of_them_was_learned() {
        let prior = Prior::learned();
        let (mut right, mut all) = (0, 0);
        for skin in Skin::shipped() {
            for template in &skin.templates {
                let Some(number) = template.cell.number().filter(|&number| number > 0) else {
                    continue;
                };
                let chances = Sign::of(&template.picture).map(|sign| prior.chances(&sign));
                let likeliest = chances.and_then(|chances| {
                    (0..KINDS).max_by(|&a, &b| chances[a].total_cmp(&chances[b]))
                });
                all += 1;
                if likeliest == Some(usize::from(number)) {
                    right += 1;
                } else {
                    println!("{} {number}: {likeliest:?} {chances:.2?}", skin.name);
                }
            }
        }
        println!("{right} of {all}");
        assert!(all > 60 && 10 * right >= 9 * all, "{right} of {all}");
    }
}
