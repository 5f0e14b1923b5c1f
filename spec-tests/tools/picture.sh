#!/bin/sh
# picture.sh -- pictures of fabrics: no two nodes overlap, and connected nodes are near each other.
#
#     picture.sh LOOM
#
# Of each fabric `loom adg show --dot` is read: every node must have a place and a size, no two may
# overlap, and a channel must be shorter than two things taken at random are apart: in a mesh of
# hundreds, a fifth of it. A program that draws such a file needs no layout of its own.
# Prints "N passed, N failed".
. "$(dirname "$0")/lib.sh"
loom=$1

# WHAT FRACTION ARGUMENTS...: of a fabric made by `loom adg ARGUMENTS`
picture() {
  what=$1 fraction=$2
  shift 2
  wrong=$($loom adg "$@" | $loom adg show --dot - | awk -v fraction="$fraction" '
    BEGIN { n = 0 }
    / \[shape=/ {
      if (!match($0, /pos="[-0-9]+,[-0-9]+"/)) { print "a node without a place: " $0; exit }
      split(substr($0, RSTART + 5, RLENGTH - 6), at, ",")
      match($0, /width=[0-9.]+/);  w = substr($0, RSTART + 6, RLENGTH - 6) * 72
      match($0, /height=[0-9.]+/); h = substr($0, RSTART + 7, RLENGTH - 7) * 72
      x[n] = at[1]; y[n] = at[2]; wide[n] = w; high[n] = h; id[$1] = n++
    }
    / -> / {
      dx = x[id[$1]] - x[id[$3]]; dy = y[id[$1]] - y[id[$3]]
      wired += sqrt(dx * dx + dy * dy); channels++
    }
    END {
      for (i = 0; i < n; i++)
        for (j = 0; j < i; j++) {
          dx = x[i] - x[j]; dy = y[i] - y[j]
          all += sqrt(dx * dx + dy * dy); pairs++
          if (dx < 0) dx = -dx
          if (dy < 0) dy = -dy
          if (2 * dx < wide[i] + wide[j] && 2 * dy < high[i] + high[j]) {
            print "things " i " and " j " overlap"; exit
          }
        }
      if (n < 4) { print "only " n " things"; exit }
      if (wired / channels > fraction * all / pairs)
        print "channels are " wired / channels " long, pairs " all / pairs " apart"
    }')
  if [ -z "$wrong" ]; then pass; else fail "the picture of $what: $wrong"; fi
}

picture "a mesh with FIFOs" 0.2 --topology mesh --rows 8 --cols 8 --fifo 4 --pe-fifo 2 --fu int
picture "a chess board" 0.3 --topology chess --rows 5 --cols 6 --fu int
picture "a torus" 0.8 --topology torus --rows 4 --cols 4 --fu int
picture "a star" 0.9 --topology star --rows 3 --cols 3 --fu int
picture "a row" 0.5 --topology mesh --rows 1 --cols 9 --fu int --memories 0 --scratchpads 0
picture "a temporal one" 0.7 temporal
checks_end
