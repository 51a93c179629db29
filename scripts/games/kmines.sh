#!/usr/bin/env bash
# KMines at the level in $1. KMINES_THEME is default, classic, green or graveyard-mayhem, in Debian 13 also clean_blue or
# clean_blue_dark; WINDOW_SIZE, when set, is WIDTHxHEIGHT; KMINES_QUESTION_MARKS=true lets a second right click set a question mark;
# KMINES_SCORES=full has a list of high scores that no game gets into, so that no window asks for a name after a win.
. "$(dirname "$0")/level.sh"
case "$1" in
    beginner) name=Easy ;;
    intermediate) name=Medium ;;
    expert) name=Hard ;;
    *) name=Custom ;;
esac
mkdir -p "$XDG_CONFIG_HOME"
cat >"$XDG_CONFIG_HOME/kminesrc" <<END
[KgDifficulty]
Level=$name

[KgTheme]
Theme=themes/${KMINES_THEME:-default}.desktop

[General]
question mark=${KMINES_QUESTION_MARKS:-false}
kmines_reset=false

[Options]
custom width=$cols
custom height=$rows
custom mines=$mines
END
if [ "${KMINES_SCORES:-}" = full ]; then
    {
        printf '\n[KHighscore_%s]\n' "$name"
        for place in 1 2 3 4 5 6 7 8 9 10; do printf '%d_Score=-1\n' "$place"; done
    } >>"$XDG_CONFIG_HOME/kminesrc"
fi
exec dbus-run-session -- kmines ${WINDOW_SIZE:+-geometry "$WINDOW_SIZE"}
