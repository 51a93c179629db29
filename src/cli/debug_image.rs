//! `--debug-image`: what was seen while boards were looked for, drawn on the picture they were looked for in.

use std::path::Path;

use anyhow::Context;

use minescraper::capture::Frame;
use minescraper::lettering::with_legend;
use minescraper::recognize::Survey;
use minescraper::recognize::survey::LEGEND;

/// Writes the picture, with what its colours mean below it.
pub fn write(path: &Path, survey: &Survey, frame: &Frame) -> anyhow::Result<()> {
    let legend = LEGEND.map(|(colour, text)| (colour, text.to_owned()));
    let picture = with_legend(&survey.drawn_on(frame), &legend);
    picture.save(path).with_context(|| format!("cannot write {}", path.display()))
}
