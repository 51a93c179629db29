//! `--debug-image`: what was seen while boards were looked for, drawn on the picture they were looked for in.

use std::path::Path;

use anyhow::Context;

use minescraper::capture::Frame;
use minescraper::recognize::Survey;
use minescraper::recognize::survey::LEGEND;

/// Writes the picture, and says what its colours mean.
pub fn write(path: &Path, survey: &Survey, frame: &Frame) -> anyhow::Result<()> {
    let picture = survey.drawn_on(frame);
    picture.save(path).with_context(|| format!("cannot write {}", path.display()))?;
    eprintln!("{}: {LEGEND}", path.display());
    Ok(())
}
