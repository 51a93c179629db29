//! What a recording or a bench looks like in a browser: pages that are whole in one file and ask no network for anything;
//! and a recorded game as a moving picture.
//!
//! A page is an HTML file with three places to fill: the style that all pages share, a script of its own, and its data as one
//! element of JSON. All figures are worked out here; the scripts only draw them. The shades of the odds are taken from
//! [ColorBrewer](https://colorbrewer2.org) (Harrower and Brewer, 2003): from blue to orange, which nearly everybody can
//! tell apart.

mod animation;
mod bench;
mod replay;
mod screen;

use serde::Serialize;

pub use animation::{AnimationError, animation};
pub use bench::of_bench;
pub use replay::of_recording;

/// The style of every page.
const STYLE: &str = include_str!("page.css");

/// The page `html` with this script and this data in it.
fn page(html: &str, script: &str, data: &impl Serialize) -> String {
    let data = serde_json::to_string(data).expect("numbers, texts and lists of them are JSON");
    // The data comes last, so that nothing is looked for in it.
    html.replace("{{style}}", STYLE)
        .replace("{{script}}", script)
        .replace("{{data}}", &escaped(&data))
}

/// JSON that no browser takes for the end of the element that it stands in. All `<` are in its texts, where JSON has another
/// way to write them.
fn escaped(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_cannot_end_its_element_and_is_the_same_when_it_is_read() {
        let data = "</script><!-- {{script}}";
        let page = page("<style>{{style}}</style>{{script}}|{{data}}", "code", &data);
        let (head, json) = page.split_once("code|").unwrap();
        assert!(head.contains("color-scheme"), "{head}");
        assert!(!json.contains('<'), "{json}");
        assert_eq!(serde_json::from_str::<String>(json).unwrap(), data);
    }
}
