#!/usr/bin/env python3
"""The time that OpenCV's matchTemplate takes for an Expert board, beside Minescraper's, in one run.

    python3 benches/peers/opencv.py MINESCRAPER

MINESCRAPER is the program; it tells OpenCV where the cells are. OpenCV has our templates, scaled to the cells, and compares
each cell, with a margin of two pixels, with each template; or the whole board with each. Both are measured on the same
pictures, on one thread; ours is what `cargo bench` says of reading all cells, and of reading those that a batch changed.

Needs: pip install opencv-python-headless.
"""

import json
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import cv2

ROOT = Path(__file__).resolve().parents[2]
GAMES = ["gnome-mines", "kmines", "sgt-mines", "winemine", "xdemineur"]
MARGIN = 2
RUNS = 5
UNITS = {"ns": 1e-6, "µs": 1e-3, "ms": 1.0}


def benched(bench, name):
    """The medians of a benchmark in milliseconds, game by game."""
    command = ["cargo", "bench", "--locked", "--bench", bench, "--", name]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    rows = re.findall(r"─ (\S+) +[\d.]+ \S+ +│ [\d.]+ \S+ +│ ([\d.]+) (\S+)", told)
    return {game: float(number) * UNITS[unit] for game, number, unit in rows}


def templates(skin, width, height):
    pictures = sorted((ROOT / "templates" / skin).glob("*.png"))
    looks = [cv2.imread(str(picture)) for picture in pictures if not picture.stem.startswith("digit-")]
    return [cv2.resize(look, (width, height), interpolation=cv2.INTER_AREA) for look in looks]


def median_ms(work):
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def opencv(program, picture):
    """Milliseconds for cell by cell and for the whole board at once, and the number of templates."""
    told = subprocess.run([program, "read", "--json", picture], capture_output=True, text=True, check=True)
    board = json.loads(told.stdout)["boards"][0]
    lattice, image = board["lattice"], cv2.imread(str(picture))
    left, top, across, down = (lattice[key] for key in ("x", "y", "pitch_x", "pitch_y"))
    width, height = int(across), int(down)
    looks = templates(board["skin"], width, height)

    def crop(x, y, width, height):
        return image[y - MARGIN : y + height + MARGIN, x - MARGIN : x + width + MARGIN]

    places = [
        (round(left + col * across), round(top + row * down))
        for row in range(lattice["rows"])
        for col in range(lattice["cols"])
    ]
    match = lambda part: [cv2.matchTemplate(part, look, cv2.TM_CCOEFF_NORMED).max() for look in looks]
    cells = lambda: [match(crop(x, y, width, height)) for x, y in places]
    whole = lambda: match(crop(left, top, round(lattice["cols"] * across), round(lattice["rows"] * down)))
    return median_ms(cells), median_ms(whole), len(looks)


def main():
    program = sys.argv[1]
    cv2.setNumThreads(1)
    full, batch = benched("reading", "read_again"), benched("playing", "read_after_a_batch")
    print("| game | templates | OpenCV, each cell, ms | whole board, ms | ours, ms | ratio | ours after a batch, ms |")
    print("|---|---|---|---|---|---|---|")
    for game in GAMES:
        cells, whole, count = opencv(program, ROOT / "fixtures" / game / "expert-early-fullscreen.png")
        ratio = f"{cells / full[game]:.0f} and {whole / full[game]:.0f}"
        print(f"| {game} | {count} | {cells:.0f} | {whole:.0f} | {full[game]:.2f} | {ratio} | {batch[game]:.3f} |")


main()
