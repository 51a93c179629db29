//! The program `minescraper`.

fn main() {}
