#!/usr/bin/env bash
# XBomb at the level in $1, beginner, intermediate or expert; its beginner board is 8x8. It draws its numbers in one size,
# so its cells must not be small. No skin is made for it.
case "${1:?a level}" in
    beginner) exec xbomb -square -1 ;;
    intermediate) exec xbomb -square -2 -geometry 800x880 ;;
    expert) exec xbomb -square -3 -geometry 1260x760 ;;
esac
echo "xbomb: no level $1" >&2
exit 2
