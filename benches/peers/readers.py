#!/usr/bin/env python3
"""Boards read right, by Minescraper and by two others, on the same labelled pictures.

    python3 benches/peers/readers.py MINESCRAPER [FOLDER]

MINESCRAPER is the program. FOLDER holds one folder for each skin, with pictures and a board text beside each; fixtures
without it. The others, from PyPI, are ms_toollib (its `obr_board` finds and reads a board by itself) and
opencv-python-headless (`matchTemplate` for every cell and template, the best kind of score on these pictures). OpenCV is
told the lattice and has our templates, scaled to the cells; it has no notion of a cell that cannot be read.

Needs: pip install ms_toollib==1.5.16 opencv-python-headless, and the file params.onnx of that version's Rust crate in the
working folder.
"""

import functools
import json
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import cv2
import ms_toollib

ROOT = Path(__file__).resolve().parents[2]
SYMBOLS = {str(n): str(n) for n in range(9)} | {
    "covered": "#", "flag": "F", "mine": "*", "burst": "X", "wrong-flag": "!", "question": "?",
}
# What ms_toollib calls a covered cell, a flag, and mines after a loss.
TOOLLIB = {10: "#", 11: "F", 14: "!", 15: "X", 16: "*"}
BOARD_SYMBOLS = set("0123456789#F*X!?~")
# Sides of cells, in pixels, that are counted together.
SCALES = [(10, 16), (17, 24), (25, 40), (41, 96)]


def boards_in(text):
    """The rows of every board in a text; notes and heads are left out."""
    boards = []
    for line in text.splitlines():
        if line.startswith("minescraper"):
            boards.append([])
        elif line and boards and set(line) <= BOARD_SYMBOLS:
            boards[-1].append(line)
    return boards


def ours(program, picture):
    told = subprocess.run([program, "read", "--json", picture], capture_output=True, text=True)
    return json.loads(told.stdout)["boards"] if told.returncode == 0 else []


def look_of(stem):
    """The look in names like 3, flag-2 and lost-covered; None for digits of the counter."""
    for prefix in ("lost-", "won-"):
        stem = stem.removeprefix(prefix)
    name, _, number = stem.rpartition("-")
    return SYMBOLS.get(name if name and number.isdigit() else stem)


@functools.cache
def templates(skin, width, height):
    pictures = sorted((ROOT / "templates" / skin).glob("*.png"))
    looks = [(look_of(picture.stem), picture) for picture in pictures]
    scaled = lambda picture: cv2.resize(cv2.imread(str(picture)), (width, height), interpolation=cv2.INTER_AREA)
    return [(look, scaled(picture)) for look, picture in looks if look is not None]


def opencv(image, lattice, skin):
    cols, rows = lattice["cols"], lattice["rows"]
    across, down = lattice["pitch_x"], lattice["pitch_y"]
    width, height = int(across), int(down)
    looks = templates(skin, width, height)
    board = []
    for row in range(rows):
        line = ""
        for col in range(cols):
            x, y = round(lattice["x"] + col * across), round(lattice["y"] + row * down)
            cell = image[y : y + height, x : x + width]
            score = lambda look: cv2.matchTemplate(cell, look[1], cv2.TM_SQDIFF_NORMED)[0][0]
            line += min(looks, key=score)[0] if cell.shape[:2] == (height, width) else "~"
        board.append(line)
    return board


def toollib(picture):
    """In a process of its own: the library may abort."""
    told = subprocess.run([sys.executable, __file__, "--toollib", picture], capture_output=True, text=True)
    return told.stdout.split() if told.returncode == 0 else []


def print_toollib(picture):
    image = cv2.imread(picture)
    height, width = image.shape[:2]
    pixels = cv2.cvtColor(image, cv2.COLOR_BGR2BGRA).flatten().tolist()
    for row in ms_toollib.obr_board(pixels, height, width):
        print("".join(TOOLLIB.get(cell, str(cell)) for cell in row))


def main():
    if sys.argv[1] == "--toollib":
        return print_toollib(sys.argv[2])
    program = sys.argv[1]
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / "fixtures"
    right = {}
    seconds = cells = 0
    for picture in sorted(folder.glob("*/*.png")):
        text = picture.with_suffix(".txt")
        truth = boards_in(text.read_text()) if text.exists() else []
        if len(truth) != 1 or "status=hidden" in text.read_text():
            # Nothing to be read: the board is hidden.
            continue
        # A cell that is covered by something else has no truth to be held against.
        agrees = lambda board: len(board) == len(truth[0]) and all(
            len(a) == len(b) and all(x == y or y == "~" for x, y in zip(a, b)) for a, b in zip(board, truth[0])
        )
        found = ours(program, picture)
        image = cv2.imread(str(picture))
        kind = "full screens" if "fullscreen" in picture.stem else "windows"
        pitch = found[0]["lattice"]["pitch_x"] if found else 0
        scale = next((f"cells of {a} to {b} pixels" for a, b in SCALES if a <= round(pitch) <= b), "not found")
        score = Counter({"tried": 1})
        score["ours"] += len(found) == 1 and agrees(found[0]["rows"])
        if len(found) == 1:
            start = time.perf_counter()
            score["opencv"] += agrees(opencv(image, found[0]["lattice"], found[0]["skin"]))
            seconds += time.perf_counter() - start
            cells += found[0]["lattice"]["cols"] * found[0]["lattice"]["rows"]
        score["toollib"] += agrees(toollib(str(picture)))
        for group in (f"`{picture.parent.name}`", kind, scale, "all"):
            right[group] = right.get(group, Counter()) + score
    print("| pictures of | tried | Minescraper | OpenCV, lattice given | ms_toollib |")
    print("|---|---|---|---|---|")
    for group, score in sorted(right.items(), key=lambda group: (group[0] == "all", group[0][0] != "`", group[0])):
        print(f"| {group} | {score['tried']} | {score['ours']} | {score['opencv']} | {score['toollib']} |")
    print(f"\nOpenCV: {seconds / cells * 480 * 1000:.1f} ms for 480 cells")


main()
