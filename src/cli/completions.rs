//! `completions`: what a shell needs to complete this program's command lines.

use clap::CommandFactory;
use clap_complete::Shell;

use super::Cli;
use super::output::say;

/// The options of `completions`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The shell that they are for
    shell: Shell,
}

/// Prints the completions.
pub fn run(args: &Args) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "minescraper", &mut script);
    say!("{}", String::from_utf8(script)?.trim_end());
    Ok(())
}
