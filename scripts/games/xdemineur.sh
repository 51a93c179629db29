#!/usr/bin/env bash
# xdemineur at the level in $1; it takes no fewer than 12 columns, so its beginner board is 12x9.
. "$(dirname "$0")/level.sh"
exec xdemineur -geometry "${cols}x${rows}" -m "$mines"
