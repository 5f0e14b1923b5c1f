#!/bin/sh
# c_golden.sh -- the golden kernels as C, through the front end and back into C.
#
#     c_golden.sh LOOM SCRATCH HAND-CHECK [CC...]          N passed, N failed
#
# golden/NAME/hand.c has the kernel as a function of C. `loom emit csim` makes C of its graph, which takes the
# place of that function: the rest of hand.c calls it, and what it computes must be what golden/NAME/case.json
# expects, to the bit. (A program without LOOM wrote that file.) So a front end that makes another program of a
# loop, a call, an array or a type is found, and a generated function that takes its arguments otherwise.
set -u
loom=$1 work=$2 check=$3
shift 3
. "$(dirname "$0")/lib.sh"
rm -rf "$work"
mkdir -p "$work"
cp golden/hand.h "$work"
said=$work/said checked=$work/said
for folder in golden/*/; do
  kernel=$(basename "$folder") to=$work/$(basename "$folder")
  # a struct of several types is no result that a graph could have
  grep "^static .*[ *]$kernel(" "$folder/hand.c" 2>"$said" | grep -qv '^static [A-Z]' || continue
  check "$kernel is emitted" "$loom" emit csim "$folder/hand.c" --func "$kernel" -o "$to" || continue
  cp "$folder/kernel.mlir" "$folder/case.json" "$to"
  {
    echo "#include \"$kernel.c\""
    sed "s/^\(static .*[ *]\)$kernel(/\1replaced_$kernel(/" "$folder/hand.c"
  } >"$to/hand.c"
done
check "most kernels have C" [ "$(ls -d "$work"/*/ | wc -l)" -ge 50 ]
for compiler in "${@:-cc}"; do
  "$check" --cc "$compiler -w" "$work"/*/ >"$said" 2>&1
  sed '$d' "$said"
  last=$(tail -n 1 "$said")
  passed=$((passed + ${last%% *})) failed=$((failed + $(expr "$last" : '.* \([0-9]*\) failed')))
done
checks_end
