#!/bin/sh
# fabric_shapes.sh -- fabrics of many shapes: each verifies, flattens, is printed as a fixed point,
# has a layout that names every component once and puts no two at one point, and comes out the same
# byte for byte a second time and from a LOOM that another compiler built.
#
#     spec-tests/tools/fabric_shapes.sh build/loom SCRATCH [OTHER-LOOM]
set -u
. "$(dirname "$0")/lib.sh"
loom=$1
work=$2
other=${3:-}
mkdir -p "$work"
said=$work/said checked=$work/said

# "name kind" of each component of a file that has one a line
components() {
  sed -n 's/^  {"name": "\([^"]*\)", "kind": "\([^"]*\)".*/\1 \2/p' "$1"
}

points_differ() {
  [ -z "$(sed -n 's/.*"x": \(.*\)}.*/\1/p' "$1" | sort | uniq -d)" ]
}

# Everything but where in the text things stand.
shown() {
  $loom adg show --json "$1" | sed 1d
}

while read -r shape; do
  [ -n "$shape" ] || continue
  check "$shape: it is made" $loom adg $shape -o "$work/a.mlir" --viz "$work/a.json"
  check "$shape: it verifies" $loom opt --verify-only --strict "$work/a.mlir"
  check "$shape: it flattens" $loom adg show --json "$work/a.mlir" -o "$work/adg.json"
  components "$work/adg.json" >"$work/adg.names"
  components "$work/a.json" >"$work/layout.names"
  check "$shape: the layout has the components of the ADG" cmp "$work/adg.names" "$work/layout.names"
  check "$shape: no two are drawn at one point" points_differ "$work/a.json"
  check "$shape: the printed text is read" $loom opt "$work/a.mlir" -o "$work/b.mlir"
  check "$shape: it prints as it is" $loom opt "$work/b.mlir" -o "$work/c.mlir"
  check "$shape: printing is a fixed point" cmp "$work/b.mlir" "$work/c.mlir"
  shown "$work/a.mlir" >"$work/a.shown"
  shown "$work/b.mlir" >"$work/b.shown"
  check "$shape: printed, it is the same fabric" cmp "$work/a.shown" "$work/b.shown"
  for again in "$loom" $other; do
    mkdir -p "$work/again"
    check "$shape: it is made again" $again adg $shape -o "$work/again/a.mlir" --viz "$work/again/a.json"
    check "$shape: the same text from $again" cmp "$work/a.mlir" "$work/again/a.mlir"
    check "$shape: the same layout from $again" cmp "$work/a.json" "$work/again/a.json"
    rm -rf "$work/again"
  done
done <<'SHAPES'
tiny
small
medium
large
xl
temporal
temporal --instructions 32 --width 32
--topology chess --rows 1 --cols 1
--topology chess --rows 1 --cols 7 --memories 1 --scratchpads 0 --lanes 1
--topology chess --rows 40 --cols 3 --memories 5 --lanes 3
--topology chess --rows 3 --cols 3 --fifo 2 --pe-fifo 4,bypassable
--topology chess --rows 4 --cols 4 --pattern ST/TS --instructions 3
--topology chess --rows 4 --cols 3 --pattern SST --switches temporal --routes 9
--topology mesh --rows 1 --cols 1 --memories 1 --lanes 1
--topology mesh --rows 7 --cols 1 --inputs 9 --outputs 5
--topology mesh --rows 3 --cols 4 --instructions 5 --registers 0 --memories 2
--topology mesh --rows 2 --cols 2 --pattern T --switches spatial --pe-fifo 2
--topology mesh --rows 3 --cols 3 --switches temporal --width 64 --fu all
--topology torus --rows 2 --cols 1 --memories 1
--topology torus --rows 3 --cols 5 --fifo 1,bypassable --tracks 3
--topology lattice --rows 1 --cols 1 --memories 0 --scratchpads 2 --lanes 2
--topology lattice --rows 4 --cols 5 --memories 3 --mem-type f32
--topology lattice --rows 3 --cols 3 --instructions 3 --fifo 3 --tracks 1
--topology ring --rows 1 --cols 1 --memories 1
--topology ring --rows 1 --cols 2
--topology ring --rows 3 --cols 5 --tracks 5 --fifo 2
--topology ring --rows 5 --cols 4 --pattern STS/TS
--topology cube --rows 2 --cols 3 --depth 1
--topology cube --rows 1 --cols 1 --depth 5
--topology cube --rows 3 --cols 4 --depth 3 --fifo 2,bypassable
--topology cube --rows 3 --cols 3 --depth 2 --pattern T/S --switches temporal
--topology star --rows 1 --cols 1
small --loads 3 --stores 0
tiny --loads 1 --stores 2 --instructions 4
--topology star --rows 3 --cols 4 --memories 5
--topology star --rows 2 --cols 5 --instructions 4 --memories 2
SHAPES

# A letter for each cell and switch of the largest board, and one letter for all, say the same. Time goes with the
# cells: when each cell looked for its letter from the start, this took more than half a minute.
row=$(printf '%256s' | tr ' ' S)
all=$(yes "$row" | sed 256q | paste -sd/ -)
for pattern in S "$all"; do
  printf 'topology mesh\nrows 256\ncols 256\ntracks 1\npattern %s\nswitch-pattern %s\nswitch S\n' "$pattern" "$pattern" >"$work/board.adg"
  check "256x256, ${#pattern} letters" timeout 30 "$loom" adg "$work/board.adg" -o "$work/large.mlir"
  cksum <"$work/large.mlir" >"$work/large.${#pattern}"
  rm -f "$work/large.mlir"
done
check "256x256: the same board" cmp "$work/large.1" "$work/large.${#all}"
checks_end
