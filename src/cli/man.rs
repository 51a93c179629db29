//! `man`: the manual, made of what `--help` says.

use std::path::PathBuf;

use anyhow::Context;
use clap::CommandFactory;
use clap_mangen::Man;

use super::Cli;
use super::output::say;

/// The options of `man`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Write a page for the program and one for each command into this folder [default: print the program's]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Prints the manual, or writes it.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let Some(folder) = &args.folder else {
        let mut page = Vec::new();
        Man::new(Cli::command()).render(&mut page)?;
        say!("{}", String::from_utf8(page)?.trim_end());
        return Ok(());
    };
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
        .with_context(|| format!("cannot write the manual into {}", folder.display()))
}
