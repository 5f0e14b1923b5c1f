#!/bin/sh
# statistics.sh -- where the cycles went, by every engine of loom sim.
#
#     spec-tests/tools/statistics.sh build/loom SCRATCH CHAPTER KERNEL...
#
# Takes the fabrics and cases of a chapter's sections, and golden kernels that it maps. On step, jit
# and cc the same loops, channels and firings must be counted; and on step the states of each unit
# must add up to the cycles of the run.
set -u
. "$(dirname "$0")/lib.sh"
loom=$(realpath "$1") scratch=$2 chapter=$3
shift 3
said=$scratch/said
mkdir -p "$scratch/chapter"

# What every engine counts.
common() {
  sed 's/"engine": "[a-z]*", //; s/, "busy": .*"idle": [0-9]*//' "$1"
}

# The six states of each unit are there, and are the cycles together.
adds_up() {
  awk '
    /^  "cycles": / { cycles = $2 + 0 }
    /"firings": / {
      gsub(/[",:}]/, " ")
      sum = seen = 0
      for (i = 1; i < NF; i++)
        if ($i ~ /^(firings|busy|memory|starved|blocked|idle)$/ && $(i + 1) ~ /^[0-9]+$/) {
          sum += $(i + 1)
          seen++
        }
      if (sum != cycles || seen != 6) { print; wrong = 1 }
      rows++
    }
    END { exit wrong || !rows }' "$1"
}

# counted NAME FABRIC CASE
counted() {
  for engine in step jit cc; do
    "$loom" sim "$2" --case "$3" --alone --engine $engine --json >"$scratch/$engine.json" 2>"$scratch/said"
    common "$scratch/$engine.json" >"$scratch/$engine"
    check "$1: $engine counts otherwise" cmp "$scratch/step" "$scratch/$engine"
  done
  check "$1: states do not add up" adds_up "$scratch/step.json"
}

for section in $(sh "$(dirname "$0")/sections.sh" "$chapter" "$scratch/chapter"); do
  counted "$section" "$section/in.mlir" "$section/case.json"
done
for kernel; do
  check "$kernel: loom map" "$loom" map "$kernel/kernel.mlir" --adg large -o "$scratch/map"
  counted "$kernel" "$scratch/map" "$kernel/case.json"
  rm -rf "$scratch/map"
done
checks_end
