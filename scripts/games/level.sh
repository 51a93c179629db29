# Sourced by the games beside it: turns the level in $1 into $cols, $rows and $mines.
case "${1:?a level}" in
    beginner) cols=${beginner_cols:-9} rows=${beginner_rows:-9} mines=10 ;;
    intermediate) cols=16 rows=16 mines=40 ;;
    expert) cols=30 rows=16 mines=99 ;;
    *) IFS=x read -r cols rows mines <<<"$1" ;;
esac
