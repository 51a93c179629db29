//! `calibrate`: makes a skin from labelled screenshots, or from the open game without any.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use minescraper::learn::from_labels::{Calibration, Example, calibrate};
use minescraper::recognize::Skin;

use super::learning::{Lesson, Start};
use super::new_skin::{as_json, looks, tell_origin};
use super::output::say;
use super::{desktop, learning, output, session, skins};

/// The options of `calibrate`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The skin's name
    #[arg(long, value_name = "NAME", value_parser = name)]
    name: String,
    /// The skin's folder; a skin.toml in it keeps its comments, and what still
    /// holds [default: NAME among the user's own skins]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Screenshots NAME.png with their boards as NAME.txt beside them, or folders of such; without any,
    /// the skin is learned from the open game by playing it
    images: Vec<PathBuf>,
    /// The window of the game to learn, by its title, application or id [default: the one with equal cells]
    #[arg(long, value_name = "TITLE", conflicts_with = "images")]
    window: Option<String>,
    /// How many games learning may take
    #[arg(long, value_name = "N", default_value_t = 10, conflicts_with = "images",
        value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Ask at the terminal for what no rule could tell
    #[arg(long, conflicts_with = "images")]
    ask: bool,
    /// Print what was made as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    stop: session::StopArgs,
}

fn name(name: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.is_empty() && name.chars().all(fits) {
        Ok(name.to_owned())
    } else {
        Err("a skin's name has letters, digits, - and _ only".to_owned())
    }
}

/// Makes a skin.
pub fn run(args: &Args) -> anyhow::Result<()> {
    if args.images.is_empty() {
        let stop = session::stop_signal()?;
        let on = desktop::session()?;
        let _key = args.stop.take_key(&on, &stop);
        let mut desk = desktop::open_unknown(&on, args.window.as_deref(), &skins::all())?;
        let out = out(args.out.as_deref(), &args.name)?;
        let lesson = Lesson {
            name: &args.name,
            out: &out,
            start: Start::Unknown(None),
            games: args.games,
            is_thorough: true,
            asks: args.ask,
            pace: Duration::ZERO,
        };
        let taught = learning::learn(&mut desk, lesson, stop)?;
        if args.json {
            say!("{}", taught.as_json());
        } else {
            taught.lines().iter().for_each(|line| say!("{line}"));
        }
        taught.enough()?;
        if !args.json {
            say!("`minescraper play` plays on with it");
        }
        return Ok(());
    }
    let out = out(args.out.as_deref(), &args.name)?;
    let known = if out.exists() {
        Skin { name: args.name.clone(), ..Skin::described(&out)? }
    } else {
        // Made anew in another place, a skin keeps what is known of its game.
        let elsewhere = skins::all().into_iter().find(|skin| skin.name == args.name);
        elsewhere.unwrap_or_else(|| Skin { name: args.name.clone(), ..Skin::default() })
    };
    let mut pictures = Vec::new();
    for image in &args.images {
        pictures.extend(screenshots(image)?);
    }
    let examples: Result<Vec<Example>, _> =
        pictures.iter().map(|picture| Example::open(picture)).collect();
    let examples = examples?;
    let with = format!("comparing the cells of {} pictures", examples.len());
    let made = output::busy(&with, || calibrate(&known, &examples))?;
    made.skin.save(&out)?;
    let cut = format!(
        "Cut by `minescraper calibrate` from {} screenshots of (program, version, theme).",
        made.lattices.len()
    );
    tell_origin(&out, &args.name, &cut)?;
    if args.json {
        say!("{}", as_json(&made, &out));
        return Ok(());
    }
    print_lattices(&made);
    looks(&made).iter().for_each(|line| say!("{line}"));
    say!("written to {}", out.display());
    Ok(())
}

/// The folder that a skin is written to: among the user's own skins, unless another is named.
fn out(folder: Option<&Path>, name: &str) -> anyhow::Result<PathBuf> {
    match folder {
        Some(folder) => Ok(folder.to_owned()),
        None => Ok(skins::folder()?.join(name)),
    }
}

/// The picture at `path`, or those in the folder there, by name.
fn screenshots(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let unreadable = || format!("cannot read {}", path.display());
    let mut pictures = Vec::new();
    for entry in path.read_dir().with_context(unreadable)? {
        let file = entry.with_context(unreadable)?.path();
        if file.extension().is_some_and(|extension| extension == "png") {
            pictures.push(file);
        }
    }
    anyhow::ensure!(!pictures.is_empty(), "there is no PNG in {}", path.display());
    pictures.sort();
    Ok(pictures)
}

fn print_lattices(made: &Calibration) {
    for (path, lattice) in &made.lattices {
        let (width, height) = lattice.pitch();
        say!(
            "{}: {}x{} cells of {width:.1}x{height:.1} pixels, {}",
            path.display(),
            lattice.cols(),
            lattice.rows(),
            lattice.area()
        );
    }
}
