#!/usr/bin/env bash
# Minegauler 4.2.0 (PyPI, GPL 3; PyQt 6) at the level in $1; its beginner board is 8x8. MINEGAULER_THEME is standard, butterfly
# or textured; the last one covers the cells with grass that has no edges. A right click sets a flag, a click on the face begins
# a new game. No skin is made for it. (Its dark themes show no numbers with Debian's Qt.)
. "$(dirname "$0")/fetch.sh"
beginner_cols=8 beginner_rows=8
. "$(dirname "$0")/level.sh"
fetch_pypi minegauler 4.2.0 zig-minesolver==0.1.1 attrs==25.3.0 requests==2.32.3 urllib3==2.2.3 idna==3.10 \
    certifi==2025.1.31 charset-normalizer==3.4.1 pytz==2025.1 tabulate==0.9.0 typing-extensions==4.12.2
export PYTHONPATH=$fetched/minegauler-4.2.0
cd "$HOME" || exit 1
theme=${MINEGAULER_THEME:-standard}
style=${theme^}
# At its own size a theme's pictures are hardly seen.
size=16
[ "$style" = Standard ] || size=28
cat >settings.cfg <<SETTINGS
{
  "x_size": $cols, "y_size": $rows, "mines": $mines, "first_success": true, "per_cell": 1, "reach": 8, "lives": 1,
  "mode": "REGULAR", "btn_size": $size, "drag_select": false, "name": "",
  "styles": {"BUTTONS": "$style", "NUMBERS": "Standard", "MARKERS": "Standard"}
}
SETTINGS
# Its settings are kept beside its code otherwise, and its scores sent to its author; the window that shows them ends it with
# Python 3.10 and newer. So does a new game begun while it still ends the last one, as by fast play: PyQt ends a program at an
# error, unless a hook is set.
exec /usr/bin/python3 -c '
import pathlib, sys
from minegauler.app import paths
paths.SETTINGS_FILE = pathlib.Path("settings.cfg")
paths.HIGHSCORES_FILE = pathlib.Path("highscores.db")
from minegauler.app import __main__, highscores
highscores.insert_highscore = highscores.is_highscore_new_best = lambda *args: None
sys.excepthook = lambda *error: sys.__excepthook__(*error)
sys.exit(__main__.main())'
