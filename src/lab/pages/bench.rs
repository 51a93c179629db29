//! The page of a bench: win rates, decision times, and whether the chances to win that strategies saw were true.

use super::page;
use crate::lab::bench::Report;

/// The page that shows `report`, as HTML in one file. Its data is the report's [JSON](Report::to_json).
pub fn of_bench(report: &Report) -> String {
    page(include_str!("bench.html"), include_str!("bench.js"), &report.to_json())
}
