#!/bin/sh
# presets.sh -- the table of the presets in the manual: what each is, and what it does for the golden kernels.
#
#     presets.sh LOOM PRESET...          rows of Markdown
#
# Each golden kernel is mapped and run, generated code, against its case. Cycles are the geometric mean
# over the kernels that map; beside them the same kernels' cycles on the preset that is named last, of
# which these are so many times as many. Some minutes; run from the root of the repository.
set -u
loom=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# "kernel cycles" for each kernel that maps onto a preset and does what its case says
cycles() {
  for kernel in golden/*/; do
    name=$(basename "$kernel")
    "$loom" map "$kernel/kernel.mlir" --adg "$1" --budget "${BUDGET:-20}" -o "$folder/$1" >/dev/null 2>&1 &&
      "$loom" sim "$folder/$1" --case "$kernel/case.json" --alone --engine jit 2>&1 |
      awk -v name="$name" '/^[0-9]+ cycles/ { n = $1 } /^PASS/ { print name, n }'
    rm -rf "$folder/$1"
  done
}

for preset; do
  cycles "$preset" >"$folder/$preset.cycles" &
done
wait
for last; do :; done
printf '| preset | PEs | configuration bits | area | golden kernels | cycles | to those of `%s` |\n|---|---|---|---|---|---|---|\n' "$last"
for preset; do
  "$loom" adg show "$preset" >"$folder/said"
  awk -v preset="$preset" '
    FILENAME ~ /said$/ && /^  PEs/ { pes = $2 " " $3 }
    FILENAME ~ /said$/ && /^  configured/ { bits = $2 }
    FILENAME ~ /said$/ && /^  area/ { area = $3 }
    FILENAME ~ /last$/ { other[$1] = $2 }
    FILENAME ~ /own$/ { n++; sum += log($2); if ($1 in other) { m++; ratio += log($2 / other[$1]) } }
    END { printf "| `%s` | %s | %s | %s | %d | %d | %.2f |\n", preset, pes, bits, area, n,
      n ? exp(sum / n) : 0, m ? exp(ratio / m) : 0 }' \
    "$folder/said" "$(cp "$folder/$last.cycles" "$folder/last" && echo "$folder/last")" \
    "$(cp "$folder/$preset.cycles" "$folder/own" && echo "$folder/own")"
done
