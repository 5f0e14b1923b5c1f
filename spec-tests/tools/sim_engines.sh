#!/bin/sh
# sim_engines.sh -- do the engines of loom sim move the same tokens in the same cycles, and count the same?
#
#     sim_engines.sh LOOM TIMED-TABLE SCRATCH CHAPTER... -- KERNEL...      N passed, N failed
#
# Takes the fabrics and cases of the chapters' sections, and golden kernels that it maps; runs each on step, jit and cc.
# The tokens of each channel with their cycles (--timed) must be the same, and so must loops, channels and firings
# (--json); on step the states of each unit add up to the cycles of the run. The numbers of --timed are worked out from
# the table of --cycles once more, by a program that knows nothing of LOOM, where a run is short enough for the table to
# have all of it. So a cycle, a token or a count that one engine has otherwise is found.
set -u
. "$(dirname "$0")/lib.sh"
loom=$(realpath "$1") table=$(realpath "$2") scratch=$3
shift 3
said=$scratch/said
mkdir -p "$scratch"

# same ENGINE FABRIC CASE: tokens and cycles, as step has them
same() {
  "$loom" sim "$2" --case "$3" --alone --engine "$1" --json --timed "$scratch/$1" >"$scratch/$1.json" 2>"$said"
  [ -s "$scratch/$1" ] && cmp "$scratch/step" "$scratch/$1"
}

# What every engine counts.
common() {
  sed 's/"engine": "[a-z]*", //; s/, "busy": .*"idle": [0-9]*//' "$scratch/$1.json"
}
counts_the_same() {
  common step >"$scratch/step.common" && common "$1" | cmp "$scratch/step.common" -
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
    END { exit wrong || !rows }' "$scratch/step.json"
}

traced() {
  "$loom" emit trace "$1" --case "$2" -o "$scratch/trace" -- --format=hash >"$said" 2>&1 &&
    cmp "$scratch/step" "$scratch/trace/channels.timed"
}

worked_out() {
  "$loom" sim "$1" --case "$2" --alone --cycles 2>"$said" | "$table" >"$scratch/table" &&
    cmp "$scratch/table" "$scratch/step"
}

# all_the_same NAME FABRIC CASE
all_the_same() {
  for engine in step jit cc; do
    check "$1: $engine, tokens and cycles" same $engine "$2" "$3"
    check "$1: $engine, counts" counts_the_same $engine
  done
  check "$1: the states of units add up" adds_up
  if [ -d "$2" ]; then check "$1: loom emit trace" traced "$2" "$3"; fi # the trace of a mapping says the same
  [ "$(sed -n 's/^cycles //p' "$scratch/step")" -lt 1000 ] || return
  check "$1: the table of cycles gives the same numbers" worked_out "$2" "$3"
}

while [ "$1" != -- ]; do
  for section in $(sh "$(dirname "$0")/sections.sh" "$1" "$scratch/$(basename "$1")"); do
    all_the_same "$section" "$section/in.mlir" "$section/case.json"
  done
  shift
done
shift
for kernel; do
  if "$loom" map "$kernel/kernel.mlir" --adg large -o "$scratch/map" >"$said" 2>&1; then
    all_the_same "$kernel" "$scratch/map" "$kernel/case.json"
    rm -r "$scratch/map"
  else
    fail "$kernel: loom map"
  fi
done
checks_end
