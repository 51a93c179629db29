#!/usr/bin/env bash
# The Minesweeper of The Ace of Penguins, which has one level: 32x32 cells of 12 pixels, 200 mines. No skin is made for it.
exec ace-minesweeper
