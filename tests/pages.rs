//! Pages for a browser, and moving pictures: looked at as a person does, in Chromium (package `chromium`), by moving the
//! scrubber and reading what the page shows.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use image::RgbImage;
use minescraper::board::{Board, text};
use minescraper::capture::load_picture;
use minescraper::solver::{Budget, by_name};
use serde_json::Value;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_minescraper");

/// What a page of an Expert game may take.
const LARGEST: u64 = 2 << 20;

fn told(path: &Path) -> &str {
    path.to_str().expect("paths are text")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn minescraper(args: &[&str]) -> Output {
    Command::new(PROGRAM).args(args).output().expect("the program starts")
}

#[track_caller]
fn done(args: &[&str]) -> String {
    let output = minescraper(args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", said(&output));
    printed(&output)
}

/// A recording of games on a painted desktop, and what was made of it.
struct Recorded {
    folder: TempDir,
}

impl Recorded {
    fn new(level: &str, games: &str, seed: &str) -> Self {
        let recorded = Self { folder: tempfile::tempdir().unwrap() };
        let record = recorded.file("game");
        let game = ["demo", "--skin", "winemine", "--level", level, "--games", games];
        done(&[&game[..], &["--seed", seed, "--record", told(&record)]].concat());
        recorded
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn page(&self) -> PathBuf {
        let page = self.file("page.html");
        done(&["replay", told(&self.file("game")), "--html", told(&page)]);
        page
    }

    fn lines(&self) -> Vec<Value> {
        let lines = std::fs::read_to_string(self.file("game").join("decisions.jsonl")).unwrap();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The decisions that clicks followed, in order.
    fn decisions(&self) -> Vec<Value> {
        let lines = self.lines();
        let pairs = lines.windows(2).filter(|pair| !pair[1]["clicks"].is_null());
        let decisions = pairs.filter(|pair| !pair[0]["decision"].is_null());
        decisions.map(|pair| pair[0]["decision"].clone()).collect()
    }
}

/// What a copy of `page` that runs `script` once it is loaded, and is opened at `fragment`, leaves in an element that the script
/// adds: the JSON of what the script returns.
#[track_caller]
fn in_chromium(page: &Path, fragment: &str, script: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.html");
    let ending = format!(
        "<script>window.addEventListener('load', () => {{\n\
         const told = (() => {{ try {{ {script} }} catch (error) {{ return String(error); }} }})();\n\
         const out = document.createElement('pre');\n\
         out.id = 'told';\n\
         const plain = (sign) => '\\\\u' + sign.charCodeAt(0).toString(16).padStart(4, '0');\n\
         out.textContent = JSON.stringify(told).replace(/[<>&\\u00a0]/g, plain);\n\
         document.body.append(out);\n}});</script>\n</body>"
    );
    let html = std::fs::read_to_string(page).unwrap();
    std::fs::write(&copy, html.replace("</body>", &ending)).unwrap();
    let output = Command::new("timeout")
        .args(["120", "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .args(["--window-size=1300,1000", "--force-device-scale-factor=1"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("file://{}{fragment}", copy.display()))
        .output()
        .expect("timeout starts");
    let (dom, said) = (printed(&output), said(&output));
    assert!(output.status.success(), "chromium (package chromium) is needed: {said}");
    let told = dom.split_once("id=\"told\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let (told, _) = told.unwrap_or_else(|| panic!("the script left nothing in: {dom}{said}"));
    serde_json::from_str(told).unwrap_or_else(|error| panic!("{error}: {told}"))
}

/// Moves the scrubber to a step and says what the page shows then.
const SCRUB: &str = "
    const at = (id) => document.getElementById(id);
    const scrub = (step) => {
        at('step').value = step;
        at('step').dispatchEvent(new Event('input'));
    };
    const texts = (selector) => Array.from(document.querySelectorAll(selector), (found) => found.textContent);
    const shown = () => ({
        game: at('game').value, title: at('title').textContent, count: at('count').textContent,
        text: at('text').textContent, moves: texts('#moves li'), now: Number(at('chance').querySelector('.now').getAttribute('x1')),
        board: at('board').getAttribute('aria-label'),
    });
    // The colour of a cell near its corner. Around the cells there is a column and a row of coordinates.
    const shade = (col, row, cols) => {
        const side = at('board').width / (cols + 1);
        const [x, y] = [(col + 1) * side + 2, (row + 1) * side + 2].map(Math.round);
        return Array.from(at('board').getContext('2d').getImageData(x, y, 1, 1).data).slice(0, 3);
    };
";

fn scrubbing(script: &str) -> String {
    format!("{SCRUB}{script}")
}

/// The rows of a board, without its header.
fn rows(board: &str) -> String {
    board.lines().skip(1).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_scrubber_shows_each_decision_with_its_board_its_reasons_and_its_risk() {
    let recorded = Recorded::new("intermediate", "1", "4");
    let decisions = recorded.decisions();
    let every = "const told = [];
        for (let step = 1; step <= Number(at('step').max); step++) { scrub(step); told.push(shown()); }
        return told;";
    let shown = in_chromium(&recorded.page(), "", &scrubbing(every));
    let shown = shown.as_array().unwrap_or_else(|| panic!("{shown}"));
    assert_eq!(shown.len(), decisions.len() + 1, "the moves, and what came of the last one");
    let mut before = f64::NEG_INFINITY;
    for (step, decision) in shown.iter().zip(&decisions) {
        assert_eq!(rows(step["text"].as_str().unwrap()), rows(decision["board"].as_str().unwrap()));
        let now = step["now"].as_f64().unwrap();
        assert!(now > before, "the mark on the chance to win moves on");
        before = now;
        let moves: Vec<&str> =
            step["moves"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let (safe, guess) = (decision["safe"].as_array().unwrap(), &decision["guess"]);
        for proof in safe {
            let cell = format!("({}, {})", proof["col"], proof["row"]);
            let reason = proof["reason"].as_str().unwrap();
            let is_told = |told: &&str| told.contains(&cell) && told.ends_with(reason);
            assert!(moves.iter().any(is_told), "{cell} {reason}: {moves:?}");
        }
        let title = step["title"].as_str().unwrap();
        if let Some(risk) = guess["risk"].as_f64() {
            let risk = format!("({:.1} % to hit a mine)", 100.0 * risk);
            let cell = format!("({}, {})", guess["col"], guess["row"]);
            assert!(title.contains(&cell) && title.contains(&risk), "{title}");
            assert!(moves[0].contains(&risk), "{moves:?}");
        } else {
            assert!(title.contains(&safe.len().to_string()), "{title}: {safe:?}");
        }
    }
    // The end is what the last picture shows.
    let label = recorded.lines().iter().filter(|line| !line["frame"].is_null()).count() - 1;
    let label = recorded.file("game").join(format!("{label:04}.txt"));
    let label = std::fs::read_to_string(label).unwrap();
    assert_eq!(rows(shown[decisions.len()]["text"].as_str().unwrap()), rows(&label).trim_end());
}

#[test]
fn cells_are_blue_where_they_are_safe_and_orange_where_they_are_mines() {
    let recorded = Recorded::new("beginner", "1", "5");
    let page = recorded.page();
    let decisions = recorded.decisions();
    let has = |decision: &&Value, what: &str| !decision[what].as_array().unwrap().is_empty();
    let proven = |decision: &&Value| has(decision, "safe") && has(decision, "mined");
    let (step, decision) =
        (1..).zip(&decisions).find(|(_, decision)| proven(decision)).expect("a proof of both");
    let cell = |what: &str| {
        let cell = &decision[what][0];
        format!("shade({}, {}, 9)", cell["col"], cell["row"])
    };
    let script = format!("scrub({step}); return [{}, {}];", cell("safe"), cell("mined"));
    let shades = in_chromium(&page, "", &scrubbing(&script));
    assert_eq!(shades, serde_json::json!([[107, 174, 214], [253, 141, 60]]), "step {step}");
}

#[test]
fn the_chance_to_win_is_what_the_strategy_saw_at_its_guesses_and_what_came_in_the_end() {
    let recorded = Recorded::new("intermediate", "3", "1");
    let script = "const told = [];
        for (const game of at('game').options) {
            at('game').value = game.value;
            at('game').dispatchEvent(new Event('change'));
            for (let step = 1; step <= Number(at('step').max); step++) {
                scrub(step);
                told.push({ name: game.textContent, end: step === Number(at('step').max), ...shown() });
            }
        }
        return told;";
    let shown = in_chromium(&recorded.page(), "", &scrubbing(script));
    let shown = shown.as_array().unwrap_or_else(|| panic!("{shown}"));
    let mut best = by_name("best").unwrap();
    let mut seen = 0;
    for step in shown {
        let count = step["count"].as_str().unwrap();
        if step["end"] == true {
            let won = step["name"].as_str().unwrap().contains("won");
            let chance = if won { ", 100.0 % to win" } else { ", 0.0 % to win" };
            assert!(count.ends_with(chance), "{step}");
        } else if step["title"].as_str().unwrap().contains("a guess") {
            let board: Board = step["text"].as_str().unwrap().parse().unwrap();
            let mut budget = Budget::nodes(200_000);
            if let Some(chance) = best.advise(&board, &mut budget).unwrap().win_chance {
                seen += 1;
                let chance = format!(", {:.1} % to win", 100.0 * chance);
                assert!(count.ends_with(&chance), "{chance}: {step}");
            }
        }
    }
    assert!(seen > 0, "there was no guess");
}

#[test]
fn a_link_leads_to_a_step_of_a_game_and_the_arrow_keys_lead_on() {
    let mut recorded = Recorded::new("beginner", "3", "5");
    // Whatever a recording is called, it is text on the page.
    let name = "<!--<script> & 'Ω'";
    std::fs::rename(recorded.file("game"), recorded.file(name)).unwrap();
    let page = recorded.file("page.html");
    done(&["replay", told(&recorded.file(name)), "--html", told(&page)]);
    let script = "const told = [shown()];
        for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowLeft', 'End', 'Home']) {
            document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
            told.push(shown());
        }
        return [told, at('name').textContent, location.hash, at('step').ariaValueText];";
    let told = in_chromium(&page, "#game=2&step=3", &scrubbing(script));
    let steps = told[0].as_array().unwrap_or_else(|| panic!("{told}"));
    assert!(steps.iter().all(|step| step["game"] == "2"), "{told}");
    let last = steps[4]["count"].as_str().unwrap();
    let of = last.split_whitespace().nth(3).unwrap().trim_end_matches(',').to_owned();
    for (step, number) in steps.iter().zip(["3", "4", "3", "2", &of, "1"]) {
        let count = step["count"].as_str().unwrap();
        assert!(count.starts_with(&format!("step {number} of {of}")), "{count}");
    }
    assert!(told[1].as_str().unwrap().ends_with(name), "{told}");
    assert_eq!(told[2], "#game=2&step=1");
    assert!(told[3].as_str().unwrap().starts_with("step 1: open "), "{told}");
    recorded.folder = tempfile::tempdir().unwrap();
}

#[test]
fn each_step_has_the_picture_that_was_on_the_screen() {
    let recorded = Recorded::new("beginner", "2", "5");
    let script = "const told = [];
        const picture = () => {
            const { width, height } = at('screen');
            const { data } = at('screen').getContext('2d').getImageData(0, 0, width, height);
            let [sum, weighted] = [0, 0];
            for (let at = 0; at < data.length; at += 4) {
                for (let channel = 0; channel < 3; channel++) {
                    sum += data[at + channel];
                    weighted += data[at + channel] * (at / 4 % 1009);
                }
            }
            return [width, height, sum, weighted];
        };
        const steps = Number(at('step').max);
        // Back, too, and not one by one.
        for (const step of [1, steps, 2, ...Array.from({ length: steps }, (_, nth) => nth + 1)]) {
            scrub(step);
            told.push([step, ...picture()]);
        }
        return told;";
    let told = in_chromium(&recorded.page(), "#game=1", &scrubbing(script));
    let lines = recorded.lines();
    let second = lines.iter().position(|line| line["game"] == 1).expect("a second game");
    let mut frames: Vec<u64> = Vec::new();
    for pair in lines[..second].windows(2).filter(|pair| !pair[1]["clicks"].is_null()) {
        frames.extend(pair[0]["decision"]["frame"].as_u64());
    }
    frames.extend(lines[..second].iter().filter_map(|line| line["frame"].as_u64()).next_back());
    let figures = |frame: u64| {
        let picture = recorded.file("game").join(format!("{frame:04}.png"));
        let picture = load_picture(&picture).unwrap().pixels;
        let (mut sum, mut weighted) = (0, 0);
        for (at, pixel) in picture.pixels().enumerate() {
            for channel in pixel.0.map(u64::from) {
                sum += channel;
                weighted += channel * (at as u64 % 1009);
            }
        }
        [u64::from(picture.width()), u64::from(picture.height()), sum, weighted]
    };
    let told = told.as_array().unwrap_or_else(|| panic!("{told}"));
    assert_eq!(told.len(), frames.len() + 3);
    for step in told {
        let [at, width, height, sum, weighted] =
            [0, 1, 2, 3, 4].map(|nth| step[nth].as_u64().unwrap());
        assert_eq!([width, height, sum, weighted], figures(frames[at as usize - 1]), "step {at}");
    }
}

#[test]
fn an_expert_game_is_scrubbed_in_less_than_a_frame_a_step_on_one_canvas() {
    let recorded = Recorded::new("expert", "1", "3");
    let page = recorded.page();
    let length = page.metadata().unwrap().len();
    assert!(length < LARGEST, "{length} bytes");
    let html = std::fs::read_to_string(&page).unwrap();
    let html = html.replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "//", "src=", "href=", "@import", "url("] {
        let code = |line: &&str| !line.trim_start().starts_with("//");
        let found = html.lines().filter(code).find(|line| line.contains(outside));
        assert_eq!(found, None, "nothing is loaded from outside");
    }
    // Reading a pixel makes sure that it is painted when the time is taken.
    let script = "
        let strokes = 0;
        for (const name of ['fillRect', 'fillText', 'fill', 'stroke']) {
            const whole = CanvasRenderingContext2D.prototype[name];
            CanvasRenderingContext2D.prototype[name] = function (...args) { strokes++; return whole.apply(this, args); };
        }
        const steps = Number(at('step').max);
        const elements = [];
        const times = [];
        for (let nth = 0; nth < 200; nth++) {
            const before = performance.now();
            scrub(1 + (nth * 7) % steps);
            shade(0, 0, 30);
            times.push(performance.now() - before);
            elements.push(document.querySelectorAll('*').length);
        }
        times.sort((a, b) => a - b);
        return { steps, median: times[100], worst: times[199], strokes: strokes / 200, elements: Math.max(...elements) };";
    let told = in_chromium(&page, "", &scrubbing(script));
    println!("{length} bytes; {told}");
    let figure = |name: &str| told[name].as_f64().unwrap_or_else(|| panic!("{told}"));
    assert!(figure("steps") > 20.0, "{told}");
    assert!(figure("median") < 16.0, "{told}");
    // A rectangle and a sign for each cell, and the coordinates; no element for any of them.
    assert!((480.0..1100.0).contains(&figure("strokes")), "{told}");
    assert!(figure("elements") < 400.0, "{told}");
}

#[test]
fn a_moving_picture_shows_the_board_of_each_step_as_it_was_on_the_screen() {
    let recorded = Recorded::new("beginner", "2", "5");
    let gif = recorded.file("game.gif");
    done(&["replay", told(&recorded.file("game")), "--gif", told(&gif), "--game", "1"]);
    let first = std::fs::read(&gif).unwrap();
    let (page, clicks) = (recorded.file("page.html"), recorded.file("game.rawvf"));
    let all = ["--gif", told(&gif), "--html", told(&page), "--rawvf", told(&clicks)];
    let printed = done(&[&["replay", told(&recorded.file("game"))][..], &all].concat());
    assert_eq!(printed.lines().count(), 3, "{printed}");
    let last = std::fs::read(&gif).unwrap();
    let lines = recorded.lines();
    let second = lines.iter().position(|line| line["game"] == 1).expect("a second game");
    for (gif, lines) in [(first, &lines[..second]), (last, &lines[second..])] {
        let mut boards: Vec<RgbImage> = Vec::new();
        for frame in lines.iter().filter_map(|line| line["frame"].as_u64()) {
            let picture = recorded.file("game").join(format!("{frame:04}.png"));
            let board = board_in(&picture);
            if boards.last() != Some(&board) {
                boards.push(board);
            }
        }
        assert!(boards.len() > 3);
        assert!(frames(&gif) == boards, "the frames are not those that were recorded");
    }
}

/// The board in a recorded picture.
fn board_in(picture: &Path) -> RgbImage {
    let label = std::fs::read_to_string(picture.with_extension("txt")).unwrap();
    let (_, notes) = text::parse(&label).unwrap();
    let span = |axis: &str| {
        let edges: Vec<u32> = notes[axis].split(',').map(|edge| edge.parse().unwrap()).collect();
        (edges[0], edges[edges.len() - 1] - edges[0])
    };
    let ((x, width), (y, height)) = (span("xs"), span("ys"));
    let pixels = load_picture(picture).unwrap().pixels;
    image::imageops::crop_imm(&pixels, x, y, width, height).to_image()
}

/// The frames of a GIF, each as it is seen.
fn frames(gif: &[u8]) -> Vec<RgbImage> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(gif).unwrap();
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let mut seen = RgbImage::new(decoder.width().into(), decoder.height().into());
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert!((5..=300).contains(&frame.delay), "{} hundredths", frame.delay);
        for (at, pixel) in frame.buffer.chunks(4).enumerate() {
            let (x, y) = (at as u32 % u32::from(frame.width), at as u32 / u32::from(frame.width));
            let colour = image::Rgb([pixel[0], pixel[1], pixel[2]]);
            seen.put_pixel(x + u32::from(frame.left), y + u32::from(frame.top), colour);
        }
        frames.push(seen.clone());
    }
    frames
}

#[test]
fn a_bench_page_shows_rates_times_and_whether_the_promised_chances_were_true() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("bench.html");
    let games = ["bench", "--level", "8x8x12", "--games", "60", "--strategy", "single,exact,best"];
    let report = done(&[&games[..], &["--json", "--html", told(&page)]].concat());
    let report: Value = serde_json::from_str(&report).unwrap();
    let script = "const figures = Array.from(document.querySelectorAll('#calibration figure'), (figure) => ({
            name: figure.querySelector('figcaption').textContent,
            dots: figure.querySelectorAll('circle').length,
            bins: Array.from(figure.querySelectorAll('tr'), (row) => Array.from(row.cells, (cell) => cell.textContent)).slice(1),
        }));
        return {
            scores: Array.from(document.querySelectorAll('#scores tbody tr'), (row) => Array.from(row.cells, (cell) => cell.textContent)),
            rates: Array.from(document.querySelectorAll('#rates circle'), (dot) => dot.cx.baseVal.value),
            whiskers: Array.from(document.querySelectorAll('#rates .whisker'), (line) => [line.x1.baseVal.value, line.x2.baseVal.value]),
            times: document.querySelectorAll('#times .worst').length,
            figures, warning: document.getElementById('warning').hidden, setup: document.getElementById('setup').textContent,
        };";
    let shown = in_chromium(&page, "", script);
    assert_eq!(shown["setup"], "8x8x12; first click: safe; seed 0; games 0 to 59");
    assert_eq!((&shown["times"], &shown["warning"]), (&Value::from(3), &Value::from(true)));
    let scores = report["strategies"].as_array().unwrap();
    for (nth, score) in scores.iter().enumerate() {
        let number = |value: &Value| value.as_f64().unwrap();
        let row = &shown["scores"][nth];
        assert_eq!(row[0], format!("{}@200000", score["name"].as_str().unwrap()));
        assert_eq!(row[2], score["wins"].to_string());
        assert_eq!(row[3], format!("{:.2} %", 100.0 * number(&score["win_rate"])));
        let (dot, whisker) = (number(&shown["rates"][nth]), &shown["whiskers"][nth]);
        assert!(number(&whisker[0]) < dot && dot < number(&whisker[1]), "{shown}");
    }
    // Who wins more stands further to the right.
    let place = |nth: usize| shown["rates"][nth].as_f64().unwrap();
    assert!(place(0) < place(2), "{shown}");
    let figures = shown["figures"].as_array().unwrap();
    assert_eq!(figures.len(), 1, "only best promises anything: {shown}");
    assert_eq!(figures[0]["name"], "best@200000");
    let bins = scores[2]["calibration"].as_object().unwrap();
    assert!(!bins.is_empty());
    assert_eq!(figures[0]["dots"], bins.len());
    let guesses: u64 = bins.values().map(|bin| bin["guesses"].as_u64().unwrap()).sum();
    let told = figures[0]["bins"].as_array().unwrap().iter();
    let told: u64 = told.map(|row| row[1].as_str().unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(told, guesses);
}

#[test]
fn each_table_of_a_bench_page_is_shown_whole_with_a_value_below_each_head() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("bench.html");
    // Two whose promises are shown side by side.
    let args = ["bench", "--level", "8x8x12", "--games", "40", "--budget", "100,200000"];
    done(&[&args[..], &["--html", told(&page)]].concat());
    let script = "const right = (element) => element.getBoundingClientRect().right;
        return Array.from(document.querySelectorAll('table'), (table) => ({
            heads: Array.from(table.rows[0].cells, right),
            rows: Array.from(table.rows, (row) => Array.from(row.cells, right)),
            room: right(table.parentElement), hidden: table.parentElement.scrollWidth - table.parentElement.clientWidth,
        }));";
    let tables = in_chromium(&page, "", script);
    let tables = tables.as_array().unwrap();
    assert_eq!(tables.len(), 3, "the scores, and the promises of both: {tables:#?}");
    for table in tables {
        assert_eq!(table["hidden"], 0, "{table:#}");
        let heads = table["heads"].as_array().unwrap();
        assert!(heads.last().unwrap().as_f64() <= table["room"].as_f64(), "{table:#}");
        let rows = table["rows"].as_array().unwrap();
        assert!(
            rows.len() > 1 && rows.iter().all(|row| row.as_array() == Some(heads)),
            "{table:#}"
        );
    }
}

#[test]
fn what_cannot_be_shown_is_refused_with_its_reason() {
    let recorded = Recorded::new("beginner", "1", "5");
    let (folder, out) = (recorded.file("game"), recorded.file("out"));
    let (folder, out) = (told(&folder), told(&out));
    let pictures = format!("{}/fixtures/winemine", env!("CARGO_MANIFEST_DIR"));
    for (args, code, why) in [
        (&["replay", folder, "--gif", out, "--game", "2"][..], 2, "there is no game 2"),
        (&["replay", folder, "--gif", out, "--game", "0"], 2, "there is no game 0"),
        (&["replay", folder, "--game", "1"], 2, "--gif"),
        (&["replay", &pictures, "--html", out], 1, "has 0 recordings in it"),
        (&["replay", folder, "--html", "/nowhere/page.html"], 1, "/nowhere/page.html"),
    ] {
        let output = minescraper(args);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {}", said(&output));
        assert!(said(&output).contains(why), "{args:?}: {}", said(&output));
        assert!(!Path::new(out).exists(), "{args:?}");
    }
    // Without any picture there is still a page.
    for file in Path::new(folder).read_dir().unwrap() {
        let file = file.unwrap().path();
        if file.extension().is_some_and(|extension| extension == "png") {
            std::fs::remove_file(file).unwrap();
        }
    }
    let output = minescraper(&["replay", folder, "--gif", out]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("nothing to show"), "{}", said(&output));
    done(&["replay", folder, "--html", out]);
}
