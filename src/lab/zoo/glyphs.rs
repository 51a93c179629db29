//! Signs and words, drawn with fonts of the system.

use std::path::{Path, PathBuf};

use ab_glyph::{Font, FontVec, PxScale, ScaleFont, point};

/// The fonts that specimens to build on are drawn with, and those to judge by besides; from the packages fonts-dejavu-core,
/// fonts-urw-base35 and fonts-freefont-ttf.
const BUILT_ON: [&str; 14] = [
    "truetype/dejavu/DejaVuSans.ttf",
    "truetype/dejavu/DejaVuSans-Bold.ttf",
    "truetype/dejavu/DejaVuSansMono.ttf",
    "truetype/dejavu/DejaVuSansMono-Bold.ttf",
    "truetype/dejavu/DejaVuSerif.ttf",
    "truetype/dejavu/DejaVuSerif-Bold.ttf",
    "opentype/urw-base35/NimbusSans-Regular.otf",
    "opentype/urw-base35/NimbusSans-Bold.otf",
    "opentype/urw-base35/NimbusSansNarrow-Bold.otf",
    "opentype/urw-base35/NimbusRoman-Bold.otf",
    "opentype/urw-base35/NimbusMonoPS-Bold.otf",
    "opentype/urw-base35/URWGothic-Demi.otf",
    "opentype/urw-base35/C059-Bold.otf",
    "opentype/urw-base35/P052-Roman.otf",
];
const JUDGED_BY: [&str; 8] = [
    "truetype/freefont/FreeSans.ttf",
    "truetype/freefont/FreeSansBold.ttf",
    "truetype/freefont/FreeSerifBold.ttf",
    "truetype/freefont/FreeMonoBold.ttf",
    "opentype/urw-base35/URWBookman-Demi.otf",
    "opentype/urw-base35/URWGothic-Book.otf",
    "opentype/urw-base35/P052-BoldItalic.otf",
    "opentype/urw-base35/NimbusSans-Italic.otf",
];
/// What signs other than letters are drawn with: it has flags and bombs of many kinds.
const SYMBOLS: &str = "truetype/dejavu/DejaVuSans.ttf";
const FOLDER: &str = "/usr/share/fonts";

/// A font that specimens are drawn with is not installed.
#[derive(Debug, thiserror::Error)]
#[error("{} is missing; install fonts-dejavu-core, fonts-urw-base35 and fonts-freefont-ttf", .0.display())]
pub struct MissingFont(PathBuf);

/// Fonts to draw with.
#[derive(Debug)]
pub struct Fonts {
    letters: Vec<FontVec>,
    symbols: FontVec,
}

impl Fonts {
    /// Those that specimens to build on are drawn with.
    ///
    /// # Errors
    /// When one is not installed.
    pub fn to_build_on() -> Result<Self, MissingFont> {
        Self::open(&BUILT_ON)
    }

    /// The same, and those that are kept for judging.
    ///
    /// # Errors
    /// When one is not installed.
    pub fn to_judge_by() -> Result<Self, MissingFont> {
        Self::open(&[&BUILT_ON[..], &JUDGED_BY].concat())
    }

    fn open(names: &[&str]) -> Result<Self, MissingFont> {
        let open = |name: &str| {
            let path = Path::new(FOLDER).join(name);
            let font = std::fs::read(&path).ok().and_then(|data| FontVec::try_from_vec(data).ok());
            font.ok_or(MissingFont(path))
        };
        let letters = names.iter().map(|name| open(name)).collect::<Result<_, _>>()?;
        Ok(Self { letters, symbols: open(SYMBOLS)? })
    }

    /// How many fonts for letters there are.
    pub(super) fn len(&self) -> usize {
        self.letters.len()
    }

    /// A word in the font of that number, in letters of so many pixels from the top of the tallest to the bottom of the lowest.
    pub(super) fn word(&self, font: usize, word: &str, height: f32) -> Mask {
        text(&self.letters[font], word, height)
    }

    /// A sign, so many pixels high.
    pub(super) fn symbol(&self, symbol: char, height: f32) -> Mask {
        let drawn = text(&self.symbols, &symbol.to_string(), 64.0);
        text(&self.symbols, &symbol.to_string(), 64.0 * height / drawn.height.max(1) as f32)
    }
}

/// How much of each pixel is covered by ink, row by row, from 0 to 1.
#[derive(Clone, Debug)]
pub(super) struct Mask {
    pub width: u32,
    pub height: u32,
    pub ink: Vec<f32>,
}

impl Mask {
    /// By a function of the place of a pixel's middle.
    pub(super) fn from_fn(width: u32, height: u32, ink: impl Fn(f32, f32) -> bool) -> Self {
        // Each pixel is looked at in sixteen places.
        let shares = (0..width * height).map(|at| {
            let (x, y) = ((at % width) as f32, (at / width) as f32);
            let places = (0..16)
                .map(|n| (x + (n % 4) as f32 / 4.0 + 0.125, y + (n / 4) as f32 / 4.0 + 0.125));
            places.filter(|&(x, y)| ink(x, y)).count() as f32 / 16.0
        });
        let ink = shares.collect();
        Self { width, height, ink }
    }
}

/// `word`, cut to its ink.
fn text(font: &FontVec, word: &str, height: f32) -> Mask {
    let scaled = font.as_scaled(PxScale::from(height));
    let mut right = 0.0;
    let mut outlines = Vec::new();
    for letter in word.chars() {
        let id = scaled.glyph_id(letter);
        let glyph =
            id.with_scale_and_position(PxScale::from(height), point(right, scaled.ascent()));
        right += scaled.h_advance(id);
        outlines.extend(font.outline_glyph(glyph));
    }
    let bounds: Vec<_> = outlines.iter().map(|outline| outline.px_bounds()).collect();
    let least = |of: &dyn Fn(usize) -> f32| (0..bounds.len()).map(of).fold(f32::MAX, f32::min);
    let (left, top) = (least(&|n| bounds[n].min.x), least(&|n| bounds[n].min.y));
    let (end, bottom) = (-least(&|n| -bounds[n].max.x), -least(&|n| -bounds[n].max.y));
    if outlines.is_empty() {
        return Mask { width: 0, height: 0, ink: Vec::new() };
    }
    let (width, height) = ((end - left) as u32, (bottom - top) as u32);
    let mut ink = vec![0.0f32; (width * height) as usize];
    for (outline, bounds) in outlines.iter().zip(&bounds) {
        let (dx, dy) = ((bounds.min.x - left) as u32, (bounds.min.y - top) as u32);
        outline.draw(|x, y, share| {
            if let Some(pixel) = ink.get_mut(((y + dy) * width + x + dx) as usize) {
                *pixel = pixel.max(share.min(1.0));
            }
        });
    }
    Mask { width, height, ink }
}
