#!/bin/sh
# specialise_sets.sh -- tests of loom specialise for random sets of six golden kernels.
#
#     spec-tests/tools/specialise_sets.sh build/loom SCRATCH SETS SEED [STEPS [SPECIALISE-OPTION...]]
#
# Each set is specialised from `large`. What comes of it, asked from its files alone: does each kernel's mapping run
# in no more cycles than `loom map` takes on `large`, and does its result hold? Is it at most 60 % of the area of
# `large`, and a third of that of `full`, where every PE can do everything? A row for each set; the same seed gives
# the same sets. `make specialise-sets` tries SETS=10 with SEED=1.
set -u
. "$(dirname "$0")/lib.sh"
loom=$(realpath "$1") scratch=$2 sets=$3 seed=$4 steps=${5:-40}
[ $# -le 5 ] && shift $# || shift 5
rm -rf "$scratch" # what another loom has mapped is no measure
mkdir -p "$scratch"
said=$scratch/said checked=$scratch/checked

area() { "$loom" adg show "$1" --json | tr ',{}' '\n' | sed -n 's/^ *"area": \([0-9]*\)$/\1/p' | awk '{ n += $1 } END { print n }'; }
cycles() { "$loom" sim "$1" --case "$2" | sed -n 's/ cycles$//p'; }
function_of() { sed -n 's/.*"function": "\([^"]*\)".*/\1/p' "$1/case.json" | head -1; }

# Six of what standard input lists, by a shuffle of Fisher and Yates with the minimal standard generator
# (Park and Miller), which every awk computes alike.
six() {
  awk -v s="$1" '{ all[n++] = $0 }
    END { for (i = 0; i < 6; i++) { for (t = 0; t < 8; t++) s = s * 16807 % 2147483647
            j = i + s % (n - i); x = all[j]; all[j] = all[i]; all[i] = x; printf "%s ", x } }'
}

for fabric in large full; do "$loom" adg $fabric -o "$scratch/$fabric.mlir"; done
large=$(area "$scratch/large.mlir") full=$(area "$scratch/full.mlir")
echo " seed  of large  of full  kernels"
n=0
while [ $n -lt "$sets" ]; do
  of=$((seed + n)) n=$((n + 1))
  kernels=$(for k in golden/*/case.json; do basename "${k%/case.json}"; done | LC_ALL=C sort | six $of)
  options=
  for k in $kernels; do options="$options golden/$k/kernel.mlir --case golden/$k/case.json"; done
  rm -rf "$scratch/maps"
  # shellcheck disable=SC2086
  check "seed $of ($kernels)" "$loom" specialise $options --adg large --steps "$steps" -o "$scratch/mine.mlir" --maps "$scratch/maps" "$@"
  part=$(area "$scratch/mine.mlir")
  for k in $kernels; do
    name=$(function_of golden/$k)
    [ -d "$scratch/large.$k" ] || "$loom" map "golden/$k/kernel.mlir" --adg large -o "$scratch/large.$k" "$@" >"$said"
    before=$(cycles "$scratch/large.$k/$name.map.json" "golden/$k/case.json")
    after=$(cycles "$scratch/maps/$name.map.json" "golden/$k/case.json")
    [ "${after:-0}" -gt 0 ] && [ "$after" -le "${before:-0}" ] && pass || fail "seed $of: $k takes ${after:-no} cycles, on large ${before:-none}"
  done
  awk -v s=$of -v p="${part:-0}" -v l="$large" -v f="$full" -v k="$kernels" 'BEGIN { printf "%5d %6.1f %% %6.1f %%  %s\n", s, 100 * p / l, 100 * p / f, k }'
  [ "${part:-0}" -gt 0 ] && [ $((part * 100)) -le $((large * 60)) ] && pass || fail "seed $of: an area of ${part:-none}, of large $large"
  [ $((${part:-$full} * 3)) -le "$full" ] && pass || fail "seed $of: an area of ${part:-none}, of full $full"
done
checks_end
