#!/bin/sh
# timed.sh -- the same tokens in the same cycles, by every engine of loom sim.
#
#     spec-tests/tools/timed.sh build/loom build/tools/timed-table SCRATCH CHAPTER KERNEL...
#
# Takes the fabrics and cases of a chapter's sections, and golden kernels that it maps; runs each on
# step, jit and cc with --timed; and works the numbers out from the table of --cycles once more,
# where the run is short enough for the table to have all of it.
set -u
. "$(dirname "$0")/lib.sh"
loom=$(realpath "$1") table=$(realpath "$2") scratch=$3 chapter=$4
shift 4
said=$scratch/said
mkdir -p "$scratch/chapter"

# same ENGINE FABRIC CASE: as step has it
same() {
  "$loom" sim "$2" --case "$3" --alone --engine "$1" --timed "$scratch/$1" >"$said" 2>&1 &&
    [ -s "$scratch/$1" ] && cmp "$scratch/step" "$scratch/$1"
}

traced() {
  "$loom" emit trace "$1" --case "$2" -o "$scratch/trace" -- --format=hash >"$said" 2>&1 &&
    cmp "$scratch/step" "$scratch/trace/channels.timed"
}

worked_out() {
  "$loom" sim "$1" --case "$2" --alone --cycles 2>&1 | "$table" >"$scratch/table" &&
    cmp "$scratch/table" "$scratch/step"
}

# all_the_same NAME FABRIC CASE
all_the_same() {
  for engine in step jit cc; do check "$1: $engine" same $engine "$2" "$3"; done
  if [ -d "$2" ]; then check "$1: loom emit trace" traced "$2" "$3"; fi # the trace of a mapping says the same
  [ "$(sed -n 's/^cycles //p' "$scratch/step")" -lt 1000 ] || return
  check "$1: its table of cycles gives other numbers" worked_out "$2" "$3"
}

for section in $(sh "$(dirname "$0")/sections.sh" "$chapter" "$scratch/chapter"); do
  all_the_same "$section" "$section/in.mlir" "$section/case.json"
done
for kernel; do
  if "$loom" map "$kernel/kernel.mlir" --adg large -o "$scratch/map" >"$scratch/said" 2>&1; then
    all_the_same "$kernel" "$scratch/map" "$kernel/case.json"
    rm -r "$scratch/map"
  else
    fail "$kernel: loom map"
  fi
done
checks_end
