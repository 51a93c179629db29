//! `config`: what a person sets once, in the environment or a file.
//!
//! What is said there becomes the default of the options of that name, before the command line is parsed. So flags come
//! before the environment, the environment before the file, and the file before what is built in.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::CommandFactory;
use clap::error::ErrorKind;
use etcetera::BaseStrategy;
use serde_json::{Value, json};
use toml_edit::Document;

use minescraper::file;

use super::Cli;
use super::output::say;

/// The commands that settings are for.
const COMMANDS: [&str; 6] = ["play", "demo", "advise", "bench", "race", "calibrate"];

/// What can be set: options of these commands, by their names. Not every command has each.
const SETTINGS: [&str; 5] = ["strategy", "style", "pace", "think", "stop-key"];

/// What the help says besides.
const HELP: &str = "\
Examples:
  minescraper config          what is set, and where
  minescraper config --path   the file
The file has a line for each setting, such as:
  strategy = \"exact\"
  pace = 200
In the environment they are called MINESCRAPER_STRATEGY, MINESCRAPER_PACE and so on.
The command line comes before the environment, and the environment before the file.";

/// The options of `config`.
#[derive(clap::Args, Debug)]
#[command(after_help = HELP)]
pub struct Args {
    /// Print where the file is, or would be
    #[arg(long, conflicts_with = "json")]
    path: bool,
    /// Print the settings as JSON
    #[arg(long)]
    json: bool,
}

/// Prints the settings, and where each comes from.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let path = path()?;
    if args.path {
        say!("{}", path.display());
        return Ok(());
    }
    let command = Cli::command();
    let set = load(&command)?;
    if args.json {
        let settings =
            SETTINGS.iter().map(|&name| (name.to_owned(), as_json(&command, &set, name)));
        let settings: serde_json::Map<_, _> = settings.collect();
        say!("{}", json!({ "path": path.display().to_string(), "settings": settings }));
        return Ok(());
    }
    for name in SETTINGS {
        let (value, source) = match set.iter().find(|setting| setting.name == name) {
            Some(setting) => (Some(setting.value.clone()), setting.source.to_string()),
            None => (built_in(&command, name), "default".to_owned()),
        };
        say!("{name:<9} {:<11} {source}", value.as_deref().unwrap_or("-"));
    }
    Ok(())
}

fn as_json(command: &clap::Command, set: &[Setting], name: &str) -> Value {
    let Some(Setting { value, source, .. }) = set.iter().find(|setting| setting.name == name)
    else {
        return json!({ "value": built_in(command, name), "source": "default" });
    };
    match source {
        Source::Environment(variable) => {
            json!({ "value": value, "source": "environment", "variable": variable })
        }
        Source::File(_, line) => json!({ "value": value, "source": "file", "line": line }),
    }
}

/// The default of an option; `None` where it depends on other options.
fn built_in(command: &clap::Command, name: &str) -> Option<String> {
    let mut subcommands = COMMANDS.iter().filter_map(|name| command.find_subcommand(name));
    let option = subcommands.find_map(|command| option(command, name))?;
    Some(option.get_default_values().first()?.to_string_lossy().into_owned())
}

/// The option of this name.
fn option<'c>(command: &'c clap::Command, name: &str) -> Option<&'c clap::Arg> {
    command.get_arguments().find(|option| option.get_long() == Some(name))
}

/// Something that is set.
struct Setting {
    name: &'static str,
    value: String,
    source: Source,
}

/// Where something is set.
enum Source {
    /// In this variable.
    Environment(String),
    /// In this file, on this line.
    File(PathBuf, usize),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Environment(variable) => f.write_str(variable),
            Self::File(path, line) => write!(f, "{}:{line}", path.display()),
        }
    }
}

/// Where the file is: below the place that the system has for a user's settings.
fn path() -> anyhow::Result<PathBuf> {
    let places = etcetera::base_strategy::choose_native_strategy()
        .context("there is no home folder to look for settings in")?;
    Ok(places.config_dir().join("minescraper").join("config.toml"))
}

/// The same command line with what is set as defaults, if settings are for this subcommand.
///
/// # Errors
/// When the file cannot be read, or something is set that no option takes.
pub fn applied(command: clap::Command, subcommand: &str) -> anyhow::Result<clap::Command> {
    if !COMMANDS.contains(&subcommand) {
        return Ok(command);
    }
    let set = load(&command)?;
    Ok(command.mut_subcommand(subcommand, |subcommand| {
        set.into_iter().fold(subcommand, |subcommand, Setting { name, value, .. }| {
            match option(&subcommand, name).map(|option| option.get_id().clone()) {
                Some(id) => subcommand.mut_arg(id, |option| option.default_value(value)),
                None => subcommand,
            }
        })
    }))
}

/// Everything that is set.
fn load(command: &clap::Command) -> anyhow::Result<Vec<Setting>> {
    // Without a home folder there is no file.
    let in_file = path().map_or_else(|_| Ok(Vec::new()), |path| read(&path))?;
    let mut set: Vec<Setting> = SETTINGS.into_iter().filter_map(in_environment).collect();
    for setting in in_file {
        if set.iter().all(|known| known.name != setting.name) {
            set.push(setting);
        }
    }
    set.iter().try_for_each(|setting| check(command, setting))?;
    Ok(set)
}

/// What the environment says of a setting. A variable that is empty says nothing.
fn in_environment(name: &'static str) -> Option<Setting> {
    let variable = format!("MINESCRAPER_{}", name.replace('-', "_").to_uppercase());
    let value = std::env::var_os(&variable).filter(|value| !value.is_empty())?;
    let value = value.to_string_lossy().into_owned();
    Some(Setting { name, value, source: Source::Environment(variable) })
}

/// What a file says; nothing where there is none.
fn read(path: &Path) -> anyhow::Result<Vec<Setting>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = file::read_text(path, file::BOARD);
    let text = text.with_context(|| path.display().to_string())?;
    let document = Document::parse(text.as_str());
    let document = document.with_context(|| path.display().to_string())?;
    let mut set = Vec::new();
    for (key, _) in document.iter() {
        let (key, value) = document.get_key_value(key).context("a key has a value")?;
        let start = key.span().map_or(0, |span| span.start);
        let line = 1 + text[..start].matches('\n').count();
        let source = Source::File(path.to_owned(), line);
        let key = key.get();
        let Some(name) = SETTINGS.into_iter().find(|&name| name == key) else {
            bail!("{source}: nothing is called '{key}'; there are: {}", SETTINGS.join(", "));
        };
        let number = value.as_integer().map(|number| number.to_string());
        let Some(value) = value.as_str().map(str::to_owned).or(number) else {
            bail!("{source}: '{key}' takes a text in quotes or a whole number");
        };
        set.push(Setting { name, value, source });
    }
    Ok(set)
}

/// Whether the options take what is set: as if it stood on a command line.
fn check(command: &clap::Command, setting: &Setting) -> anyhow::Result<()> {
    let Setting { name, value, source } = setting;
    for subcommand in COMMANDS {
        if command.find_subcommand(subcommand).and_then(|found| option(found, name)).is_none() {
            continue;
        }
        let line = ["minescraper", subcommand, &format!("--{name}={value}")];
        if let Err(error) = command.clone().try_get_matches_from(line)
            // What else the command wants is not told here.
            && error.kind() != ErrorKind::MissingRequiredArgument
        {
            let told = error.to_string();
            let why = told.trim_start_matches("error: ").split("\n\nFor more").next();
            bail!("{source}: {}", why.unwrap_or(&told));
        }
    }
    Ok(())
}
