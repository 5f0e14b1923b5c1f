#!/bin/sh
# timed.sh -- the same tokens in the same cycles, by every engine of loom sim.
#
#     spec-tests/tools/timed.sh build/loom build/tools/timed-table SCRATCH CHAPTER KERNEL...
#
# Takes the fabrics and cases of a chapter's sections, and golden kernels that it maps; runs each on
# step, jit and cc with --timed; and works the numbers out from the table of --cycles once more,
# where the run is short enough for the table to have all of it.
set -u
loom=$(realpath "$1") table=$(realpath "$2") scratch=$3 chapter=$4
shift 4
passed=0 failed=0
mkdir -p "$scratch/chapter"

# all_the_same NAME FABRIC CASE
all_the_same() {
  name=$1 fabric=$2 input=$3
  for engine in step jit cc; do
    if "$loom" sim "$fabric" --case "$input" --alone --engine $engine --timed "$scratch/$engine" \
      >"$scratch/said" 2>&1 && [ -s "$scratch/$engine" ] && cmp "$scratch/step" "$scratch/$engine"; then
      passed=$((passed + 1))
    else
      cat "$scratch/said"
      echo "FAIL $name: $engine"
      failed=$((failed + 1))
    fi
  done
  if [ -d "$fabric" ]; then # a mapping: the trace of it says the same
    if "$loom" emit trace "$fabric" --case "$input" -o "$scratch/trace" -- --format=hash \
      >"$scratch/said" 2>&1 && cmp "$scratch/step" "$scratch/trace/channels.timed"; then
      passed=$((passed + 1))
    else
      cat "$scratch/said"
      echo "FAIL $name: loom emit trace"
      failed=$((failed + 1))
    fi
  fi
  [ "$(sed -n 's/^cycles //p' "$scratch/step")" -lt 1000 ] || return
  if "$loom" sim "$fabric" --case "$input" --alone --cycles 2>&1 | "$table" >"$scratch/table" &&
    cmp "$scratch/table" "$scratch/step"; then
    passed=$((passed + 1))
  else
    echo "FAIL $name: its table of cycles gives other numbers"
    failed=$((failed + 1))
  fi
}

for section in $(sh "$(dirname "$0")/sections.sh" "$chapter" "$scratch/chapter"); do
  all_the_same "$section" "$section/in.mlir" "$section/case.json"
done
for kernel; do
  if "$loom" map "$kernel/kernel.mlir" --adg large -o "$scratch/map" >"$scratch/said" 2>&1; then
    all_the_same "$kernel" "$scratch/map" "$kernel/case.json"
    rm -r "$scratch/map"
  else
    cat "$scratch/said"
    echo "FAIL $kernel: loom map"
    failed=$((failed + 1))
  fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
