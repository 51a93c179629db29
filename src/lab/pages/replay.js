"use strict";

// What the page shows is in its data; see `Data` in replay.rs. Games and steps count from 1, cells from 0, row by row.
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const [chooser, scrubber, canvas, chart, screen] = ["game", "step", "board", "chance", "screen"].map(at);
const pen = canvas.getContext("2d", { alpha: false });
const glass = screen.getContext("2d");

// Odds are given in two-hundredths; the first and the last are proven.
const PROVEN_MINE = 200;
const NO_ODDS = 255;
const SAFE_SHADE = [107, 174, 214];
const EVEN_SHADE = [247, 247, 247];
const MINE_SHADE = [253, 141, 60];
const INK_ON_SHADE = "#16191d";
const CHART = { left: 45, right: 985, top: 15, bottom: 140 };
const PACE_MS = 300;

const shades = Array.from({ length: PROVEN_MINE + 1 }, (_, parts) => {
  const half = PROVEN_MINE / 2;
  const [from, to, share] = parts < half
    ? [SAFE_SHADE, EVEN_SHADE, parts / half]
    : [EVEN_SHADE, MINE_SHADE, (parts - half) / half];
  return `rgb(${from.map((value, channel) => Math.round(value + (to[channel] - value) * share))})`;
});

let game, number, side, now, timer, images, painted;
let colours = {};

/** The odds of a cell in parts. */
function parts(step, cell) {
  return step.odds ? parseInt(step.odds.substr(2 * cell, 2), 16) : NO_ODDS;
}

function place(cell) {
  return `(${cell % game.cols}, ${Math.floor(cell / game.cols)})`;
}

function percent(chance) {
  return `${(100 * chance).toFixed(1)} %`;
}

// The board, on one canvas: a row and a column of coordinates, then the cells.

function draw(step) {
  const { cols, rows } = game;
  pen.fillStyle = colours.page;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  if (side >= 14) {
    pen.fillStyle = colours.faint;
    pen.font = `${Math.round(0.4 * side)}px system-ui, sans-serif`;
    for (let col = 0; col < cols; col++) pen.fillText(col, (col + 1.5) * side, 0.5 * side);
    for (let row = 0; row < rows; row++) pen.fillText(row, 0.5 * side, (row + 1.5) * side);
  }
  const numbers = `600 ${Math.round(0.62 * side)}px system-ui, sans-serif`;
  const odds = `${Math.round(0.42 * side)}px system-ui, sans-serif`;
  for (let cell = 0; cell < cols * rows; cell++) {
    const symbol = step.cells[cell];
    const chance = parts(step, cell);
    const [x, y] = [(cell % cols + 1) * side, (Math.floor(cell / cols) + 1) * side];
    const isCovered = "#F?~".includes(symbol);
    const [shown, font, ink] = faceOf(symbol, chance);
    pen.fillStyle = chance !== NO_ODDS ? shades[chance] : isCovered ? colours.covered : colours.open;
    pen.fillRect(x, y, side - 1, side - 1);
    pen.fillStyle = ink;
    if (shown === "●") {
      disc(x, y, 0.24);
    } else if (shown && side >= 14) {
      pen.font = font === "odds" ? odds : numbers;
      pen.fillText(shown, x + side / 2, y + 0.54 * side);
    }
    if (symbol === "X" || symbol === "!") cross(x, y);
  }
  pen.strokeStyle = INK_ON_SHADE;
  pen.lineWidth = Math.max(1, side / 12);
  for (const { cells } of step.moves) {
    for (const cell of cells) mark(cell, cell === step.guess);
  }
}

/** What stands in a cell, in which font and colour. */
function faceOf(symbol, chance) {
  if (symbol === "F") return ["⚑", "number", chance === NO_ODDS ? colours.ink : INK_ON_SHADE];
  if (chance === PROVEN_MINE) return ["●", "", INK_ON_SHADE];
  // Only what is proven is 0 or 100.
  if (chance !== NO_ODDS) return [`${Math.min(Math.ceil(chance / 2), 99)}`, "odds", INK_ON_SHADE];
  if ("*X".includes(symbol)) return ["●", "", colours.ink];
  if (symbol === "!") return ["⚑", "number", colours.ink];
  if (symbol === "o") return ["·", "number", colours.ink];
  return ["#0".includes(symbol) ? "" : symbol, "number", colours.ink];
}

function disc(x, y, radius) {
  pen.beginPath();
  pen.arc(x + side / 2, y + side / 2, radius * side, 0, 7);
  pen.fill();
}

function cross(x, y) {
  pen.strokeStyle = colours.warn;
  pen.lineWidth = Math.max(1, side / 10);
  pen.beginPath();
  pen.moveTo(x + 1, y + 1);
  pen.lineTo(x + side - 2, y + side - 2);
  pen.moveTo(x + side - 2, y + 1);
  pen.lineTo(x + 1, y + side - 2);
  pen.stroke();
}

// What was on the screen, on a canvas of its own: each picture is drawn over those before it.

function paint(picture) {
  at("seen").hidden = picture === null;
  if (picture === null) return;
  if (painted > picture + 1) painted = 0;
  for (; painted <= picture; painted++) {
    const image = images[painted];
    // It comes when the browser has decoded it.
    if (!image.complete) return;
    if (painted === 0) glass.clearRect(0, 0, screen.width, screen.height);
    glass.drawImage(image, game.screen.changes[painted].x, game.screen.changes[painted].y);
  }
}

function takePictures() {
  [screen.width, screen.height, painted] = [game.screen.width, game.screen.height, 0];
  images = game.screen.changes.map(({ png }) => {
    const image = new Image();
    image.addEventListener("load", () => paint(game.steps[number - 1].picture));
    image.src = `data:image/png;base64,${png.replaceAll("-", "+").replaceAll("_", "/")}`;
    return image;
  });
}

function mark(cell, isGuess) {
  const [x, y] = [(cell % game.cols + 1) * side, (Math.floor(cell / game.cols) + 1) * side];
  const inset = 0.08 * side;
  pen.beginPath();
  if (isGuess) pen.rect(x + inset, y + inset, side - 1 - 2 * inset, side - 1 - 2 * inset);
  else pen.arc(x + side / 2, y + side / 2, 0.4 * side, 0, 7);
  pen.stroke();
}

// The chance to win, as a line over the steps.

function svg(tag, attributes, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

function chartX(step) {
  const share = game.steps.length > 1 ? (step - 1) / (game.steps.length - 1) : 0.5;
  return CHART.left + share * (CHART.right - CHART.left);
}

function chartY(chance) {
  return CHART.bottom - chance * (CHART.bottom - CHART.top);
}

function drawChart() {
  const { left, right, top, bottom } = CHART;
  const parts = [];
  for (const chance of [0, 0.5, 1]) {
    const y = chartY(chance);
    parts.push(svg("line", { class: "grid", x1: left, x2: right, y1: y, y2: y }));
    parts.push(svg("text", { class: "faint", x: left - 6, y: y + 4, "text-anchor": "end" }, `${100 * chance} %`));
  }
  const known = game.steps.map((step, index) => [index + 1, step]).filter(([, step]) => step.chance !== null);
  const points = known.map(([step, { chance }]) => `${chartX(step).toFixed(1)},${chartY(chance).toFixed(1)}`);
  parts.push(svg("polyline", { class: "curve", points: points.join(" ") }));
  for (const [step, { chance, guess }] of known) {
    if (guess !== null) parts.push(svg("circle", { class: "guess", cx: chartX(step), cy: chartY(chance), r: 4 }));
  }
  parts.push(svg("text", { class: "faint", x: left, y: bottom + 24 }, "step 1"));
  parts.push(svg("text", { class: "faint", x: right, y: bottom + 24, "text-anchor": "end" }, `step ${game.steps.length}`));
  parts.push(svg("text", { class: "faint", x: (left + right) / 2, y: bottom + 24, "text-anchor": "middle" }, "dots: guesses"));
  now = svg("line", { class: "now", y1: top - 8, y2: bottom + 8 });
  parts.push(now);
  chart.replaceChildren(...parts);
}

// Showing a step.

function show(wanted) {
  number = Math.min(Math.max(wanted, 1), game.steps.length);
  const step = game.steps[number - 1];
  const odds = step.chance === null ? "" : `, ${percent(step.chance)} to win`;
  scrubber.value = number;
  scrubber.setAttribute("aria-valuetext", `step ${number}: ${step.title}`);
  at("count").textContent = `step ${number} of ${game.steps.length}${odds}`;
  at("title").textContent = step.title;
  at("sampled").hidden = !step.sampled;
  at("text").textContent = asText(step);
  const covered = Array.from(step.cells).filter((symbol) => "#F?".includes(symbol)).length;
  canvas.setAttribute("aria-label", `The board before this move: ${covered} of ${step.cells.length} cells are covered`);
  chart.setAttribute("aria-label", `The chance to win over ${game.steps.length} steps; now ${odds.slice(2) || "unknown"}`);
  now.setAttribute("x1", chartX(number));
  now.setAttribute("x2", chartX(number));
  at("moves").replaceChildren(...step.moves.map(asItem));
  draw(step);
  paint(step.picture);
}

function asItem({ cells, reason }) {
  const item = document.createElement("li");
  item.textContent = `open ${cells.map(place).join(", ")}: ${reason}`;
  return item;
}

function asText(step) {
  const rows = [game.header];
  for (let row = 0; row < game.rows; row++) rows.push(step.cells.substr(row * game.cols, game.cols));
  return rows.join("\n");
}

function choose(wanted) {
  const chosen = Math.min(Math.max(wanted, 1), data.games.length);
  game = data.games[chosen - 1];
  chooser.value = chosen;
  scrubber.max = game.steps.length;
  at("summary").replaceChildren(...game.summary.flatMap(([what, told]) => {
    const [term, description] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = what;
    description.textContent = told;
    return [term, description];
  }));
  drawChart();
  takePictures();
  measure();
}

/** Fits the canvas to the page, and takes the colours of the theme. */
function measure() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["page", "ink", "faint", "open", "covered", "warn"]) {
    colours[name] = style.getPropertyValue(`--${name}`).trim();
  }
  const scale = window.devicePixelRatio || 1;
  const room = canvas.parentElement.clientWidth / (game.cols + 1);
  side = Math.round(Math.min(Math.max(room, game.cols > 60 ? 4 : 18), 36) * scale);
  canvas.width = (game.cols + 1) * side;
  canvas.height = (game.rows + 1) * side;
  canvas.style.width = `${canvas.width / scale}px`;
}

// Where the page is, in its address: #game=1&step=12.

function follow() {
  const asked = new URLSearchParams(location.hash.slice(1));
  choose(Number(asked.get("game")) || 1);
  show(Number(asked.get("step")) || 1);
}

function keep() {
  history.replaceState(null, "", `#game=${chooser.value}&step=${number}`);
}

// What the user does.

function pause() {
  clearInterval(timer);
  timer = undefined;
  at("play").textContent = "Play";
}

function play() {
  if (timer) return pause();
  if (number === game.steps.length) show(1);
  at("play").textContent = "Pause";
  timer = setInterval(() => {
    show(number + 1);
    if (number === game.steps.length) pause();
  }, PACE_MS);
}

function press(event) {
  const steps = { ArrowLeft: number - 1, ArrowRight: number + 1, Home: 1, End: game.steps.length };
  // The scrubber and the menu have keys of their own.
  if (!(event.key in steps) || event.target.closest("input, select") || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  show(steps[event.key]);
  keep();
}

function point(event) {
  const box = canvas.getBoundingClientRect();
  const [col, row] = [
    Math.floor((event.clientX - box.left) / box.width * (game.cols + 1)) - 1,
    Math.floor((event.clientY - box.top) / box.height * (game.rows + 1)) - 1,
  ];
  if (col < 0 || row < 0 || col >= game.cols || row >= game.rows) return;
  const cell = row * game.cols + col;
  const step = game.steps[number - 1];
  const chance = parts(step, cell);
  at("cell").textContent = chance === NO_ODDS
    ? `${place(cell)} shows ${step.cells[cell]}`
    : `${place(cell)}: ${percent(chance / PROVEN_MINE)} a mine`;
}

at("name").textContent = data.name;
at("warning").textContent = data.warning || "";
at("warning").hidden = !data.warning;
if (data.games.length === 0) {
  at("title").textContent = "There is no game in this recording.";
} else {
  chooser.replaceChildren(...data.games.map(({ name }, index) => new Option(name, index + 1)));
  chooser.addEventListener("change", () => { pause(); choose(Number(chooser.value)); show(1); keep(); });
  scrubber.addEventListener("input", () => { pause(); show(Number(scrubber.value)); });
  scrubber.addEventListener("change", keep);
  at("play").addEventListener("click", play);
  chart.addEventListener("click", (event) => {
    const box = chart.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * 1000;
    show(Math.round((x - CHART.left) / (CHART.right - CHART.left) * (game.steps.length - 1)) + 1);
    keep();
  });
  canvas.addEventListener("pointermove", point);
  document.addEventListener("keydown", press);
  const redraw = () => { measure(); show(number); };
  window.addEventListener("resize", redraw);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  window.addEventListener("hashchange", follow);
  follow();
}
