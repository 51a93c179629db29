"use strict";

// The data is the report as `bench --json` prints it: rates from 0 to 1, times in milliseconds.
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const scores = data.strategies;
const ROW = 28;
const NAMES = 260;
const RIGHT = 960;

const nameOf = ({ name, budget }) => `${name}@${budget}`;
const percent = (rate, digits = 2) => (rate === null ? "none" : `${(100 * rate).toFixed(digits)} %`);
const between = ([low, high]) => `${(100 * low).toFixed(2)} to ${(100 * high).toFixed(2)}`;

function svg(tag, attributes, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

function row(cells, isHead = false) {
  const row = document.createElement("tr");
  cells.forEach((text, index) => {
    const cell = document.createElement(isHead || index === 0 ? "th" : "td");
    if (cell.tagName === "TH") cell.scope = isHead ? "col" : "row";
    cell.textContent = text;
    row.append(cell);
  });
  return row;
}

/** A chart of one row for each strategy. `ticks` are values with their names, `x` says where a value is. */
function rows(chart, ticks, x, marks) {
  const bottom = ROW * scores.length + 8;
  chart.setAttribute("viewBox", `0 0 1000 ${bottom + 26}`);
  for (const [value, name] of ticks) {
    chart.append(svg("line", { class: "grid", x1: x(value), x2: x(value), y1: 0, y2: bottom }));
    chart.append(svg("text", { class: "faint", x: x(value), y: bottom + 18, "text-anchor": "middle" }, name));
  }
  scores.forEach((score, index) => {
    const y = ROW * (index + 0.5) + 4;
    chart.append(svg("text", { x: NAMES - 16, y: y + 4, "text-anchor": "end" }, nameOf(score)));
    chart.append(...marks(score, y));
  });
}

/** Round numbers from `low` to `high`, at most eight. */
function ticksBetween(low, high) {
  const rough = (high - low) / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * power).find((step) => step >= rough);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}

function drawRates() {
  const low = Math.min(...scores.map(({ ci95 }) => ci95[0]));
  const high = Math.max(...scores.map(({ ci95 }) => ci95[1]));
  const x = (rate) => NAMES + (rate - low) / (high - low || 1) * (RIGHT - NAMES);
  const ticks = ticksBetween(low, high).map((rate) => [rate, `${Number((100 * rate).toPrecision(4))} %`]);
  rows(at("rates"), ticks, x, ({ ci95, win_rate: rate }, y) => {
    if (rate === null) return [];
    return [
      svg("line", { class: "whisker", x1: x(ci95[0]), x2: x(ci95[1]), y1: y, y2: y }),
      svg("circle", { class: "dot", cx: x(rate), cy: y, r: 5 }),
    ];
  });
}

function drawTimes() {
  // Logarithmic: from thousandths of a millisecond to seconds.
  const log = (ms) => Math.log10(Math.max(ms, 1e-4));
  const low = Math.floor(Math.min(...scores.map(({ decision_ms: ms }) => log(ms.p50))));
  const high = Math.ceil(Math.max(...scores.map(({ decision_ms: ms }) => log(ms.max))));
  const x = (power) => NAMES + (power - low) / (high - low || 1) * (RIGHT - NAMES);
  const powers = Array.from({ length: high - low + 1 }, (_, index) => low + index);
  const ticks = powers.map((power) => [power, `${10 ** power} ms`]);
  rows(at("times"), ticks, x, ({ decision_ms: ms }, y) => [
    svg("line", { class: "whisker", x1: x(log(ms.p50)), x2: x(log(ms.p99)), y1: y, y2: y }),
    svg("circle", { class: "dot", cx: x(log(ms.p50)), cy: y, r: 5 }),
    svg("rect", { class: "worst", x: x(log(ms.max)) - 4, y: y - 4, width: 8, height: 8 }),
  ]);
}

function drawCalibration(score, bins) {
  const [left, right, top, bottom] = [50, 390, 10, 350];
  const x = (rate) => left + rate * (right - left);
  const y = (rate) => bottom - rate * (bottom - top);
  const label = `What ${nameOf(score)} promised against what came about; the table below has the numbers`;
  const chart = svg("svg", { viewBox: "0 0 410 400", role: "img", "aria-label": label });
  for (const rate of [0, 0.25, 0.5, 0.75, 1]) {
    chart.append(svg("line", { class: "grid", x1: x(rate), x2: x(rate), y1: top, y2: bottom }));
    chart.append(svg("line", { class: "grid", x1: left, x2: right, y1: y(rate), y2: y(rate) }));
    chart.append(svg("text", { class: "faint", x: x(rate), y: bottom + 18, "text-anchor": "middle" }, `${100 * rate}`));
    chart.append(svg("text", { class: "faint", x: left - 8, y: y(rate) + 4, "text-anchor": "end" }, `${100 * rate}`));
  }
  chart.append(svg("line", { class: "grid", x1: left, x2: right, y1: bottom, y2: top, "stroke-dasharray": "6 4" }));
  chart.append(svg("text", { x: (left + right) / 2, y: bottom + 38, "text-anchor": "middle" }, "to the right: promised, %; upwards: won, %"));
  const most = Math.max(...bins.map(({ guesses }) => guesses));
  for (const { guesses, promised, win_rate: rate, ci95 } of bins) {
    chart.append(svg("line", { class: "whisker", x1: x(promised), x2: x(promised), y1: y(ci95[0]), y2: y(ci95[1]) }));
    const dot = svg("circle", { class: "dot", cx: x(promised), cy: y(rate), r: 2.5 + 5 * Math.sqrt(guesses / most) });
    dot.append(svg("title", {}, `${guesses} guesses: promised ${percent(promised, 1)}, won ${percent(rate, 1)}`));
    chart.append(dot);
  }
  const table = document.createElement("table");
  table.append(row(["promised", "guesses", "mean promise", "won", "95 %"], true));
  for (const { bin, guesses, promised, win_rate: rate, ci95 } of bins) {
    table.append(row([`${5 * bin} to ${5 * bin + 5} %`, guesses, percent(promised, 1), percent(rate, 1), between(ci95)]));
  }
  const caption = document.createElement("figcaption");
  caption.textContent = nameOf(score);
  const [figure, wide] = [document.createElement("figure"), document.createElement("div")];
  wide.className = "wide";
  wide.append(table);
  figure.append(caption, chart, wide);
  return figure;
}

function setup() {
  const games = data.played.map(({ start, end }) => (start === end ? "none" : `${start} to ${end - 1}`)).join(", ");
  return [
    data.level ?? "boards from files",
    data.first_click && `first click: ${data.first_click}`,
    `seed ${data.seed}`,
    data.no_guess && `boards that ${data.no_guess} needs no guess for`,
    `games ${games || "none"}`,
  ].filter(Boolean).join("; ");
}

at("setup").textContent = setup();
if (data.partial) {
  at("warning").textContent = "Partial: it was stopped before all games were played.";
  at("warning").hidden = false;
}
for (const score of scores) {
  const { games, wins, win_rate: rate, ci95, guesses_per_game: guesses, decision_ms: ms } = score;
  const times = [ms.p50, ms.p99, ms.max].map((time) => time.toFixed(3));
  at("scores").tBodies[0].append(row(
    [nameOf(score), games, wins, percent(rate), between(ci95), (guesses ?? 0).toFixed(2), ...times]));
}
drawRates();
drawTimes();
const promising = scores.map((score) => [
  score,
  Object.entries(score.calibration).map(([bin, counts]) => ({ bin: Number(bin), ...counts })).filter(({ guesses }) => guesses > 0),
]).filter(([, bins]) => bins.length > 0);
at("calibration").append(...promising.map(([score, bins]) => drawCalibration(score, bins)));
at("silent").hidden = promising.length > 0;
