//! The program `minescraper`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
